//! What a session begins with: the user's own page, what is known, what is open, what happened last.
//!
//! Invariants: **nothing in it was said by a tool, is held, superseded or in the archive, or reads as an instruction that no
//! person wrote; what is put into it does not count as recalled.**

use std::fs;
use std::marker::PhantomData;

use memora_memory::{
    BlockSection, KeptEnd, Kind, MemoryId, Origin, PrintedSection, Scope, clean_line, gist, lay_out_block,
    reads_as_command, reads_as_instruction, strength,
};
use memora_redact::strip_citation_markers;
use memora_vault::Band;

use super::MemoryQuery;
use super::differing::{Newer, put_behind_newer};
use super::duplicates::ComparedWords;
use super::init::MEMORY_MD;
use super::naming::title_of;
use super::read::{MemorySource, ProjectLog};
use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::owners::ContextBuilder;
use crate::report::{ContextSection, MemoryContext, MemoryStatus, pluralize};

/// The most items that are weighed, the newest.
const WEIGHED_MAX: usize = 500;
/// The most facts and lines of the user's page.
const FACTS_MAX: usize = 200;
const PAGE_LINES_MAX: usize = 500;
/// The length of a quote of the notes beside an item, in characters.
const QUOTE_CHARS_MAX: usize = 200;
/// The most hits for the task, and the most procedures among them.
const TASK_HITS_MAX: usize = 5;
const PROCEDURES_MAX: usize = 3;
/// The days of logs that are shown.
const DAYS_MAX: usize = 3;
/// What is known of an item that no seal of this machine vouches for.
const UNSEALED: &str = "from another machine, or edited by hand";
/// Bytes in a token, about.
const BYTES_PER_TOKEN: usize = 4;
/// The size of a block of which nothing else is said, in bytes.
const BLOCK_BYTES: usize = 32 << 10;

/// What a session is about to do.
#[derive(Clone, Default)]
pub struct ContextRequest {
    /// Its task, in the user's words.
    pub task: Option<String>,
    /// The most bytes of the block; 32 KiB if it is 0.
    pub bytes_max: usize,
}

/// Sections in the order in which they are filled.
#[derive(Default)]
struct Gathered {
    sections: Vec<BlockSection>,
    /// What they were read from.
    shown: Vec<(String, Band)>,
    /// Which items say otherwise than a newer one.
    newer: Newer,
}

impl Gathered {
    fn add(&mut self, title: &str, items: Vec<String>, kept: KeptEnd, share: Option<usize>, place: u8) {
        let items = items.iter().map(|item| strip_citation_markers(item)).collect();
        self.sections.push(BlockSection { title: title.to_owned(), items, kept, share, place });
    }
}

impl ContextBuilder<'_> {
    /// Lays out what a session begins with. Two calls without a change between them give equal bytes.
    pub(crate) fn lay_out_context(&self, asked: &ContextRequest) -> Result<MemoryContext, MemoryError> {
        let mut gathered = Gathered::default();
        let items = self.weigh_items()?;
        gathered.newer = self.finder().find_newer(items.iter().map(|(_, found)| found))?;
        let items = put_behind_newer(items, &gathered.newer, |(_, found)| Some(found.item.id.clone()));
        self.gather_page(&mut gathered)?;
        let of_agents = format!("{}/agents/", self.folder.name());
        let (about, facts): (Vec<_>, Vec<_>) =
            items.into_iter().partition(|(_, found)| found.path.as_str().starts_with(&of_agents));
        let lines = self.list_items(about.iter().map(|(_, found)| found), &mut gathered)?;
        gathered.add("About you, the assistant", lines, KeptEnd::First, Some(1), 2);
        self.gather_tasks(&mut gathered)?;
        let mut days = self.read_days(&mut gathered.shown).into_iter();
        if let Some((day, entries)) = days.next() {
            gathered.add(&self.title_of_day(&day), entries, KeptEnd::Last, Some(4), 7);
        }
        let task = self.gather_for_task(asked.task.as_deref(), &mut gathered)?;
        let others = facts.iter().map(|(_, found)| found).filter(|found| !task.contains(&found.item.id));
        // A procedure is for a task: without one it is only named.
        let (procedures, facts): (Vec<_>, Vec<_>) = others.partition(|found| found.item.kind == Kind::Skill);
        let count = facts.len() + procedures.len();
        let lines = self.group_by_entity(&facts, &mut gathered)?;
        gathered.add("Facts", lines, KeptEnd::First, None, 3);
        for ((day, entries), place) in days.zip(8..) {
            gathered.add(&self.title_of_day(&day), entries, KeptEnd::Last, None, place);
        }
        for (sessions, place) in self.sessions().recall_sessions().zip(11..) {
            gathered.shown.extend(sessions.shown);
            gathered.add(&sessions.title, sessions.lines, KeptEnd::First, None, place);
        }
        gathered.add("Waiting for the user", self.describe_held()?, KeptEnd::First, Some(1), 20);
        let foot = self.describe_rest(count + task.len() + about.len(), &procedures);
        let bytes_max = if asked.bytes_max == 0 { BLOCK_BYTES } else { asked.bytes_max };
        let project = self.writer.project.as_deref();
        let block = lay_out_block(project, &gathered.sections, &foot, bytes_max);
        let section = |PrintedSection { title, bytes, items, omitted }| ContextSection { title, bytes, items, omitted };
        let shown = if block.text.is_empty() { Vec::new() } else { gathered.shown };
        Ok(MemoryContext {
            bytes: block.text.len(),
            tokens: block.text.len().div_ceil(BYTES_PER_TOKEN),
            project: self.writer.project.clone(),
            sections: block.sections.into_iter().map(section).collect(),
            text: block.text,
            shown,
            door: PhantomData,
        })
    }

    /// The newest items that may be put before an agent, strongest first.
    fn weigh_items(&self) -> Result<Vec<(f64, FoundItem)>, MemoryError> {
        let root = self.session.memora.vault.root();
        let folders: Vec<String> = self.own_scopes().iter().map(Scope::folder).collect();
        let paths = folders.iter().flat_map(|folder| {
            ["semantic", "procedural"].iter().flat_map(move |kind| self.folder.list(&format!("{folder}/{kind}")))
        });
        let mut paths: Vec<_> = paths
            .map(|path| {
                let changed = fs::metadata(root.join(path.as_str())).and_then(|found| found.modified()).ok();
                (std::cmp::Reverse(changed), path)
            })
            .collect();
        paths.sort();
        paths.truncate(WEIGHED_MAX);
        self.session.notes.prefetch_notes(paths.iter().map(|(_, path)| path));
        let mut items = Vec::new();
        for (_, path) in &paths {
            let Some(found) = self.read_item(path).filter(|found| self.may_be_injected(found)) else {
                continue;
            };
            if self.reader().status_of(&found)? == MemoryStatus::Current {
                let (recalls, recency) = self.reader().measure_use(&found.item)?;
                items.push((strength(found.item.confidence, recency, recalls), found));
            }
        }
        items.sort_by(|(one, of), (other, with)| {
            let origins = self.origin_of(with).cmp(&self.origin_of(of));
            other.total_cmp(one).then(origins).then_with(|| of.path.cmp(&with.path))
        });
        Ok(items)
    }

    /// Whether an item may be put before an agent unasked: the user's word, also by confirming it, and otherwise what an agent
    /// wrote, if it orders nothing. A tool's words never are.
    fn may_be_injected(&self, found: &FoundItem) -> bool {
        match self.origin_of(found) {
            Origin::UserInstruction => true,
            Origin::AgentAnalysis => !reads_as_instruction(found.item.kind, &found.item.text),
            Origin::ToolOutput => false,
        }
    }

    /// The page that only the user writes, as this door may see it.
    fn gather_page(&self, gathered: &mut Gathered) -> Result<(), MemoryError> {
        let read = self.reader().read_source(MemorySource::MemoryMd, None, 0)?;
        let text = read.text.filter(|text| text.trim() != MEMORY_MD.trim()).unwrap_or_default();
        let lines: Vec<String> = text.lines().take(PAGE_LINES_MAX).map(tidy_line).collect();
        if !text.is_empty() {
            gathered.shown.extend(read.shown);
        }
        gathered.add("MEMORY.md, written by the user", lines, KeptEnd::First, Some(5), 1);
        Ok(())
    }

    fn gather_tasks(&self, gathered: &mut Gathered) -> Result<(), MemoryError> {
        let read = self.reader().read_source(MemorySource::Scratchpad, None, 0)?;
        let text = read.text.unwrap_or_default();
        let (commands, told): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| reads_as_command(line));
        let mut open: Vec<String> = told.into_iter().map(tidy_line).collect();
        // What could direct an agent is not put before it unasked; that it is there is said.
        if !commands.is_empty() {
            open.push(format!("- and {} that would read as an order: memora_read `memory:tasks`", commands.len()));
        }
        if !open.is_empty() {
            gathered.shown.extend(read.shown);
        }
        gathered.add("Open tasks", open, KeptEnd::Last, Some(2), 6);
        Ok(())
    }

    /// The newest days that have entries, each with those that order nothing; the newest day first.
    fn read_days(&self, shown: &mut Vec<(String, Band)>) -> Vec<(String, Vec<String>)> {
        let mut days: Vec<(String, Vec<String>)> = Vec::new();
        for ProjectLog { day, path, log, band } in self.reader().project_logs() {
            let is_begun = days.last().is_some_and(|(begun, _)| *begun == day);
            if !is_begun && days.len() == DAYS_MAX {
                break;
            }
            let entries: Vec<String> = (log.entries().iter())
                .filter(|entry| !reads_as_command(&entry.text) && !reads_as_command(&entry.title))
                .map(|entry| format!("### {}\n{}", tidy_line(&entry.title), tidy_lines(&entry.text)))
                .collect();
            if entries.is_empty() {
                continue;
            }
            shown.push((path, band));
            match days.last_mut().filter(|_| is_begun) {
                Some((_, begun)) => begun.extend(entries),
                None => days.push((day, entries)),
            }
        }
        days
    }

    fn title_of_day(&self, day: &str) -> String {
        let today = if *day == self.writer.at.date().to_string() { " (today)" } else { "" };
        format!("Log of {day}{today}")
    }

    /// What bears on the task. Of the procedures the best is told with its steps, the others by how they begin.
    fn gather_for_task(&self, task: Option<&str>, gathered: &mut Gathered) -> Result<Vec<MemoryId>, MemoryError> {
        let mut shown = Vec::new();
        let mut lines = Vec::new();
        let mut procedures = 0;
        if let Some(task) = task.map(str::trim).filter(|task| !task.is_empty()) {
            let asked = ComparedWords::new(task);
            let query = MemoryQuery { query: task.to_owned(), limit: 4 * TASK_HITS_MAX, ..MemoryQuery::default() };
            for hit in self.finder().find_hits(&query)? {
                let Some(found) = self.reader().read_current(&hit).filter(|found| self.may_be_injected(found)) else {
                    continue;
                };
                if shown.len() == TASK_HITS_MAX {
                    break;
                }
                let is_procedure = found.item.kind == Kind::Skill;
                if is_procedure {
                    if procedures == PROCEDURES_MAX || !ComparedWords::new(&found.item.text).bears_on(&asked) {
                        continue;
                    }
                    procedures += 1;
                }
                let words = match (is_procedure, procedures) {
                    (true, 2..) => found.item.gist(),
                    (true, _) => self.describe_procedure(&found)?,
                    (false, _) => clean_line(&found.item.text),
                };
                lines.push(self.describe_item(&found, &words, gathered)?);
                shown.push(found.item.id);
            }
        }
        gathered.add("For this task", lines, KeptEnd::First, Some(2), 5);
        Ok(shown)
    }

    /// A procedure with its steps, and how often it worked.
    fn describe_procedure(&self, found: &FoundItem) -> Result<String, MemoryError> {
        let steps = tidy_lines(&found.item.text);
        Ok(match self.reader().count_outcomes(found)? {
            (_, 0) => steps,
            (worked, all) => format!("{steps} (worked {worked}/{all})"),
        })
    }

    /// How many items the user has not confirmed, in one line; none where nothing waits.
    fn describe_held(&self) -> Result<Vec<String>, MemoryError> {
        let held = self.reader().count_held(self.reader().find_held()?.iter())?;
        let counted = pluralize(held, "memory item");
        let them = if held == 1 { "it" } else { "them" };
        let line =
            format!("- {counted} held until the user confirms {them}: `memora keep ID`, or `memora review` asks");
        Ok((held > 0).then_some(line).into_iter().collect())
    }

    /// What else there is, and how to find it. Only what this door shows is counted.
    fn describe_rest(&self, items: usize, procedures: &[&FoundItem]) -> Vec<String> {
        let inside = format!("{}/notes", self.project_scope().folder());
        let notes: Vec<String> = self
            .folder
            .list(&inside)
            .iter()
            .filter_map(|path| Some(title_of(path, &self.read_document(path)?.0)))
            .collect();
        let mut lines =
            vec![format!("- {} of this project, this agent and all projects", pluralize(items, "memory item"))];
        if !procedures.is_empty() {
            // A name ends with four letters of the id.
            let titles = procedures.iter().map(|found| title_of(&found.path, &found.item.to_document()));
            let names: Vec<String> =
                titles.map(|title| title.rsplit_once(' ').map_or(title.clone(), |(name, _)| name.to_owned())).collect();
            lines.push(format!("- {}: {}", pluralize(names.len(), "procedure"), gist(&names.join("; "), 160)));
        }
        if !notes.is_empty() {
            lines.push(format!("- {} reference notes: {}", notes.len(), gist(&notes.join(", "), 200)));
        }
        lines.push(
            "- memory_search finds them, memora_read shows one in full; the user's own notes: memora_find".to_owned(),
        );
        lines
    }

    fn list_items<'i>(
        &self,
        items: impl Iterator<Item = &'i FoundItem>,
        gathered: &mut Gathered,
    ) -> Result<Vec<String>, MemoryError> {
        items.map(|found| self.describe_item(found, &clean_line(&found.item.text), gathered)).collect()
    }

    /// An item with its source; a word of the user's that their notes contradict has the notes' words beside it.
    fn describe_item(&self, found: &FoundItem, words: &str, gathered: &mut Gathered) -> Result<String, MemoryError> {
        gathered.shown.push((found.item.id.to_string(), found.band));
        let mut line = format!("- {words} {}", self.describe_source(found));
        if let Some(newer) = gathered.newer.get(&found.item.id) {
            line.push_str(&format!("\n  but the newer {newer} says otherwise: ask the user which holds"));
        }
        let Some(rival) = self.claims().find_rival_claim(found)? else { return Ok(line) };
        let Some(place) = rival.place() else { return Ok(line) };
        gathered.shown.push((rival.id().to_owned(), rival.band()));
        let quote = gist(&clean_line(&place.quote), QUOTE_CHARS_MAX);
        Ok(format!("{line}\n  but the user's note {} says: “{quote}”", clean_line(&place.path)))
    }

    /// Facts below the person or thing that they concern: the strongest first, and its others with it.
    fn group_by_entity(&self, facts: &[&FoundItem], gathered: &mut Gathered) -> Result<Vec<String>, MemoryError> {
        let facts = facts.get(..FACTS_MAX).unwrap_or(facts);
        let mut order: Vec<Option<&str>> = Vec::new();
        for found in facts {
            if !order.contains(&found.item.entity.as_deref()) {
                order.push(found.item.entity.as_deref());
            }
        }
        let mut lines = Vec::new();
        for entity in order {
            let of = facts.iter().copied().filter(|found| found.item.entity.as_deref() == entity);
            let mut listed = self.list_items(of, gathered)?;
            if let (Some(name), Some(first)) = (entity, listed.first_mut()) {
                *first = format!("{}:\n{first}", clean_line(name));
            }
            lines.extend(listed);
        }
        Ok(lines)
    }

    /// What is known of where an item comes from: where no seal of this machine holds, not what the file says of itself.
    fn describe_source(&self, found: &FoundItem) -> String {
        let FoundItem { item, sealed, .. } = found;
        let (id, by, day) = (&item.id, clean_line(&item.by), item.created.date());
        match (self.confirmation(item).is_some(), *sealed) {
            (true, true) => format!("[{id} · {}, confirmed by the user · {by} · {day}]", item.origin.as_str()),
            (true, false) => format!("[{id} · {UNSEALED}, confirmed by the user]"),
            (false, true) => format!("[{id} · {} · {by} · {day}]", item.origin.as_str()),
            (false, false) => format!("[{id} · unverified: {UNSEALED}]"),
        }
    }
}

fn tidy_line(line: &str) -> String {
    let indent: String = line.chars().take_while(|c| *c == ' ').collect();
    format!("{indent}{}", clean_line(line))
}

fn tidy_lines(text: &str) -> String {
    text.lines().map(tidy_line).collect::<Vec<_>>().join("\n")
}
