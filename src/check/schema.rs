//! Objects against schemas: custom resources against their definitions in the input, and what Kubernetes has built in
//! against the OpenAPI documents of a cluster (`--openapi`).
//!
//! The validator is our own: Kubernetes' dialect (pruning, defaults, `x-kubernetes-*`) and the places of values are
//! not to be had from a library for JSON Schema.

#[cfg(feature = "cel")]
mod cel;
mod complete;
mod format;
mod judge;
mod pattern;
mod shape;
mod unknown;

use std::collections::BTreeMap;

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::object::Object;
use crate::source::Span;
use crate::tree::Node;

use judge::{Judge, Problem};
use pattern::Patterns;
use shape::{Dialect, Shapes};
use unknown::Unknown;

pub(super) static RULES: &[&Rule] = &[&REFUSED, &UNKNOWN_FIELD, &RULE_FAILS, &GIVEN_UP];

static REFUSED: Rule = Rule {
    id: "TG544",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a field is not what its schema demands",
    explanation: "\
The API server refuses the object. A custom resource is held to the schema of its definition in the input,
as the server does it: nulls that are not `nullable` are left out, defaults are filled in, then types,
`required`, `enum`, `pattern`, bounds, `allOf`, `anyOf`, `oneOf`, `not`, and lists whose items must differ
(`x-kubernetes-list-type`) are looked at, and of the formats of strings `date`, `date-time`, `ipv4`, `ipv6`,
`cidr`, `mac` and `uuid`. `status` is not, nor text that is replaced before it is applied (`${...}`,
`<path:...>`).

What Kubernetes has built in is held to the documents that `--openapi FILE` names
(`kubectl get --raw /openapi/v2 > FILE`, or those of `/openapi/v3`); a required field that is absent is a
warning there, since the server may fill it in.",
};

static UNKNOWN_FIELD: Rule = Rule {
    id: "TG545",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a field that the schema of its object does not know",
    explanation: "\
The API server drops the field, so what it says never takes effect; where fields are validated strictly, as
by `kubectl apply` and Argo CD, or the object is applied by the server, it refuses the object
(`unknown field`).

An error where a field of a near name is known and not given: then the name is a slip. Looked at are
`metadata` of every object, custom resources whose definition is in the input (what
`x-kubernetes-preserve-unknown-fields` keeps is fine), and with `--openapi` what Kubernetes has built in.",
};

static RULE_FAILS: Rule = Rule {
    id: "TG546",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a validation rule of a definition refuses the object",
    explanation: "\
The definition of the custom resource has a rule (`x-kubernetes-validations`, in the Common Expression
Language) that is false for the object, so the API server refuses it with the message that is shown.

Rules that compare with the stored object (`oldSelf`) are left out, and so are those that cannot be
evaluated here. Found only by builds with the cargo feature `cel`: `tidegate version -v` tells whether this
is one.",
};

static GIVEN_UP: Rule = Rule {
    id: "TG549",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "an object is too large to be held to its schema",
    explanation: "\
How much is looked at is bounded, so that no input can take for ever: 1,000,000 pairs of a value and a
schema in one object, and 200,000 values that defaults add. What was found before is reported; the rest is
for the API server to say.",
};

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    for (_, object) in planned.objects().iter() {
        let unknown = unknown::of_metadata(&object.tree);
        unknown.iter().for_each(|unknown| found.push(unknown_field(object, unknown, "the metadata of an object")));
    }
    let mut patterns = Patterns::default();
    let definitions = planned.objects().of_kind("apiextensions.k8s.io", "CustomResourceDefinition");
    for (_, definition) in definitions {
        let Some((group, kind)) = defines(definition) else { continue };
        for (_, object) in planned.objects().of_kind(group, kind) {
            if let Some(schema) = schema(definition, &object.version) {
                custom(object, definition, schema, &mut patterns, found);
            }
        }
        #[cfg(feature = "cel")]
        cel::run(planned.objects(), definition, found);
    }
    if let Some(openapi) = &settings.openapi {
        let shapes = Shapes { dialect: Dialect::OpenApi, named: openapi.schemas() };
        for (_, object) in planned.objects().iter() {
            if let Some(schema) = openapi.schema(&object.id.group, &object.version, &object.id.kind) {
                built_in(object, shapes, schema, &mut patterns, found);
            }
        }
    }
}

/// Holds a custom resource to a schema of its definition.
fn custom<'s>(
    object: &Object<'s>,
    definition: &Object<'s>,
    schema: &Node<'s>,
    patterns: &mut Patterns,
    found: &mut Findings,
) {
    let named = BTreeMap::new();
    let shapes = Shapes { dialect: Dialect::Definition, named: &named };
    if prunes(definition) {
        let unknown = unknown::unknown(shapes, schema, &object.tree);
        unknown.iter().for_each(|unknown| found.push(unknown_field(object, unknown, "its definition")));
    }
    let Some(completed) = complete::complete(schema, &object.tree) else { return found.push(given_up(object)) };
    let mut judge = Judge::new(shapes, patterns);
    judge.object(schema, &completed);
    let has_given_up = judge.gave_up();
    for problem in judge.problems {
        let because = place_in(definition, problem.because).map(|label| label.text("what its definition demands"));
        found.push(refused(object, &problem, because, Severity::Error));
    }
    if has_given_up {
        found.push(given_up(object));
    }
}

/// Holds an object of a kind that Kubernetes has built in to its published schema.
fn built_in<'n, 'd>(
    object: &Object<'_>,
    shapes: Shapes<'n, 'd>,
    schema: &'n Node<'d>,
    patterns: &mut Patterns,
    found: &mut Findings,
) {
    let unknown = unknown::unknown(shapes, schema, &object.tree);
    unknown.iter().for_each(|unknown| found.push(unknown_field(object, unknown, "its schema")));
    let mut judge = Judge::new(shapes, patterns);
    judge.object(schema, &object.tree);
    let has_given_up = judge.gave_up();
    for problem in judge.problems {
        let severity = if problem.is_missing { Severity::Warning } else { Severity::Error };
        found.push(refused(object, &problem, None, severity));
    }
    if has_given_up {
        found.push(given_up(object));
    }
}

fn refused(object: &Object<'_>, problem: &Problem, because: Option<Label>, severity: Severity) -> Finding {
    let path = &problem.path;
    let message = format!("{path} of {} {}", object.id, problem.what);
    let finding = Finding::new(&REFUSED, message)
        .with_severity(severity)
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(path)).path(path.clone()))
        .with_remedy(problem.remedy.clone());
    match because {
        Some(label) => finding.with_label(label),
        None => finding,
    }
}

fn unknown_field(object: &Object<'_>, unknown: &Unknown, who: &str) -> Finding {
    let path = &unknown.path;
    let place = match unknown.key.len {
        0 => object.place_of(path),
        _ => object.place_at(unknown.key, path),
    };
    let message = format!("{path} of {} is no field that {who} knows", object.id);
    let (severity, remedy) = match &unknown.near {
        Some(near) => (Severity::Error, format!("did you mean `{near}`?")),
        None => (Severity::Warning, "remove it, or move it to where it belongs".to_owned()),
    };
    Finding::new(&UNKNOWN_FIELD, message)
        .with_severity(severity)
        .with_object(&object.id)
        .with_label(Label::new(place).path(path.clone()))
        .with_remedy(remedy)
}

fn given_up(object: &Object<'_>) -> Finding {
    let message = format!("{} is too large to be held to its whole schema", object.id);
    Finding::new(&GIVEN_UP, message).with_object(&object.id).with_label(Label::new(object.place()))
}

/// A place in a definition, if the part was written there.
fn place_in(definition: &Object<'_>, span: Span) -> Option<Label> {
    (span.len > 0).then(|| Label::new(definition.origin.document.place(span)))
}

/// The group and kind that a definition defines.
fn defines<'o>(definition: &'o Object<'_>) -> Option<(&'o str, &'o str)> {
    let text = |path: &[&str]| definition.tree.at(path).and_then(Node::as_str);
    Some((text(&["spec", "group"])?, text(&["spec", "names", "kind"])?))
}

/// The schema of a version: its own, or that of all versions (apiextensions.k8s.io/v1beta1).
fn schema<'o, 's>(definition: &'o Object<'s>, version: &str) -> Option<&'o Node<'s>> {
    let list = definition.tree.at(&["spec", "versions"]).and_then(Node::items).unwrap_or_default();
    let own = list.iter().find(|item| item.get("name").and_then(Node::as_str) == Some(version));
    let own = own.and_then(|item| item.at(&["schema", "openAPIV3Schema"]));
    let schema = own.or_else(|| definition.tree.at(&["spec", "validation", "openAPIV3Schema"]));
    // v1 takes no other, and what is not structural says nothing of fields
    let is_structural = |schema: &&Node<'_>| schema.get("type").and_then(Node::as_str) == Some("object");
    schema.filter(|schema| schema.mapping().is_some() && (is_structural(schema) || &*definition.version == "v1beta1"))
}

/// Whether fields that the schema does not know are dropped: always in v1, and in v1beta1 where it says so.
fn prunes(definition: &Object<'_>) -> bool {
    match definition.tree.at(&["spec", "preserveUnknownFields"]).and_then(Node::as_bool) {
        Some(keeps) => !keeps,
        None => &*definition.version != "v1beta1",
    }
}

#[cfg(test)]
mod tests;
