//! Review items about what agents remember, and their ticks. They are asked where the user alone reads.
//!
//! Invariant: **a tick is about the words that were asked about**: behind it stands their signature, and other words of the same
//! memory are neither kept nor forgotten by it.

use memora_claim::{DecisionKind, MemoryDecision};
use memora_memory::MemoryId;
use memora_redact::{Viewer, WireClaim};
use memora_store::NoteFilter;

use crate::oversee::review::builder::{ReviewBuilder, ReviewCandidate, ReviewTicks, new_choice, new_review_item};
use crate::oversee::review::claim_items::quote_claim;
use crate::read::lifecycle::Lifecycle;
use crate::remember::{Memories, MemoryDoubt, MemoryError, MemoryQuestion, MemorySession, MemoryWriter};
use crate::report::{ForgetStatus, Freshness, ReviewChoice, ReviewItem, ReviewKind as Kind, ReviewReport};
use crate::state::decisions_file::append_decision;
use crate::state::session::Session;

/// A ticked box about a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MemoryTick {
    pub(super) act: DecisionKind,
    pub(super) id: MemoryId,
    /// The signature of the words that were asked about; `None` for what is asked later.
    words: Option<String>,
    review: String,
}

impl ReviewBuilder<'_> {
    /// Collects the review as [`ReviewBuilder::report_items`], at the local door with the questions about what agents
    /// remember.
    pub(crate) fn report_with_memories(&self, limit: usize, freshness: Freshness) -> Result<ReviewReport, MemoryError> {
        let folder = self.session.memora.config.memory.folder.clone();
        let properties = vec![("memora".to_owned(), "memory".to_owned())];
        let filter = NoteFilter { properties, folders: vec![folder], ..NoteFilter::default() };
        let mut items = Vec::new();
        if self.session.door.is_local() && !self.session.snapshot.notes_matching(&filter)?.is_empty() {
            let asked =
                with_memories(self.session, |memories| memories.claims().find_questions())?.into_iter().enumerate();
            items.extend(asked.map(|(number, question)| memory_item(number, question)));
        }
        Ok(self.report_all(limit, freshness, items)?)
    }
}

/// Acts on what agents remember, as the user.
fn with_memories<T>(
    session: &Session<'_>,
    act: impl FnOnce(&Memories<'_>) -> Result<T, MemoryError>,
) -> Result<T, MemoryError> {
    let (of, writer) = (MemorySession::default(), MemoryWriter::user(session.memora));
    act(&Memories::new(session, &of, &writer)?)
}

impl ReviewTicks<'_> {
    /// Applies a tick; the reason if it cannot be.
    pub(super) fn apply_memory_tick(
        &self,
        tick: &MemoryTick,
        at: &str,
    ) -> Result<Result<MemoryDecision, &'static str>, MemoryError> {
        with_memories(self.session, |memories| self.apply_tick_to(memories, tick, at))
    }

    fn apply_tick_to(
        &self,
        memories: &Memories<'_>,
        tick: &MemoryTick,
        at: &str,
    ) -> Result<Result<MemoryDecision, &'static str>, MemoryError> {
        let gone = "there is no such memory any more";
        let changed = "its words have changed since it was asked";
        if let Some(words) = &tick.words {
            match memories.claims().sign_question(&tick.id)? {
                None => return Ok(Err(gone)),
                Some(now) if now != *words => return Ok(Err(changed)),
                Some(_) => {}
            }
        }
        let review = Some(tick.review.clone());
        match tick.act {
            DecisionKind::Keep => return Ok(memories.gate().confirm(&tick.id, at, review)?.ok_or(gone)),
            DecisionKind::Retract => {
                match memories.upkeep().forget(&tick.id, Some("you ticked so in a review"))?.status {
                    ForgetStatus::Forgotten => {}
                    ForgetStatus::NotOwned => return Ok(Err(ForgetStatus::NOT_OWNED_REASON)),
                    ForgetStatus::Restored | ForgetStatus::Unknown => return Ok(Err(gone)),
                }
            }
            DecisionKind::Both | DecisionKind::End | DecisionKind::Restore | DecisionKind::Later => {}
        }
        let memory = tick.id.to_string();
        let made =
            MemoryDecision { at: at.to_owned(), act: tick.act, memory, words: None, despite: Vec::new(), review };
        append_decision(&self.session.memora.vault, &made).map_err(MemoryError::from)?;
        Ok(Ok(made))
    }

    /// Returns whether this review's last decision about the memory is this one.
    pub(super) fn is_memory_tick_applied(&self, tick: &MemoryTick) -> bool {
        let made = Lifecycle::new(self.session).decisions().about_memories();
        let about =
            |known: &&MemoryDecision| known.review.as_ref() == Some(&tick.review) && known.memory == tick.id.as_str();
        made.iter().rfind(about).is_some_and(|known| known.act == tick.act)
    }
}

impl ReviewBuilder<'_> {
    /// Returns whether the user postponed the question about a memory after a day.
    pub(super) fn is_memory_postponed(&self, memory: &str, since: &str) -> bool {
        Lifecycle::new(self.session).decisions().about_memories().iter().any(|made| {
            made.act == DecisionKind::Later && made.memory == memory && made.at.get(..10).is_some_and(|day| day > since)
        })
    }
}

/// Parses `keep mem-… words …`, as it stands behind a box.
pub(super) fn parse_memory_tick(comment: &str, review: &str) -> Option<MemoryTick> {
    let words: Vec<&str> = comment.split_whitespace().collect();
    let (act, id, words) = match words.as_slice() {
        [act, id] => (act, id, None),
        [act, id, "words", words] => (act, id, Some((*words).to_owned())),
        _ => return None,
    };
    let act = DecisionKind::parse(act)?;
    let asked = match act {
        DecisionKind::Keep | DecisionKind::Retract => words.is_some(),
        DecisionKind::Later => words.is_none(),
        DecisionKind::Both | DecisionKind::End | DecisionKind::Restore => false,
    };
    asked.then_some(MemoryTick { act, id: MemoryId::parse(id)?, words, review: review.to_owned() })
}

fn memory_item(number: usize, asked: MemoryQuestion) -> ReviewCandidate {
    let MemoryQuestion { id, path, text, by, band, asks, words } = asked;
    let whose = if by == "user" { "you".to_owned() } else { by };
    let remembered = quote_words(&text);
    let (question, why, advice, claims) = match asks {
        MemoryDoubt::Conflict(claims) => {
            let question = match claims.first() {
                Some(claim) => {
                    format!("Your note says {}; {whose} remembered {remembered}: which is right?", quote_claim(claim))
                }
                None => format!("Against your notes {whose} remembered {remembered}: is that right?"),
            };
            let why = "your notes and what was remembered cannot both hold".to_owned();
            (question, why, "Keep the memory, or forget it; where the note is out of date, correct the note.", claims)
        }
        MemoryDoubt::Stale(because) => {
            let question = format!("Does this still hold, which {whose} remembered: {remembered}?");
            let why = because.iter().map(|ground| ground.explanation.as_str()).collect::<Vec<_>>().join("; ");
            let mut claims: Vec<WireClaim> = Vec::new();
            for claim in because.into_iter().flat_map(|ground| ground.was.into_iter().chain(ground.now)) {
                if claims.iter().all(|known| known.id() != claim.id()) {
                    claims.push(claim);
                }
            }
            (question, why, "Keep the memory if it holds nevertheless, or forget it.", claims)
        }
        MemoryDoubt::Instruction => {
            let question = format!("Shall agents be told this, which {whose} remembered: {remembered}?");
            let why = "it reads as an instruction that you did not give".to_owned();
            (question, why, "Keep it only if you want agents to act on it.", Vec::new())
        }
    };
    let choice = |tick, act| ReviewChoice { words: Some(words.clone()), ..new_choice(tick, act, id.as_str(), &[]) };
    let choices = vec![
        choice("keep the memory", DecisionKind::Keep),
        choice("forget it", DecisionKind::Retract),
        new_choice("later", DecisionKind::Later, id.as_str(), &[]),
    ];
    let asked = new_review_item(Kind::Memory, question, why, advice, claims);
    let question = ReviewItem {
        band: asked.band.join(band),
        path: Some(path.as_str().to_owned()),
        memory: Some(id.to_string()),
        choices,
        ..asked
    };
    ReviewCandidate { kind: Kind::Memory, key: format!("{number:06}"), question }
}

/// Quotes a memory as a whole: what is confirmed must have been shown.
fn quote_words(text: &str) -> String {
    format!("“{}”", text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_review_writes_behind_its_boxes_is_a_tick() {
        let tick = |comment: &str| parse_memory_tick(comment, "r1").map(|tick| (tick.act, tick.words));
        let words = Some("3v9k5n0qf2".to_owned());
        assert_eq!(tick("keep mem-7h3kq0v9x2ma words 3v9k5n0qf2"), Some((DecisionKind::Keep, words.clone())));
        assert_eq!(tick("retract mem-7h3kq0v9x2ma words 3v9k5n0qf2"), Some((DecisionKind::Retract, words)));
        assert_eq!(tick("later mem-7h3kq0v9x2ma"), Some((DecisionKind::Later, None)));
        for none in [
            "keep mem-7h3kq0v9x2ma",
            "keep 7h3kq0v9x2ma",
            "end mem-7h3kq0v9x2ma words x",
            "later mem-7h3kq0v9x2ma words x",
            "keep mem-7h words x",
            "keep mem-7h3kq0v9x2ma over 7h3kq0v9x2ma",
            "",
        ] {
            assert_eq!(tick(none), None, "{none}");
        }
    }
}
