//! Conversions of whole objects.

use super::*;
use crate::finding::Findings;
use crate::source::{DocumentStart, Limits, SourceFile, SourceMap};

fn parsed(text: &str) -> Node<'_> {
    let file = SourceMap::default().add(SourceFile::new("a.yaml", text));
    let at = DocumentStart { file, offset: 0 };
    crate::yaml::parse(text, at, &Limits::default(), &mut Findings::default()).unwrap().unwrap()
}

fn printed(tree: &Node<'_>) -> String {
    let mut out = String::new();
    crate::yaml::emit(tree, &mut out);
    out
}

/// The text of a conversion, what was reported, or why it is refused.
fn converted(text: &str, target: Version, options: &Options) -> String {
    match tree(&parsed(text), target, options) {
        Ok((tree, report)) => {
            let mut out = printed(&tree);
            let lost = report.losses.iter().map(|loss| (&loss.path, &loss.what));
            let noted = report.notes.iter().map(|note| (&note.path, &note.what));
            lost.chain(noted).for_each(|(path, what)| out.push_str(&format!("# {path}: {what}\n")));
            out
        }
        Err(refusals) => refusals.iter().map(|refusal| format!("{refusal} ({})\n", refusal.path)).collect(),
    }
}

const ALLOWED: Options = Options { lossy: Lossy::Drop, ..DEFAULT };
const CARRIED: Options = Options { lossy: Lossy::Carry, metadata: Metadata::Keep, ..DEFAULT };
const DEFAULT: Options = Options {
    weight_limit: weight::Limit::LINKERD,
    fits: false,
    lossy: Lossy::Refuse,
    lenient: false,
    metadata: Metadata::Strip,
    headers: HeaderForm::AsWritten,
};

const EXPORTED: &str = "\
apiVersion: split.smi-spec.io/v1alpha1
kind: TrafficSplit
metadata:
  name: cart-canary
  namespace: shop
  annotations:
    note: keep
    kubectl.kubernetes.io/last-applied-configuration: '{}'
  creationTimestamp: null
  deletionGracePeriodSeconds: 0
  deletionTimestamp: \"2020-01-01T00:00:00Z\"
  finalizers: [example.org/hold]
  generation: 3
  managedFields: []
  ownerReferences: [{apiVersion: flagger.app/v1beta1, kind: Canary, name: cart, uid: 6f0c}]
  resourceVersion: \"991\"
  selfLink: /apis
  uid: 6f0c
spec:
  service: cart
  backends:
  - {service: cart-v1, weight: 1}
  - {service: cart-v2, weight: 250m}
  - {service: cart-v3, weight: 0m}
status: {}
";

#[test]
fn defaults_are_those_of_the_tests() {
    assert_eq!(Options::default(), DEFAULT);
}

#[test]
fn an_exported_object_loses_what_the_server_owns() {
    insta::assert_snapshot!(converted(EXPORTED, Version::V1alpha2, &DEFAULT), @r"
    apiVersion: split.smi-spec.io/v1alpha2
    kind: TrafficSplit
    metadata:
      name: cart-canary
      namespace: shop
      annotations:
        note: keep
      finalizers:
      - example.org/hold
    spec:
      service: cart
      backends:
      - service: cart-v1
        weight: 1000
      - service: cart-v2
        weight: 250
      - service: cart-v3
        weight: 0
    # metadata.ownerReferences: `metadata.ownerReferences` were taken out: applied anew, they make the garbage collector delete the object
    # metadata.finalizers: it has `metadata.finalizers`, which were kept
    ");
    let kept = converted(EXPORTED, Version::V1alpha2, &CARRIED);
    for owned in ["uid: 6f0c", "status:", "last-applied", "resourceVersion", "finalizers", "creationTimestamp: null"] {
        assert!(kept.contains(owned), "{owned}");
    }
}

#[test]
fn what_is_no_split_is_refused_with_every_reason() {
    let text = "\
apiVersion: split.smi-spec.io/v1alpha1
kind: TrafficSplit
metadata: {name: web, namespace: shop}
spec:
  service: web
  backends:
  - {service: a}
  - {service: b, weight: -1}
  - {service: c, weight: abc}
  - {service: d, weight: true}
  - {weight: 1}
  - 7
";
    insta::assert_snapshot!(converted(text, Version::V1alpha2, &DEFAULT), @r"
    TrafficSplit shop/web, backend `a`: it has no weight (spec.backends[0].weight)
    TrafficSplit shop/web, backend `b`: its weight `-1` is negative (spec.backends[1].weight)
    TrafficSplit shop/web, backend `c`: its weight `abc` is no Quantity (as in 1, 0.5, 500m, 1k, 1Ki, 1e3) (spec.backends[2].weight)
    TrafficSplit shop/web, backend `d`: its weight is a boolean, not a number (spec.backends[3].weight)
    TrafficSplit shop/web: `spec.backends[4].service` names no Service (spec.backends[4].service)
    TrafficSplit shop/web: `spec.backends[5]` is no mapping (spec.backends[5])
    ");
    for (text, refusal) in [
        (
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}",
            "Deployment a: objects of kind Deployment of the group \"apps\" are not converted (kind)\n",
        ),
        (
            "apiVersion: split.smi-spec.io/v2\nkind: TrafficSplit\nmetadata: {generateName: a-}",
            "TrafficSplit a-*: version `v2` of TrafficSplit is not known (apiVersion)\n",
        ),
        (
            "apiVersion: split.smi-spec.io/v1alpha1\nkind: TrafficSplit\nmetadata: {name: a}",
            "TrafficSplit a: `spec` is absent, not a mapping (spec)\n",
        ),
        (
            "apiVersion: 1\nkind: TrafficSplit\nmetadata: {name: a}",
            "TrafficSplit a: `` is no apiVersion (apiVersion)\n",
        ),
        (
            "apiVersion: split.smi-spec.io/v1alpha1\nkind: TrafficSplit\nmetadata: {name: a}\nspec: {}",
            "TrafficSplit a: `spec.service` names no Service (spec.service)\nTrafficSplit a: `spec.backends` is no list (spec.backends)\n",
        ),
    ] {
        assert_eq!(converted(text, Version::V1alpha2, &DEFAULT), refusal);
    }
}

fn split(version: &str, spec: &str) -> String {
    format!(
        "apiVersion: split.smi-spec.io/{version}\nkind: TrafficSplit\nmetadata: {{name: web}}\nspec: {{service: web, {spec}}}\n"
    )
}

#[test]
fn a_quantity_among_whole_numbers_is_refused_or_read() {
    let text = split(
        "v1alpha2",
        "backends: [{service: a, weight: \"50\"}, {service: b, weight: 1.5}, {service: c, weight: 2}]",
    );
    insta::assert_snapshot!(converted(&text, Version::V1alpha2, &DEFAULT), @r"
    TrafficSplit web, backend `a`: its weight `50` is a Quantity, and v1alpha2 takes whole numbers only (spec.backends[0].weight)
    TrafficSplit web, backend `b`: its weight `1.5` is a Quantity, and v1alpha2 takes whole numbers only (spec.backends[1].weight)
    ");
    let lenient = Options { lenient: true, ..DEFAULT };
    insta::assert_snapshot!(converted(&text, Version::V1alpha3, &lenient), @r"
    apiVersion: split.smi-spec.io/v1alpha3
    kind: TrafficSplit
    metadata:
      name: web
    spec:
      service: web
      backends:
      - service: a
        weight: 50000
      - service: b
        weight: 1500
      - service: c
        weight: 2000
    # spec.backends[0].weight: backend `a`: its weight `50` was read as a Quantity
    # spec.backends[1].weight: backend `b`: its weight `1.5` was read as a Quantity
    ");
}

#[test]
fn matches_are_refused_dropped_or_carried() {
    let text = split(
        "v1alpha3",
        "backends: [{service: a, weight: 1}], matches: [{kind: HTTPRouteGroup, name: beta, apiGroup: specs.smi-spec.io}]",
    );
    for older in [Version::V1alpha1, Version::V1alpha2] {
        let refused = converted(&text, older, &DEFAULT);
        assert_eq!(
            refused,
            format!(
                "TrafficSplit web: {older} cannot hold `spec.matches` (HTTPRouteGroup beta): the split would take all requests, not only those that match (spec.matches)\n"
            )
        );
    }
    insta::assert_snapshot!(converted(&text, Version::V1alpha2, &ALLOWED), @r"
    apiVersion: split.smi-spec.io/v1alpha2
    kind: TrafficSplit
    metadata:
      name: web
    spec:
      service: web
      backends:
      - service: a
        weight: 1
    # spec.matches: v1alpha2 cannot hold `spec.matches` (HTTPRouteGroup beta): the split would take all requests, not only those that match
    ");
    let carried = converted(&text, Version::V1alpha1, &CARRIED);
    insta::assert_snapshot!(carried, @r#"
    apiVersion: split.smi-spec.io/v1alpha1
    kind: TrafficSplit
    metadata:
      name: web
      annotations:
        tidegate.dev/conversion: "{\"matches\":{\"service\":\"web\",\"matches\":[{\"kind\":\"HTTPRouteGroup\",\"name\":\"beta\",\"apiGroup\":\"specs.smi-spec.io\"}]}}"
    spec:
      service: web
      backends:
      - service: a
        weight: 1
    # spec.matches: v1alpha1 cannot hold `spec.matches` (HTTPRouteGroup beta): the split would take all requests, not only those that match
    "#);
    // a version on the way leaves it, the first that can hold it takes it back
    let on_the_way = converted(&carried, Version::V1alpha2, &CARRIED);
    assert_eq!(converted(&on_the_way, Version::V1alpha3, &CARRIED), printed(&parsed(&text)));
    assert_eq!(converted(&carried, Version::V1alpha3, &DEFAULT), printed(&parsed(&text)));
    // what is dropped is named, with the group that nothing else tells
    let foreign = text.replace("apiGroup: specs.smi-spec.io", "apiGroup: example.com");
    let dropped = converted(&foreign, Version::V1alpha2, &ALLOWED);
    assert!(dropped.contains("`spec.matches` (HTTPRouteGroup beta of example.com): the split"), "{dropped}");
    // the newest versions have one shape
    assert!(converted(&text, Version::V1alpha4, &DEFAULT).contains("apiGroup: specs.smi-spec.io"));
}

#[test]
fn fields_that_a_version_does_not_know_stay_and_are_reported() {
    let text = split("v1alpha2", "backends: [{service: a, wieght: 2, weight: 1}], matches: [{name: x}], mode: fast");
    insta::assert_snapshot!(converted(&text, Version::V1alpha1, &DEFAULT), @r"
    apiVersion: split.smi-spec.io/v1alpha1
    kind: TrafficSplit
    metadata:
      name: web
    spec:
      service: web
      backends:
      - service: a
        wieght: 2
        weight: 1
      matches:
      - name: x
      mode: fast
    # spec.matches: v1alpha2 has no field `spec.matches`; it was kept
    # spec.mode: v1alpha2 has no field `spec.mode`; it was kept
    # spec.backends[0].wieght: v1alpha2 has no field `spec.backends[0].wieght`; it was kept
    ");
}

#[test]
fn quantities_come_back_as_they_were_written_while_their_numbers_stand() {
    let text = split("v1alpha1", "backends: [{service: a, weight: 1}, {service: b, weight: 500m}]");
    let there = converted(&text, Version::V1alpha4, &CARRIED);
    insta::assert_snapshot!(there, @r#"
    apiVersion: split.smi-spec.io/v1alpha4
    kind: TrafficSplit
    metadata:
      name: web
      annotations:
        tidegate.dev/conversion: "{\"weights\":[1,\"500m\"]}"
    spec:
      service: web
      backends:
      - service: a
        weight: 1000
      - service: b
        weight: 500
    "#);
    assert_eq!(converted(&there, Version::V1alpha1, &CARRIED), printed(&parsed(&text)));
    let changed = there.replace("weight: 500", "weight: 501");
    insta::assert_snapshot!(converted(&changed, Version::V1alpha1, &CARRIED), @r"
    apiVersion: split.smi-spec.io/v1alpha1
    kind: TrafficSplit
    metadata:
      name: web
    spec:
      service: web
      backends:
      - service: a
        weight: 1000
      - service: b
        weight: 501
    ");
    // text of others in its place is let be
    let strange = there.replace("conversion: \"{", "conversion: \"");
    assert!(converted(&strange, Version::V1alpha1, &CARRIED).contains("tidegate.dev/conversion"));
}

#[test]
fn weights_beyond_the_limit_are_rounded_or_named() {
    let text = split("v1alpha1", "backends: [{service: a, weight: 1}, {service: b, weight: 3u}]");
    insta::assert_snapshot!(converted(&text, Version::V1alpha2, &DEFAULT), @r"
    apiVersion: split.smi-spec.io/v1alpha2
    kind: TrafficSplit
    metadata:
      name: web
    spec:
      service: web
      backends:
      - service: a
        weight: 429495
      - service: b
        weight: 1
    # spec.backends: its weights were rounded to keep to the limit of 429496: a share changes by 0.000068 % of the traffic at most
    ");
    let text = split("v1alpha2", "backends: [{service: a, weight: 500000}, {service: b, weight: 1}]");
    insta::assert_snapshot!(converted(&text, Version::V1alpha3, &DEFAULT), @r"
    apiVersion: split.smi-spec.io/v1alpha3
    kind: TrafficSplit
    metadata:
      name: web
    spec:
      service: web
      backends:
      - service: a
        weight: 500000
      - service: b
        weight: 1
    # spec.backends: its weights pass 429496, the most that is carried, alone or as their sum
    ");
}

const GROUP: &str = "\
apiVersion: specs.smi-spec.io/v1alpha2
kind: HTTPRouteGroup
metadata:
  name: beta
matches:
- name: api
  pathRegex: /api
  methods: [GET]
  headers:
    x-user: beta-.*
    x-tier: gold
- name: all
";

#[test]
fn matches_of_a_group_move_under_spec_and_back() {
    let there = converted(GROUP, Version::V1alpha4, &DEFAULT);
    insta::assert_snapshot!(there, @r"
    apiVersion: specs.smi-spec.io/v1alpha4
    kind: HTTPRouteGroup
    metadata:
      name: beta
    spec:
      matches:
      - name: api
        pathRegex: /api
        methods:
        - GET
        headers:
          x-user: beta-.*
          x-tier: gold
      - name: all
    ");
    assert_eq!(converted(&there, Version::V1alpha2, &DEFAULT), printed(&parsed(GROUP)));
    assert_eq!(converted(&there, Version::V1alpha3, &DEFAULT), there.replace("v1alpha4", "v1alpha3"));
}

/// Go types leave an empty list out: through a webhook such an object goes as it is, and every list of its kind with it.
#[test]
fn a_list_that_is_left_out_stands_in_the_way_of_no_reader() {
    let there = |text: &str, target| converted(text, target, &CARRIED);
    for spec in ["service: web", "service: web\n  backends: null"] {
        let text = format!(
            "apiVersion: split.smi-spec.io/v1alpha1\nkind: TrafficSplit\nmetadata:\n  name: web\nspec:\n  {spec}\n"
        );
        for target in [Version::V1alpha2, Version::V1alpha4] {
            let new = there(&text, target);
            assert_eq!(new, text.replace("v1alpha1", target.word()));
            assert_eq!(there(&new, Version::V1alpha1), text);
        }
        assert!(converted(&text, Version::V1alpha2, &DEFAULT).contains("`spec.backends` is no list"));
    }
    let group = "apiVersion: specs.smi-spec.io/v1alpha2\nkind: HTTPRouteGroup\nmetadata:\n  name: beta\n";
    let new = there(group, Version::V1alpha4);
    assert_eq!(new, format!("{}spec: {{}}\n", group.replace("v1alpha2", "v1alpha4")));
    assert_eq!(there(&new, Version::V1alpha2), group);
    assert_eq!(there(&new, Version::V1alpha3), new.replace("v1alpha4", "v1alpha3"));
    let null = format!("{group}matches: null\n");
    assert_eq!(there(&there(&null, Version::V1alpha4), Version::V1alpha2), null);
    assert!(converted(group, Version::V1alpha4, &DEFAULT).contains("`matches` is absent, not a list"));
    let odd = format!("{}spec: []\n", group.replace("v1alpha2", "v1alpha4"));
    assert!(there(&odd, Version::V1alpha2).contains("`spec.matches` is absent, not a list"));
}

/// Found by the fuzz target of reviews: what was to travel was lost, or came with metadata of its own.
#[test]
fn what_has_no_room_for_the_annotation_is_refused() {
    let with = |metadata: &str| {
        let text = format!(
            "apiVersion: split.smi-spec.io/v1alpha3\nkind: TrafficSplit\n{metadata}spec: {{service: a, backends: [], matches: [{{name: x}}]}}\n"
        );
        converted(&text, Version::V1alpha2, &CARRIED)
    };
    insta::assert_snapshot!(
        ["", "metadata: null\n", "metadata: 5\n", "metadata: {name: a, annotations: []}\n"].map(with).concat(),
        @"
    TrafficSplit without a name: `metadata` is absent, not a mapping (metadata)
    TrafficSplit without a name: `metadata` is null, not a mapping (metadata)
    TrafficSplit without a name: `metadata` is a number, not a mapping (metadata)
    TrafficSplit a: `metadata.annotations` is a list, not a mapping (metadata.annotations)
    "
    );
    assert!(with("metadata: {name: a, annotations: null}\n").contains("tidegate.dev/conversion"));
}

#[test]
fn headers_are_a_mapping_or_a_list() {
    let list = Options { headers: HeaderForm::List, ..DEFAULT };
    let mapping = Options { headers: HeaderForm::Mapping, ..DEFAULT };
    let there = converted(GROUP, Version::V1alpha4, &list);
    insta::assert_snapshot!(there, @r"
    apiVersion: specs.smi-spec.io/v1alpha4
    kind: HTTPRouteGroup
    metadata:
      name: beta
    spec:
      matches:
      - name: api
        pathRegex: /api
        methods:
        - GET
        headers:
        - x-user: beta-.*
        - x-tier: gold
      - name: all
    ");
    assert_eq!(converted(&there, Version::V1alpha2, &mapping), printed(&parsed(GROUP)));
    let wrong = GROUP.replace("    x-user: beta-.*\n    x-tier: gold\n", "  - {x-user: a, x-tier: b}\n");
    assert_eq!(
        converted(&wrong, Version::V1alpha4, &list),
        "HTTPRouteGroup beta: `matches[0].headers` cannot be read: an item of the list has 2 keys, not one (matches[0].headers)\n"
    );
    // a mapping cannot hold a name twice
    let twice = GROUP.replace("    x-user: beta-.*\n    x-tier: gold\n", "  - x-user: a\n  - x-user: b\n");
    assert!(converted(&twice, Version::V1alpha4, &mapping).contains("- x-user: a\n    - x-user: b\n"));
}

#[test]
fn headers_are_refused_dropped_or_carried() {
    insta::assert_snapshot!(converted(GROUP, Version::V1alpha1, &DEFAULT), @r"
    HTTPRouteGroup beta: v1alpha1 cannot hold `matches[0].headers`: the match would hold whatever they are (matches[0].headers)
    ");
    insta::assert_snapshot!(converted(GROUP, Version::V1alpha1, &ALLOWED), @r"
    apiVersion: specs.smi-spec.io/v1alpha1
    kind: HTTPRouteGroup
    metadata:
      name: beta
    matches:
    - name: api
      pathRegex: /api
      methods:
      - GET
    - name: all
    # matches[0].headers: v1alpha1 cannot hold `matches[0].headers`: the match would hold whatever they are
    ");
    let carried = converted(GROUP, Version::V1alpha1, &CARRIED);
    let carried =
        carried.lines().filter(|line| !line.starts_with('#')).fold(String::new(), |all, line| all + line + "\n");
    let back = converted(&carried, Version::V1alpha2, &CARRIED);
    assert_eq!(parsed(&back).get("matches").map(printed_again), parsed(GROUP).get("matches").map(printed_again));
}

fn printed_again(node: &Node<'_>) -> serde_json::Value {
    crate::json::to_value(node)
}

/// What does not change keeps its place in the source.
#[test]
fn untouched_nodes_keep_their_spans() {
    let text = split("v1alpha1", "backends: [{service: a, weight: 90}, {service: b, weight: 10}]");
    let before = parsed(&text);
    let (after, _) = tree(&before, Version::V1alpha2, &DEFAULT).unwrap();
    let span = |tree: &Node<'_>, path: &[&str]| tree.at(path).unwrap().span;
    for path in [&["metadata"][..], &["spec"], &["spec", "backends"]] {
        assert_eq!(span(&after, path), span(&before, path));
    }
    let weight =
        |tree: &Node<'_>| tree.at(&["spec", "backends"]).unwrap().items().unwrap()[0].get("weight").unwrap().span;
    assert_eq!(weight(&after), weight(&before));
    assert_eq!(after.get("apiVersion").unwrap().span.len, 0);
}
