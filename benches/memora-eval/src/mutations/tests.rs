//! Small notes in, expected sentences out.

use memora_vault::{Note, NotePath, PathContext};

use super::facts::FactCorpus;
use super::generate::{self, MutationRow};
use super::{citation_placement, grammar, paraphrases, substitutions};

fn world(notes: &[(&str, &str)]) -> FactCorpus {
    let parsed = notes.iter().map(|(title, text)| {
        let path = NotePath::new(format!("{title}.md")).expect("a title");
        Note::parse(path, (*text).to_owned(), PathContext::default()).0
    });
    FactCorpus::from_notes(parsed.collect())
}

/// Names and nouns that other sentences may borrow.
const OTHERS: (&str, &str) = (
    "Others",
    "The gauges of Oste send readings. In Hamburg the inspector paints a bridge. The inspector knows Hamburg and Oste. \
     The ferry carries a lantern.\n",
);

/// Every true sentence of a kind, without its marker.
#[track_caller]
fn truths_of(kind: &str, notes: &[(&str, &str)]) -> Vec<String> {
    let world = world(notes);
    let make = paraphrases::KINDS.iter().find(|(name, _)| *name == kind).expect("a kind").1;
    world.facts.iter().flat_map(|fact| make(fact, &world)).collect()
}

/// Every false sentence of a kind that one note gives, without its marker.
#[track_caller]
fn lies_of(kind: &str, text: &str) -> Vec<String> {
    let world = world(&[("drift", text), OTHERS]);
    let alter = substitutions::KINDS.iter().chain(grammar::KINDS).find(|(name, _)| *name == kind).expect("a kind").1;
    let mut random = super::random::SeededRandom::for_purpose(1, kind);
    let own = world.facts.iter().filter(|fact| fact.note == "drift.md");
    own.flat_map(|fact| alter(fact, &world, &mut random)).collect()
}

#[test]
fn what_is_true_is_said_in_other_words() {
    for (kind, note, expected) in [
        ("prefix", "The relay stores the records.\n", "According to your notes, the relay stores the records."),
        ("voice", "The relay stores the records.\n", "The records are stored by the relay."),
        ("voice", "Mara wrote the parser in May 2024.\n", "The parser was written by Mara in May 2024."),
        (
            "order",
            "The relay deletes a segment if the disk is full.\n",
            "If the disk is full, the relay deletes a segment.",
        ),
        (
            "order",
            "After the storm, the relay restarted the reader.\n",
            "The relay restarted the reader after the storm.",
        ),
        ("synonym", "The relay deletes the old records.\n", "The relay removes the old records."),
        ("contraction", "The relay doesn't delete the records.\n", "The relay does not delete the records."),
        ("number format", "The relay holds 12,000 records.\n", "The relay holds twelve thousand records."),
        ("number format", "The relay holds 12,000 records.\n", "The relay holds 12000 records."),
        ("date format", "Mara wrote the parser on 12 March 2024.\n", "Mara wrote the parser on March 12th, 2024."),
        ("property or cell", "---\nowner: \"[[Mara]]\"\n---\n", "The owner of drift is Mara."),
        ("task", "- [ ] Return the drill\n", "You still have to return the drill."),
        ("task", "- [x] Return the drill\n", "You returned the drill."),
    ] {
        let made = truths_of(kind, &[("drift", note)]);
        assert!(made.iter().any(|sentence| sentence == expected), "{kind}: {expected} in {made:?}");
    }
}

#[test]
fn what_is_false_differs_in_one_thing() {
    for (kind, note, expected) in [
        ("number", "The relay holds 340 records.\n", "The relay holds 1021 records."),
        ("unit", "The release takes 15 minutes.\n", "The release takes 15 hours."),
        ("date", "Mara wrote the parser on 12 March 2024.\n", "Mara wrote the parser on 12 March 2022."),
        ("opposite", "Mara opens the door after lunch.\n", "Mara opens the door before lunch."),
        ("quantifier", "Some relays delete the records.\n", "All relays delete the records."),
        ("direction", "The writer stops the reader.\n", "The reader stops the writer."),
        ("direction", "Jonas moved from Leipzig to Malmö.\n", "Jonas moved from Malmö to Leipzig."),
        ("negation added", "The relay stores the records.\n", "The relay does not store the records."),
        ("negation added", "The relay can store the records.\n", "The relay cannot store the records."),
        ("negation removed", "The relay does not store the records.\n", "The relay stores the records."),
        ("negation removed", "The relay has no cluster mode.\n", "The relay has a cluster mode."),
        ("modality", "The relay may delete the records.\n", "The relay will delete the records."),
        ("modality", "Jule wants to leave the company.\n", "Jule leaves the company."),
        ("modality", "- [ ] Return the drill\n", "You returned the drill."),
        ("modality, can to must", "The relay can delete the records.\n", "The relay must delete the records."),
        ("condition dropped", "The relay deletes a segment if the disk is full.\n", "The relay deletes a segment."),
        ("qualifier dropped", "On mobile, the sidebar is hidden.\n", "The sidebar is hidden."),
    ] {
        let made = lies_of(kind, note);
        assert!(made.iter().any(|sentence| sentence == expected), "{kind}: {expected} in {made:?}");
    }
}

#[test]
fn another_name_and_another_noun_are_of_the_vault_and_not_of_the_passage() {
    let made = lies_of("name", "The relay stores the records of Oste.\n");
    assert_eq!(made, ["The relay stores the records of Hamburg."]);
    let made = lies_of("entity", "The relay stores the records.\n");
    assert!(!made.is_empty());
    assert!(made.iter().all(|sentence| *sentence != "The relay stores the records."), "{made:?}");
}

#[test]
fn what_is_in_doubt_is_left_out() {
    for (kind, note) in [
        // Another number may be true as well.
        ("number", "The relay waits at most 60 minutes.\n"),
        ("number", "The relay waits up to 60 minutes.\n"),
        // No number, no date: a version, a name.
        ("number", "The relay runs version 1.0.21 of the parser.\n"),
        ("date", "The relay may restart the parser.\n"),
        // What is denied under a condition, or twice.
        ("negation removed", "The relay does not only store the records.\n"),
        ("negation added", "The relay never stores the records.\n"),
        ("negation removed", "Some relays do not store the records.\n"),
        ("quantifier", "The relay does not store some records.\n"),
        // Symmetrical, or a state.
        ("direction", "The writer meets the reader.\n"),
        ("condition dropped", "If you want to store a record, the relay stores the record.\n"),
    ] {
        assert_eq!(lies_of(kind, note), Vec::<String>::new(), "{kind}: {note}");
    }
}

#[test]
fn only_clear_sentences_are_facts() {
    for text in [
        "It stores the records.\n",
        "I wrote the parser on a ferry.\n",
        "Select the relay.\n",
        "Does the relay store the records?\n",
        "~~The relay stores the records.~~\n",
        "> The relay stores the records.\n",
        "Der Pegel speichert die Daten in der Nacht.\n",
        "- [ ] Blog post about compaction\n",
        "- [-] Return the drill\n",
        "# Rejected\n\nThe relay stores the records.\n",
    ] {
        assert_eq!(world(&[("drift", text)]).facts.len(), 0, "{text}");
    }
    let twice = "The relay stores the records.\n\nThe relay stores the records.\n";
    assert_eq!(world(&[("drift", twice)]).facts.len(), 0, "it stands in two places");
}

#[test]
fn an_alias_stands_for_a_name_where_the_vault_says_so() {
    let notes = [
        ("drift", "---\naliases: [the log engine, bench]\n---\ndrift stores the records.\n"),
        ("roadmap", "The plan of [[drift|the log engine]] is old.\n"),
        ("Mara Holm", "---\naliases: [Mara, the boss, Papers]\n---\nMara writes the parser.\n"),
    ];
    assert_eq!(truths_of("alias", &notes), ["The log engine stores the records.", "Mara Holm writes the parser."]);
}

#[test]
fn a_place_that_does_not_say_it_is_another_statement() {
    let text = "The relay stores the records. Mara paints the door on Sundays.\n";
    let world = world(&[("drift", text), OTHERS]);
    let (relay, mara) = (&world.facts[1], &world.facts[0]);
    let (relay, mara) = if relay.words.starts_with("Mara") { (mara, relay) } else { (relay, mara) };
    let at = world.facts.iter().position(|fact| fact.id == relay.id).expect("a fact");
    let expected = format!("Mara paints the door on Sundays [claim:{}].", relay.id);
    assert_eq!(citation_placement::cite_previous_claim(at, &world), Some(expected));
    assert!(mara.words.starts_with("Mara"));
}

#[test]
fn no_malformed_marker_is_a_marker() {
    let forms = citation_placement::malformed_markers("7h3kq0v9x2ma");
    assert!(forms.len() >= 30);
    assert!(forms.iter().all(|form| form != "[claim:7h3kq0v9x2ma]"));
    assert_eq!(forms.iter().collect::<std::collections::BTreeSet<_>>().len(), forms.len());
}

#[test]
fn the_same_seed_gives_the_same_sentences_and_no_more_than_asked_for() {
    let text = "The relay stores the records. The relay can store 340 records. Mara wrote the parser in May 2024.\n";
    let world = world(&[("drift", text), OTHERS]);
    let texts = |seed| {
        generate::generate_rows(&world, seed, 2)
            .into_iter()
            .map(|row: MutationRow| (row.kind, row.text))
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(3), texts(3));
    assert!(texts(3).iter().filter(|(kind, _)| *kind == "verbatim").count() <= 2);
}
