//! The exact method where votes are few or sources many: the work it takes, by counting, and what it finds.

use consilience::dependency::DependencyType as _;
use consilience::model::{CellLimit, Links, Planted, simulate};
use consilience::rng::{Streams, unit};
use consilience::sources::{Classes, Sources, Vote};
use consilience::structure::{ExactError, ExactOptions, Select, fit_exact, learn_exact};
use consilience::votes::VotesBuilder;
use consilience_testing::repeating_panel;

/// Twenty rows for each link, most of which no two sources vote on together: all problems are solved all the same. The larger
/// table has more parameters than factors that lie side by side.
#[test]
fn few_votes_for_each_link_take_few_passes() {
    for (sources, items) in [(60, 1_200), (200, 4_000)] {
        let votes = repeating_panel(sources, items, 0.05);
        let fitted = fit_exact(&votes, &ExactOptions::default()).unwrap();
        assert!(fitted.sources.iter().all(|source| source.converged), "{sources}");
        // All groups of sixteen together; without the expected curvature each group took 2,400.
        let groups = sources.div_ceil(16);
        assert!(fitted.passes < 150 * groups, "{sources}: {} passes", fitted.passes);
        let structure = learn_exact(&votes, &ExactOptions::default(), Select::Fwer(0.05)).unwrap();
        let pairs: Vec<&[usize]> = structure.selected().map(|found| found.dependency.sources()).collect();
        let repeated = pairs.iter().filter(|pair| pair[1] == pair[0] + 1 && pair[1] % 10 == 9).count();
        assert!(repeated >= sources / 10 - 1 && pairs.len() <= repeated + 1, "{pairs:?}");
    }
}

/// Rules that vote one class only, of which some never meet and some never part: the optimum is far away, and is reached.
#[test]
fn rules_that_never_meet_or_never_part_settle() {
    let mut rng = Streams::new(4).stream(0);
    let n = 24;
    let names = (0..n).map(|j| format!("r{j}")).collect();
    let mut builder = VotesBuilder::new(Sources::new(names).unwrap());
    for _ in 0..6_000 {
        let y = if unit(&mut rng) < 0.3 { 1 } else { 2 };
        let topic = (8.0 * unit(&mut rng)) as usize;
        let mut row: Vec<Vote> = vec![0; n];
        for j in 0..n {
            let class = 1 + Vote::from(j % 2 == 0);
            // Each rule knows one topic of eight; every third one fires wherever the one before it does.
            let fires = j % 8 == topic && unit(&mut rng) < if class == y { 0.5 } else { 0.1 };
            row[j] = if fires || j % 3 == 2 && row[j - 1] > 0 { class } else { 0 };
        }
        builder.push_dense(&row).unwrap();
    }
    let votes = builder.finish_as(Classes::numbered(2).unwrap()).unwrap();
    let structure = learn_exact(&votes, &ExactOptions::default(), Select::Auto).unwrap();
    assert_eq!(structure.unsettled, Vec::<usize>::new());
    let fitted = fit_exact(&votes, &ExactOptions::default()).unwrap();
    assert!(fitted.passes < 1_000, "{} passes", fitted.passes);
    assert!(structure.dependencies.iter().all(|found| found.stderr.is_none_or(|error| error < 1e9)));
}

/// Dense graphs: `miss` keeps the true links, and far fewer others than there are.
#[test]
fn no_dependency_is_left_out_where_that_is_asked_for() {
    let (mut missed, mut extra) = (0, 0);
    for seed in 0..4 {
        let planted = Planted { links: Links::Density(0.05), seed, ..Planted::new(50).unwrap() };
        let truth = planted.pairs();
        let votes =
            simulate(&planted.model().unwrap(), 5_000, seed, CellLimit::default(), |_| {}).unwrap().votes;
        let structure = learn_exact(&votes, &ExactOptions::default(), Select::Miss(0.1)).unwrap();
        let found: Vec<(usize, usize)> = structure
            .selected()
            .map(|found| (found.dependency.sources()[0], found.dependency.sources()[1]))
            .collect();
        let hits = found.iter().filter(|pair| truth.contains(pair)).count();
        missed += truth.len() - hits;
        extra += found.len() - hits;
    }
    assert!(missed <= 1, "{missed} missed");
    assert!((1..160).contains(&extra), "{extra} extra");
}

/// Identifiers taken for classes would need matrices of many gigabytes: refused before any is made.
#[test]
fn more_classes_than_fit_into_memory_are_refused() {
    let classes = 9_000u16;
    let mut builder = VotesBuilder::new(Sources::new(["a", "b", "c"].map(String::from).to_vec()).unwrap());
    for class in 1..=classes {
        builder.push_dense(&[class, 1 + class % classes, if class % 2 == 0 { class } else { 1 }]).unwrap();
    }
    let votes = builder.finish_as(Classes::numbered(usize::from(classes)).unwrap()).unwrap();
    let refused = fit_exact(&votes, &ExactOptions::default()).unwrap_err();
    assert!(matches!(refused, ExactError::TooManyWeights { weights, .. } if weights > 18_000), "{refused}");
}
