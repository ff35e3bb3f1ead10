//! `tidegate check`: findings and nothing else. They are the output, so they go to standard output;
//! where the audit is the output, they go to standard error.

use std::io::Write;

use tidegate::config::Overrides;
use tidegate::render;
use tidegate::report::audit;

use super::args::{CheckArgs, CheckForm, FindingsForm};
use super::exit::{self, Stop};
use super::input::{self, Start};
use super::previous;

pub(crate) fn run(args: CheckArgs) -> Result<u8, Stop> {
    let (form, audit_form) = match args.output {
        CheckForm::Text => (FindingsForm::Text, audit::Form::Text),
        CheckForm::Json => (FindingsForm::Json, audit::Form::Json),
        CheckForm::Md if args.audit => (FindingsForm::Text, audit::Form::Markdown),
        CheckForm::Md => return Err(Stop::Usage("`-o md` is for `--audit`".to_owned())),
    };
    let Start { sources, settings, mut found } = input::read(&args.input, Overrides::default())?;
    let planned = render::plan(&sources, &settings, &mut found);
    if let Some(code) = previous::compare(&args.input, &settings, &planned, &mut found)? {
        return Ok(code);
    }
    found.report_ignores();
    if args.audit {
        input::report(&found, &sources, &args.input, FindingsForm::Text)?;
        exit::unread(exit::out().write_all(audit::audit(&planned, &sources, audit_form).as_bytes()))?;
    } else {
        let mut out = exit::out();
        let color = exit::color(&out);
        input::write_file(&found, &sources, &args.input)?;
        exit::unread(input::write(&found, &sources, &args.input, form, color, &mut out))?;
    }
    std::mem::forget(planned);
    Ok(found.exit_code(settings.findings.fail_on))
}
