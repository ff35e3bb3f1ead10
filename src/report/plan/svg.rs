//! The plan as a picture, and as a page with the picture in it. Neither holds a script or asks for anything else.
//!
//! The layout is one of layers, without crossings being looked for: a column a wave, its objects from top to bottom in
//! the order of the stream, and a curve for each pair between which the engine waits.

use std::collections::BTreeMap;

use tera::{Context, Tera};
use unicode_width::UnicodeWidthStr;

use super::drawing::Drawing;
use crate::flow::Planned;
use crate::report::escape::{escape, xml};
use crate::source::SourceMap;

const TEMPLATE: &str = include_str!("../../../templates/report.html.tera");

/// Pixels: of a letter of the font, of a row, of a box, between columns, around all, and at the top for titles.
const LETTER: usize = 8;
const ROW: usize = 36;
const BOX: usize = 26;
const BETWEEN: usize = 90;
const MARGIN: usize = 20;
const TOP: usize = 56;

/// Columns that a name may take before it is cut; the whole of it is shown when one points at it.
const LONGEST: usize = 48;

const STYLE: &str = "text{font:13px monospace;fill:#222222}.t{font-weight:bold}.b{fill:#f4f7fb;stroke:#5b7aa6}\
                     .g{fill:none;stroke:#b4532a;stroke-width:1.5}.s{stroke:#ccc;stroke-dasharray:4 4}";

/// Where an object's box stands, in pixels.
struct Spot {
    x: usize,
    y: usize,
    width: usize,
}

/// A picture of the plan.
pub fn svg(planned: &Planned<'_>, sources: &SourceMap) -> String {
    picture(&Drawing::new(planned, sources))
}

fn picture(drawing: &Drawing<'_>) -> String {
    let mut spots = BTreeMap::new();
    let mut body = String::new();
    let mut x = MARGIN;
    let mut rows = 0;
    for (nth, wave) in drawing.waves.iter().enumerate() {
        let objects = drawing.objects(wave);
        let title = Drawing::title(wave);
        let names: Vec<(String, String)> = objects.iter().map(|object| cut(&drawing.name(*object))).collect();
        let columns = names.iter().map(|(shown, _)| shown.width()).chain([title.width()]).max().unwrap_or(0);
        let width = columns * LETTER + 16;
        if nth > 0 {
            let line = x - BETWEEN / 2;
            body.push_str(&format!("<line class=\"s\" x1=\"{line}\" y1=\"{MARGIN}\" x2=\"{line}\" y2=\"100%\"/>\n"));
        }
        body.push_str(&format!("<text class=\"t\" x=\"{x}\" y=\"{}\">{}</text>\n", MARGIN + 16, xml(&title)));
        for (row, (object, (shown, whole))) in objects.iter().zip(names).enumerate() {
            let y = TOP + row * ROW;
            body.push_str(&format!(
                "<g><title>{}</title><rect class=\"b\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BOX}\" rx=\"4\"/>\
                 <text x=\"{}\" y=\"{}\">{}</text></g>\n",
                xml(&whole),
                x + 8,
                y + 18,
                xml(&shown)
            ));
            spots.insert(*object, Spot { x, y, width });
        }
        rows = rows.max(objects.len());
        x += width + BETWEEN;
    }
    for edge in &drawing.gates {
        let (Some(from), Some(to)) = (spots.get(&edge.from), spots.get(&edge.to)) else { continue };
        let (x1, y1, x2, y2) = (from.x + from.width, from.y + BOX / 2, to.x, to.y + BOX / 2);
        let why = format!(
            "{} waits for {}: {} ({})",
            drawing.name(edge.to),
            drawing.name(edge.from),
            edge.reason,
            drawing.place(edge)
        );
        body.push_str(&format!(
            "<path class=\"g\" marker-end=\"url(#a)\" d=\"M{x1} {y1}C{} {y1} {} {y2} {x2} {y2}\"><title>{}</title></path>\n",
            x1 + BETWEEN / 2,
            x2.saturating_sub(BETWEEN / 2),
            xml(&why)
        ));
    }
    let (width, height) = ((x + MARGIN).saturating_sub(BETWEEN).max(2 * MARGIN), TOP + rows * ROW + MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\">\n<title>Plan</title>\n<style>{STYLE}</style>\n<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" \
         refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#b4532a\"/>\
         </marker></defs>\n{body}</svg>\n"
    )
}

/// A name as it is shown, and the whole of it.
fn cut(name: &str) -> (String, String) {
    let name = escape(name).into_owned();
    if name.width() <= LONGEST {
        return (name.clone(), name);
    }
    let mut shown = String::new();
    for c in name.chars() {
        shown.push(c);
        if shown.width() >= LONGEST {
            break;
        }
    }
    shown.pop();
    shown.push('…');
    (shown, name)
}

/// A page: the picture, and below it every wave with its objects and what is waited for behind it.
///
/// # Errors
/// The words of the template engine, should the template of tidegate's own be wrong.
pub fn html(planned: &Planned<'_>, sources: &SourceMap) -> Result<String, String> {
    let drawing = Drawing::new(planned, sources);
    let waves: Vec<serde_json::Value> = drawing
        .waves
        .iter()
        .map(|wave| {
            let objects: Vec<String> =
                drawing.objects(wave).into_iter().map(|object| xml(&drawing.name(object))).collect();
            let gates: Vec<[String; 4]> = wave
                .gates
                .iter()
                .map(|edge| {
                    [drawing.name(edge.from), drawing.name(edge.to), edge.reason.to_string(), drawing.place(edge)]
                        .map(|cell| xml(&cell))
                })
                .collect();
            serde_json::json!({ "title": xml(&Drawing::title(wave)), "objects": objects, "gates": gates })
        })
        .collect();
    let mut context = Context::new();
    context.insert("picture", &picture(&drawing));
    context.insert("waves", &waves);
    Tera::one_off(TEMPLATE, &context, false).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_cut_where_it_is_shown() {
        let (shown, whole) = cut(&"漢".repeat(40));
        assert!(shown.width() <= LONGEST && shown.ends_with('…'), "{shown}");
        assert_eq!(whole.chars().count(), 40);
        assert_eq!(cut("a\u{1b}b").0, "a\\u{1b}b");
    }
}
