//! `tidegate fn`: a list of objects from standard input to standard output, as KRM functions do.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use tidegate::config::{self, Overrides, Raw};
use tidegate::finding::Findings;
use tidegate::function;
use tidegate::load::notes;
use tidegate::source::{self, Input, ReadOptions, Side, SourceFile, SourceMap};

use super::args::{Args, FnArgs, Verb};
use super::exit::{self, Stop};
use super::{findings, input};

/// A verb that nobody named.
type Unnamed = Box<dyn FnOnce() -> Result<u8, Stop>>;

/// What kustomize sets for the programs that it runs as plugins of the old kind
/// (`api/internal/plugins/execplugin`).
const PLUGIN_ROOT: &str = "KUSTOMIZE_PLUGIN_CONFIG_ROOT";

pub(crate) fn run(args: FnArgs) -> Result<u8, Stop> {
    if let Some(path) = args.input.paths.iter().chain(&args.input.files).next() {
        return Err(Stop::Usage(format!(
            "`{path}`: a function reads its list from standard input; `tidegate render` reads paths"
        )));
    }
    answer(args, None)
}

/// The verb that is meant where none is named: a host of functions starts a bare program, and one of
/// kustomize's old plugins gets the file of its configuration. Nothing where a person is at the keyboard.
pub(crate) fn unnamed() -> Option<Unnamed> {
    let mut words = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let Some(first) = words.next() else {
        return (!io::stdin().is_terminal()).then(|| Box::new(bare) as Unnamed);
    };
    let is_plugin = env::var_os(PLUGIN_ROOT).is_some() && Path::new(&first).is_file();
    is_plugin.then(|| Box::new(move || answer(parsed(words)?, Some(first))) as Unnamed)
}

/// No word at all: only a ResourceList says what is wanted.
fn bare() -> Result<u8, Stop> {
    let args = parsed(std::iter::empty())?;
    let (sources, found) = read(&args)?;
    let list = sources.iter().map(|(file, _)| file).next();
    match list.filter(|file| function::is_resource_list(*file, &sources)) {
        Some(_) => reply(&args, sources, found, None),
        None => Err(Stop::Usage("say what to do: `tidegate --help` lists the verbs".to_owned())),
    }
}

fn parsed(words: impl Iterator<Item = String>) -> Result<FnArgs, Stop> {
    let words = ["tidegate".to_owned(), "fn".to_owned()].into_iter().chain(words);
    match Args::read(words.map(Into::into)) {
        Ok(Args { verb: Verb::Fn(args) }) => Ok(*args),
        Ok(_) => Err(Stop::Usage("a function has no other verb".to_owned())),
        Err(error) => Err(Stop::Usage(error.to_string())),
    }
}

fn answer(args: FnArgs, config: Option<String>) -> Result<u8, Stop> {
    let (sources, found) = read(&args)?;
    // a host always sends a list; a plugin of the old kind may get no documents
    if config.is_none() && !args.input.allow_empty && sources.iter().all(|(_, file)| is_blank(file)) {
        let message = "standard input is empty, and an empty answer would delete everything: send a ResourceList or \
                       documents, or say `--allow-empty`";
        return Err(Stop::Machine(message.to_owned(), exit::INPUT));
    }
    reply(&args, sources, found, config)
}

/// Whether there is nothing in a file that could be read.
fn is_blank(file: &SourceFile) -> bool {
    file.readable && file.text().trim().is_empty()
}

fn read(args: &FnArgs) -> Result<(SourceMap, Findings), Stop> {
    let flags = input::overrides(&args.input, Overrides::default())?;
    let settings = config::Settings::resolve(None, Overrides::default(), flags);
    let options = ReadOptions { limits: &settings.limits, root: None, strict_links: false, side: Side::New };
    let reading = source::read(&[Input::Stdin], &options, &mut io::stdin().lock())
        .map_err(|error| Stop::Usage(error.to_string()))?;
    let mut found = Findings::default();
    notes::report(&reading.notes, &reading.map, &mut found);
    Ok((reading.map, found))
}

/// Runs the function. `config` names the file of a configuration that is no flag.
fn reply(args: &FnArgs, mut sources: SourceMap, mut found: Findings, config: Option<String>) -> Result<u8, Stop> {
    let Some(list) = sources.iter().map(|(file, _)| file).next() else {
        input::report(&found, &sources, &args.input, &config::Settings::default(), args.findings)?;
        return Ok(found.exit_code(Default::default()).max(exit::INPUT));
    };
    let given = given(args, config, &mut sources, &mut found)?;
    let flags = Overrides {
        write_namespace: args.write_namespace.then_some(true),
        ..input::overrides(&args.input, Overrides::default())?
    };
    let call = function::Call { given, flags, baseline: findings::baseline(&args.input)? };
    let reply = function::run(list, &sources, call, found);
    input::report(&reply.found, &sources, &args.input, &reply.settings, args.findings)?;
    let mut out = exit::out();
    out.write_all(reply.text.as_bytes()).and_then(|()| out.flush()).map_err(cut_short)?;
    Ok(reply.code)
}

/// A host that got half an answer must not take it for the whole: whoever went away did not read it.
fn cut_short(error: io::Error) -> Stop {
    Stop::Machine(format!("standard output: {error}: the answer was cut short"), exit::INPUT)
}

fn given(
    args: &FnArgs,
    config: Option<String>,
    sources: &mut SourceMap,
    found: &mut Findings,
) -> Result<Option<Raw>, Stop> {
    let Some(path) = config.or_else(|| args.input.config.clone()) else { return Ok(None) };
    input::config_at(&path, sources, found)
}
