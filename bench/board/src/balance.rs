//! How much knowing the class shares helps: labels with the true shares, compared with labels without.

use std::fmt::Write as _;

use consilience::model::{ClassBalance, Dependence, FitOptions, fit};
use consilience_reproduce::set::Set;

use crate::answers::{Labelled, Pair, Ready};

/// Score and log loss of each set without shares and with the true ones.
pub(crate) fn table(sets: &[Set]) -> anyhow::Result<String> {
    let mut text = "F1 tables are decided by expected F1.\n\n\
        | set | share of the most frequent class | even (default) | estimated | true shares |\n|---|---|---|---|---|\n"
        .to_string();
    let mut sums = [(0.0, 0.0); 3];
    for set in sets {
        let ready = Ready::new(set)?;
        let shares = ready.shares();
        let with = |balance: ClassBalance| -> anyhow::Result<Pair> {
            let options = FitOptions::default().with_class_balance(balance);
            ready.before(&Labelled::new(fit(&set.votes, Dependence::Repeats, &options)?, &set.votes)?)
        };
        let largest = shares.iter().copied().fold(0.0, f64::max);
        let pairs =
            [ready.before(&ready.plain)?, with(ClassBalance::Estimated)?, with(ClassBalance::Given(shares))?];
        let shown = pairs.map(|(score, loss)| format!("{score:.1} / {loss:.3}"));
        let _ = writeln!(text, "| {} | {largest:.2} | {} |", set.name, shown.join(" | "));
        for (sum, pair) in sums.iter_mut().zip(pairs) {
            *sum = (sum.0 + pair.0, sum.1 + pair.1);
        }
    }
    let count = sets.len().max(1) as f64;
    let shown = sums.map(|(score, loss)| format!("{:.1} / {:.3}", score / count, loss / count));
    let _ = writeln!(text, "| **average** | | {} |", shown.join(" | "));
    Ok(text)
}
