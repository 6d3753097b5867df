//! Consolidating: entries that are recalled again and again become items, repetitions and what has faded go to the archive.
//!
//! Invariants: **nothing is done that was not proposed, and nothing is proposed by a model; what is merged says all that its
//! repetition said; a pass can be undone.** Only the user does what is proposed, at the local door.

use std::collections::{BTreeMap, BTreeSet};

use memora_memory::{Archived, Log, LogEntry, MemoryId, Scope, clean_line, gist, is_faded};
use memora_redact::{Door, LocalDoor, strip_citation_markers};
use memora_store::NoteFilter;
use memora_vault::{Band, NotePath};
use serde_json::{Value, json};

use super::duplicates::{AbsorbableText, ComparedWords, find_absorbed};
use super::read::ProjectLog;
use super::save::{AdmittedItem, ItemSource, Judged, PromotedEntry};
use super::{FoundItem, Memories, MemoryError, SaveRequest, random_id};
use crate::report::{
    ConsolidationAct, ConsolidationReport, ConsolidationStatus, ConsolidationStep, ForgetStatus, MemoryStatus,
    ScopeShare, UndoReport,
};

/// The number of sessions in which an entry of a log was recalled, from which it is proposed as an item.
const SESSIONS_MIN: u32 = 4;
/// A pass archives one in so many items of a scope at most.
const SHARE_DIVISOR: usize = 4;

/// What is proposed, and not done.
pub struct ConsolidationPlan {
    promote: Vec<(ProposedEntry, AdmittedItem)>,
    /// What goes, and what stays.
    merge: Vec<(FoundItem, FoundItem)>,
    prune: Vec<FoundItem>,
    items: usize,
    compared: usize,
    too_much: Vec<ScopeShare>,
}

/// An entry of a log that is proposed as an item.
struct ProposedEntry {
    id: MemoryId,
    path: String,
    band: Band,
    sessions: u32,
}

impl<D: Door> Memories<'_, D> {
    /// Proposes what may be consolidated of what is shared and of the project.
    ///
    /// # Errors
    /// [`MemoryError`].
    pub fn plan_consolidation(&self) -> Result<ConsolidationPlan, MemoryError> {
        let mut plan = ConsolidationPlan {
            promote: self.find_promotions()?,
            merge: Vec::new(),
            prune: Vec::new(),
            items: 0,
            compared: 0,
            too_much: Vec::new(),
        };
        for scope in self.own_scopes() {
            self.plan_scope(&scope, &mut plan)?;
        }
        Ok(plan)
    }

    fn plan_scope(&self, scope: &Scope, plan: &mut ConsolidationPlan) -> Result<(), MemoryError> {
        let mut staying = Vec::new();
        let (mut items, mut archived) = (0, 0);
        for found in self.folder.list(&scope.folder()).iter().filter_map(|path| self.read_item(path)) {
            items += 1;
            let (_, recency) = self.measure_use(&found.item)?;
            let is_pinned = self.confirmation(&found.item).is_some();
            match self.status_of(&found)? {
                // What was replaced is history.
                MemoryStatus::Superseded | MemoryStatus::Archived => {}
                _ if !found.sealed => {}
                _ if is_faded(found.item.confidence, recency) && !is_pinned => {
                    archived += 1;
                    plan.prune.push(found);
                }
                MemoryStatus::Current => staying.push(found),
                MemoryStatus::Held | MemoryStatus::Stale | MemoryStatus::Contradicted => {}
            }
        }
        staying.sort_by(|one, other| (one.item.created, &one.path).cmp(&(other.item.created, &other.path)));
        let texts: Vec<AbsorbableText> = staying.iter().map(|found| self.absorbable(found)).collect();
        let absorbed = find_absorbed(&texts);
        plan.items += items;
        plan.compared += absorbed.compared;
        archived += absorbed.pairs.len();
        for (gone, stays) in absorbed.pairs {
            if let (Some(gone), Some(stays)) = (staying.get(gone), staying.get(stays)) {
                plan.merge.push((gone.clone(), stays.clone()));
            }
        }
        if archived * SHARE_DIVISOR > items {
            plan.too_much.push(ScopeShare { scope: scope.folder(), items, archived });
        }
        Ok(())
    }

    /// An item's words. Only items of one kind, band, domain and entity are one.
    fn absorbable(&self, found: &FoundItem) -> AbsorbableText {
        let item = &found.item;
        let domain = item.domain.map_or("", memora_memory::Domain::as_str);
        let entity = item.entity.as_deref().unwrap_or_default().to_lowercase();
        AbsorbableText {
            group: format!("{} {} {domain} {entity}", item.kind.as_str(), found.band.as_str()),
            // With its citations: what rests on something else is not the same.
            words: ComparedWords::new(&self.words_with_citations(found)),
            // The user's own word gives way to no agent's.
            rank: self.protected_origin(found) as u8,
        }
    }

    /// Entries of the project's logs that were recalled in enough sessions, are no items yet, and pass the gates.
    fn find_promotions(&self) -> Result<Vec<(ProposedEntry, AdmittedItem)>, MemoryError> {
        let mut found = Vec::new();
        for ProjectLog { path, band, .. } in self.project_logs() {
            let document = NotePath::new(path.as_str()).ok().and_then(|path| self.document_with_citations(&path));
            let Some(log) = document.and_then(Log::from_document) else { continue };
            for entry in log.entries() {
                let (sessions, _) = self.recalls_of(entry.id.as_str())?;
                if sessions < SESSIONS_MIN {
                    continue;
                }
                let stem = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".md");
                let place = format!("{stem}#^{}", entry.id);
                if self.is_taken_from(&place)? {
                    continue;
                }
                let promoted = PromotedEntry { place, by: entry.by().to_owned(), band };
                let saving = SaveRequest { content: words_of(&entry), ..SaveRequest::default() };
                if let Judged::Admitted(admitted) = self.judge(&saving, &ItemSource::Log(&promoted))? {
                    let proposed = ProposedEntry { id: entry.id, path: path.clone(), band, sessions };
                    found.push((proposed, *admitted));
                }
            }
        }
        Ok(found)
    }

    /// Whether there is an item, forgotten or not, of a place.
    fn is_taken_from(&self, place: &str) -> Result<bool, MemoryError> {
        let filter = NoteFilter {
            properties: vec![("from".to_owned(), format!("[[{place}]]"))],
            folders: vec![self.folder.name().to_owned()],
            ..NoteFilter::default()
        };
        let mut paths: BTreeSet<NotePath> = self.session.snapshot.notes_matching(&filter)?;
        paths.extend(self.of.written());
        Ok(paths.iter().filter_map(|path| self.read_item(path)).any(|found| found.item.from.as_deref() == Some(place)))
    }

    /// Reports a plan.
    #[must_use]
    pub fn report_plan(&self, plan: &ConsolidationPlan) -> ConsolidationReport<D> {
        let promote = plan.promote.iter().map(|(entry, admitted)| ConsolidationStep {
            act: ConsolidationAct::Promote,
            id: entry.id.to_string(),
            path: entry.path.clone(),
            gist: gist(&strip_citation_markers(&admitted.item.text), GIST_CHARS_MAX),
            band: entry.band,
            into: None,
            sessions: entry.sessions,
            done: false,
        });
        let archive = |act, found: &FoundItem, into: Option<String>| ConsolidationStep {
            act,
            id: found.item.id.to_string(),
            path: found.path.as_str().to_owned(),
            gist: gist(&found.item.text, GIST_CHARS_MAX),
            band: found.band,
            into,
            sessions: 0,
            done: false,
        };
        let into = |stays: &FoundItem| Some(stays.item.id.to_string());
        let merge = plan.merge.iter().map(|(gone, stays)| archive(ConsolidationAct::Merge, gone, into(stays)));
        let prune = plan.prune.iter().map(|found| archive(ConsolidationAct::Prune, found, None));
        let steps: Vec<ConsolidationStep> = promote.chain(merge).chain(prune).collect();
        let status = if steps.is_empty() { ConsolidationStatus::NothingToDo } else { ConsolidationStatus::Proposed };
        ConsolidationReport {
            status,
            pass: None,
            steps,
            items: plan.items,
            compared: plan.compared,
            too_much: plan.too_much.clone(),
            door: std::marker::PhantomData,
        }
    }
}

impl Memories<'_, LocalDoor> {
    /// Does what a plan proposes, under one record with which it can be undone. A plan that archives too much of a scope is
    /// refused as a whole unless it is `forced`.
    ///
    /// # Errors
    /// [`MemoryError`]; what was done until then stands in the record.
    pub fn apply_consolidation(
        &self,
        plan: ConsolidationPlan,
        forced: bool,
    ) -> Result<ConsolidationReport<LocalDoor>, MemoryError> {
        let mut report = self.report_plan(&plan);
        if report.steps.is_empty() {
            return Ok(report);
        }
        if !plan.too_much.is_empty() && !forced {
            return Ok(ConsolidationReport { status: ConsolidationStatus::Refused, ..report });
        }
        let pass = random_id()?.as_str().replacen("mem-", "pass-", 1);
        let made: Vec<String> = plan.promote.iter().map(|(_, admitted)| admitted.item.id.to_string()).collect();
        let archived: Vec<String> = (plan.merge.iter().map(|(gone, _)| gone).chain(&plan.prune))
            .map(|found| found.item.id.to_string())
            .collect();
        // Before anything is done, so that a pass that was killed can be undone.
        let lists = [("made", json!(made)), ("archived", json!(archived))];
        let values: Vec<_> = [("act", json!("consolidate")), ("id", json!(pass))].into_iter().chain(lists).collect();
        self.record_line(&values)?;
        let mut done: BTreeMap<String, Option<String>> = BTreeMap::new();
        for (entry, admitted) in plan.promote {
            if self.create_item(&admitted)? {
                done.insert(entry.id.to_string(), self.report_saved(admitted)?.id);
            }
        }
        let merged = plan.merge.iter().map(|(gone, stays)| (gone, format!("merged into [[{}]]", stays.path.stem())));
        let pruned = plan.prune.iter().map(|found| (found, "not recalled for long".to_owned()));
        for (found, reason) in merged.chain(pruned) {
            let reason = Some(clean_line(&reason));
            let archived = Archived { at: self.writer.at, by: self.by(), reason };
            if self.move_item(&found.item.id, Some(archived))?.status == ForgetStatus::Forgotten {
                done.insert(found.item.id.to_string(), None);
            }
        }
        for step in &mut report.steps {
            if let Some(made) = done.get(&step.id) {
                step.done = true;
                step.into = step.into.take().or_else(|| made.clone());
            }
        }
        Ok(ConsolidationReport { status: ConsolidationStatus::Applied, pass: Some(pass), ..report })
    }

    /// Undoes a pass, the last that was not undone if none is named: what it archived comes back, what it made goes. `None`
    /// if there is no such pass.
    ///
    /// # Errors
    /// [`MemoryError`].
    pub fn undo_consolidation(&self, pass: Option<&str>) -> Result<Option<UndoReport>, MemoryError> {
        let lines = self.read_audit()?;
        let is = |line: &Value, act: &str| line["act"] == act;
        let undone: BTreeSet<&str> =
            lines.iter().filter(|line| is(line, "undo")).filter_map(|line| line["id"].as_str()).collect();
        let wanted = |id: &str| !undone.contains(id) && pass.is_none_or(|pass| pass == id);
        let record = lines.iter().rfind(|line| is(line, "consolidate") && line["id"].as_str().is_some_and(wanted));
        let Some((record, id)) = record.and_then(|record| Some((record, record["id"].as_str()?))) else {
            return Ok(None);
        };
        let ids = |key: &str| -> Vec<MemoryId> {
            let list = record[key].as_array().into_iter().flatten();
            list.filter_map(|id| MemoryId::parse(id.as_str()?)).collect()
        };
        let mut report = UndoReport { pass: id.to_owned(), restored: 0, removed: 0, left: Vec::new() };
        for id in ids("archived") {
            match self.move_item(&id, None)?.status {
                ForgetStatus::Restored => report.restored += 1,
                ForgetStatus::NotOwned => report.left.push(id.to_string()),
                ForgetStatus::Forgotten | ForgetStatus::Unknown => {}
            }
        }
        for id in ids("made") {
            match self.remove_item(&id)? {
                Some(true) => report.removed += 1,
                Some(false) => report.left.push(id.to_string()),
                None => {}
            }
        }
        self.record_act("undo", id)?;
        Ok(Some(report))
    }
}

/// The length of a gist, in characters.
const GIST_CHARS_MAX: usize = 160;

/// The words of an entry as an item's: its lines without their bullets, or its title if it has none.
fn words_of(entry: &LogEntry) -> String {
    let lines = entry.text.lines().map(|line| line.trim().trim_start_matches(['-', '*']).trim());
    let words = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    if words.is_empty() { entry.title.clone() } else { words }
}
