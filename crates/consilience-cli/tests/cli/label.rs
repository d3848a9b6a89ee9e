//! `consilience label` when all is well.

use insta::assert_snapshot;

use crate::folder::Folder;

/// A clear majority, a tie, nothing, a tie of two out of three.
const VOTES: &str = "\
id,a,b,c,truth
x,0,0,1,0
y,0,1,,1
z,,,,0
w,1,2,,2
";

#[test]
fn by_majority() {
    let folder = Folder::with_votes(VOTES);
    assert_snapshot!(folder.run("label votes.csv --majority --item id --gold truth"));
}

#[test]
fn ties_first() {
    let folder = Folder::with_votes(VOTES);
    assert_snapshot!(folder.run("label votes.csv --majority --ties first --item id --gold truth"));
}

#[test]
fn ties_at_random_follow_the_seed() {
    let folder = Folder::with_votes(&format!("a,b\n{}", "0,1\n".repeat(40)));
    let run = |seed: u32| folder.run(&format!("label votes.csv --majority --ties random --seed {seed}"));
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    assert!(run(1).contains("labelled 40 of 40 items"));
}

#[test]
fn quiet_says_nothing() {
    let folder = Folder::with_votes(VOTES);
    let run = folder.run("label votes.csv --majority --item id --gold truth --quiet -o labels.csv");
    assert_eq!(run, "exit code 0\n--- stdout\n--- stderr\n");
    assert!(folder.read("labels.csv").starts_with("item,label,confidence,p_0,p_1,p_2\nx,0,"));
}

#[test]
fn every_format_holds_the_same_labels() {
    let folder = Folder::with_votes(VOTES);
    folder.run("label votes.csv --majority --item id --gold truth -o labels.jsonl");
    assert_snapshot!(folder.read("labels.jsonl"));
    for name in ["labels.tsv", "labels.csv.gz", "labels.jsonl.zst", "labels.parquet", "labels.arrow"] {
        let run = folder.run(&format!("label votes.csv --majority --item id --gold truth -o {name}"));
        assert!(run.starts_with("exit code 0\n"), "{name}: {run}");
        // Each of them can be read again: the labels are one source beside the columns that are none.
        let again = folder.run(&format!(
            "analyze {name} --item item --source label --ignore confidence,p_0,p_1,p_2 --classes 0,1,2 --json --pairs 0"
        ));
        assert!(again.contains("\"items\": 4"), "{name}: {again}");
    }
}

#[test]
fn a_file_is_replaced_only_when_all_is_well() {
    let folder = Folder::with_votes("a,b\n1,0\n0\n");
    folder.write("labels.csv", "old");
    assert!(folder.run("label votes.csv --majority -o labels.csv").starts_with("exit code 1\n"));
    assert_eq!(folder.read("labels.csv"), "old");
    folder.write("votes.csv", "a,b\n1,0\n0,0\n");
    assert!(folder.run("label votes.csv --majority -o labels.csv").starts_with("exit code 0\n"));
    assert!(folder.read("labels.csv").starts_with("item,"));
    assert_eq!(folder.list(), ["labels.csv", "votes.csv"]);
}

#[test]
fn the_votes_are_not_overwritten_by_the_result() {
    let folder = Folder::with_votes("a,b\n1,1\n0,0\n");
    for name in ["votes.csv", "./votes.csv", "../$/votes.csv"] {
        let here = folder.path("").file_name().unwrap().to_string_lossy().into_owned();
        let run = folder.run(&format!("label votes.csv --majority -o {}", name.replace('$', &here)));
        assert!(run.starts_with("exit code 1\n"), "{run}");
        assert!(run.contains("the output would overwrite the votes"), "{run}");
    }
    assert_eq!(folder.read("votes.csv"), "a,b\n1,1\n0,0\n");
}

/// Gold is matched by the names of its classes, never by their positions.
#[test]
fn gold_of_a_file_goes_by_name() {
    let folder = Folder::with_votes("a,b\n1,1\n2,2\n1,1\n2,2\n");
    folder.write("gold.csv", "gold\n0\n2\n1\n0\n");
    let run = folder.run("label votes.csv --majority --gold-file gold.csv -o labels.csv");
    assert!(run.contains("right on 50.00% of 4 with gold"), "{run}");
    assert!(run.contains("2 items have a gold class that no source votes for"), "{run}");
}
