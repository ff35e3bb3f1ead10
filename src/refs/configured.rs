//! Rows that users add to the tables of references, makers and fillers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use super::extract::is_name;
use super::path;
use super::table::is_cluster_scoped;
use crate::config::{FillerRow, ProducerRow, ReferenceField};
use crate::flow::{FieldKey, Product, ProductKeys, Reach, Read, Reference, Resolution, Target};
use crate::object::{ObjRef, Object, ObjectSet};
use crate::tree::Node;

/// The text of a row for as long as the process lives, as those of the tables are. Each text is kept
/// once, however often it is configured.
fn kept(text: &str) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    match kept.get(text) {
        Some(known) => known,
        None => {
            let new: &'static str = text.to_owned().leak();
            kept.insert(new);
            new
        }
    }
}

/// What the objects refer to by these rows; what they lead to is still open.
pub(super) fn references(objects: &ObjectSet<'_>, rows: &[ReferenceField]) -> Vec<Reference> {
    let mut found = Vec::new();
    for row in rows {
        let text = kept(&row.path);
        let steps = path::steps(text);
        let (to_holder, to_name) = path::at_last_key(&steps);
        for (from, object) in objects.of_kind(&row.kind.group, &row.kind.kind) {
            path::follow(&object.tree, to_holder, &mut Vec::new(), &mut |holder, way| {
                path::follow(holder, to_name, way, &mut |name, way| {
                    let reference = reference(row, text, from, object, holder, name);
                    found.extend(reference.map(|found| Reference { path: path::field_path(way), ..found }));
                });
            });
        }
    }
    found
}

fn reference(
    row: &ReferenceField,
    path: &'static str,
    from: ObjRef,
    object: &Object<'_>,
    holder: &Node<'_>,
    name: &Node<'_>,
) -> Option<Reference> {
    let text = name.as_str().filter(|text| is_name(text))?;
    let beside = |field: &str| holder.get(field).and_then(Node::as_str).filter(|text| !text.is_empty());
    let own = || object.id.namespace.clone();
    let namespace = match is_cluster_scoped(&row.to.group, &row.to.kind) {
        true => None,
        false => beside("namespace").map(Into::into).or_else(own),
    };
    let is_source = row.to.group.is_empty() && matches!(&*row.to.kind, "ConfigMap" | "Secret");
    let key = row.key.as_deref().and_then(|field| Some(FieldKey { field: field.into(), key: beside(field)?.into() }));
    Some(Reference {
        from,
        target: Target { group: row.to.group.clone(), kind: row.to.kind.clone(), namespace, name: text.into() },
        row: path,
        path: crate::tree::FieldPath::default(),
        place: object.origin.document.place(name.span),
        optional: row.optional,
        read: if is_source { Read::Field(key) } else { Read::No },
        orders: row.orders,
        leads_to: Resolution::Missing,
    })
}

/// What the objects make by these rows.
pub(super) fn products(objects: &ObjectSet<'_>, rows: &[ProducerRow]) -> Vec<Product> {
    let mut found = Vec::new();
    for row in rows {
        for (maker, object) in objects.of_kind(&row.kind.group, &row.kind.kind).filter(|(_, o)| o.id.is_fixed()) {
            let mut names = Vec::new();
            if let Some(path) = &row.path {
                path::follow(&object.tree, &path::steps(kept(path)), &mut Vec::new(), &mut |name, _| {
                    names.extend(name.as_str().map(str::to_owned));
                });
            }
            if names.is_empty() && (row.path.is_none() || row.name.is_some()) {
                names.push(row.name.as_deref().unwrap_or("*").replace('*', object.id.name.text()));
            }
            let keys = || match &row.keys[..] {
                [] => ProductKeys::Unknown,
                keys => ProductKeys::Exactly(keys.iter().map(|key| key.as_str().into()).collect()),
            };
            let namespace = match is_cluster_scoped(&row.makes.group, &row.makes.kind) {
                true => None,
                false => object.id.namespace.clone(),
            };
            for name in names.into_iter().filter(|name| is_name(name)) {
                let (group, kind) = (row.makes.group.clone(), row.makes.kind.clone());
                let target = Target { group, kind, namespace: namespace.clone(), name: name.into() };
                found.push(Product { target, reach: Reach::Namespace, maker, keys: keys(), creates: true });
            }
        }
    }
    found
}

/// The sources that somebody fills by these marks, and who.
pub(super) fn filled(objects: &ObjectSet<'_>, rows: &[FillerRow]) -> BTreeMap<ObjRef, &'static str> {
    let mut filled = BTreeMap::new();
    for row in rows {
        for (at, object) in ["ConfigMap", "Secret"].into_iter().flat_map(|kind| objects.of_kind("", kind)) {
            let value = object.tree.at(&["metadata", row.field, &row.name]).and_then(Node::as_str);
            let counts = |value: &str| match &row.values[..] {
                [] => !matches!(value, "" | "false" | "disabled"),
                values => values.iter().any(|known| known == value),
            };
            if value.is_some_and(counts) {
                filled.insert(at, kept(&row.by));
            }
        }
    }
    filled
}
