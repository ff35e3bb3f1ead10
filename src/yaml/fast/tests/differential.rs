//! The law: what the fast path takes, the full parser reads as the same tree, and has nothing to
//! say about. Held on real files, on damaged ones, and on made ones.

#![allow(clippy::disallowed_methods, reason = "the corpus is read file by file")]

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::super::parse;
use crate::finding::Findings;
use crate::source::{DocumentStart, Limits, SourceFile, SourceMap};
use crate::tree::{Node, Value};
use crate::yaml::{chunks, parse_full};

/// The tree that the full parser reads; nothing where it has anything to say.
fn read_in_full(text: &str) -> Option<Option<Node<'_>>> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("a.yaml", text));
    let at = DocumentStart { file, offset: 0 };
    let mut found = Findings::default();
    let root = parse_full(text, at, &Limits::default(), &mut found).ok()?;
    found.sorted().is_empty().then_some(root)
}

/// Whether the fast path takes the document; panics where the full parser reads something else.
#[track_caller]
fn holds(text: &str, name: &dyn std::fmt::Display) -> bool {
    let Some(fast) = parse(text, &Limits::default()) else {
        return false;
    };
    let Some(full) = read_in_full(text) else {
        panic!("{name}: the full parser objects to\n{text}\n{text:?}");
    };
    let difference = match (&fast, &full) {
        (Some(fast), Some(full)) => difference(fast, full),
        (None, None) => None,
        _ => Some(format!("{fast:?} is {full:?}")),
    };
    if let Some(difference) = difference {
        panic!("{name}: {difference}\n{text}\n{text:?}");
    }
    true
}

/// The first node that differs in value, kind of number, order or span.
fn difference(fast: &Node<'_>, full: &Node<'_>) -> Option<String> {
    let inner = match (&fast.value, &full.value) {
        (Value::Sequence(fast), Value::Sequence(full)) if fast.len() == full.len() => {
            let mut pairs = fast.iter().zip(full);
            pairs.find_map(|(fast, full)| difference(fast, full))
        }
        (Value::Mapping(fast), Value::Mapping(full)) if fast.len() == full.len() => {
            let mut pairs = fast.entries().iter().zip(full.entries());
            pairs.find_map(|(fast, full)| {
                let differ = || format!("{:?} is {:?}", fast.0, full.0);
                let key = (fast.0 != full.0).then(differ);
                key.or_else(|| difference(&fast.1, &full.1))
            })
        }
        (Value::F64(fast), Value::F64(full)) if fast.to_bits() == full.to_bits() => None,
        (fast, full) if fast == full => None,
        _ => Some(format!("{fast:?} is {full:?}")),
    };
    let differ = || format!("{:?} is {:?} of {:?}", fast.span, full.span, full.value);
    inner.or_else(|| (fast.span != full.span).then(differ))
}

/// The texts of the corpus that lies beside the checkout, or above it, by path.
fn corpus() -> Option<Vec<(PathBuf, String)>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.ancestors().map(|folder| folder.join("shared/corpus"));
    let Some(folder) = folder.into_iter().find(|folder| folder.is_dir()) else {
        println!("SKIP: there is no shared/corpus in any folder above {}", here.display());
        return None;
    };
    let mut texts = Vec::new();
    read_folder(&folder, &mut texts);
    texts.sort();
    Some(texts)
}

fn read_folder(folder: &Path, texts: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_folder(&path, texts);
            continue;
        }
        let extension = path.extension().unwrap_or_default();
        let is_yaml = ["yaml", "yml", "golden"].iter().any(|known| extension == *known);
        if let (true, Ok(text)) = (is_yaml, fs::read_to_string(&path)) {
            texts.push((path, text));
        }
    }
}

#[test]
fn real_files_are_read_as_the_full_parser_reads_them() {
    let Some(texts) = corpus() else { return };
    let (mut taken, mut all) = ([0, 0], [0, 0]);
    for (path, text) in &texts {
        for chunk in chunks(text) {
            let counts = [1, chunk.text.len()];
            let was_taken = holds(chunk.text, &path.display());
            for (nth, count) in counts.into_iter().enumerate() {
                all[nth] += count;
                taken[nth] += if was_taken { count } else { 0 };
            }
        }
    }
    let percent = 100.0 * taken[1] as f64 / all[1] as f64;
    println!(
        "the fast path took {} of {} documents, {} of {} bytes ({percent:.1} %)",
        taken[0], all[0], taken[1], all[1]
    );
    assert!(percent > 85.0, "the fast path took {percent:.1} % of the bytes");
}

/// Documents that hold a little of everything that the fast path takes, to be damaged.
const INLINE: &[&str] = &[
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {b: c, \"d\": 'e'}\ndata:\n  f: |\n    g\n     h\n\n    i\n  j: |-\n    k\n\n  l: |+\n    m\n\nn: 1\n",
    "a: >\n  b\n  c\n\n   d\n\n\n  e\nf: >-\n\n  g\n  h\n\ni: >2\n    j\n   k\n",
    "a: b\n  c\n\n  d # e\nf: 'g\n  h''\n\n  i'\nj: \"k \\\n   l\\n\n  m\\u00e9\"\nn:\n  o\n  p\n",
    "- a: b\n  c:\n  - d\n  - e: f\n    g: h\n-\n  i: j\n- - k\n  - l\n-\n- [m, {n: o}, 'p']\n",
    "a: [\n  b, c,\n  \"d\"\n]\ne: {\n  f: 1, g: {h: [i]},\n\n  j: ~}\nk: []\nl: {}\n",
    "# a\n\nb:   # c\n\n  d:\n    # e\n    f: yes\n  # g\n  0x1F: 1.5\nh:\ni:\n  -\n  - j\n# k\n",
    "a :b: c\n\"d\" : e#f\ng: -1\nh: - \ni: :j\nk: ?l\n-m: 'n' # o\np: \"\"\n",
    "a: b: c\n d: e\n  - f\n g\nh: {i: j, k}\n'l\n m': n\no: &p q\nr: *p\n",
];

/// What is put into a document to damage it.
const AWKWARD: &[&str] = &[
    "\n",
    "\n\n",
    "\n  ",
    "\n    ",
    "\n\t",
    " ",
    "  ",
    "\t",
    ":",
    ": ",
    " :",
    "-",
    "- ",
    "\n- ",
    "#",
    " #",
    "# ",
    "'",
    "''",
    "\"",
    "\\",
    "\\\n",
    "|",
    "|-\n",
    ">",
    ">2",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    "&",
    "&a ",
    "*",
    "*a",
    "!",
    "!!str ",
    "%",
    "\n%",
    "@",
    "`",
    "?",
    "? ",
    "\n---\n",
    "\n...\n",
    "...",
    "---",
    "\r",
    "\r\n",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\u{a0}",
    "\u{0}",
    "\u{7f}",
    "é",
    "😀",
    "0",
    "~",
    "<<: ",
    "<<",
    "=",
    "a: ",
    "a:\n",
    "1e3",
    ".",
    ".inf",
    "0644",
    "yes",
    "9223372036854775808",
    "+",
    "\\u",
    "\\x41",
    "\\/",
    "\\ ",
    "\n  - ",
    "\n b: c",
    "+\n",
    "\n\n\n  ",
    "'a'",
    "\"a\"",
    "[a]",
];

/// A generator of numbers (SplitMix64): the same seed, the same numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % limit.max(1) as u64) as usize
    }
}

/// The text with one edit.
fn damaged(text: &str, numbers: &mut Numbers) -> String {
    let starts = |at: &usize| text.is_char_boundary(*at);
    let mut places = (0..2).map(|_| numbers.below(text.len() + 1));
    let (Some(one), Some(other)) = (places.next(), places.next()) else {
        return text.to_owned();
    };
    let at = (0..=one).rev().find(starts).unwrap();
    let next = (at + 1..=text.len()).find(starts).unwrap_or(at);
    let new = AWKWARD[numbers.below(AWKWARD.len())];
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line_end = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
    let (from, to, new) = match numbers.below(8) {
        0 | 1 => (at, at, new),
        2 => (at, next, new),
        3 => (at, next, ""),
        4 => (line, line, [" ", "  "][other % 2]),
        5 if text[line..].starts_with(' ') => (line, line + 1, ""),
        5 => (line, line_end, ""),
        6 => (line, line, &text[line..line_end]),
        _ => (at, text.len(), ""),
    };
    [&text[..from], new, &text[to..]].concat()
}

/// Damages documents and holds the law on each; returns how many the fast path took.
fn hold_on_damaged(texts: &[&str], cases: usize, seed: u64) -> usize {
    let mut numbers = Numbers(seed);
    let mut taken = 0;
    for nth in 0..cases {
        let mut text = texts[numbers.below(texts.len())].to_owned();
        for _ in 0..=numbers.below(3) {
            text = damaged(&text, &mut numbers);
        }
        for chunk in chunks(&text) {
            taken += usize::from(holds(chunk.text, &format_args!("case {nth} of seed {seed}")));
        }
    }
    taken
}

/// How many damaged documents a test tries; more where the environment asks for it.
fn cases(default: usize) -> usize {
    let asked = std::env::var("FAST_PATH_CASES").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(default)
}

#[test]
fn damaged_documents_are_read_as_the_full_parser_reads_them() {
    let cases = cases(20_000);
    let taken = hold_on_damaged(INLINE, cases, 1);
    println!("the fast path took {taken} of {cases} damaged documents");
    assert!(taken > cases / 20);
}

#[test]
fn damaged_real_files_are_read_as_the_full_parser_reads_them() {
    let Some(files) = corpus() else { return };
    let mut texts: Vec<_> = files.iter().flat_map(|(_, text)| chunks(text)).map(|chunk| chunk.text).collect();
    texts.retain(|text| (20..1500).contains(&text.len()));
    let cases = cases(3_000);
    let taken = hold_on_damaged(&texts, cases, 2);
    println!("the fast path took {taken} of {cases} damaged real documents");
    assert!(taken > cases / 10);
}

/// A node as it will be written.
#[derive(Clone, Debug)]
enum Made {
    /// On one line.
    Inline(String),
    /// Lines of text, the first of which follows the key or dash.
    Lines(&'static str, Vec<String>, &'static str),
    /// A block scalar.
    Text(&'static str, Vec<String>),
    Sequence(Vec<Made>),
    Mapping(Vec<(String, Made)>),
}

impl Made {
    /// Writes the node behind a key or dash that stands at `column`.
    fn write(&self, out: &mut String, column: usize) {
        let margin = " ".repeat(column + 2);
        match self {
            Made::Inline(text) => *out += &format!(" {text}\n"),
            Made::Lines(open, lines, close) => {
                let lines = lines.join(&format!("\n{margin}"));
                *out += &format!(" {open}{lines}{close}\n");
            }
            Made::Text(header, lines) => {
                *out += &format!(" {header}\n");
                lines.iter().for_each(|line| *out += &format!("{margin}{line}\n"));
            }
            Made::Sequence(items) => {
                *out += "\n";
                for item in items {
                    *out += &format!("{margin}-");
                    item.write(out, column + 2);
                }
            }
            Made::Mapping(entries) => {
                *out += "\n";
                for (key, value) in entries {
                    *out += &format!("{margin}{key}:");
                    value.write(out, column + 2);
                }
            }
        }
    }
}

fn made() -> impl Strategy<Value = Made> {
    let line = || "[a-z0-9 :#'\"\\\\,{}\\[\\]&*!|>%é.~_+-]{0,12}";
    let lines = || prop::collection::vec(line(), 1..5);
    let leaf = prop_oneof![
        3 => line().prop_map(Made::Inline),
        1 => "[-+]?[0-9_.xobe]{1,6}".prop_map(Made::Inline),
        1 => "(yes|no|on|~|null|true|\\[a, b\\]|\\{a: b\\}|'[a ]*'|\"[a ]*\")?( #.*)?".prop_map(Made::Inline),
        1 => lines().prop_map(|lines| Made::Lines("", lines, "")),
        1 => lines().prop_map(|lines| Made::Lines("'", lines, "'")),
        1 => lines().prop_map(|lines| Made::Lines("\"", lines, "\"")),
        1 => lines().prop_map(|lines| Made::Lines("[", lines, "]")),
        1 => lines().prop_map(|lines| Made::Lines("{a: ", lines, "}")),
        3 => (prop::sample::select(vec!["|", "|-", "|+", ">", ">-", ">+", "|1", ">2-", "| # c"]), lines())
            .prop_map(|(header, lines)| Made::Text(header, lines)),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..5).prop_map(Made::Sequence),
            prop::collection::vec(("[a-z0-9\"' .:/-]{0,5}", inner), 1..5).prop_map(Made::Mapping),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: u32::try_from(cases(3_000)).unwrap(),
        rng_seed: RngSeed::Fixed(3),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn made_documents_are_read_as_the_full_parser_reads_them(made in made()) {
        let mut text = String::from("root:");
        made.write(&mut text, 0);
        holds(&text, &"a made document");
    }
}
