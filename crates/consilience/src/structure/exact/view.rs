//! What the problems of one group see of the table: all sources, or the few that theirs may be linked with.

use std::borrow::Cow;

use super::feature::Feature;
use super::group::Group;
use super::rows::Rows;

/// The rows and the group, numbered alike.
pub(super) struct View<'a> {
    pub(super) rows: Cow<'a, Rows>,
    pub(super) group: Cow<'a, Group>,
}

impl<'a> View<'a> {
    /// All sources.
    pub(super) fn all(rows: &'a Rows, group: &'a Group) -> Self {
        Self { rows: Cow::Borrowed(rows), group: Cow::Borrowed(group) }
    }

    /// The group's own active sources and their neighbours, ascending.
    pub(super) fn sources_near(group: &Group, neighbours: &[Vec<usize>]) -> Vec<usize> {
        let mut kept: Vec<usize> =
            group.members.iter().flat_map(|&j| neighbours[j].iter().copied().chain([j])).collect();
        kept.sort_unstable();
        kept.dedup();
        kept
    }

    /// Those alone.
    pub(super) fn near(
        rows: &Rows,
        group: &Group,
        neighbours: &[Vec<usize>],
        features: &[Feature],
    ) -> View<'static> {
        let kept = Self::sources_near(group, neighbours);
        let group = group.within(&kept, neighbours);
        let rows = rows.of_sources(&kept);
        let rows = if features == [Feature::Correlation] { rows.with_contrast() } else { rows };
        View { rows: Cow::Owned(rows), group: Cow::Owned(group) }
    }
}
