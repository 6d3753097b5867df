//! An answer with evidence, and the sentences of it that are asked for again.

use memora_testkit::{Fixture, ModelServer, ScriptedReply, TreeSnapshot};
use serde_json::{Value, json};

use super::elsewhere;
use crate::support::{exported, memora};

const NOTE: &str = "# Harbour\n\nAnna owns the storage layer since March 2024.\n\nCarla sold her boat to Ben for 300 euros.\n\n\
    <!--privacy:secret-->\nAnna earns 6,840 euros a month.\n<!--/privacy-->\n";

/// The id of the statement with these words.
fn id(claims: &[Value], words: &str) -> String {
    let quotes =
        |claim: &&Value| claim["sources"].to_string().contains(words) || claim["object"].to_string().contains(words);
    let claim = claims.iter().find(quotes).unwrap_or_else(|| panic!("nothing says {words}: {claims:?}"));
    claim["claim"].as_str().unwrap_or_default().split('.').next().unwrap_or_default().to_owned()
}

#[test]
fn what_the_notes_do_not_bear_out_is_sent_back_with_why_and_the_rest_stays() {
    let fixture = Fixture::from_notes(&[("Harbour.md", NOTE)]);
    let before = TreeSnapshot::take(fixture.vault());
    let memora = memora(&fixture);
    let claims = exported(&memora);
    let (layer, boat) = (id(&claims, "storage layer"), id(&claims, "boat"));
    let first = json!({"sentences": [
        {"says": "Since March 2024 the storage layer is Anna's.", "cites": [layer], "evidence": "since March 2024"},
        {"says": "Carla sold her boat to Ben for 500 euros.", "cites": [boat], "evidence": "for 500 euros"},
    ]});
    let second = json!({"sentences": [
        {"n": 1, "says": "Ben paid Carla 300 euros for her boat.", "cites": [boat], "evidence": "sold her boat to Ben"},
    ]});
    let server =
        ModelServer::start(vec![ScriptedReply::text(first.to_string()), ScriptedReply::text(second.to_string())]);
    elsewhere(&memora, "openai", &server);
    let report = memora.run(&["ask", "What about the harbour, the storage layer and the boat?", "--json"]).json();
    assert_eq!(report["status"], "supported", "{report}");
    assert_eq!(report["drafted"]["drafts"], 2, "{report}");
    let told: Vec<_> =
        report["sentences"].as_array().expect("sentences").iter().map(|s| (&s["text"], &s["evidence"])).collect();
    assert_eq!(
        told,
        [
            (&json!("Since March 2024 the storage layer is Anna's."), &json!("since March 2024")),
            (&json!("Ben paid Carla 300 euros for her boat."), &json!("sold her boat to Ben")),
        ]
    );
    let sent = server.completion_requests();
    assert_eq!(sent.len(), 2);
    assert!(
        sent[0].user_message().contains("\"question\"") && !sent[0].user_message().contains("<sentences>"),
        "{}",
        sent[0].user_message()
    );
    let user = sent[1].user_message();
    let (_, again) = user.split_once("<sentences>").expect("the sentences that did not hold");
    assert_eq!(
        again.trim(),
        "{\"n\": \"1\", \"sentence\": \"Carla sold her boat to Ben for 500 euros.\", \
         \"wrong\": \"the note says 300 euros, not 500 euros\"}\n</sentences>"
    );
    let bytes = String::from_utf8_lossy(&server.received_bytes()).into_owned();
    assert!(!bytes.contains("6,840"), "{bytes}");
    let log = memora.at_local_door().run(&["privacy", "egress", "--json"]).assert_code(0).stdout;
    assert!(log.contains("\"correct\""), "{log}");

    let server =
        ModelServer::start(vec![ScriptedReply::text(first.to_string()), ScriptedReply::text(second.to_string())]);
    elsewhere(&memora, "openai", &server);
    let shown = memora.run(&["ask", "What about the harbour, the storage layer and the boat?"]).stdout;
    assert!(
        shown.contains("  paraphrased: Ben paid Carla 300 euros for her boat.\n  the notes: Carla sold her boat to Ben for 300 euros.\n"),
        "{shown}"
    );
    assert_eq!(TreeSnapshot::take(fixture.vault()), before);
}
