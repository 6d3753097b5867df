//! How many sentences a second are judged on one core, against words that were read before.
//!
//! Each kind of sentence has a line: its rate, and its time as a ratio to the floor, which is to lower the sentence's words
//! and look each of them up among those of its premise. What is refused says more of itself, and takes longer.

use std::collections::HashSet;
use std::hint::black_box;
use std::time::{Duration, Instant};

use memora_entail::{Premise, Verdict, judge};

/// What the notes say, and of each a sentence that they say otherwise, one with another number and one the other way round.
const STATEMENTS: [[&str; 4]; 8] = [
    [
        "Mia Keller moved the drift service from Postgres to SQLite in May 2024 because backups took 40 minutes.",
        "In May 2024 the drift service was moved from Postgres to SQLite by Mia Keller.",
        "Mia Keller moved the drift service from Postgres to SQLite because backups took 14 minutes.",
        "Mia Keller moved the drift service from SQLite to Postgres in May 2024.",
    ],
    [
        "The café team pays 1,150 euros a month for the room behind the kitchen.",
        "According to your notes, the café team pays 1150 euros per month for the room behind the kitchen.",
        "The café team pays 1,250 euros a month for the room behind the kitchen.",
        "The kitchen pays the café team 1,150 euros a month.",
    ],
    [
        "If the tests pass, the release ships on 12 March 2024.",
        "The release ships on 2024-03-12 if the tests pass.",
        "If the tests pass, the release ships on 13 March 2024.",
        "If the release ships, the tests pass on 12 March 2024.",
    ],
    [
        "Tom Reed leads the search team and Anna leads the storage team.",
        "Anna leads the storage team.",
        "Tom Reed leads two search teams.",
        "Anna leads the search team.",
    ],
    [
        "The compressor was repaired with a new valve for 80 euros.",
        "As noted, the compressor was fixed with a new valve for 80 euros.",
        "The compressor was repaired with a new valve for 90 euros.",
        "The valve was repaired with a new compressor for 80 euros.",
    ],
    [
        "Obsidian saves the recorded audio file to your vault and embeds it at the end of the note.",
        "The recorded audio file is saved to your vault by Obsidian.",
        "Obsidian saves the two recorded audio files to your vault.",
        "Your vault saves Obsidian to the recorded audio file.",
    ],
    [
        "We bought a used workstand for 90 euros from the shop in Kiel.",
        "We purchased a used workstand from the shop in Kiel for 90 euros.",
        "We bought a used workstand for 19 euros from the shop in Kiel.",
        "The shop in Kiel bought a used workstand from us for 90 euros.",
    ],
    [
        "Snapshots are kept for 7 days and are deleted every night at two.",
        "Snapshots are deleted every night at two.",
        "Snapshots are kept for 17 days.",
        "Nights are deleted every 7 days at two.",
    ],
];

const KINDS: [&str; 3] = ["said in other words", "another number", "the other way round"];
const ROUNDS: u32 = 400;

fn main() {
    let premises: Vec<Premise> =
        STATEMENTS.iter().map(|[words, ..]| Premise::new(words).with_context(&["Notes"])).collect();
    for (kind, name) in KINDS.iter().enumerate() {
        let sentences: Vec<&str> = STATEMENTS.iter().map(|statement| statement[kind + 1]).collect();
        let judge_all = || {
            let is_kept = |(sentence, premise): &(&&str, &Premise)| {
                let verdict = judge(black_box(sentence), &[premise]).verdict();
                !matches!(verdict, Verdict::Contradicted | Verdict::Unsupported)
            };
            sentences.iter().zip(&premises).filter(is_kept).count()
        };
        // What is read once is read before the clock runs.
        let kept = judge_all();
        let work = time(judge_all);
        let sets: Vec<HashSet<String>> = STATEMENTS.iter().map(|[words, ..]| lower(words).collect()).collect();
        let floor = time(|| {
            let words =
                sentences.iter().zip(&sets).flat_map(|(sentence, set)| lower(sentence).filter(|w| set.contains(w)));
            words.count()
        });
        report(name, kept, work, floor);
    }
}

fn lower(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// The time that one of the statements takes on average.
fn time(mut work: impl FnMut() -> usize) -> Duration {
    let started = Instant::now();
    for _ in 0..ROUNDS {
        black_box(work());
    }
    started.elapsed() / (ROUNDS * 8)
}

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn report(name: &str, kept: usize, work: Duration, floor: Duration) {
    let rate = 1.0 / work.as_secs_f64();
    let ratio = work.as_secs_f64() / floor.as_secs_f64();
    println!(
        "{name:<22} {kept} of 8 kept  {rate:>9.0} sentences/s  {work:>9.1?}  {ratio:>6.1} x the floor ({floor:.1?})"
    );
}
