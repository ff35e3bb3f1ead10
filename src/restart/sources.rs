//! What changed in a ConfigMap or Secret. No value leaves this file.

use std::collections::BTreeSet;

use crate::flow::{How, Input, Planned, Read};
use crate::object::view::config_data::ConfigData;
use crate::object::view::source::is_source;
use crate::object::{Object, wrote};
use crate::tree::Node;

/// A source with another content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The source, as findings name it, under the name that it has in the input.
    pub source: String,
    /// The keys that came, went, or hold another value, in order; none where they are not known, as in
    /// ciphertext.
    pub keys: Vec<String>,
}

/// What differs between two versions of a source; nothing where its readers see no difference.
pub(super) fn changed(old: &Object<'_>, new: &Object<'_>) -> Option<Changed> {
    let source = wrote::base_id(new).to_string();
    if !is_source(new) {
        let differs = old.tree.get("spec").map(|node| &node.value) != new.tree.get("spec").map(|node| &node.value);
        return differs.then_some(Changed { source, keys: Vec::new() });
    }
    let (old, new) = (ConfigData::of(old), ConfigData::of(new));
    let keys: BTreeSet<&str> =
        [&old.text, &new.text, &old.binary, &new.binary].into_iter().flat_map(|e| e.keys().copied()).collect();
    let differs = |key: &&str| old.text.get(key) != new.text.get(key) || old.binary.get(key) != new.binary.get(key);
    let keys: Vec<String> = keys.into_iter().filter(differs).map(str::to_owned).collect();
    (!keys.is_empty()).then_some(Changed { source, keys })
}

/// The keys that a workload reads of a source; nothing where it reads all, or where that is not known.
pub(super) fn keys_read(input: &Input, plan: &Planned<'_>) -> Option<BTreeSet<String>> {
    let mut keys = BTreeSet::new();
    let object = plan.objects().get(input.standing.object()?);
    if !is_source(object) || object.tree.get("sops").and_then(Node::mapping).is_some() {
        return None;
    }
    for reading in &input.readings {
        match (&reading.how, &plan.linked.references[reading.reference].read) {
            (How::EnvKey(key), _) => drop(keys.insert(key.to_string())),
            (_, Read::Volume(volume)) => keys.extend(volume.items.as_ref()?.iter().map(|(key, _)| key.to_string())),
            _ => return None,
        }
    }
    Some(keys)
}
