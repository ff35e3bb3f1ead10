//! Which kinds have a namespace.
//!
//! A CRD in the input or a row of the configuration says it best; this is what is known without
//! them.

mod builtin;
mod custom;
mod openshift;

/// Whether the objects of a kind live in namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// One object of a name in the whole cluster.
    Cluster,
    /// One object of a name in each namespace.
    Namespaced,
}

impl Scope {
    /// The word of `spec.scope` of a CRD: `Cluster` or `Namespaced`.
    pub fn word(self) -> &'static str {
        match self {
            Scope::Cluster => "Cluster",
            Scope::Namespaced => "Namespaced",
        }
    }
}

/// Group, kind, scope.
type Row = (&'static str, &'static str, Scope);

/// Every table; no kind stands in two of them.
const TABLES: [&[Row]; 3] = [builtin::ROWS, custom::ROWS, openshift::ROWS];

/// Groups whose kinds users make up, all of one scope: Gatekeeper gives every constraint template a
/// cluster-scoped CRD of this group (frameworks/constraint, pkg/client/crds).
const WHOLE_GROUPS: [(&str, Scope); 1] = [("constraints.gatekeeper.sh", Scope::Cluster)];

/// The scope of a kind that Kubernetes serves, or served once, or that a widely used project
/// defines; nothing for any other. The group is empty for the core group.
pub fn builtin(group: &str, kind: &str) -> Option<Scope> {
    let mut found = TABLES.iter().filter_map(|rows| find(rows, group, kind));
    found.next().or_else(|| {
        let whole = WHOLE_GROUPS.iter().find(|(name, _)| *name == group);
        whole.map(|(_, scope)| *scope)
    })
}

/// Whether Kubernetes itself serves a kind, or served it once. Any other kind comes with a CRD or an
/// aggregated API.
pub fn is_kubernetes(group: &str, kind: &str) -> bool {
    find(builtin::ROWS, group, kind).is_some()
}

fn find(rows: &[Row], group: &str, kind: &str) -> Option<Scope> {
    let at = rows.binary_search_by(|row| (row.0, row.1).cmp(&(group, kind)));
    at.ok().map(|at| rows[at].2)
}

#[cfg(test)]
mod tests;
