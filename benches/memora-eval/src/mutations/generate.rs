//! Generates the labelled sentences of a vault, by kind.

use super::citation_placement::{self, append_citations};
use super::facts::{Fact, FactCorpus};
use super::random::SeededRandom;
use super::{grammar, paraphrases, substitutions};

pub(crate) struct MutationRow {
    pub(crate) kind: &'static str,
    pub(crate) is_true: bool,
    /// The text to judge, with its markers.
    pub(crate) text: String,
    /// The words of the cited statement.
    pub(crate) from: String,
    /// The true and cited part of the text; the row is skipped if this part alone is rejected.
    pub(crate) carrier: Option<String>,
}

impl MutationRow {
    pub(crate) fn describe(&self) -> String {
        let truth = if self.is_true { "true" } else { "false" };
        format!("{truth} | {} | {} <- {}", self.kind, self.text, self.from)
    }
}

/// Generates every sentence by kind, at most `limit` of a kind.
pub(crate) fn generate_rows(world: &FactCorpus, seed: u64, limit: usize) -> Vec<MutationRow> {
    let mut rows = Vec::new();
    for (kind, make) in paraphrases::KINDS {
        rows.extend(generate_kind(world, seed, limit, kind, true, |fact, _| {
            make(fact, world).into_iter().map(|sentence| append_citations(&sentence, &[&fact.id])).collect()
        }));
    }
    rows.extend(generate_kind(world, seed, limit, "joined", true, |fact, random| {
        citation_placement::join_two_facts(fact, world, random).into_iter().collect()
    }));
    for (kind, alter) in substitutions::KINDS.iter().chain(grammar::KINDS) {
        rows.extend(generate_kind(world, seed, limit, kind, false, |fact, random| {
            apply_alteration(fact, world, *alter, random)
                .into_iter()
                .map(|sentence| append_citations(&sentence, &[&fact.id]))
                .collect()
        }));
    }
    rows.extend(generate_kind(world, seed, limit, "wrong id", false, |fact, random| {
        citation_placement::cite_wrong_claim(fact, world, random).into_iter().collect()
    }));
    rows.extend(generate_kind(world, seed, limit, "merged claims", false, |fact, random| {
        citation_placement::merge_subject(fact, world, random).into_iter().collect()
    }));
    rows.extend(generate_kind(world, seed, limit, "uncited", false, |fact, _| {
        fact.sentence().map(|parsed| parsed.text.clone()).into_iter().collect()
    }));
    rows.extend(neighbour_rows(world, seed, limit));
    rows.extend(malformed_rows(world, seed, limit));
    rows.extend(hidden_rows(world, seed, limit));
    rows
}

/// The maximum number of sentences of a kind from one fact.
const PER_FACT_MAX: usize = 3;

/// Returns the indices of the facts, shuffled by the seed.
pub(crate) fn shuffle_facts(world: &FactCorpus, seed: u64, purpose: &str) -> Vec<usize> {
    let mut order: Vec<usize> = (0..world.facts.len()).collect();
    SeededRandom::for_purpose(seed, purpose).shuffle(&mut order);
    order
}

fn generate_kind(
    world: &FactCorpus,
    seed: u64,
    limit: usize,
    kind: &'static str,
    is_true: bool,
    make: impl Fn(&Fact, &mut SeededRandom) -> Vec<String>,
) -> Vec<MutationRow> {
    let mut random = SeededRandom::for_purpose(seed, kind);
    let mut made: Vec<(usize, Vec<String>)> = Vec::new();
    for at in shuffle_facts(world, seed, kind) {
        let mut sentences = make(&world.facts[at], &mut random);
        sentences.sort();
        sentences.dedup();
        random.shuffle(&mut sentences);
        made.push((at, sentences));
    }
    // Each fact gives one sentence first; further ones only while there are few.
    let mut rows = Vec::new();
    for turn in 0..PER_FACT_MAX {
        let most = if turn == 0 { limit } else { limit / 2 };
        for (at, sentences) in &made {
            if let Some(text) = sentences.get(turn).filter(|_| rows.len() < most) {
                let from = world.facts[*at].words.clone();
                rows.push(MutationRow { kind, is_true, text: text.clone(), from, carrier: None });
            }
        }
    }
    rows
}

/// Applies an alteration to a fact, dropping results that do not change it.
fn apply_alteration(
    fact: &Fact,
    world: &FactCorpus,
    alter: substitutions::Alteration,
    random: &mut SeededRandom,
) -> Vec<String> {
    let mut made = alter(fact, world, random);
    made.retain(|sentence| {
        !fact.words.trim_end_matches('.').contains(sentence.trim_end_matches('.')) || sentence.len() < fact.words.len()
    });
    made.retain(|sentence| *sentence != fact.words);
    made
}

fn neighbour_rows(world: &FactCorpus, seed: u64, limit: usize) -> Vec<MutationRow> {
    let made = shuffle_facts(world, seed, "neighbour").into_iter().filter_map(|at| {
        let text = citation_placement::cite_previous_claim(at, world)?;
        Some(MutationRow {
            kind: "neighbour claim",
            is_true: false,
            text,
            from: world.facts[at].words.clone(),
            carrier: None,
        })
    });
    made.take(limit).collect()
}

/// Generates every form of malformed marker, as often as fits.
fn malformed_rows(world: &FactCorpus, seed: u64, limit: usize) -> Vec<MutationRow> {
    let facts = shuffle_facts(world, seed, "malformed")
        .into_iter()
        .filter_map(|at| world.facts[at].sentence().map(|parsed| (&world.facts[at], parsed)));
    let facts: Vec<_> = facts.collect();
    let forms = citation_placement::malformed_markers("").len();
    let made = facts.iter().cycle().take(if facts.is_empty() { 0 } else { limit.max(forms) }).enumerate();
    made.filter_map(|(at, (fact, parsed))| {
        let marker = citation_placement::malformed_markers(&fact.id).into_iter().nth(at % forms)?;
        let text = format!("{} {marker}.", parsed.body());
        Some(MutationRow { kind: "malformed", is_true: false, text, from: fact.words.clone(), carrier: None })
    })
    .collect()
}

/// Generates texts that hide something false about a fact beside the fact itself, in every hiding place.
fn hidden_rows(world: &FactCorpus, seed: u64, limit: usize) -> Vec<MutationRow> {
    let plain: Vec<substitutions::Alteration> =
        substitutions::KINDS.iter().chain(grammar::KINDS).map(|(_, alter)| *alter).collect();
    let mut rows = Vec::new();
    for (kind, hide) in citation_placement::HIDING_PLACES {
        let mut random = SeededRandom::for_purpose(seed, kind);
        let mut made = 0;
        for at in shuffle_facts(world, seed, kind) {
            let fact = &world.facts[at];
            let Some(parsed) = fact.sentence().filter(|_| made < limit / 5) else { continue };
            let Some(alter) = random.choose(&plain) else { continue };
            let Some(mut bad) = apply_alteration(fact, world, *alter, &mut random).into_iter().next() else { continue };
            if *kind == "hidden in a question" {
                let Some(inner) = citation_placement::lowercase_for_question(fact, &bad, world) else { continue };
                bad = inner;
            }
            let good = append_citations(&parsed.text, &[&fact.id]);
            rows.push(MutationRow {
                kind,
                is_true: false,
                text: hide(&good, &bad),
                from: fact.words.clone(),
                carrier: Some(good),
            });
            made += 1;
        }
    }
    rows
}
