//! Values of ConfigMaps and Secrets that the API server refuses.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::object::Object;
use crate::object::view::config_data::decode;
use crate::tree::{FieldPath, Key, Node};

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
                let label = Label::new(object.place_of(&path)).path(path);
                found.push(not_a_string(object, label, &message, remedy));
                continue;
            };
            let is_encrypted = object.tree.get("sops").is_some();
            for entry in mapping.entries() {
                check_value(object, &path, entry, *is_base64 && !is_encrypted, found);
            }
        }
    }
}

/// `is_base64` is false where SOPS decrypts the document before it is applied, too. A null value is read as absent by the API server's decoder (as an empty string in `data`), so it
/// is no error.
fn check_value<'s>(
    object: &Object<'s>,
    field: &FieldPath,
    (key, value): &(Key<'s>, Node<'s>),
    is_base64: bool,
    found: &mut Findings,
) {
    let path = || field.key(&key.name);
    let label = |path: FieldPath| Label::new(object.place_of_entry(key, value, &path)).path(path);
    match value.as_str() {
        None if value.is_null() => {}
        None => {
            let message = format!("{} of {} must be a string; YAML reads {}", path(), object.id, value.kind());
            found.push(not_a_string(object, label(path()), &message, "put the value in quotes"));
        }
        Some(text) if is_base64 && !is_filled_later(text) && decode(text).is_none() => found.push(
            Finding::new(&BAD_BASE64, format!("{} of {} is not base64", path(), object.id))
                .with_object(&object.id)
                .with_label(label(path()))
                .with_remedy("encode the value, or move a Secret's plain text to `stringData`"),
        ),
        Some(_) => {}
    }
}

/// Whether a vault plugin replaces the value before it is applied: it fills in a `<path:…>`.
fn is_filled_later(text: &str) -> bool {
    text.contains("<path:")
}

fn not_a_string(object: &Object<'_>, label: Label, message: &str, remedy: &str) -> Finding {
    Finding::new(&NOT_A_STRING, message).with_object(&object.id).with_label(label).with_remedy(remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceFile, SourceMap};

    #[test]
    fn each_value_has_the_place_that_its_path_has_and_is_found_without_a_walk() {
        let many: String = (0..30_000).map(|nth| format!("  k{nth}: no\n")).collect();
        let text = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata:\n{many}");
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("a.yaml", text.as_str()));
        let mut found = Findings::default();
        let loaded = crate::load::objects(&sources, &Settings::default(), &mut found);
        let linked = crate::refs::link(loaded, &Settings::default(), &mut found);
        let planned = Planned { linked, ..Planned::default() };
        run(&planned, &Settings::default(), &mut found);
        let said = found.sorted();
        let object = planned.linked.loaded.objects.of_kind("", "ConfigMap").next().unwrap().1;
        for finding in said.iter().filter(|finding| finding.place().is_some()).step_by(100) {
            let label = &finding.labels[0];
            assert_eq!(label.place, object.place_of(label.path.as_ref().unwrap()));
            assert_eq!(&sources.file(file).text()[label.place.start..label.place.end], "no");
        }
        assert_eq!(said.iter().map(|finding| finding.count).sum::<u64>(), 30_000);
    }
}
