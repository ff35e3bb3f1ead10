//! Patterns of schemas, which API servers read with RE2.

use std::collections::HashMap;

use regex::{Regex, RegexBuilder};

/// How large a pattern may become, in bytes: far more than any real one needs.
const MOST: usize = 1 << 20;

/// Patterns that were read already.
#[derive(Default)]
pub(super) struct Patterns {
    known: HashMap<String, Option<Regex>>,
}

impl Patterns {
    /// Whether a text fits a pattern; also where that is not known, since the two readers differ.
    pub(super) fn fits(&mut self, pattern: &str, text: &str) -> bool {
        // `\w`, `\d`, `\s` and `\b` are of ASCII in RE2
        if !text.is_ascii() && pattern.contains('\\') {
            return true;
        }
        if !self.known.contains_key(pattern) {
            let read = || RegexBuilder::new(pattern).size_limit(MOST).dfa_size_limit(MOST).build().ok();
            self.known.insert(pattern.to_owned(), if is_read_alike(pattern) { read() } else { None });
        }
        self.known.get(pattern).and_then(Option::as_ref).is_none_or(|regex| regex.is_match(text))
    }
}

/// Whether both readers take a pattern for the same: RE2 has no sets inside of classes, no `\<`, and takes `{,n}` for
/// text.
fn is_read_alike(pattern: &str) -> bool {
    let mut in_class = false;
    let mut at_start = false;
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        match c {
            '\\' => match rest.next() {
                Some('<' | '>') => return false,
                Some('b') if rest.peek() == Some(&'{') => return false,
                _ => {}
            },
            '[' if !in_class => (in_class, at_start) = (true, true),
            '[' if next == Some(':') => {
                // a named class ends with its own bracket
                rest.by_ref().take_while(|c| *c != ']').for_each(drop);
            }
            '[' => return false,
            '^' if at_start => continue,
            ']' if in_class && !at_start => in_class = false,
            '&' | '-' | '~' if in_class && next == Some(c) => return false,
            '{' if !in_class && next == Some(',') => return false,
            _ => {}
        }
        if c != '[' {
            at_start = false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_are_read_alike_decide() {
        let mut patterns = Patterns::default();
        for (pattern, text, fits) in [
            ("^[a-z]([-a-z0-9]*[a-z0-9])?$", "web-1", true),
            ("^[a-z]([-a-z0-9]*[a-z0-9])?$", "Web", false),
            ("^[[:alpha:]]+$", "a1", false),
            ("^[]a]+$", "]a", true),
            ("^[^]]+$", "a", true),
            (r"^\d+$", "12", true),
            (r"^\d+$", "x", false),
            // not known
            (r"^\d+$", "é", true),
            ("[a-c&&b]", "c", true),
            (r"\<a", "b", true),
            ("a{,2}b", "x", true),
            ("[a[b]", "x", true),
            ("(?!a)b", "x", true),
            ("((a{1000}){1000}){1000}", "x", true),
        ] {
            assert_eq!(patterns.fits(pattern, text), fits, "{pattern} {text}");
        }
    }
}
