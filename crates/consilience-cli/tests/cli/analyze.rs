//! `consilience analyze` when all is well.

use insta::assert_snapshot;

use crate::folder::Folder;

/// Three sources that vote, one that never does, one copy; rows repeat; one item without votes.
const VOTES: &str = "\
id,judge_a,judge_b,rule_spam,copy_of_a,silent,truth
m1,spam,spam,spam,spam,,spam
m2,ham,ham,,ham,,ham
m3,spam,ham,spam,spam,,spam
m4,ham,ham,,ham,,spam
m5,spam,spam,,spam,,
m6,,,,,,ham
m7,spam,spam,spam,spam,,spam
m8,ham,ham,,ham,,ham
";

#[test]
fn a_table_for_people() {
    let folder = Folder::with_votes(VOTES);
    assert_snapshot!(folder.run("analyze votes.csv --item id --gold truth"));
}

#[test]
fn without_gold() {
    let folder = Folder::with_votes(VOTES);
    assert_snapshot!(folder.run("analyze votes.csv --ignore id,truth --pairs 2"));
}

#[test]
fn json_for_programs() {
    let folder = Folder::with_votes(VOTES);
    assert_snapshot!(folder.run("analyze votes.csv --item id --gold truth --json --pairs 1"));
}

#[test]
fn json_without_gold_has_no_gold() {
    let folder = Folder::with_votes("a,b\n1,0\n");
    let json = folder.run("analyze votes.csv --json");
    assert!(!json.contains("gold"), "{json}");
}

/// Without the note that files were matched by the order of their rows.
fn without_order(run: &str) -> String {
    let lines: Vec<&str> = run.lines().filter(|line| !line.contains("by row order")).collect();
    lines.join("\n") + "\n"
}

#[test]
fn gold_from_another_file() {
    let folder = Folder::with_votes("a,b\n1,0\n0,0\n1,1\n");
    folder.write("gold.csv", "gold\n1\n0\n0\n");
    let with_file = folder.run("analyze votes.csv --gold-file gold.csv");
    assert_snapshot!(with_file);
    folder.write("truth.tsv", "id\ttext\tclass\nx\tlong text\t1\ny\ttext\t0\nz\t\t0\n");
    assert_eq!(with_file, folder.run("analyze votes.csv --gold-file truth.tsv --gold class"));
    folder.write("with_gold.csv", "a,b,gold\n1,0,1\n0,0,0\n1,1,0\n");
    let in_table = folder.run("analyze with_gold.csv --gold gold").replace("with_gold.csv", "votes.csv");
    assert_eq!(without_order(&with_file), in_table);
}

#[test]
fn a_blank_line_of_a_gold_file_is_an_unknown_class() {
    let folder = Folder::with_votes("a,b\n1,0\n0,0\n1,1\n0,1\n");
    folder.write("gold.csv", "gold\n1\n\n0\n\n");
    let run = folder.run("analyze votes.csv --gold-file gold.csv");
    assert!(run.contains("gold                 2   items with a known class"), "{run}");
}

#[test]
fn gold_may_know_one_class_only_or_one_more() {
    let folder = Folder::with_votes("a,b\n1,0\n0,0\n1,1\n");
    folder.write("gold.csv", "gold\n1\n-1\n1\n");
    assert!(folder.run("analyze votes.csv --gold-file gold.csv").starts_with("exit code 0\n"));
    folder.write("gold.csv", "gold\n1\n2\n0\n");
    let run = folder.run("analyze votes.csv --gold-file gold.csv");
    assert!(run.contains("1 item has a gold class that no source votes for (\"2\")"), "{run}");
    folder.write("with_gold.csv", "a,b,gold\n1,0,1\n0,0,2\n1,1,0\n");
    let in_table = folder.run("analyze with_gold.csv --gold gold").replace("with_gold.csv", "votes.csv");
    assert_eq!(without_order(&run), in_table);
}

#[test]
fn long_tables_and_standard_input() {
    let folder = Folder::new();
    let long = "task,worker,label\nt1,w1,1\nt1,w2,0\nt2,w10,1\nt2,w1,1\n";
    assert_snapshot!(folder.run_with_input("analyze - --pairs 0", long.as_bytes()));
}

#[test]
fn to_a_file_of_ones_own() {
    let folder = Folder::with_votes("a,b\n1,0\n0,0\n");
    let printed = folder.run("analyze votes.csv");
    assert_eq!(folder.run("analyze votes.csv -o analysis.txt"), "exit code 0\n--- stdout\n--- stderr\n");
    assert!(printed.contains(&folder.read("analysis.txt")));
}

#[test]
fn many_sources_with_long_names_stay_in_line() {
    let names: Vec<String> = (0..177).map(|j| format!("source_with_a_rather_long_name_number_{j}")).collect();
    let row = |vote: usize| (0..177).map(|j| ((j + vote) % 5).to_string()).collect::<Vec<_>>().join(",");
    let folder = Folder::with_votes(&format!("{}\n{}\n{}\n", names.join(","), row(0), row(1)));
    let run = folder.run("analyze votes.csv");
    let lines: Vec<usize> = run
        .lines()
        .filter(|line| line.starts_with("source_with") && line.ends_with('%'))
        .map(|line| line.chars().count())
        .collect();
    assert_eq!(lines.len(), 177);
    assert!(lines.windows(2).all(|pair| pair[0] == pair[1]), "{lines:?}");
}

#[test]
fn names_cannot_speak_to_the_terminal() {
    let folder = Folder::with_votes("\"a\x1b[31m\",\"b\x07\"\n1,0\n0,0\n");
    assert!(!folder.run("analyze votes.csv").contains(['\x1b', '\x07']));
}
