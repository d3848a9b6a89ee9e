//! `consilience plan` when all is well, and what it refuses.

use insta::assert_snapshot;

use crate::folder::Folder;

#[test]
fn rows_by_the_rule_of_practice() {
    assert_snapshot!(Folder::new().run("plan --sources 25 --strength 0.25"));
}

#[test]
fn both_ways_with_a_known_constant() {
    assert_snapshot!(Folder::new().run("plan --sources 25 --strength 0.4 --rows 200000 --curvature 0.2"));
}

#[test]
fn json_for_programs() {
    assert_snapshot!(
        Folder::new().run("plan --sources 25 --rows 5000 --curvature 0.2 --types correlation,fixing --json")
    );
}

#[test]
fn no_promise_where_the_condition_does_not_hold() {
    let folder = Folder::new();
    folder.run("simulate --sources 12 --items 2000 --pairs 2 --seed 1 --gold truth -o votes.csv");
    let run = folder.run("plan --votes votes.csv --gold truth --threads 1");
    assert!(run.contains("12 sources, dependencies of strength 0.25"), "{run}");
    assert!(run.contains("that 2,000 rows can reveal"), "{run}");
    assert!(run.contains("c of condition (7) is -") && run.contains("estimated from 2,000 items"), "{run}");
    assert!(run.contains("guarantee nothing, however many rows there are"), "{run}");
    assert_eq!(folder.run("plan --votes votes.csv --gold truth --threads 3"), run);
    let json = folder.run("plan --votes votes.csv --gold truth --json");
    assert!(json.contains("\"theorem\": null") && json.contains("guarantee nothing"), "{json}");
}

#[test]
fn a_promise_where_it_does() {
    let folder = Folder::new();
    folder.run("simulate --sources 6 --items 2000 --pairs 2 --seed 1 --gold truth -o votes.csv");
    let run = folder.run("plan --votes votes.csv --gold truth");
    assert!(run.contains("c of condition (7) is 0.01") && !run.contains("guarantee nothing"), "{run}");
    // 64 · 6 / (0.0106² · 0.25²) · ln(4 · 6 / 0.05) is 3.4e8.
    let corollary = run.lines().find(|line| line.starts_with("Corollary 2")).unwrap();
    assert_eq!(corollary.split_whitespace().rev().nth(1).unwrap().len(), "340,000,000".len(), "{run}");
}

#[test]
fn what_cannot_be_planned_is_refused() {
    let folder = Folder::with_votes("a,b\n1,0\n0,0\n");
    folder.write("one.csv", "a\n1\n0\n");
    let mut said = String::new();
    for arguments in [
        "plan",
        "plan --sources 1",
        "plan --sources 9 --strength 0",
        "plan --sources 9 --strength -1",
        "plan --sources 9 --rows 0",
        "plan --sources 9 --degree 0",
        "plan --sources 9 --confidence 1",
        "plan --sources 9 --curvature 0",
        "plan --sources 9 --types friendship",
        "plan --sources 9 --gold y",
        "plan --votes votes.csv --curvature 1",
        "plan --votes missing.csv",
        "plan --votes one.csv",
        "plan --votes votes.csv -o votes.csv",
    ] {
        let run = folder.run(arguments);
        let error = run.strip_prefix("exit code 1\n--- stdout\n--- stderr\n");
        let Some(error) = error else { panic!("{arguments}: {run}") };
        assert_eq!(error.lines().count(), 1, "{arguments}: {run}");
        said.extend(["$ consilience ", arguments, "\n", error]);
    }
    assert_snapshot!(said);
}
