//! `consilience reproduce`: one small figure as a whole, and what is refused. The figures themselves are tested where they are
//! made.

use insta::assert_snapshot;

use crate::folder::Folder;

#[test]
fn one_figure_with_its_page() {
    let folder = Folder::new();
    let run = folder.run("reproduce fig2 --quick --trials 1 --seed 3 -o out/here");
    assert!(run.starts_with("exit code 0\n--- stdout\n--- stderr\nfig2: "), "{run}");
    assert!(run.ends_with("read out/here/index.html\n"), "{run}");
    let page = folder.read("out/here/index.html");
    for part in ["<h2>Figure 2.", "src=\"fig2.svg\"", "href=\"fig2.csv\"", "</html>\n"] {
        assert!(page.contains(part), "{part}");
    }
    let names = ["fig2.csv", "fig2.svg", "fig2.png", "index.html"].map(|name| format!("out/here/{name}"));
    let before = names.clone().map(|name| folder.bytes(&name));
    let again = folder.run("reproduce fig2 --quick --trials 1 --seed 3 -o out/here --threads 1");
    assert!(again == run && before == names.map(|name| folder.bytes(&name)));
}

#[test]
fn what_cannot_be_reproduced_is_refused() {
    let folder = Folder::with_votes("a,b\n1,0\n");
    let mut said = String::new();
    for arguments in [
        "reproduce",
        "reproduce fig9 -o out",
        "reproduce fig2 -o out --trials 0",
        "reproduce fig2 -o out --trials many",
        "reproduce fig2 -o out --seed -1",
        "reproduce fig2 -o votes.csv",
        "reproduce fig2 -o out --votes votes.csv",
        "reproduce fig5 -o out --gold truth",
        "reproduce fig5 -o out --votes none.csv",
        "reproduce fig5 -o out --votes votes.csv --gold truth",
        "reproduce table1 -o out --data none",
    ] {
        let run = folder.run(arguments);
        let error = run.strip_prefix("exit code 1\n--- stdout\n--- stderr\n");
        let Some(error) = error else { panic!("{arguments}: {run}") };
        assert_eq!(error.lines().count(), 1, "{arguments}: {run}");
        said.extend(["$ consilience ", arguments, "\n", error]);
    }
    assert_eq!(folder.list(), ["votes.csv"]);
    assert_snapshot!(said);
}

#[test]
fn a_run_is_written_into_documents_and_a_table_that_needs_data_is_skipped() {
    let folder = Folder::new();
    let run = folder.run("reproduce table1 --quick -o out --docs docs");
    assert_snapshot!(run);
    let page = folder.read("docs/reproduction.md");
    assert!(page.contains("| Chemical-Disease | 45.1 | 69.2 | 54.6 |"), "{page}");
}
