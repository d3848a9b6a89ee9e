//! What each pair of sources says in common: counts over the items where both vote.
//!
//! Every column is held against every later one. A block of patterns where sources vote densely is counted by bits, at
//! a cost in columns squared and patterns; a sparse one by rows, every vote against the later votes of its row, at a
//! cost in votes that occur together. With too many columns for a table of all their pairs, the whole table is counted
//! by rows, one source after the other. All ways give the same whole numbers.

use super::Votes;
use super::both_ways::BothWays;
use super::columns::{Bits, Blocks, Columns};
use crate::parallel;
use crate::sources::Vote;

/// More pairs of sources than fit into memory and patience.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "up to {pairs} pairs of sources vote on common items, but at most {limit} can be compared; use fewer sources"
)]
#[non_exhaustive]
pub struct TooManyPairs {
    /// How many pairs there may be.
    pub pairs: u64,
    /// How many are compared at most.
    pub limit: u64,
}

/// What two sources say in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairCounts {
    /// The two sources, the earlier one first.
    pub sources: [usize; 2],
    /// Items on which both vote.
    pub both: u64,
    /// Items on which both vote for the same class.
    pub agreements: u64,
    /// `Σ_c a_c b_c`, where `a_c` and `b_c` are how often the first and the second vote for class c on the items where
    /// both vote; divided by `both²` it is the share of agreements expected by chance.
    pub chance: u128,
}

/// How many items have vote `a` of the earlier and vote `b` of the later source.
#[derive(Clone, Copy, Debug)]
struct Cell {
    a: Vote,
    b: Vote,
    items: u64,
}

/// As many pairs as 5,800 sources have that all vote on a common item; they take a gigabyte.
const MOST_PAIRS: u64 = 1 << 24;

/// The table of all pairs of columns takes no more than this.
const MOST_CELL_BYTES: usize = 1 << 29;

/// Blocks that wait to be counted take no more than this.
const BATCH_BYTES: usize = 1 << 26;

/// Measured times: one word of a pair of columns by bits; by rows, to reach a row, and each vote found there.
const WORD_TIME: f64 = 1.4;
const ROW_TIME: f64 = 20.0;
const VOTE_TIME: f64 = 1.0;

impl Votes {
    /// All pairs of sources with at least one item on which both vote, in the order of the sources.
    ///
    /// ```
    /// use consilience::votes::Votes;
    ///
    /// let votes = Votes::from_text(&["a", "b"], [["yes", "yes"], ["no", "no"], ["yes", "no"], ["no", ""]])?;
    /// let pair = votes.pairs()?[0];
    /// assert_eq!((pair.both, pair.agreements), (3, 2));
    /// assert!((pair.kappa().unwrap_or_default() - 0.4).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairs(&self) -> Result<Vec<PairCounts>, TooManyPairs> {
        let pairs = most_pairs(self);
        if pairs > MOST_PAIRS {
            return Err(TooManyPairs { pairs, limit: MOST_PAIRS });
        }
        let columns = Columns::of(self);
        let cells = columns.len() as u128 * columns.len() as u128 / 2;
        Ok(if 8 * cells <= MOST_CELL_BYTES as u128 {
            block_by_block(self, &columns, cheaper)
        } else {
            source_by_source(self, &columns)
        })
    }
}

/// No more pairs than this can vote on a common item: two sources that vote at all, and two votes of one row.
fn most_pairs(votes: &Votes) -> u64 {
    let pairs_of = |sources: u64| sources * sources.saturating_sub(1) / 2;
    let patterns = votes.patterns();
    let of_sources = pairs_of(votes.domains().iter().filter(|domain| domain.len() > 1).count() as u64);
    if of_sources <= MOST_PAIRS {
        return of_sources;
    }
    let of_row = |p: usize| pairs_of(patterns.row(p).count() as u64);
    let of_pieces = parallel::map(parallel::few_ranges(patterns.len(), parallel::ROWS), |rows| {
        rows.map(of_row).fold(0, u64::saturating_add)
    });
    let of_rows = of_pieces.into_iter().fold(0, u64::saturating_add);
    of_sources.min(of_rows)
}

impl PairCounts {
    /// Cohen's kappa over the items where both vote; `None` if both always vote for one and the same class.
    ///
    /// # Formula
    /// ```text
    /// (o - e) / (1 - e),   o = agreements / both,   e = Σ_c a_c b_c / both²
    /// ```
    pub fn kappa(&self) -> Option<f64> {
        cohen(self.agreements, self.chance, self.both)
    }
}

/// `(o - e) / (1 - e)` in whole numbers until the last step, so that equal counts give equal bits.
pub(super) fn cohen(agreements: u64, chance: u128, items: u64) -> Option<f64> {
    let observed = u128::from(agreements) * u128::from(items);
    let most = u128::from(items) * u128::from(items);
    let beyond = observed.abs_diff(chance) as f64;
    let beyond = if observed < chance { -beyond } else { beyond };
    (most > chance).then(|| beyond / (most - chance) as f64)
}

/// A block of patterns in the form in which it is counted.
enum Block {
    Bits(Bits),
    Rows(BothWays),
}

/// How a block is counted best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Bits,
    Rows,
}

fn cheaper(blocks: &Blocks<'_>, number: usize) -> Way {
    let (votes, together) =
        blocks.row_lengths(number).fold((0.0, 0.0), |(sum, squares), n| (sum + n, squares + n * n));
    let by_rows = ROW_TIME * votes + VOTE_TIME * together / 2.0;
    let by_bits = WORD_TIME * blocks.words() as f64 * blocks.columns().len().pow(2) as f64 / 2.0;
    if by_bits < by_rows { Way::Bits } else { Way::Rows }
}

fn block_by_block(
    votes: &Votes,
    columns: &Columns<'_>,
    way: fn(&Blocks<'_>, usize) -> Way,
) -> Vec<PairCounts> {
    let blocks = Blocks::new(votes.patterns(), columns);
    let at_once = (BATCH_BYTES / blocks.bytes_each().max(1)).max(1);
    let make = |number| match way(&blocks, number) {
        Way::Bits => Block::Bits(blocks.bits(number)),
        Way::Rows => Block::Rows(blocks.both_ways(number)),
    };
    let sources = votes.sources().len();
    // For each source: its columns against all columns of later sources, the later column varying slowest.
    let mut cells: Vec<Vec<u64>> = (0..sources)
        .map(|j| vec![0; columns.of_source(j).len() * (columns.len() - columns.of_source(j).end)])
        .collect();
    for start in (0..blocks.len()).step_by(at_once) {
        let end = (start + at_once).min(blocks.len());
        let batch: Vec<Block> = parallel::map(start..end, make);
        // One block after the other: all threads work on what is in the cache.
        for block in &batch {
            crate::watch::look();
            let add = |(j, cells): (usize, &mut Vec<u64>)| add_block(block, columns, j, cells);
            parallel::for_each(cells.iter_mut().enumerate(), add);
        }
    }
    let pairs = |(j, cells): (usize, Vec<u64>)| {
        let mut tally = Tally::new(votes.classes().len());
        let own = votes.domains()[j].classes();
        let mut rest = cells.as_slice();
        let mut found = Vec::new();
        for l in j + 1..sources {
            let others = votes.domains()[l].classes();
            let (these, later) = rest.split_at(own.len() * others.len());
            rest = later;
            let keys = others.iter().flat_map(|&b| own.iter().map(move |&a| (a, b)));
            let cells = keys.zip(these).map(|((a, b), &items)| Cell { a, b, items });
            found.extend(tally.pair([j, l], cells));
        }
        found
    };
    parallel::flat_map(cells.into_iter().enumerate(), pairs)
}

fn add_block(block: &Block, columns: &Columns<'_>, j: usize, cells: &mut [u64]) {
    let own = columns.of_source(j);
    match block {
        Block::Bits(bits) => {
            let pairs = (own.end..columns.len()).flat_map(|y| own.clone().map(move |x| (x, y)));
            for (cell, (x, y)) in cells.iter_mut().zip(pairs) {
                *cell += bits.common(x, y);
            }
        }
        Block::Rows(both_ways) => {
            for x in own.clone() {
                for (count, later) in both_ways.rows(x, own.end) {
                    for y in later {
                        cells[(y - own.end) * own.len() + x - own.start] += count;
                    }
                }
            }
        }
    }
}

/// Sources that one piece of work takes.
const SOURCES_AT_ONCE: usize = 64;

fn source_by_source(votes: &Votes, columns: &Columns<'_>) -> Vec<PairCounts> {
    let both_ways = BothWays::new(votes.patterns(), columns, 0..votes.patterns().len());
    let keys: Vec<(usize, Vote)> = columns.keys().collect();
    let scratch = || (vec![0u64; columns.len()], Tally::new(votes.classes().len()));
    let pairs = |(items, tally): &mut (Vec<u64>, Tally), j: usize| {
        let own = columns.of_source(j);
        let mut cells: Vec<(usize, Cell)> = Vec::new();
        let mut touched: Vec<usize> = Vec::new();
        for x in own.clone() {
            for (count, later) in both_ways.rows(x, own.end) {
                for y in later {
                    if items[y] == 0 {
                        touched.push(y);
                    }
                    items[y] += count;
                }
            }
            for y in touched.drain(..) {
                let items = std::mem::take(&mut items[y]);
                cells.push((y, Cell { a: keys[x].1, b: keys[y].1, items }));
            }
        }
        cells.sort_unstable_by_key(|&(y, _)| y);
        let pair = |cells: &[(usize, Cell)]| {
            let l = keys[cells[0].0].0;
            tally.pair([j, l], cells.iter().map(|&(_, cell)| cell))
        };
        cells.chunk_by(|p, q| keys[p.0].0 == keys[q.0].0).filter_map(pair).collect::<Vec<_>>()
    };
    parallel::flat_map(parallel::ranges(votes.sources().len(), SOURCES_AT_ONCE), |sources| {
        let mut scratch = scratch();
        sources.flat_map(|j| pairs(&mut scratch, j)).collect()
    })
}

/// Adds up the cells of one pair after the other.
struct Tally {
    a: Vec<u64>,
    b: Vec<u64>,
    seen: Vec<Vote>,
}

impl Tally {
    fn new(classes: usize) -> Self {
        Self { a: vec![0; classes + 1], b: vec![0; classes + 1], seen: Vec::new() }
    }

    /// `None` if the two never vote on the same item.
    fn pair(&mut self, sources: [usize; 2], cells: impl Iterator<Item = Cell>) -> Option<PairCounts> {
        let (mut both, mut agreements) = (0, 0);
        for Cell { a, b, items } in cells.filter(|cell| cell.items > 0) {
            both += items;
            if a == b {
                agreements += items;
            }
            self.seen.extend((self.a[a as usize] == 0).then_some(a));
            self.seen.extend((self.b[b as usize] == 0).then_some(b));
            self.a[a as usize] += items;
            self.b[b as usize] += items;
        }
        let mut chance = 0;
        for class in self.seen.drain(..) {
            let a = std::mem::take(&mut self.a[class as usize]);
            let b = std::mem::take(&mut self.b[class as usize]);
            // A class that stands in the list twice was taken the first time.
            chance += u128::from(a) * u128::from(b);
        }
        (both > 0).then_some(PairCounts { sources, both, agreements, chance })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Streams, unit};
    use crate::sources::{ABSTAIN, Classes, Sources};
    use crate::votes::VotesBuilder;

    /// Sources that vote with the given probability, for classes 1..=k; rows repeat where `k` and the coverage are low.
    fn random(sources: usize, items: usize, k: usize, coverage: f64, seed: u64) -> Votes {
        let mut rng = Streams::new(seed).stream(0);
        let mut builder = VotesBuilder::new(Sources::numbered(sources).unwrap());
        for _ in 0..items {
            let row: Vec<Vote> = (0..sources)
                .map(|_| {
                    if unit(&mut rng) < coverage { 1 + (unit(&mut rng) * k as f64) as Vote } else { ABSTAIN }
                })
                .collect();
            builder.push_dense(&row).unwrap();
        }
        builder.finish_as(Classes::numbered(k).unwrap()).unwrap()
    }

    #[test]
    fn all_ways_count_the_same() {
        for (sources, items, k, coverage) in
            [(5, 1000, 2, 0.3), (12, 5000, 3, 0.1), (40, 300, 70, 0.6), (3, 20_000, 2, 0.9), (4, 1, 2, 0.0)]
        {
            let votes = random(sources, items, k, coverage, 7);
            let columns = Columns::of(&votes);
            let by_source = source_by_source(&votes, &columns);
            assert_eq!(by_source, block_by_block(&votes, &columns, |_, _| Way::Bits));
            assert_eq!(by_source, block_by_block(&votes, &columns, |_, _| Way::Rows));
            let by_turns =
                |_: &Blocks<'_>, number: usize| if number.is_multiple_of(2) { Way::Bits } else { Way::Rows };
            assert_eq!(by_source, block_by_block(&votes, &columns, by_turns));
            assert_eq!(votes.pairs(), Ok(by_source));
        }
    }
}
