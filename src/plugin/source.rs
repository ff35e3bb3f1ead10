//! What makes the manifests of an application: its files as they are, kustomize, or Helm.

#![allow(clippy::disallowed_methods, reason = "where a reference leads is asked of the file system")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use super::parameters::Asked;
use super::{Child, Environment};
use crate::finding::Findings;
use crate::source::{self, DocumentStart, Input, Limits, ReadOptions, Side, is_kustomization};
use crate::tree::Node;
use crate::yaml;

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
        SourceKind::Auto if kustomization(folder).is_some() => SourceKind::Kustomize,
        SourceKind::Auto => SourceKind::Plain,
        kind => kind,
    };
    match kind {
        SourceKind::Plain | SourceKind::Auto => Ok(Source::Files),
        SourceKind::Kustomize => {
            if kustomization(folder).is_none() {
                return Err("`source: kustomize`, and there is no kustomization.yaml in the folder of the application"
                    .to_owned());
            }
            stays_inside(folder, root)?;
            let program = tools.kustomize.clone().ok_or_else(|| missing("kustomize", "TIDEGATE_KUSTOMIZE"))?;
            let arguments = vec!["build".to_owned(), ".".to_owned()];
            Ok(program_source(program, arguments, folder, environment, tools))
        }
        SourceKind::Helm => {
            if !is_chart {
                return Err("`source: helm`, and there is no Chart.yaml in the folder of the application".to_owned());
            }
            let program = tools.helm.clone().ok_or_else(|| missing("helm", "TIDEGATE_HELM"))?;
            let arguments = helm_arguments(asked, folder, root, environment)?;
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
        inside(&folder.join(file), root).map_err(|why| format!("`helm.valueFiles`: {file} {why}"))?;
        flag("--values", file);
    }
    Ok(arguments)
}

/// The kustomization of a folder, whichever of its names it has.
fn kustomization(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    let names = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
    names
        .into_iter()
        .map(|name| folder.join(name))
        .find(|path| path.file_name().is_some_and(is_kustomization) && path.is_file())
}

/// Whether a path is there and inside of the root, links resolved.
fn inside(path: &Utf8Path, root: &Utf8Path) -> Result<Utf8PathBuf, &'static str> {
    let real = path.canonicalize_utf8().map_err(|_| "is not there: only what lies in the repository is read")?;
    let root = root.canonicalize_utf8().map_err(|_| "cannot be told from what lies outside of the repository")?;
    match real.starts_with(&root) {
        true => Ok(real),
        false => Err("leads out of the repository"),
    }
}

/// Fields of a kustomization that name files and folders; what is named may stand in a list, or under `path`.
const NAMING: [&str; 10] = [
    "bases",
    "components",
    "configurations",
    "crds",
    "generators",
    "patches",
    "patchesStrategicMerge",
    "resources",
    "transformers",
    "validators",
];

/// Checks that a kustomization and those it builds on name nothing but files and folders of the repository:
/// kustomize fetches whatever it does not find.
fn stays_inside(folder: &Utf8Path, root: &Utf8Path) -> Result<(), String> {
    let mut open = vec![inside(folder, root).map_err(|why| format!("{folder} {why}"))?];
    let mut seen = BTreeSet::new();
    while let Some(folder) = open.pop() {
        let Some(file) = kustomization(&folder).filter(|_| seen.insert(folder.clone())) else { continue };
        for name in named_by(&file)? {
            let path = folder.join(&name);
            let shown = file.strip_prefix(root).unwrap_or(&file);
            let real = inside(&path, root).map_err(|why| format!("{shown}: `{name}` {why}"))?;
            if Path::new(real.as_str()).is_dir() {
                open.push(real);
            }
        }
    }
    Ok(())
}

/// What a kustomization names. Text of several lines is an object written in place.
fn named_by(file: &Utf8Path) -> Result<Vec<String>, String> {
    let unreadable = |why: String| format!("{file} cannot be read: {why}");
    let limits = Limits::default();
    let options = ReadOptions { limits: &limits, root: None, strict_links: false, side: Side::New };
    let reading = source::read(&[Input::Path(file.to_owned())], &options, &mut std::io::empty())
        .map_err(|error| unreadable(error.to_string()))?;
    let mut names = Vec::new();
    for (id, text) in reading.map.iter().filter(|(_, file)| file.readable) {
        let mut found = Findings::default();
        let root = yaml::parse(text.text(), DocumentStart { file: id, offset: 0 }, &limits, &mut found);
        let root = root.map_err(|_| unreadable("it is no YAML".to_owned()))?.unwrap_or_default();
        for field in NAMING {
            let items = root.get(field).and_then(Node::items).unwrap_or_default();
            let named = items.iter().filter_map(|item| item.as_str().or_else(|| item.get("path")?.as_str()));
            names.extend(named.filter(|name| !name.contains('\n')).map(str::to_owned));
        }
    }
    Ok(names)
}
