//! Searching memories: by the engine's own search over machine-written notes, and by words in what is not indexed yet.

use std::marker::PhantomData;
use std::rc::Rc;

use jiff::civil::Date;
use memora_memory::{Kind, Log, LogEntry, MemoryId, frequency, gist, recency, salience};
use memora_store::{Authors, NoteFilter};
use memora_vault::{NotePath, fold_name};
use memora_verify::plain_text;

use super::differing::put_behind_newer;
use super::unindexed::words_of_query;
use crate::read::search::{ClaimSearch, SearchOptions};
use crate::remember::error::MemoryError;
use crate::remember::items::{FoundItem, UnindexedItem};
use crate::remember::owners::MemoryFinder;
use crate::report::{Freshness, HitReasons, MemoryHit, MemoryResults, MemoryStatus, SearchOutcome};

/// The most hits.
const HITS_MAX: usize = 50;
/// The length of a gist, in characters.
const GIST_CHARS_MAX: usize = 160;

/// The share of a query's content words from which what is not indexed yet is evidence for it.
const EVIDENCE_SHARE_MIN: f64 = 0.5;

/// What is searched for.
#[derive(Clone, Default)]
pub struct MemoryQuery {
    /// The words.
    pub query: String,
    /// Whether they are a statement, whose like is looked for, and not a question: its days leave nothing out.
    pub is_statement: bool,
    /// How many hits at most; 5 if it is 0.
    pub limit: usize,
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Only what concerns this person or thing.
    pub entity: Option<String>,
    /// In all projects and agents, rather than the writer's.
    pub everywhere: bool,
    /// In the archive, and nowhere else.
    pub archived: bool,
    /// What ended too.
    pub superseded: bool,
}

/// How far a memory's words answer a query.
#[derive(Clone, Copy)]
struct Relevance {
    score: f64,
    /// Whether they only resemble it.
    weak: bool,
}

impl Relevance {
    /// What a hit is ordered by, and what that is made of.
    fn weigh(self, recency: f64, recalls: u32, trust: f64) -> (f64, HitReasons) {
        let (relevance, recency, frequency) = (round(self.score), round(recency), round(frequency(recalls)));
        (round(salience(relevance, recency, frequency, trust)), HitReasons { relevance, recency, frequency, trust })
    }
}

impl MemoryFinder<'_> {
    /// Searches memories; the best come first. Those that are evidence for the query count as recalled: what only resembles
    /// it is shown, but nothing says that it was of use.
    pub(crate) fn search(&self, asked: &MemoryQuery, freshness: Freshness) -> Result<MemoryResults, MemoryError> {
        let hits = self.find_hits(asked)?;
        let bridged = self.bridges().ask_bridges(asked, limit_of(asked), &hits, freshness);
        self.reader().record_recalls(hits.iter().filter(|hit| !hit.weak).map(|hit| hit.id.as_str()))?;
        let status = match (hits.is_empty(), freshness.fresh) {
            (false, _) => SearchOutcome::Found,
            (true, true) => SearchOutcome::NothingFound,
            (true, false) => SearchOutcome::NotIndexedYet,
        };
        Ok(MemoryResults { status, hits, bridged, freshness, door: PhantomData })
    }

    /// Finds the hits of a query, best first. Nothing is counted as recalled.
    pub(crate) fn find_hits(&self, asked: &MemoryQuery) -> Result<Vec<MemoryHit>, MemoryError> {
        let limit = limit_of(asked);
        let folders = if asked.archived {
            vec![format!("{}/archive", self.folder.name())]
        } else if asked.everywhere {
            let scopes = ["shared", "agents", "projects"];
            scopes.iter().map(|scope| format!("{}/{scope}", self.folder.name())).collect()
        } else {
            self.scope_folders(&self.own_scopes())
        };
        let mut hits: Vec<MemoryHit> = Vec::new();
        let unindexed = self.claims().find_unindexed(&folders)?;
        let words = words_of_query(&asked.query);
        let mut matching: Vec<(f64, &Rc<UnindexedItem>)> =
            unindexed.values().flatten().map(|item| (item.share_of(&words), item)).collect();
        matching.retain(|(share, _)| *share > 0.0);
        matching
            .sort_by(|(one, of), (other, with)| other.total_cmp(one).then_with(|| of.found.path.cmp(&with.found.path)));
        // Whether an item holds is worked out for those alone that may be among the best.
        matching.truncate(candidates_of(limit));
        for (share, item) in matching {
            let relevance = Relevance { score: share, weak: share < EVIDENCE_SHARE_MIN };
            self.push_item(item.found.clone(), relevance, asked, &mut hits)?;
        }
        let filter = NoteFilter { folders, ..NoteFilter::default() };
        let options = SearchOptions {
            limit: candidates_of(limit),
            filter,
            authors: Authors::Machines,
            // What a memory is good for is seldom asked for in its words.
            keep_semantic_only: true,
            hits_only: true,
            is_statement: asked.is_statement,
            ..SearchOptions::default()
        };
        let found = ClaimSearch::new(self.session).find_claims(&asked.query, &options)?;
        for hit in found.hits.iter().filter(|hit| hit.claim.is_captured()) {
            let path = hit.claim.place().note().path();
            if unindexed.contains_key(path) {
                continue;
            }
            let relevance = Relevance { score: f64::from(hit.score), weak: !hit.is_evidence() };
            match self.read_item(path) {
                Some(found) => self.push_item(found, relevance, asked, &mut hits)?,
                None => self.push_passage(path, hit.claim.place().quote(), relevance, asked, &mut hits)?,
            }
        }
        hits.sort_by(|one, other| other.salience.total_cmp(&one.salience));
        hits.truncate(limit);
        self.put_newer_first(hits)
    }

    /// Puts hits that say otherwise than a newer one behind that, and marks them.
    fn put_newer_first(&self, mut hits: Vec<MemoryHit>) -> Result<Vec<MemoryHit>, MemoryError> {
        let items: Vec<FoundItem> = hits.iter().filter_map(|hit| self.reader().read_current(hit)).collect();
        let newer = self.find_newer(items.iter())?;
        let id_of = |hit: &MemoryHit| MemoryId::parse(&hit.id);
        for hit in &mut hits {
            hit.differs_from = id_of(hit).and_then(|id| newer.get(&id)).map(ToString::to_string);
        }
        Ok(put_behind_newer(hits, &newer, id_of))
    }

    fn push_item(
        &self,
        found: FoundItem,
        relevance: Relevance,
        asked: &MemoryQuery,
        hits: &mut Vec<MemoryHit>,
    ) -> Result<(), MemoryError> {
        let item = &found.item;
        let same = |one: &str, other: &str| fold_name(one) == fold_name(other);
        let about = |name: &String| item.entity.as_deref().is_some_and(|entity| same(entity, name));
        let unwanted = asked.kind.is_some_and(|kind| kind != item.kind) || !asked.entity.as_ref().is_none_or(about);
        // One item, one hit: its best sentence.
        if unwanted || hits.iter().any(|hit| hit.id == item.id.as_str()) {
            return Ok(());
        }
        let status = self.reader().status_of(&found)?;
        if status == MemoryStatus::Superseded && !asked.superseded {
            return Ok(());
        }
        let (recalls, recency) = self.reader().measure_use(item)?;
        let (salience, why) = relevance.weigh(recency, recalls, self.origin_of(&found).trust(true));
        hits.push(MemoryHit {
            id: item.id.to_string(),
            path: found.path.as_str().to_owned(),
            gist: gist(&item.text, GIST_CHARS_MAX),
            kind: item.kind,
            entity: item.entity.clone(),
            origin: self.origin_of(&found),
            by: item.by.clone(),
            created: item.created.to_string(),
            band: found.band,
            status,
            differs_from: None,
            weak: relevance.weak,
            salience,
            why,
            door: PhantomData,
        });
        Ok(())
    }

    /// A passage of a log or a note. Of a log the entry is what is named.
    fn push_passage(
        &self,
        path: &NotePath,
        words: &str,
        relevance: Relevance,
        asked: &MemoryQuery,
        hits: &mut Vec<MemoryHit>,
    ) -> Result<(), MemoryError> {
        let Some((document, band, sealed)) = self.read_document(path) else { return Ok(()) };
        let mut by = document.text("by").unwrap_or_default();
        let created = document.text("created").unwrap_or_default();
        let is_log = document.memora().as_deref() == Some("log");
        let kind = if is_log { Kind::Event } else { Kind::Knowledge };
        if asked.kind.is_some_and(|asked| asked != kind) || asked.entity.is_some() {
            return Ok(());
        }
        let id = if is_log {
            let entries = Log::from_document(document).map(|log| log.entries()).unwrap_or_default();
            let holds = |entry: &LogEntry| entry.text.contains(words.trim()) || entry.title.contains(words.trim());
            let entry = entries.into_iter().find(holds);
            by = entry.as_ref().map(|entry| entry.by().to_owned()).unwrap_or_default();
            entry.map(|entry| entry.id.to_string())
        } else {
            document.text("id")
        };
        let id = id.unwrap_or_else(|| path.as_str().to_owned());
        if hits.iter().any(|hit| hit.id == id) {
            return Ok(());
        }
        let (recalls, _) = self.reader().recalls_of(&id)?;
        let origin = memora_memory::Origin::AgentAnalysis;
        let day: Option<Date> = created.get(..10).and_then(|day| day.parse().ok());
        let days = day.map_or(0.0, |day| f64::from((self.writer.at.date() - day).get_days()));
        let (salience, why) = relevance.weigh(recency(days, kind.half_life()), recalls, origin.trust(sealed));
        hits.push(MemoryHit {
            id,
            path: path.as_str().to_owned(),
            // A line of a digest ends with a link, of which a reader wants the day alone.
            gist: gist(&plain_text(words), GIST_CHARS_MAX),
            kind,
            entity: None,
            origin,
            by,
            created,
            band,
            status: if self.is_archived(path) { MemoryStatus::Archived } else { MemoryStatus::Current },
            differs_from: None,
            weak: relevance.weak,
            salience,
            why,
            door: PhantomData,
        });
        Ok(())
    }
}

/// How many hits there are at most.
fn limit_of(asked: &MemoryQuery) -> usize {
    if asked.limit == 0 { 5 } else { asked.limit.min(HITS_MAX) }
}

/// The number of claims that are looked at for so many hits.
fn candidates_of(limit: usize) -> usize {
    limit.saturating_mul(4).max(20)
}

fn round(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
