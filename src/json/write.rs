//! Trees to JSON text.

use super::string;
use crate::tree::{Node, Value};

/// Writes a node without blanks, keys in order, behind what `out` holds.
///
/// Integers keep every digit. Floats are written in the fewest digits that read back the same, and
/// so that they are read as floats again: with a fraction or an exponent. Text is escaped only
/// where JSON demands it.
pub fn write(node: &Node<'_>, out: &mut String) {
    match &node.value {
        Value::Sequence(items) => {
            out.push('[');
            for (nth, item) in items.iter().enumerate() {
                if nth > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Mapping(mapping) => {
            out.push('{');
            for (nth, (key, value)) in mapping.entries().iter().enumerate() {
                if nth > 0 {
                    out.push(',');
                }
                string::write(&key.name, out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
        scalar => write_scalar(scalar, out),
    }
}

/// Writes a node over several lines, each level indented by `indent` blanks more (kubectl: 4),
/// without a line break at the end.
pub fn write_pretty(node: &Node<'_>, indent: usize, out: &mut String) {
    pretty(node, indent, 0, out);
}

fn pretty(node: &Node<'_>, indent: usize, column: usize, out: &mut String) {
    let inner = column + indent;
    match &node.value {
        Value::Sequence(items) if !items.is_empty() => {
            for (nth, item) in items.iter().enumerate() {
                out.push(if nth == 0 { '[' } else { ',' });
                new_line(inner, out);
                pretty(item, indent, inner, out);
            }
            new_line(column, out);
            out.push(']');
        }
        Value::Mapping(mapping) if !mapping.is_empty() => {
            for (nth, (key, value)) in mapping.entries().iter().enumerate() {
                out.push(if nth == 0 { '{' } else { ',' });
                new_line(inner, out);
                string::write(&key.name, out);
                out.push_str(": ");
                pretty(value, indent, inner, out);
            }
            new_line(column, out);
            out.push('}');
        }
        _ => write(node, out),
    }
}

fn new_line(column: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', column));
}

fn write_scalar(value: &Value<'_>, out: &mut String) {
    match value {
        Value::Null | Value::Sequence(_) | Value::Mapping(_) => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::I64(value) => out.push_str(itoa::Buffer::new().format(*value)),
        Value::U64(value) => out.push_str(itoa::Buffer::new().format(*value)),
        Value::F64(value) => write_float(*value, out),
        Value::Number(digits) => out.push_str(digits),
        Value::String(text) => string::write(text, out),
    }
}

/// As encoding/json writes a float64 (exponents below 1e-6 and from 1e21), but with an exponent
/// already from 2^63 on: digits alone would be read as an integer.
fn write_float(value: f64, out: &mut String) {
    let size = value.abs();
    if !value.is_finite() {
        out.push_str("null"); // no reader makes one
    } else if size != 0.0 && !(1e-6..9_223_372_036_854_775_808.0).contains(&size) {
        let text = format!("{value:e}");
        match text.split_once('e') {
            Some((mantissa, exponent)) if !exponent.starts_with('-') => {
                out.push_str(&format!("{mantissa}e+{exponent}"));
            }
            _ => out.push_str(&text),
        }
    } else {
        out.push_str(&format!("{value}"));
    }
}
