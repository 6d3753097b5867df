//! `memora watch`: keeps the index fresh until it is stopped.
//!
//! It prints only counts, one line for each round with changes.

use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use memora_engine::{CatchUpError, EngineOpenError, Hint, LocalDoor, Memora, SyncOutcome, VaultWatch};

use super::stop::{on_stop, stop_flag};
use super::vault::warn_unwiped;
use crate::args::Watch;
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

pub(super) fn run(memora: &mut Memora, args: &Watch, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let stop = stop_flag();
    let mut watching = memora.watch(args.poll);
    let waker = watching.waker();
    on_stop(move || waker.wake());
    let mut talk = RepeatSuppressor::default();
    let mut last = SyncOutcome::default();
    let mut begun = false;
    let mut reviews = ReviewSchedule::from_interval(args.review_every.as_deref(), memora)?;
    let mut passes = PassSchedule::from_interval(args.consolidate_every.as_deref())?;
    while !stop.load(Ordering::Relaxed) {
        let bound = watching.next_round();
        let caught_up = memora.catch_up(&mut watching, bound, &stop, &mut ui.sync_bar());
        ui.end_activity();
        match caught_up {
            Ok(synced) if synced.locked => talk.say_once(ui, "another memora process is indexing; waiting for it", ""),
            Ok(synced) => {
                let line = synced.watch_line(!begun, ui.is_local());
                if line.has_changes() {
                    ui.print_record(&line, screen::format_watch_line)?;
                }
                if !begun && synced.seen == 0 {
                    talk.say_once(ui, "there are no notes yet", "if that is not so: memora --vault FOLDER watch");
                }
                begun = true;
                talk.report_limitation(&watching, ui);
                if synced.pending == 0 {
                    reviews.review_if_due(memora, &synced, ui)?;
                    passes.consolidate_if_due(memora, &synced, ui)?;
                }
                last = synced;
            }
            Err(error) => talk.report_error(error, ui)?,
        }
        watching.wait(&stop, [reviews.due, passes.due].into_iter().flatten().min());
    }
    warn_unwiped(&last, ui);
    Ok(CommandOutcome::Good)
}

/// The schedule of periodic reviews.
struct ReviewSchedule {
    every: Option<Duration>,
    due: Option<SystemTime>,
}

/// The delay before a retry when another process was writing.
const RETRY_DELAY: Duration = Duration::from_secs(60);

impl ReviewSchedule {
    /// Parses the interval. The first review is due one interval after the last stored one, or at once without one.
    fn from_interval(typed: Option<&str>, memora: &Memora) -> Result<Self, CommandError> {
        let Some(typed) = typed else { return Ok(Self { every: None, due: None }) };
        let every = parse_interval("--review-every", typed)?;
        let last = memora
            .review_history()
            .last_time()?
            .and_then(|at| at.parse::<jiff::Timestamp>().ok())
            .map(SystemTime::from);
        let due = last.and_then(|last| last.checked_add(every)).unwrap_or_else(SystemTime::now);
        // A clock that was set back must not postpone reviews for years.
        let latest = SystemTime::now().checked_add(every);
        Ok(Self { every: Some(every), due: latest.map_or(Some(due), |latest| Some(due.min(latest))) })
    }

    fn review_if_due(&mut self, memora: &mut Memora, synced: &SyncOutcome, ui: &Ui) -> Result<(), CommandError> {
        let Some(every) = self.every.filter(|_| self.due.is_some_and(|due| due <= SystemTime::now())) else {
            return Ok(());
        };
        let at = super::decide::decision_time(memora);
        let session = memora.session(LocalDoor)?;
        let report = session.review().report_with_memories(super::review::KEPT_ITEMS_MAX, synced.freshness())?;
        drop(session);
        let kept = memora.review_history().keep(&report, &at, None).is_ok();
        self.due = SystemTime::now().checked_add(if kept { every } else { RETRY_DELAY });
        if kept {
            ui.print_record(&synced.review_line(&report, ui.is_local()), screen::format_watch_line)?;
        }
        Ok(())
    }
}

/// Parses the time between two reviews or passes.
fn parse_interval(flag: &str, typed: &str) -> Result<Duration, CommandError> {
    let wrong = || {
        CommandError::usage(format!("{flag}: {typed} is no time between reviews"))
            .with_hint("write a time of a minute or more, such as 24h or 7d")
    };
    let span: jiff::Span = typed.parse().map_err(|_| wrong())?;
    let relative = jiff::SpanRelativeTo::days_are_24_hours();
    let every = span.to_duration(relative).ok().and_then(|every| Duration::try_from(every).ok());
    every.filter(|every| *every >= Duration::from_secs(60)).ok_or_else(wrong)
}

/// The schedule of passes over memories. The first is due at once: it finds what came while nothing watched, and asks nothing twice.
struct PassSchedule {
    every: Option<Duration>,
    due: Option<SystemTime>,
}

impl PassSchedule {
    fn from_interval(typed: Option<&str>) -> Result<Self, CommandError> {
        let every = typed.map(|typed| parse_interval("--consolidate-every", typed)).transpose()?;
        Ok(Self { every, due: every.map(|_| SystemTime::now()) })
    }

    /// Makes a pass. One that fails is told, and made again when the next is due.
    fn consolidate_if_due(&mut self, memora: &Memora, synced: &SyncOutcome, ui: &Ui) -> Result<(), CommandError> {
        let Some(every) = self.every.filter(|_| self.due.is_some_and(|due| due <= SystemTime::now())) else {
            return Ok(());
        };
        self.due = SystemTime::now().checked_add(every);
        let pass = super::memory_consolidate::run_over_projects(memora, ui);
        ui.end_activity();
        match pass {
            Ok(pass) => {
                ui.print_record(&synced.pass_line(pass, ui.is_local()), screen::format_watch_line)?;
            }
            Err(error) => ui.status_line(&format!("note: memories were not consolidated: {error}")),
        }
        Ok(())
    }
}

/// Suppresses repeated messages: remembers the last one, so that a lasting state is reported once.
#[derive(Default)]
struct RepeatSuppressor {
    said: Option<String>,
}

impl RepeatSuppressor {
    fn say_once(&mut self, ui: &Ui, message: &str, hint: &str) {
        if self.said.as_deref() != Some(message) {
            ui.status_line(&format!("note: {message}"));
            ui.hint(hint);
            self.said = Some(message.to_owned());
        }
    }

    /// Reports the watcher's limitation, if it has one.
    fn report_limitation(&mut self, watching: &VaultWatch, ui: &Ui) {
        match watching.limitation() {
            Some(blind) => self.say_once(ui, &blind.message(), blind.hint()),
            None => self.said = None,
        }
    }

    /// Reports errors that the user can fix while watching goes on; returns the others.
    fn report_error(&mut self, error: CatchUpError, ui: &Ui) -> Result<(), CommandError> {
        match error {
            CatchUpError::Config(error) | CatchUpError::Open(EngineOpenError::Config(error)) => {
                self.say_once(ui, &format!("{error}; the index stays as it is until it can be"), error.hint());
            }
            CatchUpError::Vault(error) | CatchUpError::Open(EngineOpenError::Vault(error)) => {
                // The error names the folder, which not every reader may see.
                let named = if ui.may_name_notes() { error.to_string() } else { "the vault cannot be read".to_owned() };
                self.say_once(ui, &format!("{named}; it is looked for every few seconds"), error.hint());
            }
            CatchUpError::Open(error) => return Err(error.into()),
            CatchUpError::Sync(error) => return Err(error.into()),
        }
        Ok(())
    }
}
