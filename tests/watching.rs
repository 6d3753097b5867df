//! `memora watch`: whatever happens to the vault, the index is as one made at once; and where nothing happens, nothing is
//! done.
//!
//! `export` and `index` catch up themselves and would hide what was missed. So it is first ended, and then a whole walk
//! has to find nothing left to do.

use std::fs;
use std::process::Command;
use std::time::Duration;

use memora_testkit::{Fixture, MemoraBinary, TreeSnapshot};
use serde_json::Value;

use crate::leaks::guarded;
use crate::support::{Watch, binary, example, lines, memora, read};

/// Ends it, and asserts that it had left nothing to do, and that its index is what one made at once is.
#[track_caller]
fn assert_like_one_made_at_once(watch: Watch, fixture: &Fixture, watched: &MemoraBinary) {
    let _ = watch.end("-TERM").assert_code(0);
    let index = watched.at_local_door().run(&["index", "--json"]).assert_code(0).json();
    for count in ["changed", "removed", "renamed"] {
        assert_eq!(index["notes"][count], 0, "{count} was left to do: {}", index["notes"]);
    }
    let export = |memora: &MemoraBinary| memora.at_local_door().run(&["export", "--canonical"]).assert_code(0).stdout;
    let (grown, at_once) = (export(watched), export(&memora(fixture)));
    assert!(!at_once.is_empty());
    assert!(grown == at_once, "the exports differ, in {} and {} bytes", grown.len(), at_once.len());
}

/// Writes one more note, and waits until it is indexed: by then whatever was heard of before is.
#[track_caller]
fn settle(watch: &Watch, fixture: &Fixture) -> Vec<Value> {
    fixture.write("the last one.md", "The storm is over.\n");
    let notes = TreeSnapshot::take(fixture.vault()).file_names().filter(|file| is_note(file)).count();
    watch.until(|line| line["notes"]["seen"] == notes && line["fresh"] == true)
}

fn is_note(file: &str) -> bool {
    file.ends_with(".md") && !file.starts_with(".git/")
}

/// Runs git in the vault, with nothing of this machine's settings.
pub(crate) fn git(fixture: &Fixture, args: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(fixture.vault()).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    git.args(["-c", "user.name=M", "-c", "user.email=m@example.org", "-c", "gc.auto=0"]).args(args);
    let output = git.output().expect("git is there");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Saves as Vim does: the note is moved away, written anew, and the old one deleted.
fn save_like_vim(fixture: &Fixture, note: &str, text: &str) {
    let backup = format!("{note}~");
    fixture.write("4913", "");
    fixture.remove("4913");
    fs::rename(fixture.path(note), fixture.path(&backup)).expect("a rename");
    fixture.write(note, text);
    fixture.remove(&backup);
}

/// Saves as Syncthing does, and editors that save atomically: a whole file is put in the note's place.
fn save_by_renaming(fixture: &Fixture, note: &str, text: &str) {
    let (folder, name) = note.rsplit_once('/').expect("a note in a folder");
    let temporary = format!("{folder}/.syncthing.{name}.tmp");
    fixture.write(&temporary, text);
    fs::rename(fixture.path(&temporary), fixture.path(note)).expect("a rename");
}

const NOTES: usize = 2000;

fn note(number: usize) -> String {
    format!("folder {}/deep {}/note {number}.md", number % 20, number % 3)
}

/// The storm: 2,000 notes changed by a checkout, editors that save by renaming, a note saved fifty times, a folder renamed.
#[test]
fn after_a_storm_the_index_is_as_one_made_at_once() {
    let fixture = Fixture::from_notes(&[]);
    let said = |number: usize, state: &str| format!("# Gate {number}\n\nGate {number} is {state}.\n\n- owner: Anna\n");
    for number in 0..NOTES {
        fixture.write(&note(number), said(number, "open"));
    }
    git(&fixture, &["init", "--quiet", "--initial-branch=open"]);
    git(&fixture, &["add", "."]);
    git(&fixture, &["commit", "--quiet", "-m", "open"]);
    git(&fixture, &["checkout", "--quiet", "-b", "closed"]);
    for number in 0..NOTES {
        fixture.write(&note(number), said(number, "closed"));
    }
    // Some go and some come, folders with them.
    fs::remove_dir_all(fixture.path("folder 7")).expect("a folder can go");
    fixture.write("only here/deep/er/new.md", "Gate 9999 is new.\n");
    git(&fixture, &["add", "--all", "."]);
    git(&fixture, &["commit", "--quiet", "-m", "closed"]);
    git(&fixture, &["checkout", "--quiet", "open"]);

    let memora = memora(&fixture);
    let watch = Watch::begun(&memora, &[]);
    git(&fixture, &["checkout", "--quiet", "closed"]);
    for number in 0..50 {
        fixture.write("folder 0/draft.md", format!("The draft has version {number}.\n"));
        save_by_renaming(&fixture, &note(1), &format!("Gate 1 was painted {number} times.\n"));
        if number % 10 == 0 {
            save_like_vim(&fixture, &note(2), &format!("Gate 2 was oiled {number} times.\n"));
        }
    }
    // Whoever reads meanwhile is answered, as far as what was indexed still stands.
    let meanwhile = memora.at_local_door().run(&["search", "gate", "--json"]);
    assert!(meanwhile.exit.is_some_and(|code| code < 2) && meanwhile.json()["hits"].is_array(), "{meanwhile}");
    fs::rename(fixture.path("folder 3"), fixture.path("a new name")).expect("a rename");
    fixture.write("a new name/deep 0/another.md", "It was written into a folder just renamed.\n");
    fs::rename(fixture.path("folder 4/deep 1"), fixture.path("folder 5/moved")).expect("a rename");
    settle(&watch, &fixture);
    assert_like_one_made_at_once(watch, &fixture, &memora);
}

#[test]
fn a_change_is_taken_in_and_a_touch_is_none() {
    let fixture = Fixture::from_notes(&[("a.md", "The gate is open.\n"), ("b.md", "Anna keeps bees.\n")]);
    let memora = memora(&fixture).at_local_door();
    let watch = Watch::begun(&memora, &[]);
    // The same bytes again, and files that are no notes.
    fixture.write("a.md", "The gate is open.\n");
    fixture.write("picture.png", "x");
    fixture.write("b.md", "Anna keeps two goats behind the old mill.\n");
    let line = watch.line();
    assert_eq!((&line["why"], &line["notes"]["changed"]), (&"changed".into(), &1.into()), "{line}");
    assert!(line["claims"]["added"].as_u64().is_some_and(|added| added > 0), "{line}");
    fixture.remove("b.md");
    let line = watch.line();
    assert_eq!((&line["notes"]["seen"], &line["notes"]["removed"]), (&1.into(), &1.into()), "{line}");
    fs::rename(fixture.path("a.md"), fixture.path("c.md")).expect("a rename");
    let line = watch.line();
    assert_eq!(line["notes"]["renamed"], 1, "{line}");
    assert_like_one_made_at_once(watch, &fixture, &memora);
}

/// What decides about notes: the vault's rules, ignore files, Obsidian's settings.
#[test]
fn settings_that_change_hold_for_every_note() {
    let fixture = Fixture::from_notes(&[("a.md", "The gate is open.\n"), ("drafts/b.md", "Anna keeps bees.\n")]);
    let memora = memora(&fixture);
    let watch = Watch::begun(&memora, &[]);
    fixture.write(".memora/config.toml", "[[privacy.rules]]\npath = \"drafts/**\"\nband = \"secret\"\n");
    let line = watch.line();
    assert_eq!((&line["why"], &line["notes"]["changed"]), (&"walked".into(), &2.into()), "{line}");
    fixture.write(".gitignore", "a.md\n");
    watch.until(|line| line["notes"]["seen"] == 1);
    fixture.write(".obsidian/app.json", "{\"userIgnoreFilters\": [\"drafts/\"]}");
    watch.until(|line| line["notes"]["seen"] == 0);
    fixture.remove(".gitignore");
    fixture.remove(".obsidian/app.json");
    watch.until(|line| line["notes"]["seen"] == 2);
    assert_like_one_made_at_once(watch, &fixture, &memora);
}

#[test]
fn the_users_own_configuration_is_read_again_and_a_broken_one_changes_nothing() {
    let fixture = Fixture::from_notes(&[("a.md", "The gate is open.\n")]);
    let memora = memora(&fixture).at_local_door();
    let watch = Watch::begun(&memora, &[]);
    memora.write_config("[[privacy.rules]\n");
    watch.says("the index stays as it is");
    watch.says("hint: ");
    memora.write_config("[privacy]\nunmarked = \"private\"\n");
    let line = watch.line();
    assert_eq!((&line["why"], &line["notes"]["changed"]), (&"walked".into(), &1.into()), "{line}");
    let _ = watch.end("-TERM").assert_code(0);
    let claims = memora.run(&["claims", "--json"]).assert_code(0).json();
    assert_eq!(claims["claims"][0]["band"], "private", "{claims}");
}

#[test]
fn another_process_that_writes_is_waited_for() {
    let fixture = Fixture::from_notes(&[("a.md", "The gate is open.\n")]);
    let memora = memora(&fixture);
    let watch = Watch::begun(&memora, &[]);
    let vaults = fs::read_dir(memora.state_dir().join("vaults")).expect("there is state").flatten();
    let state = vaults.map(|entry| entry.path()).find(|path| path.is_dir()).expect("of this vault");
    let lock = fs::File::options().write(true).open(state.join("write.lock")).expect("it was written before");
    lock.lock().expect("nobody holds it");
    fixture.write("b.md", "Anna keeps bees.\n");
    watch.says("another memora process is indexing");
    lock.unlock().expect("it was locked");
    assert_eq!(watch.line()["notes"]["seen"], 2);
    assert_like_one_made_at_once(watch, &fixture, &memora);
}

#[test]
fn where_nothing_can_be_heard_the_vault_is_walked() {
    let fixture = Fixture::from_notes(&[("a.md", "The gate is open.\n")]);
    let memora = memora(&fixture);
    let watch = Watch::begun(&memora, &["--poll"]);
    watch.says("walked every few seconds");
    fixture.write("folder/b.md", "Anna keeps bees.\n");
    let line = watch.line();
    assert_eq!((&line["why"], &line["notes"]["seen"]), (&"walked".into(), &2.into()), "{line}");
    assert_like_one_made_at_once(watch, &fixture, &memora);
}

/// A user namespace has limits of its own, which its maker may set. Where none can be made, there is nothing to see.
#[cfg(target_os = "linux")]
#[test]
fn limits_of_the_system_are_said_and_gone_around() {
    let fixture = Fixture::from_notes(&[("a.md", "The gate is open.\n"), ("b/c.md", "Anna keeps bees.\n")]);
    for (limit, words) in
        [("max_inotify_watches", "watches no more folders"), ("max_inotify_instances", "no more watches")]
    {
        let memora = memora(&fixture);
        let script = format!("echo 0 > /proc/sys/user/{limit} || exit 77; exec \"$0\" watch --json");
        let mut shell = Command::new("unshare");
        shell.args(["--user", "--map-root-user", "sh", "-c", &script]).arg(binary());
        let plain = memora.command(&["watch"]);
        shell.env_clear().env("PATH", "/usr/bin:/bin");
        shell.envs(plain.get_envs().filter_map(|(key, value)| Some((key, value?))));
        let possible = Command::new("unshare")
            .args(["--user", "--map-root-user", "sh", "-c", &format!("echo 0 > /proc/sys/user/{limit}")])
            .stderr(std::process::Stdio::null())
            .status();
        if !possible.is_ok_and(|status| status.success()) {
            return;
        }
        shell.stdin(std::process::Stdio::null());
        shell.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let watch = Watch::start(&mut shell);
        assert_eq!(watch.line()["why"], "begun");
        watch.says(words);
        watch.says("hint: sudo sysctl fs.inotify.");
        fixture.write("b/d.md", format!("It was written under {limit}.\n"));
        assert_eq!(watch.line()["notes"]["changed"], 1);
        assert_like_one_made_at_once(watch, &fixture, &memora);
        fixture.remove("b/d.md");
    }
}

/// No test of speed: processor time, of which a process that waits has none, whatever else the machine does.
#[cfg(target_os = "linux")]
#[test]
fn an_idle_watch_takes_no_processor_time() {
    /// Hundredths of a second in user and kernel mode, of all threads.
    fn ticks(id: u32) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).expect("the process is there");
        let fields: Vec<&str> = stat.rsplit_once(')').expect("a name").1.split_whitespace().collect();
        let number = |at: usize| fields[at].parse::<u64>().expect("a number");
        number(11) + number(12)
    }
    let fixture = example();
    let memora = memora(&fixture);
    let watch = Watch::begun(&memora, &[]);
    // Once after the first line, then after a change: both times it comes to rest.
    for round in 0..2 {
        while {
            let before = ticks(watch.id());
            !watch.is_silent_for(Duration::from_secs(1)) || ticks(watch.id()) > before
        } {}
        let before = ticks(watch.id());
        assert!(watch.is_silent_for(Duration::from_secs(4)));
        let took = ticks(watch.id()) - before;
        assert!(took <= 2, "round {round}: {took} hundredths of a second in four seconds of nothing");
        fixture.write("one more.md", format!("It is round {round}.\n"));
        watch.line();
    }
}

#[test]
fn it_ends_when_it_is_told_to_and_says_nothing_of_it() {
    for signal in ["-INT", "-TERM"] {
        let fixture = Fixture::from_notes(&[("a.md", "The gate is open.\n")]);
        let memora = memora(&fixture);
        let watch = Watch::begun(&memora, &[]);
        let ended = watch.end(signal).assert_code(0);
        assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""), "{ended}");
    }
}

#[test]
fn a_cloud_door_is_told_counts_and_the_vault_stays_as_it_is() {
    let (fixture, words) = (example(), guarded());
    let memora = memora(&fixture);
    let watch = Watch::begun(&memora, &[]);
    let secret = fixture.read("journal/2024-07-21.md");
    fixture.write("journal/2024-07-21.md", format!("{secret}\nAnd one line more.\n"));
    let line = watch.line();
    assert_eq!((&line["notes"]["changed"], &line["claims"]), (&1.into(), &Value::Null), "{line}");
    fs::rename(fixture.path("journal/2024-07-21.md"), fixture.path("journal/2024-07-20.md")).expect("a rename");
    let renamed = watch.line();
    let before = TreeSnapshot::take(fixture.vault());
    fixture.write("the last one.md", "The storm is over.\n");
    watch.until(|line| line["notes"]["changed"] == 1);
    fixture.remove("the last one.md");
    let ended = watch.end("-TERM").assert_code(0);
    let difference = before.difference(&TreeSnapshot::take(fixture.vault()));
    assert!(lines(&difference).all(|line| line.starts_with(". ") || line.starts_with(".:")), "{difference}");
    let said = format!("{line}{renamed}{}{}", ended.stdout, ended.stderr).to_lowercase();
    let leaked: Vec<&String> = words.iter().filter(|word| said.contains(*word)).collect();
    assert!(leaked.is_empty() && !said.contains("2024-07"), "{leaked:?} in {said}");
}

/// A block of a language out of the page about watching.
fn block(language: &str) -> String {
    let page = read("docs/watch.md");
    let after = page.split_once(&format!("```{language}\n")).expect("there is one").1;
    after.split_once("```").expect("it ends").0.to_owned()
}

#[test]
fn the_service_of_systemd_is_one() {
    let unit = block("ini");
    let start = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).expect("it starts something");
    assert_eq!(start, "%h/.cargo/bin/memora --vault %h/Vault watch");
    let fixture = Fixture::from_notes(&[]);
    let file = fixture.parent_dir().join("memora-watch.service");
    fs::write(&file, unit.replace("%h/.cargo/bin/memora", &binary().display().to_string())).expect("a file");
    // Where there is no systemd, its form is all that can be looked at.
    let mut verify = Command::new("systemd-analyze");
    verify.env("XDG_RUNTIME_DIR", fixture.parent_dir()).args(["verify", "--user", "--man=no"]).arg(&file);
    let verified = verify.output();
    if let Ok(output) = verified {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!said.contains("memora-watch.service:"), "{said}");
    }
}

#[test]
fn the_property_list_of_launchd_is_one() {
    let list = block("xml");
    let mut open: Vec<&str> = Vec::new();
    for tag in list.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag) {
        let name = tag.split(' ').next().unwrap_or_default();
        match name.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "in {list}"),
            None if tag.starts_with(['?', '!']) || tag.ends_with('/') => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?} are left open");
    let words = |text: &str| {
        text.split("<string>").skip(1).map(|s| s.split('<').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let arguments = list.split_once("<array>").and_then(|(_, rest)| rest.split_once("</array>")).expect("an array").0;
    assert_eq!(words(arguments), ["/Users/me/.cargo/bin/memora", "--vault", "/Users/me/Vault", "watch"]);
}
