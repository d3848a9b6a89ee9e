//! The conditional of one source's vote in one row, sixteen sources side by side, and its scores.
//!
//! # Formula
//! ```text
//! p(v) ∝ Σ_y q(y) exp( r_v + a (2·1{v=y} - 1) + links(v, y) )   for v ≠ 0
//! p(0) ∝ exp( links(0) )
//! ```
//! with q(y) the prior from the other votes (`context.rs`), r_v the vote rates, a the accuracy. The score of a parameter
//! is `E[φ | the vote cast] - E[φ]`: the derivative of log p(vote cast), Eq. (5) of the paper with the sign turned.

use super::context::Context;
use super::feature::{Channel, Feature};
use super::pass::Layout;
use super::rows::{Group, Rows};
use crate::optim::{Lane, add, add_times, exp, larger, ln, map, map2, map3};

/// The parameters of a group's problems.
#[derive(Clone, Debug)]
pub(super) struct Parameters {
    /// For each class of the group, the vote rate.
    pub(super) rates: Vec<Lane>,
    /// The accuracy of each lane's source.
    pub(super) accuracy: Lane,
    /// The weight of each link: features one behind the other, then the other sources.
    pub(super) links: Vec<Lane>,
}

/// What a row's kernel needs beside the row itself, computed once a pass.
pub(super) struct Kernel<'a> {
    rows: &'a Rows,
    group: &'a Group,
    context: &'a Context,
    features: &'a [Feature],
    parameters: &'a Parameters,
    /// For each class 1..=k its place among the group's classes, counted from 0.
    slot: Vec<Option<usize>>,
    /// Energy of v = 0 where every other source abstains.
    silence: Lane,
    /// 0 where a class is in the lane's domain, else a very negative energy.
    forbidden: Vec<Lane>,
    /// 1 where a class is in the lane's domain, else 0.
    inside: Vec<Lane>,
    /// e^a and e^-a.
    up: Lane,
    down: Lane,
    /// What takes the lane's own vote out of the context, which holds its accuracy of the last round.
    take_out: Lane,
    reads_class: bool,
    /// Whether only one feature adds to the table of matches.
    match_alone: bool,
}

/// The scores of one row.
#[derive(Clone, Debug)]
pub(super) struct Scores {
    /// log p(the vote cast).
    pub(super) log_likelihood: Lane,
    /// Of each vote rate.
    pub(super) rates: Vec<Lane>,
    /// Of the accuracy.
    pub(super) accuracy: Lane,
    /// For each feature, of a link whose other source abstains.
    pub(super) abstained: Vec<Lane>,
    /// For each feature and class 1..=k, of a link whose other source votes for it, less `abstained`.
    pub(super) voted: Vec<Lane>,
    work: Work,
}

/// Tables that a row fills and the next one overwrites.
#[derive(Clone, Debug)]
struct Work {
    prior: Vec<Lane>,
    matched: Vec<Lane>,
    right_match: Vec<Lane>,
    wrong: Vec<Lane>,
    right_other: Vec<Lane>,
    /// p(v, y) for the group's classes v and all classes y; only where a link reads the class.
    joint: Vec<Lane>,
    /// p(v) for the group's classes v.
    marginal: Vec<Lane>,
}

const ZERO: Lane = Lane::ZERO;

/// Energy of a vote outside of a lane's domain.
const NEVER: f32 = -1e30;

/// How a vote for the group's class number `slot` is written in a lane of observed votes; 0 is an abstain.
#[inline(always)]
fn place(slot: usize) -> f32 {
    slot as f32 + 1.0
}

/// Whether two small whole numbers are the same.
#[inline(always)]
fn same(a: f32, b: f32) -> bool {
    (a - b).abs() < 0.5
}

impl<'a> Kernel<'a> {
    pub(super) fn new(
        rows: &'a Rows,
        group: &'a Group,
        context: &'a Context,
        features: &'a [Feature],
        parameters: &'a Parameters,
    ) -> Self {
        let mut slot = vec![None; rows.classes + 1];
        for (place, &class) in group.classes.iter().enumerate() {
            slot[usize::from(class)] = Some(place);
        }
        let n = rows.active.len();
        let mut silence = ZERO;
        for (feature, links) in features.iter().zip(parameters.links.chunks_exact(n.max(1))) {
            let share = feature.silence_where_abstained();
            for link in links {
                add_times(&mut silence, link, share);
            }
        }
        let forbidden = group
            .in_domain
            .iter()
            .map(|inside| Lane(inside.map(|inside| if inside { 0.0 } else { NEVER })))
            .collect();
        let a = parameters.accuracy;
        Self {
            rows,
            group,
            context,
            features,
            parameters,
            slot,
            silence,
            forbidden,
            inside: group
                .in_domain
                .iter()
                .map(|inside| Lane(inside.map(|inside| f32::from(u8::from(inside)))))
                .collect(),
            up: exp(a),
            down: exp(map(a, |a| -a)),
            take_out: Lane(std::array::from_fn(|lane| context.take_out(group.source(lane)))),
            match_alone: features.iter().filter(|feature| feature.channel() == Some(Channel::Match)).count()
                == 1,
            reads_class: features.iter().any(|feature| feature.link().0.reads_class()),
        }
    }

    /// The rows it reads.
    pub(super) fn rows(&self) -> &Rows {
        self.rows
    }

    /// How the parameters are numbered.
    pub(super) fn layout(&self) -> Layout {
        Layout {
            sources: self.rows.active.len(),
            features: self.features.len(),
            rates: self.group.classes.len(),
        }
    }

    /// Room for the scores of a row.
    pub(super) fn scores(&self) -> Scores {
        let (slots, k) = (self.group.classes.len(), self.rows.classes);
        let lanes = |count: usize| vec![ZERO; count];
        Scores {
            log_likelihood: ZERO,
            rates: lanes(slots),
            accuracy: ZERO,
            abstained: lanes(self.features.len()),
            voted: lanes(self.features.len() * k),
            work: Work {
                prior: lanes(k),
                matched: lanes(k),
                right_match: lanes(k),
                wrong: lanes(k),
                right_other: lanes(k),
                joint: lanes(if self.reads_class { slots * k } else { 0 }),
                marginal: lanes(slots),
            },
        }
    }

    /// The scores of row `u`, into `scores`.
    #[inline(always)]
    pub(super) fn row(&self, u: usize, scores: &mut Scores) {
        let mut observed = ZERO;
        for (to, &from) in observed.iter_mut().zip(&self.group.observed[u]) {
            *to = f32::from(from);
        }
        let silence = self.energies(u, &mut scores.work);
        self.prior(u, observed, &mut scores.work);
        if self.reads_class {
            self.with_class(observed, silence, scores);
        } else {
            self.without_class(observed, silence, scores);
        }
    }

    /// Adds up the links of the row's votes; returns the energy of v = 0.
    #[inline(always)]
    fn energies(&self, u: usize, work: &mut Work) -> Lane {
        let n = self.rows.active.len();
        let (sources, votes) = self.rows.row(u);
        let mut silence = self.silence;
        for table in [&mut work.matched, &mut work.right_match, &mut work.wrong, &mut work.right_other] {
            table.fill(ZERO);
        }
        for (feature, links) in self.features.iter().zip(self.parameters.links.chunks_exact(n)) {
            let share = feature.silence_where_voted() - feature.silence_where_abstained();
            let table = match feature.channel() {
                Some(Channel::Match) => &mut work.matched,
                Some(Channel::RightMatch) => &mut work.right_match,
                Some(Channel::Wrong) => &mut work.wrong,
                Some(Channel::RightOther) => &mut work.right_other,
                None => {
                    for &l in sources {
                        add(&mut silence, &links[usize::from(l)]);
                    }
                    continue;
                }
            };
            for (&l, &vote) in sources.iter().zip(votes) {
                add(&mut table[usize::from(vote) - 1], &links[usize::from(l)]);
            }
            if self.match_alone && *feature == Feature::Correlation {
                // All votes have been added to one class each, so their sum over classes is what they share.
                for class in table.iter() {
                    add_times(&mut silence, class, share);
                }
            } else if share != 0.0 {
                for &l in sources {
                    add_times(&mut silence, &links[usize::from(l)], share);
                }
            }
        }
        silence
    }

    /// q(y): the row's class probabilities with the lane's own vote taken out.
    #[inline(always)]
    fn prior(&self, u: usize, observed: Lane, work: &mut Work) {
        let mut total = ZERO;
        for (y, (&probability, prior)) in self.context.row(u).iter().zip(&mut work.prior).enumerate() {
            let own = self.slot[y + 1].map_or(-1.0, place);
            *prior = map2(observed, self.take_out, |seen, out| {
                probability * if same(seen, own) { out } else { 1.0 }
            });
            add(&mut total, prior);
        }
        let inverse = map(total, |total| 1.0 / total);
        for prior in &mut work.prior {
            *prior = map2(*prior, inverse, |p, inverse| p * inverse);
        }
    }

    /// No link reads the class: the sum over y has a closed form, and one exponential a value is enough.
    ///
    /// # Formula
    /// ```text
    /// p(v) ∝ exp(r_v + links(v)) · m(v),   m(v) = e^-a + (e^a - e^-a) q(v)
    /// ```
    #[inline(always)]
    fn without_class(&self, observed: Lane, silence: Lane, scores: &mut Scores) {
        let work = &mut scores.work;
        let slots = self.group.classes.len();
        let mut top = silence;
        for (slot, &class) in self.group.classes.iter().enumerate() {
            let matched = work.matched[usize::from(class) - 1];
            let energy =
                map3(self.parameters.rates[slot], matched, self.forbidden[slot], |r, m, f| r + m + f);
            top = map2(top, energy, larger);
            work.marginal[slot] = energy;
        }
        let silent = exp(map2(silence, top, |s, top| s - top));
        let mut total = silent;
        // Of the accuracy: Σ_v p(v) d log m(v) / da, and the same at the vote cast.
        let (mut expected, mut at_vote) = (ZERO, ZERO);
        for (slot, &class) in self.group.classes.iter().enumerate() {
            let prior = work.prior[usize::from(class) - 1];
            let weight = exp(map2(work.marginal[slot], top, |energy, top| energy - top));
            let weight = map2(weight, self.inside[slot], |weight, inside| weight * inside);
            let mixed = map3(self.up, self.down, prior, |up, down, q| down + (up - down) * q);
            let slope = map3(self.up, self.down, prior, |up, down, q| (up + down) * q - down);
            work.marginal[slot] = map2(weight, mixed, |weight, mixed| weight * mixed);
            add(&mut total, &work.marginal[slot]);
            expected = map3(expected, weight, slope, |sum, weight, slope| sum + weight * slope);
            let relative = map2(slope, mixed, |slope, mixed| slope / mixed);
            at_vote = map3(
                observed,
                relative,
                at_vote,
                |seen, here, else_| if same(seen, place(slot)) { here } else { else_ },
            );
        }
        let inverse = map(total, |total| 1.0 / total);
        let silent = map2(silent, inverse, |silent, inverse| silent * inverse);
        let silent_score = map2(observed, silent, |seen, p| if same(seen, 0.0) { 1.0 - p } else { -p });
        let mut cast = silent;
        for slot in 0..slots {
            let p = map2(work.marginal[slot], inverse, |p, inverse| p * inverse);
            cast = map3(observed, p, cast, |seen, p, cast| if same(seen, place(slot)) { p } else { cast });
            scores.rates[slot] =
                map2(observed, p, |seen, p| if same(seen, place(slot)) { 1.0 - p } else { -p });
        }
        scores.accuracy =
            map3(at_vote, expected, inverse, |at_vote, expected, inverse| at_vote - expected * inverse);
        scores.log_likelihood = ln(map(cast, |cast| larger(cast, f32::MIN_POSITIVE)));
        let k = self.rows.classes;
        for (t, feature) in self.features.iter().enumerate() {
            let base = if *feature == Feature::Correlation { silent_score } else { ZERO };
            scores.abstained[t] = base;
            for y in 0..k {
                let at = match feature {
                    Feature::Exclusive => silent_score,
                    _ => self.slot[y + 1].map_or(ZERO, |slot| scores.rates[slot]),
                };
                scores.voted[t * k + y] = map2(at, base, |at, base| at - base);
            }
        }
    }

    /// Some link reads the class: the table over all (v, y).
    #[inline(always)]
    fn with_class(&self, observed: Lane, silence: Lane, scores: &mut Scores) {
        let k = self.rows.classes;
        let work = &mut scores.work;
        let mut other = ZERO;
        for right_other in &work.right_other {
            add(&mut other, right_other);
        }
        let accuracy = self.parameters.accuracy;
        let mut top = silence;
        for (slot, &class) in self.group.classes.iter().enumerate() {
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
        for slot in 0..self.group.classes.len() {
            for y in 0..k {
                let weight = exp(map2(work.joint[slot * k + y], top, |energy, top| energy - top));
                let cell =
                    map3(weight, work.prior[y], self.inside[slot], |weight, q, inside| weight * q * inside);
                work.joint[slot * k + y] = cell;
                add(&mut total, &cell);
            }
        }
        let inverse = map(total, |total| 1.0 / total);
        let silent = map2(silent, inverse, |silent, inverse| silent * inverse);
        let silent_score = map2(observed, silent, |seen, p| if same(seen, 0.0) { 1.0 - p } else { -p });
        let mut cast = silent;
        scores.accuracy = ZERO;
        for slot in 0..self.group.classes.len() {
            let mut marginal = ZERO;
            for cell in &mut work.joint[slot * k..(slot + 1) * k] {
                *cell = map2(*cell, inverse, |cell, inverse| cell * inverse);
                add(&mut marginal, cell);
            }
            cast = map3(
                observed,
                marginal,
                cast,
                |seen, p, cast| if same(seen, place(slot)) { p } else { cast },
            );
            scores.rates[slot] =
                map2(observed, marginal, |seen, p| if same(seen, place(slot)) { 1.0 - p } else { -p });
            // From probabilities to residuals: the posterior of y at the vote cast, less the joint.
            let at_vote = map2(observed, marginal, |seen, p| {
                if same(seen, place(slot)) { 1.0 / larger(p, f32::MIN_POSITIVE) } else { 0.0 }
            });
            for y in 0..k {
                let cell = &mut work.joint[slot * k + y];
                *cell = map2(*cell, at_vote, |cell, at_vote| cell * at_vote - cell);
                let sign = if y + 1 == usize::from(self.group.classes[slot]) { 1.0 } else { -1.0 };
                add_times(&mut scores.accuracy, cell, sign);
            }
        }
        scores.log_likelihood = ln(map(cast, |cast| larger(cast, f32::MIN_POSITIVE)));
        self.class_reading_scores(silent_score, scores);
    }

    #[inline(always)]
    fn class_reading_scores(&self, silent_score: Lane, scores: &mut Scores) {
        let k = self.rows.classes;
        let right = |y: usize, joint: &[Lane]| self.slot[y + 1].map_or(ZERO, |slot| joint[slot * k + y]);
        let joint = &scores.work.joint;
        for (t, feature) in self.features.iter().enumerate() {
            let base = map(silent_score, |score| score * feature.silence_where_abstained());
            scores.abstained[t] = base;
            for y in 0..k {
                let mut at = ZERO;
                match feature.channel() {
                    Some(Channel::Match) => at = self.slot[y + 1].map_or(ZERO, |slot| scores.rates[slot]),
                    Some(Channel::RightMatch) => at = right(y, joint),
                    Some(Channel::Wrong) => {
                        for (slot, &class) in self.group.classes.iter().enumerate() {
                            if usize::from(class) != y + 1 {
                                add(&mut at, &joint[slot * k + y]);
                            }
                        }
                    }
                    Some(Channel::RightOther) => {
                        for other in (0..k).filter(|&other| other != y) {
                            add(&mut at, &right(other, joint));
                        }
                    }
                    None => {}
                }
                add_times(&mut at, &silent_score, feature.silence_where_voted());
                scores.voted[t * k + y] = map2(at, base, |at, base| at - base);
            }
        }
    }
}
