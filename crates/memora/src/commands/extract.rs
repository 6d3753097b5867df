//! `memora extract`: has a language model read the passages that it has not read yet.
//!
//! The door depends on both the reader of the report and the model: where others may read the counts, guarded passages
//! are not extracted.

use memora_engine::report::Strictness;
use memora_engine::{
    ConnectedModel, Door, ExtractionEnd, ExtractionOptions, LanguageModel, LocalDoor, Memora, ModelCall, ModelConfig,
    NoteFilter, NotePath, SyncBound, pluralize,
};

use super::filters;
use super::model::{self, ModelRequirement};
use super::stop::stop_flag;
use super::vault::{sync_index, warn_unwiped, warn_withheld};
use crate::args::Extract;
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

pub(super) fn run(memora: &mut Memora, args: &Extract, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let wanted = ModelRequirement { name: args.model.as_deref(), must: true };
    let Some(config) = model::resolve_config(memora, &wanted, ui)? else { return Ok(CommandOutcome::Doubtful) };
    let model = model::connect_model(memora, &config)?;
    let notes = match ui.is_local() {
        true => resolve_visible_notes(memora, &args.note, &LocalDoor, ui)?,
        false => resolve_visible_notes(memora, &args.note, &memora.cloud_door(), ui)?,
    };
    let mut reading = PassageExtraction { memora, args, notes, config: &config, ui };
    match &model {
        ConnectedModel::Local(near) if ui.is_local() => reading.run(near, &LocalDoor, false),
        ConnectedModel::Local(near) => {
            let door = reading.memora.cloud_door();
            reading.run(near, &door, false)
        }
        ConnectedModel::Remote(far) => {
            model::warn_remote(&config, far.remote_reason(), ui);
            let door = reading.memora.cloud_door();
            reading.run(far, &door, true)
        }
    }
}

/// Returns the paths of the named notes. One that is missing, or that the reader of the report may not see, is refused with
/// the same error.
fn resolve_visible_notes<D: Door>(
    memora: &Memora,
    named: &[NotePath],
    door: &D,
    ui: &Ui,
) -> Result<Vec<NotePath>, CommandError> {
    let resolve = |note: &NotePath| {
        let note = filters::resolve_note(note, memora, door, ui)?;
        let filter = NoteFilter { notes: vec![note.clone()], ..NoteFilter::default() };
        if memora.session(door.clone())?.catalog().has_matching_note(&filter)? {
            return Ok(note);
        }
        Err(CommandError::usage(format!("there is no note {note} to read"))
            .with_hint("write its name, or its path from the vault's root, as memora claims shows it"))
    };
    named.iter().map(resolve).collect()
}

/// An extraction run over a vault.
struct PassageExtraction<'a> {
    memora: &'a mut Memora,
    args: &'a Extract,
    notes: Vec<NotePath>,
    config: &'a ModelConfig,
    ui: &'a Ui,
}

impl PassageExtraction<'_> {
    fn run<D: Door>(
        &mut self,
        model: &dyn LanguageModel<D>,
        door: &D,
        leaves: bool,
    ) -> Result<CommandOutcome, CommandError> {
        let stop = stop_flag();
        let call = ModelCall { model, leaves, strictness: Strictness::Loose, stop: &stop };
        let extracting = ExtractionOptions {
            provider: self.config.provider.name(),
            counts_guarded: self.ui.is_local(),
            budget: self.args.budget,
            notes: &self.notes,
            dry_run: self.args.dry_run,
        };
        let extracted = self.memora.extract(door, &call, &extracting, &mut self.ui.extraction_bar())?;
        let left = extracted.due.saturating_sub(extracted.done);
        match &extracted.ended {
            // The results are stored, and the next full sync indexes them: stopping should not wait for that.
            ExtractionEnd::Stopped => {
                return Err(CommandError::stopped(format!(
                    "stopped; read and kept: {}, left: {left}",
                    pluralize(extracted.done, "passage")
                ))
                .with_hint("run it again to go on"));
            }
            _ if self.args.dry_run => {}
            _ => {
                warn_unwiped(&sync_index(self.memora, SyncBound::All, self.ui)?, self.ui);
            }
        }
        let report = extracted.to_report(model.name(), self.args.dry_run);
        if let ExtractionEnd::Failed(error) = extracted.ended {
            let done = pluralize(extracted.done, "passage");
            return Err(CommandError::from(error)
                .with_hint(format!("read and kept: {done}, left: {left}; run it again to go on")));
        }
        self.ui.print_report(&report, screen::format_extract)?;
        if self.ui.is_local() && leaves {
            self.ui
                .status_line(&format!("note: {} runs elsewhere, so guarded passages were kept from it", model.name()));
        } else {
            warn_withheld(self.memora, door, self.ui);
        }
        Ok(CommandOutcome::Good)
    }
}
