//! Objects that are not there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::expected::Expected;
use super::slips::{Home, Named, Names, home};
use super::unread::UnreadWords;
use super::{ELSEWHERE, HOMELESS, OBJECT, keys, shown};
use crate::config::{External, Settings};
use crate::finding::{Finding, Findings, Label, Severity};
use crate::flow::{Linked, Product, Reach, Reference, Resolution, Target};
use crate::object::scope::{self, Scope};
use crate::object::{ObjRef, Object};
use crate::tree::{FieldPath, Node, Step};

/// Places of one finding: the rest says nothing new.
const PLACES: usize = 4;

/// An object that another needs and that is not there.
struct Missing<'l> {
    from: ObjRef,
    target: &'l Target,
    references: Vec<&'l Reference>,
}

pub(super) fn run(linked: &Linked<'_>, settings: &Settings, found: &mut Findings) {
    if settings.external.default == External::Trust {
        return;
    }
    let missing = missing(linked, settings);
    if missing.is_empty() {
        return;
    }
    let mut evidence = Evidence::new(linked, &missing);
    for missing in &missing {
        let finding = finding(linked, missing, &mut evidence);
        let severity = match settings.partial {
            // what is not here may be in the rest
            true => finding.severity.min(Severity::Warning),
            false => finding.severity,
        };
        found.push(finding.with_severity(severity));
    }
}

/// Everything that is missing, once for each object that needs it.
fn missing<'l>(linked: &'l Linked<'_>, settings: &Settings) -> Vec<Missing<'l>> {
    let expected = Expected::new(&settings.external);
    let unread = UnreadWords::new(&linked.loaded.unread);
    let leads_nowhere = |reference: &&Reference| reference.leads_to == Resolution::Missing && !reference.optional;
    let mut missing: BTreeMap<(ObjRef, &Target), Vec<&Reference>> = BTreeMap::new();
    for reference in linked.references.iter().filter(leads_nowhere) {
        let target = &reference.target;
        let from = linked.loaded.objects.get(reference.from);
        if !expected.has(target) && !unread.may_be(target) && !is_replaced(from, reference) {
            missing.entry((reference.from, target)).or_default().push(reference);
        }
    }
    missing.into_iter().map(|((from, target), references)| Missing { from, target, references }).collect()
}

/// Whether the volume that names a claim is never used: a StatefulSet puts a volume of its own in the
/// place of one that is named as a claim template (`updateStorage` in `pkg/controller/statefulset`).
fn is_replaced(from: &Object<'_>, reference: &Reference) -> bool {
    if !from.is("apps", "StatefulSet") || &*reference.target.kind != "PersistentVolumeClaim" {
        return false;
    }
    let items = |path: &[&str]| from.tree.at(path).and_then(Node::items).unwrap_or_default();
    let nth = reference.path.steps().iter().find_map(|step| match step {
        Step::Index(nth) => Some(*nth),
        Step::Key(_) => None,
    });
    let volume = nth.and_then(|nth| items(&["spec", "template", "spec", "volumes"]).get(nth)?.get("name"));
    let mut templates = items(&["spec", "volumeClaimTemplates"]).iter();
    templates
        .any(|claim| volume.is_some() && claim.at(&["metadata", "name"]).map(Node::as_str) == volume.map(Node::as_str))
}

/// What the input holds that may have been meant.
struct Evidence<'l> {
    /// Objects of the kind and name that are missing somewhere, in whatever namespace.
    elsewhere: HashMap<(&'l str, &'l str, &'l str), Vec<ObjRef>>,
    /// Names of objects that nothing refers to, and of the others and of products.
    idle: Names<'l>,
    used: Names<'l>,
    /// Products that nothing reads.
    unread: HashMap<Home<'l>, Vec<&'l Product>>,
}

impl<'l> Evidence<'l> {
    fn new(linked: &'l Linked<'_>, missing: &[Missing<'l>]) -> Self {
        let named = Named::new(linked.references.iter().map(|reference| &reference.target));
        let homes: BTreeSet<Home<'_>> = missing.iter().map(|missing| home(missing.target)).collect();
        let names: BTreeSet<_> = missing.iter().map(|m| (&*m.target.group, &*m.target.kind, &*m.target.name)).collect();
        let led_to: BTreeSet<ObjRef> = linked.references.iter().filter_map(led_to).collect();
        let mut evidence = Evidence {
            elsewhere: HashMap::new(),
            idle: Names::default(),
            used: Names::default(),
            unread: HashMap::new(),
        };
        for (at, object) in linked.loaded.objects.iter().filter(|(_, object)| object.id.is_fixed()) {
            let id = &object.id;
            if let Some(key) = names.get(&(&*id.group, &*id.kind, id.name.text())) {
                evidence.elsewhere.entry(*key).or_default().push(at);
            }
            let home = (&*id.group, &*id.kind, id.namespace.as_deref());
            if homes.contains(&home) {
                let is_used = led_to.contains(&at) || named.has(&as_target(object));
                if is_used { &mut evidence.used } else { &mut evidence.idle }.add(home, id.name.text());
            }
        }
        for product in linked.products.iter().filter(|product| product.creates) {
            let target = &product.target;
            let is_read = match product.reach {
                Reach::Namespace => named.has(target),
                Reach::Everywhere => named.has_anywhere(target),
            };
            if !is_read {
                evidence.unread.entry(home(target)).or_default().push(product);
            }
            if homes.contains(&home(target)) {
                evidence.used.add(home(target), &target.name);
            }
        }
        evidence
    }

    /// A product that nothing reads and which has the very keys that are asked for; the one with the
    /// least name.
    fn product(&self, missing: &Missing<'_>) -> Option<&'l Product> {
        let asked: BTreeSet<_> = missing.references.iter().flat_map(|reference| keys::asked(reference)).collect();
        if asked.is_empty() {
            return None;
        }
        let here = home(missing.target);
        let everywhere = (here.0, here.1, None);
        let products = [here, everywhere].into_iter().filter_map(|home| self.unread.get(&home)).flatten();
        let fits = |product: &&&Product| asked.iter().all(|key| product.keys.name(key));
        products.filter(fits).min_by_key(|product| &product.target.name).copied()
    }
}

fn led_to(reference: &Reference) -> Option<ObjRef> {
    match reference.leads_to {
        Resolution::Object(object) => Some(object),
        _ => None,
    }
}

fn as_target(object: &Object<'_>) -> Target {
    let id = &object.id;
    Target {
        group: id.group.clone(),
        kind: id.kind.clone(),
        namespace: id.namespace.clone(),
        name: id.name.text().into(),
    }
}

/// What there is to say of a missing object, by the strongest evidence of a slip.
fn finding(linked: &Linked<'_>, missing: &Missing<'_>, evidence: &mut Evidence<'_>) -> Finding {
    let target = missing.target;
    let key = (&*target.group, &*target.kind, &*target.name);
    let elsewhere = evidence.elsewhere.get(&key).map(Vec::as_slice).unwrap_or_default();
    let said = match (elsewhere, &target.namespace) {
        ([], _) => None,
        (objects, Some(_)) => Some(only_elsewhere(linked, missing, objects)),
        (objects, None) => Some(no_namespace(linked, missing, objects)),
    };
    let said = said.or_else(|| {
        let near = evidence.idle.nearest(home(target), &target.name)?;
        Some(near_and_idle(linked, missing, near))
    });
    let said = said.or_else(|| Some(unread_product(linked, missing, evidence.product(missing)?)));
    said.unwrap_or_else(|| {
        let near = evidence.used.nearest(home(target), &target.name);
        let meant = near.map(|name| format!("did you mean `{name}`? Else ")).unwrap_or_default();
        let remedy = format!("{meant}add it, or list it under `spec.external.objects` if something else brings it");
        nowhere(linked, missing).with_remedy(remedy)
    })
}

/// The finding without a word on what to do.
fn nowhere(linked: &Linked<'_>, missing: &Missing<'_>) -> Finding {
    let from = &linked.loaded.objects.get(missing.from).id;
    let target = shown(missing.target);
    let message = format!("{from} needs {target}, which is not in the input, and nothing in the input makes it");
    labelled(Finding::new(&OBJECT, message), linked, missing)
}

fn labelled(finding: Finding, linked: &Linked<'_>, missing: &Missing<'_>) -> Finding {
    let places = missing.references.iter().take(PLACES).enumerate();
    let finding = finding.with_object(&linked.loaded.objects.get(missing.from).id);
    places.fold(finding, |finding, (nth, reference)| {
        let text = if nth == 0 { "" } else { "named here too" };
        finding.with_label(Label::new(reference.place).path(reference.path.clone()).text(text))
    })
}

/// A label at the name of an object.
fn at_name(object: &Object<'_>, text: String) -> Label {
    let path = FieldPath::keys(["metadata", "name"]);
    Label::new(object.place_of(&path)).path(path).text(text)
}

fn only_elsewhere(linked: &Linked<'_>, missing: &Missing<'_>, objects: &[ObjRef]) -> Finding {
    let objects: Vec<_> = objects.iter().map(|object| linked.loaded.objects.get(*object)).collect();
    let from = &linked.loaded.objects.get(missing.from).id;
    let (target, namespaces) = (shown(missing.target), namespaces(&objects));
    let message = format!("{from} needs {target}, which the input holds only in namespace {namespaces}");
    let finding = labelled(Finding::new(&ELSEWHERE, message), linked, missing);
    let finding = objects.iter().take(PLACES).fold(finding, |finding, object| {
        finding.with_label(at_name(object, format!("{} is in another namespace", object.id)))
    });
    finding.with_remedy("put both into one namespace, or add the object where it is needed")
}

/// The namespaces of objects, as words.
fn namespaces(objects: &[&Object<'_>]) -> String {
    let namespaces: Vec<_> = objects.iter().filter_map(|object| object.id.namespace.as_deref()).collect();
    match namespaces.as_slice() {
        [first, rest @ ..] if rest.len() >= PLACES => format!("{first} and {} others", rest.len()),
        namespaces => namespaces.join(", "),
    }
}

/// Nobody knows where the referrer goes, so it may well be where the object is.
fn no_namespace(linked: &Linked<'_>, missing: &Missing<'_>, objects: &[ObjRef]) -> Finding {
    let objects: Vec<_> = objects.iter().map(|object| linked.loaded.objects.get(*object)).collect();
    let from = &linked.loaded.objects.get(missing.from).id;
    let (target, namespaces) = (shown(missing.target), namespaces(&objects));
    let message =
        format!("{from}, which names no namespace, needs {target}, which the input holds in namespace {namespaces}");
    let finding = labelled(Finding::new(&OBJECT, message), linked, missing);
    let finding = objects
        .iter()
        .take(PLACES)
        .fold(finding, |finding, object| finding.with_label(at_name(object, format!("{} has a namespace", object.id))));
    finding.with_remedy("say which namespace objects without one go to: `--namespace`, or `metadata.namespace`")
}

fn near_and_idle(linked: &Linked<'_>, missing: &Missing<'_>, name: &str) -> Finding {
    let target = missing.target;
    let finding = nowhere(linked, missing).with_severity(Severity::Error);
    let near = linked.loaded.objects.find(&target.group, &target.kind, target.namespace.as_deref(), name);
    let finding = match near.map(|near| linked.loaded.objects.get(near)) {
        Some(near) => finding.with_label(at_name(near, format!("nothing refers to {}", near.id))),
        None => finding,
    };
    finding.with_remedy(format!("did you mean `{name}`?"))
}

fn unread_product(linked: &Linked<'_>, missing: &Missing<'_>, product: &Product) -> Finding {
    let maker = linked.loaded.objects.get(product.maker);
    let name = &product.target.name;
    let text = format!("{} makes `{name}`, which has the keys asked for and which nothing reads", maker.id);
    nowhere(linked, missing)
        .with_severity(Severity::Error)
        .with_label(at_name(maker, text))
        .with_remedy(format!("did you mean `{name}`?"))
}

/// Says which objects stand for those that references name with a namespace, though nobody gave them
/// one; once an object and namespace.
pub(super) fn homeless(linked: &Linked<'_>, found: &mut Findings) {
    let mut said = BTreeSet::new();
    for reference in &linked.references {
        let (Resolution::Object(at), Some(namespace)) = (reference.leads_to, &reference.target.namespace) else {
            continue;
        };
        let object = linked.loaded.objects.get(at);
        let is_namespaced = scope::builtin(&object.id.group, &object.id.kind) == Some(Scope::Namespaced);
        if object.id.namespace.is_some() || !is_namespaced || !said.insert((at, namespace)) {
            continue;
        }
        let from = &linked.loaded.objects.get(reference.from).id;
        let target = shown(&reference.target);
        found.push(
            Finding::new(&HOMELESS, format!("{from} needs {target}, and {} names no namespace", object.id))
                .with_object(from)
                .with_label(Label::new(reference.place).path(reference.path.clone()))
                .with_label(at_name(object, "taken for the one that is meant".to_owned()))
                .with_remedy(format!("say `--namespace {namespace}`, or write `metadata.namespace`")),
        );
    }
}
