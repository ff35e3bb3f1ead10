//! Any text: reading does not panic, and what was read is printed so that it reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tidegate::finding::Findings;
use tidegate::source::{DocumentStart, Limits, SourceFile, SourceMap};
use tidegate::{json, yaml};

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("fuzz.yaml", text));
    let limits = Limits::default();
    for chunk in yaml::chunks(text) {
        let mut found = Findings::default();
        let start = DocumentStart { file, offset: chunk.offset };
        let node = match yaml::parse(chunk.text, start, &limits, &mut found) {
            Ok(Some(node)) => node,
            Ok(None) => continue,
            Err(_) => {
                assert!(!found.sorted().is_empty(), "refused, and nothing was said");
                continue;
            }
        };
        for finding in found.sorted() {
            if let Some(place) = finding.place() {
                sources.line_column(place);
            }
        }
        let mut printed = String::new();
        yaml::emit(&node, &mut printed);
        let start = DocumentStart { file, offset: 0 };
        let again = yaml::parse(&printed, start, &limits, &mut Findings::default());
        let again = again.unwrap_or_else(|_| panic!("does not read back:\n{printed}"));
        assert_eq!(as_json(again.as_ref()), as_json(Some(&node)), "reads back as another value:\n{printed}");
    }
});

/// The value alone: places differ between two texts of one value.
fn as_json(node: Option<&tidegate::tree::Node<'_>>) -> String {
    let mut text = String::new();
    if let Some(node) = node {
        json::write(node, &mut text);
    }
    text
}
