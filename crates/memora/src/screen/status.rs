//! Formats the state of the vault, its index and its models.

use std::fmt::Write as _;

use memora_engine::pluralize;
use memora_engine::report::{CountsByBand, DoctorReport, EmbedderReport, StatusReport};

pub(crate) fn format_status(report: &StatusReport) -> String {
    let mut out = format!("vault: {}", report.root.as_deref().unwrap_or(&report.vault));
    if let Some(state) = &report.state {
        let _ = write!(out, "\nstate: {state}");
    }
    let notes = &report.notes;
    let _ = write!(
        out,
        "\nnotes: {}{}\nstatements: {}\nproblems: {}\ndoor: {}\nindex: {}",
        format_by_band(notes),
        if report.skipped > 0 { format!("; {} skipped", report.skipped) } else { String::new() },
        report.statements,
        if report.problems > 0 { format!("{}; memora index lists them", report.problems) } else { "none".to_owned() },
        report.door,
        if report.freshness.fresh {
            "up to date".to_owned()
        } else {
            format!("{} due", pluralize(report.freshness.pending, "note"))
        },
    );
    let _ = write!(out, "\n{}\nlanguage model: ", format_embedder(&report.embedder));
    match &report.model {
        Some(model) => {
            let place = if model.place == "elsewhere" { "elsewhere, since " } else { "" };
            let _ = write!(out, "{} ({}) at {}; {place}{}", model.name, model.provider, model.address, model.why);
        }
        None => out.push_str("none; answers are the notes' own words"),
    }
    out
}

pub(crate) fn format_embedder(report: &EmbedderReport) -> String {
    let mut out = match report.live {
        Some(live) => format!("embedder: {live}"),
        None => "embedder: none is ready".to_owned(),
    };
    if let Some(code) = report.why_not {
        let why = report.reason.clone().unwrap_or_else(|| code.replace('_', " "));
        let _ = write!(out, "; {} is configured: {why}", report.configured);
    }
    for by in &report.vectors {
        let due = if by.due > 0 { format!(", {} due", by.due) } else { String::new() };
        let _ = write!(out, "\nvectors: {} by {}{due}", by.made, by.model);
    }
    out
}

/// Formats counts by band; zeros, and counts that the door may not see, are omitted.
pub(super) fn format_by_band(notes: &CountsByBand) -> String {
    let rest = [(notes.private, "private"), (notes.secret, "secret")];
    let rest = rest
        .iter()
        .filter_map(|(count, band)| count.filter(|count| *count > 0).map(|count| format!(", {count} {band}")));
    format!("{} public{}", notes.public, rest.collect::<String>())
}

pub(crate) fn format_doctor(report: &DoctorReport) -> String {
    let lines = report.checks.iter().map(|check| {
        let mark = if check.ok { "ok" } else { "BAD" };
        let hint = check.hint.as_ref().map(|hint| format!("\n     what to do: {hint}")).unwrap_or_default();
        let (at, why) = (check.looked_at, check.matters);
        format!("{mark:<4} {}: {}\n     looked at: {at}\n     why: {why}{hint}", check.name, check.found)
    });
    format!("{}\n\n{}", lines.collect::<Vec<_>>().join("\n"), report.summary)
}
