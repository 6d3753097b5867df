//! What a newcomer is shown: `demo`.

use std::fmt::Write as _;

use memora_engine::wire::DemoReport;

pub(crate) fn demo(report: &DemoReport) -> String {
    let mut out = String::from("In the example vault, with a state and settings of its own; yours are not touched.\n");
    for (number, step) in report.steps.iter().enumerate() {
        let _ = writeln!(out, "\n{}. {}", number + 1, step.shows);
        for command in &step.commands {
            let _ = writeln!(out, "\n   $ {}", command.command);
            for line in command.said.lines() {
                let _ = writeln!(out, "{}", format!("   {line}").trim_end());
            }
        }
        let _ = writeln!(out, "\n   {}", if step.passed { "came out as said" } else { "DID NOT COME OUT AS SAID" });
    }
    out
}
