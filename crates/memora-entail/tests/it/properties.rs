//! What holds of any text: nothing panics, and reasons stand where they say.

use memora_entail::{Premise, Verdict, judge};
use proptest::prelude::*;

/// Pieces that readers look for, so that random texts reach them.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "5",
        "5.5",
        "1,200",
        "3/4",
        "½",
        "ß",
        "é",
        "’s",
        "n't",
        "isn’t",
        "cannot",
        "$",
        "€",
        "%",
        "k",
        "M",
        "MB",
        "°",
        "C",
        "Mar",
        "12",
        "2026",
        "-",
        "02",
        "03",
        "/",
        ":",
        "14:20",
        "pm",
        "half",
        "past",
        "a third of",
        "one",
        "in",
        "ten",
        "hundred",
        "and",
        "not",
        "no",
        "only",
        "if",
        ",",
        ".",
        ";",
        "\n",
        "|",
        "(",
        ")",
        "\"",
        "“",
        "”",
        "→",
        "=",
        "You",
        "I",
        "Kant",
        "GDR",
        "東京",
        "は",
        "nicht",
        "über",
        "next Friday",
        "the 10th",
        "w/o",
        "99999999999999999999",
    ]);
    let space = prop::sample::select(vec!["", " ", " ", " "]);
    prop_oneof![
        prop::collection::vec((pieces, space), 0..24)
            .prop_map(|parts| parts.into_iter().map(|(piece, space)| format!("{piece}{space}")).collect()),
        any::<String>(),
    ]
}

#[test]
fn long_and_repetitive_texts_end() {
    let cases =
        [("a, and ", 400), ("(5 MB, not 5) ", 300), ("you and, ", 400), ("12 Apr: no. ", 300), ("\"I\" says ", 300)];
    for (piece, times) in cases {
        let words = piece.repeat(times);
        let premise = Premise::new(&words).with_context(&["a", "2026-02-03"]);
        for sentence in [piece.repeat(times), piece.repeat(20), format!("{}not x", piece.repeat(20))] {
            let judged = judge(&sentence, &[&premise, &premise]);
            assert!((0.0..=1.0).contains(&judged.score()));
        }
    }
}

#[test]
fn nothing_is_borne_out_by_nothing() {
    assert_eq!(judge("Drift is late.", &[]).verdict(), Verdict::Unsupported);
    assert_eq!(judge("", &[&Premise::new("Drift is late.")]).verdict(), Verdict::Unsupported);
}

proptest! {
    #[test]
    fn any_texts_are_judged(sentence in texts(), words in texts(), context in texts()) {
        let premise = Premise::new(&words).with_context(&[context.as_str(), "2026-02-03"]).with_aliases(&[context.as_str()]);
        let judged = judge(&sentence, &[&premise]);
        prop_assert!((0.0..=1.0).contains(&judged.score()));
        for reason in judged.reasons() {
            prop_assert_eq!(sentence.get(reason.range()), Some(reason.words()));
        }
        let contradicted = judged.reasons().first().is_some_and(|reason| reason.is_contradiction());
        prop_assert_eq!(judged.verdict() == Verdict::Contradicted, contradicted);
    }

    #[test]
    fn a_sentence_is_its_own_quotation(sentence in "[A-Z][a-z]{2,8}( [a-z]{2,8}){2,8}\\.") {
        prop_assert_eq!(judge(&sentence, &[&Premise::new(&sentence)]).verdict(), Verdict::Quoted);
    }
}
