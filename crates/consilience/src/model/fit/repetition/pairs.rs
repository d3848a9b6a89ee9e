//! Which sources repeat each other: how far their agreement goes beyond what their accuracies explain.

use super::common_votes::Common;
use super::expected_agreement::Sayings;
use super::listing::{Listed, Listing};
use super::typical_agreement::{Middle, Usual, median};
use super::votes_by_state::Given;
use crate::components::components;
use crate::model::fit::likelihood::rows::Rows;
use crate::parallel;
use crate::sources::{ABSTAIN, Vote};
use crate::structure::Repetition;
use crate::votes::Votes;

/// A pair needs this many common votes, and near copies more.
const COMMON: f64 = 5.0;
const COMMON_OF_COPIES: f64 = 20.0;
/// Votes added to what is possible, so that few of them prove little.
const SHRINK: f64 = 5.0;
/// Excess agreement above this counts.
const KEPT: f64 = 0.25;
/// ... if it is this many standard deviations above chance.
const CERTAIN: f64 = 5.0;
/// A source is compared with others of its kind if there are at least this many.
const FEWEST_OTHERS: usize = 5;

/// From this many sources of several classes on, each is compared with what is usual among the others. With three to five, the most
/// probable reading says who repeats whom.
pub const FEWEST_COMPARED: usize = FEWEST_OTHERS + 1;
/// Near copies that vote for several classes agree more often than a typical pair would in one of this many tables.
const TABLES: f64 = 100.0;
/// Near copies say the same on this share of the items on which one of them votes; sources of one class, and others.
const NEAR_ONE_CLASS: f64 = 0.95;
const NEAR: f64 = 0.99;
/// Agreement beyond chance that joins sources into a group, at most this with those outside, and how much more these
/// have among themselves, before the group counts as an echo.
const ECHO: f64 = 0.5;
const ECHO_OUTSIDE: f64 = 0.03;
const ECHO_MARGIN: f64 = 0.02;
/// ... or this many standard errors above 0, which is more if few votes are common, up to this.
const CHANCE: f64 = 3.0;
const ECHO_OUTSIDE_MOST: f64 = 0.06;
/// ... and where those outside share so many votes with the group.
const ECHO_VOTES: f64 = 400.0;
/// Less agreement joins too, if each pair of the group agrees by this many standard errors, and nobody in it agrees with
/// anybody outside by this many.
const FAINT_ECHO: f64 = 0.3;
const FAR_INSIDE: f64 = 10.0;
const FAR_OUTSIDE: f64 = 4.0;

/// Rows, their votes listed, and what pairs of sources have in common on them.
pub(crate) struct Pairs {
    pub(crate) n: usize,
    pub(crate) k: usize,
    pub(crate) rows: Vec<Vec<(u32, Vote)>>,
    pub(crate) counts: Vec<f64>,
    /// For each source, the rows on which it votes, with its vote.
    pub(crate) rows_of: Vec<Vec<(u32, Vote)>>,
    /// For each source and class, how often it votes for it.
    cast: Vec<f64>,
    /// For each source, how often it votes.
    total: Vec<f64>,
    /// For each source, its only class; [`ABSTAIN`] for a source of several.
    pub(crate) only: Vec<Vote>,
    /// For each pair, on how many items both vote, and cast the same vote.
    both: Vec<f64>,
    same: Vec<f64>,
}

/// How two sources are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Both only ever vote for the same class: by when they vote.
    Firing,
    /// Both only ever vote for one class, and not the same: never.
    Apart,
    /// Else by what they say where both vote.
    Saying,
}

impl Pairs {
    /// Of the sources of `votes` on `rows`.
    pub(crate) fn new(votes: &Votes, rows: &Rows<'_>) -> Self {
        let (n, k) = (votes.sources().len(), votes.classes().len());
        let patterns = votes.patterns();
        let list = |row: usize| patterns.row(rows.pattern(row)).map(|(j, vote)| (j as u32, vote)).collect();
        let lists: Vec<Vec<(u32, Vote)>> = (0..rows.len()).map(list).collect();
        // Items on which nobody votes say nothing.
        let count = |row: usize, list: &Vec<(u32, Vote)>| {
            if list.is_empty() { 0.0 } else { patterns.counts()[rows.pattern(row)] as f64 }
        };
        let counts: Vec<f64> = lists.iter().enumerate().map(|(row, list)| count(row, list)).collect();
        let mut rows_of = vec![Vec::new(); n];
        let mut cast = vec![0.0; n * k];
        for (u, row) in lists.iter().enumerate() {
            for &(j, vote) in row {
                rows_of[j as usize].push((u as u32, vote));
                cast[j as usize * k + usize::from(vote) - 1] += counts[u];
            }
        }
        let only = |domain: &crate::sources::Domain| match *domain.classes() {
            [class] => class,
            _ => ABSTAIN,
        };
        let mut pairs = Self {
            n,
            k,
            rows: lists,
            counts,
            rows_of,
            total: cast.chunks_exact(k).map(|cast| cast.iter().sum()).collect(),
            cast,
            only: votes.domains().iter().map(only).collect(),
            both: Vec::new(),
            same: Vec::new(),
        };
        let common = Common::new(&pairs);
        (pairs.both, pairs.same) = (common.both, common.same);
        pairs
    }

    fn kind(&self, j: usize, l: usize) -> Kind {
        match (self.only[j], self.only[l]) {
            (ABSTAIN, _) | (_, ABSTAIN) => Kind::Saying,
            (a, b) if a == b => Kind::Firing,
            _ => Kind::Apart,
        }
    }

    fn votes(&self, j: usize) -> f64 {
        self.total[j]
    }

    /// Which pairs are near copies of each other, row by row of a square.
    ///
    /// # Formula
    /// ```text
    /// same votes / items on which either votes >= 0.95 (sources of one class) or 0.99 (others),   both vote on 20 items
    /// others:  -common votes · log( mean agreement of all such pairs ) > log( 100 · number of such pairs )
    /// ```
    /// The last condition asks for more agreement than good sources show by being right.
    pub(crate) fn near_copies(&self) -> Vec<bool> {
        let n = self.n;
        let (mut both_of_all, mut same_of_all, mut pairs) = (0.0, 0.0, 0.0);
        for j in 0..n {
            for l in j + 1..n {
                if self.kind(j, l) == Kind::Saying && self.both[j * n + l] >= COMMON {
                    both_of_all += self.both[j * n + l];
                    same_of_all += self.same[j * n + l];
                    pairs += 1.0;
                }
            }
        }
        let agreement = f64::min(same_of_all / f64::max(both_of_all, 1.0), 0.999);
        let needed = f64::max(pairs, 1.0).ln() + TABLES.ln();
        let near = |j: usize, l: usize| {
            let (both, same) = (self.both[j * n + l], self.same[j * n + l]);
            let either = self.votes(j) + self.votes(l) - both;
            let firing = self.kind(j, l) == Kind::Firing;
            let limit = if firing { NEAR_ONE_CLASS } else { NEAR };
            j != l
                && both >= COMMON_OF_COPIES
                && same >= limit * either.max(1.0)
                && (firing || -both * agreement.ln() > needed)
        };
        (0..n * n).map(|at| near(at / n, at % n)).collect()
    }

    /// Groups of sources that count once, known before any fit: near copies, and echoes, groups of sources that agree with each
    /// other and with nobody outside, while those outside do agree among themselves.
    ///
    /// # Formula
    /// ```text
    /// echo:         joined by kappa >= 0.5;  mean kappa with others < 3 se within 0.03..0.06 and at least 0.02 below that among the others
    /// faint echo:   the same with kappa >= 0.3, every pair inside 10 se above 0 and no pair across 4 se above 0
    /// both:         those outside have at least 400 votes in common with the group, and all are six sources or more
    /// ```
    /// Of four sources that agree two by two, either pair may be the one that is right.
    pub(crate) fn echoes(&self, near: &[bool]) -> Vec<Vec<usize>> {
        let n = self.n;
        let near = |j: usize, l: usize| near[j * n + l];
        let mut found = groups(n, near);
        let several = |j: usize| self.only[j] == ABSTAIN && !self.rows_of[j].is_empty();
        if (0..n).filter(|&j| several(j)).count() < FEWEST_COMPARED {
            return found;
        }
        let kappa: Vec<f64> = (0..n * n).map(|at| self.kappa(at / n, at % n)).collect();
        let near_kappa = |j: usize, l: usize| kappa[j * n + l] >= ECHO || near(j, l);
        self.add_echoes(&kappa, &several, near_kappa, false, &mut found);
        let faint_kappa = |j: usize, l: usize| kappa[j * n + l] >= FAINT_ECHO;
        self.add_echoes(&kappa, &several, faint_kappa, true, &mut found);
        found
    }

    /// Adds the groups to `found` that `linked` joins and nobody else agrees with; `beyond_doubt` asks that every pair inside
    /// agrees and none across does, by far more than chance.
    fn add_echoes(
        &self,
        kappa: &[f64],
        several: &impl Fn(usize) -> bool,
        linked: impl Fn(usize, usize) -> bool,
        beyond_doubt: bool,
        found: &mut Vec<Vec<usize>>,
    ) {
        let n = self.n;
        let joined = |j: usize, l: usize| {
            let compared = several(j) && several(l) && self.both[j * n + l] >= COMMON_OF_COPIES;
            compared && linked(j, l)
        };
        let echoes = groups(n, joined);
        let mut group_of: Vec<usize> = (0..n).map(|j| n + j).collect();
        for (g, group) in echoes.iter().enumerate() {
            for &j in group {
                group_of[j] = g;
            }
        }
        // Mean kappa over pairs of `from` and `to` in different groups, weighted by common votes.
        let mean = |from: &[usize], to: &[usize]| {
            let (mut sum, mut weight) = (0.0, 0.0);
            for &j in from {
                for &l in to {
                    if j != l && group_of[j] != group_of[l] && self.kind(j, l) == Kind::Saying {
                        sum += self.both[j * n + l] * kappa[j * n + l];
                        weight += self.both[j * n + l];
                    }
                }
            }
            (weight > 0.0).then(|| sum / weight)
        };
        // Common votes with those outside: those who say the same count as one.
        let crossing = |outside: &[usize], group: &[usize]| -> f64 {
            let common = |l: usize| group.iter().map(|&j| self.both[j * n + l]).fold(0.0, f64::max);
            outside.iter().map(|&l| common(l)).sum()
        };
        let z = |j: usize, l: usize| kappa[j * n + l] * self.both[j * n + l].sqrt();
        for (g, group) in echoes.iter().enumerate() {
            let outside: Vec<usize> = (0..n).filter(|&j| several(j) && group_of[j] != g).collect();
            let apart = || {
                let inside = group.iter().all(|&j| group.iter().all(|&l| j == l || z(j, l) > FAR_INSIDE));
                inside && group.iter().all(|&j| outside.iter().all(|&l| z(j, l) < FAR_OUTSIDE))
            };
            let crossing = crossing(&outside, group);
            // The standard error of the mean kappa where nobody agrees.
            let chance = crossing.max(1.0).powf(-0.5);
            if let (Some(with_others), Some(among_others)) = (mean(group, &outside), mean(&outside, &outside))
                && crossing >= ECHO_VOTES
                && with_others < (CHANCE * chance).clamp(ECHO_OUTSIDE, ECHO_OUTSIDE_MOST)
                && among_others > with_others + ECHO_MARGIN
                && (!beyond_doubt || apart())
                && !found.contains(group)
            {
                found.push(group.clone());
            }
        }
    }

    /// Agreement beyond chance where both vote, drawn towards 0 where that is rare.
    fn kappa(&self, j: usize, l: usize) -> f64 {
        if j == l {
            return 0.0;
        }
        let share =
            |j: usize, c: usize| (self.cast[j * self.k + c] + 0.5) / (self.votes(j) + 0.5 * self.k as f64);
        let chance: f64 = (0..self.k).map(|c| share(j, c) * share(l, c)).sum();
        let both = self.both[j * self.n + l];
        let agreement = self.same[j * self.n + l] / both.max(1.0);
        (agreement - chance) / (1.0 - chance) * both / (both + SHRINK)
    }

    /// What follows for every source from the posteriors of the rows.
    ///
    /// # Formula
    /// ```text
    /// δ_j = 1 / (1 + Σ_l r_jl),   r_jl = ρ_jl · (1 for sources of one class, else common votes / n_j)   over kept pairs
    /// ρ_jl = (O - E) / (M - E + 5),   z_jl = (O - E) / √Var
    /// O: items with the same vote;  E: expected if j and l were independent given the state of the item;  M: the most possible
    /// one class:  E = Σ_y N_y p(j fires | y) p(l fires | y),   M = √(n_j n_l),   Var = E
    /// others:     E = Σ_{u: both vote} Σ_s q_u(s) g_s,   g_s = Σ_v p(v | j votes, s) p(v | l votes, s),   M = common votes
    /// ```
    /// States are the class and, for sources of several classes, whether the impression is weak or strong: judges that are
    /// sure of the same easy items do not repeat each other.
    ///
    /// What all rules of a class share is the class, not repetition: the median of ρ_jl over the rules l of j's class is taken
    /// off. With fewer than five others the two cannot be told apart, and neither can they between sources of several classes.
    pub(crate) fn discounts(&self, posteriors: &Posteriors, listing: &Listing) -> Discounts {
        let given = Given::new(self, &posteriors.classes, self.k);
        let (states, count) = match &posteriors.states {
            Some(states) => (states, 2 * self.k),
            None => (&posteriors.classes, self.k),
        };
        let sayings = Sayings::new(self, states, &Given::new(self, states, count));
        let usual = self.usual(&sayings);
        let of_source = parallel::map(0..self.n, |j| self.discount(j, &given, &sayings, &usual, listing));
        let mut discounts =
            Discounts { shares: Vec::with_capacity(self.n), excess: Vec::new(), unexplained: 0.0 };
        let mut others = Unexplained::default();
        for (share, excess, left) in of_source {
            discounts.shares.push(share);
            discounts.excess.extend(excess);
            others.pairs += left.pairs;
            others.squares += left.squares;
        }
        discounts.unexplained = others.squares / others.pairs.max(1.0);
        discounts
    }

    fn usual(&self, sayings: &Sayings) -> Usual {
        let n = self.n;
        let of_source = |j: usize| {
            let (expected, variance) = sayings.of_source(j);
            let later = (j + 1..n)
                .filter(move |&l| self.kind(j, l) == Kind::Saying && self.both[j * n + l] >= COMMON);
            let of_pair = |l: usize| {
                let rho = self.excess_where_both_vote(j, l, expected[l]);
                (rho, self.deviations(j, l, expected[l], variance[l]))
            };
            later.map(of_pair).collect::<Vec<(f64, f64)>>()
        };
        let (rho, z): (Vec<f64>, Vec<f64>) = parallel::flat_map(0..n, of_source).into_iter().unzip();
        Usual { pairs: rho.len() as f64, rho: Middle::of(&rho), z: Middle::of(&z) }
    }

    /// z: by how many standard deviations two sources agree more often than expected.
    fn deviations(&self, j: usize, l: usize, expected: f64, variance: f64) -> f64 {
        (self.same[j * self.n + l] - expected) / variance.max(1.0).sqrt()
    }

    fn excess_where_both_vote(&self, j: usize, l: usize, expected: f64) -> f64 {
        let at = j * self.n + l;
        (self.same[at] - expected) / (self.both[at] - expected + SHRINK).max(1e-9)
    }

    fn discount(
        &self,
        j: usize,
        given: &Given,
        sayings: &Sayings,
        usual: &Usual,
        listing: &Listing,
    ) -> (f64, Vec<Excess>, Unexplained) {
        crate::watch::look();
        let (n, k) = (self.n, self.k);
        let (mut expected, mut variance) = sayings.of_source(j);
        for l in 0..n {
            if self.kind(j, l) == Kind::Firing {
                let at = usize::from(self.only[j]) - 1;
                let firing = |j: usize, y: usize| given.of_items[(j * k + at) * k + y];
                expected[l] = (0..k).map(|y| given.state[y] * firing(j, y) * firing(l, y)).sum();
                variance[l] = expected[l];
            }
        }
        let compared = |l: usize| l != j && self.both[j * n + l] >= COMMON && self.kind(j, l) != Kind::Apart;
        let excess = |l: usize| {
            if !compared(l) {
                return 0.0;
            }
            if self.kind(j, l) == Kind::Saying {
                return self.excess_where_both_vote(j, l, expected[l]);
            }
            let most = (self.votes(j) * self.votes(l)).sqrt();
            (self.same[j * n + l] - expected[l]) / (most - expected[l] + SHRINK).max(1e-9)
        };
        let mut rho: Vec<f64> = (0..n).map(excess).collect();
        let of_kind = |kind: Kind| -> Vec<usize> {
            let others = (0..n).filter(|&l| l != j && !self.rows_of[l].is_empty());
            others.filter(|&l| self.kind(j, l) == kind).collect()
        };
        let firing = of_kind(Kind::Firing);
        let enough_rules = firing.len() >= FEWEST_OTHERS;
        let enough_others = of_kind(Kind::Saying).len() >= FEWEST_OTHERS;
        if enough_rules {
            let middle = median(firing.iter().map(|&l| rho[l]).collect()).max(0.0);
            for &l in firing.iter().filter(|&&l| compared(l)) {
                rho[l] = (rho[l] - middle) / (1.0 - middle).max(1e-9);
            }
        }
        let mut total = 0.0;
        let mut repeated = Vec::new();
        let mut unexplained = Unexplained::default();
        for l in (0..n).filter(|&l| compared(l)) {
            let one_class = self.kind(j, l) == Kind::Firing;
            let z = self.deviations(j, l, expected[l], variance[l]);
            let rho = rho[l].clamp(-1.0, 1.0);
            let told_apart = if one_class { enough_rules } else { enough_others };
            let kept = match listing.of(j, l) {
                Listed::Repetition => rho > 0.0,
                Listed::Linked => rho > if one_class { 0.0 } else { usual.largest_rho() } && told_apart,
                Listed::Open => rho > KEPT && z > CERTAIN && told_apart,
                Listed::Unread if one_class => rho > KEPT && z > CERTAIN && told_apart,
                Listed::Unread => rho > 0.0 && usual.stands_out(z) && told_apart,
                Listed::Closed => false,
            };
            if kept {
                let share = self.part_in_common(j, l);
                total += rho * share;
                repeated.push(Excess { source: j, of: l, rho, share: rho * share, z });
            } else if !one_class {
                unexplained.pairs += 1.0;
                unexplained.squares += z * z;
            }
        }
        (1.0 / (1.0 + total), repeated, unexplained)
    }

    /// The discount of every source by the pairs that are known to repeat each other, with the shares known of them.
    pub(crate) fn known_discounts(&self, known: &[Repetition]) -> (Vec<f64>, Vec<Excess>) {
        let mut totals = vec![0.0; self.n];
        let mut repeated = Vec::with_capacity(2 * known.len());
        for pair in known {
            let [j, l] = pair.sources;
            for (source, of) in [(j, l), (l, j)] {
                let (rho, z) = (pair.share.min(1.0), pair.z.unwrap_or(0.0));
                let share = rho * self.part_in_common(source, of);
                totals[source] += share;
                repeated.push(Excess { source, of, rho, share, z });
            }
        }
        repeated.sort_by_key(|excess| (excess.source, excess.of));
        (totals.iter().map(|total| 1.0 / (1.0 + total)).collect(), repeated)
    }

    /// The part of the votes of `j` that can be those of `l`: all if both vote for one class only.
    fn part_in_common(&self, j: usize, l: usize) -> f64 {
        match self.kind(j, l) {
            Kind::Firing => 1.0,
            Kind::Apart => 0.0,
            Kind::Saying => self.both[j * self.n + l] / self.votes(j).max(1.0),
        }
    }
}

/// What comparing the sources says of each, given posteriors.
pub(crate) struct Discounts {
    /// The share of each source's votes that counts.
    pub(crate) shares: Vec<f64>,
    /// The pairs that made it.
    pub(crate) excess: Vec<Excess>,
    /// The mean of z² over the pairs of sources of several classes that do not count as repetition; about 1 or less if they are
    /// independent given the class, 0 if there are no such pairs.
    pub(crate) unexplained: f64,
}

/// Pairs that do not count as repetition, and the sum of their z².
#[derive(Default)]
struct Unexplained {
    pairs: f64,
    squares: f64,
}

/// Agreement of a source with another beyond what is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Excess {
    pub(crate) source: usize,
    pub(crate) of: usize,
    /// ρ.
    pub(crate) rho: f64,
    /// The share of the source's votes that are the other's.
    pub(crate) share: f64,
    pub(crate) z: f64,
}

/// Posteriors of the rows, row by row.
pub(crate) struct Posteriors {
    /// Of the classes, classes fastest.
    pub(crate) classes: Vec<f64>,
    /// Of class and strength, all classes with a weak impression, then all with a strong one; if there are sources of several
    /// classes.
    pub(crate) states: Option<Vec<f64>>,
}

/// The connected components of two sources or more; `joined` is asked with the smaller source first.
pub(crate) fn groups(n: usize, joined: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let later = |j: usize| (j + 1..n).map(move |l| [j, l]);
    let mut groups = components(n, (0..n).flat_map(later).filter(|&[j, l]| joined(j, l)));
    groups.retain(|group| group.len() > 1);
    groups
}
