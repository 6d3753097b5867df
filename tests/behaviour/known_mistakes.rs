//! What an earlier program of the same idea got wrong, and what users of similar tools complain about.
//!
//! Each test states what Memora does instead. Tests of what a model would do are elsewhere.

use std::fs;
use std::thread;

use regex::Regex;

use super::support::{World, places, run, statement, text};

const DRIFT: &str = "---\naliases: [drift log]\ndue: 2025-06-30\nstatus: active\n---\n# drift\n\n\
    drift switched serialization from JSON to MessagePack after throughput benchmarks.\n\n\
    Anna owns the storage layer since March 2024.\n";

/// Every command that reads, for loops over all of them.
const COMMANDS: &[&[&str]] = &[
    &["index"],
    &["ask", "Who owns the storage layer?"],
    &["search", "storage layer"],
    &["claims"],
    &["changes"],
    &["why", "zzzzzzzzzzzz"],
    &["status"],
    &["doctor", "--check-spans"],
    &["export", "--canonical"],
    &["verify"],
    &["reset"],
];

#[test]
fn no_command_changes_a_byte_or_a_time_in_the_vault() {
    let world =
        World::new(&[("drift.md", DRIFT), ("crlf.md", "one\r\n\r\n*  two\r\n"), ("bare.md", "no final newline")]);
    let before = world.everything();
    for args in COMMANDS {
        let _ = world.local(args);
        let _ = world.cloud(args);
        assert_eq!(world.everything(), before, "{args:?}");
    }
}

#[test]
fn a_sentence_that_its_citation_does_not_say_is_unsupported_and_one_without_is_uncited() {
    let world = World::new(&[("drift.md", DRIFT)]);
    let id = world.id("Anna owns");
    let draft =
        format!("The CEO is a lizard and drift was cancelled [claim:{id}]. Uncited nonsense: the moon is cheese.");
    let report = world.verify(&draft);
    assert_eq!(report["status"], "unverified");
    assert_eq!(report["sentences"][0]["verdict"], "unsupported");
    assert_eq!(report["sentences"][0]["citations"][0]["verdict"], "verified", "the span itself stands");
    assert_eq!(report["sentences"][1]["verdict"], "uncited");
}

/// The sixteen answers that the earlier program was probed with: it kept eleven of the fourteen bad ones.
#[test]
fn of_sixteen_answers_the_quoted_one_is_proven_and_each_bad_one_has_its_own_verdict() {
    let world = World::new(&[("drift.md", DRIFT)]);
    let a = world.id("switched serialization");
    let b = world.id("Anna owns");
    let (loud, short) = (b.to_uppercase(), b.get(..6).expect("an id is longer"));
    let anna = "Anna owns the storage layer since March 2024.";
    #[rustfmt::skip]
    let answers: &[(&str, String, &str)] = &[
        ("true, word for word", format!("drift switched serialization from JSON to MessagePack after throughput benchmarks. [claim:{a}]"), "quoted verified"),
        ("true, other words", format!("Anna has owned the storage layer since March 2024. [claim:{b}]"), "paraphrased verified"),
        ("other entity", format!("Priya owns the storage layer since March 2024. [claim:{b}]"), "contradicted verified"),
        ("other direction", format!("drift switched serialization from MessagePack to JSON after throughput benchmarks. [claim:{a}]"), "contradicted verified"),
        ("negated", format!("Anna does not own the storage layer since March 2024. [claim:{b}]"), "contradicted verified"),
        ("other number", format!("Anna owns the storage layer since March 2023. [claim:{b}]"), "contradicted verified"),
        ("other person", format!("I own the storage layer since March 2024. [claim:{b}]"), "paraphrased verified"),
        ("a real id, of another claim", format!("{anna} [claim:{a}]"), "unsupported verified"),
        ("unrelated text", format!("The moon is made of cheese. [claim:{a}]"), "unsupported verified"),
        ("an uncited sentence", "The moon is made of cheese.".to_owned(), "uncited"),
        ("an unknown id", format!("{anna} [claim:zzzzzzzzzzzz]"), "rejected unknown_id"),
        ("a shortened id", format!("{anna} [claim:{short}]"), "rejected malformed"),
        ("no id at all", format!("{anna} [claim: not an id]"), "rejected malformed"),
        ("a list, of which neither says it", format!("drift switched to XML and Anna left. [claim:{a}, claim:{b}]"), "unsupported verified verified"),
        ("a true half and an invented one", format!("Anna owns the storage layer and won a prize for it. [claim:{b}]"), "paraphrased verified"),
        ("upper-case id, other number", format!("Anna owns the storage layer since March 2025. [claim:{loud}]"), "contradicted verified"),
    ];
    let mut wrong = Vec::new();
    for (what, answer, expected) in answers {
        let report = world.verify(answer);
        let sentence = &report["sentences"][0];
        let mut verdict = text(&sentence["verdict"]).to_owned();
        for citation in sentence["citations"].as_array().expect("citations") {
            verdict = format!("{verdict} {}", text(&citation["verdict"]));
        }
        if verdict != *expected {
            wrong.push(format!("{what}: {verdict}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_id_in_capitals_and_a_list_of_ids_are_citations_like_any_other() {
    let world = World::new(&[("drift.md", DRIFT)]);
    let (a, b) = (world.id("switched serialization"), world.id("Anna owns"));
    let sentence = "Anna owns the storage layer since March 2024.";
    assert_eq!(world.verdicts(sentence, &b.to_uppercase()), ("quoted".into(), "verified".into()));
    let report = world.verify(&format!("{sentence} [claim:{a}, claim:{b}]"));
    assert_eq!(report["sentences"][0]["citations"].as_array().map(Vec::len), Some(2));
    assert!(text(&report["status"]) == "verified", "{report}");
}

#[test]
fn no_answer_of_any_letters_makes_it_panic() {
    let world = World::new(&[("drift.md", DRIFT)]);
    let id = world.id("Anna owns");
    for words in [
        "Käse",
        "佐藤先生は元気です。",
        "🌊👨‍👩‍👧‍👦",
        "a\u{200b}b",
        "\u{feff}",
        "ﷺ ﷽",
        "e\u{301}\u{301}",
        "\u{202e}txt",
        "İıßẞ",
        "𝕏",
        "\0",
        "ẞ[claim:",
        "[claim:ẞ🌊]",
        "[claim:佐藤",
        "claim:]é[",
    ] {
        for draft in [format!("{words} [claim:{id}]"), format!("{words}[claim:{id}{words}]"), words.repeat(50)] {
            let report = world.verify(&draft);
            assert_ne!(text(&report["status"]), "verified", "{draft:?}: {report}");
        }
        let _ = world.local(&["search", words.trim_matches('\0')]);
        let _ = world.local(&["ask", words.trim_matches('\0')]);
    }
}

#[test]
fn a_paragraph_inserted_above_leaves_a_citation_standing() {
    let world = World::new(&[("drift.md", DRIFT)]);
    let id = world.id("Anna owns");
    world.edit("drift.md", "# drift\n", "# drift\n\nA new paragraph, näher am Anfang 🌊.\n");
    let sentence = "Anna owns the storage layer since March 2024.";
    let (said, cited) = world.verdicts(sentence, &id);
    assert_eq!(said, "quoted");
    assert!(matches!(cited.as_str(), "verified" | "moved"), "{cited}");
    let (_, quotes) = world.asked("Who owns the storage layer?");
    assert!(quotes.iter().any(|quote| quote == sentence), "{quotes:?}");
}

#[test]
fn a_relative_vault_is_the_same_vault_for_every_command() {
    let world = World::new(&[("drift.md", DRIFT)]);
    let id = world.id("Anna owns");
    for named in ["vault", "./vault", "vault/", "vault/../vault", "../vault/."] {
        for args in COMMANDS.iter().filter(|args| args[0] != "reset") {
            let mut command = world.bare();
            if named.starts_with("..") {
                command.current_dir(world.vault());
            }
            command.args(["--vault", named, "--door", "local"]).args(*args);
            let run = run(command, &format!("Anna owns the storage layer since March 2024. [claim:{id}]"));
            // The vault was found: the one error is that of an id that no claim has.
            let unknown = run.stderr.contains("error: there is no claim zzzzzzzzzzzz");
            assert_eq!(run.code == Some(2), unknown, "{named} {args:?}: {}", run.stderr);
        }
    }
    let states = fs::read_dir(world.at("state").join("vaults")).expect("state").count();
    assert_eq!(states, 1, "one vault has one state");
}

#[test]
fn an_unclosed_marker_guards_all_that_follows() {
    let world = World::new(&[(
        "a.md",
        "The crane lifts forty tonnes.\n\n<!--privacy:secret-->\nThe safe word is quokka.\n\nThe vault code is 4711.\n",
    )]);
    says_nothing_of(&world, &["quokka", "4711"], &["safe word", "vault code", "crane"]);
}

#[test]
fn a_secret_nested_in_something_private_is_guarded_and_so_is_what_follows_it() {
    let world = World::new(&[(
        "a.md",
        "The crane lifts forty tonnes. <!--privacy:private-->The loan is 900 euros. \
         <!--privacy:secret-->The pin is 4711.<!--/privacy--> The lender is Quokka.<!--/privacy-->\n",
    )]);
    says_nothing_of(&world, &["900", "4711", "Quokka"], &["loan", "pin", "lender", "crane"]);
}

#[test]
fn no_problem_or_error_quotes_guarded_text() {
    let world = World::new(&[
        (
            "Quokka.md",
            "---\nprivacy: secret\nname: [unclosed \"quokka\n---\nThe quokka is 4711. <!--privacy:sercet-->\n",
        ),
        ("b.md", "The crane lifts forty tonnes.\n\n%% the quokka [claim:4711] %%\n\n<!--privacy:quokka-->x 4711"),
        ("journal/c.md", "The quokka sleeps. #secret\n"),
    ]);
    says_nothing_of(&world, &["uokka", "4711"], &["crane", "sleeps", "claim"]);
    let run = world.cloud(&["claims", "--note", "Quokka.md"]);
    assert!(!run.stdout.contains("uokka"), "{}", run.stdout);
}

/// No command prints any of the words at a cloud door, on either output.
fn says_nothing_of(world: &World, guarded: &[&str], queries: &[&str]) {
    let ids: Vec<String> = world.claims().iter().map(|claim| statement(text(&claim["claim"])).to_owned()).collect();
    let check = |what: &str, said: String| {
        // A handle is random, and may have any digits.
        let handles = Regex::new("~[0-9a-z]{8,16}").expect("a regex");
        let said = handles.replace_all(&said, "~");
        for word in guarded {
            assert!(!said.contains(word), "{what} says {word:?}: {said}");
        }
    };
    for args in COMMANDS.iter().filter(|args| args[0] != "reset") {
        check(args[0], world.cloud(args).said());
        check(args[0], world.cloud(&[*args, &["--json"][..]].concat()).said());
    }
    for query in queries {
        for command in ["ask", "search"] {
            check(query, world.cloud(&[command, query, "--json"]).said());
        }
    }
    for id in ids {
        check("why", world.cloud(&["why", &id, "--json"]).said());
        check("verify", world.cloud_with(&["verify", "--json"], &format!("The crane lifts. [claim:{id}]")).said());
    }
    let shown = world.local(&["export", "--statements"]).stdout;
    assert!(guarded.iter().any(|word| shown.contains(word)), "its user sees it: {shown}");
}

#[test]
fn comments_templates_embeds_and_struck_or_fenced_text_are_what_obsidian_takes_them_for() {
    let world = World::new(&[
        (".obsidian/templates.json", "{\"folder\": \"Templates\"}"),
        ("Templates/person.md", "# {{title}}\n\nThe template greets.\n"),
        (
            "a.md",
            "# Harbour\n\nThe crane lifts forty tonnes.\n\n%% The crane is rusty. %%\n\n%%\nThe quay is sinking.\n%%\n\n\
             - [ ] Paint the crane 📅 2025-03-01\n- [x] Grease the winch\n\n![[b]]\n\n~~The pier is wooden.~~\n\n\
             ```\nThe code says nothing.\n```\n\n$$\nThe math says x.\n$$\n",
        ),
        ("b.md", "The barge is called Elfriede.\n"),
    ]);
    let mut claims = world.claims();
    claims.retain(|claim| claim["modality"] != "code");
    let quotes: Vec<&str> = claims.iter().flat_map(places).map(|place| text(&place["quote"])).collect();
    for word in ["rusty", "sinking", "template", "wooden", "code", "math", "[["] {
        assert!(!quotes.iter().any(|quote| quote.contains(word)), "{word:?} in {quotes:?}");
    }
    let embedded: Vec<&str> = claims
        .iter()
        .flat_map(places)
        .filter(|place| text(&place["quote"]).contains("Elfriede"))
        .map(|place| text(&place["path"]))
        .collect();
    assert_eq!(embedded, ["b.md"], "an embedded claim belongs to its own note");
    let task = |words: &str| {
        let found = claims.iter().find(|claim| places(claim).any(|place| text(&place["quote"]).contains(words)));
        let claim = found.expect("tasks are read");
        (text(&claim["predicate"]).to_owned(), text(&claim["modality"]).to_owned())
    };
    assert_eq!(task("Paint the crane"), ("open".into(), "planned".into()));
    assert_eq!(task("Grease the winch"), ("done".into(), "asserted".into()));
    let report = world.index();
    assert_eq!(report["notes"]["skipped"][0]["reason"], "template");
}

/// The earlier program took the first twelve claims of a note, and embedded its first 2,000 characters.
#[test]
fn an_answer_far_down_a_long_note_is_found() {
    let mut note = String::from("# Ledger\n\n");
    for n in 1..=40 {
        note.push_str(&format!("Crate number {n} holds tin cans of the kind {n}a, stacked by the western wall.\n\n"));
    }
    note.push_str("The heron nests on the lighthouse roof.\n");
    assert!(note.find("heron").is_some_and(|at| at > 2000));
    let world = World::new(&[("ledger.md", &note), ("b.md", "A lighthouse has a lamp.\n")]);
    let (status, quotes) = world.asked("Where does the heron nest?");
    assert_eq!(status, "verified");
    assert_eq!(quotes.first().map(String::as_str), Some("The heron nests on the lighthouse roof."));
    let found = world.found("crate number 13 kind 13a");
    assert_eq!(found.first().map(|quote| quote.starts_with("Crate number 13 ")), Some(true), "{found:?}");
}

#[test]
fn every_statement_of_a_note_is_a_claim_with_its_exact_span() {
    let mut note = String::from("\u{feff}# Käse\r\n\r\n");
    for n in 1..=30 {
        note.push_str(&format!("Räder {n} wiegt {n} Kilo 🧀. "));
    }
    let world = World::new(&[("käse.md", &note)]);
    let bytes = fs::read(world.vault().join("käse.md")).expect("the note");
    let claims = world.claims();
    let weights = claims.iter().filter(|claim| places(claim).any(|place| text(&place["quote"]).starts_with("Räder")));
    assert_eq!(weights.count(), 30);
    for place in claims.iter().flat_map(places) {
        let at = |key: &str| usize::try_from(place[key].as_u64().expect("an offset")).expect("small");
        assert_eq!(&bytes[at("start")..at("end")], text(&place["quote"]).as_bytes());
    }
}

/// Complaint 2, seen in qmd#961, basic-memory#256, #765, #1351, omnisearch#536.
#[test]
fn what_was_edited_deleted_or_moved_is_so_at_the_next_command() {
    let world = World::new(&[
        ("crane.md", "The crane lifts forty tonnes.\n"),
        ("barge.md", "The barge is called Elfriede.\n"),
        ("tug.md", "The tug is called Hermine.\n"),
    ]);
    world.index();
    world.edit("crane.md", "forty", "fifty");
    assert_eq!(world.asked("How much does the crane lift?").1, ["The crane lifts fifty tonnes."]);
    assert!(world.found("forty").is_empty());

    world.delete("barge.md");
    assert!(world.found("Elfriede").is_empty());
    assert_eq!(world.asked("What is the barge called?").1.iter().filter(|q| q.contains("Elfriede")).count(), 0);

    world.rename("tug.md", "ships/tug.md");
    let report = world.json(&["search", "Hermine"]);
    let paths: Vec<&str> =
        report["hits"].as_array().expect("hits").iter().map(|hit| text(&hit["place"]["path"])).collect();
    assert_eq!(paths, ["ships/tug.md"]);
    assert_eq!(report["hits"][0]["place"]["moved"], false, "it is indexed where it is");

    world.write("new.md", "The heron nests on the roof.\n");
    assert_eq!(world.found("heron"), ["The heron nests on the roof."]);
}

/// Complaint 5, seen in graphiti#1728: 41 % of the facts were invalidated, three of four wrongly.
#[test]
fn facts_that_only_look_alike_do_not_end_one_another() {
    let world = World::new(&[
        ("a.md", "# Plan A\n\n- Price: 40 euros per month\n- Location: Falkenstein\n\nAnna lives in Ottensen.\n"),
        ("b.md", "# Plan B\n\n- Price: 65 euros per month\n- Location: Hamburg\n\nAnna likes Ottensen.\n"),
        ("c.md", "# Old\n\nAnna visited Malmö.\n\nAnna visited Kyoto.\n\nThe crane is tall.\n\nThe crane is old.\n"),
    ]);
    for claim in world.claims() {
        assert_eq!(claim["status"], "current", "{claim}");
        assert!(claim["valid_until"].is_null(), "{claim}");
    }
}

/// Complaint 7: a folder that is excluded or secret is so for every command, not for the index alone.
#[test]
fn an_excluded_note_is_nowhere_and_is_listed_as_excluded() {
    let world = World::new(&[
        (".obsidian/app.json", "{\"userIgnoreFilters\": [\"archive/\"]}"),
        (".memoraignore", "drafts/\n"),
        ("archive/a.md", "The quokka sleeps at noon.\n"),
        ("drafts/b.md", "The quokka eats at dusk.\n"),
        ("c.md", "The crane lifts forty tonnes.\n\n![[archive/a]] ![[drafts/b]]\n"),
        ("d.md", "The barge is called Elfriede.\n"),
    ]);
    assert!(world.found("quokka").is_empty());
    assert_eq!(world.asked("When does the quokka sleep?").0, "no_evidence");
    assert!(!world.export().contains("quokka"));
    let report = world.index();
    let mut skipped: Vec<String> = report["notes"]["skipped"]
        .as_array()
        .expect("skipped notes")
        .iter()
        .map(|note| format!("{} {}", text(&note["path"]), text(&note["reason"])))
        .collect();
    skipped.sort();
    assert_eq!(skipped, ["archive/a.md ignored-by-obsidian", "drafts/b.md ignored-by-memora"]);

    // A note that is excluded after it was indexed is gone at the next command.
    world.write(".memoraignore", "drafts/\nc.md\n");
    assert!(world.found("crane").is_empty());
}

/// Complaint 12, seen in smart-connections#1079, #496, omnisearch#92: an index inside the vault is synced and corrupted.
#[test]
fn the_state_lies_outside_the_vault_and_only_its_owner_can_read_it() {
    let world = World::new(&[("drift.md", DRIFT)]);
    let before = world.everything();
    world.index();
    assert_eq!(world.everything().keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    assert!(world.state().join("index.db").exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        for name in ["index.db", "journal.db"] {
            let mode = fs::metadata(world.state().join(name)).expect("a file").permissions().mode();
            assert_eq!(mode & 0o077, 0, "{name} is {mode:o}");
        }
    }
}

/// Complaint 13, seen in msgvault#226, claude-mem#752, mem0#7196: many processes, one SQLite.
#[test]
fn eight_processes_at_once_all_answer() {
    let world = World::new(&[("drift.md", DRIFT)]);
    world.index();
    thread::scope(|scope| {
        let asked: Vec<_> = (0..8)
            .map(|n| {
                let world = &world;
                scope.spawn(move || {
                    world.write(&format!("note {n}.md"), format!("Process {n} wrote this line.\n"));
                    world.asked("Who owns the storage layer?")
                })
            })
            .collect();
        for answer in asked {
            let (status, quotes) = answer.join().expect("no panic");
            assert_eq!(quotes, ["Anna owns the storage layer since March 2024."], "{status}");
        }
    });
    assert_eq!(world.index()["notes"]["seen"], 9);
    assert_eq!(world.local(&["doctor", "--check-spans"]).code, Some(0));
}

/// The same, when there is no state and no key for handles yet.
#[test]
fn processes_that_start_together_on_a_new_vault_agree() {
    let world = World::new(&[(
        "a.md",
        "# Harbour\n\nThe crane lifts forty tonnes of steel.\n\n<!--privacy:secret-->The pin is 4711.\n",
    )]);
    let runs: Vec<_> = thread::scope(|scope| {
        let runs: Vec<_> = (0..6).map(|_| scope.spawn(|| world.cloud(&["claims"]))).collect();
        runs.into_iter().map(|run| run.join().expect("no panic")).collect()
    });
    let now = world.cloud(&["claims"]).stdout;
    assert!(now.contains('~'), "a guarded claim has a handle: {now}");
    for run in runs {
        // Who comes before the first batch is written says so, and may have nothing to list yet.
        if !run.stderr.contains("another memora process") {
            assert_eq!(run.code, Some(0), "{}", run.stderr);
            assert_eq!(run.stdout, now);
        }
    }
}

/// Complaint 16, seen in obsidian-copilot#454, markdown-oxide#330.
#[test]
fn templates_drawings_conflict_copies_and_hidden_folders_are_not_read() {
    let world = World::new(&[
        (".obsidian/plugins/templater-obsidian/data.json", "{\"templates_folder\": \"Snippets\"}"),
        (".obsidian/note.md", "The quokka lives in settings.\n"),
        (".trash/old.md", "The quokka was thrown away.\n"),
        (".git/x.md", "The quokka is in git.\n"),
        ("Snippets/t.md", "The quokka is <% tp.date %>.\n"),
        ("board.md", "---\nkanban-plugin: basic\n---\n## Quokka\n- [ ] quokka\n"),
        ("plan.sync-conflict-20240312-093000-ABCDEFG.md", "The quokka is a conflict.\n"),
        ("data.canvas", "{\"nodes\": [{\"text\": \"quokka\"}]}"),
        ("a.md", "The crane lifts forty tonnes.\n"),
    ]);
    assert!(world.found("quokka").is_empty());
    assert!(!world.export().to_lowercase().contains("quokka"));
}

/// Complaint 17, seen in cyanheads obsidian-mcp-server#99, #76, #40: escapes through links and `..`.
#[cfg(unix)]
#[test]
fn no_link_and_no_path_leads_out_of_the_vault() {
    let world = World::new(&[("a.md", "The crane lifts forty tonnes.\n")]);
    fs::create_dir_all(world.at("outside")).expect("a folder");
    fs::write(world.at("outside/b.md"), "The quokka lives outside.\n").expect("a note");
    std::os::unix::fs::symlink(world.at("outside"), world.vault().join("folder")).expect("a link");
    std::os::unix::fs::symlink(world.at("outside/b.md"), world.vault().join("linked.md")).expect("a link");
    assert!(world.found("quokka").is_empty());
    assert!(!world.export().contains("quokka"));
    for path in ["../outside/b.md", "/etc/passwd", "folder/b.md", "linked.md"] {
        let run = world.local(&["claims", "--note", path]);
        assert!(!run.said().contains("quokka lives"), "{path}: {}", run.said());
    }
}

/// Search by meaning, with what it rests on: no word of the question stands in the note that answers it.
#[test]
fn what_means_the_like_is_found_and_says_why() {
    let world = World::new(&[
        ("garden.md", "The physician prescribed pills against the ache in my knee.\n"),
        ("house.md", "Ben painted the fence green.\n"),
        ("car.md", "The car needs new tyres before the winter.\n"),
    ]);
    world.index();
    let report = world.json(&["search", "doctor medicine pain"]);
    let first = &report["hits"][0];
    assert_eq!(text(&first["place"]["path"]), "garden.md");
    assert!(first["explain"]["lexical"].is_null(), "none of its words");
    assert_eq!(first["explain"]["semantic"]["rank"], 1);
    // What is deleted means nothing any more.
    world.delete("garden.md");
    let report = world.json(&["search", "doctor medicine pain"]);
    assert!(report["hits"].as_array().expect("hits").iter().all(|hit| hit["place"]["path"] != "garden.md"));
}
