//! The instructions that a prompt begins with: [`Template`], a file of this crate each.

/// The task given to a model. Each is a file of this crate, which the user can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    /// Answers a question from claims, with citations.
    Answer,
    /// Answers again, using only the claims that could be relied on.
    Repair,
    /// Rewrites some sentences of an answer, given what was wrong with each.
    Correct,
    /// Lists the facts of a passage, each with the words that state it.
    Extract,
    /// Judges whether sentences are supported by the claims they cite.
    Judge,
    /// Judges whether both claims of a pair can hold.
    Compare,
    /// Judges whether the newer statement of a pair overtakes the older one.
    Overtake,
    /// Proposes a rewording of a sentence that rests on claims that no longer hold.
    Reword,
}

impl Template {
    /// All templates.
    pub const ALL: [Self; 8] = [
        Self::Answer,
        Self::Repair,
        Self::Correct,
        Self::Extract,
        Self::Judge,
        Self::Compare,
        Self::Overtake,
        Self::Reword,
    ];

    /// Returns its name, as written to the egress log.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Repair => "repair",
            Self::Correct => "correct",
            Self::Extract => "extract",
            Self::Judge => "judge",
            Self::Compare => "compare",
            Self::Overtake => "overtake",
            Self::Reword => "reword",
        }
    }

    /// Returns its instructions to the model.
    #[must_use]
    pub fn instructions(self) -> &'static str {
        match self {
            Self::Answer => include_str!("../prompts/answer.md"),
            Self::Repair => include_str!("../prompts/repair.md"),
            Self::Correct => include_str!("../prompts/correct.md"),
            Self::Extract => include_str!("../prompts/extract.md"),
            Self::Judge => include_str!("../prompts/judge.md"),
            Self::Compare => include_str!("../prompts/compare.md"),
            Self::Overtake => include_str!("../prompts/overtake.md"),
            Self::Reword => include_str!("../prompts/reword.md"),
        }
    }

    /// Returns the first 16 hex digits of the hash of the instructions: output of other instructions is not comparable.
    #[must_use]
    pub fn version(self) -> String {
        blake3::hash(self.instructions().as_bytes()).to_hex().chars().take(16).collect()
    }

    /// Returns the JSON schema of the reply, if the reply is JSON.
    #[must_use]
    pub fn reply_schema(self) -> Option<&'static str> {
        match self {
            Self::Reword => None,
            Self::Answer | Self::Repair => Some(include_str!("../prompts/answer.schema.json")),
            Self::Correct => Some(include_str!("../prompts/correct.schema.json")),
            Self::Extract => Some(include_str!("../prompts/extract.schema.json")),
            Self::Judge => Some(include_str!("../prompts/judge.schema.json")),
            Self::Compare => Some(include_str!("../prompts/compare.schema.json")),
            Self::Overtake => Some(include_str!("../prompts/overtake.schema.json")),
        }
    }
}
