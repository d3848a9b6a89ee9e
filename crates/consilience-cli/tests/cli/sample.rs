//! `consilience sample`.
#![allow(
    clippy::format_push_string,
    clippy::format_collect,
    reason = "tables of a test, written line by line"
)]

use crate::folder::Folder;

fn folder() -> Folder {
    let mut votes = String::from("id,a,b,c\n");
    let mut texts = String::from("id,text,more\n");
    for i in 0..50 {
        votes.push_str(&format!("x{i},{},{},{}\n", i % 2, i % 2, usize::from(i % 7 == 0)));
        texts.push_str(&format!("x{i},\"text, {i}\",m{i}\n"));
    }
    let folder = Folder::with_votes(&votes);
    folder.write("texts.csv", texts);
    folder
}

fn items(text: &str) -> Vec<String> {
    text.lines().skip(1).map(|line| line.split(',').next().unwrap().to_string()).collect()
}

#[test]
fn votes_are_not_shown_and_the_seed_decides() {
    let folder = folder();
    let run = folder
        .run("sample votes.csv --item id -n 10 --seed 1 --text texts.csv --column text -o to-label.csv");
    assert!(run.contains("drew 10 items of 50; fill in the column \"answer\""), "{run}");
    let text = folder.read("to-label.csv");
    assert!(text.starts_with("item,text,answer\n"), "{text}");
    assert_eq!(text.lines().count(), 11);
    assert!(text.lines().skip(1).all(|line| line.ends_with("\",")), "{text}");
    let again = folder.run("sample votes.csv --item id -n 10 --seed 1 --text texts.csv --column text -q");
    assert!(again.contains(&text), "{again}");
    let other = folder.run("sample votes.csv --item id -n 10 --seed 2 -q");
    assert!(other.contains("--- stdout\nitem,answer\n") && items(&other) != items(&again), "{other}");
    // All columns of the text where none is named.
    let all = folder.run("sample votes.csv --item id -n 3 --text texts.csv -q");
    assert!(all.contains("item,text,more,answer\n"), "{all}");
}

/// A sample that is extended is the larger sample, with the answers given so far.
#[test]
fn samples_are_extended() {
    let folder = folder();
    folder.run("sample votes.csv --item id -n 10 --seed 1 --text texts.csv -o first.csv");
    let first = folder.read("first.csv");
    let answered = first.replacen(",\n", ",1\n", 1);
    assert_ne!(first, answered);
    folder.write("first.csv", &answered);
    let run = folder
        .run("sample votes.csv --item id -n 15 --seed 1 --text texts.csv --extend first.csv -o all.csv");
    assert!(run.contains("drew 15 items of 50, in addition to 10"), "{run}");
    let all = folder.read("all.csv");
    assert!(all.starts_with(&answered), "{all}");
    folder.run("sample votes.csv --item id -n 25 --seed 1 -o larger.csv");
    assert_eq!(items(&all), items(&folder.read("larger.csv")));
    // Another seed draws other items, none of them twice.
    folder.run("sample votes.csv --item id -n 15 --seed 9 --extend first.csv -o other.csv");
    let mut drawn = items(&folder.read("other.csv"));
    drawn.sort();
    drawn.dedup();
    assert_eq!(drawn.len(), 25);
    let run = folder.run("sample votes.csv --item id -n 100 --extend first.csv -o all.csv");
    assert!(run.contains("only 40 items can be drawn"), "{run}");
    let run = folder.run("sample votes.csv --item id -n 1 --extend all.csv");
    assert!(
        run.starts_with("exit code 1\n") && run.contains("all 50 items are already in the sample"),
        "{run}"
    );
}

/// A sample of another table is refused; a few other items are kept, and a note says so.
#[test]
fn samples_of_other_tables_are_not_extended() {
    let folder = folder();
    folder.write("other.csv", "item,answer\ny1,0\ny2,1\n");
    let run = folder.run("sample votes.csv --item id -n 5 --extend other.csv");
    assert!(run.starts_with("exit code 1\n"), "{run}");
    assert!(run.contains("other.csv: none of its 2 items is in votes.csv (the first is \"y1\")"), "{run}");
    folder.write("other.csv", "item,answer\ny1,0\nx2,1\n");
    let run = folder.run("sample votes.csv --item id -n 5 --extend other.csv -o all.csv");
    assert!(run.contains("note: other.csv: 1 item is not in votes.csv; the new sample keeps it"), "{run}");
    assert!(folder.read("all.csv").starts_with("item,answer\ny1,0\nx2,1\nx"), "{run}");
}

#[test]
fn items_on_which_models_differ_are_marked_and_not_certified() {
    let folder = Folder::new();
    // Three copies of a coin against two sources that agree with each other on most items.
    let mut votes = String::from("item,a,b,c,d,e\n");
    for i in 0u32..400 {
        let truth = i.wrapping_mul(2_654_435_761) >> 31;
        let coin = i.wrapping_mul(40_503) >> 7 & 1;
        let d = if i % 6 == 0 { 1 - truth } else { truth };
        let e = if i % 7 == 0 { 1 - truth } else { truth };
        votes.push_str(&format!("x{i},{coin},{coin},{coin},{d},{e}\n"));
    }
    folder.write("votes.csv", votes);
    let run = folder.run("sample votes.csv -n 8 --differ -o differ.csv");
    assert!(run.contains("on which two models disagree (not a random sample: certify rejects it)"), "{run}");
    let text = folder.read("differ.csv");
    assert!(text.starts_with("item,drawn,answer\n") && text.contains(",where models differ,"), "{text}");
    folder.write("differ.csv", text.replace("differ,\n", "differ,1\n"));
    folder.run("label votes.csv -o labels.csv");
    let run = folder.run("certify labels.csv --answers differ.csv");
    assert!(run.starts_with("exit code 1\n") && run.contains("nothing can be certified"), "{run}");
    // A uniform draw draws from all items, also from those in the sample for another reason: these keep their row and its answer.
    folder.run("sample votes.csv -n 300 --seed 4 --extend differ.csv -o all.csv");
    let drawn = |text: &str| -> Vec<String> {
        let mut items: Vec<String> = text
            .lines()
            .skip(1)
            .filter(|line| !line.contains("where models differ"))
            .map(|line| line.split(',').next().unwrap().to_string())
            .collect();
        items.sort();
        items
    };
    let all = folder.read("all.csv");
    folder.run("sample votes.csv -n 300 --seed 4 -o uniform.csv");
    assert_eq!(drawn(&all), drawn(&folder.read("uniform.csv")));
    assert!(all.contains(",from all items,1\n") && all.contains(",where models differ,1\n"), "{all}");
    let run = folder.run("label votes.csv --answers differ.csv -o labels.csv");
    assert!(run.starts_with("exit code 0\n") && run.contains("not a random sample"), "{run}");
}

#[test]
fn what_can_be_wrong() {
    let folder = folder();
    folder.write("nameless.csv", "text\na\nb\n");
    folder.write("others.csv", "id,text\ny1,a\n");
    for (words, why) in [
        ("sample votes.csv --item id -n 0", "whole number from 1"),
        (
            "sample votes.csv --item id --text nameless.csv",
            "there is no column \"item\" that says which item a text belongs to",
        ),
        (
            "sample votes.csv --item id --text others.csv",
            "none of its texts belongs to an item of this table",
        ),
        ("sample votes.csv --item id --text texts.csv --column title", "column \"title\" does not exist"),
        ("sample votes.csv --item id --extend texts.csv", "column \"item\" does not exist"),
        ("sample votes.csv --item id -o votes.csv", "the output would overwrite the votes"),
    ] {
        let run = folder.run(words);
        assert!(run.starts_with("exit code 1\n") && run.contains(why), "{words}: {run}");
    }
    let folder = Folder::with_votes("a,b\n1,0\n0,0\n1,1\n");
    folder.write("texts.csv", "text\nfirst\n");
    let run = folder.run("sample votes.csv --text texts.csv");
    assert!(run.contains("has 1 row and no column \"item\", but there are 3 items"), "{run}");
}

/// A text table that also holds votes, labels or gold shows none of them, unless they are asked for.
#[test]
fn votes_in_the_text_table_are_not_shown() {
    let folder = folder();
    let mut texts = String::from("id,text,a,c,label,p_0,gold\n");
    (0..50).for_each(|i| texts.push_str(&format!("x{i},text {i},{},0,1,0.5,0\n", i % 2)));
    folder.write("all.csv", texts);
    let run = folder.run("sample votes.csv --item id -n 3 --text all.csv");
    assert!(run.contains("item,text,answer\n"), "{run}");
    assert!(
        run.contains("all.csv: 5 columns are left out, so that votes and labels do not influence the answers: a, c, label, p_0, gold"),
        "{run}"
    );
    let asked = folder.run("sample votes.csv --item id -n 3 --text all.csv --column text --column label -q");
    assert!(asked.contains("item,text,label,answer\n"), "{asked}");
}
