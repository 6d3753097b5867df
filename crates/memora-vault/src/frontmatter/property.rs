//! A property, and its value.

use std::ops::Range;

use crate::PartialDate;

/// A property of the front matter, with its bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The key, as written.
    pub key: String,
    /// The value.
    pub value: PropertyValue,
    /// The bytes from the key to the end of the value, over several lines where it has them.
    pub range: Range<usize>,
    /// The single values by which ids name it. They are those of the value, but for numbers in a list, which ids name without zeros
    /// that say nothing: `1.1` for `1.10`.
    pub identity: Vec<String>,
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyValue {
    /// Words.
    Text(String),
    /// A number, as written.
    Number(String),
    /// `true` or `false`.
    Bool(bool),
    /// A date, or a date and a time of which the date is kept.
    Date(PartialDate),
    /// Several values.
    List(Vec<Self>),
    /// Named values, by name.
    Map(Vec<(String, Self)>),
    /// Nothing.
    Empty,
}

impl PropertyValue {
    /// The single values in it, as words: a text is one, a list its items, nothing none. Named values are left out.
    #[must_use]
    pub fn scalar_strings(&self) -> Vec<String> {
        match self {
            Self::Text(text) | Self::Number(text) => vec![text.clone()],
            Self::Bool(yes) => vec![yes.to_string()],
            Self::Date(date) => vec![date.to_string()],
            Self::List(items) => items.iter().flat_map(Self::scalar_strings).collect(),
            Self::Map(_) | Self::Empty => Vec::new(),
        }
    }
}
