//! What was ticked in reviews, made decisions of the user's, each once.
//!
//! The one rule to know: **only a ticked box of a note with the property `memora: review` counts**, and of it only the
//! comment behind it. A tick that was applied is known by the review's name and what it decides, so that it is not applied
//! again, whatever was decided since.

use memora_claim::{Act, ClaimId, Decision, names_a_review};
use memora_redact::{Door, LocalDoor};
use memora_store::{NoteFilter, ReadError};
use memora_vault::NotePath;

use super::note::{CLOSES, OPENS};
use crate::prepare::is_review;
use crate::session::Session;
use crate::standing::DecideError;
use crate::wire::{AppliedReport, RefusedTick};

/// Why ticks could not be applied.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The index.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file of decisions.
    #[error(transparent)]
    Decide(#[from] DecideError),
}

/// What was ticked, and what became of it.
#[derive(Debug, Default)]
pub struct Ticked {
    applied: Vec<Decision>,
    refused: Vec<RefusedTick>,
}

impl Ticked {
    /// Whether a tick could not be applied.
    #[must_use]
    pub fn has_refused(&self) -> bool {
        !self.refused.is_empty()
    }
}

/// A ticked box.
struct Tick {
    line: usize,
    /// Nothing where the comment behind it cannot be read.
    made: Option<Decision>,
    /// The box that it belongs to: those of one item stand in one list.
    item: usize,
}

impl Session<'_, LocalDoor> {
    /// Applies what is ticked in any review of the vault and was not applied yet; `at` is now.
    ///
    /// # Errors
    /// [`ApplyError`]; what was applied until then stays.
    pub fn apply_reviews(&self, at: &str) -> Result<Ticked, ApplyError> {
        let filter =
            NoteFilter { properties: vec![("memora".to_owned(), "review".to_owned())], ..NoteFilter::default() };
        let mut ticked = Ticked::default();
        for path in self.snapshot.notes_where(&filter)? {
            self.apply_review(&path, at, &mut ticked)?;
        }
        Ok(ticked)
    }

    fn apply_review(&self, path: &NotePath, at: &str, ticked: &mut Ticked) -> Result<(), ApplyError> {
        let Some(note) = self.fresh(path).map(memora_claim::FreshNote::note).filter(|note| is_review(note)) else {
            return Ok(());
        };
        let name = note.open_property("review").and_then(|value| value.words().into_iter().next());
        let Some(review) = name.filter(|name| names_a_review(name)) else { return Ok(()) };
        let ticks = ticks(note.text(), at, &review);
        for tick in &ticks {
            let refuse =
                |why: &str| RefusedTick { path: path.as_str().to_owned(), line: tick.line, why: why.to_owned() };
            let Some(made) = &tick.made else {
                ticked.refused.push(refuse("what stands behind the box cannot be read"));
                continue;
            };
            let before = self.decisions().made().iter().chain(&ticked.applied);
            if before.into_iter().any(|known| known.review == made.review && known.is_same(made)) {
                continue;
            }
            let others = ticks.iter().filter(|other| other.item == tick.item && other.line != tick.line);
            if others.filter_map(|other| other.made.as_ref()).any(|other| !other.is_same(made)) {
                ticked.refused.push(refuse("another box of the same question is ticked as well"));
                continue;
            }
            // What it is over may be gone: a number that was edited.
            if made.act != Act::Later && !self.is_known_claim(made.claim)? {
                ticked.refused.push(refuse("what it is about is in the notes no longer"));
                continue;
            }
            self.record(made)?;
            ticked.applied.push(made.clone());
        }
        Ok(())
    }
}

impl<D: Door> Session<'_, D> {
    /// What was applied, as far as this door may see it.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn applied(&self, ticked: Ticked) -> Result<AppliedReport, ReadError> {
        let mut applied = Vec::new();
        for made in &ticked.applied {
            applied.extend(self.known_of(made)?);
        }
        let refused = if self.door.is_local() { ticked.refused } else { Vec::new() };
        Ok(AppliedReport { applied, refused })
    }
}

/// The ticked boxes of a review, in order; boxes that follow each other are about one question.
fn ticks(text: &str, at: &str, review: &str) -> Vec<Tick> {
    let mut found = Vec::new();
    let (mut item, mut in_list) = (0, false);
    for (number, line) in (1..).zip(text.lines()) {
        let Some((is_ticked, words)) = tick_box(line) else {
            in_list = false;
            continue;
        };
        if !in_list {
            item += 1;
            in_list = true;
        }
        if is_ticked && let Some(comment) = comment(words) {
            found.push(Tick { line: number, made: decision(comment, at, review), item });
        }
    }
    found
}

/// Whether a line is a box, ticked or not, and what stands behind it.
fn tick_box(line: &str) -> Option<(bool, &str)> {
    let rest = line.trim_start().strip_prefix(['-', '*', '+'])?.trim_start().strip_prefix('[')?;
    let mut signs = rest.chars();
    let sign = signs.next()?;
    Some((matches!(sign, 'x' | 'X'), signs.as_str().strip_prefix(']')?))
}

fn comment(words: &str) -> Option<&str> {
    let (_, rest) = words.split_once(OPENS)?;
    rest.split_once(CLOSES).map(|(comment, _)| comment)
}

/// `keep A over B C despite D`.
fn decision(comment: &str, at: &str, review: &str) -> Option<Decision> {
    let mut words = comment.split_whitespace();
    let act = Act::parse(words.next()?)?;
    let claim = ClaimId::parse(words.next()?).ok()?;
    let (mut over, mut despite) = (Vec::new(), Vec::new());
    let mut list: Option<&mut Vec<ClaimId>> = None;
    for word in words {
        match (word, &mut list) {
            ("over", _) => list = Some(&mut over),
            ("despite", _) => list = Some(&mut despite),
            (id, Some(list)) => list.push(ClaimId::parse(id).ok()?),
            (_, None) => return None,
        }
    }
    Some(Decision { at: at.to_owned(), act, claim, over, despite, review: Some(review.to_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: &str = "2026-11-21T12:00:00.000000Z";
    const REVIEW: &str = "20261121T120000000000Z";

    fn read(text: &str) -> Vec<(usize, usize, String)> {
        let of = |tick: Tick| (tick.line, tick.item, tick.made.map(|made| made.to_string()).unwrap_or_default());
        ticks(text, AT, REVIEW).into_iter().map(of).collect()
    }

    #[test]
    fn only_ticked_boxes_with_their_comment_count() {
        let keep = "keep 7h3kq0v9x2ma over 8ja75j3qa6r6.09";
        for nothing in [
            format!("- [ ] keep new %%memora: {keep}%%"),
            format!("keep new %%memora: {keep}%%"),
            "- [x] bought milk".to_owned(),
            format!("- [x] keep new %%memora: {keep}"),
        ] {
            assert_eq!(read(&nothing), [], "{nothing}");
        }
        let expect = format!(
            "{{\"at\":\"{AT}\",\"do\":\"keep\",\"claim\":\"7h3kq0v9x2ma\",\"over\":[\"8ja75j3qa6r6.09\"],\"review\":\"{REVIEW}\"}}"
        );
        for ticked in
            [format!("- [x] keep new %%memora: {keep}%%"), format!("  * [X] what I say %%memora: {keep}%% today\r")]
        {
            assert_eq!(read(&ticked), [(1, 1, expect.clone())], "{ticked}");
        }
        assert_eq!(read("- [x] a %%memora: keep nothing%%"), [(1, 1, String::new())]);
    }

    #[test]
    fn boxes_that_follow_each_other_are_of_one_question() {
        let boxes = "- [x] a %%memora: keep 7h3kq0v9x2ma%%\n- [ ] b\n- [x] c %%memora: retract 7h3kq0v9x2ma%%\n";
        let found = read(&format!("{boxes}\n## 2\n\n{boxes}"));
        let places: Vec<(usize, usize)> = found.into_iter().map(|(line, item, _)| (line, item)).collect();
        assert_eq!(places, [(1, 1), (3, 1), (7, 2), (9, 2)]);
    }
}
