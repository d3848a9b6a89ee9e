//! The scores of a row if some link reads the class: the table over all (v, y).

use super::block::BlockScores;
use super::kernel::{Kernel, Work, ZERO, balance_likeliest, place, same};
use crate::optim::{Lane, add, add_times, exp, larger, map, map2, map3};
use crate::structure::exact::table::feature::Channel;

impl Kernel<'_> {
    #[inline(always)]
    pub(crate) fn reading_class<const SUMMED: bool>(
        &self,
        at: usize,
        silence: Lane,
        work: &mut Work,
        scores: &mut BlockScores<SUMMED>,
    ) {
        let layout = self.layout();
        let (slots, k) = (layout.rates, layout.classes);
        let observed = scores.observed[at];
        let (silent, inverse) = self.joint(silence, work);
        let silent_score = map2(observed, silent, |seen, p| if same(seen, 0.0) { 1.0 - p } else { -p });
        let mut cast = silent;
        let mut accuracy = ZERO;
        for class in 0..k {
            // Where the lane is silent, y keeps its prior.
            work.of_class[class] = map2(work.prior[class], silent_score, |q, score| q * score);
        }
        for slot in 0..slots {
            let mut marginal = ZERO;
            for cell in &mut work.joint[slot * k..(slot + 1) * k] {
                *cell = map2(*cell, inverse, |cell, inverse| cell * inverse);
                add(&mut marginal, cell);
            }
            let here = |seen: f32| same(seen, place(slot));
            cast = map3(observed, marginal, cast, |seen, p, cast| if here(seen) { p } else { cast });
            let residual = map2(observed, marginal, |seen, p| if here(seen) { 1.0 - p } else { -p });
            work.residuals[slot] = residual;
            scores.set_further(slot, at, residual);
            // From probabilities to residuals: the posterior of y at the vote cast, less the joint.
            let at_vote =
                map2(
                    observed,
                    marginal,
                    |seen, p| {
                        if here(seen) { 1.0 / larger(p, f32::MIN_POSITIVE) } else { 0.0 }
                    },
                );
            for class in 0..k {
                let cell = &mut work.joint[slot * k + class];
                *cell = map2(*cell, at_vote, |cell, at_vote| cell * at_vote - cell);
                let sign = if class + 1 == usize::from(self.batch.classes[slot]) { 1.0 } else { -1.0 };
                add_times(&mut accuracy, cell, sign);
                add(&mut work.of_class[class], cell);
            }
        }
        balance_likeliest(&work.prior, &mut work.of_class);
        for (class, &score) in work.of_class.iter().enumerate() {
            scores.set_further(slots + class, at, score);
        }
        scores.set_further(slots + k, at, accuracy);
        scores.set_cast(at, cast);
        self.class_reading_scores(at, silent_score, work, scores);
    }

    /// Fills in the weights of all (v, y), not yet divided by their sum; returns p(0) and the divisor's inverse.
    #[inline(always)]
    fn joint(&self, silence: Lane, work: &mut Work) -> (Lane, Lane) {
        let k = self.rows.classes;
        let mut other = ZERO;
        for right_other in &work.right_other {
            add(&mut other, right_other);
        }
        let accuracy = self.parameters.accuracy;
        let mut top = silence;
        for (slot, &class) in self.batch.classes.iter().enumerate() {
            let matched = work.matched[usize::from(class) - 1];
            let vote = map3(self.parameters.rates[slot], matched, self.forbidden[slot], |r, m, f| r + m + f);
            for y in 0..k {
                let link = if y + 1 == usize::from(class) {
                    let others = map2(other, work.right_other[y], |all, own| all - own);
                    map3(accuracy, work.right_match[y], others, |a, match_, others| a + match_ + others)
                } else {
                    map2(work.wrong[y], accuracy, |wrong, a| wrong - a)
                };
                let energy = map2(vote, link, |vote, link| vote + link);
                top = map2(top, energy, larger);
                work.joint[slot * k + y] = energy;
            }
        }
        let silent = exp(map2(silence, top, |s, top| s - top));
        let mut total = silent;
        for slot in 0..self.batch.classes.len() {
            for y in 0..k {
                let weight = exp(map2(work.joint[slot * k + y], top, |energy, top| energy - top));
                let inside = self.inside[slot];
                let cell = map3(weight, work.prior[y], inside, |weight, q, inside| weight * q * inside);
                work.joint[slot * k + y] = cell;
                add(&mut total, &cell);
            }
        }
        let inverse = map(total, |total| 1.0 / total);
        (map2(silent, inverse, |silent, inverse| silent * inverse), inverse)
    }

    #[inline(always)]
    fn class_reading_scores<const SUMMED: bool>(
        &self,
        at: usize,
        silent_score: Lane,
        work: &Work,
        scores: &mut BlockScores<SUMMED>,
    ) {
        let k = self.rows.classes;
        let joint = &work.joint;
        for (t, feature) in self.features.iter().enumerate() {
            let base = map(silent_score, |score| score * feature.silence_where_abstained());
            scores.set_abstained(t, at, base);
            for y in 0..k {
                let mut score = ZERO;
                match feature.channel() {
                    Some(Channel::Match) => {
                        if let Some(slot) = self.slot[y] {
                            score = work.residuals[slot];
                        }
                    }
                    Some(Channel::RightMatch) => {
                        if let Some(slot) = self.slot[y] {
                            score = joint[slot * k + y];
                        }
                    }
                    Some(Channel::Wrong) => {
                        for (slot, &class) in self.batch.classes.iter().enumerate() {
                            if usize::from(class) != y + 1 {
                                add(&mut score, &joint[slot * k + y]);
                            }
                        }
                    }
                    Some(Channel::RightOther) => {
                        for (slot, &class) in self.batch.classes.iter().enumerate() {
                            let other = usize::from(class) - 1;
                            if other != y {
                                add(&mut score, &joint[slot * k + other]);
                            }
                        }
                    }
                    None => {}
                }
                add_times(&mut score, &silent_score, feature.silence_where_voted());
                scores.voted_row_mut(t, at)[y] = map2(score, base, |score, base| score - base);
            }
        }
    }
}
