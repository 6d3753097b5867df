//! The sentences of a vault, each with its label and its kind.

use super::facts::{Fact, World};
use super::places::{self, cited};
use super::random::Random;
use super::{grammar, truths, words};

pub(crate) struct Row {
    pub(crate) kind: &'static str,
    pub(crate) is_true: bool,
    /// What is judged, with its markers.
    pub(crate) text: String,
    /// What the cited statement says.
    pub(crate) from: String,
    /// A part of the text that is true and cited: without it, nothing is shown.
    pub(crate) carrier: Option<String>,
}

impl Row {
    pub(crate) fn shown(&self) -> String {
        let truth = if self.is_true { "true" } else { "false" };
        format!("{truth} | {} | {} <- {}", self.kind, self.text, self.from)
    }
}

/// Every sentence, by kind, `limit` of a kind at most.
pub(crate) fn all(world: &World, seed: u64, limit: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for (kind, make) in truths::KINDS {
        rows.extend(of_kind(world, seed, limit, kind, true, |fact, _| {
            make(fact, world).into_iter().map(|sentence| cited(&sentence, &[&fact.id])).collect()
        }));
    }
    rows.extend(of_kind(world, seed, limit, "joined", true, |fact, random| {
        places::joined(fact, world, random).into_iter().collect()
    }));
    for (kind, alter) in words::KINDS.iter().chain(grammar::KINDS) {
        rows.extend(of_kind(world, seed, limit, kind, false, |fact, random| {
            altered(fact, world, *alter, random).into_iter().map(|sentence| cited(&sentence, &[&fact.id])).collect()
        }));
    }
    rows.extend(of_kind(world, seed, limit, "wrong id", false, |fact, random| {
        places::wrong_id(fact, world, random).into_iter().collect()
    }));
    rows.extend(of_kind(world, seed, limit, "merged claims", false, |fact, random| {
        places::merged(fact, world, random).into_iter().collect()
    }));
    rows.extend(of_kind(world, seed, limit, "uncited", false, |fact, _| {
        fact.sentence().map(|parsed| parsed.text.clone()).into_iter().collect()
    }));
    rows.extend(neighbours(world, seed, limit));
    rows.extend(malformed(world, seed, limit));
    rows.extend(hidden(world, seed, limit));
    rows
}

/// How many sentences of a kind one fact may give.
const TURNS: usize = 3;

/// The facts in an order of the seed's.
pub(crate) fn shuffled(world: &World, seed: u64, purpose: &str) -> Vec<usize> {
    let mut order: Vec<usize> = (0..world.facts.len()).collect();
    Random::of(seed, purpose).shuffle(&mut order);
    order
}

fn of_kind(
    world: &World,
    seed: u64,
    limit: usize,
    kind: &'static str,
    is_true: bool,
    make: impl Fn(&Fact, &mut Random) -> Vec<String>,
) -> Vec<Row> {
    let mut random = Random::of(seed, kind);
    let mut made: Vec<(usize, Vec<String>)> = Vec::new();
    for at in shuffled(world, seed, kind) {
        let mut sentences = make(&world.facts[at], &mut random);
        sentences.sort();
        sentences.dedup();
        random.shuffle(&mut sentences);
        made.push((at, sentences));
    }
    // Every fact in turn; a second of one only where there are few.
    let mut rows = Vec::new();
    for turn in 0..TURNS {
        let most = if turn == 0 { limit } else { limit / 2 };
        for (at, sentences) in &made {
            if let Some(text) = sentences.get(turn).filter(|_| rows.len() < most) {
                let from = world.facts[*at].words.clone();
                rows.push(Row { kind, is_true, text: text.clone(), from, carrier: None });
            }
        }
    }
    rows
}

/// What an alteration makes of a fact, without what it leaves as it was.
fn altered(fact: &Fact, world: &World, alter: words::Alter, random: &mut Random) -> Vec<String> {
    let mut made = alter(fact, world, random);
    made.retain(|sentence| {
        !fact.words.trim_end_matches('.').contains(sentence.trim_end_matches('.')) || sentence.len() < fact.words.len()
    });
    made.retain(|sentence| *sentence != fact.words);
    made
}

fn neighbours(world: &World, seed: u64, limit: usize) -> Vec<Row> {
    let made = shuffled(world, seed, "neighbour").into_iter().filter_map(|at| {
        let text = places::neighbour(at, world)?;
        Some(Row { kind: "neighbour claim", is_true: false, text, from: world.facts[at].words.clone(), carrier: None })
    });
    made.take(limit).collect()
}

/// Every form of a bad marker, as often as it fits.
fn malformed(world: &World, seed: u64, limit: usize) -> Vec<Row> {
    let facts = shuffled(world, seed, "malformed")
        .into_iter()
        .filter_map(|at| world.facts[at].sentence().map(|parsed| (&world.facts[at], parsed)));
    let facts: Vec<_> = facts.collect();
    let forms = places::malformed("").len();
    let made = facts.iter().cycle().take(if facts.is_empty() { 0 } else { limit.max(forms) }).enumerate();
    made.filter_map(|(at, (fact, parsed))| {
        let marker = places::malformed(&fact.id).into_iter().nth(at % forms)?;
        let text = format!("{} {marker}.", parsed.body());
        Some(Row { kind: "malformed", is_true: false, text, from: fact.words.clone(), carrier: None })
    })
    .collect()
}

/// Something false about a fact beside the fact itself, in every place where it can hide.
fn hidden(world: &World, seed: u64, limit: usize) -> Vec<Row> {
    let plain: Vec<words::Alter> = words::KINDS.iter().chain(grammar::KINDS).map(|(_, alter)| *alter).collect();
    let mut rows = Vec::new();
    for (kind, hide) in places::HIDDEN {
        let mut random = Random::of(seed, kind);
        let mut made = 0;
        for at in shuffled(world, seed, kind) {
            let fact = &world.facts[at];
            let Some(parsed) = fact.sentence().filter(|_| made < limit / 5) else { continue };
            let Some(alter) = random.choose(&plain) else { continue };
            let Some(mut bad) = altered(fact, world, *alter, &mut random).into_iter().next() else { continue };
            if *kind == "hidden in a question" {
                let Some(inner) = places::inside_question(fact, &bad, world) else { continue };
                bad = inner;
            }
            let good = cited(&parsed.text, &[&fact.id]);
            rows.push(Row {
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
