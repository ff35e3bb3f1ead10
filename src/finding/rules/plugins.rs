//! Rules about the installation of a config-management plugin.

use super::super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[&PLUGIN_FILE, &SIDECAR, &APPLICATION, &SOURCE];

/// A plugin.yaml with a fault.
pub static PLUGIN_FILE: Rule = Rule {
    id: "TG811",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "the plugin.yaml of a config-management plugin is wrong",
    explanation: "\
argocd-cmp-server reads one file, `/home/argocd/cmp-server/config/plugin.yaml`, and does not start when it
cannot. What it says is in the log of the sidecar alone; an application then only says that no plugin was
found. `tidegate cmp plugin-yaml` prints a file that works.",
};

/// A sidecar with a fault.
pub static SIDECAR: Rule = Rule {
    id: "TG812",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "the sidecar of a config-management plugin is wrong, or not there",
    explanation: "\
A plugin is a container beside argocd-repo-server that runs argocd-cmp-server as user 999, with the folders of
the server, of the sockets and of its own temporary files mounted. Without one of them it starts and is not
found, or is found and fails. `tidegate cmp install` prints a container that works.",
};

/// An Application that finds no plugin.
pub static APPLICATION: Rule = Rule {
    id: "TG813",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "an Application asks for a plugin that is not there",
    explanation: "\
`spec.source.plugin.name` is the plugin's name, or its name, a `-` and its version where `spec.version` is
set. An application that names none gets the plugin whose `discover` rule matches; a plugin without such a
rule is found by its name alone.",
};

/// A source that cannot be built.
pub static SOURCE: Rule = Rule {
    id: "TG814",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "what makes the manifests of an application did not",
    explanation: "\
With the parameter `source`, kustomize or Helm makes the manifests that are rendered. They run without plugins,
network and other programs, and read nothing outside of the repository. Put what they need into the
repository: `helm dependency build` fills `charts/`, remote bases are copied (`kustomize localize`).",
};
