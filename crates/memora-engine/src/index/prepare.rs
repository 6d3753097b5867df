//! Turns a note file into records of the store.

use std::collections::HashMap;

use crate::index::links;
use crate::index::proposals::ProposalsByPassage;
use crate::state::note_kind::{is_captured, is_memory, is_review};
use memora_claim::{
    Claim, NoteContent, ParsedNote, Source, Statement, StatementId, StatementKind, anchor_span, find_speakers,
};
use memora_extract::ClaimExtractor;
use memora_redact::{LocalDoor, Viewer};
use memora_store::{NoteRecord, PassageKey, StatementRecord};
use memora_vault::{Band, FileStat, FoundNote, Note, NoteProblem, ProblemKind, ReadNoteError, Vault};

/// The version of reading and extraction, derived from their code and data when this is built. With another one, every note is
/// read again.
pub(crate) const READER_VERSION: &str = env!("MEMORA_READER_VERSION");

/// A note read, cut and claimed, ready for the store.
pub(crate) struct PreparedNote {
    pub(crate) record: NoteRecord,
    pub(crate) statements: Vec<StatementRecord>,
    pub(crate) problems: Vec<NoteProblem>,
    pub(crate) passages: Vec<PassageKey>,
}

/// Reads a note of the vault and parses it.
pub(crate) fn read_found_note(
    vault: &Vault,
    found: &FoundNote,
) -> Result<(ParsedNote, Vec<NoteProblem>), ReadNoteError> {
    let text = vault.read_note(&found.path)?;
    let (note, problems) = Note::parse(found.path.clone(), text, found.place);
    Ok((ParsedNote::new(note), problems))
}

/// The records of a note for the store.
///
/// Claims proposed by models are added to those of the rules, and replace none of them.
pub(crate) fn prepare_note(
    fresh: &ParsedNote,
    problems: Vec<NoteProblem>,
    passages: Vec<PassageKey>,
    stat: FileStat,
    extract: ClaimExtractor<'_>,
    kept: &ProposalsByPassage,
) -> PreparedNote {
    let note = fresh.note();
    let mut problems = problems;
    let statements = statement_records(note, fresh, extract, kept, &mut problems);
    problems.sort_unstable();
    problems.dedup();
    PreparedNote { record: note_record(fresh, stat), statements, problems, passages }
}

/// How many places of the same words are kept of one note.
const PLACES_MAX: usize = 1_000;

/// The content of a note, to detect a rename.
pub(crate) fn note_contents(fresh: &ParsedNote) -> NoteContent {
    NoteContent::from_statements(fresh.note().path(), fresh.note().file_fingerprint(), fresh.statements())
}

/// Labels and properties that are more secret than their note stay out: the record gives context to public lines.
fn note_record(fresh: &ParsedNote, stat: FileStat) -> NoteRecord {
    let note = fresh.note();
    let open = |band: Band| band == note.band();
    let properties = note.properties().iter().filter(|p| open(note.band_of_range(p.range.clone())));
    NoteRecord {
        path: note.path().clone(),
        stat,
        hash: note.file_fingerprint(),
        title: note.title().to_owned(),
        subject: note.subject().to_owned(),
        date: note.date(),
        band: note.band(),
        captured: is_captured(note),
        aliases: note.aliases().iter().filter(|label| open(label.band)).map(|label| label.text.clone()).collect(),
        tags: note.tags().iter().filter(|label| open(label.band)).map(|label| label.text.clone()).collect(),
        properties: properties
            .flat_map(|p| p.value.scalar_strings().into_iter().map(|value| (p.key.clone(), value)))
            .collect(),
        outline: fresh.outline(),
    }
}

fn statement_records(
    note: &Note,
    fresh: &ParsedNote,
    extract: ClaimExtractor<'_>,
    kept: &ProposalsByPassage,
    problems: &mut Vec<NoteProblem>,
) -> Vec<StatementRecord> {
    // Memora's own reviews quote what they review: extracting from them would count an echo as a claim.
    if is_review(note) {
        return Vec::new();
    }
    let speakers = find_speakers(note);
    let proposed = kept.ground_claims(fresh, extract, LocalDoor.view());
    let mut links = links::links_by_statement(note, fresh.statements());
    let mut found: Vec<StatementRecord> = Vec::new();
    let mut before: Option<(&[String], StatementId)> = None;
    let is_code = |statement: &Statement| statement.kind == StatementKind::Code;
    // Code is numbered after everything else: it does not separate sentences.
    let mut ordinals = [0, fresh.statements().iter().filter(|statement| !is_code(statement)).count()];
    let mut end = 0;
    let is_memory = is_memory(note);
    // By band too: what is guarded takes no room from what is not.
    let mut places: HashMap<(StatementId, Band), usize> = HashMap::new();
    for (number, statement) in fresh.statements().iter().enumerate() {
        // Properties of a memory are about the memory.
        let is_unclaimed = is_memory && statement.kind == StatementKind::Property;
        let place = places.entry((statement.id, statement.band)).or_default();
        *place += 1;
        if *place > PLACES_MAX {
            if *place == PLACES_MAX + 1 && statement.band == note.band() {
                let line = note.line_column(statement.span.start()).line;
                problems.push(NoteProblem { line, kind: ProblemKind::TooManyRepeats });
            }
            before = before.filter(|_| statement.band == note.band());
            continue;
        }
        let mut claims = if is_unclaimed { Vec::new() } else { extract.extract_claims(note, statement) };
        if claims.is_empty() {
            // A guarded question must not let an older sentence step in front of the public one behind it.
            before = before.filter(|_| statement.band == note.band());
            continue;
        }
        let added = proposed.get(&statement.id).into_iter().flatten();
        let added = added.map(|read| Claim { listed: true, ..read.claim.clone() });
        let added: Vec<_> = added.filter(|claim| claims.iter().all(|rule| rule.id != claim.id)).collect();
        claims.extend(added);
        let source = Source { statement: statement.id, ..anchor_span(fresh, statement.span) };
        let part = note.segments().get(statement.part).filter(|_| !statement.plain.is_empty());
        let ordinal = &mut ordinals[usize::from(is_code(statement))];
        let number_in_note = u32::try_from(*ordinal).unwrap_or(u32::MAX);
        *ordinal += 1;
        // It must not show whether guarded text in between has words.
        let start = statement.span.start();
        before = before.filter(|_| end >= start || note.band_of_range(end..start) == note.band());
        let (block, within) = links::block_numbers(note, statement);
        let line = note.line_column(statement.span.start()).line;
        found.push(StatementRecord {
            kind: statement.kind,
            words: statement.words.clone(),
            source,
            ordinal: number_in_note,
            claims,
            block_id: part.and_then(|segment| segment.block_id.clone()),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            before: before
                .filter(|(headings, _)| !is_code(statement) && *headings == statement.headings)
                .map(|(_, id)| id),
            speaker: speakers
                .get(statement.part)
                .filter(|_| statement.kind != StatementKind::Property)
                .cloned()
                .flatten(),
            block,
            within,
            links: links.remove(&number).unwrap_or_default(),
            cites: statement.cites.clone(),
            former: statement.former.clone(),
        });
        if !is_code(statement) {
            before = Some((&statement.headings, statement.id));
            end = statement.span.end();
        }
    }
    found
}
