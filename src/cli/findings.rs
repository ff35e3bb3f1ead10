//! Which findings a run is about, and what becomes of them at its end.

use std::io;

use tidegate::config::{Settings, Word};
use tidegate::finding::{Baseline, Findings, Rule, Severity, SeverityRow, nearest};
use tidegate::report::{github, json, junit, sarif, text};
use tidegate::source::SourceMap;

use super::args::{FindingsForm, InputArgs};
use super::exit::{self, Stop};

/// The ids of rules that flags and environment leave out: those that they name, and with `--only` all others.
pub(crate) fn left_out(args: &InputArgs) -> Result<Vec<&'static str>, Stop> {
    let mut ids = ids("--ignore", &args.ignore, |rule| match rule.is_suppressible() {
        true => Ok(()),
        false => Err("manifests are never printed while it stands"),
    })?;
    let only = self::ids("--only", &args.only, |_| Ok(()))?;
    if !only.is_empty() {
        let rules = tidegate::check::catalogue().into_iter().filter(|rule| rule.is_suppressible());
        ids.extend(rules.map(|rule| rule.id).filter(|id| !only.contains(id)));
    }
    Ok(ids)
}

/// Ids as a flag names them, in either case; in an environment there may be an empty one.
fn ids(
    flag: &str,
    ids: &[String],
    check: impl Fn(&Rule) -> Result<(), &'static str>,
) -> Result<Vec<&'static str>, Stop> {
    let rules = tidegate::check::catalogue();
    let mut known = Vec::new();
    for id in ids.iter().map(|id| id.trim()).filter(|id| !id.is_empty()) {
        match rules.iter().find(|rule| rule.id.eq_ignore_ascii_case(id)) {
            Some(rule) => match check(rule) {
                Ok(()) => known.push(rule.id),
                Err(why) => return Err(Stop::Usage(format!("`{flag} {id}`: {} cannot be left out: {why}", rule.id))),
            },
            None => {
                let upper = id.to_ascii_uppercase();
                let near = nearest(&upper, rules.iter().map(|rule| rule.id)).map(|near| format!(" (is {near} meant?)"));
                let near = near.unwrap_or_default();
                return Err(Stop::Usage(format!(
                    "`{flag} {id}`: there is no such finding{near}; `tidegate explain` lists all of them"
                )));
            }
        }
    }
    Ok(known)
}

/// Other severities for rules.
pub(crate) fn severities(values: &[String]) -> Result<Vec<SeverityRow>, Stop> {
    let mut rows = Vec::new();
    for value in values.iter().filter(|value| !value.trim().is_empty()) {
        let wrong = || Stop::Usage(format!("`--severity {value}`: write ID=SEVERITY with error, warning or info"));
        let (id, word) = value.split_once('=').ok_or_else(wrong)?;
        let severity = Severity::parse(word.trim()).ok_or_else(wrong)?;
        let id = ids("--severity", &[id.to_owned()], |_| Ok(()))?;
        rows.extend(id.into_iter().map(|id| SeverityRow {
            rule: id.to_owned(),
            severity,
            place: None,
            operator: true,
        }));
    }
    Ok(rows)
}

/// What there is to do with findings when the last is made: suppressions that did nothing, severities, the baseline.
pub(crate) fn settle(
    found: &mut Findings,
    settings: &Settings,
    sources: &SourceMap,
    args: &InputArgs,
) -> Result<(), Stop> {
    found.report_ignores();
    found.set_severities(&settings.findings.severities);
    if let Some(baseline) = baseline(args)? {
        found.leave_out_known(&baseline, sources);
    }
    Ok(())
}

/// The baseline that a flag or the environment names.
pub(crate) fn baseline(args: &InputArgs) -> Result<Option<Baseline>, Stop> {
    let Some(path) = args.baseline.as_ref().filter(|path| !path.is_empty()) else { return Ok(None) };
    let unread = |why: String| Stop::Usage(format!("the baseline {path} cannot be read: {why}"));
    let text = std::fs::read_to_string(path).map_err(|error| unread(error.to_string()))?;
    Baseline::read(&text).map(Some).map_err(|error| unread(error.to_string()))
}

/// Prints the findings to standard error, and to a file if one is asked for.
pub(crate) fn report(
    found: &Findings,
    sources: &SourceMap,
    args: &InputArgs,
    settings: &Settings,
    form: FindingsForm,
) -> Result<(), Stop> {
    let mut err = exit::err();
    let color = exit::color(&err);
    write_file(found, sources, args, settings)?;
    exit::unread(write(found, sources, args, settings, (form, color), &mut err))
}

/// Writes the findings to the file that was asked for, in the form that its name says.
pub(crate) fn write_file(
    found: &Findings,
    sources: &SourceMap,
    args: &InputArgs,
    settings: &Settings,
) -> Result<(), Stop> {
    let Some(path) = &args.findings_file else { return Ok(()) };
    let ends = [(".json", FindingsForm::Json), (".sarif", FindingsForm::Sarif), (".xml", FindingsForm::Junit)];
    let form = ends.iter().find(|(end, _)| path.ends_with(end)).map_or(FindingsForm::Text, |(_, form)| *form);
    let mut bytes = Vec::new();
    write(found, sources, args, settings, (form, false), &mut bytes)?;
    exit::write_file(path, &bytes)
}

/// Writes the findings in a form, with colours or not.
pub(crate) fn write(
    found: &Findings,
    sources: &SourceMap,
    args: &InputArgs,
    settings: &Settings,
    (form, color): (FindingsForm, bool),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let style = text::Style { color, quiet: args.quiet, verbose: args.verbose, ..text::Style::default() };
    match form {
        FindingsForm::Text => text::write(found, sources, &style, out),
        FindingsForm::Json => json::write(found, sources, out),
        FindingsForm::Sarif => sarif::write(found, sources, out),
        FindingsForm::Junit => junit::write(found, sources, settings.findings.fail_on, out),
        FindingsForm::Github => github::write(found, sources, out),
    }
}
