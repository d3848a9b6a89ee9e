//! How far answers may move each part of the correction.

/// Standard deviations of the normal priors around "no correction".
///
/// They are less if there are few answers, so that a handful moves little; with thousands the answers outweigh the priors, and
/// the result is logistic regression on the votes.
///
/// Where the answers contradict the class shares of the model, they are wider, since such a model is wrong about more than shares
/// (see `contradiction.rs`).
///
/// The defaults were chosen on fifteen real tables, each time without one kind of table (rules, language models,
/// crowds) and scored on that kind; bench/archive.md has the figures.
///
/// ```
/// use consilience::model::CorrectionPriors;
///
/// let cautious = CorrectionPriors::default().with_source(0.3).with_vote(0.0);
/// assert_eq!((cautious.source, cautious.bias), (0.3, 0.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CorrectionPriors {
    /// Of the logarithm of the slope. Above 0; default 0.35.
    pub slope: f64,
    /// Of the bias of each class. Above 0; default 0.5.
    pub bias: f64,
    /// Of the trend of each class with the number of votes. At least 0; default 0.5.
    pub trend: f64,
    /// Of what a source's vote adds to the class it votes for, whichever that is. It is less if items have many votes,
    /// so that all corrections of an item together stay of one size. At least 0; default 0.7.
    pub source: f64,
    /// Of what it adds beyond that for one particular class. At least 0; default 0.1.
    pub vote: f64,
    /// Of what a vote adds to each class other than the one voted for. At least 0; default 0.1.
    pub other: f64,
    /// Whether all of them are wider if the answers contradict the model's class shares. Default true.
    pub wider_where_contradicted: bool,
}

/// With this share of [`CorrectionPriors::MANY_ANSWERS`], variances are half of what they become in the end.
const HALFWAY: f64 = 0.6;
/// What is left of them without any answer.
const LEAST: f64 = 1e-3;

/// What the standard deviations become if the answers surely contradict the model, for any number of answers.
const CONTRADICTED: CorrectionPriors = CorrectionPriors {
    slope: 0.5,
    bias: 1.4,
    trend: 0.5,
    source: 0.9,
    vote: 0.1,
    other: 0.1,
    wider_where_contradicted: true,
};
/// So many standard errors between what the model expects and what the answers say are chance.
const CHANCE: f64 = 1.5;
/// With the square of the standard errors beyond chance at this, variances are halfway between both.
const HALF_CONTRADICTED: f64 = 2.0;

impl Default for CorrectionPriors {
    fn default() -> Self {
        Self {
            slope: 0.35,
            bias: 0.5,
            trend: 0.5,
            source: 0.7,
            vote: 0.1,
            other: 0.1,
            wider_where_contradicted: true,
        }
    }
}

option_setters! {
    CorrectionPriors {
        /// Sets the standard deviation of the logarithm of the slope. Above 0; default 0.35.
        with_slope(slope: f64);
        /// Sets that of the bias of each class. Above 0; default 0.5.
        with_bias(bias: f64);
        /// Sets that of the trend of each class with the number of votes. At least 0; default 0.5.
        with_trend(trend: f64);
        /// Sets that of what a source's vote adds to the class it votes for, whichever that is. At least 0; default 0.7.
        with_source(source: f64);
        /// Sets that of what a vote adds beyond that for one particular class. At least 0; default 0.1.
        with_vote(vote: f64);
        /// Sets that of what a vote adds to each class other than the one voted for. At least 0; default 0.1.
        with_other(other: f64);
        /// Sets whether all of them are wider if the answers contradict the model's class shares. Default: true.
        with_wider_where_contradicted(wider_where_contradicted: bool);
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
            ..self
        }
    }

    /// The same where answers and model are `contradiction` standard errors apart.
    ///
    /// # Formula
    /// ```text
    /// σ² = (1 - w) σ² + w σ_contradicted²       w = s² / (s² + 2),   s = max( 0, contradiction - 1.5 )
    /// ```
    /// σ_contradicted is that of a table with as many votes on a usual item; it does not depend on the number of answers.
    pub(super) fn where_contradicted(self, contradiction: f64, usual_votes: f64) -> Self {
        let beyond = (contradiction - CHANCE).max(0.0).powi(2);
        let w = beyond / (beyond + HALF_CONTRADICTED);
        let between = |own: f64, wide: f64| ((1.0 - w) * own * own + w * wide * wide).sqrt();
        let lowered = Self::lowered_by(usual_votes);
        Self {
            slope: between(self.slope, CONTRADICTED.slope),
            bias: between(self.bias, CONTRADICTED.bias),
            trend: between(self.trend, CONTRADICTED.trend),
            source: between(self.source, lowered * CONTRADICTED.source),
            vote: between(self.vote, lowered * CONTRADICTED.vote),
            other: between(self.other, lowered * CONTRADICTED.other),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chance changes nothing; a sure contradiction makes all widths those of a model that is wrong.
    #[test]
    fn widths_grow_with_the_contradiction() {
        let own = CorrectionPriors::default().for_table(4.0, 25);
        assert_eq!(own.where_contradicted(1.4, 4.0), own);
        let some = own.where_contradicted(3.0, 4.0);
        let sure = own.where_contradicted(1e6, 4.0);
        assert!(own.bias < some.bias && some.bias < sure.bias, "{own:?} {some:?} {sure:?}");
        assert!((sure.bias - CONTRADICTED.bias).abs() < 1e-6);
        let lowered = CorrectionPriors::lowered_by(4.0);
        assert!((sure.source - lowered * CONTRADICTED.source).abs() < 1e-6);
    }
}
