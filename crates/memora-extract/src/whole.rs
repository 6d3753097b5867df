//! Sentences told whole: what may be listed as a claim.
//!
//! The facts of a sentence by themselves lose what joins them. Beside them each main clause that names its subject is kept as it
//! stands.

use std::collections::BTreeSet;

use memora_claim::time::{times, validity};
use memora_claim::{Claim, Extractor, Holds, Statement};
use memora_vault::{Note, PartialDate};

use crate::base::is_irregular;
use crate::explicit::{claim, lent_subject, whole};
use crate::prose::{Form, Line, form, is_date, says_how_meant, without_line};
use crate::reading::{Reading, read_both, read_whole};
use crate::relation::Relations;

/// From this confidence on a fact about another than the sentence's subject is kept beside it.
pub(crate) const SURE: f32 = 0.85;

/// What a sentence or an item says: its facts, and what is told whole.
pub(crate) struct Told {
    pub(crate) facts: Vec<Claim>,
    pub(crate) whole: Vec<Claim>,
}

impl Told {
    /// What is not read clause by clause is told whole by its facts.
    pub(crate) fn by_facts(facts: Vec<Claim>) -> Self {
        Self { whole: facts.clone(), facts }
    }
}

/// Tells a sentence or an item, apart and whole.
pub(crate) fn of_sentence(note: &Note, statement: &Statement, relations: &Relations) -> Told {
    let Some(line) = Line::of(note, statement) else { return Told::by_facts(without_line(statement)) };
    let form = form(statement, &line);
    if matches!(form, Form::Plain) {
        let (apart, clauses) = read_both(line.text, &line.solid, line.place());
        let facts = line.sure(apart, relations);
        let facts = if facts.is_empty() { whole(statement) } else { facts };
        return Told { whole: line.told_whole(clauses, None, &facts, relations), facts };
    }
    let facts = line.facts(&form, relations);
    let is_read = |fact: &Claim| matches!(fact.extractor, Extractor::Clause | Extractor::Fragment);
    let whole = match form {
        Form::OfDay(front, rest) | Form::Defined(front, rest) | Form::Labelled(front, rest)
            if facts.iter().any(is_read) && !says_how_meant(front) =>
        {
            let part = line.text.find(rest).unwrap_or(line.text.len())..line.text.len();
            let clauses = read_whole(line.text.get(part.clone()).unwrap_or_default(), &line.solid_in(&part));
            line.told_whole(clauses, Some(front), &facts, relations)
        }
        // "Provides encryption, authentication, and message structure" is no list of three values.
        Form::Labelled(label, value) if facts.len() > 1 => {
            vec![claim(statement, lent_subject(statement), label, value, Extractor::Label)]
        }
        _ => facts.clone(),
    };
    Told { facts, whole }
}

impl Line<'_> {
    /// The main clauses whole, what stands in `front` of them with each; of the facts those that have a relation, too.
    fn told_whole(
        &self,
        clauses: Vec<Reading>,
        front: Option<&str>,
        apart: &[Claim],
        relations: &Relations,
    ) -> Vec<Claim> {
        let mut found: Vec<Claim> = Vec::new();
        for reading in clauses {
            let mut claim = self.claim(reading, None, relations);
            // What stands behind a relation's verb is all the rest of the clause, and no object of it.
            claim.relation = None;
            // "Anna: I am going to sell it": whose "I" that is, the facts know.
            if front.is_some_and(|front| !is_date(front)) && speaks(&claim) {
                continue;
            }
            if let Some(front) = front {
                claim.qualifiers.insert(0, front.to_owned());
                let (from, until) = validity(front);
                claim.holds = if claim.holds.is_open() { Holds { from, until } } else { claim.holds };
            }
            let all = said(&claim);
            let as_much = |one: &Claim| one.object == claim.object || one.relation.is_some();
            let is_same = |one: &&Claim| one.subject == claim.subject && said(one) == all && as_much(one);
            found.push(apart.iter().find(is_same).cloned().unwrap_or(claim));
        }
        let lent = lent_subject(self.statement);
        if found.is_empty() {
            // A sentence with a subject of its own that does not come out whole was not understood.
            let leaning =
                apart.iter().filter(|claim| claim.subject == lent || claim.extractor != Extractor::Clause).cloned();
            return leaning.map(|claim| self.done_by_owner(claim)).collect();
        }
        let related = |claim: &&Claim| {
            claim.relation.is_some()
                && (claim.confidence >= SURE || found.iter().any(|whole| whole.subject == claim.subject))
                && found.iter().all(|whole| whole.id != claim.id)
        };
        let more: Vec<Claim> = apart.iter().filter(related).cloned().collect();
        found.extend(more);
        found
    }

    /// "got a key cut" in a diary: what was done there without a subject, the owner did.
    fn done_by_owner(&self, claim: Claim) -> Claim {
        let verb = claim.predicate.split(' ').next().unwrap_or_default().to_lowercase();
        let is = matches!(verb.as_str(), "am" | "are" | "does" | "had" | "has" | "is" | "was" | "were");
        let past = verb.ends_with("ed") || is_irregular(&verb) && !is;
        let in_log = self.place().name.is_some_and(is_log);
        if claim.extractor != Extractor::Clause || claim.subject != lent_subject(self.statement) || !past || !in_log {
            return claim;
        }
        let subject = Some("I".to_owned());
        let id = Claim::new(self.statement.id, subject.clone(), &claim.predicate, &claim.object).id;
        Claim { id, subject, ..claim }
    }
}

/// Whether a claim is the speaker's own: about "I", "we", "my".
fn speaks(claim: &Claim) -> bool {
    let subject = claim.subject.as_deref().unwrap_or_default().to_lowercase();
    matches!(subject.split_whitespace().next(), Some("i" | "we" | "my" | "our" | "me"))
}

/// Whether a title or heading is a day, a month, or one under which somebody keeps a log.
fn is_log(name: &str) -> bool {
    const LOGS: &[&str] = &[
        "daily",
        "diary",
        "did",
        "done",
        "journal",
        "log",
        "monthly",
        "today",
        "week",
        "weekly",
        "weeknotes",
        "yesterday",
    ];
    let lower = name.to_lowercase();
    let is_day = PartialDate::parse(name).is_some() || !times(name).is_empty();
    is_day || lower.split(|c: char| !c.is_alphanumeric()).any(|word| LOGS.contains(&word))
}

/// The words of a claim without those that say nothing by themselves, in no order.
fn said(claim: &Claim) -> BTreeSet<String> {
    let beside = claim.qualifiers.iter().map(String::as_str);
    let parts = [claim.predicate.as_str(), claim.object.as_str()].into_iter().chain(beside);
    let words = parts.flat_map(|part| part.split(|c: char| !c.is_alphanumeric())).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).filter(|word| !matches!(word.as_str(), "a" | "an" | "the" | "and" | "also")).collect()
}
