//! What can be counted in a table of votes without any model: coverage, overlaps, conflicts, agreement.
//!
//! All counts are whole numbers of items, so they do not depend on the order of the rows or the number of threads.
//! Coverage, overlaps and conflicts are those of Snorkel's `LFAnalysis`.

use super::columns::Columns;
use super::pairs::{PairCounts, cohen};
use super::{Votes, VotesError};
use crate::parallel;
use crate::sources::{ABSTAIN, Vote};

/// Counts over a table of votes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Items in all.
    pub items: u64,
    /// Items with at least one vote.
    pub covered: u64,
    /// Items with votes of at least two sources.
    pub overlaps: u64,
    /// Items with votes for at least two classes.
    pub conflicts: u64,
    /// Items whose true class is known; `None` if no gold was given.
    pub known: Option<u64>,
    /// One entry per source, in the table's order.
    pub sources: Vec<SourceCounts>,
}

/// Counts over the items that one source votes on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceCounts {
    /// Its votes for each class it ever votes for, ascending by class.
    pub votes_for: Vec<(Vote, u64)>,
    /// Items where another source votes too.
    pub overlaps: u64,
    /// Items where another source votes for another class.
    pub conflicts: u64,
    /// Against gold; `None` if no gold was given.
    pub gold: Option<GoldCounts>,
}

impl SourceCounts {
    /// How many items it votes on.
    pub fn votes(&self) -> u64 {
        self.votes_for.iter().map(|&(_, votes)| votes).sum()
    }
}

/// How the votes of one source compare with gold, over the items whose true class is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoldCounts {
    /// Votes for the true class.
    pub correct: u64,
    /// Votes for another class.
    pub incorrect: u64,
}

impl GoldCounts {
    /// The share of correct votes; `None` if there is no vote to judge.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.correct, self.correct + self.incorrect)
    }
}

/// `part / whole`; `None` if the whole is nothing.
pub(crate) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl Votes {
    /// Counts what can be counted without a model.
    ///
    /// `gold` gives the true class of each item, [`ABSTAIN`] if it is unknown. A class beyond the table's is one that
    /// nobody votes for: every vote on such an item is incorrect.
    ///
    /// ```
    /// use consilience::votes::Votes;
    ///
    /// let votes = Votes::from_text(&["a", "b"], [["yes", "no"], ["yes", ""], ["no", "no"]])?;
    /// let counts = votes.statistics(Some(&[2, 2, 1]))?; // the true classes: yes, yes, no
    /// assert_eq!((counts.overlaps, counts.conflicts), (2, 1));
    /// let b = counts.sources[1].gold.and_then(|gold| gold.accuracy());
    /// assert_eq!(b, Some(0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn statistics(&self, gold: Option<&[Vote]>) -> Result<Statistics, VotesError> {
        let columns = Columns::of(self);
        let counts = row_counts(self, &columns);
        let gold = gold.map(|gold| gold_counts(self, gold)).transpose()?;
        let sources = (0..self.sources().len())
            .map(|j| SourceCounts {
                votes_for: self.domains()[j]
                    .classes()
                    .iter()
                    .copied()
                    .zip(counts.votes[columns.of_source(j)].iter().copied())
                    .collect(),
                overlaps: counts.overlaps_of[j],
                conflicts: counts.conflicts_of[j],
                gold: gold.as_ref().map(|gold| gold.of_source[j]),
            })
            .collect();
        Ok(Statistics {
            items: self.items() as u64,
            covered: counts.covered,
            overlaps: counts.overlaps,
            conflicts: counts.conflicts,
            known: gold.map(|gold| gold.known),
            sources,
        })
    }
}

impl Statistics {
    /// All votes.
    pub fn votes(&self) -> u64 {
        self.sources.iter().map(SourceCounts::votes).sum()
    }

    /// The sources that never vote.
    pub fn silent(&self) -> impl Iterator<Item = usize> + '_ {
        self.sources.iter().enumerate().filter(|(_, source)| source.votes_for.is_empty()).map(|(j, _)| j)
    }

    /// Cohen's kappa of a pair over all items, abstain being a value like any class: what the paper's correlation
    /// 1{lambda_j = lambda_l} sees. `None` if both always say one and the same thing.
    pub fn kappa_all(&self, pair: &PairCounts) -> Option<f64> {
        let (agreements, chance) = self.agreements_over_all(pair);
        cohen(agreements, chance, self.items)
    }

    /// Items on which a pair says the same, abstaining included, and that number's expectation times the items.
    pub(crate) fn agreements_over_all(&self, pair: &PairCounts) -> (u64, u128) {
        let [a, b] = pair.sources.map(|j| &self.sources[j]);
        let abstains = |source: &SourceCounts| self.items - source.votes();
        let mut chance = u128::from(abstains(a)) * u128::from(abstains(b));
        for &(class, votes) in &a.votes_for {
            if let Ok(place) = b.votes_for.binary_search_by_key(&class, |&(class, _)| class) {
                chance += u128::from(votes) * u128::from(b.votes_for[place].1);
            }
        }
        let both_abstain = abstains(a) + pair.both - b.votes();
        (pair.agreements + both_abstain, chance)
    }
}

/// What one pass over the rows finds.
#[derive(Default)]
struct RowCounts {
    covered: u64,
    overlaps: u64,
    conflicts: u64,
    votes: Vec<u64>,
    overlaps_of: Vec<u64>,
    conflicts_of: Vec<u64>,
}

impl RowCounts {
    fn new(columns: &Columns<'_>, sources: usize) -> Self {
        Self {
            votes: vec![0; columns.len()],
            overlaps_of: vec![0; sources],
            conflicts_of: vec![0; sources],
            ..Self::default()
        }
    }

    fn add(mut self, other: &Self) -> Self {
        fn each(a: &mut [u64], b: &[u64]) {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        }
        self.covered += other.covered;
        self.overlaps += other.overlaps;
        self.conflicts += other.conflicts;
        each(&mut self.votes, &other.votes);
        each(&mut self.overlaps_of, &other.overlaps_of);
        each(&mut self.conflicts_of, &other.conflicts_of);
        self
    }
}

/// Rows or items that one piece of work takes at least.
const PIECE: usize = 1 << 12;

fn row_counts(votes: &Votes, columns: &Columns<'_>) -> RowCounts {
    let patterns = votes.patterns();
    let sources = votes.sources().len();
    let piece = |range: std::ops::Range<usize>| {
        let mut counts = RowCounts::new(columns, sources);
        for p in range {
            let items = patterns.counts()[p];
            let mut row = patterns.row(p);
            let Some((_, first)) = row.next() else { continue };
            counts.covered += items;
            let (mut overlap, mut conflict) = (0, 0);
            for (_, vote) in row {
                overlap = items;
                if vote != first {
                    conflict = items;
                }
            }
            counts.overlaps += overlap;
            counts.conflicts += conflict;
            for (source, vote) in patterns.row(p) {
                counts.votes[columns.position(source, vote)] += items;
                counts.overlaps_of[source] += overlap;
                // With two classes voted for, every source has one against it.
                counts.conflicts_of[source] += conflict;
            }
        }
        counts
    };
    parallel::map(parallel::few_ranges(patterns.len(), PIECE), piece)
        .into_iter()
        .fold(RowCounts::new(columns, sources), |a, b| a.add(&b))
}

struct GoldTotals {
    known: u64,
    of_source: Vec<GoldCounts>,
}

fn gold_counts(votes: &Votes, gold: &[Vote]) -> Result<GoldTotals, VotesError> {
    if gold.len() != votes.items() {
        return Err(VotesError::GoldLength { items: votes.items(), gold: gold.len() });
    }
    let empty = || GoldTotals { known: 0, of_source: vec![GoldCounts::default(); votes.sources().len()] };
    let piece = |range: std::ops::Range<usize>| {
        let mut totals = empty();
        for i in range.filter(|&i| gold[i] != ABSTAIN) {
            totals.known += 1;
            for (source, vote) in votes.row_of_item(i) {
                let counts = &mut totals.of_source[source];
                if vote == gold[i] {
                    counts.correct += 1;
                } else {
                    counts.incorrect += 1;
                }
            }
        }
        totals
    };
    let add = |mut a: GoldTotals, b: GoldTotals| {
        a.known += b.known;
        for (a, b) in a.of_source.iter_mut().zip(b.of_source) {
            a.correct += b.correct;
            a.incorrect += b.incorrect;
        }
        a
    };
    Ok(parallel::map(parallel::few_ranges(gold.len(), PIECE), piece).into_iter().fold(empty(), add))
}
