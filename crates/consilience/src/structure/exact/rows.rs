//! The votes as the solver reads them: distinct rows of the sources that can be told apart, in blocks.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::super::candidates::exact_copies;
use crate::optim::LANES;
use crate::sources::Vote;
use crate::votes::Votes;

/// Scores of this many votes for one source stay in the nearest cache while a block is worked on.
const CELLS_OF_A_BLOCK: usize = 512;

/// The most rows of a block.
const MOST_ROWS: usize = 128;

/// Classes by whose votes rows are sorted.
const FIRST_CLASSES: usize = 4;

/// Bytes of a table's votes up to which each group keeps those of its own sources.
const MOST_KEPT: usize = 64 << 20;

/// From this logarithm of the number of classes on, cells of more than one row have no number.
const MANY: u32 = 14;

/// Lists of votes are filled up to multiples of this, by a source and a cell that add nothing, so that sums go by fours. Blocks
/// have a multiple of this many rows, unless there are very many classes.
const FOURS: usize = 4;

/// Distinct rows over the active sources: those that ever vote and are no copy of an earlier one.
///
/// Rows that many items share come first, so that the counts within a block are alike. Votes are kept twice: by row, for
/// the sum of a row's links, and by source within each block, for the sum of a link's scores.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// For each active source, its number in the table.
    pub(super) active: Vec<usize>,
    /// Groups of exact copies, by their numbers in the table.
    pub(super) copies: Vec<Vec<usize>>,
    /// The number of classes.
    pub(super) classes: usize,
    /// How many items have each row.
    pub(super) counts: Vec<f32>,
    /// Where the votes of each row start, and behind the last.
    starts: Vec<usize>,
    /// For each row and class, where the votes for it end, counted from the row's start, and how many they are.
    class_ends: Vec<(u16, u16)>,
    /// The voting sources of each row, by class, ascending within, each class filled up by a source that is none.
    sources: Vec<u16>,
    /// Rows in a block.
    height: usize,
    /// The logarithm of the cells a row has in a block's table: a power of two that holds all classes.
    shift: u32,
    /// For each block and source, where its cells end, counted from the block's first cell.
    source_ends: Vec<u32>,
    /// For each block, where its cells start.
    cell_starts: Vec<usize>,
    /// For each vote of a source in a block, its cell: row and class; each source filled up by a cell that is none.
    cells: Vec<u16>,
    /// What [`Self::votes_by_fours`] says of all rows, once somebody has asked.
    fours: OnceLock<Vec<u32>>,
}

impl Rows {
    pub(super) fn new(votes: &Votes) -> Self {
        let copies = exact_copies(votes);
        let mut place = vec![None; votes.sources().len()];
        let mut active = Vec::new();
        for (j, place) in place.iter_mut().enumerate() {
            if votes.domains()[j].len() > 1 && !copies.iter().any(|group| group[1..].contains(&j)) {
                *place = Some(active.len() as u16);
                active.push(j);
            }
        }
        let patterns = votes.patterns();
        let mut order: Vec<usize> = (0..patterns.len()).collect();
        let k = votes.classes().len();
        // Among those that as many items share, rows alike in length follow each other: processors foresee the ends of loops.
        order.sort_by_cached_key(|&p| {
            let mut lengths = [0u16; FIRST_CLASSES];
            for (j, vote) in patterns.row(p) {
                if place[j].is_some() && usize::from(vote) <= FIRST_CLASSES {
                    lengths[usize::from(vote) - 1] += 1;
                }
            }
            let fours = lengths.map(|length| length.div_ceil(FOURS as u16));
            (std::cmp::Reverse(patterns.counts()[p]), fours)
        });
        let shift = k.next_power_of_two().trailing_zeros();
        let mut rows = Self {
            active,
            copies,
            classes: k,
            counts: order.iter().map(|&p| patterns.counts()[p] as f32).collect(),
            starts: Vec::with_capacity(patterns.len() + 1),
            class_ends: Vec::with_capacity(patterns.len() * k),
            sources: Vec::new(),
            height: (CELLS_OF_A_BLOCK >> shift).clamp(if shift < MANY { FOURS } else { 1 }, MOST_ROWS),
            shift,
            source_ends: Vec::new(),
            cell_starts: Vec::new(),
            cells: Vec::new(),
            fours: OnceLock::new(),
        };
        let no_source = rows.active.len() as u16;
        let mut by_class: Vec<Vec<u16>> = vec![Vec::new(); k];
        for p in order {
            rows.starts.push(rows.sources.len());
            for (j, vote) in patterns.row(p) {
                if let Some(j) = place[j] {
                    by_class[usize::from(vote) - 1].push(j);
                }
            }
            let mut end = 0;
            for sources in &mut by_class {
                let votes = sources.len() as u16;
                sources.resize(sources.len().next_multiple_of(FOURS), no_source);
                end += sources.len() as u16;
                rows.class_ends.push((end, votes));
                rows.sources.append(sources);
            }
        }
        rows.starts.push(rows.sources.len());
        rows.sort_by_source();
        rows
    }

    /// Fills in `cells`, `cell_starts` and `source_ends`.
    fn sort_by_source(&mut self) {
        let n = self.active.len();
        self.source_ends = Vec::with_capacity(self.blocks() * n);
        let mut next = vec![0usize; n];
        // A block of all rows a table can have may leave no number for a cell that is none; its lists stay as they are.
        let (no_cell, fours) = u16::try_from(self.height << self.shift).map_or((0, 1), |cell| (cell, FOURS));
        for block in 0..self.blocks() {
            let range = self.block(block);
            next.fill(0);
            for u in range.clone() {
                for class in 0..self.classes {
                    self.of_class(u, class).iter().for_each(|&l| next[usize::from(l)] += 1);
                }
            }
            let start = self.cells.len();
            self.cell_starts.push(start);
            let mut end = 0;
            for next in &mut next {
                let votes = *next;
                *next = start + end;
                end += votes.next_multiple_of(fours);
                self.source_ends.push(end as u32);
            }
            self.cells.resize(start + end, no_cell);
            for u in range.clone() {
                for class in 0..self.classes {
                    let cell = ((u - range.start) << self.shift | class) as u16;
                    let (from, votes) = self.class_place(u, class);
                    for at in from..from + votes {
                        let place = &mut next[usize::from(self.sources[at])];
                        self.cells[*place] = cell;
                        *place += 1;
                    }
                }
            }
        }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// How many items there are.
    pub(super) fn items(&self) -> f64 {
        self.counts.iter().map(|&count| f64::from(count)).sum()
    }

    /// How many blocks there are.
    pub(super) fn blocks(&self) -> usize {
        self.len().div_ceil(self.height)
    }

    /// The most rows a block has.
    pub(super) fn block_rows(&self) -> usize {
        self.height
    }

    /// The rows of a block.
    #[inline(always)]
    pub(super) fn block(&self, block: usize) -> std::ops::Range<usize> {
        block * self.height..((block + 1) * self.height).min(self.len())
    }

    /// Cells of a row in a block's table.
    #[inline(always)]
    pub(super) fn stride(&self) -> usize {
        1 << self.shift
    }

    /// The row within its block and the class, counted from 0, that `cell` stands for.
    #[inline(always)]
    pub(super) fn row_and_class(&self, cell: u16) -> (usize, usize) {
        (usize::from(cell) >> self.shift, usize::from(cell) & (self.stride() - 1))
    }

    /// Where the votes of row `u` for `class` start, and how many they are.
    #[inline(always)]
    fn class_place(&self, u: usize, class: usize) -> (usize, usize) {
        let ends = &self.class_ends[u * self.classes..(u + 1) * self.classes];
        let from = if class == 0 { 0 } else { usize::from(ends[class - 1].0) };
        (self.starts[u] + from, usize::from(ends[class].1))
    }

    /// The sources that vote in row `u` for `class`, counted from 0; ascending.
    #[inline(always)]
    pub(super) fn of_class(&self, u: usize, class: usize) -> &[u16] {
        let (from, votes) = self.class_place(u, class);
        &self.sources[from..from + votes]
    }

    /// The same, filled up by the source behind the last.
    #[inline(always)]
    pub(super) fn of_class_by_fours(&self, u: usize, class: usize) -> &[u16] {
        let (from, votes) = self.class_place(u, class);
        &self.sources[from..from + votes.next_multiple_of(FOURS)]
    }

    /// The cells of source `l` in `block`, by class within each row.
    #[inline(always)]
    pub(super) fn of_source(&self, block: usize, l: usize) -> &[u16] {
        let cells = self.of_source_by_fours(block, l);
        let no_cell = self.height << self.shift;
        let votes = cells.iter().rposition(|&cell| usize::from(cell) < no_cell).map_or(0, |last| last + 1);
        &cells[..votes]
    }

    /// The same, filled up by the cell behind the last.
    #[inline(always)]
    pub(super) fn of_source_by_fours(&self, block: usize, l: usize) -> &[u16] {
        let ends = &self.source_ends[block * self.active.len()..];
        let from = if l == 0 { 0 } else { ends[l - 1] as usize };
        let base = self.cell_starts[block];
        &self.cells[base + from..base + ends[l] as usize]
    }

    /// For each step of four rows and each source, the votes in the four bytes of a word: 0 an abstain, else the class counted
    /// from 1.
    pub(super) fn votes_by_fours(&self) -> &[u32] {
        self.fours.get_or_init(|| {
            let n = self.active.len();
            let mut words = vec![0; self.len().div_ceil(FOURS) * n];
            for u in 0..self.len() {
                let step = &mut words[u / FOURS * n..(u / FOURS + 1) * n];
                for class in 0..self.classes {
                    let vote = (class as u32 + 1) << (8 * (u % FOURS));
                    for &l in self.of_class(u, class) {
                        step[usize::from(l)] |= vote;
                    }
                }
            }
            words
        })
    }

    /// Votes cast in row `u`.
    pub(super) fn votes(&self, u: usize) -> usize {
        (0..self.classes).map(|class| self.class_place(u, class).1).sum()
    }

    /// For each active source and class, how many items it votes for it on.
    pub(super) fn votes_by_class(&self) -> Vec<Vec<f64>> {
        let mut seen = vec![vec![0.0; self.classes]; self.active.len()];
        for u in 0..self.len() {
            for class in 0..self.classes {
                for &l in self.of_class(u, class) {
                    seen[usize::from(l)][class] += f64::from(self.counts[u]);
                }
            }
        }
        seen
    }
}

/// Up to sixteen sources whose problems are solved side by side.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The active sources, one a lane; lanes without one repeat the first and are ignored.
    pub(super) members: Vec<usize>,
    /// The classes that any of them votes for, ascending.
    pub(super) classes: Vec<Vote>,
    /// For each of these classes and each lane, whether the lane's source ever votes for it.
    pub(super) in_domain: Vec<[bool; LANES]>,
    /// For each row and lane, 0 where the lane's source abstains, else 1 + the place of its vote among these classes; only where
    /// that is not too much to keep.
    pub(super) own: Option<Vec<[u8; LANES]>>,
}

impl Group {
    /// All groups; sources with the same domain share one where they can.
    pub(super) fn all(rows: &Rows, votes: &Votes) -> Vec<Self> {
        let mut order: Vec<usize> = (0..rows.active.len()).collect();
        order.sort_by_key(|&j| votes.domains()[rows.active[j]].values().to_vec());
        order.par_chunks(LANES).map(|members| Self::new(members, rows, votes)).collect()
    }

    fn new(members: &[usize], rows: &Rows, votes: &Votes) -> Self {
        let domain = |j: usize| votes.domains()[rows.active[j]].classes();
        let mut classes: Vec<Vote> = members.iter().flat_map(|&j| domain(j)).copied().collect();
        classes.sort_unstable();
        classes.dedup();
        let lane_source = |lane: usize| members.get(lane).copied().unwrap_or(members[0]);
        let in_domain = classes
            .iter()
            .map(|c| std::array::from_fn(|lane| domain(lane_source(lane)).contains(c)))
            .collect();
        let mut group = Self { members: members.to_vec(), classes, in_domain, own: None };
        if group.classes.len() < usize::from(u8::MAX) && rows.len() * rows.active.len() <= MOST_KEPT {
            group.own = Some(group.own_votes(rows));
        }
        group
    }

    fn own_votes(&self, rows: &Rows) -> Vec<[u8; LANES]> {
        let mut own = vec![[0; LANES]; rows.len()];
        for block in 0..rows.blocks() {
            let own = &mut own[rows.block(block)];
            for lane in 0..LANES {
                for &cell in rows.of_source(block, self.source(lane)) {
                    let (row, class) = rows.row_and_class(cell);
                    let place = self.classes.iter().position(|&c| usize::from(c) == class + 1);
                    own[row][lane] = place.map_or(0, |place| place as u8 + 1);
                }
            }
        }
        own
    }

    /// The active source of `lane`.
    pub(super) fn source(&self, lane: usize) -> usize {
        self.members.get(lane).copied().unwrap_or(self.members[0])
    }

    /// Whether `lane` has a problem of its own.
    pub(super) fn real(&self, lane: usize) -> bool {
        lane < self.members.len()
    }
}
