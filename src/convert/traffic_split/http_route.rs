//! TrafficSplits as HTTPRoutes of Gateway API, which Linkerd reads in their place: one for each port of
//! the root Service.
//!
//! | TrafficSplit | HTTPRoute |
//! |---|---|
//! | name, namespace, labels, annotations | the same; `-PORT` behind the name where there are several |
//! | `spec.service` | `parentRefs`, with group, kind and port |
//! | each port of that Service | a route; `port` of its parent and of every backend |
//! | backends and weights | `backendRefs` of the rule, weights in the same proportion, zeros written |
//! | no `matches` | one rule for all requests |
//! | `matches` | a rule with them, and one that sends all other requests to the root Service |
//!
//! Source: the two APIs (smi-spec, `apis/traffic-split`; gateway-api, `apis/v1/httproute_types.go`) and how
//! Linkerd reads routes (linkerd2, `policy-controller`; linkerd2-proxy, `linkerd/http/route`).

mod backends;
mod beside;
mod matches;
mod ports;
mod steps;

use std::collections::{BTreeMap, BTreeSet};

pub use self::steps::steps;
use crate::config::ConvertSettings;
use crate::convert::weight::Limit;
use crate::convert::{self, Options, Report, Version};
use crate::finding::rules::routes as rules;
use crate::finding::{Finding, Findings, Label, Reported, Rule, Severity};
use crate::object::gvk::is_dns_subdomain;
use crate::object::{Name, ObjRef, Object, ObjectId, ObjectSet};
use crate::tree::{FieldPath, Key, Mapping, Node, Value};

/// The group of routes.
pub const GROUP: &str = "gateway.networking.k8s.io";
/// Their kind.
pub const KIND: &str = "HTTPRoute";
/// Where a route says which matches of which HTTPRouteGroups it is made of: their names have no place in
/// it. `GROUP/MATCH`, with commas between them, in the order of the route.
pub const MATCHES: &str = "tidegate.dev/smi-matches";

/// What a split is converted among.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a, 's> {
    /// Every object of the input: root and backend Services, Namespaces, HTTPRouteGroups, other splits,
    /// profiles and routes are looked for in it.
    pub objects: &'a ObjectSet<'s>,
    /// The ports to make routes for; empty for every port of the root Service.
    pub ports: &'a [u16],
    /// How split and groups are read. The limit of weights is not taken from here.
    pub options: Options,
    /// How large weights may become; [`Limit::HTTP_ROUTE`] unless somebody knows better.
    pub weight_limit: Limit,
}

impl<'a, 's> Context<'a, 's> {
    /// Among these objects, with every port and the limit of routes.
    pub fn new(objects: &'a ObjectSet<'s>) -> Self {
        Context { objects, ports: &[], options: Options::default(), weight_limit: Limit::HTTP_ROUTE }
    }
}

/// What came of a split.
#[derive(Clone, Debug)]
pub struct Routes<'s> {
    /// The routes, in the order of the ports of the Service. Each has the origin of the split.
    pub routes: Vec<Object<'s>>,
    /// How the split was read: weights before and after, what was stripped. Its findings are said already.
    pub report: Report,
    /// The root Service, without its namespace.
    pub root: String,
}

/// Makes the routes that do what a split does.
///
/// The split is to leave the output in which the routes stand; HTTPRouteGroups stay, since others may
/// name them. [`steps()`] says in which order to go on a cluster.
///
/// # Errors
/// When no route can say what the split says. Everything that stands against it has been pushed to
/// `found` (`TG44x`, and what is wrong with the split or a group itself); warnings are pushed either way.
pub fn convert<'s>(
    split: &Object<'s>,
    context: &Context<'_, 's>,
    found: &mut Findings,
) -> Result<Routes<'s>, Reported> {
    // the API server takes no route with a larger weight, whoever wrote it
    let options = Options { weight_limit: context.weight_limit, fits: true, ..context.options };
    let (read, report) = convert::one(split, Version::V1alpha4, &options).map_err(|refusals| {
        refusals.iter().for_each(|refusal| found.push(refusal.finding(split)));
        Reported
    })?;
    report.findings(split).into_iter().for_each(|finding| found.push(finding));
    let mut work = Work { split, context, options, found, failed: false };
    let service = read.tree.at(&["spec", "service"]).and_then(Node::as_str).unwrap_or_default();
    let Some(root) = work.local(service, &FieldPath::keys(["spec", "service"])) else { return Err(Reported) };
    let backends = backends::read(&mut work, &read);
    let ports = ports::of(&mut work, &root);
    let matches = matches::read(&mut work, &read);
    beside::look(&mut work, &root, &ports);
    let mut routes = Vec::new();
    for port in &ports {
        let refs = backends::refs(&mut work, &backends, *port);
        let rules = rules(&root, *port, refs, &matches.nodes);
        let name = match ports.len() {
            1 => split.id.name.text().to_owned(),
            _ => format!("{}-{port}", split.id.name.text()),
        };
        routes.push(work.route(&read, name, parent(&root, *port), rules, &matches.names));
    }
    match work.failed {
        true => Err(Reported),
        false => Ok(Routes { routes, report, root }),
    }
}

/// Makes the routes of every split of a context, by split. A split of which there can be none is left
/// out, and why is said.
pub fn all<'s>(context: &Context<'_, 's>, found: &mut Findings) -> Vec<(ObjRef, Routes<'s>)> {
    let mut made: BTreeMap<ObjectId, &ObjectId> = BTreeMap::new();
    let mut all = Vec::new();
    for (at, split) in context.objects.of_kind(super::KIND.group, super::KIND.kind) {
        let Ok(routes) = convert(split, context, found) else { continue };
        // `web` at port 80 and `web-80` have the same name
        let taken = routes.routes.iter().find_map(|route| Some((&route.id, *made.get(&route.id)?)));
        if let Some((route, other)) = taken {
            let path = FieldPath::keys(["metadata", "name"]);
            let message = format!("{split}: {other} becomes {route} as well", split = split.id);
            let label = Label::new(split.place_of(&path)).path(path);
            let finding = Finding::new(&rules::OTHER_ROUTE, message).with_severity(Severity::Error);
            found.push(
                finding.with_object(&split.id).with_label(label).with_remedy("give one of the splits another name"),
            );
            continue;
        }
        made.extend(routes.routes.iter().map(|route| (route.id.clone(), &split.id)));
        all.push((at, routes));
    }
    all
}

/// How large the weights of routes may become: as the settings say, but not beyond what the API server takes.
pub fn limit(settings: &ConvertSettings) -> Limit {
    let asked = settings.weight_limit.filter(|limit| *limit <= Limit::HTTP_ROUTE.each()).and_then(Limit::new);
    asked.unwrap_or(Limit::HTTP_ROUTE)
}

/// Puts routes in the place of every split of a set that can have some.
pub fn replace(objects: &mut ObjectSet<'_>, settings: &ConvertSettings, found: &mut Findings) {
    let (options, weight_limit) = (Options::from(settings), limit(settings));
    let done = all(&Context { options, weight_limit, ..Context::new(objects) }, found);
    let gone: BTreeSet<usize> = done.iter().map(|(at, _)| at.index()).collect();
    let old = std::mem::take(objects).into_objects().into_iter().enumerate();
    let kept = old.filter(|(nth, _)| !gone.contains(nth)).map(|(_, object)| object);
    *objects = ObjectSet::new(kept.chain(done.into_iter().flat_map(|(_, routes)| routes.routes)).collect());
}

/// A conversion under way.
struct Work<'a, 'f, 's> {
    split: &'a Object<'s>,
    context: &'a Context<'a, 's>,
    options: Options,
    found: &'f mut Findings,
    failed: bool,
}

impl<'s> Work<'_, '_, 's> {
    fn namespace(&self) -> Option<&str> {
        self.split.id.namespace.as_deref()
    }

    /// An object of the split's namespace.
    fn find(&self, group: &str, kind: &str, name: &str) -> Option<&Object<'s>> {
        let found = self.context.objects.find(group, kind, self.namespace(), name)?;
        Some(self.context.objects.get(found))
    }

    /// A finding about a field of the split.
    fn finding(&self, rule: &'static Rule, message: &str, path: &FieldPath) -> Finding {
        Finding::new(rule, format!("{}: {message}", self.split.id))
            .with_object(&self.split.id)
            .with_label(Label::new(self.split.place_of(path)).path(path.clone()))
    }

    /// Says why there is no route.
    fn fail(&mut self, rule: &'static Rule, message: &str, path: &FieldPath, remedy: &str) {
        let finding = self.finding(rule, message, path).with_severity(Severity::Error).with_remedy(remedy);
        self.push(finding);
    }

    /// Takes a finding in; an error means that there is no route.
    fn push(&mut self, finding: Finding) {
        self.failed |= finding.severity == Severity::Error;
        self.found.push(finding);
    }

    /// The Service that a host names, if it is one of the split's namespace: `web`, and `web.shop`,
    /// `web.shop.svc`, `web.shop.svc.cluster.local` in `shop`.
    fn local(&mut self, host: &str, path: &FieldPath) -> Option<String> {
        let mut parts = host.splitn(4, '.');
        let (name, namespace, svc) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
        let remedy = "a route is about Services of its own namespace: write the bare name of one";
        let message = match (namespace, svc, self.namespace()) {
            _ if name.is_empty() => format!("`{path}` names no Service"),
            (None, ..) => return Some(name.to_owned()),
            (Some(theirs), None | Some("svc"), Some(ours)) if theirs == ours => return Some(name.to_owned()),
            (Some(_), None | Some("svc"), None) => {
                format!("`{host}` names a namespace, and the split none to compare it with")
            }
            (Some(_), Some(third), _) if third != "svc" => format!("`{host}` is not the name of a Service"),
            (Some(theirs), ..) => format!("`{host}` leads to the namespace `{theirs}`"),
        };
        self.fail(&rules::NO_ROUTE, &message, path, remedy);
        None
    }

    /// The route of one port.
    fn route(
        &mut self,
        read: &Object<'s>,
        name: String,
        parent: Node<'s>,
        rules: Vec<Node<'s>>,
        matches: &str,
    ) -> Object<'s> {
        let path = FieldPath::keys(["metadata", "name"]);
        if !is_dns_subdomain(&name) {
            let message = format!("`{name}` cannot be the name of a route");
            self.fail(&rules::NO_ROUTE, &message, &path, "give the split a shorter name");
        }
        if let Some(other) = self.find(GROUP, KIND, &name) {
            let place = other.place();
            let finding = self.finding(&rules::OTHER_ROUTE, &format!("there is an HTTPRoute {name} already"), &path);
            let finding = finding.with_label(Label::new(place).text("this one")).with_severity(Severity::Error);
            self.push(finding.with_remedy("if it is what came of the split earlier, take the split out of the input"));
        }
        let mut metadata = read.tree.get("metadata").and_then(Node::mapping).cloned().unwrap_or_default();
        metadata.remove("generateName");
        match metadata.get_mut("name") {
            Some(node) => *node = Node::text(name.clone()),
            None => metadata.put_first("name", Node::text(name.clone())),
        }
        if let Some(annotations) = (!matches.is_empty()).then(|| metadata.mapping_at("annotations")).flatten() {
            annotations.set(MATCHES, Node::text(matches.to_owned()));
        }
        let spec = mapping([("parentRefs", list(vec![parent])), ("rules", list(rules))]);
        let tree = mapping([
            ("apiVersion", Node::text(format!("{GROUP}/v1"))),
            ("kind", Node::text(KIND)),
            ("metadata", Node::made(Value::Mapping(metadata))),
            ("spec", spec),
        ]);
        let id = ObjectId {
            group: GROUP.into(),
            kind: KIND.into(),
            namespace: self.split.id.namespace.clone(),
            name: Name::Fixed(name.into()),
        };
        Object { id, version: "v1".into(), tree, origin: self.split.origin, patched: Default::default() }
    }
}

/// Where a route is attached. Group and kind are written: Gateway API takes a parent for a Gateway.
fn parent<'s>(root: &str, port: u16) -> Node<'s> {
    mapping([
        ("group", Node::text("")),
        ("kind", Node::text("Service")),
        ("name", Node::text(root.to_owned())),
        ("port", Node::made(Value::I64(port.into()))),
    ])
}

/// Matches a rule may hold in every bundle of Gateway API that serves v1.
const MATCHES_A_RULE: usize = 8;
/// Rules a route may hold, of which one is for what matches nothing.
const MATCHING_RULES: usize = 15;

/// The rules of a route: matches are spread over as many as it takes. What matches nothing goes to the
/// root Service itself; without that rule it would be answered with 404.
fn rules<'s>(root: &str, port: u16, refs: Vec<Node<'s>>, matches: &[Node<'s>]) -> Vec<Node<'s>> {
    if matches.is_empty() {
        return vec![mapping([("backendRefs", list(refs))])];
    }
    let most = MATCHES_A_RULE.max(matches.len().div_ceil(MATCHING_RULES));
    let rule = |some: &[Node<'s>]| mapping([("matches", list(some.to_vec())), ("backendRefs", list(refs.clone()))]);
    let mut rules: Vec<_> = matches.chunks(most).map(rule).collect();
    rules.push(mapping([("backendRefs", list(vec![backends::reference(root, port, 1)]))]));
    rules
}

fn list(items: Vec<Node<'_>>) -> Node<'_> {
    Node::made(Value::Sequence(items))
}

fn mapping<'s, const N: usize>(entries: [(&'static str, Node<'s>); N]) -> Node<'s> {
    let entries = entries.into_iter().map(|(name, value)| (Key::made(name), value));
    Node::made(Value::Mapping(Mapping::new(entries.collect())))
}

/// The Services of a set that several splits of their namespace split, with those splits.
fn shared_roots<'o, 's>(objects: &'o ObjectSet<'s>) -> BTreeMap<(Option<&'o str>, &'o str), Vec<&'o Object<'s>>> {
    let mut roots: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (_, split) in objects.of_kind(super::KIND.group, super::KIND.kind) {
        let Some(host) = split.tree.at(&["spec", "service"]).and_then(Node::as_str) else { continue };
        let (name, rest) = host.split_once('.').unwrap_or((host, ""));
        let namespace = rest.split('.').next().unwrap_or_default();
        if !rest.is_empty() && Some(namespace) != split.id.namespace.as_deref() {
            continue;
        }
        roots.entry((split.id.namespace.as_deref(), name)).or_default().push(split);
    }
    roots.retain(|_, splits| splits.len() > 1);
    roots
}

#[cfg(test)]
mod tests;
