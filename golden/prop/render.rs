//! The laws of a render, for real installations and for made ones:
//!
//! - the order of files and documents has no say;
//! - the outputs of the three stages are consecutive pieces of the whole;
//! - a render of a render is the render; what is stripped renders to the same, and a render strips to what its input
//!   strips to;
//! - a render in the place of itself restarts nothing;
//! - played back as Argo CD sorts it, nothing comes before the namespace or the definition that it needs, waves never
//!   fall, and every object is there once.

mod made;
mod meshes;
mod sources;
mod stream;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tidegate::config::{EngineName, Settings, Writing};
use tidegate::emit::{self, Form, select::Selection};
use tidegate::finding::Findings;
use tidegate::flow::Stage;
use tidegate::source::{Input, Limits, ReadOptions, Role, Side, SourceFile, SourceMap, read};
use tidegate::{render, restart, yaml};

use crate::corpus::{Unit, corpus, each, input, units};
use crate::place::{root, say, tidegate};
use made::Made;

/// A file of an input: path, text, and what it is by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Text {
    path: String,
    text: String,
    role: Role,
}

impl Text {
    fn new(path: &str, text: String) -> Self {
        Text { path: path.to_owned(), text, role: Role::Manifests }
    }
}

/// The bytes of a render; its findings where it refuses.
fn rendered(files: &[Text], settings: &Settings, stages: &[Stage]) -> Result<String, String> {
    let mut map = SourceMap::default();
    for file in files {
        let mut source = SourceFile::new(file.path.as_str(), file.text.as_str());
        source.role = file.role;
        map.add(source);
    }
    let mut found = Findings::default();
    let mut planned = render::plan(&map, settings, &mut found);
    if found.exit_code(settings.findings.fail_on) != 0 {
        let messages: Vec<_> = found.sorted().iter().map(|f| format!("{}: {}", f.rule.id, f.message)).collect();
        return Err(messages.join("\n"));
    }
    let selection = Selection { stages: stages.to_vec(), ..Selection::default() };
    let mut bytes = Vec::new();
    emit::write(&mut planned, settings, &selection, Form::Yaml, &mut bytes).map_err(|e| e.to_string())?;
    String::from_utf8(bytes).map_err(|e| e.to_string())
}

/// The stages of an input, each rendered alone, put together as a stream.
fn by_stage(files: &[Text], settings: &Settings) -> Result<String, String> {
    let pieces: Result<Vec<String>, String> =
        Stage::ALL.iter().map(|stage| rendered(files, settings, &[*stage])).collect();
    Ok(pieces?.into_iter().filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join("---\n"))
}

/// The same documents in another order, decided by `seed`: those of a YAML file, and the files.
fn shuffled(files: &[Text], seed: u64) -> Vec<Text> {
    let mut dice = Dice(seed);
    let mut files: Vec<Text> = files.iter().map(|file| shuffled_file(file, &mut dice)).collect();
    dice.shuffle(&mut files);
    files
}

fn shuffled_file(file: &Text, dice: &mut Dice) -> Text {
    // a stream of JSON values has no lines between its documents; a directive belongs to the document behind it
    if file.role != Role::Manifests || file.text.trim_start().starts_with('{') || file.text.starts_with('%') {
        return file.clone();
    }
    let mut documents: Vec<&str> = yaml::chunks(&file.text).map(|chunk| chunk.text).collect();
    dice.shuffle(&mut documents);
    let documents: Vec<String> = documents
        .into_iter()
        .map(|text| if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") })
        .collect();
    Text { text: documents.join("---\n"), ..file.clone() }
}

/// A source of numbers, the same ones for the same seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).expect("below a usize")
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

/// Every law on one input; gives how many objects its render has.
fn laws(files: &[Text], settings: &Settings) -> Result<usize, String> {
    let whole = rendered(files, settings, &[])?;
    for seed in 0..3 {
        let other = rendered(&shuffled(files, seed), settings, &[])?;
        same("shuffled", &whole, &other)?;
    }
    same("stage by stage", &whole, &by_stage(files, settings)?)?;
    let again = rendered(&[Text::new("rendered.yaml", whole.clone())], settings, &[])?;
    same("rendered again", &whole, &again)?;
    let stripping = Settings { writing: Writing::Stripped, ..settings.clone() };
    let stripped = rendered(files, &stripping, &[])?;
    let back = rendered(&[Text::new("rendered.yaml", whole.clone())], &stripping, &[])?;
    same("stripped after a render", &without_blanks(&stripped), &without_blanks(&back))?;
    let anew = rendered(&[Text::new("stripped.yaml", stripped)], settings, &[])?;
    same("rendered after a strip", &whole, &anew)?;
    restarts_nothing(files, &whole, settings)?;
    let objects = stream::objects(&whole)?;
    stream::each_once(&objects)?;
    stream::needs_come_first(&objects)?;
    if settings.engine == EngineName::Argocd {
        stream::waves_never_fall(&objects)?;
        stream::needs_come_first(&stream::as_argocd_sorts(&objects))?;
    }
    Ok(objects.len())
}

/// Whether the render of an input, taken as it is, restarts nothing when the render of the same input takes its place.
fn restarts_nothing(files: &[Text], whole: &str, settings: &Settings) -> Result<(), String> {
    let map = |texts: &mut dyn Iterator<Item = (&str, &str)>| {
        let mut map = SourceMap::default();
        for (path, text) in texts {
            map.add(SourceFile::new(path, text));
        }
        map
    };
    let manifests = files.iter().filter(|file| file.role == Role::Manifests);
    let new = map(&mut manifests.map(|file| (file.path.as_str(), file.text.as_str())));
    let old = map(&mut std::iter::once(("rendered.yaml", whole)));
    let as_it_is = Settings { writing: Writing::AsItIs, ..settings.clone() };
    let old = render::plan(&old, &as_it_is, &mut Findings::default());
    let new = render::plan(&new, settings, &mut Findings::default());
    let restarts = restart::restarts(&old, &new, settings);
    if restarts == restart::Restarts::default() { Ok(()) } else { Err(format!("rendered again: {restarts:?}")) }
}

/// The same text with nothing where annotations are null or empty: there are none in any of the three.
fn without_blanks(text: &str) -> String {
    let is_blank = |line: &&str| ["annotations: null", "annotations: {}"].contains(&line.trim());
    text.lines().filter(|line| !is_blank(line)).map(|line| format!("{line}\n")).collect()
}

/// An error with the first line that differs.
fn same(what: &str, one: &str, other: &str) -> Result<(), String> {
    if one == other {
        return Ok(());
    }
    let differs = one.lines().zip(other.lines()).enumerate().find(|(_, (a, b))| a != b);
    Err(match differs {
        Some((at, (a, b))) => format!("{what}: line {} was `{a}` and is `{b}`", at + 1),
        None => format!("{what}: {} lines were {}", one.lines().count(), other.lines().count()),
    })
}

/// The files of a unit, as the command line would read them.
fn files(path: &Path) -> Vec<Text> {
    let limits = Limits::default();
    let options = ReadOptions { limits: &limits, root: None, strict_links: false, side: Side::New };
    let path = path.to_str().expect("paths of the corpus are UTF-8");
    let reading = read(&[Input::Path(path.into())], &options, &mut std::io::empty()).expect("no root is given");
    let texts = reading.map.iter().map(|(_, file)| file).filter(|file| file.readable);
    texts.map(|file| Text { path: file.path.to_string(), text: file.text().to_owned(), role: file.role }).collect()
}

#[test]
fn the_laws_hold_for_real_installations() {
    let Some(corpus) = corpus("laws of a render, on the corpus") else {
        return;
    };
    let units = units();
    let checked = each(&units, |unit| {
        let input = input(&corpus, unit);
        let count = laws(&files(&input.path), &Settings::default())?;
        if count == unit.objects { Ok(count) } else { Err(format!("{count} objects, kubectl reads {}", unit.objects)) }
    });
    let failed: Vec<String> = units.iter().zip(&checked).filter_map(fault).collect();
    let objects: usize = checked.iter().flatten().sum();
    say(&format!("laws: {} of {} units, {objects} objects", checked.iter().flatten().count(), units.len()));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn fault((unit, checked): (&Unit, &Result<usize, String>)) -> Option<String> {
    checked.as_ref().err().map(|why| format!("{}: {why}", unit.path))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default() })]

    #[test]
    fn the_laws_hold_for_made_installations(made in made::installation()) {
        let Made { files, settings, objects } = made;
        let count = laws(&files, &settings).map_err(|why| TestCaseError::fail(format!("{why}\n{}", shown(&files))))?;
        prop_assert_eq!(count, objects, "{}", shown(&files));
    }

    /// With sources under names of their content, and all that users may have written beside it.
    #[test]
    fn the_laws_hold_for_made_configuration(made in sources::installation()) {
        let Made { files, settings, objects } = made;
        let count = laws(&files, &settings).map_err(|why| TestCaseError::fail(format!("{why}\n{}", shown(&files))))?;
        prop_assert_eq!(count, objects, "{}", shown(&files));
    }

    /// With pods that meshes take, and whatever holds them back: annotations, or Jobs that are added.
    #[test]
    fn the_laws_hold_with_gates_of_meshes(made in meshes::installation()) {
        let Made { files, settings, objects } = made;
        let count = laws(&files, &settings).map_err(|why| TestCaseError::fail(format!("{why}\n{}", shown(&files))))?;
        prop_assert_eq!(count, objects, "{}", shown(&files));
    }

    /// Which file an object stands in has no say, as long as the folder is the same.
    #[test]
    fn files_of_one_folder_are_one(made in made::installation()) {
        let Made { files, settings, .. } = made;
        let joined = files.iter().map(|file| file.text.as_str()).collect::<Vec<_>>().join("---\n");
        let one = rendered(&[Text::new("all.yaml", joined)], &settings, &[]).map_err(TestCaseError::fail)?;
        let many = rendered(&files, &settings, &[]).map_err(TestCaseError::fail)?;
        prop_assert_eq!(one, many, "{}", shown(&files));
    }
}

fn shown(files: &[Text]) -> String {
    files.iter().map(|file| format!("# {}\n{}", file.path, file.text)).collect()
}

/// The laws on the program itself: what a pipe of three stages applies is the whole, and what comes out can go in.
#[test]
fn the_program_keeps_the_laws() {
    let folder = "examples/01-quickstart/input";
    let whole = program(&["render", folder], "");
    assert!(whole.lines().count() > 20, "{whole}");
    let stages = ["config", "crd", "workload"].map(|stage| program(&["render", "--stage", stage, folder], ""));
    assert_eq!(stages.join("---\n"), whole);
    assert_eq!(program(&["render", "-"], &whole), whole);
    let files = ["vouchers.yaml", "base.yaml", "app.yaml"].map(|name| format!("{folder}/{name}"));
    let named: Vec<&str> = std::iter::once("render").chain(files.iter().map(String::as_str)).collect();
    assert_eq!(program(&named, ""), whole);
}

/// What `tidegate ARGS` prints, with none of the environment that it reads.
fn program(args: &[&str], stdin: &str) -> String {
    use std::io::Write as _;
    let kept: BTreeMap<_, _> =
        std::env::vars_os().filter(|(n, _)| !n.to_string_lossy().starts_with("TIDEGATE_")).collect();
    let mut child = Command::new(tidegate())
        .args(args)
        .current_dir(root())
        .env_clear()
        .envs(kept)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("tidegate starts");
    child.stdin.take().expect("stdin is a pipe").write_all(stdin.as_bytes()).expect("tidegate reads");
    let output = child.wait_with_output().expect("tidegate ends");
    assert!(output.status.success(), "{args:?}: {}", output.status);
    String::from_utf8(output.stdout).expect("output is UTF-8")
}
