//! Passages: what comes nearest to a question, with what stands around it, to be read.
//!
//! A passage is a run of statements of a note under the same headings: one that was read ahead, the blocks (paragraphs, items, rows) around a
//! hit, or a property. Invariant: **it is made of text that was authorized for the door a moment ago**; what is guarded leaves no trace in
//! it, not even a gap.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use memora_claim::{ClaimId, ParsedNote, Statement, StatementId};
use memora_redact::{ClearExcerpt, ExcerptAccess, WireClaim, authorize_excerpts, sanitize_for_model};
use memora_store::NoteFilter;
use memora_vault::NotePath;

use crate::read::lifecycle::Lifecycle;
use crate::read::search::nearest_passages::{FoundPassage, rank_passages};
use crate::read::search::{ClaimSearch, FoundClaim, SearchError, SearchOptions};
use crate::report::{Passage, PassageLine};

/// The longest passage around a hit, in bytes of its words. A block that is longer stands alone.
const BYTES_MAX: usize = 500;

/// How much the first ranks differ when rankings are fused: the less, the more.
const RANK_OFFSET: f32 = 10.0;

/// What the best hit in a passage is worth, beside what the passage means. Questions in their owners' words are answered best without; one
/// that has the words of the notes is not.
const HITS_WEIGHT: f32 = 0.5;

/// What a property is worth that is a hit, in a note whose passages were read.
const PROPERTY_WEIGHT: f32 = 1.0;

/// How many hits are marked in passages that are found by what they mean.
const MARKED_MAX: usize = 5;

/// One wording of a question, and what was found for it, best first.
pub(crate) struct Wording<'w, 's> {
    pub(crate) text: &'w str,
    pub(crate) hits: &'w [FoundClaim<'s>],
}

/// The passages that come nearest to a question.
pub(crate) struct NearestPassages {
    /// Best first.
    pub(crate) passages: Vec<Passage>,
    /// How near the first passage is by what it means, -1 to 1; `None` where that cannot be said: no passage was read yet, or the question is
    /// in a language that is not.
    pub(crate) cosine: Option<f32>,
}

/// Something to be shown: a passage that was read ahead, or what stands around a hit that none of those holds.
enum Place<'i, 'h, 's> {
    Read(FoundPassage<'i>),
    Around(&'h FoundClaim<'s>),
}

/// Orders passages by reciprocal ranks, over all wordings: their own, by what they mean, and that of the best hit in each, which was found by
/// words as well. A hit that no passage holds brings its own: one in a
/// note that was not read yet, or a property.
/// Source: Cormack, Clarke and Büttcher, "Reciprocal rank fusion", 2009.
fn fuse_wordings<'i, 'h, 's>(
    near: Vec<Vec<FoundPassage<'i>>>,
    wordings: &[Wording<'h, 's>],
) -> Vec<(f32, Place<'i, 'h, 's>)> {
    #[expect(clippy::cast_precision_loss, reason = "ranks are small")]
    let share = |rank: usize| 1.0 / (RANK_OFFSET + rank as f32);
    let mut fused: HashMap<(&NotePath, usize), (f32, FoundPassage<'i>)> = HashMap::new();
    let mut around: HashMap<StatementId, (f32, &FoundClaim<'s>)> = HashMap::new();
    let mut near = near.into_iter();
    for wording in wordings {
        let mut by_note: HashMap<&NotePath, Vec<(usize, usize)>> = HashMap::new();
        for (rank, hit) in wording.hits.iter().enumerate() {
            let place = hit.claim.place();
            by_note.entry(place.note().path()).or_default().push((place.span().start(), rank));
        }
        let mut read: HashSet<&NotePath> = HashSet::new();
        let mut held: HashSet<usize> = HashSet::new();
        for (rank, passage) in near.next().unwrap_or_default().into_iter().enumerate() {
            let inside = by_note.get(passage.note).into_iter().flatten().filter(|(at, _)| passage.range.contains(at));
            let ranks: Vec<usize> = inside.map(|(_, rank)| *rank).collect();
            let best = ranks.iter().copied().min();
            held.extend(ranks);
            read.extend(by_note.get_key_value(passage.note).map(|(note, _)| *note));
            let score = share(rank) + best.map_or(0.0, |rank| HITS_WEIGHT * share(rank));
            fused.entry((passage.note, passage.range.start)).or_insert((0.0, passage)).0 += score;
        }
        for (rank, hit) in wording.hits.iter().enumerate().filter(|(rank, _)| !held.contains(rank)) {
            // No passage has a property, which has no place in the order by meaning.
            let is_read = read.contains(hit.claim.place().note().path());
            let weight = if is_read { PROPERTY_WEIGHT } else { 1.0 + HITS_WEIGHT };
            around.entry(hit.claim.claim().id.statement()).or_insert((0.0, hit)).0 += weight * share(rank);
        }
    }
    let read = fused.into_values().map(|(score, passage)| (score, Place::Read(passage)));
    let mut found: Vec<_> = read.chain(around.into_values().map(|(score, hit)| (score, Place::Around(hit)))).collect();
    found.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.order().cmp(&other.order())));
    found
}

impl Place<'_, '_, '_> {
    fn order(&self) -> (&NotePath, usize) {
        match self {
            Self::Read(passage) => (passage.note, passage.range.start),
            Self::Around(hit) => (hit.claim.place().note().path(), hit.claim.place().span().start()),
        }
    }
}

/// How deep an item of a list is nested that a statement at this byte is of; zero for what stands in no list.
fn depth_of(text: &str, at: usize) -> usize {
    /// The deepest that is told apart.
    const DEPTH_MAX: usize = 6;
    let before = text.get(..at).unwrap_or_default();
    let line = before.get(before.rfind('\n').map_or(0, |feed| feed + 1)..).unwrap_or_default();
    let mark = line.trim_start_matches([' ', '\t']);
    let is_item = mark.starts_with(['-', '*', '+']) || mark.starts_with(|c: char| c.is_ascii_digit());
    let columns: usize =
        line.chars().take_while(|c| matches!(c, ' ' | '\t')).map(|c| if c == '\t' { 4 } else { 1 }).sum();
    if is_item { columns.div_ceil(4).min(DEPTH_MAX) } else { 0 }
}

fn has_statement(block: &ClearExcerpt<'_>, id: StatementId) -> bool {
    block.passage().statements().iter().any(|statement| statement.id == id)
}

/// The run of blocks around one, under its headings and within the bytes of a passage: what follows before what precedes, in turns.
fn widen(blocks: &[ClearExcerpt<'_>], at: usize) -> Range<usize> {
    let size = |at: usize| blocks.get(at).map_or(0, |block| block.words().len() + 1);
    let headings = blocks.get(at).map(ClearExcerpt::headings);
    let (mut range, mut bytes) = (at..at + 1, size(at));
    let (mut grows_down, mut grows_up) = (true, true);
    let fits = |next: usize, bytes: usize| {
        blocks.get(next).map(ClearExcerpt::headings) == headings && bytes + size(next) <= BYTES_MAX
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
    /// The passages that come nearest to a question in several wordings, the nearest first, as long as they fit into `bytes` as they are
    /// written; the first always does. Hits in them are marked.
    pub(crate) fn nearest_passages(
        &self,
        wordings: &[Wording<'_, '_>],
        options: &SearchOptions,
        bytes: usize,
    ) -> Result<NearestPassages, SearchError> {
        let vectors = self.session.memora.passages.load(&self.session.snapshot, self.session.door, options.authors)?;
        let among = match options.filter == NoteFilter::default() {
            true => None,
            false => Some(self.session.snapshot.notes_matching(&options.filter)?),
        };
        // Of a time, hits were chosen by their dates.
        let near: Vec<_> = match options.asked_period() {
            // An id has no meaning to compare.
            None => wordings
                .iter()
                .map(|wording| match ClaimId::parse(wording.text.trim()) {
                    Ok(_) => Vec::new(),
                    Err(_) => rank_passages(&vectors, wording.text, among.as_ref()),
                })
                .collect(),
            Some(_) => Vec::new(),
        };
        let cosine = near.iter().filter_map(|near| near.first()).map(|near| near.cosine).reduce(f32::max);
        let marked = wordings.iter().flat_map(|wording| wording.hits.iter().take(MARKED_MAX));
        let marked: HashSet<StatementId> = marked.map(|hit| hit.claim.claim().id.statement()).collect();
        let (mut passages, mut left): (Vec<Passage>, usize) = (Vec::new(), bytes);
        for (_, place) in fuse_wordings(near, wordings) {
            let passage = match place {
                Place::Read(near) => {
                    // What is no longer as it was indexed is left out, and leaves no gap.
                    let fresh = self.session.notes.read_note(near.note);
                    let fresh = fresh.filter(|fresh| fresh.note().file_fingerprint() == near.hash);
                    fresh.and_then(|fresh| self.report_range(fresh, &near.range, &marked))
                }
                Place::Around(hit) => self.passage_around(hit, &marked),
            };
            let Some(mut passage) = passage else { continue };
            let is_shown = |line: &PassageLine| {
                passages.iter().flat_map(|shown| &shown.lines).any(|shown| shown.claim == line.claim)
            };
            passage.lines.retain(|line| !is_shown(line));
            if passage.lines.is_empty() {
                continue;
            }
            let size = passage.written_bytes() + 2;
            if size > left && !passages.is_empty() {
                break;
            }
            left = left.saturating_sub(size);
            passages.push(passage);
        }
        Ok(NearestPassages { passages, cosine })
    }

    /// The blocks of a note that this door is shown, in order.
    fn clear_blocks<'n>(&self, fresh: &'n ParsedNote) -> Vec<ClearExcerpt<'n>> {
        let sorted = authorize_excerpts(fresh, &self.session.door).into_iter();
        let clear = sorted.filter_map(|access| match access {
            ExcerptAccess::Clear(block) => Some(block),
            ExcerptAccess::Secret(_) => None,
        });
        clear.collect()
    }

    /// The passage of some bytes of a note, as this door is shown it.
    fn report_range(&self, fresh: &ParsedNote, range: &Range<usize>, hits: &HashSet<StatementId>) -> Option<Passage> {
        let blocks = self.clear_blocks(fresh);
        let is_within =
            |statement: &Statement| range.start <= statement.span.start() && statement.span.end() <= range.end;
        let lines: Vec<PassageLine> =
            blocks.iter().flat_map(|block| self.report_lines(block, &is_within, hits)).collect();
        let first = blocks.iter().find(|block| block.passage().statements().iter().any(is_within))?;
        (!lines.is_empty()).then(|| Passage::new(fresh.note(), first.context(), lines))
    }

    /// All that this door is shown of a note, a passage for each run of blocks under the same headings.
    pub(crate) fn passages_of_note(&self, fresh: &ParsedNote) -> Vec<Passage> {
        let mut found: Vec<Passage> = Vec::new();
        let none = HashSet::new();
        for block in &self.clear_blocks(fresh) {
            let lines = self.report_lines(block, &|_| true, &none).collect();
            let passage = Passage::new(fresh.note(), block.context(), lines);
            match found.last_mut().filter(|last| last.context == passage.context) {
                Some(last) => last.lines.extend(passage.lines),
                None => found.push(passage),
            }
        }
        found.retain(|passage| !passage.lines.is_empty());
        found
    }

    /// The statements of a block that are wanted, each on a line of its own, as it is cited, but those that the user took back.
    fn report_lines<'b>(
        &'b self,
        block: &'b ClearExcerpt<'_>,
        is_wanted: &'b impl Fn(&Statement) -> bool,
        hits: &'b HashSet<StatementId>,
    ) -> impl Iterator<Item = PassageLine> + 'b {
        let decisions = Lifecycle::new(self.session).decisions();
        let said = block.passage().statements().iter().filter(move |statement| is_wanted(statement));
        said.filter(move |statement| !decisions.is_retracted(ClaimId::from(statement.id))).map(move |statement| {
            PassageLine {
                line: block.line_of(statement),
                depth: depth_of(block.note().text(), statement.span.start()),
                columns: statement.columns().map(sanitize_for_model),
                text: sanitize_for_model(&statement.words),
                claim: statement.id.to_string(),
                hit: hits.contains(&statement.id),
                band: block.band(),
            }
        })
    }

    /// What stands around a hit; of one that no block of its note has, such as a property, itself. `None` if its note is gone.
    fn passage_around(&self, hit: &FoundClaim<'_>, marked: &HashSet<StatementId>) -> Option<Passage> {
        let fresh = self.session.notes.read_note(hit.claim.place().note().path())?;
        let blocks = self.clear_blocks(fresh);
        let id = hit.claim.claim().id.statement();
        let Some(at) = blocks.iter().position(|block| has_statement(block, id)) else {
            let is_retracted = Lifecycle::new(self.session).decisions().is_retracted(ClaimId::from(id));
            return (!is_retracted).then(|| self.property_passage(hit));
        };
        let blocks = blocks.get(widen(&blocks, at))?;
        let lines = blocks.iter().flat_map(|block| self.report_lines(block, &|_| true, marked)).collect();
        Some(Passage::new(fresh.note(), blocks.first()?.context(), lines))
    }

    /// A property by itself, under the title of its note.
    fn property_passage(&self, hit: &FoundClaim<'_>) -> Passage {
        let wire = WireClaim::from_clear(&hit.claim, self.session.memora.vault.name());
        let line = PassageLine {
            line: wire.place().and_then(|place| place.line),
            depth: 0,
            columns: None,
            text: sanitize_for_model(&hit.claim.place().words()),
            claim: hit.claim.claim().id.statement().to_string(),
            hit: true,
            band: wire.band(),
        };
        let note = hit.claim.place().note();
        Passage::new(note, vec![note.title()], vec![line])
    }
}
