//! Questions that the user left unanswered: asked in reviews of two days, with no checkbox ticked.
//!
//! Invariant: **the reviews in the vault are the only record.** If they are deleted, the questions are asked again. A
//! review of today does not count, so that a second one on the same day asks the same questions.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::{ClaimId, DecisionKind, ParsedNote};
use memora_redact::Viewer;
use memora_store::{NoteFilter, ReadError};

use super::checkboxes::{Ticked, parse_tick_comment, parse_ticked, review_name, strip_ticked_box};
use super::note::kind_title;
use crate::oversee::review::builder::{ReviewBuilder, ReviewCandidate};
use crate::state::note_kind::is_review;

/// The number of days on which a question may stay unanswered before it is dropped.
const UNANSWERED_DAYS_MAX: usize = 2;

/// A question's key in a review: the title of its kind, and the statements or the memory it is about.
type QuestionKey = (String, BTreeSet<String>);

impl ReviewBuilder<'_> {
    /// Returns the questions left unanswered often enough. Reviews are the user's own: a cloud door sees none.
    pub(super) fn unanswered_questions(&self) -> Result<BTreeSet<QuestionKey>, ReadError> {
        let mut days: BTreeMap<QuestionKey, BTreeSet<String>> = BTreeMap::new();
        if !self.session.door.is_local() {
            return Ok(BTreeSet::new());
        }
        let today = self.session.memora.config.today.strftime("%Y%m%d").to_string();
        let filter =
            NoteFilter { properties: vec![("memora".to_owned(), "review".to_owned())], ..NoteFilter::default() };
        for path in self.session.snapshot.notes_matching(&filter)? {
            let Some(note) = self.session.notes.read_note(&path).map(ParsedNote::note).filter(|note| is_review(note))
            else {
                continue;
            };
            let day: String = review_name(note).chars().take(8).collect();
            if day >= today {
                continue;
            }
            for asked in parse_unanswered(note.text()) {
                days.entry(asked).or_default().insert(day.clone());
            }
        }
        Ok(days.into_iter().filter(|(_, days)| days.len() >= UNANSWERED_DAYS_MAX).map(|(asked, _)| asked).collect())
    }
}

/// Returns the key of an item in a review.
pub(super) fn question_key(item: &ReviewCandidate) -> Option<QuestionKey> {
    let later = item.question.choices.iter().find(|choice| choice.act == DecisionKind::Later)?;
    let statement = |id: &String| ClaimId::parse(id).ok().map(|id| id.statement().to_string());
    let about = match &item.question.memory {
        Some(memory) => BTreeSet::from([memory.clone()]),
        None => std::iter::once(&later.claim).chain(&later.over).filter_map(statement).collect(),
    };
    Some((kind_title(item.kind).to_owned(), about))
}

/// Parses the questions of a review without a ticked checkbox.
fn parse_unanswered(text: &str) -> Vec<QuestionKey> {
    let (mut found, mut titled, mut ticked) = (Vec::new(), String::new(), false);
    let mut open: Option<QuestionKey> = None;
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            found.extend(open.take().filter(|_| !ticked));
            ticked = false;
            let words = heading.split_once(". ").map_or(heading, |(_, words)| words);
            titled = words.split_once(": ").map_or(words, |(title, _)| title).to_owned();
        }
        let Some(made) = parse_tick_comment(line).and_then(|comment| parse_ticked(comment, "", "")) else { continue };
        ticked |= strip_ticked_box(line.trim_start()).is_some();
        let (act, about) = match made {
            Ticked::Claim(made) => (made.act, made.named_claims().map(|id| id.statement().to_string()).collect()),
            Ticked::Memory(tick) => (tick.act, BTreeSet::from([tick.id.to_string()])),
        };
        if act == DecisionKind::Later {
            open = Some((titled.clone(), about));
        }
    }
    found.extend(open.filter(|_| !ticked));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_without_a_tick_is_passed_over() {
        let item = |tick: &str| {
            format!(
                "## 1. Told long ago: Is this so\n\n- `x`\n\n- [{tick}] still true %%memora: keep 7h3kq0v9x2ma%%\n- [ ] later \
                 %%memora: later 7h3kq0v9x2ma%%\n"
            )
        };
        let [(title, about)] = parse_unanswered(&item(" ")).try_into().expect("one");
        assert_eq!((title.as_str(), about.len()), ("Told long ago", 1));
        assert!(parse_unanswered(&item("x")).is_empty());
        assert_eq!(parse_unanswered(&format!("{}{}", item("x"), item(" "))).len(), 1);
    }
}
