//! About how long the fit of all links will take, from counts alone, so that nobody waits without knowing.

use super::table::numbering::Numbering;
use super::table::rows::Rows;
use crate::watch;

/// Passes of a batch of problems until it is solved.
const PASSES: f64 = 16.0;

/// Nanoseconds of a vote and of a row in one pass of sixteen problems; measured by `--bench exact` from 13 to 400 sources.
const OF_VOTE: f64 = 3.0;
const OF_ROW: f64 = 40.0;

/// Nanoseconds of a row for each cell of the information matrices of sixteen problems.
const OF_CELL: f64 = 0.25;

/// Shorter waits are not worth a word, in seconds.
const PATIENCE: f64 = 5.0;

/// Seconds, if all threads have work to do.
fn seconds(rows: usize, votes: usize, layouts: &[Numbering], threads: usize) -> f64 {
    let of_pass = OF_VOTE * votes as f64 + OF_ROW * rows as f64;
    let cells = |layout: &Numbering| (layout.len() as f64).powi(2) / 2.0;
    let of_batch = |layout: &Numbering| PASSES * of_pass + OF_CELL * rows as f64 * cells(layout);
    layouts.iter().map(of_batch).sum::<f64>() * 1e-9 / threads as f64
}

/// Reports the expected time if it is long.
pub(super) fn tell(rows: &Rows, layouts: &[Numbering]) {
    let votes = (0..rows.len()).map(|u| rows.votes(u)).sum();
    let seconds = seconds(rows.len(), votes, layouts, rayon::current_num_threads());
    if seconds > PATIENCE {
        watch::tell(&format!(
            "{} sources in {} distinct rows: learning takes about {}",
            rows.active.len(),
            rows.len(),
            in_words(seconds)
        ));
    }
}

/// One digit is all that an estimate has.
fn in_words(seconds: f64) -> String {
    let (number, unit) = match seconds {
        ..100.0 => (seconds, "seconds"),
        ..6000.0 => (seconds / 60.0, "minutes"),
        _ => (seconds / 3600.0, "hours"),
    };
    let digit = 10f64.powf(number.log10().floor());
    format!("{} {unit}", (number / digit).round() * digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layouts(sources: usize) -> Vec<Numbering> {
        vec![Numbering { sources, features: 1, rates: 2, classes: 2 }; sources.div_ceil(16)]
    }

    /// docs/cost.md has the times: within a factor of three.
    #[test]
    fn estimates_are_near_what_was_measured() {
        for (sources, rows, measured) in
            [(50, 10_000, 0.058), (100, 10_000, 0.113), (400, 10_000, 2.57), (100, 80_000, 0.88)]
        {
            let votes = sources * rows * 2 / 3;
            let estimate = seconds(rows, votes, &layouts(sources), 2);
            assert!((measured / 3.0..measured * 3.0).contains(&estimate), "{sources} {rows}: {estimate}");
        }
    }

    #[test]
    fn estimates_are_said_in_round_numbers() {
        assert_eq!(in_words(8.4), "8 seconds");
        assert_eq!(in_words(37.0), "40 seconds");
        assert_eq!(in_words(250.0), "4 minutes");
        assert_eq!(in_words(20_000.0), "6 hours");
    }
}
