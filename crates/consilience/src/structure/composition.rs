//! Sources that are declared as combinations of others: an explanation of links that were learned, never an assumption.

use super::graph::Structure;

/// So many parts are named.
const MOST_NAMES: usize = 4;

/// A source that is declared as a combination of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composition {
    /// The source.
    pub source: usize,
    /// How its parts are combined.
    pub way: CompositionWay,
    /// Its parts.
    pub parts: Vec<usize>,
}

/// How sources are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompositionWay {
    /// Its condition holds if those of all parts hold.
    All,
    /// Its condition holds if that of any part holds.
    Any,
    /// Its condition holds if that of its part does not.
    Not,
}

impl CompositionWay {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::All, Self::Any, Self::Not];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Any => "any",
            Self::Not => "not",
        }
    }
}

impl Structure {
    /// Why two sources move together, if one is declared from the other or both from a third; `None` if no declaration says so.
    ///
    /// ```
    /// use consilience::sources::{Classes, Sources};
    /// use consilience::structure::{Composition, CompositionWay, Structure};
    ///
    /// let sources = Sources::new(["link", "money", "both", "judge"].map(String::from).to_vec())?;
    /// let mut structure = Structure::without_dependencies(sources, Classes::numbered(2)?, 500);
    /// structure.compositions.push(Composition { source: 2, way: CompositionWay::All, parts: vec![0, 1] });
    /// assert_eq!(structure.explanation(0, 2).as_deref(), Some("both is declared as all of link, money"));
    /// assert_eq!(structure.explanation(0, 1), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explanation(&self, a: usize, b: usize) -> Option<String> {
        if self.compositions.is_empty() {
            return None;
        }
        let name = |j: usize| self.sources.name(j);
        let (of_a, of_b) = (self.made_of(a), self.made_of(b));
        for (whole, part) in [(a, b), (b, a)] {
            if let Some(direct) = self.composition(whole).filter(|made| made.parts.contains(&part)) {
                return Some(self.described(direct, part));
            }
        }
        for (whole, part, made_of) in [(a, b, &of_a), (b, a, &of_b)] {
            if made_of.contains(&part) {
                return Some(format!("{} is declared from {}", name(whole), name(part)));
            }
        }
        let common = of_a.iter().find(|part| of_b.contains(part))?;
        Some(format!("{} and {} are both declared from {}", name(a), name(b), name(*common)))
    }

    fn composition(&self, source: usize) -> Option<&Composition> {
        self.compositions.iter().find(|made| made.source == source)
    }

    /// The sources that `source` is made of, directly or by others; nearest first.
    fn made_of(&self, source: usize) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut at = source;
        let mut next = 0;
        loop {
            for &part in self.composition(at).iter().flat_map(|made| &made.parts) {
                if part != source && !found.contains(&part) {
                    found.push(part);
                }
            }
            let Some(&part) = found.get(next) else { return found };
            (at, next) = (part, next + 1);
        }
    }

    fn described(&self, made: &Composition, part: usize) -> String {
        let whole = self.sources.name(made.source);
        let names: Vec<&str> = made.parts.iter().map(|&j| self.sources.name(j)).collect();
        match made.way {
            CompositionWay::Not => format!("{whole} is declared as not {}", names.join(", ")),
            way if names.len() <= MOST_NAMES => {
                format!("{whole} is declared as {} of {}", way.name(), names.join(", "))
            }
            way => format!(
                "{whole} is declared as {} of {} sources, one of them {}",
                way.name(),
                names.len(),
                self.sources.name(part)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Classes, Sources};

    #[test]
    fn declarations_explain_pairs() {
        let sources = Sources::new(["a", "b", "c", "d", "e", "f"].map(String::from).to_vec()).unwrap();
        let mut structure = Structure::without_dependencies(sources, Classes::numbered(2).unwrap(), 10);
        let made = |source, way, parts: &[usize]| Composition { source, way, parts: parts.to_vec() };
        structure.compositions = vec![
            made(2, CompositionWay::Any, &[0, 1]),
            made(3, CompositionWay::Not, &[2]),
            made(4, CompositionWay::All, &[0, 5]),
        ];
        let said = |a, b| structure.explanation(a, b).unwrap_or_default();
        assert_eq!(said(1, 2), "c is declared as any of a, b");
        assert_eq!(said(3, 2), "d is declared as not c");
        assert_eq!(said(0, 3), "d is declared from a");
        assert_eq!(said(3, 4), "d and e are both declared from a");
        assert_eq!(said(0, 5), "");
        assert_eq!(said(1, 4), "");
        // A circle that a file claims ends.
        structure.compositions.push(made(0, CompositionWay::Any, &[3]));
        assert_eq!(structure.explanation(0, 2).as_deref(), Some("c is declared as any of a, b"));
    }

    #[test]
    fn long_lists_are_counted() {
        let sources = Sources::numbered(8).unwrap();
        let mut structure = Structure::without_dependencies(sources, Classes::numbered(2).unwrap(), 10);
        let parts = (0..7).collect();
        structure.compositions.push(Composition { source: 7, way: CompositionWay::Any, parts });
        let name = |j| structure.sources.name(j);
        let expected = format!("{} is declared as any of 7 sources, one of them {}", name(7), name(3));
        assert_eq!(structure.explanation(3, 7), Some(expected));
    }
}
