//! Makes vectors: due statements are embedded in batches, until all are done, the time is up or the user stops it.
//!
//! Invariant: **the lock is never held while embedding.** A batch is embedded first; then, under
//! the lock, it is written if the index has not changed meanwhile. Each batch is committed, and the next run continues
//! with the rest. Changed statements leave every set at once, even sets whose embedder is not available.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use memora_claim::StatementId;
use memora_embed::{EmbedError, Embedder, Vector, quantize};
use memora_retrieve::{StatementDoc, statement_vector};
use memora_store::{ReadError, Snapshot, Store, VectorSet, VectorWriter};
use memora_vault::Band;

use crate::index::progress::{SyncProgress, SyncStage};
use crate::state::embedder::choice::EmbedderChoice;
use crate::state::lexical_indexes::{BANDS, CHUNK, DeriveError, load_docs};
use crate::state::semantic_index::SemanticIndex;

/// Statements written in one batch at most; all their vectors are in memory.
const BATCH_MAX: usize = 4096;

/// Maximum time spent on embedding one batch, so that little is lost when it stops.
const BATCH_TIME: Duration = Duration::from_secs(2);

/// Statements that a slow embedder embeds in one call: about a quarter of a second.
const CHUNK_SLOW: usize = 16;

/// The budget for making vectors.
pub(crate) struct VectorBudget<'a> {
    /// The time for a slow embedder once it is loaded; the built-in one is not limited.
    pub(crate) left: Option<Duration>,
    /// Whether to do everything: begin sets for an embedder that was just chosen, and drop those of others.
    pub(crate) thorough: bool,
    pub(crate) stop: &'a AtomicBool,
}

/// How far the vectors are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct VectorProgress {
    /// Every set has followed the last commit, so that the log of changes may go.
    pub(crate) followed: bool,
    /// Statements without a vector by the embedder that answers.
    pub(crate) due: usize,
    /// The user stopped it.
    pub(crate) stopped: bool,
}

/// A vector set, the changes that it has to follow, and the statements that are due in it.
struct VectorTask<'e> {
    band: Band,
    embedder: String,
    step: VectorStep,
    due: Vec<StatementId>,
    /// The embedder that makes what is due; `None` where it is not available.
    by: Option<&'e dyn Embedder>,
    slow: bool,
}

enum VectorStep {
    /// It is up to date with the index.
    None,
    Follow {
        deleted: Vec<StatementId>,
        changed: Vec<StatementId>,
    },
    /// There is no such set, or the changes since are unknown.
    Begin,
}

/// Embedded vectors that are not written yet, each with the number of its task. A zero vector means none.
type VectorBatch = Vec<(usize, StatementId, Vector)>;

impl SemanticIndex {
    /// Brings the vectors to the snapshot's sequence, as far as the budget goes.
    pub(crate) fn catch_up(
        &self,
        store: &Store,
        snapshot: &Snapshot,
        budget: &VectorBudget<'_>,
        progress: &mut dyn FnMut(SyncProgress),
    ) -> Result<VectorProgress, DeriveError> {
        let sets = snapshot.vectors().sets()?;
        let makers = self.choose_makers(snapshot, &sets, budget)?;
        let until = budget.left.map(|left| Instant::now() + left);
        let serves = self.answering_embedder(&sets);
        let mut tasks = plan_tasks(snapshot, &sets, &makers)?;
        let mut first = true;
        let total: usize = tasks.iter().filter(|task| task.by.is_some()).map(|task| task.due.len()).sum();
        let (mut done, mut stopped) = (0, false);
        while first && tasks.iter().any(|task| !matches!(task.step, VectorStep::None)) || done < total {
            stopped = budget.stop.load(Ordering::Relaxed);
            let late = |task: &VectorTask<'_>| task.slow && until.is_some_and(|until| Instant::now() >= until);
            let mut batch = VectorBatch::new();
            if !stopped {
                embed_batch(snapshot, &mut tasks, &late, budget.stop, &mut batch)?;
            }
            if !first && batch.is_empty() {
                break;
            }
            let written = match store.try_vector_writer()? {
                Some(writer) => write_batch(writer, snapshot, &tasks, first, &batch)?,
                None => false,
            };
            if !written {
                // Another process is writing. The batch is still due; sets have followed only if an earlier one was.
                let lost = batch.iter().filter_map(|(at, ..)| tasks.get(*at));
                let lost = lost.filter(|task| serves.is_maker_of(&task.embedder)).count();
                let due = count_due(&tasks, serves) + lost;
                return Ok(VectorProgress { followed: !first, due, stopped });
            }
            first = false;
            done += batch.len();
            progress(SyncProgress { stage: SyncStage::Vectors, done, total });
            if stopped {
                break;
            }
        }
        let choice = self.embedders.choice();
        if budget.thorough && count_due(&tasks, choice) == 0 && !stopped {
            drop_other_sets(store, &tasks, choice)?;
        }
        Ok(VectorProgress { followed: true, due: count_due(&tasks, serves), stopped })
    }

    /// The embedder that answers, all bands taken together.
    fn answering_embedder(&self, sets: &[VectorSet]) -> EmbedderChoice {
        let choice = self.embedders.choice();
        if has_all_bands(sets, |id| choice.is_maker_of(id)) && self.embedders.is_likely_available() {
            choice
        } else {
            EmbedderChoice::Embedded
        }
    }

    /// The embedders that make vectors now, the fastest first.
    ///
    /// 1. The built-in one, where it was chosen, or stands in for another that is missing or not yet done.
    /// 2. Another that was chosen: by a thorough run always, else when it was done once and something is due.
    fn choose_makers(
        &self,
        snapshot: &Snapshot,
        sets: &[VectorSet],
        budget: &VectorBudget<'_>,
    ) -> Result<Vec<&dyn Embedder>, ReadError> {
        let embedders = &self.embedders;
        let embedded = embedders.builtin();
        if embedders.choice() == EmbedderChoice::Embedded {
            return Ok(vec![embedded]);
        }
        let mine: Vec<&VectorSet> = sets.iter().filter(|set| embedders.choice().is_maker_of(&set.embedder)).collect();
        let made = has_all_bands(mine.iter().copied(), |_| true);
        let mut behind = mine.iter().any(|set| set.sequence != snapshot.sequence());
        for set in &mine {
            behind = behind || snapshot.vectors().counts(set)?.due > 0;
        }
        if budget.thorough || (made && behind && embedders.is_likely_available()) {
            return Ok(match embedders.load_chosen() {
                Ok(chosen) => {
                    let id = chosen.id().as_str();
                    let done = has_all_bands(mine.iter().copied(), |made_by| made_by == id);
                    if done { vec![chosen] } else { vec![embedded, chosen] }
                }
                Err(_) => vec![embedded],
            });
        }
        Ok(if made && embedders.is_likely_available() { Vec::new() } else { vec![embedded] })
    }
}

/// Whether every band has a set that was once done, by an embedder of this id.
fn has_all_bands<'s>(sets: impl IntoIterator<Item = &'s VectorSet>, by: impl Fn(&str) -> bool) -> bool {
    sets.into_iter().filter(|set| set.made && by(&set.embedder)).count() >= BANDS.len()
}

/// How many statements are due in an embedder's sets.
fn count_due(tasks: &[VectorTask<'_>], by: EmbedderChoice) -> usize {
    tasks.iter().filter(|task| by.is_maker_of(&task.embedder)).map(|task| task.due.len()).sum()
}

fn plan_tasks<'e>(
    snapshot: &Snapshot,
    sets: &[VectorSet],
    makers: &[&'e dyn Embedder],
) -> Result<Vec<VectorTask<'e>>, ReadError> {
    let embedded = |id: &str| EmbedderChoice::Embedded.is_maker_of(id);
    let mut wanted: Vec<(Band, String)> = Vec::new();
    for maker in makers {
        wanted.extend(BANDS.map(|band| (band, maker.id().to_string())));
    }
    for set in sets {
        let key = (set.band, set.embedder.clone());
        if !wanted.contains(&key) {
            wanted.push(key);
        }
    }
    wanted
        .into_iter()
        .map(|(band, id)| {
            let set = sets.iter().find(|set| set.band == band && set.embedder == id);
            let known = match set {
                Some(set) => snapshot.changes_since(set.sequence)?,
                None => None,
            };
            let (step, due) = match (set, known) {
                (Some(set), Some(_)) if set.sequence == snapshot.sequence() => {
                    (VectorStep::None, snapshot.vectors().due(set)?)
                }
                (Some(set), Some(known)) => {
                    let mut due: BTreeSet<StatementId> = snapshot.vectors().due(set)?.into_iter().collect();
                    due.retain(|id| known.deleted.binary_search(id).is_err());
                    due.extend(&known.changed);
                    let step = VectorStep::Follow { deleted: known.deleted, changed: known.changed };
                    (step, due.into_iter().collect())
                }
                _ => (VectorStep::Begin, snapshot.statement_ids_in_band(band)?),
            };
            let by = makers.iter().find(|maker| maker.id().as_str() == id).copied();
            Ok(VectorTask { band, slow: !embedded(&id), embedder: id, step, due, by })
        })
        .collect()
}

/// Embeds what is due first, and takes it off the tasks.
fn embed_batch(
    snapshot: &Snapshot,
    tasks: &mut [VectorTask<'_>],
    late: &dyn Fn(&VectorTask<'_>) -> bool,
    stop: &AtomicBool,
    batch: &mut VectorBatch,
) -> Result<(), DeriveError> {
    let began = Instant::now();
    for (at, task) in tasks.iter_mut().enumerate() {
        let Some(embedder) = task.by else { continue };
        while !task.due.is_empty() && !late(task) {
            if batch.len() >= BATCH_MAX || began.elapsed() >= BATCH_TIME || stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let size = if task.slow { CHUNK_SLOW } else { CHUNK };
            let rest = task.due.split_off(size.min(task.due.len()));
            let ids = std::mem::replace(&mut task.due, rest);
            let here = statements_in_band(snapshot, task, &ids)?;
            let docs = load_docs(snapshot, &here, task.band, |source| source.row.band == task.band)?;
            let here: Vec<(StatementId, StatementDoc)> =
                docs.into_iter().filter_map(|(id, doc)| Some((id, doc?))).collect();
            let mut made: HashMap<StatementId, Vector> =
                here.iter().map(|(id, _)| *id).zip(embed_docs(embedder, &here)?).collect();
            // A statement that is no longer in this band has no vector.
            let none = || Vector::zero(embedder.dimensions());
            batch.extend(ids.into_iter().map(|id| (at, id, made.remove(&id).unwrap_or_else(none))));
        }
    }
    Ok(())
}

/// Those of a task's statements that stand in its band: of what changed most is elsewhere, and need not be loaded for each band.
fn statements_in_band(
    snapshot: &Snapshot,
    task: &VectorTask<'_>,
    ids: &[StatementId],
) -> Result<Vec<StatementId>, ReadError> {
    if !matches!(task.step, VectorStep::Follow { .. }) {
        return Ok(ids.to_vec());
    }
    let places = snapshot.statement_places(ids)?;
    let here: HashSet<StatementId> =
        places.iter().filter(|place| place.band == task.band).map(|place| place.statement).collect();
    Ok(ids.iter().copied().filter(|id| here.contains(id)).collect())
}

/// Writes a batch, and with the first one the changes of the sets; `false`, and nothing written, if the index changed.
fn write_batch(
    mut writer: VectorWriter,
    snapshot: &Snapshot,
    tasks: &[VectorTask<'_>],
    first: bool,
    batch: &[(usize, StatementId, Vector)],
) -> Result<bool, DeriveError> {
    let now = snapshot.sequence();
    if writer.sequence()? != now {
        return Ok(false);
    }
    let mut sets: Vec<VectorSet> = Vec::with_capacity(tasks.len());
    for task in tasks {
        let set = writer.find_set(task.band, &task.embedder)?;
        let set = match (&task.step, set) {
            (VectorStep::Begin, _) if first => {
                tracing::debug!(embedder = task.embedder, due = task.due.len(), "a set begins");
                // What is in this very batch need not be marked first.
                writer.begin_set(task.band, &task.embedder, now, &task.due)?
            }
            (VectorStep::Follow { deleted, changed }, Some(set)) if first => {
                if set.sequence < now {
                    writer.advance_set(&set, now, deleted, changed)?;
                }
                set
            }
            (_, Some(set)) if first || set.sequence == now => set,
            // Another process dropped it or took it on.
            _ => return Ok(false),
        };
        sets.push(set);
    }
    for (at, id, vector) in batch {
        let Some(set) = sets.get(*at) else { continue };
        match vector.is_zero() {
            true => writer.remove_vector(set, *id)?,
            false => writer.put_vector(set, *id, &quantize(vector))?,
        }
    }
    writer.commit()?;
    Ok(true)
}

/// Drops the sets that the chosen embedder did not make, once its own are there.
fn drop_other_sets(store: &Store, tasks: &[VectorTask<'_>], choice: EmbedderChoice) -> Result<(), DeriveError> {
    let chosen = |task: &&VectorTask<'_>| choice.is_maker_of(&task.embedder) && task.by.is_some();
    let others: Vec<&VectorTask<'_>> = tasks.iter().filter(|task| !chosen(task)).collect();
    if others.is_empty() || !tasks.iter().any(|task| chosen(&task)) {
        return Ok(());
    }
    let Some(mut writer) = store.try_vector_writer()? else { return Ok(()) };
    for task in others {
        if let Some(set) = writer.find_set(task.band, &task.embedder)? {
            writer.drop_set(&set)?;
        }
    }
    Ok(writer.commit()?)
}

/// A vector for each statement. Equal texts, as titles are, are embedded once, and empty ones not.
fn embed_docs(embedder: &dyn Embedder, docs: &[(StatementId, StatementDoc)]) -> Result<Vec<Vector>, EmbedError> {
    let parts = |doc: &StatementDoc| {
        let joined = |a: &str, b: &str| format!("{a} {b}").trim().to_owned();
        let around = doc.around.trim().to_owned();
        [joined(&doc.subject, &doc.words), around, joined(&doc.title, &doc.headings.join(" "))]
    };
    let parts: Vec<[String; 3]> = docs.iter().map(|(_, doc)| parts(doc)).collect();
    let mut texts: Vec<&str> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for text in parts.iter().flatten().map(String::as_str).filter(|text| !text.is_empty()) {
        known.entry(text).or_insert_with(|| {
            texts.push(text);
            texts.len() - 1
        });
    }
    let made = embedder.embed(&texts)?;
    let none = Vector::zero(embedder.dimensions());
    let of = |text: &String| known.get(text.as_str()).and_then(|at| made.get(*at)).unwrap_or(&none);
    Ok(parts.iter().map(|[words, around, context]| statement_vector(of(words), of(around), of(context))).collect())
}
