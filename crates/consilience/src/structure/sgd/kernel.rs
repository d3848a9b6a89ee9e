//! One batch of problems, side by side in the lanes of vectors.
//!
//! The vote of another source on an item is the same in every problem, so weights are kept as `[source][lane]` and one
//! vector instruction serves all problems of the batch. Three rearrangements keep the result (up to rounding) and save
//! the work:
//!
//! - All that an item needs from the other sources is, for each family of weights, the sum over the sources that cast
//!   each vote; all that it gives back is one step for each vote. Sources are therefore visited by vote, abstaining
//!   ones not at all: their sum is the total less the rest, and their step is kept as an offset common to all.
//! - Two items are read and written together. The sums of the second lag behind by the first one's steps, which are
//!   known from how many sources cast each pair of votes.
//! - The source of the problem itself has a row like all others, so that no vector is masked. What stands there is
//!   known (`own`), is taken out of the sums, and is cleared whenever the weights are truncated.

use pulp::{Scalar, Simd};

use super::real::Real;
use super::steps::Steps;
use crate::sources::Vote;
use crate::watch;

/// One number per lane.
pub(super) type Lanes<T, const L: usize> = [T; L];

/// Pairs of items from one look at the watch to the next: a millisecond or so.
const PAIRS_A_LOOK: usize = 1024;

/// The weights of two families for one other source.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Row<T, const L: usize>([Lanes<T, L>; 2]);

/// What the problems themselves have: the votes of the own sources and the terms that belong to no other source.
pub(super) trait Head<T: Real, const L: usize> {
    /// Takes one item.
    ///
    /// `sums` and `steps` have one place for each family and vote, votes fastest: the weights of the other sources summed
    /// by their votes, and by how much the weights of the sources with that vote are to move. `own` is what the own
    /// source's row holds.
    fn step<S: Simd>(
        &mut self,
        votes: &[Vote; L],
        sums: &mut [Lanes<T, L>],
        own: &mut [Lanes<T, L>],
        steps: &mut [Lanes<T, L>],
    );

    /// Truncates the own weights that are penalised.
    fn truncate(&mut self, by: T);
}

/// When to stop, and when to truncate by how much.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    pub(super) epochs: usize,
    pub(super) truncation: usize,
    pub(super) shrink: f64,
}

/// The weights of `L` problems.
#[derive(Debug)]
pub(super) struct Batch<'a, T, const L: usize> {
    steps: &'a Steps,
    /// The first of the `L` sources.
    first: usize,
    sources: usize,
    /// For each family, whether abstaining sources matter; an even number of families.
    reads_abstain: Vec<bool>,
    /// Ones with a zero in the middle: a window of it that starts at `L - i` clears lane `i`.
    keep: Vec<T>,
    /// Two families a plane, planes one behind the other.
    rows: Vec<Row<T, L>>,
    /// For each family: what is to be added to every row, the sum of all rows with it, the own source's row with it.
    offset: Vec<Lanes<T, L>>,
    total: Vec<Lanes<T, L>>,
    own: Vec<Lanes<T, L>>,
    /// For both items of a pair, one place for each family and vote.
    sums: [Vec<Lanes<T, L>>; 2],
    moves: [Vec<Lanes<T, L>>; 2],
    counts: [Vec<usize>; 2],
}

impl<'a, T: Real, const L: usize> Batch<'a, T, L> {
    /// The problems of the `L` sources from `first`, with accuracies (the first family) at `accuracy` and all others at 0.
    pub(super) fn new(
        steps: &'a Steps,
        first: usize,
        sources: usize,
        reads_abstain: &[bool],
        accuracy: T,
    ) -> Self {
        let mut reads_abstain = reads_abstain.to_vec();
        if reads_abstain.len() % 2 == 1 {
            reads_abstain.push(false);
        }
        let families = reads_abstain.len();
        let slots = families * (steps.classes() + 1);
        let zeros = vec![[T::ZERO; L]; families];
        let blank = vec![[T::ZERO; L]; slots];
        let mut keep = vec![T::ONE; 2 * L];
        keep[L] = T::ZERO;
        let mut batch = Self {
            steps,
            first,
            sources,
            reads_abstain,
            keep,
            rows: vec![Row([[T::ZERO; L]; 2]); families / 2 * sources],
            offset: zeros.clone(),
            total: zeros.clone(),
            own: zeros,
            sums: [blank.clone(), blank.clone()],
            moves: [blank.clone(), blank],
            counts: [vec![0; steps.classes() + 1], vec![0; steps.classes() + 1]],
        };
        for row in &mut batch.rows[..sources] {
            row.0[0] = [accuracy; L];
        }
        // Shrinking by nothing clears the own rows and sums up all others.
        batch.truncate(Scalar::new(), T::ZERO);
        batch
    }

    /// Algorithm 1.
    #[inline(always)]
    pub(super) fn run<S: Simd>(&mut self, simd: S, head: &mut impl Head<T, L>, schedule: Schedule) {
        let items = self.steps.items();
        let every = schedule.truncation;
        let by = T::of(schedule.shrink);
        // The printed algorithm counts epochs and items from 1 and truncates where (epoch · m + item) mod T = 0.
        let mut passed = items % every;
        let due = |passed: &mut usize| {
            *passed += 1;
            let due = *passed == every;
            if due {
                *passed = 0;
            }
            due
        };
        for _ in 0..schedule.epochs {
            for pair in 0..self.steps.pairs() {
                if pair % PAIRS_A_LOOK == 0 {
                    watch::look();
                }
                // Both items at once where nothing is truncated between them.
                let last = 2 * pair + 1 == items;
                let between = due(&mut passed);
                let parts: &[_] = match (last, between) {
                    (true, _) => &[[true, false]],
                    (false, true) => &[[true, false], [false, true]],
                    (false, false) => &[[true, true]],
                };
                for &part in parts {
                    self.visit(simd, head, pair, part);
                    if if part[1] { due(&mut passed) } else { between } {
                        self.truncate(simd, by);
                        head.truncate(by);
                    }
                }
            }
            watch::pass_done();
        }
    }

    /// Takes one or both items of a pair.
    #[inline(always)]
    fn visit<S: Simd>(&mut self, simd: S, head: &mut impl Head<T, L>, pair: usize, which: [bool; 2]) {
        self.sum_rows(simd, pair, which);
        for item in [0, 1] {
            if which[item] {
                if which[0] && item == 1 {
                    self.catch_up(simd, pair);
                }
                self.take_item(simd, head, pair, item);
            }
        }
        self.move_rows(simd, pair, which);
    }

    /// Sums the weights by the votes on the items.
    #[inline(always)]
    fn sum_rows<S: Simd>(&mut self, simd: S, pair: usize, which: [bool; 2]) {
        let votes = self.steps.classes() + 1;
        for item in [0, 1] {
            self.sums[item].fill([T::ZERO; L]);
            self.counts[item].fill(0);
        }
        for &run in self.steps.runs(pair) {
            for item in [0, 1] {
                self.counts[item][usize::from(run.votes[item])] += run.len();
            }
        }
        for (plane, rows) in self.rows.chunks_exact(self.sources).enumerate() {
            for &run in self.steps.runs(pair) {
                let wanted = [which[0] && run.votes[0] > 0, which[1] && run.votes[1] > 0];
                if !wanted[0] && !wanted[1] {
                    continue;
                }
                let mut sum = [[T::ZERO; L]; 2];
                sum_run(simd, rows, self.steps.sources(run), &mut sum);
                let length = T::of(run.len() as f64);
                for (family, sum) in (2 * plane..).zip(&mut sum) {
                    add_times(simd, sum, &self.offset[family], length);
                    for item in [0, 1] {
                        if wanted[item] {
                            let slot = family * votes + usize::from(run.votes[item]);
                            add(simd, &mut self.sums[item][slot], sum);
                        }
                    }
                }
            }
        }
    }

    /// Adds what the first item has moved to the sums of the second.
    #[inline(always)]
    fn catch_up<S: Simd>(&mut self, simd: S, pair: usize) {
        let votes = self.steps.classes() + 1;
        let [moves, _] = &self.moves;
        let [_, sums] = &mut self.sums;
        for run in self.steps.runs(pair) {
            if run.votes[1] == 0 {
                continue;
            }
            let length = T::of(run.len() as f64);
            for family in 0..self.reads_abstain.len() {
                let moved = &moves[family * votes + usize::from(run.votes[0])];
                let sum = &mut sums[family * votes + usize::from(run.votes[1])];
                add_times(simd, sum, moved, length);
            }
        }
    }

    /// Lets the problems take one item, whose sums are known.
    #[inline(always)]
    fn take_item<S: Simd>(&mut self, simd: S, head: &mut impl Head<T, L>, pair: usize, item: usize) {
        let votes = self.steps.classes() + 1;
        let sums = &mut self.sums[item];
        let moves = &mut self.moves[item];
        for (family, sums) in sums.chunks_exact_mut(votes).enumerate() {
            if self.reads_abstain[family]
                && let [silent, voted @ ..] = sums
            {
                *silent = self.total[family];
                for sum in voted {
                    subtract(simd, silent, sum);
                }
            }
        }
        let Some(own_votes) = self.steps.votes::<L>(2 * pair + item, self.first) else { return };
        head.step::<S>(own_votes, sums, &mut self.own, moves);
        let counts = &self.counts[item];
        let silent = self.sources - counts[1..].iter().sum::<usize>();
        for (family, moves) in moves.chunks_exact(votes).enumerate() {
            if self.reads_abstain[family] {
                let counts = std::iter::once(silent).chain(counts[1..].iter().copied());
                for (moved, count) in moves.iter().zip(counts) {
                    add_times(simd, &mut self.total[family], moved, T::of(count as f64));
                }
            }
        }
    }

    /// Moves all weights by what the items taken say.
    #[inline(always)]
    fn move_rows<S: Simd>(&mut self, simd: S, pair: usize, which: [bool; 2]) {
        let votes = self.steps.classes() + 1;
        for item in [0, 1] {
            if !which[item] {
                continue;
            }
            // From here on relative to the abstaining sources, whose own move goes to the offset.
            for (family, moves) in self.moves[item].chunks_exact_mut(votes).enumerate() {
                if self.reads_abstain[family]
                    && let [silent, voted @ ..] = moves
                {
                    add(simd, &mut self.offset[family], silent);
                    for moved in voted {
                        subtract(simd, moved, silent);
                    }
                    *silent = [T::ZERO; L];
                }
            }
        }
        for (plane, rows) in self.rows.chunks_exact_mut(self.sources).enumerate() {
            for &run in self.steps.runs(pair) {
                let wanted = [which[0] && run.votes[0] > 0, which[1] && run.votes[1] > 0];
                if !wanted[0] && !wanted[1] {
                    continue;
                }
                let mut moved = [[T::ZERO; L]; 2];
                for (family, moved) in (2 * plane..).zip(&mut moved) {
                    for item in [0, 1] {
                        if wanted[item] {
                            let slot = family * votes + usize::from(run.votes[item]);
                            add(simd, moved, &self.moves[item][slot]);
                        }
                    }
                }
                move_run(simd, rows, self.steps.sources(run), &moved);
            }
        }
    }

    /// Moves every weight towards 0 by `by`; clears offsets and own rows; sums up all rows.
    #[inline(always)]
    fn truncate<S: Simd>(&mut self, simd: S, by: T) {
        let families = self.offset.chunks_exact_mut(2).zip(self.total.chunks_exact_mut(2));
        for (rows, (offset, total)) in self.rows.chunks_exact_mut(self.sources).zip(families) {
            let mut sum = [[T::ZERO; L]; 2];
            for (source, row) in rows.iter_mut().enumerate() {
                // Not by writing one lane of the stored row: reading a vector just after a part of it was written stalls
                // the processor.
                let lane = source.wrapping_sub(self.first);
                let keep = if lane < L { Some(&self.keep[L - lane..2 * L - lane]) } else { None };
                for f in [0, 1] {
                    let row = T::vectors_mut::<S>(&mut row.0[f]);
                    let sum = T::vectors_mut::<S>(&mut sum[f]);
                    for (v, (weight, &offset)) in row.iter_mut().zip(T::vectors::<S>(&offset[f])).enumerate()
                    {
                        let moved = T::plus(simd, *weight, offset);
                        let mut new = T::minus(simd, moved, T::between(simd, moved, by));
                        if let Some(keep) = keep {
                            new = T::times(simd, new, T::vectors::<S>(keep)[v]);
                        }
                        *weight = new;
                        sum[v] = T::plus(simd, sum[v], new);
                    }
                }
            }
            total.copy_from_slice(&sum);
            offset.fill([T::ZERO; L]);
        }
        self.own.fill([T::ZERO; L]);
    }

    /// The weight of family `family` for source `source` in the problem of lane `lane`.
    pub(super) fn weight(&self, family: usize, source: usize, lane: usize) -> f64 {
        if source == self.first + lane {
            return 0.0;
        }
        let row = &self.rows[family / 2 * self.sources + source].0[family % 2];
        (row[lane] + self.offset[family][lane]).as_f64()
    }
}

/// Adds the rows of `sources` to `sum`.
#[inline(always)]
fn sum_run<S: Simd, T: Real, const L: usize>(
    simd: S,
    rows: &[Row<T, L>],
    sources: &[u32],
    sum: &mut [Lanes<T, L>; 2],
) {
    let sum = T::vectors_mut::<S>(sum.as_flattened_mut());
    // Registers come by powers of two; four at a time keep both add units busy and are few enough for any processor.
    let mut at = 0;
    while at < sum.len() {
        match sum.len() - at {
            4.. => at += sum_columns::<S, T, L, 4>(simd, rows, sources, sum, at),
            2..4 => at += sum_columns::<S, T, L, 2>(simd, rows, sources, sum, at),
            _ => at += sum_columns::<S, T, L, 1>(simd, rows, sources, sum, at),
        }
    }
}

#[inline(always)]
fn sum_columns<S: Simd, T: Real, const L: usize, const N: usize>(
    simd: S,
    rows: &[Row<T, L>],
    sources: &[u32],
    sum: &mut [T::Vector<S>],
    at: usize,
) -> usize {
    let mut here = [T::splat(simd, T::ZERO); N];
    for &source in sources {
        let row = T::vectors::<S>(rows[source as usize].0.as_flattened());
        for (here, &row) in here.iter_mut().zip(&row[at..at + N]) {
            *here = T::plus(simd, *here, row);
        }
    }
    sum[at..at + N].copy_from_slice(&here);
    N
}

/// Adds `moved` to the rows of `sources`.
#[inline(always)]
fn move_run<S: Simd, T: Real, const L: usize>(
    simd: S,
    rows: &mut [Row<T, L>],
    sources: &[u32],
    moved: &[Lanes<T, L>; 2],
) {
    let moved = T::vectors::<S>(moved.as_flattened());
    let mut at = 0;
    while at < moved.len() {
        match moved.len() - at {
            4.. => at += move_columns::<S, T, L, 4>(simd, rows, sources, moved, at),
            2..4 => at += move_columns::<S, T, L, 2>(simd, rows, sources, moved, at),
            _ => at += move_columns::<S, T, L, 1>(simd, rows, sources, moved, at),
        }
    }
}

#[inline(always)]
fn move_columns<S: Simd, T: Real, const L: usize, const N: usize>(
    simd: S,
    rows: &mut [Row<T, L>],
    sources: &[u32],
    moved: &[T::Vector<S>],
    at: usize,
) -> usize {
    let mut here = [T::splat(simd, T::ZERO); N];
    here.copy_from_slice(&moved[at..at + N]);
    for &source in sources {
        let row = T::vectors_mut::<S>(rows[source as usize].0.as_flattened_mut());
        for (row, &moved) in row[at..at + N].iter_mut().zip(&here) {
            *row = T::plus(simd, *row, moved);
        }
    }
    N
}

#[inline(always)]
fn add<S: Simd, T: Real, const L: usize>(simd: S, to: &mut Lanes<T, L>, from: &Lanes<T, L>) {
    for (to, &from) in T::vectors_mut::<S>(to).iter_mut().zip(T::vectors::<S>(from)) {
        *to = T::plus(simd, *to, from);
    }
}

#[inline(always)]
fn subtract<S: Simd, T: Real, const L: usize>(simd: S, to: &mut Lanes<T, L>, from: &Lanes<T, L>) {
    for (to, &from) in T::vectors_mut::<S>(to).iter_mut().zip(T::vectors::<S>(from)) {
        *to = T::minus(simd, *to, from);
    }
}

#[inline(always)]
fn add_times<S: Simd, T: Real, const L: usize>(simd: S, to: &mut Lanes<T, L>, from: &Lanes<T, L>, times: T) {
    let times = T::splat(simd, times);
    for (to, &from) in T::vectors_mut::<S>(to).iter_mut().zip(T::vectors::<S>(from)) {
        *to = T::fused(simd, from, times, *to);
    }
}
