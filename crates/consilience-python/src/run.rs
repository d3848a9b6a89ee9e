//! Runs the core without the interpreter's lock, and lets Ctrl-C through.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::BugError;

/// How long Ctrl-C may wait.
const PATIENCE: Duration = Duration::from_millis(50);

/// The threads of this process: a forked process has none of its parent's, so it needs its own.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut kept = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((owner, pool)) = kept.as_ref()
        && *owner == process
    {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().build().map(Arc::new);
    let pool = pool.map_err(|error| BugError::new_err(format!("no threads can be started: {error}")))?;
    // Dropping a pool of the parent process would wait for threads that are not there.
    if let Some(foreign) = kept.replace((process, Arc::clone(&pool))) {
        std::mem::forget(foreign);
    }
    Ok(pool)
}

#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is not general enough in its lifetime"
)]
/// Waits for what arrives from the work, without the interpreter's lock; Ctrl-C raises at once.
fn wait<T>(receive: &Receiver<std::thread::Result<T>>) -> PyResult<T> {
    loop {
        match receive.recv_timeout(PATIENCE) {
            Ok(Ok(result)) => return Ok(result),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                return Err(BugError::new_err(
                    "Consilience panicked; please report it with the votes that made it",
                ));
            }
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
        }
    }
}

/// The result of `work`, done on the core's threads without the interpreter's lock.
///
/// Ctrl-C raises at once; the work that was under way is left to end by itself, on threads that nothing else uses then.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let pool = pool()?;
    let (send, receive) = channel();
    let result = py.detach(move || {
        // Nobody listens after Ctrl-C.
        pool.spawn(move || drop(send.send(catch_unwind(AssertUnwindSafe(work)))));
        wait(&receive)
    });
    if result.is_err() {
        *POOL.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
    result
}

/// The result of `work`, which reads what Python owns, done on the core's threads without the interpreter's lock.
///
/// Ctrl-C sets the flag that `work` is handed, which must then end soon.
pub(crate) fn run_scoped<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let pool = pool()?;
    let stopped = AtomicBool::new(false);
    let stopped = &stopped;
    py.detach(move || {
        std::thread::scope(|scope| {
            let (send, receive) = channel();
            scope.spawn(move || {
                let result = catch_unwind(AssertUnwindSafe(|| pool.install(|| work(stopped))));
                drop(send.send(result));
            });
            let result = wait(&receive);
            stopped.store(true, Ordering::Relaxed);
            result
        })
    })
}
