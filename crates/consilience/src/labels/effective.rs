//! The effective number of independent votes of a panel.

use crate::dependency::DependencyType as _;
use crate::model::{CellLimit, Fitted, SimulateError, simulate};
use crate::sources::{ABSTAIN, Vote};

/// Items drawn from the model.
const DRAWS: usize = 10_000;
/// The draws are the same every time.
const SEED: u64 = 0;

/// The effective number of votes of a panel: the number of independent sources that would be equally informative.
///
/// # Formula
/// ```text
/// n_eff = n / d,   d = Σ_y p(y) Var( Σ_j φ_j | y ) / Σ_y p(y) Σ_j Var( φ_j | y )
/// ```
/// with n the sources that vote at all and φ_j = +1 if source j is right, -1 if it is wrong, 0 if it abstains. d is 1
/// if sources err independently given the class, and g for a panel of groups of g copies. Variances are those of 10,000 items
/// drawn from the model. If no dependency joins two sources, n_eff is the sum of the shares of their votes that count:
/// δ_j = 1 / (1 + Σ_l r_jl), which is Kish's formula source by source.
///
/// # Reference
/// The design effect and effective sample size of Kish, Survey Sampling (1965).
///
/// ```
/// use consilience::labels::effective_votes;
/// use consilience::pipeline::{Votes, label};
///
/// let rows = [["yes", "yes", "no"], ["no", "no", "no"], ["yes", "yes", "yes"]].repeat(40);
/// let model = label(&Votes::from_text(&["a", "a_copy", "b"], rows)?)?.model;
/// assert!(effective_votes(&model)? < 2.1); // three sources, but two opinions
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn effective_votes(fitted: &Fitted) -> Result<f64, SimulateError> {
    let model = &fitted.model;
    let voting = model.domains().iter().filter(|domain| domain.len() > 1).count() as f64;
    let joined = model.factors().list().iter().any(|factor| factor.dependency.sources().len() > 1);
    if !joined {
        let shares = fitted.shares.iter().zip(model.domains()).filter(|(_, domain)| domain.len() > 1);
        return Ok(shares.map(|(share, _)| share).sum());
    }
    let n = model.sources().len();
    // Copies say what the first of them says.
    let mut speaks_for: Vec<usize> = (0..n).collect();
    for group in &fitted.copies {
        for &j in group {
            speaks_for[j] = group[0];
        }
    }
    let drawn = simulate(model, DRAWS, SEED, CellLimit::default(), |_| {})?;
    let k = model.classes().len();
    let mut items = vec![0.0; k];
    let (mut sums, mut squares) = (vec![0.0; k], vec![0.0; k]);
    let mut own = vec![(0.0, 0.0); k * n];
    let mut row: Vec<Vote> = vec![ABSTAIN; n];
    for (i, &class) in drawn.labels.iter().enumerate() {
        let y = usize::from(class) - 1;
        drawn.votes.patterns().read_into(drawn.votes.item_pattern()[i] as usize, &mut row);
        let mut total = 0.0;
        for (j, &speaker) in speaks_for.iter().enumerate() {
            let phi = match row[speaker] {
                ABSTAIN => 0.0,
                vote if vote == class => 1.0,
                _ => -1.0,
            };
            total += phi;
            own[y * n + j].0 += phi;
            own[y * n + j].1 += phi * phi;
        }
        items[y] += 1.0;
        sums[y] += total;
        squares[y] += total * total;
    }
    // Σ (x - mean)² of numbers with this count, sum and sum of squares.
    let scatter = |count: f64, sum: f64, square: f64| square - sum * sum / f64::max(count, 1.0);
    let together: f64 = (0..k).map(|y| scatter(items[y], sums[y], squares[y])).sum();
    let apart: f64 = (0..k * n).map(|at| scatter(items[at / n], own[at].0, own[at].1)).sum();
    let effect = if apart > 0.0 { together / apart } else { 1.0 };
    Ok(if effect > 0.0 { voting / effect } else { voting })
}
