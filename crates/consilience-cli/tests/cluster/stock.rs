//! Plain SQL runs on Ballista as it comes; what needs functions of ours is refused there.

use std::fs;

use crate::data;
use crate::processes::{Cluster, run};
use crate::same::same;

#[test]
fn plain_sql_needs_nothing_of_ours() {
    let folder = data::folder();
    let root = folder.path();
    let cluster = Cluster::with(2, &["--stock"]);
    let all = ["apply", "plain.toml", "mails"];
    same(root, &cluster, &all, "csv");
    same(root, &cluster, &[&all[..], &["--keep", "sender,score,year"]].concat(), "parquet");
    same(root, &cluster, &[&all[..], &["--patterns"]].concat(), "csv");
    same(root, &cluster, &["label", "--sources", "plain.toml", "mails"], "parquet");

    // What plain expressions say where they fail is what the engine says.
    let ratio =
        "classes = ['a', 'b']\n[[source]]\nname = 'ratio'\nvote = 'a'\nsql = '10 / (id - 1500) > 0'\n";
    fs::write(root.join("ratio.toml"), ratio).unwrap();
    let there = ["--cluster", &cluster.address, "-o", "votes.csv"];
    let failed = run(root, &[&["apply", "ratio.toml", "mails"], &there[..]].concat());
    assert_eq!(failed.code, Some(1));
    assert!(
        failed.stderr.contains("DivideByZero") && failed.stderr.contains(&cluster.address),
        "{}",
        failed.stderr
    );
    let refused = run(root, &[&["apply", "sources.toml", "mails"], &there[..]].concat());
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("source \"prize\" is of kind regex"), "{}", refused.stderr);
    assert!(refused.stderr.contains("consilience cluster executor"), "{}", refused.stderr);
    assert!(!root.join("votes.csv").exists());
}
