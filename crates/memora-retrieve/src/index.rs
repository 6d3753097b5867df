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

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use memora_claim::StatementId;
use tantivy::directory::{Directory, INDEX_WRITER_LOCK, MmapDirectory};
use tantivy::index::SegmentId;
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy};

use crate::document::{IndexFields, build_schema, encode_statement_id, find_live_doc, unpack_lengths, weighted_length};
use crate::lexical::{IndexPosition, LexicalError};
use crate::soundness::{are_files_sound, record_files};
use crate::tokenizer::{StatementTokenizer, TOKENIZER_NAME};
use position::{FORMAT_VERSION, FollowedPosition, read_position};

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

/// Token counts of live documents: own (words, subject, object), context, neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TokenTotals {
    pub(crate) docs: u64,
    pub(crate) tokens: [u64; 3],
}

/// The weighted length of each document of a segment, with the field weights of the score.
pub(crate) type DocLengths = Vec<f32>;

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
        index.delete_all()?;
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

    /// Moves to a later position: none of so many changes since the current one concerns this index. Nothing is written: another
    /// process, and the next one, find the index at the position of its last commit.
    pub fn skip_to(&mut self, position: IndexPosition, changes: usize) {
        self.position.followed = position;
        self.position.skipped += changes;
    }

    /// Returns how many changes were skipped since the last commit.
    #[must_use]
    pub fn skipped_changes(&self) -> usize {
        self.position.skipped
    }

    /// Returns the position of the last commit.
    #[must_use]
    pub fn written_position(&self) -> IndexPosition {
        self.position.written
    }

    /// Returns those of some statements that the index has.
    ///
    /// # Errors
    /// [`LexicalError`] if the index can't be read.
    pub fn find_known(&self, statements: &[StatementId]) -> Result<Vec<StatementId>, LexicalError> {
        let searcher = self.reader.searcher();
        let find = || -> Result<Vec<StatementId>, LexicalError> {
            let mut known = Vec::new();
            for statement in statements {
                let id = encode_statement_id(*statement);
                for segment in searcher.segment_readers() {
                    if find_live_doc(segment, self.fields.id, id)?.is_some() {
                        known.push(*statement);
                        break;
                    }
                }
            }
            Ok(known)
        };
        // Reading a damaged file may end in a panic within the library.
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(find)).unwrap_or(Err(LexicalError::Damaged))
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

    /// Where the store was when the index last followed it.
    pub(crate) fn followed_position(&self) -> IndexPosition {
        self.position.get()
    }

    /// Empties it.
    pub(crate) fn delete_all(&mut self) -> Result<(), LexicalError> {
        self.commit_changes(IndexPosition::default(), |writer| {
            writer.delete_all_documents()?;
            Ok(())
        })
    }

    /// Commits the writes of `change`, all or nothing.
    pub(crate) fn commit_changes(
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
