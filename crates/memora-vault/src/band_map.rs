//! The band of every byte of a note: [`BandMap`].

use std::ops::Range;

use crate::Band;
use crate::band_reasons::BandDecision;

/// The band of every byte of a note.
#[derive(Clone, Debug, Default)]
pub(crate) struct BandMap {
    note: Band,
    /// Guarded ranges, in order and apart.
    ranges: Vec<(Range<usize>, Band)>,
    guards: Vec<BandDecision>,
}

impl BandMap {
    /// The bands of a note of a band, parts of which are guarded.
    pub(crate) fn new(note: Band, ranges: Vec<(Range<usize>, Band)>) -> Self {
        Self { note, ranges: merge_ranges(ranges), guards: Vec::new() }
    }

    pub(crate) fn with_ranges(mut self, more: Vec<(Range<usize>, Band)>) -> Self {
        self.ranges.extend(more.into_iter().filter(|(_, band)| *band > self.note));
        Self { ranges: merge_ranges(self.ranges), ..self }
    }

    pub(crate) fn with_decisions(self, guards: Vec<BandDecision>) -> Self {
        Self { guards, ..self }
    }

    /// Whether every byte of a non-empty range is already guarded, by a single piece.
    pub(crate) fn is_covered(&self, range: &Range<usize>, band: Band) -> bool {
        let first = self.ranges.partition_point(|(r, _)| r.end <= range.start);
        let piece = self.ranges.get(first);
        piece.is_some_and(|(r, b)| r.start <= range.start && range.end <= r.end && *b >= band)
    }

    pub(crate) fn note_band(&self) -> Band {
        self.note
    }

    pub(crate) fn decisions(&self) -> &[BandDecision] {
        &self.guards
    }

    pub(crate) fn band_of_range(&self, range: Range<usize>) -> Band {
        let first = self.ranges.partition_point(|(r, _)| r.end <= range.start);
        let touching = self.ranges[first..].iter().take_while(|(r, _)| r.start < range.end);
        touching.fold(self.note, |band, (_, b)| band.join(*b))
    }
}

/// Merges guarded ranges into sorted, disjoint ones: in a note of many markers, each sentence is looked up.
fn merge_ranges(ranges: Vec<(Range<usize>, Band)>) -> Vec<(Range<usize>, Band)> {
    let mut edges = Vec::with_capacity(ranges.len() * 2);
    for (range, band) in ranges {
        edges.push((range.start, band, 1_isize));
        edges.push((range.end, band, -1));
    }
    edges.sort_unstable_by_key(|edge| edge.0);
    let mut out: Vec<(Range<usize>, Band)> = Vec::new();
    let (mut at, mut private, mut secret) = (0, 0_isize, 0_isize);
    for (edge, band, step) in edges {
        let here = if secret > 0 { Band::Secret } else { Band::Private };
        if at < edge && private + secret > 0 {
            match out.last_mut() {
                Some((last, band)) if last.end == at && *band == here => last.end = edge,
                _ => out.push((at..edge, here)),
            }
        }
        at = edge;
        match band {
            Band::Public => {}
            Band::Private => private += step,
            Band::Secret => secret += step,
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn ranges_apart_guard_as_before(
            ranges in proptest::collection::vec((0_usize..30, 0_usize..9, 0_usize..3), 0..9), at in 0_usize..40,
        ) {
            let all = [Band::Public, Band::Private, Band::Secret];
            let ranges: Vec<_> = ranges.into_iter().map(|(start, len, band)| (start..start + len, all[band])).collect();
            let band = |map: &[(Range<usize>, Band)]| {
                map.iter().filter(|(range, _)| range.contains(&at)).fold(Band::Public, |band, (_, b)| band.join(*b))
            };
            let apart = merge_ranges(ranges.clone());
            assert_eq!(band(&apart), band(&ranges));
            assert!(apart.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start));
        }
    }
}
