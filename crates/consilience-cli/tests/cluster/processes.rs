//! Schedulers, executors and runs of the command, as processes.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The longest that anything here may take.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_consilience"));
    command.env("NO_COLOR", "1").env_remove("RUST_BACKTRACE").stdin(Stdio::null());
    command
}

/// A process that ends with the test.
pub(crate) struct Process {
    child: Child,
    /// The line that says that it is ready.
    ready: String,
}

impl Process {
    fn start(args: &[&str]) -> Self {
        let mut child = command().args(args).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let ready = lines.next().unwrap_or_else(|| panic!("{args:?} said nothing")).unwrap();
        // What it says later is read, so that it never waits for us.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, ready }
    }

    /// Stops it where it is, or lets it go on.
    pub(crate) fn freeze(&self, frozen: bool) {
        let signal = if frozen { "-STOP" } else { "-CONT" };
        let sent = Command::new("kill").arg(signal).arg(self.child.id().to_string()).status().unwrap();
        assert!(sent.success());
    }

    /// Ends it as a crash would.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A scheduler and its executors.
pub(crate) struct Cluster {
    pub(crate) address: String,
    pub(crate) scheduler: Process,
    pub(crate) executors: Vec<Process>,
}

impl Cluster {
    /// A scheduler and so many executors with one core each.
    pub(crate) fn start(executors: usize) -> Self {
        Self::with(executors, &[])
    }

    pub(crate) fn with(executors: usize, flags: &[&str]) -> Self {
        let scheduler = [&["cluster", "scheduler", "--port", "0", "--executor-timeout", "6"], flags].concat();
        let scheduler = Process::start(&scheduler);
        let address = scheduler.ready.split_whitespace().find(|word| word.starts_with("df://"));
        let address =
            address.unwrap_or_else(|| panic!("{}", scheduler.ready)).trim_end_matches(';').to_string();
        let mut cluster = Self { address, scheduler, executors: Vec::new() };
        let executor = ["cluster", "executor", &cluster.address.clone(), "--cores", "1", "--heartbeat", "1"];
        for _ in 0..executors {
            cluster.executors.push(Process::start(&[&executor, flags].concat()));
        }
        wait(|| cluster.executors_there() == executors, "executors to register");
        cluster
    }

    fn executors_there(&self) -> usize {
        self.ask("/api/executors").and_then(|found| found.as_array().map(Vec::len)).unwrap_or(0)
    }

    /// What the scheduler says of itself.
    pub(crate) fn ask(&self, path: &str) -> Option<serde_json::Value> {
        let place = self.address.strip_prefix("df://")?;
        let mut stream = TcpStream::connect(place).ok()?;
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {place}\r\n\r\n").ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok()
    }

    /// The state of each task of the job that runs, if one does.
    pub(crate) fn tasks(&self) -> Vec<String> {
        let jobs = self.ask("/api/jobs").unwrap_or_default();
        let mut states = Vec::new();
        for job in jobs.as_array().into_iter().flatten() {
            if job["status"].as_str() != Some("Running") {
                continue;
            }
            let path = format!("/api/job/{}/stages", job["job_id"].as_str().unwrap_or_default());
            let stages = self.ask(&path).unwrap_or_default();
            let tasks = stages["stages"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|stage| stage["tasks"].as_array());
            for task in tasks.flatten().filter(|task| !task.is_null()) {
                states.push(task["status"].as_str().unwrap_or_default().to_string());
            }
        }
        states
    }
}

/// Waits until something is `done`.
pub(crate) fn wait(done: impl Fn() -> bool, what: &str) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < PATIENCE, "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A run of the command that goes on while the test does.
pub(crate) struct Run(Child);

impl Run {
    pub(crate) fn start<S: AsRef<OsStr>>(folder: &Path, args: &[S]) -> Self {
        let mut command = command();
        command.current_dir(folder).args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self(command.spawn().unwrap())
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    pub(crate) fn end(self) -> Ended {
        let Output { status, stdout, stderr } = self.0.wait_with_output().unwrap();
        Ended { code: status.code(), stdout, stderr: String::from_utf8(stderr).unwrap() }
    }
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

/// Runs the command to its end.
pub(crate) fn run<S: AsRef<OsStr>>(folder: &Path, args: &[S]) -> Ended {
    Run::start(folder, args).end()
}

/// The same, which must succeed.
pub(crate) fn succeed(folder: &Path, args: &[&str]) -> Ended {
    let ended = run(folder, args);
    assert_eq!(ended.code, Some(0), "{args:?}: {}", ended.stderr);
    ended
}
