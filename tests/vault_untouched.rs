//! The vault belongs to its user: no command writes a byte of it, touches a time, or leaves a file in it.
//!
//! Others did: keys deleted from a user's notes while indexing, YAML added, lists reformatted, CRLF made LF
//! (basic-memory#528, #1171; obsidian.nvim#826). So bytes, times, permissions, inodes and the list of files are compared
//! after every single command. What the user decides is a line of `.memora/decisions.jsonl`, and that is all.

use std::fs;

use memora_testkit::{DoorSetting, Fixture, MemoraBinary, TreeSnapshot};

use crate::support::{EVERY_COMMAND, Line, example, id_of, indexed_example, lines, memora};

/// Runs every command at one door, and looks at the vault after each.
fn check(fixture: &Fixture, memora: &MemoraBinary) {
    check_those(fixture, memora, |_| true);
}

/// The same for some of them.
fn check_those(fixture: &Fixture, memora: &MemoraBinary, wanted: impl Fn(&str) -> bool) {
    let id = id_of(memora, "Since May 2025 Anna works at Tidewell");
    for line in lines(EVERY_COMMAND).filter(|line| wanted(line)) {
        let before = TreeSnapshot::take(fixture.vault());
        let output = Line::parse(&line.replace("{ID}", &id)).run(memora);
        assert!(output.exit.is_some_and(|code| code <= 2), "{output}");
        let difference = before.difference(&TreeSnapshot::take(fixture.vault()));
        let decides = ["keep ", "retract ", "restore "].iter().any(|command| line.starts_with(command));
        let captures = line.starts_with("capture ") && output.exit == Some(0);
        let allowed = |line: &str| decides && output.exit == Some(0) && line.starts_with(".memora");
        if line.starts_with("memory ") || line.starts_with("hook ") {
            // Agents' memory is written in its folder, and nowhere else but for the audit's lines.
            let within = |line: &str| line.starts_with("Memora") || line.starts_with(".: ");
            assert!(difference.lines().all(within), "after `memora {line}`:\n{difference}");
            let writing =
                ["memory init", "memory save", "memory write", "memory import", "hook prompt", "hook post-compact"];
            let writes = writing.iter().any(|act| line.starts_with(act));
            assert!(writes || difference.is_empty(), "after `memora {line}`:\n{difference}");
        } else if captures {
            assert_one_new_note(&before, &TreeSnapshot::take(fixture.vault()), line);
        } else {
            assert!(difference.lines().all(allowed), "after `memora {line}`:\n{difference}");
        }
    }
}

/// What captures makes one file, and perhaps the folders it lies in, whose parents show it in their times.
#[track_caller]
fn assert_one_new_note(before: &TreeSnapshot, after: &TreeSnapshot, line: &str) {
    let difference = before.difference(after);
    let old: Vec<&str> = before.file_names().collect();
    let new: Vec<&str> = after.file_names().filter(|file| !old.contains(file)).collect();
    let [note] = new.as_slice() else { panic!("after `memora {line}`:\n{difference}") };
    assert!(note.ends_with(".md"), "after `memora {line}`:\n{difference}");
    let above = |name: &str| name == "." || name == *note || note.starts_with(&format!("{name}/"));
    let names = difference.lines().filter_map(|line| line.split_once(": ")).map(|(name, _)| name);
    assert!(names.into_iter().all(above), "after `memora {line}`:\n{difference}");
}

#[test]
fn no_command_touches_the_vault_at_a_cloud_door() {
    let (fixture, memora) = indexed_example();
    check(&fixture, &memora);
}

#[test]
fn no_command_touches_the_vault_at_the_local_door() {
    let (fixture, memora) = indexed_example();
    check(&fixture, &memora.at_local_door());
}

#[test]
fn notes_in_windows_format_with_odd_properties_stay_as_they_are() {
    let fixture = Fixture::from_notes(&[
        (
            "a.md",
            "\u{feff}---\r\naliases: [Ay]\r\ndue: 2025-01-01\r\nodd key: {x: [1,\r\n---\r\nIt is CRLF.\r\n\r\n* One\r\n",
        ),
        ("b.md", "---\ntitle: B\n---\n- item   \n+ other\n\tTabbed.\n\n\nNo newline at the end: Ä"),
        ("empty.md", ""),
    ]);
    let memora = memora(&fixture);
    let before = TreeSnapshot::take(fixture.vault());
    for command in [&["index"][..], &["search", "CRLF"], &["doctor", "--check-spans"], &["export"], &["reset"]] {
        let _ = memora.run(command);
        let difference = before.difference(&TreeSnapshot::take(fixture.vault()));
        assert!(difference.is_empty(), "after {command:?}:\n{difference}");
    }
}

#[cfg(unix)]
#[test]
fn a_vault_that_cannot_be_written_works_like_any_other() {
    use std::os::unix::fs::PermissionsExt as _;

    /// Makes folders and files read-only, or writable again.
    fn set(fixture: &Fixture, folder_mode: u32, file_mode: u32) {
        fn each(path: &std::path::Path, folder_mode: u32, file_mode: u32) {
            let mode = |mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("an own file");
            if path.is_dir() {
                mode(0o755);
                for child in fs::read_dir(path).expect("a folder can be listed") {
                    each(&child.expect("an entry").path(), folder_mode, file_mode);
                }
                mode(folder_mode);
            } else {
                mode(file_mode);
            }
        }
        each(fixture.vault(), folder_mode, file_mode);
    }

    let (open, (closed, reader)) = (example(), indexed_example());
    set(&closed, 0o555, 0o444);
    let open = memora(&open);
    let outcome = std::panic::catch_unwind(|| {
        // Who owns the machine can capture there all the same, and then it is another vault.
        let writes = ["capture ", "memory ", "hook "];
        check_those(&closed, &reader, |line| !writes.iter().any(|command| line.starts_with(command)));
        let export =
            |memora: &MemoraBinary| memora.at_local_door().run(&["export", "--canonical"]).assert_code(0).stdout;
        assert_eq!(export(&reader), export(&open));
    });
    set(&closed, 0o755, 0o644);
    outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

/// Synchronisation tools corrupt databases inside vaults (smart-connections#1079, #496; omnisearch#92).
#[test]
fn a_state_or_configuration_folder_inside_the_vault_is_refused_and_not_made() {
    let fixture = example();
    let memora = memora(&fixture);
    let before = TreeSnapshot::take(fixture.vault());
    let inside = [fixture.path(".memora/state"), fixture.path("new/er/state"), fixture.vault().to_owned()];
    for folder in &inside {
        for variable in ["MEMORA_STATE_DIR", "MEMORA_CONFIG_DIR"] {
            for command in [&["index"][..], &["status"], &["reset"], &["ask", "Where does Anna work?"]] {
                let output = memora.command(command).env(variable, folder).output().expect("the binary can be started");
                let output = memora_testkit::CommandOutput::new(format!("{variable} {command:?}"), output);
                output.assert_failed("lies inside the vault");
                let difference = before.difference(&TreeSnapshot::take(fixture.vault()));
                assert!(difference.is_empty(), "{variable} at {}:\n{difference}", folder.display());
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn a_state_folder_that_leads_into_the_vault_by_a_link_is_refused() {
    let fixture = example();
    let link = fixture.parent_dir().join("state");
    std::os::unix::fs::symlink(fixture.path("inbox"), &link).expect("a link can be made");
    let before = TreeSnapshot::take(fixture.vault());
    let output = memora(&fixture).command(&["index"]).env("MEMORA_STATE_DIR", &link).output().expect("it starts");
    memora_testkit::CommandOutput::new("index", output).assert_failed("lies inside the vault");
    assert_eq!(before.difference(&TreeSnapshot::take(fixture.vault())), "");
}

/// Also a test of the list of commands: it must reach the two outcomes that are not failures, and failures.
#[test]
fn nothing_is_left_in_temporary_folders() {
    let (fixture, memora) = indexed_example();
    let memora = memora.at_door(DoorSetting::Local);
    let mut ends = std::collections::BTreeSet::new();
    for line in lines(EVERY_COMMAND) {
        ends.insert(Line::parse(line).run(&memora).exit);
    }
    assert_eq!(ends.into_iter().collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
    let left = TreeSnapshot::take(memora.home_dir());
    // The last of them was asked for: an entry in a program's own file.
    let expected = ["state/vaults/", "config/handle.", "config/memory.", ".codex/config.toml"];
    let outside: Vec<&str> =
        left.file_names().filter(|name| !expected.iter().any(|place| name.starts_with(place))).collect();
    assert!(outside.is_empty(), "left behind: {outside:?}");
    let beside = TreeSnapshot::take(fixture.parent_dir());
    assert!(beside.file_names().all(|name| name.starts_with("vault-example/")), "something was put beside the vault");
}
