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
fn the_path_to_slide_over() {
    let folder = planted();
    let run = folder.run("learn votes.csv --gold truth --path path.json -o structure.json");
    assert!(run.starts_with("exit code 0\n--- stdout\n--- stderr\n"), "{run}");
    let path: serde_json::Value = serde_json::from_str(&folder.read("path.json")).unwrap();
    let steps = path["steps"].as_array().unwrap();
    let counts: Vec<usize> =
        steps.iter().map(|step| step["dependencies"].as_array().unwrap().len()).collect();
    assert_eq!((counts.len(), counts[0]), (21, 0), "{counts:?}");
    assert!(counts.contains(&2) && counts[20] > 10, "{counts:?}");
    assert_snapshot!(folder.run("learn votes.csv --gold truth --path path.json --method sgd"));
    assert_snapshot!("path_onto_votes", folder.run("learn votes.csv --gold truth --path votes.csv"));
    assert_snapshot!(
        "path_onto_structure",
        folder.run("learn votes.csv --gold truth --path a.json -o ./a.json")
    );
}

#[test]
fn the_name_says_the_format() {
    let folder = planted();
    for name in ["s.dot", "s.gv", "s.graphml", "S.GraphML", "s.json"] {
        let run = folder.run(&format!("learn votes.csv --gold truth -o {name}"));
        assert!(run.starts_with("exit code 0\n--- stdout\n--- stderr\nkept 2 of 28"), "{run}");
    }
    assert_eq!(folder.bytes("s.dot"), folder.bytes("s.gv"));
    assert_eq!(folder.bytes("s.graphml"), folder.bytes("S.GraphML"));
    assert!(
        folder.read("s.dot").starts_with("graph structure {\n") && folder.read("s.dot").contains("s2 -- s3")
    );
    assert!(folder.read("s.graphml").contains("<edge source=\"s0\" target=\"s1\">"));
    assert!(folder.read("s.json").starts_with("{\n"));
    assert!(folder.run("learn votes.csv --gold truth -o -").contains("--- stdout\n{\n"));
}

#[test]
fn settings_of_the_paper_s_algorithm() {
    let folder = planted();
    let weights = |flags: &str| {
        let run = folder.run(&format!("learn votes.csv --gold truth --method sgd --json --all {flags}"));
        assert!(run.starts_with("exit code 0"), "{flags}: {run}");
        run
    };
    let plain = weights("");
    let said_aloud =
        "--epsilon 0.03 --epochs 10 --truncation 10 --accuracy-start 1 --rates none --precision auto";
    assert_eq!(weights(said_aloud), plain);
    assert_eq!(weights(&format!("--step {}", 1.0 / 3000.0)), plain);
    for flags in [
        "--epsilon 0.02",
        "--epochs 9",
        "--truncation 100",
        "--step 0.001",
        "--accuracy-start 0.5",
        "--rates propensity",
        "--rates vote-rate",
        "--class-prior",
        "--precision double",
    ] {
        assert_ne!(weights(flags), plain, "{flags}");
    }
}

#[test]
fn every_candidate_on_request() {
    let all = planted().run("learn votes.csv --gold truth --all --types correlation,exclusive");
    let listed = all.lines().skip(4).take_while(|line| !line.is_empty());
    assert_eq!(listed.filter(|line| line.contains("correlation") || line.contains("exclusive")).count(), 56);
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
        "learn votes.csv --method sgd --epochs 0",
        "learn votes.csv --method sgd --step 2",
        "learn votes.csv --epsilon 0.1",
        "learn votes.csv --epochs 5",
        "learn votes.csv --truncation 5",
        "learn votes.csv --step 0.1",
        "learn votes.csv --accuracy-start 1",
        "learn votes.csv --rates none",
        "learn votes.csv --class-prior",
        "learn votes.csv --precision double",
        "learn votes.csv -o structure.svg",
        "learn votes.csv --json -o structure.dot",
        "learn votes.csv -o no/such/folder/structure.json",
    ] {
        let run = folder.run(arguments);
        let error = run.strip_prefix("exit code 1\n--- stdout\n--- stderr\n");
        let Some(error) = error else { panic!("{arguments}: {run}") };
        // Notes about the table come before the error.
        let errors = error.lines().filter(|line| !line.starts_with("note: ")).count();
        assert_eq!(errors, 1, "{arguments}: {run}");
        said.extend(["$ consilience ", arguments, "\n", error]);
    }
    assert_snapshot!(said);
}

/// Dense votes of many sources, so that every kernel that a processor may have does its part.
#[test]
fn the_same_bytes_for_any_vectors() {
    let folder = Folder::new();
    folder.run("simulate --sources 20 --items 4000 --pairs 2 --seed 3 --gold truth -o votes.csv");
    for method in ["exact", "sgd"] {
        let learned = |vectors: &str| {
            let words = format!("learn votes.csv --gold truth --json --all --method {method}");
            let output = folder.command(&words).env("CONSILIENCE_VECTORS", vectors).output().unwrap();
            assert!(output.status.success(), "{vectors}");
            output.stdout
        };
        let widest = learned("widest");
        assert_eq!(widest, learned("plain"), "{method}");
        assert_eq!(widest, learned("avx2"), "{method}");
    }
}
