//! How a text is cut into tokens.

use std::ops::Range;

use memora_nlp::tokenize_treebank;
use proptest::prelude::*;

fn check_with(text: &str, solid: &[Range<usize>], expected: &str) {
    let cut: Vec<&str> = tokenize_treebank(text, solid).into_iter().filter_map(|token| text.get(token)).collect();
    assert_eq!(cut.join(" | "), expected);
}

fn check(text: &str, expected: &str) {
    check_with(text, &[], expected);
}

#[test]
fn punctuation_stands_alone() {
    check("Well, (so) what?!", "Well | , | ( | so | ) | what | ? | !");
    check("wait ... -- ***", "wait | ... | -- | ***");
}

#[test]
fn clitics_are_split_off() {
    check("don't can't we’ll I'm Anna's", "do | n't | ca | n't | we | ’ll | I | 'm | Anna | 's");
    check("Cannot o'clock 's", "Can | not | o'clock | ' | s");
}

#[test]
fn hyphens_stand_alone_between_letters() {
    check("hi-tech co-founder 2024-03-12 x-", "hi | - | tech | co-founder | 2024-03-12 | x | -");
}

#[test]
fn numbers_names_and_addresses_stay_whole() {
    check("$4,000.50 at 10:30, v1.2.3", "$ | 4,000.50 | at | 10:30 | , | v1.2.3");
    check("e.g. Dr. Who of R&D in C#", "e.g. | Dr. | Who | of | R&D | in | C#");
    check("see https://a.b/c?d=e, a@b.cd; ~/x/y.", "see | https://a.b/c?d=e | , | a@b.cd | ; | ~/x/y | .");
    check("std::fmt::Write.", "std::fmt::Write | .");
    check("::", ": | :");
}

#[test]
fn a_solid_range_is_one_token() {
    check_with("use `a b`, [[C D]]'s", &[4..9, 11..18], "use | `a b` | , | [[C D]] | 's");
    check_with("x[[Á]]y [[B]]'t", &[1..7, 9..14], "x | [[Á]] | y | [[B]] | ' | t");
}

#[test]
fn a_range_that_cannot_be_solid_is_not_heeded() {
    check_with("ab Áé", &[1..1, 4..5, 1..99], "ab | Áé");
    check_with("abcd", &[1..3, 2..4, 0..1], "a | bc | d");
}

/// Text with what the rules look for.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z]{1,6}",
        "[0-9]{1,3}",
        r"\PC",
        "[ .,;:!?'’/+#&*@_~=-]",
        Just("://".to_owned()),
        Just("n't".to_owned()),
        Just("cannot".to_owned()),
        Just("İ'S".to_owned()),
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn tokens_are_ranges_in_order_with_all_that_is_no_white_space(
        text in texts(),
        edges in proptest::collection::btree_set(0_usize..80, 0..8),
    ) {
        let edges: Vec<usize> = edges.into_iter().collect();
        let solid: Vec<Range<usize>> = edges.as_chunks().0.iter().map(|[start, end]| *start..*end).collect();
        let cut = tokenize_treebank(&text, &solid);
        let mut done = 0;
        for token in &cut {
            prop_assert!(token.start >= done && !token.is_empty());
            prop_assert!(text.get(token.clone()).is_some());
            prop_assert!(text.get(done..token.start).is_some_and(|gap| gap.chars().all(char::is_whitespace)));
            done = token.end;
        }
        prop_assert!(text.get(done..).is_some_and(|rest| rest.chars().all(char::is_whitespace)));
        for range in solid.into_iter().filter(|range| text.get(range.clone()).is_some()) {
            prop_assert!(cut.contains(&range));
        }
    }
}

/// One word without an end, and every sign that a rule looks back from.
#[test]
fn a_long_text_takes_no_longer_than_its_length() {
    for piece in ["a", "a.", "e-", "1,", "'", "n't", "::", "İ", "a&A", "..", " "] {
        let text = piece.repeat(100_000);
        assert!(tokenize_treebank(&text, &[]).len() <= text.len());
    }
}
