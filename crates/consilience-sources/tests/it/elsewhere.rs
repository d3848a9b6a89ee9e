//! Sources that are sent to other machines as bytes vote as they do here.

use std::fs::File;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use consilience_sources::{Applier, ApplyOptions, Data, Part, Work};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

use crate::folder::Folder;

const PLAIN: &str = "[[source]]\nname = 'long'\nvote = 'ham'\notherwise = 'spam'\nsql = 'n > 3'\n\
    [[source]]\nname = 'named'\nsql = \"CASE WHEN text = 'free' THEN 'spam' WHEN n = 5 THEN 'eggs' END\"\n\
    [[source]]\nname = 'cells'\ncolumn = 'said'\n\
    [[source]]\nname = 'mapped'\ncolumn = 'text'\nmap = { 'free' = 'spam', 'x' = 'ham' }\n\
    [[source]]\nname = 'score'\ncolumn = 'score'\nthresholds = [{ at_least = 0.0, vote = 'spam' }, { below = -0.0, vote = 'ham' }]\n\
    [[source]]\nname = 'any'\nvote = 'spam'\nany = ['named', 'cells']\n\
    [[source]]\nname = 'all'\nvote = 'spam'\nall = ['score', 'cells', 'long']\n\
    [[source]]\nname = 'not'\nvote = 'ham'\nnot = 'any'\n";

const RULES: &str = "[[source]]\nname = 'word'\nvote = 'spam'\nkeywords_file = 'words.txt'\n\
    [[source]]\nname = 'rule'\nvote = 'ham'\nregex = '^x'\n";

fn batch() -> RecordBatch {
    let texts =
        vec![Some("free"), None, Some("x"), Some("free x"), Some(""), Some("x"), Some("free"), Some("y")];
    let said = vec![
        Some("ham"),
        Some(" spam\u{3000}"),
        None,
        Some(""),
        Some("what"),
        Some("ham"),
        Some(" "),
        Some("spam"),
    ];
    let score =
        [Some(0.0), Some(-0.0), Some(-1.0), None, Some(f64::NAN), Some(2.0), Some(f64::INFINITY), Some(-0.5)];
    let columns: [(&str, ArrayRef); 4] = [
        ("text", Arc::new(StringArray::from(texts))),
        ("said", Arc::new(StringArray::from(said))),
        ("score", Arc::new(Float64Array::from_iter(score))),
        (
            "n",
            Arc::new(Int64Array::from_iter([
                Some(1),
                None,
                Some(3),
                Some(4),
                Some(5),
                Some(6),
                Some(7),
                Some(8),
            ])),
        ),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap()
}

/// Sources over Parquet with row groups of two rows, and over text.
fn folder(sources: &str) -> Folder {
    let folder = Folder::with(sources, "text,said,score,n\nfree,ham,1,1\n,spam,,2\n");
    folder.write("words.txt", "free\n");
    let file = File::create(folder.path("data.parquet")).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(2)).build();
    let mut writer = ArrowWriter::try_new(file, batch().schema(), Some(properties)).unwrap();
    writer.write(&batch()).unwrap();
    writer.close().unwrap();
    folder
}

#[test]
fn parts_are_worked_on_elsewhere() {
    let folder = folder(&format!("{PLAIN}{RULES}"));
    let options = ApplyOptions { carried: vec!["n".to_string()], ..crate::folder::tolerant() };
    let paths = [folder.path("data.parquet"), folder.path("data.csv")];
    let data = Data::find(&paths, None).unwrap();
    let file = folder.file();
    let applier = Applier::new(&file, &data, options.clone()).unwrap();
    let (mut here, mut faults) = (Vec::new(), 0);
    applier
        .run(
            |rows| {
                for row in 0..rows.rows {
                    here.push(rows.texts(row).map(|cell| cell.map(ToString::to_string)).collect::<Vec<_>>());
                }
                here.push(rows.votes.iter().map(|vote| Some(vote.to_string())).collect());
                faults += rows.faults().map(|fault| fault.count).sum::<u64>();
                Ok(())
            },
            &|_| (),
        )
        .unwrap();
    assert!(faults > 0);
    let here: Vec<String> = flat(&here);

    let bytes = Work::new(&file, &applier).unwrap().encode().unwrap();
    let worker = Work::decode(&bytes).unwrap().start().unwrap();
    for (rows, count) in [(1, 5), (3, 3), (1000, 2)] {
        let parts = applier.parts(rows).unwrap();
        assert_eq!(parts.len(), count);
        let (mut texts, mut votes, mut failed) = (Vec::new(), Vec::new(), 0);
        for part in &parts {
            let sent = Part::decode(&part.encode()).unwrap();
            assert_eq!((sent.number, sent.path()), (part.number, part.path()));
            assert_eq!(part.rows.unwrap_or(2), worker.count(&sent).unwrap());
            worker
                .run(&sent, |rows| {
                    texts.extend((0..rows.rows).flat_map(|row| {
                        rows.texts(row).map(|cell| cell.unwrap_or("-").to_string()).collect::<Vec<_>>()
                    }));
                    votes.extend(rows.votes.iter().map(ToString::to_string));
                    failed += rows.faults().map(|fault| fault.count).sum::<u64>();
                    true
                })
                .unwrap();
        }
        let mut there = [texts, votes].concat();
        there.sort();
        assert_eq!(there, here);
        assert_eq!(failed, faults);
    }
    assert!(Work::decode(b"nonsense").is_err());
}

/// All cells, sorted: parts have other batches than the whole.
fn flat(rows: &[Vec<Option<String>>]) -> Vec<String> {
    let mut all: Vec<String> =
        rows.iter().flatten().map(|cell| cell.clone().unwrap_or("-".to_string())).collect();
    all.sort();
    all
}

#[test]
fn files_without_rows_are_no_part() {
    let folder = Folder::with(RULES, "text\nfree\n");
    folder.write("words.txt", "free\n");
    folder.write("empty.csv", "text\n");
    let data = Data::find(&[folder.path("empty.csv"), folder.path("data.csv")], None).unwrap();
    let applier = Applier::new(&folder.file(), &data, ApplyOptions::default()).unwrap();
    let parts = applier.parts(1).unwrap();
    let names: Vec<_> = parts.iter().map(|part| part.path().file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["data.csv"]);
}
