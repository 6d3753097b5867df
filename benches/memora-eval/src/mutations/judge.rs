//! Whether `verify` accepts a text.

use anyhow::Result;
use memora_engine::report::{Freshness, ReportStatus, VerifyReport};
use memora_engine::{LocalDoor, Session, VerifyInput};

pub(super) fn verify_text(session: &Session<'_, LocalDoor>, text: &str) -> Result<VerifyReport<LocalDoor>> {
    Ok(session
        .verifier()
        .verify_text(&VerifyInput::from_text(text.to_owned()), Freshness { fresh: true, pending: 0 })?)
}

pub(super) fn is_accepted(report: &VerifyReport<LocalDoor>) -> bool {
    report.status == ReportStatus::Verified
}
