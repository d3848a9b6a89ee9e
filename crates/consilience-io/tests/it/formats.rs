//! What is written in a format is read back from it, and all formats say the same.

use std::io::Write as _;

use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::Votes;
use consilience_io::{
    Format, Input, ItemNames, Output, ReadOptions, VotesLayout, WriteVotes, read_votes, read_votes_watched,
    write_votes,
};
use proptest::prelude::*;

use crate::folder::{Folder, rows, votes};

const NAMES: [&str; 14] = [
    "v.csv",
    "v.tsv",
    "v.jsonl",
    "v.parquet",
    "v.arrow",
    "v.arrows",
    "v.csv.gz",
    "v.csv.zst",
    "v.tsv.gz",
    "v.tsv.zst",
    "v.jsonl.gz",
    "v.jsonl.zst",
    "v.feather",
    "v.ndjson",
];

fn declared(votes: &Votes) -> ReadOptions {
    ReadOptions::default().with_classes(votes.classes().clone())
}

#[test]
fn every_format_comes_back() {
    let folder = Folder::new();
    let table = votes(
        &["a", "b \"c\"", "silent", "ä,\nö"],
        &["no", "yes; or", "\"x\""],
        &[&[1, 2, 0, 3], &[0, 0, 0, 0], &[3, 1, 0, 2], &[1, 2, 0, 3]],
    );
    let items: ItemNames = ["i 1", "", "i,3", "\"4\""].into_iter().collect();
    let gold = [1, ABSTAIN, 3, 2];
    let write = WriteVotes { items: Some(&items), gold: Some(("truth", &gold)), ..WriteVotes::default() };
    let read = declared(&table).with_gold("truth");
    for name in NAMES {
        let back = folder.there_and_back(name, &table, &write, &read);
        assert_eq!(back.votes, table, "{name}");
        assert_eq!(back.items, items, "{name}");
        assert_eq!(back.gold.as_deref(), Some(&gold[..]), "{name}");
    }
}

#[test]
fn a_damaged_compressed_file_is_never_read_as_other_votes() {
    let folder = Folder::new();
    let rows: Vec<[Vote; 3]> = (0..60u16).map(|i| [1 + i % 2, 1 + i * i % 7 % 2, i % 5 % 3]).collect();
    let rows: Vec<&[Vote]> = rows.iter().map(<[Vote; 3]>::as_slice).collect();
    let table = votes(&["a", "b", "c"], &["no", "yes"], &rows);
    for name in ["v.csv.gz", "v.csv.zst"] {
        let back = folder.there_and_back(name, &table, &WriteVotes::default(), &declared(&table));
        assert_eq!(back.votes, table, "{name}");
        let whole = std::fs::read(folder.path(name)).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            let input = folder.file(&format!("damaged-{name}"), &bytes);
            if let Ok(read) = read_votes(&input, &declared(&table)) {
                assert_eq!(read.votes, table, "{name}, byte {at}");
            }
        }
    }
}

#[test]
fn numbers_stay_numbers() {
    let folder = Folder::new();
    let table = votes(&["a", "b"], &["0", "1", "10"], &[&[1, 3], &[0, 2]]);
    for name in NAMES {
        let back = folder.there_and_back(name, &table, &WriteVotes::default(), &ReadOptions::default());
        assert_eq!(back.votes, table, "{name}");
    }
    let text = std::fs::read_to_string(folder.path("v.jsonl")).unwrap();
    assert_eq!(text, "{\"a\":0,\"b\":10}\n{\"a\":null,\"b\":1}\n");
    assert_eq!(std::fs::read_to_string(folder.path("v.csv")).unwrap(), "a,b\n0,10\n,1\n");
}

#[test]
fn a_wide_table_and_its_long_form_are_one_table() {
    let folder = Folder::new();
    let table =
        votes(&["a", "b", "c"], &["x", "y"], &[&[0, 0, 0], &[1, 2, 0], &[2, 2, 0], &[0, 0, 0], &[0, 1, 0]]);
    let gold = [0, 1, 2, 1, 0];
    let write =
        WriteVotes { layout: VotesLayout::Long, gold: Some(("truth", &gold)), ..WriteVotes::default() };
    let read = declared(&table).with_gold("truth");
    for name in NAMES {
        let back = folder.there_and_back(name, &table, &write, &read);
        assert_eq!(back.votes, table, "{name}");
        assert_eq!(back.gold.as_deref(), Some(&gold[..]), "{name}");
        assert_eq!(back.items.iter().collect::<Vec<_>>(), ["0", "1", "2", "3", "4"]);
    }
}

#[test]
fn a_pipe_works_for_every_format() {
    let folder = Folder::new();
    let table = votes(&["a", "b"], &["no", "yes"], &[&[1, 2], &[0, 1]]);
    for name in NAMES {
        folder.there_and_back(name, &table, &WriteVotes::default(), &declared(&table));
        let bytes = std::fs::read(folder.path(name)).unwrap();
        let pipe = folder.path("pipe");
        let _ = std::fs::remove_file(&pipe);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::OpenOptions::new().write(true).open(pipe).unwrap().write_all(&bytes).unwrap()
        });
        let back = read_votes(&Input::Path(pipe), &declared(&table)).unwrap();
        writer.join().unwrap();
        assert_eq!(back.votes, table, "{name}");
    }
}

#[test]
fn many_rows_are_one_table_for_any_number_of_threads() {
    let folder = Folder::new();
    let sources: Vec<String> = (0..23).map(|j| format!("s{j}")).collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let mut state = 1u64;
    let mut random = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let data: Vec<Vec<Vote>> = (0..40_000)
        .map(|_| (0..23).map(|_| if random(5) == 0 { random(3) as Vote + 1 } else { 0 }).collect())
        .collect();
    let data: Vec<&[Vote]> = data.iter().map(Vec::as_slice).collect();
    let table = votes(&sources, &["p", "q", "r"], &data);
    let items = ItemNames::row_numbers(table.items());
    let gold: Vec<Vote> = (0..40_000).map(|i| (i % 4) as Vote).collect();
    let write = WriteVotes { items: Some(&items), gold: Some(("y", &gold)), ..WriteVotes::default() };
    let read = ReadOptions::default().with_item("item").with_gold("y");
    for name in ["v.parquet", "v.arrow", "v.csv"] {
        write_votes(Output::create(&folder.path(name)).unwrap(), &table, &write).unwrap();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let back = pool.install(|| read_votes(&Input::Path(folder.path(name)), &read).unwrap());
            assert!(back.votes == table, "{name} {threads}");
            assert_eq!(back.gold.as_ref(), Some(&gold), "{name} {threads}");
            assert!(back.items.iter().eq(items.iter()), "{name} {threads}");
        }
    }
}

#[test]
fn progress_ends_with_all_rows() {
    let folder = Folder::new();
    let rows: Vec<&[Vote]> = vec![&[1, 2]; 40_000];
    let table = votes(&["a", "b"], &["0", "1"], &rows);
    write_votes(Output::create(&folder.path("v.parquet")).unwrap(), &table, &WriteVotes::default()).unwrap();
    let seen = std::cell::RefCell::new(Vec::new());
    read_votes_watched(&Input::Path(folder.path("v.parquet")), &ReadOptions::default(), &|progress| {
        seen.borrow_mut().push((progress.rows, progress.fraction.unwrap()));
    })
    .unwrap();
    let seen = seen.into_inner();
    assert!(seen.len() > 1 && seen.is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1));
    assert_eq!(seen.last().map(|last| last.0), Some(40_000));
}

#[test]
fn a_format_can_be_told() {
    let folder = Folder::new();
    let table = votes(&["a", "b"], &["no", "yes"], &[&[1, 2], &[0, 1]]);
    let write = WriteVotes { format: Some(Format::Parquet), ..WriteVotes::default() };
    let back = folder.there_and_back("no-extension", &table, &write, &declared(&table));
    assert_eq!(rows(&back), [["no", "yes"], ["", "no"]]);
    let error = write_votes(Output::create(&folder.path("x")).unwrap(), &table, &WriteVotes::default());
    assert_eq!(
        folder.without_folder(&error.unwrap_err().to_string()),
        "x: the name does not say which format to write; use the extension .csv, .tsv, .jsonl, .parquet or .arrow (add .gz or .zst to the first three to compress)"
    );
    let error =
        write_votes(Output::create(&folder.path("v.parquet.gz")).unwrap(), &table, &WriteVotes::default());
    assert_eq!(
        folder.without_folder(&error.unwrap_err().to_string()),
        "v.parquet.gz: Parquet and Arrow are already compressed; remove .gz or .zst from the name"
    );
    assert_eq!(folder.entries(), ["no-extension"]);
}

/// Names with everything that a format may trip over, but no space at the ends, which votes do not keep.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9]{1,3}", "[ -~é\n\t]{1,6}"].prop_map(|name| format!("n{}.", name.trim()))
}

/// What is called like a number of rows but says nothing but declared classes is a source.
#[test]
fn a_source_may_be_called_like_a_key() {
    let folder = Folder::new();
    let table = votes(&["nr."], &["ham", "spam"], &[&[1]]);
    let back = folder.there_and_back("v.csv", &table, &WriteVotes::default(), &declared(&table));
    assert_eq!(back.votes, table);
}

prop_compose! {
    fn random_table()(
        sources in prop::collection::hash_set(name(), 1..6),
        classes in prop::collection::hash_set(name(), 2..5),
    )(
        rows in prop::collection::vec(
            prop::collection::vec(0..=classes.len() as Vote, sources.len()),
            1..20,
        ),
        sources in Just(sources),
        classes in Just(classes),
    ) -> Votes {
        let mut sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        sources.sort_by(|a, b| consilience::sources::natural_order(a, b));
        // A header that is a row of votes would be taken for one.
        let classes: Vec<String> = classes.iter().map(|name| format!("c{name}")).collect();
        let mut classes: Vec<&str> = classes.iter().map(String::as_str).collect();
        classes.sort_unstable();
        let rows: Vec<&[Vote]> = rows.iter().map(Vec::as_slice).collect();
        votes(&sources, &classes, &rows)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_table_survives_any_format(table in random_table(), long in any::<bool>()) {
        let folder = Folder::new();
        let layout = if long { VotesLayout::Long } else { VotesLayout::Wide };
        let write = WriteVotes { layout, ..WriteVotes::default() };
        for name in &NAMES[..8] {
            let back = folder.there_and_back(name, &table, &write, &declared(&table));
            prop_assert_eq!(&back.votes, &table, "{}", name);
        }
    }

    #[test]
    fn any_bytes_are_a_table_or_a_message(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let folder = Folder::new();
        let input = folder.file("v", &bytes);
        if let Err(error) = read_votes(&input, &ReadOptions::default()) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }
}
