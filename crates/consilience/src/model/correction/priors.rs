//! How far answers may move each part of the correction.

/// Standard deviations of the normal priors around "no correction".
///
/// They are less where there are few answers, so that a handful moves little; with thousands the answers outweigh the priors, and
/// the result is logistic regression on the votes.
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

/// With this share of [`CorrectionPriors::MANY_ANSWERS`], variances are half of what they become in the end.
const HALFWAY: f64 = 0.6;
/// What is left of them without any answer.
const LEAST: f64 = 1e-3;

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

    /// With this many answers, they may move the correction as far as the standard deviations say.
    pub const MANY_ANSWERS: f64 = 100.0;

    /// For a table with this many votes on a usual item, and this many answers: a handful must not spoil what the votes say.
    ///
    /// # Formula
    /// ```text
    /// σ f,   f = sqrt( 1.6 n / (n + 60) )    n answers: 0.7 for 25, 1 for 100;   biases: σ sqrt(f), since few answers tell class shares
    /// σ f / sqrt( 1 + usual votes / 6 )      for the three that are about votes
    /// ```
    pub(super) fn for_table(self, usual_votes: f64, answers: usize) -> Self {
        let (n, half) = (answers as f64, HALFWAY * Self::MANY_ANSWERS);
        let all = ((1.0 + HALFWAY) * n / (n + half)).sqrt().max(LEAST);
        let less = all * Self::lowered_by(usual_votes);
        Self {
            slope: all * self.slope,
            bias: all.sqrt() * self.bias,
            trend: all * self.trend,
            source: less * self.source,
            vote: less * self.vote,
            other: less * self.other,
        }
    }
}
