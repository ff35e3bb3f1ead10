//! A sync of Argo CD, played back over a rendered stream: its own sort, its fix-ups, its steps.
//!
//! Written from `gitops-engine/pkg/sync/{sync_tasks,sync_context}.go`, `hook/` and `syncwaves/` of argo-cd; it knows
//! nothing of how tidegate orders.

use std::collections::BTreeMap;

use tidegate::finding::Findings;
use tidegate::source::{DocumentStart, Limits, SourceFile, SourceMap};
use tidegate::tree::Node;
use tidegate::yaml;

/// One object in one phase.
#[derive(Clone, Debug)]
struct Task {
    /// Which document of the stream it is.
    document: usize,
    group: String,
    kind: String,
    namespace: String,
    name: String,
    phase: i8,
    wave: i64,
    /// The key by which others depend on it: a namespace's name, or the group and kind that it defines.
    provides: Option<String>,
}

/// Where an object is applied: which step, and which batch of it. Inside a batch all requests are sent at once.
pub(super) type Place = (usize, usize);

/// A sync that went through.
#[derive(Debug)]
pub(super) struct Sync {
    /// Of each document of the stream; none for one that no sync applies.
    places: Vec<Option<Place>>,
    /// How many steps it took: one for each phase and wave that something is in.
    pub(super) steps: usize,
}

impl Sync {
    /// Plays a stream back. Objects that the sort cannot tell apart go as in the stream, or the other way round if
    /// `reversed`: Go's `sort.Sort` promises neither.
    pub(super) fn of(stream: &str, reversed: bool) -> Result<Sync, String> {
        let trees = documents(stream)?;
        let mut tasks: Vec<Task> = trees.iter().enumerate().flat_map(|(at, tree)| tasks(at, tree)).collect();
        if reversed {
            tasks.reverse();
        }
        tasks.sort_by(|a, b| key(a).cmp(&key(b)));
        bubble_up(&mut tasks, "Namespace", |task| Some(task.namespace.clone()).filter(|name| !name.is_empty()));
        bubble_up(&mut tasks, "CustomResourceDefinition", |task| Some(format!("{}/{}", task.group, task.kind)));
        let mut places: Vec<Option<Place>> = vec![None; trees.len()];
        let (mut step, mut batch) = (0, 0);
        for (nth, task) in tasks.iter().enumerate() {
            let before = nth.checked_sub(1).map(|before| &tasks[before]);
            if let Some(before) = before {
                if (before.phase, before.wave) != (task.phase, task.wave) {
                    (step, batch) = (step + 1, 0);
                } else if before.kind != task.kind || before.group != task.group {
                    batch += 1;
                }
            }
            // an object of several phases is there from the first one on
            places[task.document].get_or_insert((step, batch));
        }
        Ok(Sync { places, steps: if tasks.is_empty() { 0 } else { step + 1 } })
    }

    /// Where a document is applied first.
    pub(super) fn place(&self, document: usize) -> Option<Place> {
        self.places[document]
    }

    /// Whether Argo CD waits for the health of what a step applied: not after the last one.
    pub(super) fn waits_after(&self, (step, _): Place) -> bool {
        step + 1 < self.steps
    }
}

fn key(task: &Task) -> (i8, i64, usize, &str) {
    let rank = KINDS.iter().position(|kind| *kind == task.kind).unwrap_or(KINDS.len());
    (task.phase, task.wave, rank, &task.name)
}

/// `adjustDeps`: what others depend on goes before the first of them, into its wave and phase.
fn bubble_up(tasks: &mut [Task], kind: &str, depends_on: impl Fn(&Task) -> Option<String>) {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    for at in 0..tasks.len() {
        let provided = tasks[at].provides.clone().filter(|_| tasks[at].kind == kind);
        if let Some(provided) = provided {
            let Some(index) = first.get(&provided).copied() else { continue };
            (tasks[at].wave, tasks[at].phase) = (tasks[index].wave, tasks[index].phase);
            tasks[index..=at].rotate_right(1);
            first.values_mut().filter(|position| **position >= index).for_each(|position| *position += 1);
        } else if let Some(needed) = depends_on(&tasks[at]) {
            first.entry(needed).or_insert(at);
        }
    }
}

/// The trees of a stream, in its order.
pub(super) fn documents(stream: &str) -> Result<Vec<Node<'_>>, String> {
    let mut map = SourceMap::default();
    let file = map.add(SourceFile::new("stream.yaml", stream));
    let (limits, mut found) = (Limits::default(), Findings::default());
    let chunks = yaml::chunks(stream).filter(|chunk| !chunk.text.trim().is_empty());
    let trees = chunks.map(|chunk| {
        let parsed = yaml::parse(chunk.text, DocumentStart { file, offset: chunk.offset }, &limits, &mut found);
        parsed.ok().flatten().ok_or_else(|| format!("a document of the output cannot be read: {}", chunk.text))
    });
    trees.collect()
}

fn text(tree: &Node<'_>, path: &[&str]) -> String {
    tree.at(path).and_then(Node::as_str).unwrap_or("").to_owned()
}

fn tasks(document: usize, tree: &Node<'_>) -> Vec<Task> {
    let group = text(tree, &["apiVersion"]).rsplit_once('/').map_or(String::new(), |(group, _)| group.to_owned());
    let (kind, name) = (text(tree, &["kind"]), text(tree, &["metadata", "name"]));
    let provides = match (group.as_str(), kind.as_str()) {
        ("", "Namespace") => Some(name.clone()),
        ("apiextensions.k8s.io", "CustomResourceDefinition") => {
            Some(format!("{}/{}", text(tree, &["spec", "group"]), text(tree, &["spec", "names", "kind"])))
        }
        _ => None,
    };
    let namespace = text(tree, &["metadata", "namespace"]);
    let task = Task { document, group, kind, namespace, name, phase: 0, wave: wave(tree), provides };
    phases(tree).into_iter().map(|phase| Task { phase, ..task.clone() }).collect()
}

pub(super) fn annotation<'t>(tree: &'t Node<'_>, name: &str) -> Option<&'t str> {
    tree.at(&["metadata", "annotations", name]).and_then(Node::as_str)
}

fn wave(tree: &Node<'_>) -> i64 {
    let number = |name| annotation(tree, name).and_then(|text| text.parse().ok());
    number("argocd.argoproj.io/sync-wave").or_else(|| number("helm.sh/hook-weight")).unwrap_or(0)
}

/// The phases of an object: PreSync -1, Sync 0, PostSync 1, SyncFail 2. A sync that succeeds never comes to the last.
fn phases(tree: &Node<'_>) -> Vec<i8> {
    let (own, helm) = (annotation(tree, "argocd.argoproj.io/hook"), annotation(tree, "helm.sh/hook"));
    if own.is_none() && matches!(helm, None | Some("crd-install")) {
        return vec![0];
    }
    let parts =
        |list: Option<&str>| list.unwrap_or("").split(',').map(|part| part.trim().to_owned()).collect::<Vec<_>>();
    let known = |part: &String| matches!(part.as_str(), "PreSync" | "Sync" | "PostSync" | "SyncFail" | "Skip");
    let mut phases: Vec<i8> = match parts(own).into_iter().filter(known).collect::<Vec<_>>() {
        own if !own.is_empty() => own.iter().filter_map(|hook| argocd_phase(hook)).collect(),
        _ => parts(helm).iter().filter_map(|hook| helm_phase(hook)).collect(),
    };
    phases.sort_unstable();
    phases.dedup();
    phases
}

fn argocd_phase(hook: &str) -> Option<i8> {
    match hook {
        "PreSync" => Some(-1),
        "Sync" => Some(0),
        "PostSync" => Some(1),
        "SyncFail" => Some(2),
        _ => None,
    }
}

fn helm_phase(hook: &str) -> Option<i8> {
    match hook {
        "pre-install" | "pre-upgrade" => Some(-1),
        "post-install" | "post-upgrade" => Some(1),
        _ => None,
    }
}

/// Kinds in the order in which Argo CD applies those of one wave; it looks at the kind alone, and puts all others last.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "Namespace", "NetworkPolicy", "ResourceQuota", "LimitRange", "PodSecurityPolicy", "PodDisruptionBudget",
    "ServiceAccount", "Secret", "SecretList", "ConfigMap", "StorageClass", "PersistentVolume", "PersistentVolumeClaim",
    "CustomResourceDefinition", "ClusterRole", "ClusterRoleList", "ClusterRoleBinding", "ClusterRoleBindingList",
    "Role", "RoleList", "RoleBinding", "RoleBindingList", "Service", "DaemonSet", "Pod", "ReplicationController",
    "ReplicaSet", "Deployment", "HorizontalPodAutoscaler", "StatefulSet", "Job", "CronJob", "IngressClass", "Ingress",
    "APIService",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn places(objects: &[(&str, &str, &str)]) -> Vec<Option<Place>> {
        let documents = objects.iter().map(|(kind, name, rest)| {
            let (kind, group) = kind.split_once('.').map_or((*kind, ""), |(kind, group)| (kind, group));
            let version = if group.is_empty() { "v1".to_owned() } else { format!("{group}/v1") };
            format!("apiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}, {rest}}}\n")
        });
        let stream = documents.collect::<Vec<_>>().join("---\n");
        Sync::of(&stream, false).expect("the stream can be read").places
    }

    #[test]
    fn kinds_go_by_the_list_and_all_others_last_by_name() {
        let objects = [
            ("Widget.example.com", "b", ""),
            ("Gadget.example.com", "a", ""),
            ("Deployment.apps", "z", ""),
            ("Service", "z", ""),
        ];
        assert_eq!(places(&objects), [Some((0, 3)), Some((0, 2)), Some((0, 1)), Some((0, 0))]);
    }

    #[test]
    fn one_kind_is_one_batch() {
        assert_eq!(places(&[("Service", "b", ""), ("Service", "a", "")]), [Some((0, 0)), Some((0, 0))]);
    }

    #[test]
    fn phases_go_before_waves_and_waves_before_kinds() {
        let wave = |number: i64| format!("annotations: {{argocd.argoproj.io/sync-wave: \"{number}\"}}");
        let pre = "annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: \"9\"}";
        let never = "annotations: {argocd.argoproj.io/hook: Presync}";
        let (three, below) = (wave(3), wave(-3));
        let objects = [
            ("Service", "late", three.as_str()),
            ("Ingress.networking.k8s.io", "early", &below),
            ("Job.batch", "pre", pre),
            ("Job.batch", "never", never),
        ];
        assert_eq!(places(&objects), [Some((2, 0)), Some((1, 0)), Some((0, 0)), None]);
    }

    #[test]
    fn a_namespace_goes_where_its_first_object_is() {
        let objects = [
            ("Namespace", "shop", "annotations: {argocd.argoproj.io/sync-wave: \"5\"}"),
            ("ConfigMap", "conf", "namespace: shop, annotations: {argocd.argoproj.io/hook: PreSync}"),
            ("Service", "web", "namespace: shop"),
        ];
        assert_eq!(places(&objects), [Some((0, 0)), Some((0, 1)), Some((1, 0))]);
    }
}
