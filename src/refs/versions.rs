//! References to names that an earlier render made: they mean the sources under the names that they
//! had before, which load gave back to them.

use std::collections::HashMap;

use crate::flow::{Loaded, Reference};
use crate::object::ObjRef;
use crate::object::renaming::rename_at;

/// Writes the old name of every renamed source where a reference says the new one, in the references
/// and in the text of the objects.
pub(super) fn take_back(references: &mut [Reference], loaded: &mut Loaded<'_>) {
    let mut versions: HashMap<&str, Vec<ObjRef>> = HashMap::new();
    for (source, name) in &loaded.versions {
        versions.entry(name).or_default().push(*source);
    }
    if versions.is_empty() {
        return;
    }
    let objects = &loaded.objects;
    let meant: Vec<(usize, ObjRef)> = references
        .iter()
        .enumerate()
        .filter_map(|(nth, reference)| {
            let target = &reference.target;
            let is_meant = |source: &&ObjRef| {
                let id = &objects.get(**source).id;
                let elsewhere =
                    id.namespace.is_some() && target.namespace.is_some() && id.namespace != target.namespace;
                id.group == target.group && id.kind == target.kind && !elsewhere
            };
            Some((nth, *versions.get(&*target.name)?.iter().find(is_meant)?))
        })
        .collect();
    for (nth, source) in meant {
        let reference = &mut references[nth];
        let base: std::sync::Arc<str> = loaded.objects.get(source).id.name.text().into();
        let holder = &mut loaded.objects.get_mut(reference.from).tree;
        if rename_at(holder, &reference.path, &reference.target.name, &base) {
            reference.target.name = base;
        }
    }
}
