//! The gate at the agent's door: no guarded word in any byte that a client is sent, and no influence of one on any.

use memora_testkit::Memora;
use serde_json::{Map, Value, json};

use super::Client;
use crate::leaks::guarded;
use crate::support::{EVERY_COMMAND, Line, example, id_of, lines, memora, read};
use crate::two_vaults::{Side, replacements, with_key};

/// A call that asks what a command line asks; nothing for a command that is no tool.
fn call(line: &str) -> Option<(&'static str, Value)> {
    let Line { args, input } = Line::parse(line);
    let mut words = args.into_iter();
    let command = words.next()?;
    let mut arguments = Map::new();
    let mut asked = None;
    while let Some(word) = words.next() {
        let list = match word.as_str() {
            "--folder" => "folders",
            "--note" => "notes",
            "--tag" => "tags",
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
    let (tool, key, asked) = match command.as_str() {
        "ask" => ("memora_query_cited", "question", asked?),
        "search" => ("memora_search", "query", asked?),
        "verify" => ("memora_verify", "text", input),
        "why" => ("memora_claim", "claim", asked?),
        "entity" => ("memora_entity", "name", asked?),
        _ => return None,
    };
    arguments.insert(key.to_owned(), asked.into());
    Some((tool, Value::Object(arguments)))
}

/// Sends what a script asks, to a server that logs at a level, and gives what was sent and said, and the log.
fn play<'s>(memora: &Memora, level: &str, script: impl Iterator<Item = &'s str>) -> (Vec<(Value, String)>, String) {
    let mut client = Client::of(memora.command(&["mcp"]).env("MEMORA_LOG", level));
    let hello = client.shake("2025-06-18");
    let listed = client.request("tools/list", json!({}));
    let mut said = vec![(Value::Null, format!("{hello}\n{listed}"))];
    for (tool, arguments) in script.filter_map(call) {
        let response = client.call(tool, arguments.clone());
        said.push((json!([tool, arguments]), response.to_string()));
    }
    let ended = client.end();
    assert!(ended.status.success(), "{}", ended.stderr);
    (said, ended.stderr)
}

/// Without what is measured: times.
fn without_times(log: &str) -> String {
    let is_time = |word: &&str| !word.contains("_ms=") && !word.ends_with('Z');
    log.lines().map(|line| line.split(' ').filter(is_time).collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn no_tool_says_a_guarded_word_in_a_result_an_error_or_a_log() {
    let fixture = example();
    let (memora, words) = (memora(&fixture), guarded());
    let id = id_of(&memora, "Since May 2025 Anna works at Tidewell");
    let script = EVERY_COMMAND.replace("{ID}", &id) + &read("tests/exam/two-vaults/script.txt");
    // Every guarded word is asked for by name, too.
    let mut asked: Vec<String> =
        lines(&script).filter(|line| !line.contains("_ID}") && !line.contains("_HANDLE}")).map(str::to_owned).collect();
    for word in &words {
        let word = word.replace(['"', '\\'], " ");
        asked.extend(["search", "ask", "entity"].map(|command| format!("{command} \"{word}\"")));
    }
    let (said, log) = play(&memora, "debug", asked.iter().map(String::as_str));
    assert!(said.len() > 300, "only {} calls", said.len());
    for (call, response) in &said {
        let (typed, response) = (call.to_string().to_lowercase(), response.to_lowercase());
        let leaked = |word: &&String| response.contains(*word) || response.contains(&word.replace(' ', "%20"));
        let leaked: Vec<&String> = words.iter().filter(leaked).filter(|word| !typed.contains(*word)).collect();
        assert!(leaked.is_empty(), "{call} leaked {leaked:?}: {response}");
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
        // Each with whether it may be told again what it put in.
        let asked = lines(&script)
            .map(|line| (line.starts_with("# echo "), side.filled(line.trim_start_matches("# echo "), None)));
        let asked: Vec<(bool, String)> = asked.filter(|(_, line)| call(line).is_some()).collect();
        let (said, log) = play(&memora, "error", asked.iter().map(|(_, line)| line.as_str()));
        let echoes = std::iter::once(false).chain(asked.iter().map(|(echoes, _)| *echoes));
        let said = said.into_iter().zip(echoes);
        let said: Vec<(String, String)> = said
            .map(|((call, said), echoes)| {
                (side.masked(&call.to_string()), if echoes { side.masked(&said) } else { said })
            })
            .collect();
        (said, log)
    };
    let mut others = vec![replacements("replacements.json"), replacements("replacements.json")];
    others[1].extend(replacements("replacements-names.json"));
    let (first, first_log) = told(&[]);
    assert!(first.len() > 250, "only {} calls", first.len());
    for other in &others {
        let (second, log) = told(other);
        let differs: Vec<_> = first.iter().zip(&second).filter(|(a, b)| a != b).collect();
        assert!(differs.is_empty(), "{} calls differ, first: {:#?}", differs.len(), differs[0]);
        assert_eq!(first_log, log);
    }
}

#[test]
fn a_client_is_a_cloud_door_unless_the_user_says_where_its_model_runs() {
    let fixture = example();
    let memora = memora(&fixture);
    let salary = |memora: &Memora, args: &[&str]| {
        let mut client = Client::connected(memora, args);
        client
            .told("memora_query_cited", json!({"question": "What does Anna earn a month?"}))
            .to_string()
            .contains("6,840")
    };
    assert!(!salary(&memora, &[]));
    assert!(!salary(&memora.local(), &[]), "the door of other commands is not asked");
    assert!(!salary(&memora.local(), &["--door", "local"]));
    assert!(!salary(&memora, &["--client", "cloud"]));
    assert!(salary(&memora, &["--client", "local"]), "the control: there is something to withhold");
}

#[test]
fn whatever_a_client_is_told_is_in_the_log_of_what_left_and_what_cannot_be_logged_is_not_told() {
    let fixture = example();
    let memora = memora(&fixture);
    let mut client = Client::connected(&memora, &[]);
    let told = client.told("memora_search", json!({"query": "Anna", "limit": 3}));
    client.told("memora_query_cited", json!({"question": "Where does Anna work?"}));
    let log = memora.local().run(&["privacy", "egress", "--json"]).code(0).json();
    let entries = log["entries"].as_array().or_else(|| log["left"].as_array()).expect("entries").clone();
    assert_eq!(entries.len(), 2, "{log}");
    let text = log.to_string();
    assert!(text.contains("memora_search") && text.contains("memora_query_cited") && text.contains("\"mcp\""), "{log}");
    for claim in told["claims"].as_array().expect("a list") {
        assert!(text.contains(claim["claim"].as_str().expect("an id")), "{log}");
    }
    // A folder stands where the log would be.
    let found = find(&memora);
    std::fs::remove_file(&found).expect("the log can be removed");
    std::fs::create_dir(&found).expect("a folder can be made");
    let said = client.failed("memora_search", json!({"query": "Anna"}));
    assert!(said.contains("logged") && !said.contains("Anna"), "{said}");
}

/// Where the log of the one vault lies.
fn find(memora: &Memora) -> std::path::PathBuf {
    let vaults = std::fs::read_dir(memora.state_dir().join("vaults")).expect("the state can be listed");
    let mut logs = vaults.map(|vault| vault.expect("an entry").path().join("egress.jsonl"));
    logs.find(|log| log.exists()).expect("there is a log")
}
