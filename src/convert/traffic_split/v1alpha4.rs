//! v1alpha4: the shape of v1alpha3, and that of the hub; it goes with HTTPRouteGroups of v1alpha4.

use super::hub::{self, Matches, Weights};
use crate::convert::options::Version;
use crate::convert::spoke::Spoke;

pub(super) static SPOKE: Spoke = Spoke {
    version: Version::V1alpha4,
    loses: &[],
    read: |work| hub::read(work, Weights::Whole, Matches::Yes),
    write: hub::write_whole,
};
