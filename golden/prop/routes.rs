//! Routes send each backend the share that its split sends: weights are in the same proportion, in the same order, with
//! the zeros, at every port.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tidegate::config::Settings;
use tidegate::convert::traffic_split::http_route::{Context, convert};
use tidegate::finding::Findings;
use tidegate::load;
use tidegate::source::{SourceFile, SourceMap};
use tidegate::tree::Node;

/// A weight as it is written, and how many billionths it is.
fn weight() -> impl Strategy<Value = (String, u128)> {
    let suffixes = [("", 1_000_000_000u128), ("m", 1_000_000), ("u", 1000), ("n", 1), ("k", 1_000_000_000_000)];
    let spelled = (0u128..2000, 0..suffixes.len()).prop_map(move |(digits, nth)| {
        let (suffix, unit) = suffixes[nth];
        (format!("{digits}{suffix}"), digits * unit)
    });
    let point = (0u128..100, 0u128..1000)
        .prop_map(|(whole, milli)| (format!("{whole}.{milli:03}"), whole * 1_000_000_000 + milli * 1_000_000));
    prop_oneof![4 => spelled, 1 => point, 1 => Just(("0".to_owned(), 0))]
}

/// The weights of the backends of every route of a split with these weights, by port.
fn routed(weights: &[(String, u128)], ports: &[u16]) -> Vec<Vec<(String, i64)>> {
    let backends: String = weights
        .iter()
        .enumerate()
        .map(|(nth, (text, _))| format!("\n  - {{service: b{nth}, weight: \"{text}\"}}"))
        .collect();
    let split = format!(
        "apiVersion: split.smi-spec.io/v1alpha1\nkind: TrafficSplit\nmetadata: {{name: cart, namespace: shop}}\nspec:\n  service: \
         root\n  backends:{backends}"
    );
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("a.yaml", split));
    let mut found = Findings::default();
    let loaded = load::objects(&sources, &Settings::default(), &mut found);
    let (_, split) = loaded.objects.iter().next().expect("a split");
    let context = Context { ports, ..Context::new(&loaded.objects) };
    let Ok(routes) = convert(split, &context, &mut found) else { return Vec::new() };
    let refs = routes.routes.iter().map(|route| {
        let rules = route.tree.at(&["spec", "rules"]).and_then(Node::items).expect("rules");
        assert_eq!(rules.len(), 1, "a split of all requests is one rule");
        let refs = rules[0].get("backendRefs").and_then(Node::items).expect("backends");
        let parent = route.tree.at(&["spec", "parentRefs"]).and_then(Node::items).expect("a parent")[0].get("port");
        let one = |backend: &Node<'_>| {
            assert_eq!(backend.get("port"), parent, "a backend has the port of its parent");
            let name = backend.get("name").and_then(Node::as_str).expect("a name").to_owned();
            (name, backend.get("weight").and_then(Node::as_i64).expect("a weight is written, and whole"))
        };
        refs.iter().map(one).collect()
    });
    refs.collect()
}

#[test]
fn shares_of_routes_are_those_of_the_split() {
    let config = ProptestConfig {
        cases: 512,
        rng_seed: RngSeed::Fixed(0x5EED),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(weights in vec(weight(), 1..6), ports in vec(1024u16..2000, 1..3))| {
        let sum: u128 = weights.iter().map(|(_, weight)| weight).sum();
        let mut ports = ports;
        ports.dedup();
        let routes = routed(&weights, &ports);
        prop_assert_eq!(routes.len(), if sum == 0 { 0 } else { ports.len() }, "all zero is refused, and nothing else");
        let divisor = weights.iter().fold(0, |divisor, (_, weight)| gcd(divisor, *weight)).max(1);
        let is_exact = weights.iter().all(|(_, weight)| weight / divisor <= 1_000_000);
        for route in routes {
            prop_assert_eq!(route.len(), weights.len());
            let total: u128 = route.iter().map(|(_, weight)| *weight as u128).sum();
            for (nth, ((name, routed), (text, written))) in route.iter().zip(&weights).enumerate() {
                prop_assert_eq!(name, &format!("b{nth}"));
                prop_assert!((0..=1_000_000).contains(routed), "{} became {}", text, routed);
                prop_assert_eq!(*routed == 0, *written == 0, "{} became {}", text, routed);
                if is_exact {
                    prop_assert_eq!(*routed as u128 * sum, written * total, "{} became {}", text, routed);
                }
            }
        }
    });
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
