//! The model file: [`Model`], its tables in memory.
//!
//! The one rule to know: **a damaged file is an error**, and whatever was accepted can be read with. `assets/README.md`
//! describes the format. Deliberately not here: writing one.

use crate::parse::lexicon::Lexicon;
use crate::parse::names::{Label, Upos, Xpos};
use crate::parse::weights::{ACTIONS_MAX, Rows, Weights};

const MAGIC: &[u8] = b"NOTEPRS1";

/// Why bytes are no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// They begin with something else than a model does.
    #[error("no model of this format")]
    Magic,
    /// They end too early.
    #[error("the model ends at byte {at} in the middle of something")]
    Truncated {
        /// Where something began that is not all there.
        at: usize,
    },
    /// Something is left over.
    #[error("the model goes on behind its end at byte {at}")]
    Trailing {
        /// Where the model ends.
        at: usize,
    },
    /// A tag has no name here.
    #[error("the model has a tag that is unknown here, number {number}")]
    Tag {
        /// Its number in the model.
        number: usize,
    },
    /// No tags or labels, or more than can be told apart.
    #[error("the model has {count} actions for one decision")]
    Actions {
        /// How many there are.
        count: usize,
    },
    /// A table's entries contradict each other.
    #[error("the table that ends at byte {at} is damaged")]
    Table {
        /// Where the table ends.
        at: usize,
    },
}

/// The tables of a model file.
pub(crate) struct Model {
    pub(crate) tags: Vec<(Upos, Xpos)>,
    pub(crate) labels: Vec<Label>,
    pub(crate) lexicon: Lexicon,
    pub(crate) tagger: Weights,
    /// The parser that reads from the right.
    pub(crate) backward: Weights,
    /// The parser that reads from the left, and knows what the other said.
    pub(crate) forward: Weights,
}

impl Model {
    pub(crate) fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let mut cursor = Cursor { bytes, at: 0 };
        if cursor.take(MAGIC.len()) != Ok(MAGIC) {
            return Err(LoadError::Magic);
        }
        let tags = cursor.names()?.into_iter().enumerate().map(tag).collect::<Result<Vec<_>, _>>()?;
        // A label of another treebank's says that there is some relation.
        let label = |name: &[u8]| str::from_utf8(name).ok().and_then(Label::from_name).unwrap_or(Label::Dep);
        let labels: Vec<Label> = cursor.names()?.into_iter().map(label).collect();
        for count in [tags.len(), 1 + 2 * labels.len()] {
            if !(2..=ACTIONS_MAX).contains(&count) {
                return Err(LoadError::Actions { count });
            }
        }
        let only_tags = cursor.table(|cursor| cursor.byte())?;
        if only_tags.iter().any(|(_, tag)| usize::from(*tag) >= tags.len()) {
            return Err(LoadError::Table { at: cursor.at });
        }
        let clusters = cursor.table(|cursor| Ok((cursor.byte()?, cursor.byte()?)))?;
        let parts = cursor.table(|cursor| cursor.byte())?;
        let model = Self {
            tags,
            labels,
            lexicon: Lexicon::new(&only_tags, &clusters, &parts),
            tagger: cursor.weights()?,
            backward: cursor.weights()?,
            forward: cursor.weights()?,
        };
        if cursor.at < bytes.len() {
            return Err(LoadError::Trailing { at: cursor.at });
        }
        Ok(model)
    }
}

/// Reads `UPOS|XPOS`.
fn tag((number, name): (usize, &[u8])) -> Result<(Upos, Xpos), LoadError> {
    let name = str::from_utf8(name).ok().and_then(|name| name.split_once('|'));
    let both = name.and_then(|(upos, xpos)| Upos::from_name(upos).zip(Xpos::from_name(xpos)));
    both.ok_or(LoadError::Tag { number })
}

/// A place in a model file, all numbers of which are little endian.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], LoadError> {
        let end = self.at.saturating_add(count);
        let taken = self.bytes.get(self.at..end).ok_or(LoadError::Truncated { at: self.at })?;
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], LoadError> {
        let at = self.at;
        self.take(N)?.try_into().map_err(|_| LoadError::Truncated { at })
    }

    fn byte(&mut self) -> Result<u8, LoadError> {
        self.array().map(|[byte]| byte)
    }

    fn count(&mut self) -> Result<usize, LoadError> {
        Ok(u32::from_le_bytes(self.array()?) as usize)
    }

    fn names(&mut self) -> Result<Vec<&'a [u8]>, LoadError> {
        let count = u16::from_le_bytes(self.array()?);
        let name = |_| {
            let length = self.byte()?;
            self.take(usize::from(length))
        };
        (0..count).map(name).collect()
    }

    /// Reads pairs of a hash and what `value` reads.
    fn table<V>(
        &mut self,
        mut value: impl FnMut(&mut Self) -> Result<V, LoadError>,
    ) -> Result<Vec<(u32, V)>, LoadError> {
        let count = self.count()?;
        let mut table = Vec::new();
        // A false count comes to the end of the bytes before it has filled the memory.
        for _ in 0..count {
            table.push((u32::from_le_bytes(self.array()?), value(self)?));
        }
        Ok(table)
    }

    fn weights(&mut self) -> Result<Weights, LoadError> {
        let scale = f32::from_le_bytes(self.array()?);
        let (features, weights) = (self.count()?, self.count()?);
        let keys = self.take(features.saturating_mul(4))?.as_chunks().0;
        let keys: Vec<u32> = keys.iter().map(|key| u32::from_le_bytes(*key)).collect();
        let counts = self.take(features)?;
        let rows = Rows { keys: &keys, counts, actions: self.take(weights)?, weights: self.take(weights)? };
        let all = counts.iter().map(|count| usize::from(*count)).sum::<usize>() == weights;
        let built = if all && scale.is_finite() { Weights::new(scale, &rows) } else { None };
        built.ok_or(LoadError::Table { at: self.at })
    }
}
