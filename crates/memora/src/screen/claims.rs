//! Formats claims as they are found, listed and explained.

use std::collections::HashSet;
use std::fmt::Write as _;

use memora_engine::report::{
    ClaimStatus, ClaimsReport, EntityReport, EntityStatus, EvidenceStrength, Extractor, ListRank, SearchReport,
    WhyReport, WireClaim,
};

use super::answer::{push_day_heading, push_redacted};
use super::claim_line::{format_claim, format_location, format_more, format_place};
use super::lifecycle;

/// How much of a hit is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HitDetail {
    /// Its sentence, under its note.
    Sentence,
    /// Each claim, by subject, predicate and object, and what was found of it.
    Claims,
    /// The same, with its place in each list.
    Ranks,
}

/// Formats hits; `limit` is the number of hits asked for, which may have cut the list.
pub(crate) fn format_search<D>(report: &SearchReport<D>, limit: usize, detail: HitDetail) -> String {
    let mut out = String::new();
    match detail {
        HitDetail::Sentence => push_sentences(&mut out, report),
        HitDetail::Claims | HitDetail::Ranks => push_hits(&mut out, report, detail == HitDetail::Ranks),
    }
    out.truncate(out.trim_end().len());
    if out.is_empty() {
        out.push_str(if report.freshness.fresh {
            "Nothing found."
        } else {
            "Nothing found in what is indexed so far."
        });
    }
    push_redacted(&mut out, &report.redacted);
    if report.hits.len() >= limit {
        let _ = write!(out, "\n\nshowing the best {limit}; --limit {} shows more", limit.saturating_mul(2));
    }
    out
}

/// Appends the sentences found, each once, under the title and headings of their notes.
fn push_sentences<D>(out: &mut String, report: &SearchReport<D>) {
    let (mut day, mut under, mut seen) = (None, None, HashSet::new());
    for hit in &report.hits {
        let Some(place) = hit.claim.place() else { continue };
        let id = hit.claim.id().split('.').next().unwrap_or_default();
        if !seen.insert(id) {
            continue;
        }
        let before = out.len();
        push_day_heading(out, &mut day, report.of_time.then_some(hit.days.as_ref()));
        let place_above = (&place.path, hit.claim.context());
        if under != Some(place_above) || out.len() > before {
            let feed = if out.is_empty() { "" } else { "\n" };
            let _ = writeln!(out, "{feed}{}  {}", hit.claim.context().join(" › "), format_location(place));
            under = Some(place_above);
        }
        let mut marks: Vec<String> = Vec::new();
        if hit.relevance != EvidenceStrength::Nearest {
            marks.push(hit.relevance.to_string());
        }
        match (hit.claim.valid_until(), hit.claim.status()) {
            (Some(day), _) => marks.push(format!("ended {day}")),
            (None, Some(status)) if status != ClaimStatus::Current => marks.push(status.to_string()),
            _ => {}
        }
        let marks = if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) };
        let words = place.quote.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "  {words} [claim:{id}]{marks}");
    }
}

/// Appends the claims found.
fn push_hits<D>(out: &mut String, report: &SearchReport<D>, explain: bool) {
    let mut day = None;
    for hit in &report.hits {
        push_day_heading(out, &mut day, report.of_time.then_some(hit.days.as_ref()));
        if !out.is_empty() {
            out.push('\n');
        }
        let _ = write!(out, "{}\n  {}  {}", format_claim(&hit.claim), hit.claim.id(), format_place(&hit.claim));
        let why: Vec<&str> = std::iter::once(hit.relevance.into()).chain(hit.why.iter().map(String::as_str)).collect();
        let _ = write!(out, "\n  {}", why.join("; "));
        if explain {
            let place = |name: &str, place: Option<ListRank>| match place {
                Some(place) => format!("{name}: rank {}, {}", place.rank, place.score),
                None => format!("{name}: not in the list"),
            };
            let (words, meaning) = (place("words", hit.explain.lexical), place("meaning", hit.explain.semantic));
            let (score, spread) = (hit.score, hit.explain.spread);
            let _ = write!(out, "\n  score {score}, on a scale from 0 to 1, of which spreading added {spread}");
            let _ = write!(out, "\n  {words}; {meaning}");
        }
        out.push('\n');
    }
}

pub(crate) fn format_claims<D>(report: &ClaimsReport<D>) -> String {
    let mut out = if report.claims.is_empty() { "No claims.".to_owned() } else { format_claim_list(&report.claims) };
    if report.more {
        let _ = write!(out, "\n\n{}", format_more(report.claims.len(), None));
    }
    out
}

pub(crate) fn format_explanation<D>(report: &WhyReport<D>) -> String {
    let mut out = format!("{}: {}, {}", report.asked, report.status, report.explanation);
    for claim in &report.claims {
        let _ = write!(out, "\n{}  {}\n  {}", claim.id(), format_claim(claim), format_place(claim));
        if let Some(place) = claim.place() {
            for line in place.quote.lines() {
                let _ = write!(out, "\n  > {line}");
            }
        }
    }
    lifecycle::push_edges(&mut out, &report.edges);
    lifecycle::push_decisions(&mut out, &report.decisions);
    if !report.extractors.is_empty() {
        let rules = report.extractors.iter().filter(|by| **by != Extractor::Model);
        let rules: Vec<&str> = rules.map(|by| by.as_str()).collect();
        let _ = write!(out, "\nread by rule: {}", rules.join(", "));
        if rules.len() < report.extractors.len() {
            let models = if report.models.is_empty() { "a model".to_owned() } else { report.models.join(", ") };
            let _ = write!(out, "; and by {models}");
        }
    }
    if let Some(day) = report.first_seen.and_then(|second| jiff::Timestamp::from_second(second).ok()) {
        let _ = write!(out, "\nfirst seen: {}", day.strftime("%Y-%m-%d"));
    }
    out
}

pub(crate) fn format_entity<D>(report: &EntityReport<D>, timeline: bool) -> String {
    let mut out = match (&report.entity, report.status) {
        (Some(entity), _) => match &entity.path {
            Some(path) => format!("{} ({path})", entity.name),
            None => format!("{} (a name without a note)", entity.name),
        },
        (None, EntityStatus::Ambiguous) => format!("{} may be any of these:", report.asked.trim()),
        (None, _) if !report.freshness.fresh => {
            format!("{}: no note indexed so far has this name.", report.asked.trim())
        }
        (None, _) => format!("{}: no note has this name.", report.asked.trim()),
    };
    for candidate in &report.candidates {
        let _ = write!(out, "\n  {} ({})", candidate.name, candidate.path.as_deref().unwrap_or_default());
    }
    let Some(entity) = &report.entity else { return out };
    let others: Vec<&str> = entity.names.iter().map(String::as_str).filter(|name| *name != entity.name).collect();
    if !others.is_empty() {
        let _ = write!(out, "\nalso called: {}", others.join(", "));
    }
    if timeline {
        lifecycle::push_timeline(&mut out, report);
        if report.more {
            let _ = write!(out, "\n\n{}", format_more(report.timeline.len(), None));
        }
        return out;
    }
    if report.claims.is_empty() {
        let name = &entity.name;
        let times = match report.mentioned {
            0 => String::new(),
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            times => format!("{times} times"),
        };
        // What there is comes first: nobody is told that the notes say nothing of somebody whom they mention.
        let _ = match report.mentioned {
            0 => write!(out, "\n\nno claim is about {name}, and the notes say nothing of that name"),
            _ => write!(out, "\n\nthe notes mention {name} {times}; no claim has the name for its subject"),
        };
    }
    for (title, claims) in [("about it", &report.claims), ("where it is named", &report.mentions)] {
        if !claims.is_empty() {
            let _ = write!(out, "\n\n{title}:\n{}", format_claim_list(claims));
        }
    }
    if report.more {
        let _ = write!(out, "\n\n{}", format_more(report.claims.len() + report.mentions.len(), None));
    }
    let together: Vec<String> =
        report.co_occurs.iter().map(|other| format!("{} ({})", other.name, other.count)).collect();
    if !together.is_empty() {
        let _ = write!(out, "\n\nnamed together with: {}", together.join(", "));
    }
    out
}

pub(super) fn format_claim_list<D>(claims: &[WireClaim<D>]) -> String {
    let lines = claims.iter().map(|claim| {
        format!("{}  {}\n  {}{}", claim.id(), format_claim(claim), format_place(claim), format_context(claim))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Formats the context that the path does not show: headings and the list item above.
pub(super) fn format_context<D>(claim: &WireClaim<D>) -> String {
    match claim.context() {
        [] | [_] => String::new(),
        [_, rest @ ..] => {
            let parts: Vec<String> = rest.iter().map(|part| shorten_line(part)).collect();
            format!("  under {}", parts.join(" › "))
        }
    }
}

/// Shortens a heading or an item to one line of limited length.
pub(super) fn shorten_line(words: &str) -> String {
    const MOST: usize = 60;
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{} …", line.get(..at).unwrap_or_default().trim_end()),
        None => line,
    }
}
