//! What a user can type: the verbs, what every verb that reads manifests takes, and a file for each family of
//! verbs.

mod apply;
mod cmp;
mod convert;
mod forms;
mod verbs;

use std::env;
use std::ffi::OsString;

use clap::{Arg, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use tidegate::config::{EngineName, ServedVersion, WaveMode, Word};
use tidegate::finding::Threshold;
use tidegate::object::gvk::is_dns_label;

pub(crate) use apply::{ApplyArgs, DryRun, WaitFor};
pub(crate) use cmp::*;
pub(crate) use convert::*;
pub(crate) use forms::*;
pub(crate) use verbs::*;

/// Renders Kubernetes manifests for GitOps, offline: staged and ordered
///
/// Manifests go to standard output, everything else to standard error.
/// Exit codes: 0 done; 1 findings at the threshold; 2 usage or configuration; 3 input that cannot be
/// read or is empty; 4 internal error.
#[derive(Debug, Parser)]
#[command(name = "tidegate", version, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// Variables of which an empty one is an error: what they name keeps something in, or secret, and a pipeline that lost it
/// must not go on without.
const NEVER_EMPTY: [&str; 2] = ["TIDEGATE_CHECKSUM_KEY_FILE", "TIDEGATE_ROOT"];

impl Args {
    /// Reads a command line, its first word the program, and the environment; an empty variable is one that is not set.
    ///
    /// # Errors
    /// What there is to say in place of a run, also help and the version.
    pub(crate) fn read(words: impl Iterator<Item = OsString>) -> Result<Self, clap::Error> {
        let matches = without_empty(Args::command()).try_get_matches_from(words)?;
        Args::from_arg_matches(&matches).map_err(|error| error.format(&mut Args::command()))
    }
}

/// A command whose arguments read no variable that is empty.
fn without_empty(command: Command) -> Command {
    let is_empty = |arg: &Arg| {
        let variable = arg.get_env().filter(|name| !NEVER_EMPTY.iter().any(|never| name == never));
        variable.and_then(env::var_os).is_some_and(|value| value.is_empty())
    };
    let set = |arg: Arg| if is_empty(&arg) { arg.env(None::<&str>) } else { arg };
    command.mut_args(set).mut_subcommands(without_empty)
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Print the manifests of the input, staged and ordered
    Render(Box<RenderArgs>),
    /// Look for findings and print nothing else
    Check(Box<CheckArgs>),
    /// Print the order and its reasons: of the whole input, or of the objects that are named
    Plan(Box<PlanArgs>),
    /// Apply the input with kubectl, wave by wave, waiting for what must be ready in between
    Apply(Box<ApplyArgs>),
    /// Render a list of objects from standard input, as kustomize and kpt run functions
    Fn(Box<FnArgs>),
    /// Be the config-management plugin of Argo CD
    Cmp(Box<CmpArgs>),
    /// Convert TrafficSplits, HTTPRouteGroups and old definitions, in files, folders, lists and streams
    Convert(Box<ConvertArgs>),
    /// Render two inputs and print what differs, and what restarts; exit code 1 where anything does
    Diff(Box<DiffArgs>),
    /// Write a commented configuration that fits a folder, if it has none
    Init(InitArgs),
    /// Explain a finding by its id, or list all of them; or print the schema of the configuration
    Explain(ExplainArgs),
    /// Print a completion script for a shell
    Completion(CompletionArgs),
    /// Print the version, and with -v what else decides how tidegate works
    Version(VersionArgs),
}

/// What to read and how; the same on every verb that reads manifests.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct InputArgs {
    /// Directories and files to read; - is standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,

    /// The same, as kubectl spells it; can be repeated
    #[arg(short = 'f', long = "filename", value_name = "PATH")]
    pub(crate) files: Vec<String>,

    /// Directory that links and configured paths must not leave [default: the input path]
    #[arg(long, value_name = "DIR", env = "TIDEGATE_ROOT", hide_env_values = true)]
    pub(crate) root: Option<String>,

    /// Configuration file [default: tidegate.yaml in the input directory]
    #[arg(short = 'c', long, value_name = "FILE", env = "TIDEGATE_CONFIG", hide_env_values = true)]
    pub(crate) config: Option<String>,

    /// Namespace of objects that name none; looked up, not written (see --write-namespace)
    #[arg(short = 'n', long, value_name = "NAME", env = "TIDEGATE_NAMESPACE", hide_env_values = true, value_parser = namespace)]
    pub(crate) namespace: Option<String>,

    /// What is applied now: say which workloads restart, and why, when the output takes its place
    #[arg(long, value_name = "PATH")]
    pub(crate) previous: Option<String>,

    /// Take the manifests as they are, as somebody rendered them: nothing is taken back or written
    #[arg(long)]
    pub(crate) rendered: bool,
    /// File with values for templates (*.yaml.tera); can be repeated, later ones go over earlier ones
    #[arg(long, value_name = "FILE", env = "TIDEGATE_VALUES", hide_env_values = true, value_delimiter = ',')]
    pub(crate) values: Vec<String>,

    /// Set a value for templates, as helm does: a.b=c; can be repeated, goes over all files
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,

    /// Take empty input for what is meant
    #[arg(long)]
    pub(crate) allow_empty: bool,

    /// For whom to order: argocd (writes sync waves), kubectl (only orders) or flux (by stage folders)
    #[arg(long, value_name = "ENGINE", env = "TIDEGATE_ENGINE", hide_env_values = true, value_parser = word::<EngineName>)]
    pub(crate) engine: Option<EngineName>,

    /// staged (a band of waves a stage) or minimal (as few waves as the order allows)
    #[arg(long, value_name = "MODE", env = "TIDEGATE_WAVES", hide_env_values = true, value_parser = word::<WaveMode>)]
    pub(crate) waves: Option<WaveMode>,

    /// What the cluster serves, where no definition in the input says it: GROUP/VERSION[/KIND]; can be repeated
    #[arg(
        long = "api-versions",
        value_name = "VERSION",
        env = "TIDEGATE_API_VERSIONS",
        hide_env_values = true,
        value_delimiter = ',',
        value_parser = served
    )]
    pub(crate) api_versions: Vec<Option<ServedVersion>>,

    /// OpenAPI document of a cluster, which objects are held to (kubectl get --raw /openapi/v2); can be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) openapi: Vec<String>,

    /// File with the key for checksums; its bytes count as they are
    #[arg(long, value_name = "FILE", env = "TIDEGATE_CHECKSUM_KEY_FILE", hide_env_values = true)]
    pub(crate) checksum_key_file: Option<String>,

    /// From which findings on nothing is printed and the exit code is 1: error, warning or never
    #[arg(long, value_name = "SEVERITY", env = "TIDEGATE_FAIL_ON", hide_env_values = true, value_parser = word::<Threshold>)]
    pub(crate) fail_on: Option<Threshold>,

    /// The same as --fail-on warning, and goes before it
    #[arg(long)]
    pub(crate) strict: bool,

    /// Raise a limit on the input: NAME is one of those that `tidegate version -v` lists
    #[arg(
        long = "limit",
        value_name = "NAME=NUMBER",
        env = "TIDEGATE_LIMIT",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub(crate) limits: Vec<String>,

    /// Leave out findings with this id; can be repeated
    #[arg(
        long = "ignore",
        visible_alias = "skip",
        value_name = "ID",
        env = "TIDEGATE_IGNORE",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub(crate) ignore: Vec<String>,

    /// Leave out all findings but those with this id, and those that refuse the output; can be repeated
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// Give findings with this id another severity: error, warning or info; can be repeated
    #[arg(
        long = "severity",
        value_name = "ID=SEVERITY",
        env = "TIDEGATE_SEVERITY",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub(crate) severities: Vec<String>,

    /// Leave out the findings that this file knows (see check --write-baseline)
    #[arg(long, value_name = "FILE", env = "TIDEGATE_BASELINE", hide_env_values = true)]
    pub(crate) baseline: Option<String>,

    /// Show errors only
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Show everything that was found, also what is many times the same
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,

    /// Write findings to a file too: JSON, SARIF or JUnit if its name ends in .json, .sarif or .xml
    #[arg(long, value_name = "FILE")]
    pub(crate) findings_file: Option<String>,
}

/// Makes a value of a flag out of the words that the configuration file takes.
fn word<W: Word>(text: &str) -> Result<W, String> {
    let words = || W::WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
    W::parse(text).ok_or_else(|| format!("possible values: {}", words()))
}

/// Takes a namespace as the configuration file does; an empty one is none.
fn namespace(text: &str) -> Result<String, String> {
    match text.is_empty() || is_dns_label(text) {
        true => Ok(text.to_owned()),
        false => Err("lower case letters, digits and inner `-`, at most 63 characters".to_owned()),
    }
}

/// Takes a version that a cluster serves; in an environment there may be an empty one.
fn served(text: &str) -> Result<Option<ServedVersion>, String> {
    match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some),
    }
}
