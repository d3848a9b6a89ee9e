//! What silence says: the classes of the items that nobody votes on.
//!
//! A label model has nothing to say about such an item, but the table has: if the sources rarely miss a class, few of
//! the items that they all miss are of it. It is the question of capture and recapture, how many animals were never
//! caught, asked class by class.
//!
//! # Formula
//! ```text
//! V_c  = Σ over items i with a vote of p_ic                        items of class c with a vote
//! n_jc = Σ over items i that source j votes on of p_ic             those that j votes on
//! S_c  = (V_c + S_c) Π_j ( 1 - n_jc / (V_c + S_c) )                items of class c that all sources miss
//!
//! share_c = S_c / Σ_d S_d
//! ```
//! Sources are assumed to miss items independently of each other, given the class. S_c is the limit of the formula applied
//! over and over, from 0 on: its steps grow, and end where the right side grows no more.

use crate::votes::Votes;

const MOST_STEPS: usize = 10_000;
const TOLERANCE: f64 = 1e-10;

/// Estimates the class shares among the items without votes from the probabilities of those with votes.
/// `probabilities(i)` has one number per class for item `i`. `None` if no item has a vote, or every item has one.
///
/// ```
/// use consilience::labels::silent_shares;
/// use consilience::pipeline::{Votes, label};
///
/// // Rules find spam or stay silent, so that silence suggests ham.
/// let rows = [["spam", "spam", ""], ["", "", "ham"], ["", "", ""]].repeat(50);
/// let votes = Votes::from_text(&["links", "money", "greeting"], rows)?;
/// let labels = label(&votes)?.labels;
/// let shares = silent_shares(&votes, |i| labels.item(i)).expect("some items have no votes");
/// assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn silent_shares<'a>(votes: &Votes, probabilities: impl Fn(usize) -> &'a [f64]) -> Option<Vec<f64>> {
    let sources = votes.sources().len();
    let (mut with_vote, mut of_source, mut silent) = (Vec::new(), Vec::new(), 0_usize);
    for i in 0..votes.items() {
        if votes.row_of_item(i).next().is_none() {
            silent += 1;
            continue;
        }
        let p = probabilities(i);
        with_vote.resize(p.len(), 0.0);
        of_source.resize(p.len() * sources, 0.0);
        let add = |sums: &mut [f64]| sums.iter_mut().zip(p).for_each(|(sum, p)| *sum += p);
        add(&mut with_vote);
        for (j, _) in votes.row_of_item(i) {
            add(&mut of_source[j * p.len()..(j + 1) * p.len()]);
        }
    }
    if silent == 0 || with_vote.is_empty() {
        return None;
    }
    let k = with_vote.len();
    let missed = |c: usize| missed(with_vote[c], &of_source.iter().skip(c).step_by(k));
    let counts: Vec<f64> = (0..k).map(missed).collect();
    let total: f64 = counts.iter().sum();
    // Where a source votes on every item of each class that has a vote, nothing is known of the rest.
    (total > 0.0).then(|| counts.iter().map(|count| count / total).collect())
}

/// S_c of the formula, for a class with `with_vote` items and these numbers of them at the sources.
fn missed<'a>(with_vote: f64, of_source: &(impl Iterator<Item = &'a f64> + Clone)) -> f64 {
    if with_vote <= 0.0 {
        return 0.0;
    }
    let mut missed = 0.0;
    for _ in 0..MOST_STEPS {
        let all = with_vote + missed;
        let chance: f64 = of_source.clone().map(|votes| (1.0 - votes / all).max(0.0)).product();
        let step = all * chance - missed;
        missed += step;
        if step <= TOLERANCE * with_vote {
            break;
        }
    }
    missed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Streams, unit};
    use crate::sources::{Classes, Sources};
    use crate::votes::VotesBuilder;
    use consilience_testing::close;

    fn table(sources: usize, rows: &[Vec<u32>]) -> Votes {
        let mut builder = VotesBuilder::new(Sources::numbered(sources).unwrap());
        for row in rows {
            builder.push(&row.iter().map(|&j| (j, 1)).collect::<Vec<_>>()).unwrap();
        }
        builder.finish_as(Classes::numbered(2).unwrap()).unwrap()
    }

    /// Two sources that miss independently: the estimate of Lincoln and Petersen, n_1 n_2 / n_12 items in all.
    #[test]
    fn two_sources_give_the_estimate_of_lincoln_and_petersen() {
        // 40 and 30 votes, 12 on the same items: 100 items, of which 58 have a vote.
        assert!(close(missed(58.0, &[40.0, 30.0].iter()), 42.0, 1e-6));
    }

    #[test]
    fn planted_shares_are_found() {
        let mut rng = Streams::new(3).stream(0);
        let chance = [[0.3, 0.1], [0.2, 0.3], [0.4, 0.1], [0.1, 0.2], [0.3, 0.1]];
        let (mut rows, mut truth) = (Vec::new(), Vec::new());
        for _ in 0..40_000 {
            let class = usize::from(unit(&mut rng) < 0.4);
            rows.push((0..5).filter(|&j| unit(&mut rng) < chance[j as usize][class]).collect::<Vec<u32>>());
            truth.push(if class == 0 { [1.0, 0.0] } else { [0.0, 1.0] });
        }
        let votes = table(5, &rows);
        let found = silent_shares(&votes, |i| &truth[i]).unwrap();
        let silent = rows.iter().zip(&truth).filter(|(row, _)| row.is_empty());
        let (ones, all) = silent.fold((0.0, 0.0), |(ones, all), (_, p)| (ones + p[1], all + 1.0));
        assert!((found[1] - ones / all).abs() < 0.02, "{} and {}", found[1], ones / all);
        assert!((ones / all - 0.4).abs() > 0.1, "the test would not tell silence from nothing");
    }

    #[test]
    fn nothing_is_said_where_nothing_is_known() {
        let p = [[0.9, 0.1], [0.2, 0.8]];
        assert_eq!(silent_shares(&table(2, &[vec![0], vec![1]]), |i| &p[i]), None);
        assert_eq!(silent_shares(&table(2, &[vec![], vec![]]), |i| &p[i]), None);
        // The only source votes on all of both classes.
        assert_eq!(silent_shares(&table(1, &[vec![0], vec![]]), |i| &p[i]), None);
        // A class without any probability has no silent items.
        let sure = [[1.0, 0.0]; 3];
        assert_eq!(silent_shares(&table(2, &[vec![0], vec![1], vec![]]), |i| &sure[i]), Some(vec![1.0, 0.0]));
    }
}
