//! What a tree of files with kustomizations cannot hold.

use crate::finding::rules::output;
use crate::finding::{Finding, Findings, Label};
use crate::flow::Planned;
use crate::tree::FieldPath;

pub(super) fn run(planned: &Planned<'_>, found: &mut Findings) {
    for (_, object) in planned.objects().iter().filter(|(_, object)| !object.id.is_fixed()) {
        let path = FieldPath::keys(["metadata", "generateName"]);
        let message = format!("{} has no name of its own, so no kustomization can list it", object.id);
        found.push(
            Finding::new(&output::NO_KUSTOMIZATION, message)
                .with_object(&object.id)
                .with_label(Label::new(object.place_of(&path)).path(path))
                .with_remedy("give it a name, or create it with `kubectl create -f`"),
        );
    }
}
