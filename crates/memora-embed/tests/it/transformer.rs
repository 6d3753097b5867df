//! The transformer as seen from outside: what it finds alike, and what it does with files that are damaged.

use memora_embed::{PassageVectors, Transformer, WeightsError};

const WEIGHTS: &[u8] = include_bytes!("../../assets/memora-minilm-96-int8.mtrf");

#[test]
fn the_weights_in_the_program_are_those_of_the_file() {
    let loaded = Transformer::load(WEIGHTS).expect("the file is sound");
    assert_eq!(loaded.id(), Transformer::embedded().id());
}

#[test]
fn the_passage_that_answers_is_likest() {
    let transformer = Transformer::embedded();
    let passages = transformer.encode_passages(&[
        "Bread: Let the dough rest for eight hours in the fridge.",
        "Bread: The oven is from 1998.",
        "Travel: The train to Stade leaves at nine.",
    ]);
    let asked = transformer.encode_query("how long does the dough have to wait before baking?");
    let likeness: Vec<f32> = passages.iter().map(|passage| asked.pieces.max_similarity(passage)).collect();
    assert!(likeness[0] > likeness[1].max(likeness[2]) + 0.2, "{likeness:?}");
    assert!(likeness.iter().all(|likeness| (-1.0..=1.0).contains(likeness)), "{likeness:?}");
}

#[test]
fn a_passage_is_read_alike_alone_and_among_others() {
    let transformer = Transformer::embedded();
    let alone = transformer.encode_passages(&["Anna moved to Tidewell in May."]);
    let long = "a sentence that is there to fill the batch ".repeat(40);
    let among = transformer.encode_passages(&[long.as_str(), "Anna moved to Tidewell in May.", "", &long]);
    let asked = transformer.encode_query("Where does Anna work?");
    let (one, other) = (asked.pieces.max_similarity(&alone[0]), asked.pieces.max_similarity(&among[1]));
    assert!((one - other).abs() < 1e-3, "{one} {other}");
}

#[test]
fn what_is_kept_is_what_was_made() {
    let transformer = Transformer::embedded();
    let made = transformer.encode_passages(&["Rye, 500 g"]);
    let bytes = made[0].to_bytes();
    assert_eq!(bytes.len() % transformer.width(), 0);
    assert_eq!(PassageVectors::from_bytes(&bytes), made[0]);
    // Bytes of somebody else's are no reason to fail.
    let odd = PassageVectors::from_bytes(bytes.get(..5).unwrap_or_default());
    assert!(transformer.encode_query("rye").pieces.max_similarity(&odd).abs() < f32::EPSILON);
}

#[test]
fn any_text_is_read() {
    let transformer = Transformer::embedded();
    for text in ["", " ", "ⵣⵣⵣ", "\u{0}\u{ffff}", "東京の会議", &"x".repeat(100_000)] {
        let likeness = transformer.encode_query(text).pieces.max_similarity(&transformer.encode_passages(&[text])[0]);
        assert!(likeness.is_finite(), "{}", text.len());
    }
}

#[test]
fn a_damaged_file_is_an_error() {
    let error = |bytes: Vec<u8>| Transformer::load(bytes).err().expect("it is damaged");
    assert_eq!(error(Vec::new()), WeightsError::Magic);
    assert_eq!(error(b"MTRF0002".to_vec()), WeightsError::Magic);
    for end in [8, 11, 36, 1000, WEIGHTS.len() / 2, WEIGHTS.len() - 1] {
        assert!(matches!(error(WEIGHTS[..end].to_vec()), WeightsError::Truncated { .. }), "{end}");
    }
    assert_eq!(error([WEIGHTS, &[0]].concat()), WeightsError::Trailing { at: WEIGHTS.len() });
    let mut shape = WEIGHTS.to_vec();
    shape[12..16].fill(0xff);
    assert_eq!(error(shape), WeightsError::Shape);
    let mut scale = WEIGHTS.to_vec();
    scale[36..40].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(matches!(error(scale), WeightsError::NotFinite { .. }));
}
