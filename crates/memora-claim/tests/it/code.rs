//! Code as statements: what is cut, what says what it does, what it does not change.

use memora_claim::{ParsedNote, Statement, StatementKind, anchor_span, split_statements};
use memora_vault::{Note, NotePath, PathContext};

fn note(text: &str) -> Note {
    let path = NotePath::new("git.md").expect("a good path");
    Note::parse(path, text.to_owned(), PathContext::default()).0
}

fn code(text: &str) -> Vec<Statement> {
    split_statements(&note(text)).into_iter().filter(|statement| statement.kind == StatementKind::Code).collect()
}

#[test]
fn a_block_is_cut_where_a_line_is_empty_and_after_twelve_lines() {
    let words = |text: &str| code(text).into_iter().map(|statement| statement.words).collect::<Vec<_>>();
    assert_eq!(words("```\ngit fetch\ngit merge\n\ngit push\n```\n"), ["git fetch git merge", "git push"]);
    let lines: String = (0..30).map(|n| format!("line {n}\n")).collect();
    let pieces = words(&format!("```\n{lines}```\n"));
    assert_eq!(pieces.iter().map(|piece| piece.split(' ').count() / 2).collect::<Vec<_>>(), [12, 12, 6]);
    let line = "x".repeat(1000);
    assert_eq!(words(&format!("```\n{line}\n{line}y\n```\n")), [line]);
    assert_eq!(words("```\n---\n\n}\n```\n"), Vec::<String>::new(), "nothing is said without a letter");
}

#[test]
fn what_it_does_stands_above_it() {
    let parent = |text: &str| code(text).first().and_then(|statement| statement.parent.clone());
    let check = |text: &str, expect: &str| assert_eq!(parent(text).as_deref(), Some(expect), "{text}");
    check("It is long. To undo a commit:\n\n```\ngit reset\n```\n", "To undo a commit:");
    check("- Undo a commit\n  ```\n  git reset\n  ```\n", "Undo a commit");
    assert_eq!(parent("Above.\n\n# Undo\n\n```\ngit reset\n```\n"), None, "under another heading");
    let not = code("If it is not doing what you want:\n\n```\ngit reset\n```\n");
    assert!(!not[0].rejected, "a condition takes nothing back");
}

#[test]
fn a_line_that_is_added_is_an_edit_and_no_move_into_code() {
    let before = ParsedNote::new(note("```\ngit reset --soft\n```\n"));
    let source = anchor_span(&before, before.statements()[0].span);
    let after = ParsedNote::new(note("```\ngit reset --soft\ngit push\n```\n"));
    assert_eq!(source.recheck(&after).map(|_| ()).expect_err("changed").as_str(), "edited");
}

#[test]
fn the_last_words_above_a_list_are_known_by_the_parsed_note() {
    let above = |text: &str, words: &str| {
        let fresh = ParsedNote::new(note(text));
        let statement = fresh.statements().iter().find(|s| s.words == words).expect("the statement is there");
        anchor_span(&fresh, statement.span).recheck(&fresh).expect("it stands").is_list_intro()
    };
    assert!(above("Things to buy\n\n- milk\n", "Things to buy"));
    assert!(above("- Things to buy\n  - milk\n", "Things to buy"));
    assert!(!above("- milk\n- bread\n", "milk"), "an item beside it");
    assert!(!above("It rained\n\n**Bold** words follow.\n", "It rained"));
    assert!(!above("First. Second\n\n- milk\n", "First."), "not the last sentence");
    assert!(!above("Things to buy\n\n# Else\n\n- milk\n", "Things to buy"));
}
