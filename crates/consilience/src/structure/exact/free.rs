//! The scores of a row where no link reads the class: the sum over y has a closed form.
//!
//! # Formula
//! ```text
//! p(v) ∝ exp(r_v + links(v)) · m(v),   m(v) = e^-a + (e^a - e^-a) q(v)
//! ```
//! One exponential a value is enough.

use super::block::BlockScores;
use super::feature::Feature;
use super::kernel::{Kernel, Work, ZERO, place, same};
use crate::optim::{Lane, add, exp, larger, ln, map, map2, map3};

impl Kernel<'_> {
    /// A group that votes for `SLOTS` classes, few enough for registers.
    #[inline(always)]
    pub(super) fn free_of_class<const SLOTS: usize>(
        &self,
        at: usize,
        silence: Lane,
        work: &mut Work,
        scores: &mut BlockScores,
    ) {
        let mut weights = [ZERO; SLOTS];
        self.score_row(at, silence, work, &mut weights, scores);
    }

    /// A group that votes for any number of classes.
    #[inline(always)]
    pub(super) fn free_of_many_classes(
        &self,
        at: usize,
        silence: Lane,
        work: &mut Work,
        scores: &mut BlockScores,
    ) {
        let mut weights = std::mem::take(&mut work.weights);
        self.score_row(at, silence, work, &mut weights, scores);
        work.weights = weights;
    }

    /// `weights` is room for exp(energy) of each slot.
    #[inline(always)]
    fn score_row(
        &self,
        at: usize,
        silence: Lane,
        work: &mut Work,
        weights: &mut [Lane],
        scores: &mut BlockScores,
    ) {
        let layout = self.layout();
        let observed = scores.observed[at];
        let class_of = |slot: usize| usize::from(self.group.classes[slot]) - 1;
        let mut top = silence;
        for (slot, weight) in weights.iter_mut().enumerate() {
            let matched = work.matched[class_of(slot)];
            *weight = map3(self.parameters.rates[slot], matched, self.forbidden[slot], |r, m, f| r + m + f);
            top = map2(top, *weight, larger);
        }
        let silent = exp(map2(silence, top, |s, top| s - top));
        let mut total = silent;
        let mut all_weights = ZERO;
        // Of the accuracy: Σ_v p(v) d log m(v) / da, and the same at the vote cast; 1 / m(v) at the vote cast.
        let (mut expected, mut at_vote, mut inverse_mixed) = (ZERO, ZERO, self.up);
        for (slot, weight) in weights.iter_mut().enumerate() {
            let prior = work.prior[class_of(slot)];
            let energy = exp(map2(*weight, top, |energy, top| energy - top));
            *weight = map2(energy, self.inside[slot], |weight, inside| weight * inside);
            add(&mut all_weights, weight);
            let mixed = map3(self.up, self.down, prior, |up, down, q| down + (up - down) * q);
            let slope = map3(self.up, self.down, prior, |up, down, q| (up + down) * q - down);
            total = map3(total, *weight, mixed, |total, weight, mixed| total + weight * mixed);
            expected = map3(expected, *weight, slope, |sum, weight, slope| sum + weight * slope);
            let inverse = map(mixed, |mixed| 1.0 / mixed);
            let relative = map2(slope, inverse, |slope, inverse| slope * inverse);
            let here = |seen: f32| same(seen, place(slot));
            at_vote =
                map3(observed, relative, at_vote, |seen, now, before| if here(seen) { now } else { before });
            inverse_mixed = map3(
                observed,
                inverse,
                inverse_mixed,
                |seen, now, before| if here(seen) { now } else { before },
            );
        }
        let inverse = map(total, |total| 1.0 / total);
        let silent = map2(silent, inverse, |silent, inverse| silent * inverse);
        let silent_score = map2(observed, silent, |seen, p| if same(seen, 0.0) { 1.0 - p } else { -p });
        let mut cast = silent;
        for (slot, weight) in weights.iter().enumerate() {
            let prior = work.prior[class_of(slot)];
            let mixed = map3(self.up, self.down, prior, |up, down, q| down + (up - down) * q);
            let p = map3(*weight, mixed, inverse, |weight, mixed, inverse| weight * mixed * inverse);
            let here = |seen: f32| same(seen, place(slot));
            cast = map3(observed, p, cast, |seen, p, cast| if here(seen) { p } else { cast });
            scores.set_further(slot, at, map2(observed, p, |seen, p| if here(seen) { 1.0 - p } else { -p }));
        }
        let accuracy =
            map3(at_vote, expected, inverse, |at_vote, expected, inverse| at_vote - expected * inverse);
        scores.set_further(layout.accuracy() - layout.links(), at, accuracy);
        scores.log_likelihood[at] = ln(map(cast, |cast| larger(cast, f32::MIN_POSITIVE)));

        // p(y | all) - p(y | others). A silent lane has 1 / m = e^a, so that its factor is 1 for every class.
        let wrong = map3(all_weights, self.down, inverse, |sum, down, inverse| sum * down * inverse);
        let wrong = map2(wrong, silent, |wrong, silent| wrong + silent);
        let gap = map3(self.up, self.down, inverse, |up, down, inverse| (up - down) * inverse);
        let base = map2(self.down, inverse_mixed, |down, inverse| down * inverse);
        let cast_right = map2(self.up, inverse_mixed, |up, inverse| up * inverse);
        for class in 0..layout.classes {
            let prior = work.prior[class];
            let own = self.slot[class];
            let right =
                own.map_or(wrong, |slot| map3(wrong, gap, weights[slot], |w, gap, weight| w + gap * weight));
            let own = self.written[class];
            let given = map3(
                observed,
                cast_right,
                base,
                |seen, right, base| if same(seen, own) { right } else { base },
            );
            let residual = map3(prior, given, right, |q, given, expected| q * (given - expected));
            scores.set_further(layout.rates + class, at, residual);
        }
        self.link_scores(at, silent_score, scores);
    }

    #[inline(always)]
    fn link_scores(&self, at: usize, silent_score: Lane, scores: &mut BlockScores) {
        for (t, feature) in self.features.iter().enumerate() {
            let base = if *feature == Feature::Correlation { silent_score } else { ZERO };
            scores.set_abstained(t, at, base);
            for class in 0..self.rows.classes {
                let score = match feature {
                    Feature::Exclusive => silent_score,
                    _ => self.slot[class].map_or(ZERO, |slot| scores.further_at(slot, at)),
                };
                scores.voted_row_mut(t, at)[class] = map2(score, base, |score, base| score - base);
            }
        }
    }
}
