//! Sources that are sent to other machines as bytes, or as plain expressions, vote as they do here.

use std::fs::File;
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{Int16Type, Int32Type};
use consilience_sources::{Applier, ApplyOptions, Data, Part, Work};
use datafusion::datasource::MemTable;
use datafusion::logical_expr::{Expr, ident};
use datafusion::prelude::SessionContext;
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
fn plain_expressions_vote_alike() {
    let folder = folder(PLAIN);
    let (expected, summary) = folder.apply(&["data.parquet"], crate::folder::tolerant()).unwrap();
    let faults: u64 = summary.sources.iter().map(|source| source.faults).sum();
    assert!(faults > 0);
    let data = Data::find(&[folder.path("data.parquet")], None).unwrap();
    let file = folder.file();
    let applier = Applier::new(&file, &data, ApplyOptions::default()).unwrap();
    let plain = applier.plan().plain().unwrap().unwrap();
    let names: Vec<&str> =
        applier.plan().columns().fields().iter().map(|field| field.name().as_str()).collect();
    let table = batch()
        .project(&names.iter().map(|name| batch().schema().index_of(name).unwrap()).collect::<Vec<_>>());
    let table = MemTable::try_new(applier.plan().columns().clone(), vec![vec![table.unwrap()]]).unwrap();
    let mut frame = SessionContext::new().read_table(Arc::new(table)).unwrap();
    for layer in &plain.layers {
        let kept = frame.schema().fields().iter().map(|field| ident(field.name())).collect::<Vec<Expr>>();
        frame = frame.select([kept, layer.clone()].concat()).unwrap();
    }
    let votes = plain.votes.iter().enumerate().map(|(i, vote)| vote.clone().alias(format!("v{i}")));
    let frame = frame.select(votes.chain([plain.fault.clone().alias("fault")]).collect::<Vec<_>>()).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let batches = runtime.block_on(frame.collect()).unwrap();
    let (mut found, mut failed) = (Vec::new(), Vec::new());
    for batch in &batches {
        let width = batch.num_columns() - 1;
        for row in 0..batch.num_rows() {
            let vote = |i: usize| batch.column(i).as_primitive::<Int16Type>().value(row) as u16;
            found.extend((0..width).map(vote));
            failed.push(batch.column(width).as_primitive::<Int32Type>().value(row));
        }
        assert_eq!(batch.column(0).null_count(), 0);
    }
    assert_eq!(found, expected);
    // The first source that fails on each row: 'eggs' and 'what' are not classes, nor is a blank.
    assert_eq!(failed, [0, 0, 0, 0, 2, 0, 3, 0]);

    let rules = self::folder(RULES);
    let file = rules.file();
    let data = Data::find(&[rules.path("data.parquet")], None).unwrap();
    let applier = Applier::new(&file, &data, ApplyOptions::default()).unwrap();
    assert!(applier.plan().plain().unwrap().is_none());
}
