//! `challenge`: the review, printed, written into the vault, or applied as it was ticked.

use memora_engine::{Door, LocalDoor, Memora};

use super::decide::now;
use super::{catch_up_on_notes, say_withheld};
use crate::args::Challenge;
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

/// How much of a review is kept to be compared with.
pub(super) const KEPT_MAX: usize = 200;

pub(super) fn challenge<D: Door>(memora: &mut Memora, args: &Challenge, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    if args.apply {
        return apply(memora, door, ui);
    }
    let freshness = catch_up_on_notes(memora, ui)?;
    let limit = args.limit.clamp(1, 1000);
    let mut report = memora.session(door.clone())?.challenge(limit, freshness)?;
    if args.write {
        // The vault is the user's own, whoever reads what is printed.
        let own = memora.session(LocalDoor)?.challenge(limit, freshness)?;
        let at = now(memora);
        let path = memora.write_review(&own, &at)?;
        let path = path.as_str().to_owned();
        if memora.keep_review(&own, &at).is_err() {
            ui.say("note: the index is being written, so the next review cannot say what is new");
        }
        report.written = Some(path);
    }
    ui.report(&report, print::challenge)?;
    if report.items.iter().any(|item| !item.choices.is_empty()) && !args.write {
        ui.hint("memora challenge --write puts it into a note with boxes to tick");
    }
    say_withheld(&door, ui);
    Ok(if report.items.is_empty() { Outcome::Good } else { Outcome::Doubtful })
}

fn apply<D: Door>(memora: &mut Memora, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    catch_up_on_notes(memora, ui)?;
    let ticked = memora.session(LocalDoor)?.apply_reviews(&now(memora))?;
    let refused = ticked.has_refused();
    let report = memora.session(door.clone())?.applied(ticked)?;
    ui.report(&report, print::applied)?;
    if refused {
        ui.hint("tick one box of a question; memora keep, retract and restore decide by hand");
    }
    say_withheld(&door, ui);
    Ok(if refused { Outcome::Doubtful } else { Outcome::Good })
}
