//! Metadata that a server owns.
//!
//! An object that was read from a cluster carries what the cluster wrote. Applied anew it fails on its
//! `resourceVersion`, or goes back to the old version that `last-applied-configuration` holds.

use super::options::Metadata;
use super::outcome::{NoteKind, Report};
use super::spoke::Work;
use crate::tree::{FieldPath, Mapping, Node};

/// What kubectl wrote down of the object as it was applied: the old version, with the old weights.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Fields of `metadata` that only a server writes (linkerd2#3962 lists what its users had to delete;
/// ObjectMeta in apimachinery, `pkg/apis/meta/v1/types.go`, names the rest).
const OWNED: &[&str] = &[
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// Treats the metadata of an object on its way as the options say, and says what it says of a live
/// object.
pub(super) fn treat(work: &mut Work<'_, '_>) {
    if work.options.metadata == Metadata::Keep {
        return;
    }
    let stripped = strip(&mut work.tree);
    if stripped.contains(&owners()) {
        let what = "`metadata.ownerReferences` were taken out: applied anew, they make the garbage collector delete the \
                    object";
        work.note(
            NoteKind::OwnerReferences,
            owners(),
            what,
            "change the object that owns it, and keep this one out of the repository",
        );
    }
    if work.tree.at(&["metadata", "finalizers"]).is_some_and(|node| node.items().is_some_and(|items| !items.is_empty()))
    {
        let path = FieldPath::keys(["metadata", "finalizers"]);
        let what = "it has `metadata.finalizers`, which were kept";
        work.note(NoteKind::Finalizers, path, what, "remove them unless a controller of the cluster takes them off");
    }
    work.report.stripped.extend(stripped);
}

fn owners() -> FieldPath {
    FieldPath::keys(["metadata", "ownerReferences"])
}

/// Takes out of an object what a server owns: fields of its metadata, references to owners, what kubectl
/// applied last, and `status`. Gives the paths of what was there. Name, namespace, labels and other
/// annotations stay; annotations that are left empty go.
pub fn strip(tree: &mut Node<'_>) -> Vec<FieldPath> {
    let mut gone = Vec::new();
    let Some(root) = tree.mapping_mut() else { return gone };
    take(root, &FieldPath::default(), &["status"], &mut gone);
    let path = FieldPath::keys(["metadata"]);
    let Some(metadata) = root.get_mut("metadata").and_then(Node::mapping_mut) else { return gone };
    take(metadata, &path, OWNED, &mut gone);
    take(metadata, &path, &["ownerReferences"], &mut gone);
    let path = path.key("annotations");
    let Some(annotations) = metadata.get_mut("annotations").and_then(Node::mapping_mut) else { return gone };
    let before = gone.len();
    take(annotations, &path, &[LAST_APPLIED], &mut gone);
    if annotations.is_empty() && gone.len() > before {
        metadata.remove("annotations");
    }
    gone
}

fn take(mapping: &mut Mapping<'_>, path: &FieldPath, names: &[&str], gone: &mut Vec<FieldPath>) {
    for name in names {
        if mapping.remove(name).is_some() {
            gone.push(path.key(name));
        }
    }
}

impl Report {
    /// Whether references to owners were taken out.
    pub fn lost_owners(&self) -> bool {
        self.stripped.contains(&owners())
    }
}
