//! What a pass of consolidation proposes, and has not done.

use std::collections::BTreeMap;

use memora_memory::{DigestPeriod, Document, MemoryId};
use memora_vault::{Band, NotePath};

use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::save::AdmittedItem;
use crate::remember::sessions::SessionNoteFile;
use crate::report::{
    ConsolidationAct, ConsolidationModelReport, ConsolidationStep, DroppedFor, SaveStatus, ScopeShare, pluralize,
};

/// After so many replies in a row that are not as asked, no more is asked.
const MISSES_MAX: usize = 3;

/// The most questions in one pass.
const CALLS_MAX: usize = 20;

/// Why a sentence of a model's does not go into a plan.
pub(crate) enum Untaken {
    Dropped(&'static str),
    Failed(MemoryError),
}

impl From<DroppedFor> for Untaken {
    fn from(reason: DroppedFor) -> Self {
        Self::Dropped(reason.as_str())
    }
}

impl From<SaveStatus> for Untaken {
    fn from(status: SaveStatus) -> Self {
        Self::Dropped(status.as_str())
    }
}

impl From<MemoryError> for Untaken {
    fn from(error: MemoryError) -> Self {
        Self::Failed(error)
    }
}

/// A sentence that replaces memories.
pub(super) struct WordedMerge {
    /// The one that would stay.
    pub(super) stays: MemoryId,
    pub(super) admitted: AdmittedItem,
}

/// A digest that is proposed, and what goes to the archive for it.
pub(crate) struct PlannedDigest {
    pub(super) id: MemoryId,
    pub(super) path: NotePath,
    pub(super) period: DigestPeriod,
    pub(super) band: Band,
    pub(super) document: Document,
    pub(super) parts: Vec<SessionNoteFile>,
    /// The digests of the same time that it takes the place of.
    pub(super) older: Vec<SessionNoteFile>,
}

impl PlannedDigest {
    /// The ids of what goes to the archive.
    pub(super) fn archived(&self) -> impl Iterator<Item = &MemoryId> {
        self.parts.iter().chain(&self.older).map(|part| &part.id)
    }

    pub(super) fn report(&self) -> ConsolidationStep {
        let parts = if self.period.level() == 2 { "session" } else { "week" };
        let gist = format!("{} of {}", pluralize(self.parts.len(), parts), self.period);
        ConsolidationStep::new(ConsolidationAct::Digest, &self.id, self.path.as_str(), gist, self.band)
    }
}

/// What is proposed, and not done.
#[derive(Default)]
pub struct ConsolidationPlan {
    /// Entries of logs that become items, and facts from notes of sessions.
    pub(super) promote: Vec<(ConsolidationStep, AdmittedItem)>,
    pub(super) facts: Vec<(ConsolidationStep, AdmittedItem)>,
    /// What goes, and what stays.
    pub(super) merge: Vec<(FoundItem, FoundItem)>,
    /// Sentences that replace what would stay.
    pub(super) wordings: Vec<WordedMerge>,
    pub(super) prune: Vec<FoundItem>,
    pub(super) digests: Vec<PlannedDigest>,
    /// The sessions and weeks that wait for a digest.
    pub(super) waiting: usize,
    pub(super) items: usize,
    pub(super) compared: usize,
    pub(super) too_much: Vec<ScopeShare>,
    /// The notes of sessions of which all that a model found is in the plan, or was dropped; as recorded.
    pub(super) read: Vec<String>,
    /// What of a model's replies was dropped, by reason.
    pub(super) dropped: BTreeMap<&'static str, usize>,
    pub(super) model: Option<ConsolidationModelReport>,
}

impl ConsolidationPlan {
    /// Notes that a language model, if there is one, took part, and what it was asked.
    pub fn note_model(&mut self, asked: ConsolidationCalls) {
        self.model = Some(asked.report);
    }

    /// What was taken; counts what was not, by its reason.
    pub(super) fn count_untaken<T>(&mut self, done: Result<T, Untaken>) -> Result<Option<T>, MemoryError> {
        match done {
            Ok(taken) => Ok(Some(taken)),
            Err(Untaken::Failed(error)) => Err(error),
            Err(Untaken::Dropped(reason)) => {
                *self.dropped.entry(reason).or_default() += 1;
                Ok(None)
            }
        }
    }

    /// Takes the facts out, as a plan of their own.
    pub(super) fn split_facts(&mut self) -> Self {
        let (facts, read) = (std::mem::take(&mut self.facts), std::mem::take(&mut self.read));
        Self { facts, read, ..Self::default() }
    }
}

/// What was asked in a pass.
#[derive(Debug, Default)]
pub struct ConsolidationCalls {
    pub(super) report: ConsolidationModelReport,
    pub(super) misses: usize,
    pub(super) is_over: bool,
}

impl ConsolidationCalls {
    /// No calls so far, of this model if there is one; why there are none, if that is known already.
    #[must_use]
    pub fn new(name: Option<&str>, failure: Option<String>) -> Self {
        let name = name.map(str::to_owned);
        Self { report: ConsolidationModelReport { name, failure, ..Default::default() }, ..Self::default() }
    }

    pub(super) fn may_go_on(&self) -> bool {
        !self.is_over && self.report.calls < CALLS_MAX
    }

    pub(super) fn miss(&mut self, failure: String) {
        self.report.failure = Some(failure);
        self.misses += 1;
        self.is_over |= self.misses >= MISSES_MAX;
    }
}
