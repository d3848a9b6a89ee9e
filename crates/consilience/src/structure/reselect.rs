//! Another selection from the same candidates.

use super::graph::Structure;
use super::select::{Select, mark};

impl Structure {
    /// Selects from the same candidates by another rule, without learning again.
    ///
    /// Rules that need standard errors select nothing if the method gave none.
    ///
    /// ```
    /// use consilience::pipeline::{LearnOptions, learn};
    /// use consilience::structure::Select;
    /// # use consilience::model::{CellLimit, Links, Planted, simulate};
    /// # let planted = Planted { links: Links::Pairs(1), strength: 1.0, ..Planted::new(5)? };
    /// # let votes = simulate(&planted.model()?, 2_000, 1, CellLimit::default(), |_| {})?.votes;
    ///
    /// let structure = learn(&votes, &LearnOptions::default())?;
    /// let three = structure.selected_by(Select::Top(3));
    /// assert_eq!(three.selected().count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn selected_by(mut self, select: Select) -> Self {
        mark(&mut self.dependencies, select, self.tests);
        self.select = Some(select);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ExactOptions, learn_exact};
    use super::*;
    use crate::model::{CellLimit, Links, Planted, simulate};

    #[test]
    fn as_if_it_had_been_asked_for_at_once() {
        let planted = Planted { links: Links::Density(0.5), ..Planted::new(6).unwrap() };
        let votes = simulate(&planted.model().unwrap(), 800, 1, CellLimit::default(), |_| {}).unwrap().votes;
        let learn = |select| learn_exact(&votes, &ExactOptions::default(), select).unwrap();
        for select in [
            Select::Fdr(0.2),
            Select::Fwer(0.05),
            Select::Miss(0.1),
            Select::Threshold(0.1),
            Select::Top(3),
            Select::Auto,
        ] {
            assert_eq!(learn(Select::Top(1)).selected_by(select), learn(select));
        }
    }
}
