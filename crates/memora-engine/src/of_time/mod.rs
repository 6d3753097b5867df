//! Questions of a time: which statements are of it, and, where nothing but the time is asked about, which are shown.
//!
//! The one rule to know: **of a time is what stands there.** The heading above a statement, its note's name or its note's date
//! say which days it is of (`memora_claim::time::period`), worked out here, when its row is read, from the places that the
//! door may see. A date among its words counts too, and less: the year of a cited article is no time of the owner's.

mod order;
mod worth;

use std::collections::{BTreeSet, HashMap};

use memora_claim::time::{Period, Surrounding, is_week_number, period};
use memora_claim::{Claim, ClaimId, Modality, StatementId};
use memora_redact::{ClearClaim, Door, WireClaim};
use memora_retrieve::{Filter, Looked, Query, Strength, named_periods};
use memora_store::{ReadError, StoredSource, StoredStatement};
use memora_vault::{NotePath, PartialDate};

use crate::find::{FoundClaim, Ranks, SearchError, SearchOptions};
use crate::session::{Session, own_sources};
use crate::weigh::Times;
use crate::wire::Days;
use order::{Noted, in_rounds};
pub(crate) use worth::is_mostly_links;
use worth::{TELLING, is_of_owner, tells_of_its_note, worth};

/// Statements loaded at once.
const CHUNK: usize = 512;

/// What is of a time that is asked about: on which days, and where it says so.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfTime {
    pub(crate) by_statement: HashMap<StatementId, Stands>,
}

/// How many statements are re-read at most for each that is wanted.
const LOOKS: usize = 12;

/// The days that a statement is of, and its places that are of that time; none where its words alone say so.
#[derive(Clone, Debug)]
pub(crate) struct Stands {
    pub(crate) days: Period,
    places: BTreeSet<(NotePath, usize)>,
}

impl OfTime {
    /// The statement at those of its places that are of the time; as it is where its words say so.
    pub(crate) fn narrowed(&self, statement: StoredStatement) -> StoredStatement {
        let Some(stands) = self.by_statement.get(&statement.id).filter(|stands| !stands.places.is_empty()) else {
            return statement;
        };
        let there = |source: &StoredSource| stands.places.contains(&(source.row.note.clone(), source.row.start));
        statement.clone().seen_through(there).unwrap_or(statement)
    }
}

impl OfTime {
    /// The days that a claim is of.
    pub(crate) fn days(&self, claim: ClaimId) -> Option<Period> {
        self.by_statement.get(&claim.statement()).map(|stands| stands.days)
    }

    /// The same for an answer's claims, one for each.
    pub(crate) fn days_of<D>(&self, claims: &[WireClaim<D>]) -> Vec<Option<Days>> {
        let days = |claim: &WireClaim<D>| self.days(ClaimId::parse(claim.id()).ok()?).map(Days::of);
        claims.iter().map(days).collect()
    }

    /// Puts claims in the order of time, those of a day as they stand there; last what is of no day.
    pub(crate) fn in_order<D: Door>(&self, claims: &mut [ClearClaim<'_, D>]) {
        claims.sort_by_key(|claim| {
            let (days, place) = (self.days(claim.claim().id), claim.place());
            (days.is_none(), days, place.note().path().clone(), place.span().start())
        });
    }
}

/// How far a statement is of a time, the surest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    /// It stands there.
    Placed,
    /// Its words name a day or a month of it.
    Named,
    /// Its words name a year of it, or tell since when it holds.
    Loosely,
    /// It was written before, and may hold still.
    Perhaps,
    /// It is of another time.
    Never,
}

/// A time that is asked about.
pub(crate) struct AskedTime {
    ranges: Vec<Period>,
    within: Option<Period>,
    /// Whether the owner's own doings are asked for, which are over with their day.
    of_owner: bool,
}

impl AskedTime {
    /// What a question and its options ask about; nothing if any time will do.
    pub(crate) fn of(query: &Query, options: &SearchOptions) -> Option<Self> {
        let ranges: Vec<Period> =
            query.dates().iter().filter_map(|range| Period::of(range.from, range.until)).collect();
        let within = options.within();
        (!ranges.is_empty() || within.is_some()).then(|| Self { ranges, within, of_owner: query.asks_of_owner() })
    }

    fn has(&self, period: Period) -> bool {
        self.within.is_none_or(|within| period.is_mostly_in(within))
            && (self.ranges.is_empty() || self.ranges.iter().any(|range| period.is_mostly_in(*range)))
    }

    fn is_one_day(&self) -> bool {
        matches!(self.ranges.as_slice(), [range] if range.is_day()) || self.within.is_some_and(Period::is_day)
    }

    /// Keeps of what was found that which is of the time, at the places that are of it.
    ///
    /// Each has its claim where it was found although it is of another time, since it may hold still: that is kept for questions
    /// of how things were, and where it does not say itself since when, only if nothing else answers.
    pub(crate) fn keep<D: Door, T>(
        &self,
        session: &Session<'_, D>,
        found: &mut Vec<T>,
        parts: impl Fn(&mut T) -> (&mut StoredStatement, Option<&Claim>, Strength),
    ) -> Result<OfTime, ReadError> {
        let mut hows = Vec::with_capacity(found.len());
        let mut of_time = OfTime::default();
        for one in found.iter_mut() {
            let (statement, claim, strength) = parts(one);
            let how = match (self.stands(session, statement)?, claim) {
                (Some((how, stands)), _) => {
                    of_time.by_statement.insert(statement.id, stands);
                    *statement = of_time.narrowed(statement.clone());
                    how
                }
                (None, Some(claim)) if claim.holds.is_open() => How::Perhaps,
                (None, Some(_)) if self.of_owner && !is_of_owner(&statement.wording.words) => How::Perhaps,
                (None, Some(_)) => How::Loosely,
                (None, None) => How::Never,
            };
            hows.push((how, strength));
        }
        let answers = |most: How| hows.iter().any(|(how, strength)| *how <= most && *strength != Strength::None);
        let most = match (self.within.is_some() && self.ranges.is_empty(), self.of_owner) {
            (true, _) => How::Named,
            (false, true) if answers(How::Named) => How::Named,
            (false, true) => How::Loosely,
            (false, false) if answers(How::Loosely) => How::Loosely,
            (false, false) => How::Perhaps,
        };
        let mut hows = hows.into_iter();
        found.retain(|_| hows.next().is_some_and(|(how, _)| how <= most));
        // A bare name tells nothing that a sentence does not tell: it comes last.
        let mut telling = Vec::with_capacity(found.len());
        let mut bare = Vec::new();
        for mut one in found.drain(..) {
            let (statement, ..) = parts(&mut one);
            let tells = statement.sources.first().is_some_and(|source| worth(statement, source) >= TELLING);
            if tells { telling.push(one) } else { bare.push(one) }
        }
        found.extend(telling.into_iter().chain(bare));
        Ok(of_time)
    }

    /// How far a statement is of the time, and on which days.
    fn stands<D: Door>(
        &self,
        session: &Session<'_, D>,
        statement: &StoredStatement,
    ) -> Result<Option<(How, Stands)>, ReadError> {
        let mut places = BTreeSet::new();
        let mut first: Option<Period> = None;
        for source in &statement.sources {
            let period = session.period_at(source)?;
            let Some(period) = period.filter(|period| self.has(*period)) else { continue };
            places.insert((source.row.note.clone(), source.row.start));
            first = Some(first.map_or(period, |first| first.min(period)));
        }
        if let Some(days) = first {
            return Ok(Some((How::Placed, Stands { days, places })));
        }
        let written = own_sources(statement).filter_map(written_on).min();
        let named = named_periods(&statement.wording.words, written).into_iter().filter(|named| self.has(*named)).min();
        Ok(named.map(|days| {
            let how = if days.count() <= 31 { How::Named } else { How::Loosely };
            (how, Stands { days, places })
        }))
    }
}

impl<D: Door> Session<'_, D> {
    /// The days that a place is of.
    pub(crate) fn period_at(&self, source: &StoredSource) -> Result<Option<Period>, ReadError> {
        let (as_month, as_week) = periods_of(source);
        if as_month == as_week {
            return Ok(as_month);
        }
        let weekly = match self.weekly.get() {
            Some(weekly) => weekly,
            None => {
                let weekly = weekly(self)?;
                self.weekly.get_or_init(|| weekly)
            }
        };
        Ok(if weekly.contains(folder(&source.row.note)) { as_week } else { as_month })
    }
}

/// The days that a place is of: as its note alone says, and as it would be among notes that are numbered by weeks.
pub(crate) fn periods_of(source: &StoredSource) -> (Option<Period>, Option<Period>) {
    let of = |weekly: bool| {
        period(&Surrounding {
            path: source.row.note.as_str(),
            outline: &source.note.outline,
            headings: &source.row.headings,
            date: source.note.date,
            weekly,
        })
    };
    let as_month = of(false);
    // Only a name like `2024-06` can be read in two ways.
    let may_be_week = source.row.note.stem().bytes().take_while(u8::is_ascii_digit).count() == 4;
    (as_month, if may_be_week { of(true) } else { as_month })
}

/// The day on which a place was written, as far as known: "yesterday" counts from it.
pub(crate) fn written_on(source: &StoredSource) -> Option<PartialDate> {
    periods_of(source).0.filter(|period| period.is_day()).map(Period::from).or(source.note.date)
}

fn folder(path: &NotePath) -> &str {
    path.as_str().rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folders with a note that is named by a week's number, as far as the door may see notes.
fn weekly<D: Door>(session: &Session<'_, D>) -> Result<BTreeSet<String>, ReadError> {
    let mut folders = BTreeSet::new();
    session.snapshot.for_each_note(|note| {
        let known = folders.contains(folder(&note.path));
        if !known
            && is_week_number(note.path.stem())
            && session.door.shows(note.band)
            && session.may_count(&note.path)?
        {
            folders.insert(folder(&note.path).to_owned());
        }
        Ok::<_, ReadError>(())
    })?;
    Ok(folders)
}

impl<D: Door> Session<'_, D> {
    /// What was at a time, for a question that names nothing else: what is most worth reminding of, spread over the days; best
    /// first.
    pub(crate) fn at_time(
        &self,
        query: &Query,
        asked: &AskedTime,
        allowed: Option<&BTreeSet<NotePath>>,
        times: &Times,
        options: &SearchOptions,
    ) -> Result<(Vec<FoundClaim<'_, D>>, OfTime), SearchError> {
        let mut of_time = OfTime::default();
        let mut hits = Vec::new();
        // What stands there; what only names the time fills up.
        for placed in [true, false] {
            if hits.len() >= options.limit {
                break;
            }
            let filter = Filter {
                dates: (!query.dates().is_empty()).then(|| query.dates().to_vec()),
                within: options.within(),
                notes: None,
                placed,
            };
            let indexes = self.memora.indexes.shown_to(&self.door);
            let ids: BTreeSet<StatementId> =
                Looked::up(&indexes, query, &filter)?.passing().unwrap_or_default().into_iter().collect();
            let ids: Vec<StatementId> = ids.into_iter().filter(|id| !of_time.by_statement.contains_key(id)).collect();
            let noted = self.noted(&ids, asked, allowed, options, &mut of_time)?;
            // What only names the time is a year's as a last resort.
            let has_named = noted.iter().any(|(how, _)| *how < How::Loosely) || !hits.is_empty();
            let most = if has_named { How::Named } else { How::Loosely };
            let noted = noted.into_iter().filter(|(how, _)| *how <= most).map(|(_, noted)| noted).collect();
            self.fill(&mut hits, in_rounds(noted, options.limit, asked.is_one_day()), &of_time, times, options.limit)?;
        }
        Ok((hits, of_time))
    }

    /// What is of the time among some statements, as far as this door may see it.
    fn noted(
        &self,
        ids: &[StatementId],
        asked: &AskedTime,
        allowed: Option<&BTreeSet<NotePath>>,
        options: &SearchOptions,
        of_time: &mut OfTime,
    ) -> Result<Vec<(How, Noted)>, SearchError> {
        let sees = |source: &StoredSource| {
            self.door.shows(source.row.band)
                && (options.captured || !source.note.captured)
                && allowed.is_none_or(|notes| notes.contains(&source.row.note))
        };
        let mut found = Vec::new();
        for chunk in ids.chunks(CHUNK) {
            for statement in self.snapshot.statements(chunk)? {
                let Some(statement) = statement.seen_through(sees) else { continue };
                let Some((how, stands)) = asked.stands(self, &statement)? else { continue };
                if how > How::Placed && tells_of_its_note(&statement) {
                    continue;
                }
                if best_reading(&statement).is_none() {
                    continue;
                }
                let days = stands.days;
                of_time.by_statement.insert(statement.id, stands);
                let statement = of_time.narrowed(statement);
                let Some(source) = statement.sources.first() else { continue };
                let at = (source.row.note.clone(), source.row.start);
                found.push((how, Noted { statement: statement.id, days, worth: worth(&statement, source), at }));
            }
        }
        Ok(found)
    }

    /// Re-reads what was chosen and sorts it for the door, as much as is wanted; what is mostly links comes last.
    fn fill<'s>(
        &'s self,
        hits: &mut Vec<FoundClaim<'s, D>>,
        chosen: order::Rounds,
        of_time: &OfTime,
        times: &Times,
        limit: usize,
    ) -> Result<(), SearchError> {
        let mut chosen = chosen;
        let mut links = Vec::new();
        // Each look may read a note; behind so many there is nothing worth it.
        for _ in 0..limit.saturating_mul(LOOKS) {
            let Some(noted) = chosen.next().filter(|_| hits.len() < limit) else { break };
            let Some(hit) = self.reread(&noted, of_time, times)? else { continue };
            if is_mostly_links(hit.claim.place().quote()) {
                links.push(hit);
                continue;
            }
            chosen.took(&noted);
            hits.push(hit);
        }
        let room = limit.saturating_sub(hits.len());
        hits.extend(links.into_iter().take(room));
        Ok(())
    }

    fn reread(&self, noted: &Noted, of_time: &OfTime, times: &Times) -> Result<Option<FoundClaim<'_, D>>, SearchError> {
        let Some(statement) = self.snapshot.statement(noted.statement)? else { return Ok(None) };
        let shown = statement.seen_through(|source| self.door.shows(source.row.band));
        let Some(statement) = shown.map(|statement| of_time.narrowed(statement)) else { return Ok(None) };
        let (Some(claim), Some(source)) = (best_reading(&statement), statement.sources.first()) else {
            return Ok(None);
        };
        let standing = self.standing_by_relation(claim, &statement, source)?;
        if !times.may_hold(claim, &standing) {
            return Ok(None);
        }
        let claim = self.clear(claim, &statement)?;
        Ok(claim.map(|claim| FoundClaim {
            claim,
            rank: 0.0,
            score: noted.worth.clamp(0.0, worth::MOST) / worth::MOST,
            strength: Strength::Strong,
            beside_the_point: false,
            why: vec![format!("of {}", Days::of(noted.days))],
            ranks: Ranks::default(),
        }))
    }
}

/// The surest reading of a statement that says something.
fn best_reading(statement: &StoredStatement) -> Option<&Claim> {
    let said = |claim: &&Claim| claim.modality != Modality::Questioned && !claim.is_taken_back();
    let claims = statement.wording.claims.iter().filter(said);
    claims.max_by(|a, b| a.confidence.total_cmp(&b.confidence).then(b.id.cmp(&a.id)))
}
