//! What a newcomer runs first: `doctor` explains itself.

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
