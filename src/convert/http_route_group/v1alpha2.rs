//! v1alpha2: `matches` stand at the top of the object, and may name headers.

use super::hub::{self, Headers};
use crate::convert::options::Version;
use crate::convert::spoke::Spoke;

pub(super) static SPOKE: Spoke = Spoke {
    version: Version::V1alpha2,
    loses: &[],
    read: |work| hub::read_top(work, Headers::Yes),
    write: |work| {
        hub::form_headers(work);
        hub::write_top(work);
    },
};
