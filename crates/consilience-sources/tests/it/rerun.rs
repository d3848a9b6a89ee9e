//! Sources that are rerun because they changed: the votes are those of a run from scratch.

use std::sync::atomic::{AtomicUsize, Ordering};

use consilience::votes::Votes;
use consilience_sources::{ApplyOptions, Data, OnFault, Origins, Rerun, rerun};

use crate::folder::Folder;

const SOURCES: &str = "\
[[source]]\nname = 'words'\nvote = 'spam'\nkeywords = ['free']\n\
[[source]]\nname = 'short'\nvote = 'ham'\nsql = 'length(text) < 10'\n\
[[source]]\nname = 'list'\nvote = 'spam'\nkeywords_file = 'words.txt'\n\
[[source]]\nname = 'both'\nvote = 'spam'\nall = ['words', 'list']\n";

const DATA: &str = "text\nfree money\nhello\nmoney for free\nmeeting at ten\nwin\n";

fn folder() -> Folder {
    let folder = Folder::with(SOURCES, DATA);
    folder.write("words.txt", "money\nwin\n");
    folder
}

fn again(folder: &Folder, last: Option<(&Votes, &Origins)>, most: usize) -> Rerun {
    let data = Data::find(&[folder.path("data.csv")], None).unwrap();
    rerun(&folder.file(), &data, last, most, ApplyOptions::default(), &|_| true).unwrap().unwrap()
}

fn rows(votes: &Votes) -> Vec<Vec<u16>> {
    let row = |i| {
        let mut row = vec![0; votes.sources().len()];
        votes.row_of_item(i).for_each(|(source, vote)| row[source] = vote);
        row
    };
    (0..votes.items()).map(row).collect()
}

fn check(folder: &Folder, last: &Rerun, expected: &[&str]) -> Rerun {
    let now = again(folder, Some((&last.votes, &last.origins)), usize::MAX);
    let scratch = again(folder, None, usize::MAX);
    assert_eq!(now.ran.keys().map(String::as_str).collect::<Vec<_>>(), expected);
    assert_eq!(now.votes.sources().names(), scratch.votes.sources().names());
    assert_eq!(rows(&now.votes), rows(&scratch.votes));
    assert_eq!(rows(&now.votes).concat(), folder.votes());
    assert_eq!(now.origins, scratch.origins);
    now
}

#[test]
fn only_what_changed_is_run() {
    let folder = folder();
    let edit = |text: String| folder.write("sources.toml", &format!("{}{text}", crate::folder::HEAD));
    let mut last = again(&folder, None, usize::MAX);
    assert_eq!(last.ran.len(), 4);
    last = check(&folder, &last, &[]);
    // A comment changes nothing.
    edit(format!("# A comment.\n{SOURCES}"));
    last = check(&folder, &last, &[]);
    // A rule, and what is made of it.
    edit(SOURCES.replace("'free'", "'hello', 'ten'"));
    last = check(&folder, &last, &["both", "words"]);
    // A new one in front, one that is gone, one with another name.
    let text = SOURCES
        .replace("'words'", "'w'")
        .replace("[[source]]\nname = 'short'\nvote = 'ham'\nsql = 'length(text) < 10'\n", "");
    edit(format!("[[source]]\nname = 'new'\nvote = 'ham'\nregex = 'h'\n{text}"));
    last = check(&folder, &last, &["both", "new", "w"]);
    // A file that a rule reads. Its time is all that is looked at.
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    folder.write("words.txt", "ten\n");
    std::fs::File::options().write(true).open(folder.path("words.txt")).unwrap().set_modified(later).unwrap();
    last = check(&folder, &last, &["both", "list"]);
    // The data.
    folder.write("data.csv", &format!("{DATA}one more\n"));
    std::fs::File::options().write(true).open(folder.path("data.csv")).unwrap().set_modified(later).unwrap();
    let data = Data::find(&[folder.path("data.csv")], None).unwrap();
    assert!(!last.origins.have_same_data(&data));
    check(&folder, &last, &["both", "list", "new", "w"]);
}

#[test]
fn no_more_items_than_wanted() {
    let folder = folder();
    let all = again(&folder, None, usize::MAX);
    let head = again(&folder, None, 2);
    assert_eq!(rows(&head.votes), rows(&all.votes)[..2]);
    folder.write("sources.toml", &format!("{}{}", crate::folder::HEAD, SOURCES.replace("'free'", "'hello'")));
    let edited = again(&folder, Some((&all.votes, &all.origins)), 2);
    assert_eq!(rows(&edited.votes), rows(&again(&folder, None, usize::MAX).votes)[..2]);
}

#[test]
fn it_can_be_ended() {
    let folder = folder();
    folder.write("data.csv", &format!("text\n{}", "free\n".repeat(100_000)));
    let data = Data::find(&[folder.path("data.csv")], None).unwrap();
    let calls = AtomicUsize::new(0);
    let stop = |_| calls.fetch_add(1, Ordering::Relaxed) < 2;
    let ended = rerun(&folder.file(), &data, None, usize::MAX, ApplyOptions::default(), &stop).unwrap();
    assert!(ended.is_none());
    assert!(calls.load(Ordering::Relaxed) < 6, "{calls:?}");
}

#[test]
fn faults_of_what_ran_are_told() {
    let source = "[[source]]\nname = 'number'\nvote = 'ham'\nsql = 'cast(text as int) > 5'\n";
    let folder = Folder::with(&format!("{SOURCES}{source}"), "text\n7\nfree\n3\nwin\n");
    folder.write("words.txt", "money\nwin\n");
    let data = Data::find(&[folder.path("data.csv")], None).unwrap();
    let options = ApplyOptions { on_fault: OnFault::Abstain, ..ApplyOptions::default() };
    let run =
        |last| rerun(&folder.file(), &data, last, usize::MAX, options.clone(), &|_| true).unwrap().unwrap();
    let first = run(None);
    let number = &first.ran["number"];
    assert_eq!((number.votes, number.faults), (1, 2));
    assert_eq!(number.first_fault.as_ref().unwrap().0, 2);
    assert_eq!((first.ran["words"].votes, first.ran["words"].faults), (1, 0));
    // Those that did not run again have nothing to tell.
    let edited = format!("{}{SOURCES}{source}", crate::folder::HEAD).replace("'free'", "'win'");
    folder.write("sources.toml", &edited);
    let second = run(Some((&first.votes, &first.origins)));
    assert_eq!(second.ran.keys().collect::<Vec<_>>(), ["both", "words"]);
}

#[test]
fn items_have_the_names_of_a_column() {
    let folder = folder();
    folder.write("named.csv", "text,id\nfree,a\nhello,\nwin,c\n");
    let data = Data::find(&[folder.path("named.csv")], None).unwrap();
    let names = data.item_names("id").unwrap();
    assert_eq!((0..names.len()).map(|i| names.name(i).to_string()).collect::<Vec<_>>(), ["a", "", "c"]);
    let error = data.item_names("name").unwrap_err().to_string();
    assert!(error.contains("there is no column \"name\"") && error.contains("text, id"), "{error}");
}
