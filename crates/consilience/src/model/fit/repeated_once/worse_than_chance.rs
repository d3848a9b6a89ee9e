//! Sources that the others show to be wrong more often than right.

use crate::model::fit::repetition::pairs::Pairs;
use crate::parallel;
use crate::sources::ABSTAIN;

/// A source this many standard deviations below chance is worse than chance.
const BELOW: f64 = -5.0;
/// Rules of one class are so only if all others are this many above it, because their votes say little.
const OTHERS_ABOVE: f64 = 2.0;
/// Fewer than this share of the sources of a kind; else the panel as a whole may be upside down.
const MOST: f64 = 0.25;
/// With fewer rules of one class than this, the others are no reference: their votes hardly meet.
const FEWEST_RULES: usize = 8;

/// Which sources count against their votes: those that the other sources' labels contradict.
///
/// # Formula
/// ```text
/// q_u without j: the posterior of row u without j's vote, over the rows O_j on which somebody else votes
/// O = Σ_{u in O_j, j votes} c_u q_u(λ_uj),   E, V: the same sum of the mean and of the variance of q(v) over O_j
/// z_j = (O - E) / √V      one class: V times the share of O_j on which j does not vote
/// worse than chance: z_j < -5, fewer than a quarter of the sources of its kind;   one class: and all others have z > 2, and
/// the table has eight such sources
/// ```
/// `scores` are the log odds of one vote of each source, in the share that counts; `q` are the posteriors of the rows.
pub(crate) fn worse_than_chance(pairs: &Pairs, q: &[f64], scores: &[f64]) -> Vec<bool> {
    let k = pairs.k;
    let mut all = Moments { items: 0.0, sums: vec![0.0; k], squares: vec![0.0; k] };
    for (u, q) in q.chunks_exact(k).enumerate() {
        all.add(pairs.counts[u], q);
    }
    let z: Vec<f64> = parallel::map(0..pairs.n, |j| above_chance(pairs, q, scores[j], j, all.clone()));
    let mut worse = vec![false; pairs.n];
    for one_class in [true, false] {
        let of_kind: Vec<usize> = (0..pairs.n)
            .filter(|&j| !pairs.rows_of[j].is_empty() && (pairs.only[j] != ABSTAIN) == one_class)
            .collect();
        let (low, others): (Vec<usize>, Vec<usize>) = of_kind.iter().partition(|&&j| z[j] < BELOW);
        let few = (low.len() as f64) < MOST * of_kind.len() as f64;
        let rules_are_sure = || of_kind.len() >= FEWEST_RULES && others.iter().all(|&j| z[j] > OTHERS_ABOVE);
        if few && (!one_class || rules_are_sure()) {
            for j in low {
                worse[j] = true;
            }
        }
    }
    worse
}

/// Items, and for each class the sum of its probabilities and of their squares.
#[derive(Clone)]
struct Moments {
    items: f64,
    sums: Vec<f64>,
    squares: Vec<f64>,
}

impl Moments {
    fn add(&mut self, count: f64, q: &[f64]) {
        self.items += count;
        for (y, q) in q.iter().enumerate() {
            self.sums[y] += count * q;
            self.squares[y] += count * q * q;
        }
    }
}

/// z_j; `moments` are those of all rows.
fn above_chance(pairs: &Pairs, q: &[f64], score: f64, j: usize, mut moments: Moments) -> f64 {
    let k = pairs.k;
    let mut cast = vec![0.0; k];
    let mut seen = 0.0;
    let mut without = vec![0.0; k];
    let unsaid = (-score).exp();
    for &(u, vote) in &pairs.rows_of[j] {
        let u = u as usize;
        let (count, q) = (pairs.counts[u], &q[u * k..(u + 1) * k]);
        moments.add(-count, q);
        if pairs.rows[u].len() < 2 {
            continue;
        }
        let v = usize::from(vote) - 1;
        without.copy_from_slice(q);
        without[v] = q[v] * unsaid;
        let total: f64 = without.iter().sum();
        for q in &mut without {
            *q /= total.max(f64::MIN_POSITIVE);
        }
        moments.add(count, &without);
        seen += count * without[v];
        cast[v] += count;
    }
    let votes: f64 = cast.iter().sum();
    if votes <= 0.0 || moments.items <= 0.0 {
        return 0.0;
    }
    let (mut expected, mut variance) = (0.0, 0.0);
    for (y, cast) in cast.iter().enumerate() {
        let mean = moments.sums[y] / moments.items;
        expected += cast * mean;
        variance += cast * (moments.squares[y] / moments.items - mean * mean).max(0.0);
    }
    if pairs.only[j] != ABSTAIN {
        variance *= (1.0 - votes / moments.items).max(1e-3);
    }
    (seen - expected) / variance.max(1e-9).sqrt()
}
