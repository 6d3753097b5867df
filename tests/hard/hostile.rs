//! Notes that repeat one construct thousands of times are read by every command, and hold up no other note.

use memora_testkit::{Fixture, HOSTILE_CONSTRUCTS};

use crate::support::memora;

#[test]
fn a_vault_of_hostile_notes_is_read_by_every_command() {
    let fixture = Fixture::from_notes(&[("Anna.md", "# Anna\n\nAnna works at Tidewell since May 2025.\n")]);
    for construct in HOSTILE_CONSTRUCTS {
        let count = (construct.giant / 500).max(20);
        fixture.write(&format!("hostile/{}.md", construct.name), construct.note(count));
    }
    let memora = memora(&fixture).at_local_door();
    for command in [
        &["index"][..],
        &["ask", "Where does Anna work?"],
        &["claims", "--json", "--limit", "1000"],
        &["doctor"],
        &["export", "--canonical"],
    ] {
        let output = memora.run(command).assert_code(0);
        assert!(!output.stderr.contains("panicked"), "{output}");
    }
    let answer = memora.run(&["ask", "Where does Anna work?"]);
    assert!(answer.stdout.contains("Tidewell"), "{answer}");
    let verified =
        memora.run_with_stdin(&["verify"], b"Anna works at Tidewell since May 2025 ([[Anna]]).").assert_code(0);
    assert!(!verified.stderr.contains("panicked"), "{verified}");
}

#[test]
fn a_captured_note_takes_no_link_from_one_of_the_users() {
    let captured = "---\nmemora: captured\n---\n\nThe mole is a machine.\n";
    let notes = [("animals/Mole.md", "The mole eats worms.\n"), ("Garden.md", "We saw [[Mole]].\n")];
    let fixture = Fixture::from_notes(&notes);
    let memora = memora(&fixture).at_local_door();
    let said = "The mole eats worms ([[Mole]]).";
    let alone = memora.run_with_stdin(&["verify", "--json"], said.as_bytes()).assert_code(0).json();
    fixture.write("inbox/Mole.md", captured);
    let _ = memora.run(&["index"]).assert_code(0);
    let beside = memora.run_with_stdin(&["verify", "--json"], said.as_bytes()).assert_code(0).json();
    assert_eq!(alone["sentences"], beside["sentences"]);
}

#[test]
fn of_words_without_end_the_first_places_are_kept() {
    let fixture = Fixture::from_notes(&[("Echo.md", &"- Anna owns a boat\n".repeat(1500))]);
    let memora = memora(&fixture).at_local_door();
    let report = memora.run(&["index", "--json"]).assert_code(0).json();
    assert_eq!(
        (&report["problems"][0]["kind"], &report["problems"][0]["line"]),
        (&"too-many-repeats".into(), &1001.into()),
        "{report}"
    );
    let claims = memora.run(&["export", "--canonical"]).assert_code(0).json_lines();
    assert_eq!(claims[0]["sources"].as_array().map(Vec::len), Some(1000));
    let listed = memora.run(&["claims", "--json", "--limit", "5"]).assert_code(0).json();
    assert_eq!((listed["claims"].as_array().map(Vec::len), &listed["more"]), (Some(5), &true.into()));
}
