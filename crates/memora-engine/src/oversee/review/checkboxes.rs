//! Turns ticked checkboxes of reviews into decisions, each applied once.
//!
//! Invariant: **only a ticked checkbox of a note with the property `memora: review` counts**, and of it only the
//! comment behind it. An applied tick is identified by the review's name and its decision, so that it is not applied
//! again after other decisions.

use std::collections::BTreeSet;

use memora_claim::{ClaimId, Decision, DecisionKind, MemoryDecision, ParsedNote, StatementId, is_review_name};
use memora_redact::Viewer;
use memora_store::{NoteFilter, ReadError};
use memora_vault::{Hint, Note, NotePath};

use super::memory_items::{MemoryTick, parse_memory_tick};
use super::note::{CLOSES, OPENS};
use crate::oversee::review::builder::{ReviewBuilder, ReviewTicks};
use crate::read::lifecycle::{Lifecycle, LifecycleReports};
use crate::remember::MemoryError;
use crate::report::{AppliedReport, DecisionReport, RefusedTick};
use crate::state::decisions_file::DecideError;
use crate::state::note_kind::is_review;

/// The review that single choices about memories are of.
const CHOICES: &str = "page";

/// An error while applying reviews.
#[derive(Debug, thiserror::Error)]
pub enum ApplyReviewsError {
    /// The index.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file of decisions.
    #[error(transparent)]
    Decide(#[from] DecideError),
    /// What agents remember.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl Hint for ApplyReviewsError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Read(error) => error.hint(),
            Self::Decide(error) => error.hint(),
            Self::Memory(error) => error.hint(),
        }
    }
}

/// The outcome of applying ticked checkboxes.
#[derive(Debug, Default)]
pub struct TickOutcome {
    applied: Vec<Decision>,
    about_memories: Vec<MemoryDecision>,
    refused: Vec<RefusedTick>,
    /// Whether the user has to fix a tick.
    conflict: bool,
}

/// A ticked checkbox, its location, and its decision; `None` if the comment behind it cannot be parsed.
struct Tick {
    /// The review; `None` for a choice that stands in none.
    path: Option<NotePath>,
    line: usize,
    made: Option<Ticked>,
}

/// What a ticked checkbox decides.
#[derive(Clone, Debug)]
pub(super) enum Ticked {
    Claim(Decision),
    Memory(MemoryTick),
}

impl Tick {
    fn to_refused_tick(&self, why: &str) -> RefusedTick {
        let path = self.path.as_ref().map_or(String::new(), |path| path.as_str().to_owned());
        RefusedTick { path, line: self.line, why: why.to_owned() }
    }
}

impl ReviewTicks<'_> {
    /// Applies all ticks in reviews of the vault that were not applied yet; `at` is the current time.
    ///
    /// # Errors
    /// [`ApplyReviewsError`]; decisions applied until then are kept.
    pub(crate) fn apply_reviews(&self, at: &str) -> Result<TickOutcome, ApplyReviewsError> {
        let filter =
            NoteFilter { properties: vec![("memora".to_owned(), "review".to_owned())], ..NoteFilter::default() };
        let mut due = Vec::new();
        for path in self.session.snapshot.notes_matching(&filter)? {
            let Some(note) = self.session.notes.read_note(&path).map(ParsedNote::note).filter(|note| is_review(note))
            else {
                continue;
            };
            let ticks = parse_ticks(note.text(), at, &review_name(note));
            let ticks = ticks.into_iter().map(|(line, made)| Tick { path: Some(path.clone()), line, made });
            due.extend(ticks.filter(|tick| tick.made.as_ref().is_none_or(|made| !self.is_already_applied(made))));
        }
        let mut ticked = TickOutcome::default();
        for tick in &due {
            let Some(made) = &tick.made else {
                ticked.refused.push(tick.to_refused_tick("what stands behind the box cannot be read"));
                ticked.conflict = true;
                continue;
            };
            if due.iter().filter_map(|other| other.made.as_ref()).any(|other| made.conflicts_with(other)) {
                ticked.refused.push(tick.to_refused_tick("another box about the same is ticked as well"));
                ticked.conflict = true;
                continue;
            }
            match made {
                Ticked::Claim(made) => self.apply_tick(tick, made, &mut ticked)?,
                Ticked::Memory(made) => match self.apply_memory_tick(made, at)? {
                    Ok(made) => ticked.about_memories.push(made),
                    Err(why) => ticked.refused.push(tick.to_refused_tick(why)),
                },
            }
        }
        Ok(ticked)
    }

    /// Applies one choice, as it is [encoded](crate::report::ReviewChoice::to_tick), at once and whatever was decided before.
    ///
    /// # Errors
    /// [`ApplyReviewsError`]; nothing was decided then.
    pub(crate) fn apply_choice(&self, choice: &str, at: &str) -> Result<TickOutcome, ApplyReviewsError> {
        let mut ticked = TickOutcome::default();
        let tick = Tick { path: None, line: 0, made: parse_ticked(choice, at, CHOICES) };
        match &tick.made {
            None => ticked.refused.push(tick.to_refused_tick("this is no choice of a review")),
            Some(Ticked::Claim(made)) => {
                self.apply_tick(&tick, &Decision { review: None, ..made.clone() }, &mut ticked)?;
            }
            Some(Ticked::Memory(made)) => match self.apply_memory_tick(made, at)? {
                Ok(made) => ticked.about_memories.push(made),
                Err(why) => ticked.refused.push(tick.to_refused_tick(why)),
            },
        }
        Ok(ticked)
    }

    fn apply_tick(&self, tick: &Tick, made: &Decision, ticked: &mut TickOutcome) -> Result<(), ApplyReviewsError> {
        if ticked.applied.iter().any(|known| known.has_same_effect(made)) {
            return Ok(());
        }
        if made.over.iter().any(|other| other.statement() == made.claim.statement()) {
            ticked.refused.push(tick.to_refused_tick("it cannot be decided over itself"));
            ticked.conflict = true;
            return Ok(());
        }
        // The other claim may be gone: a number that was edited.
        if made.act != DecisionKind::Later && !LifecycleReports::new(self.session).is_known_claim(made.claim)? {
            ticked.refused.push(tick.to_refused_tick("what it is about is in the notes no longer"));
            return Ok(());
        }
        LifecycleReports::new(self.session).record_decision(made)?;
        ticked.applied.push(made.clone());
        Ok(())
    }

    /// Returns whether this review's last decision about the same claims is this one: a tick that stays is not new.
    fn is_already_applied(&self, made: &Ticked) -> bool {
        let made = match made {
            Ticked::Claim(made) => made,
            Ticked::Memory(tick) => return self.is_memory_tick_applied(tick),
        };
        let mut of_review =
            Lifecycle::new(self.session).decisions().all_by_time().iter().filter(|known| known.review == made.review);
        of_review.rfind(|known| has_same_claims(known, made)).is_some_and(|known| known.has_same_effect(made))
    }
}

/// Returns whether two decisions are about the same claim or claims.
fn has_same_claims(a: &Decision, b: &Decision) -> bool {
    let all = |made: &Decision| -> BTreeSet<StatementId> {
        std::iter::once(&made.claim).chain(&made.over).map(ClaimId::statement).collect()
    };
    let alone = a.over.is_empty() && b.over.is_empty();
    if alone { a.claim.statement() == b.claim.statement() } else { all(a) == all(b) }
}

impl Ticked {
    /// Returns whether both are about the same and decide differently.
    fn conflicts_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Claim(a), Self::Claim(b)) => is_conflicting(a, b),
            (Self::Memory(a), Self::Memory(b)) => a.id == b.id && a.act != b.act,
            (Self::Claim(_), Self::Memory(_)) | (Self::Memory(_), Self::Claim(_)) => false,
        }
    }
}

fn is_conflicting(a: &Decision, b: &Decision) -> bool {
    !a.has_same_effect(b) && has_same_claims(a, b)
}

/// Returns a review's name: the one in its property, or a hash of its path.
pub(super) fn review_name(note: &Note) -> String {
    let given = note.unguarded_property("review").and_then(|value| value.scalar_strings().into_iter().next());
    given.filter(|name| is_review_name(name)).unwrap_or_else(|| {
        let hash = blake3::hash(note.path().as_str().as_bytes()).to_hex();
        hash.chars().take(20).collect()
    })
}

impl ReviewBuilder<'_> {
    /// Reports the applied decisions, as far as this door may see them.
    pub fn report_applied(&self, ticked: TickOutcome) -> Result<AppliedReport, ReadError> {
        let mut applied = Vec::new();
        for made in &ticked.applied {
            applied.extend(LifecycleReports::new(self.session).visible_decision(made)?);
        }
        // What agents remember is asked about where the user alone reads, and told there alone.
        if self.session.door.is_local() {
            applied.extend(ticked.about_memories.iter().map(DecisionReport::from_memory_decision));
        }
        // The number and location of refused ticks must not reveal guarded claims.
        let (refused, conflict) = match self.session.door.is_local() {
            true => (ticked.refused, ticked.conflict),
            false => (Vec::new(), false),
        };
        Ok(AppliedReport { applied, refused, conflict })
    }
}

/// Parses the ticked checkboxes of a review that have a decision comment, each with its line; not in code, nor in an
/// HTML comment.
fn parse_ticks(text: &str, at: &str, review: &str) -> Vec<(usize, Option<Ticked>)> {
    let mut found = Vec::new();
    let (mut fence, mut in_comment) = (None, false);
    for (number, line) in (1..).zip(text.lines()) {
        let bare = line.trim_start_matches([' ', '\t', '>']);
        let fences = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (fence, fences) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if fence.is_some() || fences.is_some() {
            continue;
        }
        let began_in_comment = in_comment;
        let said = without_code_spans(line);
        if let Some(at) = said.rfind("<!--") {
            in_comment = said.rfind("-->").is_none_or(|end| end < at);
        } else if said.contains("-->") {
            in_comment = false;
        }
        if began_in_comment {
            continue;
        }
        if let Some(comment) = strip_ticked_box(bare).and_then(parse_tick_comment) {
            found.push((number, parse_ticked(comment, at, review)));
        }
    }
    found
}

/// Returns a line without its code spans, in which no mark opens or closes a comment.
fn without_code_spans(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let (before, ticks) = rest.split_at(at);
        let count = ticks.len() - ticks.trim_start_matches('`').len();
        let (open, inside) = ticks.split_at(count);
        let closes = |at: &usize| {
            let run = inside.get(*at..).unwrap_or_default();
            run.len() - run.trim_start_matches('`').len() == count
                && !inside.get(..*at).unwrap_or_default().ends_with('`')
        };
        let close = inside.match_indices(open).map(|(at, _)| at).find(closes);
        out.push_str(before);
        rest = match close {
            Some(at) => inside.get(at + count..).unwrap_or_default(),
            None => {
                out.push_str(open);
                inside
            }
        };
    }
    out.push_str(rest);
    out
}

/// Returns the text behind a ticked checkbox; `None` if the line is not one.
pub(super) fn strip_ticked_box(line: &str) -> Option<&str> {
    let marker = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = marker.len() < line.len();
    let rest = if numbered { marker.strip_prefix(['.', ')']) } else { line.strip_prefix(['-', '*', '+']) }?;
    let inside = rest.strip_prefix([' ', '\t'])?.trim_start().strip_prefix('[')?;
    inside.strip_prefix(['x', 'X'])?.strip_prefix("] ")
}

pub(super) fn parse_tick_comment(words: &str) -> Option<&str> {
    let (before, rest) = words.split_once(OPENS)?;
    // In a code span it is not a comment.
    let open = before.matches('`').count().is_multiple_of(2);
    rest.split_once(CLOSES).map(|(comment, _)| comment).filter(|_| open)
}

/// Parses the decision behind a checkbox.
pub(super) fn parse_ticked(comment: &str, at: &str, review: &str) -> Option<Ticked> {
    let of_memory = parse_memory_tick(comment, review).map(Ticked::Memory);
    of_memory.or_else(|| parse_decision(comment, at, review).map(Ticked::Claim))
}

/// `keep A over B C despite D`.
fn parse_decision(comment: &str, at: &str, review: &str) -> Option<Decision> {
    let mut words = comment.split_whitespace();
    let act = DecisionKind::parse(words.next()?)?;
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

    fn read(text: &str) -> Vec<(usize, String)> {
        let told = |made: Ticked| match made {
            Ticked::Claim(made) => made.to_string(),
            Ticked::Memory(tick) => tick.id.to_string(),
        };
        let of = |(line, made): (usize, Option<Ticked>)| (line, made.map(told).unwrap_or_default());
        parse_ticks(text, AT, REVIEW).into_iter().map(of).collect()
    }

    const KEEP: &str = "%%memora: keep 7h3kq0v9x2ma over 8ja75j3qa6r6.09%%";

    #[test]
    fn a_comment_mark_in_code_opens_none() {
        for quoted in
            ["> `Use <!-- to hide it.`", "``a ` <!-- b``", "```html\n<!--\n```", "an `open <!-- tick` and `another`"]
        {
            let text = format!("{quoted}\n- [x] keep new {KEEP}");
            assert_eq!(read(&text).len(), 1, "{text}");
        }
        for comment in ["an `odd tick <!-- here", "`code` <!-- and more"] {
            assert_eq!(read(&format!("{comment}\n- [x] keep new {KEEP}")), [], "{comment}");
        }
    }

    #[test]
    fn only_ticked_boxes_with_their_comment_count() {
        for nothing in [
            format!("- [ ] keep new {KEEP}"),
            format!("- [-] keep new {KEEP}"),
            format!("-[x] keep new {KEEP}"),
            format!("keep new {KEEP}"),
            "- [x] bought milk".to_owned(),
            format!("- [x] keep new {}", KEEP.trim_end_matches('%')),
            format!("- [x] keep new `{KEEP}`"),
            format!("```\n- [x] keep new {KEEP}\n```"),
            format!("<!--\n- [x] keep new {KEEP}\n-->"),
        ] {
            assert_eq!(read(&nothing), [], "{nothing}");
        }
        let expect = format!(
            "{{\"at\":\"{AT}\",\"do\":\"keep\",\"claim\":\"7h3kq0v9x2ma\",\"over\":[\"8ja75j3qa6r6.09\"],\"review\":\"{REVIEW}\"}}"
        );
        for ticked in [
            format!("- [x] keep new {KEEP}"),
            format!("  * [X] what I say {KEEP} today\r"),
            format!("1. [x] keep new {KEEP}"),
            format!("> - [x] keep new {KEEP}"),
        ] {
            assert_eq!(read(&ticked), [(1, expect.clone())], "{ticked}");
        }
        assert_eq!(read("- [x] a %%memora: keep nothing%%"), [(1, String::new())]);
    }

    #[test]
    fn boxes_about_the_same_conflict_wherever_they_stand() {
        let of = |comment: &str| parse_decision(comment, AT, REVIEW).expect("a decision");
        let keep = of("keep 7h3kq0v9x2ma over 8ja75j3qa6r6.09");
        assert!(is_conflicting(&keep, &of("keep 8ja75j3qa6r6 over 7h3kq0v9x2ma")));
        assert!(!is_conflicting(&keep, &keep));
        assert!(!is_conflicting(&keep, &of("keep 7h3kq0v9x2ma over 0vp5m0sg3va1")));
        assert!(is_conflicting(&of("keep 7h3kq0v9x2ma despite 8ja75j3qa6r6"), &of("end 7h3kq0v9x2ma.jm")));
    }
}
