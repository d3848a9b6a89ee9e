//! The names of sources and classes, and what a vote is.

use std::cmp::Ordering;
use std::fmt;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

/// A vote: [`ABSTAIN`], or the number of a class counted from 1.
pub type Vote = u16;

/// The vote of a source that abstains.
pub const ABSTAIN: Vote = 0;

/// The maximum number of classes.
pub const MAX_CLASSES: usize = u16::MAX as usize - 1;

/// The maximum number of sources.
pub const MAX_SOURCES: usize = 1 << 19;

/// What is wrong with a list of names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NamesError {
    /// Two entries have the same name.
    #[error("duplicate {kind} name \"{name}\" (positions {first} and {second}); rename one of them")]
    Twice {
        /// "source" or "class".
        kind: &'static str,
        /// The name.
        name: String,
        /// Position of its first appearance, counted from 1.
        first: usize,
        /// Position of its second appearance, counted from 1.
        second: usize,
    },
    /// More entries than the table can number.
    #[error("{count} {kind} names, but at most {limit} are supported; is the table transposed?")]
    TooMany {
        /// "source" or "class".
        kind: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Fewer than two classes.
    #[error("{found}, but labels need at least two classes; name all of them")]
    TooFewClasses {
        /// What was found instead.
        found: String,
    },
    /// Votes in another vocabulary than a model's.
    #[error(
        "the votes name {}, but the model's classes are {}; give votes with the model's class names, or fit a model to these votes",
        listed(.votes),
        listed(.known)
    )]
    OtherClasses {
        /// The classes of the votes that the model does not know.
        votes: Vec<String>,
        /// The classes that the model knows.
        known: Vec<String>,
    },
}

/// The first few names in quotes.
pub(crate) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("\"{name}\"")).collect();
    if names.len() > SHOWN {
        shown.push(format!("... ({} in all)", names.len()));
    }
    shown.join(", ")
}

/// A list of distinct names with a look-up.
#[derive(Clone, Debug, Default)]
struct Names {
    list: Vec<String>,
    position: HashMap<String, usize>,
}

impl Names {
    fn new(kind: &'static str, limit: usize, list: Vec<String>) -> Result<Self, NamesError> {
        if list.len() > limit {
            return Err(NamesError::TooMany { kind, count: list.len(), limit });
        }
        let mut position = HashMap::with_capacity(list.len());
        for (i, name) in list.iter().enumerate() {
            if let Some(first) = position.insert(name.clone(), i) {
                return Err(NamesError::Twice { kind, name: name.clone(), first: first + 1, second: i + 1 });
            }
        }
        Ok(Self { list, position })
    }

    fn add(&mut self, kind: &'static str, limit: usize, name: String) -> Result<usize, NamesError> {
        let number = self.list.len();
        if number >= limit {
            return Err(NamesError::TooMany { kind, count: number + 1, limit });
        }
        if let Some(&first) = self.position.get(&name) {
            return Err(NamesError::Twice { kind, name, first: first + 1, second: number + 1 });
        }
        self.position.insert(name.clone(), number);
        self.list.push(name);
        Ok(number)
    }
}

/// The names of the sources, in the order of the table's columns.
///
/// ```
/// use consilience::sources::Sources;
///
/// let mut judges = Sources::new(vec!["gpt".into(), "claude".into()])?;
/// assert_eq!(judges.add("human".into())?, 2);
/// assert_eq!(judges.position("claude"), Some(1));
/// assert!(judges.add("gpt".into()).is_err()); // names are distinct
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Sources(Names);

impl Sources {
    /// Takes distinct names.
    pub fn new(names: Vec<String>) -> Result<Self, NamesError> {
        Names::new("source", MAX_SOURCES, names).map(Self)
    }

    /// `n` sources called s0, s1, ..., s(n-1), for tables whose sources have no names.
    ///
    /// ```
    /// use consilience::sources::Sources;
    ///
    /// assert_eq!(Sources::numbered(3)?.names(), ["s0", "s1", "s2"]);
    /// # Ok::<(), consilience::sources::NamesError>(())
    /// ```
    pub fn numbered(n: usize) -> Result<Self, NamesError> {
        Self::new((0..n).map(|j| format!("s{j}")).collect())
    }

    /// Appends a source and returns its position.
    pub fn add(&mut self, name: String) -> Result<usize, NamesError> {
        self.0.add("source", MAX_SOURCES, name)
    }

    /// The number of sources.
    pub fn len(&self) -> usize {
        self.0.list.len()
    }

    /// Whether there are no sources.
    pub fn is_empty(&self) -> bool {
        self.0.list.is_empty()
    }

    /// All names in order.
    pub fn names(&self) -> &[String] {
        &self.0.list
    }

    /// The name of source `j`.
    pub fn name(&self, j: usize) -> &str {
        &self.0.list[j]
    }

    /// The position of the source called `name`.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.0.position.get(name).copied()
    }
}

/// The names of the classes; class `c` of `1..=k` is entry `c - 1`.
///
/// ```
/// use consilience::sources::Classes;
///
/// let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
/// assert_eq!(classes.vote("spam"), Some(2)); // 0 abstains, so classes count from 1
/// assert_eq!(classes.name(2), "spam");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Classes(Names);

impl Classes {
    /// Takes two or more distinct names.
    pub fn new(names: Vec<String>) -> Result<Self, NamesError> {
        match names.as_slice() {
            [] => return Err(NamesError::TooFewClasses { found: "no source votes for any class".into() }),
            [only] => {
                return Err(NamesError::TooFewClasses { found: format!("the only class is \"{only}\"") });
            }
            _ => {}
        }
        Names::new("class", MAX_CLASSES, names).map(Self)
    }

    /// `k` classes called 0, 1, ..., k-1.
    ///
    /// ```
    /// use consilience::sources::Classes;
    ///
    /// assert_eq!(Classes::numbered(3)?.names(), ["0", "1", "2"]);
    /// assert!(Classes::numbered(1).is_err()); // labels need two classes
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn numbered(k: usize) -> Result<Self, NamesError> {
        Self::new((0..k).map(|c| c.to_string()).collect())
    }

    /// The number of classes, k.
    pub fn len(&self) -> usize {
        self.0.list.len()
    }

    /// Never true: there are at least two.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All names in order.
    pub fn names(&self) -> &[String] {
        &self.0.list
    }

    /// The name of class `class` of `1..=k`.
    pub fn name(&self, class: Vote) -> &str {
        &self.0.list[class as usize - 1]
    }

    /// The class called `name`, as a vote for it.
    pub fn vote(&self, name: &str) -> Option<Vote> {
        self.0.position.get(name).map(|&i| i as Vote + 1)
    }

    /// All classes as votes: 1, 2, ..., k.
    pub fn votes(&self) -> std::ops::RangeInclusive<Vote> {
        1..=self.len() as Vote
    }
}

macro_rules! list_of_names {
    ($type:ident) => {
        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.0.list == other.0.list
            }
        }
        impl Eq for $type {}
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($type)).field(&self.0.list).finish()
            }
        }
        impl TryFrom<Vec<String>> for $type {
            type Error = NamesError;
            fn try_from(names: Vec<String>) -> Result<Self, NamesError> {
                Self::new(names)
            }
        }
        impl From<$type> for Vec<String> {
            fn from(names: $type) -> Self {
                names.0.list
            }
        }
    };
}
list_of_names!(Sources);
list_of_names!(Classes);

/// The votes a source may cast: abstain, or one of the classes it ever votes for.
///
/// ```
/// use consilience::sources::Domain;
///
/// let one_sided = Domain::of([2]); // a rule that only ever votes for class 2
/// assert_eq!(one_sided.values(), [0, 2]);
/// assert_eq!(Domain::full(2).classes(), [1, 2]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vote>", into = "Vec<Vote>")]
pub struct Domain {
    values: Vec<Vote>,
}

impl Domain {
    /// Abstain plus the given classes, in any order; duplicates are ignored.
    pub fn of(classes: impl IntoIterator<Item = Vote>) -> Self {
        let mut values: Vec<Vote> = classes.into_iter().collect();
        values.push(ABSTAIN);
        values.sort_unstable();
        values.dedup();
        Self { values }
    }

    /// Abstain plus all of `1..=k`.
    pub fn full(k: usize) -> Self {
        Self { values: (0..=k as Vote).collect() }
    }

    /// All values, ascending; the first one is [`ABSTAIN`].
    pub fn values(&self) -> &[Vote] {
        &self.values
    }

    /// The classes it ever votes for, ascending.
    pub fn classes(&self) -> &[Vote] {
        &self.values[1..]
    }

    /// The number of values, at least 1.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Never true: abstain is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Position of `vote` among the values.
    pub fn position(&self, vote: Vote) -> Option<usize> {
        self.values.binary_search(&vote).ok()
    }
}

impl TryFrom<Vec<Vote>> for Domain {
    type Error = String;
    fn try_from(values: Vec<Vote>) -> Result<Self, String> {
        let domain = Self::of(values.iter().copied());
        if domain.values == values {
            Ok(domain)
        } else {
            Err(format!("{values:?} is not an ascending list that starts with 0"))
        }
    }
}

impl From<Domain> for Vec<Vote> {
    fn from(domain: Domain) -> Self {
        domain.values
    }
}

/// Compares names in natural order: runs of digits by value, the rest by character, so that `w2` comes before `w10`.
///
/// Equal only for equal strings: `01` and `1` differ.
///
/// ```
/// use consilience::sources::natural_order;
///
/// let mut workers = ["w10", "w2", "w1"];
/// workers.sort_by(|a, b| natural_order(a, b));
/// assert_eq!(workers, ["w1", "w2", "w10"]);
/// ```
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut x, mut y) = (a.as_bytes(), b.as_bytes());
    loop {
        let (digits_x, digits_y) = (leading_digits(x), leading_digits(y));
        if digits_x > 0 && digits_y > 0 {
            let (number_x, number_y) = (without_zeros(&x[..digits_x]), without_zeros(&y[..digits_y]));
            let by_value = number_x.len().cmp(&number_y.len()).then_with(|| number_x.cmp(number_y));
            if by_value != Ordering::Equal {
                return by_value;
            }
            (x, y) = (&x[digits_x..], &y[digits_y..]);
        } else {
            match (x.first(), y.first()) {
                (Some(p), Some(q)) if p == q => (x, y) = (&x[1..], &y[1..]),
                (p, q) if p == q => return a.cmp(b),
                (p, q) => return p.cmp(&q),
            }
        }
    }
}

fn leading_digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

fn without_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&b| b == b'0').count();
    &digits[zeros..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_are_distinct() {
        let error = Sources::new(names(&["a", "b", "a"])).unwrap_err();
        assert_eq!(error.to_string(), "duplicate source name \"a\" (positions 1 and 3); rename one of them");
        assert!(matches!(Classes::new(names(&["spam"])), Err(NamesError::TooFewClasses { .. })));
        assert!(matches!(Classes::numbered(70_000), Err(NamesError::TooMany { .. })));
    }

    #[test]
    fn classes_count_from_one() {
        let classes = Classes::new(names(&["ham", "spam"])).unwrap();
        assert_eq!(classes.vote("spam"), Some(2));
        assert_eq!(classes.name(2), "spam");
        assert_eq!(classes.votes().collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn natural_order_reads_numbers() {
        let mut list = names(&["w10", "w2", "10", "9", "b", "a", "w02", "w2x", "-1", ""]);
        list.sort_by(|a, b| natural_order(a, b));
        assert_eq!(list, names(&["", "-1", "9", "10", "a", "b", "w02", "w2", "w2x", "w10"]));
    }

    #[test]
    fn domains_start_with_abstain() {
        let domain = Domain::of([3, 1, 3]);
        assert_eq!(domain.values(), [0, 1, 3]);
        assert_eq!(domain.position(3), Some(2));
        assert_eq!(domain.position(2), None);
        assert_eq!(Domain::full(2), Domain::of([1, 2]));
    }
}
