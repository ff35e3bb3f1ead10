//! Kinds that Kubernetes does not have, and versions in which it serves them no more.

mod table;

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity, nearest};
use crate::flow::Planned;
use crate::object::{Object, ObjectSet, scope};
use crate::tree::{FieldPath, Node};

use table::{CHANGES, GONE, NEWEST, SERVED};

pub(super) static RULES: &[&Rule] = &[&NO_SUCH_KIND, &NO_LONGER_SERVED, &NO_SUCH_VERSION];

static NO_SUCH_KIND: Rule = Rule {
    id: "TG541",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "Kubernetes has no such kind in that group",
    explanation: "\
The groups of Kubernetes itself (`v1`, `apps`, `batch`, `networking.k8s.io`, ...) are closed: nobody can add
a kind to them. A kind that is not there is misspelt, or belongs to another group, and is refused when it is
applied (`no matches for kind`).

A warning where the group still grows, since a newer release may have the kind. Nothing is said of a kind
that a definition in the input, `spec.kinds` of `tidegate.yaml` or `--api-versions` names.",
};

static NO_LONGER_SERVED: Rule = Rule {
    id: "TG542",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an API version that Kubernetes serves no more",
    explanation: "\
Newer clusters refuse the object (`no matches for kind \"Ingress\" in version \"extensions/v1beta1\"`), and one
that was applied earlier can no longer be changed in this form. Write the version that replaced it; where
fields changed with it, the finding says which.

A warning, since an old cluster may still serve it. An error if `--api-versions` (or `KUBE_API_VERSIONS` of
Argo CD) lists what the cluster serves and this is not in it; nothing if it is. What newer releases serve
and the list does not hold is a warning: the list may be short.

Source: the lifecycle marks of Kubernetes' API types, and its deprecation guide.",
};

static NO_SUCH_VERSION: Rule = Rule {
    id: "TG543",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "an API version in which Kubernetes does not serve the kind",
    explanation: "\
The group has the kind, and no release that is known serves it in this version, so applying it is refused
(`no matches for kind`). Often the version of another group was copied: a CronJob is `batch/v1`, an Ingress
`networking.k8s.io/v1`.

A warning for alpha versions and for ones that are newer than all that are known.",
};

/// Groups of Kubernetes that still get new kinds.
const GROWING: &[&str] = &[
    "admissionregistration.k8s.io",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "internal.apiserver.k8s.io",
    "lifecycle.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
];

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    for (_, object) in planned.objects().iter().filter(|(_, object)| is_closed(&object.id.group)) {
        let listed = listed(object, settings);
        if listed == Some(true) || is_defined(object, planned.objects(), settings) {
            continue;
        }
        judge(object, listed).into_iter().for_each(|finding| found.push(finding));
    }
}

/// Whether a group is one of Kubernetes itself.
fn is_closed(group: &str) -> bool {
    SERVED.iter().any(|row| row.0 == group) || GONE.iter().any(|gone| gone.group == group)
}

/// Whether the cluster serves an object's version of its kind; none where nobody said what it serves.
fn listed(object: &Object<'_>, settings: &Settings) -> Option<bool> {
    let listed = &settings.convert.api_versions;
    // a list with the groups that every cluster has is one of all groups
    let is_whole = ["", "apps"].iter().all(|group| listed.iter().any(|served| served.group == *group));
    let (group, kind) = (&object.id.group, &object.id.kind);
    let is_in = listed.iter().any(|served| served.names(group, kind) && *served.version == *object.version);
    (is_in || is_whole).then_some(is_in)
}

/// Whether a definition in the input or the configuration knows the kind of an object.
fn is_defined(object: &Object<'_>, objects: &ObjectSet<'_>, settings: &Settings) -> bool {
    let (group, kind) = (&*object.id.group, &*object.id.kind);
    let defines = |definition: &Object<'_>| {
        let text = |path: &[&str]| definition.tree.at(path).and_then(Node::as_str);
        text(&["spec", "group"]) == Some(group) && text(&["spec", "names", "kind"]) == Some(kind)
    };
    settings.kinds.iter().any(|row| &*row.kind.group == group && &*row.kind.kind == kind)
        || objects.of_kind("apiextensions.k8s.io", "CustomResourceDefinition").any(|(_, object)| defines(object))
}

fn judge(object: &Object<'_>, listed: Option<bool>) -> Option<Finding> {
    let (group, kind, version) = (&*object.id.group, &*object.id.kind, &*object.version);
    if (group, kind, version) == ("apiextensions.k8s.io", "CustomResourceDefinition", "v1beta1") {
        return None; // has a rule of its own
    }
    let served = SERVED.iter().find(|row| (row.0, row.1) == (group, kind)).map(|row| row.2);
    let gone = GONE.iter().find(|gone| (gone.group, gone.kind, gone.version) == (group, kind, version));
    let severity = |unknown| if listed == Some(false) { Severity::Error } else { unknown };
    match (served, gone) {
        (_, Some(gone)) => Some(no_longer_served(object, gone).with_severity(severity(Severity::Warning))),
        (Some(versions), None) if versions.contains(&version) => {
            (listed == Some(false)).then(|| not_listed(object, versions))
        }
        (Some(versions), None) => {
            Some(no_such_version(object, versions).with_severity(severity(unknown(version, versions))))
        }
        (None, None) if scope::is_kubernetes(group, kind) => {
            Some(left(object).with_severity(severity(Severity::Warning)))
        }
        (None, None) => {
            let finding = no_such_kind(object);
            let unknown = finding.severity;
            Some(finding.with_severity(severity(unknown)))
        }
    }
}

/// How bad a version is that is in no list.
fn unknown(version: &str, versions: &[&str]) -> Severity {
    let major = |version: &str| -> u32 {
        let digits: String = version.chars().skip(1).take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(u32::MAX)
    };
    let is_newer = versions.iter().all(|known| major(known) < major(version));
    if is_newer || version.contains("alpha") { Severity::Warning } else { Severity::Error }
}

/// A finding at a field of the head of an object.
fn at(rule: &'static Rule, object: &Object<'_>, field: &str, message: String) -> Finding {
    let path = FieldPath::keys([field]);
    Finding::new(rule, message).with_object(&object.id).with_label(Label::new(object.place_of(&path)).path(path))
}

fn no_longer_served(object: &Object<'_>, gone: &table::Gone) -> Finding {
    let message =
        format!("{} is of {}, which Kubernetes has not served since 1.{}", object.id, object.api_version(), gone.since);
    let change = CHANGES.iter().find(|(kind, _)| *kind == gone.kind).map(|(_, change)| *change);
    let remedy = match (gone.instead, change) {
        ("", Some(change)) => format!("nothing replaces it: {change}"),
        ("", None) => "nothing replaces it: take it out".to_owned(),
        (instead, Some(change)) => format!("write `apiVersion: {instead}`: {change}"),
        (instead, None) => format!("write `apiVersion: {instead}`"),
    };
    at(&NO_LONGER_SERVED, object, "apiVersion", message).with_remedy(remedy)
}

/// A kind that left with all of its versions, or for another group.
fn left(object: &Object<'_>) -> Finding {
    let message = format!("{} is of {}, which Kubernetes 1.{NEWEST} does not serve", object.id, object.api_version());
    let remedy = match elsewhere(&object.id.kind) {
        Some(instead) => format!("write `apiVersion: {instead}`"),
        None => "take it out, or name the kind under `spec.kinds` of `tidegate.yaml`".to_owned(),
    };
    at(&NO_LONGER_SERVED, object, "apiVersion", message).with_remedy(remedy)
}

fn not_listed(object: &Object<'_>, versions: &[&str]) -> Finding {
    let message = format!("{} is of {}, which is not among what the cluster serves", object.id, object.api_version());
    let known = versions.iter().map(|version| format!("`{}`", api_version(&object.id.group, version)));
    let known = known.collect::<Vec<_>>().join(", ");
    at(&NO_LONGER_SERVED, object, "apiVersion", message).with_remedy(format!(
        "write a version that the cluster serves (Kubernetes has {known}), or correct `--api-versions`"
    ))
}

fn no_such_version(object: &Object<'_>, versions: &[&str]) -> Finding {
    let message = format!("{} is of {}, which Kubernetes 1.{NEWEST} does not serve", object.id, object.api_version());
    let best = versions.first().copied().unwrap_or("v1");
    at(&NO_SUCH_VERSION, object, "apiVersion", message)
        .with_remedy(format!("write `apiVersion: {}`", api_version(&object.id.group, best)))
}

fn no_such_kind(object: &Object<'_>) -> Finding {
    let (group, kind) = (&*object.id.group, &*object.id.kind);
    let shown = if group.is_empty() { "the core group".to_owned() } else { format!("the group `{group}`") };
    let of_group = SERVED.iter().filter(|row| row.0 == group).map(|row| row.1);
    let message = format!("{} is of kind {kind}, which {shown} of Kubernetes does not have", object.id);
    if let Some(near) = nearest(kind, of_group) {
        return at(&NO_SUCH_KIND, object, "kind", message).with_remedy(format!("did you mean `kind: {near}`?"));
    }
    let everywhere = SERVED.iter().map(|row| row.1);
    let other = elsewhere(kind).map(|instead| (kind, instead));
    let other = other.or_else(|| nearest(kind, everywhere).and_then(|near| Some((near, elsewhere(near)?))));
    if let Some((kind, instead)) = other {
        let remedy = format!("`kind: {kind}` is of `apiVersion: {instead}`");
        return at(&NO_SUCH_KIND, object, "kind", message).with_remedy(remedy);
    }
    let severity = if GROWING.contains(&group) { Severity::Warning } else { Severity::Error };
    let remedy = "correct `kind` or `apiVersion`; custom kinds have a group of their own";
    at(&NO_SUCH_KIND, object, "kind", message).with_severity(severity).with_remedy(remedy)
}

/// The preferred version of a kind of Kubernetes, whatever its group.
fn elsewhere(kind: &str) -> Option<String> {
    let row = SERVED.iter().find(|row| row.1 == kind)?;
    Some(api_version(row.0, row.2.first()?))
}

fn api_version(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_in_order_and_every_replacement_is_served() {
        let rows: Vec<_> = SERVED.iter().map(|row| (row.0, row.1)).collect();
        assert!(rows.windows(2).all(|pair| pair[0] < pair[1]), "sorted, each once");
        let gone: Vec<_> = GONE.iter().map(|gone| (gone.group, gone.kind, gone.version)).collect();
        assert!(gone.windows(2).all(|pair| pair[0] < pair[1]), "sorted, each once");
        for gone in GONE {
            let served = SERVED.iter().filter(|row| row.1 == gone.kind);
            let mut known = served.flat_map(|row| row.2.iter().map(|version| api_version(row.0, version)));
            assert!(gone.instead.is_empty() || known.any(|known| known == gone.instead), "{}", gone.instead);
            assert!(gone.since <= NEWEST && scope::is_kubernetes(gone.group, gone.kind), "{}", gone.kind);
            assert!(
                !SERVED.iter().any(|row| (row.0, row.1) == (gone.group, gone.kind) && row.2.contains(&gone.version))
            );
        }
        assert!(CHANGES.iter().all(|(kind, _)| GONE.iter().any(|gone| gone.kind == *kind)));
    }

    #[test]
    fn versions_that_may_come_are_warnings() {
        assert_eq!(unknown("v2", &["v1"]), Severity::Warning);
        assert_eq!(unknown("v1alpha1", &["v1"]), Severity::Warning);
        assert_eq!(unknown("v1beta7", &["v1"]), Severity::Error);
        assert_eq!(unknown("v1", &["v2"]), Severity::Error);
    }
}
