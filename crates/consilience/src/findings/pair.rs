//! The votes of two sources on the same items.

use serde::Serialize;

use crate::parallel;
use crate::sources::{ABSTAIN, Vote};
use crate::votes::{BitsBySource, Votes};

/// How often two sources cast which votes, and on which items.
///
/// ```
/// use consilience::findings::PairTable;
/// use consilience::votes::Votes;
///
/// let votes = Votes::from_text(&["a", "b"], [["yes", "no"], ["no", "no"], ["yes", ""]])?;
/// let table = PairTable::new(&votes, 0, 1, 5);
/// assert_eq!(table.counts, [[0, 0, 0], [0, 1, 0], [1, 1, 0]]); // abstain, no, yes
/// assert_eq!(table.apart, [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PairTable {
    /// The sources.
    pub sources: [usize; 2],
    /// Items by the vote of the first source (rows) and of the second (columns); 0 is abstaining, `c` is class number `c` from 1.
    pub counts: Vec<Vec<u64>>,
    /// Some items on which both vote for the same class.
    pub alike: Vec<usize>,
    /// Some items on which they vote for different classes.
    pub apart: Vec<usize>,
}

impl PairTable {
    /// Compares sources `a` and `b` of `votes`, with at most `examples` items of each kind.
    pub fn new(votes: &Votes, a: usize, b: usize, examples: usize) -> Self {
        let k = votes.classes().len();
        let patterns = votes.patterns();
        let last = a.max(b);
        let said = |p: usize| {
            let mut pair = (ABSTAIN, ABSTAIN);
            for (j, vote) in patterns.row(p).take_while(|&(j, _)| j <= last) {
                if j == a {
                    pair.0 = vote;
                }
                if j == b {
                    pair.1 = vote;
                }
            }
            pair
        };
        let mut counts = vec![vec![0; k + 1]; k + 1];
        let of_pattern: Vec<(Vote, Vote)> = parallel::map_each(patterns.len(), parallel::ROWS, said);
        for (&(first, second), &items) in of_pattern.iter().zip(patterns.counts()) {
            counts[usize::from(first)][usize::from(second)] += items;
        }
        let (mut alike, mut apart) = (Vec::new(), Vec::new());
        for (i, &pattern) in votes.item_pattern().iter().enumerate() {
            let (first, second) = of_pattern[pattern as usize];
            if first == ABSTAIN || second == ABSTAIN {
                continue;
            }
            let list = if first == second { &mut alike } else { &mut apart };
            if list.len() < examples {
                list.push(i);
            } else if alike.len().min(apart.len()) >= examples {
                break;
            }
        }
        Self { sources: [a, b], counts, alike, apart }
    }

    /// The same from the bits of the votes, which takes a fraction of the time.
    ///
    /// ```
    /// use consilience::findings::PairTable;
    /// use consilience::votes::{BitsBySource, Votes};
    ///
    /// let votes = Votes::from_text(&["a", "b"], [["yes", "no"], ["no", "no"], ["yes", ""]])?;
    /// let bits = BitsBySource::new(&votes).ok_or("too large")?;
    /// assert_eq!(PairTable::of_bits(&bits, votes.classes().len(), 0, 1, 5), PairTable::new(&votes, 0, 1, 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_bits(bits: &BitsBySource, classes: usize, a: usize, b: usize, examples: usize) -> Self {
        let mut counts = vec![vec![0; classes + 1]; classes + 1];
        let (mut alike, mut apart) = (Vec::new(), Vec::new());
        let total = |column: &[u64]| column.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        for (first, ours) in bits.of_source(a) {
            counts[usize::from(first)][0] = total(ours);
        }
        for (second, theirs) in bits.of_source(b) {
            counts[0][usize::from(second)] = total(theirs);
            for (first, ours) in bits.of_source(a) {
                let common = || ours.iter().zip(theirs).map(|(x, y)| x & y);
                let both = common().map(|word| u64::from(word.count_ones())).sum();
                counts[usize::from(first)][usize::from(second)] = both;
                counts[usize::from(first)][0] -= both;
                counts[0][usize::from(second)] -= both;
                // The first items of each pair of classes have the first of all among them.
                let list = if first == second { &mut alike } else { &mut apart };
                list.extend(ones(common()).take(examples));
            }
        }
        counts[0][0] = bits.items() as u64 - counts.iter().flatten().sum::<u64>();
        for list in [&mut alike, &mut apart] {
            list.sort_unstable();
            list.truncate(examples);
        }
        Self { sources: [a, b], counts, alike, apart }
    }
}

/// The places of the bits that are set, in order.
fn ones(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(n, mut word)| {
        std::iter::from_fn(move || {
            (word != 0).then(|| {
                let bit = word.trailing_zeros() as usize;
                word &= word - 1;
                64 * n + bit
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Classes, Sources};
    use crate::votes::VotesBuilder;

    #[test]
    fn votes_are_counted_by_both() {
        let sources = Sources::new(vec!["a".into(), "b".into(), "c".into()]).unwrap();
        let mut builder = VotesBuilder::new(sources);
        for row in [[1, 1, 0], [2, 1, 1], [0, 1, 2], [1, 1, 2], [0, 0, 0], [2, 1, 0]] {
            builder.push_dense(&row).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(2).unwrap()).unwrap();
        let table = PairTable::new(&votes, 0, 1, 1);
        assert_eq!(table.counts, [[1, 1, 0], [0, 2, 0], [0, 2, 0]]);
        assert_eq!((table.alike, table.apart), (vec![0], vec![1]));
    }

    /// Bits give what the rows give, whichever source comes first and however many examples are wanted.
    #[test]
    fn bits_give_the_same_table() {
        let mut builder = VotesBuilder::new(Sources::numbered(4).unwrap());
        for i in 0..5000usize {
            let drawn = |j: usize| (i.wrapping_mul(2_654_435_761 + 97 * j) >> 9) % (j + 2);
            builder.push_dense(&[drawn(0), drawn(1), drawn(2), 0].map(|vote| vote as Vote)).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(3).unwrap()).unwrap();
        let bits = BitsBySource::new(&votes).unwrap();
        for (a, b) in [(0, 1), (1, 0), (1, 2), (2, 1), (0, 3), (3, 2)] {
            for examples in [0, 1, 4, 6000] {
                let expected = PairTable::new(&votes, a, b, examples);
                assert_eq!(PairTable::of_bits(&bits, 3, a, b, examples), expected, "{a} and {b}");
            }
        }
    }
}
