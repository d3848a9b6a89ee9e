//! How far the answers are from the class shares that the model expects of the answered items.

use super::objective::AnsweredRow;

/// Standard errors between both, on average over the classes.
///
/// # Formula
/// ```text
/// sqrt( mean over classes y of ( n_y - Σ_u p_u(y) )² / ( ¼ + Σ_u p_u(y) (1 - p_u(y)) ) )
/// ```
/// n_y answers are y, and Σ is over the answered items. If the probabilities are right, each term is about 1. The ¼ keeps a model that is
/// sure of everything from being contradicted by a single answer.
pub(super) fn contradiction(rows: &[AnsweredRow]) -> f64 {
    let k = rows.first().map_or(0, |row| row.counts.len());
    let of_class = |y: usize| {
        let (mut apart, mut variance) = (0.0, 0.25);
        for row in rows {
            let (items, p) = (row.counts.iter().sum::<f64>(), row.log_p[y].exp());
            apart += row.counts[y] - items * p;
            variance += items * p * (1.0 - p);
        }
        apart * apart / variance
    };
    ((0..k).map(of_class).sum::<f64>() / k.max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(p: f64, first: f64, second: f64) -> Vec<AnsweredRow> {
        vec![AnsweredRow {
            votes: Vec::new(),
            log_p: vec![p.ln(), (1.0 - p).ln()],
            counts: vec![first, second],
        }]
    }

    /// By hand: 24 of 36 expected, 18 found, a variance of 8.25; both classes say the same.
    #[test]
    fn standard_errors() {
        let found = contradiction(&rows(2.0 / 3.0, 18.0, 18.0));
        assert!((found - 6.0 / 8.25f64.sqrt()).abs() < 1e-12, "{found}");
        assert!(contradiction(&rows(0.25, 6.0, 18.0)) < 1e-12);
        assert!(contradiction(&[]) < 1e-12);
        // One answer against a model that is sure.
        assert!(contradiction(&rows(1.0 - 1e-9, 0.0, 1.0)) < 2.01);
    }
}
