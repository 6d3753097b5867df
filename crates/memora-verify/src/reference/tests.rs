//! What cites beside markers, and by which words of a long note a sentence is judged.

use memora_claim::{ClaimId, ParsedNote, anchor_span};
use memora_vault::{Note, NotePath, PathContext as At};

use super::*;
use crate::citation::CitedLink;
use crate::evidence::{CitationFailure, CitationResolution, Evidence};
use crate::report::VerificationReport;
use crate::{ModelFinding, ReportStatus, check_text};

/// Notes in memory: links lead to a note by its title, quotations stand where they stand letter by letter.
pub(crate) struct Notes(Vec<ParsedNote>);

impl Notes {
    pub(crate) fn of(notes: &[(&str, &str)]) -> Self {
        let read = |(title, text): &(&str, &str)| {
            let path = NotePath::new(format!("{title}.md")).expect("a good path");
            ParsedNote::new(Note::parse(path, (*text).to_owned(), At::default()).0)
        };
        Self(notes.iter().map(read).collect())
    }

    fn parts(note: &ParsedNote, holds: impl Fn(&str) -> bool) -> Vec<Vec<CitedPassage>> {
        let parts = note.statements().chunk_by(|a, b| a.part == b.part);
        let passage = |s: &memora_claim::Statement| {
            holds(&s.words)
                .then(|| CitedPassage::from_rechecked(&anchor_span(note, s.span).recheck(note).expect("it stands")))
        };
        parts.map(|part| part.iter().filter_map(passage).collect::<Vec<_>>()).filter(|part| !part.is_empty()).collect()
    }
}

impl Evidence for Notes {
    fn resolve_id(&self, id: &ClaimId) -> CitationResolution {
        let note =
            self.0.iter().find_map(|note| Some((note, note.statements().iter().find(|s| s.id == id.statement())?)));
        note.map_or(CitationResolution::Failed(CitationFailure::UnknownId), |(note, statement)| {
            CitationResolution::Resolved(CitedPassage::from_rechecked(
                &anchor_span(note, statement.span).recheck(note).expect("it stands"),
            ))
        })
    }

    fn resolve_handle(&self, _: &str) -> CitationResolution {
        CitationResolution::Failed(CitationFailure::Redacted)
    }
}

impl PlaceResolver for Notes {
    fn resolve_link(&self, link: &CitedLink) -> PlaceResolution {
        match link.target.as_str() {
            "Secret" => return PlaceResolution::Failed(CitationFailure::Redacted),
            "Twice" => return PlaceResolution::Failed(CitationFailure::Ambiguous),
            _ => {}
        }
        let found = self.0.iter().find(|note| {
            note.note().title() == link.target || note.note().path().as_str() == format!("{}.md", link.target)
        });
        let parts = found.map(|note| Self::parts(note, |_| true)).unwrap_or_default();
        if parts.is_empty() {
            PlaceResolution::Failed(CitationFailure::UnknownPlace)
        } else {
            PlaceResolution::Resolved(parts)
        }
    }

    fn resolve_quote(&self, quote: &CitedQuote) -> PlaceResolution {
        let is_meant = |note: &&ParsedNote| quote.note.as_ref().is_none_or(|name| note.note().title() == name);
        let words = quote.words.trim().trim_end_matches('.');
        let parts: Vec<_> =
            self.0.iter().filter(is_meant).flat_map(|note| Self::parts(note, |said| said.contains(words))).collect();
        if parts.is_empty() {
            PlaceResolution::Failed(CitationFailure::UnknownPlace)
        } else {
            PlaceResolution::Resolved(parts)
        }
    }
}

pub(crate) const DRIFT: &str = "# Plan\n\nAnna moved drift from March to May. The release needs two reviewers.\n\n\
    Bruno left in June.\n\n- Carla owns the parser.\n";

pub(crate) fn notes() -> Notes {
    Notes::of(&[
        ("Drift", DRIFT),
        ("Speed", "A drift query takes 40 ms on two nodes.\n"),
        ("会議", "会議は三月に延期された。\n"),
    ])
}

fn show(report: &VerificationReport) -> Vec<String> {
    let line = |s: &crate::CheckedSentence| {
        s.citations().iter().fold(s.verdict().to_string(), |line, c| format!("{line} {}", c.verdict()))
    };
    report.sentences().iter().map(line).collect()
}

/// Checks the verdict of every sentence and of its citations.
#[track_caller]
fn check(text: &str, expect: &[&str]) {
    assert_eq!(show(&check_text(text, &[], &notes())), expect, "{text}");
}

#[test]
fn the_rows_of_a_table_are_judged_with_its_head() {
    let table = |head: &str, row: &str| format!("| {head} |\n|---|---|---|\n| {row} |\n");
    check(&table("Who | Owns | Source", "Carla | the parser | [[Drift]]"), &["exempt", "paraphrased verified"]);
    check(&table("Who | Left in | Source", "Bruno | May | [[Drift]]"), &["uncited", "contradicted verified"]);
    // A fact in the head is a fact of every row.
    check(&table("Query | 40 ms | Source", "drift | two nodes | [[Speed]]"), &["exempt", "paraphrased verified"]);
    check(&table("Query | 80 ms | Source", "drift | two nodes | [[Speed]]"), &["uncited", "contradicted verified"]);
    check(&table("Query | on two nodes | 80 ms", "drift [[Speed]] | | "), &["uncited", "contradicted verified"]);
    check(
        &table("Fired for fraud | Stole | Source", "Carla | the parser | [[Drift]]"),
        &["uncited", "paraphrased verified"],
    );
    check(
        &table("Who | Does not own | Source", "Carla | the parser | [[Drift]]"),
        &["uncited", "paraphrased verified"],
    );
    check(
        &table("Bruno owns the parser | b | c", "Carla | the parser | [[Drift]]"),
        &["uncited", "paraphrased verified"],
    );
}

#[test]
fn a_link_in_markdown_cites_its_note() {
    check("As [the plan](Drift.md) says, Anna moved drift from March to May.", &["paraphrased verified"]);
    check("Anna moved drift from March to May ([Drift](Drift.md)).", &["quoted verified"]);
    check("Anna moved drift from March to May ([see](./Drift.md#Plan)).", &["quoted verified"]);
    check("Anna moved drift from March to May ([see](Drift.md#Pl%61n)).", &["quoted verified"]);
    check("Anna moved drift from March to May ([Drift](Drift.md \"for a bribe\")).", &["uncited"]);
    // Words of its own may say anything.
    check("Anna moved drift from March to May ([and back](Drift.md)).", &["paraphrased verified"]);
    check("Anna moved drift from March to May ([plan](https://example.org/Drift.md)).", &["uncited"]);
    check("Anna moved drift from March to May ([plan](Nothing.md)).", &["rejected unknown_place"]);
}

#[test]
fn a_link_cites_its_note() {
    check("Anna moved drift from March to May [[Drift]].", &["quoted verified"]);
    check("Anna moved drift from March to May ([[Drift]]).", &["quoted verified"]);
    check("Anna moved drift from March to May (see [[Drift|source]]).", &["quoted verified"]);
    check("Anna moved drift from March to May. [[Drift]]", &["quoted verified"]);
    check("Anna moved drift from March to May. [[Drift]] [[Speed]]", &["quoted verified verified"]);
    check("Anna moved [[Drift|drift]] from March to May.", &["quoted verified"]);
    check(
        "Bruno left in June. [[Drift]] [[Speed]]\nCarla owns the parser ([[Drift]]).",
        &["quoted verified verified", "quoted verified"],
    );
    check("Bruno left in June. [[Drift]]\nCarla owns the parser. [[Drift]]", &["quoted verified"; 2]);
    check("会議は三月に延期された。[[会議]]", &["quoted verified"]);
    check("- Anna moved drift from March to May [[Drift]]\n- Bruno left in June [[Drift]]", &["quoted verified"; 2]);
}

#[test]
fn a_link_bears_out_nothing_that_its_note_does_not_say() {
    check("Anna moved drift from May to March ([[Drift]]).", &["contradicted verified"]);
    check("Anna did not move drift from March to May [[Drift]].", &["contradicted verified"]);
    check("A drift query takes 400 ms on two nodes [[Speed]].", &["contradicted verified"]);
    check("A drift query takes 40 ms on two nodes [[Drift]].", &["unsupported verified"]);
}

#[test]
fn statements_that_stand_apart_prove_nothing_together() {
    check("Anna moved drift from March to May and Bruno left in June [[Drift]].", &["paraphrased verified"]);
    check("Anna moved drift from March to May and Bruno left in July [[Drift]].", &["unsupported verified"]);
    check("Anna left in June ([[Drift]]).", &["contradicted verified"]);
    check("Carla moved drift from March to May ([[Drift]]).", &["contradicted verified"]);
}

#[test]
fn neighbours_in_a_paragraph_belong_together() {
    check(
        "Anna moved drift from March to May, and the release needs two reviewers ([[Drift]]).",
        &["paraphrased verified"],
    );
    check(
        "Anna moved drift from March to May, and the parser needs two reviewers ([[Speed]]).",
        &["unsupported verified"],
    );
}

#[test]
fn what_ends_a_sentence_may_be_one_of_its_words() {
    let notes = Notes::of(&[("Bruno", "Anna was met at noon.\n")]);
    let said = |text: &str| check_text(text, &[], &notes).sentences()[0].judged_text().to_owned();
    assert_eq!(said("Anna was met by [[Bruno]]."), "Anna was met by Bruno.");
    assert_eq!(said("Anna was met at noon [[Bruno]]."), "Anna was met at noon.");
}

/// Where it names again what the sentence names, or stands behind a number, it can hardly be one of its words.
#[test]
fn a_link_that_ends_a_true_paraphrase_cites() {
    let notes = Notes::of(&[
        ("Anna Brandt", "Anna works at Tidewell as a hydrologist since May 2025.\n"),
        ("Divers", "Anna works with 5 boats.\n"),
        ("Daily/2025-10-14", "Tom swam in the cold lake at noon.\n"),
    ]);
    let id = notes.0[0].statements()[0].id;
    let said = |text: &str| {
        let report = check_text(&text.replace("ID", id.as_str()), &[], &notes);
        let sentence = &report.sentences()[0];
        format!("{}: {}", sentence.verdict(), sentence.judged_text())
    };
    let expect = "paraphrased: Anna works at Tidewell since May 2025.";
    assert_eq!(said("Anna works at Tidewell since May 2025 [[Anna Brandt]]."), expect);
    assert_eq!(said("Anna works at Tidewell since May 2025 [[Anna Brandt]] [claim:ID]."), expect);
    assert_eq!(said("Anna works at Tidewell [[Anna Brandt]]."), "paraphrased: Anna works at Tidewell.");
    assert_eq!(
        said("At noon Tom swam in the cold lake [[Daily/2025-10-14]]."),
        "paraphrased: At noon Tom swam in the cold lake."
    );
    for (wrong, expect) in [
        ("Tom swam in the cold lake at [[Daily/2025-10-14]].", "unsupported"),
        ("Anna works at Tidewell since May 2024 [[Anna Brandt]].", "contradicted"),
        ("Anna works at Tidewell with 5 [[Divers]] [claim:ID].", "unsupported"),
        // One word too many: nothing is proven, and all of it is shown.
        ("Anna works at Tidewell without [[Anna Brandt]].", "paraphrased"),
        ("Anna works at Tidewell since May 2025 [[Anna the liar]] [claim:ID].", "paraphrased"),
        ("Anna works at Tidewell since May 2025 [[Anna Brandt|Anna the liar]] [claim:ID].", "paraphrased"),
    ] {
        let found = said(wrong);
        assert!(found.starts_with(expect), "{wrong}: {found}");
        assert!(
            expect != "paraphrased" || found.ends_with("liar.") || found.ends_with("without Anna Brandt."),
            "{found}"
        );
    }
}

#[test]
fn a_link_beside_another_citation_is_a_mention() {
    let id = notes().0[0].statements()[0].id;
    check(&format!("Anna moved drift from March to May [claim:{id}], see [[Nobody]]."), &["unsupported verified"]);
    check(&format!("Anna moved [[Drift|drift]] from March to May [claim:{id}]."), &["quoted verified"]);
}

#[test]
fn a_link_that_leads_nowhere_is_said() {
    check("Anna moved drift from March to May [[Nobody]].", &["rejected unknown_place"]);
    check("Anna moved drift from March to May ([[Twice]]).", &["rejected ambiguous"]);
    check("Anna moved drift from March to May ([[Secret]]).", &["rejected redacted"]);
    check("Anna moved drift from March to May ([[Drift]], [[Secret]]).", &["rejected verified redacted"]);
    check("Anna moved drift from March to May ([[Drift]], [[Nobody]]).", &["quoted verified unknown_place"]);
    assert_eq!(
        check_text("Anna moved drift from March to May ([[Drift]], [[Nobody]]).", &[], &notes()).status(),
        ReportStatus::Partial
    );
}

#[test]
fn names_of_notes_alone_say_nothing_and_what_is_no_name_does() {
    check("- [[Drift]]\n- See also [[Speed]] and [[Drift]]", &["exempt verified", "exempt verified verified"]);
    check("- [[The moon is made of cheese]]", &["rejected unknown_place"]);
    check("- [[Drift|the moon is made of cheese]]", &["unsupported verified"]);
    check("Anna moved drift from March to May. [[Drift|The moon is cheese]]", &["uncited", "unsupported verified"]);
}

#[test]
fn headings_and_questions_do_not_cite_by_links() {
    check("# [[Drift]]\n\nDoes [[Nobody]] know?", &["uncited", "uncited"]);
}

#[test]
fn a_footnote_cites_what_its_definition_names() {
    let id = notes().0[0].statements()[0].id;
    for definition in [
        format!("[claim:{id}]"),
        "[[Drift]]".to_owned(),
        "see [[Drift]]".to_owned(),
        "\"Anna moved drift from March to May.\"".to_owned(),
    ] {
        let text = |sentence: &str| format!("{sentence}\n\n[^1]: {definition}\n");
        let first = |text: &str| show(&check_text(text, &[], &notes())).first().cloned().unwrap_or_default();
        for good in ["Anna moved drift from March to May.[^1]", "Anna moved drift from March to May[^1]."] {
            assert_eq!(first(&text(good)), "quoted verified", "{definition}");
        }
        assert_eq!(first(&text("Carla moved drift from March to May.[^1]")), "contradicted verified", "{definition}");
    }
    check(
        "Anna moved drift from March to May.[^1] The moon is cheese.\n\n[^1]: [[Drift]]",
        &["quoted verified", "uncited", "exempt verified"],
    );
    check("Anna moved drift from March to May.[^1]\n\n[^1]: Anna said so.", &["uncited", "uncited"]);
    check("Anna moved drift from March to May.[^x]\n\n[^1]: [[Drift]]", &["uncited", "exempt verified"]);
}

#[test]
fn quoted_words_are_found_without_a_citation() {
    check("> Anna moved drift from March to May.", &["quoted verified"]);
    check("It says “Anna moved drift from March to May”.", &["quoted verified"]);
    check("According to the plan, \"Bruno left in June.\"", &["quoted verified"]);
    check("It does not say \"Anna moved drift from March to May\".", &["paraphrased verified"]);
    check("Carla says \"Bruno left in June\".", &["unsupported verified"]);
    let notes = Notes::of(&[("Bruno", "# Not now\n\nAnna stayed in June.\n")]);
    for text in ["Bruno says \"Anna stayed in June\".", "It does not say \"Anna stayed in June\"."] {
        assert_eq!(show(&check_text(text, &[], &notes)), ["paraphrased verified"], "{text}");
    }
    check("It says \"the moon is made of cheese\".", &["uncited"]);
    check("Two words are \"drift from\" everywhere.", &["uncited"]);
    check("> The moon is made of cheese.", &["uncited"]);
}

#[test]
fn words_that_stand_in_several_places_are_told_so() {
    let notes = Notes::of(&[("A", "Bruno left in June.\n"), ("B", "Bruno left in June, Anna stayed.\n")]);
    let report = check_text("It says \"Bruno left in June\".", &[], &notes);
    assert_eq!(show(&report), ["quoted verified"]);
    assert_eq!(report.sentences()[0].citations()[0].place_count(), 2);
}

#[test]
fn citations_beside_the_text_belong_to_the_sentences_they_touch() {
    let quote = |words: &str, note: Option<&str>| CitedQuote { words: words.to_owned(), note: note.map(str::to_owned) };
    let text = "Carla owns the parser. Bruno left in June.";
    let given = [(0..22, quote("Carla owns the parser. ", Some("Drift")))];
    assert_eq!(show(&check_text(text, &given, &notes())), ["quoted verified", "uncited"]);
    let text_with_lead = "According to your notes, Carla owns the parser.";
    let given = [(25..47, quote("Carla owns the parser.", None))];
    assert_eq!(show(&check_text(text_with_lead, &given, &notes())), ["quoted verified"]);
    let given = [(0..22, quote("Bruno left in June.", None)), (22..42, quote("no such words", Some("Drift")))];
    assert_eq!(show(&check_text(text, &given, &notes())), ["unsupported verified", "rejected unknown_place"]);
}

#[test]
fn a_model_lifts_wording_and_takes_down_and_overrules_no_fact() {
    let text =
        "Bruno left in June ([[Drift]]). Bruno left in May ([[Drift]]). In June Bruno said farewell ([[Drift]]).";
    let verdicts = |report: &VerificationReport| {
        show(report).into_iter().map(|line| line.replace(" verified", "")).collect::<Vec<_>>()
    };
    let mut report = check_text(text, &[], &notes());
    assert_eq!(verdicts(&report), ["quoted", "contradicted", "paraphrased"]);
    for (sentence, evidence) in
        [(0, "Bruno left"), (1, "Bruno left"), (2, "Bruno stays here now"), (2, ""), (7, "Bruno left")]
    {
        report.mark_entailed(sentence, evidence, "model");
    }
    assert_eq!(
        verdicts(&report),
        ["quoted", "contradicted", "paraphrased"],
        "nothing that is grounded and only paraphrased"
    );
    report.mark_entailed(2, "Bruno left in June", "model");
    report.mark_unsupported(0, "June");
    report.mark_unsupported(1, "May");
    report.mark_unsupported(7, "");
    assert_eq!(verdicts(&report), ["unsupported", "contradicted", "entailed"]);
    let found: Vec<_> = report.sentences().iter().map(|sentence| sentence.model_finding().cloned()).collect();
    let (model, evidence) = ("model".to_owned(), "Bruno left in June".to_owned());
    let entailed = ModelFinding::Entailed { model, evidence };
    let june = ModelFinding::NotSaid { words: "June".to_owned(), range: Some(14..18) };
    assert_eq!(found, [Some(june), None, Some(entailed)]);
}

proptest::proptest! {
    #[test]
    fn any_text_is_judged_and_what_stands_was_re_read(
        text in r#"(\[\[Drift\]\]|\[\[No\|x\]\]|\[\^1\]|\n\n\[\^1\]: |"Bruno left in June"|Bruno left in June|> |# |\. |\(|\)|\n|é|[a-z ]){0,24}"#
    ) {
        let report = check_text(&text, &[(0..text.len() / 2, CitedQuote { words: "Bruno left".to_owned(), note: None })], &notes());
        for sentence in report.sentences() {
            proptest::prop_assert!(text.get(sentence.range()).is_some());
            let stands = sentence.citations().iter().any(|c| c.verdict().is_valid() && !c.passages().is_empty());
            proptest::prop_assert!(!sentence.verdict().is_kept() || stands);
        }
    }
}

/// A true sentence over two items of a list is a paraphrase of both; one with a fact of neither is not.
#[test]
fn a_sentence_over_several_statements_of_a_note_is_paraphrased() {
    let list = "- npm starts in 170 ms\n- installs take an hour\n- bun starts in 6 ms on the same laptop\n";
    let notes = Notes::of(&[("Tools", list)]);
    for (text, verdict, passages) in [
        ("npm starts in 170 ms and bun starts in 6 ms [[Tools]].", "paraphrased", 2),
        ("npm starts in 170 ms and bun starts in 9 ms [[Tools]].", "contradicted", 1),
        ("npm starts in 170 ms and deno starts in 6 s [[Tools]].", "contradicted", 1),
    ] {
        let report = check_text(text, &[], &notes);
        let sentence = &report.sentences()[0];
        assert_eq!(
            (sentence.verdict().as_str(), sentence.citations()[0].passages().len()),
            (verdict, passages),
            "{text}"
        );
    }
}

/// A note's name behind a sentence in another language is not one of its words.
#[test]
fn a_link_behind_a_german_sentence_is_no_word_of_it() {
    let notes = Notes::of(&[("End of Localhost", "Palantir reported a 41% decrease in overall costs.\n")]);
    let text = "Palantir meldete 41 % Kostenersparnis durch entfernte Arbeitsumgebungen [[End of Localhost]].";
    assert_eq!(check_text(text, &[], &notes).sentences()[0].verdict().as_str(), "paraphrased");
}
