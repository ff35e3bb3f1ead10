//! What there is to say about registrations.

use super::conversion::Conversion;
use super::registration::{Registration, Selector, Webhook};
use super::rule::Rule;
use crate::finding::{Finding, Label, rules::order};
use crate::object::Object;
use crate::tree::FieldPath;

/// Nothing in a namespace waits, since nobody knows whether the registration is for it.
pub(super) fn unknown_namespace(
    registration: &Registration<'_>,
    namespace: Option<&str>,
    selector: &Selector<'_>,
) -> Finding {
    let id = &registration.object.id;
    let (message, remedy) = match namespace {
        Some(name) => (
            format!("nothing in namespace `{name}` waits for {id}: the labels that it selects by are not known"),
            format!("put Namespace {name} into the input, with its labels"),
        ),
        None => (
            format!("objects whose namespace nobody says do not wait for {id}, which selects by labels of theirs"),
            "say the namespace in the objects, or with `--namespace`".to_owned(),
        ),
    };
    Finding::new(&order::UNKNOWN_NAMESPACE, message)
        .with_object(id)
        .with_label(Label::new(selector.place).path(selector.path.clone()))
        .with_remedy(remedy)
}

/// A webhook refuses the pods of its own backend.
pub(super) fn deadlock(
    registration: &Registration<'_>,
    webhook: &Webhook<'_>,
    rule: &Rule<'_>,
    workload: &Object<'_>,
) -> Finding {
    let message = format!(
        "webhook `{}` of {} is asked about the pods of {}, which answers it: once none of them runs, none can start",
        webhook.name, registration.object.id, workload.id
    );
    Finding::new(&order::DEADLOCK, message)
        .with_object(&registration.object.id)
        .with_label(Label::new(rule.place).path(rule.path.clone()))
        .with_label(Label::new(workload.place_of(&FieldPath::keys(["kind"]))).text("its backend"))
        .with_remedy("leave these pods out by `namespaceSelector` or `objectSelector`")
}

/// A definition comes before the backend that its other versions need.
pub(super) fn unconverted(conversion: &Conversion<'_>, backend: &Object<'_>, objects: usize) -> Finding {
    let definition = conversion.object;
    let path = FieldPath::keys(["spec", "conversion"]);
    let others = conversion.others.iter().map(|version| format!("`{version}`")).collect::<Vec<_>>().join(", ");
    let waiting = match objects {
        0 => String::new(),
        1 => "; the 1 object of the input that needs it waits".to_owned(),
        many => format!("; the {many} objects of the input that need it wait"),
    };
    let message = format!(
        "{} comes before {}, which converts to {others}: reads at these versions fail until it is ready{waiting}",
        definition.id, backend.id
    );
    Finding::new(&order::CONVERSION_AFTER_DEFINITION, message)
        .with_object(&definition.id)
        .with_label(Label::new(definition.place_of(&path)).path(path))
        .with_label(Label::new(backend.place_of(&FieldPath::keys(["kind"]))).text("its backend"))
        .with_remedy(
            "apply it in two steps: first with the storage version as the only one that \
is served, and with every version once the backend is ready; `tidegate convert --plan` writes such steps down",
        )
}
