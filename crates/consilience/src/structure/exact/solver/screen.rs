//! Every pair of sources that meet too seldom for normal estimates, tested against independence.
//!
//! In the problem of source j with no links, its vote on an item is drawn with probabilities that the other votes give. On the
//! items that source l votes on, how often j says the same, something else or nothing is a sum of independent draws, whose tails
//! are known (`tail.rs`). Pairs that pass are fitted together afterwards; all others are decided here.
//!
//! # Formula
//! ```text
//! S = Σ over items u that l votes on of  x(λ_uj, λ_ul),   x = 2 same, 1 another class, 0 abstains   (correlation)
//! ```
//! Up to terms that the vote rates of j account for, S less its mean is the score of the link's weight at 0: abstaining on the other
//! items is worth as much as voting on these.

use crate::parallel;
use crate::structure::exact::solver::state::State;
use crate::structure::exact::table::batch::Batch;
use crate::structure::exact::table::context::Context;
use crate::structure::exact::table::feature::Feature;
use crate::structure::exact::table::meetings::{FEWEST_COMMON_ITEMS, Meetings};
use crate::structure::exact::table::rows::Rows;
use crate::structure::exact::tail::{Draw, moments, two_sided, z_of};

/// Tests whose normal z is below this are left at that: no rule selects them.
const PLAINLY_ABSENT: f64 = 2.0;

/// Pairs that chance alone lets through, for each source.
const FALSE_ALARMS: f64 = 0.5;

/// Bytes of tests that may be kept.
const MOST_BYTES: usize = 4 << 30;

/// What the problem of one source says about a link with another one, all other links left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Test {
    /// The other active source.
    pub(crate) other: u32,
    /// A step from 0 towards the best weight.
    pub(crate) weight: f32,
    /// The step's standard error, were it normal.
    pub(crate) stderr: f32,
    /// How far out the sum is, as a normal number: its sign is that of the weight.
    pub(crate) z: f64,
}

/// The parameters of one source's problem without links.
#[derive(Clone, Debug)]
pub(crate) struct Alone {
    pub(crate) accuracy: f64,
    /// For each class, exp(vote rate); 0 if the source never votes for it.
    pub(crate) rates: Vec<f64>,
}

/// The tests of all pairs that do not meet often.
#[derive(Clone, Debug)]
pub(crate) struct Screen {
    /// For each active source, feature by feature, its tests with later sources, ascending.
    pub(crate) tests: Vec<Vec<Vec<Test>>>,
    /// For each active source, the others it may be linked with: met often, or passed; ascending.
    pub(crate) neighbours: Vec<Vec<usize>>,
    /// Pairs that meet too seldom to say anything.
    pub(crate) untested: usize,
}

impl Screen {
    /// Bytes that the tests of all pairs that can meet may take.
    pub(crate) fn bytes(rows: &Rows, features: usize) -> usize {
        let pairs = |votes: usize| votes.saturating_mul(votes);
        let of_rows = (0..rows.len()).map(|u| pairs(rows.votes(u))).fold(0, usize::saturating_add);
        let of_sources = pairs(rows.active.len());
        of_rows.min(of_sources).saturating_mul(features * size_of::<Test>())
    }

    /// Whether that is too much.
    pub(crate) fn too_large(rows: &Rows, features: usize) -> bool {
        Self::bytes(rows, features) > MOST_BYTES
    }

    pub(crate) fn new(
        rows: &Rows,
        context: &Context,
        features: &[Feature],
        meetings: &Meetings,
        alone: &[Alone],
    ) -> Self {
        let n = rows.active.len();
        let votes = ByVoter::new(rows);
        let of_source = |room: &mut Room<'_>, j: usize| {
            crate::watch::look();
            room.take(rows, context, &votes, j, &alone[j]);
            let tested: Vec<usize> = (0..n)
                .filter(|&l| l != j && !meetings.often(j, l))
                .filter(|&l| room.met[l].max(meetings.expected(j, l)) >= FEWEST_COMMON_ITEMS as f64)
                .collect();
            let tests =
                |feature: &Feature| tested.iter().map(|&l| room.test(*feature, &votes.of[l], l)).collect();
            let tests = features.iter().map(tests).collect();
            room.leave(&votes, j);
            tests
        };
        let one_sided: Vec<Vec<Vec<Test>>> = parallel::flat_map(parallel::few_ranges(n, 1), |sources| {
            let mut room = Room::new(rows);
            sources.map(|j| of_source(&mut room, j)).collect()
        });
        Self::both_sides(n, meetings, &one_sided)
    }

    /// Puts the two tests of each pair together: the less certain one counts.
    fn both_sides(n: usize, meetings: &Meetings, one_sided: &[Vec<Vec<Test>>]) -> Self {
        let enough = z_of(FALSE_ALARMS / n as f64);
        let mut neighbours: Vec<Vec<usize>> = (0..n).map(|j| meetings.often_with(j).collect()).collect();
        let often: usize = neighbours.iter().map(Vec::len).sum::<usize>() / 2;
        let mut tested = 0;
        let mut tests: Vec<Vec<Vec<Test>>> = Vec::with_capacity(n);
        for j in 0..n {
            let later = |t: usize| {
                let later = one_sided[j][t].iter().filter(|test| test.other as usize > j);
                later.map(move |here| {
                    let of_other = &one_sided[here.other as usize][t];
                    // Whether a pair is tested does not depend on whose problem it is.
                    let there = of_other.binary_search_by_key(&(j as u32), |test| test.other);
                    there.map_or(*here, |at| both(*here, of_other[at]))
                })
            };
            let of_source: Vec<Vec<Test>> = (0..one_sided[j].len()).map(|t| later(t).collect()).collect();
            tested += of_source.first().map_or(0, Vec::len);
            for at in 0..of_source.first().map_or(0, Vec::len) {
                let l = of_source[0][at].other as usize;
                if of_source.iter().any(|tests| tests[at].z.abs() >= enough) {
                    neighbours[j].push(l);
                    neighbours[l].push(j);
                }
            }
            tests.push(of_source);
        }
        for others in &mut neighbours {
            others.sort_unstable();
        }
        Self { tests, neighbours, untested: n * (n - 1) / 2 - often - tested }
    }

    /// The test of the pair of active sources j < l by feature number `t`, if there is one.
    pub(crate) fn test(&self, t: usize, j: usize, l: usize) -> Option<&Test> {
        let tests = &self.tests[j][t];
        tests.binary_search_by_key(&(l as u32), |test| test.other).ok().map(|at| &tests[at])
    }
}

/// The mean of the weights, and the z that is nearer to 0.
fn both(here: Test, there: Test) -> Test {
    let weight = 0.5 * (here.weight + there.weight);
    let stderr = here.stderr.max(there.stderr);
    Test { other: here.other, weight, stderr, z: nearer_to_zero(here.z, there.z) }
}

/// The less certain of two results of one test; `None` if they contradict each other.
pub(in crate::structure) fn nearer_to_zero(a: f64, b: f64) -> f64 {
    if a * b <= 0.0 {
        0.0
    } else if a.abs() < b.abs() {
        a
    } else {
        b
    }
}

/// A vote: the row, and the class counted from 0.
pub(crate) type Cast = (u32, u16);

/// The votes by source.
pub(crate) struct ByVoter {
    pub(crate) of: Vec<Vec<Cast>>,
}

impl ByVoter {
    pub(crate) fn new(rows: &Rows) -> Self {
        let mut of = vec![Vec::new(); rows.active.len()];
        for u in 0..rows.len() {
            for class in 0..rows.classes {
                for &l in rows.of_class(u, class) {
                    of[usize::from(l)].push((u as u32, class as u16));
                }
            }
        }
        Self { of }
    }
}

/// What one source votes on each row, and what it is expected to.
struct Room<'a> {
    rows: &'a Rows,
    /// 0 an abstain, else the class counted from 1.
    own: Vec<u16>,
    /// For each row, P(abstain), and for each row and class, P(vote for it).
    silent: Vec<f32>,
    vote: Vec<f32>,
    /// For each other source, the items on which both vote.
    met: Vec<f64>,
    draws: std::cell::RefCell<Vec<Draw>>,
}

impl<'a> Room<'a> {
    fn new(rows: &'a Rows) -> Self {
        Self {
            rows,
            own: vec![0; rows.len()],
            silent: vec![0.0; rows.len()],
            vote: vec![0.0; rows.len() * rows.classes],
            met: vec![0.0; rows.active.len()],
            draws: std::cell::RefCell::default(),
        }
    }

    /// Makes ready for the problem of source `j`.
    fn take(&mut self, rows: &Rows, context: &Context, votes: &ByVoter, j: usize, alone: &Alone) {
        self.met.fill(0.0);
        for &(u, class) in &votes.of[j] {
            self.own[u as usize] = class + 1;
            let count = f64::from(rows.counts[u as usize]);
            for class in 0..rows.classes {
                rows.of_class(u as usize, class).iter().for_each(|&l| self.met[usize::from(l)] += count);
            }
        }
        let (up, down) = (alone.accuracy.exp(), (-alone.accuracy).exp());
        let take_out = f64::from(context.take_out(j));
        let k = rows.classes;
        for u in 0..rows.len() {
            let probability = context.row(u);
            let own = usize::from(self.own[u]);
            let all = if own > 0 { 1.0 - f64::from(probability[own - 1]) * (1.0 - take_out) } else { 1.0 };
            let of_row = &mut self.vote[u * k..(u + 1) * k];
            let mut total = 1.0;
            for (class, to) in of_row.iter_mut().enumerate() {
                let out = if class + 1 == own { take_out } else { 1.0 };
                let q = f64::from(probability[class]) * out / all;
                let mass = alone.rates[class] * (down + (up - down) * q);
                total += mass;
                *to = mass as f32;
            }
            let inverse = (1.0 / total) as f32;
            for mass in of_row {
                *mass *= inverse;
            }
            self.silent[u] = inverse;
        }
    }

    fn leave(&mut self, votes: &ByVoter, j: usize) {
        for &(u, _) in &votes.of[j] {
            self.own[u as usize] = 0;
        }
    }

    /// Tests the link with source `l`, whose votes are given.
    fn test(&self, feature: Feature, casts: &[Cast], l: usize) -> Test {
        let k = self.rows.classes;
        let worth = feature.worth();
        let mut draws = self.draws.borrow_mut();
        draws.clear();
        let mut seen = 0;
        for &(u, class) in casts {
            let (u, class) = (u as usize, usize::from(class));
            let times = self.rows.counts[u] as u32;
            let same = f64::from(self.vote[u * k + class]);
            let other = (1.0 - f64::from(self.silent[u]) - same).max(0.0);
            draws.push(worth.draw(same, other, times));
            seen += u64::from(worth.of(self.own[u], class as u16 + 1)) * u64::from(times);
        }
        let (mean, variance) = moments(&draws);
        let away = seen as f64 - mean;
        let z = away / variance.sqrt().max(f64::MIN_POSITIVE);
        let z = if z.abs() < PLAINLY_ABSENT { z } else { z_of(two_sided(&draws, seen)).copysign(away) };
        // A weight of 0 where nothing can be seen.
        let weight = (away / (variance + 1.0)) as f32;
        let stderr = (1.0 / (variance + 1.0).sqrt()) as f32;
        Test { other: l as u32, weight: worth.sign as f32 * weight, stderr, z: worth.sign * z }
    }
}

/// For each active source its problem without links, from the parameters of its batch.
pub(crate) fn alone(rows: &Rows, batches: &[Batch], states: &[State]) -> Vec<Alone> {
    let none = Alone { accuracy: 0.0, rates: vec![0.0; rows.classes] };
    let mut alone = vec![none; rows.active.len()];
    for (batch, state) in batches.iter().zip(states) {
        for lane in 0..batch.members.len() {
            let to = &mut alone[batch.source(lane)];
            to.accuracy = state.x[state.layout.accuracy()][lane];
            for (place, &class) in batch.classes.iter().enumerate() {
                if batch.in_domain[place][lane] {
                    to.rates[usize::from(class) - 1] = state.x[state.layout.links() + place][lane].exp();
                }
            }
        }
    }
    alone
}
