//! Rooms in order: a module imports only from rooms that stand above its own in [`ROOMS`].

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::none;
use crate::place::{Source, is_test, sources};

/// The rooms of `src/`, in order. Rooms of one row are strangers: they never import each other and meet further down.
/// Only their tests may compare them. `tree` stands before `finding`, since a label of a finding names a field by its path.
const ROOMS: &[&[&str]] = &[
    &["source"],
    &["tree"],
    &["finding"],
    &["yaml", "json"],
    &["edit"],
    &["object"],
    &["config"],
    &["flow"],
    &["load", "template", "patch", "convert", "gate", "refs", "version", "checksum", "schedule", "check", "restart"],
    &["emit", "report"],
    &["render", "rewrite"],
    &["function", "plugin", "webhook", "apply"],
];

/// What belongs to the binaries: it sees the library only as `tidegate::`.
const BINARIES: &[&str] = &["main", "cli", "bin"];

#[test]
fn a_module_imports_only_from_rooms_above_its_own() {
    let sources = sources(&["src/"]);
    assert!(!sources.is_empty(), "src/ has files");
    let faults: Vec<String> = sources.iter().flat_map(faults).collect();
    none("imports against the order of the rooms", &faults);
}

#[test]
fn every_import_out_of_order_is_found() {
    let faulty = [
        ("src/source/walk.rs", "use crate::finding::Finding;"),
        ("src/source/walk.rs", "use super::super::finding as f;"),
        ("src/yaml/emit.rs", "use crate::{tree::Node, json};"),
        ("src/yaml.rs", "fn f() { super::json::read() }"),
        ("src/check/a.rs", "fn f(p: &crate::render::Plan) {}"),
        ("src/check/a.rs", "fn f() { print!(\"{}\", crate::emit::NAME) }"),
        ("src/check/a.rs", "mod inner { use super::super::super::emit::X; }"),
        ("src/check/a.rs", "use crate as all;"),
        ("src/check/a.rs", "use crate::*;"),
        ("src/check/a.rs", "use crate::Finding;"),
        ("src/check/a.rs", "pub(in crate::report) fn f() {}"),
        ("src/check/a.rs", "extern crate tidegate;"),
        ("src/cli/render.rs", "use crate::render::run;"),
        ("src/cli/render.rs", "use super::super::render::run;"),
        ("src/main.rs", "mod render;"),
        ("src/main.rs", "#[path = \"x.rs\"] mod cli;"),
        ("src/elsewhere.rs", ""),
        ("src/yaml/tests.rs", "use crate::report::text;"),
        ("src/yaml.rs", "mod tests { use crate::json; }"),
    ];
    for (path, text) in faulty {
        assert!(!faults(&parsed(path, text)).is_empty(), "{path}: {text}");
    }
}

#[test]
fn imports_in_order_are_let_pass() {
    let right = [
        ("src/finding.rs", "use crate::tree::FieldPath; use self::sink::X; mod sink;"),
        ("src/finding/sink.rs", "use super::{Finding, near}; use crate::finding::Rule;"),
        ("src/check/a.rs", "use crate::flow::Plan; pub(crate) fn f() -> tree::X {}"),
        ("src/check/a.rs", "mod inner { use super::super::Check; }"),
        ("src/yaml/tests.rs", "use crate::json;"),
        ("src/yaml.rs", "#[cfg(test)] mod tests { use crate::json; }"),
        ("src/lib.rs", "pub mod finding; pub use crate::render::run; pub use finding::Rule;"),
        ("src/main.rs", "mod cli; use tidegate::render; fn main() { cli::run() }"),
        ("src/cli/render.rs", "use crate::cli::args; use super::exit; use tidegate::emit;"),
    ];
    for (path, text) in right {
        none(text, &faults(&parsed(path, text)));
    }
}

fn parsed(path: &str, text: &str) -> Source {
    Source {
        path: path.to_owned(),
        text: text.to_owned(),
        tree: syn::parse_str(text).expect("the sample is Rust"),
        test: path.ends_with("/tests.rs"),
    }
}

/// The row of a room, counted from the top.
fn row(room: &str) -> Option<usize> {
    ROOMS.iter().position(|row| row.contains(&room))
}

/// What is wrong with the imports of one file.
fn faults(source: &Source) -> Vec<String> {
    let inside = source.path.trim_start_matches("src/").trim_end_matches(".rs");
    let module: Vec<String> = match inside {
        "lib" | "main" => Vec::new(),
        path => path.split('/').map(str::to_owned).collect(),
    };
    let room = inside.split('/').next().unwrap_or(inside).to_owned();
    let binary = BINARIES.contains(&room.as_str());
    if room != "lib" && !binary && row(&room).is_none() {
        return vec![format!("{}: `{room}` is no room of ROOMS", source.path)];
    }
    let mut seen = Imports { room, module, binary, test: source.test, found: BTreeSet::new() };
    seen.visit_file(&source.tree);
    seen.found.into_iter().map(|(line, what)| format!("{}:{line}: {what}", source.path)).collect()
}

/// Collects the imports of one file that break the order.
struct Imports {
    room: String,
    /// The module that is visited, from the crate's root.
    module: Vec<String>,
    binary: bool,
    /// Whether what is visited is compiled for tests only: there strangers may meet, to be compared.
    test: bool,
    found: BTreeSet<(usize, String)>,
}

impl Imports {
    /// Judges a path as it is written: only those through `crate`, `self` and `super` can leave the module.
    fn judge(&mut self, segments: &[String], span: Span) {
        let Some(first) = segments.first() else {
            return;
        };
        let (at, rest) = match first.as_str() {
            "crate" => (Vec::new(), &segments[1..]),
            "self" => (self.module.clone(), &segments[1..]),
            "super" => {
                let ups = segments.iter().take_while(|s| *s == "super").count();
                let depth = self.module.len().saturating_sub(ups);
                (self.module[..depth].to_vec(), &segments[ups..])
            }
            _ => return,
        };
        let Some(target) = at.first().or(rest.first()) else {
            if self.room != "lib" {
                self.fault(span, "takes the whole crate: name the room");
            }
            return;
        };
        if let Some(what) = self.verdict(target) {
            self.fault(span, &what);
        }
    }

    fn verdict(&self, target: &str) -> Option<String> {
        let me = self.room.as_str();
        if target == me || me == "lib" {
            return None;
        }
        if self.binary {
            let ours = BINARIES.contains(&target);
            return (!ours).then(|| format!("a binary sees the library only as `tidegate::`, not `crate::{target}`"));
        }
        match (row(target), row(me)) {
            (None, _) => Some(format!("`crate::{target}` is no room: rooms are imported by name")),
            (Some(theirs), Some(mine)) if theirs == mine && !self.test => {
                Some(format!("`{me}` and `{target}` are strangers: they meet further down"))
            }
            (Some(theirs), Some(mine)) if theirs > mine => {
                Some(format!("`{me}` may not import `{target}`, which stands below it"))
            }
            _ => None,
        }
    }

    fn fault(&mut self, span: Span, what: &str) {
        self.found.insert((span.start().line, what.to_owned()));
    }

    fn judge_use(&mut self, tree: &syn::UseTree, before: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.judge_use(&path.tree, before);
                before.pop();
            }
            syn::UseTree::Group(group) => {
                for item in &group.items {
                    self.judge_use(item, before);
                }
            }
            syn::UseTree::Glob(glob) => self.judge(before, glob.span()),
            syn::UseTree::Name(syn::UseName { ident, .. }) | syn::UseTree::Rename(syn::UseRename { ident, .. }) => {
                before.push(ident.to_string());
                self.judge(before, ident.span());
                before.pop();
            }
        }
    }

    /// Macros are not parsed: `crate::…` and `super::…` in their tokens are judged all the same.
    fn judge_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            let mut segments = Vec::new();
            let start = at;
            while let Some(TokenTree::Ident(ident)) = tokens.get(at) {
                segments.push(ident.to_string());
                at += 1;
                if !(is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1))) {
                    break;
                }
                at += 2;
            }
            if segments.len() > 1 {
                self.judge(&segments, tokens[start].span());
            }
            if let Some(TokenTree::Group(group)) = tokens.get(at) {
                self.judge_tokens(group.stream());
            }
            at += usize::from(at == start || !matches!(tokens.get(at), Some(TokenTree::Ident(_))));
        }
    }
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == ':')
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        visit::visit_visibility(self, &item.vis);
        self.judge_use(&item.tree, &mut Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if segments.len() > 1 {
            self.judge(&segments, path.span());
        }
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let name = item.ident.to_string();
        if self.room == "main" && !BINARIES.contains(&name.as_str()) && item.content.is_none() {
            self.fault(item.span(), "a binary takes no file of the library as its own module");
        }
        if item.attrs.iter().any(|a| a.path().is_ident("path")) {
            self.fault(item.span(), "modules stand where their name says, without `#[path]`");
        }
        let outside = self.test;
        self.test |= is_test(&item.attrs);
        self.module.push(name);
        visit::visit_item_mod(self, item);
        self.module.pop();
        self.test = outside;
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.fault(item.span(), "`extern crate` hides where a name is from");
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        visit::visit_macro(self, mac);
        self.judge_tokens(mac.tokens.clone());
    }
}
