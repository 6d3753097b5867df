//! `/privacy`: what is guarded and why, what a cloud model may see, and what left this machine.

use std::collections::{BTreeMap, HashMap};

use askama::Template;
use axum::extract::{Extension, Query, State};
use axum::response::Response;
use memora_engine::report::{AuditReport, Band, CountsByBand, EgressLine, EgressReport, GuardReason, GuardedNote};
use memora_engine::{AuditOptions, ClaimId, LocalDoor};
use serde::Deserialize;

use super::parts::place_words;
use crate::app::{Frame, Part, Screen, SharedApp};
use crate::audience::{PageRequest, Reading};
use crate::error::PageError;
use crate::guard::Admitted;
use crate::links;
use crate::svg::shorten;

/// How many entries of the log are read.
const ENTRIES_MAX: usize = 500;

/// How many guarded notes stand on one page.
const NOTES_MAX: usize = 100;

/// How many places of one reason are linked.
const PLACES_MAX: usize = 5;

/// How many claims that left are looked up, to show their words.
const WORDS_MAX: usize = 300;

#[derive(Clone, Deserialize)]
pub(super) struct Asked {
    /// How many guarded notes are passed over.
    #[serde(default)]
    from: usize,
}

struct Audit;

struct Audited {
    audit: AuditReport,
    egress: EgressReport,
    /// What claims that left say now, by their ids: the words, and the place.
    words: HashMap<String, (String, String)>,
}

impl PageRequest for Audit {
    type Answer = Audited;
    const LABEL: &'static str = "privacy";
    const IS_SLOW: bool = true;

    fn read(&self, reading: &Reading<'_>) -> Result<Audited, PageError> {
        let session = reading.session::<LocalDoor>()?;
        let audit = session.audit().audit_vault(&AuditOptions::default(), reading.freshness)?;
        reading.check_awaited()?;
        let egress = session.audit().report_egress(ENTRIES_MAX)?;
        let mut words = HashMap::new();
        // The last that left come first.
        for id in egress.entries.iter().rev().flat_map(|entry| entry.claims.iter().flatten()) {
            if words.len() >= WORDS_MAX || words.contains_key(id) {
                continue;
            }
            reading.check_awaited()?;
            let Ok(claim) = ClaimId::parse(id) else { continue };
            let found = session.lifecycle_reports().find_claims(&[claim])?;
            if let Some(claim) = found.first() {
                let quote = claim.place().map_or("", |place| place.quote.as_str());
                words.insert(id.clone(), (shorten(quote, 160), place_words(claim)));
            }
        }
        Ok(Audited { audit, egress, words })
    }
}

/// A guarded note with its reasons, those of the same words as one.
struct Guarded<'a> {
    note: &'a GuardedNote,
    reasons: Vec<Reason<'a>>,
}

/// Reasons of the same words.
struct Reason<'a> {
    first: &'a GuardReason,
    /// Its first places, each with its address.
    places: Vec<(String, String)>,
    count: usize,
}

impl<'a> Guarded<'a> {
    fn of(note: &'a GuardedNote) -> Self {
        let mut reasons: Vec<Reason<'a>> = Vec::new();
        for reason in &note.reasons {
            let place = (links::line(&note.path, reason.line), reason_lines(reason));
            match reasons
                .iter_mut()
                .find(|known| (known.first.band, &known.first.message) == (reason.band, &reason.message))
            {
                Some(known) => {
                    known.count += 1;
                    if known.places.len() < PLACES_MAX {
                        known.places.push(place);
                    }
                }
                None => reasons.push(Reason { first: reason, places: vec![place], count: 1 }),
            }
        }
        Self { note, reasons }
    }

    /// What comes first: whole notes, the strictest first; then parts that were marked; then what only stands in comments.
    fn rank(note: &GuardedNote) -> (u8, &str) {
        let is_comment = |reason: &GuardReason| reason.kind.contains("comment");
        let rank = match note.band {
            Band::Secret => 0,
            Band::Private => 1,
            Band::Public if !note.reasons.iter().all(is_comment) => 2,
            Band::Public => 3,
        };
        (rank, &note.path)
    }
}

fn reason_lines(reason: &GuardReason) -> String {
    match (reason.line, reason.until) {
        (Some(line), Some(until)) if until > line => format!("lines {line}–{until}"),
        (Some(line), _) => format!("line {line}"),
        (None, _) => "the whole note".to_owned(),
    }
}

/// What left to one receiver on one day.
struct Sent<'e> {
    day: String,
    to: &'e str,
    entries: Vec<&'e EgressLine>,
    bytes: u64,
}

#[derive(Template)]
#[template(path = "privacy.html")]
struct PrivacyPage {
    frame: Frame,
    audited: Audited,
    asked: Asked,
}

impl Screen for PrivacyPage {}

impl PrivacyPage {
    /// The counts of a row: in all, and by band.
    fn counts(counts: &CountsByBand) -> (usize, usize, usize, usize) {
        let (private, secret) = (counts.private.unwrap_or(0), counts.secret.unwrap_or(0));
        (counts.public + private + secret, counts.public, private, secret)
    }

    fn all_guarded(&self) -> &[GuardedNote] {
        self.audited.audit.guarded.as_deref().unwrap_or_default()
    }

    /// The guarded notes of this page.
    fn guarded(&self) -> Vec<Guarded<'_>> {
        let mut all: Vec<&GuardedNote> = self.all_guarded().iter().collect();
        all.sort_by_key(|note| Guarded::rank(note));
        all.into_iter().skip(self.asked.from).take(NOTES_MAX).map(Guarded::of).collect()
    }

    /// The addresses of the notes before and behind those of this page.
    fn pager(&self) -> (Option<String>, Option<String>) {
        let at = |from: usize| format!("/privacy?from={from}#guarded");
        let from = self.asked.from;
        let before = (from > 0).then(|| at(from.saturating_sub(NOTES_MAX)));
        (before, (from.saturating_add(NOTES_MAX) < self.all_guarded().len()).then(|| at(from + NOTES_MAX)))
    }

    /// What left, the last day first.
    fn sent(&self) -> Vec<Sent<'_>> {
        let mut by_day: BTreeMap<(&str, &str), Vec<&EgressLine>> = BTreeMap::new();
        for entry in &self.audited.egress.entries {
            let day = entry.at.get(..10).unwrap_or(&entry.at);
            by_day.entry((day, &entry.to)).or_default().push(entry);
        }
        let days = by_day.into_iter().rev();
        days.map(|((day, to), entries)| Sent {
            day: day.to_owned(),
            to,
            bytes: entries.iter().filter_map(|entry| entry.bytes).sum(),
            entries,
        })
        .collect()
    }

    /// The time of day of an entry.
    fn time(entry: &EgressLine) -> &str {
        entry.at.get(11..19).unwrap_or_default()
    }

    /// What the claims of an entry say: a line for each, with its address where its words are still there.
    fn left(&self, entry: &EgressLine) -> Vec<Left> {
        let ids = entry.claims.iter().flatten();
        ids.map(|id| match self.audited.words.get(id) {
            Some((words, place)) => {
                Left { address: Some(links::claim(id)), words: words.clone(), place: place.clone() }
            }
            None if id.starts_with('~') => Left {
                address: None,
                words: "withheld: that there is something, not what".to_owned(),
                place: id.clone(),
            },
            None => Left { address: Some(links::claim(id)), words: id.clone(), place: String::new() },
        })
        .collect()
    }

    fn receiver(to: &str) -> String {
        match to {
            "mcp" => "an assistant that is connected over MCP".to_owned(),
            to => format!("the language model at {to}"),
        }
    }

    /// What it was sent for.
    fn purpose(entry: &EgressLine) -> String {
        match entry.what.as_str() {
            "answer" => "to answer a question".to_owned(),
            "repair" => "to mend an answer".to_owned(),
            "extract" => "to read statements out of notes".to_owned(),
            tool if entry.to == "mcp" => format!("its tool {tool} asked for it"),
            what => what.replace('_', " "),
        }
    }
}

/// A line of what left.
struct Left {
    address: Option<String>,
    words: String,
    place: String,
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Query(asked): Query<Asked>,
) -> Response {
    app.answer(&admitted, Part::Privacy, Audit, |frame, audited| PrivacyPage { frame, audited, asked }).await
}
