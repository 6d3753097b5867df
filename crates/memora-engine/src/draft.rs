//! Answers that a language model drafts, out of claims that may be sent to it.
//!
//! The one rule to know: **a session never outlives a call to the model.** A reply may take a minute, and a note may be
//! marked secret meanwhile: each prompt is made, and each draft judged, in a session of its own, which reads the notes again.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use memora_answer::{
    Desk, Drafted, Faulty, Judged, Offer, Outcome, Removed, Want, as_offered, drafted, is_guarded_now, strictly_drafted,
};
use memora_claim::ClaimId;
use memora_model::{LanguageModel, ModelError};
use memora_redact::{ClearClaim, Door, Objection, Prompt, Question, RedactedClaim, WireClaim};
use memora_store::ReadError;
use memora_verify::{Evidence, Finding, check};

use crate::Memora;
use crate::answer::{cited, sentence};
use crate::evidence::Notes;
use crate::find::{SearchError, SearchOptions};
use crate::send::{SendError, Sender};
use crate::session::Session;
use crate::wire::{AnswerStatus, AskReport, DraftedBy, Freshness, ReadBy, RemovedReport};

/// Claims that are offered to a model at least, where so many are found: it can tell better than a rule which answer.
const OFFERED_MIN: usize = 24;

/// How much of a reply is read, in characters: an answer is a few sentences, and judging takes time.
const DRAFT_CHARS_MAX: usize = 32_768;

/// Why a model's answer or judgement could not be had.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// Nothing could be looked for.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The notes cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The model.
    #[error(transparent)]
    Send(#[from] SendError),
    /// The model replies nothing.
    #[error("what {model} replies is empty, asked {times} times")]
    Silent {
        /// The model.
        model: String,
        /// How often it was asked.
        times: usize,
    },
}

impl AskError {
    /// What to try.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Search(_) | Self::Read(_) => "memora doctor says what is wrong with the index",
            Self::Send(error) => error.hint(),
            Self::Silent { .. } => "raise model.tokens_max, which a model may use up in thought, or name another model",
        }
    }
}

/// A model to be asked, and how.
pub struct Asking<'a, D: Door> {
    /// Which.
    pub model: &'a dyn LanguageModel<D>,
    /// Whether what is sent leaves this machine, and is logged. Of a model that says so afterwards it is logged afterwards.
    pub leaves: bool,
    /// Whether what only paraphrases the notes is left out of an answer.
    pub strict: bool,
    /// Set to stop.
    pub stop: &'a AtomicBool,
}

impl Memora {
    /// Answers a question with what a model drafts and the notes bear out; see [`memora_answer::drafted`].
    ///
    /// The model is offered what this door may see and nothing else, so that what it drafts may pass the door.
    ///
    /// # Errors
    /// [`AskError`].
    pub fn ask_model<D: Door>(
        &self,
        question: &str,
        options: &SearchOptions,
        door: &D,
        asking: &Asking<'_, D>,
        freshness: Freshness,
    ) -> Result<AskReport<D>, AskError> {
        let mut desk = AtDesk::new(self, question, options, door, asking)?;
        let drafted = drafted(&mut desk)?;
        if matches!(drafted.outcome, Outcome::Silent) {
            return Err(AskError::Silent { model: asking.model.name().to_owned(), times: drafted.drafts });
        }
        Ok(desk.report(drafted, freshness))
    }

    /// The same with one draft, which is the answer if everything in it holds; else the status is `unverified`. See
    /// [`memora_answer::strictly_drafted`].
    ///
    /// # Errors
    /// [`AskError`].
    pub fn ask_model_strictly<D: Door>(
        &self,
        question: &str,
        options: &SearchOptions,
        door: &D,
        asking: &Asking<'_, D>,
        freshness: Freshness,
    ) -> Result<AskReport<D>, AskError> {
        let mut desk = AtDesk::new(self, question, options, door, asking)?;
        let drafted = strictly_drafted(&mut desk)?;
        Ok(desk.report(drafted, freshness))
    }

    /// The first prompt that [`Memora::ask_model`] would send; nothing if there is nothing to offer.
    ///
    /// # Errors
    /// [`AskError`].
    pub fn first_prompt<D: Door>(
        &self,
        question: &str,
        options: &SearchOptions,
        door: &D,
    ) -> Result<Option<Prompt<D>>, AskError> {
        let found = Found::of(self, question, options, door)?;
        let session = self.session(door.clone())?;
        Ok(found.prompt(&session, &Want::Answer)?.map(|offer| offer.prompt))
    }
}

/// What was found for a question: names only, to be read again for each prompt.
struct Found {
    question: Question,
    typed: String,
    claims: Vec<ClaimId>,
}

impl Found {
    fn of<D: Door>(memora: &Memora, question: &str, options: &SearchOptions, door: &D) -> Result<Self, SearchError> {
        let options = SearchOptions { limit: options.limit.max(OFFERED_MIN), ..options.clone() };
        let session = memora.session(door.clone())?;
        let found = session.search(question, &options)?;
        let said = found.hits.iter().map(|hit| hit.claim.claim()).filter(|claim| !claim.is_taken_back());
        Ok(Self {
            question: Question::new(question),
            typed: question.to_owned(),
            claims: said.map(|claim| claim.id).collect(),
        })
    }

    /// The prompt of those claims that stand now and that the session's door may see.
    fn prompt<D: Door>(&self, session: &Session<'_, D>, want: &Want<'_>) -> Result<Option<Offer<D>>, ReadError> {
        let mut clear: Vec<ClearClaim<'_, D>> = Vec::new();
        let among = match want {
            Want::Answer => &self.claims,
            Want::Anew(among) | Want::Correct(among, _) => *among,
        };
        for id in among {
            if let Some(statement) = session.statement(id.statement())?
                && let Some(claim) = statement.wording.claims.iter().find(|claim| claim.id == *id)
            {
                clear.extend(session.clear(claim, &statement)?);
            }
        }
        if clear.is_empty() {
            return Ok(None);
        }
        let claims: Vec<ClaimId> = clear.iter().map(|claim| claim.claim().id).collect();
        let again: Vec<&ClearClaim<'_, D>> = clear.iter().collect();
        let prompt = match want {
            Want::Answer => Prompt::answer(&self.question, &clear, &self.redacted(session)?),
            Want::Anew(_) => Prompt::repair(&self.question, &again),
            Want::Correct(_, faulty) => {
                // What the draft was made of may be guarded by now: then its words stay here.
                let notes = Notes::of_found(session);
                if among.iter().any(|id| is_guarded_now(&notes.look_up(id))) {
                    return Ok(None);
                }
                let objection = |(n, faulty): (usize, &Faulty)| Objection::new(n, &faulty.sentence, &faulty.wrong);
                let objections: Vec<Objection> = (1..).zip(faulty.iter()).map(objection).collect();
                Prompt::correct(&self.question, &again, &objections.iter().collect::<Vec<_>>())
            }
        };
        Ok(Some(Offer { prompt, claims }))
    }

    /// Guarded claims about what the question names, as they are now.
    fn redacted<D: Door>(&self, session: &Session<'_, D>) -> Result<Vec<RedactedClaim>, ReadError> {
        if session.door().is_local() { Ok(Vec::new()) } else { session.redacted_about(&self.typed) }
    }
}

/// The engine's side of the loop.
struct AtDesk<'a, D: Door> {
    memora: &'a Memora,
    door: &'a D,
    asking: &'a Asking<'a, D>,
    found: Found,
    /// What the last draft cites and the door may see.
    shown: HashMap<ClaimId, WireClaim<D>>,
    /// Guarded claims about what the question names, as they were when the last draft was judged.
    redacted: Vec<RedactedClaim>,
    /// The installed model that read the last draft.
    read: Option<ReadBy>,
}

impl<'a, D: Door> AtDesk<'a, D> {
    fn new(
        memora: &'a Memora,
        question: &str,
        options: &SearchOptions,
        door: &'a D,
        asking: &'a Asking<'a, D>,
    ) -> Result<Self, SearchError> {
        let found = Found::of(memora, question, options, door)?;
        Ok(Self { memora, door, asking, found, shown: HashMap::new(), redacted: Vec::new(), read: None })
    }

    fn report(mut self, drafted: Drafted, freshness: Freshness) -> AskReport<D> {
        let redacted = self.redacted.into_iter().map(WireClaim::from).collect();
        let by = DraftedBy {
            model: self.asking.model.name().to_owned(),
            drafts: drafted.drafts,
            removed: removed(drafted.removed),
            read: self.read,
        };
        let without = |status| AskReport::without_answer(status, redacted, freshness);
        let report = match drafted.outcome {
            // Every passage was sorted for this door, so this holds by construction, and is looked at all the same.
            Outcome::Answer(answer) if self.door.shows(answer.band()) => AskReport {
                answer: answer.text().to_owned(),
                claims: cited(answer.sentences(), &mut self.shown),
                sentences: answer.sentences().iter().map(sentence).collect(),
                ..without(answer.status().into())
            },
            Outcome::Answer(_) | Outcome::Withheld => without(AnswerStatus::Withheld),
            Outcome::NothingFound | Outcome::NothingToOffer => without(AnswerStatus::NoEvidence),
            Outcome::NothingHolds | Outcome::Silent => without(AnswerStatus::Unverified),
        };
        AskReport { drafted: (by.drafts > 0).then_some(by), ..report }
    }
}

fn removed(removed: Removed) -> RemovedReport {
    let Removed { contradicted, unsupported, paraphrased, rejected, uncited, citations } = removed;
    RemovedReport { contradicted, unsupported, paraphrased, rejected, uncited, citations }
}

impl<D: Door> Desk<D> for AtDesk<'_, D> {
    type Error = AskError;

    fn prompt(&mut self, want: &Want<'_>) -> Result<Option<Offer<D>>, AskError> {
        if !self.memora.rules_hold() {
            return Err(SendError::RulesChanged.into());
        }
        let session = self.memora.session(self.door.clone())?;
        Ok(self.found.prompt(&session, want)?)
    }

    fn ask(&mut self, prompt: &Prompt<D>) -> Result<String, AskError> {
        let Asking { model, leaves, stop, .. } = *self.asking;
        let completion = Sender { memora: self.memora, model, leaves, stop }.send(prompt)?;
        Ok(completion.text().chars().take(DRAFT_CHARS_MAX).collect())
    }

    fn ends_all(&self, error: &AskError) -> bool {
        use SendError::{Egress, Model, NotNoted, RulesChanged};
        match error {
            AskError::Send(Model(error)) => matches!(error, ModelError::Elsewhere { .. } | ModelError::Stopped),
            AskError::Send(RulesChanged | Egress(_) | NotNoted { .. }) => true,
            AskError::Search(_) | AskError::Read(_) | AskError::Silent { .. } => false,
        }
    }

    fn check(&mut self, draft: &str, offered: &[ClaimId]) -> Result<Judged, AskError> {
        let session = self.memora.session(self.door.clone())?;
        let notes = Notes::of_found(&session);
        let withheld = !self.memora.rules_hold() || offered.iter().any(|id| is_guarded_now(&notes.look_up(id)));
        let mut report = check(draft, &AmongOffered { notes: &notes, offered });
        self.read = session.read(&mut report);
        let report = if self.asking.strict { report.strictly() } else { report };
        self.shown = notes.into_shown()?;
        self.redacted = if withheld { Vec::new() } else { self.found.redacted(&session)? };
        Ok(Judged { report, withheld })
    }
}

/// The notes as evidence for a draft: what was not offered to its model does not count.
pub(crate) struct AmongOffered<'n, 's, 'm, D: Door> {
    pub(crate) notes: &'n Notes<'s, 'm, D>,
    pub(crate) offered: &'n [ClaimId],
}

impl<D: Door> Evidence for AmongOffered<'_, '_, '_, D> {
    fn look_up(&self, id: &ClaimId) -> Finding {
        as_offered(id, self.offered, self.notes.look_up(id))
    }

    fn look_up_handle(&self, handle: &str) -> Finding {
        self.notes.look_up_handle(handle)
    }
}
