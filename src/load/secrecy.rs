//! Which source lines may be shown in messages.
//!
//! Nothing may unless it is known to hold no secret: no line of a Secret, of a `stringData` anywhere,
//! of a document that SOPS encrypted, or of an environment variable that is named like a secret and
//! has its value written out. A document that could not be read is judged by its text.

use crate::finding::Findings;
use crate::source::{DocumentStart, Place, Span};
use crate::tree::{Node, Value};

/// Parts of a variable's name that promise a secret.
const SECRET_WORDS: &[&str] = &[
    "passw",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "api_key",
    "credential",
    "private",
    "auth",
    "pwd",
    "cert",
    "key",
    "dsn",
    "connection",
];

/// Lets the lines of a document be shown, but for those that may hold a secret.
pub(super) fn show_source(root: &Node<'_>, at: DocumentStart, text: &str, found: &mut Findings) {
    let mut hidden = Vec::new();
    if !collect(root, &mut hidden) {
        return;
    }
    hidden.sort_by_key(|span| span.start);
    let bytes = text.as_bytes();
    let mut shown = 0;
    for span in hidden {
        let (start, end) = (span.start as usize, (span.end() as usize).min(bytes.len()));
        // its line is hidden already: not looked for again, for a line may hold thousands of these
        if end < shown {
            continue;
        }
        let line_start = memchr::memrchr(b'\n', &bytes[..start.min(bytes.len())]).map_or(0, |at| at + 1);
        let line_end = memchr::memchr(b'\n', &bytes[end..]).map_or(bytes.len(), |at| end + at);
        if line_start > shown {
            found.show_source(at.place(Span::new(shown, line_start - 1)));
        }
        shown = shown.max(line_end + 1);
    }
    if shown <= text.len() {
        found.show_source(at.place(Span::new(shown, text.len())));
    }
}

/// Lets the lines of a document be shown that could not be read, if nothing in it looks like a
/// Secret.
pub(super) fn show_unread(place: Place, text: &str, found: &mut Findings) {
    let folded = text.to_ascii_lowercase();
    let suspicious =
        ["secret", "stringdata", "sops", "enc["].iter().chain(SECRET_WORDS).any(|word| folded.contains(word));
    if !suspicious {
        found.show_source(place);
    }
}

/// Collects the spans that stay hidden; false where the whole document does.
fn collect(node: &Node<'_>, hidden: &mut Vec<Span>) -> bool {
    match &node.value {
        Value::Sequence(items) => items.iter().all(|item| collect(item, hidden)),
        Value::Mapping(mapping) => {
            let (mut name, mut has_value) = (None, false);
            for (key, value) in mapping.entries() {
                match &*key.name {
                    "kind" if matches!(value.as_str(), Some("Secret" | "SecretList")) => return false,
                    "sops" => return false,
                    "stringData" | "encryptedData" => {
                        hidden.extend([key.span, value.span]);
                        continue;
                    }
                    "name" => name = value.as_str(),
                    "value" => has_value = true,
                    _ => {}
                }
                if !collect(value, hidden) {
                    return false;
                }
            }
            if has_value && name.is_some_and(is_named_like_a_secret) {
                hidden.push(node.span);
            }
            true
        }
        _ => true,
    }
}

/// Whether the name of an environment variable, or of another name and value, promises a secret.
fn is_named_like_a_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_WORDS.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Limits, SourceFile, SourceMap};

    /// The lines of a document that may be shown.
    fn shown(text: &str) -> Vec<&str> {
        let file = SourceMap::default().add(SourceFile::new("a.yaml", text));
        let at = DocumentStart { file, offset: 0 };
        let mut found = Findings::default();
        let root = crate::yaml::parse(text, at, &Limits::default(), &mut found).unwrap().unwrap();
        show_source(&root, at, text, &mut found);
        let mut offset = 0;
        let mut lines = Vec::new();
        for line in text.lines() {
            let place = at.place(Span::new(offset, offset + line.len()));
            if found.may_show(place) {
                lines.push(line);
            }
            offset += line.len() + 1;
        }
        lines
    }

    #[test]
    fn secrets_stay_hidden_wherever_they_stand() {
        assert_eq!(shown("kind: Secret\ndata:\n  a: eA==\n"), [""; 0]);
        assert_eq!(shown("kind: List\nitems:\n- kind: Secret\n  data: {a: eA==}\n"), [""; 0]);
        assert_eq!(shown("kind: A\nstringData:\n  a: x\n  b: y\nspec: 1\n"), ["kind: A", "spec: 1"]);
        assert_eq!(
            shown("env:\n- name: A\n  value: x\n- name: DB_PASSWORD\n  value: y\nc: 1\n"),
            ["env:", "- name: A", "  value: x", "c: 1"]
        );
        assert_eq!(shown("a: x\nsops:\n  mac: y\n"), [""; 0]);
    }
}
