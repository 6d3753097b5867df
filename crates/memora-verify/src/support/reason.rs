//! Why a sentence is not supported: [`Reason`], for the user's own eyes.

use std::fmt;

/// What of a sentence the cited words don't say. It carries words of the draft and of the notes.
#[derive(Clone, PartialEq, Eq)]
pub struct Reason {
    /// What kind of thing is wrong.
    pub kind: ReasonKind,
    /// The words of the sentence; empty where the passage has words that the sentence lacks.
    pub words: String,
    /// What the cited words have in their place; empty where nothing of the kind is there.
    pub instead: String,
}

impl Reason {
    /// Says it in a clause, with the words in question.
    #[must_use]
    pub fn explanation(&self) -> String {
        let wrong = match (self.kind, self.words.is_empty()) {
            (ReasonKind::Content, true) => "none of it is in the words cited, only in what stands around them",
            (ReasonKind::Content, false) => "not in what it cites",
            (ReasonKind::Date, _) => "a date that is not in what it cites",
            (ReasonKind::Language, _) => "in this language, only the notes' own words can be checked",
            (ReasonKind::Length, _) => "too long to be judged by anything but the notes' own words",
            (ReasonKind::Modality, _) => "so only in part, once, perhaps or on a condition in what it cites",
            (ReasonKind::Name, _) => "a name that is not in what it cites",
            (ReasonKind::Negation, true) => "what it cites says the contrary",
            (ReasonKind::Negation, false) => "turned round by a word that is not in what it cites",
            (ReasonKind::Number, _) => "a number that is not in what it cites",
            (ReasonKind::Opposite, _) => "the opposite of what it cites",
            (ReasonKind::Quotation, _) => "in quotation marks, and not in what it cites",
            (ReasonKind::Reference, _) => "nothing it cites says who this is",
            (ReasonKind::Roles, _) => "plays another part in what it cites",
        };
        match (self.words.as_str(), self.instead.as_str()) {
            ("", "") => wrong.to_owned(),
            ("", instead) => format!("{wrong}; there: {instead}"),
            (words, "") => format!("{wrong}: {words}"),
            (words, instead) => format!("{wrong}: {words}; there: {instead}"),
        }
    }
}

/// Says of the notes nothing.
impl fmt::Debug for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reason").field("kind", &self.kind).field("words", &self.words).finish_non_exhaustive()
    }
}

/// Kinds of things that keep a sentence from being supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReasonKind {
    /// Words that the cited words don't have.
    Content,
    /// A date, month or weekday they don't name.
    Date,
    /// A language without rules here, and not the source's own words.
    Language,
    /// It is too long to be judged, and not the source's own words.
    Length,
    /// They only plan, suppose, ask or make it depend on something.
    Modality,
    /// A name they don't name.
    Name,
    /// One of the two is negated.
    Negation,
    /// A number they don't give, or give in another unit.
    Number,
    /// The opposite of a word of theirs.
    Opposite,
    /// Words in quotation marks that aren't theirs.
    Quotation,
    /// A pronoun that nothing kept before it explains, or that speaks for somebody else than the cited words do.
    Reference,
    /// Who does what to whom, or from where to where, is another.
    Roles,
}

impl ReasonKind {
    /// The word for it, as in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Date => "date",
            Self::Language => "language",
            Self::Length => "length",
            Self::Modality => "modality",
            Self::Name => "name",
            Self::Negation => "negation",
            Self::Number => "number",
            Self::Opposite => "opposite",
            Self::Quotation => "quotation",
            Self::Reference => "reference",
            Self::Roles => "roles",
        }
    }
}
