//! The README's transcript is what the program prints, word for word.

use std::fs;
use std::path::Path;

use memora_testkit::Fixture;

use crate::support::{example, memora};

/// The commands of the first `console` block, each with what the README says it prints.
fn transcript() -> Vec<(String, String)> {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("the README is there");
    let block = readme.split("```console\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a console block");
    let mut found: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), line.strip_prefix("> "), found.last_mut()) {
            (Some(command), _, _) => found.push((command.to_owned(), String::new())),
            (None, Some(rest), Some((command, printed))) if printed.is_empty() => command.push_str(rest),
            (None, _, Some((_, printed))) => {
                printed.push_str(line);
                printed.push('\n');
            }
            (None, _, None) => panic!("the block begins with a command"),
        }
    }
    found
}

#[test]
fn the_readme_shows_what_is_printed() {
    let fixture: Fixture = example();
    let memora = memora(&fixture);
    let transcript = transcript();
    assert!(transcript.len() >= 2, "the README shows an answer and a verdict");
    for (command, printed) in transcript {
        let (input, typed) = match command.strip_prefix("echo '").and_then(|rest| rest.split_once("' |")) {
            Some((text, typed)) => (format!("{text}\n"), typed.trim()),
            None => (String::new(), command.as_str()),
        };
        // The vault is named as in a clone; here it is a copy, which the runner names.
        let typed = typed.strip_prefix("memora --vault vault-example ").expect("every command names the vault");
        let words = split(typed);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = memora.run_with_stdin(&words, input.as_bytes());
        assert_eq!(output.stdout, printed, "$ {command}");
    }
}

/// Words as a shell parts them, double quotes only.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
