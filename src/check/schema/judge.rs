//! Values against schemas, as an API server validates them.
//!
//! Source: apiextensions-apiserver, `pkg/apiserver/validation` and `pkg/apiserver/schema/listtype`; kube-openapi,
//! `pkg/validation/validate`.

use std::collections::BTreeSet;

use super::format;
use super::pattern::Patterns;
use super::shape::{Dialect, HEAD, Inner, Shapes, flag, is_filled_later, number, properties, text, texts};
use crate::source::Span;
use crate::tree::{FieldPath, Mapping, Node, Value};

/// How many pairs of a value and a schema are looked at in one object.
const MOST_STEPS: u32 = 1_000_000;

/// How many problems of one object are told.
const MOST_PROBLEMS: usize = 100;

/// How many values of an enumeration a message names.
const MOST_NAMED: usize = 8;

/// One thing that a schema refuses.
#[derive(Debug)]
pub(super) struct Problem {
    /// The field.
    pub(super) path: FieldPath,
    /// What is wrong with it, to be read behind its path.
    pub(super) what: String,
    /// What to do.
    pub(super) remedy: String,
    /// The keyword's value in the schema.
    pub(super) because: Span,
    /// Whether a field is absent.
    pub(super) is_missing: bool,
}

/// Judges the values of one object.
pub(super) struct Judge<'p, 'n, 'd> {
    shapes: Shapes<'n, 'd>,
    patterns: &'p mut Patterns,
    path: FieldPath,
    steps: u32,
    /// What was found.
    pub(super) problems: Vec<Problem>,
}

impl<'p, 'n, 'd> Judge<'p, 'n, 'd> {
    pub(super) fn new(shapes: Shapes<'n, 'd>, patterns: &'p mut Patterns) -> Self {
        Judge { shapes, patterns, path: FieldPath::default(), steps: 0, problems: Vec::new() }
    }

    /// Whether there was more to look at than is looked at.
    pub(super) fn gave_up(&self) -> bool {
        self.steps >= MOST_STEPS
    }

    /// Judges a whole object; `status` is not the user's to write.
    pub(super) fn object(&mut self, schema: &'n Node<'d>, object: &Node<'_>) {
        let schema = self.shapes.resolve(schema);
        let Some(mapping) = object.mapping() else { return };
        self.required(schema, mapping, true);
        for (key, value) in mapping.entries() {
            let is_head = HEAD.contains(&&*key.name) && self.shapes.dialect == Dialect::Definition;
            if is_head || key.name == "status" || key.name == "apiVersion" || key.name == "kind" {
                continue;
            }
            if let Inner::Schema(inner) = self.shapes.field(schema, &key.name) {
                self.below_key(&key.name, |judge| judge.value(inner, value));
            }
        }
        if self.shapes.dialect == Dialect::Definition {
            self.combined(schema, object);
        }
    }

    fn below_key(&mut self, key: &str, work: impl FnOnce(&mut Self)) {
        self.path.push_key(key);
        work(self);
        self.path.pop();
    }

    fn problem(&mut self, because: &Node<'_>, what: impl Into<String>, remedy: impl Into<String>) {
        if self.problems.len() < MOST_PROBLEMS {
            let (path, because) = (self.path.clone(), because.span);
            let (what, remedy) = (what.into(), remedy.into());
            self.problems.push(Problem { path, what, remedy, because, is_missing: false });
        }
    }

    fn value(&mut self, schema: &'n Node<'d>, value: &Node<'_>) {
        self.steps = self.steps.saturating_add(1);
        if self.gave_up() || value.as_str().is_some_and(is_filled_later) {
            return;
        }
        let is_quantity = self.shapes.is_quantity(schema);
        let schema = self.shapes.resolve(schema);
        if value.is_null() && (flag(schema, "nullable") || self.shapes.dialect == Dialect::OpenApi) {
            return;
        }
        if !is_quantity && !self.has_type(schema, value) {
            return;
        }
        match &value.value {
            Value::String(text) => self.string(schema, text),
            Value::Sequence(items) => self.list(schema, items),
            Value::Mapping(mapping) => self.mapping(schema, mapping),
            _ => self.number(schema, value),
        }
        self.is_listed(schema, value);
        if self.shapes.dialect == Dialect::Definition {
            self.combined(schema, value);
        }
    }

    /// Whether a value is of the type that its schema names.
    fn has_type(&mut self, schema: &Node<'d>, value: &Node<'_>) -> bool {
        let is_integer = matches!(value.value, Value::I64(_) | Value::U64(_) | Value::Number(_));
        let is_number = is_integer || matches!(value.value, Value::F64(_));
        if flag(schema, "x-kubernetes-int-or-string") || text(schema, "format") == Some("int-or-string") {
            let fits = is_integer || value.as_str().is_some();
            if !fits {
                self.problem(schema, format!("must be an integer or a string; it is {}", value.kind()), TYPE_REMEDY);
            }
            return fits;
        }
        let Some(keyword) = schema.get("type") else { return true };
        let (wanted, fits) = match keyword.as_str() {
            Some("string") => ("a string", value.as_str().is_some()),
            Some("integer") => ("an integer", is_integer),
            Some("number") => ("a number", is_number),
            Some("boolean") => ("a boolean", value.as_bool().is_some()),
            Some("array") => ("a list", value.items().is_some()),
            Some("object") => ("a mapping", value.mapping().is_some()),
            _ => return true,
        };
        if !fits {
            let is = if is_number && !is_integer && wanted == "an integer" { "a fraction" } else { value.kind() };
            let is_scalar = value.items().is_none() && value.mapping().is_none() && !value.is_null();
            let is_plain = |text: &str| text.parse::<f64>().is_ok() || matches!(text, "true" | "false");
            let remedy = match (wanted, value.as_str()) {
                ("a string", _) if is_scalar => "put the value in quotes",
                ("an integer" | "a number" | "a boolean", Some(text)) if is_plain(text) => "take the quotes away",
                ("a list", _) if value.mapping().is_some() => "write it as an item of a list, with `-` before it",
                ("a mapping", _) if value.items().is_some() => "write a mapping, without `-` before it",
                _ => TYPE_REMEDY,
            };
            self.problem(keyword, format!("must be {wanted}; it is {is}"), remedy);
        }
        fits
    }

    fn string(&mut self, schema: &Node<'d>, value: &str) {
        if let Some(keyword) = schema.get("pattern")
            && let Some(pattern) = keyword.as_str()
            && !self.patterns.fits(pattern, value)
        {
            let shown: String = pattern.chars().take(120).collect();
            let dots = if shown.len() < pattern.len() { "..." } else { "" };
            self.problem(keyword, format!("does not match `{shown}{dots}`"), "write a value that does");
        }
        if self.shapes.dialect == Dialect::Definition
            && let Some(keyword) = schema.get("format")
            && let Some(what) = keyword.as_str().and_then(|format| format::refusal(format, value))
        {
            self.problem(keyword, format!("is not {what}"), "write a value of that form");
        }
        let length = || number(&Node::made(Value::I64(i64::try_from(value.chars().count()).unwrap_or(i64::MAX))));
        self.bound(schema, "minLength", length, |is, least| is < least, "characters");
        self.bound(schema, "maxLength", length, |is, most| is > most, "characters");
    }

    fn number(&mut self, schema: &Node<'d>, value: &Node<'_>) {
        let (low, high) = (flag(schema, "exclusiveMinimum"), flag(schema, "exclusiveMaximum"));
        self.bound(schema, "minimum", || number(value), |is, least| is < least || low && is == least, "");
        self.bound(schema, "maximum", || number(value), |is, most| is > most || high && is == most, "");
        if let Some(keyword) = schema.get("multipleOf")
            && let (Some(is), Some(step)) = (number(value), number(keyword).filter(|step| *step > 0.0))
            && is % step != 0.0
        {
            self.problem(keyword, format!("must be a multiple of {step}"), "round it");
        }
    }

    /// Says that a value, or its size, is beyond the bound of a keyword.
    fn bound(
        &mut self,
        schema: &Node<'d>,
        keyword: &str,
        size: impl FnOnce() -> Option<f64>,
        is_beyond: impl FnOnce(f64, f64) -> bool,
        unit: &str,
    ) {
        let Some(node) = schema.get(keyword) else { return };
        let (Some(is), Some(bound)) = (size(), number(node)) else { return };
        if is_beyond(is, bound) {
            let exclusive = flag(schema, if keyword == "minimum" { "exclusiveMinimum" } else { "exclusiveMaximum" });
            let words = match (keyword.starts_with("min"), exclusive && unit.is_empty()) {
                (true, false) => "at least",
                (true, true) => "more than",
                (false, false) => "at most",
                (false, true) => "less than",
            };
            let what = match unit {
                "" => format!("must be {words} {bound}"),
                unit => format!("must have {words} {bound} {unit}; it has {is}"),
            };
            self.problem(node, what, "keep to the bound");
        }
    }

    fn list(&mut self, schema: &'n Node<'d>, items: &[Node<'_>]) {
        let length = || number(&Node::made(Value::I64(i64::try_from(items.len()).unwrap_or(i64::MAX))));
        self.bound(schema, "minItems", length, |is, least| is < least, "items");
        self.bound(schema, "maxItems", length, |is, most| is > most, "items");
        self.unique(schema, items);
        let Some(inner) = schema.get("items").filter(|inner| inner.mapping().is_some()) else { return };
        for (index, item) in items.iter().enumerate() {
            self.path.push_index(index);
            self.value(inner, item);
            self.path.pop();
        }
    }

    /// Items that a set or map holds twice.
    fn unique(&mut self, schema: &Node<'d>, items: &[Node<'_>]) {
        let Some(keyword) = schema.get("x-kubernetes-list-type") else { return };
        if self.shapes.dialect == Dialect::OpenApi {
            return; // there they are of merging only
        }
        let keys: Vec<&str> = texts(schema, "x-kubernetes-list-map-keys").collect();
        let is_map = keyword.as_str() == Some("map");
        if !is_map && keyword.as_str() != Some("set") {
            return;
        }
        let key = |item: &Node<'_>| match is_map {
            true => keys.iter().map(|key| item.get(key).map(written).unwrap_or_default()).collect(),
            false => vec![written(item)],
        };
        let mut seen = BTreeSet::new();
        for (index, item) in items.iter().enumerate() {
            if !seen.insert(key(item)) {
                let what = match is_map {
                    true => format!("has the {} of an earlier item", keys.join(" and ")),
                    false => "is in the list already".to_owned(),
                };
                self.path.push_index(index);
                self.problem(keyword, what, "items of this list must differ: take one away");
                self.path.pop();
            }
        }
    }

    fn mapping(&mut self, schema: &'n Node<'d>, mapping: &Mapping<'_>) {
        let length = || number(&Node::made(Value::I64(i64::try_from(mapping.len()).unwrap_or(i64::MAX))));
        self.bound(schema, "minProperties", length, |is, least| is < least, "fields");
        self.bound(schema, "maxProperties", length, |is, most| is > most, "fields");
        let is_embedded = flag(schema, "x-kubernetes-embedded-resource");
        if is_embedded {
            for field in ["apiVersion", "kind"] {
                if mapping.get(field).and_then(Node::as_str).is_none_or(str::is_empty) {
                    self.missing(schema, field);
                }
            }
        }
        self.required(schema, mapping, is_embedded);
        for (key, value) in mapping.entries() {
            if is_embedded && HEAD.contains(&&*key.name) {
                continue;
            }
            if let Inner::Schema(inner) = self.shapes.field(schema, &key.name) {
                self.below_key(&key.name, |judge| judge.value(inner, value));
            }
        }
    }

    fn required(&mut self, schema: &'n Node<'d>, mapping: &Mapping<'_>, is_object: bool) {
        let names = schema.get("required").and_then(Node::items).unwrap_or_default();
        for (node, name) in names.iter().filter_map(|node| Some((node, node.as_str()?))) {
            let is_given = match self.shapes.dialect {
                Dialect::Definition => mapping.get(name).is_some(),
                Dialect::OpenApi => mapping.get(name).is_some_and(|value| !value.is_null()),
            };
            let is_head = is_object && (HEAD.contains(&name) || name == "status");
            if !is_given && !is_head {
                self.missing(node, name);
            }
        }
    }

    fn missing(&mut self, because: &Node<'_>, name: &str) {
        self.below_key(name, |judge| judge.problem(because, "is required and not there", "add it"));
        if let Some(problem) = self.problems.last_mut() {
            problem.is_missing = true;
        }
    }

    /// Whether a value is one of an enumeration.
    fn is_listed(&mut self, schema: &Node<'d>, value: &Node<'_>) {
        let Some(keyword) = schema.get("enum") else { return };
        let listed = keyword.items().unwrap_or_default();
        if listed.is_empty() || listed.iter().any(|one| same(one, value)) {
            return;
        }
        let mut named: Vec<_> = listed.iter().take(MOST_NAMED).map(|one| format!("`{}`", plain(one))).collect();
        if listed.len() > MOST_NAMED {
            named.push(format!("... ({} more)", listed.len() - MOST_NAMED));
        }
        let near =
            value.as_str().and_then(|text| crate::finding::nearest(text, listed.iter().filter_map(Node::as_str)));
        let remedy = near.map_or_else(|| "write one of them".to_owned(), |near| format!("did you mean `{near}`?"));
        self.problem(keyword, format!("must be one of {}", named.join(", ")), remedy);
    }

    /// `allOf`, `anyOf`, `oneOf` and `not`.
    fn combined(&mut self, schema: &'n Node<'d>, value: &Node<'_>) {
        let list = |keyword| schema.get(keyword).and_then(Node::items).unwrap_or_default();
        for one in list("allOf") {
            self.value_of_part(one, value);
        }
        for (keyword, most) in [("anyOf", usize::MAX), ("oneOf", 1)] {
            let parts = list(keyword);
            // what stands beside `x-kubernetes-int-or-string` says it once more
            if parts.is_empty() || flag(schema, "x-kubernetes-int-or-string") {
                continue;
            }
            let fitting = parts.iter().filter(|part| self.fits(part, value)).count();
            if self.gave_up() || (1..=most).contains(&fitting) {
                continue;
            }
            let because = schema.get(keyword).unwrap_or(schema);
            let asked: Vec<_> =
                parts.iter().flat_map(|part| texts(part, "required")).map(|name| format!("`{name}`")).collect();
            let is_about_fields = parts.iter().all(|part| part.get("required").is_some());
            let what = match (fitting, is_about_fields) {
                (0, true) => format!("must have one of {}", asked.join(", ")),
                (0, false) => format!("fits none of the {} forms that it may have", parts.len()),
                (_, true) => format!("must have only one of {}", asked.join(", ")),
                (many, false) => format!("fits {many} of the {} forms of which it must have one", parts.len()),
            };
            self.problem(because, what, "see what the schema demands");
        }
        if let Some(not) = schema.get("not").filter(|not| not.mapping().is_some())
            && self.fits(not, value)
            && !self.gave_up()
        {
            let asked: Vec<_> = texts(not, "required").map(|name| format!("`{name}`")).collect();
            let what = match asked.is_empty() {
                true => "has a form that it must not have".to_owned(),
                false => format!("must not have {}", asked.join(" and ")),
            };
            self.problem(not, what, "see what the schema forbids");
        }
    }

    /// A part of a schema says nothing of null, whose type the whole decides.
    fn value_of_part(&mut self, part: &'n Node<'d>, value: &Node<'_>) {
        if !value.is_null() {
            self.value(part, value);
        }
    }

    /// Whether a value fits a part of its schema.
    fn fits(&mut self, part: &'n Node<'d>, value: &Node<'_>) -> bool {
        let kept = std::mem::take(&mut self.problems);
        self.value_of_part(part, value);
        std::mem::replace(&mut self.problems, kept).is_empty()
    }
}

/// What to do about a value of another type, where nothing better is known.
const TYPE_REMEDY: &str = "write a value of that type";

/// Whether two scalars are the same; other values are compared as they are written.
fn same(one: &Node<'_>, other: &Node<'_>) -> bool {
    match (number(one), number(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

/// A value as JSON.
fn written(node: &Node<'_>) -> String {
    crate::json::to_value(node).to_string()
}

/// A value of an enumeration, without quotes.
fn plain(node: &Node<'_>) -> String {
    node.as_str().map_or_else(|| written(node), str::to_owned)
}

/// The fields that a schema knows, for suggestions.
pub(super) fn known<'n>(schema: &'n Node<'_>) -> impl Iterator<Item = &'n str> {
    properties(schema).into_iter().flat_map(|properties| properties.entries().iter().map(|(key, _)| &*key.name))
}
