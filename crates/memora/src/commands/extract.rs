//! `memora extract`: a language model reads the passages that it was not asked about yet.
//!
//! The door follows from who reads the report *and* who reads the passages: where others may read how much was read, guarded
//! passages are not.

use memora_engine::report::ExtractReport;
use memora_engine::{
    ConnectedModel, Door, ExtractionEnd, ExtractionOptions, LanguageModel, LocalDoor, Memora, ModelConfig, NoteFilter,
    NotePath, SyncBound, pluralize,
};

use super::model::{self, Wanted};
use super::{heard, needs_notes, say_unwiped, say_withheld, sync};
use crate::args::Extract;
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

pub(super) fn extract(memora: &mut Memora, args: &Extract, ui: &Ui) -> Result<Outcome, Failure> {
    let notes = args.note.iter().map(|path| {
        let hint = "write the note's path from the vault's root: --note \"folder/note.md\"";
        NotePath::new(path).map_err(|error| Failure::new(error).hinted(hint))
    });
    let notes = notes.collect::<Result<Vec<_>, _>>()?;
    let wanted = Wanted { name: args.model.as_deref(), must: true };
    let Some(config) = model::configured(memora, &wanted, ui)? else { return Ok(Outcome::Doubtful) };
    let model = model::connect(memora, &config)?;
    let synced = sync(memora, SyncBound::None, ui)?;
    needs_notes(memora, synced.seen, ui)?;
    if synced.locked {
        return Err(Failure::say("another memora process is indexing this vault").hinted("try again when it is done"));
    }
    known(memora, &notes, ui)?;
    let mut reading = Reading { memora, args, notes, config: &config, ui };
    match &model {
        ConnectedModel::Local(near) if ui.is_local() => reading.run(near, &LocalDoor, false),
        ConnectedModel::Local(near) => {
            let door = reading.memora.cloud_door();
            reading.run(near, &door, false)
        }
        ConnectedModel::Remote(far) => {
            model::say_far(&config, far.remote_reason(), ui);
            let door = reading.memora.cloud_door();
            reading.run(far, &door, true)
        }
    }
}

/// Refuses a note that whoever reads the report may not see, or that is not there: the two look the same.
fn known(memora: &Memora, notes: &[NotePath], ui: &Ui) -> Result<(), Failure> {
    for note in notes {
        let filter = NoteFilter { notes: vec![note.clone()], ..NoteFilter::default() };
        let is_there = match ui.is_local() {
            true => memora.session(LocalDoor)?.catalog().has_matching_note(&filter)?,
            false => memora.session(memora.cloud_door())?.catalog().has_matching_note(&filter)?,
        };
        if !is_there {
            return Err(Failure::say(format!("there is no note {note} to read"))
                .hinted("write its path from the vault's root, as memora claims shows it"));
        }
    }
    Ok(())
}

/// A vault that a model reads.
struct Reading<'a> {
    memora: &'a mut Memora,
    args: &'a Extract,
    notes: Vec<NotePath>,
    config: &'a ModelConfig,
    ui: &'a Ui,
}

impl Reading<'_> {
    fn run<D: Door>(&mut self, model: &dyn LanguageModel<D>, door: &D, leaves: bool) -> Result<Outcome, Failure> {
        let stop = heard();
        let extracting = ExtractionOptions {
            model,
            provider: self.config.provider.name(),
            leaves,
            counts_guarded: self.ui.is_local(),
            budget: self.args.budget,
            notes: &self.notes,
            dry_run: self.args.dry_run,
            stop: &stop,
        };
        let extracted = self.memora.extract(door, &extracting, &mut self.ui.calls_bar())?;
        let left = extracted.due.saturating_sub(extracted.done);
        match &extracted.ended {
            // What was read is kept, and goes into the index with the next full sync: nobody who stops wants to wait for it.
            ExtractionEnd::Stopped => {
                return Err(Failure::say(format!(
                    "stopped; read and kept: {}, left: {left}",
                    pluralize(extracted.done, "passage")
                ))
                .hinted("run it again to go on"));
            }
            _ if self.args.dry_run => {}
            _ => {
                say_unwiped(&sync(self.memora, SyncBound::None, self.ui)?, self.ui);
            }
        }
        let report = ExtractReport::from_extracted(&extracted, model.name(), self.args.dry_run);
        if let ExtractionEnd::Failed(error) = extracted.ended {
            let done = pluralize(extracted.done, "passage");
            return Err(
                Failure::from(error).hinted(format!("read and kept: {done}, left: {left}; run it again to go on"))
            );
        }
        self.ui.report(&report, print::extract)?;
        if self.ui.is_local() && leaves {
            self.ui.say(&format!("note: {} runs elsewhere, so guarded passages were kept from it", model.name()));
        } else {
            say_withheld(door, self.ui);
        }
        Ok(Outcome::Good)
    }
}
