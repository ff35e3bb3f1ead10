//! The one test binary: the house itself, cases from files, the documentation, and real manifests.
//!
//! - `house/`: rooms in order, sizes, words that do not belong here, lists that are complete.
//! - `<area>/<case>.toml`: bytes in, bytes out ([`cases`]); `TRYCMD=overwrite` (`cargo bless`) is the only way to accept
//!   new output, and its diff is read before it is committed.
//! - [`docs`]: the blocks of the README, the examples and the docs, run as a reader would run them.
//! - [`checksums`]: values and whole outputs that are known from elsewhere.
//! - [`corpus`]: real installations, listed in `corpus.tsv`.
//! - [`prop`]: laws that hold for every input.
//! - [`refs`]: the reference table, row by row, and what it finds in real installations (`refs.tsv`).
//! - [`formats`]: findings in every form, as their readers take them.
//! - [`init`]: the configuration to begin with, and all that it proposes.
//! - [`replay`]: rendered streams, played back as Argo CD applies them.
//! - [`revisions`]: revisions of git as the old side of a comparison.
//! - [`tree`]: output folders, also those of killed runs.
//! - [`hosts`]: tidegate inside the programs that run it; skipped, and said, where one is not installed.
//! - [`said`]: where findings point, that they show no Secret, and that each check has a case.
//! - [`webhook`]: recorded ConversionReviews and their answers; with the feature `webhook` the program under TLS.
//! - [`oracle`]: tidegate against the real clients; skipped, and said, where a client is not installed.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::expect_used,
    reason = "tests read files, the environment and the clock as they need, and fail by panicking"
)]

mod awkward;
mod cases;
mod checksums;
mod corpus;
mod docs;
mod formats;
mod hosts;
mod house;
mod init;
mod oracle;
mod place;
mod prop;
mod refs;
mod replay;
mod revisions;
mod said;
mod tree;
mod webhook;
