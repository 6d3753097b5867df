//! Prints reports of other programs' memory servers.

use std::fmt::Write as _;

use memora_engine::pluralize;
use memora_engine::report::{BridgeCandidatesReport, BridgeReport, BridgeSync, BridgeSyncReport, BridgesReport};

use super::memory::format_imported;

pub(crate) fn format_bridges(report: &BridgesReport) -> String {
    if report.bridges.is_empty() {
        let why = "the vault forbids bridges: memory.bridges in its .memora/config.toml";
        return if report.forbidden { why } else { "there are no bridges to other memory servers" }.to_owned();
    }
    report.bridges.iter().map(format_bridge).collect::<Vec<_>>().join("\n")
}

fn format_bridge(bridge: &BridgeReport) -> String {
    let able = [(bridge.read, "read"), (bridge.write, "write")];
    let able: Vec<&str> = able.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect();
    let mut out = format!("{}: {} ({}, {})", bridge.name, bridge.state, bridge.place, able.join(" and "));
    if let Some(problem) = &bridge.problem {
        let _ = write!(out, ": {problem}");
    }
    if let Some(server) = &bridge.server {
        let _ = write!(out, "\n  server: {server}");
    }
    let tools =
        [("search", &bridge.search), ("save", &bridge.save), ("delete", &bridge.delete), ("list", &bridge.list)];
    let tools: Vec<String> =
        tools.into_iter().filter_map(|(role, tool)| Some(format!("{role} by {}", tool.as_ref()?))).collect();
    if !tools.is_empty() {
        let _ = write!(out, "\n  tools: {}", tools.join(", "));
    }
    if bridge.queued + bridge.delivered > 0 {
        let _ = write!(out, "\n  told of {}, waiting: {}", pluralize(bridge.delivered, "memory item"), bridge.queued);
    }
    out
}

pub(crate) fn format_candidates(report: &BridgeCandidatesReport) -> String {
    if report.candidates.is_empty() {
        return "no memory server in the settings of your assistants".to_owned();
    }
    let candidate = |candidate: &memora_engine::report::BridgeCandidate| {
        let config = candidate.config.as_deref().unwrap_or("it is reached by a URL, which a bridge cannot use");
        format!("{}, of {}:\n{}", candidate.name, candidate.program, config.trim_end())
    };
    report.candidates.iter().map(candidate).collect::<Vec<_>>().join("\n\n")
}

pub(crate) fn format_synced(report: &BridgeSyncReport) -> String {
    if report.bridges.is_empty() {
        return "there are no bridges to other memory servers".to_owned();
    }
    report.bridges.iter().map(format_sync).collect::<Vec<_>>().join("\n")
}

fn format_sync(sync: &BridgeSync) -> String {
    let BridgeSync { name, state, sent, dropped, queued, pulled, problem } = sync;
    let mut out = format!("{name}: {state}, passed on: {sent}, waiting: {queued}");
    if *dropped > 0 {
        let _ = write!(out, ", given up: {dropped}");
    }
    if let Some(problem) = problem {
        let _ = write!(out, "\n  {problem}");
    }
    if let Some(pulled) = pulled {
        let _ = write!(out, "\n{}", format_imported(pulled));
    }
    out
}
