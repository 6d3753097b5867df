//! Numbers that were edited in place: who is told of them, and that nothing else hangs on them.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use memora_engine::{
    ClaimId, CloudDoor, Config, DecisionKind, DecisionRequest, Door, ExportOptions, LocalDoor, Memora, SyncBound,
};

/// Every claim, and every statement that claims nothing.
const ALL: ExportOptions = ExportOptions { canonical: true, statements: true };

const TEN: &str = "A shared vault has up to 10 collaborators.";
const TWENTY: &str = "A shared vault has up to 20 collaborators.";

fn open(dir: &Path, state: &str) -> Memora {
    let (state, config) = (dir.join(state), dir.join("config"));
    let config = Config::load(Some(state), Some(config), jiff::civil::date(2025, 12, 31)).expect("a configuration");
    Memora::open(Some(&dir.join("vault")), config).expect("a vault")
}

fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join("vault").join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a note");
}

fn sync(memora: &mut Memora) {
    memora.sync(SyncBound::All, &AtomicBool::new(false), &mut |_| {}).expect("an index");
}

/// A vault whose notes were indexed with the first words and then with the others.
fn edited(notes: &[(&str, &str, &str)]) -> (tempfile::TempDir, Memora) {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(dir.path().join("vault/.obsidian")).expect("a vault");
    let mut memora = open(dir.path(), "state");
    for (path, old, _) in notes {
        write(dir.path(), path, old);
    }
    sync(&mut memora);
    for (path, _, new) in notes {
        write(dir.path(), path, new);
    }
    sync(&mut memora);
    (dir, memora)
}

/// What was said and what is, the latest first.
fn edits<D: Door>(memora: &Memora, door: D) -> Vec<(Option<String>, String)> {
    let session = memora.session(door).expect("a session");
    let found = session.catalog().list_number_edits(9).expect("a readable store");
    let quote = |claim: &memora_engine::report::WireClaim| claim.place().map(|p| p.quote.clone()).unwrap_or_default();
    found.into_iter().map(|edit| (edit.former_words, quote(&edit.now))).collect()
}

fn one(former: Option<&str>, now: &str) -> Vec<(Option<String>, String)> {
    vec![(former.map(str::to_owned), now.to_owned())]
}

#[test]
fn an_edited_number_is_told_with_what_stood_there_until_it_stands_again() {
    let (dir, mut memora) = edited(&[("limits.md", TEN, TWENTY)]);
    assert_eq!(edits(&memora, LocalDoor), one(Some(TEN), TWENTY));
    assert_eq!(edits(&memora, CloudDoor::default()), one(Some(TEN), TWENTY));
    // Not indexed yet: what does not stand is not told.
    write(dir.path(), "limits.md", "It has no limit.");
    assert_eq!(edits(&memora, LocalDoor), []);
    write(dir.path(), "limits.md", TEN);
    sync(&mut memora);
    assert_eq!(edits(&memora, LocalDoor), []);
}

#[test]
fn of_a_guarded_edit_a_cloud_door_hears_nothing_and_nobody_the_former_words() {
    let secret = |words: &str| format!("It is open.\n\n<!--privacy:secret-->{words}<!--/privacy-->\n");
    let (_dir, memora) = edited(&[("limits.md", &secret(TEN), &secret(TWENTY))]);
    assert_eq!(edits(&memora, LocalDoor), one(None, TWENTY));
    assert_eq!(edits(&memora, CloudDoor::default()), []);

    // Guarded a moment ago, and not indexed since.
    let (dir, memora) = edited(&[("limits.md", TEN, TWENTY)]);
    write(dir.path(), "limits.md", &format!("---\nprivacy: secret\n---\n{TWENTY}"));
    assert_eq!(edits(&memora, CloudDoor::default()), []);
}

#[test]
fn what_is_decided_is_not_told_again() {
    for (act, is_told) in [
        (DecisionKind::Keep, false),
        (DecisionKind::Both, false),
        (DecisionKind::Retract, false),
        (DecisionKind::Restore, true),
    ] {
        let (_dir, memora) = edited(&[("limits.md", TEN, TWENTY)]);
        let edit =
            memora.session(LocalDoor).expect("a session").catalog().list_number_edits(1).expect("edits").remove(0);
        let claim = ClaimId::parse(edit.now.id()).expect("an id");
        decide(&memora, act, claim, edit.former);
        assert_eq!(!edits(&memora, LocalDoor).is_empty(), is_told, "{act:?}");
    }
    // The claim alone, as `keep` has it: the former one stands nowhere.
    let (_dir, memora) = edited(&[("limits.md", TEN, TWENTY)]);
    let session = memora.session(LocalDoor).expect("a session");
    let claim = ClaimId::parse(session.catalog().list_number_edits(1).expect("edits")[0].now.id()).expect("an id");
    session
        .lifecycle_reports()
        .decide_claim(&DecisionRequest { act: DecisionKind::Keep, claim, over: Vec::new(), at: AT.to_owned() })
        .expect("a decision");
    assert_eq!(edits(&memora, LocalDoor), []);
}

const AT: &str = "2025-12-31T00:00:00.000000Z";

/// Writes a decision down as a review may: over what stands nowhere any more.
fn decide(memora: &Memora, act: DecisionKind, claim: ClaimId, over: impl std::fmt::Display) {
    let act = act.as_str();
    let line = format!("{{\"at\":\"{AT}\",\"do\":\"{act}\",\"claim\":\"{claim}\",\"over\":[\"{over}\"]}}\n");
    let folder = memora.vault().root().join(".memora");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("decisions.jsonl"), line).expect("decisions");
}

#[test]
fn what_the_journal_saw_changes_nothing_in_the_index() {
    let (dir, memora) = edited(&[("limits.md", TEN, TWENTY), ("price.md", "price:: 30 euros\n", "price:: 35 euros\n")]);
    assert_eq!(edits(&memora, LocalDoor).len(), 2);
    let mut fresh = open(dir.path(), "another-state");
    sync(&mut fresh);
    assert!(edits(&fresh, LocalDoor).is_empty());
    let export = |memora: &Memora| {
        let lines = memora.session(LocalDoor).expect("a session").catalog().export_claims(ALL).expect("an export");
        lines.iter().map(|line| serde_json::to_string(line).expect("JSON")).collect::<Vec<_>>()
    };
    assert_eq!(export(&memora), export(&fresh));
}
