//! v1alpha3: a split may hold for the requests of HTTPRouteGroups of v1alpha3 alone.

use super::hub::{self, Matches, Weights};
use crate::convert::options::Version;
use crate::convert::spoke::Spoke;

pub(super) static SPOKE: Spoke = Spoke {
    version: Version::V1alpha3,
    loses: &[],
    read: |work| hub::read(work, Weights::Whole, Matches::Yes),
    write: hub::write_whole,
};
