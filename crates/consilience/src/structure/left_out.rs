//! What a structure leaves out, and why.

use super::graph::{LearnedDependency, Structure};
use super::select::{AUTO_ERROR, AUTO_WEIGHT, Select};
use crate::dependency::DependencyType as _;

/// Why a candidate is not part of the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// It may be due to chance.
    Uncertain,
    /// It is too weak to matter.
    Weak,
    /// Enough other candidates are more certain.
    Outranked,
}

/// What a structure leaves out, and why.
///
/// ```
/// use consilience::pipeline::{LearnOptions, learn};
/// use consilience::structure::LeftOut;
/// # use consilience::model::{CellLimit, Links, Planted, simulate};
/// # let planted = Planted { links: Links::Pairs(1), strength: 1.0, ..Planted::new(5)? };
/// # let votes = simulate(&planted.model()?, 2_000, 1, CellLimit::default(), |_| {})?.votes;
///
/// let structure = learn(&votes, &LearnOptions::default())?; // one of ten candidates is selected
/// let left_out = LeftOut::of(&structure);
/// assert_eq!(left_out.candidates.iter().map(|(_, count)| count).sum::<usize>(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut<'a> {
    /// The number of candidates for each reason, in the order of [`Reason`]; reasons without candidates are omitted.
    pub candidates: Vec<(Reason, usize)>,
    /// The most certain candidate that was not selected.
    pub nearest: Option<(&'a LearnedDependency, Reason)>,
    /// Sources that are exact copies of another source, which represents them.
    pub copies: Vec<usize>,
    /// Sources that never vote.
    pub silent: Vec<usize>,
}

impl<'a> LeftOut<'a> {
    /// What `structure` leaves out.
    pub fn of(structure: &'a Structure) -> Self {
        let select = structure.select;
        let tests = structure.tests as f64;
        let why = |learned: &LearnedDependency| reason(learned, select, tests);
        let left = || structure.most_certain_first().filter(|learned| !learned.selected);
        let mut candidates: Vec<(Reason, usize)> = Vec::new();
        for reason in left().map(why) {
            match candidates.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, count)) => *count += 1,
                None => candidates.push((reason, 1)),
            }
        }
        candidates.sort_unstable();
        let copies: Vec<usize> =
            structure.copies.iter().flat_map(|group| group.iter().skip(1)).copied().collect();
        let mut speaks = vec![false; structure.sources.len()];
        let judged = structure.dependencies.iter().map(|learned| learned.dependency.sources());
        let copied = structure.copies.iter().map(Vec::as_slice);
        let mirrored = structure.mirrors.iter().map(<[usize; 2]>::as_slice);
        for &j in judged.chain(copied).chain(mirrored).flatten() {
            speaks[j] = true;
        }
        Self {
            candidates,
            nearest: left().next().map(|learned| (learned, why(learned))),
            copies,
            // Every pair of sources that vote is a candidate, so who is in none does not vote.
            silent: (0..speaks.len()).filter(|&j| !speaks[j]).collect(),
        }
    }
}

/// Why `learned`, which was not selected by `select` among `tests` candidates with a p-value, was not.
fn reason(learned: &LearnedDependency, select: Option<Select>, tests: f64) -> Reason {
    match select {
        Some(Select::Fdr(_) | Select::Fwer(_) | Select::Miss(_)) => Reason::Uncertain,
        Some(Select::Threshold(_)) => Reason::Weak,
        Some(Select::Top(_)) => {
            if learned.certainty() > 0.0 {
                Reason::Outranked
            } else {
                Reason::Uncertain
            }
        }
        Some(Select::Auto) | None => {
            let certain = learned.p.unwrap_or(1.0) * tests <= AUTO_ERROR;
            if certain && learned.weight.abs() < AUTO_WEIGHT { Reason::Weak } else { Reason::Uncertain }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependency::Correlation;
    use crate::sources::{Classes, Sources};

    fn structure(select: &str) -> Structure {
        let link = |j, l, weight: f64, p: f64, selected| LearnedDependency {
            dependency: Correlation::new(j, l).unwrap().into(),
            weight,
            stderr: Some(0.01),
            z: Some(weight / 0.01),
            p: Some(p),
            q: Some(p),
            selected,
        };
        let sources = Sources::numbered(5).unwrap();
        Structure {
            dependencies: vec![
                link(0, 1, 0.5, 1e-30, true),
                link(0, 2, 0.06, 1e-9, false),
                link(1, 2, -0.01, 0.3, false),
            ],
            tests: 3,
            copies: vec![vec![2, 4]],
            origin: crate::structure::Origin::Exact,
            select: Some(select.parse().unwrap()),
            ..Structure::without_dependencies(sources, Classes::numbered(2).unwrap(), 100)
        }
    }

    #[test]
    fn everything_that_is_not_kept_has_a_reason() {
        let auto = structure("auto");
        let left = LeftOut::of(&auto);
        assert_eq!(left.candidates, [(Reason::Uncertain, 1), (Reason::Weak, 1)]);
        let (nearest, why) = left.nearest.unwrap();
        assert_eq!((nearest.dependency.sources(), why), (&[0, 2][..], Reason::Weak));
        assert_eq!((left.copies, left.silent), (vec![4], vec![3]));
        for (select, why) in [
            ("fdr=0.05", Reason::Uncertain),
            ("fwer=0.05", Reason::Uncertain),
            ("miss=0.1", Reason::Uncertain),
            ("threshold=0.1", Reason::Weak),
            ("top=1", Reason::Outranked),
        ] {
            assert_eq!(LeftOut::of(&structure(select)).candidates, [(why, 2)], "{select}");
        }
    }

    #[test]
    fn nothing_is_left_out_where_all_is_kept() {
        let mut whole = structure("top=9");
        whole.copies.clear();
        whole.dependencies.iter_mut().for_each(|learned| learned.selected = true);
        let left = LeftOut::of(&whole);
        assert!(left.candidates.is_empty() && left.nearest.is_none() && left.copies.is_empty());
        assert_eq!(left.silent, [3, 4]);
    }
}
