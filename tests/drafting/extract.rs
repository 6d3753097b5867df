//! Claims that a language model reads: grounded, kept, and made again without a call.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use memora_testkit::{CommandOutput, Fixture, MemoraBinary, ModelServer, RecordedRequest, ScriptedReply, TreeSnapshot};

use super::guarded_words::said;
use super::{elsewhere, here};
use crate::support::{exported, indexed_example, memora};

const NOTE: &str = "# Harbour\n\nQuietly, and against all advice, Anna took over the crew of the Selkie.\n\n\
                    Carla sold her boat to Ben, whose brother had none.\n";

/// Says of the passage that holds these words that it states this; of others, nothing.
fn reads(words: &'static str, quote: &'static str, parts: [&'static str; 3]) -> ScriptedReply {
    ScriptedReply::from_request(move |request| {
        let [subject, predicate, object] = parts;
        let claim = serde_json::json!({"quote": quote, "subject": subject, "predicate": predicate, "object": object});
        let invented = serde_json::json!({"quote": "Anna owns the harbour.", "subject": "Anna", "predicate": "owns", "object": "the harbour"});
        let claims = if request.user_message().contains(words) { vec![claim, invented] } else { Vec::new() };
        ScriptedReply::text(serde_json::json!({"claims": claims}).to_string())
    })
}

fn boat() -> ScriptedReply {
    reads(
        "Carla",
        "Carla sold her boat to Ben, whose brother had none.",
        ["Carla", "sold", "her boat to Ben, whose brother had none"],
    )
}

fn extract(memora: &MemoraBinary, flags: &[&str]) -> CommandOutput {
    memora.run(&[&["extract", "--json"][..], flags].concat())
}

fn model_claims(memora: &MemoraBinary) -> Vec<String> {
    let claims = memora.at_local_door().run(&["export"]).assert_code(0).json_lines();
    let read = claims.iter().filter(|claim| claim["extractor"] == "model");
    read.map(|claim| format!("{} | {} | {}", claim["subject"], claim["predicate"], claim["object"])).collect()
}

#[test]
fn what_a_model_reads_is_grounded_kept_and_made_again_without_a_call() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE)]);
    let before = TreeSnapshot::take(fixture.vault());
    let memora = memora(&fixture);
    let server = ModelServer::start(vec![boat()]);
    elsewhere(&memora, "openai", &server);
    let dry = extract(&memora, &["--dry-run"]).assert_code(0).json();
    assert_eq!((&dry["passages"]["due"], &dry["calls"], &dry["ended"]), (&2.into(), &0.into(), &"dry_run".into()));
    let report = extract(&memora, &[]).assert_code(0).json();
    assert_eq!((&report["calls"], &report["passages"]["done"]), (&2.into(), &2.into()), "{report}");
    assert_eq!(
        (&report["claims"]["added"], &report["claims"]["rejected"]["not_found"]),
        (&1.into(), &1.into()),
        "{report}"
    );
    assert_eq!(report["tokens"]["sent"], 34);
    let read = model_claims(&memora);
    assert_eq!(read.len(), 1, "{read:?}");
    assert!(exported(&memora).iter().all(|claim| claim["extractor"] != "model"), "the canonical form is without");
    // Again: nothing is asked. From nothing: nothing is asked, and it is there.
    let again = extract(&memora, &[]).assert_code(0).json();
    assert_eq!((&again["calls"], &again["passages"]["cached"]), (&0.into(), &2.into()));
    let _ = memora.run(&["reset"]).assert_code(0);
    let _ = memora.run(&["index"]).assert_code(0);
    assert_eq!(model_claims(&memora), read);
    assert_eq!(server.completion_requests().len(), 2);
    // One paragraph is edited: one call.
    assert_eq!(before.difference(&TreeSnapshot::take(fixture.vault())), "", "the vault is as it was");
    fixture.write("Harbour.md", NOTE.replace("Quietly", "Secretly"));
    assert_eq!(extract(&memora, &[]).assert_code(0).json()["calls"], 1);
    assert_eq!(model_claims(&memora), read, "what stands is kept");
}

/// A note that is not there and one that may not be seen look the same.
#[test]
fn a_note_that_is_not_there_is_not_read_in_silence() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE), ("Diary.md", "---\nprivacy: secret\n---\nAnna came.\n")]);
    let memora = memora(&fixture);
    let server = ModelServer::start(vec![ScriptedReply::text("{\"claims\": []}")]);
    elsewhere(&memora, "openai", &server);
    extract(&memora, &["--note", "nowhere.md"]).assert_failed("there is no note nowhere.md to read");
    extract(&memora, &["--note", "Diary.md"]).assert_failed("there is no note Diary.md to read");
    let _ = extract(&memora.at_local_door(), &["--note", "Diary.md"]).assert_code(0);
    assert!(server.completion_requests().is_empty());
}

#[test]
fn a_budget_and_an_interruption_keep_what_is_done() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE)]);
    let memora = memora(&fixture);
    let server = ModelServer::start(vec![boat(), ScriptedReply::Hang]);
    elsewhere(&memora, "openai", &server);
    let report = extract(&memora, &["--budget", "1"]).assert_code(0).json();
    assert_eq!((&report["ended"], &report["passages"]["left"]), (&"budget".into(), &1.into()));
    let child = memora.command(&["extract"]).stderr(Stdio::piped()).spawn().expect("it starts");
    let started = Instant::now();
    while server.completion_requests().len() < 2 && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill can be run");
    assert!(sent.success());
    let output = CommandOutput::new("memora extract", child.wait_with_output().expect("it ends"));
    output.assert_failed("stopped");
    let server = ModelServer::start(vec![boat()]);
    elsewhere(&memora, "openai", &server);
    assert_eq!(extract(&memora, &[]).assert_code(0).json()["calls"], 1);
    assert_eq!(model_claims(&memora).len(), 1);
}

#[test]
fn whatever_a_server_replies_there_is_an_end() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE)]);
    for fault in [
        ScriptedReply::HalfJson,
        ScriptedReply::Bytes(10_000_000),
        ScriptedReply::Busy { status: 429, retry_after: 0 },
        ScriptedReply::NotUtf8,
    ] {
        let memora = memora(&fixture);
        let server = ModelServer::start(vec![fault, boat()]);
        elsewhere(&memora, "openai", &server);
        let report = extract(&memora, &[]).assert_code(0).json();
        let passages = &report["passages"];
        assert_eq!(
            passages["done"].as_u64().zip(passages["failed"].as_u64()).map(|(done, failed)| done + failed),
            Some(2)
        );
    }
    let many: String = (0..9).map(|n| format!("Carla sold boat {n} to Ben.\n\n")).collect();
    let fixture = Fixture::from_notes(&[("Harbour.md", &many)]);
    for fault in [
        ScriptedReply::EchoError(401),
        ScriptedReply::text("I cannot do that."),
        ScriptedReply::text("{\"claims\": [{\"quote\": "),
    ] {
        let memora = memora(&fixture);
        let server = ModelServer::start(vec![fault]);
        elsewhere(&memora, "openai", &server);
        extract(&memora, &[]).assert_failed("");
        assert!(server.completion_requests().len() <= 3, "{}", server.completion_requests().len());
    }
}

/// With a budget or without: who could read nothing says why, and keeps nothing.
#[test]
fn a_run_that_read_nothing_fails_with_the_reason() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE)]);
    let memora = memora(&fixture);
    let server = ModelServer::start(Vec::new());
    elsewhere(&memora, "openai", &server);
    drop(server);
    for flags in [&[][..], &["--budget", "1"]] {
        extract(&memora, flags).assert_failed("cannot reach 127.0.0.1");
    }
    for (fault, reason) in [
        (ScriptedReply::EchoError(401), "answers 401"),
        (ScriptedReply::text("I cannot do that."), "is no list of claims"),
    ] {
        let server = ModelServer::start(vec![fault]);
        elsewhere(&memora, "openai", &server);
        for flags in [&[][..], &["--budget", "1"]] {
            extract(&memora, flags).assert_failed(reason);
        }
        assert_eq!(server.completion_requests().len(), 3);
    }
    let server = ModelServer::start(vec![boat()]);
    elsewhere(&memora, "openai", &server);
    assert_eq!(extract(&memora, &[]).assert_code(0).json()["passages"]["done"], 2, "nothing counts as read");
}

/// What is no list of claims is counted as no answer, and asked for again by the next run.
#[test]
fn a_reply_that_cannot_be_read_is_asked_for_again() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE)]);
    let memora = memora(&fixture);
    let junk = ScriptedReply::text("Sure! As the notes say [1], she did.");
    let server = ModelServer::start(vec![junk, boat()]);
    elsewhere(&memora, "openai", &server);
    let report = extract(&memora, &[]).assert_code(0).json();
    let passages = &report["passages"];
    assert_eq!(
        (&passages["done"], &passages["failed"], &passages["left"]),
        (&1.into(), &1.into(), &1.into()),
        "{report}"
    );
    assert_eq!(
        (&report["calls"], &report["failure"]),
        (&2.into(), &"what scripted replies is no list of claims".into())
    );
    assert_eq!(report["claims"]["rejected"].get("malformed"), None, "{report}");
    let again = extract(&memora, &[]).assert_code(0).json();
    assert_eq!((&again["calls"], &again["passages"]["cached"]), (&1.into(), &1.into()), "{again}");
}

/// A passage that goes takes with it what was proposed for it.
#[test]
fn words_of_a_passage_do_not_outlive_it() {
    let fixture = Fixture::from_notes(&[("Harbour.md", &NOTE.replace("Carla sold", "Carla quillwortishly sold"))]);
    let memora = memora(&fixture).at_local_door();
    let server = ModelServer::start(vec![quillwort()]);
    here(&memora, &server);
    let _ = extract(&memora, &[]).assert_code(0);
    let on_disk = || in_journal(&memora, "quillwortishly");
    assert!(on_disk(), "the control");
    fixture.write("Harbour.md", "# Harbour\n\nNothing is left.\n");
    let _ = memora.run(&["index"]).assert_code(0);
    assert!(!on_disk());
}

/// Whether any byte of the journal's files says these words.
fn in_journal(memora: &MemoraBinary, words: &str) -> bool {
    let vaults = fs::read_dir(memora.state_dir().join("vaults")).expect("there is state");
    let files = vaults.flatten().flat_map(|vault| fs::read_dir(vault.path()).expect("a folder").flatten());
    let journals = files.filter(|file| file.file_name().to_string_lossy().starts_with("journal"));
    let bytes: Vec<u8> = journals.flat_map(|file| fs::read(file.path()).expect("a file")).collect();
    String::from_utf8_lossy(&bytes).contains(words)
}

fn quillwort() -> ScriptedReply {
    let quote = "Carla quillwortishly sold her boat to Ben, whose brother had none.";
    reads("quillwort", quote, ["Carla", "sold", "her boat to Ben, whose brother had none"])
}

/// A note that cannot be read keeps its own, and nobody else's; that it is there is said.
#[cfg(unix)]
#[test]
fn a_note_that_cannot_be_read_keeps_its_passages_and_no_others() {
    use std::os::unix::fs::symlink;
    let boat_note = NOTE.replace("Carla sold", "Carla quillwortishly sold");
    let fixture =
        Fixture::from_notes(&[("Harbour.md", boat_note.as_str()), ("Other.md", "Anna saxifragely came to Kiel.\n")]);
    let memora = memora(&fixture).at_local_door();
    let other = reads("saxifragely", "Anna saxifragely came to Kiel.", ["Anna", "came to", "Kiel"]);
    let server = ModelServer::start(vec![other]);
    here(&memora, &server);
    let _ = extract(&memora, &["--note", "Other.md"]).assert_code(0);
    let server = ModelServer::start(vec![quillwort()]);
    here(&memora, &server);
    let _ = extract(&memora, &["--note", "Harbour.md"]).assert_code(0);
    assert!(in_journal(&memora, "saxifragely") && in_journal(&memora, "quillwortishly"), "the control");
    // One cannot be read, the other goes.
    fixture.remove("Harbour.md");
    symlink(fixture.path("nowhere.md"), fixture.path("Harbour.md")).expect("a link");
    fixture.remove("Other.md");
    fixture.write("Third.md", "Nothing is left.\n");
    let _ = memora.run(&["index"]).assert_code(0);
    assert!(!in_journal(&memora, "saxifragely"), "it went");
    assert!(in_journal(&memora, "quillwortishly"), "it may be there still");
    let doctor = memora.run(&["doctor"]).assert_code(1).stdout;
    assert!(doctor.contains("cannot be read: Harbour.md"), "{doctor}");
    // It is back, and nothing is asked.
    fixture.remove("Harbour.md");
    fixture.write("Harbour.md", &boat_note);
    let _ = memora.run(&["index"]).assert_code(0);
    assert_eq!(model_claims(&memora).len(), 1);
    // It goes for good.
    fixture.remove("Harbour.md");
    let _ = memora.run(&["search", "Nothing"]);
    assert!(!in_journal(&memora, "quillwortishly"), "it went with the next command");
}

/// After a reset nobody knows what a note holds that cannot be read: then all is kept, and `doctor` says so.
#[cfg(unix)]
#[test]
fn what_may_be_in_a_note_that_was_never_read_is_kept_and_that_is_said() {
    use std::os::unix::fs::symlink;
    let fixture = Fixture::from_notes(&[("Harbour.md", &NOTE.replace("Carla sold", "Carla quillwortishly sold"))]);
    let memora = memora(&fixture).at_local_door();
    let server = ModelServer::start(vec![quillwort()]);
    here(&memora, &server);
    let _ = extract(&memora, &[]).assert_code(0);
    fixture.remove("Harbour.md");
    fixture.write("Third.md", "Nothing is left.\n");
    symlink(fixture.path("nowhere.md"), fixture.path("Harbour.md")).expect("a link");
    let _ = memora.run(&["reset"]).assert_code(0);
    let _ = memora.run(&["index"]).assert_code(0);
    assert!(in_journal(&memora, "quillwortishly"));
    let doctor = memora.run(&["doctor"]).assert_code(1).stdout;
    assert!(doctor.contains("what models proposed for passages that may be there is kept"), "{doctor}");
    fixture.remove("Harbour.md");
    let _ = memora.run(&["index"]).assert_code(0);
    assert!(!in_journal(&memora, "quillwortishly"));
}

/// Once something was proposed, a full `index` reads what changed, and no more.
#[test]
fn notes_that_did_not_change_are_not_read_again() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE), ("Other.md", "Anna came to Kiel.\n")]);
    let memora = memora(&fixture).at_local_door();
    let server = ModelServer::start(vec![boat()]);
    here(&memora, &server);
    let _ = extract(&memora, &["--note", "Harbour.md"]).assert_code(0);
    let read =
        |memora: &MemoraBinary| memora.run(&["index", "--json"]).assert_code(0).json()["notes"]["changed"].clone();
    assert_eq!(read(&memora), 0);
    fixture.write("Other.md", "Anna went to Kiel.\n");
    assert_eq!(read(&memora), 1);
    assert_eq!(model_claims(&memora).len(), 1);
}

/// What the rules do not read as a model does.
const BOAT: &str = "She sold her boat to Ben, whose brother had none.";
const BOAT_SOLD: &str = "her boat to Ben, whose brother had none";

/// Two models that read the same of a passage, worded otherwise, make one claim; `why` names both.
#[test]
fn what_two_models_read_is_one_claim_of_both() {
    let fixture = Fixture::from_notes(&[("Harbour.md", &format!("# Carla\n\n{BOAT}\n"))]);
    let memora = memora(&fixture).at_local_door();
    for (name, subject) in [("first", "Carla"), ("second", "carla")] {
        let server = ModelServer::start(vec![reads("boat", BOAT, [subject, "sold", BOAT_SOLD])]);
        here(&memora, &server);
        let claims = extract(&memora, &["--model", name]).assert_code(0).json()["claims"].clone();
        let first = name == "first";
        assert_eq!(claims["added"], u64::from(first), "{claims}");
        assert_eq!(claims["rejected"]["duplicate"].as_u64(), (!first).then_some(1), "{claims}");
    }
    assert_eq!(model_claims(&memora).len(), 1, "{:?}", model_claims(&memora));
    let claims = memora.run(&["export"]).assert_code(0).json_lines();
    let id = claims.iter().find(|claim| claim["extractor"] == "model").expect("it is there")["claim"].clone();
    let why = memora.run(&["why", id.as_str().expect("an id")]).assert_code(0).stdout;
    assert!(why.contains("; and by first (ollama), second (ollama)"), "{why}");
    let by = memora.run(&["why", id.as_str().expect("an id"), "--json"]).assert_code(0).json();
    assert_eq!(by["models"], serde_json::json!(["first (ollama)", "second (ollama)"]));
}

/// A model that proposes as much as may be leaves room for the next one.
#[test]
fn what_one_model_proposes_leaves_room_for_the_next() {
    let fixture = Fixture::from_notes(&[("Harbour.md", &format!("# Carla\n\n{BOAT}\n"))]);
    let memora = memora(&fixture).at_local_door();
    let many = ScriptedReply::from_request(|_| {
        let of = |n: usize| serde_json::json!({"quote": BOAT, "subject": "Carla", "predicate": "owns", "object": format!("boat {n}")});
        ScriptedReply::text(serde_json::json!({"claims": (0..40).map(of).collect::<Vec<_>>()}).to_string())
    });
    for (name, say) in [("a", many), ("b", reads("boat", BOAT, ["Carla", "sold", BOAT_SOLD]))] {
        let server = ModelServer::start(vec![say]);
        here(&memora, &server);
        let _ = extract(&memora, &["--model", name]).assert_code(0);
    }
    assert_eq!(model_claims(&memora).len(), 1);
}

#[test]
fn no_guarded_word_is_sent_to_a_model_elsewhere_that_reads() {
    use super::guarded_words::leaked;
    use crate::leaks::guarded;
    let ((_fixture, memora), words) = (indexed_example(), guarded());
    let server = ModelServer::start(vec![ScriptedReply::text("{\"claims\": []}")]);
    elsewhere(&memora, "anthropic", &server);
    let report = extract(&memora.at_local_door(), &[]).assert_code(0).json();
    assert!(report["passages"]["withheld"].as_u64().is_some_and(|count| count > 0), "{report}");
    let all: String = server.completion_requests().iter().map(said).collect();
    assert!(server.completion_requests().len() > 50);
    assert!(leaked(&words, &all, "").is_empty(), "{:?}", leaked(&words, &all, ""));
    // The control: one on this machine that the user trusts is sent them.
    let server = ModelServer::start(vec![ScriptedReply::text("{\"claims\": []}")]);
    here(&memora, &server);
    let _ = extract(&memora.at_local_door(), &[]).assert_code(0);
    let all: String = server.completion_requests().iter().map(said).collect();
    assert!(leaked(&words, &all, "").len() > 10);
}

/// Two vaults that differ in guarded words alone: a model elsewhere is sent the same, byte for byte.
#[test]
fn what_a_model_elsewhere_is_sent_to_read_does_not_depend_on_guarded_words() {
    let (first, second) = super::guarded_words::two_vaults();
    let sent = |fixture: &Fixture| {
        let memora = memora(fixture);
        let server = ModelServer::start(vec![ScriptedReply::text("{\"claims\": []}")]);
        elsewhere(&memora, "openai", &server);
        let report = extract(&memora, &[]).assert_code(0);
        let bodies: Vec<Vec<u8>> = server.completion_requests().into_iter().map(|request| request.body).collect();
        (bodies, report.stdout)
    };
    let (one, other) = (sent(&first), sent(&second));
    assert!(one.0.len() > 50, "{} requests", one.0.len());
    assert!(one == other, "they differ");
}

/// A note that is marked while the one before it is read is not sent.
#[test]
fn a_note_marked_secret_a_moment_ago_is_not_sent() {
    let fixture =
        Fixture::from_notes(&[("a.md", "Anna came to Kiel.\n"), ("b.md", "Ben hid the key in Kaltenberg.\n")]);
    let memora = memora(&fixture);
    let note = fixture.path("b.md");
    let mark = ScriptedReply::from_request(move |_: &RecordedRequest| {
        fs::write(&note, "---\nprivacy: secret\n---\nBen hid the key in Kaltenberg.\n").expect("the note");
        ScriptedReply::text("{\"claims\": []}")
    });
    let server = ModelServer::start(vec![mark]);
    elsewhere(&memora, "openai", &server);
    assert_eq!(extract(&memora, &[]).assert_code(0).json()["calls"], 1);
    assert!(!server.completion_requests().iter().any(|request| said(request).contains("Kaltenberg")));
}
