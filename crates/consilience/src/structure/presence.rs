//! The probability that each candidate is a dependency, given all candidates.

/// Rounds of expectation and maximisation at most, and the gain in log likelihood below which they end.
const MOST_ROUNDS: usize = 500;
const SETTLED: f64 = 1e-5;

/// Logarithms of odds are kept below this, so that their exponentials stay numbers.
const MOST_CERTAIN: f64 = 600.0;

/// Candidates with a |z| beyond this start a group of dependencies.
const START: f64 = 3.0;

/// What candidates of one sign look like that are dependencies: their share, and mean and spread of their true weights.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Present {
    share: f64,
    mean: f64,
    spread: f64,
}

impl Present {
    /// The group of the candidates for which `start` holds; `None` if there are none.
    fn start(candidates: &[(f64, f64)], start: impl Fn(f64) -> bool) -> Option<Self> {
        let members: Vec<f64> = candidates
            .iter()
            .filter(|(weight, stderr)| start(weight / stderr))
            .map(|&(weight, _)| weight)
            .collect();
        let count = members.len() as f64;
        let mean = members.iter().sum::<f64>() / count;
        let variance = members.iter().map(|weight| (weight - mean).powi(2)).sum::<f64>() / count;
        let share = (count / candidates.len() as f64).min(0.5);
        (!members.is_empty()).then(|| Self { share, mean, spread: variance.sqrt().min(mean.abs()) })
    }

    /// N(weight; mean, spread² + stderr²) / N(weight; 0, stderr²)
    fn against_absence(&self, weight: f64, stderr: f64) -> f64 {
        let (error, variance) = (stderr * stderr, self.spread * self.spread + stderr * stderr);
        let away = weight - self.mean;
        let exponent = 0.5 * (weight * weight / error - away * away / variance);
        exponent.min(MOST_CERTAIN).exp() * (error / variance).sqrt()
    }

    /// Mean and variance of the true weight of a member, given its estimate.
    fn of_member(&self, weight: f64, stderr: f64) -> (f64, f64) {
        let (spread, error) = (self.spread.powi(2), stderr.powi(2));
        ((weight * spread + self.mean * error) / (spread + error), spread * error / (spread + error))
    }
}

/// What the groups say about the candidates.
struct Fit {
    /// For each candidate the probability that it is a member of each group.
    members: Vec<[f64; 2]>,
    /// Above that of no group at all.
    log_likelihood: f64,
}

/// For each candidate (weight, standard error) the probability that it is a dependency.
///
/// Most candidates are none; the others share, for each sign, a typical strength, which is estimated along with how many they
/// are. A group that the candidates do not ask for, by Schwarz's criterion, is left out.
///
/// # Formula
/// ```text
/// weight ~ (1 - π₊ - π₋) N(0, se²) + π₊ N(μ₊, τ₊² + se²) + π₋ N(μ₋, τ₋² + se²),   μ₋ < 0 < μ₊,  τ <= |μ|
/// probability = 1 - (1 - π₊ - π₋) N(weight; 0, se²) / density(weight)
/// maximum likelihood by expectation and maximisation; penalty of each group: 3/2 · ln(candidates)
/// ```
pub(super) fn presence(candidates: &[(f64, f64)]) -> Vec<f64> {
    let groups = [Present::start(candidates, |z| z > START), Present::start(candidates, |z| z < -START)];
    let penalty = 1.5 * (candidates.len() as f64).ln();
    let choices = [[true, true], [true, false], [false, true]];
    let mut best = (0.0, vec![0.0; candidates.len()]);
    for choice in choices {
        let chosen: Vec<Present> =
            groups.iter().zip(choice).filter(|(_, chosen)| *chosen).filter_map(|(group, _)| *group).collect();
        if chosen.len() != choice.iter().filter(|chosen| **chosen).count() {
            continue;
        }
        let price = penalty * chosen.len() as f64;
        if let Some(fit) = fitted(candidates, chosen)
            && fit.log_likelihood - price > best.0
        {
            best = (fit.log_likelihood - price, fit.members.iter().map(|m| m.iter().sum()).collect());
        }
    }
    best.1
}

/// The groups at their maximum; `None` if a group changes its sign or dies out.
fn fitted(candidates: &[(f64, f64)], mut groups: Vec<Present>) -> Option<Fit> {
    let signs: Vec<f64> = groups.iter().map(|group| group.mean.signum()).collect();
    let mut fit = expected(candidates, &groups);
    for _ in 0..MOST_ROUNDS {
        for (at, group) in groups.iter_mut().enumerate() {
            let old = *group;
            let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
                fit.members.iter().zip(candidates).map(|(member, &(w, se))| member[at] * of(w, se)).sum()
            };
            let count = sum(&|_, _| 1.0);
            group.share = count / candidates.len() as f64;
            group.mean = sum(&|w, se| old.of_member(w, se).0) / count;
            let mean = group.mean;
            let variance = sum(&|w, se| {
                let (centre, variance) = old.of_member(w, se);
                (centre - mean).powi(2) + variance
            });
            group.spread = (variance / count).sqrt().min(mean.abs());
        }
        if groups.iter().zip(&signs).any(|(group, sign)| !(group.mean * sign > 0.0 && group.share > 0.0)) {
            return None;
        }
        let next = expected(candidates, &groups);
        let gain = next.log_likelihood - fit.log_likelihood;
        fit = next;
        if gain < SETTLED {
            break;
        }
    }
    Some(fit)
}

/// Who is a member of what, and the log likelihood.
fn expected(candidates: &[(f64, f64)], groups: &[Present]) -> Fit {
    let absent = (1.0 - groups.iter().map(|group| group.share).sum::<f64>()).max(f64::MIN_POSITIVE);
    let mut log_likelihood = 0.0;
    let members = candidates
        .iter()
        .map(|&(weight, stderr)| {
            let mut odds = [0.0; 2];
            for (odds, group) in odds.iter_mut().zip(groups) {
                *odds = group.share * group.against_absence(weight, stderr);
            }
            let sum = absent + odds[0] + odds[1];
            log_likelihood += sum.ln();
            odds.map(|odds| odds / sum)
        })
        .collect();
    Fit { members, log_likelihood }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;

    /// Candidates of which the first `present` have the given weight, with standard errors between 0.03 and 0.09.
    fn candidates(count: usize, present: usize, weight: f64, seed: u64) -> Vec<(f64, f64)> {
        let mut rng = rng::Streams::new(seed).stream(0);
        (0..count)
            .map(|at| {
                let stderr = 0.03 + 0.06 * rng::unit(&mut rng).powi(2);
                let radius = (-2.0 * (1.0 - rng::unit(&mut rng)).ln()).sqrt();
                let noise = radius * (std::f64::consts::TAU * rng::unit(&mut rng)).cos();
                (if at < present { weight } else { 0.0 } + stderr * noise, stderr)
            })
            .collect()
    }

    #[test]
    fn where_nothing_depends_nothing_is_probable() {
        for seed in 0..10 {
            let all = presence(&candidates(2000, 0, 0.0, seed));
            assert!(all.iter().sum::<f64>() < 0.1, "{seed}");
        }
    }

    #[test]
    fn the_probabilities_add_up_to_what_is_there() {
        for (weight, seed) in [(0.25, 1), (-0.25, 2), (0.4, 3)] {
            let all = presence(&candidates(3000, 150, weight, seed));
            let error = all.iter().map(|p| p * (1.0 - p)).sum::<f64>().sqrt();
            let sum: f64 = all.iter().sum();
            assert!((sum - 150.0).abs() < 3.0 * error, "{sum} {error}");
            assert!((1.0..6.0).contains(&error), "{error}");
            let doubtful = || (0..all.len()).filter(|&at| (0.02..0.98).contains(&all[at]));
            let present = doubtful().filter(|&at| at < 150).count() as f64;
            let promised: f64 = doubtful().map(|at| all[at]).sum();
            assert!((present - promised).abs() < 3.0 * error, "{present} {promised}");
        }
    }

    #[test]
    fn both_signs_at_once() {
        let mut list = candidates(3000, 60, 0.3, 5);
        list.extend(candidates(60, 60, -0.5, 6));
        let all = presence(&list);
        assert!((all.iter().sum::<f64>() - 120.0).abs() < 4.0);
        assert!(all[3000..].iter().all(|&p| p > 0.5));
    }

    #[test]
    fn few_candidates_and_extreme_ones() {
        assert!(presence(&[]).is_empty());
        assert_eq!(presence(&[(0.1, 0.1)]), [0.0]);
        assert!(presence(&[(5.0, 0.01)])[0] > 0.99);
        let extreme = presence(&[(1e6, 1e-9), (0.0, 1e3), (-1e6, 1e-9)]);
        assert!(extreme.iter().all(|p| p.is_finite()) && extreme[0] > 0.99 && extreme[1] < 0.9);
    }
}
