//! The neighbours of a statement in its note: the statements before and after it, under the same headings.
//!
//! Invariant: **the walk ends at the first neighbour that may not be seen**, and where the chain is broken. Skipping it
//! would reveal, by the text after it, whether a guarded line is there.

use std::collections::BTreeMap;

use memora_claim::StatementId;
use memora_vault::Band;
use rusqlite::params;

use crate::record::{Neighbour, StoredSource};
use crate::{ReadError, Snapshot, codec};

/// Number of statements before one that count as its neighbours, and after it.
const IN_FRONT_MAX: u32 = 6;
const BEHIND_MAX: u32 = 3;

/// The neighbours of a statement, nearest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// Those before it.
    pub in_front: Vec<Neighbour>,
    /// Those after it.
    pub behind: Vec<Neighbour>,
}

impl Neighbours {
    /// Returns all of them, in the order of the note.
    pub fn in_order(&self) -> impl Iterator<Item = &Neighbour> {
        self.in_front.iter().rev().chain(&self.behind)
    }
}

impl Snapshot {
    /// Returns the neighbours of a source that are visible in a band.
    pub fn neighbours(&self, source: &StoredSource, band: Band) -> Result<Neighbours, ReadError> {
        let mut query = self.conn()?.prepare_cached(
            "SELECT s.ordinal, s.ordinal - s.before, s.statement, s.band, w.words
             FROM notes AS n CROSS JOIN sources AS s ON s.note = n.id AND s.ordinal BETWEEN ?2 AND ?3
             JOIN wordings AS w ON w.id = s.wording
             WHERE n.path = ?1",
        )?;
        let (first, last) = ordinal_window(source.ordinal);
        let mut rows = query.query(params![source.row.note.as_str(), first, last])?;
        let mut places = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let neighbour = Neighbour {
                statement: codec::decode_statement(row.get(2)?)?,
                words: row.get(4)?,
                band: codec::decode_band(row.get(3)?)?,
            };
            let link = PrecedingLink { before: row.get(1)?, open: neighbour.band <= band };
            places.insert(row.get(0)?, (link, neighbour));
        }
        let links: PrecedingLinks = places.iter().map(|(ordinal, (link, _))| (*ordinal, *link)).collect();
        let (in_front, behind) = reachable_ordinals(&links, source.ordinal);
        let mut take = |ordinals: Vec<u32>| -> Vec<Neighbour> {
            ordinals.into_iter().filter_map(|ordinal| Some(places.remove(&ordinal)?.1)).collect()
        };
        Ok(Neighbours { in_front: take(in_front), behind: take(behind) })
    }
}

/// The link from a source to the one before it.
#[derive(Clone, Copy)]
pub(crate) struct PrecedingLink {
    /// The ordinal of the statement before it, under the same headings.
    pub(crate) before: Option<u32>,
    /// Whether it may be seen.
    pub(crate) open: bool,
}

/// The links of a note's sources, or of adjacent ones.
pub(crate) type PrecedingLinks = BTreeMap<u32, PrecedingLink>;

/// Returns the first and the last ordinal that can be a neighbour.
fn ordinal_window(ordinal: u32) -> (u32, u32) {
    (ordinal.saturating_sub(IN_FRONT_MAX), ordinal.saturating_add(BEHIND_MAX))
}

/// Returns the ordinals before and after one, nearest first.
fn reachable_ordinals(links: &PrecedingLinks, ordinal: u32) -> (Vec<u32>, Vec<u32>) {
    let (first, last) = ordinal_window(ordinal);
    let open = |ordinal: &u32| links.get(ordinal).is_some_and(|link| link.open);
    let in_front = |at: u32| {
        let before = links.get(&at)?.before?;
        Some(before).filter(|before| (first..at).contains(before) && open(before))
    };
    let behind = |at: u32| {
        let mut later = links.range(at..=last.max(at)).filter(|(next, _)| **next > at);
        later.find(|(_, link)| link.before == Some(at)).map(|(next, _)| *next).filter(open)
    };
    let walk = |step: &dyn Fn(u32) -> Option<u32>| {
        let mut found = Vec::new();
        let mut at = ordinal;
        while let Some(next) = step(at) {
            found.push(next);
            at = next;
        }
        found
    };
    (walk(&in_front), walk(&behind))
}

/// Returns for each source of a note the neighbours, with their bands, that a derived index may depend on.
pub(crate) fn collect_keys(
    places: &BTreeMap<u32, (PrecedingLink, StatementId, Band)>,
) -> BTreeMap<u32, Vec<(StatementId, Band)>> {
    let links: PrecedingLinks = places.iter().map(|(ordinal, (link, ..))| (*ordinal, *link)).collect();
    let of = |ordinal: u32| {
        let (in_front, behind) = reachable_ordinals(&links, ordinal);
        // Itself between them: a guarded line that moves from after it to before it cuts off another side.
        let all = in_front.into_iter().rev().chain([ordinal]).chain(behind);
        all.filter_map(|at| places.get(&at).map(|(_, statement, band)| (*statement, *band))).collect()
    };
    places.keys().map(|ordinal| (*ordinal, of(*ordinal))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(befores: &[Option<u32>], guarded: &[u32]) -> PrecedingLinks {
        let link = |(ordinal, before): (u32, &Option<u32>)| {
            (ordinal, PrecedingLink { before: *before, open: !guarded.contains(&ordinal) })
        };
        (0..).zip(befores).map(link).collect()
    }

    #[test]
    fn the_nearest_come_first_and_no_further_than_the_window() {
        let chain: Vec<Option<u32>> = (0..20).map(|at: u32| at.checked_sub(1)).collect();
        assert_eq!(reachable_ordinals(&links(&chain, &[]), 10), (vec![9, 8, 7, 6, 5, 4], vec![11, 12, 13]));
        assert_eq!(reachable_ordinals(&links(&chain, &[]), 0), (vec![], vec![1, 2, 3]));
    }

    #[test]
    fn a_guarded_neighbour_and_a_heading_end_the_walk() {
        let chain = [None, Some(0), Some(1), Some(2), None, Some(4)];
        assert_eq!(reachable_ordinals(&links(&chain, &[]), 3), (vec![2, 1, 0], vec![]));
        assert_eq!(reachable_ordinals(&links(&chain, &[1]), 3), (vec![2], vec![]));
        assert_eq!(reachable_ordinals(&links(&chain, &[1]), 0), (vec![], vec![]));
    }

    #[test]
    fn a_chain_that_points_ahead_ends() {
        assert_eq!(reachable_ordinals(&links(&[Some(1), Some(1), Some(0)], &[]), 1), (vec![], vec![]));
    }
}
