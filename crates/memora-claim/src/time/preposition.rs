//! Prepositions of times, and the roles that they give.

use memora_nlp::time::TextRuns;

use super::mention::TimeRole;
use crate::lists::DATE_FILLERS;

/// The preposition of a time, which determines its role.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimePreposition {
    pub(super) role: TimeRole,
    /// The deciding word; empty without a preposition.
    pub(super) word: &'static str,
    /// The first token.
    pub(super) at: usize,
}

/// Words that determine a role, longer before shorter.
const PREPOSITIONS: [(&[&str], &str, TimeRole); 41] = [
    (&["starting", "in"], "from", TimeRole::Since),
    (&["starting", "on"], "from", TimeRole::Since),
    (&["starting", "from"], "from", TimeRole::Since),
    (&["starting"], "from", TimeRole::Since),
    (&["beginning", "in"], "from", TimeRole::Since),
    (&["beginning", "on"], "from", TimeRole::Since),
    (&["effective", "from"], "from", TimeRole::Since),
    (&["effective"], "from", TimeRole::Since),
    (&["as", "of"], "from", TimeRole::Since),
    (&["as", "from"], "from", TimeRole::Since),
    (&["ever", "since"], "since", TimeRole::Since),
    (&["since"], "since", TimeRole::Since),
    (&["from"], "from", TimeRole::Since),
    (&["up", "until"], "until", TimeRole::Until),
    (&["until"], "until", TimeRole::Until),
    (&["till"], "until", TimeRole::Until),
    (&["til"], "until", TimeRole::Until),
    (&["through"], "until", TimeRole::Until),
    (&["up", "to"], "to", TimeRole::Until),
    (&["no", "later", "than"], "by", TimeRole::Due),
    (&["due", "on"], "by", TimeRole::Due),
    (&["due", "by"], "by", TimeRole::Due),
    (&["due", "in"], "in", TimeRole::Due),
    (&["due"], "due", TimeRole::Due),
    (&["deadline"], "due", TimeRole::Due),
    (&["by"], "by", TimeRole::Due),
    (&["prior", "to"], "before", TimeRole::Before),
    (&["before"], "before", TimeRole::Before),
    (&["after"], "after", TimeRole::After),
    (&["back", "in"], "in", TimeRole::At),
    (&["in"], "in", TimeRole::At),
    (&["on"], "on", TimeRole::At),
    (&["at"], "at", TimeRole::At),
    (&["during"], "during", TimeRole::At),
    (&["over"], "over", TimeRole::At),
    (&["throughout"], "during", TimeRole::At),
    (&["circa"], "during", TimeRole::At),
    (&["of"], "of", TimeRole::At),
    (&["year"], "during", TimeRole::At),
    (&["between"], "between", TimeRole::Since),
    (&["within"], "over", TimeRole::At),
];

impl TimePreposition {
    /// Whether there is a preposition.
    pub(super) fn is_some(&self) -> bool {
        !self.word.is_empty()
    }

    /// Returns the absent preposition.
    pub(super) fn none(at: usize) -> Self {
        Self { role: TimeRole::At, word: "", at }
    }

    /// Parses the preposition at token `at`.
    pub(super) fn parse(runs: &TextRuns<'_>, at: usize) -> Option<(Self, usize)> {
        PREPOSITIONS.iter().find_map(|(words, word, role)| {
            if !words.iter().enumerate().all(|(by, word)| runs.word(at + by) == *word) {
                return None;
            }
            let used = words.len();
            let joined =
                (1..used).all(|by| runs.is_space_separated(at + by)) && is_linked_to_time(runs, at + used, words);
            joined.then_some((Self { role: *role, word, at }, used))
        })
    }
}

/// Whether token `at` continues the preposition: `due: 2024-03-12` reads as `due 2024-03-12`.
fn is_linked_to_time(runs: &TextRuns<'_>, at: usize, words: &[&str]) -> bool {
    runs.may_follow_keyword(at)
        || (matches!(words, ["year" | "due" | "deadline"]) && matches!(runs.gap_before(at), ": " | ":: " | ":"))
}

/// Counts fillers between a preposition and its time: `since about 2019`, `in the year 2019`.
pub(super) fn count_fillers(runs: &TextRuns<'_>, at: usize) -> usize {
    (at..at + 3)
        .take_while(|at| {
            let fills = DATE_FILLERS.contains(runs.word(*at));
            fills && runs.may_follow_keyword(at + 1)
        })
        .count()
}
