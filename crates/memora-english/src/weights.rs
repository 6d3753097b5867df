//! What the model learnt: [`Weights`], from features to scores.
//!
//! A feature is a 32-bit key; it has a weight for some of the actions. The one rule to know: **a look-up has no
//! branches**, whether the feature is known or not. Most of the time goes into waiting for memory, and a processor that
//! need not guess waits for many features at once. Deliberately not here: what the features are.

use crate::features::{FEATURES_MAX, Features};

/// How many actions a model may tell apart. The lanes of a [`Sum`] beyond them take what is added for no action.
pub(crate) const ACTIONS_MAX: usize = 92;

const LANES: usize = 96;

/// How many weights lie together.
const CHUNK: usize = 4;

/// A feature with more weights than this has a lane for every action: adding 96 lanes at once is quicker than adding
/// some of them one by one.
const SPARSE_MAX: usize = 16;

/// Scores of all actions, in steps of a model's scale.
///
/// A weight is below 128, and fewer than 256 features make a sum: it cannot overflow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sum([i16; LANES]);

impl Sum {
    pub(crate) const ZERO: Self = Self([0; LANES]);

    pub(crate) fn add(&mut self, other: &Self) {
        for (lane, more) in self.0.iter_mut().zip(&other.0) {
            *lane = lane.wrapping_add(*more);
        }
    }

    /// Returns the scores of `count` actions from number `first` on.
    pub(crate) fn scores(&self, first: usize, count: usize) -> &[i16] {
        self.0.get(first..first + count).unwrap_or_default()
    }
}

/// The weights of one tagger or parser, found by hash and displace: the upper bits of a key choose a pilot, and key and
/// pilot together the only slot that the key can be in. The pilots were chosen so that no two keys share a slot.
pub(crate) struct Weights {
    /// The real weight is this times the stored one.
    pub(crate) scale: f32,
    pilots: Vec<u8>,
    /// By how much to shift a key to get its pilot's number.
    shift: u32,
    slots: Vec<Slot>,
    chunks: Vec<[Entry; CHUNK]>,
    dense: Vec<[i8; LANES]>,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u32,
    /// From bit 4 where the weights begin, in bit 3 whether they are dense, in bits 0 to 2 how many chunks there are if
    /// not. An empty slot has 0 chunks, and so does no harm whatever key it is taken for.
    row: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    action: u8,
    weight: i8,
}

/// Keys with their weights, as a model file has them.
pub(crate) struct Rows<'a> {
    pub(crate) keys: &'a [u32],
    pub(crate) counts: &'a [u8],
    pub(crate) actions: &'a [u8],
    pub(crate) weights: &'a [u8],
}

impl Weights {
    /// Builds the tables, if the keys ascend, each with weights for ascending actions below [`ACTIONS_MAX`].
    pub(crate) fn new(scale: f32, rows: &Rows<'_>) -> Option<Self> {
        if !rows.keys.is_sorted_by(|one, next| one < next) || rows.keys.len() >= 1 << 24 {
            return None;
        }
        let mut built = Self::placed(scale, rows.keys)?;
        let mut weights = rows.actions.iter().zip(rows.weights);
        for (key, count) in rows.keys.iter().zip(rows.counts) {
            let row: Vec<Entry> = weights
                .by_ref()
                .take(usize::from(*count))
                .map(|(action, weight)| Entry { action: *action, weight: i8::from_le_bytes([*weight]) })
                .collect();
            let ascending = row.is_sorted_by(|one, next| one.action < next.action);
            if row.len() != usize::from(*count)
                || !ascending
                || row.iter().any(|entry| usize::from(entry.action) >= ACTIONS_MAX)
            {
                return None;
            }
            let place = built.place(*key);
            let row = built.store(&row);
            *built.slots.get_mut(place)? = Slot { key: *key, row };
        }
        Some(built)
    }

    /// Chooses the pilots, the fullest buckets first, while there is most room. `None` if some bucket fits nowhere.
    fn placed(scale: f32, keys: &[u32]) -> Option<Self> {
        let buckets = (keys.len() / 3).max(2).next_power_of_two();
        let shift = u32::BITS - buckets.trailing_zeros();
        let slots = keys.len() + keys.len() / 3 + 16;
        let mut taken = vec![false; slots];
        let mut pilots = vec![0; buckets];
        let mut by_bucket: Vec<&[u32]> = keys.chunk_by(|one, next| one >> shift == next >> shift).collect();
        by_bucket.sort_by_key(|bucket| std::cmp::Reverse(bucket.len()));
        let mut places = Vec::new();
        for bucket in by_bucket {
            let pilot = (0..=u8::MAX).find(|pilot| {
                places.clear();
                bucket.iter().all(|key| {
                    let place = place(*key, *pilot, slots);
                    let free = !taken[place] && !places.contains(&place);
                    places.push(place);
                    free
                })
            })?;
            places.iter().for_each(|place| taken[*place] = true);
            if let Some(key) = bucket.first() {
                pilots[(key >> shift) as usize] = pilot;
            }
        }
        let slots = vec![Slot::default(); slots];
        Some(Self { scale, pilots, shift, slots, chunks: Vec::new(), dense: Vec::new() })
    }

    /// Puts a feature's weights away, and returns what its slot says of them.
    fn store(&mut self, row: &[Entry]) -> u32 {
        if row.len() > SPARSE_MAX {
            let mut lanes = [0; LANES];
            for entry in row {
                lanes[usize::from(entry.action)] = entry.weight;
            }
            self.dense.push(lanes);
            return (self.dense.len() as u32 - 1) << 4 | 1 << 3;
        }
        let first = self.chunks.len() as u32;
        for part in row.chunks(CHUNK) {
            // Nothing is added in lanes of no action, each in its own, so that none waits for another.
            let mut chunk = [0, 1, 2, 3].map(|lane| Entry { action: ACTIONS_MAX as u8 + lane, weight: 0 });
            chunk.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
            self.chunks.push(chunk);
        }
        first << 4 | row.len().div_ceil(CHUNK) as u32
    }

    #[inline(always)]
    fn place(&self, key: u32) -> usize {
        let pilot = self.pilots.get((key >> self.shift) as usize).copied().unwrap_or(0);
        place(key, pilot, self.slots.len())
    }

    /// Adds the weights of `features` to `sum`.
    pub(crate) fn add(&self, features: &Features, sum: &mut Sum) {
        const CHUNKS_MAX: usize = SPARSE_MAX / CHUNK;
        let mut chunks = [0; FEATURES_MAX * CHUNKS_MAX];
        let mut chunks_count = 0;
        let mut dense = [0; FEATURES_MAX];
        let mut dense_count = 0;
        // What is not known is written too, and written over by the next.
        for key in features.keys() {
            let slot = self.slots.get(self.place(*key)).copied().unwrap_or_default();
            let row = if slot.key == *key { slot.row } else { 0 };
            let at = row >> 4;
            if let Some(window) = chunks.get_mut(chunks_count..chunks_count + CHUNKS_MAX) {
                window.copy_from_slice(&[at, at + 1, at + 2, at + 3]);
            }
            chunks_count += (row & 7) as usize;
            if let Some(one) = dense.get_mut(dense_count) {
                *one = at;
            }
            dense_count += (row >> 3 & 1) as usize;
        }
        for at in chunks.get(..chunks_count).unwrap_or_default() {
            for entry in self.chunks.get(*at as usize).into_iter().flatten() {
                if let Some(lane) = sum.0.get_mut(usize::from(entry.action)) {
                    *lane = lane.wrapping_add(i16::from(entry.weight));
                }
            }
        }
        for at in dense.get(..dense_count).unwrap_or_default() {
            for (lane, weight) in sum.0.iter_mut().zip(self.dense.get(*at as usize).into_iter().flatten()) {
                *lane = lane.wrapping_add(i16::from(*weight));
            }
        }
    }
}

#[inline(always)]
fn place(key: u32, pilot: u8, slots: usize) -> usize {
    let mixed = u64::from(key ^ u32::from(pilot).wrapping_mul(0x9E37_79B1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (((mixed >> 32) * slots as u64) >> 32) as usize
}
