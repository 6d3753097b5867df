//! Reports of `search`.

use memora_redact::{WireClaim, round_to_thousandth};
use memora_retrieve::RankedScore;

use crate::read::search::{ClaimSearch, SearchError, SearchOptions};
use crate::report::{ClaimDays, Freshness, ListRank, RankExplanation, SearchHit, SearchReport};

impl ClaimSearch<'_> {
    /// Searches, for output.
    pub(crate) fn report_claims(
        &self,
        query: &str,
        options: &SearchOptions,
        freshness: Freshness,
    ) -> Result<SearchReport, SearchError> {
        let found = self.find_claims(query, options)?;
        let hits = found.hits.iter().map(|hit| SearchHit {
            claim: WireClaim::from_clear(&hit.claim, self.session.memora.vault.name()),
            score: round_to_thousandth(hit.score),
            relevance: hit.strength,
            why: hit.why.clone(),
            explain: RankExplanation {
                lexical: hit.ranks.lexical.map(list_rank),
                semantic: hit.ranks.semantic.map(list_rank),
                spread: round_to_thousandth(hit.ranks.spread),
            },
            days: found.of_time.claim_period(hit.claim.claim().id).map(ClaimDays::from_period),
        });
        Ok(SearchReport {
            hits: hits.collect(),
            redacted: found.redacted.into_iter().map(WireClaim::from).collect(),
            of_time: found.dated,
            freshness,
        })
    }
}

fn list_rank(place: RankedScore) -> ListRank {
    ListRank { rank: place.rank, score: round_to_thousandth(place.score) }
}
