//! Tables of votes as people write them.

use consilience_io::{OTHER_CLASS, ReadOptions, VoteTable};

use crate::folder::{Folder, rows};

#[test]
fn a_plain_table() {
    let folder = Folder::new();
    let table = folder.read("v.csv", "a,b\n1,0\n,1\n-1,0\n", &ReadOptions::default());
    assert_eq!(rows(&table), [["1", "0"], ["", "1"], ["", "0"]]);
    assert_eq!(table.votes.sources().names(), ["a", "b"]);
    assert!(table.items.are_row_numbers());
    assert_eq!(table.gold, None);
    assert_eq!(table.notes, []);
}

#[test]
fn marks_quotes_and_line_ends_of_other_programs() {
    let folder = Folder::new();
    let text = "\u{feff}\"id\",judge a,b\r\n\"x,1\",\"good\",bad\r\n\"x \"\"2\"\"\",,good\r\n\r\n\n";
    let options = ReadOptions::default().with_item("id");
    let table = folder.read("v.csv", text, &options);
    assert_eq!(table.items.iter().collect::<Vec<_>>(), ["x,1", "x \"2\""]);
    assert_eq!(rows(&table), [["good", "bad"], ["", "good"]]);
    let semicolons = folder.read("s.csv", "a;b\n1;0\n", &ReadOptions::default());
    assert_eq!(rows(&semicolons), [["1", "0"]]);
    let no_last_break = folder.read("n.tsv", "a\tb\n1\t0", &ReadOptions::default());
    assert_eq!(rows(&no_last_break), [["1", "0"]]);
}

fn told(table: &VoteTable) -> Vec<String> {
    table.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn gold_is_for_scoring_and_adds_no_class() {
    let folder = Folder::new();
    let options = ReadOptions::default().with_gold("y");
    let table = folder.read("v.csv", "a,y,b\n1,1.0,0\n0,,1\n1,2,1\n", &options);
    assert_eq!(table.gold, Some(vec![2, 0, OTHER_CLASS]));
    assert_eq!(table.votes.classes().names(), ["0", "1"]);
    assert_eq!(
        told(&table),
        [
            "1 item has a gold class that no source votes for (\"2\"); every label of such an item counts as wrong"
        ]
    );
}

#[test]
fn an_index_of_pandas_can_be_left_out_or_used() {
    let folder = Folder::new();
    let text = ",a,b\n7,1,0\n9,0,0\n";
    let ignore = ReadOptions::default().with_ignore(vec![String::new()]);
    assert_eq!(folder.read("v.csv", text, &ignore).votes.sources().names(), ["a", "b"]);
    let item = ReadOptions::default().with_item("");
    assert_eq!(folder.read("v.csv", text, &item).items.iter().collect::<Vec<_>>(), ["7", "9"]);
}

#[test]
fn long_tables_in_any_order() {
    let folder = Folder::new();
    let text = "Label,worker,task,when\nyes,w10,t1,9:00\nno,w2,t2,9:01\nyes,w2,t1,9:02\nyes,w2,t1,9:03\n,w3,t3,9:04\n";
    let table = folder.read("v.csv", text, &ReadOptions::default());
    assert_eq!(table.votes.sources().names(), ["w2", "w3", "w10"]);
    assert_eq!(table.items.iter().collect::<Vec<_>>(), ["t1", "t2", "t3"]);
    assert_eq!(rows(&table), [["yes", "", "yes"], ["no", "", ""], ["", "", ""]]);
    assert_eq!(
        told(&table),
        [
            "read as one row per vote: item \"task\", source \"worker\", vote \"Label\"; not used: \"when\"",
            "1 vote is repeated; each counts once",
            "the source \"w3\" never votes; it is kept, but has no effect"
        ]
    );
}

#[test]
fn gold_in_a_long_table_may_stand_on_any_row() {
    let folder = Folder::new();
    let options = ReadOptions::default().with_gold("truth");
    let csv = "item,source,vote,truth\nx,a,1,\nx,b,0,1\ny,a,0,\n";
    assert_eq!(folder.read("v.csv", csv, &options).gold, Some(vec![2, 0]));
    let jsonl = "{\"item\": 1, \"source\": \"a\", \"vote\": 1, \"truth\": null}\n{\"item\": 1, \"source\": \"b\", \"vote\": 0, \"truth\": 1.0}\n";
    assert_eq!(folder.read("v.jsonl", jsonl, &options).gold, Some(vec![2]));
}

#[test]
fn json_keys_appear_as_they_come() {
    let folder = Folder::new();
    let text = "{\"b\": 1, \"id\": 7}\n\n{\"id\": \"x\", \"a\": \"1\", \"b\": 0.0}\n{\"c\": null, \"id\": 8, \"a\": -1}\n";
    let options = ReadOptions::default().with_item("id");
    let table = folder.read("v.txt", text, &options);
    assert_eq!(table.votes.sources().names(), ["b", "a", "c"]);
    assert_eq!(rows(&table), [["1", "", ""], ["0", "1", ""], ["", "", ""]]);
    assert_eq!(table.items.iter().collect::<Vec<_>>(), ["7", "x", "8"]);
    let booleans = folder.read("b.jsonl", "{\"a\": true}\n{\"a\": false}\n", &ReadOptions::default());
    assert_eq!(booleans.votes.classes().names(), ["false", "true"]);
}

#[test]
fn a_column_called_item_names_the_items() {
    let folder = Folder::new();
    let options = ReadOptions::default();
    let (csv, jsonl) = ("item,a\nx,1\ny,0\n", "{\"item\": \"x\", \"a\": 1}\n{\"a\": 0, \"item\": \"y\"}\n");
    for (name, text) in [("v.csv", csv), ("v.jsonl", jsonl)] {
        let table = folder.read(name, text, &options);
        assert_eq!(table.votes.sources().names(), ["a"], "{name}");
        assert_eq!(table.items.iter().collect::<Vec<_>>(), ["x", "y"], "{name}");
    }
    // Unless something else is said.
    let other = ReadOptions::default().with_item("id");
    let table = folder.read("v.csv", "item,id,a\n1,x,1\n0,y,0\n", &other);
    assert_eq!(table.votes.sources().names(), ["item", "a"]);
    let ignored = ReadOptions::default().with_ignore(vec!["item".into()]);
    assert_eq!(folder.read("v.csv", csv, &ignored).items.iter().collect::<Vec<_>>(), ["0", "1"]);
}

#[test]
fn content_wins_over_the_name() {
    let folder = Folder::new();
    let options = ReadOptions::default();
    assert_eq!(rows(&folder.read("v.parquet", "a,b\n1,0\n", &options)), [["1", "0"]]);
    assert_eq!(rows(&folder.read("v.csv", "{\"a\": 1, \"b\": 0}\n", &options)), [["1", "0"]]);
    assert_eq!(rows(&folder.read("v.jsonl", "a\tb\n1\t0\n", &options)), [["1", "0"]]);
    assert_eq!(rows(&folder.read("v.gz", "a,b\n1,0\n", &options)), [["1", "0"]]);
}
