//! A text that is edited is read as the tree it was to be, and keeps what was not to change.
//!
//! Documents are made in every form that people write: block and flow, two or four spaces, dashes at
//! the key or behind it, three kinds of quotes, comments and blank lines between, both line breaks,
//! JSON on one line and on many.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use tidegate::edit::{self, Edited, Form, Original};
use tidegate::finding::Findings;
use tidegate::source::{DocumentStart, Limits, SourceFile, SourceMap};
use tidegate::tree::{Key, Mapping, Node, Value};
use tidegate::{json, yaml};

use crate::awkward::Awkward;

proptest! {
    #![proptest_config(ProptestConfig { cases: 700, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_text_is_read_as_the_tree_it_was_to_be(
        tree in document(), style in style(), changes in vec(change(), 1..4),
    ) {
        let text = style.write(&tree);
        let mut changed = read(&text, style.form())?;
        changes.iter().for_each(|change| change.make(&mut changed));
        let (before, after) = (tree.mapping(), changed.mapping());
        prop_assume!(after.is_some_and(|after| after.entries().iter().any(|(key, _)| before.is_some_and(|before| before.get(&key.name).is_some()))));
        let edited = edited(&text, &tree, &changed, style.form())?;
        prop_assert!(!edited.is_whole, "written anew:\n{}\n->\n{}", text, edited.text);
        prop_assert_eq!(read(&edited.text, style.form())?, changed, "{}\n->\n{}", text, edited.text);
        if tree == read(&edited.text, style.form())? {
            prop_assert_eq!(edited.text, text);
        }
    }

    #[test]
    fn one_change_touches_no_line_of_its_neighbours(tree in document(), style in style(), change in change()) {
        let text = style.write(&tree);
        let mut changed = read(&text, style.form())?;
        change.make(&mut changed);
        let edited = edited(&text, &tree, &changed, style.form())?;
        let (old, new): (Vec<_>, Vec<_>) = (text.lines().collect(), edited.text.lines().collect());
        let what = || format!("{change:?}\n{text}\n->\n{}", edited.text);
        if style.is_flow {
            return Ok(());
        }
        match change {
            // a line goes, a line comes: nothing else; a scalar on lines of its own goes with its header and both lines
            Change::Scalar(..) if old.len() == new.len() => {
                let differ: Vec<_> = (0..old.len()).filter(|&nth| old[nth] != new[nth]).collect();
                let most = if text.contains("two") { BLOCK_LINES } else { 1 };
                let rows = differ.last().zip(differ.first()).map_or(0, |(last, first)| last - first + 1);
                prop_assert!(rows <= most, "{}", what());
            }
            Change::Scalar(..) => {}
            Change::Remove(_) => prop_assert!(is_part(&comments(&new), &comments(&old)), "{}", what()),
            // what moves takes its comments along
            Change::Move(_) => prop_assert_eq!(comments(&old).len(), comments(&new).len(), "{}", what()),
            Change::Add(..) => prop_assert!(is_part(&comments(&old), &comments(&new)), "{}", what()),
        }
    }
}

/// How many lines a scalar of two lines has in the made documents, with its header.
const BLOCK_LINES: usize = 3;

/// The lines that are comments alone.
fn comments<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    lines.iter().filter(|line| line.trim_start().starts_with("# of ")).copied().collect()
}

/// Whether the lines of `part` stand in `whole`, in their order.
fn is_part(part: &[&str], whole: &[&str]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|line| whole.any(|other| other == line))
}

fn at() -> DocumentStart {
    DocumentStart { file: SourceMap::default().add(SourceFile::new("a.yaml", "")), offset: 0 }
}

fn read(text: &str, form: Form) -> Result<Node<'_>, TestCaseError> {
    let mut found = Findings::default();
    let root = match form {
        Form::Yaml => yaml::parse(text, at(), &Limits::default(), &mut found).ok().flatten(),
        Form::Json => json::parse_stream(text, at(), &Limits::default(), &mut found)
            .pop()
            .and_then(Result::ok)
            .map(|(_, root)| root),
    };
    root.ok_or_else(|| TestCaseError::fail(format!("{text}\n{:?}", found.sorted())))
}

fn edited(text: &str, tree: &Node<'_>, changed: &Node<'_>, form: Form) -> Result<Edited, TestCaseError> {
    let root = read(text, form)?;
    prop_assert_eq!(&root, tree, "{}", text);
    let original = Original { text, at: at(), form, root: &root };
    edit::apply(&original, changed, &Limits::default()).ok_or_else(|| TestCaseError::fail(text.to_owned()))
}

/// One change at a place that a number chooses.
#[derive(Clone, Debug)]
enum Change {
    Scalar(Index, Node<'static>),
    Add(Index, Index, Node<'static>),
    Remove(Index),
    /// Into a mapping of its own at the root, from where its place in the text is kept.
    Move(Index),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        (at(), scalar()).prop_map(|(at, node)| Change::Scalar(at, node)),
        (at(), at(), tree()).prop_map(|(at, place, node)| Change::Add(at, place, node)),
        at().prop_map(Change::Remove),
        at().prop_map(Change::Move),
    ]
}

impl Change {
    /// Makes the change; nothing where the tree has no place for it.
    fn make<'n>(&self, root: &mut Node<'n>) {
        if let Change::Move(at) = self {
            let Some(mapping) = root.mapping_mut().filter(|m| !m.is_empty() && m.get("moved").is_none()) else {
                return;
            };
            let name = mapping.entries()[at.index(mapping.len())].0.name.to_string();
            let value = mapping.remove(&name).expect("it has the key");
            mapping.set("moved", Node::made(Value::Mapping(Mapping::new(vec![(Key::made(name), value)]))));
            return;
        }
        let is_wanted = |node: &Node<'_>| match self {
            Change::Scalar(..) => node.mapping().is_none() && node.items().is_none(),
            _ => node.mapping().is_some_and(|m| !m.is_empty()) || node.items().is_some_and(|i| !i.is_empty()),
        };
        let count = count(root, &is_wanted);
        if count == 0 {
            return;
        }
        let (Change::Scalar(at, _) | Change::Add(at, ..) | Change::Remove(at) | Change::Move(at)) = self;
        let Some(node) = nth(root, &mut at.index(count), &is_wanted) else { return };
        match (self, &mut node.value) {
            (Change::Scalar(_, new), _) => *node = new.clone(),
            (Change::Add(_, at, new), Value::Sequence(items)) => items.insert(at.index(items.len() + 1), new.clone()),
            (Change::Remove(at), Value::Sequence(items)) => drop(items.remove(at.index(items.len()))),
            (Change::Add(_, at, new), Value::Mapping(mapping)) => {
                let mut entries = std::mem::take(mapping).into_entries();
                if entries.iter().all(|(key, _)| key.name != "added") {
                    entries.insert(at.index(entries.len() + 1), (Key::made("added"), new.clone()));
                }
                *mapping = Mapping::new(entries);
            }
            (Change::Remove(at), Value::Mapping(mapping)) => {
                let name = mapping.entries()[at.index(mapping.len())].0.name.to_string();
                mapping.remove(&name);
            }
            _ => {}
        }
    }
}

fn children<'a, 'n>(node: &'a mut Node<'n>) -> Vec<&'a mut Node<'n>> {
    match &mut node.value {
        Value::Sequence(items) => items.iter_mut().collect(),
        Value::Mapping(mapping) => mapping.entries_mut().iter_mut().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    }
}

fn count(node: &mut Node<'_>, is_wanted: &dyn Fn(&Node<'_>) -> bool) -> usize {
    let below: usize = children(node).into_iter().map(|child| count(child, is_wanted)).sum();
    below + usize::from(is_wanted(node))
}

fn nth<'a, 'n>(
    node: &'a mut Node<'n>,
    left: &mut usize,
    is_wanted: &dyn Fn(&Node<'_>) -> bool,
) -> Option<&'a mut Node<'n>> {
    if is_wanted(node) {
        if *left == 0 {
            return Some(node);
        }
        *left -= 1;
    }
    children(node).into_iter().find_map(|child| nth(child, left, is_wanted))
}

fn scalar() -> impl Strategy<Value = Node<'static>> {
    let value = prop_oneof![
        any::<i64>().prop_map(Value::I64),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
        (-1e9..1e9_f64).prop_map(Value::float),
        "[a-z ,:#\\[\\]'\"{}&*-]{0,9}".prop_map(|text| Value::String(text.into())),
        any::<u64>().prop_map(|seed| Value::String(Awkward::new(seed).text().into())),
        Just(Value::String("two\nlines\n".into())),
    ];
    value.prop_map(Node::made)
}

fn tree() -> impl Strategy<Value = Node<'static>> {
    scalar().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![vec(inner.clone(), 0..4).prop_map(|items| Node::made(Value::Sequence(items))), mapping(inner, 0)]
    })
}

fn mapping(values: impl Strategy<Value = Node<'static>>, least: usize) -> impl Strategy<Value = Node<'static>> {
    let key = prop_oneof!["[a-m]{2,5}", "[a-m] [':#]{1,2}"];
    proptest::collection::btree_map(key, values, least..5).prop_map(|entries| {
        let entries = entries.into_iter().map(|(name, value)| (Key::made(name), value));
        Node::made(Value::Mapping(Mapping::new(entries.collect())))
    })
}

/// As in every manifest, the root has more than one key.
fn document() -> impl Strategy<Value = Node<'static>> {
    mapping(tree(), 2)
}

/// How a document is written.
#[derive(Clone, Debug)]
struct Style {
    is_json: bool,
    /// Flow collections from a depth that a bit chooses.
    is_flow: bool,
    step: usize,
    dashes_behind: bool,
    has_comments: bool,
    line_break: &'static str,
    quote: u8,
}

fn style() -> impl Strategy<Value = Style> {
    let line_break = prop_oneof![Just("\n"), Just("\r\n")];
    let rest = (prop_oneof![Just(2_usize), Just(4)], any::<bool>(), any::<bool>(), line_break, 0..3_u8);
    (prop::bool::weighted(0.2), prop::bool::weighted(0.3), rest).prop_map(
        |(is_json, is_flow, (step, dashes_behind, has_comments, line_break, quote))| Style {
            is_json,
            is_flow: is_flow || is_json,
            step,
            dashes_behind,
            has_comments,
            line_break,
            quote,
        },
    )
}

impl Style {
    fn form(&self) -> Form {
        if self.is_json { Form::Json } else { Form::Yaml }
    }

    fn write(&self, tree: &Node<'_>) -> String {
        let mut out = String::new();
        if self.is_json {
            match self.dashes_behind {
                true => json::write_pretty(tree, self.step, &mut out),
                false => json::write(tree, &mut out),
            }
        } else {
            self.comment(0, "head", &mut out);
            self.entries(tree.mapping().expect("a document is a mapping"), 0, true, &mut out);
            self.comment(0, "foot", &mut out);
        }
        out.replace('\n', self.line_break)
    }

    fn comment(&self, column: usize, name: &str, out: &mut String) {
        if self.has_comments {
            out.push_str(&format!("{}# of {name}\n\n", " ".repeat(column)));
        }
    }

    fn entries(&self, mapping: &Mapping<'_>, column: usize, mut at_line: bool, out: &mut String) {
        for (key, value) in mapping.entries() {
            if at_line {
                self.comment(column, "an entry", out);
                out.push_str(&" ".repeat(column));
            }
            at_line = true;
            out.push_str(&format!("{}:", self.text(&key.name)));
            self.value(value, column, false, out);
        }
    }

    /// A value behind its key or dash, and the end of its line.
    fn value(&self, node: &Node<'_>, column: usize, in_list: bool, out: &mut String) {
        let inner = column + if in_list { 2 } else { self.step };
        match &node.value {
            _ if self.is_flow && column > 0 => {
                out.push(' ');
                self.flow(node, out);
            }
            Value::Mapping(mapping) if !mapping.is_empty() => {
                out.push(if in_list { ' ' } else { '\n' });
                return self.entries(mapping, inner, !in_list, out);
            }
            Value::Sequence(items) if !items.is_empty() => {
                let column = if in_list || self.dashes_behind { inner } else { column };
                out.push(if in_list { ' ' } else { '\n' });
                for (nth, item) in items.iter().enumerate() {
                    if nth > 0 || !in_list {
                        self.comment(column, "an item", out);
                        out.push_str(&" ".repeat(column));
                    }
                    out.push('-');
                    self.value(item, column, true, out);
                }
                return;
            }
            Value::String(text) if text == "two\nlines\n" => {
                let lines = " ".repeat(column + 2);
                out.push_str(&format!(" |\n{lines}two\n{lines}lines"));
            }
            _ => {
                out.push(' ');
                self.flow(node, out);
                if self.has_comments {
                    out.push_str(" # behind");
                }
            }
        }
        out.push('\n');
    }

    fn flow(&self, node: &Node<'_>, out: &mut String) {
        match &node.value {
            Value::String(text) => out.push_str(&self.text(text)),
            Value::Sequence(items) => {
                out.push('[');
                for (nth, item) in items.iter().enumerate() {
                    out.push_str(if nth > 0 { ", " } else { "" });
                    self.flow(item, out);
                }
                out.push(']');
            }
            Value::Mapping(mapping) => {
                out.push('{');
                for (nth, (key, value)) in mapping.entries().iter().enumerate() {
                    out.push_str(if nth > 0 { ", " } else { "" });
                    out.push_str(&format!("{}: ", self.text(&key.name)));
                    self.flow(value, out);
                }
                out.push('}');
            }
            _ => {
                let mut text = String::new();
                yaml::emit(node, &mut text);
                out.push_str(text.trim_end());
            }
        }
    }

    /// A text on one line, without quotes where that is safe and asked for.
    fn text(&self, text: &str) -> String {
        let mut emitted = String::new();
        yaml::emit(&Node::text(text.to_owned()), &mut emitted);
        let emitted = emitted.trim_end_matches('\n').to_owned();
        let is_word = text.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        match self.quote {
            0 if is_word => emitted,
            1 if is_printable => format!("'{}'", text.replace('\'', "''")),
            _ if emitted.starts_with('"') => emitted,
            _ => {
                let mut quoted = String::new();
                json::write(&Node::text(text.to_owned()), &mut quoted);
                quoted
            }
        }
    }
}
