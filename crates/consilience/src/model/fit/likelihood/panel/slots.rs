//! Rows of votes that store, with each vote, the place of its class among those that are voted for on the row.

use crate::model::fit::likelihood::layout::Layout;
use crate::model::fit::likelihood::rows::Rows;
use crate::optim::{EIGHT, dispatch, exp_of_eight};
use crate::parallel;

/// The rows in pieces, each summed by one thread.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    pieces: Vec<Piece>,
    /// For each place of the layout, for how many items its vote is cast.
    pub(super) cast: Vec<f64>,
}

#[derive(Clone, Debug, Default)]
struct Piece {
    rows: Vec<Row>,
    /// For each vote, its source and its slot: which of the row's classes it is for.
    sources: Vec<u32>,
    slots: Vec<u16>,
    /// For each slot of each row, its class, counted from 0.
    classes: Vec<u16>,
    /// For each place, how many items have its vote, before they are scaled.
    cast: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    count: f64,
    votes: u32,
    slots: u32,
}

/// What the posteriors of the class make of the rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PanelSums {
    /// Σ_u c_u log Σ_y e^{s_u(y)}.
    pub(super) log_sum: f64,
    /// For each source, Σ_u c_u q_u(λ_uj): how many of its votes are expected to be right.
    pub(super) right: Vec<f64>,
    /// For each class, Σ_u c_u q_u(y).
    pub(super) class: Vec<f64>,
}

/// Scores within this of each other give sums whose products of two stay numbers.
const SMALL: f64 = 200.0;

/// What a class has without votes.
struct Silence<'a> {
    score: &'a [f64],
    /// The highest of them.
    top: f64,
    /// e^{score - top} of each class, and their sum.
    weight: Vec<f64>,
    total: f64,
}

impl Slots {
    /// Of `rows`; votes of sources that are not `heard` say nothing of the class.
    pub(super) fn new(layout: &Layout, rows: &Rows<'_>, heard: &[bool]) -> Self {
        let numbers = layout.places() + layout.k;
        let pieces = rows.in_pieces(numbers, |range| Piece::new(layout, rows, heard, range));
        let mut cast = vec![0u64; layout.places()];
        for piece in &pieces {
            cast.iter_mut().zip(&piece.cast).for_each(|(sum, part)| *sum += part);
        }
        let cast = cast.into_iter().map(|items| items as f64 * rows.scale()).collect();
        Self { pieces, cast }
    }

    /// The sums where class y has the score `silence[y]` without votes, and each vote of source j adds `lift[j]` to its class.
    ///
    /// # Formula
    /// ```text
    /// s_u(y) = silence(y) + Σ_{j: λ_uj = y} lift_j,   q_u = softmax(s_u)
    /// ```
    /// All classes without votes are summed at once, so that a row costs what its votes cost. The sums of the classes are 0
    /// unless asked for.
    pub(super) fn sums(&self, silence: &[f64], lift: &[f64], with_class: bool) -> PanelSums {
        let top = silence.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weight: Vec<f64> = silence.iter().map(|score| (score - top).exp()).collect();
        let total = weight.iter().sum();
        let lowest = silence.iter().copied().fold(f64::INFINITY, f64::min);
        let reach = lift.iter().map(|lift| lift.abs()).sum::<f64>() + (top - lowest);
        let silence = Silence { score: silence, top, weight, total };
        let small = reach < SMALL;
        let pieces = parallel::map(&self.pieces, |piece| {
            crate::watch::look();
            dispatch(
                #[inline(always)]
                || match (small, with_class) {
                    (true, false) => piece.sums::<true, false>(&silence, lift),
                    (true, true) => piece.sums::<true, true>(&silence, lift),
                    (false, false) => piece.sums::<false, false>(&silence, lift),
                    (false, true) => piece.sums::<false, true>(&silence, lift),
                },
            )
        });
        let mut sums =
            PanelSums { log_sum: 0.0, right: vec![0.0; lift.len()], class: vec![0.0; silence.score.len()] };
        for piece in &pieces {
            sums.log_sum += piece.log_sum;
            sums.right.iter_mut().zip(&piece.right).for_each(|(sum, part)| *sum += part);
            sums.class.iter_mut().zip(&piece.class).for_each(|(sum, part)| *sum += part);
        }
        sums
    }
}

impl Piece {
    fn new(layout: &Layout, rows: &Rows<'_>, heard: &[bool], range: std::ops::Range<usize>) -> Self {
        let patterns = rows.votes.patterns();
        let mut piece = Self { cast: vec![0; layout.places()], ..Self::default() };
        // For each class, its slot on the row at hand, and the row for which this holds.
        let mut slot_of = vec![(0u16, u32::MAX); layout.k];
        for (at, row) in (0u32..).zip(range) {
            let (p, count) = (rows.pattern(row), rows.count(row));
            if count <= 0.0 {
                continue;
            }
            let (votes_before, slots_before) = (piece.sources.len(), piece.classes.len());
            patterns.row(p).for_each(|(j, vote)| {
                piece.cast[layout.place(j, vote)] += patterns.counts()[p];
                if !heard[j] {
                    return;
                }
                let class = vote - 1;
                let slot = &mut slot_of[usize::from(class)];
                if slot.1 != at {
                    *slot = ((piece.classes.len() - slots_before) as u16, at);
                    piece.classes.push(class);
                }
                piece.sources.push(j as u32);
                piece.slots.push(slot.0);
            });
            let votes = (piece.sources.len() - votes_before) as u32;
            let slots = (piece.classes.len() - slots_before) as u32;
            piece.rows.push(Row { count, votes, slots });
        }
        piece
    }

    /// `SMALL_SCORES`: no exponential is too large, so that the highest score need not be taken off.
    #[inline(always)]
    fn sums<const SMALL_SCORES: bool, const WITH_CLASS: bool>(
        &self,
        silence: &Silence<'_>,
        lift: &[f64],
    ) -> PanelSums {
        let k = silence.score.len();
        let mut right = vec![0.0; lift.len()];
        let mut class = vec![0.0; k];
        // Σ_u c_u e^{top} / Σ_y e^{s_u(y)}: what each class would have without votes.
        let mut unvoted = 0.0;
        let mut log_sum = 0.0;
        // Rows of one item each share a logarithm.
        let mut product = 1.0f64;
        let mut scores = vec![[0.0; EIGHT]; (k + 1).div_ceil(EIGHT)];
        let (mut sources, mut slots, mut classes) = (&self.sources[..], &self.slots[..], &self.classes[..]);
        for row in &self.rows {
            let (row_sources, row_slots, row_classes);
            (row_sources, sources) = sources.split_at(row.votes as usize);
            (row_slots, slots) = slots.split_at(row.votes as usize);
            (row_classes, classes) = classes.split_at(row.slots as usize);
            let m = row_classes.len();
            let used = &mut scores[..(m + 1).div_ceil(EIGHT)];
            let flat = used.as_flattened_mut();
            // Behind the row's classes comes what all others share.
            flat[m] = if m < k { 0.0 } else { f64::NEG_INFINITY };
            let mut rest = silence.total;
            for (score, &class) in flat.iter_mut().zip(row_classes) {
                *score = silence.score[usize::from(class)] - silence.top;
                rest -= silence.weight[usize::from(class)];
            }
            for (&j, &slot) in row_sources.iter().zip(row_slots) {
                flat[usize::from(slot)] += lift[j as usize];
            }
            let mut top = 0.0;
            if !SMALL_SCORES {
                top = flat[..=m].iter().copied().fold(f64::NEG_INFINITY, |a, b| if a > b { a } else { b });
                for score in flat.iter_mut() {
                    *score -= top;
                }
            }
            for eight in used.iter_mut() {
                *eight = exp_of_eight(eight);
            }
            let flat = used.as_flattened_mut();
            let silent = if m < k { flat[m] } else { 0.0 };
            let sum = flat[..m].iter().sum::<f64>() + silent * if rest > 0.0 { rest } else { 0.0 };
            let share = row.count / sum;
            unvoted += silent * share;
            for (score, &y) in flat.iter_mut().zip(row_classes) {
                *score *= share;
                if WITH_CLASS {
                    class[usize::from(y)] += *score - silence.weight[usize::from(y)] * (silent * share);
                }
            }
            for (&j, &slot) in row_sources.iter().zip(row_slots) {
                right[j as usize] += flat[usize::from(slot)];
            }
            log_sum += row.count * (top + silence.top);
            if row.count.to_bits() == 1f64.to_bits() {
                product *= sum;
            } else {
                log_sum += row.count * sum.ln();
            }
            if !(1e-200..1e200).contains(&product) {
                log_sum += product.ln();
                product = 1.0;
            }
        }
        log_sum += product.ln();
        if WITH_CLASS {
            class.iter_mut().zip(&silence.weight).for_each(|(sum, weight)| *sum += weight * unvoted);
        }
        PanelSums { log_sum, right, class }
    }
}
