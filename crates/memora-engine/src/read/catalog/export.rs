//! `export`: every listed claim that a door may see, one per line; on request also the unlisted ones.

use memora_claim::{Claim, Extractor};
use memora_redact::{ClaimAccess, Viewer, WirePlace, round_to_thousandth};
use memora_store::{ReadError, StoredStatement};

use crate::read::authorize::ClaimAuthorizer;
use crate::read::catalog::ClaimCatalog;
use crate::read::lifecycle::Lifecycle;
use crate::read::lifecycle::cache::SupportCache;
use crate::report::{ExportedClaim, ExportedSource};
use crate::state::sources::own_sources;

/// Options of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Whether machine-dependent data (links, which hold the vault's name) is left out: the same notes, decisions and
    /// configuration then give the same bytes, independent of the journal.
    pub canonical: bool,
    /// Whether unlisted claims are exported too: the facts of every statement, sentences without claims, code.
    pub statements: bool,
}

impl ClaimCatalog<'_> {
    /// Returns every claim that this door may see, with all its valid places, ordered by the first of them.
    pub fn export_claims(&self, options: ExportOptions) -> Result<Vec<ExportedClaim>, ReadError> {
        let mut statements = Vec::new();
        self.session.snapshot.for_each_statement(|statement| {
            statements.extend(statement.retain_sources(|source| self.session.door.may_show(source.row.band)));
            Ok::<(), ReadError>(())
        })?;
        // Ordered by visible sources only: an order over all sources could reveal hidden ones. What machines repeat stays where the
        // user wrote it.
        statements.sort_by(|a, b| {
            let place = |s: &StoredStatement| own_sources(s).next().map(|s| (s.row.note.clone(), s.row.start));
            place(a).cmp(&place(b)).then_with(|| a.id.cmp(&b.id))
        });
        let by_vault_alone = SupportCache::default();
        let lifecycle = match options.canonical {
            true => Lifecycle::without_journal(self.session, &by_vault_alone),
            false => Lifecycle::new(self.session),
        };
        let authorizer = ClaimAuthorizer::new(self.session, lifecycle);
        let mut lines = Vec::new();
        for statement in &statements {
            lines.extend(self.export_statement(statement, options, &authorizer)?);
        }
        Ok(lines)
    }

    fn export_statement(
        &self,
        statement: &StoredStatement,
        options: ExportOptions,
        authorizer: &ClaimAuthorizer<'_>,
    ) -> Result<Vec<ExportedClaim>, ReadError> {
        let mut found: Vec<ExportedClaim> = Vec::new();
        // Claims read by a model do not follow from notes, decisions and configuration.
        let canon = |claim: &&Claim| !options.canonical || claim.extractor != Extractor::Model;
        let wanted = |claim: &&Claim| canon(claim) && (options.statements || claim.listed);
        for claim in statement.wording.claims.iter().filter(wanted) {
            let mut line: Option<ExportedClaim> = None;
            // The user's own words determine the modality; captured text does so only where there are none.
            let (own, captured): (Vec<_>, Vec<_>) = statement.sources.iter().partition(|source| !source.note.captured);
            for source in own.into_iter().chain(captured) {
                let Ok(place) = self.session.recheck(&source.row) else { continue };
                let ClaimAccess::Clear(clear) = authorizer.authorize(claim, statement, source, place)? else {
                    continue;
                };
                let (from, until) = clear.validity();
                let line = line.get_or_insert_with(|| ExportedClaim {
                    claim: claim.id.to_string(),
                    subject: clear.subject().to_owned(),
                    predicate: claim.predicate.clone(),
                    object: claim.object.clone(),
                    qualifiers: claim.qualifiers.clone(),
                    relation: claim.relation.clone(),
                    listed: claim.listed,
                    status: clear.status(),
                    modality: clear.claim().modality,
                    negated: claim.negated,
                    attribution: claim.attribution.clone(),
                    phase: claim.phase,
                    extractor: claim.extractor,
                    confidence: round_to_thousandth(claim.confidence),
                    valid_from: from.map(|date| date.to_string()),
                    valid_until: until.map(|date| date.to_string()),
                    sources: Vec::new(),
                });
                let place = WirePlace::from_claim(&clear, self.session.memora.vault.name());
                line.sources.push(ExportedSource {
                    path: place.path,
                    start: place.start,
                    end: place.end,
                    line: place.line,
                    column: place.column,
                    hash: place.hash,
                    quote: place.quote,
                    context: clear.context(),
                    url: (!options.canonical).then_some(place.url),
                    band: clear.place().band(),
                    captured: clear.is_captured(),
                });
            }
            found.extend(line);
        }
        Ok(found)
    }
}
