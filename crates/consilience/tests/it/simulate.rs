//! Simulated votes against the moments of the model they come from.

use consilience::dependency::DependencyType as _;
use consilience::model::{
    CellLimit, Drawing, Elimination, Links, Model, Planted, PlantedError, Simulated, Spread, simulate,
};
use consilience::sources::{Classes, Vote};

fn run(model: &Model, items: usize, seed: u64, limit: CellLimit) -> Simulated {
    simulate(model, items, seed, limit, |_| {}).unwrap()
}

/// Every E[φ] and every class share within five standard errors of the exact one.
fn check_moments(model: &Model, simulated: &Simulated) {
    let truth = Elimination::new(model, CellLimit::default()).unwrap().marginals();
    let m = simulated.labels.len() as f64;
    let mut votes: Vec<Vote> = vec![0; model.sources().len()];
    let mut sums = vec![(0.0, 0.0); model.factors().len()];
    for (i, &y) in simulated.labels.iter().enumerate() {
        simulated.votes.patterns().read_into(simulated.votes.item_pattern()[i] as usize, &mut votes);
        for (sum, factor) in sums.iter_mut().zip(model.factors().list()) {
            let scope: Vec<Vote> = factor.dependency.sources().iter().map(|&j| votes[j]).collect();
            let phi = factor.dependency.phi(&scope, y);
            sum.0 += phi;
            sum.1 += phi * phi;
        }
    }
    for (d, ((sum, squares), expected)) in sums.iter().zip(&truth.expectations).enumerate() {
        let mean = sum / m;
        let stderr = ((squares / m - mean * mean).max(0.0) / m).sqrt();
        let what = &model.factors().list()[d].dependency;
        assert!(
            (mean - expected).abs() <= 5.0 * stderr + 1e-9,
            "{what}: {mean} ± {stderr}, but exactly {expected}"
        );
    }
    for (y, p) in model.classes().votes().zip(&truth.classes) {
        let share = simulated.labels.iter().filter(|&&label| label == y).count() as f64 / m;
        assert!((share - p).abs() <= 5.0 * (p * (1.0 - p) / m).sqrt(), "class {y}: {share}, but exactly {p}");
    }
}

fn planted(links: Links, link_type: &str, strength: f64, k: usize) -> Planted {
    Planted {
        classes: Classes::numbered(k).unwrap(),
        abstain: Some(Spread { low: 0.2, high: 0.7 }),
        correct: Some(Spread { low: 0.55, high: 0.85 }),
        links,
        link_type: link_type.to_string(),
        strength,
        seed: 9,
        ..Planted::new(10).unwrap()
    }
}

#[test]
fn moments_of_exact_draws() {
    for (link_type, k) in [
        ("correlation", 2),
        ("agreement", 3),
        ("conjunction", 2),
        ("reinforcing", 4),
        ("fixing", 3),
        ("exclusive", 2),
    ] {
        let model = planted(Links::Density(0.2), link_type, 0.8, k).model().unwrap();
        let simulated = run(&model, 20_000, 1, CellLimit::default());
        assert_eq!(simulated.drawing, Drawing::Exact);
        check_moments(&model, &simulated);
    }
}

#[test]
fn moments_of_gibbs_draws() {
    for k in [2, 3] {
        let planted = Planted {
            balance: Some(if k == 2 { vec![0.3, 0.7] } else { vec![0.2, 0.3, 0.5] }),
            ..planted(Links::Cliques { size: 5, count: 2 }, "correlation", 0.5, k)
        };
        let model = planted.model().unwrap();
        let simulated = run(&model, 20_000, 1, CellLimit(1));
        assert!(matches!(simulated.drawing, Drawing::Gibbs { .. }));
        check_moments(&model, &simulated);
    }
}

/// The paper's independent source: abstains with 1 / (1 + e + 1/e), is right in e² / (1 + e²) of its votes.
#[test]
fn the_paper_s_source_in_closed_form() {
    let model = Planted::new(1).unwrap().model().unwrap();
    let marginals = Elimination::new(&model, CellLimit::default()).unwrap().marginals();
    let e = std::f64::consts::E;
    let abstain: f64 = marginals.votes[0][0] + marginals.votes[0][1];
    assert!((abstain - 1.0 / (1.0 + e + 1.0 / e)).abs() < 1e-12);
    let right = marginals.votes[0][2] + marginals.votes[0][5];
    assert!((right / (1.0 - abstain) - e * e / (1.0 + e * e)).abs() < 1e-12);
}

#[test]
fn shares_asked_for_are_shares_found() {
    for k in [2, 5] {
        let planted = Planted {
            classes: Classes::numbered(k).unwrap(),
            correct: Some(Spread::constant(0.7)),
            abstain: Some(Spread::constant(0.4)),
            ..Planted::new(1).unwrap()
        };
        let marginals =
            Elimination::new(&planted.model().unwrap(), CellLimit::default()).unwrap().marginals();
        let abstain: f64 = marginals.votes[0][..k].iter().sum();
        let right: f64 = (0..k).map(|y| marginals.votes[0][(y + 1) * k + y]).sum();
        assert!((abstain - 0.4).abs() < 1e-12 && (right / 0.6 - 0.7).abs() < 1e-12);
    }
}

#[test]
fn a_seed_repeats_for_any_number_of_threads() {
    let model = planted(Links::Density(0.3), "correlation", 0.5, 3).model().unwrap();
    for limit in [CellLimit::default(), CellLimit(1)] {
        let in_pool = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&model, 3_000, 4, limit))
        };
        let (one, three) = (in_pool(1), in_pool(3));
        assert_eq!(one.labels, three.labels);
        assert!(one.votes == three.votes);
        assert_ne!(one.labels, run(&model, 3_000, 5, limit).labels);
    }
}

#[test]
fn structures_are_what_was_asked_for() {
    let pairs = |links| Planted { links, ..Planted::new(6).unwrap() }.pairs();
    assert_eq!(pairs(Links::Pairs(2)), [(0, 1), (2, 3)]);
    assert_eq!(pairs(Links::Cliques { size: 3, count: 2 }), [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)]);
    assert_eq!(pairs(Links::Density(1.0)).len(), 15);
    assert_eq!(pairs(Links::Density(0.0)).len(), 0);
    let many = Planted { links: Links::Density(0.05), ..Planted::new(200).unwrap() }.pairs().len() as f64;
    assert!((many - 995.0).abs() < 5.0 * (19_900.0f64 * 0.05 * 0.95).sqrt());
}

#[test]
fn wrong_numbers_are_refused_with_their_range() {
    let base = || Planted::new(4).unwrap();
    let text = |planted: Planted| planted.model().unwrap_err().to_string();
    assert_eq!(
        text(Planted { links: Links::Pairs(3), ..base() }),
        "3 pairs need 6 sources, but there are 4; use more sources or fewer links"
    );
    assert_eq!(
        text(Planted { abstain: Some(Spread::constant(1.0)), ..base() }),
        "the share of abstains must be strictly between 0 and 1 (lower end first), but is 1"
    );
    assert!(text(Planted { accuracy: Spread::constant(f64::NAN), ..base() }).contains("NaN"));
    assert!(text(Planted { correct: Some(Spread { low: 0.9, high: 0.6 }), ..base() }).contains("0.9..0.6"));
    assert!(
        text(Planted { balance: Some(vec![0.5, 0.6]), ..base() }).contains("2 positive shares that sum to 1")
    );
    assert!(text(Planted { links: Links::Density(1.5), ..base() }).contains("1.5"));
    assert!(
        text(Planted { links: Links::Pairs(1), link_type: "accuracy".into(), ..base() }).contains("accuracy")
    );
    assert!(matches!(Planted { sources: 0, ..base() }.model(), Err(PlantedError::Range { .. })));
}
