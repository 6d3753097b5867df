//! Questions in owners' words over one vault, answered by what is shown around: the passages that come nearest.
//!
//! Each line has a question, a tab, and the words of an answer, as for `questions`. Passages contain an answer if those of one note
//! together have all of its words. This is what a reader gets by one call, who reads for himself.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use memora_engine::report::{Freshness, Passage};
use memora_engine::{FindRequest, LocalDoor, SearchOptions};
use serde::Serialize;

use crate::indexed_vault::{IndexedVault, SearchSetup};
use crate::ratio;

/// The numbers of passages within which answers are counted.
const CUTS: [usize; 4] = [1, 3, 6, 10];

/// How many bytes are shown, as by `memora_find` where nothing else is asked for.
const BYTES: usize = 2_950;

/// Counts and shares over all questions.
#[derive(Debug, Default, Serialize)]
pub(crate) struct PassageFigures {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
    with_an_answer: usize,
    /// The shares answered within the first 1, 3, 6 and 10 passages.
    within: [f64; 4],
    /// The share answered by all that is shown.
    shown: f64,
    /// Passages a question, and bytes of them as they are printed, places and ids included.
    passages: f64,
    bytes: f64,
    /// Of those bytes the share that are the notes' own words.
    own_words: f64,
}

pub(crate) fn measure(vault: &Path, questions: &Path, failures: bool) -> Result<PassageFigures> {
    let text = std::fs::read_to_string(questions).with_context(|| format!("cannot read {}", questions.display()))?;
    let opened = IndexedVault::new(vault, &SearchSetup::default())?;
    opened.memora.precompute_passages(&AtomicBool::new(false), &mut |_, _| true)?;
    let fresh = Freshness { fresh: true, pending: 0 };
    let (mut figures, mut within, mut shown) = (PassageFigures::default(), [0; CUTS.len()], 0);
    let (mut asked, mut passages, mut bytes, mut own) = (0, 0, 0, 0);
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = at + 1;
        let (question, answers) = line.split_once('\t').with_context(|| format!("line {at} has no tab"))?;
        let session = opened.memora.session(LocalDoor)?;
        let wordings = vec![question.to_owned()];
        let asked_for = FindRequest { wordings, options: SearchOptions::default(), bytes: BYTES };
        let nearest = session.answerer().find_passages(&asked_for, fresh)?.passages;
        asked += 1;
        passages += nearest.len();
        bytes += nearest.iter().map(|passage| passage.to_string().len()).sum::<usize>();
        own += nearest.iter().flat_map(|passage| &passage.lines).map(|line| line.text.len()).sum::<usize>();
        if answers.trim() == "-" {
            continue;
        }
        figures.with_an_answer += 1;
        let wanted: Vec<Vec<String>> = answers.split(" | ").map(crate::questions::lowercase_words).collect();
        let rank = rank_of_answer(&nearest, &wanted);
        for (count, cut) in within.iter_mut().zip(CUTS) {
            *count += usize::from(rank.is_some_and(|rank| rank < cut));
        }
        shown += usize::from(rank.is_some());
        if rank.is_none() && failures {
            figures.failures.push(format!("{at}: {question}"));
        }
    }
    Ok(PassageFigures {
        within: within.map(|count| ratio(count, figures.with_an_answer)),
        shown: ratio(shown, figures.with_an_answer),
        passages: ratio(passages, asked),
        bytes: ratio(bytes, asked),
        own_words: ratio(own, bytes),
        ..figures
    })
}

/// With which passage an answer is complete.
fn rank_of_answer(nearest: &[Passage<LocalDoor>], wanted: &[Vec<String>]) -> Option<usize> {
    let mut words: HashMap<&str, Vec<String>> = HashMap::new();
    nearest.iter().position(|passage| {
        let of_note = words.entry(&passage.path).or_default();
        of_note.extend(passage.lines.iter().flat_map(|line| crate::questions::lowercase_words(&line.text)));
        wanted.iter().any(|wanted| wanted.iter().all(|word| of_note.contains(word)))
    })
}
