//! The chain. A manifest goes down this list and never back up.

use crate::config::Settings;
use crate::finding::Findings;
use crate::flow::{Loaded, Planned};
use crate::source::SourceMap;
use crate::{check, checksum, convert, gate, load, patch, refs, schedule, version};

/// Renders the manifests of a source map as far as the plan, which [`crate::emit::write`] prints.
///
/// Templates in the map have been rendered before ([`crate::template::expand`]).
///
/// Everything that is wrong with the input goes into `found` ([`Findings::exit_code`] says whether
/// the plan may be printed); nothing is printed here, and nothing outside the arguments is read.
pub fn plan<'s>(sources: &'s SourceMap, settings: &Settings, found: &mut Findings) -> Planned<'s> {
    order(load::objects(sources, settings, found), settings, found)
}

/// The same for objects that were loaded already.
pub fn order<'s>(loaded: Loaded<'s>, settings: &Settings, found: &mut Findings) -> Planned<'s> {
    let patched = patch::apply(loaded, settings, found);
    let converted = convert::apply(patched, settings, found);
    let gated = gate::insert(converted, settings);
    let linked = refs::link(gated, settings, found);
    let versioned = version::rename(linked, checksum::content, settings, found);
    let stamped = checksum::stamp(versioned, settings, found);
    let planned = schedule::plan(stamped, settings, found);
    check::run(&planned, settings, found);
    planned
}
