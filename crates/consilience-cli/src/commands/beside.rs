//! What other models make of the same votes: structure does not always help, so that they always stand beside it.

use consilience::labels::{Labels, Ties, infer, majority_vote};
use consilience::model::{DawidSkeneOptions, Dependence, FitOptions, fit, fit_dawid_skene};
use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::Votes;

use super::fit::{Models, Request};
use crate::terminal::thousands;

/// On how many items the independent model, Dawid and Skene's and majority vote decide otherwise than the chosen one, ties
/// aside; with gold, how often each is right.
pub(super) fn line(
    request: &Request,
    models: &Models,
    chosen: &Labels,
    votes: &Votes,
    gold: Option<&[Vote]>,
) -> anyhow::Result<String> {
    let mut others: Vec<(&str, Labels)> = Vec::new();
    if let Some(independent) = &models.independent {
        others.push(("--independent", infer(independent, votes)?.0));
    } else if matches!(request, Request::DawidSkene(_)) {
        let independent = fit(votes, Dependence::Independent, &FitOptions::default())?;
        others.push(("--independent", infer(&independent, votes)?.0));
    }
    if !matches!(request, Request::DawidSkene(_)) {
        let by_class = fit_dawid_skene(votes, &DawidSkeneOptions::default(), |_| {})?;
        others.push(("--dawid-skene", infer(&by_class, votes)?.0));
    }
    others.push(("--majority", majority_vote(votes)));
    let told: Vec<String> = others.iter().map(|(name, labels)| told(name, chosen, labels, gold)).collect();
    let own =
        gold.and_then(|gold| right(chosen, gold)).map_or(String::new(), |own| format!("right on {own}; "));
    Ok(format!("{own}beside it, labels that differ: {}", told.join("; ")))
}

fn told(name: &str, chosen: &Labels, other: &Labels, gold: Option<&[Vote]>) -> String {
    let decided = |labels: &Labels, i: usize| labels.decide(i, Ties::Empty);
    let differ = (0..chosen.items())
        .filter(|&i| matches!((decided(chosen, i), decided(other, i)), (Some(a), Some(b)) if a != b))
        .count();
    let right = gold.and_then(|gold| right(other, gold));
    let right = right.map_or(String::new(), |right| format!(" (right on {right})"));
    format!("{name} {}{right}", thousands(differ as u64))
}

/// The share of right labels among the items that have votes and gold, in per cent; ties count by chance.
fn right(labels: &Labels, gold: &[Vote]) -> Option<String> {
    let judged = || (0..labels.items()).filter(|&i| gold[i] != ABSTAIN && labels.has_votes(i));
    let right = judged().map(|i| labels.chance_of(i, gold[i])).sum::<f64>();
    let all = judged().count();
    (all > 0).then(|| format!("{:.2}%", 100.0 * right / all as f64))
}
