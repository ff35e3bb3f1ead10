//! tidegate against the real clients. Each test skips, and says so, where its client is not installed.

mod corpus;
mod refs;
mod strings;
