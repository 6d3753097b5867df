//! Splits a block of a draft into sentences, around the statements that it has word for word.

use std::ops::Range;

use super::blocks::DraftBlock;
use super::boundaries::{sentence_boundaries, split_at_links};
use super::judged::{BlockKind, DraftCitation, DraftSentence, SentenceLink};
use crate::citation::{CitationGroup, CitationMarker, CitedLink};
use crate::comparison::{has_words, normalize_spacing};
use crate::letter_map::LetterMap;
use crate::reference_links::strip_reference_links;
use crate::source_map::range_union;

/// Returns the text of a block with its citations blanked.
fn blank_citations(block: &DraftBlock, groups: &[CitationGroup]) -> String {
    let mut bare = block.flow.text().to_owned();
    for group in groups {
        blank_range(&mut bare, &group.range);
    }
    bare
}

fn blank_range(text: &mut String, range: &Range<usize>) {
    if text.get(range.clone()).is_some() {
        text.replace_range(range.clone(), &" ".repeat(range.len()));
    }
}

/// Returns the sentences of a block, as the rules find them.
pub(super) fn sentence_cuts(draft: &str, block: &DraftBlock) -> Vec<Range<usize>> {
    let bare = blank_citations(block, &block.flow.find_citations(draft));
    cut_text(&bare, block, 0..bare.len())
}

fn is_row(block: &DraftBlock) -> bool {
    matches!(block.kind, BlockKind::Row | BlockKind::TableHead)
}

/// Cuts a part of a block's text into sentences.
fn cut_text(bare: &str, block: &DraftBlock, part: Range<usize>) -> Vec<Range<usize>> {
    if is_row(block) || matches!(block.kind, BlockKind::Heading(_) | BlockKind::Definition) {
        return vec![part];
    }
    let text = bare.get(part.clone()).unwrap_or_default();
    let shifted = |cut: Range<usize>| cut.start + part.start..cut.end + part.start;
    let mut cuts = sentence_boundaries(text).into_iter().map(shifted).collect();
    split_at_links(bare, &block.flow, &mut cuts);
    cuts
}

/// Returns the parts of a block's text that belong to statements which the draft has word for word.
fn quoted_parts(block: &DraftBlock, exact: &[Range<usize>]) -> Vec<Range<usize>> {
    let flow = &block.flow;
    let extent = flow.source_range(&(0..flow.text().len()));
    let near = |quoted: &&Range<usize>| quoted.start < extent.end && extent.start < quoted.end;
    let near: Vec<&Range<usize>> = exact.iter().filter(near).collect();
    let mut parts: Vec<Range<usize>> = Vec::new();
    if near.is_empty() {
        return parts;
    }
    for (at, c) in flow.text().char_indices() {
        let end = at + c.len_utf8();
        let source = flow.source_range(&(at..end));
        let is_quoted = |quoted: &&Range<usize>| quoted.start <= source.start && source.end <= quoted.end;
        match parts.last_mut() {
            _ if !near.iter().any(is_quoted) => {}
            Some(last) if last.end == at => last.end = end,
            _ => parts.push(at..end),
        }
    }
    parts
}

pub(super) fn split_block(draft: &str, block: &DraftBlock, index: usize, exact: &[Range<usize>]) -> Vec<DraftSentence> {
    let flow = &block.flow;
    let quoted = quoted_parts(block, exact);
    let is_quoted = |at: usize| quoted.iter().any(|part| part.contains(&at));
    let mut groups = flow.find_citations(draft);
    groups.retain(|group| !is_quoted(group.range.start));
    let mut bare = blank_citations(block, &groups);
    quoted.iter().for_each(|part| blank_range(&mut bare, part));
    let starts = std::iter::once(0).chain(quoted.iter().map(|part| part.end));
    let ends = quoted.iter().map(|part| part.start).chain([bare.len()]);
    let between = starts.zip(ends).filter(|(start, end)| quoted.is_empty() || start < end);
    let cuts: Vec<Range<usize>> = between.flat_map(|(start, end)| cut_text(&bare, block, start..end)).collect();
    let mut found: Vec<(Range<usize>, Vec<DraftCitation>)> =
        cuts.into_iter().map(|range| (range, Vec::new())).collect();
    if found.is_empty() && quoted.is_empty() {
        found.push((0..bare.len(), Vec::new()));
    }
    let hidden = flow.hidden_citations().iter().filter(|(at, _)| !is_quoted(*at));
    let hidden = hidden.map(|(at, source)| (*at, *at, source.clone(), CitationMarker::Malformed));
    let shown = groups.iter().flat_map(|group| {
        group
            .items
            .iter()
            .map(|item| (group.range.start, group.range.end, flow.source_range(&item.range), item.marker.clone()))
    });
    for (start, end, range, marker) in shown.chain(hidden) {
        let owner = found.partition_point(|(sentence, _)| sentence.start <= start).saturating_sub(1);
        if let Some((sentence, citations)) = found.get_mut(owner) {
            sentence.start = sentence.start.min(start);
            sentence.end = sentence.end.max(end);
            let text = draft.get(range.clone()).unwrap_or_default().to_owned();
            citations.push(DraftCitation { range, text, marker });
        }
    }
    if !quoted.is_empty() {
        // Bars and bullets that were around a statement.
        found.retain(|(range, cited)| !cited.is_empty() || bare.get(range.clone()).is_some_and(has_words));
    }
    let starts: Vec<usize> = found.iter().map(|(range, _)| range.start).collect();
    let owned = |at: usize, number: usize| {
        starts.partition_point(|start| *start <= at).saturating_sub(1) == number && !is_quoted(at)
    };
    let mut sentences = Vec::with_capacity(found.len());
    for (number, (range, citations)) in found.into_iter().enumerate() {
        let footnotes = flow.footnotes().iter().filter(|(at, ..)| owned(*at, number));
        let footnotes: Vec<_> = footnotes.map(|(_, source, label)| (source.clone(), label.clone())).collect();
        let links: Vec<_> = flow.links().filter(|(wrap, ..)| owned(wrap.plain.start, number)).collect();
        let source =
            footnotes.iter().fold(flow.source_with_markup(&range), |whole, (source, _)| range_union(whole, source));
        let cited = |source: &Range<usize>, link: &CitedLink| DraftCitation {
            range: source.clone(),
            text: draft.get(source.clone()).unwrap_or_default().to_owned(),
            marker: CitationMarker::Link(link.clone()),
        };
        let text = strip_callout(&normalize_spacing(bare.get(range.clone()).unwrap_or_default()), block.kind);
        sentences.push(DraftSentence {
            text: if is_row(block) { text.trim_matches(['|', ' ']).to_owned() } else { text },
            bare: strip_reference_links(&bare, &range, links.iter().map(|(wrap, _, piped)| (&wrap.plain, *piped))),
            said: None,
            range: source,
            kind: block.kind,
            block: index,
            citations,
            links: links
                .iter()
                .map(|(wrap, link, piped)| SentenceLink { citation: cited(&wrap.source, link), piped: *piped })
                .collect(),
            footnotes,
            label: block.label.clone(),
            whole: block.whole.clone(),
            letters: LetterMap::from_words(bare.get(range.clone()).unwrap_or_default(), |letter| {
                flow.source_range(&(range.start + letter.start..range.start + letter.end))
            }),
        });
    }
    sentences
}

fn strip_callout(text: &str, kind: BlockKind) -> String {
    let title = (kind == BlockKind::Quote).then(|| text.strip_prefix("[!")).flatten();
    match title.and_then(|rest| rest.split_once(']')) {
        Some((word, rest)) if word.chars().all(char::is_alphabetic) => {
            rest.trim_start_matches(['+', '-', ' ']).to_owned()
        }
        _ => text.to_owned(),
    }
}
