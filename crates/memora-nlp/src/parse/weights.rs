//! The model's weights: [`Weights`], from features to scores.
//!
//! A feature is a 32-bit key with weights for some of the actions. Invariant: **a lookup is branchless**, whether the
//! feature is known or not. Half of the time is spent waiting for memory, and a processor that does not mispredict
//! has many lookups in flight. For the same reason each step is a short loop of its own: the shorter it is, the more
//! lookups overlap. Not here: what the features are.

use std::ops::Range;

use crate::parse::features::{FEATURES_MAX, Feature, FeatureBuffer};

/// The maximum number of actions of a model. The lanes of a [`Sum`] beyond it absorb padding.
pub(crate) const ACTIONS_MAX: usize = 92;

const LANES: usize = 96;

/// The distance between the lanes of two groups in [`GroupSums`]: a power of two, so that a group's lane is found by
/// setting bits, and no index needs a check.
const GROUP_STRIDE: usize = 128;

/// The number of lanes of [`GroupSums`].
const GROUP_LANES: usize = 8 * GROUP_STRIDE;

/// The number of weights in a chunk.
const CHUNK: usize = 4;

/// A feature with more weights than this is stored with a lane for every action: adding 96 lanes at once is faster than
/// adding some of them one by one.
const SPARSE_MAX: usize = 2 * CHUNK;

/// The scores of all actions, in units of the model's scale.
///
/// No weight exceeds 128, and a sum has at most [`FEATURES_MAX`] features: neither it nor a difference overflows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ActionScores([i16; LANES]);

impl ActionScores {
    pub(crate) const ZERO: Self = Self([0; LANES]);

    pub(crate) fn accumulate(&mut self, other: &Self) {
        for (lane, more) in self.0.iter_mut().zip(&other.0) {
            *lane = lane.wrapping_add(*more);
        }
    }

    /// Returns the scores of a range of actions.
    pub(crate) fn slice(&self, actions: Range<usize>) -> &[i16] {
        self.0.get(actions).unwrap_or_default()
    }
}

/// The scores of each group of features, side by side.
pub(crate) struct GroupSums([i16; GROUP_LANES]);

impl GroupSums {
    const ZERO: Self = Self([0; GROUP_LANES]);

    fn clear(&mut self) {
        self.0 = [0; GROUP_LANES];
    }

    #[inline(always)]
    fn add_chunk(&mut self, group: u32, chunk: &WeightChunk) {
        let start = group as usize * GROUP_STRIDE;
        for entry in chunk {
            // No group and no action sets a bit beyond the mask: it only says so to the compiler.
            if let Some(lane) = self.0.get_mut((start | usize::from(entry.action)) & (GROUP_LANES - 1)) {
                *lane = lane.wrapping_add(i16::from(entry.weight));
            }
        }
    }

    #[inline(always)]
    fn add_dense(&mut self, group: u32, row: &[i16; LANES]) {
        let start = (group as usize * GROUP_STRIDE) & (GROUP_LANES - 1);
        if let Some(lanes) = self.0.get_mut(start..).and_then(|lanes| lanes.first_chunk_mut::<LANES>()) {
            for (lane, weight) in lanes.iter_mut().zip(row) {
                *lane = lane.wrapping_add(*weight);
            }
        }
    }

    /// Returns the scores of one group.
    pub(crate) fn group(&self, group: u32) -> ActionScores {
        let start = group as usize * GROUP_STRIDE;
        self.0
            .get(start..)
            .and_then(|lanes| lanes.first_chunk::<LANES>())
            .map_or(ActionScores::ZERO, |l| ActionScores(*l))
    }
}

/// The weights of one tagger or parser, in a hash-and-displace table: the upper bits of a key select a pilot, and key
/// and pilot together determine the only possible slot. The pilots are chosen so that no two keys share a slot.
pub(crate) struct Weights {
    /// The factor from stored to real weights.
    pub(crate) scale: f32,
    pilots: Vec<u8>,
    /// The shift from a key to its pilot's index.
    shift: u32,
    /// The lowest byte of the key in each slot. A third of all lookups is for unknown features; this array stays in the
    /// cache and avoids the access to the slots.
    marks: Vec<u8>,
    slots: Vec<WeightSlot>,
    /// Weights of features that do not fit in a slot. They are looked up most often, and are contiguous here.
    chunks: Vec<WeightChunk>,
    /// Weights of features that do not fit in two chunks, as wide as the lanes they are added to.
    dense: Vec<[i16; LANES]>,
}

type WeightChunk = [ActionWeight; CHUNK];

/// A feature. An empty slot has no weights and is harmless as the result of any lookup.
#[derive(Clone, Copy)]
struct WeightSlot {
    key: u32,
    /// The location of further weights: the index of a dense row or of a chunk, shifted by two, and a flag for which of
    /// them it is, if any.
    more: u32,
    first: WeightChunk,
}

/// Bits of [`Slot::more`].
const CHUNKED: u32 = 1;
const DENSE: u32 = 2;

impl WeightSlot {
    const EMPTY: Self = Self { key: 0, more: 0, first: NO_WEIGHTS };
}

/// Adds zero to unused lanes, a different one each, to avoid dependencies.
const NO_WEIGHTS: WeightChunk = {
    const fn lane(number: u8) -> ActionWeight {
        ActionWeight { action: ACTIONS_MAX as u8 + number, weight: 0 }
    }
    [lane(0), lane(1), lane(2), lane(3)]
};

#[derive(Clone, Copy)]
struct ActionWeight {
    action: u8,
    weight: i8,
}

/// Features with their weights, as stored in a model file: in the order of their slots, so that memory is written from its
/// beginning to its end. In any other order a process would spend most of its start here, waiting for memory.
pub(crate) struct FeatureRows<'a> {
    /// [`pilot_count`] of them.
    pub(crate) pilots: &'a [u8],
    pub(crate) keys: &'a [u32],
    pub(crate) counts: &'a [u8],
    pub(crate) actions: &'a [u8],
    pub(crate) weights: &'a [u8],
}

impl Weights {
    /// Builds the tables; `None` unless each feature has a slot behind the one before it, and weights for ascending actions
    /// below [`ACTIONS_MAX`].
    pub(crate) fn new(scale: f32, rows: &FeatureRows<'_>) -> Option<Self> {
        if rows.keys.len() >= FEATURES_END || rows.pilots.len() != pilot_count(rows.keys.len()) {
            return None;
        }
        let slots = slot_count(rows.keys.len());
        // Tables that grew would be copied, which costs a process more of its start than counting. No wrong count makes them larger than
        // there are weights.
        let longer_than = |length: usize| {
            let longer = rows.counts.iter().filter(|count| usize::from(**count) > length).count();
            longer.min(rows.weights.len() / (length + 1))
        };
        let dense = longer_than(SPARSE_MAX);
        let mut built = Self {
            scale,
            pilots: rows.pilots.to_vec(),
            shift: pilot_shift(rows.pilots.len()),
            marks: vec![0; slots],
            slots: vec![WeightSlot::EMPTY; slots],
            chunks: Vec::with_capacity(longer_than(CHUNK).saturating_sub(dense)),
            dense: Vec::with_capacity(dense),
        };
        let (mut actions, mut weights) = (rows.actions, rows.weights);
        let (mut row, mut free_from) = (Vec::new(), 0);
        for (key, count) in rows.keys.iter().zip(rows.counts) {
            let (of_row, behind) = actions.split_at_checked(usize::from(*count))?;
            let (weights_of_row, weights_behind) = weights.split_at_checked(usize::from(*count))?;
            (actions, weights) = (behind, weights_behind);
            let is_ascending = of_row.is_sorted_by(|one, next| one < next);
            if !is_ascending || of_row.last().is_some_and(|last| usize::from(*last) >= ACTIONS_MAX) {
                return None;
            }
            let place = built.find_slot_index(*key);
            if place < free_from {
                return None;
            }
            free_from = place + 1;
            row.clear();
            let entry = |(action, weight): (&u8, &u8)| ActionWeight { action: *action, weight: weight.cast_signed() };
            row.extend(of_row.iter().zip(weights_of_row).map(entry));
            *built.slots.get_mut(place)? = built.store_row(*key, &row);
            *built.marks.get_mut(place)? = *key as u8;
        }
        Some(built)
    }

    /// Stores a feature's weights and returns its slot.
    fn store_row(&mut self, key: u32, row: &[ActionWeight]) -> WeightSlot {
        if row.len() > SPARSE_MAX {
            let mut lanes = [0; LANES];
            for entry in row {
                lanes[usize::from(entry.action)] = i16::from(entry.weight);
            }
            self.dense.push(lanes);
            return WeightSlot { key, more: (self.dense.len() as u32 - 1) << 2 | DENSE, first: NO_WEIGHTS };
        }
        let mut chunks = row.chunks(CHUNK).map(|part| {
            let mut chunk = NO_WEIGHTS;
            chunk.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
            chunk
        });
        let first = chunks.next().unwrap_or(NO_WEIGHTS);
        let more = chunks.next().map_or(0, |chunk| {
            self.chunks.push(chunk);
            (self.chunks.len() as u32 - 1) << 2 | CHUNKED
        });
        WeightSlot { key, more, first }
    }

    #[inline(always)]
    fn find_slot_index(&self, key: u32) -> usize {
        let pilot = self.pilots.get((key >> self.shift) as usize).copied().unwrap_or(0);
        hash_to_slot(key, pilot, self.slots.len())
    }

    /// Returns the sums of the weights of each group of features.
    pub(crate) fn sum_groups<'d>(&self, features: &FeatureBuffer, desk: &'d mut LookupScratch) -> &'d GroupSums {
        let mut known = 0;
        for feature in features.as_slice() {
            let place = self.find_slot_index(feature.key);
            let mark = self.marks.get(place).copied().unwrap_or(0);
            known = desk.places.push_if(known, mark == feature.key as u8, (*feature, place as u32));
        }
        let (mut found, mut further, mut dense) = (0, 0, 0);
        for (feature, place) in desk.places.first(known) {
            let slot = self.slots.get(*place as usize).unwrap_or(&WeightSlot::EMPTY);
            // The weights of another feature count as none, and lead nowhere.
            let here = slot.key == feature.key;
            let more = if here { slot.more } else { 0 };
            found = desk.chunks.push_if(found, here, (feature.group, slot.first));
            further = desk.further.push_if(further, more & CHUNKED != 0, (feature.group, more >> 2));
            dense = desk.dense.push_if(dense, more & DENSE != 0, (feature.group, more >> 2));
        }
        desk.sums.clear();
        for (group, chunk) in desk.chunks.first(found) {
            desk.sums.add_chunk(*group, chunk);
        }
        for (group, at) in desk.further.first(further) {
            if let Some(chunk) = self.chunks.get(*at as usize) {
                desk.sums.add_chunk(*group, chunk);
            }
        }
        for (group, at) in desk.dense.first(dense) {
            if let Some(row) = self.dense.get(*at as usize) {
                desk.sums.add_dense(*group, row);
            }
        }
        &desk.sums
    }
}

/// Reusable buffers of a lookup, to avoid initializing them each time.
pub(crate) struct LookupScratch {
    /// Features that may be known, with their slots.
    places: FeatureList<(Feature, u32)>,
    /// Groups and first chunks of the known features.
    chunks: FeatureList<(u32, WeightChunk)>,
    /// Groups and numbers of chunks.
    further: FeatureList<(u32, u32)>,
    /// Groups and numbers of dense rows.
    dense: FeatureList<(u32, u32)>,
    sums: GroupSums,
}

impl LookupScratch {
    pub(crate) fn new() -> Self {
        Self {
            places: FeatureList([(Feature { key: 0, group: 0 }, 0); FEATURES_MAX]),
            chunks: FeatureList([(0, NO_WEIGHTS); FEATURES_MAX]),
            further: FeatureList([(0, 0); FEATURES_MAX]),
            dense: FeatureList([(0, 0); FEATURES_MAX]),
            sums: GroupSums::ZERO,
        }
    }
}

/// A list with room for all features of a lookup.
struct FeatureList<T>([T; FEATURES_MAX]);

impl<T: Copy> FeatureList<T> {
    /// Writes `item` behind the first `len`, and returns the new length. An unwanted item is written too,
    /// because that avoids a branch, but is not counted.
    ///
    /// `len` is below [`FEATURES_MAX`], since no list gets more items than there are features; the mask says so to
    /// the compiler.
    #[inline(always)]
    fn push_if(&mut self, len: usize, wanted: bool, item: T) -> usize {
        if let Some(slot) = self.0.get_mut(len & (FEATURES_MAX - 1)) {
            *slot = item;
        }
        len + usize::from(wanted)
    }

    fn first(&self, len: usize) -> &[T] {
        self.0.get(..len).unwrap_or_default()
    }
}

/// The number of features that a model can't have: each has a location in [`WeightSlot::more`].
const FEATURES_END: usize = 1 << 24;

/// The number of pilots for so many keys: a power of two.
pub(crate) fn pilot_count(keys: usize) -> usize {
    (keys / 3).max(2).next_power_of_two()
}

fn pilot_shift(pilots: usize) -> u32 {
    u32::BITS - pilots.trailing_zeros()
}

fn slot_count(keys: usize) -> usize {
    keys + keys / 3 + 16
}

#[inline(always)]
fn hash_to_slot(key: u32, pilot: u8, slots: usize) -> usize {
    let mixed = u64::from(key ^ u32::from(pilot).wrapping_mul(0x9E37_79B1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (((mixed >> 32) * slots as u64) >> 32) as usize
}

/// Chooses the pilots of ascending keys, and puts the keys in the order of their slots, as a model file has both. The fullest
/// buckets come first, each with the least pilot with which all of its keys have free slots.
#[cfg(test)]
pub(crate) fn arrange_keys(keys: &mut [u32]) -> Vec<u8> {
    let (slots, mut pilots) = (slot_count(keys.len()), vec![0; pilot_count(keys.len())]);
    let shift = pilot_shift(pilots.len());
    let mut taken = vec![false; slots];
    let mut by_bucket: Vec<&[u32]> = keys.chunk_by(|one, next| one >> shift == next >> shift).collect();
    by_bucket.sort_by_key(|bucket| std::cmp::Reverse(bucket.len()));
    for bucket in by_bucket {
        let places_with = |pilot| {
            let mut places: Vec<usize> = bucket.iter().map(|key| hash_to_slot(*key, pilot, slots)).collect();
            places.sort_unstable();
            places.dedup();
            (places.len() == bucket.len() && places.iter().all(|place| !taken[*place])).then_some((pilot, places))
        };
        let (pilot, places) = (0..=u8::MAX).find_map(places_with).expect("a bucket has a pilot");
        places.into_iter().for_each(|place| taken[place] = true);
        pilots[(bucket[0] >> shift) as usize] = pilot;
    }
    keys.sort_by_key(|key| hash_to_slot(*key, pilots[(key >> shift) as usize], slots));
    pilots
}
