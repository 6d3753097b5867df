//! A damaged model is an error or embeds somehow; it never panics.
//!
//! The models here are small, so that they can be damaged in every place.

use proptest::prelude::*;

use crate::{Embedder, StaticEmbedder, StaticModelError, Vector};

const DIMENSIONS: usize = 6;
const BITS_AT: usize = 16;

/// The rows count from -8 up; the scale of piece n is n/4.
fn model(bits: u32, pieces: &[&str]) -> Vec<u8> {
    let mut bytes = b"SEMB0001".to_vec();
    let vocabulary = pieces.join("\n");
    for number in [pieces.len(), DIMENSIONS, bits as usize, vocabulary.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(vocabulary.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    (0..pieces.len()).for_each(|number| bytes.extend((number as f32 / 4.0).to_le_bytes()));
    let weights: Vec<u8> = (0..pieces.len() * DIMENSIONS).map(|at| at as u8 % 16).collect();
    match bits {
        4 => bytes.extend(weights.as_chunks().0.iter().map(|[low, high]| high << 4 | low)),
        _ => bytes.extend(weights.iter().map(|weight| weight.wrapping_sub(8))),
    }
    bytes
}

fn small_models() -> [Vec<u8>; 2] {
    [4, 8].map(|bits| model(bits, &["a", "anna", "##s", "é", "."]))
}

fn load(bytes: &[u8]) -> Result<StaticEmbedder, StaticModelError> {
    let loaded = StaticEmbedder::load(bytes.to_vec());
    if let Ok(embedder) = &loaded {
        let vector = embedder.vector("Annas à E\u{301}. As, éa \u{1f30d}");
        assert_eq!(vector.values().len(), embedder.dimensions());
        assert!(vector.values().iter().all(|value| value.is_finite()));
        assert!(embedder.pieces("Annas a.").len() <= 4);
    }
    loaded
}

#[track_caller]
fn check(damage: impl Fn(&mut Vec<u8>), expect: StaticModelError) {
    let mut bytes = model(4, &["a", "anna", "##s", "é"]);
    damage(&mut bytes);
    assert_eq!(load(&bytes).err(), Some(expect));
}

#[test]
fn both_widths_read_the_same() {
    let [four, eight] = small_models().map(|bytes| load(&bytes).expect("a whole model"));
    // "anna" has the scale 1/4 and the weights -2 to 3, "##s" 1/2 and 4 to 7, -8, -7.
    let sum = [-2.0 + 8.0, -1.0 + 10.0, 0.0 + 12.0, 1.0 + 14.0, 2.0 - 16.0, 3.0 - 14.0];
    for embedder in [&four, &eight] {
        assert_eq!(embedder.pieces("Annas"), ["anna", "##s"]);
        assert!((embedder.vector("Annas").cosine(&Vector::normalized(sum.to_vec())) - 1.0).abs() < 1e-6);
    }
    assert_eq!(four.vector("Annas é."), eight.vector("Annas é."));
    assert_ne!(four.id(), eight.id());
    assert_eq!(four.id().name(), "memora-static-6-int4/1");
}

/// In the model that is damaged here the vocabulary ends at byte 37, scales begin at 40, rows at 56.
#[test]
fn each_kind_of_damage_has_its_error() {
    check(|bytes| bytes[0] = b's', StaticModelError::Magic);
    check(|bytes| bytes.clear(), StaticModelError::Magic);
    check(|bytes| bytes.truncate(10), StaticModelError::Truncated { at: 8 });
    check(|bytes| _ = bytes.pop(), StaticModelError::Truncated { at: 56 });
    check(|bytes| bytes.push(0), StaticModelError::Trailing { at: 68 });
    check(|bytes| bytes[BITS_AT] = 5, StaticModelError::Rows { dimensions: 6, bits: 5 });
    check(|bytes| bytes[12] = 5, StaticModelError::Rows { dimensions: 5, bits: 4 });
    check(|bytes| bytes[12] = 0, StaticModelError::Rows { dimensions: 0, bits: 4 });
    check(|bytes| bytes[15] = 1, StaticModelError::Rows { dimensions: 6 + (1 << 24), bits: 4 });
    check(|bytes| bytes[36] = b'x', StaticModelError::Encoding { at: 11 });
    check(|bytes| bytes[25] = b'x', StaticModelError::Pieces { expected: 4, found: 3 });
    check(|bytes| bytes[27] = b'\n', StaticModelError::Repeated { number: 1 });
    check(|bytes| bytes[48..52].fill(0xff), StaticModelError::Scale { number: 2 });
}

#[test]
fn a_false_count_does_not_fill_the_memory() {
    for at in [8, 12, 20] {
        for value in [u32::MAX, u32::MAX / 2, 1 << 30] {
            for mut bytes in small_models() {
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
                assert!(load(&bytes).is_err(), "{value} at {at}");
            }
        }
    }
}

#[test]
fn a_model_without_pieces_knows_nothing() {
    // An empty vocabulary is one piece, the empty one: the file cannot say "none".
    let embedder = load(&model(4, &[""])).expect("a model of one empty piece");
    assert!(embedder.vector("Anna").is_zero());
    let mut none = model(4, &[""]);
    none[8] = 0;
    none.truncate(24);
    assert_eq!(load(&none).err(), Some(StaticModelError::Pieces { expected: 0, found: 1 }));
}

#[test]
fn no_part_of_a_model_is_one() {
    for model in small_models() {
        assert!(load(&model).is_ok());
        for end in 0..model.len() {
            assert!(load(&model[..end]).is_err(), "cut at {end}");
        }
    }
}

#[test]
fn a_false_byte_in_any_place_is_survived() {
    for model in small_models() {
        for at in 0..model.len() {
            for value in [0, 1, b'\n', b'#', 0x7f, 0x80, 0xff] {
                let mut damaged = model.clone();
                damaged[at] = value;
                _ = load(&damaged);
            }
        }
    }
}

proptest! {
    #[test]
    fn several_damages_at_once_are_survived(damages in proptest::collection::vec((any::<u16>(), any::<u8>()), 1..20)) {
        for mut model in small_models() {
            let length = model.len();
            for (at, value) in &damages {
                model[usize::from(*at) % length] = *value;
            }
            _ = load(&model);
        }
    }

    #[test]
    fn any_bytes_behind_the_magic_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut model = b"SEMB0001".to_vec();
        model.extend(bytes);
        _ = load(&model);
    }
}
