//! Checksums: what each workload reads of configuration, as one value on its pod template, so that a
//! change of it restarts exactly the pods that need it.
//!
//! `inputs` says what a workload reads, `policy` what of it restarts pods, `content` what is there,
//! [`bytes`] how it becomes a value, and `stamp` which workloads get it.

pub mod bytes;
mod content;
mod foreign;
mod inputs;
mod policy;
mod proxy;
mod stamp;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{ChecksumMode, Settings, Writing};
use crate::finding::rules::checksums as rules;
use crate::finding::{Finding, Findings};
use crate::flow::{Input, Linked, Resolution, Stamp, Stamped, Standing, Unstamped, WorkloadInputs};
use crate::object::view::config_data::ConfigData;
use crate::object::{ObjRef, Object, wrote};

use content::Contents;

/// Writes the checksum of what it reads on the pod template of every workload that gets one.
///
/// What is wrong with the policies of the input, and what a user may not expect, goes into `found`.
pub fn stamp<'s>(mut linked: Linked<'s>, settings: &Settings, found: &mut Findings) -> Stamped<'s> {
    let read = inputs::read(&linked, settings, found);
    let no_key = settings.checksums.require_key && settings.checksums.key.is_none();
    if no_key {
        found.push(
            Finding::new(&rules::NO_KEY, "the configuration requires a key for checksums, and there is none")
                .with_remedy("name a file that holds it with `--checksum-key-file` or TIDEGATE_CHECKSUM_KEY_FILE"),
        );
    }
    let inputs = values(&linked, read, no_key, settings);
    words::say(&linked, &inputs, settings, found);
    if settings.partial {
        take_back(&mut linked, &inputs, settings);
    }
    let written = inputs.iter().filter(|_| settings.writing == Writing::Anew);
    for WorkloadInputs { workload, stamp, .. } in written {
        if let Stamp::Value(value) = stamp {
            let object = linked.loaded.objects.get_mut(*workload);
            if let Some(template) = stamp::template_mut(object, settings) {
                wrote::write_checksum(template, value.clone());
            }
        }
    }
    Stamped { linked, inputs }
}

/// Whether a source must be there and is not in the input.
fn is_elsewhere(linked: &Linked<'_>, input: &Input) -> bool {
    let is_missing = |nth: usize| linked.references[nth].leads_to == Resolution::Missing;
    input.standing == Standing::Missing && input.readings.iter().any(|reading| is_missing(reading.reference))
}

/// Takes the checksums of an earlier render off all workloads but those that keep theirs.
fn take_back(linked: &mut Linked<'_>, inputs: &[WorkloadInputs], settings: &Settings) {
    let keep: BTreeSet<ObjRef> = inputs
        .iter()
        .filter(|inputs| inputs.stamp == Stamp::Not(Unstamped::Partial))
        .map(|inputs| inputs.workload)
        .collect();
    for (workload, object) in linked.loaded.objects.iter_mut() {
        if !keep.contains(&workload)
            && let Some(template) = stamp::template_mut(object, settings)
        {
            wrote::take_back_checksum(template);
        }
    }
}

/// The value of one ConfigMap or Secret alone, with all its keys, in 64 hexadecimal digits: the same
/// as that of a workload which reads it whole by a volume, without a key.
pub fn content(source: &Object<'_>) -> String {
    let data = ConfigData::of(source);
    let keys = data.text.iter().chain(&data.binary).map(|(key, value)| (*key, Some(value.clone()))).rev();
    let tag = if &*source.id.kind == "Secret" { bytes::Tag::Secret } else { bytes::Tag::ConfigMap };
    let name = source.id.name.text().into();
    let entry = bytes::Entry { tag, name, state: bytes::State::Present(keys.collect()) };
    bytes::value(&bytes::encode(vec![entry]), None)
}

/// The value of every workload that gets one, and why the others get none.
fn values(
    linked: &Linked<'_>,
    read: BTreeMap<ObjRef, Vec<Input>>,
    no_key: bool,
    settings: &Settings,
) -> Vec<WorkloadInputs> {
    let is_off = settings.checksums.mode == ChecksumMode::Off || no_key;
    let contents = match is_off {
        true => Contents::default(),
        false => Contents::of(linked, read.values().flatten()),
    };
    let of = |(workload, inputs): (ObjRef, Vec<Input>)| {
        let refused = match no_key {
            true => Some(Unstamped::NoKey),
            false => stamp::refusal(linked.loaded.objects.get(workload), settings),
        };
        let stamp = match refused {
            Some(why) => Stamp::Not(why),
            None if settings.partial && inputs.iter().any(|input| is_elsewhere(linked, input)) => {
                Stamp::Not(Unstamped::Partial)
            }
            None if !inputs.iter().any(Input::takes_part) => Stamp::Nothing,
            None => {
                let bytes = bytes::encode(contents.entries(linked, &inputs));
                Stamp::Value(bytes::value(&bytes, settings.checksums.key.as_ref()))
            }
        };
        WorkloadInputs { workload, stamp, inputs }
    };
    read.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests;
