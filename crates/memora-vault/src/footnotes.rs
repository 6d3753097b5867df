//! Finds how guarded the footnotes of a note are.
//!
//! Invariant: **a footnote is as guarded as the laxest place that leads to it.** What leads to it may be another footnote, which is then
//! as guarded as whatever leads there, and may be guarded text that is not read, such as a comment.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::ops::Range;

use crate::Band;
use crate::band_map::BandMap;
use crate::markdown::NoteBody;

/// The bands of the footnotes that something refers to, by label. One that only refers to itself is as one that nothing refers to; of
/// several that nothing but each other leads to, all are secret.
pub(crate) fn bands_of_footnotes(bands: &BandMap, text: &str, body: &NoteBody) -> HashMap<String, Band> {
    let mut found = HashMap::new();
    if body.footnotes.is_empty() {
        return found;
    }
    let holders = body.find_footnote_holders();
    let holder_of = |at: usize| {
        let behind = holders.partition_point(|(start, _)| *start <= at);
        let holder = behind.checked_sub(1).and_then(|at| holders.get(at)?.1)?;
        body.footnotes.get(holder).map(|(label, _)| label.as_str())
    };
    let mut led_to: HashMap<&str, Vec<(&str, Band)>> = HashMap::new();
    let mut open: BinaryHeap<(Reverse<Band>, &str)> = BinaryHeap::new();
    let unread = find_unread_references(bands, text);
    let read = body.footnote_references.iter().map(|(label, at, header)| (label, at, header.clone()));
    for (label, at, header) in read.chain(unread.iter().map(|(label, at)| (label, at, None))) {
        let header = header.map(|header| bands.band_of_range(header)).unwrap_or_default();
        let band = band_of_place(bands, body, at).join(header);
        match holder_of(at.start) {
            Some(holder) if holder == label => continue,
            Some(holder) => led_to.entry(holder).or_default().push((label, band)),
            None => open.push((Reverse(band), label)),
        }
        found.insert(label.clone(), Band::Secret);
    }
    let labels = body.footnotes.iter().map(|(label, _)| label.as_str());
    open.extend(labels.filter(|label| !found.contains_key(*label)).map(|label| (Reverse(bands.note_band()), label)));
    // The laxest first, so that the first band that is met of a footnote is its own.
    let mut met = HashSet::new();
    while let Some((Reverse(band), label)) = open.pop() {
        if met.insert(label) {
            found.entry(label.to_owned()).and_modify(|known| *known = band);
            let behind = led_to.get(label).into_iter().flatten();
            open.extend(behind.map(|(label, reference)| (Reverse(band.join(*reference)), *label)));
        }
    }
    found
}

/// The band of a reference, with the headings above it.
fn band_of_place(bands: &BandMap, body: &NoteBody, at: &Range<usize>) -> Band {
    let behind = body.headings.partition_point(|heading| heading.range.start <= at.start);
    let mut above = behind.checked_sub(1);
    let mut band = bands.band_of_range(at.clone());
    while let Some(heading) = above.and_then(|at| body.headings.get(at)) {
        band = band.join(bands.band_of_range(heading.range.clone()));
        above = heading.parent;
    }
    band
}

/// What looks like a reference in guarded text, which is not always read: in a comment, in HTML.
fn find_unread_references(bands: &BandMap, text: &str) -> Vec<(String, Range<usize>)> {
    let read = |start: usize| {
        let label = text.get(start + 2..)?;
        let end = label.find(|c: char| c.is_whitespace() || matches!(c, '[' | ']'))?;
        let at = start..start + 2 + end + 1;
        let is_guarded = bands.band_of_range(at.clone()) > bands.note_band();
        let label = label.get(..end).filter(|_| label.get(end..).is_some_and(|rest| rest.starts_with(']')))?;
        is_guarded.then(|| (label.to_lowercase(), at))
    };
    memchr::memmem::find_iter(text.as_bytes(), b"[^").filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Band, Note, NotePath, PathContext};

    /// Checks the band of the footnote that says `Quokka`.
    #[track_caller]
    fn check(text: &str, band: Band) {
        let path = NotePath::new("a.md").expect("a good path");
        let (note, _) = Note::parse(path, text.to_owned(), PathContext::default());
        let at = text.find("Quokka").expect("the word stands in the note");
        assert_eq!(note.band_of_range(at..at + 6), band, "{text:?}");
    }

    const HIDDEN: &str = "<!--privacy:private-->Pay[^1]<!--/privacy-->";

    #[test]
    fn a_footnote_is_as_guarded_as_the_laxest_reference() {
        check("Pay.[^1]\n\n[^1]: Quokka\n", Band::Public);
        check(&format!("{HIDDEN}\n\n[^1]: Quokka\n"), Band::Private);
        check(&format!("{HIDDEN} and open[^1]\n\n[^1]: Quokka\n"), Band::Public);
        check("Pay.\n\n[^1]: Quokka\n", Band::Public);
    }

    #[test]
    fn one_that_only_guarded_text_that_is_not_read_refers_to_is_guarded() {
        check("Pay. %%See[^1]%%\n\n[^1]: Quokka\n", Band::Secret);
        check("Pay. <!-- See [^Note] -->\n\n[^note]: Quokka\n", Band::Secret);
        check("<!--privacy:private-->\n<div>Pay[^1]</div>\n<!--/privacy-->\n\n[^1]: Quokka\n", Band::Private);
        check("Pay[^1]. %%See[^1]%%\n\n[^1]: Quokka\n", Band::Public);
        check("Pay. %%See[^2] and [^ 1] [^1%%\n\n[^1]: Quokka\n", Band::Public);
        check("`See[^1]`\n\n[^1]: Quokka\n", Band::Public);
    }

    #[test]
    fn one_under_a_guarded_heading_or_in_a_guarded_column_is_guarded() {
        check("# %%Pay%% x\n\nMay[^1]\n\n# Else\n\n[^1]: Quokka\n", Band::Secret);
        check("# %%Pay%% x\n\n## May\n\nMay[^1]\n\n# Else\n\n[^1]: Quokka\n", Band::Secret);
        check("# %%Pay%% x\n\nMay\n\n# Else\n\nJune[^1]\n\n[^1]: Quokka\n", Band::Public);
        check("| %%Pay%% x |\n|---|\n| May[^1] |\n\n[^1]: Quokka\n", Band::Secret);
    }

    #[test]
    fn one_that_another_footnote_refers_to_is_as_guarded_as_that() {
        check(&format!("{HIDDEN}\n\n[^1]: See[^2]\n\n[^2]: Quokka\n"), Band::Private);
        check(&format!("{HIDDEN}\n\n[^3]: Quokka\n\n[^2]: See[^3]\n\n[^1]: See[^2]\n"), Band::Private);
        check(&format!("{HIDDEN}, open[^2]\n\n[^1]: See[^2]\n\n[^2]: Quokka\n"), Band::Public);
        check("%%See[^1]%%\n\n[^1]: See[^2]\n\n[^2]: Quokka[^1]\n", Band::Secret);
        check("Open[^1]\n\n[^1]: %%See[^2]%%\n\n[^2]: Quokka\n", Band::Secret);
        check("Open[^1]\n\n[^1]: See[^2]\n\n[^2]: Quokka[^1]\n", Band::Public);
        check("Open.\n\n[^1]: See[^2]\n\n[^2]: Quokka\n", Band::Public);
    }

    #[test]
    fn one_that_only_refers_to_itself_is_as_one_that_nothing_refers_to() {
        check("Open.\n\n[^1]: Quokka, see[^1]\n", Band::Public);
        check("%%See[^1]%%\n\n[^1]: Quokka, see[^1]\n", Band::Secret);
        check("Open.\n\n[^1]: See[^2]\n\n[^2]: Quokka[^1]\n", Band::Secret);
    }
}
