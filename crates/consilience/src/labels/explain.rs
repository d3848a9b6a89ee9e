//! Explanations: why an item has its label, how much each source contributes, and what would change without it.

use rayon::prelude::*;
use serde::Serialize;

use super::Labels;
use super::effective::effective_votes;
use super::infer::{InferError, Matching};
use crate::dependency::{DependencyType as _, Factor};
use crate::model::{Corrector, Fitted, Labeller, SimulateError};
use crate::optim::dispatch;
use crate::sources::{ABSTAIN, Vote};
use crate::votes::Votes;

/// Why an item has its label.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ItemExplanation {
    /// The class with the highest probability.
    pub label: String,
    /// The class with the second highest probability; all log odds compare the label with it.
    pub against: String,
    /// The probability of each class, in order.
    pub probabilities: Vec<f64>,
    /// log( p(label) / p(against) ) from the votes alone, before answers correct it.
    pub log_odds: f64,
    /// The same for an item without votes.
    pub prior: f64,
    /// The contribution of each vote given the others, largest first. Agreeing votes overlap, so the sum of these is less than
    /// the contribution of all votes together.
    pub contributions: Vec<Contribution>,
    /// What answers changed, if any have corrected the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<AnswersExplanation>,
}

/// What answers changed on an item.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswersExplanation {
    /// How many answers corrected the model.
    pub answers: usize,
    /// The probability of each class without them.
    pub probabilities_before: Vec<f64>,
    /// log( p(label) / p(against) ) without them.
    pub log_odds_before: f64,
    /// What that was multiplied by.
    pub slope: f64,
    /// What the class shares of the answers add.
    pub shares: f64,
    /// What they add to single votes, all together.
    pub votes: f64,
    /// log( p(label) / p(against) ) with all of that: `slope * log_odds_before + shares + votes`.
    pub log_odds: f64,
}

/// The contribution of one vote to the log odds of an item's label: with the vote, minus without it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contribution {
    /// The source.
    pub source: String,
    /// Its vote.
    pub vote: String,
    /// What it adds.
    pub log_odds: f64,
    /// What answers add to that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<f64>,
    /// The share of its own contribution that is discounted because other sources repeat it; 0 if it depends on no other source.
    pub discount: f64,
    /// The label without this vote.
    pub label_without: String,
    /// The probability that the item's label would have without this vote.
    pub probability_without: f64,
}

/// How much a source contributes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceExplanation {
    /// The source.
    pub source: String,
    /// How many items it votes on.
    pub votes: u64,
    /// Their share.
    pub coverage: f64,
    /// The expected share of correct votes; `None` if it never votes.
    pub accuracy: Option<f64>,
    /// The 95% interval of the accuracy: it covers the sampling of items and uncertainty about their classes, with the weights
    /// held fixed. `None` if fewer than two other sources vote on the same items: the accuracy is then assumed, not measured.
    pub interval: Option<[f64; 2]>,
    /// The log odds that one vote adds for its class against the others, for an item of typical clarity.
    pub weight: f64,
    /// The log odds that its accuracy alone implies.
    pub alone: f64,
    /// The share that is discounted because other sources repeat it; 0 if it depends on no other source.
    pub discount: f64,
    /// The mean contribution of its vote given the others, over the items it votes on (over a sample if there are many).
    pub effective_weight: f64,
    /// The mean correction by answers over its votes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<f64>,
    /// The dependencies it is part of.
    pub dependencies: Vec<Joined>,
    /// Exact copies of it.
    pub copies: Vec<String>,
}

/// A dependency of a source.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Joined {
    /// Its type; "repeats" where votes that repeat the other source's count once.
    #[serde(rename = "type")]
    pub kind: String,
    /// The other sources.
    pub with: Vec<String>,
    /// Its weight; of "repeats", the share of this source's votes.
    pub weight: f64,
}

/// How informative a panel of sources is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PanelExplanation {
    /// Sources that vote at all.
    pub voting: usize,
    /// The number of independent sources that would be equally informative.
    pub effective_votes: f64,
    /// The mean number of votes per item.
    pub votes_per_item: f64,
    /// The share of variation between items that is due to difficulty (see [`crate::model::Impression`]); 0 if all items are
    /// alike or the model has no difficulty.
    pub difficulty: f64,
    /// All sources.
    pub sources: Vec<SourceExplanation>,
}

/// Why there is no explanation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The model does not fit the votes.
    #[error(transparent)]
    Infer(#[from] InferError),
    /// Nothing can be drawn from the model.
    #[error(transparent)]
    Simulate(#[from] SimulateError),
    /// No such item.
    #[error("there is no row {row}; the {items} items are numbered from 0")]
    NoSuchItem {
        /// The item asked for.
        row: usize,
        /// How many there are.
        items: usize,
    },
    /// No such source.
    #[error("there is no source \"{0}\" in the model")]
    NoSuchSource(String),
}

/// Rows on which votes are left out one by one.
const SAMPLED: usize = 4096;
/// Two-sided 95% of the normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// Explains why item `i` of `votes` has its label.
///
/// ```
/// use consilience::pipeline::{Votes, explain_item, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let why = explain_item(&label(&votes)?.model, &votes, 0)?;
/// assert_eq!((why.label.as_str(), why.against.as_str()), ("spam", "ham"));
/// assert_eq!(why.contributions.len(), 3); // one per vote, the largest first
/// assert!(why.contributions[0].log_odds > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain_item(fitted: &Fitted, votes: &Votes, i: usize) -> Result<ItemExplanation, ExplainError> {
    if i >= votes.items() {
        return Err(ExplainError::NoSuchItem { row: i, items: votes.items() });
    }
    let matching = Matching::new(fitted, votes)?;
    let worth = worth_of_sources(fitted, votes, &matching, None);
    let row = matching.row(votes, votes.item_pattern()[i] as usize);
    let labeller = Labeller::new(fitted);
    let classes = fitted.model.classes();
    let uncorrected = |row: &[(usize, Vote)]| {
        let mut p = vec![0.0; classes.len()];
        labeller.posterior(row, &mut p);
        p
    };
    let correction = fitted.correction.as_ref();
    let corrector = correction.map(|correction| Corrector::new(correction, fitted.model.sources().len()));
    let posterior = |row: &[(usize, Vote)]| {
        let mut p = uncorrected(row);
        if let Some(corrector) = &corrector {
            corrector.apply(row.iter().copied(), &mut p);
        }
        p
    };
    let probabilities = posterior(&row);
    let label = best(&probabilities, None);
    let against = best(&probabilities, Some(label));
    let vote = |class: usize| class as Vote + 1;
    let odds = |row: &[(usize, Vote)]| {
        let p = uncorrected(row);
        (p[label] / p[against]).ln()
    };
    let log_odds = odds(&row);
    let contribution = |at: usize| {
        let (j, cast) = row[at];
        let without: Vec<(usize, Vote)> = row.iter().copied().filter(|&(l, _)| l != j).collect();
        let p = posterior(&without);
        Contribution {
            source: fitted.model.sources().name(j).to_string(),
            vote: classes.name(cast).to_string(),
            log_odds: log_odds - odds(&without),
            answers: correction.map(|correction| {
                correction.shift(j, cast).map_or(0.0, |scores| scores[label] - scores[against])
            }),
            discount: worth[j].discount,
            label_without: classes.name(vote(best(&p, None))).to_string(),
            probability_without: p[label],
        }
    };
    let mut contributions: Vec<Contribution> = (0..row.len()).map(contribution).collect();
    let prior = odds(&[]);
    let answers = correction.map(|correction| {
        let before = uncorrected(&row);
        let log_odds_before = (before[label] / before[against]).ln();
        let votes = contributions.iter().filter_map(|contribution| contribution.answers).sum::<f64>();
        let log_odds = (probabilities[label] / probabilities[against]).ln();
        AnswersExplanation {
            answers: correction.answers,
            log_odds_before,
            slope: correction.slope,
            shares: log_odds - correction.slope * log_odds_before - votes,
            votes,
            log_odds,
            probabilities_before: before,
        }
    });
    contributions
        .sort_by(|a, b| b.log_odds.abs().total_cmp(&a.log_odds.abs()).then_with(|| a.source.cmp(&b.source)));
    Ok(ItemExplanation {
        label: classes.name(vote(label)).to_string(),
        against: classes.name(vote(against)).to_string(),
        probabilities,
        log_odds,
        prior,
        contributions,
        answers,
    })
}

/// Explains how much the source called `name` contributes to the labels of `votes`.
///
/// ```
/// use consilience::pipeline::{Votes, explain_source, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let model = label(&votes)?.model;
/// let judge = explain_source(&model, &votes, "judge")?;
/// assert_eq!((judge.votes, judge.coverage), (100, 1.0));
/// assert!(explain_source(&model, &votes, "nobody").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain_source(fitted: &Fitted, votes: &Votes, name: &str) -> Result<SourceExplanation, ExplainError> {
    let matching = Matching::new(fitted, votes)?;
    let j = fitted.model.sources().position(name);
    let j = j.ok_or_else(|| ExplainError::NoSuchSource(name.to_string()))?;
    Ok(worth_of_sources(fitted, votes, &matching, None).swap_remove(j))
}

/// Explains how informative the panel and each of its sources is on `votes`.
///
/// ```
/// use consilience::pipeline::{Votes, explain_panel, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let panel = explain_panel(&label(&votes)?.model, &votes)?;
/// assert_eq!((panel.voting, panel.sources.len()), (3, 3));
/// assert!(panel.effective_votes <= 3.0 + 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain_panel(fitted: &Fitted, votes: &Votes) -> Result<PanelExplanation, ExplainError> {
    panel(fitted, votes, None)
}

/// The same where the labels are known that the model infers before answers correct it.
pub(crate) fn explain_labelled_panel(
    fitted: &Fitted,
    votes: &Votes,
    labels: &Labels,
) -> Result<PanelExplanation, ExplainError> {
    panel(fitted, votes, Some(labels))
}

fn panel(fitted: &Fitted, votes: &Votes, labels: Option<&Labels>) -> Result<PanelExplanation, ExplainError> {
    let matching = Matching::new(fitted, votes)?;
    let sources = worth_of_sources(fitted, votes, &matching, labels);
    let cast: u64 = sources.iter().map(|source| source.votes).sum();
    Ok(PanelExplanation {
        voting: sources.iter().filter(|source| source.votes > 0).count(),
        effective_votes: effective_votes(fitted)?,
        votes_per_item: cast as f64 / votes.items() as f64,
        difficulty: fitted.impression.as_ref().map_or(0.0, |impression| 1.0 - impression.clarity()),
        sources,
    })
}

/// The class with the highest number, another one than `but`.
pub(super) fn best(p: &[f64], but: Option<usize>) -> usize {
    (0..p.len())
        .filter(|&c| Some(c) != but)
        .fold(usize::from(but == Some(0)), |best, c| if p[c] > p[best] { c } else { best })
}

/// What source j's vote adds to the score of class `y`, counted from silence.
fn part_of(fitted: &Fitted, row: &[(usize, Vote)], j: usize, y: Vote) -> f64 {
    let factors = fitted.model.factors();
    let vote_of = |l: usize| row.iter().find(|&&(source, _)| source == l).map_or(ABSTAIN, |&(_, vote)| vote);
    let part = |factor: &Factor| {
        let cast: Vec<Vote> = factor.dependency.sources().iter().map(|&l| vote_of(l)).collect();
        let silence = vec![ABSTAIN; cast.len()];
        let voters = cast.iter().filter(|&&vote| vote != ABSTAIN).count().max(1);
        factor.weight * (factor.dependency.phi(&cast, y) - factor.dependency.phi(&silence, y)) / voters as f64
    };
    let list = factors.of_source(j).iter().map(|&d| &factors.list()[d as usize]);
    list.filter(|factor| factor.dependency.reads_class()).map(part).sum()
}

/// What every source of the model is worth.
///
/// # Formula
/// ```text
/// accuracy_j = Σ_u c_u q_u(λ_uj) / n_j,   q_u: the label before answers correct it
/// variance of accuracy_j = accuracy_j (1 - accuracy_j) / n_j + Σ_u c_u q_u(λ_uj) (1 - q_u(λ_uj)) / n_j²
/// interval: accuracy_j ± 1.96 standard deviations, on the scale of log odds
/// discount_j = 1 - δ_j where repeated votes count once;   with dependencies between sources 1 - weight_j / alone_j, 0 to 1
/// alone_j = log( accuracy_j (k-1) / (1 - accuracy_j) )
/// ```
///
/// q comes from `labels` where they are known.
fn worth_of_sources(
    fitted: &Fitted,
    votes: &Votes,
    matching: &Matching,
    labels: Option<&Labels>,
) -> Vec<SourceExplanation> {
    let model = &fitted.model;
    let (n, k) = (model.sources().len(), model.classes().len());
    let Seen { cast, right, doubt, beyond_others, taught, others } =
        Seen::all(fitted, votes, matching, labels);
    let mut added = vec![0.0; n];
    let usual = fitted.impression.as_ref().map_or(1.0, |impression| impression.level);
    // What a vote adds on its own: the mean over the classes the source votes for, weighted by how often it does.
    for (j, domain) in model.domains().iter().enumerate() {
        let classes = domain.classes();
        let of_class = |&vote: &Vote| {
            let own = part_of(fitted, &[(j, vote)], j, vote);
            let others = model.classes().votes().filter(|&y| y != vote);
            own - others.map(|y| part_of(fitted, &[(j, vote)], j, y)).sum::<f64>() / (k as f64 - 1.0)
        };
        added[j] = classes.iter().map(of_class).sum::<f64>() / classes.len().max(1) as f64;
    }
    let name = |j: usize| model.sources().name(j).to_string();
    let explain = |j: usize| {
        let votes_cast = cast[j] as f64;
        let accuracy = (cast[j] > 0).then(|| right[j] / votes_cast);
        let copies = fitted.copies.iter().find(|group| group.contains(&j));
        let dependencies: Vec<Joined> = joined(fitted, j).collect();
        let weight = usual * added[j];
        let alone = accuracy.map_or(weight, |p| log_odds(p.clamp(1e-6, 1.0 - 1e-6)) + (k as f64 - 1.0).ln());
        let share = fitted.shares[j];
        let discount = if share < 1.0 {
            1.0 - share
        } else if !dependencies.is_empty() && alone > 0.0 {
            (1.0 - weight / alone).clamp(0.0, 1.0)
        } else {
            0.0
        };
        SourceExplanation {
            source: name(j),
            votes: cast[j],
            coverage: votes_cast / votes.items() as f64,
            accuracy,
            interval: accuracy.filter(|_| others.are_enough(j)).map(|p| {
                let variance = p * (1.0 - p) / votes_cast + doubt[j] / votes_cast.powi(2);
                interval(p, variance, votes_cast)
            }),
            weight,
            alone,
            discount,
            effective_weight: beyond_others[j].0 / f64::max(beyond_others[j].1, 1.0),
            answers: fitted
                .correction
                .as_ref()
                .map(|_| if cast[j] > 0 { taught[j] / votes_cast } else { 0.0 }),
            dependencies,
            copies: copies
                .map_or(Vec::new(), |group| group.iter().filter(|&&l| l != j).map(|&l| name(l)).collect()),
        }
    };
    (0..n).map(explain).collect()
}

/// Sums over the votes of each source.
struct Seen {
    cast: Vec<u64>,
    right: Vec<f64>,
    doubt: Vec<f64>,
    /// Of a sample of the rows: what votes add to those of the others, and how many they are.
    beyond_others: Vec<(f64, f64)>,
    taught: Vec<f64>,
    others: Others,
}

/// Rows that are summed at a time. Pieces are added in their order, so that the number of threads changes no bit.
const PIECE: usize = 4096;

impl Seen {
    fn nothing(fitted: &Fitted) -> Self {
        let n = fitted.model.sources().len();
        Self {
            cast: vec![0; n],
            right: vec![0.0; n],
            doubt: vec![0.0; n],
            beyond_others: vec![(0.0, 0.0); n],
            taught: vec![0.0; n],
            others: Others::new(fitted),
        }
    }

    fn all(fitted: &Fitted, votes: &Votes, matching: &Matching, labels: Option<&Labels>) -> Self {
        let labeller = Labeller::new(fitted);
        let rows = votes.patterns().len();
        let stride = rows.div_ceil(SAMPLED);
        let in_order = matching.sources.is_sorted();
        let piece = |piece: usize| {
            let mut seen = Self::nothing(fitted);
            let (mut row, mut q) = (Vec::new(), vec![0.0; fitted.model.classes().len()]);
            let mut of_votes = Vec::new();
            for p in piece * PIECE..((piece + 1) * PIECE).min(rows) {
                row.clear();
                matching.votes(votes, p).for_each(|vote| row.push(vote));
                if !in_order {
                    row.sort_unstable();
                }
                match labels {
                    Some(labels) => q.copy_from_slice(labels.pattern(p)),
                    None => labeller.posterior(&row, &mut q),
                }
                let count = votes.patterns().counts()[p];
                seen.see(fitted, &row, &q, count, &mut of_votes);
                if p % stride == 0 {
                    dispatch(
                        #[inline(always)]
                        || seen.see_beyond_others(&labeller, &row, &q, count),
                    );
                }
            }
            seen
        };
        let pieces: Vec<Self> = (0..rows.div_ceil(PIECE)).into_par_iter().map(piece).collect();
        let mut pieces = pieces.into_iter();
        let first = pieces.next().unwrap_or_else(|| Self::nothing(fitted));
        pieces.fold(first, |sum, piece| sum.add(&piece))
    }

    /// Adds the votes of one row that `count` items have; `q` is its label. `of_votes` is room to work in.
    fn see(
        &mut self,
        fitted: &Fitted,
        row: &[(usize, Vote)],
        q: &[f64],
        count: u64,
        of_votes: &mut Vec<(f64, f64)>,
    ) {
        self.others.meet(row);
        // All votes for one class are right and in doubt to the same degree.
        let of_vote = |&sure: &f64| (count as f64 * sure, count as f64 * sure * (1.0 - sure));
        of_votes.clear();
        of_votes.extend(q.iter().map(of_vote));
        for &(j, vote) in row {
            let (right, doubt) = of_votes[usize::from(vote) - 1];
            self.cast[j] += count;
            self.right[j] += right;
            self.doubt[j] += doubt;
        }
        let Some(correction) = &fitted.correction else { return };
        for &(j, vote) in row {
            if let Some(scores) = correction.shift(j, vote) {
                let own = scores[usize::from(vote) - 1];
                let others = (scores.iter().sum::<f64>() - own) / (q.len() as f64 - 1.0);
                self.taught[j] += count as f64 * (own - others);
            }
        }
    }

    /// Adds what each vote of the row adds to those of the others.
    #[inline(always)]
    fn see_beyond_others(&mut self, labeller: &Labeller<'_>, row: &[(usize, Vote)], q: &[f64], count: u64) {
        let mut without = vec![0.0; q.len()];
        let mut others: Vec<(usize, Vote)> = Vec::with_capacity(row.len());
        for &(j, vote) in row {
            others.clear();
            others.extend(row.iter().copied().filter(|&(l, _)| l != j));
            labeller.posterior(&others, &mut without);
            let (sure, before) = (q[usize::from(vote) - 1], without[usize::from(vote) - 1]);
            let within = |p: f64| log_odds(p.clamp(1e-9, 1.0 - 1e-9));
            self.beyond_others[j].0 += count as f64 * (within(sure) - within(before));
            self.beyond_others[j].1 += count as f64;
        }
    }

    fn add(mut self, other: &Self) -> Self {
        self.others.add(&other.others);
        for j in 0..self.cast.len() {
            self.cast[j] += other.cast[j];
            self.right[j] += other.right[j];
            self.doubt[j] += other.doubt[j];
            self.beyond_others[j].0 += other.beyond_others[j].0;
            self.beyond_others[j].1 += other.beyond_others[j].1;
            self.taught[j] += other.taught[j];
        }
        self
    }
}

/// With whom each source shares items: two others are enough to measure its accuracy.
struct Others {
    /// For each source the first of its copies.
    first: Vec<usize>,
    met: Vec<[Option<usize>; 2]>,
}

impl Others {
    fn new(fitted: &Fitted) -> Self {
        let n = fitted.model.sources().len();
        let mut first: Vec<usize> = (0..n).collect();
        for group in &fitted.copies {
            for &j in group {
                first[j] = group[0];
            }
        }
        Self { first, met: vec![[None; 2]; n] }
    }

    /// The sources of one row meet.
    fn meet(&mut self, row: &[(usize, Vote)]) {
        for &(j, _) in row {
            if self.are_enough(j) {
                continue;
            }
            for &(l, _) in row {
                self.meets(j, self.first[l]);
            }
        }
    }

    /// Source `j` meets `l`, the first of its copies.
    fn meets(&mut self, j: usize, l: usize) {
        match &mut self.met[j] {
            _ if l == self.first[j] => {}
            [first @ None, _] => *first = Some(l),
            [Some(first), second @ None] if *first != l => *second = Some(l),
            _ => {}
        }
    }

    /// All that others have met as well.
    fn add(&mut self, other: &Self) {
        for (j, met) in other.met.iter().enumerate() {
            met.iter().flatten().for_each(|&l| self.meets(j, l));
        }
    }

    fn are_enough(&self, j: usize) -> bool {
        self.met[j][1].is_some()
    }
}

fn joined(fitted: &Fitted, j: usize) -> impl Iterator<Item = Joined> + '_ {
    let factors = fitted.model.factors();
    let list = factors.of_source(j).iter().map(|&d| &factors.list()[d as usize]);
    let repeats = fitted.repeats.iter().filter(move |repeat| repeat.source == j).map(|repeat| Joined {
        kind: "repeats".to_string(),
        with: vec![fitted.model.sources().name(repeat.of).to_string()],
        weight: repeat.share,
    });
    let joined = list.filter(|factor| factor.dependency.sources().len() > 1).map(move |factor| Joined {
        kind: factor.dependency.name().to_string(),
        with: (factor.dependency.sources().iter().filter(|&&l| l != j))
            .map(|&l| fitted.model.sources().name(l).to_string())
            .collect(),
        weight: factor.weight,
    });
    joined.chain(repeats)
}

fn log_odds(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

/// The interval of 95% of a share with this variance, by the normal distribution of its log odds.
fn interval(share: f64, variance: f64, votes: f64) -> [f64; 2] {
    // At 0 and 1 the log odds are infinite: half a vote is moved.
    let p = share.clamp(0.5 / (votes + 1.0), 1.0 - 0.5 / (votes + 1.0));
    let deviation = variance.max(p * (1.0 - p) / (votes + 1.0)).sqrt() / (p * (1.0 - p));
    let share_of = |log_odds: f64| 1.0 / (1.0 + (-log_odds).exp());
    [share_of(log_odds(p) - Z_95 * deviation), share_of(log_odds(p) + Z_95 * deviation)]
}
