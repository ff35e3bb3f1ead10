//! The hub of TrafficSplits: the shape of v1alpha4, with exact weights.

use serde_json::{Map, Value as Json, json};

use crate::convert::carried;
use crate::convert::error::{Problem, Refusal};
use crate::convert::http_route_group;
use crate::convert::options::{Lossy, Options, Version};
use crate::convert::outcome::{Loss, NoteKind, WeightChange};
use crate::convert::spoke::{self, Work};
use crate::convert::weight::{self, Weight, WeightError};
use crate::tree::{FieldPath, Node, Value};

/// What a version takes as a weight.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Weights {
    Quantities,
    Whole,
}

/// Whether a version has `spec.matches`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Matches {
    Yes,
    No,
}

/// A TrafficSplit as a whole, whatever its version.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The Service whose requests are shared out, as it is written (a name, or a host name).
    pub service: String,
    /// Who gets them, in order.
    pub backends: Vec<Backend>,
    /// The names of the HTTPRouteGroups that say for which requests it holds, each with its path; all
    /// requests where there are none.
    pub matches: Vec<(String, FieldPath)>,
}

/// One backend of a [`Split`].
#[derive(Clone, Debug, PartialEq)]
pub struct Backend {
    /// The Service.
    pub service: String,
    /// Its weight, exactly.
    pub weight: Weight,
    /// The backend's mapping in the object.
    pub path: FieldPath,
}

/// Reads a TrafficSplit of any version.
///
/// # Errors
/// Everything that is wrong with it, as a conversion to another version would say it.
pub fn split(tree: &Node<'_>, options: &Options) -> Result<Split, Vec<Refusal>> {
    // on the way to the hub nothing is lost, and the hub tells the weights in the order of the backends
    let (weights, hub) = spoke::read(tree, options)?;
    let text = |node: Option<&Node<'_>>| node.and_then(Node::as_str).unwrap_or_default().to_owned();
    let spec = hub.get("spec");
    let items = |name: &str| spec.and_then(|spec| spec.get(name)).and_then(Node::items).unwrap_or_default();
    let backend = |(index, (item, weight)): (usize, (&Node<'_>, Weight))| Backend {
        service: text(item.get("service")),
        weight,
        path: backends().index(index),
    };
    let matches = items("matches").iter().enumerate();
    Ok(Split {
        service: text(spec.and_then(|spec| spec.get("service"))),
        backends: items("backends").iter().zip(weights).enumerate().map(backend).collect(),
        matches: matches
            .map(|(index, item)| (text(item.get("name")), FieldPath::keys(["spec", "matches"]).index(index)))
            .collect(),
    })
}

fn backends() -> FieldPath {
    FieldPath::keys(["spec", "backends"])
}

/// Reads a version into the hub: its shape is the hub's already, its weights are read exactly.
pub(super) fn read(work: &mut Work<'_, '_>, weights: Weights, matches: Matches) {
    spoke::unknown(work, &FieldPath::default(), &["apiVersion", "kind", "metadata", "spec", "status"]);
    let fields: &[&str] = match matches {
        Matches::Yes => &["service", "backends", "matches"],
        Matches::No => &["service", "backends"],
    };
    spoke::unknown(work, &FieldPath::keys(["spec"]), fields);
    let spec = work.tree.get("spec");
    let Some(spec) = spec.filter(|spec| spec.mapping().is_some()) else {
        let kind = spec.map_or("absent", Node::kind);
        return shape(work, FieldPath::keys(["spec"]), &format!("`spec` is {kind}, not a mapping"));
    };
    match spec.get("service").map(|node| &node.value) {
        Some(Value::String(text)) if !text.is_empty() => {}
        _ => shape(work, FieldPath::keys(["spec", "service"]), "`spec.service` names no Service"),
    }
    let written = work.tree.at(&["spec", "backends"]);
    // one bad object would keep every reader of a list waiting, and Go types leave an empty list out
    if work.options.lossy == Lossy::Carry && written.is_none_or(Node::is_null) {
        return;
    }
    let Some(items) = written.and_then(Node::items) else {
        return shape(work, backends(), "`spec.backends` is no list");
    };
    let count = items.len();
    (0..count).for_each(|index| read_backend(work, index, weights));
}

fn read_backend(work: &mut Work<'_, '_>, index: usize, weights: Weights) {
    let path = backends().index(index);
    spoke::unknown(work, &path, &["service", "weight"]);
    let items = work.tree.at(&["spec", "backends"]).and_then(Node::items).unwrap_or_default();
    let Some(item) = items.get(index).filter(|item| item.mapping().is_some()) else {
        return shape(work, path.clone(), &format!("`{path}` is no mapping"));
    };
    let Some(name) = item.get("service").and_then(Node::as_str).filter(|name| !name.is_empty()) else {
        return shape(work, path.key("service"), &format!("`{path}.service` names no Service"));
    };
    let name = name.to_owned();
    let absent = Node::default();
    let written = item.get("weight").unwrap_or(&absent);
    let (read, is_whole, shown) = (Weight::of(written), is_whole(written), spelled(written));
    let path = path.key("weight");
    match read {
        Err(error) => {
            let remedy = match error {
                WeightError::Missing => "write `weight: 0` if it gets no traffic",
                _ => "write a whole number",
            };
            work.refuse(Problem::Weight, Some(&name), path, error.to_string(), remedy);
        }
        Ok(_) if weights == Weights::Whole && !is_whole && !work.options.lenient => {
            let what = format!("its weight {shown} is a Quantity, and {} takes whole numbers only", work.from);
            let remedy = "write whole numbers in the same proportion, or read them leniently (`convert.lenient: true`, \
                          `--lenient`)";
            work.refuse(Problem::QuantityWeight, Some(&name), path, what, remedy);
        }
        Ok(weight) => {
            if weights == Weights::Whole && !is_whole {
                let what = format!("backend `{name}`: its weight {shown} was read as a Quantity");
                work.note(NoteKind::Lenient, path, what, "write whole numbers in the source");
            }
            work.weights.push(weight);
        }
    }
}

/// Whether a weight is what versions from v1alpha2 on take: a number without a fraction.
fn is_whole(node: &Node<'_>) -> bool {
    matches!(node.value, Value::I64(_) | Value::U64(_) | Value::Number(_))
}

/// A weight as a message shows it.
fn spelled(node: &Node<'_>) -> String {
    match &node.value {
        Value::String(text) => format!("`{}`", text.chars().take(40).collect::<String>()),
        Value::I64(number) => format!("`{number}`"),
        Value::U64(number) => format!("`{number}`"),
        Value::F64(number) => format!("`{}`", weight::float(*number)),
        _ => node.kind().to_owned(),
    }
}

fn shape(work: &mut Work<'_, '_>, path: FieldPath, what: &str) {
    work.refuse(Problem::Shape, None, path, what, format!("write it as {} has it", work.from));
}

/// Writes the weights as whole numbers in the same proportion. Whole numbers that were there already
/// are copied, unless they have to fit.
pub(super) fn write_whole(work: &mut Work<'_, '_>) {
    let limit = work.options.weight_limit;
    let nodes = weight_nodes(&work.tree);
    let before: Vec<String> = nodes.iter().map(|node| plain(node)).collect();
    // on the way through a webhook a whole number is never another one on its return
    let may_copy = work.from != Version::V1alpha1 || work.options.lossy == Lossy::Carry;
    let copied = may_copy && nodes.iter().all(|node| is_whole(node));
    let numbers: Vec<u128> = work.weights.iter().map(|weight| weight.nanos() / 1_000_000_000).collect();
    let holds = limit.holds(&numbers);
    if copied && (holds || !work.options.fits) {
        if !holds {
            let what = format!("its weights pass {}, the most that is carried, alone or as their sum", limit.each());
            let remedy = "write smaller numbers in the same proportion";
            work.note(NoteKind::AboveLimit, backends(), what, remedy);
        }
        let after = before.clone();
        return changes(work, before, after, None);
    }
    let whole = match weight::whole(&work.weights, limit) {
        Ok(whole) => whole,
        Err(error) => {
            return work.refuse(Problem::Weight, None, backends(), error.to_string(), "raise the limit on weights");
        }
    };
    let is_changed = nodes.iter().zip(&whole.weights).any(|(node, weight)| node.as_i64() != Some(signed(*weight)));
    let spellings = Json::Array(nodes.iter().map(|node| carried::json(node)).collect());
    let after: Vec<String> = whole.weights.iter().map(u64::to_string).collect();
    if is_changed {
        carried::carry(work, "weights", spellings);
    }
    set_weights(&mut work.tree, whole.weights.iter().map(|weight| Node::made(Value::I64(signed(*weight)))).collect());
    if let Some(error) = whole.error {
        let what = format!(
            "its weights were rounded to keep to the limit of {}: a share changes by {error} % of the traffic at most",
            limit.each()
        );
        work.note(NoteKind::Rounded, backends(), what, "write weights of fewer digits, or raise the limit");
    }
    changes(work, before, after, Some(&whole.weights));
}

/// Leaves the weights as they are: a whole number is a Quantity, too.
pub(super) fn write_quantities(work: &mut Work<'_, '_>) {
    let before: Vec<String> = weight_nodes(&work.tree).iter().map(|node| plain(node)).collect();
    let after = before.clone();
    changes(work, before, after, None);
}

fn signed(weight: u64) -> i64 {
    i64::try_from(weight).unwrap_or(i64::MAX)
}

/// A weight as it is written, for a table.
fn plain(node: &Node<'_>) -> String {
    spelled(node).trim_matches('`').to_owned()
}

fn weight_nodes<'t, 's>(tree: &'t Node<'s>) -> Vec<&'t Node<'s>> {
    let items = tree.at(&["spec", "backends"]).and_then(Node::items).unwrap_or_default();
    items.iter().filter_map(|item| item.get("weight")).collect()
}

/// Sets weights in the order of the backends; one that is the same already keeps its node.
fn set_weights(tree: &mut Node<'_>, weights: Vec<Node<'static>>) {
    let Some(Value::Sequence(items)) = tree.at_mut(&["spec", "backends"]).map(|node| &mut node.value) else { return };
    for (item, weight) in items.iter_mut().zip(weights) {
        if let Some(backend) = item.mapping_mut()
            && backend.get("weight") != Some(&weight)
        {
            backend.set("weight", weight);
        }
    }
}

/// Takes down weights before and after.
fn changes(work: &mut Work<'_, '_>, before: Vec<String>, after: Vec<String>, whole: Option<&[u64]>) {
    let items = work.tree.at(&["spec", "backends"]).and_then(Node::items).unwrap_or_default();
    let names = items.iter().map(|item| item.get("service").and_then(Node::as_str).unwrap_or_default().to_owned());
    let shares = weight::percent(&work.weights);
    let shares_after = match whole {
        None => shares.clone(),
        Some(whole) => {
            let whole = whole.iter().map(|weight| Weight::new(u32::try_from(*weight).unwrap_or(u32::MAX)));
            weight::percent(&whole.collect::<Vec<_>>())
        }
    };
    let columns = names.zip(before).zip(after).zip(shares.into_iter().zip(shares_after));
    work.report.weights = columns
        .map(|(((backend, before), after), (percent_before, percent_after))| WeightChange {
            backend,
            before,
            after,
            percent_before,
            percent_after,
        })
        .collect();
}

/// Takes `spec.matches` out for a version that has none, if the options allow it.
pub(super) fn drop_matches(work: &mut Work<'_, '_>, target: Version) {
    let path = FieldPath::keys(["spec", "matches"]);
    // in a version that has none it is a field that nobody knows, and stays
    let matches = work.tree.at(&["spec", "matches"]).filter(|_| work.from >= Version::V1alpha3);
    let Some(matches) = matches.filter(|node| !node.is_null()) else { return };
    let names: Vec<String> = matches.items().unwrap_or_default().iter().map(matched).collect();
    let names = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    let value = carried::json(matches);
    let what = format!(
        "{target} cannot hold `spec.matches`{names}: the split would take all requests, not only those that match"
    );
    if work.options.lossy == Lossy::Refuse {
        let remedy = "convert it to v1alpha3, v1alpha4 or httproute, or allow the loss (`--allow-lossy`, \
                      `convert.allowLossy: true`)";
        return work.refuse(Problem::Loss, None, path, what, remedy);
    }
    let service = work.tree.at(&["spec", "service"]).map(carried::json);
    let carried = carried::carry(work, "matches", json!({ "service": service, "matches": value }));
    if let Some(spec) = work.tree.at_mut(&["spec"]).and_then(Node::mapping_mut) {
        spec.remove("matches");
    }
    work.report.losses.push(Loss { path, what, carried });
}

/// What an item of `spec.matches` matches by: `HTTPRouteGroup beta`, and of another API group than that of smi-spec
/// `HTTPRouteGroup beta of example.com`.
pub(super) fn matched(item: &Node<'_>) -> String {
    let text = |field| item.get(field).and_then(Node::as_str);
    let (group, kind) = (&http_route_group::KIND.group, &http_route_group::KIND.kind);
    let named = format!("{} {}", text("kind").unwrap_or(kind), text("name").unwrap_or_default());
    match text("apiGroup").filter(|theirs| theirs != group) {
        Some(theirs) => format!("{named} of {theirs}"),
        None => named,
    }
}

/// Brings back matches, and the spelling of weights, that an object carries.
pub(in crate::convert) fn restore(work: &mut Work<'_, '_>, carried: &mut Map<String, Json>, target: Version) {
    if target >= Version::V1alpha3
        && let Some(kept) = carried.remove("matches")
        && let Some(matches) = kept.get("matches").filter(|matches| matches.is_array())
        && let Some(spec) = work.tree.at_mut(&["spec"]).and_then(Node::mapping_mut)
        // the matches were meant for the requests of one Service
        && spec.get("service").and_then(Node::as_str) == kept.get("service").and_then(Json::as_str)
        && spec.get("matches").is_none_or(Node::is_null)
    {
        spec.set("matches", carried::node(matches.clone()));
    }
    if target == Version::V1alpha1
        && let Some(Json::Array(spellings)) = carried.remove("weights")
    {
        restore_weights(work, spellings);
    }
}

/// Brings back Quantities as they were written, if the whole numbers that came of them still stand.
fn restore_weights(work: &mut Work<'_, '_>, spellings: Vec<Json>) {
    let nodes: Vec<Node<'static>> = spellings.into_iter().map(carried::node).collect();
    let Ok(weights) = nodes.iter().map(Weight::of).collect::<Result<Vec<_>, _>>() else { return };
    let Ok(whole) = weight::whole(&weights, work.options.weight_limit) else { return };
    let stand = weight_nodes(&work.tree);
    let same = stand.len() == whole.weights.len()
        && stand.iter().zip(&whole.weights).all(|(node, weight)| node.as_i64() == Some(signed(*weight)));
    if same {
        set_weights(&mut work.tree, nodes);
        work.weights = weights;
    }
}
