//! The conditional of each source's vote as a product of tables, so that sampling takes no exponentials.
//!
//! # Formula
//! ```text
//! p(λ_j = v | the others, y) ∝ Π_d exp( θ_d φ_d )   over the factors d of source j
//! ```

use super::Model;
use crate::dependency::{Compiled, CompiledFactor};
use crate::num::pick;
use crate::rng::{Stream, unit};

/// Products of exponentials stay within this power of e, up and down: far within double precision.
const MOST_ENERGY: f64 = 300.0;

/// Numbers that all tables may hold together: 32 MB.
const MOST_NUMBERS: usize = 1 << 22;

/// The factors of one source.
#[derive(Clone, Debug)]
struct Conditional {
    /// How many values its vote has.
    values: usize,
    /// For each class and value, the product of the factors that read no other source.
    alone: Vec<f64>,
    /// The factors that read others.
    joint: Vec<Joint>,
}

/// A factor over several sources as one of them sees it.
#[derive(Clone, Debug)]
struct Joint {
    /// The other sources, and the distance between neighbouring values of each.
    others: Vec<(usize, usize)>,
    /// The distance between neighbouring classes; 0 if the class does not matter.
    class_stride: usize,
    /// exp(θ φ), the source's own values fastest.
    table: Vec<f64>,
}

/// The conditionals of all sources.
#[derive(Clone, Debug)]
pub(super) struct Conditionals {
    sources: Vec<Conditional>,
}

impl Conditionals {
    /// Nothing where products would leave the range of numbers, or tables that of memory.
    pub(super) fn new(model: &Model, compiled: &Compiled) -> Option<Self> {
        let factors = compiled.factors();
        let numbers = |factor: &CompiledFactor| factor.energy.len() * factor.scope.len();
        if factors.iter().map(numbers).sum::<usize>() > MOST_NUMBERS {
            return None;
        }
        let of_source = |(j, values): (usize, usize)| {
            let of_j = || model.factors.of_source(j).iter().map(|&d| &factors[d as usize]);
            let largest =
                |factor: &CompiledFactor| factor.energy.iter().fold(0.0, |a: f64, e| a.max(e.abs()));
            let moderate = of_j().map(largest).sum::<f64>() <= MOST_ENERGY;
            moderate.then(|| Conditional::new(j, (values, model.classes.len()), of_j))
        };
        let sources = model.domains.iter().map(crate::sources::Domain::len).enumerate().map(of_source);
        Some(Self { sources: sources.collect::<Option<_>>()? })
    }

    /// Draws every vote of an item of class `class`, counted from 0, again once; `places` are those of the votes in their domains.
    pub(super) fn sweep(&self, class: usize, places: &mut [u16], weights: &mut Vec<f64>, rng: &mut Stream) {
        for (j, source) in self.sources.iter().enumerate() {
            let values = source.values;
            weights.clear();
            weights.extend_from_slice(&source.alone[class * values..(class + 1) * values]);
            for joint in &source.joint {
                let mut place = class * joint.class_stride;
                for &(l, stride) in &joint.others {
                    place += stride * usize::from(places[l]);
                }
                for (weight, factor) in weights.iter_mut().zip(&joint.table[place..place + values]) {
                    *weight *= factor;
                }
            }
            places[j] = pick(weights, unit(rng)) as u16;
        }
    }
}

impl Conditional {
    fn new<'a, I: Iterator<Item = &'a CompiledFactor>>(
        j: usize,
        (values, classes): (usize, usize),
        factors: impl Fn() -> I,
    ) -> Self {
        let mut alone = vec![0.0; classes * values];
        for factor in factors().filter(|factor| factor.scope.len() == 1) {
            for (class, energies) in alone.chunks_exact_mut(values).enumerate() {
                for (v, energy) in energies.iter_mut().enumerate() {
                    *energy += factor.energy[class * factor.class_stride + v * factor.strides[0]];
                }
            }
        }
        let joint = factors().filter(|factor| factor.scope.len() > 1);
        Self {
            values,
            alone: alone.into_iter().map(f64::exp).collect(),
            joint: joint.map(|factor| Joint::new(factor, j, values)).collect(),
        }
    }
}

impl Joint {
    /// The table of `factor` with the values of source `j` moved to the front.
    fn new(factor: &CompiledFactor, j: usize, values: usize) -> Self {
        let own = factor.scope.iter().zip(&factor.strides).find(|(l, _)| **l == j).map_or(1, |(_, &own)| own);
        // Strides above the own one stay; those below grow by the number of its values.
        let moved = |stride: usize| if stride < own { stride * values } else { stride };
        let others = factor.scope.iter().zip(&factor.strides).filter(|(l, _)| **l != j);
        let mut table = Vec::with_capacity(factor.energy.len());
        for block in factor.energy.chunks_exact(own * values) {
            for below in 0..own {
                table.extend((0..values).map(|v| block[v * own + below].exp()));
            }
        }
        Self {
            others: others.map(|(&l, &stride)| (l, moved(stride))).collect(),
            class_stride: factor.class_stride,
            table,
        }
    }
}
