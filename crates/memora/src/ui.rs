//! Talking to the user: data on stdout, everything else on stderr, and who may read which.
//!
//! This is the only file that writes to the two. Both are doors: what goes to stdout is sorted for its door before it
//! comes here, and talk on stderr names notes only where the user alone reads it.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use memora_engine::Progress;
use serde::Serialize;

use crate::args::{DoorWord, Global};

/// The two outputs and what is known of who reads them.
pub(crate) struct Ui {
    json: bool,
    local: bool,
    local_talk: bool,
    terminal_talk: bool,
}

impl Ui {
    pub(crate) fn new(global: &Global) -> Self {
        let (out, talk) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        let local = match global.door {
            Some(word) => word == DoorWord::Local,
            None => out,
        };
        let local_talk = local && (talk || global.door == Some(DoorWord::Local));
        Self { json: global.json, local, local_talk, terminal_talk: talk }
    }

    /// Whether stdout is for the user's own eyes.
    pub(crate) fn is_local(&self) -> bool {
        self.local
    }

    /// Whether stderr may name notes.
    pub(crate) fn may_name_notes(&self) -> bool {
        self.local_talk
    }

    pub(crate) fn wants_json(&self) -> bool {
        self.json
    }

    /// Prints a report, as JSON where that was asked for and as text otherwise.
    pub(crate) fn report<R: Serialize>(&self, report: &R, as_text: impl FnOnce(&R) -> String) -> io::Result<()> {
        let text = if self.json { serde_json::to_string_pretty(report)? } else { as_text(report) };
        self.print(&text)
    }

    /// Prints a line of data.
    pub(crate) fn print(&self, line: &str) -> io::Result<()> {
        writeln!(io::stdout().lock(), "{line}")
    }

    /// Says something.
    pub(crate) fn say(&self, line: &str) {
        // Talk that nobody can hear is no reason to fail.
        drop(writeln!(io::stderr().lock(), "{line}"));
    }

    /// Says what to try.
    pub(crate) fn hint(&self, text: &str) {
        hint(text);
    }

    /// A bar for long work, drawn only where somebody watches.
    pub(crate) fn bar(&self) -> impl FnMut(Progress) + use<> {
        let shown = self.terminal_talk;
        let mut bar: Option<ProgressBar> = None;
        move |progress: Progress| {
            if !shown || progress.total < 64 {
                return;
            }
            let bar = bar.get_or_insert_with(|| {
                let bar = ProgressBar::new(u64::try_from(progress.total).unwrap_or(0));
                let style = ProgressStyle::with_template("reading notes {wide_bar} {pos}/{len} {eta}");
                bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
                bar
            });
            bar.set_position(u64::try_from(progress.done).unwrap_or(0));
            if progress.done >= progress.total {
                bar.finish_and_clear();
            }
        }
    }
}

/// Says what to try, before it is known who reads what.
pub(crate) fn hint(text: &str) {
    if !text.is_empty() {
        drop(writeln!(io::stderr().lock(), "hint: {text}"));
    }
}
