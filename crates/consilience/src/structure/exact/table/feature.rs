//! How a link of each type enters the problem of one source: what the other source's vote adds, and its score.
//!
//! In the problem of source j, a link with source l of weight w adds w φ(v, λ_l, y) to the energy of j's vote v and the
//! class y. A directed type enters once for each direction that can be told.

use crate::structure::candidates::LinkType;
use crate::structure::exact::tail::Draw;

/// A type of link as the problem of source j sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::structure) enum Feature {
    /// 1{ v = λ_l }.
    Correlation,
    /// 1{ v = λ_l ≠ 0 }.
    Agreement,
    /// -1{ v ≠ 0, λ_l ≠ 0 }.
    Exclusive,
    /// 1{ v = λ_l = y }.
    Conjunction,
    /// j <- l: 1{ v = λ_l = y } - 1{ v = 0, λ_l ≠ 0 }.
    ///
    /// The other direction differs from it by 1{ v ≠ 0 } - 1{ λ_l ≠ 0 }, which is a vote rate of j and a constant: with
    /// free vote rates the direction cannot be seen in the votes, and one feature serves both.
    ReinforcedBy,
    /// j <- l: 1{ v ≠ 0, v ≠ y, λ_l = y } - 1{ v = 0, λ_l ≠ 0 }.
    FixedBy,
    /// l <- j: 1{ λ_l ≠ 0, λ_l ≠ y, v = y } - 1{ λ_l = 0, v ≠ 0 }.
    Fixes,
}

impl Feature {
    /// The features of the link types, in their order.
    pub(crate) fn of(types: &[LinkType]) -> Vec<Self> {
        types
            .iter()
            .flat_map(|kind| match kind {
                LinkType::Correlation => vec![Self::Correlation],
                LinkType::Agreement => vec![Self::Agreement],
                LinkType::Exclusive => vec![Self::Exclusive],
                LinkType::Conjunction => vec![Self::Conjunction],
                LinkType::Reinforcing => vec![Self::ReinforcedBy],
                LinkType::Fixing => vec![Self::FixedBy, Self::Fixes],
            })
            .collect()
    }

    /// Its type, and whether it is the direction l <- j.
    pub(in crate::structure) fn link(self) -> (LinkType, bool) {
        match self {
            Self::Correlation => (LinkType::Correlation, false),
            Self::Agreement => (LinkType::Agreement, false),
            Self::Exclusive => (LinkType::Exclusive, false),
            Self::Conjunction => (LinkType::Conjunction, false),
            Self::ReinforcedBy => (LinkType::Reinforcing, false),
            Self::FixedBy => (LinkType::Fixing, false),
            Self::Fixes => (LinkType::Fixing, true),
        }
    }

    /// What a vote of the other source adds to the energy of v = 0, times the weight.
    ///
    /// Terms in 1{v ≠ 0} are written as terms in 1{v = 0}: a constant for all v changes nothing.
    pub(crate) fn silence_where_voted(self) -> f32 {
        match self {
            Self::Exclusive => 1.0,
            Self::ReinforcedBy | Self::FixedBy => -1.0,
            _ => 0.0,
        }
    }

    /// What an abstain of the other source adds to the energy of v = 0, times the weight.
    pub(crate) fn silence_where_abstained(self) -> f32 {
        match self {
            Self::Correlation | Self::Fixes => 1.0,
            _ => 0.0,
        }
    }

    /// φ(v, λ_l) up to a constant for all v; 0 is an abstain. For features that do not read the class.
    pub(crate) fn value(self, own: usize, other: usize) -> f64 {
        let holds = match self {
            Self::Agreement => own == other && own > 0,
            // -1{v ≠ 0} is 1{v = 0} but for a constant.
            Self::Exclusive => own == 0 && other > 0,
            _ => own == other,
        };
        f64::from(u8::from(holds))
    }

    /// φ(v, λ_l, y); 0 is an abstain.
    pub(crate) fn phi(self, own: usize, other: usize, y: usize) -> f64 {
        let indicator = |holds: bool| f64::from(u8::from(holds));
        match self {
            Self::Correlation => indicator(own == other),
            Self::Agreement => indicator(own == other && own > 0),
            Self::Exclusive => -indicator(own > 0 && other > 0),
            Self::Conjunction => indicator(own == y && other == y),
            Self::ReinforcedBy => indicator(own == y && other == y) - indicator(own == 0 && other > 0),
            Self::FixedBy => indicator(own > 0 && own != y && other == y) - indicator(own == 0 && other > 0),
            Self::Fixes => indicator(other > 0 && other != y && own == y) - indicator(other == 0 && own > 0),
        }
    }

    /// What the own vote adds to the sum that a link is tested by, on an item that the other source votes on.
    pub(crate) fn worth(self) -> Worth {
        let (same, other, sign) = match self {
            Self::Correlation | Self::ReinforcedBy => (2, 1, 1.0),
            Self::Agreement | Self::Conjunction => (1, 0, 1.0),
            Self::Exclusive => (1, 1, -1.0),
            Self::FixedBy | Self::Fixes => (1, 2, 1.0),
        };
        Worth { same, other, sign }
    }

    /// Which table of the kernel a vote c of the other source is added to.
    pub(crate) fn channel(self) -> Option<Channel> {
        match self {
            Self::Correlation | Self::Agreement => Some(Channel::Match),
            Self::Exclusive => None,
            Self::Conjunction | Self::ReinforcedBy => Some(Channel::RightMatch),
            Self::FixedBy => Some(Channel::Wrong),
            Self::Fixes => Some(Channel::RightOther),
        }
    }
}

/// What a vote adds to a sum: nothing if it is an abstain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Worth {
    /// Where it is the other source's vote.
    same: u8,
    /// Where it is another class.
    other: u8,
    /// Whether large sums ask for positive or for negative weights.
    pub(crate) sign: f64,
}

impl Worth {
    /// Of vote `own` if the other source votes `other`; 0 is an abstain.
    pub(crate) fn of(self, own: u16, other: u16) -> u8 {
        match own {
            0 => 0,
            own if own == other => self.same,
            _ => self.other,
        }
    }

    /// The draw of an item on which the own vote is the other one's, or another class, with these probabilities.
    pub(crate) fn draw(self, same: f64, other: f64, times: u32) -> Draw {
        let adding = |worth: u8| {
            (if self.same == worth { same } else { 0.0 }) + if self.other == worth { other } else { 0.0 }
        };
        Draw { one: adding(1), two: adding(2), times }
    }
}

/// The cells (v, y) that a vote c of another source affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// v = c, whatever y.
    Match,
    /// v = y = c.
    RightMatch,
    /// y = c and v another class.
    Wrong,
    /// v = y, another class than c.
    RightOther,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the dependency types' own files; a constant for all votes changes nothing.
    #[test]
    fn phi_is_that_of_the_type() {
        for feature in Feature::of(&LinkType::ALL) {
            let (kind, reverse) = feature.link();
            let truth = |own: u16, other: u16, y: u16| {
                if reverse { kind.phi(other, own, y) } else { kind.phi(own, other, y) }
            };
            for y in 1..4u16 {
                for other in 0..4u16 {
                    for own in 0..4u16 {
                        let found = feature.phi(own.into(), other.into(), y.into());
                        assert!(
                            (found - truth(own, other, y)).abs() < 1e-12,
                            "{feature:?} {own} {other} {y}"
                        );
                    }
                }
            }
        }
    }
}
