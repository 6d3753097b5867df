//! What a model is offered: passages of the right time, of the right note, apart from one another.

use memora_testkit::{Fixture, MemoraBinary};

use crate::support::memora;

/// The request that a question would be sent as.
fn show_prompt(memora: &MemoraBinary, question: &str, options: &[&str]) -> String {
    memora.run(&[&["ask", question, "--show-prompt"], options].concat()).assert_code(0).stdout.clone()
}

/// A vault whose notes have all been read ahead, with a model that is never asked.
fn read_ahead(notes: &[(&str, &str)]) -> (Fixture, MemoraBinary) {
    let fixture = Fixture::from_notes(notes);
    let memora = memora(&fixture);
    memora.write_config("[model]\nprovider = \"ollama\"\nname = \"scripted\"\n");
    let _ = memora.at_local_door().run(&["index", "--complete"]).assert_code(0);
    (fixture, memora)
}

#[test]
fn a_question_of_a_time_is_offered_nothing_of_another() {
    let (_fixture, memora) = read_ahead(&[(
        "Anna.md",
        "Since January 2022 Anna works at Tidewell in Hull.\n\nSince June 2025 Anna works at Brightside in York.\n",
    )]);
    let later = |args: &[&str]| show_prompt(&memora, "Where does Anna work?", args).contains("Brightside");
    assert!(later(&[]), "it is offered where no time is asked about");
    assert!(!later(&["--as-of", "2024-03"]));
}

/// Two notes of one name are two places, and what stands in one does not go on in the other.
#[test]
fn lines_of_two_notes_are_not_run_together() {
    let (_fixture, memora) = read_ahead(&[
        ("A/Meeting.md", "The ferry launch was approved by the whole board.\n"),
        ("B/Meeting.md", "It was cancelled by Ben because the launch of the board lost its money.\n"),
    ]);
    let prompt = show_prompt(&memora, "Was the ferry launch approved by the board?", &[]);
    assert!(prompt.contains("approved by the whole board") && prompt.contains("cancelled by Ben"), "{prompt}");
    assert_eq!(prompt.matches("{\\\"in\\\": \\\"Meeting\\\"}").count(), 2, "{prompt}");
}

/// The same words stand in a note outside of what was asked for, of another date.
#[test]
fn a_line_is_offered_from_the_note_that_was_asked_about() {
    let plan = |date: &str, moved: &str| {
        format!("---\ndate: {date}\n---\nThe launch of the rocket is in June. It was moved from April.{moved}\n")
    };
    let (old, new) = (plan("2020-01-01", ""), plan("2025-01-01", " It needs two tugs."));
    let (_fixture, memora) = read_ahead(&[("A/Plan.md", &old), ("B/Plan.md", &new)]);
    let prompt = show_prompt(&memora, "When is the launch of the rocket?", &["--folder", "B"]);
    assert!(prompt.contains("moved from April") && prompt.contains("two tugs"), "{prompt}");
    assert!(!prompt.contains("2020-01-01"), "{prompt}");
}

/// A row says little without the names of its columns, which stand once above the rows that are offered.
#[test]
fn rows_are_offered_below_the_names_of_their_columns() {
    let (_fixture, memora) = read_ahead(&[(
        "Reading.md",
        "I read in the evening.\n\n| Title | Pages | Finished |\n|---|---|---|\n| Dune | 412 | May |\n| Emma | 474 | June |\n\nThe shelf is full.\n",
    )]);
    let prompt = show_prompt(&memora, "How many pages does Dune have?", &[]);
    let columns = r#"{\"columns\": \"Title | Pages | Finished\"}"#;
    assert_eq!(prompt.matches(columns).count(), 1, "{prompt}");
    let at = |words: &str| prompt.find(words).unwrap_or_else(|| panic!("{words} in {prompt}"));
    assert!(at("in the evening") < at(columns) && at(columns) < at("Dune | 412"), "{prompt}");
    memora.write_config("");
    let nearest = memora.run(&["ask", "How long does reading take me?"]).stdout;
    assert!(nearest.contains("\n      Title | Pages | Finished\n   5"), "{nearest}");
}
