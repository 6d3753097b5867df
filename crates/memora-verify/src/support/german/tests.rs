//! What German words of a note support and what they don't.

use memora_vault::TaskState;

use crate::support::{Ground, Support, judge};

fn verdict(passage: &str, sentence: &str) -> String {
    let (words, context) = passage.split_once(" << ").unwrap_or((passage, ""));
    let context: Vec<String> = context.split(" / ").filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let judged = judge(sentence, &[&Ground::read(words, &context, &[])]);
    match judged.support {
        Support::Quoted => "quoted".to_owned(),
        Support::Supported => "supported".to_owned(),
        Support::Unsupported => {
            let reasons = judged.reasons.iter().map(|r| format!("{} ({})", r.kind.as_str(), r.words));
            reasons.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Lines of what a note says (perhaps with ` << ` and its title and headings), ` -> `, and what a sentence says.
const SAID: &str = include_str!("said.txt");
const NOT_SAID: &str = include_str!("not_said.txt");

fn pairs(lines: &str) -> impl Iterator<Item = (&str, &str)> {
    lines.lines().filter_map(|line| line.split_once(" -> "))
}

#[test]
fn what_is_said_is_supported() {
    let found = pairs(SAID).map(|(passage, sentence)| (verdict(passage, sentence), passage, sentence));
    let refused: Vec<_> = found.filter(|(found, ..)| found != "supported" && found != "quoted").collect();
    assert_eq!(refused, []);
}

#[test]
fn what_is_not_said_is_unsupported() {
    let found = pairs(NOT_SAID).map(|(passage, sentence)| (verdict(passage, sentence), passage, sentence));
    let accepted: Vec<_> = found.filter(|(found, ..)| found == "supported" || found == "quoted").collect();
    assert_eq!(accepted, []);
}

#[test]
fn a_reason_names_the_words_in_question() {
    for (passage, sentence, expected) in [
        ("Die Miete beträgt 720 Euro.", "Die Miete beträgt 750 Euro.", "number (750 Euro)"),
        ("Die Frist endet im April.", "Die Frist endet im Mai.", "date (Mai)"),
        ("Jana leitet das Team.", "Lena leitet das Team.", "content (Lena)"),
        ("Das Projekt wurde verschoben.", "Das Projekt wurde nicht verschoben.", "negation (nicht)"),
        ("Das Projekt wurde nicht verschoben.", "Das Projekt wurde verschoben.", "negation ()"),
        ("Die Preise sind gestiegen.", "Die Preise sind gesunken.", "opposite (gesunken)"),
        ("Anna soll das Team leiten.", "Anna leitet das Team.", "modality ()"),
        ("Anna hat Bruno eingeladen.", "Bruno hat Anna eingeladen.", "roles (Bruno)"),
        ("Anna arbeitet in Kiel.", "Sie arbeitet in Kiel.", "reference (Sie)"),
    ] {
        let found = verdict(passage, sentence);
        assert!(found.contains(expected), "{passage} -> {sentence}: {found}");
    }
}

#[test]
fn an_open_task_was_not_done() {
    let judged = |state, sentence: &str| {
        let ground = Ground::read("Die Heizung wurde repariert.", &[], &[]).as_task(state);
        judge(sentence, &[&ground]).support
    };
    assert_eq!(judged(TaskState::Open, "Die Heizung ist repariert worden."), Support::Unsupported);
    assert_eq!(judged(TaskState::Done, "Die Heizung ist repariert worden."), Support::Supported);
}

#[test]
fn nothing_is_judged_across_languages() {
    for (passage, sentence) in [
        ("Anna leads the team in Kiel.", "Anna leitet das Team in Kiel."),
        ("Anna leitet das Team in Kiel.", "Anna leads the team in Kiel."),
        ("Anna dirige el equipo de Kiel.", "Anna leitet das Team in Kiel."),
    ] {
        assert_eq!(verdict(passage, sentence), "language ()", "{passage}");
    }
    // "die" is a word of both.
    assert_eq!(
        verdict("The old cells die in the cold.", "Old cells die."),
        verdict("The old cells go in the cold.", "Old cells go.")
    );
}

#[test]
fn a_long_note_takes_no_longer() {
    let long = "der Hund der Katze, und das Haus, ".repeat(2_000);
    assert_ne!(verdict(&long, "Der Hund der Katze wohnt nicht im Haus."), "supported");
}

proptest::proptest! {
    #[test]
    fn any_texts_can_be_judged(
        a in r"(\PC|[0-9]{1,4}[.,:]?|nicht |Der |die |zwölf |, |und |am |3\. Mai |kaufte |abgeholt |ab |: |dass |é|日){0,20}",
        b in r"(\PC|[0-9]{1,4}[.,:]?|nicht |Das |den |wurde |, |oder |im |Mai |gekauft |holte |zu |; |weil |ß){1,20}",
    ) {
        let (read, other) = (Ground::read(&format!("Der {b}"), std::slice::from_ref(&a), &[]), Ground::read(&a, &[], &[]));
        let _ = judge(&format!("Das {a}"), &[&read, &other]);
        let _ = judge(&b, &[&read]);
    }
}
