//! What is found for a question: what held then, who said it, what stands around it, and nothing where nothing answers.

use super::support::{World, text};

/// The quotes of the hits of a search, best first.
fn quotes(world: &World, args: &[&str]) -> Vec<String> {
    let report = world.json(&[&["search"], args].concat());
    let hits = report["hits"].as_array().cloned().unwrap_or_default();
    hits.iter().map(|hit| text(&hit["place"]["quote"]).to_owned()).collect()
}

#[test]
fn as_of_a_day_only_what_may_have_held_then_is_found() {
    let world = World::new(&[
        ("drift.md", "drift uses JSON from January 2023 to May 2024.\n\ndrift uses MessagePack since June 2024.\n"),
        ("other.md", "drift uses a single thread.\n"),
    ]);
    let asked = |day: &str| quotes(&world, &["What does drift use?", "--as-of", day]).join("\n");
    let then = asked("2023-07");
    assert!(then.contains("JSON") && !then.contains("MessagePack") && then.contains("thread"), "{then}");
    let now = asked("2025");
    assert!(!now.contains("JSON") && now.contains("MessagePack") && now.contains("thread"), "{now}");
    // Without a day nothing is hidden, and what has ended does not come first.
    let all = quotes(&world, &["What does drift use?"]);
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(!all[0].contains("JSON"), "{all:?}");
}

#[test]
fn a_date_in_the_question_finds_what_began_before_and_has_not_ended() {
    let world = World::new(&[
        (
            "rota.md",
            "Priya owns the rota since September 2024.\n\nBen owned the rota from March 2022 to August 2024.\n",
        ),
        ("2025-03-12.md", "Anna repaired the bicycle.\n"),
    ]);
    let found = quotes(&world, &["Who owns the rota in March 2025?"]);
    assert_eq!(found, ["Priya owns the rota since September 2024."]);
    let found = quotes(&world, &["Who owned the rota in May 2023?"]);
    assert_eq!(found, ["Ben owned the rota from March 2022 to August 2024."]);
}

#[test]
fn what_is_no_day_is_said_with_a_hint() {
    let world = World::new(&[("a.md", "Anna moved to Lisbon.\n")]);
    let run = world.local(&["ask", "Where is Anna?", "--as-of", "yesterday"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("hint: write 2024, 2024-03 or 2024-03-12"), "{}", run.stderr);
}

const TALK: &str = "# Anna and Ben, March\n\n- Anna: Hi. I moved to Lisbon with the cat.\n- Ben: Lovely! How is it there?\n\
                    - Anna: Warm. I swim every day.\n- Ben: I bought a bicycle. It was cheap.\n";

#[test]
fn a_line_of_a_conversation_is_its_speakers() {
    let world = World::new(&[("talk.md", TALK)]);
    let first = |question: &str| quotes(&world, &[question]).remove(0);
    assert!(first("Where did Anna move?").contains("I moved to Lisbon"));
    assert!(first("What did Ben buy?").contains("bought a bicycle"));
    // The note is titled after both; what one did is no evidence for the other.
    let (status, _) = world.asked("What did Anna buy?");
    assert_eq!(status, "no_evidence");
    let (status, _) = world.asked("What did Ben buy?");
    assert_eq!(status, "verified");
}

#[test]
fn a_sentence_is_found_by_what_stands_around_it() {
    let around = "We met the plumber about the pump.\n\nHe came on a Tuesday.\n\nHe was early.\n\nThe price is fair.\n";
    let world = World::new(&[("house.md", around), ("bread.md", "The price of bread is up.\n\nThe bread is good.\n")]);
    let found = quotes(&world, &["price of the pump"]);
    let at = |words: &str| found.iter().position(|quote| quote.contains(words));
    assert!(
        at("The price is fair.").is_some_and(|fair| at("price of bread").is_none_or(|bread| fair < bread)),
        "{found:?}"
    );
}

#[test]
fn what_names_nothing_of_the_kind_that_is_asked_for_is_no_evidence() {
    let world = World::new(&[(
        "well.md",
        "The well pump trips the breaker.\n\nThe spare fuse costs 14 euros.\n\nJule repaired the roof in May.\n",
    )]);
    for (question, expect) in [
        ("Who repaired the roof?", "verified"),
        ("When did Jule repair the roof?", "verified"),
        ("How much does the spare fuse cost?", "verified"),
        ("When does the well pump trip the breaker?", "no_evidence"),
        ("How many children does Jule have?", "no_evidence"),
    ] {
        assert_eq!(world.asked(question).0, expect, "{question}");
    }
}

/// What stands around the best hits, as far as the door sees it: a guarded block leaves no trace.
#[test]
fn where_nothing_answers_the_nearest_passages_are_shown() {
    let world = World::new(&[
        (
            "house/well.md",
            "# The well\n\nIt was dug by my grandfather.\n\nThe pump trips the breaker. Nobody knows why.\n\n\
             <!--privacy:secret-->The well is poisoned.<!--/privacy-->\n\nThe water is hard.\n\n## Roof\n\nJule repaired it.\n",
        ),
        ("bread.md", "Bread needs an oven.\n"),
    ]);
    let question = "When does the well pump trip the breaker?";
    let texts = |report: &serde_json::Value| -> Vec<String> {
        let lines = report["nearest"][0]["lines"].as_array().expect("a passage");
        lines.iter().map(|line| line["text"].as_str().expect("text").to_owned()).collect()
    };
    let local = world.json(&["ask", question]);
    assert_eq!((&local["status"], &local["nearest"][0]["path"]), (&"no_evidence".into(), &"house/well.md".into()));
    let all = [
        "It was dug by my grandfather.",
        "The pump trips the breaker.",
        "Nobody knows why.",
        "The well is poisoned.",
        "The water is hard.",
    ];
    assert_eq!(texts(&local), all);
    assert_eq!(local["nearest"][0]["context"], serde_json::json!(["well", "The well"]));
    let cloud = world.cloud(&["ask", question, "--json"]).json();
    let clear = [all[0], all[1], all[2], all[4]];
    assert_eq!(texts(&cloud), clear);
    // How long the guarded text is does not show in a line's number.
    let numbers: Vec<_> =
        cloud["nearest"][0]["lines"].as_array().expect("lines").iter().map(|l| l["line"].clone()).collect();
    assert_eq!(numbers, [serde_json::json!(3), serde_json::json!(5), serde_json::json!(5), serde_json::Value::Null]);
    // The found line is marked, each line can be cited.
    let said = world.local(&["ask", question]).stdout;
    assert!(said.starts_with("Nothing answers this outright.\nFound in the notes: "), "{said}");
    assert!(said.contains(":\n\nhouse/well.md › The well\n   3"), "{said}");
    assert!(said.contains("\n   5* The pump trips the breaker. [claim:"), "{said}");
    let id = local["nearest"][0]["lines"][4]["claim"].as_str().expect("an id").to_owned();
    assert_eq!(world.verdicts("The water is hard.", &id), ("quoted".into(), "verified".into()));
    // What the user took back is not shown.
    assert_eq!(world.local(&["retract", &id]).code, Some(0));
    assert_eq!(texts(&world.json(&["ask", question])), all[..4]);
    // They stand beside what answers, too.
    let answered = world.json(&["ask", "Who repaired the roof?"]);
    assert_eq!(texts(&answered), ["Jule repaired it."], "{answered}");
}

/// Once passages were read ahead they are found by what they mean, at each door by what it may see.
#[test]
fn passages_are_found_without_a_word_of_the_question() {
    let world = World::new(&[
        (
            "house/well.md",
            "# The well\n\nIt was dug by my grandfather.\n\n<!--privacy:secret-->The doctor found poison in it.<!--/privacy-->\n\n\
             ## Roof\n\nJule repaired it with new tiles.\n",
        ),
        ("bread.md", "# Bread\n\nBread needs an oven.\n"),
        ("ill.md", "---\nprivacy: secret\n---\nThe physician says that the water made me sick.\n"),
    ]);
    assert_eq!(world.local(&["index", "--complete"]).code, Some(0));
    let first = |report: &serde_json::Value| {
        let lines = report["nearest"][0]["lines"].as_array().expect("a passage");
        lines.iter().map(|line| line["text"].as_str().expect("text").to_owned()).collect::<Vec<_>>()
    };
    let question = "Which medical expert saw a toxin?";
    let local = world.json(&["ask", question]);
    assert!(first(&local).contains(&"The doctor found poison in it.".to_owned()), "{local}");
    let cloud = world.cloud(&["ask", question, "--json"]);
    assert!(!cloud.stdout.contains("poison") && !cloud.stdout.contains("physician"), "{}", cloud.stdout);
    assert!(cloud.json()["nearest"].as_array().is_some_and(|nearest| nearest.len() == 3), "{}", cloud.stdout);
    assert_eq!(
        first(&world.json(&["ask", "Who mended the top of the building?"])),
        ["Jule repaired it with new tiles."]
    );
    // Of a folder only what lies there.
    let of_folder = world.json(&["ask", question, "--folder", "house"]);
    let paths = of_folder["nearest"].as_array().expect("passages").iter().map(|passage| passage["path"].clone());
    assert!(paths.into_iter().all(|path| path == "house/well.md"), "{of_folder}");
}
