//! Who may do what, by the RBAC of the input.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::workloads::Workload;
use crate::object::view::label_selector;
use crate::object::{ObjRef, Object, ObjectSet};
use crate::source::Place;
use crate::tree::{FieldPath, Node};

const GROUP: &str = "rbac.authorization.k8s.io";
const ACCOUNT_USER: &str = "system:serviceaccount:";
const ACCOUNTS: &str = "system:serviceaccounts";
const ALL_USERS: &str = "system:authenticated";

/// Roles that every cluster has and that gather rules by a label, and the roles that these gather in
/// turn (plugin/pkg/auth/authorizer/rbac/bootstrappolicy of Kubernetes).
const GATHERERS: &[(&str, &[&str])] = &[
    ("admin", &["aggregate-to-admin", "aggregate-to-edit", "aggregate-to-view"]),
    ("edit", &["aggregate-to-edit", "aggregate-to-view"]),
    ("view", &["aggregate-to-view"]),
];

/// A ServiceAccount: namespace and name.
pub(crate) type Account<'a> = (Option<&'a str>, &'a str);

/// What is asked for: a resource (`trafficsplits`, `trafficsplits/status`) of a group, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    /// The API group, empty for the core group.
    pub group: &'a str,
    /// The resource, with a subresource behind a slash.
    pub resource: &'a str,
    /// The namespace; none asks for a cluster-scoped resource.
    pub namespace: Option<&'a str>,
}

/// One rule of a role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule<'o> {
    node: &'o Node<'o>,
    /// Where it stands.
    pub place: Place,
}

/// Where a binding makes its role hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within<'o> {
    Cluster,
    /// One namespace; none where nobody says which.
    Namespace(Option<&'o str>),
}

/// A rule that somebody is bound to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grant<'r, 'o> {
    /// The rule.
    pub rule: &'r Rule<'o>,
    within: Within<'o>,
}

/// Whom a binding binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Subject<'o> {
    Account(Account<'o>),
    AccountsOf(&'o str),
    Accounts,
    AllUsers,
}

/// Every rule that somebody is bound to.
pub(crate) struct Rbac<'o> {
    objects: &'o ObjectSet<'o>,
    roles: Vec<Vec<Rule<'o>>>,
    /// Numbers of roles, and where they hold.
    bindings: HashMap<Subject<'o>, Vec<(usize, Within<'o>)>>,
    /// Who is bound to the `cluster-admin` that every cluster has.
    admins: HashSet<Subject<'o>>,
}

impl<'o> Rbac<'o> {
    /// Reads the roles and bindings of a set.
    pub(crate) fn new(objects: &'o ObjectSet<'o>) -> Self {
        let mut rbac = Rbac { objects, roles: Vec::new(), bindings: HashMap::new(), admins: HashSet::new() };
        let mut roles = Roles { objects, known: HashMap::new() };
        for (_, binding) in objects.of_kind(GROUP, "ClusterRoleBinding") {
            rbac.bind(&mut roles, Within::Cluster, binding);
        }
        for (_, binding) in objects.of_kind(GROUP, "RoleBinding") {
            rbac.bind(&mut roles, Within::Namespace(binding.id.namespace.as_deref()), binding);
        }
        rbac
    }

    fn bind(&mut self, roles: &mut Roles<'o>, within: Within<'o>, binding: &'o Object<'o>) {
        let Some(role) = roles.of(binding, &mut self.roles) else { return };
        let namespace = binding.id.namespace.as_deref();
        for subject in binding.tree.get("subjects").and_then(Node::items).unwrap_or_default() {
            let Some(subject) = subject_of(subject, namespace, self.objects) else { continue };
            match role {
                Role::Rules(role) => self.bindings.entry(subject).or_default().push((role, within)),
                Role::Admin if within == Within::Cluster => {
                    self.admins.insert(subject);
                }
                // in one namespace it reads no group and changes no CRD
                Role::Admin => {}
            }
        }
    }

    /// The account that the pods of a workload run as.
    pub(crate) fn account(&self, workload: &Workload<'o>) -> Account<'o> {
        account(workload.object.id.namespace.as_deref(), workload.service_account(), self.objects)
    }

    /// Every rule that an account is bound to.
    pub(crate) fn grants<'r>(&'r self, account: Account<'r>) -> impl Iterator<Item = Grant<'r, 'o>> {
        let bindings = subjects(account).into_iter().flatten().filter_map(|subject| self.bindings.get(&subject));
        bindings
            .flatten()
            .flat_map(|(role, within)| self.roles[*role].iter().map(|rule| Grant { rule, within: *within }))
    }

    /// The rule by which an account may list or watch a resource: one that names the group, holds
    /// where the resource is, and has no `resourceNames`.
    pub(crate) fn reads(&self, account: Account<'_>, ask: Ask<'_>) -> Option<Place> {
        let reads = |grant: &Grant<'_, '_>| {
            let rule = grant.rule;
            rule.names_group(ask.group)
                && rule.allows(&["list", "watch"])
                && rule.covers_resource(ask.resource)
                && !rule.has_names()
                && grant.reaches(ask.namespace)
        };
        self.grants(account).find(reads).map(|grant| grant.rule.place)
    }

    /// The rule by which an account may list or watch anything of a group, if it names the group.
    pub(crate) fn reads_group(&self, account: Account<'_>, group: &str) -> Option<Place> {
        let reads = |grant: &Grant<'_, '_>| grant.rule.names_group(group) && grant.rule.allows(&["list", "watch"]);
        self.grants(account).find(reads).map(|grant| grant.rule.place)
    }

    /// Whether an account may list or watch anything of a group, by whatever rule (`*` counts).
    pub(crate) fn may_read_group(&self, account: Account<'_>, group: &str) -> bool {
        let reads = |grant: Grant<'_, '_>| grant.rule.covers_group(group) && grant.rule.allows(&["list", "watch"]);
        self.is_admin(account) || self.grants(account).any(reads)
    }

    /// Whether an account may update or patch a resource, by whatever rule (`*` and `resourceNames`
    /// count).
    pub(crate) fn may_change(&self, account: Account<'_>, ask: Ask<'_>) -> bool {
        let changes = |grant: Grant<'_, '_>| {
            grant.rule.covers_group(ask.group)
                && grant.rule.allows(&["update", "patch"])
                && grant.rule.covers_resource(ask.resource)
                && grant.reaches(ask.namespace)
        };
        self.is_admin(account) || self.grants(account).any(changes)
    }

    /// Whether an account is bound to the `cluster-admin` of every cluster.
    fn is_admin(&self, account: Account<'_>) -> bool {
        subjects(account).into_iter().flatten().any(|subject| self.admins.contains(&subject))
    }
}

impl<'o> Rule<'o> {
    fn list(&self, field: &str) -> impl Iterator<Item = &'o str> {
        self.node.get(field).and_then(Node::items).unwrap_or_default().iter().filter_map(Node::as_str)
    }

    /// The groups that it names; `*` is no name.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &'o str> {
        self.list("apiGroups").filter(|group| *group != "*")
    }

    /// Whether it names a group.
    pub(crate) fn names_group(&self, group: &str) -> bool {
        self.groups().any(|named| named == group)
    }

    /// Whether it names a group or holds for all.
    pub(crate) fn covers_group(&self, group: &str) -> bool {
        self.list("apiGroups").any(|named| named == group || named == "*")
    }

    /// Whether it allows one of these verbs.
    pub(crate) fn allows(&self, verbs: &[&str]) -> bool {
        self.list("verbs").any(|verb| verb == "*" || verbs.contains(&verb))
    }

    /// Whether it holds for a resource (`ResourceMatches`, pkg/apis/rbac/v1 of Kubernetes).
    pub(crate) fn covers_resource(&self, resource: &str) -> bool {
        let part = resource.split_once('/').map(|(_, part)| part);
        self.list("resources").any(|named| {
            named == "*" || named == resource || part.is_some_and(|part| named.strip_prefix("*/") == Some(part))
        })
    }

    /// Whether it holds for some objects only.
    pub(crate) fn has_names(&self) -> bool {
        self.list("resourceNames").next().is_some()
    }

    /// Whether it holds for an object of this name.
    pub(crate) fn covers_name(&self, name: &str) -> bool {
        !self.has_names() || self.list("resourceNames").any(|named| named == name)
    }
}

impl Grant<'_, '_> {
    /// Whether it holds in a namespace; none asks for a cluster-scoped resource.
    pub(crate) fn reaches(&self, namespace: Option<&str>) -> bool {
        match self.within {
            Within::Cluster => true,
            Within::Namespace(within) => within == namespace,
        }
    }
}

/// What a binding refers to.
#[derive(Clone, Copy)]
enum Role {
    Rules(usize),
    Admin,
}

/// Roles by where they are, read once.
struct Roles<'o> {
    objects: &'o ObjectSet<'o>,
    known: HashMap<(Option<&'o str>, &'o str), Option<usize>>,
}

impl<'o> Roles<'o> {
    /// The role of a binding; nothing for one whose rules are not in the input.
    fn of(&mut self, binding: &'o Object<'o>, roles: &mut Vec<Vec<Rule<'o>>>) -> Option<Role> {
        let reference = binding.tree.get("roleRef")?;
        let (kind, name) = (reference.get("kind")?.as_str()?, reference.get("name")?.as_str()?);
        let namespace = binding.id.namespace.as_deref().filter(|_| kind == "Role");
        let objects = self.objects;
        let found = objects.find(GROUP, kind, namespace, name);
        let is_cluster_role = kind == "ClusterRole";
        if is_cluster_role && name == "cluster-admin" && found.is_none() {
            return Some(Role::Admin);
        }
        // a Role without a namespace stands beside bindings without one: its key is its own
        let key = (if is_cluster_role { None } else { Some(namespace.unwrap_or("")) }, name);
        let number = self.known.entry(key).or_insert_with(|| {
            let rules = match found {
                Some(role) => rules(objects, role),
                None if is_cluster_role => gathered(objects, name),
                None => Vec::new(),
            };
            if rules.is_empty() {
                return None;
            }
            roles.push(rules);
            Some(roles.len() - 1)
        });
        number.map(Role::Rules)
    }
}

/// The rules of a role. Those of one that gathers rules are the rules of all roles that its
/// selectors take, and of what these gather; its own are overwritten.
fn rules<'o>(objects: &'o ObjectSet<'o>, role: ObjRef) -> Vec<Rule<'o>> {
    let (mut found, mut seen, mut open) = (Vec::new(), BTreeSet::from([role]), vec![role]);
    while let Some(at) = open.pop() {
        let role = objects.get(at);
        let selectors = role.tree.at(&["aggregationRule", "clusterRoleSelectors"]).and_then(Node::items);
        let Some(selectors) = selectors else {
            found.extend(own_rules(role));
            continue;
        };
        for (other, held) in objects.of_kind(GROUP, "ClusterRole") {
            let labels = held.tree.at(&["metadata", "labels"]);
            if selectors.iter().any(|selector| label_selector::matches(selector, labels)) && seen.insert(other) {
                open.push(other);
            }
        }
    }
    found
}

/// The rules that roles of the input lend to a role that every cluster has.
fn gathered<'o>(objects: &'o ObjectSet<'o>, name: &str) -> Vec<Rule<'o>> {
    let Some((_, labels)) = GATHERERS.iter().find(|(gatherer, _)| *gatherer == name) else { return Vec::new() };
    let lends = |role: &Object<'_>| {
        let set = role.tree.at(&["metadata", "labels"]);
        let is_true = |label: &&str| {
            let key = format!("{GROUP}/{label}");
            set.and_then(|set| set.get(&key)).and_then(Node::as_str) == Some("true")
        };
        labels.iter().any(is_true)
    };
    let roles = objects.of_kind(GROUP, "ClusterRole").filter(|(_, role)| lends(role));
    roles.flat_map(|(at, _)| rules(objects, at)).collect()
}

fn own_rules<'o>(role: &'o Object<'o>) -> impl Iterator<Item = Rule<'o>> {
    let rules = role.tree.get("rules").and_then(Node::items).unwrap_or_default();
    rules.iter().enumerate().map(|(nth, node)| {
        let path = FieldPath::keys(["rules"]).index(nth);
        Rule { node, place: role.place_of(&path) }
    })
}

/// Whom a subject of a binding in a namespace means (`appliesToUser`,
/// plugin/pkg/auth/authorizer/rbac/rbac.go of Kubernetes); nobody that a pod could run as otherwise.
fn subject_of<'o>(subject: &'o Node<'o>, namespace: Option<&'o str>, objects: &ObjectSet<'_>) -> Option<Subject<'o>> {
    let text = |field: &str| subject.get(field).and_then(Node::as_str).filter(|text| !text.is_empty());
    let name = text("name")?;
    match text("kind")? {
        "ServiceAccount" => Some(Subject::Account(account(text("namespace").or(namespace), name, objects))),
        "User" => {
            let (namespace, name) = name.strip_prefix(ACCOUNT_USER)?.split_once(':')?;
            Some(Subject::Account(account(Some(namespace), name, objects)))
        }
        "Group" if name == ALL_USERS => Some(Subject::AllUsers),
        "Group" if name == ACCOUNTS => Some(Subject::Accounts),
        "Group" => name.strip_prefix(ACCOUNTS)?.strip_prefix(':').map(Subject::AccountsOf),
        _ => None,
    }
}

/// An account; one that is in the input without a namespace is meant by whoever names it with one,
/// unless that is in the input too.
fn account<'o>(namespace: Option<&'o str>, name: &'o str, objects: &ObjectSet<'_>) -> Account<'o> {
    let is_there = |namespace| objects.find("", "ServiceAccount", namespace, name).is_some();
    let is_homeless = namespace.is_some() && !is_there(namespace) && is_there(None);
    (namespace.filter(|_| !is_homeless), name)
}

/// All that an account is in bindings.
fn subjects(account: Account<'_>) -> [Option<Subject<'_>>; 4] {
    [
        Some(Subject::Account(account)),
        account.0.map(Subject::AccountsOf),
        Some(Subject::Accounts),
        Some(Subject::AllUsers),
    ]
}

#[cfg(test)]
mod tests;
