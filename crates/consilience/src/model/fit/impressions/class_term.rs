//! How much rarer classes are than their votes alone would have it.

use crate::model::fit::likelihood::prior::Counted;
use crate::sources::Domain;

/// The part of the log share of the votes that is believed of sources that vote for several classes, two in all.
const SEVERAL: f64 = 0.5;
/// The part that is believed of sources of one class, and how many times more or fewer votes than others a class may have before
/// it is taken to be more or less common: for two classes, and for more.
const ONE_CLASS: [(f64, f64); 2] = [(0.5, 1.5), (0.3, 2.0)];

/// b_c: what is added to the score of class c when it is seen.
///
/// # Formula
/// ```text
/// b_c = (1 - ω) ½ log(k v_c) 1{k = 2} + ω β D( log(k v_c) ),   D(x) = sign(x) max(|x| - log γ, 0)
/// β = 0.5, γ = 1.5 for two classes;   β = 0.3, γ = 2 for more
/// v_c: the share of all votes that are for c;   ω: the share of sources of one class in the votes that count
/// ```
/// For three classes and more the confusion that all sources share has it already.
pub(crate) fn class_term(k: usize, domains: &[Domain], counted: &Counted, one_class: f64) -> Vec<f64> {
    let mut votes = vec![0.0; k];
    for (domain, counts) in domains.iter().zip(&counted.votes) {
        for (&class, count) in domain.classes().iter().zip(counts) {
            votes[usize::from(class) - 1] += count;
        }
    }
    let votes: Vec<f64> = votes.iter().map(|votes| f64::max(*votes, 0.5)).collect();
    let all: f64 = votes.iter().sum();
    let several = if k == 2 { SEVERAL } else { 0.0 };
    let (part, alike) = ONE_CLASS[usize::from(k > 2)];
    let term = |votes: &f64| {
        let log = (k as f64 * votes / all).ln();
        let beyond = log.signum() * (log.abs() - f64::ln(alike)).max(0.0);
        (1.0 - one_class) * several * log + one_class * part * beyond
    };
    votes.iter().map(term).collect()
}
