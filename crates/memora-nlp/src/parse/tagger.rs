//! The part-of-speech tagger: one tag per word, greedily from left to right.
//!
//! Invariant: **templates and their numbers are part of the model**, which was trained with exactly these.
//! Not here: backtracking. An assigned tag is final for the following words.

use crate::parse::features::FeatureBuffer;
use crate::parse::model::ParserModel;
use crate::parse::weights::LookupScratch;
use crate::parse::word_features::{ALPHANUMERIC, CAPITAL, WordFeatures};

/// The value of a word beyond the edge of the sentence.
const NOTHING: u32 = 7;

/// Returns the tags of one sentence as numbers of the model; `given` tags override the tagger.
pub(crate) fn tag_words(model: &ParserModel, words: &[WordFeatures], given: &[(usize, u8)]) -> Vec<u8> {
    let capitals = capitalization_class(words);
    let (mut f, mut desk) = (FeatureBuffer::new(), LookupScratch::new());
    let mut tags = Vec::with_capacity(words.len());
    for (i, word) in words.iter().enumerate() {
        let known = given.iter().find(|(at, _)| *at == i).map(|(_, tag)| *tag);
        let tag = known.or_else(|| model.lexicon.only_tag(word.raw)).unwrap_or_else(|| {
            f.clear();
            push_features(words, word, &tags, i, capitals, f.set_group(0));
            best_tag(model.tagger.sum_groups(&f, &mut desk).group(0).slice(0..model.tags.len()))
        });
        tags.push(tag);
    }
    tags
}

/// Returns the first of the highest scores.
fn best_tag(scores: &[i16]) -> u8 {
    let mut best = (0, i16::MIN);
    for (tag, score) in (0..).zip(scores) {
        if *score > best.1 {
            best = (tag, *score);
        }
    }
    best.0
}

/// Returns 0 for an ordinary sentence, 1 without capitals, 2 if mostly capitalized, such as a heading.
fn capitalization_class(words: &[WordFeatures]) -> u32 {
    let count = |flag| words.iter().filter(|word| word.flags & flag != 0).count();
    match (count(CAPITAL), count(ALPHANUMERIC)) {
        (0, _) => 1,
        (capitals, words) if words > 2 && capitals * 10 >= words * 7 => 2,
        _ => 0,
    }
}

fn push_features(
    words: &[WordFeatures],
    w: &WordFeatures,
    tags: &[u8],
    i: usize,
    capitals: u32,
    f: &mut FeatureBuffer,
) {
    let absent = WordFeatures {
        low: NOTHING,
        ending: NOTHING,
        shape: NOTHING,
        suffixes: [NOTHING; 5],
        coarse: NOTHING,
        fine: NOTHING,
        parts: NOTHING,
        ..WordFeatures::default()
    };
    let at = |i: Option<usize>| i.and_then(|i| words.get(i)).unwrap_or(&absent);
    let (before, after) = (at(i.checked_sub(1)), at(i.checked_add(1)));
    let (before2, after2) = (at(i.checked_sub(2)), at(i.checked_add(2)));
    let tag = |back| i.checked_sub(back).and_then(|i| tags.get(i)).map_or(0, |tag| u32::from(*tag) + 1);
    let (t1, t2) = (tag(1), tag(2));
    let place = u32::from(i == 0) | capitals << 1;

    f.push_one(0, 0);
    // the word
    f.push_one(1, w.low);
    f.push_two(2, w.raw, place);
    f.push_two(3, w.shape, place);
    for (template, suffix) in (4..).zip(w.suffixes) {
        f.push_one(template, suffix);
    }
    for (template, prefix) in (9..).zip(w.prefixes) {
        f.push_one(template, prefix);
    }
    f.push_one(27, w.coarse);
    f.push_one(28, w.fine);
    f.push_three(34, w.flags, w.suffixes[0], place);
    // the tags before
    f.push_one(12, t1);
    f.push_two(13, t1, t2);
    f.push_two(14, t1, w.low);
    f.push_two(24, t1, w.suffixes[2]);
    f.push_three(25, t1, t2, w.low);
    f.push_two(26, t1, after.low);
    f.push_two(32, t1, w.fine);
    f.push_three(33, t1, after.suffixes[1], w.suffixes[1]);
    f.push_three(37, t1, t2, after.suffixes[1]);
    f.push_three(39, t1, w.shape, place);
    // the words around
    f.push_one(15, before.low);
    f.push_one(16, after.low);
    f.push_one(17, before2.low);
    f.push_one(18, after2.low);
    f.push_two(19, before.low, w.low);
    f.push_two(20, w.low, after.low);
    f.push_one(21, after.ending);
    f.push_one(22, before.ending);
    f.push_three(23, after.shape, w.shape, place);
    f.push_two(29, after.coarse, w.suffixes[1]);
    f.push_one(30, after.fine);
    f.push_one(31, before.fine);
    f.push_two(35, after.low, after2.low);
    f.push_two(36, before.low, after.low);
    f.push_two(38, w.suffixes[1], after.ending);
    // the parts of speech that the lexicon allows
    f.push_one(40, w.parts);
    f.push_three(41, w.parts, w.flags & 7, place);
    f.push_two(42, t1, w.parts);
    f.push_two(43, w.parts, after.parts);
    f.push_three(44, t1, w.parts, after.parts);
    f.push_two(45, w.parts, w.suffixes[2]);
    f.push_three(46, t2, t1, w.parts);
    f.push_three(47, before.parts, w.parts, after.low);
    f.push_three(48, t1, w.parts, after.low);
    f.push_two(49, before.low, w.parts);
}
