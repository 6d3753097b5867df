//! What a pass of consolidation proposes, and has not done.

use std::collections::BTreeMap;

use memora_memory::{DigestPeriod, Document, MemoryId};
use memora_vault::{Band, NotePath};

use crate::remember::items::FoundItem;
use crate::remember::save::AdmittedItem;
use crate::remember::sessions::SessionNoteFile;
use crate::report::{ConsolidationAct, ConsolidationModelReport, ConsolidationStep, ScopeShare, pluralize};

/// After so many replies in a row that are not as asked, no more is asked.
const MISSES_MAX: usize = 3;

/// The most questions in one pass.
const CALLS_MAX: usize = 20;

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
        ConsolidationStep {
            act: ConsolidationAct::Digest,
            id: self.id.to_string(),
            path: self.path.as_str().to_owned(),
            gist: format!("{} of {}", pluralize(self.parts.len(), parts), self.period),
            band: self.band,
            into: None,
            sessions: 0,
            quote: None,
            wording: None,
            done: false,
        }
    }
}

/// What is proposed, and not done.
#[derive(Default)]
pub struct ConsolidationPlan {
    pub(super) promote: Vec<(ProposedEntry, AdmittedItem)>,
    pub(super) facts: Vec<(ProposedEntry, AdmittedItem)>,
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
    /// The notes of sessions that were judged, as recorded.
    pub(super) read: Vec<String>,
    /// What of a model's replies was dropped, by reason.
    pub(super) dropped: BTreeMap<&'static str, usize>,
    pub(super) model: Option<ConsolidationModelReport>,
}

/// What is proposed as an item: an entry of a log, or a fact from the note of a session.
pub(super) struct ProposedEntry {
    pub(super) act: ConsolidationAct,
    pub(super) id: MemoryId,
    pub(super) path: String,
    pub(super) band: Band,
    pub(super) sessions: u32,
    pub(super) quote: Option<String>,
}

impl ConsolidationPlan {
    /// Notes that a language model, if there is one, took part, and what it was asked.
    pub fn note_model(&mut self, name: Option<&str>, asked: ConsolidationCalls) {
        let ConsolidationCalls { calls, due, failure, .. } = asked;
        let name = name.map(str::to_owned);
        self.model = Some(ConsolidationModelReport { name, calls, due, dropped: Vec::new(), failure });
    }

    /// The facts that are proposed so far.
    pub(super) fn facts(&self) -> impl Iterator<Item = &AdmittedItem> {
        self.facts.iter().map(|(_, admitted)| admitted)
    }

    /// The pairs of what goes and what stays.
    pub(super) fn merges(&self) -> impl Iterator<Item = &(FoundItem, FoundItem)> {
        self.merge.iter()
    }

    pub(super) fn add_fact(&mut self, entry: ProposedEntry, admitted: AdmittedItem) {
        self.facts.push((entry, admitted));
    }

    /// Notes that all that a model found in a session's note is in the plan, or was dropped.
    pub(super) fn note_read(&mut self, record: String) {
        self.read.push(record);
    }

    pub(super) fn add_wording(&mut self, worded: WordedMerge) {
        self.wordings.push(worded);
    }

    pub(super) fn drop_one(&mut self, reason: &'static str) {
        *self.dropped.entry(reason).or_default() += 1;
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
    /// How often the model was asked.
    pub calls: usize,
    /// Notes of sessions that it was not asked about yet.
    pub due: usize,
    /// Why it was asked no more, or what its last failure was.
    pub failure: Option<String>,
    pub(super) misses: usize,
    pub(super) is_over: bool,
}

impl ConsolidationCalls {
    /// No calls, for this reason.
    #[must_use]
    pub fn without_model(failure: String) -> Self {
        Self { failure: Some(failure), ..Self::default() }
    }

    pub(super) fn may_go_on(&self) -> bool {
        !self.is_over && self.calls < CALLS_MAX
    }

    pub(super) fn miss(&mut self, failure: String) {
        self.failure = Some(failure);
        self.misses += 1;
        self.is_over |= self.misses >= MISSES_MAX;
    }
}
