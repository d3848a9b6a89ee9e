//! One run of a program over one batch, within a time limit.

use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Bytes that an answer may have on average; more is not an answer.
const BYTES_PER_LINE: usize = 1 << 16;

/// What is shown of a program's own messages.
const SHOWN: usize = 300;

/// Runs a program over `lines`: its output, which has as many lines, or why there is none. The error outside says that it
/// cannot be started at all.
pub(super) fn run(
    argv: &[String],
    folder: &Path,
    lines: &[&str],
    limit: Duration,
) -> Result<Result<String, String>, String> {
    let Some((program, arguments)) = argv.split_first() else { return Err("names no program".to_string()) };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let child =
        command.spawn().map_err(|error| format!("the program {program:?} cannot be started: {error}"))?;
    Ok(watch(child, lines, limit))
}

fn watch(mut child: Child, lines: &[&str], limit: Duration) -> Result<String, String> {
    let mut input = lines.join("\n");
    input.push('\n');
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    // A program may answer before it has read everything, or never read at all. Threads that a killed program's children
    // hold up are left to themselves.
    std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(input.as_bytes())));
    let most = BYTES_PER_LINE * (lines.len() + 1);
    let output = collect(stdout, most);
    let messages = collect(stderr, 1 << 20);
    let started = Instant::now();
    let ended = wait(&mut child, limit);
    let rest = limit.saturating_sub(started.elapsed()).max(Duration::from_millis(200));
    let told = |messages: &mpsc::Receiver<Vec<u8>>| {
        let messages = messages.recv_timeout(Duration::from_millis(200)).unwrap_or_default();
        let text = String::from_utf8_lossy(&messages).split_whitespace().collect::<Vec<_>>().join(" ");
        let skip = text.chars().count().saturating_sub(SHOWN);
        let text: String = text.chars().skip(skip).collect();
        if text.is_empty() { String::new() } else { format!("; it said: {text}") }
    };
    let Some(status) = ended else {
        kill(&mut child);
        return Err(format!("the program took longer than {} s{}", limit.as_secs_f64(), told(&messages)));
    };
    let bytes = output.recv_timeout(rest);
    // What it started and left behind ends with it.
    kill(&mut child);
    if !status.success() {
        return Err(format!("the program ended with {status}{}", told(&messages)));
    }
    let bytes = bytes.map_err(|_| "the program ended but its output did not".to_string())?;
    if bytes.len() > most {
        return Err(format!("the program answered more than {most} bytes to {} items", lines.len()));
    }
    let text = String::from_utf8(bytes).map_err(|_| "the program's answer is not UTF-8 text".to_string())?;
    let answers = text.lines().count();
    if answers != lines.len() {
        return Err(format!(
            "the program answered {} items with {answers} line{}; it must answer one line to each{}",
            lines.len(),
            if answers == 1 { "" } else { "s" },
            told(&messages)
        ));
    }
    Ok(text)
}

/// Reads at most one byte more than `most` in a thread of its own.
fn collect(stream: Option<impl Read + Send + 'static>, most: usize) -> mpsc::Receiver<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.by_ref().take(most as u64 + 1).read_to_end(&mut bytes);
            let _ = send.send(bytes);
            // A full pipe would keep the program from ending.
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        }
    });
    receive
}

fn wait(child: &mut Child, limit: Duration) -> Option<std::process::ExitStatus> {
    let end = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if Instant::now() >= end {
            return None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Ends the program and all that it started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}
