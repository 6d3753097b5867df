//! Which bytes of a note are guarded.

use std::ops::Range;

use crate::Band;
use crate::frontmatter::FrontMatter;
use crate::markdown::Body;
use crate::note::Problems;

/// The band of every byte of a note.
#[derive(Clone, Debug, Default)]
pub(crate) struct BandMap {
    note: Band,
    /// Guarded ranges, any order, overlapping or not.
    ranges: Vec<(Range<usize>, Band)>,
}

impl BandMap {
    pub(crate) fn read(
        _text: &str,
        place: Band,
        _front: &FrontMatter,
        _body: &Body,
        _tags: &[String],
        _problems: &mut Problems<'_>,
    ) -> Self {
        Self { note: place, ranges: Vec::new() }
    }

    pub(crate) fn note(&self) -> Band {
        self.note
    }

    pub(crate) fn of(&self, range: Range<usize>) -> Band {
        let touches = |r: &Range<usize>| r.start < range.end && range.start < r.end;
        self.ranges.iter().filter(|(r, _)| touches(r)).fold(self.note, |band, (_, b)| band.join(*b))
    }
}
