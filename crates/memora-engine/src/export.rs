//! `export`: every listed claim that a door may see, a line each; on request all that was read, too.

use memora_claim::{Claim, Extractor};
use memora_redact::{Door, ClaimAccess, WirePlace, round_to_thousandth};
use memora_store::{ReadError, StoredStatement};

use crate::session::Session;
use crate::wire::{ExportedClaim, ExportedSource};

/// What is exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Whether what depends on the machine (links, which hold the vault's name) is left out: the same notes, decisions and
    /// configuration give the same bytes, whatever the journal knows.
    pub canonical: bool,
    /// Whether what is not listed is exported too: the facts of every statement, sentences of which nothing was read, code.
    pub statements: bool,
}

impl<D: Door> Session<'_, D> {
    /// Gives every claim that this door may see, with every place of it that stands, ordered by the first of them.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn export(&self, options: ExportOptions) -> Result<Vec<ExportedClaim>, ReadError> {
        self.by_vault_alone.set(options.canonical);
        let mut statements = Vec::new();
        self.snapshot.for_each_statement(|statement| {
            statements.extend(statement.retain_sources(|source| self.door.may_show(source.row.band)));
            Ok::<(), ReadError>(())
        })?;
        // By what this door sees: the order of all sources could tell of those that it does not.
        statements.sort_by(|a, b| {
            let place = |s: &StoredStatement| s.sources.first().map(|s| (s.row.note.clone(), s.row.start));
            place(a).cmp(&place(b)).then_with(|| a.id.cmp(&b.id))
        });
        let mut lines = Vec::new();
        for statement in &statements {
            lines.extend(self.export_statement(statement, options)?);
        }
        Ok(lines)
    }

    fn export_statement(&self, statement: &StoredStatement, options: ExportOptions) -> Result<Vec<ExportedClaim>, ReadError> {
        let mut found: Vec<ExportedClaim> = Vec::new();
        // What a model read does not follow from notes, decisions and configuration.
        let canon = |claim: &&Claim| !options.canonical || claim.extractor != Extractor::Model;
        let wanted = |claim: &&Claim| canon(claim) && (options.statements || claim.listed);
        for claim in statement.wording.claims.iter().filter(wanted) {
            let mut line: Option<ExportedClaim> = None;
            // A person's own words say how it is meant; where there are none, a machine's do.
            let (own, captured): (Vec<_>, Vec<_>) = statement.sources.iter().partition(|source| !source.note.captured);
            for source in own.into_iter().chain(captured) {
                let Ok(place) = self.recheck(&source.row) else { continue };
                let ClaimAccess::Clear(clear) = self.authorize(claim, statement, source, place)? else { continue };
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
                let place = WirePlace::from_claim(&clear, self.memora.vault.name());
                line.sources.push(ExportedSource {
                    path: place.path,
                    start: place.start,
                    end: place.end,
                    line: place.line,
                    column: place.column,
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
