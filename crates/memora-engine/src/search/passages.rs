//! Passages: what stands around the hits that come nearest, to be read where nothing answers outright.
//!
//! A passage is a run of blocks (paragraphs, items, rows) of a note under the same headings, around a hit. Invariant: **it is made of
//! blocks that were authorized for the door a moment ago**; a guarded one leaves no trace in it, not even a gap.

use std::collections::{HashMap, HashSet};
use std::marker::PhantomData;
use std::ops::Range;

use memora_claim::{ClaimId, ParsedNote, Statement, StatementId};
use memora_redact::{ClearExcerpt, ExcerptAccess, authorize_excerpts, sanitize_for_model};
use memora_store::NoteFilter;
use memora_vault::NotePath;

use crate::report::{Passage, PassageLine};
use crate::search::passage_index::{FoundPassage, rank_passages};
use crate::search::{ClaimSearch, FoundClaim, SearchError, SearchOptions};

/// The longest passage, in bytes of its words. A block that is longer stands alone.
const BYTES_MAX: usize = 900;

/// How much the first ranks differ when rankings are fused: the less, the more.
const RANK_OFFSET: f32 = 10.0;

/// What the best hit in a passage is worth, beside what the passage means.
const HITS_WEIGHT: f32 = 1.0;

/// How many hits are marked in passages that are found by what they mean.
const MARKED_MAX: usize = 5;

/// The clear blocks of a note, in order.
struct NoteBlocks<'s> {
    path: &'s NotePath,
    blocks: Vec<ClearExcerpt<'s>>,
}

/// A passage in the making: a range of the blocks of a note.
struct Window {
    note: usize,
    blocks: Range<usize>,
    hits: Vec<StatementId>,
}

impl ClaimSearch<'_> {
    /// Gathers hits, best first, into at most `limit` passages. A hit in a passage that is there already is marked in it; one that no
    /// block of its note has, such as a property, makes none.
    pub(crate) fn gather_passages(&self, hits: &[FoundClaim<'_>], limit: usize) -> Vec<Passage> {
        let (mut notes, mut windows) = (Vec::<NoteBlocks<'_>>::new(), Vec::<Window>::new());
        for hit in hits {
            let path = hit.claim.place().note().path();
            let note = match notes.iter().position(|note| note.path == path) {
                Some(known) => known,
                None if windows.len() == limit => continue,
                None => {
                    let Some(fresh) = self.session.notes.read_note(path) else { continue };
                    let blocks =
                        authorize_excerpts(fresh, &self.session.door).into_iter().filter_map(|block| match block {
                            ExcerptAccess::Clear(block) => Some(block),
                            ExcerptAccess::Secret(_) => None,
                        });
                    notes.push(NoteBlocks { path: fresh.note().path(), blocks: blocks.collect() });
                    notes.len() - 1
                }
            };
            let id = hit.claim.claim().id.statement();
            let Some(blocks) = notes.get(note).map(|note| &note.blocks) else { continue };
            let Some(at) = blocks.iter().position(|block| has_statement(block, id)) else { continue };
            match windows.iter().position(|window| window.note == note && window.blocks.contains(&at)) {
                Some(known) => windows.get_mut(known).into_iter().for_each(|window| window.hits.push(id)),
                None if windows.len() == limit => {}
                None => {
                    let taken = windows.iter().filter(|window| window.note == note).map(|window| &window.blocks);
                    let range = widen(blocks, at, &taken.collect::<Vec<_>>());
                    windows.push(Window { note, blocks: range, hits: vec![id] });
                }
            }
        }
        windows.iter().filter_map(|window| self.report_passage(notes.get(window.note)?, window)).collect()
    }
}

/// Orders passages by reciprocal ranks: their own, by what they mean, and that of the best hit in each, which was found by words as well.
/// Source: Cormack, Clarke and Büttcher, "Reciprocal rank fusion", 2009.
fn fuse_with_hits<'i>(near: Vec<FoundPassage<'i>>, hits: &[FoundClaim<'_>]) -> Vec<FoundPassage<'i>> {
    let mut by_note: HashMap<&NotePath, Vec<(usize, usize)>> = HashMap::new();
    for (rank, hit) in hits.iter().enumerate() {
        let place = hit.claim.place();
        by_note.entry(place.note().path()).or_default().push((place.span().start(), rank));
    }
    #[expect(clippy::cast_precision_loss, reason = "ranks are small")]
    let share = |rank: usize| 1.0 / (RANK_OFFSET + rank as f32);
    let score = |(rank, passage): (usize, FoundPassage<'i>)| {
        let inside = by_note.get(passage.note).into_iter().flatten().filter(|(at, _)| passage.range.contains(at));
        let best = inside.map(|(_, rank)| *rank).min();
        (share(rank) + best.map_or(0.0, |rank| HITS_WEIGHT * share(rank)), passage)
    };
    let mut scored: Vec<(f32, FoundPassage<'i>)> = near.into_iter().enumerate().map(score).collect();
    // Stable: of equals the nearer.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().map(|(_, passage)| passage).collect()
}

fn has_statement(block: &ClearExcerpt<'_>, id: StatementId) -> bool {
    block.passage().statements().iter().any(|statement| statement.id == id)
}

/// The run of blocks around one, under its headings and within the bytes of a passage: what follows before what precedes, in turns, and
/// never what another passage has.
fn widen(blocks: &[ClearExcerpt<'_>], at: usize, taken: &[&Range<usize>]) -> Range<usize> {
    let size = |at: usize| blocks.get(at).map_or(0, |block| block.words().len() + 1);
    let headings = blocks.get(at).map(ClearExcerpt::headings);
    let (mut range, mut bytes) = (at..at + 1, size(at));
    let (mut grows_down, mut grows_up) = (true, true);
    let fits = |next: usize, bytes: usize| {
        blocks.get(next).map(ClearExcerpt::headings) == headings
            && bytes + size(next) <= BYTES_MAX
            && !taken.iter().any(|taken| taken.contains(&next))
    };
    while grows_down || grows_up {
        grows_down = grows_down && fits(range.end, bytes);
        if grows_down {
            bytes += size(range.end);
            range.end += 1;
        }
        let before = range.start.checked_sub(1).filter(|before| grows_up && fits(*before, bytes));
        grows_up = before.is_some();
        if let Some(before) = before {
            bytes += size(before);
            range.start = before;
        }
    }
    range
}

impl ClaimSearch<'_> {
    /// The passages nearest to a question by what they mean, the nearest first, as long as they fit into `bytes` of words; hits in them are
    /// marked. `None` where that cannot be said: no passage was read yet, or the question is in a language that is not.
    pub(crate) fn nearest_passages(
        &self,
        question: &str,
        hits: &[FoundClaim<'_>],
        options: &SearchOptions,
        bytes: usize,
    ) -> Result<Option<Vec<Passage>>, SearchError> {
        let vectors = self.session.memora.passages.load(&self.session.snapshot, self.session.door, options.authors)?;
        let among = match options.filter == NoteFilter::default() {
            true => None,
            false => Some(self.session.snapshot.notes_matching(&options.filter)?),
        };
        let near = rank_passages(&vectors, question, among.as_ref());
        let ranked = fuse_with_hits(near, hits);
        let hits: HashSet<StatementId> =
            hits.iter().take(MARKED_MAX).map(|hit| hit.claim.claim().id.statement()).collect();
        let (mut found, mut left) = (Vec::new(), bytes);
        for near in ranked {
            // What is no longer as it was indexed is left out, and leaves no gap.
            let fresh = self.session.notes.read_note(near.note);
            let Some(fresh) = fresh.filter(|fresh| fresh.note().file_fingerprint() == near.hash) else { continue };
            let Some(passage) = self.report_range(fresh, &near.range, &hits) else { continue };
            let size: usize = passage.lines.iter().map(|line| line.text.len()).sum();
            if size > left && !found.is_empty() {
                break;
            }
            left = left.saturating_sub(size);
            found.push(passage);
        }
        Ok((!found.is_empty()).then_some(found))
    }

    /// The passage of some bytes of a note, as this door is shown it.
    fn report_range(&self, fresh: &ParsedNote, range: &Range<usize>, hits: &HashSet<StatementId>) -> Option<Passage> {
        let sorted = authorize_excerpts(fresh, &self.session.door);
        let blocks: Vec<_> = sorted
            .iter()
            .filter_map(|access| match access {
                ExcerptAccess::Clear(block) => Some(block),
                ExcerptAccess::Secret(_) => None,
            })
            .collect();
        let is_within =
            |statement: &Statement| range.start <= statement.span.start() && statement.span.end() <= range.end;
        let lines: Vec<PassageLine> =
            blocks.iter().flat_map(|block| self.report_lines(block, &is_within, hits)).collect();
        let first = blocks.iter().find(|block| block.passage().statements().iter().any(is_within))?;
        (!lines.is_empty()).then(|| Passage {
            path: fresh.note().path().as_str().to_owned(),
            context: first.context().into_iter().map(sanitize_for_model).collect(),
            lines,
            door: PhantomData,
        })
    }

    /// The statements of a block that are wanted, each on a line of its own, as it is cited, but those that the user took back.
    fn report_lines<'b>(
        &'b self,
        block: &'b ClearExcerpt<'_>,
        is_wanted: &'b impl Fn(&Statement) -> bool,
        hits: &'b HashSet<StatementId>,
    ) -> impl Iterator<Item = PassageLine> + 'b {
        let decisions = self.session.lifecycle().decisions();
        let said = block.passage().statements().iter().filter(move |statement| is_wanted(statement));
        said.filter(move |statement| !decisions.is_retracted(ClaimId::from(statement.id))).map(move |statement| {
            PassageLine {
                line: block.line_of(statement),
                text: sanitize_for_model(&statement.words),
                claim: statement.id.to_string(),
                hit: hits.contains(&statement.id),
                band: block.band(),
            }
        })
    }

    /// The passage of a window.
    fn report_passage(&self, note: &NoteBlocks<'_>, window: &Window) -> Option<Passage> {
        let blocks = note.blocks.get(window.blocks.clone())?;
        let hits: HashSet<StatementId> = window.hits.iter().copied().collect();
        let lines = blocks.iter().flat_map(|block| self.report_lines(block, &|_| true, &hits)).collect();
        Some(Passage {
            path: note.path.as_str().to_owned(),
            context: blocks.first()?.context().into_iter().map(sanitize_for_model).collect(),
            lines,
            door: PhantomData,
        })
    }
}
