//! A statement is cited, then its note is edited: does the citation still stand, and does it still say the same?

use super::support::{World, text};

const RETENTION: &str = "# Retention\n\n## Decided\n\nThe board of Stade asked for it.\n\n\
    drift keeps records for 30 days.\n\nThe disk is large enough.\n";
const KEPT: &str = "drift keeps records for 30 days.";

/// A vault with the note on retention, and the id of the statement that is cited.
fn cited() -> (World, String) {
    let world = World::new(&[("retention.md", RETENTION)]);
    let id = world.id(KEPT);
    (world, id)
}

/// After an edit of the cited line the citation is `changed`, whatever was done to keep its bytes.
fn no_longer_says_it(line: &str, rest: &str) {
    let (world, id) = cited();
    let after = RETENTION.replace(&format!("{KEPT}\n"), line) + rest;
    world.write("retention.md", after);
    let (sentence, citation) = world.verdicts(KEPT, &id);
    assert_eq!((sentence.as_str(), citation.as_str()), ("rejected", "changed"));
    let why = world.json(&["why", &id]);
    assert_ne!(why["status"], "current", "{why}");
    // What is quoted from somebody else, or denied, may be told, as what it is.
    let answer = world.json(&["ask", "How long does drift keep records?"]);
    for claim in answer["claims"].as_array().expect("a list") {
        assert!(claim["modality"] != "asserted" || text(&claim["place"]["quote"]) != KEPT, "{claim}");
    }
}

/// After an edit the citation stands, in place or moved, and the sentence with it.
fn stands(world: &World, id: &str) {
    let (sentence, citation) = world.verdicts(KEPT, id);
    assert_eq!(sentence, "quoted", "the citation is {citation}");
    assert!(matches!(citation.as_str(), "verified" | "moved"), "{citation}");
    assert_eq!(world.json(&["why", id])["status"], "current");
}

#[test]
fn struck_out_is_changed() {
    no_longer_says_it("~~drift keeps records for 30 days.~~\n", "");
}

#[test]
fn moved_under_rejected_is_changed() {
    no_longer_says_it("", "\n## Rejected\n\ndrift keeps records for 30 days.\n");
}

#[test]
fn wrapped_in_a_comment_is_changed() {
    no_longer_says_it("%%drift keeps records for 30 days.%%\n", "");
    no_longer_says_it("%%\ndrift keeps records for 30 days.\n%%\n", "");
    no_longer_says_it("<!-- drift keeps records for 30 days. -->\n", "");
}

#[test]
fn fenced_is_changed() {
    no_longer_says_it("```\ndrift keeps records for 30 days.\n```\n", "");
    no_longer_says_it("$$\ndrift keeps records for 30 days.\n$$\n", "");
}

#[test]
fn quoted_is_changed() {
    no_longer_says_it("> drift keeps records for 30 days.\n", "");
}

#[test]
fn grown_into_a_longer_sentence_is_changed() {
    no_longer_says_it("It is not true that drift keeps records for 30 days.\n", "");
    no_longer_says_it("drift keeps records for 300 days.\n", "");
}

#[test]
fn a_price_moved_to_another_plan_is_changed() {
    let world = World::new(&[(
        "hosting.md",
        "# hosting\n\n## Plan A\n\n- Price: 40 euros per month\n- Traffic: 10 TB\n\n## Plan B\n\n- Location: Hamburg\n",
    )]);
    let id = world.id("Price: 40");
    let sentence = "The price of Plan A is 40 euros per month.";
    assert_eq!(world.verdicts(sentence, &id), ("verified".into(), "verified".into()));
    world.edit("hosting.md", "- Price: 40 euros per month\n", "");
    world.edit("hosting.md", "- Location: Hamburg\n", "- Location: Hamburg\n- Price: 40 euros per month\n");
    assert_eq!(world.verdicts(sentence, &id), ("rejected".into(), "changed".into()));
}

#[test]
fn two_prices_that_changed_places_are_changed() {
    let world = World::new(&[(
        "hosting.md",
        "# hosting\n\n## Plan A\n\n- Price: 40 euros per month\n\n## Plan B\n\n- Price: 65 euros per month\n",
    )]);
    let id = world.id("Price: 40");
    let swapped = "# hosting\n\n## Plan A\n\n- Price: 65 euros per month\n\n## Plan B\n\n- Price: 40 euros per month\n";
    world.write("hosting.md", swapped);
    let sentence = "The price of Plan A is 40 euros per month.";
    assert_eq!(world.verdicts(sentence, &id), ("rejected".into(), "changed".into()));
}

#[test]
fn text_inserted_above_stands() {
    let (world, id) = cited();
    world.edit("retention.md", "# Retention\n", "---\ntags: [a]\n---\n# Retention\n\nNäher, 🌊.\n");
    stands(&world, &id);
}

#[test]
fn a_section_that_moved_within_its_note_stands() {
    let world = World::new(&[("retention.md", &format!("{RETENTION}\n## Open\n\nNobody asked Husum.\n"))]);
    let id = world.id(KEPT);
    let section = RETENTION.trim_start_matches("# Retention\n\n");
    world.write("retention.md", format!("# Retention\n\n## Open\n\nNobody asked Husum.\n\n{section}"));
    stands(&world, &id);
}

#[test]
fn a_note_moved_to_another_folder_stands_under_the_same_id() {
    let (world, id) = cited();
    world.rename("retention.md", "projects/drift/retention.md");
    stands(&world, &id);
    assert_eq!(world.id(KEPT), id);
}

#[test]
fn a_note_moved_without_a_command_between_index_and_verify_says_its_new_place() {
    let (world, id) = cited();
    world.rename("retention.md", "projects/retention.md");
    let report = world.verify(&format!("{KEPT} [claim:{id}]"));
    assert_eq!(report["claims"][0]["place"]["path"], "projects/retention.md");
}

#[test]
fn a_leaning_statement_keeps_its_old_id_when_its_note_is_renamed() {
    let note = "It keeps records for 30 days.\n\nThe board of Stade asked for that.\n\n- Price: 40 euros per month\n";
    let world = World::new(&[("Plan A.md", note)]);
    let old = world.id("Price: 40");
    world.rename("Plan A.md", "Plan Alpha.md");
    let new = world.id("Price: 40");
    assert_ne!(new, old, "the statement takes its subject from the title");
    for id in [&old, &new] {
        let (sentence, citation) = world.verdicts("The price of Plan Alpha is 40 euros per month.", id);
        assert_eq!(sentence, "verified", "{citation}");
        // Support is judged anew, under the name the note has now.
        let (sentence, _) = world.verdicts("The price of Plan A is 40 euros per month.", id);
        assert_eq!(sentence, "unsupported");
    }
    assert_eq!(world.json(&["why", &old])["status"], "current");
}

#[test]
fn a_renamed_heading_leaves_the_citation_standing() {
    let (world, id) = cited();
    world.edit("retention.md", "## Decided", "## Decisions of the board");
    stands(&world, &id);
}

#[test]
fn a_heading_renamed_to_rejected_is_changed() {
    let (world, id) = cited();
    world.edit("retention.md", "## Decided", "## Rejected");
    let (sentence, _) = world.verdicts(KEPT, &id);
    assert_eq!(sentence, "rejected");
}

#[test]
fn a_file_that_was_only_touched_stands_in_place() {
    let (world, id) = cited();
    world.write("retention.md", RETENTION);
    assert_eq!(world.verdicts(KEPT, &id), ("quoted".into(), "verified".into()));
    assert_eq!(world.id(KEPT), id);
}

#[test]
fn a_deleted_note_is_missing() {
    let (world, id) = cited();
    world.write("other.md", "The crane lifts forty tonnes.\n");
    world.delete("retention.md");
    assert_eq!(world.verdicts(KEPT, &id), ("rejected".into(), "missing_note".into()));
    assert_eq!(world.json(&["why", &id])["status"], "missing_note");
    assert_eq!(world.verdicts(KEPT, &id), ("rejected".into(), "missing_note".into()), "the next time too");
}

#[test]
fn a_note_that_was_deleted_and_restored_stands_again() {
    let (world, id) = cited();
    world.write("other.md", "The crane lifts forty tonnes.\n");
    world.delete("retention.md");
    assert_eq!(world.verdicts(KEPT, &id).1, "missing_note");
    world.write("retention.md", RETENTION);
    stands(&world, &id);
    assert_eq!(world.id(KEPT), id);
}

#[test]
fn a_copy_is_a_second_place_and_each_keeps_the_claim_without_the_other() {
    for gone in ["retention.md", "copies/retention.md"] {
        let (world, id) = cited();
        world.write("copies/retention.md", RETENTION);
        let paths = |world: &World| {
            let why = world.json(&["why", &id]);
            let claims = why["claims"].as_array().expect("claims").clone();
            let mut paths: Vec<String> = claims.iter().map(|c| text(&c["place"]["path"]).to_owned()).collect();
            paths.sort();
            paths.dedup();
            paths
        };
        assert_eq!(paths(&world), ["copies/retention.md", "retention.md"]);
        world.delete(gone);
        stands(&world, &id);
        assert_eq!(paths(&world).len(), 1);
    }
}

#[test]
fn a_note_that_became_secret_is_unknown_at_a_cloud_door_at_the_next_command() {
    for (from, to) in [
        ("# Retention\n", "# Retention\n\n#secret\n"),
        ("# Retention\n", "---\nprivacy: secret\n---\n# Retention\n"),
        (KEPT, "<!--privacy:secret-->drift keeps records for 30 days.<!--/privacy-->"),
    ] {
        let (world, id) = cited();
        let draft = format!("{KEPT} [claim:{id}]");
        assert_eq!(world.cloud_with(&["verify", "--json"], &draft).json()["status"], "verified");
        world.edit("retention.md", from, to);
        let report = world.cloud_with(&["verify", "--json"], &draft).json();
        assert_eq!(report["sentences"][0]["verdict"], "rejected", "{report}");
        let verdict = text(&report["sentences"][0]["citations"][0]["verdict"]);
        assert!(matches!(verdict, "unknown_id" | "redacted"), "{to:?}: {verdict}");
        for args in
            [&["why", id.as_str()][..], &["search", "records"], &["ask", "How long are records kept?"], &["export"]]
        {
            let run = world.cloud(args);
            assert!(!run.said().contains("30 days"), "{args:?}: {}", run.said());
        }
        stands(&world, &id);
    }
}

#[test]
fn a_note_that_was_secret_and_became_public_is_known_at_the_next_command() {
    let secret = RETENTION.replace("# Retention\n", "# Retention\n\n#secret\n");
    let world = World::new(&[("retention.md", &secret)]);
    let id = world.id(KEPT);
    let draft = format!("{KEPT} [claim:{id}]");
    assert_eq!(world.cloud_with(&["verify", "--json"], &draft).json()["status"], "unverified");
    world.write("retention.md", RETENTION);
    assert_eq!(world.cloud_with(&["verify", "--json"], &draft).json()["status"], "verified");
}
