//! `tidegate plan`: the order and its reasons.

use camino::Utf8Path;
use tidegate::config::Overrides;
use tidegate::flow::Planned;
use tidegate::object::ObjRef;
use tidegate::object::pattern::Pattern;
use tidegate::render;
use tidegate::report::plan;

use super::args::{FindingsForm, PlanArgs, TextForm};
use super::exit::{self, Stop};
use super::input::{self, Start};

pub(crate) fn run(mut args: PlanArgs) -> Result<u8, Stop> {
    let patterns = take_objects(&mut args)?;
    let Start { sources, settings, mut found } = input::read(&args.input, Overrides::default())?;
    let planned = render::plan(&sources, &settings, &mut found);
    input::settle(&mut found, &settings, &sources, &args.input)?;
    input::report(&found, &sources, &args.input, &settings, FindingsForm::Text)?;
    let code = found.exit_code(settings.findings.fail_on);
    if code != 0 {
        return Ok(code);
    }
    let mut out = exit::out();
    if patterns.is_empty() {
        match args.output {
            TextForm::Text => plan::write_text(&planned, &sources, &mut out)?,
            TextForm::Json => plan::write_json(&planned, &sources, &mut out)?,
        }
    }
    for object in chosen(&planned, &patterns)? {
        match args.output {
            TextForm::Text => plan::write_object(&planned, object, &sources, &mut out)?,
            TextForm::Json => plan::write_object_json(&planned, object, &sources, &mut out)?,
        }
    }
    std::mem::forget(planned);
    Ok(code)
}

/// Takes the objects out of what was named: a name that stands on disk, or `-`, is input; any other
/// is an object.
fn take_objects(args: &mut PlanArgs) -> Result<Vec<(String, Pattern)>, Stop> {
    let named = std::mem::take(&mut args.input.paths);
    let (paths, objects): (Vec<_>, Vec<_>) =
        named.into_iter().partition(|name| name == "-" || Utf8Path::new(name).exists());
    args.input.paths = paths;
    let pattern = |text: String| match text.parse() {
        Ok(pattern) => Ok((text, pattern)),
        Err(error) => Err(Stop::Usage(format!("`{text}` is neither a path that exists nor an object: {error}"))),
    };
    objects.into_iter().map(pattern).collect()
}

/// The objects that the patterns mean.
fn chosen(planned: &Planned<'_>, patterns: &[(String, Pattern)]) -> Result<Vec<ObjRef>, Stop> {
    let mut chosen = Vec::new();
    for (text, pattern) in patterns {
        let before = chosen.len();
        let meant = planned.objects().iter().filter(|(_, object)| pattern.matches(&object.id));
        chosen.extend(meant.map(|(at, _)| at));
        if chosen.len() == before {
            return Err(Stop::Usage(format!("`{text}` is no path that exists, and no object of the input matches it")));
        }
    }
    Ok(chosen)
}
