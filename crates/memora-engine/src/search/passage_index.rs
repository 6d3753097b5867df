//! The passages of all notes by what they mean: made ahead of questions, found by an exact scan.
//!
//! A passage is a run of statements under the same headings, some 500 bytes, and its vector is that of the whole text, title and headings
//! first. Invariant: **a door is compared with what it could have read itself**: the passages of a note are made for each band through the
//! gate, from what a door of that band is shown, so guarded text moves no result and leaves no gap.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use memora_claim::ParsedNote;
use memora_embed::{Transformer, cosine_to_code, quantize};
use memora_nlp::language_detection::is_english;
use memora_redact::{CloudDoor, CloudVisibility, DoorView, ExcerptAccess, LocalDoor, Viewer, authorize_excerpts};
use memora_store::{Authors, NotePassages, PassageVectors, ReadError, Snapshot, UnreadNote, WriteError};
use memora_vault::{Band, NotePath};

use crate::Memora;
use crate::note_cache::NoteCache;
use crate::search::rerank::{RETRIES, RETRY, ReadAhead};

/// The longest text of a passage, in bytes, headings not counted; a statement that is longer is one by itself. More than the transformer
/// reads would not be found.
const BYTES_MAX: usize = 500;

/// Notes that are read and stored in one batch, between two checks of the stop flag.
const BATCH: usize = 8;

/// Notes that are listed at once: to find those that are unread, all are looked at.
const LISTED: usize = 512;

/// A passage that was found.
pub(crate) struct FoundPassage<'i> {
    pub(crate) note: &'i NotePath,
    /// The hash of the file that it is of.
    pub(crate) hash: memora_vault::Fingerprint,
    pub(crate) range: Range<usize>,
    pub(crate) cosine: f32,
}

/// The passages that were loaded last, by the door and the authors that they are for.
#[derive(Default)]
pub(crate) struct PassageIndex {
    loaded: Mutex<Vec<(PassageVersion, Arc<PassageVectors>)>>,
}

/// How many are kept: a server answers at a door or two.
const LOADED_MAX: usize = 2;

#[derive(Clone, Debug, PartialEq, Eq)]
struct PassageVersion {
    uuid: String,
    sequence: u64,
    /// Changes with every batch of vectors.
    revision: Option<i64>,
    at_most: Band,
    authors: Authors,
}

impl PassageIndex {
    /// The passages that a door may see, of some authors; what is loaded already is shared.
    pub(crate) fn load(
        &self,
        snapshot: &Snapshot,
        door: DoorView,
        authors: Authors,
    ) -> Result<Arc<PassageVectors>, ReadError> {
        let network = Transformer::embedded();
        let revision = snapshot.vector_sets()?.first().map(|set| set.revision);
        let (uuid, sequence, at_most) = (snapshot.uuid().to_string(), snapshot.sequence(), door.strictest_band());
        let version = PassageVersion { uuid, sequence, revision, at_most, authors };
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = loaded.iter().find(|(known, _)| *known == version) {
            return Ok(Arc::clone(known));
        }
        let vectors = snapshot.passage_vectors(network.id().as_str(), at_most, authors, network.dimensions())?;
        let vectors = Arc::new(vectors);
        loaded.retain(|(known, _)| (known.at_most, known.authors) != (at_most, authors));
        loaded.truncate(LOADED_MAX - 1);
        loaded.insert(0, (version, Arc::clone(&vectors)));
        Ok(vectors)
    }
}

/// The passages nearest to a question, the nearest first, of the notes in `among` if given; none for a question in another language than
/// English, which the transformer was trained on: there words find more.
pub(crate) fn rank_passages<'i>(
    vectors: &'i PassageVectors,
    question: &str,
    among: Option<&BTreeSet<NotePath>>,
) -> Vec<FoundPassage<'i>> {
    let network = Transformer::embedded();
    if !Transformer::can_read(question) || !is_english(question) {
        return Vec::new();
    }
    let asked = network.encode_query(question);
    let codes = vectors.codes.chunks_exact(network.dimensions());
    let mut found: Vec<FoundPassage<'i>> = vectors
        .places
        .iter()
        .zip(codes)
        .filter_map(|((note, range), code)| {
            let (note, hash) = vectors.notes.get(*note)?;
            among.is_none_or(|among| among.contains(note)).then(|| FoundPassage {
                note,
                hash: *hash,
                range: range.clone(),
                cosine: cosine_to_code(&asked.mean, code),
            })
        })
        .collect();
    found.sort_by(|a, b| {
        b.cosine.total_cmp(&a.cosine).then_with(|| (a.note, a.range.start).cmp(&(b.note, b.range.start)))
    });
    found
}

/// A passage in the making: its bytes, and its words under their title and headings.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PassageText {
    range: Range<usize>,
    text: String,
}

/// Cuts what a door is shown of a note into passages.
fn cut_passages(fresh: &ParsedNote, door: DoorView) -> Vec<PassageText> {
    let mut found: Vec<PassageText> = Vec::new();
    let (mut bytes, mut under): (usize, Option<Vec<&str>>) = (0, None);
    let sorted = authorize_excerpts(fresh, &door);
    for access in &sorted {
        let ExcerptAccess::Clear(block) = access else { continue };
        let context = block.context();
        for statement in block.passage().statements() {
            let (span, words) = (statement.span.range(), statement.words.as_str());
            match found.last_mut() {
                Some(last) if under.as_ref() == Some(&context) && bytes + words.len() < BYTES_MAX => {
                    last.range.end = last.range.end.max(span.end);
                    last.text.push(' ');
                    last.text.push_str(words);
                    bytes += words.len() + 1;
                }
                _ => {
                    found.push(PassageText { range: span, text: format!("{}: {words}", context.join(" › ")) });
                    bytes = words.len();
                    under = Some(context.clone());
                }
            }
        }
    }
    found
}

/// The passages of a note by band: of the public text in any case, of a stricter band where it has more to show.
fn passages_by_band(fresh: &ParsedNote) -> Vec<(Band, Vec<PassageText>)> {
    let public = CloudDoor::new(CloudVisibility::Public).view();
    let private = CloudDoor::new(CloudVisibility::Private).view();
    let mut found: Vec<(Band, Vec<PassageText>)> = Vec::new();
    for door in [public, private, LocalDoor.view()] {
        let cut = cut_passages(fresh, door);
        if found.last().is_none_or(|(_, below)| *below != cut) {
            found.push((door.strictest_band(), cut));
        }
    }
    found
}

impl Memora {
    /// Has the transformer read the passages of all notes that it has not read as they are, the newest first, until it is done or stopped,
    /// or until `told`, which gets how many notes are done and how many there are, returns `false`. The vault stays usable meanwhile.
    ///
    /// # Errors
    /// [`WriteError`], also for what kept the store from being read.
    pub fn precompute_passages(
        &self,
        stop: &AtomicBool,
        told: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<ReadAhead, WriteError> {
        let network = Transformer::embedded();
        let (mut ahead, mut in_vain) = (ReadAhead::default(), 0);
        // Changed since they were indexed: the next indexing has them.
        let mut changed: HashSet<NotePath> = HashSet::new();
        let due = self.store.snapshot()?.count_notes_without_passages(network.id().as_str())?;
        let mut waiting = VecDeque::new();
        loop {
            // No snapshot is held while the network reads: deleted words could not be wiped.
            let snapshot = self.store.snapshot()?;
            let sequence = snapshot.sequence();
            if waiting.is_empty() {
                let unread = snapshot.notes_without_passages(network.id().as_str(), LISTED + changed.len())?;
                waiting.extend(unread.into_iter().filter(|note| !changed.contains(&note.path)));
            }
            drop(snapshot);
            let notes: Vec<UnreadNote> = waiting.drain(..BATCH.min(waiting.len())).collect();
            if notes.is_empty() {
                return Ok(ReadAhead { complete: true, ..ahead });
            }
            if stop.load(Ordering::Relaxed) || !told(ahead.done, due.max(ahead.done)) {
                return Ok(ahead);
            }
            let cache = NoteCache::new(&self.vault, &self.parsed);
            let mut read = Vec::new();
            for note in notes {
                let fresh = cache.read_note(&note.path).map(|fresh| (fresh.note(), fresh));
                match fresh.filter(|(now, _)| now.file_fingerprint() == note.hash && now.band() == note.band) {
                    Some((_, fresh)) => read.push((note, passages_by_band(fresh))),
                    None => {
                        changed.insert(note.path);
                    }
                }
            }
            let texts = || read.iter().flat_map(|(_, by_band)| by_band).flat_map(|(_, passages)| passages);
            let texts: Vec<&str> = texts().map(|passage| passage.text.as_str()).collect();
            let mut codes = network.embed_texts(&texts).into_iter().map(|vector| quantize(&vector));
            let Some(mut writer) = self.store.try_vector_writer()? else {
                in_vain += 1;
                if in_vain > RETRIES {
                    return Ok(ahead);
                }
                thread::sleep(RETRY);
                waiting.clear();
                continue;
            };
            // What was indexed meanwhile may be read otherwise: it is read again.
            if writer.sequence()? != sequence {
                waiting.clear();
                continue;
            }
            for (note, by_band) in &read {
                let made = by_band.iter().map(|(band, passages)| NotePassages {
                    band: *band,
                    places: passages.iter().map(|passage| passage.range.clone()).collect(),
                    codes: codes.by_ref().take(passages.len()).flatten().collect(),
                });
                writer.put_passages(&note.path, note.hash, network.id().as_str(), &made.collect::<Vec<_>>())?;
            }
            writer.commit()?;
            in_vain = 0;
            ahead.done += read.len();
        }
    }
}
