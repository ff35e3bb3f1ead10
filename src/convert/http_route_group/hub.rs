//! The hub of HTTPRouteGroups: the shape of v1alpha4.

use serde_json::{Map, Value as Json, json};

use crate::convert::carried;
use crate::convert::error::Problem;
use crate::convert::options::{HeaderForm, Lossy, Version};
use crate::convert::outcome::Loss;
use crate::convert::spoke::{self, Work};
use crate::tree::{FieldPath, Key, Mapping, Node, Value};

/// Whether a version has `headers` in a match.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Headers {
    Yes,
    No,
}

/// A header of a match: its name and the regular expression of its value.
pub type Header = (String, String);

/// The headers of one match, in order, from a mapping or from a list of mappings of one key each: the
/// specification writes the one, the definition of smi-sdk-go the other.
///
/// # Errors
/// What is wrong, in a few words: another shape, a value that is no text, two keys in one item.
pub fn headers(node: &Node<'_>) -> Result<Vec<Header>, String> {
    let of_mapping = |mapping: &Mapping<'_>| {
        let header = |(key, value): &(Key<'_>, Node<'_>)| match value.as_str() {
            Some(text) => Ok((key.name.to_string(), text.to_owned())),
            None => Err(format!("the header `{}` is {}, not a string", key.name, value.kind())),
        };
        mapping.entries().iter().map(header).collect::<Result<Vec<_>, _>>()
    };
    match &node.value {
        Value::Null => Ok(Vec::new()),
        Value::Mapping(mapping) => of_mapping(mapping),
        Value::Sequence(items) => {
            let item = |item: &Node<'_>| match item.mapping() {
                Some(mapping) if mapping.len() == 1 => of_mapping(mapping),
                Some(mapping) => Err(format!("an item of the list has {} keys, not one", mapping.len())),
                None => Err(format!("an item of the list is {}, not a mapping", item.kind())),
            };
            Ok(items.iter().map(item).collect::<Result<Vec<_>, _>>()?.concat())
        }
        _ => Err(format!("they are {}, not a mapping and not a list", node.kind())),
    }
}

/// Reads a version whose matches stand at the top: they go under `spec`, which takes their place.
pub(super) fn read_top(work: &mut Work<'_, '_>, headers: Headers) {
    spoke::unknown(work, &FieldPath::default(), &["apiVersion", "kind", "metadata", "matches", "status"]);
    let at = FieldPath::keys(["matches"]);
    if !judge(work, &at, headers) {
        return;
    }
    let Some(root) = work.tree.mapping_mut() else { return };
    match root.get("spec").map(|spec| spec.mapping().map(|spec| spec.get("matches").is_some())) {
        // the later versions demand it
        None if root.get("matches").is_none() => root.set("spec", Node::made(Value::Mapping(Mapping::default()))),
        None => {
            let entries = std::mem::take(root).into_entries().into_iter().map(|(key, value)| match &*key.name {
                "matches" => (Key::made("spec"), Node::made(Value::Mapping(Mapping::new(vec![(key, value)])))),
                _ => (key, value),
            });
            *root = Mapping::new(entries.collect());
        }
        // what a later version had under `spec` beside its matches, and nobody knows
        Some(Some(false)) => {
            let matches = root.remove("matches").unwrap_or_default();
            if let Some(spec) = root.get_mut("spec").and_then(Node::mapping_mut) {
                spec.set("matches", matches);
            }
        }
        // a field that nobody knows, and that the later versions would take for theirs
        Some(_) => {
            let what = format!("{} has `matches` at its top, and `spec` would be taken for them", work.from);
            work.refuse(Problem::Shape, None, FieldPath::keys(["spec"]), what, "remove `spec`");
        }
    }
}

/// Reads a version that has the shape of the hub.
pub(super) fn read(work: &mut Work<'_, '_>) {
    spoke::unknown(work, &FieldPath::default(), &["apiVersion", "kind", "metadata", "spec", "status"]);
    spoke::unknown(work, &FieldPath::keys(["spec"]), &["matches"]);
    judge(work, &FieldPath::keys(["spec", "matches"]), Headers::Yes);
}

/// Says what is wrong with the matches at a path, and what no version knows; gives whether they can be
/// worked on.
fn judge(work: &mut Work<'_, '_>, at: &FieldPath, has_headers: Headers) -> bool {
    let node = at.steps().iter().try_fold(&work.tree, |node, step| match step {
        crate::tree::Step::Key(key) => node.get(key),
        crate::tree::Step::Index(_) => None,
    });
    let remedy = format!("write it as {} has it", work.from);
    // one bad object would keep every reader of a list waiting, and Go types leave an empty list out
    if work.options.lossy == Lossy::Carry && node.is_none_or(Node::is_null) {
        let spec = work.tree.get("spec").filter(|spec| !spec.is_null());
        if at.steps().len() == 1 || spec.is_none_or(|spec| spec.mapping().is_some()) {
            return true;
        }
    }
    let Some(items) = node.and_then(Node::items) else {
        let what = format!("`{at}` is {}, not a list", node.map_or("absent", Node::kind));
        work.refuse(Problem::Shape, None, at.clone(), what, remedy);
        return false;
    };
    let faults: Vec<_> = items.iter().enumerate().filter_map(|(index, item)| fault(item, &at.index(index))).collect();
    let fields: &[&str] = match has_headers {
        Headers::Yes => &["name", "methods", "pathRegex", "headers"],
        Headers::No => &["name", "methods", "pathRegex"],
    };
    let count = items.len();
    (0..count).for_each(|index| spoke::unknown(work, &at.index(index), fields));
    let fine = faults.is_empty();
    for (path, what) in faults {
        work.refuse(Problem::Shape, None, path, what, remedy.clone());
    }
    fine
}

/// What is wrong with one match, and where.
fn fault(item: &Node<'_>, path: &FieldPath) -> Option<(FieldPath, String)> {
    if item.mapping().is_none() {
        return Some((path.clone(), format!("`{path}` is {}, not a mapping", item.kind())));
    }
    let found = headers(item.get("headers")?).err()?;
    Some((path.key("headers"), format!("`{path}.headers` cannot be read: {found}")))
}

/// Writes a version whose matches stand at the top: out of `spec`, which goes if nothing is left in it.
pub(super) fn write_top(work: &mut Work<'_, '_>) {
    let Some(root) = work.tree.mapping_mut() else { return };
    let entries = std::mem::take(root).into_entries();
    let mut top = Vec::with_capacity(entries.len());
    for (key, mut value) in entries {
        if key.name != "spec" {
            top.push((key, value));
            continue;
        }
        let Some(spec) = value.mapping_mut() else { continue };
        let (matches, rest): (Vec<_>, Vec<_>) =
            std::mem::take(spec).into_entries().into_iter().partition(|(key, _)| key.name == "matches");
        top.extend(matches);
        if !rest.is_empty() {
            top.push((key, Node { value: Value::Mapping(Mapping::new(rest)), ..value }));
        }
    }
    *root = Mapping::new(top);
}

fn matches_mut<'t, 's>(tree: &'t mut Node<'s>) -> &'t mut [Node<'s>] {
    match tree.at_mut(&["spec", "matches"]).map(|node| &mut node.value) {
        Some(Value::Sequence(items)) => items,
        _ => &mut [],
    }
}

/// Takes headers out for a version that has none, if the options allow it.
pub(super) fn drop_headers(work: &mut Work<'_, '_>, target: Version) {
    // in a version that has none they are a field that nobody knows, and stay
    if work.from == Version::V1alpha1 {
        return;
    }
    let top = work.from == Version::V1alpha2;
    let at = if top { FieldPath::keys(["matches"]) } else { FieldPath::keys(["spec", "matches"]) };
    let has = |item: &Node<'_>| item.get("headers").filter(|node| !node.is_null()).map(carried::json);
    let all: Vec<Option<Json>> = matches_mut(&mut work.tree).iter().map(has).collect();
    let lost: Vec<usize> = (0..all.len()).filter(|index| all[*index].is_some()).collect();
    if lost.is_empty() {
        return;
    }
    let what = |index: usize| {
        format!("{target} cannot hold `{}.headers`: the match would hold whatever they are", at.index(index))
    };
    if work.options.lossy == Lossy::Refuse {
        for index in lost {
            let remedy =
                "convert it to v1alpha2 or later, or allow the loss (`--allow-lossy`, `convert.allowLossy: true`)";
            work.refuse(Problem::Loss, None, at.index(index).key("headers"), what(index), remedy);
        }
        return;
    }
    for item in matches_mut(&mut work.tree) {
        if let Some(item) = item.mapping_mut() {
            item.remove("headers");
        }
    }
    let bare = matches_mut(&mut work.tree).iter().map(carried::json).zip(all).enumerate();
    let entry = |(index, (item, headers)): (usize, (Json, Option<Json>))| {
        headers.map(|headers| json!({ "index": index, "match": item, "headers": headers }))
    };
    let kept = Json::Array(bare.filter_map(entry).collect());
    let carried = carried::carry(work, "headers", kept);
    let loss = |index: usize| Loss { path: at.index(index).key("headers"), what: what(index), carried };
    work.report.losses.extend(lost.into_iter().map(loss));
}

/// Brings headers into the form that is asked for.
pub(super) fn form_headers(work: &mut Work<'_, '_>) {
    let form = work.options.headers;
    for item in matches_mut(&mut work.tree) {
        let Some(written) = item.mapping_mut().and_then(|item| item.get_mut("headers")) else { continue };
        let is_asked_for = match (&written.value, form) {
            (_, HeaderForm::AsWritten) => true,
            (value, HeaderForm::Mapping) => matches!(value, Value::Mapping(_)),
            (value, HeaderForm::List) => matches!(value, Value::Sequence(_)),
        };
        if is_asked_for || written.is_null() {
            continue;
        }
        let Ok(headers) = headers(written) else { continue };
        let entry = |(name, value): Header| (Key::made(name), Node::text(value));
        *written = Node::made(match form {
            HeaderForm::List => {
                let one = |header| Node::made(Value::Mapping(Mapping::new(vec![entry(header)])));
                Value::Sequence(headers.into_iter().map(one).collect())
            }
            _ if repeats(&headers) => continue,
            _ => Value::Mapping(Mapping::new(headers.into_iter().map(entry).collect())),
        });
    }
}

/// Whether a header is named twice, which a mapping cannot hold.
fn repeats(headers: &[Header]) -> bool {
    let mut names: Vec<&str> = headers.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

/// Brings back headers that an object carries: to the match that is still the one they were taken from, at its
/// place or elsewhere, or else to the only one of its name. Others are gone, and their headers with them.
pub(in crate::convert) fn restore(work: &mut Work<'_, '_>, carried: &mut Map<String, Json>, target: Version) {
    if target == Version::V1alpha1 {
        return;
    }
    let Some(Json::Array(mut kept)) = carried.remove("headers") else { return };
    let items = matches_mut(&mut work.tree);
    let bare: Vec<Json> = items.iter().map(carried::json).collect();
    let name = |item: &Json| item.get("name").and_then(Json::as_str).map(str::to_owned);
    let alone = |index: usize| bare.iter().filter(|item| name(item) == name(&bare[index])).count() == 1;
    let same = |index: usize, entry: &Json| entry.get("match") == Some(&bare[index]);
    let here = |index: usize, entry: &Json| entry.get("index").and_then(Json::as_u64) == Some(index as u64);
    let named = |index: usize, entry: &Json| {
        let own = name(&bare[index]);
        own.is_some() && entry.get("match").is_some_and(|kept| name(kept) == own) && alone(index)
    };
    // each is given once, to whom it fits best
    type Fits<'f> = &'f dyn Fn(usize, &Json) -> bool;
    let both = |index: usize, entry: &Json| here(index, entry) && same(index, entry);
    for fits in [&both as Fits<'_>, &same, &named] {
        for (index, item) in items.iter_mut().enumerate() {
            let Some(item) = item.mapping_mut().filter(|item| item.get("headers").is_none_or(Node::is_null)) else {
                continue;
            };
            let Some(at) = kept.iter().position(|entry| fits(index, entry)) else { continue };
            let value = carried::node(kept.remove(at).get("headers").cloned().unwrap_or_default());
            if headers(&value).is_ok() {
                item.set("headers", value);
            }
        }
    }
}
