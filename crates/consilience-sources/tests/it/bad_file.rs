//! Everything that can be wrong with a file, all at once, with line and column.

use std::path::Path;

use consilience_sources::SourcesFile;
use insta::assert_snapshot;

use crate::folder::Folder;

/// All faults of a file, a line each.
fn faults(text: &str) -> String {
    let error = SourcesFile::parse(text, "sources.toml", Path::new(".")).unwrap_err();
    error.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The same of sources behind a head of two lines.
fn wrong(sources: &str) -> String {
    faults(&format!("classes = ['ham', 'spam']\ntext = 'text'\n{sources}"))
}

#[test]
fn heads() {
    assert_snapshot!(faults(""));
    assert_snapshot!(faults("classes = ['ham']\nclases = 1\nsource = 3\n"));
    assert_snapshot!(faults("classes = ['a', 'a', '']\n[[source]]\nname = 'x'\nvote = 'a'\nregex = 'a'\n"));
    assert_snapshot!(faults("classes = ['a', 'b'\n[[source]\nname = x\n"));
    assert_snapshot!(faults("classes = 'ham, spam'\n[source]\nname = 'x'\n"));
}

#[test]
fn sources() {
    assert_snapshot!(wrong(
        "[[source]]\nvote = 'spam'\nregex = 'a'\n\
         [[source]]\nname = 'none'\nvote = 'spam'\n\
         [[source]]\nname = 'two'\nvote = 'spam'\nregex = 'a'\nsql = 'b'\n\
         [[source]]\nname = 'class'\nvote = 'eggs'\notherwise = 'bacon'\nregex = 'a'\n\
         [[source]]\nname = 'class'\nregex = 'a'\n\
         [[source]]\nname = 'keys'\nvote = 'spam'\nregex = 'a'\nwords = true\nlowr = true\nmap = {}\n\
         [[source]]\nname = 'types'\nvote = 1\nregex = ['a']\nlower = 'yes'\n"
    ));
}

#[test]
fn rules() {
    assert_snapshot!(wrong(
        "[[source]]\nname = 'regex'\nvote = 'spam'\nregex = '(a'\n\
         [[source]]\nname = 'bomb'\nvote = 'spam'\nregex = '((a{1,1000}){1,1000}){1,1000}'\n\
         [[source]]\nname = 'behind'\nvote = 'spam'\nregex = '(?<=a'\n\
         [[source]]\nname = 'empty'\nvote = 'spam'\nkeywords = []\n\
         [[source]]\nname = 'nothing'\nvote = 'spam'\nkeywords = ['a', '']\n\
         [[source]]\nname = 'sql'\nvote = 'spam'\nsql = ' '\n"
    ));
}

#[test]
fn lookups_columns_and_commands() {
    assert_snapshot!(wrong(
        "[[source]]\nname = 'up'\nvote = 'spam'\nlookup = { file = '../secret.csv', keys = ['a'] }\n\
         [[source]]\nname = 'root'\nvote = 'spam'\nkeywords_file = '/etc/passwd'\n\
         [[source]]\nname = 'both'\nvote = 'spam'\nlookup = { file = 'a.csv', keys = ['a'], vote = 'b', colour = 1 }\n\
         [[source]]\nname = 'neither'\nlookup = { file = 'a.csv', keys = ['a'] }\n\
         [[source]]\nname = 'keys'\nvote = 'spam'\nlookup = { keys = [] }\n\
         [[source]]\nname = 'text'\nvote = 'spam'\nlookup = 'a.csv'\n\
         [[source]]\nname = 'column'\nvote = 'spam'\ncolumn = 'a'\nmap = { a = 'eggs' }\n\
         [[source]]\nname = 'thresholds'\ncolumn = 'a'\nthresholds = [{ at_least = 1, below = 2, vote = 'spam' }]\n\
         [[source]]\nname = 'command'\nvote = 'spam'\non = 'b'\nlower = true\ncommand = []\nbatch = 0\ntimeout = -1\n"
    ));
}

#[test]
fn compositions() {
    assert_snapshot!(wrong(
        "[[source]]\nname = 'a'\nvote = 'spam'\nall = ['b', 'r']\n\
         [[source]]\nname = 'b'\nvote = 'spam'\nany = ['c']\n\
         [[source]]\nname = 'c'\nvote = 'spam'\nnot = 'a'\n\
         [[source]]\nname = 'self'\nvote = 'spam'\nnot = 'self'\n\
         [[source]]\nname = 'typo'\nvote = 'spam'\nany = ['ruel', 'rule', 'x']\n\
         [[source]]\nname = 'rule'\nvote = 'spam'\nregex = 'a'\n\
         [[source]]\nname = 'r'\nvote = 'spam'\nregex = 'a'\n\
         [[source]]\nname = 'none'\nvote = 'spam'\nall = []\n"
    ));
}

#[test]
fn a_text_rule_needs_a_column() {
    assert_snapshot!(faults("classes = ['a', 'b']\n[[source]]\nname = 'x'\nvote = 'a'\nregex = 'a'\n"));
}

/// What is wrong with SQL and with lists does not wait until the rest is right.
#[test]
fn all_that_is_wrong_is_listed_at_once() {
    let folder = Folder::with(
        "[[source]]\nname = 'a'\nvote = 'spam'\nregex = '(a'\n\
         [[source]]\nname = 'b'\nvote = 'spam'\nsql = 'n >'\n\
         [[source]]\nname = 'c'\nvote = 'spam'\nkeywords_file = 'none.txt'\n",
        "",
    );
    let error = consilience_sources::read_checked(&folder.path("sources.toml"), true).unwrap_err();
    let lines: Vec<usize> = error.faults.iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [6, 10, 14], "{error}");
}
