//! Sources as plain expressions, evaluated by the engine itself, vote as they do here.

use std::fs::File;
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{Int16Type, Int32Type};
use consilience_sources::{Applier, ApplyOptions, Data, OnFault, Rows, SourcesFile};
use datafusion::datasource::MemTable;
use datafusion::logical_expr::{Expr, ident};
use datafusion::prelude::SessionContext;
use parquet::arrow::ArrowWriter;

const PLAIN: &str = "[[source]]\nname = 'long'\nvote = 'ham'\notherwise = 'spam'\nsql = 'n > 3'\n\
    [[source]]\nname = 'named'\nsql = \"CASE WHEN text = 'free' THEN 'spam' WHEN n = 5 THEN 'eggs' END\"\n\
    [[source]]\nname = 'cells'\ncolumn = 'said'\n\
    [[source]]\nname = 'mapped'\ncolumn = 'text'\nmap = { 'free' = 'spam', 'x' = 'ham' }\n\
    [[source]]\nname = 'score'\ncolumn = 'score'\nthresholds = [{ at_least = 0.0, vote = 'spam' }, { below = -0.0, vote = 'ham' }]\n\
    [[source]]\nname = 'any'\nvote = 'spam'\nany = ['named', 'cells']\n\
    [[source]]\nname = 'all'\nvote = 'spam'\nall = ['score', 'cells', 'long']\n\
    [[source]]\nname = 'not'\nvote = 'ham'\nnot = 'any'\n";

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

#[test]
fn plain_expressions_vote_alike() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.parquet");
    let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batch().schema(), None).unwrap();
    writer.write(&batch()).unwrap();
    writer.close().unwrap();
    let text = format!("classes = ['ham', 'spam']\n{PLAIN}");
    let file = SourcesFile::parse(&text, "sources.toml", folder.path()).unwrap();
    let data = Data::find(&[path], None).unwrap();
    let options = ApplyOptions { on_fault: OnFault::Abstain, ..ApplyOptions::default() };
    let applier = Applier::new(&file, &data, options).unwrap();
    let mut expected = Vec::new();
    let take = |rows: &Rows| {
        expected.extend_from_slice(&rows.votes);
        Ok(())
    };
    let summary = applier.run(take, &|_| ()).unwrap();
    assert!(summary.sources.iter().any(|source| source.faults > 0));
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
}
