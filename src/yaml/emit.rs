//! Tree → YAML text that every reader, of YAML 1.1 or 1.2, reads back as the same value.
//!
//! Block style as Kubernetes' own tools write it: two spaces a level, the dashes of a list at the
//! column of its key, keys in the order of the tree. No line is ever folded. Three forms a text can
//! take ([`style`]); what would be something else without quotes stands in [`lookalike`].

mod kyaml;
mod lookalike;
mod quoted;
mod style;

pub use self::kyaml::emit_kyaml;
pub(crate) use self::quoted::is_unprintable;
use self::quoted::push_quoted;
use self::style::Style;
use crate::tree::{Key, Node, Value};

/// Spaces a level.
const STEP: usize = 2;

/// A key that takes more bytes than this stands behind `? `. Readers find the `:` of a key without
/// it within 1,024 characters only (go-yaml `simple_key_allowed`, YAML 1.2 §7.4.3).
const LONGEST_SIMPLE_KEY: usize = 500;

/// From here on a float is written with an exponent, as Kubernetes writes it.
const LEAST_WITH_EXPONENT: f64 = 1e21;
/// Below this too.
const LEAST_WITHOUT_EXPONENT: f64 = 1e-6;

/// Appends one document to `out`, in block style and with one newline at its end; no `---` before
/// or after it. Goes down as deep as the tree is.
pub fn emit(node: &Node<'_>, out: &mut String) {
    match &node.value {
        Value::Mapping(mapping) if !mapping.is_empty() => push_mapping(mapping.entries(), 0, out),
        Value::Sequence(items) if !items.is_empty() => push_sequence(items, 0, out),
        // Readers disagree about the indentation of a literal at the root.
        Value::String(text) => {
            push_one_line(text, out);
            out.push('\n');
        }
        value => push_scalar(value, 0, out),
    }
}

/// The entries of a mapping. The first line is already indented.
fn push_mapping(entries: &[(Key<'_>, Node<'_>)], indent: usize, out: &mut String) {
    for (nth, (key, node)) in entries.iter().enumerate() {
        if nth > 0 {
            push_spaces(indent, out);
        }
        push_key(&key.name, indent, out);
        match &node.value {
            Value::Mapping(mapping) if !mapping.is_empty() => {
                out.push('\n');
                push_spaces(indent + STEP, out);
                push_mapping(mapping.entries(), indent + STEP, out);
            }
            Value::Sequence(items) if !items.is_empty() => {
                out.push('\n');
                push_spaces(indent, out);
                push_sequence(items, indent, out);
            }
            value => {
                out.push(' ');
                push_scalar(value, indent + STEP, out);
            }
        }
    }
}

/// The items of a list, dashes at `indent`. The first line is already indented.
fn push_sequence(items: &[Node<'_>], indent: usize, out: &mut String) {
    for (nth, node) in items.iter().enumerate() {
        if nth > 0 {
            push_spaces(indent, out);
        }
        out.push_str("- ");
        match &node.value {
            Value::Mapping(mapping) if !mapping.is_empty() => {
                push_mapping(mapping.entries(), indent + STEP, out);
            }
            Value::Sequence(items) if !items.is_empty() => {
                push_sequence(items, indent + STEP, out);
            }
            value => push_scalar(value, indent + STEP, out),
        }
    }
}

/// A key and its colon.
fn push_key(name: &str, indent: usize, out: &mut String) {
    let start = out.len();
    if name.len() > LONGEST_SIMPLE_KEY {
        push_quoted(name, out);
    } else {
        push_one_line(name, out);
    }
    if out.len() - start > LONGEST_SIMPLE_KEY {
        out.insert_str(start, "? ");
        out.push('\n');
        push_spaces(indent, out);
    }
    out.push(':');
}

/// A value that stands behind its key or dash, and the end of its line. Lines of a literal go to
/// `indent`.
fn push_scalar(value: &Value<'_>, indent: usize, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::I64(number) => out.push_str(itoa::Buffer::new().format(*number)),
        Value::U64(number) => out.push_str(itoa::Buffer::new().format(*number)),
        Value::F64(number) => push_float(*number, out),
        Value::Number(digits) => out.push_str(digits),
        Value::String(text) => match style::of(text) {
            Style::Plain => out.push_str(text),
            Style::Quoted => push_quoted(text, out),
            Style::Literal => push_literal(text, indent, out),
        },
        Value::Sequence(_) => out.push_str("[]"),
        Value::Mapping(_) => out.push_str("{}"),
    }
    out.push('\n');
}

/// A text where a literal cannot stand.
fn push_one_line(text: &str, out: &mut String) {
    match style::of(text) {
        Style::Plain => out.push_str(text),
        Style::Quoted | Style::Literal => push_quoted(text, out),
    }
}

/// A literal block without the end of its last line. The header says what cannot be seen: `2` where
/// the first line starts with a space, `-` for no newline at the end, `+` for more than one.
fn push_literal(text: &str, indent: usize, out: &mut String) {
    out.push('|');
    if text.starts_with(' ') {
        out.push('2');
    }
    let lines = match text.strip_suffix('\n') {
        None => {
            out.push('-');
            text
        }
        Some(lines) => {
            if lines.ends_with('\n') {
                out.push('+');
            }
            lines
        }
    };
    for line in lines.split('\n') {
        out.push('\n');
        if !line.is_empty() {
            push_spaces(indent, out);
            out.push_str(line);
        }
    }
}

/// The shortest digits that are read back as the same float, always with a point: `1.0`, `2.5`,
/// `1.0e+21`. YAML 1.1 takes `1e21`, `1e+21` and `1.0e21` for text.
fn push_float(number: f64, out: &mut String) {
    if !number.is_finite() {
        out.push_str(match number {
            f64::INFINITY => ".inf",
            f64::NEG_INFINITY => "-.inf",
            _ => ".nan",
        });
        return;
    }
    let size = number.abs();
    if number == 0.0 || (LEAST_WITHOUT_EXPONENT..LEAST_WITH_EXPONENT).contains(&size) {
        let digits = number.to_string();
        out.push_str(&digits);
        if !digits.contains('.') {
            out.push_str(".0");
        }
        return;
    }
    let digits = format!("{number:e}");
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((&digits, "0"));
    out.push_str(mantissa);
    if !mantissa.contains('.') {
        out.push_str(".0");
    }
    out.push('e');
    if !exponent.starts_with('-') {
        out.push('+');
    }
    out.push_str(exponent);
}

fn push_spaces(mut count: usize, out: &mut String) {
    const SPACES: &str = "                                                                ";
    while count > SPACES.len() {
        out.push_str(SPACES);
        count -= SPACES.len();
    }
    out.push_str(&SPACES[..count]);
}

#[cfg(test)]
mod tests;
