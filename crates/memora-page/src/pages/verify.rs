//! `/verify`: any text, judged by what it cites. It is kept nowhere.

use std::ops::Range;

use askama::Template;
use axum::extract::{Extension, Form, State};
use axum::response::Response;
use memora_engine::report::{CitationOutcome, SentenceReport, SentenceVerdict, Strictness, VerifyReport, Wording};
use memora_engine::{LocalDoor, VerifyInput};
use serde::Deserialize;

use super::parts::{Evidence, Verdict, cited_numbers, read_evidence};
use crate::app::{Frame, Part, Screen, SharedApp, show as show_page};
use crate::audience::{PageRequest, Reading};
use crate::error::PageError;
use crate::excerpt::Piece;
use crate::guard::Admitted;

#[derive(Clone, Deserialize)]
pub(super) struct Submitted {
    #[serde(default)]
    text: String,
}

struct Judge(String);

/// A text with its verdicts.
struct Judged {
    report: VerifyReport<LocalDoor>,
    evidence: Vec<Evidence<LocalDoor>>,
    /// The text without what does not stand.
    mended: Option<String>,
}

/// The most sentences that are judged at once.
const SENTENCES_MAX: usize = 500;

/// A text has more sentences than are judged at once: so many.
struct TooMany(usize);

impl PageRequest for Judge {
    type Answer = Result<Judged, TooMany>;
    const LABEL: &'static str = "verify";
    const IS_SLOW: bool = true;

    fn read(&self, reading: &Reading<'_>) -> Result<Self::Answer, PageError> {
        let is_reply = VerifyInput::is_like_content_blocks(&self.0);
        let input = match is_reply {
            true => VerifyInput::from_blocks(&self.0)?,
            false => VerifyInput::from_draft(self.0.clone()),
        };
        let strictness = if reading.memora.config().strict { Strictness::Proven } else { Strictness::Loose };
        let input = input.with_strictness(strictness);
        let count = input.count_sentences();
        if count > SENTENCES_MAX {
            return Ok(Err(TooMany(count)));
        }
        reading.check_awaited()?;
        let session = reading.session::<LocalDoor>()?;
        let mut report = session.verifier().verify_text(&input, reading.freshness)?;
        reading.check_awaited()?;
        let mended = (!is_reply).then(|| session.verifier().fix_text(&input)).transpose()?;
        let claims = std::mem::take(&mut report.claims);
        Ok(Ok(Judged { report, evidence: read_evidence(reading, &session, claims)?, mended }))
    }
}

#[derive(Template)]
#[template(path = "verify.html")]
struct VerifyPage {
    frame: Frame,
    text: String,
    judged: Option<Judged>,
    too_many: Option<usize>,
}

impl Screen for VerifyPage {}

/// A sentence as it is shown.
struct Said {
    pieces: Vec<Piece>,
    verdict: Verdict,
    numbers: Vec<usize>,
    remarks: Vec<String>,
}

impl VerifyPage {
    fn sentences(&self) -> Vec<Said> {
        let Some(judged) = &self.judged else { return Vec::new() };
        let claims: Vec<_> = judged.evidence.iter().map(|evidence| evidence.claim.clone()).collect();
        let shown = judged.report.sentences.iter().map(|sentence| Said {
            pieces: underline(sentence),
            verdict: Verdict::of(sentence.verdict),
            numbers: cited_numbers(sentence, &claims),
            remarks: remarks(sentence),
        });
        shown.collect()
    }

    fn status_words(&self) -> String {
        let Some(judged) = &self.judged else { return String::new() };
        let count = |is: fn(SentenceVerdict) -> bool| {
            judged.report.sentences.iter().filter(|sentence| is(sentence.verdict)).count()
        };
        let of = count(|verdict| verdict != SentenceVerdict::Exempt);
        if of == 0 {
            return "Nothing is asserted in it.".to_owned();
        }
        let proven = format!("{} of {of} proven", count(SentenceVerdict::is_proven));
        let rest = [
            (count(|verdict| verdict == SentenceVerdict::Paraphrased), "paraphrased: compare with the notes"),
            (count(|verdict| verdict == SentenceVerdict::Contradicted), "contradicted by the notes"),
            (
                count(|verdict| verdict == SentenceVerdict::Unsupported),
                "with something that the cited words do not have",
            ),
            (count(|verdict| verdict == SentenceVerdict::Rejected), "without a citation that can be relied on"),
            (count(|verdict| verdict == SentenceVerdict::Uncited), "without any citation"),
        ];
        let rest = rest.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}"));
        format!("{}.", std::iter::once(proven).chain(rest).collect::<Vec<_>>().join("; "))
    }

    /// The text without what does not stand, if something is taken out.
    fn mended(&self) -> Option<&str> {
        let mended = self.judged.as_ref()?.mended.as_deref()?;
        (mended.trim() != self.text.trim()).then_some(mended)
    }
}

/// The words of a sentence, those marked that what it cites does not bear out.
fn underline(sentence: &SentenceReport) -> Vec<Piece> {
    let mut marks: Vec<Range<usize>> = sentence
        .reasons
        .iter()
        .filter_map(|reason| Some(reason.start?.checked_sub(sentence.start)?..reason.end?.checked_sub(sentence.start)?))
        .collect();
    marks.sort_by_key(|mark| (mark.start, mark.end));
    let (mut pieces, mut at) = (Vec::new(), 0);
    for mark in marks {
        let (Some(before), Some(marked)) = (sentence.text.get(at..mark.start), sentence.text.get(mark.clone())) else {
            continue;
        };
        pieces.push(Piece { text: before.to_owned(), marked: false });
        pieces.push(Piece { text: marked.to_owned(), marked: true });
        at = mark.end;
    }
    pieces.push(Piece { text: sentence.text.get(at..).unwrap_or_default().to_owned(), marked: false });
    pieces.retain(|piece| !piece.text.is_empty());
    pieces
}

/// What is to be said of a sentence.
fn remarks(sentence: &SentenceReport) -> Vec<String> {
    let failed = sentence.citations.iter().filter(|citation| citation.verdict != CitationOutcome::Verified);
    let failed = failed.map(|citation| {
        let verdict = citation.verdict.to_string().replace('_', " ");
        format!("{} {verdict}: {}", citation.marker, citation.explanation)
    });
    let reasons = sentence.reasons.iter().map(|reason| reason.explanation.clone());
    let wording = sentence.wording.map(|wording| match wording {
        Wording::Loose => "nothing that disagrees was found; nothing proves it: read it beside the notes".to_owned(),
        Wording::Close => wording.explanation().to_owned(),
    });
    let elsewhere = sentence.elsewhere.iter().map(|fact| match fact.line {
        Some(line) => format!("{} stands in {}:{line}", fact.words, fact.note),
        None => format!("{} stands in {}", fact.words, fact.note),
    });
    failed.chain(reasons).chain(wording).chain(elsewhere).collect()
}

pub(super) async fn show(State(app): State<SharedApp>, Extension(admitted): Extension<Admitted>) -> Response {
    let frame = app.frame(&admitted, Part::Verify, None);
    show_page(&VerifyPage { frame, text: String::new(), judged: None, too_many: None })
}

pub(super) async fn judge(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Form(submitted): Form<Submitted>,
) -> Response {
    let text = submitted.text.replace("\r\n", "\n");
    app.answer(&admitted, Part::Verify, Judge(text.clone()), |frame, judged| {
        let (judged, too_many) = match judged {
            Ok(judged) => (Some(judged), None),
            Err(TooMany(count)) => (None, Some(count)),
        };
        VerifyPage { frame, text, judged, too_many }
    })
    .await
}

#[cfg(test)]
mod tests {
    use memora_engine::report::{ReasonCode, ReasonReport};

    use super::*;

    #[test]
    fn the_words_that_do_not_stand_are_marked_where_they_are() {
        let reason = |start: usize, end: usize| ReasonReport {
            kind: ReasonCode::Number,
            words: String::new(),
            start: Some(start),
            end: Some(end),
            instead: None,
            explanation: String::new(),
        };
        let sentence = SentenceReport {
            start: 10,
            end: 30,
            text: "Größe 5 und 7.".to_owned(),
            verdict: SentenceVerdict::Contradicted,
            basis: None,
            evidence: None,
            entailed_by: None,
            citations: Vec::new(),
            score: None,
            reasons: vec![reason(24, 25), reason(18, 19), reason(13, 14), reason(900, 901)],
            wording: None,
            elsewhere: Vec::new(),
            judged: None,
        };
        let shown: Vec<String> = underline(&sentence)
            .iter()
            .map(|piece| if piece.marked { format!("<{}>", piece.text) } else { piece.text.clone() })
            .collect();
        assert_eq!(shown.concat(), "Größe <5> und <7>.", "in the middle of a character nothing is marked");
    }
}
