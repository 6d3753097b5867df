//! Memories that become one, in a sentence that a language model words.
//!
//! Invariant: **a wording counts only if the memories prove it and it loses nothing**: no number, name, negation, limit or word with
//! content of any of them, and none of these but words is new. Otherwise they are merged as without a model.

use memora_claim::ClaimId;
use memora_memory::{MemoryId, Origin};
use memora_redact::{Prompt, UserQuestion};
use memora_vault::NotePath;
use memora_verify::{CitationMarker, DraftSentence, SentenceVerdict};

use super::SaveRequest;
use super::duplicates::ComparedWords;
use super::save::{AdmittedItem, PromotedEntry};
use super::session_facts::confidence_of;
use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::owners::SessionFacts;
use crate::remember::plan::{ConsolidationPlan, Untaken, WordedMerge};
use crate::report::DroppedFor;
use crate::state::memory_replies::{MemoryReplies, ReplySubject};

/// What a model is asked about memories that are to become one.
const QUESTION: &str = "What do these notes say, all together, in one sentence? Keep each name, number, date, \"not\" and limit, and \
    every word with a meaning. Add nothing. Cite all of the notes.";

/// Memories that are to become one.
pub(crate) struct MergeGroup {
    /// The one that stays, if no sentence replaces them.
    stays: MemoryId,
    /// All of them, that one first.
    paths: Vec<NotePath>,
    /// Their words together.
    words: String,
}

impl SessionFacts<'_> {
    /// The groups of memories that a plan merges.
    pub(crate) fn merge_groups(&self, plan: &ConsolidationPlan) -> Vec<MergeGroup> {
        let mut groups: Vec<MergeGroup> = Vec::new();
        for (gone, stays) in &plan.merge {
            let at = match groups.iter().position(|group| group.stays == stays.item.id) {
                Some(at) => at,
                // The user's own words are worded by no model.
                None if self.protected_origin(stays) > Origin::AgentAnalysis => continue,
                None => {
                    groups.push(MergeGroup {
                        stays: stays.item.id.clone(),
                        paths: vec![stays.path.clone()],
                        words: stays.item.text.clone(),
                    });
                    groups.len() - 1
                }
            };
            if let Some(group) = groups.get_mut(at) {
                group.paths.push(gone.path.clone());
                group.words.push('\n');
                group.words.push_str(&gone.item.text);
            }
        }
        groups
    }

    /// What a reply about a group is stored under; `None` without one.
    pub(crate) fn subject_of_merge(&self, group: &MergeGroup) -> Option<ReplySubject> {
        let words = self.folder.key().sign_words("merge", &group.stays, &group.words);
        Some(ReplySubject { path: group.paths.first()?.as_str().to_owned(), words })
    }

    /// The prompt about a group as it is now; `None` if one of its memories is not this door's.
    pub(crate) fn ask_about_merge(&self, group: &MergeGroup) -> Result<Option<Prompt>, MemoryError> {
        let mut offered = Vec::new();
        for path in &group.paths {
            let of_one = if self.is_strictest_door_of(path) { self.offer_statements(path, 1)? } else { Vec::new() };
            if of_one.is_empty() {
                return Ok(None);
            }
            offered.extend(of_one);
        }
        Ok(Some(Prompt::answer(&UserQuestion::new(QUESTION), &offered, &[])))
    }

    /// Adds the wordings of merges to a plan, as far as they hold; counts the others.
    pub(crate) fn plan_wordings(
        &self,
        replies: &MemoryReplies,
        plan: &mut ConsolidationPlan,
    ) -> Result<(), MemoryError> {
        for group in self.merge_groups(plan) {
            let reply = self.subject_of_merge(&group).and_then(|about| replies.find(&about));
            let Some(reply) = reply.filter(|_| group.paths.iter().all(|path| self.is_strictest_door_of(path))) else {
                continue;
            };
            let worded = plan.count_untaken(self.admit_wording(&group, reply))?;
            plan.wordings.extend(worded.map(|admitted| WordedMerge { stays: group.stays, admitted }));
        }
        Ok(())
    }

    /// Takes a wording through the checks and the gates of saving.
    fn admit_wording(&self, group: &MergeGroup, reply: &str) -> Result<AdmittedItem, Untaken> {
        let members: Vec<FoundItem> = group.paths.iter().filter_map(|path| self.read_item(path)).collect();
        let Some(stays) = members.first().filter(|_| members.len() == group.paths.len()) else {
            return Err(DroppedFor::Citation.into());
        };
        let mut of_each: Vec<Vec<ClaimId>> = Vec::new();
        for path in &group.paths {
            of_each.push(self.offer_statements(path, 1)?.iter().map(|claim| claim.claim().id).collect());
        }
        let report = self.check_reply(reply, &of_each.concat())?;
        let mut said = report.sentences().iter().filter(|said| said.verdict() != SentenceVerdict::Exempt);
        let (Some(sentence), None) = (said.next(), said.next()) else {
            return Err(DroppedFor::NotOneSentence.into());
        };
        // Read together, one premise may hide that another disagrees.
        for of_one in &of_each {
            let cited = of_one.first().map(|claim| DraftSentence::cite_words(sentence.text(), *claim, 0));
            let alone = self.check_sentences(cited.unwrap_or_default(), of_one)?;
            if alone.sentences().iter().any(|said| said.verdict() == SentenceVerdict::Contradicted) {
                return Err(DroppedFor::Contradicted.into());
            }
        }
        confidence_of(sentence.verdict())?;
        let cites = |of_one: &Vec<ClaimId>| {
            let is_of_one = |id: &ClaimId| of_one.iter().any(|offered| offered.statement() == id.statement());
            sentence.citations().iter().any(|cited| matches!(cited.marker(), CitationMarker::Id(id) if is_of_one(id)))
        };
        if !of_each.iter().all(cites) {
            return Err(DroppedFor::Uncited.into());
        }
        let words = ComparedWords::new(sentence.text());
        let texts: Vec<ComparedWords> = members.iter().map(|member| ComparedWords::new(&member.item.text)).collect();
        if !words.keeps_all(&texts) {
            return Err(DroppedFor::Lost.into());
        }
        let plain = |text: &str| text.trim().trim_end_matches('.').to_owned();
        if members.iter().any(|member| plain(&member.item.text) == plain(sentence.text())) {
            return Err(DroppedFor::SaysNothingNew.into());
        }
        let item = &stays.item;
        let source = PromotedEntry { place: stays.path.stem().to_owned(), by: item.by.clone(), band: stays.band };
        let saving = SaveRequest {
            content: sentence.text().to_owned(),
            kind: item.kind,
            entity: item.entity.clone(),
            domain: item.domain,
            tags: item.tags.clone(),
            confidence: Some(item.confidence),
            supersedes: Some(item.id.clone()),
            scope: self.scope_of_path(&stays.path),
            ..SaveRequest::default()
        };
        let admitted = self.admit(&saving, &source)?;
        if admitted.superseded.contains(&item.id.to_string()) {
            Ok(admitted)
        } else {
            Err(DroppedFor::NotReplacing.into())
        }
    }
}
