//! The probe of sixteen answers, and the rules for verdicts.

use std::collections::BTreeMap;

use memora_claim::{ClaimId, ParsedNote, SourceChange, anchor_span};
use memora_vault::{Band, Note, NotePath, PathContext};

use super::*;
use crate::report::{ReportStatus, Strictness};
use memora_entail::ReasonKind;

/// Evidence made of words, for the tests of this crate.
struct Notes(BTreeMap<String, CitationResolution>);

impl Evidence for Notes {
    fn resolve_id(&self, id: &ClaimId) -> CitationResolution {
        let finding = self.0.get(id.statement().as_str()).cloned();
        finding.unwrap_or(CitationResolution::Failed(CitationFailure::UnknownId))
    }

    fn resolve_handle(&self, handle: &str) -> CitationResolution {
        self.0.get(&format!("~{handle}")).cloned().unwrap_or(CitationResolution::Failed(CitationFailure::UnknownId))
    }
}

const DRIFT: &str = "7h3kq0v9x2ma";
const QUERY: &str = "0d1stq4mery2";
const MIA: &str = "m1a000000009";
const SECRET: &str = "s3cr3t000009";
const JAPAN: &str = "jp0000000001";

fn notes() -> Notes {
    let passage = |path: &str, words: &str, context: &[&str], band| {
        CitationResolution::Resolved(CitedPassage::for_test(path, words, context, band))
    };
    let public = Band::Public;
    let mut found = BTreeMap::new();
    let mut put = |id: &str, finding| found.insert(id.to_owned(), finding);
    put(DRIFT, passage("drift.md", "Anna moved drift from March to May because Bruno left.", &["Drift"], public));
    put(QUERY, passage("speed.md", "A **drift** query takes 40 ms on two nodes.", &["Speed"], public));
    put(MIA, passage("people/Zoë.md", "leads the café team", &["Zoë Müller"], Band::Private));
    put(SECRET, passage("pay.md", "Zoë earns 90 euros.", &["Pay"], Band::Secret));
    put(JAPAN, passage("計画.md", "会議は三月に延期された。", &["計画"], public));
    put("changed00001", CitationResolution::Failed(CitationFailure::Changed(SourceChange::Struck)));
    put("m1ss1ng00001", CitationResolution::Failed(CitationFailure::MissingNote));
    put("w1thdrawn001", CitationResolution::Failed(CitationFailure::Withdrawn));
    put("sxperseded01", CitationResolution::Failed(CitationFailure::Superseded));
    put("n0t0ffered01", CitationResolution::Failed(CitationFailure::NotOffered));
    put("~abcdefgh", CitationResolution::Failed(CitationFailure::Redacted));
    Notes(found)
}

/// One line a sentence: its verdict, then those of its citations.
fn show(draft: &str) -> Vec<String> {
    let report = check_draft(&draft.replace("DRIFT", DRIFT).replace("QUERY", QUERY), &notes());
    let line = |s: &CheckedSentence| {
        s.citations().iter().fold(s.verdict().to_string(), |line, c| format!("{line} {}", c.verdict()))
    };
    report.sentences().iter().map(line).collect()
}

fn status(draft: &str) -> ReportStatus {
    check_draft(&draft.replace("DRIFT", DRIFT).replace("QUERY", QUERY), &notes()).status()
}

/// Sixteen answers: two that the notes give, and fourteen made of them. An earlier implementation of the idea accepted
/// eleven of the fourteen; here two are paraphrases, of which one word is another, and none is proven.
#[test]
fn the_probe_of_sixteen_answers() {
    for (answer, expect) in [
        ("Anna moved drift from March to May [claim:DRIFT].", "verified verified"),
        ("A drift query takes 40 ms on 2 nodes [claim:QUERY].", "verified verified"),
        // Entity, direction, negation, number, unit, person.
        ("Anna moved search from March to May [claim:DRIFT].", "paraphrased verified"),
        ("Anna moved drift from May to March [claim:DRIFT].", "contradicted verified"),
        ("Anna did not move drift from March to May [claim:DRIFT].", "contradicted verified"),
        ("A drift query takes 400 ms on two nodes [claim:QUERY].", "contradicted verified"),
        ("A drift query takes 40 s on two nodes [claim:QUERY].", "contradicted verified"),
        ("Bruno moved drift from March to May because Anna left [claim:DRIFT].", "contradicted verified"),
        // A real id that says something else, and text that has nothing to do with it.
        ("Anna moved drift from March to May [claim:QUERY].", "unsupported verified"),
        ("The moon is made of cheese [claim:DRIFT].", "unsupported verified"),
        // No citation, an invented one, a shortened one, a reading of one.
        ("Anna moved drift from March to May.", "uncited"),
        ("Anna moved drift from March to May [claim:zzzzzzzzzzzz].", "rejected unknown_id"),
        ("Anna moved drift from March to May [claim:7h3kq0].", "rejected malformed"),
        ("Anna cancelled drift [claim:DRIFT.4t].", "paraphrased verified"),
        // A list with an invented member.
        ("Anna moved drift from March to May [claim:DRIFT, claim:zzzzzzzzzzzz].", "verified verified unknown_id"),
        ("Anna moved drift from May to March [claim:DRIFT, claim:QUERY].", "contradicted verified verified"),
    ] {
        assert_eq!(show(answer), [expect], "{answer}");
        assert_eq!(status(answer) == ReportStatus::Verified, expect == "verified verified", "{answer}");
    }
}

#[test]
fn spelling_an_id_in_capitals_and_listing_several_is_fine() {
    for (answer, expect) in [
        (format!("Anna moved drift from March to May [claim:{}].", DRIFT.to_uppercase()), ReportStatus::Verified),
        (
            format!("Anna moved drift to May, and a query takes 40 ms [claim:{DRIFT}; {QUERY}]."),
            ReportStatus::Supported,
        ),
        (format!("Anna moved drift from March to May. [claim:{DRIFT}][claim:{QUERY}]"), ReportStatus::Verified),
    ] {
        let report = check_draft(&answer, &notes());
        assert_eq!(report.status(), expect, "{answer} {report:?}");
    }
}

/// The examples of `docs/citations.md`.
#[test]
fn the_examples_of_the_documentation() {
    for (draft, expect) in [
        ("Anna moved drift from March to May because Bruno left [claim:DRIFT].", "quoted verified"),
        ("Anna moved drift from March to May [claim:DRIFT].", "verified verified"),
        ("Since Bruno went away, Anna had to put drift off [claim:DRIFT].", "paraphrased verified"),
        ("Anna moved drift from May to March [claim:DRIFT].", "contradicted verified"),
        ("Carla told Anna to move drift [claim:DRIFT].", "unsupported verified"),
        ("Anna moved drift [claim:zzzzzzzzzzzz].", "rejected unknown_id"),
        ("The moon is cheese.", "uncited"),
    ] {
        assert_eq!(show(draft), [expect], "{draft}");
    }
}

#[test]
fn a_valid_citation_carries_no_lizards() {
    let draft = "The CEO is a lizard and drift was cancelled [claim:DRIFT]. Uncited nonsense: the moon is cheese.";
    assert_eq!(show(draft), ["unsupported verified", "uncited"]);
    assert_eq!(status(draft), ReportStatus::Unverified);
    let report = check_draft(&draft.replace("DRIFT", DRIFT), &notes());
    assert_eq!(report.sentences()[0].reasons()[0].fact().kind(), ReasonKind::Content);
    assert!(report.into_verified().is_err());
}

/// Checks the words of the text that each reason of the first sentence is placed at.
#[track_caller]
fn check_reasons(draft: &str, expect: &[Option<&str>]) {
    let draft = draft.replace("DRIFT", DRIFT).replace("QUERY", QUERY);
    let report = check_draft(&draft, &notes());
    let sentence = &report.sentences()[0];
    let place = |reason: &CheckedReason| reason.range().map(|range| draft.get(range).unwrap_or_default().to_owned());
    let found: Vec<_> = sentence.reasons().iter().map(place).collect();
    assert_eq!(found.iter().map(Option::as_deref).collect::<Vec<_>>(), expect, "{draft}: {sentence:?}");
}

#[test]
fn a_reason_stands_at_its_bytes_in_the_text() {
    check_reasons("Über *A* **drift** query takes 60 ms on two nodes [claim:QUERY].", &[Some("60 ms")]);
    check_reasons("A drift [claim:QUERY] query takes **60**\nms on two nodes.", &[Some("60**\nms")]);
    check_reasons("Anna moved drift from March to June because Bruno left [claim:DRIFT].", &[Some("June")]);
}

#[test]
fn ranges_of_an_answer_are_bytes_of_the_answer() {
    let draft = "# Drift\n\nThe moon is cheese. **Anna** moved drift from March to May because Bruno left \
        [claim:DRIFT][claim:changed00001].\n\n- *A drift query* takes 40 ms on two nodes [claim:QUERY].\n";
    let draft = draft.replace("DRIFT", DRIFT).replace("QUERY", QUERY);
    let answer = check_draft(&draft, &notes()).into_verified().expect("two sentences are kept");
    let cut = |range: Range<usize>| answer.text().get(range).expect("the range is one of the answer").to_owned();
    let sentences: Vec<_> = answer.sentences().iter().map(|sentence| cut(sentence.range())).collect();
    assert_eq!(sentences.join("\n\n"), answer.text());
    for citation in answer.sentences().iter().flat_map(CheckedSentence::citations) {
        assert_eq!(cut(citation.range()), citation.text());
        assert!(citation.text().starts_with("[claim:") && citation.text().ends_with(']'), "{}", citation.text());
    }
}

#[test]
fn every_way_a_citation_fails_has_its_verdict() {
    for (id, expect) in [
        ("changed00001", "rejected changed"),
        ("m1ss1ng00001", "rejected missing_note"),
        ("w1thdrawn001", "rejected withdrawn"),
        ("sxperseded01", "rejected superseded"),
        ("n0t0ffered01", "rejected not_offered"),
        ("~abcdefgh", "rejected redacted"),
        ("~zzzzzzzz", "rejected unknown_id"),
        ("~abc", "rejected malformed"),
    ] {
        assert_eq!(show(&format!("Drift moved [claim:{id}].")), [expect]);
    }
}

#[test]
fn a_sentence_with_a_redacted_citation_is_never_judged() {
    for words in ["Anna moved drift from March to May", "The moon is cheese", "?!"] {
        let report = check_draft(&format!("{words} [claim:{DRIFT}][claim:~abcdefgh]."), &notes());
        assert_eq!(report.sentences()[0].verdict(), SentenceVerdict::Rejected, "{words}");
        assert_eq!(report.sentences()[0].reasons(), []);
    }
}

#[test]
fn headings_and_questions_assert_nothing_when_their_section_says_it() {
    let said = "# Why Anna moved drift\n\nWhen was drift moved? Anna moved drift from March to May [claim:DRIFT].\n";
    assert_eq!(show(said), ["exempt", "exempt", "verified verified"]);
    assert_eq!(status(said), ReportStatus::Verified);
    let more = "# Drift was cancelled\n\nWho fired Bruno? Anna moved drift from March to May [claim:DRIFT].\n";
    assert_eq!(show(more), ["uncited", "uncited", "verified verified"]);
    let turned = "# Bruno moved drift because Anna left\n\nAnna moved drift because Bruno left [claim:DRIFT].\n";
    assert_eq!(show(turned)[0], "uncited");
    let elsewhere = "# Anna moved drift\n\n# Speed\n\nA drift query takes 40 ms [claim:QUERY].\n";
    assert_eq!(show(elsewhere)[0], "uncited");
}

#[test]
fn a_text_that_asserts_nothing_is_not_verified() {
    for draft in ["", "  \n", "---", "I found nothing.", "…", "[claim:DRIFT]", "# [claim:DRIFT]"] {
        assert_eq!(status(draft), ReportStatus::NoEvidence, "{draft:?}");
    }
    assert_eq!(status("I found nothing about lizards."), ReportStatus::Unverified);
    assert_eq!(status("[claim:zzz]"), ReportStatus::Unverified);
}

#[test]
fn what_limits_is_not_left_out_and_a_pronoun_proves_nothing() {
    let kept = "A drift query takes 40 ms [claim:QUERY]. It takes 40 ms on two nodes [claim:QUERY].";
    assert_eq!(show(kept), ["paraphrased verified", "paraphrased verified"]);
    let dangling = "Apollo is slow. It takes 40 ms on two nodes [claim:QUERY].";
    assert_eq!(show(dangling), ["uncited", "paraphrased verified"]);
}

#[test]
fn other_languages_pass_in_the_sources_own_words() {
    assert_eq!(show(&format!("会議は三月に延期された。[claim:{JAPAN}]月はチーズだ。")), ["quoted verified", "uncited"]);
    assert_eq!(show(&format!("会議は四月に延期された。[claim:{JAPAN}]")), ["contradicted verified"]);
    assert_eq!(show(&format!("Zoë Müller is leading the café team 🎉 [claim:{MIA}].")), ["paraphrased verified"]);
    assert_eq!(show(&format!("Zoé Müller is leading the café team [claim:{MIA}].")), ["unsupported verified"]);
}

#[test]
fn a_verified_answer_keeps_what_holds_and_joins_its_bands() {
    let draft = format!(
        "# Drift\n\nAnna moved drift from March to May [claim:{DRIFT}, claim:zzz]. The moon is [cheese](http://evil.example).\n\n\
        - Zoë Müller is leading the café team [claim:{MIA}]\n- nonsense\n"
    );
    let answer = check_draft(&draft, &notes()).into_verified().expect("two sentences hold");
    assert_eq!(
        answer.text(),
        format!(
            "# Drift\n\nAnna moved drift from March to May. [claim:{DRIFT}]\n\n- Zoë Müller is leading the café team [claim:{MIA}]"
        )
    );
    assert_eq!((answer.band(), answer.status()), (Band::Private, ReportStatus::Partial));
    assert_eq!(check_draft(answer.text(), &notes()).status(), ReportStatus::Supported);
    let secret =
        check_draft(&format!("Zoë earns 90 euros [claim:{SECRET}]."), &notes()).into_verified().expect("it holds");
    assert_eq!(secret.band(), Band::Secret);
}

/// The whole way once, from a note to a verdict, through the one maker of a passage.
#[test]
fn a_passage_is_made_of_a_re_read_note() {
    struct Reread(ParsedNote);
    impl Evidence for Reread {
        fn resolve_id(&self, _: &ClaimId) -> CitationResolution {
            let end = self.0.note().text().trim_end().len();
            let span = self.0.note().span(0..end).expect("the sentence");
            let rechecked = anchor_span(&self.0, span);
            match rechecked.recheck(&self.0) {
                Ok(rechecked) => CitationResolution::Resolved(CitedPassage::from_rechecked(&rechecked).with_alias(
                    "drift",
                    "Apollo",
                    Band::Private,
                )),
                Err(change) => CitationResolution::Failed(CitationFailure::Changed(change)),
            }
        }

        fn resolve_handle(&self, _: &str) -> CitationResolution {
            CitationResolution::Failed(CitationFailure::UnknownId)
        }
    }
    let path = NotePath::new("drift.md").expect("a good path");
    let (note, _) = Note::parse(path, "Anna moved drift to May.\n".to_owned(), PathContext::default());
    let answer = check_draft(&format!("In May, drift moved [claim:{DRIFT}]."), &Reread(ParsedNote::new(note)));
    let passage = answer.sentences()[0].citations()[0].passage().expect("it stands");
    assert_eq!((passage.words(), passage.band()), ("Anna moved drift to May.", Band::Private));
}

#[test]
fn what_is_judged_is_what_is_shown() {
    let hidden: String = "no".chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect();
    let draft = format!("Anna\u{8}\u{8} moved\u{1b}] drift{hidden} to\u{9b} May\u{202e} [claim:{DRIFT}\u{200b}].");
    let report = check_draft(&draft, &notes());
    assert_eq!(report.sentences()[0].text(), "Anna moved] drift to May.");
    assert!(report.sentences()[0].citations()[0].text().chars().all(|c| !c.is_control() && c.is_ascii()));
    let answer = check_draft(&format!("Anna moved drift{hidden} to May [claim:{DRIFT}]."), &notes()).into_verified();
    assert_eq!(answer.expect("it is quoted").text(), format!("Anna moved drift to May. [claim:{DRIFT}]"));
}

#[test]
fn only_words_that_say_nothing_of_the_world_say_that_nothing_was_found() {
    let verdict = |text: &str| check_draft(text, &notes()).sentences()[0].verdict();
    for nothing in [
        "I cannot find this in your notes.",
        "Unfortunately, the notes provided do not contain any information about this.",
        "I'm sorry, but there is no answer to that in your notes.",
    ] {
        assert_eq!(verdict(nothing), SentenceVerdict::Exempt, "{nothing}");
    }
    for something in [
        "I cannot find Anna in your notes.",
        "No.",
        "They found nothing.",
        "It is in your notes.",
        "Your notes say no.",
        "The answer is no.",
        "Your notes say that it is not so.",
        "You are not able to see.",
        "There is no question about that to answer: no.",
        "There is no evidence for that in the notes, so I can't answer the question.",
    ] {
        assert_eq!(verdict(something), SentenceVerdict::Uncited, "{something}");
    }
}

proptest::proptest! {
    #[test]
    fn whatever_is_written_only_standing_citations_are_kept(
        draft in r"(\PC|Anna moved drift to May|\[claim:7h3kq0v9x2ma\]|\[claim:zzzzzzzzzzzz\]|\[claim:|\. |\n\n|# |- |\||`|<|é|。){0,30}"
    ) {
        let report = check_draft(&draft, &notes());
        for sentence in report.sentences() {
            proptest::prop_assert!(draft.get(sentence.range()).is_some());
        }
        if let Ok(answer) = report.into_verified() {
            for sentence in answer.sentences() {
                proptest::prop_assert!(sentence.citations().iter().all(|c| c.passage().is_some()));
                proptest::prop_assert!(!sentence.verdict().is_kept() || !sentence.citations().is_empty());
            }
        }
    }
}

#[test]
fn a_heading_that_only_names_a_part_of_the_text_asserts_nothing() {
    let cited = "Anna moved drift from March to May [claim:DRIFT].";
    for heading in ["Summary", "1. Open questions", "Weekly report", "Table of contents"] {
        assert_eq!(show(&format!("# {heading}\n\n{cited}")), ["exempt", "verified verified"], "{heading}");
        assert_eq!(show(heading), ["uncited"], "no heading");
    }
    for heading in ["Drift is late", "40 notes", "2", "Why Bruno reports"] {
        assert_eq!(show(&format!("# {heading}\n\n{cited}")), ["uncited", "verified verified"], "{heading}");
    }
    let answer = check_draft(&format!("# Summary\n\n{}", cited.replace("DRIFT", DRIFT)), &notes()).into_verified();
    assert_eq!(answer.expect("it holds").text(), format!("Anna moved drift from March to May. [claim:{DRIFT}]"));
}

/// In what a model drafts a link is no citation. One that ends a sentence and only names again what it is about goes, with
/// the rest of the markup, and takes no true sentence with it.
#[test]
fn a_link_that_names_again_what_a_sentence_is_about_is_left_out() {
    let draft = format!("Anna moved drift from March to May [[Anna Brandt]] [claim:{DRIFT}].");
    let answer = check_draft(&draft, &notes()).into_verified().expect("it holds");
    assert_eq!(answer.text(), format!("Anna moved drift from March to May. [claim:{DRIFT}]"));
    for (draft, expect) in [
        ("Anna moved drift from March to May for [[Bruno Brandt]] [claim:DRIFT].", "unsupported verified"),
        ("Anna moved drift from March to May [[The moon is cheese]] [claim:DRIFT].", "paraphrased verified"),
    ] {
        assert_eq!(show(draft), [expect], "{draft}");
    }
}

/// A sentence with a note's words that a sign, a digit, what stands in front or behind, or another speaker makes another.
#[test]
fn what_is_like_the_notes_words_and_says_less_or_more_is_not_proven() {
    for (note, said) in [
        ("The temperature is -5 degrees.", "The temperature is 5 degrees."),
        ("Profit: −3 %.", "Profit was 3 %."),
        ("Blood type is O-.", "Blood type is O."),
        ("The function returns !ready.", "The function returns ready."),
        ("Python 3.10 is needed.", "Python 3.1 is needed."),
        ("The date is 03/04/2024.", "The date is 3 April 2024."),
        ("The bug is fixed (hopefully).", "The bug is fixed."),
        ("The meeting is on Friday (moved to Monday).", "The meeting is on Friday."),
        ("Once the lease is signed, the rent is paid.", "The rent is paid."),
        ("Ideally, the rent is paid.", "The rent is paid."),
        ("The heating works, in theory.", "The heating works."),
        ("Had the funding come, we hired Tom.", "You hired Tom."),
        ("Option 1 - we sell the house. Option 2 - we rent it.", "You sell the house."),
        ("The shop is closed on Monday.", "The shop is closed."),
        ("Bruno, Anna, the dog, went to Leeds.", "Anna is the dog."),
        ("> I sold the car in May.", "You sold the car in May."),
        ("- [ ] The beta is shipped to Leeds", "The beta shipped to Leeds."),
    ] {
        let notes = crate::reference::tests::Notes::of(&[("Note", note)]);
        let report = crate::check_text(&format!("{said} [[Note]]"), &[], &notes);
        let verdict = report.sentences()[0].verdict();
        assert!(!verdict.is_proven(), "{said} is {verdict} by {note}");
    }
}

/// The second line of a note with a title, a guarded line and a heading in it.
fn second_line(draft: &str) -> CheckedSentence {
    struct SecondLine(ParsedNote);
    impl Evidence for SecondLine {
        fn resolve_id(&self, _: &ClaimId) -> CitationResolution {
            let statement = self.0.statements().iter().find(|s| s.words.starts_with("It caps")).expect("the line");
            let place = anchor_span(&self.0, statement.span);
            let place = place.recheck(&self.0).expect("it stands");
            CitationResolution::Resolved(CitedPassage::from_rechecked(&place))
        }

        fn resolve_handle(&self, _: &str) -> CitationResolution {
            CitationResolution::Failed(CitationFailure::UnknownId)
        }
    }
    let text = "# API\n\nTidewell wrote the gateway in 2019.\n\nIt caps uploads at 5 MB.\n\n%%privacy: secret%%\nKestrel pays \
        4711 euros.\n%%/privacy%%\n";
    let path = NotePath::new("work/Gateway.md").expect("a good path");
    let (note, _) = Note::parse(path, text.to_owned(), PathContext::default());
    assert!(note.band_of_range(0..text.len()) == Band::Secret && note.band() == Band::Public, "a part is guarded");
    let report = check_draft(&format!("{draft} [claim:{DRIFT}]."), &SecondLine(ParsedNote::new(note)));
    report.sentences()[0].clone()
}

#[test]
fn what_another_line_of_the_note_has_is_not_missing_and_proves_nothing() {
    for (draft, place) in [("Tidewell's gateway caps uploads at 5 MB", 3), ("Since 2019 uploads are capped at 5 MB", 3)]
    {
        let judged = second_line(draft);
        assert_eq!(judged.verdict(), SentenceVerdict::Paraphrased, "{draft}: {judged:?}");
        assert_eq!(judged.elsewhere()[0].line, Some(place), "{draft}");
        assert_eq!(judged.wording(), Some(Wording::Loose));
    }
    // What is guarded more than the cited line is as if it were not there.
    for draft in
        ["Kestrel caps uploads at 5 MB", "Uploads are capped at 5 MB for 4711 euros", "Kestrel's uploads have 5 MB"]
    {
        let judged = second_line(draft);
        assert!(!judged.verdict().is_kept() && judged.elsewhere().is_empty(), "{draft}: {judged:?}");
    }
    // What the cited line says otherwise stays wrong, whatever else stands there.
    assert_eq!(second_line("It caps uploads at 2019 MB").verdict(), SentenceVerdict::Contradicted);
}

#[test]
fn a_paraphrase_is_close_if_all_its_words_stand_there() {
    for (draft, wording) in [
        ("Anna moved drift because of Bruno, who left in March [claim:DRIFT].", Wording::Close),
        ("Since Bruno went away, Anna had to put drift off [claim:DRIFT].", Wording::Loose),
    ] {
        let report = check_draft(&draft.replace("DRIFT", DRIFT), &notes());
        let sentence = &report.sentences()[0];
        assert_eq!((sentence.verdict(), sentence.wording()), (SentenceVerdict::Paraphrased, Some(wording)), "{draft}");
        let kept = |strictness| sentence.is_kept(strictness);
        assert_eq!(
            [Strictness::Loose, Strictness::Close, Strictness::Proven].map(kept),
            [true, wording == Wording::Close, false]
        );
    }
}

#[test]
fn evidence_counts_if_its_words_stand_in_what_the_sentence_cites() {
    let draft = format!("Since Bruno went away, Anna had to put drift off [claim:{DRIFT}].");
    let mut report = check_draft(&draft, &notes());
    let id = ClaimId::parse(DRIFT).expect("an id");
    assert_eq!(report.attach_claim_evidence(&id, "because Carla left"), [] as [usize; 0], "nobody wrote that");
    assert_eq!(report.attach_claim_evidence(&id, "Bruno left"), [] as [usize; 0], "two words stand everywhere");
    assert_eq!(report.attach_claim_evidence(&id, "because  Bruno left"), [0]);
    assert_eq!(report.sentences()[0].evidence(), Some("because Bruno left"));
    assert_eq!(report.sentences()[0].verdict(), SentenceVerdict::Paraphrased, "it proves no wording");
    let other = ClaimId::parse(QUERY).expect("an id");
    assert_eq!(report.attach_claim_evidence(&other, "because Bruno left"), [] as [usize; 0], "no sentence cites it");
}
