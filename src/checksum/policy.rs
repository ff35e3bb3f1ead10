//! Who restarts for what: `tidegate.dev/reload` on sources and on workloads.

use std::collections::HashMap;

use crate::finding::rules::checksums as rules;
use crate::finding::{Finding, Findings, Label, nearest};
use crate::flow::{Input, Linked, Reload, SourceKind, Word};
use crate::object::annotation::RELOAD;
use crate::object::{Name, ObjRef, Object, ObjectId};
use crate::source::Place;
use crate::tree::{FieldPath, Node};

use super::proxy;

/// What is said of a source, and by whom.
pub(super) type Said = (Reload, Word);

/// What sources say of themselves.
pub(super) struct Policies {
    sources: HashMap<ObjRef, Said>,
}

impl Policies {
    /// Reads the annotations of all sources, and of what sources are made of.
    pub(super) fn read(linked: &Linked<'_>, found: &mut Findings) -> Self {
        let kinds = [
            ("", "ConfigMap"),
            ("", "Secret"),
            ("bitnami.com", "SealedSecret"),
            (proxy::CSI_GROUP, "SecretProviderClass"),
        ];
        let mut sources = HashMap::new();
        for (group, kind) in kinds {
            for (source, object) in linked.loaded.objects.of_kind(group, kind) {
                if let Some(said) = source_word(object, found) {
                    sources.insert(source, said);
                }
            }
        }
        Policies { sources }
    }

    /// What a source, or what makes it, says.
    pub(super) fn of(&self, source: ObjRef) -> Option<Said> {
        self.sources.get(&source).copied()
    }
}

fn source_word(object: &Object<'_>, found: &mut Findings) -> Option<Said> {
    let own: &[&str] = &["metadata", "annotations", RELOAD];
    let template: &[&str] = &["spec", "template", "metadata", "annotations", RELOAD];
    // what a SealedSecret's template says, the Secret will say
    let path = [own, template].into_iter().find(|path| {
        let is_here = object.tree.at(path).is_some();
        is_here && (path.len() == own.len() || proxy::is_sealed_secret(object))
    })?;
    let path = FieldPath::keys(path.iter().copied());
    let place = object.place_of(&path);
    let text = object.annotation(RELOAD).or_else(|| object.tree.at(template).and_then(Node::as_str)).unwrap_or("");
    let reload = parse(text.trim());
    if reload.is_none() {
        let message = format!("`{RELOAD}` of {} must be restart, hot or ignore", object.id);
        let words = Reload::ALL.map(Reload::word);
        let near = nearest(text.trim(), words).map(|near| format!("did you mean `{near}`?"));
        found.push(wrong(object, message, place, path, near));
    }
    Some((reload?, Word::Source(place)))
}

fn parse(word: &str) -> Option<Reload> {
    Reload::ALL.into_iter().find(|reload| reload.word() == word)
}

fn wrong(object: &Object<'_>, message: String, place: Place, path: FieldPath, remedy: Option<String>) -> Finding {
    let mut finding =
        Finding::new(&rules::INVALID_RELOAD, message).with_object(&object.id).with_label(Label::new(place).path(path));
    finding.remedy = remedy;
    finding
}

/// The id of what a workload reads, whether the input holds it or not.
pub(super) fn id_of(workload: &Object<'_>, kind: SourceKind, name: &str) -> ObjectId {
    let group = if kind == SourceKind::SecretProviderClass { proxy::CSI_GROUP } else { "" };
    ObjectId {
        group: group.into(),
        kind: kind.name().into(),
        namespace: workload.id.namespace.clone(),
        name: Name::Fixed(name.into()),
    }
}

/// One row of a workload's list; the row of all sources has no name.
struct Wish<'o> {
    source: Option<(SourceKind, &'o str)>,
    reload: Reload,
}

/// What a workload says of its sources.
#[derive(Default)]
pub(super) struct Wishes<'o> {
    rows: Vec<Wish<'o>>,
    place: Option<Place>,
}

impl<'o> Wishes<'o> {
    /// Reads a workload's list: `configmap/app=hot, secret/tls=ignore, *=restart`.
    pub(super) fn read(object: &'o Object<'_>, found: &mut Findings) -> Self {
        let path = annotation_path();
        let Some(node) = object.tree.at(&["metadata", "annotations", RELOAD]) else { return Wishes::default() };
        let place = object.place_of(&path);
        let mut rows: Vec<Wish<'o>> = Vec::new();
        for part in node.as_str().unwrap_or("").split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let row = wish(part);
            let said = row.as_ref().and_then(|row| rows.iter().find(|other| other.source == row.source));
            let (message, remedy) = match (&row, said) {
                (Some(_), None) => {
                    rows.extend(row);
                    continue;
                }
                (Some(_), Some(_)) => (format!("`{part}` in `{RELOAD}` of {} names a source again", object.id), None),
                (None, _) => {
                    let message = format!("`{part}` in `{RELOAD}` of {} is no `SOURCE=POLICY`", object.id);
                    let remedy = match parse(part) {
                        Some(_) => format!("for all sources write `*={part}`"),
                        None => "sources are `configmap/NAME`, `secret/NAME` and `*`; policies restart, hot and ignore"
                            .to_owned(),
                    };
                    (message, Some(remedy))
                }
            };
            found.push(wrong(object, message, place, path.clone(), remedy));
        }
        Wishes { rows, place: Some(place) }
    }

    /// What is said of a source: by its name, else of all.
    pub(super) fn of(&self, kind: SourceKind, name: &str) -> Option<Said> {
        let place = self.place?;
        let named = self.rows.iter().find(|row| row.source == Some((kind, name)));
        let all = || self.rows.iter().find(|row| row.source.is_none());
        named.or_else(all).map(|row| (row.reload, Word::Workload(place)))
    }

    /// Says which rows are about nothing that the workload reads.
    pub(super) fn report_unused(&self, object: &Object<'_>, inputs: &[Input], found: &mut Findings) {
        let Some(place) = self.place else { return };
        for (kind, name) in self.rows.iter().filter_map(|row| row.source) {
            let mut same = inputs.iter().filter(|input| input.kind == kind);
            if same.clone().any(|input| &*input.name == name) {
                continue;
            }
            let source = kind.name();
            let message = format!("`{RELOAD}` of {} names {source} `{name}`, which it does not read", object.id);
            let near = nearest(name, same.by_ref().map(|input| &*input.name));
            let remedy = near.map(|near| format!("did you mean `{near}`?"));
            let mut finding = Finding::new(&rules::RELOAD_OF_NOTHING, message)
                .with_object(&object.id)
                .with_label(Label::new(place).path(annotation_path()));
            finding.remedy = Some(remedy.unwrap_or_else(|| "take it out of the list".to_owned()));
            found.push(finding);
        }
    }
}

fn annotation_path() -> FieldPath {
    FieldPath::keys(["metadata", "annotations", RELOAD])
}

fn wish(part: &str) -> Option<Wish<'_>> {
    let (source, policy) = part.split_once('=')?;
    let reload = parse(policy.trim())?;
    let source = source.trim();
    if source == "*" {
        return Some(Wish { source: None, reload });
    }
    let (kind, name) = source.split_once('/')?;
    let kinds = [SourceKind::ConfigMap, SourceKind::Secret, SourceKind::SecretProviderClass];
    let kind = kinds.into_iter().find(|known| known.name().eq_ignore_ascii_case(kind))?;
    (!name.is_empty()).then_some(Wish { source: Some((kind, name)), reload })
}
