//! What runs without the engine votes as the engine does.

use consilience_sources::{Cell, Tables, Voter, VoterError};

use crate::folder::{Folder, tolerant};

const SOURCES: &str = r#"
[[source]]
name = "win"
vote = "spam"
otherwise = "ham"
regex = "w+in"
lower = true

[[source]]
name = "words"
vote = "spam"
keywords_file = "words.txt"
words = true

[[source]]
name = "slow"
vote = "ham"
regex = '(a|aa)+(b|c)\1'

[[source]]
name = "sender"
lookup = { file = "senders.csv", keys = { sender = "name", kind = "kind" }, vote = "class" }
lower = true
strip = true
otherwise = "ham"

[[source]]
name = "judge"
column = "judge"

[[source]]
name = "mapped"
column = "judge"
map = { "spam" = "ham", "x" = "spam" }

[[source]]
name = "score"
column = "score"
otherwise = "ham"
thresholds = [{ above = 0.5, vote = "spam" }]

[[source]]
name = "neither"
vote = "ham"
otherwise = "spam"
not = "either"

[[source]]
name = "either"
vote = "spam"
any = ["win", "sender", "slow"]

[[source]]
name = "both"
vote = "spam"
all = ["judge", "score"]
"#;

/// Every combination of some cells: there, missing, and such that a source fails.
fn rows() -> Vec<[String; 5]> {
    let texts = ["You WIN a prize", "free", "", &"a".repeat(60)].map(String::from);
    let mut rows = Vec::new();
    for text in &texts {
        for sender in ["ACME ", "hooli", ""] {
            for judge in ["spam", "x", ""] {
                // A search that is given up takes long.
                if text.len() > 50 && !(sender.is_empty() && judge.is_empty()) {
                    continue;
                }
                for score in ["0.9", "0.5", "many", "nan", ""] {
                    let kind = if rows.len() % 5 == 0 { "" } else { "shop" };
                    rows.push([text.as_str(), sender, kind, judge, score].map(String::from));
                }
            }
        }
    }
    rows
}

#[test]
fn the_engine_and_the_voter_agree() {
    let rows = rows();
    let mut csv = "text,sender,kind,judge,score\n".to_string();
    for row in &rows {
        csv.push_str(&row.join(","));
        csv.push('\n');
    }
    let folder = Folder::with(SOURCES, &csv);
    folder.write("words.txt", "prize\nfre\n");
    folder.write("senders.csv", "name,kind,class\nacme,Shop,spam\n");
    let (expected, summary) = folder.apply(&["data.csv"], tolerant()).unwrap();
    let file = folder.file();
    let voter = Voter::new(&file, &Tables::new()).unwrap();
    let names = ["text", "sender", "kind", "judge", "score"];
    let places: Vec<usize> = voter
        .columns()
        .iter()
        .map(|needed| names.iter().position(|name| *name == needed.name).unwrap())
        .collect();
    let width = file.sources.len();
    let (mut scratch, mut votes) = (voter.scratch(), vec![0; width]);
    let mut faults = vec![0; width];
    for (row, expected) in rows.iter().zip(expected.chunks_exact(width)) {
        let cell = |&place: &usize| match row[place].as_str() {
            "" => Cell::Missing,
            text => Cell::Text(text),
        };
        let cells: Vec<Cell<'_>> = places.iter().map(cell).collect();
        voter.vote(&cells, &mut scratch, &mut votes, |source| faults[source] += 1);
        assert_eq!(votes, expected, "{row:?}");
    }
    let counted: Vec<u64> = summary.sources.iter().map(|source| source.faults).collect();
    assert_eq!(faults, counted);
    for (source, count) in file.sources.iter().zip(&faults) {
        let fails = ["slow", "judge", "score", "neither", "either", "both"].contains(&source.name.as_str());
        assert_eq!(*count > 0, fails, "{}", source.name);
    }
}

#[test]
fn sql_and_programs_need_the_engine() {
    for (kind, said) in [("sql = 'true'\nvote = 'spam'", "sql"), ("command = ['ls']", "command")] {
        let folder = Folder::with(&format!("[[source]]\nname = 'x'\n{kind}\n"), "text\na\n");
        let error = Voter::new(&folder.file(), &Tables::new()).err().unwrap();
        assert!(matches!(&error, VoterError::NeedsEngine { kind, .. } if *kind == said), "{error}");
    }
}
