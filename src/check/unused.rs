//! ConfigMaps and Secrets that nothing in the input seems to use.

use std::collections::BTreeSet;

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::{Linked, Planned, Resolution};
use crate::object::view::{pod_template, source};
use crate::object::{ObjRef, Object, ObjectSet, scope};
use crate::tree::{FieldPath, Node, Value};

pub(super) static RULES: &[&Rule] = &[&UNUSED];

static UNUSED: Rule = Rule {
    id: "TG322",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "nothing in the input uses a ConfigMap or Secret",
    explanation: "\
No object of the input refers to it, its name stands in no other text of the input, nobody in its
namespace may read such objects through the API, and it carries no label or annotation by which a
controller would find it. It is left over, or its name was meant to be another one.

Delete it, or correct the name where it is meant to be used. Nothing is said in a namespace without
workloads: those that read it are elsewhere.",
};

const RBAC: &str = "rbac.authorization.k8s.io";

/// Labels and annotations that packaging puts on everything: they are no sign of a reader.
const PACKAGING: &[&str] = &[
    "app",
    "chart",
    "component",
    "heritage",
    "release",
    "app.kubernetes.io/",
    "argocd.argoproj.io/sync-",
    "argocd.argoproj.io/tracking-id",
    "helm.sh/",
    "kubectl.kubernetes.io/",
    "meta.helm.sh/",
    "tidegate.dev/",
    "config.kubernetes.io/",
    "internal.config.kubernetes.io/",
];

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    let linked = &planned.linked;
    let objects = planned.objects();
    if settings.partial || !linked.loaded.unread.is_empty() {
        return;
    }
    let led_to: BTreeSet<ObjRef> = linked
        .references
        .iter()
        .filter_map(|reference| match reference.leads_to {
            Resolution::Object(at) => Some(at),
            _ => None,
        })
        .collect();
    let with_pods = namespaces(objects, |object| pod_template::of(object).is_some());
    let is_idle = |at: &ObjRef, object: &Object<'_>| {
        let is_source = source::is_source(object) && object.id.is_fixed() && is_plain(object);
        let is_known = led_to.contains(at) || linked.filled.contains_key(at);
        is_source && !is_known && with_pods.contains(&object.id.namespace.as_deref())
    };
    let idle: Vec<_> = objects.iter().filter(|(at, object)| is_idle(at, object)).map(|(_, object)| object).collect();
    if idle.is_empty() {
        return;
    }
    let names: BTreeSet<&str> = idle.iter().map(|object| object.id.name.text()).collect();
    let said = mentioned(objects, &names);
    let readers = Readers::new(linked);
    for object in idle {
        if !said.contains(object.id.name.text()) && !readers.may_read(object) {
            found.push(finding(object));
        }
    }
}

fn namespaces<'o>(objects: &'o ObjectSet<'_>, has: impl Fn(&Object<'_>) -> bool) -> BTreeSet<Option<&'o str>> {
    objects.iter().filter(|(_, object)| has(object)).map(|(_, object)| object.id.namespace.as_deref()).collect()
}

/// Whether nothing about an object says that a controller looks for it: its type, a label, an
/// annotation.
fn is_plain(object: &Object<'_>) -> bool {
    let kind = object.tree.get("type").and_then(Node::as_str).unwrap_or("Opaque");
    let maps =
        ["labels", "annotations"].into_iter().filter_map(|field| object.tree.at(&["metadata", field])?.mapping());
    let mut keys = maps.flat_map(|mapping| mapping.entries()).map(|(key, _)| &*key.name);
    let is_packaging = |key: &str| {
        PACKAGING.iter().any(|known| if known.ends_with(['/', '-']) { key.starts_with(known) } else { key == *known })
    };
    kind == "Opaque" && keys.all(is_packaging)
}

/// Which of some names stand in a text of an object other than as its own name.
fn mentioned<'n>(objects: &ObjectSet<'_>, names: &BTreeSet<&'n str>) -> BTreeSet<&'n str> {
    let mut said = BTreeSet::new();
    for (_, object) in objects.iter() {
        let own = object.id.name.text();
        let skips = source::is_source(object) && names.contains(own);
        visit(&object.tree, &mut |text| {
            for word in words(text) {
                if let Some(name) = names.get(word).filter(|name| !skips || **name != own) {
                    said.insert(*name);
                }
            }
        });
    }
    said
}

fn visit(node: &Node<'_>, look: &mut impl FnMut(&str)) {
    match &node.value {
        Value::Sequence(items) => items.iter().for_each(|item| visit(item, look)),
        Value::Mapping(mapping) => mapping.entries().iter().for_each(|(key, value)| {
            look(&key.name);
            visit(value, look);
        }),
        _ => node.as_str().into_iter().for_each(look),
    }
}

/// The words of a text, in the characters that names are made of.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '.'));
    parts.map(|word| word.trim_matches(['-', '.'])).filter(|word| !word.is_empty())
}

/// Who may read sources without naming them.
struct Readers<'o> {
    /// Kinds and names that some object refers to, though it be elsewhere.
    named: BTreeSet<(&'o str, &'o str)>,
    /// Rules of roles, and the namespace of each; none is everywhere.
    rules: Vec<(Option<&'o str>, &'o Node<'o>)>,
    /// Namespaces with custom resources: an operator may read what is beside them.
    custom: BTreeSet<Option<&'o str>>,
}

impl<'o> Readers<'o> {
    fn new(linked: &'o Linked<'_>) -> Self {
        let objects = &linked.loaded.objects;
        let named = linked.references.iter().map(|reference| (&*reference.target.kind, &*reference.target.name));
        let roles = ["Role", "ClusterRole"].into_iter().flat_map(|kind| objects.of_kind(RBAC, kind));
        let rules = roles.flat_map(|(_, role)| {
            let rules = role.tree.get("rules").and_then(Node::items).unwrap_or_default();
            rules.iter().map(|rule| (role.id.namespace.as_deref(), rule))
        });
        let is_custom = |object: &Object<'_>| !scope::is_kubernetes(&object.id.group, &object.id.kind);
        Readers { named: named.collect(), rules: rules.collect(), custom: namespaces(objects, is_custom) }
    }

    /// Whether somebody may read an object: by a reference that leads elsewhere, by a role, as an operator.
    fn may_read(&self, object: &Object<'_>) -> bool {
        let namespace = object.id.namespace.as_deref();
        let (kind, name) = (&*object.id.kind, object.id.name.text());
        let plural = if kind == "Secret" { "secrets" } else { "configmaps" };
        let has = |rule: &Node<'_>, field: &str, wanted: &[&str]| {
            let items = rule.get(field).and_then(Node::items).unwrap_or_default();
            items.iter().filter_map(Node::as_str).any(|text| text == "*" || wanted.contains(&text))
        };
        let reads = |rule: &Node<'_>| {
            let names = rule.get("resourceNames").and_then(Node::items).unwrap_or_default();
            let is_named = names.is_empty() || names.iter().any(|other| other.as_str() == Some(name));
            is_named && has(rule, "resources", &[plural]) && has(rule, "verbs", &["get", "list", "watch"])
        };
        self.custom.contains(&namespace)
            || self.named.contains(&(kind, name))
            || self.rules.iter().any(|(of, rule)| (of.is_none() || *of == namespace) && reads(rule))
    }
}

fn finding(object: &Object<'_>) -> Finding {
    let path = FieldPath::keys(["metadata", "name"]);
    Finding::new(&UNUSED, format!("nothing in the input uses {}", object.id))
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(&path)).path(path))
        .with_remedy("delete it, or correct the name where it is meant to be used")
}
