//! Sources that are rerun because they changed: the votes are those of a run from scratch.

use std::sync::atomic::{AtomicUsize, Ordering};

use consilience::votes::Votes;
use consilience_sources::{ApplyOptions, Data, Origins, Rerun, rerun};

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
    assert_eq!(now.changed.iter().map(String::as_str).collect::<Vec<_>>(), expected);
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
    assert_eq!(last.changed.len(), 4);
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
