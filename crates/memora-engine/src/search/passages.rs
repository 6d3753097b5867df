//! Passages: what stands around the hits that come nearest, to be read where nothing answers outright.
//!
//! A passage is a run of blocks (paragraphs, items, rows) of a note under the same headings, around a hit. Invariant: **it is made of
//! blocks that were authorized for the door a moment ago**; a guarded one leaves no trace in it, not even a gap.

use std::marker::PhantomData;
use std::ops::Range;

use memora_claim::{ClaimId, StatementId};
use memora_redact::{ClearExcerpt, ExcerptAccess, authorize_excerpts, sanitize_for_model};
use memora_vault::NotePath;

use crate::report::{Passage, PassageLine};
use crate::search::{ClaimSearch, FoundClaim};

/// The longest passage, in bytes of its words. A block that is longer stands alone.
const BYTES_MAX: usize = 900;

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
    /// The passage of a window: each statement of its blocks on a line of its own, as it is cited, but those that the user took back.
    fn report_passage(&self, note: &NoteBlocks<'_>, window: &Window) -> Option<Passage> {
        let blocks = note.blocks.get(window.blocks.clone())?;
        let decisions = self.session.lifecycle().decisions();
        let lines = blocks.iter().flat_map(|block| {
            let said = block.passage().statements().iter();
            said.filter(|statement| !decisions.is_retracted(ClaimId::from(statement.id))).map(|statement| PassageLine {
                line: block.line_of(statement),
                text: sanitize_for_model(&statement.words),
                claim: statement.id.to_string(),
                hit: window.hits.contains(&statement.id),
                band: block.band(),
            })
        });
        Some(Passage {
            path: note.path.as_str().to_owned(),
            context: blocks.first()?.context().into_iter().map(sanitize_for_model).collect(),
            lines: lines.collect(),
            door: PhantomData,
        })
    }
}
