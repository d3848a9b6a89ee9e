//! Elimination on graphs that are too large for one table: against enumeration where that still fits, against itself in
//! another order of the sources, and its cost.

use consilience::dependency::{Accuracy, Correlation, Factor};
use consilience::model::{CellLimit, Elimination, Model};
use consilience::rng::{Streams, unit};
use consilience::sources::{Classes, Domain, Sources};
use consilience_testing::{Enumeration, close};

fn graph(n: usize, k: usize, edges: &[(usize, usize)], seed: u64, place: &[usize]) -> Model {
    let mut rng = Streams::new(seed).stream(0);
    let mut factors: Vec<Factor> =
        (0..n).map(|j| Factor::new(Accuracy::new(place[j]), 2.0 * unit(&mut rng) - 0.5)).collect();
    for &(j, l) in edges {
        factors.push(Factor::new(Correlation::new(place[j], place[l]).unwrap(), 3.0 * unit(&mut rng) - 1.0));
    }
    Model::new(
        Sources::numbered(n).unwrap(),
        Classes::numbered(k).unwrap(),
        vec![Domain::full(k); n],
        factors,
    )
    .unwrap()
}

fn random_edges(n: usize, share: f64, seed: u64) -> Vec<(usize, usize)> {
    let mut rng = Streams::new(seed).stream(1);
    (0..n).flat_map(|j| (j + 1..n).map(move |l| (j, l))).filter(|_| unit(&mut rng) < share).collect()
}

fn identity(n: usize) -> Vec<usize> {
    (0..n).collect()
}

#[test]
fn random_graphs_equal_enumeration() {
    for seed in 0..12 {
        let n = 4 + seed as usize % 4;
        let model = graph(n, 2, &random_edges(n, 0.5, seed), seed, &identity(n));
        let elimination = Elimination::new(&model, CellLimit::default()).unwrap();
        let truth = Enumeration::new(&model);
        assert!(close(elimination.log_partition(), truth.log_partition(), 1e-10), "seed {seed}");
        for (a, b) in elimination.marginals().expectations.iter().zip(truth.expectations()) {
            assert!(close(*a, b, 1e-10), "seed {seed}: {a} {b}");
        }
    }
}

#[test]
fn the_order_of_the_sources_changes_nothing() {
    let n = 40;
    let edges = random_edges(n, 0.06, 3);
    let straight = graph(n, 3, &edges, 3, &identity(n));
    let turned = graph(n, 3, &edges, 3, &(0..n).map(|j| (7 * j + 3) % n).collect::<Vec<_>>());
    let limit = CellLimit(1 << 26);
    let (a, b) = (Elimination::new(&straight, limit).unwrap(), Elimination::new(&turned, limit).unwrap());
    assert!(close(a.log_partition(), b.log_partition(), 1e-12));
    for (x, y) in a.marginals().expectations.iter().zip(b.marginals().expectations) {
        assert!(close(*x, y, 1e-10), "{x} {y}");
    }
}

#[test]
fn a_long_chain_is_cheap_and_a_clique_is_refused() {
    let n = 2000;
    let chain: Vec<(usize, usize)> = (1..n).map(|j| (j - 1, j)).collect();
    let model = graph(n, 2, &chain, 0, &identity(n));
    let elimination = Elimination::new(&model, CellLimit::default()).unwrap();
    assert_eq!(elimination.cells(), 2 * (9 * (n as u64 - 1) + 3));
    assert!(elimination.log_partition().is_finite());

    let all: Vec<(usize, usize)> = (0..40).flat_map(|j| (j + 1..40).map(move |l| (j, l))).collect();
    let refused = Elimination::new(&graph(40, 2, &all, 0, &identity(40)), CellLimit::default()).unwrap_err();
    assert_eq!((refused.group_size, refused.limit), (40, 1 << 24));
    assert!(refused.cells > refused.limit);
    let text = refused.to_string();
    assert!(
        text.contains("40 connected sources around \"s0\"") && text.contains("raise the limit"),
        "{text}"
    );
}

#[test]
fn the_limit_can_be_raised() {
    let all: Vec<(usize, usize)> = (0..6).flat_map(|j| (j + 1..6).map(move |l| (j, l))).collect();
    let model = graph(6, 2, &all, 0, &identity(6));
    let cells = 2 * (729 + 243 + 81 + 27 + 9 + 3);
    assert!(Elimination::new(&model, CellLimit(cells - 2)).is_err());
    assert_eq!(Elimination::new(&model, CellLimit(cells)).unwrap().cells(), cells);
}

#[test]
fn many_independent_sources_need_no_limit() {
    let n = 100_000;
    let model = graph(n, 4, &[], 0, &identity(n));
    assert_eq!(Elimination::new(&model, CellLimit(1)).unwrap().cells(), 4 * 5 * n as u64);
}
