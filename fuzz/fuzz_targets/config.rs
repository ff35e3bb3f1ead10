//! Any text as `tidegate.yaml`: reading does not panic, a file that is refused is refused with
//! words, and what was read resolves to settings, always the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tidegate::config::{self, Overrides, Settings};
use tidegate::finding::{Findings, Threshold};
use tidegate::source::{SourceFile, SourceMap};

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("tidegate.yaml", text));
    let read = || {
        let mut found = Findings::default();
        let raw = config::read(text, file, &mut found);
        let refused = found.exit_code(Threshold::Error);
        assert!(raw.is_some() || refused != 0, "refused, and nothing was said");
        Settings::resolve(raw, Overrides::default(), Overrides::default())
    };
    assert_eq!(read(), read());
});
