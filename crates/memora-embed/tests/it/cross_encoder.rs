//! The cross-encoder for real: a small network that `training/reader/tiny.py` made, through ONNX Runtime.
//!
//! `ORT_DYLIB_PATH` names the library. Without the variable nothing is tested here but what goes wrong before it is loaded,
//! and that is said.

use std::fs;
use std::path::{Path, PathBuf};

use memora_embed::{CrossEncoder, RuntimePaths, RuntimeUnavailable};
use serde_json::Value;

fn tiny() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tiny-nli")
}

fn places(model: &Path) -> Option<RuntimePaths> {
    let library = std::env::var_os("ORT_DYLIB_PATH").map(PathBuf::from);
    if library.is_none() {
        #[expect(clippy::print_stderr, reason = "a test that tests nothing has to say so")]
        {
            eprintln!("SKIPPED: ORT_DYLIB_PATH names no library of ONNX Runtime");
        }
    }
    library.map(|library| RuntimePaths {
        library: Some(library),
        model: Some(model.to_owned()),
        ..RuntimePaths::default()
    })
}

/// The network's files in a folder of their own, one of them changed.
fn changed(name: &str, change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for file in CrossEncoder::FILES {
        fs::copy(tiny().join(file), folder.path().join(file)).expect("it is copied");
    }
    let path = folder.path().join(name);
    let bytes = change(fs::read(&path).expect("it is there"));
    fs::write(path, bytes).expect("it is written");
    folder
}

#[test]
fn it_reads_as_onnx_runtime_does_in_python() {
    let Some(places) = places(&tiny()) else { return };
    let encoder = CrossEncoder::load(&places).expect("it loads");
    assert_eq!(encoder.name(), "tiny-nli");
    let cases = fs::read_to_string(tiny().join("cases.jsonl")).expect("cases");
    let cases: Vec<Value> = cases.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let text = |case: &'static str, of: &Value| of.get(case).and_then(Value::as_str).unwrap_or_default().to_owned();
    let pairs: Vec<(String, String)> = cases.iter().map(|c| (text("premise", c), text("hypothesis", c))).collect();
    // More than one batch, of all lengths.
    let many: Vec<(&str, &str)> = pairs.iter().chain(&pairs).map(|(p, h)| (p.as_str(), h.as_str())).collect();
    let found = encoder.classify_pairs(&many).expect("it reads");
    assert_eq!(found.len(), many.len());
    for (case, found) in cases.iter().chain(&cases).zip(found) {
        let found = found.expect("it is short enough");
        for (label, found) in ["entailment", "neutral", "contradiction"].into_iter().zip(found) {
            let expect = case.get(label).and_then(Value::as_f64).expect("a number");
            assert!((f64::from(found) - expect).abs() < 2e-3, "{label} {found} for {case}");
        }
    }
    assert!(encoder.classify_pairs(&[]).expect("nothing to read").is_empty());
}

#[test]
fn what_is_longer_than_it_reads_is_not_cut_off() {
    let Some(places) = places(&tiny()) else { return };
    let encoder = CrossEncoder::load(&places).expect("it loads");
    let long = "Anna has a dog. ".repeat(40);
    let found = encoder
        .classify_pairs(&[(&long, "Anna has a dog."), ("Anna has a dog.", "Anna has a dog.")])
        .expect("it reads");
    assert_eq!(found.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn files_that_are_no_network_are_an_error() {
    let swapped = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).expect("UTF-8");
        text.replace("\"0\": \"neutral\"", "\"0\": \"x\"")
            .replace("\"2\": \"entailment\"", "\"2\": \"neutral\"")
            .into_bytes()
    };
    let other = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).expect("UTF-8");
        let text = text
            .replace("\"2\": \"entailment\"", "\"2\": \"y\"")
            .replace("\"0\": \"neutral\"", "\"0\": \"entailment\"");
        text.replace("\"2\": \"y\"", "\"2\": \"neutral\"").into_bytes()
    };
    for folder in [
        changed("model.onnx", |_| b"no network".to_vec()),
        changed("model.onnx", |bytes| bytes.get(..bytes.len() / 2).unwrap_or_default().to_vec()),
        changed("tokenizer.json", |_| b"{}".to_vec()),
        changed("config.json", |_| b"[".to_vec()),
        changed("config.json", swapped),
        // Labels in another order: it does not find that a sentence says itself.
        changed("config.json", other),
    ] {
        let Some(places) = places(folder.path()) else { return };
        let absent = CrossEncoder::load(&places).err().expect("it is none");
        assert!(matches!(absent, RuntimeUnavailable::ModelUnusable { .. }), "{absent}");
    }
}

#[test]
fn a_folder_without_a_file_is_named() {
    let folder = changed("config.json", |bytes| bytes);
    fs::remove_file(folder.path().join("tokenizer.json")).expect("it was there");
    let library = tiny().join("config.json");
    let places =
        RuntimePaths { library: Some(library), model: Some(folder.path().to_owned()), ..RuntimePaths::default() };
    let absent = CrossEncoder::load(&places).err().expect("a file is missing");
    assert!(
        matches!(&absent, RuntimeUnavailable::ModelFile { path, .. } if path.ends_with("tokenizer.json")),
        "{absent}"
    );
}
