//! Pipes, full disks, signals and threads.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::folder::Folder;

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let folder = Folder::new();
    let mut seen: Option<[Vec<u8>; 4]> = None;
    for threads in [1, 2, 4] {
        let run = |words: &str| {
            let run = folder.run(&format!("{words} --threads {threads}"));
            assert!(run.starts_with("exit code 0\n"), "{run}");
        };
        run("simulate --sources 12 --items 6000 --density 0.3 --seed 9 --gold y -o v.parquet --truth t.json");
        run("analyze v.parquet --gold y --json --pairs all -o a.json");
        run("label v.parquet --gold y --majority --ties random --seed 4 -o l.csv");
        let now = ["v.parquet", "t.json", "a.json", "l.csv"].map(|name| folder.bytes(name));
        assert!(*seen.get_or_insert(now.clone()) == now, "{threads} threads give other bytes");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = Folder::new();
    for words in
        ["simulate --sources 50 --items 20000", "simulate --sources 2 --items 200000 --quiet", "--help"]
    {
        let mut command = folder.command(words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 2];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_in_one_line() {
    let folder = Folder::with_votes("a,b\n1,0\n0,0\n");
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for words in ["analyze votes.csv", "analyze votes.csv --json", "label votes.csv --majority", "--help"] {
        let output = folder.command(words).stdout(full()).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{words}: {told}");
        assert_eq!(told.lines().count(), 1, "{words}: {told}");
        assert!(told.starts_with("error: standard output: no space left on the device"), "{words}: {told}");
    }
    for words in [
        "simulate --sources 9 --items 9000 -o /dev/full",
        "simulate --sources 3 --items 9 --truth /dev/full -o v.csv",
    ] {
        let run = folder.run(words);
        assert!(run.starts_with("exit code 1\n"), "{run}");
        assert!(run.contains("--- stderr\nerror: /dev/full: no space left on the device"), "{run}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_leaves_nothing_behind() {
    let folder = Folder::new();
    let mut child = folder
        .command("simulate --sources 60 --items 600000 -o votes.csv --truth truth.json")
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Killed once a file is open and being written.
    let start = Instant::now();
    while !writes_into(child.id(), &folder) && start.elapsed() < Duration::from_mins(2) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folder.list(), Vec::<String>::new());
}

/// Whether a process holds a file of the folder open that is not empty.
#[cfg(target_os = "linux")]
fn writes_into(process: u32, folder: &Folder) -> bool {
    let Ok(open) = std::fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    let inside = folder.path("");
    open.flatten().any(|file| {
        std::fs::read_link(file.path()).is_ok_and(|target| target.starts_with(&inside))
            && std::fs::metadata(file.path()).is_ok_and(|metadata| metadata.len() > 0)
    })
}

#[test]
fn talk_never_mixes_with_data() {
    let folder = Folder::new();
    let output = folder.command("simulate --sources 3 --items 4").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 5);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.starts_with("simulated 4 items") && told.lines().count() == 1, "{told}");
}

#[test]
fn colours_never_leave_the_terminal() {
    let folder = Folder::new();
    for words in ["--help", "analyze missing.csv", "simulate --sources 3 --items 4"] {
        assert!(!folder.run(words).contains('\x1b'), "{words}");
    }
}

/// Votes that are long in coming: every ten seconds one line says so, and none where --quiet asks for silence.
#[test]
fn where_standard_error_is_a_pipe_long_work_says_how_far_it_is() {
    let folder = Folder::new();
    let start = |words: &str| {
        let mut command = folder.command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let finish = |mut child: Child| {
        child.stdin.take().unwrap().write_all(b"a,b\n1,0\n0,0\n").unwrap();
        assert!(child.wait().unwrap().success());
    };
    let (mut loud, mut quiet) = (start("analyze -"), start("analyze - --quiet"));
    let (began, mut line) = (Instant::now(), String::new());
    BufReader::new(loud.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("reading votes: 1") && line.ends_with(" s\n"), "{line}");
    assert!(began.elapsed() > Duration::from_secs(9), "{:?}", began.elapsed());
    finish(loud);
    let mut silence = quiet.stderr.take().unwrap();
    finish(quiet);
    let mut told = String::new();
    silence.read_to_string(&mut told).unwrap();
    assert_eq!(told, "");
}

/// The command without its engine: what the engine does not do works, what it does is refused with a reason.
#[cfg(unix)]
#[test]
fn a_missing_engine_is_named() {
    let folder = Folder::with_votes("a,b\n1,0\n0,0\n");
    let alone = folder.path("consilience");
    if std::fs::hard_link(env!("CARGO_BIN_EXE_consilience"), &alone).is_err() {
        std::fs::copy(env!("CARGO_BIN_EXE_consilience"), &alone).unwrap();
    }
    let run = |words: &str| {
        let mut command = std::process::Command::new(&alone);
        command.args(words.split_whitespace()).current_dir(folder.path("")).env("PATH", "").output().unwrap()
    };
    assert_eq!(run("analyze votes.csv").status.code(), Some(0));
    for verb in ["apply s.toml votes.csv", "studio votes.csv", "label votes.csv --sources s.toml -o l.csv"] {
        let output = run(verb);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{verb}: {told}");
        assert!(told.starts_with("error: this runs in the program consilience-engine"), "{verb}: {told}");
        assert_eq!(told.lines().count(), 1, "{verb}: {told}");
    }
}
