//! Which source lines may be shown in messages.
//!
//! Nothing may unless it is known to hold no secret: no line of a Secret, or of what may have been
//! meant as one (its `kind` misspelt or absent), of a `stringData` anywhere, of a document that SOPS
//! encrypted, or of an environment variable that is named like a secret and has its value written
//! out. A document that could not be read is judged by its text (`unread.rs`).

mod unread;

pub(super) use unread::show_unread;

use crate::finding::{Findings, is_near};
use crate::object::gvk::{is_kind, split_api_version};
use crate::object::scope;
use crate::source::{DocumentStart, Span};
use crate::tree::{Mapping, Node, Value};

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

/// Kinds that are named after Secrets and hold no value of one.
const NO_SECRETS: &[&str] = &[
    "ClusterExternalSecret",
    "ClusterSecretStore",
    "ExternalSecret",
    "PushSecret",
    "SealedSecret",
    "SecretProviderClass",
    "SecretStore",
    "VaultDynamicSecret",
    "VaultStaticSecret",
];

/// Lets the lines of a document be shown, but for those that may hold a secret. False where the whole
/// document may.
pub(super) fn show_source(root: &Node<'_>, at: DocumentStart, text: &str, found: &mut Findings) -> bool {
    let mut hidden = Vec::new();
    if may_be_secret(root) || !collect(root, &mut hidden) {
        return false;
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
    true
}

/// Collects the spans that stay hidden; false where the whole document does.
fn collect(node: &Node<'_>, hidden: &mut Vec<Span>) -> bool {
    match &node.value {
        Value::Sequence(items) => items.iter().all(|item| collect(item, hidden)),
        Value::Mapping(mapping) => {
            let (mut name, mut has_value) = (None, false);
            for (key, value) in mapping.entries() {
                match &*key.name {
                    name if is_like(name, "kind") && value.as_str().is_some_and(is_secret_like) => return false,
                    "sops" => return false,
                    name if is_like(name, "stringData") || name == "encryptedData" => {
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

/// Whether a document, or an item of a list in it, may have been meant as a Secret: what holds data
/// must be of a kind that is known.
fn may_be_secret(root: &Node<'_>) -> bool {
    let mut open = vec![(root, "")];
    while let Some((node, list_kind)) = open.pop() {
        match &node.value {
            Value::Sequence(items) => open.extend(items.iter().map(|item| (item, list_kind))),
            Value::Mapping(mapping) => {
                let kind = mapping.get("kind").and_then(Node::as_str);
                let kind = kind.unwrap_or_else(|| list_kind.strip_suffix("List").unwrap_or_default());
                if holds_data(mapping) && !is_known(mapping, kind) || !kind.is_empty() && !is_kind(kind) {
                    return true;
                }
                let lists = mapping.entries().iter().map(|(_, value)| value);
                open.extend(lists.filter(|value| value.items().is_some()).map(|list| (list, kind)));
            }
            _ => {}
        }
    }
    false
}

/// Whether a mapping has a key such as those under which a Secret has its values.
fn holds_data(mapping: &Mapping<'_>) -> bool {
    mapping.entries().iter().any(|(key, value)| {
        matches!(value.value, Value::Mapping(_)) && (is_like(&key.name, "data") || is_like(&key.name, "stringData"))
    })
}

/// Whether a kind is one that somebody serves, and no Secret.
fn is_known(mapping: &Mapping<'_>, kind: &str) -> bool {
    let api_version = mapping.get("apiVersion").and_then(Node::as_str).unwrap_or_default();
    let group = split_api_version(api_version).map_or("", |(group, _)| group);
    !is_secret_like(kind) && (kind == "ConfigMap" || scope::builtin(group, kind).is_some())
}

/// Whether a key is a name, or a slip of it.
fn is_like(key: &str, name: &str) -> bool {
    key == name || is_near(key, name)
}

/// Whether a kind is, or may be meant as, that of Secrets.
fn is_secret_like(kind: &str) -> bool {
    let folded = kind.to_lowercase();
    !NO_SECRETS.contains(&kind)
        && (folded.contains("secret") || is_near(&folded, "secret") || is_near(&folded, "secretlist"))
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
        assert_eq!(shown("kind: ConfigMap\nstringData:\n  a: x\n  b: y\nspec: 1\n"), ["kind: ConfigMap", "spec: 1"]);
        assert_eq!(
            shown("env:\n- name: A\n  value: x\n- name: DB_PASSWORD\n  value: y\nc: 1\n"),
            ["env:", "- name: A", "  value: x", "c: 1"]
        );
        assert_eq!(shown("a: x\nsops:\n  mac: y\n"), [""; 0]);
    }

    #[test]
    fn what_may_be_meant_as_a_secret_stays_hidden() {
        for head in [
            "Kind: Secret",
            "kind: secret",
            "KIND: SECRET",
            "kind: Secrets",
            "kind: Secert",
            "kind: Scrt",
            "kind: Secr3t",
            "kind: \u{405}ecret",
            "kind: [Secret]",
            "kin: Secret",
            "metadata: {name: a}",
            "type: Opaque",
        ] {
            for data in ["data", "Data", "dta", "stringData", "stringdata", "string_data"] {
                let text = format!("apiVersion: v1\n{head}\n{data}:\n  a: eA==\n");
                assert_eq!(shown(&text), [""; 0], "{text}");
                let item = text.trim_end().replace('\n', "\n  ");
                let list = format!("apiVersion: v1\nkind: List\nitems:\n- {item}\n");
                assert_eq!(shown(&list), [""; 0], "{list}");
            }
        }
        assert_eq!(shown("kind: SecretLst\nitems:\n- data: {a: eA==}\n"), [""; 0]);
    }

    #[test]
    fn what_is_known_to_be_none_is_shown() {
        for text in [
            "kind: ConfigMap\ndata:\n  a: x\n",
            "apiVersion: v1\nkind: ConfigMapList\nitems:\n- data: {a: x}\n",
            "kind: ExternalSecret\nspec:\n  data: [{secretKey: a}]\n",
            "kind: Deployment\nspec: {a: 1}\n",
            "metadata: {name: a}\nspec: {a: 1}\n",
        ] {
            assert_eq!(shown(text), text.lines().collect::<Vec<_>>());
        }
    }
}
