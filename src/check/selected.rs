//! Selectors that select nobody.
//!
//! The input rarely is the whole cluster, and controllers make pods and put labels on them, so that
//! nobody is selected is worth a warning only where the input shows whom the selector means: labels
//! that are all right but for a slip in one, or pods with all of them in another namespace that no
//! Service selects. Else it is said for information, and not at all where the input has nothing of the
//! kind beside the selector, or somebody who may make it.

use std::collections::BTreeSet;

use crate::config::{External, Settings};
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity, is_near};
use crate::flow::{Linked, Planned, Selection};
use crate::object::view::pod_template;
use crate::object::{ObjRef, Object, scope};
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&SERVICE, &OTHER];

static SERVICE: Rule = Rule {
    id: "TG311",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a Service selects no pods",
    explanation: "\
A Service without pods has no endpoints: connections to it are refused, and whatever waits for it waits
for ever. The labels that count are those of the pod template (`spec.template.metadata.labels`), not
those of the Deployment, and only pods of the Service's own namespace are selected. For example

    kind: Service
    spec: {selector: {app: web}}
    ---
    kind: Deployment
    spec: {template: {metadata: {labels: {app: wep}}}}

It is a warning where the input shows whom the selector means: pods whose labels are right but for one
slip, or pods with all the labels in another namespace, which no Service there selects. Where the
namespace has pods and none of them is meant it is information: the others may be made by somebody
else. Nothing is said where labels are put on pods at run time, where a custom resource of the name may
make the pods, or where pods with all the labels name a namespace and the Service names none, or the other
way round: they may be in the same.

Correct the selector or the labels, or leave the selector out if somebody else writes the endpoints.
Source: k8s.io/docs/concepts/services-networking/service.",
};

static OTHER: Rule = Rule {
    id: "TG314",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a policy or monitor selects nobody",
    explanation: "\
A PodDisruptionBudget, NetworkPolicy, PodMonitor or ServiceMonitor acts only on what its selector
selects: if that is nobody, nothing is protected, isolated or scraped, and no error says so. A
ServiceMonitor selects Services by the labels of the Services themselves, the others select pods by the
labels of pod templates.

It is a warning where the input shows whom the selector means (labels that are right but for one slip),
else information, since others may bring what is meant. Nothing is said where what has all the labels
names a namespace and the selecting object none, or the other way round.

Correct the selector or the labels.",
};

/// A kind that selects: its group, its kind, the row of the table of selectors, whom it selects.
type Row = (&'static str, &'static str, &'static str, Whom);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Whom {
    Pods,
    Services,
}

const ROWS: &[Row] = &[
    ("", "Service", "spec.selector", Whom::Pods),
    ("policy", "PodDisruptionBudget", "spec.selector", Whom::Pods),
    ("networking.k8s.io", "NetworkPolicy", "spec.podSelector", Whom::Pods),
    ("monitoring.coreos.com", "ServiceMonitor", "spec.selector", Whom::Services),
    ("monitoring.coreos.com", "PodMonitor", "spec.selector", Whom::Pods),
];

/// One who may be selected.
struct Person<'o> {
    at: ObjRef,
    namespace: Option<&'o str>,
    labels: Option<&'o Node<'o>>,
}

impl<'o> Person<'o> {
    fn label(&self, key: &str) -> Option<&'o str> {
        self.labels?.get(key)?.as_str()
    }

    fn has(&self, (key, value): &(&str, &str)) -> bool {
        self.label(key) == Some(*value)
    }

    fn has_all(&self, asked: &[(&str, &str)]) -> bool {
        asked.iter().all(|pair| self.has(pair))
    }

    /// Whether one of the two namespaces is not known, so that they may be the same.
    fn may_be_in(&self, namespace: Option<&str>) -> bool {
        self.namespace.is_some() != namespace.is_some()
    }
}

/// Whom a selector seems to mean.
enum Meant<'o> {
    /// This one, but for a label that is written otherwise there.
    Near(ObjRef, Slip<'o>),
    /// This one, in another namespace.
    Elsewhere(ObjRef),
    /// Nobody of the input.
    Nobody,
}

/// What a selector asks for, and what is there instead.
struct Slip<'o> {
    asked: String,
    has: String,
    path: [&'o str; 1],
}

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    let linked = &planned.linked;
    let is_part = settings.partial || settings.external.default == External::Trust || !linked.loaded.unread.is_empty();
    if is_part || linked.selections.iter().all(|selection| !selection.selected.is_empty()) {
        return;
    }
    let people = People::new(linked);
    for selection in linked.selections.iter().filter(|selection| selection.selected.is_empty()) {
        let object = linked.loaded.objects.get(selection.from);
        let row = ROWS.iter().find(|row| object.is(row.0, row.1) && row.2 == selection.row);
        let Some((.., whom)) = row else { continue };
        let Some(asked) = asked(object, selection) else { continue };
        if let Some(meant) = people.meant(linked, object, &asked, *whom) {
            found.push(finding(linked, selection, &asked, &meant, *whom));
        }
    }
}

/// The labels that a selector asks for; nothing for one that asks for other things too, or that
/// belongs to a Service which has none.
fn asked<'o>(object: &'o Object<'_>, selection: &Selection) -> Option<Vec<(&'o str, &'o str)>> {
    let node = object.tree.follow(&selection.path)?;
    if object.tree.at(&["spec", "type"]).and_then(Node::as_str) == Some("ExternalName") {
        return None;
    }
    let labels = match object.is("", "Service") {
        true => node,
        false if node.get("matchExpressions").is_some_and(|node| !node.is_null()) => return None,
        false => node.get("matchLabels")?,
    };
    let pairs = labels.mapping()?.entries().iter().map(|(key, value)| Some((&*key.name, value.as_str()?)));
    pairs.collect::<Option<Vec<_>>>().filter(|pairs| !pairs.is_empty())
}

/// Everybody who may be selected.
struct People<'o> {
    pods: Vec<Person<'o>>,
    services: Vec<Person<'o>>,
    /// Every key of a label of some pod.
    keys: BTreeSet<&'o str>,
    /// Custom resources: somebody may make pods of them.
    custom: Vec<(Option<&'o str>, &'o str)>,
    selected: BTreeSet<ObjRef>,
}

impl<'o> People<'o> {
    fn new(linked: &'o Linked<'_>) -> Self {
        let objects = &linked.loaded.objects;
        let person =
            |at, object: &'o Object<'_>, labels| Person { at, namespace: object.id.namespace.as_deref(), labels };
        let pods = objects.iter().filter_map(|(at, object)| {
            let row = pod_template::of(object).filter(|row| row.kind != "PodTemplate")?;
            Some(person(at, object, row.find(object)?.at(&["metadata", "labels"])))
        });
        let pods: Vec<_> = pods.collect();
        let services = objects.of_kind("", "Service");
        let services = services.map(|(at, object)| person(at, object, object.tree.at(&["metadata", "labels"])));
        let entries = pods.iter().filter_map(|pod| pod.labels?.mapping()).flat_map(|labels| labels.entries());
        let keys = entries.map(|(key, _)| &*key.name).collect();
        let is_custom = |object: &Object<'_>| {
            !scope::is_kubernetes(&object.id.group, &object.id.kind) && pod_template::of(object).is_none()
        };
        let custom = objects.iter().filter(|(_, object)| is_custom(object));
        let custom = custom.map(|(_, object)| (object.id.namespace.as_deref(), object.id.name.text())).collect();
        let by_services = linked.selections.iter().filter(|selection| objects.get(selection.from).is("", "Service"));
        let selected = by_services.flat_map(|selection| selection.selected.iter().copied()).collect();
        People { pods, services: services.collect(), keys, custom, selected }
    }

    /// Whom a selector means; nothing where there is nothing to say.
    fn meant(&self, linked: &Linked<'_>, by: &Object<'_>, asked: &[(&str, &str)], whom: Whom) -> Option<Meant<'o>> {
        let all = if whom == Whom::Pods { &self.pods } else { &self.services };
        let namespace = by.id.namespace.as_deref();
        let wide = by.tree.at(&["spec", "namespaceSelector"]).filter(|node| !node.is_null());
        let is_wide = wide.is_some();
        let names = wide.and_then(|node| node.get("matchNames")).and_then(Node::items).unwrap_or_default();
        let is_looked_in = |of: Option<&str>| match (is_wide, names) {
            (false, _) => of == namespace,
            (true, []) => true,
            (true, names) => names.iter().any(|name| name.as_str() == of),
        };
        if !is_wide && all.iter().any(|person| person.may_be_in(namespace) && person.has_all(asked)) {
            return None;
        }
        let beside = || all.iter().filter(|person| is_looked_in(person.namespace));
        if beside().next().is_none() {
            return self.elsewhere(linked, asked, all, whom, is_wide);
        }
        let mut comes_later = false;
        for person in beside() {
            let wrong: Vec<_> = asked.iter().filter(|pair| !person.has(pair)).collect();
            if let [pair] = wrong[..]
                && let Some(slip) = slip(person, *pair, asked.len() == 1)
            {
                return Some(Meant::Near(person.at, slip));
            }
            let is_unknown = |(key, _): &&(&str, &str)| !self.keys.contains(key);
            comes_later |= wrong.len() < asked.len() && wrong.iter().all(is_unknown);
        }
        let is_made = self.custom.iter().any(|(of, name)| {
            let is_named = |(_, value): &(&str, &str)| name == value || (name.len() > 3 && value.contains(name));
            is_looked_in(*of) && asked.iter().any(is_named)
        });
        if comes_later || is_made {
            return None;
        }
        self.elsewhere(linked, asked, all, whom, is_wide).or(Some(Meant::Nobody))
    }

    fn elsewhere(
        &self,
        linked: &Linked<'_>,
        asked: &[(&str, &str)],
        all: &[Person<'_>],
        whom: Whom,
        is_wide: bool,
    ) -> Option<Meant<'o>> {
        let mut found =
            all.iter().filter(|person| person.has_all(asked)).filter(|person| !self.selected.contains(&person.at));
        let one = found.next()?;
        let is_named = linked.loaded.objects.get(one.at).id.namespace.is_some();
        (found.next().is_none() && whom == Whom::Pods && !is_wide && is_named).then_some(Meant::Elsewhere(one.at))
    }
}

/// What one has in the place of a label that is asked for, if it looks like a slip. The only label of a
/// selector is no evidence of whom it means, so that its value must be near.
fn slip<'o>(person: &Person<'o>, (key, value): (&str, &str), is_only: bool) -> Option<Slip<'o>> {
    let asked = format!("{key}={value}");
    let entries = person.labels?.mapping()?.entries();
    let (has_key, has) = entries.iter().find_map(|(has_key, has)| {
        let has = has.as_str()?;
        let is_value = *has_key.name == *key && is_near(has, value);
        let is_key = !is_only && has == value && is_near(&has_key.name, key);
        (is_value || is_key).then_some((&*has_key.name, has))
    })?;
    Some(Slip { asked, has: format!("{has_key}={has}"), path: [has_key] })
}

fn finding(
    linked: &Linked<'_>,
    selection: &Selection,
    asked: &[(&str, &str)],
    meant: &Meant<'_>,
    whom: Whom,
) -> Finding {
    let object = linked.loaded.objects.get(selection.from);
    let rule = if object.is("", "Service") { &SERVICE } else { &OTHER };
    let people = if whom == Whom::Pods { "pods" } else { "Services" };
    let labels = asked.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",");
    let message = format!("{} selects {people} by `{labels}`, and the input has none where it looks", object.id);
    let finding = Finding::new(rule, message)
        .with_object(&object.id)
        .with_label(Label::new(selection.place).path(selection.path.clone()));
    match meant {
        Meant::Near(at, slip) => {
            let (path, place) = place_of_label(linked.loaded.objects.get(*at), slip.path[0]);
            let text = format!("{} has `{}`", linked.loaded.objects.get(*at).id, slip.has);
            let label = Label::new(place).path(path).text(text);
            finding.with_label(label).with_remedy(format!("did you mean `{}` instead of `{}`?", slip.has, slip.asked))
        }
        Meant::Elsewhere(at) => {
            let person = linked.loaded.objects.get(*at);
            let path = FieldPath::keys(["metadata", "name"]);
            let text = format!("{} has these labels, in another namespace", person.id);
            finding
                .with_label(Label::new(person.place_of(&path)).path(path).text(text))
                .with_remedy("put both into one namespace")
        }
        Meant::Nobody => finding
            .with_severity(Severity::Info)
            .with_remedy("correct the selector, unless somebody else brings what it selects"),
    }
}

/// Where a label stands by which somebody may be selected.
fn place_of_label(object: &Object<'_>, key: &str) -> (FieldPath, crate::source::Place) {
    let template = pod_template::of(object).map(|row| row.path).unwrap_or_default();
    let path = FieldPath::keys(template.iter().copied()).key("metadata").key("labels").key(key);
    let place = object.place_of(&path);
    (path, place)
}
