//! The model on this machine that reads what facts leave open: chosen, loaded, asked and named, through the real binary, the
//! real ONNX Runtime and a small network that `training/reader/tiny.py` made.
//!
//! `ORT_DYLIB_PATH` names the library; without it, what needs it is skipped, and that is said.

use std::fs;
use std::path::{Path, PathBuf};

use memora_testkit::{Fixture, MemoraBinary, TreeSnapshot};
use serde_json::Value;

use crate::support::memora;

const TEXT: &str = "Clara has a rabbit ([[Pets]]). Clara keeps a black rabbit ([[Pets]]). Clara has a goat ([[Pets]]).";

fn vault() -> Fixture {
    Fixture::from_notes(&[("Pets.md", "Clara keeps a white rabbit.\n\nAnna has a dog.\n")])
}

fn tiny() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/memora-embed/tests/data/tiny-nli")
}

/// Puts the library where a fetched one lies.
fn with_library(memora: &MemoraBinary) -> bool {
    let Some(library) = std::env::var_os("ORT_DYLIB_PATH").map(PathBuf::from) else {
        #[expect(clippy::print_stderr, reason = "a test that tests nothing has to say so")]
        {
            eprintln!("SKIPPED: ORT_DYLIB_PATH names no library of ONNX Runtime");
        }
        return false;
    };
    let folder = memora.state_dir().join("models");
    fs::create_dir_all(&folder).expect("a folder");
    let name = match std::env::consts::OS {
        "windows" => "onnxruntime.dll",
        "macos" => "libonnxruntime.dylib",
        _ => "libonnxruntime.so",
    };
    fs::copy(library, folder.join(name)).expect("the library is copied");
    true
}

fn verdicts(report: &Value) -> Vec<&str> {
    let sentences = report["sentences"].as_array().expect("sentences");
    sentences.iter().map(|sentence| sentence["verdict"].as_str().expect("a word")).collect()
}

#[test]
fn an_installed_model_reads_what_facts_leave_open_and_is_named() {
    let fixture = vault();
    let before = TreeSnapshot::take(fixture.vault());
    let memora = memora(&fixture).at_local_door();
    let without = memora.run_with_stdin(&["verify", "--json"], TEXT.as_bytes()).json();
    assert_eq!(verdicts(&without), ["paraphrased", "paraphrased", "paraphrased"], "{without}");
    assert_eq!(without["read"], Value::Null);

    if !with_library(&memora) {
        return;
    }
    let tiny = tiny();
    let folder = tiny.to_str().expect("UTF-8");
    let _ = memora.run(&["model", "use", folder]).assert_code(0);
    let with = memora.run_with_stdin(&["verify", "--json"], TEXT.as_bytes()).json();
    assert_eq!(verdicts(&with), ["entailed", "entailed", "paraphrased"], "{with}");
    let first = &with["sentences"][0];
    assert_eq!((&first["basis"], &first["entailed_by"]["model"]), (&"model".into(), &"tiny-nli".into()), "{with}");
    assert!(first["entailed_by"]["probability"].as_f64().is_some_and(|p| p > 0.9), "{with}");
    assert_eq!(with["read"]["read"], 3, "{with}");
    assert_eq!(with["status"], "supported");

    let told = memora.run_with_stdin(&["verify"], TEXT.as_bytes());
    assert!(told.stdout.contains("by tiny-nli, 0."), "{}", told.stdout);
    assert!(told.stdout.contains("read by tiny-nli: 2 of 3 entailed"), "{}", told.stdout);
    let strict = memora.run_with_stdin(&["verify", "--fix", "--strict"], TEXT.as_bytes());
    assert_eq!(strict.stdout.trim(), "Clara has a rabbit ([[Pets]]). Clara keeps a black rabbit ([[Pets]]).");

    // A bound of the user's own, and none.
    memora.write_config(&format!("[verify]\nentailment = {folder:?}\nentailed_from = 1.0\n"));
    let never = memora.run_with_stdin(&["verify", "--json"], TEXT.as_bytes()).json();
    assert_eq!(verdicts(&never), ["paraphrased", "paraphrased", "paraphrased"], "{never}");
    let _ = memora.run(&["model", "use", "none"]).assert_code(0);
    let none = memora.run_with_stdin(&["verify", "--json"], TEXT.as_bytes()).json();
    assert_eq!((&none["read"], verdicts(&none)), (&Value::Null, verdicts(&without)));
    assert_eq!(TreeSnapshot::take(fixture.vault()), before);
}

#[test]
fn a_fact_that_disagrees_is_not_read() {
    let fixture = Fixture::from_notes(&[("Pets.md", "Clara keeps 3 rabbits since 2019.\n")]);
    let memora = memora(&fixture).at_local_door();
    if !with_library(&memora) {
        return;
    }
    let _ = memora.run(&["model", "use", tiny().to_str().expect("UTF-8")]).assert_code(0);
    let text =
        "Clara keeps 4 rabbits since 2019 ([[Pets]]). Ines keeps 3 rabbits since 2019 ([[Pets]]). Nobody cites this.";
    let report = memora.run_with_stdin(&["verify", "--json"], text.as_bytes()).json();
    assert_eq!(verdicts(&report), ["contradicted", "contradicted", "uncited"], "{report}");
    assert_eq!(report["read"], Value::Null, "nothing is open: {report}");
}

#[test]
fn a_model_that_is_not_there_is_said_and_the_rest_goes_on() {
    let fixture = vault();
    let memora = memora(&fixture).at_local_door();
    let list = memora.run(&["model"]);
    assert!(list.stdout.starts_with("no entailment model is installed"), "{}", list.stdout);
    assert!(list.stdout.contains("mdeberta-v3-base-mnli-xnli: 100 languages"), "{}", list.stdout);
    memora.run(&["model", "use", "nli-deberta-v3-xsmall"]).assert_failed("memora model install");
    memora.run(&["model", "use", "best"]).assert_failed("memora model install");
    memora.run(&["model", "install", "best", "--yes"]).assert_failed("there are: nli-deberta-v3-xsmall");
    memora.run(&["model", "install"]).assert_failed("no terminal to confirm on");
    memora.write_config("[verify]\nentailment = \"nli-deberta-v3-xsmall\"\n");
    let told = memora.run_with_stdin(&["verify"], TEXT.as_bytes());
    assert!(told.stderr.contains("nli-deberta-v3-xsmall is configured and cannot be used"), "{}", told.stderr);
    assert!(told.stdout.contains("paraphrased"), "{}", told.stdout);
    let report = memora.run_with_stdin(&["verify", "--json"], TEXT.as_bytes()).json();
    assert_eq!(report["read"]["failure"], "library_missing", "{report}");
    for wrong in
        ["entailment = 3", "entailment = \"\"", "entailed_from = 0.2", "entailed_from = \"high\"", "reader = \"x\""]
    {
        memora.write_config(&format!("[verify]\n{wrong}\n"));
        memora.run(&["verify", "-"]).assert_failed("memora model use");
    }
}
