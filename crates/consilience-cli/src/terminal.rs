//! Notes and progress, on standard error only.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use consilience::labels::{AnswersNote, MissingSources};
use consilience::model::FitNote;
use consilience::votes::ReadingNote;
use consilience::watch::Watch;
pub use consilience_report::{counted, thousands};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::hint;

/// Shorter waits get no progress bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often a watch is asked how far its work is.
const GLANCE: Duration = Duration::from_millis(200);

/// Without a terminal for a progress bar, a line is printed this often.
const LINE: Duration = Duration::from_secs(10);

/// Positions of a bar.
const STEPS: u64 = 1000;

/// Whether the user lets programs use colours (<https://no-color.org>).
pub fn colours_allowed() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|value| value != "dumb")
}

/// What the user may want to act on.
pub trait Note {
    /// One line, with the flag that changes it if there is one.
    fn told(&self) -> String;
}

impl Note for String {
    fn told(&self) -> String {
        self.clone()
    }
}

impl Note for FitNote {
    fn told(&self) -> String {
        hint::fit_note(self)
    }
}

impl Note for AnswersNote {
    fn told(&self) -> String {
        hint::answers_note(self)
    }
}

impl<N: Note> Note for &N {
    fn told(&self) -> String {
        (*self).told()
    }
}

impl Note for MissingSources {
    fn told(&self) -> String {
        self.to_string()
    }
}

impl Note for ReadingNote {
    fn told(&self) -> String {
        hint::note(self)
    }
}

/// How much is printed on standard error.
#[derive(Clone, Copy, Debug)]
pub struct Talk {
    quiet: bool,
}

impl Talk {
    pub fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Says one line.
    pub fn say(self, line: &str) {
        if !self.quiet {
            // Nobody listens; the data is still worth writing.
            let _ = writeln!(io::stderr(), "{}", printable(line));
        }
    }

    /// Prints the `notes` that are not among those `told`.
    pub fn other_notes(self, notes: &[FitNote], told: &[String]) {
        for note in notes.iter().filter(|note| !told.contains(&note.to_string())) {
            self.notes(std::slice::from_ref(note));
        }
    }

    /// Says what the user may want to act on.
    pub fn notes<N: Note>(self, notes: &[N]) {
        for note in notes {
            self.say(&format!("note: {}", note.told()));
        }
    }

    /// Runs `work`, shows progress if it takes long, and prints messages immediately; returns its result and the messages
    /// printed.
    pub fn watched<T: Send>(self, what: &'static str, work: impl FnOnce() -> T + Send) -> (T, Vec<String>) {
        let watch = Watch::new();
        let wait = self.wait(what);
        let (done, over) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let (watching, wait) = (Arc::clone(&watch), &wait);
            let listener = scope.spawn(move || {
                let mut told = Vec::new();
                loop {
                    let ended = over.recv_timeout(GLANCE) != Err(mpsc::RecvTimeoutError::Timeout);
                    for sentence in watching.take_told() {
                        wait.bar.suspend(|| self.notes(std::slice::from_ref(&sentence)));
                        told.push(sentence);
                    }
                    if ended {
                        return told;
                    }
                    let (passes, all) = watching.progress();
                    wait.progress((all > 0).then(|| passes as f64 / all as f64), "");
                }
            });
            // Where there is no thread left to be watched, the work is done all the same.
            let result = match watch.pool(rayon::current_num_threads()) {
                Ok(pool) => pool.install(work),
                Err(_) => watch.over(work),
            };
            drop(done);
            (result, listener.join().unwrap_or_default())
        })
    }

    /// Shows that `what` goes on, if it takes long.
    pub fn wait(self, what: &'static str) -> Wait {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_message(what);
        bar.set_style(spinner());
        if self.quiet {
            return Wait { bar, watch: None };
        }
        let (done, over) = mpsc::channel::<()>();
        let shown = bar.clone();
        if !io::stderr().is_terminal() {
            let thread = std::thread::spawn(move || {
                while over.recv_timeout(LINE) == Err(mpsc::RecvTimeoutError::Timeout) {
                    self.say(&line(what, &shown));
                }
            });
            return Wait { bar, watch: Some((done, thread)) };
        }
        let thread = std::thread::spawn(move || {
            if over.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Wait { bar, watch: Some((done, thread)) }
    }
}

/// A progress bar that appears only when its work takes more than two seconds; gone when dropped.
pub struct Wait {
    bar: ProgressBar,
    watch: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

impl Wait {
    /// Shows how far the work has come, from 0 to 1, and how many `units` are done.
    pub fn progress(&self, fraction: Option<f64>, units: &str) {
        if let Some(fraction) = fraction {
            if self.bar.length().is_none() {
                self.bar.set_length(STEPS);
                self.bar.set_style(bar());
            }
            self.bar.set_position((fraction * STEPS as f64) as u64);
        }
        self.bar.set_prefix(units.to_string());
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.watch.take() {
            drop(done);
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

/// How far the work is, for those who read standard error from a file or a pipe.
fn line(what: &str, bar: &ProgressBar) -> String {
    let seconds = bar.elapsed().as_secs_f64();
    let done = bar.length().map_or(0.0, |length| bar.position() as f64 / length.max(1) as f64);
    let rest = if done > 0.0 {
        format!(", {:.0}% done, about {:.0} s to go", 100.0 * done, seconds * (1.0 - done) / done)
    } else {
        String::new()
    };
    format!("{what}: {seconds:.0} s{rest}")
}

fn spinner() -> ProgressStyle {
    // The templates are constants; a broken one would show the default style.
    ProgressStyle::with_template("{spinner} {msg}, {elapsed} {prefix}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner())
}

fn bar() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {msg} {bar:30} {percent:>3}%, {eta} to go {prefix}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Names come from files; their control characters must not reach the terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().any(char::is_control) {
        Cow::Owned(text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_shown_not_obeyed() {
        assert_eq!(printable("a\x1b[31mb\n"), "a\u{fffd}[31mb\u{fffd}");
        assert!(matches!(printable("äö"), Cow::Borrowed(_)));
    }
}
