//! Votes against what most of a row's sources say, for links that pay for saying the same.
//!
//! Such a link asks only whether two sources say the same, and abstaining is as good a thing to say as a class. So in each row
//! the abstain and what most sources say there may change names: the sums then go over the few that say something else.
//!
//! # Formula
//! ```text
//! r = what most sources say;   Σ_l w_l 1{λ_l = r} = Σ_l w_l - Σ_(v ≠ r) Σ_l w_l 1{λ_l = v}
//! ```

use super::lists::{FOURS, Lists, Shape};
use crate::optim::{Lane, map2};

/// Votes are kept a second time where at most this share of them is left.
const WORTH_WHILE: f64 = 0.75;

/// The rows with the abstain and what most sources say in each of them exchanged.
#[derive(Clone, Debug)]
pub(crate) struct Contrast {
    /// For each row, what most sources say: 0 if they abstain, else the class counted from 1.
    reference: Vec<u16>,
    /// The sources that say something else; those that abstain stand where those of the reference would.
    pub(crate) lists: Lists,
}

impl Contrast {
    /// Nothing where hardly a vote would be saved.
    pub(crate) fn new(shape: Shape, votes: &Lists) -> Option<Self> {
        let size = |u: usize, class: usize| votes.class_place(u, class).1;
        let cast = |u: usize| (0..shape.classes).map(|class| size(u, class)).sum::<usize>();
        let largest = |u: usize| {
            let mut largest = (shape.sources - cast(u), 0);
            for class in 0..shape.classes {
                if size(u, class) > largest.0 {
                    largest = (size(u, class), class + 1);
                }
            }
            largest
        };
        let (mut all, mut left) = (0, 0);
        let mut reference = Vec::with_capacity(shape.rows);
        for u in 0..shape.rows {
            let (most, what) = largest(u);
            reference.push(what as u16);
            all += cast(u);
            left += shape.sources - most;
        }
        if left as f64 > WORTH_WHILE * all as f64 {
            return None;
        }
        let length = |u: usize| {
            let in_place = |class: usize| {
                let turned = class + 1 == usize::from(reference[u]);
                if turned { shape.sources - cast(u) } else { size(u, class) }
            };
            (0..shape.classes).map(|class| in_place(class).next_multiple_of(FOURS)).sum()
        };
        let lists = Lists::new(shape, (0..shape.rows).map(length), |u, by_class| {
            for (class, sources) in by_class.iter_mut().enumerate() {
                if class + 1 == usize::from(reference[u]) {
                    sources.extend(abstaining(shape, votes, u));
                } else {
                    sources.extend_from_slice(votes.of_class(u, class));
                }
            }
        });
        Some(Self { reference, lists })
    }

    /// Puts the sums of row `u`, of the abstain and of each class, into their places.
    #[inline(always)]
    pub(crate) fn turn_sums(&self, u: usize, sums: &mut [Lane]) {
        sums.swap(0, usize::from(self.reference[u]));
    }

    /// From scores of each class against the abstain in row `u` to scores against the reference: of the abstain in its place.
    #[inline(always)]
    pub(crate) fn turn_scores(&self, u: usize, abstained: &mut Lane, voted: &mut [Lane]) {
        let Some(reference) = usize::from(self.reference[u]).checked_sub(1) else { return };
        let gap = voted[reference];
        *abstained = map2(*abstained, gap, |abstained, gap| abstained + gap);
        for score in &mut *voted {
            *score = map2(*score, gap, |score, gap| score - gap);
        }
        voted[reference] = map2(Lane::ZERO, gap, |zero, gap| zero - gap);
    }
}

/// The sources that abstain in row `u`, ascending.
fn abstaining(shape: Shape, votes: &Lists, u: usize) -> impl Iterator<Item = u16> {
    let mut voted = vec![false; shape.sources];
    for class in 0..shape.classes {
        votes.of_class(u, class).iter().for_each(|&l| voted[usize::from(l)] = true);
    }
    (0u16..).zip(voted).filter_map(|(l, voted)| (!voted).then_some(l))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use crate::sources::{Classes, Sources};
    use crate::structure::exact::kernels::kernel::{Kernel, Parameters};
    use crate::structure::exact::kernels::pass::gradient;
    use crate::structure::exact::table::batch::Batch;
    use crate::structure::exact::table::context::Context;
    use crate::structure::exact::table::feature::Feature;
    use crate::structure::exact::table::rows::Rows;
    use crate::structure::exact::table::span::Span;
    use crate::votes::{Votes, VotesBuilder};
    use rand::RngExt as _;

    const SOURCES: usize = 37;

    /// Three classes; of some rows most sources abstain, of others most vote for one class; repeated rows included.
    fn votes(abstain: f64) -> Votes {
        let mut rng = Streams::new(9).stream(0);
        let mut builder = VotesBuilder::new(Sources::numbered(SOURCES).unwrap());
        for i in 0..700u16 {
            let mut row: Vec<u16> = (0..SOURCES)
                .map(|_| match rng.random::<f64>() {
                    u if u < abstain => 0,
                    u if u < 0.9 => 1 + i % 3,
                    _ => rng.random_range(1..4),
                })
                .collect();
            if i % 7 == 0 {
                row[2..].fill(i % 2);
            }
            builder.push_dense(&row).unwrap();
        }
        builder.finish_as(Classes::numbered(3).unwrap()).unwrap()
    }

    #[test]
    fn sums_against_what_most_say_are_those_of_all_votes() {
        let votes = votes(0.2);
        let (plain, turned) = (Rows::new(&votes), Rows::new(&votes).with_contrast());
        assert!(turned.contrast().unwrap().reference.contains(&0));
        let mut rng = Streams::new(10).stream(0);
        let mut lane = || Lane(std::array::from_fn(|_| rng.random_range(-0.4..0.4)));
        let parameters = Parameters {
            links: (0..SOURCES).map(|_| lane()).chain([Lane::ZERO]).collect(),
            rates: (0..3).map(|_| lane()).collect(),
            class_terms: (0..3).map(|_| lane()).collect(),
            accuracy: lane(),
        };
        let of = |rows: &Rows| {
            let context = Context::new(rows, &[0.4; SOURCES], &[0.1, 0.0, -0.1]);
            let batches = Batch::all(rows, &votes);
            let kernel = Kernel::new(rows, &batches[1], &context, &[Feature::Correlation], &parameters);
            gradient(&kernel, &Span::all(rows))
        };
        let (a, b) = (of(&plain), of(&turned));
        assert!(a.by_parameter.iter().flatten().any(|slope| slope.abs() > 10.0));
        let pairs = a.by_parameter.iter().flatten().zip(b.by_parameter.iter().flatten());
        for (a, b) in pairs.chain(a.log_likelihood.iter().zip(&b.log_likelihood)) {
            assert!((a - b).abs() < 2e-6 * 700.0, "{a} {b}");
        }
    }

    #[test]
    fn nothing_is_kept_twice_where_most_abstain() {
        assert!(Rows::new(&votes(0.8)).with_contrast().contrast().is_none());
        assert!(Rows::new(&votes(0.0)).with_contrast().contrast().is_some());
    }
}
