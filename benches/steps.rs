//! What the steps of a render cost, each alone.
//!
//! `cargo bench --bench steps` measures a generated input in memory. With `-- --shares FILE` it
//! prints what part of a whole render of FILE each step takes; `benches/compare` shows that beside
//! its figures.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock, and its input is no user's")]

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, Throughput};
use tidegate::config::Settings;
use tidegate::convert::{self, Options, Version};
use tidegate::emit::{self, Form, select::Selection};
use tidegate::finding::Findings;
use tidegate::flow::{Linked, Loaded, Planned, Stamped};
use tidegate::source::{DocumentStart, Limits, SourceFile, SourceMap};
use tidegate::{check, checksum, load, refs, render, schedule, yaml};

/// Rounds of `--shares`; the shortest of each step counts, since nothing makes a step faster than it is.
const ROUNDS: usize = 15;
/// Applications of the input that is made here, three objects each.
const APPS: usize = 250;

fn main() -> ExitCode {
    let mut args = std::env::args().skip_while(|arg| arg != "--shares");
    if args.next().is_none() {
        let mut criterion = Criterion::default().configure_from_args();
        steps(&mut criterion);
        conversions(&mut criterion);
        Criterion::default().configure_from_args().final_summary();
        return ExitCode::SUCCESS;
    }
    let text = match args.next().map(std::fs::read_to_string) {
        Some(Ok(text)) => text,
        Some(Err(error)) => return fails(&error),
        None => return fails(&"--shares wants a file"),
    };
    match shares(&text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fails(&error),
    }
}

fn fails(why: &dyn std::fmt::Display) -> ExitCode {
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(io::stderr(), "steps: {why}");
    ExitCode::from(2)
}

/// One file in memory.
fn source(text: &str) -> SourceMap {
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("all.yaml", text));
    sources
}

/// Reads every document and drops the trees, as they would be while loading; gives how many.
fn parse(sources: &SourceMap) -> usize {
    let (limits, mut found) = (Limits::default(), Findings::default());
    let mut count = 0;
    for (file, source) in sources.iter() {
        for chunk in yaml::chunks(source.text()) {
            let start = DocumentStart { file, offset: chunk.offset };
            count += usize::from(matches!(yaml::parse(chunk.text, start, &limits, &mut found), Ok(Some(_))));
        }
    }
    count
}

fn loaded<'s>(sources: &'s SourceMap, settings: &Settings) -> Loaded<'s> {
    load::objects(sources, settings, &mut Findings::default())
}

fn linked<'s>(sources: &'s SourceMap, settings: &Settings) -> Linked<'s> {
    refs::link(loaded(sources, settings), settings, &mut Findings::default())
}

fn stamped<'s>(linked: Linked<'s>, settings: &Settings) -> Stamped<'s> {
    checksum::stamp(linked, settings, &mut Findings::default())
}

fn scheduled<'s>(stamped: Stamped<'s>, settings: &Settings) -> Planned<'s> {
    schedule::plan(stamped, settings, &mut Findings::default())
}

fn planned<'s>(sources: &'s SourceMap, settings: &Settings) -> Planned<'s> {
    render::plan(sources, settings, &mut Findings::default())
}

fn print(planned: &mut Planned<'_>, settings: &Settings) -> io::Result<usize> {
    emit::write(planned, settings, &Selection::default(), Form::Yaml, &mut io::sink())
}

/// A stream of plain applications: a ConfigMap of some size, a Service, and a Deployment that reads it.
fn stream() -> String {
    let mut text = String::new();
    for app in 0..APPS {
        let name = format!("app-{app:04}");
        let lines: String = (0..24).map(|n| format!("    pool.timeout.{n}={}\n", n * app)).collect();
        text.push_str(&format!(
            "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  namespace: shop\n\
             data:\n  LEVEL: \"info\"\n  app.properties: |\n{lines}\
             ---\napiVersion: v1\nkind: Service\nmetadata: {{name: {name}, namespace: shop}}\n\
             spec:\n  selector: {{app: {name}}}\n  ports:\n  - name: http\n    port: 80\n    targetPort: 8080\n\
             ---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {name}\n  namespace: shop\n\
             spec:\n  replicas: 2\n  selector:\n    matchLabels: {{app: {name}}}\n  template:\n    metadata:\n\
             \x20     labels:\n        app: {name}\n    spec:\n      containers:\n      - name: main\n\
             \x20       image: registry.example.com/shop/{name}:1.0.{app}\n        envFrom:\n\
             \x20       - configMapRef:\n            name: {name}\n        resources:\n          limits:\n\
             \x20           memory: 256Mi\n"
        ));
    }
    text
}

fn steps(criterion: &mut Criterion) {
    let text = stream();
    let (sources, settings) = (source(&text), Settings::default());
    let printed = print(&mut planned(&sources, &settings), &settings).ok();
    assert_eq!(printed, Some(3 * APPS), "the input is rendered whole");
    let mut group = criterion.benchmark_group("steps");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("yaml::parse", |bench| bench.iter(|| parse(&sources)));
    group.bench_function("load", |bench| bench.iter_with_large_drop(|| loaded(&sources, &settings)));
    group.bench_function("link", |bench| {
        let link = |loaded| refs::link(loaded, &settings, &mut Findings::default());
        bench.iter_batched(|| loaded(&sources, &settings), link, BatchSize::LargeInput);
    });
    group.bench_function("checksum", |bench| {
        let stamp = |linked| stamped(linked, &settings);
        bench.iter_batched(|| linked(&sources, &settings), stamp, BatchSize::LargeInput);
    });
    group.bench_function("schedule", |bench| {
        let stamped = || stamped(linked(&sources, &settings), &settings);
        bench.iter_batched(stamped, |stamped| scheduled(stamped, &settings), BatchSize::LargeInput);
    });
    group.bench_function("plan", |bench| bench.iter_with_large_drop(|| planned(&sources, &settings)));
    group.bench_function("emit", |bench| {
        let plan = || planned(&sources, &settings);
        bench.iter_batched_ref(plan, |planned| print(planned, &settings), BatchSize::LargeInput);
    });
    group.finish();
}

/// TrafficSplits of v1alpha1, each with weights that need a common factor.
fn splits() -> String {
    let mut text = String::new();
    for app in 0..APPS {
        text.push_str(&format!(
            "---\napiVersion: split.smi-spec.io/v1alpha1\nkind: TrafficSplit\nmetadata:\n  name: app-{app:04}\n\
             \x20 namespace: shop\n  uid: 6f0c\nspec:\n  service: app-{app:04}\n  backends:\n\
             \x20 - {{service: app-{app:04}-v1, weight: 1}}\n  - {{service: app-{app:04}-v2, weight: {app}m}}\n\
             \x20 - {{service: app-{app:04}-v3, weight: 0}}\n"
        ));
    }
    text
}

/// Conversions by themselves: objects a second.
fn conversions(criterion: &mut Criterion) {
    let text = splits();
    let (sources, settings) = (source(&text), Settings::default());
    let objects = loaded(&sources, &settings).objects;
    let options = Options::default();
    let convert =
        || objects.iter().filter(|(_, split)| convert::one(split, Version::V1alpha2, &options).is_ok()).count();
    assert_eq!(convert(), APPS, "every split is converted");
    let mut group = criterion.benchmark_group("convert");
    group.throughput(Throughput::Elements(APPS as u64));
    group.bench_function("v1alpha1 to v1alpha2", |bench| bench.iter(convert));
    group.finish();
}

/// Runs the chain step by step and keeps the shortest time of each.
fn shares(text: &str) -> io::Result<()> {
    const STEPS: [&str; 8] =
        ["yaml::parse", "rest of load", "convert", "link", "checksum", "schedule", "check", "emit"];
    let (sources, settings) = (source(text), Settings::default());
    let mut best = [Duration::MAX; STEPS.len()];
    let mut count = 0;
    for _ in 0..ROUNDS {
        let mut found = Findings::default();
        let mut clock = Clock(Instant::now());
        let mut times = [Duration::ZERO; STEPS.len()];
        parse(&sources);
        times[0] = clock.lap();
        let loaded = load::objects(&sources, &settings, &mut found);
        times[1] = clock.lap();
        let converted = convert::apply(loaded, &settings, &mut found);
        times[2] = clock.lap();
        let linked = refs::link(converted, &settings, &mut found);
        times[3] = clock.lap();
        let stamped = checksum::stamp(linked, &settings, &mut found);
        times[4] = clock.lap();
        let mut planned = schedule::plan(stamped, &settings, &mut found);
        times[5] = clock.lap();
        check::run(&planned, &settings, &mut found);
        times[6] = clock.lap();
        count = print(&mut planned, &settings)?;
        times[7] = clock.lap();
        for (best, time) in best.iter_mut().zip(times) {
            *best = time.min(*best);
        }
    }
    // Loading parses too: what it takes beyond that is its own.
    best[1] = best[1].saturating_sub(best[0]);
    let total: Duration = best.iter().sum();
    let mut out = io::stdout().lock();
    for (step, time) in STEPS.iter().zip(best) {
        let share = 100.0 * time.as_secs_f64() / total.as_secs_f64();
        writeln!(out, "  {step:<14}{:>9.3} ms {share:>5.1} %", time.as_secs_f64() * 1e3)?;
    }
    writeln!(out, "  {:<14}{:>9.3} ms, {count} objects, {} bytes", "all", total.as_secs_f64() * 1e3, text.len())
}

/// Time since the last look.
struct Clock(Instant);

impl Clock {
    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.0, now)
    }
}
