//! What each object becomes.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::Settings;
use crate::convert::traffic_split::http_route::{self, Context, Routes};
use crate::convert::{self, Options, Report, Served, Target, Version, crd_v1beta1, http_route_group, traffic_split};
use crate::finding::Findings;
use crate::object::{Object, ObjectSet};
use crate::report::conversions::Row;

use super::Request;
use super::item::Item;

/// What was decided.
pub(super) struct Decision {
    pub(super) rows: Vec<Row>,
    pub(super) steps: String,
}

/// Decides for all objects; those that change have in [`Item::becomes`] what they become. `objects` are
/// those of the whole input: what is served, and what a route is about, is looked up among them.
pub(super) fn decide<'s>(
    items: &mut [Item<'s>],
    objects: &ObjectSet<'s>,
    settings: &Settings,
    request: &Request<'_>,
    found: &mut Findings,
) -> Decision {
    let options = Options::from(&settings.convert);
    let mut work = Work { objects, settings, options, request, found, rows: BTreeMap::new() };
    let steps = match request.target {
        Some(Target::HttpRoute) => work.routes(items),
        Some(Target::Version(version)) => {
            work.splits(items, Some(version));
            work.groups(items, version);
            String::new()
        }
        None => {
            work.splits(items, None);
            String::new()
        }
    };
    work.definitions(items);
    let passed = items.iter().filter_map(|item| convert::passed_through(&item.object));
    passed.for_each(|finding| work.found.push(finding));
    let rows = std::mem::take(&mut work.rows).into_values().collect();
    judge(items, found);
    Decision { rows, steps }
}

struct Work<'w, 's> {
    objects: &'w ObjectSet<'s>,
    settings: &'w Settings,
    options: Options,
    request: &'w Request<'w>,
    found: &'w mut Findings,
    /// By the number of the item.
    rows: BTreeMap<usize, Row>,
}

impl<'s> Work<'_, 's> {
    /// TrafficSplits to a version; without one those of v1alpha1 to the version that is served.
    fn splits(&mut self, items: &mut [Item<'s>], asked: Option<Version>) {
        let kind = &traffic_split::KIND;
        let served = convert::served(self.objects, self.settings, kind.group, kind.kind);
        for (nth, item) in items.iter_mut().enumerate().filter(|(_, item)| item.object.is(kind.group, kind.kind)) {
            let Some(version) = Version::parse(&item.object.version) else {
                // says which versions there are
                self.bring(nth, item, asked.unwrap_or(Version::V1alpha2), self.options);
                continue;
            };
            match asked.or_else(|| self.lowest(&item.object, version, &served)) {
                Some(target) if target != version => {
                    self.bring(nth, item, target, self.options);
                }
                Some(_) => self.stay(nth, item, version),
                None => {}
            }
            convert::found_unserved(item.last(), &served, self.found);
        }
    }

    /// The version that a split is brought to where none is asked for; its own where it stays, none
    /// where it has to.
    fn lowest(&mut self, split: &Object<'_>, version: Version, served: &Served) -> Option<Version> {
        if version != Version::V1alpha1 {
            return Some(version);
        }
        let later = Version::ALL.into_iter().find(|v| *v > Version::V1alpha1 && served.versions.contains(v.word()));
        let is_known = served.definition.is_some() || !served.versions.is_empty();
        match later {
            Some(later) => Some(later),
            None if is_known => {
                self.found.push(convert::left_alone(split, self.objects, served));
                None
            }
            None => {
                self.found.push(convert::assumed(split).with_remedy(
                    "say `--to VERSION`, name what is served with `--api-versions split.smi-spec.io/VERSION`, or put the \
                     CustomResourceDefinition into the input",
                ));
                Some(Version::V1alpha2)
            }
        }
    }

    /// The HTTPRouteGroups that a split of the input names, and all where there is no split.
    fn groups(&mut self, items: &mut [Item<'s>], target: Version) {
        let kind = &traffic_split::KIND;
        let splits: Vec<&Object<'_>> = items.iter().map(Item::last).filter(|o| o.is(kind.group, kind.kind)).collect();
        let named: BTreeSet<_> = splits.iter().flat_map(|split| convert::groups(split)).collect();
        let are_alone = splits.is_empty();
        let options = Options { headers: convert::header_form(self.objects, target), ..self.options };
        let kind = &http_route_group::KIND;
        for (nth, item) in items.iter_mut().enumerate().filter(|(_, item)| item.object.is(kind.group, kind.kind)) {
            let id = &item.object.id;
            let is_named = named.contains(&(id.namespace.as_deref().map(str::to_owned), id.name.text().to_owned()));
            if (is_named || are_alone) && Version::parse(&item.object.version) != Some(target) {
                self.bring(nth, item, target, options);
            }
        }
    }

    fn bring(&mut self, nth: usize, item: &mut Item<'s>, target: Version, options: Options) {
        let mut object = item.object.clone();
        let Some(report) = convert::bring(&mut object, target, &options, self.found) else { return };
        self.rows.insert(nth, row(&item.object, object.api_version(), report));
        item.becomes = Some(vec![object]);
    }

    fn stay(&mut self, nth: usize, item: &mut Item<'s>, version: Version) {
        let mut object = item.object.clone();
        let report = convert::stay(&mut object, version, &self.options, self.found);
        if let Some(report) = report.filter(|_| object.tree != item.object.tree) {
            self.rows.insert(nth, row(&item.object, object.api_version(), report));
            item.becomes = Some(vec![object]);
        }
    }

    /// TrafficSplits to routes; gives the steps that they need on a cluster.
    fn routes(&mut self, items: &mut [Item<'s>]) -> String {
        let kind = &traffic_split::KIND;
        let context = Context {
            ports: self.request.ports,
            options: self.options,
            weight_limit: http_route::limit(&self.settings.convert),
            ..Context::new(self.objects)
        };
        let mut done: Vec<(Object<'s>, Routes<'s>)> = Vec::new();
        for (nth, item) in items.iter_mut().enumerate().filter(|(_, item)| item.object.is(kind.group, kind.kind)) {
            let Ok(routes) = http_route::convert(&item.object, &context, self.found) else { continue };
            let to = routes.routes.first().map(Object::api_version).unwrap_or_default();
            self.rows.insert(nth, row(&item.object, format!("{} {to}", http_route::KIND), routes.report.clone()));
            item.becomes = Some(routes.routes.clone());
            done.push((item.object.clone(), routes));
        }
        http_route::steps(&done.iter().map(|(split, routes)| (split, routes)).collect::<Vec<_>>())
    }

    /// Definitions of v1beta1, which no cluster serves any more.
    fn definitions(&mut self, items: &mut [Item<'s>]) {
        for (nth, item) in items.iter_mut().enumerate().filter(|(_, item)| crd_v1beta1::is_v1beta1(&item.object)) {
            let Ok(object) = crd_v1beta1::convert(&item.object, self.found) else { continue };
            self.rows.insert(nth, row(&item.object, object.api_version(), Report::default()));
            item.becomes = Some(vec![object]);
        }
    }
}

impl<'s> Item<'s> {
    /// What stands there in the end, if it is one object.
    fn last(&self) -> &Object<'s> {
        match self.becomes.as_deref() {
            Some([object]) => object,
            _ => &self.object,
        }
    }
}

/// Judges what the definitions of the input serve, with the objects as they are in the end.
fn judge(items: &[Item<'_>], found: &mut Findings) {
    convert::judge(&ObjectSet::new(items.iter().map(|item| item.last().clone()).collect()), found);
}

fn row(object: &Object<'_>, to: String, report: Report) -> Row {
    Row { object: object.id.to_string(), from: object.api_version(), to, weights: report.weights }
}
