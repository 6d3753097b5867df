//! What is killed at any moment loses nothing: the next run ends as one that was never disturbed.

use std::time::Duration;

use memora_testkit::MemoraBinary;

use super::{Dice, rounds};
use crate::support::{example, memora};

fn export(memora: &MemoraBinary) -> String {
    memora.at_local_door().run(&["export", "--canonical"]).assert_code(0).stdout
}

/// Starts a command and kills it after some milliseconds, or lets it end before.
fn kill_after(memora: &MemoraBinary, args: &[&str], wait: usize) {
    let mut child = memora.command(args).spawn().expect("the binary can be started");
    std::thread::sleep(Duration::from_millis(u64::try_from(wait).unwrap_or_default()));
    // It may have ended by itself.
    drop(child.kill());
    let _ = child.wait().expect("it ends");
}

#[test]
fn an_index_that_was_killed_while_it_was_made_ends_like_another() {
    let fixture = example();
    let undisturbed = memora(&fixture);
    let _ = undisturbed.run(&["index"]).assert_code(0);
    let expect = export(&undisturbed);
    let mut dice = Dice(0x51a7_e5d1_0c0d_e001);
    let killed = memora(&fixture);
    for round in 0..rounds(6) {
        if round % 3 == 0 {
            let _ = killed.run(&["reset"]);
        }
        kill_after(&killed, &["index"], dice.below(1500));
    }
    let _ = killed.run(&["index"]).assert_code(0);
    assert_eq!(export(&killed), expect);
}

#[test]
fn a_captured_note_is_there_whole_or_not_at_all() {
    let fixture = example();
    let memora = memora(&fixture);
    let _ = memora.run(&["index"]).assert_code(0);
    let mut dice = Dice(0xcab7_0000_0000_0001);
    for round in 0..rounds(4) {
        let title = format!("Kept {round}");
        let draft = memora.home_dir().join("draft.md");
        std::fs::write(&draft, "Nothing is cited here. This is the end.\n").expect("the draft can be written");
        kill_after(&memora, &["capture", draft.to_str().expect("a plain path"), "--title", &title], dice.below(1200));
        for entry in walk(fixture.vault()) {
            let text = std::fs::read_to_string(&entry).unwrap_or_default();
            if entry.to_string_lossy().contains(&title) {
                assert!(text.contains("This is the end."), "{} is cut: {text:?}", entry.display());
            }
        }
    }
    let _ = memora.run(&["doctor"]).assert_code(0);
}

/// The files of the vault.
fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = folder.read_dir().expect("a folder").flatten();
    entries.flat_map(|entry| if entry.path().is_dir() { walk(&entry.path()) } else { vec![entry.path()] }).collect()
}
