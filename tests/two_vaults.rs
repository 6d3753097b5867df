//! Secret text has no influence: two vaults that differ in guarded words alone look the same from a cloud door.
//!
//! The exam lies in `tests/exam/two-vaults`, and its README says how it is run: both vaults are asked the same few hundred
//! things, in order, and exit codes, standard output and standard error are compared byte by byte. Nothing is masked but
//! the ids that a line itself puts in; no measured time is ever said at a cloud door.

use std::sync::LazyLock;

use memora_testkit::{CommandOutput, Fixture, MemoraBinary};
use serde_json::Value;

use crate::support::{Line, example, example_state, exported, lines, memora, read};

const EXAM: &str = "tests/exam/two-vaults";
const ANNA: &str = "people/Anna Brandt.md";

/// What the first vault, the example as it is, said to the whole script.
pub(crate) static FIRST: LazyLock<Vec<Step>> = LazyLock::new(|| Side::of(&[]).play("script.txt", None));

/// Other words for guarded ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replacement {
    note: String,
    from: String,
    to: String,
}

/// One of the two vaults.
pub(crate) struct Side {
    pub(crate) fixture: Fixture,
    ids: Ids,
}

/// What a client could name.
#[derive(Clone, Debug)]
pub(crate) struct Ids {
    public: String,
    secret: String,
    handle: String,
}

/// A line of the script, and what was said.
pub(crate) struct Step {
    pub(crate) line: String,
    pub(crate) said: CommandOutput,
}

/// The words of a file of the exam and what stands in their place.
pub(crate) fn replacements(file: &str) -> Vec<Replacement> {
    let list: Vec<Value> = serde_json::from_str(&read(&format!("{EXAM}/{file}"))).expect("the exam is JSON");
    let word = |entry: &Value, key: &str| entry[key].as_str().expect("an entry has words").to_owned();
    list.iter()
        .map(|entry| Replacement { note: word(entry, "note"), from: word(entry, "from"), to: word(entry, "to") })
        .collect()
}

/// A home with the key for handles that both vaults share.
pub(crate) fn with_key(fixture: &Fixture) -> MemoraBinary {
    let memora = memora(fixture);
    std::fs::write(memora.config_dir().join("handle.key"), [7; 32]).expect("the key can be written");
    memora
}

impl Side {
    /// A copy of the example vault with these words replaced. Every file keeps its time of change.
    pub(crate) fn of(replacements: &[Replacement]) -> Self {
        let fixture = example();
        for Replacement { note, from, to } in replacements {
            let text = fixture.read(note);
            assert_eq!(text.matches(from).count(), 1, "{from:?} must stand once in {note}");
            fixture.rewrite_keep_mtime(note, text.replace(from, to));
        }
        // Only to read the ids: what is played begins with nothing.
        let reader = with_key(&fixture);
        reader.copy_state_from(example_state());
        let ids = Ids::in_vault(&reader);
        Self { fixture, ids }
    }

    /// Runs a script in an empty state. `guessed` is what a client brought along from elsewhere.
    fn play(&self, script: &str, guessed: Option<&Ids>) -> Vec<Step> {
        let memora = with_key(&self.fixture);
        let script = read(&format!("{EXAM}/{script}"));
        lines(&script).map(|line| Step { line: line.to_owned(), said: self.ask(line, &memora, guessed) }).collect()
    }

    /// A line of a script with the ids of this vault in it.
    pub(crate) fn filled(&self, line: &str, guessed: Option<&Ids>) -> String {
        let Ids { public, secret, handle } = &self.ids;
        let mut line =
            line.replace("{PUBLIC_ID}", public).replace("{SECRET_ID}", secret).replace("{SECRET_HANDLE}", handle);
        if let Some(guessed) = guessed {
            line = line.replace("{FIRST_ID}", &guessed.secret).replace("{FIRST_HANDLE}", &guessed.handle);
        }
        assert!(!line.contains("_ID}") && !line.contains("_HANDLE}"), "something was not filled in: {line}");
        line
    }

    /// Text without the ids that a client put in.
    pub(crate) fn masked(&self, text: &str) -> String {
        text.replace(&self.ids.secret, "{SECRET_ID}").replace(&self.ids.handle, "{SECRET_HANDLE}")
    }

    fn ask(&self, line: &str, memora: &MemoraBinary, guessed: Option<&Ids>) -> CommandOutput {
        let (line, echoes) = line.strip_prefix("# echo ").map_or((line, false), |line| (line, true));
        let line = self.filled(line, guessed);
        let mut said = Line::parse(&line).run(memora);
        if echoes {
            for text in [&mut said.stdout, &mut said.stderr] {
                *text = self.masked(text);
            }
        }
        said
    }

    /// What decisions left in the vault, if any command of the script may make some.
    fn decisions(&self) -> Vec<(String, Vec<u8>)> {
        let folder = self.fixture.path(".memora");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .expect("the example has .memora")
            .map(|entry| entry.expect("an entry").path())
            .map(|path| {
                (
                    path.file_name().expect("a name").to_string_lossy().into_owned(),
                    std::fs::read(&path).expect("a file"),
                )
            })
            .collect();
        files.sort();
        files
    }
}

impl Ids {
    /// Anna's work is public, her salary stands beside it and is secret. The n-th guarded statement is the n-th in either
    /// vault, since the number of sentences stays.
    fn in_vault(memora: &MemoraBinary) -> Self {
        let claims = exported(memora);
        let of_anna = |guarded: bool| {
            let mut found: Vec<(u64, String, String)> = claims
                .iter()
                .filter_map(|claim| {
                    let source = &claim["sources"][0];
                    let wanted = source["path"] == ANNA && (source["band"] != "public") == guarded;
                    let (id, _) = claim["claim"].as_str()?.split_once('.')?;
                    wanted.then(|| {
                        Some((source["start"].as_u64()?, id.to_owned(), source["quote"].as_str()?.to_owned()))
                    })?
                })
                .collect();
            found.sort();
            found.dedup();
            found
        };
        let public =
            of_anna(false).into_iter().find(|(_, _, quote)| quote.contains("Since May 2025 Anna works at Tidewell"));
        let (_, public, _) = public.expect("where Anna works is public");
        let example = read(&format!("vault-example/{ANNA}"));
        let nth =
            example.split("<!--privacy:").skip(1).position(|part| part.contains("6,840 euros")).expect("the salary");
        let secret = of_anna(true);
        let (_, secret, _) = secret.into_iter().nth(nth).expect("as many guarded statements as marked places");
        let listed = memora.run(&["claims", "--json", "--note", ANNA]).assert_code(0).json();
        let redacted: Vec<&str> = listed["claims"]
            .as_array()
            .expect("a list of claims")
            .iter()
            .filter_map(|claim| claim["claim"].as_str().filter(|id| id.starts_with('~')))
            .collect();
        let handle = (*redacted.get(nth).expect("every guarded statement is listed, redacted")).to_owned();
        Self { public, secret, handle }
    }
}

/// What differs, with the first line that does; empty when nothing does.
fn differences(first: &[Step], second: &[Step]) -> Vec<String> {
    assert_eq!(first.len(), second.len());
    first
        .iter()
        .zip(second)
        .enumerate()
        .filter_map(|(number, (one, other))| {
            let (a, b) = (&one.said, &other.said);
            let parts = [("stdout", &a.stdout, &b.stdout), ("stderr", &a.stderr, &b.stderr)];
            let exit = (a.exit != b.exit).then(|| format!("exit codes {:?} and {:?}", a.exit, b.exit));
            let part = parts.into_iter().find(|(_, a, b)| a != b).map(|(name, a, b)| {
                let line = a.lines().zip(b.lines()).find(|(a, b)| a != b);
                let (a, b) = line.unwrap_or(("(fewer lines)", "(or more)"));
                format!("{name}\n    first:  {a}\n    second: {b}")
            });
            let what = exit.or(part)?;
            Some(format!("line {}: memora {}\n  {what}", number + 1, one.line))
        })
        .collect()
}

/// Plays the whole script in a second vault with these replacements, and compares.
fn check(replacements: &[Replacement]) {
    let (second, decisions) = std::thread::scope(|scope| {
        // The first vault is played once for all tests; beside the second, for there are often two cores.
        scope.spawn(|| LazyLock::force(&FIRST));
        let side = Side::of(replacements);
        let said = side.play("script.txt", None);
        (said, side.decisions())
    });
    let found = differences(&FIRST, &second);
    assert!(found.is_empty(), "{} of {} lines differ\n{}", found.len(), second.len(), found.join("\n"));
    assert_eq!(decisions, Side::of(&[]).decisions(), "what decisions left behind");
}

/// Guarded words, and on top of them guarded names, headings and terms, which give subjects. The README allows an opaque
/// alias to differ here, and what a query that names such a subject finds. Neither is needed: an alias is a keyed hash of
/// the place, and only names that public text has are ever found.
#[test]
fn other_guarded_words_and_names_change_no_byte_of_what_a_cloud_door_says() {
    let mut all = replacements("replacements.json");
    all.extend(replacements("replacements-names.json"));
    check(&all);
}

/// Guarded sentences that say word for word what a public one says, and a guarded alias that is a public person's name:
/// corroboration, sources, ids and names must be counted without them.
#[test]
fn guarded_words_that_repeat_public_ones_change_no_byte_either() {
    let mut all = replacements("replacements.json");
    for collision in replacements("replacements-collide.json") {
        let same = |other: &&mut Replacement| other.note == collision.note && other.from == collision.from;
        all.iter_mut().find(same).expect("a collision overrides a replacement").to = collision.to;
    }
    check(&all);
}

/// Once the passages of both vaults have been read ahead, of all bands, a question still gets the same ones: they are found by what the
/// door may see.
#[test]
fn passages_that_were_read_ahead_say_nothing_guarded_either() {
    let mut all = replacements("replacements.json");
    all.extend(replacements("replacements-names.json"));
    let said = [(Side::of(&[]), Some(example_state())), (Side::of(&all), None)].map(|(side, known)| {
        let memora = with_key(&side.fixture);
        // The example as it is was read for all tests; the other vault is read here from nothing.
        known.into_iter().for_each(|state| memora.copy_state_from(state));
        assert_eq!(memora.at_local_door().run(&["index", "--complete"]).exit, Some(0));
        let script = read(&format!("{EXAM}/script.txt"));
        let questions = lines(&script).filter(|line| line.starts_with("ask "));
        questions.map(|line| Step { line: line.to_owned(), said: side.ask(line, &memora, None) }).collect::<Vec<_>>()
    });
    let found = differences(&said[0], &said[1]);
    assert!(found.is_empty(), "{} of {} lines differ\n{}", found.len(), said[0].len(), found.join("\n"));
    let shown = said[0].iter().filter(|step| step.said.stdout.contains("\"nearest\": [\n    {")).count();
    assert!(shown > 3, "passages are shown for {shown} questions only");
}

/// A client that guesses a salary can compute the claim's id. It must learn nothing from asking for it.
#[test]
fn the_id_of_a_guarded_claim_is_as_unknown_as_any_other() {
    let (first, second) = (Side::of(&[]), Side::of(&replacements("replacements.json")));
    assert_ne!(first.ids.secret, second.ids.secret, "the two salaries differ");
    assert_eq!(first.ids.public, second.ids.public);
    assert_eq!(first.ids.handle, second.ids.handle, "a handle is of the place");
    let guess = Some(&first.ids);
    let (one, other) = (first.play("script-crossed.txt", guess), second.play("script-crossed.txt", guess));
    let found = differences(&one, &other);
    assert!(found.is_empty(), "{} lines differ\n{}", found.len(), found.join("\n"));
}

/// The control: where guarded text may be seen, the same comparison does find differences, down to a single private
/// note, and in most of what it asks.
#[test]
fn the_comparison_sees_what_differs_when_the_door_is_open() {
    let (first, second) = (Side::of(&[]), Side::of(&replacements("replacements.json")));
    let script = read(&format!("{EXAM}/script.txt"));
    let lists: Vec<&str> = lines(&script).skip(25).take(27).chain(lines(&script).skip(88).take(12)).collect();
    let play = |side: &Side, prepare: &dyn Fn(&MemoraBinary) -> MemoraBinary| -> Vec<Step> {
        let memora = prepare(&with_key(&side.fixture));
        lists.iter().map(|line| Step { line: (*line).to_owned(), said: side.ask(line, &memora, None) }).collect()
    };
    let count = |prepare: &dyn Fn(&MemoraBinary) -> MemoraBinary| {
        differences(&play(&first, prepare), &play(&second, prepare)).len()
    };
    let local = count(&MemoraBinary::at_local_door);
    assert!(local > lists.len() / 2, "only {local} of {} lines differ at the local door", lists.len());
    let private = count(&|memora| {
        memora.write_config("[cloud]\nsees = \"private\"\n");
        memora.clone()
    });
    assert!(private > 2 && private < local, "{private} lines differ at a door that sees private text, {local} locally");
}

/// What the user decided about guarded claims, and what guarded claims do to public ones: a cloud door tells neither.
#[test]
fn decisions_about_guarded_claims_and_what_they_end_are_not_told() {
    const LINES: &str = r#"
contradictions --all --json --limit 1000
contradictions --all
claims --as-of 2025-06 --json --limit 1000
claims --json --limit 1000
entity drift --timeline
entity "Anna Brandt" --timeline --json
entity Tomasz --timeline --json
ask "Where does Anna work?" --as-of 2024-06 --json
search "drift version" --as-of 2025-07 --json
why {PUBLIC_ID} --json
export
# echo keep {SECRET_ID}
# echo retract {SECRET_ID}
# echo restore {SECRET_ID}
# echo keep {PUBLIC_ID} --over {SECRET_ID}
# echo why {SECRET_ID} --json
"#;
    let play = |replacements: &[Replacement]| -> Vec<Step> {
        let side = Side::of(replacements);
        let memora = with_key(&side.fixture);
        let decided = |args: &[&str]| drop(memora.at_local_door().run(args).assert_code(0));
        decided(&["retract", &side.ids.secret]);
        decided(&["keep", &side.ids.secret, "--over", &side.ids.public]);
        lines(LINES).map(|line| Step { line: line.to_owned(), said: side.ask(line, &memora, None) }).collect()
    };
    let found = differences(&play(&[]), &play(&replacements("replacements.json")));
    assert!(found.is_empty(), "{} lines differ\n{}", found.len(), found.join("\n"));
}

/// How many notes are guarded is not told either: with one more note of the strictest band, whatever counts notes says
/// the same.
#[test]
fn how_many_notes_are_guarded_is_not_told() {
    let told = |fixture: &Fixture| -> Vec<Step> {
        let memora = with_key(fixture);
        let lines = [
            "index --json",
            "index",
            "status --json",
            "doctor --json",
            "search drift --folder diry",
            // A guarded note of that name makes it mean no more notes, and contests no answer.
            "claims --note 2025-05-06",
            "claims --note diary/2025-05-06",
            "ask \"Where does Anna work?\"",
        ];
        lines.map(|line| Step { line: line.to_owned(), said: Line::parse(line).run(&memora) }).into()
    };
    let (one, other) = (example(), example());
    // The example has 62 notes; with two more, an index made from nothing is announced to its owner.
    other.write("diary/2025-06-01.md", "---\nprivacy: secret\n---\nThe code of the safe is 4711.\n");
    other.write("diary/2025-05-06.md", "---\nprivacy: secret\n---\nAnna works at Nowhere since June 2025.\n");
    let found = differences(&told(&one), &told(&other));
    assert!(found.is_empty(), "{} lines differ\n{}", found.len(), found.join("\n"));
    let count = |fixture: &Fixture| {
        with_key(fixture).at_local_door().run(&["index", "--json"]).assert_code(0).json()["notes"]["seen"].clone()
    };
    assert_ne!(count(&one), count(&other), "the control: its owner is told");
}
