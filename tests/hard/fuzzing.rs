//! The fuzz targets on a stable compiler: texts of the corpus, cut and mixed, a bounded number of times.

use std::time::{Duration, Instant};

use memora_testkit::HOSTILE_CONSTRUCTS;

use super::{Dice, rounds};
use crate::support::workspace;

#[path = "../../fuzz/src/targets.rs"]
#[expect(unreachable_pub, reason = "public for the targets of cargo-fuzz")]
mod targets;

/// What is fuzzed with one text.
type Target = fn(&str);

/// The name of a target is that of its folder in the corpus.
const TARGETS: [(&str, Target); 8] = [
    ("notes", targets::notes),
    ("front_matter", targets::front_matter),
    ("citations", targets::citations),
    ("drafts", targets::drafts),
    ("model_replies", targets::model_replies),
    ("config", targets::config),
    ("decisions", targets::decisions),
    ("links", targets::links),
];

/// A longer one hangs.
const TIME_MAX: Duration = Duration::from_secs(5);

/// Pieces that begin or end something somewhere.
const PIECES: [&str; 24] = [
    "[[", "]]", "![", "](", "[^1]", "**", "_", "`", "```\n", "<!--", "-->", "%%", "~~", "\n\n", "\n- ", "\n> ", "| ",
    "---\n", "::", "\u{feff}", "語", "\u{202e}", "\r", "[claim:",
];

fn mutate(text: &str, dice: &mut Dice) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(6) {
        let at = dice.below(chars.len() + 1);
        let end = (at + dice.below(12)).min(chars.len());
        match dice.below(4) {
            0 => drop(chars.drain(at..end)),
            1 => {
                let part: Vec<char> = chars[at..end].to_vec();
                chars.splice(at..at, part);
            }
            2 => drop(chars.splice(at..at, PIECES[dice.below(PIECES.len())].chars())),
            _ => {
                let part: Vec<char> = PIECES[dice.below(PIECES.len())].repeat(dice.below(40)).chars().collect();
                chars.splice(at..at, part);
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn no_target_panics_or_hangs() {
    for (name, target) in TARGETS {
        let folder = workspace().join("fuzz/corpus").join(name);
        let files = folder.read_dir().expect("each target has a corpus").flatten();
        let mut texts: Vec<String> =
            files.map(|file| std::fs::read_to_string(file.path()).expect("a text of the corpus")).collect();
        assert!(!texts.is_empty(), "{name}");
        texts.extend(HOSTILE_CONSTRUCTS.iter().map(|construct| construct.note(20)));
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        for round in 0..rounds(150) {
            let text = mutate(&texts[dice.below(texts.len())], &mut dice);
            let since = Instant::now();
            let ended = std::panic::catch_unwind(|| target(&text));
            assert!(ended.is_ok(), "{name}, round {round}, panicked on {text:?}");
            assert!(since.elapsed() < TIME_MAX, "{name}, round {round}, took {:?} for {text:?}", since.elapsed());
        }
    }
}
