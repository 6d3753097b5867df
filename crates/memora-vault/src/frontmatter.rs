//! The properties at the top of a note.

use std::ops::Range;

use crate::PartialDate;
use crate::note::Problems;

/// A property of the front matter, with its bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The key, as written.
    pub key: String,
    /// The value.
    pub value: PropertyValue,
    /// The bytes from the key to the end of the value, over several lines where it has them.
    pub range: Range<usize>,
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
    List(Vec<PropertyValue>),
    /// Named values.
    Map(Vec<(String, PropertyValue)>),
    /// Nothing.
    Empty,
}

/// What the front matter says.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrontMatter {
    /// From the first byte of the file to behind the closing line; empty when there is none.
    pub(crate) range: Range<usize>,
    pub(crate) body_start: usize,
    pub(crate) properties: Vec<Property>,
    pub(crate) aliases: Vec<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) id: Option<String>,
}

pub(crate) fn read(_text: &str, _problems: &mut Problems<'_>) -> FrontMatter {
    FrontMatter::default()
}
