//! What a user can type.

use clap::{Parser, Subcommand, ValueEnum};
use tidegate::config::{EngineName, ServedVersion, WaveMode, Word};
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
    /// Render a list of objects from standard input, as kustomize and kpt run functions
    Fn(Box<FnArgs>),
    /// Be the config-management plugin of Argo CD
    Cmp(Box<CmpArgs>),
    /// Explain a finding by its id, or list all of them
    Explain(ExplainArgs),
    /// Print a completion script for a shell
    Completion(CompletionArgs),
    /// Print the version, and with -v what else decides how tidegate works
    Version(VersionArgs),
}

/// What to read and how; the same on every verb that reads manifests.
#[derive(Clone, Debug, clap::Args)]
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

    /// For whom to order: argocd (writes sync waves) or kubectl (only orders)
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
    #[arg(long = "ignore", value_name = "ID", env = "TIDEGATE_IGNORE", hide_env_values = true, value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,

    /// Show errors only
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Show everything that was found, also what is many times the same
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,

    /// Write findings to a file too
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
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Form of the findings, or of the audit (md is for the audit alone)
    #[arg(short, long, value_name = "FORM", default_value = "text")]
    pub(crate) output: CheckForm,

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
    pub(crate) output: FindingsForm,
}

/// Reads a ResourceList (or plain documents) and answers with one. Configured by the list's
/// functionConfig: an object of tidegate.dev/v1alpha1, or a ConfigMap of parameters.
#[derive(Debug, clap::Args)]
pub(crate) struct FnArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Form of the findings on standard error
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub(crate) findings: FindingsForm,

    /// Write the namespace into objects that name none
    #[arg(long)]
    pub(crate) write_namespace: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CmpArgs {
    #[command(subcommand)]
    pub(crate) verb: CmpVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CmpVerb {
    /// Print the manifests of the application in whose folder it is started
    Generate(Box<CmpGenerateArgs>),
    /// Print the parameters that an application may set, as Argo CD announces them
    Parameters,
    /// Print the plugin.yaml of the sidecar
    PluginYaml(SetupArgs),
    /// Print what adds the sidecar to argocd-repo-server
    Install(InstallArgs),
    /// Explain why the plugin is not found or does not run: here, or in manifests of Argo CD
    Doctor(Box<DoctorArgs>),
    /// Generate once more in an environment that was recorded
    Replay(ReplayArgs),
}

/// Parameters of the application (`spec.source.plugin.parameters`) go over tidegate.yaml.
#[derive(Debug, clap::Args)]
pub(crate) struct CmpGenerateArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Write what decides the call into a file, for `tidegate cmp replay`
    #[arg(long, value_name = "FILE", env = "TIDEGATE_CMP_RECORD", hide_env_values = true)]
    pub(crate) record: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SetupArgs {
    /// Name of the plugin
    #[arg(long, value_name = "NAME", default_value = "tidegate")]
    pub(crate) name: String,

    /// The program, as the sidecar finds it
    #[arg(long, value_name = "PATH", default_value = "tidegate")]
    pub(crate) program: String,

    /// Image of the sidecar
    #[arg(long, value_name = "IMAGE", default_value = "tidegate:latest")]
    pub(crate) image: String,

    /// Give the plugin to applications that hold a file of this pattern, without their asking
    #[arg(long, value_name = "GLOB")]
    pub(crate) discover: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct InstallArgs {
    /// A patch for kustomize, or values of the argo-cd chart
    #[arg(long, value_name = "FORM", default_value = "kustomize")]
    pub(crate) form: SetupForm,

    #[command(flatten)]
    pub(crate) plugin: SetupArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SetupForm {
    Kustomize,
    Helm,
}

/// Without a PATH it looks at the machine, which should be the sidecar.
#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// The record, which `tidegate cmp generate --record` wrote
    #[arg(value_name = "RECORD")]
    pub(crate) record: String,

    /// The folder of the application
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
    pub(crate) output: FindingsForm,

    /// List the environment variables that are read, and the limits
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Yaml,
    Json,
    Name,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingsForm {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckForm {
    Text,
    Json,
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

/// Takes a version that a cluster serves; in an environment there may be an empty one.
fn served(text: &str) -> Result<Option<ServedVersion>, String> {
    match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some),
    }
}
