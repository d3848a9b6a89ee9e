//! How far the answers are from the class shares that the model expects of the answered items.

use super::design::{Design, Tally};

/// Standard errors between both, on average over the classes.
///
/// # Formula
/// ```text
/// sqrt( mean over classes y of ( n_y - Σ_u p_u(y) )² / ( ¼ + Σ_u p_u(y) (1 - p_u(y)) ) )
/// ```
/// n_y answers are y, and Σ is over the answered items. If the probabilities are right, each term is about 1. The ¼ keeps a model that is
/// sure of everything from being contradicted by a single answer.
pub(super) fn contradiction(design: &Design, tally: &Tally) -> f64 {
    let k = design.k;
    let of_class = |y: usize| {
        let (mut apart, mut variance) = (0.0, 0.25);
        for (row, counts) in tally.iter() {
            let (items, p) = (counts.iter().sum::<f64>(), design.log_p(row)[y].exp());
            apart += counts[y] - items * p;
            variance += items * p * (1.0 - p);
        }
        apart * apart / variance
    };
    ((0..k).map(of_class).sum::<f64>() / k.max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::objective::AnsweredRow;
    use super::*;

    fn of_row(p: f64, first: f64, second: f64) -> f64 {
        let row = AnsweredRow { votes: Vec::new(), log_p: vec![p.ln(), (1.0 - p).ln()] };
        contradiction(&Design::new(&[row], 2, 1.0), &Tally::new(2, &[first, second]))
    }

    /// By hand: 24 of 36 expected, 18 found, a variance of 8.25; both classes say the same.
    #[test]
    fn standard_errors() {
        let found = of_row(2.0 / 3.0, 18.0, 18.0);
        assert!((found - 6.0 / 8.25f64.sqrt()).abs() < 1e-12, "{found}");
        assert!(of_row(0.25, 6.0, 18.0) < 1e-12);
        assert!(of_row(0.25, 0.0, 0.0) < 1e-12);
        // One answer against a model that is sure.
        assert!(of_row(1.0 - 1e-9, 0.0, 1.0) < 2.01);
    }
}
