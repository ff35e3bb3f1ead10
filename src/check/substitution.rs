//! Text that Flux replaces after its checksum was taken.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{EngineName, Settings};
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::{Planned, Stamp};
use crate::object::{ObjRef, Object};
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&SUBSTITUTED];

static SUBSTITUTED: Rule = Rule {
    id: "TG555",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "Flux may replace text of configuration after its checksum was taken",
    explanation: "\
A Kustomization of Flux with `postBuild.substitute` or `substituteFrom` replaces `${NAME}` in everything it
applies, after tidegate has written checksums and names of content. They change with the text that is in the
repository, and not with the value of a variable: a new value reaches the ConfigMap and restarts nothing.
And what was meant for a shell or for nginx is replaced too, by nothing if there is no such variable.

Where the variable is Flux's, name it in an annotation of the pod template, which is replaced as well:

    spec:
      template:
        metadata:
          annotations: {example.com/region: \"${REGION}\"}

Where it is not, keep Flux away from the object: `kustomize.toolkit.fluxcd.io/substitute: disabled`, or write
`$${NAME}`. Without `postBuild` nothing is replaced.
Source: kustomize-controller, docs/spec/v1/kustomizations.md (post build variable substitution).",
};

/// The label or annotation that keeps Flux away.
const SUBSTITUTE: &str = "kustomize.toolkit.fluxcd.io/substitute";

/// How many variables a message names.
const NAMED: usize = 3;

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    if settings.engine != EngineName::Flux {
        return;
    }
    let mut read: BTreeMap<ObjRef, ObjRef> = BTreeMap::new();
    for workload in planned.inputs.iter().filter(|workload| matches!(workload.stamp, Stamp::Value(_))) {
        for input in workload.inputs.iter().filter(|input| input.takes_part()) {
            if let Some(source) = input.standing.object() {
                read.entry(source).or_insert(workload.workload);
            }
        }
    }
    for source in planned.linked.versioned.keys() {
        read.entry(*source).or_insert(*source);
    }
    for (source, reader) in read {
        let object = planned.objects().get(source);
        let finding = finding(planned, object, planned.objects().get(reader));
        finding.into_iter().filter(|_| !is_kept_away(object)).for_each(|finding| found.push(finding));
    }
}

fn is_kept_away(object: &Object<'_>) -> bool {
    let says = |field| object.tree.at(&["metadata", field])?.get(SUBSTITUTE)?.as_str();
    ["annotations", "labels"].into_iter().any(|field| says(field) == Some("disabled"))
}

fn finding(planned: &Planned<'_>, object: &Object<'_>, reader: &Object<'_>) -> Option<Finding> {
    // base64 holds no `$`
    let is_secret = object.is("", "Secret");
    let fields: &[&str] = match (is_secret, object.is("", "ConfigMap")) {
        (true, _) => &["stringData"],
        (_, true) => &["data"],
        _ => return None,
    };
    let mut names = BTreeSet::new();
    let mut first = None;
    for field in fields {
        let entries = object.tree.get(field).and_then(Node::mapping).map(|m| m.entries()).unwrap_or_default();
        for (key, value) in entries {
            let before = names.len();
            names.extend(value.as_str().into_iter().flat_map(variables));
            if names.len() > before && first.is_none() {
                first = Some(FieldPath::keys([*field]).key(&key.name));
            }
        }
    }
    let path = first?;
    let shown = match is_secret {
        // names in a Secret are part of its value
        true => "variables".to_owned(),
        false => {
            let shown: Vec<_> = names.iter().take(NAMED).map(|name| format!("`${{{name}}}`")).collect();
            let more = if names.len() > NAMED { " and more" } else { "" };
            format!("{}{more}", shown.join(", "))
        }
    };
    let what = match planned.linked.versioned.is_empty() || reader.id != object.id {
        true => format!("the checksum on {}", reader.id),
        false => "its name".to_owned(),
    };
    let message = format!("{} holds {shown}: if Flux replaces it, {what} does not change with the value", object.id);
    let remedy = "name the variable in an annotation of the pod template too, or keep Flux away: \
                  `kustomize.toolkit.fluxcd.io/substitute: disabled`";
    Some(
        Finding::new(&SUBSTITUTED, message)
            .with_object(&object.id)
            .with_label(Label::new(object.place_of(&path)).path(path))
            .with_remedy(remedy),
    )
}

/// The names of a text that Flux would replace: `${NAME}`, with what may stand behind the name.
fn variables(text: &str) -> impl Iterator<Item = String> {
    let starts = text.match_indices("${").filter(|(at, _)| !text[..*at].ends_with('$'));
    starts.filter_map(|(at, mark)| {
        let rest = &text[at + mark.len()..];
        let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let ends = rest[name.len()..].starts_with(['}', ':', '=', '-', '#', '%', '/', ',', '^']);
        (is_name && ends).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_flux_replaces() {
        for (text, wanted) in [
            ("a ${REGION} b ${zone:=eu}", &["REGION", "zone"][..]),
            ("$${HOME} $HOME ${1} ${} ${a b}", &[]),
            ("${_x}", &["_x"]),
        ] {
            assert_eq!(variables(text).collect::<Vec<_>>(), wanted, "{text}");
        }
    }
}
