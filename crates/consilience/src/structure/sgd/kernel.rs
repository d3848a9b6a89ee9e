//! One group of problems, side by side in the lanes of vectors.
//!
//! The vote of another source on an item is the same in every problem, so weights are kept as `[source][lane]` and one
//! vector instruction serves all problems of the group. Three rearrangements keep the result (up to rounding) and save
//! the work:
//!
//! - All that an item needs from the other sources is, for each family of weights, the sum over the sources that cast
//!   each vote; all that it gives back is one step for each vote. Sources are therefore visited by vote, abstaining
//!   ones not at all: their sum is the total less the rest, and their step is kept as an offset common to all.
//! - Two items are read and written together. The sums of the second lag behind by the first one's steps, which are
//!   known from how many sources cast each pair of votes.
//! - The source of the problem itself has a row like all others, so that no vector is masked. What stands there is
//!   known (`own`), is taken out of the sums, and is cleared whenever the weights are truncated.

use super::real::Real;
use super::steps::Steps;
use crate::sources::Vote;

/// One number a lane.
pub(super) type Lanes<T, const L: usize> = [T; L];

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
    fn step<const FMA: bool>(
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
pub(super) struct Group<'a, T, const L: usize> {
    steps: &'a Steps,
    /// The first of the `L` sources.
    first: usize,
    sources: usize,
    /// For each family, whether abstaining sources matter; an even number of families.
    reads_abstain: Vec<bool>,
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

impl<'a, T: Real, const L: usize> Group<'a, T, L> {
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
        let mut group = Self {
            steps,
            first,
            sources,
            reads_abstain,
            rows: vec![Row([[T::ZERO; L]; 2]); families / 2 * sources],
            offset: zeros.clone(),
            total: zeros.clone(),
            own: zeros,
            sums: [blank.clone(), blank.clone()],
            moves: [blank.clone(), blank],
            counts: [vec![0; steps.classes() + 1], vec![0; steps.classes() + 1]],
        };
        for row in &mut group.rows[..sources] {
            row.0[0] = [accuracy; L];
        }
        // Shrinking by nothing clears the own rows and sums up all others.
        group.truncate(T::ZERO);
        group
    }

    /// Algorithm 1.
    #[inline(always)]
    pub(super) fn run<const FMA: bool>(&mut self, head: &mut impl Head<T, L>, schedule: Schedule) {
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
                let both = 2 * pair + 1 < items;
                let between = due(&mut passed);
                if both && !between {
                    self.visit::<FMA>(head, pair, [true, true]);
                } else {
                    self.visit::<FMA>(head, pair, [true, false]);
                    if between {
                        self.truncate(by);
                        head.truncate(by);
                    }
                    if both {
                        self.visit::<FMA>(head, pair, [false, true]);
                    }
                }
                if both && due(&mut passed) {
                    self.truncate(by);
                    head.truncate(by);
                }
            }
        }
    }

    /// Takes one or both items of a pair.
    #[inline(always)]
    fn visit<const FMA: bool>(&mut self, head: &mut impl Head<T, L>, pair: usize, which: [bool; 2]) {
        self.sum_rows::<FMA>(pair, which);
        for item in [0, 1] {
            if which[item] {
                if which[0] && item == 1 {
                    self.catch_up::<FMA>(pair);
                }
                self.take_item::<FMA>(head, pair, item);
            }
        }
        self.move_rows(pair, which);
    }

    /// Sums the weights by the votes on the items.
    #[inline(always)]
    fn sum_rows<const FMA: bool>(&mut self, pair: usize, which: [bool; 2]) {
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
                for &source in self.steps.sources(run) {
                    let row = &rows[source as usize].0;
                    for (sum, row) in sum.iter_mut().zip(row) {
                        for (sum, &weight) in sum.iter_mut().zip(row) {
                            *sum += weight;
                        }
                    }
                }
                let length = T::of(run.len() as f64);
                for (family, sum) in (2 * plane..).zip(&mut sum) {
                    for (sum, &offset) in sum.iter_mut().zip(&self.offset[family]) {
                        *sum = offset.times_plus::<FMA>(length, *sum);
                    }
                    for item in [0, 1] {
                        if wanted[item] {
                            let slot = family * votes + usize::from(run.votes[item]);
                            add(&mut self.sums[item][slot], sum);
                        }
                    }
                }
            }
        }
    }

    /// Adds what the first item has moved to the sums of the second.
    #[inline(always)]
    fn catch_up<const FMA: bool>(&mut self, pair: usize) {
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
                for (sum, &moved) in sum.iter_mut().zip(moved) {
                    *sum = moved.times_plus::<FMA>(length, *sum);
                }
            }
        }
    }

    /// Lets the problems take one item, whose sums are known.
    #[inline(always)]
    fn take_item<const FMA: bool>(&mut self, head: &mut impl Head<T, L>, pair: usize, item: usize) {
        let votes = self.steps.classes() + 1;
        let sums = &mut self.sums[item];
        let moves = &mut self.moves[item];
        for (family, sums) in sums.chunks_exact_mut(votes).enumerate() {
            if self.reads_abstain[family]
                && let [silent, voted @ ..] = sums
            {
                *silent = self.total[family];
                for sum in voted {
                    for (silent, &sum) in silent.iter_mut().zip(&*sum) {
                        *silent -= sum;
                    }
                }
            }
        }
        let Some(own_votes) = self.steps.votes::<L>(2 * pair + item, self.first) else { return };
        head.step::<FMA>(own_votes, sums, &mut self.own, moves);
        let counts = &self.counts[item];
        let silent = self.sources - counts[1..].iter().sum::<usize>();
        for (family, moves) in moves.chunks_exact(votes).enumerate() {
            if self.reads_abstain[family] {
                let counts = std::iter::once(silent).chain(counts[1..].iter().copied());
                for (moved, count) in moves.iter().zip(counts) {
                    let count = T::of(count as f64);
                    for (total, &moved) in self.total[family].iter_mut().zip(moved) {
                        *total = moved.times_plus::<FMA>(count, *total);
                    }
                }
            }
        }
    }

    /// Moves all weights by what the items taken say.
    #[inline(always)]
    fn move_rows(&mut self, pair: usize, which: [bool; 2]) {
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
                    add(&mut self.offset[family], silent);
                    for moved in voted {
                        for (moved, &silent) in moved.iter_mut().zip(&*silent) {
                            *moved -= silent;
                        }
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
                            add(moved, &self.moves[item][slot]);
                        }
                    }
                }
                for &source in self.steps.sources(run) {
                    let row = &mut rows[source as usize].0;
                    for (row, moved) in row.iter_mut().zip(&moved) {
                        add(row, moved);
                    }
                }
            }
        }
    }

    /// Moves every weight towards 0 by `by`; clears offsets and own rows; sums up all rows.
    #[inline(always)]
    fn truncate(&mut self, by: T) {
        let last = self.first + L;
        let families = self.offset.chunks_exact_mut(2).zip(self.total.chunks_exact_mut(2));
        for (rows, (offset, total)) in self.rows.chunks_exact_mut(self.sources).zip(families) {
            let mut sum = [[T::ZERO; L]; 2];
            for (source, row) in rows.iter_mut().enumerate() {
                for (f, row) in row.0.iter_mut().enumerate() {
                    for (i, weight) in row.iter_mut().enumerate() {
                        *weight = (*weight + offset[f][i]).shrunk(by);
                    }
                }
                if (self.first..last).contains(&source) {
                    for row in &mut row.0 {
                        row[source - self.first] = T::ZERO;
                    }
                }
                for (sum, row) in sum.iter_mut().zip(&row.0) {
                    add(sum, row);
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

#[inline(always)]
fn add<T: Real, const L: usize>(to: &mut Lanes<T, L>, from: &Lanes<T, L>) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to += from;
    }
}
