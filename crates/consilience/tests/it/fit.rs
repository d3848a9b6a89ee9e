//! Fitting against enumeration, finite differences, and planted weights.

use consilience::dependency::{Accuracy, ClassPrior, Correlation, Dependency, DependencyType as _, VoteRate};
use consilience::labels::{effective_votes, explain_panel, infer};
use consilience::model::{
    CellLimit, ClassBalance, DawidSkeneOptions, Dependence, Estimator, FitNote, FitOptions, Free, Inference,
    Links, Model, Objective, Planted, Priors, Spread, WeightPrior, fit, fit_dawid_skene, fit_weights,
    simulate,
};
use consilience::sources::{Classes, Sources, Vote};
use consilience::structure::{LearnedDependency, Repetition, Repetitions, Structure};
use consilience::votes::{Votes, VotesBuilder};
use consilience_testing::tables::{plain_tables, votes_of};
use consilience_testing::{Enumeration, close, gradient, random_model, structure_of};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

const DIFFERENCE: f64 = 1e-6;

/// The terms of a model's factors, with a prior that has an opinion.
fn terms(model: &Model) -> Vec<Free> {
    let free = |dependency: &Dependency| Free {
        dependency: dependency.clone(),
        prior: WeightPrior::normal(0.3, 0.7),
    };
    model.factors().list().iter().map(|factor| free(&factor.dependency)).collect()
}

fn log_density(terms: &[Free], weights: &[f64]) -> f64 {
    terms.iter().zip(weights).map(|(t, w)| -0.5 * t.prior.precision * (w - t.prior.mean).powi(2)).sum()
}

/// Votes that fit the model's domains, each of its rows once or more.
fn table(model: &Model, rows: &[Vec<Vote>]) -> Votes {
    let mut builder = VotesBuilder::new(model.sources().clone());
    for row in rows {
        builder.push_dense(row).unwrap();
    }
    builder.finish_as(model.classes().clone()).unwrap()
}

/// Every row of the model a number of times between 1 and 3, so that the domains of the votes are the model's.
fn every_row(model: &Model) -> (Votes, Vec<(Vec<Vote>, f64)>) {
    let truth = Enumeration::new(model);
    let mut rows = Vec::new();
    let mut counted = Vec::new();
    for (i, row) in truth.rows().enumerate() {
        rows.extend(vec![row.to_vec(); 1 + i % 3]);
        counted.push((row.to_vec(), (1 + i % 3) as f64));
    }
    (table(model, &rows), counted)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    /// Σ c log p(λ) by enumeration of all states, with priors on top.
    #[test]
    fn the_exact_likelihood_is_that_of_enumeration(model in random_model(4)) {
        let (votes, rows) = every_row(&model);
        let terms = terms(&model);
        let weights = model.factors().weights();
        let truth = Enumeration::new(&model);
        let expected: f64 = rows
            .iter()
            .map(|(row, count)| count * truth.probability(|votes, _| votes == row).ln())
            .sum::<f64>() + log_density(&terms, &weights);
        let options = FitOptions::default();
        let (value, slopes) = Objective::evaluate(&votes, &terms, Inference::Exact, &weights, &options).unwrap();
        prop_assert!(close(value, expected, 1e-9), "{value} {expected}");
        let at = |weights: &[f64]| Objective::evaluate(&votes, &terms, Inference::Exact, weights, &options).unwrap().0;
        for ((slope, expected), term) in slopes.iter().zip(gradient(&weights, at)).zip(&terms) {
            prop_assert!(close(*slope, expected, DIFFERENCE), "{}: {slope} {expected}", term.dependency);
        }
    }

    /// Σ c Σ_j log p(λ_j | others) by the plain conditional of each source.
    #[test]
    fn the_pseudolikelihood_is_the_sum_of_conditionals(model in random_model(4)) {
        let (votes, rows) = every_row(&model);
        let terms = terms(&model);
        let weights = model.factors().weights();
        let mut expected = log_density(&terms, &weights);
        for (row, count) in &rows {
            for j in 0..row.len() {
                expected += count * model.conditional(row, j).log_likelihood().unwrap();
            }
        }
        let options = FitOptions::default();
        let (value, slopes) = Objective::evaluate(&votes, &terms, Inference::Pseudo, &weights, &options).unwrap();
        prop_assert!(close(value, expected, 1e-9), "{value} {expected}");
        let at = |weights: &[f64]| Objective::evaluate(&votes, &terms, Inference::Pseudo, weights, &options).unwrap().0;
        for ((slope, expected), term) in slopes.iter().zip(gradient(&weights, at)).zip(&terms) {
            prop_assert!(close(*slope, expected, DIFFERENCE), "{}: {slope} {expected}", term.dependency);
        }
    }

    /// Whatever the table, every weight and probability is a number.
    #[test]
    fn any_table_is_fitted_and_labelled(table in plain_tables()) {
        let votes = table.votes();
        let ways = [
            (Dependence::Independent, Inference::Exact),
            (Dependence::Independent, Inference::Pseudo),
            (Dependence::Repeats, Inference::Auto),
        ];
        for (dependence, inference) in ways {
            let fitted = fit(&votes, dependence, &FitOptions::default().with_inference(inference)).unwrap();
            prop_assert!(fitted.shares.iter().all(|share| (0.0..=1.0).contains(share)));
            prop_assert!(effective_votes(&fitted).unwrap() <= votes.sources().len() as f64 + 1e-9);
            let panel = explain_panel(&fitted, &votes).unwrap();
            prop_assert!(panel.sources.iter().all(|source| source.effective_weight.is_finite()));
            prop_assert!(fitted.model.factors().weights().iter().all(|w| w.is_finite()));
            prop_assert!(fitted.ending.converged, "{:?}", fitted.ending);
            let labels = infer(&fitted, &votes).unwrap();
            prop_assert!(labels.missing_sources().is_none());
            for i in 0..votes.items() {
                let p = labels.item(i);
                prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9 && p.iter().all(|p| p.is_finite()));
            }
        }
    }

    #[test]
    fn expectation_maximisation_never_lowers_the_likelihood(table in plain_tables()) {
        let votes = table.votes();
        let mut seen: Vec<f64> = Vec::new();
        let fitted = fit_dawid_skene(&votes, &DawidSkeneOptions::default(), |value| seen.push(value)).unwrap();
        for pair in seen.windows(2) {
            prop_assert!(pair[1] >= pair[0] - 1e-9 * pair[0].abs(), "{seen:?}");
        }
        prop_assert!(fitted.ending.converged);
        let labels = infer(&fitted, &votes).unwrap();
        prop_assert!((0..votes.items()).all(|i| labels.item(i).iter().all(|p| p.is_finite())));
    }
}

/// Weights without an opinion: no prior, and no bound that matters.
fn no_opinion() -> Priors {
    Priors::default()
        .with_precision(1e-6)
        .with_one_class_precision(0.0)
        .with_vote_precision(0.0)
        .with_rate_spread(100.0)
        .with_link_spread(100.0)
}

fn planted(sources: usize, pairs: usize) -> Model {
    let spread = Spread { low: 0.4, high: 1.1 };
    let planted = Planted {
        accuracy: spread,
        abstain: Some(Spread::constant(0.4)),
        links: if pairs == 0 { Links::None } else { Links::Pairs(pairs) },
        link_type: "agreement".to_string(),
        strength: 0.8,
        seed: 4,
        ..Planted::new(sources).unwrap()
    };
    planted.model().unwrap()
}

/// The weight of the dependency that looks like `like`.
fn weight_of(model: &Model, like: &Dependency) -> f64 {
    model.factors().list().iter().find(|factor| factor.dependency == *like).unwrap().weight
}

/// The furthest that an accuracy or link of `fitted` is from that of `truth`.
fn furthest(fitted: &Model, truth: &Model) -> f64 {
    let compared = |d: &Dependency| d.name() == "accuracy" || d.sources().len() > 1;
    let list = truth.factors().list().iter().filter(|factor| compared(&factor.dependency));
    list.map(|factor| (factor.weight - weight_of(fitted, &factor.dependency)).abs()).fold(0.0, f64::max)
}

/// At 100,000 items standard errors of weights are near 0.01; pseudolikelihood and Gibbs sampling are less sharp.
#[test]
fn planted_weights_come_back() {
    let truth = planted(10, 3);
    let votes = simulate(&truth, 100_000, 7, CellLimit::default(), |_| {}).unwrap().votes;
    let structure = structure_of(&truth, votes.items());
    let mut labels = Vec::new();
    for (inference, tolerance) in
        [(Inference::Exact, 0.06), (Inference::Pseudo, 0.06), (Inference::Gibbs, 0.12)]
    {
        let options = FitOptions::default().with_priors(no_opinion()).with_inference(inference);
        let fitted = fit(&votes, Dependence::Linked(&structure), &options).unwrap();
        let distance = furthest(&fitted.model, &truth);
        assert!(distance < tolerance, "{inference:?}: {distance} {:?}", fitted.ending);
        assert!(fitted.ending.converged, "{:?}", fitted.ending);
        labels.push(infer(&fitted, &votes).unwrap());
    }
    // Well specified and with many items, exact and pseudolikelihood say the same.
    let differ =
        (0..votes.items()).map(|i| (labels[0].item(i)[0] - labels[1].item(i)[0]).abs()).fold(0.0, f64::max);
    assert!(differ < 0.03, "{differ}");
}

/// A fit of the wrong, independent, model of linked sources is further off than that of the right one.
#[test]
fn structure_matters_where_there_is_one() {
    let truth = planted(10, 3);
    let votes = simulate(&truth, 100_000, 7, CellLimit::default(), |_| {}).unwrap().votes;
    let options = FitOptions::default().with_priors(no_opinion());
    let alone = fit(&votes, Dependence::Independent, &options).unwrap();
    let of_first = weight_of(&alone.model, &Accuracy::new(0).into());
    let true_first = weight_of(&truth, &Accuracy::new(0).into());
    assert!(of_first > true_first + 0.1, "{of_first} {true_first}");
}

/// A structure that joins no sources is the same as independence, for any number of classes; one that joins some is not.
#[test]
fn the_empty_structure_is_independence() {
    for k in [2, 3, 5] {
        let planted = Planted { classes: Classes::numbered(k).unwrap(), ..Planted::new(7).unwrap() };
        let votes = simulate(&planted.model().unwrap(), 900, 3, CellLimit::default(), |_| {}).unwrap().votes;
        let structure = |links: &[Dependency]| {
            let links = links.iter().cloned().map(LearnedDependency::given).collect();
            Structure::new(votes.sources().clone(), votes.classes().clone(), links, votes.items()).unwrap()
        };
        let options = FitOptions::default();
        let independent = fit(&votes, Dependence::Independent, &options).unwrap();
        assert_eq!(fit(&votes, &structure(&[]), &options).unwrap(), independent, "{k} classes");
        let joined = structure(&[Correlation::new(0, 1).unwrap().into()]);
        // Sources that are joined may share mistakes, which only several classes show.
        assert_eq!(fit(&votes, &joined, &options).unwrap() == independent, k == 2, "{k} classes");
    }
}

#[test]
fn three_classes_and_an_estimated_balance_come_back() {
    let planted = Planted {
        classes: Classes::numbered(3).unwrap(),
        balance: Some(vec![0.2, 0.3, 0.5]),
        accuracy: Spread { low: 0.5, high: 1.0 },
        abstain: Some(Spread::constant(0.3)),
        ..Planted::new(8).unwrap()
    };
    let truth = planted.model().unwrap();
    let votes = simulate(&truth, 100_000, 3, CellLimit::default(), |_| {}).unwrap().votes;
    let options = FitOptions::default().with_priors(no_opinion()).with_class_balance(ClassBalance::Estimated);
    let fitted = fit(&votes, Dependence::Independent, &options).unwrap();
    assert!(furthest(&fitted.model, &truth) < 0.05);
    let weight = |c| weight_of(&fitted.model, &ClassPrior::new(c).into());
    assert!((weight(3) - weight(1) - (0.5f64 / 0.2).ln()).abs() < 0.05, "{} {}", weight(3), weight(1));
}

/// Items in another order, sources in another order, classes by other names, other numbers of threads.
#[test]
fn order_and_names_and_threads_change_nothing() {
    let truth = planted(8, 2);
    let rows: Vec<Vec<Vote>> = {
        let votes = simulate(&truth, 3_000, 5, CellLimit::default(), |_| {}).unwrap().votes;
        let mut row = vec![0; 8];
        let read = |i: usize| {
            votes.patterns().read_into(votes.item_pattern()[i] as usize, &mut row);
            row.clone()
        };
        (0..votes.items()).map(read).collect()
    };
    let build = |order: &[usize], flip: bool, backwards: bool| {
        let names = order.iter().map(|j| format!("s{j}")).collect();
        let mut builder = VotesBuilder::new(Sources::new(names).unwrap());
        let turn = |v: Vote| if flip && v > 0 { 3 - v } else { v };
        let mut list: Vec<&Vec<Vote>> = rows.iter().collect();
        if backwards {
            list.reverse();
        }
        for row in list {
            builder.push_dense(&order.iter().map(|&j| turn(row[j])).collect::<Vec<_>>()).unwrap();
        }
        builder.finish_as(Classes::numbered(2).unwrap()).unwrap()
    };
    let straight: Vec<usize> = (0..8).collect();
    let turned: Vec<usize> = (0..8).rev().collect();
    for inference in [Inference::Exact, Inference::Pseudo] {
        let options = FitOptions::default().with_inference(inference).with_tolerance(1e-10);
        let link = |order: &[usize]| {
            let at = |j: usize| order.iter().position(|&l| l == j).unwrap();
            let mut structure = structure_of(&truth, 1);
            structure.sources = Sources::new(order.iter().map(|j| format!("s{j}")).collect()).unwrap();
            structure.dependencies.truncate(1);
            structure.dependencies[0].dependency = Correlation::new(at(0), at(1)).unwrap().into();
            structure
        };
        let run = |order: &[usize], flip, backwards| {
            let votes = build(order, flip, backwards);
            let fitted = fit(&votes, Dependence::Linked(&link(order)), &options).unwrap();
            let labels = infer(&fitted, &votes).unwrap();
            let side = usize::from(flip);
            let mut p: Vec<f64> = (0..votes.items()).map(|i| labels.item(i)[side]).collect();
            if backwards {
                p.reverse();
            }
            p
        };
        let first = run(&straight, false, false);
        let same_bits = |p: &[f64]| p.iter().zip(&first).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same_bits(&run(&straight, false, true)), "the order of items");
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(same_bits(&pool.install(|| run(&straight, false, false))), "{threads} threads");
        }
        let near = |p: &[f64]| p.iter().zip(&first).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(near(&run(&turned, false, false)), "the order of sources");
        assert!(near(&run(&straight, true, false)), "the names of the classes");
    }
}

#[test]
fn gibbs_follows_its_seed_and_not_the_threads() {
    let votes = simulate(&planted(6, 2), 2_000, 5, CellLimit::default(), |_| {}).unwrap().votes;
    let structure = structure_of(&planted(6, 2), 2_000);
    let run = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut options = FitOptions::default().with_inference(Inference::Gibbs).with_seed(seed);
        options.gibbs.steps = 50;
        pool.install(|| {
            fit(&votes, Dependence::Linked(&structure), &options).unwrap().model.factors().weights()
        })
    };
    let bits = |weights: Vec<f64>| weights.iter().map(|w| w.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(run(1, 3)), bits(run(3, 3)));
    assert_ne!(bits(run(1, 3)), bits(run(1, 4)));
}

#[test]
fn odd_panels_are_fitted_and_said() {
    let said = |votes: &Votes, part: &str| {
        let fitted = fit(votes, Dependence::Independent, &FitOptions::default()).unwrap();
        assert!(
            fitted.notes.iter().any(|note| note.to_string().contains(part)),
            "{part}: {:?}",
            fitted.notes
        );
        fitted
    };
    let one = votes_of(&["a"], 2, &[vec![1], vec![2], vec![0]]);
    said(&one, "with only one source");
    said(&votes_of(&["a", "b"], 2, &[vec![1, 1], vec![2, 1]]), "two sources cannot identify");
    said(&votes_of(&["a", "b", "c"], 3, &[vec![1, 1, 2], vec![2, 1, 0]]), "nobody votes for 2");
    said(&votes_of(&["a", "b"], 2, &[vec![1, 0], vec![2, 0]]), "\"b\" never vote");
    said(&votes_of(&["a"], 2, &[vec![0]]), "no source votes, so every item");
    let copied: Vec<Vec<Vote>> =
        (0..200u16).map(|i| vec![1 + i % 2, 1 + i % 2, 1 + i / 7 % 2, 1 + i / 3 % 2]).collect();
    let votes = votes_of(&["a", "b", "c", "d"], 2, &copied);
    let fitted = fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap();
    let note = "\"a\", \"b\" cast exactly the same votes and count as one source";
    assert!(fitted.notes.iter().any(|said| said.to_string() == note), "{:?}", fitted.notes);
    let weight = |j| weight_of(&fitted.model, &Accuracy::new(j).into());
    assert!((weight(0) - weight(1)).abs() < 1e-15 && (fitted.shares[0] - 0.5).abs() < 1e-12);
    // Together they weigh what one of them alone would.
    let alone: Vec<Vec<Vote>> = copied.iter().map(|row| vec![row[0], row[2], row[3]]).collect();
    let single =
        fit(&votes_of(&["a", "c", "d"], 2, &alone), Dependence::Repeats, &FitOptions::default()).unwrap();
    let of_single = weight_of(&single.model, &Accuracy::new(0).into());
    assert!((2.0 * weight(0) - of_single).abs() < 0.02, "{} {of_single}", weight(0));
}

#[test]
fn settings_out_of_range_are_refused() {
    let votes = votes_of(&["a", "b"], 2, &[vec![1, 1], vec![2, 1]]);
    let refused =
        |options: FitOptions| fit(&votes, Dependence::Independent, &options).unwrap_err().to_string();
    let default = FitOptions::default;
    assert_eq!(refused(default().with_tolerance(0.0)), "the tolerance must be above 0, but is 0");
    assert_eq!(
        refused(default().with_class_balance(ClassBalance::Given(vec![0.5, 0.6]))),
        "the class balance must be 2 shares above 0 that add up to 1, one per class, but is [0.5, 0.6]"
    );
    let priors = Priors::default().with_accuracy(1.0);
    assert_eq!(
        refused(default().with_priors(priors)),
        "the assumed accuracy must be between 0 and 1, but is 1"
    );
    let other = structure_of(&planted(2, 0), 2);
    let error = fit(&votes, Dependence::Linked(&other), &default()).unwrap_err().to_string();
    assert!(error.contains("\"s0\" is missing from the votes"), "{error}");
}

/// All pairs at once are too wide for elimination and go to the pseudolikelihood by themselves, or are refused if exact
/// inference is asked for.
#[test]
fn too_wide_structures_are_fitted_by_pseudolikelihood() {
    let truth = planted(14, 0);
    let votes = simulate(&truth, 2_000, 5, CellLimit::default(), |_| {}).unwrap().votes;
    let mut terms = Vec::new();
    for j in 0..14 {
        terms.push(Free { dependency: Accuracy::new(j).into(), prior: WeightPrior::normal(0.5, 1.0) });
        for c in 1..=2 {
            terms.push(Free { dependency: VoteRate::new(j, c).into(), prior: WeightPrior::normal(0.0, 0.1) });
        }
        for l in 0..j {
            let dependency = Correlation::new(j, l).unwrap().into();
            terms.push(Free { dependency, prior: WeightPrior::normal(0.0, 1.0) });
        }
    }
    let (_, ending, notes) = fit_weights(&votes, &terms, &FitOptions::default()).unwrap();
    assert_eq!(ending.estimator, Estimator::Pseudo);
    assert!(ending.converged && matches!(notes[0], FitNote::Pseudolikelihood { .. }), "{notes:?}");
    assert!(fit_weights(&votes, &terms, &FitOptions::default().with_inference(Inference::Exact)).is_err());
}

/// Rows in the lanes of vectors against rows one by one: a table of many distinct rows, whose parts are too short for lanes.
#[test]
fn rows_side_by_side_add_up_as_rows_one_by_one() {
    let truth = planted(18, 2);
    let votes = simulate(&truth, 40_000, 5, CellLimit::default(), |_| {}).unwrap().votes;
    assert!(votes.patterns().len() > 1 << 14 && votes.patterns().len() < 40_000);
    let terms = terms(&truth);
    let weights: Vec<f64> = terms.iter().enumerate().map(|(d, _)| 0.2 + 0.1 * (d % 7) as f64).collect();
    let options = FitOptions::default().with_cells(CellLimit(1 << 20));
    let (value, slopes) = Objective::evaluate(&votes, &terms, Inference::Exact, &weights, &options).unwrap();
    let mut expected = (log_density(&terms, &weights), vec![0.0; terms.len()]);
    // Halves of a few thousand rows are summed one by one.
    let mut rows: Vec<Vec<Vote>> = Vec::new();
    for i in 0..votes.items() {
        let mut row = vec![0; 18];
        votes.patterns().read_into(votes.item_pattern()[i] as usize, &mut row);
        rows.push(row);
    }
    for part in rows.chunks(4_000) {
        let part = table(&truth, part);
        let (value, slopes) =
            Objective::evaluate(&part, &terms, Inference::Exact, &weights, &options).unwrap();
        expected.0 += value - log_density(&terms, &weights);
        expected.1.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
    }
    let prior = |d: usize| -terms[d].prior.precision * (weights[d] - terms[d].prior.mean);
    assert!((value / expected.0 - 1.0).abs() < 1e-8, "{value} {}", expected.0);
    for (d, slope) in slopes.iter().enumerate() {
        let expected = expected.1[d] - 9.0 * prior(d);
        assert!((slope - expected).abs() < 1e-6 * 40_000.0, "{}: {slope} {expected}", terms[d].dependency);
    }
}

#[test]
fn invalid_structures_are_refused() {
    let rows = [["yes", "yes", "no"], ["no", "no", "no"], ["yes", "no", "yes"]].repeat(10);
    let votes = Votes::from_text(&["a", "b", "c"], rows).unwrap();
    let damaged = |damage: &dyn Fn(&mut Structure)| {
        let (sources, classes) = (votes.sources().clone(), votes.classes().clone());
        let mut structure = Structure::without_dependencies(sources, classes, votes.items());
        damage(&mut structure);
        structure
    };
    let linked = |j, l, weight| {
        let given = LearnedDependency::given(Correlation::new(j, l).unwrap().into());
        damaged(&|structure| structure.dependencies.push(LearnedDependency { weight, ..given.clone() }))
    };
    let repeating = |sources, share| {
        let pairs = vec![Repetition { sources, share, z: None }];
        damaged(&|structure| {
            structure.repetitions = Some(Repetitions { pairs: pairs.clone(), once: Vec::new() });
        })
    };
    for (structure, message) in [
        (damaged(&|structure| structure.copies.push(vec![0, 9])), "source number 9 does not exist"),
        (damaged(&|structure| structure.copies.push(Vec::new())), "a group of sources is empty"),
        (damaged(&|structure| structure.mirrors.push([1, 4])), "source number 4 does not exist"),
        (linked(0, 7, 1.0), "source number 7 does not exist"),
        (linked(0, 1, f64::NAN), "the weight must be a finite number, but is NaN"),
        (repeating([0, 3], 0.5), "source number 3 does not exist"),
        (repeating([0, 1], f64::INFINITY), "the weight must be a finite number, but is inf"),
        (repeating([1, 1], 0.5), "two different sources"),
    ] {
        for dependence in [Dependence::Structure(&structure), Dependence::Linked(&structure)] {
            let error = fit(&votes, dependence, &FitOptions::default()).unwrap_err().to_string();
            assert!(error.starts_with("the structure is invalid: "), "{error}");
            assert!(error.contains(message), "{error}");
        }
    }
}
