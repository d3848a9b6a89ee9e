//! The votes as the solver reads them: distinct rows of the sources that can be told apart.

use super::super::candidates::exact_copies;
use crate::optim::LANES;
use crate::sources::Vote;
use crate::votes::Votes;

/// Distinct rows over the active sources: those that ever vote and are no copy of an earlier one.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// For each active source, its number in the table.
    pub(super) active: Vec<usize>,
    /// Groups of exact copies, by their numbers in the table.
    pub(super) copies: Vec<Vec<usize>>,
    /// The number of classes.
    pub(super) classes: usize,
    /// How many items have each row.
    pub(super) counts: Vec<f32>,
    /// Where the votes of each row end.
    ends: Vec<usize>,
    sources: Vec<u16>,
    votes: Vec<Vote>,
}

impl Rows {
    pub(super) fn new(votes: &Votes) -> Self {
        let copies = exact_copies(votes);
        let is_copy = |j: usize| copies.iter().any(|group| group[1..].contains(&j));
        let active: Vec<usize> =
            (0..votes.sources().len()).filter(|&j| votes.domains()[j].len() > 1 && !is_copy(j)).collect();
        let mut place = vec![None; votes.sources().len()];
        for (to, &from) in active.iter().enumerate() {
            place[from] = Some(to as u16);
        }
        let patterns = votes.patterns();
        let mut rows = Self {
            active,
            copies,
            classes: votes.classes().len(),
            counts: patterns.counts().iter().map(|&count| count as f32).collect(),
            ends: Vec::with_capacity(patterns.len()),
            sources: Vec::new(),
            votes: Vec::new(),
        };
        for p in 0..patterns.len() {
            for (j, vote) in patterns.row(p) {
                if let Some(j) = place[j] {
                    rows.sources.push(j);
                    rows.votes.push(vote);
                }
            }
            rows.ends.push(rows.sources.len());
        }
        rows
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The voting sources of row `u`, ascending, and their votes.
    #[inline(always)]
    pub(super) fn row(&self, u: usize) -> (&[u16], &[Vote]) {
        let start = if u == 0 { 0 } else { self.ends[u - 1] };
        (&self.sources[start..self.ends[u]], &self.votes[start..self.ends[u]])
    }
}

/// Up to sixteen sources whose problems are solved side by side.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The active sources, one a lane; lanes without one repeat the first and are ignored.
    pub(super) members: Vec<usize>,
    /// The classes that any of them votes for, ascending.
    pub(super) classes: Vec<Vote>,
    /// For each of these classes and each lane, whether the lane's source ever votes for it.
    pub(super) in_domain: Vec<[bool; LANES]>,
    /// For each row and lane: 0 where the source abstains, else 1 + the place of its vote among `classes`.
    pub(super) observed: Vec<[u16; LANES]>,
}

impl Group {
    /// All groups; sources with the same domain share one where they can.
    pub(super) fn all(rows: &Rows, votes: &Votes) -> Vec<Self> {
        let mut order: Vec<usize> = (0..rows.active.len()).collect();
        order.sort_by_key(|&j| votes.domains()[rows.active[j]].values().to_vec());
        order.chunks(LANES).map(|members| Self::new(members, rows, votes)).collect()
    }

    fn new(members: &[usize], rows: &Rows, votes: &Votes) -> Self {
        let domain = |j: usize| votes.domains()[rows.active[j]].classes();
        let mut classes: Vec<Vote> = members.iter().flat_map(|&j| domain(j)).copied().collect();
        classes.sort_unstable();
        classes.dedup();
        let lane_source = |lane: usize| members.get(lane).copied().unwrap_or(members[0]);
        let in_domain = classes
            .iter()
            .map(|c| std::array::from_fn(|lane| domain(lane_source(lane)).contains(c)))
            .collect();
        let mut lanes_of = vec![Vec::new(); rows.active.len()];
        for lane in 0..LANES {
            lanes_of[lane_source(lane)].push(lane);
        }
        let mut slot = vec![0u16; rows.classes + 1];
        for (place, &class) in (1..).zip(&classes) {
            slot[usize::from(class)] = place;
        }
        let observed = (0..rows.len())
            .map(|u| {
                let mut seen = [0; LANES];
                let (sources, votes) = rows.row(u);
                for (&j, &vote) in sources.iter().zip(votes) {
                    for &lane in &lanes_of[usize::from(j)] {
                        seen[lane] = slot[usize::from(vote)];
                    }
                }
                seen
            })
            .collect();
        Self { members: members.to_vec(), classes, in_domain, observed }
    }

    /// The active source of `lane`.
    pub(super) fn source(&self, lane: usize) -> usize {
        self.members.get(lane).copied().unwrap_or(self.members[0])
    }

    /// Whether `lane` has a problem of its own.
    pub(super) fn real(&self, lane: usize) -> bool {
        lane < self.members.len()
    }
}
