//! v1alpha1: `matches` stand at the top of the object; no headers.

use super::hub::{self, Headers};
use crate::convert::options::Version;
use crate::convert::spoke::Spoke;

pub(super) static SPOKE: Spoke = Spoke {
    version: Version::V1alpha1,
    loses: &["spec.matches[].headers"],
    read: |work| hub::read_top(work, Headers::No),
    write: |work| {
        hub::drop_headers(work, Version::V1alpha1);
        hub::write_top(work);
    },
};
