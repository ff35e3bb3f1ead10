//! How much memory the process has, for work that cannot be told beforehand how much it takes.

use std::fs;

/// Bytes of a page, as every Linux that this is asked on counts them in `statm` at the least.
const PAGE: u64 = 4096;

/// Bytes of memory that the process holds; nothing where the system does not say (`/proc`).
///
/// Source: proc(5), `/proc/pid/statm`, second field, in pages. Larger pages than 4 KiB make the
/// number too small, never too large.
pub fn resident_bytes() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split(' ').nth(1)?.parse().ok()?;
    pages.checked_mul(PAGE)
}
