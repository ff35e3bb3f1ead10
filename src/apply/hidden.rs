//! Values of Secrets, kept out of everything that is shown.
//!
//! kubectl repeats what it was given in some of its errors: client-side apply prints the whole patch.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::object::Object;
use crate::report::escape::escape;
use crate::tree::Node;

/// What stands in the place of a value.
const MASK: &str = "(hidden)";

/// Shorter values are found everywhere; shorter lines of a value too. In bytes.
const VALUE: usize = 4;
const LINE: usize = 8;

/// The values of all Secrets of a run, in every form in which a program may print them.
#[derive(Debug, Default)]
pub struct Hidden {
    /// The longest first, so that no part of one is replaced before the whole.
    values: Vec<String>,
}

impl Hidden {
    /// Values of any length and order.
    pub(super) fn new(mut values: Vec<String>) -> Self {
        values.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        values.dedup();
        Hidden { values }
    }

    /// Text of another program as lines that may be shown: no value of a Secret, no patch, no control character.
    pub fn shown(&self, text: &str) -> String {
        let mut text = without_patches(text);
        for value in &self.values {
            if text.contains(value.as_str()) {
                text = text.replace(value.as_str(), MASK);
            }
        }
        text.trim().lines().map(|line| escape(line).into_owned()).collect::<Vec<_>>().join("\n")
    }
}

/// Leaves out what kubectl prints of the two sides of a patch that failed.
fn without_patches(text: &str) -> String {
    let mut kept = Vec::new();
    let mut is_patch = false;
    for line in text.lines() {
        let is_data = line.starts_with('{') || line.contains("last-applied-configuration");
        if is_patch && line.starts_with("for: ") {
            is_patch = false;
        }
        if !is_patch && !is_data {
            kept.push(line);
        }
        if line.ends_with("when applying patch:") || line.ends_with("when replacing:") {
            is_patch = true;
        }
    }
    kept.join("\n")
}

/// The values of a Secret, as they are written, decoded and encoded; of any other object none.
pub(super) fn of(object: &Object<'_>, tree: &Node<'_>) -> Vec<String> {
    if !object.is("", "Secret") {
        return Vec::new();
    }
    let values = |field| tree.get(field).and_then(Node::mapping).map(|m| m.entries()).unwrap_or_default();
    let mut all = Vec::new();
    for (_, value) in values("data") {
        let Some(encoded) = value.as_str() else { continue };
        let bytes = STANDARD.decode(encoded.trim()).unwrap_or_default();
        all.push(encoded.to_owned());
        all.extend(String::from_utf8(bytes));
    }
    for (_, value) in values("stringData") {
        let Some(plain) = value.as_str() else { continue };
        all.push(STANDARD.encode(plain));
        all.push(plain.to_owned());
    }
    let lines: Vec<String> =
        all.iter().flat_map(|value| value.lines()).filter(|line| line.len() >= LINE).map(str::to_owned).collect();
    all.retain(|value| value.len() >= VALUE);
    all.extend(lines);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_patches_are_left_out() {
        let hidden = Hidden::new(vec!["hunter".to_owned(), "hunter2hunter2".to_owned()]);
        assert_eq!(hidden.shown("a hunter2hunter2 b hunter\x1b[0m\n"), "a (hidden) b (hidden)\\u{1b}[0m");
        let patch = "Error from server (Invalid): error when applying patch:\n{\"data\":{\"k\":\"aGk=\"}}\nto:\nResource: \
                     \"/v1, Resource=secrets\"\nfor: \"STDIN\": error when patching \"STDIN\": it is immutable";
        assert_eq!(
            hidden.shown(patch),
            "Error from server (Invalid): error when applying patch:\nfor: \"STDIN\": error when patching \"STDIN\": it is \
             immutable"
        );
    }
}
