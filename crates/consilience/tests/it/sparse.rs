//! Tables in which two sources meet on a handful of items: error rates hold, and what is there is found.

use consilience::dependency::DependencyType as _;
use consilience::model::{CellLimit, Links, Planted, Spread, simulate};
use consilience::rng::Streams;
use consilience::sources::{Classes, Sources};
use consilience::structure::{ExactOptions, Select, Structure, learn_exact};
use consilience::votes::{Votes, VotesBuilder};
use rand::RngExt as _;

fn learn(votes: &Votes) -> Structure {
    learn_exact(votes, &ExactOptions::default(), Select::Auto).unwrap()
}

fn ends(structure: &Structure) -> Vec<(usize, usize)> {
    structure.selected().map(|d| (d.dependency.sources()[0], d.dependency.sources()[1])).collect()
}

fn panel(sources: usize, items: usize, classes: usize, coverage: Spread, links: Links, seed: u64) -> Votes {
    let planted = Planted {
        classes: Classes::numbered(classes).unwrap(),
        correct: Some(Spread::constant(0.85)),
        abstain: Some(Spread { low: 1.0 - coverage.high, high: 1.0 - coverage.low }),
        links,
        strength: 1.0,
        seed,
        ..Planted::new(sources).unwrap()
    };
    simulate(&planted.model().unwrap(), items, seed, CellLimit::default(), |_| {}).unwrap().votes
}

/// The family-wise error of `auto` is 0.01, so that one false link in sixty runs is plenty.
#[test]
fn sources_that_know_nothing_of_each_other_are_not_linked() {
    let mut runs = 0;
    for (items, classes, coverage) in [(2_000, 2, 0.01), (1_500, 3, 0.02), (2_000, 5, 0.05)] {
        for seed in 1..=20 {
            let votes = panel(40, items, classes, Spread::constant(coverage), Links::None, seed);
            let structure = learn(&votes);
            assert_eq!(structure.tests, 780);
            assert!(structure.dependencies.len() + structure.untested == 780);
            runs += usize::from(structure.selected().count() > 0);
        }
    }
    assert!(runs <= 1, "{runs} of 60 runs have a false link");
}

#[test]
fn links_between_sources_that_meet_on_a_hundred_items_are_found() {
    let votes = panel(40, 20_000, 2, Spread { low: 0.01, high: 0.3 }, Links::Pairs(10), 4);
    let found = ends(&learn(&votes));
    let often = votes.pairs().unwrap().into_iter().filter(|pair| {
        let [j, l] = pair.sources;
        j % 2 == 0 && l == j + 1 && l < 20 && pair.both >= 100
    });
    let often: Vec<[usize; 2]> = often.map(|pair| pair.sources).collect();
    assert!(often.len() >= 5);
    for [j, l] in often {
        assert!(found.contains(&(j, l)), "{j} {l} of {found:?}");
    }
    assert!(found.iter().all(|&(j, l)| j % 2 == 0 && l == j + 1 && l < 20), "{found:?}");
}

/// Source 1 repeats some votes of 0, and 2 some of 1's: 0 and 2 agree because of 1.
#[test]
fn a_link_that_follows_from_two_others_is_not_kept() {
    let (n, items) = (30, 20_000);
    let mut rng = Streams::new(6).stream(0);
    let mut builder = VotesBuilder::new(Sources::numbered(n).unwrap());
    for _ in 0..items {
        let y: u16 = rng.random_range(1..=2);
        let mut row: Vec<u16> = (0..n)
            .map(|_| match (rng.random_bool(0.02), rng.random_bool(0.8)) {
                (false, _) => 0,
                (true, true) => y,
                (true, false) => 3 - y,
            })
            .collect();
        for j in 1..=2 {
            if row[j - 1] > 0 && rng.random_bool(0.5) {
                row[j] = row[j - 1];
            }
        }
        builder.push_dense(&row).unwrap();
    }
    let votes = builder.finish_as(Classes::numbered(2).unwrap()).unwrap();
    assert_eq!(ends(&learn(&votes)), [(0, 1), (1, 2)]);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let votes = panel(60, 4_000, 3, Spread { low: 0.01, high: 0.2 }, Links::Pairs(10), 2);
    let with = |threads: usize| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| learn(&votes))
    };
    assert_eq!(with(1), with(3));
}

/// A source that always says the opposite of another one is named, and makes no links.
#[test]
fn mirror_images_are_named_and_make_no_links() {
    let first = panel(12, 4_000, 2, Spread::constant(0.6), Links::None, 9);
    let mut builder = VotesBuilder::new(Sources::numbered(13).unwrap());
    for p in 0..first.patterns().len() {
        let mut row = vec![0; 13];
        for (j, vote) in first.patterns().row(p) {
            row[j] = vote;
        }
        row[12] = if row[3] > 0 { 3 - row[3] } else { 0 };
        for _ in 0..first.patterns().counts()[p] {
            builder.push_dense(&row).unwrap();
        }
    }
    let votes = builder.finish_as(Classes::numbered(2).unwrap()).unwrap();
    let structure = learn(&votes);
    assert_eq!(structure.mirrors, [[3, 12]]);
    assert_eq!(ends(&structure), []);
    assert!(structure.unsettled.is_empty());
    assert_eq!(structure.groups(), [vec![3, 12]]);
}
