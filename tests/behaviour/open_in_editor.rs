//! `--open`: the first place of an answer is shown in the user's editor, or in Obsidian.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use memora_testkit::{CommandOutput, Fixture, MemoraBinary};

use crate::support::memora;

const NOTE: &str = "# Needle\n\nThe tailor of the Needle is Orla Fenn.\n";

/// A vault that Obsidian does not know.
fn vault(notes: &[(&str, &str)]) -> Fixture {
    let fixture = Fixture::from_notes(notes);
    fs::remove_dir(fixture.path(".obsidian")).expect("a fixture is a vault of Obsidian");
    fixture
}

/// A program that writes what it was given, a line each, into `opened` in its home.
fn program(memora: &MemoraBinary, name: &str) {
    let file = memora.home_dir().join(name);
    fs::write(&file, "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$HOME/opened\"\n").expect("a script can be written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it can be made executable");
}

fn run(memora: &MemoraBinary, args: &[&str], editor: Option<&str>) -> CommandOutput {
    let mut command = memora.command(args);
    command.env("PATH", format!("{}:/usr/bin:/bin", memora.home_dir().display()));
    if let Some(editor) = editor {
        command.env("EDITOR", editor);
    }
    CommandOutput::new(args.join(" "), command.output().expect("the binary can be started"))
}

fn opened(memora: &MemoraBinary) -> Option<String> {
    fs::read_to_string(memora.home_dir().join("opened")).ok()
}

#[test]
fn the_first_place_is_opened_in_the_editor_at_its_line() {
    let fixture = vault(&[("shops/needle.md", NOTE)]);
    let memora = memora(&fixture).at_local_door();
    program(&memora, "nano");
    program(&memora, "code");
    let note = fixture.path("shops/needle.md");
    let note = Path::new(&note).display();
    let _ = run(&memora, &["search", "tailor of the Needle", "--open"], Some("nano"));
    assert_eq!(opened(&memora), Some(format!("+3\n{note}\n")));
    let _ = run(&memora, &["ask", "Who is the tailor of the Needle?", "--open"], Some("code --wait"));
    assert_eq!(opened(&memora), Some(format!("--wait\n--goto\n{note}:3\n")));
    let failed = run(&memora, &["search", "tailor", "--open"], Some("no-such-editor"));
    assert_eq!(failed.exit, Some(2));
    assert!(failed.stderr.contains("hint: set EDITOR"), "{}", failed.stderr);
}

#[test]
fn nothing_is_opened_for_another_program_and_nothing_where_nothing_is_found() {
    let fixture = vault(&[("shops/needle.md", NOTE)]);
    let memora = memora(&fixture);
    program(&memora, "nano");
    let refused = run(&memora, &["search", "tailor", "--open"], Some("nano"));
    assert_eq!((refused.exit, opened(&memora)), (Some(2), None));
    assert!(refused.stderr.contains("hint: --door local"), "{}", refused.stderr);
    let empty = vault(&[("empty.md", "\n")]);
    let memora = crate::support::memora(&empty).at_local_door();
    program(&memora, "nano");
    let _ = run(&memora, &["search", "tailor", "--open"], Some("nano"));
    assert_eq!(opened(&memora), None);
}
