//! Kept promises: eight exams by a hand that had not seen the code (`tests/exam/promises`), each row through the whole program.
//!
//! Rows that come out wrong are listed by [`check_exam`].

use std::collections::BTreeSet;

use jiff::civil::Date;
use memora_retrieve::find_dates;
use memora_testkit::{Fixture, MemoraBinary};
use memora_vault::PartialDate;
use serde_json::Value;

use crate::exams::check_exam;
use crate::support::{memora, read};

fn rows(name: &str) -> Vec<Value> {
    let rows: Vec<Value> = read(&format!("tests/exam/promises/{name}.jsonl"))
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}")))
        .collect();
    assert!(rows.len() >= 40, "{name} has {} rows", rows.len());
    rows
}

fn text<'r>(row: &'r Value, field: &str) -> &'r str {
    row[field].as_str().unwrap_or_else(|| panic!("no {field} in {row}"))
}

/// The strings of a list.
fn list(row: &Value, field: &str) -> Vec<String> {
    let items = row[field].as_array().unwrap_or_else(|| panic!("no {field} in {row}"));
    items.iter().map(|item| item.as_str().expect("a string").to_owned()).collect()
}

fn check(name: &str, wrong: impl IntoIterator<Item = String>) {
    check_exam(&format!("promises-{name}"), wrong);
}

/// A vault with a note for each text, `n0.md` and so on.
fn vault_of<'t>(texts: impl Iterator<Item = &'t str>) -> (Fixture, MemoraBinary) {
    let fixture = Fixture::from_notes(&[("about.md", "Nothing.\n")]);
    for (number, text) in texts.enumerate() {
        fixture.write(&format!("n{number}.md"), text);
    }
    let memora = memora(&fixture);
    (fixture, memora)
}

/// What a door exports: for each source of a statement its note, its words, and whether a machine wrote it.
fn exported(memora: &MemoraBinary) -> Vec<Value> {
    memora.run(&["export", "--canonical", "--statements"]).assert_code(0).json_lines()
}

fn number_of(path: &str) -> Option<usize> {
    path.strip_prefix('n')?.strip_suffix(".md")?.parse().ok()
}

fn says(source: &Value, words: &str) -> bool {
    source["quote"].as_str().is_some_and(|quote| quote.contains(words))
}

/// The notes of the exported sources that are such.
fn notes_where(exported: &[Value], is_such: impl Fn(&Value) -> bool) -> BTreeSet<usize> {
    let sources = exported.iter().filter_map(|line| line["sources"].as_array()).flatten();
    sources.filter(|source| is_such(source)).filter_map(|source| number_of(source["path"].as_str()?)).collect()
}

/// The notes that a door exports something of with these words.
fn notes_with(exported: &[Value], words: &str) -> BTreeSet<usize> {
    notes_where(exported, |source| says(source, words))
}

#[test]
fn a_displaced_head_counts_and_what_only_looks_like_one_does_not() {
    let rows = rows("heads");
    let (_fixture, memora) = vault_of(rows.iter().map(|row| text(row, "text")));
    let at_cloud = notes_with(&exported(&memora), "Nordhoek");
    let local = memora.at_local_door();
    let at_home = exported(&local);
    let everything = notes_with(&at_home, "Nordhoek");
    // What a machine wrote is no evidence: its claims are marked.
    let users = notes_where(&at_home, |source| source["captured"] != true && says(source, "Nordhoek"));
    let mut wrong = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let name = text(row, "name");
        let is_near = name.starts_with("near-");
        let is_machine = row["machine"] == true;
        if text(row, "band") != "public" && at_cloud.contains(&number) {
            wrong.push(format!("{name}: leaves by a cloud door"));
        }
        if is_near && !at_cloud.contains(&number) {
            wrong.push(format!("{name}: is guarded"));
        }
        if is_machine && users.contains(&number) {
            wrong.push(format!("{name}: counts as the user's"));
        }
        if !is_machine && !users.contains(&number) {
            let how = if everything.contains(&number) { "counts as a machine's" } else { "is not read" };
            wrong.push(format!("{name}: {how}"));
        }
    }
    check("heads", wrong);
}

#[test]
fn a_password_in_a_sentence_is_guarded_and_talk_of_passwords_is_not() {
    let rows = read("tests/exam/promises/passwords.tsv");
    let rows: Vec<Vec<&str>> = rows.lines().map(|line| line.splitn(3, '\t').collect()).collect();
    let (_fixture, memora) = vault_of(rows.iter().map(|row| row[2]));
    let exported = exported(&memora);
    let shown = notes_with(&exported, "");
    let wrong = rows.iter().enumerate().filter_map(|(number, row)| {
        let is_right = (row[0] == "text") == shown.contains(&number);
        (!is_right).then(|| row.join("\t"))
    });
    check("passwords", wrong);
}

/// The status of a memory that is saved.
fn save(memora: &MemoraBinary, agent: Option<&str>, words: &str) -> String {
    let mut line = vec!["memory", "--project", "p"];
    line.extend(agent.into_iter().flat_map(|agent| ["--agent", agent]));
    line.extend(["save", words, "--json"]);
    let report = memora.at_local_door().run(&line).json();
    match report["status"].as_str() {
        Some("refused") => report["reason"].as_str().unwrap_or("refused").to_owned(),
        status => status.unwrap_or_default().to_owned(),
    }
}

#[test]
fn a_negation_is_no_duplicate_in_any_language() {
    let mut wrong = Vec::new();
    for row in rows("negations") {
        let (_fixture, memora) = vault_of(std::iter::empty());
        let first = save(&memora, Some("a"), text(&row, "first"));
        let second = save(&memora, Some("a"), text(&row, "second"));
        let is_duplicate = second == "duplicate";
        if first != "saved" || is_duplicate != (row["duplicate"] == true) || !is_duplicate && second != "saved" {
            wrong.push(format!("{first}, {second}: {row}"));
        }
    }
    check("negations", wrong);
}

#[test]
fn a_whole_fact_is_long_enough_in_any_script() {
    let mut wrong = Vec::new();
    for row in rows("short") {
        let (_fixture, memora) = vault_of(std::iter::empty());
        for agent in [Some("a"), None] {
            let status = save(&memora, agent, text(&row, "text"));
            if (status == "too_short") == (row["enough"] == true) {
                wrong.push(format!("{status}: {row}"));
            }
        }
    }
    check("short", wrong);
}

#[test]
fn scalars_are_claimed_as_they_are_written() {
    let rows = rows("scalars");
    let notes: Vec<String> =
        rows.iter().map(|row| format!("---\n{}\n---\nBody.\n", text(row, "front_matter"))).collect();
    let (_fixture, memora) = vault_of(notes.iter().map(String::as_str));
    let exported = exported(&memora.at_local_door());
    let mut wrong = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let path = format!("n{number}.md");
        let is_of_row = |line: &&Value| {
            let mut sources = line["sources"].as_array().into_iter().flatten();
            line["extractor"] == "property"
                && line["predicate"] == row["key"]
                && sources.any(|source| source["path"] == path.as_str())
        };
        // The values of a list stand in one place, so their order is that of the notes' words in the export.
        let mut objects: Vec<&str> =
            exported.iter().filter(is_of_row).filter_map(|line| line["object"].as_str()).collect();
        let mut values = list(row, "values");
        objects.sort_unstable();
        values.sort_unstable();
        if objects != values {
            wrong.push(format!("{objects:?}: {row}"));
        }
    }
    check("scalars", wrong);
}

#[test]
fn no_sentence_ends_within_code_or_a_link() {
    let rows = rows("sentences");
    let (_fixture, memora) = vault_of(rows.iter().map(|row| text(row, "text")));
    let exported = exported(&memora.at_local_door());
    let mut wrong = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let path = format!("n{number}.md");
        let sources = exported.iter().filter_map(|line| line["sources"].as_array()).flatten();
        let here = sources.filter(|source| source["path"] == path.as_str());
        let found: BTreeSet<(u64, &str)> =
            here.filter_map(|source| Some((source["start"].as_u64()?, source["quote"].as_str()?))).collect();
        let found: Vec<&str> = found.into_iter().map(|(_, quote)| quote).collect();
        if found != list(row, "sentences") {
            wrong.push(format!("{found:?}: {row}"));
        }
    }
    check("sentences", wrong);
}

#[test]
fn copies_of_sync_programs_are_left_out_and_nothing_else() {
    let mut wrong = Vec::new();
    for row in rows("copies") {
        let fixture = Fixture::from_notes(&[]);
        for (number, file) in list(&row, "files").iter().enumerate() {
            fixture.write(file, format!("The number of this note is {number}.\n"));
        }
        let report = memora(&fixture).at_local_door().run(&["index", "--json"]).json();
        let skipped = report["notes"]["skipped"].as_array().into_iter().flatten();
        let skipped: BTreeSet<&str> = skipped.filter_map(|skipped| skipped["path"].as_str()).collect();
        let copies = list(&row, "copies");
        if skipped != copies.iter().map(String::as_str).collect() {
            wrong.push(format!("{skipped:?}: {row}"));
        }
    }
    check("copies", wrong);
}

/// The first and the last day of what a question asks about: the only date in it, or from its first to its last.
fn asked_range(question: &str) -> Option<(Date, Date)> {
    let day = |date: PartialDate| date.to_string().parse::<Date>().ok();
    let dates = find_dates(question, PartialDate::parse("2026-07-01").expect("a date"));
    Some((day(dates.first()?.from)?, day(dates.last()?.until)?))
}

#[test]
fn a_date_in_a_question_filters_where_a_time_is_asked_about() {
    let (_fixture, memora) = vault_of(std::iter::empty());
    let mut wrong = Vec::new();
    for row in rows("times") {
        let question = text(&row, "question");
        let filters = memora.at_local_door().run(&["search", question, "--json"]).json()["of_time"] == true;
        let day = |at: usize| row["range"][at].as_str().and_then(|day| day.parse::<Date>().ok());
        let is_right = match (filters, day(0).zip(day(1)), asked_range(question)) {
            (false, ..) => row["filters"] == false,
            (true, Some((first, last)), Some((from, until))) => {
                let length = (last - first).get_days();
                let leeway = if row["about"] == true { length / 2 } else { 0 };
                let near = |one: Date, other: Date| (one - other).get_days().abs() <= leeway;
                row["filters"] == true && near(first, from) && near(last, until)
            }
            (true, ..) => row["filters"] == true && row["range"].is_null(),
        };
        if !is_right {
            wrong.push(format!("{filters}, {:?}: {row}", asked_range(question)));
        }
    }
    check("times", wrong);
}
