//! `tidegate convert`: manifests to another version, on standard output or where they stand.

use std::io::Write as _;

use tidegate::config::{Overrides, Settings, SplitVersion};
use tidegate::convert::{Target, Version};
use tidegate::report::conversions;
use tidegate::rewrite::{self, Request, Rewritten};
use tidegate::source::SourceMap;

use super::args::ConvertArgs;
use super::exit::{self, Stop};
use super::in_place;
use super::input::{self, Start};

pub(crate) fn run(args: ConvertArgs) -> Result<u8, Stop> {
    let Start { sources, mut settings, mut found } = input::read(&args.input, Overrides::default())?;
    let target = args.to.or_else(|| configured(&settings));
    usage(&args, target)?;
    let convert = &mut settings.convert;
    convert.allow_lossy |= args.allow_lossy;
    convert.lenient |= args.lenient;
    convert.weight_limit = args.weight_limit.or(convert.weight_limit);
    let request = Request { target, ports: &args.port, leaves_templates: args.check || args.in_place };
    let rewritten = rewrite::files(&sources, &settings, &request, &mut found);
    input::report(&found, &sources, &args.input, args.findings)?;
    let code = found.exit_code(settings.findings.fail_on);
    if !args.input.quiet {
        exit::unread(summary(&args, &rewritten, &sources, code))?;
    }
    match code {
        0 if args.check => Ok(u8::from(!rewritten.changed.is_empty())),
        0 if args.in_place => in_place::write(&rewritten.changed, &sources, args.input.root.as_deref()).map(|()| 0),
        0 => {
            let stream = rewritten.stream(&sources);
            exit::out().write_all(stream.as_bytes()).map_err(exit::no_output)?;
            Ok(0)
        }
        code => Ok(code),
    }
}

/// What the configuration says where no flag does. That a render converts nothing says nothing here.
fn configured(settings: &Settings) -> Option<Target> {
    match settings.convert.traffic_split {
        SplitVersion::Auto | SplitVersion::Off => None,
        SplitVersion::V1alpha1 => Some(Target::Version(Version::V1alpha1)),
        SplitVersion::V1alpha2 => Some(Target::Version(Version::V1alpha2)),
        SplitVersion::V1alpha3 => Some(Target::Version(Version::V1alpha3)),
        SplitVersion::V1alpha4 => Some(Target::Version(Version::V1alpha4)),
        SplitVersion::HttpRoute => Some(Target::HttpRoute),
    }
}

/// Flags that do not go together.
fn usage(args: &ConvertArgs, target: Option<Target>) -> Result<(), Stop> {
    let wrong = |message: &str| Err(Stop::Usage(message.to_owned()));
    let is_stdin = |path: &String| path == "-";
    if args.in_place && args.input.paths.iter().chain(&args.input.files).any(is_stdin) {
        return wrong("`--in-place` changes files, and standard input is none: leave out one of the two");
    }
    if !args.port.is_empty() && target != Some(Target::HttpRoute) {
        return wrong("`--port` is for routes: say `--to httproute` too");
    }
    Ok(())
}

/// Tells what was converted, or would be: the table, the files, the steps that routes need.
fn summary(args: &ConvertArgs, rewritten: &Rewritten<'_>, sources: &SourceMap, code: u8) -> std::io::Result<()> {
    let mut err = exit::err();
    if rewritten.rows.is_empty() {
        return match code {
            0 => writeln!(err, "nothing to convert"),
            _ => Ok(()),
        };
    }
    write!(err, "{}", conversions::table(&rewritten.rows))?;
    if !rewritten.steps.is_empty() {
        write!(err, "\nOn a cluster, one step after the other:\n{}", rewritten.steps)?;
    }
    let verb = match (code, args.check, args.in_place) {
        (0, true, _) => "would change",
        (0, _, true) => "changed",
        (0, ..) => return Ok(()),
        _ => return writeln!(err, "nothing was written"),
    };
    for file in rewritten.changed.keys() {
        writeln!(err, "{verb}: {}", tidegate::report::escape::escape(sources.path(*file).as_str()))?;
    }
    Ok(())
}
