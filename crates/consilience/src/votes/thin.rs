//! A table that keeps some of its rows only: what the others voted still decides what the votes mean.

use super::builder::VotesBuilder;
use super::pattern_set::PatternSet;
use crate::sources::{ABSTAIN, Vote};

impl VotesBuilder {
    /// Counts the votes of an item that is not kept.
    ///
    /// Which spellings are one class, and what it is called, then depends on all items.
    ///
    /// ```
    /// use consilience::sources::Sources;
    /// use consilience::votes::{Vocabulary, VotesBuilder};
    ///
    /// let mut vocabulary = Vocabulary::default();
    /// let mut builder = VotesBuilder::new(Sources::new(vec!["a".into(), "b".into()])?);
    /// builder.push(&[(0, vocabulary.read("ham")?), (1, vocabulary.read("Spam")?)])?;
    /// for _ in 0..9 {
    ///     builder.leave_out([vocabulary.read("spam")?]);
    /// }
    /// let votes = builder.finish(&vocabulary)?;
    /// assert_eq!((votes.items(), votes.classes().names()), (1, &["ham".to_string(), "spam".to_string()][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leave_out(&mut self, votes: impl IntoIterator<Item = Vote>) {
        for vote in votes.into_iter().filter(|&vote| vote != ABSTAIN) {
            self.leave_out_times(vote, 1);
        }
    }

    /// Counts votes of items that are not kept.
    pub fn leave_out_times(&mut self, vote: Vote, times: u64) {
        let vote = usize::from(vote);
        if self.left_out.len() <= vote {
            self.left_out.resize(vote + 1, 0);
        }
        self.left_out[vote] += times;
    }

    /// Keeps the items for which `keep` says so; the others count as left out.
    ///
    /// ```
    /// use consilience::sources::{Classes, Sources};
    /// use consilience::votes::VotesBuilder;
    ///
    /// let mut builder = VotesBuilder::new(Sources::new(vec!["a".into(), "b".into()])?);
    /// for row in [[1, 2], [2, 2], [1, 2]] {
    ///     builder.push_dense(&row)?;
    /// }
    /// builder.retain(|item| item > 0);
    /// assert_eq!((builder.items(), builder.patterns()), (2, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut kept = vec![0u64; self.set.len()];
        let mut item = 0;
        self.item_pattern.retain(|&pattern| {
            let keeps = keep(item);
            item += 1;
            kept[pattern as usize] += u64::from(keeps);
            keeps
        });
        let empty = PatternSet::new(self.set.form());
        let old = std::mem::replace(&mut self.set, empty);
        let mut number = vec![0; old.len()];
        for (p, &kept) in kept.iter().enumerate() {
            let dropped = old.count(p) - kept;
            if dropped > 0 {
                old.votes(p).for_each(|(_, vote)| self.leave_out_times(vote, dropped));
            }
            if kept > 0 {
                // There are no more rows than before, so that there is a number for each.
                number[p] = self.set.add(old.row(p), kept).unwrap_or_default();
            }
        }
        for pattern in &mut self.item_pattern {
            *pattern = number[*pattern as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Classes, Sources};

    fn builder(rows: &[[Vote; 3]]) -> VotesBuilder {
        let sources = Sources::new(vec!["a".into(), "b".into(), "c".into()]).unwrap();
        let mut builder = VotesBuilder::new(sources);
        for row in rows {
            builder.push_dense(row).unwrap();
        }
        builder
    }

    #[test]
    fn kept_rows_are_the_rows_pushed_alone() {
        let rows = [[1, 0, 2], [0, 0, 0], [3, 3, 1], [1, 0, 2], [2, 2, 2], [3, 3, 1]];
        let mut thinned = builder(&rows);
        thinned.retain(|item| item % 2 == 1);
        assert_eq!(thinned.left_out, [0, 2, 4, 2]);
        thinned.push_dense(&[3, 3, 1]).unwrap();
        let alone = builder(&[rows[1], rows[3], rows[5], [3, 3, 1]]);
        let finish = |builder: VotesBuilder| builder.finish_as(Classes::numbered(3).unwrap()).unwrap();
        assert_eq!(finish(thinned), finish(alone));
    }
}
