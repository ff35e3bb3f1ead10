//! v1alpha4: the shape of v1alpha3, and that of the hub.

use super::hub;
use crate::convert::options::Version;
use crate::convert::spoke::Spoke;

pub(super) static SPOKE: Spoke =
    Spoke { version: Version::V1alpha4, loses: &[], read: hub::read, write: hub::form_headers };
