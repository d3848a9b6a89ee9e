use super::*;
use crate::dependency::{Accuracy, ClassPrior, Dependency, VoteRate};
use crate::model::fit::likelihood::exact::ExactLikelihood;
use crate::model::fit::likelihood::prior::WeightPrior;
use crate::model::fit::likelihood::pseudo::PseudoLikelihood;
use crate::model::fit::options::FitOptions;
use crate::model::{CellLimit, Model};
use crate::optim::{Bounds, Curvature, Stop, minimise};
use crate::rng::{Streams, unit};
use crate::sources::{Classes, Sources, Vote};
use crate::votes::{Votes, VotesBuilder};

/// Random votes: source j of `n` votes for the first classes up to its own number, and some never vote for the first.
fn random_votes(n: usize, k: usize, items: usize, seed: u64) -> Votes {
    let mut random = Streams::new(seed).stream(0);
    let mut builder = VotesBuilder::new(Sources::numbered(n).unwrap());
    for _ in 0..items {
        let mut row = vec![0 as Vote; n];
        for (j, vote) in row.iter_mut().enumerate() {
            if unit(&mut random) < 0.6 {
                let first = j % 2;
                let classes = (k - j % k).max(first + 1) - first;
                *vote = (1 + first + (unit(&mut random) * classes as f64) as usize) as Vote;
            }
        }
        builder.push_dense(&row).unwrap();
    }
    builder.finish_as(Classes::numbered(k).unwrap()).unwrap()
}

/// Rates and accuracies of all sources but the last, and class priors where asked for.
fn terms(votes: &Votes, with_classes: bool) -> Vec<Free> {
    let mut dependencies: Vec<Dependency> = Vec::new();
    for (j, domain) in votes.domains().iter().enumerate() {
        if j + 1 < votes.domains().len() {
            dependencies.push(Accuracy::new(j).into());
        }
        dependencies.extend(domain.classes().iter().map(|&c| Dependency::from(VoteRate::new(j, c))));
    }
    if with_classes {
        dependencies.extend(votes.classes().votes().map(|c| Dependency::from(ClassPrior::new(c))));
    }
    let prior = WeightPrior::normal(0.1, 0.3);
    dependencies.into_iter().map(|dependency| Free { dependency, prior }).collect()
}

fn random_weights(terms: &[Free], seed: u64) -> Vec<f64> {
    let mut random = Streams::new(seed).stream(1);
    terms.iter().map(|_| 2.0 * unit(&mut random) - 0.7).collect()
}

/// A table, terms, their weights, and the power of each source.
type Case = (Votes, Vec<Free>, Vec<f64>, Vec<f64>);

/// Tables with and without class priors, of two to twelve classes, sparse and full rows.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (seed, &(n, k, items)) in
        (0..).zip(&[(4, 2, 200), (5, 3, 300), (7, 12, 500), (3, 30, 200), (9, 4, 20_000)])
    {
        for with_classes in [false, true] {
            let votes = random_votes(n, k, items, seed);
            let terms = terms(&votes, with_classes);
            let weights = random_weights(&terms, seed);
            let powers = (0..n).map(|j| 1.0 / (1.0 + 0.3 * j as f64)).collect();
            cases.push((votes, terms, weights, powers));
        }
    }
    cases
}

#[test]
fn the_closed_form_is_the_exact_likelihood() {
    for (votes, terms, weights, powers) in cases() {
        let dependencies: Vec<Dependency> = terms.iter().map(|term| term.dependency.clone()).collect();
        let layout = Layout::new(&dependencies, votes.domains(), votes.classes().len());
        let factors = terms.iter().map(|term| crate::dependency::Factor::new(term.dependency.clone(), 0.0));
        let model = Model::new(
            votes.sources().clone(),
            votes.classes().clone(),
            votes.domains().to_vec(),
            factors.collect(),
        )
        .unwrap();
        let rows = Rows::voted(&votes);
        let (mut exact_slopes, mut slopes) = (vec![0.0; terms.len()], vec![0.0; terms.len()]);
        let mut exact = ExactLikelihood::new(&layout, rows, &model, &powers, CellLimit::default()).unwrap();
        let exact_loss = exact.loss(&weights, &mut exact_slopes);
        let panel = PanelLikelihood::new(&layout, rows, &terms, &powers).unwrap();
        let loss = panel.loss(&weights, &mut slopes);
        let single = if panel.rounding().is_some() { 1e6 } else { 1.0 };
        assert!((loss / exact_loss - 1.0).abs() < 1e-12 * single, "{loss} {exact_loss}");
        for (d, (slope, expected)) in slopes.iter().zip(&exact_slopes).enumerate() {
            let near = (slope - expected).abs() < 1e-10 * single * votes.items() as f64;
            assert!(near, "{}: {slope} {expected}", terms[d].dependency);
        }
    }
}

/// H of the formula, from the probabilities of single votes.
fn dense_curvature(panel: &PanelLikelihood<'_>, weights: &[f64], free: &[bool]) -> Vec<Vec<f64>> {
    let (layout, k, n) = (panel.layout, panel.layout.k, panel.powers.len());
    let count = weights.len();
    let of = panel.terms.weights(weights);
    let partition = Partition::new(layout, &of, panel.powers);
    // E[φ | y] for each class, and B.
    let mut given = vec![vec![0.0; count]; k];
    let mut h = vec![vec![0.0; count]; count];
    for j in 0..n {
        let mut moments: Vec<(f64, Vec<(usize, f64)>)> = Vec::new();
        for y in 0..k {
            let energy = |v: usize| {
                let vote = usize::from(layout.domains[j].classes()[v]) - 1;
                of.rate[layout.starts[j] + 1 + v] + if vote == y { of.accuracy[j] } else { -of.accuracy[j] }
            };
            let votes = layout.domains[j].classes().len();
            let z = 1.0 + (0..votes).map(|v| energy(v).exp()).sum::<f64>();
            moments.push((partition.class[y] / z, Vec::new()));
            for v in 0..votes {
                let vote = usize::from(layout.domains[j].classes()[v]) - 1;
                let p = energy(v).exp() / z;
                let mut phi = Vec::new();
                phi.extend(panel.terms.rate[layout.starts[j] + 1 + v].map(|d| (d, 1.0)));
                phi.extend(panel.terms.accuracy[j].map(|d| (d, if vote == y { 1.0 } else { -1.0 })));
                for &(d, x) in &phi {
                    given[y][d] += panel.powers[j] * p * x;
                }
                moments.push((partition.class[y] * p, phi));
            }
        }
        let mut mean = vec![0.0; count];
        for (p, phi) in &moments {
            for &(d, x) in phi {
                mean[d] += p * x;
            }
        }
        let scale = panel.items * panel.powers[j];
        for (p, phi) in &moments {
            for &(a, x) in phi {
                for &(b, z) in phi {
                    h[a][b] += scale * p * x * z;
                }
            }
        }
        for a in 0..count {
            for b in 0..count {
                h[a][b] -= scale * mean[a] * mean[b];
            }
        }
    }
    for (y, d) in panel.terms.class.iter().enumerate() {
        if let Some(d) = *d {
            given[y][d] = 1.0;
        }
    }
    let mean: Vec<f64> = (0..count).map(|d| (0..k).map(|y| partition.class[y] * given[y][d]).sum()).collect();
    for a in 0..count {
        for b in 0..count {
            for y in 0..k {
                let (x, z) = (given[y][a] - mean[a], given[y][b] - mean[b]);
                h[a][b] += panel.items * partition.class[y] * x * z;
            }
            if !free[a] || !free[b] {
                h[a][b] = 0.0;
            }
        }
        h[a][a] += panel.precision[a];
    }
    h
}

#[test]
fn scaling_is_the_inverse_of_its_formula() {
    for (votes, terms, weights, powers) in cases().into_iter().take(8) {
        let layout = Layout::new(&[], votes.domains(), votes.classes().len());
        let panel = PanelLikelihood::new(&layout, Rows::voted(&votes), &terms, &powers).unwrap();
        for held in [1000, 3] {
            let free: Vec<bool> = (0..weights.len()).map(|d| d % held != 2).collect();
            let h = dense_curvature(&panel, &weights, &free);
            let x: Vec<f64> =
                (0..weights.len()).map(|d| if free[d] { ((d * 7 % 5) as f64) - 1.5 } else { 0.0 }).collect();
            let mut solved = x.clone();
            Scaling::solve(&panel.scaling(&weights, &free), &mut solved);
            for (d, row) in h.iter().enumerate() {
                let back: f64 = row.iter().zip(&solved).map(|(h, s)| h * s).sum();
                assert!((back - x[d]).abs() < 1e-6, "{}: {back} {}", terms[d].dependency, x[d]);
                assert!(free[d] || solved[d].abs() <= 0.0);
            }
        }
    }
}

#[test]
fn other_terms_make_no_panel() {
    let votes = random_votes(3, 3, 50, 1);
    let layout = Layout::new(&[], votes.domains(), 3);
    let mut more = terms(&votes, false);
    more.push(more[0].clone());
    assert!(PanelTerms::new(&layout, &more).is_none());
    more.pop();
    more[0].dependency = Dependency::new("class_accuracy", &[0], Some(1)).unwrap();
    assert!(PanelTerms::new(&layout, &more).is_none());
}

#[test]
fn the_pseudolikelihood_of_a_panel_is_that_of_tables() {
    for (votes, mut terms, _, _) in cases() {
        let prior = WeightPrior::normal(0.0, 1.0);
        for (name, a, b) in
            [("agreement", 0, 1), ("correlation", 1, 2), ("exclusive", 0, 2), ("agreement", 1, 2)]
        {
            let dependency = Dependency::new(name, &[a, b], None).unwrap();
            terms.push(Free { dependency, prior });
        }
        let weights = random_weights(&terms, 5);
        let dependencies: Vec<Dependency> = terms.iter().map(|term| term.dependency.clone()).collect();
        let layout = Layout::new(&dependencies, votes.domains(), votes.classes().len());
        let rows = Rows::all(&votes);
        let (mut expected_slopes, mut slopes) = (vec![0.0; terms.len()], vec![0.0; terms.len()]);
        let expected = PseudoLikelihood::new(&layout, rows).loss(&weights, &mut expected_slopes);
        let loss = PanelPseudo::new(&layout, rows, &terms).unwrap().loss(&weights, &mut slopes);
        assert!((loss / expected - 1.0).abs() < 1e-11, "{loss} {expected}");
        for (d, (slope, expected)) in slopes.iter().zip(&expected_slopes).enumerate() {
            let near = (slope - expected).abs() < 1e-9 * votes.items() as f64;
            assert!(near, "{}: {slope} {expected}", terms[d].dependency);
        }
    }
}

#[test]
fn links_that_read_the_class_are_left_to_tables() {
    let votes = random_votes(3, 3, 50, 1);
    let mut terms = terms(&votes, false);
    let prior = WeightPrior::normal(0.0, 1.0);
    terms.push(Free { dependency: Dependency::new("conjunction", &[0, 1], None).unwrap(), prior });
    let layout = Layout::new(&[], votes.domains(), 3);
    assert!(PanelPseudo::new(&layout, Rows::all(&votes), &terms).is_none());
}

/// The steps' scaling may be rough, but it must be symmetric and positive, or L-BFGS would climb.
#[test]
fn scaling_of_a_linked_panel_is_symmetric_and_positive() {
    for (votes, mut terms, _, _) in cases().into_iter().skip(2) {
        let prior = WeightPrior::normal(0.0, 1.0);
        for (name, a, b) in [("agreement", 0, 1), ("correlation", 1, 2), ("exclusive", 0, 2)] {
            terms.push(Free { dependency: Dependency::new(name, &[a, b], None).unwrap(), prior });
        }
        let weights = random_weights(&terms, 7);
        let layout = Layout::new(&[], votes.domains(), votes.classes().len());
        let mut pseudo = PanelPseudo::new(&layout, Rows::all(&votes), &terms).unwrap();
        for held in [1000, 4] {
            let free: Vec<bool> = (0..weights.len()).map(|d| d % held != 1).collect();
            let scaling = pseudo.scaling(&weights, &free);
            let vector = |by: usize| -> Vec<f64> {
                let entry = |d: usize| if free[d] { (d * by % 11) as f64 - 4.5 } else { 0.0 };
                (0..weights.len()).map(entry).collect()
            };
            let (x, y) = (vector(3), vector(7));
            let (mut scaled_x, mut scaled_y) = (x.clone(), y.clone());
            scaling.solve(&mut scaled_x);
            scaling.solve(&mut scaled_y);
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let (one, other) = (dot(&y, &scaled_x), dot(&x, &scaled_y));
            assert!((one - other).abs() < 1e-9 * (one.abs() + other.abs() + 1e-12), "{one} {other}");
            assert!(dot(&x, &scaled_x) > 0.0 && dot(&y, &scaled_y) > 0.0);
            assert!((0..weights.len()).all(|d| free[d] || scaled_x[d].abs() <= 0.0));
        }
    }
}

/// Tables of many rows in lanes against the same rows vote by vote: full rows and rows with counts, with class priors.
#[test]
fn rows_in_lanes_add_up_as_rows_vote_by_vote() {
    for (n, k, seed) in [(9, 3, 1), (12, 4, 2), (8, 13, 3), (6, 6, 4)] {
        let votes = random_votes(n, k, 40_000, seed);
        let layout = Layout::new(&[], votes.domains(), k);
        for rows in [Rows::voted(&votes), Rows::voted(&votes).thinned(votes.patterns().len() / 2)] {
            let Some(lanes) = LaneRows::new(&layout, &rows) else {
                assert!(rows.len() < 1 << 13, "{n} {k}");
                continue;
            };
            let slots = Slots::new(&layout, &rows, &vec![true; n]);
            assert_eq!(lanes.cast, slots.cast);
            let lift: Vec<f64> = (0..n).map(|j| 0.3 + 0.4 * (j % 5) as f64).collect();
            let silence: Vec<f64> = (0..k).map(|y| -0.2 * (y % 3) as f64).collect();
            let (sums, expected) = (lanes.sums(&silence, &lift), slots.sums(&silence, &lift, true));
            assert!((sums.log_sum / expected.log_sum - 1.0).abs() < 1e-6, "{sums:?} {expected:?}");
            for (sum, expected) in
                sums.right.iter().zip(&expected.right).chain(sums.class.iter().zip(&expected.class))
            {
                assert!((sum / expected - 1.0).abs() < 1e-5, "{sum} {expected}");
            }
        }
    }
}

/// Votes of sources that are right with a probability of their own, from `worst` to `best`, on 60% of the items.
fn planted_votes(n: usize, k: usize, items: usize, (worst, best): (f64, f64), seed: u64) -> Votes {
    let mut random = Streams::new(seed).stream(2);
    let mut builder = VotesBuilder::new(Sources::numbered(n).unwrap());
    let accuracies: Vec<f64> = (0..n).map(|_| worst + (best - worst) * unit(&mut random)).collect();
    for _ in 0..items {
        let class = (unit(&mut random) * k as f64) as usize;
        let row = accuracies.iter().map(|&accuracy| {
            let wrong = (class + 1 + (unit(&mut random) * (k - 1) as f64) as usize) % k;
            let vote = if unit(&mut random) < accuracy { class } else { wrong };
            if unit(&mut random) < 0.6 { vote as Vote + 1 } else { 0 }
        });
        builder.push_dense(&row.collect::<Vec<Vote>>()).unwrap();
    }
    builder.finish_as(Classes::numbered(k).unwrap()).unwrap()
}

/// The objective and the weights at the optimum by tables with a plain diagonal, and by the closed form with its own scaling.
fn both_optima(votes: &Votes, powers: &[f64]) -> [(f64, Vec<f64>, usize); 2] {
    let mut terms = terms(votes, false);
    for term in &mut terms {
        term.prior.lower = if matches!(term.dependency, Dependency::Accuracy(_)) { 0.0 } else { -20.0 };
        term.prior.start = 0.05;
    }
    let dependencies: Vec<Dependency> = terms.iter().map(|term| term.dependency.clone()).collect();
    let layout = Layout::new(&dependencies, votes.domains(), votes.classes().len());
    let factors = terms.iter().map(|term| crate::dependency::Factor::new(term.dependency.clone(), 0.0));
    let (sources, classes) = (votes.sources().clone(), votes.classes().clone());
    let model = Model::new(sources, classes, votes.domains().to_vec(), factors.collect()).unwrap();
    let rows = Rows::voted(votes);
    let bounds = Bounds {
        lower: terms.iter().map(|term| term.prior.lower).collect(),
        upper: terms.iter().map(|term| term.prior.upper).collect(),
    };
    let stop = Stop { tolerance: 1e-11, iterations: 5000, rounding: 0.0 };
    let mut exact = ExactLikelihood::new(&layout, rows, &model, powers, CellLimit::default()).unwrap();
    let mut by_tables = vec![0.05; terms.len()];
    let mut diagonal =
        Curvature::new(crate::model::fit::likelihood::weights::rough_curvature(&layout, votes, &terms));
    let function = |x: &[f64], slopes: &mut [f64]| {
        let mut loss = exact.loss(x, slopes);
        for ((slope, x), term) in slopes.iter_mut().zip(x).zip(&terms) {
            *slope += term.prior.precision * (x - term.prior.mean);
            loss += 0.5 * term.prior.precision * (x - term.prior.mean).powi(2);
        }
        loss
    };
    let finish = minimise(&mut by_tables, &bounds, &mut diagonal, stop, function);
    let options = FitOptions { tolerance: 1e-11, ..FitOptions::default() };
    let (fitted, ending, _) =
        crate::model::fit::likelihood::weights::fit_raised(rows, &terms, powers, &options).unwrap();
    let closed = (ending.objective.unwrap(), fitted.factors().weights(), ending.iterations);
    [(-finish.value, by_tables, finish.iterations), closed]
}

#[test]
fn steps_end_at_the_same_optimum() {
    for (n, k, seed) in [(5, 2, 1), (6, 3, 2), (7, 5, 3), (9, 12, 4)] {
        let votes = planted_votes(n, k, 800, (0.5, 0.9), seed);
        let powers: Vec<f64> = (0..n).map(|j| 1.0 / (1.0 + 0.2 * (j % 3) as f64)).collect();
        let [by_tables, closed] = both_optima(&votes, &powers);
        assert!((by_tables.0 - closed.0).abs() < 1e-7, "{} {}", by_tables.0, closed.0);
        assert!(closed.2 < 30, "{} {}", by_tables.2, closed.2);
        for (expected, x) in by_tables.1.iter().zip(&closed.1) {
            assert!((x - expected).abs() < 1e-4, "{x} {expected}");
        }
    }
}
