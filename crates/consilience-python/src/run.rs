//! Runs the core without the interpreter's lock, and lets Ctrl-C through.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use consilience::watch::{Stopped, Watch};
use pyo3::prelude::*;
use rayon::ThreadPool;

use crate::errors::BugError;

/// How long Ctrl-C may wait, and how often progress is reported.
const PATIENCE: Duration = Duration::from_millis(50);

/// Threads that do one piece of work at a time, and the watch over them.
struct Crew {
    /// A forked process has none of its parent's threads, so it needs its own.
    process: u32,
    pool: ThreadPool,
    watch: Arc<Watch>,
}

/// Crews without work. Threads of Python that work at the same time have one each, so that stopping one stops no other.
static IDLE: Mutex<Vec<Crew>> = Mutex::new(Vec::new());

impl Crew {
    fn call() -> PyResult<Self> {
        let process = std::process::id();
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(crew) = idle.pop() {
            if crew.process == process {
                return Ok(crew);
            }
            // Dropping a pool of the parent process would wait for threads that are not there.
            std::mem::forget(crew);
        }
        let watch = Watch::new();
        let pool = watch.pool(0);
        let pool = pool.map_err(|error| BugError::new_err(format!("cannot start threads: {error}")))?;
        Ok(Self { process, pool, watch })
    }

    /// Keeps the crew for the next piece of work.
    fn dismiss(self) {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self);
    }
}

/// What comes back from the work: its result, that it was stopped, or a panic.
type Outcome<T> = std::thread::Result<Result<T, Stopped>>;

/// Waits for the outcome, without the interpreter's lock; Ctrl-C raises at once. `tell` is called now and then with how far the work
/// is.
fn wait<T>(receive: &Receiver<Outcome<T>>, watch: &Watch, tell: Option<&Py<PyAny>>) -> PyResult<T> {
    loop {
        match receive.recv_timeout(PATIENCE) {
            Ok(Ok(Ok(result))) => return Ok(result),
            Ok(_) | Err(RecvTimeoutError::Disconnected) => {
                return Err(BugError::new_err(
                    "Consilience panicked; please report it with the votes that caused it",
                ));
            }
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| {
                py.check_signals()?;
                tell.map_or(Ok(()), |tell| tell.call1(py, watch.progress()).map(drop))
            })?,
        }
    }
}

/// The result of `work`, done on the core's threads without the interpreter's lock.
///
/// Ctrl-C raises at once and tells the work to stop, which it does as soon as it looks. `tell` is called with the passes that
/// are done and with how many there will be (0 if nobody knows).
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    tell: Option<Py<PyAny>>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let crew = Crew::call()?;
    let watch = Arc::clone(&crew.watch);
    let (send, receive) = channel();
    py.detach(move || {
        // Nobody listens after Ctrl-C.
        crew.pool.spawn(move || drop(send.send(catch_unwind(AssertUnwindSafe(|| watch.finish(work))))));
        let result = wait(&receive, &crew.watch, tell.as_ref());
        if result.is_ok() {
            crew.dismiss();
        } else {
            crew.watch.stop();
        }
        result
    })
}

/// The result of `work`, which reads what Python owns, done on the core's threads without the interpreter's lock.
///
/// Ctrl-C sets the flag that `work` is handed, which must then end soon.
pub(crate) fn run_scoped<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let crew = Crew::call()?;
    let stopped = AtomicBool::new(false);
    let stopped = &stopped;
    py.detach(move || {
        let result = std::thread::scope(|scope| {
            let (send, receive) = channel();
            let Crew { pool, watch, .. } = &crew;
            scope.spawn(move || {
                let work = || watch.finish(|| pool.install(|| work(stopped)));
                drop(send.send(catch_unwind(AssertUnwindSafe(work))));
            });
            let result = wait(&receive, watch, None);
            if result.is_err() {
                stopped.store(true, Ordering::Relaxed);
                watch.stop();
            }
            result
        });
        if result.is_ok() {
            crew.dismiss();
        }
        result
    })
}
