//! What a document is: a manifest, something else, or nearly a manifest.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, MOST, Severity, is_hidden, nearest, rules::objects};
use crate::object::annotation::LOCAL_CONFIG;
use crate::object::gvk::{is_kind, split_api_version};
use crate::source::{DocumentStart, Place, Span};
use crate::tree::{FieldPath, Mapping, Node};

use super::documents::Document;

/// The keys that make a document a manifest, in the order messages name them.
const MANIFEST_KEYS: [&str; 4] = ["apiVersion", "kind", "metadata", "spec"];

/// API groups whose documents are input of a tool, never objects: kustomize, tidegate, and Carvel's kapp, kbld, vendir
/// and imgpkg (their `Config`, `ImagesLock`, …).
const TOOL_GROUPS: &[&str] =
    &["kustomize.config.k8s.io", "tidegate.dev", "kapp.k14s.io", "kbld.k14s.io", "vendir.k14s.io", "imgpkg.carvel.dev"];

/// A document that is an object, with the parts that name it.
#[derive(Debug)]
pub(super) struct Manifest<'s> {
    pub at: DocumentStart,
    pub root: Node<'s>,
    /// API group; empty for the core group.
    pub group: String,
    pub version: String,
    pub kind: String,
}

/// Documents that were left out, to be said once.
#[derive(Debug, Default)]
pub(super) struct Skipped {
    other: Places,
    tool: Places,
    local: Places,
    /// Documents that are nearly manifests, each with its finding: what they were meant to be is
    /// missing.
    pub(super) nearly: Vec<Place>,
}

/// Places to name each, of which no more are kept than findings are.
#[derive(Debug, Default)]
struct Places {
    kept: Vec<Place>,
    more: u64,
}

impl Places {
    fn push(&mut self, place: Place) {
        match self.kept.len() < MOST {
            true => self.kept.push(place),
            false => self.more += 1,
        }
    }

    /// A finding at each place, and one for those that were not kept.
    fn report(&self, finding: &Finding, found: &mut Findings) {
        for place in &self.kept {
            found.push(finding.clone().with_label(Label::new(start_of(*place))));
        }
        if self.more > 0 {
            found.push(finding.clone().with_count(self.more));
        }
    }
}

/// Takes a document for what it is: gives a manifest, or notes why there is none. What is nearly a
/// manifest is an error with the key that comes nearest: skipped in silence it would be pruned.
pub(super) fn manifest<'s>(
    document: Document<'s>,
    skipped: &mut Skipped,
    found: &mut Findings,
) -> Option<Manifest<'s>> {
    let Document { at, root } = document;
    let place = at.place(root.span);
    let Some(mapping) = root.mapping().filter(|mapping| claims_to_be_a_manifest(mapping)) else {
        match root.items().unwrap_or_default().iter().any(is_like_a_manifest) {
            true => found.push(a_list_of_manifests(place)),
            false => skipped.other.push(place),
        }
        return None;
    };
    let api_version = mapping.get("apiVersion").and_then(Node::as_str);
    let kind = mapping.get("kind").and_then(Node::as_str).filter(|kind| is_kind(kind));
    let parts = api_version.and_then(|text| split_api_version(text).ok());
    if parts.is_some_and(|(group, _)| TOOL_GROUPS.contains(&group)) {
        skipped.tool.push(place);
        return None;
    }
    if is_local_config(&root) {
        skipped.local.push(place);
        return None;
    }
    let problems = problems(mapping, parts.is_some(), kind.is_some());
    if let (Some((group, version)), Some(kind), true) = (parts, kind, problems.is_empty()) {
        let (group, version, kind) = (group.to_owned(), version.to_owned(), kind.to_owned());
        return Some(Manifest { at, root, group, version, kind });
    }
    report(&root, at, &problems, found);
    skipped.nearly.push(place);
    None
}

/// Whether a document is input of a tool, and nothing that a cluster gets.
pub(super) fn is_for_tools(root: &Node<'_>) -> bool {
    let api_version = root.get("apiVersion").and_then(Node::as_str).unwrap_or_default();
    let is_of_tool = split_api_version(api_version).is_ok_and(|(group, _)| TOOL_GROUPS.contains(&group));
    is_of_tool || is_local_config(root) || !root.mapping().is_some_and(claims_to_be_a_manifest)
}

fn is_local_config(root: &Node<'_>) -> bool {
    root.at(&["metadata", "annotations", LOCAL_CONFIG]).and_then(Node::as_str) == Some("true")
}

/// One thing that keeps a document from being a manifest.
struct Problem<'m> {
    text: String,
    /// Where it is: the offending value or the near key; none for what is simply absent.
    span: Option<Span>,
    path: FieldPath,
    /// The near key, where there is one.
    near: Option<(&'m str, &'static str)>,
}

pub(super) fn claims_to_be_a_manifest(mapping: &Mapping<'_>) -> bool {
    let is_key = |name: &str| MANIFEST_KEYS.contains(&name) || nearest(name, MANIFEST_KEYS).is_some();
    mapping.entries().iter().any(|(key, _)| is_key(&key.name))
}

fn is_like_a_manifest(node: &Node<'_>) -> bool {
    node.mapping().is_some_and(claims_to_be_a_manifest)
}

/// kubectl cannot read a bare list either; skipping it would lose every object in it.
fn a_list_of_manifests(place: Place) -> Finding {
    Finding::new(&objects::NEARLY_A_MANIFEST, "a list of manifests is no manifest: its objects would be lost")
        .with_label(Label::new(start_of(place)))
        .with_remedy("put them under `items` of an object of `apiVersion: v1`, `kind: List`, or write a document each")
}

fn problems<'m>(mapping: &'m Mapping<'_>, has_api_version: bool, has_kind: bool) -> Vec<Problem<'m>> {
    let mut problems = Vec::new();
    if !has_api_version {
        problems.push(field_problem(mapping, "apiVersion", "`GROUP/VERSION` or `v1`"));
    }
    if !has_kind {
        problems.push(field_problem(mapping, "kind", "a kind, such as `ConfigMap`"));
    }
    match mapping.get("metadata").map(|node| (node, node.mapping())) {
        Some((_, Some(metadata))) => problems.extend(name_problems(metadata)),
        _ => problems.push(field_problem(mapping, "metadata", "a mapping with a name")),
    }
    problems
}

/// A required top-level key that is absent or holds something else.
fn field_problem<'m>(mapping: &'m Mapping<'_>, name: &'static str, wanted: &str) -> Problem<'m> {
    let path = FieldPath::keys([name]);
    if let Some((key, value)) = mapping.entry(name) {
        let text = format!(
            "`{name}` must be {wanted}; it is {}",
            if value.as_str().is_some() { "not valid" } else { value.kind() }
        );
        return Problem { text, span: Some(key.span), path, near: None };
    }
    let near = mapping.entries().iter().find(|(key, _)| crate::finding::is_near(&key.name, name));
    Problem {
        text: format!("there is no `{name}`"),
        span: near.map(|(key, _)| key.span),
        path,
        near: near.map(|(key, _)| (&*key.name, name)),
    }
}

fn name_problems<'m>(metadata: &'m Mapping<'_>) -> Vec<Problem<'m>> {
    let problem = |field: &str, text: String| Problem {
        text,
        span: metadata.entry(field).map(|(key, _)| key.span),
        path: FieldPath::keys(["metadata", field]),
        near: None,
    };
    let mut problems = Vec::new();
    for field in ["name", "generateName", "namespace"] {
        match metadata.get(field).filter(|node| !node.is_null()) {
            None => {}
            Some(node) => match node.as_str() {
                None => {
                    problems.push(problem(field, format!("`metadata.{field}` must be a string; it is {}", node.kind())))
                }
                Some(text) if !text.is_empty() && !is_path_segment(text) => {
                    let why = "it holds a character that no name may hold, or is a single or double dot";
                    problems.push(problem(field, format!("`metadata.{field}` cannot be a name: {why}")));
                }
                Some(_) => {}
            },
        }
    }
    let given = |field| metadata.get(field).is_some_and(|node| node.as_str() != Some("") && !node.is_null());
    if !given("name") && !given("generateName") {
        let mut missing = field_problem(metadata, "name", "a name");
        missing.text = "there is no `metadata.name`, nor a `generateName`".to_owned();
        missing.path = FieldPath::keys(["metadata"]);
        problems.push(missing);
    }
    problems
}

/// What every kind's name must be (`IsValidPathSegmentName` of apimachinery), and no controls, blanks
/// or characters that are not seen: two names that look the same must be the same.
fn is_path_segment(name: &str) -> bool {
    !matches!(name, "." | "..") && !name.chars().any(|c| matches!(c, '/' | '%') || is_hidden(c) || c.is_whitespace())
}

fn report(root: &Node<'_>, at: DocumentStart, problems: &[Problem<'_>], found: &mut Findings) {
    let texts: Vec<_> = problems.iter().map(|problem| problem.text.as_str()).collect();
    let slips: Vec<_> = problems.iter().filter_map(|problem| problem.near).collect();
    let remedy = match slips.as_slice() {
        [] => "complete it, or name the file in `.tidegateignore` if it is not a manifest".to_owned(),
        slips => {
            let renames = slips.iter().map(|(key, name)| format!("`{key}` as `{name}`"));
            format!("write {}", renames.collect::<Vec<_>>().join(" and "))
        }
    };
    let mut finding = Finding::new(&objects::NEARLY_A_MANIFEST, format!("nearly a manifest: {}", texts.join("; ")))
        .with_remedy(remedy);
    finding.object = root.get("kind").and_then(Node::as_str).map(|kind| {
        let name = root.at(&["metadata", "name"]).and_then(Node::as_str).unwrap_or("");
        format!("{kind} {name}").trim_end().to_owned()
    });
    let (first, others) = problems.split_first().map_or((None, problems), |(first, others)| (Some(first), others));
    let main = first.and_then(|first| first.span).unwrap_or(Span { start: root.span.start, len: 0 });
    finding = finding.with_label(label(at, main, first));
    for other in others.iter().filter(|other| other.span.is_some()) {
        finding = finding.with_label(label(at, other.span.unwrap_or_default(), Some(other)).text(other.text.clone()));
    }
    found.push(finding);
}

fn label(at: DocumentStart, span: Span, problem: Option<&Problem<'_>>) -> Label {
    let label = Label::new(at.place(span));
    match problem {
        Some(problem) => label.path(problem.path.clone()),
        None => label,
    }
}

impl Skipped {
    /// Says once a document what was left out; an error under `input.strict`, but for what a tool or
    /// the author marked as no object.
    pub(super) fn report(&self, settings: &Settings, found: &mut Findings) {
        let severity = if settings.input.strict { Severity::Error } else { objects::NOT_A_MANIFEST.severity };
        let other = Finding::new(&objects::NOT_A_MANIFEST, "a document that is not a manifest: skipped");
        self.other.report(&other.with_severity(severity), found);
        for (places, why) in [(&self.tool, "the input of a tool"), (&self.local, "marked as local configuration")] {
            let message = format!("a document that is {why}, not an object to apply: skipped");
            places.report(&Finding::new(&objects::NOT_APPLIED, message), found);
        }
    }
}

/// A place without its extent: a whole document is not worth showing.
fn start_of(place: Place) -> Place {
    Place { end: place.start, ..place }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Threshold;
    use crate::source::{Limits, SourceFile, SourceMap};

    #[test]
    fn skipped_documents_are_kept_up_to_a_bound_and_counted_beyond() {
        let mut sources = SourceMap::default();
        sources.add(SourceFile::new("a.yaml", "a: 1\n---\n".repeat(MOST + 7)));
        let mut found = Findings::default();
        crate::load::objects(&sources, &Settings::default(), &mut found);
        let said = found.sorted();
        let skipped: Vec<_> = said.iter().filter(|finding| finding.rule == &objects::NOT_A_MANIFEST).collect();
        assert_eq!(skipped.len(), MOST + 1);
        assert_eq!(skipped[MOST].count, 7);
        assert!(skipped[MOST].message.starts_with("7 more"), "{}", skipped[MOST].message);
    }

    /// Whether the text is a manifest; if not, it must be an error.
    fn is_manifest(text: &str) -> bool {
        let file = SourceMap::default().add(SourceFile::new("a.yaml", text));
        let at = DocumentStart { file, offset: 0 };
        let mut found = Findings::default();
        let root = crate::yaml::parse(text, at, &Limits::default(), &mut found).unwrap().unwrap();
        let manifest = manifest(Document { at, root }, &mut Skipped::default(), &mut found);
        assert_eq!(manifest.is_none(), found.exit_code(Threshold::Error) == 1, "{text}");
        manifest.is_some()
    }

    #[test]
    fn a_kind_is_a_word() {
        for (kind, is) in [
            ("ConfigMap", true),
            (r#""A\e[31mB""#, false),
            (r#""A\nservice/evil""#, false),
            ("Config Map", false),
            ("a/b", false),
            ("9A", false),
        ] {
            assert_eq!(is_manifest(&format!("apiVersion: v1\nkind: {kind}\nmetadata: {{name: a}}\n")), is, "{kind}");
        }
    }

    #[test]
    fn a_name_holds_nothing_that_is_not_seen() {
        for (name, is) in [
            ("a", true),
            ("system:caf\u{e9}", true),
            ("a\\u202Eb", false),
            ("a\\u200Bb", false),
            ("\\uFEFFa", false),
            ("a b", false),
        ] {
            let text = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: \"{name}\"}}\n");
            assert_eq!(is_manifest(&text), is, "{name}");
        }
    }
}
