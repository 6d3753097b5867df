//! Why a user's table of relations cannot be read: [`RelationsError`].

/// Why a table of relations could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RelationsError {
    /// It is not a table, or a key is unknown, missing or of the wrong type.
    #[error("line {line}: {what}")]
    Syntax {
        /// The line of the first error, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Two rows of one name disagree about `single`.
    #[error("relation `{0}` is `single` in one place and not in another")]
    Contradiction(String),
    /// It has no words.
    #[error("relation `{0}` has neither verbs nor names")]
    NoWords(String),
    /// A row uses an undefined class.
    #[error("relation `{relation}` names the class `{class}`, which is not defined")]
    UnknownClass {
        /// The relation.
        relation: String,
        /// The class.
        class: String,
    },
    /// A name that would be hard to use in a query.
    #[error("`{0}` is no name for a relation: use lower-case letters and underscores")]
    BadName(String),
}

impl RelationsError {
    pub(crate) fn from_toml_error(text: &str, error: &toml::de::Error) -> Self {
        let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or_default();
        Self::Syntax { line: before.matches('\n').count() + 1, what: error.message().to_owned() }
    }

    /// Suggests how to fix the error.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Syntax { .. } => {
                "under [[relation]] stand name, single, fixed, several, personal, ages, verbs, names, object and subject; under [class] a list of words for each class"
            }
            Self::Contradiction(_) => {
                "leave single out, or write the same in every row of the name; the program's own rows count too"
            }
            Self::NoWords(_) => "give it verbs = [\"grow in\"] or names = [\"bed\"]",
            Self::UnknownClass { .. } => "define it under [class], or use one that docs/extraction.md lists",
            Self::BadName(_) => "write name = \"grows_in\"",
        }
    }
}
