//! What a change does to running pods: which workloads restart, for what, and which go on with what
//! they read before.
//!
//! Two plans are compared: what is applied now, and what is to be. `template` finds where pod templates
//! differ, `sources` what of the configuration behind them does, `words` makes findings of it.

mod skew;
mod sources;
mod template;
mod words;

use std::collections::BTreeMap;

use crate::config::Settings;
use crate::flow::{Input, Planned, Stamp, WorkloadInputs};
use crate::object::annotation::CONFIG_CHECKSUM;
use crate::object::view::pod_template::{self, Restart, is_recreated};
use crate::object::view::stillness::stillness;
use crate::object::{ObjRef, Object, ObjectId, wrote};
use crate::tree::{FieldPath, Node};

pub use skew::skew;
pub use sources::Changed;
pub use words::report;

/// What becomes of the pods of one workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The controller replaces them.
    Restarts,
    /// Pods that are made later follow the new template: the next run of a CronJob.
    Later,
    /// Nothing by itself, for this field of the workload, or because nothing replaces pods of its kind.
    NotByItself(Option<&'static [&'static str]>),
    /// The API server refuses the change.
    Refused,
}

/// Why the pod template of a workload changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It gets a checksum and had none.
    FirstChecksum,
    /// It had a checksum and has none.
    NoChecksum,
    /// Something that it reads is another.
    Source(Changed),
    /// It reads a source under a name of its content, and read it under its own name before.
    FirstVersion(Changed),
    /// It reads other sources, or other keys of them, or with another policy.
    Reading,
    /// These fields of its template.
    Fields(Vec<FieldPath>),
}

/// A workload whose pod template changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// The workload, in the new plan.
    pub workload: ObjRef,
    /// What that does to its pods.
    pub effect: Effect,
    /// Why, at least one cause.
    pub causes: Vec<Cause>,
}

impl Roll {
    /// Whether it restarts only because a checksum or a name of the content is there for the first time.
    pub fn is_once(&self) -> bool {
        self.causes.iter().all(|cause| match cause {
            Cause::FirstChecksum => true,
            Cause::FirstVersion(changed) => changed.keys.is_empty(),
            _ => false,
        })
    }
}

/// A workload that reads something else than its pods did, and that is not restarted for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// The workload, in the new plan.
    pub workload: ObjRef,
    /// What changed, with the number of the input among those of the workload.
    pub sources: Vec<(usize, Changed)>,
}

/// What a change does to running pods, by workload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restarts {
    /// Workloads whose pod template changes.
    pub rolls: Vec<Roll>,
    /// Workloads whose pods keep what they read before.
    pub stale: Vec<Stale>,
    /// Immutable sources with another content under the same name, which the API server refuses.
    pub refused: Vec<(ObjRef, Changed)>,
}

/// Compares two plans, of which the old one is what is applied now. A workload that only one of them
/// holds does not restart.
pub fn restarts(old: &Planned<'_>, new: &Planned<'_>, settings: &Settings) -> Restarts {
    let before = Before::new(old);
    let mut restarts = Restarts::default();
    let inputs: BTreeMap<ObjRef, &WorkloadInputs> = new.inputs.iter().map(|inputs| (inputs.workload, inputs)).collect();
    for (at, object) in new.objects().iter() {
        if let Some(changed) = before.refused(object) {
            restarts.refused.push((at, changed));
        }
        let Some(held) = pod_template::held(&object.id.group, &object.id.kind, &settings.references.pod_templates)
        else {
            continue;
        };
        let Some(was) = before.object(&object.id) else { continue };
        let pair = Pair { old, new, was, at, path: &held.path, inputs: inputs.get(&at).copied(), before: &before };
        let causes = pair.causes();
        let is_immutable = held.restart == Restart::Immutable && !is_recreated(object);
        let effect = match held.restart {
            Restart::Immutable if is_immutable => Effect::Refused,
            Restart::Never => Effect::NotByItself(None),
            Restart::Later => Effect::Later,
            Restart::Rolls | Restart::Immutable => match stillness(object) {
                Some(field) => Effect::NotByItself(Some(field)),
                None => Effect::Restarts,
            },
        };
        if causes.is_empty() {
            restarts.stale.extend(pair.stale().filter(|_| held.restart != Restart::Immutable));
        } else {
            restarts.rolls.push(Roll { workload: at, effect, causes });
        }
    }
    restarts
}

/// The old plan, to look things up in.
struct Before<'o, 's> {
    plan: &'o Planned<'s>,
    /// Objects by id, sources under the names that they had before they were versioned. Of several
    /// versions the last one counts.
    objects: BTreeMap<ObjectId, ObjRef>,
}

impl<'o, 's> Before<'o, 's> {
    fn new(plan: &'o Planned<'s>) -> Self {
        let objects = plan.objects().iter().map(|(at, object)| (wrote::base_id(object), at)).collect();
        Before { plan, objects }
    }

    fn object(&self, id: &ObjectId) -> Option<ObjRef> {
        self.objects.get(id).copied()
    }

    /// What changes in an immutable source under the same name.
    fn refused(&self, new: &Object<'_>) -> Option<Changed> {
        let old = self.plan.objects().get(self.object(&wrote::base_id(new))?);
        let is_immutable = old.tree.get("immutable").and_then(Node::as_bool) == Some(true);
        let name =
            |object: &Object<'_>| object.tree.at(&["metadata", "name"]).and_then(Node::as_str).map(str::to_owned);
        let is_source = crate::object::view::source::is_source(new);
        let is_same = is_source && is_immutable && name(old) == name(new);
        is_same.then(|| sources::changed(old, new))?
    }
}

/// One workload in both plans.
struct Pair<'p, 's> {
    old: &'p Planned<'s>,
    new: &'p Planned<'s>,
    was: ObjRef,
    at: ObjRef,
    /// Keys to the pod template.
    path: &'p [&'p str],
    inputs: Option<&'p WorkloadInputs>,
    before: &'p Before<'p, 's>,
}

impl Pair<'_, '_> {
    /// Why the pod template changes; nothing where it does not.
    fn causes(&self) -> Vec<Cause> {
        let old = self.old.objects().get(self.was).tree.at(self.path);
        let new = self.new.objects().get(self.at).tree.at(self.path);
        let (Some(old), Some(new)) = (old, new) else { return Vec::new() };
        let root = FieldPath::keys(self.path.iter().copied());
        let mut fields = template::differing(old, new, &root);
        let mut causes = self.versions(&mut fields);
        let on = ["metadata", "annotations", CONFIG_CHECKSUM];
        let mark = root.key("metadata").key("annotations").key(CONFIG_CHECKSUM);
        fields.retain(|field| *field != mark);
        // annotations that only the checksum brought or took
        let parents = [root.key("metadata"), root.key("metadata").key("annotations")];
        match (old.at(&on), new.at(&on)) {
            (None, Some(_)) => {
                causes.push(Cause::FirstChecksum);
                causes.extend(self.sources());
            }
            (Some(_), None) => causes.push(Cause::NoChecksum),
            (Some(old), Some(new)) if old != new => {
                let sources = self.sources();
                causes.extend(if sources.is_empty() { vec![Cause::Reading] } else { sources });
            }
            _ => {}
        }
        fields.retain(|field| causes.is_empty() || !parents.contains(field));
        if !fields.is_empty() {
            causes.push(Cause::Fields(fields));
        }
        causes
    }

    /// What of the configuration behind a checksum changed.
    fn sources(&self) -> Vec<Cause> {
        let taking_part = self.inputs.into_iter().flat_map(|inputs| &inputs.inputs).filter(|input| input.takes_part());
        taking_part.filter_map(|input| self.changed(input)).map(Cause::Source).collect()
    }

    /// Takes out of the fields those that name a versioned source by another version of its name.
    fn versions(&self, fields: &mut Vec<FieldPath>) -> Vec<Cause> {
        let mut causes = Vec::new();
        for reference in self.new.linked.references.iter().filter(|reference| reference.from == self.at) {
            let crate::flow::Resolution::Object(source) = reference.leads_to else { continue };
            if !fields.contains(&reference.path) {
                continue;
            }
            let new = self.new.objects().get(source);
            if !self.new.linked.versioned.contains_key(&source) && wrote::base_id(new) == new.id {
                continue;
            }
            let Some(old) = self.before.object(&wrote::base_id(new)).map(|old| self.old.objects().get(old)) else {
                continue;
            };
            let is_first =
                old.tree.at(&["metadata", "name"]).and_then(Node::as_str) == Some(wrote::base_id(new).name.text());
            let nothing = || Changed { source: wrote::base_id(new).to_string(), keys: Vec::new() };
            let changed = sources::changed(old, new).unwrap_or_else(nothing);
            fields.retain(|field| *field != reference.path);
            let cause = if is_first { Cause::FirstVersion(changed) } else { Cause::Source(changed) };
            if !causes.contains(&cause) {
                causes.push(cause);
            }
        }
        causes
    }

    /// What changed of one source, as far as the workload reads it.
    fn changed(&self, input: &Input) -> Option<Changed> {
        let new = self.new.objects().get(input.standing.object()?);
        let old = self.old.objects().get(self.before.object(&wrote::base_id(new))?);
        let mut changed = sources::changed(old, new)?;
        if let Some(read) = sources::keys_read(input, self.new) {
            changed.keys.retain(|key| read.contains(key));
            return (!changed.keys.is_empty()).then_some(changed);
        }
        Some(changed)
    }

    /// The sources that changed and that its pods read before, where nothing restarts them.
    fn stale(&self) -> Option<Stale> {
        let inputs = self.inputs?;
        let is_stamped = matches!(inputs.stamp, Stamp::Value(_));
        let keeps = |input: &&Input| {
            let read = input.readings.iter().filter(|reading| !reading.is_refreshed);
            read.clone().count() > 0 && !(is_stamped && input.takes_part())
        };
        let numbered = inputs.inputs.iter().enumerate().filter(|(_, input)| keeps(input));
        let sources: Vec<_> = numbered.filter_map(|(nth, input)| Some((nth, self.changed(input)?))).collect();
        (!sources.is_empty()).then_some(Stale { workload: self.at, sources })
    }
}
