//! Formats the reports of `privacy`.

use std::fmt::Write as _;

use memora_engine::pluralize;
use memora_engine::report::{AuditReport, Band, DoorKind, EgressReport, GuardReason, GuardedNote};

use super::status::format_by_band;

pub(crate) fn format_audit(report: &AuditReport) -> String {
    let mut out = String::new();
    for note in report.guarded.iter().flatten() {
        let _ = writeln!(out, "{}", format_guarded_note(note));
    }
    if let Some(list) = &report.list {
        let _ = writeln!(out, "a {} model may see of:", report.model);
        for note in list {
            let withheld = if note.withheld > 0 { format!(", {} withheld", note.withheld) } else { String::new() };
            let _ = writeln!(out, "  {}: {}{withheld}", note.path, pluralize(note.statements, "statement"));
        }
    }
    if let Some(open) = report.open.filter(|open| *open > 0) {
        let _ = writeln!(out, "nothing guarded in {}", pluralize(open, "note"));
    }
    let _ = write!(out, "notes: {}", format_by_band(&report.notes));
    if report.skipped > 0 {
        let _ = write!(out, "; {} skipped", report.skipped);
    }
    if let Some(statements) = &report.statements {
        let _ = write!(out, "\nstatements: {}", format_by_band(statements));
    }
    let sees = match report.model {
        DoorKind::Local => "everything".to_owned(),
        DoorKind::Cloud => format!("cloud.sees = {}", report.cloud_sees),
    };
    let allowed = &report.allowed;
    let withheld = allowed.withheld.filter(|count| *count > 0);
    let withheld = withheld.map(|count| format!("; {count} withheld")).unwrap_or_default();
    let _ = write!(
        out,
        "\na {} model may see ({sees}): {} of {}{withheld}",
        report.model,
        pluralize(usize::try_from(allowed.statements).unwrap_or(usize::MAX), "statement"),
        pluralize(allowed.notes, "note")
    );
    out
}

fn format_guarded_note(note: &GuardedNote) -> String {
    let mut out = format!("{}: {}", note.path, note.band);
    if note.band == Band::Public {
        out.push_str(", guarded in part");
    }
    for reason in &note.reasons {
        let _ = write!(out, "\n  {}: {}{}", reason.band, reason.message, format_line_range(reason));
    }
    out
}

fn format_line_range(reason: &GuardReason) -> String {
    match (reason.line, reason.until) {
        (Some(line), Some(_)) if reason.kind.starts_with("unclosed-") => format!(" from line {line} to the end"),
        (Some(line), Some(until)) if line < until => format!(", lines {line}–{until}"),
        (Some(line), Some(_)) => format!(", line {line}"),
        (Some(line), None) => format!(" (line {line})"),
        (None, _) => String::new(),
    }
}

pub(crate) fn format_egress(report: &EgressReport) -> String {
    let mut out = String::new();
    if !report.entries.is_empty() {
        out.push_str("Written down before each request was sent, so some may not have arrived.\n");
    }
    for entry in &report.entries {
        let model = entry.model.as_ref().map(|model| format!(" {}", strip_controls(model))).unwrap_or_default();
        let bytes = entry.bytes.map(|bytes| format!(", {bytes} bytes")).unwrap_or_default();
        let _ = write!(
            out,
            "{}  {}{model}  {}{bytes}, {}",
            entry.at,
            strip_controls(&entry.to),
            strip_controls(&entry.what),
            format_by_band(&entry.bands)
        );
        if let Some(redacted) = entry.redacted.filter(|redacted| *redacted > 0) {
            let _ = write!(out, ", {redacted} redacted");
        }
        if let Some(claims) = entry.claims.as_ref().filter(|claims| !claims.is_empty()) {
            let _ = write!(out, "  {}", strip_controls(&claims.join(" ")));
        }
        out.push('\n');
    }
    if report.entries.is_empty() {
        out.push_str("Nothing left this machine, as far as the log goes back.\n");
    }
    if report.unreadable > 0 {
        let _ = writeln!(out, "{} of the log could not be read", pluralize(report.unreadable, "line"));
    }
    if let Some(log) = &report.log {
        let _ = writeln!(out, "log: {log}");
    }
    out.trim_end().to_owned()
}

/// Replaces control characters: the log is a file that any program may have edited.
fn strip_controls(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
