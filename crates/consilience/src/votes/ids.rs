//! Sources that vote for very many classes which nobody else votes for: columns of ids or of texts.
//!
//! Such a column makes a class of every row, which would be fitted for hours and mean nothing.

use hashbrown::HashMap;

use super::Votes;
use crate::sources::{Domain, Vote};

/// More classes than this that only one source votes for are never meant as classes.
pub const MOST_ALONE: usize = 100;

/// A source that alone votes for many classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LonelySource {
    /// The source's number.
    pub source: usize,
    /// For how many classes it votes that no other source votes for.
    pub alone: usize,
}

impl Votes {
    /// The source with the most classes that nobody else votes for, if there are more than [`MOST_ALONE`] of them.
    pub fn lonely_source(&self) -> Option<LonelySource> {
        if self.classes().len() <= MOST_ALONE {
            return None;
        }
        let mut voted_by: HashMap<Vote, usize> = HashMap::new();
        for &class in self.domains().iter().flat_map(Domain::classes) {
            *voted_by.entry(class).or_insert(0) += 1;
        }
        let alone = |source: usize| {
            self.domains()[source].classes().iter().filter(|class| voted_by[*class] == 1).count()
        };
        let counts = (0..self.sources().len()).map(|source| LonelySource { source, alone: alone(source) });
        counts
            .filter(|lonely| lonely.alone > MOST_ALONE)
            .max_by_key(|lonely| (lonely.alone, usize::MAX - lonely.source))
    }

    /// Sources with several classes that no other source votes for, and the others with several classes; both lists are empty
    /// unless there are some of each. The first rows of a table may not tell such columns from sources.
    pub fn strangers(&self) -> (Vec<usize>, Vec<usize>) {
        let mut voted_by = vec![0u32; self.classes().len() + 1];
        for &class in self.domains().iter().flat_map(Domain::classes) {
            voted_by[usize::from(class)] += 1;
        }
        let several: Vec<usize> =
            (0..self.sources().len()).filter(|&source| self.domains()[source].classes().len() > 1).collect();
        let shares = |source: &usize| {
            self.domains()[*source].classes().iter().any(|&class| voted_by[usize::from(class)] > 1)
        };
        let (others, strangers): (Vec<usize>, Vec<usize>) = several.into_iter().partition(shares);
        match strangers.as_slice() {
            [] => (Vec::new(), Vec::new()),
            [_] if others.is_empty() => (Vec::new(), Vec::new()),
            [first, rest @ ..] if others.is_empty() => (vec![*first], rest.to_vec()),
            _ => (strangers, others),
        }
    }

    /// How many classes only one source votes for.
    pub fn classes_of_one(&self) -> usize {
        let mut voted_by = vec![0u32; self.classes().len() + 1];
        for &class in self.domains().iter().flat_map(Domain::classes) {
            voted_by[usize::from(class)] += 1;
        }
        voted_by.iter().filter(|&&sources| sources == 1).count()
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
        builder.finish_as(Classes::numbered(400).unwrap()).unwrap()
    }

    #[test]
    fn sources_without_a_class_in_common_are_strangers() {
        let vote = |i: usize| i as Vote + 1;
        assert_eq!(table(9, |i| [vote(i % 2), vote(i % 3), 0]).strangers(), (vec![], vec![]));
        assert_eq!(table(9, |i| [vote(i % 2), vote(5 + i % 3), 0]).strangers(), (vec![0], vec![1]));
        assert_eq!(
            table(9, |i| [vote(i % 2), vote(5 + i % 3), vote(i % 2)]).strangers(),
            (vec![1], vec![0, 2])
        );
        // Rules for one class each.
        assert_eq!(table(9, |i| [vote(i % 2), 3, 4]).strangers(), (vec![], vec![]));
    }

    #[test]
    fn a_column_of_ids_is_told_from_free_answers() {
        let vote = |i: usize| i as Vote + 1;
        let ids = table(300, |i| [vote(i % 2), vote(i), 1]);
        assert_eq!(ids.lonely_source(), Some(LonelySource { source: 1, alone: 298 }));
        assert_eq!(ids.classes_of_one(), 298);
        assert_eq!(table(100, |i| [vote(i % 2), vote(i), 1]).lonely_source(), None);
        let free = table(300, |i| [vote(i), vote(i), vote(i / 2)]);
        assert_eq!((free.lonely_source(), free.classes_of_one()), (None, 0));
    }
}
