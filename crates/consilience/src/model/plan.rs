//! The order in which sources are summed out, and its cost, known before anything is computed.

use crate::components::components;
use crate::dependency::{DependencyType, Factors, strides};
use crate::sources::{Domain, Sources};

/// The maximum number of table cells for exact inference over sources joined by dependencies, over all classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellLimit(pub u64);

impl Default for CellLimit {
    /// 16,777,216 cells: 128 MB of tables, about a second of work.
    fn default() -> Self {
        Self(1 << 24)
    }
}

/// Exact inference would cost more than the limit allows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "exact inference needs at least {cells} table cells for the group of {group_size} connected sources around \
     \"{example}\", more than the limit of {limit}; raise the limit, keep fewer dependencies, or use sampling"
)]
pub struct TooWide {
    /// A lower bound on the number of cells needed.
    pub cells: u64,
    /// The cells allowed.
    pub limit: u64,
    /// The size of the group that is too dense.
    pub group_size: usize,
    /// One of them.
    pub example: String,
}

/// A source with the not yet eliminated sources it is joined to when it is summed out.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// The separator, then the source itself, whose values lie next to each other.
    pub(super) scope: Vec<usize>,
    /// The number of values of each source of the scope.
    pub(super) sizes: Vec<usize>,
    /// The product of the sizes.
    pub(super) cells: usize,
    /// The cluster that takes this one's message, and for each of *its* sources the stride in the message (0: not in).
    pub(super) parent: Option<(usize, Vec<usize>)>,
    /// The factors computed here, with the strides of their tables for each source of the scope.
    pub(super) factors: Vec<(usize, Vec<usize>)>,
}

impl Cluster {
    /// The source that is summed out here.
    pub(super) fn variable(&self) -> usize {
        self.scope[self.scope.len() - 1]
    }

    /// Its number of values.
    pub(super) fn values(&self) -> usize {
        self.sizes[self.sizes.len() - 1]
    }
}

/// The clusters in the order of elimination.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) clusters: Vec<Cluster>,
    /// Cells over all classes.
    pub(super) cells: u64,
}

impl Plan {
    pub(super) fn new(
        sources: &Sources,
        domains: &[Domain],
        k: usize,
        factors: &Factors,
        limit: CellLimit,
    ) -> Result<Self, TooWide> {
        let per_class = limit.0 / k as u64;
        let mut order = Vec::new();
        let mut cells = 0u64;
        // A source alone is cheap whatever its number of values, so only the cells of joined sources are limited.
        let mut joined = 0u64;
        for group in groups(factors) {
            if let [alone] = *group.as_slice() {
                cells += domains[alone].len() as u64;
                order.push(group);
                continue;
            }
            let refuse = |needed: u64| TooWide {
                cells: needed.saturating_mul(k as u64),
                limit: limit.0,
                group_size: group.len(),
                example: sources.name(group[0]).to_string(),
            };
            let mut graph = Graph::new(&group, factors, domains);
            loop {
                let room = per_class.saturating_sub(joined);
                let next = graph.cheapest(room).map_err(|least| refuse(joined.saturating_add(least)))?;
                let Some(next) = next else { break };
                let cluster = graph.eliminate(next);
                joined += cluster.iter().map(|&j| domains[j].len() as u64).product::<u64>();
                order.push(cluster);
            }
        }
        cells += joined;
        Ok(Self { clusters: join(order, domains, factors), cells: cells * k as u64 })
    }
}

/// Turns scopes in elimination order into a tree of clusters with their factors.
fn join(order: Vec<Vec<usize>>, domains: &[Domain], factors: &Factors) -> Vec<Cluster> {
    let mut place = vec![0; domains.len()];
    for (at, scope) in order.iter().enumerate() {
        place[scope[scope.len() - 1]] = at;
    }
    let mut clusters: Vec<Cluster> = order
        .into_iter()
        .map(|scope| {
            let sizes: Vec<usize> = scope.iter().map(|&j| domains[j].len()).collect();
            let cells = sizes.iter().product();
            Cluster { scope, sizes, cells, parent: None, factors: Vec::new() }
        })
        .collect();
    for at in 0..clusters.len() {
        let (separator, _) = clusters[at].scope.split_at(clusters[at].scope.len() - 1);
        if let Some(parent) = separator.iter().map(|&j| place[j]).min() {
            let strides = strides_in(&clusters[parent].scope, separator, &strides(separator, domains).0);
            clusters[at].parent = Some((parent, strides));
        }
    }
    for (d, factor) in factors.list().iter().enumerate() {
        if let Some(at) = factor.dependency.sources().iter().map(|&j| place[j]).min() {
            let scope = factor.dependency.sources();
            let strides = strides_in(&clusters[at].scope, scope, &strides(scope, domains).0);
            clusters[at].factors.push((d, strides));
        }
    }
    clusters
}

/// For each source of `scope`, its stride in a table over `part`; 0 if it is not part of it.
fn strides_in(scope: &[usize], part: &[usize], strides: &[usize]) -> Vec<usize> {
    let stride = |j: &usize| part.iter().position(|l| l == j).map_or(0, |place| strides[place]);
    scope.iter().map(stride).collect()
}

/// The connected components of the sources, two of them being joined if one factor reads both.
fn groups(factors: &Factors) -> Vec<Vec<usize>> {
    let scopes = factors.list().iter().map(|factor| factor.dependency.sources());
    components(factors.sources(), scopes.flat_map(|scope| scope.windows(2).map(|pair| [pair[0], pair[1]])))
}

/// One group while its sources are being eliminated.
struct Graph<'a> {
    group: &'a [usize],
    sizes: Vec<u64>,
    neighbours: Vec<Vec<usize>>,
    gone: Vec<bool>,
    /// The cells of each source's cluster and the links that eliminating it would add; `None`: to be counted again.
    cost: Vec<Option<(u64, u64)>>,
}

impl<'a> Graph<'a> {
    fn new(group: &'a [usize], factors: &Factors, domains: &[Domain]) -> Self {
        let local = |j: usize| group.binary_search(&j).ok();
        let neighbours = group
            .iter()
            .map(|&j| {
                let scopes =
                    factors.of_source(j).iter().map(|&d| factors.list()[d as usize].dependency.sources());
                let mut near: Vec<usize> =
                    scopes.flatten().filter(|&&l| l != j).filter_map(|&l| local(l)).collect();
                near.sort_unstable();
                near.dedup();
                near
            })
            .collect();
        let sizes = group.iter().map(|&j| domains[j].len() as u64).collect();
        Self { group, sizes, neighbours, gone: vec![false; group.len()], cost: vec![None; group.len()] }
    }

    /// The source with the fewest links to add (min-fill), then the smallest cluster, then the first. An error gives
    /// the cells of the smallest cluster if none is within `limit`.
    fn cheapest(&mut self, limit: u64) -> Result<Option<usize>, u64> {
        let mut best: Option<(u64, u64, usize)> = None;
        let mut least = u64::MAX;
        for at in 0..self.group.len() {
            if self.gone[at] {
                continue;
            }
            let (cells, fill) = match self.cost[at] {
                Some(cost) => cost,
                None => self.count(at, limit),
            };
            self.cost[at] = Some((cells, fill));
            least = least.min(cells);
            if cells <= limit && best.is_none_or(|best| (fill, cells, at) < best) {
                best = Some((fill, cells, at));
            }
        }
        match best {
            Some((_, _, at)) => Ok(Some(at)),
            None if least == u64::MAX => Ok(None),
            None => Err(least),
        }
    }

    fn count(&self, at: usize, limit: u64) -> (u64, u64) {
        let near = &self.neighbours[at];
        let cells = near.iter().fold(self.sizes[at], |cells, &l| cells.saturating_mul(self.sizes[l]));
        if cells > limit {
            // Too large to be chosen, so its links need not be counted.
            return (cells.min(u64::MAX - 1), u64::MAX);
        }
        let missing = |i: usize| {
            near[i + 1..].iter().filter(|l| self.neighbours[near[i]].binary_search(l).is_err()).count()
        };
        (cells, (0..near.len()).map(|i| missing(i) as u64).sum())
    }

    /// Removes the source `at`, joins its neighbours, and returns them with it: the separator, then the source.
    fn eliminate(&mut self, at: usize) -> Vec<usize> {
        let near = std::mem::take(&mut self.neighbours[at]);
        self.gone[at] = true;
        for &i in &near {
            let links = &mut self.neighbours[i];
            links.extend(near.iter().filter(|&&l| l != i));
            links.retain(|&l| l != at);
            links.sort_unstable();
            links.dedup();
        }
        for &i in &near {
            self.cost[i] = None;
            for &l in &self.neighbours[i] {
                self.cost[l] = None;
            }
        }
        near.iter().chain([&at]).map(|&i| self.group[i]).collect()
    }
}
