//! Damaged state is made anew and said; it ends no command in a panic, and gives no other answer.

use std::path::{Path, PathBuf};

use memora_testkit::{CommandOutput, MemoraBinary};

use super::{Dice, files_below, rounds, wrap};
use crate::support::{example, memora};

const SEARCH: [&str; 5] = ["search", "Anna contract drift", "--json", "--limit", "50"];

/// The folder with the lexical indexes of the only vault.
fn find_folder(memora: &MemoraBinary, name: &str) -> PathBuf {
    let files = files_below(&memora.state_dir());
    let folder = files.iter().flat_map(|file| file.ancestors()).find(|folder| folder.ends_with(name));
    folder.unwrap_or_else(|| panic!("no {name} in the state folder")).to_owned()
}

#[track_caller]
fn assert_no_panic(output: &CommandOutput) {
    assert!(!output.stderr.contains("panicked"), "{output}");
    assert!(matches!(output.exit, Some(0..=2)), "{output}");
}

/// Flips, zeroes or cuts a part of a file.
fn damage_file(file: &Path, dice: &mut Dice) -> &'static str {
    let mut bytes = std::fs::read(file).expect("a file of the state");
    let at = dice.below(bytes.len());
    let end = (at + 1 + dice.below(64)).min(bytes.len());
    let how = match dice.below(3) {
        0 => {
            bytes[at..end].iter_mut().for_each(|byte| *byte ^= 0x5a);
            "flipped"
        }
        1 => {
            bytes[at..end].fill(0);
            "zeroed"
        }
        _ => {
            bytes.truncate(at);
            "cut"
        }
    };
    std::fs::write(file, bytes).expect("the file can be written");
    how
}

/// A journal whose first pages are sound and whose others are not: what has to write into it sets it aside, and says so.
#[test]
fn a_journal_that_is_damaged_behind_its_first_pages_is_set_aside() {
    let fixture = example();
    let memora = memora(&fixture).at_local_door();
    let _ = memora.run(&["index"]).assert_code(0);
    let files = files_below(&memora.state_dir());
    let journal = files.iter().find(|file| file.ends_with("journal.db")).expect("a journal");
    let mut bytes = std::fs::read(journal).expect("it can be read");
    assert!(bytes.len() > 16 * 4096, "{} bytes", bytes.len());
    bytes[14 * 4096..].fill(0x5a);
    std::fs::write(journal, bytes).expect("it can be written");
    for number in 0..30 {
        fixture.write(&format!("new {number}.md"), format!("The heron cache of drift has {number} parts.\n"));
    }
    let indexed = memora.run(&["index"]).assert_code(0);
    assert!(indexed.stderr.contains("the journal was damaged and was set aside"), "{indexed}");
    assert!(journal.with_file_name("journal.db.corrupt-1").exists());
    assert!(memora.run(&["doctor"]).stdout.contains("database: every page is intact"));
}

#[test]
fn damaged_lexical_files_give_no_other_answer() {
    let fixture = example();
    let memora = memora(&fixture).at_local_door();
    let _ = memora.run(&["index"]).assert_code(0);
    let expect = memora.run(&SEARCH).assert_code(0).stdout;
    let lexical = find_folder(&memora, "lexical");
    let mut dice = Dice(0xda3a_6e00_0000_0001);
    for round in 0..rounds(8) {
        let files = files_below(&lexical);
        let data: Vec<_> = files
            .iter()
            .filter(|file| {
                let ends = ["term", "fast", "idx", "pos", "store", "json"];
                file.extension().and_then(|end| end.to_str()).is_some_and(|end| ends.contains(&end))
                    && file.metadata().is_ok_and(|data| data.len() > 0)
            })
            .collect();
        let file = data[dice.below(data.len())];
        let how = damage_file(file, &mut dice);
        let output = memora.run(&SEARCH);
        assert_no_panic(&output);
        assert_eq!(output.stdout, expect, "round {round}: {} {how}\n{}", file.display(), output.stderr);
    }
}

#[test]
fn lexical_folders_that_were_swapped_are_made_anew() {
    let fixture = example();
    let memora = memora(&fixture);
    let _ = memora.run(&["index"]).assert_code(0);
    let expect = memora.run(&SEARCH).stdout;
    let lexical = find_folder(&memora, "lexical");
    let (public, secret, aside) = (lexical.join("public"), lexical.join("secret"), lexical.join("aside"));
    for (from, to) in [(&public, &aside), (&secret, &public), (&aside, &secret)] {
        std::fs::rename(from, to).expect("the folder can be renamed");
    }
    let output = memora.run(&SEARCH);
    assert_no_panic(&output);
    assert_eq!(output.stdout, expect, "{}", output.stderr);
}

#[test]
fn a_folder_in_the_place_of_a_database_is_set_aside() {
    let fixture = example();
    let memora = memora(&fixture).at_local_door();
    let _ = memora.run(&["index"]).assert_code(0);
    let expect = memora.run(&SEARCH).assert_code(0).stdout;
    let database = files_below(&memora.state_dir()).into_iter().find(|file| file.ends_with("index.db"));
    let database = database.expect("an index");
    for suffix in ["", "-wal", "-shm"] {
        drop(std::fs::remove_file(PathBuf::from(format!("{}{suffix}", database.display()))));
    }
    std::fs::create_dir(&database).expect("a folder can be made");
    std::fs::write(database.join("stranger"), "x").expect("a file can be written");
    let output = memora.run(&SEARCH).assert_code(0);
    assert_no_panic(&output);
    assert_eq!(output.stdout, expect);
    assert!(output.stderr.contains("made anew"), "{output}");
}

#[test]
fn an_index_with_damaged_pages_is_mended_by_what_the_hint_says() {
    let fixture = example();
    let memora = memora(&fixture).at_local_door();
    let mut dice = Dice(0xdb00_0000_0000_0001);
    for round in 0..rounds(3) {
        let _ = memora.run(&["index"]).assert_code(0);
        let expect = memora.run(&SEARCH).assert_code(0).stdout;
        let database = files_below(&memora.state_dir()).into_iter().find(|file| file.ends_with("index.db"));
        let database = database.expect("an index");
        let mut bytes = std::fs::read(&database).expect("the index can be read");
        for _ in 0..24 {
            let page = 4096 * (1 + dice.below(bytes.len() / 4096 - 1));
            bytes[page..page + 64].iter_mut().for_each(|byte| *byte ^= 0xff);
        }
        std::fs::write(&database, bytes).expect("the index can be written");
        assert_no_panic(&memora.run(&SEARCH));
        let _ = memora.run(&["index"]).assert_code(0);
        assert_eq!(memora.run(&SEARCH).assert_code(0).stdout, expect, "round {round}");
    }
}

#[cfg(unix)]
#[test]
fn few_open_files_are_an_error_and_no_damage() {
    let fixture = example();
    let memora = memora(&fixture).at_local_door();
    let _ = memora.run(&["index"]).assert_code(0);
    let expect = memora.run(&SEARCH).assert_code(0).stdout;
    let limited = |limit: u32, args: &[&str]| {
        let script = format!("ulimit -n {limit}; exec \"$0\" \"$@\"");
        let mut command = wrap(&memora.command(args), &["sh", "-c", &script]);
        CommandOutput::new(args.join(" "), command.output().expect("a shell can be started"))
    };
    for limit in [12, 16, 20, 24] {
        fixture.write("Few.md", format!("Anna has {limit} files open.\n"));
        let output = limited(limit, &["index"]);
        assert!(!output.stderr.contains("panicked"), "{limit} open files: {output}");
        assert!(output.exit == Some(0) || output.stderr.contains("hint:"), "{limit} open files: {output}");
    }
    std::fs::remove_file(fixture.path("Few.md")).expect("the note can be removed");
    let _ = memora.run(&["index"]).assert_code(0);
    assert_eq!(memora.run(&SEARCH).assert_code(0).stdout, expect);
}
