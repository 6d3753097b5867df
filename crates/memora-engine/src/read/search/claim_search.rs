//! The search: candidates are retrieved, ranked, re-read and sorted for the door.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::thread;

use memora_claim::{Claim, ClaimId, StatementId};
use memora_redact::{RedactedClaim, Viewer};
use memora_retrieve::{
    DocField, EvidenceStrength, HitFeatures, LexicalError, LexicalHit, PreparedSearch, Query, QueryIntent, RankedScore,
    SEEDS_MAX, SearchFilter, TantivyIndex, boost_by_note, fuse_rankings, search_all, spread_activation,
};
use memora_store::{Authors, NoteFilter, ReadError, StoredSource, StoredStatement};
use memora_vault::PartialDate;

use crate::read::authorize::ClaimAuthorizer;
use crate::read::entity::EntityResolver;
use crate::read::lifecycle::{Lifecycle, LifecycleState};
use crate::read::search::answer_selection::QuestionForm;
use crate::read::search::cache::{FilteredNotes, FilteredNotesCache};
use crate::read::search::candidates::{
    Candidate, RankedCandidate, RetrievedHits, demote_superseded, inherit_superseded_rank, judge_strength, sort_by_rank,
};
use crate::read::search::looked_for::{match_query_words, matched_terms, partition_query_words};
use crate::read::search::rerank::QueryEncoding;
use crate::read::search::scoring::{QueryTimes, score_hit};
use crate::read::search::time_filter::{TemporalMatches, TimeConstraint};
use crate::read::search::{ClaimSearch, FoundClaim, Ranks, SearchError, SearchOptions, lowercase_words};
use crate::read::timing::SearchTimer;
use crate::report::SearchedWords;
use crate::state::semantic_index::Neighbours;
use crate::state::session::Session;
use crate::state::sources::clearest_source;

/// The results of a search.
pub struct SearchResults<'s> {
    /// Best first.
    pub hits: Vec<FoundClaim<'s>>,
    /// Guarded claims about a subject that the question names, at a door that may not see them.
    pub redacted: Vec<RedactedClaim>,
    /// Whether the question names a date.
    pub dated: bool,
    /// The words that were looked for.
    pub looked_for: Option<SearchedWords>,
    /// Whether only a time was asked about, so that the hits were chosen by it.
    pub(crate) no_topic: bool,
    /// Which hits are of the time that was asked about, and at which places.
    pub(crate) of_time: TemporalMatches,
}

/// Penalty, in log-odds, for a claim that may hold at the date a question names but does not mention that date.
const UNDATED_PENALTY: f32 = 1.5;

/// Minimum number of candidates that are scored.
const CANDIDATES_MIN: usize = 300;

/// Minimum number of the best candidates whose state takes other claims into account; behind them it is what they say themselves.
const SETTLED_MIN: usize = 64;

/// Maximum length of each list that is fused.
const LIST_MAX: usize = 300;

/// Maximum number of guarded claims listed for one question.
const REDACTED_MAX: usize = 8;

impl<'s> ClaimSearch<'s> {
    /// Ranks the claims that may answer a question.
    ///
    /// Hits that are no longer in their note are dropped: the index will catch up. A date in the question is a
    /// filter: hits are of that time, by their note or their words, or say that they held then.
    pub fn find_claims(&self, question: &str, options: &SearchOptions) -> Result<SearchResults<'s>, SearchError> {
        let Some(today) = self.today() else {
            let of_time = TemporalMatches::default();
            return Ok(SearchResults {
                hits: Vec::new(),
                redacted: Vec::new(),
                dated: false,
                looked_for: None,
                no_topic: true,
                of_time,
            });
        };
        let query = match options.asked_period() {
            _ if options.is_statement => Query::new(question),
            Some(_) => Query::parse_for_period(question, today),
            None => Query::parse_with_dates(question, today),
        };
        let times = QueryTimes { as_of: options.as_of, today, named: query.dates().to_vec() };
        let mut clock = SearchTimer::start();
        let allowed = match options.filter == NoteFilter::default() {
            true => None,
            false => Some(self.notes_matching(&options.filter)?),
        };
        let asked_time = TimeConstraint::from_query(&query, options);
        if let Some(asked) = asked_time.as_ref().filter(|_| query.has_no_topic()) {
            let (hits, of_time) = self.search_by_time(&query, asked, allowed.as_deref(), &times, options)?;
            let redacted = self.find_redacted(question, options)?;
            return Ok(SearchResults { hits, redacted, dated: true, looked_for: None, no_topic: true, of_time });
        }
        let (mut weighed, looked_for) = thread::scope(|scope| {
            let is_reranked = !query.is_empty() && !options.lexical_only;
            let is_read = is_reranked && !options.without_likeness;
            let encoding = is_read.then(|| QueryEncoding::start(query.text(), scope));
            let candidates = self.find_candidates(&query, allowed.as_deref(), options, &mut clock)?;
            let visible = self.load_candidates(candidates, allowed.as_deref(), options)?;
            clock.lap(|laps| &mut laps.rows);
            // A word that stands in the notes was found, whatever the time of what it stands in.
            let places: Vec<_> = visible.iter().filter_map(matched_terms).collect();
            let scored = self.score_candidates(&query, visible, &times, options)?;
            clock.lap(|laps| &mut laps.scored);
            let is_found = |(note, terms)| Ok::<_, ReadError>(self.session.may_use_index(&note)?.then_some(terms));
            let found =
                places.into_iter().map(is_found).filter_map(Result::transpose).collect::<Result<Vec<_>, _>>()?;
            let looked_for = partition_query_words(&query, &found.into_iter().flatten().collect());
            Ok::<_, SearchError>((
                self.rank_candidates(&query, scored, is_reranked.then_some(encoding), &times, options.limit)?,
                Some(looked_for),
            ))
        })?;
        let of_time = match &asked_time {
            Some(asked) => asked.retain_matching(self, &mut weighed, |(c, w, s)| {
                (s, c.of_another_time.then_some(&w.claim), w.strength)
            })?,
            None => TemporalMatches::default(),
        };
        clock.lap(|laps| &mut laps.reranked);
        let stands = match_query_words(&query, weighed.iter().map(|(candidate, ..)| &candidate.hit));
        let mut hits = self.recheck_best(weighed, options.limit)?;
        if !options.keep_semantic_only && stands.is_all_unknown() {
            // None of its words is in the notes: a hit that is only similar does not count.
            hits.retain(|hit| hit.strength != EvidenceStrength::Nearest);
        }
        clock.lap(|laps| &mut laps.reread);
        let redacted = self.find_redacted(question, options)?;
        clock.lap(|laps| &mut laps.redacted);
        clock.log_timings();
        Ok(SearchResults { hits, redacted, dated: !query.dates().is_empty(), looked_for, no_topic: false, of_time })
    }

    /// The notes that pass a filter, those of the last one from the cache.
    fn notes_matching(&self, filter: &NoteFilter) -> Result<Arc<FilteredNotes>, ReadError> {
        let snapshot = &self.session.snapshot;
        let list = || snapshot.notes_matching(filter).map(FilteredNotes::new);
        self.session.memora.caches.of::<FilteredNotesCache>().get_or_try_build(snapshot, filter, list)
    }

    /// The candidates, each statement once: first those of the dates that the question names, then the rest.
    fn find_candidates(
        &self,
        query: &Query,
        allowed: Option<&FilteredNotes>,
        options: &SearchOptions,
        clock: &mut SearchTimer,
    ) -> Result<Vec<Candidate>, SearchError> {
        let filter = SearchFilter {
            dates: (!query.dates().is_empty()).then(|| query.dates().to_vec()),
            within: options.asked_period(),
            notes: allowed.map(|notes| Arc::clone(&notes.numbers)),
            placed: false,
        };
        let mut found = self.retrieve_fused(query, &filter, options, clock)?;
        if filter.dates.is_some() && !query.is_empty() {
            // A fact that began earlier may hold at the named date: by its own words, not by the day of its note.
            let dated: HashSet<_> = found.iter().map(|candidate| candidate.hit.statement).collect();
            let timeless = SearchFilter { dates: None, ..filter };
            let others = self.retrieve_fused(query, &timeless, options, clock)?.into_iter();
            let others = others.filter(|candidate| !dated.contains(&candidate.hit.statement));
            found.extend(others.map(|candidate| Candidate { of_another_time: true, ..candidate }));
        }
        Ok(found)
    }

    /// Ranks the candidates, best first: by all their features, without an encoding of the question by those that need none; or by their
    /// words alone. The best `limit` are settled, unless all are.
    fn rank_candidates(
        &self,
        query: &Query,
        mut found: Vec<RankedCandidate>,
        reranked: Option<Option<QueryEncoding<'_>>>,
        times: &QueryTimes,
        limit: usize,
    ) -> Result<Vec<RankedCandidate>, ReadError> {
        let settled = limit.max(SETTLED_MIN);
        match reranked {
            Some(encoding) => {
                self.rerank_best(encoding, &mut found)?;
                if times.is_about_now() {
                    // What has the rank of a claim that it superseded may have been superseded in turn. A chain is as long as the list at most.
                    for _ in 0..=found.len() {
                        self.settle_best(&mut found, settled, times)?;
                        if !inherit_superseded_rank(&mut found) {
                            break;
                        }
                    }
                    demote_superseded(&mut found);
                }
                judge_strength(&mut found);
            }
            None if query.is_empty() => {
                found.iter_mut().for_each(|(_, weighed, _)| weighed.strength = EvidenceStrength::Likely);
                if times.is_about_now() {
                    self.settle_best(&mut found, settled, times)?;
                    demote_superseded(&mut found);
                }
            }
            None => {
                judge_strength(&mut found);
                for (candidate, weighed, _) in &mut found {
                    (weighed.rank, weighed.score) = (candidate.score, candidate.score);
                }
            }
        }
        sort_by_rank(&mut found);
        Ok(found)
    }

    /// Sorts candidates, and has the state of the best take other claims into account: notes are read for it.
    fn settle_best(&self, found: &mut Vec<RankedCandidate>, limit: usize, times: &QueryTimes) -> Result<(), ReadError> {
        sort_by_rank(found);
        let rest = found.split_off(limit.min(found.len()));
        for (candidate, weighed, statement) in std::mem::take(found) {
            let source = clearest_source(&statement).filter(|_| !weighed.is_settled);
            let weighed = match source {
                Some(source) => {
                    let states = self.claim_states(&statement, source)?;
                    weighed.settle(&candidate.hit, (&statement, source), &states, times)
                }
                None => Some(weighed),
            };
            found.extend(weighed.map(|weighed| (candidate, weighed, statement)));
        }
        found.extend(rest);
        Ok(())
    }

    /// Reads the rows of the candidates; drops those that this door may not see.
    fn load_candidates(
        &self,
        candidates: Vec<Candidate>,
        allowed: Option<&FilteredNotes>,
        options: &SearchOptions,
    ) -> Result<Vec<(Candidate, StoredStatement)>, ReadError> {
        let ids: Vec<_> = candidates.iter().map(|candidate| candidate.hit.statement).collect();
        let mut stored: HashMap<_, _> =
            self.session.snapshot.statements(&ids)?.into_iter().map(|s| (s.id, s)).collect();
        let sees = |source: &StoredSource| {
            self.session.door.may_show(source.row.band)
                && options.authors.include(source.note.captured)
                && allowed.is_none_or(|notes| notes.contains(&source.row.note))
        };
        let visible = candidates.into_iter().filter_map(|candidate| {
            let statement = stored.remove(&candidate.hit.statement)?.retain_sources(sees)?;
            Some((candidate, statement))
        });
        Ok(visible.collect())
    }

    /// Scores candidates by everything but the transformer; drops those whose text became guarded, and those of another
    /// time than was asked for. What is asked about the present is settled later, as far as it matters.
    fn score_candidates(
        &self,
        query: &Query,
        visible: Vec<(Candidate, StoredStatement)>,
        times: &QueryTimes,
        options: &SearchOptions,
    ) -> Result<Vec<RankedCandidate>, ReadError> {
        let asked = QueryIntent::from_query(query, &self.session.memora.words);
        let tasks = QuestionForm::from_question(query.text()).tasks;
        let clearest = visible.iter().filter_map(|(_, statement)| clearest_source(statement));
        self.session.prefetch_unchanged(clearest.map(|source| &*source.note));
        let mut seen: Vec<(Candidate, StoredStatement)> = Vec::with_capacity(visible.len());
        for (candidate, statement) in visible {
            let Some(source) = clearest_source(&statement) else { continue };
            // Text that became guarded must not even set the best score.
            if self.session.may_use_index(&source.row.note)? {
                seen.push((candidate, statement));
            }
        }
        let best = seen.iter().map(|(candidate, _)| candidate.hit.score).fold(0.0, f32::max);
        let mut found: Vec<RankedCandidate> = Vec::with_capacity(seen.len());
        for (candidate, statement) in seen {
            let Some(source) = clearest_source(&statement) else { continue };
            let states = match times.is_about_now() {
                true => self.stated_claim_states(&statement, source),
                false => self.claim_states(&statement, source)?,
            };
            let seen = (&statement, source);
            let weighed =
                score_hit(&asked, &candidate.hit, candidate.first_stage_scores(best, tasks), seen, &states, times);
            let Some(mut weighed) = weighed else { continue };
            if candidate.of_another_time {
                if !times.is_date_covered(weighed.state.holds) {
                    continue;
                }
                weighed.prior -= UNDATED_PENALTY;
            } else {
                weighed.features.of_time = !times.named.is_empty() || options.asked_period().is_some();
            }
            found.push((candidate, weighed, statement));
        }
        Ok(found)
    }

    /// Has the transformer rerank the likeliest; the rest stays behind them. In a language that it does
    /// not read, the ranking is unchanged.
    fn rerank_best(&self, question: Option<QueryEncoding<'_>>, found: &mut [RankedCandidate]) -> Result<(), ReadError> {
        sort_by_rank(found);
        if let Some((_, weighed, _)) = found.first_mut() {
            weighed.features.first_by_both = true;
        }
        let likeliest: Vec<&StoredStatement> = found.iter().map(|(.., statement)| statement).collect();
        let likeness = match question {
            Some(question) => self.score_likeness(question, &likeliest)?,
            None => HashMap::new(),
        };
        for (_, weighed, statement) in found.iter_mut() {
            weighed.features.likeness = likeness.get(&statement.id).copied();
            weighed.update_rank();
        }
        // Candidates that were not read stay behind those that were, in their order.
        let of = |read: bool| found.iter().map(|(_, w, _)| w).filter(move |w| w.features.likeness.is_some() == read);
        if let Some(least) = of(true).map(|weighed| weighed.rank).reduce(f32::min) {
            let most = of(false).map(|weighed| weighed.rank).reduce(f32::max).unwrap_or_default();
            for (_, weighed, _) in found.iter_mut().filter(|(_, w, _)| w.features.likeness.is_none()) {
                weighed.rank += least - most;
            }
        }
        Ok(())
    }

    /// The features of the second stage for each statement that the first one found, the likeliest first; with `read`
    /// including the transformer's.
    pub(crate) fn collect_features(
        &self,
        question: &str,
        options: &SearchOptions,
        read: bool,
    ) -> Result<Vec<(StoredStatement, HitFeatures)>, SearchError> {
        let Some(today) = self.today() else { return Ok(Vec::new()) };
        let query = Query::parse_with_dates(question, today);
        let times = QueryTimes { as_of: None, today, named: query.dates().to_vec() };
        let candidates = self.find_candidates(&query, None, options, &mut SearchTimer::start())?;
        let visible = self.load_candidates(candidates, None, options)?;
        let mut known = self.score_candidates(&query, visible, &times, options)?;
        if read {
            thread::scope(|scope| self.rerank_best(Some(QueryEncoding::start(query.text(), scope)), &mut known))?;
        } else {
            sort_by_rank(&mut known);
        }
        Ok(known.into_iter().map(|(_, weighed, statement)| (statement, weighed.features)).collect())
    }

    fn today(&self) -> Option<PartialDate> {
        let today = self.session.memora.config.today;
        PartialDate::from_ymd(today.year(), today.month(), today.day())
    }

    /// The state of each claim of a statement.
    fn claim_states(
        &self,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> Result<HashMap<ClaimId, LifecycleState>, ReadError> {
        let claims = statement.wording.claims.iter();
        claims
            .map(|claim| Ok((claim.id, Lifecycle::new(self.session).ranking_claim_state(claim, statement, source)?)))
            .collect()
    }

    /// The state of each claim of a statement, as far as it says that itself.
    fn stated_claim_states(
        &self,
        statement: &StoredStatement,
        source: &StoredSource,
    ) -> HashMap<ClaimId, LifecycleState> {
        let state = |claim: &Claim| Lifecycle::new(self.session).stated_claim_state(claim, statement, source);
        statement.wording.claims.iter().map(|claim| (claim.id, state(claim))).collect()
    }

    /// Re-reads the best and sorts them for the door; hits that are gone make room for the next.
    fn recheck_best(&self, weighed: Vec<RankedCandidate>, limit: usize) -> Result<Vec<FoundClaim<'s>>, ReadError> {
        let best = weighed.iter().take(limit).filter_map(|(.., statement)| clearest_source(statement));
        self.session.notes.prefetch_notes(best.map(|source| &source.row.note));
        let mut hits = Vec::new();
        for (candidate, found, statement) in weighed {
            if hits.len() >= limit {
                break;
            }
            if let Some(claim) = ClaimAuthorizer::new(self.session, Lifecycle::new(self.session))
                .authorize_claim(&found.claim, &statement)?
            {
                let (why, ranks) = (describe_matches(&candidate.hit), candidate.ranks);
                let (score, rank, strength) = (found.score, found.rank, found.strength);
                let off_topic = found.features.is_off_topic();
                hits.push(FoundClaim { claim, score, rank, strength, off_topic, why, ranks });
            }
        }
        Ok(hits)
    }

    /// The best statements for a question: lexical and semantic hits fused, with their neighbours.
    fn retrieve_fused(
        &self,
        query: &Query,
        filter: &SearchFilter,
        options: &SearchOptions,
        clock: &mut SearchTimer,
    ) -> Result<Vec<Candidate>, SearchError> {
        let limit = options.limit.saturating_mul(2).saturating_add(16).max(CANDIDATES_MIN);
        let indexes = self.session.memora.indexes.visible_to(self.session.door, options.authors);
        if query.is_empty() {
            // Nothing but a date, or a phrase.
            let hits = search_all(&indexes, query, filter, limit)?;
            return Ok(hits.into_iter().map(|hit| Candidate::new(hit, 0.0, Ranks::default())).collect());
        }
        if options.lexical_only {
            let looked = PreparedSearch::run(&indexes, query, filter)?;
            let place = |(rank, hit): (usize, LexicalHit)| {
                let lexical = Some(RankedScore { rank, score: hit.score });
                Candidate::new(hit, lexical.map_or(0.0, |place| place.score), Ranks { lexical, ..Ranks::default() })
            };
            return Ok((1..).zip(looked.top_hits(limit)).map(place).collect());
        }
        let RetrievedHits { looked, lexical, semantic } =
            self.retrieve_both(&indexes, query, filter, options, clock)?;
        let mut fused = fuse_rankings(&lexical, &semantic, self.session.memora.config.fusion);
        let seeds: Vec<_> = fused.iter().take(SEEDS_MAX).map(|fused| fused.statement).collect();
        let mut got = spread_activation(&mut fused, &self.neighbour_edges(&seeds, options.authors)?);
        let seeds: Vec<_> = fused.iter().take(SEEDS_MAX).map(|fused| fused.statement).collect();
        boost_by_note(&mut fused, &self.group_by_note(&seeds, options.authors)?, &mut got);
        fused.truncate(limit);
        // Lexical hits are known already; only the rest is looked up.
        let mut hits: HashMap<_, _> = lexical.into_iter().map(|hit| (hit.statement, hit)).collect();
        let others: Vec<_> = fused.iter().map(|fused| fused.statement).filter(|id| !hits.contains_key(id)).collect();
        hits.extend(looked.find_hits(&others)?.into_iter().map(|hit| (hit.statement, hit)));
        let found = fused.into_iter().filter_map(|fused| {
            let spread = got.get(&fused.statement).copied().unwrap_or_default();
            let ranks = Ranks { lexical: fused.lexical, semantic: fused.semantic, spread };
            Some(Candidate::new(hits.remove(&fused.statement)?, fused.score, ranks))
        });
        let found = found.collect();
        clock.lap(|laps| &mut laps.joined);
        Ok(found)
    }

    /// The best lexical and the best semantic hits. Without a filter the two searches run in parallel.
    fn retrieve_both<'q>(
        &self,
        indexes: &[&TantivyIndex],
        query: &'q Query,
        filter: &SearchFilter,
        options: &SearchOptions,
        clock: &mut SearchTimer,
    ) -> Result<RetrievedHits<'q>, SearchError> {
        // A claim id has no meaning to search by.
        let meant = if ClaimId::parse(query.text().trim()).is_ok() { "" } else { query.text() };
        let by_meaning = |passing: Option<&HashSet<StatementId>>| {
            let Session { memora, snapshot, door, .. } = self.session;
            let wanted = Neighbours {
                limit: LIST_MAX,
                among: passing,
                authors: options.authors,
                keep_semantic_only: options.keep_semantic_only,
            };
            memora.semantic.find_nearest(meant, snapshot, *door, &wanted)
        };
        let by_words = || -> Result<_, LexicalError> {
            let looked = PreparedSearch::run(indexes, query, filter)?;
            let best = looked.top_hits(LIST_MAX);
            Ok((looked, best))
        };
        // Of machines' text only the lexical indexes know what it is.
        if filter.is_empty() && !query.has_phrases() && options.authors != Authors::Machines {
            let (words, semantic) = thread::scope(|scope| {
                let words = scope.spawn(by_words);
                let semantic = by_meaning(None);
                (words.join(), semantic)
            });
            clock.lap(|laps| &mut laps.found);
            let (looked, lexical) = words.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            return Ok(RetrievedHits { looked, lexical, semantic: semantic? });
        }
        let (looked, lexical) = by_words()?;
        let semantic = by_meaning(looked.passing_statements().as_ref())?;
        clock.lap(|laps| &mut laps.found);
        Ok(RetrievedHits { looked, lexical, semantic })
    }

    /// The guarded claims that the question names, at a door that may not see them.
    fn find_redacted(&self, question: &str, options: &SearchOptions) -> Result<Vec<RedactedClaim>, ReadError> {
        let is_wanted = !options.hits_only && !self.session.door.is_local();
        if is_wanted { self.redacted_about(question, options.authors) } else { Ok(Vec::new()) }
    }

    /// The guarded claims of some authors' public notes that the question names, by title or alias.
    pub(crate) fn redacted_about(&self, question: &str, authors: Authors) -> Result<Vec<RedactedClaim>, ReadError> {
        let asked = lowercase_words(question);
        let mut found = Vec::new();
        // Only public notes count, and the table of every door has those.
        let notes = EntityResolver::new(self.session, Authors::User).name_table()?.notes().iter();
        for note in notes.filter(|note| authors.include(note.captured)) {
            if found.len() >= REDACTED_MAX {
                break;
            }
            let named = note.aliases.iter().chain([&note.title]).any(|name| {
                let parts = lowercase_words(name);
                !parts.is_empty()
                    && asked.windows(parts.len()).any(|part| part == parts)
                    && ClaimAuthorizer::new(self.session, Lifecycle::new(self.session))
                        .is_publicly_named(&note.path, name)
            });
            if named {
                found.extend(
                    ClaimAuthorizer::new(self.session, Lifecycle::new(self.session)).redact_note_claims(&note.path)?,
                );
            }
        }
        found.truncate(REDACTED_MAX);
        Ok(found)
    }
}

fn describe_matches(hit: &LexicalHit) -> Vec<String> {
    let of = |part: DocField| {
        let terms: Vec<&str> =
            hit.matched.iter().filter(|m| m.parts.first() == Some(&part)).map(|m| m.term.as_str()).collect();
        (!terms.is_empty()).then(|| format!("{}: {}", part_name(part), terms.join(", ")))
    };
    let parts = [DocField::Words, DocField::Subject, DocField::Object, DocField::Context, DocField::Neighbours];
    let mut why: Vec<String> = parts.into_iter().filter_map(of).collect();
    let fuzzy: Vec<&str> = hit.matched.iter().filter(|m| m.fuzzy).map(|m| m.term.as_str()).collect();
    if !fuzzy.is_empty() {
        why.push(format!("spelled nearly alike: {}", fuzzy.join(", ")));
    }
    if !hit.missed.is_empty() {
        why.push(format!("not found: {}", hit.missed.join(", ")));
    }
    why
}

fn part_name(part: DocField) -> &'static str {
    match part {
        DocField::Words => "words",
        DocField::Subject => "subject",
        DocField::Object => "object",
        DocField::Context => "title, heading or tag",
        DocField::Neighbours => "the sentences around it",
    }
}
