//! Claim extraction by a language model, passage by passage; each passage is sent once.
//!
//! Invariant: **a passage is read again right before it is sent.** Text that became guarded since the list was made is
//! not sent, and edited passages are left for the next run. Replies are stored at once, and go into the index
//! with the next full sync; when a run ends, its finished passages stay done.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::Ordering;

use memora_claim::Claim;
use memora_extract::{ProposalReply, Ungrounded, is_equivalent_claim};
use memora_model::{ModelError, TokenUsage};
use memora_redact::{ClearExcerpt, DoorView, Prompt, Template};
use memora_store::{PassageKey, Proposals, ProposedBy, ReadError};
use memora_vault::{FoundNote, Hint, NotePath};

use crate::index::prepare;
use crate::index::proposals::{model_passages, passage_keys};
use crate::read::llm::model_questions::ModelQuestions;
use crate::read::llm::send::{Asking, PromptSender, SendError};
use crate::report::{ExtractReport, ExtractedClaimCounts, PassagesReport, TokensReport};
use crate::state::open::Memora;

/// After so many passages in a row without a list of claims, the run ends.
const FAILURES_MAX: usize = 3;

/// Why an extraction failed.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The store.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The model.
    #[error(transparent)]
    Send(#[from] SendError),
    /// The model's reply is not a list of claims.
    #[error("what {model} replies is no list of claims")]
    NotAList {
        /// The model.
        model: String,
    },
}

impl Hint for ExtractError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Read(_) => "memora doctor says what is wrong with the index",
            Self::Send(error) => error.hint(),
            Self::NotAList { .. } => "try a larger model, with --model NAME",
        }
    }
}

/// Options of an extraction run.
pub struct ExtractionOptions<'a> {
    /// Its provider's name.
    pub provider: &'static str,
    /// Whether the report may say how much is guarded.
    pub counts_guarded: bool,
    /// Maximum number of calls to the model.
    pub budget: Option<usize>,
    /// The notes to read; all, where none is named.
    pub notes: &'a [NotePath],
    /// Whether nothing is to be sent.
    pub dry_run: bool,
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtractionProgress {
    /// Calls made.
    pub done: usize,
    /// Calls to make.
    pub total: usize,
    /// Tokens so far.
    pub tokens: u64,
}

/// Why a run ended.
#[derive(Debug, Default)]
pub enum ExtractionEnd {
    /// Nothing is left to ask.
    #[default]
    Done,
    /// The budget of calls is used up.
    Budget,
    /// It was stopped.
    Stopped,
    /// It could not go on.
    Failed(ExtractError),
}

/// What a run did.
#[derive(Debug, Default)]
pub struct ExtractionOutcome {
    /// Passages that the model was not asked about yet.
    pub due: usize,
    /// Passages that it was asked about before.
    pub cached: usize,
    /// Passages read now.
    pub done: usize,
    /// Passages for which the model gave no list of claims: they are still due.
    pub failed: usize,
    /// The last such failure.
    pub failure: Option<String>,
    /// Passages that the model may not see, where that may be known.
    pub withheld: Option<usize>,
    /// How often the model was asked.
    pub calls: usize,
    /// What that cost, as far as the provider says.
    pub tokens: Option<TokenUsage>,
    /// New claims that the notes support.
    pub added: usize,
    /// Rejected proposals, by reason.
    pub rejected: BTreeMap<Ungrounded, usize>,
    /// Why it ended.
    pub ended: ExtractionEnd,
}

impl ExtractionOutcome {
    /// Returns its report.
    #[must_use]
    pub fn to_report(&self, model: &str, dry_run: bool) -> ExtractReport {
        let ended = match self.ended {
            _ if dry_run => "dry_run",
            ExtractionEnd::Done => "done",
            ExtractionEnd::Budget => "budget",
            ExtractionEnd::Stopped => "stopped",
            ExtractionEnd::Failed(_) => "failed",
        };
        let tokens = self.tokens.map(|tokens| TokensReport { sent: tokens.sent, received: tokens.received });
        let rejected = self.rejected.iter().map(|(why, count)| (why.as_str(), *count)).collect();
        ExtractReport {
            model: model.to_owned(),
            passages: PassagesReport {
                due: self.due,
                done: self.done,
                cached: self.cached,
                failed: self.failed,
                left: self.due.saturating_sub(self.done),
                withheld: self.withheld,
            },
            calls: self.calls,
            tokens,
            claims: ExtractedClaimCounts { added: self.added, rejected },
            failure: self.failure.clone(),
            ended,
        }
    }
}

/// A due passage, by its key.
struct DuePassage {
    note: FoundNote,
    key: PassageKey,
}

impl ModelQuestions<'_> {
    /// Has a model read the visible passages that it was not asked about yet; see
    /// [`Memora::sync`] for how its replies go into the index.
    ///
    /// # Errors
    /// [`ExtractError`], when nothing was done. Later ones are in [`ExtractionOutcome::failure`], beside what was done.
    pub(crate) fn extract_passages(
        &self,
        door: DoorView,
        asking: &Asking<'_>,
        extracting: &ExtractionOptions<'_>,
        progress: &mut dyn FnMut(ExtractionProgress),
    ) -> Result<ExtractionOutcome, ExtractError> {
        let by = ProposedBy {
            provider: extracting.provider.to_owned(),
            model: asking.model.name().to_owned(),
            version: Template::Extract.version(),
        };
        let proposals = self.memora.store.proposals()?;
        let mut extracted = ExtractionOutcome::default();
        let due = self.due_passages(door, extracting, &proposals, &by, &mut extracted)?;
        if extracting.dry_run {
            return Ok(extracted);
        }
        let total = due.len().min(extracting.budget.unwrap_or(usize::MAX));
        let mut run = ExtractionRun { memora: self.memora, door, asking, proposals, by, failures: 0, trouble: None };
        for passage in &due {
            if asking.stop.load(Ordering::Relaxed) {
                extracted.ended = ExtractionEnd::Stopped;
                break;
            }
            if extracted.calls >= total {
                extracted.ended = ExtractionEnd::Budget;
                break;
            }
            if let Err(error) = run.read_passage(passage, &mut extracted) {
                extracted.ended = match error {
                    ExtractError::Send(SendError::Model(ModelError::Stopped)) => ExtractionEnd::Stopped,
                    error => ExtractionEnd::Failed(error),
                };
                break;
            }
            let tokens = extracted.tokens.map_or(0, |tokens| tokens.sent.saturating_add(tokens.received));
            progress(ExtractionProgress { done: extracted.calls, total, tokens });
        }
        let goes_on = matches!(extracted.ended, ExtractionEnd::Done | ExtractionEnd::Budget);
        if let Some(error) = run.trouble.take().filter(|_| goes_on && extracted.done == 0) {
            extracted.ended = ExtractionEnd::Failed(error);
        }
        Ok(extracted)
    }

    /// The passages that are due, in the order of notes and places, each once.
    fn due_passages(
        &self,
        door: DoorView,
        extracting: &ExtractionOptions<'_>,
        proposals: &Proposals,
        by: &ProposedBy,
        extracted: &mut ExtractionOutcome,
    ) -> Result<Vec<DuePassage>, ReadError> {
        let (mut due, mut seen, mut withheld) = (Vec::new(), HashSet::new(), HashSet::new());
        let mut notes = self.memora.vault.walk().notes;
        notes.retain(|found| extracting.notes.is_empty() || extracting.notes.contains(&found.path));
        notes.sort_by(|a, b| a.path.cmp(&b.path));
        for note in notes {
            let Ok((fresh, _)) = prepare::read_found_note(&self.memora.vault, &note) else { continue };
            let shown: Vec<PassageKey> = model_passages(&fresh, door).into_iter().map(|(key, _)| key).collect();
            if extracting.counts_guarded {
                withheld.extend(passage_keys(&fresh).into_iter().filter(|key| !shown.contains(key)));
            }
            for key in shown {
                if !seen.insert(key) {
                    continue;
                }
                if proposals.find_proposal(&key, by)?.is_some() {
                    extracted.cached += 1;
                } else {
                    due.push(DuePassage { note: note.clone(), key });
                }
            }
        }
        extracted.due = due.len();
        extracted.withheld = extracting.counts_guarded.then_some(withheld.len());
        Ok(due)
    }
}

/// The state of a run.
struct ExtractionRun<'a> {
    memora: &'a Memora,
    door: DoorView,
    asking: &'a Asking<'a>,
    proposals: Proposals,
    by: ProposedBy,
    /// Passages in a row without a list of claims.
    failures: usize,
    /// The last of these failures: a run that read nothing ends with it.
    trouble: Option<ExtractError>,
}

impl ExtractionRun<'_> {
    /// Has the model read one passage, as it stands now. An error ends the run.
    fn read_passage(&mut self, due: &DuePassage, extracted: &mut ExtractionOutcome) -> Result<(), ExtractError> {
        let Ok((fresh, _)) = prepare::read_found_note(&self.memora.vault, &due.note) else { return Ok(()) };
        // As it stands now, and if the door still shows it.
        let found = model_passages(&fresh, self.door).into_iter().find(|(key, _)| *key == due.key);
        let Some((_, excerpt)) = found else { return Ok(()) };
        let prompt = Prompt::extract(&excerpt);
        let Asking { model, leaves, stop, .. } = *self.asking;
        extracted.calls += 1;
        let completion = match (PromptSender { memora: self.memora, model, leaves, stop }).send(&prompt) {
            Ok(completion) => completion,
            Err(SendError::Model(error)) => return self.handle_failure(error, extracted),
            Err(error) => return Err(error.into()),
        };
        if let Some(tokens) = completion.tokens() {
            let so_far = extracted.tokens.unwrap_or(TokenUsage { sent: 0, received: 0 });
            extracted.tokens = Some(TokenUsage {
                sent: so_far.sent.saturating_add(tokens.sent),
                received: so_far.received.saturating_add(tokens.received),
            });
        }
        let Ok(reply) = ProposalReply::parse(completion.text()) else {
            let error = ExtractError::NotAList { model: model.name().to_owned() };
            return self.defer_passage(error, extracted);
        };
        self.proposals.save(&due.key, &self.by, &ProposalReply::to_json(&reply.proposals))?;
        self.count_accepted(&excerpt, &reply, &self.claims_of_others(&due.key, &excerpt)?, extracted);
        extracted.done += 1;
        (self.failures, self.trouble) = (0, None);
        Ok(())
    }

    /// Handles a passage that the model gave no answer about.
    fn handle_failure(&mut self, error: ModelError, extracted: &mut ExtractionOutcome) -> Result<(), ExtractError> {
        match error {
            ModelError::Stopped => Err(SendError::from(error).into()),
            // It is about this passage, and says nothing of the next.
            ModelError::Refused { .. } => {
                extracted.failed += 1;
                extracted.failure = Some(error.to_string());
                Ok(())
            }
            // The next passage would fail in the same way.
            ModelError::Elsewhere { .. } | ModelError::Unreachable { .. } => {
                extracted.failed += 1;
                Err(SendError::from(error).into())
            }
            error => self.defer_passage(SendError::from(error).into(), extracted),
        }
    }

    /// Leaves a passage for the next run; after several in a row, ends this one.
    fn defer_passage(&mut self, error: ExtractError, extracted: &mut ExtractionOutcome) -> Result<(), ExtractError> {
        extracted.failed += 1;
        extracted.failure = Some(error.to_string());
        self.failures += 1;
        if self.failures >= FAILURES_MAX {
            return Err(error);
        }
        self.trouble = Some(error);
        Ok(())
    }

    /// What other models read in a passage.
    fn claims_of_others(&self, key: &PassageKey, excerpt: &ClearExcerpt<'_>) -> Result<Vec<Claim>, ReadError> {
        let others = self.proposals.for_passage(key)?.into_iter().filter(|(by, _)| {
            (by.provider.as_str(), by.model.as_str()) != (self.by.provider.as_str(), self.by.model.as_str())
        });
        let extract = self.memora.config.extractor();
        let read = others.filter_map(|(_, reply)| ProposalReply::parse(&reply).ok());
        Ok(read.flat_map(|reply| extract.ground_proposals(&excerpt.passage(), &reply.proposals).claims).collect())
    }

    /// Counts the claims that the notes support and that no other model read before.
    fn count_accepted(
        &self,
        excerpt: &ClearExcerpt<'_>,
        reply: &ProposalReply,
        others: &[Claim],
        extracted: &mut ExtractionOutcome,
    ) {
        if reply.malformed > 0 {
            *extracted.rejected.entry(Ungrounded::Malformed).or_default() += reply.malformed;
        }
        let passage = excerpt.passage();
        let grounded = self.memora.config.extractor().ground_proposals(&passage, &reply.proposals);
        let is_new = |claim: &&Claim| !others.iter().any(|other| is_equivalent_claim(other, claim, passage.note()));
        let added = grounded.claims.iter().filter(is_new).count();
        extracted.added += added;
        if added < grounded.claims.len() {
            *extracted.rejected.entry(Ungrounded::Duplicate).or_default() += grounded.claims.len() - added;
        }
        for (why, count) in grounded.rejected {
            *extracted.rejected.entry(why).or_default() += count;
        }
    }
}
