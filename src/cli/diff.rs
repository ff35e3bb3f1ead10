//! `tidegate diff`: what differs between two inputs once they are rendered, and what restarts.

use std::io::Write;

use tidegate::config::Writing;
use tidegate::report::diff::{self, Side};
use tidegate::{emit, render, restart};

use super::args::{DiffArgs, TextForm};
use super::exit::{self, Stop};
use super::input::{self, Start};
use super::previous;

/// The exit code where anything differs.
const DIFFERENT: u8 = 1;

pub(crate) fn run(mut args: DiffArgs) -> Result<u8, Stop> {
    let mut named: Vec<String> = std::mem::take(&mut args.input.paths);
    named.append(&mut args.input.files);
    let [old_path, new_path] = <[String; 2]>::try_from(named)
        .map_err(|_| Stop::Usage("name two inputs: `tidegate diff OLD NEW`".to_owned()))?;
    if old_path == "-" && new_path == "-" {
        return Err(Stop::Usage("standard input is one of the two at the most: it can be read once".to_owned()));
    }
    args.input.paths = vec![new_path.clone()];
    let config = input::config(&args.input)?;
    let Start { sources, settings, mut found } = previous::side(&new_path, Some("."), &args.input, None)?;
    let mut new = render::plan(&sources, &settings, &mut found);
    if let Some(code) = previous::refused(&found, &sources, &args.input)? {
        return Ok(code);
    }
    let (old_path, beside) = previous::beside(old_path, &new_path);
    let old = previous::side(&old_path, Some(&beside), &args.input, config.as_ref())?;
    let Start { sources: old_sources, settings: old_settings, found: mut old_found } = old;
    let writing = if args.input.rendered { Writing::AsItIs } else { Writing::Anew };
    let old_settings = previous::settings(old_settings, writing);
    let mut old = render::plan(&old_sources, &old_settings, &mut old_found);
    if let Some(code) = previous::refused(&old_found, &old_sources, &args.input)? {
        return Ok(code);
    }
    emit::finish_all(&mut old, &old_settings);
    emit::finish_all(&mut new, &settings);
    let restarts = restart::restarts(&old, &new, &settings);
    let sides = [
        Side { plan: &old, sources: &old_sources, found: &old_found },
        Side { plan: &new, sources: &sources, found: &found },
    ];
    let differences = diff::differences(&sides, &restarts);
    let text = match args.output {
        TextForm::Text => diff::text(&differences),
        TextForm::Json => diff::json(&differences),
    };
    exit::unread(exit::out().write_all(text.as_bytes()))?;
    Ok(if differences.is_empty() { 0 } else { DIFFERENT })
}
