//! What `yaml::emit` writes, `yaml::parse` reads back.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use tidegate::finding::Findings;
use tidegate::source::{DocumentStart, Limits, SourceFile, SourceMap};
use tidegate::tree::{Key, Mapping, Node, Value};
use tidegate::yaml;

use crate::awkward::Awkward;

proptest! {
    #![proptest_config(ProptestConfig { cases: 500,
        failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_tree_comes_back_the_same(tree in tree()) {
        let text = emitted(&tree);
        prop_assert!(text.ends_with('\n'));
        // kubectl skips a document that is null
        let wanted: Vec<_> = [tree].into_iter().filter(|tree| !tree.is_null()).collect();
        let read = documents(&text).map_err(TestCaseError::fail)?;
        prop_assert_eq!(&read, &wanted, "{}", text);
        for tree in &read {
            prop_assert_eq!(emitted(tree), text.as_str());
        }
    }

    #[test]
    fn a_tree_comes_back_the_same_from_kyaml(tree in tree()) {
        let mut text = String::new();
        yaml::emit_kyaml(&tree, &mut text);
        let wanted: Vec<_> = [tree].into_iter().filter(|tree| !tree.is_null()).collect();
        let read = documents(&text).map_err(TestCaseError::fail)?;
        prop_assert_eq!(read, wanted, "{}", text);
    }

    #[test]
    fn a_stream_comes_back_document_for_document(trees in vec(mapping(), 1..4)) {
        let texts: Vec<_> = trees.iter().map(emitted).collect();
        let text = texts.join("---\n");
        let read = documents(&text).map_err(TestCaseError::fail)?;
        prop_assert_eq!(read, trees, "{}", text);
    }
}

fn emitted(tree: &Node<'_>) -> String {
    let mut text = String::new();
    yaml::emit(tree, &mut text);
    text
}

/// The documents of a stream; the findings as text where one cannot be read.
fn documents(text: &str) -> Result<Vec<Node<'_>>, String> {
    let mut map = SourceMap::default();
    let file = map.add(SourceFile::new("emitted.yaml", text));
    let mut found = Findings::default();
    let limits = Limits::default();
    let mut nodes = Vec::new();
    for chunk in yaml::chunks(text) {
        let at = DocumentStart { file, offset: chunk.offset };
        match yaml::parse(chunk.text, at, &limits, &mut found) {
            Ok(node) => nodes.extend(node),
            Err(_) => return Err(format!("{:?}\n{text}", found.sorted())),
        }
    }
    Ok(nodes)
}

fn tree() -> impl Strategy<Value = Node<'static>> {
    scalar().prop_recursive(6, 40, 5, |inner| {
        prop_oneof![vec(inner.clone(), 0..5).prop_map(|items| Node::made(Value::Sequence(items))), entries(inner),]
    })
}

/// A document that is a mapping with at least one key, as every manifest is.
fn mapping() -> impl Strategy<Value = Node<'static>> {
    entries(tree()).prop_filter("empty", |node| node.mapping().is_some_and(|mapping| !mapping.is_empty()))
}

fn entries(values: impl Strategy<Value = Node<'static>>) -> impl Strategy<Value = Node<'static>> {
    btree_map(text(), values, 0..5).prop_map(|entries: BTreeMap<String, Node<'static>>| {
        let entries = entries.into_iter().map(|(name, value)| (Key::made(name), value));
        Node::made(Value::Mapping(Mapping::new(entries.collect())))
    })
}

fn scalar() -> impl Strategy<Value = Node<'static>> {
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        2 => any::<i64>().prop_map(Value::I64),
        1 => (1 << 63..=u64::MAX).prop_map(Value::U64),
        2 => prop::num::f64::ANY.prop_filter_map("no number of JSON", |float| {
            float.is_finite().then(|| Value::float(float))
        }),
        1 => "-?[1-9][0-9]{20,40}".prop_map(|digits| Value::integer(&digits)),
        8 => text().prop_map(|text| Value::String(text.into())),
    ]
    .prop_map(Node::made)
}

/// Any text, of which most readers disagree about.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<u64>().prop_map(|seed| Awkward::new(seed).text()),
        r#"[-?:,\[\]{}#&*!|>'"%@` \t\n\r\\0-9a-z.~=<_+]{0,12}"#,
        "[0-9_+.:eExXobA-F-]{0,8}",
        "([ \t]{0,3}[a:#-]{0,2}\n){0,4}[ \ta]{0,2}",
        any::<String>(),
        "[a-z]{0,8}",
    ]
}
