//! Settings by name: what the `data` of a ConfigMap, or the parameters of an Argo CD Application, set.
//!
//! Every setting of one value is a parameter by its path in the configuration (`waves.mode`); a few have
//! a short name too. `config` holds the text of a whole configuration, over which the others go.

use super::raw::{API_VERSION, KIND, Raw, SPEC, from_node};
use super::table::{Accepts, Field};
use crate::finding::rules::functions as rules;
use crate::finding::{Finding, Findings, Label, nearest};
use crate::source::{DocumentStart, Limits, Span};
use crate::tree::{FieldPath, Key, Mapping, Node, Value};
use crate::yaml;

/// The parameter that holds the text of a configuration.
pub const CONFIG: &str = "config";

/// Short names of settings: what people type most.
const SHORT: &[(&str, &str)] =
    &[("engine", "engine.name"), ("failOn", "findings.failOn"), ("waves", "waves.mode"), ("strict", "input.strict")];

/// One parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What it accepts, in words.
    pub accepts: String,
    /// What it does.
    pub help: &'static str,
}

/// What text becomes for a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Flag,
    Number,
}

/// Every parameter by its full name, in the order of the configuration; `config` last.
pub fn parameters() -> Vec<Parameter> {
    let mut all = Vec::new();
    scalars(SPEC, "", &mut |path, field, _| {
        all.push(Parameter { name: path.to_owned(), accepts: field.accepts.words(), help: field.help });
    });
    all.push(Parameter {
        name: CONFIG.to_owned(),
        accepts: "the text of a tidegate.yaml".to_owned(),
        help: "a whole configuration, over which the other parameters go",
    });
    all
}

/// The short names, each with the name of the setting.
pub fn short_names() -> &'static [(&'static str, &'static str)] {
    SHORT
}

/// What parameters set. Values that are no strings count as what they are; places are those of the
/// entries. Unknown names, settings that are set twice (under a short name, too), and values that a setting does not
/// take, are findings; nothing comes back where a name is unknown or comes twice, or `config` cannot be read.
pub fn from_parameters(entries: &[(Key<'_>, Node<'_>)], at: DocumentStart, found: &mut Findings) -> Option<Raw> {
    let known = known();
    let twice = twice(entries, at);
    let mut is_whole = twice.is_empty();
    twice.into_iter().for_each(|finding| found.push(finding));
    let mut root = match entries.iter().find(|(key, _)| key.name == CONFIG) {
        Some((_, value)) => whole(value, at, found)?,
        None => nothing_set(),
    };
    for (key, value) in entries.iter().filter(|(key, _)| key.name != CONFIG) {
        let name = full_name(&key.name);
        match known.iter().find(|(path, _)| path == name) {
            Some((path, form)) => set(&mut root, path, typed(value, *form)),
            None => {
                is_whole = false;
                found.push(unknown(key, at, &known));
            }
        }
    }
    if !is_whole {
        return None;
    }
    from_node(&root, at, found)
}

/// The name of a setting that may have been given by its short one.
fn full_name(name: &str) -> &str {
    SHORT.iter().find(|(short, _)| *short == name).map_or(name, |(_, path)| *path)
}

/// Parameters of which an earlier one sets the same: which of them counts would be a guess.
fn twice(entries: &[(Key<'_>, Node<'_>)], at: DocumentStart) -> Vec<Finding> {
    let mut found = Vec::new();
    for (nth, (key, _)) in entries.iter().enumerate() {
        let name = full_name(&key.name);
        let Some((first, _)) = entries[..nth].iter().find(|(other, _)| full_name(&other.name) == name) else {
            continue;
        };
        let by = if first.name == key.name { String::new() } else { format!(", first as `{}`", first.name) };
        found.push(
            Finding::new(&rules::PARAMETER, format!("parameter `{}` is given twice{by}", key.name))
                .with_label(Label::new(at.place(key.span)).path(FieldPath::keys([&*key.name])))
                .with_remedy("leave one of them"),
        );
    }
    found
}

fn known() -> Vec<(String, Form)> {
    let mut known = Vec::new();
    scalars(SPEC, "", &mut |path, _, form| known.push((path.to_owned(), form)));
    known
}

/// Goes through the settings of one value.
fn scalars(fields: &'static [Field<Raw>], above: &str, each: &mut dyn FnMut(&str, &'static Field<Raw>, Form)) {
    for field in fields {
        let path = if above.is_empty() { field.name.to_owned() } else { format!("{above}.{}", field.name) };
        match &field.accepts {
            Accepts::Section(inner) => scalars(inner, &path, each),
            Accepts::Flag(_) => each(&path, field, Form::Flag),
            Accepts::Number(..) => each(&path, field, Form::Number),
            Accepts::Text(..) | Accepts::Word(_) => each(&path, field, Form::Text),
            Accepts::Free | Accepts::List(_) | Accepts::Texts(..) | Accepts::Value(..) | Accepts::Nothing(_) => {}
        }
    }
}

fn nothing_set<'s>() -> Node<'s> {
    let mut root = Mapping::default();
    root.set("apiVersion", Node::text(API_VERSION));
    root.set("kind", Node::text(KIND));
    Node::made(Value::Mapping(root))
}

/// The configuration that a parameter holds as text. Everything in it stands where the text stands.
fn whole(value: &Node<'_>, at: DocumentStart, found: &mut Findings) -> Option<Node<'static>> {
    let refuse = |why: String| {
        Finding::new(&rules::PARAMETER, format!("parameter `{CONFIG}`: {why}"))
            .with_label(Label::new(at.place(value.span)).path(FieldPath::keys([CONFIG])))
            .with_remedy("give it the text of a tidegate.yaml")
    };
    let Some(text) = value.as_str() else {
        found.push(refuse(format!("it is {}, not text", value.kind())));
        return None;
    };
    let mut reading = Findings::default();
    match yaml::parse(text, at, &Limits::default(), &mut reading) {
        Ok(Some(node)) => Some(standing_at(&node, value.span)),
        Ok(None) => Some(nothing_set()),
        Err(_) => {
            let why = reading.sorted().first().map(|finding| finding.message.clone());
            found.push(refuse(why.unwrap_or_else(|| "it cannot be read".to_owned())));
            None
        }
    }
}

/// A copy of a tree of which every part stands at one place.
fn standing_at(node: &Node<'_>, span: Span) -> Node<'static> {
    let value = match &node.value {
        Value::Null => Value::Null,
        Value::Bool(value) => Value::Bool(*value),
        Value::I64(value) => Value::I64(*value),
        Value::U64(value) => Value::U64(*value),
        Value::F64(value) => Value::F64(*value),
        Value::Number(digits) => Value::Number(digits.clone()),
        Value::String(text) => Value::String(text.clone().into_owned().into()),
        Value::Sequence(items) => Value::Sequence(items.iter().map(|item| standing_at(item, span)).collect()),
        Value::Mapping(mapping) => {
            let entry = |(key, value): &(Key<'_>, Node<'_>)| {
                (Key { span, name: key.name.clone().into_owned().into() }, standing_at(value, span))
            };
            Value::Mapping(Mapping::new(mapping.entries().iter().map(entry).collect()))
        }
    };
    Node { span, value }
}

/// A value as its setting takes it; text that is none stays text, for the reader to refuse.
fn typed(value: &Node<'_>, form: Form) -> Node<'static> {
    let mut node = standing_at(value, value.span);
    let text = value.as_str().map(str::trim);
    let typed = match (form, text) {
        (Form::Flag, Some("true")) => Some(Value::Bool(true)),
        (Form::Flag, Some("false")) => Some(Value::Bool(false)),
        (Form::Number, Some(text)) => text.parse().ok().map(Value::I64),
        _ => None,
    };
    if let Some(typed) = typed {
        node.value = typed;
    }
    node
}

/// Sets a setting below `spec`, with the sections above it.
fn set(root: &mut Node<'static>, path: &str, value: Node<'static>) {
    let Some(mut section) = root.mapping_mut() else { return };
    let mut keys = std::iter::once("spec").chain(path.split('.')).peekable();
    while let Some(key) = keys.next() {
        if keys.peek().is_none() {
            section.set(key.to_owned(), value);
            return;
        }
        if section.get(key).is_none_or(Node::is_null) {
            section.set(key.to_owned(), Node::made(Value::Mapping(Mapping::default())));
        }
        // a section that is something else is refused by the reader
        let Some(next) = section.get_mut(key).and_then(Node::mapping_mut) else { return };
        section = next;
    }
}

fn unknown(key: &Key<'_>, at: DocumentStart, known: &[(String, Form)]) -> Finding {
    let names =
        known.iter().map(|(path, _)| path.as_str()).chain(SHORT.iter().map(|(short, _)| *short)).chain([CONFIG]);
    let near = nearest(&key.name, names).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    Finding::new(&rules::PARAMETER, format!("there is no parameter `{}`", key.name))
        .with_label(Label::new(at.place(key.span)).path(FieldPath::keys([&*key.name])))
        .with_remedy(format!("{near}`tidegate version -v` lists all of them"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{EngineName, Settings, WaveMode};
    use crate::source::{SourceFile, SourceMap};

    /// The settings that a mapping of parameters makes, or the messages about it.
    fn settings(text: &str) -> Result<Settings, Vec<String>> {
        let mut sources = SourceMap::default();
        let at = DocumentStart { file: sources.add(SourceFile::new("a.yaml", text)), offset: 0 };
        let mut found = Findings::default();
        let node = yaml::parse(text, at, &Limits::default(), &mut found).unwrap().unwrap();
        let raw = from_parameters(node.mapping().unwrap().entries(), at, &mut found);
        match found.sorted().is_empty() {
            true => Ok(Settings::resolve(raw, Default::default(), Default::default())),
            false => Err(found.sorted().iter().map(|finding| finding.message.clone()).collect()),
        }
    }

    #[test]
    fn settings_are_named_by_their_path_or_shortly() {
        let set =
            settings("{engine: kubectl, waves.mode: minimal, namespace: shop, partial: 'true', waves.bands.crd: '-5'}");
        let set = set.unwrap();
        assert_eq!((set.engine, set.waves.mode), (EngineName::Kubectl, WaveMode::Minimal));
        assert_eq!((set.namespace.as_deref(), set.partial, set.waves.bands.crd), (Some("shop"), true, -5));
    }

    #[test]
    fn a_parameter_goes_over_the_whole_configuration() {
        let text = "config: |\n  apiVersion: tidegate.dev/v1alpha1\n  kind: Tidegate\n  spec: {namespace: a, waves: {mode: minimal}}\nnamespace: b\n";
        let set = settings(text).unwrap();
        assert_eq!((set.namespace.as_deref(), set.waves.mode), (Some("b"), WaveMode::Minimal));
    }

    #[test]
    fn what_is_wrong_is_said_of_each() {
        let said = settings("{engin: kubectl, nope: 1}").unwrap_err();
        assert_eq!(said, ["there is no parameter `engin`", "there is no parameter `nope`"]);
        assert!(settings("{partial: perhaps}").is_err());
        assert!(settings("{config: '{'}").is_err());
        assert!(settings("{config: [1]}").is_err());
        assert!(settings("{limits: 1}").is_err(), "limits are no parameters");
    }
}
