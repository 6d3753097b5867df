//! Formats contradictions, edges, decisions and timelines.

use std::fmt::Write as _;

use memora_engine::pluralize;
use memora_engine::report::{
    BrokenSupportReport, ChangeJudgement, ChangesReport, ContradictionJudgementReport, ContradictionReport,
    ContradictionsReport, DecidedReport, DecisionKind, DecisionReport, EdgeDirection, EdgeLabel, EdgeReport,
    EntityReport, PairJudgement, PairStatus, Phase, StaleReport, WireClaim,
};

use super::claim_line::{format_claim, format_location, format_more, format_place};

/// Formats contradictions; `all` says whether superseded ones were asked for, too.
pub(crate) fn format_contradictions<D>(report: &ContradictionsReport<D>, all: bool) -> String {
    let by = report.judged.as_ref();
    let blocks: Vec<String> = report.contradictions.iter().map(|found| format_contradiction(found, by)).collect();
    let mut out = blocks.join("\n\n");
    let rest =
        if report.resolved > 0 { format!("{} superseded; --all lists them", report.resolved) } else { String::new() };
    match by {
        _ if !report.contradictions.is_empty() => {
            if report.more {
                let total = if all { report.open + report.resolved } else { report.remaining_open() };
                let _ = write!(out, "\n\n{}", format_more(report.contradictions.len(), Some(total)));
            }
            let _ = write!(out, "\n\n{} open, {} superseded", report.open, report.resolved);
        }
        Some(by) if by.no_contradiction > 0 => {
            let _ = write!(out, "No open contradictions but what {} took out; --all shows that.", by.model);
            let _ = write!(out, "\n\n{} open, {} superseded", report.open, report.resolved);
        }
        _ => {
            out.push_str("No open contradictions.");
            let _ = write!(out, "{}{rest}", if rest.is_empty() { "" } else { "\n" });
        }
    }
    if let Some(by) = by {
        let _ = write!(
            out,
            "\njudged by {}: of what is open {} contradict, {} do not, {} not judged",
            by.model, by.contradiction, by.no_contradiction, by.not_judged
        );
        if let Some(failure) = &by.failure {
            let _ = write!(out, " ({failure})");
        }
    }
    out
}

fn format_contradiction<D>(found: &ContradictionReport<D>, by: Option<&ContradictionJudgementReport>) -> String {
    let mut out = match found.status {
        // The reason says itself what superseded one of them.
        PairStatus::Superseded => found.why.clone(),
        PairStatus::Open => format!("{}: {}", found.status, found.why),
    };
    for claim in [&found.older, &found.newer] {
        let _ = write!(out, "\n  {}  {}\n    {}", claim.id(), format_claim(claim), format_place(claim));
        push_quote(&mut out, "    ", claim);
    }
    if let Some((by, judged)) = by.zip(found.judged) {
        let model = &by.model;
        let _ = match judged {
            PairJudgement::Contradiction => write!(out, "\n  judged by {model}: they contradict"),
            PairJudgement::NoContradiction => write!(out, "\n  judged by {model}: both can hold"),
            PairJudgement::NotJudged => write!(out, "\n  by the rules alone: {model} did not judge it"),
        };
    }
    out
}

pub(crate) fn format_stale<D>(report: &StaleReport<D>) -> String {
    if report.stale.is_empty() && report.memories.is_empty() {
        return "Nothing is stale.".to_owned();
    }
    let mut out = String::new();
    for one in &report.stale {
        let _ = write!(out, "{}  {}\n  {}", one.claim.id(), format_claim(&one.claim), format_place(&one.claim));
        push_quote(&mut out, "  ", &one.claim);
        push_grounds(&mut out, &one.because);
        if one.dependents > 0 {
            let _ = write!(out, "\n  {}", format_dependents(one.dependents));
        }
        out.push_str("\n\n");
    }
    for one in &report.memories {
        let memory = &one.memory;
        let _ = write!(out, "{}  remembered by {}\n  {}\n  > {}", memory.id, memory.by, memory.path, memory.gist);
        push_grounds(&mut out, &one.because);
        out.push_str("\n\n");
    }
    let counts = [(report.stale.len(), "sentence"), (report.memories.len(), "memory item")];
    let counts: Vec<String> =
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| pluralize(count, noun)).collect();
    let _ = write!(out, "{} stale", counts.join(" and "));
    if report.more {
        let _ = write!(out, "\n{}", format_more(report.stale.len(), None));
    }
    out
}

pub(crate) fn format_changes<D>(report: &ChangesReport<D>, ended: bool) -> String {
    let mut out = String::new();
    let by = report.judged.as_ref();
    if !report.pairs.is_empty() {
        out.push_str("Newer statements, each above older ones that may no longer hold:\n\n");
    }
    for pair in &report.pairs {
        let quote = |claim: &WireClaim<D>| {
            let quote = claim.place().map(|place| place.quote.split_whitespace().collect::<Vec<_>>().join(" "));
            format!("{} [claim:{}] {}", quote.unwrap_or_default(), claim.id(), format_place(claim))
        };
        let _ = write!(out, "{}", quote(&pair.newer));
        if let Some(words) = &pair.ended_by {
            let _ = write!(out, "\n  says otherwise: {words}");
        }
        for (at, older) in pair.older.iter().enumerate() {
            let _ = write!(out, "\n  before: {}", quote(older));
            if let Some((by, judged)) = by.zip(pair.judged.get(at)) {
                push_change_judgement(&mut out, older.id(), &by.model, *judged);
            }
        }
        out.push_str("\n\n");
    }
    if report.pairs.is_empty() {
        let read = pluralize(report.read, "newer statement");
        let _ = match (report.read, by) {
            (0, _) => writeln!(out, "There is nothing newer to read."),
            (_, Some(by)) if by.same + by.both_hold > 0 => {
                writeln!(out, "Nothing changed but what {} took out; --all shows that.", by.model)
            }
            _ if ended => writeln!(out, "Of {read} none ends an older one by its words."),
            _ => writeln!(out, "Nothing older comes near {read}."),
        };
    }
    if let Some(by) = by {
        let _ = write!(
            out,
            "judged by {}: {} changed, {} the same, {} both hold, {} not judged",
            by.model, by.changed, by.same, by.both_hold, by.not_judged
        );
        let _ = match &by.failure {
            Some(failure) => writeln!(out, " ({failure})"),
            None => writeln!(out),
        };
    }
    if let Some(next) = report.next {
        let _ = write!(out, "more: --from {next}");
    }
    out.trim_end().to_owned()
}

fn push_change_judgement(out: &mut String, older: &str, model: &str, judged: ChangeJudgement) {
    let _ = match judged {
        ChangeJudgement::Changed => {
            write!(out, "\n    judged by {model}: changed; if it ended: memora retract --ended {older}")
        }
        ChangeJudgement::Same => write!(out, "\n    judged by {model}: says the same"),
        ChangeJudgement::BothHold => write!(out, "\n    judged by {model}: both can hold"),
        ChangeJudgement::NotJudged => write!(out, "\n    {model} did not judge it"),
    };
}

/// Appends what gave way, with the words that there were and those that there are.
fn push_grounds<D>(out: &mut String, because: &[BrokenSupportReport<D>]) {
    for ground in because {
        let _ = write!(out, "\n  {}", ground.explanation);
        for claim in ground.was.iter().chain(&ground.now) {
            let _ = write!(out, "\n    {}  {}\n      {}", claim.id(), format_claim(claim), format_place(claim));
            push_quote(out, "      ", claim);
        }
    }
}

/// Says how many sentences rest on a claim.
pub(super) fn format_dependents(count: usize) -> String {
    let rest = if count == 1 { "rests" } else { "rest" };
    format!("{} {rest} on it", pluralize(count, "sentence"))
}

/// Appends the quote of a claim, marked as a quotation.
pub(super) fn push_quote<D>(out: &mut String, indent: &str, claim: &WireClaim<D>) {
    for line in claim.place().iter().flat_map(|place| place.quote.lines()) {
        let _ = write!(out, "\n{indent}> {line}");
    }
}

pub(crate) fn format_decided<D>(report: &DecidedReport<D>) -> String {
    let mut out = format_decision(&report.decision);
    for claim in &report.claims {
        let status = claim.status().unwrap_or_default();
        let _ = write!(out, "\n{}  {}: {}\n  {}", claim.id(), status, format_claim(claim), format_place(claim));
    }
    out
}

pub(super) fn format_decision(made: &DecisionReport) -> String {
    let with = if made.act == DecisionKind::Both { "beside" } else { "over" };
    let over = if made.over.is_empty() { String::new() } else { format!(" {with} {}", made.over.join(", ")) };
    let despite = if made.despite.is_empty() { String::new() } else { format!(" despite {}", made.despite.join(", ")) };
    format!("{} {}{over}{despite}", made.act, made.claim)
}

pub(super) fn push_decisions(out: &mut String, made: &[DecisionReport]) {
    for one in made {
        let _ = write!(out, "\ndecided {}: {}", one.at.get(..10).unwrap_or(&one.at), format_decision(one));
    }
}

pub(super) fn push_edges<D>(out: &mut String, edges: &[EdgeReport<D>]) {
    for edge in edges {
        let words = match (edge.kind, edge.direction) {
            (EdgeLabel::Supersedes, EdgeDirection::From) => "superseded by",
            (EdgeLabel::Supersedes, EdgeDirection::To) => "supersedes",
            (EdgeLabel::Contradicts, _) => "contradicts",
            (EdgeLabel::Corroborates, _) => "says the same as",
            (EdgeLabel::Derives, EdgeDirection::From) => "cited by",
            (EdgeLabel::Derives, EdgeDirection::To) => "cites",
            (EdgeLabel::Entails, EdgeDirection::From) => "follows from",
            (EdgeLabel::Entails, EdgeDirection::To) => "implies",
        };
        let basis = edge.basis.map(|basis| format!(" ({})", basis.as_str().replace('_', " "))).unwrap_or_default();
        let _ = write!(out, "\n{words}{basis}: {}  {}", edge.other.id(), format_claim(&edge.other));
        if let Some(at) = edge.other.place() {
            let _ = write!(out, "\n  {}", format_location(at));
        }
    }
}

pub(super) fn push_timeline<D>(out: &mut String, report: &EntityReport<D>) {
    if report.timeline.is_empty() {
        out.push_str("\n\nNothing about it is of a known time.");
        return;
    }
    out.push('\n');
    let mut under = String::new();
    for (claim, days) in report.timeline.iter().zip(&report.timeline_days) {
        let ended = claim.phase() == Some(Phase::Ended);
        let when = match (claim.valid_from().filter(|_| !ended), claim.valid_until()) {
            (Some(from), Some(until)) => format!("{from} to {until}"),
            (Some(from), None) => from.to_owned(),
            // "No longer works at Acme": something ended on that day, and it did not hold until then.
            (None, Some(until)) if ended => until.to_owned(),
            (None, Some(until)) => format!("until {until}"),
            (None, None) => days.as_ref().map(ToString::to_string).unwrap_or_default(),
        };
        if when != under {
            let _ = write!(out, "\n{when}");
            under = when;
        }
        let _ = write!(out, "\n  {}  {}", claim.id(), format_claim(claim));
        if let Some(at) = claim.place() {
            let _ = write!(out, "\n    {}", format_location(at));
        }
    }
}
