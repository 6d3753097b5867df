//! `export`: every claim that a door may see, a line each.

use memora_claim::{Claim, Extractor};
use memora_redact::{Door, Sorted, WirePlace, rounded};
use memora_store::{ReadError, StoredStatement};

use crate::session::Session;
use crate::wire::{ExportedClaim, ExportedSource};

impl<D: Door> Session<'_, D> {
    /// Gives every claim that this door may see, with every place of it that stands, ordered by the first of them.
    ///
    /// With `canonical`, what depends on the machine (links, which hold the vault's name) is left out: the same notes,
    /// decisions and configuration give the same bytes, whatever the journal knows.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn export(&self, canonical: bool) -> Result<Vec<ExportedClaim>, ReadError> {
        self.by_vault_alone.set(canonical);
        let mut statements = Vec::new();
        self.snapshot.for_each_statement(|statement| {
            statements.extend(statement.seen_through(|source| self.door.shows(source.row.band)));
            Ok::<(), ReadError>(())
        })?;
        // By what this door sees: the order of all sources could tell of those that it does not.
        statements.sort_by(|a, b| {
            let place = |s: &StoredStatement| s.sources.first().map(|s| (s.row.note.clone(), s.row.start));
            place(a).cmp(&place(b)).then_with(|| a.id.cmp(&b.id))
        });
        let mut lines = Vec::new();
        for statement in &statements {
            lines.extend(self.exported(statement, canonical)?);
        }
        Ok(lines)
    }

    fn exported(&self, statement: &StoredStatement, canonical: bool) -> Result<Vec<ExportedClaim>, ReadError> {
        let mut found: Vec<ExportedClaim> = Vec::new();
        // What a model read does not follow from notes, decisions and configuration.
        let canon = |claim: &&Claim| !canonical || claim.extractor != Extractor::Model;
        for claim in statement.wording.claims.iter().filter(canon) {
            let mut line: Option<ExportedClaim> = None;
            for source in &statement.sources {
                let Ok(place) = self.recheck(&source.row) else { continue };
                let Sorted::Clear(clear) = self.sorted(claim, statement, source, place)? else { continue };
                let (from, until) = clear.validity();
                let line = line.get_or_insert_with(|| ExportedClaim {
                    claim: claim.id.to_string(),
                    subject: clear.subject().to_owned(),
                    predicate: claim.predicate.clone(),
                    object: claim.object.clone(),
                    qualifiers: claim.qualifiers.clone(),
                    relation: claim.relation.clone(),
                    status: clear.status().as_str(),
                    modality: claim.modality.as_str(),
                    negated: claim.negated,
                    attribution: claim.attribution.clone(),
                    phase: claim.phase.as_str(),
                    extractor: claim.extractor.as_str(),
                    confidence: rounded(claim.confidence),
                    valid_from: from.map(|date| date.to_string()),
                    valid_until: until.map(|date| date.to_string()),
                    sources: Vec::new(),
                });
                let place = WirePlace::of(&clear, self.memora.vault.name());
                line.sources.push(ExportedSource {
                    path: place.path,
                    start: place.start,
                    end: place.end,
                    line: place.line,
                    column: place.column,
                    quote: place.quote,
                    url: (!canonical).then_some(place.url),
                    band: clear.place().band().as_str(),
                });
            }
            found.extend(line);
        }
        Ok(found)
    }
}
