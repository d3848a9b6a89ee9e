//! Gibbs sampling and exact draws against exact marginals, everything within five standard errors.

use consilience::dependency::{ClassAccuracy, ClassPrior, Factor, VoteRate};
use consilience::model::{
    CellLimit, Elimination, Estimate, Gibbs, Links, Marginals, Model, Planted, SamplingOptions, Spread,
};
use consilience::rng::Streams;
use consilience::sources::{Classes, Vote};
use consilience_testing::random_model;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;

fn exact(model: &Model) -> Marginals {
    Elimination::new(model, CellLimit::default()).unwrap().marginals()
}

/// Chains that all saw the same have a standard error of zero; 51,200 draws of a probability p that were all alike still
/// allow p of a few in ten thousand.
fn within(estimate: Estimate, truth: f64, what: &str) {
    let off = (estimate.value - truth).abs();
    assert!(off <= 5.0 * estimate.stderr + 2e-4, "{what}: {estimate:?}, but exactly {truth}");
}

fn compare(model: &Model, options: &SamplingOptions) {
    let truth = exact(model);
    let sampled = Gibbs::new(model).unwrap().marginals(options);
    within(sampled.log_partition, truth.log_partition, "log Z");
    for (a, b) in sampled.classes.iter().zip(&truth.classes) {
        within(*a, *b, "class");
    }
    for (a, b) in sampled.votes.iter().flatten().zip(truth.votes.iter().flatten()) {
        within(*a, *b, "vote");
    }
    for (d, (a, b)) in sampled.expectations.iter().zip(&truth.expectations).enumerate() {
        within(*a, *b, &model.factors().list()[d].dependency.to_string());
    }
}

#[test]
fn sampled_marginals_of_random_models() {
    let mut runner = TestRunner::deterministic();
    for seed in 0..24 {
        let model = random_model(5).new_tree(&mut runner).unwrap().current();
        compare(&model, &SamplingOptions { seed, ..SamplingOptions::default() });
    }
}

/// Thirty good sources pin the class down: a chain that drew the class again would stay where it started, and its class
/// balance would be one half.
#[test]
fn the_class_balance_of_a_firm_panel() {
    let planted = Planted { links: Links::Density(0.1), strength: 0.5, ..Planted::new(30).unwrap() };
    let model = planted.model().unwrap();
    let mut factors = model.factors().list().to_vec();
    factors.push(Factor::new(ClassPrior::new(1), 1.0));
    factors.extend((0..30).map(|j| Factor::new(VoteRate::new(j, 2), 0.1)));
    factors.extend((0..5).map(|j| Factor::new(ClassAccuracy::new(j, 2), 0.4)));
    let (sources, classes) = (model.sources().clone(), model.classes().clone());
    let model = Model::new(sources, classes, model.domains().to_vec(), factors).unwrap();
    assert!(model.class_balance_in_closed_form().is_none());
    compare(&model, &SamplingOptions::default());
}

/// Where all classes are alike, their balance is known without sampling.
#[test]
fn the_class_balance_in_closed_form() {
    let planted = Planted {
        classes: Classes::numbered(3).unwrap(),
        balance: Some(vec![0.5, 0.3, 0.2]),
        links: Links::Density(0.3),
        strength: 0.7,
        abstain: Some(Spread { low: 0.1, high: 0.8 }),
        link_type: "reinforcing".to_string(),
        ..Planted::new(8).unwrap()
    };
    let model = planted.model().unwrap();
    let truth = exact(&model);
    for (a, b) in model.class_balance_in_closed_form().unwrap().iter().zip(&truth.classes) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
}

/// How far a chain of `burn_in` sweeps is from the model: the largest error of E[φ], in standard errors and plainly.
fn bias(model: &Model, burn_in: usize, draws: usize) -> (f64, f64) {
    use consilience::dependency::DependencyType as _;
    let truth = exact(model);
    let gibbs = Gibbs::new(model).unwrap();
    let mut rng = Streams::new(11).stream(burn_in as u64);
    let mut votes: Vec<Vote> = vec![0; model.sources().len()];
    let list = model.factors().list();
    let mut sums = vec![(0.0, 0.0); list.len()];
    for i in 0..draws {
        let y = (i % 2) as Vote + 1;
        gibbs.draw(y, burn_in, &mut rng, &mut votes);
        for (sum, factor) in sums.iter_mut().zip(list) {
            let scope: Vec<Vote> = factor.dependency.sources().iter().map(|&j| votes[j]).collect();
            let phi = factor.dependency.phi(&scope, y);
            sum.0 += phi;
            sum.1 += phi * phi;
        }
    }
    let m = draws as f64;
    let mut worst = (0.0f64, 0.0f64);
    for ((sum, squares), expected) in sums.iter().zip(&truth.expectations) {
        let mean = sum / m;
        let stderr = ((squares / m - mean * mean) / m).sqrt();
        worst = (worst.0.max((mean - expected).abs() / stderr), worst.1.max((mean - expected).abs()));
    }
    worst
}

/// The evidence for `BURN_IN`: a dense graph of 14 sources (30% of the pairs) at the paper's strength and at four times
/// that, where exact marginals still fit.
#[test]
fn the_burn_in_of_simulate_is_long_enough() {
    let dense = |strength: f64| {
        Planted { links: Links::Density(0.3), strength, seed: 5, ..Planted::new(14).unwrap() }
            .model()
            .unwrap()
    };
    let (paper, strong) = (dense(0.25), dense(1.0));
    // Without burn-in the independent start shows clearly, so the test can tell.
    assert!(bias(&paper, 0, 20_000).0 > 8.0);
    assert!(bias(&paper, 5, 20_000).0 < 5.0);
    assert!(bias(&strong, 20, 20_000).0 < 5.0);
    assert!(bias(&strong, consilience::model::BURN_IN, 20_000).0 < 5.0);
}
