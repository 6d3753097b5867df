//! The user's decisions about what agents remember: lines of the same file as [`Decision`](crate::Decision)s.
//!
//! Invariant: **a memory is kept with its words.** The line has a hash of them under a key that no agent has, so that neither
//! other words under the same id nor a line that another program wrote count as confirmed.

use std::fmt;

use crate::ClaimId;
use crate::decision_line::{DecisionKind, LineValue, is_review_name, is_timestamp, read_pairs};

/// What was decided about a memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemoryDecision {
    /// Timestamp in UTC, as in [`Decision::at`](crate::Decision::at).
    pub at: String,
    /// The kind of decision: it is kept, retracted, or asked about later.
    pub act: DecisionKind,
    /// The memory's id: `mem-` and twelve letters or digits.
    pub memory: String,
    /// The keyed hash of the words that were kept; `None` for another kind of decision.
    pub words: Option<String>,
    /// The claims of notes that it was kept despite: those that it cites and that gave way, and those that say otherwise.
    pub despite: Vec<ClaimId>,
    /// The id of the review in which it was ticked; `None` if made by a command.
    pub review: Option<String>,
}

impl MemoryDecision {
    /// Parses a line; `None` if it is not a decision about a memory.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let (mut at, mut act, mut memory, mut words, mut review) = (None, None, None, None, None);
        let mut despite = Vec::new();
        for (key, value) in read_pairs(line)? {
            let text = match value {
                LineValue::Text(text) => text,
                LineValue::Ids(ids) if key == "despite" => {
                    despite = ids;
                    continue;
                }
                LineValue::Ids(_) => return None,
            };
            match key {
                "at" => at = Some(text.to_owned()).filter(|at| is_timestamp(at)),
                "do" => act = DecisionKind::parse(text),
                "memory" => memory = Some(text.to_owned()).filter(|id| is_memory_id(id)),
                "words" => words = Some(Some(text.to_owned()).filter(|hash| is_review_name(hash))?),
                "review" => review = Some(Some(text.to_owned()).filter(|name| is_review_name(name))?),
                _ => return None,
            }
        }
        Some(Self { at: at?, act: act?, memory: memory?, words, despite, review })
    }
}

impl fmt::Display for MemoryDecision {
    /// A line of the file, without the line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{\"at\":\"{}\",\"do\":\"{}\",\"memory\":\"{}\"", self.at, self.act.as_str(), self.memory)?;
        for (key, value) in [("words", &self.words), ("review", &self.review)] {
            if let Some(value) = value {
                write!(f, ",\"{key}\":\"{value}\"")?;
            }
        }
        if !self.despite.is_empty() {
            let ids: Vec<String> = self.despite.iter().map(|id| format!("\"{id}\"")).collect();
            write!(f, ",\"despite\":[{}]", ids.join(","))?;
        }
        f.write_str("}")
    }
}

/// Whether it can be the id of a memory.
fn is_memory_id(text: &str) -> bool {
    text.strip_prefix("mem-").is_some_and(|letters| {
        letters.len() == 12 && letters.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Decision, Decisions};

    fn line(second: u8, act: DecisionKind) -> MemoryDecision {
        let at = format!("2025-11-03T12:00:{second:02}.000000Z");
        let words = (act == DecisionKind::Keep).then(|| "3v9k5n0qf2".to_owned());
        let despite = if act == DecisionKind::Keep {
            vec![ClaimId::parse("8ja75j3qa6r6.09").expect("an id")]
        } else {
            Vec::new()
        };
        MemoryDecision { at, act, memory: "mem-7h3kq0v9x2ma".to_owned(), words, despite, review: None }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let ticked =
            MemoryDecision { review: Some("20251103T120001000000Z".to_owned()), ..line(1, DecisionKind::Retract) };
        for made in [line(1, DecisionKind::Keep), line(2, DecisionKind::Later), ticked] {
            let text = made.to_string();
            assert_eq!(MemoryDecision::parse(&text), Some(made), "{text}");
            assert_eq!(Decision::parse(&text), None, "it is none about a claim");
        }
    }

    #[test]
    fn what_is_no_decision_about_a_memory_is_none() {
        let good = line(1, DecisionKind::Keep).to_string();
        for (from, to) in [
            ("mem-7h", "mem_7h"),
            ("\"words\":\"3v", "\"words\":\"-"),
            ("keep", "forget"),
            ("2025-11", "2025-13"),
            ("memory", "claim"),
        ] {
            let bad = good.replace(from, to);
            assert_ne!(bad, good);
            assert_eq!(MemoryDecision::parse(&bad), None, "{bad}");
        }
    }

    #[test]
    fn decisions_about_memories_stand_among_the_others_by_time() {
        let text = format!("{}\nno decision\n{}\n", line(2, DecisionKind::Later), line(1, DecisionKind::Keep));
        let read = Decisions::parse(&text);
        assert_eq!(read.unreadable_lines(), [2]);
        assert!(read.all_by_time().is_empty());
        let acts: Vec<DecisionKind> = read.about_memories().iter().map(|made| made.act).collect();
        assert_eq!(acts, [DecisionKind::Keep, DecisionKind::Later]);
    }
}
