//! Pods and who selects them: an index over everything that holds a pod template.

use std::collections::HashMap;

use crate::object::view::pod_template::{self, PodTemplate};
use crate::object::{ObjRef, Object, ObjectSet};
use crate::tree::Node;

/// Something that starts pods.
#[derive(Clone, Copy)]
pub(crate) struct Workload<'o> {
    /// The object that holds the template.
    pub at: ObjRef,
    /// The same.
    pub object: &'o Object<'o>,
    /// How its kind holds the template.
    pub row: &'static PodTemplate,
    /// The pod template: `metadata` and `spec`.
    pub template: &'o Node<'o>,
}

impl<'o> Workload<'o> {
    /// A label of its pods.
    pub(crate) fn label(&self, name: &str) -> Option<&'o str> {
        self.labels()?.get(name)?.as_str()
    }

    /// The labels of its pods.
    pub(crate) fn labels(&self) -> Option<&'o Node<'o>> {
        self.template.at(&["metadata", "labels"])
    }

    /// Whether anything starts pods from it by itself: nothing does from a bare PodTemplate.
    pub(crate) fn starts_pods(&self) -> bool {
        self.row.kind != "PodTemplate"
    }

    /// The pod spec.
    pub(crate) fn spec(&self) -> Option<&'o Node<'o>> {
        self.template.get("spec")
    }

    /// The ServiceAccount that its pods run as.
    pub(crate) fn service_account(&self) -> &'o str {
        let text =
            |field| self.spec().and_then(|spec| spec.get(field)).and_then(Node::as_str).filter(|t| !t.is_empty());
        text("serviceAccountName").or_else(|| text("serviceAccount")).unwrap_or("default")
    }
}

/// Everything that starts pods, by object, and found by labels.
pub(crate) struct Workloads<'o> {
    all: Vec<Workload<'o>>,
    /// Numbers of workloads by namespace and one label of their pods.
    by_label: HashMap<(Option<&'o str>, &'o str, &'o str), Vec<usize>>,
}

impl<'o> Workloads<'o> {
    /// Gathers the workloads of a set.
    pub(crate) fn new(objects: &'o ObjectSet<'_>) -> Self {
        let mut workloads = Workloads { all: Vec::new(), by_label: HashMap::new() };
        for (at, object) in objects.iter() {
            let Some(row) = pod_template::of(object) else { continue };
            let Some(template) = row.find(object) else { continue };
            let workload = Workload { at, object, row, template };
            let nth = workloads.all.len();
            for (key, value) in workload.labels().and_then(Node::mapping).into_iter().flat_map(|m| m.entries()) {
                if let Some(value) = value.as_str() {
                    let place = (object.id.namespace.as_deref(), &*key.name, value);
                    workloads.by_label.entry(place).or_default().push(nth);
                }
            }
            workloads.all.push(workload);
        }
        workloads
    }

    /// All of them, by object.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Workload<'o>> {
        self.all.iter()
    }

    /// The workloads of a namespace whose pods have every label of a selector (a mapping of strings);
    /// an empty selector selects nothing, as that of a Service does.
    pub(crate) fn selected(&self, namespace: Option<&str>, selector: &Node<'_>) -> Vec<Workload<'o>> {
        let wanted = selector.mapping().map(|mapping| mapping.entries()).unwrap_or_default();
        let wanted: Vec<_> = wanted.iter().filter_map(|(key, value)| Some((&*key.name, value.as_str()?))).collect();
        let Some((key, value)) = wanted.first() else { return Vec::new() };
        let first = self.by_label.get(&(namespace, *key, *value)).into_iter().flatten().map(|nth| self.all[*nth]);
        first.filter(|workload| wanted.iter().all(|(key, value)| workload.label(key) == Some(value))).collect()
    }
}
