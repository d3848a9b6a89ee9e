//! What a stranger's file may not do.

use crate::folder::Folder;

const DATA: &str = "text,n\nfree,1\n";

fn refused(source: &str) -> String {
    Folder::with(&format!("[[source]]\nname = 'x'\n{source}"), DATA).error()
}

#[test]
fn programs_need_leave() {
    let folder = Folder::with("[[source]]\nname = 'x'\ncommand = ['touch', 'made']\n", DATA);
    let error = folder.error();
    assert!(error.contains("runs the program \"touch\", which must be allowed first"), "{error}");
    assert!(!folder.path("made").exists());
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out() {
    let outside = Folder::new();
    outside.write("secret.csv", "text\nfree\n");
    let folder = Folder::with(
        "[[source]]\nname = 'x'\nvote = 'spam'\nlookup = { file = 'link.csv', keys = ['text'] }\n",
        DATA,
    );
    std::os::unix::fs::symlink(outside.path("secret.csv"), folder.path("link.csv")).unwrap();
    assert!(folder.error().contains("is a link that leads out of the folder"), "{}", folder.error());
    std::fs::remove_file(folder.path("link.csv")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path("link.csv")).unwrap();
    assert!(folder.error().contains("is a link that leads out of the folder"), "{}", folder.error());
}

#[test]
fn sql_is_an_expression_over_one_row() {
    for (sql, says) in [
        ("(SELECT max(n) FROM data) > 1", "not"),
        ("n IN (SELECT 1)", "not"),
        ("EXISTS (SELECT 1)", "not"),
        ("(SELECT count(*) FROM '/etc/passwd') > 0", "not"),
        ("sum(n) > 1", "sum looks at many rows"),
        ("COUNT(*) > 1", "looks at many rows"),
        ("max(n) OVER (ORDER BY n) > 1", "max looks at many rows"),
        ("n > approx_percentile_cont(n, 0.5)", "looks at many rows"),
        ("row_number() OVER () > 1", "looks at many rows"),
        ("random() > 0.5", "gives a different result each time"),
        ("length(repeat(text, 1000000000)) > 1", "is not allowed"),
        ("n > 1; DROP TABLE data", "not an expression"),
        ("SELECT 1", "not an expression"),
        ("COPY data TO '/tmp/x'", "not an expression"),
        ("read_csv('/etc/passwd')", "read_csv"),
        ("missing > 1", "the data has no column missing; the columns are text, n"),
        ("n +", "not an expression"),
        ("n + 1", "not true or false"),
    ] {
        let quoted = sql.replace('"', "\\\"");
        let error = refused(&format!("vote = 'spam'\nsql = \"{quoted}\"\n"));
        assert!(error.starts_with("source \"x\" (line 6): ") && error.contains(says), "{sql}: {error}");
    }
}

#[test]
fn deep_sql_is_refused_and_never_a_crash() {
    let deep = format!("{}n{} > 1", "(".repeat(3000), ")".repeat(3000));
    assert!(refused_or_not(&deep).unwrap_err().contains("not an expression"));
    let long = vec!["n=1"; 1400].join(" OR ");
    assert!(refused_or_not(&long).unwrap_err().contains("nested more than 200 deep"));
    let longer = vec!["n = 1"; 5000].join(" OR ");
    assert!(refused_or_not(&longer).unwrap_err().contains("has more than 10000 bytes"));
    let many = format!("{}n > 1", "NOT ".repeat(2000));
    assert!(refused_or_not(&many).unwrap_err().contains("the SQL is"));
    let fine = vec!["n = 1"; 150].join(" OR ");
    assert_eq!(refused_or_not(&fine).unwrap(), [2]);
}

#[test]
fn sql_makes_no_huge_texts() {
    let nested = |times: usize, call: &str, rest: &str| {
        format!("length({}text{}) > 3", format!("{call}(").repeat(times), rest.repeat(times))
    };
    let longer = "more than 1000 times as long";
    let literal = (0..4).fold("'a'".to_string(), |inner, _| format!("replace({inner}, 'a', 'aaaaaaaaaa')"));
    for (sql, says) in [
        (nested(4, "replace", ", 'a', 'aaaaaaaaaa')"), longer),
        (nested(1, "replace", &format!(", 'a', '{}')", "b".repeat(2000))), longer),
        (nested(8, "replace", ", '', 'aaa')"), longer),
        (nested(11, "regexp_replace", ", 'x*', '-', 'g')"), longer),
        (nested(11, "encode", ", 'hex')"), longer),
        (nested(4, "concat_ws", ", text, text, text, text, text)"), longer),
        (format!("length({literal}) > 1"), longer),
        ("length(replace(text, 'e', text)) > 3".to_string(), "write out the replacement of replace"),
        (
            "length(regexp_replace(text, 'e', text)) > 3".to_string(),
            "write out the replacement of regexp_replace",
        ),
    ] {
        let error = refused(&format!("vote = 'spam'\nsql = \"{sql}\"\n"));
        assert!(error.starts_with("source \"x\" (line 6): ") && error.contains(says), "{sql}: {error}");
    }
    for sql in [
        "replace(replace(lower(text), ' ', ''), 'e', 'x') = 'frxx'",
        "regexp_replace(text, 'e+', '-', 'g') = 'fr-'",
        "replace(text, 'ee', 'oooo') || 'x' = 'froooox'",
        "concat_ws(' ', text, text, 'a') = 'free free a'",
        "CASE WHEN n = 1 THEN concat(text, '!') ELSE text END = 'free!'",
    ] {
        let source = format!("[[source]]\nname = 'x'\nvote = 'spam'\nsql = \"{sql}\"\n");
        assert_eq!(Folder::with(&source, DATA).votes(), [2], "{sql}");
    }
}

fn refused_or_not(sql: &str) -> Result<Vec<u16>, String> {
    let folder = Folder::with(&format!("[[source]]\nname = 'x'\nvote = 'spam'\nsql = '{sql}'\n"), DATA);
    folder
        .apply(&["data.csv"], consilience_sources::ApplyOptions::default())
        .map(|found| found.0)
        .map_err(|error| error.to_string())
}

#[test]
fn dictionaries_with_many_duplicates() {
    let folder = Folder::with(
        "[[source]]\nname = 'x'\nlookup = { file = 'd.csv', keys = ['text'], vote = 'class' }\n",
        DATA,
    );
    let same = "free,spam\n".repeat(1_000_000);
    folder.write("d.csv", &format!("text,class\n{same}"));
    assert_eq!(folder.votes(), [2]);
    folder.write("d.csv", &format!("text,class\n{same}free,ham\n"));
    let error = folder.error();
    assert!(
        error.contains("d.csv, row 1000001: the key \"free\" appears twice with different votes"),
        "{error}"
    );
    folder.write("d.csv", "text,class\nfree,eggs\n");
    assert!(
        folder.error().contains("d.csv, row 1, column class: \"eggs\" is not a class"),
        "{}",
        folder.error()
    );
    folder.write("d.csv", "word,class\nfree,spam\n");
    assert!(folder.error().contains("text"), "{}", folder.error());
}

#[test]
fn missing_columns_are_named() {
    let error = refused("vote = 'spam'\nregex = 'a'\non = 'body'\n");
    assert!(error.contains("has no column \"body\"; its columns are text, n"), "{error}");
}
