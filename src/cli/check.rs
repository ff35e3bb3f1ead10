//! `tidegate check`: findings and nothing else. They are the output, so they go to standard output.

use tidegate::config::Overrides;
use tidegate::render;

use super::args::CheckArgs;
use super::exit::{self, Stop};
use super::input::{self, Start};

pub(crate) fn run(args: CheckArgs) -> Result<u8, Stop> {
    let Start { sources, settings, mut found } = input::read(&args.input, Overrides::default())?;
    let planned = render::plan(&sources, &settings, &mut found);
    found.report_ignores();
    let mut out = exit::out();
    let color = exit::color(&out);
    input::write(&found, &sources, &args.input, args.output, color, &mut out)?;
    input::write_file(&found, &sources, &args.input)?;
    std::mem::forget(planned);
    Ok(found.exit_code(settings.findings.fail_on))
}
