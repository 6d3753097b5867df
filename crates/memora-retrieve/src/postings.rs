//! One term's documents in one segment, its counts added up over the parts of each document.

use tantivy::DocId;

/// What a word weighs in words, subject, object, context and the sentence before; tuned with the constants of `search`.
pub(crate) const WEIGHTS: [f32; 5] = [1.0, 0.5, 0.2, 1.0, 1.0];

/// A document that has a term.
#[derive(Clone, Copy)]
pub(crate) struct Posting {
    pub(crate) doc: DocId,
    pub(crate) weighted: f32,
    /// Bits in the order of [`crate::Part`].
    pub(crate) parts: u8,
}

/// Adds up one term's counts over the parts of each document.
#[derive(Default)]
pub(crate) struct Scratch {
    cells: Vec<(f32, u8)>,
    touched: Vec<DocId>,
}

impl Scratch {
    pub(crate) fn reach(&mut self, docs: DocId) {
        let docs = usize::try_from(docs).unwrap_or_default();
        if self.cells.len() < docs {
            self.cells.resize(docs, (0.0, 0));
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a count of one word in one sentence")]
    pub(crate) fn add(&mut self, doc: DocId, part: usize, count: u32) {
        let Some(cell) = usize::try_from(doc).ok().and_then(|at| self.cells.get_mut(at)) else { return };
        if cell.1 == 0 {
            self.touched.push(doc);
        }
        cell.0 += WEIGHTS[part] * count as f32;
        cell.1 |= 1 << part;
    }

    pub(crate) fn drain(&mut self) -> Vec<Posting> {
        self.touched.sort_unstable();
        let cells = &mut self.cells;
        let take = |doc| {
            let cell = usize::try_from(doc).ok().and_then(|at| cells.get_mut(at)).map(std::mem::take);
            let (weighted, parts) = cell.unwrap_or_default();
            Posting { doc, weighted, parts }
        };
        self.touched.drain(..).map(take).collect()
    }
}
