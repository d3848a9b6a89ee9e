//! `consilience train` and `consilience predict`: when all is well, and every way in which it is not.

use insta::assert_snapshot;

use crate::folder::Folder;

/// Forty messages, of which every other one is spam, and labels for them; message 38 has no label, message 39 two that
/// weigh the same.
fn folder() -> Folder {
    let (mut text, mut labels) = (vec!["id,text,split".to_string()], Vec::new());
    labels.push("item,label,confidence,p_ham,p_spam".to_string());
    for i in 0..40 {
        let (words, p) =
            if i % 2 == 0 { ("win a free prize, call now", 0.9) } else { ("see you at lunch", 0.2) };
        text.push(format!("m{i},\"{words} {i}\",train"));
        let label = if p > 0.5 { "spam" } else { "ham" };
        labels.push(match i {
            38 => "m38,,0.7,0.3,0.7".to_string(),
            39 => "m39,ham,0.5,0.5,0.5".to_string(),
            _ => format!("m{i},{label},{:?},{:?},{p:?}", f64::max(p, 1.0 - p), 1.0 - p),
        });
    }
    let folder = Folder::new();
    folder.write("text.csv", text.join("\n") + "\n");
    folder.write("labels.csv", labels.join("\n") + "\n");
    folder
}

/// The one line on standard error where the command is refused and nothing is left behind.
fn refused(folder: &Folder, words: &str) -> String {
    let before = folder.list();
    let run = folder.run(words);
    assert_eq!(folder.list(), before, "something was left behind");
    let line = run.strip_prefix("exit code 1\n--- stdout\n--- stderr\n").unwrap_or_else(|| panic!("{run}"));
    assert_eq!(line.lines().count(), 1, "{line}");
    line.to_string()
}

#[test]
fn trained_and_applied() {
    let folder = folder();
    let run = folder.run("train labels.csv --text text.csv --item id -o end-model.json");
    assert!(run.starts_with("exit code 0\n--- stdout\n--- stderr\ntrained on 38 items, 2 without a label left out (see --all); "), "{run}");
    assert!(run.contains(" n-grams; converged after "), "{run}");
    folder.write("new.csv", "item,text\nx,free PRIZE!\ny,lunch at noon?\nz,\n");
    let run = folder.run("predict end-model.json new.csv -o predictions.csv");
    assert_eq!(run, "exit code 0\n--- stdout\n--- stderr\npredicted 3 items\n");
    let predictions = folder.read("predictions.csv");
    let lines: Vec<&str> = predictions.lines().collect();
    assert_eq!(lines[0], "item,label,confidence,p_ham,p_spam");
    assert!(lines[1].starts_with("x,spam,") && lines[2].starts_with("y,ham,") && lines[3].starts_with("z,"));
}

/// By name, whatever the order; by order, whatever the names.
#[test]
fn joined_by_name_or_by_order() {
    let folder = folder();
    folder.run("train labels.csv --text text.csv --item id -o by-name.json");
    let text = folder.read("text.csv");
    let (header, rows) = text.split_once('\n').unwrap();
    folder.write("without.csv", text.replacen("id,", "number,", 1));
    folder.run("train labels.csv --text without.csv -o by-order.json");
    assert_eq!(folder.bytes("by-name.json"), folder.bytes("by-order.json"));
    // A column called item is taken for the items' names unasked.
    folder.write("called.csv", text.replacen("id,", "item,", 1));
    folder.run("train labels.csv --text called.csv -o called.json");
    assert_eq!(folder.bytes("by-name.json"), folder.bytes("called.json"));
    let turned: String = rows.lines().rev().map(|line| format!("{line}\n")).collect::<Vec<_>>().concat();
    folder.write("turned.csv", format!("{header}\n{turned}more,more text,train\n"));
    let run = folder.run("train labels.csv --text turned.csv --item id -o turned.json");
    assert!(
        run.contains(
            "trained on 38 items, 2 without a label left out (see --all), 1 left out (not in labels.csv)"
        ),
        "{run}"
    );
    // So is one called id.
    folder.run("train labels.csv --text turned.csv -o unasked.json");
    assert_eq!(folder.bytes("turned.json"), folder.bytes("unasked.json"));
    folder.write("bare.csv", text.replacen("id,", "number,", 1) + "m40,one more,train\n");
    let run = folder.run("train labels.csv --text bare.csv -o other.json");
    assert!(run.contains("by row order") && run.contains("bare.csv has 41 rows, but labels.csv 40"), "{run}");
}

#[test]
fn every_item_on_request() {
    let folder = folder();
    let run = folder.run("train labels.csv --text text.csv --item id --all -o end-model.json");
    assert!(run.contains("trained on 40 items; "), "{run}");
}

#[test]
fn threads_and_formats_change_nothing() {
    let folder = folder();
    folder.run("train labels.csv --text text.csv --item id -o end-model.json --threads 1");
    folder.run("train labels.csv --text text.csv --item id -o again.json --threads 3");
    assert_eq!(folder.bytes("end-model.json"), folder.bytes("again.json"));
    folder.run("predict end-model.json text.csv --item id -o predictions.csv");
    // Predictions are labels, in any format, and can be learned from in turn.
    for name in ["p.jsonl", "p.tsv.gz", "p.parquet", "p.arrow"] {
        assert!(
            folder
                .run(&format!("predict end-model.json text.csv --item id -o {name}"))
                .starts_with("exit code 0\n")
        );
        folder.run(&format!("train {name} --text text.csv --item id -o {name}.json"));
        folder.run("train predictions.csv --text text.csv --item id -o from-csv.json");
        assert_eq!(folder.bytes(&format!("{name}.json")), folder.bytes("from-csv.json"), "{name}");
    }
    let text = folder.bytes("text.csv");
    let run = folder.run_with_input("predict end-model.json - --item id --quiet", &text);
    let expected = format!("exit code 0\n--- stdout\n{}--- stderr\n", folder.read("predictions.csv"));
    assert_eq!(run, expected);
    let run = folder.run_with_input("train labels.csv --text - --item id --quiet", &text);
    assert!(run.contains(&folder.read("end-model.json")), "{run}");
}

#[test]
fn two_columns() {
    let folder = folder();
    folder.write("text.csv", folder.read("text.csv").replace("id,text,split", "id,title,body"));
    folder.run("train labels.csv --text text.csv --item id --column title,body -o end-model.json");
    assert!(folder.run("predict end-model.json text.csv").starts_with("exit code 0\n"));
    assert!(folder.run("predict end-model.json text.csv --column title,id").starts_with("exit code 0\n"));
    assert_snapshot!(refused(&folder, "predict end-model.json text.csv --column title"), @"error: the end model was trained on 2 columns (title, body), but --column names 1; name the same number, in the same order");
    assert_snapshot!(refused(&folder, "train labels.csv --text text.csv --item id --column title,title"), @r#"error: duplicate column "title" in --column; name each column once"#);
}

/// Votes beside the labels: messages 30 to 39 have none.
#[test]
fn silent_items_are_learned_from_where_the_votes_are_given() {
    let folder = folder();
    let row = |i: usize| match i {
        30.. => format!("m{i},,,"),
        _ if i.is_multiple_of(2) => format!("m{i},spam,{},", if i.is_multiple_of(4) { "spam" } else { "" }),
        _ => format!("m{i},,{},ham", if i.is_multiple_of(3) { "ham" } else { "" }),
    };
    let votes =
        |rows: usize| "id,a,b,c\n".to_string() + &(0..rows).map(|i| row(i) + "\n").collect::<String>();
    folder.write("votes.csv", votes(40));
    let run = folder.run(
        "train labels.csv --text text.csv --item id --votes votes.csv --votes-item id -o end-model.json",
    );
    assert!(
        run.starts_with(
            "exit code 0\n--- stdout\n--- stderr\ntrained on 30 items, 10 that nobody votes on; "
        ),
        "{run}"
    );
    folder.run("train labels.csv --text text.csv --item id -o without.json");
    assert_ne!(folder.bytes("end-model.json"), folder.bytes("without.json"));
    folder.run("train labels.csv --text text.csv --item id --votes votes.csv --votes-item id -o again.json --threads 3");
    assert_eq!(folder.bytes("end-model.json"), folder.bytes("again.json"));
    // Where every item has a vote, silence says nothing.
    folder.write("full.csv", votes(40).replace(",,,\n", ",spam,,\n"));
    folder.run("train labels.csv --text text.csv --item id --votes full.csv --votes-item id -o full.json");
    assert_eq!(folder.bytes("full.json"), folder.bytes("without.json"));

    let refused =
        |words: &str| refused(&folder, &format!("train labels.csv --text text.csv --item id {words}"));
    assert_snapshot!(refused("--votes votes.csv -o votes.csv"), @"error: the output would overwrite the votes in votes.csv; use another file for -o");
    folder.run("train labels.csv --text text.csv --item id --votes votes.csv -o unasked.json");
    assert_eq!(folder.bytes("end-model.json"), folder.bytes("unasked.json"));
    folder.write("short.csv", votes(39));
    assert_snapshot!(refused("--votes short.csv --votes-item id"), @"error: short.csv has 39 items, but labels.csv 40; use the votes that were labelled");
    folder.write("other.csv", votes(40).replace("m3,", "x3,"));
    assert_snapshot!(refused("--votes other.csv --votes-item id"), @r#"error: item 4 is "x3" in other.csv, but "m3" in labels.csv; use the votes that were labelled, and select the column with their item names with --votes-item"#);
    assert_snapshot!(refused("--votes votes.csv --votes-item id --export soft"), @"error: the argument '--votes <FILE>' cannot be used with '--export <LAYOUT>'; see consilience train --help");
    assert_snapshot!(refused("--votes-item id"), @"error: the following required arguments were not provided: --votes <FILE>; see consilience train --help");
}

#[test]
fn training_files_for_other_trainers() {
    let folder = folder();
    let run = folder.run("train labels.csv --text text.csv --item id --export soft -o soft.csv");
    assert_snapshot!(run, @"
    exit code 0
    --- stdout
    --- stderr
    wrote 38 items, 2 without a label left out (see --all)
    ");
    assert!(folder.read("soft.csv").starts_with(
        "item,text,p_ham,p_spam\nm0,\"win a free prize, call now 0\",0.09999999999999998,0.9\n"
    ));
    assert_eq!(folder.read("soft.csv").lines().count(), 39);
    let run = folder.run("train labels.csv --text text.csv --item id --export weighted --all");
    assert!(run.contains("item,text,label,weight\nm0,\"win a free prize, call now 0\",ham,0.09999999999999998\nm0,\"win a free prize, call now 0\",spam,0.9\n"), "{run}");
    // A soft file is a file of labels.
    folder.run("train soft.csv --text soft.csv -o again.json");
    folder.run("train labels.csv --text text.csv --item id -o end-model.json");
    assert_eq!(folder.bytes("again.json"), folder.bytes("end-model.json"));
}

#[test]
fn bad_requests() {
    let folder = folder();
    let refused = |words: &str| refused(&folder, &format!("train {words}"));
    assert_snapshot!(refused("labels.csv --text text.csv --item id -o labels.csv"), @"error: the output would overwrite the labels in labels.csv; use another file for -o");
    assert_snapshot!(refused("labels.csv --text text.csv --item id -o ./text.csv"), @"error: the output would overwrite the text in ./text.csv; use another file for -o");
    assert_snapshot!(refused("- --text -"), @"error: the labels and the text cannot both come from standard input; name a file for one of them");
    assert_snapshot!(refused("labels.csv --text text.csv --item id --export soft -o out"), @"error: out: the name does not say which format to write; use the extension .csv, .tsv, .jsonl, .parquet or .arrow (add .gz or .zst to the first three to compress)");
    assert_snapshot!(refused("labels.csv --text text.csv --item id --penalty 0"), @"error: penalty must be a number above 0, but is 0");
    assert_snapshot!(refused("labels.csv --text text.csv --item id --bits 40"), @"error: bits must be from 8 to 26, but is 40");
    assert_snapshot!(refused("labels.csv --text text.csv --item id --words 5..3"), @"error: invalid value '5..3' for '--words <A..B>': use a length such as 1, a range such as 3..5, or none; see consilience train --help");
    assert_snapshot!(refused("labels.csv --text text.csv --item id --words 1..11"), @"error: the length of word n-grams must be a range of lengths from 1 to 10, the shorter one first, but is 1..11");
    assert_snapshot!(refused("labels.csv --text text.csv --item id --words none --characters none"), @"error: the end model needs word n-grams, character n-grams or both");
    assert_snapshot!(refused("labels.csv --text text.csv --item id --export weighted --column label"), @r#"error: the training file already has a column "label"; rename that column of the text"#);
}

#[test]
fn bad_tables() {
    let folder = folder();
    let refused = |words: &str| refused(&folder, words);
    assert_snapshot!(refused("train text.csv --text text.csv"), @r#"error: text.csv, line 1: this is not a table of labels: it has no column p_<class>, but needs one for each class; the columns are "id", "text", "split""#);
    assert_snapshot!(refused("train missing.csv --text text.csv"), @"error: missing.csv: there is no such file; check the path");
    assert_snapshot!(refused("train labels.csv --text missing.csv"), @"error: missing.csv: there is no such file; check the path");
    assert_snapshot!(refused("train labels.csv --text text.csv --column body"), @r#"error: text.csv, line 1: column "body" does not exist (needed for text); the columns are "id", "text", "split""#);
    assert_snapshot!(refused("train labels.csv --text text.csv --item name"), @r#"error: text.csv, line 1: column "name" does not exist (needed for the items); the columns are "id", "text", "split""#);
    assert_snapshot!(refused("train labels.csv --text text.csv --item split"), @"error: text.csv: none of its items is in labels.csv; label with the same --item, or use --by-order if the rows are in the same order");
    folder.write("twice.csv", "id,text\nm1,a\nm2,b\nm1,c\n");
    assert_snapshot!(refused("train labels.csv --text twice.csv --item id"), @r#"error: twice.csv, line 4: duplicate item "m1"; keep one of its rows"#);
    folder.write("double.csv", "item,p_a,p_b\nx,1,0\nx,0,1\n");
    assert_snapshot!(refused("train double.csv --text text.csv --item id"), @r#"error: double.csv: duplicate item "x", so texts cannot be joined by name; use unique names, or --by-order"#);
    folder.write("even.csv", "item,p_a,p_b\nm1,0.5,0.5\nm2,0.5,0.5\n");
    assert_snapshot!(refused("train even.csv --text text.csv --item id"), @"error: even.csv: no item has a label better than chance; add --all to train anyway");
}

#[test]
fn bad_models() {
    let folder = folder();
    folder.run("train labels.csv --text text.csv --item id -o end-model.json --words 1 --characters none");
    let model = folder.read("end-model.json");
    let refused = |text: String| {
        folder.write("bad.json", text);
        refused(&folder, "predict bad.json text.csv")
    };
    let newer = model.replace("\"version\": \"[version]\"", "\"version\": \"99.0.0\"");
    assert_snapshot!(refused(newer).replace(env!("CARGO_PKG_VERSION"), "[version]"), @"error: bad.json: it was written by Consilience 99.0.0, but this is [version]; update Consilience or write the file again");
    let model = model.replace("[version]", env!("CARGO_PKG_VERSION"));
    assert_snapshot!(refused(model[..100].to_string()), @"error: bad.json: not a complete JSON object (EOF while parsing an object at line 10 column 0); write the saved end model again");
    assert_snapshot!(refused(model.replace("\"bits\": 20", "\"bits\": 8")), @"error: bad.json: the end model is damaged: its n-grams are out of order");
    assert_snapshot!(refused(model.replace("\"columns\": [", "\"columns\": [\"more\",")), @"error: bad.json: the end model is damaged: the number of columns does not match the number of texts");
    assert_snapshot!(refused(model.replace("\"weights\": [", "\"weights\": [1.0,")), @"error: bad.json: the end model is damaged: the lengths of its lists do not match");
    assert_snapshot!(refused(format!("{{\"version\": \"{}\"}}", env!("CARGO_PKG_VERSION"))), @"error: bad.json: not a saved end model: missing field `columns` at line 1 column 20; use a saved end model that Consilience wrote");
    assert_snapshot!(refused(String::new()), @"error: bad.json: not a complete JSON object (EOF while parsing a value at line 1 column 0); write the saved end model again");
}
