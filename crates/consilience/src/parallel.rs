//! Work in pieces, on all threads of the pool.
//!
//! One loop of rayon behind a pointer to a function serves every caller. An iterator of rayon would compile its machinery again for
//! each of them, which was more than a quarter of the core. A call through a pointer costs nothing compared to a piece of work.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Rows or items that one piece of little work takes.
pub(crate) const ROWS: usize = 1 << 12;

/// `work` of each of `items`, in their order.
pub(crate) fn map<I: Send, T: Send>(
    items: impl IntoIterator<Item = I>,
    work: impl Fn(I) -> T + Sync,
) -> Vec<T> {
    let places: Vec<Mutex<Place<I, T>>> =
        items.into_iter().map(|item| Mutex::new(Place::Waiting(item))).collect();
    run(places.len(), &|at| {
        // Nobody else asks for this place.
        let mut place = places[at].lock().unwrap_or_else(PoisonError::into_inner);
        if let Place::Waiting(item) = std::mem::replace(&mut *place, Place::Empty) {
            *place = Place::Done(work(item));
        }
    });
    let done = |place: Mutex<Place<I, T>>| match place.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Place::Done(result) => Some(result),
        Place::Waiting(_) | Place::Empty => None,
    };
    places.into_iter().filter_map(done).collect()
}

/// An item, then what became of it.
enum Place<I, T> {
    Waiting(I),
    Empty,
    Done(T),
}

/// The same without results.
pub(crate) fn for_each<I: Send>(items: impl IntoIterator<Item = I>, work: impl Fn(I) + Sync) {
    map(items, work);
}

/// The results of all of `items`, one after the other.
pub(crate) fn flat_map<I: Send, T: Send>(
    items: impl IntoIterator<Item = I>,
    work: impl Fn(I) -> Vec<T> + Sync,
) -> Vec<T> {
    map(items, work).into_iter().flatten().collect()
}

/// `work` of each of 0..`length`, which is little work each: `piece` of them at a time.
pub(crate) fn map_each<T: Send>(length: usize, piece: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    flat_map(ranges(length, piece), |range| range.map(&work).collect())
}

/// 0..`length` in ranges of `piece` numbers.
pub(crate) fn ranges(length: usize, piece: usize) -> impl Iterator<Item = Range<usize>> {
    (0..length).step_by(piece).map(move |start| start..(start + piece).min(length))
}

/// 0..`length` in no more ranges than keep all threads busy, of `least` numbers or more: for results that do not depend on where
/// ranges end, but take room.
pub(crate) fn few_ranges(length: usize, least: usize) -> impl Iterator<Item = Range<usize>> {
    ranges(length, length.div_ceil(4 * rayon::current_num_threads()).max(least))
}

#[inline(never)]
fn run(pieces: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..pieces).into_par_iter().for_each(work);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        let mut cells = [1, 2, 3, 4, 5];
        let sums = map(cells.chunks_mut(2).enumerate(), |(at, cells)| {
            for cell in cells.iter_mut() {
                *cell += 10 * at;
            }
            cells.iter().sum::<usize>()
        });
        assert_eq!((sums, cells), (vec![3, 27, 25], [1, 2, 13, 14, 25]));
        assert_eq!(map_each(10, 3, |i| i * i), (0..10).map(|i| i * i).collect::<Vec<_>>());
        assert!(map(0..0, |i: usize| i).is_empty() && map_each(0, 3, |i| i).is_empty());
    }

    #[test]
    fn work_may_have_pieces_itself() {
        let sums = map(0..50usize, |i| map(0..i, |j| j).into_iter().sum::<usize>());
        assert_eq!(sums[49], 48 * 49 / 2);
    }

    #[test]
    fn ranges_cover_everything_once() {
        for (length, piece) in [(0, 4), (1, 4), (8, 4), (9, 4)] {
            assert!(ranges(length, piece).flatten().eq(0..length));
            assert!(few_ranges(length, piece).flatten().eq(0..length));
        }
    }
}
