//! What a file is by its name, and how names are shown.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use super::Role;

/// What the walk does with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// Read, or listed, with this role.
    Read(Role),
    /// A template that is not rendered: `*.yml.tera`, `*.json.tera`.
    Template,
    /// Nothing: not ours to read.
    Other,
}

/// File of a Helm chart that makes its folder one.
pub(super) const CHART: &str = "Chart.yaml";
/// File with patterns of what the walk leaves out.
pub(super) const IGNORE: &str = ".tidegateignore";
/// Folder of a Helm chart that only Helm reads.
pub(super) const CHART_TEMPLATES: &str = "templates";

/// tidegate's own configuration, which is read by other means.
const CONFIG: &[u8] = b"tidegate.yaml";
/// kustomize, api/konfig/general.go: `RecognizedKustomizationFileNames`.
const KUSTOMIZATIONS: [&[u8]; 3] = [b"kustomization.yaml", b"kustomization.yml", b"Kustomization"];
/// Names that other tools keep for themselves, in every folder.
const TOOLS: [&[u8]; 3] = [CHART.as_bytes(), b"Kptfile", b"skaffold.yaml"];

/// What a name found in a folder is; `chart` says whether the folder holds a `Chart.yaml`.
pub(super) fn in_folder(name: &OsStr, chart: bool) -> Name {
    let name = name.as_encoded_bytes();
    let yaml = name.ends_with(b".yaml") || name.ends_with(b".yml");
    if KUSTOMIZATIONS.contains(&name) {
        Name::Read(Role::Kustomization)
    } else if TOOLS.contains(&name) || (chart && yaml && name.starts_with(b"values")) {
        Name::Read(Role::Tool)
    } else if name == CONFIG {
        Name::Other
    } else if yaml || name.ends_with(b".json") {
        Name::Read(Role::Manifests)
    } else if name.ends_with(b".yaml.tera") && !name.starts_with(b"_") {
        Name::Read(Role::Template)
    } else if name.ends_with(b".yml.tera") || name.ends_with(b".json.tera") {
        Name::Template
    } else if name.ends_with(b".tera") {
        Name::Read(Role::Partial)
    } else {
        Name::Other
    }
}

/// Whether the name of a path is that of a kustomization file.
pub fn is_kustomization(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    KUSTOMIZATIONS.contains(&name.as_bytes())
}

/// What a file named by the user is: read whatever its name, unless it is a template.
pub(super) fn named(name: Option<&OsStr>) -> Name {
    match name.map_or(Name::Other, |name| in_folder(name, false)) {
        found @ (Name::Template | Name::Read(Role::Kustomization | Role::Template)) => found,
        _ => Name::Read(Role::Manifests),
    }
}

/// Whether a link that leads nowhere may have been meant as input: by its name a file that is read,
/// or a folder.
pub(super) fn may_be_input(name: &OsStr, what: Name) -> bool {
    what != Name::Other || Path::new(name).extension().is_none()
}

/// A name for people: bytes that are not UTF-8 as `\xNN`.
pub(super) fn show(name: &OsStr) -> String {
    let mut shown = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        shown.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // writing to a string cannot fail
            let _ = write!(shown, "\\x{byte:02X}");
        }
    }
    shown
}

/// A name below a folder as it is shown: `/` between them on every system.
pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() || name.is_empty() || folder.ends_with('/') {
        format!("{folder}{name}")
    } else {
        format!("{folder}/{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide_the_role() {
        let read = |role| Name::Read(role);
        for (name, plain, chart) in [
            ("app.yaml", read(Role::Manifests), read(Role::Manifests)),
            (".app.yml", read(Role::Manifests), read(Role::Manifests)),
            ("a.json", read(Role::Manifests), read(Role::Manifests)),
            ("values.yaml", read(Role::Manifests), read(Role::Tool)),
            ("values-eu.yml", read(Role::Manifests), read(Role::Tool)),
            ("values.json", read(Role::Manifests), read(Role::Manifests)),
            ("Chart.yaml", read(Role::Tool), read(Role::Tool)),
            ("chart.yaml", read(Role::Manifests), read(Role::Manifests)),
            ("Kptfile", read(Role::Tool), read(Role::Tool)),
            ("skaffold.yaml", read(Role::Tool), read(Role::Tool)),
            ("Kustomization", read(Role::Kustomization), read(Role::Kustomization)),
            ("a.yaml.tera", read(Role::Template), read(Role::Template)),
            ("_a.yaml.tera", read(Role::Partial), read(Role::Partial)),
            ("a.tera", read(Role::Partial), read(Role::Partial)),
            ("a.yml.tera", Name::Template, Name::Template),
            ("a.json.tera", Name::Template, Name::Template),
            ("tidegate.yaml", Name::Other, Name::Other),
            // as kubectl: endings are lower case
            ("app.YAML", Name::Other, Name::Other),
            ("yaml", Name::Other, Name::Other),
        ] {
            assert_eq!(in_folder(name.as_ref(), false), plain, "{name}");
            assert_eq!(in_folder(name.as_ref(), true), chart, "{name} in a chart");
        }
    }

    #[test]
    fn a_named_file_is_read_whatever_its_name() {
        for name in ["Chart.yaml", "values.yaml", "tidegate.yaml", "app.txt"] {
            assert_eq!(named(Some(name.as_ref())), Name::Read(Role::Manifests));
        }
        assert_eq!(named(None), Name::Read(Role::Manifests));
        assert_eq!(named(Some("a.yaml.tera".as_ref())), Name::Read(Role::Template));
        assert_eq!(named(Some("a.yml.tera".as_ref())), Name::Template);
    }
}
