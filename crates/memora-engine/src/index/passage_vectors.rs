//! The passages of all notes by what they mean: made ahead of questions.
//!
//! A passage is a run of statements under the same headings, some 500 bytes, and its vector is that of the whole text, title and headings
//! first. Invariant: **a door is compared with what it could have read itself**: the passages of a note are made for each band through the
//! gate, from what a door of that band is shown, so guarded text moves no result and leaves no gap.

use std::collections::{HashSet, VecDeque};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use memora_claim::ParsedNote;
use memora_embed::{Transformer, quantize};
use memora_redact::{CloudDoor, CloudVisibility, DoorView, ExcerptAccess, LocalDoor, Viewer, authorize_excerpts};
use memora_store::{NotePassages, UnreadNote, WriteError};
use memora_vault::{Band, NotePath};

use crate::index::token_vectors::{RETRIES, RETRY, ReadAhead};
use crate::state::note_cache::NoteCache;
use crate::state::open::Memora;

/// The longest text of a passage, in bytes, headings not counted; a statement that is longer is one by itself. More than the transformer
/// reads would not be found.
const BYTES_MAX: usize = 500;

/// Notes that are read and stored in one batch, between two checks of the stop flag.
const BATCH: usize = 8;

/// Notes that are listed at once: to find those that are unread, all are looked at.
const LISTED: usize = 512;

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
        let due = self.store.snapshot()?.vectors().count_notes_without_passages(network.id().as_str())?;
        let mut waiting = VecDeque::new();
        loop {
            // No snapshot is held while the network reads: deleted words could not be wiped.
            let snapshot = self.store.snapshot()?;
            let sequence = snapshot.sequence();
            if waiting.is_empty() {
                let unread =
                    snapshot.vectors().notes_without_passages(network.id().as_str(), LISTED + changed.len())?;
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
