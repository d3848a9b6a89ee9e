//! Tables as people have them: what is decided is said with the flag that changes it, and no file is lost.

use std::fs;
use std::process::Stdio;

use insta::assert_snapshot;

use crate::folder::Folder;

/// Standard error of a run that must succeed.
fn said(folder: &Folder, words: &str) -> String {
    let run = folder.run(words);
    assert!(run.starts_with("exit code 0\n"), "{run}");
    run.split("--- stderr\n").nth(1).unwrap_or_default().to_string()
}

/// The one line of a run that must fail.
fn refused(folder: &Folder, words: &str) -> String {
    let run = folder.run(words);
    let line = run.strip_prefix("exit code 1\n--- stdout\n--- stderr\n").unwrap_or_else(|| panic!("{run}"));
    line.to_string()
}

#[test]
fn notes_name_the_flag_that_changes_them() {
    let folder = Folder::with_votes(
        "id,text,a,b,c,truth\n1,It was a nice day for all of us,Ham,ham,NA,ham\n2,Not so much I would say now,spam,spam,ham,spam\n3,We will never know what it was,ham,spam,ham,ham\n",
    );
    assert_snapshot!(said(&folder, "label votes.csv --majority -o labels.csv"));
    assert!(folder.read("labels.csv").starts_with("item,label,confidence,p_ham,p_spam\n1,ham,"));
    let kept = said(&folder, "label votes.csv --majority -o labels.csv --source truth");
    assert!(!kept.contains("gold"), "{kept}");
}

#[test]
fn refusals_name_the_flag_that_helps() {
    let folder = Folder::with_votes("1,0,1\n0,0,1\n1,1,0\n");
    assert_snapshot!(refused(&folder, "analyze votes.csv"), @r#"error: votes.csv, line 1: the first line ("1", "0", "1") looks like a row of votes, not column names: is the header missing?; use --no-header if so, or --header if these are column names"#);
    assert!(folder.run("analyze votes.csv --no-header").contains("c1"));
    let folder = Folder::with_votes("a,b\nyes,1\nno,0\nyes,1\n");
    assert_snapshot!(refused(&folder, "analyze votes.csv"), @r#"error: votes.csv, line 1: "a" and "b" have no value in common, so they cannot all be sources of the same classes; leave columns out with --ignore a, make them sources with --source a, or list all classes with --classes"#);
    let folder = Folder::with_votes("q,who,said\nq1,ann,yes\nq1,bob,no\nq2,ann,no\n");
    let run = folder.run("label votes.csv --majority --columns item=q,source=who,vote=said");
    assert!(run.contains("q1,") && run.contains("q2,"), "{run}");
}

#[test]
fn numbers_do_not_stand_for_the_names_of_a_model() {
    let words: Vec<String> = (0..60)
        .map(|i| if i % 3 == 0 { "reject,reject,approve" } else { "approve,approve,approve" })
        .map(|row| format!("{row}\n"))
        .collect();
    let folder = Folder::with_votes(&format!("a,b,c\n{}", words.concat()));
    folder.run("fit votes.csv -o model.json.gz");
    assert_eq!(&folder.bytes("model.json.gz")[..2], [0x1f, 0x8b]);
    folder.write("numbers.csv", "a,b,c\n1,0,1\n0,0,0\n1,1,1\n");
    assert_snapshot!(refused(&folder, "label numbers.csv --model model.json.gz"), @r#"error: numbers.csv: the votes name "0", "1", but the model's classes are "approve", "reject"; give votes with the model's class names, or fit a model to these votes; use --classes to list the classes of the votes in order"#);
    assert!(folder.run("label votes.csv --model model.json.gz").starts_with("exit code 0\n"));
}

#[test]
fn gold_is_matched_by_item() {
    let rows: Vec<String> = (0..40).map(|i| format!("q{i},{0},{0},{1}\n", i % 2, (i / 2) % 2)).collect();
    let folder = Folder::with_votes(&format!("item,a,b,c\n{}", rows.concat()));
    let gold: Vec<String> = (0..40).rev().map(|i| format!("q{i},{}\n", i % 2)).collect();
    folder.write("gold.csv", format!("item,gold\n{}", gold.concat()));
    let run = said(&folder, "label votes.csv --majority --gold-file gold.csv -o labels.csv");
    assert!(run.contains("right on 100.00% of 40"), "{run}");
    let only: Vec<String> = (0..40).map(|i| format!("{}\n", i % 2)).collect();
    folder.write("only.csv", format!("truth\n{}", only.concat()));
    let run = said(&folder, "label votes.csv --majority --gold-file only.csv -o labels.csv");
    assert!(run.contains("right on 100.00% of 40") && run.contains("by row order"), "{run}");
    folder.write("other.csv", "item,gold\nx1,0\nx2,1\n");
    assert_snapshot!(refused(&folder, "label votes.csv --majority --gold-file other.csv"), @r#"error: other.csv: its column "item" should hold the item names, but has "x1" where the votes have "q0"; use the same names in both files; use --item to select the column with the item names"#);
}

/// See issue 17, point 7.
#[test]
fn no_output_takes_the_place_of_an_input() {
    const VOTES: &str = "item,a,b\nx,1,0\ny,0,0\n";
    let folder = Folder::with_votes(VOTES);
    folder.write("gold.csv", "item,gold\nx,1\ny,0\n");
    fs::hard_link(folder.path("votes.csv"), folder.path("hard.csv")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path("votes.csv"), folder.path("soft.csv")).unwrap();
    for output in ["votes.csv", "./votes.csv", "hard.csv", "soft.csv", "gold.csv", "./gold.csv"] {
        for verb in ["label votes.csv --majority", "fit votes.csv", "analyze votes.csv", "learn votes.csv"] {
            let run = folder.run(&format!("{verb} --gold-file gold.csv -o {output}"));
            // A structure or a model is never written as CSV, whatever is there.
            let refusal = if verb.starts_with("learn") || verb.starts_with("fit") {
                "cannot be written as .csv"
            } else {
                "the output would overwrite the"
            };
            assert!(run.contains(refusal), "{verb} -o {output}: {run}");
        }
    }
    #[cfg(unix)]
    for words in ["label - --majority -o votes.csv", "label /dev/stdin --majority -o votes.csv"] {
        let mut command = folder.command(words);
        command.stdin(Stdio::from(fs::File::open(folder.path("votes.csv")).unwrap()));
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains("the output would overwrite the votes"), "{words}: {text}");
    }
    #[cfg(unix)]
    {
        let mut command = folder.command("label votes.csv --majority");
        let end = fs::OpenOptions::new().append(true).open(folder.path("votes.csv")).unwrap();
        let output = command.stdout(Stdio::from(end)).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
    }
    folder.write("gold.json", "{\"item\": \"x\", \"gold\": 1}\n{\"item\": \"y\", \"gold\": 0}\n");
    let run = folder.run("learn votes.csv --gold-file gold.json -o gold.json");
    assert!(run.contains("the output would overwrite the gold"), "{run}");
    assert_eq!(folder.read("votes.csv"), VOTES);
    assert_eq!(folder.read("gold.csv"), "item,gold\nx,1\ny,0\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_says_that_the_result_is_incomplete() {
    let folder = Folder::with_votes("a,b\n1,0\n0,0\n");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = folder.command("label votes.csv --majority").stdout(Stdio::from(full)).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        text.contains("what was written so far is incomplete") && !text.contains("no partial file"),
        "{text}"
    );
}

#[test]
fn texts_and_votes_are_joined_by_item() {
    let folder = Folder::with_votes("id,a,b,c\nm0,1,1,1\nm1,0,0,0\nm2,1,1,0\nm3,0,0,1\nm4,1,1,1\nm5,,,\n");
    folder.run("label votes.csv -o labels.csv");
    folder
        .write("text.csv", "id,text\nm3,calm\nm1,calm day\nm0,prize now\nm2,prize\nm4,prize win\nm5,calm\n");
    let run = said(&folder, "train labels.csv --text text.csv -o by-id.json");
    assert!(!run.contains("by row order"), "{run}");
    folder.write("shuffled.csv", "id,a,b,c\nm5,,,\nm1,0,0,0\nm0,1,1,1\nm2,1,1,0\nm4,1,1,1\nm3,0,0,1\n");
    said(&folder, "train labels.csv --text text.csv --votes votes.csv -o one.json");
    said(&folder, "train labels.csv --text text.csv --votes shuffled.csv -o two.json");
    assert_eq!(folder.bytes("one.json"), folder.bytes("two.json"));
    folder.write("bare.csv", "text\nprize now\ncalm day\nprize\ncalm\nprize win\ncalm\n");
    let run = said(&folder, "train labels.csv --text bare.csv -o by-order.json");
    assert!(run.contains("by row order"), "{run}");
}
