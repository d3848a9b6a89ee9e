//! How much a few answers help: labels after 10 to 200 randomly drawn answers, compared with no answers and with training on the
//! answers alone. Answers come from gold; answered items are not scored.

use std::fmt::Write as _;

use consilience::answers::{Answers, sample};
use consilience::labels::{Labels, correct, infer};
use consilience::model::{CorrectionPriors, Dependence, FitOptions, Fitted, Model, fit};
use consilience::report::score::{ClassScore, accuracy, log_loss};
use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::Votes;
use consilience_reproduce::set::{Metric, Set};
use rayon::prelude::*;

/// Numbers of answers.
const COUNTS: [usize; 5] = [10, 25, 50, 100, 200];

/// The class that F1 is about.
const SECOND_CLASS: Vote = 2;

/// The standard deviation of the weights of training on the answers alone: a ridge penalty of 1, as scikit-learn has it.
const RIDGE: f64 = 1.0;

/// A score in per cent and a log loss.
pub(crate) type Pair = (f64, f64);

/// A set, its model without answers, and the items that answers are drawn from: those with votes and gold.
pub(crate) struct Ready<'a> {
    set: &'a Set,
    pub(crate) plain: Labelled,
    blank: Labelled,
    known: Vec<usize>,
}

/// A model and its labels before any answer.
pub(crate) struct Labelled {
    fitted: Fitted,
    labels: Labels,
}

impl Labelled {
    pub(crate) fn new(fitted: Fitted, votes: &Votes) -> anyhow::Result<Self> {
        let labels = infer(&fitted, votes)?;
        Ok(Self { fitted, labels })
    }
}

impl<'a> Ready<'a> {
    pub(crate) fn new(set: &'a Set) -> anyhow::Result<Self> {
        let plain = fit(&set.votes, Dependence::Repeats, &FitOptions::default())?;
        let k = set.votes.classes().len();
        let known = |&i: &usize| {
            (1..=k).contains(&usize::from(set.gold[i])) && set.votes.row_of_item(i).next().is_some()
        };
        Ok(Self {
            set,
            plain: Labelled::new(plain, &set.votes)?,
            blank: Labelled::new(blank(&set.votes)?, &set.votes)?,
            known: (0..set.votes.items()).filter(known).collect(),
        })
    }

    /// The `draw`-th draw of `count` answers; `None` if there are not enough items.
    fn answers(&self, count: usize, draw: u64) -> Option<Answers> {
        if count >= self.known.len() {
            return None;
        }
        let mut of_item = vec![ABSTAIN; self.set.votes.items()];
        for place in sample(self.known.len(), count, draw) {
            of_item[self.known[place]] = self.set.gold[self.known[place]];
        }
        Answers::new(of_item, self.set.votes.items(), self.set.votes.classes()).ok()
    }

    /// Scores the items that are not answered.
    fn score(&self, labels: &Labels, answers: Option<&Answers>) -> anyhow::Result<Pair> {
        let answered = |i: usize| answers.is_some_and(|answers| answers.of_items()[i] != ABSTAIN);
        let items: Vec<usize> = self.known.iter().copied().filter(|&i| !answered(i)).collect();
        let gold: Vec<Vote> = items.iter().map(|&i| self.set.gold[i]).collect();
        let none = || anyhow::anyhow!("{}: no item is left to score", self.set.name);
        let score = match self.set.metric {
            Metric::Accuracy => {
                let decided: Vec<Vote> = items.iter().map(|&i| best(labels.item(i))).collect();
                accuracy(&decided, &gold).ok_or_else(none)?
            }
            Metric::F1 => {
                let decided = by_expected_f1(labels, &items);
                ClassScore::new(SECOND_CLASS, &decided, &gold).ok_or_else(none)?.f1
            }
        };
        let loss = log_loss(items.iter().map(|&i| labels.item(i)), &gold).ok_or_else(none)?;
        Ok((100.0 * score, loss))
    }

    /// The share of each class among the items with votes and gold; no class has none.
    pub(crate) fn shares(&self) -> Vec<f64> {
        let k = self.set.votes.classes().len();
        let mut counts = vec![0.5; k];
        self.known.iter().for_each(|&i| counts[usize::from(self.set.gold[i]) - 1] += 1.0);
        let all: f64 = counts.iter().sum();
        counts.into_iter().map(|count| count / all).collect()
    }

    /// Without answers.
    pub(crate) fn before(&self, model: &Labelled) -> anyhow::Result<Pair> {
        self.score(&model.labels, None)
    }

    /// The mean over draws after `count` answers.
    pub(crate) fn mean(
        &self,
        model: &Labelled,
        count: usize,
        draws: u64,
        priors: CorrectionPriors,
    ) -> anyhow::Result<Option<Pair>> {
        let one = |draw: u64| -> anyhow::Result<Option<Pair>> {
            let Some(answers) = self.answers(count, draw) else { return Ok(None) };
            let taught = correct(&model.fitted, &self.set.votes, &answers, priors)?.fitted;
            let labels = model.labels.clone().corrected(&taught, &self.set.votes)?;
            self.score(&labels, Some(&answers)).map(Some)
        };
        let all: Vec<Option<Pair>> = (0..draws).into_par_iter().map(one).collect::<anyhow::Result<_>>()?;
        let pairs: Option<Vec<Pair>> = all.into_iter().collect();
        Ok(pairs.map(|pairs| {
            let mean = |of: fn(&Pair) -> f64| pairs.iter().map(of).sum::<f64>() / draws as f64;
            (mean(|pair| pair.0), mean(|pair| pair.1))
        }))
    }
}

fn best(p: &[f64]) -> Vote {
    (1..p.len()).fold(0, |best, c| if p[c] > p[best] { c } else { best }) as Vote + 1
}

/// The decisions with the highest expected F1 of the second class under the labels' own probabilities.
///
/// # Formula
/// ```text
/// the items most likely of the class, as many as maximise 2 Σ p of these / ( their number + Σ p of all )
/// ```
fn by_expected_f1(labels: &Labels, items: &[usize]) -> Vec<Vote> {
    let p = |i: usize| labels.item(i)[usize::from(SECOND_CLASS) - 1];
    let mut order: Vec<f64> = items.iter().map(|&i| p(i)).collect();
    order.sort_by(|a, b| b.total_cmp(a));
    let all: f64 = order.iter().sum();
    let (mut sum, mut best, mut threshold) = (0.0, 0.0, 1.0);
    for (place, &p) in order.iter().enumerate() {
        sum += p;
        let f1 = 2.0 * sum / ((place + 1) as f64 + all);
        // Items with the same votes are decided alike.
        if f1 > best && order.get(place + 1).is_none_or(|&next| next < p) {
            (best, threshold) = (f1, p);
        }
    }
    items.iter().map(|&i| if p(i) >= threshold { SECOND_CLASS } else { 1 }).collect()
}

/// A model that knows nothing: corrected by answers, it is logistic regression on the votes.
fn blank(votes: &Votes) -> anyhow::Result<Fitted> {
    let model =
        Model::new(votes.sources().clone(), votes.classes().clone(), votes.domains().to_vec(), Vec::new())?;
    Ok(Fitted::given(model, votes.items()))
}

/// A ridge on the votes alone. The prior on single votes is lowered if items have many; that is taken back here.
fn ridge(votes: &Votes) -> CorrectionPriors {
    let patterns = votes.patterns();
    let (mut items, mut cast) = (0.0, 0.0);
    for (p, &count) in patterns.counts().iter().enumerate() {
        let votes = patterns.row(p).count() as f64;
        if votes > 0.0 {
            items += count as f64;
            cast += count as f64 * votes;
        }
    }
    let spread = RIDGE * (1.0 + (cast / items).max(1.0) / CorrectionPriors::MANY_VOTES).sqrt();
    CorrectionPriors::default()
        .with_slope(1e-6)
        .with_bias(3.0)
        .with_trend(0.0)
        .with_source(0.0)
        .with_vote(spread)
        .with_other(0.0)
        .with_wider_where_contradicted(false)
}

/// The tables of scores by set and number of answers.
pub(crate) fn tables(sets: &[Set], draws: u64) -> anyhow::Result<String> {
    let mut text = format!(
        "Score and log loss of the items that were not answered, means over {draws} draws. F1 tables are decided by expected F1.\n\n"
    );
    let head: Vec<String> = COUNTS.iter().map(|count| format!("{count} answers")).collect();
    let _ = writeln!(text, "| set | no answers | {} | 100 answers alone (ridge) |", head.join(" | "));
    let _ = writeln!(text, "|---|---|{}---|", "---|".repeat(COUNTS.len()));
    let mut sums = vec![(0.0, 0.0, 0u32); COUNTS.len() + 2];
    let (mut wins, mut losses, mut compared) = (0, 0, 0);
    let (mut worst, mut better) = ((f64::NEG_INFINITY, String::new()), 0);
    for set in sets {
        let ready = Ready::new(set)?;
        let mut cells = vec![Some(ready.before(&ready.plain)?)];
        for count in COUNTS {
            cells.push(ready.mean(&ready.plain, count, draws, CorrectionPriors::default())?);
        }
        cells.push(ready.mean(&ready.blank, 100, draws, ridge(&set.votes))?);
        let at = |count: usize| COUNTS.iter().position(|&c| c == count).and_then(|place| cells[place + 1]);
        if let (Some(before), Some(after)) = (cells[0], at(25)) {
            better += u32::from(after.1 <= before.1);
            if after.1 - before.1 > worst.0 {
                worst = (after.1 - before.1, set.name.clone());
            }
        }
        if let (Some(ours), Some(alone)) = (at(100), cells[COUNTS.len() + 1]) {
            compared += 1;
            wins += u32::from(ours.0 > alone.0);
            losses += u32::from(ours.1 < alone.1);
        }
        let shown: Vec<String> = cells
            .iter()
            .map(|cell| cell.map_or("-".to_string(), |(score, loss)| format!("{score:.1} / {loss:.3}")))
            .collect();
        let _ = writeln!(text, "| {} | {} |", set.name, shown.join(" | "));
        for (sum, (score, loss)) in
            sums.iter_mut().zip(&cells).filter_map(|(sum, cell)| Some((sum, (*cell)?)))
        {
            *sum = (sum.0 + score, sum.1 + loss, sum.2 + 1);
        }
    }
    let shown: Vec<String> = sums
        .iter()
        .map(|&(score, loss, count)| {
            let count = f64::from(count.max(1));
            format!("{:.1} / {:.3}", score / count, loss / count)
        })
        .collect();
    let _ = writeln!(text, "| **average** | {} |\n", shown.join(" | "));
    let _ = writeln!(
        text,
        "25 answers: log loss no worse on {better} of {} sets; the largest rise is {:+.3}, on {}.",
        sets.len(),
        worst.0,
        worst.1
    );
    let _ = writeln!(
        text,
        "100 answers: a better score than from the answers alone on {wins} of {compared} sets, a lower log loss on {losses}."
    );
    Ok(text)
}
