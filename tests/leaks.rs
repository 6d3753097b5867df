//! No guarded word of the example vault passes a cloud door, and everything that is not a terminal is one.
//!
//! `tests/fixtures/vault-example-guarded.json` lists words that stand in guarded places only: a property of a secret note,
//! a footnote in a marker, the file name of a note in a secret folder. Others kept secrets out of the index and let them
//! out in a diagnostic field, a summary, a file list.

use std::collections::BTreeSet;

use memora_testkit::{CommandOutput, DoorSetting, MemoraBinary};
use serde_json::Value;

use crate::support::{EVERY_COMMAND, Line, example, exported, id_of, indexed_example, lines, memora, read};
use crate::two_vaults::FIRST;

/// The guarded words, in lower case.
pub(crate) fn guarded() -> Vec<String> {
    let list: Vec<Value> = serde_json::from_str(&read("tests/fixtures/vault-example-guarded.json")).expect("JSON");
    let words: Vec<String> = list.iter().map(|entry| entry["text"].as_str().expect("words").to_lowercase()).collect();
    assert!(words.len() > 30);
    words
}

/// Which of the words an output holds, in whatever case, also when it is encoded for a link.
fn found<'w>(words: &'w [String], output: &CommandOutput) -> Vec<&'w str> {
    let said = format!("{}\n{}", output.stdout, output.stderr).to_lowercase();
    let holds = |word: &&String| said.contains(*word) || said.contains(&word.replace(' ', "%20"));
    words.iter().filter(holds).map(String::as_str).collect()
}

/// Asserts that no command says any of the words that it was not given.
#[track_caller]
fn assert_silent(words: &[String], line: &str, output: &CommandOutput) {
    let typed = line.to_lowercase();
    let leaked: Vec<&str> = found(words, output).into_iter().filter(|word| !typed.contains(word)).collect();
    assert!(leaked.is_empty(), "leaked {leaked:?}: {output}");
}

#[test]
fn no_command_says_a_guarded_word_through_a_pipe() {
    let ((_fixture, memora), words) = (indexed_example(), guarded());
    let id = id_of(&memora, "Since May 2025 Anna works at Tidewell");
    for line in lines(EVERY_COMMAND) {
        let output = Line::parse(&line.replace("{ID}", &id)).run(&memora);
        assert_silent(&words, line, &output);
    }
}

/// The 442 lines of the exam of the two vaults ask for guarded things by every name they have.
#[test]
fn no_question_of_the_exam_is_answered_with_a_guarded_word() {
    let words = guarded();
    for step in FIRST.iter() {
        assert_silent(&words, &step.line, &step.said);
    }
}

/// Wholly guarded notes: neither their path nor the id of anything in them leaves, nor the id of a guarded line elsewhere,
/// which is a hash of its words.
#[test]
fn no_path_of_a_guarded_note_and_no_id_of_a_guarded_claim_leaves() {
    let (_fixture, memora) = indexed_example();
    let claims = exported(&memora);
    let (mut shown, mut guarded) = (BTreeSet::new(), BTreeSet::new());
    for claim in &claims {
        let id = claim["claim"].as_str().and_then(|id| id.split('.').next()).expect("an id");
        for source in claim["sources"].as_array().expect("a list of places") {
            let path = source["path"].as_str().expect("a path");
            let set = if source["band"] == "public" { &mut shown } else { &mut guarded };
            set.extend([path.to_owned(), id.to_owned()]);
        }
    }
    let words: Vec<String> = guarded.difference(&shown).map(|word| word.to_lowercase()).collect();
    assert!(words.iter().any(|word| word == "journal/2024-07-21.md") && words.len() > 50, "{words:?}");
    for step in FIRST.iter() {
        assert_silent(&words, &step.line, &step.said);
    }
}

/// A flag beats the environment, and neither is needed for a pipe to be a cloud door.
#[test]
fn a_pipe_is_a_cloud_door_unless_it_is_said_to_be_local() {
    let (_fixture, memora) = indexed_example();
    let salary = |memora: &MemoraBinary, flags: &[&str]| {
        let args = [&["ask", "What does Anna earn a month?"][..], flags].concat();
        memora.run(&args).stdout.contains("6,840 euros")
    };
    assert!(!salary(&memora, &[]));
    assert!(!salary(&memora.at_door(DoorSetting::Cloud), &[]));
    assert!(!salary(&memora, &["--door", "cloud"]));
    assert!(!salary(&memora.at_local_door(), &["--door", "cloud"]));
    assert!(salary(&memora.at_local_door(), &[]));
    assert!(salary(&memora, &["--door", "local"]));
    assert!(salary(&memora.at_door(DoorSetting::Cloud), &["--door", "local"]));
}

/// What is withheld is said, once and without a number, and never on standard output.
#[test]
fn a_cloud_door_is_told_that_text_is_withheld() {
    let (_fixture, memora) = indexed_example();
    for command in [&["index"][..], &["search", "Anna"], &["ask", "Where does Anna work?"], &["claims"], &["export"]] {
        let cloud = memora.run(command);
        assert_eq!(cloud.stderr.matches("withheld").count(), 1, "{cloud}");
        assert!(cloud.stderr.contains("hint: --door local"), "{cloud}");
        let local = memora.at_local_door().run(command);
        assert!(!local.stderr.contains("withheld"), "{local}");
    }
}

/// The vault may tighten, never loosen: `cloud.sees` is the user's own to say.
#[test]
fn a_vault_cannot_open_the_door() {
    let (fixture, words) = (example(), guarded());
    let own = fixture.read(".memora/config.toml");
    fixture.write(".memora/config.toml", format!("{own}\n[cloud]\nsees = \"private\"\n"));
    let output = memora(&fixture).run(&["export"]);
    assert_silent(&words, "export", &output);
}

/// The control: at the local door every guarded word that belongs to a claim, a path or a subject is there to be leaked.
#[test]
fn the_local_door_does_show_guarded_words() {
    let (fixture, words) = (example(), guarded());
    let memora = memora(&fixture).at_local_door();
    let mut seen = BTreeSet::new();
    for command in [&["export", "--statements"][..], &["index", "--json"], &["claims", "--limit", "1000", "--json"]] {
        seen.extend(found(&words, &memora.run(command)));
    }
    // What is never read is not shown either: a code fence, a link's target, an embed, tags, comments.
    let unread: BTreeSet<&str> = words.iter().map(String::as_str).filter(|word| !seen.contains(word)).collect();
    assert!(seen.len() >= 30, "only {} of {} are shown locally; not shown: {unread:?}", seen.len(), words.len());
}
