//! Patches: changes of single objects that the configuration asks for, before anything else is done
//! with them.
//!
//! The crate json-patch decides on the JSON value of one object what it becomes; what differs is
//! carried back into the tree by path (`carry`), so that untouched parts keep their places, the order
//! of their keys and every digit.

mod carry;
mod file;
mod json6902;
mod merge;
mod size;
mod target;

pub use file::read;

use serde_json::Value as Json;

use crate::config::{PatchBody, PatchRow, Settings};
use crate::finding::{Finding, Findings, Label, rules as config_rules, rules::templates as rules};
use crate::flow::Loaded;
use crate::json;
use crate::object::Object;
use crate::source::{Limits, Place};

/// Applies the patches of the settings, one after the other, to every object that their targets mean.
///
/// A patch that does not fit an object leaves it as it is; the finding names the patch and the object.
/// A patch in a file that nobody read ([`PatchBody::File`]) is not applied, and that is a finding.
pub fn apply<'s>(mut loaded: Loaded<'s>, settings: &Settings, found: &mut Findings) -> Loaded<'s> {
    let mut left = settings.limits.file_bytes;
    'rows: for row in &settings.patches {
        if let Some(finding) = malformed(row) {
            found.push(finding);
            continue;
        }
        let (weight, mut matched) = (weight(row), false);
        for (_, object) in loaded.objects.iter_mut().filter(|(_, object)| row.target.matches(object)) {
            matched = true;
            // a large patch for many objects may be more than memory holds
            let Some(rest) = left.checked_sub(weight) else {
                found.push(failed(row.place, object, "all patches together write too much"));
                break 'rows;
            };
            left = rest;
            if let Err(finding) = apply_one(row, object, &settings.limits) {
                found.push(*finding);
            }
        }
        // what it is for may be in what could not be read
        if !matched && loaded.unread.is_empty() {
            found.push(target::matches_nothing(row));
        }
    }
    loaded
}

/// A patch that is none, whatever the objects.
fn malformed(row: &PatchRow) -> Option<Finding> {
    let (place, why) = match &row.body {
        PatchBody::Json6902(patch, place) => (*place, json6902::operations(patch).err()?),
        PatchBody::File(path) => (path.place, format!("nobody has read the file `{}`", path.value)),
        PatchBody::Merge(..) | PatchBody::Unread => return None,
    };
    Some(Finding::new(&config_rules::CONFIG, format!("the patch is wrong: {why}")).with_label(Label::new(place)))
}

/// What a patch may add to an object, roughly, in bytes.
fn weight(row: &PatchRow) -> u64 {
    match &row.body {
        PatchBody::Merge(patch, _) | PatchBody::Json6902(patch, _) => size::of(patch) as u64,
        PatchBody::File(_) | PatchBody::Unread => 0,
    }
}

/// Applies one patch to one object.
fn apply_one(row: &PatchRow, object: &mut Object<'_>, limits: &Limits) -> Result<(), Box<Finding>> {
    let before = json::to_value(&object.tree);
    let mut after = before.clone();
    let (place, outcome) = match &row.body {
        PatchBody::Merge(patch, place) => {
            merge::apply(&mut after, patch);
            (*place, Ok(()))
        }
        PatchBody::Json6902(patch, place) => (*place, json6902::apply(&mut after, patch, limits)),
        PatchBody::File(_) | PatchBody::Unread => return Ok(()),
    };
    let outcome = outcome.and_then(|()| size::check(&after, limits).map_err(str::to_owned));
    outcome.map_err(|why| Box::new(failed(place, object, &why)))?;
    if let Some(what) = identity(&before, &after) {
        return Err(Box::new(other_object(place, object, what)));
    }
    let version = after["apiVersion"].as_str().unwrap_or_default();
    let version = version.rsplit('/').next().unwrap_or_default();
    if version != &*object.version {
        object.version = version.into();
    }
    let mut carried = carry::Carried::default();
    carry::carry(&mut object.tree, &before, after, &mut carried);
    carried.moved.iter().for_each(|list| object.patched.moved(list));
    object.patched.wrote(carried.written, place);
    Ok(())
}

/// What of an object's identity differs.
fn identity(before: &Json, after: &Json) -> Option<&'static str> {
    let group = |value: &Json| {
        let version = value["apiVersion"].as_str()?;
        Some(version.rsplit_once('/').map_or("", |(group, _)| group).to_owned())
    };
    let metadata = |name| before["metadata"][name] != after["metadata"][name];
    if group(before) != group(after) {
        Some("the group in `apiVersion`")
    } else if before["kind"] != after["kind"] {
        Some("`kind`")
    } else {
        let fields = [
            ("name", "`metadata.name`"),
            ("generateName", "`metadata.generateName`"),
            ("namespace", "`metadata.namespace`"),
        ];
        fields.into_iter().find(|(name, _)| metadata(*name)).map(|(_, shown)| shown)
    }
}

fn failed(place: Place, object: &Object<'_>, why: &str) -> Finding {
    Finding::new(&rules::PATCH_FAILED, format!("the patch cannot be applied to {}: {why}", object.id))
        .with_object(&object.id)
        .with_label(Label::new(place))
        .with_label(Label::new(object.place()).text("the object"))
        .with_remedy("correct the patch, or narrow its target")
}

fn other_object(place: Place, object: &Object<'_>, what: &str) -> Finding {
    Finding::new(&rules::PATCH_OF_IDENTITY, format!("the patch changes {what} of {}", object.id))
        .with_object(&object.id)
        .with_label(Label::new(place))
        .with_label(Label::new(object.place()).text("the object"))
        .with_remedy("change it where the object is written")
}

#[cfg(test)]
mod tests;
