//! What sources of one note have in common, kept once with the note: headings, which its outline has, and texts such as
//! parent items and speakers.

use std::collections::HashMap;

use crate::ReadError;
use crate::bytes::{ByteReader, ByteWriter, iter_texts, pack_texts};
use crate::record::StatementRecord;

/// The texts that the sources of a note refer to by their numbers, packed.
pub(crate) struct NoteTexts(Option<Vec<u8>>);

impl NoteTexts {
    pub(crate) fn new(packed: Option<Vec<u8>>) -> Self {
        Self(packed)
    }

    /// Returns the text with a number.
    pub(crate) fn get(&self, number: usize) -> Result<String, ReadError> {
        iter_texts(self.0.as_deref()).nth(number).ok_or(ReadError::Damaged)?.map(str::to_owned)
    }
}

/// The numbers of the texts that the statements of a note refer to, in order of their first use.
pub(crate) struct TextNumbers<'s> {
    texts: Vec<&'s str>,
    numbers: HashMap<&'s str, usize>,
}

impl<'s> TextNumbers<'s> {
    pub(crate) fn of_statements(statements: &'s [StatementRecord]) -> Self {
        let mut all = Self { texts: Vec::new(), numbers: HashMap::new() };
        for statement in statements {
            for text in [&statement.source.parent, &statement.speaker].into_iter().flatten() {
                all.numbers.entry(text).or_insert_with(|| {
                    all.texts.push(text);
                    all.texts.len() - 1
                });
            }
        }
        all
    }

    /// Packs the texts, for [`NoteTexts`].
    pub(crate) fn pack(&self) -> Option<Vec<u8>> {
        pack_texts(self.texts.iter().copied())
    }

    pub(crate) fn find(&self, text: Option<&str>) -> Option<usize> {
        self.numbers.get(text?).copied()
    }
}

/// The numbers of a note's headings, in its outline; of equal ones the last.
pub(crate) type HeadingNumbers<'n> = HashMap<&'n str, usize>;

/// Numbers the headings of an outline.
pub(crate) fn number_headings(outline: &[String]) -> HeadingNumbers<'_> {
    outline.iter().enumerate().map(|(at, heading)| (heading.as_str(), at)).collect()
}

/// Packs the headings above a source: each as its number in the note's outline, from 1, or as 0 and its text.
pub(crate) fn pack_headings(headings: &[String], outline: &HeadingNumbers<'_>) -> Option<Vec<u8>> {
    let mut packed = ByteWriter::default();
    for heading in headings {
        match outline.get(heading.as_str()) {
            Some(at) => packed.number(at + 1),
            None => {
                packed.number(0);
                packed.text(heading);
            }
        }
    }
    Some(packed.into_bytes()).filter(|bytes| !bytes.is_empty())
}

/// Unpacks the headings above a source of a note with this outline.
pub(crate) fn unpack_headings(packed: Option<&[u8]>, outline: &[String]) -> Result<Vec<String>, ReadError> {
    let mut reader = ByteReader::new(packed.unwrap_or_default());
    let mut headings = Vec::new();
    while !reader.is_empty() {
        headings.push(match reader.number()?.checked_sub(1) {
            Some(at) => outline.get(at).cloned().ok_or(ReadError::Damaged)?,
            None => reader.text()?.to_owned(),
        });
    }
    Ok(headings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_the_outline_are_numbers_and_others_come_back_too() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let outline = texts(&["Top", "Below", "Top"]);
        for headings in [texts(&[]), texts(&["Top", "Below"]), texts(&["Top", "elsewhere", "Below"])] {
            let packed = pack_headings(&headings, &number_headings(&outline));
            assert_eq!(unpack_headings(packed.as_deref(), &outline), Ok(headings));
        }
        assert_eq!(pack_headings(&outline, &number_headings(&outline)), Some(vec![3, 2, 3]));
        assert_eq!(unpack_headings(Some(&[9]), &outline), Err(ReadError::Damaged));
    }
}
