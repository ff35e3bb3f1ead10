//! `tidegate convert`.

use clap::ValueEnum;

use super::{FindingsForm, InputArgs};

/// Converted manifests go to standard output in the order of the input, and with them all that is not
/// converted, as it is; what was converted is told on standard error, with weights before and after.
/// Comments, form and order of what does not change stay.
#[derive(Debug, clap::Args)]
#[command(override_usage = "tidegate convert [OPTIONS] [--to <TARGET>] [PATH]...
       tidegate convert --plan[=<FORM>] --to <VERSION> [PATH]...
       tidegate convert --crd --served <VERSIONS> --stored <VERSION> [--conversion <WHO>]
       tidegate convert --review <FILE>")]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// What TrafficSplits become: v1alpha1, v1alpha2, v1alpha3, v1alpha4 or httproute [default: those of
    /// v1alpha1 the lowest later version that is served]
    #[arg(long, value_name = "TARGET")]
    pub(crate) to: Option<String>,

    /// Print the safe way of the definition in the input to the stored version --to: as text, or as a
    /// script that runs kubectl
    #[arg(
        long,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text",
        conflicts_with_all = ["check", "in_place", "port", "weight_limit", "lenient", "allow_lossy"]
    )]
    pub(crate) plan: Option<StepsForm>,

    /// Answer one ConversionReview of an API server, of a file or of standard input (-)
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["paths", "files", "to", "plan", "check", "in_place", "port", "weight_limit", "lenient", "allow_lossy"]
    )]
    pub(crate) review: Option<String>,

    #[command(flatten)]
    pub(crate) definition: DefinitionArgs,

    /// Write nothing; exit with 1 if anything would change
    #[arg(long, conflicts_with = "in_place")]
    pub(crate) check: bool,

    /// Change the files that were read: all of them, or none
    #[arg(short, long)]
    pub(crate) in_place: bool,

    /// Drop fields that the target cannot hold, and say which
    #[arg(long)]
    pub(crate) allow_lossy: bool,

    /// Read Quantities where whole numbers belong
    #[arg(long)]
    pub(crate) lenient: bool,

    /// The largest weight, and the largest sum of weights, that may be written
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=2_147_483_647))]
    pub(crate) weight_limit: Option<u64>,

    /// Make routes for this port of the root Service only; can be repeated [default: all of them]
    #[arg(long, value_name = "PORT", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Vec<u16>,

    /// Form of the findings on standard error
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub(crate) findings: FindingsForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StepsForm {
    Text,
    Script,
}

/// The definition of TrafficSplit that `--crd` prints.
#[derive(Debug, clap::Args)]
pub(crate) struct DefinitionArgs {
    /// Print the definition of TrafficSplit with the versions --served and --stored
    #[arg(
        long,
        requires_all = ["served", "stored"],
        conflicts_with_all = ["paths", "files", "to", "plan", "review", "check", "in_place", "port", "weight_limit", "lenient", "allow_lossy"]
    )]
    pub(crate) crd: bool,

    /// Of --crd: versions that can be read and written, with commas between them
    #[arg(long, value_name = "VERSIONS", requires = "crd")]
    pub(crate) served: Option<String>,

    /// Of --crd: the version that objects are stored in
    #[arg(long, value_name = "VERSION", requires = "crd")]
    pub(crate) stored: Option<String>,

    /// Of --crd: who makes one version of another [default: none]
    #[arg(long, value_name = "WHO", requires = "crd")]
    pub(crate) conversion: Option<ConversionForm>,

    /// Of --crd: the Service of the webhook [default: tidegate/tidegate-webhook]
    #[arg(long, value_name = "NAMESPACE/NAME", requires = "crd")]
    pub(crate) webhook_service: Option<String>,

    /// Of --crd: PEM of those who signed the webhook's certificate [default: cert-manager writes it, from a
    /// Certificate named as the Service]
    #[arg(long, value_name = "FILE", requires = "crd")]
    pub(crate) ca_bundle: Option<String>,
}

/// Who makes one version of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConversionForm {
    /// Nobody: the API server changes `apiVersion` alone
    None,
    /// A webhook, such as tidegate-webhook
    Webhook,
}
