//! `contradictions`: claims that cannot both hold, with both quotes.

use std::collections::BTreeMap;

use memora_claim::conflict::{Contradiction, SupersessionBasis};
use memora_claim::{Claim, ClaimId};
use memora_redact::{ClearClaim, Viewer, WireClaim};
use memora_store::{CHANGE_TOPIC, ReadError, StoredSource, StoredStatement};

use super::{ClaimGroup, ComparisonKey};
use crate::read::authorize::ClaimAuthorizer;
use crate::read::entity::Entity;
use crate::read::lifecycle::{Lifecycle, LifecycleReports};
use crate::report::{ContradictionReport, ContradictionsReport, Freshness, PairJudgement, PairStatus};
use crate::state::sources::clearest_source;

/// The number of statements loaded at once.
const STATEMENTS_PER_CHUNK: usize = 512;

/// A contradiction between two authorized claims.
pub(crate) struct ContradictionPair<'s> {
    rank: ContradictionRank,
    /// The evidence by which one of the two was superseded; `None` while the pair is open.
    resolved: Option<SupersessionBasis>,
    about: String,
    why: String,
    pub(crate) older: ClearClaim<'s>,
    pub(crate) newer: ClearClaim<'s>,
}

impl ContradictionPair<'_> {
    /// Returns whether it is unresolved which of the two holds.
    pub(crate) fn is_open(&self) -> bool {
        self.resolved.is_none()
    }

    /// Converts the pair into its report; `judged` is a model's verdict, if one was asked.
    pub(crate) fn to_report(&self, vault: &str, judged: Option<PairJudgement>) -> ContradictionReport {
        ContradictionReport {
            status: if self.is_open() { PairStatus::Open } else { PairStatus::Superseded },
            basis: self.resolved,
            about: self.about.clone(),
            why: self.why.clone(),
            older: WireClaim::from_clear(&self.older, vault),
            newer: WireClaim::from_clear(&self.newer, vault),
            judged,
        }
    }
}

impl<'s> LifecycleReports<'s> {
    /// Lists contradictions: open ones first, and with `all` also superseded ones; up to `limit`.
    pub(crate) fn list_contradictions(
        &self,
        all: bool,
        limit: usize,
        freshness: Freshness,
    ) -> Result<ContradictionsReport, ReadError> {
        let pairs = self.contradiction_pairs()?;
        let listed = pairs.iter().filter(|pair| all || pair.is_open()).map(|pair| (pair, None)).collect();
        Ok(self.contradictions_report(&pairs, listed, limit, freshness))
    }

    /// Builds the report of the listed pairs, with a model's verdict for each.
    pub(crate) fn contradictions_report(
        &self,
        pairs: &[ContradictionPair<'_>],
        listed: Vec<(&ContradictionPair<'_>, Option<PairJudgement>)>,
        limit: usize,
        freshness: Freshness,
    ) -> ContradictionsReport {
        let vault = self.session.memora.vault.name();
        let open = pairs.iter().filter(|pair| pair.is_open()).count();
        let more = listed.len() > limit;
        let shown = listed.into_iter().take(limit);
        ContradictionsReport {
            contradictions: shown.map(|(pair, judged)| pair.to_report(vault, judged)).collect(),
            open,
            resolved: pairs.len() - open,
            more,
            judged: None,
            unread: Lifecycle::new(self.session).decisions().unreadable_lines().to_vec(),
            freshness,
        }
    }

    /// Returns all contradictions, the most important first.
    pub(crate) fn contradiction_pairs(&self) -> Result<Vec<ContradictionPair<'s>>, ReadError> {
        let mut pairs = Vec::new();
        for (entity, about) in self.find_contested_groups()? {
            let group = Lifecycle::new(self.session).claim_group(&entity, &about)?;
            for contradiction in &group.judged.contradictions {
                pairs.extend(self.build_contradiction_pair(contradiction, group, &about)?);
            }
        }
        pairs.sort_by(|a, b| a.rank.cmp(&b.rank));
        Ok(pairs)
    }

    /// Calls `each` for every visible statement with a fact under one of these topics, with its clearest place.
    pub(crate) fn for_each_fact_under(
        &self,
        topics: &[String],
        mut each: impl FnMut(&StoredStatement, &StoredSource) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        for chunk in self
            .session
            .snapshot
            .facts()
            .by_topic(topics, self.session.door.strictest_band())?
            .chunks(STATEMENTS_PER_CHUNK)
        {
            for statement in self.session.snapshot.statements(chunk)? {
                let seen = statement.retain_sources(|source| self.session.door.may_show(source.row.band));
                if let Some(statement) = seen
                    && let Some(source) = clearest_source(&statement)
                {
                    each(&statement, source)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the groups with at least two comparable claims.
    fn find_contested_groups(&self) -> Result<Vec<(Entity, ComparisonKey)>, ReadError> {
        let relations = self.session.memora.config.extractor().relations().names();
        let topics: Vec<String> = relations.into_iter().chain([CHANGE_TOPIC]).map(str::to_owned).collect();
        let mut counts: BTreeMap<(Entity, ComparisonKey), (usize, bool)> = BTreeMap::new();
        self.for_each_fact_under(&topics, |statement, source| {
            for claim in &statement.wording.claims {
                if let Some(group) = Lifecycle::new(self.session).group_key_of(claim, source)? {
                    let counted = counts.entry(group).or_default();
                    counted.0 += 1;
                    counted.1 |= claim.negated;
                }
            }
            Ok(())
        })?;
        // With a verb, the affirmation of a negated claim has no fact of its own.
        let rivals = |((_, about), (count, denied)): &(&(Entity, ComparisonKey), &(usize, bool))| match about {
            ComparisonKey::Relation(_) => *count > 1,
            ComparisonKey::Verb(_) => *denied,
        };
        Ok(counts.iter().filter(rivals).map(|(group, _)| group.clone()).collect())
    }

    /// Authorizes both claims of a contradiction; `None` if one of the two cannot be re-read.
    fn build_contradiction_pair(
        &self,
        found: &Contradiction,
        group: &ClaimGroup,
        about: &ComparisonKey,
    ) -> Result<Option<ContradictionPair<'s>>, ReadError> {
        let (Some(one), Some(other)) =
            (self.authorize_member(group, found.one)?, self.authorize_member(group, found.other)?)
        else {
            return Ok(None);
        };
        let from = |claim: &ClearClaim<'_>| claim.validity().0.map(|date| date.first_and_last_day());
        let at = |claim: &ClearClaim<'_>| (claim.place().note().path().clone(), claim.place().span().start());
        // Without dates, the claim without a day, or the one that stands first, counts as the older.
        let begins = |claim: &ClearClaim<'_>| (from(claim), at(claim));
        let is_older = group.judged.supersessions_of(found.other).any(|by| by.newer == found.one)
            || found.resolved.is_none() && begins(&one) > begins(&other);
        let (older, newer) = if is_older { (other, one) } else { (one, other) };
        let rank = ContradictionRank {
            resolved: found.resolved.is_some(),
            undated: from(&older).is_none() && from(&newer).is_none(),
            by_verb: matches!(about, ComparisonKey::Verb(_)),
            latest: std::cmp::Reverse(from(&older).max(from(&newer)).map(|(first, _)| first)),
            at: (older.place().note().path().as_str().to_owned(), older.place().span().start(), newer.claim().id),
        };
        let told = match about {
            ComparisonKey::Relation(relation) => relation.clone(),
            ComparisonKey::Verb(_) => newer.claim().predicate.clone(),
        };
        Ok(Some(ContradictionPair {
            rank,
            resolved: found.resolved,
            about: told,
            why: explain_contradiction(found, about),
            older,
            newer,
        }))
    }

    /// Authorizes a member of a group for the door.
    pub(super) fn authorize_member(
        &self,
        group: &ClaimGroup,
        id: ClaimId,
    ) -> Result<Option<ClearClaim<'s>>, ReadError> {
        let of = |statement: &StoredStatement| -> Option<Claim> {
            statement.wording.claims.iter().find(|claim| claim.id == id).cloned()
        };
        let Some((statement, claim)) = group.members.get(&id).and_then(|s| Some((s, of(s)?))) else { return Ok(None) };
        ClaimAuthorizer::new(self.session, Lifecycle::new(self.session)).authorize_claim(&claim, statement)
    }
}

/// The sort key of a contradiction: the least comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ContradictionRank {
    resolved: bool,
    by_verb: bool,
    undated: bool,
    latest: std::cmp::Reverse<Option<memora_vault::PartialDate>>,
    at: (String, usize, ClaimId),
}

fn explain_contradiction(found: &Contradiction, about: &ComparisonKey) -> String {
    let what = match (found.denied, about) {
        (true, _) => "one says what the other denies".to_owned(),
        (false, ComparisonKey::Relation(relation)) => {
            format!("only one value of \"{}\" can hold at a time", relation.replace('_', " "))
        }
        (false, ComparisonKey::Verb(_)) => "they say different things".to_owned(),
    };
    match found.resolved {
        None => format!("{what}, and the notes do not say which is current"),
        Some(basis) => format!("{what}; superseded: {}", crate::read::lifecycle::describe_basis(basis)),
    }
}
