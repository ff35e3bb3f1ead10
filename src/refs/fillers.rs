//! The table of fillers: sources whose content is not final in the input.

use std::collections::BTreeMap;

use crate::flow::{Products, Target};
use crate::object::view::source;
use crate::object::{ObjRef, Object, ObjectSet};
use crate::tree::Node;

/// What marks a source: an annotation or label, and the values that count; none means any but the
/// empty one, `false` and `disabled`.
struct Mark {
    field: &'static str,
    name: &'static str,
    values: &'static [&'static str],
    /// Who fills it, to follow "filled at run time by".
    who: &'static str,
}

const fn annotation(name: &'static str, who: &'static str) -> Mark {
    Mark { field: "annotations", name, values: &[], who }
}

const fn label(name: &'static str, who: &'static str) -> Mark {
    Mark { field: "labels", name, values: &[], who }
}

impl Mark {
    const fn values(mut self, values: &'static [&'static str]) -> Self {
        self.values = values;
        self
    }

    fn is_on(&self, object: &Object<'_>) -> bool {
        let value = object.tree.at(&["metadata", self.field, self.name]);
        value.and_then(Node::as_str).is_some_and(|value| match self.values {
            [] => !matches!(value, "" | "false" | "disabled"),
            values => values.iter().any(|known| value.eq_ignore_ascii_case(known)),
        })
    }
}

const SERVICE_CA: &str = "OpenShift's service CA";
const REPLICATOR: &str = "kubernetes-replicator";
const GENERATOR: &str = "kubernetes-secret-generator";
const FLUX: &str = "whoever else owns its fields (Flux only merges)";
const VAULT_PLUGIN: &str = "argocd-vault-plugin";
const BANK_VAULTS: &str = "the Bank-Vaults webhook";

static MARKS: &[Mark] = &[
    label("config.openshift.io/inject-trusted-cabundle", "OpenShift's network operator").values(&["true"]),
    annotation("service.beta.openshift.io/inject-cabundle", SERVICE_CA).values(&["true"]),
    annotation("service.alpha.openshift.io/inject-cabundle", SERVICE_CA).values(&["true"]),
    annotation("reflector.v1.k8s.emberstack.com/reflects", "reflector"),
    annotation("replicator.v1.mittwald.de/replicate-from", REPLICATOR),
    annotation("secret-generator.v1.mittwald.de/autogenerate", GENERATOR),
    annotation("secret-generator.v1.mittwald.de/type", GENERATOR),
    Mark { values: &[""], ..annotation("secretgen.carvel.dev/image-pull-secret", "secretgen-controller") },
    annotation("kustomize.toolkit.fluxcd.io/ssa", FLUX).values(&["merge", "ifnotpresent"]),
    label("kustomize.toolkit.fluxcd.io/ssa", FLUX).values(&["merge", "ifnotpresent"]),
    annotation("avp.kubernetes.io/path", VAULT_PLUGIN),
    annotation("vault.security.banzaicloud.io/vault-addr", BANK_VAULTS),
];

/// Beginnings of values that somebody replaces before or while they are applied.
static PLACEHOLDERS: &[(&str, &str)] =
    &[("<path:", VAULT_PLUGIN), ("ref+", "vals"), ("vault:", BANK_VAULTS), (">>vault:", BANK_VAULTS)];

/// The sources that somebody fills, or fills up, at run time, and who.
///
/// A source that a maker of the input only writes into counts too; one that the maker would make
/// does not: held with data it is a source like any other.
pub(super) fn filled(objects: &ObjectSet<'_>, products: &Products) -> BTreeMap<ObjRef, &'static str> {
    let mut filled = BTreeMap::new();
    for kind in ["ConfigMap", "Secret"] {
        for (at, object) in objects.of_kind("", kind) {
            if let Some(who) = by_itself(object).or_else(|| written_into(object, products)) {
                filled.insert(at, who);
            }
        }
    }
    filled
}

/// What a source itself says about who fills it.
fn by_itself(object: &Object<'_>) -> Option<&'static str> {
    let is_token = || object.tree.get("type").and_then(Node::as_str) == Some("kubernetes.io/service-account-token");
    let mark = || MARKS.iter().find(|mark| mark.is_on(object)).map(|mark| mark.who);
    if is_token() { Some("the token controller") } else { mark() }.or_else(|| placeholder(object))
}

/// Who replaces a value of the source, if any is a placeholder.
fn placeholder(object: &Object<'_>) -> Option<&'static str> {
    let values = |field| {
        let mapping = object.tree.get(field).and_then(Node::mapping);
        mapping.map(|mapping| mapping.entries()).unwrap_or_default().iter()
    };
    let is_secret = &*object.id.kind == "Secret";
    let written = values("data").chain(values("stringData")).filter_map(|(_, value)| value.as_str());
    written.filter_map(|value| replaced(value, is_secret)).next()
}

/// Who replaces a value; in a Secret it may stand in base64.
fn replaced(value: &str, is_secret: bool) -> Option<&'static str> {
    let by = |text: &str| {
        let known = PLACEHOLDERS.iter().find(|(start, _)| match *start {
            "<path:" => text.contains(start),
            start => text.starts_with(start) && text.contains(['/', '#']),
        });
        known.map(|(_, who)| *who)
    };
    by(value).or_else(|| if is_secret { by(&decoded(value)?) } else { None })
}

/// The text that stands in base64, where it is short enough to be a placeholder.
fn decoded(value: &str) -> Option<String> {
    use base64::Engine as _;
    const LONGEST: usize = 2_000;
    if value.len() > LONGEST {
        return None;
    }
    String::from_utf8(base64::engine::general_purpose::STANDARD.decode(value).ok()?).ok()
}

fn written_into(object: &Object<'_>, products: &Products) -> Option<&'static str> {
    let id = &object.id;
    let target = Target {
        group: id.group.clone(),
        kind: id.kind.clone(),
        namespace: id.namespace.clone(),
        name: id.name.text().into(),
    };
    let is_shared = source::is_source(object) && products.of(&target).any(|product| !product.creates);
    is_shared.then_some("an object of the input that writes into it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::source::{SourceFile, SourceMap};

    /// Who fills the sources of a text.
    fn who(text: &str) -> Vec<&'static str> {
        let mut sources = SourceMap::default();
        sources.add(SourceFile::new("a.yaml", text));
        let loaded = crate::load::objects(&sources, &Settings::default(), &mut Default::default());
        let linked = crate::refs::link(loaded, &Settings::default(), &mut Default::default());
        linked.filled.into_values().collect()
    }

    fn source(kind: &str, metadata: &str, rest: &str) -> String {
        format!("apiVersion: v1\nkind: {kind}\nmetadata: {{name: x, namespace: ns, {metadata}}}\n{rest}\n")
    }

    #[test]
    fn sources_say_who_fills_them() {
        assert_eq!(who(&source("Secret", "", "type: kubernetes.io/service-account-token")), ["the token controller"]);
        let label = "labels: {config.openshift.io/inject-trusted-cabundle: 'true'}";
        assert_eq!(who(&source("ConfigMap", label, "")), ["OpenShift's network operator"]);
        for (annotation, filler) in [
            ("service.beta.openshift.io/inject-cabundle: 'true'", SERVICE_CA),
            ("reflector.v1.k8s.emberstack.com/reflects: a/b", "reflector"),
            ("replicator.v1.mittwald.de/replicate-from: a/b", REPLICATOR),
            ("secretgen.carvel.dev/image-pull-secret: ''", "secretgen-controller"),
            ("kustomize.toolkit.fluxcd.io/ssa: Merge", FLUX),
        ] {
            assert_eq!(who(&source("Secret", &format!("annotations: {{{annotation}}}"), "data: {a: eA==}")), [filler]);
        }
        for annotation in
            ["kustomize.toolkit.fluxcd.io/ssa: Override", "service.beta.openshift.io/inject-cabundle: 'false'"]
        {
            assert_eq!(who(&source("Secret", &format!("annotations: {{{annotation}}}"), "")), [""; 0]);
        }
    }

    #[test]
    fn placeholders_are_no_values() {
        assert_eq!(who(&source("Secret", "", "stringData: {a: '<path:kv/data/x#y>'}")), [VAULT_PLUGIN]);
        // <path:kv/data/x#y>
        assert_eq!(who(&source("Secret", "", "data: {a: PHBhdGg6a3YvZGF0YS94I3k+}")), [VAULT_PLUGIN]);
        assert_eq!(who(&source("ConfigMap", "", "data: {a: 'https://<path:kv/data/x#y>/'}")), [VAULT_PLUGIN]);
        assert_eq!(who(&source("Secret", "", "stringData: {a: 'vault:secret/data/x#y'}")), [BANK_VAULTS]);
        assert_eq!(who(&source("Secret", "", "stringData: {a: 'vault: no', b: ref}")), [""; 0]);
    }

    #[test]
    fn whoever_only_writes_into_a_source_fills_it() {
        let secret = source("Secret", "", "data: {a: eA==}");
        let external = |policy: &str| {
            format!(
                "{secret}---\napiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {{name: x, namespace: ns}}\n\
                 spec: {{target: {{creationPolicy: {policy}}}, dataFrom: [{{}}]}}\n"
            )
        };
        assert_eq!(who(&external("Merge")).len(), 1);
        assert_eq!(who(&external("Owner")).len(), 0);
    }
}
