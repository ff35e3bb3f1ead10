//! What Flux cannot keep of an order: it waits between Kustomizations, and between no two objects of one.

use std::collections::BTreeMap;

use crate::config::{EngineName, Settings};
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::{Edge, Need, Planned, Reason, Stage, Strength};
use crate::object::ObjRef;

/// The rules of this check.
pub(super) static RULES: &[&Rule] = &[&AGAINST_FOLDERS, &NO_WAIT, &NO_FOLDERS];

/// A need that leads against the order of the folders.
static AGAINST_FOLDERS: Rule = Rule {
    id: "TG702",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "Flux applies an object before something that it needs",
    explanation: "\
Flux applies the folders `config`, `crd` and `workload` one after the other, and the next one only when all of the
last is ready. Which folder an object lies in is decided by its kind, so that it never moves between two. Here an
object needs one of a later folder. It is an error where the need is written down as a dependency, or where the API
server refuses the object without it: then its folder never gets ready, and the later one is never applied.

Put the object into the later folder with `tidegate.dev/order: \"stage=workload\"`, or what it needs into its own.",
};

/// A wait inside one folder.
static NO_WAIT: Rule = Rule {
    id: "TG703",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "Flux does not wait for an object that others of its folder wait for",
    explanation: "\
Flux tries all objects of one Kustomization on the server (a dry run), then applies them at once; it waits between
two Kustomizations alone. What must be ready before others of the same folder is not waited for: pods start without
the sidecar of an injector that does not answer yet, and objects pass a webhook that is not there yet. It is an error
where the needed object makes the other one's kind known: the dry run of a kind that nobody knows fails, and then
nothing of the folder is applied, the maker included.

Put what must be ready into the folder before, with `tidegate.dev/order: \"stage=crd\"`: Flux waits behind it.",
};

/// Output that Flux does not read.
static NO_FOLDERS: Rule = Rule {
    id: "TG704",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "the engine is Flux, and the output is a stream",
    explanation: "\
Flux reads folders of a repository. `--output-dir` writes one a stage, and a Kustomization for each of them that waits
for the one before. A stream holds the objects alone, in an order that Flux does not keep.",
};

pub(super) fn no_folders(found: &mut Findings) {
    let finding = Finding::new(&NO_FOLDERS, "the output is a stream, and Flux reads folders");
    found.push(finding.with_remedy("name a folder with `--output-dir`"));
}

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    if settings.engine != EngineName::Flux {
        return;
    }
    let mut stages = vec![Stage::Workload; planned.objects().len()];
    for slot in &planned.plan.slots {
        stages[slot.object.index()] = slot.stage;
    }
    let mut together: BTreeMap<ObjRef, Vec<&Edge>> = BTreeMap::new();
    for (edge, _) in planned.edges() {
        let (from, to) = (stages[edge.from.index()], stages[edge.to.index()]);
        if from > to {
            found.push(against(planned, edge, from, to));
        } else if from == to && edge.need == Need::Ready && !planned.objects().get(edge.from).is("", "Service") {
            // a Service is ready as soon as it is there
            together.entry(edge.from).or_default().push(edge);
        }
    }
    for (needed, edges) in together {
        found.push(no_wait(planned, needed, &edges, stages[needed.index()]));
    }
}

fn against(planned: &Planned<'_>, edge: &Edge, from: Stage, to: Stage) -> Finding {
    let (needed, needing) = (planned.objects().get(edge.from), planned.objects().get(edge.to));
    let is_sure = edge.strength == Strength::Hard || edge.reason == Reason::Namespace;
    let message = format!(
        "Flux applies {} (folder `{to}`) before {} (folder `{from}`), which it needs: {}",
        needing.id, needed.id, edge.reason
    );
    Finding::new(&AGAINST_FOLDERS, message)
        .with_severity(if is_sure { Severity::Error } else { Severity::Warning })
        .with_object(&needing.id)
        .with_label(Label::new(edge.place))
        .with_label(Label::new(needed.place()).text("what it needs"))
        .with_remedy(format!("write `tidegate.dev/order: \"stage={from}\"` on {}", needing.id))
}

fn no_wait(planned: &Planned<'_>, needed: ObjRef, edges: &[&Edge], stage: Stage) -> Finding {
    let worst = edges.iter().find(|edge| edge.reason == Reason::DefinitionProducer);
    let edge = worst.or(edges.first()).copied();
    let id = &planned.objects().get(needed).id;
    let for_whom = edge.map(|edge| &planned.objects().get(edge.to).id);
    let more = if edges.len() > 1 { format!(" and {} more", edges.len() - 1) } else { String::new() };
    let for_whom = for_whom.map(|id| format!(" before {id}{more}")).unwrap_or_default();
    let why = edge.map(|edge| format!(": {}", edge.reason)).unwrap_or_default();
    let message = format!("Flux does not wait for {id}{for_whom}, all in folder `{stage}`{why}");
    let finding = Finding::new(&NO_WAIT, message)
        .with_severity(if worst.is_some() { Severity::Error } else { Severity::Warning })
        .with_object(id)
        .with_label(Label::new(planned.objects().get(needed).place()));
    let finding = match edge {
        Some(edge) => finding.with_label(Label::new(edge.place).text("who waits")),
        None => finding,
    };
    match stage {
        Stage::Config => finding.with_remedy("leave the dependency out, or put who waits into a later folder"),
        Stage::Crd | Stage::Workload => finding.with_remedy(format!(
            "write `tidegate.dev/order: \"stage={}\"` on {id}, and Flux waits for it",
            if stage == Stage::Crd { Stage::Config } else { Stage::Crd }
        )),
    }
}
