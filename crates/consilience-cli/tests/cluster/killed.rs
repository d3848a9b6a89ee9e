//! Processes of a cluster that end in the middle of their work.

use std::fs;
use std::time::Duration;

use crate::data::{batch, parquet};
use crate::processes::{Cluster, Run, succeed, wait};

/// One slow source: an expression with a back-reference, which is searched from every place of a long text.
const SLOW: &str = r#"classes = ["ham", "spam"]
text = "body"

[[source]]
name = "echo"
vote = "spam"
regex = '(\w+) (\w+) (\w+) .* \3 .* \2 \1 \1 \1'

[[source]]
name = "short"
vote = "ham"
sql = "length(body) < 30"
"#;

const PARTS: usize = 8;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("slow.toml"), SLOW).unwrap();
    for part in 0..PARTS {
        let path = folder.path().join(format!("mails/{part}.parquet"));
        parquet(&path, &batch(part * ROWS, ROWS), ROWS);
    }
    folder
}

const ROWS: usize = 10_000;

/// Starts a run and waits until both executors, which have one core each, work on a task of it.
fn in_the_middle(cluster: &Cluster, folder: &std::path::Path, args: &[&str]) -> Run {
    let mut run = Run::start(folder, args);
    let running = || cluster.tasks().iter().filter(|state| *state == "Running").count();
    wait(|| running() == 2, "both executors to work");
    assert!(run.is_running());
    run
}

/// Stops both executors where each has a task that has begun and cannot end.
fn freeze_at_work(cluster: &Cluster) {
    let freeze = |frozen: bool| cluster.executors.iter().for_each(|executor| executor.freeze(frozen));
    let both_work = || {
        freeze(true);
        // What they have said already arrives.
        std::thread::sleep(Duration::from_millis(200));
        let running = cluster.tasks().iter().filter(|state| *state == "Running").count();
        if running != 2 {
            freeze(false);
        }
        running == 2
    };
    wait(both_work, "both executors to be in the middle of a task");
}

#[test]
fn an_executor_that_is_killed_in_the_middle_of_a_task() {
    let folder = folder();
    let root = folder.path();
    for args in [
        &["apply", "slow.toml", "mails"][..],
        &["apply", "slow.toml", "mails", "--patterns"],
        &["label", "--sources", "slow.toml", "mails"],
    ] {
        let alone = succeed(root, args);
        let mut cluster = Cluster::start(2);
        let address = cluster.address.clone();
        let run =
            in_the_middle(&cluster, root, &[args, &["--cluster", &address, "-o", "there.csv"]].concat());
        freeze_at_work(&cluster);
        cluster.executors[0].kill();
        cluster.executors[1].freeze(false);
        let ended = run.end();
        assert_eq!(ended.code, Some(0), "{args:?}: {}", ended.stderr);
        assert!(fs::read(root.join("there.csv")).unwrap() == alone.stdout, "{args:?} differs");
        fs::remove_file(root.join("there.csv")).unwrap();
    }
}

#[test]
fn a_cluster_that_goes_away_in_the_middle() {
    let folder = folder();
    let root = folder.path();
    let args = |address: &str| {
        ["apply", "slow.toml", "mails", "--cluster-wait", "4", "--cluster", address, "-o", "out.csv"]
            .map(ToString::to_string)
    };
    let end = |mut cluster: Cluster, all: bool| {
        let args = args(&cluster.address);
        let run = in_the_middle(&cluster, root, &args.each_ref().map(String::as_str));
        if all {
            cluster.scheduler.kill();
        } else {
            cluster.executors.iter_mut().for_each(crate::processes::Process::kill);
        }
        let ended = run.end();
        assert_eq!(ended.code, Some(1), "{}", ended.stderr);
        assert!(ended.stderr.contains(&cluster.address), "{}", ended.stderr);
        assert!(ended.stderr.starts_with("error: ") && ended.stderr.lines().count() == 1, "{}", ended.stderr);
        assert!(!root.join("out.csv").exists());
        ended.stderr
    };
    let said = end(Cluster::start(2), true);
    assert!(said.contains("the connection was lost"), "{said}");
    let said = end(Cluster::start(2), false);
    assert!(said.contains("executors") || said.contains("xecutor"), "{said}");
}
