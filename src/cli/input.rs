//! What every verb that reads manifests does first: configuration, settings, sources.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use tidegate::config::{self, ChecksumKey, LimitOverrides, OpenApi, Overrides, Raw, Settings, Writing};
use tidegate::finding::{Findings, Ignore, Scope, Threshold};
use tidegate::load::notes;
use tidegate::plugin::{self, Environment};
use tidegate::source::{self, Input, ReadOptions, Revision, Role, Side, SourceFile, SourceMap};
use tidegate::template;

use super::args::{FindingsForm, InputArgs};
use super::exit::Stop;
use super::findings;
pub(crate) use super::findings::{report, settle, write, write_file};
use super::named::{self, Named};

/// The name of the configuration in an input folder.
pub(crate) const CONFIG: &str = "tidegate.yaml";

/// Everything that a run starts from.
pub(crate) struct Start {
    pub(crate) sources: SourceMap,
    pub(crate) settings: Settings,
    pub(crate) found: Findings,
}

/// What the host of a plugin hands in.
pub(crate) struct Call<'e> {
    /// What is read, in place of the paths of the command line.
    pub(crate) inputs: Vec<Input>,
    /// What links and configured paths must not leave.
    pub(crate) root: Utf8PathBuf,
    /// The environment of the call.
    pub(crate) environment: &'e Environment,
}

impl Call<'_> {
    /// What the host says, below what the operator says.
    fn overrides(&self) -> Overrides {
        let versions = self.environment.api_versions().unwrap_or_default().split(',');
        Overrides {
            namespace: self.environment.namespace().map(str::to_owned),
            api_versions: Some(versions.filter_map(|version| version.trim().parse().ok()).collect()),
            ..Overrides::default()
        }
    }
}

/// What a run reads.
pub(crate) enum From {
    /// Paths and standard input.
    Inputs(Vec<Input>),
    /// What a revision of git holds.
    Revision(Revision),
}

/// A configuration that was found, and not read yet.
#[derive(Clone)]
pub(crate) struct Config {
    /// Its path, as it is shown.
    path: Utf8PathBuf,
    text: String,
    /// The folder that holds it, if that is one of a revision.
    revision: Option<Revision>,
}

/// Reads configuration and input. `flags` holds what the verb adds to the flags of every verb.
pub(crate) fn read(args: &InputArgs, flags: Overrides) -> Result<Start, Stop> {
    start(args, From::Inputs(inputs(args)?), config(args)?, None, flags)
}

/// Reads one side of a comparison. Without a configuration of its own it has the one that is given, but for its patches:
/// they are for what is written beside it.
pub(crate) fn side(args: &InputArgs, from: From, other: Option<&Config>, flags: Overrides) -> Result<Start, Stop> {
    let own = match &from {
        From::Inputs(_) => config(args)?,
        From::Revision(revision) => config_of(revision, args)?,
    };
    let is_borrowed = own.is_none();
    let mut start = start(args, from, own.or_else(|| other.cloned()), None, flags)?;
    if is_borrowed {
        start.settings.patches.clear();
    }
    Ok(start)
}

/// The same for a plugin, which is told by its host what to read.
pub(crate) fn call(args: &InputArgs, call: Call<'_>) -> Result<Start, Stop> {
    let inputs = call.inputs.clone();
    start(args, From::Inputs(inputs), config(args)?, Some(&call), Overrides::default())
}

fn start(
    args: &InputArgs,
    from: From,
    config: Option<Config>,
    call: Option<&Call<'_>>,
    flags: Overrides,
) -> Result<Start, Stop> {
    let flags = overrides(args, flags)?;
    let host = call.map(Call::overrides).unwrap_or_default();
    let raw = |sources: &mut SourceMap, found: &mut Findings| {
        let file = config.as_ref().and_then(|config| configure(config, sources, found));
        let asked = call.and_then(|call| plugin::asked(call.environment, sources, found).settings);
        match (asked, file) {
            (Some(asked), Some(file)) => Some(asked.over(file)),
            (asked, file) => asked.or(file),
        }
    };
    let early = raw(&mut SourceMap::default(), &mut Findings::default());
    let settings = Settings::resolve(early, host.clone(), flags.clone());
    let options = ReadOptions {
        limits: &settings.limits,
        root: call.map(|call| call.root.clone()).or_else(|| options_root(args)),
        strict_links: settings.input.strict || call.is_some(),
        side: Side::New,
    };
    let reading = match &from {
        From::Inputs(inputs) => source::read(inputs, &options, &mut io::stdin().lock()),
        From::Revision(revision) => Ok(revision.read(&options)),
    };
    let reading = reading.map_err(|error| Stop::Usage(error.to_string()))?;
    let mut sources = reading.map;
    let mut found = Findings::default();
    notes::report(&reading.notes, &sources, &mut found);
    // once more, so that places in the settings lead into the sources of the run
    let raw = raw(&mut sources, &mut found);
    let mut settings = Settings::resolve(raw, host, flags);
    let root = call.map(|call| call.root.clone()).or_else(|| options_root(args));
    let folder = config.as_ref().map(|config| config.path.parent().unwrap_or(Utf8Path::new("")));
    let revision = config.as_ref().and_then(|config| config.revision.as_ref());
    let mut named = Named { folder, revision, root, sources: &mut sources, found: &mut found };
    named.patches(&mut settings);
    let values = named.values(args, &settings)?;
    if template::expand(&mut sources, &values, &settings, &mut found).is_err() {
        return end(&found, &sources, args);
    }
    let ignores = settings.findings.ignore.iter().chain(&settings.findings.ignore_by_operator);
    ignores.for_each(|ignore| found.ignore(ignore.clone()));
    Ok(Start { sources, settings, found })
}

/// What paths and `-` name.
pub(crate) fn inputs(args: &InputArgs) -> Result<Vec<Input>, Stop> {
    let named: Vec<_> = args.paths.iter().chain(&args.files).collect();
    if named.is_empty() {
        return Err(Stop::Usage("name a directory, a file, or - for standard input".to_owned()));
    }
    let input = |name: &&String| match name.as_str() {
        "-" => Input::Stdin,
        path => Input::Path(path.into()),
    };
    Ok(named.iter().map(input).collect())
}

/// Reads the configuration file at a path; nothing comes back where its findings say why.
pub(crate) fn config_at(path: &str, sources: &mut SourceMap, found: &mut Findings) -> Result<Option<Raw>, Stop> {
    let config = read_config(path.into(), None)?;
    Ok(config.and_then(|config| configure(&config, sources, found)))
}

fn options_root(args: &InputArgs) -> Option<Utf8PathBuf> {
    args.root.as_ref().map(Utf8PathBuf::from)
}

/// Ends the run at once, with the findings that there are: a template is still at work.
fn end<T>(found: &Findings, sources: &SourceMap, args: &InputArgs) -> Result<T, Stop> {
    report(found, sources, args, &Settings::default(), FindingsForm::Text)?;
    Err(Stop::Reported(found.exit_code(Threshold::Error)))
}

/// The configuration file of the run: the one that is named, else the one in an input folder.
pub(crate) fn config(args: &InputArgs) -> Result<Option<Config>, Stop> {
    let named = args.config.as_ref().map(Utf8PathBuf::from);
    match named {
        Some(path) => read_config(path, None),
        None => match holders(args)[..] {
            [] => Ok(None),
            [folder] => read_config(in_folder(folder), Some(folder.to_owned())),
            [one, other, ..] => {
                Err(Stop::Usage(format!("both {one} and {other} hold a {CONFIG}: say which with --config")))
            }
        },
    }
}

/// The same for a revision.
fn config_of(revision: &Revision, args: &InputArgs) -> Result<Option<Config>, Stop> {
    let file = revision.join(CONFIG);
    if args.config.is_some() || !file.exists() {
        return args.config.as_ref().map_or(Ok(None), |path| read_config(path.into(), None));
    }
    let text = named::text_of(&file).map_err(|why| Stop::Usage(format!("the configuration {why}")))?;
    Ok(Some(Config { path: file.shown(), text, revision: Some(revision.clone()) }))
}

fn read_config(path: Utf8PathBuf, root: Option<Utf8PathBuf>) -> Result<Option<Config>, Stop> {
    if path.is_dir() {
        return Err(Stop::Usage(format!("the configuration `{path}` is a folder, not a file")));
    }
    let text = named::text(&path, root).map_err(|why| Stop::Usage(format!("the configuration {why}")))?;
    Ok(Some(Config { path, text, revision: None }))
}

/// The inputs that hold something of the configuration's name, readable or not, each folder once.
fn holders(args: &InputArgs) -> Vec<&Utf8Path> {
    let mut known = Vec::new();
    let folders = args.paths.iter().chain(&args.files).map(Utf8Path::new);
    folders
        .filter(|folder| {
            let config = folder.join(CONFIG);
            let real = folder.canonicalize().ok();
            let holds = (config.is_symlink() || config.exists()) && !known.contains(&real);
            if holds {
                known.push(real);
            }
            holds
        })
        .collect()
}

/// The configuration of a folder, named as the other files of the folder are.
fn in_folder(folder: &Utf8Path) -> Utf8PathBuf {
    match folder.as_str() {
        "." => Utf8PathBuf::from(CONFIG),
        _ => folder.join(CONFIG),
    }
}

/// Reads the configuration as a file of a source map, so that findings can point into it.
fn configure(config: &Config, sources: &mut SourceMap, found: &mut Findings) -> Option<Raw> {
    let mut file = SourceFile::new(config.path.clone(), config.text.as_str());
    file.role = Role::Tool;
    let file = sources.add(file);
    config::read(&config.text, file, found)
}

/// What flags and environment say; the one wins over the other in the parser of the command line.
pub(crate) fn overrides(args: &InputArgs, verb: Overrides) -> Result<Overrides, Stop> {
    // `fail_on` may come from the environment, which a flag goes before
    let fail_on = args.strict.then_some(Threshold::Warning).or(args.fail_on);
    let ignore = |id: &'static str| Ignore {
        id: id.to_owned(),
        reason: "a flag or the environment says so".to_owned(),
        scope: Scope::Everything,
        operator: true,
        label: None,
    };
    Ok(Overrides {
        namespace: args.namespace.clone().filter(|namespace| !namespace.is_empty()),
        allow_empty: args.allow_empty.then_some(true),
        engine: args.engine,
        wave_mode: args.waves,
        api_versions: Some(args.api_versions.iter().flatten().cloned().collect()),
        checksum_key: args.checksum_key_file.as_deref().map(checksum_key).transpose()?,
        writing: args.rendered.then_some(Writing::AsItIs).or(verb.writing),
        openapi: openapi(&args.openapi)?,
        fail_on,
        ignore: findings::left_out(args)?.into_iter().map(ignore).collect(),
        severities: findings::severities(&args.severities)?,
        limits: limits(&args.limits)?,
        ..verb
    })
}

/// The key for checksums, out of a file that a flag or the operator's environment names.
#[allow(
    clippy::disallowed_methods,
    reason = "a key is no manifest: the user names the file, and its bytes are kept as they are"
)]
fn checksum_key(path: &str) -> Result<ChecksumKey, Stop> {
    let bytes =
        std::fs::read(path).map_err(|error| Stop::Usage(format!("the key file {path} cannot be read: {error}")))?;
    ChecksumKey::new(bytes).ok_or_else(|| Stop::Usage(format!("the key file {path} is empty")))
}

/// The OpenAPI documents in the files that flags name.
#[allow(clippy::disallowed_methods, reason = "a document of a cluster is no manifest, and the user names its file")]
fn openapi(paths: &[String]) -> Result<Option<OpenApi>, Stop> {
    if paths.is_empty() {
        return Ok(None);
    }
    let unread = |path: &String, why: &dyn std::fmt::Display| {
        Stop::Usage(format!("the OpenAPI document {path} cannot be read: {why}"))
    };
    let texts = paths.iter().map(|path| std::fs::read_to_string(path).map_err(|error| unread(path, &error)));
    let texts: Vec<String> = texts.collect::<Result<_, _>>()?;
    let read = OpenApi::read(texts.iter().map(String::as_str));
    read.map(Some).map_err(|(nth, why)| unread(&paths[nth], &why))
}

fn limits(values: &[String]) -> Result<LimitOverrides, Stop> {
    let mut limits = LimitOverrides::default();
    for value in values {
        let wrong = || {
            Stop::Usage(format!(
                "`--limit {value}`: write NAME=NUMBER with one of the names that `tidegate version -v` lists"
            ))
        };
        let (name, number) = value.split_once('=').ok_or_else(wrong)?;
        let number: u64 = number.trim().parse().map_err(|_| wrong())?;
        let size = usize::try_from(number).map_err(|_| wrong())?;
        match name.trim() {
            "nesting" => limits.nesting = Some(size),
            "document-bytes" => limits.document_bytes = Some(size),
            "file-bytes" => limits.file_bytes = Some(number),
            "total-bytes" => limits.total_bytes = Some(number),
            "objects" => limits.objects = Some(size),
            "template-bytes" => limits.template_bytes = Some(number),
            "template-items" => limits.template_items = Some(number),
            "template-seconds" => limits.template_seconds = Some(number),
            _ => return Err(wrong()),
        }
    }
    Ok(limits)
}
