//! The gate at the agent's door: no guarded word in any byte that a client is sent, and no influence of one on any.

use memora_testkit::{Fixture, MemoraBinary, TreeSnapshot};
use serde_json::{Map, Value, json};

use super::Client;
use crate::leaks::guarded;
use crate::support::{EVERY_COMMAND, Line, example_state, id_of, indexed_example, lines, memora, read};
use crate::two_vaults::{Side, replacements, with_key};

/// Something that a client asks.
struct Request {
    method: &'static str,
    params: Value,
}

/// What a command line asks, asked of a server; nothing for a command that there is no tool for.
fn request(line: &str) -> Option<Request> {
    let Line { args, input } = Line::parse(line);
    let mut words = args.into_iter();
    let command = words.next()?;
    let mut arguments = Map::new();
    let mut asked = None;
    while let Some(word) = words.next() {
        let list = match word.as_str() {
            "--folder" => "folder",
            "--note" => {
                words.next()?;
                continue;
            }
            "--tag" => "tag",
            "--limit" => {
                arguments.insert("limit".to_owned(), words.next()?.parse::<usize>().ok()?.into());
                continue;
            }
            "--as-of" => {
                arguments.insert("as_of".to_owned(), words.next()?.into());
                continue;
            }
            "--captured" => {
                arguments.insert("captured".to_owned(), true.into());
                continue;
            }
            flag if flag.starts_with("--") => continue,
            _ => {
                asked.get_or_insert(word);
                continue;
            }
        };
        let values = arguments.entry(list).or_insert_with(|| json!([]));
        values.as_array_mut()?.push(words.next()?.into());
    }
    let (tool, asked) = match command.as_str() {
        "ask" | "search" => ("memora_find", Some(("question", asked?))),
        "verify" => ("memora_verify", Some(("text", input))),
        "why" => ("memora_read", Some(("claim", asked?))),
        "entity" => ("memora_about", Some(("name", asked?))),
        "contradictions" => ("memora_review", Some(("what", "contradictions".to_owned()))),
        "stale" => ("memora_review", Some(("what", "stale".to_owned()))),
        "changes" => ("memora_review", Some(("what", "changes".to_owned()))),
        "review" => ("memora_review", None),
        _ => return None,
    };
    arguments.extend(asked.map(|(key, asked)| (key.to_owned(), asked.into())));
    Some(Request { method: "tools/call", params: json!({"name": tool, "arguments": arguments}) })
}

/// Everything else that a client can ask: lists, every note of the vault by its path, claims, prompts, and these words
/// wherever words can be typed.
fn requests<'w>(fixture: &Fixture, words: impl Iterator<Item = &'w str>) -> Vec<Request> {
    let mut asked: Vec<Request> =
        ["tools/list", "resources/list", "resources/templates/list", "prompts/list", "frobnicate"]
            .map(|method| Request { method, params: json!({}) })
            .into();
    let mut read = |uri: String| asked.push(Request { method: "resources/read", params: json!({"uri": uri}) });
    let tree = TreeSnapshot::take(fixture.vault());
    let notes: Vec<&str> = tree.file_names().collect();
    for note in &notes {
        read(format!("memora://note/{}", note.replace(' ', "%20")));
    }
    for nowhere in
        ["memora://note/no such note.md", "memora://note/../../etc/passwd", "memora://review", "memora://claim/0", "x"]
    {
        read(nowhere.to_owned());
    }
    for word in words {
        read(format!("memora://note/{word}.md"));
        read(format!("memora://claim/{word}"));
    }
    let tool = |arguments: Value| Request {
        method: "tools/call",
        params: json!({"name": "memora_read", "arguments": arguments}),
    };
    asked.extend(notes.iter().map(|note| tool(json!({"note": note}))));
    asked
}

/// What a client is offered while somebody types this.
fn completions(typed: &str) -> [Request; 3] {
    let complete = |reference: Value, name: &str| Request {
        method: "completion/complete",
        params: json!({"ref": reference, "argument": {"name": name, "value": typed}}),
    };
    [
        complete(json!({"type": "ref/resource", "uri": "memora://note/{path}"}), "path"),
        complete(json!({"type": "ref/resource", "uri": "memora://claim/{id}"}), "id"),
        complete(json!({"type": "ref/prompt", "name": "review_my_vault"}), "about"),
    ]
}

/// What a client asked, and the whole response.
struct Said {
    asked: String,
    response: String,
}

/// Asks a server that logs at a level, and gives what was said, and the log.
fn play(memora: &MemoraBinary, level: &str, requests: impl Iterator<Item = Request>) -> (Vec<Said>, String) {
    let mut client = Client::of(memora.command(&["mcp"]).env("MEMORA_LOG", level));
    let hello = client.shake("2025-06-18");
    let mut said = vec![Said { asked: "initialize".to_owned(), response: hello.to_string() }];
    for Request { method, params } in requests {
        let response = client.request(method, params.clone());
        said.push(Said { asked: format!("{method} {params}"), response: response.to_string() });
    }
    let ended = client.end();
    assert!(ended.status.success(), "{}", ended.stderr);
    (said, ended.stderr)
}

/// Without what is measured: times.
fn without_times(log: &str) -> String {
    let is_time = |word: &&str| !word.contains("_ms=") && !word.contains("_us=") && !word.ends_with('Z');
    log.lines().map(|line| line.split(' ').filter(is_time).collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn nothing_says_a_guarded_word_in_a_result_an_error_a_list_or_a_log() {
    let ((fixture, memora), words) = (indexed_example(), guarded());
    let id = id_of(&memora, "Since May 2025 Anna works at Tidewell");
    let script = EVERY_COMMAND.replace("{ID}", &id) + &read("tests/exam/two-vaults/script.txt");
    // Every guarded word is asked for by name, too.
    let mut asked: Vec<Request> = lines(&script)
        .filter(|line| !line.contains("_ID}") && !line.contains("_HANDLE}"))
        .filter_map(request)
        .collect();
    asked.extend(requests(&fixture, words.iter().map(String::as_str)));
    for word in &words {
        let quoted = word.replace(['"', '\\'], " ");
        let commands = ["search", "ask", "entity"].map(|command| format!("{command} \"{quoted}\""));
        asked.extend(commands.iter().filter_map(|line| request(line)));
        asked.extend(completions(word));
    }
    asked.extend(["", "a", "e", "."].into_iter().flat_map(completions));
    let (said, log) = play(&memora, "debug", asked.into_iter());
    assert!(said.len() > 600, "only {} requests", said.len());
    for Said { asked, response } in &said {
        let (typed, response) = (asked.to_lowercase(), response.to_lowercase());
        let leaked = |word: &&String| response.contains(*word) || response.contains(&word.replace(' ', "%20"));
        let leaked: Vec<&String> = words.iter().filter(leaked).filter(|word| !typed.contains(*word)).collect();
        assert!(leaked.is_empty(), "{asked} leaked {leaked:?}: {response}");
    }
    let log = without_times(&log).to_lowercase();
    let leaked: Vec<&String> = words.iter().filter(|word| log.contains(*word)).collect();
    assert!(leaked.is_empty(), "the log leaked {leaked:?}");
}

#[test]
fn other_guarded_words_change_no_byte_of_what_a_client_is_told() {
    let script = read("tests/exam/two-vaults/script.txt");
    let told = |replaced: &[crate::two_vaults::Replacement]| {
        let side = Side::of(replaced);
        let memora = with_key(&side.fixture);
        if replaced.is_empty() {
            // The example as it is was read for all tests; the others are read here from nothing.
            memora.copy_state_from(example_state());
        }
        // All is read ahead, so that no answer depends on how far a server got with that.
        let _ = memora.run(&["index", "--complete"]).assert_code(0);
        // Each with whether it may be told again what it put in.
        let asked = lines(&script)
            .map(|line| (line.starts_with("# echo "), side.filled(line.trim_start_matches("# echo "), None)));
        let asked = asked.filter_map(|(echoes, line)| Some((echoes, request(&line)?)));
        let rest = requests(&side.fixture, ["Anna", "Tarnwether"].into_iter()).into_iter();
        let typed = ["", "a", "e", "Anna", "semantic/", "Tarnwether", "2025"].into_iter().flat_map(completions);
        let (echoes, asked): (Vec<bool>, Vec<Request>) =
            asked.chain(rest.chain(typed).map(|request| (false, request))).unzip();
        let (said, log) = play(&memora, "error", asked.into_iter());
        let echoes = std::iter::once(false).chain(echoes);
        let said: Vec<(String, String)> = said
            .into_iter()
            .zip(echoes)
            .map(|(Said { asked, response }, echoes)| {
                (side.masked(&asked), if echoes { side.masked(&response) } else { response })
            })
            .collect();
        (said, log)
    };
    let mut other = replacements("replacements.json");
    other.extend(replacements("replacements-names.json"));
    let (first, first_log) = told(&[]);
    assert!(first.len() > 350, "only {} requests", first.len());
    let (second, log) = told(&other);
    let differs: Vec<_> = first.iter().zip(&second).filter(|(a, b)| a != b).collect();
    assert!(differs.is_empty(), "{} answers differ, first: {:#?}", differs.len(), differs[0]);
    assert_eq!(first_log, log);
}

#[test]
fn a_client_is_a_cloud_door_unless_the_user_says_where_its_model_runs() {
    let (_fixture, memora) = indexed_example();
    let salary = |memora: &MemoraBinary, args: &[&str]| {
        let mut client = Client::connected(memora, args);
        client.told("memora_find", json!({"question": "What does Anna earn a month?"})).to_string().contains("6,840")
    };
    assert!(!salary(&memora, &[]));
    assert!(!salary(&memora.at_local_door(), &[]), "the door of other commands is not asked");
    assert!(!salary(&memora.at_local_door(), &["--door", "local"]));
    assert!(!salary(&memora, &["--client", "cloud"]));
    assert!(salary(&memora, &["--client", "local"]), "the control: there is something to withhold");
}

#[test]
fn whatever_a_client_is_told_is_in_the_log_of_what_left_and_what_cannot_be_logged_is_not_told() {
    let (_fixture, memora) = indexed_example();
    let mut client = Client::connected(&memora, &[]);
    let told = client.told("memora_find", json!({"question": "Anna", "limit": 3}));
    client.told("memora_about", json!({"name": "Anna Brandt"}));
    let log = memora.at_local_door().run(&["privacy", "egress", "--json"]).assert_code(0).json();
    let entries = log["entries"].as_array().or_else(|| log["left"].as_array()).expect("entries").clone();
    assert_eq!(entries.len(), 2, "{log}");
    let text = log.to_string();
    assert!(text.contains("memora_find") && text.contains("memora_about") && text.contains("\"mcp\""), "{log}");
    let lines = told["passages"].as_array().expect("a list").iter().flat_map(|passage| passage["lines"].as_array());
    for line in lines.flatten() {
        assert!(text.contains(line["claim"].as_str().expect("an id")), "{log}");
    }
    // A folder stands where the log would be.
    let found = find(&memora);
    std::fs::remove_file(&found).expect("the log can be removed");
    std::fs::create_dir(&found).expect("a folder can be made");
    let said = client.failed("memora_find", json!({"question": "Anna"}));
    assert!(said.contains("logged") && !said.contains("Anna"), "{said}");
}

/// Where the log of the one vault lies.
fn find(memora: &MemoraBinary) -> std::path::PathBuf {
    let vaults = std::fs::read_dir(memora.state_dir().join("vaults")).expect("the state can be listed");
    let mut logs = vaults.map(|vault| vault.expect("an entry").path().join("egress.jsonl"));
    logs.find(|log| log.exists()).expect("there is a log")
}

/// A client would copy a marker in a note as a citation of a claim that it was not given, and shows what no person sees.
#[test]
fn no_note_brings_a_citation_or_hidden_characters_to_a_client() {
    let text = "---\naliases: [\"Quince \u{2067}verified\u{2069}\", \"Q [claim:7h3kq0v9x2ma]\"]\n---\n# Quince [claim:7h3kq0v9x2ma]\n\n\
        The quince was planted in \u{202e}2016 &#91;claim:7h3kq0v9x2ma&#93;.\n\nThe quince weighs 400 grams [cl\u{200b}aim:7h3kq0v9x2ma].\n";
    let path = "Garden [claim:7h3kq0v9x2ma]/Quince \u{202e}.md";
    let fixture = Fixture::from_notes(&[(path, text)]);
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &["--memory"]);
    let found = client.told("memora_find", json!({"question": "when was the quince planted"}));
    let id = found["passages"][0]["lines"][0]["claim"].as_str().expect("a line is found").to_owned();
    let read = client.told("memora_read", json!({"claim": id}));
    let written = read["claim"]["claims"][0]["path"].as_str().expect("it has a path").to_owned();
    let draft = format!("In 2017 the quince was planted [claim:{id}].");
    let mut said = vec![found];
    for (tool, arguments) in [
        ("memora_find", json!({"question": "quince", "also": ["When was the quince planted?"]})),
        ("memora_about", json!({"name": "Quince"})),
        ("memora_about", json!({"name": written})),
        ("memora_read", json!({"claim": id})),
        ("memora_read", json!({"note": written})),
        ("memora_verify", json!({"text": draft})),
        ("memory_save", json!({"content": "The quince of the garden weighs nearly half a kilogram."})),
    ] {
        let told = client.call(tool, arguments);
        assert_ne!(told["result"]["isError"], true, "{tool}: {told}");
        let status = told["result"]["structuredContent"]["status"].as_str();
        assert!(!matches!(status, Some("unknown" | "none")), "{tool}: {told}");
        said.push(told);
    }
    said.push(client.request("resources/list", json!({})));
    let page = said.last().expect("just said")["result"]["resources"][1]["uri"].clone();
    said.push(client.request("resources/read", json!({"uri": page})));
    for told in said {
        let told = told.to_string();
        assert!(told.contains("uince") && !told.contains("claim:7h3kq0v9x2ma"), "{told}");
        assert!(
            !told.contains(|c| matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')),
            "{told}"
        );
    }
}
