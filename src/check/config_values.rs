//! Values of ConfigMaps and Secrets that the API server refuses.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::object::Object;
use crate::object::view::config_data::decode;
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&NOT_A_STRING, &BAD_BASE64];

static NOT_A_STRING: Rule = Rule {
    id: "TG110",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a value of a ConfigMap or Secret is not a string",
    explanation: "The API server refuses the object: every value must be a string. YAML reads `no`, `on`, `0644` and \
`1.10` as something else, and quotes make strings of them. kustomize may quote such a value in silence, so a \
directory that kustomize builds can still fail under kubectl.",
};

static BAD_BASE64: Rule = Rule {
    id: "TG111",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a value that must be base64 is not",
    explanation: "`data` of a Secret and `binaryData` of a ConfigMap hold base64 (RFC 4648, standard alphabet, with \
padding); the API server refuses anything else. Encode the value (`base64 -w0`), or write a Secret's plain text \
under `stringData`.",
};

/// A field of values: object kind, field, whether its values are base64.
static FIELDS: &[(&str, &str, bool)] = &[
    ("ConfigMap", "data", false),
    ("ConfigMap", "binaryData", true),
    ("Secret", "data", true),
    ("Secret", "stringData", false),
];

pub(super) fn run(planned: &Planned<'_>, _: &Settings, found: &mut Findings) {
    for (kind, field, is_base64) in FIELDS {
        for (_, object) in planned.linked.loaded.objects.of_kind("", kind) {
            let Some(values) = object.tree.get(field).filter(|node| !node.is_null()) else { continue };
            let path = FieldPath::keys([*field]);
            let Some(mapping) = values.mapping() else {
                let message = format!("{field} of {} must be a mapping; it is {}", object.id, values.kind());
                let remedy = "write a mapping of keys to values, or remove the field";
                found.push(not_a_string(object, path, &message, remedy));
                continue;
            };
            for (key, value) in mapping.entries() {
                check_value(object, path.key(&key.name), value, *is_base64, found);
            }
        }
    }
}

/// A null value is read as absent by the API server's decoder (as an empty string in `data`), so it
/// is no error.
fn check_value(object: &Object<'_>, path: FieldPath, value: &Node<'_>, is_base64: bool, found: &mut Findings) {
    match value.as_str() {
        None if value.is_null() => {}
        None => {
            let message = format!("{path} of {} must be a string; YAML reads {}", object.id, value.kind());
            found.push(not_a_string(object, path, &message, "put the value in quotes"));
        }
        Some(text) if is_base64 && !is_filled_later(object, text) && decode(text).is_none() => found.push(
            Finding::new(&BAD_BASE64, format!("{path} of {} is not base64", object.id))
                .with_object(&object.id)
                .with_label(Label::new(object.place_of(&path)).path(path))
                .with_remedy("encode the value, or move a Secret's plain text to `stringData`"),
        ),
        Some(_) => {}
    }
}

/// Whether somebody replaces the value before it is applied: SOPS decrypts the document, a vault
/// plugin fills in a `<path:…>`.
fn is_filled_later(object: &Object<'_>, text: &str) -> bool {
    object.tree.get("sops").is_some() || text.contains("<path:")
}

fn not_a_string(object: &Object<'_>, path: FieldPath, message: &str, remedy: &str) -> Finding {
    Finding::new(&NOT_A_STRING, message)
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(&path)).path(path))
        .with_remedy(remedy)
}
