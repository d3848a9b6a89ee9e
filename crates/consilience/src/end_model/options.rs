//! Options, with their ranges and defaults.

use serde::{Deserialize, Serialize};

use super::error::EndModelError;

/// The lengths of n-grams, from `shortest` to `longest`; no n-grams if `longest` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lengths {
    /// The shortest n-gram.
    pub shortest: usize,
    /// The longest n-gram.
    pub longest: usize,
}

impl Lengths {
    /// No n-grams.
    pub const NONE: Self = Self { shortest: 0, longest: 0 };

    /// From `shortest` to `longest`.
    pub fn new(shortest: usize, longest: usize) -> Self {
        Self { shortest, longest }
    }

    /// Whether there are none.
    pub fn is_none(self) -> bool {
        self.longest == 0
    }

    fn check(self, parameter: &'static str) -> Result<(), EndModelError> {
        let sound = self.is_none() || (1..=self.longest).contains(&self.shortest) && self.longest <= LONGEST;
        let value = || format!("{}..{}", self.shortest, self.longest);
        let range = "a range of lengths from 1 to 10, the shorter one first";
        if sound { Ok(()) } else { Err(EndModelError::Option { parameter, range, value: value() }) }
    }
}

const LONGEST: usize = 10;

/// How to turn text into numbers.
///
/// ```
/// use consilience::end_model::{Lengths, TextOptions, TrainOptions};
///
/// let words_only = TextOptions::default().with_words(Lengths::new(1, 3)).with_characters(Lengths::NONE);
/// let options = TrainOptions::default().with_text(words_only);
/// assert!(options.text.characters.is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TextOptions {
    /// Lengths of word n-grams. Default: 1 to 2.
    pub words: Lengths,
    /// Lengths of character n-grams. Default: 3 to 5.
    pub characters: Lengths,
    /// The number of hash bits that distinguish n-grams, from 8 to 26. Default: 20, about a million.
    pub bits: u32,
    /// The minimum number of training items that contain an n-gram. Default: 2.
    pub min_items: u32,
    /// Whether to ignore case. Default: true.
    pub lower: bool,
    /// Whether rare n-grams get more weight. Default: false.
    pub rarity: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            words: Lengths::new(1, 2),
            characters: Lengths::new(3, 5),
            bits: 20,
            min_items: 2,
            lower: true,
            rarity: false,
        }
    }
}

option_setters! {
    TextOptions {
        /// Sets the lengths of word n-grams. Default: 1 to 2.
        with_words(words: Lengths);
        /// Sets the lengths of character n-grams. Default: 3 to 5.
        with_characters(characters: Lengths);
        /// Sets the number of hash bits that distinguish n-grams. 8 to 26; default 20.
        with_bits(bits: u32);
        /// Sets the minimum number of training items that contain an n-gram. Default: 2.
        with_min_items(min_items: u32);
        /// Sets whether to ignore case. Default: true.
        with_lower(lower: bool);
        /// Sets whether rare n-grams get more weight. Default: false.
        with_rarity(rarity: bool);
    }
}

impl TextOptions {
    pub(super) fn check(&self) -> Result<(), EndModelError> {
        self.words.check("the length of word n-grams")?;
        self.characters.check("the length of character n-grams")?;
        if self.words.is_none() && self.characters.is_none() {
            return Err(EndModelError::NoFeatures);
        }
        if !(8..=26).contains(&self.bits) {
            let value = self.bits.to_string();
            return Err(EndModelError::Option { parameter: "bits", range: "from 8 to 26", value });
        }
        Ok(())
    }
}

/// Options for training an end model.
///
/// ```
/// use consilience::end_model::{TrainOptions, Trainer};
/// use consilience::sources::Classes;
///
/// let weak = TrainOptions::default().with_penalty(1e-3);
/// assert!(Trainer::new(Classes::numbered(2)?, 1, weak).is_ok());
/// let wrong = TrainOptions::default().with_penalty(0.0);
/// assert!(Trainer::new(Classes::numbered(2)?, 1, wrong).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TrainOptions {
    /// How to turn text into numbers.
    pub text: TextOptions,
    /// The l2 penalty on the weights, above 0, in units of the mean loss of an item. Default: [`TrainOptions::PENALTY`].
    pub penalty: f64,
    /// Training stops when the norm of the gradient is at most this. Above 0. Default: 1e-6.
    pub tolerance: f64,
    /// The maximum number of steps, at least 1. Default: 1000.
    pub max_iterations: usize,
}

impl TrainOptions {
    /// The default penalty. The evidence is in `bench/NOTES.md`, section *End models*.
    pub const PENALTY: f64 = 1e-4;
}

impl Default for TrainOptions {
    fn default() -> Self {
        Self { text: TextOptions::default(), penalty: Self::PENALTY, tolerance: 1e-6, max_iterations: 1000 }
    }
}

option_setters! {
    TrainOptions {
        /// Sets how to turn text into numbers. Default: [`TextOptions::default`].
        with_text(text: TextOptions);
        /// Sets the l2 penalty on the weights, in units of the mean loss of an item. Above 0; default
        /// [`TrainOptions::PENALTY`].
        with_penalty(penalty: f64);
        /// Sets the norm of the gradient at which training stops. Above 0; default 1e-6.
        with_tolerance(tolerance: f64);
        /// Sets the maximum number of steps. At least 1; default 1000.
        with_max_iterations(max_iterations: usize);
    }
}

impl TrainOptions {
    pub(super) fn check(&self) -> Result<(), EndModelError> {
        self.text.check()?;
        for (parameter, value) in [("penalty", self.penalty), ("tolerance", self.tolerance)] {
            if !(value.is_finite() && value > 0.0) {
                let range = "a number above 0";
                return Err(EndModelError::Option { parameter, range, value: value.to_string() });
            }
        }
        if self.max_iterations == 0 {
            let (range, value) = ("1 or more", "0".to_string());
            return Err(EndModelError::Option { parameter: "the number of steps", range, value });
        }
        Ok(())
    }
}
