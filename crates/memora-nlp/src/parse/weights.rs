//! The model's weights: [`Weights`], from features to scores.
//!
//! A feature is a 32-bit key with weights for some of the actions. Invariant: **a lookup is branchless**, whether the
//! feature is known or not. Nearly all of the time is spent waiting for memory: the tables are larger than the caches that
//! are near, and a processor waits for as many places at once as it sees loads ahead. So what is fetched for one decision is
//! fetched in loops that do nothing else, each of a few instructions, and what is computed with it comes behind.
//! Not here: what the features are.

use std::hint::{black_box, select_unpredictable};
use std::ops::Range;

use crate::parse::features::{FEATURES_MAX, FeatureBuffer};

/// The maximum number of actions of a model. The lanes of a [`ActionScores`] beyond it absorb padding.
pub(crate) const ACTIONS_MAX: usize = 92;

const LANES: usize = 96;

/// The distance between the lanes of two groups in [`GroupSums`]: a power of two, so that a group's lane is found by
/// setting bits, and no index needs a check.
const GROUP_STRIDE: usize = 128;

/// The number of lanes of [`GroupSums`].
const GROUP_LANES: usize = 8 * GROUP_STRIDE;

/// The number of weights in a slot; three quarters of the features have no more.
const INLINE: usize = 2;

/// The number of weights in a chunk. A feature with more is stored with a lane for every action: adding 96 lanes at once
/// is faster than adding some of them one by one.
const CHUNK: usize = 8;

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
    fn add_weight(&mut self, group: u32, entry: ActionWeight) {
        let start = group as usize * GROUP_STRIDE;
        // No group and no action sets a bit beyond the mask: it only says so to the compiler.
        if let Some(lane) = self.0.get_mut((start | usize::from(entry.action)) & (GROUP_LANES - 1)) {
            *lane = lane.wrapping_add(i16::from(entry.weight));
        }
    }

    #[inline(always)]
    fn add_dense(&mut self, group: u32, row: &[i8; LANES]) {
        let start = (group as usize * GROUP_STRIDE) & (GROUP_LANES - 1);
        if let Some(lanes) = self.0.get_mut(start..).and_then(|lanes| lanes.first_chunk_mut::<LANES>()) {
            for (lane, weight) in lanes.iter_mut().zip(row) {
                *lane = lane.wrapping_add(i16::from(*weight));
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
    slots: Vec<WeightSlot>,
    /// Weights of features that do not fit in a slot.
    chunks: Vec<WeightChunk>,
    /// Weights of features that do not fit in a chunk, a lane for every action.
    dense: Vec<[i8; LANES]>,
}

/// A feature. An empty slot has no weights and is harmless as the result of any lookup.
#[derive(Clone, Copy)]
struct WeightSlot {
    key: u32,
    value: SlotValue,
}

/// Two actions in the lower bytes, and their weights in the upper ones; or the index of a chunk or a dense row.
#[derive(Clone, Copy, PartialEq, Eq)]
struct SlotValue(u32);

impl SlotValue {
    /// The bit of a value that is an index, and the bit for which; no action has them.
    const REFERS: u32 = 1 << 7;
    const DENSE: u32 = 1 << 15;

    /// Adds zero to unused lanes.
    const NO_WEIGHTS: Self = Self(ACTIONS_MAX as u32 | (ACTIONS_MAX as u32 + 1) << 8);

    fn from_weights(row: &[ActionWeight]) -> Self {
        let mut value = Self::NO_WEIGHTS.0;
        for (at, entry) in row.iter().take(INLINE).enumerate() {
            let packed = u32::from(entry.action) | u32::from(entry.weight.cast_unsigned()) << 16;
            value = value & !(0x00FF_00FF << (8 * at)) | packed << (8 * at);
        }
        Self(value)
    }

    /// The index is below [`FEATURES_END`].
    fn from_index(index: usize, kind: u32) -> Self {
        Self((index as u32 & 0xFFFF) << 16 | (index as u32 >> 16) & 0x7F | kind | Self::REFERS)
    }

    #[inline(always)]
    fn index(self) -> u32 {
        self.0 >> 16 | (self.0 & 0x7F) << 16
    }

    #[inline(always)]
    fn weights(self) -> [ActionWeight; INLINE] {
        let [action, next_action, weight, next_weight] = self.0.to_le_bytes();
        [(action, weight), (next_action, next_weight)]
            .map(|(action, weight)| ActionWeight { action, weight: weight.cast_signed() })
    }
}

impl WeightSlot {
    const EMPTY: Self = Self { key: 0, value: SlotValue::NO_WEIGHTS };
}

type WeightChunk = [ActionWeight; CHUNK];

/// Adds zero to an unused lane.
const NO_WEIGHT: ActionWeight = ActionWeight { action: ACTIONS_MAX as u8 + 2, weight: 0 };

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
        let dense = longer_than(CHUNK);
        let mut built = Self {
            scale,
            pilots: rows.pilots.to_vec(),
            shift: pilot_shift(rows.pilots.len()),
            slots: vec![WeightSlot::EMPTY; slots],
            chunks: Vec::with_capacity(longer_than(INLINE).saturating_sub(dense)),
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
        }
        Some(built)
    }

    /// Stores a feature's weights and returns its slot.
    fn store_row(&mut self, key: u32, row: &[ActionWeight]) -> WeightSlot {
        let value = if row.len() > CHUNK {
            let mut lanes = [0; LANES];
            for entry in row {
                lanes[usize::from(entry.action)] = entry.weight;
            }
            self.dense.push(lanes);
            SlotValue::from_index(self.dense.len() - 1, SlotValue::DENSE)
        } else if row.len() > INLINE {
            let mut chunk = [NO_WEIGHT; CHUNK];
            chunk.iter_mut().zip(row).for_each(|(to, from)| *to = *from);
            self.chunks.push(chunk);
            SlotValue::from_index(self.chunks.len() - 1, 0)
        } else {
            SlotValue::from_weights(row)
        };
        WeightSlot { key, value }
    }

    #[inline(always)]
    fn find_slot_index(&self, key: u32) -> usize {
        let pilot = self.pilots.get((key >> self.shift) as usize).copied().unwrap_or(0);
        hash_to_slot(key, pilot, self.slots.len())
    }

    /// Returns the sums of the weights of each group of features.
    pub(crate) fn sum_groups<'d>(&self, features: &FeatureBuffer, desk: &'d mut LookupScratch) -> &'d GroupSums {
        let features = features.as_slice();
        for (feature, to) in features.iter().zip(&mut desk.places) {
            *to = self.find_slot_index(feature.key) as u32;
        }
        for (place, to) in desk.places.iter().take(features.len()).zip(&mut desk.slots) {
            *to = self.slots.get(*place as usize).copied().unwrap_or(WeightSlot::EMPTY);
        }
        let (mut further, mut dense) = (0, 0);
        for ((feature, slot), to) in features.iter().zip(&desk.slots).zip(&mut desk.values) {
            // The weights of another feature count as none, and lead nowhere.
            let value = select_unpredictable(slot.key == feature.key, slot.value, SlotValue::NO_WEIGHTS);
            let (refers, is_dense) = (value.0 & SlotValue::REFERS != 0, value.0 & SlotValue::DENSE != 0);
            further = desk.further.push_if(further, refers & !is_dense, (feature.group, value.index()));
            dense = desk.dense.push_if(dense, refers & is_dense, (feature.group, value.index()));
            *to = select_unpredictable(refers, SlotValue::NO_WEIGHTS, value);
        }
        let (further, dense) = (desk.further.first(further), desk.dense.first(dense));
        for ((_, at), to) in further.iter().zip(&mut desk.chunks) {
            *to = self.chunks.get(*at as usize).copied().unwrap_or([NO_WEIGHT; CHUNK]);
        }
        // Both ends of each row are fetched ahead; what they are is of no interest here.
        let fetched = dense.iter().filter_map(|(_, at)| self.dense.get(*at as usize));
        black_box(fetched.fold(0, |any, row| any | row[0] | row[LANES - 1]));
        desk.sums.clear();
        for (feature, value) in features.iter().zip(&desk.values) {
            for entry in value.weights() {
                desk.sums.add_weight(feature.group, entry);
            }
        }
        for ((group, _), chunk) in further.iter().zip(&desk.chunks) {
            for entry in chunk {
                desk.sums.add_weight(*group, *entry);
            }
        }
        for (group, at) in dense {
            if let Some(row) = self.dense.get(*at as usize) {
                desk.sums.add_dense(*group, row);
            }
        }
        &desk.sums
    }
}

/// Reusable buffers of a lookup, to avoid initializing them each time.
pub(crate) struct LookupScratch {
    /// The indexes of the features' slots.
    places: [u32; FEATURES_MAX],
    slots: [WeightSlot; FEATURES_MAX],
    /// The weights that are in the slots.
    values: [SlotValue; FEATURES_MAX],
    /// Groups and indexes of chunks, and the chunks.
    further: FeatureList<(u32, u32)>,
    chunks: [WeightChunk; FEATURES_MAX],
    /// Groups and indexes of dense rows.
    dense: FeatureList<(u32, u32)>,
    sums: GroupSums,
}

impl LookupScratch {
    pub(crate) fn new() -> Self {
        Self {
            places: [0; FEATURES_MAX],
            slots: [WeightSlot::EMPTY; FEATURES_MAX],
            values: [SlotValue::NO_WEIGHTS; FEATURES_MAX],
            further: FeatureList([(0, 0); FEATURES_MAX]),
            chunks: [[NO_WEIGHT; CHUNK]; FEATURES_MAX],
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

/// The number of features that a model can't have: each has an index in a [`SlotValue`].
const FEATURES_END: usize = 1 << 23;

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
