//! A configuration to begin with, fitting an input: what is seen there is set, the rest stands as comments.

use std::collections::BTreeSet;

use crate::config::{API_VERSION, EngineName, KIND, Word};
use crate::flow::{Planned, Resolution};
use crate::tree::{Key, Mapping, Node, Value};
use crate::yaml;

/// Rows of a list that are written at most; an input that needs more trusts what is outside of it.
const MOST: usize = 20;

/// The text of a `tidegate.yaml` for an input. It is valid as it stands, and says what the defaults say where the input
/// says nothing else; names out of the input are written so that YAML reads them back.
pub fn starter(planned: &Planned<'_>) -> String {
    let engine = engine(planned);
    let mut text = format!(
        "# The configuration of tidegate for this folder. Every field is optional; comments show what else there is.\n\
         # A field that does not exist is an error, so a slip of the pen is never silent.\n\
         apiVersion: {API_VERSION}\nkind: {KIND}\nspec:\n  \
         # who applies the output: argocd (sync waves), kubectl (order alone), flux (stage folders)\n  \
         engine:\n    name: {}\n",
        engine.word()
    );
    namespace(planned, &mut text);
    text.push_str(
        "  # how many waves: staged is a band for each stage, minimal as few as the order allows\n  \
         # waves:\n  #   mode: staged\n  \
         # what must come first though no object says so: FROM is ready before TO starts\n  \
         # edges:\n  #   dependsOn:\n  #   - {from: Job/shop/migrate, to: Deployment/shop/shop}\n",
    );
    external(planned, &mut text);
    kinds(planned, &mut text);
    text.push_str(
        "  # which workloads get a checksum of what they read: all, labelled, off\n  \
         # checksums:\n  #   mode: all\n  \
         # from which findings on nothing is rendered: error, warning, never\n  \
         # findings:\n  #   failOn: error\n  \
         #   ignore:\n  #   - {rule: TG301, object: Deployment shop/shop, reason: why it is meant so}\n",
    );
    text
}

/// Who seems to apply the input: whose annotations and objects it holds.
fn engine(planned: &Planned<'_>) -> EngineName {
    let holds = |group: &str| planned.objects().iter().any(|(_, object)| &*object.id.group == group);
    match holds("kustomize.toolkit.fluxcd.io") && !holds("argoproj.io") {
        true => EngineName::Flux,
        false => EngineName::Argocd,
    }
}

/// The namespace of objects that name none, if there are such objects and one namespace for them.
fn namespace(planned: &Planned<'_>, text: &mut String) {
    let named: BTreeSet<&str> =
        planned.objects().iter().filter_map(|(_, object)| object.id.namespace.as_deref()).collect();
    text.push_str("  # the namespace of objects that name none; looked up, and written only with writeNamespace\n");
    match named.iter().next() {
        Some(name) if named.len() == 1 => commented(&Node::text((*name).to_owned()), "namespace: ", text),
        _ => text.push_str("  # namespace: shop\n"),
    }
}

/// What the input names and does not hold.
fn external(planned: &Planned<'_>, text: &mut String) {
    let missing = planned.linked.references.iter().filter(|reference| {
        matches!(reference.leads_to, Resolution::Missing) && !reference.optional && !reference.target.name.is_empty()
    });
    let read =
        missing.filter(|reference| matches!(&*reference.target.kind, "ConfigMap" | "Secret" | "PersistentVolumeClaim"));
    let rows: BTreeSet<Vec<(&str, &str)>> = read
        .map(|reference| {
            let target = &reference.target;
            let namespace = target.namespace.as_deref().map(|namespace| ("namespace", namespace));
            let row = [
                Some(("group", &*target.group)),
                Some(("kind", &*target.kind)),
                namespace,
                Some(("name", &*target.name)),
            ];
            row.into_iter().flatten().collect()
        })
        .collect();
    text.push_str("  # what others bring; `default: trust` takes all that is missing for that\n");
    match rows.is_empty() {
        true => text.push_str(
            "  # external:\n  #   objects:\n  #   - {group: \"\", kind: Secret, namespace: shop, name: \"vault-*\"}\n",
        ),
        false => {
            text.push_str("  # external:\n  #   objects:  # the input names these, and does not hold them\n");
            rows.iter().take(MOST).for_each(|row| commented(&mapping(row), "  - ", text));
        }
    }
}

/// Kinds whose definition is not in the input, of objects without a namespace: nobody knows whether they need one.
fn kinds(planned: &Planned<'_>, text: &mut String) {
    let open = planned.linked.undefined.keys().map(|at| &planned.objects().get(*at).id);
    let open: BTreeSet<(&str, &str)> =
        open.filter(|id| id.namespace.is_none()).map(|id| (&*id.group, &*id.kind)).collect();
    text.push_str("  # whether kinds whose definition is not in the input live in namespaces: Namespaced, Cluster\n");
    match open.is_empty() {
        true => text.push_str("  # kinds:\n  # - {group: acme.example.org, kind: Tenant, scope: Cluster}\n"),
        false => {
            text.push_str("  # kinds:\n");
            for (group, kind) in open.into_iter().take(MOST) {
                commented(&mapping(&[("group", group), ("kind", kind), ("scope", "Cluster")]), "- ", text);
            }
        }
    }
}

fn mapping(row: &[(&str, &str)]) -> Node<'static> {
    let entry = |(key, value): &(&str, &str)| (Key::made((*key).to_owned()), Node::text((*value).to_owned()));
    Node::made(Value::Mapping(Mapping::new(row.iter().map(entry).collect())))
}

/// Writes a value as comments behind the text that leads to it: a list item keeps its lines together.
fn commented(node: &Node<'_>, lead: &str, text: &mut String) {
    let mut out = String::new();
    yaml::emit(node, &mut out);
    for (nth, line) in out.lines().enumerate() {
        let lead = if nth == 0 { lead.to_owned() } else { " ".repeat(lead.len()) };
        text.push_str(&format!("  # {lead}{line}\n"));
    }
}
