//! What the model learnt: [`Weights`], from features to scores.
//!
//! A feature is a 32-bit key; it has a weight for some of the actions. The one rule to know: **a look-up has no
//! branches**, whether the feature is known or not. Most of the time goes into waiting for memory, and a processor that
//! need not guess waits for many features at once. Deliberately not here: what the features are.

use crate::features::{FEATURES_MAX, Feature, Features, GROUPS};

/// How many actions a model may tell apart. The lanes of a [`Sum`] beyond them take what is added for no action.
pub(crate) const ACTIONS_MAX: usize = 92;

const LANES: usize = 96;

/// How many weights lie together.
const CHUNK: usize = 4;

/// A feature with more weights than this has a lane for every action: adding 96 lanes at once is quicker than adding
/// some of them one by one.
const SPARSE_MAX: usize = 16;

/// How many chunks a feature has at most besides the one in its slot.
const FURTHER_MAX: usize = SPARSE_MAX / CHUNK - 1;

/// Scores of all actions, in steps of a model's scale.
///
/// A weight is below 128, and fewer than 256 features make a sum: it cannot overflow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sum([i16; LANES]);

impl Sum {
    pub(crate) const ZERO: Self = Self([0; LANES]);

    fn add_chunk(&mut self, chunk: &Chunk) {
        for entry in chunk {
            if let Some(lane) = self.0.get_mut(usize::from(entry.action)) {
                *lane = lane.wrapping_add(i16::from(entry.weight));
            }
        }
    }

    fn add_dense(&mut self, row: &[i8; LANES]) {
        for (lane, weight) in self.0.iter_mut().zip(row) {
            *lane = lane.wrapping_add(i16::from(*weight));
        }
    }

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
    /// The lowest byte of the key in each slot. A third of all look-ups is for features that are not known; this array
    /// stays in a near cache, and spares them the way to the slots.
    marks: Vec<u8>,
    slots: Vec<Slot>,
    /// Of features with more weights than a slot holds, those with the most first. They are looked up most often, and
    /// so lie together.
    chunks: Vec<Chunk>,
    dense: Vec<[i8; LANES]>,
}

type Chunk = [Entry; CHUNK];

/// A feature. An empty slot adds nothing to any action, and so does no harm whatever key it is taken for.
#[derive(Clone, Copy)]
struct Slot {
    key: u32,
    /// From bit 4 where further weights begin, in bit 3 whether they are dense, in bits 0 to 2 how many chunks there are
    /// if not.
    more: u32,
    first: Chunk,
}

impl Slot {
    const EMPTY: Self = Self { key: 0, more: 0, first: NO_WEIGHTS };
}

/// Adds nothing to lanes of no action, each its own, so that none waits for another.
const NO_WEIGHTS: Chunk = {
    const fn lane(number: u8) -> Entry {
        Entry { action: ACTIONS_MAX as u8 + number, weight: 0 }
    }
    [lane(0), lane(1), lane(2), lane(3)]
};

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
        let entry = |(action, weight): (&u8, &u8)| Entry { action: *action, weight: i8::from_le_bytes([*weight]) };
        let entries: Vec<Entry> = rows.actions.iter().zip(rows.weights).map(entry).collect();
        let mut rest = entries.as_slice();
        let mut split = Vec::with_capacity(rows.keys.len());
        for (key, count) in rows.keys.iter().zip(rows.counts) {
            let (row, behind) = rest.split_at_checked(usize::from(*count))?;
            let ascending = row.is_sorted_by(|one, next| one.action < next.action);
            if !ascending || row.iter().any(|entry| usize::from(entry.action) >= ACTIONS_MAX) {
                return None;
            }
            split.push((*key, row));
            rest = behind;
        }
        split.sort_by_key(|(_, row)| std::cmp::Reverse(row.len()));
        for (key, row) in split {
            let place = built.place(key);
            *built.slots.get_mut(place)? = built.store(key, row);
            *built.marks.get_mut(place)? = key as u8;
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
        let (marks, slots) = (vec![0; slots], vec![Slot::EMPTY; slots]);
        Some(Self { scale, pilots, shift, marks, slots, chunks: Vec::new(), dense: Vec::new() })
    }

    /// Puts a feature's weights away.
    fn store(&mut self, key: u32, row: &[Entry]) -> Slot {
        if row.len() > SPARSE_MAX {
            let mut lanes = [0; LANES];
            for entry in row {
                lanes[usize::from(entry.action)] = entry.weight;
            }
            self.dense.push(lanes);
            return Slot { key, more: (self.dense.len() as u32 - 1) << 4 | 1 << 3, first: NO_WEIGHTS };
        }
        let at = self.chunks.len() as u32;
        let mut chunks = row.chunks(CHUNK).map(|part| {
            let mut chunk = NO_WEIGHTS;
            chunk.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
            chunk
        });
        let first = chunks.next().unwrap_or(NO_WEIGHTS);
        self.chunks.extend(chunks);
        Slot { key, more: at << 4 | (self.chunks.len() as u32 - at), first }
    }

    #[inline(always)]
    fn place(&self, key: u32) -> usize {
        let pilot = self.pilots.get((key >> self.shift) as usize).copied().unwrap_or(0);
        place(key, pilot, self.slots.len())
    }

    /// Returns the sums of the weights of each group of features.
    ///
    /// Each step is done for all features before the next, so that what one waits for is on its way with the rest.
    pub(crate) fn sums(&self, features: &Features, desk: &mut Desk) -> [Sum; GROUPS] {
        desk.places.fill(features.as_slice().iter().map(|feature| self.find(feature)));
        desk.slots.fill(desk.places.as_slice().iter().map(|(feature, place)| self.fetch(feature, *place)));
        let mut sums = [Sum::ZERO; GROUPS];
        self.add(desk, &mut sums);
        sums
    }

    /// Returns a feature's place, and as a count whether it may be there.
    #[inline(always)]
    fn find(&self, feature: &Feature) -> ([(Feature, u32); 1], usize) {
        let place = self.place(feature.key);
        let mark = self.marks.get(place).copied().unwrap_or(0);
        ([(*feature, place as u32)], usize::from(mark == feature.key as u8))
    }

    /// Returns a feature's slot, with its group instead of its key, and as a count whether it is there.
    #[inline(always)]
    fn fetch(&self, feature: &Feature, place: u32) -> ([(u32, Slot); 1], usize) {
        let slot = self.slots.get(place as usize).copied().unwrap_or(Slot::EMPTY);
        ([(feature.group, slot)], usize::from(slot.key == feature.key))
    }

    /// Adds up what was fetched, and what further weights there are.
    fn add(&self, desk: &mut Desk, sums: &mut [Sum; GROUPS]) {
        for (group, slot) in desk.slots.as_slice() {
            if let Some(sum) = sums.get_mut(*group as usize) {
                sum.add_chunk(&slot.first);
            }
        }
        let slots = desk.slots.as_slice().iter();
        desk.further.fill(slots.clone().map(|(group, slot)| {
            let at = slot.more >> 4;
            ([(*group, at), (*group, at + 1), (*group, at + 2)], (slot.more & 7) as usize)
        }));
        desk.dense.fill(slots.map(|(group, slot)| ([(*group, slot.more >> 4)], (slot.more >> 3 & 1) as usize)));
        for (group, at) in desk.further.as_slice() {
            if let (Some(sum), Some(chunk)) = (sums.get_mut(*group as usize), self.chunks.get(*at as usize)) {
                sum.add_chunk(chunk);
            }
        }
        for (group, at) in desk.dense.as_slice() {
            if let (Some(sum), Some(row)) = (sums.get_mut(*group as usize), self.dense.get(*at as usize)) {
                sum.add_dense(row);
            }
        }
    }
}

/// Room for what is found on the way to a sum, so that it need not be made ready each time.
pub(crate) struct Desk {
    places: Few<(Feature, u32), FEATURES_MAX>,
    slots: Few<(u32, Slot), FEATURES_MAX>,
    /// Groups and chunks.
    further: Few<(u32, u32), { FEATURES_MAX * FURTHER_MAX }>,
    /// Groups and dense rows.
    dense: Few<(u32, u32), FEATURES_MAX>,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self {
            places: Few::new((Feature { key: 0, group: 0 }, 0)),
            slots: Few::new((0, Slot::EMPTY)),
            further: Few::new((0, 0)),
            dense: Few::new((0, 0)),
        }
    }
}

/// A short list.
struct Few<T, const MAX: usize> {
    items: [T; MAX],
    len: usize,
}

impl<T: Copy, const MAX: usize> Few<T, MAX> {
    fn new(filler: T) -> Self {
        Self { items: [filler; MAX], len: 0 }
    }

    /// Takes from each lot as many items as are wanted, from its first. Those that are not are written too, because that
    /// takes no branch, and written over by the next.
    #[inline(always)]
    fn fill<const LOT: usize>(&mut self, lots: impl Iterator<Item = ([T; LOT], usize)>) {
        let mut len = 0;
        for (lot, wanted) in lots {
            if let Some(window) = self.items.get_mut(len..len + LOT) {
                window.copy_from_slice(&lot);
                len += wanted;
            }
        }
        self.len = len;
    }

    fn as_slice(&self) -> &[T] {
        self.items.get(..self.len).unwrap_or_default()
    }
}

#[inline(always)]
fn place(key: u32, pilot: u8, slots: usize) -> usize {
    let mixed = u64::from(key ^ u32::from(pilot).wrapping_mul(0x9E37_79B1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (((mixed >> 32) * slots as u64) >> 32) as usize
}
