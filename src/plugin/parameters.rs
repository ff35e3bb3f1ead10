//! The parameters of an application.

use super::Environment;
use super::announce::{self, Shape};
use super::source::{SOURCES, SourceKind};
use crate::config::{Raw, parameters};
use crate::finding::rules::functions as rules;
use crate::finding::{Finding, Findings, Label};
use crate::json;
use crate::source::{DocumentStart, Limits, Place, Role, SourceFile, SourceMap};
use crate::tree::{FieldPath, Key, Node, Value};

/// The variable that holds all parameters as JSON.
const PARAMETERS: &str = "ARGOCD_APP_PARAMETERS";

/// What an application asks for.
#[derive(Debug, Default, PartialEq)]
pub struct Asked {
    /// What makes the manifests that are rendered.
    pub source: SourceKind,
    /// The name of the Helm release; none for that of the application.
    pub release: Option<String>,
    /// Files of values for Helm, below the folder of the application.
    pub value_files: Vec<String>,
    /// Settings, over those of the file.
    pub settings: Option<Raw>,
}

/// Reads the parameters of a call: `ARGOCD_APP_PARAMETERS`, and `PARAM_<NAME>` for what is not in it.
///
/// The text goes into `sources`, so that findings can point into it. A parameter that is unknown, has the wrong
/// shape or a value that is none of its own is a finding.
pub fn asked(environment: &Environment, sources: &mut SourceMap, found: &mut Findings) -> Asked {
    let text = environment.get(PARAMETERS).unwrap_or("null").to_owned();
    let mut file = SourceFile::new(PARAMETERS, text.clone());
    file.role = Role::Tool;
    let file = sources.add(file);
    let at = DocumentStart { file, offset: 0 };
    let mut asked = Asked::default();
    let mut settings = Vec::new();
    let given = given(&text, at, found);
    let is_given = |name: &str| given.iter().any(|(key, _)| key.name == name);
    let own: Vec<_> = own_variables(environment).into_iter().filter(|(key, _)| !is_given(&key.name)).collect();
    for (key, value) in own.into_iter().chain(given) {
        match announce::OWN.iter().find(|own| own.name == key.name) {
            Some(own) if own.shape.takes(&value) => set(&mut asked, &key, &value, at, found),
            Some(own) => found.push(wrong(&key, &value, own.shape.words(), at)),
            None if matches!(value.value, Value::Sequence(_) | Value::Mapping(_)) => {
                found.push(wrong(&key, &value, Shape::Text.words(), at));
            }
            None => settings.push((key, value)),
        }
    }
    for (name, value) in variables(environment) {
        if !settings.iter().any(|(key, _)| key.name == name) {
            settings.push((Key::made(name), Node::text(value)));
        }
    }
    if !settings.is_empty() {
        asked.settings = parameters::from_parameters(&settings, at, found);
    }
    asked
}

/// Name and value of each entry of the JSON list.
fn given<'t>(text: &'t str, at: DocumentStart, found: &mut Findings) -> Vec<(Key<'t>, Node<'t>)> {
    if text.trim() == "null" {
        return Vec::new();
    }
    let mut reading = Findings::default();
    let root = json::parse_stream(text, at, &Limits::default(), &mut reading).into_iter().next();
    let Some(Ok((_, root))) = root else {
        found.push(unreadable("it is no JSON", at));
        return Vec::new();
    };
    let items = match root.value {
        Value::Sequence(items) => items,
        _ => {
            found.push(unreadable("it is no list", at));
            return Vec::new();
        }
    };
    items.into_iter().filter_map(|item| entry(item, at, found)).collect()
}

/// One `{name, string | array | map}`; the one of the three that is there counts.
fn entry<'t>(mut item: Node<'t>, at: DocumentStart, found: &mut Findings) -> Option<(Key<'t>, Node<'t>)> {
    let name = item.get("name").filter(|name| name.as_str().is_some()).cloned();
    let fields = item.mapping_mut();
    let value = fields.and_then(|fields| ["string", "array", "map"].into_iter().find_map(|shape| fields.remove(shape)));
    match (name, value) {
        (Some(Node { value: Value::String(name), span }), Some(value)) => Some((Key { span, name }, value)),
        _ => {
            let message = "a parameter has no name, or neither `string` nor `array` nor `map`";
            found.push(Finding::new(&rules::PARAMETER, message).with_label(Label::new(at.place(item.span))));
            None
        }
    }
}

/// What only a plugin has, by variables: `PARAM_SOURCE`, and `PARAM_HELM_VALUEFILES_0` and so on.
fn own_variables(environment: &Environment) -> Vec<(Key<'static>, Node<'static>)> {
    let value = |own: &announce::Own| {
        let name = variable(own.name);
        match own.shape {
            Shape::Text => environment.get(&name).map(|text| Node::text(text.to_owned())),
            Shape::Texts => {
                let item =
                    |nth: usize| environment.get(&format!("{name}_{nth}")).map(|text| Node::text(text.to_owned()));
                let items: Vec<_> = (0..).map_while(item).collect();
                (!items.is_empty()).then(|| Node::made(Value::Sequence(items)))
            }
        }
    };
    announce::OWN.iter().filter_map(|own| Some((Key::made(own.name), value(own)?))).collect()
}

/// Settings by the variables that the server makes of parameters: `PARAM_WAVES_MODE`.
fn variables(environment: &Environment) -> Vec<(String, String)> {
    let short = parameters::short_names().iter().map(|(short, _)| (*short).to_owned());
    let names = parameters::parameters().into_iter().map(|parameter| parameter.name).chain(short);
    names.filter_map(|name| Some((name.clone(), environment.get(&variable(&name))?.to_owned()))).collect()
}

/// The variable of a parameter (`reposerver/repository` of Argo CD): upper case, and `_` for all that is no
/// letter, digit or `_`.
fn variable(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c.to_ascii_uppercase() } else { '_' };
    format!("PARAM_{}", name.chars().map(letter).collect::<String>())
}

fn set(asked: &mut Asked, key: &Key<'_>, value: &Node<'_>, at: DocumentStart, found: &mut Findings) {
    let texts = || value.items().unwrap_or_default().iter().filter_map(Node::as_str).map(str::to_owned).collect();
    match &*key.name {
        announce::SOURCE => match SOURCES.iter().find(|(word, _)| Some(*word) == value.as_str()) {
            Some((_, source)) => asked.source = *source,
            None => {
                let words: Vec<_> = SOURCES.iter().map(|(word, _)| *word).collect();
                found.push(wrong(key, value, &format!("one of {}", words.join(", ")), at));
            }
        },
        announce::RELEASE => asked.release = value.as_str().map(str::to_owned),
        _ => asked.value_files = texts(),
    }
}

fn wrong(key: &Key<'_>, value: &Node<'_>, takes: &str, at: DocumentStart) -> Finding {
    let is = value.as_str().map_or_else(|| value.kind().to_owned(), |text| format!("`{text}`"));
    Finding::new(&rules::PARAMETER, format!("parameter `{}` takes {takes}, not {is}", key.name))
        .with_label(Label::new(at.place(value.span)).path(FieldPath::keys([&*key.name])))
        .with_remedy("`tidegate cmp parameters` lists all parameters and what they take")
}

fn unreadable(why: &str, at: DocumentStart) -> Finding {
    Finding::new(&rules::PARAMETER, format!("{PARAMETERS} cannot be read: {why}"))
        .with_label(Label::new(Place::file(at.file)))
        .with_remedy("Argo CD writes it from `spec.source.plugin.parameters`: a list of name and string, array or map")
}
