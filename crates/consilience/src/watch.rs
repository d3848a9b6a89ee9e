//! Lets whoever waits for long work see how far it is, and stop it.
//!
//! Work runs on threads of a pool that gets its watch when it is created. Loops that go over many rows look at the watch
//! of their thread now and then; if it says stop, they unwind with [`Stopped`] up to whoever started the work, which is
//! no panic: nothing is printed, and nothing half-done is left. Threads without a watch are never stopped.
//!
//! ```
//! use consilience::watch::Watch;
//!
//! let watch = Watch::new();
//! let pool = watch.pool(2)?;
//! assert_eq!(pool.install(|| watch.finish(|| 7)), Ok(7));
//! # Ok::<(), rayon::ThreadPoolBuildError>(())
//! ```

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The error of work that was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before it finished")]
pub struct Stopped;

/// What the threads of one pool share with whoever waits for them.
#[derive(Debug, Default)]
pub struct Watch {
    stop: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
    told: Mutex<Vec<String>>,
}

thread_local! {
    static HERE: RefCell<Option<Arc<Watch>>> = const { RefCell::new(None) };
}

impl Watch {
    /// A watch over nothing yet.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// A pool of `threads` threads (as many as there are processors for 0) under this watch.
    pub fn pool(self: &Arc<Self>, threads: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
        let watch = Arc::clone(self);
        let enter = move |_: usize| HERE.with(|here| *here.borrow_mut() = Some(Arc::clone(&watch)));
        rayon::ThreadPoolBuilder::new().num_threads(threads).start_handler(enter).build()
    }

    /// Asks the work to stop as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The number of finished passes over the votes, and the expected total; 0 if unknown.
    pub fn progress(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// The messages of the work since the last call, one sentence each: what it does instead of what was requested, and
    /// how long that may take.
    pub fn take_told(&self) -> Vec<String> {
        std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs `work` on this thread under this watch.
    pub fn over<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        /// Puts back the watch that was there before, however the work ends.
        struct Before(Option<Arc<Watch>>);
        impl Drop for Before {
            fn drop(&mut self) {
                HERE.with(|here| *here.borrow_mut() = self.0.take());
            }
        }
        let _before = Before(HERE.with(|here| here.borrow_mut().replace(Arc::clone(self))));
        work()
    }

    /// Runs `work` and returns its result, or an error if it was stopped. Restarts the count of passes.
    pub fn finish<T>(&self, work: impl FnOnce() -> T) -> Result<T, Stopped> {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(0, Ordering::Relaxed);
        catch_unwind(AssertUnwindSafe(work)).map_err(|thrown| match thrown.downcast::<Stopped>() {
            Ok(stopped) => *stopped,
            // A bug: it goes on up.
            Err(panic) => resume_unwind(panic),
        })
    }
}

/// Ends the work here if it was asked to stop.
pub(crate) fn look() {
    let stopped = |here: &RefCell<Option<Arc<Watch>>>| {
        here.borrow().as_ref().is_some_and(|watch| watch.stop.load(Ordering::Relaxed))
    };
    if HERE.with(stopped) {
        resume_unwind(Box::new(Stopped));
    }
}

/// Notes that one more pass is done.
pub(crate) fn pass_done() {
    HERE.with(|here| {
        if let Some(watch) = here.borrow().as_ref() {
            watch.done.fetch_add(1, Ordering::Relaxed);
        }
    });
}

/// Notes how many passes are still to come.
pub(crate) fn expect_more_passes(passes: usize) {
    HERE.with(|here| {
        if let Some(watch) = here.borrow().as_ref() {
            watch.total.store(watch.done.load(Ordering::Relaxed) + passes as u64, Ordering::Relaxed);
        }
    });
}

/// Tells whoever waits one sentence, at once.
pub(crate) fn tell(sentence: &str) {
    HERE.with(|here| {
        if let Some(watch) = here.borrow().as_ref() {
            watch.told.lock().unwrap_or_else(PoisonError::into_inner).push(sentence.to_string());
        }
    });
}

/// Notes how many passes there will be.
pub(crate) fn expect_passes(passes: usize) {
    HERE.with(|here| {
        if let Some(watch) = here.borrow().as_ref() {
            watch.total.store(passes as u64, Ordering::Relaxed);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn work_that_looks_is_stopped_on_all_threads() {
        let watch = Watch::new();
        let pool = watch.pool(3).unwrap();
        let work = || (0..64).into_par_iter().for_each(|_| loop_for_ever());
        let stopped = std::thread::scope(|scope| {
            let running = scope.spawn(|| pool.install(|| watch.finish(work)));
            while watch.progress().0 < 2 {
                std::thread::yield_now();
            }
            watch.stop();
            running.join().unwrap()
        });
        assert_eq!(stopped, Err(Stopped));
    }

    fn loop_for_ever() {
        loop {
            look();
            pass_done();
        }
    }

    #[test]
    fn a_watch_over_this_thread_hears_and_is_put_away() {
        let watch = Watch::new();
        let result = watch.over(|| {
            pass_done();
            expect_more_passes(3);
            tell("this takes a minute");
            7
        });
        pass_done();
        assert_eq!((result, watch.progress()), (7, (1, 4)));
        assert_eq!(watch.take_told(), ["this takes a minute"]);
        assert!(watch.take_told().is_empty());
    }

    #[test]
    fn threads_without_a_watch_go_on() {
        look();
        pass_done();
        expect_passes(3);
        assert_eq!(Watch::new().progress(), (0, 0));
    }

    #[test]
    #[should_panic(expected = "a bug")]
    fn a_panic_stays_one() {
        let _ = Watch::new().finish(|| panic!("a bug"));
    }
}
