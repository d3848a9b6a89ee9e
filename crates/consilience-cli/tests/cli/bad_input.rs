//! Something is wrong with a table: exit code 1, one line that says what, where and what to do, nothing written.

use std::fs;

use insta::assert_snapshot;

use crate::folder::Folder;

/// The one line on standard error when `analyze` and `label` both refuse the file `name`.
fn refused(folder: &Folder, name: &str, flags: &str) -> String {
    let before = folder.list();
    let analyzed = folder.run(&format!("analyze {name} {flags}"));
    let labelled = folder.run(&format!("label {name} --majority -o labels.csv {flags}"));
    assert_eq!(analyzed, labelled);
    assert_eq!(folder.list(), before, "something was left behind");
    let line = analyzed
        .strip_prefix("exit code 1\n--- stdout\n--- stderr\n")
        .unwrap_or_else(|| panic!("{analyzed}"));
    assert_eq!(line.lines().count(), 1, "{line}");
    line.to_string()
}

fn refused_text(text: impl AsRef<[u8]>, flags: &str) -> String {
    let folder = Folder::new();
    folder.write("votes.csv", text);
    refused(&folder, "votes.csv", flags)
}

#[test]
fn files() {
    let folder = Folder::new();
    fs::create_dir(folder.path("folder")).unwrap();
    assert_snapshot!(refused(&folder, "missing.csv", ""), @"error: missing.csv: there is no such file; check the path");
    assert_snapshot!(refused(&folder, "folder", ""), @"error: folder: this is a directory; name a file of votes");
    assert_snapshot!(refused_text("", ""), @"error: votes.csv: the input is empty; a header and at least one row of votes are needed");
    assert_snapshot!(refused_text("a,b\n", ""), @"error: votes.csv: there is a header but no row; at least one row of votes is needed");
}

#[cfg(unix)]
#[test]
fn no_permission() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::with_votes("a,b\n1,0\n");
    fs::set_permissions(folder.path("votes.csv"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(folder.path("votes.csv")).is_ok() {
        return consilience_testing::skip("no_permission", "this user (root?) may read every file");
    }
    assert_snapshot!(
        refused(&folder, "votes.csv", ""),
        @"error: votes.csv: no permission to read it; check the owner and mode of the file and its folders"
    );
}

#[test]
fn rows() {
    assert_snapshot!(refused_text("a,b\n1,0\n1\n", ""), @"error: votes.csv, line 3: the row has 1 cell, but the header has 2; add or remove separators, or quote cells that contain one");
    assert_snapshot!(refused_text("a,b\n1,0\n1,0,1\n", ""), @"error: votes.csv, line 3: the row has 3 cells, but the header has 2; add or remove separators, or quote cells that contain one");
    assert_snapshot!(refused_text(b"a,b\n1,0\nj\xe4,nein\n", ""), @r#"error: votes.csv, line 3, column "a": the text is not UTF-8; save the file as UTF-8"#);
    assert_snapshot!(refused_text(b"a,b\xff\n1,0\n", ""), @"error: votes.csv, line 1: the text is not UTF-8; save the file as UTF-8");
}

#[test]
fn columns() {
    assert_snapshot!(refused_text("a,b,a\n1,0,1\n", ""), @r#"error: votes.csv, line 1: duplicate source name "a" (positions 1 and 3); rename one of them"#);
    assert_snapshot!(refused_text("a,b\n1,0\n", "--item id"), @r#"error: votes.csv, line 1: column "id" does not exist (needed for the items; did you mean "a"?); the columns are "a", "b""#);
    assert_snapshot!(refused_text("a,gold\n1,0\n", "--gold gld"), @r#"error: votes.csv, line 1: column "gld" does not exist (needed for gold; did you mean "gold"?); the columns are "a", "gold""#);
    assert_snapshot!(refused_text("a,b\n1,0\n", "--ignore a,b"), @"error: votes.csv, line 1: no source columns remain besides the item, gold and ignored columns; one column per source is needed");
    assert_snapshot!(refused_text("a,b\n1,0\n", "--item a --gold a"), @r#"error: votes.csv, line 1, column "a": the column is used for both the items and gold; choose one of them"#);
    assert_snapshot!(refused_text("a,b\n1,0\n", "--long"), @r#"error: votes.csv, line 1: a long table needs the columns item, source and vote (or task, worker, label), but "item", "source", "vote" are missing; the columns are "a", "b"; name them with --columns item=COL,source=COL,vote=COL"#);
}

#[test]
fn classes() {
    assert_snapshot!(refused_text("a,b\n1,1\n1,\n", ""), @r#"error: votes.csv: the only class is "1", but labels need at least two classes; name all of them; use --classes a,b"#);
    assert_snapshot!(refused_text("a,b\n,\n,-1\n", ""), @"error: votes.csv: no source votes for any class, but labels need at least two classes; name all of them; use --classes a,b");
    assert_snapshot!(refused_text("a,b\nspam,ham\nspam,eggs\n", "--classes ham,spam"), @r#"error: votes.csv, line 3, column "b": the vote "eggs" is not a class; the classes are "ham", "spam". Correct the vote, or add it to the classes"#);
}

#[test]
fn numbers_that_are_no_class() {
    for (vote, spelled) in [("-2", "-2"), ("1e308", "1e308"), ("0.5", "0.5"), ("inf", "inf")] {
        let line = refused_text(format!("a,b\n1,0\n1,{vote}\n"), "");
        assert_eq!(
            line,
            format!(
                "error: votes.csv, line 3, column \"b\": the vote \"{spelled}\" is not a class: a number must be whole and \
                 not negative; leave the cell empty (or write -1) to abstain; use --ignore if the column is not a source\n"
            )
        );
    }
}

#[test]
fn files_cut_short() {
    let folder = Folder::new();
    for name in ["votes.parquet", "votes.arrow", "votes.csv.gz", "votes.jsonl.zst"] {
        folder.run(&format!("simulate --sources 5 --items 500 -o {name}"));
        let whole = folder.bytes(name);
        folder.write(name, &whole[..whole.len() / 2]);
    }
    assert_snapshot!(refused(&folder, "votes.parquet", ""), @"error: votes.parquet: the Parquet data is truncated or damaged (Parquet error: Invalid Parquet file. Corrupt footer); copy or export the file again");
    assert_snapshot!(refused(&folder, "votes.arrow", ""), @"error: votes.arrow: the Arrow data is truncated or damaged (its end is missing); copy or export the file again");
    assert_snapshot!(refused(&folder, "votes.csv.gz", ""), @"error: votes.csv.gz: the gz data is truncated or damaged (incomplete deflate stream); copy or export the file again");
    assert_snapshot!(refused(&folder, "votes.jsonl.zst", ""), @"error: votes.jsonl.zst: the zst data is truncated or damaged (incomplete frame); copy or export the file again");
}

#[test]
fn other_files() {
    assert_snapshot!(refused_text(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", ""), @"error: votes.csv: this is not text, Parquet or Arrow; export the votes as CSV, JSONL, Parquet or Arrow");
    assert_snapshot!(refused_text(b"\xff\xfea\0,\0b\0\n\0", ""), @"error: votes.csv: the text is UTF-16, not UTF-8; save the file as UTF-8");
}

#[test]
fn a_million_columns() {
    let header: Vec<String> = (0..1_000_000).map(|j| format!("c{j}")).collect();
    let line = refused_text(format!("{}\n{}\n", header.join(","), ",".repeat(999_999)), "");
    assert_snapshot!(line, @"error: votes.csv, line 1: 1000000 source names, but at most 524288 are supported; is the table transposed?");
}

#[test]
fn more_pairs_of_sources_than_can_be_compared() {
    let header: Vec<String> = (0..20_000).map(|j| format!("c{j}")).collect();
    let folder =
        Folder::with_votes(&format!("{}\n{}\n", header.join(","), ["0", "1"].repeat(10_000).join(",")));
    let run = folder.run("analyze votes.csv");
    assert!(run.starts_with("exit code 0\n") && run.contains("pairs are left out"));
}

#[test]
fn gold_files() {
    let folder = Folder::with_votes("a,b\n1,0\n0,0\n");
    folder.write("gold.csv", "gold\n1\n");
    assert_snapshot!(refused(&folder, "votes.csv", "--gold-file gold.csv"), @"error: gold.csv: the table has 2 items, but gold has 1; provide one per item, in the same order, and leave unknown ones empty");
    assert_snapshot!(refused(&folder, "votes.csv", "--gold-file missing.csv"), @"error: missing.csv: there is no such file; check the path");
    assert_snapshot!(refused(&folder, "votes.csv", "--gold-file gold.csv --gold truth"), @r#"error: gold.csv, line 1: column "truth" does not exist (needed for gold); the columns are "gold""#);
    folder.write("gold.csv", "gold\n5\n5\n");
    assert_snapshot!(refused(&folder, "votes.csv", "--gold-file gold.csv"), @r#"error: gold.csv, column "gold": the gold classes ("5") and the classes voted for ("0", "1") have nothing in common; use the same names for both"#);
}

#[test]
fn a_source_that_never_votes_is_kept_and_harmless() {
    let folder = Folder::with_votes("a,silent,b\n1,,0\n0,,0\n");
    let analyzed = folder.run("analyze votes.csv");
    assert!(
        analyzed.starts_with("exit code 0\n") && analyzed.contains("\"silent\" never votes"),
        "{analyzed}"
    );
    let with = folder.run("label votes.csv --majority --quiet");
    folder.write("votes.csv", "a,b\n1,0\n0,0\n");
    assert_eq!(with, folder.run("label votes.csv --majority --quiet"));
}
