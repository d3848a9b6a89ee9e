//! Builds a vote table from rows that come one by one and are forgotten once counted.

use super::encoding::Form;
use super::meaning::Meaning;
use super::notes::ReadingNote;
use super::pattern_set::PatternSet;
use super::patterns::Patterns;
use super::vocabulary::Vocabulary;
use super::{Votes, VotesError};
use crate::sources::{ABSTAIN, Classes, NamesError, Sources, Vote};

/// The votes of up to so many classes are counted class by class.
const FEW_CLASSES: usize = 8;

/// Rows that are encoded before the first of them is looked up: the processor then waits for several look-ups at once.
const ROWS_AT_ONCE: usize = 32;

/// Builds a table from a stream of rows; [`VotesBuilder::finish`] completes it.
///
/// ```
/// use consilience::sources::Sources;
/// use consilience::votes::{Vocabulary, VotesBuilder};
///
/// let sources = Sources::new(vec!["judge_a".into(), "judge_b".into()])?;
/// let mut vocabulary = Vocabulary::default();
/// let mut builder = VotesBuilder::new(sources);
/// for row in [["good", "bad"], ["good", ""], ["good", "bad"]] {
///     let votes = [vocabulary.read(row[0])?, vocabulary.read(row[1])?];
///     builder.push_dense(&votes)?;
/// }
/// let votes = builder.finish(&vocabulary)?;
/// assert_eq!(votes.items(), 3);
/// assert_eq!(votes.patterns().len(), 2);
/// assert_eq!(votes.classes().names(), ["bad", "good"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct VotesBuilder {
    sources: Sources,
    pub(super) set: PatternSet,
    pub(super) item_pattern: Vec<u32>,
    encoded: Vec<u8>,
    /// No vote is larger.
    largest: Vote,
    /// How often each provisional vote occurs in rows that are not kept.
    pub(super) left_out: Vec<u64>,
}

impl VotesBuilder {
    /// An empty table over `sources`.
    pub fn new(sources: Sources) -> Self {
        Self {
            set: PatternSet::new(Form::of(sources.len(), ABSTAIN)),
            sources,
            item_pattern: Vec::new(),
            encoded: Vec::new(),
            largest: ABSTAIN,
            left_out: Vec::new(),
        }
    }

    /// The sources of the table.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Appends a source, which abstains on all items so far, and returns its position.
    ///
    /// ```
    /// use consilience::sources::{Classes, Sources};
    /// use consilience::votes::VotesBuilder;
    ///
    /// let mut builder = VotesBuilder::new(Sources::new(vec!["old".into()])?);
    /// builder.push_dense(&[1])?;
    /// builder.add_source("new".into())?;
    /// builder.push_dense(&[2, 2])?;
    /// let votes = builder.finish_as(Classes::numbered(2)?)?;
    /// assert_eq!(votes.row_of_item(0).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_source(&mut self, name: String) -> Result<usize, NamesError> {
        let place = self.sources.add(name)?;
        self.set.admit(self.sources.len(), self.largest);
        Ok(place)
    }

    /// The number of items so far.
    pub fn items(&self) -> usize {
        self.item_pattern.len()
    }

    /// The number of distinct rows so far.
    pub fn patterns(&self) -> usize {
        self.set.len()
    }

    /// Adds an item by its votes as `(source, vote)`, ascending by source; abstains may be left out.
    ///
    /// ```
    /// use consilience::sources::{Classes, Sources};
    /// use consilience::votes::VotesBuilder;
    ///
    /// let workers = Sources::new((0..1_000).map(|j| format!("worker_{j}")).collect())?;
    /// let mut builder = VotesBuilder::new(workers);
    /// builder.push(&[(3, 1), (702, 2)])?; // two of a thousand workers vote on this item
    /// let votes = builder.finish_as(Classes::numbered(2)?)?;
    /// assert_eq!(votes.row_of_item(0).collect::<Vec<_>>(), [(3, 1), (702, 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, votes: &[(u32, Vote)]) -> Result<(), VotesError> {
        let ascending = votes.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !ascending || votes.last().is_some_and(|last| last.0 as usize >= self.sources.len()) {
            return Err(VotesError::Row { item: self.items() + 1, sources: self.sources.len() });
        }
        self.admit(votes.iter().map(|&(_, vote)| vote).max());
        self.set.form().encode(votes.iter().copied().filter(|&(_, vote)| vote != ABSTAIN), &mut self.encoded);
        self.push_encoded()
    }

    /// Adds an item by one vote per source, [`ABSTAIN`] included.
    pub fn push_dense(&mut self, votes: &[Vote]) -> Result<(), VotesError> {
        if votes.len() != self.sources.len() {
            return Err(VotesError::Row { item: self.items() + 1, sources: self.sources.len() });
        }
        self.admit(votes.iter().copied().max());
        self.set.form().encode_dense(votes, &mut self.encoded);
        self.push_encoded()
    }

    /// The same with votes of one byte each, for tables of at most 255 classes.
    ///
    /// ```
    /// use consilience::sources::{Classes, Sources};
    /// use consilience::votes::VotesBuilder;
    ///
    /// let mut builder = VotesBuilder::new(Sources::numbered(3)?);
    /// builder.push_bytes(&[2, 0, 1])?; // the second source abstains
    /// let votes = builder.finish_as(Classes::numbered(2)?)?;
    /// assert_eq!(votes.row_of_item(0).collect::<Vec<_>>(), [(0, 2), (2, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push_bytes(&mut self, votes: &[u8]) -> Result<(), VotesError> {
        if votes.len() != self.sources.len() {
            return Err(VotesError::Row { item: self.items() + 1, sources: self.sources.len() });
        }
        self.admit(votes.iter().copied().max().map(Vote::from));
        self.set.form().encode_bytes(votes, &mut self.encoded);
        self.push_encoded()
    }

    /// Adds many items by their votes of one byte each, row by row; quicker than one by one.
    ///
    /// ```
    /// use consilience::sources::{Classes, Sources};
    /// use consilience::votes::VotesBuilder;
    ///
    /// let mut builder = VotesBuilder::new(Sources::numbered(3)?);
    /// builder.push_matrix(&[2, 0, 1, 1, 1, 0])?; // two items
    /// let votes = builder.finish_as(Classes::numbered(2)?)?;
    /// assert_eq!(votes.items(), 2);
    /// assert_eq!(votes.row_of_item(1).collect::<Vec<_>>(), [(0, 1), (1, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push_matrix(&mut self, votes: &[u8]) -> Result<(), VotesError> {
        let n = self.sources.len();
        if n == 0 || !votes.len().is_multiple_of(n) {
            return Err(VotesError::Row { item: self.items() + 1, sources: n });
        }
        let mut rows = [(0, 0); ROWS_AT_ONCE];
        for block in votes.chunks(ROWS_AT_ONCE * n) {
            let largest = block.iter().copied().max().map_or(ABSTAIN, Vote::from);
            self.admit(Some(largest));
            let form = self.set.form();
            let short = form.bytes_per_vote(n, largest).is_some();
            for (row, cells) in rows.iter_mut().zip(block.chunks_exact(n)) {
                let start = self.encoded.len();
                if short {
                    form.encode_short(cells, &mut self.encoded);
                } else {
                    form.encode_bytes(cells, &mut self.encoded);
                }
                *row = (self.set.hash(&self.encoded[start..]), self.encoded.len());
            }
            let mut start = 0;
            for &(hash, end) in &rows[..block.len() / n] {
                let number = self.set.add_hashed(hash, &self.encoded[start..end], 1);
                self.item_pattern.push(number.ok_or(VotesError::TooManyPatterns)?);
                start = end;
            }
        }
        Ok(())
    }

    /// Prepares for rows whose votes are at most `largest`.
    #[inline]
    fn admit(&mut self, largest: Option<Vote>) {
        self.encoded.clear();
        self.largest = self.largest.max(largest.unwrap_or(ABSTAIN));
        self.set.admit(self.sources.len(), self.largest);
    }

    /// Adds the row in `encoded`.
    fn push_encoded(&mut self) -> Result<(), VotesError> {
        let number = self.set.add(&self.encoded, 1).ok_or(VotesError::TooManyPatterns)?;
        self.item_pattern.push(number);
        Ok(())
    }

    /// Adds all items of `other`, whose vote `v` is called `relabel[v]` here and whose source `j` is `resource[j]` here;
    /// both maps keep apart what is different.
    pub(super) fn append(
        &mut self,
        other: &Self,
        relabel: &[Vote],
        resource: &[u32],
    ) -> Result<(), VotesError> {
        self.admit(relabel.iter().copied().max());
        let form = self.set.form();
        let mut number_here = Vec::with_capacity(other.set.len());
        let mut row: Vec<(u32, Vote)> = Vec::new();
        for p in 0..other.set.len() {
            row.clear();
            row.extend(
                other.set.votes(p).map(|(source, vote)| (resource[source as usize], relabel[vote as usize])),
            );
            row.sort_unstable_by_key(|&(source, _)| source);
            self.encoded.clear();
            form.encode(row.iter().copied(), &mut self.encoded);
            number_here
                .push(self.set.add(&self.encoded, other.set.count(p)).ok_or(VotesError::TooManyPatterns)?);
        }
        self.item_pattern.extend(other.item_pattern.iter().map(|&p| number_here[p as usize]));
        Ok(())
    }

    /// Adds all items of another part of the same table, read with its own vocabulary.
    pub fn append_part(
        &mut self,
        vocabulary: &mut Vocabulary,
        part: &Self,
        part_vocabulary: &Vocabulary,
    ) -> Result<(), VotesError> {
        if self.sources != part.sources {
            return Err(VotesError::OtherSources);
        }
        let relabel = vocabulary.absorb(part_vocabulary)?;
        let resource: Vec<u32> = (0..self.sources.len() as u32).collect();
        self.append(part, &relabel, &resource)
    }

    /// Completes the table, with the classes that `vocabulary` has seen.
    pub fn finish(self, vocabulary: &Vocabulary) -> Result<Votes, VotesError> {
        Ok(self.finish_noted(vocabulary)?.0)
    }

    /// Like [`VotesBuilder::finish`], and also returns notes on how the classes were read.
    pub fn finish_noted(self, vocabulary: &Vocabulary) -> Result<(Votes, Vec<ReadingNote>), VotesError> {
        let Meaning { classes, relabel, notes } =
            vocabulary.finish(&self.vote_counts(vocabulary.names().len()))?;
        Ok((self.finish_with(classes, &relabel)?, notes))
    }

    /// How often each provisional vote occurs.
    fn vote_counts(&self, classes: usize) -> Vec<u64> {
        let mut counts = vec![0; classes + 1];
        counts.iter_mut().zip(&self.left_out).for_each(|(count, &left_out)| *count += left_out);
        // Most rows of a large table are those of one item: their votes are counted together.
        let form = self.set.form();
        let together = usize::from(self.largest) <= FEW_CLASSES
            && form.bytes_per_vote(self.sources.len(), self.largest).is_some();
        if together {
            for (count, vote) in counts[1..].iter_mut().zip(1..=self.largest as u8) {
                *count += form.count_votes(self.set.bytes(), vote);
            }
        }
        let counted = u64::from(together);
        for p in (0..self.set.len()).filter(|&p| self.set.count(p) != counted) {
            let times = self.set.count(p) - counted;
            self.set.votes(p).for_each(|(_, vote)| counts[usize::from(vote)] += times);
        }
        counts
    }

    /// Completes the table, for votes that are already numbers of `classes`.
    pub fn finish_as(self, classes: Classes) -> Result<Votes, VotesError> {
        let unchanged: Vec<Vote> = (0..=classes.len() as Vote).collect();
        let classes_beyond = |&(_, vote): &(u32, Vote)| usize::from(vote) > classes.len();
        let rows = if usize::from(self.largest) > classes.len() { self.set.len() } else { 0 };
        if let Some((source, vote)) = (0..rows).find_map(|p| self.set.votes(p).find(classes_beyond)) {
            return Err(VotesError::NoSuchClass {
                vote,
                source_name: self.sources.name(source as usize).to_string(),
                classes: classes.len(),
            });
        }
        self.finish_with(classes, &unchanged)
    }

    pub(super) fn finish_with(self, classes: Classes, relabel: &[Vote]) -> Result<Votes, VotesError> {
        if self.item_pattern.is_empty() {
            return Err(VotesError::NoItems);
        }
        let (patterns, place) = Patterns::from_set(self.set, self.sources.len(), relabel);
        let mut item_pattern = self.item_pattern;
        for number in &mut item_pattern {
            *number = place[*number as usize];
        }
        Ok(Votes::assemble(self.sources, classes, patterns, item_pattern))
    }

    /// The rows of a finished table, to be added to.
    pub(super) fn from_votes(votes: &Votes) -> Self {
        Self::counted(votes, votes.patterns().counts(), votes.item_pattern().to_vec())
    }

    /// The rows of a finished table with other counts, and with items that have these rows; rows that no item has are left out.
    pub(super) fn counted(votes: &Votes, counts: &[u64], mut item_pattern: Vec<u32>) -> Self {
        let mut builder = Self::new(votes.sources().clone());
        builder.admit(Some(votes.classes().len() as Vote));
        let form = builder.set.form();
        let mut number = vec![0; counts.len()];
        for (p, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            builder.encoded.clear();
            let row = votes.patterns().row(p).map(|(source, vote)| (source as u32, vote));
            form.encode(row, &mut builder.encoded);
            // A finished table holds no more patterns than there are numbers.
            number[p] = builder.set.add(&builder.encoded, count).unwrap_or(u32::MAX);
        }
        for p in &mut item_pattern {
            *p = number[*p as usize];
        }
        builder.item_pattern = item_pattern;
        builder
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Streams, unit};

    /// Rows of a matrix are those that are added one by one, and votes are counted alike in tables of all widths.
    #[test]
    fn a_matrix_is_its_rows() {
        for (sources, classes) in [(3, 2), (100, 2), (128, 9), (129, 2), (20, 255)] {
            let mut rng = Streams::new(7).stream(0);
            let mut vote =
                || if unit(&mut rng) < 0.6 { 0 } else { 1 + (unit(&mut rng) * classes as f64) as u8 };
            let cells: Vec<u8> = (0..sources * 100).map(|_| vote()).collect();
            let new = || VotesBuilder::new(Sources::numbered(sources).unwrap());
            let (mut at_once, mut one_by_one) = (new(), new());
            at_once.push_matrix(&cells).unwrap();
            cells.chunks_exact(sources).for_each(|row| one_by_one.push_bytes(row).unwrap());
            let mut counts = vec![0; classes + 1];
            cells.iter().filter(|&&vote| vote > 0).for_each(|&vote| counts[usize::from(vote)] += 1);
            assert_eq!(at_once.vote_counts(classes), counts, "{sources} sources");
            let names = Classes::numbered(classes).unwrap();
            let (at_once, one_by_one) =
                (at_once.finish_as(names.clone()).unwrap(), one_by_one.finish_as(names).unwrap());
            assert_eq!(at_once.patterns(), one_by_one.patterns());
            assert_eq!(at_once.item_pattern(), one_by_one.item_pattern());
        }
        let mut builder = VotesBuilder::new(Sources::numbered(3).unwrap());
        assert!(builder.push_matrix(&[1, 2]).is_err());
    }

    /// A table of few sources and two classes to which a third class, or the 128th source, comes late: items keep their votes, equal
    /// rows stay one pattern, and rows are in the same order as if all had been known from the start.
    #[test]
    fn rows_are_rewritten_for_what_comes_late() {
        let mut rng = Streams::new(8).stream(0);
        let mut row = |sources: u32, classes: f64| -> Vec<(u32, Vote)> {
            let cast: Vec<u32> = (0..sources).filter(|_| unit(&mut rng) < 0.03).collect();
            cast.into_iter().map(|j| (j, 1 + (unit(&mut rng) * classes) as Vote)).collect()
        };
        for (late_sources, late_classes) in [(0, 3.0), (1, 2.0), (30, 300.0)] {
            let early: Vec<_> = (0..300).map(|_| row(127, 2.0)).collect();
            let late: Vec<_> = (0..300).map(|_| row(127 + late_sources, late_classes)).collect();
            let names = |n: u32| Sources::numbered(n as usize).unwrap();
            let (mut grown, mut known) =
                (VotesBuilder::new(names(127)), VotesBuilder::new(names(127 + late_sources)));
            for row in &early {
                grown.push(row).unwrap();
            }
            for name in &names(127 + late_sources).names()[127..] {
                grown.add_source(name.clone()).unwrap();
            }
            for row in &late {
                grown.push(row).unwrap();
            }
            for row in late.iter().chain(&early) {
                known.push(row).unwrap();
            }
            let classes = Classes::numbered(late_classes as usize).unwrap();
            let (grown, known) =
                (grown.finish_as(classes.clone()).unwrap(), known.finish_as(classes).unwrap());
            assert_eq!(grown.patterns(), known.patterns(), "{late_sources} sources, {late_classes} classes");
            for (i, row) in early.iter().chain(&late).enumerate() {
                assert!(grown.row_of_item(i).eq(row.iter().map(|&(j, vote)| (j as usize, vote))), "item {i}");
            }
        }
    }
}
