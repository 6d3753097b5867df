//! What is judged, and which citation belongs to what.

use proptest::prelude::*;

use super::*;
use crate::citation::CitationMarker;

fn show(draft: &str) -> Vec<String> {
    split_sentences(draft)
        .into_iter()
        .map(|s| s.citations.iter().fold(s.text, |text, c| format!("{text}<{}>", c.text)))
        .collect()
}

#[test]
fn a_citation_belongs_to_its_sentence_or_the_one_it_follows() {
    for (draft, expect) in [
        ("Ada is big [claim:x]. Cod is dim.", vec!["Ada is big.<[claim:x]>", "Cod is dim."]),
        ("Ada is big. [claim:x] Cod is dim.", vec!["Ada is big.<[claim:x]>", "Cod is dim."]),
        ("Ada is big.[claim:x][claim:y] Cod is dim.", vec!["Ada is big.<[claim:x]><[claim:y]>", "Cod is dim."]),
        ("[claim:x] Ada is big. Cod is dim.", vec!["Ada is big.<[claim:x]>", "Cod is dim."]),
        ("Ada is big [claim:x]. . Cod is dim", vec!["Ada is big..<[claim:x]>", "Cod is dim"]),
        ("これは文です。[claim:x]次の文！終わり", vec!["これは文です。<[claim:x]>", "次の文！", "終わり"]),
        // The row of a table, as an answer quotes it.
        ("- Roof \\| ? \\| 2 years [claim:x]", vec!["Roof |? | 2 years<[claim:x]>"]),
        (
            "Prices rose 4.2 % at 10 a.m. on Monday [claim:x].",
            vec!["Prices rose 4.2 % at 10 a.m. on Monday.<[claim:x]>"],
        ),
    ] {
        assert_eq!(show(draft), expect, "{draft:?}");
    }
}

#[test]
fn every_block_that_holds_text_is_judged() {
    let draft = "# Head [claim:x]\n\n- item one\n  - inner [claim:y]\n\n| a | b |\n|---|---|\n| c | d [claim:z] |\n\n\
        > [!note] Title\n> quoted\n\n```\ncode [claim:q]\n```\n\n<!-- hidden words -->\n\ntext[^1] ![alt words](a.png \
        \"title words\")\n\n[^1]: foot\n\n[ref]: drift \"cancelled\"\n";
    let shown = show(draft);
    assert_eq!(
        shown,
        [
            "Head<[claim:x]>",
            "item one",
            "inner<[claim:y]>",
            "a | b",
            "c | d<[claim:z]>",
            "Title quoted",
            "code [claim:q]",
            "hidden words",
            "text title words alt words",
            "foot",
            "[ref] drift cancelled",
        ]
    );
}

#[test]
fn a_citation_must_be_written_letter_by_letter() {
    let id = "7h3kq0v9x2ma";
    for draft in [
        format!("A &#91;claim:{id}]"),
        format!("A [claim&colon;{id}]"),
        format!("A \\[claim:{id}]"),
        format!("A [cl**ai**m:{id}]"),
        format!("A [claim:{id}](http://a.b)"),
        format!("A [[claim:{id}]]"),
        format!("A ![[claim:{id}]]"),
        format!("A <claim:{id}>"),
        format!("A [b](claim:{id})"),
        format!("A [claim:{id}]\n\n[claim:{id}]: http://a.b"),
        format!("A [claim:`{id}`]"),
    ] {
        let markers: Vec<CitationMarker> =
            split_sentences(&draft).into_iter().flat_map(|s| s.citations).map(|c| c.marker).collect();
        assert!(
            !markers.is_empty() && markers.iter().all(|m| *m == CitationMarker::Malformed),
            "{draft:?} {markers:?}"
        );
    }
    assert_eq!(split_sentences(&format!("A `[claim:{id}]`"))[0].citations, []);
}

proptest! {
    #[test]
    fn any_text_is_cut_on_character_boundaries_and_keeps_its_words(
        draft in r"(\PC|\[claim:7h3kq0v9x2ma\]|word|\. |\n|\n\n|# |- |\||> |`|<|é|。|\*){0,40}"
    ) {
        for sentence in split_sentences(&draft) {
            prop_assert!(draft.get(sentence.range.clone()).is_some());
            for citation in &sentence.citations {
                prop_assert!(draft.get(citation.range.clone()).is_some());
            }
        }
    }

    #[test]
    fn no_word_of_a_paragraph_is_lost(words in prop::collection::vec("[a-zé]{1,5}[.!?]?", 1..20)) {
        let draft = words.join(" ");
        let kept: Vec<String> = split_sentences(&draft).into_iter().map(|s| s.text).collect();
        prop_assert_eq!(kept.join(" "), draft);
    }
}
