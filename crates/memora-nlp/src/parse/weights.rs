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

/// Keys with their weights, as stored in a model file.
pub(crate) struct FeatureRows<'a> {
    pub(crate) keys: &'a [u32],
    pub(crate) counts: &'a [u8],
    pub(crate) actions: &'a [u8],
    pub(crate) weights: &'a [u8],
}

impl Weights {
    /// Builds the tables; `None` unless keys ascend and each has weights for ascending actions below [`ACTIONS_MAX`].
    pub(crate) fn new(scale: f32, rows: &FeatureRows<'_>) -> Option<Self> {
        if !rows.keys.is_sorted_by(|one, next| one < next) || rows.keys.len() >= 1 << 24 {
            return None;
        }
        let mut built = Self::choose_pilots(scale, rows.keys)?;
        let entry =
            |(action, weight): (&u8, &u8)| ActionWeight { action: *action, weight: i8::from_le_bytes([*weight]) };
        let entries: Vec<ActionWeight> = rows.actions.iter().zip(rows.weights).map(entry).collect();
        let mut rest = entries.as_slice();
        for (key, count) in rows.keys.iter().zip(rows.counts) {
            let (row, behind) = rest.split_at_checked(usize::from(*count))?;
            let ascending = row.is_sorted_by(|one, next| one.action < next.action);
            if !ascending || row.iter().any(|entry| usize::from(entry.action) >= ACTIONS_MAX) {
                return None;
            }
            rest = behind;
            let place = built.find_slot_index(*key);
            *built.slots.get_mut(place)? = built.store_row(*key, row);
            *built.marks.get_mut(place)? = *key as u8;
        }
        Some(built)
    }

    /// Chooses the pilots, the fullest buckets first. `None` if a bucket fits nowhere.
    fn choose_pilots(scale: f32, keys: &[u32]) -> Option<Self> {
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
                    let place = hash_to_slot(*key, *pilot, slots);
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
        let (marks, slots) = (vec![0; slots], vec![WeightSlot::EMPTY; slots]);
        Some(Self { scale, pilots, shift, marks, slots, chunks: Vec::new(), dense: Vec::new() })
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

#[inline(always)]
fn hash_to_slot(key: u32, pilot: u8, slots: usize) -> usize {
    let mixed = u64::from(key ^ u32::from(pilot).wrapping_mul(0x9E37_79B1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (((mixed >> 32) * slots as u64) >> 32) as usize
}
