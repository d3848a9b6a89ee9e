//! What a written vote means: abstain, or a class.
//!
//! | written | means |
//! |---|---|
//! | nothing, or only white space | abstain |
//! | a mark of abstaining ([`AbstainMarks`]), unless a class was declared by that name | abstain |
//! | `-1`, if no marks were given | abstain, unless -1 and 1 are the only votes of the table: then both are classes |
//! | the name of a class, in any case | that class |
//! | a whole number (`1`, `1.0`, `+1`) | the class called `1` |
//! | a whole number if the user declared words as classes | the class at that position, counted from 0 |
//! | any other number (`-2`, `0.5`, `1e308`) | refused |
//! | any other text | a class of that name, unless the classes were declared |
//!
//! Numbers never stand for the names of classes that a model knows: see [`Vocabulary::known`].

use hashbrown::HashMap;

use super::marks::{AbstainMarks, MINUS_ONE, number, whole_number};
use super::meaning::{Meaning, meaning};
use super::notes::ReadingNote;
use crate::sources::{ABSTAIN, Classes, MAX_CLASSES, NamesError, Vote};

/// Why a written vote is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VoteError {
    /// Not among the declared classes.
    #[error("the vote \"{text}\" is not a class; the classes are {}. Correct the vote, or add it to the classes", quoted(.classes))]
    Undeclared {
        /// The vote as written.
        text: String,
        /// The declared names.
        classes: Vec<String>,
    },
    /// A number that is not a class.
    #[error(
        "the vote \"{text}\" is not a class: a number must be whole and not negative; leave the cell empty (or write {abstain}) to abstain"
    )]
    Number {
        /// The vote as written.
        text: String,
        /// The abstain mark.
        abstain: String,
    },
    /// More different votes than classes are supported.
    #[error(
        "there are more than {MAX_CLASSES} distinct votes, the last one \"{text}\"; this does not look like a source"
    )]
    TooMany {
        /// The vote as written.
        text: String,
    },
    /// The largest value of an unsigned type, which is what -1 becomes there.
    #[error(
        "the vote {text} is the largest value of an unsigned type, which is what -1 turns into; use a signed type, or declare it as a class or as abstaining"
    )]
    Wrapped {
        /// The vote as written.
        text: String,
    },
}

pub(super) fn quoted(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut text: Vec<String> = names.iter().take(SHOWN).map(|n| format!("\"{n}\"")).collect();
    if names.len() > SHOWN {
        text.push(format!("... ({} in all)", names.len()));
    }
    text.join(", ")
}

/// Where the classes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The votes name them.
    Votes,
    /// The user declared them: no others, and numbers may stand for them by position.
    Declared,
    /// A model has them: votes are read as they are and compared with them at the end.
    Known,
}

/// Reads votes as text and collects their classes.
///
/// Classes get provisional numbers in the order of their appearance; [`Vocabulary::finish`] gives the final order,
/// which does not depend on the order of the rows. Until then `Ham` and `ham` are two, and `-1` is one.
///
/// ```
/// use consilience::votes::Vocabulary;
///
/// let mut vocabulary = Vocabulary::default();
/// assert_eq!(vocabulary.read("spam")?, 1);
/// assert_eq!(vocabulary.read(" ")?, 0); // an empty cell abstains
/// assert_eq!(vocabulary.read("ham")?, 2);
/// let meaning = vocabulary.finish(&[1, 1, 1])?;
/// assert_eq!(meaning.classes.names(), ["ham", "spam"]);
/// assert_eq!(meaning.relabel, [0, 2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Vocabulary {
    origin: Origin,
    /// How many classes were declared or known before any vote.
    given: usize,
    marks: AbstainMarks,
    names: Vec<String>,
    known: HashMap<String, Vote>,
    /// Written marks that were read as abstaining, other than -1 and marks that the user named.
    usual_marks: Vec<String>,
    by_position: bool,
    /// Whether -1 was read as abstaining although the classes were given.
    minus_one: bool,
    /// Numbers that were written with leading zeros.
    padded: Vec<String>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self::new(AbstainMarks::Usual)
    }
}

impl Vocabulary {
    /// A vocabulary that takes its classes from the votes.
    pub fn new(marks: AbstainMarks) -> Self {
        Self {
            origin: Origin::Votes,
            given: 0,
            marks,
            names: Vec::new(),
            known: HashMap::new(),
            usual_marks: Vec::new(),
            by_position: false,
            minus_one: false,
            padded: Vec::new(),
        }
    }

    /// A vocabulary with exactly these classes, in this order; any other vote is an error.
    ///
    /// ```
    /// use consilience::sources::Classes;
    /// use consilience::votes::{AbstainMarks, Vocabulary};
    ///
    /// let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
    /// let mut vocabulary = Vocabulary::declared(&classes, AbstainMarks::default());
    /// assert_eq!(vocabulary.read("spam")?, 2);
    /// assert!(vocabulary.read("eggs").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn declared(classes: &Classes, marks: AbstainMarks) -> Self {
        Self::given(Origin::Declared, classes, marks)
    }

    /// A model has these classes; votes for others are an error at the end, which names both.
    pub fn known(classes: &Classes, marks: AbstainMarks) -> Self {
        Self::given(Origin::Known, classes, marks)
    }

    fn given(origin: Origin, classes: &Classes, marks: AbstainMarks) -> Self {
        let mut vocabulary = Self::new(marks);
        for name in classes.names() {
            vocabulary.add(name.clone());
        }
        vocabulary.origin = origin;
        vocabulary.given = classes.len();
        // A mark that the user names abstains, even where a class of that name is declared.
        for name in classes.names().iter().filter(|name| vocabulary.marks.were_given(name)) {
            vocabulary.known.insert(name.clone(), ABSTAIN);
        }
        vocabulary
    }

    /// The vote that `text` stands for, with the provisional number of its class.
    pub fn read(&mut self, text: &str) -> Result<Vote, VoteError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(ABSTAIN);
        }
        if let Some(&vote) = self.known.get(text) {
            return Ok(vote);
        }
        let vote = self.read_new(text)?;
        self.known.insert(text.to_string(), vote);
        Ok(vote)
    }

    /// The vote that a number stands for, as [`Self::read`] would read it.
    pub fn read_integer(&mut self, number: i64) -> Result<Vote, VoteError> {
        self.read(&number.to_string())
    }

    /// The vote of the largest value of an unsigned type; refused unless it is a class or a mark by declaration.
    pub fn read_largest_unsigned(&mut self, number: u64) -> Result<Vote, VoteError> {
        let text = number.to_string();
        if self.marks.were_given(&text)
            || self.known.get(&text).is_some_and(|&vote| usize::from(vote) <= self.given)
        {
            return self.read(&text);
        }
        Err(VoteError::Wrapped { text })
    }

    /// A text that was not read before.
    fn read_new(&mut self, text: &str) -> Result<Vote, VoteError> {
        let whole = whole_number(text);
        let spelled = whole.map_or_else(|| text.to_string(), |number| number.to_string());
        if self.marks.were_given(&spelled) {
            return Ok(ABSTAIN);
        }
        if let Some(vote) = self.given_class(&spelled) {
            return Ok(vote);
        }
        if self.marks.contain(&spelled) {
            self.usual_marks.push(text.to_string());
            return Ok(ABSTAIN);
        }
        if spelled == MINUS_ONE && self.marks == AbstainMarks::Usual && self.origin != Origin::Votes {
            self.minus_one = true;
            return Ok(ABSTAIN);
        }
        let number = number(text);
        if number.is_some() && whole.is_none_or(|number| number < -1) {
            return Err(VoteError::Number {
                text: text.to_string(),
                abstain: self.marks.example().to_string(),
            });
        }
        if self.origin == Origin::Declared {
            return self.position(whole).ok_or_else(|| VoteError::Undeclared {
                text: text.to_string(),
                classes: self.names.clone(),
            });
        }
        if whole.is_some() && text.starts_with('0') && text[1..].starts_with(|c: char| c.is_ascii_digit()) {
            self.padded.push(text.to_string());
        }
        if let Some(&vote) = self.known.get(&spelled) {
            return Ok(vote);
        }
        self.room_for(text)?;
        Ok(self.add(spelled))
    }

    /// A declared or known class by its name, in any case if that is beyond doubt.
    fn given_class(&self, spelled: &str) -> Option<Vote> {
        let given = &self.names[..self.given];
        let at = |found: usize| found as Vote + 1;
        if let Some(found) = given.iter().position(|name| name == spelled) {
            return Some(at(found));
        }
        let lower = spelled.to_lowercase();
        let mut alike = given.iter().enumerate().filter(|(_, name)| name.to_lowercase() == lower);
        match (alike.next(), alike.next()) {
            (Some((found, _)), None) => Some(at(found)),
            (Some(_), Some(_)) => None,
            (None, _) => {
                let twin = super::meaning::boolean_twin(&lower)?;
                let twin_at = given.iter().position(|name| name.to_lowercase() == twin)?;
                super::meaning::all_boolean(given.iter().map(String::as_str)).then(|| at(twin_at))
            }
        }
    }

    /// The declared class at a position, if all names are words: among numbers, a position would be mistaken for one of them.
    fn position(&mut self, whole: Option<i64>) -> Option<Vote> {
        let position = usize::try_from(whole?).ok().filter(|&position| position < self.given)?;
        let all_words = self.names[..self.given].iter().all(|name| number(name).is_none());
        self.by_position |= all_words;
        all_words.then_some(position as Vote + 1)
    }

    fn room_for(&self, text: &str) -> Result<(), VoteError> {
        if self.names.len() < MAX_CLASSES {
            Ok(())
        } else {
            Err(VoteError::TooMany { text: text.to_string() })
        }
    }

    fn add(&mut self, name: String) -> Vote {
        let vote = self.names.len() as Vote + 1;
        self.known.insert(name.clone(), vote);
        self.names.push(name);
        vote
    }

    /// The classes so far; the class of the provisional vote `v` is entry `v - 1`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether -1 abstains by convention.
    pub(super) fn minus_one_is_usual(&self) -> bool {
        self.marks == AbstainMarks::Usual
    }

    pub(super) fn origin(&self) -> Origin {
        self.origin
    }

    /// The declared or known classes.
    pub(super) fn given_names(&self) -> &[String] {
        &self.names[..self.given]
    }

    /// Takes over the classes of another part of the same table; entry `v` of the result is this vocabulary's number
    /// for the other's vote `v`.
    pub fn absorb(&mut self, other: &Self) -> Result<Vec<Vote>, VoteError> {
        let mut map = vec![ABSTAIN];
        for name in &other.names {
            let vote = if let Some(&vote) = self.known.get(name) {
                vote
            } else {
                self.room_for(name)?;
                self.add(name.clone())
            };
            map.push(vote);
        }
        self.usual_marks.extend(other.usual_marks.iter().cloned());
        self.by_position |= other.by_position;
        self.minus_one |= other.minus_one;
        self.padded.extend(other.padded.iter().cloned());
        Ok(map)
    }

    /// What the provisional votes mean, the `v`-th of which occurs `counts[v]` times: of two spellings of a class the more
    /// frequent one names it.
    pub fn finish(&self, counts: &[u64]) -> Result<Meaning, NamesError> {
        let mut meaning = meaning(self, counts)?;
        let mut marks = self.usual_marks.clone();
        marks.sort_unstable();
        marks.dedup();
        if !marks.is_empty() {
            meaning.notes.push(ReadingNote::AbstainMarks { marks });
        }
        let mut written = self.padded.clone();
        written.sort_unstable();
        written.dedup();
        if !written.is_empty() {
            meaning.notes.push(ReadingNote::LeadingZeros { written });
        }
        let mut voted = self.names.iter().zip(counts.iter().skip(1)).filter(|(_, votes)| **votes > 0);
        if self.minus_one && voted.next().is_some_and(|(name, _)| name == "1") && voted.next().is_none() {
            meaning.notes.push(ReadingNote::MinusOneIsNoClass);
        }
        if self.by_position {
            meaning.notes.push(ReadingNote::ByPosition { classes: self.given_names().to_vec() });
        }
        Ok(meaning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(names: &[&str]) -> Classes {
        Classes::new(names.iter().map(ToString::to_string).collect()).unwrap()
    }

    fn declared(names: &[&str]) -> Vocabulary {
        Vocabulary::declared(&classes(names), AbstainMarks::Usual)
    }

    #[test]
    fn numbers_with_a_point_are_the_same_class() {
        let mut vocabulary = Vocabulary::default();
        assert_eq!(vocabulary.read("1").unwrap(), vocabulary.read("1.0").unwrap());
        assert_eq!(vocabulary.read(" 1 ").unwrap(), vocabulary.read_integer(1).unwrap());
        for abstain in ["", "  ", "null", "NULL", "NA", "?", "nan"] {
            assert_eq!(vocabulary.read(abstain), Ok(ABSTAIN), "{abstain:?}");
        }
        assert_eq!(vocabulary.read("-0").unwrap(), vocabulary.read("0").unwrap());
    }

    #[test]
    fn odd_numbers_are_refused() {
        for text in ["-2", "0.5", "1e308", "inf", "-inf", "1e-320"] {
            assert!(matches!(Vocabulary::default().read(text), Err(VoteError::Number { .. })), "{text}");
            assert!(declared(&["a", "b"]).read(text).is_err(), "{text}");
        }
        assert!(matches!(Vocabulary::default().read_largest_unsigned(255), Err(VoteError::Wrapped { .. })));
        assert_eq!(declared(&["0", "255"]).read_largest_unsigned(255), Ok(2));
        let told = AbstainMarks::these(["255"]);
        assert_eq!(Vocabulary::new(told).read_largest_unsigned(255), Ok(ABSTAIN));
    }

    #[test]
    fn declared_classes_go_by_name_then_by_position() {
        let mut vocabulary = declared(&["ham", "spam"]);
        assert_eq!(vocabulary.read("spam"), Ok(2));
        assert_eq!(vocabulary.read(" SPAM"), Ok(2));
        assert_eq!(vocabulary.read("1"), Ok(2));
        assert_eq!(vocabulary.read("-1"), Ok(ABSTAIN));
        assert!(matches!(vocabulary.read("2"), Err(VoteError::Undeclared { .. })));
        assert!(matches!(vocabulary.read("eggs"), Err(VoteError::Undeclared { .. })));
        assert_eq!(declared(&["2", "1"]).read("1"), Ok(2));
        assert!(matches!(declared(&["1", "2"]).read("0"), Err(VoteError::Undeclared { .. })));
        assert_eq!(declared(&["nan", "none"]).read("None"), Ok(2));
        assert_eq!(declared(&["-1", "1"]).read("-1"), Ok(1));
        let mut told = Vocabulary::declared(&classes(&["0", "1", "2"]), AbstainMarks::these(["0"]));
        assert_eq!((told.read("0"), told.read("0.0"), told.read("1")), (Ok(ABSTAIN), Ok(ABSTAIN), Ok(2)));
        // Booleans are told by what they mean, not by their position.
        assert_eq!(declared(&["true", "false"]).read("1"), Ok(1));
    }

    #[test]
    fn numbers_never_stand_for_names_that_a_model_knows() {
        let mut vocabulary = Vocabulary::known(&classes(&["approve", "reject"]), AbstainMarks::Usual);
        assert_eq!(vocabulary.read("Reject"), Ok(2));
        assert_eq!(vocabulary.read("1"), Ok(3));
        assert_eq!(vocabulary.read("-1"), Ok(ABSTAIN));
        let error = vocabulary.finish(&[0, 0, 1, 1]).unwrap_err();
        assert!(error.to_string().contains("\"1\"") && error.to_string().contains("\"approve\""), "{error}");
    }

    #[test]
    fn a_table_of_minus_one_and_one_is_told_apart_from_the_classes_of_a_model() {
        let mut vocabulary = Vocabulary::known(&classes(&["0", "1"]), AbstainMarks::Usual);
        assert_eq!((vocabulary.read("-1"), vocabulary.read("1")), (Ok(ABSTAIN), Ok(2)));
        assert_eq!(vocabulary.finish(&[0, 0, 9]).unwrap().notes, [ReadingNote::MinusOneIsNoClass]);
        assert_eq!(vocabulary.finish(&[0, 1, 9]).unwrap().notes, []);
    }

    #[test]
    fn another_mark_of_abstaining_frees_minus_one() {
        let mut vocabulary = Vocabulary::new(AbstainMarks::these(["0"]));
        assert_eq!(vocabulary.read("0"), Ok(ABSTAIN));
        assert_eq!(vocabulary.read("0.0"), Ok(ABSTAIN));
        assert_eq!(vocabulary.read("1"), Ok(1));
        assert_eq!(vocabulary.read("-1"), Ok(2));
        assert!(vocabulary.read("-2").is_err());
        let meaning = vocabulary.finish(&[0, 1, 1]).unwrap();
        assert_eq!(meaning.classes.names(), ["-1", "1"]);
        assert_eq!(meaning.relabel, [0, 2, 1]);
        assert_eq!(meaning.notes, []);
    }
}
