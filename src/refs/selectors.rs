//! The table of selectors, and whom they select.

mod labels;
mod rules;

use std::collections::BTreeMap;

use self::labels::{Labelled, Namespaces, Requirement};
use self::rules::{Form, ROWS, Row, Where, Whom};
use super::path;
use super::row::GroupKindName;
use crate::flow::Selection;
use crate::object::{ObjRef, Object, ObjectSet};
use crate::tree::Node;

/// Every selector of the input that its table knows, by selecting object and row.
pub(super) fn select(objects: &ObjectSet<'_>) -> Vec<Selection> {
    let mut index = Index { objects, pods: None, kinds: BTreeMap::new(), namespaces: None };
    let mut found = Vec::new();
    for row in ROWS {
        for (from, object) in objects.of_kind(row.group, row.kind) {
            path::follow(&object.tree, &path::steps(row.path), &mut Vec::new(), &mut |node, way| {
                let Some(requirements) = requirements(row, object, node) else { return };
                let mut selected = index.select(row, object, &requirements);
                selected.sort_unstable();
                let path = path::field_path(way);
                let place = object.place_at(node.span, &path);
                found.push(Selection { from, row: row.path, path, place, selected });
            });
        }
    }
    found.sort_by_key(|selection| selection.from);
    found
}

/// What a selector asks for; nothing for one that selects nobody by its form.
fn requirements<'n>(row: &Row, object: &Object<'_>, node: &'n Node<'_>) -> Option<Vec<Requirement<'n>>> {
    let requirements = match row.form {
        Form::Map => labels::of_map(node)?,
        Form::Selector => labels::of_selector(node)?,
    };
    let empty_is_nobody = row.form == Form::Map || row.nobody_in == Some(&*object.version);
    (!requirements.is_empty() || !empty_is_nobody).then_some(requirements)
}

/// Who has which labels; each part is made when a selector asks for it.
struct Index<'o, 's> {
    objects: &'o ObjectSet<'s>,
    pods: Option<Labelled<'o>>,
    kinds: BTreeMap<GroupKindName, Labelled<'o>>,
    namespaces: Option<Namespaces<'o>>,
}

impl<'o> Index<'o, '_> {
    fn select(&mut self, row: &Row, object: &Object<'_>, requirements: &[Requirement<'_>]) -> Vec<ObjRef> {
        let objects = self.objects;
        let own = object.id.namespace.as_deref();
        let names = match row.place {
            Where::Own => None,
            Where::Everywhere => return self.of(row.whom).select_anywhere(requirements, &mut |_| true),
            Where::Names(at) => object.tree.at(at),
            Where::Namespaces(at) => match object.tree.at(at).filter(|node| !node.is_null()) {
                None => None,
                Some(selector) => {
                    let Some(wanted) = labels::of_selector(selector) else { return Vec::new() };
                    let namespaces = self.namespaces.take().unwrap_or_else(|| Namespaces::new(objects));
                    let found = self.of(row.whom).select_anywhere(requirements, &mut |of| namespaces.have(of, &wanted));
                    self.namespaces = Some(namespaces);
                    return found;
                }
            },
        };
        let people = self.of(row.whom);
        let Some(names) = names else { return people.select_in(own, requirements) };
        if names.get("any").and_then(Node::as_bool) == Some(true) {
            return people.select_anywhere(requirements, &mut |_| true);
        }
        match names.get("matchNames").and_then(Node::items).filter(|names| !names.is_empty()) {
            None => people.select_in(own, requirements),
            Some(names) => {
                let names = names.iter().filter_map(Node::as_str);
                names.flat_map(|name| people.select_in(Some(name), requirements)).collect()
            }
        }
    }

    fn of(&mut self, whom: Whom) -> &Labelled<'o> {
        match whom {
            Whom::Pods => self.pods.get_or_insert_with(|| Labelled::pods(self.objects)),
            Whom::Kind(kind) => self.kinds.entry(kind).or_insert_with(|| Labelled::of_kind(self.objects, kind)),
        }
    }
}

#[cfg(test)]
mod tests;
