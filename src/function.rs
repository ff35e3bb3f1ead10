//! The KRM function: a list of objects in, the same list rendered out.
//!
//! A host (kustomize, kpt) takes an item that is not answered for one that was deleted, and an answer that is
//! cut short for the whole: the answer is made in memory, and is whole or none. Items keep their order and
//! all annotations of the host; order and gates are in the waves that are written on them.
//!
//! Whether the list is all there is cannot be told, so it counts as a part
//! ([`Settings::partial`](crate::config::Settings::partial)).

mod written;

use crate::config::{self, Overrides, PatchBody, Raw, Settings, parameters};
use crate::emit;
use crate::finding::rules::{self as config_rules, functions as rules};
use crate::finding::{Baseline, Finding, Findings, Label};
use crate::load::resource_list::ResourceList;
use crate::render;
use crate::report::krm;
use crate::source::{DocumentStart, FileId, SourceMap};
use crate::tree::{FieldPath, Node};

/// What a function has to say.
#[derive(Debug)]
pub struct Reply {
    /// What goes to standard output: always something that a host can read, or nothing at all where the
    /// exit code tells it not to look.
    pub text: String,
    /// The exit code.
    pub code: u8,
    /// What there is to say on standard error, too: kustomize throws the results away.
    pub found: Findings,
    /// The settings that held.
    pub settings: Settings,
}

/// What the flags of a call say.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The configuration that a flag names; without it the functionConfig of the list counts.
    pub given: Option<Raw>,
    /// Settings that go before those of the configuration.
    pub flags: Overrides,
    /// Findings that are known, and left out.
    pub baseline: Option<Baseline>,
}

/// Renders the list in a file of a source map.
///
/// `found` holds what reading the input found. With an error at the threshold, a ResourceList comes back as it
/// came in, with the results; plain documents do not come back.
pub fn run(list: FileId, sources: &SourceMap, call: Call, mut found: Findings) -> Reply {
    let Call { given, flags, baseline } = call;
    let flags = Overrides { partial: Some(true), allow_empty: Some(true), ..flags };
    // limits are flags' alone, and all that reading asks for
    let limits = Settings::resolve(None, Overrides::default(), flags.clone());
    let Some(mut items) = ResourceList::read(list, sources, &limits, &mut found) else {
        let code = found.exit_code(limits.findings.fail_on);
        return Reply { text: String::new(), code, found, settings: limits };
    };
    let configured = match (given, items.function_config()) {
        (Some(raw), _) => Some(raw),
        (None, Some((config, at))) => configure(config, at, &mut found),
        (None, None) => None,
    };
    let mut settings = Settings::resolve(configured, Overrides::default(), flags);
    without_files(&mut settings, &mut found);
    let ignores = settings.findings.ignore.iter().chain(&settings.findings.ignore_by_operator);
    ignores.for_each(|ignore| found.ignore(ignore.clone()));
    let loaded = items.objects(sources, &settings, &mut found);
    let mut planned = render::order(loaded, &settings, &mut found);
    found.report_ignores();
    found.set_severities(&settings.findings.severities);
    if let Some(baseline) = &baseline {
        found.leave_out_known(baseline, sources);
    }
    let code = found.exit_code(settings.findings.fail_on);
    let results = krm::results(&found, sources, items.names());
    let answer = match code {
        0 => items.answer(emit::finished(&mut planned, &settings), results),
        _ => match ResourceList::read(list, sources, &settings, &mut Findings::default()) {
            Some(original) if original.has_results() => original.answer(Vec::new(), results),
            _ => return Reply { text: String::new(), code, found, settings },
        },
    };
    Reply { text: written::text(&answer, list, sources, &settings.limits), code, found, settings }
}

/// Whether a text is a ResourceList, as far as its first document tells.
pub fn is_resource_list(file: FileId, sources: &SourceMap) -> bool {
    let quiet = &mut Findings::default();
    ResourceList::read(file, sources, &Settings::default(), quiet).is_some_and(|list| list.has_results())
}

/// A function reads a list and no file: what the configuration keeps in files is said, and not used.
fn without_files(settings: &mut Settings, found: &mut Findings) {
    for row in &mut settings.patches {
        if let PatchBody::File(path) = &row.body {
            let message = format!("a function reads no files, and the patch is in `{}`", path.value);
            let finding = Finding::new(&config_rules::CONFIG, message).with_label(Label::new(path.place));
            found.push(finding.with_remedy("write the patch here, as `merge` or `json6902`"));
            row.body = PatchBody::Unread;
        }
    }
    if let Some(path) = settings.templates.values.first() {
        let message = "a list of objects holds no templates: `spec.templates` sets nothing here";
        let finding = Finding::new(&rules::FUNCTION_CONFIG, message).with_label(Label::new(path.place));
        found.push(finding.with_remedy("render templates before, with `tidegate render`, or take it out"));
    }
}

/// What the functionConfig sets. One of somebody else sets nothing.
fn configure(config: &Node<'_>, at: DocumentStart, found: &mut Findings) -> Option<Raw> {
    let text = |name| config.get(name).and_then(Node::as_str).unwrap_or_default();
    match (text("apiVersion"), text("kind")) {
        (config::API_VERSION, _) | (_, config::KIND) => config::from_node(config, at, found),
        ("v1", "ConfigMap") => {
            let data = config.get("data").filter(|data| !data.is_null())?;
            match data.mapping() {
                Some(data) => parameters::from_parameters(data.entries(), at, found),
                None => {
                    found.push(
                        Finding::new(
                            &rules::FUNCTION_CONFIG,
                            format!("`data` of the functionConfig is {}: nothing of it is read", data.kind()),
                        )
                        .with_label(Label::new(at.place(data.span)).path(FieldPath::keys(["functionConfig", "data"])))
                        .with_remedy("write the parameters as `name: value`"),
                    );
                    None
                }
            }
        }
        (api_version, kind) => {
            let message = match api_version.is_empty() || kind.is_empty() {
                true => {
                    "the functionConfig is no object with `apiVersion` and `kind`: nothing of it is read".to_owned()
                }
                false => format!("the functionConfig is {api_version} {kind}: nothing of it is read"),
            };
            let path = FieldPath::keys(["functionConfig"]);
            found.push(
                Finding::new(&rules::FUNCTION_CONFIG, message)
                    .with_label(Label::new(at.place(config.span)).path(path))
                    .with_remedy(format!(
                        "send an object of {}, kind {}, or a ConfigMap",
                        config::API_VERSION,
                        config::KIND
                    )),
            );
            None
        }
    }
}
