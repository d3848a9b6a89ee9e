//! Queries for other engines: what they say, and what is refused because an engine would answer differently.

use std::ffi::OsStr;
use std::path::Path;

use consilience_sources::{Dialect, SourcesFile};

use crate::folder::{Folder, HEAD};

fn source(name: &str, rest: &str) -> String {
    format!("[[source]]\nname = '{name}'\n{rest}\n")
}

fn file(sources: &str) -> SourcesFile {
    SourcesFile::parse(&format!("{HEAD}{sources}"), "sources.toml", Path::new(".")).unwrap()
}

/// The query over a table called data, or why there is none.
fn query(sources: &str, dialect: Dialect) -> Result<String, String> {
    file(sources).pattern_sql(dialect, None, None).map_err(|error| error.to_string())
}

fn refused(sources: &str) -> String {
    query(sources, Dialect::DuckDb).unwrap_err()
}

/// The query over a file of `folder`, without its path.
fn over(folder: &Folder, name: &str, dialect: Dialect) -> Result<String, String> {
    let path = folder.path(name);
    let query = folder.file().pattern_sql(dialect, Some(path.as_os_str()), None);
    let shown = |text: String| text.replace(&path.display().to_string(), name);
    query.map(shown).map_err(|error| shown(error.to_string()))
}

#[test]
fn each_kind_of_source_in_each_dialect() {
    let sources = [
        source("rule", "vote = 'spam'\notherwise = 'ham'\nregex = '\\bfree \\d'\nlower = true"),
        source("words", "vote = 'spam'\nkeywords = [\"it's\", 'Win']\nlower = true"),
        source("long", "vote = 'ham'\nsql = 'n > 3 -- long'"),
        source("named", "otherwise = 'ham'\nsql = \"CASE WHEN \\\"a b\\\" = 'x' THEN 'spam' END\""),
        source("cells", "column = 'said'"),
        source("map", "otherwise = 'ham'\ncolumn = 'said'\nmap = { '5' = 'spam' }"),
        source("score", "column = 'score'\nthresholds = [{ at_least = inf, vote = 'spam' }, { below = 0.3, vote = 'ham' }]"),
        source("both", "vote = 'spam'\nall = ['rule', 'cells']"),
        source("none", "vote = 'ham'\nnot = 'both'"),
    ]
    .concat();
    insta::assert_snapshot!("query_duckdb", query(&sources, Dialect::DuckDb).unwrap());
    insta::assert_snapshot!("query_spark", query(&sources, Dialect::Spark).unwrap());
}

#[test]
fn cells_of_text_files_are_read_as_apply_reads_them() {
    let sources = [
        source("zeros", "vote = 'spam'\non = 'n'\nregex = '^0'"),
        source("more", "vote = 'ham'\nsql = 'n > 3'"),
    ]
    .concat();
    let folder = Folder::with(&sources, "text,n\na,1\n");
    folder.write("data.jsonl", "{\"text\":\"a\",\"n\":1}\n");
    insta::assert_snapshot!("query_csv", over(&folder, "data.csv", Dialect::DuckDb).unwrap());
    let query = over(&folder, "data.jsonl", Dialect::DuckDb).unwrap();
    assert!(query.contains("columns = {'text': 'VARCHAR', 'n': 'VARCHAR'}"), "{query}");
}

#[test]
fn a_query_grows_with_the_file() {
    let vote = "vote = 'spam'\n";
    let mut sources =
        source("a0", &format!("{vote}regex = 'a'")) + &source("b0", &format!("{vote}regex = 'b'"));
    for level in 1..=25 {
        let parts = format!("['a{0}', 'b{0}']", level - 1);
        sources += &source(&format!("a{level}"), &format!("{vote}all = {parts}"));
        sources += &source(&format!("b{level}"), &format!("{vote}any = {parts}"));
    }
    assert!(query(&sources, Dialect::DuckDb).unwrap().len() < 3 * sources.len());
    for level in 26..=120 {
        sources += &source(&format!("a{level}"), &format!("{vote}not = 'a{}'", level - 1));
    }
    assert!(refused(&sources).ends_with("too deep for a query; run apply --patterns instead"));
}

#[test]
fn sources_that_a_query_cannot_have() {
    let regex = "vote = 'spam'\nregex = 'a'";
    let lookup = "vote = 'spam'\nlookup = { file = 'names.csv', keys = ['text'] }";
    let refusals = [
        refused(&(source("A", regex) + &source("a", regex))),
        refused(&source("Count", regex)),
        refused(&source("look", "vote = 'spam'\nregex = 'a(?=b)'")),
        refused(&source("sigma", "vote = 'spam'\nkeywords = ['ΣΑΣ']\nlower = true")),
        refused(&source("names", lookup)),
        refused(&source("program", "command = ['judge']")),
    ];
    insta::assert_snapshot!(refusals.join("\n"));
}

#[test]
fn data_that_a_query_cannot_read() {
    let folder = Folder::with(&source("a", "vote = 'spam'\nregex = 'a'\non = 'Text'"), "Text,text\na,b\n");
    folder.write("data.jsonl", "{\"Text\":\"a\"}\n");
    folder.write("data.what", "Text\na\n");
    folder.write("year=2024/data.csv", "Text\na\n");
    folder.write("other.csv", "text\na\n");
    let duckdb = |name: &str| over(&folder, name, Dialect::DuckDb).unwrap_err();
    let stdin = folder.file().pattern_sql(Dialect::DuckDb, Some(OsStr::new("-")), None);
    let refusals = [
        duckdb("data.csv"),
        duckdb("data.what"),
        duckdb("year=2024"),
        duckdb("year=2024/data.csv"),
        duckdb("other.csv"),
        over(&folder, "data.jsonl", Dialect::Spark).unwrap_err(),
        stdin.unwrap_err().to_string(),
    ];
    insta::assert_snapshot!(refusals.join("\n"));
}

#[test]
fn parquet_files_may_be_elsewhere() {
    let file = file(&source("a", "vote = 'spam'\nregex = 'a'"));
    let query = |dialect, name: &str| file.pattern_sql(dialect, Some(OsStr::new(name)), None);
    let duckdb = query(Dialect::DuckDb, "s3://mails/*.parquet").unwrap();
    assert!(duckdb.contains("FROM read_parquet('s3://mails/*.parquet')"), "{duckdb}");
    assert!(query(Dialect::Spark, "mails.parquet").unwrap().contains("FROM parquet.`mails.parquet`"));
    assert!(query(Dialect::DuckDb, "mails.csv").is_err());
}
