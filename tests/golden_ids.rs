//! A statement keeps its id for good.
//!
//! An id names the user's words, never our reading of them, so a better extractor changes no id, and a citation written
//! down today is found in ten years. `tests/fixtures/vault-example-ids.txt` holds every statement of the example vault: id,
//! place, and how it begins. Lines may be added there, when the vault grows; no line may change or go.
//! `UPDATE_IDS=1 cargo test golden_ids` adds the new ones.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::support::{example, exported, memora, workspace};

const FILE: &str = "tests/fixtures/vault-example-ids.txt";
const WORDS_MAX: usize = 60;

/// Every statement of the example vault by id: where it stands and how it begins.
fn statements() -> BTreeMap<String, String> {
    let fixture = example();
    let mut found = BTreeMap::new();
    for claim in exported(&memora(&fixture)) {
        let text = |value: &serde_json::Value| value.as_str().expect("a string").to_owned();
        let id = text(&claim["claim"]).split('.').next().expect("something before the point").to_owned();
        let source = &claim["sources"][0];
        let quote = text(&source["quote"]);
        let words: String = quote.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(WORDS_MAX).collect();
        let place = format!("{}:{}", text(&source["path"]), source["line"]);
        found.insert(id, format!("{place}  {words}"));
    }
    found
}

#[test]
fn no_statement_of_the_example_vault_changes_its_id() {
    let statements = statements();
    let golden = std::fs::read_to_string(workspace().join(FILE)).unwrap_or_default();
    let known: BTreeMap<&str, &str> = golden.lines().filter_map(|line| line.split_once("  ")).collect();
    let mut gone = String::new();
    for (id, rest) in known.iter().filter(|(id, _)| !statements.contains_key(**id)) {
        let _ = write!(gone, "\n- {id}  {rest}");
        let now = statements.iter().filter(|(id, now)| **now == **rest && !known.contains_key(id.as_str()));
        for (id, rest) in now {
            let _ = write!(gone, "\n+ {id}  {rest}");
        }
    }
    assert!(gone.is_empty(), "ids in {FILE} that no statement has any more:{gone}");
    if std::env::var_os("UPDATE_IDS").is_some() {
        let mut all: BTreeMap<&str, &str> = statements.iter().map(|(id, rest)| (id.as_str(), rest.as_str())).collect();
        all.extend(known);
        let text: String = all.iter().map(|(id, rest)| format!("{id}  {rest}\n")).collect();
        std::fs::write(workspace().join(FILE), text).expect("the file can be written");
    } else {
        assert!(!known.is_empty(), "{FILE} is empty\nhint: UPDATE_IDS=1 cargo test golden_ids");
    }
}
