//! Tabs that YAML allows and kubectl's reader does not.
//!
//! Source: sigs.k8s.io/yaml, `goyaml.v2/scannerc.go` (`yaml_parser_scan_to_next_token`,
//! `yaml_parser_scan_plain_scalar`).

/// The tabs between two tokens outside of brackets that go-yaml refuses, at most one a line.
///
/// `gap` is the text between the tokens, indicators and comments included. `before` is what stands
/// before it on its line. `plain_indent` is given behind a plain scalar: the column up to
/// which a tab may not indent a blank line there.
pub(super) fn refused(gap: &str, before: &str, plain_indent: Option<usize>) -> Vec<usize> {
    let is_blank = before.trim_matches(' ').is_empty();
    let mut refused = Vec::new();
    let mut state = State { key_allowed: is_blank, line_start: is_blank, lenient_before: plain_indent };
    let mut line = 0usize.wrapping_sub(before.len());
    let mut reported = false;
    let mut in_comment = false;
    for (at, byte) in gap.bytes().enumerate() {
        if matches!(byte, b'\n' | b'\r') {
            (state.key_allowed, state.line_start) = (true, true);
            (reported, in_comment) = (false, false);
            line = at + 1;
        } else if in_comment || byte == b' ' {
        } else if byte == b'\t' {
            if state.refuses(at.wrapping_sub(line)) && !reported {
                refused.push(at);
                reported = true;
            }
        } else {
            in_comment = byte == b'#';
            state.token(byte);
        }
    }
    refused
}

/// The tabs that go-yaml refuses in the lines of a block scalar: those that follow fewer blanks
/// than the scalar's indentation. `lines` begins in its first line, behind the indentation.
pub(super) fn refused_in_block(lines: &str, indent: usize) -> Vec<usize> {
    let mut refused = Vec::new();
    for end in memchr::memchr_iter(b'\n', lines.as_bytes()) {
        let line = &lines.as_bytes()[end + 1..];
        let blanks = line.iter().take(indent).take_while(|byte| **byte == b' ').count();
        if blanks < indent && line.get(blanks) == Some(&b'\t') {
            refused.push(end + 1 + blanks);
        }
    }
    refused
}

struct State {
    /// go-yaml's `simple_key_allowed`: while it holds, a tab is no blank.
    key_allowed: bool,
    /// Nothing but blanks stands before on the line.
    line_start: bool,
    /// Behind a plain scalar blank lines still belong to it; only tabs before this column matter.
    lenient_before: Option<usize>,
}

impl State {
    fn refuses(&self, column: usize) -> bool {
        match self.lenient_before {
            Some(indent) => self.key_allowed && column < indent,
            None => self.key_allowed,
        }
    }

    fn token(&mut self, byte: u8) {
        self.lenient_before = None;
        self.key_allowed = match byte {
            b'-' | b'?' => true,
            b':' => self.line_start, // the value of a complex key
            b'#' => self.key_allowed,
            _ => false,
        };
        self.line_start = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_are_refused_where_a_key_may_begin() {
        for (gap, before, plain, expected) in [
            ("-\t", "", None, vec![1]),
            ("\n- \t", "a: ", None, vec![3]),
            (":\t", "a", None, vec![]),
            ("\t# c\t\n", "a: b", None, vec![]),
            ("\n\t\n", "a: b", None, vec![1]),
            ("\n  \t\t\n \t\n", "a: b", None, vec![3, 7]),
            ("\n\t\n", "a: b", Some(1), vec![1]),
            ("\n  \t\n", "a: b", Some(1), vec![]),
            ("\n#\n  \t\n", "a: b", Some(1), vec![5]),
            ("\t", "", None, vec![0]),
            ("\t", " ", None, vec![0]),
            ("? \t", "", None, vec![2]),
            ("\n:\t", "a", None, vec![2]),
        ] {
            assert_eq!(refused(gap, before, plain), expected, "{gap:?}");
        }
    }
}
