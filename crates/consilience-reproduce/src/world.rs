//! Worlds with a known structure, and tables of votes drawn from them.

use consilience::model::{CellLimit, Links, Planted, simulate};
use consilience::sources::Classes;
use consilience::structure::LinkType;
use consilience::votes::Votes;

use crate::error::ReproduceError;

/// The paper's weight of every accuracy is 1, that of every link is this.
pub(crate) const STRENGTH: f64 = 0.25;

/// The constant of Eq. (9) of the paper.
const ROWS: f64 = 750.0;

/// A kind of model to draw votes from.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) sources: usize,
    pub(crate) classes: usize,
    pub(crate) links: Links,
    pub(crate) link_type: LinkType,
}

/// Votes and the pairs of sources that truly depend on each other, ascending.
pub(crate) struct Drawn {
    pub(crate) votes: Votes,
    pub(crate) truth: Vec<(usize, usize)>,
}

impl World {
    /// The paper's: two classes, correlations.
    pub(crate) fn new(sources: usize, links: Links) -> Self {
        Self { sources, classes: 2, links, link_type: LinkType::Correlation }
    }

    /// d*: the most dependencies of one source, its accuracy counted.
    pub(crate) fn degree(&self) -> usize {
        match self.links {
            Links::None => 1,
            Links::Cliques { size, .. } => size,
            // Of random links only the expected number is known before they are drawn.
            Links::Density(share) => 1 + (share * (self.sources - 1) as f64).round() as usize,
            Links::Pairs(_) => 2,
        }
    }

    /// The number of items of Eq. (9).
    ///
    /// # Formula
    /// ```text
    /// m = 750 · γ · d* · ln n
    /// ```
    pub(crate) fn items(&self, gamma: f64) -> usize {
        (ROWS * gamma * self.degree() as f64 * (self.sources as f64).ln()).round() as usize
    }

    /// What is linked, in words.
    pub(crate) fn links_named(&self) -> String {
        match self.links {
            Links::None => "none".to_string(),
            Links::Pairs(count) => format!("{count} pairs"),
            Links::Density(share) => format!("{}% of the pairs", 100.0 * share),
            Links::Cliques { size, .. } => format!("a clique of {size}"),
        }
    }

    /// `items` items; the same seed gives the same structure and votes.
    pub(crate) fn draw(&self, items: usize, seed: u64) -> Result<Drawn, ReproduceError> {
        let failed =
            |problem: &dyn std::fmt::Display| ReproduceError::experiment(&self.links_named(), problem);
        let planted = Planted {
            classes: Classes::numbered(self.classes).map_err(|problem| failed(&problem))?,
            links: self.links,
            link_type: self.link_type.name().to_string(),
            strength: STRENGTH,
            seed,
            ..Planted::new(self.sources).map_err(|problem| failed(&problem))?
        };
        let model = planted.model().map_err(|problem| failed(&problem))?;
        let drawn = simulate(&model, items, seed, CellLimit::default(), |_| {});
        let mut truth = planted.pairs();
        truth.sort_unstable();
        Ok(Drawn { votes: drawn.map_err(|problem| failed(&problem))?.votes, truth })
    }
}

/// A seed for one piece of work, far from those of all others: `base` and `parts` stirred together.
pub(crate) fn seed_of(base: u64, parts: &[u64]) -> u64 {
    // The finaliser of splitmix64 after each part.
    parts.iter().fold(base, |seed, &part| {
        let mut x =
            seed.wrapping_add(part.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(0x9E37_79B9_7F4A_7C15);
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 31
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_equation_nine() {
        let world = World::new(25, Links::Pairs(2));
        assert_eq!((world.degree(), world.items(1.0)), (2, 4828));
        let clique = World::new(25, Links::Cliques { size: 5, count: 1 });
        assert_eq!((clique.degree(), clique.items(0.5)), (5, 6035));
    }

    #[test]
    fn seeds_differ_in_every_part() {
        let seeds = [
            seed_of(0, &[0, 0]),
            seed_of(0, &[0, 1]),
            seed_of(0, &[1, 0]),
            seed_of(1, &[0, 0]),
            seed_of(0, &[0]),
        ];
        for (i, seed) in seeds.iter().enumerate() {
            assert!(!seeds[..i].contains(seed));
        }
    }

    #[test]
    fn the_same_seed_draws_the_same_votes() {
        let world = World::new(8, Links::Density(0.3));
        let [a, b, c] = [1, 1, 2].map(|seed| world.draw(50, seed).unwrap());
        assert!(a.truth == b.truth && a.votes == b.votes);
        assert!(a.truth != c.truth || a.votes != c.votes);
    }
}
