//! v1alpha2: weights are whole numbers; no matches.

use super::hub::{self, Matches, Weights};
use crate::convert::options::Version;
use crate::convert::spoke::Spoke;

pub(super) static SPOKE: Spoke = Spoke {
    version: Version::V1alpha2,
    loses: &["spec.matches"],
    read: |work| hub::read(work, Weights::Whole, Matches::No),
    write: |work| {
        hub::drop_matches(work, Version::V1alpha2);
        hub::write_whole(work);
    },
};
