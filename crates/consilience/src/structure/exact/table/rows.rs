//! The votes as the solver reads them: distinct rows of the sources that can be told apart, in blocks.

use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::contrast::Contrast;
use super::lists::{CHUNK, FOURS, Lists, Shape};
use crate::parallel;
use crate::sources::Vote;
use crate::structure::candidates::exact_copies;
use crate::structure::mirrors::mirror_images;
use crate::votes::Votes;

/// From so many classes on, those that nobody votes for in a row are summed up in closed form.
pub(crate) const MANY_CLASSES: usize = 5;

/// Scores of this many votes for one source stay in the nearest cache while a block is worked on.
const CELLS_OF_A_BLOCK: usize = 512;

/// The most rows of a block.
const MOST_ROWS: usize = 128;

/// Classes by whose votes rows are sorted.
const FIRST_CLASSES: usize = 4;

/// From this logarithm of the number of classes on, cells of more than one row have no number.
const MANY: u32 = 14;

/// How many votes a row has.
struct Lengths {
    /// For each of the first classes, in fours.
    fours: [u16; FIRST_CLASSES],
    /// For all of them, each filled up.
    filled_up: usize,
}

impl Lengths {
    /// Of the votes that are cast by sources with a place; `by_class` is room for each class, 0 before and after.
    fn of(votes: impl Iterator<Item = (usize, Vote)>, place: &[Option<u16>], by_class: &mut [u16]) -> Self {
        for (j, vote) in votes {
            by_class[usize::from(vote) - 1] += u16::from(place[j].is_some());
        }
        let mut lengths = Self { fours: [0; FIRST_CLASSES], filled_up: 0 };
        for (class, votes) in by_class.iter_mut().enumerate() {
            let fours = std::mem::take(votes).div_ceil(FOURS as u16);
            lengths.filled_up += usize::from(fours) * FOURS;
            if let Some(first) = lengths.fours.get_mut(class) {
                *first = fours;
            }
        }
        lengths
    }
}

/// For each row the classes that somebody votes for.
#[derive(Clone, Debug)]
struct Present {
    /// Where each row's classes start, and behind the last.
    starts: Vec<u32>,
    /// Counted from 0, ascending.
    classes: Vec<u16>,
}

impl Present {
    fn new(shape: Shape, lists: &Lists) -> Self {
        let (mut starts, mut classes) = (Vec::with_capacity(shape.rows + 1), Vec::new());
        if shape.classes >= MANY_CLASSES {
            starts.push(0);
            for u in 0..shape.rows {
                classes
                    .extend((0..shape.classes).filter(|&c| lists.class_place(u, c).1 > 0).map(|c| c as u16));
                starts.push(classes.len() as u32);
            }
        }
        Self { starts, classes }
    }
}

/// Distinct rows over the active sources: those that ever vote and are neither a copy nor a mirror image of an earlier one.
///
/// Rows that many items share come first, so that the counts within a block are alike.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// For each active source, its number in the table.
    pub(crate) active: Vec<usize>,
    /// For each of them, its place among all active sources of the table.
    pub(crate) numbers: Vec<usize>,
    /// Groups of exact copies, by their numbers in the table.
    pub(crate) copies: Vec<Vec<usize>>,
    /// Sources and their mirror images, by their numbers in the table.
    pub(crate) mirrors: Vec<[usize; 2]>,
    /// The number of classes.
    pub(crate) classes: usize,
    /// How many items have each row.
    pub(crate) counts: Vec<f32>,
    shape: Shape,
    /// The votes.
    lists: Lists,
    /// The classes that anybody in the table votes for in each row.
    present: Arc<Present>,
    /// The votes as links that pay for saying the same may read them, if that is less work.
    contrast: Option<Contrast>,
    /// The result of [`Self::votes_by_fours`] for all rows, once computed.
    fours: OnceLock<Vec<u32>>,
}

impl Rows {
    pub(crate) fn new(votes: &Votes) -> Self {
        let (copies, mirrors) = (exact_copies(votes), mirror_images(votes));
        let another = |j: usize| {
            copies.iter().any(|group| group[1..].contains(&j)) || mirrors.iter().any(|mirror| mirror[1] == j)
        };
        let mut place = vec![None; votes.sources().len()];
        let mut active = Vec::new();
        for (j, place) in place.iter_mut().enumerate() {
            if votes.domains()[j].len() > 1 && !another(j) {
                *place = Some(active.len() as u16);
                active.push(j);
            }
        }
        let (patterns, classes) = (votes.patterns(), votes.classes().len());
        let lengths: Vec<Lengths> = parallel::flat_map(parallel::ranges(patterns.len(), CHUNK), |rows| {
            let mut by_class = vec![0; classes];
            rows.map(|p| Lengths::of(patterns.row(p), &place, &mut by_class)).collect()
        });
        let mut order: Vec<usize> = (0..patterns.len()).collect();
        // Among those that as many items share, rows alike in length follow each other: processors foresee the ends of loops.
        order.par_sort_by_key(|&p| (Reverse(patterns.counts()[p]), lengths[p].fours));
        let shift = classes.next_power_of_two().trailing_zeros();
        let height = (CELLS_OF_A_BLOCK >> shift).clamp(if shift < MANY { FOURS } else { 1 }, MOST_ROWS);
        let shape = Shape { rows: order.len(), sources: active.len(), classes, height, shift };
        let lists = Lists::new(shape, order.iter().map(|&p| lengths[p].filled_up), |u, by_class| {
            for (j, vote) in patterns.row(order[u]) {
                by_class[usize::from(vote) - 1].extend(place[j]);
            }
        });
        let counts = order.iter().map(|&p| patterns.counts()[p] as f32).collect();
        let numbers = (0..active.len()).collect();
        Self {
            active,
            numbers,
            copies,
            mirrors,
            classes,
            counts,
            shape,
            present: Arc::new(Present::new(shape, &lists)),
            lists,
            contrast: None,
            fours: OnceLock::new(),
        }
    }

    /// The same rows with the votes of some sources alone, ascending, which are numbered from 0 on.
    pub(crate) fn of_sources(&self, kept: &[usize]) -> Self {
        let mut place = vec![None; self.active.len()];
        for (at, &l) in kept.iter().enumerate() {
            place[l] = Some(at as u16);
        }
        let shape = Shape { sources: kept.len(), ..self.shape };
        let of_class =
            |u: usize, class: usize| self.of_class(u, class).iter().filter_map(|&l| place[usize::from(l)]);
        let length = |u: usize| {
            (0..self.classes).map(|class| of_class(u, class).count().next_multiple_of(FOURS)).sum()
        };
        let lists = Lists::new(shape, (0..self.len()).map(length), |u, by_class| {
            for (class, sources) in by_class.iter_mut().enumerate() {
                sources.extend(of_class(u, class));
            }
        });
        Self {
            active: kept.iter().map(|&l| self.active[l]).collect(),
            numbers: kept.iter().map(|&l| self.numbers[l]).collect(),
            copies: Vec::new(),
            mirrors: Vec::new(),
            classes: self.classes,
            counts: self.counts.clone(),
            shape,
            lists,
            present: Arc::clone(&self.present),
            contrast: None,
            fours: OnceLock::new(),
        }
    }

    /// The same, made ready for links that pay for saying the same, abstaining included.
    ///
    /// Where classes are many, sums go over those that somebody votes for instead.
    pub(crate) fn with_contrast(self) -> Self {
        let few = self.classes < MANY_CLASSES;
        let contrast = few.then(|| Contrast::new(self.shape, &self.lists)).flatten();
        Self { contrast, ..self }
    }

    /// The votes as links that pay for saying the same may read them, if that is less work.
    pub(crate) fn contrast(&self) -> Option<&Contrast> {
        self.contrast.as_ref()
    }

    /// The votes as they are.
    pub(crate) fn lists(&self) -> &Lists {
        &self.lists
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// How many items there are.
    pub(crate) fn items(&self) -> f64 {
        self.counts.iter().map(|&count| f64::from(count)).sum()
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> usize {
        self.shape.blocks()
    }

    /// The most rows a block has.
    pub(crate) fn block_rows(&self) -> usize {
        self.shape.height
    }

    /// The rows of a block.
    #[inline(always)]
    pub(crate) fn block(&self, block: usize) -> std::ops::Range<usize> {
        self.shape.block(block)
    }

    /// Cells of a row in a block's table.
    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        1 << self.shape.shift
    }

    /// The row within its block and the class, counted from 0, that `cell` stands for.
    #[inline(always)]
    pub(crate) fn row_and_class(&self, cell: u16) -> (usize, usize) {
        (usize::from(cell) >> self.shape.shift, usize::from(cell) & (self.stride() - 1))
    }

    /// The classes, counted from 0, that somebody votes for in row `u`; only where classes are many.
    #[inline(always)]
    pub(crate) fn present(&self, u: usize) -> &[u16] {
        &self.present.classes[self.present.starts[u] as usize..self.present.starts[u + 1] as usize]
    }

    /// The sources that vote in row `u` for `class`, counted from 0; ascending.
    #[inline(always)]
    pub(crate) fn of_class(&self, u: usize, class: usize) -> &[u16] {
        self.lists.of_class(u, class)
    }

    /// The same, filled up by the source behind the last.
    #[inline(always)]
    pub(crate) fn of_class_by_fours(&self, u: usize, class: usize) -> &[u16] {
        self.lists.of_class_by_fours(u, class)
    }

    /// The cells of source `l` in `block`, by class within each row.
    #[inline(always)]
    pub(crate) fn of_source(&self, block: usize, l: usize) -> &[u16] {
        self.lists.of_source(block, l)
    }

    /// For each step of four rows and each source, the votes in the four bytes of a word: 0 an abstain, else the class counted
    /// from 1.
    pub(crate) fn votes_by_fours(&self) -> &[u32] {
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
    pub(crate) fn votes(&self, u: usize) -> usize {
        (0..self.classes).map(|class| self.lists.class_place(u, class).1).sum()
    }

    /// For each active source and class, how many items it votes for it on.
    pub(crate) fn votes_by_class(&self) -> Vec<Vec<f64>> {
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
