//! Pods that run now, and that would meet configuration of a version that they do not understand.

use crate::config::Settings;
use crate::finding::rules::restarts as rules;
use crate::finding::{Finding, Findings, Label};
use crate::flow::Planned;
use crate::object::view::{config_version, pod_template};

/// Says which workloads of the old plan do not understand configuration of the new one: until they are replaced,
/// a restart, or the kubelet's refresh, shows it to them. Configuration under a name of its content is never shown
/// to them, so there is nothing to say of it.
pub fn skew(old: &Planned<'_>, new: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    let (before, after) = (old.objects(), new.objects());
    for (_, workload) in before.iter() {
        let id = &workload.id;
        let Some(held) = pod_template::held(&id.group, &id.kind, &settings.references.pod_templates) else { continue };
        let Some((_, Ok(needs))) = config_version::requirements(workload, &held.path) else { continue };
        let is_there = after.find(&id.group, &id.kind, id.namespace.as_deref(), id.name.text()).is_some();
        for need in needs.iter().filter(|_| is_there) {
            let Some(at) = need.find(workload, after) else { continue };
            if new.linked.versioned.contains_key(&at) {
                continue;
            }
            let source = after.get(at);
            let said = config_version::version(source, &settings.references.config_versions);
            let Some((path, Ok(version))) = said.filter(|(_, said)| said.as_ref().is_ok_and(|v| !need.holds(v))) else {
                continue;
            };
            let message = format!(
                "{} becomes {version}, and the pods of {id} that run now understand {} only: they may read it before \
                 they are replaced",
                source.id, need.text
            );
            found.push(
                Finding::new(&rules::OLD_READER, message)
                    .with_object(&source.id)
                    .with_label(Label::new(source.place_of(&path)).path(path))
                    .with_remedy("give the ConfigMap a name of its content: `tidegate.dev/versioned: \"true\"`"),
            );
        }
    }
}
