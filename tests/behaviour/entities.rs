//! Several names of one thing, and names that stay open.

use serde_json::Value;

use super::support::{World, copy, text};

/// The quotes of the claims in one list of an entity's report.
fn quotes(report: &Value, list: &str) -> Vec<String> {
    let claims = report[list].as_array().expect("a list of claims");
    claims.iter().map(|claim| text(&claim["place"]["quote"]).to_owned()).collect()
}

fn names(report: &Value) -> Vec<&str> {
    report["entity"]["names"].as_array().into_iter().flatten().map(text).collect()
}

/// What an entity is named together with, with counts.
fn together(report: &Value) -> Vec<(&str, u64)> {
    let others = report["co_occurs"].as_array().expect("a list");
    others.iter().map(|other| (text(&other["name"]), other["count"].as_u64().expect("a count"))).collect()
}

const DRIFT: &[(&str, &str)] = &[
    ("Projects/Drift.md", "---\naliases: [the log engine]\n---\n# Drift\n\nstatus:: active\n"),
    (
        "Log.md",
        "Le [[Drift|projet Dérive]] avance.\n\n| What | Language |\n|---|---|\n| drift | Rust |\n| Projet de\u{301}rive | C |\n",
    ),
    ("People/Anna.md", "---\nproject: our Drift\n---\nShe left [[drift|here]].\n"),
];

#[test]
fn title_alias_link_text_and_case_are_one() {
    let world = World::new(DRIFT);
    let by_title = world.json(&["entity", "Drift"]);
    assert_eq!(by_title["status"], "found");
    assert_eq!((text(&by_title["entity"]["name"]), text(&by_title["entity"]["path"])), ("Drift", "Projects/Drift.md"));
    assert_eq!(names(&by_title), ["Drift", "the log engine", "projet Dérive"]);
    assert_eq!(quotes(&by_title, "claims"), ["status:: active", "drift | Rust", "Projet de\u{301}rive | C"]);
    let mentions = quotes(&by_title, "mentions");
    assert_eq!(mentions, ["Le [[Drift|projet Dérive]] avance.", "project: our Drift", "She left [[drift|here]]."]);
    for name in ["drift", "the drift", "DRIFT's", "projet dérive", "Log Engine", "Projects/Drift", "projects/drift.md"]
    {
        let mut other = world.json(&["entity", name]);
        other["asked"] = by_title["asked"].clone();
        assert_eq!(other, by_title, "{name}");
    }
}

#[test]
fn words_that_point_are_no_names() {
    let world = World::new(DRIFT);
    let run = world.local(&["entity", "here"]);
    assert_eq!(run.code, Some(1), "{}", run.said());
    // And words that lead to two notes are a name of neither.
    world.write("a.md", "See [[Drift|the plan]] today.\n");
    world.write("b.md", "See [[Anna|the plan]] today.\n");
    assert_eq!(world.json(&["entity", "the plan"])["status"], "unknown");
    assert!(!names(&world.json(&["entity", "Drift"])).contains(&"the plan"));
}

#[test]
fn words_of_a_link_name_nothing_in_other_notes_unless_they_tell_enough() {
    let table = |rows: &str| format!("| What | Kind |\n|---|---|\n{rows}");
    let world = World::new(&[
        ("Ben Stone.md", "role:: mason\n"),
        ("Rust.md", "year:: 2015\n"),
        (
            "link.md",
            &format!("[[Ben Stone|Ben]] met Kai.\n\nSee [[Rust|the language]].\n\n{}", table("| Ben | guest |\n")),
        ),
        ("Ben Miller.md", "# Ben Miller\n\nBen sold the van.\n"),
        ("other.md", &table("| Ben | host |\n| The language | French |\n| projet B | plan |\n")),
        ("third.md", "Voir [[Ben Stone|projet B]] demain.\n"),
    ]);
    let stone = world.json(&["entity", "Ben Stone"]);
    let said = quotes(&stone, "claims");
    assert!(said.contains(&"role:: mason".to_owned()) && said.contains(&"Ben | guest".to_owned()), "{said:?}");
    assert!(said.contains(&"projet B | plan".to_owned()), "{said:?}");
    for list in ["claims", "mentions"] {
        let all = quotes(&stone, list);
        assert!(!all.iter().any(|quote| quote.contains("van") || quote.contains("host")), "{all:?}");
    }
    for name in ["Ben", "projet b"] {
        assert_eq!(text(&world.json(&["entity", name])["entity"]["path"]), "Ben Stone.md", "{name}");
    }
    assert_eq!(quotes(&world.json(&["entity", "Rust"]), "claims"), ["year:: 2015"]);
    assert_eq!(text(&world.json(&["entity", "the language"])["entity"]["path"]), "Rust.md");
    // An alias is a name everywhere but in the note of another Ben.
    world.write("Ben Stone.md", "---\naliases: [Ben]\n---\nrole:: mason\n");
    let said = quotes(&world.json(&["entity", "Ben"]), "claims");
    assert!(said.contains(&"Ben | host".to_owned()) && !said.iter().any(|quote| quote.contains("van")), "{said:?}");
}

#[test]
fn a_name_of_two_notes_stays_open() {
    let world = World::new(&[
        ("Projects/Drift.md", "status:: active\n\n# Drift\n\n- Age: 3 years\n"),
        ("Films/Drift.md", "year:: 2013\n"),
        ("table.md", "| What | Language |\n|---|---|\n| drift | Rust |\n"),
    ]);
    let report = world.json(&["entity", "drift"]);
    assert_eq!(report["status"], "ambiguous");
    let paths: Vec<&str> =
        report["candidates"].as_array().expect("a list").iter().map(|candidate| text(&candidate["path"])).collect();
    assert_eq!(paths, ["Films/Drift.md", "Projects/Drift.md"]);
    assert!(quotes(&report, "claims").is_empty());
    let run = world.local(&["entity", "drift"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("Films/Drift.md") && run.stderr.contains("hint: "), "{}", run.said());
    // The row may be about either, so it belongs to neither; what stands under its own name at home is its own.
    let one = world.json(&["entity", "Projects/Drift"]);
    assert_eq!(one["status"], "found");
    assert_eq!(quotes(&one, "claims"), ["status:: active", "Age: 3 years"]);
    assert_eq!(quotes(&world.json(&["entity", "Films/Drift.md"]), "claims"), ["year:: 2013"]);
    // One alias in two notes is open, too.
    world.write("x.md", "---\naliases: [AB]\n---\n");
    world.write("y.md", "---\naliases: [ab]\n---\n");
    assert_eq!(world.json(&["entity", "AB"])["status"], "ambiguous");
}

#[test]
fn a_name_without_a_note_is_one_all_the_same() {
    let world = World::new(&[
        ("a.md", "| Who | Role |\n|---|---|\n| Zofia | cook |\n| [[Wim Duif\\|Wim]] | pilot |\n"),
        ("b.md", "- Zofia: comes on Friday\n\ncook:: zofia\n\ncopilot:: [[Wim Duif]]\n"),
    ]);
    let zofia = world.json(&["entity", "zofia"]);
    assert_eq!((text(&zofia["entity"]["name"]), text(&zofia["entity"]["kind"])), ("Zofia", "name"));
    assert_eq!(zofia["entity"]["path"], Value::Null);
    assert_eq!(quotes(&zofia, "claims"), ["Zofia | cook", "Zofia: comes on Friday"]);
    assert_eq!(quotes(&zofia, "mentions"), ["cook:: zofia"]);
    // A link to a note that is not written yet names something.
    let wim = world.json(&["entity", "Wim"]);
    assert_eq!(quotes(&wim, "claims"), ["[[Wim Duif\\|Wim]] | pilot"]);
    assert_eq!(quotes(&wim, "mentions"), ["copilot:: [[Wim Duif]]"]);
}

#[test]
fn what_begins_or_reads_like_a_small_word_is_a_name_of_its_own() {
    let rows = [
        ("X", "letter"),
        ("OS X", "system"),
        ("Vegas", "singer"),
        ("Las Vegas", "city"),
        ("Women", "film"),
        ("UN Women", "body"),
        ("The team", "five"),
        ("The A Team", "series"),
        ("US", "country"),
        ("IT", "department"),
        ("it", "nothing"),
    ];
    let table: String = rows.iter().map(|(name, kind)| format!("| {name} | {kind} |\n")).collect();
    let world = World::new(&[("table.md", &format!("| What | Kind |\n|---|---|\n{table}"))]);
    for (name, kind) in rows.iter().take(10) {
        let expect = [format!("{name} | {kind}")];
        assert_eq!(quotes(&world.json(&["entity", name]), "claims"), expect, "{name}");
        assert_eq!(quotes(&world.json(&["entity", &name.to_lowercase()]), "claims"), expect, "{name}, in lower case");
    }
}

#[test]
fn an_unknown_name_is_said_with_what_is_near() {
    let world = World::new(&[("Anna Brandt.md", "---\naliases: [Anna]\n---\nrole:: engineer\n")]);
    let run = world.local(&["entity", "Anna Brand"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("no note has this name") && run.stderr.contains("hint: similar: Anna Brandt"));
    let far = world.local(&["entity", "Xylophone"]);
    assert_eq!(far.code, Some(1));
    assert!(far.stderr.contains("hint: ") && !far.stderr.contains("Anna"));
    for bad in [&["entity"][..], &["entity", ""], &["entity", " "]] {
        assert_eq!(world.local(bad).code, Some(2), "{bad:?}");
    }
    for odd in ["...", "\u{1}", "/", "../..", ".md", "a/../../b", "%", "[[Anna]]", &"x".repeat(5000)] {
        assert_eq!(world.local(&["entity", odd]).code, Some(1), "{odd:?}");
    }
}

/// Once "no note has this name" was said of names that stood in the notes for everyone to see.
#[test]
fn a_name_that_the_notes_say_is_known_though_no_claim_is_about_it() {
    let world = World::new(&[
        ("a.md", "We went to see the boats at Harbour House with Zofia.\n\nDid Zofia pay?\n"),
        ("b.md", "The rate limiter of the old gateway was in the way.\n\nNothing is rusty here, not even the rust.\n"),
        ("c.md", "Back home from Zofia's late in the evening.\n"),
    ]);
    let zofia = world.json(&["entity", "zofia"]);
    assert_eq!((text(&zofia["status"]), text(&zofia["entity"]["kind"])), ("found", "name"));
    assert_eq!((quotes(&zofia, "claims").len(), &zofia["mentioned"]), (0, &Value::from(2)));
    let mut said = quotes(&zofia, "mentions");
    said.sort();
    let expect = [
        // A question is found by nothing: it says nothing.
        "Back home from Zofia's late in the evening.",
        "We went to see the boats at Harbour House with Zofia.",
    ];
    assert_eq!(said, expect);
    let run = world.local(&["entity", "Zofia"]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(
        run.stdout.contains("the notes mention Zofia twice; no claim has the name for its subject"),
        "{}",
        run.stdout
    );
    for name in ["Harbour House", "harbour house", "Rate Limiter"] {
        assert_eq!(world.json(&["entity", name])["mentioned"], 1, "{name}");
    }
    for nobody in ["rust", "the", "here", "Zofi", "limiter gateway"] {
        let report = world.json(&["entity", nobody]);
        assert_eq!(report["status"], "unknown", "{nobody}: {report}");
    }
}

#[test]
fn a_mention_in_words_is_listed_behind_claims_and_never_of_another_with_a_longer_name() {
    let world = World::new(&[
        ("Ben.md", "role:: mason\n"),
        ("other.md", "We had lunch with Ben at the quay.\n\nWe had supper with Ben Miller at the quay.\n"),
    ]);
    let ben = world.json(&["entity", "Ben"]);
    assert_eq!(quotes(&ben, "claims"), ["role:: mason"]);
    assert_eq!(quotes(&ben, "mentions"), ["We had lunch with Ben at the quay."]);
    assert_eq!(ben["mentioned"], 1);
}

#[test]
fn what_is_left_out_takes_no_place_of_what_is_listed() {
    let rows: String = (0..90).map(|n| format!("| Anna | {n} |\n")).collect();
    let rows = format!("| Who | Drank |\n|---|---|\n{rows}");
    let world = World::new(&[("Anna.md", "role:: engineer\n"), ("list.md", &rows)]);
    let report = world.json(&["entity", "Anna", "--limit", "80"]);
    assert_eq!((quotes(&report, "claims").len(), &report["more"]), (80, &Value::Bool(true)));
    assert_eq!(report["mentioned"], 90);
}

#[test]
fn a_timeline_holds_all_that_is_dated_and_nothing_of_others() {
    let many: String = (0..70).map(|n| format!("- Drift: has part number {n}\n")).collect();
    let world = World::new(&[
        (
            "Drift.md",
            "---\ncreated: 2020-01-01\n---\nDrift has been written in Rust since March 2024.\n\nKestrel has been a client since 2019.\n",
        ),
        ("parts.md", &many),
        ("zz/2023-05-02.md", "We spoke with the team about [[Drift]] for an hour.\n\nWe spoke about lunch.\n"),
        ("zz/old.md", "Drift was in use at the harbour until June 2022.\n"),
    ]);
    let report = world.json(&["entity", "Drift", "--timeline", "--limit", "5"]);
    let story = quotes(&report, "timeline");
    let at = |words: &str| story.iter().position(|quote| quote.contains(words));
    let order = [at("until June 2022"), at("spoke with the team"), at("since March 2024")];
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{story:?}");
    assert!(at("Kestrel").is_none() && at("lunch").is_none() && at("part number").is_none(), "{story:?}");
}

#[test]
fn i_in_the_words_of_others_is_not_the_owner() {
    let world = World::new(&[
        ("Mara.md", "born:: 1990\n"),
        (
            "own.md",
            "I moved to Kiel.\n\n“I moved to Lisbon.”\n\n> I moved to Oslo.\n\n[I moved to Rome](https://a.example) is a song.\n",
        ),
        ("talk.md", "**Zofia:** I moved to Porto.\n\n**Mara:** I moved to Bergen.\n"),
    ]);
    std::fs::create_dir_all(world.at("config")).expect("a folder");
    std::fs::write(world.at("config/config.toml"), "owner = \"Mara\"\n").expect("a configuration");
    let said = quotes(&world.json(&["entity", "I"]), "claims").join("\n");
    for (place, own) in [("Kiel", true), ("Lisbon", false), ("Oslo", false), ("Rome", false), ("Porto", false)] {
        assert_eq!(said.contains(place), own, "{place} in {said}");
    }
}

#[test]
fn i_am_the_owner_when_the_owner_says_so() {
    let note =
        "| Who | Drinks |\n|---|---|\n| I | tea |\n| We | milk |\n\n> | Who | Drinks |\n> |---|---|\n> | I | rum |\n";
    let world = World::new(&[("Mara Lindqvist.md", "---\naliases: [Mara]\n---\n"), ("drinks.md", note)]);
    let run = world.local(&["entity", "I"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("hint: say who you are"), "{}", run.said());
    assert!(quotes(&world.json(&["entity", "Mara"]), "claims").is_empty());
    std::fs::create_dir_all(world.at("config")).expect("a folder");
    std::fs::write(world.at("config/config.toml"), "owner = \"mara\"\n").expect("a configuration");
    for name in ["Mara", "I", "myself"] {
        let report = world.json(&["entity", name]);
        assert_eq!(text(&report["entity"]["name"]), "Mara Lindqvist");
        assert_eq!(quotes(&report, "claims"), ["I | tea"], "{name}");
    }
    std::fs::write(world.at("config/config.toml"), "owner = 7\n").expect("a configuration");
    let bad = world.local(&["entity", "I"]);
    assert_eq!(bad.code, Some(2));
    assert!(bad.stderr.contains("owner") && bad.stderr.contains("hint: "), "{}", bad.stderr);
}

#[test]
fn what_shares_a_block_occurs_together() {
    let world = World::new(&[
        ("Anna.md", ""),
        ("Cleo.md", "x\n"),
        ("Dan.md", "x\n"),
        ("Anna/note.md", "[[Anna]] met [[Ben]]. Then [[Ben]] left. Dan did not.\n\n[[Cleo]] came another day.\n"),
        ("list.md", "- With [[Anna]]\n  - and [[Cleo]]\n  - and [[Ben]]\n- Alone: [[Dan]]\n"),
    ]);
    world.write("Anna.md", "knows:: Ben\n");
    let anna = world.json(&["entity", "Anna"]);
    // The paragraph, the field, the item below; not the other paragraph, not the other item.
    assert_eq!(together(&anna), [("Ben", 3), ("Cleo", 1), ("Dan", 1), ("list", 1)]);
    // Siblings are no block.
    let cleo = world.json(&["entity", "Cleo"]);
    assert!(together(&cleo).contains(&("Anna", 1)) && !together(&cleo).iter().any(|(name, _)| *name == "Ben"));
    let ben = world.json(&["entity", "Ben"]);
    assert!(together(&ben).contains(&("Anna", 3)), "it goes both ways: {:?}", together(&ben));
}

#[test]
fn names_that_are_repeated_count_and_values_do_not() {
    let world = World::new(&[
        ("Drift.md", "---\nlanguage: Rust\nstatus: active\nowner: Zofia\n---\n"),
        ("Other.md", "---\nlanguage: Rust\nstatus: active\n---\n"),
    ]);
    assert_eq!(together(&world.json(&["entity", "Drift"])), [("Rust", 1)]);
}

#[test]
fn entities_of_an_index_grown_step_by_step_are_those_of_one_built_at_once() {
    let world =
        World::new(&[("first.md", "| What | Language |\n|---|---|\n| drift | Rust |\n\nSee [[Drift|the engine]].\n")]);
    world.index();
    assert_eq!(world.json(&["entity", "the engine"])["entity"]["kind"], "name");
    world.write("Projects/Drift.md", "status:: active\n");
    world.index();
    world.write("Films/Drift.md", "year:: 2013\n");
    world.index();
    assert_eq!(world.json(&["entity", "drift"])["status"], "ambiguous");
    world.rename("Films/Drift.md", "Films/Drifter.md");
    world.write("second.md", "up:: [[drift]]\n");
    world.index();
    world.delete("second.md");
    world.edit("first.md", "| drift | Rust |", "| Drift | Rust |");
    let other = World::new(&[]);
    copy(&world.vault(), &other.vault());
    for name in ["drift", "the engine", "Drifter", "first", "Rust", "nobody"] {
        assert_eq!(world.json(&["entity", name]), other.json(&["entity", name]), "{name}");
    }
    let drift = world.json(&["entity", "the engine"]);
    assert_eq!(quotes(&drift, "claims"), ["status:: active", "Drift | Rust"]);
}

#[test]
fn the_limit_says_when_there_is_more() {
    let world = World::new(DRIFT);
    let report = world.json(&["entity", "drift", "--limit", "2"]);
    assert_eq!((quotes(&report, "claims").len(), quotes(&report, "mentions").len()), (2, 0));
    assert_eq!(report["more"], true);
    assert_eq!(world.json(&["entity", "drift", "--limit", "6"])["more"], false);
    let four = world.json(&["entity", "drift", "--limit", "4"]);
    assert_eq!((quotes(&four, "mentions").len(), &four["more"]), (1, &Value::Bool(true)));
}

/// What the two doors say, and the same vault without anything guarded.
#[test]
fn at_a_cloud_door_guarded_text_does_not_exist() {
    let open: &[(&str, &str)] = &[
        ("Anna.md", "---\naliases: [AB]\n---\nrole:: engineer\n\nknows:: [[Hidden|the neighbour]]\n"),
        ("table.md", "| Who | Drinks |\n|---|---|\n| Anna | tea |\n| AB | milk |\n| Zofia | gin |\n"),
    ];
    let guarded: &[(&str, &str)] = &[
        ("diary/Hidden.md", "---\nprivacy: secret\naliases: [AB, Zofia, Wim]\n---\nAnna knows [[Anna|the spy]].\n"),
        ("diary/Anna.md", "#secret\n\n- Anna: is ill\n"),
        (
            "mixed.md",
            "<!--privacy:secret-->[[table|Anna]], [[Anna|Bella]] and [[Zofia|the neighbour]].<!--/privacy-->\n",
        ),
    ];
    let world = World::new(open);
    world.write("mixed.md", "<!--privacy:secret-->Words.<!--/privacy-->\n");
    let without: Vec<_> = ASKED.iter().map(|name| both_forms(&world, name)).collect();
    for (path, text) in guarded {
        world.write(path, text);
    }
    world.index();
    for (name, said) in ASKED.iter().zip(without) {
        assert_eq!(both_forms(&world, name), said, "{name}");
    }
    // The control: the user's own door sees all of it.
    assert_eq!(world.json(&["entity", "Anna"])["status"], "ambiguous");
    assert_eq!(world.json(&["entity", "AB"])["status"], "ambiguous");
    assert_eq!(text(&world.json(&["entity", "Wim"])["entity"]["path"]), "diary/Hidden.md");
    assert_eq!(text(&world.json(&["entity", "the spy"])["entity"]["path"]), "Anna.md");
}

const ASKED: &[&str] = &[
    "Anna",
    "AB",
    "Zofia",
    "Wim",
    "Wum",
    "Hidden",
    "the neighbour",
    "the spy",
    "Bella",
    "diary/Hidden",
    "diary/Anna",
    "table",
    "Hiden",
    "Anna.md",
    "mixed",
];

fn both_forms(world: &World, name: &str) -> Vec<(Option<i32>, String, String)> {
    let runs = [world.cloud(&["entity", name]), world.cloud(&["entity", name, "--json"])];
    runs.into_iter().map(|run| (run.code, run.stdout, run.stderr)).collect()
}

/// Guarded a moment ago, in a vault with more changes than a reader waits for.
#[test]
fn a_note_that_became_secret_unnoticed_is_secret() {
    let world = World::new(&[
        ("Anna.md", "role:: engineer\n"),
        ("zz/Anna.md", "role:: spy\n"),
        ("Tools/Bolt.md", "made:: here\n"),
        ("zz/Bolt.md", "made:: there\n"),
        ("zz/open.md", "See [[Bolt|the runner]] today.\n"),
        ("zz/list.md", "- Anna: likes tea\n- [[Anna Brandt|Annika]] likes rum\n"),
    ]);
    for n in 0..300 {
        world.write(&format!("b/{n}.md"), "words\n");
    }
    world.index();
    assert_eq!(world.cloud(&["entity", "Anna", "--json"]).json()["status"], "ambiguous");
    for n in 0..300 {
        world.write(&format!("b/{n}.md"), "other words\n");
    }
    world.write("zz/Bolt.md", "#secret\n\nmade:: there\n");
    world.write("zz/Anna.md", "#secret\n\nrole:: spy\n");
    world.write("zz/list.md", "#secret\n\n- Anna: likes tea\n- [[Anna Brandt|Annika]] likes rum\n");
    let anna = world.cloud(&["entity", "Anna", "--json"]).json();
    assert_eq!(anna["fresh"], false, "some notes are left for later");
    assert_eq!(text(&anna["entity"]["path"]), "Anna.md");
    assert_eq!(quotes(&anna, "claims"), ["role:: engineer"]);
    // A link leads past it, to where it would lead without it.
    let runner = world.cloud(&["entity", "the runner", "--json"]).json();
    assert_eq!((text(&runner["entity"]["path"]), &runner["fresh"]), ("Tools/Bolt.md", &Value::Bool(false)));
    let annika = world.cloud(&["entity", "Annika", "--json"]).json();
    assert_eq!((text(&annika["status"]), &annika["fresh"]), ("unknown", &Value::Bool(false)));
}
