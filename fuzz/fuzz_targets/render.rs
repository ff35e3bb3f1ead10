//! Any text as the only file of an input. Rendering does not panic, its findings can be shown in
//! every form, and what it prints is read back by it: the same objects, and the same bytes again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tidegate::config::Settings;
use tidegate::emit::{self, Form, select::Selection};
use tidegate::finding::{Findings, Threshold};
use tidegate::source::{SourceFile, SourceMap};
use tidegate::{render, report};

fuzz_target!(|text: &str| {
    let Some((objects, first)) = rendered(text) else { return };
    if objects == 0 {
        return; // what is left of an input that holds no manifests is an empty one: an error, rightly
    }
    let Some((again, second)) = rendered(&first) else { panic!("refuses what it printed:\n{first}") };
    assert_eq!(first, second, "render of a render differs");
    assert_eq!(objects, again);
});

/// How many objects are printed, and as what; nothing for an input with errors.
fn rendered(text: &str) -> Option<(usize, String)> {
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("fuzz.yaml", text));
    let (settings, mut found) = (Settings::default(), Findings::default());
    let mut planned = render::plan(&sources, &settings, &mut found);
    found.report_ignores();
    report::json::write(&found, &sources, &mut std::io::sink()).expect("a sink takes everything");
    let style = report::text::Style { verbose: true, ..Default::default() };
    report::text::write(&found, &sources, &style, &mut std::io::sink()).expect("a sink takes everything");
    if found.exit_code(Threshold::Error) != 0 {
        return None;
    }
    let mut out = Vec::new();
    let count = emit::write(&mut planned, &settings, &Selection::default(), Form::Yaml, &mut out)
        .expect("memory takes everything");
    Some((count, String::from_utf8(out).expect("output is UTF-8")))
}
