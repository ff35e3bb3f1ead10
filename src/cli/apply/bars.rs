//! Progress on a terminal: lines that stay, and a bar for what is waited for.

use std::io::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tidegate::apply::{Event, Progress, line};
use tidegate::report::escape::escape;

use super::super::exit;

/// How often the bar moves by itself.
const TICK: Duration = Duration::from_millis(120);

/// The bar, the objects, how long it takes, and the first that is not ready.
const FORM: &str = "  {spinner} [{bar:20}] {pos} of {len} ready, {elapsed}: {wide_msg}";

#[derive(Default)]
pub(super) struct Bars {
    bar: Option<ProgressBar>,
}

impl Bars {
    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => {
                let written = writeln!(exit::err(), "{text}");
                drop(written); // a run goes on though nobody reads its lines
            }
        }
    }

    fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn bar(&mut self, of: usize) -> &ProgressBar {
        self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(of as u64);
            if let Ok(style) = ProgressStyle::with_template(FORM) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.enable_steady_tick(TICK);
            bar
        })
    }
}

impl Progress for Bars {
    fn tell(&mut self, event: &Event<'_>) {
        match event {
            Event::Waits { ready, of, pending, .. } => {
                let more = pending.len().saturating_sub(1);
                let more = if more == 0 { String::new() } else { format!(" (and {more} more)") };
                let first = pending.first().map(|(object, why)| format!("{object}: {why}{more}"));
                let bar = self.bar(*of);
                bar.set_position(*ready as u64);
                bar.set_message(escape(&first.unwrap_or_default()).into_owned());
            }
            Event::WaitEnded => self.end(),
            _ => {
                if let Some(text) = line(event) {
                    self.line(&text);
                }
            }
        }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.end();
    }
}
