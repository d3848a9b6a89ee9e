//! The scores of a row if no link reads the class: the sum over y has a closed form.
//!
//! # Formula
//! ```text
//! p(v) = w(v) m(v) / Z,   w(v) = exp( r_v + links(v) - links(0) ),   m(v) = e^-a U + (e^a - e^-a) u(v),   m(0) = U
//! ```
//! with the prior of the class u(y), not yet divided by its sum U, which Z takes care of. One exponential for each vote,
//! one division for all of them and one for the vote cast are enough.

use std::ops::Range;

use super::block::BlockScores;
use super::kernel::{
    Kernel, ROWS_AHEAD, Work, ZERO, balance_likeliest, place, same, sum_of, unnormalised_prior,
};
use crate::optim::{LANES, Lane, add, add_times, exp, larger, map, map2, map3};
use crate::structure::exact::table::contrast::Contrast;
use crate::structure::exact::table::feature::Feature;

/// Energies above that of silence by more than this are not left to the range of single precision.
const FAR: f32 = 60.0;

const ONE: Lane = Lane([1.0; LANES]);

/// Whether any lane is above the limit.
#[inline(always)]
fn any_above(lane: Lane, limit: f32) -> bool {
    let mut any = false;
    for i in 0..LANES {
        any |= lane[i] > limit;
    }
    any
}

/// `now` in the lanes where this vote was seen, else `before`.
#[inline(always)]
fn where_seen(observed: Lane, vote: f32, now: Lane, before: Lane) -> Lane {
    map3(observed, now, before, |seen, now, before| if same(seen, vote) { now } else { before })
}

/// 1{the vote seen} - p(vote), from its mass.
#[inline(always)]
fn residual(observed: Lane, vote: f32, mass: Lane, inverse_total: Lane) -> Lane {
    map3(observed, mass, inverse_total, |seen, mass, inverse| {
        (if same(seen, vote) { 1.0 } else { 0.0 }) - mass * inverse
    })
}

/// What does not change from row to row: slices as long as there are slots, or classes, so that a compiler that knows how many
/// there are needs no checks.
struct Fixed<'a> {
    rates: &'a [Lane],
    forbidden: &'a [Lane],
    inside: &'a [Lane],
    tilt: &'a [Lane],
    tilt_without: &'a [Lane],
    written: &'a [f32],
    slot: &'a [Option<usize>],
}

/// Room for w(v) and the score of each slot, and u(y) and the score of each class.
struct Room<'a> {
    weights: &'a mut [Lane],
    residuals: &'a mut [Lane],
    prior: &'a mut [Lane],
    of_class: &'a mut [Lane],
}

impl Kernel<'_> {
    /// All rows of a block, as if all had cast a vote if one is given.
    ///
    /// For a few rows at a time energies first, then scores: the sums of votes wait for loads, the scores for each other.
    #[inline(always)]
    pub(crate) fn free_of_class<const SUMMED: bool>(
        &self,
        cast: Option<usize>,
        block: usize,
        work: &mut Work,
        scores: &mut BlockScores<SUMMED>,
    ) {
        if let (true, None, Some(absent)) = (SUMMED, cast, &self.absent) {
            return self.score_present(absent, block, work, scores);
        }
        match (self.batch.classes.len(), self.rows.classes) {
            (1, 2) => self.free_of_few::<SUMMED, 1, 2>(cast, block, work, scores),
            (2, 2) => self.free_of_few::<SUMMED, 2, 2>(cast, block, work, scores),
            (3, 3) => self.free_of_few::<SUMMED, 3, 3>(cast, block, work, scores),
            _ => {
                let slots = self.batch.classes.len();
                let Work { weights, residuals, prior, of_class, energies, .. } = work;
                let room = Room {
                    weights: &mut weights[..slots],
                    residuals: &mut residuals[..slots],
                    prior,
                    of_class,
                };
                self.score_rows(cast, block, energies, room, scores);
            }
        }
    }

    /// So few slots and classes that they fit the registers.
    #[inline(always)]
    fn free_of_few<const SUMMED: bool, const SLOTS: usize, const CLASSES: usize>(
        &self,
        cast: Option<usize>,
        block: usize,
        work: &mut Work,
        scores: &mut BlockScores<SUMMED>,
    ) {
        let (mut weights, mut residuals) = ([ZERO; SLOTS], [ZERO; SLOTS]);
        let (mut prior, mut of_class) = ([ZERO; CLASSES], [ZERO; CLASSES]);
        let room = Room {
            weights: &mut weights,
            residuals: &mut residuals,
            prior: &mut prior,
            of_class: &mut of_class,
        };
        self.score_rows(cast, block, &mut work.energies, room, scores);
    }

    /// For each of some rows, the energy of v = 0 and of v = each class, by the links alone.
    #[inline(always)]
    pub(crate) fn energies_of(&self, rows: Range<usize>, contrast: Option<&Contrast>, energies: &mut [Lane]) {
        let (n, k) = (self.rows.active.len(), self.rows.classes);
        let lists = contrast.map_or(self.rows.lists(), |contrast| &contrast.lists);
        for (u, energies) in rows.zip(energies.chunks_exact_mut(k + 1)) {
            energies.fill(ZERO);
            energies[0] = self.silence;
            for (feature, links) in self.features.iter().zip(self.parameters.links.chunks_exact(n + 1)) {
                let share = feature.silence_where_voted() - feature.silence_where_abstained();
                let mut all = ZERO;
                for class in 0..k {
                    let sum = sum_of(links, lists.of_class_by_fours(u, class));
                    add(&mut all, &sum);
                    if feature.channel().is_some() {
                        add(&mut energies[class + 1], &sum);
                    }
                }
                add_times(&mut energies[0], &all, share);
            }
            if let Some(contrast) = contrast {
                contrast.turn_sums(u, energies);
            }
        }
    }

    #[inline(always)]
    fn score_rows<const SUMMED: bool>(
        &self,
        cast: Option<usize>,
        block: usize,
        energies: &mut [Lane],
        mut room: Room<'_>,
        scores: &mut BlockScores<SUMMED>,
    ) {
        let (slots, k) = (room.weights.len(), room.prior.len());
        let fixed = Fixed {
            rates: &self.parameters.rates[..slots],
            forbidden: &self.forbidden[..slots],
            inside: &self.inside[..slots],
            tilt: &self.tilt[..k],
            tilt_without: &self.tilt_without[..k],
            written: &self.written[..k],
            slot: &self.slot[..k],
        };
        let contrast = if SUMMED { self.contrast } else { None };
        let block = self.rows.block(block);
        for first in block.clone().step_by(ROWS_AHEAD) {
            let rows = first..(first + ROWS_AHEAD).min(block.end);
            self.energies_of(rows.clone(), contrast, energies);
            let probabilities = self.context.rows(rows).chunks_exact(k);
            for ((at, p), energies) in
                (first - block.start..).zip(probabilities).zip(energies.chunks_exact(k + 1))
            {
                let terms = (fixed.tilt, fixed.tilt_without, fixed.written);
                let sum = unnormalised_prior(p, scores.observed[at], terms, room.prior);
                if let Some(cast) = cast {
                    scores.observed[at] = Lane([cast as f32; LANES]);
                }
                let silent = self.weigh_votes(&fixed, energies, room.weights);
                self.score_row(at, &fixed, (silent, sum), &mut room, scores);
                if let Some(contrast) = contrast {
                    let (abstained, voted) = scores.row_mut(0, at);
                    contrast.turn_scores(block.start + at, abstained, &mut voted[..k]);
                }
            }
        }
    }

    /// The class of slot number `slot`, counted from 0: itself if the batch votes for all classes.
    #[inline(always)]
    fn class_of(&self, slot: usize, fixed: &Fixed<'_>) -> usize {
        if fixed.rates.len() == fixed.tilt.len() { slot } else { usize::from(self.batch.classes[slot]) - 1 }
    }

    /// The slot of `class`, counted from 0, if the batch votes for it.
    #[inline(always)]
    fn slot_of(class: usize, fixed: &Fixed<'_>) -> Option<usize> {
        if fixed.rates.len() == fixed.tilt.len() { Some(class) } else { fixed.slot[class] }
    }

    /// Fills in w(v), or where some are too large all over the largest; returns w(0).
    #[inline(always)]
    fn weigh_votes(&self, fixed: &Fixed<'_>, energies: &[Lane], weights: &mut [Lane]) -> Lane {
        let silence = energies[0];
        let mut top = ZERO;
        for slot in 0..weights.len() {
            let matched = energies[1 + self.class_of(slot, fixed)];
            let energy = map3(fixed.rates[slot], matched, silence, |r, m, s| r + m - s);
            weights[slot] = map2(energy, fixed.forbidden[slot], |energy, forbidden| energy + forbidden);
            top = map2(top, weights[slot], larger);
        }
        let silent = if any_above(top, FAR) {
            for weight in weights.iter_mut() {
                *weight = map2(*weight, top, |energy, top| energy - top);
            }
            exp(map(top, |top| -top))
        } else {
            ONE
        };
        for slot in 0..weights.len() {
            weights[slot] = map2(exp(weights[slot]), fixed.inside[slot], |weight, inside| weight * inside);
        }
        silent
    }

    #[inline(always)]
    fn score_row<const SUMMED: bool>(
        &self,
        at: usize,
        fixed: &Fixed<'_>,
        (silent, all_classes): (Lane, Lane),
        room: &mut Room<'_>,
        scores: &mut BlockScores<SUMMED>,
    ) {
        let (weights, prior) = (&*room.weights, &*room.prior);
        let observed = scores.observed[at];
        let wrong = map2(self.down, all_classes, |down, all| down * all);
        let silent_mass = map2(silent, all_classes, |silent, all| silent * all);
        let mut total = silent_mass;
        let mut all_weights = ZERO;
        // Of the accuracy, dm(v)/da: Σ_v w(v) dm(v)/da, and the same at the vote cast, where w(v) m(v) and m(v) are kept too. A
        // silent lane has m = e^-a U there, so that its vote leaves the class as it is.
        let (mut expected, mut slope_at_vote) = (ZERO, ZERO);
        let (mut mass_at_vote, mut mixed_at_vote) = (silent_mass, wrong);
        for slot in 0..weights.len() {
            let (weight, u) = (weights[slot], prior[self.class_of(slot, fixed)]);
            let mixed = map3(self.gap, u, wrong, |gap, u, wrong| wrong + gap * u);
            let slope = map3(self.both, u, wrong, |both, u, wrong| both * u - wrong);
            let mass = map2(weight, mixed, |weight, mixed| weight * mixed);
            add(&mut all_weights, &weight);
            add(&mut total, &mass);
            expected = map3(expected, weight, slope, |sum, weight, slope| sum + weight * slope);
            slope_at_vote = where_seen(observed, place(slot), slope, slope_at_vote);
            mass_at_vote = where_seen(observed, place(slot), mass, mass_at_vote);
            mixed_at_vote = where_seen(observed, place(slot), mixed, mixed_at_vote);
            room.residuals[slot] = mass;
        }
        let inverse = map(total, |total| 1.0 / total);
        let inverse_mixed = map(mixed_at_vote, |mixed| 1.0 / mixed);
        scores.set_cast(at, map2(mass_at_vote, inverse, |mass, inverse| mass * inverse));
        let silent_score = residual(observed, 0.0, silent_mass, inverse);
        for slot in 0..weights.len() {
            let score = residual(observed, place(slot), room.residuals[slot], inverse);
            room.residuals[slot] = score;
            scores.set_further(slot, at, score);
        }
        let expected = map2(expected, inverse, |expected, inverse| expected * inverse);
        let accuracy =
            map3(slope_at_vote, inverse_mixed, expected, |slope, mixed, expected| slope * mixed - expected);
        scores.set_further(weights.len() + prior.len(), at, accuracy);

        // p(y | all) - p(y | others).
        let not_right = map3(all_weights, self.down, silent, |sum, down, silent| sum * down + silent);
        let not_right = map2(not_right, inverse, |sum, inverse| sum * inverse);
        let gap = map2(self.gap, inverse, |gap, inverse| gap * inverse);
        let cast_wrong = map2(self.down, inverse_mixed, |down, inverse| down * inverse);
        let cast_right = map2(self.up, inverse_mixed, |up, inverse| up * inverse);
        for class in 0..prior.len() {
            let mut expected = not_right;
            if let Some(slot) = Self::slot_of(class, fixed) {
                expected = map3(not_right, gap, weights[slot], |w, gap, weight| w + gap * weight);
            }
            let given = where_seen(observed, fixed.written[class], cast_right, cast_wrong);
            room.of_class[class] =
                map3(prior[class], given, expected, |u, given, expected| u * (given - expected));
        }
        balance_likeliest(prior, room.of_class);
        for (class, &score) in room.of_class.iter().enumerate() {
            scores.set_further(weights.len() + class, at, score);
        }
        self.link_scores(at, fixed, silent_score, room.residuals, scores);
    }

    #[inline(always)]
    fn link_scores<const SUMMED: bool>(
        &self,
        at: usize,
        fixed: &Fixed<'_>,
        silent_score: Lane,
        residuals: &[Lane],
        scores: &mut BlockScores<SUMMED>,
    ) {
        for (t, feature) in self.features.iter().enumerate() {
            let base = if *feature == Feature::Correlation { silent_score } else { ZERO };
            scores.set_abstained(t, at, base);
            for class in 0..fixed.tilt.len() {
                let score = match (feature, Self::slot_of(class, fixed)) {
                    (Feature::Exclusive, _) => silent_score,
                    (_, Some(slot)) => residuals[slot],
                    (_, None) => ZERO,
                };
                scores.voted_row_mut(t, at)[class] = map2(score, base, |score, base| score - base);
            }
        }
    }
}
