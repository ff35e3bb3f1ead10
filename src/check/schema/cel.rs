//! Validation rules of definitions, evaluated as the API server does.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kube_core::cel::{CompiledSchema, ErrorKind, RootContext, Validator, compile_schema};
use serde_json::Value as Json;

use super::{RULE_FAILS, defines, schema};
use crate::finding::{Finding, Findings, Label};
use crate::json::to_value;
use crate::object::{Object, ObjectSet};
use crate::tree::FieldPath;

/// The longest rule that is read, and how deep its brackets may go: the reader recurses.
const LONGEST: usize = 16_384;
const DEEPEST: usize = 40;

/// How often a rule may look at a value: the values of an object to the power of the loops in each other that the
/// rule may have.
const MOST_LOOKS: f64 = 5e6;

/// What loops over the values of an object.
const LOOPS: &[&str] = &[".all(", ".exists(", ".exists_one(", ".map(", ".filter("];

/// Holds the objects of a definition's kind to its rules.
pub(super) fn run(objects: &ObjectSet<'_>, definition: &Object<'_>, found: &mut Findings) {
    let Some((group, kind)) = defines(definition) else { return };
    let mut read: Vec<(String, Option<(CompiledSchema, u32)>)> = Vec::new();
    for (_, object) in objects.of_kind(group, kind) {
        let at = match read.iter().position(|(version, _)| **version == *object.version) {
            Some(at) => at,
            None => {
                read.push((object.version.to_string(), compile(definition, &object.version)));
                read.len() - 1
            }
        };
        let Some((compiled, loops)) = &read[at].1 else { continue };
        let value = to_value(&object.tree);
        let looks = f64::from(u32::try_from(size(&value)).unwrap_or(u32::MAX));
        if looks.powi(i32::try_from(*loops).unwrap_or(i32::MAX)) <= MOST_LOOKS {
            judge(object, compiled, &value, found);
        }
    }
}

/// The rules of a version's schema, and how many loops one of them has at most; none where there are none, or where
/// they cannot be read.
fn compile(definition: &Object<'_>, version: &str) -> Option<(CompiledSchema, u32)> {
    let mut schema = to_value(schema(definition, version)?);
    let mut loops = None;
    readable(&mut schema, &mut loops);
    let loops = loops?;
    let compiled = catch_unwind(AssertUnwindSafe(|| compile_schema(&schema))).ok()?;
    Some((compiled, loops))
}

/// Takes rules away that are not to be evaluated, and expressions of messages, which might hold values of the object.
fn readable(schema: &mut Json, loops: &mut Option<u32>) {
    match schema {
        Json::Array(items) => items.iter_mut().for_each(|item| readable(item, loops)),
        Json::Object(entries) => {
            if let Some(Json::Array(rules)) = entries.get_mut("x-kubernetes-validations") {
                rules.retain_mut(|rule| {
                    if let Some(rule) = rule.as_object_mut() {
                        rule.remove("messageExpression");
                    }
                    let text = rule.get("rule").and_then(Json::as_str).unwrap_or_default();
                    let is_short = text.len() <= LONGEST && depth(text) <= DEEPEST;
                    if is_short {
                        let own = LOOPS.iter().map(|word| text.matches(word).count()).sum::<usize>();
                        let own = u32::try_from(own).unwrap_or(u32::MAX);
                        *loops = Some(loops.unwrap_or(0).max(own));
                    }
                    is_short
                });
            }
            entries.values_mut().for_each(|value| readable(value, loops));
        }
        _ => {}
    }
}

/// How deep the brackets and negations of an expression may go.
fn depth(text: &str) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => now += 1,
            b')' | b']' | b'}' => now = now.saturating_sub(1),
            _ => {}
        }
        most = most.max(now);
    }
    most
}

fn size(value: &Json) -> usize {
    1 + match value {
        Json::Array(items) => items.iter().map(size).sum(),
        Json::Object(entries) => entries.values().map(size).sum(),
        _ => 0,
    }
}

fn judge(object: &Object<'_>, compiled: &CompiledSchema, value: &Json, found: &mut Findings) {
    let context = RootContext {
        api_version: object.api_version(),
        api_group: object.id.group.to_string(),
        kind: object.id.kind.to_string(),
    };
    let validate = || Validator::new().validate_compiled_with_context(compiled, value, None, Some(&context));
    let Ok(Err(errors)) = catch_unwind(AssertUnwindSafe(validate)) else { return };
    for error in errors.into_vec() {
        // whatever else went wrong may be a difference between this evaluator and that of the server
        if error.kind != ErrorKind::ValidationFailure {
            continue;
        }
        let path = path(&error.field_path);
        let shown = if path.steps().is_empty() { String::new() } else { format!("{path} of ") };
        let message = format!("{shown}{} is refused by a rule of its definition: {}", object.id, error.message);
        let rule: String = error.rule.chars().take(200).collect();
        let dots = if rule.len() < error.rule.len() { "..." } else { "" };
        found.push(
            Finding::new(&RULE_FAILS, message)
                .with_object(&object.id)
                .with_label(Label::new(object.place_of(&path)).path(path))
                .with_remedy(format!("the rule is `{rule}{dots}`")),
        );
    }
}

/// The path that the evaluator writes as `spec.list[0].field`.
fn path(text: &str) -> FieldPath {
    let mut path = FieldPath::default();
    for part in text.split('.').filter(|part| !part.is_empty()) {
        let (key, indexes) = part.split_once('[').map_or((part, ""), |(key, rest)| (key, rest));
        if !key.is_empty() {
            path.push_key(key);
        }
        for index in indexes.split('[').filter_map(|index| index.trim_end_matches(']').parse().ok()) {
            path.push_index(index);
        }
    }
    path
}
