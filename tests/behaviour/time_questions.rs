//! What was at a time: which statements a dated question is answered by, and in which order.

use serde_json::Value;

use super::support::{World, text};

fn diary() -> World {
    World::new(&[
        (
            "2022-09-03.md",
            "- [[garden]]\n- I went to the lake with Anna and swam for an hour.\n- https://example.org/a\n",
        ),
        (
            "2022-09-17.md",
            "---\ntags: day\n---\nI finished the talk on old gardens at last.\n\n- [ ] call the dentist\n",
        ),
        ("2022-10-01.md", "I moved the bees to the new orchard today.\n"),
        ("2022.md", "# 2022\n\n## June\n\n### June 29th\n\nWe signed the contract for the new house in Bremen.\n"),
        ("weekly/2022-W37.md", "## THURSDAY\n\nI repaired the old bicycle with my brother.\n"),
        ("weeknotes/2024-06.md", "# Weeknotes 06\n\nI planned the allotment for the whole spring.\n"),
        ("2018-july.md", "I learned to bake bread in a wood oven.\n"),
        ("garden.md", "The garden has four beds and a pond.\n\nBarlow wrote his book about ponds in 2022.\n"),
        ("routine.md", "Went for a run before breakfast, as always.\n"),
        ("Review.md", "---\ndate: 2022-09-30\n---\nI read seven books about orchards this month.\n"),
    ])
}

/// The days and words of an answer, in its order.
fn asked(world: &World, args: &[&str]) -> Vec<String> {
    let report = world.json(args);
    let claims = report["claims"].as_array().expect("claims").iter();
    let days = report["days"].as_array().expect("days").iter();
    claims
        .zip(days)
        .map(|(claim, days)| format!("{} {}", text(&days["from"]), text(&claim["place"]["quote"])))
        .collect()
}

/// The same of what a search found.
fn found(world: &World, args: &[&str]) -> Vec<String> {
    let report = world.json(args);
    let day = |hit: &Value| hit["days"]["from"].as_str().unwrap_or("-").to_owned();
    let hits = report["hits"].as_array().expect("hits").iter();
    hits.map(|hit| format!("{} {}", day(hit), text(&hit["place"]["quote"]))).collect()
}

#[test]
fn a_month_is_told_by_what_was_done_in_the_order_of_time() {
    let world = diary();
    world.index();
    let september = asked(&world, &["ask", "What did I do in September 2022?"]);
    let expect = [
        "2022-09-03 I went to the lake with Anna and swam for an hour.",
        "2022-09-15 I repaired the old bicycle with my brother.",
        "2022-09-17 I finished the talk on old gardens at last.",
        "2022-09-30 I read seven books about orchards this month.",
    ];
    assert_eq!(september.iter().filter(|line| expect.contains(&line.as_str())).collect::<Vec<_>>(), expect);
    assert!(september.is_sorted() && september.iter().all(|line| line.starts_with("2022-09")), "{september:?}");
}

#[test]
fn headings_and_names_say_which_days_a_statement_is_of() {
    let world = diary();
    world.index();
    let check = |question: &str, expect: &str| assert_eq!(asked(&world, &["ask", question]), [expect], "{question}");
    check("What did we do in June 2022?", "2022-06-29 We signed the contract for the new house in Bremen.");
    check("what happened on 29 June 2022", "2022-06-29 We signed the contract for the new house in Bremen.");
    check("What did I do in the summer of 2018?", "2018-07-01 I learned to bake bread in a wood oven.");
    check("What did I do in week 6 of 2024?", "2024-02-05 I planned the allotment for the whole spring.");
    check("what did I do on 15 September 2022", "2022-09-15 I repaired the old bicycle with my brother.");
    check("Where was I in October 2022?", "2022-10-01 I moved the bees to the new orchard today.");
    let nothing = world.json(&["ask", "What did I do in May 2019?"]);
    assert_eq!(nothing["status"], "no_evidence");
}

#[test]
fn with_a_topic_only_what_is_of_the_time_answers() {
    let world = diary();
    world.index();
    let lines = asked(&world, &["ask", "What did I do about the orchard between September and October 2022?"]);
    assert!(lines.iter().any(|line| line.contains("the new orchard")) && lines.is_sorted(), "{lines:?}");
    assert!(lines.iter().all(|line| line.starts_with("2022-09") || line.starts_with("2022-10")), "{lines:?}");
    let book = asked(&world, &["ask", "What did Barlow write in 2022?"]);
    assert_eq!(book, ["2022-01-01 Barlow wrote his book about ponds in 2022."]);
}

#[test]
fn since_and_until_are_conditions_on_statements() {
    let world = diary();
    world.index();
    let lines = found(&world, &["search", "orchard", "--since", "2022-09-15", "--until", "2022-09"]);
    assert_eq!(lines.first().map(String::as_str), Some("2022-09-30 I read seven books about orchards this month."));
    assert!(lines.iter().all(|line| line.as_str() >= "2022-09-15" && line.as_str() < "2022-10"), "{lines:?}");
    let all = asked(&world, &["ask", "What did I do?", "--since", "2022-10", "--until", "2022-12"]);
    assert_eq!(all, ["2022-10-01 I moved the bees to the new orchard today."]);
    let wrong = world.local(&["search", "orchard", "--since", "2023", "--until", "2022"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("--until lies before --since"), "{}", wrong.stderr);
}

#[test]
fn a_sentence_of_several_days_is_shown_where_it_is_of_that_day() {
    let world = World::new(&[
        ("2021-01-05.md", "Anna drove the old van to Bremen.\n"),
        ("2022-03-09.md", "Anna drove the old van to Bremen.\n"),
    ]);
    world.index();
    let report = world.json(&["ask", "What happened in March 2022?"]);
    assert_eq!(report["claims"][0]["place"]["path"], "2022-03-09.md");
}

#[test]
fn the_neighbours_of_a_note_may_say_that_it_counts_weeks() {
    let notes = [
        ("log/2024-06.md", "I planted the first beans of the year.\n"),
        ("log/2024-32.md", "I picked the last beans.\n"),
    ];
    let world = World::new(&notes);
    world.index();
    assert_eq!(
        asked(&world, &["ask", "What did I do in February 2024?"]),
        ["2024-02-05 I planted the first beans of the year."]
    );
    world.delete("log/2024-32.md");
    assert_eq!(
        asked(&world, &["ask", "What did I do in June 2024?"]),
        ["2024-06-01 I planted the first beans of the year."]
    );
    // A neighbour that a door may not see says nothing there.
    world.write("log/2024-32.md", "---\nprivacy: secret\n---\nI picked the last beans.\n");
    world.index();
    assert_eq!(asked(&world, &["ask", "What did I do in February 2024?"]).len(), 1);
    let cloud = world.cloud(&["ask", "What did I do in February 2024?", "--json"]);
    assert_eq!(cloud.json()["status"], "no_evidence");
}

#[test]
fn the_days_are_printed_above_what_is_of_them() {
    let world = diary();
    world.index();
    let shown = world.local(&["ask", "What did I do in September 2022?"]).stdout;
    let at = |words: &str| shown.find(words).expect("it is printed");
    assert!(at("2022-09-03\n- I went") < at("2022-09-17\n- I finished"), "{shown}");
    let listed = world.local(&["search", "September 2022"]).stdout;
    assert!(listed.starts_with("2022-09-03\n\n"), "{listed}");
}

#[test]
fn what_is_guarded_has_no_part_in_what_a_cloud_door_is_told() {
    let secret = |words: &str| {
        let world = World::new(&[
            ("2022-09-03.md", "I went to the lake with Anna and swam for an hour.\n"),
            ("2022-09-04.md", &format!("---\nprivacy: secret\n---\n{words}\n")),
        ]);
        world.index();
        let run = world.cloud(&["ask", "What did I do in September 2022?", "--json"]);
        let mut report = run.json();
        report["claims"][0]["place"]["url"] = Value::Null;
        report.to_string()
    };
    assert_eq!(secret("I sold the house to my brother for nothing."), secret("I saw a doctor and was told to rest."));
    assert!(!secret("I sold the house to my brother.").contains("house"));
}
