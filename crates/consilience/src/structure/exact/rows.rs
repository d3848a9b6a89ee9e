//! The votes as the solver reads them: distinct rows of the sources that can be told apart, in blocks.

use super::super::candidates::exact_copies;
use crate::optim::LANES;
use crate::sources::Vote;
use crate::votes::Votes;

/// Scores of this many votes for one source stay in the nearest cache while a block is worked on.
const CELLS_OF_A_BLOCK: usize = 512;

/// The most rows of a block.
const MOST_ROWS: usize = 128;

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
    /// For each row and class, where the votes for it end, counted from the row's start.
    class_ends: Vec<u16>,
    /// The voting sources of each row, by class, ascending within.
    sources: Vec<u16>,
    /// Rows in a block.
    height: usize,
    /// The logarithm of the cells a row has in a block's table: a power of two that holds all classes.
    shift: u32,
    /// For each block and source, where its cells end, counted from the block's first vote.
    source_ends: Vec<u32>,
    /// For each vote of a source in a block, its cell: row and class.
    cells: Vec<u16>,
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
        order.sort_by_key(|&p| std::cmp::Reverse(patterns.counts()[p]));
        let k = votes.classes().len();
        let shift = k.next_power_of_two().trailing_zeros();
        let mut rows = Self {
            active,
            copies,
            classes: k,
            counts: order.iter().map(|&p| patterns.counts()[p] as f32).collect(),
            starts: Vec::with_capacity(patterns.len() + 1),
            class_ends: Vec::with_capacity(patterns.len() * k),
            sources: Vec::new(),
            height: (CELLS_OF_A_BLOCK >> shift).clamp(1, MOST_ROWS),
            shift,
            source_ends: Vec::new(),
            cells: Vec::new(),
        };
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
                end += sources.len() as u16;
                rows.class_ends.push(end);
                rows.sources.append(sources);
            }
        }
        rows.starts.push(rows.sources.len());
        rows.sort_by_source();
        rows
    }

    /// Fills in `cells` and `source_ends`.
    fn sort_by_source(&mut self) {
        let n = self.active.len();
        self.cells = vec![0; self.sources.len()];
        self.source_ends = Vec::with_capacity(self.blocks() * n);
        let mut next = vec![0usize; n];
        for block in 0..self.blocks() {
            let range = self.block(block);
            next.fill(0);
            for &l in &self.sources[self.starts[range.start]..self.starts[range.end]] {
                next[usize::from(l)] += 1;
            }
            let mut end = 0;
            for next in &mut next {
                let votes = *next;
                *next = end + self.starts[range.start];
                end += votes;
                self.source_ends.push(end as u32);
            }
            for u in range.clone() {
                for class in 0..self.classes {
                    let cell = ((u - range.start) << self.shift | class) as u16;
                    let (from, to) = self.class_range(u, class);
                    for at in from..to {
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

    #[inline(always)]
    fn class_range(&self, u: usize, class: usize) -> (usize, usize) {
        let ends = &self.class_ends[u * self.classes..(u + 1) * self.classes];
        let from = if class == 0 { 0 } else { usize::from(ends[class - 1]) };
        (self.starts[u] + from, self.starts[u] + usize::from(ends[class]))
    }

    /// The sources that vote in row `u` for `class`, counted from 0; ascending.
    #[inline(always)]
    pub(super) fn of_class(&self, u: usize, class: usize) -> &[u16] {
        let (from, to) = self.class_range(u, class);
        &self.sources[from..to]
    }

    /// The cells of source `l` in `block`, by class within each row.
    #[inline(always)]
    pub(super) fn of_source(&self, block: usize, l: usize) -> &[u16] {
        let ends = &self.source_ends[block * self.active.len()..];
        let from = if l == 0 { 0 } else { ends[l - 1] as usize };
        let base = self.starts[block * self.height];
        &self.cells[base + from..base + ends[l] as usize]
    }

    /// Votes cast in row `u`.
    pub(super) fn votes(&self, u: usize) -> usize {
        self.starts[u + 1] - self.starts[u]
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
}

impl Group {
    /// All groups; sources with the same domain share one where they can.
    pub(super) fn all(rows: &Rows, votes: &Votes) -> Vec<Self> {
        let mut order: Vec<usize> = (0..rows.active.len()).collect();
        order.sort_by_key(|&j| votes.domains()[rows.active[j]].values().to_vec());
        order.chunks(LANES).map(|members| Self::new(members, rows, votes)).collect()
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
        Self { members: members.to_vec(), classes, in_domain }
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
