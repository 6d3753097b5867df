//! What goes wrong is said in words, with a hint and the right exit code, and nothing is lost by it.
//!
//! Exit 2 is a failure or wrong usage; exit 1 says that the command ran and could not confirm something.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::Command;

use memora_testkit::{CommandOutput, Fixture, MemoraBinary, ModelServer, ScriptedReply, ShowReply};
use serde_json::json;

use crate::support::{indexed_example, masked, memora};

/// A vault of two notes that is read without fault, and its runner.
fn small() -> (Fixture, MemoraBinary) {
    let fixture = Fixture::from_notes(&[
        ("Anna.md", "# Anna\n\nAnna works at Tidewell since May 2025.\n"),
        ("drift.md", "# drift\n\nThe version of drift is 1.1.2.\n"),
    ]);
    let memora = memora(&fixture);
    (fixture, memora)
}

fn export(memora: &MemoraBinary) -> String {
    memora.at_local_door().run(&["export", "--canonical"]).assert_code(0).stdout
}

#[test]
fn a_path_that_is_no_folder_is_refused() {
    let (fixture, memora) = small();
    for (path, words) in [("nowhere", "no such folder"), ("Anna.md", "not a folder")] {
        let path = fixture.path(path);
        for command in [&["index"][..], &["status"], &["ask", "Where?"], &["reset"]] {
            let output = memora.run(&[command, &["--vault", path.to_str().expect("a plain path")]].concat());
            output.assert_failed(words);
        }
    }
}

#[test]
fn without_a_vault_named_one_is_looked_for_and_the_place_of_the_search_is_said() {
    let (fixture, memora) = small();
    memora.without_vault().run(&["index"]).assert_failed("no vault at or above");
    let output = memora.without_vault().command(&["index"]).current_dir(fixture.vault()).output().expect("it starts");
    let _ = CommandOutput::new("index", output).assert_code(0);
}

#[test]
fn a_vault_without_notes_is_no_vault_that_was_indexed() {
    let fixture = Fixture::from_notes(&[("picture.png", "no text"), ("board.canvas", "{}")]);
    let memora = memora(&fixture);
    for command in [&["index"][..], &["search", "x"], &["ask", "x"], &["claims"], &["export"]] {
        memora.run(command).assert_failed("there are no notes in");
    }
    // What tells why there are none must not fail for want of them.
    let _ = memora.run(&["status"]).assert_code(0);
    let doctor = memora.run(&["doctor"]).assert_code(1);
    assert!(doctor.stdout.contains("BAD  notes: there are no notes here"), "{doctor}");
}

#[test]
fn filters_that_no_note_passes_are_said_to_be_the_reason() {
    let (_fixture, memora) = small();
    for command in [&["ask", "Where does Anna work?"][..], &["search", "Anna"], &["claims"]] {
        let output = memora.at_local_door().run(&[command, &["--folder", "nowhere"]].concat()).assert_code(1);
        assert!(output.stderr.contains("no note matches the filters"), "{output}");
        assert!(output.stderr.contains("no folder \"nowhere\" holds notes"), "{output}");
        assert!(output.stderr.contains("hint:"), "{output}");
    }
    let output = memora.at_local_door().run(&["ask", "Who bakes rye bread?", "--note", "Anna.md"]).assert_code(1);
    assert!(!output.stderr.contains("no note matches"), "{output}");
}

#[test]
fn what_was_typed_is_named_as_it_was_typed() {
    let (fixture, memora) = small();
    memora.run(&["status", "--today", "foo"]).assert_failed("--today or MEMORA_TODAY: foo is not a day");
    memora.write_config("[search]\nfuson = \"ranks\"\n");
    let output = memora.run(&["status"]);
    assert!(output.stderr.contains("the keys of [search] are fusion, embedder and nearest"), "{output}");
    output.assert_failed("[search] has no key `fuson`");
    memora.write_config("");
    fixture.write("no-folder", "a file");
    let outside = fixture.parent_dir().join("no-folder");
    fs::write(&outside, "a file").expect("a file can be written");
    let output = memora.run(&["status", "--state-dir", outside.to_str().expect("a plain path")]);
    assert_eq!(output.stderr.matches("cannot use the state folder").count(), 1, "{output}");
    let reason = output.stderr.lines().next().unwrap_or_default().rsplit(": ").next().unwrap_or_default();
    assert_eq!(output.stderr.matches(reason).count(), 1, "{output}");
}

/// A folder that is named wrongly is told from one without an answer, and what is guarded is not offered in its place.
#[test]
fn a_folder_that_holds_no_notes_is_named_with_its_neighbours() {
    let fixture = Fixture::from_notes(&[
        ("Projects/drift.md", "# drift\n\nThe version of drift is 1.1.2.\n"),
        ("Project/hidden.md", "---\nprivacy: secret\n---\nThe code is 4711.\n"),
    ]);
    let memora = memora(&fixture);
    let told = |memora: &MemoraBinary, folder: &str| {
        memora.run(&["search", "drift", "--folder", folder]).assert_code(1).stderr
    };
    let cloud = told(&memora, "projcts");
    assert!(cloud.contains("no folder \"projcts\" holds notes") && cloud.contains("similar: Projects\n"), "{cloud}");
    let local = told(&memora.at_local_door(), "projcts");
    assert!(local.contains("similar: Projects, Project\n"), "{local}");
    // To others a folder with guarded notes alone is as one that is not there.
    assert!(told(&memora, "Project").contains("no folder \"Project\" holds notes"));
}

/// A note may be named by less than its path, as far as the name means one of the notes that the reader may see.
#[test]
fn a_note_is_named_by_its_name_and_an_ambiguous_name_lists_the_notes() {
    let fixture = Fixture::from_notes(&[
        ("people/Anna Brandt.md", "Anna works at Tidewell.\n"),
        ("people/Bruno.md", "Bruno works at Acme.\n"),
        ("old/Bruno.md", "Bruno worked at Pegelhaus.\n"),
        ("vault/Bruno.md", "---\nprivacy: secret\n---\nBruno works at Nowhere.\n"),
    ]);
    let memora = memora(&fixture);
    let paths = |memora: &MemoraBinary, note: &str| {
        let report = memora.run(&["claims", "--note", note, "--json"]).assert_code(0).json();
        let claims = report["claims"].as_array().expect("a list").clone();
        claims.iter().map(|claim| claim["place"]["path"].as_str().expect("a path").to_owned()).collect::<Vec<_>>()
    };
    for name in ["people/Anna Brandt.md", "Anna Brandt", "anna brandt.md", "people/Anna Brandt"] {
        assert_eq!(paths(&memora, name), ["people/Anna Brandt.md"], "{name}");
    }
    assert_eq!(paths(&memora, "old/bruno"), ["old/Bruno.md"]);
    for command in [&["claims"][..], &["search", "Bruno"], &["ask", "Where does Bruno work?"]] {
        let cloud = memora.run(&[command, &["--note", "Bruno"]].concat());
        let hinted = |output: &CommandOutput, path: &str| output.stderr.contains(&format!("hint: --note \"{path}\"\n"));
        assert!(hinted(&cloud, "old/Bruno.md") && hinted(&cloud, "people/Bruno.md"), "{cloud}");
        // A guarded note is as one that is not there.
        assert!(!cloud.stderr.contains("vault/"), "{cloud}");
        cloud.assert_failed("error: --note Bruno may mean 2 notes\n");
        let local = memora.at_local_door().run(&[command, &["--note", "Bruno"]].concat());
        assert!(hinted(&local, "vault/Bruno.md"), "{local}");
        local.assert_failed("error: --note Bruno may mean 3 notes\n");
    }
    assert_eq!(paths(&memora.at_local_door(), "vault/Bruno.md"), ["vault/Bruno.md"]);
    // What only the user may see is no note for others.
    let guarded = memora.run(&["claims", "--note", "vault/Bruno.md"]).assert_code(1);
    assert!(guarded.stderr.contains("no note matches the filters"), "{guarded}");
}

/// A notice that guarded text is withheld says something only where there is some.
#[test]
fn where_nothing_is_guarded_nothing_is_said_to_be_withheld() {
    let (fixture, memora) = small();
    for command in [&["index"][..], &["ask", "Where does Anna work?"], &["search", "drift"], &["claims"]] {
        let output = memora.run(command).assert_code(0);
        assert_eq!(output.stderr, "", "{output}");
    }
    fixture.write(
        "drift.md",
        "# drift\n\nThe version of drift is 1.1.2. <!--privacy:private-->The port of drift is 7070.<!--/privacy-->\n",
    );
    let output = memora.run(&["search", "drift"]).assert_code(0);
    assert!(output.stderr.contains("guarded text is withheld"), "{output}");
}

/// `index`, `status` and `privacy audit` count the same notes, each once.
#[cfg(unix)]
#[test]
fn every_command_counts_the_same_notes() {
    let (fixture, memora) = small();
    fixture.write("latin.md", b"Caf\xe9 is closed on Mondays.\n");
    fixture.write("empty.md", " \n\n");
    std::os::unix::fs::symlink(fixture.path("gone.md"), fixture.path("dangling.md")).expect("a link can be made");
    let run = |command: &[&str]| memora.at_local_door().run(&[command, &["--json"]].concat()).assert_code(0).json();
    let (index, status, audit) = (run(&["index"]), run(&["status"]), run(&["privacy", "audit"]));
    assert_eq!(index["notes"]["seen"], 2);
    assert_eq!(index["notes"]["skipped"].as_array().map(Vec::len), Some(3), "{index}");
    for report in [&status, &audit] {
        assert_eq!((&report["notes"]["public"], &report["skipped"]), (&2.into(), &3.into()), "{report}");
    }
    let doctor = memora.at_local_door().run(&["doctor"]).assert_code(1).stdout;
    assert!(doctor.contains("unreadable: 1 file or folder cannot be read: dangling.md"), "{doctor}");
}

/// What is told of the model that is configured: by `status` without asking anybody, by `doctor` after asking its server.
#[test]
fn a_model_that_cannot_be_asked_is_told_with_the_reason() {
    let (_fixture, memora) = small();
    let memora = memora.at_local_door();
    let told = |lines: &str| {
        memora.write_config(&format!("[model]\nname = \"scripted\"\n{lines}"));
        let doctor = memora.run(&["doctor"]);
        let line = doctor.stdout.lines().find(|line| line.contains("language model: ")).unwrap_or_default();
        let status = memora.run(&["status", "--json"]).assert_code(0).json();
        let ask = memora.run(&["ask", "Where does Anna work?"]);
        masked(&format!("{line}\nplace {}, exit {:?}\n{}", status["model"]["place"], ask.exit, ask.stderr))
    };
    let near = "provider = \"ollama\"\ntrusted_local = true\n";
    let gone = ModelServer::start(Vec::new()).address().to_owned();
    insta::assert_snapshot!(told(&format!("{near}url = \"{gone}\"\n")), @r#"
        BAD  language model: scripted (ollama) at 127.0.0.1:PORT: its server cannot be reached
        place "here_if_confirmed", exit Some(2)
        note: scripted at 127.0.0.1:PORT cannot be reached
        error: cannot reach 127.0.0.1:PORT, tried 3 times: error sending request: client error (Connect): tcp connect error: Connection refused
        hint: check that it runs and that model.url is its address
        hint: --offline answers in the notes' own words
        "#);

    let server = ModelServer::start_with_show(ShowReply::Unknown, vec![ScriptedReply::EchoError(404)]);
    insta::assert_snapshot!(told(&format!("{near}url = \"{}\"\n", server.address())), @r#"
        BAD  language model: scripted (ollama) at 127.0.0.1:PORT: its server knows no model of this name
        place "here_if_confirmed", exit Some(2)
        note: 127.0.0.1:PORT knows no model scripted
        error: 127.0.0.1:PORT knows no such model or address (404)
        hint: check model.name and model.url; for Ollama, fetch the model: ollama pull NAME
        hint: --offline answers in the notes' own words
        "#);

    let server = ModelServer::start(vec![ScriptedReply::text("")]);
    insta::assert_snapshot!(told(&format!("{near}url = \"{}\"\n", server.address())), @r#"
        ok   language model: scripted (ollama) at 127.0.0.1:PORT: on this machine, and trusted with what is guarded
        place "here_if_confirmed", exit Some(2)
        error: what scripted replies is empty, asked 3 times
        hint: raise model.tokens_max, which a model may use up in thought, or name another model
        hint: --offline answers in the notes' own words
        "#);
    insta::assert_snapshot!(told(&format!("provider = \"ollama\"\nurl = \"{}\"\n", server.address())), @r#"
        ok   language model: scripted (ollama) at 127.0.0.1:PORT: elsewhere, since the configuration does not say trusted_local = true
        place "elsewhere", exit Some(2)
        note: scripted is treated as remote, so guarded text is kept from it: the configuration does not say trusted_local = true
        error: what scripted replies is empty, asked 3 times
        hint: raise model.tokens_max, which a model may use up in thought, or name another model
        hint: --offline answers in the notes' own words
        "#);
    let status = memora.run(&["status"]).assert_code(0).stdout;
    assert!(status.contains("language model: scripted (ollama) at 127.0.0.1:"), "{status}");
    memora.run(&["ask", "Where does Anna work?", "--model", " "]).assert_failed("is not the name of a model");

    // Nothing is sent without the key that a provider asks for at its own address.
    insta::assert_snapshot!(told("provider = \"anthropic\"\n"), @r#"
        BAD  language model: scripted (anthropic) at api.anthropic.com:443: there is no key for api.anthropic.com:443: the variable ANTHROPIC_API_KEY is not set
        place "elsewhere", exit Some(2)
        error: there is no key for api.anthropic.com:443: the variable ANTHROPIC_API_KEY is not set
        hint: set that variable, or name another with model.key_env, or a program that prints the key with model.key_command
        hint: --offline answers in the notes' own words
        "#);
}

/// A permission, an encoding, a link: each note that cannot be read is reported with a hint, and the others are indexed.
#[test]
fn a_note_that_cannot_be_read_is_reported_and_the_others_are_indexed() {
    let (fixture, memora) = small();
    let whole = export(&memora);
    fixture.write("latin.md", b"Caf\xe9 is closed on Mondays.\n");
    fixture.write("empty.md", " \n\n");
    let mut expected = vec![("empty.md", "empty"), ("latin.md", "not-utf8")];
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let outside = fixture.parent_dir().join("outside.md");
        fs::write(&outside, "Outside is a secret of somebody else.\n").expect("a file can be written");
        symlink(&outside, fixture.path("away.md")).expect("a link can be made");
        symlink(fixture.path("gone.md"), fixture.path("dangling.md")).expect("a link can be made");
        symlink(fixture.vault(), fixture.path("round")).expect("a link can be made");
        expected.extend([("away.md", "link-outside"), ("dangling.md", "unreadable")]);
        fixture.write("locked.md", "Locked is closed.\n");
        fs::set_permissions(fixture.path("locked.md"), fs::Permissions::from_mode(0o000)).expect("an own file");
        // Whoever runs as root may read it all the same.
        if fs::read(fixture.path("locked.md")).is_err() {
            expected.push(("locked.md", "unreadable"));
        } else {
            fixture.remove("locked.md");
        }
    }
    expected.sort_unstable();
    let report = memora.at_local_door().run(&["index", "--json"]).assert_code(0).json();
    let skipped = report["notes"]["skipped"].as_array().expect("a list");
    let found: Vec<(&str, &str)> =
        skipped.iter().filter_map(|note| Some((note["path"].as_str()?, note["reason"].as_str()?))).collect();
    assert_eq!(found, expected);
    assert!(skipped.iter().all(|note| note["hint"].as_str().is_some_and(|hint| !hint.is_empty())), "{report}");
    assert_eq!(export(&memora), whole);
    assert!(!whole.contains("Outside"));
    let text = memora.at_local_door().run(&["index"]).assert_code(0).stdout;
    assert!(text.contains("skipped: latin.md: not-utf8\n  hint: save it as UTF-8"), "{text}");
    // At a cloud door nobody knows how secret they are.
    let cloud = memora.run(&["index", "--json"]).assert_code(0);
    assert_eq!(cloud.json()["notes"]["skipped"].as_array().map(Vec::len), Some(expected.len()));
    assert!(!cloud.stdout.contains("latin.md"), "{cloud}");
}

#[test]
fn a_note_that_becomes_unreadable_goes_and_comes_back() {
    let (fixture, memora) = small();
    let whole = export(&memora);
    let text = fixture.read("Anna.md");
    fixture.write("Anna.md", b"Anna \xff works.\n");
    let without = memora.at_local_door().run(&["index", "--json"]).assert_code(0).json();
    assert_eq!(without["notes"]["removed"], 1);
    assert_eq!(without["notes"]["skipped"][0]["path"], "Anna.md");
    let _ = memora.run(&["search", "Tidewell"]).assert_code(1);
    fixture.write("Anna.md", text);
    assert_eq!(export(&memora), whole);
}

#[test]
fn a_configuration_that_cannot_be_read_stops_everything() {
    let (_fixture, memora) = small();
    for (toml, words) in [
        ("[[privacy", "config.toml cannot be read: not valid TOML, line 1"),
        ("[[privacy.rules]]\nglob = \"[\"\nband = \"secret\"\n", "the glob of privacy rule 1 is not valid"),
        ("[[privacy.rules]]\nglob = \"a/**\"\n", "missing key"),
        ("[privcy]\n", "unknown key"),
        ("[cloud]\nsees = \"secret\"\n", "cloud.sees must be"),
    ] {
        memora.write_config(toml);
        for command in [&["index"][..], &["ask", "Where does Anna work?"], &["export"]] {
            memora.run(command).assert_failed(words);
        }
    }
    memora.write_config("");
    let _ = memora.run(&["index"]).assert_code(0);
}

/// A slip in a word of privacy is read as the strictest, and not in silence.
#[test]
fn a_band_that_does_not_exist_is_read_as_secret_and_said() {
    let (_fixture, memora) = small();
    memora.write_config("[[privacy.rules]]\nglob = \"Anna.md\"\nband = \"sekret\"\n");
    let output = memora.run(&["search", "Tidewell"]).assert_code(1);
    assert!(output.stderr.contains("`privacy.rules[1].band` in your config.toml is not a privacy band"), "{output}");
    assert!(output.stderr.contains("hint: write public, private or secret"), "{output}");
    let _ = memora.run(&["doctor"]).assert_code(1);
}

/// A configuration of an earlier version still works, and what it asks for in vain is said.
#[test]
fn a_key_that_is_gone_is_ignored_and_said() {
    let (_fixture, memora) = small();
    memora.write_config("[verify]\nentailment = \"nli-deberta-v3-xsmall\"\nentailed_from = 0.9\n");
    let output = memora.run(&["index"]).assert_code(0);
    assert!(output.stderr.contains("gone, and ignored in your config.toml: verify."), "{output}");
    assert!(output.stderr.contains("hint: take them out: no network reads sentences here"), "{output}");
    let report = memora.at_local_door().run(&["doctor", "--json"]).assert_code(1).json();
    let settings = report["checks"].as_array().and_then(|checks| checks.iter().find(|c| c["name"] == "settings"));
    let settings = settings.expect("settings are looked at");
    assert_eq!(settings["ok"], false);
    assert!(settings["found"].as_str().is_some_and(|said| said.contains("`verify.entailment` is gone")), "{settings}");
    memora.write_config("[verify]\nreader = \"x\"\n");
    memora.run(&["index"]).assert_failed("[verify] has the key strict");
}

/// What a vault brings along cannot be read: nothing of it may be taken for less secret than it is.
#[test]
fn a_vault_whose_own_rules_cannot_be_read_is_said_to_be_unhealthy() {
    let (fixture, memora) = small();
    for toml in ["[[privacy", "[[privacy.rules]]\nglob = \"[\"\nband = \"secret\"\n"] {
        fixture.write(".memora/config.toml", toml);
        let report = memora.at_local_door().run(&["doctor", "--json"]).assert_code(1).json();
        let settings = report["checks"].as_array().and_then(|checks| checks.iter().find(|c| c["name"] == "settings"));
        let settings = settings.expect("settings are looked at");
        assert_eq!(settings["ok"], false);
        assert!(settings["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{settings}");
        for memora in [&memora, &memora.at_local_door()] {
            let output = memora.run(&["index"]).assert_code(0);
            assert!(
                output.stderr.contains("could not be read") || output.stderr.contains("read as secret"),
                "{output}"
            );
        }
        let _ = memora.run(&["search", "Tidewell"]).assert_code(1);
    }
}

#[test]
fn an_empty_question_is_wrong_usage() {
    let (_fixture, memora) = small();
    for question in ["", " ", "\t\n"] {
        memora.run(&["ask", question]).assert_failed("there is nothing to look for");
        memora.run(&["search", question]).assert_failed("there is nothing to look for");
    }
}

#[test]
fn an_unknown_id_fails_like_a_malformed_one_for_every_command() {
    let (_fixture, memora) = small();
    for memora in [&memora, &memora.at_local_door()] {
        for command in [&["why"][..], &["why", "--json"], &["keep"], &["retract"], &["restore"]] {
            let unknown = memora.run(&[command, &["7H3KQ0V9X2MA"]].concat());
            unknown.assert_failed("error: there is no claim 7h3kq0v9x2ma\n");
        }
        for malformed in ["", "x", "7h3kq0v9x2m", "7h3kq0v9x2maa", "7h3kq0v9x2ma.", "7h3kq0v9x2ma.xxx", "Ünïcödé"] {
            memora.run(&["why", malformed]).assert_failed("error: ");
        }
        memora.run(&["why", "~abcdefgh2345"]).assert_failed("guarded");
    }
}

#[test]
fn a_filter_that_cannot_be_read_is_wrong_usage() {
    let (_fixture, memora) = small();
    for (filter, words) in [
        (["--since", "whenever"], "this is not a date"),
        (["--until", "2025-13"], "this is not a date"),
        (["--since", "2025-02-30"], "this is not a date"),
        (["--where", "status"], "--where needs"),
        (["--note", "../Anna.md"], "error: "),
        (["--note", "/etc/passwd"], "error: "),
        (["--note", ""], "error: "),
    ] {
        for command in [&["claims"][..], &["search", "Anna"], &["ask", "Where?"]] {
            memora.run(&[command, &filter].concat()).assert_failed(words);
        }
    }
    let output = memora.command(&["status"]).env("MEMORA_TODAY", "tomorrow").output().expect("it starts");
    CommandOutput::new("status", output).assert_failed("MEMORA_TODAY: tomorrow is not a day");
}

#[test]
fn arguments_that_do_not_exist_are_wrong_usage() {
    let (_fixture, memora) = small();
    for args in [&["frobnicate"][..], &[], &["ask"], &["search", "x", "--limit", "many"], &["index", "--quickly"]] {
        let output = memora.run(args).assert_code(2);
        assert!(output.stdout.is_empty() && output.stderr.contains("--help"), "{output}");
    }
}

#[test]
fn a_text_to_verify_that_cannot_be_read_is_a_failure() {
    let (fixture, memora) = small();
    memora.run(&["verify", "nowhere.md"]).assert_failed("cannot read nowhere.md");
    memora.run(&["verify", fixture.vault().to_str().expect("a plain path")]).assert_failed("cannot read");
    fs::write(memora.home_dir().join("latin.txt"), b"Caf\xe9.").expect("a file can be written");
    memora.run(&["verify", "latin.txt"]).assert_failed("latin.txt is not UTF-8");
    memora.run_with_stdin(&["verify"], b"Caf\xe9 [claim:7h3kq0v9x2ma].").assert_failed("standard input is not UTF-8");
    memora.run_with_stdin(&["verify", "-"], b"\xff\xfeC\0a\0").assert_failed("standard input is not UTF-8");
    let large = fs::File::create(memora.home_dir().join("large.txt")).expect("a file can be made");
    large.set_len((16 << 20) + 1).expect("a file can be made longer");
    memora.run(&["verify", "large.txt"]).assert_failed("large.txt is larger than 16 MiB");
}

#[test]
fn a_text_without_citations_is_not_verified() {
    let (_fixture, memora) = small();
    for (text, status) in [("", "no_evidence"), ("Anna works at Tidewell.", "unverified")] {
        let report = memora.run_with_stdin(&["verify", "--json"], text.as_bytes()).assert_code(1).json();
        assert_eq!(report["status"], status, "{text:?}");
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8_are_wrong_usage() {
    use std::os::unix::ffi::OsStrExt as _;
    let (_fixture, memora) = small();
    let output = memora.run(&[OsStr::new("ask"), OsStr::from_bytes(b"Caf\xe9?")]).assert_code(2);
    assert!(!output.stderr.contains("panicked"), "{output}");
    let _ = memora.run(&[OsStr::new("--vault"), OsStr::from_bytes(b"Caf\xe9"), OsStr::new("index")]).assert_code(2);
}

#[test]
fn nobody_reading_the_output_is_no_failure() {
    let (_fixture, memora) = indexed_example();
    for command in [&["export"][..], &["claims", "--json", "--limit", "1000"], &["ask", "Where does Anna work?"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let child = memora.command(command).stdout(writer).spawn().expect("the binary can be started");
        let output = CommandOutput::new(command.join(" "), child.wait_with_output().expect("it ends")).assert_code(0);
        assert!(!output.stderr.contains("panicked") && !output.stderr.contains("error"), "{output}");
    }
}

#[test]
fn nobody_hearing_the_talk_is_no_failure() {
    let (_fixture, memora) = small();
    for (command, code) in [(&["index"][..], 0), (&["ask", ""], 2), (&["search", "Anna"], 0)] {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let child = memora.command(command).stderr(writer).spawn().expect("the binary can be started");
        let _ = CommandOutput::new(command.join(" "), child.wait_with_output().expect("it ends")).assert_code(code);
    }
}

#[test]
fn a_state_folder_that_cannot_be_made_is_a_failure() {
    let (_fixture, memora) = small();
    let file = memora.home_dir().join("file");
    fs::write(&file, "").expect("a file can be written");
    for variable in ["MEMORA_STATE_DIR", "MEMORA_CONFIG_DIR"] {
        let output = memora.command(&["index"]).env(variable, file.join("below")).output().expect("it starts");
        CommandOutput::new(variable, output).assert_failed("error: ");
    }
}

/// A damaged index is made anew and the journal set aside, and both are said; the answers are the same.
#[test]
fn a_damaged_state_is_made_anew_and_said() {
    let (_fixture, memora) = small();
    let whole = export(&memora);
    let state = only_folder(&memora.state_dir().join("vaults"));
    for (file, words) in [("index.db", "the index was damaged"), ("journal.db", "the journal was damaged")] {
        for beside in ["-wal", "-shm"] {
            drop(fs::remove_file(state.join(format!("{file}{beside}"))));
        }
        fs::write(state.join(file), "this is no database, not even nearly one".repeat(100)).expect("it can be written");
        let output = memora.at_local_door().run(&["export", "--canonical"]).assert_code(0);
        assert!(output.stderr.contains(words), "{output}");
        assert_eq!(output.stdout, whole);
        let _ = memora.run(&["doctor", "--check-spans"]).assert_code(0);
    }
}

fn only_folder(path: &Path) -> std::path::PathBuf {
    let mut entries = fs::read_dir(path).expect("the folder is there");
    entries.next().expect("something is in it").expect("an entry").path()
}

/// Ctrl-C between two batches: what was read is kept, and going on ends where an uninterrupted run ends.
#[cfg(unix)]
#[test]
fn an_index_that_was_interrupted_goes_on_and_ends_the_same() {
    const NOTES: usize = 4000;
    let fixture = Fixture::from_notes(&[]);
    for n in 0..NOTES {
        let text = format!(
            "---\nstatus: active\n---\n# Buoy {n}\n\nBuoy {n} lies {} metres off the pier. Since {} it is owned by Harbour {}.\n\n- colour:: red\n",
            n * 7 % 1000,
            1950 + n % 70,
            n % 40
        );
        fixture.write(&format!("buoys/{}/Buoy {n}.md", n % 20), text);
    }
    let interrupted = memora(&fixture);
    let mut command = interrupted.command(&["index"]);
    let mut child = command.env("MEMORA_LOG", "memora_engine=trace").spawn().expect("the binary can be started");
    // The log tells when the first batch is there; most are still to come.
    let mut log = BufReader::new(child.stderr.take().expect("standard error is a pipe"));
    let mut line = String::new();
    while !line.contains("committed") {
        line.clear();
        assert_ne!(log.read_line(&mut line).expect("the log is UTF-8"), 0, "it ended before it could be stopped");
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill can be run").success(), "it ended before it could be stopped: more notes are needed");
    let mut said = String::new();
    log.read_to_string(&mut said).expect("the rest is UTF-8, too");
    let mut output = CommandOutput::new("index", child.wait_with_output().expect("it ends"));
    output.stderr.clone_from(&said);
    output.assert_failed("stopped; ");

    let kept: usize = said
        .split_whitespace()
        .zip(said.split_whitespace().skip(1))
        .find_map(|(number, word)| (word == "of").then(|| number.parse().ok())?)
        .unwrap_or_else(|| panic!("it does not say how many are kept: {said}"));
    assert!(kept > 0 && kept < NOTES, "{said}");
    let report = interrupted.at_local_door().run(&["index", "--json"]).assert_code(0).json();
    assert_eq!(report["notes"]["seen"], json!(NOTES));
    assert_eq!(report["notes"]["changed"], json!(NOTES - kept), "what was kept is not read again");
    let whole = memora(&fixture);
    assert_eq!(whole.run(&["index", "--json"]).assert_code(0).json()["claims"]["total"], report["claims"]["total"]);
    assert!(export(&interrupted) == export(&whole), "the two exports differ");
    let _ = interrupted.run(&["doctor", "--check-spans"]).assert_code(0);
}
