//! Matches of HTTPRouteGroups as matches of a route.
//!
//! The expression of a path holds for its start in SMI, and Linkerd wants the leftmost hit to span the
//! whole value, so it is closed: `/api` becomes `^(?:/api).*$`. One of a header is compared as a whole:
//! `^(?:…)$`, or `Exact` where it is plain text.

use regex_syntax::hir::HirKind;

use super::super::matched;
use super::{Work, list, mapping, rules};
use crate::convert::{self, Lossy, Options, Version, http_route_group};
use crate::finding::rules::conversion;
use crate::finding::{Finding, Label, Rule, Severity};
use crate::object::Object;
use crate::tree::{FieldPath, Node};

const SPECS: &str = "specs.smi-spec.io";
const GROUP_KIND: &str = "HTTPRouteGroup";
/// What a method of a route may be.
const METHODS: [&str; 9] = ["GET", "HEAD", "PUT", "POST", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];
/// Matches of a route in all.
const MOST: usize = 128;
const MOST_HEADERS: usize = 16;
const LONGEST_PATH: usize = 1024;
const LONGEST_HEADER: usize = 4096;

/// The matches of a split.
#[derive(Default)]
pub(super) struct Matches<'s> {
    /// As a route has them; none where the split is for all requests.
    pub(super) nodes: Vec<Node<'s>>,
    /// `GROUP/MATCH` of each match of the groups, with commas.
    pub(super) names: String,
}

/// The matches of all groups that a split names: a request that any of them takes is split.
pub(super) fn read<'s>(work: &mut Work<'_, '_, 's>, split: &Object<'s>) -> Matches<'s> {
    let path = FieldPath::keys(["spec", "matches"]);
    let items = split.tree.at(&["spec", "matches"]).and_then(Node::items).unwrap_or_default();
    let mut matches = Matches::default();
    let is_foreign = |item: &Node<'_>| {
        let text = |field, usual| item.get(field).and_then(Node::as_str).unwrap_or(usual);
        (text("apiGroup", SPECS), text("kind", GROUP_KIND)) != (SPECS, GROUP_KIND)
    };
    // a request is split if any of them takes it, so one may go as long as another is left
    let may_drop = work.options.lossy == Lossy::Drop && !items.iter().all(is_foreign);
    for (nth, item) in items.iter().enumerate() {
        let path = path.index(nth);
        if is_foreign(item) {
            foreign(work, item, &path, may_drop);
            continue;
        }
        let name = item.get("name").and_then(Node::as_str).unwrap_or_default();
        let Some(found) = work.context.objects.find(SPECS, GROUP_KIND, work.namespace(), name) else {
            let message = format!("it matches by HTTPRouteGroup {name}, which is not in the input");
            work.fail(&rules::NO_ROUTE, &message, &path.key("name"), "add the HTTPRouteGroup to the input");
            continue;
        };
        group(work, work.context.objects.get(found), name, &mut matches);
    }
    if matches.nodes.len() > MOST {
        let message = format!("a route holds at most {MOST} matches, and these are {}", matches.nodes.len());
        work.fail(&rules::TOO_MANY, &message, &path, "join methods or paths, or write several routes by hand");
    }
    matches
}

/// Says that no route can match by what an item names; where it may be dropped, that it is gone.
fn foreign(work: &mut Work<'_, '_, '_>, item: &Node<'_>, path: &FieldPath, may_drop: bool) {
    let matched = matched(item);
    if may_drop {
        let message = format!("no route matches by {matched}: the requests that it takes go to the root Service");
        let finding = work.finding(&conversion::LOST, &message, path);
        return work.push(finding);
    }
    let message = format!("it matches by {matched}, which is no HTTPRouteGroup of {SPECS}");
    let remedy = "match by HTTPRouteGroups, or drop it beside others (`--allow-lossy`, `convert.allowLossy: true`)";
    work.fail(&rules::NO_ROUTE, &message, path, remedy);
}

/// The matches of one group.
fn group<'s>(work: &mut Work<'_, '_, 's>, group: &Object<'s>, name: &str, matches: &mut Matches<'s>) {
    let options = Options { lossy: Lossy::Refuse, ..work.options };
    let read = match convert::one(group, Version::V1alpha4, &options) {
        Ok((read, _)) => read,
        Err(refusals) => {
            refusals.iter().for_each(|refusal| work.push(refusal.finding(group)));
            return;
        }
    };
    // the first two versions have no `spec`
    let path = match group.tree.get("spec") {
        Some(_) => FieldPath::keys(["spec", "matches"]),
        None => FieldPath::keys(["matches"]),
    };
    let items = read.tree.at(&["spec", "matches"]).and_then(Node::items).unwrap_or_default();
    for (nth, item) in items.iter().enumerate() {
        let said = item.get("name").and_then(Node::as_str).unwrap_or_default();
        if !matches.names.is_empty() {
            matches.names.push(',');
        }
        matches.names += &format!("{name}/{said}");
        let mut one = Match { work: &mut *work, group, path: path.index(nth) };
        matches.nodes.extend(one.nodes(item));
    }
    if items.is_empty() {
        let remedy = "write its matches, or take the group out of the split";
        let mut one = Match { work, group, path };
        one.fail("the group matches nothing", None, remedy);
    }
}

/// A match of a group.
struct Match<'w, 'a, 'f, 's> {
    work: &'w mut Work<'a, 'f, 's>,
    group: &'w Object<'s>,
    path: FieldPath,
}

impl<'s> Match<'_, '_, '_, 's> {
    fn finding(&self, rule: &'static Rule, message: &str, field: Option<&str>) -> Finding {
        let path = field.map_or_else(|| self.path.clone(), |field| self.path.key(field));
        let split = &self.work.split.id;
        Finding::new(rule, format!("{split}: {message}"))
            .with_object(split)
            .with_label(Label::new(self.group.place_of(&path)).path(path).text(self.group.id.to_string()))
    }

    fn fail(&mut self, message: &str, field: Option<&str>, remedy: &str) {
        let finding = self.finding(&rules::NO_ROUTE, message, field);
        self.work.push(finding.with_remedy(remedy));
    }

    /// As a route has it: one match a method.
    fn nodes(&mut self, item: &Node<'s>) -> Vec<Node<'s>> {
        let path = self.url(item);
        let headers = self.headers(item);
        let methods = self.methods(item);
        let node = |method: &Option<String>| {
            let mut node = mapping([]);
            let Some(entries) = node.mapping_mut() else { return node };
            if let Some(method) = method {
                entries.set("method", Node::text(method.clone()));
            }
            if let Some(path) = &path {
                entries.set("path", path.clone());
            }
            if !headers.is_empty() {
                entries.set("headers", list(headers.clone()));
            }
            if entries.is_empty() {
                entries.set("path", mapping([("type", Node::text("PathPrefix")), ("value", Node::text("/"))]));
            }
            node
        };
        methods.iter().map(node).collect()
    }

    /// The methods; none alone stands for every method.
    fn methods(&mut self, item: &Node<'s>) -> Vec<Option<String>> {
        let items = item.get("methods").and_then(Node::items).unwrap_or_default();
        let words: Vec<&str> = items.iter().map(|item| item.as_str().unwrap_or_default()).collect();
        if words.is_empty() || words.contains(&"*") {
            return vec![None];
        }
        let mut methods = Vec::new();
        for word in words {
            if !METHODS.contains(&word) {
                self.fail(&format!("`{word}` is no method of a route"), Some("methods"), "write it in upper case");
            }
            let method = Some(word.to_owned());
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
        methods
    }

    fn url(&mut self, item: &Node<'s>) -> Option<Node<'s>> {
        let pattern = item.get("pathRegex").and_then(Node::as_str).unwrap_or_default().to_owned();
        if matches!(&*pattern, "" | ".*" | "^.*" | ".*$" | "^.*$") || !self.is_readable(&pattern, "pathRegex") {
            return None;
        }
        let value = format!("^(?:{pattern}).*$");
        if value.chars().count() > LONGEST_PATH {
            let message = format!("the expression of a path takes at most {LONGEST_PATH} characters");
            let finding = self.finding(&rules::TOO_MANY, &message, Some("pathRegex"));
            self.work.push(finding.with_remedy("take it apart into several matches"));
        }
        Some(mapping([("type", Node::text("RegularExpression")), ("value", Node::text(value))]))
    }

    fn headers(&mut self, item: &Node<'s>) -> Vec<Node<'s>> {
        let mut headers: Vec<Node<'s>> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        // the conversion has judged their shape
        let entries = item.get("headers").map(http_route_group::headers).and_then(Result::ok).unwrap_or_default();
        for (name, pattern) in entries {
            let lower = name.to_ascii_lowercase();
            if !is_header(&name) {
                let remedy = "a route matches headers only: say paths and methods by their own fields";
                self.fail(&format!("`{name}` is no header of a route"), Some("headers"), remedy);
            } else if names.contains(&lower) {
                let remedy = "join the expressions: a route has each header once";
                self.fail(&format!("the header `{name}` is given twice"), Some("headers"), remedy);
            } else if self.is_readable(&pattern, "headers") {
                headers.push(self.header(name, &pattern));
            }
            names.push(lower);
        }
        if headers.len() > MOST_HEADERS {
            let message = format!("a match holds at most {MOST_HEADERS} headers, and this one {}", headers.len());
            let finding = self.finding(&rules::TOO_MANY, &message, Some("headers"));
            self.work.push(finding.with_remedy("leave out what does not matter"));
        }
        headers
    }

    fn header(&mut self, name: String, pattern: &str) -> Node<'s> {
        let is_anchored = pattern.starts_with('^') || pattern.ends_with('$');
        if !pattern.contains(".*") && !is_anchored {
            let message = format!("the header `{name}` is compared with `{pattern}` as a whole");
            let remedy = "write `.*` around the expression if a part is enough, `^` and `$` if it is not";
            let finding = self.finding(&rules::HEADER_MEANS_ALL, &message, Some("headers"));
            self.work.push(finding.with_severity(Severity::Warning).with_remedy(remedy));
        }
        let (kind, value) = match is_literal(pattern) {
            true => ("Exact", pattern.to_owned()),
            false => ("RegularExpression", format!("^(?:{pattern})$")),
        };
        if !(1..=LONGEST_HEADER).contains(&value.chars().count()) {
            let message = format!("the expression of a header takes 1 to {LONGEST_HEADER} characters");
            let finding = self.finding(&rules::TOO_MANY, &message, Some("headers"));
            self.work.push(finding.with_remedy("shorten it"));
        }
        mapping([("name", Node::text(name)), ("type", Node::text(kind)), ("value", Node::text(value))])
    }

    /// Whether Linkerd can read an expression: it knows neither look-around nor references back.
    fn is_readable(&mut self, pattern: &str, field: &str) -> bool {
        let Err(error) = regex_syntax::parse(pattern) else { return true };
        let why = match error {
            regex_syntax::Error::Parse(error) => error.kind().to_string(),
            regex_syntax::Error::Translate(error) => error.kind().to_string(),
            _ => "it is no regular expression".to_owned(),
        };
        let message = format!("the expression `{pattern}` cannot be read: {why}");
        self.fail(&message, Some(field), "write an expression without look-around and references back");
        false
    }
}

/// Whether an expression is plain text, and takes nothing but itself.
fn is_literal(pattern: &str) -> bool {
    let read = regex_syntax::parse(pattern);
    read.is_ok_and(|read| matches!(read.kind(), HirKind::Literal(literal) if *literal.0 == *pattern.as_bytes()))
}

/// Whether a text is the name of a header (`HTTPHeaderName`: a token of RFC 7230, at most 256 characters).
fn is_header(name: &str) -> bool {
    (1..=256).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}
