use super::*;
use crate::source::{SourceFile, SourceMap};
use crate::tree::{Key, Mapping, Value};

fn start() -> DocumentStart {
    DocumentStart { file: SourceMap::default().add(SourceFile::new("a.yaml", "")), offset: 0 }
}

/// The text after a change of its tree.
fn edited(form: Form, text: &str, change: impl FnOnce(&mut Node<'_>)) -> Edited {
    let limits = Limits::default();
    let unread = Original { text, at: start(), form, root: &Node::default() };
    let root = read(text, &unread, &limits).expect("the sample is a document");
    let mut changed = root.clone();
    change(&mut changed);
    apply(&Original { root: &root, ..unread }, &changed, &limits).expect("there is a text for every tree")
}

/// The same where no part had to be written anew.
fn kept(text: &str, change: impl FnOnce(&mut Node<'_>)) -> String {
    let form = if text.starts_with('{') { Form::Json } else { Form::Yaml };
    let edited = edited(form, text, change);
    assert!(!edited.is_whole, "{}", edited.text);
    edited.text
}

fn set<'n>(node: &mut Node<'n>, path: &[&str], value: Value<'n>) {
    let (last, holders) = path.split_last().unwrap();
    let holder = node.at_mut(holders).and_then(Node::mapping_mut).unwrap();
    holder.set((*last).to_owned(), Node::made(value));
}

fn remove(node: &mut Node<'_>, path: &[&str]) {
    let (last, holders) = path.split_last().unwrap();
    node.at_mut(holders).and_then(Node::mapping_mut).unwrap().remove(last).unwrap();
}

fn items<'a, 'n>(node: &'a mut Node<'n>, path: &[&str]) -> &'a mut Vec<Node<'n>> {
    match &mut node.at_mut(path).unwrap().value {
        Value::Sequence(items) => items,
        _ => panic!("no list"),
    }
}

fn split() -> Node<'static> {
    let entries = [("service", Node::text("c")), ("weight", Node::made(Value::I64(7)))];
    Node::made(Value::Mapping(Mapping::new(entries.map(|(name, node)| (Key::made(name), node)).into())))
}

#[test]
fn what_yaml_cannot_hold_is_escaped_where_json_would_not() {
    let text = "a: 0\nb:\n  - {\"c\": 0, \"d\": \"e\"}\n";
    let new = kept(text, |root| {
        let holder = items(root, &["b"]).first_mut().unwrap();
        set(holder, &["c"], Value::String("\u{9f}\u{7f}\u{2028}\u{feff}é\u{1f30a}".into()));
        set(holder, &["d"], Value::String("\u{85}".into()));
    });
    assert_eq!(new, "a: 0\nb:\n  - {\"c\": \"\\u009f\\u007f\\u2028\\ufeffé\u{1f30a}\", \"d\": \"\\u0085\"}\n");
}

#[test]
fn scalars_are_replaced_in_their_place_and_quotes() {
    let text = "# head\n\na: 'x'   # one\nb: \"y\"\nc:   500m # three\nd: |\n  text\n\n# tail\n";
    let new = kept(text, |root| {
        for (name, value) in [("a", "it's"), ("b", "tab\t"), ("d", "other\ntext\n")] {
            set(root, &[name], Value::String(value.into()));
        }
        set(root, &["c"], Value::I64(500));
    });
    assert_eq!(new, "# head\n\na: 'it''s'   # one\nb: \"tab\\t\"\nc:   500 # three\nd: |\n  other\n  text\n\n# tail\n");
}

#[test]
fn entries_are_added_at_the_column_of_their_neighbours() {
    let text = "metadata:\n    # why\n    name: a # who\n\n    # more\nspec:\n    - a: 1 # one\n    # two\n";
    let new = kept(text, |root| {
        set(root, &["metadata", "labels"], Value::Mapping(Mapping::new(vec![(Key::made("x"), Node::text("1"))])));
        items(root, &["spec"])[0].mapping_mut().unwrap().set("b", Node::text("z"));
        items(root, &["spec"]).push(split());
        set(root, &["kind"], Value::String("K".into()));
    });
    assert_eq!(
        new,
        "metadata:\n    # why\n    name: a # who\n    labels:\n      x: \"1\"\n\n    # more\nspec:\n    - a: 1 # one\n      \
         b: z\n    - service: c\n      weight: 7\nkind: K\n    # two\n"
    );
}

#[test]
fn entries_are_removed_with_their_own_lines_alone() {
    let text = "metadata:\n  # of the cluster\n  uid: 1 # it is\n  name: a\n  generation: 1\n  managedFields:\n  - x: 1\n    # deep\n    y: 2\nspec: {}\n";
    let new = kept(text, |root| {
        for name in ["uid", "generation", "managedFields"] {
            remove(root, &["metadata", name]);
        }
    });
    assert_eq!(new, "metadata:\n  # of the cluster\n  name: a\nspec: {}\n");
}

#[test]
fn the_first_entry_of_an_item_goes_and_comes() {
    let text = "a:\n- x: 1 # x\n  y: 2\n- # c\n  x: 3\n  y: 4\n- x: 5\n  # stays\n  y: 6\n";
    let new = kept(text, |root| {
        for item in items(root, &["a"]) {
            item.mapping_mut().unwrap().remove("x").unwrap();
        }
    });
    assert_eq!(new, "a:\n- y: 2\n- # c\n  y: 4\n- # stays\n  y: 6\n");
    let new = kept(&new, |root| {
        for item in items(root, &["a"]) {
            item.mapping_mut().unwrap().put_first("x", Node::text("new"));
        }
    });
    assert_eq!(new, "a:\n- x: new\n  y: 2\n- # c\n  x: new\n  y: 4\n- # stays\n  x: new\n  y: 6\n");
}

#[test]
fn items_go_and_come() {
    let text = "a:\n  - one # 1\n  # between\n\n  - two\n  -   three\nb:\n- - x\n  - y\n";
    let new = kept(text, |root| {
        items(root, &["a"]).remove(1);
        items(root, &["a"]).insert(0, Node::text("zero"));
        items(root, &["b"]).push(Node::text("z"));
    });
    assert_eq!(new, "a:\n  - zero\n  - one # 1\n  # between\n\n  -   three\nb:\n- - x\n  - y\n- z\n");
}

#[test]
fn what_becomes_empty_is_written_so() {
    let text = "metadata:\n  annotations: # none left\n    a: b\n  name: x\nspec:\n- a\n";
    let new = kept(text, |root| {
        remove(root, &["metadata", "annotations", "a"]);
        items(root, &["spec"]).clear();
    });
    assert_eq!(new, "metadata:\n  annotations: {}\n  name: x\nspec: []\n");
}

#[test]
fn flow_style_stays() {
    let text = "backends:\n- {service: a, weight: 1} # a\n- {weight: 500m, service: b}\nlist: [ 1, 2,3 ]\nempty: {}\n";
    let new = kept(text, |root| {
        let backends = items(root, &["backends"]);
        backends[0].mapping_mut().unwrap().set("weight", Node::made(Value::I64(1000)));
        backends[1].mapping_mut().unwrap().remove("weight");
        backends[1].mapping_mut().unwrap().set("note", Node::text("a, b"));
        items(root, &["list"]).remove(1);
        items(root, &["list"]).push(split());
        set(root, &["empty", "x"], Value::Null);
    });
    assert_eq!(
        new,
        "backends:\n- {service: a, weight: 1000} # a\n- {service: b, note: \"a, b\"}\nlist: [ 1,3, {service: c, weight: 7} ]\n\
         empty: {x: null}\n"
    );
}

#[test]
fn json_stays_json() {
    let text = "{\n    \"a\": {\n        \"uid\": 1,\n        \"name\": \"x\"\n    },\n    \"w\": [\n        \"500m\"\n    ]\n}";
    let new = kept(text, |root| {
        remove(root, &["a", "uid"]);
        set(root, &["a", "b"], Value::Sequence(vec![split()]));
        items(root, &["w"])[0] = Node::made(Value::I64(5));
    });
    insta::assert_snapshot!(new, @r#"
    {
        "a": {
            "name": "x",
            "b": [
                {
                    "service": "c",
                    "weight": 7
                }
            ]
        },
        "w": [
            5
        ]
    }
    "#);
    let new = kept(r#"{"a":{"b":"1"},"c":[1,2]}"#, |root| {
        set(root, &["a", "x"], Value::Bool(true));
        items(root, &["c"]).push(split());
        remove(root, &["a", "b"]);
    });
    assert_eq!(new, r#"{"a":{"x":true},"c":[1,2,{"service":"c","weight":7}]}"#);
}

#[test]
fn windows_line_breaks_stay() {
    let new = kept("a: 1 # x\r\nb:\r\n  c: 2\r\n", |root| {
        set(root, &["b", "d"], Value::Sequence(vec![split()]));
        remove(root, &["a"]);
    });
    assert_eq!(new, "b:\r\n  c: 2\r\n  d:\r\n  - service: c\r\n    weight: 7\r\n");
}

#[test]
fn a_text_without_a_last_line_break_grows() {
    assert_eq!(kept("a: 1", |root| set(root, &["b"], Value::I64(2))), "a: 1\nb: 2");
    assert_eq!(kept("a:\nb: 2", |root| set(root, &["a"], Value::I64(2))), "a: 2\nb: 2");
}

#[test]
fn an_alias_is_written_out_where_it_no_longer_fits() {
    let text = "x: &w 500m # anchor\nv: *w # alias\nz: *w\nm: &m {a: 1}\no: *m\n";
    // the anchored value changes, one of its aliases does not
    let new = kept(text, |root| {
        set(root, &["x"], Value::I64(500));
        set(root, &["z"], Value::I64(500));
        set(root, &["o", "b"], Value::I64(2));
    });
    assert_eq!(new, "x: &w 500 # anchor\nv: 500m # alias\nz: *w\nm: &m {a: 1}\no:\n  a: 1\n  b: 2\n");
}

#[test]
fn a_merged_key_is_set_beside_the_merge() {
    let text = "base: &b\n  weight: 500m\n  x: 1\none:\n  <<: *b # merge\n  service: a # a\n";
    let new = kept(text, |root| {
        set(root, &["one", "weight"], Value::I64(7));
        set(root, &["one", "service"], Value::String("z".into()));
    });
    assert_eq!(new, "base: &b\n  weight: 500m\n  x: 1\none:\n  <<: *b # merge\n  service: z # a\n  weight: 7\n");
    let new = kept(text, |root| remove(root, &["one", "x"]));
    assert_eq!(new, "base: &b\n  weight: 500m\n  x: 1\none:\n  weight: 500m\n  service: a # a\n");
}

#[test]
fn what_no_edit_can_do_is_written_anew() {
    let text = "# licence\n\na: &a 1 # x\nb: *a\n";
    let edited = edited(Form::Yaml, text, |root| remove(root, &["a"]));
    assert_eq!(edited, Edited { text: "# licence\n\nb: 1\n".to_owned(), is_whole: true, lost_comments: 1 });
}

#[test]
fn what_moves_takes_its_lines_along() {
    let text = "kind: G\n# above\nmatches: # behind\n# first\n- name: 'a' # one\n  methods: [GET]\n  # deep\n\n  x: |\n    text\n- {name: b}\nz: \"0\"\n";
    let new = kept(text, |root| {
        let root = root.mapping_mut().unwrap();
        let (matches, z) = (root.remove("matches").unwrap(), root.remove("z").unwrap());
        let spec = Mapping::new(vec![(Key::made("matches"), matches), (Key::made("z"), z)]);
        root.set("spec", Node::made(Value::Mapping(spec)));
    });
    assert_eq!(
        new,
        "kind: G\n# above\nspec:\n  matches:\n  # first\n  - name: 'a' # one\n    methods: [GET]\n    # deep\n\n    x: |\n      text\n  - \
         {name: b}\n  z: \"0\"\n"
    );
}

#[test]
fn comments_that_are_gone_are_counted() {
    let text = "kind: G\nmatches: [] # gone\n";
    let under_spec = |root: &mut Node<'_>| {
        let matches = root.mapping_mut().unwrap().remove("matches").unwrap();
        set(root, &["spec"], Value::Mapping(Mapping::new(vec![(Key::made("matches"), matches)])));
    };
    let there = edited(Form::Yaml, text, under_spec);
    assert_eq!((&*there.text, there.lost_comments), ("kind: G\nspec:\n  matches: []\n", 1));

    let text = "kind: G\nspec: # one\n  # two\n  matches: # three\n  # stays\n  - name: \"a # b\" # stays\n";
    let there = edited(Form::Yaml, text, |root| {
        let mut spec = root.mapping_mut().unwrap().remove("spec").unwrap();
        let matches = spec.mapping_mut().unwrap().remove("matches").unwrap();
        root.mapping_mut().unwrap().set("matches", matches);
    });
    let new = "kind: G\nmatches:\n# stays\n- name: \"a # b\" # stays\n";
    assert_eq!((&*there.text, there.lost_comments), (new, 3));
}

#[test]
fn a_comment_is_told_from_text_in_quotes() {
    for line in ["# a", "  # a", "a: b # c", "a: 'b' # c", "a: \"b\\\" '\" # c", "a: it's # c", "- # c", "#"] {
        assert!(has_comment(line), "{line}");
    }
    for line in ["", "a: b#c", "a: 'b # c'", "a: \"b # \\\" # c\"", "{\"a\":\"b # c\"}", "a: '#'"] {
        assert!(!has_comment(line), "{line}");
    }
}

#[test]
fn json_in_yaml_stays_json() {
    let text = "# head\n{\"kind\": \"G\",\n  \"matches\": [{\"name\": \"a\"}]}\n";
    let there = edited(Form::Yaml, text, |root| {
        let matches = root.mapping_mut().unwrap().remove("matches").unwrap();
        set(root, &["spec"], Value::Mapping(Mapping::new(vec![(Key::made("matches"), matches)])));
    });
    assert_eq!(there.text, "# head\n{\"kind\": \"G\", \"spec\": {\"matches\": [{\"name\": \"a\"}]}}\n");
}

#[test]
fn what_moves_and_changes_is_written_in_its_new_form() {
    let text = "a:\n  b: &x\n    c: 1 # c\n  d: *x\n  e: [1]\n";
    let new = kept(text, |root| {
        let mut a = root.mapping_mut().unwrap().remove("a").unwrap();
        a.mapping_mut().unwrap().set("e", Node::made(Value::I64(2)));
        root.mapping_mut().unwrap().set("f", a);
        set(root, &["g"], Value::Null);
    });
    assert_eq!(new, "f:\n  b:\n    c: 1 # c\n  d:\n    c: 1\n  e: 2\ng: null\n");
}
