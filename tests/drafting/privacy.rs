//! One secret on its way through the program.
//!
//! A note says what somebody earns. The walk goes from the marks that guard it, through the band that follows from them, the
//! sorting in front of every prompt, what is left of the claim behind it, to the request that a model elsewhere receives.
//! What the compiler refuses stands as tests in the documentation of `memora_redact`, each beside a twin that compiles:
//! a secret claim that was not redacted is no part of a prompt, nor is anything sorted for the user's own eyes.

use memora_claim::{Claim, ParsedNote, Statement, anchor_span};
use memora_redact::{
    ClaimAccess, ClaimView, CloudDoor, Door, Handles, LocalDoor, Prompt, UserQuestion, WireClaim, authorize_claim,
};
use memora_testkit::{Fixture, ModelServer, ScriptedReply};
use memora_vault::{Band, Note, NotePath, PathContext};

use super::elsewhere;
use super::guarded_words::egress;
use crate::support::memora;

const PLAIN: &str = "# Anna\n\nAnna likes rye bread.\n\nAnna earns 6,840 euros a month.\n";

fn fresh(text: &str) -> ParsedNote {
    let path = NotePath::new("people/Anna.md").expect("a good path");
    ParsedNote::new(Note::parse(path, text.to_owned(), PathContext::default()).0)
}

/// The statement that holds these words.
fn statement<'n>(fresh: &'n ParsedNote, words: &str) -> &'n Statement {
    fresh.statements().iter().find(|statement| statement.words.contains(words)).expect("the note says so")
}

/// A claim with its place re-read, sorted for a door.
fn sorted<'n, D: Door>(fresh: &'n ParsedNote, words: &str, door: &D) -> ClaimAccess<'n, D> {
    let statement = statement(fresh, words);
    let claim = Claim::new(statement.id, Some("Anna".into()), "earns", "6,840 euros a month");
    let place = anchor_span(fresh, statement.span).recheck(fresh).expect("it stands");
    let status = memora_claim::conflict::ClaimStatus::Current;
    authorize_claim(
        ClaimView { claim, captured: false, valid_from: None, valid_until: None, sources: 1, status },
        place,
        door,
    )
}

/// First: marks. A property guards the note, a marker what is between.
#[test]
fn a_property_guards_the_note_and_a_marker_what_it_holds() {
    let band = |text: &str, words: &str| statement(&fresh(text), words).band;
    assert_eq!(band(PLAIN, "earns"), Band::Public);
    let note = format!("---\nprivacy: private\n---\n{PLAIN}");
    assert_eq!(band(&note, "earns"), Band::Private);
    assert_eq!(band(&note, "rye"), Band::Private);
    let marker = PLAIN.replace("Anna earns", "<!--privacy:secret-->Anna earns");
    assert_eq!(band(&marker, "earns"), Band::Secret, "it is never closed, so it goes to the end");
    assert_eq!(band(&marker, "rye"), Band::Public);
}

/// Second: the strictest counts, of note and marker as of any two, and nothing turns it back.
#[test]
fn where_marks_meet_the_strictest_counts() {
    let bands = [Band::Public, Band::Private, Band::Secret];
    for (one, other) in bands.into_iter().flat_map(|one| bands.map(|other| (one, other))) {
        assert_eq!(one.join(other), one.max(other));
    }
    let in_private = format!("---\nprivacy: private\n---\n{PLAIN}").replace(
        "Anna earns 6,840 euros a month.",
        "<!--privacy:secret-->Anna earns 6,840 euros a month.<!--/privacy-->",
    );
    assert_eq!(statement(&fresh(&in_private), "earns").band, Band::Secret);
    let in_secret = format!("---\nprivacy: secret\n---\n{PLAIN}")
        .replace("Anna likes rye bread.", "<!--privacy:public-->Anna likes rye bread.<!--/privacy-->");
    assert_eq!(statement(&fresh(&in_secret), "rye").band, Band::Secret, "a marker does not open what the note closes");
}

/// Third: the sorting comes in front of the prompt. What may not pass is no claim any more, but its place alone.
#[test]
fn what_may_not_pass_is_sorted_out_before_there_is_a_prompt() {
    let note = fresh(&PLAIN.replace("Anna earns", "<!--privacy:secret-->Anna earns"));
    let ClaimAccess::Secret(secret) = sorted(&note, "earns", &CloudDoor::default()) else {
        panic!("a secret passes a cloud door")
    };
    let ClaimAccess::Clear(clear) = sorted(&note, "rye", &CloudDoor::default()) else {
        panic!("a public line is kept back")
    };
    // Fourth: the subject stays where public text has it; predicate and object do not.
    let redacted = secret.redact(&Handles::new([7; 32]), 0, |name| name == "Anna");
    let wire = serde_json::to_value(WireClaim::<CloudDoor>::from(redacted.clone())).expect("JSON");
    assert_eq!(
        (&wire["subject"], &wire["predicate"], &wire["object"]),
        (&"Anna".into(), &"[redacted]".into(), &"[redacted]".into())
    );
    // Fifth: the prompt is made of what was sorted, and holds nothing else of the note.
    let prompt = Prompt::answer(&UserQuestion::new("What does Anna earn?"), &[clear], &[redacted]);
    assert!(prompt.user().contains("Anna likes rye bread.") && prompt.user().contains("[redacted]"));
    for word in ["6,840", "euros", "earns"] {
        assert!(!prompt.user().contains(word), "{word} in {}", prompt.user());
    }
    assert_eq!(prompt.band(), Band::Public);
    // The user's own eyes, and a model that they trust on their machine, see it; and the prompt remembers that it did.
    let ClaimAccess::Clear(clear) = sorted(&note, "earns", &LocalDoor) else { panic!("the user may see it") };
    let prompt = Prompt::answer(&UserQuestion::new("What does Anna earn?"), &[clear], &[]);
    assert!(prompt.user().contains("6,840"));
    assert_eq!(prompt.band(), Band::Secret);
}

/// Sixth: the same from outside. A model elsewhere is asked about the secret, and says what it guesses.
#[test]
fn a_model_elsewhere_is_told_that_something_is_kept_back_and_cannot_say_what() {
    let note = PLAIN.replace(
        "Anna earns 6,840 euros a month.",
        "<!--privacy:secret-->Anna earns 6,840 euros a month.<!--/privacy-->",
    );
    let fixture = Fixture::from_notes(&[("people/Anna.md", &note)]);
    let memora = memora(&fixture);
    let guess = ScriptedReply::from_request(|request| {
        // Asked again, it is offered what it may rely on, and that is no handle.
        let handle = request.offered_ids().into_iter().find(|id| id.starts_with('~')).unwrap_or_default();
        ScriptedReply::text(format!("Anna earns 6,840 euros a month [claim:{handle}]."))
    });
    let server = ModelServer::start(vec![guess]);
    elsewhere(&memora, "openai", &server);
    let output = memora.run(&["ask", "What does Anna earn?", "--json"]).assert_code(1);
    assert_eq!(output.json()["status"], "unverified", "a sentence that cites it is rejected, and never judged");
    assert_eq!(output.json()["answer"], "");
    let sent = String::from_utf8_lossy(&server.received_bytes()).into_owned();
    assert!(sent.contains("rye bread") && sent.contains("[redacted]"), "{sent}");
    assert!(!sent.contains("6,840") && !output.stdout.contains("6,840") && !output.stderr.contains("6,840"));
    // The log of what left says what was offered, and no word of it.
    let log = egress(&memora);
    assert!(log.contains("\"what\":\"answer\"") && !log.contains("rye") && !log.contains("Anna"), "{log}");
}
