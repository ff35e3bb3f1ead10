//! From a plan to bytes.

mod argocd;
mod directory;
mod flux;
mod namespace;
pub mod select;

use std::io::{self, Write};

use crate::config::{EngineName, Settings};
use crate::flow::{Planned, Slot};
use crate::object::Object;
use crate::object::wrote::Wrote;
use crate::{json, yaml};

pub use directory::{Layout, Shape, TreeFile, directory};
pub use flux::FluxError;
use select::Selection;

/// What the output looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// A YAML stream: documents between lines of `---`.
    #[default]
    Yaml,
    /// A stream of KYAML, the subset of YAML that Kubernetes defines for output: flow style, all text quoted.
    Kyaml,
    /// JSON objects one after another, indented.
    Json,
    /// One line an object, as `kubectl -o name` prints it.
    Name,
}

/// How much text is gathered before it is written.
const CHUNK: usize = 1 << 16;

/// Writes the selected objects of a plan in the order of the stream, and gives how many there were.
///
/// Selection takes objects out and changes nothing in those that stay: the pieces of a plan together
/// are the whole.
///
/// # Errors
/// What `out` says when it cannot take the bytes.
pub fn write(
    planned: &mut Planned<'_>,
    settings: &Settings,
    selection: &Selection,
    form: Form,
    out: &mut dyn Write,
) -> io::Result<usize> {
    let mut text = String::with_capacity(2 * CHUNK);
    let mut count = 0;
    each(planned, settings, selection, &mut |object, _| {
        if count > 0 && form == Form::Yaml {
            text.push_str("---\n");
        }
        count += 1;
        append(object, form, &mut text);
        if text.len() >= CHUNK {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
        Ok::<(), io::Error>(())
    })?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(count)
}

/// Hands on the selected objects in the order of the stream, with what the engine needs written on them.
fn each<E>(
    planned: &mut Planned<'_>,
    settings: &Settings,
    selection: &Selection,
    take: &mut dyn FnMut(&Object<'_>, &Slot) -> Result<(), E>,
) -> Result<(), E> {
    let Planned { linked, plan, .. } = planned;
    for slot in &plan.slots {
        let object = linked.loaded.objects.get_mut(slot.object);
        if !selection.takes(object, slot) {
            continue;
        }
        let undefined = linked.undefined.get(&slot.object).map(Option::is_some);
        finish(object, slot, undefined, settings);
        take(object, slot)?;
    }
    Ok(())
}

/// Writes on an object what the engine needs.
fn finish(object: &mut Object<'_>, slot: &Slot, undefined: Option<bool>, settings: &Settings) {
    if settings.write_namespace {
        namespace::write(object);
    }
    let wrote = match settings.engine {
        EngineName::Argocd => argocd::wrote(object, slot, undefined, settings.argocd.skip_dry_run),
        EngineName::Kubectl | EngineName::Flux => Wrote::default(),
    };
    wrote.write(&mut object.tree);
}

fn append(object: &Object<'_>, form: Form, text: &mut String) {
    match form {
        Form::Yaml => yaml::emit(&object.tree, text),
        Form::Kyaml => yaml::emit_kyaml(&object.tree, text),
        Form::Json => {
            json::write_pretty(&object.tree, 2, text);
            text.push('\n');
        }
        Form::Name => {
            let id = &object.id;
            let kind = id.kind.to_ascii_lowercase();
            let group = if id.group.is_empty() { String::new() } else { format!(".{}", id.group) };
            text.push_str(&format!("{kind}{group}/{}\n", id.name.text()));
        }
    }
}
