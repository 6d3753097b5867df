//! What the user passed over: asked in reviews of two days, and no box of it ticked.
//!
//! The one rule to know: **the reviews in the vault tell, and nothing else is kept.** Who deletes them is asked again. A
//! review of today does not count, so that a second one on a day asks what the first asked.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::{Act, ClaimId, FreshNote, StatementId};
use memora_redact::Door;
use memora_store::{NoteFilter, ReadError};

use super::Item;
use super::note::title;
use super::ticks::{comment, decision, name, tick_box};
use crate::prepare::is_review;
use crate::session::Session;

/// In reviews of how many days something may be passed over before it is let be.
const PASSED_MAX: usize = 2;

/// What is asked, as it is known in a review: the title of its kind, and what it is about.
type Asked = (String, BTreeSet<StatementId>);

impl<D: Door> Session<'_, D> {
    /// What was passed over often enough to be let be. Reviews are the user's own: a cloud door knows of none.
    pub(super) fn passed_over(&self) -> Result<BTreeSet<Asked>, ReadError> {
        let mut days: BTreeMap<Asked, BTreeSet<String>> = BTreeMap::new();
        if !self.door.is_local() {
            return Ok(BTreeSet::new());
        }
        let today = self.memora.config.today.strftime("%Y%m%d").to_string();
        let filter =
            NoteFilter { properties: vec![("memora".to_owned(), "review".to_owned())], ..NoteFilter::default() };
        for path in self.snapshot.notes_where(&filter)? {
            let Some(note) = self.fresh(&path).map(FreshNote::note).filter(|note| is_review(note)) else { continue };
            let day: String = name(note).chars().take(8).collect();
            if day >= today {
                continue;
            }
            for asked in untouched(note.text()) {
                days.entry(asked).or_default().insert(day.clone());
            }
        }
        Ok(days.into_iter().filter(|(_, days)| days.len() >= PASSED_MAX).map(|(asked, _)| asked).collect())
    }
}

/// How an item is known in a review.
pub(super) fn known_as<D>(item: &Item<D>) -> Option<Asked> {
    let later = item.challenge.choices.iter().find(|choice| choice.act == Act::Later)?;
    let named = std::iter::once(&later.claim).chain(&later.over).filter_map(|id| ClaimId::parse(id).ok());
    Some((title(item.kind).to_owned(), named.map(|id| id.statement()).collect()))
}

/// What a review asks without a ticked box.
fn untouched(text: &str) -> Vec<Asked> {
    let (mut found, mut titled, mut ticked) = (Vec::new(), String::new(), false);
    let mut open: Option<Asked> = None;
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            found.extend(open.take().filter(|_| !ticked));
            ticked = false;
            let words = heading.split_once(". ").map_or(heading, |(_, words)| words);
            titled = words.split_once(": ").map_or(words, |(title, _)| title).to_owned();
        }
        let Some(made) = comment(line).and_then(|comment| decision(comment, "", "")) else { continue };
        ticked |= tick_box(line.trim_start()).is_some();
        if made.act == Act::Later {
            open = Some((titled.clone(), made.named().map(ClaimId::statement).collect()));
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
        let [(title, about)] = untouched(&item(" ")).try_into().expect("one");
        assert_eq!((title.as_str(), about.len()), ("Told long ago", 1));
        assert!(untouched(&item("x")).is_empty());
        assert_eq!(untouched(&format!("{}{}", item("x"), item(" "))).len(), 1);
    }
}
