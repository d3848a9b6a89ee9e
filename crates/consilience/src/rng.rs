//! Seeded random streams.
//!
//! Work that is split over threads draws from one stream per piece of work, not per thread, so that a seed gives the
//! same numbers for any number of threads.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// A generator of one stream.
pub type Stream = ChaCha8Rng;

/// All streams of one seed.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    seed: u64,
}

impl Streams {
    /// The streams of `seed`.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// Stream `number`; different numbers give independent streams.
    pub fn stream(&self, number: u64) -> Stream {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        rng
    }
}

/// A number uniform in `[0, 1)`.
pub fn unit(rng: &mut Stream) -> f64 {
    rng.random::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_and_repeat() {
        let a = Streams::new(7);
        assert_eq!(unit(&mut a.stream(1)).to_bits(), unit(&mut a.stream(1)).to_bits());
        assert_ne!(unit(&mut a.stream(1)).to_bits(), unit(&mut a.stream(2)).to_bits());
        assert_ne!(unit(&mut a.stream(1)).to_bits(), unit(&mut Streams::new(8).stream(1)).to_bits());
    }
}
