//! What a person sees: the main screens at terminals of 80 and 120 columns, kept as snapshots under `tests/snapshots`.
//!
//! Figures that depend on the machine or the hour are masked; every other letter and line end is compared. After a
//! change that is wanted, `INSTA_UPDATE=always cargo test --test integration screens` writes them anew.

use std::fs;

use memora_testkit::{CommandOutput, Fixture, MemoraBinary, Terminal};
use regex::Regex;

use crate::support::{Line, example, memora};

/// The widths of the two terminals, in columns.
const WIDTHS: [u16; 2] = [80, 120];

/// The screens, by the name of their snapshot. They are shown in this order in one vault: the first makes the index.
const SCREENS: &[(&str, &str)] = &[
    ("index", "index"),
    ("index_again", "index"),
    ("status", "status"),
    ("init", "init --yes"),
    ("search", "search drift --limit 3"),
    ("search_explained", "search serialization --limit 1 --explain"),
    ("search_nothing", "search zeppelin"),
    ("ask", "ask \"Why did drift switch serialization?\""),
    ("ask_of_time", "ask \"What did I do in March 2025?\""),
    ("ask_nothing", "ask \"Who keeps bees on the moon?\""),
    ("ask_guarded_cloud", "ask \"What does Anna earn?\" --door cloud"),
    ("claims", "claims --limit 5"),
    ("claims_none", "claims --folder recipe"),
    ("verify", "verify draft.md"),
    ("review", "review --limit 4"),
    ("contradictions", "contradictions"),
    ("contradictions_all", "contradictions --all --limit 2"),
    ("stale", "stale"),
    ("entity", "entity \"Anna Brandt\" --limit 6"),
    ("entity_unknown", "entity Jonsa"),
    ("timeline", "entity drift --timeline --limit 8"),
    ("doctor", "doctor"),
    ("audit", "privacy audit --note \"people/Anna Brandt.md\""),
    ("why", "why c8myksbktdbv"),
    ("why_unknown", "why 7h3kq0v9x2ma"),
    ("memory_saved", "memory --project drift save \"drift uses pino for structured logging in every service.\""),
    ("memory_list", "memory --project drift list"),
    ("demo", "demo"),
    ("error_usage", "search --limit many words"),
    ("error_folder", "--vault nowhere index"),
];

const DRAFT: &str = "Since May 2025 Anna works at Tidewell ([[Anna Brandt]]). Anna works at Aldersey ([[Anna Brandt]]). \
    The moon is cheese. The log engine of drift is written in Rust ([[drift]]).\n";

/// A line of a screen that differs from run to run, and what stands for that in the snapshot.
const MASKS: &[(&str, &str)] = &[
    (r"(?m)^took \d+\.\d\d s$", "took [TIME]"),
    (r"(?m)^(vault|state):\s+/\S+$", "$1: [FOLDER]"),
    (r"(?m)^settings in\s+/\S+config\.toml", "settings in [FOLDER]/config.toml"),
    (r"first seen: \d{4}-\d\d-\d\d", "first seen: [DAY]"),
    (r"~[0-9a-z]{12}\b", "~[HANDLE]..."),
    (r"mem-[0-9a-z]{12}\b", "mem-[ID]........"),
    (r"every service [0-9a-z]{4}\.md", "every service [ID].md"),
];

fn mask(shown: &str) -> String {
    MASKS.iter().fold(shown.to_owned(), |shown, (pattern, instead)| {
        Regex::new(pattern).expect("a pattern").replace_all(&shown, *instead).into_owned()
    })
}

/// The example vault and a runner for it, with a text to be verified in its home.
fn desk() -> (Fixture, MemoraBinary) {
    let fixture = example();
    let memora = memora(&fixture);
    fs::write(memora.home_dir().join("draft.md"), DRAFT).expect("a file can be written");
    (fixture, memora)
}

/// What a command shows at a terminal, with its exit code.
fn screen(memora: &MemoraBinary, command: &str, columns: u16) -> String {
    let terminal = Terminal { columns, kind: "dumb" };
    let output = terminal.run(memora, &Line::parse(command).args);
    let exit = output.exit.map_or_else(|| "none".to_owned(), |code| code.to_string());
    format!("$ memora {command}   # {columns} columns\n{}# exit code {exit}\n", mask(&output.stdout))
}

#[test]
fn the_main_screens_are_those_of_the_snapshots() {
    let desks = WIDTHS.map(|columns| (columns, desk()));
    for (name, command) in SCREENS {
        let shown = desks.iter().map(|(columns, (_, memora))| screen(memora, command, *columns));
        insta::assert_snapshot!(*name, shown.collect::<Vec<_>>().join("\n"));
    }
}

/// What an answer must not hide: that a cited claim is contested, and that the words are another's.
#[test]
fn an_answer_says_what_contests_it_and_whose_words_it_cites() {
    let fixture = Fixture::from_notes(&[
        ("Bench.md", "Anna works at Acme.\n"),
        ("Later.md", "Anna works at Tidewell since May 2025.\n"),
        ("Meditations.md", "> The obstacle on the path becomes the way.\n> — Marcus Aurelius\n"),
    ]);
    let memora = memora(&fixture);
    let cited = |name: &str| {
        let claims = memora.run(&["claims", "--note", name, "--json"]).assert_code(0).json();
        claims["claims"][0]["claim"].as_str().expect("an id").to_owned()
    };
    let (acme, tidewell) = (cited("Bench"), cited("Later"));
    let said = memora.run(&["ask", "Does Anna work at Tidewell?"]).assert_code(0).stdout;
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("contested: ")).collect();
    assert_eq!(lines.len(), 1, "once for a pair: {said}");
    assert!(lines[0].contains(&tidewell) && lines[0].contains(&acme), "{said}");
    assert!(lines[0].ends_with(" cannot both hold"), "{said}");
    let said = memora.run(&["ask", "What becomes the way?"]).assert_code(0).stdout;
    assert!(said.contains("Meditations.md:1:3 (the words of Marcus Aurelius)"), "{said}");
    // What is decided is contested no more.
    let _ = memora.at_local_door().run(&["keep", &tidewell]).assert_code(0);
    let said = memora.run(&["ask", "Does Anna work at Tidewell?"]).assert_code(0).stdout;
    assert!(!said.contains("contested"), "{said}");
}

/// Places are linked for the user at a terminal that shows links, and nowhere else.
#[test]
fn places_are_linked_at_a_terminal_that_shows_links_only() {
    let (fixture, memora) = desk();
    let ask = &["ask", "Where does Anna work?", "--offline"][..];
    let run = |kind: &'static str, variables: &[(&str, &str)], args: &[&str]| {
        let mut command = memora.command(args);
        command.env("TERM", kind).envs(variables.iter().copied());
        Terminal { columns: 80, kind }.run_command("memora ask", command).stdout
    };
    let linked = run("xterm-256color", &[("FORCE_HYPERLINK", "1")], ask);
    let link = "\u{1b}]8;;obsidian://open?vault=vault-example&file=people%2FAnna%20Brandt";
    assert!(linked.contains(link) && linked.contains("\u{1b}]8;;\u{1b}\\"), "{linked:?}");
    assert!(linked.contains("\u{1b}[35mpeople/Anna Brandt.md:"), "{linked:?}");
    let plain = run("dumb", &[], ask);
    // Behind what was shown of the progress.
    let printed = linked.rsplit("\u{1b}[2K").next().expect("a rest");
    assert_eq!(anstream::adapter::strip_str(printed).to_string(), plain);
    // Without colour, for another door, or in a terminal that is not known to show them.
    for (variables, args) in [
        (&[("FORCE_HYPERLINK", "1"), ("NO_COLOR", "1")][..], ask),
        (&[("FORCE_HYPERLINK", "1")], &[ask, &["--door", "cloud"]].concat()),
        (&[], ask),
    ] {
        assert!(!run("xterm-256color", variables, args).contains("\u{1b}]8"), "{variables:?} {args:?}");
    }
    // In a pipe there is neither.
    let mut command = memora.at_local_door().command(ask);
    command.envs([("FORCE_HYPERLINK", "1"), ("TERM", "xterm-256color")]);
    let piped = CommandOutput::new("memora ask", command.output().expect("it starts"));
    assert!(!piped.stdout.contains('\u{1b}') && piped.stdout.contains("people/Anna Brandt.md:"), "{piped}");
    // A name that a terminal would obey is shown with its control characters replaced.
    fixture.write("x\u{1b}]8;;evil\u{7}y.md", "The zeppelin lands at Kestrel.\n");
    let shown = run("xterm-256color", &[("FORCE_HYPERLINK", "1")], &["search", "zeppelin"]);
    assert!(shown.contains("zeppelin") && !shown.contains(";;evil\u{7}"), "{shown:?}");
}

/// Long work is shown on a terminal while it goes on, and in a pipe never.
#[test]
fn progress_is_shown_on_a_terminal_alone() {
    let (_fixture, memora) = desk();
    let terminal = Terminal { columns: 80, kind: "xterm-256color" };
    let shown = terminal.run(&memora, &["index"]).assert_code(0).stdout;
    assert!(shown.contains("reading notes") && shown.contains("\u{1b}[2K62 notes: 62 new or changed"), "{shown:?}");
    let _ = memora.run(&["reset"]).assert_code(0);
    let piped = memora.at_local_door().run(&["status"]).assert_code(0);
    assert!(!piped.stderr.contains('\u{1b}') && !piped.stderr.contains("reading notes"), "{piped}");
}

/// No line is wider than the terminal but for a single word, such as a path, which stays whole to be copied.
#[test]
fn lines_fit_the_terminal() {
    let (_fixture, memora) = desk();
    for columns in [40, 80] {
        for (_, command) in SCREENS.iter().filter(|(name, _)| !name.starts_with("error")) {
            let terminal = Terminal { columns, kind: "dumb" };
            let output = terminal.run(&memora, &Line::parse(command).args);
            for line in output.stdout.lines().filter(|line| line.chars().count() > usize::from(columns)) {
                let place = line.trim().trim_end_matches(',');
                assert!(!place.contains(' ') || place.contains(".md"), "{columns}: {line:?} of {command}");
            }
        }
    }
}
