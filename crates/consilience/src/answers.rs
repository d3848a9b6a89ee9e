//! Answers: the classes that people gave to some of the items.
//!
//! Answers correct a model ([`crate::labels::correct`]) and certify labels ([`crate::certificate::certify`]). Gold is
//! something else: it scores a result and never changes one.

use crate::rng::{Streams, unit};
use crate::sources::{ABSTAIN, Classes, Vote};

/// Why answers are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswersError {
    /// Not one entry per item.
    #[error(
        "the table has {items} items, but there are {answers} answers; provide one per item, and leave unknown ones empty"
    )]
    Length {
        /// How many items the table has.
        items: usize,
        /// How many entries came.
        answers: usize,
    },
    /// An answer that is not a class of the votes.
    #[error("item {item}: the answer {answer} is not one of the {classes} classes")]
    NoSuchClass {
        /// The item, counted from 0.
        item: usize,
        /// The answer.
        answer: Vote,
        /// How many classes there are.
        classes: usize,
    },
}

/// The classes that people gave to some items.
///
/// ```
/// use consilience::answers::Answers;
/// use consilience::sources::Classes;
///
/// // Of four items, a person answered the second and the last.
/// let answers = Answers::new(vec![0, 2, 0, 1], 4, &Classes::numbered(2)?)?;
/// assert_eq!(answers.len(), 2);
/// assert_eq!(answers.iter().collect::<Vec<_>>(), [(1, 2), (3, 1)]);
/// assert_eq!(answers.counts(2), [1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    of_item: Vec<Vote>,
    /// The answered items, ascending: a few of what may be millions.
    answered: Vec<usize>,
}

impl Answers {
    /// Takes one entry for each of the table's `items` items; [`ABSTAIN`] if there is no answer.
    pub fn new(of_item: Vec<Vote>, items: usize, classes: &Classes) -> Result<Self, AnswersError> {
        if of_item.len() != items {
            return Err(AnswersError::Length { items, answers: of_item.len() });
        }
        if let Some(item) = of_item.iter().position(|&answer| usize::from(answer) > classes.len()) {
            let (answer, classes) = (of_item[item], classes.len());
            return Err(AnswersError::NoSuchClass { item, answer, classes });
        }
        let answered = of_item
            .iter()
            .enumerate()
            .filter(|&(_, &answer)| answer != ABSTAIN)
            .map(|(item, _)| item)
            .collect();
        Ok(Self { of_item, answered })
    }

    /// The number of answered items.
    pub fn len(&self) -> usize {
        self.answered.len()
    }

    /// Whether no item has an answer.
    pub fn is_empty(&self) -> bool {
        self.answered.is_empty()
    }

    /// The number of items, answered or not.
    pub fn items(&self) -> usize {
        self.of_item.len()
    }

    /// One entry per item; [`ABSTAIN`] if there is no answer.
    pub fn of_items(&self) -> &[Vote] {
        &self.of_item
    }

    /// The answered items and their classes, in the order of the items.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Vote)> + '_ {
        self.answered.iter().map(|&item| (item, self.of_item[item]))
    }

    /// The number of answers for each of `classes` classes; entry `c - 1` is for class `c`.
    pub fn counts(&self, classes: usize) -> Vec<usize> {
        let mut counts = vec![0; classes];
        self.iter().for_each(|(_, answer)| counts[usize::from(answer) - 1] += 1);
        counts
    }
}

/// Draws `count` distinct numbers from 0 to `items - 1` uniformly at random, in the order drawn.
///
/// A larger sample with the same seed begins with the smaller one, so a sample can be extended. If `count` exceeds `items`,
/// all numbers are drawn.
///
/// ```
/// use consilience::answers::sample;
///
/// let first = sample(10_000, 100, 7);
/// assert_eq!(first.len(), 100);
/// assert_eq!(sample(10_000, 150, 7)[..100], first);
/// ```
pub fn sample(items: usize, count: usize, seed: u64) -> Vec<usize> {
    let count = count.min(items);
    let mut rng = Streams::new(seed).stream(0);
    // The first steps of a Fisher-Yates shuffle; only moved places are stored, so that a small sample of a large table
    // costs little.
    let mut moved: hashbrown::HashMap<usize, usize> = hashbrown::HashMap::with_capacity(2 * count);
    (0..count)
        .map(|place| {
            let left = items - place;
            let other = place + ((unit(&mut rng) * left as f64) as usize).min(left - 1);
            let here = moved.get(&place).copied().unwrap_or(place);
            moved.insert(other, here).unwrap_or(other)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_classes() -> Classes {
        Classes::numbered(2).unwrap()
    }

    #[test]
    fn answers_are_counted_and_checked() {
        let answers = Answers::new(vec![0, 2, 1, 0, 2], 5, &two_classes()).unwrap();
        assert_eq!((answers.len(), answers.items()), (3, 5));
        assert_eq!(answers.iter().collect::<Vec<_>>(), [(1, 2), (2, 1), (4, 2)]);
        assert_eq!(answers.counts(2), [1, 2]);
        let wrong = Answers::new(vec![3], 1, &two_classes()).unwrap_err();
        assert_eq!(wrong, AnswersError::NoSuchClass { item: 0, answer: 3, classes: 2 });
        let wrong = Answers::new(vec![1], 2, &two_classes()).unwrap_err();
        assert_eq!(wrong, AnswersError::Length { items: 2, answers: 1 });
    }

    #[test]
    fn a_larger_sample_begins_with_the_smaller_one_and_never_repeats() {
        let all = sample(100, 1000, 3);
        let mut sorted = all.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
        assert_eq!(sample(100, 30, 3), all[..30]);
        assert_ne!(sample(100, 30, 4), all[..30]);
        assert!(sample(0, 5, 1).is_empty());
    }

    /// Every item has the same chance at every place: the counts of 20,000 draws against their binomial errors.
    #[test]
    fn samples_are_uniform() {
        let (items, count, draws) = (7, 3, 20_000);
        let mut counts = vec![vec![0u32; items]; count];
        for seed in 0..draws {
            for (place, item) in sample(items, count, seed).into_iter().enumerate() {
                counts[place][item] += 1;
            }
        }
        let (expected, share) = (draws as f64 / items as f64, 1.0 / items as f64);
        let error = (draws as f64 * share * (1.0 - share)).sqrt();
        for count in counts.into_iter().flatten() {
            assert!((f64::from(count) - expected).abs() < 5.0 * error, "{count} of {expected}");
        }
    }
}
