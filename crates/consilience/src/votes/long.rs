//! Builds a vote table from a list of single votes: item, source, vote.

use hashbrown::HashMap;

use super::builder::VotesBuilder;
use super::meaning::Meaning;
use super::notes::ReadingNote;
use super::survey::names_gold;
use super::vocabulary::{Origin, Vocabulary};
use super::{Votes, VotesError};
use crate::sources::{ABSTAIN, Classes, Sources, Vote, natural_order};

/// Names with numbers in the order of their first appearance.
#[derive(Clone, Debug, Default)]
struct Seen {
    names: Vec<String>,
    number: HashMap<String, u32>,
}

impl Seen {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.number.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_string());
        self.number.insert(name.to_string(), number);
        number
    }

    /// A note on numbers that are written in two ways, such as 7 and 7.0, as spreadsheets and data frames do.
    fn in_two_spellings(&self) -> Option<ReadingNote> {
        let plain = |name: &String| {
            let number = name.strip_suffix(".0").unwrap_or(name);
            let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            let digits = number.trim_start_matches('0');
            is_number.then(|| if digits.is_empty() { "0".to_string() } else { digits.to_string() })
        };
        let is_other = |name: &&String| name.starts_with('0') || name.ends_with(".0");
        let pairs = self.names.iter().filter(is_other).filter_map(|name| Some((plain(name)?, name)));
        let mut pairs = pairs.filter(|(plain, name)| plain != *name && self.number.contains_key(plain));
        let (first, other) = pairs.next()?;
        Some(ReadingNote::AlikeItems { items: 1 + pairs.count(), example: (first, other.clone()) })
    }
}

/// Builds a table from single votes in any order.
///
/// Items keep the order of their first appearance; sources are in natural order. A repeated vote counts once; two different
/// votes of one source on one item are an error.
///
/// ```
/// use consilience::votes::{LongVotesBuilder, Vocabulary};
///
/// let mut vocabulary = Vocabulary::default();
/// let mut builder = LongVotesBuilder::new();
/// for (item, worker, answer) in [("q1", "ann", "cat"), ("q2", "bob", "dog"), ("q1", "bob", "cat")] {
///     let vote = vocabulary.read(answer)?;
///     builder.push(item, worker, vote);
/// }
/// let table = builder.finish(&vocabulary)?;
/// assert_eq!(table.items, ["q1", "q2"]);
/// assert_eq!(table.votes.sources().names(), ["ann", "bob"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LongVotesBuilder {
    items: Seen,
    sources: Seen,
    votes: Vec<(u32, u32, Vote)>,
    /// Whether a source may be gold, and sources that are not, whatever they are called.
    find_gold: Option<Vec<String>>,
}

/// A finished long table.
#[derive(Clone, Debug)]
pub struct LongVotes {
    /// The table.
    pub votes: Votes,
    /// The name of each item, in the table's order.
    pub items: Vec<String>,
    /// The true class of each item, if a source is called gold: abstain if unknown, [`Vote::MAX`] if no other source votes for it.
    pub gold: Option<Vec<Vote>>,
    /// The number of repeated votes.
    pub repeated: usize,
    /// What was decided about the classes.
    pub notes: Vec<ReadingNote>,
}

impl LongVotesBuilder {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a source called gold, truth or the like as the true classes, if there are two others, unless `keep` names it.
    ///
    /// ```
    /// use consilience::votes::{LongVotesBuilder, Vocabulary};
    ///
    /// let mut vocabulary = Vocabulary::default();
    /// let mut builder = LongVotesBuilder::new().find_gold(&[]);
    /// for (worker, answer) in [("ann", "cat"), ("bob", "dog"), ("gold", "cat")] {
    ///     builder.push("q1", worker, vocabulary.read(answer)?);
    /// }
    /// let table = builder.finish(&vocabulary)?;
    /// assert_eq!(table.votes.sources().names(), ["ann", "bob"]);
    /// assert_eq!(table.gold, Some(vec![1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn find_gold(mut self, keep: &[String]) -> Self {
        self.find_gold = Some(keep.to_vec());
        self
    }

    /// The source that is gold by its name.
    fn gold_source(&self) -> Option<u32> {
        let keep = self.find_gold.as_ref()?;
        let is_gold = |(_, name): &(u32, &String)| names_gold(name) && !keep.contains(name);
        let mut found = (0..).zip(&self.sources.names).filter(is_gold);
        match (found.next(), found.next()) {
            (Some((only, _)), None) if self.sources.names.len() > 2 => Some(only),
            _ => None,
        }
    }

    /// A note on items that differ in case and blanks only, if nobody votes on both.
    fn items_in_two_cases(&self) -> Option<ReadingNote> {
        /// Among more codes of letters, some are alike by chance.
        const MOST_ITEMS: usize = 1 << 14;
        if self.items.names.len() > MOST_ITEMS {
            return None;
        }
        let mut items_of: HashMap<String, Vec<u32>> = HashMap::new();
        for (item, name) in (0..).zip(&self.items.names) {
            let plain = name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            items_of.entry(plain).or_default().push(item);
        }
        items_of.retain(|_, items| items.len() > 1);
        if items_of.is_empty() {
            return None;
        }
        let mut voters: HashMap<u32, Vec<u32>> =
            items_of.values().flatten().map(|&item| (item, Vec::new())).collect();
        for (item, source, _) in &self.votes {
            if let Some(voters) = voters.get_mut(item) {
                voters.push(*source);
            }
        }
        let are_one = |items: &&Vec<u32>| {
            let mut all: Vec<u32> = items.iter().flat_map(|item| &voters[item]).copied().collect();
            let votes = all.len();
            all.sort_unstable();
            all.dedup();
            all.len() == votes
        };
        let found: Vec<&Vec<u32>> = items_of.values().filter(are_one).collect();
        let first = found.iter().min()?;
        let name = |at: usize| self.items.names[first[at] as usize].clone();
        Some(ReadingNote::AlikeItems { items: found.len(), example: (name(0), name(1)) })
    }

    /// The number of different items so far.
    pub fn items(&self) -> usize {
        self.items.names.len()
    }

    /// Adds the vote of `source` on `item`, numbered by the vocabulary, and returns the item's position; an abstain still
    /// makes both known.
    pub fn push(&mut self, item: &str, source: &str, vote: Vote) -> usize {
        let item = self.items.number(item);
        let source = self.sources.number(source);
        if vote != ABSTAIN {
            self.votes.push((item, source, vote));
        }
        item as usize
    }

    /// The table, its classes as `vocabulary` saw them.
    pub fn finish(self, vocabulary: &Vocabulary) -> Result<LongVotes, VotesError> {
        let gold_source = self.gold_source();
        let alike = self.items_in_two_cases();
        let mut order: Vec<u32> = (0..self.sources.names.len() as u32).collect();
        order.retain(|&source| Some(source) != gold_source);
        let name = |source: u32| &self.sources.names[source as usize];
        order.sort_by(|&a, &b| natural_order(name(a), name(b)));
        let mut place = vec![0; self.sources.names.len()];
        for (to, &from) in (0..).zip(&order) {
            place[from as usize] = to;
        }
        let names = order.iter().map(|&source| name(source).clone()).collect();
        let (golds, mut votes): (Vec<_>, Vec<_>) =
            self.votes.into_iter().partition(|vote| Some(vote.1) == gold_source);
        let mut counts = vec![0; vocabulary.names().len() + 1];
        for vote in &votes {
            counts[usize::from(vote.2)] += 1;
        }
        let mut meaning = vocabulary.finish(&counts)?;
        let other = if gold_source.is_some() && vocabulary.origin() == Origin::Votes {
            without_unvoted(&mut meaning, &counts)?
        } else {
            Vec::new()
        };
        let Meaning { classes, relabel, mut notes } = meaning;
        let gold = gold_source.map(|source| {
            notes.insert(0, ReadingNote::GoldSource { source: name(source).clone() });
            gold_of_items(self.items.names.len(), &golds, &relabel)
        });
        let gold = gold.transpose().map_err(|item| VotesError::TwoVotes {
            item: self.items.names[item].clone(),
            source_name: gold_source.map(|source| name(source).clone()).unwrap_or_default(),
        })?;
        notes.extend(alike.or_else(|| self.items.in_two_spellings()));
        let items = gold.iter().flatten().filter(|&&class| class == Vote::MAX).count();
        if items > 0 {
            notes.push(ReadingNote::OtherGold { items, classes: other });
        }
        for vote in &mut votes {
            *vote = (vote.0, place[vote.1 as usize], relabel[usize::from(vote.2)]);
        }
        votes.retain(|vote| vote.2 != ABSTAIN);
        votes.sort_unstable();
        let all = votes.len();
        votes.dedup();
        let repeated = all - votes.len();

        let sources = Sources::new(names)?;
        let mut builder = VotesBuilder::new(sources);
        let mut rest = votes.as_slice();
        for (item, name) in (0..).zip(&self.items.names) {
            let (row, later) = rest.split_at(rest.iter().take_while(|vote| vote.0 == item).count());
            if let Some(pair) = row.windows(2).find(|pair| pair[0].1 == pair[1].1) {
                return Err(VotesError::TwoVotes {
                    item: name.clone(),
                    source_name: builder.sources().name(pair[0].1 as usize).to_string(),
                });
            }
            let row: Vec<(u32, Vote)> = row.iter().map(|&(_, source, vote)| (source, vote)).collect();
            builder.push(&row)?;
            rest = later;
        }
        Ok(LongVotes { votes: builder.finish_as(classes)?, items: self.items.names, gold, repeated, notes })
    }
}

/// Takes the classes without any vote out of `meaning`: gold never adds a class. Their provisional votes become [`Vote::MAX`].
fn without_unvoted(meaning: &mut Meaning, counts: &[u64]) -> Result<Vec<String>, VotesError> {
    let mut voted = vec![false; meaning.classes.len() + 1];
    for (&class, &count) in meaning.relabel.iter().zip(counts) {
        voted[usize::from(class)] |= count > 0;
    }
    let (mut kept, mut other, mut number) = (Vec::new(), Vec::new(), vec![ABSTAIN]);
    for (name, &voted) in meaning.classes.names().iter().zip(&voted[1..]) {
        let list = if voted { &mut kept } else { &mut other };
        list.push(name.clone());
        number.push(if voted { kept.len() as Vote } else { Vote::MAX });
    }
    if other.is_empty() || kept.is_empty() {
        return Ok(Vec::new());
    }
    meaning.classes = Classes::new(kept)?;
    meaning.relabel.iter_mut().for_each(|vote| *vote = number[usize::from(*vote)]);
    Ok(other)
}

/// The gold class of each item; the item where there are two.
fn gold_of_items(items: usize, golds: &[(u32, u32, Vote)], relabel: &[Vote]) -> Result<Vec<Vote>, usize> {
    let mut gold = vec![ABSTAIN; items];
    for &(item, _, vote) in golds {
        let (known, class) = (&mut gold[item as usize], relabel[usize::from(vote)]);
        if *known != ABSTAIN && class != ABSTAIN && *known != class {
            return Err(item as usize);
        }
        if class != ABSTAIN {
            *known = class;
        }
    }
    Ok(gold)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(&str, &str, &str)]) -> Result<LongVotes, VotesError> {
        let mut vocabulary = Vocabulary::default();
        let mut builder = LongVotesBuilder::new();
        for (item, source, vote) in rows {
            let vote = vocabulary.read(vote).unwrap();
            builder.push(item, source, vote);
        }
        builder.finish(&vocabulary)
    }

    #[test]
    fn votes_come_in_any_order() {
        let a = table(&[("x", "w10", "1"), ("y", "w2", "0"), ("x", "w2", "1"), ("z", "w2", "")]).unwrap();
        assert_eq!(a.items, ["x", "y", "z"]);
        assert_eq!(a.votes.sources().names(), ["w2", "w10"]);
        assert_eq!(a.votes.row_of_item(0).collect::<Vec<_>>(), [(0, 2), (1, 2)]);
        assert_eq!(a.votes.row_of_item(2).count(), 0);
    }

    #[test]
    fn a_source_called_gold_is_no_source() {
        let rows = [
            ("x", "a", "1"),
            ("x", "b", "0"),
            ("y", "Gold", "2"),
            ("x", "Gold", "1"),
            ("y", "a", "0"),
            ("z", "b", "1"),
        ];
        let mut vocabulary = Vocabulary::default();
        let build = |vocabulary: &mut Vocabulary, keep: &[String]| {
            let mut builder = LongVotesBuilder::new().find_gold(keep);
            for (item, source, vote) in rows {
                builder.push(item, source, vocabulary.read(vote).unwrap());
            }
            builder.finish(vocabulary).unwrap()
        };
        let found = build(&mut vocabulary, &[]);
        assert_eq!(found.votes.sources().names(), ["a", "b"]);
        assert_eq!(found.votes.classes().names(), ["0", "1"]);
        assert_eq!(
            (found.items, found.gold),
            (vec!["x".into(), "y".into(), "z".into()], Some(vec![2, Vote::MAX, 0]))
        );
        let told = ReadingNote::OtherGold { items: 1, classes: vec!["2".to_string()] };
        assert_eq!(found.notes, [ReadingNote::GoldSource { source: "Gold".to_string() }, told]);
        let kept = build(&mut vocabulary, &["Gold".to_string()]);
        assert_eq!((kept.votes.sources().len(), kept.gold, kept.notes), (3, None, Vec::new()));
        assert_eq!(table(&rows).unwrap().votes.sources().len(), 3);
    }

    #[test]
    fn items_in_two_spellings_are_told() {
        let notes = |items: [&str; 3]| {
            let rows: Vec<_> =
                items.into_iter().zip(["x", "y", "x"]).map(|(item, vote)| (item, "a", vote)).collect();
            table(&rows).unwrap().notes
        };
        let told = |items: usize, a: &str, b: &str| {
            vec![ReadingNote::AlikeItems { items, example: (a.to_string(), b.to_string()) }]
        };
        assert_eq!(notes(["7", "7.0", "8.0"]), told(1, "7", "7.0"));
        assert_eq!(notes(["12", "012", "0"]), told(1, "12", "012"));
        assert_eq!(notes(["7.5", "7", "0"]), []);
        assert_eq!(notes(["v1.0", "1", "v1"]), []);
    }

    #[test]
    fn a_repeated_vote_counts_once_and_two_votes_are_an_error() {
        let a = table(&[("x", "a", "1"), ("x", "a", "1"), ("x", "b", "0")]).unwrap();
        assert_eq!(a.repeated, 1);
        let error = table(&[("x", "a", "1"), ("x", "a", "0")]).unwrap_err();
        assert!(error.to_string().contains("\"x\"") && error.to_string().contains("\"a\""), "{error}");
    }
}
