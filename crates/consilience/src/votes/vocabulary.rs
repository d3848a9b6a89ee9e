//! What a written vote means: abstain, a class by name, or a class by number.
//!
//! | written | means |
//! |---|---|
//! | nothing, only white space, or `null` where no class is declared by that name | abstain |
//! | the abstain mark (`-1` unless told otherwise), also as `-1.0` | abstain |
//! | the name of a class | that class |
//! | a whole number from 0 on (`1`, `1.0`) | the class called `1`; where all declared names are words, the class at that position counted from 0 |
//! | any other number (`-2`, `0.5`, `NaN`, `1e308`) | refused |
//! | any other text | a class of that name, unless the classes were declared |

use hashbrown::HashMap;

use crate::sources::{ABSTAIN, Classes, MAX_CLASSES, NamesError, Vote, natural_order};

/// Above this, not every whole number is an `f64` of its own.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// Why a written vote is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VoteError {
    /// Not among the declared classes.
    #[error("the vote \"{text}\" is none of the classes {}; correct the vote or add it to the classes", quoted(.classes))]
    Undeclared {
        /// The vote as written.
        text: String,
        /// The declared names.
        classes: Vec<String>,
    },
    /// A number that names no class.
    #[error(
        "the vote \"{text}\" is no class: a number must be whole and not negative; leave the cell empty (or write {abstain}) to abstain"
    )]
    Number {
        /// The vote as written.
        text: String,
        /// The abstain mark.
        abstain: String,
    },
    /// More different votes than classes are supported.
    #[error(
        "more than {MAX_CLASSES} different votes, the last one \"{text}\"; is this column a source at all? (--ignore leaves it out)"
    )]
    TooMany {
        /// The vote as written.
        text: String,
    },
}

fn quoted(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut text: Vec<String> = names.iter().take(SHOWN).map(|n| format!("\"{n}\"")).collect();
    if names.len() > SHOWN {
        text.push(format!("... ({} in all)", names.len()));
    }
    text.join(", ")
}

/// Reads votes and collects the classes that they name.
///
/// Classes get provisional numbers in the order of their appearance; [`Vocabulary::finish`] gives the final order,
/// which does not depend on the order of the rows.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    declared: bool,
    abstain: String,
    names: Vec<String>,
    known: HashMap<String, Vote>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self::new("-1")
    }
}

impl Vocabulary {
    /// Classes come from the data; `abstain` is the written mark of an abstaining source, beside the empty cell.
    pub fn new(abstain: &str) -> Self {
        Self {
            declared: false,
            abstain: abstain.trim().to_string(),
            names: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// Classes are these, in this order, and no others.
    pub fn declared(classes: &Classes, abstain: &str) -> Self {
        let mut vocabulary = Self::new(abstain);
        for name in classes.names() {
            vocabulary.add(name.clone());
        }
        vocabulary.declared = true;
        vocabulary
    }

    /// The vote that `text` stands for, with the provisional number of its class.
    pub fn read(&mut self, text: &str) -> Result<Vote, VoteError> {
        let text = text.trim();
        if text.is_empty() || text == self.abstain {
            return Ok(ABSTAIN);
        }
        if let Some(&vote) = self.known.get(text) {
            return Ok(vote);
        }
        if text.eq_ignore_ascii_case("null") {
            return Ok(ABSTAIN);
        }
        match text.parse::<f64>() {
            Ok(number) => self.read_new_number(text, number),
            Err(_) => self.read_new_name(text),
        }
    }

    /// The vote that a number stands for, as [`Self::read`] would read it.
    pub fn read_integer(&mut self, number: i64) -> Result<Vote, VoteError> {
        self.read(&number.to_string())
    }

    fn read_new_number(&mut self, text: &str, number: f64) -> Result<Vote, VoteError> {
        let whole = number.abs() <= LARGEST_EXACT && number.trunc().to_bits() == number.to_bits();
        let spelled = if whole { (number as i64).to_string() } else { text.to_string() };
        if spelled == self.abstain {
            return Ok(ABSTAIN);
        }
        if let Some(&vote) = self.known.get(spelled.as_str()) {
            return Ok(vote);
        }
        // Where -1 is not the mark of abstaining (--abstain 0, say), -1 and +1 are ordinary classes.
        let negative_allowed = self.abstain != "-1" && number >= -1.0;
        if !whole || (number < 0.0 && !negative_allowed) {
            return Err(VoteError::Number { text: text.to_string(), abstain: self.abstain.clone() });
        }
        if self.declared {
            // Among names that are numbers themselves, a position would be taken for one of them.
            let all_words = self.names.iter().all(|name| name.parse::<f64>().is_err());
            if all_words && number >= 0.0 && number < self.names.len() as f64 {
                return Ok(number as Vote + 1);
            }
            return Err(VoteError::Undeclared { text: text.to_string(), classes: self.names.clone() });
        }
        self.room_for(text)?;
        Ok(self.add(spelled))
    }

    fn read_new_name(&mut self, text: &str) -> Result<Vote, VoteError> {
        if self.declared {
            return Err(VoteError::Undeclared { text: text.to_string(), classes: self.names.clone() });
        }
        self.room_for(text)?;
        Ok(self.add(text.to_string()))
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
        Ok(map)
    }

    /// The classes, in the declared or else the natural order, and for each provisional vote its final number.
    pub fn finish(&self) -> Result<(Classes, Vec<Vote>), NamesError> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        if !self.declared {
            order.sort_by(|&a, &b| natural_order(&self.names[a], &self.names[b]));
        }
        let mut map = vec![ABSTAIN; self.names.len() + 1];
        for (position, &provisional) in order.iter().enumerate() {
            map[provisional + 1] = position as Vote + 1;
        }
        let classes = Classes::new(order.iter().map(|&i| self.names[i].clone()).collect())?;
        Ok((classes, map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(names: &[&str]) -> Vocabulary {
        Vocabulary::declared(&Classes::new(names.iter().map(ToString::to_string).collect()).unwrap(), "-1")
    }

    #[test]
    fn numbers_with_a_point_are_the_same_class() {
        let mut vocabulary = Vocabulary::default();
        assert_eq!(vocabulary.read("1").unwrap(), vocabulary.read("1.0").unwrap());
        assert_eq!(vocabulary.read(" 1 ").unwrap(), vocabulary.read_integer(1).unwrap());
        for abstain in ["", "  ", "-1", "-1.0", "null", "NULL"] {
            assert_eq!(vocabulary.read(abstain), Ok(ABSTAIN), "{abstain:?}");
        }
        assert_eq!(vocabulary.read("-0").unwrap(), vocabulary.read("0").unwrap());
    }

    #[test]
    fn odd_numbers_are_refused() {
        for text in ["-2", "0.5", "NaN", "nan", "1e308", "inf", "-inf", "1e-320"] {
            assert!(matches!(Vocabulary::default().read(text), Err(VoteError::Number { .. })), "{text}");
            assert!(declared(&["a", "b"]).read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn declared_classes_go_by_name_then_by_position() {
        let mut vocabulary = declared(&["ham", "spam"]);
        assert_eq!(vocabulary.read("spam"), Ok(2));
        assert_eq!(vocabulary.read("1"), Ok(2));
        assert!(matches!(vocabulary.read("2"), Err(VoteError::Undeclared { .. })));
        assert!(matches!(vocabulary.read("eggs"), Err(VoteError::Undeclared { .. })));
        assert_eq!(declared(&["2", "1"]).read("1"), Ok(2));
        assert!(matches!(declared(&["1", "2"]).read("0"), Err(VoteError::Undeclared { .. })));
        assert_eq!(declared(&["nan", "1e308"]).read("nan"), Ok(1));
    }

    #[test]
    fn another_mark_of_abstaining_frees_minus_one() {
        let mut vocabulary = Vocabulary::new("0");
        assert_eq!(vocabulary.read("0"), Ok(ABSTAIN));
        assert_eq!(vocabulary.read("0.0"), Ok(ABSTAIN));
        assert_eq!(vocabulary.read("1"), Ok(1));
        assert_eq!(vocabulary.read("-1"), Ok(2));
        assert!(vocabulary.read("-2").is_err());
        let (classes, map) = vocabulary.finish().unwrap();
        assert_eq!(classes.names(), ["-1", "1"]);
        assert_eq!(map, [0, 2, 1]);
    }

    #[test]
    fn the_final_order_is_natural_whatever_came_first() {
        let mut vocabulary = Vocabulary::default();
        for text in ["10", "9", "0"] {
            vocabulary.read(text).unwrap();
        }
        let (classes, map) = vocabulary.finish().unwrap();
        assert_eq!(classes.names(), ["0", "9", "10"]);
        assert_eq!(map, [0, 3, 2, 1]);
    }
}
