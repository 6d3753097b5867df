//! `privacy audit` and `privacy egress`: why what is guarded, what a model may see, what left.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use memora_engine::{EgressEntry, EgressLog};
use serde_json::Value;

use super::support::{World, places, repository, statement, text};

const AUDIT: &[&str] = &["privacy", "audit"];

/// Every way to guard a note or a part of one, each in a note of its own; the words `open` are public.
const NOTES: &[(&str, &str)] = &[
    ("open.md", "Everything here is open.\n"),
    ("journal/day.md", "The journal is a secret of its own.\n"),
    ("family/oma.md", "Oma lives in Lübeck.\n"),
    ("property.md", "---\na: 1\nprivacy: secret\n---\nThe plan is bold.\n"),
    ("nested.md", "---\nmeta:\n  privacy: private\n---\nThe plan is nested.\n"),
    ("tag.md", "The first line is long.\n\nThe second line has a tag. #secret/work\n"),
    ("listed.md", "---\ntags:\n  - work\n  - private\n---\nThe list has two tags.\n"),
    (
        "marker.md",
        "The start is open.\n\n<!--privacy:secret-->\nThe middle is hidden.\n<!--/privacy-->\n\nThe end is open.\n",
    ),
    ("unclosed.md", "The start is open.\n\n<!--privacy:private-->\nThe rest is hidden.\n\nThe end is hidden.\n"),
    ("comment.md", "The start is open.\n\n%%The comment is hidden.%%\n\nThe end is open.\n"),
    ("endless.md", "The start is open.\n\n%%The comment never ends.\n\nThe end is hidden.\n"),
    ("iban.md", "The start is open.\n\nMy account is DE89 3704 0044 0532 0130 00 at the bank.\n"),
    ("pay.md", "---\ncity: Kiel\npay:\n  - 4\n  - \"%%5%%\"\n---\nThe words are open.\n"),
    ("cost.md", "---\ncity: Kiel\ncost: 5 <!-- or 6\n---\nThe words are open.\n"),
    ("keys/ghp_bbcdefghijklmnopqrstuvwxyz0123456789/note.md", "The name is a key.\n"),
    ("broken.md", "---\na: b: c\nwords: secret\n---\nThe front matter is broken.\n"),
    ("typo.md", "---\nprivacy: sekret\n---\nThe word is wrong.\n"),
    ("slip.md", "The start is open.\n\n<!--privacy:privte-->\nThe middle is hidden.\n<!--/privacy-->\n"),
    (
        "item.md",
        "- The pay is <!--privacy:secret-->ninety<!--/privacy-->.\n  - The raise is small.\n- The bread is rye.\n",
    ),
    (
        "heading.md",
        "The start is open.\n\n# <!--privacy:secret-->Pay<!--/privacy-->\n\nThe raise is small.\n\nThe rent is high.\n",
    ),
    (
        "foot.md",
        "The start is open.\n\n<!--privacy:secret-->The pay is high.[^1]<!--/privacy-->\n\n[^1]: The raise was small.\n",
    ),
];

fn world() -> World {
    let world = World::new(NOTES);
    world.write(".memora/config.toml", "[[privacy.rules]]\nglob = \"journal/**\"\nband = \"secret\"\n");
    configured(&world, "[[privacy.rules]]\nglob = \"family/**\"\nband = \"private\"\n");
    world
}

/// Writes the user's own configuration.
fn configured(world: &World, config: &str) {
    fs::create_dir_all(world.at("config")).expect("a folder");
    fs::write(world.at("config").join("config.toml"), config).expect("a configuration");
}

/// A reason: kind, band, message, first and last line.
type Told<S> = (S, S, S, Option<u64>, Option<u64>);

/// What the audit says of a note.
fn reasons(report: &Value, path: &str) -> Vec<Told<String>> {
    let guarded = report["guarded"].as_array().expect("a list of notes");
    let note = guarded.iter().find(|note| note["path"] == path);
    let reasons = note.into_iter().flat_map(|note| note["reasons"].as_array().expect("a list of reasons"));
    let word = |reason: &Value, key: &str| text(&reason[key]).to_owned();
    reasons
        .map(|r| (word(r, "kind"), word(r, "band"), word(r, "message"), r["line"].as_u64(), r["until"].as_u64()))
        .collect()
}

#[test]
fn every_kind_of_reason_is_told_with_its_line() {
    let world = world();
    let report = world.json(AUDIT);
    let check = |path: &str, expect: &[Told<&str>]| {
        let found = reasons(&report, path);
        let found: Vec<_> = found.iter().map(|(k, b, m, l, u)| (k.as_str(), b.as_str(), m.as_str(), *l, *u)).collect();
        assert_eq!(found, expect, "{path}");
    };
    check("open.md", &[]);
    let rule = "rule in the vault's .memora/config.toml: journal/**";
    check("journal/day.md", &[("vault-rule", "secret", rule, None, None)]);
    check("family/oma.md", &[("user-rule", "private", "rule in your config.toml: family/**", None, None)]);
    check("property.md", &[("property", "secret", "property privacy: secret", Some(3), None)]);
    check("nested.md", &[("property", "private", "property privacy: private", Some(3), None)]);
    check("tag.md", &[("tag", "secret", "tag #secret/work", Some(3), None)]);
    check("listed.md", &[("tag", "private", "tag #private", Some(4), None)]);
    check("marker.md", &[("marker", "secret", "marker", Some(3), Some(5))]);
    check("unclosed.md", &[("unclosed-marker", "private", "unclosed marker", Some(3), Some(6))]);
    check("comment.md", &[("comment", "secret", "comment", Some(3), Some(3))]);
    check("endless.md", &[("unclosed-comment", "secret", "unclosed comment", Some(3), Some(5))]);
    check("iban.md", &[("credential", "secret", "credential (IBAN)", Some(3), Some(3))]);
    check("pay.md", &[("property-comment", "secret", "property with a comment", Some(3), Some(5))]);
    let unclosed = "property with a comment that is never closed";
    check("cost.md", &[("property-comment-unclosed", "secret", unclosed, Some(3), Some(3))]);
    let name = "keys/ghp_bbcdefghijklmnopqrstuvwxyz0123456789/note.md";
    check(name, &[("credential-in-name", "secret", "credential in its name (token)", None, None)]);
    let broken = "front matter can't be read and says secret";
    check("broken.md", &[("unreadable-front-matter", "secret", broken, Some(1), None)]);
    let typo = "property privacy: sekret is not public, private or secret, so it is read as secret";
    check("typo.md", &[("unknown-property", "secret", typo, Some(2), None)]);
    let slip = "marker <!--privacy:privte--> is not public, private or secret, so it is read as secret";
    check("slip.md", &[("unknown-marker", "secret", slip, Some(3), Some(5))]);
    let item = "whole list item or callout: part of it is guarded";
    check("item.md", &[("under", "secret", item, Some(1), Some(2)), ("marker", "secret", "marker", Some(1), Some(1))]);
    let heading = "under a guarded heading, list item or table header";
    check(
        "heading.md",
        &[("marker", "secret", "marker", Some(3), Some(3)), ("surroundings", "secret", heading, Some(5), Some(7))],
    );
    let foot = "footnote that only guarded text refers to";
    check(
        "foot.md",
        &[("marker", "secret", "marker", Some(3), Some(3)), ("footnote", "secret", foot, Some(5), Some(5))],
    );
    assert_eq!(report["open"], 1, "open.md alone has nothing guarded");

    let said = world.local(AUDIT).stdout;
    for line in [
        "property.md: secret\n  secret: property privacy: secret (line 3)\n",
        "marker.md: public, guarded in part\n  secret: marker, lines 3–5\n",
        "unclosed.md: public, guarded in part\n  private: unclosed marker from line 3 to the end\n",
        "iban.md: public, guarded in part\n  secret: credential (IBAN), line 3\n",
        "note.md: secret\n  secret: credential in its name (token)\n",
        "pay.md: public, guarded in part\n  secret: property with a comment, lines 3–5\n",
        "journal/day.md: secret\n  secret: rule in the vault's .memora/config.toml: journal/**\n",
        "nothing guarded in 1 note\n",
    ] {
        assert!(said.contains(line), "{line:?} is not in:\n{said}");
    }
}

/// Where reading is in doubt the audit says so, and the doubt counts as a secret.
#[test]
fn what_fails_closed_is_told() {
    let world = World::new(&[("a.md", "Anna lives in Kiel.\n"), ("b.md", "Bea lives in Bonn.\n")]);
    configured(&world, "[privacy]\nunmarked = \"private\"\n");
    let report = world.json(AUDIT);
    assert_eq!(report["notes"]["private"], 2);
    let unmarked = "no rule names it, and your config.toml says unmarked = private";
    assert_eq!(reasons(&report, "a.md"), [("user-unmarked".into(), "private".into(), unmarked.into(), None, None)]);

    world.write(".memora/config.toml", "[privacy\n");
    let report = world.json(AUDIT);
    assert_eq!((&report["notes"]["secret"], &report["allowed"]["notes"]), (&2.into(), &0.into()));
    let kinds: Vec<String> = reasons(&report, "b.md").into_iter().map(|reason| reason.0).collect();
    assert_eq!(kinds, ["user-unmarked", "vault-rules-unreadable"]);

    configured(&world, "[[privacy.rules]]\nglob = \"a.md\"\nband = \"privat\"\n");
    world.write(".memora/config.toml", "");
    let report = world.json(AUDIT);
    let misspelt = "rule in your config.toml: a.md";
    assert_eq!(reasons(&report, "a.md"), [("user-rule".into(), "secret".into(), misspelt.into(), None, None)]);
}

/// By note, how many statements the audit lists as allowed.
fn allowed(world: &World) -> BTreeMap<String, u64> {
    let report = world.json(&["privacy", "audit", "--list"]);
    let list = report["list"].as_array().expect("a list of notes");
    let count = |note: &Value| note["statements"].as_u64().expect("a count");
    let allowed: BTreeMap<String, u64> =
        list.iter().map(|note| (text(&note["path"]).to_owned(), count(note))).collect();
    let total = report["allowed"]["statements"].as_u64().expect("a count");
    assert_eq!(allowed.values().sum::<u64>(), total);
    let withheld: u64 = report["allowed"]["withheld"].as_u64().expect("a count");
    let bands = &report["statements"];
    let all: u64 = ["public", "private", "secret"].iter().filter_map(|band| bands[band].as_u64()).sum();
    assert_eq!(total + withheld, all);
    allowed.into_iter().filter(|(_, count)| *count > 0).collect()
}

/// By note, how many statements a cloud door exports.
fn shown(world: &World) -> BTreeMap<String, u64> {
    let run = world.cloud(&["export", "--statements"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let claims: Vec<Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let mut seen: BTreeMap<String, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for claim in &claims {
        for place in places(claim) {
            let one = (statement(text(&claim["claim"])), text(&place["quote"]));
            seen.entry(text(&place["path"]).to_owned()).or_default().insert(one);
        }
    }
    seen.into_iter().map(|(path, seen)| (path, u64::try_from(seen.len()).expect("a small number"))).collect()
}

/// What is guarded above code, in it and in front of a list, told in two lengths, with and without letters.
#[test]
fn the_length_and_the_letters_of_what_is_guarded_change_nothing_around_it() {
    let guarded = |words: &str| format!("<!--privacy:secret-->{words}<!--/privacy-->");
    let long = "a plan that goes on and on ".repeat(60);
    let check = |note: &dyn Fn(&str) -> String, questions: &[&str]| {
        let seen = |words: &str| {
            let world = World::new(&[("n.md", &note(&guarded(words)))]);
            let run = world.cloud(&["export", "--statements"]);
            let quotes: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            let quotes: Vec<String> =
                quotes.iter().flat_map(places).map(|place| text(&place["quote"]).to_owned()).collect();
            let asked = questions.iter().map(|question| {
                let run = world.cloud(&["search", question, "--json"]);
                let hits: Value = run.json();
                let hits = hits["hits"].as_array().expect("hits").iter();
                let of = |hit: &Value| (text(&hit["place"]["quote"]).to_owned(), hit["score"].clone());
                let said = world.cloud(&["ask", question]).stdout;
                (hits.map(of).collect::<Vec<_>>(), said.lines().next().map(str::to_owned))
            });
            let asked: Vec<_> = asked.collect();
            (quotes, asked)
        };
        let first = seen("a plan");
        for other in [long.as_str(), "... !!!"] {
            assert!(seen(other) == first, "{:?}\n{:?}\n{}", seen(other), first, note("X"));
        }
    };
    check(&|x| format!("Undo things {x} quickly:\n\n```sh\ngit reset --soft HEAD~1\n```\n"), &["undo things"]);
    check(&|x| format!("- {x}\n\n```sh\ngit reset --soft HEAD~1\n```\n"), &["git reset"]);
    check(
        &|x| format!("The zebra sleeps in the barn.\n\n```\n{x}\n```\n\nBeta runs at night.\n"),
        &["zebra", "Where does the zebra sleep?"],
    );
    check(&|x| format!("The zebra sleeps in the barn.\n\n{x}\n\nBeta runs at night.\n"), &["zebra"]);
    check(&|x| format!("Zebra feeding plan basics. {x}\n\n- hay at noon\n"), &["zebra feeding plan"]);
    check(&|x| format!("Zebra feeding plan basics.\n\n{x}\n\n- hay at noon\n"), &["zebra feeding plan"]);
    check(&|x| format!("- Zebra feeding plan basics.\n  - {x}\n  - hay at noon\n"), &["zebra feeding plan"]);
}

#[test]
fn what_the_audit_allows_is_what_a_cloud_door_is_shown() {
    let world = world();
    let (said, seen) = (allowed(&world), shown(&world));
    assert_eq!(said, seen);
    assert!(seen.contains_key("open.md") && !seen.contains_key("tag.md") && seen["marker.md"] == 2, "{seen:?}");

    configured(&world, "[[privacy.rules]]\nglob = \"family/**\"\nband = \"private\"\n[cloud]\nsees = \"private\"\n");
    let (said, more) = (allowed(&world), shown(&world));
    assert_eq!(said, more);
    assert!(more.len() > seen.len() && more.contains_key("family/oma.md") && !more.contains_key("tag.md"), "{more:?}");
}

/// The same in the example vault. A question makes no claim, so it is not exported; a model that reads passages may see it.
#[test]
fn in_the_example_vault_only_questions_are_allowed_and_not_exported() {
    let world = World::copy_of(&repository().join("vault-example"));
    let (said, mut seen) = (allowed(&world), shown(&world));
    for path in said.keys() {
        let note = fs::read_to_string(world.vault().join(path)).expect("a note");
        let questions = note.lines().filter(|line| line.contains("? ") || line.ends_with('?')).count();
        let missing = said[path] - seen.get(path).copied().unwrap_or(0);
        assert!(missing <= u64::try_from(questions).expect("a small number"), "{path}: {missing} of {questions}");
        *seen.entry(path.clone()).or_default() += missing;
    }
    assert_eq!(said, seen, "nothing is exported that the audit does not allow");
}

#[test]
fn a_local_model_may_see_everything() {
    let world = world();
    let report = world.json(&["privacy", "audit", "--for", "local", "--list"]);
    assert_eq!((&report["model"], &report["allowed"]["withheld"]), (&"local".into(), &0.into()));
    assert_eq!(report["list"].as_array().map(Vec::len), Some(NOTES.len()));
}

#[test]
fn one_note_is_audited_by_its_path() {
    let world = world();
    let report = world.json(&["privacy", "audit", "--note", "tag.md"]);
    let guarded = report["guarded"].as_array().expect("a list of notes");
    assert_eq!((guarded.len(), &guarded[0]["path"]), (1, &"tag.md".into()));
    assert_eq!(world.local(&["privacy", "audit", "--note", "open.md"]).code, Some(0));
    let none = world.local(&["privacy", "audit", "--note", "nowhere.md"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(2), ""));
    assert!(
        none.stderr.contains("error: there is no note nowhere.md") && none.stderr.contains("hint: "),
        "{}",
        none.stderr
    );
    assert_eq!(world.local(&["privacy", "audit", "--note", "../outside.md"]).code, Some(2));
}

/// The audit is of what is on disk, whether or not it is indexed; and it says when the index is behind.
#[test]
fn an_audit_reads_the_notes_and_not_the_index() {
    let world = World::new(&[("a.md", "Anna lives in Kiel.\n")]);
    world.index();
    assert_eq!(world.json(AUDIT)["notes"]["secret"], 0);
    world.write("a.md", "Anna lives in Kiel. #secret\n");
    for number in 0..200 {
        world.write(&format!("many/{number}.md"), format!("The number of this note is {number}. #private\n"));
    }
    let report = world.json(AUDIT);
    assert_eq!((&report["notes"]["secret"], &report["notes"]["private"]), (&1.into(), &200.into()));
    assert_eq!(report["fresh"], false);
}

/// Which notes are guarded is itself guarded: neither a path nor a count of them passes a cloud door.
#[test]
fn at_a_cloud_door_an_audit_tells_what_status_tells() {
    let world = world();
    let status: Value = world.cloud(&["status", "--json"]).json();
    let report = world.cloud(&["privacy", "audit", "--json"]).json();
    assert_eq!(report["notes"], status["notes"]);
    assert_eq!(report["allowed"]["statements"], status["statements"]);
    for key in ["statements", "open", "guarded", "list"] {
        assert!(report[key].is_null(), "{key}: {report}");
    }
    assert!(report["allowed"]["withheld"].is_null());
    let run = world.cloud(AUDIT);
    assert!(run.stderr.contains("withheld") && run.stderr.contains("hint: --door local"), "{}", run.stderr);
    // The same refusal for a note that is there, one that is guarded, and none.
    let refused: BTreeSet<String> = ["open.md", "tag.md", "journal/day.md", "nowhere.md"]
        .iter()
        .map(|note| {
            let run = world.cloud(&["privacy", "audit", "--note", note]);
            assert_eq!(run.code, Some(2));
            run.said()
        })
        .collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
    for more in [&["--list"][..], &["--for", "local"]] {
        let run = world.cloud(&[AUDIT, more].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
        assert!(run.stderr.contains("hint: --door local"), "{}", run.stderr);
    }
}

#[test]
fn neither_command_writes_into_the_vault() {
    let world = world();
    let before = world.everything();
    for command in [AUDIT, &["privacy", "audit", "--list"], &["privacy", "egress"]] {
        for run in [world.local(command), world.cloud(command)] {
            assert!(matches!(run.code, Some(0 | 2)), "{}", run.stderr);
        }
    }
    assert_eq!(world.everything(), before);
}

/// What a process records, the command tells: everything to the user, and at a cloud door neither ids nor lengths.
#[test]
fn what_left_is_listed_and_no_id_of_it_passes_a_cloud_door() {
    let world = world();
    let none = world.local(&["privacy", "egress"]);
    assert!(none.stdout.starts_with("Nothing left this machine"), "{}", none.stdout);
    let id = world.id("Everything here is open");
    let egress = EgressLog::in_state_dir(&world.state());
    let band = memora_vault::Band::Public;
    for (number, what) in (0..3).zip(["answer", "repair", "extract"]) {
        let entry = EgressEntry::now("api.example.org:443", Some("a-model"), what, 4711 + number);
        egress
            .record(&entry.with_pieces([(Some(id.clone()), band), (None, memora_vault::Band::Private)]))
            .expect("a line");
    }
    let report = world.json(&["privacy", "egress", "--last", "2"]);
    let entries = report["entries"].as_array().expect("a list");
    assert_eq!(entries.iter().map(|entry| text(&entry["what"])).collect::<Vec<_>>(), ["repair", "extract"]);
    assert_eq!((&entries[0]["claims"][0], &entries[0]["bytes"]), (&id.clone().into(), &4712.into()));
    assert_eq!((&entries[0]["bands"]["public"], &entries[0]["bands"]["private"]), (&1.into(), &1.into()));
    let said = world.local(&["privacy", "egress"]).stdout;
    assert!(said.contains("api.example.org:443 a-model  answer, 4711 bytes, 1 public, 1 private"), "{said}");

    for args in [&["privacy", "egress"][..], &["privacy", "egress", "--json"]] {
        let said = world.cloud(args).said();
        assert!(said.contains("api.example.org:443") && said.contains("extract"), "{said}");
        assert!(!said.contains(&id) && !said.contains("471") && !said.contains("egress.jsonl"), "{said}");
    }
}

/// The log is the user's evidence: an index that is thrown away says nothing of what was sent.
#[test]
fn a_reset_keeps_the_log_and_a_torn_line_is_counted() {
    let world = world();
    world.index();
    let egress = EgressLog::in_state_dir(&world.state());
    egress.record(&EgressEntry::now("mcp", None, "search", 12)).expect("a line");
    let log = fs::read_to_string(egress.path()).expect("a log");
    fs::write(egress.path(), format!("{log}{{\"at\":\"20")).expect("a torn log");
    assert_eq!(world.local(&["reset", "--journal"]).code, Some(0));
    let report = world.json(&["privacy", "egress"]);
    assert_eq!((report["entries"].as_array().map(Vec::len), &report["unreadable"]), (Some(1), &1.into()));
    assert!(world.local(&["privacy", "egress"]).stdout.contains("1 line of the log could not be read"));
}

/// Complaint 17 again: what a cloned vault brings along can only make things stricter.
#[test]
fn a_vault_cannot_open_itself_to_the_cloud() {
    let world = World::new(&[
        (".memora/config.toml", "unmarked = \"public\"\n[cloud]\nsees = \"secret\"\n"),
        ("a.md", "The crane lifts forty tonnes.\n"),
        ("b.md", "---\nprivacy: private\n---\nThe quokka sleeps at noon.\n"),
    ]);
    for args in [&["export"][..], &["search", "quokka"], &["claims"]] {
        let run = world.cloud(args);
        assert!(!run.said().contains("quokka sleeps"), "{args:?}: {}", run.said());
    }
}
