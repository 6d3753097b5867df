//! What newer texts do to older ones, and what they do not.

use memora_claim::{Claim, ParsedNote};
use memora_extract::{ClaimExtractor, Relations};
use memora_vault::{Note, NotePath, PathContext};

use super::succession::{SaidText, Succession, compare_in_order};

fn claims(text: &str) -> Vec<Claim> {
    let path = NotePath::new("a.md").expect("a path");
    let fresh = ParsedNote::new(Note::parse(path, format!("{text}\n"), PathContext::default()).0);
    let extractor = ClaimExtractor::new(Relations::built_in());
    fresh.statements().iter().flat_map(|said| extractor.extract_claims(fresh.note(), said)).collect()
}

#[track_caller]
fn check(rows: &[(&str, &str, Option<Succession>)]) {
    let mut wrong = Vec::new();
    for (older, newer, expected) in rows {
        let [old, new] = [older, newer].map(|text| claims(text));
        let said = |text, claims| SaidText { text, claims };
        let found = compare_in_order(said(newer, &new), said(older, &old), Relations::built_in());
        if found != *expected {
            let say = |claims: &[Claim]| -> Vec<String> {
                let one = |c: &Claim| {
                    format!(
                        "{:?}|{}|{}|{:?} {:?} {:?} neg={}",
                        c.subject, c.predicate, c.object, c.qualifiers, c.relation, c.phase, c.negated
                    )
                };
                claims.iter().map(one).collect()
            };
            wrong.push(format!("{older} / {newer}: {found:?}\n  {:#?}\n  {:#?}", say(&old), say(&new)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const REPLACES: Option<Succession> = Some(Succession::Replaces);
const DIFFERS: Option<Succession> = Some(Succession::Differs);

#[test]
fn words_of_ending_end_what_they_name() {
    check(&[
        ("I work at Acme", "I stopped working at Acme", REPLACES),
        ("I work at Acme.", "I quit my job at Acme.", REPLACES),
        ("I work at Acme", "I left Acme", REPLACES),
        ("I work at Acme", "I no longer work at Acme", REPLACES),
        ("I work at Acme", "I don't work at Acme anymore", REPLACES),
        ("I work at Acme as an engineer", "I left Acme", REPLACES),
        ("The user works at Acme.", "I left Acme.", REPLACES),
        ("We use Jenkins", "we moved off Jenkins", REPLACES),
        ("We use Jenkins for CI", "We stopped using Jenkins", REPLACES),
        ("We use Jenkins", "We switched from Jenkins to Buildkite", REPLACES),
        ("We use Jenkins", "We got rid of Jenkins", REPLACES),
        ("I live in Kiel", "I moved from Kiel to Bonn", REPLACES),
    ]);
}

#[test]
fn what_is_not_said_to_end_stands() {
    check(&[
        ("I work at Acme", "Anna stopped working at Acme", None),
        ("I work at Acme", "I left Tidewell", None),
        ("I work at Acme", "I quit my job at Tidewell", None),
        ("I work at Acme", "I may leave Acme", None),
        ("I work at Acme", "I will leave Acme in May", None),
        ("I work at Acme", "I never left Acme", None),
        ("I work at Acme", "I stopped smoking at Acme", None),
        ("I work at Acme", "I left my umbrella at Acme", None),
        ("I work at Acme", "I left Acme early today because I was sick", None),
        ("I work at Acme", "I left Acme at 5 pm yesterday", None),
        ("We use Kafka", "We left Kafka running over the weekend", None),
        ("I drink coffee", "I stopped drinking coffee after 3 pm", None),
        ("I drink coffee", "I don't drink coffee before noon anymore", None),
        ("I take aspirin", "I stopped taking aspirin before meals", None),
        ("We use Slack", "We stopped using Slack after hours", None),
        ("We use Docker", "We don't use Docker locally anymore", None),
        ("I drive a Volvo", "I don't drive a Volvo to work anymore", None),
        ("I work at Acme", "I sold my car to Acme", None),
        ("I work at Acme", "I stopped working at Acme on Fridays", None),
        ("I work at Acme", "I don't like the canteen at Acme", None),
        ("We use Jenkins", "we moved off GitLab", None),
        ("We use Jenkins", "we moved off on time", None),
        ("We use Jenkins for CI", "We stopped using Jenkins for the docs", None),
        ("I left Acme", "I stopped working at Acme", None),
    ]);
}

#[test]
fn a_new_value_replaces_where_there_is_one() {
    check(&[
        ("my shell is fish", "my shell is zsh now", REPLACES),
        ("my shell is fish", "my shell is zsh", DIFFERS),
        ("The user's shell is fish.", "My shell is zsh.", DIFFERS),
        ("My favourite colour is blue", "My favourite colour is green", DIFFERS),
        ("My favourite colour is blue", "My favourite colour is green now", REPLACES),
        ("My boss is Lena", "My boss is from Spain", DIFFERS),
        ("My allergy is peanuts", "My allergy is pollen", DIFFERS),
        ("standup is on Tuesday", "standup is on Wednesday now", REPLACES),
        ("standup is on Tuesday", "standup moved to Wednesday", REPLACES),
        ("Our standup is at 9:30", "Our standup is at 10:00 from now on", REPLACES),
        ("I live in Kiel", "I live in Bonn", REPLACES),
        ("standup is on Tuesday", "standup is on Wednesday", DIFFERS),
        ("The retro is on Monday", "The retro is on Friday", DIFFERS),
    ]);
}

#[test]
fn other_things_and_other_qualities_both_stand() {
    check(&[
        ("my shell is fish", "my shell alias is ll", None),
        ("I work at Northwind", "I moved to Hamburg", None),
        ("I work at Northwind", "I switched to Zed", None),
        ("I work at Northwind", "I moved to the second floor", None),
        ("I live in Berlin", "I moved to Zed", None),
        ("The server is in Frankfurt", "The server is in maintenance now", DIFFERS),
        ("Anna is in Berlin", "Anna is in charge now", DIFFERS),
        ("my shell is fish", "my shell on the server is zsh", None),
        ("my shell is fish", "my shell is slow", None),
        ("my shell is fish", "my shell is fish", None),
        ("my car is red", "my car is fast", None),
        ("my car is red", "my car is a Volvo", None),
        ("my sister is Anna", "my sister is Berta", None),
        ("my team is platform", "my team is Anna and Bob", None),
        ("Anna's shell is fish", "my shell is zsh", None),
        ("standup is on Tuesday", "standup is on Zoom", None),
        ("standup is on Tuesday", "standup moved to Zoom", None),
        ("standup is on Tuesday", "the retro moved to Wednesday", None),
        ("I use fish", "I use zsh now", None),
        ("I like tea", "I like coffee", None),
        ("The office is closed", "The office is in Kiel", None),
    ]);
}

/// Pairs of a reader who looked for holes: what both hold stays, but for a few.
#[test]
fn few_of_a_strangers_pairs_that_both_hold_end_one_another() {
    let rows = include_str!("../../../../../tests/exam/memory/succession.tsv").lines();
    let (mut ended, mut kept) = (Vec::new(), Vec::new());
    for row in rows {
        let &[kind, older, newer] = row.split('\t').collect::<Vec<_>>().as_slice() else { panic!("{row}") };
        let [old, new] = [older, newer].map(claims);
        let said = |text, claims| SaidText { text, claims };
        let found = compare_in_order(said(newer, &new), said(older, &old), Relations::built_in());
        match (kind, found == REPLACES) {
            ("both", true) => ended.push(row),
            ("ends", false) => kept.push(row),
            _ => {}
        }
    }
    assert!(ended.len() <= 6, "ended: {ended:#?}");
    assert!(kept.len() <= 21, "kept: {kept:#?}");
}
