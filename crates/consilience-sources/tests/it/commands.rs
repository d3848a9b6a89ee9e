//! Programs that answer, hang, die or talk nonsense.
#![cfg(unix)]

use std::time::{Duration, Instant};

use consilience_sources::{ApplyOptions, OnFault, Summary};

use crate::folder::Folder;

/// A source that runs this shell script.
fn folder(script: &str, more: &str, data: &str) -> Folder {
    let folder =
        Folder::with(&format!("[[source]]\nname = 'judge'\ncommand = ['sh', 'judge.sh']\n{more}"), data);
    folder.write("judge.sh", script);
    folder
}

fn options(folder: &Folder, on_fault: OnFault) -> ApplyOptions {
    ApplyOptions {
        allow_commands: true,
        cache: Some(folder.path("cache")),
        on_fault,
        ..ApplyOptions::default()
    }
}

fn run(folder: &Folder, on_fault: OnFault) -> Result<(Vec<u16>, Summary), String> {
    folder.apply(&["data.csv"], options(folder, on_fault)).map_err(|error| error.to_string())
}

const DATA: &str = "text\nfree\nhello\nfree\n\nodd\n";

/// Answers by the text, and notes each item it is asked about.
const JUDGE: &str = "while read line; do echo \"$line\" >> asked; case $line in\n\
    *free*) echo '{\"vote\": \"spam\"}';; *odd*) echo null;; *) echo ham;; esac; done\n";

#[test]
fn each_item_is_asked_about_once() {
    let data = "id,text\n1,free\n2,hello\n3,free\n4,\n5,odd\n";
    let folder = folder(JUDGE, "batch = 2\n", data);
    for _ in 0..2 {
        assert_eq!(run(&folder, OnFault::Stop).unwrap().0, [2, 1, 2, 0, 0]);
        let asked = std::fs::read_to_string(folder.path("asked")).unwrap();
        assert_eq!(asked, "{\"text\":\"free\"}\n{\"text\":\"hello\"}\n{\"text\":\"odd\"}\n");
    }
}

#[test]
fn another_version_asks_again() {
    let folder = folder(JUDGE, "", DATA);
    run(&folder, OnFault::Stop).unwrap();
    let text = std::fs::read_to_string(folder.path("sources.toml")).unwrap();
    folder.write("sources.toml", &format!("{text}version = '2'\n"));
    run(&folder, OnFault::Stop).unwrap();
    assert_eq!(std::fs::read_to_string(folder.path("asked")).unwrap().lines().count(), 6);
}

#[test]
fn a_program_that_hangs_is_ended() {
    let folder = folder("sleep 100 & sleep 100\n", "timeout = 0.3\nretries = 1\n", DATA);
    let start = Instant::now();
    let error = run(&folder, OnFault::Stop).unwrap_err();
    assert!(
        error.starts_with("source \"judge\" failed on row 1: the program took longer than 0.3 s"),
        "{error}"
    );
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_program_that_dies_says_why() {
    let folder = folder("echo no key >&2; exit 3\n", "retries = 0\n", DATA);
    let error = run(&folder, OnFault::Stop).unwrap_err();
    assert!(error.contains("the program ended with exit status: 3; it said: no key"), "{error}");
}

#[test]
fn a_program_that_recovers_is_tried_again() {
    let script = format!("if mkdir once 2>/dev/null; then exit 1; fi\n{JUDGE}");
    let folder = folder(&script, "", DATA);
    assert_eq!(run(&folder, OnFault::Stop).unwrap().0.first(), Some(&2));
}

#[test]
fn too_few_lines_are_not_an_answer() {
    let folder = folder("echo ham\n", "retries = 0\n", DATA);
    let error = run(&folder, OnFault::Stop).unwrap_err();
    assert!(error.contains("the program answered 3 items with 1 line;"), "{error}");
}

#[test]
fn nonsense_costs_one_vote() {
    let script = "while read line; do case $line in *free*) echo eggs;; *) echo ham;; esac; done\n";
    let folder = folder(script, "", DATA);
    let error = run(&folder, OnFault::Stop).unwrap_err();
    assert!(error.contains("the program answered \"eggs\"; expected one of ham, spam, or null"), "{error}");
    let (votes, summary) = run(&folder, OnFault::Abstain).unwrap();
    assert_eq!(votes, [0, 1, 0, 0, 1]);
    assert_eq!(summary.sources[0].faults, 2);
}

#[test]
fn a_broken_program_is_given_up() {
    let folder = folder("exit 1\n", "retries = 0\nbatch = 1\n", DATA);
    let error = run(&folder, OnFault::Abstain).unwrap_err();
    assert!(error.contains("failed on 3 batches in a row, so it is not run again"), "{error}");
}

/// Threads that need the answer to the same item wait for one of them.
#[test]
fn no_thread_asks_what_another_one_has_asked() {
    let rows: Vec<String> = (0..20_000).map(|i| format!("text {}", i % 50)).collect();
    let script = "while read line; do echo \"$line\" >> asked; echo ham; done\n";
    let folder = folder(script, "", &format!("text\n{}\n", rows.join("\n")));
    let threads = ApplyOptions { threads: 4, ..options(&folder, OnFault::Stop) };
    let (votes, _) = folder.apply(&["data.csv"], threads).unwrap();
    assert_eq!(votes, vec![1; 20_000]);
    assert_eq!(std::fs::read_to_string(folder.path("asked")).unwrap().lines().count(), 50);
}

/// Whether the program is given up does not depend on threads.
#[test]
fn batches_that_fail_far_apart_cost_their_votes_only() {
    let bad = |i: usize| i % 8192 < 2;
    let rows: Vec<String> =
        (0..20_000).map(|i| format!("{} {i}", if bad(i) { "bad" } else { "fine" })).collect();
    let script = "awk '/bad/{exit 1} {print \"ham\"}'\n";
    let folder = folder(script, "retries = 0\nbatch = 1000\n", &format!("text\n{}\n", rows.join("\n")));
    for threads in [1, 4] {
        let options = ApplyOptions { threads, cache: None, ..options(&folder, OnFault::Abstain) };
        let (votes, summary) = folder.apply(&["data.csv"], options).unwrap();
        assert_eq!(votes.iter().filter(|vote| **vote == 0).count(), 3000, "{threads} threads");
        assert_eq!(summary.sources[0].faults, 3000);
    }
}

#[test]
fn the_same_command_in_another_folder_is_another_program() {
    let cache = tempfile::tempdir().unwrap();
    for (script, vote) in
        [("while read line; do echo ham; done\n", 1), ("while read line; do echo spam; done\n", 2)]
    {
        let folder = folder(script, "", "text\nfree\n");
        let options = ApplyOptions { cache: Some(cache.path().into()), ..options(&folder, OnFault::Stop) };
        assert_eq!(folder.apply(&["data.csv"], options).unwrap().0, [vote]);
    }
}

#[test]
fn classes_that_look_like_json_are_answers() {
    let folder = folder("while read line; do echo true; done\n", "", "text\nfree\n");
    let text = std::fs::read_to_string(folder.path("sources.toml")).unwrap();
    folder.write("sources.toml", &text.replace("['ham', 'spam']", "['false', 'true']"));
    assert_eq!(run(&folder, OnFault::Stop).unwrap().0, [2]);
}

/// An answer that was a class when it was given.
#[test]
fn answers_that_are_no_class_any_more_are_asked_for_again() {
    let folder = folder("while read line; do echo spam; done\n", "", "text\nfree\n");
    assert_eq!(run(&folder, OnFault::Stop).unwrap().0, [2]);
    folder.write("judge.sh", "while read line; do echo junk; done\n");
    let text = std::fs::read_to_string(folder.path("sources.toml")).unwrap();
    folder.write("sources.toml", &text.replace("['ham', 'spam']", "['ham', 'junk']"));
    assert_eq!(run(&folder, OnFault::Stop).unwrap().0, [2]);
}

#[test]
fn a_flood_is_not_an_answer() {
    let folder = folder("yes ham | head -c 20000000; cat > /dev/null\n", "retries = 0\ntimeout = 20\n", DATA);
    let error = run(&folder, OnFault::Stop).unwrap_err();
    assert!(error.contains("the program answered more than"), "{error}");
}

#[test]
fn a_missing_program_is_named() {
    let folder = Folder::with("[[source]]\nname = 'judge'\ncommand = ['/no/such/program']\n", DATA);
    let error = run(&folder, OnFault::Abstain).unwrap_err();
    assert!(error.contains("the program \"/no/such/program\" cannot be started"), "{error}");
}
