//! The sources whose problems are solved side by side.

use std::sync::Arc;

use super::rows::Rows;
use crate::optim::LANES;
use crate::parallel;
use crate::sources::Vote;
use crate::votes::Votes;

/// Bytes of a table's votes up to which each batch keeps those of its own sources.
const MOST_KEPT: usize = 64 << 20;

/// Up to sixteen sources whose problems are solved side by side.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// The active sources, one per lane; lanes without one repeat the first and are ignored.
    pub(crate) members: Vec<usize>,
    /// The classes that any of them votes for, ascending.
    pub(crate) classes: Vec<Vote>,
    /// For each of these classes and each lane, whether the lane's source ever votes for it.
    pub(crate) in_domain: Vec<[bool; LANES]>,
    /// For each row and lane, 0 if the lane's source abstains, else 1 + the place of its vote among these classes; only if
    /// that is not too much to keep.
    pub(crate) own: Option<Arc<Vec<[u8; LANES]>>>,
    /// For each source of the rows and each lane, whether they may be linked; all may by default.
    pub(crate) linked: Option<Vec<[bool; LANES]>>,
}

impl Batch {
    /// All batches; sources with the same domain share one if they can.
    pub(crate) fn all(rows: &Rows, votes: &Votes) -> Vec<Self> {
        let mut order: Vec<usize> = (0..rows.active.len()).collect();
        order.sort_by_key(|&j| votes.domains()[rows.active[j]].values().to_vec());
        parallel::map(order.chunks(LANES), |members| Self::new(members, rows, votes))
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
        let mut batch = Self { members: members.to_vec(), classes, in_domain, own: None, linked: None };
        if batch.classes.len() < usize::from(u8::MAX) && rows.len() * rows.active.len() <= MOST_KEPT {
            batch.own = Some(Arc::new(batch.own_votes(rows)));
        }
        batch
    }

    fn own_votes(&self, rows: &Rows) -> Vec<[u8; LANES]> {
        let mut own = vec![[0; LANES]; rows.len()];
        for block in 0..rows.blocks() {
            let own = &mut own[rows.block(block)];
            for lane in 0..LANES {
                for &cell in rows.of_source(block, self.source(lane)) {
                    let (row, class) = rows.row_and_class(cell);
                    let place = self.classes.iter().position(|&c| usize::from(c) == class + 1);
                    own[row][lane] = place.map_or(0, |place| place as u8 + 1);
                }
            }
        }
        own
    }

    /// The same batch in rows of the sources `kept` alone, with links to the neighbours of each active source.
    pub(crate) fn within(&self, kept: &[usize], neighbours: &[Vec<usize>]) -> Self {
        let place = |j: &usize| kept.partition_point(|k| k < j);
        let linked = kept
            .iter()
            .map(|l| {
                std::array::from_fn(|lane| {
                    self.real(lane) && neighbours[self.source(lane)].binary_search(l).is_ok()
                })
            })
            .collect();
        Self { members: self.members.iter().map(place).collect(), linked: Some(linked), ..self.clone() }
    }

    /// Whether the source of `lane` may be linked with source `l` of the rows.
    pub(crate) fn may_link(&self, lane: usize, l: usize) -> bool {
        let free = self.linked.as_ref().is_none_or(|linked| linked[l][lane]);
        self.real(lane) && self.source(lane) != l && free
    }

    /// The active source of `lane`.
    pub(crate) fn source(&self, lane: usize) -> usize {
        self.members.get(lane).copied().unwrap_or(self.members[0])
    }

    /// Whether `lane` has a problem of its own.
    pub(crate) fn real(&self, lane: usize) -> bool {
        lane < self.members.len()
    }
}
