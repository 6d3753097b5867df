//! Formats the output for new users: `init` and `demo`.

use std::fmt::Write as _;

use memora_engine::pluralize;
use memora_engine::report::{DemoReport, InitReport};

pub(crate) fn format_init(report: &InitReport) -> String {
    let mut out = String::new();
    if let Some(places) = &report.places {
        let owner = report.owner.as_deref().unwrap_or("not set");
        let places: Vec<String> = places.iter().map(|place| format!("{} is {}", place.glob, place.band)).collect();
        let places = if places.is_empty() { "none".to_owned() } else { places.join(", ") };
        let _ = match (&report.config, report.changed) {
            (Some(config), true) => writeln!(out, "settings in {config} (changed)"),
            (Some(config), false) => writeln!(out, "settings in {config} (left as it was)"),
            (None, _) => writeln!(out, "settings: the defaults, since there is no config.toml"),
        };
        let _ = writeln!(
            out,
            "  \"I\" in your notes: {owner}\n  notes without a mark: {}\n  guarded places: {places}",
            report.unmarked
        );
    } else {
        let _ = writeln!(out, "notes without a mark: {}", report.unmarked);
    }
    let _ = write!(out, "\nfound in {}: {}", report.vault, pluralize(report.notes.public, "public note"));
    for (count, band) in [(report.notes.private, "private"), (report.notes.secret, "secret")] {
        let _ = count.filter(|count| *count > 0).map(|count| write!(out, ", {count} {band}"));
    }
    let statements = usize::try_from(report.statements).unwrap_or(usize::MAX);
    let _ = write!(out, "; {}", pluralize(statements, "statement"));
    if report.problems > 0 {
        let _ = write!(out, "; {}", pluralize(report.problems, "problem"));
    }
    if report.skipped > 0 {
        let _ = write!(out, "; {} skipped", report.skipped);
    }
    if report.problems > 0 || report.skipped > 0 {
        out.push_str("\n  memora index lists the problems and what was skipped");
    }
    out.push_str("\n\ntry next:");
    for command in &report.next {
        let _ = write!(out, "\n  {command}");
    }
    out
}

pub(crate) fn format_demo(report: &DemoReport) -> String {
    let mut out = String::from("In the example vault, with its own state and settings; yours are not touched.\n");
    for (number, step) in report.steps.iter().enumerate() {
        let _ = writeln!(out, "\n{}. {}", number + 1, step.shows);
        for command in &step.commands {
            let _ = writeln!(out, "\n   $ {}", command.command);
            for line in command.said.lines() {
                let _ = writeln!(out, "{}", format!("   {line}").trim_end());
            }
        }
        let _ = writeln!(out, "\n   {}", if step.passed { "as expected" } else { "NOT AS EXPECTED" });
    }
    out.push_str("\nNow try yours, in its folder or with --vault: memora init");
    out
}
