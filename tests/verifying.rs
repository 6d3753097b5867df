//! `verify` judges any text: every form that a citation may have, every form that verdicts are printed in, at both doors.
//!
//! What a sentence is judged by is tested beside the code; here is that links, quotations and replies are found in the real
//! vault, that a guarded place is no place at a cloud door, and that hooks and code scanning can use what is printed.

use std::fs;
use std::process::Command;

use jsonschema::validator_for;
use memora_testkit::{CommandOutput, Fixture, MemoraBinary, TreeSnapshot};
use serde_json::{Value, json};

use crate::support::{binary, indexed_example, memora};

const ROADMAP: &str = "---\naliases: [the plan]\n---\n# Roadmap\n\n## Formats\n\ndrift switched serialization from JSON to \
    MessagePack after throughput benchmarks. ^switch\n\n## Dates\n\nThe release is planned for May 2025.\n\n\
    ## Rejected\n\nXML is the format of the log.\n";

fn vault() -> Fixture {
    Fixture::from_notes(&[
        ("projects/Roadmap.md", ROADMAP),
        ("people/Anna.md", "Anna owns the storage layer since March 2024.\n"),
        ("a/Twin.md", "One twin is here.\n"),
        ("b/Twin.md", "Another twin is there.\n"),
        ("pay/Salary.md", "---\nprivacy: secret\n---\nAnna earns 6,840 euros a month.\n"),
        (
            "people/Half.md",
            "Carla likes rye bread.\n\n## Pay\n\n<!--privacy:secret-->\nCarla earns 5,120 euros a month.\n<!--/privacy-->\n",
        ),
    ])
}

fn verdicts(report: &Value) -> Vec<String> {
    let word = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    let line = |sentence: &Value| {
        let citations = sentence["citations"].as_array().expect("citations");
        citations.iter().fold(word(&sentence["verdict"]), |line, c| format!("{line} {}", word(&c["verdict"])))
    };
    report["sentences"].as_array().expect("sentences").iter().map(line).collect()
}

#[track_caller]
fn check(memora: &MemoraBinary, cases: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (text, expect) in cases {
        let found = verdicts(&memora.run_with_stdin(&["verify", "--json"], text.as_bytes()).json());
        if found != *expect {
            wrong.push(format!("{text}\n  {found:?}, not {expect:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const SWITCH: &str = "drift switched serialization from JSON to MessagePack after throughput benchmarks";

#[test]
fn links_footnotes_and_quotations_cite_what_they_lead_to() {
    let fixture = vault();
    let memora = memora(&fixture).at_local_door();
    let switch = |link: &str| format!("{SWITCH} ({link}).");
    let good: Vec<String> = [
        "[[Roadmap]]",
        "[[roadmap]]",
        "[[projects/Roadmap]]",
        "[[the plan]]",
        "[[Roadmap|see]]",
        "[[Roadmap#Formats]]",
        "[[Roadmap#roadmap#formats]]",
        "[[Roadmap#^switch]]",
        "[[Roadmap.md]]",
    ]
    .map(switch)
    .to_vec();
    let mut cases: Vec<(&str, &[&str])> = good.iter().map(|text| (text.as_str(), &["quoted verified"][..])).collect();
    let (dates, block, nobody, twin) =
        (switch("[[Roadmap#Dates]]"), switch("[[Roadmap#^nothing]]"), switch("[[Nobody]]"), switch("[[Twin]]"));
    let footnote = format!("{SWITCH}.[^1]\n\n[^1]: [[Roadmap#Formats]]");
    let quoted = format!("The roadmap says “{SWITCH}”.");
    let block_quote = format!("> {SWITCH}.");
    cases.extend([
        (dates.as_str(), &["unsupported verified"][..]),
        (block.as_str(), &["rejected unknown_place"]),
        (nobody.as_str(), &["rejected unknown_place"]),
        (twin.as_str(), &["rejected ambiguous"]),
        (footnote.as_str(), &["quoted verified", "exempt verified"]),
        (quoted.as_str(), &["quoted verified"]),
        (block_quote.as_str(), &["quoted verified"]),
        ("XML is the format of the log [[Roadmap]].", &["unsupported verified"]),
        ("> XML is the format of the log.", &["uncited"]),
        ("> The moon is made of cheese.", &["uncited"]),
        ("Anna earns 6,840 euros a month [[Salary]].", &["quoted verified"]),
    ]);
    check(&memora, &cases);
}

#[test]
fn what_a_link_cites_is_what_the_note_says_now() {
    let fixture = vault();
    let memora = memora(&fixture).at_local_door();
    let text = format!("{SWITCH} [[Roadmap]].");
    check(&memora, &[(&text, &["quoted verified"])]);
    fixture.write("projects/Roadmap.md", ROADMAP.replace("MessagePack", "CBOR"));
    check(&memora, &[(&text, &["contradicted verified"])]);
    let report = memora.run_with_stdin(
        &["verify", "--json"],
        format!("{} [[Roadmap]].", SWITCH.replace("MessagePack", "CBOR")).as_bytes(),
    );
    let report = report.json();
    assert_eq!(report["claims"][0]["place"]["path"], "projects/Roadmap.md");
    assert_eq!(report["sentences"][0]["citations"][0]["claim"], report["claims"][0]["claim"]);
}

#[test]
fn at_a_cloud_door_a_guarded_place_fares_like_none() {
    let fixture = vault();
    let memora = memora(&fixture);
    for (guarded, none) in [
        ("Anna earns 6,840 euros a month ([[Salary]]).", "Anna earns 6,840 euros a month ([[Celery]])."),
        ("Carla earns 5,120 euros a month ([[Half#Pay]]).", "Carla earns 5,120 euros a month ([[Half#Day]])."),
        ("It says \"Anna earns 6,840 euros a month\".", "It says \"Anna earns 6,841 euros a month\"."),
        ("> Carla earns 5,120 euros a month.", "> Carla earns 5,121 euros a month."),
        ("Carla earns 5,120 euros a month [[Half]].", "Carla earns 5,121 euros a month [[Half]]."),
        ("Anna is paid well.[^1]\n\n[^1]: [[Salary]]", "Anna is paid well.[^1]\n\n[^1]: [[Celery]]"),
    ] {
        for flags in [
            &["verify"][..],
            &["verify", "--json"],
            &["verify", "--format", "sarif"],
            &["verify", "--fix"],
            &["verify", "--fix=mark"],
        ] {
            let same = |text: &str| {
                let CommandOutput { exit, stdout, stderr, .. } = memora.run_with_stdin(flags, text.as_bytes());
                let plain = |words: String| {
                    words
                        .replace("Celery", "Salary")
                        .replace("Half#Day", "Half#Pay")
                        .replace("6,841", "6,840")
                        .replace("5,121", "5,120")
                };
                (exit, plain(stdout), plain(stderr))
            };
            assert_eq!(same(guarded), same(none), "{flags:?}: {guarded}");
        }
    }
    let said =
        verdicts(&memora.run_with_stdin(&["verify", "--json"], b"Anna earns 6,840 euros a month ([[Salary]]).").json());
    assert_eq!(said, ["rejected redacted"]);
    let public = format!("{SWITCH} [[Roadmap]].");
    assert_eq!(memora.run_with_stdin(&["verify", "--json"], public.as_bytes()).json()["status"], "verified");
}

#[test]
fn a_note_does_not_bear_itself_out() {
    let fixture = vault();
    fixture.write("people/Self.md", "The moon is made of cheese [[Self]].\n\nIt says \"the moon is made of cheese\".\n\nAnna owns the storage layer since March 2024 [[Anna]].\n");
    let memora = memora(&fixture).at_local_door();
    let path = fixture.path("people/Self.md");
    let report = memora.run(&["verify", "--json", path.to_str().expect("a plain path")]).assert_code(1).json();
    assert_eq!(verdicts(&report), ["rejected itself", "uncited", "quoted verified"]);
}

#[test]
fn a_reply_with_citation_blocks_is_read() {
    let fixture = vault();
    let memora = memora(&fixture).at_local_door();
    let location = |kind: &str, words: &str, title: Value| json!({"type": kind, "cited_text": words, "document_index": 0, "document_title": title});
    let reply = |text: &str, citation: Value| {
        json!({"id": "msg_1", "type": "message", "role": "assistant", "content": [
            {"type": "text", "text": "According to your notes, "},
            {"type": "text", "text": text, "citations": [citation]},
            {"type": "text", "text": "."},
        ]})
        .to_string()
    };
    for (citation, expect) in [
        (location("char_location", &format!("{SWITCH}. "), json!("Roadmap")), "verified verified"),
        (location("page_location", SWITCH, json!("projects/Roadmap.md")), "verified verified"),
        (location("content_block_location", SWITCH, Value::Null), "verified verified"),
        (location("char_location", SWITCH, json!("Some upload")), "verified verified"),
        (location("char_location", SWITCH, json!("Anna")), "rejected changed"),
        (location("char_location", "no such words at all", Value::Null), "rejected unknown_place"),
        (location("char_location", "The release is planned for May 2025.", json!("Roadmap")), "unsupported verified"),
        (
            json!({"type": "search_result_location", "cited_text": SWITCH, "source": "Roadmap", "title": "x"}),
            "verified verified",
        ),
    ] {
        let found =
            verdicts(&memora.run_with_stdin(&["verify", "--json"], reply(SWITCH, citation.clone()).as_bytes()).json());
        let found = found.join(" | ").replace("quoted", "verified");
        assert_eq!(found, expect, "{citation}");
    }
    memora
        .run_with_stdin(&["verify"], b"{\"content\": [{\"type\": 3}]}")
        .assert_failed("content[0].type is not a word");
    memora.run_with_stdin(&["verify"], b"{\"content\": [").assert_failed("invalid JSON at line 1");
    memora.run_with_stdin(&["verify", "--input", "anthropic"], b"words").assert_failed("invalid JSON");
    memora.run_with_stdin(&["verify", "--fix"], b"{\"content\": []}").assert_failed("cannot be fixed");
    let _ = memora.run_with_stdin(&["verify", "--input", "text"], b"{\"content\": [").assert_code(1);
}

#[test]
fn what_makes_it_fail_can_be_chosen() {
    let fixture = vault();
    let memora = memora(&fixture).at_local_door();
    let good = format!("{SWITCH} [[Roadmap]].");
    let both = format!("{SWITCH} ([[Roadmap]], [[Nobody]]).");
    let uncited = format!("{good} The moon is cheese.");
    for (flags, text, code) in [
        (&[][..], good.as_str(), 0),
        (&[], &both, 1),
        (&[], &uncited, 1),
        (&[], "# ...", 1),
        (&["--fail-on", "contradicted,unsupported,rejected"], &uncited, 0),
        (&["--fail-on", "uncited"], &uncited, 1),
        (&["--fail-on", "uncited"], &both, 0),
        (&["--fail-on", "unknown_place"], &both, 1),
        (&["--fail-on", "citation"], &both, 1),
        (&["--fail-on", "no_evidence"], "# ...", 1),
        (&["--fail-on", "none"], &uncited, 0),
    ] {
        let _ = memora.run_with_stdin(&[&["verify"][..], flags].concat(), text.as_bytes()).assert_code(code);
    }
    let wrong = memora.run_with_stdin(&["verify", "--fail-on", "moon"], b"").assert_code(2);
    assert!(wrong.stderr.contains("unsupported") && wrong.stderr.contains("unknown_place"), "{wrong}");
    memora.run_with_stdin(&["verify", "--json", "--format", "sarif"], b"").assert_failed("say different things");
    let json = memora.run_with_stdin(&["verify", "--format", "json"], good.as_bytes());
    assert_eq!(json.stdout, memora.run_with_stdin(&["verify", "--json"], good.as_bytes()).stdout);
}

/// No fact denies it and nothing proves it: it is kept beside the words of the notes, unless only proof will do.
#[test]
fn what_is_paraphrased_is_shown_beside_the_notes_and_dropped_when_strict() {
    let fixture = vault();
    let memora = memora(&fixture).at_local_door();
    let free =
        "Because MessagePack did better in tests of throughput, you gave up JSON in drift ([[Roadmap#Formats]]).";
    let text =
        format!("{SWITCH} ([[Roadmap]]).\n\n{free}\n\nAnna owns the storage layer since March 2021 ([[Anna]]).\n");
    let report = memora.run_with_stdin(&["verify", "--json"], text.as_bytes()).assert_code(1).json();
    assert_eq!(verdicts(&report), ["quoted verified", "paraphrased verified", "contradicted verified"]);
    let basis: Vec<&Value> = report["sentences"].as_array().expect("sentences").iter().map(|s| &s["basis"]).collect();
    assert_eq!(basis, ["text", "facts", "facts"]);
    let reason = &report["sentences"][2]["reasons"][0];
    assert_eq!((&reason["kind"], &reason["words"]), (&json!("date"), &json!("March 2021")), "{reason}");
    assert_eq!(reason["explanation"], "the note says March 2024, not March 2021");
    let shown = memora.run_with_stdin(&["verify"], text.as_bytes()).assert_code(1).stdout;
    assert!(shown.contains(&format!("paraphrased  {}", free.split(" (").next().unwrap_or_default())), "{shown}");
    assert!(shown.contains(&format!("  the notes: {SWITCH}.")), "{shown}");

    let kept = format!("{SWITCH} ([[Roadmap]]).\n\n{free}\n");
    let status = |flags: &[&str], code: i32| {
        let run =
            memora.run_with_stdin(&[&["verify", "--json"][..], flags].concat(), kept.as_bytes()).assert_code(code);
        run.json()["status"].clone()
    };
    assert_eq!(status(&[], 1), "supported");
    assert_eq!(status(&["--fail-on", "contradicted,unsupported,rejected,uncited"], 0), "supported");
    assert_eq!(status(&["--strict"], 1), "partial");
    let fixed =
        |flags: &[&str]| memora.run_with_stdin(&[&["verify", "--fix"][..], flags].concat(), text.as_bytes()).stdout;
    assert_eq!(fixed(&[]).trim_end(), kept.trim_end());
    assert_eq!(fixed(&["--strict"]).trim_end(), format!("{SWITCH} ([[Roadmap]])."));
    let marked = memora.run_with_stdin(&["verify", "--fix=mark"], text.as_bytes()).stdout;
    assert!(marked.contains("([[Roadmap#Formats]]). [memora: paraphrased]"), "{marked}");

    memora.write_config("[verify]\nstrict = true\n");
    assert_eq!(status(&[], 1), "partial");
    memora.write_config("[verify]\nstrict = \"yes\"\n");
    memora.run_with_stdin(&["verify"], kept.as_bytes()).assert_failed("[verify] has the key strict");
}

/// What the published schema of SARIF 2.1.0 asks of the parts that are printed, and what code scanning asks beyond that.
fn sarif_schema() -> Value {
    serde_json::from_str(&crate::support::read("tests/fixtures/sarif-printed.schema.json")).expect("the schema is JSON")
}

#[test]
fn sarif_names_rules_and_places() {
    let fixture = vault();
    let memora = memora(&fixture).at_local_door();
    let text =
        format!("Käse: {SWITCH} ([[Roadmap]]).\n\nÄpfel. The moon is cheese.\n{SWITCH} ([[Roadmap]], [[Nobody]]).\n");
    fixture.write("../my draft.md", &text);
    let file = fixture.parent_dir().join("my draft.md");
    let sarif =
        memora.run(&["verify", "--format", "sarif", file.to_str().expect("a plain path")]).assert_code(1).json();
    let schema = validator_for(&sarif_schema()).expect("the schema is one");
    let errors: Vec<String> = schema.iter_errors(&sarif).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().expect("results");
    let shown: Vec<String> = results
        .iter()
        .map(|result| {
            let rule = &run["tool"]["driver"]["rules"]
                [usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small")];
            assert_eq!(rule["id"], result["ruleId"]);
            let place = &result["locations"][0]["physicalLocation"];
            assert!(
                place["artifactLocation"]["uri"].as_str().is_some_and(|uri| uri.ends_with("my%20draft.md")),
                "{place}"
            );
            let region = &place["region"];
            format!(
                "{} {}:{}-{}:{}",
                result["ruleId"].as_str().unwrap_or(""),
                region["startLine"],
                region["startColumn"],
                region["endLine"],
                region["endColumn"]
            )
        })
        .collect();
    assert_eq!(shown[1..], ["uncited 3:1-3:7", "uncited 3:8-3:27", "unknown_place 4:1-4:109"], "{shown:?}");
}

/// Full stops of a sentence and of what is said about it do not meet.
#[test]
fn sarif_ends_a_sentence_once() {
    let fixture = vault();
    let output = memora(&fixture)
        .at_local_door()
        .run_with_stdin(&["verify", "--format", "sarif"], b"Anna left in 1950 ([[Roadmap]]).");
    let output = output.assert_code(1);
    let says = &output.json()["runs"][0]["results"][0]["message"]["text"];
    assert!(says.as_str().is_some_and(|says| says.contains("[[Roadmap]]). ") || !says.contains("..")), "{says}");
    assert!(!output.stdout.contains(".. "), "{output}");
}

/// A draft has properties, a title and parts: none of it is a sentence without a citation.
#[test]
fn a_draft_is_judged_without_its_properties() {
    let fixture = vault();
    let memora = memora(&fixture).at_local_door();
    let sentence = format!("{SWITCH} ([[Roadmap]]).");
    let front = "---\ntitle: The moon is cheese\ntags: [draft]\n---\n";
    check(
        &memora,
        &[
            (&format!("{front}\n# Weekly report\n\n{sentence}\n"), &["exempt", "quoted verified"]),
            (&format!("{}{sentence}\r\n", front.replace('\n', "\r\n")), &["quoted verified"]),
            // What is no properties, or does not head the text, is text.
            (&format!("---\nThe moon is cheese.\n---\n\n{sentence}"), &["uncited", "quoted verified"]),
            (&format!("{sentence}\n\n{front}"), &["quoted verified", "uncited"]),
            (&format!("# The moon is cheese\n\n{sentence}"), &["uncited", "quoted verified"]),
        ],
    );
    let text = format!("{front}{sentence} The moon is cheese.\n");
    let fixed = memora.run_with_stdin(&["verify", "--fix"], text.as_bytes()).stdout;
    assert!(fixed.starts_with(front) && !fixed.contains(". The moon"), "{fixed}");
    let found = memora.run_with_stdin(&["verify", "--json"], text.as_bytes()).json();
    assert_eq!(found["sentences"][0]["start"], front.len(), "offsets are of the text as it is");
}

#[test]
fn fixing_prints_and_changes_no_file() {
    let (fixture, memora) = indexed_example();
    let memora = memora.at_local_door();
    let text =
        "# Cheese\r\n\r\n- A full disk stops the writer, never the reader ([[drift]]).\r\n- The moon is cheese.\r\n";
    let file = fixture.parent_dir().join("draft.md");
    fs::write(&file, text).expect("a draft");
    let before = TreeSnapshot::take(fixture.vault());
    let path = file.to_str().expect("a plain path");
    let fixed = memora.run(&["verify", "--fix", path]).assert_code(1).stdout;
    assert_eq!(fixed, "\r\n- A full disk stops the writer, never the reader ([[drift]]).\r\n");
    assert_eq!(memora.run_with_stdin(&["verify", "--fix"], fixed.as_bytes()).assert_code(0).stdout, fixed);
    let marked = memora.run(&["verify", "--fix=mark", path]).assert_code(1).stdout;
    assert_eq!(marked.replace(" [memora: uncited]", ""), text);
    assert_eq!(fs::read_to_string(&file).expect("the draft"), text);
    assert_eq!(before.difference(&TreeSnapshot::take(fixture.vault())), "");
    memora.run(&["verify", "--fix=paint", path]).assert_failed("invalid value");
}

/// The hook of `docs/cli.md`, as it stands there, in a repository of its own.
#[test]
fn the_documented_hook_lets_through_what_holds_and_stops_what_does_not() {
    let docs = crate::support::read("docs/cli.md");
    let hook =
        docs.split("```sh\n#!/bin/sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the hook is there");
    let fixture = vault();
    let repository = fixture.parent_dir().join("repository");
    fs::create_dir(&repository).expect("a folder");
    let memora = memora(&fixture).at_local_door();
    let git = |args: &[&str]| {
        let path =
            format!("{}:{}", binary().parent().expect("a folder").display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("git");
        let set = memora.command(&["status"]);
        command.envs(set.get_envs().filter_map(|(key, value)| Some((key, value?))));
        command
            .env("PATH", path)
            .env("MEMORA_VAULT", fixture.vault())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .current_dir(&repository);
        command.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]).args(args).output()
    };
    let Ok(made) = git(&["init", "-q"]) else { return };
    assert!(made.status.success());
    let path = repository.join(".git/hooks/pre-commit");
    fs::write(&path, format!("#!/bin/sh\n{hook}")).expect("a hook");
    #[cfg(unix)]
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it can be run");
    let commit = |text: &str| {
        fs::write(repository.join("answer one.md"), text).expect("a draft");
        assert!(git(&["add", "."]).expect("git runs").status.success());
        git(&["commit", "-q", "-m", "x"]).expect("git runs")
    };
    let stopped = commit("The moon is cheese.\n");
    assert!(!stopped.status.success(), "{stopped:?}");
    assert!(
        String::from_utf8_lossy(&stopped.stdout).contains("uncited")
            || String::from_utf8_lossy(&stopped.stderr).contains("uncited"),
        "{stopped:?}"
    );
    let through = commit(&format!("{SWITCH} [[Roadmap]].\n"));
    assert!(through.status.success(), "{through:?}");
}
