//! `--previous`, and the old side of a diff: what is applied now.

use camino::Utf8Path;
use tidegate::config::{Overrides, Settings, Writing};
use tidegate::finding::{Findings, Threshold};
use tidegate::flow::Planned;
use tidegate::source::{GIT, Revision, SourceMap};
use tidegate::{render, restart};

use super::args::{FindingsForm, InputArgs};
use super::exit::Stop;
use super::input::{self, Config, From, Start};

/// Reads one side of a comparison: a path, `-`, or a revision of git. `beside` is the path of the other side, which a
/// revision without a path means; `config` is the configuration that counts where the side has none.
pub(crate) fn side(path: &str, beside: Option<&str>, args: &InputArgs, config: Option<&Config>) -> Result<Start, Stop> {
    let args = InputArgs { paths: vec![path.to_owned()], files: Vec::new(), previous: None, ..args.clone() };
    let from = match path.strip_prefix(GIT) {
        Some(revision) => From::Revision(find(revision, beside)?),
        None => From::Inputs(input::inputs(&args)?),
    };
    input::side(&args, from, config, Overrides::default())
}

/// The old side of a diff and what it lies beside: of two revisions the one without a path means that of the other.
pub(crate) fn beside(old: String, new: &str) -> (String, String) {
    let path = new.strip_prefix(GIT).map(|new| new.split_once(':').map(|(_, path)| path));
    match path {
        None => (old, new.to_owned()),
        Some(Some(path)) if old.strip_prefix(GIT).is_some_and(|old| !old.contains(':')) => {
            (format!("{old}:{path}"), ".".to_owned())
        }
        Some(_) => (old, ".".to_owned()),
    }
}

/// The revision that is named: of the path of the other side, unless it names one of its own.
fn find(revision: &str, beside: Option<&str>) -> Result<Revision, Stop> {
    let beside = match beside.filter(|path| *path != "-" && !path.starts_with(GIT)) {
        Some(path) => path,
        None if revision.contains(':') => ".",
        None => {
            let message = format!("`{GIT}{revision}`: name the path in the repository, too: `{GIT}{revision}:PATH`");
            return Err(Stop::Usage(message));
        }
    };
    Revision::find(revision, Utf8Path::new(beside)).map_err(|error| Stop::Usage(format!("`{GIT}{revision}`: {error}")))
}

/// The settings of the old side: there may be nothing yet.
pub(crate) fn settings(settings: Settings, writing: Writing) -> Settings {
    let mut old = Settings { writing, ..settings };
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
    let named: Vec<&String> = args.paths.iter().chain(&args.files).collect();
    let beside = if let [one] = named[..] { Some(one.as_str()) } else { None };
    let config = input::config(args)?;
    // a configuration that is named is for what is rendered: what is applied now may have had its patches already
    let args = &InputArgs { config: None, ..args.clone() };
    let Start { sources, settings: old_settings, found: mut old_found } = side(path, beside, args, config.as_ref())?;
    let old_settings = settings(old_settings, Writing::AsItIs);
    let old = render::plan(&sources, &old_settings, &mut old_found);
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
