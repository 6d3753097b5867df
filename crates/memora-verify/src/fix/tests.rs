//! What stands is left byte for byte; what does not stand is gone for good.

use super::*;
use crate::check_text;
use crate::reference::tests::{Notes, notes};

fn verdicts(text: &str, notes: &Notes) -> Result<VerificationReport, std::convert::Infallible> {
    Ok(check_text(text, &[], notes))
}

#[track_caller]
fn check(text: &str, expect: &str) {
    let notes = notes();
    let Ok(cut) = remove_unsupported(text, |text| verdicts(text, &notes));
    assert_eq!(cut, expect, "{text}");
}

const GOOD: &str = "Anna moved drift from March to May ([[Drift]]).";

#[test]
fn what_stands_is_left_byte_for_byte() {
    for text in [
        format!("{GOOD}\r\n\r\n*  {GOOD}\r\n\r\n[^1]: [[Drift]]\r\n"),
        format!("---\n\n**{GOOD}**  \n\n\n> {GOOD}\n\n- [ ] {GOOD}\n"),
        "- [[Drift]]\n- [[Speed]]".to_owned(),
    ] {
        check(&text, &text);
    }
}

#[test]
fn a_sentence_goes_and_its_neighbours_stay() {
    check(&format!("The moon is cheese. {GOOD} Cheese is the moon.\n"), &format!("{GOOD}\n"));
    check(&format!("{GOOD} **The moon is cheese.** {GOOD}"), &format!("{GOOD} {GOOD}"));
    check(
        &format!("{GOOD} The moon is cheese [claim:7h3kq0v9x2ma].[^1]\nIt is.\n\n[^1]: [[Drift]]\n"),
        &format!("{GOOD}\n\n[^1]: [[Drift]]\n"),
    );
}

#[test]
fn a_line_that_says_nothing_any_more_goes_with_its_words() {
    check(&format!("- {GOOD}\n- The moon is cheese.\n- [x] It is.\n1. It is so.\n"), &format!("- {GOOD}\n"));
    check(&format!("# The moon\n\n{GOOD}\n\n> It is cheese.\n"), &format!("\n{GOOD}\n\n"));
}

#[test]
fn a_table_stays_one_or_goes() {
    let (head, moon) = ("| What | Where |\n|---|---|\n", "| The moon | cheese |\n");
    let row = format!("| {GOOD} | |\n");
    check(&format!("{head}{row}{moon}"), &format!("{head}{row}"));
    check(&format!("{GOOD}\n\n{head}{moon}{moon}\n{GOOD}\n"), &format!("{GOOD}\n\n\n{GOOD}\n"));
    // What its head asserts is judged, and a table without its head is none.
    let told = "| Carla owns the moon | Where |\n|---|---|\n";
    check(&format!("{GOOD}\n\n{told}{row}"), &format!("{GOOD}\n\n"));
}

#[test]
fn what_is_hidden_goes_too() {
    check(
        &format!("{GOOD}\n\n```text\nThe moon is cheese.\nIt is.\n```\n\n{GOOD}\n"),
        &format!("{GOOD}\n\n\n{GOOD}\n"),
    );
    check(&format!("{GOOD}\n\n<!-- The moon is cheese. -->\n\n{GOOD}\n"), &format!("{GOOD}\n\n\n{GOOD}\n"));
    check(&format!("{GOOD} ![The moon is cheese](x.png)\n"), &format!("{GOOD}\n"));
}

#[test]
fn a_citation_that_fails_beside_one_that_stands_goes_alone() {
    check("Bruno left in June ([[Drift]], [[Nobody]]).", "Bruno left in June ([[Drift]], ).");
    let id = "[claim:7h3kq0v9x2ma]";
    let bruno = "Bruno left in June.";
    let text = format!("{bruno} {id}[^1]\n\n[^1]: [[Drift]]\n");
    check(&text, &format!("{bruno} [^1]\n\n[^1]: [[Drift]]\n"));
}

#[test]
fn a_list_of_ids_stays_one() {
    for (list, bad, expect) in [
        ("x [claim:aaaaaaaaaaaa, bbbbbbbbbbbb].", 3..21, "x [claim:bbbbbbbbbbbb]."),
        ("x [claim:aaaaaaaaaaaa, claim:bbbbbbbbbbbb].", 3..21, "x [claim:bbbbbbbbbbbb]."),
        ("x [claim:aaaaaaaaaaaa; bbbbbbbbbbbb].", 23..35, "x [claim:aaaaaaaaaaaa]."),
    ] {
        let TextEdit { range, with } = list_marker_edit(list, bad);
        let mut cut = list.to_owned();
        cut.replace_range(range, with);
        assert_eq!(cut, expect, "{list}");
    }
}

#[test]
fn marks_are_put_behind_what_does_not_stand_and_nothing_else_changes() {
    let text =
        format!("The moon is cheese. {GOOD}\n\n- Bruno left ([[Drift]], [[Nobody]]).\n\n```\ncode says so\n```\n");
    let marked = annotate_verdicts(&text, &check_text(&text, &[], &notes()));
    assert_eq!(
        marked,
        format!(
            "The moon is cheese. [memora: uncited] {GOOD}\n\n- Bruno left ([[Drift]], [[Nobody]] [memora: unknown_place]). [memora: paraphrased]\n\n\
             ```\ncode says so [memora: uncited]\n```\n"
        )
    );
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_left_has_nothing_to_remove_and_marks_can_be_taken_out(
        text in r#"(Bruno left in June \(\[\[Drift\]\]\)\. |The moon is cheese\. |\[\[Drift\]\]|\[\[No\]\]|\[claim:7h3kq0v9x2ma, claim:abc\]|\[\^1\]|\n\n\[\^1\]: |"Bruno left in June" |\*\*|> |# |- |1\. |```|<!--|-->|\n|\n\n|\|é|\| |---|\t|`|[a-z ]){0,30}"#
    ) {
        let notes = notes();
        let Ok(cut) = remove_unsupported(&text, |text| verdicts(text, &notes));
        let report = check_text(&cut, &[], &notes);
        proptest::prop_assert!(collect_edits(&cut, &report).is_empty(), "{cut:?}");
        let bare = without_marks(&annotate_verdicts(&text, &check_text(&text, &[], &notes)));
        proptest::prop_assert_eq!(bare, text);
    }
}

/// A text without marks.
fn without_marks(marked: &str) -> String {
    let mut rest = marked;
    let mut out = String::new();
    while let Some((before, behind)) = rest.split_once(" [memora: ") {
        out.push_str(before);
        rest = behind.split_once(']').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}
