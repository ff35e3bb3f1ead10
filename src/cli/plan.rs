//! `tidegate plan`: the order and its reasons.

use std::io::Write;

use camino::Utf8Path;
use tidegate::config::Overrides;
use tidegate::flow::Planned;
use tidegate::object::ObjRef;
use tidegate::object::pattern::Pattern;
use tidegate::render;
use tidegate::report::plan;
use tidegate::source::SourceMap;

use super::args::{FindingsForm, PlanArgs, PlanForm};
use super::exit::{self, Stop};
use super::input::{self, Start};
use super::previous;

pub(crate) fn run(mut args: PlanArgs) -> Result<u8, Stop> {
    let patterns = take_objects(&mut args)?;
    let Start { sources, settings, mut found } = input::read(&args.input, Overrides::default())?;
    let planned = render::plan(&sources, &settings, &mut found);
    if let Some(code) = previous::compare(&args.input, &settings, &planned, &mut found)? {
        return Ok(code);
    }
    input::settle(&mut found, &settings, &sources, &args.input)?;
    input::report(&found, &sources, &args.input, &settings, FindingsForm::Text)?;
    let code = found.exit_code(settings.findings.fail_on);
    if code != 0 {
        return Ok(code);
    }
    let mut out = exit::out();
    if patterns.is_empty() {
        whole(&planned, &sources, args.output, &mut out)?;
    }
    for object in chosen(&planned, &patterns)? {
        match args.output {
            PlanForm::Json => plan::write_object_json(&planned, object, &sources, &mut out)?,
            PlanForm::Text => plan::write_object(&planned, object, &sources, &mut out)?,
            _ => {
                return Err(Stop::Usage(
                    "an object is told about as text or json; the other forms are of a whole plan".to_owned(),
                ));
            }
        }
    }
    std::mem::forget(planned);
    Ok(code)
}

/// Prints the whole plan in a form.
fn whole(planned: &Planned<'_>, sources: &SourceMap, form: PlanForm, out: &mut dyn Write) -> Result<(), Stop> {
    let text = match form {
        PlanForm::Text => return Ok(plan::write_text(planned, sources, out)?),
        PlanForm::Json => return Ok(plan::write_json(planned, sources, out)?),
        PlanForm::Md => plan::markdown(planned, sources),
        PlanForm::Dot => plan::dot(planned, sources),
        PlanForm::Mermaid => plan::mermaid(planned, sources),
        PlanForm::Svg => plan::svg(planned, sources),
        PlanForm::Html => plan::html(planned, sources).map_err(|why| Stop::Machine(why, exit::INTERNAL))?,
    };
    Ok(out.write_all(text.as_bytes())?)
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
