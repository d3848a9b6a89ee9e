//! Votes drawn from a model, with the true class of every item.

use super::Model;
use super::elimination::Elimination;
use super::gibbs::{Gibbs, SamplingOptions, TooLarge};
use super::plan::CellLimit;
use crate::num::pick;
use crate::parallel;
use crate::rng::{Stream, Streams, unit};
use crate::sources::Vote;
use crate::votes::{Votes, VotesBuilder, VotesError};

/// Why simulation is impossible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulateError {
    /// The votes do not form a table.
    #[error(transparent)]
    Votes(#[from] VotesError),
    /// The model is too large to draw from.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// How the items were drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// Independently and exactly.
    Exact,
    /// Independent chains, one per item, after this many sweeps.
    Gibbs {
        /// Sweeps from independent sources to the draw.
        burn_in: usize,
    },
}

/// Simulated votes and their true classes.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The votes.
    pub votes: Votes,
    /// The true class of each item, 1..=k.
    pub labels: Vec<Vote>,
    /// How they were drawn.
    pub drawing: Drawing,
}

/// The number of sweeps, starting from independent sources, until a chain's item counts as drawn from the model.
///
/// `tests/simulate.rs` compares this with exact marginals: chains forget couplings of the paper's strength within five
/// sweeps, and couplings four times as strong within twenty.
pub const BURN_IN: usize = 50;

/// Items of one random stream.
const CHUNK: usize = 256;

/// Votes that are drawn before their items are added to the table, so that memory stays bounded.
const VOTES_AT_ONCE: usize = 1 << 24;

/// Draws `items` items from `model`: exactly if elimination fits into `limit`, otherwise by Gibbs sampling.
///
/// The same model, seed and number of items give the same votes for any number of threads. `progress` is called with the
/// number of items drawn so far.
///
/// ```
/// use consilience::model::{CellLimit, Planted, simulate};
///
/// let model = Planted::new(5)?.model()?;
/// let simulated = simulate(&model, 1_000, 42, CellLimit::default(), |_| {})?;
/// assert_eq!(simulated.votes.items(), 1_000);
/// assert_eq!(simulated.labels.len(), 1_000); // the true classes
/// let again = simulate(&model, 1_000, 42, CellLimit::default(), |_| {})?;
/// assert_eq!(again.votes, simulated.votes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn simulate(
    model: &Model,
    items: usize,
    seed: u64,
    limit: CellLimit,
    progress: impl Fn(usize),
) -> Result<Simulated, SimulateError> {
    if let Ok(elimination) = Elimination::new(model, limit) {
        let sampler = elimination.sampler();
        let draw = |rng: &mut Stream, votes: &mut [Vote]| sampler.draw(rng, votes);
        return collect(model, items, seed, Drawing::Exact, draw, progress);
    }
    let gibbs = Gibbs::new(model)?;
    let classes = model.class_balance_in_closed_form().unwrap_or_else(|| {
        // Another seed: the chains of the balance and those of the items must not be the same.
        let options = SamplingOptions { seed: !seed, ..SamplingOptions::default() };
        gibbs.marginals(&options).classes.iter().map(|class| class.value).collect()
    });
    let draw = |rng: &mut Stream, votes: &mut [Vote]| {
        let class = pick(&classes, unit(rng)) as Vote + 1;
        gibbs.draw(class, BURN_IN, rng, votes);
        class
    };
    collect(model, items, seed, Drawing::Gibbs { burn_in: BURN_IN }, draw, progress)
}

fn collect(
    model: &Model,
    items: usize,
    seed: u64,
    drawing: Drawing,
    draw: impl Fn(&mut Stream, &mut [Vote]) -> Vote + Sync,
    progress: impl Fn(usize),
) -> Result<Simulated, SimulateError> {
    let streams = Streams::new(seed);
    let n = model.sources().len();
    let draw_chunk = |chunk: usize| {
        let mut rng = streams.stream(chunk as u64);
        let size = CHUNK.min(items - chunk * CHUNK);
        let mut votes = vec![0; size * n];
        let labels: Vec<Vote> = (0..size).map(|i| draw(&mut rng, &mut votes[i * n..(i + 1) * n])).collect();
        (votes, labels)
    };
    let mut builder = VotesBuilder::new(model.sources().clone());
    let mut labels = Vec::with_capacity(items);
    let chunks = items.div_ceil(CHUNK);
    let at_once = (VOTES_AT_ONCE / (CHUNK * n)).clamp(1, 64);
    for start in (0..chunks).step_by(at_once) {
        let end = (start + at_once).min(chunks);
        let drawn = parallel::map(start..end, draw_chunk);
        for (votes, chunk_labels) in drawn {
            for row in votes.chunks_exact(n) {
                builder.push_dense(row)?;
            }
            labels.extend(chunk_labels);
        }
        progress(labels.len());
    }
    Ok(Simulated { votes: builder.finish_as(model.classes().clone())?, labels, drawing })
}
