//! The exact method: its optimum by an independent road, its answers on planted structures, its symmetries and limits.

use consilience::dependency::{Dependency, DependencyType as _, Factors};
use consilience::model::{CellLimit, Links, Planted, Spread, simulate};
use consilience::rng::Streams;
use consilience::sources::{Classes, Sources, Vote};
use consilience::structure::{
    Conditional, ExactError, ExactFit, ExactOptions, LinkType, PathStep, Select, SgdOptions, Structure,
    default_epsilons, fit_exact, learn_exact, learn_path, learn_sgd, learn_with_path,
};
use consilience::votes::{Votes, VotesBuilder};
use rand::RngExt as _;

fn planted(n: usize, links: Links, kind: LinkType, strength: f64, k: usize, seed: u64) -> Planted {
    Planted {
        classes: Classes::numbered(k).unwrap(),
        links,
        link_type: kind.name().to_string(),
        strength,
        seed,
        ..Planted::new(n).unwrap()
    }
}

fn draw(planted: &Planted, items: usize) -> Votes {
    simulate(&planted.model().unwrap(), items, planted.seed, CellLimit::default(), |_| {}).unwrap().votes
}

fn of_types(types: &[LinkType]) -> ExactOptions {
    ExactOptions::default().with_types(types.to_vec())
}

/// The gradient of one source's problem in double precision by Eq. (5), prior left out, and for each weight the sum of
/// squares of the rows' gradients: the gradient's own sampling variance.
fn exact_gradient(votes: &Votes, factors: &Factors, j: usize) -> (Vec<f64>, Vec<f64>) {
    let mut total = vec![0.0; factors.len()];
    let mut squares = vec![0.0; factors.len()];
    let mut row: Vec<Vote> = vec![0; votes.sources().len()];
    for p in 0..votes.patterns().len() {
        votes.patterns().read_into(p, &mut row);
        let mut gradient = vec![0.0; factors.len()];
        Conditional::new(factors, &row, j, &votes.domains()[j], votes.classes().len())
            .add_gradient(&mut gradient)
            .unwrap();
        let count = votes.patterns().counts()[p] as f64;
        for (d, g) in gradient.iter().enumerate() {
            total[d] += count * g;
            squares[d] += count * g * g;
        }
    }
    (total, squares)
}

/// A table in which some sources vote one class only, one never votes, and one abstains always but once.
fn uneven(seed: u64, k: usize) -> Votes {
    let votes = draw(&planted(7, Links::Density(0.4), LinkType::Correlation, 0.6, k, seed), 1_500);
    let mut builder = VotesBuilder::new(votes.sources().clone());
    let mut row: Vec<Vote> = vec![0; 7];
    for i in 0..votes.items() {
        votes.patterns().read_into(votes.item_pattern()[i] as usize, &mut row);
        row[1] = if row[1] == 2 { 2 } else { 0 };
        row[2] = u16::from(row[2] == 1);
        row[4] = 0;
        row[5] = u16::from(i == 3);
        builder.push_dense(&row).unwrap();
    }
    builder.finish_as(votes.classes().clone()).unwrap()
}

/// The slope of the prior of a weight in its own problem: a normal one around 0 with the ridge's precision, around 1 with
/// precision 1 for accuracies, around the shared class term with precision 1 for class terms.
fn prior_slope(fitted: &ExactFit, dependency: &Dependency, weight: f64) -> f64 {
    match dependency {
        Dependency::Accuracy(_) => weight - 1.0,
        Dependency::ClassPrior(prior) => weight - fitted.class_terms[usize::from(prior.class().unwrap()) - 1],
        _ => 0.01 * weight,
    }
}

/// At the optimum the gradient of the likelihood equals that of the prior, up to a small part of its sampling noise.
#[test]
fn the_optimum_is_one_by_the_paper_s_gradient() {
    let cases = [
        (vec![LinkType::Correlation], 2),
        (vec![LinkType::Correlation], 4),
        (vec![LinkType::Agreement, LinkType::Exclusive], 3),
        (vec![LinkType::Correlation, LinkType::Agreement], 2),
        (vec![LinkType::Conjunction], 3),
        (vec![LinkType::Reinforcing], 2),
        (vec![LinkType::Fixing], 3),
        (vec![LinkType::Fixing, LinkType::Correlation], 4),
    ];
    for (seed, (types, k)) in (1..).zip(cases) {
        let votes = uneven(seed, k);
        let options = of_types(&types);
        let fitted = fit_exact(&votes, &options).unwrap();
        for (place, source) in fitted.sources.iter().enumerate() {
            assert!(source.converged, "{types:?} k={k} source {}", source.source);
            let factors = Factors::new(fitted.problem(&votes, place), votes.sources().len());
            let (gradient, squares) = exact_gradient(&votes, &factors, source.source);
            for ((factor, slope), square) in factors.list().iter().zip(&gradient).zip(&squares) {
                let sources = factor.dependency.sources();
                if !sources.is_empty() && !sources.contains(&source.source) {
                    continue;
                }
                let prior = prior_slope(&fitted, &factor.dependency, factor.weight);
                let left = (slope + prior).abs() / square.sqrt().max(1.0);
                assert!(
                    left < 0.05,
                    "{types:?} k={k}, {} in source {}: {left}",
                    factor.dependency,
                    source.source
                );
            }
        }
    }
}

/// A second solver that shares no code: plain gradient ascent in double precision from another start.
#[test]
fn the_optimum_is_that_of_a_second_solver() {
    let votes = draw(&planted(5, Links::Pairs(1), LinkType::Correlation, 0.5, 2, 3), 800);
    let fitted = fit_exact(&votes, &ExactOptions::default().with_tolerance(1e-7)).unwrap();
    for (place, source) in fitted.sources.iter().enumerate() {
        let mut factors = Factors::new(fitted.problem(&votes, place), 5);
        let target = factors.weights();
        let is_free = |d: &Dependency| d.sources().is_empty() || d.sources().contains(&source.source);
        let free: Vec<bool> = factors.list().iter().map(|f| is_free(&f.dependency)).collect();
        let mut x: Vec<f64> =
            target.iter().zip(&free).map(|(&t, &free)| if free { 0.3 } else { t }).collect();
        for _ in 0..3_000 {
            factors.set_weights(&x);
            let (gradient, _) = exact_gradient(&votes, &factors, source.source);
            for d in (0..x.len()).filter(|&d| free[d]) {
                let prior = prior_slope(&fitted, &factors.list()[d].dependency, x[d]);
                x[d] -= (gradient[d] + prior) * 2.0 / 800.0;
            }
        }
        for (d, (a, b)) in x.iter().zip(&target).enumerate() {
            assert!((a - b).abs() < 2e-3, "{}: {a} {b}", factors.list()[d].dependency);
        }
    }
}

fn selected(structure: &Structure) -> Vec<(Vec<usize>, f64)> {
    structure.selected().map(|d| (d.dependency.sources().to_vec(), d.weight)).collect()
}

#[test]
fn planted_links_of_every_type_are_found() {
    for (kind, strength) in [
        (LinkType::Correlation, 0.5),
        (LinkType::Agreement, 0.7),
        (LinkType::Conjunction, 0.7),
        (LinkType::Reinforcing, 0.6),
        (LinkType::Fixing, 0.8),
        (LinkType::Exclusive, 0.7),
    ] {
        for k in [2, 3, 5] {
            let votes = draw(&planted(12, Links::Pairs(2), kind, strength, k, 5), 12_000);
            let structure = learn_exact(&votes, &of_types(&[kind]), Select::Fwer(0.001)).unwrap();
            let found = selected(&structure);
            let pairs: Vec<&[usize]> = found.iter().map(|(sources, _)| sources.as_slice()).collect();
            assert_eq!(pairs, [[0, 1], [2, 3]], "{kind} k={k}: {found:?}");
            for (_, weight) in &found {
                assert!(
                    (weight - strength).abs() < 0.25,
                    "{kind} k={k}: {weight} where {strength} was planted"
                );
            }
        }
    }
}

/// Where no edge is, z is as good as standard normal, also for weak sources and many abstains.
#[test]
fn z_of_absent_links_is_standard_normal() {
    let settings = [
        (Spread::constant(0.73), 0.25, 2),
        (Spread { low: 0.6, high: 0.85 }, 0.6, 2),
        (Spread { low: 0.5, high: 0.8 }, 0.5, 4),
    ];
    for (correct, abstain, k) in settings {
        let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
        for seed in 0..6 {
            let planted = Planted {
                correct: Some(correct),
                abstain: Some(Spread::constant(abstain)),
                ..planted(20, Links::Pairs(3), LinkType::Correlation, 0.5, k, seed)
            };
            let structure =
                learn_exact(&draw(&planted, 5_000), &ExactOptions::default(), Select::Auto).unwrap();
            let truth = planted.pairs();
            for learned in &structure.dependencies {
                let sources = learned.dependency.sources();
                if !truth.contains(&(sources[0], sources[1])) {
                    let z = learned.z.unwrap();
                    (sum, squares, count) = (sum + z, squares + z * z, count + 1.0);
                }
            }
        }
        let mean: f64 = sum / count;
        let spread = (squares / count - mean * mean).sqrt();
        // 1,122 numbers: five standard errors are 0.15 for the mean and 0.11 for the spread.
        assert!(mean.abs() < 0.15, "{correct:?} {abstain} k={k}: mean {mean}");
        assert!((0.89..1.11).contains(&spread), "{correct:?} {abstain} k={k}: spread {spread}");
    }
}

/// Sources that vote for one class only speak by their silence too; where no edge is, none may be seen for it.
#[test]
fn one_class_sources_and_uneven_classes_make_no_edges() {
    for (one_class, first) in [(10, 0.5), (10, 0.2), (20, 0.5)] {
        let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
        for seed in 0..5 {
            let mut rng = Streams::new(seed).stream(one_class as u64);
            let mut builder = VotesBuilder::new(Sources::numbered(20).unwrap());
            for _ in 0..5_000 {
                let y = if rng.random::<f64>() < first { 1 } else { 2 };
                let row: Vec<Vote> = (0..20u16)
                    .map(|j| {
                        let vote = if rng.random::<f64>() < 0.8 { y } else { 3 - y };
                        let speaks = rng.random::<f64>() < 0.2 + 0.02 * f64::from(j);
                        let of = if usize::from(j) < one_class { 1 + j % 2 } else { vote };
                        if speaks && vote == of { vote } else { 0 }
                    })
                    .collect();
                builder.push_dense(&row).unwrap();
            }
            let votes = builder.finish_as(Classes::numbered(2).unwrap()).unwrap();
            let structure = learn_exact(&votes, &ExactOptions::default(), Select::Auto).unwrap();
            assert_eq!(structure.selected().count(), 0, "{one_class} one-class, {first}: {structure:?}");
            for z in structure.dependencies.iter().map(|d| d.z.unwrap()) {
                (sum, squares, count) = (sum + z, squares + z * z, count + 1.0);
            }
        }
        let mean: f64 = sum / count;
        let spread = (squares / count - mean * mean).sqrt();
        // 950 numbers: five standard errors are 0.16 for the mean and 0.115 for the spread.
        assert!(mean.abs() < 0.16, "{one_class} one-class, {first}: mean {mean}");
        assert!((0.885..1.115).contains(&spread), "{one_class} one-class, {first}: spread {spread}");
    }
}

/// The same votes with sources and classes in another order.
fn turned(votes: &Votes, place: &[usize]) -> Votes {
    let n = votes.sources().len();
    let mut names = vec![String::new(); n];
    for j in 0..n {
        names[place[j]] = votes.sources().name(j).to_string();
    }
    let mut builder = VotesBuilder::new(Sources::new(names).unwrap());
    let (mut row, mut out): (Vec<Vote>, Vec<Vote>) = (vec![0; n], vec![0; n]);
    for i in (0..votes.items()).rev() {
        votes.patterns().read_into(votes.item_pattern()[i] as usize, &mut row);
        for j in 0..n {
            out[place[j]] = if row[j] == 0 { 0 } else { 3 - row[j] };
        }
        builder.push_dense(&out).unwrap();
    }
    builder.finish_as(votes.classes().clone()).unwrap()
}

#[test]
fn the_order_of_sources_items_and_classes_changes_only_the_order() {
    let votes = draw(&planted(20, Links::Density(0.1), LinkType::Correlation, 0.5, 2, 8), 3_000);
    let place: Vec<usize> = (0..20).map(|j| (7 * j + 3) % 20).collect();
    let straight = learn_exact(&votes, &ExactOptions::default(), Select::Fdr(0.05)).unwrap();
    let other = learn_exact(&turned(&votes, &place), &ExactOptions::default(), Select::Fdr(0.05)).unwrap();
    for learned in &straight.dependencies {
        let s = learned.dependency.sources();
        let mut moved = [place[s[0]], place[s[1]]];
        moved.sort_unstable();
        let there = other.dependencies.iter().find(|d| d.dependency.sources() == moved).unwrap();
        assert!((learned.weight - there.weight).abs() < 0.03 * learned.stderr.unwrap());
        assert!((learned.stderr.unwrap() / there.stderr.unwrap() - 1.0).abs() < 1e-3);
        assert_eq!(learned.selected, there.selected);
    }
}

#[test]
fn one_thread_and_three_give_the_same_bits() {
    let votes = draw(&planted(40, Links::Density(0.05), LinkType::Correlation, 0.5, 2, 2), 1_000);
    let in_pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn_exact(&votes, &ExactOptions::default(), Select::Auto).unwrap())
    };
    assert_eq!(in_pool(1), in_pool(3));
}

/// log p(its votes | the others) of source `j`, by Eq. (4) in double precision.
fn log_likelihood(votes: &Votes, factors: &Factors, j: usize) -> f64 {
    let mut row: Vec<Vote> = vec![0; votes.sources().len()];
    let patterns = votes.patterns();
    let mut of_row = |p: usize| {
        patterns.read_into(p, &mut row);
        let conditional = Conditional::new(factors, &row, j, &votes.domains()[j], votes.classes().len());
        patterns.counts()[p] as f64 * conditional.log_likelihood().unwrap()
    };
    (0..patterns.len()).map(&mut of_row).sum()
}

#[test]
fn the_optimum_is_never_below_that_of_algorithm_1() {
    for (k, seed) in [(2, 1), (3, 2)] {
        let votes = draw(&planted(12, Links::Density(0.1), LinkType::Correlation, 0.5, k, seed), 2_000);
        let fitted = fit_exact(&votes, &ExactOptions::default()).unwrap();
        let sgd = learn_sgd(&votes, &SgdOptions::default()).unwrap();
        for (j, source) in fitted.sources.iter().enumerate() {
            let exact = Factors::new(fitted.problem(&votes, j), 12);
            let (exact, sgd) =
                (log_likelihood(&votes, &exact, j), log_likelihood(&votes, &sgd.factors_of(j), j));
            assert!(exact >= sgd, "source {}: {exact} and {sgd}", source.source);
        }
    }
}

#[test]
fn the_path_goes_from_none_to_all() {
    let votes = draw(&planted(12, Links::Pairs(2), LinkType::Correlation, 0.5, 2, 8), 4_000);
    let path = learn_path(&votes, &ExactOptions::default(), &default_epsilons()).unwrap();
    let counts: Vec<usize> = path.steps.iter().map(|step| step.dependencies.len()).collect();
    assert!(path.steps.windows(2).all(|pair| pair[0].epsilon > pair[1].epsilon));
    assert_eq!(counts[0], 0, "{counts:?}");
    assert!(*counts.last().unwrap() > 30, "{counts:?}");
    // The planted pairs come first, and weights grow as the penalty falls.
    let first = path.steps.iter().find(|step| step.dependencies.len() >= 2).unwrap();
    let pairs: Vec<&[usize]> = first.dependencies.iter().map(|(d, _)| d.sources()).collect();
    assert_eq!(pairs, [[0, 1], [2, 3]]);
    let weight =
        |step: &PathStep| step.dependencies.iter().find(|(d, _)| d.sources() == [0, 1]).map_or(0.0, |d| d.1);
    assert!(path.steps.windows(2).all(|pair| weight(&pair[0]) <= weight(&pair[1]) + 1e-6));
    // One penalty alone gives what it gives on the way, and the order asked for does not matter.
    let alone = learn_path(&votes, &ExactOptions::default(), &[path.steps[12].epsilon]).unwrap();
    assert_eq!(alone.steps[0].dependencies.len(), path.steps[12].dependencies.len());
    for (a, b) in alone.steps[0].dependencies.iter().zip(&path.steps[12].dependencies) {
        assert!(a.0 == b.0 && (a.1 - b.1).abs() < 2e-3, "{a:?} {b:?}");
    }
    assert!(learn_path(&votes, &ExactOptions::default(), &[0.1, -1.0]).is_err());
    // The structure that comes with it is the one that comes alone.
    let select = Select::Fdr(0.1);
    let (structure, same) =
        learn_with_path(&votes, &ExactOptions::default(), select, &default_epsilons()).unwrap();
    assert_eq!(structure, learn_exact(&votes, &ExactOptions::default(), select).unwrap());
    assert_eq!(same, path);
}

#[test]
fn problems_without_an_optimum_are_told() {
    let votes = draw(&planted(6, Links::Pairs(1), LinkType::Correlation, 0.5, 2, 8), 500);
    let learn = |tolerance| {
        let options = ExactOptions::default().with_tolerance(tolerance);
        learn_exact(&votes, &options, Select::Auto).unwrap().unsettled
    };
    assert!(learn(1e-4).is_empty());
    // Single precision never gets that near.
    assert!(!learn(1e-30).is_empty());
}

fn table(rows: &[&[Vote]]) -> Votes {
    let n = rows[0].len();
    let mut builder = VotesBuilder::new(Sources::numbered(n).unwrap());
    for row in rows {
        builder.push_dense(row).unwrap();
    }
    builder.finish_as(Classes::numbered(2).unwrap()).unwrap()
}

fn all_finite(structure: &Structure) {
    for d in &structure.dependencies {
        assert!(d.weight.is_finite() && d.stderr.unwrap().is_finite(), "{d:?}");
        assert!(
            d.z.unwrap().is_finite()
                && (0.0..=1.0).contains(&d.p.unwrap())
                && (0.0..=1.0).contains(&d.q.unwrap())
        );
    }
}

#[test]
fn odd_tables_get_a_sensible_answer_or_a_clear_refusal() {
    let learn = |votes: &Votes| learn_exact(votes, &ExactOptions::default(), Select::Auto);
    // Two sources, and one item.
    all_finite(&learn(&table(&[&[1, 2], &[2, 2], &[1, 1], &[0, 1]])).unwrap());
    all_finite(&learn(&table(&[&[1, 2, 1]])).unwrap());
    // Sources that always vote the same.
    all_finite(&learn(&table(&[&[1, 1, 2], &[1, 2, 2], &[1, 2, 2], &[1, 1, 2], &[1, 0, 2]])).unwrap());
    // Copies are named; the first speaks for all.
    let rows: Vec<Vec<Vote>> = (0..200).map(|i| vec![i % 3, i % 3, (i / 3) % 3, i % 3, 0]).collect();
    let copied = learn(&table(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>())).unwrap();
    assert_eq!(copied.copies, [vec![0, 1, 3]]);
    assert_eq!(copied.dependencies.len(), 1);
    all_finite(&copied);
    // All sources copies of one, or only one that votes.
    let same: Vec<Vec<Vote>> = (0..50).map(|i| vec![i % 3; 4]).collect();
    let refused = learn(&table(&same.iter().map(Vec::as_slice).collect::<Vec<_>>())).unwrap_err();
    assert_eq!(refused, ExactError::TooFewSources { active: 1 });
    assert!(refused.to_string().contains("at least two such sources"));
}

/// Copies that differ in one vote of a thousand have no finite optimum but for the prior.
#[test]
fn near_copies_stay_finite_and_are_found() {
    let votes = draw(&planted(6, Links::None, LinkType::Correlation, 0.0, 2, 4), 1_000);
    let mut builder = VotesBuilder::new(votes.sources().clone());
    let mut row: Vec<Vote> = vec![0; 6];
    for i in 0..votes.items() {
        votes.patterns().read_into(votes.item_pattern()[i] as usize, &mut row);
        row[5] = if i == 7 { 3 - row[0].max(1) } else { row[0] };
        builder.push_dense(&row).unwrap();
    }
    let votes = builder.finish_as(votes.classes().clone()).unwrap();
    let structure = learn_exact(&votes, &ExactOptions::default(), Select::Auto).unwrap();
    all_finite(&structure);
    let found = selected(&structure);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, [0, 5]);
    assert!(found[0].1 > 3.0, "{found:?}");
}

/// Of five classes, the last three sources vote for four only; one of these repeats another.
#[test]
fn sources_may_vote_for_some_of_many_classes() {
    let mut rng = Streams::new(8).stream(0);
    let mut builder = VotesBuilder::new(Sources::numbered(8).unwrap());
    for _ in 0..4_000 {
        let y: u16 = rng.random_range(1..=5);
        let mut row: Vec<u16> = (0..8)
            .map(|j| {
                let vote = if rng.random_bool(0.7) { y } else { rng.random_range(1..=5) };
                if (j >= 5 && vote == 5) || rng.random_bool(0.2) { 0 } else { vote }
            })
            .collect();
        if rng.random_bool(0.4) {
            row[6] = row[5];
        }
        builder.push_dense(&row).unwrap();
    }
    let votes = builder.finish_as(Classes::numbered(5).unwrap()).unwrap();
    let structure = learn_exact(&votes, &ExactOptions::default(), Select::Auto).unwrap();
    let found: Vec<Vec<usize>> = structure.selected().map(|d| d.dependency.sources().to_vec()).collect();
    assert_eq!(found, [[5, 6]]);
}

/// Sources that are hardly better than chance say little of each other's accuracies, and what that leaves open is no dependency.
#[test]
fn weak_sources_of_many_classes_are_not_linked() {
    let mut runs = 0;
    for seed in 1..=10 {
        let weak = Planted {
            classes: Classes::numbered(10).unwrap(),
            correct: Some(Spread::constant(0.15)),
            seed,
            ..Planted::new(6).unwrap()
        };
        let votes =
            simulate(&weak.model().unwrap(), 10_000, seed, CellLimit::default(), |_| {}).unwrap().votes;
        let structure = learn_exact(&votes, &ExactOptions::default(), Select::Auto).unwrap();
        runs += usize::from(structure.selected().count() > 0);
    }
    assert!(runs <= 1, "{runs} of 10 runs have a false link");
}
