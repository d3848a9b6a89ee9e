//! Tables of votes as people write them.
#![allow(missing_docs)]

use std::path::PathBuf;

use consilience_io::{Input, OTHER_CLASS, ReadOptions, VoteTable, read_votes};
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> Input {
        std::fs::write(self.path(name), bytes).unwrap();
        Input::Path(self.path(name))
    }

    fn read(&self, name: &str, bytes: impl AsRef<[u8]>, options: &ReadOptions) -> VoteTable {
        read_votes(&self.file(name, bytes), options, &|_| ()).unwrap()
    }
}

fn rows(table: &VoteTable) -> Vec<Vec<String>> {
    let votes = &table.votes;
    (0..votes.items())
        .map(|i| {
            let mut row = vec![String::new(); votes.sources().len()];
            for (source, vote) in votes.row_of_item(i) {
                row[source] = votes.classes().name(vote).to_string();
            }
            row
        })
        .collect()
}

#[test]
fn a_plain_table() {
    let folder = Folder::new();
    let table = folder.read("v.csv", "a,b\n1,0\n,1\n-1,0\n", &ReadOptions::default());
    assert_eq!(rows(&table), [["1", "0"], ["", "1"], ["", "0"]]);
    assert_eq!(table.votes.sources().names(), ["a", "b"]);
    assert!(table.items.are_row_numbers());
    assert_eq!(table.gold, None);
    assert_eq!(table.notes, Vec::<String>::new());
}

#[test]
fn marks_quotes_and_line_ends_of_other_programs() {
    let folder = Folder::new();
    let text = "\u{feff}\"id\",judge a,b\r\n\"x,1\",\"good\",bad\r\n\"x \"\"2\"\"\",,good\r\n\r\n\n";
    let options = ReadOptions { item: Some("id".into()), ..ReadOptions::default() };
    let table = folder.read("v.csv", text, &options);
    assert_eq!(table.items.iter().collect::<Vec<_>>(), ["x,1", "x \"2\""]);
    assert_eq!(rows(&table), [["good", "bad"], ["", "good"]]);
    let semicolons = folder.read("s.csv", "a;b\n1;0\n", &ReadOptions::default());
    assert_eq!(rows(&semicolons), [["1", "0"]]);
}

#[test]
fn gold_is_for_scoring_and_adds_no_class() {
    let folder = Folder::new();
    let options = ReadOptions { gold: Some("y".into()), ..ReadOptions::default() };
    let table = folder.read("v.csv", "a,y,b\n1,1.0,0\n0,,1\n1,2,1\n", &options);
    assert_eq!(table.gold, Some(vec![2, 0, OTHER_CLASS]));
    assert_eq!(table.votes.classes().names(), ["0", "1"]);
    assert_eq!(
        table.notes,
        ["1 item has a gold class that no source votes for (\"2\"); every label counts as wrong there"]
    );
}
