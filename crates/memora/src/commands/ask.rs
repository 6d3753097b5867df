//! `memora ask`: in the notes' own words, or in a model's as far as the notes bear them out.
//!
//! The door follows from who reads the answer *and* who drafts it: what a model elsewhere may not see is not looked for.

use memora_engine::report::{AnswerStatus, EvidenceStrength, Freshness, PromptReport};
use memora_engine::{ConnectedModel, Door, LanguageModel, LocalDoor, Memora, ModelCall, SearchOptions};

use super::model::{self, Wanted};
use super::{catch_up_on_notes, filters, heard, say_withheld};
use crate::args::Ask;
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

/// What does without the model.
const OFFLINE: &str = "--offline answers in the notes' own words";

pub(super) fn ask(memora: &mut Memora, args: &Ask, ui: &Ui) -> Result<Outcome, Failure> {
    let (filter, since, until) = filters::read_with_time(&args.filters)?;
    let options = SearchOptions {
        filter,
        captured: args.captured,
        as_of: filters::date(args.as_of.as_deref())?,
        since,
        until,
        ..SearchOptions::for_answer(args.limit, 100)
    };
    let wanted = Wanted { name: args.model.as_deref(), must: args.model.is_some() || args.show_prompt };
    let configured = if args.offline { None } else { model::configured(memora, &wanted, ui)? };
    let Some(config) = configured else {
        let freshness = catch_up_on_notes(memora, ui)?;
        return if ui.is_local() {
            quoted(memora, args, &options, LocalDoor, freshness, ui)
        } else {
            let door = memora.cloud_door();
            quoted(memora, args, &options, door, freshness, ui)
        };
    };
    let model = model::connect(memora, &config).map_err(|failure| failure.hinted(OFFLINE))?;
    let freshness = catch_up_on_notes(memora, ui)?;
    let drafting = Drafting { memora, args, options: &options, freshness, ui };
    match &model {
        ConnectedModel::Local(near) if ui.is_local() => drafting.run(near, &LocalDoor, false),
        ConnectedModel::Local(near) => drafting.run(near, &memora.cloud_door(), false),
        ConnectedModel::Remote(far) => {
            model::say_far(&config, far.remote_reason(), ui);
            drafting.run(far, &memora.cloud_door(), true)
        }
    }
}

/// In the notes' own words.
fn quoted<D: Door>(
    memora: &Memora,
    args: &Ask,
    options: &SearchOptions,
    door: D,
    freshness: Freshness,
    ui: &Ui,
) -> Result<Outcome, Failure> {
    let report = memora.session(door.clone())?.answerer().answer_question(&args.question, options, freshness)?;
    ui.report(&report, print::ask)?;
    if report.status == AnswerStatus::NoEvidence
        && !filters::say_if_nothing_matches(memora, &options.filter, door.clone(), ui)?
    {
        ui.hint("memora search lists what comes nearest");
    }
    say_withheld(&door, ui);
    let good = report.status == AnswerStatus::Verified && report.relevance == Some(EvidenceStrength::Strong);
    Ok(if good { Outcome::Good } else { Outcome::Doubtful })
}

/// A question that a model is asked.
struct Drafting<'a> {
    memora: &'a Memora,
    args: &'a Ask,
    options: &'a SearchOptions,
    freshness: Freshness,
    ui: &'a Ui,
}

impl Drafting<'_> {
    fn run<D: Door>(&self, model: &dyn LanguageModel<D>, door: &D, leaves: bool) -> Result<Outcome, Failure> {
        let Self { memora, args, options, freshness, ui } = *self;
        if args.show_prompt {
            return self.show(model, door);
        }
        ui.progress(&format!("asking {}", model.name()));
        let stop = heard();
        let strict = args.strict || memora.config().strict;
        let asking = ModelCall { model, leaves, strict, stop: &stop };
        let report = memora
            .ask_model(&args.question, options, door, &asking, freshness)
            .map_err(|error| Failure::from(error).hinted(OFFLINE))?;
        ui.report(&report, print::ask)?;
        if report.status == AnswerStatus::NoEvidence {
            filters::say_if_nothing_matches(memora, &options.filter, door.clone(), ui)?;
        }
        if ui.is_local() && leaves {
            ui.say(&format!("note: guarded text was kept from {}", model.name()));
            ui.hint("--offline answers from all notes, in their own words");
        } else {
            say_withheld(door, ui);
        }
        Ok(if report.status == AnswerStatus::Verified { Outcome::Good } else { Outcome::Doubtful })
    }

    /// Prints what would be sent first, and sends nothing.
    fn show<D: Door>(&self, model: &dyn LanguageModel<D>, door: &D) -> Result<Outcome, Failure> {
        let prompt = self.memora.first_prompt(&self.args.question, self.options, door)?;
        let report = PromptReport { request: prompt.map(|prompt| model.request(&prompt).into()) };
        let Some(request) = &report.request else {
            self.ui.say("nothing would be sent: no note has anything to offer");
            if self.ui.wants_json() {
                self.ui.report(&report, |_| String::new())?;
            }
            return Ok(Outcome::Doubtful);
        };
        self.ui.report(&report, |_| print::request(request))?;
        Ok(Outcome::Good)
    }
}
