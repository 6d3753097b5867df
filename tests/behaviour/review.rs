//! Summaries that rest on what no longer holds, and the review that asks about them.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use super::support::{World, copy, text};

const GO: &str = "drift-bench is written in Go.";
const RUST: &str = "drift-bench is written in Rust.";
const TODAY: &str = "2025-11-03";
const REVIEW: &str = "Memora/Review 2025-11-03.md";

/// Two daily notes of a user who changed their mind, a summary of the first, and a summary of that.
fn summed_up() -> World {
    let world = World::new(&[
        ("daily/2024-05-02.md", "# Thursday\n\nA quiet day.\n\ndrift-bench is written in Go.\n"),
        ("daily/2025-02-11.md", "# Tuesday\n\ndrift-bench is written in Rust.\n\nThe flags are tidy now.\n"),
    ]);
    let go = world.id(GO);
    world.write("summary.md", format!("The benchmark is a Go program [claim:{go}].\n"));
    let summary = world.id(&format!("The benchmark is a Go program [claim:{go}]."));
    world.write("essay.md", format!("Everybody can build it with one command [claim:{summary}].\n"));
    world
}

fn run(world: &World, args: &[&str], code: i32) -> Value {
    let args = [args, &["--today", TODAY, "--json"]].concat();
    let run = world.local(&args);
    assert_eq!(run.code, Some(code), "{args:?}: {}", run.said());
    run.json()
}

/// The quotes of what is stale, with how the ground of each gave way and by how many sentences.
fn stale(world: &World) -> Vec<(String, String, usize)> {
    let report = run(world, &["stale"], i32::from(!list(&world.json(&["stale"])["stale"]).is_empty()));
    let of = |one: &Value| {
        let quote = text(&one["claim"]["place"]["quote"]).to_owned();
        let ground = &one["because"][0];
        (quote, text(&ground["how"]).to_owned(), list(&ground["by_way_of"]).len())
    };
    list(&report["stale"]).iter().map(of).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The kind and the first quote of everything that is asked.
fn asked(world: &World) -> Vec<(String, String)> {
    let report = world.json(&["review", "--today", TODAY, "--limit", "100"]);
    let of = |item: &Value| {
        let quote = item["claims"][0]["place"]["quote"].as_str().or(item["path"].as_str()).unwrap_or_default();
        (text(&item["kind"]).to_owned(), quote.to_owned())
    };
    list(&report["items"]).iter().map(of).collect()
}

fn kinds(world: &World, kind: &str) -> Vec<String> {
    asked(world).into_iter().filter(|(of, _)| of == kind).map(|(_, quote)| quote).collect()
}

/// Ticks the first box with these words behind the quote.
fn tick(world: &World, review: &str, quote: &str, words: &str) {
    let note = world.read(review);
    let quoted = format!("`{quote}`");
    let (above, below) = note.split_once(&quoted).unwrap_or_else(|| panic!("{quote} is not in\n{note}"));
    let open = format!("- [ ] {words} ");
    assert!(below.contains(&open), "no box with {words} in\n{below}");
    world.write(review, format!("{above}{quoted}{}", below.replacen(&open, &format!("- [x] {words} "), 1)));
}

/// From the change of mind to the tick in Obsidian: the window closes, what rests on it is stale, the review asks, a tick
/// decides, and an index built from nothing says the same.
#[test]
fn a_change_of_mind_reaches_the_summaries_and_is_ticked_off_in_the_vault() {
    let world = summed_up();
    let summary = format!("The benchmark is a Go program [claim:{}].", world.id(GO));
    let essay = format!("Everybody can build it with one command [claim:{}].", world.id(&summary));

    // Both summaries are stale, the second by way of the first, and say why.
    let both = [(summary.clone(), "superseded".to_owned(), 0), (essay.clone(), "superseded".to_owned(), 1)];
    assert_eq!(stale(&world), both);
    let report = world.json(&["stale"]);
    assert_eq!((&report["stale"][0]["dependents"], &report["stale"][1]["dependents"]), (&json!(1), &json!(0)));
    let ground = &report["stale"][1]["because"][0];
    assert_eq!((text(&ground["was"]["place"]["quote"]), text(&ground["now"][0]["place"]["quote"])), (GO, RUST));
    let why = world.json(&["why", &world.id(&essay)]);
    assert_eq!(why["status"], "stale");
    assert!(text(&why["explanation"]).contains("by way of"), "{why}");
    let edges: Vec<&str> = list(&why["edges"]).iter().map(|edge| text(&edge["other"]["place"]["quote"])).collect();
    assert_eq!(edges, [summary.as_str()], "it derives from the summary");
    // A review signal, and no error: what cites it stands.
    assert_eq!(world.verdicts("The benchmark is a Go program.", &world.id(&summary)).1, "verified");

    // The review asks about both, that first on which more rests.
    assert_eq!(kinds(&world, "stale"), [summary.clone(), essay.clone()]);
    let before = world.everything();
    let written = run(&world, &["review", "--write"], 1);
    assert_eq!(written["written"], REVIEW);
    let mut after = world.everything();
    after.remove(&world.vault().join(REVIEW)).expect("the review was written");
    assert_eq!(after, before, "and nothing else");
    assert_eq!(kinds(&world, "stale").len(), 2, "nothing is read out of a review");

    // Ticked in Obsidian: the summary holds all the same.
    assert_eq!(run(&world, &["review", "--apply"], 0)["applied"], json!([]), "nothing is ticked");
    tick(&world, REVIEW, &summary, "still true");
    let applied = run(&world, &["review", "--apply"], 0);
    assert_eq!(text(&applied["applied"][0]["do"]), "keep");
    assert_eq!(stale(&world), [], "what rests on it holds, too");
    assert_eq!(kinds(&world, "stale"), [] as [String; 0]);
    let ticked = world.read(REVIEW);
    assert_eq!(run(&world, &["review", "--apply"], 0)["applied"], json!([]), "a tick is applied once");
    assert_eq!(world.read(REVIEW), ticked, "and the review is left as it is");

    // From nothing: the same state.
    let state = (world.export(), stale(&world), asked(&world));
    fs::remove_dir_all(world.at("state")).expect("a state to delete");
    assert_eq!((world.export(), stale(&world), asked(&world)), state);
    let other = World::new(&[]);
    copy(&world.vault(), &other.vault());
    assert_eq!(other.export(), world.export());

    // Taken back by hand, it is stale again, and the old tick does not count a second time.
    assert_eq!(world.local(&["restore", &world.id(&summary)]).code, Some(0));
    assert_eq!(stale(&world), both);
    assert_eq!(run(&world, &["review", "--apply"], 0)["applied"], json!([]));
    assert_eq!(stale(&world), both);
}

#[test]
fn a_summary_is_fresh_again_once_it_cites_what_holds() {
    let world = summed_up();
    let (go, rust) = (world.id(GO), world.id(RUST));
    assert_eq!(stale(&world).len(), 2);
    world.edit("summary.md", &go, &rust);
    assert_eq!(stale(&world), [], "the sentence kept its id, so what cites it is fresh, too");
    world.edit("daily/2025-02-11.md", RUST, "drift-bench is written in Zig.");
    let gone: Vec<String> = stale(&world).into_iter().map(|(_, how, _)| how).collect();
    assert_eq!(gone, ["gone", "gone"], "what it cites was edited away");
    assert_eq!(world.local(&["retract", &world.id("drift-bench is written in Zig.")]).code, Some(0));
    world.edit("summary.md", &rust, &world.id("drift-bench is written in Zig."));
    let withdrawn: Vec<String> = stale(&world).into_iter().map(|(_, how, _)| how).collect();
    assert_eq!(withdrawn, ["withdrawn", "withdrawn"]);
}

#[test]
fn a_renamed_heading_makes_nothing_stale_where_the_renaming_was_seen() {
    let world = World::new(&[("a.md", "# Rota\n\n- owned by Priya\n"), ("b.md", "Nothing yet.\n")]);
    let id = world.id("owned by Priya");
    world.write("b.md", format!("Priya has the rota [claim:{id}].\n"));
    assert_eq!(stale(&world), []);
    world.edit("a.md", "# Rota", "# The rota");
    assert_ne!(world.id("owned by Priya"), id);
    assert_eq!(stale(&world), []);
    let other = World::new(&[]);
    copy(&world.vault(), &other.vault());
    assert_eq!(other.export(), world.export(), "the canonical form does without what only watching can know");
}

#[test]
fn every_tick_decides_what_it_says() {
    let notes = [("a.md", "drift-bench is written in Go.\n"), ("b.md", "drift-bench is written in Rust.\n")];
    for (words, open, go, rust) in [
        ("keep new", 0, "superseded", "current"),
        ("keep old", 0, "current", "superseded"),
        ("both true", 0, "current", "current"),
        ("not a contradiction", 0, "current", "current"),
        ("later", 1, "current", "current"),
    ] {
        let world = World::new(&notes);
        run(&world, &["review", "--write"], 1);
        tick(&world, REVIEW, GO, words);
        let applied = run(&world, &["review", "--apply"], 0);
        assert_eq!(list(&applied["applied"]).len(), 1, "{words}: {applied}");
        let status = |quote: &str| {
            let claims = world.claims();
            let claim = claims.iter().find(|claim| claim["sources"][0]["quote"] == quote).expect("the claim");
            text(&claim["status"]).to_owned()
        };
        assert_eq!((status(GO).as_str(), status(RUST).as_str()), (go, rust), "{words}");
        assert_eq!(world.json(&["contradictions"])["open"], open, "{words}");
        assert_eq!(kinds(&world, "contradiction"), [] as [String; 0], "{words}: not asked again");
    }
}

#[test]
fn two_ticks_of_one_question_decide_nothing_and_are_told() {
    let world =
        World::new(&[("a.md", "drift-bench is written in Go.\n"), ("b.md", "drift-bench is written in Rust.\n")]);
    run(&world, &["review", "--write"], 1);
    tick(&world, REVIEW, GO, "keep new");
    tick(&world, REVIEW, GO, "keep old");
    let applied = run(&world, &["review", "--apply"], 1);
    assert_eq!(applied["applied"], json!([]));
    let refused: Vec<&str> = list(&applied["refused"]).iter().map(|tick| text(&tick["why"])).collect();
    assert_eq!(refused, ["another box about the same is ticked as well"; 2]);
    assert!(!world.vault().join(".memora/decisions.jsonl").exists());

    // A second review of the day has what is new, and says what stands in the first; it is never written over it.
    let again = run(&world, &["review", "--write"], 1);
    assert_eq!((&again["written"], &again["items"]), (&Value::Null, &json!([])));
    assert_eq!(again["already"], json!({"paths": [REVIEW], "count": 1}));
    world.write("c.md", "drift-store is written in C.\n");
    world.write("d.md", "drift-store is written in Zig.\n");
    let more = run(&world, &["review", "--write"], 1);
    assert_eq!((&more["written"], list(&more["items"]).len()), (&"Memora/Review 2025-11-03 2.md".into(), 1));
    let review = world.read("Memora/Review 2025-11-03 2.md");
    assert!(review.contains("drift-store") && !review.contains("drift-bench"), "{review}");

    // A box in a note that is no review is the user's own business.
    let note = world.read(REVIEW).replace("memora: review", "memora: nothing");
    world.write("notes/list.md", note.replace("keep old", "other"));
    fs::remove_file(world.vault().join(REVIEW)).expect("a file");
    assert_eq!(run(&world, &["review", "--apply"], 0)["applied"], json!([]));
}

#[test]
fn what_is_guarded_is_linked_in_a_review_and_neither_quoted_nor_named() {
    let world = World::new(&[
        ("a.md", "drift-bench is written in Go.\n"),
        ("Plans of Mara.md", "---\nprivacy: secret\n---\ndrift-bench is written in Rust.\n"),
    ]);
    run(&world, &["review", "--write"], 1);
    let review = world.read(REVIEW);
    assert!(review.contains("privacy: secret"), "{review}");
    assert!(!review.contains("Rust") && review.contains("[[Plans of Mara|a secret note]]"), "{review}");
    let piped = world.cloud(&["review", "--json", "--limit", "100"]);
    let said = format!("{}{}", piped.stdout, piped.stderr);
    assert!(!said.contains("Rust") && !said.contains("Mara") && !said.contains("contradiction\""), "{said}");
    // Its owner may tick it from anywhere.
    let note = review.replace("- [ ] keep new", "- [x] keep new");
    world.write(REVIEW, note);
    let applied = world.cloud(&["review", "--apply", "--json"]);
    assert_eq!(applied.code, Some(0), "{}", applied.said());
    let known = applied.json();
    assert!(list(&known["applied"]).len() <= 1, "{known}");
    assert_eq!(world.json(&["contradictions"])["open"], 0);
}

/// What a review finds besides: what was told long ago, what much rests on, what is linked and not described.
#[test]
fn a_review_asks_about_what_ages_what_much_rests_on_and_what_nobody_describes() {
    let world = World::new(&[
        ("daily/2023-05-02.md", "Anna lives in Kiel.\n\nThe office is empty.\n"),
        ("daily/2025-09-01.md", "Ben lives in Malmö.\n"),
        ("one.md", "We asked [[Ada Example]] first.\n"),
        ("two.md", "It was signed by [[Ada Example]].\n"),
        ("three.md", "Send it to [[Ada Example]].\n"),
        ("another.md", "Ask [[Ada Example]] about the boat.\n"),
    ]);
    let id = world.id("Anna lives in Kiel.");
    world.write("four.md", format!("Kiel is where to send it [claim:{id}].\n"));
    world.write("five.md", format!("Take the train to Kiel [claim:{id}].\n"));
    let found = asked(&world);
    let kiel = "Anna lives in Kiel.".to_owned();
    assert_eq!(found[0], ("aging".to_owned(), kiel.clone()), "{found:?}");
    assert_eq!(kinds(&world, "single_source"), [] as [String; 0], "nothing is asked twice of one claim");
    assert_eq!(kinds(&world, "aging"), [kiel], "what was told lately, and remarks, are let be");
    let report = world.json(&["review", "--today", TODAY, "--limit", "100"]).to_string();
    assert!(report.contains("4 notes link to it"), "{report}");
    assert_eq!(world.local(&["keep", &id, "--today", TODAY]).code, Some(0));
    let left = asked(&world);
    assert!(left.iter().all(|(kind, _)| kind == "frontier"), "confirmed is confirmed: {left:?}");

    // What is no claim can be put off, too.
    run(&world, &["review", "--write"], 1);
    let note = world.read(REVIEW);
    world.write(REVIEW, note.replace("- [ ] later", "1. [x] later"));
    run(&world, &["review", "--apply"], 0);
    assert_eq!(asked(&world), []);
}

#[test]
fn what_is_no_longer_true_ended_and_what_it_superseded_stays_so() {
    let world = World::new(&[
        ("daily/2023-03-12.md", "The rent of Studio Nord is 700 euros.\n"),
        ("daily/2024-06-14.md", "The rent of Studio Nord is 750 euros.\n"),
    ]);
    let (old, new) = ("The rent of Studio Nord is 700 euros.", "The rent of Studio Nord is 750 euros.");
    assert_eq!(kinds(&world, "aging"), [new]);
    run(&world, &["review", "--write"], 1);
    tick(&world, REVIEW, new, "no longer true");
    let applied = run(&world, &["review", "--apply"], 0);
    assert_eq!(text(&applied["applied"][0]["do"]), "end");
    let status = |quote: &str| {
        let claims = world.claims();
        let claim = claims.iter().find(|claim| claim["sources"][0]["quote"] == quote).expect("the claim");
        (text(&claim["status"]).to_owned(), claim["valid_until"].clone())
    };
    assert_eq!(status(old), ("superseded".to_owned(), "2024-06-14".into()), "it does not come back");
    assert_eq!(status(new), ("superseded".to_owned(), TODAY.into()));
    assert_eq!(asked(&world), []);

    // A change of mind in the same review counts, again and again.
    let id = world.id(new);
    let ticked = world.read(REVIEW);
    world.write(REVIEW, ticked.replace("- [x] no longer", "- [ ] no longer").replace("- [ ] still", "- [x] still"));
    assert_eq!(list(&run(&world, &["review", "--apply"], 0)["applied"]).len(), 1);
    assert_eq!(status(new).0, "current");
    world.write(REVIEW, &ticked);
    assert_eq!(list(&run(&world, &["review", "--apply"], 0)["applied"]).len(), 1);
    assert_eq!(status(new).0, "superseded");
    assert_eq!(world.local(&["restore", &id, "--today", TODAY]).code, Some(0));
    assert_eq!(list(&run(&world, &["review", "--apply"], 0)["applied"]).len(), 0, "decided by hand since");
    assert_eq!(status(new).0, "current");
    assert_eq!(world.local(&["retract", &id, "--ended", "--today", TODAY]).code, Some(0));
    assert_eq!(status(new).0, "superseded");
}

#[cfg(unix)]
#[test]
fn a_review_is_written_into_no_place_where_it_would_not_be_read() {
    let notes = [("a.md", "drift-bench is written in Go.\n"), ("b.md", "drift-bench is written in Rust.\n")];
    let ignored = World::new(&notes);
    ignored.write(".memoraignore", "Memora/\n");
    let file = World::new(&notes);
    file.write("Memora", "no folder");
    let linked = World::new(&notes);
    fs::create_dir_all(linked.at("outside")).expect("a folder");
    std::os::unix::fs::symlink(linked.at("outside"), linked.vault().join("Memora")).expect("a link");
    for world in [&ignored, &file, &linked] {
        let before = world.everything();
        let run = world.local(&["review", "--write"]);
        assert_eq!(run.code, Some(2), "{}", run.said());
        assert!(run.stderr.contains("hint: "), "{}", run.stderr);
        assert_eq!(world.everything(), before);
    }
    assert_eq!(fs::read_dir(linked.at("outside")).expect("a folder").count(), 0);
}

#[test]
fn a_number_that_was_edited_in_place_is_asked_about_once() {
    let world = World::new(&[("plan.md", "Each account can have up to 5 remote vaults.\n")]);
    let before = world.id("Each account can have up to 5 remote vaults.");
    world.edit("plan.md", "up to 5", "up to 10");
    let now = "Each account can have up to 10 remote vaults.";
    assert_eq!(kinds(&world, "edit"), [now]);
    let report = world.json(&["review", "--today", TODAY]);
    assert_eq!(text(&report["items"][0]["formerly"]), "Each account can have up to 5 remote vaults.");
    assert_eq!(report["items"][0]["choices"][0]["over"][0], Value::from(before));
    run(&world, &["review", "--write"], 1);
    tick(&world, REVIEW, now, "keep new");
    assert_eq!(list(&run(&world, &["review", "--apply"], 0)["applied"]).len(), 1);
    assert_eq!(kinds(&world, "edit"), [] as [String; 0]);
    assert_eq!(list(&run(&world, &["review", "--apply"], 0)["applied"]).len(), 0);

    // Two vaults that say the same are the same, whatever was seen.
    let other = World::new(&[]);
    copy(&world.vault(), &other.vault());
    assert_eq!(other.export(), world.export());
}

#[test]
fn what_was_passed_over_on_two_days_is_let_be_and_a_second_review_of_a_day_repeats_nothing() {
    let world = World::new(&[("daily/2023-05-02.md", "Anna lives in Kiel.\n")]);
    let on = |day: &str| {
        let run = world.local(&["review", "--write", "--today", day, "--json"]);
        let questions: Vec<String> =
            list(&run.json()["items"]).iter().map(|item| text(&item["question"]).into()).collect();
        questions
    };
    let asked = ["Is this still true: “Anna lives in Kiel.”".to_owned()];
    assert_eq!(on("2025-11-03"), asked);
    let name = |day: &str| {
        let review = world.read(&format!("Memora/Review {day}.md"));
        let begun = review.split_once("review: ").expect("a name").1.get(..8).expect("a day").to_owned();
        world.write(&format!("Memora/Review {day}.md"), review.replace(&begun, &day.replace('-', "")));
    };
    name("2025-11-03");
    assert_eq!(on("2025-11-03"), [] as [String; 0], "it stands in the first of the day");
    assert_eq!(on("2025-11-10"), asked, "passed over once");
    name("2025-11-10");
    assert_eq!(on("2025-11-17"), [] as [String; 0], "passed over twice");
    let review = world.read("Memora/Review 2025-11-10.md");
    assert!(review.contains("- [ ] still true (confirmed today) %%memora: keep "), "{review}");
    fs::remove_file(world.vault().join("Memora/Review 2025-11-10.md")).expect("a review");
    assert_eq!(on("2025-11-18"), asked, "the reviews tell, and nothing else");
}

#[test]
fn a_note_that_links_lead_to_from_elsewhere_is_no_unknown_name() {
    let world = World::new(&[
        ("people/ada.md", "Ada plays the cello.\n\nShe tunes it on Fridays.\n"),
        ("notes/one.md", "We asked [her](../people/ada.md) first.\n"),
        ("notes/two.md", "It was signed by [[../people/ada|the cellist]].\n"),
        ("notes/three.md", "Send it to [her](../people/ada.md).\n"),
        ("notes/ten.md", "Paid by [her](../people/ada.md).\n"),
        ("notes/four.md", "On [[May 2nd, 2020]] it rained.\n"),
        ("notes/five.md", "On [[May 2nd, 2020]] it snowed.\n"),
        ("notes/six.md", "On [[May 2nd, 2020]] it hailed.\n"),
        ("notes/seven.md", "On [[May 2nd, 2020]] it froze.\n"),
    ]);
    assert_eq!(kinds(&world, "frontier"), [] as [String; 0]);
}

/// What the owner meant to do is asked about once it is old enough, if nothing in the notes comes back to it.
#[test]
fn a_plan_that_nothing_comes_back_to_is_asked_about() {
    let forgotten = "I am going to build a wooden shelf for the spare bicycle wheels.";
    let world = World::new(&[
        ("daily/2025-09-01.md", &format!("{forgotten}\n")),
        ("daily/2025-09-02.md", "I am going to plant three apple trees behind the greenhouse.\n"),
        ("daily/2025-10-20.md", "The apple trees stand behind the greenhouse now.\n"),
        ("daily/2025-09-03.md", "**Zofia:** I am going to sell the old caravan to my cousin.\n"),
        ("daily/2025-09-04.md", "I've been going without coffee for the whole of this week.\n"),
        ("daily/2025-09-05.md", "I am going to visit the lighthouse museum in Lisbon on 5 December 2027.\n"),
        ("daily/2025-10-25.md", "I am going to paint the ceiling of the pantry in a light yellow.\n"),
    ]);
    assert_eq!(kinds(&world, "intention"), [forgotten]);
    run(&world, &["review", "--write"], 1);
    tick(&world, REVIEW, forgotten, "done or dropped");
    run(&world, &["review", "--apply"], 0);
    assert_eq!(kinds(&world, "intention"), [] as [String; 0]);
}

/// The newer statements that are listed, each with the words that end an older one and what stands before it.
fn changes(world: &World, args: &[&str]) -> Vec<(String, Option<String>, Vec<String>)> {
    let report = world.json(&[&["changes"], args].concat());
    let quote = |claim: &Value| text(&claim["place"]["quote"]).to_owned();
    let of = |pair: &Value| {
        let older = list(&pair["older"]).iter().map(quote).collect();
        (quote(&pair["newer"]), pair["ended_by"].as_str().map(str::to_owned), older)
    };
    list(&report["pairs"]).iter().map(of).collect()
}

#[test]
fn a_newer_statement_stands_beside_the_older_one_that_it_overtakes() {
    const XERO: &str = "Finance sends the invoices of all customers with Xero.";
    const NETSUITE: &str = "Finance sends the invoices of all customers with NetSuite instead of Xero.";
    let world = World::new(&[
        ("daily/2024-05-02.md", &format!("# Thursday\n\n{XERO}\n\nThe plum tree is in bloom.\n")),
        ("daily/2025-02-11.md", &format!("# Tuesday\n\n{NETSUITE}\n\nA long walk to the lighthouse.\n")),
    ]);
    let found = changes(&world, &[]);
    assert_eq!(found, [(NETSUITE.to_owned(), Some("instead of Xero".to_owned()), vec![XERO.to_owned()])]);
    // What is older is beside nothing, and a day bounds what is read.
    assert_eq!(changes(&world, &["--since", "2025-03"]), []);
    for since in ["2025", "2025-02", "2025-02-11"] {
        assert_eq!(changes(&world, &["--since", since]).len(), 1, "{since}");
    }
    assert_eq!(changes(&world, &["--ended"]).len(), 1);
    // A page is where it was left.
    let report = world.json(&["changes", "--limit", "1"]);
    assert_eq!(report["next"], 1, "{report}");
    assert_eq!(list(&world.json(&["changes", "--limit", "1", "--from", "1"])["pairs"]), [] as [Value; 0]);
    let run = world.local(&["changes"]);
    assert_eq!(run.code, Some(1), "there is something to judge");
    assert!(run.stdout.contains("says otherwise: instead of Xero"), "{}", run.stdout);
}

#[test]
fn what_a_newer_note_ends_is_asked_about_until_it_is_settled() {
    const OLD: &str = "The hosting company has 480 employees.";
    const NEW: &str = "The hosting company has 650 employees now.";
    const CHAPTER: &str = "The second chapter has 20 pages.";
    let world = World::new(&[
        ("daily/2024-03-02.md", &format!("{OLD}\n\n{CHAPTER}\n\nThe API is on port 8080.\n")),
        ("daily/2025-02-11.md", &format!("{NEW}\n\nThe new chapter has 31 pages.\n\nThe API is on port 9090 now.\n")),
    ]);
    let asked: BTreeSet<String> = kinds(&world, "changed").into_iter().collect();
    assert_eq!(asked, BTreeSet::from([OLD.to_owned(), "The API is on port 8080.".to_owned()]));
    let answer = world.json(&["ask", "How many employees does the hosting company have?"]);
    let old = world.id(OLD);
    let contested = text(&answer["contested"][0]["claim"]);
    let first = text(&answer["claims"][0]["place"]["quote"]);
    assert_eq!(first, NEW, "the newer comes first");
    assert!(contested.starts_with(old.split('.').next().expect("an id")), "{answer}");
    run(&world, &["review", "--write"], 1);
    tick(&world, REVIEW, OLD, "no longer true");
    tick(&world, REVIEW, "The API is on port 8080.", "both true");
    run(&world, &["review", "--apply"], 0);
    assert_eq!(kinds(&world, "changed"), [] as [String; 0]);
}

#[test]
fn when_a_file_was_changed_is_told_to_nobody_else() {
    let world = World::new(&[
        ("stack.md", "Finance sends the invoices of all customers with Xero.\n"),
        ("daily/2025-02-11.md", "The invoices of all customers go out with NetSuite instead of Xero.\n"),
        ("newest.md", "The invoices of all customers go out with Stripe instead of NetSuite.\n"),
    ]);
    let newer = |report: &Value| {
        list(&report["pairs"]).iter().map(|pair| pair["newer"]["place"]["path"].clone()).collect::<Vec<_>>()
    };
    // The file of today is the newest here; to another program a note without a date is of no day.
    let local = world.json(&["changes"]);
    assert!(newer(&local).contains(&json!("newest.md")), "{local}");
    let cloud = world.cloud(&["changes", "--json"]).json();
    assert_eq!(newer(&cloud), [json!("daily/2025-02-11.md")], "{cloud}");
}

/// A journal says what holds on its day: the same words with another number on a later day are asked about, and so is what "no longer"
/// holds. In notes of things the same words are of different things.
#[test]
fn what_a_journal_says_otherwise_on_a_later_day_is_asked_about() {
    const PRICE: &str = "The price of the boat is $14,500.";
    const NOW: &str = "The price of the boat is $17,900.";
    const KEPT: &str = "We keep the boat at Lake Minnetonka.";
    let rooms =
        |euros: &str| format!("---\ndate: 2025-0{euros}-01\n---\nThe price of a room is {euros}0 euros a night.\n");
    let world = World::new(&[
        ("daily/2025-04-18.md", &format!("{PRICE}\n\n{KEPT}\n\n## Coffee\n\nThe cup costs 3 euros.\n")),
        (
            "daily/2025-05-08.md",
            &format!("{NOW}\n\nWe no longer keep the boat at Lake Minnetonka.\n\n## Tea\n\nThe cup costs 4 euros.\n"),
        ),
        ("Hotel Alder.md", &rooms("5")),
        ("Hotel Birch.md", &rooms("7")),
    ]);
    let asked: BTreeSet<String> = kinds(&world, "changed").into_iter().collect();
    assert_eq!(asked, BTreeSet::from([PRICE.to_owned(), KEPT.to_owned()]));
    let first_and_rival = |question: &str| {
        let answer = world.json(&["ask", question]);
        let quote = |claim: &Value| text(&claim["place"]["quote"]).to_owned();
        (quote(&answer["claims"][0]), quote(&answer["contested"][0]["against"]))
    };
    assert_eq!(first_and_rival("What is the price of the boat?"), (NOW.to_owned(), NOW.to_owned()));
    let denied = "We no longer keep the boat at Lake Minnetonka.".to_owned();
    assert_eq!(first_and_rival("Where do we keep the boat?"), (KEPT.to_owned(), denied));
}

/// What was to be done by a day that is past is asked about, the last due first; what is ticked, put away or long past is not.
#[test]
fn a_task_that_is_overdue_is_asked_about() {
    let world = World::new(&[
        (
            "plans/June.md",
            "- [ ] Write the scope of the project 📅 2025-06-10\n- [x] Book the hotel 📅 2025-06-08\n- [ ] Call Ben\n",
        ),
        ("Archive/May.md", "- [ ] Send the invoice to Orla 📅 2025-05-10\n"),
        ("plans/old.md", "- [ ] Learn to juggle 📅 2019-05-10\n"),
    ]);
    let at = |day: &str| {
        let report = world.json(&["review", "--today", day]);
        list(&report["items"]).iter().map(|item| text(&item["question"]).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(at("2025-06-15"), [] as [String; 0], "a few days are nobody's business");
    let asked = at("2025-07-15");
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert!(asked[0].starts_with("Do you still plan to do this: “June: Write the scope of the project"), "{asked:?}");
}
