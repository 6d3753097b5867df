//! Answers drafted by a language model from claims that may be sent to it.
//!
//! Invariant: **a session never outlives a call to the model.** A reply may take a minute, and a note may be marked
//! secret meanwhile: each prompt is built, and each draft judged, in a session of its own, which re-reads the notes.

use std::collections::HashMap;

use memora_claim::{Claim, ClaimId, Modality};
use memora_model::ModelError;
use memora_redact::{ClearClaim, DoorView, Objection, Prompt, RedactedClaim, UserQuestion, Viewer, WireClaim};
use memora_store::{Authors, ReadError, StoredStatement};
use memora_vault::{Hint, NotePath};
use memora_verify::{CitationResolution, Evidence, check_draft};

use crate::read::answer::repair_loop::{
    CheckedDraft, DraftBackend, DraftOutcome, DraftRequest, DraftingResult, FaultySentence, OfferedPrompt,
    RemovedCounts, draft_answer, is_guarded_now, reject_unoffered,
};
use crate::read::answer::{Answerer, FindRequest, collect_cited, sentence_report};
use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::{Lifecycle, LifecycleReports};
use crate::read::llm::model_questions::ModelQuestions;
use crate::read::llm::send::{Asking, PromptSender, SendError};
use crate::read::search::{ClaimSearch, SearchError, SearchOptions};
use crate::read::verify::note_evidence::NoteEvidence;
use crate::report::{AnswerStatus, AskReport, DraftedBy, Freshness, Passage, RemovedReport};
use crate::state::open::Memora;
use crate::state::session::Session;

/// How many bytes the passages have that a model is offered, as they are written for a person.
const OFFERED_BYTES: usize = 5_000;

/// Minimum number of the best claims that a model is offered, if so many are found, wherever they stand: in no passage are those of a
/// paragraph that has something guarded.
const HITS_MIN: usize = 8;

/// The same for a question of a time, for which no passages are offered: what stands around a hit may be of another time.
const TIMED_MIN: usize = 24;

/// Maximum length of a reply, in characters: an answer is a few sentences, and judging takes time.
pub(crate) const DRAFT_CHARS_MAX: usize = 32_768;

/// Why there is no answer or judgement of a model.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The notes cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The model.
    #[error(transparent)]
    Send(#[from] SendError),
    /// The model's replies are empty.
    #[error("what {model} replies is empty, asked {times} times")]
    EmptyReply {
        /// The model.
        model: String,
        /// How often it was asked.
        times: usize,
    },
}

impl Hint for AskError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Search(_) | Self::Read(_) => "memora doctor says what is wrong with the index",
            Self::Send(error) => error.hint(),
            Self::EmptyReply { .. } => {
                "raise model.tokens_max, which a model may use up in thought, or name another model"
            }
        }
    }
}

impl ModelQuestions<'_> {
    /// Answers a question with a model's draft, keeping only what the notes support. It is asked again for
    /// what does not hold, twice at most.
    ///
    /// The model is offered only what this door may see, so that its draft may pass the door.
    pub(crate) fn draft_report(
        &self,
        question: &str,
        options: &SearchOptions,
        door: DoorView,
        asking: &Asking<'_>,
        freshness: Freshness,
    ) -> Result<AskReport, AskError> {
        let mut desk = DraftSession::new(self.memora, question, options, door, asking)?;
        let drafted = draft_answer(&mut desk)?;
        if matches!(drafted.outcome, DraftOutcome::EmptyReplies) {
            return Err(AskError::EmptyReply { model: asking.model.name().to_owned(), times: drafted.drafts });
        }
        desk.into_report(drafted, freshness)
    }

    /// The first prompt that [`ModelQuestions::draft_report`] would send; nothing if there is nothing to offer.
    pub(crate) fn build_first_prompt(
        &self,
        question: &str,
        options: &SearchOptions,
        door: DoorView,
    ) -> Result<Option<Prompt>, AskError> {
        let found = DraftCandidates::search_lines(self.memora, question, options, door)?;
        let session = self.memora.session_for(door)?;
        Ok(found.build_prompt(&session, &DraftRequest::Answer)?.map(|offer| offer.prompt))
    }
}

/// The lines of the passages that come nearest to a question, and behind them the best claims that none of these has: ids only, re-read
/// for each prompt.
struct DraftCandidates {
    question: UserQuestion,
    typed: String,
    authors: Authors,
    passages: Vec<CandidatePassage>,
}

/// Lines of a note that stand together, in their order. One that was not found by itself is named by its statement.
struct CandidatePassage {
    note: NotePath,
    lines: Vec<ClaimId>,
}

impl DraftCandidates {
    fn search_lines(
        memora: &Memora,
        question: &str,
        options: &SearchOptions,
        door: DoorView,
    ) -> Result<Self, SearchError> {
        let session = memora.session_for(door)?;
        let options = SearchOptions { hits_only: true, ..options.clone() };
        let best = SearchOptions { limit: options.limit.max(TIMED_MIN), ..options.clone() };
        let found = ClaimSearch::new(&session).find_claims(question, &best)?;
        let is_timed = found.dated || options.as_of.is_some() || options.asked_period().is_some();
        let hits: Vec<(&NotePath, ClaimId)> =
            found.hits.iter().map(|hit| (hit.claim.place().note().path(), hit.claim.claim().id)).collect();
        let mut passages: Vec<CandidatePassage> = Vec::new();
        if !is_timed {
            let wordings = vec![question.to_owned()];
            let asked = FindRequest { wordings, options: options.clone(), bytes: OFFERED_BYTES };
            // A line that was found is named by what was found of it.
            let named = |id: ClaimId| {
                hits.iter().map(|(_, hit)| *hit).find(|hit| hit.statement() == id.statement()).unwrap_or(id)
            };
            for passage in Answerer::new(&session).look_for(&asked)?.0.passages {
                let lines = passage.lines.iter().filter_map(|line| ClaimId::parse(&line.claim).ok()).map(named);
                if let Ok(note) = NotePath::new(&passage.path) {
                    passages.push(CandidatePassage { note, lines: lines.collect() });
                }
            }
        }
        let most = if is_timed { best.limit } else { options.limit.max(HITS_MIN) };
        for (note, hit) in hits.iter().take(most) {
            if !passages.iter().any(|passage| passage.lines.contains(hit)) {
                passages.push(CandidatePassage { note: (*note).clone(), lines: vec![*hit] });
            }
        }
        let (question, typed) = (UserQuestion::new(question), question.to_owned());
        Ok(Self { question, typed, authors: options.authors, passages })
    }

    /// The prompt with those lines that still stand in their note and that the session's door may see.
    fn build_prompt(&self, session: &Session<'_>, want: &DraftRequest<'_>) -> Result<Option<OfferedPrompt>, ReadError> {
        let is_wanted = |id: &ClaimId| match want {
            DraftRequest::Answer => true,
            DraftRequest::Retry(among) | DraftRequest::Correct(among, _) => {
                among.iter().any(|wanted| wanted.statement() == id.statement())
            }
        };
        let mut clear: Vec<Vec<ClearClaim<'_>>> = Vec::new();
        for CandidatePassage { note, lines } in &self.passages {
            let mut claims = Vec::new();
            for id in lines.iter().filter(|id| is_wanted(id)) {
                let Some(statement) = session.statement(id.statement())? else { continue };
                // The same words may stand in other notes, of another date or outside of what was asked for.
                let Some(statement) = statement.retain_sources(|source| source.row.note == *note) else { continue };
                if let Some(claim) = line_claim(&statement, id) {
                    claims.extend(
                        ClaimAuthorizer::new(session, Lifecycle::new(session)).authorize_claim(claim, &statement)?,
                    );
                }
            }
            clear.push(claims);
        }
        clear.retain(|claims| !claims.is_empty());
        if clear.is_empty() {
            return Ok(None);
        }
        let claims: Vec<ClaimId> = clear.iter().flatten().map(|claim| claim.claim().id).collect();
        let prompt = match want {
            DraftRequest::Answer => {
                Prompt::answer_from_passages(&self.question, &clear, &self.redacted_claims(session)?)
            }
            DraftRequest::Retry(_) => Prompt::repair(&self.question, &clear),
            DraftRequest::Correct(among, faulty) => {
                // The sources of the draft may have become guarded: then its words are not sent.
                let notes = NoteEvidence::for_draft(session);
                if among.iter().any(|id| is_guarded_now(&notes.resolve_id(id))) {
                    return Ok(None);
                }
                let objection =
                    |(n, faulty): (usize, &FaultySentence)| Objection::new(n, &faulty.sentence, &faulty.wrong);
                let objections: Vec<Objection> = (1..).zip(faulty.iter()).map(objection).collect();
                Prompt::correct(&self.question, &clear, &objections.iter().collect::<Vec<_>>())
            }
        };
        Ok(Some(OfferedPrompt { prompt, claims }))
    }

    /// Guarded claims about what the question names, as they are now.
    fn redacted_claims(&self, session: &Session<'_>) -> Result<Vec<RedactedClaim>, ReadError> {
        if session.door.is_local() {
            return Ok(Vec::new());
        }
        ClaimSearch::new(session).redacted_about(&self.typed, self.authors)
    }
}

/// The claim that stands for a line: the named one, else the first that says something.
fn line_claim<'c>(statement: &'c StoredStatement, id: &ClaimId) -> Option<&'c Claim> {
    let claims = || statement.wording.claims.iter().filter(|claim| !claim.is_withdrawn());
    claims().find(|claim| claim.id == *id).or_else(|| claims().find(|claim| claim.modality != Modality::Questioned))
}

/// The engine's side of the loop.
struct DraftSession<'a> {
    memora: &'a Memora,
    door: DoorView,
    options: &'a SearchOptions,
    asking: &'a Asking<'a>,
    found: DraftCandidates,
    /// The claims that the last draft cites and the door may see.
    shown: HashMap<ClaimId, WireClaim>,
    /// Guarded claims about what the question names, as they were when the last draft was judged.
    redacted: Vec<RedactedClaim>,
}

impl<'a> DraftSession<'a> {
    fn new(
        memora: &'a Memora,
        question: &str,
        options: &'a SearchOptions,
        door: DoorView,
        asking: &'a Asking<'a>,
    ) -> Result<Self, SearchError> {
        let found = DraftCandidates::search_lines(memora, question, options, door)?;
        Ok(Self { memora, door, options, asking, found, shown: HashMap::new(), redacted: Vec::new() })
    }

    fn into_report(mut self, drafted: DraftingResult, freshness: Freshness) -> Result<AskReport, AskError> {
        let redacted = std::mem::take(&mut self.redacted).into_iter().map(WireClaim::from).collect();
        let by = DraftedBy {
            model: self.asking.model.name().to_owned(),
            drafts: drafted.drafts,
            removed: removed_report(drafted.removed),
        };
        let without = |status| AskReport::without_answer(status, redacted, freshness);
        let report = match drafted.outcome {
            // Every passage was sorted for this door, so this holds by construction, and is looked at all the same.
            DraftOutcome::Answer(answer) if self.door.may_show(answer.band()) => AskReport {
                answer: answer.text().to_owned(),
                claims: collect_cited(answer.sentences(), &mut self.shown),
                sentences: answer.sentences().iter().map(sentence_report).collect(),
                ..without(answer.status().into())
            },
            DraftOutcome::Answer(_) | DraftOutcome::Withheld => without(AnswerStatus::Withheld),
            // That a model finds nothing says nothing of the notes.
            DraftOutcome::NothingFound | DraftOutcome::NothingToOffer => {
                AskReport { nearest: self.nearest_passages()?, ..without(AnswerStatus::NoEvidence) }
            }
            DraftOutcome::NothingHolds | DraftOutcome::EmptyReplies => {
                AskReport { nearest: self.nearest_passages()?, ..without(AnswerStatus::Unverified) }
            }
        };
        let contested = match report.claims.is_empty() {
            true => Vec::new(),
            false => LifecycleReports::new(&self.memora.session_for(self.door)?).contest_claims(&report.claims, &[])?,
        };
        Ok(AskReport { contested, drafted: (by.drafts > 0).then_some(by), ..report })
    }

    /// What the notes have nearest, as it is shown without a model.
    fn nearest_passages(&self) -> Result<Vec<Passage>, SearchError> {
        Answerer::new(&self.memora.session_for(self.door)?).nearest_passages(&self.found.typed, self.options)
    }
}

fn removed_report(removed: RemovedCounts) -> RemovedReport {
    let RemovedCounts { contradicted, unsupported, paraphrased, rejected, uncited, citations } = removed;
    RemovedReport { contradicted, unsupported, paraphrased, rejected, uncited, citations }
}

impl DraftBackend for DraftSession<'_> {
    type Error = AskError;

    fn build_prompt(&mut self, want: &DraftRequest<'_>) -> Result<Option<OfferedPrompt>, AskError> {
        if !self.memora.has_current_rules() {
            return Err(SendError::RulesChanged.into());
        }
        let session = self.memora.session_for(self.door)?;
        Ok(self.found.build_prompt(&session, want)?)
    }

    fn send_prompt(&mut self, prompt: &Prompt) -> Result<String, AskError> {
        let Asking { model, leaves, stop, .. } = *self.asking;
        let completion = PromptSender { memora: self.memora, model, leaves, stop }.send(prompt)?;
        Ok(completion.text().chars().take(DRAFT_CHARS_MAX).collect())
    }

    fn is_fatal(&self, error: &AskError) -> bool {
        use SendError::{Egress, Model, NotRecorded, OtherDoor, RulesChanged};
        match error {
            AskError::Send(Model(error)) => matches!(error, ModelError::Elsewhere { .. } | ModelError::Stopped),
            AskError::Send(RulesChanged | OtherDoor | Egress(_) | NotRecorded { .. }) => true,
            AskError::Search(_) | AskError::Read(_) | AskError::EmptyReply { .. } => false,
        }
    }

    fn check_draft(&mut self, draft: &str, offered: &[ClaimId]) -> Result<CheckedDraft, AskError> {
        let session = self.memora.session_for(self.door)?;
        let notes = NoteEvidence::for_draft(&session);
        let withheld =
            !self.memora.has_current_rules() || offered.iter().any(|id| is_guarded_now(&notes.resolve_id(id)));
        let report = check_draft(draft, &OfferedEvidence { notes: &notes, offered });
        let report = report.with_strictness(self.asking.strictness);
        self.shown = notes.into_shown_claims()?;
        self.redacted = if withheld { Vec::new() } else { self.found.redacted_claims(&session)? };
        Ok(CheckedDraft { report, withheld })
    }
}

/// The notes as evidence for a draft: only claims that were offered to its model count.
pub(crate) struct OfferedEvidence<'n, 's> {
    pub(crate) notes: &'n NoteEvidence<'s>,
    pub(crate) offered: &'n [ClaimId],
}

impl Evidence for OfferedEvidence<'_, '_> {
    fn resolve_id(&self, id: &ClaimId) -> CitationResolution {
        reject_unoffered(id, self.offered, self.notes.resolve_id(id))
    }

    fn resolve_handle(&self, handle: &str) -> CitationResolution {
        self.notes.resolve_handle(handle)
    }
}
