//! What registrations can act on: the objects of the input by group and resource.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::rule::Rule;
use crate::config::Settings;
use crate::object::scope::{self, Scope};
use crate::object::{ObjRef, Object, ObjectSet, plural};
use crate::refs::workloads::Workloads;
use crate::tree::Node;

/// The objects of one resource.
pub(super) struct Resource<'o> {
    /// The API group, empty for the core group.
    pub group: &'o str,
    /// The plural by which the API serves it.
    pub name: String,
    /// Whether its objects live in namespaces, where that is known.
    pub scope: Option<Scope>,
    /// The objects: for pods, whatever starts some.
    pub members: Vec<Member<'o>>,
}

/// One object that a registration can act on, or whose pods it can act on.
#[derive(Clone, Copy)]
pub(super) struct Member<'o> {
    /// The object.
    pub at: ObjRef,
    /// The same.
    pub object: &'o Object<'o>,
    /// The version in which the API server sees it.
    pub version: &'o str,
    /// Its metadata, or that of its pods.
    pub metadata: Option<&'o Node<'o>>,
}

impl<'o> Member<'o> {
    /// Its labels, or those of its pods.
    pub(super) fn labels(&self) -> Option<&'o Node<'o>> {
        self.metadata?.get("labels")
    }

    /// An annotation of it, or of its pods.
    pub(super) fn annotation(&self, name: &str) -> Option<&'o str> {
        self.metadata?.get("annotations")?.get(name)?.as_str()
    }
}

impl Resource<'_> {
    /// Whether these are pods.
    pub(super) fn is_pods(&self) -> bool {
        self.group.is_empty() && self.name == "pods"
    }
}

/// All resources of an input.
pub(super) struct Resources<'o> {
    all: Vec<Resource<'o>>,
    /// Numbers of resources by name, of those with the same name by group.
    by_name: HashMap<String, Vec<usize>>,
}

impl<'o> Resources<'o> {
    /// Gathers the objects of a set. A kind is served by the plural that its definition in the input
    /// says, else by the regular one.
    pub(super) fn new(objects: &'o ObjectSet<'_>, workloads: &Workloads<'o>, settings: &Settings) -> Self {
        let defined = defined(objects);
        let mut all: Vec<Resource<'o>> = Vec::new();
        let mut last = None;
        for (at, object) in objects.iter().filter(|(_, object)| !object.is("", "Pod")) {
            let kind = (&*object.id.group, &*object.id.kind);
            // the set is ordered by group and kind
            if last.replace(kind) != Some(kind) {
                let (plural, scope) = match defined.get(&kind) {
                    Some((plural, scope)) => ((*plural).to_owned(), *scope),
                    None => (plural::regular(kind.1), known_scope(kind, settings)),
                };
                all.push(Resource { group: kind.0, name: plural, scope, members: Vec::new() });
            }
            let member = Member { at, object, version: &object.version, metadata: object.tree.get("metadata") };
            if let Some(resource) = all.last_mut() {
                resource.members.push(member);
            }
        }
        all.push(pods(workloads));
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (nth, resource) in all.iter().enumerate() {
            by_name.entry(resource.name.clone()).or_default().push(nth);
        }
        Resources { all, by_name }
    }

    /// The objects of a group and kind.
    pub(super) fn of_group(&self, group: &str) -> impl Iterator<Item = &Resource<'o>> {
        self.all.iter().filter(move |resource| resource.group == group)
    }

    /// The resources that some of these rules match, each with the rules that do.
    pub(super) fn taken<'r>(&self, rules: impl Iterator<Item = &'r Rule<'o>>) -> Vec<(&Resource<'o>, Vec<&'r Rule<'o>>)>
    where
        'o: 'r,
    {
        let mut taken: BTreeMap<usize, Vec<&Rule<'o>>> = BTreeMap::new();
        for rule in rules {
            let named: BTreeSet<usize> = if rule.is_open() {
                (0..self.all.len()).collect()
            } else {
                rule.named().filter_map(|(_, name)| self.by_name.get(name)).flatten().copied().collect()
            };
            for nth in named.into_iter().filter(|nth| rule.takes(&self.all[*nth])) {
                taken.entry(nth).or_default().push(rule);
            }
        }
        taken.into_iter().map(|(nth, rules)| (&self.all[nth], rules)).collect()
    }
}

/// Whatever starts pods, as the pods it starts. A PodTemplate starts none.
fn pods<'o>(workloads: &Workloads<'o>) -> Resource<'o> {
    let starts = workloads.iter().filter(|workload| workload.starts_pods());
    let members = starts.map(|workload| Member {
        at: workload.at,
        object: workload.object,
        version: "v1",
        metadata: workload.template.get("metadata"),
    });
    Resource { group: "", name: "pods".to_owned(), scope: Some(Scope::Namespaced), members: members.collect() }
}

fn known_scope((group, kind): (&str, &str), settings: &Settings) -> Option<Scope> {
    let row = settings.kinds.iter().find(|row| &*row.kind.group == group && &*row.kind.kind == kind);
    row.map(|row| row.scope).or_else(|| scope::builtin(group, kind))
}

/// Plural and scope by group and kind, as definitions in the input say.
fn defined<'o>(objects: &'o ObjectSet<'_>) -> HashMap<(&'o str, &'o str), (&'o str, Option<Scope>)> {
    let definitions = objects.of_kind("apiextensions.k8s.io", "CustomResourceDefinition");
    let defined = definitions.filter_map(|(_, definition)| {
        let text = |path: &[&str]| definition.tree.at(path).and_then(Node::as_str);
        let scope = match text(&["spec", "scope"]) {
            Some("Cluster") => Scope::Cluster,
            _ => Scope::Namespaced,
        };
        let plural = text(&["spec", "names", "plural"])?;
        Some(((text(&["spec", "group"])?, text(&["spec", "names", "kind"])?), (plural, Some(scope))))
    });
    defined.collect()
}

#[cfg(all(test, feature = "kube"))]
mod tests {
    use kube_core::{ApiResource, GroupVersionKind};

    use super::*;

    /// Clients that do not ask a cluster guess the same plurals.
    #[test]
    fn plurals_are_those_that_clients_guess() {
        for kind in [
            "Certificate",
            "Deployment",
            "Endpoints",
            "Gateway",
            "GatewayClass",
            "HTTPRoute",
            "Ingress",
            "Kafka",
            "Mailbox",
            "NetworkPolicy",
            "Pod",
            "PriorityClass",
            "Prometheus",
            "ServiceEntry",
            "TrafficSplit",
            "VMAlert",
        ] {
            let guessed = ApiResource::from_gvk(&GroupVersionKind::gvk("example.com", "v1", kind)).plural;
            assert_eq!(plural::regular(kind), guessed, "{kind}");
        }
    }
}
