//! The documents of one term in one segment, with counts summed over the fields of each document.

use tantivy::DocId;

/// The weights of words, subject, object, context and neighbouring sentences; tuned with the constants of `search`.
pub(crate) const FIELD_WEIGHTS: [f32; 5] = [1.0, 0.5, 0.2, 1.0, 0.4];

/// A document that contains a term.
#[derive(Clone, Copy)]
pub(crate) struct Posting {
    pub(crate) doc: DocId,
    pub(crate) weighted: f32,
    /// Bits in the order of the index's fields.
    pub(crate) parts: u8,
}

/// Sums one term's counts over the fields of each document.
#[derive(Default)]
pub(crate) struct PostingAccumulator {
    cells: Vec<(f32, u8)>,
    /// A bit for each touched cell, so that cells are drained in order without sorting.
    touched: Vec<u64>,
    count: usize,
}

impl PostingAccumulator {
    pub(crate) fn ensure_capacity(&mut self, docs: DocId) {
        let docs = usize::try_from(docs).unwrap_or_default();
        if self.cells.len() < docs {
            self.cells.resize(docs, (0.0, 0));
            self.touched.resize(docs.div_ceil(64), 0);
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a count of one word in one sentence")]
    pub(crate) fn add_count(&mut self, doc: DocId, part: usize, count: u32) {
        let Some(cell) = usize::try_from(doc).ok().and_then(|at| self.cells.get_mut(at)) else { return };
        if cell.1 == 0 {
            self.count += 1;
            if let Some(word) = usize::try_from(doc / 64).ok().and_then(|at| self.touched.get_mut(at)) {
                *word |= 1 << (doc % 64);
            }
        }
        cell.0 += FIELD_WEIGHTS[part] * count as f32;
        cell.1 |= 1 << part;
    }

    pub(crate) fn drain_postings(&mut self) -> Vec<Posting> {
        let mut postings = Vec::with_capacity(self.count);
        if self.count == 0 {
            return postings;
        }
        self.count = 0;
        for ((first, word), cells) in (0..).step_by(64).zip(&mut self.touched).zip(self.cells.chunks_mut(64)) {
            let mut rest = std::mem::take(word);
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let cell = usize::try_from(bit).ok().and_then(|at| cells.get_mut(at));
                let (weighted, parts) = cell.map(std::mem::take).unwrap_or_default();
                postings.push(Posting { doc: first + bit, weighted, parts });
            }
        }
        postings
    }
}
