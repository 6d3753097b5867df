//! What a newcomer runs first: `doctor` explains itself, completions and the manual are those of the program.

use memora_testkit::{Fixture, Picture};

use crate::support::{example, memora};

#[test]
fn doctor_explains_every_check_and_sums_up() {
    let fixture = example();
    let memora = memora(&fixture).local();
    let text = memora.run(&["doctor", "--check-spans"]).code(0).stdout;
    let report = memora.run(&["doctor", "--check-spans", "--json"]).code(0).json();
    let checks = report["checks"].as_array().expect("a list");
    for check in checks {
        for key in ["name", "looked_at", "found", "matters"] {
            let words = check[key].as_str().expect("words");
            assert!(!words.is_empty() && text.contains(words), "{key}: {check}");
        }
    }
    assert_eq!(text.lines().last(), report["summary"].as_str());
    assert_eq!(report["summary"], format!("all is as it should be, by {} checks", checks.len()));
    fixture.write(".memora/config.toml", "[privacy");
    let report = memora.run(&["doctor", "--json"]).code(1).json();
    let summary = report["summary"].as_str().expect("words");
    assert!(summary.ends_with("put right: settings"), "{summary}");
}

#[test]
fn completions_and_the_manual_know_every_command() {
    let fixture = Fixture::of(&[]);
    let memora = memora(&fixture).without_vault();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = memora.run(&["completions", shell]).code(0).stdout;
        for word in ["contradictions", "completions", "check-spans"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert!(memora.run(&["man"]).code(0).stdout.contains(".TH memora 1"));
    let folder = memora.home().join("new/man1");
    let out = folder.to_str().expect("a plain path");
    for _ in 0..2 {
        let _ = memora.run(&["man", "--out", out]).code(0);
    }
    for page in ["memora.1", "memora-ask.1", "memora-privacy-audit.1"] {
        assert!(folder.join(page).is_file(), "{page}");
    }
    let before = Picture::of(fixture.vault());
    let inside = fixture.path("man");
    memora.run(&["man", "--out", inside.to_str().expect("a plain path")]).failed("lies inside a vault");
    assert_eq!(before.difference(&Picture::of(fixture.vault())), "");
    let _ = memora.run(&["completions", "cmd"]).code(2);
}
