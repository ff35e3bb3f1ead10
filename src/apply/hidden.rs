//! Values of Secrets, kept out of everything that is shown.
//!
//! kubectl repeats what it was given in some of its errors: client-side apply prints the whole patch.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::json;
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

/// The values of a Secret, as they are written, decoded, encoded and quoted; of any other object none. A number or a
/// list where a text belongs is wrong, and is what an API server repeats to say so.
pub(super) fn of(object: &Object<'_>, tree: &Node<'_>) -> Vec<String> {
    if !object.is("", "Secret") {
        return Vec::new();
    }
    let values = |field| tree.get(field).map(|node| leaves(&json::to_value(node))).unwrap_or_default();
    let mut all = Vec::new();
    for encoded in values("data") {
        let bytes = STANDARD.decode(encoded.trim()).unwrap_or_default();
        all.extend(String::from_utf8(bytes));
        all.push(encoded);
    }
    for plain in values("stringData") {
        all.push(STANDARD.encode(&plain));
        all.push(plain);
    }
    let quoted: Vec<String> = all.iter().flat_map(|value| quoted(value)).collect();
    all.extend(quoted);
    let lines: Vec<String> =
        all.iter().flat_map(|value| value.lines()).filter(|line| line.len() >= LINE).map(str::to_owned).collect();
    all.retain(|value| value.len() >= VALUE);
    all.extend(lines);
    all
}

/// Every text and number in a value. The two words `true` and `false` are no secret.
fn leaves(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(items) => items.iter().flat_map(leaves).collect(),
        Value::Object(fields) => fields.values().flat_map(leaves).collect(),
        Value::Null | Value::Bool(_) => Vec::new(),
    }
}

/// A text as it stands between quotes, where that differs: as JSON has it, and as Go's encoder writes JSON.
fn quoted(text: &str) -> Vec<String> {
    let json = Value::from(text).to_string();
    let json = json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap_or_default().to_owned();
    let go = json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    [json, go].into_iter().filter(|quoted| quoted != text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_patches_are_left_out() {
        let hidden = Hidden::new(vec!["hunter".to_owned(), "hunter2hunter2".to_owned()]);
        assert_eq!(hidden.shown("a hunter2hunter2 b hunter\x1b[0m\n"), "a (hidden) b (hidden)\\u{1b}[0m");
        let forms = quoted("a\"<b>\n");
        assert_eq!(forms, ["a\\\"<b>\\n", "a\\\"\\u003cb\\u003e\\n"]);
        assert_eq!(quoted("plain"), Vec::<String>::new());
        assert_eq!(leaves(&serde_json::json!({ "pin": 12345, "list": ["one", true, null] })), ["12345", "one"]);
        let patch = "Error from server (Invalid): error when applying patch:\n{\"data\":{\"k\":\"aGk=\"}}\nto:\nResource: \
                     \"/v1, Resource=secrets\"\nfor: \"STDIN\": error when patching \"STDIN\": it is immutable";
        assert_eq!(
            hidden.shown(patch),
            "Error from server (Invalid): error when applying patch:\nfor: \"STDIN\": error when patching \"STDIN\": it is \
             immutable"
        );
    }
}
