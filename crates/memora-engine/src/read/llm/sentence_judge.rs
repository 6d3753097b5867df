//! A language model's judgement on top of the rules: it may raise a paraphrased sentence to entailed, and reject any
//! sentence; it cannot overrule a contradicting fact.
//!
//! Only sentences that the rules keep are sent, with the claims that they rest on, each read again and sorted for the
//! model's door right before. Invariant: **what is not judged is reported as not judged.** For a reply that cannot be
//! read, a failing model or a sentence beyond the limit, the rules' verdict stays, and the report says so.

use std::collections::{BTreeMap, HashMap};

use memora_claim::ClaimId;
use memora_redact::{Assertion, ClearClaim, DoorView, Prompt};
use memora_store::ReadError;
use memora_verify::{CheckedSentence, ModelFinding, VerificationReport};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::read::answer::drafted::AskError;
use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::Lifecycle;
use crate::read::llm::model_questions::ModelQuestions;
use crate::read::llm::send::{Asking, PromptSender, SendError};
use crate::read::verify::input::VerifyInput;
use crate::read::verify::{CheckedInput, Verifier};
use crate::report::{Freshness, JudgementReport, SentenceJudgement, VerifyReport};

/// Sentences in one request, and requests for one text.
const SENTENCES_MAX: usize = 8;
const CALLS_MAX: usize = 25;

/// A sentence to be judged: which one, its words, and what it rests on.
struct DueSentence {
    number: usize,
    words: String,
    claims: Vec<ClaimId>,
}

/// A prompt, and the sentences that it is about, in their order.
struct SentencePrompt<'b> {
    prompt: Prompt,
    about: Vec<&'b DueSentence>,
}

/// What a model said of one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Opinion {
    /// Said, by these words of the notes.
    Said(String),
    /// Not said; these of its words, if any were named that are.
    NotSaid(String),
}

/// The opinions of a run.
#[derive(Default)]
struct SentenceOpinions {
    /// Opinions by the number of the sentence.
    opinions: HashMap<usize, Opinion>,
    calls: usize,
    failure: Option<String>,
}

impl ModelQuestions<'_> {
    /// Judges a text as `verify_text` does, and asks a model about each sentence that stands.
    ///
    /// # Errors
    /// [`AskError`]. A failing model is not an error: the report then says what was not judged.
    pub(crate) fn judge_text(
        &self,
        submitted: &VerifyInput,
        door: DoorView,
        asking: &Asking<'_>,
        freshness: Freshness,
    ) -> Result<VerifyReport, AskError> {
        let due = self.sentences_to_judge(submitted, door)?;
        let mut judged = SentenceOpinions::default();
        for batch in due.chunks(SENTENCES_MAX).take(CALLS_MAX) {
            if let Err(error) = self.judge_sentences(batch, door, asking, &mut judged)? {
                judged.failure = Some(error);
                break;
            }
        }
        // The model may have taken a minute: the notes count as they are now, and other rules end it.
        if !self.memora.has_current_rules() {
            return Err(SendError::RulesChanged.into());
        }
        let session = self.memora.session_for(door)?;
        let CheckedInput { mut report, shown } = Verifier::new(&session).check_input(submitted)?;
        let opinions = retain_unchanged(&report, &due, judged.opinions);
        for (number, opinion) in &opinions {
            match opinion {
                Opinion::Said(evidence) => report.mark_entailed(*number, evidence, asking.model.name()),
                Opinion::NotSaid(words) => report.mark_unsupported(*number, words),
            }
        }
        let mut wire = Verifier::new(&session).build_report(&report, shown, freshness)?;
        let mut by = JudgementReport {
            model: asking.model.name().to_owned(),
            calls: judged.calls,
            said: 0,
            raised: 0,
            lowered: 0,
            not_judged: 0,
            failure: judged.failure,
        };
        for (number, (sentence, checked)) in wire.sentences.iter_mut().zip(report.sentences()).enumerate() {
            let word = match opinions.get(&number) {
                Some(Opinion::Said(_)) => SentenceJudgement::Said,
                Some(Opinion::NotSaid(_)) => SentenceJudgement::NotSaid,
                None if checked.verdict().is_kept() => SentenceJudgement::NotJudged,
                None => continue,
            };
            match word {
                SentenceJudgement::Said => by.said += 1,
                SentenceJudgement::NotSaid => by.lowered += 1,
                _ => by.not_judged += 1,
            }
            by.raised +=
                usize::from(matches!(opinions.get(&number), Some(Opinion::Said(_))) && is_raised_by_model(checked));
            sentence.judged = Some(word);
        }
        wire.judged = Some(by);
        Ok(wire)
    }

    /// The sentences that the rules keep, with what they rest on.
    fn sentences_to_judge(&self, submitted: &VerifyInput, door: DoorView) -> Result<Vec<DueSentence>, AskError> {
        let session = self.memora.session_for(door)?;
        let report = Verifier::new(&session).check_input(submitted)?.report;
        let mut due = Vec::new();
        for (number, sentence) in report.sentences().iter().enumerate().filter(|(_, s)| s.verdict().is_kept()) {
            if let Some(claims) =
                Verifier::new(&session).supporting_claims(sentence.citations())?.filter(|claims| !claims.is_empty())
            {
                due.push(DueSentence { number, words: sentence.judged_text().to_owned(), claims });
            }
        }
        Ok(due)
    }

    /// Asks about some sentences; a failure of the model is returned as a message.
    fn judge_sentences(
        &self,
        batch: &[DueSentence],
        door: DoorView,
        asking: &Asking<'_>,
        judged: &mut SentenceOpinions,
    ) -> Result<Result<(), String>, AskError> {
        let Asking { model, leaves, stop, .. } = *asking;
        let Some(SentencePrompt { prompt, about }) = self.sentences_prompt(batch, door)? else { return Ok(Ok(())) };
        judged.calls += 1;
        let reply = match (PromptSender { memora: self.memora, model, leaves, stop }).send_for_judgement(&prompt)? {
            Ok(reply) => reply,
            Err(failure) => return Ok(Err(failure)),
        };
        let said = parse_opinions(reply.text(), &about.iter().map(|due| due.words.as_str()).collect::<Vec<_>>());
        judged.opinions.extend(said.into_iter().filter_map(|(at, opinion)| Some((about.get(at)?.number, opinion))));
        Ok(Ok(()))
    }

    /// The prompt about those sentences whose claims are all still valid and visible.
    fn sentences_prompt<'b>(
        &self,
        batch: &'b [DueSentence],
        door: DoorView,
    ) -> Result<Option<SentencePrompt<'b>>, ReadError> {
        let session = self.memora.session_for(door)?;
        let mut about: Vec<&DueSentence> = Vec::new();
        let mut sentences: Vec<(Assertion, Vec<ClearClaim<'_>>)> = Vec::new();
        for due in batch {
            let mut clear = Vec::new();
            for id in &due.claims {
                if let Some(statement) = session.statement(id.statement())?
                    && let Some(claim) = statement.wording.claims.first()
                {
                    clear.extend(
                        ClaimAuthorizer::new(&session, Lifecycle::new(&session)).authorize_claim(claim, &statement)?,
                    );
                }
            }
            // A sentence is only sent together with all the claims it rests on.
            if let Some(assertion) = Assertion::new(&due.words).filter(|_| clear.len() == due.claims.len()) {
                sentences.push((assertion, clear));
                about.push(due);
            }
        }
        Ok((!sentences.is_empty()).then(|| SentencePrompt { prompt: Prompt::judge(&sentences), about }))
    }
}

/// Whether a language model found a sentence entailed.
fn is_raised_by_model(checked: &CheckedSentence) -> bool {
    matches!(checked.model_finding(), Some(ModelFinding::Entailed { .. }))
}

/// Keeps the opinions on sentences that are unchanged: a note may have changed meanwhile, and
/// with it the rules' verdicts.
fn retain_unchanged(
    report: &VerificationReport,
    due: &[DueSentence],
    opinions: HashMap<usize, Opinion>,
) -> BTreeMap<usize, Opinion> {
    let same = |number: &usize| {
        let now = report.sentences().get(*number).filter(|sentence| sentence.verdict().is_kept());
        let then = due.iter().find(|due| due.number == *number);
        now.zip(then).is_some_and(|(now, then)| now.judged_text() == then.words)
    };
    opinions.into_iter().filter(|(number, _)| same(number)).collect()
}

/// A reply with numbered verdicts.
#[derive(Deserialize)]
pub(crate) struct VerdictReply<V> {
    verdicts: Vec<NumberedVerdict<V>>,
}

#[derive(Deserialize)]
struct NumberedVerdict<V> {
    n: usize,
    #[serde(flatten)]
    verdict: V,
}

impl<V: DeserializeOwned> VerdictReply<V> {
    /// Parses a reply; a malformed one has no verdicts.
    pub(crate) fn parse(reply: &str) -> Self {
        // Some models put a code fence around JSON, against their instructions.
        let inside = reply.find('{').zip(reply.rfind('}')).and_then(|(start, end)| reply.get(start..=end));
        inside.and_then(|json| serde_json::from_str(json).ok()).unwrap_or(Self { verdicts: Vec::new() })
    }

    /// The verdict on the item with this index, counted from 0; `None` where there is none, or more than one.
    pub(crate) fn verdict_for(&self, index: usize) -> Option<&V> {
        let mut about = self.verdicts.iter().filter(|verdict| verdict.n == index + 1);
        match (about.next(), about.next()) {
            (Some(only), None) => Some(&only.verdict),
            _ => None,
        }
    }
}

#[derive(Deserialize)]
struct SaidVerdict {
    said: bool,
    #[serde(default)]
    words: String,
    #[serde(default)]
    evidence: String,
}

/// Parses the opinions in a reply, by the index of the sentence.
fn parse_opinions(reply: &str, sentences: &[&str]) -> BTreeMap<usize, Opinion> {
    let reply = VerdictReply::<SaidVerdict>::parse(reply);
    let opinion = |(at, sentence): (usize, &&str)| {
        let SaidVerdict { said, words, evidence } = reply.verdict_for(at)?;
        // Words that are not in the sentence are dropped: a model's own words are never shown.
        let words = if sentence.contains(words.trim()) { words.trim() } else { "" };
        Some((at, if *said { Opinion::Said(evidence.trim().to_owned()) } else { Opinion::NotSaid(words.to_owned()) }))
    };
    sentences.iter().enumerate().filter_map(opinion).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(reply: &str, expect: &[(usize, Opinion)]) {
        let found = parse_opinions(reply, &["Drift is late.", "Bruno left."]);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expect, "{reply}");
    }

    #[test]
    fn what_cannot_be_read_is_no_judgement() {
        for reply in [
            "",
            "yes",
            "{}",
            "[]",
            "{\"verdicts\": 3}",
            "{\"verdicts\": [{\"n\": 1}]}",
            "{\"verdicts\": [{\"n\": 1, \"said\": \"no\"}]}",
            "{\"verdicts\": [{\"n\": 7, \"said\": false}]}",
            "{\"verdicts\": [{\"n\": 1, \"said\": true}, {\"n\": 1, \"said\": false}]}",
            "{\"verdicts\": [{\"n\": 1, \"said\": false}",
        ] {
            check(reply, &[]);
        }
    }

    #[test]
    fn what_is_said_is_taken_and_words_only_if_they_are_the_sentences() {
        let not = |words: &str| Opinion::NotSaid(words.to_owned());
        check(
            "```json\n{\"verdicts\": [{\"n\": 2, \"said\": false, \"words\": \"left\"}, {\"n\": 1, \"said\": true, \"words\": \"\"}]}\n```",
            &[(0, Opinion::Said(String::new())), (1, not("left"))],
        );
        check("{\"verdicts\": [{\"n\": 1, \"said\": false, \"words\": \"the salary\"}]}", &[(0, not(""))]);
        check(
            "{\"verdicts\": [{\"n\": 1, \"said\": true, \"words\": \"\", \"evidence\": \" slipped to May \"}]}",
            &[(0, Opinion::Said("slipped to May".to_owned()))],
        );
    }
}
