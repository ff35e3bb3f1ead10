//! What ConfigMaps and Secrets hold, as their readers get it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};

use crate::object::Object;
use crate::tree::{Node, Value};

/// Keys and the bytes under them.
pub type Entries<'o> = BTreeMap<&'o str, Cow<'o, [u8]>>;

/// What a source holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigData<'o> {
    /// What every reader sees: `data`, and `stringData` over it.
    pub text: Entries<'o>,
    /// What volumes show beside it: `binaryData`.
    pub binary: Entries<'o>,
}

impl<'o> ConfigData<'o> {
    /// The content of a ConfigMap or Secret of the core group, decoded. A null value is an empty
    /// string, as to the API server. What the API server refuses (numbers, bad base64) counts as it
    /// is written: there is a finding about it already.
    pub fn of(object: &'o Object<'_>) -> Self {
        let base64 = &*object.id.kind == "Secret";
        let mut text = entries(object.tree.get("data"), base64);
        text.extend(entries(object.tree.get("stringData"), false));
        ConfigData { text, binary: entries(object.tree.get("binaryData"), true) }
    }

    /// The same of an object whose values are ciphertext: as they are written.
    pub fn as_written(object: &'o Object<'_>) -> Self {
        let mut text = entries(object.tree.get("data"), false);
        text.extend(entries(object.tree.get("stringData"), false));
        ConfigData { text, binary: entries(object.tree.get("binaryData"), false) }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.binary.is_empty()
    }
}

/// The values of a mapping in the order of their keys; nothing of any other node.
pub fn entries<'o>(node: Option<&'o Node<'_>>, base64: bool) -> Entries<'o> {
    let mapping = node.and_then(Node::mapping);
    let entries = mapping.into_iter().flat_map(|mapping| mapping.entries());
    entries.map(|(key, value)| (&*key.name, bytes(value, base64))).collect()
}

fn bytes<'o>(value: &'o Node<'_>, base64: bool) -> Cow<'o, [u8]> {
    match &value.value {
        Value::Null => Cow::Borrowed(&[]),
        Value::String(text) if base64 => match decode(text) {
            Some(bytes) => Cow::Owned(bytes),
            None => Cow::Borrowed(text.as_bytes()),
        },
        Value::String(text) => Cow::Borrowed(text.as_bytes()),
        _ => {
            let mut text = String::new();
            crate::json::write(value, &mut text);
            Cow::Owned(text.into_bytes())
        }
    }
}

/// The bytes of a base64 text, as Go's `base64.StdEncoding` reads it: line breaks are left out, bits
/// behind the last byte do not count.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true);
    const ENGINE: GeneralPurpose = GeneralPurpose::new(&STANDARD, LENIENT);
    match text.contains(['\n', '\r']) {
        false => ENGINE.decode(text).ok(),
        true => ENGINE.decode(text.replace(['\n', '\r'], "")).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_as_go_reads_it() {
        assert_eq!(decode("YQ==").as_deref(), Some(&b"a"[..]));
        assert_eq!(decode("YW\r\nJj\n").as_deref(), Some(&b"abc"[..]));
        assert_eq!(decode("YR==").as_deref(), Some(&b"a"[..]), "bits behind the last byte");
        assert_eq!(decode(""), Some(Vec::new()));
        for wrong in ["YQ", "YQ=", "Y Q==", "_w==", "YQ==YQ=="] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
