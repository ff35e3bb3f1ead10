//! References that name the namespace of what they refer to.

use crate::object::Object;
use crate::tree::{FieldPath, Node, Value};

/// A reference whose text names kind, namespace and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossNamespace<'o> {
    /// Kind of the object referred to; its group is the core group in every row.
    pub kind: &'static str,
    /// The namespace written there.
    pub namespace: &'o str,
    /// The name written there.
    pub name: &'o str,
    /// Where the reference stands.
    pub path: FieldPath,
}

/// One row: in objects of a group and kind, the mapping at a path names an object of `target`.
struct Row {
    group: &'static str,
    kind: &'static str,
    /// Keys from the root; `[]` goes through every item of a list.
    path: &'static [&'static str],
    target: &'static str,
}

const RBAC: &str = "rbac.authorization.k8s.io";
const ADMISSION: &str = "admissionregistration.k8s.io";
const WEBHOOK_SERVICE: &[&str] = &["webhooks", "[]", "clientConfig", "service"];

static ROWS: &[Row] = &[
    Row { group: RBAC, kind: "ClusterRoleBinding", path: &["subjects", "[]"], target: "ServiceAccount" },
    Row { group: RBAC, kind: "RoleBinding", path: &["subjects", "[]"], target: "ServiceAccount" },
    Row { group: ADMISSION, kind: "MutatingWebhookConfiguration", path: WEBHOOK_SERVICE, target: "Service" },
    Row { group: ADMISSION, kind: "ValidatingWebhookConfiguration", path: WEBHOOK_SERVICE, target: "Service" },
    Row { group: "apiregistration.k8s.io", kind: "APIService", path: &["spec", "service"], target: "Service" },
    Row {
        group: "apiextensions.k8s.io",
        kind: "CustomResourceDefinition",
        path: &["spec", "conversion", "webhook", "clientConfig", "service"],
        target: "Service",
    },
];

/// The references of an object that name a namespace.
pub fn references<'o>(object: &'o Object<'_>) -> Vec<CrossNamespace<'o>> {
    let mut found = Vec::new();
    for row in ROWS.iter().filter(|row| object.is(row.group, row.kind)) {
        follow(&object.tree, row.path, FieldPath::default(), &mut |node, path| {
            let text = |field| node.get(field).and_then(Node::as_str);
            // a subject says its kind; a service needs not
            let kind = text("kind").unwrap_or(row.target);
            if let (true, Some(namespace), Some(name)) = (kind == row.target, text("namespace"), text("name")) {
                found.push(CrossNamespace { kind: row.target, namespace, name, path });
            }
        });
    }
    found
}

/// Calls `visit` with every node that a path of a [`Row`] leads to.
fn follow<'n, 's>(node: &'n Node<'s>, path: &[&str], at: FieldPath, visit: &mut impl FnMut(&'n Node<'s>, FieldPath)) {
    match (path.split_first(), &node.value) {
        (None, _) => visit(node, at),
        (Some((&"[]", rest)), Value::Sequence(items)) => {
            for (nth, item) in items.iter().enumerate() {
                follow(item, rest, at.index(nth), visit);
            }
        }
        (Some((key, rest)), Value::Mapping(mapping)) => {
            if let Some(value) = mapping.get(key) {
                follow(value, rest, at.key(key), visit);
            }
        }
        _ => {}
    }
}
