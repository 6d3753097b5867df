//! A damaged model is an error or reads somehow; it never panics.
//!
//! The model here is small, so that it can be damaged in every place.

use proptest::prelude::*;

use crate::parse::dependency_parser::DependencyParser;
use crate::parse::hash;
use crate::parse::weights::arrange_keys;

fn put_names(bytes: &mut Vec<u8>, names: &[&str]) {
    bytes.extend((names.len() as u16).to_le_bytes());
    for name in names {
        bytes.push(name.len() as u8);
        bytes.extend(name.as_bytes());
    }
}

fn put_table(bytes: &mut Vec<u8>, word: &str, value: &[u8]) {
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(hash::text_key(word.as_bytes()).to_le_bytes());
    bytes.extend(value);
}

/// What each template makes of nothing has 1, 2, ... and again 1 weights.
fn put_weights(bytes: &mut Vec<u8>, templates: std::ops::Range<u32>, actions: u8) {
    let mut keys: Vec<u32> = templates.map(|template| hash::feature_key(template, 0, 0, 0)).collect();
    keys.sort_unstable();
    let pilots = arrange_keys(&mut keys);
    let counts: Vec<u8> = (1..=actions).cycle().take(keys.len()).collect();
    bytes.extend(0.25_f32.to_le_bytes());
    bytes.extend((keys.len() as u32).to_le_bytes());
    bytes.extend(counts.iter().map(|count| u32::from(*count)).sum::<u32>().to_le_bytes());
    bytes.extend(pilots);
    keys.iter().for_each(|key| bytes.extend(key.to_le_bytes()));
    bytes.extend(&counts);
    counts.iter().for_each(|count| bytes.extend(0..*count));
    counts.iter().for_each(|count| bytes.extend((0..*count).map(|action| action.wrapping_mul(91) ^ count)));
}

fn small_model() -> Vec<u8> {
    let mut bytes = b"NOTEPRS2".to_vec();
    put_names(&mut bytes, &["NOUN|NN", "VERB|VBD", "PUNCT|."]);
    let labels = ["nsubj", "case", "strange", "obj", "punct", "root", "det", "amod", "conj", "cc"];
    put_names(&mut bytes, &labels);
    put_table(&mut bytes, "left", &[1]);
    put_table(&mut bytes, "anna", &[3, 7]);
    put_table(&mut bytes, "walk", &[3]);
    put_weights(&mut bytes, 0..20, 3);
    put_weights(&mut bytes, 101..160, 21);
    put_weights(&mut bytes, 101..160, 21);
    bytes
}

fn read_with(bytes: &[u8]) -> bool {
    let reader = DependencyParser::load(bytes);
    if let Ok(reader) = &reader {
        let tree = reader.parse(&["Anna", "walked", "", "left", "."]);
        assert_eq!((0..5).filter(|i| tree.head(*i).is_none()).count(), 1);
    }
    reader.is_ok()
}

#[test]
fn a_small_model_reads_and_no_part_of_it_does() {
    let model = small_model();
    assert!(read_with(&model));
    for end in 0..model.len() {
        assert!(!read_with(model.get(..end).unwrap_or_default()), "cut at {end}");
    }
}

#[test]
fn a_false_byte_in_any_place_is_survived() {
    let model = small_model();
    for at in 0..model.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut damaged = model.clone();
            damaged[at] = value;
            read_with(&damaged);
        }
    }
}

proptest! {
    #[test]
    fn several_damages_at_once_are_survived(damages in proptest::collection::vec((any::<u16>(), any::<u8>()), 1..20)) {
        let mut model = small_model();
        let length = model.len();
        for (at, value) in damages {
            model[usize::from(at) % length] = value;
        }
        read_with(&model);
    }
}
