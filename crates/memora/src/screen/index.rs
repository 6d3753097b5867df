//! Formats what was indexed, extracted and watched.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use memora_engine::pluralize;
use memora_engine::report::{ExtractReport, IndexReport, WatchLine};

/// The maximum number of problems and skipped notes listed; JSON has them all.
const LISTED_MAX: usize = 20;

pub(crate) fn format_index(report: &IndexReport) -> String {
    let notes = &report.notes;
    let counts = [(notes.changed, "new or changed"), (notes.removed, "removed"), (notes.renamed, "renamed")];
    let changed = counts.iter().any(|(count, _)| count.is_some());
    let counts = counts.into_iter().filter_map(|(count, what)| Some((count?, what)));
    let mut out = format!("{}{}", pluralize(notes.seen, "note"), list_counts(": ", counts));
    if changed && !out.contains(':') {
        out.push_str(", none changed");
    }
    out.push_str(&list_counts("; ", [(notes.skipped.len(), "skipped")]));
    if report.unread > 0 {
        let _ = write!(out, "; {}", pluralize(report.unread, "other file"));
    }
    let claims = [(report.claims.added, "new"), (report.claims.removed, "gone")];
    let _ = write!(out, "\n{}{}", pluralize(report.claims.total, "claim"), list_counts(": ", claims));
    // Where names are not told, those skipped for one reason are one line.
    let mut nameless: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for note in notes.skipped.iter().filter(|note| note.path.is_none()) {
        *nameless.entry((note.reason.as_str(), note.hint.as_str())).or_default() += 1;
    }
    let counted = nameless.into_iter().map(|((reason, hint), count)| {
        let notes = if count == 1 { "a note".to_owned() } else { pluralize(count, "note") };
        (format!("skipped: {notes}: {reason}"), hint)
    });
    let named = notes.skipped.iter().filter_map(|note| Some((note.path.as_deref()?, note)));
    let named = named.map(|(path, note)| (format!("skipped: {path}: {}", note.reason), note.hint.as_str()));
    let skipped = named.chain(counted);
    let problems = report
        .problems
        .iter()
        .map(|problem| (format!("{}:{}: {}", problem.path, problem.line, problem.message), problem.hint.as_str()));
    push_limited(&mut out, with_hints(skipped));
    push_limited(&mut out, with_hints(problems));
    out
}

/// Lists the counts that say something after a separator; nothing if all are zero.
fn list_counts(before: &str, counts: impl IntoIterator<Item = (usize, &'static str)>) -> String {
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, what)| format!("{count} {what}")).collect();
    if counts.is_empty() { String::new() } else { format!("{before}{}", counts.join(", ")) }
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
            Some(review) => format!("reviewed: {} to look at, {} new; memora review", review.items, review.new),
            None => "reviewed".to_owned(),
        };
    }
    if line.why == "consolidated" {
        return match &line.memories {
            Some(pass) => format!(
                "consolidated: {} saved, {} proposed; memora memory consolidate",
                pluralize(pass.saved, "fact"),
                pluralize(pass.proposed, "step")
            ),
            None => "consolidated".to_owned(),
        };
    }
    let counts = [(notes.changed, "new or changed"), (notes.removed, "removed"), (notes.renamed, "renamed")];
    let counts = list_counts("", counts);
    let mut parts = match line.why {
        "begun" if counts.is_empty() => vec![format!("watching {}", pluralize(notes.seen, "note"))],
        "begun" => vec![format!("watching {}: {counts}", pluralize(notes.seen, "note"))],
        _ if counts.is_empty() => vec!["no note changed".to_owned()],
        _ => vec![counts],
    };
    if let Some(claims) = &line.claims {
        let counts = list_counts("claims: ", [(claims.added, "new"), (claims.removed, "gone")]);
        parts.extend((!counts.is_empty()).then_some(counts));
    }
    let mut out = parts.join("; ");
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
