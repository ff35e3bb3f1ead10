//! v1alpha1: weights are Quantities; no matches.

use super::hub::{self, Matches, Weights};
use crate::convert::options::Version;
use crate::convert::spoke::Spoke;

pub(super) static SPOKE: Spoke = Spoke {
    version: Version::V1alpha1,
    loses: &["spec.matches"],
    read: |work| hub::read(work, Weights::Quantities, Matches::No),
    write: |work| {
        hub::drop_matches(work, Version::V1alpha1);
        hub::write_quantities(work);
    },
};
