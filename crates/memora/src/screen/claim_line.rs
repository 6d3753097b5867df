//! Formats one claim and its place: the lines that all lists are made of.

use std::fmt::Write as _;

use memora_engine::STATES;
use memora_engine::report::{ClaimStatus, Modality, Phase, WireClaim, WirePlace};

pub(super) fn format_claim<D>(claim: &WireClaim<D>) -> String {
    let (subject, predicate, object) = claim.triple();
    let mut words = match (predicate, object) {
        (STATES, _) => format!("{subject}: {object}"),
        (_, "") => format!("{subject} | {predicate}"),
        _ => format!("{subject} | {predicate} | {object}"),
    };
    if !claim.qualifiers().is_empty() {
        let _ = write!(words, " [{}]", claim.qualifiers().join("; "));
    }
    let mut marks: Vec<String> = Vec::new();
    match (claim.modality(), claim.attribution()) {
        (Some(Modality::Reported), Some(speaker)) => marks.push(format!("reported: {speaker}")),
        (None | Some(Modality::Asserted), _) => {}
        (Some(modality), _) => marks.push(modality.to_string()),
    }
    marks.extend(claim.is_negated().then(|| "denied".to_owned()));
    marks.extend(claim.phase().filter(|phase| *phase != Phase::Steady).map(|phase| phase.to_string()));
    marks.extend(claim.relation().map(|relation| format!("= {relation}")));
    marks.extend(claim.status().filter(|status| *status != ClaimStatus::Current).map(|status| status.to_string()));
    if marks.is_empty() { words } else { format!("{words} ({})", marks.join(", ")) }
}

pub(super) fn format_place<D>(claim: &WireClaim<D>) -> String {
    let Some(place) = claim.place() else { return "withheld".to_owned() };
    let holds = match (claim.valid_from(), claim.valid_until()) {
        (Some(from), Some(until)) => format!(", {from} to {until}"),
        (Some(from), None) => format!(", {from}"),
        // "We no longer keep it": that holds from then on.
        (None, Some(until)) if claim.phase() == Some(Phase::Ended) => format!(", over by {until}"),
        (None, Some(until)) => format!(", until {until}"),
        (None, None) => String::new(),
    };
    format!("{}{holds}", format_location(place))
}

/// Formats `path:line:column`, which editors and terminals can open.
pub(super) fn format_location<D>(place: &WirePlace<D>) -> String {
    match (place.line, place.column) {
        (Some(line), Some(column)) => format!("{}:{line}:{column}", place.path),
        _ => place.path.clone(),
    }
}

/// Says that a list was cut, and which limit shows the rest: all of it where the total is known, else twice as much.
pub(super) fn format_more(shown: usize, total: Option<usize>) -> String {
    match total {
        Some(total) => format!("{} more; --limit {total} shows all", total.saturating_sub(shown)),
        None => format!("only the first {shown} are shown; --limit {} shows more", shown.saturating_mul(2)),
    }
}
