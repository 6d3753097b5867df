//! `memora memory consolidate`: what may become one memory or go to the archive, and what a language model finds beside that.
//!
//! A model is asked only where the user runs it, and `memory.extract` says so. Without a reply the pass goes on by rules.

use memora_engine::report::{
    ConsolidationModelReport, ConsolidationReport, ConsolidationStatus, Strictness, WatchedPass,
};
use memora_engine::{
    ConnectedModel, ConsolidationCalls, Door, LanguageModel, LocalDoor, Memora, MemorySession, MemoryWriter, ModelCall,
    SessionExtraction, pluralize,
};

use super::model::{self, ModelRequirement};
use super::stop::stop_flag;
use crate::args::ConsolidateMemory;
use crate::command_error::CommandError;
use crate::screen::memory as screen;
use crate::ui::Ui;

pub(super) fn run<D: Door>(
    memora: &Memora,
    args: &ConsolidateMemory,
    of: &MemorySession,
    writer: &MemoryWriter,
    door: &D,
    ui: &Ui,
) -> Result<bool, CommandError> {
    if !door.is_local() || writer.agent.is_some() {
        let session = memora.session(door.clone())?;
        let memories = session.memories(of, writer)?;
        let upkeep = memories.upkeep();
        let report = upkeep.report_plan(&upkeep.plan_consolidation(false)?);
        return print_report(&report, ui);
    }
    print_report(&Pass { memora, of, writer, ui, applies: args.apply, is_forced: args.force }.run()?, ui)
}

/// A pass of the user's, and what it may do.
struct Pass<'p> {
    memora: &'p Memora,
    of: &'p MemorySession,
    writer: &'p MemoryWriter,
    ui: &'p Ui,
    applies: bool,
    is_forced: bool,
}

impl Pass<'_> {
    fn run(&self) -> Result<ConsolidationReport<LocalDoor>, CommandError> {
        let Self { memora, of, writer, ui, .. } = *self;
        let extraction = memora.config().memory.extraction_in(memora.vault());
        let asked = match extraction {
            SessionExtraction::Off => None,
            SessionExtraction::Propose | SessionExtraction::Save => Some(self.ask_model()?),
        };
        ui.begin_activity("comparing memories");
        let session = memora.session(LocalDoor)?;
        let memories = session.memories(of, writer)?;
        let upkeep = memories.upkeep();
        let mut plan = upkeep.plan_consolidation(self.is_forced)?;
        if let Some(asked) = asked {
            plan.note_model(asked);
            memora.session(memora.cloud_door())?.memories(of, writer)?.upkeep().plan_replies(&mut plan)?;
            upkeep.plan_replies(&mut plan)?;
        }
        Ok(match extraction {
            _ if self.applies => upkeep.apply_consolidation(plan, self.is_forced)?,
            SessionExtraction::Save => upkeep.save_facts(plan)?,
            SessionExtraction::Off | SessionExtraction::Propose => upkeep.report_plan(&plan),
        })
    }

    /// Asks the configured model, if there is one that may be asked and can be reached.
    fn ask_model(&self) -> Result<ConsolidationCalls, CommandError> {
        let (memora, ui) = (self.memora, self.ui);
        let wanted = ModelRequirement { name: None, must: true };
        let config = match model::resolve_config(memora, &wanted, ui) {
            Ok(Some(config)) => config,
            Ok(None) => return Ok(ConsolidationCalls::default()),
            Err(error) => return Ok(ConsolidationCalls::new(None, Some(error.to_string()))),
        };
        let model = match model::connect_model(memora, &config) {
            Ok(model) => model,
            Err(error) => return Ok(ConsolidationCalls::new(Some(&config.name), Some(error.to_string()))),
        };
        ui.begin_activity(format!("asking {}", model.name()));
        let mut asked = ConsolidationCalls::new(Some(model.name()), None);
        let cloud = memora.cloud_door();
        match &model {
            ConnectedModel::Local(near) => {
                self.ask(near, &cloud, false, &mut asked)?;
                self.ask(near, &LocalDoor, false, &mut asked)?;
            }
            ConnectedModel::Remote(far) => {
                model::warn_remote(&config, far.remote_reason(), ui);
                self.ask(far, &cloud, true, &mut asked)?;
            }
        }
        Ok(asked)
    }

    fn ask<D: Door>(
        &self,
        model: &dyn LanguageModel<D>,
        door: &D,
        leaves: bool,
        asked: &mut ConsolidationCalls,
    ) -> Result<(), CommandError> {
        let stop = stop_flag();
        let asking = ModelCall { model, leaves, strictness: Strictness::Proven, stop: &stop };
        let done = self.memora.ask_about_memories(self.of, self.writer, door, &asking, asked);
        done.map_err(|error| CommandError::from(error).with_hint("memory.extract = \"off\" asks no model"))
    }
}

/// Makes a pass over the memories of each project, for `watch`: it asks the model, if `memory.extract` says so, and saves what that
/// says. The rest is proposed. Returns how many steps were done and how many are proposed.
pub(super) fn run_over_projects(memora: &Memora, ui: &Ui) -> Result<WatchedPass, CommandError> {
    let projects = memora.memory_projects();
    let projects = if projects.is_empty() { vec![None] } else { projects.into_iter().map(Some).collect() };
    let mut counts = WatchedPass { saved: 0, proposed: 0 };
    for project in projects {
        let writer = MemoryWriter { project, ..MemoryWriter::user(memora) };
        let of = MemorySession::named(&format!("watch {}", writer.at.date()));
        let report = Pass { memora, of: &of, writer: &writer, ui, applies: false, is_forced: false }.run()?;
        note_model(&report, ui);
        let saved = report.steps.iter().filter(|step| step.done).count();
        counts.saved += saved;
        counts.proposed += report.steps.len() - saved;
    }
    Ok(counts)
}

fn note_model<D: Door>(report: &ConsolidationReport<D>, ui: &Ui) {
    if let Some(ConsolidationModelReport { failure: Some(failure), .. }) = &report.model {
        ui.status_line(&format!("note: the pass went on without a language model: {failure}"));
    }
    if let Some(due) = report.model.as_ref().map(|model| model.due).filter(|due| *due > 0) {
        ui.status_line(&format!("note: {} left to read; run it again to go on", pluralize(due, "session")));
    }
}

/// Prints a report; whether nothing is left to do.
fn print_report<D: Door>(report: &ConsolidationReport<D>, ui: &Ui) -> Result<bool, CommandError> {
    ui.print_report(report, screen::format_consolidation)?;
    note_model(report, ui);
    let is_open = report.steps.iter().any(|step| !step.done);
    match report.status {
        ConsolidationStatus::Refused => ui.hint("if it is meant so: memora memory consolidate --apply --force"),
        ConsolidationStatus::Proposed if is_open => ui.hint("memora memory consolidate --apply does it"),
        _ => {}
    }
    if report.pass.is_some() {
        ui.hint("memora memory undo takes it back");
    }
    Ok(match report.status {
        ConsolidationStatus::Refused | ConsolidationStatus::Proposed => false,
        ConsolidationStatus::Applied | ConsolidationStatus::NothingToDo => true,
    })
}
