//! The plan as the text of graphs: DOT for Graphviz, and Mermaid.

use super::drawing::Drawing;
use crate::flow::Planned;
use crate::report::escape::escape;
use crate::source::SourceMap;

/// DOT: a cluster a wave, a node an object, an edge for each pair between which the engine waits, labelled by why.
pub fn dot(planned: &Planned<'_>, sources: &SourceMap) -> String {
    let drawing = Drawing::new(planned, sources);
    let mut text = String::from("digraph plan {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n");
    for (nth, wave) in drawing.waves.iter().enumerate() {
        text.push_str(&format!("  subgraph cluster_{nth} {{\n    label={};\n", quoted(&Drawing::title(wave))));
        for object in drawing.objects(wave) {
            text.push_str(&format!("    n{} [label={}];\n", object.index(), quoted(&drawing.name(object))));
        }
        text.push_str("  }\n");
    }
    for edge in &drawing.gates {
        let (from, to) = (edge.from.index(), edge.to.index());
        let (why, place) = (quoted(&edge.reason.to_string()), quoted(&drawing.place(edge)));
        text.push_str(&format!("  n{from} -> n{to} [label={why}, tooltip={place}];\n"));
    }
    text.push_str("}\n");
    text
}

/// A quoted string of DOT: `\"` is the one escape of the language, and labels read `\` as the start of others.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escape(text).replace('\\', "\\\\").replace('"', "\\\""))
}

/// Mermaid: a subgraph a wave, a node an object, an edge for each pair between which the engine waits.
pub fn mermaid(planned: &Planned<'_>, sources: &SourceMap) -> String {
    let drawing = Drawing::new(planned, sources);
    let mut text = String::from("flowchart LR\n");
    for (nth, wave) in drawing.waves.iter().enumerate() {
        text.push_str(&format!("  subgraph w{nth}[\"{}\"]\n", entities(&Drawing::title(wave))));
        for object in drawing.objects(wave) {
            text.push_str(&format!("    n{}[\"{}\"]\n", object.index(), entities(&drawing.name(object))));
        }
        text.push_str("  end\n");
    }
    // waves without a gate between them stand in order all the same
    for nth in 1..drawing.waves.len() {
        text.push_str(&format!("  w{} ~~~ w{nth}\n", nth - 1));
    }
    for edge in &drawing.gates {
        let (from, to) = (edge.from.index(), edge.to.index());
        text.push_str(&format!("  n{from} -->|\"{}\"| n{to}\n", entities(&edge.reason.to_string())));
    }
    text
}

/// Text inside the quotes of Mermaid, which reads Markdown and HTML there: all but letters, digits and a few signs by
/// their numbers, six digits each.
fn entities(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 8);
    for c in escape(text).chars() {
        match c {
            ' ' | '/' | '.' | '-' | ',' | ':' => shown.push(c),
            c if c.is_alphanumeric() => shown.push(c),
            c => shown.push_str(&format!("#{:06};", u32::from(c))),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_an_input_ends_a_string() {
        assert_eq!(quoted("a\"b\\\n"), r#""a\"b\\\\n""#);
        assert_eq!(entities("a\"];<b>#`é"), "a#000034;#000093;#000059;#000060;b#000062;#000035;#000096;é");
    }
}
