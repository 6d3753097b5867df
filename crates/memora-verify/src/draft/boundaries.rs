//! Sentence boundaries within a block.

use std::ops::Range;

use crate::source_map::MappedText;

/// Splits links that end a line after the end of a sentence from the text of the next line: they belong to the sentence
/// before them.
pub(super) fn split_at_links(bare: &str, flow: &MappedText, cuts: &mut Vec<Range<usize>>) {
    let links: Vec<Range<usize>> = flow.links().map(|(wrap, ..)| wrap.plain.clone()).collect();
    let mut words = bare.to_owned();
    for link in links.iter().filter(|link| bare.get((*link).clone()).is_some()) {
        words.replace_range(link.clone(), &" ".repeat(link.len()));
    }
    for link in links {
        let before = words.get(..link.start).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default().trim_end();
        let behind = bare.get(link.end..).unwrap_or_default().trim_start_matches([' ', '\t']);
        let refers = line.ends_with(['.', '!', '?', '…', '。', '！', '？']) && behind.starts_with('\n');
        let within = cuts.iter().position(|cut| cut.start < link.end && link.end < cut.end);
        if let Some(at) = within.filter(|_| refers) {
            let rest = bare.get(link.end..cuts[at].end).unwrap_or_default();
            let next = cuts[at].end - rest.trim_start().len()..cuts[at].end;
            cuts[at].end = link.end;
            cuts.insert(at + 1, next);
        }
    }
}

/// Returns the trimmed ranges of the sentences of a text without citations, in order.
pub(super) fn sentence_boundaries(text: &str) -> Vec<Range<usize>> {
    let mut cuts: Vec<Range<usize>> = Vec::new();
    for line in split_paragraphs(text) {
        let part = text.get(line.clone()).unwrap_or_default();
        for piece in sentencex::segment("en", part) {
            // The boundary API counts characters; the slice knows its own bytes.
            let start = line.start + (piece.as_ptr() as usize).saturating_sub(part.as_ptr() as usize);
            // "| ? | 2 years |": a bar separates cells of one row, and does not begin a sentence.
            match cuts.last_mut() {
                Some(before) if piece.trim_start().starts_with('|') && before.end == start => {
                    before.end = start + piece.len();
                }
                Some(before) if is_continuation(text.get(before.clone()).unwrap_or_default(), piece) => {
                    before.end = start + piece.len();
                }
                _ => cuts.extend(split_cjk_sentences(text, start..start + piece.len())),
            }
        }
    }
    cover_text(text, cuts)
}

/// Whether a full stop belongs to a German day or number: `am 3.` and `Mai 2024`, `am 3.5.` and `kommt sie`, `4 Mio.`
/// and `Euro`.
fn is_continuation(before: &str, piece: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ];
    let day = before.trim_end().rsplit([' ', '\n']).next().and_then(|word| word.strip_suffix('.')).unwrap_or_default();
    let is_day = |day: &str| day.len() < 3 && day.parse().is_ok_and(|day: u32| (1..=31).contains(&day));
    let next = piece.trim_start();
    let month = next.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let is_dated = is_day(day) || day.split_once('.').is_some_and(|(day, month)| is_day(day) && is_day(month));
    let mut last = before.trim_end().rsplit([' ', '\n']);
    let is_scale = matches!(last.next(), Some("Mio." | "Mrd." | "Tsd."));
    let is_counted = is_scale && last.next().is_some_and(|number| number.ends_with(|c: char| c.is_ascii_digit()));
    is_counted || (is_day(day) && MONTHS.contains(&month)) || (is_dated && next.starts_with(char::is_lowercase))
}

/// Splits at empty lines, which always end a sentence, so that the segmenter never sees more than a paragraph.
fn split_paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive("\n\n") {
        ranges.push(start..start + part.len());
        start += part.len();
    }
    ranges
}

/// Splits after 。！？ and the closing marks that follow them.
fn split_cjk_sentences(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let part = text.get(range.clone()).unwrap_or_default();
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut ended = false;
    for (at, letter) in part.char_indices() {
        let stop = matches!(letter, '。' | '！' | '？' | '｡');
        if ended && !stop && !matches!(letter, '」' | '』' | '）' | '”' | '】') {
            ranges.push(range.start + start..range.start + at);
            start = at;
        }
        ended = stop || (ended && !letter.is_alphanumeric() && !letter.is_whitespace());
    }
    ranges.push(range.start + start..range.end);
    ranges
}

/// Extends the cuts to cover all words of the text, including those that the segmenter left out, and joins cuts
/// without a word to the one before.
fn cover_text(text: &str, cuts: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut starts: Vec<usize> = Vec::new();
    for cut in cuts {
        let part = text.get(cut.clone()).unwrap_or_default();
        let start = cut.start + (part.len() - part.trim_start().len());
        let has_words = part.chars().any(char::is_alphanumeric);
        if (has_words || starts.is_empty()) && starts.last().is_none_or(|&last| last < start) {
            starts.push(start);
        }
    }
    if let Some(first) = starts.first_mut() {
        *first = 0;
    }
    let mut ranges = Vec::new();
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(text.len());
        let part = text.get(start..end).unwrap_or_default();
        let lead = part.len() - part.trim_start().len();
        ranges.push(start + lead..start + part.trim_end().len().max(lead));
    }
    ranges
}
