//! Temporal queries: which statements belong to a time, and which to show if a question has no other topic.
//!
//! Invariant: **a statement's place decides its time.** The heading above it, its note's name or its note's date give
//! its days (`memora_claim::time::period`), computed here when its row is read, from places that the door may see. A
//! date in its words counts, too, but less: the year of a cited article is not a date of the owner's life.

mod day_rounds;
mod salience;

use std::collections::{BTreeSet, HashMap};

use day_rounds::{TimeCandidate, select_in_rounds};
use memora_claim::time::{Period, is_week_number};
use memora_claim::{Claim, ClaimId, Modality, StatementId};
use memora_redact::{ClearClaim, Viewer, WireClaim};
use memora_retrieve::{EvidenceStrength, PreparedSearch, Query, SearchFilter, find_named_periods};
use memora_store::{ReadError, StoredSource, StoredStatement};
use memora_vault::NotePath;
use salience::{TELLING_SALIENCE_MIN, has_first_person, is_dating_property, statement_salience};

use crate::read::authorize::ClaimAuthorizer;
use crate::read::lifecycle::Lifecycle;
use crate::read::search::cache::{FilteredNotes, SearchCache};
use crate::read::search::scoring::QueryTimes;
use crate::read::search::{ClaimSearch, FoundClaim, Ranks, SearchError, SearchOptions};
use crate::report::ClaimDays;
use crate::state::session::Session;
use crate::state::sources::{candidate_periods, own_sources, written_day};

pub(crate) use salience::is_mostly_links;

/// The number of statements loaded at once.
const STATEMENTS_PER_CHUNK: usize = 512;

/// The statements that match the time of a question, with their days and places.
#[derive(Clone, Debug, Default)]
pub(crate) struct TemporalMatches {
    pub(crate) by_statement: HashMap<StatementId, TemporalMatch>,
}

/// The maximum number of statements re-read per wanted hit.
const REREADS_PER_HIT: usize = 12;

/// A statement's days, and its places within the time; no places if only its words match.
#[derive(Clone, Debug)]
pub(crate) struct TemporalMatch {
    pub(crate) days: Period,
    places: BTreeSet<(NotePath, usize)>,
}

impl TemporalMatches {
    /// Reduces a statement to its places within the time; leaves it unchanged if only its words match.
    pub(crate) fn narrow_statement(&self, statement: StoredStatement) -> StoredStatement {
        let Some(stands) = self.by_statement.get(&statement.id).filter(|stands| !stands.places.is_empty()) else {
            return statement;
        };
        let there = |source: &StoredSource| stands.places.contains(&(source.row.note.clone(), source.row.start));
        statement.clone().retain_sources(there).unwrap_or(statement)
    }
}

impl TemporalMatches {
    /// Returns the days of a claim.
    pub(crate) fn claim_period(&self, claim: ClaimId) -> Option<Period> {
        self.by_statement.get(&claim.statement()).map(|stands| stands.days)
    }

    /// Returns the days of each of an answer's claims.
    pub(crate) fn days_of_claims(&self, claims: &[WireClaim]) -> Vec<Option<ClaimDays>> {
        let days = |claim: &WireClaim| self.claim_period(ClaimId::parse(claim.id()).ok()?).map(ClaimDays::from_period);
        claims.iter().map(days).collect()
    }

    /// Sorts claims chronologically, within a day by place; undated claims come last.
    pub(crate) fn sort_by_day(&self, claims: &mut [ClearClaim<'_>]) {
        claims.sort_by_key(|claim| {
            let (days, place) = (self.claim_period(claim.claim().id), claim.place());
            (days.is_none(), days, place.note().path().clone(), place.span().start())
        });
    }
}

/// How well a statement matches a time, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TemporalFit {
    /// Its place is within the time.
    Placed,
    /// Its words name a day or a month within the time.
    Named,
    /// Its words name a year of the time, or say since when it holds.
    Loose,
    /// It was written earlier, and may still hold.
    Possible,
    /// It is of another time.
    Unrelated,
}

/// The time constraint of a query.
pub(crate) struct TimeConstraint {
    ranges: Vec<Period>,
    within: Option<Period>,
    /// Whether the question is about the owner's activities, which end with their day.
    of_owner: bool,
}

impl TimeConstraint {
    /// Builds the constraint of a question and its options; `None` if any time will do.
    pub(crate) fn from_query(query: &Query, options: &SearchOptions) -> Option<Self> {
        let ranges: Vec<Period> =
            query.dates().iter().filter_map(|range| Period::from_dates(range.from, range.until)).collect();
        let within = options.asked_period();
        (!ranges.is_empty() || within.is_some()).then(|| Self { ranges, within, of_owner: query.is_about_owner() })
    }

    fn contains_period(&self, period: Period) -> bool {
        self.within.is_none_or(|within| period.is_mostly_in(within))
            && (self.ranges.is_empty() || self.ranges.iter().any(|range| period.is_mostly_in(*range)))
    }

    fn is_single_day(&self) -> bool {
        matches!(self.ranges.as_slice(), [range] if range.is_day()) || self.within.is_some_and(Period::is_day)
    }

    /// Retains the results that match the time, reduced to their matching places.
    ///
    /// A result of another time has its claim here if it may still hold. Such results are kept for questions about
    /// states, and, unless the claim itself says since when it holds, only if nothing else answers.
    pub(crate) fn retain_matching<T>(
        &self,
        search: &ClaimSearch<'_>,
        found: &mut Vec<T>,
        parts: impl Fn(&mut T) -> (&mut StoredStatement, Option<&Claim>, EvidenceStrength),
    ) -> Result<TemporalMatches, ReadError> {
        let mut hows = Vec::with_capacity(found.len());
        let mut of_time = TemporalMatches::default();
        for one in found.iter_mut() {
            let (statement, claim, strength) = parts(one);
            let how = match (self.match_statement(search, statement)?, claim) {
                (Some((how, stands)), _) => {
                    of_time.by_statement.insert(statement.id, stands);
                    *statement = of_time.narrow_statement(statement.clone());
                    how
                }
                (None, Some(claim)) if claim.holds.is_unspecified() => TemporalFit::Possible,
                (None, Some(_)) if self.of_owner && !has_first_person(&statement.wording.words) => {
                    TemporalFit::Possible
                }
                (None, Some(_)) => TemporalFit::Loose,
                (None, None) => TemporalFit::Unrelated,
            };
            hows.push((how, strength));
        }
        let answers = |most: TemporalFit| {
            hows.iter().any(|(how, strength)| *how <= most && *strength != EvidenceStrength::Nearest)
        };
        let most = match (self.within.is_some() && self.ranges.is_empty(), self.of_owner) {
            (true, _) => TemporalFit::Named,
            (false, true) if answers(TemporalFit::Named) => TemporalFit::Named,
            (false, true) => TemporalFit::Loose,
            (false, false) if answers(TemporalFit::Loose) => TemporalFit::Loose,
            (false, false) => TemporalFit::Possible,
        };
        let mut hows = hows.into_iter();
        found.retain(|_| hows.next().is_some_and(|(how, _)| how <= most));
        // A bare name has no information beyond a sentence: it comes last.
        let mut telling = Vec::with_capacity(found.len());
        let mut bare = Vec::new();
        for mut one in found.drain(..) {
            let (statement, ..) = parts(&mut one);
            let tells = statement
                .sources
                .first()
                .is_some_and(|source| statement_salience(statement, source) >= TELLING_SALIENCE_MIN);
            if tells { telling.push(one) } else { bare.push(one) }
        }
        found.extend(telling.into_iter().chain(bare));
        Ok(of_time)
    }

    /// Matches a statement against the time, and returns its days.
    fn match_statement(
        &self,
        search: &ClaimSearch<'_>,
        statement: &StoredStatement,
    ) -> Result<Option<(TemporalFit, TemporalMatch)>, ReadError> {
        let mut places = BTreeSet::new();
        let mut first: Option<Period> = None;
        for source in &statement.sources {
            let period = search.period_at(source)?;
            let Some(period) = period.filter(|period| self.contains_period(*period)) else { continue };
            places.insert((source.row.note.clone(), source.row.start));
            first = Some(first.map_or(period, |first| first.min(period)));
        }
        if let Some(days) = first {
            return Ok(Some((TemporalFit::Placed, TemporalMatch { days, places })));
        }
        let written = own_sources(statement).filter_map(written_day).min();
        let named = find_named_periods(&statement.wording.words, written)
            .into_iter()
            .filter(|named| self.contains_period(*named))
            .min();
        Ok(named.map(|days| {
            let how = if days.day_count() <= 31 { TemporalFit::Named } else { TemporalFit::Loose };
            (how, TemporalMatch { days, places })
        }))
    }
}

impl ClaimSearch<'_> {
    /// Returns the days of a place.
    pub(crate) fn period_at(&self, source: &StoredSource) -> Result<Option<Period>, ReadError> {
        let (as_month, as_week) = candidate_periods(source);
        if as_month == as_week {
            return Ok(as_month);
        }
        let cache: &SearchCache = self.session.caches.of();
        let weekly = match cache.weekly_folders.get() {
            Some(weekly) => weekly,
            None => {
                let weekly = find_weekly_folders(self.session)?;
                cache.weekly_folders.get_or_init(|| weekly)
            }
        };
        Ok(if weekly.contains(parent_folder(&source.row.note)) { as_week } else { as_month })
    }
}

fn parent_folder(path: &NotePath) -> &str {
    path.as_str().rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the folders with a note that is named by a week's number, as far as the door may see notes.
fn find_weekly_folders(session: &Session<'_>) -> Result<BTreeSet<String>, ReadError> {
    let mut folders = BTreeSet::new();
    session.snapshot.for_each_note(|note| {
        let known = folders.contains(parent_folder(&note.path));
        if !known
            && is_week_number(note.path.stem())
            && session.door.may_show(note.band)
            && session.may_use_index(&note.path)?
        {
            folders.insert(parent_folder(&note.path).to_owned());
        }
        Ok::<_, ReadError>(())
    })?;
    Ok(folders)
}

impl<'s> ClaimSearch<'s> {
    /// Searches by time alone, for a question without another topic: the most salient statements, spread over the days,
    /// best first.
    pub(crate) fn search_by_time(
        &self,
        query: &Query,
        asked: &TimeConstraint,
        allowed: Option<&FilteredNotes>,
        times: &QueryTimes,
        options: &SearchOptions,
    ) -> Result<(Vec<FoundClaim<'s>>, TemporalMatches), SearchError> {
        let mut of_time = TemporalMatches::default();
        let mut hits = Vec::new();
        // First the statements placed within the time, then those that only mention it.
        for placed in [true, false] {
            if hits.len() >= options.limit {
                break;
            }
            let filter = SearchFilter {
                dates: (!query.dates().is_empty()).then(|| query.dates().to_vec()),
                within: options.asked_period(),
                notes: None,
                placed,
            };
            let indexes = self.session.memora.indexes.visible_to(self.session.door, options.authors);
            let ids: BTreeSet<StatementId> = PreparedSearch::run(&indexes, query, &filter)?
                .passing_statements()
                .unwrap_or_default()
                .into_iter()
                .collect();
            let ids: Vec<StatementId> = ids.into_iter().filter(|id| !of_time.by_statement.contains_key(id)).collect();
            let noted = self.collect_time_candidates(&ids, asked, allowed, options, &mut of_time)?;
            // Statements that only mention the year are a last resort.
            let has_named = noted.iter().any(|(how, _)| *how < TemporalFit::Loose) || !hits.is_empty();
            let most = if has_named { TemporalFit::Named } else { TemporalFit::Loose };
            let noted = noted.into_iter().filter(|(how, _)| *how <= most).map(|(_, noted)| noted).collect();
            self.fill_hits(
                &mut hits,
                select_in_rounds(noted, options.limit, asked.is_single_day()),
                &of_time,
                times,
                options.limit,
            )?;
        }
        Ok((hits, of_time))
    }

    /// Collects the candidates within the time among some statements, as far as this door may see them.
    fn collect_time_candidates(
        &self,
        ids: &[StatementId],
        asked: &TimeConstraint,
        allowed: Option<&FilteredNotes>,
        options: &SearchOptions,
        of_time: &mut TemporalMatches,
    ) -> Result<Vec<(TemporalFit, TimeCandidate)>, SearchError> {
        let sees = |source: &StoredSource| {
            self.session.door.may_show(source.row.band)
                && options.authors.include(source.note.captured)
                && allowed.is_none_or(|notes| notes.contains(&source.row.note))
        };
        let mut found = Vec::new();
        for chunk in ids.chunks(STATEMENTS_PER_CHUNK) {
            for statement in self.session.snapshot.statements(chunk)? {
                let Some(statement) = statement.retain_sources(sees) else { continue };
                let Some((how, stands)) = asked.match_statement(self, &statement)? else { continue };
                if how > TemporalFit::Placed && is_dating_property(&statement) {
                    continue;
                }
                if surest_reading(&statement).is_none() {
                    continue;
                }
                let days = stands.days;
                of_time.by_statement.insert(statement.id, stands);
                let statement = of_time.narrow_statement(statement);
                let Some(source) = statement.sources.first() else { continue };
                let at = (source.row.note.clone(), source.row.start);
                found.push((
                    how,
                    TimeCandidate { statement: statement.id, days, worth: statement_salience(&statement, source), at },
                ));
            }
        }
        Ok(found)
    }

    /// Re-reads and authorizes the chosen statements up to the limit; those that are mostly links come last.
    fn fill_hits(
        &self,
        hits: &mut Vec<FoundClaim<'s>>,
        chosen: day_rounds::DayRounds,
        of_time: &TemporalMatches,
        times: &QueryTimes,
        limit: usize,
    ) -> Result<(), SearchError> {
        let mut chosen = chosen;
        let mut links = Vec::new();
        // Each attempt may read a note; later candidates are not worth it.
        for _ in 0..limit.saturating_mul(REREADS_PER_HIT) {
            let Some(noted) = chosen.next_candidate().filter(|_| hits.len() < limit) else { break };
            let Some(hit) = self.reread_candidate(&noted, of_time, times)? else { continue };
            if is_mostly_links(hit.claim.place().quote()) {
                links.push(hit);
                continue;
            }
            chosen.mark_shown(&noted);
            hits.push(hit);
        }
        let room = limit.saturating_sub(hits.len());
        hits.extend(links.into_iter().take(room));
        Ok(())
    }

    fn reread_candidate(
        &self,
        noted: &TimeCandidate,
        of_time: &TemporalMatches,
        times: &QueryTimes,
    ) -> Result<Option<FoundClaim<'s>>, SearchError> {
        let Some(statement) = self.session.snapshot.statement(noted.statement)? else { return Ok(None) };
        let shown = statement.retain_sources(|source| self.session.door.may_show(source.row.band));
        let Some(statement) = shown.map(|statement| of_time.narrow_statement(statement)) else { return Ok(None) };
        let (Some(claim), Some(source)) = (surest_reading(&statement), statement.sources.first()) else {
            return Ok(None);
        };
        let state = Lifecycle::new(self.session).ranking_claim_state(claim, &statement, source)?;
        if !times.may_hold(claim, &state) {
            return Ok(None);
        }
        let claim =
            ClaimAuthorizer::new(self.session, Lifecycle::new(self.session)).authorize_claim(claim, &statement)?;
        Ok(claim.map(|claim| FoundClaim {
            claim,
            rank: 0.0,
            score: noted.worth.clamp(0.0, salience::SALIENCE_MAX) / salience::SALIENCE_MAX,
            strength: EvidenceStrength::Likely,
            off_topic: false,
            why: vec![format!("of {}", ClaimDays::from_period(noted.days))],
            ranks: Ranks::default(),
        }))
    }
}

/// Returns the most confident reading of a statement that asserts something.
fn surest_reading(statement: &StoredStatement) -> Option<&Claim> {
    let said = |claim: &&Claim| claim.modality != Modality::Questioned && !claim.is_withdrawn();
    let claims = statement.wording.claims.iter().filter(said);
    claims.max_by(|a, b| a.confidence.total_cmp(&b.confidence).then(b.id.cmp(&a.id)))
}
