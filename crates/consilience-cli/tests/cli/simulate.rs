//! `consilience simulate` when all is well.

use insta::assert_snapshot;

use crate::folder::Folder;

#[test]
fn votes_with_their_truth() {
    let folder = Folder::new();
    assert_snapshot!(
        folder.run("simulate --sources 4 --items 6 --pairs 1 --seed 7 --gold y --truth truth.json")
    );
    assert_snapshot!(folder.read("truth.json"));
}

#[test]
fn every_flag_at_once() {
    let folder = Folder::new();
    let run = folder.run(
        "simulate --sources 6 --items 5 --classes red,green,blue --balance 0.5,0.3,0.2 --correct 0.6..0.9 \
         --abstain 0.1..0.5 --clique 3 --cliques 2 --type agreement --correlation 0.8 --seed 3 -o votes.jsonl",
    );
    assert_snapshot!(run);
    assert_snapshot!(folder.read("votes.jsonl"));
}

#[test]
fn every_type_can_be_planted() {
    for kind in ["correlation", "agreement", "conjunction", "reinforcing", "fixing", "exclusive"] {
        let run = Folder::new().run(&format!("simulate --sources 4 --items 3 --pairs 2 --type {kind}"));
        assert!(run.starts_with("exit code 0\n") && run.contains(kind), "{run}");
    }
}

#[test]
fn sources_can_be_told_never_to_abstain() {
    let folder = Folder::new();
    folder.run("simulate --sources 5 --items 2000 --abstain 0 -o votes.csv");
    assert!(!folder.read("votes.csv").contains(",,"));
}

#[test]
fn what_is_simulated_can_be_analyzed_and_labelled() {
    let folder = Folder::new();
    for name in ["v.csv", "v.tsv", "v.jsonl", "v.parquet", "v.arrow", "v.csv.gz", "v.tsv.zst", "v.jsonl.gz"] {
        let run = folder
            .run(&format!("simulate --sources 8 --items 500 --density 0.2 --seed 5 --gold y -o {name}"));
        assert!(run.starts_with("exit code 0\n"), "{run}");
    }
    let reference = folder.run("analyze v.csv --gold y --json --pairs all");
    let labels = folder.run("label v.csv --gold y --majority");
    for name in ["v.tsv", "v.jsonl", "v.parquet", "v.arrow", "v.csv.gz", "v.tsv.zst", "v.jsonl.gz"] {
        assert_eq!(reference, folder.run(&format!("analyze {name} --gold y --json --pairs all")), "{name}");
        assert_eq!(labels, folder.run(&format!("label {name} --gold y --majority")), "{name}");
    }
}

#[test]
fn votes_and_truth_need_a_place_each() {
    let folder = Folder::new();
    for truth in ["votes.csv", "./votes.csv"] {
        let run = folder.run(&format!("simulate --sources 3 --items 5 -o votes.csv --truth {truth}"));
        assert!(run.starts_with("exit code 1\n") && run.contains("cannot go to the same file"), "{run}");
    }
    assert_eq!(folder.list(), Vec::<String>::new());
}
