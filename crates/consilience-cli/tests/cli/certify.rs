//! `consilience certify`.
#![allow(
    clippy::format_push_string,
    clippy::format_collect,
    reason = "tables of a test, written line by line"
)]

use insta::assert_snapshot;

use crate::folder::Folder;

/// A hundred items; labels are right on nine of ten, and every fifth item is answered.
fn folder() -> Folder {
    let mut labels = String::from("item,label,confidence,p_ham,p_spam\n");
    let mut bare = String::from("item,category\n");
    let mut answers = String::from("item,answer\n");
    for i in 0..100 {
        let spam = i % 4 == 0;
        let right = i % 10 != 5;
        let (label, p) = if spam == right { ("spam", "0.2,0.8") } else { ("ham", "0.9,0.1") };
        labels.push_str(&format!("x{i},{label},{},{p}\n", if label == "spam" { 0.8 } else { 0.9 }));
        bare.push_str(&format!("x{i},{label}\n"));
        let answer = if i % 5 > 1 {
            ""
        } else if spam {
            "spam"
        } else {
            "ham"
        };
        answers.push_str(&format!("x{i},{answer}\n"));
    }
    let folder = Folder::new();
    folder.write("labels.csv", labels);
    folder.write("bare.csv", bare);
    folder.write("answers.csv", answers);
    folder
}

#[test]
fn a_certificate() {
    assert_snapshot!(folder().run("certify labels.csv --answers answers.csv --within 0.03"));
}

#[test]
fn as_json() {
    let folder = folder();
    let run = folder.run("certify labels.csv --answers answers.csv --json -o certificate.json");
    assert_eq!(run, "exit code 0\n--- stdout\n--- stderr\n");
    assert_snapshot!(folder.read("certificate.json"));
}

/// Labels of others: no probabilities, another column, and a class that only the answers know.
#[test]
fn labels_that_others_made() {
    let folder = folder();
    let run = folder.run("certify bare.csv --label category --answers answers.csv");
    assert!(run.starts_with("exit code 0\n"), "{run}");
    // 40 answers, of which the 10 with i % 10 == 5 are wrong: 75%.
    assert!(run.contains("accuracy     75.0%") && !run.contains("confidence"), "{run}");
    let answers = folder.read("answers.csv").replacen("x0,spam", "x0,eggs", 1);
    folder.write("answers.csv", answers);
    let run = folder.run("certify bare.csv --label category --answers answers.csv");
    assert!(run.contains("\neggs") && run.contains("accuracy     72.5%"), "{run}");
    assert!(run.contains("note: 1 answer is \"eggs\", but no label is"), "{run}");
}

/// Answers that taught the model are not held against labels that they shaped.
#[test]
fn answers_that_taught_the_model_are_cross_fitted() {
    let folder = Folder::new();
    let mut votes = String::from("item,a,b,c\n");
    let mut answers = String::from("item,answer\n");
    for i in 0..200 {
        // Coins: nothing can be learned, and an honest certificate says so.
        let coin = |n: u32| (i * 7 + n * 13 + i * i * n) % 11 % 2;
        votes.push_str(&format!("x{i},{},{},{}\n", coin(1), coin(2), coin(3)));
        if i % 2 == 0 {
            answers.push_str(&format!("x{i},{}\n", (i / 2 + i / 6) % 2));
        }
    }
    folder.write("votes.csv", votes);
    folder.write("answers.csv", answers);
    folder.run("label votes.csv --answers answers.csv --ties first -o labels.csv");
    let run = folder.run("certify labels.csv --answers answers.csv --json");
    assert!(run.contains("\"cross_fitted\": true"), "{run}");
    let after = run.split("\"accuracy\": {").nth(1).unwrap();
    let estimate: f64 =
        after.split("\"estimate\": ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((0.3..0.7).contains(&estimate), "{estimate}");
    let text = folder.run("certify labels.csv --answers answers.csv");
    assert!(
        text.contains("The answers also corrected the model") && text.contains("(cross-fitting)"),
        "{text}"
    );
    // Other answers are new to the model; some of each are refused.
    folder.write("new.csv", "item,answer\nx1,1\nx3,0\nx5,1\n");
    let run = folder.run("certify labels.csv --answers new.csv");
    assert!(run.contains("was made with other answers") && !run.contains("cross-fitting"), "{run}");
    folder.write("new.csv", "item,answer\nx1,1\nx2,0\n");
    let run = folder.run("certify labels.csv --answers new.csv");
    assert!(run.starts_with("exit code 1\n") && run.contains("label again with --answers"), "{run}");
}

#[test]
fn what_can_be_wrong() {
    let folder = folder();
    folder.write("none.csv", "item,answer\nx1,\nx2,\n");
    folder.write("unknown.csv", "item,answer\ny1,ham\n");
    folder.write("two.csv", "item,answer\nx1,ham\nx1,spam\n");
    folder.write("eggs.csv", "item,answer\nx1,eggs\n");
    for (words, why) in [
        ("labels.csv --answers none.csv", "no item has an answer"),
        ("labels.csv --answers unknown.csv", "none of its 1 answers belongs to an item of this table"),
        ("labels.csv --answers two.csv", "two different answers"),
        ("labels.csv --answers eggs.csv", "the answer \"eggs\" is not a class"),
        ("labels.csv --answers answers.csv --within 0", "the width must be above 0 and below 1, but is 0"),
        ("labels.csv --answers answers.csv --label vote", "column \"vote\" does not exist"),
        ("labels.csv --answers -", "name a file"),
        ("labels.csv --answers answers.csv -o labels.csv", "the output would overwrite the labels"),
        ("missing.csv --answers answers.csv", "there is no such file"),
    ] {
        let run = folder.run(&format!("certify {words}"));
        assert!(run.starts_with("exit code 1\n") && run.contains(why), "{words}: {run}");
        assert_eq!(run.lines().count(), 4, "{run}");
    }
    let run = folder.run("certify labels.csv");
    assert!(run.starts_with("exit code 1\n") && run.contains("--answers"), "{run}");
}

/// Every item answered: nothing is left to chance.
#[test]
fn a_file_that_is_known_in_full() {
    let folder = folder();
    let all: String =
        (0..100).map(|i| format!("x{i},{}\n", if i % 4 == 0 { "spam" } else { "ham" })).collect();
    folder.write("all.csv", format!("item,answer\n{all}"));
    let run = folder.run("certify labels.csv --answers all.csv");
    assert!(run.contains("accuracy     90.0% (90.0 to 90.0)"), "{run}");
    let line = run.lines().find(|line| line.starts_with("mean F1")).unwrap();
    let numbers: Vec<&str> =
        line.split([' ', '%', '(', ')', ',']).filter(|word| word.contains('.')).collect();
    assert!(numbers.len() == 3 && numbers.iter().all(|number| *number == numbers[0]), "{line}");
}

/// An item with two rows has two labels, and answers in other words than the labels are not simply wrong.
#[test]
fn labels_that_make_no_sense() {
    let folder = folder();
    folder.write("twice.csv", folder.read("bare.csv") + "x7,spam\n");
    let run = folder.run("certify twice.csv --label category --answers answers.csv");
    assert!(run.starts_with("exit code 1\n") && run.contains("duplicate item \"x7\""), "{run}");
    folder.write("numbers.csv", folder.read("bare.csv").replace(",ham", ",0").replace(",spam", ",1"));
    let run = folder.run("certify numbers.csv --label category --answers answers.csv");
    assert!(run.starts_with("exit code 1\n"), "{run}");
    assert!(run.contains("the answers are ham, spam, the labels 0, 1; use the same names in both"), "{run}");
}

/// A vendor calls the items `id`.
#[test]
fn items_may_be_called_id() {
    let folder = folder();
    folder.write("vendor.csv", folder.read("bare.csv").replacen("item,", "id,", 1));
    let run = folder.run("certify vendor.csv --label category --answers answers.csv");
    assert_eq!(
        run,
        folder
            .run("certify bare.csv --label category --answers answers.csv")
            .replace("bare.csv", "vendor.csv")
    );
}
