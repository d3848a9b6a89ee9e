//! How often sources meet, and which pairs meet often enough for estimates that are close to normal.

use super::rows::Rows;

/// Items on which two sources that know nothing of each other are expected to meet, below which estimates are not normal.
const FEWEST_EXPECTED: f64 = 10.0;

/// Votes of a source for each link that its own problem has, below which a problem with all links says nothing.
const VOTES_OF_LINK: f64 = 2.0;

/// Pairs of sources that both vote on fewer items than this, and are not expected to meet on more by chance, are not tested.
pub const FEWEST_COMMON_ITEMS: usize = 5;

/// How often each source votes, and what follows for pairs.
#[derive(Clone, Debug)]
pub(crate) struct Meetings {
    items: f64,
    /// For each active source, how many items it votes on.
    votes: Vec<f64>,
    /// For each active source, whether it votes often enough for a problem with links to all others.
    rich: Vec<bool>,
}

impl Meetings {
    pub(crate) fn new(rows: &Rows, votes_by_class: &[Vec<f64>]) -> Self {
        let votes: Vec<f64> = votes_by_class.iter().map(|votes| votes.iter().sum()).collect();
        let links = votes.len().saturating_sub(1) as f64;
        let rich = votes.iter().map(|&votes| votes >= VOTES_OF_LINK * links).collect();
        Self { items: rows.items(), votes, rich }
    }

    /// Items on which two active sources are expected to meet by chance.
    pub(crate) fn expected(&self, j: usize, l: usize) -> f64 {
        self.votes[j] * self.votes[l] / self.items
    }

    /// Whether estimates of a link between two active sources are close to normal.
    pub(crate) fn often(&self, j: usize, l: usize) -> bool {
        self.rich[j] && self.rich[l] && self.expected(j, l) >= FEWEST_EXPECTED
    }

    /// Whether that holds for all pairs.
    pub(crate) fn always_often(&self) -> bool {
        let mut votes = self.votes.clone();
        votes.sort_unstable_by(f64::total_cmp);
        let fewest = votes.iter().take(2).product::<f64>() / self.items;
        self.rich.iter().all(|rich| *rich) && fewest >= FEWEST_EXPECTED
    }

    /// The other active sources that `j` meets often enough.
    pub(crate) fn often_with(&self, j: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.votes.len()).filter(move |&l| l != j && self.often(j, l))
    }
}
