//! Whole statements in a draft, written as they stand in a note.
//!
//! A draft is split by rules of its own, and a statement may be anything that stands in a note: a row of a table, lines of
//! code, a label with two sentences behind it. Where the words before a citation are those of a statement that it cites, they are
//! one sentence, whatever the rules would make of them. Invariant: **a statement is found only where a sentence of the draft
//! begins**, so that nothing in front of it is cut off: "it is wrong that" stays with what it denies.

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};

use super::blocks::{DraftBlock, markdown_options};
use super::judged::{BlockKind, DraftCitation, DraftSentence};
use super::sentences::sentence_cuts;
use crate::citation::{CitationGroup, CitationMarker, find_citations};
use crate::comparison::to_plain_words;
use crate::letter_map::LetterMap;

/// A statement as it may be written.
#[derive(Clone, Debug)]
pub(crate) struct CitedWords {
    /// Its words without markup.
    pub(crate) words: String,
    /// Its bytes in the note.
    pub(crate) quote: String,
}

/// A statement in a draft.
pub(super) struct ExactQuotation {
    /// Its bytes, the citations and the full stop behind it included.
    pub(super) range: Range<usize>,
    words: String,
    citations: Vec<CitationGroup>,
}

/// Looks up what a marker cites.
pub(crate) type LookUp<'l> = dyn FnMut(&CitationMarker) -> Option<CitedWords> + 'l;

/// Finds the statements in a draft that are cited where they end, in order.
pub(super) fn find_exact_quotations(
    draft: &str,
    blocks: &[DraftBlock],
    look_up: &mut LookUp<'_>,
) -> Vec<ExactQuotation> {
    let groups = find_citations(draft);
    let mut known: HashMap<&CitationMarker, Forms> = HashMap::new();
    for item in groups.iter().flat_map(|group| &group.items) {
        if !known.contains_key(&item.marker)
            && let Some(cited) = look_up(&item.marker)
        {
            known.insert(&item.marker, Forms::new(cited));
        }
    }
    if known.is_empty() {
        return Vec::new();
    }
    let opaque = opaque_ranges(draft);
    let mut starts = sentence_starts(draft, blocks);
    let mut found: Vec<ExactQuotation> = Vec::new();
    // Behind a statement begins another sentence, whether the rules see it or not.
    loop {
        let more = find_between(draft, &groups, &known, (&starts, &opaque), &found);
        if more.is_empty() {
            return found;
        }
        let behind = |quoted: &ExactQuotation| {
            let rest = draft.get(quoted.range.end..).unwrap_or_default();
            draft.len() - rest.trim_start().len()
        };
        starts.extend(more.iter().map(behind));
        starts.sort_unstable();
        found.extend(more);
        found.sort_by_key(|quoted| quoted.range.start);
    }
}

/// Finds statements that overlap none of those that are known.
fn find_between(
    draft: &str,
    groups: &[CitationGroup],
    forms: &HashMap<&CitationMarker, Forms>,
    (starts, opaque): (&[usize], &[Range<usize>]),
    known: &[ExactQuotation],
) -> Vec<ExactQuotation> {
    let mut found: Vec<ExactQuotation> = Vec::new();
    // The last first: a statement may have citations of its own in it.
    for (at, group) in groups.iter().enumerate().rev() {
        let next = known.partition_point(|quoted| quoted.range.end <= group.range.start);
        let known_behind = known.get(next).map_or(draft.len(), |quoted| quoted.range.start);
        let behind = found.last().map_or(draft.len(), |later| later.range.start).min(known_behind);
        let before = next.checked_sub(1).and_then(|at| known.get(at)).map_or(0, |quoted| quoted.range.end);
        if behind <= group.range.start {
            continue;
        }
        for item in &group.items {
            let Some(forms) = forms.get(&item.marker) else { continue };
            let Some(start) = find_start(draft, starts, opaque, group, forms).filter(|start| before <= *start) else {
                continue;
            };
            let range = start..end_behind(draft, groups, at, behind);
            let inside = |group: &&CitationGroup| range.start <= group.range.start && group.range.end <= range.end;
            let citations = groups.iter().filter(inside).cloned().collect();
            found.push(ExactQuotation { range, words: forms.words.clone(), citations });
            break;
        }
    }
    found
}

/// The forms of a statement that its words in a draft are compared with.
struct Forms {
    words: String,
    compared: Vec<String>,
    /// The most bytes of a draft that may hold them.
    bytes_max: usize,
}

impl Forms {
    fn new(cited: CitedWords) -> Self {
        let bytes_max = cited.quote.len().max(cited.words.len()) * 2 + 64;
        let mut compared: Vec<String> = [&cited.words, &cited.quote].map(|form| to_plain_words(form)).into();
        compared.extend([&cited.words, &cited.quote].map(|form| to_plain_words(&without_citations(form))));
        compared.retain(|form| form.chars().any(char::is_alphanumeric));
        Self { words: cited.words, compared, bytes_max }
    }

    fn are(&self, written: &str) -> bool {
        let is_form = |written: &str| self.compared.contains(&to_plain_words(written));
        is_form(written) || is_form(&without_citations(written))
    }
}

fn without_citations(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for group in find_citations(text) {
        kept.push_str(text.get(at..group.range.start).unwrap_or_default());
        at = group.range.end;
    }
    kept.push_str(text.get(at..).unwrap_or_default());
    kept
}

/// Finds where the statement before a citation begins.
fn find_start(
    draft: &str,
    starts: &[usize],
    opaque: &[Range<usize>],
    group: &CitationGroup,
    forms: &Forms,
) -> Option<usize> {
    let first = starts.partition_point(|start| start.saturating_add(forms.bytes_max) < group.range.start);
    let last = starts.partition_point(|start| *start < group.range.start);
    let hides = |start: usize| {
        let around = |range: &&Range<usize>| range.start < start && group.range.end <= range.end;
        opaque.iter().any(|range| around(&range))
    };
    let within = starts.get(first..last)?.iter().copied();
    within
        .filter(|start| !hides(*start))
        .find(|start| draft.get(*start..group.range.start).is_some_and(|written| forms.are(written)))
}

/// Returns the end of a statement's sentence: behind the citations that follow one another, and the full stop.
fn end_behind(draft: &str, groups: &[CitationGroup], at: usize, limit: usize) -> usize {
    let mut end = groups.get(at).map_or(0, |group| group.range.end);
    for next in groups.get(at + 1..).unwrap_or_default() {
        let between = draft.get(end..next.range.start).filter(|_| next.range.end <= limit);
        if !between.is_some_and(|between| between.chars().all(|c| c == ' ')) {
            break;
        }
        end = next.range.end;
    }
    let rest = draft.get(end..limit).unwrap_or_default();
    end + rest.len() - rest.trim_start_matches(['.', '!', '?', '…', '。', '！', '？']).len()
}

/// Where a sentence of a draft may begin, in order: at the beginning of a block, with the markup in front of its first words or
/// without some of it, and at the beginnings that the rules find within it.
fn sentence_starts(draft: &str, blocks: &[DraftBlock]) -> Vec<usize> {
    let mut starts = vec![draft.len() - draft.trim_start().len()];
    for block in blocks.iter().filter(|block| block.kind != BlockKind::Code) {
        let cuts = sentence_cuts(draft, block);
        for cut in &cuts {
            starts.push(block.flow.source_with_markup(cut).start);
            starts.push(block.flow.source_range(cut).start);
        }
        let Some(first) = cuts.first().map(|cut| block.flow.source_range(cut).start) else { continue };
        let line = draft.get(..first).map_or(0, |before| before.rfind('\n').map_or(0, |at| at + 1));
        let markup = draft.get(line..first).unwrap_or_default();
        let is_markup = markup.char_indices().take_while(|(_, c)| !c.is_alphabetic());
        starts.extend(is_markup.map(|(at, _)| line + at));
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// Ranges in which nothing is a citation: code, and what HTML hides.
fn opaque_ranges(draft: &str) -> Vec<Range<usize>> {
    let is_opaque = |event: &Event<'_>| {
        matches!(
            event,
            Event::Code(_)
                | Event::Html(_)
                | Event::InlineHtml(_)
                | Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::Image { .. })
        )
    };
    let events = Parser::new_ext(draft, markdown_options()).into_offset_iter();
    events.filter(|(event, _)| is_opaque(event)).map(|(_, range)| range).collect()
}

impl ExactQuotation {
    /// Makes the sentence of it, in its first block.
    pub(super) fn to_sentence(&self, draft: &str, block: Option<&DraftBlock>, index: usize) -> DraftSentence {
        let cited = |range: &Range<usize>, marker: &CitationMarker| DraftCitation {
            range: range.clone(),
            text: draft.get(range.clone()).unwrap_or_default().to_owned(),
            marker: marker.clone(),
        };
        let items = self.citations.iter().flat_map(|group| &group.items);
        let start = self.range.start;
        DraftSentence {
            range: self.range.clone(),
            text: to_plain_words(&self.words),
            said: None,
            kind: block.map_or(BlockKind::Paragraph, |block| block.kind),
            block: index,
            citations: items.map(|item| cited(&item.range, &item.marker)).collect(),
            links: Vec::new(),
            footnotes: Vec::new(),
            label: block.and_then(|block| block.label.clone()),
            whole: block.and_then(|block| block.whole.clone()),
            bare: None,
            letters: LetterMap::from_words(draft.get(self.range.clone()).unwrap_or_default(), |letter| {
                start + letter.start..start + letter.end
            }),
        }
    }
}
