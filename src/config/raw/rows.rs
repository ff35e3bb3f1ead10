//! The tables of the configuration's fields.

use super::added::{RawConfigVersion, RawFiller, RawPatch, RawProducer, RawReferenceField, RawStage};
use super::{
    API_VERSION, KIND, Raw, RawDependency, RawExternal, RawIgnore, RawIgnoredEdge, RawKind, RawPodTemplate, RawReload,
    RawSeverity, RawSources,
};
use crate::config::table::{Accepts, Each, Field, Form, OneOf, Shape, field, required};
use crate::object::gvk;
use crate::object::labels::LabelSelector;
use crate::object::pattern::Pattern;

/// Waves that a band may start at: far inside what an engine reads, with room to count on.
const FIRST_WAVE: i64 = -1_000_000;
const LAST_WAVE: i64 = 1_000_000;

static THIS_VERSION: Form = Form { words: API_VERSION, holds: |text| text == API_VERSION };
static THIS_KIND: Form = Form { words: KIND, holds: |text| text == KIND };
static NAMESPACE: Form = Form {
    words: "a namespace name (lower case letters, digits and inner `-`, at most 63 characters)",
    holds: gvk::is_dns_label,
};
static RULE_ID: Form = Form { words: "the id of a rule, as in TG101", holds: is_rule_id };
static GROUP: Form = Form {
    words: "an API group without a version, as in `apps`, or \"\" for the core group",
    holds: |text| text.is_empty() || gvk::is_dns_subdomain(text),
};
static KIND_NAME: Form = Form { words: "a kind, as in `Deployment`", holds: gvk::is_kind };
static TEMPLATE_PATH: Form = Form {
    words: "the keys from the object to its pod template with dots between them, as in `spec.template`",
    holds: |text| text.split('.').all(|key| !key.trim().is_empty() && !key.contains(['[', ']'])),
};
static FIELD_PATH: Form = Form {
    words: "keys with dots between them, `[]` behind a list for each of its items, as in `spec.sources[].secretName`",
    holds: |text| {
        let is_key = |key: &str| {
            let name = key.strip_suffix("[]").unwrap_or(key);
            !name.is_empty() && !name.contains(['[', ']', '{', '}', '*']) && !name.contains(char::is_whitespace)
        };
        text.split('.').all(is_key) && !text.ends_with("[]")
    },
};
static KIND_AND_GROUP: Form = Form {
    words: "KIND or KIND.GROUP, as in `Secret` or `Certificate.cert-manager.io`",
    holds: |text| {
        let (kind, group) = text.split_once('.').unwrap_or((text, "a"));
        gvk::is_kind(kind) && gvk::is_dns_subdomain(group)
    },
};
static MADE_NAME: Form = Form {
    words: "a name, in which `*` stands for the maker's own, as in `*-tls`",
    holds: |text| !text.is_empty() && gvk::is_dns_subdomain(&text.replace('*', "a")),
};
static OBJECTS: Form = Form {
    words: "a pattern of objects, as in `Job/shop/migrate`: KIND[.GROUP], KIND[.GROUP]/NAME or KIND[.GROUP]/NAMESPACE/NAME, \
            with `*` for any characters",
    holds: |text| !text.trim().is_empty() && text.parse::<Pattern>().is_ok(),
};
static SOURCES: Form = Form {
    words: "a pattern of ConfigMaps or Secrets, as in `ConfigMap/shop/app-*`",
    holds: |text| !text.trim().is_empty() && text.parse::<Pattern>().is_ok(),
};
static LABELS: Form = Form {
    words: "labels as kubectl -l reads them, as in `app=web,tier in (a,b)`",
    holds: |text| !text.trim().is_empty() && text.parse::<LabelSelector>().is_ok(),
};
static PATTERN: Form = Form {
    words: "a name, in which `*` stands for any characters and `?` for one",
    holds: |text| !text.is_empty() && globset::Glob::new(text).is_ok(),
};
static PATTERN_OR_NONE: Form = Form {
    words: "an API group, in which `*` stands for any characters and `?` for one, or \"\" for the core group",
    holds: |text| globset::Glob::new(text).is_ok(),
};
static INSIDE: Form = Form {
    words: "a path below the folder of the configuration, without `..`, as in `values/prod.yaml`",
    holds: is_inside,
};
static PATCH_FILE: Form = Form {
    words: "a path below the folder of the configuration, without `..`, as in `patches/volumes.yaml`",
    holds: is_inside,
};
static FLUX_NAME: Form = Form {
    words: "a name of at most 54 lower case letters, digits and inner `-`",
    holds: |text| gvk::is_dns_label(text) && text.len() <= 54,
};
static OBJECT_NAME: Form = Form { words: "a name, as in `flux-system`", holds: gvk::is_dns_subdomain };
static REPOSITORY_PATH: Form = Form {
    words: "a path from the root of the repository, as in `clusters/prod`, without `..`",
    holds: |text| !text.trim().is_empty() && !text.starts_with('/') && text.split('/').all(|part| part != ".."),
};
static DURATION: Form = Form { words: "a duration, as in `10m` or `1h30m`", holds: is_duration };
static IMAGE: Form = Form {
    words: "an image, as in `busybox:1.37.0`",
    holds: |text| !text.is_empty() && !text.contains(char::is_whitespace),
};
static ADDRESS: Form = Form { words: "a host and a port, as in `istiod.istio-system.svc:15012`", holds: is_address };
static POINTER: Form = Form { words: "a JSON pointer, as in `/global/version`", holds: |text| text.starts_with('/') };
static SOME_TEXT: Form = Form { words: "a string that is not empty", holds: |text| !text.trim().is_empty() };

/// Whether a text is `TG` and three digits.
fn is_rule_id(text: &str) -> bool {
    text.strip_prefix("TG").is_some_and(|digits| digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a path that the input gives is relative, and goes up nowhere. Where its links lead is told
/// when it is opened.
fn is_inside(path: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part != ".." && !part.contains(['\\', '\0']);
    !path.contains(':') && path.split('/').all(is_name)
}

/// Whether a text is a host name, a colon and the number of a port.
fn is_address(text: &str) -> bool {
    text.rsplit_once(':')
        .is_some_and(|(host, port)| gvk::is_dns_subdomain(host) && port.parse::<u16>().is_ok_and(|number| number > 0))
}

/// Whether a text is what Flux takes for a duration: numbers with `ms`, `s`, `m` or `h` behind each.
fn is_duration(text: &str) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        let unit = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let after = ["ms", "s", "m", "h"].iter().find_map(|name| unit.strip_prefix(name));
        match after {
            Some(after) if unit.len() < rest.len() => rest = after,
            _ => return false,
        }
    }
    !text.is_empty()
}

/// The whole object.
pub(super) static DOCUMENT: &[Field<Raw>] = &[
    required("apiVersion", Accepts::Text(&THIS_VERSION, |raw| &mut raw.api_version), "the version of this form"),
    required("kind", Accepts::Text(&THIS_KIND, |raw| &mut raw.kind), "the kind of this object"),
    field("metadata", Accepts::Free, "free, for whoever stores the object"),
    field("spec", Accepts::Section(SPEC), "the settings"),
];

pub(in crate::config) static SPEC: &[Field<Raw>] = &[
    field(
        "namespace",
        Accepts::Text(&NAMESPACE, |raw| &mut raw.namespace),
        "the namespace of namespaced objects that name none",
    ),
    field(
        "writeNamespace",
        Accepts::Flag(|raw| &mut raw.write_namespace),
        "whether that namespace is written into them",
    ),
    field(
        "partial",
        Accepts::Flag(|raw| &mut raw.partial),
        "whether the input is one part of what is deployed together: what it names may be elsewhere",
    ),
    field("input", Accepts::Section(INPUT), "what is read"),
    field("engine", Accepts::Section(ENGINE), "who applies the output"),
    field("waves", Accepts::Section(WAVES), "how objects are spread over waves"),
    field(
        "stages",
        Accepts::List(&Each { fields: STAGES, slot: |raw: &mut Raw| &mut raw.stages }),
        "kinds that are in another stage than the table says",
    ),
    field("checksums", Accepts::Section(CHECKSUMS), "what of the configuration that pods read becomes a checksum"),
    field("reload", Accepts::Section(RELOAD), "which changes of configuration restart pods"),
    field("versioned", Accepts::Section(VERSIONED), "configuration that gets a name of its content"),
    field("references", Accepts::Section(REFERENCES), "what objects refer to, beside what tidegate knows"),
    field("templates", Accepts::Section(TEMPLATES), "what templates, files named `*.yaml.tera`, are rendered with"),
    field(
        "patches",
        Accepts::List(&Each { fields: PATCHES, slot: |raw: &mut Raw| &mut raw.patches }),
        "changes of objects, made one after the other before anything else is done with them",
    ),
    field("gates", Accepts::Section(GATES), "which waits become gates"),
    field("edges", Accepts::Section(EDGES), "what needs what, beside what tidegate infers"),
    field("convert", Accepts::Section(CONVERT), "what is converted to another version of its API on the way"),
    field("findings", Accepts::Section(FINDINGS), "what becomes of findings"),
    field(
        "kinds",
        Accepts::List(&Each { fields: KINDS, slot: |raw: &mut Raw| &mut raw.kinds }),
        "what is to be known of kinds whose CRD is not in the input",
    ),
    field("external", Accepts::Section(EXTERNAL), "objects that others apply or make"),
    field("limits", Accepts::Nothing("limits are changed by flags or the operator's environment only"), ""),
];

static INPUT: &[Field<Raw>] = &[
    field("strict", Accepts::Flag(|raw| &mut raw.strict_input), "whether documents that would be skipped are errors"),
    field("allowEmpty", Accepts::Flag(|raw| &mut raw.allow_empty), "whether input without any object is no error"),
];

static ENGINE: &[Field<Raw>] = &[
    field("name", Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.engine)), "the engine"),
    field("argocd", Accepts::Section(ARGOCD), "what holds for Argo CD alone"),
    field("flux", Accepts::Section(FLUX), "what holds for Flux alone"),
];

static FLUX: &[Field<Raw>] = &[
    field(
        "name",
        Accepts::Text(&FLUX_NAME, |raw| &mut raw.flux.name),
        "what the names of the Kustomizations begin with; the name of the output folder where it is absent",
    ),
    field("namespace", Accepts::Text(&NAMESPACE, |raw| &mut raw.flux.namespace), "the namespace of the Kustomizations"),
    field("sourceRef", Accepts::Section(FLUX_SOURCE), "where Flux takes the output from"),
    field(
        "path",
        Accepts::Text(&REPOSITORY_PATH, |raw| &mut raw.flux.path),
        "where the output folder lies in the source; as `--output-dir` names it where it is absent",
    ),
    field("interval", Accepts::Text(&DURATION, |raw| &mut raw.flux.interval), "how often Flux looks"),
    field(
        "timeout",
        Accepts::Text(&DURATION, |raw| &mut raw.flux.timeout),
        "how long Flux waits until everything of a stage is ready",
    ),
    field("prune", Accepts::Flag(|raw| &mut raw.flux.prune), "whether Flux removes what the folder no longer holds"),
];

static FLUX_SOURCE: &[Field<Raw>] = &[
    field("kind", Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.flux.source_kind)), "the kind of the source"),
    field("name", Accepts::Text(&OBJECT_NAME, |raw| &mut raw.flux.source_name), "its name"),
    field(
        "namespace",
        Accepts::Text(&NAMESPACE, |raw| &mut raw.flux.source_namespace),
        "its namespace; that of the Kustomizations where it is absent",
    ),
];

static ARGOCD: &[Field<Raw>] = &[field(
    "skipDryRun",
    Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.skip_dry_run)),
    "which custom resources get `SkipDryRunOnMissingResource=true`: those whose definition an object of the input \
     makes, or all whose definition is not in the input",
)];

static WAVES: &[Field<Raw>] = &[
    field(
        "mode",
        Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.wave_mode)),
        "a band for each stage, or as few waves as gates allow",
    ),
    field("bands", Accepts::Section(BANDS), "the first wave of each stage, ascending"),
];

static BANDS: &[Field<Raw>] = &[
    field(
        "config",
        Accepts::Number(FIRST_WAVE, LAST_WAVE, |raw| &mut raw.bands.config),
        "the first wave of the config stage",
    ),
    field("crd", Accepts::Number(FIRST_WAVE, LAST_WAVE, |raw| &mut raw.bands.crd), "the first wave of the crd stage"),
    field(
        "workload",
        Accepts::Number(FIRST_WAVE, LAST_WAVE, |raw| &mut raw.bands.workload),
        "the first wave of the workload stage",
    ),
];

static CHECKSUMS: &[Field<Raw>] = &[
    field("mode", Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.checksum_mode)), "which workloads get a checksum"),
    field(
        "encrypted",
        Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.encrypted)),
        "whether ciphertext in the input stands in for what it is decrypted to",
    ),
    field(
        "csi",
        Accepts::Flag(|raw| &mut raw.csi),
        "whether SecretProviderClasses and Secrets for mounting CSI volumes take part",
    ),
    field(
        "requireKey",
        Accepts::Flag(|raw| &mut raw.require_key),
        "whether there must be a key, so that no value can be guessed",
    ),
];

static RELOAD: &[Field<Raw>] = &[
    field(
        "annotations",
        Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.foreign_reload)),
        "whether the annotations of Reloader and wave are read as policy",
    ),
    field(
        "rules",
        Accepts::List(&Each { fields: RELOAD_RULES, slot: |raw: &mut Raw| &mut raw.reload_rules }),
        "policies for sources of which no annotation says anything; the first rule that fits counts",
    ),
];

static RELOAD_RULES: &[Field<RawReload>] = &[
    required("source", Accepts::Text(&SOURCES, |row| &mut row.source), "the sources"),
    field("labels", Accepts::Text(&LABELS, |row| &mut row.labels), "labels that they must have"),
    field(
        "workload",
        Accepts::Text(&OBJECTS, |row| &mut row.workload),
        "the workloads that read them; any where it is absent",
    ),
    required(
        "policy",
        Accepts::Word(&OneOf(|row: &mut RawReload| &mut row.policy)),
        "what a change does to the pods: restart, nothing where the kubelet brings it to them, or nothing",
    ),
];

static VERSIONED: &[Field<Raw>] = &[
    field(
        "keep",
        Accepts::Flag(|raw| &mut raw.keep_versions),
        "whether Argo CD keeps old versions for good (`Prune=false`), not only until their last readers are gone \
         (`PruneLast=true`)",
    ),
    field(
        "sources",
        Accepts::List(&Each { fields: VERSIONED_SOURCES, slot: |raw: &mut Raw| &mut raw.versioned }),
        "ConfigMaps and Secrets that get a name of their content, beside those with `tidegate.dev/versioned: \"true\"`",
    ),
];

static VERSIONED_SOURCES: &[Field<RawSources>] = &[
    required("source", Accepts::Text(&SOURCES, |row| &mut row.source), "the sources"),
    field("labels", Accepts::Text(&LABELS, |row| &mut row.labels), "labels that they must have"),
];

static REFERENCES: &[Field<Raw>] = &[
    field(
        "podTemplates",
        Accepts::List(&Each { fields: POD_TEMPLATES, slot: |raw: &mut Raw| &mut raw.pod_templates }),
        "where kinds hold a pod template, beside those that tidegate knows",
    ),
    field(
        "fields",
        Accepts::List(&Each { fields: REFERENCE_FIELDS, slot: |raw: &mut Raw| &mut raw.reference_fields }),
        "where kinds name other objects, beside what tidegate knows",
    ),
    field(
        "producers",
        Accepts::List(&Each { fields: PRODUCERS, slot: |raw: &mut Raw| &mut raw.producers }),
        "kinds whose objects make others when they run, beside those that tidegate knows",
    ),
    field(
        "fillers",
        Accepts::List(&Each { fields: FILLERS, slot: |raw: &mut Raw| &mut raw.fillers }),
        "marks on ConfigMaps and Secrets that somebody fills at run time",
    ),
    field(
        "configVersions",
        Accepts::List(&Each { fields: CONFIG_VERSIONS, slot: |raw: &mut Raw| &mut raw.config_versions }),
        "where ConfigMaps without `tidegate.dev/config-version` say which version of configuration they are",
    ),
];

static CONFIG_VERSIONS: &[Field<RawConfigVersion>] = &[
    required("source", Accepts::Text(&SOURCES, |row| &mut row.source), "the ConfigMaps"),
    required("key", Accepts::Text(&SOME_TEXT, |row| &mut row.key), "the key, whose value is YAML or JSON"),
    required(
        "pointer",
        Accepts::Text(&POINTER, |row| &mut row.pointer),
        "the way to the version in that value (RFC 6901)",
    ),
];

static REFERENCE_FIELDS: &[Field<RawReferenceField>] = &[
    required("group", Accepts::Text(&GROUP, |row| &mut row.group), "the API group of the kind"),
    required("kind", Accepts::Text(&KIND_NAME, |row| &mut row.kind), "the kind"),
    required("path", Accepts::Text(&FIELD_PATH, |row| &mut row.path), "the way to the name"),
    required("to", Accepts::Text(&KIND_AND_GROUP, |row| &mut row.to), "the kind of the object that is named"),
    field(
        "key",
        Accepts::Text(&SOME_TEXT, |row| &mut row.key),
        "the field beside the name that says which key is read",
    ),
    field("optional", Accepts::Flag(|row| &mut row.optional), "whether the object does without the one it names"),
    field(
        "orders",
        Accepts::Flag(|row| &mut row.orders),
        "whether the named object comes first; it does unless this is false",
    ),
];

static PRODUCERS: &[Field<RawProducer>] = &[
    required("group", Accepts::Text(&GROUP, |row| &mut row.group), "the API group of the kind"),
    required("kind", Accepts::Text(&KIND_NAME, |row| &mut row.kind), "the kind"),
    required("makes", Accepts::Text(&KIND_AND_GROUP, |row| &mut row.makes), "the kind of what its objects make"),
    field(
        "name",
        Accepts::Text(&MADE_NAME, |row| &mut row.name),
        "the name of what is made, with `*` for the maker's own; `*` where neither this nor a path is given, and \
         the one that counts where the path leads to nothing",
    ),
    field("path", Accepts::Text(&FIELD_PATH, |row| &mut row.path), "the way to the field that says the name"),
    field("keys", Accepts::Texts(&SOME_TEXT, |row| &mut row.keys), "all keys that it has; unknown where absent"),
];

static FILLERS: &[Field<RawFiller>] = &[
    field("annotation", Accepts::Text(&SOME_TEXT, |row| &mut row.annotation), "the name of an annotation"),
    field("label", Accepts::Text(&SOME_TEXT, |row| &mut row.label), "the name of a label"),
    field(
        "values",
        Accepts::Texts(&SOME_TEXT, |row| &mut row.values),
        "the values that count; any but false where absent",
    ),
    field("by", Accepts::Text(&SOME_TEXT, |row| &mut row.by), "who fills it, for messages"),
];

static STAGES: &[Field<RawStage>] = &[
    required("group", Accepts::Text(&GROUP, |row| &mut row.group), "the API group of the kind"),
    required("kind", Accepts::Text(&KIND_NAME, |row| &mut row.kind), "the kind"),
    required("stage", Accepts::Word(&OneOf(|row: &mut RawStage| &mut row.stage)), "the stage of its objects"),
];

static POD_TEMPLATES: &[Field<RawPodTemplate>] = &[
    required("group", Accepts::Text(&GROUP, |row| &mut row.group), "the API group of the kind"),
    required("kind", Accepts::Text(&KIND_NAME, |row| &mut row.kind), "the kind"),
    required("path", Accepts::Text(&TEMPLATE_PATH, |row| &mut row.path), "the way to the template"),
];

static TEMPLATES: &[Field<Raw>] = &[field(
    "values",
    Accepts::Texts(&INSIDE, |raw| &mut raw.template_values),
    "files with values, the later ones over the earlier ones and those of `--values` over them",
)];

static PATCHES: &[Field<RawPatch>] = &[
    required("target", Accepts::Section(PATCH_TARGET), "which objects"),
    field(
        "merge",
        Accepts::Value(&[Shape::Mapping], |row| &mut row.merge),
        "a JSON merge patch (RFC 7386): its fields replace those of the object, null takes a field out",
    ),
    field(
        "json6902",
        Accepts::Value(&[Shape::List], |row| &mut row.json6902),
        "a JSON patch (RFC 6902): a list of operations",
    ),
    field(
        "path",
        Accepts::Text(&PATCH_FILE, |row| &mut row.path),
        "a file that holds the one (a mapping) or the other (a list)",
    ),
];

static PATCH_TARGET: &[Field<RawPatch>] = &[
    field("group", Accepts::Text(&PATTERN_OR_NONE, |row| &mut row.group), "their API group; any where it is absent"),
    field("version", Accepts::Text(&PATTERN, |row| &mut row.version), "their version; any where it is absent"),
    field("kind", Accepts::Text(&PATTERN, |row| &mut row.kind), "their kind; any where it is absent"),
    field("namespace", Accepts::Text(&PATTERN, |row| &mut row.namespace), "their namespace; any where it is absent"),
    field("name", Accepts::Text(&PATTERN, |row| &mut row.name), "their name; any where it is absent"),
    field("labels", Accepts::Text(&LABELS, |row| &mut row.labels), "labels that they have"),
];

static GATES: &[Field<Raw>] = &[
    field(
        "producers",
        Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.gate_producers)),
        "whether pods wait for what makes the Secrets and ConfigMaps that they read",
    ),
    field(
        "policies",
        Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.gate_policies)),
        "whether anything waits for policy engines: webhooks with `*` as group or resource",
    ),
    field(
        "mesh",
        Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.gate_mesh)),
        "what holds the pods that Linkerd or Istio gives a proxy back until the control plane answers, where that is \
         not in the input",
    ),
    field("meshJob", Accepts::Section(MESH_JOB), "the Job of `mesh: job`"),
];

static MESH_JOB: &[Field<Raw>] = &[
    field(
        "placement",
        Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.mesh_job.placement)),
        "whether it runs in a wave before the meshed workloads, or as a PreSync hook of Argo CD",
    ),
    field(
        "image",
        Accepts::Text(&IMAGE, |raw| &mut raw.mesh_job.image),
        "an image with `sh`, `date`, `nc` and `sleep` [default: busybox:1.37.0]",
    ),
    field(
        "timeout",
        Accepts::Number(1, 86_400, |raw| &mut raw.mesh_job.timeout),
        "how many seconds it waits before it fails [default: 300]",
    ),
    field(
        "namespace",
        Accepts::Text(&NAMESPACE, |raw| &mut raw.mesh_job.namespace),
        "its namespace; the first one of the meshed workloads where it is absent",
    ),
    field(
        "linkerd",
        Accepts::Texts(&ADDRESS, |raw| &mut raw.mesh_job.linkerd),
        "what of Linkerd must answer; identity, destination and the injector in `linkerd` where it is absent",
    ),
    field(
        "istio",
        Accepts::Texts(&ADDRESS, |raw| &mut raw.mesh_job.istio),
        "what of Istio must answer; istiod in `istio-system` where it is absent",
    ),
];

static EDGES: &[Field<Raw>] = &[
    field(
        "dependsOn",
        Accepts::List(&Each { fields: DEPENDS_ON, slot: |raw: &mut Raw| &mut raw.depends_on }),
        "objects that wait until others are ready",
    ),
    field(
        "ignore",
        Accepts::List(&Each { fields: IGNORED_EDGES, slot: |raw: &mut Raw| &mut raw.ignored_edges }),
        "edges that tidegate infers and that do not hold",
    ),
];

static DEPENDS_ON: &[Field<RawDependency>] = &[
    required("from", Accepts::Text(&OBJECTS, |row| &mut row.from), "what must be ready first"),
    required("to", Accepts::Text(&OBJECTS, |row| &mut row.to), "what waits for it"),
];

static IGNORED_EDGES: &[Field<RawIgnoredEdge>] = &[
    required("from", Accepts::Text(&OBJECTS, |row| &mut row.from), "what would come first"),
    required("to", Accepts::Text(&OBJECTS, |row| &mut row.to), "what would wait for it"),
    field(
        "reason",
        Accepts::Word(&OneOf(|row: &mut RawIgnoredEdge| &mut row.reason)),
        "why it would; any reason where it is absent",
    ),
];

static CONVERT: &[Field<Raw>] = &[
    field(
        "trafficSplit",
        Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.traffic_split)),
        "the version that TrafficSplits are brought to; `auto` brings those of v1alpha1 to the lowest later version \
         that is served",
    ),
    field(
        "weightLimit",
        Accepts::Number(1, i32::MAX as i64, |raw| &mut raw.weight_limit),
        "the largest weight, and the largest sum of weights, that a conversion may write [default: 429496, what Linkerd \
         carries]",
    ),
    field(
        "allowLossy",
        Accepts::Flag(|raw| &mut raw.allow_lossy),
        "whether fields that the version cannot hold are dropped and reported, instead of refused",
    ),
    field(
        "lenient",
        Accepts::Flag(|raw| &mut raw.lenient_weights),
        "whether Quantities are read as weights where the version takes whole numbers",
    ),
];

static FINDINGS: &[Field<Raw>] = &[
    field(
        "failOn",
        Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.fail_on)),
        "the severity from which on findings refuse the output",
    ),
    field(
        "ignore",
        Accepts::List(&Each { fields: IGNORE, slot: |raw: &mut Raw| &mut raw.ignore }),
        "findings that are left out, unless only an operator may",
    ),
    field(
        "severities",
        Accepts::List(&Each { fields: SEVERITIES, slot: |raw: &mut Raw| &mut raw.severities }),
        "other severities for the findings of a rule",
    ),
];

static SEVERITIES: &[Field<RawSeverity>] = &[
    required("rule", Accepts::Text(&RULE_ID, |row| &mut row.rule), "the rule"),
    required(
        "severity",
        Accepts::Word(&OneOf(|row: &mut RawSeverity| &mut row.severity)),
        "the severity of all its findings; what refuses the output stays an error",
    ),
];

static IGNORE: &[Field<RawIgnore>] = &[
    required("rule", Accepts::Text(&RULE_ID, |row| &mut row.rule), "the rule"),
    field(
        "object",
        Accepts::Text(&SOME_TEXT, |row| &mut row.object),
        "the one object, as findings name it: `Kind namespace/name` or `Kind name`",
    ),
    field("reason", Accepts::Text(&SOME_TEXT, |row| &mut row.reason), "why, for readers"),
];

static KINDS: &[Field<RawKind>] = &[
    required("group", Accepts::Text(&GROUP, |row| &mut row.group), "its API group"),
    required("kind", Accepts::Text(&KIND_NAME, |row| &mut row.kind), "its name"),
    required(
        "scope",
        Accepts::Word(&OneOf(|row: &mut RawKind| &mut row.scope)),
        "whether its objects live in namespaces",
    ),
];

static EXTERNAL: &[Field<Raw>] = &[
    field(
        "default",
        Accepts::Word(&OneOf(|raw: &mut Raw| &mut raw.external)),
        "whether an object that the input names and does not hold is worth a word",
    ),
    field(
        "objects",
        Accepts::List(&Each { fields: EXTERNAL_OBJECTS, slot: |raw: &mut Raw| &mut raw.external_objects }),
        "objects that are never missing",
    ),
];

static EXTERNAL_OBJECTS: &[Field<RawExternal>] = &[
    field("group", Accepts::Text(&GROUP, |row| &mut row.group), "their API group; any where it is absent"),
    required("kind", Accepts::Text(&KIND_NAME, |row| &mut row.kind), "their kind"),
    field("namespace", Accepts::Text(&PATTERN, |row| &mut row.namespace), "their namespace; any where it is absent"),
    required("name", Accepts::Text(&PATTERN, |row| &mut row.name), "their name"),
];
