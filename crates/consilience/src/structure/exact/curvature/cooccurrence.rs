//! How often the votes of two sources occur together: the curvature of all problems without a pass over the rows.
//!
//! Within a bin of rows that support the same class with similar certainty, what a source is likely to vote hardly depends on the
//! row. Then the curvature of its problem is a sum over the votes of every two other sources, weighted by counts that all
//! problems share.
//!
//! # Formula
//! ```text
//! H_lm = Σ_B Σ_{a,b} N_B(λ_l = a, λ_m = b) Cov_{v ~ B}( s_l(v, a), s_m(v, b) )
//! ```
//! with s_l(v, a) what the link with l adds to the energy of vote v where l votes a. A vote rate, the accuracy and the class
//! terms are like links with a source that votes the same everywhere.

use crate::optim::{LANES, Lane64, dispatch, row_start};
use crate::parallel;
use crate::structure::exact::kernels::kernel::Parameters;
use crate::structure::exact::table::batch::Batch;
use crate::structure::exact::table::context::Context;
use crate::structure::exact::table::feature::Feature;
use crate::structure::exact::table::numbering::Numbering;
use crate::structure::exact::table::rows::Rows;

/// Rows whose likeliest class is at least this likely are certain of it.
const CERTAIN: f32 = 0.95;

/// With more classes, rows of a bin differ too much in what the other classes are worth: steps by these counts then take twice the
/// passes of steps by a share of the rows.
const MOST_CLASSES: usize = 8;

/// The most numbers kept.
const MOST_COUNTS: usize = 1 << 25;

/// Counts in one bin of rows.
#[derive(Clone, Debug)]
struct Bin {
    items: f64,
    /// The mean probability of each class.
    classes: Vec<f64>,
    /// For each source and class, the items on which it votes so.
    single: Vec<f64>,
    /// For each pair of sources, the later one first, and each pair of classes: the items on which they vote so.
    pairs: Vec<f64>,
}

/// Counts of votes and pairs of votes, by bins.
#[derive(Clone, Debug)]
pub(crate) struct Cooccurrence {
    classes: usize,
    bins: Vec<Bin>,
}

/// Rows that count alike, as bits.
struct Plane {
    bin: usize,
    /// What each row counts.
    weight: f64,
    words: usize,
    /// For each source and class, the rows in which it votes so.
    bits: Vec<u64>,
}

impl Cooccurrence {
    /// Counts; `None` if classes are many, if that would take too much memory or if links read the class.
    pub(crate) fn new(rows: &Rows, context: &Context, features: &[Feature]) -> Option<Self> {
        let (n, k) = (rows.active.len(), rows.classes);
        let numbers = row_start(n).checked_mul(k * k)?.checked_mul(2 * k)?;
        if k > MOST_CLASSES
            || numbers > MOST_COUNTS
            || features.iter().any(|feature| feature.link().0.reads_class())
        {
            return None;
        }
        let bins_of_rows: Vec<usize> = (0..rows.len()).map(|u| bin_of(context.row(u))).collect();
        let mut bins =
            vec![
                Bin { items: 0.0, classes: vec![0.0; k], single: vec![0.0; n * k], pairs: Vec::new() };
                2 * k
            ];
        for (u, &bin) in bins_of_rows.iter().enumerate() {
            let (bin, count) = (&mut bins[bin], f64::from(rows.counts[u]));
            bin.items += count;
            for (class, (mean, &q)) in bin.classes.iter_mut().zip(context.row(u)).enumerate() {
                *mean += count * f64::from(q);
                for &l in rows.of_class(u, class) {
                    bin.single[usize::from(l) * k + class] += count;
                }
            }
        }
        let planes = planes(rows, &bins_of_rows);
        parallel::for_each(bins.iter_mut().enumerate(), |(number, bin)| {
            bin.classes.iter_mut().for_each(|mean| *mean /= bin.items.max(1.0));
            bin.pairs = vec![0.0; row_start(n) * k * k];
            let planes: Vec<&Plane> = planes.iter().filter(|plane| plane.bin == number).collect();
            let mut rest = bin.pairs.as_mut_slice();
            let mut of_source = Vec::with_capacity(n);
            for l in 0..n {
                let (row, after) = rest.split_at_mut((l + 1) * k * k);
                of_source.push(row);
                rest = after;
            }
            parallel::for_each(of_source.into_iter().enumerate(), |(l, pairs)| {
                crate::watch::look();
                dispatch(
                    #[inline(always)]
                    || planes.iter().for_each(|plane| plane.count(l, k, pairs)),
                );
            });
        });
        bins.retain(|bin| bin.items > 0.0);
        Some(Self { classes: k, bins })
    }

    /// The curvature of a batch's problems: packed lower triangles.
    pub(crate) fn curvature(
        &self,
        batch: &Batch,
        features: &[Feature],
        layout: Numbering,
        parameters: &Parameters,
    ) -> Vec<Lane64> {
        let mut lower = vec![[0.0; LANES]; row_start(layout.len())];
        for bin in &self.bins {
            let moments = Moments::new(self, bin, batch, features, layout, parameters);
            dispatch(
                #[inline(always)]
                || moments.add_to(bin, &mut lower),
            );
        }
        lower
    }
}

/// Two bins for each class: rows that are certain of it and rows that lean to it.
fn bin_of(probability: &[f32]) -> usize {
    let mut best = 0;
    for (class, &p) in probability.iter().enumerate() {
        if p > probability[best] {
            best = class;
        }
    }
    2 * best + usize::from(probability[best] >= CERTAIN)
}

/// The rows of each bin and each binary digit of the counts.
fn planes(rows: &Rows, bins: &[usize]) -> Vec<Plane> {
    let (n, k) = (rows.active.len(), rows.classes);
    let mut members: Vec<((usize, u32), Vec<usize>)> = Vec::new();
    for (u, (&bin, &count)) in bins.iter().zip(&rows.counts).enumerate() {
        let count = count as u64;
        for digit in (0..u64::BITS - count.leading_zeros()).filter(|digit| count >> digit & 1 == 1) {
            match members.iter_mut().find(|(key, _)| *key == (bin, digit)) {
                Some((_, rows)) => rows.push(u),
                None => members.push(((bin, digit), vec![u])),
            }
        }
    }
    let plane = |((bin, digit), members): ((usize, u32), Vec<usize>)| {
        let words = members.len().div_ceil(64);
        let mut bits = vec![0u64; n * k * words];
        for (at, u) in members.into_iter().enumerate() {
            for class in 0..k {
                for &l in rows.of_class(u, class) {
                    bits[(usize::from(l) * k + class) * words + at / 64] |= 1 << (at % 64);
                }
            }
        }
        Plane { bin, weight: (digit as f64).exp2(), words, bits }
    };
    parallel::map(members, plane)
}

impl Plane {
    /// Adds the pairs of source `l` with those up to itself.
    #[inline(always)]
    fn count(&self, l: usize, k: usize, pairs: &mut [f64]) {
        let own = &self.bits[l * k * self.words..(l + 1) * k * self.words];
        for (m, pairs) in pairs.chunks_exact_mut(k * k).enumerate() {
            let other = &self.bits[m * k * self.words..(m + 1) * k * self.words];
            for (a, pairs) in own.chunks_exact(self.words).zip(pairs.chunks_exact_mut(k)) {
                for (b, sum) in other.chunks_exact(self.words).zip(pairs) {
                    let both: u32 = a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum();
                    *sum += self.weight * f64::from(both);
                }
            }
        }
    }
}

/// The covariances of one bin, for sixteen problems.
///
/// Functions of the own vote v are numbered: for each feature and vote of the other source (0 an abstain) its s(v, a), then
/// the further parameters.
struct Moments {
    layout: Numbering,
    functions: usize,
    /// Functions × functions.
    covariance: Vec<Lane64>,
    /// For each link and each function, its covariance with the link summed over the bin.
    with_link: Vec<Lane64>,
}

impl Moments {
    fn new(
        counts: &Cooccurrence,
        bin: &Bin,
        batch: &Batch,
        features: &[Feature],
        layout: Numbering,
        parameters: &Parameters,
    ) -> Self {
        let k = counts.classes;
        let of_links = features.len() * (k + 1);
        let functions = of_links + layout.len() - layout.links();
        let mut covariance = vec![[0.0; LANES]; functions * functions];
        for lane in 0..batch.members.len() {
            // Values of every function at each vote of the domain, and how likely the vote is.
            let mut probability = vec![0.0; 1 + batch.classes.len()];
            let votes = &bin.single[batch.source(lane) * k..][..k];
            let domain = 1.0 + batch.in_domain.iter().filter(|inside| inside[lane]).count() as f64;
            let share = |votes: f64| (votes + 1.0 / domain) / (bin.items + 1.0);
            probability[0] = share((bin.items - votes.iter().sum::<f64>()).max(0.0));
            for (slot, (&class, inside)) in batch.classes.iter().zip(&batch.in_domain).enumerate() {
                probability[1 + slot] = if inside[lane] { share(votes[usize::from(class) - 1]) } else { 0.0 };
            }
            let accuracy = f64::from(parameters.accuracy[lane]);
            let mut values = Vec::with_capacity(probability.len());
            for own in 0..probability.len() {
                let vote = own.checked_sub(1).map_or(0, |slot| usize::from(batch.classes[slot]));
                let mut of_vote = Vec::with_capacity(functions);
                for feature in features {
                    of_vote.extend((0..=k).map(|other| feature.value(vote, other)));
                }
                of_vote.extend((1..probability.len()).map(|slot| f64::from(u8::from(slot == own))));
                // The class given the own vote.
                let weight = |class: usize| {
                    let sign = if vote == 0 {
                        0.0
                    } else if class + 1 == vote {
                        1.0
                    } else {
                        -1.0
                    };
                    (sign, bin.classes[class] * (sign * accuracy).exp())
                };
                let total: f64 = (0..k).map(|class| weight(class).1).sum();
                of_vote.extend((0..k).map(|class| weight(class).1 / total));
                of_vote.push((0..k).map(|class| weight(class).0 * weight(class).1 / total).sum());
                values.push(of_vote);
            }
            for f in 0..functions {
                let mean = |f: usize| -> f64 { values.iter().zip(&probability).map(|(v, p)| p * v[f]).sum() };
                let centre = mean(f);
                for g in 0..=f {
                    let product: f64 =
                        values.iter().zip(&probability).map(|(v, p)| p * (v[f] - centre) * v[g]).sum();
                    covariance[f * functions + g][lane] = product;
                    covariance[g * functions + f][lane] = product;
                }
            }
        }
        let mut moments = Self { layout, functions, covariance, with_link: Vec::new() };
        moments.with_link = moments.sums_of_links(bin);
        moments
    }

    fn covariance(&self, f: usize, g: usize) -> &Lane64 {
        &self.covariance[f * self.functions + g]
    }

    /// For each link and function f: N_B Cov(s(v, 0), f) + Σ_a N_B(a) Cov(s(v, a) - s(v, 0), f).
    fn sums_of_links(&self, bin: &Bin) -> Vec<Lane64> {
        let (n, k) = (self.layout.sources, self.layout.classes);
        let mut sums = Vec::with_capacity(self.layout.links() * self.functions);
        for t in 0..self.layout.features {
            let silent = t * (k + 1);
            for l in 0..n {
                for f in 0..self.functions {
                    let base = *self.covariance(silent, f);
                    let mut sum = base.map(|base| bin.items * base);
                    for (a, &count) in bin.single[l * k..(l + 1) * k].iter().enumerate() {
                        let voted = self.covariance(silent + a + 1, f);
                        for i in 0..LANES {
                            sum[i] += count * (voted[i] - base[i]);
                        }
                    }
                    sums.push(sum);
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn add_to(&self, bin: &Bin, lower: &mut [Lane64]) {
        let (n, k) = (self.layout.sources, self.layout.classes);
        let (links, size) = (self.layout.links(), self.layout.len());
        let of_links = self.layout.features * (k + 1);
        for t in 0..self.layout.features {
            for s in 0..=t {
                let (own, other) = (t * (k + 1), s * (k + 1));
                // Cov(s_t(v, a) - s_t(v, 0), s_s(v, b) - s_s(v, 0)).
                let both: Vec<Lane64> = (0..k * k)
                    .map(|cell| {
                        let (a, b) = (own + 1 + cell / k, other + 1 + cell % k);
                        let (ab, a0) = (self.covariance(a, b), self.covariance(a, other));
                        let (b0, silent) = (self.covariance(own, b), self.covariance(own, other));
                        std::array::from_fn(|i| ab[i] - a0[i] - b0[i] + silent[i])
                    })
                    .collect();
                for l in 0..n {
                    let f = t * n + l;
                    let with_silence = self.with_link[f * self.functions + other];
                    let last = if s == t { l } else { n - 1 };
                    for m in 0..=last {
                        let g = s * n + m;
                        let (upper, under, swapped) = if l >= m { (l, m, false) } else { (m, l, true) };
                        let counts = &bin.pairs[(row_start(upper) + under) * k * k..][..k * k];
                        let of_other = &self.with_link[g * self.functions + own];
                        let silent = self.covariance(own, other);
                        let to = &mut lower[row_start(f) + g];
                        let mut sum = *to;
                        for i in 0..LANES {
                            sum[i] += with_silence[i] + of_other[i] - bin.items * silent[i];
                        }
                        for (cell, &count) in counts.iter().enumerate() {
                            let both = if swapped { &both[cell % k * k + cell / k] } else { &both[cell] };
                            for i in 0..LANES {
                                sum[i] += count * both[i];
                            }
                        }
                        *to = sum;
                    }
                }
            }
        }
        for x in 0..size - links {
            let row = &mut lower[row_start(links + x)..];
            for f in 0..links {
                let from = &self.with_link[f * self.functions + of_links + x];
                for i in 0..LANES {
                    row[f][i] += from[i];
                }
            }
            for y in 0..=x {
                let from = self.covariance(of_links + x, of_links + y);
                for i in 0..LANES {
                    row[links + y][i] += bin.items * from[i];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optim::Lane;
    use crate::rng::Streams;
    use crate::sources::Vote;
    use crate::votes::VotesBuilder;
    use rand::RngExt as _;

    use crate::sources::{Classes, Sources};

    /// The counts give what a loop over the rows gives, repeated rows and sources of one class included.
    #[test]
    fn counts_give_the_sum_over_rows() {
        let mut rng = Streams::new(11).stream(0);
        let (n, k) = (19, 3);
        let mut builder = VotesBuilder::new(Sources::numbered(n).unwrap());
        for i in 0..700 {
            let row: Vec<Vote> = (0..n)
                .map(|j| match j {
                    _ if i % 7 == 0 && j > 1 => 0,
                    4 => 2 * u16::from(rng.random_range(0..4) == 0),
                    _ => rng.random_range(0..4),
                })
                .collect();
            builder.push_dense(&row).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(k).unwrap()).unwrap();
        let rows = Rows::new(&votes);
        assert!(rows.counts[0] > 4.0);
        let context = Context::new(&rows, &vec![0.6; n], &[0.1, 0.0, -0.1]);
        for features in [vec![Feature::Correlation], vec![Feature::Agreement, Feature::Exclusive]] {
            let counts = Cooccurrence::new(&rows, &context, &features).unwrap();
            assert!(counts.bins.len() > k);
            for batch in &Batch::all(&rows, &votes) {
                let layout = Numbering {
                    sources: n,
                    features: features.len(),
                    rates: batch.classes.len(),
                    classes: k,
                };
                let parameters = Parameters {
                    links: Vec::new(),
                    rates: Vec::new(),
                    class_terms: Vec::new(),
                    accuracy: Lane(std::array::from_fn(|lane| 0.1 * lane as f32)),
                };
                let lower = counts.curvature(batch, &features, layout, &parameters);
                for lane in 0..batch.members.len() {
                    let truth = by_rows(&rows, &context, &features, batch, lane, layout);
                    for i in 0..layout.links() {
                        for j in 0..=i {
                            let (counted, truth) = (lower[row_start(i) + j][lane], truth[row_start(i) + j]);
                            assert!((counted - truth).abs() < 1e-9 * (1.0 + truth.abs()), "{i} {j} {lane}");
                        }
                    }
                }
            }
        }
    }

    /// Σ_u c_u Cov(s_l(v, λ_ul), s_m(v, λ_um)), v as often as in the rows of the same bin.
    fn by_rows(
        rows: &Rows,
        context: &Context,
        features: &[Feature],
        batch: &Batch,
        lane: usize,
        layout: Numbering,
    ) -> Vec<f64> {
        let (n, k) = (layout.sources, layout.classes);
        let vote = |u: usize, l: usize| {
            (0..k).find(|&class| rows.of_class(u, class).contains(&(l as u16))).map_or(0, |class| class + 1)
        };
        let own = batch.source(lane);
        let domain: Vec<usize> = std::iter::once(0)
            .chain(
                batch
                    .classes
                    .iter()
                    .zip(&batch.in_domain)
                    .filter(|(_, inside)| inside[lane])
                    .map(|(&c, _)| c.into()),
            )
            .collect();
        let mut sums = vec![0.0; row_start(layout.links())];
        for bin in 0..2 * k {
            let members: Vec<usize> = (0..rows.len()).filter(|&u| bin_of(context.row(u)) == bin).collect();
            let items: f64 = members.iter().map(|&u| f64::from(rows.counts[u])).sum();
            let share = |v: usize| {
                let seen: f64 =
                    members.iter().filter(|&&u| vote(u, own) == v).map(|&u| f64::from(rows.counts[u])).sum();
                (seen + 1.0 / domain.len() as f64) / (items + 1.0)
            };
            let shares: Vec<f64> = domain.iter().map(|&v| share(v)).collect();
            for &u in &members {
                let value = |i: usize, v: usize| features[i / n].value(v, vote(u, i % n));
                let mean = |f: &dyn Fn(usize) -> f64| -> f64 {
                    domain.iter().zip(&shares).map(|(&v, share)| share * f(v)).sum()
                };
                let means: Vec<f64> = (0..layout.links()).map(|i| mean(&|v| value(i, v))).collect();
                for i in 0..layout.links() {
                    for j in 0..=i {
                        let both = mean(&|v| value(i, v) * value(j, v));
                        sums[row_start(i) + j] += f64::from(rows.counts[u]) * (both - means[i] * means[j]);
                    }
                }
            }
        }
        sums
    }
}
