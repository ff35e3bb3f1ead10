//! What the references of real installations lead to, counted by row, and every one that leads
//! nowhere; pinned in `refs.tsv`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use camino::Utf8PathBuf;
use tidegate::flow::{Reference, Resolution};
use tidegate::object::ObjectSet;
use tidegate::source::{self, Input, Limits, ReadOptions, Side};

use super::form::plan;
use crate::corpus::{Unit, corpus, each, input, units};
use crate::place::{root, say};

const HEAD: &str = "\
# What the references of the units of corpus.tsv lead to. First by row: objects of the input, what they make, what nobody expects
# there, what the referrer does without, what is missing. Then every missing one, by unit. `cargo bless` writes it; the diff is read
# before it is committed: a missing reference that its publisher means to be outside is an error of the table.
group\tkind\trow\ttarget\tobjects\tproducts\toutside\toptional\tmissing
";
const MISSING_HEAD: &str = "\nunit\treferrer\trow\tmissing\n";

/// What the references of one row lead to.
#[derive(Clone, Debug, Default)]
struct Counts {
    objects: usize,
    products: usize,
    outside: usize,
    optional: usize,
    missing: usize,
}

/// What one unit has.
#[derive(Default)]
struct Seen {
    counts: BTreeMap<[String; 4], Counts>,
    missing: BTreeSet<String>,
}

#[test]
fn references_of_the_corpus_lead_where_they_did_before() {
    let Some(corpus) = corpus("references of the corpus") else {
        return;
    };
    let units = units();
    let seen = each(&units, |unit| look(&corpus, unit));
    let mut counts: BTreeMap<[String; 4], Counts> = BTreeMap::new();
    let mut missing = String::new();
    for seen in &seen {
        for (row, more) in &seen.counts {
            let sum = counts.entry(row.clone()).or_default();
            sum.objects += more.objects;
            sum.products += more.products;
            sum.outside += more.outside;
            sum.optional += more.optional;
            sum.missing += more.missing;
        }
        missing.extend(seen.missing.iter().map(|line| format!("{line}\n")));
    }
    let table: String = counts.iter().map(line).collect();
    let now = format!("{HEAD}{table}{MISSING_HEAD}{missing}");
    let all: usize = counts.values().map(|c| c.objects + c.products + c.outside + c.optional + c.missing).sum();
    say(&format!("references: {all} of {} rows in {} units", counts.len(), units.len()));
    assert!(all > 1_000 && counts.len() > 50, "{all} references of {} rows", counts.len());
    let path = root().join("golden/refs.tsv");
    if std::env::var_os("TRYCMD").is_some_and(|v| v == "overwrite") {
        std::fs::write(&path, now).expect("the table is written");
        return;
    }
    let then = std::fs::read_to_string(&path).expect("the table is there");
    let (then, now): (BTreeSet<&str>, BTreeSet<&str>) = (then.lines().collect(), now.lines().collect());
    let gone = then.difference(&now).map(|line| format!("- {line}"));
    let new = now.difference(&then).map(|line| format!("+ {line}"));
    let differences: Vec<String> = gone.chain(new).collect();
    assert!(differences.is_empty(), "refs.tsv:\n{}", differences.join("\n"));
}

fn line((row, counts): (&[String; 4], &Counts)) -> String {
    let Counts { objects, products, outside, optional, missing } = counts;
    format!("{}\t{objects}\t{products}\t{outside}\t{optional}\t{missing}\n", row.join("\t"))
}

fn look(corpus: &Path, unit: &Unit) -> Seen {
    let input = input(corpus, unit);
    let path = Utf8PathBuf::from_path_buf(input.path.clone()).expect("paths of the corpus are UTF-8");
    let limits = Limits::default();
    let options = ReadOptions { limits: &limits, root: None, strict_links: false, side: Side::New };
    let reading = source::read(&[Input::Path(path)], &options, &mut std::io::empty()).expect("the unit is read");
    let planned = plan(&reading.map);
    let objects = &planned.linked.loaded.objects;
    let mut seen = Seen::default();
    for reference in &planned.linked.references {
        let from = &objects.get(reference.from).id;
        let target = if reference.target.group.is_empty() {
            reference.target.kind.to_string()
        } else {
            format!("{}.{}", reference.target.kind, reference.target.group)
        };
        let row = [from.group.to_string(), from.kind.to_string(), reference.row.to_owned(), target];
        let counts = seen.counts.entry(row).or_default();
        match reference.leads_to {
            Resolution::Object(_) => counts.objects += 1,
            Resolution::Product(_) => counts.products += 1,
            Resolution::Outside => counts.outside += 1,
            Resolution::Missing if reference.optional => counts.optional += 1,
            Resolution::Missing => {
                counts.missing += 1;
                seen.missing.insert(missing(unit, reference, objects));
            }
        }
    }
    seen
}

fn missing(unit: &Unit, reference: &Reference, objects: &ObjectSet<'_>) -> String {
    let target = &reference.target;
    let namespace = target.namespace.as_deref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
    let from = &objects.get(reference.from).id;
    format!("{}\t{from}\t{}\t{} {namespace}{}", unit.path, reference.row, target.kind, target.name)
}
