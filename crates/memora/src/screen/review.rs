//! Formats the review and the result of applying it.

use std::fmt::Write as _;

use memora_engine::pluralize;
use memora_engine::report::{AppliedReport, ReviewItem, ReviewReport};

use super::claim_line::{format_claim, format_more, format_place};
use super::lifecycle::{format_decision, format_dependents, push_quote};

pub(crate) fn format_review<D>(report: &ReviewReport<D>) -> String {
    let mut out = String::new();
    for (number, item) in (1..).zip(&report.items) {
        push_item(&mut out, number, item);
        out.push('\n');
    }
    match &report.already {
        Some(_) if report.items.is_empty() => out.push_str("Nothing new to look at today.\n"),
        _ if report.items.is_empty() => out.push_str("Nothing to review.\n"),
        _ => {}
    }
    let counted: usize = report.found.iter().map(|found| found.count).sum();
    if counted > report.items.len() {
        let _ = writeln!(out, "{}", format_more(report.items.len(), Some(counted)));
    }
    if let Some(last) = &report.last {
        let _ = writeln!(out, "{} new since the review of {}", last.new_since, last.day);
    }
    if let Some(already) = &report.already {
        let _ = writeln!(out, "in {} already: {}", already.paths.join(" and "), pluralize(already.count, "question"));
    }
    if let Some(path) = &report.written {
        let _ = writeln!(out, "written: {path}; tick there, then memora review --apply");
    }
    out.trim_end().to_owned()
}

fn push_item<D>(out: &mut String, number: usize, item: &ReviewItem<D>) {
    let new = if item.new { "" } else { " (asked before)" };
    let _ = writeln!(out, "{number}. {}: {}{new}", item.kind.as_str().replace('_', " "), item.question);
    let _ = writeln!(out, "   {}", item.why);
    for claim in &item.claims {
        let _ = write!(out, "   {}  {}\n     {}", claim.id(), format_claim(claim), format_place(claim));
        push_quote(out, "     ", claim);
        out.push('\n');
    }
    if let Some(formerly) = &item.formerly {
        let _ = writeln!(out, "   before: {}", formerly.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    if let Some(proposed) = &item.proposed {
        let _ = writeln!(out, "   proposed by {}: {}", proposed.by, proposed.text);
    }
    if let Some(path) = &item.path {
        let _ = writeln!(out, "   {path}");
    }
    if item.dependents > 0 {
        let _ = writeln!(out, "   {}", format_dependents(item.dependents));
    }
    let _ = writeln!(out, "   {}", item.advice);
}

pub(crate) fn format_applied(report: &AppliedReport) -> String {
    let mut out = String::new();
    for made in &report.applied {
        let _ = writeln!(out, "{}", format_decision(made));
    }
    if report.applied.is_empty() {
        out.push_str("No new ticks in your reviews.\n");
    }
    for tick in &report.refused {
        let _ = writeln!(out, "{}:{}: {}", tick.path, tick.line, tick.why);
    }
    out.trim_end().to_owned()
}
