//! What is converted on the way, and to what.

use std::str::FromStr;

use super::words::SplitVersion;
use crate::object::gvk::{is_kind, split_api_version};

/// What is converted on the way, and to what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConvertSettings {
    /// The version of TrafficSplits.
    pub traffic_split: SplitVersion,
    /// The largest whole weight, and the largest sum of weights; none for what the target allows.
    pub weight_limit: Option<u64>,
    /// Whether fields that the target cannot hold are dropped.
    pub allow_lossy: bool,
    /// Whether Quantities are read where whole numbers belong.
    pub lenient: bool,
    /// What the cluster serves, as far as it is known; never part of a file.
    pub api_versions: Vec<ServedVersion>,
}

/// A group and version that a cluster serves, and the kind where one is named.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServedVersion {
    /// The group; empty for the core group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind; none for all kinds of the group.
    pub kind: Option<String>,
}

impl ServedVersion {
    /// Whether this speaks of a kind of a group.
    pub fn names(&self, group: &str, kind: &str) -> bool {
        self.group == group && self.kind.as_deref().is_none_or(|named| named == kind)
    }
}

/// `group/version` or `group/version/Kind`, as Helm has them in `.Capabilities.APIVersions` and Argo CD in
/// `KUBE_API_VERSIONS`; `v1`, `v1/Kind` in the core group.
impl FromStr for ServedVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}`: write GROUP/VERSION or GROUP/VERSION/KIND");
        let (api_version, kind) = match text.rsplit_once('/') {
            Some((rest, last)) if is_kind(last) && last.starts_with(|c: char| c.is_ascii_uppercase()) => {
                (rest, Some(last.to_owned()))
            }
            _ => (text, None),
        };
        let (group, version) = split_api_version(api_version).map_err(|_| wrong())?;
        Ok(ServedVersion { group: group.to_owned(), version: version.to_owned(), kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_served_version_may_name_a_kind() {
        let read = |text: &str| text.parse::<ServedVersion>();
        let served = read("split.smi-spec.io/v1alpha2/TrafficSplit").unwrap();
        assert!(served.names("split.smi-spec.io", "TrafficSplit") && served.version == "v1alpha2");
        assert!(!served.names("split.smi-spec.io", "Other") && !served.names("apps", "TrafficSplit"));
        assert!(read("apps/v1").unwrap().names("apps", "Deployment"));
        assert!(read("v1/Pod").unwrap().names("", "Pod") && read("v1").unwrap().names("", "Pod"));
        for wrong in ["", "a/b/c/D", "/v1", "apps/", "apps/v1/", "Apps/v1"] {
            assert_eq!(read(wrong), Err(format!("`{wrong}`: write GROUP/VERSION or GROUP/VERSION/KIND")));
        }
    }
}
