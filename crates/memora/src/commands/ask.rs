//! `memora ask`: answers in the notes' own words, or in a model's words as far as the notes support them.
//!
//! The door depends on both the reader of the answer and its author: text hidden from a remote model is not searched.

use memora_engine::report::{AnswerStatus, AskReport, EvidenceStrength, Freshness, PromptReport};
use memora_engine::{Authors, ConnectedModel, Door, LanguageModel, LocalDoor, Memora, ModelCall, SearchOptions};

use super::filters;
use super::model::{self, ModelRequirement};
use super::stop::stop_flag;
use super::vault::warn_withheld;
use crate::args::{Ask, StrictMode};
use crate::command_error::{CommandError, CommandOutcome};
use crate::opener::Place;
use crate::screen;
use crate::ui::Ui;

/// The hint that works without a model.
const OFFLINE_HINT: &str = "--offline answers in the notes' own words";

pub(super) fn run(memora: &Memora, args: &Ask, freshness: Freshness, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let (filter, since, until) = match ui.is_local() {
        true => filters::read_filter_and_time(&args.filters, memora, &LocalDoor, ui)?,
        false => filters::read_filter_and_time(&args.filters, memora, &memora.cloud_door(), ui)?,
    };
    let options = SearchOptions {
        filter,
        authors: Authors::with_captured(args.captured),
        as_of: args.as_of,
        since,
        until,
        ..SearchOptions::for_answer(args.limit, 100)
    };
    let wanted = ModelRequirement { name: args.model.as_deref(), must: args.model.is_some() || args.show_prompt };
    let configured = if args.offline { None } else { model::resolve_config(memora, &wanted, ui)? };
    let Some(config) = configured else {
        return if ui.is_local() {
            answer_from_quotes(memora, args, &options, LocalDoor, freshness, ui)
        } else {
            let door = memora.cloud_door();
            answer_from_quotes(memora, args, &options, door, freshness, ui)
        };
    };
    let model = model::connect_model(memora, &config).map_err(|failure| failure.with_hint(OFFLINE_HINT))?;
    let drafting = AnswerDrafting { memora, args, options: &options, freshness, ui };
    match &model {
        ConnectedModel::Local(near) if ui.is_local() => drafting.run(near, &LocalDoor, false),
        ConnectedModel::Local(near) => drafting.run(near, &memora.cloud_door(), false),
        ConnectedModel::Remote(far) => {
            model::warn_remote(&config, far.remote_reason(), ui);
            drafting.run(far, &memora.cloud_door(), true)
        }
    }
}

/// Answers in the notes' own words.
fn answer_from_quotes<D: Door>(
    memora: &Memora,
    args: &Ask,
    options: &SearchOptions,
    door: D,
    freshness: Freshness,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let report = memora.session(door.clone())?.answerer().answer_question(&args.question, options, freshness)?;
    ui.print_report(&report, screen::format_answer)?;
    hint_at_contested(&report, ui);
    if args.open {
        ui.open_place(first_place(&report))?;
    }
    if report.status == AnswerStatus::NoEvidence
        && !filters::warn_if_no_match(memora, &options.filter, door.clone(), ui)?
    {
        ui.hint("memora search lists more matches");
    }
    warn_withheld(memora, &door, ui);
    let good = report.status == AnswerStatus::Verified && report.relevance == Some(EvidenceStrength::Likely);
    Ok(if good { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

/// Says how to settle what is contested.
fn hint_at_contested<D: Door>(report: &AskReport<D>, ui: &Ui) {
    if !report.contested.is_empty() {
        ui.hint("memora keep CLAIM says which holds, memora retract --ended CLAIM which no longer does");
    }
}

/// The place that is printed first: of the answer, or else of what comes nearest.
fn first_place<D: Door>(report: &AskReport<D>) -> Option<Place> {
    report.claims.first().and_then(Place::of_claim).or_else(|| report.nearest.first().map(Place::of_passage))
}

/// A question to be answered by a model.
struct AnswerDrafting<'a> {
    memora: &'a Memora,
    args: &'a Ask,
    options: &'a SearchOptions,
    freshness: Freshness,
    ui: &'a Ui,
}

impl AnswerDrafting<'_> {
    fn run<D: Door>(
        &self,
        model: &dyn LanguageModel<D>,
        door: &D,
        leaves: bool,
    ) -> Result<CommandOutcome, CommandError> {
        let Self { memora, args, options, freshness, ui } = *self;
        if args.show_prompt {
            return self.print_prompt(model, door);
        }
        ui.begin_activity(format!("asking {}", model.name()));
        let stop = stop_flag();
        let strictness = StrictMode::to_strictness(args.strict, memora.config().strict);
        let asking = ModelCall { model, leaves, strictness, stop: &stop };
        let report = memora
            .ask_model(&args.question, options, door, &asking, freshness)
            .map_err(|error| CommandError::from(error).with_hint(OFFLINE_HINT))?;
        ui.print_report(&report, screen::format_answer)?;
        hint_at_contested(&report, ui);
        if args.open {
            ui.open_place(first_place(&report))?;
        }
        if report.status == AnswerStatus::NoEvidence {
            filters::warn_if_no_match(memora, &options.filter, door.clone(), ui)?;
        }
        if ui.is_local() && leaves {
            ui.status_line(&format!("note: guarded text was kept from {}", model.name()));
            ui.hint("--offline answers from all notes, in their own words");
        } else {
            warn_withheld(memora, door, ui);
        }
        Ok(if report.status == AnswerStatus::Verified { CommandOutcome::Good } else { CommandOutcome::Doubtful })
    }

    /// Prints the first prompt without sending it.
    fn print_prompt<D: Door>(&self, model: &dyn LanguageModel<D>, door: &D) -> Result<CommandOutcome, CommandError> {
        let prompt = self.memora.first_prompt(&self.args.question, self.options, door)?;
        let report = PromptReport { request: prompt.map(|prompt| model.request(&prompt).into()) };
        let Some(request) = &report.request else {
            self.ui.status_line("nothing would be sent: no note has anything to offer");
            if self.ui.wants_json() {
                self.ui.print_report(&report, |_| String::new())?;
            }
            return Ok(CommandOutcome::Doubtful);
        };
        self.ui.print_report(&report, |_| screen::format_request(request))?;
        Ok(CommandOutcome::Good)
    }
}
