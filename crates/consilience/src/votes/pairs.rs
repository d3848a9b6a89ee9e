//! What each pair of sources says in common: counts over the items where both vote.
//!
//! Two ways to the same whole numbers. By bits: every column against every later one, block by block; the cost is in
//! columns squared and patterns, whatever the coverage. By rows: every vote against the later votes of its rows; the
//! cost is in the votes that stand together. The cheaper one is taken.

use rayon::prelude::*;

use super::columns::{Block, Blocks, Columns};
use super::{Patterns, Votes};
use crate::sources::Vote;

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

/// The cells of one source with all later ones need no more than this to be counted by bits.
const MOST_CELL_BYTES: usize = 1 << 29;

/// Blocks that wait to be counted by bits take no more than this.
const BATCH_BYTES: usize = 1 << 26;

/// Measured times: one word of a pair of columns by bits; by rows, to come to a row, and each vote found there.
const WORD_TIME: f64 = 0.75;
const ROW_TIME: f64 = 170.0;
const VOTE_TIME: f64 = 0.15;

/// All pairs of sources with at least one item on which both vote, in the order of the sources.
pub(super) fn pair_counts(votes: &Votes) -> Vec<PairCounts> {
    let columns = Columns::of(votes);
    if bits_are_cheaper(votes.patterns(), &columns) {
        by_bits(votes, &columns)
    } else {
        by_rows(votes, &columns)
    }
}

fn bits_are_cheaper(patterns: &Patterns, columns: &Columns<'_>) -> bool {
    let squared = columns.len() as f64 * columns.len() as f64;
    if 4.0 * squared > MOST_CELL_BYTES as f64 {
        return false;
    }
    let words = patterns.len() as f64 / 64.0;
    let (votes, together) = (0..patterns.len())
        .into_par_iter()
        .with_min_len(1 << 12)
        .map(|p| patterns.row(p).count() as u64)
        .map(|votes| (votes, votes * votes))
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    let by_bits = WORD_TIME * squared / 2.0 * words;
    let by_rows = ROW_TIME * votes as f64 + VOTE_TIME * together as f64;
    by_bits < by_rows
}

fn by_bits(votes: &Votes, columns: &Columns<'_>) -> Vec<PairCounts> {
    let blocks = Blocks::new(votes.patterns(), columns);
    let at_once = (BATCH_BYTES / blocks.bytes_each().max(1)).max(1);
    let sources = votes.sources().len();
    // For each source: its columns against all columns of later sources, the later column varying slowest.
    let mut cells: Vec<Vec<u64>> = (0..sources)
        .map(|j| vec![0; columns.of_source(j).len() * (columns.len() - columns.of_source(j).end)])
        .collect();
    for start in (0..blocks.len()).step_by(at_once) {
        let end = (start + at_once).min(blocks.len());
        let batch: Vec<Block> = (start..end).into_par_iter().map(|number| blocks.block(number)).collect();
        cells.par_iter_mut().with_max_len(1).enumerate().for_each(|(j, cells)| {
            let own = columns.of_source(j);
            for block in &batch {
                let pairs = (own.end..columns.len()).flat_map(|y| own.clone().map(move |x| (x, y)));
                for (cell, (x, y)) in cells.iter_mut().zip(pairs) {
                    *cell += block.common(x, y);
                }
            }
        });
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
    cells.into_par_iter().enumerate().map(pairs).flatten_iter().collect()
}

/// The votes as columns of each row, and as rows of each column.
struct Turned {
    row_starts: Vec<usize>,
    row_columns: Vec<u32>,
    column_starts: Vec<usize>,
    column_rows: Vec<u32>,
}

impl Turned {
    fn new(patterns: &Patterns, columns: &Columns<'_>) -> Self {
        let mut row_starts = Vec::with_capacity(patterns.len() + 1);
        let mut row_columns = Vec::new();
        let mut column_starts = vec![0; columns.len() + 1];
        row_starts.push(0);
        for p in 0..patterns.len() {
            for (source, vote) in patterns.row(p) {
                let column = columns.position(source, vote);
                row_columns.push(column as u32);
                column_starts[column + 1] += 1;
            }
            row_starts.push(row_columns.len());
        }
        for column in 0..columns.len() {
            column_starts[column + 1] += column_starts[column];
        }
        let mut next = column_starts.clone();
        let mut column_rows = vec![0; row_columns.len()];
        for p in 0..patterns.len() {
            for &column in &row_columns[row_starts[p]..row_starts[p + 1]] {
                let place = &mut next[column as usize];
                column_rows[*place] = p as u32;
                *place += 1;
            }
        }
        Self { row_starts, row_columns, column_starts, column_rows }
    }

    fn rows(&self, column: usize) -> &[u32] {
        &self.column_rows[self.column_starts[column]..self.column_starts[column + 1]]
    }

    fn columns(&self, row: u32) -> &[u32] {
        &self.row_columns[self.row_starts[row as usize]..self.row_starts[row as usize + 1]]
    }
}

fn by_rows(votes: &Votes, columns: &Columns<'_>) -> Vec<PairCounts> {
    let counts = votes.patterns().counts();
    let turned = Turned::new(votes.patterns(), columns);
    let keys: Vec<(usize, Vote)> = columns.keys().collect();
    let scratch = || (vec![0u64; columns.len()], Tally::new(votes.classes().len()));
    let pairs = |(items, tally): &mut (Vec<u64>, Tally), j: usize| {
        let own = columns.of_source(j);
        let mut cells: Vec<(u32, Cell)> = Vec::new();
        let mut touched: Vec<u32> = Vec::new();
        for x in own.clone() {
            for &row in turned.rows(x) {
                let count = counts[row as usize];
                for &y in turned.columns(row).iter().rev().take_while(|&&y| y as usize >= own.end) {
                    if items[y as usize] == 0 {
                        touched.push(y);
                    }
                    items[y as usize] += count;
                }
            }
            for y in touched.drain(..) {
                let items = std::mem::take(&mut items[y as usize]);
                cells.push((y, Cell { a: keys[x].1, b: keys[y as usize].1, items }));
            }
        }
        cells.sort_unstable_by_key(|&(y, _)| y);
        let same_source = |p: &(u32, Cell), q: &(u32, Cell)| keys[p.0 as usize].0 == keys[q.0 as usize].0;
        let pair = |cells: &[(u32, Cell)]| {
            let l = keys[cells[0].0 as usize].0;
            tally.pair([j, l], cells.iter().map(|&(_, cell)| cell))
        };
        cells.chunk_by(same_source).filter_map(pair).collect::<Vec<_>>()
    };
    (0..votes.sources().len())
        .into_par_iter()
        .with_max_len(64)
        .map_init(scratch, pairs)
        .flatten_iter()
        .collect()
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

    /// `None` where the two never vote on the same item.
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
        let names = (0..sources).map(|j| format!("s{j}")).collect();
        let mut builder = VotesBuilder::new(Sources::new(names).unwrap());
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
    fn bits_and_rows_count_the_same() {
        for (sources, items, k, coverage) in
            [(5, 1000, 2, 0.3), (12, 5000, 3, 0.1), (40, 300, 70, 0.6), (3, 20_000, 2, 0.9), (4, 1, 2, 0.0)]
        {
            let votes = random(sources, items, k, coverage, 7);
            let columns = Columns::of(&votes);
            let by_rows = by_rows(&votes, &columns);
            assert_eq!(by_rows, by_bits(&votes, &columns));
            assert_eq!(by_rows, pair_counts(&votes));
        }
    }

    /// How the times of the two ways were found; run with `--release --ignored --nocapture`.
    #[test]
    #[ignore = "a measurement"]
    #[expect(clippy::print_stdout, reason = "a measurement for people")]
    fn time_of_both_ways() {
        for (sources, items, k, coverage) in [
            (1000, 100_000, 2, 0.05),
            (1000, 20_000, 2, 0.2),
            (100, 200_000, 2, 0.3),
            (100, 1_000_000, 2, 0.1),
            (200, 50_000, 10, 0.2),
        ] {
            let votes = random(sources, items, k, coverage, 7);
            let columns = Columns::of(&votes);
            let time = |way: fn(&Votes, &Columns<'_>) -> Vec<PairCounts>| {
                let start = std::time::Instant::now();
                way(&votes, &columns);
                start.elapsed()
            };
            let (bits, rows) = (time(by_bits), time(by_rows));
            let chosen = if bits_are_cheaper(votes.patterns(), &columns) { "bits" } else { "rows" };
            println!(
                "{sources} x {items}, k = {k}, coverage {coverage}: bits {bits:?}, rows {rows:?}: {chosen}"
            );
        }
    }
}
