//! What earlier runs applied: a list in a ConfigMap of the cluster.

use std::fmt;
use std::str::FromStr;

use serde_json::{Value, json};

use super::live;
use super::plan::{Form, Item};
use crate::object::gvk::is_dns_label;

/// The key of the ConfigMap under which the list stands.
const OBJECTS: &str = "objects";

/// The ConfigMap that holds the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inventory {
    /// Its namespace; none says nothing, and the default one counts.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
}

/// Text that names no ConfigMap.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write [NAMESPACE/]NAME, both of lower case letters, digits and inner `-`")]
pub struct InventoryError;

impl FromStr for Inventory {
    type Err = InventoryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (namespace, name) = match text.split_once('/') {
            Some((namespace, name)) => (Some(namespace), name),
            None => (None, text),
        };
        let is_right = is_dns_label(name) && namespace.is_none_or(is_dns_label);
        is_right
            .then(|| Inventory { namespace: namespace.map(str::to_owned), name: name.to_owned() })
            .ok_or(InventoryError)
    }
}

/// `namespace/name`.
impl fmt::Display for Inventory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.place(), self.name)
    }
}

impl Inventory {
    /// The namespace it is in.
    pub(super) fn place(&self) -> &str {
        self.namespace.as_deref().unwrap_or("default")
    }

    /// The ConfigMap with a list, as kubectl takes it.
    pub(super) fn manifest(&self, entries: &[Entry]) -> String {
        let lines: Vec<String> = entries.iter().map(|entry| entry.stub().to_string()).collect();
        let objects = format!("[{}]", lines.join(",\n "));
        json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": { "name": self.name, "namespace": self.place() },
            "data": { OBJECTS: objects },
        })
        .to_string()
    }
}

/// One object of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub api_version: String,
    pub kind: String,
    pub namespace: Option<String>,
    pub name: String,
}

impl Entry {
    /// An object that is applied; one whose name the API server makes is never the same again.
    pub(super) fn of(item: &Item) -> Option<Self> {
        (item.form != Form::Generated).then(|| Entry {
            api_version: item.api_version.clone(),
            kind: item.id.kind.to_string(),
            namespace: item.id.namespace.as_deref().map(str::to_owned),
            name: item.id.name.text().to_owned(),
        })
    }

    /// The same object, in whatever version.
    pub(super) fn is(&self, other: &Entry) -> bool {
        let group =
            |entry: &Entry| entry.api_version.split_once('/').map_or(String::new(), |(group, _)| group.to_owned());
        self.kind == other.kind
            && self.name == other.name
            && self.namespace == other.namespace
            && group(self) == group(other)
    }

    pub(super) fn stub(&self) -> Value {
        let mut metadata = json!({ "name": self.name });
        if let Some(namespace) = &self.namespace {
            metadata["namespace"] = json!(namespace);
        }
        json!({ "apiVersion": self.api_version, "kind": self.kind, "metadata": metadata })
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let namespace = self.namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
        write!(f, "{} {namespace}{}", self.kind, self.name)
    }
}

/// The list in a ConfigMap; nothing where it holds none that can be read.
pub(super) fn entries(map: &Value) -> Option<Vec<Entry>> {
    let text = map.get("data")?.get(OBJECTS)?.as_str()?;
    let stubs: Vec<Value> = serde_json::from_str(text).ok()?;
    let entry = |stub: &Value| {
        let text = |pointer| live::text(stub, pointer).map(str::to_owned);
        Some(Entry {
            api_version: text("/apiVersion")?,
            kind: text("/kind")?,
            namespace: text("/metadata/namespace"),
            name: text("/metadata/name")?,
        })
    };
    stubs.iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_comes_back_as_it_was_written() {
        let inventory: Inventory = "ops/shop".parse().unwrap();
        let entry = |version: &str, namespace: Option<&str>| Entry {
            api_version: version.to_owned(),
            kind: "Role".to_owned(),
            namespace: namespace.map(str::to_owned),
            name: "a".to_owned(),
        };
        let list = [entry("rbac.authorization.k8s.io/v1", Some("shop")), entry("v1", None)];
        let map: Value = serde_json::from_str(&inventory.manifest(&list)).unwrap();
        assert_eq!(entries(&map).as_deref(), Some(&list[..]));
        assert_eq!(map["metadata"], json!({ "name": "shop", "namespace": "ops" }));
        assert_eq!(entries(&json!({ "data": { "objects": "[{}]" } })), None);
        assert!(list[0].is(&entry("rbac.authorization.k8s.io/v1beta1", Some("shop"))) && !list[0].is(&list[1]));
    }

    #[test]
    fn what_names_a_list() {
        assert_eq!("shop".parse::<Inventory>().map(|i| i.to_string()), Ok("default/shop".to_owned()));
        for wrong in ["", "a/b/c", "A", "/a"] {
            assert_eq!(wrong.parse::<Inventory>(), Err(InventoryError), "{wrong}");
        }
    }
}
