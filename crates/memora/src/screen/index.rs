//! Formats what was indexed, extracted and watched.

use std::collections::HashSet;
use std::fmt::Write as _;

use memora_engine::pluralize;
use memora_engine::report::{ExtractReport, IndexReport, WatchLine};

/// The maximum number of problems and skipped notes listed; JSON has them all.
const LISTED_MAX: usize = 20;

pub(crate) fn format_index(report: &IndexReport) -> String {
    let notes = &report.notes;
    let counts = [(notes.changed, "read"), (notes.removed, "removed"), (notes.renamed, "renamed")];
    let counts = counts.into_iter().filter_map(|(count, what)| Some(format!("{} {what}", count?)));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let mut out = format!(
        "{}{}{counts}; {} not read; {}\n{}: {} new, {} gone",
        pluralize(notes.seen, "note"),
        if counts.is_empty() { "" } else { ": " },
        notes.skipped.len(),
        pluralize(report.unread, "other file"),
        pluralize(report.claims.total, "claim"),
        report.claims.added,
        report.claims.removed,
    );
    let skipped = notes.skipped.iter().map(|note| {
        let path = note.path.as_deref().unwrap_or("a note");
        (format!("skipped {path}: {}", note.reason), note.hint.as_str())
    });
    let problems = report
        .problems
        .iter()
        .map(|problem| (format!("{}:{}: {}", problem.path, problem.line, problem.message), problem.hint.as_str()));
    push_limited(&mut out, with_hints(skipped));
    push_limited(&mut out, with_hints(problems));
    out
}

/// Adds to each line its hint, where no line before it had the same.
fn with_hints<'r>(lines: impl Iterator<Item = (String, &'r str)>) -> Vec<String> {
    let mut given = HashSet::new();
    lines.map(|(line, hint)| if given.insert(hint) { format!("{line}\n  hint: {hint}") } else { line }).collect()
}

pub(crate) fn format_extract(report: &ExtractReport) -> String {
    let passages = &report.passages;
    if report.ended == "dry_run" {
        return format!(
            "{} of {}: passages that it has not read yet; {} that it has",
            pluralize(passages.due, "call"),
            report.model,
            passages.cached
        );
    }
    let mut out = format!("{} of {} passages read by {}", passages.done, passages.due, report.model);
    if passages.cached > 0 {
        let _ = write!(out, "; {} read before", pluralize(passages.cached, "passage"));
    }
    let _ = write!(out, "\n{}", pluralize(report.calls, "call"));
    if let Some(tokens) = &report.tokens {
        let _ = write!(out, ", {} tokens sent, {} received", tokens.sent, tokens.received);
    }
    let _ = write!(out, "\nborne out by the notes: {}", pluralize(report.claims.added, "claim"));
    for (why, count) in &report.claims.rejected {
        let _ = write!(out, "\n  rejected, {}: {count}", why.replace('_', " "));
    }
    if let Some(failure) = &report.failure {
        let _ =
            write!(out, "\nwithout an answer that can be read: {} ({failure})", pluralize(passages.failed, "passage"));
    }
    if passages.left > 0 {
        let _ = write!(out, "\nleft: {}; run it again to go on", pluralize(passages.left, "passage"));
    }
    if let Some(withheld) = passages.withheld.filter(|withheld| *withheld > 0) {
        let _ = write!(out, "\nguarded, and not for this model to see: {}", pluralize(withheld, "passage"));
    }
    out
}

pub(crate) fn format_watch_line(line: &WatchLine) -> String {
    let notes = &line.notes;
    if line.why == "reviewed" {
        return match &line.review {
            Some(review) => format!("reviewed: {} to look at, {} new; memora challenge", review.items, review.new),
            None => "reviewed".to_owned(),
        };
    }
    let mut out = match line.why {
        "begun" => format!("watching {}: ", pluralize(notes.seen, "note")),
        _ => String::new(),
    };
    let _ = write!(out, "{} read, {} removed, {} renamed", notes.changed, notes.removed, notes.renamed);
    if let Some(claims) = &line.claims {
        let _ = write!(out, "; claims: {} new, {} gone", claims.added, claims.removed);
    }
    if !line.freshness.fresh {
        let _ = write!(out, "; {} due", pluralize(line.freshness.pending, "note"));
    }
    out
}

pub(super) fn push_limited(out: &mut String, lines: Vec<String>) {
    let more = lines.len().saturating_sub(LISTED_MAX);
    for line in lines.into_iter().take(LISTED_MAX) {
        let _ = write!(out, "\n{line}");
    }
    if more > 0 {
        let _ = write!(out, "\nand {more} more; --json lists them all");
    }
}
