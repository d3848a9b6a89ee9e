//! Maximum likelihood over all pairs by sampling, against the exact likelihood where there are few sources.

use consilience::dependency::{Accuracy, Correlation, DependencyType as _};
use consilience::model::{
    CellLimit, FitOptions, Free, Inference, Links, Planted, Spread, WeightPrior, fit_weights, simulate,
};
use consilience::sources::Classes;
use consilience::structure::{LikelihoodOptions, Origin, learn_likelihood};
use consilience::votes::Votes;

fn drawn(sources: usize, classes: usize, items: usize) -> Votes {
    let planted = Planted {
        classes: Classes::numbered(classes).unwrap(),
        accuracy: Spread { low: 0.4, high: 1.2 },
        links: Links::Pairs(sources / 2),
        strength: 0.6,
        seed: 3,
        ..Planted::new(sources).unwrap()
    };
    simulate(&planted.model().unwrap(), items, 4, CellLimit::default(), |_| {}).unwrap().votes
}

/// Without a penalty and with many small steps, the weights are those of the exact maximum, for two classes and for three.
#[test]
fn the_maximum_is_that_of_the_exact_likelihood() {
    for classes in [2, 3] {
        let votes = drawn(5, classes, 2_000);
        let mut terms = Vec::new();
        for j in 0..5 {
            terms.push(Free { dependency: Accuracy::new(j).into(), prior: WeightPrior::normal(1.0, 1e-3) });
            for l in j + 1..5 {
                let dependency = Correlation::new(j, l).unwrap().into();
                terms.push(Free { dependency, prior: WeightPrior::normal(0.0, 1e-3) });
            }
        }
        let options = FitOptions::default().with_inference(Inference::Exact);
        let (model, ending, _) = fit_weights(&votes, &terms, &options).unwrap();
        assert!(ending.converged);
        let options =
            LikelihoodOptions { epsilon: 0.0, epochs: 400, step: Some(3e-4), ..LikelihoodOptions::default() };
        let fit = learn_likelihood(&votes, &options).unwrap();
        for factor in model.factors().list() {
            let found = match *factor.dependency.sources() {
                [j] => fit.accuracies[j],
                [j, l] => fit.link(j, l),
                _ => unreachable!("one or two sources"),
            };
            let away = (found - factor.weight).abs();
            assert!(
                away < 0.06,
                "{classes} classes, {}: {found}, exact {}",
                factor.dependency,
                factor.weight
            );
        }
    }
}

#[test]
fn planted_pairs_are_found_and_no_others() {
    let planted = Planted { links: Links::Pairs(2), strength: 0.5, ..Planted::new(12).unwrap() };
    let votes = simulate(&planted.model().unwrap(), 10_000, 1, CellLimit::default(), |_| {}).unwrap().votes;
    let options = LikelihoodOptions { epsilon: 0.05, ..LikelihoodOptions::default() };
    let structure = learn_likelihood(&votes, &options).unwrap().structure(&votes);
    let found: Vec<String> = structure.selected().map(|link| link.dependency.to_string()).collect();
    assert_eq!(found, ["correlation[0, 1]", "correlation[2, 3]"]);
    assert_eq!((structure.origin, structure.dependencies.len()), (Origin::Likelihood, 66));
}

#[test]
fn the_penalty_leaves_nothing_where_it_is_large_and_settings_are_checked() {
    let votes = drawn(6, 2, 500);
    let large = LikelihoodOptions { epsilon: 5.0, ..LikelihoodOptions::default() };
    let fit = learn_likelihood(&votes, &large).unwrap();
    assert_eq!(fit.structure(&votes).selected().count(), 0);
    assert!((0..6).all(|j| (0..6).all(|l| fit.link(j, l).abs() < 0.1)));
    let one = LikelihoodOptions { seed: 1, ..LikelihoodOptions::default() };
    let two = LikelihoodOptions { seed: 2, ..LikelihoodOptions::default() };
    assert_eq!(learn_likelihood(&votes, &one), learn_likelihood(&votes, &one));
    assert_ne!(learn_likelihood(&votes, &one), learn_likelihood(&votes, &two));
    let wrong = LikelihoodOptions { epochs: 0, ..LikelihoodOptions::default() };
    assert_eq!(
        learn_likelihood(&votes, &wrong).unwrap_err().to_string(),
        "epochs must be between 1 and 100000, but is 0"
    );
}
