//! JSON: text to trees and back, and the door to `serde_json::Value`.
//!
//! kubectl reads a stream as JSON when its first byte that is no blank is `{`
//! ([`is_stream`]), and as YAML otherwise. Duplicate keys are an error here, too.

mod number;
mod read;
mod string;
#[cfg(test)]
mod tests;
mod value;
mod write;

pub use read::parse_stream;
pub use value::{from_value, to_value};
pub use write::{write, write_pretty};

/// Whether kubectl takes a stream for JSON: its first character that is no blank is `{`. Only the
/// first 4,096 bytes are looked at.
///
/// Source: apimachinery, `pkg/util/yaml/decoder.go` (`GuessJSONStream`).
pub fn is_stream(text: &str) -> bool {
    const LOOKED_AT: usize = 4096;
    let begins = text.trim_start();
    begins.starts_with('{') && text.len() - begins.len() < LOOKED_AT
}
