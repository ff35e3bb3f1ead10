//! Tree → KYAML: the subset of YAML that Kubernetes defines for output (KEP-5295; sigs.k8s.io/yaml/kyaml).
//!
//! Flow style throughout, so that indentation means nothing: `{}` for mappings, `[]` for lists, every text in double
//! quotes, keys bare unless they could be read as something else, a comma behind every item. Lists of lists and of
//! mappings cuddle their brackets. A text of several lines is folded: each line ends with `\n\`.
//!
//! One difference: a tab is written as `\t`, where Kubernetes writes the tab.

use super::quoted::push_quoted;
use super::style::{self, Style};
use super::{LONGEST_SIMPLE_KEY, STEP, push_scalar, push_spaces};
use crate::tree::{Key, Node, Value};

/// Appends one document to `out`, with the line `---` before it and one newline at its end.
pub fn emit_kyaml(node: &Node<'_>, out: &mut String) {
    out.push_str("---\n");
    push(node, 0, out);
    out.push('\n');
}

/// A value whose first line is indented already; what follows on other lines goes to `indent`.
fn push(node: &Node<'_>, indent: usize, out: &mut String) {
    match &node.value {
        Value::Mapping(mapping) if !mapping.is_empty() => push_mapping(mapping.entries(), indent, out),
        Value::Sequence(items) if !items.is_empty() => push_sequence(items, indent, out),
        Value::String(text) if text.contains('\n') => push_folded(text, indent + STEP, out),
        Value::String(text) => push_quoted(text, out),
        value => {
            push_scalar(value, 0, out);
            // the line goes on
            out.pop();
        }
    }
}

fn push_mapping(entries: &[(Key<'_>, Node<'_>)], indent: usize, out: &mut String) {
    out.push_str("{\n");
    for (key, node) in entries {
        push_spaces(indent + STEP, out);
        push_key(&key.name, indent + STEP, out);
        out.push_str(": ");
        push(node, indent + STEP, out);
        out.push_str(",\n");
    }
    push_spaces(indent, out);
    out.push('}');
}

fn push_sequence(items: &[Node<'_>], indent: usize, out: &mut String) {
    let is_cuddled = items.iter().all(|item| matches!(item.value, Value::Mapping(_) | Value::Sequence(_)));
    out.push('[');
    for (nth, item) in items.iter().enumerate() {
        match is_cuddled {
            true => {
                out.push_str(if nth > 0 { ", " } else { "" });
                push(item, indent, out);
            }
            false => {
                out.push('\n');
                push_spaces(indent + STEP, out);
                push(item, indent + STEP, out);
                out.push(',');
            }
        }
    }
    if !is_cuddled {
        out.push('\n');
        push_spaces(indent, out);
    }
    out.push(']');
}

fn push_key(name: &str, indent: usize, out: &mut String) {
    let start = out.len();
    match is_bare(name) {
        true => out.push_str(name),
        false => push_quoted(name, out),
    }
    if out.len() - start > LONGEST_SIMPLE_KEY {
        out.insert_str(start, "? ");
        out.push('\n');
        push_spaces(indent, out);
    }
}

/// Whether a key needs no quotes: letters, digits and `_`, inside also `-`, `.` and `/`, and no other value to anybody.
fn is_bare(name: &str) -> bool {
    let is_edge = |c: char| c.is_alphanumeric() || c == '_';
    let ends = || name.starts_with(is_edge) && name.ends_with(is_edge);
    let inside = || name.chars().all(|c| is_edge(c) || matches!(c, '-' | '.' | '/'));
    name.len() <= LONGEST_SIMPLE_KEY && ends() && inside() && style::of(name) == Style::Plain
}

/// A text of several lines. Readers drop the blanks that a line begins with and what stands around an escaped line
/// break, so each line keeps its place on the page; a blank of its own is escaped.
fn push_folded(text: &str, indent: usize, out: &mut String) {
    out.push_str("\"\\\n");
    for line in text.split_inclusive('\n') {
        push_spaces(indent, out);
        out.push(if line.starts_with(' ') { '\\' } else { ' ' });
        let start = out.len();
        push_quoted(line, out);
        // only what stands between the quotes
        out.remove(start);
        out.pop();
        out.push_str("\\\n");
    }
    push_spaces(indent, out);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Findings;
    use crate::source::{DocumentStart, FileId, Limits, SourceFile, SourceMap};

    fn file() -> FileId {
        SourceMap::default().add(SourceFile::new("a.yaml", ""))
    }

    fn tree(text: &str) -> Node<'_> {
        let at = DocumentStart { file: file(), offset: 0 };
        crate::yaml::parse(text, at, &Limits::default(), &mut Findings::default()).unwrap().unwrap()
    }

    fn emitted(node: &Node<'_>) -> String {
        let mut out = String::new();
        emit_kyaml(node, &mut out);
        out
    }

    #[test]
    fn the_form_is_that_of_kubernetes() {
        let pod = tree(
            "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app.kubernetes.io/name: web, 'no': 'yes', -a: b}}\n\
             spec:\n  containers:\n  - name: web\n    args: [--port=80, 80]\n    env: []\n  - {name: side}\n  hostNetwork: false\n\
             data:\n  script: |\n    #!/bin/sh\n      echo \"a\"\n\n    exit\n  last: \"a\\n  b\"\n",
        );
        insta::assert_snapshot!(emitted(&pod), @r#"
        ---
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: {
            name: "web",
            labels: {
              app.kubernetes.io/name: "web",
              "no": "yes",
              "-a": "b",
            },
          },
          spec: {
            containers: [{
              name: "web",
              args: [
                "--port=80",
                80,
              ],
              env: [],
            }, {
              name: "side",
            }],
            hostNetwork: false,
          },
          data: {
            script: "\
               #!/bin/sh\n\
              \  echo \"a\"\n\
               \n\
               exit\n\
              ",
            last: "\
               a\n\
              \  b\
              ",
          },
        }
        "#);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let long = "k".repeat(2000);
        let texts = [
            "",
            " ",
            "a\tb",
            "\ta\n\tb\n",
            " a\n  b\n\n",
            "\n",
            "\n\n a",
            "a\n ",
            "a\\\n\\b",
            "\u{1b}\n\u{2028}",
            "a\r\n",
            "\"\n\"",
            "漢\n字",
        ];
        for text in texts.into_iter().chain([&*long]) {
            let list = Node::made(Value::Sequence(vec![Node::text(text), Node::made(Value::Sequence(Vec::new()))]));
            let mapping = crate::tree::Mapping::new(vec![(Key::made(text), Node::text(text)), (Key::made("l"), list)]);
            let node = Node::made(Value::Mapping(mapping));
            let out = emitted(&node);
            let mut block = String::new();
            crate::yaml::emit(&node, &mut block);
            let (read, expected) = (tree(&out), tree(&block));
            let (mut a, mut b) = (String::new(), String::new());
            crate::json::write(&read, &mut a);
            crate::json::write(&expected, &mut b);
            assert_eq!(a, b, "{text:?}: {out}");
        }
    }
}
