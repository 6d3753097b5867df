//! What a session just did, in words, and what takes it back.
//!
//! Invariant: **a page tells it to the session that did it, and to no other**: an address has a random mark of it, never the words or the
//! id, so that no link from elsewhere can have a page say that something was decided, or offer to take something back.

use memora_engine::report::{DecisionKind, DecisionReport};
use memora_engine::{ClaimId, LocalDoor, MemoryId, MemorySession, MemoryWriter, Session};

use crate::audience::Reading;
use crate::error::PageError;
use crate::links;
use crate::svg::shorten;
use crate::token::random_token;

/// How many characters of a sentence are told.
const SENTENCE_MAX: usize = 300;

/// What was decided or changed.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    mark: String,
    /// What it was, in words.
    pub(crate) words: &'static str,
    /// What it is about; empty where that is in the notes no longer.
    pub(crate) sentence: String,
    /// Where that is explained.
    pub(crate) address: Option<String>,
    /// What takes it back.
    pub(crate) undo: Option<Undo>,
}

/// The form that takes something back.
#[derive(Clone, Debug)]
pub(crate) struct Undo {
    /// Where it is sent.
    pub(crate) action: &'static str,
    /// The field that names what it is about.
    pub(crate) field: &'static str,
    pub(crate) about: String,
    /// What follows from it.
    pub(crate) words: &'static str,
}

impl Done {
    /// A decision about a claim, or about a memory that a review asked about.
    pub(crate) fn decided(
        session: &Session<'_, LocalDoor>,
        reading: &Reading<'_>,
        made: &DecisionReport,
    ) -> Result<Self, PageError> {
        if MemoryId::parse(&made.claim).is_some() {
            let sentence = words_of_memory(reading, &made.claim)?;
            let act = match made.act {
                DecisionKind::Keep => MemoryAct::Keep,
                DecisionKind::Retract => MemoryAct::Forget,
                DecisionKind::Later => MemoryAct::Later,
                DecisionKind::Both | DecisionKind::End | DecisionKind::Restore => MemoryAct::Restore,
            };
            return Ok(Self::changed(act, &made.claim, sentence));
        }
        let id = ClaimId::parse(&made.claim).ok();
        let claims = session.lifecycle_reports().find_claims(id.as_slice())?;
        let sentence = claims.first().and_then(|claim| claim.place()).map_or("", |place| place.quote.as_str());
        let again = match made.act {
            DecisionKind::Restore => None,
            DecisionKind::Later => Some("Undo asks it again now."),
            DecisionKind::Keep | DecisionKind::Both | DecisionKind::Retract | DecisionKind::End => {
                Some("Undo takes back what you decided about it. No note is changed by either.")
            }
        };
        let about = made.claim.clone();
        Ok(Self {
            mark: random_token(),
            words: decision_words(made.act),
            sentence: one_line(sentence),
            address: Some(links::claim(&made.claim)),
            undo: again.map(|words| Undo { action: "/decide", field: "claim", about, words }),
        })
    }

    /// A change of what agents remember.
    pub(crate) fn changed(act: MemoryAct, id: &str, sentence: String) -> Self {
        let words = match act {
            MemoryAct::Keep => "It stays remembered.",
            MemoryAct::Forget => "It is forgotten. Its file lies in the archive.",
            MemoryAct::Restore => "It is remembered again.",
            MemoryAct::Correct => "It has other words now.",
            MemoryAct::Later => "It is asked again in 30 days.",
        };
        let undo = (act == MemoryAct::Forget).then(|| Undo {
            action: "/memory",
            field: "id",
            about: id.to_owned(),
            words: "Undo brings it back from the archive.",
        });
        Self { mark: random_token(), words, sentence: one_line(&sentence), address: None, undo }
    }

    /// By which an address leads to it.
    pub(crate) fn mark(&self) -> &str {
        &self.mark
    }
}

/// What was done to a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryAct {
    Keep,
    Forget,
    Restore,
    Correct,
    Later,
}

/// A decision as a sentence.
pub(crate) fn decision_words(act: DecisionKind) -> &'static str {
    match act {
        DecisionKind::Keep => "You decided: it holds.",
        DecisionKind::Both => "You decided: both hold.",
        DecisionKind::Retract => "You decided: it never held. Your note still says so; answers leave it out.",
        DecisionKind::End => {
            "You decided: it no longer holds. When it ended is not known; it counts as held until today."
        }
        DecisionKind::Restore => "You took back what you had decided. It counts as the note has it.",
        DecisionKind::Later => "You put it off: it is asked again in 30 days.",
    }
}

/// The words of a memory, in the archive or not; empty where there is none.
pub(crate) fn words_of_memory(reading: &Reading<'_>, id: &str) -> Result<String, PageError> {
    let (of, writer) = (MemorySession::default(), MemoryWriter::user(reading.memora));
    let session = reading.session::<LocalDoor>()?;
    let list = session.memories(&of, &writer)?.reader().list(None, true, true, usize::MAX)?;
    Ok(list.items.into_iter().find(|item| item.id == id).map(|item| item.text).unwrap_or_default())
}

fn one_line(words: &str) -> String {
    shorten(&words.split_whitespace().collect::<Vec<_>>().join(" "), SENTENCE_MAX)
}
