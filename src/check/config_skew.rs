//! Workloads that do not understand the configuration that they would read.

use crate::config::{External, Settings};
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::object::Object;
use crate::object::annotation::CONFIG_VERSION;
use crate::object::view::config_version::{self, Requirement};
use crate::object::view::pod_template;
use crate::tree::FieldPath;

pub(super) static RULES: &[&Rule] = &[&NOT_UNDERSTOOD, &UNREADABLE, &NO_VERSION];

static NOT_UNDERSTOOD: Rule = Rule {
    id: "TG530",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a workload does not understand the version of its configuration",
    explanation: "\
The workload says with `tidegate.dev/requires-config` which versions of a ConfigMap it understands, and the
ConfigMap says with `tidegate.dev/config-version`, or in a field that `references.configVersions` names, that it is
another one. The pods would read configuration that they reject or, worse, misread.

Ship the two together: the image that understands the configuration, or the configuration that the image
understands (docs/versions.md).",
};

static UNREADABLE: Rule = Rule {
    id: "TG531",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a version of configuration, or a range of such versions, cannot be read",
    explanation: "\
`tidegate.dev/requires-config` is a list with commas of names of ConfigMaps, each with an operator (`>=`, `<=`, `>`,
`<`, `=`, `~`, `^`) and one to three numbers behind it: `linkerd-config>=2.4, other~1.2`. An item without a name
adds to the one before it: `linkerd-config>=2.4,<3`. `tidegate.dev/config-version` is one to three numbers, with a
pre-release behind them or not. What cannot be read protects nobody, so it is an error.",
};

static NO_VERSION: Rule = Rule {
    id: "TG532",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a workload asks for a version of configuration that says none",
    explanation: "\
The workload says with `tidegate.dev/requires-config` which versions of a ConfigMap it understands. The ConfigMap
is not in the input, or it says nothing of its version, so that nobody can tell whether the two fit.

Annotate it with `tidegate.dev/config-version`, or name the field that says its version in
`references.configVersions` of the configuration.",
};

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    let objects = planned.objects();
    for (_, object) in objects.of_kind("", "ConfigMap") {
        let said = config_version::version(object, &settings.references.config_versions);
        if let Some((path, Err(why))) = said {
            found.push(unreadable(object, path, &why));
        }
    }
    for (_, object) in objects.iter() {
        let rows = &settings.references.pod_templates;
        let Some(held) = pod_template::held(&object.id.group, &object.id.kind, rows) else { continue };
        match config_version::requirements(object, &held.path) {
            None => {}
            Some((path, Err(why))) => found.push(unreadable(object, path, &why)),
            Some((path, Ok(needs))) => {
                needs.iter().for_each(|need| judge(object, &path, need, planned, settings, found));
            }
        }
    }
}

fn unreadable(object: &Object<'_>, path: FieldPath, why: &str) -> Finding {
    Finding::new(&UNREADABLE, format!("`{path}` of {} cannot be read: {why}", object.id))
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(&path)).path(path))
        .with_remedy("write names, operators and versions, as in `linkerd-config>=2.4`, and versions as in `2.4`")
}

fn judge(
    workload: &Object<'_>,
    path: &FieldPath,
    need: &Requirement,
    planned: &Planned<'_>,
    settings: &Settings,
    found: &mut Findings,
) {
    let label = Label::new(workload.place_of(path)).path(path.clone());
    let Some(source) = need.find(workload, planned.objects()) else {
        if !settings.partial && settings.external.default != External::Trust {
            let message =
                format!("{} needs ConfigMap {} {}, which is not in the input", workload.id, need.name, need.text);
            found.push(
                Finding::new(&NO_VERSION, message)
                    .with_object(&workload.id)
                    .with_label(label)
                    .with_remedy("put the ConfigMap into the input, or take the requirement away"),
            );
        }
        return;
    };
    let source = planned.objects().get(source);
    match config_version::version(source, &settings.references.config_versions) {
        None => found.push(
            Finding::new(
                &NO_VERSION,
                format!("{} needs {} {}, which says no version", workload.id, source.id, need.text),
            )
            .with_object(&workload.id)
            .with_label(label)
            .with_label(Label::new(source.place_of(&FieldPath::keys(["metadata", "name"]))).text("the ConfigMap"))
            .with_remedy(format!("annotate it with `{CONFIG_VERSION}`")),
        ),
        Some((said, Ok(version))) if !need.holds(&version) => found.push(
            Finding::new(
                &NOT_UNDERSTOOD,
                format!("{} needs {} {}, which is {version}", workload.id, source.id, need.text),
            )
            .with_object(&workload.id)
            .with_label(label)
            .with_label(Label::new(source.place_of(&said)).path(said).text("the version of the configuration"))
            .with_remedy("ship the image and the configuration that fit each other"),
        ),
        Some(_) => {}
    }
}
