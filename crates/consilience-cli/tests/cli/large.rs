//! Tables with more distinct rows than are held at once: learned from a sample, labelled part by part.

use insta::assert_snapshot;

use crate::folder::Folder;

/// 3,000 items of ten sources, most of them different, in all formats.
fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["v.csv", "v.jsonl", "v.parquet", "v.arrow"] {
        let run = folder.run(&format!(
            "simulate --sources 10 --items 3000 --pairs 2 --abstain 0.4 --correct 0.6..0.9 --seed 3 --gold gold -o {name}"
        ));
        assert!(run.starts_with("exit code 0\n"), "{run}");
    }
    folder
}

fn succeed(folder: &Folder, words: &str) -> String {
    let run = folder.run(words);
    assert!(run.starts_with("exit code 0\n"), "{words}: {run}");
    run
}

/// What a second pass writes is what a model of the same sample writes about the whole table at once.
#[test]
fn labels_are_those_of_the_model_of_the_sample() {
    let folder = folder();
    succeed(&folder, "fit v.csv --most-patterns 500 -o m.json");
    for output in ["whole.csv", "whole.parquet", "whole.jsonl"] {
        succeed(&folder, &format!("label v.csv --model m.json --ties random --seed 5 -o {output}"));
    }
    for votes in ["v.csv", "v.jsonl", "v.parquet", "v.arrow"] {
        for threads in [1, 2, 4] {
            for ending in ["csv", "parquet", "jsonl"] {
                let run = succeed(
                    &folder,
                    &format!(
                        "label {votes} --most-patterns 500 --ties random --seed 5 --threads {threads} -o l.{ending}"
                    ),
                );
                assert!(run.contains("of 3,000 items by the model"), "{run}");
                let same = folder.bytes(&format!("l.{ending}")) == folder.bytes(&format!("whole.{ending}"));
                assert!(same, "{votes} to {ending} with {threads} threads");
            }
        }
    }
    // Parts are no longer than the budget, so that these are parts of other sizes.
    for most in [7, 100, 2_000] {
        let streamed = succeed(
            &folder,
            &format!("label v.parquet --model m.json --most-patterns {most} --ties random --seed 5 -o l.csv"),
        );
        assert!(folder.bytes("l.csv") == folder.bytes("whole.csv"), "{most}");
        let whole = succeed(&folder, "label v.parquet --model m.json --ties random --seed 5 -o l.csv");
        assert_eq!(streamed.lines().last(), whole.lines().last());
    }
}

#[test]
fn structure_and_model_come_from_the_same_sample() {
    let folder = folder();
    succeed(&folder, "learn v.csv --most-patterns 800 -o s.json");
    succeed(&folder, "learn v.parquet --most-patterns 800 -o s2.json");
    assert_eq!(folder.bytes("s.json"), folder.bytes("s2.json"));
    succeed(&folder, "learn v.parquet --most-patterns 799 -o s3.json");
    assert_ne!(folder.bytes("s.json"), folder.bytes("s3.json"));
}

#[test]
fn within_the_budget_nothing_changes() {
    let folder = folder();
    let plain = succeed(&folder, "label v.csv -o plain.csv");
    let budget = succeed(&folder, "label v.csv --most-patterns 3000 -o budget.csv");
    assert_eq!(plain, budget);
    assert_eq!(folder.bytes("plain.csv"), folder.bytes("budget.csv"));
}

#[test]
fn what_was_done_is_said() {
    let folder = folder();
    assert_snapshot!(folder.run("label v.parquet --most-patterns 1000 -o l.csv"));
    assert_snapshot!(folder.run("label v.parquet --most-patterns 1000 --majority -o l.csv"));
    assert_snapshot!(folder.run("fit v.csv --most-patterns 1000 -o m.json"));
    assert_snapshot!(folder.run("learn v.csv --most-patterns 1000 -o s.json"));
}

#[test]
fn majority_vote_needs_no_sample() {
    let folder = folder();
    succeed(&folder, "label v.csv --majority -o whole.csv");
    succeed(&folder, "label v.parquet --majority --most-patterns 30 -o l.csv");
    assert!(folder.bytes("l.csv") == folder.bytes("whole.csv"));
}

#[test]
fn standard_input_is_read_once() {
    let folder = folder();
    let votes = folder.bytes("v.csv");
    assert_snapshot!(folder.run_with_input("label - --most-patterns 100 -o l.csv", &votes));
    assert!(!folder.list().contains(&"l.csv".to_string()));
    // Fitting and labels by a model take one pass.
    let fitted = folder.run_with_input("fit - --most-patterns 100 -o m.json", &votes);
    assert!(fitted.starts_with("exit code 0\n"), "{fitted}");
    let labelled = folder.run_with_input("label - --model m.json --most-patterns 100 -o l.csv", &votes);
    assert!(labelled.starts_with("exit code 0\n"), "{labelled}");
    succeed(&folder, "label v.csv --model m.json -o whole.csv");
    assert!(folder.bytes("l.csv") == folder.bytes("whole.csv"));
}

#[test]
fn flags_that_need_all_items_are_refused() {
    let folder = folder();
    for flag in ["--count n", "--decide f1=1", "--answers a.csv", "--answers-column s1", "--gold-file g.csv"]
    {
        let run = folder.run(&format!("label v.csv --most-patterns 100 {flag} -o l.csv"));
        assert!(run.starts_with("exit code 1\n"), "{run}");
        let name = flag.split(' ').next().unwrap();
        assert!(
            run.contains(&format!("{name} needs all items at once, so --most-patterns has no effect")),
            "{run}"
        );
    }
    let zero = folder.run("fit v.csv --most-patterns 0");
    assert!(zero.contains("use a whole number from 1 to"), "{zero}");
}

#[test]
fn a_broken_row_leaves_nothing_behind() {
    let folder = folder();
    succeed(&folder, "fit v.csv -o m.json");
    let mut votes = folder.read("v.csv");
    votes.push_str("0,1,0,1,0,1,0,1,0,half,1\n");
    folder.write("broken.csv", &votes);
    folder.write("l.csv", "old");
    for way in ["", "--model m.json", "--majority"] {
        let run = folder.run(&format!("label broken.csv {way} --classes 0,1 --most-patterns 100 -o l.csv"));
        assert!(run.starts_with("exit code 1\n"), "{run}");
        assert!(
            run.contains("broken.csv, line 3002, column \"s9\": the vote \"half\" is not a class"),
            "{run}"
        );
        assert_eq!(folder.read("l.csv"), "old");
    }
}

#[test]
fn gold_scores_all_items() {
    let folder = folder();
    succeed(&folder, "fit v.csv -o m.json");
    let whole = succeed(&folder, "label v.csv --model m.json --gold gold -o l.csv");
    let parts = succeed(&folder, "label v.csv --model m.json --gold gold --most-patterns 64 -o l.csv");
    assert!(whole.contains("of 3,000 with gold") || whole.contains("with gold"), "{whole}");
    assert_eq!(whole.lines().last(), parts.lines().last());
}
