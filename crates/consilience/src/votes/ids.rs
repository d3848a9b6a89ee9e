//! Columns of item ids, or of texts, that were taken for sources.
//!
//! Such a column makes a class of every row, which would be fitted for hours and mean nothing.

use hashbrown::HashSet;

use super::Votes;
use crate::sources::Vote;

/// With fewer votes, all of them being different says nothing.
const FEW: usize = 20;

/// A column of ids has more than so many times the values of all others. Sources that answer freely have many values each.
const VALUES_OF_OTHERS: usize = 4;

/// A source that can only be a column of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdsAsSource {
    /// The source's number.
    pub source: usize,
    /// For how many classes it votes.
    pub values: usize,
    /// For how many classes all other sources vote.
    pub others: usize,
}

impl Votes {
    /// The sources that never vote for one class twice and have many votes: columns of ids, perhaps.
    pub fn never_twice(&self) -> Vec<usize> {
        let classes = |j: usize| self.domains()[j].classes().len();
        let suspects: Vec<usize> = (0..self.sources().len()).filter(|&j| classes(j) >= FEW).collect();
        if suspects.is_empty() {
            return suspects;
        }
        let mut cast = vec![0u64; self.sources().len()];
        for (p, count) in self.patterns().counts().iter().enumerate() {
            self.patterns().row(p).for_each(|(source, _)| cast[source] += count);
        }
        suspects.into_iter().filter(|&j| cast[j] == classes(j) as u64).collect()
    }

    /// The first source that can only be a column of ids: no two rows agree in it, while all others together have few values.
    pub fn ids_as_source(&self) -> Option<IdsAsSource> {
        self.never_twice().into_iter().find_map(|source| {
            let others = self.domains().iter().enumerate().filter(|&(l, _)| l != source);
            let others = others.flat_map(|(_, domain)| domain.classes()).collect::<HashSet<&Vote>>().len();
            let values = self.domains()[source].classes().len();
            (others > 0 && values > VALUES_OF_OTHERS * others).then_some(IdsAsSource {
                source,
                values,
                others,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Classes, Sources};
    use crate::votes::VotesBuilder;

    fn table(rows: usize, row: impl Fn(usize) -> [Vote; 3]) -> Votes {
        let names = ["a", "b", "c"].map(str::to_string).to_vec();
        let mut builder = VotesBuilder::new(Sources::new(names).unwrap());
        (0..rows).for_each(|i| builder.push_dense(&row(i)).unwrap());
        builder.finish_as(Classes::numbered(200).unwrap()).unwrap()
    }

    #[test]
    fn ids_are_told_from_free_answers() {
        let vote = |i: usize| i as Vote + 1;
        let ids = table(30, |i| [vote(i % 2), vote(i), 1]);
        assert_eq!(ids.ids_as_source(), Some(IdsAsSource { source: 1, values: 30, others: 2 }));
        assert_eq!(table(19, |i| [vote(i % 2), vote(i), 1]).ids_as_source(), None);
        let one_twice = table(30, |i| [vote(i % 2), vote(i.min(28)), 1]);
        assert_eq!((one_twice.never_twice(), one_twice.ids_as_source()), (vec![], None));
        let free = table(30, |i| [vote(i / 2), vote(i), 1]);
        assert_eq!((free.never_twice(), free.ids_as_source()), (vec![1], None));
        assert_eq!(table(30, |i| [0, vote(i), 0]).ids_as_source(), None);
    }
}
