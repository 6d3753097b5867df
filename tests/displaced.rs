//! Every head of a list, displaced in every way of another, at every door: bands, memories, captures and reviews.
//!
//! The module that decides has the long lists (`memora-vault/src/displaced/tests.rs`); here each door is asked.

use memora_testkit::{Fixture, MemoraBinary};

use crate::mcp::Client;
use crate::support::memora;

const SECRET_HEADS: &[&str] = &[
    "privacy: secret",
    "title: Pay\nprivacy: \"secret\"",
    "tags:\n  - secret",
    "tags: [pay, secret]",
    "meta: {privacy: secret}",
];
const MACHINE_HEADS: &[&str] = &[
    "memora: memory\nid: mem-0123456789ab\nkind: knowledge\norigin: agent_analysis\nconfidence: 0.8\nby: bot\ncreated: 2026-11-22T14:41:07",
    "memora: captured\nby: bot",
    "memora: review",
];

/// `HEAD` is the lines of a head, `B` its block with rules.
const DISPLACEMENTS: &[&str] = &[
    "---\npermalink: main/a\n---\n\nB\n\nWORDS\n",
    "---\npermalink: main/a\n---\nB\nWORDS\n",
    "\n\nB\n\nWORDS\n",
    "\u{feff}\u{feff}B\n\nWORDS\n",
    "# A heading\nB\n\nWORDS\n",
    "<!-- synced -->\nB\n\nWORDS\n",
    "<<<<<<< ours\nB\n\nWORDS\n=======\n>>>>>>> other\n",
    "—-\nHEAD\n—-\n\nWORDS\n",
    "—\nHEAD\n—\n\nWORDS\n",
    "----\nHEAD\n----\n\nWORDS\n",
    "---\nHEAD\n—-\n\nWORDS\n",
    "HEAD\n---\n\nWORDS\n",
    "---\nHEAD\n\nWORDS\n",
    "Synced by a program.\n\nB\n\nWORDS\n",
    "WORDS\n\nB\n",
];

/// Writes a note for each head in each displacement; returns the names that they say something of.
fn write_all(fixture: &Fixture, heads: &[&str], words: impl Fn(&str) -> String) -> Vec<String> {
    let mut names = Vec::new();
    for (row, head) in heads.iter().enumerate() {
        for (column, form) in DISPLACEMENTS.iter().enumerate() {
            let name = format!(
                "Quinn{}{}",
                ["ar", "be", "co", "du", "el"][row],
                "bcdfghjklmnpqrs".get(column..=column).unwrap_or("x")
            );
            let text =
                form.replace('B', &format!("---\n{head}\n---")).replace("HEAD", head).replace("WORDS", &words(&name));
            fixture.write(&format!("{row} {column}.md"), text);
            names.push(name);
        }
    }
    names
}

fn said(memora: &MemoraBinary, args: &[&str]) -> String {
    let output = memora.run(args);
    format!("{}\n{}", output.stdout, output.stderr)
}

#[test]
fn no_cloud_door_shows_what_a_displaced_head_guards() {
    let fixture = Fixture::from_notes(&[]);
    fixture.write("Open.md", "Rosalind earns 70000 euros.\n");
    let names = write_all(&fixture, SECRET_HEADS, |name| format!("{name} earns 83000 euros."));
    let memora = memora(&fixture);
    let _ = memora.run(&["index"]).assert_code(0);
    let first = names.first().expect("a name").clone();
    let asked = format!("How much does {first} earn?");
    let mut outputs = vec![
        said(&memora, &["export", "--statements"]),
        said(&memora, &["claims", "--limit", "500"]),
        said(&memora, &["search", "earns euros", "--limit", "200"]),
        said(&memora, &["ask", "Who earns 83000 euros?"]),
        said(&memora, &["ask", "How much does Rosalind earn?", "--show-prompt"]),
        said(&memora, &["index", "--json"]),
        said(&memora, &["privacy", "audit"]),
    ];
    let mut client = Client::connected(&memora, &[]);
    outputs.push(client.told("memora_find", serde_json::json!({"question": "earns euros", "limit": 30})).to_string());
    for output in outputs {
        let leaked: Vec<&String> = names.iter().filter(|name| output.contains(*name)).collect();
        assert!(leaked.is_empty() && !output.contains("83000 euros."), "{leaked:?}\n{output}");
    }
    assert!(!said(&memora, &["ask", &asked]).contains("83000"));
    let local = memora.at_local_door();
    let all = local.run(&["export", "--statements"]).assert_code(0).stdout;
    assert!(names.iter().all(|name| all.contains(name)), "the user sees all of them");
    let told = local.run(&["index"]).assert_code(0).stdout;
    assert!(told.contains("front matter is not where it should be"), "{told}");
}

#[test]
fn no_displaced_note_of_a_machine_is_evidence() {
    let fixture = Fixture::from_notes(&[]);
    fixture.write("Kestrel.md", "Kestrel was founded in 2011.\n");
    let names = write_all(&fixture, MACHINE_HEADS, |name| format!("The relay of {name} in Husum is owned by Quentin."));
    let memora = memora(&fixture).at_local_door();
    let _ = memora.run(&["index"]).assert_code(0);
    for name in &names {
        let answer = said(&memora, &["ask", &format!("Who owns the relay of {name} in Husum?")]);
        assert!(!answer.starts_with("verified") && !answer.contains("Quentin"), "{name}: {answer}");
    }
    for command in [
        &["claims", "--limit", "500"][..],
        &["search", "relay owned by Quentin", "--limit", "200"],
        &["entity", "Quentin"],
    ] {
        let found = said(&memora, command);
        assert!(!found.contains("owned by Quentin") && !found.contains("Quentin |"), "{found}");
    }
}
