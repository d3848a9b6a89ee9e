//! What the posteriors of the class make of the votes: the expected counts of every vote with every class.

use super::dense::Dense;
use super::layout::{Layout, Tables};
use super::rows::Rows;
use crate::num::softmax_in_place;
use crate::votes::Patterns;

/// Expected counts under the posteriors of the class.
///
/// # Formula
/// ```text
/// q_u(y) ∝ exp( Σ_d θ_d φ_d(λ_u, y) ),   class(y) = Σ_u c_u q_u(y),   unary(j, v, y) = Σ_u c_u 1{λ_uj = v} q_u(y)
/// log_sum = Σ_u c_u log Σ_y exp( Σ_d θ_d φ_d(λ_u, y) )   over the dependencies d that read y or one source's vote
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) log_sum: f64,
    pub(crate) counts: Tables,
}

/// One row read into places, and taken back.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    layout: &'a Layout,
    patterns: &'a Patterns,
    /// The places of the votes of the current row, ascending by source.
    pub(crate) places: Vec<u32>,
    /// For each of them, its source.
    pub(crate) voters: Vec<u32>,
    /// For each source, the position of its vote in its domain; kept only where asked for.
    pub(crate) positions: Vec<u32>,
    with_positions: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(layout: &'a Layout, patterns: &'a Patterns, with_positions: bool) -> Self {
        let positions = vec![0; if with_positions { layout.domains.len() } else { 0 }];
        Self { layout, patterns, places: Vec::new(), voters: Vec::new(), positions, with_positions }
    }

    /// Reads row `p` of the patterns.
    #[inline]
    pub(crate) fn read(&mut self, p: usize) {
        let layout = self.layout;
        if self.with_positions {
            for &j in &self.voters {
                self.positions[j as usize] = 0;
            }
            self.voters.clear();
        }
        self.places.clear();
        let (places, voters, positions) = (&mut self.places, &mut self.voters, &mut self.positions);
        if self.with_positions {
            self.patterns.row(p).for_each(|(j, vote)| {
                let place = layout.place(j, vote);
                places.push(place as u32);
                voters.push(j as u32);
                positions[j] = (place - layout.starts[j]) as u32;
            });
        } else {
            self.patterns.row(p).for_each(|(j, vote)| places.push(layout.place(j, vote) as u32));
        }
    }

    /// Calls `visit` once with every joint of which a source votes, if `wanted` has it, and its cell of the first class.
    pub(crate) fn active_joints(&self, wanted: impl Fn(usize) -> bool, mut visit: impl FnMut(usize, usize)) {
        for &j in &self.voters {
            for &s in &self.layout.joints_of[j as usize] {
                let joint = &self.layout.joints[s as usize];
                let first = joint.scope.iter().filter(|&&l| self.positions[l] > 0).min();
                if wanted(s as usize) && first == Some(&(j as usize)) {
                    visit(s as usize, joint.cell(|l| self.positions[l] as usize));
                }
            }
        }
    }
}

/// Energies of a row's classes, counted from silence.
#[derive(Clone, Debug)]
pub(crate) struct Scores<'a> {
    layout: &'a Layout,
    energies: &'a Tables,
    /// For each class, if all abstain: only what reads the class.
    silent: Vec<f64>,
    /// For each place and class, the change from abstaining.
    change: Vec<f64>,
    /// The same for two classes: that of the second class less that of the first.
    lead: Vec<f64>,
    silent_lead: f64,
    /// Σ of the energies of one class (the first) if the lead takes the place of both.
    first: Vec<f64>,
}

impl<'a> Scores<'a> {
    pub(crate) fn new(layout: &'a Layout, energies: &'a Tables) -> Self {
        let k = layout.k;
        let mut silent = energies.class.clone();
        let mut change = energies.unary.clone();
        for places in layout.starts.windows(2) {
            for y in 0..k {
                let abstain = energies.unary[places[0] * k + y];
                silent[y] += abstain;
                for place in places[0]..places[1] {
                    change[place * k + y] -= abstain;
                }
            }
        }
        for joint in layout.joints.iter().filter(|joint| joint.reads_class()) {
            for (y, silent) in silent.iter_mut().enumerate() {
                *silent += energies.joint[joint.start + y * joint.class_stride];
            }
        }
        let two = k == 2;
        let lead = if two { change.chunks_exact(2).map(|c| c[1] - c[0]).collect() } else { Vec::new() };
        let first = if two { change.chunks_exact(2).map(|c| c[0]).collect() } else { Vec::new() };
        let silent_lead = if two { silent[1] - silent[0] } else { 0.0 };
        Self { layout, energies, silent, change, lead, silent_lead, first }
    }

    /// For each class the energy of the row that `reader` holds, all joints that read no class left out.
    pub(crate) fn of_row(&self, reader: &Reader<'_>, scores: &mut [f64]) {
        let k = self.layout.k;
        scores.copy_from_slice(&self.silent);
        for &place in &reader.places {
            let change = &self.change[place as usize * k..][..k];
            scores.iter_mut().zip(change).for_each(|(score, change)| *score += change);
        }
        reader.active_joints(
            |s| self.layout.joints[s].reads_class(),
            |s, cell| {
                let joint = &self.layout.joints[s];
                for (y, score) in scores.iter_mut().enumerate() {
                    let at = y * joint.class_stride;
                    *score += self.energies.joint[cell + at] - self.energies.joint[joint.start + at];
                }
            },
        );
    }

    /// The expected counts over `rows`; `dense` are the same rows, turned.
    pub(crate) fn expected(&self, rows: &Rows<'_>, dense: Option<&Dense>) -> Expected {
        if let Some(dense) = dense {
            let mut total = dense.expected(self.layout, self.energies, [self.silent[0], self.silent[1]]);
            self.fill_in_silence(&mut total.counts);
            return total;
        }
        let simple = self.layout.k == 2 && !self.layout.has_class_joints();
        let pieces = rows.in_pieces(self.layout.numbers(), |range| {
            if simple { self.piece_of_two(rows, range) } else { self.piece(rows, range) }
        });
        let mut total = Expected { log_sum: 0.0, counts: Tables::zero(self.layout) };
        for piece in pieces {
            total.log_sum += piece.log_sum;
            total.counts.add(&piece.counts);
        }
        self.fill_in_silence(&mut total.counts);
        total
    }

    /// Two classes and no joint that reads the class: one number a place.
    fn piece_of_two(&self, rows: &Rows<'_>, range: std::ops::Range<usize>) -> Expected {
        let mut counts = Tables::zero(self.layout);
        let mut reader = Reader::new(self.layout, rows.votes.patterns(), false);
        // For each place, Σ c q(1) and Σ c q(2).
        let mut log_sum = 0.0;
        for row in range {
            reader.read(rows.pattern(row));
            let count = rows.count(row);
            let (mut lead, mut first) = (self.silent_lead, self.silent[0]);
            for &place in &reader.places {
                lead += self.lead[place as usize];
                first += self.first[place as usize];
            }
            // log(e^a + e^b) = max + log(1 + e^-|a - b|)
            let small = (-lead.abs()).exp();
            let likely = 1.0 / (1.0 + small);
            let second = if lead > 0.0 { likely } else { small * likely };
            log_sum += count * (first + lead.max(0.0) + small.ln_1p());
            let (p, q) = (count * (1.0 - second), count * second);
            counts.class[0] += p;
            counts.class[1] += q;
            for &place in &reader.places {
                let cell = &mut counts.unary[2 * place as usize..][..2];
                cell[0] += p;
                cell[1] += q;
            }
        }
        Expected { log_sum, counts }
    }

    fn piece(&self, rows: &Rows<'_>, range: std::ops::Range<usize>) -> Expected {
        let k = self.layout.k;
        let mut counts = Tables::zero(self.layout);
        let class_joints = self.layout.has_class_joints();
        let mut reader = Reader::new(self.layout, rows.votes.patterns(), class_joints);
        let mut q = vec![0.0; k];
        let mut log_sum = 0.0;
        for row in range {
            reader.read(rows.pattern(row));
            let count = rows.count(row);
            self.of_row(&reader, &mut q);
            log_sum += count * softmax_in_place(&mut q);
            for q in &mut q {
                *q *= count;
            }
            counts.class.iter_mut().zip(&q).for_each(|(sum, q)| *sum += q);
            for &place in &reader.places {
                let cells = &mut counts.unary[place as usize * k..][..k];
                cells.iter_mut().zip(&q).for_each(|(sum, q)| *sum += q);
            }
            if class_joints {
                reader.active_joints(
                    |s| self.layout.joints[s].reads_class(),
                    |s, cell| {
                        let stride = self.layout.joints[s].class_stride;
                        q.iter().enumerate().for_each(|(y, q)| counts.joint[cell + y * stride] += q);
                    },
                );
            }
        }
        Expected { log_sum, counts }
    }

    /// What was not seen to vote was silent.
    fn fill_in_silence(&self, counts: &mut Tables) {
        let k = self.layout.k;
        for places in self.layout.starts.windows(2) {
            for y in 0..k {
                let voted: f64 = (places[0] + 1..places[1]).map(|place| counts.unary[place * k + y]).sum();
                counts.unary[places[0] * k + y] = counts.class[y] - voted;
            }
        }
        for joint in self.layout.joints.iter().filter(|joint| joint.reads_class()) {
            for y in 0..k {
                let cells = &mut counts.joint[joint.start + y * joint.class_stride..][..joint.class_stride];
                cells[0] = counts.class[y] - cells[1..].iter().sum::<f64>();
            }
        }
    }
}

/// How often each cell of the joints that read no class is seen; it does not depend on the weights.
pub(crate) fn observed_joints(layout: &Layout, rows: &Rows<'_>) -> Vec<f64> {
    let zero = || Tables::zero(layout).joint;
    if layout.joints.iter().all(super::layout::Joint::reads_class) {
        return zero();
    }
    let pieces = rows.in_pieces(layout.numbers(), |range| {
        let mut counts = zero();
        let mut reader = Reader::new(layout, rows.votes.patterns(), true);
        for row in range {
            reader.read(rows.pattern(row));
            let count = rows.count(row);
            reader.active_joints(|s| !layout.joints[s].reads_class(), |_, cell| counts[cell] += count);
        }
        counts
    });
    let mut total = zero();
    for piece in pieces {
        total.iter_mut().zip(piece).for_each(|(sum, count)| *sum += count);
    }
    let items: f64 = (0..rows.len()).map(|row| rows.count(row)).sum();
    let ends = layout.joints.iter().skip(1).map(|joint| joint.start).chain([total.len()]);
    for (joint, end) in layout.joints.iter().zip(ends) {
        if !joint.reads_class() {
            total[joint.start] = items - total[joint.start + 1..end].iter().sum::<f64>();
        }
    }
    total
}
