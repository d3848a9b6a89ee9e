//! One thread reads, all others work, results come out in the order of the input, and the number of batches in flight is limited.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

/// Between two looks whether the reader has ended.
const PAUSE: Duration = Duration::from_millis(1);

/// Runs `work` over what `read` hands out, on `threads` threads, and gives the results to `write` in order.
///
/// `read` hands things to the function it is given, which says false when no more are wanted. The first error ends it all.
pub(super) fn ordered<I: Send, O: Send, E: Send>(
    threads: usize,
    read: impl FnOnce(&mut dyn FnMut(I) -> bool) -> Result<(), E> + Send,
    work: impl Fn(I) -> Result<O, E> + Sync,
    mut write: impl FnMut(O) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.max(1);
    let on_the_way = 4 * threads;
    let stopped = AtomicBool::new(false);
    let (send, receive) = mpsc::sync_channel::<(u64, I)>(threads);
    let (done, results) = mpsc::channel::<(u64, Result<O, E>)>();
    // A permit is taken for each thing that is read and given back when its result is written.
    let (give_back, permits) = mpsc::sync_channel::<()>(on_the_way);
    for _ in 0..on_the_way {
        let _ = give_back.send(());
    }
    let receive = Mutex::new(receive);
    std::thread::scope(|scope| {
        let (stopped, receive, work) = (&stopped, &receive, &work);
        let reader = scope.spawn(move || {
            let mut number = 0;
            read(&mut |thing| {
                let go = !stopped.load(Ordering::Relaxed)
                    && permits.recv().is_ok()
                    && send.send((number, thing)).is_ok();
                number += 1;
                go
            })
        });
        for _ in 0..threads {
            let done = done.clone();
            scope.spawn(move || {
                loop {
                    let next = receive.lock().ok().and_then(|receive| receive.recv().ok());
                    let Some((number, thing)) = next else { return };
                    if stopped.load(Ordering::Relaxed) || done.send((number, work(thing))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut result = Ok(());
        'all: for (number, found) in results {
            waiting.insert(number, found);
            while let Some(found) = waiting.remove(&next) {
                next += 1;
                result = found.and_then(&mut write);
                if result.is_err() {
                    break 'all;
                }
                let _ = give_back.try_send(());
            }
        }
        stopped.store(true, Ordering::Relaxed);
        // Who waits for a permit hears that there is none. The reader may also wait for room among what is to be done, with
        // nobody left to do it.
        drop(give_back);
        while !reader.is_finished() {
            if let Ok(receive) = receive.try_lock() {
                while receive.try_recv().is_ok() {}
            }
            std::thread::sleep(PAUSE);
        }
        let read = reader.join();
        match (result, read) {
            (Err(error), _) | (Ok(()), Ok(Err(error))) => Err(error),
            (Ok(()), Ok(Ok(()))) => Ok(()),
            (Ok(()), Err(panic)) => std::panic::resume_unwind(panic),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: usize, fail: Option<u64>) -> (Vec<u64>, Result<(), u64>) {
        let mut seen = Vec::new();
        let read = |take: &mut dyn FnMut(u64) -> bool| {
            for i in 0..1000 {
                if !take(i) {
                    break;
                }
            }
            Ok(())
        };
        let work = |i: u64| {
            // Later things may be ready before earlier ones.
            std::thread::sleep(Duration::from_micros((i * 7919) % 200));
            if Some(i) == fail { Err(i) } else { Ok(i * i) }
        };
        let result = ordered(threads, read, work, |square| {
            seen.push(square);
            Ok(())
        });
        (seen, result)
    }

    #[test]
    fn results_come_in_order() {
        for threads in [1, 3] {
            let (seen, result) = squares(threads, None);
            assert_eq!(seen, (0..1000).map(|i| i * i).collect::<Vec<_>>());
            assert_eq!(result, Ok(()));
        }
    }

    /// Workers that end while the queue is full leave a reader that waits for room.
    #[test]
    fn a_reader_that_waits_for_room_ends() {
        for round in 0..300 {
            let read = |take: &mut dyn FnMut(u64) -> bool| {
                let mut i = 0;
                while take(i) {
                    i += 1;
                }
                Ok(())
            };
            let work = |i: u64| if i == round { Err(i) } else { Ok(i) };
            assert_eq!(ordered(3, read, work, |_| Ok(())), Err(round));
        }
    }

    #[test]
    fn the_first_error_ends_it() {
        for threads in [1, 3] {
            let (seen, result) = squares(threads, Some(500));
            assert_eq!(seen.len(), 500);
            assert_eq!(result, Err(500));
        }
    }
}
