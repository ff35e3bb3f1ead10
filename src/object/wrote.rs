//! What tidegate wrote on an object, so that it can be told from what the user wrote.
//!
//! Outside its own keys tidegate writes a wave, sync options, and names that tell the content, and
//! records all of it in `tidegate.dev/wrote: sync-wave=-20;sync-options=ServerSideApply=true` and
//! `name=BASE;immutable`; what holds pods back until a mesh answers as `gate=WORD`. On the way in the
//! record is taken back first, so that every render starts from the user's text. A checksum on a pod
//! template is tidegate's by its key and needs no record.

mod gate;

pub use gate::{Gate, take_back_gate, write_gate};

use super::{Name, Object, ObjectId};
use crate::object::annotation::{CONFIG_CHECKSUM, SYNC_OPTIONS, SYNC_WAVE, WROTE};
use crate::tree::{Mapping, Node, Value};

/// What to write on one object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrote {
    /// The wave.
    pub wave: Option<i64>,
    /// Sync options, in the order they are appended.
    pub options: Vec<String>,
    /// What a versioned source was before: it is written already ([`write_version`]), and recorded.
    pub base: Option<Base>,
    /// What holds its pods back until a mesh answers: it is written already ([`write_gate`]), and recorded.
    pub gate: Option<Gate>,
}

/// What tidegate took back of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenBack {
    /// The name of its content, which a versioned source had.
    pub version: Option<String>,
    /// What is still to be taken off its pod template ([`take_back_gate`]).
    pub gate: Option<Gate>,
}

/// What a versioned source was before it got the name of its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// Its name.
    pub name: String,
    /// Its `immutable`.
    pub immutable: Before,
}

/// What `immutable` was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// True, or nothing that can be understood: it was left as it is.
    Kept,
    /// Absent.
    Absent,
    /// Null.
    Null,
    /// False.
    False,
}

/// How `immutable` is recorded.
const BEFORE: [(&str, Before); 3] =
    [("immutable", Before::Absent), ("immutable=null", Before::Null), ("immutable=false", Before::False)];

/// Digits of the content in the name of a versioned source.
pub const VERSION_DIGITS: usize = 10;

impl Wrote {
    /// Reads a record; parts that tidegate does not know are nobody's, and left out.
    fn parse(record: &str) -> Self {
        let mut wrote = Wrote::default();
        let mut before = Before::Kept;
        for part in record.split(';') {
            if let Some((_, known)) = BEFORE.iter().find(|(word, _)| *word == part) {
                before = *known;
            }
            match part.split_once('=') {
                Some(("name", name)) => wrote.base = Some(Base { name: name.to_owned(), immutable: before }),
                Some(("gate", word)) => wrote.gate = Gate::parse(word),
                Some(("sync-wave", wave)) => wrote.wave = wave.parse().ok(),
                Some(("sync-options", options)) => {
                    wrote.options = options.split(',').map(|option| option.trim().to_owned()).collect();
                }
                _ => {}
            }
        }
        if let Some(base) = &mut wrote.base {
            base.immutable = before;
        }
        wrote
    }

    /// The text of the record; nothing where nothing was written.
    fn record(&self) -> Option<String> {
        let wave = self.wave.map(|wave| format!("sync-wave={wave}"));
        let options = (!self.options.is_empty()).then(|| format!("sync-options={}", self.options.join(",")));
        let name = self.base.as_ref().map(|base| format!("name={}", base.name));
        let before = self.base.as_ref().and_then(|base| BEFORE.iter().find(|(_, before)| *before == base.immutable));
        let before = before.map(|(word, _)| (*word).to_owned());
        let gate = self.gate.map(|gate| format!("gate={}", gate.word()));
        let parts: Vec<_> = [wave, options, name, before, gate].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(";"))
    }

    /// Writes this on an object: the keys come last in its `annotations`, in byte order, and a new
    /// `annotations` comes last in its `metadata`. Options join those the object has; one whose name
    /// is there already is neither added nor recorded.
    pub fn write(mut self, tree: &mut Node<'_>) {
        if self == Wrote::default() {
            return;
        }
        let Some(annotations) = annotations_mut(tree) else { return };
        // on a bare Pod both are written in one place, in byte order
        let checksum = annotations.remove(CONFIG_CHECKSUM);
        let present = annotations.get(SYNC_OPTIONS).and_then(Node::as_str).unwrap_or("").to_owned();
        self.options.retain(|option| !present.split(',').any(|other| name(other) == name(option)));
        if !self.options.is_empty() {
            // what is there stays as it is written, so that it can be taken back to the letter
            let there = (!present.is_empty()).then_some(present);
            let joined = there.into_iter().chain(self.options.iter().cloned());
            annotations.set(SYNC_OPTIONS, Node::text(joined.collect::<Vec<_>>().join(",")));
        }
        if let Some(wave) = self.wave {
            annotations.remove(SYNC_WAVE);
            annotations.set(SYNC_WAVE, Node::text(wave.to_string()));
        }
        if let Some(checksum) = checksum {
            annotations.set(CONFIG_CHECKSUM, checksum);
        }
        match self.record() {
            Some(record) => annotations.set(WROTE, Node::text(record)),
            None => drop_if_empty(tree),
        }
    }
}

/// Gives a source the name of its content and makes it immutable, in place where it says anything of
/// that; gives what it was before. Nothing where it has no name.
pub fn write_version(tree: &mut Node<'_>, name: &str) -> Option<Base> {
    let root = tree.mapping_mut()?;
    let metadata = root.get_mut("metadata")?.mapping_mut()?;
    let before = metadata.get("name")?.as_str()?.to_owned();
    set_text(metadata.get_mut("name")?, name);
    let immutable = match root.get("immutable").map(|node| &node.value) {
        None => Before::Absent,
        Some(Value::Null) => Before::Null,
        Some(Value::Bool(false)) => Before::False,
        Some(_) => Before::Kept,
    };
    if immutable != Before::Kept {
        root.set("immutable", Node::made(Value::Bool(true)));
    }
    Some(Base { name: before, immutable })
}

/// Gives a source back what it was, if it still has a name of its content; gives that name.
fn take_back_version(tree: &mut Node<'_>, base: &Base) -> Option<String> {
    let root = tree.mapping_mut()?;
    let node = root.get_mut("metadata")?.mapping_mut()?.get_mut("name")?;
    let name = node.as_str().filter(|name| is_version(name, &base.name))?.to_owned();
    set_text(node, &base.name);
    if root.get("immutable").and_then(Node::as_bool) == Some(true) {
        match base.immutable {
            Before::Kept => {}
            Before::Absent => drop(root.remove("immutable")),
            Before::Null => root.set("immutable", Node::made(Value::Null)),
            Before::False => root.set("immutable", Node::made(Value::Bool(false))),
        }
    }
    Some(name)
}

/// Who an object was before it got a name of its content, by the record on it; itself where it has none.
pub fn base_id(object: &Object<'_>) -> ObjectId {
    let base = object.annotation(WROTE).and_then(|record| Wrote::parse(record).base);
    let name = object.tree.at(&["metadata", "name"]).and_then(Node::as_str);
    match (base, name) {
        (Some(base), Some(name)) if is_version(name, &base.name) => {
            ObjectId { name: Name::Fixed(base.name.into()), ..object.id.clone() }
        }
        _ => object.id.clone(),
    }
}

/// Whether a name is that of a version of another.
fn is_version(name: &str, base: &str) -> bool {
    let digits = name.strip_prefix(base).and_then(|rest| rest.strip_prefix('-'));
    digits.is_some_and(|digits| {
        digits.len() == VERSION_DIGITS && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// Another text at the same place.
fn set_text(node: &mut Node<'_>, text: &str) {
    node.value = Value::String(text.to_owned().into());
}

/// Takes back what tidegate wrote: the record, the wave if it still is the recorded one, the recorded
/// options, and the name of a version. An `annotations` left empty goes. What a user changed since stays.
pub fn take_back(tree: &mut Node<'_>) -> TakenBack {
    let annotations = tree.at_mut(&["metadata", "annotations"]).and_then(Node::mapping_mut);
    let Some(annotations) = annotations else { return TakenBack::default() };
    let Some(record) = annotations.remove(WROTE) else { return TakenBack::default() };
    let wrote = Wrote::parse(record.as_str().unwrap_or(""));
    let wave = annotations.get(SYNC_WAVE).and_then(Node::as_str).map(str::to_owned);
    if wave.is_some() && wave == wrote.wave.map(|wave| wave.to_string()) {
        annotations.remove(SYNC_WAVE);
    }
    if let Some(options) = annotations.get(SYNC_OPTIONS).and_then(Node::as_str) {
        let kept: Vec<_> =
            options.split(',').filter(|option| !wrote.options.iter().any(|w| w == option.trim())).collect();
        match kept.join(",") {
            kept if kept.is_empty() => drop(annotations.remove(SYNC_OPTIONS)),
            kept => annotations.set(SYNC_OPTIONS, Node::text(kept)),
        }
    }
    drop_if_empty(tree);
    let version = wrote.base.and_then(|base| take_back_version(tree, &base));
    TakenBack { version, gate: wrote.gate }
}

/// Whether an object is tidegate's as a whole, by the record on it: an earlier render added it.
pub fn is_made(tree: &Node<'_>) -> bool {
    let record = tree.at(&["metadata", "annotations"]).and_then(|annotations| annotations.get(WROTE)?.as_str());
    record.is_some_and(|record| Wrote::parse(record).gate == Some(Gate::Made))
}

/// Writes the checksum on a pod template, as the last key of its annotations. A template without
/// `metadata`, or with an empty one, gets it as its first key, where every API type has it.
pub fn write_checksum(template: &mut Node<'_>, value: String) {
    let Some(root) = template.mapping_mut() else { return };
    if root.get("metadata").is_none_or(is_blank) {
        root.put_first("metadata", Node::made(Value::Mapping(Mapping::default())));
    }
    if let Some(annotations) = annotations_mut(template) {
        annotations.remove(CONFIG_CHECKSUM);
        annotations.set(CONFIG_CHECKSUM, Node::text(value));
    }
}

/// Takes the checksum off a pod template; annotations and metadata that are left empty go too.
pub fn take_back_checksum(template: &mut Node<'_>) {
    let annotations = template.at_mut(&["metadata", "annotations"]).and_then(Node::mapping_mut);
    if annotations.and_then(|annotations| annotations.remove(CONFIG_CHECKSUM)).is_none() {
        return;
    }
    drop_if_empty(template);
    if let Some(root) = template.mapping_mut()
        && root.get("metadata").is_some_and(is_empty)
    {
        root.remove("metadata");
    }
}

/// The part of a sync option before its `=`.
fn name(option: &str) -> &str {
    option.split('=').next().unwrap_or(option).trim()
}

/// The annotations of an object, made as the last key of `metadata` where they are absent, null or
/// empty. Nothing where `metadata` or `annotations` is no mapping.
fn annotations_mut<'t, 's>(tree: &'t mut Node<'s>) -> Option<&'t mut Mapping<'s>> {
    let metadata = tree.mapping_mut()?.get_mut("metadata")?.mapping_mut()?;
    if let Some(annotations) = metadata.get_mut("annotations").and_then(Node::mapping_mut) {
        // null, and options without an option, are nobody's word; in their place a key of ours would not
        // stand where the next render puts it
        let is_blank = |name: &str, node: &Node<'_>| {
            node.is_null() || name == SYNC_OPTIONS && node.as_str().is_some_and(|text| text.trim().is_empty())
        };
        for ours in [SYNC_WAVE, SYNC_OPTIONS, WROTE] {
            if annotations.get(ours).is_some_and(|node| is_blank(ours, node)) {
                annotations.remove(ours);
            }
        }
    }
    if metadata.get("annotations").is_none_or(is_empty) {
        metadata.remove("annotations");
    }
    metadata.mapping_at("annotations")
}

fn drop_if_empty(tree: &mut Node<'_>) {
    let metadata = tree.mapping_mut().and_then(|root| root.get_mut("metadata")?.mapping_mut());
    if let Some(metadata) = metadata
        && metadata.get("annotations").is_some_and(is_empty)
    {
        metadata.remove("annotations");
    }
}

/// Whether metadata holds nothing, or nothing but annotations that hold nothing.
fn is_blank(metadata: &Node<'_>) -> bool {
    let only_annotations =
        |(key, value): &(crate::tree::Key<'_>, Node<'_>)| key.name == "annotations" && is_empty(value);
    is_empty(metadata) || metadata.mapping().is_some_and(|mapping| mapping.entries().iter().all(only_annotations))
}

fn is_empty(node: &Node<'_>) -> bool {
    match &node.value {
        Value::Null => true,
        Value::Mapping(mapping) => mapping.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(entries: Vec<(&'static str, Node<'static>)>) -> Node<'static> {
        let entries = entries.into_iter().map(|(name, value)| (crate::tree::Key::made(name), value));
        Node::made(Value::Mapping(Mapping::new(entries.collect())))
    }

    fn keys<'n>(node: Option<&'n Node<'_>>) -> Vec<&'n str> {
        let mapping = node.and_then(Node::mapping).unwrap();
        mapping.entries().iter().map(|(key, _)| &*key.name).collect()
    }

    #[test]
    fn what_is_written_on_a_pod_stands_in_the_order_of_the_keys() {
        let annotations = mapping(vec![("zone", Node::text("a"))]);
        let mut pod = mapping(vec![("metadata", mapping(vec![("annotations", annotations)]))]);
        let written = Wrote { wave: Some(3), options: vec!["Replace=true".to_owned()], ..Wrote::default() };
        write_checksum(&mut pod, "0".to_owned());
        written.clone().write(&mut pod);
        let all = ["zone", SYNC_OPTIONS, SYNC_WAVE, CONFIG_CHECKSUM, WROTE];
        assert_eq!(keys(pod.at(&["metadata", "annotations"])), all);
        take_back(&mut pod);
        take_back_checksum(&mut pod);
        assert_eq!(keys(pod.at(&["metadata", "annotations"])), ["zone"]);
    }

    #[test]
    fn metadata_that_a_checksum_brought_goes_with_it() {
        for metadata in
            [None, Some(Node::default()), Some(mapping(vec![])), Some(mapping(vec![("annotations", Node::default())]))]
        {
            let mut entries = vec![("spec", mapping(vec![]))];
            entries.extend(metadata.map(|metadata| ("metadata", metadata)));
            let mut template = mapping(entries);
            write_checksum(&mut template, "0".to_owned());
            assert_eq!(keys(template.at(&["metadata", "annotations"])), [CONFIG_CHECKSUM]);
            take_back_checksum(&mut template);
            assert_eq!(keys(Some(&template)), ["spec"]);
        }
    }
}

#[cfg(test)]
mod law_tests {
    use super::*;
    use crate::finding::Findings;
    use crate::source::{DocumentStart, Limits, SourceFile, SourceMap};

    /// Writes, takes back and writes again: the second text is the first.
    #[test]
    fn empty_options_and_null_waves_stay_where_the_next_render_puts_them() {
        for annotations in [
            "{argocd.argoproj.io/sync-options: \"\"}",
            "{argocd.argoproj.io/sync-options: \" \", z: a}",
            "{argocd.argoproj.io/sync-wave: null, z: a}",
            "{argocd.argoproj.io/sync-wave: null}",
            "{tidegate.dev/wrote: null, z: a}",
            "{}",
        ] {
            let text = format!("metadata: {{annotations: {annotations}, name: a}}\n");
            let file = SourceMap::default().add(SourceFile::new("a.yaml", text.as_str()));
            let at = DocumentStart { file, offset: 0 };
            let parsed = crate::yaml::parse(&text, at, &Limits::default(), &mut Findings::default());
            let mut tree = parsed.unwrap().unwrap();
            let render = |tree: &mut Node<'_>| {
                take_back(tree);
                let options = vec!["ServerSideApply=true".to_owned()];
                Wrote { wave: Some(-20), options, ..Wrote::default() }.write(tree);
                let mut out = String::new();
                crate::yaml::emit(tree, &mut out);
                out
            };
            let first = render(&mut tree);
            assert_eq!(render(&mut tree), first, "{annotations}");
        }
    }
}
