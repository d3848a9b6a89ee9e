//! Exact inference against brute-force enumeration and finite differences, over random models of every dependency type.

use consilience::model::{CellLimit, Elimination, Model};
use consilience::sources::Vote;
use consilience_testing::{Enumeration, close, close_relative, gradient, random_model};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

const EXACT: f64 = 1e-10;
const DIFFERENCE: f64 = 1e-7;

fn with_weights(model: &Model, weights: &[f64]) -> Model {
    let mut factors = model.factors().list().to_vec();
    for (factor, &weight) in factors.iter_mut().zip(weights) {
        factor.weight = weight;
    }
    let (sources, classes) = (model.sources().clone(), model.classes().clone());
    Model::new(sources, classes, model.domains().to_vec(), factors).unwrap()
}

fn sparse(votes: &[Vote]) -> Vec<(usize, Vote)> {
    votes.iter().copied().enumerate().filter(|&(_, vote)| vote != 0).collect()
}

/// A few rows spread over all of them.
fn some_rows<'a>(truth: &'a Enumeration<'_>) -> Vec<&'a [Vote]> {
    let rows: Vec<&[Vote]> = truth.rows().collect();
    let step = (rows.len() / 4).max(1);
    rows.iter().step_by(step).copied().chain(rows.last().copied()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 192,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn partition_function_and_marginals_equal_enumeration(model in random_model(5)) {
        let truth = Enumeration::new(&model);
        let elimination = Elimination::new(&model, CellLimit::default()).unwrap();
        let marginals = elimination.marginals();
        prop_assert!(close_relative(elimination.log_partition(), truth.log_partition(), EXACT));
        prop_assert!(close_relative(marginals.log_partition, truth.log_partition(), EXACT));
        for (y, &p) in model.classes().votes().zip(&marginals.classes) {
            prop_assert!(close_relative(p, truth.probability(|_, class| class == y), EXACT));
        }
        let k = model.classes().len();
        for (j, domain) in model.domains().iter().enumerate() {
            for (v, &vote) in domain.values().iter().enumerate() {
                for y in model.classes().votes() {
                    let p = marginals.votes[j][v * k + usize::from(y) - 1];
                    let expected = truth.probability(|votes, class| votes[j] == vote && class == y);
                    prop_assert!(close_relative(p, expected, EXACT), "source {j} vote {vote} class {y}: {p} {expected}");
                }
            }
        }
        for (d, (a, b)) in marginals.expectations.iter().zip(truth.expectations()).enumerate() {
            prop_assert!(close_relative(*a, b, EXACT), "{}: {a} {b}", model.factors().list()[d].dependency);
        }
    }

    #[test]
    fn posteriors_conditionals_and_joints_equal_enumeration(model in random_model(5)) {
        let truth = Enumeration::new(&model);
        let elimination = Elimination::new(&model, CellLimit::default()).unwrap();
        for votes in some_rows(&truth) {
            for (a, b) in model.posterior(&sparse(votes)).iter().zip(truth.posterior(votes)) {
                prop_assert!(close_relative(*a, b, EXACT), "posterior of {votes:?}: {a} {b}");
            }
            for y in model.classes().votes() {
                let joint = truth.probability(|row, class| row == votes && class == y);
                prop_assert!(close_relative(elimination.log_joint(votes, y), joint.ln(), EXACT));
            }
            for j in 0..votes.len() {
                let conditional = model.conditional(votes, j);
                let expected = truth.conditional(votes, j);
                for (a, b) in conditional.log_probabilities().iter().zip(&expected) {
                    prop_assert!(close_relative(a.exp(), *b, EXACT), "conditional of {j} in {votes:?}: {a} {b}");
                }
                let k = model.classes().len();
                let place = model.domains()[j].position(votes[j]).unwrap();
                let marginal: f64 = expected[place * k..(place + 1) * k].iter().sum();
                prop_assert!(close_relative(conditional.log_likelihood().unwrap(), marginal.ln(), EXACT));
            }
        }
    }

    #[test]
    fn gradients_equal_finite_differences(model in random_model(5)) {
        let weights = model.factors().weights();
        let log_partition = |weights: &[f64]| {
            Elimination::new(&with_weights(&model, weights), CellLimit::default()).unwrap().log_partition()
        };
        let marginals = Elimination::new(&model, CellLimit::default()).unwrap().marginals();
        for (a, b) in marginals.expectations.iter().zip(gradient(&weights, log_partition)) {
            prop_assert!(close(*a, b, DIFFERENCE), "log Z: {a} {b}");
        }
        let truth = Enumeration::new(&model);
        for votes in some_rows(&truth) {
            for j in 0..votes.len() {
                let mut exact = vec![0.0; weights.len()];
                model.conditional(votes, j).add_gradient(&mut exact).unwrap();
                let loss = |weights: &[f64]| {
                    -with_weights(&model, weights).conditional(votes, j).log_likelihood().unwrap()
                };
                for (a, b) in exact.iter().zip(gradient(&weights, loss)) {
                    prop_assert!(close(*a, b, DIFFERENCE), "source {j} in {votes:?}: {a} {b}");
                }
            }
        }
    }
}
