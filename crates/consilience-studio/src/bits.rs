//! Sets of items, one bit per item.

use rayon::prelude::*;

/// Words that one piece of work takes, at least.
const PIECE: usize = 1 << 9;

/// A set of items.
#[derive(Clone)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Those of the first `items` items that `has` says yes to.
    pub(crate) fn of(items: usize, has: impl Fn(usize) -> bool + Sync) -> Self {
        let word = |n: usize| {
            (64 * n..items.min(64 * (n + 1))).fold(0, |word, i| word | u64::from(has(i)) << (i % 64))
        };
        Self { words: (0..items.div_ceil(64)).into_par_iter().with_min_len(PIECE).map(word).collect() }
    }

    /// The items of `words`: item `i` is bit `i % 64` of word `i / 64`.
    pub(crate) fn of_words(words: Vec<u64>) -> Self {
        Self { words }
    }

    /// Adds the items of `words` that `has` says yes to.
    pub(crate) fn add(&mut self, words: &[u64], has: impl Fn(usize) -> bool + Sync) {
        let pairs = self.words.par_iter_mut().zip(words).with_min_len(PIECE).enumerate();
        pairs.for_each(|(n, (word, &more))| {
            *word |= ones(more).filter(|bit| has(64 * n + bit)).fold(0, |word, bit| word | 1 << bit);
        });
    }

    /// Leaves the items that are in `other` as well.
    pub(crate) fn retain(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    pub(crate) fn has(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    pub(crate) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The items in their order, without the first `skipped`.
    pub(crate) fn after(&self, skipped: usize) -> impl Iterator<Item = usize> {
        let mut passed = 0;
        let words = self.words.iter().take_while(|word| {
            let upto = passed + word.count_ones() as usize;
            let all = upto <= skipped;
            passed = if all { upto } else { passed };
            all
        });
        let first = words.count();
        let rest = self.words[first..].iter().zip(first..);
        rest.flat_map(|(&word, n)| ones(word).map(move |bit| 64 * n + bit)).skip(skipped - passed)
    }
}

/// The places of the bits of a word, from the lowest.
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_in() {
        for items in [0, 1, 64, 65, 1000] {
            let third = |i: usize| i.is_multiple_of(3);
            let set = Bits::of(items, third);
            let expected: Vec<usize> = (0..items).filter(|&i| third(i)).collect();
            assert_eq!(set.count(), expected.len());
            assert!((0..items).all(|i| set.has(i) == third(i)));
            for skipped in [0, 1, 21, 22, 23, expected.len(), expected.len() + 1] {
                let left: Vec<usize> = set.after(skipped).collect();
                assert_eq!(left, expected[skipped.min(expected.len())..], "{skipped} of {items} left out");
            }
        }
    }

    #[test]
    fn sets_are_joined_and_cut() {
        let mut set = Bits::of(200, |i| i < 3);
        let tens = Bits::of(200, |i| i.is_multiple_of(10));
        set.add(&tens.words, |i| i >= 150);
        assert_eq!(set.after(0).collect::<Vec<_>>(), [0, 1, 2, 150, 160, 170, 180, 190]);
        set.retain(&Bits::of(200, |i| i % 20 < 2));
        assert_eq!(set.after(0).collect::<Vec<_>>(), [0, 1, 160, 180]);
        assert_eq!(Bits::of_words(vec![0b101]).after(0).collect::<Vec<_>>(), [0, 2]);
    }
}
