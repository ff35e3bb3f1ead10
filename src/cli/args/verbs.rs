//! The other verbs.

use tidegate::emit::select::{LabelSelector, Pattern, Waves};

use super::{CheckForm, FindingsForm, Form, InputArgs, Layout, PlanForm, Stage, TextForm};

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

    /// Take back what tidegate wrote, and write nothing: no wave, option, checksum or versioned name
    #[arg(long, conflicts_with = "rendered")]
    pub(crate) strip: bool,
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

/// OLD and NEW are paths, - or git:REF[:PATH]. Each is rendered with its own configuration, else with that of the other but
/// for its patches; --rendered takes both as they are.
#[derive(Debug, clap::Args)]
#[command(override_usage = "tidegate diff [OPTIONS] OLD NEW")]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// What the output looks like
    #[arg(short, long, value_name = "FORM", default_value = "text")]
    pub(crate) output: TextForm,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// Ids, such as TG101; none lists all of them. `schema` prints the JSON Schema of tidegate.yaml
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
