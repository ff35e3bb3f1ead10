//! `.tidegateignore`: patterns in the syntax of gitignore for what the walk leaves out.
//!
//! Only these files count: no `.gitignore`, no configuration of git, nothing above the root.

use std::borrow::Cow;
use std::io::{self, Read as _};
use std::path::Path;
use std::rc::Rc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Bytes that one file of patterns may have: every pattern costs far more memory than its text.
const MAX_BYTES: u64 = 1 << 20;
/// Bad lines that are told of one file; behind them it is no file of patterns.
const MAX_BAD_LINES: usize = 20;

/// The patterns that count in a folder: its own and those of the folders above it.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns(Option<Rc<Layer>>);

#[derive(Debug)]
struct Layer {
    own: Gitignore,
    above: Patterns,
}

/// Line numbers from 1, and what is wrong with each.
pub(super) type BadLines = Vec<(usize, String)>;

impl Patterns {
    /// Whether an entry of the folder (or of one below it) is left out: the last pattern of the
    /// nearest file that matches decides.
    pub(super) fn leave_out(&self, path: &Path, is_folder: bool) -> bool {
        let mut next = &self.0;
        while let Some(layer) = next {
            let matched = layer.own.matched(path, is_folder);
            if !matched.is_none() {
                return matched.is_ignore();
            }
            next = &layer.above.0;
        }
        false
    }

    /// The patterns of a folder below: these and those in `text`, a file of `folder`. Lines
    /// that are no patterns are left out and returned.
    ///
    /// # Errors
    /// The file cannot be read, or is too big.
    pub(super) fn and(&self, folder: &Path, text: &mut dyn io::Read) -> io::Result<(Self, BadLines)> {
        let mut bytes = Vec::new();
        text.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(io::Error::other(format!("it has more than {MAX_BYTES} bytes")));
        }
        let mut builder = GitignoreBuilder::new(folder);
        let mut bad = Vec::new();
        for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let added = match std::str::from_utf8(line) {
                Ok(line) => {
                    let line = line.trim_start_matches('\u{feff}').trim_end_matches('\r');
                    builder.add_line(None, &braces_as_text(line)).map_err(|e| e.to_string())
                }
                Err(_) => Err("it is not UTF-8".to_owned()),
            };
            match added {
                Err(why) if bad.len() < MAX_BAD_LINES => bad.push((number + 1, why)),
                _ => {}
            }
        }
        let own = builder.build().map_err(io::Error::other)?;
        let layer = Layer { own, above: self.clone() };
        Ok((Patterns(Some(Rc::new(layer))), bad))
    }
}

/// A line of patterns with its braces as text, as they are to git; the matcher takes them for
/// alternatives. Inside `[…]` they are text already.
fn braces_as_text(line: &str) -> Cow<'_, str> {
    if !line.contains(['{', '}']) {
        return Cow::Borrowed(line);
    }
    let mut text = String::with_capacity(line.len() + 4);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let part = match c {
            '\\' => c.len_utf8() + rest[1..].chars().next().map_or(0, char::len_utf8),
            '[' => class(rest),
            _ => c.len_utf8(),
        };
        if matches!(c, '{' | '}') {
            text.push('\\');
        }
        text.push_str(&rest[..part]);
        rest = &rest[part..];
    }
    Cow::Owned(text)
}

/// The bytes of the class that a text begins with; 1 where it has no end. A `]` at its start is a
/// member.
fn class(text: &str) -> usize {
    let behind = if text.starts_with("[!") || text.starts_with("[^") { 2 } else { 1 };
    let members = text[behind..].char_indices().skip(1);
    members.into_iter().find(|(_, c)| *c == ']').map_or(1, |(at, _)| behind + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_text_as_they_are_to_git() {
        let matches = |pattern: &str, name: &str| {
            let mut builder = GitignoreBuilder::new("/r");
            builder.add_line(None, &braces_as_text(pattern)).unwrap();
            builder.build().unwrap().matched(Path::new("/r").join(name), false).is_ignore()
        };
        for (pattern, name, is) in [
            ("{a,b}.yaml", "{a,b}.yaml", true),
            ("{a,b}.yaml", "a.yaml", false),
            (r"\{a,b\}.yaml", "{a,b}.yaml", true),
            ("x[{]y}", "x{y}", true),
            ("x[]}]y", "x}y", true),
            ("}*", "}z", true),
            ("*.yaml", "a.yaml", true),
        ] {
            assert_eq!(matches(pattern, name), is, "{pattern} {name}");
        }
    }
}
