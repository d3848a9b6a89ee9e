//! `consilience report`.

use std::fmt::Write as _;

use insta::assert_snapshot;

use crate::folder::Folder;

/// Eight sources on 300 items; `b` repeats `a` on most items, and every tenth item is answered.
fn folder() -> Folder {
    let mut votes = String::from("item,a,b,c,d,e,f,g,h,gold\n");
    let mut answers = String::from("item,answer\n");
    for i in 0u32..300 {
        let hash = |salt: u32| {
            (i.wrapping_mul(2_654_435_761) ^ salt.wrapping_mul(40_503_001)).wrapping_mul(2_246_822_519) >> 24
        };
        let truth = hash(1) < 128;
        let says = |salt: u32, right: u32| if (hash(salt) < right) == truth { "yes" } else { "no" };
        let a = says(2, 190);
        let b = if hash(7) < 210 { a } else { says(3, 190) };
        let gold = if truth { "yes" } else { "no" };
        let others = (10..16).map(|salt| says(salt, 200)).collect::<Vec<_>>().join(",");
        let _ = writeln!(votes, "x{i},{a},{b},{others},{gold}");
        if i % 10 == 0 {
            let _ = writeln!(answers, "x{i},{gold}");
        }
    }
    let folder = Folder::with_votes(&votes);
    folder.write("answers.csv", answers);
    folder
}

#[test]
fn as_markdown() {
    assert_snapshot!(folder().run("report votes.csv --format md"));
}

/// One file without a script, the same for any number of threads.
#[test]
fn as_a_page() {
    let folder = folder();
    for threads in [1, 3] {
        let run = folder.run(&format!(
            "report votes.csv --answers answers.csv -o report{threads}.html --threads {threads}"
        ));
        assert!(run.starts_with("exit code 0\n--- stdout\n--- stderr\n"), "{run}");
    }
    let page = folder.read("report1.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(!page.contains("<script") && !page.contains("http:") && !page.contains("https:"));
    for section in
        ["structure", "sources", "agreement", "confidence", "comparison", "certificate", "settings"]
    {
        assert!(page.contains(&format!("<section id=\"{section}\">")), "{section}");
    }
    assert_eq!(folder.bytes("report1.html"), folder.bytes("report3.html"));
}

#[test]
fn as_data() {
    let folder = folder();
    let run = folder.run("--quiet report votes.csv -o report.json");
    assert_eq!(run, "exit code 0\n--- stdout\n--- stderr\n");
    let report: serde_json::Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    assert_eq!(report["headline"]["items"], 300);
    assert_eq!(report["sources"][1]["flags"][0]["kind"], "repeats");
    assert_eq!(report["sources"][1]["flags"][0]["of"], "a");
    assert_eq!(report["version"], "[version]");
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = folder();
    assert_snapshot!(folder.run("report votes.csv -o report.pdf"));
    folder.write("votes.md", folder.bytes("votes.csv"));
    let run = folder.run("report votes.md -o votes.md");
    assert!(run.starts_with("exit code 1\n") && run.contains("overwrite the votes"), "{run}");
    assert_eq!(folder.bytes("votes.md"), folder.bytes("votes.csv"));
}
