//! Claims out of statements, by rules that work offline.
//!
//! [`Extract::claims`] reads one statement, most explicit rule first: property, field, row, definition, label, task; then
//! its clauses, one after the other. The one rule to know: **a reading depends on the statement's words, their markup and
//! what its id is made of, and on nothing else**, so that an index grown step by step equals one built at once. What the
//! place gives (a title, a date) stays open and is filled in when a claim is shown.
//!
//! Deliberately not here: models that need a network or a graphics card. They will add claims to statements and change no
//! id.

mod base;
mod class;
mod clause;
mod explicit;
mod language;
pub mod openie;
mod prose;
mod reading;
mod relation;

pub use base::base;
pub use relation::{Relation, Relations, RelationsError};

use memora_claim::{Claim, Modality, Statement, StatementKind};
use memora_vault::{Note, Zone};

/// The offline extractor.
#[derive(Clone, Copy, Debug)]
pub struct Extract<'r> {
    relations: &'r Relations,
}

impl Default for Extract<'static> {
    fn default() -> Self {
        Self { relations: Relations::shipped() }
    }
}

impl<'r> Extract<'r> {
    /// An extractor that knows these relations.
    #[must_use]
    pub fn new(relations: &'r Relations) -> Self {
        Self { relations }
    }

    /// Draws the claims out of one statement of `note`, in the order of their ids; none out of a question.
    #[must_use]
    pub fn claims(&self, note: &Note, statement: &Statement) -> Vec<Claim> {
        let mut found = match statement.kind {
            StatementKind::Property => explicit::of_property(note, statement),
            StatementKind::Field => explicit::of_field(note, statement),
            StatementKind::Row => explicit::of_row(note, statement),
            StatementKind::Task => explicit::of_task(note, statement),
            StatementKind::Item | StatementKind::Sentence => prose::of_sentence(note, statement, self.relations),
        };
        for claim in &mut found {
            if claim.relation.is_none() && claim.extractor.names_its_predicate() {
                let relation = self.relations.of_name(&claim.predicate, &claim.object);
                claim.relation = relation.map(|relation| relation.name.clone());
            }
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
}

#[cfg(test)]
mod tests {
    use memora_claim::statements;
    use memora_vault::{Note, NotePath, Place};

    use super::Extract;

    /// Reads a note `Title.md` and checks every claim, as `subject | predicate | object | modality`.
    fn check(text: &str, expect: &[&str]) {
        let path = NotePath::new("Title.md").expect("a good path");
        let (note, _) = Note::parse(path, text.to_owned(), Place::default());
        let mut found = Vec::new();
        for statement in statements(&note) {
            for claim in Extract::default().claims(&note, &statement) {
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
