//! Subjects of bindings that name nobody.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&SUBJECT_WITHOUT_NAMESPACE];

static SUBJECT_WITHOUT_NAMESPACE: Rule = Rule {
    id: "TG113",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a ServiceAccount subject of a ClusterRoleBinding names no namespace",
    explanation: "A ClusterRoleBinding has no namespace that could serve as a default, so the API server refuses a \
subject of kind ServiceAccount without one (`ValidateRoleBindingSubject` in `pkg/apis/rbac/validation`).",
};

pub(super) fn run(planned: &Planned<'_>, _: &Settings, found: &mut Findings) {
    for (_, object) in planned.linked.loaded.objects.of_kind("rbac.authorization.k8s.io", "ClusterRoleBinding") {
        let subjects = object.tree.get("subjects").and_then(Node::items).unwrap_or_default();
        for (nth, subject) in subjects.iter().enumerate() {
            let text = |field| subject.get(field).and_then(Node::as_str).unwrap_or("");
            if text("kind") != "ServiceAccount" || !text("namespace").is_empty() {
                continue;
            }
            let path = FieldPath::keys(["subjects"]).index(nth);
            let message = format!("subject ServiceAccount `{}` of {} names no namespace", text("name"), object.id);
            found.push(
                Finding::new(&SUBJECT_WITHOUT_NAMESPACE, message)
                    .with_object(&object.id)
                    .with_label(Label::new(object.place_of(&path)).path(path))
                    .with_remedy("add `namespace:` to the subject"),
            );
        }
    }
}
