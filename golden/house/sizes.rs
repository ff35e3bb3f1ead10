//! Files and functions that can be read in one go, named for what they hold.

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::none;
use crate::place::{Source, files, is_test, sources};

/// Where Rust is written.
const FOLDERS: &[&str] = &["src/", "golden/", "benches/", "fuzz/", "e2e/"];

/// Lines a file may have, without its `#[cfg(test)]` items; a module of tests in a file of its own may be longer.
const FILE: usize = 400;

/// Lines between the braces of a function.
const FUNCTION: usize = 60;

/// Files with another limit, by the start of their path: tables of data are long and still read in one go.
const OTHER_LIMITS: &[(&str, usize)] = &[
    ("src/main.rs", 60),
    ("src/bin/tidegate-webhook/main.rs", 60),
    ("src/render.rs", 120),
    ("src/config/raw/rows.rs", 800),
    ("src/refs/rules/", 800),
    ("src/object/immutable.rs", 800),
    ("src/object/scope", 800),
    ("src/schedule/kind_order.rs", 800),
];

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["common", "helper", "helpers", "manager", "misc", "models", "types", "util", "utils"];

#[test]
fn files_and_functions_are_short() {
    let sources = sources(FOLDERS);
    let faults: Vec<String> = sources.iter().flat_map(too_long).collect();
    none("too long", &faults);
}

#[test]
fn what_is_too_long_is_found() {
    let lines = "    let _ = 1;\n".repeat(FUNCTION + 1);
    let test_only = format!("#[cfg(test)]\nmod tests {{\nfn f() {{\n{lines}}}\n}}\n");
    let statics = "static A: u8 = 0;\n".repeat(FILE + 1);
    for (text, faults) in [
        (format!("fn f() {{\n{lines}}}\n"), 1),
        (format!("impl X {{\nfn f() {{\n{lines}}}\n}}\n"), 1),
        (test_only, 0),
        (format!("#[cfg(test)]\nmod tests {{\n{statics}}}\n"), 0),
        (statics, 1),
    ] {
        let source = Source {
            path: "src/sample.rs".to_owned(),
            tree: syn::parse_str(&text).expect("the sample is Rust"),
            text,
            test: false,
        };
        assert_eq!(too_long(&source).len(), faults, "{}", &source.text[..80]);
    }
}

#[test]
fn files_are_named_for_what_they_hold() {
    let faults: Vec<String> = files(true).into_iter().filter(|f| f.ends_with(".rs") && badly_named(f)).collect();
    none("names that say nothing (`foo.rs` + `foo/`, never `mod.rs`)", &faults);
    assert!(badly_named("src/refs/utils/a.rs") && badly_named("src/refs/mod.rs"));
}

fn badly_named(path: &str) -> bool {
    let path = path.trim_end_matches(".rs");
    path.ends_with("/mod") || path.split('/').any(|part| EMPTY_NAMES.contains(&part))
}

/// What in a file is longer than its limit.
fn too_long(source: &Source) -> Vec<String> {
    if source.test {
        return Vec::new();
    }
    let mut seen = Lengths { path: &source.path, test_lines: 0, faults: Vec::new() };
    seen.visit_file(&source.tree);
    let mut faults = seen.faults;
    let limit = OTHER_LIMITS.iter().find(|(start, _)| source.path.starts_with(start)).map_or(FILE, |(_, limit)| *limit);
    let lines = source.text.lines().count() - seen.test_lines;
    if lines > limit {
        faults.push(format!("{}: {lines} lines, at most {limit}", source.path));
    }
    faults
}

struct Lengths<'a> {
    path: &'a str,
    test_lines: usize,
    faults: Vec<String>,
}

impl Lengths<'_> {
    fn function(&mut self, name: &syn::Ident, block: &syn::Block) {
        let (first, last) = (block.span().start().line, block.span().end().line);
        let lines = last.saturating_sub(first + 1);
        if lines > FUNCTION {
            let path = self.path;
            self.faults.push(format!("{path}:{first}: `{name}` has {lines} lines, at most {FUNCTION}"));
        }
    }
}

impl<'ast> Visit<'ast> for Lengths<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attrs = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if is_test(attrs) {
            self.test_lines += item.span().end().line - item.span().start().line + 1;
        } else {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig.ident, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig.ident, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig.ident, block);
        }
        visit::visit_trait_item_fn(self, item);
    }
}
