//! How single values are read.

use std::fmt;
use std::str::FromStr;

use consilience::end_model::Lengths;
use consilience::model::Spread;
use consilience::sources::{Classes, MAX_CLASSES, MAX_SOURCES};

/// More threads than this only cost memory.
const MOST_THREADS: usize = 1024;

/// The number of threads.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=MOST_THREADS) => Ok(threads),
        _ => Err(format!("use a number from 1 to {MOST_THREADS}, or omit it to use all cores")),
    }
}

/// More items than this are too many for a simulation for one machine.
const MOST_ITEMS: usize = 1_000_000_000;

/// A number of sources.
pub(super) fn sources(text: &str) -> Result<usize, String> {
    from_one_to(MAX_SOURCES, text)
}

/// A number of items.
pub(super) fn items(text: &str) -> Result<usize, String> {
    from_one_to(MOST_ITEMS, text)
}

/// A number of tables per point.
#[cfg(feature = "reproduce")]
pub(super) fn trials(text: &str) -> Result<usize, String> {
    from_one_to(consilience_reproduce::MOST_TRIALS, text)
}

/// A number of steps.
pub(super) fn steps(text: &str) -> Result<usize, String> {
    from_one_to(1_000_000, text)
}

/// A number of rows.
pub(super) fn rows(text: &str) -> Result<u64, String> {
    from_one_to(usize::MAX, text).map(|rows| rows as u64)
}

fn from_one_to(most: usize, text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("use a whole number from 1 to {most}")),
    }
}

/// A seed.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("use a whole number from 0 to {}", u64::MAX))
}

/// The class of `f1=CLASS`.
pub(super) fn f1_class(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((metric, class)) if metric.trim() == "f1" && !class.trim().is_empty() => {
            Ok(class.trim().to_string())
        }
        _ => Err("use f1= and the name of a class, such as f1=spam".to_string()),
    }
}

/// A share or a weight.
pub(super) fn number(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| "use a number such as 0.5".to_string())
}

/// Two or more classes: how many, or their names.
#[derive(Clone, Debug)]
pub struct ClassesArg(pub Classes);

impl FromStr for ClassesArg {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let names = text.split(',').map(|name| name.trim().to_string()).collect::<Vec<_>>();
        if names.len() < 2 || names.iter().any(String::is_empty) {
            return Err("use two or more names, such as a,b,c".to_string());
        }
        Classes::new(names).map(Self).map_err(|error| error.to_string())
    }
}

/// How many classes, or their names.
pub(super) fn count_or_classes(text: &str) -> Result<ClassesArg, String> {
    match text.parse::<usize>() {
        Ok(count) if !(2..=MAX_CLASSES).contains(&count) => {
            Err(format!("use a whole number from 2 to {MAX_CLASSES}, or names such as a,b,c"))
        }
        Ok(count) => Classes::numbered(count).map(ClassesArg).map_err(|error| error.to_string()),
        Err(_) => text.parse(),
    }
}

/// Lengths of n-grams: one number, a range of two, or none.
#[derive(Clone, Copy, Debug)]
pub struct LengthsArg(pub Lengths);

impl FromStr for LengthsArg {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(Lengths::NONE));
        }
        let parts = text.split_once("..").unwrap_or((text, text));
        match (parts.0.parse(), parts.1.parse()) {
            (Ok(shortest @ 1..), Ok(longest)) if shortest <= longest => {
                Ok(Self(Lengths::new(shortest, longest)))
            }
            _ => Err("use a length such as 1, a range such as 3..5, or none".to_string()),
        }
    }
}

impl fmt::Display for LengthsArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_none() {
            f.write_str("none")
        } else {
            write!(f, "{}..{}", self.0.shortest, self.0.longest)
        }
    }
}

/// What is assumed of the classes.
#[derive(Clone, Debug, PartialEq)]
pub enum BalanceArg {
    Even,
    Estimated,
    Given(Vec<f64>),
    /// By the names of the classes.
    Named(Vec<(String, f64)>),
}

impl FromStr for BalanceArg {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "even" => Ok(Self::Even),
            "estimated" => Ok(Self::Estimated),
            shares => {
                let wrong =
                    |_| "use even, estimated, or shares such as ham=0.9,spam=0.1 or 0.9,0.1".to_string();
                if !shares.contains('=') {
                    let shares: Result<Vec<f64>, String> = shares.split(',').map(number).collect();
                    return shares.map(Self::Given).map_err(wrong);
                }
                let named = |part: &str| {
                    let (name, share) = part.rsplit_once('=').ok_or_else(String::new)?;
                    Ok((name.trim().to_string(), number(share)?))
                };
                let shares: Result<Vec<(String, f64)>, String> = shares.split(',').map(named).collect();
                shares.map(Self::Named).map_err(wrong)
            }
        }
    }
}

/// One number, or a range of two.
#[derive(Clone, Copy, Debug)]
pub struct SpreadArg(pub Spread);

impl FromStr for SpreadArg {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once("..").unwrap_or((text, text));
        match (number(parts.0), number(parts.1)) {
            (Ok(low), Ok(high)) if low <= high => Ok(Self(Spread { low, high })),
            (Ok(_), Ok(_)) => Err("the lower number of a range comes first".to_string()),
            _ => Err("use a number such as 0.7, or a range such as 0.6..0.9".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_are_numbers_or_ranges() {
        let of = |text: &str| text.parse::<SpreadArg>().map(|spread| (spread.0.low, spread.0.high));
        assert_eq!(of("0.5"), Ok((0.5, 0.5)));
        assert_eq!(of("-0.5..1"), Ok((-0.5, 1.0)));
        for text in ["", "1..", "..1", "2..1", "NaN", "inf", "0.5...0.7"] {
            assert!(of(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lengths_are_numbers_ranges_or_none() {
        let of = |text: &str| text.parse::<LengthsArg>().map(|lengths| lengths.to_string());
        assert_eq!(of("2").unwrap(), "2..2");
        assert_eq!(of("3..5").unwrap(), "3..5");
        assert_eq!(of("none").unwrap(), "none");
        for text in ["", "0", "0..2", "5..3", "1..", "-1", "x"] {
            assert!(of(text).is_err(), "{text}");
        }
    }

    #[test]
    fn balances_are_words_or_numbers() {
        assert_eq!("even".parse(), Ok(BalanceArg::Even));
        assert_eq!("0.25,0.75".parse(), Ok(BalanceArg::Given(vec![0.25, 0.75])));
        let named = vec![("ham".to_string(), 0.9), ("a=b".to_string(), 0.1)];
        assert_eq!("ham=0.9, a=b=0.1".parse(), Ok(BalanceArg::Named(named)));
        for text in ["", "odd", "0.5;0.5", "0.5,", "ham=0.9,0.1", "ham=", "ham=half"] {
            assert!(text.parse::<BalanceArg>().is_err(), "{text}");
        }
    }

    #[test]
    fn classes_are_counted_or_named() {
        let of = |text: &str| count_or_classes(text).map(|classes| classes.0.names().to_vec());
        assert_eq!(of("3").unwrap(), ["0", "1", "2"]);
        assert_eq!(of("ham, spam").unwrap(), ["ham", "spam"]);
        for text in ["1", "0", "ham", "a,,b", "a,a", "99999999"] {
            assert!(of(text).is_err(), "{text}");
        }
    }

    #[test]
    fn absurd_threads_are_refused() {
        assert_eq!(threads("4"), Ok(4));
        for text in ["0", "-1", "1025", "99999999999999999999", "x"] {
            assert!(threads(text).is_err(), "{text}");
        }
    }
}
