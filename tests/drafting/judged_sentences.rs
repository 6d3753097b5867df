//! A model's judgement beside the rules: it may take a sentence down, and raises none.

use memora_testkit::{CommandOutput, Fixture, MemoraBinary, ModelServer, ScriptedReply};
use serde_json::{Value, json};

use super::{elsewhere, here};
use crate::support::memora;

const NOTE: &str = "# Harbour\n\nAnna owns the storage layer since March 2024.\n\nCarla sold her boat to Ben.\n\n\
    <!--privacy:secret-->\nAnna earns 6,840 euros a month.\n<!--/privacy-->\n";

/// Four sentences: two that stand, one that a fact denies, one that is guarded.
const TEXT: &str = "Anna owns the storage layer since March 2024 ([[Harbour]]).\n\nCarla sold her boat to Ben ([[Harbour]]).\n\n\
    Carla sold her boat to Anna ([[Harbour]]).\n\nAnna earns 6,840 euros a month ([[Harbour]]).\n";

/// The first of them.
const ONE: &str = "Anna owns the storage layer since March 2024 ([[Harbour]]).\n";

fn judge(memora: &MemoraBinary, flags: &[&str], text: &str) -> CommandOutput {
    memora.run_with_stdin(&[&["verify", "--judge", "scripted"][..], flags].concat(), text.as_bytes())
}

fn says(verdicts: &[(usize, bool, &str)]) -> ScriptedReply {
    let verdicts: Vec<Value> =
        verdicts.iter().map(|(n, said, words)| json!({"n": n, "said": said, "words": words})).collect();
    ScriptedReply::text(json!({"verdicts": verdicts}).to_string())
}

fn shown(report: &Value) -> Vec<String> {
    let line = |s: &Value| format!("{} {}", s["verdict"].as_str().unwrap_or("?"), s["judged"].as_str().unwrap_or("-"));
    report["sentences"].as_array().expect("sentences").iter().map(line).collect()
}

#[test]
fn a_model_is_asked_about_what_stands_with_what_it_rests_on_and_nothing_else() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE)]);
    let memora = memora(&fixture);
    let server = ModelServer::start(vec![says(&[(1, true, ""), (2, false, "Ben")])]);
    elsewhere(&memora, "openai", &server);
    let report = judge(&memora, &["--json"], TEXT).assert_code(1).json();
    assert_eq!(shown(&report), ["quoted said", "unsupported not_said", "contradicted -", "unsupported -"]);
    let reason = &report["sentences"][1]["reasons"][0];
    assert_eq!((&reason["kind"], &reason["words"]), (&json!("judged"), &json!("Ben")));
    assert_eq!(
        report["judged"],
        json!({"model": "scripted", "calls": 1, "said": 1, "raised": 0, "lowered": 1, "not_judged": 0, "failure": null})
    );
    let sent = server.completion_requests();
    assert_eq!(sent.len(), 1);
    assert_eq!(
        sent[0].user_message(),
        "<sentences>\n{\"n\": \"1\", \"sentence\": \"Anna owns the storage layer since March 2024.\"}\n\
         {\"says\": \"Anna owns the storage layer since March 2024.\", \"in\": \"Harbour\"}\n\
         {\"n\": \"2\", \"sentence\": \"Carla sold her boat to Ben.\"}\n\
         {\"says\": \"Carla sold her boat to Ben.\", \"in\": \"Harbour\"}\n</sentences>\n"
    );
    let bytes = String::from_utf8_lossy(&server.received_bytes()).into_owned();
    assert!(!bytes.contains("6,840") && !bytes.contains("boat to Anna"), "{bytes}");
    let log = memora.at_local_door().run(&["privacy", "egress", "--json"]).assert_code(0).stdout;
    assert!(log.contains("\"judge\""), "{log}");
}

#[test]
fn a_model_that_finds_everything_said_overrules_no_fact() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE)]);
    let memora = memora(&fixture).at_local_door();
    let server = ModelServer::start(vec![says(&[(1, true, ""), (2, true, ""), (3, true, ""), (4, true, "")])]);
    here(&memora, &server);
    let report = judge(&memora, &["--json"], TEXT).assert_code(1).json();
    assert_eq!(shown(&report), ["quoted said", "quoted said", "contradicted -", "quoted said"]);
    assert!(
        String::from_utf8_lossy(&server.received_bytes()).contains("6,840"),
        "a trusted model on this machine sees what its user sees"
    );
}

/// A model lifts wording where it names words of the notes that stand there.
#[test]
fn a_paraphrase_is_entailed_by_words_of_the_notes_and_by_nothing_else() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE)]);
    let memora = memora(&fixture).at_local_door();
    let text = "The boat of Carla went to Ben for money ([[Harbour]]).\n";
    for (evidence, verdict, code) in [
        ("Carla sold her boat to Ben", "entailed", 0),
        ("carla SOLD her boat", "paraphrased", 1),
        ("Ben bought the boat", "paraphrased", 1),
        ("boat", "paraphrased", 1),
        ("", "paraphrased", 1),
    ] {
        let said = json!({"verdicts": [{"n": 1, "said": true, "words": "", "evidence": evidence}]});
        let server = ModelServer::start(vec![ScriptedReply::text(said.to_string())]);
        here(&memora, &server);
        let report = judge(&memora, &["--json"], text).assert_code(code).json();
        assert_eq!(shown(&report), [format!("{verdict} said")], "{evidence}");
        let is_entailed = verdict == "entailed";
        assert_eq!(report["judged"]["raised"], json!(usize::from(is_entailed)), "{evidence}");
        assert_eq!(report["sentences"][0]["evidence"], if is_entailed { json!(evidence) } else { Value::Null });
        assert_eq!(report["status"], if is_entailed { "verified" } else { "supported" }, "{evidence}");
    }
}

#[test]
fn what_cannot_be_read_is_not_judged_and_said_so() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE)]);
    for say in [
        ScriptedReply::text("Looks fine to me!"),
        ScriptedReply::text("{\"verdicts\": []}"),
        ScriptedReply::text("{\"verdicts\": [{\"n\": 1, \"said\": \"no\"}]}"),
        ScriptedReply::EchoError(500),
        ScriptedReply::Hang,
        ScriptedReply::HalfJson,
        ScriptedReply::Closed,
    ] {
        let memora = memora(&fixture).at_local_door();
        let server = ModelServer::start(vec![say]);
        here(&memora, &server);
        let output = judge(&memora, &["--json"], ONE).assert_code(0);
        assert!(output.stderr.contains("scripted did not judge 1 sentence: by the rules alone"), "{output}");
        let report = output.json();
        assert_eq!(shown(&report), ["quoted not_judged"]);
        assert_eq!(report["judged"]["not_judged"], 1);
        let _ = judge(&memora, &["--fail-on", "not_judged"], ONE).assert_code(1);
    }
}

#[test]
fn the_text_names_the_model_and_what_it_found() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE)]);
    let memora = memora(&fixture).at_local_door();
    let server = ModelServer::start(vec![says(&[(1, false, "2024")])]);
    here(&memora, &server);
    let said = judge(&memora, &[], ONE).assert_code(1).stdout;
    assert!(said.contains("not in what it cites, by the model: 2024 (judged)"), "{said}");
    assert!(said.contains("judged by scripted: 0 in the notes (0 by it alone), 1 not in them, 0 not judged"), "{said}");
}

#[test]
fn many_sentences_go_in_few_requests_and_no_model_is_an_error() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE)]);
    let memora = memora(&fixture).at_local_door();
    let judged = judge(&memora, &[], TEXT).assert_code(2);
    assert!(judged.stderr.contains("no language model is configured"), "{judged}");
    let all: Vec<(usize, bool, &str)> = (1..=8).map(|n| (n, true, "")).collect();
    let server = ModelServer::start(vec![says(&all)]);
    here(&memora, &server);
    let text = "Carla sold her boat to Ben ([[Harbour]]).\n\n".repeat(20);
    let report = judge(&memora, &["--json"], &text).assert_code(0).json();
    assert_eq!((&report["judged"]["calls"], &report["judged"]["said"]), (&json!(3), &json!(20)), "{report}");
}
