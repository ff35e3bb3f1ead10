//! How much the templates of a run may take, counted while they are rendered.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use tera::{Error, TeraResult};

use crate::source::Limits;

/// Which bound was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    /// [`Limits::template_items`].
    Items,
    /// [`Limits::template_bytes`].
    Bytes,
}

/// What is left.
#[derive(Debug)]
pub(super) struct Budget {
    items: AtomicU64,
    bytes: AtomicU64,
    passed: AtomicU8,
    over: AtomicBool,
}

impl Budget {
    /// All that the limits allow.
    pub(super) fn new(limits: &Limits) -> Self {
        Budget {
            items: AtomicU64::new(limits.template_items),
            bytes: AtomicU64::new(limits.template_bytes),
            passed: AtomicU8::new(0),
            over: AtomicBool::new(false),
        }
    }

    /// Tells whoever still renders that nobody waits for it.
    pub(super) fn stop(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Takes numbers that a loop goes over.
    ///
    /// # Errors
    /// There are not so many left.
    pub(super) fn items(&self, count: u64) -> TeraResult<()> {
        self.take(&self.items, count, 1)
    }

    /// Takes bytes of text.
    ///
    /// # Errors
    /// There are not so many left.
    pub(super) fn bytes(&self, count: usize) -> TeraResult<()> {
        self.take(&self.bytes, count as u64, 2)
    }

    /// Takes the bytes of a text and gives it back.
    ///
    /// # Errors
    /// There are not so many left.
    pub(super) fn text(&self, text: String) -> TeraResult<String> {
        self.bytes(text.len()).map(|()| text)
    }

    fn take(&self, left: &AtomicU64, count: u64, which: u8) -> TeraResult<()> {
        if self.over.load(Ordering::Relaxed) {
            return Err(Error::message("out of time"));
        }
        let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(count));
        match taken {
            Ok(_) => Ok(()),
            Err(_) => {
                self.passed.store(which, Ordering::Relaxed);
                Err(Error::message("a limit is passed"))
            }
        }
    }

    /// The bound that was passed, if one was.
    pub(super) fn passed(&self) -> Option<Passed> {
        match self.passed.load(Ordering::Relaxed) {
            1 => Some(Passed::Items),
            2 => Some(Passed::Bytes),
            _ => None,
        }
    }
}

/// Takes output in as long as the budget lasts.
pub(super) struct Counting<'b> {
    budget: &'b Budget,
    text: Vec<u8>,
}

impl<'b> Counting<'b> {
    /// Nothing yet.
    pub(super) fn new(budget: &'b Budget) -> Self {
        Counting { budget, text: Vec::new() }
    }

    /// What was written.
    pub(super) fn into_text(self) -> String {
        String::from_utf8(self.text).unwrap_or_default()
    }
}

impl Write for Counting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.budget.bytes(bytes.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
