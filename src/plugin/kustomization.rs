//! What a kustomization may name when it is built for an application: files and folders of the repository.
//!
//! kustomize fetches what has the form of an address, and what it does not find; a proxy that leads nowhere is no
//! fence, since the HTTP client of Go asks the machine itself without one. So everything is looked at before.

#![allow(clippy::disallowed_methods, reason = "where a reference leads is asked of the file system")]

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

use super::bounds::inside;
use crate::finding::Findings;
use crate::source::{self, DocumentStart, Input, Limits, ReadOptions, Side, SourceMap, is_kustomization};
use crate::tree::{Node, Value};
use crate::yaml;

/// Fields that name files and folders; what is named may stand in a list, or under `path`.
const NAMING: [&str; 10] = [
    "bases",
    "components",
    "configurations",
    "crds",
    "generators",
    "patches",
    "patchesstrategicmerge",
    "resources",
    "transformers",
    "validators",
];

/// Those of them that name the configuration of plugins, built-in ones too (`apiVersion: builtin`).
const PLUGINS: [&str; 3] = ["generators", "transformers", "validators"];

/// Fields, at any depth, of a kustomization or of a built-in plugin by which kustomize loads a file or an address
/// (`api/types` and `api/internal/builtins` of kustomize). Before a `=` stands a key.
const LOADING: [&str; 5] = ["env", "envs", "files", "path", "paths"];

/// Fields whose content is no more than text to kustomize.
const TEXT: [&str; 6] = ["annotations", "commonannotations", "commonlabels", "labels", "literals", "options"];

/// The kustomization of a folder, whichever of its names it has.
pub(super) fn find(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    let names = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
    names
        .into_iter()
        .map(|name| folder.join(name))
        .find(|path| path.file_name().is_some_and(is_kustomization) && path.is_file())
}

/// Checks that a kustomization and those it builds on name nothing but files and folders of the repository.
///
/// # Errors
/// Says what leads out, is an address, or cannot be checked, and in which file.
pub(super) fn stays_inside(folder: &Utf8Path, root: &Utf8Path) -> Result<(), String> {
    let mut open = vec![inside(folder, root).map_err(|why| format!("{folder} {why}"))?];
    let mut seen = BTreeSet::new();
    while let Some(folder) = open.pop() {
        let Some(file) = find(&folder).filter(|_| seen.insert(folder.clone())) else { continue };
        let shown = file.strip_prefix(root).unwrap_or(&file).to_owned();
        let Named { names, plugins } = read(&file, &shown, Named::of)?;
        for name in &names {
            let real = inside(&folder.join(name), root).map_err(|why| format!("{shown}: `{name}` {why}"))?;
            open.extend(real.is_dir().then_some(real));
        }
        for name in &plugins {
            let real = inside(&folder.join(name), root).map_err(|why| format!("{shown}: `{name}` {why}"))?;
            if real.is_dir() {
                return Err(format!(
                    "{shown}: `{name}` is a folder of plugins, and what would be built of it cannot be checked: name the files"
                ));
            }
            read(&real, real.strip_prefix(root).unwrap_or(&real), |_| Ok(Named::default()))?;
        }
    }
    Ok(())
}

/// What a kustomization names.
#[derive(Default)]
struct Named {
    /// Files and folders.
    names: Vec<String>,
    /// Configurations of plugins.
    plugins: Vec<String>,
}

impl Named {
    /// Text of several lines is an object written in place.
    fn of(root: &Node<'_>) -> Result<Self, String> {
        let mut named = Named::default();
        for (key, value) in root.mapping().map(|root| root.entries()).unwrap_or_default() {
            let field = folded(&key.name);
            if !NAMING.contains(&&*field) {
                continue;
            }
            let is_plugin = PLUGINS.contains(&&*field);
            for item in value.items().unwrap_or_default() {
                let Some(name) = item.as_str().or_else(|| path_of(item)) else { continue };
                match name.contains('\n') {
                    true if is_plugin => read_text(name, &field)?,
                    true => {}
                    false if is_plugin => named.plugins.push(name.to_owned()),
                    false => named.names.push(name.to_owned()),
                }
            }
        }
        Ok(named)
    }
}

fn path_of<'n>(item: &'n Node<'_>) -> Option<&'n str> {
    let entries = item.mapping()?.entries();
    entries.iter().find(|(key, _)| folded(&key.name) == "path").and_then(|(_, value)| value.as_str())
}

/// A name as Go's `encoding/json` compares it, by which kustomize reads fields: without case, and `ſ` is an `s`.
fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

/// Reads a file, checks all of its documents for addresses, and gives what is made of the first.
fn read<T: Default>(
    file: &Utf8Path,
    shown: &Utf8Path,
    make: impl Fn(&Node<'_>) -> Result<T, String>,
) -> Result<T, String> {
    let unreadable = |why: String| format!("{shown} cannot be read: {why}");
    let limits = Limits::default();
    let options = ReadOptions { limits: &limits, root: None, strict_links: false, side: Side::New };
    let reading = source::read(&[Input::Path(file.to_owned())], &options, &mut std::io::empty())
        .map_err(|error| unreadable(error.to_string()))?;
    let Some((_, text)) = reading.map.iter().find(|(_, file)| file.readable) else {
        return Err(unreadable("it is no text".to_owned()));
    };
    let mut documents = documents(text.text(), |root| make(root)).map_err(|why| format!("{shown}: {why}"))?.into_iter();
    Ok(documents.next().unwrap_or_default())
}

fn read_text(text: &str, field: &str) -> Result<(), String> {
    documents(text, |_| Ok(())).map(drop).map_err(|why| format!("`{field}`: {why}"))
}

/// Checks each document of a text for addresses, and makes something of it.
fn documents<T>(text: &str, make: impl Fn(&Node<'_>) -> Result<T, String>) -> Result<Vec<T>, String> {
    let id = SourceMap::default().add(source::SourceFile::new("kustomization.yaml", ""));
    let mut all = Vec::new();
    for chunk in yaml::chunks(text) {
        let at = DocumentStart { file: id, offset: 0 };
        let root = yaml::parse(chunk.text, at, &Limits::default(), &mut Findings::default());
        let Some(root) = root.map_err(|_| "it is no YAML".to_owned())? else { continue };
        if let Some(address) = address_in(&root, false) {
            return Err(format!("`{address}` is an address: only what lies in the repository is read"));
        }
        all.push(make(&root)?);
    }
    Ok(all)
}

/// The first address that is loaded by a field of a tree.
fn address_in<'n>(node: &'n Node<'_>, is_loaded: bool) -> Option<&'n str> {
    match &node.value {
        Value::String(text) if is_loaded => {
            let is_address = |text: &str| {
                let scheme = text.trim_start().split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
                scheme.is_some_and(|scheme| scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)))
            };
            let behind_key = text.split_once('=').map_or("", |(_, value)| value);
            (is_address(text) || is_address(behind_key)).then_some(text)
        }
        Value::Sequence(items) => items.iter().find_map(|item| address_in(item, is_loaded)),
        Value::Mapping(mapping) => mapping.entries().iter().find_map(|(key, value)| {
            let field = folded(&key.name);
            match TEXT.contains(&&*field) {
                true => None,
                false => address_in(value, LOADING.contains(&&*field)),
            }
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_wherever_it_would_be_loaded() {
        let told = |text: &str| documents(text, |_| Ok(())).err();
        for text in [
            "configMapGenerator: [{name: a, files: ['k=http://127.0.0.1/x']}]",
            "secretGenerator: [{name: a, envs: ['https://127.0.0.1/x']}]",
            "ConfigMapGenerator: [{name: a, FILES: ['k=HTTP://127.0.0.1/x']}]",
            "configMapGenerator: [{name: a, fileſ: ['k=http://127.0.0.1/x']}]",
            "openapi: {path: 'http://127.0.0.1/x'}",
            "replacements: [{path: 'http://127.0.0.1/x'}]",
            "a: b\n---\napiVersion: builtin\nkind: PatchStrategicMergeTransformer\npaths: ['http://127.0.0.1/x']",
        ] {
            assert!(told(text).is_some_and(|why| why.contains("is an address")), "{text}");
        }
        for text in [
            "commonAnnotations: {path: 'https://example.com/x'}",
            "configMapGenerator: [{name: a, files: [k=x.yaml], literals: ['url=http://127.0.0.1/x']}]",
            "images: [{name: a, newName: registry.example.com/a}]",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
