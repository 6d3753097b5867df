//! What the names of files say: words, unless what they name is guarded.

use memora_testkit::{Fixture, TreeSnapshot};
use serde_json::json;

use super::{as_agent, found, memory, saved, text_of, vault};
use crate::mcp::Client;
use crate::support::memora;

/// The names of the files and folders below the memory folder.
fn names(fixture: &Fixture) -> String {
    let tree = TreeSnapshot::take(fixture.vault());
    tree.file_names().filter(|name| name.starts_with("Memora")).map(|name| format!("{name}\n")).collect()
}

#[test]
fn no_name_of_a_file_has_a_guarded_word() {
    let fixture = vault();
    let memora = memora(&fixture);
    let (_, open) = saved(&memora, "drift uses pino for structured logging");
    assert!(open.contains("/drift uses pino for structured logging "), "{open}");
    let mut ids = Vec::new();
    for (band, words) in
        [("secret", "The quokka's pin is kept in the blue drawer"), ("private", "Anna wears the quokka")]
    {
        let report = memory(&memora, &["save", words, "--privacy", band]).assert_code(0).json();
        let (id, path) = (text_of(&report, "id"), text_of(&report, "path"));
        assert!(path.ends_with(&format!("/{id}.md")), "{path}");
        assert!(fixture.read(&path).contains(words), "{path}");
        ids.push(id);
    }
    // It is found, replaced, forgotten and brought back as any other.
    let [id, _] = ids.as_slice() else { panic!("two were saved") };
    assert!(found(&memora, &["quokka pin drawer"]).contains(id));
    let newer = ["update", id, "The quokka's pin is kept in the red drawer"];
    let newer = text_of(&memory(&memora, &newer).assert_code(0).json(), "id");
    let read = memory(&memora, &["read", id]).assert_code(0).json();
    assert_eq!(read["items"][0]["superseded_by"], newer, "{read}");
    for act in ["forget", "restore"] {
        let _ = memory(&memora, &[act, &newer]).assert_code(0);
        assert!(!names(&fixture).contains("quokka") && names(&fixture).contains(&newer), "{}", names(&fixture));
    }
    // Without an index a name is all that leads to it.
    std::fs::remove_dir_all(memora.state_dir()).expect("the state was there");
    let _ = memory(&memora, &["read", id]).assert_code(0);
}

/// A rule may guard by words that are no longer in the name.
#[test]
fn what_its_name_guarded_stays_guarded() {
    let fixture = vault();
    let memora = memora(&fixture);
    fixture.write(".memora/config.toml", "[[privacy.rules]]\nglob = \"Memora/**/*quokka*\"\nband = \"private\"\n");
    let report = memory(&memora, &["save", "Anna wears the quokka on Sundays"]).assert_code(0).json();
    let path = text_of(&report, "path");
    assert!(!path.contains("quokka") && fixture.read(&path).contains("\nprivacy: private\n"), "{report}");
    assert_eq!(report["band"], "private", "{report}");
    let told = as_agent(&memora, &["search", "quokka"]).stdout;
    assert!(!told.contains("Sundays"), "{told}");
}

#[test]
fn a_guarded_note_is_known_by_its_title() {
    let fixture = vault();
    let memora = memora(&fixture);
    let mut local = Client::connected(&memora, &["--memory", "--client", "local"]);
    let written = json!({"kind": "note", "title": "Quokka checklist", "content": "Feed it twice a day."});
    let (id, path) = {
        let written = local.told("memory_save", written);
        (text_of(&written, "id"), text_of(&written, "path"))
    };
    assert!(path.ends_with(&format!("/{id}.md")) && !names(&fixture).contains("uokka"), "{path}");
    let title = format!("Quokka checklist {}", id.get(4..8).expect("an id"));
    for name in [title.as_str(), &id, &path] {
        let read = local.memory(&format!("memory:{name}"));
        assert!(text_of(&read, "text").contains("Feed it twice a day."), "{name}: {read}");
    }
    for name in [&id, &path] {
        let read = local.memory(name);
        assert!(text_of(&read["passages"][0], "text").contains("Feed it twice a day."), "{name}: {read}");
    }
    let listed = text_of(&local.memory("memory:files"), "text");
    assert!(listed.contains(&format!("{path} ({title})\n")), "{listed}");
    // A procedure is named by its words, too.
    let steps = json!({"content": "How the quokka is fed: 1. Cut leaves. 2. Weigh them.", "kind": "skill"});
    for item in [steps, json!({"content": "The quokka sleeps in the blue drawer."})] {
        let saved = local.told("memory_save", item);
        assert_eq!(saved["status"], "saved", "{saved}");
    }
    let block = text_of(&local.told("memory_context", json!({})), "text");
    for needed in [format!("1 reference notes: {title}"), "1 procedure: How the quokka is fed".to_owned()] {
        assert!(block.contains(&needed), "{needed} is not in\n{block}");
    }
    drop(local);
    let listed = as_agent(&memora, &["read", "list"]).stdout;
    assert!(!listed.contains("uokka") && !listed.contains(&id), "{listed}");
}
