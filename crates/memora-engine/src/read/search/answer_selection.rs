//! Selects the claims of an answer: the best statement first, then only statements that add to it.
//!
//! Invariant: **fewer is better.** A statement that is far less likely than the best, repeats another one, or says
//! nothing by itself (an introduction to a list, a note's own title or date, a bare link) is left out; a sentence that
//! depends on the one before it brings that one along.

use std::collections::HashSet;

use memora_claim::conflict::ClaimStatus;
use memora_claim::{Extractor, STATES};
use memora_redact::ClearClaim;
use memora_retrieve::EvidenceStrength;
use memora_store::ReadError;
use memora_vault::PartialDate;

use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::Lifecycle;
use crate::read::lists::{CONTEXT_WORDS, TASK_NOUNS};
use crate::read::search::{ClaimSearch, FoundClaim, lowercase_words};
use crate::state::sources::clearest_source;

/// The hits by which the form of an answer is chosen, so that it does not depend on how many claims are wanted.
pub(crate) const WINDOW: usize = 20;

/// Maximum distance in rank to the best claim, in log-odds.
const RANK_GAP_MAX: f32 = 2.0;

/// The same where a list is asked for.
const RANK_GAP_MAX_IN_LIST: f32 = 5.0;

/// The items of a list that are put into its order together.
const LIST_SHOWN: usize = 5;

/// Maximum number of words of a line that only introduces a list.
const HEADING_WORDS: usize = 8;

/// Two statements that share this part of their words are duplicates.
const DUPLICATE_SHARE: f32 = 0.8;

/// Properties about how a note was made, not about its subject. (`tags`, `id` and the like are not
/// statements at all.)
const NOTE_METADATA: &[&str] =
    &["title", "date", "created", "updated", "modified", "lastmod", "slug", "layout", "share", "draft"];

/// What the form of a question asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct QuestionForm {
    /// Several things, to be listed.
    pub(crate) list: bool,
    /// Tasks that are not done.
    pub(crate) tasks: bool,
}

impl QuestionForm {
    pub(crate) fn from_question(question: &str) -> Self {
        let words = lowercase_words(question);
        let has = |wanted: &[&str]| words.windows(wanted.len()).any(|part| part == wanted);
        let first = words.first().map_or("", String::as_str);
        let second = words.get(1).map_or("", String::as_str);
        let plural =
            second.ends_with('s') && !second.ends_with("ss") && !matches!(second, "is" | "was" | "has" | "does");
        Self {
            list: matches!(first, "list" | "liste")
                || (matches!(first, "which" | "what") && plural)
                || has(&["what", "are"]),
            tasks: TASK_NOUNS.iter().any(|word| has(&[word]))
                || has(&["to", "do", "list"])
                || has(&["still", "have", "to"])
                || has(&["still", "need", "to"])
                || has(&["left", "to", "do"]),
        }
    }
}

/// Selects the hits of an answer, best first, at most `limit`. A larger limit appends to a smaller one.
pub(crate) fn choose_hits<'s>(hits: Vec<FoundClaim<'s>>, form: QuestionForm, limit: usize) -> Vec<FoundClaim<'s>> {
    let tells = |hit: &FoundClaim<'_>| is_informative(&hit.claim);
    let is_open = |hit: &FoundClaim<'_>| hit.claim.claim().is_open_task();
    let only_tasks = form.tasks && hits.iter().take(WINDOW).any(|hit| tells(hit) && is_open(hit));
    let mut said: Vec<FoundClaim<'s>> = Vec::new();
    let mut alike: Vec<HashSet<String>> = Vec::new();
    for hit in hits.into_iter().filter(|hit| tells(hit) && !hit.off_topic && (!only_tasks || is_open(hit))) {
        let behind = if form.list || only_tasks { RANK_GAP_MAX_IN_LIST } else { RANK_GAP_MAX };
        // The best hit must be evidence by itself; the others need not be.
        let is_far = match said.first() {
            Some(best) => hit.rank < best.rank - behind,
            None => hit.strength == EvidenceStrength::Nearest,
        };
        if said.len() >= limit || is_far {
            break;
        }
        // A property may be the answer, but never adds to one.
        if !said.is_empty() && hit.claim.claim().extractor == Extractor::Property {
            continue;
        }
        let own = word_set(&hit.claim.place().words());
        if alike.iter().any(|others| is_near_duplicate(&own, others)) {
            continue;
        }
        alike.push(own);
        said.push(hit);
    }
    if form.list {
        // What a larger limit adds stands behind what is shown without it.
        let first = said.len().min(LIST_SHOWN);
        let (shown, more) = said.split_at_mut(first);
        restore_list_order(shown);
        restore_list_order(more);
    }
    said
}

/// Puts the items of one list back into the list's order.
fn restore_list_order(said: &mut [FoundClaim<'_>]) {
    let of = |hit: &FoundClaim<'_>| (hit.claim.place().note().path().clone(), hit.claim.place().span().start());
    if let Some((first, rest)) = said.split_first()
        && rest.iter().all(|hit| of(hit).0 == of(first).0)
    {
        said.sort_by_key(of);
    }
}

/// Whether a claim's words say anything by themselves.
pub(crate) fn is_informative(claim: &ClearClaim<'_>) -> bool {
    let (place, claim) = (claim.place(), claim.claim());
    let words = place.words();
    let words = words.trim();
    let of_the_note =
        claim.extractor == Extractor::Property && NOTE_METADATA.contains(&claim.predicate.to_lowercase().as_str());
    let is_address = (words.starts_with("http") || words.starts_with("www.")) && !words.contains(char::is_whitespace);
    let mut above = place.headings().iter().map(String::as_str).chain(place.parent()).chain([place.note().title()]);
    let repeats = above.any(|above| above.trim().eq_ignore_ascii_case(words));
    let is_date = PartialDate::parse(words).is_some();
    let is_short = words.split_whitespace().count() <= HEADING_WORDS;
    let heads_a_list = claim.predicate == STATES && is_short && place.is_list_intro();
    !(of_the_note
        || is_address
        || is_date
        || repeats
        || heads_a_list
        || words.ends_with([':', '：'])
        || words.is_empty())
}

fn word_set(text: &str) -> HashSet<String> {
    lowercase_words(text).into_iter().collect()
}

fn is_near_duplicate(a: &HashSet<String>, b: &HashSet<String>) -> bool {
    // "13 tomatoes" on one day and "14 tomatoes" on the next are two facts.
    let numbers = |words: &HashSet<String>| -> HashSet<String> {
        words.iter().filter(|word| word.contains(|c: char| c.is_ascii_digit())).cloned().collect()
    };
    if numbers(a) != numbers(b) {
        return false;
    }
    #[expect(clippy::cast_precision_loss, reason = "a sentence has some dozen words")]
    let share = |part: usize, whole: usize| part as f32 / whole.max(1) as f32;
    share(a.intersection(b).count(), a.len().min(b.len())) >= DUPLICATE_SHARE
        && share(a.len().min(b.len()), a.len().max(b.len())) >= 0.5
}

/// Whether a sentence needs the one before it to be understood.
fn is_context_dependent(words: &str) -> bool {
    let first = words.split(|c: char| !c.is_alphanumeric() && c != '\'').find(|word| !word.is_empty());
    first.is_some_and(|first| CONTEXT_WORDS.contains(first.to_lowercase().as_str()))
}

impl<'s> ClaimSearch<'s> {
    /// The claims of the selected hits, at most `limit`; a context-dependent one is followed by the sentence before it.
    pub(crate) fn with_preceding_context(
        &self,
        said: Vec<FoundClaim<'s>>,
        limit: usize,
    ) -> Result<Vec<ClearClaim<'s>>, ReadError> {
        let mut shown: HashSet<_> = said.iter().map(|hit| hit.claim.claim().id.statement()).collect();
        let mut claims = Vec::with_capacity(said.len());
        for hit in said {
            let before = match is_context_dependent(&hit.claim.place().words()) {
                true => self.preceding_sentence(&hit.claim)?,
                false => None,
            };
            claims.push(hit.claim);
            claims.extend(before.filter(|before| shown.insert(before.claim().id.statement())));
        }
        claims.truncate(limit);
        Ok(claims)
    }

    /// The sentence right before a claim's in the same text, if this door may see it and it is current and informative.
    fn preceding_sentence(&self, claim: &ClearClaim<'_>) -> Result<Option<ClearClaim<'s>>, ReadError> {
        let Some(words) = claim.place().preceding_sentences().next() else { return Ok(None) };
        let Some(statement) = self.session.statement(claim.claim().id.statement())? else { return Ok(None) };
        let Some(source) = clearest_source(&statement) else { return Ok(None) };
        let around = self.session.snapshot.neighbours(source, source.row.band)?;
        let Some(before) = around.in_front.first().filter(|near| near.words == words) else { return Ok(None) };
        let Some(before) = self.session.statement(before.statement)? else { return Ok(None) };
        let Some(claim) = before.wording.claims.first().filter(|claim| !claim.is_withdrawn()) else { return Ok(None) };
        let clear = ClaimAuthorizer::new(self.session, Lifecycle::new(self.session)).authorize_claim(claim, &before)?;
        Ok(clear.filter(|clear| clear.status() == ClaimStatus::Current && is_informative(clear)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_tasks_are_asked_for_in_words() {
        let check = |question: &str, list: bool, tasks: bool| {
            assert_eq!(QuestionForm::from_question(question), QuestionForm { list, tasks }, "{question}");
        };
        check("Which books did I like?", true, false);
        check("What are the flags of tar?", true, false);
        check("List the podcasts on memory", true, false);
        check("What was the name of the café?", false, false);
        check("Which class was it?", false, false);
        check("What do I still have to buy for the trip?", false, true);
        check("open tasks for the garden", false, true);
        check("", false, false);
    }

    #[test]
    fn a_sentence_leans_by_its_first_word() {
        assert!(is_context_dependent("It was built in 1990."));
        assert!(is_context_dependent("But nobody came."));
        assert!(!is_context_dependent("Item two is done."));
        assert!(!is_context_dependent(""));
    }

    #[test]
    fn the_same_again_is_alike() {
        let alike = |a: &str, b: &str| is_near_duplicate(&word_set(a), &word_set(b));
        assert!(alike("drift switched to MessagePack", "Drift switched to MessagePack."));
        assert!(!alike("drift switched to MessagePack", "drift is written in Rust"));
        assert!(!alike("I planted 13 tomatoes in the garden.", "I planted 14 tomatoes in the garden."));
        assert!(!alike("Rust", "drift is written in Rust, which took a while to learn"));
    }
}
