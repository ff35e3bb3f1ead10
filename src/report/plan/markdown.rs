//! The plan as Markdown, for pull requests.

use super::drawing::Drawing;
use crate::flow::Planned;
use crate::report::escape::escape;
use crate::source::SourceMap;

/// Stages, waves and objects as lists; behind a wave a table of what is waited for, for whom, why, and where that was read.
pub fn markdown(planned: &Planned<'_>, sources: &SourceMap) -> String {
    let drawing = Drawing::new(planned, sources);
    let mut text = String::from("# Plan\n");
    for wave in &drawing.waves {
        text.push_str(&format!("\n## {}\n\n", Drawing::title(wave)));
        for object in drawing.objects(wave) {
            text.push_str(&format!("- {}\n", plain(&drawing.name(object))));
        }
        if wave.gates.is_empty() {
            continue;
        }
        text.push_str("\n| then wait for | before | why | where |\n|---|---|---|---|\n");
        for edge in &wave.gates {
            let cells = [drawing.name(edge.from), drawing.name(edge.to), edge.reason.to_string(), drawing.place(edge)];
            let cells: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
    }
    text
}

/// Text that Markdown, and HTML in it, take for nothing but text.
fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 8);
    for c in escape(text).chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '@' => shown.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' | '$' => shown.extend(['\\', c]),
            c => shown.push(c),
        }
    }
    shown.replace("://", ":&#47;/")
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_of_an_input_is_markup() {
        assert_eq!(
            super::plain("a|b `c` <d> [e](f) @g *h*_i_\n"),
            "a\\|b \\`c\\` &lt;d&gt; \\[e\\](f) &#64;g \\*h\\*\\_i\\_\\\\n"
        );
    }
}
