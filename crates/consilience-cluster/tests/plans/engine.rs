//! The plan, run by DataFusion's own engine, says the same as our evaluation.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int16Array, RecordBatch, StringArray};
use consilience_sources::{Applier, ApplyOptions, Data};
use datafusion::datasource::{MemTable, provider_as_source};
use datafusion::prelude::SessionContext;

use crate::folder::Folder;

const SOURCES: &str = "[[source]]\nname = 'word'\nvote = 'spam'\nkeywords = ['free', 'win']\nlower = true\n\
    [[source]]\nname = 'rule'\nvote = 'ham'\nregex = '^(see|hear) '\n\
    [[source]]\nname = 'long'\nvote = 'ham'\nsql = 'length(text) > 12'\n\
    [[source]]\nname = 'both'\nvote = 'ham'\nall = ['rule', 'long']\n\
    [[source]]\nname = 'not'\nvote = 'spam'\nnot = 'both'\n";

#[test]
fn the_logical_plan_gives_the_same_votes() {
    let texts = [
        "Free money for everyone",
        "see you",
        "see you tomorrow, dear",
        "hear this",
        "",
        "winter is long enough",
    ];
    let data = texts.map(|text| format!("\"{text}\"\n")).concat();
    let folder = Folder::with(SOURCES, &format!("text\n{data}"));
    let ours = folder.votes();

    let found = Data::find(&[folder.path("data.csv")], None).unwrap();
    let file = folder.file();
    let applier = Applier::new(&file, &found, ApplyOptions::default()).unwrap();
    let schema = applier.plan().columns().clone();
    let text = |part: &[&str]| {
        let cells: StringArray = part.iter().map(|text| (!text.is_empty()).then_some(*text)).collect();
        RecordBatch::try_new(schema.clone(), vec![Arc::new(cells) as ArrayRef]).unwrap()
    };
    let table = MemTable::try_new(schema.clone(), vec![vec![text(&texts[..2]), text(&texts[2..])]]).unwrap();
    let plan = applier.plan().logical(provider_as_source(Arc::new(table))).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let batches = runtime.block_on(async {
        SessionContext::new().execute_logical_plan(plan).await.unwrap().collect().await.unwrap()
    });
    let mut theirs = Vec::new();
    for batch in batches {
        for row in 0..batch.num_rows() {
            let cell = |column: &ArrayRef| {
                column.as_any().downcast_ref::<Int16Array>().unwrap().iter().nth(row).unwrap()
            };
            theirs.extend(batch.columns().iter().map(|column| cell(column).map_or(0, |vote| vote as u16)));
        }
    }
    assert_eq!(theirs, ours);
    assert!(ours.contains(&1) && ours.contains(&2));
}
