//! The lexical index on disk, built on tantivy.
//!
//! Postings hold no displayable text and no claim: only words, positions, and the statement's id as a number.
//! Invariant: **an index is derived data**. An unreadable index is removed and reported ([`IndexOpenOutcome`]), and the engine
//! rebuilds it from the store; no copy is kept, because words of deleted notes must not outlive them.
//!
//! A writer exists only while changes are applied, so that other processes can read and write in turn. Ranking is in
//! `search`, and uses live documents only: deleted documents have no influence on a score, whether tantivy has dropped
//! them from its files or not. [`TantivyIndex::purge_deleted`] drops them.

mod position;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use jiff::civil::Date;
use memora_claim::StatementId;
use memora_vault::PartialDate;
use tantivy::directory::{Directory, INDEX_WRITER_LOCK, MmapDirectory};
use tantivy::index::SegmentId;
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy};
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument, Term};

use crate::dates::find_named_periods;
use crate::lexical::{IndexChange, IndexPosition, LexicalError, LexicalHit, LexicalIndex, SearchFilter, StatementDoc};
use crate::postings::FIELD_WEIGHTS;
use crate::query::Query;
use crate::search::search_all;
use crate::soundness::{are_files_sound, record_files};
use crate::tokenizer::{StatementTokenizer, TOKENIZER_NAME};
use position::{FollowedPosition, read_position};

/// Must be incremented with every change of the schema or of the tokenizer's output.
const FORMAT_VERSION: u32 = 4;

/// The memory budget of one batch; tantivy needs at least 15 MB.
const HEAP_BYTES: usize = 48 << 20;

/// Larger segments are not merged further: a merge must not delay a small change.
const MERGED_DOCS_MAX: usize = 250_000;

/// The result of opening an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexOpenOutcome {
    /// There was no index: a new, empty one was created.
    Created,
    /// The index was damaged: it was removed, and is empty now.
    Damaged,
    /// The index had the format of another version: it was removed, and is empty now.
    OtherFormat,
    /// The index was opened unchanged.
    Ready,
}

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

/// Token counts of live documents: own (words, subject, object), context, neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TokenTotals {
    pub(crate) docs: u64,
    pub(crate) tokens: [u64; 3],
}

/// The weighted length of each document of a segment, with the field weights of the score.
pub(crate) type DocLengths = Vec<f32>;

/// Returns a document's weighted length from those of its own words, its context and its neighbours.
pub(crate) fn weighted_length([own, context, before]: [f32; 3]) -> f32 {
    own + FIELD_WEIGHTS[3] * context + FIELD_WEIGHTS[4] * before
}

/// A lexical index in a directory of its own.
pub struct TantivyIndex {
    index: Index,
    reader: IndexReader,
    fields: IndexFields,
    dir: PathBuf,
    /// The name that the index was made under.
    label: String,
    position: FollowedPosition,
    totals: Mutex<HashMap<(SegmentId, u32), TokenTotals>>,
    /// The lengths of each document, for the segments of the last search.
    lengths: Mutex<HashMap<SegmentId, Arc<DocLengths>>>,
}

impl std::fmt::Debug for TantivyIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TantivyIndex").field("position", &self.position).finish_non_exhaustive()
    }
}

impl TantivyIndex {
    /// Opens the index in `dir`, or creates an empty one, which also replaces an unreadable one.
    ///
    /// `label` (a word, such as a band) is kept inside: an index that was made under another one is not this index, even
    /// if it lies in this folder.
    ///
    /// # Errors
    /// [`LexicalError::Folder`] when the folder can't be used; [`LexicalError::LockBusy`] when it would have to be
    /// replaced while another process writes to it.
    pub fn open(dir: &Path, label: &str) -> Result<(Self, IndexOpenOutcome), LexicalError> {
        if std::fs::symlink_metadata(dir).is_ok_and(|data| data.is_file()) {
            std::fs::remove_file(dir)?;
        }
        std::fs::create_dir_all(dir)?;
        let opened = if dir.join("meta.json").exists() {
            // tantivy checks sizes after subtracting from them, so a truncated file makes it panic.
            let existing = std::panic::AssertUnwindSafe(|| {
                if has_truncated_file(dir) { Err(LexicalError::Damaged) } else { Self::open_existing(dir, label) }
            });
            match std::panic::catch_unwind(existing).unwrap_or(Err(LexicalError::Damaged)) {
                Ok(Some(index)) => return Ok((index, IndexOpenOutcome::Ready)),
                Ok(None) => IndexOpenOutcome::OtherFormat,
                Err(LexicalError::Damaged | LexicalError::Engine(_)) => IndexOpenOutcome::Damaged,
                Err(error) => return Err(error),
            }
        } else if dir.read_dir()?.next().is_some() {
            IndexOpenOutcome::Damaged
        } else {
            IndexOpenOutcome::Created
        };
        if opened != IndexOpenOutcome::Created {
            remove_damaged(dir)?;
        }
        let (schema, fields) = build_schema();
        let mut index = Self::from_index(Index::create_in_dir(dir, schema)?, fields, dir, label)?;
        index.clear()?;
        Ok((index, opened))
    }

    /// Opens the index in `dir`; returns `None` if it has another format.
    fn open_existing(dir: &Path, label: &str) -> Result<Option<Self>, LexicalError> {
        let index = Index::open_in_dir(dir)?;
        let (schema, fields) = build_schema();
        if index.schema() != schema || read_position(&index, label)?.is_none() {
            return Ok(None);
        }
        if !are_files_sound(dir, &index)? {
            return Err(LexicalError::Damaged);
        }
        Self::from_index(index, fields, dir, label).map(Some)
    }

    fn from_index(index: Index, fields: IndexFields, dir: &Path, label: &str) -> Result<Self, LexicalError> {
        index.tokenizers().register(TOKENIZER_NAME, StatementTokenizer::default());
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let mut position = FollowedPosition::default();
        position.update(read_position(&index, label)?.unwrap_or_default());
        let (dir, label) = (dir.to_owned(), label.to_owned());
        let (totals, lengths) = (Mutex::default(), Mutex::default());
        Ok(Self { index, reader, fields, dir, label, position, totals, lengths })
    }

    /// Loads the commits of other processes.
    ///
    /// # Errors
    /// [`LexicalError`] if the new state can't be read; the previous one stays in use.
    pub fn refresh(&mut self) -> Result<(), LexicalError> {
        let position = read_position(&self.index, &self.label)?.unwrap_or_default();
        self.reader.reload()?;
        self.position.update(position);
        Ok(())
    }

    /// Rewrites the files that still contain words of deleted documents.
    ///
    /// Called after every deletion for the index of guarded statements; for others when there is time.
    ///
    /// # Errors
    /// [`LexicalError`]; files that could not be rewritten are unchanged.
    pub fn purge_deleted(&mut self) -> Result<(), LexicalError> {
        let stale: Vec<SegmentId> = self
            .reader
            .searcher()
            .segment_readers()
            .iter()
            .filter(|segment| segment.has_deletes())
            .map(|segment| segment.segment_id())
            .collect();
        if stale.is_empty() {
            return Ok(());
        }
        let mut writer = self.open_writer()?;
        for segment in stale {
            writer.merge(&[segment]).wait()?;
        }
        writer.garbage_collect_files().wait()?;
        writer.wait_merging_threads()?;
        record_files(&self.dir, &self.index);
        self.refresh()
    }

    /// Reads every file and compares checksums; returns `false` if one is damaged.
    ///
    /// # Errors
    /// [`LexicalError`] if a file can't be read.
    pub fn has_valid_checksums(&self) -> Result<bool, LexicalError> {
        Ok(self.index.validate_checksum()?.is_empty())
    }

    /// Returns the number of statements in the index.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// Whether the index is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn searcher(&self) -> tantivy::Searcher {
        self.reader.searcher()
    }

    pub(crate) fn fields(&self) -> &IndexFields {
        &self.fields
    }

    /// Counts a segment's live documents and tokens, once for each of its states.
    pub(crate) fn segment_totals(&self, segment: &tantivy::SegmentReader) -> Result<TokenTotals, LexicalError> {
        let key = (segment.segment_id(), segment.num_docs());
        // A poisoned lock only means that another search panicked; a cache of sums can't be half made.
        let known = self.totals.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get(&key).copied();
        if let Some(totals) = known {
            return Ok(totals);
        }
        let lengths = segment.fast_fields().u64("lengths")?;
        let mut totals = TokenTotals::default();
        for doc in segment.doc_ids_alive() {
            totals.docs += 1;
            for (sum, length) in totals.tokens.iter_mut().zip(unpack_lengths(lengths.first(doc).unwrap_or_default())) {
                *sum += u64::from(length);
            }
        }
        let mut cache = self.totals.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if cache.len() > 1024 {
            cache.clear();
        }
        cache.insert(key, totals);
        Ok(totals)
    }

    /// Returns the lengths of a segment's documents, cached because they never change.
    pub(crate) fn segment_lengths(&self, segment: &tantivy::SegmentReader) -> Result<Arc<DocLengths>, LexicalError> {
        let key = segment.segment_id();
        let known = self.lengths.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get(&key).cloned();
        if let Some(lengths) = known {
            return Ok(lengths);
        }
        let column = segment.fast_fields().u64("lengths")?;
        let lengths = (0..segment.max_doc())
            .map(|doc| weighted_length(unpack_lengths(column.first(doc).unwrap_or_default()).map(f32::from)));
        let lengths: Arc<DocLengths> = Arc::new(lengths.collect());
        let mut cache = self.lengths.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // Segments that were merged away are evicted.
        let searcher = self.reader.searcher();
        cache.retain(|known, _| searcher.segment_readers().iter().any(|segment| segment.segment_id() == *known));
        cache.insert(key, Arc::clone(&lengths));
        Ok(lengths)
    }

    fn open_writer(&self) -> Result<IndexWriter, LexicalError> {
        // A writer starts its threads each time that it is opened, and merges here are small and awaited.
        let options = IndexWriterOptions::builder().num_worker_threads(1).num_merge_threads(1);
        let writer = self.index.writer_with_options(options.memory_budget_per_thread(HEAP_BYTES).build())?;
        let mut policy = LogMergePolicy::default();
        policy.set_max_docs_before_merge(MERGED_DOCS_MAX);
        policy.set_del_docs_ratio_before_merge(0.3);
        writer.set_merge_policy(Box::new(policy));
        // A writer that was killed before its commit leaves files whose names the next one would take.
        writer.garbage_collect_files().wait()?;
        Ok(writer)
    }

    /// Commits the writes of `change`, all or nothing.
    fn commit_changes(
        &mut self,
        position: IndexPosition,
        change: impl FnOnce(&IndexWriter) -> Result<(), LexicalError>,
    ) -> Result<(), LexicalError> {
        let payload = format!("{FORMAT_VERSION} {:032x} {} {}", position.store, position.sequence, self.label);
        let write = std::panic::AssertUnwindSafe(|| {
            let mut writer = self.open_writer()?;
            change(&writer)?;
            let mut commit = writer.prepare_commit()?;
            commit.set_payload(&payload);
            commit.commit()?;
            writer.wait_merging_threads()?;
            Ok(())
        });
        // Where files cannot be opened or written, a thread of the writer may end in a panic.
        std::panic::catch_unwind(write).unwrap_or(Err(LexicalError::Stopped))?;
        record_files(&self.dir, &self.index);
        self.refresh()
    }
}

impl LexicalIndex for TantivyIndex {
    fn position(&self) -> IndexPosition {
        self.position.get()
    }

    fn apply_changes(
        &mut self,
        position: IndexPosition,
        changes: impl Iterator<Item = IndexChange>,
    ) -> Result<(), LexicalError> {
        let (fields, was_empty, mut words) = (self.fields, self.is_empty(), StatementTokenizer::default());
        self.commit_changes(position, |writer| {
            // Deleting a document that never existed is not free: a first build would look up every statement.
            let mut put = HashSet::new();
            for change in changes {
                match change {
                    IndexChange::Put(doc) => {
                        let known = !put.insert(doc.statement) || !was_empty;
                        if known {
                            writer.delete_term(Term::from_field_u64(fields.id, encode_statement_id(doc.statement)));
                        }
                        writer.add_document(build_document(&fields, &doc, &mut words))?;
                    }
                    IndexChange::Delete(statement) => {
                        writer.delete_term(Term::from_field_u64(fields.id, encode_statement_id(statement)));
                    }
                }
            }
            Ok(())
        })
    }

    fn search(&self, query: &Query, filter: &SearchFilter, limit: usize) -> Result<Vec<LexicalHit>, LexicalError> {
        search_all(&[self], query, filter, limit)
    }

    fn clear(&mut self) -> Result<(), LexicalError> {
        self.commit_changes(IndexPosition::default(), |writer| {
            writer.delete_all_documents()?;
            Ok(())
        })
    }
}

fn build_document(fields: &IndexFields, doc: &StatementDoc, words: &mut StatementTokenizer) -> TantivyDocument {
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

fn build_schema() -> (Schema, IndexFields) {
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

/// Whether a file of a committed segment is shorter than the footer that each has.
///
/// Files of a segment that another process is just writing are short, and that is not an error.
fn has_truncated_file(dir: &Path) -> bool {
    let committed = std::fs::read_to_string(dir.join("meta.json")).unwrap_or_default().replace('-', "");
    let segment = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let id = name.split('.').next().filter(|id| id.len() == 32);
        id.is_some_and(|id| committed.contains(id))
    };
    let Ok(entries) = dir.read_dir() else { return true };
    entries.flatten().any(|entry| segment(&entry.path()) && entry.metadata().is_ok_and(|data| data.len() < 16))
}

/// Moves an unreadable index away in one step, then removes it.
fn remove_damaged(dir: &Path) -> Result<(), LexicalError> {
    let directory = MmapDirectory::open(dir).map_err(|_| LexicalError::Damaged)?;
    let lock = directory.acquire_lock(&INDEX_WRITER_LOCK).map_err(|_| LexicalError::LockBusy)?;
    let mut aside = dir.as_os_str().to_owned();
    aside.push(".damaged");
    let aside = Path::new(&aside);
    if aside.exists() {
        std::fs::remove_dir_all(aside)?;
    }
    std::fs::rename(dir, aside)?;
    drop(lock);
    std::fs::remove_dir_all(aside)?;
    std::fs::create_dir_all(dir)?;
    Ok(())
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
