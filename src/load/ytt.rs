//! Templates of ytt: YAML whose comments are code, so that it parses as something else than is meant.
//!
//! What counts as code is in the syntax of ytt ([language](https://carvel.dev/ytt/docs/latest/lang/)): `#@` with a space
//! is Starlark, `#@data/…` and the like are annotations.

use crate::finding::{Finding, Label, rules::objects};
use crate::source::{Place, Span};
use crate::tree::{Node, Value};

/// How code of ytt begins.
const MARK: &str = "#@";

/// Annotations that only ytt has.
const ANNOTATIONS: [&str; 5] = ["data/", "schema/", "overlay/", "yaml/", "library/"];

/// Statements that open a block of Starlark, as ytt writes them.
const BLOCKS: [&str; 6] = ["def ", "if ", "if/end ", "for ", "for/end ", "else"];

/// Where code of ytt stands in a document: the first of it that is a comment and no text. `root` is what the document
/// reads as, if it is more than comments.
pub(super) fn code(root: Option<&Node<'_>>, text: &str) -> Option<Span> {
    let marks = memchr::memmem::find_iter(text.as_bytes(), MARK);
    let mut spans = marks.filter(|at| is_code(text, *at)).map(|at| Span::new(at, at + MARK.len())).peekable();
    spans.peek()?;
    let texts = root.map(texts).unwrap_or_default();
    spans.find(|span| {
        let before = texts.partition_point(|text| text.start <= span.start);
        before == 0 || texts[before - 1].end() <= span.start
    })
}

/// Whether what begins at a mark is code, and no remark that happens to begin so.
fn is_code(text: &str, at: usize) -> bool {
    let (before, behind) = text.split_at(at);
    let before = before.rsplit('\n').next().unwrap_or_default();
    let behind = behind[MARK.len()..].lines().next().unwrap_or_default();
    let Some(code) = behind.strip_prefix(' ').map(str::trim) else {
        return is_comment(before) && ANNOTATIONS.iter().any(|name| behind.starts_with(name));
    };
    match before.trim() {
        "" => {
            let opens = BLOCKS.iter().any(|word| code.starts_with(word)) && code.ends_with(':');
            opens || code == "end" || code.starts_with("load(")
        }
        before_it => is_comment(before) && before_it.ends_with([':', '-']),
    }
}

/// Whether `#` behind this begins a comment.
fn is_comment(before: &str) -> bool {
    before.is_empty() || before.ends_with([' ', '\t'])
}

/// Where strings stand, which may hold whatever they like, in the order of the text.
fn texts(root: &Node<'_>) -> Vec<Span> {
    let (mut open, mut found) = (vec![root], Vec::new());
    while let Some(node) = open.pop() {
        match &node.value {
            Value::String(_) => found.push(node.span),
            Value::Mapping(mapping) => open.extend(mapping.entries().iter().map(|(_, value)| value)),
            Value::Sequence(items) => open.extend(items),
            _ => {}
        }
    }
    found.sort_unstable_by_key(|span| (span.start, span.len));
    found
}

/// What to say of a template that nobody rendered.
pub(super) fn unrendered(place: Place) -> Finding {
    let message = "a template of ytt that was not rendered: its comments that begin with `#@` are code";
    Finding::new(&objects::TEMPLATE, message)
        .with_label(Label::new(place))
        .with_remedy("render it first and pipe the result: `ytt -f DIR | tidegate render -`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Findings;
    use crate::source::{DocumentStart, Limits, SourceFile, SourceMap};

    fn found(text: &str) -> Option<u32> {
        let file = SourceMap::default().add(SourceFile::new("a.yaml", text));
        let at = DocumentStart { file, offset: 0 };
        let root = crate::yaml::parse(text, at, &Limits::default(), &mut Findings::default()).unwrap();
        code(root.as_ref(), text).map(|span| span.start)
    }

    #[test]
    fn code_is_told_from_remarks_and_text() {
        for (text, at) in [
            ("a: #@ data.values.a\n", Some(3)),
            ("- #@ x()\n", Some(2)),
            ("#@ load(\"@ytt:data\", \"data\")\n", Some(0)),
            ("#@ if data.values.on:\na: 1\n#@ end\n", Some(0)),
            ("a: 1\n#@overlay/match missing_ok=True\nb: 2\n", Some(5)),
            ("#@data/values\n", Some(0)),
            // remarks
            ("#@ if you change this, tell us\na: 1\n", None),
            ("#@param a\na: 1 #@ the first\n", None),
            ("## @param image.tag\na: 1\n", None),
            // text
            ("a: |\n  #@ load(\"@ytt:data\", \"data\")\n  b: #@ c\n", None),
            ("a: \"x\n  #@ end\n  y\"\n", None),
        ] {
            assert_eq!(found(text), at, "{text}");
        }
    }
}
