//! What embedding with the model in the program holds to, whatever it is given.

use memora_embed::{Embedder, StaticEmbedder, StaticModelError, Vector};
use proptest::prelude::*;

const MODEL: &[u8] = include_bytes!("../../assets/memora-static-256-int4.semb");

fn embedded() -> &'static StaticEmbedder {
    StaticEmbedder::embedded()
}

fn cosine(left: &str, right: &str) -> f32 {
    embedded().vector(left).cosine(&embedded().vector(right))
}

#[test]
fn the_model_is_the_one_that_its_readme_names() {
    let loaded = StaticEmbedder::load(MODEL).expect("it is whole");
    assert_eq!(loaded.id(), embedded().id(), "the hash in the code is that of the model");
    assert_eq!(embedded().id().as_str(), format!("memora-static-256-int4/1:{}", blake3::hash(MODEL)));
    assert_eq!(embedded().dimensions(), 256);
    let readme = include_str!("../../assets/README.md");
    assert!(readme.contains(blake3::hash(MODEL).to_hex().as_str()));
}

#[test]
fn it_loads_from_the_heap_as_from_the_program() {
    let owned = StaticEmbedder::load(MODEL.to_vec()).expect("it is whole");
    let text = "Crème brûlée, 北京 and 42 re-indexed notes";
    assert_eq!(owned.vector(text), embedded().vector(text));
    let cut = MODEL.get(..MODEL.len() - 1).expect("more than one byte");
    assert_eq!(StaticEmbedder::load(cut).err(), Some(StaticModelError::Truncated { at: 353_620 }));
}

#[test]
fn texts_that_mean_alike_are_nearer_than_others() {
    for (text, near, far) in [
        ("the wire format is MessagePack", "we picked a serialization protocol", "Anna bakes bread on Sunday"),
        ("the doctor prescribed antibiotics", "she got medicine for the infection", "the server was restarted"),
        ("quarterly revenue grew", "sales increased this year", "the cat sleeps on the sofa"),
        ("flight to Berlin", "airplane trip to Germany", "unit tests of the parser"),
    ] {
        assert!(
            cosine(text, near) > cosine(text, far) + 0.05,
            "{text}: {} and {}",
            cosine(text, near),
            cosine(text, far)
        );
    }
}

/// Taken once from a reading of the file with numpy; a change means new vectors, and so another `RULES`.
#[test]
fn a_text_has_the_vector_that_it_always_had() {
    let vector = embedded().vector("Anna moved the cache to Redis in März 2024.");
    let expect: [f32; 8] =
        [-0.252_883_4, 0.286_908_5, 0.109_073_9, -0.003_742_5, -0.001_325_5, 0.189_258_8, 0.095_079_1, -0.022_113_3];
    for (value, expect) in vector.values().iter().zip(expect) {
        assert!((value - expect).abs() < 1e-6, "{:?}", vector.values().get(..8));
    }
}

#[test]
fn order_does_not_count_and_case_neither() {
    assert!(cosine("Anna told Ben", "ben told ANNA") > 0.9999);
}

#[test]
fn a_text_of_unknown_words_has_a_zero_vector_that_is_like_nothing() {
    for text in ["", "  ", "\u{200b}", "👨\u{200d}👩\u{200d}👧", "ⵣⵣⵣ", "ภาษาไทย"] {
        let vector = embedded().vector(text);
        assert!(vector.is_zero());
        assert_eq!(vector, Vector::zero(256));
        assert_eq!(vector.cosine(&embedded().vector("anything")), 0.0);
    }
}

#[test]
fn a_batch_is_its_texts_one_by_one() {
    let embedder: &dyn Embedder = embedded();
    let texts = ["Anna moved the cache.", "", "Ben", "Anna moved the cache."];
    let batch = embedder.embed(&texts).expect("it cannot fail");
    assert_eq!(batch.len(), texts.len());
    for (text, vector) in texts.iter().zip(batch) {
        assert_eq!(embedder.embed_one(text).expect("it cannot fail"), vector);
    }
    assert!(embedder.embed(&[]).expect("it cannot fail").is_empty());
}

#[test]
fn threads_embed_alike() {
    let first = embedded().vector("Anna moved the cache.");
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert_eq!(embedded().vector("Anna moved the cache."), first));
        }
    });
}

#[test]
fn a_very_long_text_is_embedded() {
    let text = "the note says nothing new, naïve as ever; 北京 ".repeat(20_000);
    assert!(!embedded().vector(&text).is_zero());
    assert!(embedded().vector(&"\u{301}".repeat(200_000)).is_zero());
}

proptest! {
    #[test]
    fn any_text_has_a_vector(text in r"(\PC|\pC|[a-z]{1,8}|[ .,#'-]){0,60}") {
        let vector = embedded().vector(&text);
        prop_assert_eq!(vector.values().len(), 256);
        let length: f32 = vector.values().iter().map(|value| value * value).sum();
        let wanted = if vector.is_zero() { 0.0 } else { 1.0 };
        prop_assert!((length - wanted).abs() < 1e-5);
        prop_assert!(vector.is_zero() || !embedded().pieces(&text).is_empty());
    }
}
