//! Definitions of a version that no cluster of today takes.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::tree::FieldPath;

pub(super) static RULES: &[&Rule] = &[&OLD_DEFINITION];

static OLD_DEFINITION: Rule = Rule {
    id: "TG430",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a definition has the version v1beta1, which Kubernetes serves no more",
    explanation: "\
Kubernetes 1.22 took `apiextensions.k8s.io/v1beta1` away. Applied to it or to anything later, the definition
is refused (`no matches for kind \"CustomResourceDefinition\"`), and so is every object of its kind.

`tidegate convert` makes a v1 definition of it that keeps what the old one kept, and names what v1 would
refuse. A render leaves it as it is: whether a schema is complete is for its owner to say.",
};

pub(super) fn run(planned: &Planned<'_>, _: &Settings, found: &mut Findings) {
    let definitions = planned.objects().of_kind("apiextensions.k8s.io", "CustomResourceDefinition");
    for (_, definition) in definitions.filter(|(_, definition)| &*definition.version == "v1beta1") {
        let path = FieldPath::keys(["apiVersion"]);
        let message = format!("{} is of v1beta1, which Kubernetes has not served since 1.22", definition.id);
        found.push(
            Finding::new(&OLD_DEFINITION, message)
                .with_object(&definition.id)
                .with_label(Label::new(definition.place_of(&path)).path(path))
                .with_remedy("`tidegate convert` makes a v1 definition of it"),
        );
    }
}
