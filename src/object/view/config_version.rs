//! Which version configuration says it is, and which versions a workload says it understands.

use semver::{Version, VersionReq};

use crate::finding::Findings;
use crate::object::annotation::{CONFIG_VERSION, REQUIRES_CONFIG};
use crate::object::pattern::Pattern;
use crate::object::{ObjRef, Object, ObjectSet};
use crate::source::{DocumentStart, Limits, Place};
use crate::tree::{FieldPath, Node, Value};

/// A field inside of a key of ConfigMaps that says their version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionField {
    /// The ConfigMaps.
    pub source: Pattern,
    /// The key, whose value is YAML or JSON.
    pub key: String,
    /// The way to the version in it, as a JSON pointer (RFC 6901).
    pub pointer: String,
}

/// What a workload needs of one ConfigMap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The namespace that it writes before the name.
    pub namespace: Option<String>,
    /// The name of the ConfigMap.
    pub name: String,
    /// The versions, as they are written.
    pub text: String,
    /// The same, understood.
    versions: VersionReq,
}

/// What a field says, or why it cannot be read, with its way in the object.
pub type Said<T> = (FieldPath, Result<T, String>);

impl Requirement {
    /// Whether a version is one of those that are needed.
    pub fn holds(&self, version: &Version) -> bool {
        self.versions.matches(version)
    }

    /// The ConfigMap that a workload in a namespace means, where it is in the set.
    pub fn find(&self, workload: &Object<'_>, objects: &ObjectSet<'_>) -> Option<ObjRef> {
        let namespace = self.namespace.as_deref().or(workload.id.namespace.as_deref());
        objects.find("", "ConfigMap", namespace, &self.name)
    }
}

/// What a workload says on itself or, where that is silent, on the pod template at `template`. Nothing where neither
/// says anything.
pub fn requirements(object: &Object<'_>, template: &[&str]) -> Option<Said<Vec<Requirement>>> {
    let of = |metadata: FieldPath| {
        let path = metadata.key("annotations").key(REQUIRES_CONFIG);
        Some((path.clone(), object.tree.follow(&path)?))
    };
    let own = of(FieldPath::keys(["metadata"]));
    let (path, node) = own.or_else(|| of(FieldPath::keys(template.iter().copied()).key("metadata")))?;
    let read = node.as_str().ok_or_else(|| "it is no string".to_owned()).and_then(parse);
    Some((path, read))
}

/// `NAME>=2.4, NAMESPACE/NAME~1.2, <1.2.9`: names with what they need, and more that the last name needs.
fn parse(text: &str) -> Result<Vec<Requirement>, String> {
    let mut found: Vec<(Option<String>, String, String)> = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let operator = part.find(['<', '>', '=', '~', '^']);
        let (name, needs) = part.split_at(operator.ok_or_else(|| format!("`{part}` has no operator"))?);
        let (name, needs) = (name.trim(), needs.trim());
        match (name, found.last_mut()) {
            ("", Some((.., before))) => *before = format!("{before},{needs}"),
            ("", None) => return Err(format!("`{part}` names no ConfigMap")),
            _ => {
                let (namespace, name) = match name.split_once('/') {
                    Some((namespace, name)) => (Some(namespace.to_owned()), name),
                    None => (None, name),
                };
                found.push((namespace, name.to_owned(), needs.to_owned()));
            }
        }
    }
    if found.is_empty() {
        return Err("it names no ConfigMap".to_owned());
    }
    let read = |(namespace, name, text): (_, String, String)| match without_v(&text).parse() {
        Ok(versions) => Ok(Requirement { namespace, name, text, versions }),
        Err(error) => Err(format!("`{text}` is no range of versions ({error})")),
    };
    found.into_iter().map(read).collect()
}

/// A range of versions without the `v` that some write before a number.
fn without_v(text: &str) -> String {
    let mut before = ' ';
    let keep = |letter: &char| {
        let is_prefix = ['v', 'V'].contains(letter) && ['<', '>', '=', '~', '^'].contains(&before);
        before = if letter.is_whitespace() { before } else { *letter };
        !is_prefix
    };
    text.chars().filter(keep).collect()
}

/// The version of a ConfigMap: of its annotation, else of the first field that fits and is there. Nothing where it
/// says none.
pub fn version(object: &Object<'_>, fields: &[VersionField]) -> Option<Said<Version>> {
    let path = FieldPath::keys(["metadata", "annotations", CONFIG_VERSION]);
    if let Some(node) = object.tree.follow(&path) {
        return Some((path, node.as_str().ok_or_else(|| "it is no string".to_owned()).and_then(parse_version)));
    }
    fields.iter().filter(|field| field.source.matches(&object.id)).find_map(|field| in_key(object, field))
}

fn in_key(object: &Object<'_>, field: &VersionField) -> Option<Said<Version>> {
    let path = FieldPath::keys(["data", field.key.as_str()]);
    let text = object.tree.follow(&path)?.as_str()?;
    let Place { file, start, .. } = object.place_of(&path);
    let at = DocumentStart { file, offset: start };
    let parsed = crate::yaml::parse(text, at, &Limits::default(), &mut Findings::default());
    let Ok(Some(root)) = parsed else { return Some((path, Err("it is neither YAML nor JSON".to_owned()))) };
    let node = follow(&root, &field.pointer)?;
    let said = match &node.value {
        Value::String(text) => parse_version(text),
        // as it is written: of a number, 2.10 is 2.1
        Value::I64(_) | Value::F64(_) => {
            let (start, end) = (node.span.start as usize, node.span.end() as usize);
            parse_version(text.get(start..end).unwrap_or_default())
        }
        _ => Err(format!("`{}` in it is no version", field.pointer)),
    };
    Some((path, said))
}

/// The node that a JSON pointer leads to.
fn follow<'n, 's>(root: &'n Node<'s>, pointer: &str) -> Option<&'n Node<'s>> {
    let steps = pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
    steps.into_iter().try_fold(root, |node, step| match node.items() {
        Some(items) => items.get(step.parse::<usize>().ok()?),
        None => node.get(&step),
    })
}

/// A version of one to three numbers, with a `v` before them or not.
fn parse_version(text: &str) -> Result<Version, String> {
    let text = text.trim().trim_start_matches(['v', 'V']);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, rest) = text.split_at(end);
    let missing = 2_usize.saturating_sub(numbers.matches('.').count());
    let padded = format!("{numbers}{}{rest}", ".0".repeat(missing));
    padded.parse().map_err(|error| format!("`{text}` is no version ({error})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(requirement: &str, version: &str) -> bool {
        parse(requirement).unwrap()[0].holds(&parse_version(version).unwrap())
    }

    #[test]
    fn versions_of_one_to_three_numbers_are_compared_as_numbers() {
        for (requirement, version, expected) in [
            ("conf>=2.4", "2.4", true),
            ("conf>=2.4", "2.10", true),
            ("conf>=2.4", "v2.3.9", false),
            ("conf>2", "2.9", false),
            ("conf>2", "3", true),
            ("conf<=2.4", "2.4.7", true),
            ("conf<2.4", "2.4", false),
            ("conf=2.4", "2.4.1", true),
            ("conf~2.4", "2.5", false),
            ("conf~2.4", "2.4.3", true),
            ("conf^2.4", "2.9", true),
            ("conf >= v2.4, < 3", "3.0", false),
            ("conf>=2.4,<3", "2.8", true),
            ("conf>=v2.4.0-preview", "2.4.0-preview", true),
        ] {
            assert_eq!(holds(requirement, version), expected, "{requirement} for {version}");
        }
    }

    #[test]
    fn a_list_has_names_and_what_the_last_name_needs() {
        let read = parse("linkerd-config>=2.4, <3, ops/other~1").unwrap();
        let shown: Vec<_> =
            read.iter().map(|one| (one.namespace.as_deref(), one.name.as_str(), one.text.as_str())).collect();
        assert_eq!(shown, [(None, "linkerd-config", ">=2.4,<3"), (Some("ops"), "other", "~1")]);
        for wrong in ["", " , ", ">=2", "conf", "conf>=two", "conf>=2.x.y.z"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse_version("2.4.1.7").is_err() && parse_version("latest").is_err());
    }
}
