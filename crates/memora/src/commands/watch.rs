//! `memora watch`: keeps the index fresh until it is told to end.
//!
//! What it prints are counts, a line for each round in which something changed.

use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use memora_engine::report::WatchLine;
use memora_engine::{CatchUpError, EngineOpenError, LocalDoor, Memora, SyncOutcome, VaultWatch};

use super::{heard, say_unwiped, wake_when_heard};
use crate::args::Watch;
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

pub(super) fn watch(memora: &mut Memora, args: &Watch, ui: &Ui) -> Result<Outcome, Failure> {
    let stop = heard();
    let mut watching = memora.watch(args.poll);
    wake_when_heard(watching.waker());
    let mut talk = Talk::default();
    let mut last = SyncOutcome::default();
    let mut begun = false;
    let mut reviews = Reviews::every(args.challenge_every.as_deref(), memora)?;
    while !stop.load(Ordering::Relaxed) {
        let bound = watching.next_round();
        match memora.catch_up(&mut watching, bound, &stop, &mut ui.bar()) {
            Ok(synced) if synced.locked => talk.once(ui, "another memora process is indexing; waiting for it", ""),
            Ok(synced) => {
                let line = WatchLine::from_synced(&synced, !begun, ui.is_local());
                if line.has_changes() {
                    ui.line(&line, print::watch)?;
                }
                if !begun && synced.seen == 0 {
                    talk.once(ui, "there are no notes yet", "if that is not so: memora --vault FOLDER watch");
                }
                begun = true;
                talk.is_well(&watching, ui);
                if synced.pending == 0 {
                    reviews.make_if_due(memora, &synced, ui)?;
                }
                last = synced;
            }
            Err(error) => talk.trouble(error, ui)?,
        }
        watching.wait(&stop, reviews.due);
    }
    say_unwiped(&last, ui);
    Ok(Outcome::Good)
}

/// Reviews made every so often.
struct Reviews {
    every: Option<Duration>,
    due: Option<SystemTime>,
}

/// How soon a review is tried again when another process was writing.
const AGAIN: Duration = Duration::from_secs(60);

impl Reviews {
    /// The first is due when the last one kept is as old, at once where there is none.
    fn every(typed: Option<&str>, memora: &Memora) -> Result<Self, Failure> {
        let Some(typed) = typed else { return Ok(Self { every: None, due: None }) };
        let wrong = || {
            Failure::say(format!("--challenge-every: {typed} is no time between reviews"))
                .hinted("write a time of a minute or more, such as 24h or 7d")
        };
        let span: jiff::Span = typed.parse().map_err(|_| wrong())?;
        let relative = jiff::SpanRelativeTo::days_are_24_hours();
        let every = span.to_duration(relative).ok().and_then(|every| Duration::try_from(every).ok());
        let every = every.filter(|every| *every >= Duration::from_secs(60)).ok_or_else(wrong)?;
        let last = memora.last_review_time()?.and_then(|at| at.parse::<jiff::Timestamp>().ok()).map(SystemTime::from);
        let due = last.and_then(|last| last.checked_add(every)).unwrap_or_else(SystemTime::now);
        // A clock that was set back must not put reviews off for years.
        let latest = SystemTime::now().checked_add(every);
        Ok(Self { every: Some(every), due: latest.map_or(Some(due), |latest| Some(due.min(latest))) })
    }

    fn make_if_due(&mut self, memora: &mut Memora, synced: &SyncOutcome, ui: &Ui) -> Result<(), Failure> {
        let Some(every) = self.every.filter(|_| self.due.is_some_and(|due| due <= SystemTime::now())) else {
            return Ok(());
        };
        let at = super::decide::now(memora);
        let report =
            memora.session(LocalDoor)?.review().report_items(super::challenge::KEPT_MAX, synced.freshness())?;
        let kept = memora.keep_review(&report, &at).is_ok();
        self.due = SystemTime::now().checked_add(if kept { every } else { AGAIN });
        if kept {
            ui.line(&WatchLine::from_review(synced, &report, ui.is_local()), print::watch)?;
        }
        Ok(())
    }
}

/// What was said last, so that what lasts is not said again every few seconds.
#[derive(Default)]
struct Talk {
    said: Option<String>,
}

impl Talk {
    fn once(&mut self, ui: &Ui, message: &str, hint: &str) {
        if self.said.as_deref() != Some(message) {
            ui.say(&format!("note: {message}"));
            ui.hint(hint);
            self.said = Some(message.to_owned());
        }
    }

    /// Says why changes may go unheard, if so.
    fn is_well(&mut self, watching: &VaultWatch, ui: &Ui) {
        match watching.limitation() {
            Some(blind) => self.once(ui, &blind.message(), blind.hint()),
            None => self.said = None,
        }
    }

    /// Says what the user can mend while this goes on; the rest ends it.
    fn trouble(&mut self, error: CatchUpError, ui: &Ui) -> Result<(), Failure> {
        match error {
            CatchUpError::Config(error) | CatchUpError::Open(EngineOpenError::Config(error)) => {
                self.once(ui, &format!("{error}; the index stays as it is until it can be"), error.hint());
            }
            CatchUpError::Vault(error) | CatchUpError::Open(EngineOpenError::Vault(error)) => {
                // The error names the folder, which is not for everybody to read.
                let named = if ui.may_name_notes() { error.to_string() } else { "the vault cannot be read".to_owned() };
                self.once(ui, &format!("{named}; it is looked for every few seconds"), error.hint());
            }
            CatchUpError::Open(error) => return Err(error.into()),
            CatchUpError::Sync(error) => return Err(error.into()),
        }
        Ok(())
    }
}
