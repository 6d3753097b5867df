//! Memory that ages honestly: what holds now, what held then, and who decides where the notes do not say.

use std::fs;

use serde_json::Value;

use super::support::{World, copy, text};

const GO: &str = "drift-bench is written in Go.";
const RUST: &str = "drift-bench is written in Rust.";

/// Two daily notes of a user who changed their mind.
fn changed_mind() -> World {
    World::new(&[
        ("daily/2024-05-02.md", "# Thursday\n\nA quiet day.\n\ndrift-bench is written in Go.\n"),
        ("daily/2025-02-11.md", "# Tuesday\n\ndrift-bench is written in Rust.\n\nThe flags are tidy now.\n"),
    ])
}

/// Each move ends the one before, and what was found by the first is answered by the last.
#[test]
fn a_chain_of_moves_is_answered_by_its_end() {
    let moves = ["Kiel", "Bonn", "Graz", "Bern", "Lyon", "Oslo"];
    let mut notes = vec![("2019-01-01.md".to_owned(), "Ben lives in Ulm.\n".to_owned())];
    notes.extend(
        (2020..).zip(moves).map(|(year, city)| (format!("{year}-01-01.md"), format!("Ben moved to {city}.\n"))),
    );
    let asked: String = (0..40).map(|n| format!("- Somebody asked where Ben lives, in house number {n}.\n")).collect();
    notes.push(("Asked.md".to_owned(), asked));
    let world = World::new(&notes.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
    let hits = world.json(&["search", "Where does Ben live? Ulm", "--limit", "10"])["hits"].clone();
    let quote = |at: usize| text(&hits[at]["place"]["quote"]).to_owned();
    assert_eq!((quote(0), text(&hits[0]["status"])), ("Ben moved to Oslo.".to_owned(), "current"), "{hits:#}");
    assert_eq!((quote(6), text(&hits[6]["status"])), ("Ben lives in Ulm.".to_owned(), "superseded"), "{hits:#}");
}

/// What the index says of the claim with this quote: status, beginning, end.
fn standing(world: &World, quote: &str) -> (String, Value, Value) {
    let claims = world.claims();
    let claim = claims.iter().find(|claim| claim["sources"][0]["quote"] == quote).expect("the claim is there");
    (text(&claim["status"]).to_owned(), claim["valid_from"].clone(), claim["valid_until"].clone())
}

/// The edges of a claim: kind, direction, basis, the other's quote.
fn edges(world: &World, id: &str) -> Vec<[String; 4]> {
    let report = world.json(&["why", id]);
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let edges = report["edges"].as_array().expect("edges").iter();
    let mut edges: Vec<[String; 4]> = edges
        .map(|edge| {
            let quote = &edge["other"]["place"]["quote"];
            [word(&edge["kind"]), word(&edge["direction"]), word(&edge["basis"]), word(quote)]
        })
        .collect();
    edges.sort();
    edges
}

fn built_from_nothing(world: &World) -> String {
    let other = World::new(&[]);
    copy(&world.vault(), &other.vault());
    other.export()
}

fn decisions(world: &World) -> Vec<String> {
    let text = fs::read_to_string(world.vault().join(".memora/decisions.jsonl")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// The walk-through: written in Go, later in Rust; the window closes, both edges are there; the user decides otherwise,
/// and takes it back; and an index made from nothing says the same at each step.
#[test]
fn a_change_of_mind_from_the_note_to_the_decision_and_back() {
    let world = changed_mind();
    world.index();

    // The later date closed the window, and nothing is open.
    assert_eq!(standing(&world, GO), ("superseded".into(), "2024-05-02".into(), "2025-02-11".into()));
    assert_eq!(standing(&world, RUST), ("current".into(), "2025-02-11".into(), Value::Null));
    let (go, rust) = (world.id(GO), world.id(RUST));
    let [basis, by] = ["later_date", "from"].map(str::to_owned);
    let both = |quote: &str, direction: &str, basis: &str| {
        let edge = |kind: &str, direction: &str| [kind, direction, basis, quote].map(str::to_owned);
        vec![edge("contradicts", "to"), edge("supersedes", direction)]
    };
    assert_eq!(edges(&world, &go), both(RUST, &by, &basis));
    assert_eq!(edges(&world, &rust), both(GO, "to", &basis));
    let none = world.json(&["contradictions"]);
    assert_eq!((&none["open"], &none["resolved"]), (&0.into(), &1.into()));
    let all = world.json(&["contradictions", "--all"]);
    let [found] = all["contradictions"].as_array().expect("a list").as_slice() else { panic!("one: {all}") };
    assert_eq!((text(&found["older"]["place"]["quote"]), text(&found["newer"]["place"]["quote"])), (GO, RUST));

    // What holds now comes alone, what held then is there for who asks.
    let question = "What is drift-bench written in?";
    assert_eq!(world.asked(question).1, [RUST]);
    let then = world.json(&["ask", question, "--as-of", "2024-12"]);
    assert_eq!(text(&then["claims"][0]["place"]["quote"]), GO);
    assert_eq!(then["claims"].as_array().map(Vec::len), Some(1));
    assert_eq!(world.found(question).first().map(String::as_str), Some(RUST), "superseded facts do not come first");
    let listed = |day: &str| {
        let report = world.json(&["claims", "--as-of", day]).to_string();
        (report.contains(GO), report.contains(RUST))
    };
    assert_eq!((listed("2024-12"), listed("2025-06")), ((true, false), (false, true)));
    assert_eq!(world.verdicts(GO, &go).1, "superseded");
    assert_eq!(world.verdicts(RUST, &rust), ("quoted".into(), "verified".into()));
    let story = world.local(&["entity", "drift-bench", "--timeline"]).stdout;
    let (first, second) = (story.find("2024-05-02 to 2025-02-11"), story.find("\n2025-02-11\n"));
    assert!(first.is_some() && first < second, "{story}");

    // The user knows better: the rewrite was given up.
    let run = world.local(&["keep", &go]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert_eq!(standing(&world, GO).0, "current");
    assert_eq!(standing(&world, RUST).0, "superseded");
    assert_eq!(edges(&world, &go), both(RUST, "to", "decision"));
    assert_eq!(world.asked(question).1, [GO]);
    assert_eq!(decisions(&world).len(), 1);

    // From nothing: the same state.
    let before = world.export();
    fs::remove_dir_all(world.at("state")).expect("a state to delete");
    assert_eq!(world.export(), before);
    assert_eq!(built_from_nothing(&world), before);
    assert_eq!(edges(&world, &go), both(RUST, "to", "decision"));

    // And back.
    let run = world.local(&["restore", &go]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert_eq!(standing(&world, GO), ("superseded".into(), "2024-05-02".into(), "2025-02-11".into()));
    assert_eq!(decisions(&world).len(), 2, "what was decided is not forgotten");
    assert_eq!(built_from_nothing(&world), world.export());
    let why = world.json(&["why", &go]);
    let acts: Vec<&str> = why["decisions"].as_array().expect("a list").iter().map(|d| text(&d["do"])).collect();
    assert_eq!(acts, ["keep", "restore"]);
}

#[test]
fn what_was_superseded_or_taken_back_bears_nothing_out_by_a_link_or_by_its_words() {
    let world = changed_mind();
    let verdict = |words: &str| {
        let sentence = &world.verify(words)["sentences"][0];
        (text(&sentence["verdict"]).to_owned(), text(&sentence["citations"][0]["verdict"]).to_owned())
    };
    let check = |words: &str, sentence: &str, citation: &str| {
        assert_eq!(verdict(words), (sentence.to_owned(), citation.to_owned()), "{words}");
    };
    check("\"drift-bench is written in Rust.\"", "quoted", "verified");
    check("\"drift-bench is written in Go.\"", "rejected", "superseded");
    check("drift-bench is written in Rust ([[2025-02-11]]).", "quoted", "verified");
    check("A quiet day ([[2024-05-02]]).", "quoted", "verified");
    check("drift-bench is written in Go ([[2024-05-02]]).", "unsupported", "verified");
    fs::write(world.vault().join("daily/2024-05-02.md"), format!("{GO}\n")).expect("a note");
    check("drift-bench is written in Go ([[2024-05-02]]).", "rejected", "superseded");

    let rust = world.id(RUST);
    assert_eq!(world.local(&["retract", &rust]).code, Some(0));
    check("\"drift-bench is written in Rust.\"", "rejected", "withdrawn");
    check("drift-bench is written in Rust ([[2025-02-11]]).", "unsupported", "verified");
    check("drift-bench is written in Go ([[2024-05-02]]).", "quoted", "verified");
}

#[test]
fn what_nothing_decides_stays_open_until_the_user_does() {
    let world =
        World::new(&[("a.md", "drift-bench is written in Go.\n"), ("b.md", "drift-bench is written in Rust.\n")]);
    let open = || world.json(&["contradictions"])["open"].clone();
    assert_eq!(open(), 1);
    assert_eq!(world.local(&["contradictions"]).code, Some(1), "something waits for a decision");
    assert_eq!((standing(&world, GO).0, standing(&world, RUST).0), ("current".into(), "current".into()));
    let (go, rust) = (world.id(GO), world.id(RUST));

    assert_eq!(world.local(&["keep", &rust, "--beside", &go]).code, Some(0));
    assert_eq!(open(), 0);
    assert_eq!(standing(&world, GO).0, "current", "both are true");
    assert_eq!(world.local(&["restore", &go]).code, Some(0));
    assert_eq!(open(), 1);

    assert_eq!(world.local(&["retract", &go]).code, Some(0));
    assert_eq!((open(), standing(&world, GO).0), (0.into(), "withdrawn".into()));
    assert_eq!(world.verdicts(GO, &go).1, "withdrawn");
    assert_eq!(world.asked("What is drift-bench written in?").1, [RUST]);
    assert_eq!(world.json(&["why", &go])["status"], "withdrawn");
    assert_eq!(world.local(&["restore", &go]).code, Some(0));
    assert_eq!((open(), standing(&world, GO).0), (1.into(), "current".into()));
    assert_eq!(world.local(&["contradictions"]).code, Some(1));
}

#[test]
fn words_of_change_end_what_they_speak_of() {
    let world = World::new(&[
        ("drift.md", "drift uses JSON.\n"),
        ("daily/2025-03-04.md", "drift switched serialization from JSON to MessagePack after throughput benchmarks.\n"),
        ("Tomasz.md", "# Tomasz\n\nTomasz owns the on-call rota.\n"),
        ("daily/2024-09-17.md", "Tomasz no longer owns the on-call rota.\n"),
    ]);
    assert_eq!(standing(&world, "drift uses JSON.").2, "2025-03-04");
    let id = world.id("drift uses JSON.");
    let change = "drift switched serialization from JSON to MessagePack after throughput benchmarks.".to_owned();
    let superseded = ["supersedes", "from", "words_of_change"].map(str::to_owned);
    let found = edges(&world, &id);
    assert!(found.iter().any(|edge| edge[..3] == superseded && edge[3] == change), "{found:?}");
    assert_eq!(standing(&world, "Tomasz owns the on-call rota.").2, "2024-09-17");

    // Before that day he owned it, and nobody says that he does not.
    let then = world.json(&["search", "Who owns the on-call rota?", "--as-of", "2024-06"]).to_string();
    assert!(then.contains("Tomasz owns the on-call rota.") && !then.contains("no longer"), "{then}");
    let now = world.json(&["search", "Who owns the on-call rota?", "--as-of", "2025"]).to_string();
    assert!(!now.contains("Tomasz owns the on-call rota.") && now.contains("no longer"), "{now}");
}

/// Others closed 41 % of their facts, most of them true (graphiti#1728).
#[test]
fn what_may_both_be_true_is_left_alone() {
    let notes = [
        // Another part, another condition, another time of the year.
        ("a.md", "The frontend of drift is written in TypeScript.\n\ndrift is written in Rust.\n"),
        ("daily/2024-01-01.md", "The meeting starts at 10:00.\n\nOn weekdays Kestrel opens at 8:00.\n"),
        ("daily/2024-02-01.md", "The meeting starts at 11:00.\n\nKestrel opens at 10:00.\n"),
        // Amounts.
        ("daily/2024-03-01.md", "The length of Route One is 3 km.\n\nThe price of Drift Pro is about 40 euros.\n"),
        ("daily/2024-04-01.md", "The length of Route One is 3000 m.\n\nThe price of Drift Pro is 41 euros.\n"),
        // What somebody else says, plans, asks, supposes.
        ("daily/2024-05-01.md", "Anna lives in Kiel.\n"),
        (
            "daily/2024-06-01.md",
            "Ben says Anna lives in Malmö.\n\nAnna will live in Lund.\n\nDoes Anna live in Oslo?\n",
        ),
        ("daily/2024-07-01.md", "> Anna lives in Bergen.\n\nIf she gets the job, Anna lives in Turku.\n"),
        ("captured.md", "---\nmemora: captured\ndate: 2024-08-01\n---\nAnna lives in Riga since 2025.\n"),
        // More words for the same thing.
        ("daily/2024-09-01.md", "Anna lives in a flat in Kiel.\n"),
        // Where somebody was born does not change.
        ("daily/2024-10-01.md", "Anna was born in Husum.\n"),
        ("Husum.md", "Anna was born in Husum, by the sea.\n"),
        // A list of fields.
        ("film.md", "- author:: Anna\n- author:: Ben\n"),
        // Things that alternate.
        ("daily/2023-01-01.md", "My editor is Vim.\n"),
        ("daily/2023-06-01.md", "My editor is Zed.\n"),
        ("daily/2024-01-02.md", "My editor is Vim.\n"),
        ("daily/2024-06-02.md", "My editor is Zed.\n"),
    ];
    let world = World::new(&notes);
    let ended: Vec<Value> = world.claims().into_iter().filter(|claim| claim["status"] != "current").collect();
    assert!(ended.is_empty(), "{ended:#?}");
    assert_eq!(standing(&world, "Anna lives in Kiel.").2, Value::Null);
    let open = world.json(&["contradictions"]);
    assert_eq!(open["open"], 0, "{open:#}");
}

/// Whoever keeps the notes may use many languages; that says nothing of what their programs are written in.
#[test]
fn who_the_owner_is_changes_nothing_about_others() {
    let world = World::new(&[
        ("a.md", "drift-bench is written in Go.\n\nI work at Acme.\n"),
        ("b.md", "drift-bench is written in Rust.\n"),
        ("Zofia.md", "Zofia works at Acme as an engineer.\n\nZofia works at Tidewell.\n"),
    ]);
    let open = || world.json(&["contradictions"])["open"].clone();
    assert_eq!(open(), 2);
    fs::create_dir_all(world.at("config")).expect("a folder");
    fs::write(world.at("config/config.toml"), "owner = \"Mara\"\n").expect("a configuration");
    assert_eq!(open(), 2);
}

/// Two people decide on two machines, and their synchronisation takes the lines of both.
#[test]
fn decisions_of_two_machines_are_merged_line_by_line() {
    let world =
        World::new(&[("a.md", "drift-bench is written in Go.\n"), ("b.md", "drift-bench is written in Rust.\n")]);
    let (go, rust) = (world.id(GO), world.id(RUST));
    let line = |day: &str, act: &str, claim: &str, over: &str| {
        format!("{{\"at\":\"{day}T08:00:00.000000Z\",\"do\":\"{act}\",\"claim\":\"{claim}\",\"over\":[{over}]}}")
    };
    let early = line("2025-01-01", "keep", &go, &format!("\"{rust}\""));
    let late = line("2025-02-01", "keep", &rust, &format!("\"{go}\""));
    // The later one stands first, a conflict was left between them, and no line break at the end.
    let merged = format!("{late}\n<<<<<<< theirs\n{{\"do\":\"later\"}}\n{early}\n{early}");
    world.write(".memora/decisions.jsonl", &merged);
    assert_eq!(standing(&world, GO).0, "superseded", "the later decision counts");
    assert_eq!(standing(&world, RUST).0, "current");
    let run = world.local(&["contradictions", "--json"]);
    assert_eq!(run.json()["unread"], serde_json::json!([2, 3]));
    assert!(run.stderr.contains("2 lines of .memora/decisions.jsonl cannot be read"), "{}", run.stderr);

    // Nothing that stands there is lost or touched.
    assert_eq!(world.local(&["retract", &rust]).code, Some(0));
    let after = world.read(".memora/decisions.jsonl");
    assert!(after.starts_with(&format!("{merged}\n")), "{after}");
    assert_eq!(after.lines().count(), merged.lines().count() + 1);
    assert_eq!(standing(&world, RUST).0, "withdrawn");
    assert_eq!(built_from_nothing(&world), world.export());
}

#[test]
fn a_decision_writes_one_line_and_nothing_else() {
    let world = World::new(&[("a.md", "drift-bench is written in Go.\n")]);
    let go = world.id(GO);
    let before = world.everything();
    for args in [&["keep", "7h3kq0v9x2ma"][..], &["retract", "nonsense"], &["keep", &go, "--over", &go], &["restore"]] {
        let run = world.local(args);
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains("hint: ") || args.len() == 1, "{args:?}: {}", run.stderr);
        assert_eq!(world.everything(), before, "{args:?}");
    }
    assert_eq!(world.local(&["keep", &go]).code, Some(0));
    let mut after = world.everything();
    let line = after.remove(&world.vault().join(".memora/decisions.jsonl")).expect("the file was made");
    assert_eq!(after, before);
    assert!(line.0.ends_with(format!("\"do\":\"keep\",\"claim\":\"{go}\",\"over\":[]}}\n").as_bytes()));
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_vault_is_not_written_through() {
    let world = World::new(&[("a.md", "drift-bench is written in Go.\n")]);
    let outside = world.at("outside.jsonl");
    fs::write(&outside, "").expect("a file");
    fs::create_dir_all(world.vault().join(".memora")).expect("a folder");
    std::os::unix::fs::symlink(&outside, world.vault().join(".memora/decisions.jsonl")).expect("a link");
    let run = world.local(&["keep", &world.id(GO)]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.stderr.contains("leads out of the vault"), "{}", run.stderr);
    assert_eq!(fs::read(&outside).expect("a file"), b"");
}

/// What guarded text says ends nothing at a cloud door.
#[test]
fn a_guarded_claim_supersedes_for_its_owner_alone() {
    let world = changed_mind();
    world.edit("daily/2025-02-11.md", RUST, "<!--privacy:secret-->drift-bench is written in Rust.<!--/privacy-->");
    assert_eq!(standing(&world, GO).0, "superseded");
    let (go, rust) = (world.id(GO), world.id(RUST));
    let cloud = |args: &[&str]| world.cloud(&[args, &["--json"]].concat());
    let listed = cloud(&["claims", "--note", "daily/2024-05-02.md"]).stdout;
    assert!(
        listed.contains("\"current\"") && !listed.contains("superseded") && !listed.contains("2025-02-11"),
        "{listed}"
    );
    assert_eq!(cloud(&["contradictions", "--all"]).json()["resolved"], 0);
    assert_eq!(cloud(&["why", &go]).json()["edges"], serde_json::json!([]));

    // Nor does a decision about it, which cannot be made there either.
    let refused = cloud(&["keep", &rust]);
    assert_eq!(refused.code, Some(2));
    let unknown = cloud(&["keep", "7h3kq0v9x2ma"]);
    assert_eq!(refused.stderr.replace(&rust, "7h3kq0v9x2ma"), unknown.stderr);
    assert_eq!(world.local(&["keep", &go]).code, Some(0));
    assert_eq!(standing(&world, RUST).0, "superseded");
    let why = cloud(&["why", &go]).json();
    assert_eq!(why["decisions"][0]["over"], serde_json::json!([]), "{why}");
    assert_eq!(world.local(&["keep", &rust, "--over", &go]).code, Some(0));
    assert_eq!(cloud(&["why", &go]).json()["status"], "current");
    assert_eq!(cloud(&["why", &go]).json()["decisions"].as_array().map(Vec::len), Some(1), "not of the other");
}

/// An alias, a link, the owner's "I": one thing under several names.
#[test]
fn a_thing_is_the_same_under_all_its_names() {
    let world = World::new(&[
        ("drift.md", "---\naliases: [the log engine]\n---\n# drift\n\nIt is a log.\n"),
        ("daily/2024-05-02.md", "The log engine is written in Go.\n\nI work at Acme.\n"),
        ("daily/2025-02-11.md", "[[drift]] is written in Rust.\n\nI work at Tidewell.\n"),
    ]);
    assert_eq!(standing(&world, "The log engine is written in Go.").0, "superseded");
    assert_eq!(standing(&world, "I work at Acme.").2, "2025-02-11");
}

#[test]
fn who_switched_from_one_thing_to_another_has_left_it_whatever_the_verb_was() {
    let world = World::new(&[
        ("Anna.md", "# Anna\n\nAnna works at Acme.\n"),
        ("daily/2025-03-04.md", "Anna switched from Acme to Tidewell.\n"),
        ("Ben.md", "# Ben\n\nBen works at Kestrel Optik.\n"),
        ("daily/2025-04-04.md", "Ben no longer cooks for Kestrel Optik.\n"),
    ]);
    assert_eq!(standing(&world, "Anna works at Acme."), ("superseded".into(), Value::Null, "2025-03-04".into()));
    assert_eq!(standing(&world, "Ben works at Kestrel Optik.").0, "current");
}

#[test]
fn a_person_has_several_tools_and_is_sure_of_one_thing_and_not_of_another() {
    let world = World::new(&[
        ("a.md", "I use Python.\n\nI'm sure that it holds.\n\nI use AWS.\n"),
        ("b.md", "I use Rust.\n\nI'm not sure why it broke.\n\nI use Fastmail.\n"),
        ("Anna.md", "Anna works at Acme.\n\nAnna uses Go.\n"),
        ("c.md", "Anna uses Kotlin.\n\n$E$ is empty.\n"),
        ("d.md", "$E$ is not empty.\n\nThe system is stable.\n"),
        ("system.md", "Any whole of parts.\n\n# Example\n\nThe system is not stable.\n"),
    ]);
    let open = world.json(&["contradictions", "--all"]);
    assert_eq!((&open["open"], &open["resolved"]), (&0.into(), &0.into()), "{open:#}");
}

/// What ends without a condition ends what was said with one.
#[test]
fn what_is_over_is_over_whatever_was_said_beside() {
    let world = World::new(&[
        ("Anna.md", "Anna works at Northwind as a data engineer.\n\nBen lives in Graz with his two cats.\n"),
        ("daily/2025-03-02.md", "Anna no longer works at Northwind.\n\nBen moved to Lisbon.\n"),
    ]);
    let report = world.json(&["contradictions", "--all"]);
    let superseded: Vec<&str> =
        report["contradictions"].as_array().expect("pairs").iter().map(|pair| text(&pair["older"]["object"])).collect();
    assert!(superseded.contains(&"Northwind"), "{report}");
}

/// A question that the older sentence answers in its words is answered by what came instead.
#[test]
fn what_came_instead_answers() {
    let world =
        World::new(&[("daily/2025-01-10.md", "Ben lives in Ulm.\n"), ("daily/2025-05-10.md", "Ben moved to Kiel.\n")]);
    assert_eq!(world.asked("Where does Ben live?").1, ["Ben moved to Kiel."]);
    assert_eq!(world.asked("Where did Ben live in January 2025?").1, ["Ben lives in Ulm."]);
}
