//! Re-anchors a source in the current note: unchanged, moved, or changed in meaning.

use std::sync::Arc;

use memora_nlp::subject::is_rejecting_heading;
use memora_vault::{Band, Note, SegmentKind, Span, TaskState, Zone};
use schemars::JsonSchema;
use serde::Serialize;
use strum::{Display, IntoStaticStr};

use crate::lists::REVERSING_WORDS;
use crate::surroundings::Surroundings;
use crate::{NoteLine, ParsedNote, Source, Statement, StatementId, StatementKind};

/// A source that was just rechecked and is still valid.
///
/// Proves: the note was read again, the same bytes are there in text that claims are extracted from, under the same (or
/// a renamed) heading, and [`Rechecked::band`] joins the stored band with the note's current one. The only constructor
/// is [`Source::recheck`].
#[derive(Clone)]
pub struct Rechecked<'n> {
    fresh: &'n ParsedNote,
    span: Span,
    band: Band,
    statement: StatementId,
    moved: bool,
    headings: Vec<String>,
    parent: Option<String>,
}

impl<'n> Rechecked<'n> {
    /// Returns the note, as it is now.
    #[must_use]
    pub fn note(&self) -> &'n Note {
        self.fresh.note()
    }

    /// Returns the current span of the words.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the words themselves, markup included.
    #[must_use]
    pub fn quote(&self) -> &'n str {
        self.fresh.note().slice(self.span)
    }

    /// Returns the words without markup, white space folded: the statement's own if the span is exactly one statement.
    #[must_use]
    pub fn words(&self) -> String {
        let exact = self.fresh.statements().iter().find(|statement| statement.span == self.span);
        exact.map_or_else(|| crate::id::normalize_text(self.quote()), |statement| statement.words.clone())
    }

    /// Returns the join of the stored band and the note's current one.
    #[must_use]
    pub fn band(&self) -> Band {
        self.band
    }

    /// Returns the id of the statement as anchored.
    #[must_use]
    pub fn statement(&self) -> StatementId {
        self.statement
    }

    /// Whether the words have moved.
    #[must_use]
    pub fn has_moved(&self) -> bool {
        self.moved
    }

    /// Returns the current headings above it, outermost first.
    #[must_use]
    pub fn headings(&self) -> &[String] {
        &self.headings
    }

    /// Returns the words of the list item, text or table header that it belongs to.
    #[must_use]
    pub fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }

    /// Returns the names of the columns, if it is a row of a table.
    #[must_use]
    pub fn columns(&self) -> Option<&str> {
        self.parent().filter(|_| self.fresh.statement_at(self.span).is_some_and(|here| here.kind == StatementKind::Row))
    }

    /// Returns the lines of the whole note that whoever may see this one may see.
    #[must_use]
    pub fn note_lines(&self) -> Arc<[NoteLine]> {
        self.fresh.lines_within_band(self.band)
    }

    /// Returns the state of the task; `None` if it is not a task.
    #[must_use]
    pub fn task_state(&self) -> Option<TaskState> {
        let (statements, first) = (self.fresh.statements(), self.fresh.position_of(self.span)?);
        let mut here = statements[first..].iter().take_while(|s| s.span == self.span);
        let here = here.find(|s| s.kind == StatementKind::Task)?;
        match self.fresh.note().segments().get(here.part)?.kind {
            SegmentKind::Task(state) => Some(state),
            _ => None,
        }
    }

    /// Whether it introduces a list that is visible in this band: the last sentence of a paragraph before the first
    /// item, or of an item that has child items.
    #[must_use]
    pub fn is_list_intro(&self) -> bool {
        let (statements, segments) = (self.fresh.statements(), self.fresh.note().segments());
        let Some(at) = self.fresh.position_of(self.span) else { return false };
        let part = statements.get(at).map_or(usize::MAX, |here| here.part);
        let is_last = statements.get(at + 1).is_none_or(|next| next.part != part);
        let (Some(own), Some(next)) = (segments.get(part), segments.get(part.saturating_add(1))) else { return false };
        let is_item = matches!(next.kind, SegmentKind::Item | SegmentKind::Task(_));
        let opens = match own.kind {
            SegmentKind::Paragraph => next.parent.is_none() && (own.heading, own.zone) == (next.heading, next.zone),
            _ => next.parent == Some(part),
        };
        // The result must not reveal whether guarded text between them has words.
        let between = self.span.end()..next.range.end.max(self.span.end());
        is_last && is_item && opens && self.fresh.note().band_of_range(between) <= self.band
    }

    /// Returns the context of a sentence: the sentences before it in the same text, nearest first, up to the first that
    /// is stricter than this one.
    pub fn preceding_sentences(&self) -> impl Iterator<Item = &'n str> {
        let statements = self.fresh.statements();
        let at = self.fresh.position_of(self.span).unwrap_or(0);
        let (here, band) = (statements.get(at), self.band);
        let goes_on = move |other: &&Statement| {
            here.is_some_and(|here| other.part == here.part && other.kind == here.kind && other.zone == here.zone)
                && other.band <= band
        };
        statements.get(..at).unwrap_or_default().iter().rev().take_while(goes_on).map(|other| other.words.as_str())
    }
}

/// Prints place and band, never the words.
impl std::fmt::Debug for Rechecked<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rechecked({} at {:?}, {})", self.statement, self.span, self.band)
    }
}

/// How a place has changed, so that it no longer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema, IntoStaticStr, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum SourceChange {
    /// The words are no longer in the note.
    Gone,
    /// The words occur only within a longer or different sentence.
    Edited,
    /// They are struck out now.
    Struck,
    /// They are in a comment now.
    Commented,
    /// They are in code, math or raw HTML now.
    Fenced,
    /// They are in a quote now, or no longer in one.
    Quoted,
    /// They are under another heading, item or table header now.
    Relocated,
    /// They occur in several places now, and the original one is ambiguous.
    Ambiguous,
}

impl SourceChange {
    /// Returns its stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Source {
    /// Re-anchors the source in a note as it is now: the original note, or its renamed successor.
    ///
    /// 1. The same bytes at the same offset match, if they are a complete statement and their context is unchanged.
    /// 2. Otherwise the same bytes elsewhere in the note, with unchanged context: the only such place, or any of
    ///    several that are the same statement.
    /// 3. The context is unchanged if the zone and the parent item or table header are the same, and the headings
    ///    are the same or were renamed: a heading that is gone was replaced by a new one. A new heading that rejects
    ///    the text below it never matches.
    ///
    /// # Errors
    /// [`SourceChange`] says why the source is no longer valid.
    pub fn recheck<'n>(&self, fresh: &'n ParsedNote) -> Result<Rechecked<'n>, SourceChange> {
        self.recheck_within_band(fresh, Band::Secret)
    }

    /// Re-anchors as [`recheck`](Self::recheck) does, ignoring text that is stricter than a band, both as a place and
    /// in the reported change.
    ///
    /// # Errors
    /// [`SourceChange`]; always [`SourceChange::Gone`] if the note has text stricter than the band.
    pub fn recheck_within_band<'n>(
        &self,
        fresh: &'n ParsedNote,
        strictest: Band,
    ) -> Result<Rechecked<'n>, SourceChange> {
        let note = fresh.note();
        let hides = note.band_of_range(0..note.text().len()) > strictest;
        self.find_current_place(fresh, strictest).map_err(|change| if hides { SourceChange::Gone } else { change })
    }

    fn find_current_place<'n>(&self, fresh: &'n ParsedNote, strictest: Band) -> Result<Rechecked<'n>, SourceChange> {
        let mut refused = None;
        if let Some(span) = fresh.note().span(self.start..self.end)
            && fresh.note().fingerprint(span) == self.fingerprint
        {
            match check_context(self, fresh, span) {
                Ok(here) if here.band > strictest => {}
                Ok(here) => return Ok(self.build_rechecked(fresh, span, here, false)),
                Err(change) => refused = Some(change),
            }
        }
        let mut places = Vec::new();
        for (number, span) in find_matching_spans(fresh, self).enumerate() {
            if number >= PLACES_FREE && !fresh.spend_on_search(1, PLACE_COST) {
                return Err(SourceChange::Ambiguous);
            }
            match check_context(self, fresh, span) {
                Ok(here) if here.band > strictest => {}
                Ok(here) => places.push((span, here)),
                Err(change) => refused = refused.or(Some(change)),
            }
        }
        let mut places = places.into_iter();
        match (places.next(), refused) {
            (Some((span, here)), _) => {
                let same = |other: &Surroundings| {
                    other.statement.is_some() && other.statement == here.statement
                        || (other.headings == here.headings && other.parent == here.parent)
                };
                if places.all(|(_, other)| same(&other)) {
                    Ok(self.build_rechecked(fresh, span, here, true))
                } else {
                    Err(SourceChange::Ambiguous)
                }
            }
            (None, Some(change)) => Err(change),
            (None, None) => Err(explain_missing(self, fresh)),
        }
    }

    fn build_rechecked<'n>(&self, fresh: &'n ParsedNote, span: Span, here: Surroundings, moved: bool) -> Rechecked<'n> {
        Rechecked {
            fresh,
            span,
            band: self.band.join(here.band),
            statement: self.statement,
            moved: moved || fresh.note().path() != &self.note,
            headings: here.headings,
            parent: here.parent,
        }
    }
}

/// The bytes of a line, about.
const LINE_BYTES: usize = 32;

/// What it costs to look at one more place with the same bytes, as bytes hashed, and how many are looked at for nothing.
const PLACE_COST: usize = 512;
const PLACES_FREE: usize = 16;

/// Finds every span with the source's bytes, except at the original offset.
fn find_matching_spans<'n>(fresh: &'n ParsedNote, source: &Source) -> Box<dyn Iterator<Item = Span> + 'n> {
    let (len, fingerprint, old) = (source.end - source.start, source.fingerprint, source.start);
    let note = fresh.note();
    if !fresh.spend_on_search(fresh.statements().len(), len) {
        return Box::new(fresh.spans_with_bytes(fingerprint).iter().copied().filter(move |span| span.start() != old));
    }
    let mut starts: Vec<usize> = fresh.statements().iter().map(|s| s.span.start()).collect();
    let is_missing = || fresh.statements().iter().all(|s| s.id != source.statement);
    if is_missing() && fresh.spend_on_search(note.text().len() / LINE_BYTES, len) {
        // Spans that are not one statement (several, or text without claims) are searched line by line too,
        // behind quote marks, bars and indents.
        let mut at = 0;
        for line in note.text().split_inclusive('\n') {
            let words = line.trim_start_matches([' ', '\t', '>', '|']);
            starts.push(at + line.len() - words.len());
            let marker =
                words.len() - words.trim_start_matches(|c: char| c.is_ascii_digit() || "-+*.)".contains(c)).len();
            let item = words.get(marker..).unwrap_or_default();
            starts.push(at + line.len() - item.trim_start().len());
            at += line.len();
        }
    }
    starts.sort_unstable();
    starts.dedup();
    Box::new(starts.into_iter().filter(move |start| *start != old).filter_map(move |start| {
        let span = note.span(start..start + len)?;
        (note.fingerprint(span) == fingerprint).then_some(span)
    }))
}

/// Checks that the context of `span` preserves the meaning of the source's words.
fn check_context(source: &Source, fresh: &ParsedNote, span: Span) -> Result<Surroundings, SourceChange> {
    if !fresh.is_complete_span(span) {
        return Err(find_new_hiding(source, fresh.note(), span).unwrap_or(SourceChange::Edited));
    }
    let here = fresh.surroundings(span);
    if here.zone != source.zone {
        let was_code = source.zone == Zone::Code;
        return Err(change_for_zone(here.zone).unwrap_or(if was_code {
            SourceChange::Edited
        } else {
            SourceChange::Quoted
        }));
    }
    if here.parent != source.parent || !matches_headings(source, &here.headings, &fresh.outline()) {
        return Err(SourceChange::Relocated);
    }
    Ok(here)
}

/// Whether the headings above are the same, or only renamed.
fn matches_headings(source: &Source, now: &[String], outline: &[String]) -> bool {
    if source.headings == now {
        return true;
    }
    let lost: Vec<&String> = source.headings.iter().filter(|h| !now.contains(h)).collect();
    let gained: Vec<&String> = now.iter().filter(|h| !source.headings.contains(h)).collect();
    if gained.iter().any(|heading| is_rejecting_heading(heading)) {
        return false;
    }
    let all_new = gained.iter().all(|heading| !source.outline.contains(heading));
    let leaf_stays = source.headings.last() == now.last();
    let leaf_gone = source.headings.last().is_none_or(|leaf| !outline.contains(leaf));
    let all_gone = lost.iter().all(|heading| !outline.contains(heading));
    if !leaf_stays && source.headings.last().zip(now.last()).is_some_and(|(old, new)| is_different_heading(old, new)) {
        return false;
    }
    // The nearest heading gives the meaning. It is unchanged, and those above it were renamed, added or removed; or
    // it is gone, and its replacement is new.
    if leaf_stays { all_new || all_gone } else { leaf_gone && all_new }
}

/// Whether a new heading replaces the old one rather than rewording it: it has another number or single letter ("Plan
/// B" for "Plan A"), or a new negation ("It is not so" for "It is so").
fn is_different_heading(old: &str, new: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let (old, new) = (words(old), words(new));
    let names = |word: &&String| word.chars().count() == 1 || word.chars().any(char::is_numeric);
    let renumbered = old.iter().filter(names).any(|word| !new.contains(word))
        && new.iter().filter(names).any(|word| !old.contains(word));
    renumbered || new.iter().any(|word| !old.contains(word) && REVERSING_WORDS.contains(word.as_str()))
}

/// Returns how a place has been hidden since it was anchored; `None` if its zone is unchanged.
fn find_new_hiding(source: &Source, note: &Note, span: Span) -> Option<SourceChange> {
    let zone = note.zone_at(span.start());
    change_for_zone(zone).filter(|_| zone != source.zone)
}

fn change_for_zone(zone: Zone) -> Option<SourceChange> {
    match zone {
        Zone::Struck => Some(SourceChange::Struck),
        Zone::Comment => Some(SourceChange::Commented),
        Zone::Code | Zone::Math | Zone::Html => Some(SourceChange::Fenced),
        Zone::Quote => Some(SourceChange::Quoted),
        Zone::Heading | Zone::FrontMatter | Zone::Footnote => Some(SourceChange::Relocated),
        Zone::Body => None,
    }
}

/// Explains why words no longer form a complete statement: searches the bytes at every character.
fn explain_missing(source: &Source, fresh: &ParsedNote) -> SourceChange {
    // Each character starts a hash of `len` bytes, so a long quote in a long note is not worth the search, nor are many.
    let note = fresh.note();
    let len = source.end - source.start;
    if !fresh.spend_on_search(note.text().len(), len) {
        return SourceChange::Gone;
    }
    let found = note
        .text()
        .char_indices()
        .filter_map(|(start, _)| note.span(start..start + len))
        .find(|span| note.fingerprint(*span) == source.fingerprint);
    found.map_or(SourceChange::Gone, |span| find_new_hiding(source, note, span).unwrap_or(SourceChange::Edited))
}

#[cfg(test)]
mod tests {
    use super::is_different_heading;

    #[test]
    fn another_letter_number_or_a_negation_is_another_heading() {
        for (old, new) in
            [("Plan A", "Plan B"), ("Step 1", "Step 2"), ("It is so", "It is not so"), ("In", "Ruled out")]
        {
            assert!(is_different_heading(old, new), "{old} -> {new}");
        }
        for (old, new) in [("FAQ", "Questions"), ("Step 1: Log in", "Log in"), ("Prerequisites", "Sync a vault")] {
            assert!(!is_different_heading(old, new), "{old} -> {new}");
        }
    }
}
