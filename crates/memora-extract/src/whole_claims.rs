//! Whole-sentence claims: the candidates for listing.
//!
//! The separate facts of a sentence lose the links between them. So each main clause that names its subject is also
//! kept whole.

use std::collections::BTreeSet;

use memora_claim::time::{find_times, find_validity};
use memora_claim::{Claim, Extractor, Statement, ValidityExpr};
use memora_vault::{Note, PartialDate};

use crate::label::is_framing_label;
use crate::lemma::is_irregular_form;
use crate::lists::{AUXILIARY_FORMS, FIRST_PERSON_WORDS, LOG_WORDS, REPEATED_FILLERS};
use crate::readings::{StatementReading, read_facts_and_whole, read_whole_clauses};
use crate::relation::Relations;
use crate::sentence::{SentenceForm, StatementLine, claims_without_segment, classify_form, is_whole_date};
use crate::structured::{borrowed_subject, build_claim, verbatim_claim};

/// The minimum confidence of a fact about another subject than the sentence's that is kept beside it.
pub(crate) const SURE: f32 = 0.85;

/// The claims of a sentence or an item: its facts, and its whole clauses.
pub(crate) struct SentenceClaims {
    pub(crate) facts: Vec<Claim>,
    pub(crate) whole: Vec<Claim>,
}

impl SentenceClaims {
    /// Uses the facts as whole claims, for statements that are not read clause by clause.
    pub(crate) fn from_facts(facts: Vec<Claim>) -> Self {
        Self { whole: facts.clone(), facts }
    }
}

/// Extracts a sentence or an item, both split and whole.
pub(crate) fn extract_sentence(note: &Note, statement: &Statement, relations: &Relations) -> SentenceClaims {
    let Some(line) = StatementLine::from_statement(note, statement) else {
        return SentenceClaims::from_facts(claims_without_segment(statement));
    };
    let form = classify_form(statement, &line);
    if matches!(form, SentenceForm::Clauses) {
        let (apart, clauses) = read_facts_and_whole(line.text, &line.solid, line.context());
        let facts = line.claim_confident(apart, relations);
        let facts = if facts.is_empty() { verbatim_claim(statement) } else { facts };
        return SentenceClaims { whole: line.build_whole_claims(clauses, None, &facts, relations), facts };
    }
    let facts = line.extract_facts(&form, relations);
    let is_read = |fact: &Claim| matches!(fact.extractor, Extractor::Clause | Extractor::Fragment);
    let whole = match form {
        SentenceForm::Dated(front, rest)
        | SentenceForm::Definition(front, rest)
        | SentenceForm::Labelled(front, rest)
            if facts.iter().any(is_read) && !is_framing_label(front) =>
        {
            let part = line.text.find(rest).unwrap_or(line.text.len())..line.text.len();
            let clauses =
                read_whole_clauses(line.text.get(part.clone()).unwrap_or_default(), &line.opaque_ranges_in(&part));
            line.build_whole_claims(clauses, Some(front), &facts, relations)
        }
        // "Provides encryption, authentication, and message structure" is not a list of three values.
        SentenceForm::Labelled(label, value) if facts.len() > 1 => {
            vec![build_claim(statement, borrowed_subject(statement), label, value, Extractor::Label)]
        }
        _ => facts.clone(),
    };
    SentenceClaims { facts, whole }
}

impl StatementLine<'_> {
    /// Returns the whole main clauses, each with the text in `front` of them; and the facts that have a relation.
    fn build_whole_claims(
        &self,
        clauses: Vec<StatementReading>,
        front: Option<&str>,
        apart: &[Claim],
        relations: &Relations,
    ) -> Vec<Claim> {
        let mut found: Vec<Claim> = Vec::new();
        for reading in clauses {
            let mut claim = self.claim_from_reading(reading, None, relations);
            // The text behind a relation's verb is all the rest of the clause, not its object.
            claim.relation = None;
            // "Anna: I am going to sell it": only the facts know who "I" is.
            if front.is_some_and(|front| !is_whole_date(front)) && is_first_person(&claim) {
                continue;
            }
            if let Some(front) = front {
                claim.qualifiers.insert(0, front.to_owned());
                let (from, until) = find_validity(front);
                claim.holds = if claim.holds.is_unspecified() { ValidityExpr { from, until } } else { claim.holds };
            }
            let all = content_words(&claim);
            let as_much = |one: &Claim| one.object == claim.object || one.relation.is_some();
            let is_same = |one: &&Claim| one.subject == claim.subject && content_words(one) == all && as_much(one);
            found.push(apart.iter().find(is_same).cloned().unwrap_or(claim));
        }
        let lent = borrowed_subject(self.statement);
        if found.is_empty() {
            // A sentence with a subject of its own that does not yield a whole clause was misparsed.
            let leaning =
                apart.iter().filter(|claim| claim.subject == lent || claim.extractor != Extractor::Clause).cloned();
            return leaning.map(|claim| self.assign_owner(claim)).collect();
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

    /// Makes the owner the subject of a log entry without one: "got a key cut" in a diary.
    fn assign_owner(&self, claim: Claim) -> Claim {
        let verb = claim.predicate.split(' ').next().unwrap_or_default().to_lowercase();
        let is = AUXILIARY_FORMS.contains(verb.as_str());
        let past = verb.ends_with("ed") || is_irregular_form(&verb) && !is;
        let in_log = self.context().name.is_some_and(is_log_heading);
        if claim.extractor != Extractor::Clause || claim.subject != borrowed_subject(self.statement) || !past || !in_log
        {
            return claim;
        }
        let subject = Some("I".to_owned());
        let id = Claim::new(self.statement.id, subject.clone(), &claim.predicate, &claim.object).id;
        Claim { id, subject, ..claim }
    }
}

/// Whether a claim is in the first person: about "I", "we", "my".
fn is_first_person(claim: &Claim) -> bool {
    let subject = claim.subject.as_deref().unwrap_or_default().to_lowercase();
    subject.split_whitespace().next().is_some_and(|word| FIRST_PERSON_WORDS.contains(word))
}

/// Whether a title or heading is a day, a month, or the name of a log.
fn is_log_heading(name: &str) -> bool {
    let lower = name.to_lowercase();
    let is_day = PartialDate::parse(name).is_some() || !find_times(name).is_empty();
    is_day || lower.split(|c: char| !c.is_alphanumeric()).any(|word| LOG_WORDS.contains(word))
}

/// Returns the content words of a claim, unordered.
fn content_words(claim: &Claim) -> BTreeSet<String> {
    let beside = claim.qualifiers.iter().map(String::as_str);
    let parts = [claim.predicate.as_str(), claim.object.as_str()].into_iter().chain(beside);
    let words = parts.flat_map(|part| part.split(|c: char| !c.is_alphanumeric())).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).filter(|word| !REPEATED_FILLERS.contains(word.as_str())).collect()
}
