//! The chain. A manifest goes down this list and never back up.

use crate::config::Settings;
use crate::finding::Findings;
use crate::flow::Planned;
use crate::source::SourceMap;
use crate::{check, checksum, load, patch, refs, schedule};

/// Renders the manifests of a source map as far as the plan, which [`crate::emit::write`] prints.
///
/// Templates in the map have been rendered before ([`crate::template::expand`]).
///
/// Everything that is wrong with the input goes into `found` ([`Findings::exit_code`] says whether
/// the plan may be printed); nothing is printed here, and nothing outside the arguments is read.
pub fn plan<'s>(sources: &'s SourceMap, settings: &Settings, found: &mut Findings) -> Planned<'s> {
    let loaded = load::objects(sources, settings, found);
    let patched = patch::apply(loaded, settings, found);
    let linked = refs::link(patched, settings, found);
    let stamped = checksum::stamp(linked, settings, found);
    let planned = schedule::plan(stamped, settings, found);
    check::run(&planned, settings, found);
    planned
}
