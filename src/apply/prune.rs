//! Deleting what an earlier run applied and this one does not: once, as the last step, and never in doubt.
//!
//! An object goes only if the list of the inventory has it, the input has it not, and the object itself still says
//! that it is in this inventory. What holds other things or data is never deleted.

use std::time::Duration;

use serde_json::{Value, json};

use super::conduct::{MANAGER, Options, Stop};
use super::inventory::{Entry, Inventory, entries};
use super::kubectl::{Answer, Kubectl, Stops};
use super::live;
use super::plan::{INVENTORY, Install};

/// Groups and kinds that take others, or data, with them.
const KEPT: &[(&str, &str)] = &[
    ("", "Namespace"),
    ("", "PersistentVolume"),
    ("", "PersistentVolumeClaim"),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
];

/// Annotations by which other tools are told to leave an object, and the values that say so.
/// Sources: cli-utils, `pkg/common`; Argo CD, sync options; Helm, resource policies.
const PROTECTED: &[(&str, &str)] = &[
    ("argocd.argoproj.io/sync-options", "Prune=false"),
    ("cli-utils.sigs.k8s.io/on-remove", "keep"),
    ("client.lifecycle.config.k8s.io/deletion", "detach"),
    ("helm.sh/resource-policy", "keep"),
];

/// How long a question may take.
const QUESTION: Duration = Duration::from_secs(30);

/// What earlier runs applied, and what this one does.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    inventory: Option<Inventory>,
    old: Vec<Entry>,
    new: Vec<Entry>,
    is_kept: bool,
}

/// What becomes of an object that is no longer in the input.
#[derive(Debug)]
pub(super) struct Stale {
    pub entry: Entry,
    /// Why it stays, where it does; and whether it stays in the list.
    pub stays: Option<(String, bool)>,
}

impl Ledger {
    /// Reads the list, where there is an inventory, and refuses what would delete everything.
    pub(super) fn open(install: &Install, kubectl: &Kubectl, options: &Options) -> Result<Self, Stop> {
        let Some(inventory) = &options.inventory else { return Ok(Ledger::default()) };
        let new: Vec<Entry> = install.waves.iter().flat_map(|wave| &wave.items).filter_map(Entry::of).collect();
        let arguments =
            ["get", "configmap", &inventory.name, "-n", inventory.place(), "--ignore-not-found", "-o", "json"];
        let answer = kubectl.ask(&arguments, "", QUESTION)?;
        if !answer.status.success() {
            return Err(failed(&format!("the inventory {inventory} cannot be read"), &answer));
        }
        let map = live::objects(&answer.out).unwrap_or_default();
        let old = match map.first() {
            Some(map) => entries(map).ok_or_else(|| {
                Stop::Why(vec![format!("ConfigMap {inventory} is there and holds no inventory: give another name")])
            })?,
            None => Vec::new(),
        };
        let is_other = !old.is_empty() && !old.iter().any(|old| new.iter().any(|new| new.is(old)));
        if options.prune && (new.is_empty() || is_other) {
            return Err(Stop::Why(vec![format!(
                "nothing of the inventory {inventory} is in the input: pruning would delete all of it; \
                 delete the objects by hand if that is meant, or give another inventory"
            )]));
        }
        Ok(Ledger { inventory: Some(inventory.clone()), old, new, is_kept: false })
    }

    /// Writes down what was there before and what comes, as soon as the namespace of the list is there: so that a
    /// run that is cut off forgets nothing.
    pub(super) fn keep(&mut self, kubectl: &Kubectl) -> Result<(), Stop> {
        let Some(inventory) = self.inventory.clone().filter(|_| !self.is_kept) else { return Ok(()) };
        let mut all = self.new.clone();
        all.extend(self.old.iter().filter(|old| !self.new.iter().any(|new| new.is(old))).cloned());
        let answer = write(kubectl, &inventory, &all)?;
        let is_early = answer.err.contains("NotFound") && answer.err.contains("namespaces");
        if answer.status.success() {
            self.is_kept = true;
        } else if !is_early {
            return Err(failed(&format!("the inventory {inventory} cannot be written"), &answer));
        }
        Ok(())
    }

    /// The last step: prunes where that is asked for, and writes the list. Gives lines that say what was done.
    pub(super) fn close(&mut self, kubectl: &Kubectl, options: &Options) -> Result<Vec<String>, Stop> {
        let Some(inventory) = self.inventory.clone() else { return Ok(Vec::new()) };
        self.keep(kubectl)?;
        if !self.is_kept {
            let why = format!("the namespace of the inventory {inventory} is neither there nor in the input");
            return Err(Stop::Why(vec![why]));
        }
        if !options.prune {
            return Ok(Vec::new());
        }
        let stale = self.stale(kubectl)?;
        let goes: Vec<&Entry> = stale.iter().filter(|stale| stale.stays.is_none()).map(|stale| &stale.entry).collect();
        if !goes.is_empty() {
            let stubs: Vec<Value> = goes.iter().map(|entry| entry.stub()).collect();
            let list = json!({ "apiVersion": "v1", "kind": "List", "items": stubs }).to_string();
            let arguments = ["delete", "--ignore-not-found", "--wait=true", "-f", "-"];
            let answer = kubectl.call(&arguments, &list, options.timeout, Stops::Soon)?;
            if !answer.status.success() {
                return Err(failed("pruning failed", &answer));
            }
        }
        let mut all = self.new.clone();
        all.extend(
            stale.iter().filter(|s| s.stays.as_ref().is_some_and(|(_, listed)| *listed)).map(|s| s.entry.clone()),
        );
        let answer = write(kubectl, &inventory, &all)?;
        if !answer.status.success() {
            return Err(failed(&format!("the inventory {inventory} cannot be written"), &answer));
        }
        Ok(stale.iter().map(|stale| stale.line("pruned")).collect())
    }

    /// What the list has and the input has not, the last that was applied first.
    pub(super) fn stale(&self, kubectl: &Kubectl) -> Result<Vec<Stale>, Stop> {
        let Some(inventory) = &self.inventory else { return Ok(Vec::new()) };
        let gone = |old: &&Entry| !self.new.iter().any(|new| new.is(old));
        let mut stale = Vec::new();
        for entry in self.old.iter().filter(gone).rev() {
            let stub = entry.stub().to_string();
            let answer = kubectl.ask(&["get", "--ignore-not-found", "-o", "json", "-f", "-"], &stub, QUESTION)?;
            // without its definition there is no object of the kind left
            let is_unknown = answer.err.contains("no matches for kind");
            if !answer.status.success() && !is_unknown {
                return Err(failed(&format!("{entry} cannot be looked at: nothing is pruned"), &answer));
            }
            let found = live::objects(&answer.out).unwrap_or_default();
            if let Some(object) = found.first().filter(|_| !is_unknown) {
                stale.push(Stale { entry: entry.clone(), stays: stays(object, &inventory.to_string()) });
            }
        }
        Ok(stale)
    }
}

impl Stale {
    /// A line about it; `done` says what happens to what goes.
    pub(super) fn line(&self, done: &str) -> String {
        match &self.stays {
            None => format!("{done}: {}", self.entry),
            Some((why, _)) => format!("not pruned: {}: {why}", self.entry),
        }
    }
}

/// Why an object stays, and whether it stays in the list.
fn stays(object: &Value, inventory: &str) -> Option<(String, bool)> {
    let annotation = |name: &str| object.pointer("/metadata/annotations")?.get(name)?.as_str();
    if annotation(INVENTORY) != Some(inventory) {
        return Some(("it is no longer marked as part of the inventory".to_owned(), false));
    }
    let kind = live::text(object, "/kind").unwrap_or_default();
    if KEPT.contains(&(live::group(object), kind)) {
        return Some(("objects and data would go with it: delete it by hand".to_owned(), true));
    }
    let is_protected = |(name, value): &&(&str, &str)| {
        annotation(name).is_some_and(|words| words.split(',').any(|word| word.trim() == *value))
    };
    let (name, value) = PROTECTED.iter().find(is_protected)?;
    Some((format!("its annotation {name} says {value}"), true))
}

fn write(kubectl: &Kubectl, inventory: &Inventory, entries: &[Entry]) -> Result<Answer, Stop> {
    let arguments = ["apply", "--server-side", "--force-conflicts", MANAGER, "-f", "-"];
    Ok(kubectl.call(&arguments, &inventory.manifest(entries), QUESTION, Stops::Soon)?)
}

fn failed(what: &str, answer: &Answer) -> Stop {
    let mut lines = vec![format!("{what} ({}):", answer.status)];
    lines.extend(answer.err.trim().lines().map(str::to_owned));
    Stop::Why(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays() {
        let of = |kind: &str, annotations: Value| {
            let object = json!({ "apiVersion": "v1", "kind": kind, "metadata": { "annotations": annotations } });
            stays(&object, "ops/shop").map(|(why, _)| why)
        };
        let ours = || json!({ "tidegate.dev/inventory": "ops/shop" });
        assert_eq!(of("ConfigMap", ours()), None);
        assert_eq!(of("ConfigMap", json!({})).as_deref(), Some("it is no longer marked as part of the inventory"));
        assert_eq!(of("Namespace", ours()).as_deref(), Some("objects and data would go with it: delete it by hand"));
        let protected =
            json!({ "tidegate.dev/inventory": "ops/shop", "argocd.argoproj.io/sync-options": "A=b, Prune=false" });
        assert_eq!(
            of("ConfigMap", protected).as_deref(),
            Some("its annotation argocd.argoproj.io/sync-options says Prune=false")
        );
    }
}
