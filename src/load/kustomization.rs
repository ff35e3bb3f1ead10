//! Kustomizations in the input: what lies beside them may not be what would be deployed.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, rules::objects};
use crate::source::{DocumentStart, FileId, Place, Role, SourceMap, Span};
use crate::tree::{FieldPath, Node};
use crate::yaml;

/// The fields of a kustomization that only gathers files.
const GATHERING: &[&str] = &["apiVersion", "kind", "metadata", "resources"];

/// Judges every kustomization. One that only gathers files which are all in the input changes
/// nothing: said, with the manifests that it leaves out. Any other is an error: what kustomize would
/// build from it is not what lies here. Gives the places of those: nobody knows what is in them.
pub(super) fn judge(
    sources: &SourceMap,
    holders: &BTreeSet<FileId>,
    settings: &Settings,
    found: &mut Findings,
) -> Vec<Place> {
    let mut unbuilt = Vec::new();
    let present: BTreeSet<Utf8PathBuf> = sources.iter().map(|(_, file)| normal(&file.path)).collect();
    for (file, source) in sources.iter().filter(|(_, source)| source.role == Role::Kustomization && source.readable) {
        let at = DocumentStart { file, offset: 0 };
        let Ok(Some(root)) = yaml::parse(source.text(), at, &settings.limits, found) else { continue };
        let folder = source.path.parent().unwrap_or(Utf8Path::new(""));
        let finding = match offence(&root, folder, &present) {
            Some(offence) => {
                unbuilt.push(Place::file(file));
                must_be_built(folder, at, offence)
            }
            None => {
                leaves_out(file, folder, &root, sources, holders, found);
                Finding::new(
                    &objects::KUSTOMIZATION_IGNORED,
                    "a kustomization that only gathers files of the input: ignored",
                )
                .with_label(Label::new(Place::file(file)))
            }
        };
        found.push(finding);
    }
    unbuilt
}

/// What makes a kustomization more than a list: where, and why.
struct Offence {
    path: FieldPath,
    span: Span,
    why: String,
}

/// The first field for which kustomize would have to run.
fn offence(root: &Node<'_>, folder: &Utf8Path, present: &BTreeSet<Utf8PathBuf>) -> Option<Offence> {
    for (key, value) in root.mapping()?.entries() {
        if !GATHERING.contains(&&*key.name) && !value.is_null() {
            let why = format!("its field `{}` changes what is deployed", key.name);
            return Some(Offence { path: FieldPath::keys([&*key.name]), span: key.span, why });
        }
    }
    for (nth, item) in root.get("resources").and_then(Node::items).unwrap_or_default().iter().enumerate() {
        let inside = item.as_str().is_some_and(|entry| is_inside(entry, folder, present));
        if !inside {
            let path = FieldPath::keys(["resources"]).index(nth);
            return Some(Offence { path, span: item.span, why: "a resource of it is not in the input".to_owned() });
        }
    }
    None
}

fn is_inside(entry: &str, folder: &Utf8Path, present: &BTreeSet<Utf8PathBuf>) -> bool {
    let path = normal(&folder.join(entry));
    let below = present.range(path.clone()..).next().is_some_and(|first| first.starts_with(&path));
    !entry.contains("://") && below
}

fn must_be_built(folder: &Utf8Path, at: DocumentStart, offence: Offence) -> Finding {
    let shown = if folder.as_str().is_empty() { Utf8Path::new(".") } else { folder };
    let Offence { path, span, why } = offence;
    Finding::new(&objects::KUSTOMIZATION, format!("a kustomization that must be built: {why}"))
        .with_label(Label::new(at.place(span)).path(path))
        .with_remedy(format!("build it and pipe the result: `kubectl kustomize {shown} | tidegate render -`"))
}

/// Says which files with manifests, beside or below a kustomization, it does not list.
fn leaves_out(
    file: FileId,
    folder: &Utf8Path,
    root: &Node<'_>,
    sources: &SourceMap,
    holders: &BTreeSet<FileId>,
    found: &mut Findings,
) {
    let resources = root.get("resources").and_then(Node::items).unwrap_or_default();
    let listed: Vec<_> = resources.iter().filter_map(Node::as_str).map(|entry| normal(&folder.join(entry))).collect();
    let is_listed = |path: &Utf8Path| listed.iter().any(|entry| normal(path).starts_with(entry));
    let missing: Vec<_> = holders
        .iter()
        .map(|holder| sources.path(*holder))
        .filter(|path| path.starts_with(folder) && !is_listed(path))
        .map(Utf8Path::as_str)
        .collect();
    if missing.is_empty() {
        return;
    }
    let message = format!("a kustomization does not list what is rendered from its folder: {}", missing.join(", "));
    found.push(
        Finding::new(&objects::KUSTOMIZATION_LEAVES_OUT, message)
            .with_label(Label::new(Place::file(file)))
            .with_remedy("list the files, move them out of the folder, or name them in `.tidegateignore`"),
    );
}

/// A path without `.` and, where they can be resolved, without `..`.
fn normal(path: &Utf8Path) -> Utf8PathBuf {
    let mut normal = Utf8PathBuf::new();
    for part in path.components() {
        match part.as_str() {
            "." => {}
            ".." if normal.file_name().is_some_and(|name| name != "..") => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    normal
}
