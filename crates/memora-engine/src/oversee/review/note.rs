//! A review as a note in the vault, with checkboxes.
//!
//! Invariant: **guarded claims are linked, and neither quoted nor named**, and the review itself is secret. Public
//! words are code spans, so that no tag, link, task or citation in them becomes one of the review's. Behind each
//! checkbox a comment encodes its decision, for [`super::checkboxes`].

use std::fmt::Write as _;

use memora_claim::DecisionKind;
use memora_claim::unicode::is_zero_width;
use memora_redact::LocalDoor;
use memora_vault::{Band, Hint, NotePath, SkipReason};

use crate::read::capture::new_note::{NewNote, NewNoteError};
use crate::report::{ReviewChoice, ReviewItem, ReviewKind as Kind, ReviewReport};
use crate::state::open::Memora;

/// The folder of reviews.
const FOLDER: &str = "Memora";

/// The maximum number of reviews per day.
const A_DAY_MAX: usize = 99;

/// The delimiters of the comment that encodes a checkbox's decision.
pub(super) const OPENS: &str = "%%memora: ";
pub(super) const CLOSES: &str = "%%";

/// An error while writing a review.
#[derive(Debug, thiserror::Error)]
pub enum WriteReviewError {
    /// The day has too many reviews.
    #[error("there are {A_DAY_MAX} reviews of this day in {FOLDER}")]
    TooMany,
    /// A note at this path would be excluded from indexing, so that its checkboxes could not be read.
    #[error("a review in {FOLDER} would not be read: it {0}")]
    Excluded(SkipReason),
    /// The folder leads out of the vault, or is not a folder.
    #[error("{FOLDER} is no folder of the vault")]
    NoFolder,
    /// The note could not be written.
    #[error("cannot write a review into {FOLDER}")]
    Io(#[from] std::io::Error),
}

impl Hint for WriteReviewError {
    fn hint(&self) -> &'static str {
        match self {
            Self::TooMany => "apply what is ticked and delete the old ones",
            Self::Excluded(_) => "take Memora out of what Obsidian, .memoraignore or .gitignore exclude",
            Self::NoFolder => "make Memora a plain folder of the vault; nothing was written",
            Self::Io(_) => "check that the vault's folder can be written; nothing was written",
        }
    }
}

impl Memora {
    /// Writes a review as a new note, never over another; `at` is the time, as in [`memora_claim::Decision::at`].
    ///
    /// # Errors
    /// [`WriteReviewError`]; nothing was written then.
    pub fn write_review(&self, report: &ReviewReport<LocalDoor>, at: &str) -> Result<NotePath, WriteReviewError> {
        let text = render_review(report, at);
        let day = &report.day;
        for number in 1..=A_DAY_MAX {
            let nth = if number == 1 { String::new() } else { format!(" {number}") };
            let path = NotePath::new(format!("{FOLDER}/Review {day}{nth}.md"));
            let path = path.map_err(|_| WriteReviewError::NoFolder)?;
            match NewNote::at_path(&self.vault, &path).and_then(|new| new.create_file(&text)) {
                Ok(()) => return Ok(path),
                Err(NewNoteError::Exists) => {}
                Err(NewNoteError::Excluded(reason)) => return Err(WriteReviewError::Excluded(reason)),
                Err(NewNoteError::Outside | NewNoteError::NotAFolder) => return Err(WriteReviewError::NoFolder),
                Err(NewNoteError::Io(error)) => return Err(error.into()),
            }
        }
        Err(WriteReviewError::TooMany)
    }
}

fn render_review(report: &ReviewReport<LocalDoor>, at: &str) -> String {
    let day = &report.day;
    let name: String = at.chars().filter(char::is_ascii_alphanumeric).collect();
    // Questions and reasons can depend on guarded notes, and links contain their paths.
    let mut out = format!(
        "---\nmemora: review\nreview: {name}\nprivacy: secret\n---\n# Review {day}\n\nTick what is so, then run `memora \
         review --apply`. What is not ticked stays open; what else is written here does not count.\n"
    );
    if report.items.is_empty() {
        out.push_str("\nNothing to review.\n");
    }
    // A guarded item without a place to link to could only be named.
    let tellable =
        |item: &&ReviewItem<LocalDoor>| is_public_band(item.band) || !item.claims.is_empty() || item.path.is_some();
    for (number, item) in (1..).zip(report.items.iter().filter(tellable)) {
        push_item(&mut out, number, item);
    }
    out
}

fn push_item(out: &mut String, number: usize, item: &ReviewItem<LocalDoor>) {
    let all_open = is_public_band(item.band);
    // The question and the reason quote their subject.
    let question = if all_open { item.question.as_str() } else { "About something guarded" };
    let _ = write!(out, "\n## {number}. {}: {}\n\n", kind_title(item.kind), escape_markdown(question));
    if all_open {
        let _ = write!(out, "{}. ", capitalize_first(&escape_markdown(&item.why)));
    }
    if item.dependents > 0 {
        let _ = write!(out, "Sentences that rest on it: {}. ", item.dependents);
    }
    let _ = write!(out, "{}\n\n", item.advice);
    let ages = if matches!(item.kind, Kind::Contradiction | Kind::Changed) { ["older: ", "newer: "] } else { ["", ""] };
    for (nth, claim) in item.claims.iter().enumerate() {
        let age = ages.get(nth).copied().unwrap_or_default();
        let Some(place) = claim.place() else { continue };
        let line = place.line.map(|line| format!(", line {line}")).unwrap_or_default();
        if is_public_band(claim.band()) {
            let _ = writeln!(out, "- {age}{} ({}{line})", to_code_span(&place.quote), render_link(&place.path, None));
        } else {
            let _ = writeln!(out, "- {age}{}{line}", render_link(&place.path, Some(claim.band())));
        }
    }
    if let Some(formerly) = item.formerly.as_ref().filter(|_| all_open) {
        let _ = writeln!(out, "- before: {}", to_code_span(formerly));
    }
    if let Some(proposed) = item.proposed.as_ref().filter(|_| all_open) {
        let _ = writeln!(out, "- proposed by {}: {}", escape_markdown(&proposed.by), to_code_span(&proposed.text));
    }
    if let Some(path) = &item.path {
        let _ = writeln!(out, "- {}", render_link(path, (!all_open).then_some(item.band)));
    }
    if !item.choices.is_empty() {
        out.push('\n');
    }
    for choice in &item.choices {
        let _ = writeln!(
            out,
            "- [ ] {} ({}) {OPENS}{}{CLOSES}",
            choice.tick,
            describe_choice(choice, item),
            choice.to_tick()
        );
    }
}

/// Describes a choice's effect for the user.
fn describe_choice(choice: &ReviewChoice, item: &ReviewItem<LocalDoor>) -> &'static str {
    let is_memory = item.memory.is_some();
    match (choice.act, choice.over.is_empty()) {
        (DecisionKind::Keep, _) if is_memory => "it counts as your word, beside your notes",
        (DecisionKind::Retract, _) if is_memory => "it goes to the archive",
        (DecisionKind::Keep, true) => "confirmed today",
        (DecisionKind::Keep, false) => "the other counts as superseded",
        (DecisionKind::Both, _) => "neither is asked about again",
        (DecisionKind::End, _) if item.kind == Kind::Intention => "not asked again",
        (DecisionKind::End, _) => "it held until today",
        (DecisionKind::Later, _) => "asked again in 30 days",
        (DecisionKind::Retract | DecisionKind::Restore, _) => "is written down as decided",
    }
}

pub(super) fn kind_title(kind: Kind) -> &'static str {
    match kind {
        Kind::Stale => "Stale",
        Kind::Contradiction => "Contradiction",
        Kind::Changed => "Changed",
        Kind::Edit => "A number was edited",
        Kind::Aging => "Told long ago",
        Kind::Intention => "Planned some time ago",
        Kind::SingleSource => "Told in one place",
        Kind::Frontier => "Often named, without a note",
        Kind::Memory => "Remembered",
    }
}

/// Renders a link to a note; the name of a guarded note is hidden.
fn render_link(path: &str, band: Option<Band>) -> String {
    let bare = path.strip_suffix(".md").unwrap_or(path);
    let breaks = |c: char| matches!(c, '[' | ']' | '|' | '#' | '^' | '%' | '\n' | '\r');
    match band {
        Some(band) if bare.contains(breaks) => format!("a {band} note"),
        Some(band) => format!("[[{bare}|a {band} note]]"),
        None if bare.contains(breaks) => to_code_span(path),
        None => format!("[[{bare}]]"),
    }
}

fn is_public_band(band: Band) -> bool {
    band == Band::Public
}

/// The maximum number of characters of a quote.
const QUOTE_CHARS_MAX: usize = 400;

/// Puts words on one line, without invisible characters, and shortens them.
fn to_one_line(words: &str) -> String {
    let seen: String = words.chars().filter(|c| !is_zero_width(*c)).collect();
    let line = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTE_CHARS_MAX) {
        Some((at, _)) => format!("{} …", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// Renders words as a code span: nothing in them is markup.
fn to_code_span(words: &str) -> String {
    let words = to_one_line(words);
    let longest = words.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let pad = if words.starts_with('`') || words.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{words}{pad}{fence}")
}

/// Escapes possible markup in text that mixes our words with words of notes.
fn escape_markdown(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.split_whitespace().collect::<Vec<_>>().join(" ").chars().filter(|c| !is_zero_width(*c)) {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '~' | '=' | '^' | '|' | '$' | '%' | '!' | '&'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Capitalizes the first letter.
fn capitalize_first(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
