//! `/`: a question, its answer, and the evidence beside it; for the user, or as a cloud model would be answered.

use std::marker::PhantomData;

use askama::Template;
use axum::extract::{Extension, Query, State};
use axum::response::Response;
use memora_engine::report::{
    AnswerStatus, AskReport, EvidenceStrength, Modality, SentenceReport, SentenceVerdict, WireClaim,
};
use memora_engine::{Authors, CloudDoor, Door, LocalDoor, PartialDate, SearchOptions, Viewer as _};
use serde::Deserialize;

use super::parts::{Evidence, ShownPassage, Verdict, cited_numbers, read_evidence};
use crate::app::{Frame, Part, Screen, SharedApp};
use crate::audience::{PageDoor, PageRequest, Reading};
use crate::error::PageError;
use crate::guard::Admitted;
use crate::links;

/// What the form asks.
#[derive(Clone, Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    q: String,
    /// The day, month or year as of which is asked.
    #[serde(default)]
    as_of: String,
    /// A folder that the notes lie in.
    #[serde(default)]
    folder: String,
    /// A tag that the notes have.
    #[serde(default)]
    tag: String,
    /// `on` if notes of machines count, too.
    #[serde(default)]
    captured: String,
    /// `cloud` to be answered as a cloud model would be.
    #[serde(default, rename = "as")]
    reader: String,
}

impl Asked {
    fn is_cloud(&self) -> bool {
        self.reader == "cloud"
    }

    fn has_filters(&self) -> bool {
        ![&self.as_of, &self.folder, &self.tag, &self.captured].iter().all(|field| field.is_empty())
    }

    /// The same question for the other reader.
    fn other_reader(&self) -> String {
        let reader = if self.is_cloud() { "" } else { "&as=cloud" };
        format!("{}{reader}", links::question(&self.q))
    }
}

/// The most bytes of a question.
const QUESTION_MAX: usize = 4096;

struct AskFor<D> {
    asked: Asked,
    door: PhantomData<fn() -> D>,
}

/// An answer for `D`, with its evidence.
pub(crate) struct Answer<D> {
    report: AskReport<D>,
    evidence: Vec<Evidence<D>>,
    against: Vec<Evidence<D>>,
    nearest: Vec<ShownPassage<D>>,
}

impl<D: PageDoor> PageRequest for AskFor<D> {
    type Answer = Answer<D>;
    const LABEL: &'static str = "ask";

    fn read(&self, reading: &Reading<'_>) -> Result<Answer<D>, PageError> {
        let Asked { q, as_of, folder, tag, captured, .. } = &self.asked;
        if q.len() > QUESTION_MAX {
            return Err(PageError::refused("the question is too long", "four kilobytes at most; /verify takes a text"));
        }
        let mut options = SearchOptions::for_answer(None, 100);
        options.authors = Authors::with_captured(!captured.is_empty());
        if !as_of.trim().is_empty() {
            let date = PartialDate::parse(as_of.trim());
            let wrong =
                || PageError::refused("this is no date", "write a day, a month or a year: 2025-03-01, 2025-03, 2025");
            options.as_of = Some(date.ok_or_else(wrong)?);
        }
        let given = |field: &str| (!field.trim().is_empty()).then(|| field.trim().trim_matches('/').to_owned());
        options.filter.folders.extend(given(folder));
        options.filter.tags.extend(given(tag).map(|tag| tag.trim_start_matches('#').to_owned()));
        let session = reading.session::<D>()?;
        let mut report = session.answerer().answer_question(q, &options, reading.freshness)?;
        let claims = std::mem::take(&mut report.claims);
        let mut against: Vec<WireClaim<D>> = Vec::new();
        for contested in &report.contested {
            if against.iter().all(|known| known.id() != contested.against.id()) {
                against.push(contested.against.clone());
            }
        }
        let nearest = std::mem::take(&mut report.nearest).into_iter().map(|passage| ShownPassage { passage });
        let evidence = read_evidence(reading, &session, claims)?;
        let against = read_evidence(reading, &session, against)?;
        Ok(Answer { report, evidence, against, nearest: nearest.collect() })
    }
}

/// A sentence of the answer, or several of one statement.
struct Said {
    words: String,
    verdict: Verdict,
    is_proven: bool,
    numbers: Vec<usize>,
    marks: Vec<String>,
    is_code: bool,
    /// The days that it is of, where the question is one of time.
    days: Option<String>,
}

#[derive(Template)]
#[template(path = "ask.html")]
struct AskPage<D: PageDoor> {
    frame: Frame,
    asked: Asked,
    answer: Option<Answer<D>>,
    suggestions: Vec<(String, String)>,
}

impl<D: PageDoor> Screen for AskPage<D> {}

impl<D: PageDoor> AskPage<D> {
    fn is_cloud(&self) -> bool {
        D::IS_CLOUD
    }

    /// The answer's sentences; those of one statement together, in the note's words.
    fn sentences(&self) -> Vec<Said> {
        let Some(Answer { report, evidence, .. }) = &self.answer else { return Vec::new() };
        let claims: Vec<WireClaim<D>> = evidence.iter().map(|evidence| evidence.claim.clone()).collect();
        let marks: Vec<Vec<String>> = evidence.iter().map(Evidence::marks).collect();
        let groups = report.sentences.chunk_by(|a, b| cited_numbers(a, &claims) == cited_numbers(b, &claims));
        let mut day = None;
        let mut said: Vec<Said> = groups.map(|group| say(group, &claims, &marks, report)).collect();
        for said in &mut said {
            // A day stands above the first of its sentences.
            if said.days == day {
                said.days = None;
            } else {
                day.clone_from(&said.days);
            }
        }
        said
    }

    fn status_words(&self) -> String {
        let Some(Answer { report, .. }) = &self.answer else { return String::new() };
        let said = self.sentences();
        let proven = said.iter().filter(|said| said.is_proven).count();
        let what = match (said.len(), report.sentences.len()) {
            (1, 1) => "1 sentence".to_owned(),
            (passages, sentences) if passages == sentences => format!("{sentences} sentences"),
            (passages, sentences) => format!("{passages} passages ({sentences} sentences)"),
        };
        format!("{proven} of {what} re-read, re-hashed and proven")
    }

    fn headline(&self) -> &'static str {
        let Some(Answer { report, .. }) = &self.answer else { return "" };
        match report.status {
            AnswerStatus::NoEvidence if !self.nearest().is_empty() => "Nothing answers this outright.",
            AnswerStatus::NoEvidence if !report.freshness.fresh => "No evidence in what is indexed so far.",
            AnswerStatus::NoEvidence => "No evidence in the notes.",
            _ if report.sentences.is_empty() => "What was found could not be verified.",
            _ if report.relevance == Some(EvidenceStrength::Possible) => "Possibly: it may not answer your question.",
            _ => "",
        }
    }

    fn nearest(&self) -> &[ShownPassage<D>] {
        self.answer.as_ref().map_or(&[], |answer| &answer.nearest)
    }

    /// The passages are open where nothing answers outright, and folded away below an answer that does.
    fn is_nearest_open(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| {
            answer.report.sentences.is_empty() || answer.report.relevance != Some(EvidenceStrength::Likely)
        })
    }

    /// What was looked for, by whether the notes have it.
    fn looked_for(&self) -> Option<(String, String)> {
        let looked = self.answer.as_ref()?.report.looked_for.as_ref()?;
        Some((looked.known.join(", "), looked.unknown.join(", ")))
    }

    fn redacted(&self) -> &[WireClaim<D>] {
        self.answer.as_ref().map_or(&[], |answer| &answer.report.redacted)
    }
}

fn say<D: Door>(
    group: &[SentenceReport],
    claims: &[WireClaim<D>],
    marks: &[Vec<String>],
    report: &AskReport<D>,
) -> Said {
    let numbers = group.first().map(|first| cited_numbers(first, claims)).unwrap_or_default();
    let at = numbers.first().map(|number| number - 1);
    let claim = at.and_then(|at| claims.get(at));
    let is_code = claim.is_some_and(|claim| claim.modality() == Some(Modality::Code));
    let words: Vec<&str> = group.iter().map(|sentence| sentence.text.trim()).collect();
    // The weakest verdict is that of all of them.
    let verdict = group.iter().map(|sentence| sentence.verdict).max_by_key(|verdict| !verdict.is_proven());
    Said {
        words: match claim.and_then(WireClaim::place) {
            Some(place) if is_code => place.quote.clone(),
            _ => words.join(" "),
        },
        verdict: Verdict::of(verdict.unwrap_or(SentenceVerdict::Exempt)),
        is_proven: verdict.is_some_and(SentenceVerdict::is_proven),
        numbers,
        marks: at.and_then(|at| marks.get(at)).cloned().unwrap_or_default(),
        is_code,
        days: at.and_then(|at| report.days.get(at)).map(|days| match days {
            Some(days) => days.to_string(),
            None => "of no day".to_owned(),
        }),
    }
}

/// Questions to begin with, where they are not known yet: finding them takes a search for each of several names.
struct Suggest {
    known: Option<Vec<(String, String)>>,
}

impl PageRequest for Suggest {
    type Answer = Vec<(String, String)>;
    const LABEL: &'static str = "suggest";

    fn read(&self, reading: &Reading<'_>) -> Result<Self::Answer, PageError> {
        if let Some(known) = &self.known {
            return Ok(known.clone());
        }
        // Without a suggestion, the field alone stands there.
        let Ok(Some(found)) = reading.memora.find_suggestion(LocalDoor.view()) else { return Ok(Vec::new()) };
        Ok(vec![
            (links::question(&found.question), as_question(&found.question)),
            (links::question(&found.words), format!("the words {}", found.words)),
            (links::entity(&found.name), format!("all about {}", found.name)),
        ])
    }
}

/// A question as people write one.
fn as_question(words: &str) -> String {
    let mut letters = words.trim_end_matches(['?', ' ']).chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}?", letters.as_str())
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Query(asked): Query<Asked>,
) -> Response {
    match asked.is_cloud() {
        true => answer_for::<CloudDoor>(&app, &admitted, asked).await,
        false => answer_for::<LocalDoor>(&app, &admitted, asked).await,
    }
}

async fn answer_for<D: PageDoor>(app: &SharedApp, admitted: &Admitted, asked: Asked) -> Response {
    if asked.q.trim().is_empty() {
        // They are of public notes, and for the user alone.
        let known = if D::IS_CLOUD { Some(Vec::new()) } else { app.suggested.get().cloned() };
        return app
            .answer(admitted, Part::Ask, Suggest { known }, |frame, suggestions| {
                if !suggestions.is_empty() {
                    // Somebody else may have asked meanwhile, and found the same.
                    drop(app.suggested.set(suggestions.clone()));
                }
                AskPage::<D> { frame: frame.seen_by::<D>(), asked, answer: None, suggestions }
            })
            .await;
    }
    let request = AskFor::<D> { asked: asked.clone(), door: PhantomData };
    app.answer(admitted, Part::Ask, request, |frame, answer| AskPage {
        frame: frame.seen_by::<D>(),
        asked,
        answer: Some(answer),
        suggestions: Vec::new(),
    })
    .await
}
