//! The transcripts of the README and of the page about agents' memory are what the program prints, word for word.

use memora_testkit::Fixture;

use crate::support::{example, memora, read};

/// The commands of the `console` blocks of a page, each with what the page says it prints.
fn transcript(page: &str) -> Vec<(String, String)> {
    let page = read(page);
    let blocks = page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut found: Vec<(String, String)> = Vec::new();
    for block in blocks {
        assert!(block.starts_with("$ "), "the block begins with a command");
        for line in block.lines() {
            match (line.strip_prefix("$ "), line.strip_prefix("> "), found.last_mut()) {
                (Some(command), _, _) => found.push((command.to_owned(), String::new())),
                (None, Some(rest), Some((command, printed))) if printed.is_empty() => command.push_str(rest),
                (None, _, Some((_, printed))) => {
                    printed.push_str(line);
                    printed.push('\n');
                }
                (None, _, None) => unreachable!("the block begins with a command"),
            }
        }
    }
    found
}

/// Runs the commands of a page, on this day if one is given, and compares.
fn check(page: &str, day: Option<&str>, least: usize) {
    let fixture: Fixture = example();
    let memora = memora(&fixture);
    let transcript = transcript(page);
    assert!(transcript.len() >= least, "{page} shows {} commands", transcript.len());
    for (command, printed) in transcript {
        let (input, typed) = match command.strip_prefix("echo '").and_then(|rest| rest.split_once("' |")) {
            Some((text, typed)) => (format!("{text}\n"), typed.trim()),
            None => (String::new(), command.as_str()),
        };
        // The vault is named as in a clone; here it is a copy, which the runner names.
        let typed = typed.strip_prefix("memora --vault vault-example ").expect("every command names the vault");
        let mut words = split(typed);
        words.extend(day.into_iter().flat_map(|day| ["--today".to_owned(), day.to_owned()]));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = memora.run_with_stdin(&words, input.as_bytes());
        assert_eq!(output.stdout, printed, "$ {command}");
    }
}

/// An answer, a verdict, and what is remembered.
#[test]
fn the_readme_shows_what_is_printed() {
    check("README.md", None, 3);
}

/// Memories fade, but what is shown of these is the same years later.
#[test]
fn the_page_about_memory_shows_what_is_printed_on_any_day() {
    for day in ["2025-12-30", "2028-02-29"] {
        check("docs/agents.md", Some(day), 2);
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
