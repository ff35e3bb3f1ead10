//! The safe way of a definition from one stored version to another.
//!
//! At no moment may a read fail: whoever converts is ready before a version that needs it is served, both
//! versions are served while objects are written anew, and a version goes only when nothing is stored in
//! it. The order is that of the documentation of CustomResourceDefinition ("Upgrade existing objects to a
//! new stored version"); an object that is read and written back as it is, is stored anew, since its
//! bytes differ (`GuaranteedUpdate`, k8s.io/apiserver, pkg/storage/etcd3/store.go).

mod script;
mod steps;

use std::collections::BTreeSet;

use serde::Serialize;

use super::crd_v1beta1;
use super::traffic_split;
use crate::finding::rules::crds as rules;
use crate::finding::{Finding, Findings, Label, Reported, Rule};
use crate::json;
use crate::object::gvk::{is_dns_label, is_dns_subdomain};
use crate::object::{Object, ObjectSet};
use crate::tree::{FieldPath, Node, Value};

/// The annotation by which cert-manager is asked for the bundle of a webhook.
const INJECT: &str = "cert-manager.io/inject-ca-from";

/// A way from stored versions to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The name of the definition: `trafficsplits.split.smi-spec.io`.
    pub definition: String,
    /// Its group.
    pub group: String,
    /// Its kind.
    pub kind: String,
    /// The resource name of the kind: `trafficsplits`.
    pub plural: String,
    /// The versions that are to go, in the order of the definition.
    pub from: Vec<String>,
    /// The version that objects are to be stored in.
    pub to: String,
    /// Who converts.
    pub conversion: Conversion,
    /// The steps, in order; none where there is nothing to do.
    pub steps: Vec<Step>,
    /// The target version as JSON, served and not the storage version, for a cluster that lacks it.
    added: String,
}

/// Who converts between the versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Conversion {
    /// Nobody: the API server changes `apiVersion` and nothing else.
    None,
    /// A webhook.
    Webhook {
        /// Namespace and name of its Service; none where it is a URL.
        service: Option<(String, String)>,
        /// `spec.conversion` as JSON.
        stanza: String,
        /// The Certificate that cert-manager takes the bundle from: `NAMESPACE/NAME`.
        certificate: Option<String>,
    },
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What is done, in one line.
    pub title: String,
    /// Why it has to be now.
    pub why: String,
    /// How to do it by hand, or to see to it.
    pub commands: Vec<String>,
    /// What has to hold before the next step.
    pub check: String,
    /// The functions of the script that do it.
    call: String,
}

/// The definition of a group and kind in the input (`split.smi-spec.io`, `TrafficSplit`), or the only one
/// there is where nothing is asked for.
pub fn definition<'o, 's>(objects: &'o ObjectSet<'s>, kind: Option<(&str, &str)>) -> Option<&'o Object<'s>> {
    let definitions = objects.of_kind(crd_v1beta1::GROUP, crd_v1beta1::KIND).map(|(_, object)| object);
    let mut fitting = definitions.filter(|object| match kind {
        Some(kind) => super::served::defines(object) == Some(kind),
        None => true,
    });
    let first = fitting.next()?;
    match fitting.next() {
        None => Some(first),
        Some(_) => None,
    }
}

/// Plans the way of a definition (a manifest, or the dump of one with its `status`) to a version. The
/// versions that are to go are those of `status.storedVersions` and the storage version; where that is
/// the target alone, every other version of the definition.
///
/// # Errors
/// When there is no safe way: the definition does not have the version, or lacks one that objects are
/// stored in, or cannot be read (`TG451`, and `TG431` for one of v1beta1). What a plan cannot see to is a warning (`TG452`).
pub fn plan(definition: &Object<'_>, to: &str, found: &mut Findings) -> Result<Plan, Reported> {
    let made;
    let object = match crd_v1beta1::is_v1beta1(definition) {
        true => {
            made = crd_v1beta1::convert(definition, found)?;
            &made
        }
        false => definition,
    };
    let read = Read { origin: definition, object };
    let named = read.named().ok_or_else(|| {
        let remedy = "write its name, `spec.group` and `spec.names`";
        read.stop(found, "it does not say what it defines", &["spec"], remedy)
    })?;
    let versions = read.versions();
    let Some(target) = versions.iter().find(|version| version.0 == to) else {
        let known: Vec<&str> = versions.iter().map(|version| version.0).collect();
        let message = match known.is_empty() {
            true => "it has no versions".to_owned(),
            false => format!("it has no version {to}; it has {}", known.join(", ")),
        };
        let remedy = format!("add {to} to `spec.versions`, with its schema, `served: true` and `storage: false`");
        return Err(read.stop(found, &message, &["spec", "versions"], &remedy));
    };
    if let Some(finding) = read.unread(&versions) {
        found.push(finding);
        return Err(Reported);
    }
    let from = read.from(&versions, to);
    if from.iter().chain([&to.to_owned()]).any(|version| !is_dns_label(version)) {
        let remedy = "correct the names of its versions";
        return Err(read.stop(found, "one of its versions has no valid name", &["spec", "versions"], remedy));
    }
    let conversion = read.conversion();
    let [name, group, kind, plural] = named;
    let mut plan = Plan {
        definition: name,
        group,
        kind,
        plural,
        from,
        to: to.to_owned(),
        conversion,
        steps: Vec::new(),
        added: added(target.1),
    };
    if plan.changes_weights() && plan.conversion == Conversion::None {
        let message = "with `conversion: None` a weight such as `500m` keeps its spelling, and no newer version is one";
        let remedy = "convert with a webhook, or see to it that every stored weight is a whole number";
        found.push(read.finding(&rules::PLAN_CAUTION, message, &["spec", "conversion"]).with_remedy(remedy));
    }
    plan.steps = steps::of(&plan);
    Ok(plan)
}

impl Plan {
    /// The plan as text: numbered steps, each with its reason, what to do, and what has to hold before
    /// the next. Ends with a line break.
    pub fn text(&self) -> String {
        steps::text(self)
    }

    /// The plan as a bash script that runs kubectl. Every step looks before it acts, so that it can be run
    /// again; it needs no other program.
    pub fn script(&self) -> String {
        script::of(self)
    }

    /// Whether weights change their type on the way, so that somebody has to convert them.
    fn changes_weights(&self) -> bool {
        let is_split = (&*self.group, &*self.kind) == (traffic_split::KIND.group, traffic_split::KIND.kind);
        let old = |version: &str| version == "v1alpha1";
        is_split && self.from.iter().any(|version| old(version) != old(&self.to))
    }
}

/// A definition that is read.
struct Read<'o, 's> {
    /// As it was written: places are looked up in it.
    origin: &'o Object<'s>,
    object: &'o Object<'s>,
}

impl<'o> Read<'o, '_> {
    fn text(&self, path: &[&str]) -> Option<&'o str> {
        self.object.tree.at(path).and_then(Node::as_str)
    }

    /// Name, group, kind and plural, each a name that can stand in a command.
    fn named(&self) -> Option<[String; 4]> {
        let group = self.text(&["spec", "group"]).filter(|group| is_dns_subdomain(group))?;
        let plural = self.text(&["spec", "names", "plural"]).filter(|plural| is_dns_label(plural))?;
        let kind = self.text(&["spec", "names", "kind"])?;
        let name = self.object.id.name.text();
        is_dns_subdomain(name).then(|| [name, group, kind, plural].map(str::to_owned))
    }

    fn versions(&self) -> Vec<(&'o str, &'o Node<'_>)> {
        let items = self.object.tree.at(&["spec", "versions"]).and_then(Node::items).unwrap_or_default();
        items.iter().filter_map(|item| Some((item.get("name")?.as_str()?, item))).collect()
    }

    /// The versions that are to go.
    fn from(&self, versions: &[(&str, &Node<'_>)], to: &str) -> Vec<String> {
        let stored = self.origin.tree.at(&["status", "storedVersions"]).and_then(Node::items).unwrap_or_default();
        let mut old: BTreeSet<&str> = stored.iter().filter_map(Node::as_str).collect();
        let is_storage = |node: &Node<'_>| node.get("storage").and_then(Node::as_bool) == Some(true);
        old.extend(versions.iter().filter(|(_, node)| is_storage(node)).map(|(name, _)| *name));
        old.remove(to);
        if old.is_empty() {
            old = versions.iter().map(|(name, _)| *name).filter(|name| *name != to).collect();
        }
        versions.iter().map(|(name, _)| *name).filter(|name| old.contains(name)).map(str::to_owned).collect()
    }

    /// That objects are stored in a version that the definition does not list, so that nobody can read them: there
    /// is no step from which they could be written anew.
    fn unread(&self, versions: &[(&str, &Node<'_>)]) -> Option<Finding> {
        let stored = self.origin.tree.at(&["status", "storedVersions"]).and_then(Node::items).unwrap_or_default();
        let is_listed = |stored: &str| versions.iter().any(|(name, _)| *name == stored);
        let mut named = stored.iter().enumerate().filter_map(|(index, node)| Some((index, node.as_str()?)));
        let (index, version) = named.find(|(_, stored)| !is_listed(stored))?;
        let path = FieldPath::keys(["status", "storedVersions"]).index(index);
        let message = format!(
            "{}: objects are stored in {version}, which is not among its versions: nobody could read them",
            self.origin.id
        );
        let remedy = format!(
            "put {version} back into `spec.versions` (`served: false` is enough), apply that, and plan from a dump of it"
        );
        let finding = Finding::new(&rules::NO_PLAN, message).with_object(&self.origin.id);
        let label = Label::new(self.origin.place_of(&path)).path(path);
        Some(finding.with_label(label).with_remedy(remedy))
    }

    fn conversion(&self) -> Conversion {
        let Some(stanza) = self.object.tree.at(&["spec", "conversion"]) else { return Conversion::None };
        if stanza.get("strategy").and_then(Node::as_str) != Some("Webhook") {
            return Conversion::None;
        }
        let service = |field| self.text(&["spec", "conversion", "webhook", "clientConfig", "service", field]);
        let service = service("namespace").zip(service("name"));
        let service = service.filter(|(namespace, name)| is_dns_label(namespace) && is_dns_label(name));
        Conversion::Webhook {
            service: service.map(|(namespace, name)| (namespace.to_owned(), name.to_owned())),
            stanza: written(stanza),
            certificate: self.object.annotation(INJECT).filter(|at| is_certificate(at)).map(str::to_owned),
        }
    }

    fn finding(&self, rule: &'static Rule, message: &str, path: &[&str]) -> Finding {
        let path = FieldPath::keys(path.iter().copied());
        Finding::new(rule, format!("{}: {message}", self.origin.id))
            .with_object(&self.origin.id)
            .with_label(Label::new(self.origin.place_of(&path)).path(path))
    }

    fn stop(&self, found: &mut Findings, message: &str, path: &[&str], remedy: &str) -> Reported {
        found.push(self.finding(&rules::NO_PLAN, message, path).with_remedy(remedy));
        Reported
    }
}

/// Whether a text is `NAMESPACE/NAME`.
fn is_certificate(text: &str) -> bool {
    text.split_once('/').is_some_and(|(namespace, name)| is_dns_label(namespace) && is_dns_subdomain(name))
}

fn written(node: &Node<'_>) -> String {
    let mut text = String::new();
    json::write(node, &mut text);
    text
}

/// A version as it is added to a definition: it can be read, and nothing is stored in it yet.
fn added(version: &Node<'_>) -> String {
    let mut version = version.clone();
    if let Some(mapping) = version.mapping_mut() {
        mapping.set("served", Node::made(Value::Bool(true)));
        mapping.set("storage", Node::made(Value::Bool(false)));
    }
    written(&version)
}

#[cfg(test)]
mod tests;
