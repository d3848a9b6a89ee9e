//! How far answers may move each part of the correction.

/// Standard deviations of the normal priors around "no correction".
///
/// They stay the same however many answers there are: a handful moves little, and with thousands the answers outweigh
/// the priors and the result is logistic regression on the votes.
///
/// The defaults were chosen on fifteen real tables, each time without one kind of table (rules, language models,
/// crowds) and scored on that kind; bench/NOTES.md has the figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorrectionPriors {
    /// Of the logarithm of the slope. Above 0; default 0.35.
    pub slope: f64,
    /// Of the bias of each class. Above 0; default 0.7.
    pub bias: f64,
    /// Of the trend of each class with the number of votes. At least 0; default 0.5.
    pub trend: f64,
    /// Of what a source's vote adds to the class it votes for, whichever that is. It is less where items have many votes,
    /// so that all corrections of an item together stay of one size. At least 0; default 0.7.
    pub source: f64,
    /// Of what it adds beyond that for one particular class. At least 0; default 0.1.
    pub vote: f64,
    /// Of what a vote adds to each class other than the one voted for. At least 0; default 0.1.
    pub other: f64,
}

impl Default for CorrectionPriors {
    fn default() -> Self {
        Self { slope: 0.35, bias: 0.7, trend: 0.5, source: 0.7, vote: 0.1, other: 0.1 }
    }
}

impl CorrectionPriors {
    /// From about this many votes per item on, corrections of single votes are held closer to 0.
    pub const MANY_VOTES: f64 = 6.0;

    /// What the three that are about votes are multiplied by.
    pub(super) fn lowered_by(usual_votes: f64) -> f64 {
        (1.0 + usual_votes / Self::MANY_VOTES).sqrt().recip()
    }

    /// For a table with this many votes on a usual item.
    ///
    /// # Formula
    /// ```text
    /// σ / sqrt( 1 + usual votes / 6 )      for the three that are about votes
    /// ```
    pub(super) fn for_table(self, usual_votes: f64) -> Self {
        let less = Self::lowered_by(usual_votes);
        Self { source: less * self.source, vote: less * self.vote, other: less * self.other, ..self }
    }
}
