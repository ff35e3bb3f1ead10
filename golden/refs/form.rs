//! Objects made from rows of the reference table.

use serde_json::{Map, Value, json};
use tidegate::config::Settings;
use tidegate::finding::Findings;
use tidegate::flow::Planned;
use tidegate::object::scope::{Scope, builtin};
use tidegate::refs::{GroupKindName, In, Optional, RowInfo, To};
use tidegate::source::{SourceFile, SourceMap};

/// Where the referrers are.
pub(crate) const HOME: &str = "home";
/// Where else a target may be.
pub(crate) const AWAY: &str = "away";

/// How `Named` targets are told.
pub(crate) const TELLERS: [&str; 3] = ["apiVersion", "apiGroup", "group"];

/// One way of referring that a row has.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) info: RowInfo,
    /// The kind of the target.
    pub(crate) to: GroupKindName,
    /// The field beside the name that tells the kind, and its text.
    told: Vec<(&'static str, Value)>,
    /// Whether the target is in another namespace.
    pub(crate) away: bool,
}

/// Every way of referring that a row has: each kind it may tell, and each place the target may be in.
pub(crate) fn cases(info: RowInfo) -> Vec<Case> {
    let mut kinds: Vec<(GroupKindName, Vec<(&'static str, Value)>)> = match info.row.to {
        To::Kind(kind) => vec![(kind, Vec::new())],
        To::ByField { field, kinds } => {
            let mut ways: Vec<_> = kinds.iter().map(|(word, kind)| (*kind, vec![(field, said(word))])).collect();
            ways.push((kinds[0].1, Vec::new()));
            ways
        }
        To::Named(default) => {
            let other = ("example.com", "Thing");
            let told = |field| (other, vec![("kind", json!(other.1)), (field, named(field, other.0))]);
            let mut ways: Vec<_> = TELLERS.into_iter().map(told).collect();
            ways.extend(default.map(|kind| (kind, Vec::new())));
            ways.push((("", "Service"), vec![("kind", json!("Service")), ("apiVersion", json!("v1"))]));
            ways
        }
    };
    // an absent field may mean a kind that another way tells, too
    kinds.dedup();
    let away = !matches!(info.row.within, In::Own);
    let places = |(to, told): (GroupKindName, Vec<_>)| {
        let away = away && !is_cluster_scoped(to);
        let near = Case { info, to, told, away: false };
        let far = away.then(|| Case { away: true, ..near.clone() });
        [Some(near), far]
    };
    kinds.into_iter().flat_map(places).flatten().collect()
}

/// A word of a table as it is written: `true` and `false` are no texts.
fn said(word: &str) -> Value {
    match word {
        "true" => json!(true),
        "false" => json!(false),
        word => json!(word),
    }
}

fn named(field: &str, group: &str) -> Value {
    if field == "apiVersion" { json!(format!("{group}/v1")) } else { json!(group) }
}

/// Whether tidegate knows that the objects of a kind have no namespace.
pub(crate) fn is_cluster_scoped((group, kind): GroupKindName) -> bool {
    builtin(group, kind) == Some(Scope::Cluster)
}

impl Case {
    /// Whether the referrer has no namespace of its own.
    pub(crate) fn is_from_cluster(&self) -> bool {
        is_cluster_scoped((self.info.group, self.info.kind))
    }

    /// Whether the target is of a kind that only these tests know, or that only they refer to so.
    pub(crate) fn is_made_up(&self) -> bool {
        matches!(self.info.row.to, To::Named(_)) && !self.told.is_empty()
    }

    /// The target's namespace.
    pub(crate) fn namespace(&self) -> Option<&'static str> {
        (!is_cluster_scoped(self.to)).then_some(if self.away { AWAY } else { HOME })
    }

    /// The target.
    pub(crate) fn target(&self, name: &str) -> Value {
        object(self.to, name, self.namespace())
    }

    /// The referrer; `optional` writes the field that says so, if the row has one.
    pub(crate) fn referrer(&self, name: &str, target: &str, optional: bool) -> Value {
        let row = self.info.row;
        let mut beside: Map<String, Value> = self.told.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
        let text = match row.within {
            In::Slash if self.away => format!("{AWAY}/{target}"),
            In::Host if self.away => format!("{target}.{AWAY}.svc.cluster.local"),
            _ => target.to_owned(),
        };
        if let In::Field(field) = row.within
            && self.away
        {
            beside.insert(field.to_owned(), json!(AWAY));
        }
        if let Some((field, word)) = row.only_if {
            let many = field.ends_with('s');
            beside.insert(field.to_owned(), if many { json!(["other", word]) } else { json!(word) });
        }
        if let (Optional::Field(field), true) = (row.optional, optional) {
            beside.insert(field.to_owned(), json!(true));
        }
        if let (Optional::Text([field, inner @ ..], text), true) = (row.optional, optional) {
            let value = inner.iter().rev().fold(json!(text), |value, key| json!({ *key: value }));
            beside.insert((*field).to_owned(), value);
        }
        let own = (!self.is_from_cluster()).then_some(HOME);
        let mut referrer = object((self.info.group, self.info.kind), name, own);
        put(&mut referrer, &steps(self.info.path), json!(text), beside);
        referrer
    }
}

/// An object with nothing inside.
pub(crate) fn object((group, kind): GroupKindName, name: &str, namespace: Option<&str>) -> Value {
    let version = if group.is_empty() { "v1".to_owned() } else { format!("{group}/v1") };
    let mut object = json!({"apiVersion": version, "kind": kind, "metadata": {"name": name}});
    if let Some(namespace) = namespace {
        object["metadata"]["namespace"] = json!(namespace);
    }
    object
}

/// A step of a row's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Key(String),
    Items,
    Values,
}

/// The steps of a path in the notation of the table.
pub(crate) fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut key = String::new();
    let mut braced = false;
    let end = |key: &mut String, steps: &mut Vec<Step>| {
        match key.as_str() {
            "" => {}
            "*" => steps.push(Step::Values),
            name => steps.push(Step::Key(name.to_owned())),
        }
        key.clear();
    };
    for letter in path.chars() {
        match letter {
            '{' => braced = true,
            '}' => braced = false,
            '.' if !braced => end(&mut key, &mut steps),
            '[' if !braced => {
                end(&mut key, &mut steps);
                steps.push(Step::Items);
            }
            ']' if !braced => {}
            letter => key.push(letter),
        }
    }
    end(&mut key, &mut steps);
    steps
}

/// Puts a value at the end of a path, and others beside the last key.
pub(crate) fn put(at: &mut Value, steps: &[Step], value: Value, beside: Map<String, Value>) {
    let last = steps.iter().rposition(|step| matches!(step, Step::Key(_))).expect("a path has a key");
    let mut node = at;
    for (nth, step) in steps.iter().enumerate() {
        if nth == last {
            make(node, json!({}));
            node.as_object_mut().expect("a mapping").extend(beside.clone());
        }
        node = match step {
            Step::Key(key) => {
                make(node, json!({}));
                node.as_object_mut().expect("a mapping").entry(key.clone()).or_insert(Value::Null)
            }
            Step::Values => {
                make(node, json!({}));
                node.as_object_mut().expect("a mapping").entry("any").or_insert(Value::Null)
            }
            Step::Items => {
                make(node, json!([]));
                let list = node.as_array_mut().expect("a list");
                if list.is_empty() {
                    list.push(Value::Null);
                }
                &mut list[0]
            }
        };
    }
    *node = value;
}

fn make(node: &mut Value, empty: Value) {
    if node.is_null() {
        *node = empty;
    }
}

/// What stands at the end of a path.
pub(crate) fn get<'v>(at: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(at, |node, step| match step {
        Step::Key(key) => node.get(key),
        Step::Values => node.as_object()?.values().next(),
        Step::Items => node.get(0),
    })
}

/// Objects as one source.
pub(crate) fn sources(objects: &[Value]) -> SourceMap {
    let mut sources = SourceMap::default();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
    sources.add(SourceFile::new("objects.json", list.to_string()));
    sources
}

/// The plan of a source, as `render` makes it.
pub(crate) fn plan(sources: &SourceMap) -> Planned<'_> {
    tidegate::render::plan(sources, &Settings::default(), &mut Findings::default())
}
