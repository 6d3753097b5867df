//! Prior knowledge about words: [`ParserLexicon`].
//!
//! Three tables keyed by word hash: tags of unambiguous words, semantic clusters, parts of speech. Invariant: **an
//! inflected word is looked up by its base too**, because the table of parts of speech contains only bases.
//! Not here: the words themselves.

use crate::parse::hash;

/// The tables.
pub(crate) struct ParserLexicon {
    /// A word's only tag, by `WordFeatures::raw`.
    only_tags: FrozenMap<u8>,
    clusters: FrozenMap<(u8, u8)>,
    parts: FrozenMap<u8>,
}

/// Bits of the table of parts of speech; adverbs have the fourth.
const NOUN: u32 = 1;
const VERB: u32 = 2;
const ADJECTIVE: u32 = 4;

impl ParserLexicon {
    pub(crate) fn new(only_tags: &[(u32, u8)], clusters: &[(u32, (u8, u8))], parts: &[(u32, u8)]) -> Self {
        Self { only_tags: FrozenMap::new(only_tags), clusters: FrozenMap::new(clusters), parts: FrozenMap::new(parts) }
    }

    pub(crate) fn only_tag(&self, raw: u32) -> Option<u8> {
        self.only_tags.get(raw)
    }

    /// Returns the numbers of a word's clusters, from 1; 0 for none.
    pub(crate) fn clusters(&self, low: u32) -> (u32, u32) {
        self.clusters.get(low).map_or((0, 0), |(coarse, fine)| (u32::from(coarse) + 1, u32::from(fine) + 1))
    }

    /// Returns the parts of speech of a lower-case word: bits 0 to 3 of the form itself, bits 4 to 7 of the bases of an
    /// inflected form, from bit 8 the kind of ending, and bit 16 always set for a word.
    pub(crate) fn parts_of_speech(&self, word: &[u8]) -> u32 {
        if word.len() < 2 || !word.iter().all(u8::is_ascii_lowercase) {
            return 0;
        }
        let (kind, base) = self.analyze_inflection(word);
        1 << 16 | self.parts_of_stem(word, "") | base << 4 | kind << 8
    }

    /// Returns the kind of ending, and the possible parts of speech of its bases.
    fn analyze_inflection(&self, word: &[u8]) -> (u32, u32) {
        let length = word.len();
        let stem = |ending: usize| word.get(..length.saturating_sub(ending)).unwrap_or_default();
        let ends = |ending: &str| word.ends_with(ending.as_bytes());
        if length > 3 && ends("s") && !ends("ss") {
            let mut base = self.parts_of_stem(stem(1), "");
            if ends("es") {
                base |= self.parts_of_stem(stem(2), "");
            }
            if ends("ies") {
                base |= self.parts_of_stem(stem(3), "y");
            }
            (1, base & (NOUN | VERB))
        } else if length > 4 && ends("ed") {
            let mut base =
                self.parts_of_stem(stem(2), "") | self.parts_of_stem(stem(1), "") | self.undoubled_parts(stem(2));
            if ends("ied") {
                base |= self.parts_of_stem(stem(3), "y");
            }
            (2, base & VERB)
        } else if length > 5 && ends("ing") {
            let base =
                self.parts_of_stem(stem(3), "") | self.parts_of_stem(stem(3), "e") | self.undoubled_parts(stem(3));
            (3, base & VERB)
        } else if length > 4 && (ends("er") || ends("est")) {
            let ending = if ends("er") { 2 } else { 3 };
            let base = self.parts_of_stem(stem(ending), "")
                | self.parts_of_stem(stem(ending - 1), "")
                | self.undoubled_parts(stem(ending));
            let y = if stem(ending).ends_with(b"i") { self.parts_of_stem(stem(ending + 1), "y") } else { 0 };
            (4, base & (VERB | ADJECTIVE) | y & ADJECTIVE)
        } else if length > 4 && ends("ly") {
            let base = self.parts_of_stem(stem(2), "") | self.parts_of_stem(stem(2), "le");
            (5, base & ADJECTIVE)
        } else {
            (0, 0)
        }
    }

    /// Returns the parts of speech after undoubling: for `stopp`, those of `stop`.
    fn undoubled_parts(&self, stem: &[u8]) -> u32 {
        match stem {
            [rest @ .., one, other] if one == other && rest.len() > 1 => {
                stem.split_last().map_or(0, |(_, single)| self.parts_of_stem(single, ""))
            }
            _ => 0,
        }
    }

    fn parts_of_stem(&self, stem: &[u8], ending: &str) -> u32 {
        let mut text = hash::TextHasher::new();
        text.push(stem);
        text.push(ending.as_bytes());
        self.parts.get(text.finish()).map_or(0, u32::from)
    }
}

/// A hash map that is built once. Of two entries with the same key the first wins.
struct FrozenMap<V> {
    /// At least half of them are empty, so that every probe ends.
    slots: Vec<Option<(u32, V)>>,
    shift: u32,
}

impl<V: Copy> FrozenMap<V> {
    fn new(entries: &[(u32, V)]) -> Self {
        let size = (entries.len() * 2 + 16).next_power_of_two();
        let mut map = Self { slots: vec![None; size], shift: 32 - size.trailing_zeros() };
        for &(key, value) in entries {
            let free = map.probe_slots(key).find(|place| map.slots.get(*place).is_some_and(Option::is_none));
            if let Some(slot) = free.and_then(|place| map.slots.get_mut(place)) {
                *slot = Some((key, value));
            }
        }
        map
    }

    fn get(&self, key: u32) -> Option<V> {
        self.probe_slots(key)
            .map_while(|place| self.slots.get(place).copied().flatten())
            .find(|(other, _)| *other == key)
            .map(|(_, value)| value)
    }

    /// Returns all slots in probing order.
    fn probe_slots(&self, key: u32) -> impl Iterator<Item = usize> + use<V> {
        let first = (key.wrapping_mul(0x9E37_79B1) >> self.shift) as usize;
        let mask = self.slots.len() - 1;
        (0..=mask).map(move |step| (first + step) & mask)
    }
}
