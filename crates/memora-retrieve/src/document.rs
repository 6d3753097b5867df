//! A statement as a document of the index: its fields, and how ids, days and lengths are packed into numbers.

use jiff::civil::Date;
use memora_claim::StatementId;
use memora_vault::PartialDate;
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{DocId, DocSet as _, SegmentReader, TERMINATED, TantivyDocument, Term};

use crate::dates::find_named_periods;
use crate::lexical::{LexicalError, StatementDoc};
use crate::postings::FIELD_WEIGHTS;
use crate::tokenizer::{StatementTokenizer, TOKENIZER_NAME};

/// The fields of the schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexFields {
    /// Words, subject, object, context, before: in the order of the fields.
    pub(crate) text: [Field; 5],
    pub(crate) id: Field,
    lengths: Field,
    note: Field,
    /// The days that the statement's places are dated to.
    days: Field,
    /// The days that the words name.
    named: Field,
}

/// Returns a document's weighted length from those of its own words, its context and its neighbours.
pub(crate) fn weighted_length([own, context, before]: [f32; 3]) -> f32 {
    own + FIELD_WEIGHTS[3] * context + FIELD_WEIGHTS[4] * before
}

pub(crate) fn build_document(
    fields: &IndexFields,
    doc: &StatementDoc,
    words: &mut StatementTokenizer,
) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    let mut lengths = [0u16; 3];
    let mut text = |part: usize, group: usize, text: &str| {
        if !text.is_empty() {
            document.add_text(fields.text[part], text);
            lengths[group] = lengths[group].saturating_add(words.count_tokens(text));
        }
    };
    text(0, 0, &doc.words);
    text(1, 0, &doc.subject);
    text(2, 0, &doc.object);
    for context in [&doc.title].into_iter().chain(&doc.headings).chain(&doc.aliases).chain(&doc.tags) {
        text(3, 1, context);
    }
    text(4, 2, &doc.around);
    document.add_u64(fields.id, encode_statement_id(doc.statement));
    document.add_u64(fields.lengths, pack_lengths(lengths));
    for &note in &doc.notes {
        document.add_u64(fields.note, note);
    }
    for period in &doc.periods {
        document.add_u64(fields.days, pack_days(period.from(), period.until()));
    }
    for period in find_named_periods(&doc.words, doc.date) {
        document.add_u64(fields.named, pack_days(period.from(), period.until()));
    }
    document
}

pub(crate) fn build_schema() -> (Schema, IndexFields) {
    let mut builder = Schema::builder();
    let text = |record| {
        let indexing =
            TextFieldIndexing::default().set_tokenizer(TOKENIZER_NAME).set_fieldnorms(false).set_index_option(record);
        TextOptions::default().set_indexing_options(indexing)
    };
    // Quoted phrases are searched for in the statement and in its context.
    let phrases = || text(IndexRecordOption::WithFreqsAndPositions);
    let words = || text(IndexRecordOption::WithFreqs);
    let fields = IndexFields {
        text: [
            builder.add_text_field("words", phrases()),
            builder.add_text_field("subject", words()),
            builder.add_text_field("object", words()),
            builder.add_text_field("context", phrases()),
            builder.add_text_field("around", words()),
        ],
        id: builder.add_u64_field("id", FAST | INDEXED),
        lengths: builder.add_u64_field("lengths", FAST),
        note: builder.add_u64_field("note", FAST),
        days: builder.add_u64_field("days", FAST),
        named: builder.add_u64_field("named", FAST),
    };
    (builder.build(), fields)
}

/// Finds the live document of a statement in a segment.
pub(crate) fn find_live_doc(segment: &SegmentReader, field: Field, id: u64) -> Result<Option<DocId>, LexicalError> {
    let term = Term::from_field_u64(field, id);
    let list = segment.inverted_index(field)?.read_postings(&term, IndexRecordOption::Basic)?;
    let Some(mut list) = list else { return Ok(None) };
    while list.doc() != TERMINATED {
        if segment.alive_bitset().is_none_or(|alive| alive.is_alive(list.doc())) {
            return Ok(Some(list.doc()));
        }
        list.advance();
    }
    Ok(None)
}

/// Encodes a statement's id as its sixty bits.
pub(crate) fn encode_statement_id(statement: StatementId) -> u64 {
    statement.as_str().bytes().fold(0, |sum, letter| {
        let value = ID_ALPHABET.iter().position(|&b| b == letter).unwrap_or_default();
        sum << 5 | u64::try_from(value).unwrap_or_default()
    })
}

/// Decodes the id with the bits `number`.
pub(crate) fn decode_statement_id(number: u64) -> Option<StatementId> {
    let letters: String = (0..12)
        .rev()
        .map(|i| char::from(ID_ALPHABET[usize::try_from(number >> (5 * i) & 31).unwrap_or_default()]))
        .collect();
    StatementId::parse(&letters).ok()
}

const ID_ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Converts a complete date to a number of days.
pub(crate) fn day_number(date: PartialDate) -> u32 {
    let days =
        date.to_civil().and_then(|date| Date::new(1, 1, 1).ok()?.until(date).ok()).map_or(0, |span| span.get_days());
    u32::try_from(days).unwrap_or_default()
}

/// Packs a first and a last day, the first not after the last.
fn pack_days(from: PartialDate, until: PartialDate) -> u64 {
    let (from, until) = (day_number(from), day_number(until));
    u64::from(from) << 32 | u64::from(until.max(from))
}

pub(crate) fn unpack_days(days: u64) -> (u32, u32) {
    let part = |value: u64| u32::try_from(value & u64::from(u32::MAX)).unwrap_or_default();
    (part(days >> 32), part(days))
}

fn pack_lengths(lengths: [u16; 3]) -> u64 {
    lengths.iter().fold(0, |sum, &length| sum << 16 | u64::from(length))
}

/// Unpacks the lengths of own words, context and neighbours.
pub(crate) fn unpack_lengths(lengths: u64) -> [u16; 3] {
    [32, 16, 0].map(|shift| u16::try_from(lengths >> shift & 0xffff).unwrap_or_default())
}
