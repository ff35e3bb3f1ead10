//! What the engine says is wrong, in words that hold no value.

use std::ops::Range;

use tera::{Error, ErrorKind};

/// What is wrong with a template, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// The template by its name in the engine; empty where nobody knows.
    pub(super) template: String,
    /// The place in its source.
    pub(super) at: At,
    /// What is wrong.
    pub(super) message: String,
    /// The tags on the way there, the innermost first: name and place.
    pub(super) called_from: Vec<(String, At)>,
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// Bytes.
    Bytes(Range<usize>),
    /// A line and a column, both from 1.
    Line(usize, usize),
    /// The whole of it.
    Whole,
}

impl At {
    /// The bytes in a source.
    pub(super) fn bytes(&self, source: &str) -> Range<usize> {
        match self {
            At::Bytes(range) => {
                let end = source.floor_char_boundary(range.end.min(source.len()));
                source.floor_char_boundary(range.start.min(end))..end
            }
            At::Line(line, column) => {
                let start = source.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
                let rest = source.get(start..).unwrap_or_default();
                let before: usize = rest.chars().take(column - 1).map(char::len_utf8).sum();
                start + before..start + before
            }
            At::Whole => 0..0,
        }
    }
}

/// All that an error says. `sources` are the sources of the templates: a word of a message that stands
/// in none of them may be a value and is left out.
pub(super) fn failures(error: &Error, template: &str, sources: &[String]) -> Vec<Failure> {
    let whole = |name: &str, message: String| Failure {
        template: name.to_owned(),
        at: At::Whole,
        message,
        called_from: Vec::new(),
    };
    match error.kind() {
        ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => vec![Failure {
            template: report.filename().to_owned(),
            at: At::Bytes(report.span().range.clone()),
            message: without_values(report.message(), sources),
            called_from: calls(&error.to_string()),
        }],
        ErrorKind::Msg(text) if text.contains("error: ") => reports(text, sources),
        ErrorKind::CircularExtend { tpl, .. } => vec![whole(tpl, "the template extends itself".to_owned())],
        ErrorKind::CircularInclude { tpl, include_chain } => {
            vec![whole(tpl, format!("the template includes itself: {}", include_chain.join(" includes ")))]
        }
        ErrorKind::MissingParent { current, parent } => {
            vec![whole(current, format!("there is no template `{parent}` to extend"))]
        }
        ErrorKind::TemplateNotFound(name) => vec![whole(template, format!("there is no template `{name}`"))],
        kind => vec![whole(template, without_values(&kind.to_string(), sources))],
    }
}

/// The errors of a text that lists several: `error: MESSAGE`, and `--> NAME:LINE:COLUMN` below.
fn reports(text: &str, sources: &[String]) -> Vec<Failure> {
    let mut found = Vec::new();
    for report in text.split("error: ").skip(1) {
        let message = report.lines().next().unwrap_or_default();
        let at = report.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
        let (template, at) = at.and_then(position).unwrap_or((String::new(), At::Whole));
        let called_from = Vec::new();
        found.push(Failure { template, at, message: without_values(message, sources), called_from });
    }
    found
}

/// The tags that a report says led there.
fn calls(report: &str) -> Vec<(String, At)> {
    report.lines().filter_map(|line| line.strip_prefix("note: called from ")).filter_map(position).collect()
}

/// `NAME:LINE:COLUMN`.
fn position(text: &str) -> Option<(String, At)> {
    let mut parts = text.rsplitn(3, ':');
    let (column, line, name) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?);
    (line > 0 && column > 0).then(|| (name.to_owned(), At::Line(line, column)))
}

/// What to do, by words of the message; the first row that fits counts.
const REMEDIES: [(&str, &str); 8] = [
    (
        " is not defined",
        "give the value with `--values FILE`, `--set NAME=VALUE` or `spec.templates.values`, correct the name, or write \
         `default(value=…)` where it may be absent",
    ),
    ("unknown function", "take it out: templates have `range` and no environment, clock, file or random number"),
    ("unknown filter", "use one of the filters of Tera, or of those that `docs/templates.md` lists"),
    ("unknown template", INCLUDED),
    ("there is no template", INCLUDED),
    (" itself", "take one of the tags of the circle out"),
    ("recursion", "let the component stop calling itself at some depth"),
    ("hands out", "go over fewer numbers: values can be lists, too"),
];

const INCLUDED: &str = "name a template of the same input, by its path from the folder that is rendered; one beside a file \
                        that is named itself must be named, too";

/// What to do about a failure with this message.
pub(super) fn remedy(message: &str) -> &'static str {
    REMEDIES
        .iter()
        .find(|(words, _)| message.contains(words))
        .map_or("mend the template, or the value that it is given", |(_, remedy)| remedy)
}

/// Words behind which a message of Tera goes on with an argument as it was given.
const ARGUMENTS: [&str; 3] = ["does not have a key ", "at path: ", "for `method`: "];

/// Names of types, which a message may put between backticks.
const TYPES: [&str; 14] = [
    "string",
    "number",
    "map",
    "array",
    "bool",
    "integer",
    "float",
    "none",
    "undefined",
    "bytes",
    "i64",
    "u64",
    "i128",
    "f64",
];

/// A message without what may be a value: an argument, what stands between backticks, a number.
fn without_values(message: &str, sources: &[String]) -> String {
    let first = message.lines().next().unwrap_or_default();
    let known = [" Available variables:", " Available fields:"];
    let cut = known.iter().filter_map(|words| first.find(words)).min().unwrap_or(first.len());
    let mut first = first[..cut].trim_end_matches('.').to_owned();
    for words in ARGUMENTS {
        if let Some(at) = first.find(words) {
            first.truncate(at + words.len());
            first.push('…');
        }
    }
    let is_written = |text: &str| TYPES.contains(&text) || sources.iter().any(|source| source.contains(text));
    let mut out = String::with_capacity(first.len());
    for (nth, part) in first.split('`').enumerate() {
        if nth > 0 {
            out.push('`');
        }
        let shown = if is_written(part) || nth % 2 == 0 { part } else { "…" };
        if nth % 2 == 1 {
            out.push_str(shown);
            continue;
        }
        for word in shown.split_inclusive(char::is_whitespace) {
            let number = word.trim().trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
            match number && !is_written(word.trim()) {
                true => out.push_str("… "),
                false => out.push_str(word),
            }
        }
    }
    let mut chars = out.trim_end().chars();
    let first = chars.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    first + chars.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_hold_no_value() {
        let sources = ["{{ port + host }}{{ map | get(key=name) }}".to_owned()];
        for (message, shown) in [
            ("Variable `prot` is not defined. Available variables: port, host", "variable `…` is not defined"),
            ("Variable `port` is not defined. Available variables: a", "variable `port` is not defined"),
            ("Value `hunter2` is out of range for `i64`", "value `…` is out of range for `i64`"),
            ("Unable to perform 4711 * 99", "unable to perform … * …"),
            ("Map does not have a key hunter2 and no default values were defined", "map does not have a key …"),
            ("Cannot compare `string` with `number`", "cannot compare `string` with `number`"),
        ] {
            assert_eq!(without_values(message, &sources), shown);
        }
    }
}
