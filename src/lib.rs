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
//! | [`object`] | objects: identity, scope, annotations |
//! | [`config`] | `tidegate.yaml` and what overrides it |
//! | [`flow`] | the types that steps hand on |
//! | [`load`] | text to objects |
//! | [`convert`] | objects to another version of their API |
//! | [`refs`] | objects to edges: what needs what |
//! | [`checksum`] | what each workload reads, as a checksum on its pod template |
//! | [`schedule`] | edges to order: stages, waves, the stream |
//! | [`check`] | what can be known to fail |
//! | [`emit`], [`report`] | a plan to manifests, findings to messages |
//! | [`render`] | the chain |
//! | [`plugin`] | what Argo CD hands to a config-management plugin |
//! | [`apply`] | a plan to a cluster, by kubectl: wave by wave, with what each waits for |
//! | [`function`] | the chain for a list of objects, as hosts of KRM functions send one |
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
pub mod emit;
pub mod finding;
pub mod flow;
pub mod function;
pub mod json;
pub mod load;
pub mod object;
pub mod plugin;
pub mod refs;
pub mod render;
pub mod report;
pub mod schedule;
pub mod source;
pub mod tree;
pub mod yaml;
