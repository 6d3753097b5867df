//! The results of the `memory_*` tools, and of `memora_read` where it reads memories.

use std::fmt;

use memora_engine::Door;
use memora_engine::report::{
    Band, ForgetReport, ForgetStatus, Freshness, MemoryContext, MemoryHit, MemoryItem, MemoryList, MemoryRead,
    MemoryResults, Origin, Refusal, RelatedMemory, SaveReport, SearchOutcome, WireClaim, WriteReport,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::note_text::{note_path, note_text};
use super::passage::write_freshness;
use super::{AgentClaim, write_next};

/// A report, and whether it rests on the vault as it is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Dated<R> {
    /// The report.
    #[serde(flatten)]
    pub report: R,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// What saving did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "SaveResult")]
#[serde(bound = "D: Door")]
pub struct SaveResult<D> {
    /// Of a memory `saved`, `held`, `conflict`, `known`, `duplicate`, `refused` or `unknown`; of what is written into a file, or changed,
    /// `written`, `refused`, `unknown`, `not_found`, `not_current` or `not_owned`.
    pub status: &'static str,
    /// Its id; `null` where nothing was written.
    pub id: Option<String>,
    /// Its file, relative to the vault.
    pub path: Option<String>,
    /// How guarded it is, of a new memory.
    pub band: Option<Band>,
    /// Whose word it counts as, of a new memory.
    pub origin: Option<Origin>,
    /// The ids of memories that it supersedes.
    pub superseded: Vec<String>,
    /// Claims of the user's notes that say it already, or that cannot hold beside it.
    pub notes: Vec<WireClaim<D>>,
    /// The ids of memories that cannot hold beside it, and stand.
    pub conflicts: Vec<String>,
    /// The nearest other memories: whether it says the same, or replaces one, is its writer's to judge.
    pub related: Vec<RelatedMemory>,
    /// The nearest claims of the user's notes, likewise.
    pub related_notes: Vec<WireClaim<D>>,
    /// Why it was refused.
    pub reason: Option<Refusal>,
    /// How many more memories this session may save.
    pub saves_left: Option<usize>,
    /// Whether its writer can read back what was written; true where nothing was.
    pub readable_back: bool,
    /// The bytes that were written of a text that was too long.
    pub truncated: Option<usize>,
    /// Whether it went into a next file: the first is full, or a person's.
    pub continued: bool,
    /// What to do next.
    pub next: String,
}

impl<D: Door> From<SaveReport<D>> for SaveResult<D> {
    fn from(report: SaveReport<D>) -> Self {
        Self {
            status: report.status.as_str(),
            id: report.id,
            path: report.path,
            band: report.band,
            origin: report.origin,
            superseded: report.superseded,
            notes: report.notes,
            conflicts: report.conflicts,
            related: report.related,
            related_notes: report.related_notes,
            reason: report.reason,
            saves_left: report.saves_left,
            readable_back: report.readable_back,
            truncated: None,
            continued: false,
            next: report.next.to_owned(),
        }
    }
}

impl<D: Door> From<WriteReport<D>> for SaveResult<D> {
    fn from(report: WriteReport<D>) -> Self {
        Self {
            status: report.status.as_str(),
            id: report.id,
            path: report.path,
            band: None,
            origin: None,
            superseded: report.superseded,
            notes: Vec::new(),
            conflicts: Vec::new(),
            related: Vec::new(),
            related_notes: Vec::new(),
            reason: report.reason,
            saves_left: None,
            readable_back: true,
            truncated: report.truncated,
            continued: report.continued,
            next: report.next,
        }
    }
}

/// What became of it, and what it may be about the same as.
impl<D> fmt::Display for Dated<SaveResult<D>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = &self.report;
        f.write_str(report.status)?;
        report.id.iter().try_for_each(|id| write!(f, " {id}"))?;
        report.path.iter().try_for_each(|path| write!(f, " ({})", note_path(path, 300)))?;
        report.reason.iter().try_for_each(|reason| write!(f, ": {}", reason.as_str()))?;
        report.truncated.iter().try_for_each(|bytes| write!(f, "; cut after {bytes} bytes"))?;
        if !report.readable_back {
            f.write_str("; you cannot read it back, as it is guarded")?;
        }
        if !report.next.is_empty() {
            write!(f, "\n{}", report.next)?;
        }
        for (said, ids) in [("replaced", &report.superseded), ("cannot hold beside", &report.conflicts)] {
            if !ids.is_empty() {
                write!(f, "\n{said}: {}", ids.join(", "))?;
            }
        }
        AgentClaim::iter_brief(&report.notes).try_for_each(|claim| write!(f, "\nthe notes: {claim}"))?;
        for near in &report.related {
            write!(f, "\nrelated: {} {}", near.id, note_text(&near.gist, 200))?;
        }
        AgentClaim::iter_brief(&report.related_notes).try_for_each(|claim| write!(f, "\nrelated: {claim}"))?;
        if let Some(left) = report.saves_left.filter(|left| *left <= 3) {
            write!(f, "\n{left} more may be saved in this session")?;
        }
        write_freshness(f, self.freshness)
    }
}

/// Where it lies now.
impl<D> fmt::Display for Dated<ForgetReport<D>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = &self.report;
        f.write_str(report.status.as_str())?;
        report.path.iter().try_for_each(|path| write!(f, " ({})", note_path(path, 300)))?;
        if report.status == ForgetStatus::NotOwned {
            f.write_str(
                ": it is from another machine, or the user edited it, so it is theirs: ask them to delete its file",
            )?;
        }
        if report.also_in.is_empty() { Ok(()) } else { write!(f, "\nalso in: {}", report.also_in.join(", ")) }
    }
}

/// The block itself.
impl<D> fmt::Display for Dated<MemoryContext<D>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.report.text.is_empty() { "nothing is remembered" } else { &self.report.text })
    }
}

/// What is found, a memory a line.
pub(crate) fn write_memory_results<D>(report: &MemoryResults<D>) -> String {
    let mut lines: Vec<String> = match report.status {
        SearchOutcome::Found => report.hits.iter().map(write_hit).collect(),
        SearchOutcome::NothingFound => vec!["nothing is remembered of that".to_owned()],
        SearchOutcome::NotIndexedYet => vec!["not indexed yet: ask again in a moment".to_owned()],
    };
    for server in &report.bridged {
        lines.push(format!("{}: {}", server.name, server.state));
        lines.extend(
            server.hits.iter().map(|hit| format!("  {} ({}; not verified)", note_text(&hit.text, 400), hit.status)),
        );
    }
    lines.join("\n")
}

fn write_hit<D>(hit: &MemoryHit<D>) -> String {
    let weak = if hit.weak { "; only resembles" } else { "" };
    let differs = hit.differs_from.iter().map(|id| format!("; {id} says otherwise")).collect::<String>();
    let entity = hit.entity.iter().map(|entity| format!("; {}", note_text(entity, 60))).collect::<String>();
    let said = write_status(&hit.status.to_string());
    let (day, by) = (hit.created.get(..10).unwrap_or(&hit.created), note_text(&hit.by, 60));
    format!("{} {} ({}{entity}; {by} {day}{said}{weak}{differs})", hit.id, note_text(&hit.gist, 400), hit.kind.as_str())
}

/// A status that says something.
fn write_status(status: &str) -> String {
    if status == "current" { String::new() } else { format!("; {status}") }
}

/// Memories in full, or a file of memory.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "MemoryPage")]
#[serde(bound = "D: Door")]
pub struct MemoryPage<D: Door> {
    /// What was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<MemoryRead<D>>,
    /// What there is, the newest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<MemoryList<D>>,
    /// Pass it on as `from` for more of a list; `null` where there is no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

impl<D: Door> fmt::Display for MemoryPage<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(read) = &self.read {
            let items = read.items.iter().map(write_item);
            let passages = (read.passages.iter())
                .map(|passage| format!("{} {}\n{}", passage.id, note_text(&passage.title, 200), passage.text));
            let text = read.text.iter().filter(|text| !text.trim().is_empty()).cloned();
            let missing = read.missing.iter().map(|id| format!("{id}: there is none"));
            let parts: Vec<String> = items.chain(passages).chain(text).chain(missing).collect();
            f.write_str(if parts.is_empty() { "there is nothing".to_owned() } else { parts.join("\n\n") }.as_str())?;
            write_next(f, read.next_offset)?;
        }
        if let Some(list) = &self.list {
            if list.items.is_empty() {
                f.write_str("nothing is remembered")?;
            }
            for (number, item) in list.items.iter().enumerate() {
                let said = write_status(&item.status.to_string());
                let feed = if number > 0 { "\n" } else { "" };
                write!(f, "{feed}{} {} ({}{said})", item.id, note_text(&item.gist, 200), item.kind.as_str())?;
            }
            write_next(f, self.next)?;
            if list.held > 0 {
                write!(f, "\n{} wait for the user to keep them", list.held)?;
            }
        }
        write_freshness(f, self.freshness)
    }
}

fn write_item<D>(item: &MemoryItem<D>) -> String {
    let entity = item.entity.iter().map(|entity| format!("; {}", note_text(entity, 60))).collect::<String>();
    let said = write_status(&item.status.to_string());
    let newer = item.superseded_by.iter().map(|id| format!(" by {id}")).collect::<String>();
    let theirs = if item.owned { "" } else { "; the user edited it" };
    let (day, by) = (item.created.get(..10).unwrap_or(&item.created), note_text(&item.by, 60));
    format!("{} ({}{entity}; {by} {day}{said}{newer}{theirs})\n{}", item.id, item.kind.as_str(), item.text)
}
