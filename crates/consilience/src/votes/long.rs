//! Builds a vote table from a list of single votes: item, source, vote.

use hashbrown::HashMap;

use super::builder::VotesBuilder;
use super::meaning::Meaning;
use super::notes::ReadingNote;
use super::vocabulary::Vocabulary;
use super::{Votes, VotesError};
use crate::sources::{ABSTAIN, Sources, Vote, natural_order};

/// Names with numbers in the order of their first appearance.
#[derive(Clone, Debug, Default)]
struct Seen {
    names: Vec<String>,
    number: HashMap<String, u32>,
}

impl Seen {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.number.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_string());
        self.number.insert(name.to_string(), number);
        number
    }
}

/// Builds a table from single votes in any order.
///
/// Items keep the order of their first appearance; sources are in natural order. A repeated vote counts once; two different
/// votes of one source on one item are an error.
///
/// ```
/// use consilience::votes::{LongVotesBuilder, Vocabulary};
///
/// let mut vocabulary = Vocabulary::default();
/// let mut builder = LongVotesBuilder::new();
/// for (item, worker, answer) in [("q1", "ann", "cat"), ("q2", "bob", "dog"), ("q1", "bob", "cat")] {
///     let vote = vocabulary.read(answer)?;
///     builder.push(item, worker, vote);
/// }
/// let table = builder.finish(&vocabulary)?;
/// assert_eq!(table.items, ["q1", "q2"]);
/// assert_eq!(table.votes.sources().names(), ["ann", "bob"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LongVotesBuilder {
    items: Seen,
    sources: Seen,
    votes: Vec<(u32, u32, Vote)>,
}

/// A finished long table.
#[derive(Clone, Debug)]
pub struct LongVotes {
    /// The table.
    pub votes: Votes,
    /// The name of each item, in the table's order.
    pub items: Vec<String>,
    /// The number of repeated votes.
    pub repeated: usize,
    /// What was decided about the classes.
    pub notes: Vec<ReadingNote>,
}

impl LongVotesBuilder {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of different items so far.
    pub fn items(&self) -> usize {
        self.items.names.len()
    }

    /// Adds the vote of `source` on `item`, numbered by the vocabulary, and returns the item's position; an abstain still
    /// makes both known.
    pub fn push(&mut self, item: &str, source: &str, vote: Vote) -> usize {
        let item = self.items.number(item);
        let source = self.sources.number(source);
        if vote != ABSTAIN {
            self.votes.push((item, source, vote));
        }
        item as usize
    }

    /// The table, its classes as `vocabulary` saw them.
    pub fn finish(self, vocabulary: &Vocabulary) -> Result<LongVotes, VotesError> {
        let mut order: Vec<usize> = (0..self.sources.names.len()).collect();
        order.sort_by(|&a, &b| natural_order(&self.sources.names[a], &self.sources.names[b]));
        let mut place = vec![0; order.len()];
        for (to, &from) in order.iter().enumerate() {
            place[from] = to as u32;
        }
        let names = order.iter().map(|&j| self.sources.names[j].clone()).collect();
        let mut votes = self.votes;
        let mut counts = vec![0; vocabulary.names().len() + 1];
        for vote in &votes {
            counts[usize::from(vote.2)] += 1;
        }
        let Meaning { classes, relabel, notes } = vocabulary.finish(&counts)?;
        for vote in &mut votes {
            *vote = (vote.0, place[vote.1 as usize], relabel[usize::from(vote.2)]);
        }
        votes.retain(|vote| vote.2 != ABSTAIN);
        votes.sort_unstable();
        let all = votes.len();
        votes.dedup();
        let repeated = all - votes.len();

        let sources = Sources::new(names)?;
        let mut builder = VotesBuilder::new(sources);
        let mut rest = votes.as_slice();
        for (item, name) in (0..).zip(&self.items.names) {
            let (row, later) = rest.split_at(rest.iter().take_while(|vote| vote.0 == item).count());
            if let Some(pair) = row.windows(2).find(|pair| pair[0].1 == pair[1].1) {
                return Err(VotesError::TwoVotes {
                    item: name.clone(),
                    source_name: builder.sources().name(pair[0].1 as usize).to_string(),
                });
            }
            let row: Vec<(u32, Vote)> = row.iter().map(|&(_, source, vote)| (source, vote)).collect();
            builder.push(&row)?;
            rest = later;
        }
        Ok(LongVotes { votes: builder.finish_as(classes)?, items: self.items.names, repeated, notes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(&str, &str, &str)]) -> Result<LongVotes, VotesError> {
        let mut vocabulary = Vocabulary::default();
        let mut builder = LongVotesBuilder::new();
        for (item, source, vote) in rows {
            let vote = vocabulary.read(vote).unwrap();
            builder.push(item, source, vote);
        }
        builder.finish(&vocabulary)
    }

    #[test]
    fn votes_come_in_any_order() {
        let a = table(&[("x", "w10", "1"), ("y", "w2", "0"), ("x", "w2", "1"), ("z", "w2", "")]).unwrap();
        assert_eq!(a.items, ["x", "y", "z"]);
        assert_eq!(a.votes.sources().names(), ["w2", "w10"]);
        assert_eq!(a.votes.row_of_item(0).collect::<Vec<_>>(), [(0, 2), (1, 2)]);
        assert_eq!(a.votes.row_of_item(2).count(), 0);
    }

    #[test]
    fn a_repeated_vote_counts_once_and_two_votes_are_an_error() {
        let a = table(&[("x", "a", "1"), ("x", "a", "1"), ("x", "b", "0")]).unwrap();
        assert_eq!(a.repeated, 1);
        let error = table(&[("x", "a", "1"), ("x", "a", "0")]).unwrap_err();
        assert!(error.to_string().contains("\"x\"") && error.to_string().contains("\"a\""), "{error}");
    }
}
