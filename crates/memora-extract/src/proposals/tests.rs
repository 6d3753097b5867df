use memora_claim::{Modality, ParsedNote, Statement};
use memora_vault::{Note, NotePath, PathContext};
use proptest::prelude::*;

use super::compared_words::split_words;
use super::*;

fn fresh(text: &str) -> ParsedNote {
    let path = NotePath::new("people/Anna.md").expect("a good path");
    ParsedNote::new(Note::parse(path, text.to_owned(), PathContext::default()).0)
}

fn proposal(quote: &str, subject: &str, predicate: &str, object: &str) -> Proposal {
    let [quote, subject, predicate, object] = [quote, subject, predicate, object].map(str::to_owned);
    Proposal { quote, subject, predicate, object }
}

/// What becomes of `subject | predicate | object`, quoting the note's last passage in full.
fn told(note: &str, parts: &str) -> Result<Claim, Ungrounded> {
    let fresh = fresh(note);
    let passages = fresh.text_blocks();
    let passage = passages.last().expect("a passage");
    let parts: Vec<&str> = parts.split('|').map(str::trim).collect();
    let [quote, subject, predicate, object] = parts.as_slice() else { panic!("four parts: {parts:?}") };
    let quote = if quote.is_empty() { passage.words() } else { (*quote).to_owned() };
    grounding::ground_proposal(ClaimExtractor::default(), passage, &proposal(&quote, subject, predicate, object))
}

#[track_caller]
fn check(note: &str, parts: &str, expected: Result<(Modality, bool), Ungrounded>) {
    let found = told(note, parts).map(|claim| (claim.modality, claim.negated));
    // What the rules read as well is borne out, too.
    if expected != SO || found != Err(Ungrounded::Duplicate) {
        assert_eq!(found, expected, "{note:?} {parts:?}");
    }
}

const SO: Result<(Modality, bool), Ungrounded> = Ok((Modality::Asserted, false));

#[test]
fn a_quote_stands_letter_for_letter_but_for_spaces_and_quotation_marks() {
    let note = "Ferry: tired of “Lofoten” by then, Anna's brother  sailed on\nto Bodø.\n";
    check(note, "Anna's brother sailed on to Bodø | Anna's brother | sailed on to | Bodø", SO);
    check(
        note,
        "\"anna's brother sailed on to Bodø\" | Anna's brother | sailed on to | Bodø",
        Err(Ungrounded::NotFound),
    );
    check(note, "Anna’s  brother sailed on to Bodø. | Anna's brother | sailed on to | Bodø", SO);
    check(note, "Anna's brother sailed to Bodø | Anna's brother | sailed to | Bodø", Err(Ungrounded::NotFound));
    check(note, "rother sailed on to Bod | Anna | sailed on to | Bodø", Err(Ungrounded::NotFound));
    check(note, "… | Anna | sailed on to | Bodø", Err(Ungrounded::Malformed));
}

#[test]
fn a_quote_is_of_one_statement() {
    let twice = "Anna moved to Kiel in May, she said. Ben moved to Kiel in June, he said.\n";
    check(twice, "moved to Kiel in | Anna | moved to | Kiel", Err(Ungrounded::Ambiguous));
    // Over two: the one that holds more counts, and the other's words do not.
    let two = "Anna was there. Tired as ever, Ben sailed on to Bodø with the dog.\n";
    check(two, " | Ben | sailed on to | Bodø", SO);
    check(two, " | Anna | was | there", Err(Ungrounded::Predicate));
}

#[test]
fn the_parts_stand_in_order_and_are_nobody_elses() {
    let note = "In the end Anna likes rye and Ben likes beer.\n";
    check(note, " | Anna | likes | beer", Err(Ungrounded::Subject));
    check(note, " | Ben | likes | rye", Err(Ungrounded::Object));
    check(
        "drift switched from JSON to MessagePack.\n",
        " | drift | switched from | MessagePack",
        Err(Ungrounded::Object),
    );
    check("Anna said that Ben bought a boat.\n", " | Anna | bought | a boat", Err(Ungrounded::Subject));
    check("Anna was invited by Ben.\n", " | Anna | invited | Ben", Err(Ungrounded::Subject));
    check("Anna bought a boat.\n", " | Anna | sold | a boat", Err(Ungrounded::Predicate));
    check("Anna bought a boat.\n", " | Anna | bought | a house", Err(Ungrounded::Object));
    check("Anna bought a boat.\n", " | Ben | bought | a boat", Err(Ungrounded::Subject));
}

/// Words in order are not yet a reading: what stands behind a conjunction may begin a clause of its own.
#[test]
fn the_parts_are_of_one_clause() {
    for (note, parts) in [
        ("Anna likes rye and Ben likes beer.", "Anna | likes | Ben"),
        ("Anna likes rye, and Ben also likes beer.", "Anna | likes | Ben"),
        ("Anna likes rye, Ben likes beer.", "Anna | likes | Ben"),
        ("Anna likes rye and the big dog likes beer.", "Anna | likes | the big dog"),
        ("Anna likes rye and Ben beer.", "Anna | likes | Ben"),
        ("Anna likes rye, but beer makes her ill.", "Anna | likes | beer"),
        ("Anna likes rye; beer makes her ill.", "Anna | likes | beer"),
        ("Anna bought the boat and Ben sold the house.", "Anna | bought | Ben"),
        ("Anna moved to Kiel and Ben stayed in Oslo.", "Anna | moved to | Ben"),
        ("Anna said Ben likes beer.", "Anna | said | Ben"),
        ("drift uses MessagePack and crane uses JSON.", "drift | uses | crane"),
        ("The backup server runs Debian, and the laptop runs Fedora.", "The backup server | runs | the laptop"),
    ] {
        let found = told(note, &format!(" | {parts}")).map(drop);
        assert!(matches!(found, Err(Ungrounded::Object | Ungrounded::Subject)), "{note}: {parts}: {found:?}");
    }
    check("Ben hired Anna and paid the rent.", " | Anna | paid | the rent", Err(Ungrounded::Subject));
    check(
        "Ben saw the doctor, but ignored the advice.",
        " | the doctor | ignored | the advice",
        Err(Ungrounded::Subject),
    );
    for (note, parts) in [
        ("Anna likes rye and beer.", "Anna | likes | beer"),
        ("Anna likes rye, oats and beer.", "Anna | likes | oats"),
        ("Anna likes rye, oats and beer.", "Anna | likes | beer"),
        ("Anna likes rye and the beer from Kiel.", "Anna | likes | the beer from Kiel"),
        ("Anna likes rye and beer, and Ben likes wine.", "Anna | likes | beer"),
        ("Quietly, Anna bought a boat and a house in May.", "Anna | bought | a house"),
        ("drift supports Linux, macOS and Windows.", "drift | supports | Windows"),
        ("Anna moved to Kiel and sold the house.", "Anna | sold | the house"),
        ("Ben hired Anna, who paid the rent.", "Anna | paid | the rent"),
    ] {
        check(note, &format!(" | {parts}"), SO);
    }
}

#[test]
fn a_subject_may_stand_around_a_statement_that_leans() {
    let note = "# Anna\n\nShe quietly took over the harbour crew from Ben.\n";
    check(note, " | Anna | took over | the harbour crew", SO);
    check(note, " | Ben | took over | the harbour crew", Err(Ungrounded::Subject));
    check(note, " | Carla | took over | the harbour crew", Err(Ungrounded::Subject));
    let before = "# Notes\n\nAnna came by. She quietly took over the harbour crew.\n";
    check(before, "She quietly took over the harbour crew. | Anna | took over | the harbour crew", SO);
    let other = "# Anna\n\nMy brother quietly took over the harbour crew.\n";
    check(other, " | Anna | took over | the harbour crew", Err(Ungrounded::Subject));
    let own = "# Anna\n\nBen quietly took over the harbour crew.\n";
    check(own, " | Anna | took over | the harbour crew", Err(Ungrounded::Subject));
}

#[test]
fn a_denial_is_not_lost() {
    for (note, parts) in [
        ("drift does not support Windows.", "drift | support | Windows"),
        ("drift doesn't support Windows.", "drift | support | Windows"),
        ("drift no longer supports Windows.", "drift | supports | Windows"),
        ("It is not true that drift supports Windows.", "drift | supports | Windows"),
        ("Nobody says that drift supports Windows.", "drift | supports | Windows"),
        ("drift supports Windows no longer.", "drift | supports | Windows"),
        ("Anna has never been to Oslo.", "Anna | has been to | Oslo"),
        ("The house has no lift.", "The house | has | lift"),
    ] {
        check(note, &format!(" | {parts}"), Err(Ungrounded::LostNegation));
        // Nor by quoting less.
        let parts: Vec<&str> = parts.split(" | ").collect();
        let less = parts[1..].join(" ");
        if note.contains(&less) {
            check(note, &format!("{less} | {} | {} | {}", parts[0], parts[1], parts[2]), Err(Ungrounded::LostNegation));
        }
    }
    // Nor by taking the negation for the subject.
    let told_of_not = told("She does not like rye.\n", "She does not like | not | like | ");
    assert_eq!(told_of_not.map(|claim| claim.negated), Err(Ungrounded::LostNegation));
    let kept =
        told("By now drift hardly ever supports Windows well.\n", " | drift | hardly ever supports | Windows well");
    assert!(kept.is_ok_and(|claim| claim.negated));
}

#[test]
fn what_is_planned_or_possible_is_not_said_outright() {
    for (note, parts) in [
        ("Anna plans to move to Kiel.", "Anna | move to | Kiel"),
        ("Anna may move to Kiel.", "Anna | move to | Kiel"),
        ("Anna will move to Kiel.", "Anna | move to | Kiel"),
        ("Perhaps Anna moved to Kiel.", "Anna | moved to | Kiel"),
    ] {
        let found = told(note, &format!(" | {parts}")).map(drop);
        assert!(matches!(found, Err(Ungrounded::LostModality | Ungrounded::Subject)), "{note}: {found:?}");
    }
    check("If Anna comes to Kiel, we sail.\n", " | Anna | comes to | Kiel", Err(Ungrounded::NotAsserted));
    check("I wish Anna lived in Kiel.\n", " | Anna | lived in | Kiel", Err(Ungrounded::NotAsserted));
    check("Did Anna move to Kiel?\n", " | Anna | move to | Kiel", Err(Ungrounded::NotAsserted));
    let modality = |note: &str, parts: &str| told(note, parts).map(|claim| claim.modality);
    let planned =
        modality("Some day soon Anna will move on to Kiel with Tom.\n", " | Anna | will move on to | Kiel with Tom");
    assert_eq!(planned, Ok(Modality::Planned));
    let rejected =
        modality("# Rejected\n\nSadly Anna moved on to Kiel with Tom.\n", " | Anna | moved on to | Kiel with Tom");
    assert_eq!(rejected, Ok(Modality::Rejected));
}

#[test]
fn in_a_language_whose_denials_are_not_known_nothing_is_left_out() {
    check("Anna wohnt nicht mit Ben in Kiel.\n", " | Anna | wohnt | mit Ben in Kiel", Err(Ungrounded::Object));
    check(
        "Anna wohnt mit Ben in Kiel, aber das ist nicht wahr.\n",
        " | Anna | wohnt | mit Ben in Kiel",
        Err(Ungrounded::LeftOut),
    );
    check("Anna wohnt mit der Katze in Kiel.\n", " | Anna | wohnt mit | der Katze in Kiel", SO);
}

#[test]
fn what_the_rules_read_is_not_added_again() {
    check("Anna likes rye bread.\n", " | Anna | likes | rye bread", Err(Ungrounded::Duplicate));
    check("Anna likes rye bread.\n", " | anna | likes | the rye bread", Err(Ungrounded::Duplicate));
}

/// A model that read a secret beside a public sentence may not shape what is said of the public one.
#[test]
fn nothing_is_said_of_a_statement_that_stands_beside_something_more_guarded() {
    let note = "Quietly Anna took over the crew. <!--privacy:secret-->She earns 90k.<!--/privacy-->\n";
    check(note, "Quietly Anna took over the crew. | Anna | took over | the crew", Err(Ungrounded::Guarded));
}

#[test]
fn proposals_are_counted_by_what_became_of_them() {
    let fresh = fresh("Quietly, Anna took over the harbour crew.\n");
    let passage = fresh.text_blocks()[0];
    let good = proposal("Anna took over the harbour crew", "Anna", "took over", "the harbour crew");
    let bad = proposal("Anna owns the harbour", "Anna", "owns", "the harbour");
    let grounded = ClaimExtractor::default().ground_proposals(&passage, &[good.clone(), bad, good]);
    assert!(grounded.claims.len() + grounded.rejected.get(&Ungrounded::Duplicate).copied().unwrap_or(0) == 2);
    assert_eq!(grounded.rejected.get(&Ungrounded::NotFound), Some(&1));
    for why in Ungrounded::ALL {
        assert!(!why.as_str().is_empty());
    }
}

/// Every word of a claim stands in its statement, but for a subject that stands around it.
fn bears_out(passage: &TextBlock<'_>, statement: &Statement, claim: &Claim) -> bool {
    let own: Vec<String> = split_words(&statement.words).into_iter().map(|word| word.folded).collect();
    let within = |text: &str| split_words(text).iter().all(|word| own.contains(&word.folded));
    let note = passage.note();
    let around = [note.title().to_owned(), statement.headings.join(" "), passage.words()].join(" ");
    let around: Vec<String> = split_words(&around).into_iter().map(|word| word.folded).collect();
    let subject = claim.subject.as_deref().unwrap_or_default();
    within(&claim.predicate)
        && within(&claim.object)
        && split_words(subject).iter().all(|word| own.contains(&word.folded) || around.contains(&word.folded))
}

const NOTE: &str = "# Anna\n\nAnna moved to Kiel in May. She does not like “rye”, but Ben’s dog may. It won't rain!\n\n\
                    - drift switched from JSON to MessagePack\n- [ ] call Ben\n\n| who | where |\n|---|---|\n| Ben | Oslo |\n";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// For any reply, every accepted claim is in the note.
    #[test]
    fn whatever_is_proposed_what_is_accepted_stands_in_the_note(
        quote in prop_oneof![
            Just("Anna moved to Kiel in May."), Just("She does not like “rye”, but Ben’s dog may."), Just("Ben | Oslo"),
            Just("drift switched from JSON to MessagePack"), Just("She does not like"), Just("Anna"), Just("…"),
        ],
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "Anna", "She", "Ben", "drift", "moved", "to", "Kiel", "in", "May", "not", "like", "rye", "switched", "from",
                "JSON", "MessagePack", "dog", "may", "Oslo", "call", "owns", "\u{200b}", "é", "does", "Ben's", "|",
            ]), 3..9),
        cuts in (1usize..3, 1usize..4),
    ) {
        let fresh = fresh(NOTE);
        let cut = |from: usize, to: usize| parts.get(from.min(parts.len())..to.min(parts.len())).unwrap_or_default().join(" ");
        let found = proposal(quote, &cut(0, cuts.0), &cut(cuts.0, cuts.0 + cuts.1), &cut(cuts.0 + cuts.1, 99));
        for passage in fresh.text_blocks() {
            for claim in ClaimExtractor::default().ground_proposals(&passage, std::slice::from_ref(&found)).claims {
                let statement = passage.statements().iter().find(|s| s.id == claim.id.statement()).expect("its statement");
                prop_assert!(bears_out(&passage, statement, &claim), "{found:?}");
                if split_words(&statement.words).iter().any(|word| matches!(word.folded.as_str(), "not")) && claim.predicate.contains("like") {
                    prop_assert!(claim.negated);
                }
            }
        }
    }

    /// No reply makes it fail.
    #[test]
    fn no_reply_is_too_odd(reply in ".{0,300}", note in ".{0,200}") {
        let fresh = fresh(&note);
        let read = ProposalReply::parse(&reply).unwrap_or_default();
        let odd = proposal(&reply, &note, &reply, &note);
        let same = proposal(&note, &note, &note, &note);
        for passage in fresh.text_blocks() {
            for list in [&read.proposals[..], std::slice::from_ref(&odd), std::slice::from_ref(&same)] {
                for claim in ClaimExtractor::default().ground_proposals(&passage, list).claims {
                    let statement = passage.statements().iter().find(|s| s.id == claim.id.statement()).expect("its statement");
                    prop_assert!(bears_out(&passage, statement, &claim));
                }
            }
        }
    }
}
