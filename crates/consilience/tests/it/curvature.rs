//! The curvature of condition (7) against finite differences of the gradient.

use consilience::dependency::Factors;
use consilience::model::{CellLimit, Links, Planted, Spread, simulate};
use consilience::sources::{ABSTAIN, Classes, Sources};
use consilience::structure::{Conditional, Curvature, LinkType, SgdOptions, learn_sgd};
use consilience::votes::{Votes, VotesBuilder};

/// The mean gradient of -log p(λ_j | others).
fn gradient(votes: &Votes, factors: &Factors, j: usize) -> Vec<f64> {
    let mut sum = vec![0.0; factors.len()];
    let mut row = vec![ABSTAIN; votes.sources().len()];
    for i in 0..votes.items() {
        votes.patterns().read_into(votes.item_pattern()[i] as usize, &mut row);
        Conditional::new(factors, &row, j, &votes.domains()[j], votes.classes().len())
            .add_gradient(&mut sum)
            .unwrap();
    }
    sum.iter().map(|slope| slope / votes.items() as f64).collect()
}

/// The Hessian by central differences.
fn hessian(votes: &Votes, factors: &Factors, j: usize) -> Vec<Vec<f64>> {
    let start = factors.weights();
    (0..start.len())
        .map(|d| {
            let at = |step: f64| {
                let mut moved = factors.clone();
                let mut weights = start.clone();
                weights[d] += step;
                moved.set_weights(&weights);
                gradient(votes, &moved, j)
            };
            at(1e-5).iter().zip(at(-1e-5)).map(|(above, below)| (above - below) / 2e-5).collect()
        })
        .collect()
}

/// The smallest eigenvalue by powers of a shifted matrix.
fn smallest(matrix: &[Vec<f64>]) -> f64 {
    let shift: f64 = matrix.iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
    let mut x: Vec<f64> = (0..matrix.len()).map(|i| 1.0 + (i as f64).sin()).collect();
    let mut value = 0.0;
    for _ in 0..200_000 {
        let next: Vec<f64> = matrix
            .iter()
            .zip(&x)
            .map(|(row, &x_i)| shift * x_i - row.iter().zip(&x).map(|(a, b)| a * b).sum::<f64>())
            .collect();
        let norm = next.iter().map(|v| v * v).sum::<f64>().sqrt();
        value = shift - norm;
        x = next.iter().map(|v| v / norm).collect();
    }
    value
}

#[test]
fn curvature_is_the_smallest_eigenvalue_of_the_hessian() {
    for (k, kind) in [(2, LinkType::Correlation), (3, LinkType::Agreement), (3, LinkType::Reinforcing)] {
        let mut planted = Planted::new(4).unwrap();
        planted.classes = Classes::numbered(k).unwrap();
        planted.links = Links::Pairs(1);
        planted.accuracy = Spread::constant(0.6);
        let votes = simulate(&planted.model().unwrap(), 200, 5, CellLimit::default(), |_| {}).unwrap().votes;
        let fit = learn_sgd(&votes, &SgdOptions::default().with_types(vec![kind])).unwrap();
        let curvature = Curvature::estimate(&votes, usize::MAX, |j| fit.factors_of(j));
        assert_eq!((curvature.items, curvature.by_source.len()), (200, 4));
        for (j, &got) in curvature.by_source.iter().enumerate() {
            let expected = smallest(&hessian(&votes, &fit.factors_of(j), j));
            assert!((got - expected).abs() < 1e-6, "{kind}, source {j}: {got} instead of {expected}");
        }
        let least = curvature.smallest().unwrap();
        assert!(curvature.by_source.iter().all(|&c| c >= least));
        assert_eq!(Curvature::estimate(&votes, 50, |j| fit.factors_of(j)).items, 50);
    }
}

#[test]
fn a_silent_source_says_nothing() {
    let sources = Sources::numbered(3).unwrap();
    let mut builder = VotesBuilder::new(sources);
    for row in [[1, 2, 0], [1, 1, 0], [2, 2, 0], [0, 1, 0]] {
        builder.push_dense(&row).unwrap();
    }
    let votes = builder.finish_as(Classes::numbered(2).unwrap()).unwrap();
    let fit = learn_sgd(&votes, &SgdOptions::default()).unwrap();
    let curvature = Curvature::estimate(&votes, 10, |j| fit.factors_of(j));
    assert!(curvature.by_source[2].abs() < 1e-12);
}
