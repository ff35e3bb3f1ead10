//! Labels of objects, indexed, and what selectors ask of them.

use std::collections::HashMap;

use crate::object::view::pod_template;
use crate::object::{ObjRef, Object, ObjectSet};
use crate::refs::row::GroupKindName;
use crate::tree::Node;

/// The label that the API server gives every Namespace.
const NAME_LABEL: &str = "kubernetes.io/metadata.name";

/// One thing that a selector asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Requirement<'n> {
    In(&'n str, Vec<&'n str>),
    NotIn(&'n str, Vec<&'n str>),
    Exists(&'n str),
    DoesNotExist(&'n str),
}

impl<'n> Requirement<'n> {
    fn key(&self) -> &'n str {
        match self {
            Requirement::In(key, _)
            | Requirement::NotIn(key, _)
            | Requirement::Exists(key)
            | Requirement::DoesNotExist(key) => key,
        }
    }

    /// Whether the value of the label, if it is there, will do (`Requirement.Matches` of
    /// k8s.io/apimachinery, pkg/labels).
    fn accepts(&self, value: Option<&str>) -> bool {
        match self {
            Requirement::In(_, values) => value.is_some_and(|value| values.contains(&value)),
            Requirement::NotIn(_, values) => value.is_none_or(|value| !values.contains(&value)),
            Requirement::Exists(_) => value.is_some(),
            Requirement::DoesNotExist(_) => value.is_none(),
        }
    }
}

/// The requirements of plain labels; nothing if the node is no mapping of texts.
pub(super) fn of_map<'n>(node: &'n Node<'_>) -> Option<Vec<Requirement<'n>>> {
    let labels = node.mapping()?;
    labels.entries().iter().map(|(key, value)| Some(Requirement::In(&key.name, vec![value.as_str()?]))).collect()
}

/// The requirements of a `LabelSelector`; nothing for one that no API server takes.
pub(super) fn of_selector<'n>(node: &'n Node<'_>) -> Option<Vec<Requirement<'n>>> {
    node.mapping()?;
    let mut found = match node.get("matchLabels").filter(|labels| !labels.is_null()) {
        Some(labels) => of_map(labels)?,
        None => Vec::new(),
    };
    for expression in node.get("matchExpressions").and_then(Node::items).unwrap_or_default() {
        let key = expression.get("key").and_then(Node::as_str)?;
        let values = || {
            let values = expression.get("values").and_then(Node::items).unwrap_or_default();
            values.iter().map(Node::as_str).collect::<Option<Vec<_>>>()
        };
        found.push(match expression.get("operator").and_then(Node::as_str)? {
            "In" => Requirement::In(key, values()?),
            "NotIn" => Requirement::NotIn(key, values()?),
            "Exists" => Requirement::Exists(key),
            "DoesNotExist" => Requirement::DoesNotExist(key),
            _ => return None,
        });
    }
    Some(found)
}

/// Somebody with labels: the namespace, who it is, and the labels.
type Person<'o> = (Option<&'o str>, ObjRef, Option<&'o Node<'o>>);

/// Everybody that a selector may select, by namespace and by each label with its value.
pub(super) struct Labelled<'o> {
    people: Vec<Person<'o>>,
    /// Numbers of `people`, in order.
    by_label: HashMap<&'o str, HashMap<&'o str, Vec<usize>>>,
}

impl<'o> Labelled<'o> {
    /// The pods of every object that holds a pod template.
    pub(super) fn pods(objects: &'o ObjectSet<'_>) -> Self {
        Self::new(objects.iter().filter_map(|(at, object)| {
            let template = pod_template::of(object)?.find(object)?;
            Some((object.id.namespace.as_deref(), at, template.at(&["metadata", "labels"])))
        }))
    }

    /// The objects of a kind.
    pub(super) fn of_kind(objects: &'o ObjectSet<'_>, (group, kind): GroupKindName) -> Self {
        let labelled = |(at, object): (ObjRef, &'o Object<'_>)| {
            (object.id.namespace.as_deref(), at, object.tree.at(&["metadata", "labels"]))
        };
        Self::new(objects.of_kind(group, kind).map(labelled))
    }

    fn new(people: impl Iterator<Item = Person<'o>>) -> Self {
        let mut people: Vec<Person<'o>> = people.collect();
        people.sort_by_key(|(namespace, at, _)| (*namespace, *at));
        let mut by_label: HashMap<&str, HashMap<&str, Vec<usize>>> = HashMap::new();
        for (nth, (_, _, labels)) in people.iter().enumerate() {
            for (key, value) in labels.iter().filter_map(|labels| labels.mapping()).flat_map(|l| l.entries()) {
                if let Some(value) = value.as_str() {
                    by_label.entry(&key.name).or_default().entry(value).or_default().push(nth);
                }
            }
        }
        Labelled { people, by_label }
    }

    /// Who in one namespace has what is asked for.
    pub(super) fn select_in(&self, namespace: Option<&str>, requirements: &[Requirement<'_>]) -> Vec<ObjRef> {
        let start = self.people.partition_point(|(of, _, _)| *of < namespace);
        let end = self.people.partition_point(|(of, _, _)| *of <= namespace);
        self.select(start, end, requirements, &mut |_| true)
    }

    /// Who in the namespaces that `wanted` wants has what is asked for.
    pub(super) fn select_anywhere(
        &self,
        requirements: &[Requirement<'_>],
        wanted: &mut dyn FnMut(Option<&str>) -> bool,
    ) -> Vec<ObjRef> {
        self.select(0, self.people.len(), requirements, wanted)
    }

    /// Goes through the fewest that can have one of the labels asked for, not through all.
    fn select(
        &self,
        start: usize,
        end: usize,
        requirements: &[Requirement<'_>],
        wanted: &mut dyn FnMut(Option<&str>) -> bool,
    ) -> Vec<ObjRef> {
        let fits = |nth: &usize| {
            let labels = self.people[*nth].2;
            requirements
                .iter()
                .all(|asked| asked.accepts(labels.and_then(|labels| labels.get(asked.key())).and_then(Node::as_str)))
        };
        let mut wanted = |nth: &usize| wanted(self.people[*nth].0);
        let person = |nth: usize| self.people[nth].1;
        match requirements.iter().filter_map(|asked| self.with(asked, start, end)).min_by_key(|few| few.len()) {
            Some(few) => few.iter().copied().filter(&fits).filter(&mut wanted).map(person).collect(),
            None => (start..end).filter(&fits).filter(&mut wanted).map(person).collect(),
        }
    }

    /// Who between two numbers has the one value that a requirement asks for.
    fn with(&self, asked: &Requirement<'_>, start: usize, end: usize) -> Option<&[usize]> {
        let Requirement::In(key, values) = asked else { return None };
        let [value] = values[..] else { return None };
        let all = self
            .by_label
            .get::<str>(key)
            .and_then(|values| values.get::<str>(value))
            .map(Vec::as_slice)
            .unwrap_or_default();
        let from = all.partition_point(|nth| *nth < start);
        let to = all.partition_point(|nth| *nth < end);
        Some(&all[from..to])
    }
}

/// The labels of namespaces.
pub(super) struct Namespaces<'o> {
    labels: HashMap<&'o str, Option<&'o Node<'o>>>,
}

impl<'o> Namespaces<'o> {
    pub(super) fn new(objects: &'o ObjectSet<'_>) -> Self {
        let labels =
            |(_, object): (ObjRef, &'o Object<'_>)| (object.id.name.text(), object.tree.at(&["metadata", "labels"]));
        Namespaces { labels: objects.of_kind("", "Namespace").map(labels).collect() }
    }

    /// Whether a namespace has what is asked for. Of one that is not in the input only the name is known.
    pub(super) fn have(&self, namespace: Option<&str>, wanted: &[Requirement<'_>]) -> bool {
        let known = namespace.and_then(|name| self.labels.get(name));
        wanted.iter().all(|asked| match (asked.key(), known) {
            (NAME_LABEL, _) => asked.accepts(namespace),
            (key, Some(labels)) => asked.accepts(labels.and_then(|labels| labels.get(key)).and_then(Node::as_str)),
            (_, None) => false,
        })
    }
}
