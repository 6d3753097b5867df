//! Prints reports of agents' memory.

use std::fmt::Write as _;

use memora_engine::pluralize;
use memora_engine::report::{
    BridgeState, BridgedMemories, ConsolidationAct, ConsolidationReport, ConsolidationStatus, ConsolidationStep,
    DomainGap, ForgetReport, ForgetStatus, GapsReport, ImportReport, MemoryContext, MemoryCount, MemoryItem,
    MemoryList, MemoryPassage, MemoryRead, MemoryResults, MemoryStats, MemoryStatus, ResealReport, SaveReport,
    SaveStatus, ScopeShare, UndoReport, WriteReport, WriteStatus,
};

use super::claim_line::{format_claim, format_more};

pub(crate) fn format_context<D>(report: &MemoryContext<D>) -> String {
    if report.text.is_empty() { "nothing is remembered".to_owned() } else { report.text.trim_end().to_owned() }
}

pub(crate) fn format_saved<D>(report: &SaveReport<D>) -> String {
    let mut out = match (&report.id, &report.path) {
        (Some(id), Some(path)) => format!("{}: {id} {path}", report.status),
        _ => report.status.to_string(),
    };
    if let Some(reason) = report.reason {
        let _ = write!(out, ": {}", reason.as_str());
    }
    for old in &report.superseded {
        let _ = write!(out, "\nsupersedes {old}");
    }
    for other in &report.conflicts {
        let _ = write!(out, "\nbeside {other}");
    }
    for claim in &report.notes {
        let _ = write!(out, "\nyour notes: {}", format_claim(claim));
    }
    for near in &report.related {
        let _ = write!(out, "\nrelated: {} {}", near.id, near.gist);
    }
    for claim in &report.related_notes {
        let _ = write!(out, "\nrelated, in your notes: {}", format_claim(claim));
    }
    if report.status != SaveStatus::Saved {
        let _ = write!(out, "\n{}", report.next);
    }
    out
}

pub(crate) fn format_written<D>(report: &WriteReport<D>) -> String {
    let mut out = report.status.to_string();
    for part in report.id.iter().chain(&report.path) {
        let _ = write!(out, " {part}");
    }
    if let Some(reason) = report.reason {
        let _ = write!(out, ": {}", reason.as_str());
    }
    if report.status != WriteStatus::Written {
        let _ = write!(out, "\n{}", report.next);
    }
    if let Some(bytes) = report.truncated {
        let _ = write!(out, "\nonly the first {bytes} bytes");
    }
    out
}

pub(crate) fn format_results<D>(report: &MemoryResults<D>) -> String {
    let lines = report.hits.iter().map(|hit| {
        let state = mark_status(hit.status);
        let mut state = if hit.weak { format!("{state} (weak)") } else { state };
        if let Some(newer) = &hit.differs_from {
            let _ = write!(state, " (the newer {newer} says otherwise)");
        }
        // A task is in a file without a writer or a time.
        let source = [hit.id.as_str(), hit.origin.as_str(), &hit.by, date_of(&hit.created)];
        let source: Vec<&str> = source.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{}{state}\n[{}]", hit.gist, source.join(" · "))
    });
    let mut lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        lines.push("nothing is remembered of that".to_owned());
    }
    lines.extend(format_bridged(&report.bridged));
    lines.join("\n")
}

pub(crate) fn format_read<D>(report: &MemoryRead<D>) -> String {
    let mut parts: Vec<String> = Vec::new();
    for item in &report.items {
        parts.push(format!(
            "{}{}\n[{} · {} · {} · {} · {}] {}",
            item.text,
            item.superseded_by
                .as_ref()
                .map_or_else(|| mark_status(item.status), |newer| format!(" (superseded by {newer})")),
            item.id,
            item.kind.as_str(),
            item.origin.as_str(),
            item.by,
            date_of(&item.created),
            item.path
        ));
        parts.extend(format_rest(&item.id, item.next_offset));
    }
    for passage in &report.passages {
        let MemoryPassage { id, path, title, text, by, created, .. } = passage;
        parts.push(format!("{title}\n{text}\n[{id} · {by} · {}] {path}", date_of(created)));
        parts.extend(format_rest(id, passage.next_offset));
    }
    parts.extend(report.missing.iter().map(|id| format!("unknown: {id}; `memora memory list --all` shows ids")));
    match &report.text {
        Some(text) => parts.push(text.trim_end().to_owned()),
        None if parts.is_empty() => parts.push("there is nothing there".to_owned()),
        None => {}
    }
    parts.join("\n")
}

/// Where a text that is cut goes on.
fn format_rest(id: &str, next_offset: Option<usize>) -> Option<String> {
    next_offset.map(|offset| format!("it goes on: memora memory read \"{id}\" --offset {offset}"))
}

pub(crate) fn format_forgotten<D>(report: &ForgetReport<D>) -> String {
    let mut out = match (&report.path, report.status) {
        (Some(path), status) => format!("{status}: {path}"),
        (None, status @ ForgetStatus::NotOwned) => format!("{status}: {}", ForgetStatus::NOT_OWNED_REASON),
        (None, ForgetStatus::Unknown) => {
            "unknown: there is no memory of that id; `memora memory list --all` shows ids".to_owned()
        }
        (None, status) => status.to_string(),
    };
    for bridge in &report.also_in {
        let _ = write!(out, "\nstill in {bridge}, which did not delete it");
    }
    out
}

pub(crate) fn format_list<D>(list: &MemoryList<D>) -> String {
    if list.items.is_empty() {
        return "nothing is remembered here; --all lists all projects and agents".to_owned();
    }
    let line = |item: &MemoryItem<D>| {
        format!("{}  {}: {}{}", item.id, item.kind.as_str(), item.gist, mark_status(item.status))
    };
    let mut lines: Vec<String> = list.items.iter().map(line).collect();
    if list.more > 0 {
        lines.push(format_more(list.items.len(), Some(list.items.len() + list.more)));
    }
    lines.extend(format_held(list.held));
    lines.join("\n")
}

/// The status behind a memory, unless it is current.
fn mark_status(status: MemoryStatus) -> String {
    if status == MemoryStatus::Current { String::new() } else { format!(" ({status})") }
}

/// How many items wait for the user; nothing where none does.
fn format_held(held: usize) -> Option<String> {
    (held > 0).then(|| format!("held until you confirm it: {held} (memora keep ID, or memora review)"))
}

pub(crate) fn format_stats(stats: &MemoryStats) -> String {
    let counts = |counts: &[MemoryCount]| {
        counts.iter().map(|count| format!("{} {}", count.count, count.name)).collect::<Vec<_>>().join(", ")
    };
    let mut out = format!("{}: {} memories, {} in the archive", stats.folder, stats.items, stats.archived);
    for (name, list) in [("kind", &stats.by_kind), ("origin", &stats.by_origin), ("state", &stats.by_status)] {
        if !list.is_empty() {
            let _ = write!(out, "\n{name}: {}", counts(list));
        }
    }
    if stats.not_owned > 0 {
        let _ = write!(out, "\nnot sealed on this machine (copied or edited): {}", stats.not_owned);
    }
    if let Some(line) = format_held(stats.held) {
        let _ = write!(out, "\n{line}");
    }
    out
}

/// The lines for what other programs' servers said to a search; none where none was asked.
fn format_bridged(bridged: &[BridgedMemories]) -> Vec<String> {
    let mut lines = Vec::new();
    for BridgedMemories { name, state, hits } in bridged {
        match state {
            BridgeState::Ok if hits.is_empty() => {}
            BridgeState::Ok => lines.push(format!("from {name}, which is not yours and not verified:")),
            _ => lines.push(format!("{name}: {state}")),
        }
        for hit in hits {
            let held = if hit.status == MemoryStatus::Held { " (reads as an instruction)" } else { "" };
            lines.push(format!("- {}{held}", hit.text));
        }
    }
    lines
}

pub(crate) fn format_imported(report: &ImportReport) -> String {
    let would = if report.dry_run { "would be " } else { "" };
    let mut out = format!("{}: {} records in {} files", report.from, report.records, report.files);
    for (count, what) in
        [(report.saved, "saved"), (report.updated, "updated"), (report.held, "of them held until you confirm them")]
    {
        if count > 0 {
            let _ = write!(out, "\n{would}{what}: {count}");
        }
    }
    for (count, what) in [(report.already, "imported before"), (report.known, "known already")] {
        if count > 0 {
            let _ = write!(out, "\n{what}: {count}");
        }
    }
    for reason in &report.refused {
        let _ = write!(out, "\nrefused as {}: {}", reason.name, reason.count);
    }
    if report.unreadable > 0 {
        let _ = write!(out, "\nnot read: {}", report.unreadable);
    }
    for fault in &report.faults {
        let _ = write!(out, "\n{}, record {}: {}", fault.file, fault.record, fault.reason);
    }
    out
}

pub(crate) fn format_consolidation<D>(report: &ConsolidationReport<D>) -> String {
    let mut lines: Vec<String> = report.steps.iter().map(format_step).collect();
    for share in &report.too_much {
        let ScopeShare { scope, items, archived } = share;
        lines.push(format!("{scope}: {archived} of {items} would go to the archive, more than a quarter"));
    }
    if let Some(model) = report.model.as_ref().filter(|model| !model.dropped.is_empty()) {
        let counts: Vec<String> = model.dropped.iter().map(|drop| format!("{} {}", drop.count, drop.name)).collect();
        lines.push(format!("not taken from {}: {}", model.name.as_deref().unwrap_or("a model"), counts.join(", ")));
    }
    if report.waiting > 0 {
        let notes = pluralize(report.waiting, "note");
        lines.push(format!("{notes} of sessions or weeks wait for a later pass: one archives a quarter at most"));
    }
    let looked = pluralize(report.items, "memory item");
    lines.push(match (report.status, &report.pass) {
        (ConsolidationStatus::NothingToDo, _) => format!("nothing to do: {looked}"),
        (ConsolidationStatus::Refused, _) => format!("refused, nothing was done: {looked}"),
        (ConsolidationStatus::Applied, Some(pass)) => format!("done: {pass}"),
        (ConsolidationStatus::Applied | ConsolidationStatus::Proposed, _) => {
            let open = report.steps.iter().filter(|step| !step.done).count();
            match &report.pass {
                Some(pass) => format!("{} proposed; facts of sessions were saved: {pass}", pluralize(open, "step")),
                None => format!("{} proposed, nothing was done: {looked}", pluralize(open, "step")),
            }
        }
    });
    lines.join("\n")
}

fn format_step(step: &ConsolidationStep) -> String {
    let into = step.into.as_ref().map(|id| format!(" into {id}")).unwrap_or_default();
    let sessions = match step.act {
        ConsolidationAct::Promote => format!(" (recalled in {} sessions)", step.sessions),
        ConsolidationAct::Merge | ConsolidationAct::Prune | ConsolidationAct::Extract | ConsolidationAct::Digest => {
            String::new()
        }
    };
    let wording = step.wording.as_ref().map(|text| format!("\n  as: {text}")).unwrap_or_default();
    // Words that a sentence only repeats need not be shown twice.
    let quote = step.quote.as_ref().filter(|quote| !step.gist.contains(quote.as_str()));
    let quote = quote.map(|quote| format!("\n  from: “{quote}”")).unwrap_or_default();
    format!("{} {}{into}{sessions}: {}{wording}{quote}", step.act, step.id, step.gist)
}

pub(crate) fn format_undone(report: &UndoReport) -> String {
    let mut out = format!("undone: {}, {} back, {} gone", report.pass, report.restored, report.removed);
    for id in &report.left {
        let _ = write!(out, "\n{id}: you edited it since, so it stays");
    }
    out
}

pub(crate) fn format_gaps(report: &GapsReport) -> String {
    if report.gaps.is_empty() {
        return "Something is known of every domain of life.".to_owned();
    }
    let gap = |gap: &DomainGap| format!("{} (known: {}): {}", gap.domain.as_str(), gap.known, gap.question);
    report.gaps.iter().map(gap).collect::<Vec<_>>().join("\n")
}

pub(crate) fn format_resealed(report: &ResealReport) -> String {
    match (report.sealed, report.merged) {
        (true, 0) => format!("resealed: {}", report.path),
        (true, merged) => format!("resealed: {}, with {merged} that continued it", report.path),
        (false, _) => format!("{} is no file of memory", report.path),
    }
}

fn date_of(created: &str) -> &str {
    created.get(..10).unwrap_or(created)
}
