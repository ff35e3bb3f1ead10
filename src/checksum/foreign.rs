//! Reload policies of other tools: the annotations of Reloader and of wave, read as what they say about
//! restarts.
//!
//! Sources: Reloader `pkg/common/common.go` (`ShouldReload`), the README of wave. A source that
//! an annotation asks to restart for restarts the pods; one that is taken out is ignored; about all the
//! others they say nothing, and the pods restart for them as they would without the annotations.

use regex::Regex;

use crate::flow::{Reload, SourceKind, Word};
use crate::object::Object;
use crate::tree::{FieldPath, Node};

use super::policy::Said;

const AUTO: &str = "reloader.stakater.com/auto";
const SEARCH: &str = "reloader.stakater.com/search";
const MATCH: &str = "reloader.stakater.com/match";
const IGNORE: &str = "reloader.stakater.com/ignore";
const WAVE: &str = "wave.pusher.com/update-on-config-change";

/// What Reloader's annotations are called for one kind of source.
struct Names {
    kind: SourceKind,
    auto: &'static str,
    reload: &'static str,
    exclude: &'static str,
}

static NAMES: [Names; 3] = [
    Names {
        kind: SourceKind::ConfigMap,
        auto: "configmap.reloader.stakater.com/auto",
        reload: "configmap.reloader.stakater.com/reload",
        exclude: "configmaps.exclude.reloader.stakater.com/reload",
    },
    Names {
        kind: SourceKind::Secret,
        auto: "secret.reloader.stakater.com/auto",
        reload: "secret.reloader.stakater.com/reload",
        exclude: "secrets.exclude.reloader.stakater.com/reload",
    },
    Names {
        kind: SourceKind::SecretProviderClass,
        auto: "secretproviderclass.reloader.stakater.com/auto",
        reload: "secretproviderclass.reloader.stakater.com/reload",
        exclude: "secretproviderclasses.exclude.reloader.stakater.com/reload",
    },
];

/// What a workload's annotations for other tools say of a source. They stand on the workload or, where it
/// has none of that name, on its pod template (`template`, keys from the workload).
pub(super) fn of_workload(
    object: &Object<'_>,
    template: &[&str],
    kind: SourceKind,
    name: &str,
    source: Option<&Object<'_>>,
) -> Option<Said> {
    let names = NAMES.iter().find(|names| names.kind == kind)?;
    let find = |annotation: &'static str| find(object, template, annotation);
    let says = |annotation, word: &str| find(annotation).filter(|(text, _)| text.trim() == word).map(|(_, path)| path);
    let lists = |annotation| find(annotation).filter(|(text, _)| has(text, name)).map(|(_, path)| path);
    let is_match = || source.and_then(|source| source.annotation(MATCH)) == Some("true");
    let rows = [
        (lists(names.exclude), Reload::Ignore),
        (lists(names.reload), Reload::Restart),
        (says(SEARCH, "true").filter(|_| is_match()), Reload::Restart),
        (says(names.auto, "true"), Reload::Restart),
        (says(AUTO, "true"), Reload::Restart),
        (says(WAVE, "true"), Reload::Restart),
        (says(names.auto, "false"), Reload::Ignore),
        (says(AUTO, "false"), Reload::Ignore),
    ];
    let (path, reload) = rows.into_iter().find_map(|(path, reload)| Some((path?, reload)))?;
    Some((reload, Word::OtherTool(object.place_of(&path))))
}

/// What a source's annotations for other tools say of it.
pub(super) fn of_source(source: &Object<'_>) -> Option<Said> {
    let path = FieldPath::keys(["metadata", "annotations", IGNORE]);
    (source.annotation(IGNORE) == Some("true")).then(|| (Reload::Ignore, Word::OtherTool(source.place_of(&path))))
}

/// An annotation of a workload, or else of its pod template; and where it stands.
fn find<'o>(object: &'o Object<'_>, template: &[&str], name: &'static str) -> Option<(&'o str, FieldPath)> {
    let at = |above: &[&str]| {
        let keys: Vec<&str> = above.iter().copied().chain(["metadata", "annotations", name]).collect();
        Some((object.tree.at(&keys).and_then(Node::as_str)?, FieldPath::keys(keys)))
    };
    at(&[]).or_else(|| at(template))
}

/// Whether a list holds a name, each item of it being a regular expression for the whole name.
fn has(list: &str, name: &str) -> bool {
    let is_it = |item: &str| item == name || Regex::new(&format!("^(?:{item})$")).is_ok_and(|item| item.is_match(name));
    list.split(',').map(str::trim).filter(|item| !item.is_empty()).any(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_lists_are_regular_expressions_for_whole_names() {
        assert!(has("a, conf", "conf") && has("conf.*", "conf-1") && has("a|b", "b"));
        assert!(!has("con", "conf") && !has("", "conf") && !has("a|b", "bc") && !has("(", "conf"));
    }
}
