//! The reference table, taken apart once.

use std::sync::{LazyLock, OnceLock};

use super::path::{self, Step};
use super::row::{Block, Row, Rows, To};
use super::rules;
use crate::object::scope::{self, Scope};
use crate::object::view::pod_template::POD_TEMPLATES;

/// A row in its place.
pub(super) struct Compiled {
    pub(super) row: &'static Row,
    /// The whole path, from the root of the object.
    pub(super) path: &'static str,
    /// From where the section stands to the mapping that holds the last key of the path.
    pub(super) holder: Vec<Step>,
    /// From there to the name.
    pub(super) name: Vec<Step>,
    /// Whether the target has no namespace, where that is known before the object is seen.
    pub(super) cluster: Option<bool>,
}

/// Rows that begin at the same node.
pub(super) struct Section {
    pub(super) at: Vec<Step>,
    /// Whether the rows are those of a pod spec whose pods come straight out of the object.
    pub(super) pods: bool,
    at_text: &'static str,
    sources: Vec<&'static [Row]>,
    /// Taken apart when the first object of a kind asks: a run needs few of the kinds.
    compiled: OnceLock<Vec<Compiled>>,
}

impl Section {
    /// The rows, taken apart.
    pub(super) fn rows(&self) -> &[Compiled] {
        let all = || self.sources.iter().copied().flatten().map(|row| compile(self.at_text, row)).collect();
        self.compiled.get_or_init(all)
    }
}

/// Every row, by the kinds that refer.
#[derive(Default)]
pub(super) struct Table {
    sections: Vec<Section>,
    /// In order.
    kinds: Vec<((&'static str, &'static str), Vec<usize>)>,
}

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// The table.
pub(super) fn table() -> &'static Table {
    &TABLE
}

impl Table {
    fn new() -> Self {
        let mut table = Table::default();
        for block in rules::blocks() {
            table.block(block);
        }
        for (at, kinds) in pod_templates() {
            table.section(&at, rules::POD, &kinds, true);
        }
        table
    }

    fn block(&mut self, block: &'static Block) {
        for at in block.at {
            match block.rows {
                Rows::These(rows) => self.section(at, &[rows], block.kinds, false),
                Rows::Parts(parts) => self.section(at, parts, block.kinds, false),
                Rows::PodSpec => self.section(at, rules::POD, block.kinds, false),
            }
        }
    }

    fn section(&mut self, at: &str, rows: &[&'static [Row]], kinds: &[(&'static str, &'static str)], pods: bool) {
        for kind in kinds {
            let at = match self.kinds.binary_search_by_key(kind, |(known, _)| *known) {
                Ok(at) => at,
                Err(at) => {
                    self.kinds.insert(at, (*kind, Vec::new()));
                    at
                }
            };
            self.kinds[at].1.push(self.sections.len());
        }
        let at: &'static str = at.to_owned().leak();
        let (sources, compiled) = (rows.to_vec(), OnceLock::new());
        self.sections.push(Section { at: path::steps(at), pods, at_text: at, sources, compiled });
    }

    /// The sections of a kind.
    pub(super) fn sections(&self, group: &str, kind: &str) -> impl Iterator<Item = &Section> + use<'_> {
        let at = self.kinds.binary_search_by(|(known, _)| known.cmp(&(group, kind))).ok();
        let numbers = at.map(|at| self.kinds[at].1.as_slice()).unwrap_or_default();
        numbers.iter().map(|at| &self.sections[*at])
    }

    /// The rows of a pod spec whose pods come straight out of the object.
    pub(super) fn pods(&self) -> Option<&Section> {
        self.sections.iter().find(|section| section.pods)
    }

    /// Every kind that refers, in order.
    pub(super) fn kinds(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.kinds.iter().map(|(kind, _)| *kind)
    }
}

/// Where pod specs stand in the kinds that hold pod templates.
fn pod_templates() -> Vec<(String, Vec<(&'static str, &'static str)>)> {
    let mut places: Vec<(String, Vec<_>)> = Vec::new();
    for template in POD_TEMPLATES {
        let at = template.spec_path().to_string();
        let kind = (template.group, template.kind);
        match places.iter_mut().find(|(known, _)| *known == at) {
            Some((_, kinds)) => kinds.push(kind),
            None => places.push((at, vec![kind])),
        }
    }
    places
}

/// The text of a path is kept for as long as the process lives: there is one table.
fn compile(at: &'static str, row: &'static Row) -> Compiled {
    let path = if at.is_empty() { row.path } else { format!("{at}.{}", row.path).leak() };
    let steps = path::steps(row.path);
    let (holder, name) = path::at_last_key(&steps);
    let cluster = match row.to {
        To::Kind((group, kind)) => Some(is_cluster_scoped(group, kind)),
        To::ByField { .. } | To::Named(_) => None,
    };
    Compiled { row, path, holder: holder.to_vec(), name: name.to_vec(), cluster }
}

/// Whether the objects of a kind are known to have no namespace.
pub(super) fn is_cluster_scoped(group: &str, kind: &str) -> bool {
    scope::builtin(group, kind) == Some(Scope::Cluster)
}
