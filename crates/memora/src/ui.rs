//! Talking to the user: data on stdout, everything else on stderr, and who may read which.
//!
//! This is the only file that writes to the two. Both are doors: what goes to stdout is sorted for its door before it
//! comes here, and talk on stderr names notes only where the user alone reads it.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use memora_engine::{ExtractionProgress, SyncProgress, SyncStage};
use serde::Serialize;

use crate::args::{DoorWord, Global, ModelWord};
use crate::commands::Answers;

/// The two outputs and what is known of who reads them.
#[derive(Clone, Copy)]
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

    /// The same where an agent reads both, whose model runs here or anywhere.
    pub(crate) fn for_client(self, client: ModelWord) -> Self {
        let local = client == ModelWord::Local;
        Self { local, local_talk: local, terminal_talk: false, ..self }
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

    /// Prints one of many reports, as a line of JSON or of text.
    pub(crate) fn line<R: Serialize>(&self, report: &R, as_text: impl FnOnce(&R) -> String) -> io::Result<()> {
        let text = if self.json { serde_json::to_string(report)? } else { as_text(report) };
        self.print(&text)
    }

    /// Prints a line of data.
    pub(crate) fn print(&self, line: &str) -> io::Result<()> {
        writeln!(io::stdout().lock(), "{}", harmless(line))
    }

    /// Prints a text as it is, byte for byte; on a terminal without what that would obey.
    pub(crate) fn print_text(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let shown = if out.is_terminal() { harmless(text) } else { Cow::Borrowed(text) };
        out.write_all(shown.as_bytes())?;
        out.flush()
    }

    /// Says something.
    pub(crate) fn say(&self, line: &str) {
        // Talk that nobody can hear is no reason to fail.
        drop(writeln!(io::stderr().lock(), "{}", harmless(line)));
    }

    /// Says what is being done, where somebody watches.
    pub(crate) fn progress(&self, line: &str) {
        if self.terminal_talk {
            self.say(line);
        }
    }

    /// Says what to try.
    pub(crate) fn hint(&self, text: &str) {
        hint(text);
    }

    /// Asks something that is yes or no, and takes anything but a yes for a no; `None` where nobody can be asked.
    pub(crate) fn ask(&self, question: &str) -> Option<bool> {
        if !self.can_ask() {
            return None;
        }
        let answer = self.answer(question).unwrap_or_default();
        Some(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    /// Whether somebody sits there who can be asked.
    pub(crate) fn can_ask(&self) -> bool {
        self.terminal_talk && io::stdin().is_terminal()
    }

    /// A bar for each file that is fetched, drawn only where somebody watches; told its name, and bytes done and in all.
    pub(crate) fn bytes_bar(&self) -> impl FnMut(&str, u64, u64) + use<> {
        let shown = self.terminal_talk;
        let mut drawn: Option<(String, ProgressBar)> = None;
        move |name: &str, done: u64, total: u64| {
            if !shown {
                return;
            }
            if drawn.as_ref().is_none_or(|(of, _)| of != name) {
                let bar = bar("{msg} {wide_bar} {bytes}/{total_bytes} {eta}", total);
                bar.set_message(name.to_owned());
                drawn = Some((name.to_owned(), bar));
            }
            let Some((_, bar)) = &drawn else { return };
            bar.set_position(done);
            if done >= total {
                bar.finish_and_clear();
            }
        }
    }

    /// A bar for passages that a model reads, drawn only where somebody watches.
    pub(crate) fn calls_bar(&self) -> impl FnMut(ExtractionProgress) + use<> {
        let shown = self.terminal_talk;
        let mut drawn: Option<ProgressBar> = None;
        move |reading: ExtractionProgress| {
            if !shown {
                return;
            }
            let total = u64::try_from(reading.total).unwrap_or(0);
            let bar =
                drawn.get_or_insert_with(|| bar("asking {wide_bar} {pos}/{len} calls, {msg} tokens {eta}", total));
            bar.set_message(reading.tokens.to_string());
            bar.set_position(u64::try_from(reading.done).unwrap_or(0));
            if reading.done >= reading.total {
                bar.finish_and_clear();
            }
        }
    }

    /// A bar for long work, drawn only where somebody watches.
    pub(crate) fn bar(&self) -> impl FnMut(SyncProgress) + use<> {
        let shown = self.terminal_talk;
        let mut drawn: Option<(SyncStage, ProgressBar)> = None;
        move |progress: SyncProgress| {
            if !shown || progress.total < 64 {
                return;
            }
            if drawn.as_ref().is_none_or(|(stage, _)| *stage != progress.stage) {
                let template = match progress.stage {
                    SyncStage::Notes => "reading notes {wide_bar} {pos}/{len} {eta}",
                    SyncStage::Vectors => "making vectors {wide_bar} {pos}/{len} {eta}",
                };
                drawn = Some((progress.stage, bar(template, u64::try_from(progress.total).unwrap_or(0))));
            }
            let Some((_, bar)) = &drawn else { return };
            bar.set_position(u64::try_from(progress.done).unwrap_or(0));
            if progress.done >= progress.total {
                bar.finish_and_clear();
            }
        }
    }
}

impl Answers for Ui {
    fn answer(&self, question: &str) -> Option<String> {
        drop(write!(io::stderr().lock(), "{}", harmless(question)));
        let mut answer = String::new();
        let read = io::stdin().read_line(&mut answer).ok()?;
        (read > 0).then_some(answer)
    }

    fn say(&self, line: &str) {
        Self::say(self, line);
    }
}

/// A bar with a template.
fn bar(template: &str, total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Without what a terminal would obey: a note or a model may hold it.
fn harmless(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if text.contains(obeyed) {
        // Line ends of notes from elsewhere are line ends.
        Cow::Owned(text.replace("\r\n", "\n").replace(obeyed, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Says what to try, before it is known who reads what.
pub(crate) fn hint(text: &str) {
    if !text.is_empty() {
        drop(writeln!(io::stderr().lock(), "hint: {text}"));
    }
}
