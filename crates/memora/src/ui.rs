//! User output: data on stdout, everything else on stderr, and the door of each.
//!
//! Only this file writes to them. Both are doors: data for stdout is authorized for its door before it gets here, and
//! messages on stderr name notes only if the user alone reads them.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use indicatif::ProgressBar;
use memora_engine::{ExtractionProgress, SyncProgress, SyncStage};
use serde::Serialize;
use terminal_size::Width;

use crate::args::{DoorChoice, GlobalArgs, ModelLocality};
use crate::command_error::{CommandError, CommandErrorKind};
use crate::opener::{self, Place};
use crate::progress::{Activity, progress_bar};
use crate::screen::layout;
use crate::screen::place_links::PlaceLinks;

/// The two outputs and their readers.
#[derive(Clone)]
pub(crate) struct Ui {
    json: bool,
    local: bool,
    stderr_is_local: bool,
    stderr_is_terminal: bool,
    /// The folder of the vault, once it is known: what is linked lies there.
    vault: OnceCell<PathBuf>,
    /// What is shown of work that goes on; gone before anything else is printed.
    activity: Rc<RefCell<Option<Activity>>>,
}

impl Ui {
    pub(crate) fn new(global: &GlobalArgs) -> Self {
        let (out, stderr_is_terminal) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        let local = match global.door {
            Some(word) => word == DoorChoice::Local,
            None => out,
        };
        let stderr_is_local = local && (stderr_is_terminal || global.door == Some(DoorChoice::Local));
        Self {
            json: global.json,
            local,
            stderr_is_local,
            stderr_is_terminal,
            vault: OnceCell::new(),
            activity: Rc::default(),
        }
    }

    /// Returns the outputs for an agent that reads both, whose model is local or remote.
    pub(crate) fn for_client(self, client: ModelLocality) -> Self {
        let local = client == ModelLocality::Local;
        Self { local, stderr_is_local: local, ..self }
    }

    /// Takes the folder of the vault, for links to its notes.
    pub(crate) fn set_vault(&self, root: &Path) {
        // The first one stays: a command opens one vault.
        drop(self.vault.set(root.to_owned()));
    }

    /// Whether only the user reads stdout.
    pub(crate) fn is_local(&self) -> bool {
        self.local
    }

    /// Whether stderr may name notes.
    pub(crate) fn may_name_notes(&self) -> bool {
        self.stderr_is_local
    }

    pub(crate) fn wants_json(&self) -> bool {
        self.json
    }

    /// Prints a report, as JSON if requested and as text otherwise.
    pub(crate) fn print_report<R: Serialize>(&self, report: &R, as_text: impl FnOnce(&R) -> String) -> io::Result<()> {
        if self.json {
            self.print_json(&serde_json::to_string_pretty(report)?)
        } else {
            self.print_screen(report, &as_text(report))
        }
    }

    /// Prints one of many reports, as a line of JSON or of text.
    pub(crate) fn print_record<R: Serialize>(&self, report: &R, as_text: impl FnOnce(&R) -> String) -> io::Result<()> {
        if self.json {
            self.print_json(&serde_json::to_string(report)?)
        } else {
            self.print_screen(report, &as_text(report))
        }
    }

    /// Prints the text of a report for people: fitted to the width of a terminal, and in colour where that is wanted.
    pub(crate) fn print_screen<R: Serialize>(&self, report: &R, text: &str) -> io::Result<()> {
        self.end_activity();
        let text = replace_controls(text);
        let width = terminal_width(io::stdout());
        let places = match width {
            Some(_) => PlaceLinks::from_report(&serde_json::to_value(report)?, self.linked_vault()),
            None => PlaceLinks::default(),
        };
        writeln!(anstream::stdout().lock(), "{}", layout::fit(&text, width, &places))
    }

    /// Opens a place, if any was found, for the user, who alone may be shown a note.
    pub(crate) fn open_place(&self, place: Option<Place>) -> Result<(), CommandError> {
        let Some(vault) = self.vault.get().filter(|_| self.local) else {
            let error = CommandError::usage("--open shows a note to the user, and this output is for another program");
            return Err(error.with_hint("--door local, if only you read it"));
        };
        match place {
            Some(place) => opener::open_place(place, vault),
            None => {
                self.hint("nothing was found that could be opened");
                Ok(())
            }
        }
    }

    /// The vault's folder, if notes in it are to be linked. An address names the folder, so it is for the user alone.
    fn linked_vault(&self) -> Option<&Path> {
        let is_linking = self.local && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout);
        self.vault.get().filter(|_| is_linking).map(PathBuf::as_path)
    }

    /// Shows the user a page of ours, handed over in a file.
    pub(crate) fn open_page(&self, file: &Path) -> Result<(), CommandError> {
        crate::opener::open_page(file)
    }

    /// Prints JSON; what a terminal would obey or turn round is escaped, so that no reader of the data loses it.
    pub(crate) fn print_json(&self, json: &str) -> io::Result<()> {
        self.end_activity();
        writeln!(io::stdout().lock(), "{}", escape_controls(json))
    }

    /// Prints a line of data.
    pub(crate) fn print_line(&self, line: &str) -> io::Result<()> {
        self.end_activity();
        writeln!(io::stdout().lock(), "{}", replace_controls(line))
    }

    /// Prints a text byte for byte; on a terminal, with control characters replaced.
    pub(crate) fn print_text(&self, text: &str) -> io::Result<()> {
        self.end_activity();
        let mut out = io::stdout().lock();
        let shown = if out.is_terminal() { replace_controls(text) } else { Cow::Borrowed(text) };
        out.write_all(shown.as_bytes())?;
        out.flush()
    }

    /// Writes a status line to stderr.
    pub(crate) fn status_line(&self, line: &str) {
        self.end_activity();
        // A closed stderr is not an error.
        drop(write_status(line));
    }

    /// Shows what is being done, on a terminal only, until something is printed or [`Ui::end_activity`].
    pub(crate) fn begin_activity(&self, message: impl Into<String>) {
        self.end_activity();
        if self.stderr_is_terminal {
            self.activity.replace(Some(Activity::start(message.into())));
        }
    }

    /// Takes away what is shown of work that goes on.
    pub(crate) fn end_activity(&self) {
        drop(self.activity.take());
    }

    /// Prints a hint.
    pub(crate) fn hint(&self, text: &str) {
        self.end_activity();
        hint(text);
    }

    /// Reports the error that ended a command, with its hints.
    pub(crate) fn report_error(&self, error: &CommandError) {
        if error.kind() == CommandErrorKind::ClosedPipe {
            return;
        }
        self.status_line(&format!("error: {error}"));
        error.hints().iter().for_each(|text| hint(text));
    }

    /// Asks a yes-or-no question; every answer but yes counts as no. `None` if the session is not interactive.
    pub(crate) fn confirm(&self, question: &str) -> Option<bool> {
        if !self.can_ask() {
            return None;
        }
        let answer = self.read_answer(question).unwrap_or_default();
        Some(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    /// Whether questions can be asked: stdin and stderr are terminals.
    pub(crate) fn can_ask(&self) -> bool {
        self.stderr_is_terminal && io::stdin().is_terminal()
    }

    /// Returns a progress bar for downloads, drawn on a terminal only; takes a name, bytes done and total bytes.
    pub(crate) fn download_bar(&self) -> impl FnMut(&str, u64, u64) + use<> {
        self.end_activity();
        let shown = self.stderr_is_terminal;
        let mut drawn: Option<(String, ProgressBar)> = None;
        move |name: &str, done: u64, total: u64| {
            if !shown {
                return;
            }
            if drawn.as_ref().is_none_or(|(of, _)| of != name) {
                let bar = progress_bar("{msg} {wide_bar} {bytes}/{total_bytes} {eta}", total);
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

    /// Returns a progress bar for passages that a model reads, drawn on a terminal only.
    pub(crate) fn extraction_bar(&self) -> impl FnMut(ExtractionProgress) + use<'_> {
        let mut drawn: Option<ProgressBar> = None;
        move |reading: ExtractionProgress| {
            if !self.stderr_is_terminal {
                return;
            }
            self.end_activity();
            let total = u64::try_from(reading.total).unwrap_or(0);
            let bar = drawn
                .get_or_insert_with(|| progress_bar("asking {wide_bar} {pos}/{len} calls, {msg} tokens {eta}", total));
            bar.set_message(reading.tokens.to_string());
            bar.set_position(u64::try_from(reading.done).unwrap_or(0));
            if reading.done >= reading.total {
                bar.finish_and_clear();
            }
        }
    }

    /// Returns a progress bar for statements that are read ahead, drawn on a terminal only; takes those done and those due.
    pub(crate) fn reading_bar(&self, what: &str) -> impl FnMut(usize, usize) + use<'_> {
        let template = format!("reading {what} ahead {{wide_bar}} {{pos}}/{{len}} {{eta}}");
        let mut drawn: Option<ProgressBar> = None;
        move |done: usize, due: usize| {
            if !self.stderr_is_terminal {
                return;
            }
            self.end_activity();
            let due = u64::try_from(due).unwrap_or(0);
            let bar = drawn.get_or_insert_with(|| progress_bar(&template, due));
            bar.set_position(u64::try_from(done).unwrap_or(0));
            if bar.position() >= due {
                bar.finish_and_clear();
            }
        }
    }

    /// Returns a progress bar for indexing, drawn on a terminal only.
    pub(crate) fn sync_bar(&self) -> impl FnMut(SyncProgress) + use<'_> {
        let mut drawn: Option<(SyncStage, ProgressBar)> = None;
        move |progress: SyncProgress| {
            if !self.stderr_is_terminal {
                return;
            }
            self.end_activity();
            if drawn.as_ref().is_none_or(|(stage, _)| *stage != progress.stage) {
                let template = match progress.stage {
                    SyncStage::Notes => "reading notes {wide_bar} {pos}/{len} {eta}",
                    SyncStage::Vectors => "making vectors {wide_bar} {pos}/{len} {eta}",
                };
                drawn = Some((progress.stage, progress_bar(template, u64::try_from(progress.total).unwrap_or(0))));
            }
            let Some((_, bar)) = &drawn else { return };
            bar.set_position(u64::try_from(progress.done).unwrap_or(0));
            if progress.done >= progress.total {
                bar.finish_and_clear();
                // What was read is written, which takes a while in a large vault.
                self.begin_activity("writing the index");
            }
        }
    }
}

/// A source of answers to questions: a terminal, or a script in tests.
pub(crate) trait Prompter {
    /// Asks a question and reads a line; `None` at the end of the input.
    fn read_answer(&self, question: &str) -> Option<String>;
    /// Shows a line.
    fn show_line(&self, line: &str);
}

impl Prompter for Ui {
    fn read_answer(&self, question: &str) -> Option<String> {
        self.end_activity();
        drop(write!(io::stderr().lock(), "{}", replace_controls(question)));
        let mut answer = String::new();
        let read = io::stdin().read_line(&mut answer).ok()?;
        (read > 0).then_some(answer)
    }

    fn show_line(&self, line: &str) {
        Self::status_line(self, line);
    }
}

/// Whether a terminal obeys a character, shows what follows in another direction, or shows nothing of it (tags).
fn is_obeyed(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

/// Replaces characters that a terminal would obey: notes and models may contain them.
fn replace_controls(text: &str) -> Cow<'_, str> {
    if text.contains(is_obeyed) {
        // Foreign line ends in notes count as line ends.
        Cow::Owned(text.replace("\r\n", "\n").replace(is_obeyed, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Escapes the same in JSON, where they stand in strings alone.
fn escape_controls(json: &str) -> Cow<'_, str> {
    if !json.contains(is_obeyed) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_obeyed(c) {
            let units = c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
            out.push_str(&units);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// The width of an output that is a terminal, in columns.
#[cfg(unix)]
fn terminal_width(output: impl std::os::fd::AsFd) -> Option<usize> {
    terminal_size::terminal_size_of(output).map(|(Width(width), _)| usize::from(width))
}

/// The width of an output that is a terminal, in columns.
#[cfg(windows)]
fn terminal_width(output: impl std::os::windows::io::AsHandle) -> Option<usize> {
    terminal_size::terminal_size_of(output).map(|(Width(width), _)| usize::from(width))
}

fn write_status(line: &str) -> io::Result<()> {
    let line = layout::fit(&replace_controls(line), terminal_width(io::stderr()), &PlaceLinks::default());
    writeln!(anstream::stderr().lock(), "{line}")
}

/// Prints a hint, before the outputs are known.
pub(crate) fn hint(text: &str) {
    if !text.is_empty() {
        drop(write_status(&format!("hint: {text}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_terminal_obeys_what_a_note_says() {
        let note = "a\u{1b}[2J\u{202e}b\u{e0041}\u{9b}c\u{2069} שלום \u{200f}\t1\n";
        let shown = replace_controls(note);
        assert_eq!(shown, "a\u{fffd}[2J\u{fffd}b\u{fffd}\u{fffd}c\u{fffd} שלום \u{200f}\t1\n");
        let json = serde_json::to_string_pretty(&[note]).expect("JSON");
        let escaped = escape_controls(&json);
        assert!(!escaped.contains(is_obeyed), "{escaped}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&escaped).expect("JSON"), [note]);
    }
}
