//! What the problems say once they are solved: links, accuracies and rates with their errors.

use crate::dependency::{Accuracy, ClassPrior, Factor, VoteRate};
use crate::structure::exact::table::feature::Feature;
use crate::votes::Votes;

/// The estimate of a link from one source's problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::structure) struct LinkFit {
    pub(in crate::structure) weight: f64,
    pub(in crate::structure) stderr: f64,
    /// Between sources that meet too seldom for normal estimates: how far out the sum that tests it is, as a normal number.
    pub(in crate::structure) tested: Option<f64>,
}

/// A link between sources that seldom meet and that nothing supports: it is not fitted with the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::structure) struct Rejected {
    /// The places of the two sources among the active ones, ascending.
    pub(in crate::structure) sources: [usize; 2],
    /// The number of its feature.
    pub(in crate::structure) feature: usize,
    pub(in crate::structure) weight: f64,
    pub(in crate::structure) stderr: f64,
    pub(in crate::structure) z: f64,
}

/// The estimates of one source's problem.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceFit {
    /// The source's number in the table.
    pub source: usize,
    /// On how many items it votes.
    pub votes: u64,
    /// Weight of its accuracy dependency.
    pub accuracy: f64,
    /// Its standard error, the accuracies of the others taken as known.
    pub(crate) accuracy_error: f64,
    /// For each class it ever votes for, ascending, the weight of its vote rate.
    pub rates: Vec<f64>,
    /// For each class, what this problem adds to the class terms that all share.
    pub class_terms: Vec<f64>,
    /// The places among the active sources of those it may be linked with, ascending.
    pub(in crate::structure) others: Vec<usize>,
    /// For each feature and each of these, the link.
    pub(in crate::structure) links: Vec<LinkFit>,
    /// log p(its votes | the others).
    pub log_likelihood: f64,
    /// Whether the optimum was reached.
    pub converged: bool,
}

/// The estimates of all problems.
#[derive(Clone, Debug)]
pub struct ExactFit {
    /// One for each active source, ascending.
    pub sources: Vec<SourceFit>,
    /// Groups of exact copies; the first of each is active.
    pub copies: Vec<Vec<usize>>,
    /// Sources and their mirror images, which are not active.
    pub mirrors: Vec<[usize; 2]>,
    pub(in crate::structure) features: Vec<Feature>,
    /// The class terms that all problems share.
    pub class_terms: Vec<f64>,
    /// For each penalty asked for and each active source, the weight of each link as in [`SourceFit`].
    pub(in crate::structure) penalised: Vec<Vec<Vec<f64>>>,
    /// Links that were tested and not fitted, by sources and feature; those plainly absent are left out if there are very many.
    pub(in crate::structure) rejected: Vec<Rejected>,
    /// Pairs of active sources that have too few items in common to be tested.
    pub untested: usize,
    /// Passes over the rows, all batches together.
    pub passes: usize,
    /// Rounds of the accuracies.
    pub rounds: usize,
}

impl ExactFit {
    /// The factors of the problem of the source at `place` among the active ones: its vote rates and class terms, the accuracies
    /// of all active sources, and its links with the weights estimated in this problem alone.
    pub fn problem(&self, votes: &Votes, place: usize) -> Vec<Factor> {
        let fit = &self.sources[place];
        let classes = votes.domains()[fit.source].classes();
        let rates =
            classes.iter().zip(&fit.rates).map(|(&c, &rate)| Factor::new(VoteRate::new(fit.source, c), rate));
        let accuracies =
            self.sources.iter().map(|other| Factor::new(Accuracy::new(other.source), other.accuracy));
        let terms = self.class_terms.iter().zip(&fit.class_terms).zip(1..);
        let terms = terms.map(|((shared, own), c)| Factor::new(ClassPrior::new(c), shared + own));
        let mut factors: Vec<Factor> = rates.chain(accuracies).chain(terms).collect();
        for (links, feature) in fit.links.chunks_exact(fit.others.len().max(1)).zip(&self.features) {
            let (kind, reverse) = feature.link();
            for (&LinkFit { weight, .. }, &other) in links.iter().zip(&fit.others) {
                let other = &self.sources[other];
                let (to, from) =
                    if reverse { (other.source, fit.source) } else { (fit.source, other.source) };
                // Different sources always make a link.
                factors.extend(kind.between(to, from).ok().map(|dependency| Factor { dependency, weight }));
            }
        }
        factors
    }
}
