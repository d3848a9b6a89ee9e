//! The evidence for `--select auto`: what each rule of selection keeps, whether it keeps the same in another half of the items,
//! and whether votes that were not seen are foretold better with what it keeps.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use consilience::dependency::DependencyType as _;
use consilience::labels::infer;
use consilience::model::{Dependence, FitOptions, Fitted, Inference, fit};
use consilience::structure::{ExactOptions, Select, Structure, learn_exact};
use consilience::votes::Votes;
use consilience_reproduce::set::Set;

use crate::score::Scores;

/// A rule of selection, or one that also asks for a weight.
#[derive(Clone, Copy)]
enum Rule {
    Nothing,
    Plain(Select),
    /// A family-wise error of 0.01, and at least this weight.
    Heavy(f64),
}

const RULES: [(&str, Rule); 9] = [
    ("nothing", Rule::Nothing),
    ("fdr=0.05", Rule::Plain(Select::Fdr(0.05))),
    ("fwer=0.01", Rule::Plain(Select::Fwer(0.01))),
    ("fwer=0.01, weight 0.1 (auto)", Rule::Plain(Select::Auto)),
    ("fwer=0.01, weight 0.2", Rule::Heavy(0.2)),
    ("fwer=0.01, weight 0.5", Rule::Heavy(0.5)),
    ("fwer=0.01, weight 1", Rule::Heavy(1.0)),
    ("threshold=0.1", Rule::Plain(Select::Threshold(0.1))),
    ("miss=0.1", Rule::Plain(Select::Miss(0.1))),
];

impl Rule {
    fn select(self, structure: Structure) -> Structure {
        match self {
            Self::Nothing => structure.selected_by(Select::Top(0)),
            Self::Plain(select) => structure.selected_by(select),
            Self::Heavy(weight) => {
                let mut structure = structure.selected_by(Select::Fwer(0.01));
                for learned in &mut structure.dependencies {
                    learned.selected &= learned.weight.abs() >= weight;
                }
                structure
            }
        }
    }
}

/// What came of one rule on one set.
#[derive(Clone, Copy)]
struct Outcome {
    kept: f64,
    /// Of what either half keeps, the share that both keep; all if neither keeps anything.
    stable: f64,
    /// log p(vote | the other votes), a vote of the half that was not fitted on.
    unseen: f64,
    score: f64,
    log_loss: f64,
}

/// All rules on all sets, as Markdown.
#[expect(clippy::print_stderr, reason = "progress of a command")]
pub(crate) fn tables(sets: &[Set]) -> anyhow::Result<String> {
    let mut outcomes = Vec::new();
    for set in sets {
        eprintln!("{}", set.name);
        outcomes.push(of_set(set)?);
    }
    let mut text = String::new();
    let mean = |rule: usize, of: &dyn Fn(&Outcome, &Outcome) -> f64| {
        outcomes.iter().map(|set| of(&set[rule], &set[0])).sum::<f64>() / outcomes.len() as f64
    };
    text.push_str("| rule | kept | kept in both halves | unseen votes | better on | score | log loss |\n");
    text.push_str("|---|---|---|---|---|---|---|\n");
    for (rule, (name, _)) in RULES.iter().enumerate() {
        let better = outcomes.iter().filter(|set| set[rule].unseen > set[0].unseen).count();
        let _ = writeln!(
            text,
            "| {name} | {:.0} | {:.2} | {:+.4} | {better} of {} | {:.1} | {:.3} |",
            mean(rule, &|outcome, _| outcome.kept),
            mean(rule, &|outcome, _| outcome.stable),
            mean(rule, &|outcome, nothing| outcome.unseen - nothing.unseen),
            sets.len(),
            mean(rule, &|outcome, _| outcome.score),
            mean(rule, &|outcome, _| outcome.log_loss),
        );
    }
    for (set, outcomes) in sets.iter().zip(&outcomes) {
        let _ =
            writeln!(text, "\n{}\n\n| rule | kept | stable | unseen votes | score / log loss |", set.name);
        text.push_str("|---|---|---|---|---|\n");
        for ((name, _), outcome) in RULES.iter().zip(outcomes) {
            let Outcome { kept, stable, unseen, score, log_loss } = outcome;
            let _ = writeln!(
                text,
                "| {name} | {kept:.0} | {stable:.2} | {unseen:.4} | {score:.1} / {log_loss:.3} |"
            );
        }
    }
    Ok(text)
}

fn of_set(set: &Set) -> anyhow::Result<Vec<Outcome>> {
    let half = |odd: usize| -> Vec<bool> { (0..set.votes.items()).map(|i| i % 2 == odd).collect() };
    let (first, second) = (set.votes_of(&half(0))?, set.votes_of(&half(1))?);
    let learn = |votes: &Votes| learn_exact(votes, &ExactOptions::default(), Select::Auto);
    let (whole, one, other) = (learn(&set.votes)?, learn(&first)?, learn(&second)?);
    RULES
        .iter()
        .map(|(_, rule)| {
            let (whole, one, other) =
                (rule.select(whole.clone()), rule.select(one.clone()), rule.select(other.clone()));
            // By the objective that the structure was learned with, which any number of dependencies allows.
            let options = FitOptions::default().with_inference(Inference::Pseudo);
            let weights =
                |votes: &Votes, structure: &Structure| fit(votes, Dependence::Linked(structure), &options);
            let labels = infer(&weights(&set.votes, &whole)?, &set.votes)?;
            let scores = Scores::of_labels(&labels, &set.gold, set.metric)?.0;
            let foretold =
                [foretold(&weights(&first, &one)?, &second), foretold(&weights(&second, &other)?, &first)];
            Ok(Outcome {
                kept: whole.selected().count() as f64,
                stable: in_both(&one, &other),
                unseen: 0.5 * (foretold[0] + foretold[1]),
                score: scores.score,
                log_loss: scores.log_loss,
            })
        })
        .collect()
}

fn in_both(one: &Structure, other: &Structure) -> f64 {
    let kept = |structure: &Structure| -> BTreeSet<Vec<usize>> {
        structure.selected().map(|learned| learned.dependency.sources().to_vec()).collect()
    };
    let (one, other) = (kept(one), kept(other));
    let either = one.union(&other).count();
    if either == 0 { 1.0 } else { one.intersection(&other).count() as f64 / either as f64 }
}

/// The mean of log p(vote | the other votes of the item) over the votes of all sources, abstains included; votes that a source
/// was never seen to cast are left out.
fn foretold(fitted: &Fitted, votes: &Votes) -> f64 {
    let patterns = votes.patterns();
    let (mut sum, mut count) = (0.0, 0.0);
    for (p, &items) in patterns.counts().iter().enumerate() {
        let mut row = vec![0; votes.sources().len()];
        for (j, vote) in patterns.row(p) {
            row[j] = vote;
        }
        for j in 0..row.len() {
            if let Ok(log_p) = fitted.model.conditional(&row, j).log_likelihood() {
                sum += items as f64 * log_p;
                count += items as f64;
            }
        }
    }
    sum / f64::max(count, 1.0)
}
