//! Objects that are larger than an annotation or the API server takes.

use crate::config::{EngineName, Settings};
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::object::Object;
use crate::object::annotation::SYNC_OPTIONS;
use crate::object::size::{self, ANNOTATIONS_LIMIT};
use crate::object::view::config_data::ConfigData;
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&ANNOTATIONS, &CONTENT];

static ANNOTATIONS: Rule = Rule {
    id: "TG550",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an object is too large for the annotation in which client-side apply keeps it",
    explanation: "\
`kubectl apply` without `--server-side` keeps the whole object as JSON in the annotation
`kubectl.kubernetes.io/last-applied-configuration`, and all annotations of an object together may not be
longer than 262144 bytes: the API server refuses it (`metadata.annotations: Too long`). Large definitions
and ConfigMaps with dashboards are the usual ones.

Apply on the server, which keeps no copy: `kubectl apply --server-side`, `tidegate apply`. For Argo CD
tidegate writes the sync option `ServerSideApply=true` on such an object; it is found there only where
`ServerSideApply=false` stands on it. Flux always applies on the server. An object whose own annotations
are longer than that is refused by every way, and is an error.

Source: k8s.io/apimachinery, pkg/api/validation/objectmeta.go (`TotalAnnotationSizeLimitB`); kubectl,
pkg/util/apply.go.",
};

static CONTENT: Rule = Rule {
    id: "TG551",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a ConfigMap or Secret holds more than the API server takes",
    explanation: "\
All values of a ConfigMap (`data` and `binaryData`) or of a Secret together may not be longer than 1048576
bytes, decoded: the API server refuses the object (`Too long: may not be more than 1048576 bytes`).

Split it, compress it, or put what is large into an image or a volume.
Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go (`ValidateConfigMap`, `ValidateSecret`;
`MaxSecretSize`).",
};

/// All values of one ConfigMap or Secret together, in bytes.
const MOST_CONTENT: usize = 1_048_576;

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    for (_, object) in planned.objects().iter() {
        if let Some(finding) = annotations(object, settings.engine) {
            found.push(finding);
        }
        if object.is("", "ConfigMap") || object.is("", "Secret") {
            content(object).into_iter().for_each(|finding| found.push(finding));
        }
    }
}

/// The bytes of the annotations that somebody wrote.
fn own(object: &Object<'_>) -> usize {
    let mapping = object.tree.at(&["metadata", "annotations"]).and_then(Node::mapping);
    let entries = mapping.map(|mapping| mapping.entries()).unwrap_or_default();
    let entries = entries.iter().filter(|(key, _)| key.name != LAST_APPLIED);
    entries.map(|(key, value)| key.name.len() + value.as_str().map_or(0, str::len)).sum()
}

fn annotations(object: &Object<'_>, engine: EngineName) -> Option<Finding> {
    let own = own(object);
    let path = FieldPath::keys(["metadata", "annotations"]);
    let at = |path: FieldPath| Label::new(object.place_of(&path)).path(path);
    if own > ANNOTATIONS_LIMIT {
        let message = format!("the annotations of {} have {own} bytes, and {ANNOTATIONS_LIMIT} are taken", object.id);
        let finding = Finding::new(&ANNOTATIONS, message).with_severity(Severity::Error).with_object(&object.id);
        return Some(finding.with_label(at(path)).with_remedy("make them shorter"));
    }
    let option = |wanted: &str| {
        let list = object.annotation(SYNC_OPTIONS).unwrap_or_default();
        list.split(',').any(|option| option.trim() == wanted)
    };
    let is_client_side = match engine {
        EngineName::Kubectl => true,
        EngineName::Argocd => option("ServerSideApply=false") && !option("Replace=true"),
        EngineName::Flux => false,
    };
    if !is_client_side {
        return None;
    }
    // what an earlier apply left is taken out before the object is kept again
    let left = object.annotation(LAST_APPLIED).map_or(0, |text| 2 * text.len());
    // annotations of the user's count twice: in the copy, and beside it
    let bytes = size::json_bytes(&object.tree, ANNOTATIONS_LIMIT / 2)?;
    let kept = bytes.saturating_sub(left) + LAST_APPLIED.len() + own;
    if kept <= ANNOTATIONS_LIMIT {
        return None;
    }
    let message = format!(
        "{} has {bytes} bytes as JSON: client-side apply keeps them in an annotation, and all annotations together may have \
         {ANNOTATIONS_LIMIT}",
        object.id
    );
    let (path, remedy) = match engine {
        EngineName::Argocd => (path.key(SYNC_OPTIONS), "take `ServerSideApply=false` away"),
        _ => (FieldPath::keys(["metadata", "name"]), "apply it with `--server-side`, as `tidegate apply` does"),
    };
    Some(Finding::new(&ANNOTATIONS, message).with_object(&object.id).with_label(at(path)).with_remedy(remedy))
}

fn content(object: &Object<'_>) -> Option<Finding> {
    // decoded, no value is longer than it is written
    if size::text_bytes(&object.tree) <= MOST_CONTENT {
        return None;
    }
    let data = ConfigData::of(object);
    let bytes: usize = data.text.values().chain(data.binary.values()).map(|value| value.len()).sum();
    if bytes <= MOST_CONTENT {
        return None;
    }
    let message = format!("the values of {} have {bytes} bytes, and {MOST_CONTENT} are taken", object.id);
    let path = FieldPath::keys(["metadata", "name"]);
    Some(
        Finding::new(&CONTENT, message)
            .with_object(&object.id)
            .with_label(Label::new(object.place_of(&path)).path(path))
            .with_remedy("split it, or put what is large into an image or a volume"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceFile, SourceMap};

    /// The ids of what is found in a ConfigMap with a value of some bytes.
    fn found(bytes: usize, head: &str, engine: EngineName) -> Vec<&'static str> {
        let mut sources = SourceMap::default();
        let value = "x".repeat(bytes);
        let text = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a{head}}}\ndata: {{a: {value}}}\n");
        sources.add(SourceFile::new("a.yaml", text));
        let settings = Settings { engine, ..Settings::default() };
        let mut found = Findings::default();
        let loaded = crate::load::objects(&sources, &settings, &mut found);
        let linked = crate::flow::Linked { loaded, ..crate::flow::Linked::default() };
        run(&Planned { linked, ..Planned::default() }, &settings, &mut found);
        found.sorted().iter().map(|finding| finding.rule.id).collect()
    }

    #[test]
    fn what_is_too_large_for_whom() {
        let no = ", annotations: {argocd.argoproj.io/sync-options: ServerSideApply=false}";
        for (bytes, head, engine, wanted) in [
            (1000, "", EngineName::Kubectl, &[][..]),
            (262_000, "", EngineName::Kubectl, &[]),
            (262_144, "", EngineName::Kubectl, &["TG550"]),
            (262_144, "", EngineName::Argocd, &[]),
            (262_144, no, EngineName::Argocd, &["TG550"]),
            (262_144, "", EngineName::Flux, &[]),
            (1_048_576, "", EngineName::Flux, &[]),
            (1_048_577, "", EngineName::Flux, &["TG551"]),
        ] {
            assert_eq!(found(bytes, head, engine), wanted, "{bytes} {head} {engine:?}");
        }
    }
}
