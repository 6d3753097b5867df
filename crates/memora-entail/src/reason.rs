//! Why a sentence has its verdict: [`Reason`], the fact, its place, and what the note has instead.

use std::fmt;
use std::ops::Range;

/// What kind of fact a reason is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReasonKind {
    /// A number, a share, an amount of money, a duration.
    Number,
    /// The unit of a number that is right.
    Unit,
    /// A date or a weekday.
    Date,
    /// A time of day.
    Time,
    /// A name.
    Name,
    /// Words in quotation marks.
    Quotation,
    /// A negation that is there or not.
    Negation,
    /// A comparison or change the other way round, or another opposite.
    Direction,
    /// *All* for *some*, and the like.
    Quantifier,
    /// Its words: too few of them are anywhere in the premises.
    Content,
}

impl ReasonKind {
    /// A stable word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Unit => "unit",
            Self::Date => "date",
            Self::Time => "time",
            Self::Name => "name",
            Self::Quotation => "quotation",
            Self::Negation => "negation",
            Self::Direction => "direction",
            Self::Quantifier => "quantifier",
            Self::Content => "content",
        }
    }
}

impl fmt::Display for ReasonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A fact of a sentence that its premises do not bear out.
#[derive(Clone, PartialEq, Eq)]
pub struct Reason {
    pub(crate) kind: ReasonKind,
    pub(crate) range: Range<usize>,
    pub(crate) words: String,
    pub(crate) found: Option<String>,
}

impl Reason {
    /// What kind of fact it is.
    #[must_use]
    pub fn kind(&self) -> ReasonKind {
        self.kind
    }

    /// The bytes of the fact in the sentence.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The words of the sentence there.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The note's own words in their place, where it is certain which those are: then the note contradicts the sentence.
    #[must_use]
    pub fn found(&self) -> Option<&str> {
        self.found.as_deref()
    }

    /// Whether the note has something else there, rather than nothing.
    #[must_use]
    pub fn is_contradiction(&self) -> bool {
        self.found.is_some()
    }

    /// One line for a person: `the note says 5 MB, not 8 MB`.
    #[must_use]
    pub fn explanation(&self) -> String {
        let words = &self.words;
        match (self.kind, &self.found) {
            (ReasonKind::Negation, Some(found)) => format!("the note says \"{found}\""),
            (_, Some(found)) => format!("the note says {found}, not {words}"),
            (ReasonKind::Quotation, None) => format!("the note does not have the words \"{words}\""),
            (ReasonKind::Content, None) => "the note says nothing about this".to_owned(),
            (_, None) => format!("the cited words do not mention {words}"),
        }
    }
}

/// Says what kind and where, never the words.
impl fmt::Debug for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reason({} at {:?}, found: {})", self.kind, self.range, self.found.is_some())
    }
}
