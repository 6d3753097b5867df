//! Consolidating: entries that are recalled again and again become items, repetitions and what has faded go to the archive.
//!
//! Invariants: **nothing is done that was not proposed; what is merged says all that its repetition said; a pass can be undone.** Only
//! the user does what is proposed, at the local door. What a language model proposes is in `session_facts.rs` and
//! `worded_merges.rs`: it passes the same gates, and the checks of any draft.

use std::collections::{BTreeSet, HashMap};
use std::marker::PhantomData;

use memora_memory::{Archived, Log, LogEntry, MemoryId, Scope, clean_line, is_faded};
use memora_vault::{NotePath, fold_name};
use serde_json::json;

use super::SaveRequest;
use super::duplicates::{AbsorbableText, ComparedWords, find_absorbed};
use super::read::ProjectLog;
use super::save::{AdmittedItem, ItemSource, Judged, PromotedEntry};
use crate::remember::audit::AuditLine;
use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::owners::MemoryUpkeep;
use crate::remember::plan::{ConsolidationPlan, PlannedDigest, WordedMerge};
use crate::remember::session::random_id;
use crate::report::{
    ConsolidationAct, ConsolidationModelReport, ConsolidationReport, ConsolidationStatus, ConsolidationStep,
    ForgetStatus, MemoryCount, MemoryStatus, ScopeShare, UndoReport,
};
use crate::state::memory_replies::MemoryReplies;

/// The number of sessions in which an entry of a log was recalled, from which it is proposed as an item.
const SESSIONS_MIN: u32 = 4;
/// A pass archives one in so many items of a scope at most.
const SHARE_DIVISOR: usize = 4;

impl MemoryUpkeep<'_> {
    /// Proposes what may be consolidated of what is shared and of the project. If it is to be `forced`, more than a quarter of a
    /// scope is digested at once.
    pub fn plan_consolidation(&self, forced: bool) -> Result<ConsolidationPlan, MemoryError> {
        let mut plan = ConsolidationPlan { promote: self.find_promotions()?, ..ConsolidationPlan::default() };
        for scope in self.own_scopes() {
            self.plan_scope(&scope, forced, &mut plan)?;
        }
        Ok(plan)
    }

    /// Adds to a plan what follows from a language model's replies about what is this door's: facts from notes of sessions, and
    /// wordings of merges. Each is judged anew, and what does not hold is counted.
    pub fn plan_replies(&self, plan: &mut ConsolidationPlan) -> Result<(), MemoryError> {
        let replies = MemoryReplies::load(&self.session.memora.state);
        self.facts().plan_facts(&replies, plan)?;
        self.facts().plan_wordings(&replies, plan)
    }

    fn plan_scope(&self, scope: &Scope, forced: bool, plan: &mut ConsolidationPlan) -> Result<(), MemoryError> {
        let mut staying = Vec::new();
        let (mut items, mut archived) = (0, 0);
        for found in self.folder.list(&scope.folder()).iter().filter_map(|path| self.read_item(path)) {
            items += 1;
            let (_, recency) = self.reader().measure_use(&found.item)?;
            let is_pinned = self.confirmation(&found.item).is_some();
            match self.reader().status_of(&found)? {
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
        self.plan_digests(scope, items, archived, forced, plan)
    }

    /// An item's words. Only items of one kind, band, domain and entity are one.
    fn absorbable(&self, found: &FoundItem) -> AbsorbableText {
        let item = &found.item;
        let domain = item.domain.map_or("", memora_memory::Domain::as_str);
        let entity = fold_name(item.entity.as_deref().unwrap_or_default());
        AbsorbableText {
            group: format!("{} {} {domain} {entity}", item.kind.as_str(), found.band.as_str()),
            // With its citations: what rests on something else is not the same.
            words: ComparedWords::new(&self.words_with_citations(found)),
            // The user's own word gives way to no agent's.
            rank: self.protected_origin(found) as u8,
        }
    }

    /// Entries of the project's logs that were recalled in enough sessions, are no items yet, and pass the gates.
    fn find_promotions(&self) -> Result<Vec<(ConsolidationStep, AdmittedItem)>, MemoryError> {
        let mut found = Vec::new();
        for ProjectLog { path, band, .. } in self.reader().project_logs() {
            let document = NotePath::new(path.as_str()).ok().and_then(|path| self.document_with_citations(&path));
            let Some(log) = document.and_then(Log::from_document) else { continue };
            for entry in log.entries() {
                let (sessions, _) = self.reader().recalls_of(entry.id.as_str())?;
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
                if let Judged::Admitted(admitted) = self.gate().judge(&saving, &ItemSource::Log(&promoted))? {
                    let step = admitted.step_of(ConsolidationAct::Promote, &entry.id, &path, band);
                    found.push((ConsolidationStep { sessions, ..step }, *admitted));
                }
            }
        }
        Ok(found)
    }

    /// Whether there is an item, forgotten or not, of a place.
    fn is_taken_from(&self, place: &str) -> Result<bool, MemoryError> {
        let mut paths = self.files_with("from", &format!("[[{place}]]"))?;
        paths.extend(self.of.written());
        Ok(paths.iter().filter_map(|path| self.read_item(path)).any(|found| found.item.from.as_deref() == Some(place)))
    }

    /// Reports a plan.
    #[must_use]
    pub(crate) fn report_plan(&self, plan: &ConsolidationPlan) -> ConsolidationReport {
        let promote = plan.promote.iter().chain(&plan.facts).map(|(step, _)| step.clone());
        let archive = |act, found: &FoundItem, stays: Option<&FoundItem>| {
            let worded = plan.wordings.iter().find(|worded| stays.is_some_and(|stays| stays.item.id == worded.stays));
            ConsolidationStep {
                into: stays.map(|stays| stays.item.id.to_string()),
                wording: worded.map(|worded| worded.admitted.item.text.clone()),
                ..ConsolidationStep::new(act, &found.item.id, found.path.as_str(), found.item.gist(), found.band)
            }
        };
        let merge = plan.merge.iter().map(|(gone, stays)| archive(ConsolidationAct::Merge, gone, Some(stays)));
        let prune = plan.prune.iter().map(|found| archive(ConsolidationAct::Prune, found, None));
        let digests = plan.digests.iter().map(PlannedDigest::report);
        let steps: Vec<ConsolidationStep> = promote.chain(merge).chain(prune).chain(digests).collect();
        let status = if steps.is_empty() { ConsolidationStatus::NothingToDo } else { ConsolidationStatus::Proposed };
        let count = |(name, count): (&&str, &usize)| MemoryCount { name: (*name).to_owned(), count: *count };
        let dropped = plan.dropped.iter().map(count).collect();
        ConsolidationReport {
            status,
            pass: None,
            steps,
            items: plan.items,
            compared: plan.compared,
            waiting: plan.waiting,
            too_much: plan.too_much.clone(),
            model: plan.model.clone().map(|model| ConsolidationModelReport { dropped, ..model }),
            door: PhantomData,
        }
    }

    /// Does what a plan proposes, under one record with which it can be undone. A plan that archives too much of a scope is
    /// refused as a whole unless it is `forced`.
    ///
    /// # Errors
    /// [`MemoryError`]; what was done until then stands in the record.
    pub(crate) fn apply_consolidation(
        &self,
        plan: ConsolidationPlan,
        forced: bool,
    ) -> Result<ConsolidationReport, MemoryError> {
        let mut report = self.report_plan(&plan);
        if report.steps.is_empty() {
            return Ok(report);
        }
        if !plan.too_much.is_empty() && !forced {
            return Ok(ConsolidationReport { status: ConsolidationStatus::Refused, ..report });
        }
        let pass = random_id()?.as_str().replacen("mem-", "pass-", 1);
        self.record_pass(&pass, &plan)?;
        // The steps of a report are in this order.
        let mut steps = report.steps.iter_mut();
        for ((_, admitted), step) in plan.promote.into_iter().chain(plan.facts).zip(&mut steps) {
            if self.gate().create_item(&admitted)? {
                (step.done, step.into) = (true, self.gate().report_saved(admitted)?.id);
            }
        }
        // Behind it: a session whose facts were not all saved is not done with.
        if !plan.read.is_empty() {
            self.record_line(&[("act", json!("read")), ("id", json!(pass)), ("read", json!(plan.read))])?;
        }
        let mut worded: HashMap<MemoryId, (MemoryId, String)> = HashMap::new();
        for WordedMerge { stays, admitted } in plan.wordings {
            if self.gate().create_item(&admitted)? {
                worded.insert(stays, (admitted.item.id.clone(), admitted.stem().to_owned()));
            }
        }
        let merged = plan.merge.iter().map(|(gone, stays)| {
            let stays = (stays.item.id.clone(), stays.path.stem().to_owned());
            let (id, stem) = worded.get(&stays.0).unwrap_or(&stays);
            (gone, format!("merged into [[{stem}]]"), Some(id.to_string()))
        });
        let pruned = plan.prune.iter().map(|found| (found, "not recalled for long".to_owned(), None));
        for ((found, reason, into), step) in merged.chain(pruned).zip(&mut steps) {
            let reason = Some(clean_line(&reason));
            let archived = Archived { at: self.writer.at, by: self.by(), reason };
            if self.move_item(&found.item.id, Some(archived))?.status == ForgetStatus::Forgotten {
                (step.done, step.into) = (true, into);
            }
        }
        for (digest, step) in plan.digests.iter().zip(&mut steps) {
            if self.apply_digest(digest)? {
                (step.done, step.into) = (true, Some(digest.id.to_string()));
            }
        }
        Ok(ConsolidationReport { status: ConsolidationStatus::Applied, pass: Some(pass), ..report })
    }

    /// Records what a pass is about to make and to archive, so that one that was killed can be undone.
    fn record_pass(&self, pass: &str, plan: &ConsolidationPlan) -> Result<(), MemoryError> {
        let made = plan.promote.iter().chain(&plan.facts).map(|(_, admitted)| admitted);
        let made = made.chain(plan.wordings.iter().map(|worded| &worded.admitted));
        let made = made.map(|admitted| &admitted.item.id).chain(plan.digests.iter().map(|digest| &digest.id));
        let archived = plan.merge.iter().map(|(gone, _)| gone).chain(&plan.prune).map(|found| &found.item.id);
        let archived = archived.chain(plan.digests.iter().flat_map(PlannedDigest::archived));
        let [made, archived]: [Vec<&str>; 2] =
            [made.map(MemoryId::as_str).collect(), archived.map(MemoryId::as_str).collect()];
        let lists = [("made", json!(made)), ("archived", json!(archived))];
        self.record_line(&[[("act", json!("consolidate")), ("id", json!(pass))], lists].concat())
    }

    /// Saves the facts of a plan, under a record with which that can be undone, and reports the other steps as proposed.
    pub(crate) fn save_facts(&self, mut plan: ConsolidationPlan) -> Result<ConsolidationReport, MemoryError> {
        let facts = plan.split_facts();
        let saved = self.apply_consolidation(facts, false)?;
        let mut report = self.report_plan(&plan);
        if saved.status == ConsolidationStatus::Applied {
            let status = if report.steps.is_empty() { ConsolidationStatus::Applied } else { report.status };
            report.steps.splice(0..0, saved.steps);
            report = ConsolidationReport { status, pass: saved.pass, ..report };
        }
        Ok(report)
    }

    /// Undoes a pass, the last that was not undone if none is named: what it archived comes back, what it made goes. `None`
    /// if there is no such pass.
    pub(crate) fn undo_consolidation(&self, pass: Option<&str>) -> Result<Option<UndoReport>, MemoryError> {
        let lines = self.read_audit()?;
        let undone: BTreeSet<&str> =
            lines.iter().filter(|line| line.act == "undo").map(|line| line.id.as_str()).collect();
        let is_wanted = |line: &&AuditLine| {
            let is_named = pass.is_none_or(|pass| pass == line.id);
            line.act == "consolidate" && is_named && !line.id.is_empty() && !undone.contains(line.id.as_str())
        };
        let Some(record) = lines.iter().rfind(is_wanted) else { return Ok(None) };
        let ids = |list: &[String]| list.iter().filter_map(|id| MemoryId::parse(id)).collect::<Vec<_>>();
        let of_undone = lines.iter().filter(|line| undone.contains(line.id.as_str()));
        let undone: BTreeSet<&str> = of_undone.flat_map(|line| line.made.iter().map(String::as_str)).collect();
        let mut report = UndoReport { pass: record.id.clone(), restored: 0, removed: 0, left: Vec::new() };
        for id in ids(&record.archived) {
            match self.move_item(&id, None)?.status {
                ForgetStatus::Restored => report.restored += 1,
                ForgetStatus::NotOwned => report.left.push(id.to_string()),
                ForgetStatus::Forgotten | ForgetStatus::Unknown => {}
            }
        }
        for id in ids(&record.made) {
            match self.remove_item(&id)? {
                Some(true) => report.removed += 1,
                Some(false) => report.left.push(id.to_string()),
                None => self.undo_digest(&id, &undone, &mut report)?,
            }
        }
        self.record_act("undo", &record.id)?;
        Ok(Some(report))
    }
}

/// The words of an entry as an item's: its lines without their bullets, or its title if it has none.
fn words_of(entry: &LogEntry) -> String {
    let lines = entry.text.lines().map(|line| line.trim().trim_start_matches(['-', '*']).trim());
    let words = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    if words.is_empty() { entry.title.clone() } else { words }
}
