//! The vote table: the same table for any split and order of the rows, and a size that follows the votes.

use consilience::sources::{Classes, Sources, Vote};
use consilience::votes::{Vocabulary, Votes, VotesBuilder, VotesError};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

const WORDS: [&str; 5] = ["", "10", "9", "spam", "0"];

fn sources(n: usize) -> Sources {
    Sources::numbered(n).unwrap()
}

/// A table whose class names come from the data.
fn table(rows: &[Vec<usize>], n: usize) -> Result<Votes, VotesError> {
    let mut vocabulary = Vocabulary::default();
    let mut builder = VotesBuilder::new(sources(n));
    for row in rows {
        let votes: Vec<Vote> = row.iter().map(|&w| vocabulary.read(WORDS[w]).unwrap()).collect();
        builder.push_dense(&votes)?;
    }
    builder.finish(&vocabulary)
}

/// The votes by name, so that tables can be compared whatever their numbers.
fn by_name(votes: &Votes, item: usize) -> Vec<(String, String)> {
    let name = |(j, vote)| (votes.sources().name(j).to_string(), votes.classes().name(vote).to_string());
    votes.row_of_item(item).map(name).collect()
}

fn rows() -> impl Strategy<Value = (Vec<Vec<usize>>, usize)> {
    (1..=6usize).prop_flat_map(|n| {
        let row = proptest::collection::vec(prop_oneof![3 => Just(0), 2 => 1..WORDS.len()], n);
        (proptest::collection::vec(row, 2..60), Just(n))
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_item_keeps_its_votes((rows, n) in rows()) {
        let Ok(votes) = table(&rows, n) else { return Ok(()) };
        prop_assert_eq!(votes.items(), rows.len());
        prop_assert_eq!(votes.patterns().counts().iter().sum::<u64>(), rows.len() as u64);
        for (i, row) in rows.iter().enumerate() {
            let expected: Vec<(String, String)> = row
                .iter()
                .enumerate()
                .filter(|&(_, &w)| w != 0)
                .map(|(j, &w)| (format!("s{j}"), WORDS[w].to_string()))
                .collect();
            prop_assert_eq!(by_name(&votes, i), expected);
        }
        for (j, domain) in votes.domains().iter().enumerate() {
            let mut voted: Vec<Vote> =
                rows.iter().filter(|row| row[j] != 0).map(|row| votes.classes().vote(WORDS[row[j]]).unwrap()).collect();
            voted.sort_unstable();
            voted.dedup();
            prop_assert_eq!(domain.classes(), voted);
        }
    }

    #[test]
    fn the_order_of_the_rows_changes_only_the_order((rows, n) in rows()) {
        let Ok(votes) = table(&rows, n) else { return Ok(()) };
        let mut turned = rows.clone();
        turned.reverse();
        let other = table(&turned, n).unwrap();
        prop_assert!(votes.patterns() == other.patterns());
        prop_assert_eq!(votes.classes(), other.classes());
        let back: Vec<u32> = other.item_pattern().iter().rev().copied().collect();
        prop_assert_eq!(votes.item_pattern(), back);
    }

    #[test]
    fn merging_is_associative_and_equals_the_whole((rows, n) in rows(), a in 0..60usize, b in 0..60usize) {
        let (a, b) = (a.min(b) % rows.len(), a.max(b) % rows.len());
        let (a, b) = (a.min(b), a.max(b));
        let parts = [&rows[..a], &rows[a..b], &rows[b..]].map(|part| table(part, n));
        let [Ok(first), Ok(second), Ok(third)] = parts else { return Ok(()) };
        let whole = table(&rows, n).unwrap();
        let left = first.merge(&second).unwrap().merge(&third).unwrap();
        let right = first.merge(&second.merge(&third).unwrap()).unwrap();
        prop_assert!(left == whole);
        prop_assert!(right == whole);
        let turned = third.merge(&first).unwrap().merge(&second).unwrap();
        prop_assert!(turned.patterns() == whole.patterns());
    }

    #[test]
    fn parts_read_apart_make_the_same_table((rows, n) in rows(), cut in 0..60usize) {
        let cut = cut % rows.len();
        let read = |rows: &[Vec<usize>]| {
            let (mut vocabulary, mut builder) = (Vocabulary::default(), VotesBuilder::new(sources(n)));
            for row in rows {
                let votes: Vec<Vote> = row.iter().map(|&w| vocabulary.read(WORDS[w]).unwrap()).collect();
                builder.push_dense(&votes).unwrap();
            }
            (vocabulary, builder)
        };
        let ((mut vocabulary, mut builder), (part_vocabulary, part)) = (read(&rows[..cut]), read(&rows[cut..]));
        builder.append_part(&mut vocabulary, &part, &part_vocabulary).unwrap();
        let Ok(whole) = table(&rows, n) else { return Ok(()) };
        prop_assert!(builder.finish(&vocabulary).unwrap() == whole);
    }
}

#[test]
fn tables_with_other_sources_and_classes_merge_by_name() {
    let small = |names: &[&str], classes: &[&str], row: &[Vote]| {
        let owned = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        let mut builder = VotesBuilder::new(Sources::new(owned(names)).unwrap());
        builder.push_dense(row).unwrap();
        builder.finish_as(Classes::new(owned(classes)).unwrap()).unwrap()
    };
    let a = small(&["x", "y"], &["no", "yes"], &[1, 2]);
    let b = small(&["z", "y"], &["maybe", "yes"], &[1, 2]);
    let both = a.merge(&b).unwrap();
    assert_eq!(both.sources().names(), ["x", "y", "z"]);
    assert_eq!(both.classes().names(), ["maybe", "no", "yes"]);
    assert_eq!(by_name(&both, 0), [("x".into(), "no".into()), ("y".into(), "yes".into())]);
    assert_eq!(by_name(&both, 1), [("y".into(), "yes".into()), ("z".into(), "maybe".into())]);
}

#[test]
fn a_sparse_table_costs_its_votes_and_a_full_one_its_cells() {
    let n = 100;
    let build = |share: usize| {
        let mut builder = VotesBuilder::new(sources(n));
        for i in 0..5_000usize {
            let cast = |j: usize| (i * 7 + j * 13 + i * j) % 100 < share;
            let row: Vec<Vote> = (0..n).map(|j| if cast(j) { (i * j % 2) as Vote + 1 } else { 0 }).collect();
            builder.push_dense(&row).unwrap();
        }
        builder.finish_as(Classes::numbered(2).unwrap()).unwrap()
    };
    let votes_of =
        |votes: &Votes| (0..votes.patterns().len()).map(|p| votes.patterns().row(p).count()).sum::<usize>();
    let (sparse, full) = (build(3), build(95));
    let fixed = |votes: &Votes| 16 * votes.patterns().len() + 4 * votes.items();
    assert!(sparse.bytes() <= 2 * votes_of(&sparse) + fixed(&sparse));
    assert!(full.bytes() <= n * full.patterns().len() + fixed(&full));
}

#[test]
fn many_classes_and_wide_gaps_are_kept() {
    let n = 5_000;
    let mut builder = VotesBuilder::new(sources(n));
    builder.push(&[(0, 300), (4_999, 1)]).unwrap();
    builder.push(&[(17, 1_000)]).unwrap();
    let votes = builder.finish_as(Classes::numbered(1_000).unwrap()).unwrap();
    assert_eq!(votes.row_of_item(0).collect::<Vec<_>>(), [(0, 300), (4_999, 1)]);
    assert_eq!(votes.row_of_item(1).collect::<Vec<_>>(), [(17, 1_000)]);
    assert_eq!(votes.domains()[0].classes(), [300]);
    assert_eq!(votes.domains()[1].len(), 1, "a source that never votes is kept");
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    let mut builder = VotesBuilder::new(sources(3));
    for row in [&[(3, 1)][..], &[(1, 1), (0, 1)], &[(1, 1), (1, 2)]] {
        assert!(matches!(builder.push(row), Err(VotesError::Row { item: 1, sources: 3 })));
    }
    assert!(builder.push_dense(&[1, 2]).is_err());
    assert_eq!(builder.items(), 0);
    builder.push_dense(&[1, 3, 0]).unwrap();
    let error = builder.finish_as(Classes::numbered(2).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "source \"s1\": the vote 3 is not one of the 2 classes");
    let empty = VotesBuilder::new(sources(3)).finish_as(Classes::numbered(2).unwrap());
    assert!(matches!(empty, Err(VotesError::NoItems)));
}
