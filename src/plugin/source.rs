//! What makes the manifests of an application: its files as they are, kustomize, or Helm.

#![allow(clippy::disallowed_methods, reason = "what a folder holds is asked of the file system")]

use std::path::PathBuf;
use std::time::Duration;

use camino::Utf8Path;

use super::parameters::Asked;
use super::{Child, Environment, bounds, kustomization};
use crate::source::Limits;

/// What makes the manifests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SourceKind {
    /// The files as they are.
    #[default]
    Plain,
    /// `kustomize build`.
    Kustomize,
    /// `helm template`.
    Helm,
    /// Helm where there is a Chart.yaml, else kustomize where there is a kustomization, else the files.
    Auto,
}

/// The words for what makes the manifests.
pub const SOURCES: [(&str, SourceKind); 4] = [
    ("plain", SourceKind::Plain),
    ("kustomize", SourceKind::Kustomize),
    ("helm", SourceKind::Helm),
    ("auto", SourceKind::Auto),
];

/// Where the programs are: the operator says so, never the input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tools {
    /// kustomize.
    pub kustomize: Option<PathBuf>,
    /// Helm.
    pub helm: Option<PathBuf>,
    /// An empty folder that the programs may take for their home.
    pub home: PathBuf,
}

/// Where the manifests of a call come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The files of the folder.
    Files,
    /// A program prints them.
    Program(Box<Child>),
}

/// What a call is to render, by what is asked for and what the folder holds. `root` is the root of the copied
/// tree, which nothing that is read may leave.
///
/// # Errors
/// Says what is missing, or what leads out of the tree.
pub fn find(
    asked: &Asked,
    folder: &Utf8Path,
    root: &Utf8Path,
    environment: &Environment,
    tools: &Tools,
) -> Result<Source, String> {
    let is_chart = folder.join("Chart.yaml").is_file();
    let kind = match asked.source {
        SourceKind::Auto if is_chart => SourceKind::Helm,
        SourceKind::Auto if kustomization::find(folder).is_some() => SourceKind::Kustomize,
        SourceKind::Auto => SourceKind::Plain,
        kind => kind,
    };
    match kind {
        SourceKind::Plain | SourceKind::Auto => Ok(Source::Files),
        SourceKind::Kustomize => {
            if kustomization::find(folder).is_none() {
                return Err("`source: kustomize`, and there is no kustomization.yaml in the folder of the application"
                    .to_owned());
            }
            kustomization::stays_inside(folder, root)?;
            let program = tools.kustomize.clone().ok_or_else(|| missing("kustomize", "TIDEGATE_KUSTOMIZE"))?;
            let arguments = vec!["build".to_owned(), ".".to_owned()];
            Ok(program_source(program, arguments, folder, environment, tools))
        }
        SourceKind::Helm => {
            if !is_chart {
                return Err("`source: helm`, and there is no Chart.yaml in the folder of the application".to_owned());
            }
            let arguments = helm_arguments(asked, folder, root, environment)?;
            let program = tools.helm.clone().ok_or_else(|| missing("helm", "TIDEGATE_HELM"))?;
            Ok(program_source(program, arguments, folder, environment, tools))
        }
    }
}

fn missing(program: &str, variable: &str) -> String {
    format!(
        "{program} is not there: put it into the image of the sidecar, on PATH, or name it with {variable} in the \
         environment of the sidecar"
    )
}

/// A program that sees no network, no plugin and no other program.
fn program_source(
    program: PathBuf,
    arguments: Vec<String>,
    folder: &Utf8Path,
    environment: &Environment,
    tools: &Tools,
) -> Source {
    let home = tools.home.display().to_string();
    // a proxy that nobody can listen on: port 0
    let nowhere = "http://127.0.0.1:0";
    let mut variables: Vec<(String, String)> =
        [("HTTP_PROXY", nowhere), ("HTTPS_PROXY", nowhere), ("ALL_PROXY", nowhere), ("NO_PROXY", "")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
    let homes = ["HOME", "PATH", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "HELM_PLUGINS"];
    variables.extend(homes.map(|name| (name.to_owned(), home.clone())));
    let left: Duration = environment.deadline();
    Source::Program(Box::new(Child {
        program,
        arguments,
        environment: variables,
        folder: folder.as_std_path().to_owned(),
        deadline: left,
        limit: Limits::default().file_bytes,
    }))
}

fn helm_arguments(
    asked: &Asked,
    folder: &Utf8Path,
    root: &Utf8Path,
    environment: &Environment,
) -> Result<Vec<String>, String> {
    let release = asked.release.as_deref().or(environment.app_name()).unwrap_or("release");
    if !is_release(release) {
        return Err(format!(
            "`helm.releaseName`: {release:?} is no name of a release, which is of at most 53 lower case letters, digits, \
             inner `-` and inner `.`"
        ));
    }
    // Helm follows whatever link lies in a chart
    bounds::links_stay_inside(folder, root)?;
    let mut arguments = vec!["template".to_owned(), release.to_owned(), ".".to_owned(), "--include-crds".to_owned()];
    let mut flag = |name: &str, value: &str| arguments.extend([name.to_owned(), value.to_owned()]);
    if let Some(namespace) = environment.namespace() {
        flag("--namespace", namespace);
    }
    if let Some(version) = environment.kube_version() {
        flag("--kube-version", version);
    }
    for version in environment.api_versions().unwrap_or_default().split(',').filter(|version| !version.is_empty()) {
        flag("--api-versions", version);
    }
    for file in &asked.value_files {
        // by the path that was checked: Helm would fetch an address, and takes a name with a comma for two
        let real =
            bounds::inside(&folder.join(file), root).map_err(|why| format!("`helm.valueFiles`: {file} {why}"))?;
        if real.as_str().contains([',', '"']) {
            return Err(format!(
                "`helm.valueFiles`: {file} has a comma or a quote in its path, which Helm takes apart"
            ));
        }
        flag("--values", real.as_str());
    }
    Ok(arguments)
}

/// Whether a text is a name that Helm takes for a release (`ValidateReleaseName` in `pkg/chartutil` of Helm), and so
/// no flag of it.
fn is_release(name: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_part = |part: &str| {
        part.starts_with(is_inner) && part.ends_with(is_inner) && part.chars().all(|c| is_inner(c) || c == '-')
    };
    name.len() <= 53 && name.split('.').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_no_flag() {
        for name in ["shop", "shop-1", "a.b", "0", &"a".repeat(53)] {
            assert!(is_release(name), "{name}");
        }
        for name in ["", "-", "--post-renderer=/bin/x", "a-", ".a", "a..b", "Shop", "a b", "a/b", &"a".repeat(54)] {
            assert!(!is_release(name), "{name}");
        }
    }
}
