//! A plan as waves of manifests, and what must be ready behind each.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json as object};

use super::backends::{self, ServiceName};
use super::hidden::{self, Hidden};
use crate::config::Settings;
use crate::emit;
use crate::flow::{Edge, Planned, Reason, Slot, Stage};
use crate::object::{Name, ObjRef, ObjectId};
use crate::report::plan as report;
use crate::source::SourceMap;
use crate::tree::{Node, Value as TreeValue};
use crate::{json, yaml};

/// The annotation by which an object says in which inventory it is.
pub(super) const INVENTORY: &str = "tidegate.dev/inventory";

/// Annotations that ask somebody to fill in the `caBundle` of a webhook configuration.
/// Sources: cert-manager, `pkg/apis/certmanager/v1/types.go`; OpenShift, service-ca-operator.
const INJECTORS: &[&str] = &[
    "cert-manager.io/inject-apiserver-ca",
    "cert-manager.io/inject-ca-from",
    "cert-manager.io/inject-ca-from-secret",
    "service.beta.openshift.io/inject-cabundle",
];

/// Everything that is applied, in order.
#[derive(Debug, Default)]
pub struct Install {
    /// The waves.
    pub waves: Vec<Wave>,
    /// Kinds that become known during the run: those of definitions in the input, and those that objects of the
    /// input define.
    pub kinds: BTreeSet<String>,
    /// Services of the input, by namespace and name.
    pub services: BTreeSet<ServiceName>,
    /// What must not be shown.
    pub hidden: Hidden,
}

/// Objects that are applied together, and what must be ready before the next ones.
#[derive(Debug)]
pub struct Wave {
    /// The stage.
    pub stage: Stage,
    /// The wave's number.
    pub number: i64,
    /// Its objects, in the order of the stream.
    pub items: Vec<Item>,
    /// What later waves wait for.
    pub gates: Vec<Gate>,
}

/// One object to apply.
#[derive(Debug)]
pub struct Item {
    /// Who it is.
    pub id: ObjectId,
    /// Its `apiVersion`.
    pub api_version: String,
    /// Its manifest, as YAML.
    pub yaml: String,
    /// How kubectl is to take it.
    pub form: Form,
    /// Whether somebody is asked to fill in its `caBundle`.
    pub is_injected: bool,
    /// Services, by namespace and name, that its webhooks call and that are in the input.
    pub services: Vec<ServiceName>,
    /// Objects of the input without which the API server knows neither its kind nor its namespace.
    pub inside: Vec<ObjectId>,
}

/// How kubectl takes an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it stands.
    Whole,
    /// It names no namespace and may need one: the default one.
    Unplaced,
    /// The API server makes its name: it can be created, not applied.
    Generated,
}

/// An object that later waves wait for.
#[derive(Debug)]
pub struct Gate {
    /// Which of the wave's items.
    pub item: usize,
    /// The first object that waits for it.
    pub needed_by: ObjectId,
    /// How many more do.
    pub others: usize,
    /// Why, as a clause about the gate.
    pub why: String,
    /// Where that was read.
    pub place: String,
}

impl Wave {
    /// `config -20`.
    pub fn name(&self) -> String {
        format!("{} {}", self.stage, self.number)
    }
}

impl Item {
    /// What kubectl needs to find it: apiVersion, kind, name, and the namespace where one is known.
    pub(super) fn stub(&self) -> Value {
        let mut stub = object!({
            "apiVersion": self.api_version,
            "kind": &*self.id.kind,
            "metadata": { "name": self.id.name.text() },
        });
        if let Some(namespace) = &self.id.namespace {
            stub["metadata"]["namespace"] = object!(&**namespace);
        }
        stub
    }
}

/// Turns a plan, made for kubectl, into what is applied. With an inventory each object says that it is in it.
pub fn install(
    planned: &mut Planned<'_>,
    settings: &Settings,
    sources: &SourceMap,
    inventory: Option<&str>,
) -> Install {
    let mut install = Install::default();
    let waves: Vec<(Stage, i64, Vec<Slot>, Vec<Edge>)> = report::waves(planned)
        .into_iter()
        .map(|wave| (wave.stage, wave.wave, wave.slots.to_vec(), wave.gates.into_iter().copied().collect()))
        .collect();
    let trees = emit::finished(planned, settings);
    let mut secrets = Vec::new();
    let mut trees = trees.into_iter().map(|(_, tree)| tree);
    for (stage, number, slots, edges) in waves {
        let items: Vec<Item> = slots
            .iter()
            .zip(trees.by_ref())
            .map(|(slot, mut tree)| {
                secrets.extend(hidden::of(planned.objects().get(slot.object), &tree));
                install.learn(planned, slot.object, &tree);
                if let Some(inventory) = inventory {
                    annotate(&mut tree, inventory);
                }
                item(planned, slot.object, &tree)
            })
            .collect();
        let gates = gates(planned, &slots, &edges, sources);
        install.waves.push(Wave { stage, number, items, gates });
    }
    install.hidden = Hidden::new(secrets);
    install
}

impl Install {
    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.waves.iter().map(|wave| wave.items.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.waves.is_empty()
    }

    fn learn(&mut self, planned: &Planned<'_>, object: ObjRef, tree: &Node<'_>) {
        let object_ = planned.objects().get(object);
        if object_.is("apiextensions.k8s.io", "CustomResourceDefinition") {
            self.kinds.extend(tree.at(&["spec", "names", "kind"]).and_then(Node::as_str).map(str::to_owned));
        }
        if object_.is("", "Service") {
            let namespace = object_.id.namespace.as_deref().map(str::to_owned);
            self.services.insert((namespace, object_.id.name.text().to_owned()));
        }
        if let Some(Some(_)) = planned.linked.undefined.get(&object) {
            self.kinds.insert(object_.id.kind.to_string());
        }
    }
}

/// One object, whose tree was taken out of the plan.
fn item(planned: &Planned<'_>, at: ObjRef, tree: &Node<'_>) -> Item {
    let object = planned.objects().get(at);
    let mut text = String::new();
    yaml::emit(tree, &mut text);
    let is_unplaced = planned.linked.undefined.contains_key(&at) && object.id.namespace.is_none();
    let form = match object.id.name {
        Name::Generated { .. } => Form::Generated,
        Name::Fixed(_) if is_unplaced => Form::Unplaced,
        Name::Fixed(_) => Form::Whole,
    };
    let annotations = tree.at(&["metadata", "annotations"]);
    let holders = planned.linked.graph.needs(at).iter();
    let holders = holders.filter(|edge| matches!(edge.reason, Reason::Namespace | Reason::Definition));
    let mut inside: Vec<_> = holders.map(|edge| planned.objects().get(edge.from).id.clone()).collect();
    inside.dedup();
    Item {
        id: object.id.clone(),
        api_version: object.api_version(),
        yaml: text,
        form,
        services: backends::named(&json::to_value(tree)),
        is_injected: annotations.is_some_and(|all| INJECTORS.iter().any(|name| all.get(name).is_some())),
        inside,
    }
}

fn annotate(tree: &mut Node<'_>, inventory: &str) {
    let metadata = tree.mapping_mut().and_then(|root| root.mapping_at("metadata"));
    let annotations = metadata.and_then(|metadata| metadata.mapping_at("annotations"));
    if let Some(annotations) = annotations {
        annotations.set(INVENTORY, Node::made(TreeValue::String(inventory.to_owned().into())));
    }
}

/// What later waves wait for, each object once, in the order of the stream.
fn gates(planned: &Planned<'_>, slots: &[Slot], edges: &[Edge], sources: &SourceMap) -> Vec<Gate> {
    let item_of: BTreeMap<ObjRef, usize> = slots.iter().enumerate().map(|(nth, slot)| (slot.object, nth)).collect();
    let mut gates: BTreeMap<usize, Gate> = BTreeMap::new();
    for edge in edges {
        let Some(&item) = item_of.get(&edge.from) else { continue };
        let known = gates.entry(item).and_modify(|gate| gate.others += 1);
        known.or_insert_with(|| Gate {
            item,
            needed_by: planned.objects().get(edge.to).id.clone(),
            others: 0,
            why: edge.reason.to_string(),
            place: report::show(edge.place, sources),
        });
    }
    gates.into_values().collect()
}
