//! A memory held against what the user wrote and what is remembered already.

use std::cell::LazyCell;

use memora_claim::{Claim, ClaimId};
use memora_memory::{Kind, Origin, is_plain_order};
use memora_vault::NotePath;
use memora_verify::ComparableText;

use super::MemoryQuery;
use super::duplicates::ComparedWords;
use crate::read::lifecycle::Lifecycle;
use crate::read::lifecycle::succession::{
    SaidText, Succession, compare_in_order, differ_in_amount, dropped_wish, held_wish,
};
use crate::read::search::{ClaimSearch, SearchOptions};
use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::owners::MemoryGate;
use crate::report::{MemoryStatus, RelatedMemory};

/// The memories, and the user's sentences, that a new one is compared with.
const CANDIDATES_MAX: usize = 10;

/// The memories, and the user's claims, that a writer is shown beside a new memory.
const RELATED_MAX: usize = 2;

/// How a memory stands to what there is, as far as its writer's door shows it.
#[derive(Default)]
pub(crate) struct Standing {
    /// Claims of the user's that say it already.
    pub(super) known: Vec<ClaimId>,
    /// Claims of the user's that cannot hold beside it.
    pub(super) against: Vec<ClaimId>,
    /// Claims of the user's that say the same but for a number: of the same thing, or of another.
    pub(super) otherwise: Vec<ClaimId>,
    /// A memory that says it already.
    pub(super) duplicate: Option<FoundItem>,
    /// Memories that it ends, or whose value it replaces.
    pub(super) rivals: Vec<FoundItem>,
    /// Memories that say otherwise, where nothing says which holds.
    pub(super) differing: Vec<FoundItem>,
    /// The nearest other memories, best first: evidence for its words, or with one of them.
    pub(super) related: Vec<RelatedMemory>,
    /// Whether one of them is about the same: most of its words are in it.
    pub(super) is_near: bool,
    /// The user's claims that are evidence for a question with its words, best first.
    pub(super) related_notes: Vec<ClaimId>,
}

impl MemoryGate<'_> {
    /// Holds the text of a note to be against the user's notes and against memories.
    ///
    /// What waits for the user's word already is repeated by what would have to wait, too (`must_wait`), and else only shown.
    pub(crate) fn hold(&self, text: &str, claims: &[Claim], must_wait: bool) -> Result<Standing, MemoryError> {
        let notes = Lifecycle::new(self.session).compare_with_notes(claims)?;
        let words = ComparedWords::new(text);
        let (mut known, mut against) = (notes.same, notes.against);
        let (mut related_notes, mut otherwise) = (Vec::new(), Vec::new());
        let stated = ComparableText::new(text);
        let relations = self.session.memora.config.extractor().relations();
        let said = SaidText { text, claims };
        if known.is_empty() && against.is_empty() {
            let options = SearchOptions {
                limit: CANDIDATES_MAX,
                hits_only: true,
                is_statement: true,
                ..SearchOptions::default()
            };
            let found = ClaimSearch::new(self.session).find_claims(text, &options)?;
            let says_it = |quote: &str| ComparedWords::new(quote).is_same(&words);
            known.extend(
                found.hits.iter().filter(|hit| says_it(hit.claim.place().quote())).map(|hit| hit.claim.claim().id),
            );
            let is_near = |quote: &str| ComparedWords::new(quote).is_about_same(&words);
            let near = found.hits.iter().filter(|hit| hit.is_evidence() || is_near(hit.claim.place().quote()));
            related_notes.extend(near.take(RELATED_MAX).map(|hit| hit.claim.claim().id));
            for hit in found.hits.iter().filter(|_| text.contains(|c: char| c.is_ascii_digit())) {
                let (claim, text) = (hit.claim.claim(), hit.claim.place().quote());
                let noted = SaidText { text, claims: std::slice::from_ref(claim) };
                if differ_in_amount(said, noted, relations) && Lifecycle::new(self.session).holds_in_notes(claim)? {
                    against.push(claim.id);
                } else if stated.differs_in_one_number(&ComparableText::new(noted.text)) {
                    otherwise.push(claim.id);
                }
            }
        }
        let mut standing = Standing { known, against, otherwise, related_notes, ..Standing::default() };
        let dropped = dropped_wish(said).map(ComparedWords::new);
        let mut wishes = Vec::new();
        let query =
            MemoryQuery { query: text.to_owned(), is_statement: true, limit: CANDIDATES_MAX, ..MemoryQuery::default() };
        for hit in self.finder().find_hits(&query)? {
            if hit.status == MemoryStatus::Held {
                let held = NotePath::new(hit.path.as_str()).ok().and_then(|path| self.read_item(&path));
                let is_same = |item: &FoundItem| {
                    let there = ComparedWords::new(&item.item.text);
                    there.is_same(&words) || there.is_nearly(&words) && !words.joins_more(&there)
                };
                if must_wait && standing.duplicate.is_none() {
                    standing.duplicate = held.filter(is_same);
                }
                if standing.related.len() < RELATED_MAX && words.shares_a_word(&ComparedWords::new(&hit.gist)) {
                    let gist = format!("waits for the user's word: {}", hit.gist);
                    standing.related.push(RelatedMemory { id: hit.id, gist, band: hit.band });
                }
                continue;
            }
            let current = self.reader().read_current(&hit).filter(|found| found.item.origin > Origin::ToolOutput);
            let Some(found) = current else { continue };
            let older = self.claims().read_claims_of(&found);
            let older_words = ComparedWords::new(&found.item.text);
            let earlier = SaidText { text: &found.item.text, claims: &older };
            let succession = compare_in_order(said, earlier, relations);
            let is_dropped = dropped.as_ref().is_some_and(|dropped| is_wish_for(dropped, &found, earlier));
            let before = LazyCell::new(|| ComparableText::new(&found.item.text));
            if is_dropped && succession.is_none() {
                wishes.push(found);
            } else if succession == Some(Succession::Replaces) || stated.ends(&before) {
                standing.rivals.push(found);
            } else if succession == Some(Succession::Differs) || stated.differs_in_one_value(&before) {
                standing.differing.push(found);
            } else if standing.duplicate.is_none()
                && (older_words.is_nearly(&words) && !words.joins_more(&older_words) || older_words.is_fronted(&words))
            {
                standing.duplicate = Some(found);
            } else if standing.related.len() < RELATED_MAX
                && hit.status == MemoryStatus::Current
                && (!hit.weak || words.shares_a_word(&older_words))
            {
                standing.is_near |= older_words.is_about_same(&words);
                standing.related.push(RelatedMemory { id: hit.id, gist: hit.gist, band: hit.band });
            }
        }
        // Of several that it may mean, it ends none.
        if wishes.len() == 1 {
            standing.rivals.append(&mut wishes);
        }
        Ok(standing)
    }
}

/// Whether an item says that the user wants just this, or orders it.
fn is_wish_for(wish: &ComparedWords, found: &FoundItem, said: SaidText<'_>) -> bool {
    let text = said.text.trim_start();
    let first = text.split(' ').next().unwrap_or_default();
    let order = if first.eq_ignore_ascii_case("always") { text.get(first.len()..).unwrap_or(text) } else { text };
    let is_order = found.item.kind == Kind::Behavior && is_plain_order(text);
    is_order && ComparedWords::new(order).orders(wish)
        || held_wish(said).is_some_and(|held| ComparedWords::new(held).is_same(wish))
}
