//! Conversions: shares of the traffic stay what they were, whatever the version and however a weight is spelled; what
//! goes from one version to another comes back.

use std::path::Path;

use num_bigint::BigUint;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use tidegate::convert::weight::{Limit, Weight, whole};
use tidegate::convert::{self, Lossy, Metadata, Options, Version};
use tidegate::finding::Findings;
use tidegate::json::{from_value, to_value};
use tidegate::source::{DocumentStart, Limits, SourceFile, SourceMap};
use tidegate::tree::Node;
use tidegate::yaml;

use crate::corpus::corpus;
use crate::place::{below, say};

/// What a webhook asks for: nothing may be lost.
const WEBHOOK: Options = Options {
    weight_limit: Limit::LINKERD,
    lossy: Lossy::Carry,
    fits: false,
    lenient: false,
    metadata: Metadata::Keep,
    headers: convert::HeaderForm::AsWritten,
};

/// A weight in thousandths, and ways to spell it.
fn spelled() -> impl Strategy<Value = (u64, String)> {
    let thousandths = prop_oneof![Just(0_u64), 1..400_u64, (1..40_u64).prop_map(|n| n * 1000), Just(1500_u64)];
    (thousandths, 0..6_usize).prop_map(|(value, way)| {
        let text = match way {
            0 => format!("{value}m"),
            1 => format!("{}.{:03}", value / 1000, value % 1000),
            2 => format!("{value}e-3"),
            3 => format!("+{value}000u"),
            4 if value % 1000 == 0 => format!("{}", value / 1000),
            _ => format!("{value}000000n"),
        };
        (value, text)
    })
}

fn weights(texts: &[String]) -> Vec<Weight> {
    texts.iter().map(|text| text.parse().expect("a Quantity")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Each weight is to each other one as it was, zeros are there, and the spelling has no say.
    #[test]
    fn whole_weights_keep_every_ratio(rows in vec(spelled(), 0..8)) {
        let (values, texts): (Vec<u64>, Vec<String>) = rows.into_iter().unzip();
        let found = whole(&weights(&texts), Limit::INT32).expect("there is room");
        prop_assert_eq!(found.error, None);
        prop_assert_eq!(found.weights.len(), values.len());
        for (a, x) in values.iter().zip(&found.weights) {
            prop_assert_eq!(*a == 0, *x == 0);
            for (b, y) in values.iter().zip(&found.weights) {
                prop_assert_eq!(u128::from(*a) * u128::from(*y), u128::from(*b) * u128::from(*x), "{:?}", texts);
            }
        }
        let plain: Vec<String> = values.iter().map(|value| format!("{value}m")).collect();
        prop_assert_eq!(whole(&weights(&plain), Limit::INT32), Ok(found));
    }

    /// Beyond the limit ranks stay, nothing that is not 0 becomes 0, the limit holds, and no share is off by more than
    /// what is said.
    #[test]
    fn rounded_weights_keep_their_ranks(values in vec(prop_oneof![Just(0_u64), 1..5_u64, 1..u64::from(u32::MAX)], 1..9),
        most in 9..2000_u64)
    {
        let texts: Vec<String> = values.iter().map(u64::to_string).collect();
        let limit = Limit::new(most).expect("a limit");
        let found = whole(&weights(&texts), limit).expect("there is room for each");
        prop_assert!(limit.holds(&found.weights.iter().map(|w| u128::from(*w)).collect::<Vec<_>>()));
        let (sum, sum_found): (u64, u64) = (values.iter().sum(), found.weights.iter().sum());
        for (a, x) in values.iter().zip(&found.weights) {
            prop_assert_eq!(*a == 0, *x == 0);
            for (b, y) in values.iter().zip(&found.weights) {
                prop_assert!(a > b || x <= y, "{:?} -> {:?}", values, found.weights);
            }
            if sum > 0 {
                let off = (*a as f64 / sum as f64 - *x as f64 / sum_found as f64).abs() * 100.0;
                prop_assert!(off <= found.error.unwrap_or(0.0) + 1e-9, "{off} {:?}", found);
            }
        }
    }

    /// Any text is a Quantity or is refused, and what a Quantity says is within what Kubernetes keeps.
    #[test]
    fn any_text_is_read_or_refused(text in "[-+]?[0-9.]{0,20}[eE]?[-+]?[0-9]{0,12}[a-zA-Z]{0,2}") {
        if let Ok(weight) = text.parse::<Weight>() {
            prop_assert!(BigUint::from(weight.nanos()) <= BigUint::from(i64::MAX as u64) * 1_000_000_000_u64);
            prop_assert_eq!(weight.to_string().parse::<Weight>(), Ok(weight));
        }
    }

    /// By way of any version, as a webhook converts, a split is what it was.
    #[test]
    fn a_split_comes_back_from_every_version(split in made(), way in vec(0..4_usize, 1..4)) {
        comes_back(&split, &way.into_iter().map(|at| Version::ALL[at]).collect::<Vec<_>>())
            .map_err(TestCaseError::fail)?;
    }

    /// Converting twice is converting once.
    #[test]
    fn a_conversion_has_nothing_left_to_do(split in made(), at in 0..4_usize) {
        let options = Options { lossy: Lossy::Drop, ..Options::default() };
        let target = Version::ALL[at];
        let once = converted(&split, target, &options).map_err(TestCaseError::fail)?;
        prop_assert_eq!(converted(&once, target, &options).map_err(TestCaseError::fail)?, once);
    }
}

/// A TrafficSplit of any version.
fn made() -> impl Strategy<Value = Json> {
    (0..4_usize, vec((spelled(), any::<bool>()), 1..5), any::<bool>(), any::<bool>()).prop_map(
        |(version, weights, with_matches, annotated)| {
            let backend = |(at, ((value, text), as_number)): (usize, ((u64, String), bool))| {
                let quantity = if as_number && value % 1000 == 0 { json!(value / 1000) } else { json!(text) };
                json!({"service": format!("web-{at}"), "weight": if version == 0 { quantity } else { json!(value) }})
            };
            let backends: Vec<Json> = weights.into_iter().enumerate().map(backend).collect();
            let mut split = json!({
                "apiVersion": format!("split.smi-spec.io/{}", Version::ALL[version]),
                "kind": "TrafficSplit",
                "metadata": {"name": "web", "uid": "6f0c"},
                "spec": {"service": "web", "backends": backends},
            });
            if version >= 2 && with_matches {
                split["spec"]["matches"] = json!([{"kind": "HTTPRouteGroup", "name": "beta"}]);
            }
            if annotated {
                split["metadata"]["annotations"] = json!({"note": "mine"});
            }
            split
        },
    )
}

fn converted(object: &Json, target: Version, options: &Options) -> Result<Json, String> {
    let tree = from_value(object.clone());
    let refused =
        |refusals: Vec<convert::Refusal>| refusals.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    convert::tree(&tree, target, options).map(|(tree, _)| to_value(&tree)).map_err(refused)
}

/// Takes an object by way of versions and back to its own: it must be what it was, the order of keys aside.
fn comes_back(object: &Json, way: &[Version]) -> Result<(), String> {
    let version = object["apiVersion"].as_str().and_then(|text| text.rsplit('/').next()).and_then(Version::parse);
    let home = version.ok_or("an unknown version")?;
    let mut gone = object.clone();
    for target in way.iter().chain([&home]) {
        gone = converted(&gone, *target, &WEBHOOK)?;
    }
    if gone == *object { Ok(()) } else { Err(format!("{object}\nby way of {way:?} came back as\n{gone}")) }
}

/// TrafficSplits of the newest versions that hold for some requests only.
const NEWEST: &str = include_str!("convert/splits.yaml");

fn documents(text: &str) -> Vec<Node<'_>> {
    let file = SourceMap::default().add(SourceFile::new("a.yaml", text));
    let mut trees = Vec::new();
    for chunk in yaml::chunks(text) {
        let at = DocumentStart { file, offset: chunk.offset };
        trees.extend(yaml::parse(chunk.text, at, &Limits::default(), &mut Findings::default()).ok().flatten());
    }
    trees
}

/// Every split of a text to every version and back.
fn there_and_back(text: &str, from: &str) -> usize {
    let is_split = |tree: &&Node<'_>| {
        let version = tree.get("apiVersion").and_then(Node::as_str).unwrap_or_default();
        version.starts_with("split.smi-spec.io/") && tree.get("kind").and_then(Node::as_str) == Some("TrafficSplit")
    };
    let trees = documents(text);
    let splits: Vec<Json> = trees.iter().filter(is_split).map(to_value).collect();
    for split in &splits {
        for target in Version::ALL {
            comes_back(split, &[target]).unwrap_or_else(|why| panic!("{from}: {why}"));
            let there = converted(split, target, &WEBHOOK).unwrap_or_else(|why| panic!("{from}: {why}"));
            let backends = there["spec"]["backends"].as_array().expect("backends");
            let is_written = |backend: &Json| target == Version::V1alpha1 || backend["weight"].is_u64();
            assert!(backends.iter().all(is_written), "{from}: {there}");
        }
    }
    splits.len()
}

#[test]
fn splits_of_the_newest_versions_go_everywhere_and_back() {
    assert_eq!(there_and_back(NEWEST, "splits.yaml"), 8);
}

#[test]
fn splits_of_real_projects_go_everywhere_and_back() {
    let Some(corpus) = corpus("conversions, on the corpus") else {
        return;
    };
    let mut count = 0;
    for project in ["linkerd-smi", "osm-docs", "smi-spec"] {
        for file in below(&corpus.join(project), "") {
            let path = corpus.join(project).join(&file);
            if Path::new(&file).extension().is_some_and(|end| end == "yaml" || end == "yml") {
                count += there_and_back(&std::fs::read_to_string(path).expect("the corpus is UTF-8"), &file);
            }
        }
    }
    say(&format!("conversions: {count} TrafficSplits of the corpus"));
    assert!(count >= 18, "{count} TrafficSplits");
}
