//! The posterior of the class of an item.

use super::grid::{Curve, POINTS, STRENGTHS};
use super::ogive::{OGIVE_SCALE, log_normal};
use super::strength::Strength;
use super::voices::Voices;
use super::{Impression, ImpressionLink};
use crate::model::{Fitted, RowScores};
use crate::num::softmax_in_place;
use crate::optim::{EIGHT, exp_of_eight, in_memory};
use crate::parallel;
use crate::sources::Vote;

/// Labels rows by a fitted model.
pub(crate) struct Labeller<'a>(Way<'a>);

enum Way<'a> {
    /// By the model's scores as they are.
    Plain(RowScores<'a>),
    /// By class and strength of the impression.
    Seen(Box<Seen>),
}

impl<'a> Labeller<'a> {
    pub(crate) fn new(fitted: &'a Fitted) -> Self {
        let seen = fitted.impression.as_ref().and_then(|impression| {
            let voices = Voices::of(&fitted.model, &fitted.shares)?;
            Some(Box::new(Seen::for_labels(&voices, impression, fitted.model.silent_scores())))
        });
        Self(seen.map_or_else(|| Way::Plain(RowScores::new(&fitted.model)), Way::Seen))
    }

    /// The probabilities of the classes of one row of `(source, vote)`, ascending by source, into `p`.
    #[inline(always)]
    pub(crate) fn posterior(&self, votes: &[(usize, Vote)], p: &mut [f64]) {
        match &self.0 {
            Way::Plain(scores) => {
                scores.row(votes.iter().copied(), p);
                softmax_in_place(p);
            }
            Way::Seen(seen) => seen.label(votes, p),
        }
    }
}

/// What votes say about class and strength, tabulated.
pub(crate) struct Seen {
    k: usize,
    strength: Strength,
    /// The class priors of the model, the largest of which is 1.
    prior: Vec<f64>,
    /// e^{b_c}.
    class_term: Vec<f64>,
    votes: Tables,
}

enum Tables {
    /// Scores that the strength multiplies, and normalisers.
    Scaled {
        /// δ w_j(v, v) for each source and vote.
        own: Vec<f64>,
        /// For each source, what its votes say about other classes, and δ.
        table: Vec<Option<(usize, f64)>>,
        tables: Vec<Vec<f64>>,
        /// -δ ψ_j.
        lowering: Vec<Curve>,
    },
    /// For each source and vote of two classes, δ t_j(v | c, z) for both classes seen.
    Each(Vec<[Curve; 2]>),
}

impl Seen {
    /// As labels are made; `prior` are the scores of the classes if nobody votes.
    pub(crate) fn for_labels(voices: &Voices, impression: &Impression, prior: &[f64]) -> Self {
        let votes = match impression.link {
            ImpressionLink::Ogive if voices.k == 2 => Tables::Each(each(voices)),
            _ if voices.k == 2 => Tables::scaled(
                voices,
                |j, v| voices.score(j, v, v),
                voices.tables.clone(),
                |j| voices.label_normaliser(j),
            ),
            _ => Tables::scaled(
                voices,
                |j, v| voices.own_of_vote(j, v),
                voices.tables_below_own(),
                |j| voices.label_normaliser(j),
            ),
        };
        Self {
            k: voices.k,
            strength: Strength::new(impression.level, impression.spread),
            prior: relative(prior),
            class_term: impression.class_term.iter().map(|term| term.exp()).collect(),
            votes,
        }
    }

    /// As sources are compared: by their accuracies alone, no class before another.
    pub(crate) fn for_states(voices: &Voices, level: f64, spread: f64) -> Self {
        let votes = Tables::scaled(voices, |j, _| voices.own[j], Vec::new(), |j| voices.mean_normaliser(j));
        let (prior, class_term) = (vec![1.0; voices.k], vec![1.0; voices.k]);
        Self { k: voices.k, strength: Strength::new(level, spread), prior, class_term, votes }
    }

    /// P(y | λ) into `p`.
    #[inline(always)]
    pub(crate) fn label(&self, votes: &[(usize, Vote)], p: &mut [f64]) {
        let others = self.k as f64 - 1.0;
        let right = &self.strength.right;
        let mut wrong = 0.0;
        self.each_class(
            votes,
            p,
            #[inline(always)]
            |seen| {
                let (rightly, all) = (seen.sum_with(right), seen.sum());
                [rightly, ((all - rightly) / others).max(0.0)]
            },
            #[inline(always)]
            |p, c, [rightly, wrongly]| {
                let term = self.class_term[c];
                wrong += term * wrongly;
                *p = term * (rightly - wrongly);
            },
        );
        let mut total = 0.0;
        for (p, prior) in p.iter_mut().zip(&self.prior) {
            *p = (*p + wrong).max(0.0) * prior;
            total += *p;
        }
        for p in p.iter_mut() {
            *p = (*p / total).max(SMALLEST);
        }
    }

    /// P(class seen, strength below or from `cut` on | λ) into `q`: all classes with a low strength, then all with a high one.
    #[inline(always)]
    pub(crate) fn states(&self, votes: &[(usize, Vote)], cut: f64, q: &mut [f64]) {
        let (weak, strong) = q.split_at_mut(self.k);
        let is_weak = Curve::of(|g| f64::from(u8::from(STRENGTHS[g] < cut)));
        let is_strong = Curve::of(|g| 1.0 - is_weak[g]);
        self.each_class(
            votes,
            weak,
            #[inline(always)]
            |seen| [seen.sum_with(&is_weak), seen.sum_with(&is_strong)],
            #[inline(always)]
            |weak, c, sums| {
                [*weak, strong[c]] = sums;
            },
        );
        let total: f64 = q.iter().sum();
        for q in q.iter_mut() {
            *q /= total;
        }
    }

    /// For each class c of a row, `sums` of p(c, z) over the strengths, up to a factor, handed to `keep` with the place of `scores`
    /// that is c's; classes with the same score share their sums.
    #[inline(always)]
    fn each_class(
        &self,
        votes: &[(usize, Vote)],
        scores: &mut [f64],
        sums: impl Fn(&Curve) -> [f64; 2],
        mut keep: impl FnMut(&mut f64, usize, [f64; 2]),
    ) {
        match &self.votes {
            Tables::Scaled { own, table, tables, lowering } => {
                let k = self.k;
                let lowering = votes.iter().map(|&(j, _)| &lowering[j]);
                let lowered = self.strength.log_density.plus_all(lowering);
                scores.fill(0.0);
                for &(j, vote) in votes {
                    let v = usize::from(vote) - 1;
                    scores[v] += own[j * k + v];
                    if let Some((table, share)) = table[j] {
                        let row = &tables[table][v * k..][..k];
                        for (score, cell) in scores.iter_mut().zip(row) {
                            *score += share * cell;
                        }
                    }
                }
                let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let most = largest(&[scaled(top, &lowered, 0.0)]);
                let mut untouched = None;
                for (c, score) in scores.iter_mut().enumerate() {
                    // Most classes of many have no vote.
                    let no_vote = score.to_bits() == 0;
                    let of_class = match untouched {
                        Some(known) if no_vote => known,
                        _ => sums(&exponentials(&scaled(*score, &lowered, most))),
                    };
                    if no_vote {
                        untouched = Some(of_class);
                    }
                    keep(score, c, of_class);
                }
            }
            Tables::Each(tables) => {
                let tables = votes.iter().map(|&(j, vote)| &tables[j * 2 + usize::from(vote) - 1]);
                let mut seen = self.strength.log_density.plus_pairs(tables);
                let tops = [largest(&seen[..1]), largest(&seen[1..])];
                let most = if tops[0] > tops[1] { tops[0] } else { tops[1] };
                for (c, (score, seen)) in scores.iter_mut().zip(&mut seen).enumerate() {
                    if tops[c] < most - NEGLIGIBLE {
                        keep(score, c, [0.0; 2]);
                        continue;
                    }
                    for x in seen.iter_mut() {
                        *x -= most;
                    }
                    keep(score, c, sums(&exponentials(seen)));
                }
            }
        }
    }
}

/// e^x of each of `logarithms`, up to a factor that makes the largest 1.
fn relative(logarithms: &[f64]) -> Vec<f64> {
    let most = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logarithms.iter().map(|x| (x - most).exp()).collect()
}

/// A class that is e to this power less likely than another one adds nothing to what is rounded.
const NEGLIGIBLE: f64 = 80.0;

/// No probability is less: the resolution of a sum of rounded numbers.
const SMALLEST: f64 = 1e-12;

/// The largest of all numbers.
#[inline(always)]
pub(crate) fn largest(curves: &[Curve]) -> f64 {
    let mut lanes = [f64::NEG_INFINITY; EIGHT];
    for curve in curves {
        for chunk in curve.as_chunks::<EIGHT>().0 {
            for i in 0..EIGHT {
                lanes[i] = if chunk[i] > lanes[i] { chunk[i] } else { lanes[i] };
            }
        }
    }
    let mut most = f64::NEG_INFINITY;
    for x in *in_memory(&mut lanes) {
        most = if x > most { x } else { most };
    }
    most
}

#[inline(always)]
fn scaled(score: f64, lowered: &Curve, most: f64) -> Curve {
    let mut seen = Curve::ZERO;
    for g in 0..POINTS {
        seen[g] = STRENGTHS[g] * score + lowered[g] - most;
    }
    seen
}

#[inline(always)]
pub(super) fn exponentials(x: &Curve) -> Curve {
    let mut y = Curve::ZERO;
    for (y, x) in y.as_chunks_mut::<EIGHT>().0.iter_mut().zip(x.as_chunks::<EIGHT>().0) {
        *y = exp_of_eight(x);
    }
    y
}

impl Tables {
    fn scaled(
        voices: &Voices,
        own: impl Fn(usize, usize) -> f64,
        tables: Vec<Vec<f64>>,
        normaliser: impl Fn(usize) -> Curve + Sync,
    ) -> Self {
        let (n, k) = (voices.sources(), voices.k);
        let share = |j: usize| voices.shares[j];
        Self::Scaled {
            own: (0..n * k).map(|at| share(at / k) * own(at / k, at % k)).collect(),
            table: (0..n)
                .map(|j| voices.table[j].filter(|_| !tables.is_empty()).map(|table| (table, share(j))))
                .collect(),
            lowering: parallel::map(0..n, |j| Curve(normaliser(j).map(|psi| -share(j) * psi))),
            tables,
        }
    }
}

/// For each source and vote of two classes, δ t_j(v | c, z) for both classes seen; sources of one class as without the ogive.
pub(crate) fn each(voices: &Voices) -> Vec<[Curve; 2]> {
    let of_vote = |at: usize| {
        let (j, v) = (at / 2, at % 2);
        let share = voices.shares[j];
        if !voices.several[j] {
            let psi = voices.label_normaliser(j);
            return [0, 1].map(|c| Curve::of(|g| share * (STRENGTHS[g] * voices.score(j, v, c) - psi[g])));
        }
        let (slope, lean) = (voices.own[j], (voices.rates[j * 2 + 1] / voices.rates[j * 2]).ln());
        [-1.0, 1.0].map(|side| {
            Curve(STRENGTHS.map(|z| {
                let eta = (lean + slope * side * z) / OGIVE_SCALE;
                share * log_normal(if v == 1 { eta } else { -eta })
            }))
        })
    };
    parallel::map(0..voices.sources() * 2, of_vote)
}
