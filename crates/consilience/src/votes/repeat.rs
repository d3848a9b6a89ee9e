//! Rows that were counted elsewhere.

use super::builder::VotesBuilder;
use super::{Votes, VotesError};

impl Votes {
    /// Repeats each item as often as `times` says; 0 leaves it out.
    ///
    /// Use this if a cluster has already grouped and counted equal rows.
    ///
    /// ```
    /// use consilience::sources::{Classes, Sources};
    /// use consilience::votes::VotesBuilder;
    ///
    /// let mut builder = VotesBuilder::new(Sources::new(vec!["a".into(), "b".into()])?);
    /// builder.push_dense(&[1, 2])?;
    /// builder.push_dense(&[2, 2])?;
    /// let votes = builder.finish_as(Classes::numbered(2)?)?.repeated(&[3, 1])?;
    /// assert_eq!((votes.items(), votes.patterns().len()), (4, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn repeated(&self, times: &[u64]) -> Result<Self, VotesError> {
        if times.len() != self.items() {
            return Err(VotesError::Times { items: self.items(), times: times.len() });
        }
        let mut counts = vec![0u64; self.patterns().len()];
        let mut items = 0usize;
        for (&p, &times) in self.item_pattern().iter().zip(times) {
            counts[p as usize] = counts[p as usize].saturating_add(times);
            items = items.saturating_add(usize::try_from(times).unwrap_or(usize::MAX));
        }
        let mut rows: Vec<u32> = Vec::new();
        rows.try_reserve_exact(items).map_err(|_| VotesError::TooManyItems { items })?;
        for (&p, &times) in self.item_pattern().iter().zip(times) {
            rows.extend(std::iter::repeat_n(p, times as usize));
        }
        VotesBuilder::counted(self, &counts, rows).finish_as(self.classes().clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Classes, Sources};

    fn table(rows: &[[u16; 3]]) -> Votes {
        let mut builder = VotesBuilder::new(Sources::new(vec!["a".into(), "b".into(), "c".into()]).unwrap());
        for row in rows {
            builder.push_dense(row).unwrap();
        }
        builder.finish_as(Classes::numbered(3).unwrap()).unwrap()
    }

    #[test]
    fn repeated_rows_are_the_rows_pushed_one_by_one() {
        let few = table(&[[1, 0, 2], [0, 0, 0], [3, 3, 1], [1, 0, 2]]);
        let all = table(&[[1, 0, 2], [1, 0, 2], [3, 3, 1], [1, 0, 2], [1, 0, 2], [1, 0, 2]]);
        let repeated = few.repeated(&[2, 0, 1, 3]).unwrap();
        assert_eq!(repeated, all);
        assert_eq!(few.repeated(&[1, 1, 1, 1]).unwrap(), few);
    }

    #[test]
    fn wrong_counts_are_refused() {
        let votes = table(&[[1, 0, 2], [0, 1, 0]]);
        assert_eq!(votes.repeated(&[1]), Err(VotesError::Times { items: 2, times: 1 }));
        assert_eq!(votes.repeated(&[0, 0]), Err(VotesError::NoItems));
        assert!(matches!(votes.repeated(&[u64::MAX, 1]), Err(VotesError::TooManyItems { .. })));
    }
}
