//! The gate at the editor's door: no guarded word in any byte that an editor is sent, no influence of one on any, and no byte of the
//! vault written.

use memora_testkit::{Fixture, MemoraBinary, TreeSnapshot};
use regex::Regex;
use serde_json::{Value, json};

use super::client::Editor;
use super::conversation::address;
use crate::leaks::guarded;
use crate::support::{Line, example_state, id_of, indexed_example, lines, read};
use crate::two_vaults::{Replacement, Side, replacements, with_key};

/// The texts of the exam that a curious editor would have judged, each with whether it may be told again what it put in.
fn drafts(side: &Side) -> Vec<(bool, String)> {
    let script = read("tests/exam/two-vaults/script.txt");
    let written = lines(&script).filter(|line| line.trim_start_matches("# echo ").starts_with("verify"));
    let drafts = written.map(|line| {
        let filled = side.filled(line.trim_start_matches("# echo "), None);
        (line.starts_with("# echo "), Line::parse(&filled).input)
    });
    drafts.filter(|(_, text)| !text.trim().is_empty()).collect()
}

/// What an editor was told, by what it asked.
type Told = Vec<(String, String)>;

/// Asks everything that can be asked of a text in a document. What is malformed at its end has it judged and published always.
fn ask_about(editor: &mut Editor, uri: &str, text: &str) -> Told {
    let note = editor.open(uri, &format!("{text}\n\nEnd [claim:zzz]. {text} [claim:\n"));
    let mut told = vec![("diagnostics".to_owned(), json!(editor.diagnostics(&note)).to_string())];
    for words in ["[claim", "[[", "\""] {
        if text.contains(words) {
            for method in ["textDocument/hover", "textDocument/definition", "textDocument/references"] {
                told.push((format!("{method} {words}"), editor.at(method, &note, words).to_string()));
            }
        }
    }
    let first = text.lines().next().unwrap_or_default();
    told.push(("actions".to_owned(), json!(editor.actions(&note, first)).to_string()));
    let end = note.text.len() - 1;
    let (line, character) = (note.text.matches('\n').count() - 1, note.text.lines().last().unwrap_or_default());
    assert!(note.text.get(..end).is_some_and(|text| text.ends_with("[claim:")));
    let position = json!({"line": line, "character": character.encode_utf16().count()});
    let params = json!({"textDocument": {"uri": uri}, "position": position});
    told.push(("completion".to_owned(), editor.request("textDocument/completion", params).to_string()));
    editor.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    told
}

/// Asks what is no matter of a text: of every note by its path, of names, of the whole vault.
fn ask_the_rest(editor: &mut Editor, fixture: &Fixture, names: &[String]) -> Told {
    let mut asked: Vec<(&str, Value)> = vec![
        ("workspace/diagnostic", json!({"previousResultIds": []})),
        ("memora/status", Value::Null),
        ("memora/review", json!({"limit": 40})),
    ];
    let tree = TreeSnapshot::take(fixture.vault());
    asked.extend(tree.file_names().map(|note| ("memora/note", json!({"path": note}))));
    asked.extend(names.iter().map(|name| ("memora/entity", json!({"name": name}))));
    asked
        .into_iter()
        .map(|(method, params)| (format!("{method} {params}"), editor.request(method, params).to_string()))
        .collect()
}

/// Plays the exam at a vault, and gives what was told without the folder it lies in.
fn play(replaced: &[Replacement]) -> Told {
    let side = Side::of(replaced);
    let memora = with_key(&side.fixture);
    if replaced.is_empty() {
        memora.copy_state_from(example_state());
    }
    // Nothing that is asked here compares passages, which alone would take long to read.
    let _ = memora.run(&["index"]).assert_code(0);
    let mut editor = Editor::with_options(&memora, &[], json!({"links": true, "uncited": true}));
    let root = address(&side.fixture, "");
    let mut told = Vec::new();
    for (at, (echoes, text)) in drafts(&side).into_iter().enumerate() {
        // At the path of a note that is there, too, and of one that is guarded.
        let path = ["draft.md", "people/Anna Brandt.md", "journal/2024-07-21.md"][at % 3];
        let said = ask_about(&mut editor, &address(&side.fixture, path), &text);
        told.extend(said.into_iter().map(|(asked, said)| {
            (format!("{asked} of {}", side.masked(&text)), if echoes { side.masked(&said) } else { said })
        }));
    }
    let names = ["Anna Brandt", "Tarnwether", "Corinna Vogt", "Jonas"].map(str::to_owned);
    told.extend(ask_the_rest(&mut editor, &side.fixture, &names));
    // The name of a list follows from what is in it, and from where the vault lies.
    let name = Regex::new(r#""resultId":"[0-9a-f]{16}""#).expect("a regex");
    let masked = |said: String| name.replace_all(&said.replace(&root, "file:///vault/"), "…").into_owned();
    told.into_iter().map(|(asked, said)| (asked, masked(said))).collect()
}

#[test]
fn other_guarded_words_change_no_byte_of_what_an_editor_is_told() {
    let mut other = replacements("replacements.json");
    other.extend(replacements("replacements-names.json"));
    let (first, second) = (play(&[]), play(&other));
    assert!(first.len() > 250, "only {} answers", first.len());
    let shows = |words: &str| first.iter().filter(|(_, said)| said.contains(words)).count();
    let seen = ["Tidewell", "unsupported", "unknown_id", "\"redacted\""].map(shows);
    assert!(seen.iter().all(|seen| *seen > 0) && seen[0] > 20, "there is something to see: {seen:?}");
    let differs: Vec<_> = first.iter().zip(&second).filter(|(a, b)| a != b).collect();
    assert!(differs.is_empty(), "{} answers differ, first: {:#?}", differs.len(), differs[0]);
    let words = guarded();
    for (asked, said) in &first {
        let (typed, said) = (asked.to_lowercase(), said.to_lowercase());
        let leaked = |word: &&String| said.contains(*word) || said.contains(&word.replace(' ', "%20"));
        let leaked: Vec<&String> = words.iter().filter(leaked).filter(|word| !typed.contains(*word)).collect();
        assert!(leaked.is_empty(), "{asked} leaked {leaked:?}: {said}");
    }
}

#[test]
fn guarded_words_are_shown_where_the_user_says_that_nobody_else_reads_and_the_vault_stays() {
    let (fixture, memora) = indexed_example();
    let before = TreeSnapshot::take(fixture.vault());
    let secret = id_of(&memora, "6,840 euros a month");
    let shows = |memora: &MemoraBinary, args: &[&str]| {
        let mut editor = Editor::start(memora, args);
        let note =
            editor.open(&address(&fixture, "draft.md"), &format!("Anna earns 7,000 euros a month [claim:{secret}].\n"));
        let told = editor.diagnostics(&note);
        let hover = editor.at("textDocument/hover", &note, "[claim").to_string();
        let _ = editor.actions(&note, "7,000");
        editor.request("memora/ask", json!({"question": "What does Anna earn a month?"}));
        let code = told[0]["code"].as_str().expect("a code").to_owned();
        let shows = hover.contains("6,840");
        assert_eq!(shows, editor.said().contains("6,840"));
        (code, shows)
    };
    assert_eq!(shows(&memora, &[]), ("unknown_id".to_owned(), false));
    assert_eq!(shows(&memora.at_local_door(), &["--client", "cloud"]), ("unknown_id".to_owned(), false));
    let log = memora.vault_state_dir().join("egress.jsonl");
    std::fs::remove_file(&log).expect("what was sent is in the log");
    assert_eq!(shows(&memora, &["--client", "local"]), ("contradicted".to_owned(), true));
    assert!(!log.exists(), "what the user alone sees has not left");
    let difference = before.difference(&TreeSnapshot::take(fixture.vault()));
    assert!(difference.is_empty(), "{difference}");
}

#[test]
fn whatever_an_editor_is_told_is_in_the_log_of_what_left_and_what_cannot_be_logged_is_not_told() {
    let (fixture, memora) = indexed_example();
    let id = id_of(&memora, "The retention default of drift is 14 days.");
    let mut editor = Editor::start(&memora, &[]);
    let mut note =
        editor.open(&address(&fixture, "draft.md"), &format!("The retention default is 15 days [claim:{id}].\n"));
    assert_eq!(editor.diagnostics(&note).len(), 1);
    editor.at("textDocument/hover", &note, "[claim");
    let log = memora.vault_state_dir().join("egress.jsonl");
    let logged = std::fs::read_to_string(&log).expect("there is a log");
    let entries: Vec<Value> = logged.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let purposes: Vec<&str> = entries.iter().filter_map(|entry| entry["what"].as_str()).collect();
    assert_eq!(purposes, ["diagnostics", "hover"]);
    assert!(entries.iter().all(|entry| entry["to"] == "lsp" && entry["claims"].to_string().contains(&id)), "{logged}");
    // Verdicts that are no others are not sent again.
    editor.notify("textDocument/didSave", json!({"textDocument": {"uri": note.uri}}));
    editor.change(&mut note, 0, 0, "\n");
    assert_eq!(editor.diagnostics(&note).len(), 1);
    assert_eq!(std::fs::read_to_string(&log).expect("a log").lines().count(), 3);
    // A folder stands where the log would be.
    std::fs::remove_file(&log).expect("the log can be removed");
    std::fs::create_dir(&log).expect("a folder can be made");
    let refused = editor.at("textDocument/hover", &note, "[claim");
    assert!(refused["message"].as_str().is_some_and(|said| said.contains("cannot be logged")), "{refused}");
}

#[test]
fn nothing_that_an_editor_sends_or_is_told_is_in_a_log() {
    let (fixture, memora) = indexed_example();
    let id = id_of(&memora, "Since May 2025 Anna works at Tidewell");
    let mut editor = Editor::start(&memora, &[]);
    let note = editor.open(
        &address(&fixture, "people/Anna Brandt.md"),
        &format!("Since May 2024 Anna works at Tidewell [claim:{id}].\n"),
    );
    editor.diagnostics(&note);
    editor.actions(&note, "Anna");
    assert!(editor.said().contains("Tidewell"));
    let (status, log) = editor.end();
    assert!(status.success() && !log.contains("Anna") && !log.contains("Tidewell"), "{log}");
}
