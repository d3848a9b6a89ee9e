//! `--answers` and `--answers-column` of `fit`, `label` and `train`; `--balance` by name.
#![allow(
    clippy::format_push_string,
    clippy::format_collect,
    reason = "tables of a test, written line by line"
)]

use crate::folder::Folder;

/// Forty items of two classes; the third source is wrong every time, and the items have names.
fn votes() -> String {
    let mut text = String::from("item,a,b,c,truth\n");
    for i in 0..40 {
        let spam = i % 5 == 0;
        let name = |spam: bool| if spam { "spam" } else { "ham" };
        let b = if i % 7 == 3 { !spam } else { spam };
        text.push_str(&format!("x{i},{},{},{},{}\n", name(spam), name(b), name(!spam), name(spam)));
    }
    text
}

/// Answers to the first `count` items, the rest unanswered.
fn answers(count: usize) -> String {
    let mut text = String::from("item,note,answer\n");
    for i in 0..40 {
        let answer = if i >= count {
            ""
        } else if i % 5 == 0 {
            "spam"
        } else {
            "ham"
        };
        text.push_str(&format!("x{i},a text,{answer}\n"));
    }
    text
}

fn folder(count: usize) -> Folder {
    let folder = Folder::with_votes(&votes());
    folder.write("answers.csv", answers(count));
    folder
}

/// The one line on standard error of a run that must fail.
fn refused(folder: &Folder, words: &str) -> String {
    let run = folder.run(words);
    let line = run.strip_prefix("exit code 1\n--- stdout\n--- stderr\n").unwrap_or_else(|| panic!("{run}"));
    assert_eq!(line.lines().count(), 1, "{line}");
    line.trim_end().to_string()
}

#[test]
fn answers_correct_the_model_and_the_model_carries_it() {
    let folder = folder(30);
    let run = folder.run("fit votes.csv --ignore truth --answers answers.csv -o model.json");
    assert!(run.starts_with("exit code 0\n"), "{run}");
    assert!(run.contains("the source \"c\" is worse than chance: right on 0 of 30 votes"), "{run}");
    assert!(run.contains("30 answers change"), "{run}");
    let model = folder.read("model.json");
    assert!(model.contains("\"correction\": {") && model.contains("\"answers\": 30"), "{model}");

    // Labels of the model are those of fitting and labelling at once, but for the answered items.
    folder.run("label votes.csv --ignore truth --model model.json -o by-model.csv");
    folder.run("label votes.csv --ignore truth --answers answers.csv -o at-once.csv");
    let (by_model, at_once) = (folder.read("by-model.csv"), folder.read("at-once.csv"));
    assert!(
        at_once
            .starts_with("item,label,confidence,p_ham,p_spam,answer,held_out,held_out_ham,held_out_spam\n")
    );
    for (a, b) in by_model.lines().zip(at_once.lines()).skip(31) {
        assert_eq!(format!("{a},,,,"), b);
    }
    for (i, line) in at_once.lines().skip(1).take(30).enumerate() {
        let (answer, p) = if i % 5 == 0 { ("spam", "0,1") } else { ("ham", "1,0") };
        assert!(line.starts_with(&format!("x{i},{answer},1,{p},{answer},")), "{line}");
        let cells: Vec<&str> = line.split(',').collect();
        assert!(["ham", "spam"].contains(&cells[6]) && cells[7].starts_with("0."), "{line}");
    }

    // Explanations say what the answers changed.
    let run = folder.run("explain votes.csv --ignore truth --model model.json --row 39");
    assert!(run.contains("without the 30 answers: ") && run.contains("By answers"), "{run}");
    let run = folder.run("explain votes.csv --ignore truth --model model.json --row 39 --json");
    assert!(run.contains("\"log_odds_before\"") && run.contains("\"slope\""), "{run}");
    let run = folder.run("explain votes.csv --ignore truth --model model.json --source c");
    assert!(run.contains("by answers         -"), "{run}");
}

/// A certificate judges what the file would say without the answers: nothing where nobody votes or the confidence is too low, and the
/// class of `--decide` where that applies.
#[test]
fn held_out_labels_follow_the_rules_of_the_others() {
    let folder = Folder::new();
    let mut votes = String::from("item,a,b,c\n");
    let mut answers = String::from("item,answer\n");
    for i in 0..200 {
        let name = |spam: bool| if spam { "spam" } else { "ham" };
        let spam = i % 3 == 0;
        let row =
            [name(spam == (i % 7 != 2)), name(spam == (i % 5 != 1)), name(spam == (i % 4 != 1))].join(",");
        votes.push_str(&format!("x{i},{}\n", if i % 10 == 9 { ",," } else { &row }));
        if i < 60 {
            answers.push_str(&format!("x{i},{}\n", name(spam)));
        }
    }
    folder.write("votes.csv", votes);
    folder.write("answers.csv", answers);
    let mut labelled = Vec::new();
    for rule in ["", "--abstain-below 0.9", "--decide f1=spam", "--ties first"] {
        folder.run(&format!("label votes.csv --answers answers.csv -o labels.csv {rule}"));
        let text = folder.read("labels.csv");
        let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
        let judged: Vec<&Vec<&str>> = rows[..60].iter().filter(|row| !row[6].is_empty()).collect();
        let right = judged.iter().filter(|row| row[5] == row[6]).count();
        let certificate = folder.run("certify labels.csv --answers answers.csv --json");
        let estimate = right as f64 / judged.len() as f64;
        assert!(
            certificate.contains(&format!("\"accuracy\": {{\n    \"estimate\": {estimate:?},")),
            "{rule} {certificate}"
        );
        // Items without votes are empty, answered or not.
        let without_votes = |rows: &[Vec<&str>], place: usize| {
            rows.iter().skip(9).step_by(10).all(|row| row[place].is_empty() != (rule == "--ties first"))
        };
        assert!(without_votes(&rows[..60], 6) && without_votes(&rows[60..], 1), "{rule} {text}");
        labelled.push((judged.len(), judged.iter().filter(|row| row[6] == "spam").count()));
    }
    let [(plain, spam), (sure, _), (decided, more_spam), (all, _)] = labelled[..] else {
        panic!("{labelled:?}")
    };
    assert!(plain == 54 && sure < plain && decided == 54 && more_spam >= spam && all == 60, "{labelled:?}");
}

#[test]
fn a_damaged_correction_is_refused() {
    let folder = folder(30);
    folder.run("fit votes.csv --ignore truth --answers answers.csv -o model.json");
    let model = String::from_utf8(folder.bytes("model.json")).unwrap();
    for (from, to, why) in [
        (
            "\"slope\": ",
            "\"slope\": -",
            "the slope or the usual number of votes in its correction is out of range",
        ),
        ("\"biases\": [", "\"biases\": [1.0,", "its correction needs 2 biases, one per class"),
    ] {
        assert!(model.contains(from));
        folder.write("broken.json", model.replacen(from, to, 1));
        let line = refused(&folder, "label votes.csv --ignore truth --model broken.json");
        assert!(line.contains(why), "{line}");
    }
}

#[test]
fn no_answers_change_nothing() {
    let folder = folder(0);
    let plain = folder.run("label votes.csv --ignore truth -o plain.csv");
    let run = folder.run("label votes.csv --ignore truth --answers answers.csv -o labels.csv");
    assert!(plain.starts_with("exit code 0\n"), "{plain}");
    assert!(run.contains("answers.csv: no item has an answer yet, so nothing changes"), "{run}");
    assert_eq!(folder.read("plain.csv"), folder.read("labels.csv"));
    folder.run("fit votes.csv --ignore truth -o plain.json");
    folder.run("fit votes.csv --ignore truth --answers answers.csv -o model.json");
    assert_eq!(folder.read("plain.json"), folder.read("model.json"));
}

/// Answers replace what earlier answers taught a model; an empty list leaves it.
#[test]
fn answers_replace_earlier_ones() {
    let folder = folder(30);
    folder.write("few.csv", answers(12));
    folder.run("fit votes.csv --ignore truth --answers few.csv -o taught.json");
    folder.run("label votes.csv --ignore truth --answers answers.csv -o direct.csv");
    folder.run("label votes.csv --ignore truth --model taught.json --answers answers.csv -o again.csv");
    assert_eq!(folder.read("direct.csv"), folder.read("again.csv"));
    folder.write("none.csv", "item,answer\nx1,\n");
    folder.run("label votes.csv --ignore truth --model taught.json -o taught.csv");
    folder.run("label votes.csv --ignore truth --model taught.json --answers none.csv -o kept.csv");
    assert_eq!(folder.read("taught.csv"), folder.read("kept.csv"));
    assert_ne!(folder.read("taught.csv"), folder.read("direct.csv"));
}

#[test]
fn answers_in_a_column_of_the_votes() {
    let folder = folder(40);
    let run = folder.run("label votes.csv --answers-column truth -o inside.csv");
    assert!(run.starts_with("exit code 0\n"), "{run}");
    assert!(run.contains("40 of 40 items are answered; if this is the gold column of a benchmark"), "{run}");
    folder.run("label votes.csv --ignore truth --answers answers.csv -o outside.csv");
    assert_eq!(folder.read("inside.csv"), folder.read("outside.csv"));
    let line = refused(&folder, "label votes.csv --answers-column turth");
    assert!(line.contains("column \"turth\" does not exist"), "{line}");
    let run = folder.run_with_input("label - --answers-column truth", votes().as_bytes());
    assert!(run.starts_with("exit code 1\n") && run.contains("standard input"), "{run}");
    let run =
        folder.run("label votes.csv --ignore truth --answers votes.csv --answers-column truth -o other.csv");
    assert!(run.starts_with("exit code 0\n"), "{run}");
    assert_eq!(folder.read("other.csv"), folder.read("outside.csv"));
}

/// Items without names go by row, and that is said.
#[test]
fn rows_take_the_place_of_names() {
    let text: String = votes().lines().map(|line| format!("{}\n", line.split_once(',').unwrap().1)).collect();
    let folder = Folder::with_votes(&text);
    folder.write("answers.csv", "item,answer\n0,spam\n1,ham\n7,ham\n");
    let run = folder.run("label votes.csv --ignore truth --answers answers.csv -o labels.csv");
    assert!(run.contains("answers are matched by row number, counted from 0"), "{run}");
    assert!(folder.read("labels.csv").contains("\n7,ham,1,1,0,ham,"), "{}", folder.read("labels.csv"));
    let column: String = (0..40).map(|i| if i == 7 { "ham\n" } else { "\n" }).collect();
    folder.write("ordered.csv", format!("answer\n{column}"));
    let run = folder.run("label votes.csv --ignore truth --answers ordered.csv -o labels.csv");
    assert!(run.contains("answers are matched by row order"), "{run}");
    assert!(folder.read("labels.csv").contains("\n7,ham,1,1,0,ham,"), "{}", folder.read("labels.csv"));
    folder.write("answers.csv", "item,answer\n0,spam\n40,ham\n");
    let line = refused(&folder, "label votes.csv --ignore truth --answers answers.csv");
    assert!(line.contains("line 3") && line.contains("item \"40\" does not exist"), "{line}");
    folder.write("ordered.csv", "answer\nham\nspam\n");
    let line = refused(&folder, "label votes.csv --ignore truth --answers ordered.csv");
    assert!(line.contains("it has 2 rows and no column \"item\", but there are 40 items"), "{line}");
    folder.write("ordered.csv", format!("answer\n{}", "ham\n".repeat(41)));
    let line = refused(&folder, "label votes.csv --ignore truth --answers ordered.csv");
    assert!(line.contains("it has 41 rows"), "{line}");
}

#[test]
fn what_can_be_wrong_with_answers() {
    let folder = folder(30);
    let check = |text: &str, why: &str| {
        folder.write("bad.csv", text);
        for verb in ["label", "fit"] {
            let line = refused(&folder, &format!("{verb} votes.csv --ignore truth --answers bad.csv"));
            assert!(line.contains("bad.csv") && line.contains(why), "{line}");
        }
    };
    check(
        "item,answer\ny1,ham\ny2,spam\n",
        "none of its 2 answers belongs to an item of this table (the first is for \"y1\")",
    );
    check(
        "item,answer\nx1,ham\nx2,eggs\n",
        "line 3, column \"answer\": the answer \"eggs\" is not a class; the classes are",
    );
    check(
        "item,answer\nx1,ham\nx1,spam\n",
        "item \"x1\" has two different answers, \"ham\" and \"spam\"; keep one of them",
    );
    check("item,label\nx1,ham\n", "there is no column \"answer\"");
    check("answer\nham\n", "the items have names, but there is no column \"item\"");
    check("item,answer\n", "there are no rows");
    let line = refused(&folder, "label votes.csv --ignore truth --answers missing.csv");
    assert!(line.contains("there is no such file"), "{line}");
    let line = refused(&folder, "label votes.csv --ignore truth --majority --answers answers.csv");
    assert!(line.contains("--answers has no effect with --majority"), "{line}");
    let line = refused(&folder, "label votes.csv --ignore truth --answers answers.csv -o answers.csv");
    assert!(line.contains("the output would overwrite the answers"), "{line}");
}

#[test]
fn odd_answers_are_used_and_said() {
    let folder = folder(30);
    let run = |text: &str| {
        folder.write("odd.csv", text);
        let run = folder.run("label votes.csv --ignore truth --answers odd.csv -o labels.csv");
        assert!(run.starts_with("exit code 0\n"), "{run}");
        run
    };
    // The same answer twice is no contradiction; one that is unknown is left out.
    let said = run("item,answer\nx1,ham\nx1,ham\nx2,ham\nx5,spam\ny9,spam\n");
    assert!(said.contains("1 of 4 answers is for items that are not in this table and is ignored"), "{said}");
    assert!(said.contains("3 answers change"), "{said}");
    let said = run("item,answer\nx1,ham\nx2,ham\nx3,ham\n");
    assert!(said.contains("all 3 answers are \"ham\": they say little about the other classes"), "{said}");
    let said = run("item,answer\nx1,ham\n");
    assert!(said.contains("the only answer is \"ham\": it says little about the other classes"), "{said}");
    assert!(said.contains("1 answer changes "), "{said}");
    // Numbers never stand for names.
    folder.write("odd.csv", "item,answer\nx1,0\nx5,1\n");
    let line = refused(&folder, "label votes.csv --ignore truth --answers odd.csv");
    assert!(line.contains("the answer \"0\" is not a class"), "{line}");
}

#[test]
fn answers_take_the_place_of_labels_in_training() {
    let folder = Folder::new();
    let mut labels = String::from("item,label,confidence,p_0,p_1\n");
    let mut texts = String::from("item,text\n");
    let mut answers = String::from("item,answer\n");
    for i in 0..30 {
        // All labels say 0; the answers know better.
        labels.push_str(&format!("x{i},0,0.6,0.6,0.4\n"));
        texts.push_str(&format!("x{i},{}\n", if i % 2 == 0 { "good thing" } else { "bad thing" }));
        answers.push_str(&format!("x{i},{}\n", i % 2));
    }
    folder.write("labels.csv", labels);
    folder.write("texts.csv", texts);
    folder.write("answers.csv", answers);
    let run = folder.run("train labels.csv --text texts.csv --answers answers.csv -o end.json");
    assert!(run.starts_with("exit code 0\n"), "{run}");
    let run = folder.run("predict end.json texts.csv");
    assert!(run.contains("\nx0,0,") && run.contains("\nx1,1,"), "{run}");
    folder.write("answers.csv", "item,answer\nx0,7\n");
    let line = refused(&folder, "train labels.csv --text texts.csv --answers answers.csv -o end.json");
    assert!(line.contains("the answer \"7\" is not a class"), "{line}");
}

#[test]
fn balance_by_name() {
    let folder = folder(0);
    let fit = |balance: &str| {
        let run = folder.run(&format!("fit votes.csv --ignore truth --balance {balance} -q"));
        assert!(run.starts_with("exit code 0\n"), "{run}");
        run
    };
    let expected = fit("0.9,0.1");
    assert_eq!(fit("spam=0.1,ham=0.9"), expected);
    assert_ne!(fit("spam=0.2"), expected);
    let run = folder.run("label votes.csv --ignore truth --balance ham=0.9,spam=0.1 -q");
    assert_eq!(run, folder.run("label votes.csv --ignore truth --balance 0.9,0.1 -q"));
    for (balance, why) in [
        ("eggs=0.5", "\"eggs\" is not a class; the classes are ham, spam"),
        ("ham=0.5,ham=0.5", "duplicate class \"ham\" in --balance"),
        ("ham=1.5", "leaving nothing for the other classes"),
        ("ham=0.5,spam=0.1", "add up to 1"),
    ] {
        let line = refused(&folder, &format!("fit votes.csv --ignore truth --balance {balance}"));
        assert!(line.contains(why), "{balance}: {line}");
    }
}

/// The same bytes for one and three threads.
#[test]
fn threads_change_nothing() {
    let folder = folder(30);
    let run = |threads: usize| {
        folder.run(&format!("label votes.csv --ignore truth --answers answers.csv --threads {threads}"))
    };
    assert_eq!(run(1), run(3));
}
