//! Names that templates ask for and that no value has.
//!
//! Tera takes an undefined name for false in `{% if name %}`, and cannot be told not to: a slip of the
//! pen there would be silent.

use super::engine::Run;
use super::trace::{Kind, pieces};
use crate::finding::{Finding, Findings, Label, rules::templates as rules};
use crate::source::{FileId, Place, SourceMap};

/// Names of one template after which it is silent: each is looked for in all sources.
const ENOUGH: usize = 50;

/// Says which names of the templates that were rendered have no value, unless the templates ask
/// somewhere whether it has one.
pub(super) fn report(files: &[FileId], run: &Run, sources: &SourceMap, found: &mut Findings) {
    for (nth, names) in &run.unset {
        if !run.rendered.iter().any(|rendered| rendered.template == *nth) {
            continue;
        }
        for name in names.iter().take(ENOUGH) {
            // its own file first: a name may be asked for in one that it includes
            let order = std::iter::once(files[*nth]).chain(files.iter().copied().filter(|file| *file != files[*nth]));
            let mut uses = order.flat_map(|file| uses(file, sources.file(file).text(), name));
            let Some(first) = uses.next() else { continue };
            if first.guarded || uses.any(|other| other.guarded) {
                continue;
            }
            let message = format!("no value is given for `{name}`: a condition takes it for false");
            let finding = Finding::new(&rules::UNSET, message).with_label(Label::new(first.place));
            found.push(finding.with_remedy(format!(
                "set it in a file with values, or ask with `{{% if {name} is defined %}}` or `default(value=…)` \
                 where it may be absent"
            )));
        }
    }
}

/// A place where a template uses a name.
struct Use {
    place: Place,
    /// Whether it is asked there whether the name has a value, or what counts if it has none.
    guarded: bool,
}

fn uses(file: FileId, source: &str, name: &str) -> Vec<Use> {
    let tags = pieces(source).into_iter().filter(|piece| matches!(piece.kind, Kind::Print | Kind::Statement));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut uses = Vec::new();
    for tag in tags {
        let text = &source[tag.range.clone()];
        for (at, _) in text.match_indices(name) {
            let (before, behind) = (&text[..at], &text[at + name.len()..]);
            if before.ends_with(is_part) || before.ends_with('.') || behind.starts_with(is_part) {
                continue;
            }
            let behind = behind.trim_start();
            let words: Vec<&str> = behind.split_whitespace().take(3).collect();
            let guarded = match words[..] {
                ["is", test, ..] if test.starts_with("defined") || test.starts_with("undefined") => true,
                ["is", "not", test] if test.starts_with("defined") || test.starts_with("undefined") => true,
                ["|", filter, ..] if filter.starts_with("default") => true,
                [first, ..] => first.starts_with("|default") || first.starts_with('?'),
                _ => false,
            };
            let start = tag.range.start + at;
            uses.push(Use { place: Place { file, start, end: start + name.len() }, guarded });
        }
    }
    uses
}
