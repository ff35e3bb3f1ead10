//! Renders templates, in a thread of its own that a watchdog looks at.
//!
//! What a template does is bounded by counting ([`Budget`]): what it prints, what filters make, what
//! `range` hands out. Loops over lists and texts put together with `~` are counted by nobody: for those
//! there are a clock and a look at the memory of the process. A thread cannot be ended from outside, so
//! whoever is told [`Ran::Away`] has to end the process soon.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use serde_json::Value as Json;
use tera::{Context, Error, ErrorKind, Map, Tera, TeraResult, Value};

use super::budget::{Budget, Counting, Passed};
use super::failure::{Failure, failures};
use super::filters;
use super::trace::{self, Mark, Met};
use crate::source::{Limits, resident_bytes};

/// How often the watchdog looks.
const TICK: Duration = Duration::from_millis(5);
/// How much more memory than before the templates may hold, beside what they may print.
const MEMORY: u64 = 256 << 20;
/// Bytes of stack: a value may hold as many others inside one another as memory allows, and is taken
/// apart by recursion. It is address space; what is not used takes no memory.
const STACK: usize = 1 << 30;

/// A template as the engine knows it.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// Its name, by which others include it.
    pub(super) name: String,
    /// Its source.
    pub(super) source: String,
    /// Whether it is rendered, or only there to be included.
    pub(super) renders: bool,
}

/// What became of one template.
#[derive(Debug)]
pub(super) struct Rendered {
    /// Its number.
    pub(super) template: usize,
    /// What it prints.
    pub(super) text: String,
    /// Which tags printed what; none where that cannot be told.
    pub(super) met: Vec<Met>,
    /// The marks that `met` speaks of.
    pub(super) marks: Arc<Vec<Mark>>,
}

/// What the thread tells.
#[derive(Debug)]
enum Told {
    /// The templates go together; names that nobody gives a value, by template.
    Unset(Vec<(usize, Vec<String>)>),
    Rendered(Rendered),
    Failed(Vec<Failure>),
    Passed(usize, Passed),
}

/// How a run ended.
#[derive(Debug)]
pub(super) enum Ran {
    /// To its end.
    Through,
    /// It is still at this template (none before the first one is rendered): of its own accord it may
    /// never end.
    Away(Option<usize>, Why),
    /// The thread died or could not be made.
    Broken,
}

/// What a run has too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    Time,
    Memory,
}

/// All that came out of a run.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) rendered: Vec<Rendered>,
    pub(super) failures: Vec<Failure>,
    /// Templates that passed a bound.
    pub(super) passed: Vec<(usize, Passed)>,
    /// Names that no value has, by template.
    pub(super) unset: Vec<(usize, Vec<String>)>,
    pub(super) ended: Ran,
}

/// Renders templates with values.
pub(super) fn run(templates: Vec<Template>, values: Json, limits: &Limits) -> Run {
    let budget = Arc::new(Budget::new(limits));
    let (sender, receiver) = mpsc::channel();
    let (theirs, order) = (Arc::clone(&budget), order(&templates));
    let work = move || work(&templates, &values, &theirs, &sender);
    let mut run =
        Run { rendered: Vec::new(), failures: Vec::new(), passed: Vec::new(), unset: Vec::new(), ended: Ran::Through };
    let before = resident_bytes();
    let spawned = thread::Builder::new().name("templates".to_owned()).stack_size(STACK).spawn(work);
    let Ok(thread) = spawned else {
        run.ended = Ran::Broken;
        return run;
    };
    let most = before.map(|before| before.saturating_add(MEMORY).saturating_add(limits.template_bytes * 2));
    let (mut waited, mut done) = (Duration::ZERO, 0);
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(told) => done += take_in(&mut run, told),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                waited += TICK;
                let memory = most.zip(resident_bytes()).is_some_and(|(most, now)| now > most);
                if memory || waited > Duration::from_secs(limits.template_seconds) {
                    budget.stop();
                    let why = if memory { Why::Memory } else { Why::Time };
                    run.ended = Ran::Away(order.get(done).copied(), why);
                    return run;
                }
            }
        }
    }
    if thread.join().is_err() {
        run.ended = Ran::Broken;
    }
    run
}

/// The numbers of the templates that are rendered, in order.
fn order(templates: &[Template]) -> Vec<usize> {
    templates.iter().enumerate().filter(|(_, template)| template.renders).map(|(nth, _)| nth).collect()
}

/// Takes in what the thread tells; gives how many templates are done with it.
fn take_in(run: &mut Run, told: Told) -> usize {
    match told {
        Told::Unset(unset) => {
            run.unset = unset;
            return 0;
        }
        Told::Rendered(rendered) => run.rendered.push(rendered),
        Told::Failed(failures) => run.failures.extend(failures),
        Told::Passed(template, passed) => run.passed.push((template, passed)),
    }
    1
}

/// What the thread does. Nobody listens any more when `told` fails.
fn work(templates: &[Template], values: &Json, budget: &Arc<Budget>, told: &Sender<Told>) {
    let sources: Arc<[String]> = templates.iter().map(|template| template.source.clone()).collect();
    let tera = match engine(templates, &sources, budget, templates.iter().map(|t| t.source.clone())) {
        Ok(tera) => tera,
        Err(failures) => {
            let _ = told.send(Told::Failed(failures));
            return;
        }
    };
    let mut traces = Traces::new(templates, &sources);
    let _ = told.send(Told::Unset(unset(&tera, templates, values)));
    let (plain, safe) = (context(values, false), context(values, true));
    for nth in order(templates) {
        let name = &templates[nth].name;
        let message = match render(&tera, name, &plain, budget) {
            Ok(text) => {
                let (met, marks) = traces.of(nth, &text, &safe).unwrap_or_default();
                Told::Rendered(Rendered { template: nth, text, met, marks })
            }
            Err(error) => match (budget.passed(), error.kind()) {
                (Some(passed), _) => Told::Passed(nth, passed),
                (None, ErrorKind::Io(_)) => Told::Passed(nth, Passed::Bytes),
                (None, _) => Told::Failed(failures(&error, name, &sources)),
            },
        };
        let passed = matches!(message, Told::Passed(..));
        if told.send(message).is_err() || passed {
            return;
        }
    }
}

/// An engine that knows the templates by these sources.
fn engine(
    templates: &[Template],
    sources: &Arc<[String]>,
    budget: &Arc<Budget>,
    texts: impl Iterator<Item = String>,
) -> Result<Tera, Vec<Failure>> {
    let mut tera = Tera::default();
    tera.autoescape_on(Vec::<&str>::new());
    filters::register(&mut tera, budget, sources);
    let texts: Vec<String> = texts.collect();
    let wrong: Vec<Failure> = templates
        .iter()
        .zip(&texts)
        .filter_map(|(template, text)| syntax(&template.name, text))
        .flat_map(|error| failures(&error, "", sources))
        .collect();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let named = templates.iter().map(|template| template.name.as_str()).zip(&texts);
    tera.add_raw_templates(named).map_err(|error| failures(&error, "", sources))?;
    Ok(tera)
}

/// What is wrong with the syntax of one template, whatever it asks for.
fn syntax(name: &str, text: &str) -> Option<Error> {
    let error = Tera::default().add_raw_template(name, text).err()?;
    matches!(error.kind(), ErrorKind::SyntaxError(_)).then_some(error)
}

/// What a template prints.
fn render(tera: &Tera, name: &str, context: &Context, budget: &Budget) -> TeraResult<String> {
    let mut out = Counting::new(budget);
    tera.render_to(name, context, &mut out)?;
    Ok(out.into_text())
}

/// The names at the top of the values that templates ask for and that have no value.
fn unset(tera: &Tera, templates: &[Template], values: &Json) -> Vec<(usize, Vec<String>)> {
    let is_unset = |name: &&str| values.get(*name).is_none_or(Json::is_null) && !name.starts_with("__tera");
    let of = |nth: usize| {
        let names = tera.get_template_variables(&templates[nth].name).unwrap_or_default();
        let mut names: Vec<String> = names.into_iter().filter(is_unset).map(str::to_owned).collect();
        names.sort();
        (nth, names)
    };
    order(templates).into_iter().map(of).collect()
}

/// Values as the engine takes them. Null is no value: in a mapping its key is absent, in a list it is
/// undefined, and whoever prints it has an error.
fn context(values: &Json, safe: bool) -> Context {
    let mut context = Context::new();
    for (key, value) in values.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
        context.insert_value(key.clone(), of_json(value, safe));
    }
    context
}

/// `safe` marks texts, so that the trace can tell them from what was made of them.
fn of_json(value: &Json, safe: bool) -> Value {
    match value {
        Json::Null => Value::undefined(),
        Json::Bool(flag) => Value::from(*flag),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => Value::from(number),
            (None, Some(number)) => Value::from(number),
            (None, None) => Value::from(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) if safe => Value::safe_string(text),
        Json::String(text) => Value::normal_string(text),
        Json::Array(items) => Value::from(items.iter().map(|item| of_json(item, safe)).collect::<Vec<_>>()),
        Json::Object(entries) => {
            let set = entries.iter().filter(|(_, value)| !value.is_null());
            Value::from(set.map(|(key, value)| (key.clone().into(), of_json(value, safe))).collect::<Map>())
        }
    }
}

/// An engine whose templates have marks in them, and the marks.
type Traced = (Tera, Arc<Vec<Mark>>);

/// Engines whose templates have marks in them: all of them, and only the one that is rendered.
struct Traces<'t> {
    templates: &'t [Template],
    sources: &'t Arc<[String]>,
    all: Option<Traced>,
}

impl<'t> Traces<'t> {
    fn new(templates: &'t [Template], sources: &'t Arc<[String]>) -> Self {
        let mut traces = Traces { templates, sources, all: None };
        traces.all = traces.marked(|_| true);
        traces
    }

    /// An engine with marks in some templates. What it makes is counted for itself: it makes no more
    /// than the run that it repeats, and its marks.
    fn marked(&self, has_marks: impl Fn(usize) -> bool) -> Option<Traced> {
        let mut marks = Vec::new();
        let mut texts = Vec::new();
        for (nth, template) in self.templates.iter().enumerate() {
            texts.push(match has_marks(nth) {
                true => trace::marked(nth, &template.source, &mut marks)?,
                false => template.source.clone(),
            });
        }
        let budget =
            Arc::new(Budget::new(&Limits { template_bytes: u64::MAX, template_items: u64::MAX, ..Limits::default() }));
        let mut tera = engine(self.templates, self.sources, &budget, texts.into_iter()).ok()?;
        tera.autoescape_on([""]);
        tera.set_escape_fn(|text, out| {
            out.write_all(trace::OTHER.encode_utf8(&mut [0; 4]).as_bytes())?;
            out.write_all(text.as_bytes())
        });
        Some((tera, Arc::new(marks)))
    }

    /// The marks in the output of a template, if that is `text` but for them.
    fn of(&mut self, nth: usize, text: &str, context: &Context) -> Option<(Vec<Met>, Arc<Vec<Mark>>)> {
        let name = &self.templates[nth].name;
        let try_with = |(tera, marks): &Traced| {
            let (stripped, met) = trace::without_marks(&tera.render(name, context).ok()?)?;
            (stripped == text).then(|| (met, Arc::clone(marks)))
        };
        let all = self.all.as_ref().and_then(try_with);
        all.or_else(|| try_with(&self.marked(|other| other == nth)?))
    }
}
