//! `--previous`, and the old side of a diff: what is applied now.

use std::io;

use tidegate::config::{Settings, Writing};
use tidegate::finding::{Findings, Threshold};
use tidegate::flow::Planned;
use tidegate::load::notes;
use tidegate::source::{self, Input, ReadOptions, Side, SourceMap};
use tidegate::{render, restart};

use super::args::{FindingsForm, InputArgs};
use super::exit::Stop;
use super::input;

/// Reads the old side.
pub(crate) fn read(path: &str, args: &InputArgs, settings: &Settings) -> Result<(SourceMap, Findings), Stop> {
    let input = if path == "-" { Input::Stdin } else { Input::Path(path.into()) };
    let options = ReadOptions {
        limits: &settings.limits,
        root: args.root.as_ref().map(Into::into),
        strict_links: settings.input.strict,
        side: Side::Old,
    };
    let reading =
        source::read(&[input], &options, &mut io::stdin().lock()).map_err(|error| Stop::Usage(error.to_string()))?;
    let mut found = Findings::default();
    notes::report(&reading.notes, &reading.map, &mut found);
    Ok((reading.map, found))
}

/// The settings of the old side: there may be nothing yet.
pub(crate) fn settings(settings: &Settings, writing: Writing) -> Settings {
    let mut old = Settings { writing, ..settings.clone() };
    old.input.allow_empty = true;
    old
}

/// Says what happens to running pods when a plan takes the place of what `--previous` names. Gives an
/// exit code where that cannot be read.
pub(crate) fn compare(
    args: &InputArgs,
    new_settings: &Settings,
    planned: &Planned<'_>,
    found: &mut Findings,
) -> Result<Option<u8>, Stop> {
    let Some(path) = &args.previous else { return Ok(None) };
    let (sources, mut old_found) = read(path, args, new_settings)?;
    let old = render::plan(&sources, &settings(new_settings, Writing::AsItIs), &mut old_found);
    if let Some(code) = refused(&old_found, &sources, args)? {
        return Ok(Some(code));
    }
    restart::report(&restart::restarts(&old, planned, new_settings), planned, found);
    restart::skew(&old, planned, new_settings, found);
    Ok(None)
}

/// The exit code of an input that cannot be read, after its findings; nothing where it can.
pub(crate) fn refused(found: &Findings, sources: &SourceMap, args: &InputArgs) -> Result<Option<u8>, Stop> {
    let code = found.exit_code(Threshold::Never);
    if code == 0 {
        return Ok(None);
    }
    input::report(found, sources, args, &Settings::default(), FindingsForm::Text)?;
    Ok(Some(code))
}
