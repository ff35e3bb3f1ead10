//! From a plan to bytes.

mod argocd;
mod directory;
mod flux;
mod namespace;
pub mod select;

use std::io::{self, Write};

use crate::config::{EngineName, Settings, Writing};
use crate::flow::{Linked, Planned, Slot};
use crate::object::Object;
use crate::object::wrote::{Gate, Wrote};
use crate::source::Place;
use crate::tree::Node;
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

/// Every object of a plan as it would be written, in the order of the stream, with its place in the input: none for
/// what tidegate added.
pub fn finished<'s>(planned: &mut Planned<'s>, settings: &Settings) -> Vec<(Option<Place>, Node<'s>)> {
    finish_all(planned, settings);
    let Planned { linked, plan, .. } = planned;
    let of = |slot: &Slot| {
        let is_made = linked.loaded.gates.get(&slot.object) == Some(&Gate::Made);
        let object = linked.loaded.objects.get_mut(slot.object);
        ((!is_made).then(|| object.place()), std::mem::take(&mut object.tree))
    };
    plan.slots.iter().map(of).collect()
}

/// Writes on every object of a plan what [`write()`] would write on it.
pub fn finish_all(planned: &mut Planned<'_>, settings: &Settings) {
    let Planned { linked, plan, .. } = planned;
    for slot in &plan.slots {
        let undefined = linked.undefined.get(&slot.object).map(Option::is_some);
        let ours = ours(linked, slot);
        finish(linked.loaded.objects.get_mut(slot.object), slot, undefined, ours, settings);
    }
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
        let object = linked.loaded.objects.get(slot.object);
        if !selection.takes(object, slot) {
            continue;
        }
        let undefined = linked.undefined.get(&slot.object).map(Option::is_some);
        let ours = ours(linked, slot);
        let object = linked.loaded.objects.get_mut(slot.object);
        finish(object, slot, undefined, ours, settings);
        take(object, slot)?;
    }
    Ok(())
}

/// What other steps wrote on an object.
fn ours(linked: &Linked<'_>, slot: &Slot) -> Wrote {
    let base = linked.versioned.get(&slot.object).cloned();
    Wrote { base, gate: linked.loaded.gates.get(&slot.object).copied(), ..Wrote::default() }
}

/// Writes on an object what the engine needs. `ours` is what other steps wrote on it.
fn finish(object: &mut Object<'_>, slot: &Slot, undefined: Option<bool>, ours: Wrote, settings: &Settings) {
    if settings.write_namespace {
        namespace::write(object);
    }
    if settings.writing != Writing::Anew {
        return;
    }
    let wrote = match settings.engine {
        EngineName::Argocd => argocd::wrote(object, slot, undefined, ours, settings),
        // no other tool but tidegate itself reads this
        EngineName::Kubectl | EngineName::Flux => ours,
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
            // a versioned source is printed under another name than it is known by
            let name = object.tree.at(&["metadata", "name"]).and_then(Node::as_str).filter(|name| !name.is_empty());
            text.push_str(&format!("{kind}{group}/{}\n", name.unwrap_or(id.name.text())));
        }
    }
}
