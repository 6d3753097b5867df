//! Procedures and how they went, and what is not known of their user.

use serde_json::json;

use super::{as_agent, memory, text_of, vault};
use crate::mcp::Client;
use crate::support::memora;

const PROCEDURE: &str = "To mend inconsistencies between documents: 1. list the documents, 2. compare their claims, 3. correct the older one.";

#[test]
fn a_procedure_is_told_with_its_outcomes_when_the_task_is_similar() {
    let fixture = vault();
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &["--memory"]);
    let saved = client.told("memory_save", json!({"content": PROCEDURE, "kind": "skill"}));
    let (id, path) = (text_of(&saved, "id"), text_of(&saved, "path"));
    let before = fixture.read(&path);
    for outcome in ["ok", "ok", "failed", "ok"] {
        let told = client.told("memory_save", json!({"replaces": id, "outcome": outcome}));
        assert_eq!(told["status"], "written", "{told}");
    }
    assert_eq!(fixture.read(&path), before, "the item is as it was");
    let mut block = |task: &str| text_of(&client.told("memory_context", json!({"task": task})), "text");
    let similar = block("Mend the inconsistencies in both documents");
    assert!(similar.contains("compare their claims") && similar.contains("(worked 3/4)"), "{similar}");
    let other = block("Release the parser of drift");
    assert!(!other.contains("compare their claims") && !other.contains("3/4"), "{other}");
    assert!(other.contains("- 1 procedure: To mend inconsistencies between documents"), "{other}");
    client.failed("memory_save", json!({"replaces": id, "outcome": "perhaps"}));
    client.failed("memory_save", json!({"replaces": id, "outcome": "ok", "content": "Something else entirely."}));
    drop(client);
    // The log has it, whatever becomes of the state.
    std::fs::remove_dir_all(memora.state_dir()).expect("the state was there");
    let task = "Mend the inconsistencies in both documents";
    let shown = text_of(&as_agent(&memora, &["context", "--task", task]).json(), "text");
    assert!(shown.contains("(worked 3/4)"), "{shown}");
}

/// What a local agent tells is told where secrets are shown, and nowhere else.
#[test]
fn how_it_went_is_as_guarded_as_its_teller() {
    let fixture = vault();
    let memora = memora(&fixture);
    let steps = "To release drift: 1. go through the checklist, 2. write the notes, 3. tag it.";
    let id = text_of(&memory(&memora, &["save", steps, "--kind", "skill"]).assert_code(0).json(), "id");
    let _ = memory(&memora, &["update", &id, "--outcome", "ok"]).assert_code(0);
    let mut local = Client::connected(&memora, &["--memory", "--client", "local"]);
    let told = local.told("memory_save", json!({"replaces": id, "outcome": "failed"}));
    assert!(fixture.read(&text_of(&told, "path")).contains("privacy: secret"), "{told}");
    drop(local);
    let task = ["context", "--task", "Write the notes and release drift"];
    let (cloud, own) = (as_agent(&memora, &task).json(), memory(&memora, &task).json());
    assert!(text_of(&cloud, "text").contains("(worked 1/1)"), "{cloud}");
    assert!(text_of(&own, "text").contains("(worked 1/2)"), "{own}");
    assert_eq!(
        memory(&memora, &["update", "mem-000000000000", "--outcome", "ok"]).assert_code(1).json()["status"],
        "unknown"
    );
}

#[test]
fn what_nobody_wrote_down_is_asked_about() {
    let fixture = vault();
    fixture.write(
        "me.md",
        "# Me\n\nMy employer is Tidewell. My sister lives in Hamburg. My job is hard.\n\n\
         My manager is Anna. My brother is a teacher. My mother is retired.\n",
    );
    let memora = memora(&fixture);
    let gaps = |memora: &memora_testkit::MemoraBinary| -> Vec<String> {
        let report = memory(memora, &["gaps"]).assert_code(1).json();
        report["gaps"].as_array().expect("gaps").iter().map(|gap| text_of(gap, "domain")).collect()
    };
    let before = gaps(&memora);
    assert!(before.contains(&"body".to_owned()) && !before.contains(&"work".to_owned()), "{before:?}");
    let report = memory(&memora, &["gaps"]).json();
    let asked = report["gaps"].as_array().expect("gaps").iter().find(|gap| gap["domain"] == "body").expect("body");
    assert!(text_of(asked, "question").contains("your body and health"), "{asked}");
    // What people wrote and what agents remembered count together.
    fixture.write("health.md", "# Health\n\nI am allergic to peanuts. My doctor is Jonas.\n");
    assert!(gaps(&memora).contains(&"body".to_owned()), "two are few");
    let _ = as_agent(&memora, &["save", "The user has asthma since childhood", "--kind", "profile"]).assert_code(0);
    assert!(!gaps(&memora).contains(&"body".to_owned()));
}
