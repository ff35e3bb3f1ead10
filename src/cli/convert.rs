//! `tidegate convert`: manifests to another version, on standard output or where they stand.

use std::io::{self, Write as _};

use tidegate::config::{Overrides, Settings, SplitVersion};
use tidegate::convert::{Target, Version, plan, traffic_split};
use tidegate::finding::{Finding, rules};
use tidegate::load;
use tidegate::report::conversions;
use tidegate::rewrite::{self, Request, Rewritten};
use tidegate::source::{self, Input, Limits, ReadOptions, Side, SourceMap};
use tidegate::webhook::review;

use super::args::{ConvertArgs, StepsForm};
use super::definition;
use super::exit::{self, Stop};
use super::in_place;
use super::input::{self, Start};

pub(crate) fn run(args: ConvertArgs) -> Result<u8, Stop> {
    if let Some(path) = &args.review {
        return review(path);
    }
    if args.definition.crd {
        return definition::run(&args);
    }
    let asked = match (&args.to, args.plan) {
        (Some(target), Some(_)) if target == "httproute" => {
            return Err(Stop::Usage("`--plan` leads to a version of a definition, and httproute is none".to_owned()));
        }
        (Some(version), Some(form)) => return plan(&args, version, form),
        (None, Some(_)) => return Err(Stop::Usage("`--plan` leads to a version: say `--to VERSION` too".to_owned())),
        (Some(to), None) => Some(to.parse().map_err(|error| Stop::Usage(format!("`--to {to}`: {error}")))?),
        (None, None) => None,
    };
    let Start { sources, mut settings, mut found } = input::read(&args.input, Overrides::default())?;
    let target = asked.or_else(|| configured(&settings));
    usage(&args, target)?;
    let convert = &mut settings.convert;
    convert.allow_lossy |= args.allow_lossy;
    convert.lenient |= args.lenient;
    convert.weight_limit = args.weight_limit.or(convert.weight_limit);
    let request = Request { target, ports: &args.port, leaves_templates: args.check || args.in_place };
    let rewritten = rewrite::files(&sources, &settings, &request, &mut found);
    input::report(&found, &sources, &args.input, &settings, args.findings)?;
    let code = found.exit_code(settings.findings.fail_on);
    if code == 0 && args.in_place {
        in_place::write(&rewritten.changed, &sources, args.input.root.as_deref())?;
    }
    if !args.input.quiet {
        exit::unread(summary(&args, &rewritten, &sources, code))?;
    }
    match code {
        0 if args.check => Ok(u8::from(!rewritten.changed.is_empty())),
        0 if args.in_place => Ok(0),
        0 => {
            let stream = rewritten.stream(&sources);
            exit::out().write_all(stream.as_bytes()).map_err(exit::no_output)?;
            Ok(0)
        }
        code => Ok(code),
    }
}

/// Answers a ConversionReview. That its objects cannot be converted is an answer too, and exit code 1.
fn review(path: &str) -> Result<u8, Stop> {
    let limits = Limits::default();
    let input = if path == "-" { Input::Stdin } else { Input::Path(path.into()) };
    let options = ReadOptions { limits: &limits, root: None, strict_links: true, side: Side::New };
    let reading = source::read(&[input], &options, &mut io::stdin().lock());
    let reading = reading.map_err(|error| Stop::Usage(error.to_string()))?;
    let file = reading.map.iter().map(|(_, file)| file).find(|file| file.readable);
    let Some(file) = file else {
        return Err(Stop::Machine(format!("the review `{path}` cannot be read"), exit::INPUT));
    };
    let (answer, converted) = review::answer_text(file.text(), &review::Limits::default())
        .map_err(|error| Stop::Machine(format!("{path}: {error}"), exit::INPUT))?;
    exit::out().write_all(answer.as_bytes()).map_err(exit::no_output)?;
    Ok(u8::from(!converted))
}

/// Prints the way of a definition to a stored version.
fn plan(args: &ConvertArgs, version: &str, form: StepsForm) -> Result<u8, Stop> {
    let Start { sources, settings, mut found } = input::read(&args.input, Overrides::default())?;
    let loaded = load::objects(&sources, &settings, &mut found);
    let split = (traffic_split::KIND.group, traffic_split::KIND.kind);
    let definition = plan::definition(&loaded.objects, Some(split)).or_else(|| plan::definition(&loaded.objects, None));
    let planned = match definition {
        Some(definition) => plan::plan(definition, version, &mut found).ok(),
        None => {
            let message = "the input holds no definition of TrafficSplit, and not one definition alone";
            let remedy =
                "`kubectl get crd trafficsplits.split.smi-spec.io -o yaml | tidegate convert --plan --to VERSION -`";
            found.push(Finding::new(&rules::crds::NO_PLAN, message).with_remedy(remedy));
            None
        }
    };
    input::report(&found, &sources, &args.input, &settings, args.findings)?;
    let code = found.exit_code(settings.findings.fail_on);
    if let Some(plan) = planned.filter(|_| code == 0) {
        let text = match form {
            StepsForm::Text => plan.text(),
            StepsForm::Script => plan.script(),
        };
        exit::out().write_all(text.as_bytes()).map_err(exit::no_output)?;
    }
    Ok(code)
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
fn summary(args: &ConvertArgs, rewritten: &Rewritten<'_>, sources: &SourceMap, code: u8) -> io::Result<()> {
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
