//! Choosing and installing an embedder, as far as it goes without the real files: from a server on this machine that has
//! the first two of them and others under the names of the rest.

use std::fs;
use std::path::Path;

use memora_testkit::{Fixture, MemoraBinary, MockReply, MockServer, TreeSnapshot};

use crate::support::{example, memora};

const SPECIAL: &str = r#"{"unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]", "mask_token": "[MASK]"}"#;
const TOKENIZER: &str = r#"{"do_lower_case": true, "unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]", "mask_token": "[MASK]", "tokenize_chinese_chars": true, "strip_accents": null, "name_or_path": "nreimers/MiniLM-L6-H384-uncased", "do_basic_tokenize": true, "never_split": null, "tokenizer_class": "BertTokenizer", "model_max_length": 512}"#;

fn models(memora: &MemoraBinary) -> Vec<String> {
    let folder = memora.state_dir().join("models").join("all-MiniLM-L6-v2");
    let mut names: Vec<String> = fs::read_dir(folder)
        .map(|entries| entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    names.sort();
    names
}

#[test]
fn what_is_the_file_is_kept_what_is_not_is_refused_and_no_vault_is_touched() {
    let fixture = example();
    let memora = memora(&fixture);
    let before = TreeSnapshot::take(fixture.vault());
    let server = MockServer::start(|path, _| match path {
        "/m/special_tokens_map.json" => MockReply::Body(SPECIAL.into()),
        "/m/tokenizer_config.json" => MockReply::Body(TOKENIZER.into()),
        _ => MockReply::Body(b"something else".to_vec()),
    });
    let from = format!("{}/m", server.address());
    let install = ["embedder", "install", "--yes", "--from", &from];
    memora.run(&install).assert_failed("config.json is not the file that was expected");
    assert_eq!(models(&memora), ["special_tokens_map.json", "tokenizer_config.json"]);
    memora.run(&install).assert_failed("config.json");
    let asked = server.requested_paths();
    assert_eq!(asked.iter().filter(|path| path.contains("tokenizer_config")).count(), 1, "{asked:?}");
    assert_eq!(TreeSnapshot::take(fixture.vault()), before);
}

#[test]
fn nothing_is_fetched_from_where_it_could_be_changed_unseen_and_nothing_unasked() {
    let memora = memora(&Fixture::from_notes(&[]));
    memora.run(&["embedder", "install", "--yes", "--from", "http://example.org/m"]).assert_failed("not encrypted");
    memora.run(&["embedder", "install", "--yes", "--from", "no such folder"]).assert_failed("no folder");
    memora.run(&["embedder", "install"]).assert_failed("no terminal to confirm on");
    memora.run(&["embedder", "install", "--yes", "best"]).assert_failed("there is no embedder best");
    memora.run(&["embedder", "install", "--yes", "embedded"]).assert_failed("part of the program");
    assert_eq!(models(&memora), Vec::<String>::new());
}

#[test]
fn models_are_not_put_into_a_vault() {
    let fixture = example();
    let memora = memora(&fixture);
    let state = fixture.vault().join("state");
    let state = state.to_str().expect("UTF-8");
    memora.run(&["embedder", "install", "--yes", "--state-dir", state]).assert_failed("lies inside a vault");
    assert!(!Path::new(state).exists());
}

#[test]
fn a_choice_is_written_down_when_it_can_be_kept() {
    let fixture = example();
    let memora = memora(&fixture).at_local_door();
    memora.write_config("# mine\n[search]\nfusion = \"ranks\" # as I like it\n");
    memora.run(&["embedder", "use", "all-MiniLM-L6-v2"]).assert_failed("embedder install");
    memora.run(&["embedder", "use", "best"]).assert_failed("there are: embedded, all-MiniLM-L6-v2");
    let config = || fs::read_to_string(memora.config_dir().join("config.toml")).expect("it is there");
    assert_eq!(config(), "# mine\n[search]\nfusion = \"ranks\" # as I like it\n");
    let _ = memora.run(&["embedder", "use", "embedded"]).assert_code(0);
    assert_eq!(config(), "# mine\n[search]\nfusion = \"ranks\" # as I like it\nembedder = \"embedded\"\n");

    memora.write_config("[search\n");
    memora.run(&["embedder", "use", "embedded"]).assert_failed("not valid TOML");
    assert_eq!(config(), "[search\n");
}

#[test]
fn an_embedder_that_is_not_there_is_said_and_the_other_stands_in() {
    let fixture = example();
    let memora = memora(&fixture).at_local_door();
    memora.write_config("[search]\nembedder = \"all-MiniLM-L6-v2\"\n");
    let found = memora.run(&["search", "Where does Anna work?"]).assert_code(0);
    assert_eq!(found.stderr.matches("all-MiniLM-L6-v2 is configured and cannot be used").count(), 1, "{found}");
    assert!(found.stderr.contains("hint: memora embedder install"), "{found}");
    let report = memora.run(&["embedder", "--json"]).assert_code(0).json();
    assert_eq!(report["configured"], "all-MiniLM-L6-v2");
    assert_eq!(report["live"], "embedded");
    assert_eq!(report["why_not"], "library_missing");
    let report = memora.run(&["status", "--json"]).assert_code(0).json();
    assert_eq!(report["embedder"]["live"], "embedded");
    assert!(report["embedder"]["vectors"][0]["made"].as_u64().is_some_and(|made| made > 100), "{report}");

    let cloud = memora.at_door(memora_testkit::DoorSetting::Cloud).run(&["embedder", "--json"]).assert_code(0);
    let home = memora.home_dir().to_str().expect("UTF-8");
    assert!(!cloud.stdout.contains(home) && !cloud.stderr.contains(home), "{cloud}");
}
