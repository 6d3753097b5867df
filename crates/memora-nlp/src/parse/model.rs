//! The model file: [`ParserModel`], its tables in memory.
//!
//! Invariant: **a damaged file is an error**, and every accepted file can be used. `assets/README.md` describes the
//! format. Not here: writing it.

use crate::parse::parser_lexicon::ParserLexicon;
use crate::parse::tagset::{Label, Upos, Xpos};
use crate::parse::weights::{ACTIONS_MAX, FeatureRows, Weights, pilot_count};

const MAGIC: &[u8] = b"NOTEPRS2";

/// Why a model could not be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParserLoadError {
    /// The magic bytes are wrong.
    #[error("no model of this format")]
    Magic,
    /// The bytes end too early.
    #[error("the model ends at byte {at} in the middle of something")]
    Truncated {
        /// Offset of the incomplete item.
        at: usize,
    },
    /// There are bytes behind the end of the model.
    #[error("the model goes on behind its end at byte {at}")]
    Trailing {
        /// Offset of the model's end.
        at: usize,
    },
    /// A tag is unknown.
    #[error("the model has a tag that is unknown here, number {number}")]
    Tag {
        /// Its number in the model.
        number: usize,
    },
    /// There are no tags or labels, or more than the weights support.
    #[error("the model has {count} actions for one decision")]
    Actions {
        /// Their number.
        count: usize,
    },
    /// The entries of a table contradict each other.
    #[error("the table that ends at byte {at} is damaged")]
    Table {
        /// Offset of the table's end.
        at: usize,
    },
}

/// The tables of a model file.
pub(crate) struct ParserModel {
    pub(crate) tags: Vec<(Upos, Xpos)>,
    pub(crate) labels: Vec<Label>,
    pub(crate) lexicon: ParserLexicon,
    pub(crate) tagger: Weights,
    /// The right-to-left parser.
    pub(crate) backward: Weights,
    /// The left-to-right parser, which uses the output of the other.
    pub(crate) forward: Weights,
}

impl ParserModel {
    pub(crate) fn load(bytes: &[u8]) -> Result<Self, ParserLoadError> {
        let mut cursor = ModelCursor { bytes, at: 0 };
        if cursor.take_bytes(MAGIC.len()) != Ok(MAGIC) {
            return Err(ParserLoadError::Magic);
        }
        let tags = cursor.read_names()?.into_iter().enumerate().map(parse_tag).collect::<Result<Vec<_>, _>>()?;
        // A label of another treebank still means that there is some relation.
        let label = |name: &[u8]| str::from_utf8(name).ok().and_then(Label::from_name).unwrap_or(Label::Dep);
        let labels: Vec<Label> = cursor.read_names()?.into_iter().map(label).collect();
        for count in [tags.len(), 1 + 2 * labels.len()] {
            if !(2..=ACTIONS_MAX).contains(&count) {
                return Err(ParserLoadError::Actions { count });
            }
        }
        let only_tags = cursor.read_table(|cursor| cursor.read_byte())?;
        if only_tags.iter().any(|(_, tag)| usize::from(*tag) >= tags.len()) {
            return Err(ParserLoadError::Table { at: cursor.at });
        }
        let clusters = cursor.read_table(|cursor| Ok((cursor.read_byte()?, cursor.read_byte()?)))?;
        let parts = cursor.read_table(|cursor| cursor.read_byte())?;
        let model = Self {
            tags,
            labels,
            lexicon: ParserLexicon::new(&only_tags, &clusters, &parts),
            tagger: cursor.read_weights()?,
            backward: cursor.read_weights()?,
            forward: cursor.read_weights()?,
        };
        if cursor.at < bytes.len() {
            return Err(ParserLoadError::Trailing { at: cursor.at });
        }
        Ok(model)
    }
}

/// Parses `UPOS|XPOS`.
fn parse_tag((number, name): (usize, &[u8])) -> Result<(Upos, Xpos), ParserLoadError> {
    let name = str::from_utf8(name).ok().and_then(|name| name.split_once('|'));
    let both = name.and_then(|(upos, xpos)| Upos::from_name(upos).zip(Xpos::from_name(xpos)));
    both.ok_or(ParserLoadError::Tag { number })
}

/// A position in a model file, in which all numbers are little endian.
struct ModelCursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ModelCursor<'a> {
    fn take_bytes(&mut self, count: usize) -> Result<&'a [u8], ParserLoadError> {
        let end = self.at.saturating_add(count);
        let taken = self.bytes.get(self.at..end).ok_or(ParserLoadError::Truncated { at: self.at })?;
        self.at = end;
        Ok(taken)
    }

    fn read_array<const N: usize>(&mut self) -> Result<[u8; N], ParserLoadError> {
        let at = self.at;
        self.take_bytes(N)?.try_into().map_err(|_| ParserLoadError::Truncated { at })
    }

    fn read_byte(&mut self) -> Result<u8, ParserLoadError> {
        self.read_array().map(|[byte]| byte)
    }

    fn read_count(&mut self) -> Result<usize, ParserLoadError> {
        Ok(u32::from_le_bytes(self.read_array()?) as usize)
    }

    fn read_names(&mut self) -> Result<Vec<&'a [u8]>, ParserLoadError> {
        let count = u16::from_le_bytes(self.read_array()?);
        let name = |_| {
            let length = self.read_byte()?;
            self.take_bytes(usize::from(length))
        };
        (0..count).map(name).collect()
    }

    /// Reads pairs of a hash and a value read by `value`.
    fn read_table<V>(
        &mut self,
        mut value: impl FnMut(&mut Self) -> Result<V, ParserLoadError>,
    ) -> Result<Vec<(u32, V)>, ParserLoadError> {
        let count = self.read_count()?;
        let mut table = Vec::new();
        // A wrong count reaches the end of the bytes before it exhausts the memory.
        for _ in 0..count {
            table.push((u32::from_le_bytes(self.read_array()?), value(self)?));
        }
        Ok(table)
    }

    fn read_weights(&mut self) -> Result<Weights, ParserLoadError> {
        let scale = f32::from_le_bytes(self.read_array()?);
        let (features, weights) = (self.read_count()?, self.read_count()?);
        let pilots = self.take_bytes(pilot_count(features))?;
        let keys = self.take_bytes(features.saturating_mul(4))?.as_chunks().0;
        let keys: Vec<u32> = keys.iter().map(|key| u32::from_le_bytes(*key)).collect();
        let counts = self.take_bytes(features)?;
        let rows = FeatureRows {
            pilots,
            keys: &keys,
            counts,
            actions: self.take_bytes(weights)?,
            weights: self.take_bytes(weights)?,
        };
        let all = counts.iter().map(|count| usize::from(*count)).sum::<usize>() == weights;
        let built = if all && scale.is_finite() { Weights::new(scale, &rows) } else { None };
        built.ok_or(ParserLoadError::Table { at: self.at })
    }
}
