//! Votes by a dictionary of keys.

use std::borrow::Cow;

use consilience::sources::Vote;
use foldhash::fast::RandomState;
use hashbrown::HashMap;

use super::lowered;

/// Keys and their votes.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    votes: HashMap<Box<str>, Vote, RandomState>,
    lower: bool,
    strip: bool,
}

/// A key with two votes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the key {key:?} appears twice with different votes; keep one of them")]
pub struct DictionaryError {
    /// The key.
    pub key: String,
}

impl Dictionary {
    /// An empty dictionary; keys are compared lower-cased with `lower`, without white space around with `strip`.
    pub fn new(lower: bool, strip: bool) -> Self {
        Self { lower, strip, ..Self::default() }
    }

    /// Adds a key and its vote. The same key with the same vote may come again.
    pub fn add(&mut self, key: &[&str], vote: Vote) -> Result<(), DictionaryError> {
        let joined = self.key(key);
        match self.votes.get(joined.as_ref()) {
            Some(&other) if other != vote => Err(DictionaryError { key: key.join(", ") }),
            Some(_) => Ok(()),
            None => {
                let joined = joined.into_owned().into_boxed_str();
                self.votes.insert(joined, vote);
                Ok(())
            }
        }
    }

    /// The vote of a key, if there is one.
    pub fn find(&self, key: &[&str]) -> Option<Vote> {
        self.votes.get(self.key(key).as_ref()).copied()
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.votes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.votes.is_empty()
    }

    fn key<'k>(&self, key: &[&'k str]) -> Cow<'k, str> {
        let one = |part: &'k str| lowered(if self.strip { part.trim() } else { part }, self.lower);
        match key {
            [part] => one(part),
            parts => {
                // The length before each part keeps ("ab", "c") and ("a", "bc") apart.
                let mut joined = String::new();
                for part in parts {
                    let part = one(part);
                    joined.push_str(&part.len().to_string());
                    joined.push(':');
                    joined.push_str(&part);
                }
                Cow::Owned(joined)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_several_parts_stay_apart() {
        let mut dictionary = Dictionary::new(true, true);
        dictionary.add(&["ab", "c"], 1).unwrap();
        dictionary.add(&["a", "bc"], 2).unwrap();
        dictionary.add(&[" AB", "C "], 1).unwrap();
        assert_eq!(dictionary.len(), 2);
        assert_eq!(dictionary.find(&["Ab ", "c"]), Some(1));
        assert_eq!(dictionary.find(&["a", "bc"]), Some(2));
        assert_eq!(dictionary.find(&["abc", ""]), None);
        assert!(dictionary.add(&["ab", "c"], 2).is_err());
    }
}
