//! Strings that YAML readers disagree about, the same ones for the same seed.

use std::collections::HashSet;

/// Words, numbers in all bases, dates and times, signs of YAML, pieces of templates and configuration.
const ATOMS: &[&str] = &[
    "y",
    "n",
    "yes",
    "no",
    "on",
    "off",
    "true",
    "false",
    "null",
    "~",
    "none",
    "nan",
    "inf",
    ".inf",
    "-.inf",
    "+.Inf",
    ".nan",
    ".NaN",
    "=",
    "<<",
    "0",
    "-0",
    "+0",
    "1",
    "-1",
    "+1",
    "00",
    "007",
    "08",
    "0644",
    "-0644",
    "0o644",
    "0O17",
    "0b101",
    "0B1",
    "0b",
    "0x1F",
    "0XfF",
    "0x",
    "0x_",
    "0xg",
    "1_000",
    "1_",
    "_1",
    "1__0",
    "1,000",
    "80,443",
    "1.0",
    "1.",
    ".5",
    "-.5",
    "+.5",
    "._1",
    "1.2.3",
    "1_000.5",
    "1e3",
    "1E3",
    "1e+3",
    "1e-3",
    "1.5e3",
    "1.e+3",
    "1e400",
    "-1e400",
    "1e21",
    "1e+21",
    "1.0e+21",
    ".e3",
    "e3",
    "1e",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "123456789012345678901234567890",
    "0xFFFFFFFFFFFFFFFF",
    "0xFFFFFFFFFFFFFFFFF",
    "0777777777777777777777",
    "12:30",
    "12:30:45",
    "190:20:30",
    "1:2.5",
    "-1:30",
    "12:30:45.67",
    "1:60",
    "2001-12-14",
    "2001-1-1",
    "2001-12-14t21:59:43.10-05:00",
    "2001-12-14 21:59:43",
    "2001-12",
    "-2001-12-14",
    "20011214",
    "---",
    "--- a",
    "---a",
    "...",
    "... a",
    "--",
    "-",
    "- a",
    "-a",
    "-,",
    "?",
    "? a",
    "?a",
    ":",
    ": a",
    ":a",
    "a:",
    "a: b",
    "a:b",
    "::",
    "a #b",
    "a#b",
    "#",
    "# a",
    "&a",
    "*a",
    "!a",
    "!!int",
    "!!str a",
    "!",
    "|",
    "|-",
    "|2",
    ">",
    ">-",
    "'",
    "''",
    "'a'",
    "\"",
    "\"a\"",
    "\\",
    "\\n",
    "a\\",
    "%",
    "%YAML 1.2",
    "@",
    "`",
    "{",
    "}",
    "[",
    "]",
    "{}",
    "[]",
    "{a: b}",
    "[a, b]",
    ",",
    ", a",
    "a,",
    "{{ .Values.x }}",
    "{{",
    "}}",
    "{% if a %}",
    "${A}",
    "$(A)",
    "a{{ b }}",
    "<no value>",
    "key: {{ x }} # y",
    "a",
    "b c",
    "name",
    "é",
    "日本語",
    "😀",
    "\u{10ffff}",
    "\u{1fffe}",
    "\u{85}",
    "\u{a0}",
    "\u{ad}",
    "\u{2028}",
    "\u{2029}",
    "\u{3000}",
    "\u{feff}",
    "\u{fffd}",
    "\u{fffe}",
    "\u{ffff}",
    "\u{e000}",
    "\u{d7ff}",
    "\u{200b}",
    "\u{202e}",
    "\u{0}",
    "\u{7}",
    "\u{8}",
    "\u{b}",
    "\u{c}",
    "\u{1b}",
    "\u{1f}",
    "\u{7f}",
    "\u{80}",
    "\u{9f}",
    "\r",
    "\r\n",
    "\n",
    "\n\n",
    "\t",
    " ",
    "  ",
];
const SEPARATORS: &[&str] = &[
    "", "", " ", " ", "\n", ": ", ":", " #", "#", "\t", ", ", "-", "- ", "\r\n", "\r", "\n\n", "\n ", " \n", "\u{85}",
];
const EDGES: &[&str] = &["", " ", "\t", "\n", ":", "#", " #", "- ", "\"", ","];
const INDENTS: &[&str] = &["", "", "", " ", "  ", "   ", "    ", "\t", " \t", "\t ", "\u{a0}"];
const LINE_ENDS: &[&str] = &["", "", "", "", " ", "\t", "  ", ":", " #", "\\", "\r"];
const LINE_STARTS: &[&str] = &["", "", "- ", "# ", "? ", ": ", "--- ", "... ", "%", "|", "}"];
const LAST_LINES: &[&str] = &["", "", "\n", "\n", "\n\n", "\n\n\n", "\n ", " \n", "\n  \n", "\n\t\n"];
const SIGNS: &str = "-?:,[]{}#&*!|>'\"%@`~=<.+ \t\n\r\\/$()a0é";
const DIGITS: &str = "00112789__++--..::eExXoObBaAfF,";

/// A source of strings.
pub(crate) struct Awkward {
    state: u64,
}

impl Awkward {
    pub(crate) fn new(seed: u64) -> Self {
        Awkward { state: seed }
    }

    /// The next `count` strings, none twice: first every atom in every case and with every edge,
    /// then random ones.
    pub(crate) fn take_distinct(mut self, count: usize) -> Vec<String> {
        let mut seen = HashSet::new();
        let mut strings = Vec::new();
        let mut fixed = ATOMS.iter().flat_map(|atom| {
            let cases = [(*atom).to_owned(), atom.to_uppercase(), capital(atom)];
            cases
                .into_iter()
                .chain(EDGES.iter().flat_map(move |edge| [format!("{edge}{atom}"), format!("{atom}{edge}")]))
        });
        while strings.len() < count {
            let text = fixed.next().unwrap_or_else(|| self.text());
            if seen.insert(text.clone()) {
                strings.push(text);
            }
        }
        strings
    }

    /// The next random string.
    pub(crate) fn text(&mut self) -> String {
        match self.below(40) {
            0 => self.pick(ATOMS).repeat(400).chars().take(600).collect(),
            1 => format!("{} {}", "word ".repeat(300), self.pick(ATOMS)),
            2..12 => self.joined(),
            12..22 => self.lines(),
            22..29 => self.characters(SIGNS),
            29..35 => self.characters(DIGITS),
            _ => (0..=self.below(8)).map(|_| self.character()).collect(),
        }
    }

    /// Atoms with something between them.
    fn joined(&mut self) -> String {
        let mut text = self.pick(ATOMS).to_owned();
        for _ in 0..=self.below(3) {
            text += self.pick(SEPARATORS);
            text += self.pick(ATOMS);
        }
        text
    }

    /// Lines with odd indentation and odd ends.
    fn lines(&mut self) -> String {
        let mut lines = Vec::new();
        for _ in 0..self.below(5) + 2 {
            let pools = [INDENTS, LINE_STARTS, ATOMS, LINE_ENDS];
            let blank = self.below(5) == 0;
            let line: String = pools.iter().map(|pool| self.pick(pool)).collect();
            lines.push(if blank { self.pick(INDENTS).to_owned() } else { line });
        }
        let between = if self.below(12) == 0 { "\r\n" } else { "\n" };
        lines.join(between) + self.pick(LAST_LINES)
    }

    fn characters(&mut self, pool: &str) -> String {
        let pool: Vec<char> = pool.chars().collect();
        (0..=self.below(10)).map(|_| pool[self.below(pool.len())]).collect()
    }

    /// Any character there is, those of one and two bytes more often than their share.
    fn character(&mut self) -> char {
        let limit = [0x80, 0x100, 0x800, 0x3000, 0x1_0000, 0x11_0000][self.below(6)];
        let code = u32::try_from(self.below(limit)).expect("limits are small");
        char::from_u32(code).unwrap_or('\u{fffd}')
    }

    fn pick<'p>(&mut self, pool: &[&'p str]) -> &'p str {
        pool[self.below(pool.len())]
    }

    /// A number from 0, below `limit` (SplitMix64).
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).expect("below a usize")
    }
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).collect()
}
