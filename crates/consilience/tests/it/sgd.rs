//! Algorithm 1 against a plain reading of it, built on the conditional distribution and its gradient.

use consilience::dependency::{
    Accuracy, ClassPrior, Dependency, DependencyType as _, Factor, Factors, Propensity, VoteRate,
};
use consilience::model::{CellLimit, Links, Planted, simulate};
use consilience::sources::{ABSTAIN, Classes, Sources, Vote};
use consilience::structure::{
    Conditional, LinkType, OwnRates, Precision, Select, SgdFit, SgdOptions, SgdProblem, learn_sgd,
};
use consilience::votes::{Votes, VotesBuilder};
use proptest::prelude::*;

/// The problem of source j, item by item as printed.
fn reference(votes: &Votes, options: &SgdOptions, j: usize) -> Factors {
    let (n, m, k) = (votes.sources().len(), votes.items(), votes.classes().len());
    let domain = &votes.domains()[j];
    let mut list: Vec<Factor> =
        (0..n).map(|l| Factor::new(Accuracy::new(l), options.accuracy_start)).collect();
    for l in (0..n).filter(|&l| l != j) {
        for kind in &options.types {
            list.push(Factor::new(kind.between(j, l).unwrap(), 0.0));
            if kind.directed() {
                list.push(Factor::new(kind.between(l, j).unwrap(), 0.0));
            }
        }
    }
    let penalised = list.len();
    match options.own_rates {
        OwnRates::Propensity if domain.len() > 1 => list.push(Factor::new(Propensity::new(j), 0.0)),
        OwnRates::None | OwnRates::Propensity => {}
        OwnRates::VoteRates => {
            list.extend(domain.classes().iter().map(|&c| Factor::new(VoteRate::new(j, c), 0.0)));
        }
    }
    if options.class_prior {
        list.extend((1..=k as Vote).map(|class| Factor::new(ClassPrior::new(class), 0.0)));
    }
    let mut factors = Factors::new(list, n);
    let step = options.step_for(m);
    let shrink = options.truncation as f64 * step * options.epsilon;
    let mut row = vec![ABSTAIN; n];
    for epoch in 1..=options.epochs {
        for item in 1..=m {
            votes.patterns().read_into(votes.item_pattern()[item - 1] as usize, &mut row);
            let mut gradient = vec![0.0; factors.len()];
            Conditional::new(&factors, &row, j, domain, k).add_gradient(&mut gradient).unwrap();
            let mut weights = factors.weights();
            for (weight, slope) in weights.iter_mut().zip(&gradient) {
                *weight -= step * slope;
            }
            if (epoch * m + item) % options.truncation == 0 {
                for weight in &mut weights[..penalised] {
                    if *weight > 0.0 {
                        *weight = (*weight - shrink).max(0.0);
                    } else {
                        *weight = (*weight + shrink).min(0.0);
                    }
                }
            }
            factors.set_weights(&weights);
        }
    }
    factors
}

fn table(rows: &[Vec<Vote>], k: usize) -> Votes {
    let sources = Sources::numbered(rows[0].len()).unwrap();
    let mut builder = VotesBuilder::new(sources);
    for row in rows {
        builder.push_dense(row).unwrap();
    }
    builder.finish_as(Classes::numbered(k).unwrap()).unwrap()
}

fn weight_of(factors: &Factors, dependency: &Dependency) -> f64 {
    factors.list().iter().find(|factor| factor.dependency == *dependency).unwrap().weight
}

fn assert_same(votes: &Votes, options: &SgdOptions, tolerance: f64) {
    let fit = learn_sgd(votes, options).unwrap();
    for j in 0..votes.sources().len() {
        let (fast, plain) = (fit.factors_of(j), reference(votes, options, j));
        assert_eq!(fast.len(), plain.len());
        for factor in plain.list() {
            let got = weight_of(&fast, &factor.dependency);
            let error = (got - factor.weight).abs();
            assert!(
                error <= tolerance * factor.weight.abs().max(1.0),
                "problem {j}, {}: {got} instead of {}",
                factor.dependency,
                factor.weight
            );
        }
    }
}

/// Tables of mixed sources: some never vote, some vote for few classes, some copy the one before.
fn tables(
    sources: std::ops::Range<usize>,
    items: std::ops::Range<usize>,
) -> impl Strategy<Value = (Vec<Vec<Vote>>, usize)> {
    (sources, items, 2..=4usize).prop_flat_map(|(n, m, k)| {
        let rows = proptest::collection::vec(proptest::collection::vec(0..=k as Vote, n), m);
        (rows, proptest::collection::vec(0..=5u8, n)).prop_map(move |(mut rows, kinds)| {
            for row in &mut rows {
                for j in 0..n {
                    row[j] = match kinds[j] {
                        0 => ABSTAIN,
                        1 => row[j].min(1),
                        2 if j > 0 => row[j - 1],
                        _ => row[j],
                    };
                }
            }
            (rows, k)
        })
    })
}

fn settings() -> impl Strategy<Value = SgdOptions> {
    (
        proptest::sample::subsequence(LinkType::ALL.to_vec(), 1..=6).prop_shuffle(),
        0.0..0.3f64,
        0.01..0.5f64,
        (1..4usize, 1..12usize),
        -1.0..2.0f64,
        proptest::sample::select(vec![OwnRates::None, OwnRates::Propensity, OwnRates::VoteRates]),
        any::<bool>(),
    )
        .prop_map(
            |(types, epsilon, step, (epochs, truncation), accuracy_start, own_rates, class_prior)| {
                SgdOptions::default()
                    .with_types(types)
                    .with_epsilon(epsilon)
                    .with_step(step)
                    .with_epochs(epochs)
                    .with_truncation(truncation)
                    .with_accuracy_start(accuracy_start)
                    .with_own_rates(own_rates)
                    .with_class_prior(class_prior)
                    .with_precision(Precision::Double)
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_setting_does_what_is_printed((rows, k) in tables(1..6, 1..14), options in settings()) {
        assert_same(&table(&rows, k), &options, 1e-9);
    }

    #[test]
    fn the_papers_setting_does_what_is_printed((mut rows, _) in tables(2..8, 1..30), options in settings()) {
        rows.iter_mut().flatten().for_each(|vote| *vote = (*vote).min(2));
        let types = vec![LinkType::Correlation];
        let options = options.with_types(types).with_own_rates(OwnRates::None).with_class_prior(false);
        assert_same(&table(&rows, 2), &options, 1e-9);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn several_groups_of_lanes_do_what_is_printed((rows, k) in tables(17..40, 5..9), options in settings()) {
        assert_same(&table(&rows, k), &options, 1e-9);
    }

    #[test]
    fn single_precision_is_close((rows, k) in tables(30..50, 5..9), options in settings()) {
        assert_same(&table(&rows, k), &options.with_precision(Precision::Single), 2e-4);
    }
}

fn papers_votes(n: usize, items: usize, seed: u64) -> Votes {
    let mut planted = Planted::new(n).unwrap();
    planted.links = Links::Pairs(2);
    simulate(&planted.model().unwrap(), items, seed, CellLimit::default(), |_| {}).unwrap().votes
}

fn selected(fit: &SgdFit) -> Vec<String> {
    let all = fit.dependencies();
    all.iter().filter(|learned| learned.selected).map(|learned| learned.dependency.to_string()).collect()
}

#[test]
fn both_precisions_select_the_same_links() {
    for seed in 0..3 {
        let votes = papers_votes(25, 3001, seed);
        for epsilon in [0.01, 0.02, 0.03] {
            let of = |precision| {
                let options = SgdOptions::default().with_epsilon(epsilon).with_precision(precision);
                learn_sgd(&votes, &options).unwrap()
            };
            assert_eq!(selected(&of(Precision::Single)), selected(&of(Precision::Double)));
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let votes = papers_votes(70, 501, 1);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn_sgd(&votes, &SgdOptions::default()).unwrap())
    };
    let bits = |fit: &SgdFit| -> Vec<u64> {
        let weights = (0..70).flat_map(|j| fit.factors_of(j).weights());
        weights.map(f64::to_bits).collect()
    };
    let one = bits(&with(1));
    assert_eq!(one, bits(&with(2)));
    assert_eq!(one, bits(&with(3)));
}

#[test]
fn the_order_of_the_sources_changes_only_the_order() {
    let votes = papers_votes(20, 400, 2);
    let turned: Vec<Vec<Vote>> = (0..votes.items())
        .map(|i| {
            let mut row = vec![ABSTAIN; 20];
            votes.row_of_item(i).for_each(|(j, vote)| row[(j + 7) % 20] = vote);
            row
        })
        .collect();
    let options = SgdOptions::default().with_precision(Precision::Double);
    let (fit, turned) =
        (learn_sgd(&votes, &options).unwrap(), learn_sgd(&table(&turned, 2), &options).unwrap());
    for j in 0..20 {
        for l in (0..20).filter(|&l| l != j) {
            let a = fit.link(LinkType::Correlation, j, l).unwrap();
            let b = turned.link(LinkType::Correlation, (j + 7) % 20, (l + 7) % 20).unwrap();
            assert!((a[0] - b[0]).abs() < 1e-10 && (a[1] - b[1]).abs() < 1e-10);
        }
    }
}

fn all_finite(fit: &SgdFit) -> bool {
    let finite = |problem: &SgdProblem| problem.accuracies.iter().all(|a| a.is_finite());
    fit.problems().iter().all(finite) && fit.dependencies().iter().all(|learned| learned.weight.is_finite())
}

#[test]
fn nothing_is_ever_out_of_numbers() {
    let copies = vec![vec![1; 40], vec![2; 40], vec![0; 40], vec![1; 40]];
    let camps: Vec<Vec<Vote>> =
        (0..60).map(|i| (0..40).map(|j| if j < 20 { 1 + i % 2 } else { i % 3 }).collect()).collect();
    let silent = vec![vec![0, 0, 0], vec![0, 0, 0]];
    for rows in [copies, camps, silent, vec![vec![1, 2]], vec![vec![2]]] {
        for precision in [Precision::Single, Precision::Double] {
            for (step, epochs) in [(None, 10), (Some(1.0), 200)] {
                for types in [vec![LinkType::Correlation], LinkType::ALL.to_vec()] {
                    let mut options =
                        SgdOptions::default().with_precision(precision).with_epochs(epochs).with_types(types);
                    options.step = step;
                    assert!(all_finite(&learn_sgd(&table(&rows, 2), &options).unwrap()));
                }
            }
        }
    }
}

#[test]
fn copies_are_linked_and_silent_sources_are_not() {
    let rows: Vec<Vec<Vote>> =
        (0..300).map(|i| vec![1 + i % 2, 1 + i % 2, 1 + (i / 3) % 2, 1 + (i / 5) % 2, 0]).collect();
    let fit = learn_sgd(&table(&rows, 2), &SgdOptions::default()).unwrap();
    let linked = selected(&fit);
    assert!(linked.contains(&"correlation[0, 1]".to_string()), "{linked:?}");
    assert_eq!(fit.structure(&table(&rows, 2)).select, Some(Select::Threshold(0.03)));
    let silent = fit.link(LinkType::Correlation, 4, 0).unwrap()[0];
    assert!(silent.abs() < 1e-12, "its own problem has nothing to say, but says {silent}");
    assert!(fit.link(LinkType::Agreement, 0, 1).is_none() && fit.link(LinkType::Correlation, 0, 9).is_none());
}

#[test]
fn candidates_come_by_sources_then_type() {
    let types = vec![LinkType::Fixing, LinkType::Correlation];
    let rows = vec![vec![1, 2, 1], vec![2, 2, 0], vec![1, 1, 1]];
    let fit = learn_sgd(&table(&rows, 2), &SgdOptions::default().with_types(types)).unwrap();
    let names: Vec<String> = fit.dependencies().iter().map(|d| d.dependency.to_string()).collect();
    assert_eq!(names[..3], ["correlation[0, 1]", "fixing[0, 1]", "fixing[1, 0]"]);
    assert_eq!(names.len(), 9);
    let forward = fit.link(LinkType::Fixing, 0, 1).unwrap();
    let learned = &fit.dependencies()[1];
    assert!((learned.weight - f64::midpoint(forward[0], forward[1])).abs() < 1e-15);
    assert_eq!(learned.dependency.sources(), [0, 1]);
    assert!(learned.z.is_none() && learned.stderr.is_none());
}
