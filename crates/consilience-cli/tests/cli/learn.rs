//! `consilience learn` when all is well, and what it refuses.

use insta::assert_snapshot;

use crate::folder::Folder;

/// A folder with votes of 8 sources, of which s0 and s1, s2 and s3 were planted as correlated, and a copy of s4.
fn planted() -> Folder {
    let folder = Folder::new();
    folder.run(
        "simulate --sources 8 --items 3000 --pairs 2 --correlation 0.8 --seed 1 --gold truth -o votes.csv",
    );
    folder
}

#[test]
fn the_planted_pairs_are_found() {
    assert_snapshot!(planted().run("learn votes.csv --gold truth"));
}

#[test]
fn by_the_paper_s_algorithm() {
    assert_snapshot!(planted().run("learn votes.csv --gold truth --method sgd"));
}

#[test]
fn as_json_with_its_version() {
    let folder = planted();
    let run = folder.run("learn votes.csv --gold truth --select fwer=0.01 -o structure.json");
    assert!(run.starts_with("exit code 0\n--- stdout\n--- stderr\n"), "{run}");
    let structure = folder.read("structure.json");
    for part in [
        "\"type\": \"correlation\"",
        "\"selected\": true",
        "\"method\": \"exact\"",
        "\"select\": \"fwer=0.01\"",
    ] {
        assert!(structure.contains(part), "{part}: {structure}");
    }
    assert!(structure.contains("\"version\": \"") && structure.contains("\"items\": 3000"));
    assert_eq!(structure.matches("\"stderr\"").count(), 2);
    let all = folder.run("learn votes.csv --gold truth --json --all");
    assert_eq!(all.matches("\"stderr\"").count(), 28);
}

#[test]
fn every_candidate_on_request() {
    let all = planted().run("learn votes.csv --gold truth --all --types correlation,exclusive");
    assert_eq!(
        all.lines().filter(|line| line.contains("correlation") || line.contains("exclusive")).count(),
        56
    );
}

#[test]
fn exact_copies_are_named() {
    let folder = Folder::new();
    let row = |i: u32| format!("{0},{1},{0},{2}", i % 2, i / 2 % 2, i / 3 % 2);
    let rows: Vec<String> = (0..60).map(row).collect();
    folder.write("copies.csv", format!("a,b,c,d\n{}\n", rows.join("\n")));
    assert_snapshot!(folder.run("learn copies.csv"));
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let folder = planted();
    let run =
        |threads: u32| folder.run(&format!("learn votes.csv --gold truth --json --all --threads {threads}"));
    assert_eq!(run(1), run(2));
    assert_eq!(run(1), run(4));
}

#[test]
fn what_cannot_be_learned_is_refused() {
    let folder = Folder::new();
    folder.write("one.csv", "a,b\n0,\n1,\n0,\n");
    folder.write("same.csv", "a,b,c\n0,0,0\n1,1,1\n");
    folder.write("votes.csv", "a,b,c\n0,1,0\n1,1,1\n");
    let mut said = String::new();
    for arguments in [
        "learn one.csv",
        "learn same.csv",
        "learn votes.csv --select fdr=2",
        "learn votes.csv --select best",
        "learn votes.csv --types friendship",
        "learn votes.csv --types correlation,correlation",
        "learn votes.csv --method sgd --select fdr=0.05",
        "learn votes.csv --method sgd --epsilon -1",
        "learn votes.csv -o no/such/folder/structure.json",
    ] {
        let run = folder.run(arguments);
        let error = run.strip_prefix("exit code 1\n--- stdout\n--- stderr\n");
        let Some(error) = error else { panic!("{arguments}: {run}") };
        assert_eq!(error.lines().count(), 1, "{arguments}: {run}");
        said.extend(["$ consilience ", arguments, "\n", error]);
    }
    assert_snapshot!(said);
}
