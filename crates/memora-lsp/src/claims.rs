//! What is known of a claim, by its id.

use memora_engine::report::{EdgeDirection, EdgeLabel, WhyReport, WireClaim};
use memora_engine::{ClaimId, Door, Session};

use crate::error::EditorError;

/// The statement that an id names: `7h3kq0v9x2ma` of `7h3kq0v9x2ma.4t`.
pub(crate) fn statement(id: &str) -> &str {
    id.split('.').next().unwrap_or_default()
}

/// What the index knows of a claim.
pub(crate) fn explain<D: Door>(
    session: &Session<'_, D>,
    id: Option<&str>,
) -> Result<Option<WhyReport<D>>, EditorError> {
    let Some(Ok(id)) = id.map(ClaimId::parse) else { return Ok(None) };
    Ok(Some(session.catalog().explain_claim(&id)?))
}

/// The claims that superseded it.
pub(crate) fn superseding<D>(why: &WhyReport<D>) -> impl Iterator<Item = &WireClaim<D>> {
    let newer =
        why.edges.iter().filter(|edge| edge.kind == EdgeLabel::Supersedes && edge.direction == EdgeDirection::From);
    newer.map(|edge| &edge.other).filter(|claim| claim.place().is_some())
}
