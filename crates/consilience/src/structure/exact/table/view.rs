//! What the problems of one batch see of the table: all sources, or the few that theirs may be linked with.

use std::borrow::Cow;

use super::batch::Batch;
use super::feature::Feature;
use super::rows::Rows;

/// The rows and the batch, numbered alike.
pub(crate) struct View<'a> {
    pub(crate) rows: Cow<'a, Rows>,
    pub(crate) batch: Cow<'a, Batch>,
}

impl<'a> View<'a> {
    /// All sources.
    pub(crate) fn all(rows: &'a Rows, batch: &'a Batch) -> Self {
        Self { rows: Cow::Borrowed(rows), batch: Cow::Borrowed(batch) }
    }

    /// The batch's own active sources and their neighbours, ascending.
    pub(crate) fn sources_near(batch: &Batch, neighbours: &[Vec<usize>]) -> Vec<usize> {
        let mut kept: Vec<usize> =
            batch.members.iter().flat_map(|&j| neighbours[j].iter().copied().chain([j])).collect();
        kept.sort_unstable();
        kept.dedup();
        kept
    }

    /// Those alone.
    pub(crate) fn near(
        rows: &Rows,
        batch: &Batch,
        neighbours: &[Vec<usize>],
        features: &[Feature],
    ) -> View<'static> {
        let kept = Self::sources_near(batch, neighbours);
        let batch = batch.within(&kept, neighbours);
        let rows = rows.of_sources(&kept);
        let rows = if features == [Feature::Correlation] { rows.with_contrast() } else { rows };
        View { rows: Cow::Owned(rows), batch: Cow::Owned(batch) }
    }
}
