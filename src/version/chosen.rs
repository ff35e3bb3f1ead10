//! Which sources get a name of their content: by annotation, or by the configuration.

use std::collections::BTreeMap;

use crate::config::Settings;
use crate::finding::rules::versions as rules;
use crate::finding::{Finding, Findings, Label};
use crate::flow::Linked;
use crate::object::annotation::VERSIONED;
use crate::object::view::source::is_source;
use crate::object::{ObjRef, Object};
use crate::source::Place;
use crate::tree::{FieldPath, Node};

/// The sources that are asked for, each with the place that asks. An annotation goes before the
/// configuration.
pub(super) fn chosen(linked: &Linked<'_>, settings: &Settings, found: &mut Findings) -> BTreeMap<ObjRef, Place> {
    let rows = &settings.versioned.sources;
    let mut used = vec![false; rows.len()];
    let mut asked = BTreeMap::new();
    for (source, object) in linked.loaded.objects.iter() {
        let word = object.tree.at(&["metadata", "annotations", VERSIONED]);
        if !is_source(object) {
            if word.is_some() {
                found.push(of_no_source(object));
            }
            continue;
        }
        let fits = rows.iter().position(|row| row.matches(object));
        if let Some(row) = fits {
            used[row] = true;
        }
        match word.map(Node::as_str) {
            Some(Some("true")) => drop(asked.insert(source, object.place_of(&path()))),
            Some(Some("false")) => {}
            said => {
                if said.is_some() {
                    found.push(invalid(object));
                }
                asked.extend(fits.map(|row| (source, rows[row].place)));
            }
        }
    }
    for (row, _) in rows.iter().zip(used).filter(|(_, used)| !used) {
        let message = format!("no ConfigMap or Secret fits `{}` of `versioned.sources`", row.pattern);
        found.push(Finding::new(&rules::ROW_FOR_NOTHING, message).with_label(Label::new(row.place)));
    }
    asked
}

fn path() -> FieldPath {
    FieldPath::keys(["metadata", "annotations", VERSIONED])
}

fn of_no_source(object: &Object<'_>) -> Finding {
    let message = format!("`{VERSIONED}` means nothing on {}: only ConfigMaps and Secrets have versions", object.id);
    Finding::new(&rules::NOT_A_SOURCE, message)
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(&path())).path(path()))
        .with_remedy("take it off")
}

fn invalid(object: &Object<'_>) -> Finding {
    let message = format!("`{VERSIONED}` of {} must be `\"true\"` or `\"false\"`", object.id);
    Finding::new(&rules::INVALID_VERSIONED, message)
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(&path())).path(path()))
}
