//! The language model for real.
//!
//! `MEMORA_TEST_ONNX` names a data folder, with ONNX Runtime's library and the folder `all-MiniLM-L6-v2` in it. Without
//! the variable nothing is tested here, and that is said.

use std::fs;
use std::path::PathBuf;

use memora_embed::{Embedder, FastEmbedder, RuntimePaths, RuntimeUnavailable, StaticEmbedder};

fn data() -> Option<PathBuf> {
    let data = std::env::var_os("MEMORA_TEST_ONNX").map(PathBuf::from);
    if data.is_none() {
        #[expect(clippy::print_stderr, reason = "a test that tests nothing has to say so")]
        {
            eprintln!("SKIPPED: MEMORA_TEST_ONNX names no folder with ONNX Runtime and all-MiniLM-L6-v2");
        }
    }
    data
}

fn embedder() -> Option<FastEmbedder> {
    let places = RuntimePaths { data: Some(data()?), ..RuntimePaths::default() };
    Some(FastEmbedder::probe(&places).expect("MEMORA_TEST_ONNX has all that is needed"))
}

#[test]
fn it_embeds_as_sentence_transformers_does() {
    let Some(embedder) = embedder() else { return };
    assert_eq!(embedder.dimensions(), 384);
    assert!(embedder.id().as_str().starts_with("all-MiniLM-L6-v2/1:"));
    assert_ne!(embedder.id(), StaticEmbedder::embedded().id());
    assert_eq!(Some(embedder.library().to_owned()), data().map(|data| RuntimePaths::library_in(&data)));
    assert_eq!(Some(embedder.folder().to_owned()), data().map(|data| RuntimePaths::model_in(&data)));
    let vector = embedder.embed_one("Anna moved the cache to Redis.").expect("it can be embedded");
    for (value, expect) in vector.values().iter().zip([-0.025_828, -0.022_822, -0.012_919, 0.016_375]) {
        assert!((value - expect).abs() < 1e-4, "{value} for {expect}");
    }
}

#[test]
fn a_batch_is_its_texts_one_by_one() {
    let Some(embedder) = embedder() else { return };
    // Of all lengths and in no order, more than go through the model at once.
    let texts: Vec<String> =
        (0..70).map(|number| format!("note {number} {}", "grows ".repeat(number * 7 % 40))).collect();
    let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    texts.insert(30, "");
    let batch = embedder.embed(&texts).expect("they can be embedded");
    assert_eq!(batch.len(), texts.len());
    for (text, vector) in texts.iter().zip(&batch) {
        let one = embedder.embed_one(text).expect("it can be embedded");
        assert_eq!(one.is_zero(), text.is_empty());
        assert!(text.is_empty() || one.cosine(vector) > 0.9999, "{text}");
    }
    assert!(embedder.embed(&[]).expect("nothing can be embedded").is_empty());
}

#[test]
fn texts_that_mean_alike_are_nearer_than_others() {
    let Some(embedder) = embedder() else { return };
    let texts = ["the wire format is MessagePack", "we picked a serialization protocol", "Anna bakes bread on Sunday"];
    let vectors = embedder.embed(&texts).expect("they can be embedded");
    assert!(vectors[0].cosine(&vectors[1]) > vectors[0].cosine(&vectors[2]) + 0.1);
}

#[test]
fn a_text_of_unknown_words_has_a_zero_vector() {
    let Some(embedder) = embedder() else { return };
    for text in ["", " \n", "\u{200b}", "\u{1f468}\u{200d}\u{1f469}", "ⵣⵣⵣ ภาษาไทย"] {
        assert!(embedder.embed_one(text).expect("it can be embedded").is_zero(), "{text:?}");
    }
    assert!(!embedder.embed_one("ⵣⵣⵣ and words").expect("it can be embedded").is_zero());
}

#[test]
fn a_long_text_is_cut_off() {
    let Some(embedder) = embedder() else { return };
    let long = "all notes say the same ".repeat(60);
    let vectors = embedder.embed(&[&long, &format!("{long} but this one")]).expect("they can be embedded");
    assert!(vectors[0].cosine(&vectors[1]) > 0.9999);
}

#[test]
fn threads_share_it_and_two_live_beside_each_other() {
    let Some(embedder) = embedder() else { return };
    let Some(other) = self::embedder() else { return };
    assert_eq!(embedder.id(), other.id());
    std::thread::scope(|scope| {
        for embedder in [&embedder, &embedder, &other] {
            scope.spawn(|| assert!(!embedder.embed_one("Anna").expect("it can be embedded").is_zero()));
        }
    });
}

#[test]
fn a_damaged_model_is_an_error_and_no_panic() {
    let Some(data) = data() else { return };
    let library = RuntimePaths::library_in(&data);
    for name in RuntimePaths::MODEL_FILES {
        for damage in ["", "{}", "[1, 2]", r#"{"model_max_length": 0, "pad_token": "[PAD]"}"#, "\0\u{1}\u{2}"] {
            let copy = tempfile::tempdir().expect("a folder can be made");
            for file in RuntimePaths::MODEL_FILES {
                // A link, because the model is large.
                let whole = RuntimePaths::model_in(&data).join(file);
                fs::hard_link(&whole, copy.path().join(file))
                    .or_else(|_| fs::copy(&whole, copy.path().join(file)).map(drop))
                    .expect("a copy");
            }
            let damaged = copy.path().join(name);
            fs::remove_file(&damaged).expect("it was copied");
            fs::write(&damaged, damage).expect("it can be written");
            let places = RuntimePaths {
                library: Some(library.clone()),
                model: Some(copy.path().to_owned()),
                ..RuntimePaths::default()
            };
            match FastEmbedder::probe(&places) {
                Err(absent) => assert!(matches!(absent, RuntimeUnavailable::ModelUnusable { .. }), "{absent}"),
                // Some of what the small files say is not needed.
                Ok(embedder) => {
                    assert!(!matches!(name, "model.onnx" | "tokenizer.json"), "{name}: {damage}");
                    _ = embedder.embed_one("Anna moved the cache to Redis.");
                }
            }
        }
    }
}
