//! The fuzz targets on a stable compiler: texts of the corpus, cut and mixed, a bounded number of times.

use std::time::{Duration, Instant};

use memora_testkit::HOSTILE_CONSTRUCTS;

use super::{Dice, rounds};
use crate::support::workspace;

#[path = "../../fuzz/src/targets.rs"]
#[expect(unreachable_pub, reason = "public for the targets of cargo-fuzz")]
mod targets;

/// A target, with the name of its folder in the corpus, and how often it is called.
type Target = (&'static str, fn(&str), u64);

const TARGETS: [Target; 9] = [
    ("notes", targets::notes, 150),
    ("front_matter", targets::front_matter, 150),
    ("citations", targets::citations, 150),
    ("drafts", targets::drafts, 60),
    ("mcp_frames", targets::mcp_frames, 15),
    ("model_replies", targets::model_replies, 150),
    ("config", targets::config, 100),
    ("decisions", targets::decisions, 150),
    ("links", targets::links, 150),
];

/// A longer one hangs.
const TIME_MAX: Duration = Duration::from_secs(5);

/// How often a call is tried that took longer.
const TRIES: usize = 3;

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
    let only = std::env::var("MEMORA_FUZZ_TARGET").ok();
    for (name, target, few) in TARGETS {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let folder = workspace().join("fuzz/corpus").join(name);
        let files = folder.read_dir().expect("each target has a corpus").flatten();
        let mut texts: Vec<String> =
            files.map(|file| std::fs::read_to_string(file.path()).expect("a text of the corpus")).collect();
        assert!(!texts.is_empty(), "{name}");
        texts.extend(HOSTILE_CONSTRUCTS.iter().map(|construct| construct.note(20)));
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        let kept = texts.len() - HOSTILE_CONSTRUCTS.len();
        for round in 0..rounds(few) {
            // What broke something once is called as it is.
            let text = match usize::try_from(round).ok().filter(|round| *round < kept) {
                Some(round) => texts[round].clone(),
                None => mutate(&texts[dice.below(texts.len())], &mut dice),
            };
            // Beside other work a call may be kept waiting; what hangs does so each time.
            let mut took = Duration::MAX;
            for _ in 0..TRIES {
                let since = Instant::now();
                let ended = std::panic::catch_unwind(|| target(&text));
                assert!(ended.is_ok(), "{name}, round {round}, panicked on {text:?}");
                took = took.min(since.elapsed());
                if took < TIME_MAX {
                    break;
                }
            }
            assert!(took < TIME_MAX, "{name}, round {round}, took {took:?} for {text:?}");
        }
    }
}
