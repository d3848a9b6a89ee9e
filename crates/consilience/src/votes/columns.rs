//! The table by columns: one bit per pattern for each class that a source ever votes for.
//!
//! Patterns are cut into blocks, so that the bits of a table of any length take bounded memory. A pattern counts as
//! often as items have it; the counts enter as bit planes:
//! ```text
//! count_p = Σ_b 2^b bit_b(count_p)
//! Σ_{p in set} count_p = Σ_b 2^b popcount(set & plane_b)
//! ```

use std::ops::Range;

use super::both_ways::BothWays;
use super::{Patterns, Votes};
use crate::sources::{Domain, Vote};

/// The most words (64 patterns each) of one column in one block; a block of a few thousand columns stays in cache.
const BLOCK_WORDS: usize = 64;

/// The most bytes that the columns of one block take.
const BLOCK_BYTES: usize = 1 << 23;

/// The numbering of columns: source by source, the classes of each ascending.
#[derive(Clone, Debug)]
pub(crate) struct Columns<'a> {
    domains: &'a [Domain],
    first: Vec<usize>,
}

impl<'a> Columns<'a> {
    pub(crate) fn of(votes: &'a Votes) -> Self {
        let domains = votes.domains();
        let mut first = Vec::with_capacity(domains.len() + 1);
        first.push(0);
        let mut next = 0;
        for domain in domains {
            next += domain.classes().len();
            first.push(next);
        }
        Self { domains, first }
    }

    /// How many columns there are.
    pub(crate) fn len(&self) -> usize {
        self.first[self.domains.len()]
    }

    /// The columns of source `j`.
    pub(crate) fn of_source(&self, j: usize) -> Range<usize> {
        self.first[j]..self.first[j + 1]
    }

    /// The column of source `j` and a class that it ever votes for.
    #[inline]
    pub(crate) fn position(&self, j: usize, vote: Vote) -> usize {
        let classes = self.domains[j].classes();
        self.first[j] + classes.partition_point(|&class| class < vote)
    }

    /// For each column, its source and class.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (usize, Vote)> + '_ {
        self.domains.iter().enumerate().flat_map(|(j, domain)| domain.classes().iter().map(move |&c| (j, c)))
    }
}

/// How the patterns of a table are cut into blocks.
#[derive(Clone, Debug)]
pub(crate) struct Blocks<'a> {
    patterns: &'a Patterns,
    columns: &'a Columns<'a>,
    /// Patterns with counts of similar size are stored together, so that most blocks need few planes; none when all counts
    /// are one.
    order: Option<Vec<u32>>,
    words: usize,
}

impl<'a> Blocks<'a> {
    pub(crate) fn new(patterns: &'a Patterns, columns: &'a Columns<'a>) -> Self {
        let counts = patterns.counts();
        let order = counts.iter().any(|&count| count > 1).then(|| {
            let mut order: Vec<u32> = (0..patterns.len() as u32).collect();
            order.sort_by_key(|&p| counts[p as usize].leading_zeros());
            order
        });
        let words = (BLOCK_BYTES / 8 / columns.len().max(1)).clamp(1, BLOCK_WORDS);
        Self { patterns, columns, order, words }
    }

    /// How many blocks there are.
    pub(crate) fn len(&self) -> usize {
        self.patterns.len().div_ceil(64 * self.words)
    }

    /// How many words a column of one block has.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The columns.
    pub(crate) fn columns(&self) -> &Columns<'a> {
        self.columns
    }

    /// Bytes that the bits of one block take, its planes left aside.
    pub(crate) fn bytes_each(&self) -> usize {
        8 * self.words * self.columns.len()
    }

    /// The patterns of block `number`.
    fn patterns(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let length = 64 * self.words;
        let range = number * length..((number + 1) * length).min(self.patterns.len());
        range.map(|place| self.order.as_ref().map_or(place, |order| order[place] as usize))
    }

    /// How many votes each pattern of block `number` has.
    pub(crate) fn row_lengths(&self, number: usize) -> impl Iterator<Item = f64> + '_ {
        self.patterns(number).map(|p| self.patterns.row(p).count() as f64)
    }

    /// Block `number` as lists of its votes.
    pub(crate) fn both_ways(&self, number: usize) -> BothWays {
        BothWays::new(self.patterns, self.columns, self.patterns(number))
    }

    /// Block `number` as bit columns.
    pub(crate) fn bits(&self, number: usize) -> Bits {
        let mut block = Bits {
            words: self.words,
            columns: vec![0; self.words * self.columns.len()],
            planes: Vec::new(),
            counted: self.order.is_some(),
        };
        for (place, p) in self.patterns(number).enumerate() {
            let (word, bit) = (place / 64, 1 << (place % 64));
            for (source, vote) in self.patterns.row(p) {
                block.columns[self.columns.position(source, vote) * self.words + word] |= bit;
            }
            if block.counted {
                block.count(self.patterns.counts()[p], word, bit);
            }
        }
        if block.planes.len() == 1 {
            // All counts are one: the columns are their own plane.
            block.counted = false;
        }
        block
    }
}

/// The bit columns of one block of patterns.
#[derive(Clone, Debug)]
pub(crate) struct Bits {
    words: usize,
    columns: Vec<u64>,
    planes: Vec<Vec<u64>>,
    counted: bool,
}

impl Bits {
    fn count(&mut self, count: u64, word: usize, bit: u64) {
        let planes = (u64::BITS - count.leading_zeros()) as usize;
        if self.planes.len() < planes {
            self.planes.resize(planes, vec![0; self.words]);
        }
        for (b, plane) in self.planes.iter_mut().enumerate().take(planes) {
            plane[word] |= bit * (count >> b & 1);
        }
    }

    #[inline]
    fn column(&self, column: usize) -> &[u64] {
        &self.columns[column * self.words..(column + 1) * self.words]
    }

    /// How many items of the block have both votes: that of column `x` and that of column `y`.
    #[inline]
    pub(crate) fn common(&self, x: usize, y: usize) -> u64 {
        let (x, y) = (self.column(x), self.column(y));
        if !self.counted {
            return u64::from(x.iter().zip(y).map(|(x, y)| (x & y).count_ones()).sum::<u32>());
        }
        let in_plane = |plane: &[u64]| -> u32 {
            x.iter().zip(y).zip(plane).map(|((x, y), plane)| (x & y & plane).count_ones()).sum()
        };
        self.planes.iter().enumerate().map(|(b, plane)| u64::from(in_plane(plane)) << b).sum()
    }
}
