//! The conditional of one source's vote, sixteen sources side by side, and its scores, a block of rows at a time.
//!
//! # Formula
//! ```text
//! p(v) ∝ Σ_y q(y) exp( r_v + a (2·1{v=y} - 1) + links(v, y) )   for v ≠ 0
//! p(0) ∝ exp( links(0) )
//! ```
//! with q(y) ∝ exp(δ_y) × the prior from the other votes (`context.rs`), r_v the vote rates, δ the class terms of this
//! problem, a the accuracy. The score of a parameter is `E[φ | the vote cast] - E[φ]`: the derivative of log p(vote cast),
//! Eq. (5) of the paper with the sign turned.

use super::block::BlockScores;
use super::many_classes::Absent;
use crate::optim::{LANES, Lane, add, add_times, dispatch, exp, larger, map, map2, map3, step_by_step};
use crate::structure::exact::table::batch::Batch;
use crate::structure::exact::table::context::Context;
use crate::structure::exact::table::contrast::Contrast;
use crate::structure::exact::table::feature::{Channel, Feature};
use crate::structure::exact::table::numbering::Numbering;
use crate::structure::exact::table::rows::MANY_CLASSES;
use crate::structure::exact::table::rows::Rows;

/// The parameters of a batch's problems.
#[derive(Clone, Debug)]
pub(crate) struct Parameters {
    /// The weight of each link: features one behind the other, then the other sources, and behind them 0.
    pub(crate) links: Vec<Lane>,
    /// For each class of the batch, the vote rate.
    pub(crate) rates: Vec<Lane>,
    /// For each class, what is added to the prior of the context.
    pub(crate) class_terms: Vec<Lane>,
    /// The accuracy of each lane's source.
    pub(crate) accuracy: Lane,
}

/// What a row's kernel needs in addition to the row itself, computed once per pass.
pub(crate) struct Kernel<'a> {
    pub(crate) rows: &'a Rows,
    pub(crate) batch: &'a Batch,
    pub(crate) context: &'a Context,
    pub(crate) features: &'a [Feature],
    pub(crate) parameters: &'a Parameters,
    /// For each class, counted from 0, its place among the batch's classes.
    pub(crate) slot: Vec<Option<usize>>,
    /// For each class, how a vote for it is written in a lane of observed votes; below 0 if nobody casts one.
    pub(crate) written: Vec<f32>,
    /// Energy of v = 0 if every other source abstains.
    pub(crate) silence: Lane,
    /// 0 if a class is in the lane's domain, else a very negative energy.
    pub(crate) forbidden: Vec<Lane>,
    /// 1 if a class is in the lane's domain, else 0.
    pub(crate) inside: Vec<Lane>,
    /// e^a and e^-a, their difference and their sum.
    pub(crate) up: Lane,
    pub(crate) down: Lane,
    pub(crate) gap: Lane,
    pub(crate) both: Lane,
    /// e^δ for each class.
    pub(crate) tilt: Vec<Lane>,
    /// The same if the lane itself voted for the class: its vote is taken out of the context, which holds its accuracy of the
    /// last round.
    pub(crate) tilt_without: Vec<Lane>,
    reads_class: bool,
    /// What classes that nobody votes for in a row have in common, where classes are many and no link reads them.
    pub(crate) absent: Option<Absent>,
    /// All classes, counted from 0.
    pub(crate) all_classes: Vec<u16>,
    /// How the links read the other votes where scores are summed up, if not as they are.
    pub(crate) contrast: Option<&'a Contrast>,
}

/// Tables that a row fills and the next one overwrites.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    /// q(y).
    pub(crate) prior: Vec<Lane>,
    /// For each of a few rows, the energy of v = 0 and of v = each class; only if no link reads the class.
    pub(crate) energies: Vec<Lane>,
    /// The scores of the votes.
    pub(crate) residuals: Vec<Lane>,
    /// The scores of the class terms.
    pub(crate) of_class: Vec<Lane>,
    pub(crate) matched: Vec<Lane>,
    pub(crate) right_match: Vec<Lane>,
    pub(crate) wrong: Vec<Lane>,
    pub(crate) right_other: Vec<Lane>,
    /// p(v, y) for the batch's classes v and all classes y; only if a link reads the class.
    pub(crate) joint: Vec<Lane>,
    /// exp(energy) of the batch's classes, if they are many.
    pub(crate) weights: Vec<Lane>,
}

pub(crate) const ZERO: Lane = Lane::ZERO;

/// Rows whose energies are summed up before they are scored.
pub(crate) const ROWS_AHEAD: usize = 16;

/// Energy of a vote outside of a lane's domain.
const NEVER: f32 = -1e30;

/// What no observed vote is written as.
const NOBODY: f32 = -1.0;

/// How a vote for the batch's class number `slot` is written in a lane of observed votes; 0 is an abstain.
#[inline(always)]
pub(crate) fn place(slot: usize) -> f32 {
    slot as f32 + 1.0
}

/// Whether two small whole numbers, never -0, are the same.
#[inline(always)]
pub(crate) fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits()
}

/// The sum of the table's entries at these places.
#[inline(always)]
pub(crate) fn sum_of(table: &[Lane], places: &[u16]) -> Lane {
    // Four sums that do not wait for each other.
    let mut sums = [ZERO; 4];
    let fours = places.chunks_exact(4);
    for &place in fours.remainder() {
        add(&mut sums[0], &table[usize::from(place)]);
    }
    for four in fours {
        for (sum, &place) in sums.iter_mut().zip(four) {
            add(sum, &table[usize::from(place)]);
        }
    }
    let [a, b, c, d] = sums;
    map2(map2(a, b, |a, b| a + b), map2(c, d, |c, d| c + d), |ab, cd| ab + cd)
}

impl<'a> Kernel<'a> {
    pub(crate) fn new(
        rows: &'a Rows,
        batch: &'a Batch,
        context: &'a Context,
        features: &'a [Feature],
        parameters: &'a Parameters,
    ) -> Self {
        let mut slot = vec![None; rows.classes];
        for (place, &class) in batch.classes.iter().enumerate() {
            slot[usize::from(class) - 1] = Some(place);
        }
        let mut silence = ZERO;
        for (feature, links) in features.iter().zip(parameters.links.chunks_exact(rows.active.len() + 1)) {
            for link in links {
                add_times(&mut silence, link, feature.silence_where_abstained());
            }
        }
        let by_domain = |inside: f32, outside: f32| -> Vec<Lane> {
            let lanes =
                |in_domain: &[bool; LANES]| Lane(in_domain.map(|is| if is { inside } else { outside }));
            batch.in_domain.iter().map(lanes).collect()
        };
        let (up, down) = (exp(parameters.accuracy), exp(map(parameters.accuracy, |a| -a)));
        let take_out = Lane(std::array::from_fn(|lane| context.take_out(rows.numbers[batch.source(lane)])));
        let tilt: Vec<Lane> = parameters.class_terms.iter().map(|&term| exp(term)).collect();
        let (reads_class, inside) =
            (features.iter().any(|feature| feature.link().0.reads_class()), by_domain(1.0, 0.0));
        let absent = (!reads_class && rows.classes >= MANY_CLASSES)
            .then(|| Absent::new(&slot, &parameters.rates, &inside, context.base(), &tilt));
        Self {
            rows,
            batch,
            context,
            features,
            parameters,
            written: slot.iter().map(|slot| slot.map_or(NOBODY, place)).collect(),
            slot,
            silence,
            forbidden: by_domain(0.0, NEVER),
            inside,
            gap: map2(up, down, |up, down| up - down),
            both: map2(up, down, |up, down| up + down),
            up,
            down,
            tilt_without: tilt.iter().map(|&tilt| map2(tilt, take_out, |tilt, out| tilt * out)).collect(),
            tilt,
            reads_class,
            absent,
            all_classes: (0..rows.classes as u16).collect(),
            contrast: if features == [Feature::Correlation] { rows.contrast() } else { None },
        }
    }

    /// Whether a link reads the class.
    pub(crate) fn reads_class(&self) -> bool {
        self.reads_class
    }

    /// How the parameters are numbered.
    pub(crate) fn layout(&self) -> Numbering {
        Numbering {
            sources: self.rows.active.len(),
            features: self.features.len(),
            rates: self.batch.classes.len(),
            classes: self.rows.classes,
        }
    }

    /// Room for a row.
    #[inline(always)]
    pub(crate) fn work(&self) -> Work {
        let (slots, k) = (self.batch.classes.len(), self.rows.classes);
        let lanes = |count: usize| vec![ZERO; count];
        let of_class = if self.reads_class { k } else { 0 };
        Work {
            prior: lanes(k),
            energies: lanes(if self.reads_class { 0 } else { ROWS_AHEAD * (k + 1) }),
            residuals: lanes(k),
            of_class: lanes(k),
            matched: lanes(k),
            right_match: lanes(of_class),
            wrong: lanes(of_class),
            right_other: lanes(of_class),
            joint: lanes(slots * of_class),
            weights: lanes(k),
        }
    }

    /// The scores of each row of `block`, as if every lane's source had cast this vote, if one is given: 0 an abstain, else 1 + a place
    /// among the batch's classes.
    ///
    /// Compiled once, and not as a part of every loop that reads them: it is a large part of the whole crate.
    pub(crate) fn row_scores(
        &self,
        cast: Option<usize>,
        block: usize,
        work: &mut Work,
        scores: &mut BlockScores<false>,
    ) {
        dispatch(
            #[inline(always)]
            || self.block(cast, block, work, scores),
        );
    }

    /// The scores of all rows of `block`, into `scores`; the vote as in [`Kernel::row_scores`].
    #[inline(always)]
    pub(crate) fn block<const SUMMED: bool>(
        &self,
        cast: Option<usize>,
        block: usize,
        work: &mut Work,
        scores: &mut BlockScores<SUMMED>,
    ) {
        scores.start(self.rows, block);
        self.observe(block, &mut scores.observed);
        if !self.reads_class {
            return self.free_of_class(cast, block, work, scores);
        }
        for (at, u) in self.rows.block(block).enumerate() {
            let silence = self.energies(u, work);
            self.prior(u, scores.observed[at], &mut work.prior);
            if let Some(cast) = cast {
                scores.observed[at] = Lane([cast as f32; LANES]);
            }
            self.reading_class(at, silence, work, scores);
        }
    }

    /// The votes of the lanes' own sources.
    #[inline(always)]
    pub(crate) fn observe(&self, block: usize, observed: &mut [Lane]) {
        if let Some(own) = &self.batch.own {
            for (observed, votes) in observed.iter_mut().zip(&own[self.rows.block(block)]) {
                let mut lanes = ZERO;
                for lane in 0..LANES {
                    lanes[lane] = f32::from(votes[lane]);
                }
                *observed = lanes;
            }
            return;
        }
        observed.fill(ZERO);
        for lane in 0..LANES {
            for &cell in self.rows.of_source(block, self.batch.source(lane)) {
                let (row, class) = self.rows.row_and_class(cell);
                observed[row][lane] = self.written[class];
            }
        }
    }

    /// Adds up the links of the row's votes; returns the energy of v = 0.
    #[inline(always)]
    fn energies(&self, u: usize, work: &mut Work) -> Lane {
        let (n, k) = (self.rows.active.len(), self.rows.classes);
        let mut silence = self.silence;
        for table in [&mut work.matched, &mut work.right_match, &mut work.wrong, &mut work.right_other] {
            table.fill(ZERO);
        }
        for (feature, links) in self.features.iter().zip(self.parameters.links.chunks_exact(n + 1)) {
            let share = feature.silence_where_voted() - feature.silence_where_abstained();
            let table = match feature.channel() {
                Some(Channel::Match) => Some(&mut work.matched),
                Some(Channel::RightMatch) => Some(&mut work.right_match),
                Some(Channel::Wrong) => Some(&mut work.wrong),
                Some(Channel::RightOther) => Some(&mut work.right_other),
                None => None,
            };
            let mut all = ZERO;
            if let Some(table) = table {
                for class in 0..k {
                    let sum = sum_of(links, self.rows.of_class_by_fours(u, class));
                    add(&mut table[class], &sum);
                    add(&mut all, &sum);
                }
            } else {
                for class in 0..k {
                    add(&mut all, &sum_of(links, self.rows.of_class_by_fours(u, class)));
                }
            }
            add_times(&mut silence, &all, share);
        }
        silence
    }

    /// q(y): the row's class probabilities with the lane's own vote taken out.
    #[inline(always)]
    fn prior(&self, u: usize, observed: Lane, prior: &mut [Lane]) {
        let terms = (&self.tilt[..], &self.tilt_without[..], &self.written[..]);
        let total = unnormalised_prior(self.context.row(u), observed, terms, prior);
        let inverse = map(total, |total| 1.0 / total);
        for prior in prior {
            *prior = map2(*prior, inverse, |p, inverse| p * inverse);
        }
    }
}

/// Puts the score of the likeliest class right: scores of class terms add up to 0.
///
/// Where one class is all but certain its score is the difference of two numbers near 1, and their rounding, which is alike in
/// all rows, adds up. The scores of the other classes have their small probabilities as a factor and are exact.
#[inline(always)]
pub(crate) fn balance_likeliest(prior: &[Lane], of_class: &mut [Lane]) {
    let (mut top, mut likeliest) = (prior[0], ZERO);
    for class in 1..prior.len() {
        let number = class as f32;
        likeliest =
            map3(prior[class], top, likeliest, |q, top, likeliest| if q > top { number } else { likeliest });
        top = map2(prior[class], top, larger);
    }
    let mut others = ZERO;
    for class in 0..prior.len() {
        step_by_step();
        let number = class as f32;
        let other = map2(
            likeliest,
            of_class[class],
            |likeliest, score| if same(likeliest, number) { 0.0 } else { score },
        );
        add(&mut others, &other);
    }
    for class in 0..prior.len() {
        step_by_step();
        let number = class as f32;
        of_class[class] =
            map3(
                likeliest,
                of_class[class],
                others,
                |likeliest, score, others| {
                    if same(likeliest, number) { -others } else { score }
                },
            );
    }
}

/// Fills in q(y) up to a factor, from the row's class probabilities, e^δ without and with the lane's own vote taken out, and how that
/// vote is written; returns the sum over all classes.
#[inline(always)]
pub(crate) fn unnormalised_prior(
    probability: &[f32],
    observed: Lane,
    (tilt, tilt_without, written): (&[Lane], &[Lane], &[f32]),
    prior: &mut [Lane],
) -> Lane {
    let mut sum = ZERO;
    for class in 0..prior.len() {
        let (p, own) = (probability[class], written[class]);
        prior[class] = map3(observed, tilt[class], tilt_without[class], |seen, tilt, without| {
            p * if same(seen, own) { without } else { tilt }
        });
        add(&mut sum, &prior[class]);
    }
    sum
}
