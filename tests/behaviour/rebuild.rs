//! The index is disposable: however it came about and whatever happened to it, it says what one built at once says.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::thread;

use super::support::{Dice, World, copy, run};

/// What an index says that is built at once, in a new state folder, over the vault as it is.
fn built_at_once(world: &World) -> String {
    let other = World::new(&[]);
    copy(&world.vault(), &other.vault());
    other.export()
}

const NAMES: &[&str] = &["drift", "Anna", "Tomasz", "the relay", "Käsekuchen", "佐藤先生", "the crane", "Plan B"];
const WORDS: &[&str] = &[
    "keeps records for 30 days",
    "costs 40 euros per month",
    "lives in Malmö",
    "was moved on 2025-03-01",
    "does not start",
    "switched from JSON to MessagePack",
    "is 🌊 tall",
];

fn line(dice: &mut Dice) -> String {
    let (name, words) = (dice.pick(NAMES), dice.pick(WORDS));
    match dice.below(8) {
        0 => format!("## {name}\n\n"),
        1 => format!("- {name}: {words}\n"),
        2 => format!("- [ ] ask whether {name} {words}\n"),
        3 => format!("status:: {words}\n\n"),
        4 => format!("<!--privacy:secret-->{name} {words}.<!--/privacy-->\n\n"),
        _ => format!("{name} {words}.\n\n"),
    }
}

fn note(dice: &mut Dice) -> String {
    let head = match dice.below(4) {
        0 => "---\naliases: [other name]\nstatus: active\n---\n",
        1 => "---\nprivacy: private\n---\n",
        _ => "",
    };
    let lines: String = (0..=dice.below(8)).map(|_| line(dice)).collect();
    format!("{head}{lines}")
}

/// One edit, rename, copy or deletion of one of fifteen notes.
fn step(world: &World, dice: &mut Dice) {
    let path = |n: usize| if n.is_multiple_of(3) { format!("folder/note {n}.md") } else { format!("note {n}.md") };
    let (at, to) = (path(dice.below(15)), path(dice.below(15)));
    let exists = world.vault().join(&at).exists();
    match dice.below(6) {
        _ if !exists => world.write(&at, note(dice)),
        0 => world.delete(&at),
        1 => world.rename(&at, &to),
        2 => world.write(&to, world.read(&at)),
        3 => world.write(&at, format!("{}{}", line(dice), world.read(&at))),
        4 => world.write(&at, format!("{}{}", world.read(&at), line(dice))),
        _ => world.write(&at, note(dice)),
    }
}

#[test]
fn an_index_grown_by_sixty_changes_equals_one_built_at_once() {
    let world = World::new(&[("stays.md", "This note stays.\n")]);
    let mut dice = Dice::new(0x5eed_cafe);
    for number in 1..=60 {
        step(&world, &mut dice);
        // Reading commands and `index` sync alike; now and then several changes come together.
        match number % 4 {
            0 => drop(world.index()),
            1 => drop(world.found("records")),
            2 => drop(world.json(&["status"])),
            _ => {}
        }
        if number % 15 == 0 {
            assert_eq!(world.export(), built_at_once(&world), "after {number} changes");
        }
    }
    assert!(world.export().lines().count() > 20, "there is something to compare");
    assert_eq!(world.local(&["doctor", "--check-spans"]).code, Some(0));
}

fn grown() -> World {
    let world = World::new(&[
        ("drift.md", "drift keeps records for 30 days.\n"),
        ("plan.md", "# Plan\n\n- Price: 40 euros per month\n\n<!--privacy:secret-->The pin is 4711.<!--/privacy-->\n"),
    ]);
    world.index();
    world.rename("plan.md", "Plan A.md");
    world.index();
    world
}

#[test]
fn after_a_reset_the_same_index_is_made_again() {
    for args in [&["reset"][..], &["reset", "--journal"]] {
        let world = grown();
        let before = world.export();
        assert_eq!(world.local(args).code, Some(0));
        assert_eq!(world.export(), before, "{args:?}");
        assert_eq!(before, built_at_once(&world));
    }
}

#[test]
fn after_the_state_was_deleted_the_same_index_is_made_again() {
    let world = grown();
    let before = world.export();
    fs::remove_dir_all(world.at("state")).expect("a state to delete");
    assert_eq!(world.export(), before);
}

/// After a file of the state was damaged, any command answers as before and says that something was made anew.
fn survives(what: &str, damage: impl Fn(&Path), says: &str) {
    for args in [&["index"][..], &["search", "records"], &["doctor"], &["export", "--canonical"]] {
        let world = grown();
        let before = world.export();
        damage(&world.state());
        let first = world.local(args);
        assert_ne!(first.code, Some(2), "{what}, {args:?}: {}", first.stderr);
        assert!(first.stderr.contains(says), "{what}, {args:?}: says {:?}", first.stderr);
        assert_eq!(world.export(), before, "{what}, {args:?}");
        assert_eq!(world.found("records"), ["drift keeps records for 30 days."], "{what}, {args:?}");
        assert_eq!(world.local(&["doctor", "--check-spans"]).code, Some(0), "{what}, {args:?}");
    }
}

fn truncate(path: &Path, len: u64) {
    let file = fs::OpenOptions::new().write(true).open(path).expect("a file");
    file.set_len(len).expect("a shorter file");
}

#[test]
fn a_truncated_or_garbled_index_is_made_anew_and_said() {
    let says = "the index was damaged";
    survives("a header only", |state| truncate(&state.join("index.db"), 50), says);
    survives("one page", |state| truncate(&state.join("index.db"), 4096), says);
    survives(
        "garbage",
        |state| fs::write(state.join("index.db"), "not a database at all".repeat(999)).expect("written"),
        says,
    );
}

#[test]
fn an_index_garbled_in_its_middle_is_made_anew() {
    survives(
        "zeros in the middle",
        |state| {
            let path = state.join("index.db");
            let mut bytes = fs::read(&path).expect("an index");
            let half = bytes.len() / 8;
            bytes[half..].fill(0x5a);
            fs::write(&path, bytes).expect("written");
            for side in ["index.db-wal", "index.db-shm"] {
                drop(fs::remove_file(state.join(side)));
            }
        },
        "",
    );
}

#[test]
fn a_garbled_lexical_index_is_made_anew_and_said() {
    let says = "the lexical index was damaged";
    survives("garbled meta", |state| fs::write(state.join("lexical/public/meta.json"), "{").expect("written"), says);
    survives(
        "no files",
        |state| {
            for entry in fs::read_dir(state.join("lexical/public")).expect("a folder") {
                let path = entry.expect("a file").path();
                if path.file_name().is_some_and(|name| name != "meta.json") {
                    fs::remove_file(path).expect("a file to remove");
                }
            }
        },
        says,
    );
    // A folder that is gone is made as it was the first time: nothing was damaged.
    survives("no folder", |state| fs::remove_dir_all(state.join("lexical")).expect("removed"), "");
}

#[test]
fn garbled_segments_of_the_lexical_index_are_made_anew() {
    survives(
        "garbled segments",
        |state| {
            for entry in fs::read_dir(state.join("lexical/public")).expect("a folder") {
                let path = entry.expect("a file").path();
                if path.extension().is_some_and(|e| e == "term" || e == "idx" || e == "store") {
                    let len = fs::metadata(&path).expect("a file").len();
                    fs::write(&path, vec![0xa5; usize::try_from(len).expect("small")]).expect("written");
                }
            }
        },
        "",
    );
}

#[test]
fn a_garbled_journal_is_set_aside_and_said() {
    let says = "the journal was damaged";
    survives(
        "garbage",
        |state| fs::write(state.join("journal.db"), "not a journal".repeat(999)).expect("written"),
        says,
    );
    survives("truncated", |state| truncate(&state.join("journal.db"), 100), says);
}

#[cfg(unix)]
#[test]
fn a_state_folder_that_cannot_be_written_is_a_clear_error() {
    use std::os::unix::fs::PermissionsExt;
    // A plain file where the folder should be: that stops even a superuser, whom permissions don't.
    let world = World::new(&[("a.md", "The crane lifts forty tonnes.\n")]);
    fs::write(world.at("state"), "in the way").expect("a file");
    let blocked = world.local(&["index"]);
    assert_eq!(blocked.code, Some(2));
    assert!(blocked.stderr.contains("hint: ") && blocked.stderr.contains("MEMORA_STATE_DIR"), "{}", blocked.stderr);
    fs::remove_file(world.at("state")).expect("a file to remove");

    fs::create_dir(world.at("state")).expect("a folder");
    fs::set_permissions(world.at("state"), fs::Permissions::from_mode(0o500)).expect("permissions");
    let can_write = fs::write(world.at("state/probe"), "").is_ok();
    let run = world.local(&["index"]);
    fs::set_permissions(world.at("state"), fs::Permissions::from_mode(0o700)).expect("permissions");
    if !can_write {
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains("error: ") && run.stderr.contains("hint: "), "{}", run.stderr);
    }
}

#[test]
fn a_state_folder_inside_the_vault_is_refused_and_not_made() {
    let world = World::new(&[("a.md", "The crane lifts forty tonnes.\n")]);
    let before = world.everything();
    for inside in ["state", ".memora/state", "../vault/x", "."] {
        let mut command = world.command(&["index"]);
        command.env("MEMORA_STATE_DIR", world.vault().join(inside));
        let run = run(command, "");
        assert_eq!(run.code, Some(2), "{inside}: {}", run.said());
        assert!(run.stderr.contains("inside the vault") && run.stderr.contains("hint: "), "{}", run.stderr);
    }
    assert_eq!(world.everything(), before);
}

/// Notes with something different in each.
fn many(world: &World, count: usize) {
    for n in 0..count {
        let text = format!(
            "---\nnumber: {n}\n---\n# Crate {n}\n\nCrate {n} holds {} tin cans.\n\n- Weight: {n} kilos\n- Shelf: {}\n\n\
             It was counted on 2025-03-{:02}, and nobody was surprised.\n",
            n * 7,
            n % 13,
            n % 28 + 1,
        );
        world.write(&format!("shelf {}/crate {n}.md", n % 13), text);
    }
}

#[test]
fn two_indexers_and_four_readers_at_once_all_end_well() {
    let world = World::new(&[]);
    many(&world, 300);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let run = world.local(&["index"]);
                // Who comes second is told that another process is indexing.
                assert!(run.code == Some(0) || run.stderr.contains("another memora process"), "{}", run.stderr);
            });
        }
        for args in [&["search", "tin cans"][..], &["ask", "What does crate 7 hold?"], &["claims"], &["status"]] {
            let world = &world;
            scope.spawn(move || {
                let run = world.local(args);
                assert!(matches!(run.code, Some(0 | 1)), "{args:?}: {}", run.stderr);
            });
        }
    });
    assert_eq!(world.index()["notes"]["seen"], 300);
    assert_eq!(world.export(), built_at_once(&world));
    assert_eq!(world.local(&["doctor", "--check-spans"]).code, Some(0));
}

/// The program says after each batch how far it is (`MEMORA_LOG`), or it is killed as soon as the index is there.
#[test]
fn an_index_whose_making_was_killed_equals_one_built_at_once() {
    let world = World::new(&[]);
    many(&world, 2500);
    let mut killed = 0;
    for round in 0..4 {
        let mut command = world.command(&["index"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).env("MEMORA_LOG", "trace");
        let mut child = command.spawn().expect("the program starts");
        // The pipe is read to let the program talk; each line is a moment to kill it at.
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        for _ in 0..round {
            drop(lines.next());
        }
        if round == 3 {
            // Once something was committed.
            let wal =
                || fs::read_dir(world.at("state/vaults")).ok()?.next()?.ok().map(|e| e.path().join("index.db-wal"));
            while child.try_wait().expect("a status").is_none() {
                if wal().and_then(|path| fs::metadata(path).ok()).is_some_and(|meta| meta.len() > 1 << 20) {
                    break;
                }
                thread::yield_now();
            }
        }
        killed += usize::from(child.try_wait().expect("a status").is_none());
        child.kill().expect("a killed program");
        child.wait().expect("a status");
        drop(lines);
    }
    assert!(killed > 0, "at least one was killed at work");
    let report = world.index();
    assert_eq!((&report["notes"]["seen"], &report["fresh"]), (&2500.into(), &true.into()));
    assert_eq!(world.export(), built_at_once(&world));
    assert_eq!(world.local(&["doctor", "--check-spans"]).code, Some(0));
}
