//! Awkward tables as people have them, each with the reading that is right.
//!
//! `tests/corpus/*.txt` hold them: a title, what the user says (`options`), the table, and what is expected: sources, classes,
//! items, gold, every vote and every note, or the refusal. The Python package reads the same files (`python/tests/test_corpus.py`).
//! `CORPUS=write cargo test -p consilience-io corpus` writes what is read now into the files, to be looked at line by line.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use consilience::sources::{ABSTAIN, Classes};
use consilience::votes::AbstainMarks;
use consilience_io::{OTHER_CLASS, ReadOptions, VoteTable, read_votes};

use crate::folder::{Folder, text_list};

/// Fewer tables than this, and some were lost.
const AT_LEAST: usize = 60;

struct Case {
    /// Everything before the expectation, as it stands in the file.
    head: String,
    title: String,
    options: ReadOptions,
    file: String,
    bytes: Vec<u8>,
    expected: String,
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn cases(text: &str) -> Vec<Case> {
    text.split("== ").skip(1).map(case).collect()
}

fn case(text: &str) -> Case {
    let (head, expected) = text.split_once("-- expected\n").unwrap_or((text, ""));
    let (settings, table) = head.split_once("-- table\n").unwrap();
    let (title, settings) = settings.split_once('\n').unwrap();
    let setting = |name: &str| {
        settings.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap_or_default()
    };
    let mut table = table.to_string();
    for change in setting("bytes").split_whitespace() {
        table = match change {
            "crlf" => table.replace('\n', "\r\n"),
            "cr" => table.replace('\n', "\r"),
            "bom" => format!("\u{feff}{table}"),
            "no-last-break" => table.trim_end().to_string(),
            "blank-end" => format!("{table}   \n"),
            "tabs" => table.replace(" -> ", "\t"),
            other => panic!("{title}: {other}"),
        };
    }
    let file = setting("file");
    Case {
        head: head.to_string(),
        title: title.to_string(),
        options: options(setting("options")),
        file: if file.is_empty() { "votes.csv".to_string() } else { file.to_string() },
        bytes: table.into_bytes(),
        expected: expected.trim_end().to_string(),
    }
}

fn options(text: &str) -> ReadOptions {
    let mut options = ReadOptions::default();
    for option in text.split_whitespace() {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let list = || text_list(&value.split(',').collect::<Vec<_>>());
        match name {
            "item" => options.item = Some(value.to_string()),
            "gold" => options.gold = Some(value.to_string()),
            "source" => options.sources = list(),
            "ignore" => options.ignore = list(),
            "classes" => options.classes = Some(Classes::new(list()).unwrap()),
            "model" => options.known = Some(Classes::new(list()).unwrap()),
            "abstain" => options.abstain = AbstainMarks::these(list()),
            "source_column" => options.source_column = Some(value.to_string()),
            "vote_column" => options.vote_column = Some(value.to_string()),
            "long" => options.long = Some(true),
            "wide" => options.long = Some(false),
            "header" => options.header = Some(value == "yes"),
            other => panic!("{other}"),
        }
    }
    options
}

fn shown(case: &Case) -> String {
    let folder = Folder::new();
    match read_votes(&folder.file(&case.file, &case.bytes), &case.options) {
        Ok(table) => shown_table(&table),
        Err(error) => {
            let text = error.to_string().replace(&folder.path("").display().to_string(), "");
            format!("refused: {text}")
        }
    }
}

fn shown_table(table: &VoteTable) -> String {
    let mut text = String::new();
    let classes = table.votes.classes();
    let name = |vote| match vote {
        ABSTAIN => ".".to_string(),
        OTHER_CLASS => "(other)".to_string(),
        vote => classes.name(vote).to_string(),
    };
    let _ = writeln!(text, "sources: {}", table.votes.sources().names().join(" | "));
    let _ = writeln!(text, "classes: {}", classes.names().join(" | "));
    let items: Vec<_> = table.items.iter().collect();
    let numbers = table.items.are_row_numbers();
    let _ = writeln!(
        text,
        "items: {}",
        if numbers { format!("rows {}", items.len()) } else { items.join(" | ") }
    );
    if let Some(gold) = &table.gold {
        let _ =
            writeln!(text, "gold: {}", gold.iter().map(|&gold| name(gold)).collect::<Vec<_>>().join(" | "));
    }
    for i in 0..table.votes.items() {
        let mut row = vec![ABSTAIN; table.votes.sources().len()];
        table.votes.row_of_item(i).for_each(|(source, vote)| row[source] = vote);
        let _ = writeln!(text, "> {}", row.into_iter().map(name).collect::<Vec<_>>().join(" | "));
    }
    for note in &table.notes {
        assert!(!note.to_string().contains("--"), "a note names a flag: {note}");
        let _ = writeln!(text, "note: {note}");
    }
    text.trim_end().to_string()
}

#[test]
fn every_table_is_read_right_or_refused() {
    let write = std::env::var_os("CORPUS").is_some_and(|value| value == "write");
    let (mut count, mut wrong) = (0, Vec::new());
    for path in files() {
        let text = fs::read_to_string(&path).unwrap();
        let mut written = text.split("== ").next().unwrap_or_default().to_string();
        for case in cases(&text) {
            let shown = shown(&case);
            count += 1;
            if shown != case.expected {
                wrong.push(format!(
                    "{}: {}\nexpected\n{}\nread\n{shown}",
                    path.display(),
                    case.title,
                    case.expected
                ));
            }
            let _ = write!(written, "== {}-- expected\n{shown}\n\n", case.head);
        }
        if write {
            fs::write(&path, format!("{}\n", written.trim_end())).unwrap();
        }
    }
    assert!(count >= AT_LEAST, "{count} tables");
    assert!(write || wrong.is_empty(), "{} of {count} tables\n\n{}", wrong.len(), wrong.join("\n\n"));
}
