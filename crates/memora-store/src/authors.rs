//! Whose text counts: [`Authors`].

/// Whose text is searched, or gives names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Authors {
    /// The user's own notes.
    #[default]
    User,
    /// What machines wrote: captured answers, agents' memory.
    Machines,
    /// Both.
    All,
}

impl Authors {
    /// The user, with machines or without.
    #[must_use]
    pub fn with_captured(captured: bool) -> Self {
        if captured { Self::All } else { Self::User }
    }

    /// Whether text counts that a machine wrote, or that none did.
    #[must_use]
    pub fn include(self, captured: bool) -> bool {
        match self {
            Self::User => !captured,
            Self::Machines => captured,
            Self::All => true,
        }
    }

    /// A condition of SQL on the notes `n`.
    pub(crate) fn condition(self) -> &'static str {
        match self {
            Self::User => "n.captured = 0",
            Self::Machines => "n.captured = 1",
            Self::All => "true",
        }
    }
}
