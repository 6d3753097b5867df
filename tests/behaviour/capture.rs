//! `capture`: what a text must hold to become a note, how it gets there, and what it never counts for.

use std::fs;

use serde_json::Value;

use memora_testkit::TreeSnapshot;

use super::support::{Run, World, places, run, text};

const ANNA: &str = "Anna moved the drift release to May because Bruno left.";
const PAY: &str = "Anna earns 6840 euros a month.";

fn world() -> World {
    World::new(&[
        ("people/Anna.md", &format!("# Anna\n\n{ANNA}\n")),
        ("people/Pay.md", &format!("---\nprivacy: private\n---\n\n{PAY}\n")),
    ])
}

/// Captures at the user's own door.
fn capture(world: &World, args: &[&str], input: &str) -> Run {
    run(world.command(&[&["capture", "--json"], args].concat()), input)
}

/// The same, which must make a note; gives its path.
#[track_caller]
fn captured(world: &World, args: &[&str], input: &str) -> String {
    let run = capture(world, args, input);
    assert_eq!(run.code, Some(0), "{}", run.said());
    let report = run.json();
    assert_eq!(report["status"], "captured");
    text(&report["path"]).to_owned()
}

/// What a note says, with the time in it masked.
fn timeless(note: &str) -> String {
    let lines = note.lines().map(|line| if line.starts_with("created: 2025-12-31T") { "created: TIME" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_its_citations_bear_out_becomes_a_note_that_says_who_wrote_it() {
    let world = world();
    let id = world.id(ANNA);
    let said = format!("Anna moved the drift release to May [claim:{id}].\n\nThe rest is opinion.");
    let run = capture(&world, &["--title", "Drift: what now?", "--by", "A model"], &said);
    assert_eq!(run.code, Some(0), "{}", run.said());
    let report = run.json();
    assert_eq!((text(&report["status"]), text(&report["path"])), ("captured", "Memora/Drift what now.md"));
    assert_eq!((&report["uncited"], text(&report["band"])), (&1.into(), "public"));
    assert_eq!(text(&report["claims"][0]["place"]["quote"]), ANNA);
    let note = timeless(&world.read("Memora/Drift what now.md"));
    assert_eq!(note, format!("---\nmemora: captured\ncreated: TIME\nby: \"A model\"\n---\n\n{said}"));
}

#[test]
fn one_thing_that_does_not_hold_and_nothing_is_written() {
    let world = world();
    let id = world.id(ANNA);
    world.local(&["retract", &world.id(PAY)]).assert_sane();
    let before = world.everything();
    let pay = world.id(PAY);
    let good = format!("Anna moved the drift release to May [claim:{id}].");
    for (bad, verdict, citation) in [
        (format!("Anna moved the drift release to June [claim:{id}]."), "contradicted", "verified"),
        ("Anna left [claim:7h3kq0v9x2ma].".to_owned(), "rejected", "unknown_id"),
        (format!("{PAY} [claim:{pay}]"), "rejected", "withdrawn"),
        ("Anna left [claim:~ab3d5f7h].".to_owned(), "rejected", "redacted"),
        ("Anna left [claim:7h3kq0].".to_owned(), "rejected", "malformed"),
        (format!("Anna moved the drift release to May [claim:{id}] [claim:7h3kq0v9x2ma]."), "quoted", "unknown_id"),
    ] {
        let run = capture(&world, &["--title", "Drift"], &format!("{good}\n\n{bad}\n"));
        assert_eq!(run.code, Some(1), "{bad}: {}", run.said());
        let report = run.json();
        assert_eq!((text(&report["status"]), &report["path"]), ("refused", &Value::Null), "{bad}");
        let [fine, wrong] = report["sentences"].as_array().expect("sentences").as_slice() else { panic!("{report}") };
        assert_eq!(fine["refused"], Value::Null, "{bad}");
        let refused = if citation == "verified" { "contradicted" } else { "citation" };
        assert_eq!(text(&wrong["refused"]), refused, "{bad}");
        let citations = wrong["citations"].as_array().expect("citations");
        let found = text(&citations.last().expect("a citation")["verdict"]);
        let sentence = text(&wrong["verdict"]);
        assert!(found == citation && (sentence == verdict || sentence == "verified"), "{bad}: {sentence}, {found}");
    }
    let stray = capture(&world, &["--title", "Drift"], "Words.\n\n```\n[claim:~ab3d5f7h]\n```\n");
    assert!(stray.code == Some(2) && stray.stderr.contains("hint: "), "{}", stray.said());
    assert_eq!(world.everything(), before);
}

#[test]
fn no_note_is_written_over_and_of_two_at_once_one_is_made() {
    let world = world();
    world.write("Memora/Drift.md", "Mine.\n");
    let before = world.everything();
    let run = capture(&world, &["--title", "Drift"], "Theirs.");
    assert!(run.code == Some(2) && run.stderr.contains("hint: give it another title"), "{}", run.said());
    assert_eq!(world.everything(), before);

    let at_once: Vec<_> = (0..4)
        .map(|number| {
            let file = world.at(&format!("text-{number}.md"));
            fs::write(&file, format!("Text {number}.\n")).expect("a file");
            world.command(&["capture", "--title", "Race", &file.to_string_lossy()]).spawn().expect("it starts")
        })
        .collect();
    let ended: Vec<Option<i32>> =
        at_once.into_iter().map(|child| child.wait_with_output().expect("it ends").status.code()).collect();
    assert_eq!(ended.iter().filter(|code| **code == Some(0)).count(), 1, "{ended:?}");
    assert_eq!(world.everything().len(), before.len() + 1, "one note, and nothing half made");
    assert!(world.read("Memora/Race.md").contains("Text "));
}

#[cfg(unix)]
#[test]
fn a_captured_note_may_be_read_by_whoever_may_read_new_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = world();
    captured(&world, &["--title", "Drift"], "Words.");
    world.write("new.md", "Words.\n");
    let mode = |path: &str| fs::metadata(world.vault().join(path)).expect("a file").permissions().mode();
    assert_eq!(mode("Memora/Drift.md"), mode("new.md"));
}

#[test]
fn a_cloud_door_cannot_tell_whether_a_note_is_there() {
    let stamp = |run: &Run| {
        assert_eq!(run.code, Some(0), "{}", run.said());
        let path = text(&run.json()["path"]).to_owned();
        let (front, stamp) = path.split_once("Drift ").expect("a stamp stands behind the title");
        assert_eq!((front, stamp.len()), ("Memora/", "2025-12-31 235959 999.md".len()), "{path}");
        run.said().replace(&path, "PATH")
    };
    let (there, not) = (world(), world());
    there.write("Memora/Drift.md", "---\nprivacy: secret\n---\nMine.\n");
    let args = ["capture", "--json", "--title", "Drift"];
    let said: Vec<String> =
        [&there, &not, &not].iter().map(|world| stamp(&world.cloud_with(&args, "Theirs."))).collect();
    assert_eq!((&said[0], &said[1]), (&said[1], &said[2]));
    assert_eq!(there.read("Memora/Drift.md"), "---\nprivacy: secret\n---\nMine.\n");

    // Nor by a folder in the place of a file.
    let run = not.cloud_with(&["capture", "--title", "x", "--folder", "people/Pay.md"], "Theirs.");
    assert!(run.code == Some(2) && run.stderr.contains("has a dot"), "{}", run.said());
}

#[test]
fn a_cloud_door_learns_nothing_of_guarded_words_by_citing_them() {
    let (one, other) = (world(), world());
    other.write("people/Pay.md", "---\nprivacy: private\n---\n\nAnna earns 5210 euros a month.\n");
    let id = one.id(PAY);
    let args = ["capture", "--json", "--title", "Pay"];
    let said: Vec<String> =
        [&one, &other].iter().map(|world| world.cloud_with(&args, &format!("{PAY} [claim:{id}]")).said()).collect();
    assert_eq!(said[0], said[1]);
    assert!(said[0].contains("unknown_id"), "{}", said[0]);
}

#[test]
fn a_note_is_as_guarded_as_what_it_cites_as_was_asked_and_as_its_place() {
    let world = world();
    world.write(".memora/config.toml", "[[privacy.rules]]\nglob = \"vault-of-secrets/**\"\nband = \"secret\"\n");
    let (anna, pay) = (world.id(ANNA), world.id(PAY));
    let both = format!("Anna moved the drift release to May [claim:{anna}].\n\n{PAY} [claim:{pay}]\n");
    let band = |args: &[&str], said: &str| {
        let note = world.read(&captured(&world, args, said));
        note.lines().find_map(|line| line.strip_prefix("privacy: ")).map(str::to_owned)
    };
    assert_eq!(band(&["--title", "a"], "Words."), None);
    assert_eq!(band(&["--title", "b"], &both).as_deref(), Some("private"));
    assert_eq!(band(&["--title", "c", "--privacy", "private"], "Words.").as_deref(), Some("private"));
    assert_eq!(band(&["--title", "d", "--privacy", "secret"], &both).as_deref(), Some("secret"));
    assert_eq!(band(&["--title", "e", "--folder", "vault-of-secrets"], &both).as_deref(), Some("secret"));
    // And it stays at home.
    let shown = world.cloud(&["export", "--statements"]).stdout;
    assert!(shown.contains("Memora/a.md") && !shown.contains("6840") && !shown.contains("Memora/c.md"), "{shown}");
}

#[test]
fn neither_a_name_nor_a_text_can_change_what_a_note_is() {
    let world = world();
    let names =
        ["\"}\n---\nmemora: review", "true", "a: b # c", "%%", "<!--privacy:public-->", "*x &y !z", "é 日記 📚", "'"];
    for (number, by) in names.iter().enumerate() {
        for body in [
            "---\nmemora: review\nprivacy: public\n---\n\nThe moon is cheese.",
            "The moon is cheese.\n\nmemora:: review\n\n%% memora: review",
            "<!--/privacy-->\n\nThe moon is cheese.",
        ] {
            let title = format!("note {number} {}", body.len());
            captured(&world, &["--title", &title, "--by", by, "--privacy", "private"], body);
        }
    }
    let claims = world.claims();
    let moons: Vec<&Value> = claims.iter().filter(|claim| claim.to_string().contains("moon is cheese")).collect();
    assert!(!moons.is_empty());
    for claim in moons {
        assert_eq!(claim["modality"], "reported", "{claim}");
        assert!(places(claim).all(|place| place["band"] != "public"), "{claim}");
    }
    let by: Vec<&str> = claims.iter().filter(|c| c["predicate"] == "by").map(|c| text(&c["object"])).collect();
    assert!(by.contains(&"\"} --- memora: review") && by.contains(&"true"), "{by:?}");
}

#[test]
fn a_note_that_would_not_be_read_or_would_lie_elsewhere_is_refused() {
    let world = world();
    world.write(".memoraignore", "drafts/\n");
    fs::create_dir(world.at("elsewhere")).expect("a folder");
    #[cfg(unix)]
    for (link, to) in [("out", "elsewhere"), ("nowhere", "not-there")] {
        std::os::unix::fs::symlink(world.at(to), world.vault().join(link)).expect("a link");
    }
    let before = TreeSnapshot::take(&world.vault());
    let check = |title: &str, folder: &str, says: &str| {
        let run = capture(&world, &["--title", title, "--folder", folder], "Words.");
        assert_eq!(run.code, Some(2), "{title} in {folder}: {}", run.said());
        assert!(run.stderr.contains(says) && run.stderr.contains("hint: "), "{title} in {folder}: {}", run.stderr);
    };
    check("Drift", "drafts", "is ignored by .memoraignore");
    check("Drift", "../elsewhere", "is outside the vault");
    check("Drift", ".obsidian", "has characters");
    check("Drift", "people/Anna.md", "a file in the place of the folder");
    check("Drift (conflicted copy 2025-01-01)", "", "is a sync conflict copy");
    check("NUL", "", "is the name of a device");
    check(&"x".repeat(300), "", "is too long");
    #[cfg(unix)]
    for link in ["out", "nowhere", "out/deeper"] {
        check("Drift", link, "leads out of the vault");
    }
    assert_eq!(before.difference(&TreeSnapshot::take(&world.vault())), "");
    assert!(fs::read_dir(world.at("elsewhere")).expect("a folder").next().is_none() && !world.at("not-there").exists());
    let empty = capture(&world, &["--title", "Drift"], " \n");
    assert!(empty.code == Some(2) && empty.stderr.contains("is empty"), "{}", empty.said());
}

#[test]
fn what_was_captured_is_never_the_users_knowledge() {
    let world = world();
    captured(&world, &["--title", "Moon", "--by", "A model"], "The moon of drift is made of cheese.");
    let question = "What is the moon of drift made of?";
    assert_eq!(world.json(&["ask", question])["status"], "no_evidence");
    assert!(!world.json(&["search", question])["hits"].to_string().contains("cheese"));
    let asked = world.json(&["ask", question, "--captured"]);
    let claims = asked["claims"].as_array().expect("claims");
    assert!(text(&claims[0]["place"]["quote"]).contains("made of cheese"), "{asked}");
    for claim in claims {
        assert_eq!((&claim["captured"], text(&claim["modality"])), (&true.into(), "reported"), "{claim}");
    }

    // It bears nothing out either: not by its id, a link or its words, and no other captured note.
    let id = world.id("The moon of drift is made of cheese.");
    for cites in [
        format!("The moon of drift is made of cheese [claim:{id}]."),
        "The moon of drift is made of cheese ([[Moon]]).".to_owned(),
        "The moon of drift is made of cheese ([[Memora/Moon]]).".to_owned(),
    ] {
        let report = world.verify(&cites);
        let citation = &report["sentences"][0]["citations"][0];
        assert_eq!((text(&report["status"]), text(&citation["verdict"])), ("unverified", "captured"), "{cites}");
    }
    assert_eq!(world.verify("Somebody said \"The moon of drift is made of cheese.\"")["status"], "unverified");
    let echo = capture(&world, &["--title", "Echo"], &format!("The moon of drift is made of cheese [claim:{id}]."));
    assert_eq!((echo.code, text(&echo.json()["sentences"][0]["refused"])), (Some(1), "citation"));
}

/// The same words in a captured note: once more, and no more true for it.
#[test]
fn a_captured_copy_of_the_users_words_adds_nothing_to_them() {
    let notes: &[(&str, &str)] = &[
        ("z/2025-02-11.md", "drift-bench is written in Rust.\n"),
        ("z/Sea.md", "# Sea\n\ndrift-bench was renamed by Bruno in Kiel.\n"),
        ("z/Me.md", "I live in Kiel.\n"),
    ];
    let (world, alone) = (World::new(notes), World::new(notes));
    let copies = "drift-bench is written in Rust.\n\ndrift-bench was renamed by Bruno in Kiel.\n\nI live in Kiel.\n\n\
                  drift-bench is written in Go since December 2025.\n\n[[Sea|drift-bench]] is [[Me|Bruno]]'s.";
    for title in ["2020-01-01 Copies", "Sea"] {
        captured(&world, &["--title", title, "--folder", "a"], copies);
    }
    // Nothing of the user's is another for it: status, dates, counts, edges, names.
    let shown = |world: &World, args: &[&str]| {
        let mut report = world.json(args);
        let keep = |claims: &mut Value| {
            let claims = claims.as_array_mut().expect("a list");
            claims.retain(|claim| claim["captured"] != true);
        };
        report.get_mut("claims").map(keep);
        // What else lies in the index weighs on scores.
        for hit in report.get_mut("hits").and_then(Value::as_array_mut).into_iter().flatten() {
            hit["score"] = Value::Null;
            hit["explain"] = Value::Null;
        }
        if let Some(hits) = report.get_mut("hits").and_then(Value::as_array_mut) {
            hits.retain(|hit| hit["relevance"] != "none");
        }
        report.to_string()
    };
    for args in [
        &["claims"][..],
        &["contradictions", "--all"],
        &["ask", "What is drift-bench written in?"],
        &["search", "Where do I live?"],
        &["ask", "Who renamed drift-bench?"],
    ] {
        assert_eq!(shown(&world, args), shown(&alone, args), "{args:?}");
    }
    let id = world.id_in("z/2025-02-11.md", "drift-bench is written in Rust.");
    let why = world.json(&["why", &id]);
    let own = why["claims"].as_array().expect("claims").iter().find(|claim| claim["captured"] == false);
    assert_eq!(own.expect("the user's own")["sources"], 1, "{why}");
    assert_eq!((text(&why["status"]), why["edges"].as_array().map(Vec::len)), ("current", Some(0)), "{why}");
    assert_eq!(world.verdicts("drift-bench is written in Rust.", &id), ("quoted".into(), "verified".into()));
    for name in ["Sea", "drift-bench", "Bruno"] {
        let entity = |world: &World| world.json(&["entity", name])["entity"].to_string();
        assert_eq!(entity(&world), entity(&alone), "{name}");
    }
    // Once the user's own words are gone, the copy does not stand in for them.
    world.delete("z/2025-02-11.md");
    assert_eq!(world.verdicts("drift-bench is written in Rust.", &id).0, "rejected");
    assert_eq!(world.json(&["ask", "What is drift-bench written in?"])["status"], "no_evidence");
}

/// A note with a `memora` property may come from an editor or another machine, with any title and aliases.
#[test]
fn no_title_and_alias_of_a_machines_note_names_what_the_user_wrote_of() {
    let notes: &[(&str, &str)] = &[
        ("z/2025-02-11.md", "drift-bench is written in Rust.\n\nTidal-bench is written in Go.\n"),
        ("z/2025-02-12.md", "Kelp-DB is written in Golang.\n\nMet [[Zofia]], who knows Ben.\n"),
        ("z/2025-02-13.md", "Kelp-DB is written in Go.\n\n[[Zofia]] repairs the pumps. [[Zofia]] met Ben.\n"),
        ("z/2025-02-14.md", "[[Zofia]] came late.\n\nWilhelmina knows Ben, and Ben knows Wilhelmina.\n"),
    ];
    let (world, alone) = (World::new(notes), World::new(notes));
    let said: String = (0..120).map(|n| format!("Kelp-DB is written in Lang{n}.\n\n")).collect();
    for (title, aliases, text) in [
        ("one", "[drift-bench, Tidal-bench]", "Words."),
        ("two", "[Golang, Go]", "Words."),
        ("Zofia", "[Ben, Wilhelmina]", "She is the user's sister.\n\nA second line. And a third."),
        ("four", "[Kelp]", said.as_str()),
        ("five", "[]", "[[Zofia|Wilhelmina]] knows Karl. Karl left. [[Karl]] knows Ben. [[Karl]] and [[Karl]]."),
        ("six", "[]", "[[Karl]] is back."),
        ("seven", "[]", "[[Karl]] is gone."),
    ] {
        let file = format!("---\nmemora: captured\naliases: {aliases}\n---\n\n{text}\n");
        world.write(&format!("Memora/{title}.md"), &file);
    }
    for args in [
        &["contradictions", "--all"][..],
        &["stale"],
        &["changes"],
        &["review", "--limit", "100"],
        &["ask", "What is Tidal-bench written in?"],
        &["ask", "Whom did Zofia meet?"],
    ] {
        let report = |world: &World| world.json(args).to_string();
        assert_eq!(report(&world), report(&alone), "{args:?}");
    }
    let found = alone.json(&["contradictions", "--all"]);
    assert_eq!(found["contradictions"].as_array().map(Vec::len), Some(1), "{found}");
    // Asked for itself, such a note is there.
    assert_eq!(world.json(&["entity", "Memora/Zofia.md", "--captured"])["status"], "found");
}

#[test]
fn claims_and_entities_are_the_users_unless_machines_are_asked_for() {
    let world = world();
    captured(&world, &["--title", "Moon"], "Anna feeds the otters of Kiel.\n\nZofia repairs the pumps of Kiel.");
    let has = |args: &[&str], words: &str| world.json(args).to_string().contains(words);
    for words in ["otters", "pumps"] {
        assert!(!has(&["claims"], words) && has(&["claims", "--captured"], words), "{words}");
    }
    assert!(!has(&["entity", "Anna"], "otters") && has(&["entity", "Anna", "--captured"], "otters"));
    let unknown = world.json(&["entity", "Zofia"]);
    assert_eq!((&unknown["status"], &unknown["only_captured"]), (&"unknown".into(), &true.into()), "{unknown}");
    assert!(world.local(&["entity", "Zofia"]).stderr.contains("--captured"));
    assert_eq!(world.json(&["entity", "Zebulon"])["only_captured"], false);
    // What a door may not see has no name there.
    world.write("Memora/Safe.md", "---\nmemora: captured\nprivacy: secret\n---\nZebulon opens the safe.\n");
    assert_eq!(world.json(&["entity", "Zebulon"])["only_captured"], true);
    let (cloud, nobody) = (world.cloud(&["entity", "Zebulon"]), world.cloud(&["entity", "Xaver"]));
    assert_eq!(cloud.said().replace("Zebulon", "Xaver"), nobody.said());
    assert_eq!(world.json(&["entity", "Zofia", "--captured"])["status"], "found");
    let only = world.local(&["claims", "--folder", "Memora"]);
    assert!(only.code == Some(1) && only.stderr.contains("--captured"), "{}", only.said());
}
