//! Provenance: a sentence with `[claim:…]` in it derives from the claims that it cites.
//!
//! Invariant: **a sentence is stale if a claim it rests on is broken**: superseded, retracted, or gone from the notes;
//! whether it is cited directly or transitively. That is a reason to review the sentence, and not an error.
//!
//! At a cloud door only visible claims count: a citation of a guarded claim is like one of an unknown claim.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use memora_claim::conflict::ClaimStatus;
use memora_claim::{Claim, ClaimId, Source, StatementId};
use memora_redact::Viewer;
use memora_store::{ReadError, StoredStatement};

use crate::read::lifecycle::{BrokenSupport, CitedState, Lifecycle};
use crate::report::BreakReason;
use crate::state::session::RecheckError;

/// The citations of each statement, with the current id of the cited statement.
type CitationEdges = BTreeMap<StatementId, Vec<(ClaimId, Option<StatementId>)>>;

/// The maximum number of statements visited below one.
const SUPPORT_MAX: usize = 4096;

impl<'s> Lifecycle<'s> {
    /// Returns the broken support of a statement, except for what the user confirmed it despite.
    pub(crate) fn broken_support(&self, statement: &StoredStatement) -> Result<&'s [BrokenSupport], ReadError> {
        let cites = cited_claims(statement);
        if cites.is_empty() {
            return Ok(&[]);
        }
        if let Some(known) = self.support.broken_support.get(&statement.id) {
            return Ok(known);
        }
        let (edges, lost) = self.transitive_support(statement.id, cites)?;
        let despite = |at: StatementId, ground: ClaimId| self.decisions().is_kept_despite(at, ground.statement());
        let found = lost.into_iter().filter_map(|(claim, how)| {
            let by_way_of = shortest_path(&edges, statement.id, claim, |at| despite(at, claim))?;
            Some(BrokenSupport { claim, how, by_way_of })
        });
        Ok(self.support.broken_support.insert(statement.id, found.collect()))
    }

    /// Returns what gave way of the claims that a text outside the notes cites, also by way of what they cite in turn. At a
    /// cloud door a citation of what it does not see does not stand either.
    pub(crate) fn broken_citations(&self, cites: &[ClaimId]) -> Result<Vec<BrokenSupport>, ReadError> {
        let mut broken = Vec::new();
        for id in cites {
            match self.cited_state(*id)? {
                CitedState::Broken(how) => broken.push(BrokenSupport { claim: *id, how: *how, by_way_of: Vec::new() }),
                CitedState::Unseen => {
                    broken.push(BrokenSupport { claim: *id, how: BreakReason::Gone, by_way_of: Vec::new() });
                }
                CitedState::Holds(now, _) => {
                    let Some(statement) = self.session.statement(*now)? else { continue };
                    let Some(gave_way) = self.broken_support(&statement)?.first() else { continue };
                    let by_way_of = std::iter::once(*now).chain(gave_way.by_way_of.iter().copied()).collect();
                    broken.push(BrokenSupport { claim: gave_way.claim, how: gave_way.how, by_way_of });
                }
            }
        }
        Ok(broken)
    }

    /// Returns the transitive support of a statement, and the broken claims in it.
    fn transitive_support(
        &self,
        top: StatementId,
        cites: Vec<ClaimId>,
    ) -> Result<(CitationEdges, BTreeMap<ClaimId, BreakReason>), ReadError> {
        let (mut edges, mut lost) = (CitationEdges::new(), BTreeMap::new());
        let mut due = VecDeque::from([(top, cites)]);
        while let Some((at, cites)) = due.pop_front() {
            if edges.contains_key(&at) || edges.len() >= SUPPORT_MAX {
                continue;
            }
            let mut out = Vec::with_capacity(cites.len());
            for id in cites {
                match self.cited_state(id)? {
                    CitedState::Holds(now, cites) => {
                        out.push((id, Some(*now)));
                        due.push_back((*now, cites.clone()));
                    }
                    CitedState::Broken(how) => {
                        out.push((id, None));
                        lost.insert(id, *how);
                    }
                    CitedState::Unseen => {}
                }
            }
            edges.insert(at, out);
        }
        Ok((edges, lost))
    }

    /// Returns the state of a cited claim, regardless of its own support.
    fn cited_state(&self, id: ClaimId) -> Result<&'s CitedState, ReadError> {
        if let Some(known) = self.support.cited_states.get(&id) {
            return Ok(known);
        }
        let fate = match self.session.statement(id.statement())? {
            Some(statement) => self.state_of_statement(id, &statement)?,
            None => self.state_of_former(id)?,
        };
        Ok(self.support.cited_states.insert(id, Box::new(fate)))
    }

    fn state_of_statement(&self, id: ClaimId, statement: &StoredStatement) -> Result<CitedState, ReadError> {
        let source = match self.session.recheck_any(statement) {
            Ok((_, source)) if self.session.door.is_local() || self.session.is_as_indexed(&source) => source,
            Ok(_) | Err(RecheckError::Guarded) => return Ok(CitedState::Unseen),
            Err(RecheckError::Changed(_) | RecheckError::MissingNote) => {
                return Ok(CitedState::Broken(BreakReason::Gone));
            }
        };
        // An id of a reading that no longer exists stands for the whole sentence.
        let claims = &statement.wording.claims;
        let named = claims.iter().any(|claim| claim.id == id);
        let meant = |claim: &&Claim| !named || claim.id == id;
        let mut best = None;
        for claim in claims.iter().filter(meant) {
            let status = self.own_claim_state(claim, statement, &source)?.status;
            best = Some(best.map_or(status, |best| status.min(best)));
        }
        Ok(match best.unwrap_or_default() {
            ClaimStatus::Current | ClaimStatus::Stale => CitedState::Holds(statement.id, cited_claims(statement)),
            ClaimStatus::Superseded => CitedState::Broken(BreakReason::Superseded),
            ClaimStatus::Withdrawn => CitedState::Broken(BreakReason::Withdrawn),
        })
    }

    /// A statement with another id, because its note or heading was renamed, holds; otherwise it is gone. A cloud door
    /// does not learn whether a guarded statement has, or had, this id.
    fn state_of_former(&self, id: ClaimId) -> Result<CitedState, ReadError> {
        if !self.session.door.is_local() {
            return Ok(CitedState::Unseen);
        }
        if self.uses_journal
            && let Some(now) = self.find_renamed_statement(id.statement())?
        {
            return self.state_of_statement(now.id.into(), &now);
        }
        Ok(CitedState::Broken(BreakReason::Gone))
    }

    /// The former places of a statement, as far as the journal has them and this door may see them.
    pub(crate) fn former_places(&self, id: StatementId) -> Result<Vec<Source>, ReadError> {
        let former = self.session.journal.former_sources(id)?;
        Ok(former.into_iter().filter(|f| self.session.door.may_show(f.band)).filter_map(|f| f.place).collect())
    }

    /// Whether the journal knows that a statement was there, in a band that this door shows.
    pub(crate) fn has_history(&self, id: StatementId) -> Result<bool, ReadError> {
        Ok(self.session.journal.former_sources(id)?.iter().any(|former| self.session.door.may_show(former.band)))
    }

    /// Returns the current statement, if its note or heading was renamed and the journal recorded it.
    pub(crate) fn find_renamed_statement(&self, id: StatementId) -> Result<Option<StoredStatement>, ReadError> {
        for row in self.former_places(id)? {
            if let Ok(place) = self.session.recheck(&row)
                && let Some((statement, _)) = self.session.statement_at(place.note().path(), place.span())?
            {
                return Ok(Some(statement));
            }
        }
        Ok(None)
    }

    /// Returns the direct dependents of each statement, as far as this door sees them.
    pub(crate) fn dependents(&self) -> Result<&'s HashMap<StatementId, BTreeSet<StatementId>>, ReadError> {
        if let Some(known) = self.support.dependents.get() {
            return Ok(known);
        }
        let mut found: HashMap<StatementId, BTreeSet<StatementId>> = HashMap::new();
        for (citing, cites) in self.session.snapshot.facts().citing_statements(self.session.door.strictest_band())? {
            for id in cites {
                let now = match self.cited_state(id)? {
                    CitedState::Holds(now, _) => *now,
                    CitedState::Broken(_) => id.statement(),
                    CitedState::Unseen => continue,
                };
                found.entry(now).or_default().insert(citing);
            }
        }
        Ok(self.support.dependents.get_or_init(|| found))
    }

    /// Returns the number of direct and transitive dependents of a statement.
    pub(crate) fn dependent_count(&self, id: StatementId) -> Result<usize, ReadError> {
        let dependents = self.dependents()?;
        let mut seen = BTreeSet::from([id]);
        let mut due = vec![id];
        while let Some(at) = due.pop() {
            due.extend(dependents.get(&at).into_iter().flatten().filter(|next| seen.insert(**next)));
        }
        Ok(seen.len() - 1)
    }
}

/// Returns the claims that a statement cites, at any of its places.
pub(crate) fn cited_claims(statement: &StoredStatement) -> Vec<ClaimId> {
    let mut cites: Vec<ClaimId> = Vec::new();
    for id in statement.sources.iter().flat_map(|source| &source.cites) {
        if !cites.contains(id) {
            cites.push(*id);
        }
    }
    cites
}

/// Returns the statements on the shortest path from a statement to a claim that supports it, through statements that
/// are not closed.
fn shortest_path(
    edges: &CitationEdges,
    from: StatementId,
    to: ClaimId,
    closed: impl Fn(StatementId) -> bool,
) -> Option<Vec<StatementId>> {
    let mut came_from: BTreeMap<StatementId, Option<StatementId>> = BTreeMap::from([(from, None)]);
    let mut due = VecDeque::from([from]);
    while let Some(at) = due.pop_front() {
        if closed(at) {
            continue;
        }
        for (id, now) in edges.get(&at).into_iter().flatten() {
            match now {
                None if *id == to => {
                    let back = std::iter::successors(Some(at), |at| came_from.get(at).copied().flatten());
                    let mut between: Vec<StatementId> = back.filter(|at| *at != from).collect();
                    between.reverse();
                    return Some(between);
                }
                Some(next) if !came_from.contains_key(next) => {
                    came_from.insert(*next, Some(at));
                    due.push_back(*next);
                }
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> StatementId {
        StatementId::from_words(name, &[])
    }

    /// `a>b` for a statement that cites another, `a!b` for one that cites what gave way.
    fn edges(text: &str) -> CitationEdges {
        let mut edges = CitationEdges::new();
        for edge in text.split(' ') {
            let lost = edge.contains('!');
            let (from, to) = edge.split_once(['>', '!']).expect("an edge");
            edges.entry(id(from)).or_default().push((id(to).into(), (!lost).then(|| id(to))));
        }
        edges
    }

    fn check(text: &str, closed: &[&str], expect: Option<&[&str]>) {
        let closed: Vec<StatementId> = closed.iter().map(|name| id(name)).collect();
        let found = shortest_path(&edges(text), id("s"), id("x").into(), |at| closed.contains(&at));
        assert_eq!(found, expect.map(|names| names.iter().map(|name| id(name)).collect()), "{text}");
    }

    #[test]
    fn the_shortest_way_is_told_and_circles_end() {
        check("s!x", &[], Some(&[]));
        check("s>a a>b b!x", &[], Some(&["a", "b"]));
        check("s>a a>b b!x s>c c!x", &[], Some(&["c"]));
        check("s>a a>s a>b b>a b!x", &[], Some(&["a", "b"]));
        check("s>a a>s", &[], None);
    }

    #[test]
    fn what_is_confirmed_is_no_way() {
        check("s!x", &["s"], None);
        check("s>a a!x s>b b>c c!x", &["a"], Some(&["b", "c"]));
        check("s>a a!x", &["a"], None);
    }
}
