//! tidegate renders Kubernetes manifests for GitOps, offline: staged, ordered and hashed.
//!
//! A manifest goes through these rooms from top to bottom and never back up; a room uses only rooms
//! that stand above it. [`render::plan`] is the chain in a few lines: read it first.
//!
//! | room | what it does |
//! |---|---|
//! | [`source`] | text that came in, places in it, the walk of folders |
//! | [`tree`] | the tree of a document: spanned, order kept, no syntax |
//! | [`finding`] | what is wrong with an input, as data; the rules |
//! | [`yaml`], [`json`] | text to trees and back, as kubectl reads and every reader reads |
//! | [`edit`] | a changed tree to edits of the text it was read from: comments and form stay |
//! | [`object`] | objects: identity, scope, annotations |
//! | [`config`] | `tidegate.yaml` and what overrides it |
//! | [`flow`] | the types that steps hand on |
//! | [`template`] | templates and values to text |
//! | [`load`] | text to objects |
//! | [`patch`] | changes that the configuration asks for |
//! | [`convert`] | objects to another version of their API |
//! | [`gate`] | objects and annotations that tidegate adds, so that nothing starts before its mesh |
//! | [`refs`] | objects to edges: what needs what |
//! | [`version`] | configuration under names of its content |
//! | [`checksum`] | what each workload reads, as a checksum on its pod template |
//! | [`schedule`] | edges to order: stages, waves, the stream |
//! | [`check`] | what can be known to fail |
//! | [`restart`] | what a change does to running pods |
//! | [`emit`], [`report`] | a plan to manifests, findings to messages |
//! | [`render`] | the chain |
//! | [`plugin`] | what Argo CD hands to a config-management plugin |
//! | [`apply`] | a plan to a cluster, by kubectl: wave by wave, with what each waits for |
//! | [`function`] | the chain for a list of objects, as hosts of KRM functions send one |
//! | [`rewrite`] | beside it: files that are converted where they stand |
//! | [`webhook`] | conversion for API servers: a review, and with the feature `webhook` the server |
//!
//! The program (`src/main.rs`, `src/cli/`) sees this library only from outside, and is the only part
//! that reads flags and the environment, prints, or ends a process.
//!
//! ```
//! use tidegate::config::Settings;
//! use tidegate::finding::Findings;
//! use tidegate::source::{SourceFile, SourceMap};
//!
//! let mut sources = SourceMap::default();
//! sources.add(SourceFile::new("a.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"));
//! let (settings, mut found) = (Settings::default(), Findings::default());
//! let mut planned = tidegate::render::plan(&sources, &settings, &mut found);
//! let mut out = Vec::new();
//! let all = tidegate::emit::select::Selection::default();
//! tidegate::emit::write(&mut planned, &settings, &all, tidegate::emit::Form::Yaml, &mut out)?;
//! assert!(out.starts_with(b"apiVersion: v1\nkind: Namespace\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read files, ask other programs and take the time"))]

pub mod apply;
pub mod check;
pub mod checksum;
pub mod config;
pub mod convert;
pub mod edit;
pub mod emit;
pub mod finding;
pub mod flow;
pub mod function;
pub mod gate;
pub mod json;
pub mod load;
pub mod object;
pub mod patch;
pub mod plugin;
pub mod refs;
pub mod render;
pub mod report;
pub mod restart;
pub mod rewrite;
pub mod schedule;
pub mod source;
pub mod template;
pub mod tree;
pub mod version;
pub mod webhook;
pub mod yaml;
