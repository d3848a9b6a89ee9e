//! Votes by source: for each source and class one bit per item, so that questions about one or two sources need not read
//! the whole table.

use super::Votes;
use super::columns::Columns;
use crate::parallel;
use crate::sources::Vote;

/// Words of the items that one piece of work reads.
const PIECE: usize = 1 << 7;
/// The bits may take so many times the memory of the table.
const MOST_BYTES: usize = 2;

/// For each source and each class it votes for, which items have that vote: bit `i % 64` of word `i / 64` for item `i`.
///
/// ```
/// use consilience::votes::{BitsBySource, Votes};
///
/// let votes = Votes::from_text(&["a", "b"], [["yes", "no"], ["", "no"], ["no", "no"]])?;
/// let bits = BitsBySource::new(&votes).ok_or("too large")?;
/// let of_a: Vec<_> = bits.of_source(0).collect();
/// assert_eq!(of_a, [(1, &[0b100][..]), (2, &[0b001][..])]); // no = 1, yes = 2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BitsBySource {
    items: usize,
    words: usize,
    /// Where the columns of each source begin, and where the last ends.
    starts: Vec<usize>,
    /// The class of each column.
    classes: Vec<Vote>,
    bits: Vec<u64>,
}

impl BitsBySource {
    /// The bits of `votes`; `None` if they would take much more memory than the table, which has few votes then.
    pub fn new(votes: &Votes) -> Option<Self> {
        let columns = Columns::of(votes);
        let words = votes.items().div_ceil(64);
        let bytes = columns.len().checked_mul(8 * words)?;
        // Small tables are never worth a second thought.
        if bytes > (MOST_BYTES * votes.bytes()).max(1 << 20) {
            return None;
        }
        let piece = |piece: usize| {
            let mut bits = vec![0u64; columns.len() * PIECE];
            let first = 64 * PIECE * piece;
            for i in first..votes.items().min(first + 64 * PIECE) {
                let (word, bit) = ((i - first) / 64, 1 << (i % 64));
                votes
                    .row_of_item(i)
                    .for_each(|(j, vote)| bits[columns.position(j, vote) * PIECE + word] |= bit);
            }
            bits
        };
        let pieces: Vec<Vec<u64>> = parallel::map(0..words.div_ceil(PIECE), piece);
        let mut bits = vec![0; columns.len() * words];
        parallel::for_each(bits.chunks_mut(words.max(1)).enumerate(), |(column, bits)| {
            for (to, from) in bits.chunks_mut(PIECE).zip(&pieces) {
                to.copy_from_slice(&from[column * PIECE..column * PIECE + to.len()]);
            }
        });
        let mut starts: Vec<usize> = (0..votes.sources().len()).map(|j| columns.of_source(j).start).collect();
        starts.push(columns.len());
        Some(Self {
            items: votes.items(),
            words,
            starts,
            classes: columns.keys().map(|(_, class)| class).collect(),
            bits,
        })
    }

    /// The number of items.
    pub fn items(&self) -> usize {
        self.items
    }

    /// The classes that source `j` votes for, each with its items.
    pub fn of_source(&self, j: usize) -> impl Iterator<Item = (Vote, &[u64])> {
        let columns = self.starts[j]..self.starts[j + 1];
        columns
            .map(|column| (self.classes[column], &self.bits[column * self.words..(column + 1) * self.words]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Classes, Sources};
    use crate::votes::VotesBuilder;

    fn table(sources: usize, items: usize, vote: impl Fn(usize, usize) -> Vote) -> Votes {
        let mut builder = VotesBuilder::new(Sources::numbered(sources).unwrap());
        for i in 0..items {
            builder.push_dense(&(0..sources).map(|j| vote(i, j)).collect::<Vec<_>>()).unwrap();
        }
        builder.finish_as(Classes::numbered(3).unwrap()).unwrap()
    }

    /// Every vote is one bit, and there are no others, whatever the number of items. The last source is silent.
    #[test]
    fn bits_are_the_votes() {
        for items in [1, 63, 64, 65, 64 * PIECE, 64 * PIECE + 1, 20_000] {
            let drawn = |i: usize, j: usize| (i.wrapping_mul(2_654_435_761 + 97 * j) >> 9) % (j + 2);
            let votes = table(4, items, |i, j| if j == 3 { 0 } else { drawn(i, j) as Vote });
            let bits = BitsBySource::new(&votes).unwrap();
            assert_eq!(bits.items(), items);
            let mut seen = 0;
            for j in 0..4 {
                for (class, column) in bits.of_source(j) {
                    assert_eq!(column.len(), items.div_ceil(64));
                    let cast = |i: usize| votes.row_of_item(i).any(|cell| cell == (j, class));
                    let has = |i: usize| column[i / 64] >> (i % 64) & 1 == 1;
                    assert!((0..items).all(|i| cast(i) == has(i)), "{items} items, source {j}");
                    seen += column.iter().map(|word| word.count_ones() as usize).sum::<usize>();
                }
            }
            assert_eq!(seen, (0..items).map(|i| votes.row_of_item(i).count()).sum::<usize>());
        }
    }

    #[test]
    fn tables_with_few_votes_have_no_bits() {
        let votes = table(300, 60_000, |i, j| Vote::from(i % 300 == j));
        assert!(BitsBySource::new(&votes).is_none());
    }
}
