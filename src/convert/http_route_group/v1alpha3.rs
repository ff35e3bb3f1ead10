//! v1alpha3: `matches` stand under `spec`.

use super::hub;
use crate::convert::options::Version;
use crate::convert::spoke::Spoke;

pub(super) static SPOKE: Spoke =
    Spoke { version: Version::V1alpha3, loses: &[], read: hub::read, write: hub::form_headers };
