//! What a language model is asked, at the doors of the model and of whoever reads the report.

use std::sync::atomic::AtomicBool;

use memora_model::LanguageModel;
use memora_redact::{Door, Prompt};
use memora_verify::Strictness;

use crate::oversee::review::ProposedRewordings;
use crate::read::answer::drafted::AskError;
use crate::read::lifecycle::ChangesRequest;
use crate::read::llm::extract::{ExtractError, ExtractionOptions, ExtractionOutcome, ExtractionProgress};
use crate::read::llm::model_questions::ModelQuestions;
use crate::read::llm::send::{Asking, TypedModel};
use crate::read::search::SearchOptions;
use crate::read::verify::input::VerifyInput;
use crate::remember::{ConsolidateError, ConsolidationCalls, MemorySession, MemoryWriter};
use crate::report::typed::ForDoor;
use crate::report::{AskReport, ChangesReport, ContradictionsReport, Freshness, VerifyReport};
use crate::state::open::Memora;

/// A model, and the conditions of calling it.
pub struct ModelCall<'a, D: Door> {
    /// The model.
    pub model: &'a dyn LanguageModel<D>,
    /// Whether prompts leave this machine and are logged first. A model that only says so in its reply is logged then.
    pub leaves: bool,
    /// Which sentences stay in an answer.
    pub strictness: Strictness,
    /// Set to stop.
    pub stop: &'a AtomicBool,
}

impl<D: Door> ModelCall<'_, D> {
    /// Asks the model as one behind this door.
    fn asking<T>(&self, door: &D, ask: impl FnOnce(&Asking<'_>) -> T) -> T {
        let Self { model, leaves, strictness, stop } = *self;
        ask(&Asking { model: &TypedModel { model, door }, leaves, strictness, stop })
    }
}

impl Memora {
    /// Answers a question with a model's draft, keeping only what the notes support. It is asked again for
    /// what does not hold, twice at most.
    ///
    /// The model is offered only what this door may see, so that its draft may pass the door.
    pub fn ask_model<D: Door>(
        &self,
        question: &str,
        options: &SearchOptions,
        door: &D,
        call: &ModelCall<'_, D>,
        freshness: Freshness,
    ) -> Result<AskReport<D>, AskError> {
        call.asking(door, |asking| {
            ModelQuestions::new(self).draft_report(question, options, door.view(), asking, freshness)
        })
        .for_door(door)
    }

    /// The first prompt that [`Memora::ask_model`] would send; nothing if there is nothing to offer.
    pub fn first_prompt<D: Door>(
        &self,
        question: &str,
        options: &SearchOptions,
        door: &D,
    ) -> Result<Option<Prompt<D>>, AskError> {
        let prompt = ModelQuestions::new(self).build_first_prompt(question, options, door.view())?;
        Ok(prompt.and_then(|prompt| prompt.for_door(door)))
    }

    /// Judges a text as `verify_text` of a [verifier](crate::read::verify::Verifier) does, and asks a model about each sentence that stands.
    ///
    /// # Errors
    /// [`AskError`]. A failing model is not an error: the report then says what was not judged.
    pub fn verify_with_model<D: Door>(
        &self,
        submitted: &VerifyInput,
        door: &D,
        call: &ModelCall<'_, D>,
        freshness: Freshness,
    ) -> Result<VerifyReport<D>, AskError> {
        call.asking(door, |asking| ModelQuestions::new(self).judge_text(submitted, door.view(), asking, freshness))
            .for_door(door)
    }

    /// Lists what contradicts, as `list_contradictions` of the [lifecycle's reports](crate::read::lifecycle::LifecycleReports) does, and asks a
    /// model about the first `limit` that are open. What it finds no contradiction is listed with `all` alone.
    ///
    /// The report passes the door `door`, the prompts the model's own, `sees`: the user may see pairs that a remote
    /// model is not asked about, and the prompts depend only on what the model may see.
    ///
    /// # Errors
    /// [`AskError`]. A failing model is not an error: the report then says what was not judged.
    pub fn judge_contradictions<D: Door, M: Door>(
        &self,
        all: bool,
        limit: usize,
        door: &D,
        sees: &M,
        call: &ModelCall<'_, M>,
        freshness: Freshness,
    ) -> Result<ContradictionsReport<D>, AskError> {
        call.asking(sees, |asking| {
            ModelQuestions::new(self).judge_open_pairs(all, limit, door.view(), sees.view(), asking, freshness)
        })
        .for_door(door)
    }

    /// Lists newer statements beside older ones, as `list_changes` of the [lifecycle's reports](crate::read::lifecycle::LifecycleReports) does, and
    /// asks a model about each pair. Those that it finds changed come first, then those that it did not judge; the others are listed
    /// with `all` alone.
    ///
    /// The doors are those of [`Memora::judge_contradictions`].
    ///
    /// # Errors
    /// [`AskError`]. A failing model is not an error: the report then says what was not judged.
    pub fn judge_changes<D: Door, M: Door>(
        &self,
        all: bool,
        request: &ChangesRequest,
        door: &D,
        sees: &M,
        call: &ModelCall<'_, M>,
        freshness: Freshness,
    ) -> Result<ChangesReport<D>, AskError> {
        call.asking(sees, |asking| {
            ModelQuestions::new(self).judge_changed_pairs(all, request, door.view(), sees.view(), asking, freshness)
        })
        .for_door(door)
    }

    /// Asks a model to reword the stale sentences of a review with `limit` items, one per request. The model is offered
    /// only what the door `sees` shows.
    ///
    /// # Errors
    /// [`AskError`]. A failure of the model is not an error.
    pub fn propose_rewordings<M: Door>(
        &self,
        limit: usize,
        sees: &M,
        call: &ModelCall<'_, M>,
    ) -> Result<ProposedRewordings, AskError> {
        call.asking(sees, |asking| ModelQuestions::new(self).draft_rewordings(limit, sees.view(), asking))
    }

    /// Asks a model about the notes of sessions that it was not asked about yet, and about memories that are to become one; of both,
    /// what is this door's. `plan_replies` of [memories](crate::at_door::Memories) tells what follows from its replies.
    ///
    /// # Errors
    /// [`ConsolidateError`]. A failing model is not an error.
    pub fn ask_about_memories<D: Door>(
        &self,
        of: &MemorySession,
        writer: &MemoryWriter,
        door: &D,
        call: &ModelCall<'_, D>,
        asked: &mut ConsolidationCalls,
    ) -> Result<(), ConsolidateError> {
        call.asking(door, |asking| {
            ModelQuestions::new(self).ask_memory_questions(of, writer, door.view(), asking, asked)
        })
    }

    /// Has a model read the visible passages that it was not asked about yet; see
    /// [`Memora::sync`] for how its replies go into the index.
    ///
    /// # Errors
    /// [`ExtractError`], when nothing was done. Later ones are in [`ExtractionOutcome::ended`], beside what was done.
    pub fn extract<D: Door>(
        &self,
        door: &D,
        call: &ModelCall<'_, D>,
        extracting: &ExtractionOptions<'_>,
        progress: &mut dyn FnMut(ExtractionProgress),
    ) -> Result<ExtractionOutcome, ExtractError> {
        call.asking(door, |asking| {
            ModelQuestions::new(self).extract_passages(door.view(), asking, extracting, progress)
        })
    }
}
