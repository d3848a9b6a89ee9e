//! Which rows a pass goes over: all of them, or an even share if a rough answer is enough.

use super::rows::Rows;

/// The fewest blocks of a chunk, and the most chunks: enough to keep threads busy, few enough for their sums.
const FEWEST_BLOCKS: usize = 8;
const MOST_CHUNKS: usize = 64;

/// Some blocks of rows.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    blocks: Vec<usize>,
    chunk: usize,
    /// All items / the items in these blocks.
    pub(crate) scale: f64,
}

impl Span {
    /// All rows.
    pub(crate) fn all(rows: &Rows) -> Self {
        Self::every(rows, 1)
    }

    /// An even share of the blocks that has at least `fewest` rows, or all if there are not more than twice as many.
    pub(crate) fn share(rows: &Rows, fewest: usize) -> Self {
        Self::every(rows, (rows.len() / fewest.max(1)).max(1))
    }

    fn every(rows: &Rows, step: usize) -> Self {
        let blocks: Vec<usize> = (0..rows.blocks()).step_by(step).collect();
        let items = |blocks: &mut dyn Iterator<Item = usize>| -> f64 {
            blocks
                .flat_map(|block| rows.counts[rows.block(block)].iter())
                .map(|&count| f64::from(count))
                .sum()
        };
        let scale =
            if step == 1 { 1.0 } else { items(&mut (0..rows.blocks())) / items(&mut blocks.iter().copied()) };
        let chunk = FEWEST_BLOCKS.max(blocks.len().div_ceil(MOST_CHUNKS));
        Self { blocks, chunk, scale }
    }

    /// The blocks, ascending.
    pub(crate) fn blocks(&self) -> &[usize] {
        &self.blocks
    }

    /// The blocks in chunks, for threads; the same chunks for any number of them.
    pub(crate) fn chunks(&self) -> std::slice::Chunks<'_, usize> {
        self.blocks.chunks(self.chunk)
    }
}
