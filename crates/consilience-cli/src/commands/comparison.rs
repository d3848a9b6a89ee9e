//! What other models make of the same votes, in one line.

use consilience::labels::Labels;
use consilience::pipeline::{Compared, Other, compare};
use consilience::sources::Vote;
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
    let others: &[Other] = match request {
        Request::DawidSkene(_) => &[Other::Independent, Other::Majority],
        Request::Independent(_) => &[Other::DawidSkene, Other::Majority],
        _ => &[Other::Independent, Other::DawidSkene, Other::Majority],
    };
    let compared = compare(votes, chosen, others, models.independent.as_ref(), gold)?;
    let told: Vec<String> = compared.iter().map(told).collect();
    let own = gold.and_then(|gold| chosen.share_right(gold));
    let own = own.map_or(String::new(), |own| format!("right on {:.2}%; ", 100.0 * own));
    Ok(format!("{own}labels that other models would change: {}", told.join("; ")))
}

fn told(compared: &Compared) -> String {
    let name = match compared.other {
        Other::Independent => "--independent",
        Other::DawidSkene => "--dawid-skene",
        _ => "--majority",
    };
    let right = compared.right.map_or(String::new(), |right| format!(" (right on {:.2}%)", 100.0 * right));
    format!("{name} {}{right}", thousands(compared.differ as u64))
}
