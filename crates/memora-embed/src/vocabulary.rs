//! WordPiece vocabulary: [`Vocabulary`], and the splitting of words into pieces.
//!
//! Invariant: **a word is known whole or not at all.** From its beginning the longest piece is taken, then the longest
//! that continues a word, and so on; if at some position none fits, the word is left out, even if other pieces would
//! have covered it. Out of scope: splitting text into words.

use std::borrow::Cow;

/// The prefix of pieces that continue a word.
const CONTINUES: &[u8] = b"##";

/// Pieces with their ids, in an open-addressing hash table.
pub(crate) struct Vocabulary {
    /// The pieces, one behind the other, with one byte between.
    text: Cow<'static, [u8]>,
    /// Where the piece of a number begins, and behind the last one where the next would begin.
    starts: Vec<u32>,
    /// The length is a power of two, and half of it and more is free.
    slots: Vec<HashSlot>,
    /// How many bytes the longest piece has, and so how far a search has to look.
    longest: usize,
}

/// The hash and the number of a piece. A piece whose hash is another's need not be looked at.
#[derive(Clone, Copy)]
struct HashSlot {
    hash: u32,
    number: u32,
}

impl HashSlot {
    const FREE: Self = Self { hash: 0, number: u32::MAX };

    fn is_free(self) -> bool {
        self.number == Self::FREE.number
    }
}

/// A reusable buffer for the pieces of a word.
#[derive(Default)]
pub(crate) struct PrefixBuffer(Vec<(usize, FnvHash)>);

impl Vocabulary {
    /// Reads pieces separated by `\n`, numbered in this order. Their total size must fit in 32 bits, as in the
    /// file.
    pub(crate) fn new(text: Cow<'static, [u8]>) -> Result<Self, RepeatedPiece> {
        let mut starts = vec![0];
        starts.extend(text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u32 + 1));
        starts.push((text.len() as u32).saturating_add(1));
        let count = starts.len() - 1;
        let mut vocabulary =
            Self { text, starts, slots: vec![HashSlot::FREE; (2 * count).next_power_of_two()], longest: 0 };
        for number in 0..count {
            let piece = vocabulary.piece(number as u32);
            let (hash, length) = (FnvHash::START.extend_with(piece), piece.len());
            let Err(free) = vocabulary.find_slot(hash, piece, b"") else { return Err(RepeatedPiece { number }) };
            if let Some(slot) = vocabulary.slots.get_mut(free) {
                *slot = HashSlot { hash: hash.0, number: number as u32 };
            }
            vocabulary.longest = vocabulary.longest.max(length);
        }
        Ok(vocabulary)
    }

    /// Returns how many pieces there are.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the piece of that number, or nothing.
    pub(crate) fn piece(&self, number: u32) -> &[u8] {
        let at = |number: usize| self.starts.get(number).map(|at| *at as usize);
        let number = number as usize;
        let range = at(number).zip(at(number + 1)).map(|(start, next)| start..next.saturating_sub(1));
        range.and_then(|range| self.text.get(range)).unwrap_or_default()
    }

    /// Appends the ids of the pieces that make up `word`, or nothing if it is unknown.
    pub(crate) fn append_word_pieces(&self, word: &str, ends: &mut PrefixBuffer, into: &mut Vec<u32>) {
        let before = into.len();
        let mut rest = word;
        let (mut prefix, mut start) = (&b""[..], FnvHash::START);
        while !rest.is_empty() {
            let Some((number, behind)) = self.find_longest(prefix, start, rest, ends) else {
                into.truncate(before);
                return;
            };
            into.push(number);
            rest = behind;
            (prefix, start) = (CONTINUES, FnvHash::CONTINUES);
        }
    }

    /// Returns the longest piece that consists of `prefix` and a beginning of `rest`, and the remainder of `rest`.
    fn find_longest<'t>(
        &self,
        prefix: &[u8],
        start: FnvHash,
        rest: &'t str,
        ends: &mut PrefixBuffer,
    ) -> Option<(u32, &'t str)> {
        // The hash of a beginning is that of a shorter one and a character more: all of them cost as much as the last.
        ends.0.clear();
        let (mut hash, mut at) = (start, 0);
        for character in rest.chars() {
            let end = at + character.len_utf8();
            if prefix.len() + end > self.longest {
                break;
            }
            hash = hash.extend_with(rest.as_bytes().get(at..end).unwrap_or_default());
            ends.0.push((end, hash));
            at = end;
        }
        ends.0.iter().rev().find_map(|(end, hash)| {
            let (piece, behind) = rest.split_at_checked(*end)?;
            let slot = self.find_slot(*hash, prefix, piece.as_bytes()).ok()?;
            Some((self.slots.get(slot)?.number, behind))
        })
    }

    /// Returns the slot of the piece `prefix` + `rest`, or else the free one where it belongs.
    fn find_slot(&self, hash: FnvHash, prefix: &[u8], rest: &[u8]) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash.0 as usize & mask;
        // Half of the slots are free, so that there is an end.
        loop {
            let slot = self.slots.get(at).copied().unwrap_or(HashSlot::FREE);
            if slot.is_free() {
                return Err(at);
            }
            if slot.hash == hash.0 && self.piece(slot.number).strip_prefix(prefix) == Some(rest) {
                return Ok(at);
            }
            at = (at + 1) & mask;
        }
    }
}

/// A piece that occurs twice.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RepeatedPiece {
    /// The number of the second.
    pub(crate) number: usize,
}

/// An FNV-1a hash, which can be extended.
#[derive(Clone, Copy)]
struct FnvHash(u32);

impl FnvHash {
    const START: Self = Self(0x811c_9dc5);
    const CONTINUES: Self = Self::START.extend_with(CONTINUES);

    const fn extend_with(self, bytes: &[u8]) -> Self {
        let (mut hash, mut rest) = (self.0, bytes);
        while let [byte, behind @ ..] = rest {
            hash = (hash ^ *byte as u32).wrapping_mul(0x0100_0193);
            rest = behind;
        }
        Self(hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(pieces: &[&str]) -> Vocabulary {
        Vocabulary::new(Cow::Owned(pieces.join("\n").into_bytes())).expect("no piece is there twice")
    }

    #[track_caller]
    fn check(pieces: &[&str], word: &str, expect: &[&str]) {
        let vocabulary = vocabulary(pieces);
        let mut found = vec![7];
        vocabulary.append_word_pieces(word, &mut PrefixBuffer::default(), &mut found);
        assert_eq!(found.remove(0), 7, "what was there stays");
        let found: Vec<&[u8]> = found.into_iter().map(|number| vocabulary.piece(number)).collect();
        assert_eq!(found, expect.iter().map(|piece| piece.as_bytes()).collect::<Vec<_>>());
    }

    #[test]
    fn the_longest_piece_is_taken_each_time() {
        let pieces = ["un", "u", "##aff", "##a", "##able", "##f", "unaf", "##fable"];
        check(&pieces, "unaffable", &["unaf", "##fable"]);
        check(&pieces, "unaff", &["unaf", "##f"]);
        check(&pieces, "ua", &["u", "##a"]);
        check(&pieces, "", &[]);
    }

    #[test]
    fn a_word_with_an_unknown_piece_is_left_out_whole() {
        check(&["a", "ab", "##bc", "##c"], "abc", &["ab", "##c"]);
        check(&["a", "ab", "##bc"], "abc", &[]);
        check(&["a", "##b"], "axb", &[]);
        check(&["##b"], "b", &[]);
        check(&["b"], "##b", &[]);
    }

    #[test]
    fn pieces_end_between_characters() {
        check(&["日", "##本", "é", "##é"], "日本", &["日", "##本"]);
        check(&["日", "##本", "é", "##é"], "éé", &["é", "##é"]);
        check(&["日"], "旦", &[]);
    }

    #[test]
    fn a_piece_that_is_there_twice_is_found() {
        let repeated = Vocabulary::new(Cow::Borrowed(b"a\nb\na"));
        assert_eq!(repeated.err(), Some(RepeatedPiece { number: 2 }));
    }

    #[test]
    fn every_piece_of_many_is_found() {
        let pieces: Vec<String> = (0..3000).map(|number| format!("{number}")).collect();
        let vocabulary = vocabulary(&pieces.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(vocabulary.count(), 3000);
        for (number, piece) in pieces.iter().enumerate() {
            let mut found = Vec::new();
            vocabulary.append_word_pieces(piece, &mut PrefixBuffer::default(), &mut found);
            assert_eq!(found, [number as u32]);
        }
    }
}
