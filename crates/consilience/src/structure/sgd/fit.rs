//! What Algorithm 1 found.

use super::families::Family;
use super::options::{OwnRates, SgdOptions};
use crate::dependency::{
    Accuracy, ClassPrior, Dependency, DependencyType, Factor, Factors, Propensity, VoteRate,
};
use crate::sources::{Domain, Vote};
use crate::structure::{LearnedDependency, LinkType, Origin, Select, Structure};
use crate::votes::Votes;

/// The final weights of one problem: the votes of source j, given those of all others.
#[derive(Clone, Debug, PartialEq)]
pub struct SgdProblem {
    /// For each source l, its accuracy as this problem sees it; the own source's included.
    pub accuracies: Vec<f64>,
    /// For each vote, its rate as a weight (abstain: 0); all 0 if rates were not requested.
    pub rates: Vec<f64>,
    /// For each class, its prior as a weight; all 0 if it was not requested.
    pub prior: Vec<f64>,
    /// For each type of link, and for a directed type each direction, one weight per source; the own place is 0.
    pub(super) links: Vec<Vec<f64>>,
}

/// The weights of all problems.
#[derive(Clone, Debug, PartialEq)]
pub struct SgdFit {
    pub(super) problems: Vec<SgdProblem>,
    pub(super) families: Vec<Family>,
    pub(super) domains: Vec<Domain>,
    pub(super) options: SgdOptions,
    pub(super) items: usize,
}

impl SgdFit {
    /// The problems, one per source.
    pub fn problems(&self) -> &[SgdProblem] {
        &self.problems
    }

    /// The settings it was found with.
    pub fn options(&self) -> &SgdOptions {
        &self.options
    }

    /// The weight of the link between `j` and `l` (for a directed type, j <- l) in the problem of j and in that of l;
    /// `None` if the type was not requested or the pair of sources does not exist.
    pub fn link(&self, kind: LinkType, j: usize, l: usize) -> Option<[f64; 2]> {
        let back = if kind.directed() { Family::Reversed(kind) } else { Family::Link(kind) };
        let weight = |family: Family, of: usize, with: usize| {
            let place = self.families.iter().skip(1).position(|&f| f == family)?;
            self.problems.get(of)?.links[place].get(with).copied()
        };
        if j == l {
            return None;
        }
        Some([weight(Family::Link(kind), j, l)?, weight(back, l, j)?])
    }

    /// All candidates, by source numbers then type: selected where |weight| > ε in either problem, with the mean of the
    /// two weights.
    pub fn dependencies(&self) -> Vec<LearnedDependency> {
        let n = self.problems.len();
        let mut types = self.options.types.clone();
        types.sort_unstable();
        let mut list = Vec::new();
        for j in 0..n {
            for l in j + 1..n {
                for &kind in &types {
                    let directions = if kind.directed() { &[(j, l), (l, j)][..] } else { &[(j, l)][..] };
                    list.extend(directions.iter().filter_map(|&(a, b)| self.candidate(kind, a, b)));
                }
            }
        }
        list
    }

    fn candidate(&self, kind: LinkType, j: usize, l: usize) -> Option<LearnedDependency> {
        let weights = self.link(kind, j, l)?;
        Some(LearnedDependency {
            dependency: kind.between(j, l).ok()?,
            weight: f64::midpoint(weights[0], weights[1]),
            stderr: None,
            z: None,
            p: None,
            q: None,
            selected: weights.iter().any(|weight| weight.abs() > self.options.epsilon),
        })
    }

    /// The structure of the `votes` it was found from.
    ///
    /// Exact copies are sources like all others here, so no copies are named.
    pub fn structure(&self, votes: &Votes) -> Structure {
        let dependencies: Vec<LearnedDependency> =
            self.dependencies().into_iter().filter(|learned| votes_both(votes, learned)).collect();
        Structure {
            tests: dependencies.len(),
            dependencies,
            origin: Origin::Sgd,
            select: Some(Select::Threshold(self.options.epsilon)),
            items: self.items,
            ..Structure::of_votes(votes)
        }
    }

    /// All parameters of the problem of source `j`, zeros included: accuracies, own rates, class prior, links of j.
    pub fn factors_of(&self, j: usize) -> Factors {
        let n = self.problems.len();
        let problem = &self.problems[j];
        let accuracies = problem.accuracies.iter().enumerate();
        let mut list: Vec<Factor> = accuracies.map(|(l, &a)| Factor::new(Accuracy::new(l), a)).collect();
        match self.options.own_rates {
            OwnRates::None => {}
            OwnRates::Propensity => {
                let rate = self.domains[j].classes().first().map(|&c| problem.rates[usize::from(c)]);
                list.extend(rate.map(|rate| Factor::new(Propensity::new(j), rate)));
            }
            OwnRates::VoteRates => {
                let rate = |&c: &Vote| Factor::new(VoteRate::new(j, c), problem.rates[usize::from(c)]);
                list.extend(self.domains[j].classes().iter().map(rate));
            }
        }
        if self.options.class_prior {
            let priors = (1..).zip(&problem.prior);
            list.extend(priors.map(|(class, &prior)| Factor::new(ClassPrior::new(class), prior)));
        }
        for (family, weights) in self.families.iter().skip(1).zip(&problem.links) {
            for (l, &weight) in weights.iter().enumerate() {
                let dependency = match *family {
                    Family::Accuracy => continue,
                    Family::Link(kind) => kind.between(j, l),
                    Family::Reversed(kind) => kind.between(l, j),
                };
                list.extend(dependency.ok().map(|dependency| Factor::new(dependency, weight)));
            }
        }
        Factors::new(list, n)
    }

    /// One model of all problems: each source's accuracy from its own problem, and the selected links.
    pub fn factors(&self) -> Factors {
        let accuracy = |(j, problem): (usize, &SgdProblem)| {
            let accuracy: Dependency = Accuracy::new(j).into();
            Factor::new(accuracy, problem.accuracies[j])
        };
        let mut list: Vec<Factor> = self.problems.iter().enumerate().map(accuracy).collect();
        let selected = self.dependencies().into_iter().filter(|learned| learned.selected);
        list.extend(selected.map(|learned| Factor::new(learned.dependency, learned.weight)));
        debug_assert!(list.iter().all(|factor| factor.dependency.sources().len() < 3));
        Factors::new(list, self.problems.len())
    }
}

/// Whether both sources of a candidate ever vote: nothing can be learned about one that never does.
fn votes_both(votes: &Votes, learned: &LearnedDependency) -> bool {
    learned.dependency.sources().iter().all(|&j| votes.domains()[j].len() > 1)
}
