//! The latest few results, by what was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// At most so many values, those that were asked for last.
pub(crate) struct Latest<K, V: ?Sized> {
    most: usize,
    kept: Mutex<VecDeque<(K, Arc<V>)>>,
}

impl<K: PartialEq, V: ?Sized> Latest<K, V> {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, kept: Mutex::default() }
    }

    pub(crate) fn get<Q: ?Sized>(&self, key: &Q) -> Option<Arc<V>>
    where
        K: PartialEq<Q>,
    {
        let mut kept = self.locked();
        let place = kept.iter().position(|(other, _)| other == key)?;
        let found = kept.remove(place)?;
        let value = Arc::clone(&found.1);
        kept.push_front(found);
        Some(value)
    }

    /// Keeps `value`, and gives it back.
    pub(crate) fn keep(&self, key: K, value: impl Into<Arc<V>>) -> Arc<V> {
        let value = value.into();
        let mut kept = self.locked();
        kept.retain(|(other, _)| *other != key);
        kept.push_front((key, Arc::clone(&value)));
        kept.truncate(self.most);
        value
    }

    fn locked(&self) -> MutexGuard<'_, VecDeque<(K, Arc<V>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_last_stays() {
        let latest: Latest<String, usize> = Latest::new(2);
        latest.keep("a".to_string(), 1);
        latest.keep("b".to_string(), 2);
        assert_eq!(latest.get("a").as_deref(), Some(&1));
        latest.keep("c".to_string(), 3);
        assert_eq!(
            [latest.get("a"), latest.get("b"), latest.get("c")].map(|one| one.is_some()),
            [true, false, true]
        );
    }
}
