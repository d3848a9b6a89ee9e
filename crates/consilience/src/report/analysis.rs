//! What a table of votes says about itself, before any model.

use rayon::prelude::*;
use serde::Serialize;

use crate::parallel;
use crate::sources::Vote;
use crate::structure::exact_copies;
use crate::votes::{PairCounts, SourceCounts, Statistics, Votes, VotesError, share};

/// A table of votes described: the table, its classes, its sources, and pairs of sources.
///
/// Shares are of all items unless stated otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// Items in the table.
    pub items: u64,
    /// Distinct rows of votes.
    pub patterns: u64,
    /// Votes in all.
    pub votes: u64,
    /// Share of items with at least one vote.
    pub coverage: f64,
    /// Share of items with votes of at least two sources.
    pub overlaps: f64,
    /// Share of items with votes for at least two classes.
    pub conflicts: f64,
    /// Items that nobody votes on.
    pub items_without_votes: u64,
    /// Items whose true class is known; left out if no gold was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items_with_gold: Option<u64>,
    /// The classes, in order.
    pub classes: Vec<ClassAnalysis>,
    /// The sources, in order.
    pub sources: Vec<SourceAnalysis>,
    /// The sources that never vote.
    pub silent: Vec<String>,
    /// Groups of sources that vote the same on every item.
    pub copies: Vec<Vec<String>>,
    /// How many pairs of sources vote on a common item; `None` if they are too many to be compared.
    pub pairs_compared: Option<u64>,
    /// The requested number of these pairs, those most certainly different from chance first.
    pub pairs: Vec<PairAnalysis>,
}

/// How much a class is voted for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassAnalysis {
    /// Its name.
    pub name: String,
    /// Votes for it.
    pub votes: u64,
    /// Share of all votes.
    pub share: f64,
}

/// One source described.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceAnalysis {
    /// Its name.
    pub name: String,
    /// The classes that it ever votes for.
    pub polarity: Vec<String>,
    /// Its votes.
    pub votes: u64,
    /// Its votes for each class of `polarity`.
    pub votes_for: Vec<u64>,
    /// Share of items that it votes on.
    pub coverage: f64,
    /// Share of items that it and another source vote on.
    pub overlaps: f64,
    /// Share of items on which another source votes for a different class.
    pub conflicts: f64,
    /// Its votes against gold; left out if no gold was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold: Option<GoldAnalysis>,
}

/// The votes of one source on items whose true class is known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GoldAnalysis {
    /// Votes for the true class.
    pub correct: u64,
    /// Votes for another class.
    pub incorrect: u64,
    /// Share of correct votes; `None` if there is no vote to judge.
    pub accuracy: Option<f64>,
}

/// Two sources compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairAnalysis {
    /// Their names, in the table's order.
    pub sources: [String; 2],
    /// Items on which both vote.
    pub both: u64,
    /// Items on which both vote for the same class.
    pub agreements: u64,
    /// Share of `both` on which they agree.
    pub agreement: f64,
    /// That share if the two voted independently, each as it does on these items.
    pub chance: f64,
    /// Cohen's kappa over `both`; `None` if both always vote for one and the same class.
    pub kappa: Option<f64>,
    /// Cohen's kappa over all items, abstain being a value like any class; `None` if both always say the same thing.
    pub kappa_all: Option<f64>,
}

impl Analysis {
    /// Describes `votes`, against `gold` if it is given (one class per item, 0 if unknown), and `pairs` pairs of
    /// sources.
    ///
    /// ```
    /// use consilience::report::Analysis;
    /// use consilience::votes::Votes;
    ///
    /// let votes = Votes::from_text(&["a", "b", "c"], [["yes", "no", ""], ["no", "no", ""], ["yes", "", ""]])?;
    /// let analysis = Analysis::new(&votes, None, 10)?;
    /// assert_eq!((analysis.votes, analysis.coverage), (5, 1.0));
    /// assert_eq!(analysis.silent, ["c"]);
    /// assert_eq!(analysis.pairs[0].agreement, 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(votes: &Votes, gold: Option<&[Vote]>, pairs: usize) -> Result<Self, VotesError> {
        Self::with_pairs(votes, gold, votes.pairs().ok().as_deref(), pairs)
    }

    /// The same if the pairs have been `compared`; `None` if they are too many for that.
    pub(crate) fn with_pairs(
        votes: &Votes,
        gold: Option<&[Vote]>,
        compared: Option<&[PairCounts]>,
        pairs: usize,
    ) -> Result<Self, VotesError> {
        let statistics = votes.statistics(gold)?;
        let items = statistics.items;
        let of_items = |part| share(part, items).unwrap_or_default();
        let name = |j: usize| votes.sources().name(j).to_string();
        Ok(Self {
            items,
            patterns: votes.patterns().len() as u64,
            votes: statistics.votes(),
            coverage: of_items(statistics.covered),
            overlaps: of_items(statistics.overlaps),
            conflicts: of_items(statistics.conflicts),
            items_without_votes: items - statistics.covered,
            items_with_gold: statistics.known,
            classes: classes(votes, &statistics),
            sources: sources(votes, &statistics),
            silent: statistics.silent().map(name).collect(),
            copies: exact_copies(votes)
                .iter()
                .map(|group| group.iter().copied().map(name).collect())
                .collect(),
            pairs_compared: compared.map(|compared| compared.len() as u64),
            pairs: strongest(votes, &statistics, compared.unwrap_or_default(), pairs),
        })
    }
}

fn classes(votes: &Votes, statistics: &Statistics) -> Vec<ClassAnalysis> {
    let mut votes_for = vec![0; votes.classes().len() + 1];
    for source in &statistics.sources {
        for &(class, votes) in &source.votes_for {
            votes_for[class as usize] += votes;
        }
    }
    let describe = |class: Vote| ClassAnalysis {
        name: votes.classes().name(class).to_string(),
        votes: votes_for[class as usize],
        share: share(votes_for[class as usize], statistics.votes()).unwrap_or_default(),
    };
    votes.classes().votes().map(describe).collect()
}

fn sources(votes: &Votes, statistics: &Statistics) -> Vec<SourceAnalysis> {
    let of_items = |part| share(part, statistics.items).unwrap_or_default();
    let describe = |(source, name): (&SourceCounts, &String)| SourceAnalysis {
        name: name.clone(),
        polarity: source
            .votes_for
            .iter()
            .map(|&(class, _)| votes.classes().name(class).to_string())
            .collect(),
        votes: source.votes(),
        votes_for: source.votes_for.iter().map(|&(_, votes)| votes).collect(),
        coverage: of_items(source.votes()),
        overlaps: of_items(source.overlaps),
        conflicts: of_items(source.conflicts),
        gold: source.gold.map(|gold| GoldAnalysis {
            correct: gold.correct,
            incorrect: gold.incorrect,
            accuracy: gold.accuracy(),
        }),
    };
    statistics.sources.iter().zip(votes.sources().names()).map(describe).collect()
}

fn strongest(votes: &Votes, statistics: &Statistics, all: &[PairCounts], most: usize) -> Vec<PairAnalysis> {
    let rank = |pair| {
        let kappa = statistics.kappa_all(pair).map_or(0.0, f64::abs);
        ((surely_from_chance(statistics, pair), kappa), pair)
    };
    let mut ranked: Vec<((f64, f64), &PairCounts)> =
        parallel::map_each(all.len(), parallel::ROWS, |pair| rank(&all[pair]));
    // A stable sort: pairs of equal rank keep the order of the sources.
    ranked.par_sort_by(|(a, _), (b, _)| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
    let name = |j: usize| votes.sources().name(j).to_string();
    let describe = |(_, pair): ((f64, f64), &PairCounts)| PairAnalysis {
        sources: pair.sources.map(name),
        both: pair.both,
        agreements: pair.agreements,
        agreement: pair.agreements as f64 / pair.both as f64,
        chance: pair.chance as f64 / (pair.both as f64 * pair.both as f64),
        kappa: pair.kappa(),
        kappa_all: statistics.kappa_all(pair),
    };
    ranked.into_iter().take(most).map(describe).collect()
}

/// How far the pair's agreement over all items is from chance at least, as kappa: the nearer end of Wilson's 95% interval
/// of the share of agreements, so that a pair that hardly meets does not lead the list.
///
/// # Formula
/// ```text
/// (w - e) / (1 - e),   w = ( o + z²/2n ± z sqrt( o(1 - o)/n + z²/4n² ) ) / (1 + z²/n)
/// ```
/// where o and e are the observed and the expected share of agreements and n is the number of items.
fn surely_from_chance(statistics: &Statistics, pair: &PairCounts) -> f64 {
    const Z: f64 = 1.96;
    let n = statistics.items as f64;
    let (agreements, chance) = statistics.agreements_over_all(pair);
    let (o, e) = (agreements as f64 / n, chance as f64 / (n * n));
    if e >= 1.0 {
        return 0.0;
    }
    let half_width = Z * (o * (1.0 - o) / n + Z * Z / (4.0 * n * n)).sqrt();
    let side = if o > e { -1.0 } else { 1.0 };
    let nearer_end = (o + Z * Z / (2.0 * n) + side * half_width) / (1.0 + Z * Z / n);
    // Negative where the interval holds e: nothing is sure then.
    let beyond = (e - nearer_end) * side;
    beyond.max(0.0) / (1.0 - e)
}
