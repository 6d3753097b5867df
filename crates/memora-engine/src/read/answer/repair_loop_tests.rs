//! The drafting loop, with a scripted backend.

use std::collections::HashSet;

use memora_claim::{Claim, ClaimId, ParsedNote, anchor_span};
use memora_redact::{ClaimAccess, ClaimView, ClearClaim, CloudDoor, Prompt, UserQuestion, Viewer, authorize_claim};
use memora_vault::{Note, NotePath, PathContext};
use memora_verify::{CitationFailure, CitationResolution, CitedPassage, Evidence, check_draft};
use proptest::prelude::*;

use super::repair_loop::{
    CheckedDraft, DRAFTS_MAX, DraftBackend, DraftOutcome, DraftRequest, DraftingResult, OfferedPrompt, draft_answer,
    is_guarded_now, reject_unoffered,
};

const NOTE: &str =
    "drift switched from JSON to MessagePack.\n\nPriya owns the rota since 2024.\n\nAnna moved to Kiel.\n";

/// A note, what is said of it at each call, and what the note says after each.
struct Script {
    notes: Vec<String>,
    replies: Vec<Result<String, &'static str>>,
    asked: usize,
    /// How many of the statements are offered.
    offers: usize,
    offered: Vec<usize>,
    /// What was wrong with the sentences that were asked for again, each time.
    faulty: Vec<Vec<String>>,
}

impl Script {
    fn new(replies: &[&str]) -> Self {
        let replies = replies.iter().map(|reply| Ok((*reply).to_owned())).collect();
        Self { notes: vec![NOTE.to_owned()], replies, asked: 0, offers: 2, offered: Vec::new(), faulty: Vec::new() }
    }

    fn now(&self) -> ParsedNote {
        let at = self.asked.min(self.notes.len() - 1);
        let path = NotePath::new("drift.md").expect("a good path");
        ParsedNote::new(Note::parse(path, self.notes[at].clone(), PathContext::default()).0)
    }

    /// The id of the statement with this number, as it was at first.
    fn id(&self, number: usize) -> ClaimId {
        let path = NotePath::new("drift.md").expect("a good path");
        let first = ParsedNote::new(Note::parse(path, self.notes[0].clone(), PathContext::default()).0);
        ClaimId::from_reading(first.statements()[number].id, None, "states", "")
    }
}

/// The evidence of one note for a cloud door.
struct Evident<'a> {
    fresh: &'a ParsedNote,
    known: HashSet<ClaimId>,
    offered: &'a [ClaimId],
}

impl Evidence for Evident<'_> {
    fn resolve_id(&self, id: &ClaimId) -> CitationResolution {
        let found = self.fresh.statements().iter().find(|s| s.id == id.statement());
        let finding = match found.map(|s| anchor_span(self.fresh, s.span).recheck(self.fresh)) {
            Some(Ok(place)) if CloudDoor::default().view().may_show(place.band()) => {
                CitationResolution::Resolved(CitedPassage::from_rechecked(&place))
            }
            Some(_) => CitationResolution::Failed(CitationFailure::UnknownId),
            None if self.known.iter().any(|known| known.statement() == id.statement()) => {
                CitationResolution::Failed(CitationFailure::MissingNote)
            }
            None => CitationResolution::Failed(CitationFailure::UnknownId),
        };
        reject_unoffered(id, self.offered, finding)
    }

    fn resolve_handle(&self, _: &str) -> CitationResolution {
        CitationResolution::Failed(CitationFailure::Redacted)
    }
}

/// An error that the user has to know of, regardless of other results.
const PASSED_ON: &str = "passed on";

impl DraftBackend for Script {
    type Error = &'static str;

    fn build_prompt(&mut self, want: &DraftRequest<'_>) -> Result<Option<OfferedPrompt>, Self::Error> {
        let among = match want {
            DraftRequest::Answer => None,
            DraftRequest::Retry(among) | DraftRequest::Correct(among, _) => Some(*among),
        };
        if let DraftRequest::Correct(_, faulty) = want {
            self.faulty.push(faulty.iter().map(|faulty| faulty.wrong.clone()).collect());
        }
        let fresh = self.now();
        let mut clear: Vec<ClearClaim<'_>> = Vec::new();
        for statement in fresh.statements().iter().take(self.offers) {
            let claim = Claim::new(statement.id, None, "states", &statement.words);
            let wanted = among.is_none_or(|among| among.iter().any(|id| id.statement() == statement.id));
            let shown = ClaimView {
                claim,
                captured: false,
                valid_from: None,
                valid_until: None,
                sources: 1,
                status: memora_claim::conflict::ClaimStatus::Current,
            };
            let place = anchor_span(&fresh, statement.span).recheck(&fresh).expect("it stands");
            if wanted && let ClaimAccess::Clear(claim) = authorize_claim(shown, place, &CloudDoor::default().view()) {
                clear.push(claim);
            }
        }
        if clear.is_empty() {
            return Ok(None);
        }
        self.offered.push(clear.len());
        let claims = clear.iter().map(|claim| claim.claim().id).collect();
        Ok(Some(OfferedPrompt { prompt: Prompt::answer(&UserQuestion::new("What about drift?"), &clear, &[]), claims }))
    }

    fn send_prompt(&mut self, _: &Prompt) -> Result<String, Self::Error> {
        let reply = self.replies[self.asked.min(self.replies.len() - 1)].clone();
        self.asked += 1;
        reply
    }

    fn is_fatal(&self, error: &Self::Error) -> bool {
        *error == PASSED_ON
    }

    fn check_draft(&mut self, draft: &str, offered: &[ClaimId]) -> Result<CheckedDraft, Self::Error> {
        let known = (0..3).map(|number| self.id(number)).collect();
        let evident = Evident { fresh: &self.now(), known, offered };
        let withheld = offered.iter().any(|id| is_guarded_now(&evident.resolve_id(id)));
        Ok(CheckedDraft { report: check_draft(draft, &evident), withheld })
    }
}

/// The answer's text, or a word for why there is none.
fn outcome(drafted: &DraftingResult) -> String {
    match &drafted.outcome {
        DraftOutcome::Answer(answer) => answer.text().to_owned(),
        other => format!("{other:?}"),
    }
}

/// Checks what comes of some replies, with how many drafts.
#[track_caller]
fn expect(script: &mut Script, text: &str, drafts: usize) -> DraftingResult {
    let drafted = draft_answer(script).expect("no error");
    assert_eq!(outcome(&drafted), text);
    assert_eq!((drafted.drafts, script.asked), (drafts, drafts));
    drafted
}

fn cited(words: &str, id: ClaimId) -> String {
    format!("{words} [claim:{id}].")
}

#[test]
fn a_good_draft_is_the_answer_at_once() {
    let id = Script::new(&[]).id(0);
    let good = cited("drift switched from JSON to MessagePack", id);
    let drafted =
        expect(&mut Script::new(&[&good]), &format!("drift switched from JSON to MessagePack. [claim:{id}]"), 1);
    assert_eq!(drafted.removed, super::repair_loop::RemovedCounts::default());
}

#[test]
fn what_does_not_hold_is_asked_for_again_with_what_it_cited() {
    let first = Script::new(&[]);
    let (json, rota) = (first.id(0), first.id(1));
    let swapped = cited("drift switched from MessagePack to JSON", json);
    let good = cited("drift switched from JSON to MessagePack", json);
    let mut script = Script::new(&[&swapped, &good]);
    expect(&mut script, &format!("drift switched from JSON to MessagePack. [claim:{json}]"), 2);
    assert_eq!(script.offered, [2, 2], "what puts a sentence right may be what it did not cite");
    let uncited = "Priya owns the rota.";
    let mut script = Script::new(&[uncited, &cited("Priya owns the rota since 2024", rota)]);
    expect(&mut script, &format!("Priya owns the rota since 2024. [claim:{rota}]"), 2);
    assert_eq!(script.offered, [2, 2], "it cited nothing, so all are offered again");
}

#[test]
fn the_verified_part_is_left_when_the_rest_never_comes_right() {
    let id = Script::new(&[]).id(0);
    let half = format!("{} The moon is cheese.", cited("drift switched from JSON to MessagePack", id));
    let drafted =
        expect(&mut Script::new(&[&half]), &format!("drift switched from JSON to MessagePack. [claim:{id}]"), 3);
    assert_eq!(drafted.removed.uncited, 1);
    // It gives up, or fails, where it had something before.
    expect(
        &mut Script::new(&[&half, "I found nothing about this in your notes."]),
        &format!("drift switched from JSON to MessagePack. [claim:{id}]"),
        2,
    );
    let mut script = Script::new(&[&half]);
    script.replies.push(Err("unreachable"));
    expect(&mut script, &format!("drift switched from JSON to MessagePack. [claim:{id}]"), 2);
    // That the prompt was sent is reported, even if a draft was verified before.
    let mut script = Script::new(&[&half]);
    script.replies.push(Err(PASSED_ON));
    assert_eq!(draft_answer(&mut script).expect_err("there is no answer"), PASSED_ON);
}

#[test]
fn nothing_is_said_where_nothing_holds() {
    expect(&mut Script::new(&["I found nothing about this in your notes."]), "NothingFound", 1);
    expect(&mut Script::new(&["The moon is cheese."]), "NothingHolds", 3);
    expect(&mut Script::new(&[" \n"]), "EmptyReplies", 3);
    expect(&mut Script::new(&["…", "The moon is cheese."]), "NothingHolds", 3);
    let third = Script::new(&[]).id(2);
    // It stands, and was not offered.
    expect(&mut Script::new(&[&cited("Anna moved to Kiel", third)]), "NothingHolds", 3);
    let mut script = Script::new(&["whatever"]);
    script.replies = vec![Err("unreachable")];
    assert_eq!(draft_answer(&mut script).expect_err("there is no answer"), "unreachable");
}

#[test]
fn a_note_that_became_secret_meanwhile_takes_the_answer_with_it() {
    let id = Script::new(&[]).id(0);
    let mut script = Script::new(&[&cited("drift switched from JSON to MessagePack", id)]);
    script.notes.push(format!("---\nprivacy: secret\n---\n{NOTE}"));
    expect(&mut script, "Withheld", 1);
    // What is gone is not guarded: it fails, and is not offered again.
    let mut script = Script::new(&[&cited("drift switched from JSON to MessagePack", id)]);
    script.notes.push("Something else.\n".to_owned());
    script.offers = 0;
    let drafted = draft_answer(&mut script).expect("no error");
    assert_eq!(outcome(&drafted), "NothingToOffer");
}

proptest! {
    /// For any replies of the model, the loop ends within its bound, and an answer cites only valid offered claims.
    #[test]
    fn whatever_a_model_replies_only_offered_claims_are_cited(
        parts in prop::collection::vec(
            prop_oneof![
                any::<String>(),
                prop::sample::select(vec![
                    "drift switched from JSON to MessagePack", "Anna moved to Kiel", " [claim:{0}]", " [claim:{1}]",
                    " [claim:{2}]", "[claim:~abcdefghjkmn]", ".\n\n", "# ", "- ", "`", "[^1]: ", "|", "not ", "\u{202e}",
                    "[claim:", "]", "\n> ",
                ]).prop_map(str::to_owned),
            ],
            0..24,
        ),
        cuts in prop::collection::vec(0usize..24, 3),
    ) {
        let ids: Vec<ClaimId> = (0..3).map(|number| Script::new(&[]).id(number)).collect();
        let reply = |cut: usize| {
            let mut text: String = parts.iter().skip(cut).map(String::as_str).collect();
            for (number, id) in ids.iter().enumerate() {
                text = text.replace(&format!("{{{number}}}"), &id.to_string());
            }
            text
        };
        let replies: Vec<String> = cuts.into_iter().map(reply).collect();
        let mut script = Script::new(&replies.iter().map(String::as_str).collect::<Vec<_>>());
        let drafted = draft_answer(&mut script).expect("no error");
        prop_assert!(drafted.drafts <= DRAFTS_MAX && script.asked == drafted.drafts);
        if let DraftOutcome::Answer(answer) = drafted.outcome {
            for sentence in answer.sentences() {
                prop_assert!(!sentence.verdict().is_kept() || !sentence.citations().is_empty());
                for citation in sentence.citations() {
                    prop_assert!(citation.passage().is_some());
                    let offered = ids.iter().take(2).any(|id| citation.text().to_lowercase().contains(&id.statement().to_string()));
                    prop_assert!(offered, "{}", citation.text());
                }
            }
        }
    }
}

/// A reply in the form that it is asked for: number, words, claim, evidence.
fn reply(sentences: &[(Option<usize>, &str, ClaimId, &str)]) -> String {
    let objects = sentences.iter().map(|(n, says, id, evidence)| {
        let n = n.map(|n| format!("\"n\": {n}, ")).unwrap_or_default();
        format!("{{{n}\"says\": \"{says}\", \"cites\": [\"{id}\"], \"evidence\": \"{evidence}\"}}")
    });
    format!("{{\"sentences\": [{}]}}", objects.collect::<Vec<_>>().join(", "))
}

#[test]
fn only_what_did_not_hold_is_asked_for_again_and_evidence_is_looked_up() {
    let first = Script::new(&[]);
    let (json, rota) = (first.id(0), first.id(1));
    let draft = reply(&[
        (None, "Priya owns the rota since 2023.", rota, "since 2023"),
        (None, "Drift went from JSON to MessagePack.", json, "switched from JSON to MessagePack"),
    ]);
    let anew = reply(&[(Some(1), "The rota is owned by Priya since 2024.", rota, "what nobody wrote")]);
    let mut script = Script::new(&[&draft, &anew]);
    let text = format!(
        "The rota is owned by Priya since 2024. [claim:{rota}]\n\nDrift went from JSON to MessagePack. [claim:{json}]"
    );
    let drafted = expect(&mut script, &text, 2);
    let DraftOutcome::Answer(answer) = &drafted.outcome else { panic!("an answer") };
    let evidence: Vec<_> = answer.sentences().iter().map(memora_verify::CheckedSentence::evidence).collect();
    assert_eq!(evidence, [None, Some("switched from JSON to MessagePack")]);
    assert_eq!(script.faulty, [["the note says 2024, not 2023"]]);

    // It can put nothing right: what held stays.
    let mut script = Script::new(&[&draft, "{\"sentences\": []}"]);
    expect(&mut script, &format!("Drift went from JSON to MessagePack. [claim:{json}]"), 2);
    // It writes another answer, in a form of its own.
    let good = cited("drift switched from JSON to MessagePack", json);
    let mut script = Script::new(&[&draft, &good]);
    expect(&mut script, &format!("drift switched from JSON to MessagePack. [claim:{json}]"), 2);
}

#[test]
fn what_a_corrected_draft_was_made_of_may_not_become_secret_meanwhile() {
    let first = Script::new(&[]);
    let json = first.id(0);
    let draft = reply(&[
        (None, "drift switched from JSON to MessagePack.", json, ""),
        (None, "drift switched in 2024, when Zelda took the rota.", json, ""),
    ]);
    let anew = reply(&[(Some(1), "drift switched to MessagePack.", json, "")]);
    // What nothing cites any more was in the prompt, and is guarded when the last reply is there.
    let guarded = NOTE.replace(
        "Priya owns the rota since 2024.",
        "<!--privacy:secret-->\nPriya owns the rota since 2024.\n<!--/privacy-->",
    );
    assert_ne!(guarded, NOTE);
    let mut script = Script::new(&[&draft, &anew]);
    script.notes.extend([NOTE.to_owned(), guarded.clone()]);
    expect(&mut script, "Withheld", 2);
    // Or before it is asked again: then it is not, and what was drafted is withheld all the same.
    let mut script = Script::new(&[&draft, &anew]);
    script.notes.push(guarded);
    expect(&mut script, "Withheld", 1);
}
