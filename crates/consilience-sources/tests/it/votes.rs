//! What each kind votes.

use std::fmt::Write as _;

use consilience_sources::ApplyOptions;

use crate::folder::{Folder, tolerant};

const DATA: &str = "id,text,score,title\n\
    1,Free MONEY now,0.9,win\n\
    2,see you soon,0.1,\n\
    3,,0.5,hello\n\
    4,freedom is not money,,free\n";

/// The votes of one source on the four items.
fn one(source: &str) -> Vec<u16> {
    Folder::with(&format!("[[source]]\nname = 'x'\n{source}"), DATA).votes()
}

#[test]
fn keywords() {
    assert_eq!(one("vote = 'spam'\nkeywords = ['free', 'money']"), [0, 0, 0, 2]);
    assert_eq!(one("vote = 'spam'\nkeywords = ['free', 'money']\nlower = true"), [2, 0, 0, 2]);
    assert_eq!(one("vote = 'spam'\nkeywords = ['FREE']\nlower = true\nwords = true"), [2, 0, 0, 0]);
    assert_eq!(one("vote = 'spam'\nkeywords = ['free']\non = 'title'"), [0, 0, 0, 2]);
}

#[test]
fn keywords_of_a_file() {
    let folder =
        Folder::with("[[source]]\nname = 'x'\nvote = 'spam'\nkeywords_file = 'lists/words.txt'\n", DATA);
    folder.write("lists/words.txt", "soon\r\n\n  \nmoney\n");
    assert_eq!(folder.votes(), [0, 2, 0, 2]);
}

#[test]
fn regular_expressions() {
    assert_eq!(one("vote = 'spam'\nregex = 'free (?!dom)'\nlower = true"), [2, 0, 0, 0]);
    assert_eq!(one("vote = 'spam'\nregex = 'FREE'\nignore_case = true"), [2, 0, 0, 2]);
    assert_eq!(
        one(r"vote = 'spam'
regex = '^\w+ \w+ \w+$'"),
        [2, 2, 0, 0]
    );
}

#[test]
fn otherwise_needs_a_text() {
    assert_eq!(one("vote = 'spam'\nkeywords = ['free']\notherwise = 'ham'"), [1, 1, 0, 2]);
}

#[test]
fn sql() {
    assert_eq!(one("vote = 'spam'\nsql = 'score > 0.4'"), [2, 0, 2, 0]);
    assert_eq!(one("vote = 'spam'\notherwise = 'ham'\nsql = 'score > 0.4'"), [2, 1, 2, 0]);
    assert_eq!(one("vote = 'spam'\nsql = 'LENGTH(text) < 14 AND id >= 2'"), [0, 2, 0, 0]);
    assert_eq!(one("vote = 'spam'\nsql = 'text IS NULL'"), [0, 0, 2, 0]);
    assert_eq!(one("vote = 'spam'\nsql = \"coalesce(text, 'none') = 'none'\""), [0, 0, 2, 0]);
    assert_eq!(
        one(r#"sql = "CASE WHEN score > 0.8 THEN 'spam' WHEN score < 0.2 THEN 'ham' END""#),
        [2, 1, 0, 0]
    );
    assert_eq!(one("otherwise = 'ham'\nsql = \"CASE WHEN score > 0.8 THEN 'spam' END\""), [2, 1, 1, 1]);
}

#[test]
fn lookups() {
    let folder = Folder::with(
        "[[source]]\nname = 'by_class'\nlookup = { file = 'd.csv', keys = { title = 'word' }, vote = 'class' }\nlower = true\n\
         [[source]]\nname = 'in_it'\nvote = 'spam'\notherwise = 'ham'\nlookup = { file = 'e.csv', keys = ['id', 'title'] }\n",
        DATA,
    );
    folder.write("d.csv", "word,class\nWIN,spam\nhello,ham\nwin,spam\n");
    folder.write("e.csv", "title,id\nwin,1\nhello,9\n");
    assert_eq!(folder.votes(), [2, 2, 0, 0, 1, 1, 0, 1]);
}

#[test]
fn columns() {
    let thresholds =
        "column = 'score'\nthresholds = [{ at_least = 0.9, vote = 'spam' }, { below = 0.5, vote = 'ham' }]";
    assert_eq!(one(thresholds), [2, 1, 0, 0]);
    assert_eq!(one("column = 'title'\nmap = { win = 'spam', hello = 'ham' }"), [2, 0, 1, 0]);
}

#[test]
fn compositions() {
    let sources = "[[source]]\nname = 'both'\nvote = 'spam'\nall = ['free', 'money']\n\
        [[source]]\nname = 'free'\nvote = 'spam'\notherwise = 'ham'\nkeywords = ['free']\nlower = true\n\
        [[source]]\nname = 'money'\nvote = 'spam'\nkeywords = ['money']\n\
        [[source]]\nname = 'one'\nvote = 'spam'\nany = ['free', 'money']\n\
        [[source]]\nname = 'neither'\nvote = 'ham'\nnot = 'one'\n";
    let votes = Folder::with(sources, DATA).votes();
    let rows: Vec<&[u16]> = votes.chunks(5).collect();
    assert_eq!(rows, [[0, 2, 0, 2, 0], [0, 1, 0, 0, 1], [0, 0, 0, 0, 0], [2, 2, 2, 2, 0]]);
}

/// A failing row costs one vote of one source, and what is made of that source.
#[test]
fn faults_are_counted_per_source() {
    let sources = "[[source]]\nname = 'sqrt'\nvote = 'spam'\nsql = '10 / (id - 2) > 4'\n\
        [[source]]\nname = 'not'\nvote = 'ham'\nnot = 'sqrt'\n\
        [[source]]\nname = 'word'\nvote = 'spam'\nkeywords = ['soon']\n";
    let folder = Folder::with(sources, DATA);
    let (votes, summary) = folder.apply(&["data.csv"], tolerant()).unwrap();
    assert_eq!(votes.chunks(3).collect::<Vec<_>>(), [[0, 1, 0], [0, 0, 2], [2, 0, 0], [2, 0, 0]]);
    let faults: Vec<u64> = summary.sources.iter().map(|source| source.faults).collect();
    assert_eq!(faults, [1, 1, 0]);
    assert_eq!(summary.sources[0].first_fault.as_ref().unwrap().0, 2);
    let error = folder.apply(&["data.csv"], ApplyOptions::default()).unwrap_err().to_string();
    assert!(error.starts_with("source \"sqrt\" failed on row 2: "), "{error}");
}

/// The first rows say that a column has numbers; a later cell that is not one is a fault of the source that reads it.
#[test]
fn a_late_word_among_numbers_is_a_fault() {
    let mut data = "n,text\n".to_string();
    for i in 0..10_050 {
        let _ = writeln!(data, "{i},t");
    }
    data.push_str("many,t\n");
    let folder = Folder::with("[[source]]\nname = 'x'\nvote = 'spam'\nsql = 'n < 3'\n", &data);
    let (votes, summary) = folder.apply(&["data.csv"], tolerant()).unwrap();
    assert_eq!(votes.iter().filter(|vote| **vote == 2).count(), 3);
    assert_eq!((summary.rows, summary.sources[0].faults), (10_051, 1));
    assert_eq!(summary.sources[0].first_fault.as_ref().unwrap().0, 10_051);
}

/// Items come in their order whatever the number of threads, and each is judged as a loop over the rows would.
#[test]
fn threads_change_nothing() {
    let words = ["free", "Money", "soon", "you", "win", "x1", "freedom"];
    let mut data = "id,text\n".to_string();
    let mut expected = Vec::new();
    for i in 0..40_000usize {
        let text: Vec<&str> =
            (0..i % 6).map(|k| words[(i * 31 + k * k * 17 + i / 7) % words.len()]).collect();
        let text = text.join(" ");
        let _ = writeln!(data, "{i},{text}");
        let lowered = text.to_lowercase();
        let vote = |holds: bool, class: u16| if holds { class } else { 0 };
        let there = !text.is_empty();
        expected.push(vote(there && (lowered.contains("free") || lowered.contains("win")), 2));
        expected.push(vote(there && lowered.split(' ').any(|word| word == "free"), 2));
        expected.push(vote(there && text.contains("Money soon"), 1));
        expected.push(vote(there && text.chars().count() < 12, 1));
    }
    let sources = "[[source]]\nname = 'a'\nvote = 'spam'\nkeywords = ['free', 'win']\nlower = true\n\
        [[source]]\nname = 'b'\nvote = 'spam'\nkeywords = ['free']\nlower = true\nwords = true\n\
        [[source]]\nname = 'c'\nvote = 'ham'\nregex = 'Money\\s+soon'\n\
        [[source]]\nname = 'd'\nvote = 'ham'\nsql = 'length(text) < 12'\n";
    let folder = Folder::with(sources, &data);
    for threads in [1, 2, 5] {
        let options = ApplyOptions { threads, ..ApplyOptions::default() };
        let (votes, _) = folder.apply(&["data.csv"], options).unwrap();
        assert!(votes == expected, "{threads} threads");
    }
}
