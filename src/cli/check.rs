//! `tidegate check`: findings and nothing else. They are the output, so they go to standard output;
//! where the audit is the output, they go to standard error.

use std::io::Write;

use tidegate::check;
use tidegate::config::Overrides;
use tidegate::finding::{Baseline, Findings};
use tidegate::render;
use tidegate::report::audit;
use tidegate::source::SourceMap;

use super::args::{CheckArgs, CheckForm, FindingsForm};
use super::exit::{self, Stop};
use super::input::{self, Start};
use super::previous;

pub(crate) fn run(args: CheckArgs) -> Result<u8, Stop> {
    let (form, audit_form) = forms(args.output);
    match (args.audit, audit_form, form) {
        (true, None, _) => return Err(Stop::Usage("the audit has the forms text, json and md".to_owned())),
        (false, _, None) => return Err(Stop::Usage("`-o md` is for `--audit`".to_owned())),
        _ => {}
    }
    let Start { sources, settings, mut found } = input::read(&args.input, Overrides::default())?;
    let planned = render::plan(&sources, &settings, &mut found);
    check::generated_names(&planned, &settings, &mut found);
    if let Some(code) = previous::compare(&args.input, &settings, &planned, &mut found)? {
        return Ok(code);
    }
    input::settle(&mut found, &settings, &sources, &args.input)?;
    if let Some(path) = &args.write_baseline {
        write_baseline(path, &mut found, &sources)?;
    }
    if let (true, Some(form)) = (args.audit, audit_form) {
        input::report(&found, &sources, &args.input, &settings, FindingsForm::Text)?;
        exit::unread(exit::out().write_all(audit::audit(&planned, &sources, form).as_bytes()))?;
    } else if let Some(form) = form {
        let mut out = exit::out();
        let color = exit::color(&out);
        input::write_file(&found, &sources, &args.input, &settings)?;
        exit::unread(input::write(&found, &sources, &args.input, &settings, (form, color), &mut out))?;
    }
    std::mem::forget(planned);
    Ok(found.exit_code(settings.findings.fail_on))
}

/// The form of findings and that of an audit that a word means.
fn forms(form: CheckForm) -> (Option<FindingsForm>, Option<audit::Form>) {
    match form {
        CheckForm::Text => (Some(FindingsForm::Text), Some(audit::Form::Text)),
        CheckForm::Json => (Some(FindingsForm::Json), Some(audit::Form::Json)),
        CheckForm::Sarif => (Some(FindingsForm::Sarif), None),
        CheckForm::Junit => (Some(FindingsForm::Junit), None),
        CheckForm::Github => (Some(FindingsForm::Github), None),
        CheckForm::Md => (None, Some(audit::Form::Markdown)),
    }
}

/// Writes what there is into a file, and takes it for known.
fn write_baseline(path: &str, found: &mut Findings, sources: &SourceMap) -> Result<(), Stop> {
    let baseline = Baseline::of(found, sources);
    let text = baseline.write().map_err(|error| Stop::Usage(format!("{path} cannot be written: {error}")))?;
    exit::write_file(path, text.as_bytes())?;
    found.leave_out_known(&baseline, sources);
    Ok(())
}
