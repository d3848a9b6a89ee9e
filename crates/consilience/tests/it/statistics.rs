//! Statistics of votes against counting by hand, and their independence of order, split and threads.

use std::collections::BTreeSet;

use consilience::report::Analysis;
use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::Votes;
use consilience_testing::tables::{PlainTable, plain_tables};
use proptest::prelude::*;

fn count(rows: &[Vec<Vote>], what: impl Fn(&[Vote]) -> bool) -> u64 {
    rows.iter().filter(|row| what(row)).count() as u64
}

fn others(row: &[Vote], j: usize) -> impl Iterator<Item = Vote> + '_ {
    row.iter().enumerate().filter(move |&(l, &vote)| l != j && vote != ABSTAIN).map(|(_, &vote)| vote)
}

/// Cohen's kappa from the textbook, over pairs of values.
fn slow_kappa(values: &[(Vote, Vote)]) -> Option<f64> {
    let n = values.len() as f64;
    let share =
        |what: &dyn Fn(&(Vote, Vote)) -> bool| values.iter().filter(|pair| what(pair)).count() as f64 / n;
    let observed = share(&|pair| pair.0 == pair.1);
    let seen: BTreeSet<Vote> = values.iter().flat_map(|pair| [pair.0, pair.1]).collect();
    let expected: f64 =
        seen.iter().map(|value| share(&|pair| pair.0 == *value) * share(&|pair| pair.1 == *value)).sum();
    (seen.len() > 1).then(|| (observed - expected) / (1.0 - expected))
}

fn close(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-12,
        (a, b) => a == b,
    }
}

fn check_against_hand_count(table: &PlainTable, gold: &[Vote]) {
    let rows = &table.rows;
    let votes = table.votes();
    let statistics = votes.statistics(Some(gold)).unwrap();
    let cast = |row: &[Vote]| row.iter().copied().filter(|&vote| vote != ABSTAIN).collect::<Vec<_>>();
    assert_eq!(statistics.items, rows.len() as u64);
    assert_eq!(statistics.covered, count(rows, |row| !cast(row).is_empty()));
    assert_eq!(statistics.overlaps, count(rows, |row| cast(row).len() > 1));
    assert_eq!(statistics.conflicts, count(rows, |row| BTreeSet::from_iter(cast(row)).len() > 1));
    assert_eq!(statistics.votes(), rows.iter().map(|row| cast(row).len() as u64).sum::<u64>());
    assert_eq!(statistics.known, Some(gold.iter().filter(|&&class| class != ABSTAIN).count() as u64));

    for (j, source) in statistics.sources.iter().enumerate() {
        let votes_for: Vec<(Vote, u64)> = (1..=table.k as Vote)
            .map(|class| (class, count(rows, |row| row[j] == class)))
            .filter(|&(_, votes)| votes > 0)
            .collect();
        assert_eq!(source.votes_for, votes_for);
        let overlaps = count(rows, |row| row[j] != ABSTAIN && others(row, j).next().is_some());
        assert_eq!(source.overlaps, overlaps);
        let conflicts = count(rows, |row| row[j] != ABSTAIN && others(row, j).any(|vote| vote != row[j]));
        assert_eq!(source.conflicts, conflicts);
        let judged = || rows.iter().zip(gold).filter(|(row, class)| row[j] != ABSTAIN && **class != ABSTAIN);
        let correct = judged().filter(|(row, class)| row[j] == **class).count() as u64;
        let against_gold = source.gold.unwrap();
        assert_eq!(against_gold.correct, correct);
        assert_eq!(against_gold.correct + against_gold.incorrect, judged().count() as u64);
    }

    let all_pairs = votes.pairs().unwrap();
    let mut pairs = all_pairs.iter();
    for j in 0..table.sources {
        for l in j + 1..table.sources {
            let all: Vec<(Vote, Vote)> = rows.iter().map(|row| (row[j], row[l])).collect();
            let both: Vec<_> = all.iter().copied().filter(|&(a, b)| a != ABSTAIN && b != ABSTAIN).collect();
            if both.is_empty() {
                continue;
            }
            let pair = pairs.next().unwrap();
            assert_eq!(pair.sources, [j, l]);
            assert_eq!(pair.both, both.len() as u64);
            assert_eq!(pair.agreements, both.iter().filter(|pair| pair.0 == pair.1).count() as u64);
            let (kappa, kappa_all) = (pair.kappa(), statistics.kappa_all(pair));
            assert!(close(kappa, slow_kappa(&both)), "{kappa:?} of {both:?}");
            assert!(close(kappa_all, slow_kappa(&all)), "{kappa_all:?} of {all:?}");
        }
    }
    assert_eq!(pairs.next(), None);

    let column = |j: usize| rows.iter().map(|row| row[j]).collect::<Vec<_>>();
    let mut copies: Vec<Vec<usize>> = Vec::new();
    for j in (0..table.sources).filter(|&j| column(j).iter().any(|&vote| vote != ABSTAIN)) {
        match copies.iter_mut().find(|group| column(group[0]) == column(j)) {
            Some(group) => group.push(j),
            None => copies.push(vec![j]),
        }
    }
    copies.retain(|group| group.len() > 1);
    assert_eq!(consilience::structure::exact_copies(&votes), copies);
}

fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn merged(parts: &[Votes]) -> Votes {
    let (first, rest) = parts.split_first().unwrap();
    rest.iter().fold(first.clone(), |all, part| all.merge(part).unwrap())
}

proptest! {
    #[test]
    fn statistics_are_what_counting_by_hand_finds(
        table in plain_tables(),
        classes in prop::collection::vec(0u16..=7, 80),
    ) {
        check_against_hand_count(&table, &classes[..table.rows.len()]);
    }

    #[test]
    fn any_split_order_and_number_of_threads_gives_the_same_analysis(
        table in plain_tables(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        turn in any::<prop::sample::Index>(),
    ) {
        let whole = Analysis::new(&table.votes(), None, usize::MAX).unwrap();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(table.rows.len())).collect();
        cuts.extend([0, table.rows.len()]);
        cuts.sort_unstable();
        cuts.dedup();
        let mut parts: Vec<Votes> =
            cuts.windows(2).map(|range| table.votes_of(&table.rows[range[0]..range[1]])).collect();
        let turn = turn.index(parts.len());
        parts.rotate_left(turn);
        for threads in [1, 2, 4] {
            let analysis = on_threads(threads, || Analysis::new(&merged(&parts), None, usize::MAX).unwrap());
            prop_assert_eq!(&analysis, &whole);
        }
    }
}

/// Longer than one block of bit columns, with heavy repetition, so that blocks with and without count planes meet.
#[test]
fn long_tables_are_counted_block_by_block() {
    let rows: Vec<Vec<Vote>> = (0u32..30_000)
        .map(|i| {
            let value = |shift: u32| ((i.wrapping_mul(2_654_435_761) >> shift) % 4) as Vote;
            if i % 3 == 0 { vec![1, 2, 1, 0, 0, 0, 0] } else { (0..7).map(|j| value(4 * j + 2)).collect() }
        })
        .collect();
    let gold: Vec<Vote> = (0..rows.len()).map(|i| (i % 5) as Vote).collect();
    check_against_hand_count(&PlainTable { k: 3, sources: 7, rows }, &gold);
}

#[test]
fn gold_must_have_one_label_an_item() {
    let table = PlainTable { k: 2, sources: 2, rows: vec![vec![1, 2], vec![0, 1]] };
    let error = table.votes().statistics(Some(&[1])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the table has 2 items, but gold has 1; provide one per item, in the same order, and leave unknown ones empty"
    );
}

#[test]
fn pairs_that_hardly_meet_do_not_lead() {
    let mut rows = vec![vec![1, 1, 0, 0], vec![2, 2, 0, 0], vec![1, 2, 0, 0]];
    rows.extend(vec![vec![1, 1, 0, 0]; 50]);
    rows.extend(vec![vec![2, 2, 0, 0]; 50]);
    rows.push(vec![0, 0, 1, 1]);
    let analysis = Analysis::new(&PlainTable { k: 2, sources: 4, rows }.votes(), None, 1).unwrap();
    assert_eq!(analysis.pairs[0].sources, ["s0", "s1"]);
    assert_eq!(analysis.copies, [["s2", "s3"]]);
}
