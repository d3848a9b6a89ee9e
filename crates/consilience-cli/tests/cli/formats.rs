//! Files that earlier versions wrote are read, or refused with what to do.
//!
//! `consilience-io/tests/formats` has one file for each shape that structure.json and model.json ever had, the newest last. A
//! file that is written now has no key that the newest of them lacks: who adds one adds a file.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::folder::Folder;

const VOTES: &str = "item,ann,bob,cas,dan\ni1,n,n,n,n\ni2,y,y,,y\ni3,n,y,y,\ni4,,,,y\ni5,,,,\n";

/// The files of one kind, by age.
fn files(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../consilience-io/tests/formats");
    let named = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(kind);
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(named).collect();
    files.sort();
    assert!(files.len() >= 4, "{files:?}");
    files
}

#[test]
fn every_structure_that_was_ever_written_is_read() {
    let mut told = String::new();
    for file in files("structure") {
        let folder = Folder::with_votes(VOTES);
        fs::copy(&file, folder.path("structure.json")).unwrap();
        let run = folder.run("fit votes.csv --structure structure.json");
        assert!(run.starts_with("exit code 0\n"), "{}: {run}", file.display());
        let _ = writeln!(told, "{}\n{run}", file.file_name().unwrap().to_string_lossy());
    }
    insta::assert_snapshot!(told);
}

#[test]
fn every_model_that_was_ever_written_is_read_or_refused_with_what_to_do() {
    let mut told = String::new();
    for file in files("model") {
        let folder = Folder::with_votes(VOTES);
        fs::copy(&file, folder.path("model.json")).unwrap();
        let run = folder.run("label votes.csv --model model.json");
        let _ = writeln!(told, "{}\n{run}", file.file_name().unwrap().to_string_lossy());
    }
    insta::assert_snapshot!(told);
}

/// All keys, with those above them.
fn keys(value: &Value, above: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let path = format!("{above}.{key}");
                keys(value, &path, found);
                found.insert(path);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, above, found)),
        _ => {}
    }
}

#[test]
fn a_key_that_is_new_needs_a_file_that_has_it() {
    let folder = Folder::new();
    for words in [
        "simulate --sources 6 --items 2000 --pairs 1 --correlation 1 --gold truth -o votes.csv",
        "learn votes.csv --gold truth --all -o structure.json",
        "sample votes.csv --gold truth -n 40 -o asked.csv",
    ] {
        let run = folder.run(words);
        assert!(run.starts_with("exit code 0\n"), "{run}");
    }
    let answered =
        folder.read("asked.csv").lines().skip(1).fold("item,answer\n".to_string(), |text, line| {
            let item = line.split(',').next().unwrap();
            let row =
                folder.read("votes.csv").lines().nth(item.parse::<usize>().unwrap() + 1).unwrap().to_string();
            text + &format!("{item},{}\n", row.rsplit(',').next().unwrap())
        });
    folder.write("answers.csv", answered);
    let run = folder
        .run("fit votes.csv --gold truth --structure structure.json --answers answers.csv -o model.json");
    assert!(run.starts_with("exit code 0\n"), "{run}");
    for kind in ["structure", "model"] {
        let (mut known, mut written) = (BTreeSet::new(), BTreeSet::new());
        let newest = fs::read_to_string(files(kind).last().unwrap()).unwrap();
        keys(&serde_json::from_str(&newest).unwrap(), "", &mut known);
        keys(&serde_json::from_slice(&folder.bytes(&format!("{kind}.json"))).unwrap(), "", &mut written);
        let new: Vec<&String> = written.difference(&known).collect();
        assert!(new.is_empty(), "{kind}.json has new keys {new:?}: add a file with them to the formats");
    }
}
