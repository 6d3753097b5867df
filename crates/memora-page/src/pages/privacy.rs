//! `/privacy`: what is guarded and why, what a cloud model may see, and what left this machine.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Extension, State};
use axum::response::Response;
use memora_engine::report::{AuditReport, Band, CountsByBand, EgressLine, EgressReport, GuardReason};
use memora_engine::{AuditOptions, LocalDoor};

use crate::app::{Frame, Part, Screen, SharedApp};
use crate::audience::{PageRequest, Reading};
use crate::error::PageError;
use crate::guard::Admitted;
use crate::links;

/// How many entries of the log are read.
const ENTRIES_MAX: usize = 500;

/// How many guarded notes are listed.
const NOTES_MAX: usize = 500;

struct Audit;

struct Audited {
    audit: AuditReport,
    egress: EgressReport,
}

impl PageRequest for Audit {
    type Answer = Audited;
    const LABEL: &'static str = "privacy";
    const IS_SLOW: bool = true;

    fn read(&self, reading: &Reading<'_>) -> Result<Audited, PageError> {
        let session = reading.session::<LocalDoor>()?;
        let audit = session.audit().audit_vault(&AuditOptions::default(), reading.freshness)?;
        Ok(Audited { audit, egress: session.audit().report_egress(ENTRIES_MAX)? })
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
}

impl Screen for PrivacyPage {}

impl PrivacyPage {
    /// The counts of a row: in all, and by band.
    fn counts(counts: &CountsByBand) -> (usize, usize, usize, usize) {
        let (private, secret) = (counts.private.unwrap_or(0), counts.secret.unwrap_or(0));
        (counts.public + private + secret, counts.public, private, secret)
    }

    fn guarded(&self) -> &[memora_engine::report::GuardedNote] {
        let all = self.audited.audit.guarded.as_deref().unwrap_or_default();
        all.get(..NOTES_MAX).unwrap_or(all)
    }

    fn guarded_left_out(&self) -> usize {
        self.audited.audit.guarded.as_deref().unwrap_or_default().len().saturating_sub(NOTES_MAX)
    }

    fn note(path: &str, line: &Option<usize>) -> String {
        links::line(path, *line)
    }

    fn reason_lines(reason: &GuardReason) -> String {
        match (reason.line, reason.until) {
            (Some(line), Some(until)) if until > line => format!("lines {line}–{until}"),
            (Some(line), _) => format!("line {line}"),
            (None, _) => "the whole note".to_owned(),
        }
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

    fn ids(entry: &EgressLine) -> Vec<(String, String, bool)> {
        let ids = entry.claims.iter().flatten();
        ids.map(|id| (links::claim(id), id.clone(), id.starts_with('~'))).collect()
    }

    fn receiver(to: &str) -> String {
        match to {
            "mcp" => "a program with an assistant, over MCP".to_owned(),
            to => to.to_owned(),
        }
    }
}

pub(super) async fn show(State(app): State<SharedApp>, Extension(admitted): Extension<Admitted>) -> Response {
    app.answer(&admitted, Part::Privacy, Audit, |frame, audited| PrivacyPage { frame, audited }).await
}
