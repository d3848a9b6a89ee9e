//! What was typed is wrong: exit code 1, one line, nothing written.

use insta::assert_snapshot;

use crate::folder::Folder;

/// The one line on standard error of a run that must fail.
fn refused(words: &str) -> String {
    let folder = Folder::with_votes("a,b\n1,0\n0,0\n");
    let run = folder.run(words);
    assert_eq!(folder.list(), ["votes.csv"], "{words}");
    let line = run.strip_prefix("exit code 1\n--- stdout\n--- stderr\n").unwrap_or_else(|| panic!("{run}"));
    assert_eq!(line.lines().count(), 1, "{line}");
    line.to_string()
}

#[test]
fn nothing_typed_shows_the_help() {
    let run = Folder::new().run("");
    assert!(run.starts_with("exit code 1\n--- stdout\n--- stderr\nTurn the votes"), "{run}");
}

#[cfg(not(feature = "cluster"))]
#[test]
fn builds_without_clusters_say_so() {
    for words in ["apply sources.toml data.csv --cluster df://here:1", "cluster executor"] {
        let error = refused(words);
        assert!(error.contains("--features cluster"), "{error}");
    }
}

#[test]
fn verbs_and_flags() {
    let all = [
        "frobnicate",
        "analize votes.csv",
        "analyze",
        "analyze votes.csv --glod y",
        "analyze votes.csv extra",
        "analyze votes.csv --long --wide",
        "analyze votes.csv --format xls",
        "analyze votes.csv --pairs some",
        "analyze votes.csv --classes one",
        "analyze votes.csv --classes a,a",
        "analyze votes.csv --threads 0",
        "analyze votes.csv --threads 1000000",
        "label votes.csv --majority --ties coin",
        "label votes.csv --majority --seed -1",
        "completions tcsh",
    ];
    assert_snapshot!(all.map(|words| format!("{words}\n  {}", refused(words))).join(""));
}

#[test]
fn simulations() {
    let all = [
        "--items 5",
        "--sources 0 --items 5",
        "--sources 3 --items 0",
        "--sources 3 --items 5 --classes 1",
        "--sources 3 --items 5 --classes 2 --balance 0.5,0.4",
        "--sources 3 --items 5 --classes 3 --balance 0.5,0.5",
        "--sources 3 --items 5 --balance half,half",
        "--sources 3 --items 5 --accuracy 1 --correct 0.7",
        "--sources 3 --items 5 --accuracy 11",
        "--sources 3 --items 5 --accuracy 2..1",
        "--sources 3 --items 5 --accuracy nan",
        "--sources 3 --items 5 --correct 1",
        "--sources 3 --items 5 --abstain 1",
        "--sources 3 --items 5 --abstain=-0.1",
        "--sources 3 --items 5 --pairs 2",
        "--sources 3 --items 5 --pairs 1 --density 0.5",
        "--sources 3 --items 5 --density 1.5",
        "--sources 3 --items 5 --clique 4",
        "--sources 3 --items 5 --cliques 2",
        "--sources 3 --items 5 --clique 2 --type friendship",
        "--sources 3 --items 5 --correlation 100",
        "--sources 3 --items 5 --gold s1",
        "--sources 3 --items 5 -o a.csv --truth a.csv",
        "--sources 3 --items 5 --truth -",
        "--sources 99999999 --items 5",
    ];
    assert_snapshot!(
        all.map(|flags| format!("{flags}\n  {}", refused(&format!("simulate {flags}")))).join("")
    );
}

#[test]
fn outputs() {
    let all = [
        "-o missing/labels.csv",
        "-o .",
        "-o labels",
        "-o labels.xls",
        "-o labels.parquet.gz",
        "-o labels.gz",
    ];
    let shown =
        all.map(|words| format!("{words}\n  {}", refused(&format!("label votes.csv --majority {words}"))));
    assert_snapshot!(shown.join(""));
}
