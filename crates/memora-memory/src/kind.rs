//! The closed sets: kinds of memory, origins, domains.

use serde::Deserialize;
use strum::EnumIter;

memora_vault::closed_sets! {
    /// What a memory is about, which decides where it lies and how fast it fades.
    #[derive(Default, EnumIter, Deserialize)]
    Kind {
        /// Who the user is.
        Profile,
        /// How the user wants things done.
        Behavior,
        /// A fact.
        #[default]
        Knowledge,
        /// How a tool behaves.
        Tool,
        /// A procedure, as steps.
        Skill,
        /// Something that happened; an entry of a log.
        Event,
    }
}

impl Kind {
    /// Returns the folder that its items lie in, below that of their scope.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Self::Skill => "procedural",
            Self::Event => "episodic",
            Self::Profile | Self::Behavior | Self::Knowledge | Self::Tool => "semantic",
        }
    }

    /// Returns the half-life of its relevance in days; `None` for what does not fade.
    #[must_use]
    pub fn half_life(self) -> Option<f64> {
        match self {
            Self::Knowledge | Self::Tool => Some(60.0),
            Self::Event => Some(14.0),
            Self::Profile | Self::Behavior | Self::Skill => None,
        }
    }
}

memora_vault::closed_sets! {
    /// Whose word a memory is. Memora sets it; a claim of the writer's counts only downwards.
    #[derive(Deserialize)]
    Origin {
        /// The output of a tool, or an import that no person confirmed.
        ToolOutput,
        /// An agent's own conclusion.
        AgentAnalysis,
        /// The user's instruction, seen by Memora itself.
        UserInstruction,
    }
}

impl Origin {
    /// Returns how far it is trusted, 0 to 1; what no seal vouches for counts at most as an agent's.
    #[must_use]
    pub fn trust(self, sealed: bool) -> f64 {
        let trust: f64 = match self {
            Self::UserInstruction => 1.0,
            Self::AgentAnalysis => 0.7,
            Self::ToolOutput => 0.3,
        };
        if sealed { trust } else { trust.min(0.7) }
    }
}

memora_vault::closed_sets! {
    /// Why a memory is held.
    HeldFor {
        /// It reads as an instruction that no person gave.
        Instruction,
        /// The user's notes say otherwise.
        Conflict,
    }
}

memora_vault::closed_sets! {
    /// A domain of life, which says how fast facts of it change.
    #[derive(EnumIter, Deserialize)]
    #[expect(missing_docs, reason = "the words say it")]
    Domain {
        Identity,
        Body,
        Mind,
        Beliefs,
        Knowledge,
        Relationships,
        Work,
        Finances,
        Place,
        Goals,
        Routines,
        LifeEvents,
        Preferences,
        Patterns,
    }
}

impl Domain {
    /// Returns the half-life of its facts in days; `None` for those that change over years or never.
    #[must_use]
    pub fn half_life(self) -> Option<f64> {
        match self {
            Self::Finances => Some(14.0),
            Self::Goals | Self::Routines => Some(60.0),
            Self::Body | Self::Mind | Self::Knowledge | Self::Relationships | Self::Work | Self::Place => Some(365.0),
            Self::Identity | Self::Beliefs | Self::LifeEvents | Self::Preferences | Self::Patterns => None,
        }
    }
}
