//! Versioned configuration: ConfigMaps and Secrets under a name of their content, so that pods of the
//! old version keep the old configuration until they are replaced.
//!
//! `chosen` says which, `refusal` which of them cannot be, `unknown` who names them where nothing
//! rewrites a name.

mod chosen;
mod refusal;
mod unknown;

use std::collections::BTreeMap;

use crate::config::{Settings, Writing};
use crate::finding::Findings;
use crate::flow::{Linked, Resolution};
use crate::object::renaming::rename_at;
use crate::object::wrote::{self, Base, Before, VERSION_DIGITS};
use crate::object::{ObjRef, Object};

/// Gives every source that asks for it the name `NAME-<10 hexadecimal digits>`, makes it immutable, and
/// writes the new name into every reference to it. `content` makes digits out of a source, at least 10.
///
/// Sources that cannot be renamed without breaking a reader are left as they are, with an error.
pub fn rename<'s>(
    mut linked: Linked<'s>,
    content: fn(&Object<'_>) -> String,
    settings: &Settings,
    found: &mut Findings,
) -> Linked<'s> {
    if settings.writing == Writing::AsItIs {
        return linked;
    }
    let mut asked = chosen::chosen(&linked, settings, found);
    asked.retain(|source, place| refusal::check(&linked, *source, *place, found));
    if settings.partial {
        asked.retain(|source, place| refusal::check_whole(&linked, *source, *place, found));
    }
    unknown::check(&linked, &mut asked, found);
    refusal::readers(&linked, &asked, settings, found);
    let versions: BTreeMap<ObjRef, String> =
        asked.into_keys().map(|source| (source, version(linked.loaded.objects.get(source), content))).collect();
    if settings.writing == Writing::Anew {
        write(&mut linked, &versions);
    } else {
        let base = |source: ObjRef| Base {
            name: linked.loaded.objects.get(source).id.name.text().to_owned(),
            immutable: Before::Kept,
        };
        linked.versioned = versions.into_keys().map(|source| (source, base(source))).collect();
    }
    linked
}

/// The name of a source with its content.
fn version(source: &Object<'_>, content: fn(&Object<'_>) -> String) -> String {
    let digits: String = content(source).chars().take(VERSION_DIGITS).collect();
    format!("{}-{digits}", source.id.name.text())
}

/// Writes the names on the sources, and where others name them.
fn write(linked: &mut Linked<'_>, versions: &BTreeMap<ObjRef, String>) {
    let objects = &mut linked.loaded.objects;
    for reference in &linked.references {
        let Resolution::Object(source) = reference.leads_to else { continue };
        if let Some(name) = versions.get(&source) {
            rename_at(&mut objects.get_mut(reference.from).tree, &reference.path, &reference.target.name, name);
        }
    }
    for (source, name) in versions {
        let base = wrote::write_version(&mut objects.get_mut(*source).tree, name);
        linked.versioned.extend(base.map(|base| (*source, base)));
    }
}
