//! Templates: files named `*.yaml.tera`, rendered with values before anything reads their objects.
//!
//! [`Values`] are put together by whoever has the files and flags; [`expand`] renders. What templates
//! print is added to the source map as files that lead back to the templates
//! ([`SourceMap::written`]), so that every finding points at what somebody wrote. A template reads
//! nothing but values and other templates of the same input, and how much it takes is bounded.

mod budget;
mod engine;
mod failure;
mod filters;
mod lookalike;
mod trace;
mod unset;
mod values;

use std::collections::{BTreeMap, BTreeSet};

pub use values::{SetError, Values};

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Reported, rules::templates as rules};
use crate::source::{FileId, Place, Role, Segment, SourceFile, SourceMap, Written};

use budget::Passed;
use engine::{Ran, Rendered, Run, Template, Why};
use failure::Failure;
use trace::Kind;

/// Failures of one folder after which it is silent.
const ENOUGH: usize = 100;

/// The templates of one folder that the user named: they see one another.
struct Group {
    files: Vec<FileId>,
    templates: Vec<Template>,
}

/// Renders the templates of a source map and adds what they print to it.
///
/// What is wrong with a template is in `found`, and the others are rendered. A map without templates
/// stays as it is.
///
/// # Errors
/// A template is still at work after its time is over, or with more memory than it may have. Nothing
/// can stop it but the end of the process, which should come soon; the finding has been pushed.
pub fn expand(
    sources: &mut SourceMap,
    values: &Values,
    settings: &Settings,
    found: &mut Findings,
) -> Result<(), Reported> {
    for Group { files, templates } in groups(sources) {
        let run = engine::run(templates.clone(), values.json(), &settings.limits);
        let group = Group { files, templates };
        failed(&group, &run, sources, found);
        unset::report(&group.files, &run, sources, found);
        ended(&group, &run, settings, found)?;
        give_up(&group, &run, sources);
        for rendered in run.rendered {
            let written = written(&group, &rendered);
            lookalike::report(&rendered, &written, values, found);
            let template = sources.file(group.files[rendered.template]);
            let mut file = SourceFile::new(template.path.clone(), rendered.text);
            (file.side, file.below, file.written) = (template.side, template.below, Some(written));
            sources.add(file);
        }
    }
    Ok(())
}

/// The templates by the folder they were found below. Folders without a template that is rendered are
/// left out.
fn groups(sources: &SourceMap) -> Vec<Group> {
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for (id, file) in sources.iter().filter(|(_, file)| file.readable) {
        if !matches!(file.role, Role::Template | Role::Partial) {
            continue;
        }
        let (folder, name) = file.path.as_str().split_at(file.below);
        let new = || Group { files: Vec::new(), templates: Vec::new() };
        let group = groups.entry(folder.to_owned()).or_insert_with(new);
        group.files.push(id);
        let (name, source) = (name.to_owned(), file.text().to_owned());
        group.templates.push(Template { name, source, renders: file.role == Role::Template });
    }
    groups.into_values().filter(|group| group.templates.iter().any(|template| template.renders)).collect()
}

/// Says what is wrong with templates.
fn failed(group: &Group, run: &Run, sources: &SourceMap, found: &mut Findings) {
    for Failure { template, at, message, called_from } in run.failures.iter().take(ENOUGH) {
        let place = |name: &str, at: &failure::At| {
            let nth = group.templates.iter().position(|template| template.name == name)?;
            let range = at.bytes(&group.templates[nth].source);
            Some(Place { file: group.files[nth], start: range.start, end: range.end })
        };
        let mut finding = Finding::new(&rules::TEMPLATE, message.clone()).with_remedy(failure::remedy(message));
        finding.labels.extend(place(template, at).map(Label::new));
        let calls = called_from.iter().filter_map(|(name, at)| place(name, at));
        finding.labels.extend(calls.map(|place| Label::new(place).text("asked for here")));
        if finding.labels.is_empty() {
            let names = group.files.iter().map(|file| sources.path(*file).as_str()).collect::<Vec<_>>();
            finding.message = format!("{} (in one of {})", finding.message, names.join(", "));
        }
        found.push(finding);
    }
    for (nth, passed) in &run.passed {
        let (what, limit) = match passed {
            Passed::Items => ("goes over more numbers of `range`", "template-items"),
            Passed::Bytes => ("makes more text", "template-bytes"),
        };
        let message = format!("the template {what} than a run may (limit `{limit}`)");
        found.push(limit_passed(message, Some(group.files[*nth]), limit));
    }
}

/// Marks the templates that gave nothing: what is missing may be in them.
fn give_up(group: &Group, run: &Run, sources: &mut SourceMap) {
    let rendered: BTreeSet<FileId> = run.rendered.iter().map(|rendered| group.files[rendered.template]).collect();
    let all = group.files.iter().zip(&group.templates);
    let lost: BTreeSet<FileId> =
        all.filter(|(file, template)| template.renders && !rendered.contains(file)).map(|(file, _)| *file).collect();
    let ids: Vec<FileId> = sources.iter().map(|(id, _)| id).collect();
    for (id, file) in ids.into_iter().zip(sources.iter_mut()) {
        file.readable &= !lost.contains(&id);
    }
}

/// Says how a run ended, if it did not get to its end.
fn ended(group: &Group, run: &Run, settings: &Settings, found: &mut Findings) -> Result<(), Reported> {
    let (at, message, limit) = match &run.ended {
        Ran::Through => return Ok(()),
        Ran::Away(at, Why::Time) => {
            let seconds = settings.limits.template_seconds;
            (*at, format!("the templates are not rendered within {seconds} s"), "template-seconds")
        }
        Ran::Away(at, Why::Memory) => (*at, "the template takes more and more memory".to_owned(), "template-bytes"),
        Ran::Broken => (None, "the templates cannot be rendered: the engine broke down".to_owned(), ""),
    };
    let file = at.map(|nth| group.files[nth]);
    found.push(limit_passed(message, file.or(group.files.first().copied()), limit));
    Err(Reported)
}

fn limit_passed(message: String, file: Option<FileId>, limit: &str) -> Finding {
    let mut finding = Finding::new(&rules::RUNAWAY, message);
    finding.labels.extend(file.map(|file| Label::new(Place::file(file))));
    match limit {
        "" => finding.with_remedy("make the templates simpler"),
        limit => finding.with_remedy(format!(
            "look for loops inside of loops; what is meant can be allowed with `--limit {limit}=NUMBER`"
        )),
    }
}

/// Where an output was written.
fn written(group: &Group, rendered: &Rendered) -> Written {
    let own = group.files[rendered.template];
    let mut call = None;
    let segment = |met: &trace::Met| {
        let mark = &rendered.marks[met.mark];
        let file = group.files[mark.template];
        let source = Place { file, start: mark.range.start, end: mark.range.end };
        if file == own {
            call = Some(source);
        }
        let call = call.filter(|_| file != own);
        Segment { at: met.at, source, verbatim: mark.kind == Kind::Text, call }
    };
    Written { segments: rendered.met.iter().map(segment).collect(), template: Some(own) }
}

#[cfg(test)]
mod tests;
