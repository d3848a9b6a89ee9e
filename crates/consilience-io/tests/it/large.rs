//! Tables with more distinct rows than are held at once: samples of rows, and parts.

use std::fmt::Write as _;

use consilience::sources::{Classes, Vote};
use consilience::votes::ReadingNote;
use consilience_io::{
    Budget, Input, Output, Parts, PartsRead, ReadError, ReadOptions, SampledTable, VoteTable, WriteVotes,
    read_votes, read_votes_in_parts, read_votes_sampled, write_votes,
};

use crate::folder::{Folder, rows};

const ROWS: usize = 1_000;

/// A thousand rows, nearly all of them different, with names and gold; one class is voted for in one row only.
fn table(folder: &Folder) -> Input {
    let mut text = "item,a,b,c,d,e,f,g,h,gold\n".to_string();
    let mut bits = 1u64;
    for row in 0..ROWS {
        write!(text, "q{row}").unwrap();
        for source in 0..8 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let cell =
                if row == 777 && source == 3 { "rare" } else { ["", "no", "yes"][(bits >> 40) as usize % 3] };
            write!(text, ",{cell}").unwrap();
        }
        writeln!(text, ",{}", ["yes", "no", "", "other"][row % 4]).unwrap();
    }
    folder.file("votes.csv", text)
}

/// The same table in all formats.
fn all_formats(folder: &Folder) -> Vec<Input> {
    let input = table(folder);
    let whole = read_votes(&input, &ReadOptions::default()).unwrap();
    let mut inputs = vec![input];
    for name in ["votes.jsonl", "votes.parquet", "votes.arrow"] {
        let options = WriteVotes { items: Some(&whole.items), ..WriteVotes::default() };
        write_votes(Output::create(&folder.path(name)).unwrap(), &whole.votes, &options).unwrap();
        inputs.push(Input::Path(folder.path(name)));
    }
    inputs
}

fn known() -> ReadOptions {
    let classes = ["no", "rare", "yes"].map(String::from).to_vec();
    ReadOptions::default().with_known(Classes::new(classes).unwrap())
}

fn sampled(input: &Input, options: &ReadOptions, patterns: usize) -> SampledTable {
    read_votes_sampled(input, options, &Budget { patterns, again: true }, &|_| ()).unwrap()
}

fn parts(
    input: &Input,
    options: &ReadOptions,
    rows: usize,
    whole: usize,
) -> Result<(Vec<VoteTable>, PartsRead), ReadError> {
    let mut tables = Vec::new();
    let mut before = 0;
    let read = read_votes_in_parts(input, options, &Parts { rows, whole }, &|_| (), |part| {
        assert_eq!(part.rows_before, before);
        before += part.table.votes.items() as u64;
        tables.push(part.table);
        Ok::<(), ReadError>(())
    })?;
    assert_eq!(read.rows, before);
    Ok((tables, read))
}

#[test]
fn a_table_within_the_budget_is_read_as_ever() {
    let folder = Folder::new();
    for input in all_formats(&folder) {
        let whole = read_votes(&input, &ReadOptions::default()).unwrap();
        let patterns = whole.votes.patterns().len();
        assert_eq!(
            sampled(&input, &ReadOptions::default(), patterns),
            SampledTable { table: whole.clone(), rows: 1_000 }
        );
        assert!(sampled(&input, &ReadOptions::default(), patterns - 1).is_sample());
        let (tables, read) = parts(&input, &known(), 10, patterns).unwrap();
        assert_eq!((tables, read.notes), (vec![read_votes(&input, &known()).unwrap()], vec![]));
    }
}

#[test]
fn a_sample_is_the_same_rows_in_every_format_and_for_any_number_of_threads() {
    let folder = Folder::new();
    let mut seen: Option<(Vec<String>, Vec<Vec<String>>)> = None;
    for input in all_formats(&folder) {
        let whole = read_votes(&input, &ReadOptions::default()).unwrap();
        let all = rows(&whole);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let sample = pool.install(|| sampled(&input, &ReadOptions::default(), 100));
            assert_eq!((sample.rows, sample.table.votes.items()), (1_000, 100));
            // Classes that the sample does not vote for are still classes.
            assert_eq!(sample.table.votes.classes(), whole.votes.classes());
            let names: Vec<String> = sample.table.items.iter().map(String::from).collect();
            let votes = rows(&sample.table);
            for (name, votes) in names.iter().zip(&votes) {
                assert_eq!(*votes, all[whole.items.position(name).unwrap()], "{name}");
            }
            let now = (names, votes);
            assert_eq!(*seen.get_or_insert(now.clone()), now, "{}", input.name());
        }
    }
}

#[test]
fn gold_and_row_numbers_stay_with_their_rows() {
    let folder = Folder::new();
    let input = table(&folder);
    let options = ReadOptions::default().with_ignore(vec!["item".into()]);
    let whole = read_votes(&input, &options).unwrap();
    let sample = sampled(&input, &options, 90).table;
    let gold = |table: &VoteTable, row: usize| table.gold.as_ref().unwrap()[row];
    for (i, name) in sample.items.iter().enumerate() {
        let row: usize = name.parse().unwrap();
        assert_eq!(gold(&sample, i), gold(&whole, row));
        assert!(sample.votes.row_of_item(i).eq(whole.votes.row_of_item(row)));
    }
    let mut classes: Vec<Vote> = sample.gold.unwrap();
    classes.sort_unstable();
    classes.dedup();
    assert_eq!(classes.len(), 4);
}

#[test]
fn parts_together_are_the_table() {
    let folder = Folder::new();
    for input in all_formats(&folder) {
        let whole = read_votes(&input, &known()).unwrap();
        let all = rows(&whole);
        for size in [1, 7, 100, 1_000, 5_000] {
            let (tables, read) = parts(&input, &known(), size, 0).unwrap();
            assert_eq!(tables.len(), ROWS.div_ceil(size), "{}", input.name());
            assert!(tables.iter().all(|part| part.votes.classes() == whole.votes.classes()));
            let names: Vec<String> =
                tables.iter().flat_map(|part| part.items.iter().map(String::from)).collect();
            assert!(whole.items.iter().eq(names.iter().map(String::as_str)));
            assert_eq!(tables.iter().flat_map(rows).collect::<Vec<_>>(), all);
            if let Some(gold) = &whole.gold {
                let parted: Vec<Vote> = tables.iter().flat_map(|part| part.gold.clone().unwrap()).collect();
                assert_eq!(parted, *gold);
            }
            // Hints look at the votes of the first part only; decisions are all reported.
            let told: Vec<_> = tables.iter().flat_map(|part| part.notes.clone()).chain(read.notes).collect();
            let decided = |note: &&ReadingNote| {
                matches!(note, ReadingNote::OtherGold { .. } | ReadingNote::GoldByName { .. })
            };
            assert!(whole.notes.iter().filter(decided).all(|note| told.contains(note)), "{told:?}");
            assert_eq!(whole.notes.iter().filter(decided).count(), 2 * usize::from(whole.gold.is_some()));
        }
    }
}

#[test]
fn parts_number_their_rows_through() {
    let folder = Folder::new();
    let input = table(&folder);
    let options = known().with_ignore(vec!["item".into(), "gold".into()]);
    let (tables, _) = parts(&input, &options, 300, 0).unwrap();
    let names: Vec<String> = tables.iter().flat_map(|part| part.items.iter().map(String::from)).collect();
    assert!(names.iter().enumerate().all(|(row, name)| *name == row.to_string()));
    assert_eq!(names.len(), ROWS);
}

#[test]
fn without_classes_there_is_one_part() {
    let folder = Folder::new();
    let (tables, _) = parts(&table(&folder), &ReadOptions::default(), 10, 0).unwrap();
    assert_eq!(tables.len(), 1);
}

#[test]
fn a_broken_row_is_named_wherever_it_is() {
    let folder = Folder::new();
    let Input::Path(path) = table(&folder) else { panic!("a file") };
    let mut text = std::fs::read_to_string(path).unwrap();
    text.push_str("q1000,yes,yes,yes,yes,yes,yes,yes,0.5,yes\n");
    let input = folder.file("broken.csv", text);
    let budget = Budget { patterns: 50, again: false };
    let sampled = read_votes_sampled(&input, &ReadOptions::default(), &budget, &|_| ()).unwrap_err();
    let parted = parts(&input, &known(), 64, 0).unwrap_err();
    for error in [sampled, parted] {
        let told = folder.without_folder(&error.to_string());
        assert!(
            told.starts_with("broken.csv, line 1002, column \"h\": the vote \"0.5\" is not a class"),
            "{told}"
        );
    }
}

#[test]
fn a_class_that_a_model_does_not_know_stops_reading() {
    let folder = Folder::new();
    let classes = Classes::new(vec!["no".into(), "yes".into()]).unwrap();
    let options = ReadOptions::default().with_known(classes);
    let error = parts(&table(&folder), &options, 100, 0).unwrap_err().to_string();
    assert!(error.contains("rare"), "{error}");
}

#[test]
fn whoever_gets_the_parts_may_stop() {
    let folder = Folder::new();
    let mut seen = 0;
    let parts = Parts { rows: 100, whole: 0 };
    let stopped = read_votes_in_parts(&table(&folder), &known(), &parts, &|_| (), |_| {
        seen += 1;
        if seen == 3 { Err(Stop::Enough) } else { Ok(()) }
    });
    assert!(matches!(stopped, Err(Stop::Enough)));
    assert_eq!(seen, 3);
}

#[derive(Debug)]
enum Stop {
    Enough,
    Read,
}

impl From<ReadError> for Stop {
    fn from(_: ReadError) -> Self {
        Self::Read
    }
}
