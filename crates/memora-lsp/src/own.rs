//! Requests of our own, for a plugin that shows more than the protocol has: answers, names, reviews, in the shapes of `--json`.

use memora_engine::report::Band;
use memora_engine::{
    Authors, ClaimId, Door, EntityQuery, ListOptions, NoteFilter, NotePath, PartialDate, SearchOptions,
};
use memora_service::ReadContext;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::EditorError;
use crate::request::{EditorRequest, EgressItem, Response};

/// How many claims are listed where nothing else is asked for, and at most.
const LIMIT: usize = 20;
const LIMIT_MAX: usize = 1_000;

/// A request of our own.
#[derive(Debug)]
pub(crate) enum OwnRequest {
    Ask(Ask),
    Search(Search),
    Entity(Entity),
    Why(Why),
    Review(Listing),
    Note(Note),
    Status,
}

/// `memora/ask`: a question, answered in the notes' own words.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ask {
    question: String,
    #[serde(default)]
    as_of: Option<String>,
    #[serde(default)]
    limit: Option<usize>,
}

/// `memora/search`: words that are looked for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Search {
    query: String,
    #[serde(default)]
    as_of: Option<String>,
    #[serde(default)]
    limit: Option<usize>,
}

/// `memora/entity`: a name.
#[derive(Debug, Deserialize)]
pub(crate) struct Entity {
    name: String,
    #[serde(default)]
    limit: Option<usize>,
}

/// `memora/why`: a claim's id.
#[derive(Debug, Deserialize)]
pub(crate) struct Why {
    claim: String,
}

/// `memora/review`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Listing {
    #[serde(default)]
    limit: Option<usize>,
}

/// `memora/note`: the claims of a note, by its path in the vault.
#[derive(Debug, Deserialize)]
pub(crate) struct Note {
    path: String,
    #[serde(default)]
    limit: Option<usize>,
}

impl OwnRequest {
    /// Reads a request; `None` if it is none of ours.
    pub(crate) fn read(method: &str, params: Value) -> Option<Result<Self, EditorError>> {
        Some(match method {
            "memora/ask" => read_params(params).map(Self::Ask),
            "memora/search" => read_params(params).map(Self::Search),
            "memora/entity" => read_params(params).map(Self::Entity),
            "memora/why" => read_params(params).map(Self::Why),
            "memora/review" if params.is_null() => Ok(Self::Review(Listing::default())),
            "memora/review" => read_params(params).map(Self::Review),
            "memora/note" => read_params(params).map(Self::Note),
            "memora/status" => Ok(Self::Status),
            _ => return None,
        })
    }

    /// Its name in logs.
    pub(crate) fn label(&self) -> &'static str {
        match self {
            Self::Ask(_) => "ask",
            Self::Search(_) => "search",
            Self::Entity(_) => "entity",
            Self::Why(_) => "why",
            Self::Review(_) => "review",
            Self::Note(_) => "note",
            Self::Status => "status",
        }
    }

    /// Whether what the user waits for while writing must not wait for it.
    pub(crate) fn is_slow(&self) -> bool {
        matches!(self, Self::Ask(_) | Self::Search(_) | Self::Entity(_) | Self::Review(_))
    }
}

fn read_params<P: DeserializeOwned>(params: Value) -> Result<P, EditorError> {
    serde_json::from_value(params)
        .map_err(|_| EditorError::params("these parameters cannot be read", "docs/editors.md lists the requests"))
}

impl EditorRequest for OwnRequest {
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response, EditorError> {
        let (session, fresh) = (reading.session()?, reading.freshness());
        let value = match self {
            Self::Ask(ask) => {
                let as_of = read_day(ask.as_of.as_deref())?;
                let options = SearchOptions { as_of, ..SearchOptions::for_answer(ask.limit, 100) };
                write(&session.answerer().answer_question(&ask.question, &options, fresh)?)
            }
            Self::Search(search) => {
                let as_of = read_day(search.as_of.as_deref())?;
                let options = SearchOptions { limit: bounded(search.limit), as_of, ..SearchOptions::default() };
                write(&session.search().report_claims(&search.query, &options, fresh)?.sorted_by_time())
            }
            Self::Entity(entity) => {
                let query = EntityQuery { name: &entity.name, limit: bounded(entity.limit), timeline: true };
                write(&session.entity_reports(Authors::default()).report_entity(&query, fresh)?)
            }
            Self::Why(why) => {
                let id = ClaimId::parse(ClaimId::strip_citation(&why.claim)).map_err(|_| no_claim())?;
                write(&session.catalog().explain_claim(&id)?)
            }
            Self::Review(listing) => write(&session.review().report_items(bounded(listing.limit), fresh)?),
            Self::Note(note) => {
                let path = NotePath::new(note.path.as_str()).map_err(|_| no_path())?;
                let filter = NoteFilter { notes: vec![path], ..NoteFilter::default() };
                let limit = note.limit.unwrap_or(LIMIT_MAX).clamp(1, LIMIT_MAX);
                let options = ListOptions { filter, authors: Authors::All, limit, ..ListOptions::default() };
                write(&session.catalog().list_claims(&options, fresh)?)
            }
            Self::Status => write(&session.doctor().report_status(fresh)?),
        }?;
        let mut pieces = Vec::new();
        collect_pieces(&value, &mut pieces);
        Ok(Response { value, pieces })
    }
}

fn no_claim() -> EditorError {
    EditorError::params("this is no id of a claim", "an id has twelve letters and digits")
}

fn no_path() -> EditorError {
    EditorError::params("this is no path of a note", "give it from the vault's root, with slashes")
}

fn bounded(limit: Option<usize>) -> usize {
    limit.unwrap_or(LIMIT).clamp(1, LIMIT_MAX)
}

fn read_day(day: Option<&str>) -> Result<Option<PartialDate>, EditorError> {
    let no_day = || EditorError::params("this is no day", "write YYYY, YYYY-MM or YYYY-MM-DD");
    day.map(|day| PartialDate::parse(day).ok_or_else(no_day)).transpose()
}

fn write(report: &impl serde::Serialize) -> Result<Value, EditorError> {
    Ok(Response::new(report, Vec::new())?.value)
}

/// Collects the items of the vault in an answer: whatever has an id and a band.
fn collect_pieces(value: &Value, into: &mut Vec<EgressItem>) {
    match value {
        Value::Array(list) => list.iter().for_each(|item| collect_pieces(item, into)),
        Value::Object(fields) => {
            let text = |key: &str| fields.get(key).and_then(Value::as_str);
            if let (Some(claim), Some(band)) = (text("claim"), text("band").and_then(read_band)) {
                into.push((Some(claim.to_owned()), band));
            }
            fields.values().for_each(|field| collect_pieces(field, into));
        }
        _ => {}
    }
}

fn read_band(band: &str) -> Option<Band> {
    Band::parse(band).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn whatever_has_an_id_and_a_band_is_an_item() {
        let mut pieces = Vec::new();
        let line = json!({"claim": "b", "band": "private"});
        collect_pieces(
            &json!({"claims": [{"claim": "a", "band": "public", "lines": [line]}], "claim": "c"}),
            &mut pieces,
        );
        assert_eq!(pieces, [(Some("a".to_owned()), Band::Public), (Some("b".to_owned()), Band::Private)]);
    }

    #[test]
    fn requests_of_others_are_not_ours_and_bad_ones_are_refused() {
        assert!(OwnRequest::read("textDocument/rename", Value::Null).is_none());
        for (method, params) in [("memora/ask", json!({})), ("memora/why", json!([])), ("memora/note", json!(null))] {
            assert!(OwnRequest::read(method, params).is_some_and(|read| read.is_err()), "{method}");
        }
        assert!(matches!(OwnRequest::read("memora/review", Value::Null), Some(Ok(OwnRequest::Review(_)))));
    }
}
