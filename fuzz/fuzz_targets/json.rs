//! Any text: reading it as JSON does not panic, and what was read is printed so that it reads back
//! the same, on one line and indented.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tidegate::finding::Findings;
use tidegate::json;
use tidegate::source::{DocumentStart, Limits, SourceFile, SourceMap};
use tidegate::tree::Node;

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("fuzz.json", text));
    let start = DocumentStart { file, offset: 0 };
    let read = |text: &str| -> Vec<String> {
        let mut found = Findings::default();
        let values = json::parse_stream(text, start, &Limits::default(), &mut found);
        let refused = values.iter().any(Result::is_err);
        assert!(!refused || !found.sorted().is_empty(), "refused, and nothing was said");
        values.iter().filter_map(|value| value.as_ref().ok()).map(|(_, node)| line(node)).collect()
    };
    let mut found = Findings::default();
    for (_, node) in json::parse_stream(text, start, &Limits::default(), &mut found).into_iter().flatten() {
        let mut indented = String::new();
        json::write_pretty(&node, 4, &mut indented);
        let expected = [line(&node)];
        assert_eq!(read(&indented), expected, "indented");
        assert_eq!(read(&expected[0]), expected, "on one line");
    }
});

fn line(node: &Node<'_>) -> String {
    let mut text = String::new();
    json::write(node, &mut text);
    text
}
