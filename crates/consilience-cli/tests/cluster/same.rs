//! What a cluster gives is what one machine gives.

use std::fs;
use std::path::Path;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::data;
use crate::processes::{Cluster, run, succeed};

/// Runs `args` here and on the cluster, each with an output of this ending, and compares the outputs byte for byte.
pub(crate) fn same(folder: &Path, cluster: &Cluster, args: &[&str], ending: &str) -> Vec<u8> {
    let (here, there) = (format!("here.{ending}"), format!("there.{ending}"));
    let alone = succeed(folder, &[args, &["-o", &here]].concat());
    let shared = [args, &["--cluster", &cluster.address, "--cluster-rows", "400", "-o", &there]].concat();
    let shared = succeed(folder, &shared);
    let (here, there) = (fs::read(folder.join(here)).unwrap(), fs::read(folder.join(there)).unwrap());
    assert!(here == there, "{args:?} differs on the cluster");
    // What is said of the sources is the same, but for the rate.
    let said = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("applied"))?;
        Some(line.split(" votes").next()?.to_string())
    };
    assert_eq!(said(&alone.stderr), said(&shared.stderr));
    here
}

/// The labels of a Parquet file, or of a folder of them in the order of their names, row by row.
fn labels(path: &Path) -> Vec<String> {
    let mut files = vec![path.to_path_buf()];
    if path.is_dir() {
        files = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
    }
    let mut rows = Vec::new();
    for file in files {
        let file = fs::File::open(file).unwrap();
        for batch in ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap() {
            let batch = batch.unwrap();
            rows.extend((0..batch.num_rows()).map(|row| format!("{:?}", batch.slice(row, 1).columns())));
        }
    }
    rows
}

#[test]
fn executors_write_folders_of_labels() {
    let folder = data::folder();
    let root = folder.path();
    let cluster = Cluster::start(2);
    let plain = succeed(root, &["apply", "plain.toml", "mails", "--keep", "body,sender,score,year"]);
    let text = String::from_utf8(plain.stdout).unwrap().replace("item,", "nothing,");
    fs::create_dir(root.join("text")).unwrap();
    fs::write(root.join("text/1.csv"), &text).unwrap();
    fs::write(root.join("text/2.csv"), &text).unwrap();
    for (number, (sources, data)) in
        [("sources.toml", "mails"), ("plain.toml", "mails"), ("sources.toml", "text")].into_iter().enumerate()
    {
        let args = ["label", "--sources", sources, data];
        succeed(root, &[&args[..], &["-o", "here.parquet"]].concat());
        let there = format!("labels-{number}/");
        succeed(root, &[&args[..], &["--cluster", &cluster.address, "-o", &there]].concat());
        assert!(fs::read_dir(root.join(&there)).unwrap().count() > 1);
        assert_eq!(labels(&root.join("here.parquet")), labels(&root.join(&there)));
        // A folder that has something in it is left alone, and nothing else is left behind.
        let again = run(root, &[&args[..], &["--cluster", &cluster.address, "-o", &there]].concat());
        assert_eq!(again.code, Some(1));
        assert!(again.stderr.contains("not empty"), "{}", again.stderr);
    }
    let hidden = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with('.');
    assert!(!fs::read_dir(root).unwrap().any(|entry| hidden(&entry.unwrap())));
}

#[test]
fn votes_patterns_and_labels_are_the_same() {
    let folder = data::folder();
    let root = folder.path();
    let cluster = Cluster::start(2);
    let all = ["apply", "sources.toml", "mails"];
    let votes = same(root, &cluster, &all, "csv");
    assert_eq!(String::from_utf8(votes).unwrap().lines().count(), 3001);
    same(root, &cluster, &all, "parquet");
    same(root, &cluster, &[&all[..], &["--keep", "sender,score,year"]].concat(), "jsonl");
    same(root, &cluster, &[&all[..], &["--patterns"]].concat(), "csv");
    same(root, &cluster, &[&all[..], &["--patterns"]].concat(), "parquet");
    let label = ["label", "--sources", "sources.toml", "mails"];
    same(root, &cluster, &label, "csv");
    same(root, &cluster, &label, "parquet");
    same(root, &cluster, &[&label[..], &["--majority", "--ties", "first"]].concat(), "csv");

    // Files of text are read as on one machine, and rows without names are numbered.
    let plain = succeed(root, &["apply", "plain.toml", "mails", "--keep", "body,sender,score,year"]);
    fs::create_dir(root.join("text")).unwrap();
    fs::write(root.join("text/1.csv"), &plain.stdout).unwrap();
    fs::write(root.join("text/2.csv"), &plain.stdout).unwrap();
    same(root, &cluster, &["apply", "sources.toml", "text/*.csv"], "csv");
    let text = String::from_utf8(plain.stdout).unwrap().replace("item,", "nothing,");
    fs::write(root.join("unnamed.csv"), text).unwrap();
    same(root, &cluster, &["apply", "sources.toml", "unnamed.csv"], "csv");
    same(root, &cluster, &["label", "--sources", "sources.toml", "unnamed.csv"], "csv");
}
