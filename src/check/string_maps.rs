//! Labels and annotations whose values are not strings.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::tree::{FieldPath, Key, Node};

pub(super) static RULES: &[&Rule] = &[&NOT_A_STRING_MAP];

static NOT_A_STRING_MAP: Rule = Rule {
    id: "TG112",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a label or annotation is not a string",
    explanation: "Values of `metadata.labels` and `metadata.annotations` must be strings; the API server and kubectl \
refuse the object otherwise. Put `true`, `yes`, `1` and the like in quotes.",
};

pub(super) fn run(planned: &Planned<'_>, _: &Settings, found: &mut Findings) {
    for (_, object) in planned.linked.loaded.objects.iter() {
        for field in ["labels", "annotations"] {
            let Some(node) = object.tree.at(&["metadata", field]).filter(|node| !node.is_null()) else { continue };
            let path = FieldPath::keys(["metadata", field]);
            let entries = node.mapping().map(|mapping| mapping.entries());
            let wrong = match entries {
                None => vec![(object.place_of(&path), path, node)],
                Some(entries) => {
                    let wrong = entries.iter().filter(|(_, value)| value.as_str().is_none() && !value.is_null());
                    let placed = |entry| {
                        let (key, value): &(Key<'_>, Node<'_>) = entry;
                        let path = path.key(&key.name);
                        (object.place_of_entry(key, value, &path), path, value)
                    };
                    wrong.map(placed).collect()
                }
            };
            for (place, path, value) in wrong {
                let (wanted, remedy) = match path.steps().len() {
                    2 => ("a mapping", "write a mapping of keys to strings, or remove the field"),
                    _ => ("a string", "put the value in quotes"),
                };
                let message = format!("{path} of {} must be {wanted}; it is {}", object.id, value.kind());
                found.push(
                    Finding::new(&NOT_A_STRING_MAP, message)
                        .with_object(&object.id)
                        .with_label(Label::new(place).path(path))
                        .with_remedy(remedy),
                );
            }
        }
    }
}
