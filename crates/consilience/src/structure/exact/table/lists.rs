//! Rows of votes twice: by row, for the sum of a row's links, and by source within each block of rows, for the sum of a link's
//! scores.

use crate::parallel;
use std::ops::Range;

/// Lists are filled up to multiples of this, by a source and a cell that add nothing, so that sums go by fours. Blocks have a
/// multiple of this many rows, unless there are very many classes.
pub(crate) const FOURS: usize = 4;

/// Rows that one thread sorts at a time.
pub(crate) const CHUNK: usize = 1024;

/// The measures of a table of rows in blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) rows: usize,
    pub(crate) sources: usize,
    pub(crate) classes: usize,
    /// Rows in a block.
    pub(crate) height: usize,
    /// The logarithm of the cells a row has in a block's table: a power of two that holds all classes.
    pub(crate) shift: u32,
}

impl Shape {
    pub(crate) fn blocks(self) -> usize {
        self.rows.div_ceil(self.height)
    }

    /// The rows of a block.
    #[inline(always)]
    pub(crate) fn block(self, block: usize) -> Range<usize> {
        block * self.height..((block + 1) * self.height).min(self.rows)
    }
}

/// For each row and class the sources that are in it, and for each block and source the cells (row and class) it is in.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    shape: Shape,
    /// Where the sources of each row start, and behind the last.
    starts: Vec<usize>,
    /// For each row and class, where its sources end, counted from the row's start, and how many they are.
    class_ends: Vec<(u16, u16)>,
    /// The sources of each row, by class, ascending within, each class filled up by a source that is none.
    sources: Vec<u16>,
    /// For each block and source, where its cells end, counted from the block's first cell.
    source_ends: Vec<u32>,
    /// For each block, where its cells start, and behind the last.
    cell_starts: Vec<usize>,
    /// For each source in a block, its cells; each source filled up by a cell that is none.
    cells: Vec<u16>,
}

impl Lists {
    /// `lengths` says how many sources each row has, each class filled up; `fill` puts those of a row into its classes.
    pub(crate) fn new(
        shape: Shape,
        lengths: impl Iterator<Item = usize>,
        fill: impl Fn(usize, &mut [Vec<u16>]) + Sync,
    ) -> Self {
        let (k, no_source) = (shape.classes, shape.sources as u16);
        let starts: Vec<usize> = ends(lengths).collect();
        let mut class_ends = vec![(0, 0); shape.rows * k];
        let mut sources = vec![no_source; starts[shape.rows]];
        let of_chunks = starts[..shape.rows].iter().step_by(CHUNK).chain(starts.last()).copied();
        let chunks =
            pieces(&mut sources, of_chunks).into_iter().zip(class_ends.chunks_mut(CHUNK * k)).enumerate();
        parallel::for_each(chunks, |(chunk, (mut rest, class_ends))| {
            let mut by_class: Vec<Vec<u16>> = vec![Vec::new(); k];
            for (u, class_ends) in (chunk * CHUNK..).zip(class_ends.chunks_exact_mut(k)) {
                fill(u, &mut by_class);
                let mut end = 0;
                for (sources, class_end) in by_class.iter_mut().zip(class_ends) {
                    let (here, after) = rest.split_at_mut(sources.len().next_multiple_of(FOURS));
                    here[..sources.len()].copy_from_slice(sources);
                    end += here.len() as u16;
                    *class_end = (end, sources.len() as u16);
                    sources.clear();
                    rest = after;
                }
            }
        });
        let (source_ends, cell_starts, cells) = (Vec::new(), Vec::new(), Vec::new());
        let mut lists = Self { shape, starts, class_ends, sources, source_ends, cell_starts, cells };
        lists.sort_by_source();
        lists
    }

    /// Fills in `cells`, `cell_starts` and `source_ends`.
    fn sort_by_source(&mut self) {
        let (shape, n) = (self.shape, self.shape.sources.max(1));
        // A block of all rows a table can have may leave no number for a cell that is none; its lists stay as they are.
        let (no_cell, fours) =
            u16::try_from(shape.height << shape.shift).map_or((0, 1), |cell| (cell, FOURS));
        let mut source_ends = vec![0u32; shape.blocks() * n];
        parallel::for_each(source_ends.chunks_mut(n).enumerate(), |(block, ends)| {
            for u in shape.block(block) {
                for class in 0..shape.classes {
                    self.of_class(u, class).iter().for_each(|&l| ends[usize::from(l)] += 1);
                }
            }
            let mut end = 0;
            for count in ends {
                end += count.next_multiple_of(fours as u32);
                *count = end;
            }
        });
        let cell_starts: Vec<usize> =
            ends(source_ends.chunks_exact(n).map(|ends| ends[n - 1] as usize)).collect();
        let mut cells = vec![no_cell; cell_starts[shape.blocks()]];
        parallel::for_each(
            pieces(&mut cells, cell_starts.iter().copied()).into_iter().enumerate(),
            |(block, cells)| {
                let range = shape.block(block);
                let ends = &source_ends[block * n..(block + 1) * n];
                let mut next: Vec<u32> = std::iter::once(0).chain(ends.iter().copied()).take(n).collect();
                for u in range.clone() {
                    for class in 0..shape.classes {
                        let cell = ((u - range.start) << shape.shift | class) as u16;
                        for &l in self.of_class(u, class) {
                            let place = &mut next[usize::from(l)];
                            cells[*place as usize] = cell;
                            *place += 1;
                        }
                    }
                }
            },
        );
        (self.source_ends, self.cell_starts, self.cells) = (source_ends, cell_starts, cells);
    }

    /// Where the sources of row `u` in `class` start, and how many they are.
    #[inline(always)]
    pub(crate) fn class_place(&self, u: usize, class: usize) -> (usize, usize) {
        let ends = &self.class_ends[u * self.shape.classes..(u + 1) * self.shape.classes];
        let from = if class == 0 { 0 } else { usize::from(ends[class - 1].0) };
        (self.starts[u] + from, usize::from(ends[class].1))
    }

    /// The sources of row `u` in `class`, counted from 0; ascending.
    #[inline(always)]
    pub(crate) fn of_class(&self, u: usize, class: usize) -> &[u16] {
        let (from, sources) = self.class_place(u, class);
        &self.sources[from..from + sources]
    }

    /// The same, filled up by the source behind the last.
    #[inline(always)]
    pub(crate) fn of_class_by_fours(&self, u: usize, class: usize) -> &[u16] {
        let (from, sources) = self.class_place(u, class);
        &self.sources[from..from + sources.next_multiple_of(FOURS)]
    }

    /// The cells of source `l` in `block`, by class within each row.
    #[inline(always)]
    pub(crate) fn of_source(&self, block: usize, l: usize) -> &[u16] {
        let cells = self.of_source_by_fours(block, l);
        let no_cell = self.shape.height << self.shape.shift;
        let kept = cells.iter().rposition(|&cell| usize::from(cell) < no_cell).map_or(0, |last| last + 1);
        &cells[..kept]
    }

    /// The same, filled up by the cell behind the last.
    #[inline(always)]
    pub(crate) fn of_source_by_fours(&self, block: usize, l: usize) -> &[u16] {
        let ends = &self.source_ends[block * self.shape.sources..];
        let from = if l == 0 { 0 } else { ends[l - 1] as usize };
        let base = self.cell_starts[block];
        &self.cells[base + from..base + ends[l] as usize]
    }
}

/// 0, and where each of the lengths ends.
fn ends(lengths: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    let ends = lengths.scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    std::iter::once(0).chain(ends)
}

/// The parts of `all` between each of the places, which ascend from 0 to its end, and the next.
fn pieces<T>(all: &mut [T], places: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    let (mut rest, mut from) = (all, 0);
    let cut = |place: usize| {
        let (piece, after) = std::mem::take(&mut rest).split_at_mut(place - from);
        (rest, from) = (after, place);
        piece
    };
    places.skip(1).map(cut).collect()
}
