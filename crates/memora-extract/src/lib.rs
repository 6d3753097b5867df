//! Claims out of statements, by rules that work offline.
//!
//! [`claims`] reads one statement. The one rule to know: **a reading depends on the statement's words and on what its id
//! is made of, and on nothing else**, so that the same statement in two notes has the same claims, whichever note is
//! indexed first. What the place gives (a title, a heading, a date) stays open and is filled in when a claim is shown.
//!
//! Deliberately not here: clauses, relations and models. They will add claims to statements and change no id.

use memora_claim::{Claim, Extractor, Modality, STATES, Statement, StatementKind, shown};
use memora_vault::{Note, PropertyValue, SegmentKind, TaskState, Zone};

/// Draws the claims out of one statement of `note`, most explicit rule first; none out of a question.
#[must_use]
pub fn claims(note: &Note, statement: &Statement) -> Vec<Claim> {
    let mut found = match statement.kind {
        StatementKind::Property => of_property(note, statement),
        StatementKind::Field => of_field(note, statement),
        StatementKind::Row => of_row(note, statement),
        StatementKind::Task => of_task(note, statement),
        StatementKind::Item | StatementKind::Sentence => of_sentence(statement),
    };
    for claim in &mut found {
        if statement.rejected {
            claim.modality = Modality::Rejected;
        } else if statement.zone == Zone::Quote {
            claim.modality = Modality::Reported;
        }
    }
    found.sort_by_key(|claim| claim.id);
    found.dedup_by_key(|claim| claim.id);
    found
}

fn claim(statement: &Statement, subject: Option<String>, predicate: &str, object: &str, by: Extractor) -> Claim {
    let mut claim = Claim::new(statement.id, subject, predicate, object);
    claim.extractor = by;
    claim.confidence = confidence(by);
    claim
}

/// How explicit a rule's evidence is. Orders claims; no probability.
fn confidence(by: Extractor) -> f32 {
    match by {
        Extractor::Property => 0.95,
        Extractor::Field => 0.93,
        Extractor::Row => 0.85,
        Extractor::Definition => 0.75,
        Extractor::Label => 0.7,
        Extractor::Task => 0.6,
        Extractor::Sentence => 0.5,
    }
}

fn whole(statement: &Statement) -> Vec<Claim> {
    vec![claim(statement, lent_subject(statement), STATES, &statement.words, Extractor::Sentence)]
}

/// The subject that a leaning statement's surroundings lend it: the item it stands in, else the nearest heading. They are
/// in its id. A statement that stands alone takes none of them, or one id would speak of two things in two places.
fn lent_subject(statement: &Statement) -> Option<String> {
    if statement.borrowed.is_empty() {
        return None;
    }
    let in_item = matches!(statement.kind, StatementKind::Item | StatementKind::Field);
    let item = if in_item { statement.parent.clone() } else { None };
    // A field speaks of its item or of the note, wherever in the note it stands.
    let of_note = statement.kind == StatementKind::Field;
    let heading = statement.headings.last().filter(|heading| !of_note && !heading.is_empty());
    item.or_else(|| heading.cloned())
}

fn of_property(note: &Note, statement: &Statement) -> Vec<Claim> {
    let Some(property) = note.properties().get(statement.part) else { return whole(statement) };
    let values = match &property.value {
        PropertyValue::List(items) => items.iter().flat_map(PropertyValue::words).collect(),
        value => value.words(),
    };
    values.iter().map(|value| claim(statement, None, &property.key, shown(value), Extractor::Property)).collect()
}

fn of_field(note: &Note, statement: &Statement) -> Vec<Claim> {
    let Some(segment) = note.segments().get(statement.part) else { return whole(statement) };
    let SegmentKind::Field { key, value, .. } = &segment.kind else { return whole(statement) };
    let cut = |range: &std::ops::Range<usize>| segment.plain.text().get(range.clone()).unwrap_or_default().trim();
    vec![claim(statement, lent_subject(statement), cut(key), cut(value), Extractor::Field)]
}

/// A row speaks of its first cell; each other cell is what its column says of it.
fn of_row(note: &Note, statement: &Statement) -> Vec<Claim> {
    let Some(segment) = note.segments().get(statement.part) else { return whole(statement) };
    let SegmentKind::Row { cells, header, .. } = &segment.kind else { return whole(statement) };
    let cell = |at: usize| {
        let range = cells.get(at)?.clone();
        segment.plain.text().get(range).map(str::trim).filter(|text| !text.is_empty())
    };
    let Some(subject) = cell(0) else { return whole(statement) };
    let found: Vec<Claim> = (1..cells.len())
        .filter_map(|at| {
            let column = header.get(at).map(String::as_str).filter(|name| !name.trim().is_empty())?;
            Some(claim(statement, Some(subject.to_owned()), column, cell(at)?, Extractor::Row))
        })
        .collect();
    if found.is_empty() { whole(statement) } else { found }
}

fn of_task(note: &Note, statement: &Statement) -> Vec<Claim> {
    let state = match note.segments().get(statement.part).map(|segment| &segment.kind) {
        Some(SegmentKind::Task(state)) => *state,
        _ => return whole(statement),
    };
    let mut task = claim(statement, lent_subject(statement), state.as_str(), &statement.words, Extractor::Task);
    task.modality = match state {
        TaskState::Done => Modality::Asserted,
        TaskState::Cancelled => Modality::Rejected,
        _ => Modality::Planned,
    };
    vec![task]
}

fn of_sentence(statement: &Statement) -> Vec<Claim> {
    let words = statement.words.as_str();
    if is_question(words) {
        return Vec::new();
    }
    if let Some((term, meaning)) = definition(words) {
        return vec![claim(statement, Some(term.to_owned()), "is", meaning, Extractor::Definition)];
    }
    if let Some((label, value)) = labelled(words) {
        return vec![claim(statement, lent_subject(statement), label, value, Extractor::Label)];
    }
    whole(statement)
}

fn is_question(words: &str) -> bool {
    words.trim_end_matches(['"', '\'', ')', '”', '’', '*', '_']).ends_with(['?', '？'])
}

/// `Term — meaning`, with a dash that stands apart and a short term before it.
fn definition(words: &str) -> Option<(&str, &str)> {
    let (term, meaning) = words.split_once(" — ").or_else(|| words.split_once(" – "))?;
    let short = (1..=5).contains(&term.split_whitespace().count()) && !term.contains([',', ':', '.', ';']);
    (short && meaning.split_whitespace().count() >= 2).then(|| (term.trim(), meaning.trim()))
}

/// `Label: value`, with a short label; times, addresses and paths are none.
fn labelled(words: &str) -> Option<(&str, &str)> {
    let (label, value) = words.split_once(": ").or_else(|| words.split_once('：'))?;
    let count = label.split_whitespace().count();
    let plain = !label.contains([',', '.', ';', '"', '(', '[', '!', '?', '。', '、', '「']);
    let short = (1..=4).contains(&count) && label.chars().count() <= 40;
    let fits = short && plain && label.chars().any(char::is_alphabetic) && !value.trim().is_empty();
    fits.then(|| (label.trim(), value.trim()))
}

#[cfg(test)]
mod tests {
    use memora_claim::statements;
    use memora_vault::{Note, NotePath, Place};

    use super::claims;

    /// Reads a note `Title.md` and checks every claim, as `subject | predicate | object | modality`.
    fn check(text: &str, expect: &[&str]) {
        let path = NotePath::new("Title.md").expect("a good path");
        let (note, _) = Note::parse(path, text.to_owned(), Place::default());
        let mut found = Vec::new();
        for statement in statements(&note) {
            for claim in claims(&note, &statement) {
                let subject = claim.subject_at(note.title());
                let modality = claim.modality.as_str();
                found.push(format!("{subject} | {} | {} | {modality}", claim.predicate, claim.object));
            }
        }
        found.sort();
        let mut expect: Vec<_> = expect.iter().map(|line| (*line).to_owned()).collect();
        expect.sort();
        assert_eq!(found, expect);
    }

    #[test]
    fn properties_speak_of_the_note() {
        check(
            "---\nstatus: active\nup: \"[[Home|the start]]\"\nlangs: [Go, Rust]\ntags: [a]\n---\n# H\n",
            &[
                "Title | langs | Go | asserted",
                "Title | langs | Rust | asserted",
                "Title | status | active | asserted",
                "Title | up | the start | asserted",
            ],
        );
    }

    #[test]
    fn fields_speak_of_the_note_or_of_their_item() {
        check(
            "owner:: Sam\n\n- Ship it [due:: 2025-06-30]\n",
            &[
                "Title | owner | Sam | asserted",
                "Ship it | due | 2025-06-30 | asserted",
                "Title | states | Ship it | asserted",
            ],
        );
    }

    #[test]
    fn rows_speak_of_their_first_cell() {
        check(
            "# Releases\n\n| Version | Date | Note |\n|---|---|---|\n| 1.0 | 2024-11-18 | |\n| only | | |\n",
            &["1.0 | Date | 2024-11-18 | asserted", "Releases | states | only | asserted"],
        );
    }

    #[test]
    fn labels_and_definitions() {
        check(
            "# Plan A\n\n- Price: 40 euros per month\n- WAL — the write-ahead log\n- At 10:30 we met\n",
            &[
                "Plan A | Price | 40 euros per month | asserted",
                "WAL | is | the write-ahead log | asserted",
                "Plan A | states | At 10:30 we met | asserted",
            ],
        );
    }

    #[test]
    fn tasks_keep_their_state() {
        check(
            "- [ ] Buy rye\n- [x] Feed the starter\n- [-] Call Sam\n",
            &[
                "Title | open | Buy rye | planned",
                "Title | done | Feed the starter | asserted",
                "Title | cancelled | Call Sam | rejected",
            ],
        );
    }

    #[test]
    fn questions_claim_nothing_and_quotes_are_reported() {
        check(
            "Is it fast? Drift is very fast.\n\n> Logs have a shape.\n\n## Rejected\n\nDrift is a queue.\n",
            &[
                "Title | states | Drift is very fast. | asserted",
                "Title | states | Logs have a shape. | reported",
                "Rejected | states | Drift is a queue. | rejected",
            ],
        );
    }
}
