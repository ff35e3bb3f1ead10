//! What a user can type.

use clap::{Parser, Subcommand, ValueEnum};
use tidegate::config::{EngineName, WaveMode, Word};
use tidegate::emit::select::{LabelSelector, Pattern, Waves};
use tidegate::finding::Threshold;
use tidegate::object::gvk::is_dns_label;

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

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Print the manifests of the input, staged and ordered
    Render(Box<RenderArgs>),
    /// Look for findings and print nothing else
    Check(Box<CheckArgs>),
    /// Print the order and its reasons: of the whole input, or of the objects that are named
    Plan(Box<PlanArgs>),
    /// Write a commented configuration that fits a folder, if it has none
    Init(InitArgs),
    /// Explain a finding by its id, or list all of them
    Explain(ExplainArgs),
    /// Print a completion script for a shell
    Completion(CompletionArgs),
    /// Print the version, and with -v what else decides how tidegate works
    Version(VersionArgs),
}

/// What to read and how; the same on every verb that reads manifests.
#[derive(Debug, Default, clap::Args)]
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

    /// Take empty input for what is meant
    #[arg(long)]
    pub(crate) allow_empty: bool,

    /// For whom to order: argocd (writes sync waves), kubectl (only orders) or flux (by stage folders)
    #[arg(long, value_name = "ENGINE", env = "TIDEGATE_ENGINE", hide_env_values = true, value_parser = word::<EngineName>)]
    pub(crate) engine: Option<EngineName>,

    /// staged (a band of waves a stage) or minimal (as few waves as the order allows)
    #[arg(long, value_name = "MODE", env = "TIDEGATE_WAVES", hide_env_values = true, value_parser = word::<WaveMode>)]
    pub(crate) waves: Option<WaveMode>,

    /// File with the key for checksums; its bytes count as they are
    #[arg(long, value_name = "FILE", env = "TIDEGATE_CHECKSUM_KEY_FILE", hide_env_values = true)]
    pub(crate) checksum_key_file: Option<String>,

    /// From which findings on nothing is printed and the exit code is 1: error, warning or never
    #[arg(long, value_name = "SEVERITY", env = "TIDEGATE_FAIL_ON", hide_env_values = true, value_parser = word::<Threshold>)]
    pub(crate) fail_on: Option<Threshold>,

    /// The same as --fail-on warning, and goes before it
    #[arg(long)]
    pub(crate) strict: bool,

    /// Raise a limit on the input: nesting, document-bytes, file-bytes, total-bytes, objects
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

#[derive(Debug, clap::Args)]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// What the output looks like
    #[arg(short, long, value_name = "FORM", default_value = "yaml")]
    pub(crate) output: Form,

    /// Form of the findings on standard error
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub(crate) findings: FindingsForm,

    /// Print one stage (can be repeated)
    #[arg(long, value_name = "STAGE", value_delimiter = ',')]
    pub(crate) stage: Vec<Stage>,

    /// Print one wave or a range of them: 0, -20..-10
    #[arg(long, value_name = "WAVE", allow_hyphen_values = true)]
    pub(crate) wave: Option<Waves>,

    /// Print objects with these labels, as kubectl -l reads them
    #[arg(short = 'l', long, value_name = "LABELS")]
    pub(crate) selector: Option<LabelSelector>,

    /// Print only these objects: KIND[.GROUP][/[NAMESPACE/]NAME], with * and ?; can be repeated
    #[arg(long, value_name = "OBJECT")]
    pub(crate) include: Vec<Pattern>,

    /// Print all but these objects; can be repeated
    #[arg(long, value_name = "OBJECT")]
    pub(crate) exclude: Vec<Pattern>,

    /// Write the namespace into objects that name none
    #[arg(long)]
    pub(crate) write_namespace: bool,

    /// Write files into a folder, one an object, instead of printing: removes those that an earlier run wrote there
    /// and this one does not, and touches no other
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<String>,

    /// Folders of --output-dir: one a stage, or in each of those one a wave
    #[arg(long, value_name = "LAYOUT", default_value = "stage", requires = "output_dir")]
    pub(crate) layout: Layout,

    /// List what --output-dir would do to each file, and do nothing
    #[arg(long, requires = "output_dir")]
    pub(crate) dry_run: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Form of the findings, or of the audit (text, json and md)
    #[arg(short, long, value_name = "FORM", default_value = "text")]
    pub(crate) output: CheckForm,

    /// Write the findings into a file for --baseline, and take them for known
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub(crate) write_baseline: Option<String>,

    /// Print what workloads read, whether it is refreshed, and whether a change restarts them
    #[arg(long)]
    pub(crate) audit: bool,
}

/// Every PATH that does not exist names objects: KIND[.GROUP][/[NAMESPACE/]NAME], with * and ?.
#[derive(Debug, clap::Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// What the output looks like
    #[arg(short, long, value_name = "FORM", default_value = "text")]
    pub(crate) output: PlanForm,
}

#[derive(Debug, clap::Args)]
pub(crate) struct InitArgs {
    /// The folder with the manifests
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) folder: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// Ids, such as TG101; none lists all of them
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompletionArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VersionArgs {
    /// What the output looks like
    #[arg(short, long, value_name = "FORM", default_value = "text")]
    pub(crate) output: TextForm,

    /// List the environment variables that are read, and the limits
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Yaml,
    Kyaml,
    Json,
    Name,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layout {
    Stage,
    Wave,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingsForm {
    Text,
    Json,
    Sarif,
    Junit,
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanForm {
    Text,
    Json,
    Md,
    Dot,
    Mermaid,
    Svg,
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextForm {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckForm {
    Text,
    Json,
    Sarif,
    Junit,
    Github,
    Md,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    Config,
    Crd,
    Workload,
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
