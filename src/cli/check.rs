//! `tidegate check`: findings and nothing else. They are the output, so they go to standard output.

use tidegate::config::Overrides;
use tidegate::render;

use super::args::CheckArgs;
use super::exit::{self, Stop};
use super::input;

pub(crate) fn run(args: CheckArgs) -> Result<u8, Stop> {
    let mut start = input::read(&args.input, Overrides::default())?;
    let planned = render::plan(&start.sources, &start.settings, &mut start.found);
    start.found.report_ignores();
    let mut out = exit::out();
    let color = exit::color(&out);
    start.write(&args.input, args.output, color, &mut out)?;
    start.write_findings_file(&args.input)?;
    let code = start.exit_code();
    std::mem::forget(planned);
    Ok(code)
}
