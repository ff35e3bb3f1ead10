//! What workloads read: their references, by source, with what the input holds of each.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::config::{ChecksumSettings, ForeignReload, ReloadSettings, Settings};
use crate::finding::rules::versions::ROW_FOR_NOTHING;
use crate::finding::{Finding, Findings, Label};
use crate::flow::{
    How, Input, Linked, Mount, Read, Reading, Reference, Reload, Resolution, SourceKind, Standing, VolumeRead, Word,
};
use crate::object::view::pod_template::{self, Held};
use crate::object::{ObjRef, Object};
use crate::tree::{Node, Step};

use super::foreign;
use super::policy::{Policies, Said, Wishes, id_of};
use super::proxy;

/// The row of the reference table with the Secret that a CSI volume is mounted with.
const CSI_SECRET: &str = "volumes[].csi.nodePublishSecretRef.name";

/// What every workload of the input reads, by workload; those that read nothing are left out.
pub(super) fn read(linked: &Linked<'_>, settings: &Settings, found: &mut Findings) -> BTreeMap<ObjRef, Vec<Input>> {
    let reader = Reader {
        linked,
        settings: &settings.checksums,
        makers: makers(linked),
        policies: Policies::read(linked, found),
        reload: &settings.reload,
    };
    reader.report_unused(found);
    let mut by_workload: BTreeMap<ObjRef, Vec<usize>> = BTreeMap::new();
    for (at, reference) in linked.references.iter().enumerate() {
        if reader.kind(reference).is_some() {
            by_workload.entry(reference.from).or_default().push(at);
        }
    }
    let mut all = BTreeMap::new();
    for (workload, object) in linked.loaded.objects.iter() {
        let named = &settings.references.pod_templates;
        let Some(held) = pod_template::held(&object.id.group, &object.id.kind, named) else { continue };
        let references = by_workload.remove(&workload).unwrap_or_default();
        let wishes = Wishes::read(object, found);
        let inputs = reader.inputs(object, &held, &references, &wishes);
        wishes.report_unused(object, &inputs, found);
        if !inputs.is_empty() {
            all.insert(workload, inputs);
        }
    }
    all
}

/// Who makes a ConfigMap or Secret, by kind, namespace and name.
type Makers<'l> = HashMap<(&'l str, Option<&'l str>, &'l str), ObjRef>;

/// The first maker by identity counts, as in references.
fn makers<'l>(linked: &'l Linked<'_>) -> Makers<'l> {
    let mut makers = Makers::new();
    for product in linked.products.iter().filter(|product| product.target.group.is_empty()) {
        let target = &product.target;
        let place = (&*target.kind, target.namespace.as_deref(), &*target.name);
        makers.entry(place).or_insert(product.maker);
    }
    makers
}

/// A reference, and one of the ways in which it reads.
type Way = (usize, How);

struct Reader<'l, 's> {
    linked: &'l Linked<'s>,
    settings: &'l ChecksumSettings,
    makers: Makers<'l>,
    policies: Policies,
    reload: &'l ReloadSettings,
}

impl<'l> Reader<'l, '_> {
    /// What kind of source a reference of a pod reads; nothing where it reads none.
    fn kind(&self, reference: &Reference) -> Option<SourceKind> {
        let kind = match (&*reference.target.group, &*reference.target.kind) {
            ("", "ConfigMap") => SourceKind::ConfigMap,
            ("", "Secret") => SourceKind::Secret,
            (proxy::CSI_GROUP, "SecretProviderClass") => SourceKind::SecretProviderClass,
            _ => return None,
        };
        let reads = match reference.read {
            Read::EnvKey(_) | Read::EnvFrom | Read::Volume(_) => kind != SourceKind::SecretProviderClass,
            Read::No => self.settings.csi && (kind == SourceKind::SecretProviderClass || reference.row == CSI_SECRET),
            Read::Field(_) => false,
        };
        reads.then_some(kind)
    }

    /// The sources of a workload, by kind and name.
    fn inputs(&self, object: &Object<'_>, held: &Held<'_>, references: &[usize], wishes: &Wishes<'_>) -> Vec<Input> {
        let mut sources: BTreeMap<(SourceKind, &'l Arc<str>), Vec<Way>> = BTreeMap::new();
        for at in references {
            let reference = &self.linked.references[*at];
            let Some(kind) = self.kind(reference) else { continue };
            let hows = match &reference.read {
                Read::No if is_mounted(object, held, reference) => vec![How::Csi],
                read => hows(read),
            };
            if !hows.is_empty() {
                let source = sources.entry((kind, &reference.target.name)).or_default();
                source.extend(hows.into_iter().map(|how| (*at, how)));
            }
        }
        let of = |(kind, name): (SourceKind, &'l Arc<str>), hows: Vec<Way>| {
            let standing = self.standing(kind, &hows);
            let said = standing.object().and_then(|source| self.policies.of(source));
            let said = wishes.of(kind, name).or(said).or_else(|| {
                let source = standing.object().map(|source| self.linked.loaded.objects.get(source));
                let by_others = || {
                    let on_workload = || foreign::of_workload(object, &held.path, kind, name, source);
                    source.and_then(foreign::of_source).or_else(on_workload)
                };
                let by_others = (self.reload.annotations == ForeignReload::Read).then(by_others).flatten();
                by_others.or_else(|| self.rule(object, kind, name, source))
            });
            let (reload, word) = said.unwrap_or_default();
            let is_immutable = standing.object().is_some_and(|source| self.is_immutable(source));
            let reading = |(reference, how)| {
                let is_refreshed = how == How::Volume && !is_immutable;
                let counts = match reload {
                    Reload::Restart => true,
                    Reload::Hot => !is_refreshed,
                    Reload::Ignore => false,
                };
                Reading { reference, how, is_refreshed, counts }
            };
            let readings = hows.into_iter().map(reading).collect();
            Input { kind, name: Arc::clone(name), standing, reload, word, readings }
        };
        sources.into_iter().map(|(source, hows)| of(source, hows)).collect()
    }

    /// What the configuration says of a source, by the first rule that fits.
    fn rule(&self, workload: &Object<'_>, kind: SourceKind, name: &str, source: Option<&Object<'_>>) -> Option<Said> {
        let id = id_of(workload, kind, name);
        let rule = self.reload.rules.iter().find(|rule| {
            let labels = rule.sources.labels.as_ref();
            let is_labelled = labels.is_none_or(|labels| source.is_some_and(|source| labels.matches(source)));
            let reads = rule.workload.as_ref().is_none_or(|pattern| pattern.matches(&workload.id));
            rule.sources.pattern.matches(&id) && is_labelled && reads
        })?;
        Some((rule.policy, Word::Configuration(rule.sources.place)))
    }

    /// Says which rules of the configuration fit no source that anybody names, or that is here.
    fn report_unused(&self, found: &mut Findings) {
        for rule in &self.reload.rules {
            let pattern = &rule.sources.pattern;
            let mut objects = self.linked.loaded.objects.iter();
            let fits = |reference: &Reference| {
                let from = self.linked.loaded.objects.get(reference.from);
                self.kind(reference).is_some_and(|kind| pattern.matches(&id_of(from, kind, &reference.target.name)))
            };
            if objects.any(|(_, object)| rule.sources.matches(object)) || self.linked.references.iter().any(fits) {
                continue;
            }
            let message = format!("no ConfigMap or Secret fits `{pattern}` of `reload.rules`");
            found.push(Finding::new(&ROW_FOR_NOTHING, message).with_label(Label::new(rule.sources.place)));
        }
    }

    /// What the input holds of a source that is read like this.
    fn standing(&self, kind: SourceKind, hows: &[Way]) -> Standing {
        let references = || hows.iter().map(|(at, _)| &self.linked.references[*at]);
        let found = references().find_map(|reference| match reference.leads_to {
            Resolution::Outside | Resolution::Missing => None,
            resolution => Some((reference, resolution)),
        });
        match found {
            Some((reference, Resolution::Object(source))) => self.held(kind, source, reference),
            Some((_, Resolution::Product(maker))) => self.made(maker),
            // a reference that must be met decides over those that need not
            _ if references().all(|reference| reference.optional) => Standing::Absent,
            _ => Standing::Missing,
        }
    }

    /// A source that the input holds as an object.
    fn held(&self, kind: SourceKind, source: ObjRef, reference: &Reference) -> Standing {
        let object = self.linked.loaded.objects.get(source);
        if let Some(who) = self.linked.filled.get(&source) {
            return Standing::Filled(source, who);
        }
        if self.linked.versioned.contains_key(&source) {
            return Standing::Versioned(source);
        }
        let target = &reference.target;
        let maker = self.makers.get(&(&*target.kind, object.id.namespace.as_deref(), &*target.name));
        match maker {
            // an empty shell for somebody to fill; one with data is a source like any other
            Some(maker) if kind != SourceKind::SecretProviderClass && !proxy::holds_data(object) => self.made(*maker),
            _ if proxy::is_sops(object) => self.encrypted(source),
            _ => Standing::Present(source),
        }
    }

    fn made(&self, maker: ObjRef) -> Standing {
        match proxy::is_sealed_secret(self.linked.loaded.objects.get(maker)) {
            true => self.encrypted(maker),
            false => Standing::Product(maker),
        }
    }

    fn encrypted(&self, holder: ObjRef) -> Standing {
        match self.settings.encrypted {
            crate::config::Encrypted::Proxy => Standing::Proxy(holder),
            crate::config::Encrypted::Off => Standing::Encrypted(holder),
        }
    }

    /// Whether the kubelet does not watch the source, or what becomes of it.
    fn is_immutable(&self, source: ObjRef) -> bool {
        let object = self.linked.loaded.objects.get(source);
        let path: &[&str] = match proxy::is_sealed_secret(object) {
            true => &["spec", "template", "immutable"],
            false => &["immutable"],
        };
        object.tree.at(path).and_then(Node::as_bool) == Some(true)
    }
}

/// The ways in which a reference reads; each only once. A volume that no container mounts is not read.
fn hows(read: &Read) -> Vec<How> {
    match read {
        Read::EnvKey(key) => vec![How::EnvKey(Arc::clone(key))],
        Read::EnvFrom => vec![How::EnvFrom],
        Read::Volume(VolumeRead { mounts, .. }) => {
            let mut hows = Vec::new();
            for mount in mounts {
                let how = match mount {
                    Mount::Whole => How::Volume,
                    Mount::SubPath(path) => How::SubPath(Arc::clone(path)),
                    Mount::SubPathExpr => How::SubPathExpr,
                };
                if !hows.contains(&how) {
                    hows.push(how);
                }
            }
            hows
        }
        Read::No | Read::Field(_) => Vec::new(),
    }
}

/// Whether a container mounts the volume that a reference belongs to.
fn is_mounted(object: &Object<'_>, held: &Held<'_>, reference: &Reference) -> bool {
    let Some(spec) = object.tree.at(&held.path).and_then(|template| template.get("spec")) else { return false };
    let nth = reference.path.steps().iter().skip(held.path.len()).find_map(|step| match step {
        Step::Index(nth) => Some(*nth),
        Step::Key(_) => None,
    });
    let volumes = spec.get("volumes").and_then(Node::items).unwrap_or_default();
    let volume = nth.and_then(|nth| volumes.get(nth)?.get("name")?.as_str());
    volume.is_some()
        && pod_template::containers(spec).any(|(_, _, container)| {
            let mounts = container.get("volumeMounts").and_then(Node::items).unwrap_or_default();
            mounts.iter().any(|mount| mount.get("name").and_then(Node::as_str) == volume)
        })
}
