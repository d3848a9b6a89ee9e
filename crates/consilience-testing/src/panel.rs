//! A panel of two classes in which some sources repeat others.

use consilience::rng::Streams;
use consilience::sources::{Classes, Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};
use rand::RngExt as _;

/// Sources that are right in 60 to 90 of a hundred votes and vote on a share of `coverage` of the items; every tenth repeats the one
/// before it in half of its votes.
///
/// # Panics
/// If there are no sources or no items.
pub fn repeating_panel(sources: usize, items: usize, coverage: f64) -> Votes {
    let mut rng = Streams::new(1).stream(0);
    let mut builder = VotesBuilder::new(Sources::numbered(sources).expect("names differ"));
    let right: Vec<f64> = (0..sources).map(|_| 0.6 + 0.3 * rng.random::<f64>()).collect();
    let mut row: Vec<Vote> = vec![0; sources];
    for _ in 0..items {
        let y = rng.random_range(1..=2);
        for j in 0..sources {
            let votes = rng.random::<f64>() < coverage;
            let own = if rng.random::<f64>() < right[j] { y } else { 3 - y };
            let repeats = j % 10 == 9 && rng.random::<f64>() < 0.5;
            row[j] = if repeats { row[j - 1] } else { own * Vote::from(votes) };
        }
        builder.push_dense(&row).expect("one vote per source");
    }
    builder.finish_as(Classes::numbered(2).expect("two classes")).expect("some items")
}
