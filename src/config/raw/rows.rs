//! The tables of the configuration's fields.

use super::{
    API_VERSION, KIND, Raw, RawDependency, RawExternal, RawIgnore, RawIgnoredEdge, RawKind, RawPodTemplate, RawSeverity,
};
use crate::config::table::{Accepts, Each, Field, Form, OneOf, field, required};
use crate::object::gvk;
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
static OBJECTS: Form = Form {
    words: "a pattern of objects, as in `Job/shop/migrate`: KIND[.GROUP], KIND[.GROUP]/NAME or KIND[.GROUP]/NAMESPACE/NAME, \
            with `*` for any characters",
    holds: |text| !text.trim().is_empty() && text.parse::<Pattern>().is_ok(),
};
static PATTERN: Form = Form {
    words: "a name, in which `*` stands for any characters and `?` for one",
    holds: |text| !text.is_empty() && globset::Glob::new(text).is_ok(),
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
static SOME_TEXT: Form = Form { words: "a string that is not empty", holds: |text| !text.trim().is_empty() };

/// Whether a text is `TG` and three digits.
fn is_rule_id(text: &str) -> bool {
    text.strip_prefix("TG").is_some_and(|digits| digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit()))
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

static SPEC: &[Field<Raw>] = &[
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
    field("input", Accepts::Section(INPUT), "what is read"),
    field("engine", Accepts::Section(ENGINE), "who applies the output"),
    field("waves", Accepts::Section(WAVES), "how objects are spread over waves"),
    field("checksums", Accepts::Section(CHECKSUMS), "what of the configuration that pods read becomes a checksum"),
    field("references", Accepts::Section(REFERENCES), "what objects refer to, beside what tidegate knows"),
    field("gates", Accepts::Section(GATES), "which waits become gates"),
    field("edges", Accepts::Section(EDGES), "what needs what, beside what tidegate infers"),
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

static REFERENCES: &[Field<Raw>] = &[field(
    "podTemplates",
    Accepts::List(&Each { fields: POD_TEMPLATES, slot: |raw: &mut Raw| &mut raw.pod_templates }),
    "where kinds hold a pod template, beside those that tidegate knows",
)];

static POD_TEMPLATES: &[Field<RawPodTemplate>] = &[
    required("group", Accepts::Text(&GROUP, |row| &mut row.group), "the API group of the kind"),
    required("kind", Accepts::Text(&KIND_NAME, |row| &mut row.kind), "the kind"),
    required("path", Accepts::Text(&TEMPLATE_PATH, |row| &mut row.path), "the way to the template"),
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
