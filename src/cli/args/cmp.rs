//! What hosts type: functions, and the plugin of Argo CD.

use clap::{Subcommand, ValueEnum};

use super::{FindingsForm, InputArgs};

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
