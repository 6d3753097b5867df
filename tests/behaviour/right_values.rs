//! What was said wrongly once, each with the value that is right.

use serde_json::Value;

use super::support::{World, places, text};

#[test]
fn a_year_that_names_a_thing_hides_nothing() {
    let world = World::new(&[
        ("Tax.md", "The tax return for 2022 is due on 31 October.\n\nThe tax office is in Lyon.\n"),
        ("2022-05-01.md", "I planted beans.\n"),
    ]);
    let (status, said) = world.asked("When is the tax return for 2022 due?");
    assert_eq!(
        (status.as_str(), said.first().map(String::as_str)),
        ("verified", Some("The tax return for 2022 is due on 31 October."))
    );
    // Words that stand in the notes were found, though nothing of that time has them.
    let run = world.local(&["ask", "When was the tax due in 2019?"]);
    assert!(!run.stdout.contains("Not found: ") || !run.stdout.contains("tax"), "{}", run.stdout);
    // A time that is asked about is one.
    let (_, said) = world.asked("What did I do in 2022?");
    assert_eq!(said, ["I planted beans."]);
}

#[test]
fn a_larger_limit_begins_as_a_smaller_one() {
    let world = World::copy_of(&super::support::repository().join("vault-example"));
    for question in [
        "Where does Anna work?",
        "Why did drift switch serialization?",
        "What do I still have to do?",
        "Which books did I read?",
        "What is pegelhaus?",
        "Who leads drift?",
        "bread recipe",
        "What does the doctor say?",
    ] {
        let first = |limit: &str| {
            let told = world.json(&["ask", question, "--limit", limit]);
            told["sentences"].as_array().and_then(|all| all.first()).map(|first| text(&first["text"]).to_owned())
        };
        assert_eq!(first("5"), first("8"), "{question}");
        assert_eq!(first("5"), first("20"), "{question}");
    }
}

#[test]
fn init_says_what_there_is_and_suggests_what_anybody_would_ask() {
    let world = World::new(&[
        ("Daily logs.md", "---\ncategories: Areas\nstatus: active\n---\n"),
        ("Weekly logs.md", "---\ncategories: Areas\n---\n"),
    ]);
    let run = world.local(&["init", "--yes"]);
    assert!(!run.stdout.contains("left as it was") && run.stdout.contains("there is no config.toml"), "{}", run.stdout);
    assert!(!run.stdout.contains("categories"), "{}", run.stdout);
    assert_eq!(world.json(&["init", "--yes"])["config"], Value::Null);
}

#[test]
fn what_the_notes_mention_is_said_before_what_they_do_not() {
    let world = World::new(&[(
        "a.md",
        "We had lunch with Robert.\n\nThen we met Robert again.\n\nThe car of Robert is red.\n",
    )]);
    let run = world.local(&["entity", "Robert"]);
    assert!(run.stdout.contains("the notes mention Robert 3 times"), "{}", run.stdout);
    assert!(!run.stdout.contains("mention it"), "{}", run.stdout);
}

#[test]
fn a_birthday_that_comes_every_year_contradicts_nothing() {
    let world = World::new(&[
        ("2023-05-12.md", "Fred was born on 4 July.\n\nGina's birthday: 2023-06-01\n"),
        ("2024-05-12.md", "Fred was born on 4 July.\n\nGina's birthday: 2024-06-01\n"),
        ("2025-05-12.md", "Fred was born on 4 July.\n\nGina's birthday: 2025-06-01\n"),
        ("Fred.md", "---\nbirthday: 1980-07-04\n---\n"),
        ("Hugo.md", "---\nbirthday: 2024-03-01\n---\n"),
        ("Family.md", "- Hugo's birthday: 2025-03-01\n- Hugo: birthday on 1 March\n"),
    ]);
    assert_eq!(world.json(&["contradictions"])["open"], 0);
    // Another day is another birthday.
    world.write("Other.md", "Fred was born on 5 July 1981.\n");
    world.write("Third.md", "Fred was born on 6 July 1981.\n");
    assert_ne!(world.json(&["contradictions"])["open"], 0);
}

/// The start of the validity of the claim with these words.
fn begins(world: &World, words: &str) -> String {
    let claims = world.claims();
    let found = claims.iter().find(|claim| places(claim).any(|place| text(&place["quote"]).contains(words)));
    let found = found.unwrap_or_else(|| panic!("{words} is no claim"));
    found["valid_from"].as_str().unwrap_or("-").to_owned()
}

#[test]
fn times_are_those_that_the_words_say() {
    let world = World::new(&[
        (
            "a.md",
            "---\ncreated: 2021-03-01\n---\n\nBen lived in Lyon in the mid 2000's.\n\n\
             Anna worked at Acme in the week of 11 May 2026.\n\n## 2026-02-10\n\nEmma moved to Ghent in January last year.\n\n\
             - january last year: Fred moved to Brest\n\n## February 2026\n\nGus moved to Nice last year.\n",
        ),
        ("b.md", "---\ncreated: 2021-03-01\n---\n\nHans moved to Metz in January last year.\n"),
    ]);
    assert_eq!(begins(&world, "Ben lived"), "2003");
    assert_eq!(begins(&world, "Anna worked"), "2026-05-11");
    assert_eq!(begins(&world, "Emma moved"), "2025-01");
    assert_eq!(begins(&world, "Fred moved"), "2025-01");
    assert_eq!(begins(&world, "Gus moved"), "2025");
    assert_eq!(begins(&world, "Hans moved"), "2020-01");
}

#[test]
fn a_week_is_seven_days() {
    let world = World::new(&[(
        "plan.md",
        "We were in Lyon in the week of 11 May 2025.\n\n## The week of 18 May 2025\n\nI cleaned the boat.\n",
    )]);
    let days = |query: &str| {
        let found = world.json(&["search", query]);
        let days = &found["hits"][0]["days"];
        format!("{} {}", text(&days["from"]), text(&days["until"]))
    };
    assert_eq!(days("Lyon in May 2025"), "2025-05-05 2025-05-11");
    assert_eq!(days("the boat in May 2025"), "2025-05-18 2025-05-24");
}

#[test]
fn a_note_is_named_as_a_link_names_it() {
    let decomposed = "U\u{308}bung/Cafe\u{301}.md";
    let world = World::new(&[
        (decomposed, "---\naliases: [Bistro]\ntags: [caf\u{e9}]\ncity: N\u{ee}mes\n---\nAmelie lives in Nimes.\n"),
        ("README.md", "Ben lives in Nimes.\n"),
        ("sub/README.md", "Cora lives in Nimes.\n"),
    ]);
    let found = |args: &[&str]| {
        let told = world.json(&[&["search", "Nimes"], args].concat());
        let hits = told["hits"].as_array().cloned().unwrap_or_default();
        let mut paths: Vec<String> = hits.iter().map(|hit| text(&hit["place"]["path"]).to_owned()).collect();
        paths.dedup();
        paths
    };
    for args in [
        ["--note", "Caf\u{e9}"],
        ["--note", "caf\u{e9}.md"],
        ["--note", "\u{dc}bung/Caf\u{e9}.md"],
        ["--note", "Bistro"],
        ["--folder", "\u{dc}bung"],
        ["--folder", "U\u{308}bung/"],
        ["--tag", "cafe\u{301}"],
        ["--where", "city=Ni\u{302}mes"],
    ] {
        assert_eq!(found(&args), [decomposed], "{args:?}");
    }
    assert_eq!(found(&["--note", "readme"]), ["README.md"]);
    assert_eq!(found(&["--note", "sub/readme"]), ["sub/README.md"]);
    assert_eq!(found(&["--note", "Nobody"]), Vec::<String>::new());
}

#[test]
fn what_became_of_a_claim_is_told_with_one_exit_code() {
    let world = World::new(&[("a.md", "Robert lives in Berlin.\n\nAnna works at Tidewell.\n")]);
    let id = world.id("Robert lives");
    world.edit("a.md", "Robert lives in Berlin.", "Robert left.");
    for command in ["why", "retract", "keep", "restore"] {
        assert_eq!(world.local(&[command, &id]).code, Some(1), "{command}");
        assert_eq!(world.local(&[command, "7h3kq0v9x2ma"]).code, Some(2), "{command}");
    }
}

#[test]
fn an_id_of_a_piece_leads_to_its_sentence() {
    let world = World::new(&[("c.md", "Cora wrote [Who is it? Ben knows](x.md) at noon.\n")]);
    let whole = world.id("Cora wrote");
    let piece = piece_id("Ben knows at noon.");
    assert_ne!(whole, piece);
    let (sentence, citation) = world.verdicts("Cora wrote Who is it? Ben knows at noon.", &piece);
    assert_eq!((sentence.as_str(), citation.as_str()), ("quoted", "verified"));
    assert_eq!(world.local(&["why", &piece]).code, Some(0));
    assert_eq!(world.local(&["retract", &piece]).code, Some(0));
    let told = world.verify(&format!("Cora wrote Who is it? Ben knows at noon. [claim:{whole}]")).to_string();
    assert!(told.contains("\"verdict\":\"withdrawn\""), "{told}");
}

/// The id that words have as a statement of their own in a note of the same name.
fn piece_id(words: &str) -> String {
    World::new(&[("c.md", &format!("{words}\n"))]).id(words)
}
