//! Rendered streams, played back as Argo CD applies them: what must be ready is in an earlier step, what must be there
//! comes first, and nothing waits for ever.
//!
//! - [`sync`]: the sort, the fix-ups and the steps of Argo CD;
//! - [`judge`]: which needs it must keep;
//! - [`made`]: made installations.
//!
//! None of it knows how tidegate orders; the needs are those of the graph that it gives away.

mod judge;
mod made;
mod sync;

use tidegate::config::{Settings, WaveMode};
use tidegate::emit::{self, Form, select::Selection};
use tidegate::finding::Findings;
use tidegate::flow::{Need, Planned};
use tidegate::render;
use tidegate::source::{Input, Limits, ReadOptions, Side, SourceFile, SourceMap, read};

use crate::corpus::{corpus, each, input, units};
use crate::place::{root, say};

/// How many made installations are played back.
const MADE: u64 = 1_000;

/// A rendered input.
struct Rendered<'s> {
    stream: String,
    planned: Planned<'s>,
    found: Findings,
}

fn settings(mode: WaveMode) -> Settings {
    let mut settings = Settings::default();
    settings.waves.mode = mode;
    settings
}

fn rendered<'s>(map: &'s SourceMap, settings: &Settings) -> Rendered<'s> {
    let mut found = Findings::default();
    let mut planned = render::plan(map, settings, &mut found);
    let mut bytes = Vec::new();
    emit::write(&mut planned, settings, &Selection::default(), Form::Yaml, &mut bytes).expect("a vector takes all");
    Rendered { stream: String::from_utf8(bytes).expect("output is UTF-8"), planned, found }
}

/// The files under a path, as the command line would read them.
fn files(path: &std::path::Path) -> SourceMap {
    let limits = Limits::default();
    let options = ReadOptions { limits: &limits, root: None, strict_links: false, side: Side::New };
    let path = path.to_str().expect("paths are UTF-8");
    read(&[Input::Path(path.into())], &options, &mut std::io::empty()).expect("no root is given").map
}

fn text(text: &str) -> SourceMap {
    let mut map = SourceMap::default();
    map.add(SourceFile::new("all.yaml", text));
    map
}

/// What is wrong with an input in either mode; and how many steps a sync takes.
fn tried(map: &SourceMap) -> Result<[usize; 2], String> {
    let steps = [WaveMode::Staged, WaveMode::Minimal].map(|mode| {
        let Rendered { stream, planned, found } = rendered(map, &settings(mode));
        let faults = judge::faults(&stream, &planned, &found);
        let steps = sync::Sync::of(&stream, false)?.steps;
        if faults.is_empty() { Ok(steps) } else { Err(format!("{mode:?}:\n{}", faults.join("\n"))) }
    });
    let [staged, minimal] = steps;
    let (staged, minimal) = (staged?, minimal?);
    if minimal > staged {
        return Err(format!("{minimal} steps with minimal waves, {staged} with a band for each stage"));
    }
    Ok([staged, minimal])
}

#[test]
fn every_example_goes_through() {
    let folder = root().join("examples");
    let examples = std::fs::read_dir(folder).expect("there are examples").flatten();
    let inputs: Vec<_> = examples.map(|entry| entry.path().join("input")).filter(|input| input.is_dir()).collect();
    assert!(!inputs.is_empty());
    for input in inputs {
        tried(&files(&input)).unwrap_or_else(|why| panic!("{}: {why}", input.display()));
    }
}

#[test]
fn every_unit_of_the_corpus_goes_through() {
    let Some(corpus) = corpus("syncs of the corpus, played back") else { return };
    let units = units();
    let tried = each(&units, |unit| tried(&files(&input(&corpus, unit).path)));
    let failed: Vec<_> =
        units.iter().zip(&tried).filter_map(|(u, t)| Some(format!("{}: {}", u.path, t.as_ref().err()?))).collect();
    let steps: usize = tried.iter().flatten().map(|[staged, _]| staged).sum();
    let fewer: usize = tried.iter().flatten().map(|[_, minimal]| minimal).sum();
    say(&format!(
        "replay: {} of {} units, {steps} steps, {fewer} with minimal waves",
        tried.iter().flatten().count(),
        units.len()
    ));
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

#[test]
fn made_installations_go_through() {
    let (mut ready, mut objects) = (0, 0);
    for seed in 0..MADE {
        let made = made::installation(seed);
        let map = text(&made);
        tried(&map).unwrap_or_else(|why| panic!("seed {seed}: {why}\n\n{made}"));
        let Rendered { stream, planned, .. } = rendered(&map, &settings(WaveMode::Staged));
        let again = rendered(&text(&stream), &settings(WaveMode::Staged)).stream;
        assert_eq!(stream, again, "seed {seed}: rendered again");
        objects += planned.plan.slots.len();
        ready += planned.linked.graph.edges().iter().filter(|edge| edge.need == Need::Ready).count();
    }
    say(&format!("replay: {MADE} made installations, {objects} objects, {ready} of their needs are to be ready"));
    assert!(ready > 1_000, "{ready} needs that must be ready: the made installations test nothing");
}

/// An order that is wrong must not go through.
#[test]
fn wrong_orders_are_found() {
    let operator =
        std::fs::read_to_string(root().join("golden/gates/operator.in/all.yaml")).expect("the case is there");
    let map = text(&operator);
    let Rendered { stream, planned, found } = rendered(&map, &settings(WaveMode::Staged));
    assert_eq!(judge::faults(&stream, &planned, &found), Vec::<String>::new());
    let wave = |number: i64| format!("argocd.argoproj.io/sync-wave: \"{number}\"");
    for (right, wrong, fault) in [
        // the registration beside its backend
        (
            wave(2),
            wave(1),
            "ValidatingWebhookConfiguration widgets Some((3, 1)) needs Deployment ops/widget-operator Some((3, 0))",
        ),
        // the object before the registration that acts on it
        (wave(3), wave(0), "Widget ops/first Some((2, 1)) needs ValidatingWebhookConfiguration widgets"),
        // the backend before the certificate that it reads
        (wave(1), wave(-1), "Deployment ops/widget-operator Some((2, 0)) needs Certificate ops/widget-webhook"),
    ] {
        let turned = stream.replace(&right, &wrong);
        assert_ne!(turned, stream);
        let faults = judge::faults(&turned, &planned, &found);
        assert!(faults.iter().any(|f| f.starts_with(fault)), "{fault}: {faults:?}");
    }
}
