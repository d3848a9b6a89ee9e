//! Which sources depend on each other: one link per pair of sources.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::dependency::DependencyType as _;
use crate::structure::Structure;

/// A pair of sources that depend on each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Link {
    /// The sources, ascending.
    pub sources: [usize; 2],
    /// What joins them.
    pub kind: LinkKind,
    /// How much they repeat each other, as a share of the maximum; `None` if not measured.
    pub share: Option<f64>,
    /// The weight of the strongest learned dependency between them, if one was selected.
    pub weight: Option<f64>,
    /// The distance from chance of the most certain of these, in standard deviations.
    pub z: Option<f64>,
    /// The types of the learned dependencies.
    pub types: Vec<String>,
    /// How one is declared from the other, or both from a third, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
}

/// What joins two sources, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LinkKind {
    /// They cast exactly the same votes.
    Copy,
    /// The votes of one determine those of the other.
    Mirror,
    /// They are near copies or echoes, and count as one source.
    Once,
    /// They agree beyond what class and difficulty explain, and count in part.
    Repeats,
    /// A learned dependency that does not discount votes.
    Linked,
}

impl Link {
    /// How strongly two sources repeat each other, from 0 to 1.
    pub fn strength(&self) -> f64 {
        match self.kind {
            LinkKind::Copy | LinkKind::Mirror => 1.0,
            LinkKind::Once => self.share.unwrap_or(1.0),
            LinkKind::Repeats => self.share.unwrap_or(0.0),
            LinkKind::Linked => 0.0,
        }
    }
}

/// One link for each pair that `structure` joins, in the order of the sources. Members of a group that counts once are linked to its
/// first.
///
/// ```
/// use consilience::findings::{LinkKind, links};
/// use consilience::pipeline::{Votes, label};
///
/// let rows = [["yes", "yes", "no"], ["no", "no", "no"], ["yes", "yes", "yes"]].repeat(40);
/// let structure = label(&Votes::from_text(&["a", "a_copy", "b"], rows)?)?.structure;
/// let found = links(&structure);
/// assert_eq!((found[0].sources, found[0].kind), ([0, 1], LinkKind::Copy));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn links(structure: &Structure) -> Vec<Link> {
    let mut links = Links::default();
    for group in &structure.copies {
        for &j in &group[1..] {
            links.join([group[0], j], LinkKind::Copy);
        }
    }
    for &mirror in &structure.mirrors {
        links.join(mirror, LinkKind::Mirror);
    }
    if let Some(found) = &structure.repetitions {
        for group in &found.once {
            for &j in &group[1..] {
                links.join([group[0], j], LinkKind::Once);
            }
        }
        for pair in &found.pairs {
            let link = links.join(pair.sources, LinkKind::Repeats);
            link.share = (pair.share > 0.0).then_some(pair.share);
            link.z = pair.z;
        }
    }
    for learned in structure.selected() {
        let &[a, b] = learned.dependency.sources() else { continue };
        let link = links.join([a, b], LinkKind::Linked);
        link.types.push(learned.dependency.name().to_string());
        if link.weight.is_none_or(|weight| weight.abs() < learned.weight.abs()) {
            link.weight = Some(learned.weight);
        }
        if let Some(z) = learned.z
            && link.z.is_none_or(|known| known.abs() < z.abs())
        {
            link.z = Some(z);
        }
    }
    let mut links: Vec<Link> = links.0.into_values().collect();
    for link in &mut links {
        let [a, b] = link.sources;
        link.explanation = structure.explanation(a, b);
    }
    links
}

#[derive(Default)]
struct Links(BTreeMap<[usize; 2], Link>);

impl Links {
    /// The link between two sources, of the stronger kind if there is one already.
    fn join(&mut self, [a, b]: [usize; 2], kind: LinkKind) -> &mut Link {
        let sources = [a.min(b), a.max(b)];
        let new = || Link {
            sources,
            kind,
            share: None,
            weight: None,
            z: None,
            types: Vec::new(),
            explanation: None,
        };
        let link = self.0.entry(sources).or_insert_with(new);
        link.kind = link.kind.min(kind);
        link
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependency::Correlation;
    use crate::sources::{Classes, Sources};
    use crate::structure::{LearnedDependency, Repetition, Repetitions};

    #[test]
    fn a_pair_has_one_link_of_its_strongest_kind() {
        let learned = |a, b, weight, z| LearnedDependency {
            weight,
            z: Some(z),
            ..LearnedDependency::given(Correlation::new(a, b).unwrap().into())
        };
        let sources = Sources::numbered(6).unwrap();
        let dependencies = vec![learned(0, 1, 0.5, 9.0), learned(2, 3, -0.2, -4.0)];
        let given = Structure::new(sources, Classes::numbered(2).unwrap(), dependencies, 10).unwrap();
        let pair = |a, b, share| Repetition { sources: [a, b], share, z: Some(3.0) };
        let structure = Structure {
            copies: vec![vec![1, 4, 5]],
            repetitions: Some(Repetitions {
                pairs: vec![pair(0, 1, 0.7), pair(0, 2, 0.0)],
                once: vec![vec![0, 1]],
            }),
            ..given
        };
        let links = links(&structure);
        let kinds: Vec<_> = links.iter().map(|link| (link.sources, link.kind)).collect();
        assert_eq!(
            kinds,
            [
                ([0, 1], LinkKind::Once),
                ([0, 2], LinkKind::Repeats),
                ([1, 4], LinkKind::Copy),
                ([1, 5], LinkKind::Copy),
                ([2, 3], LinkKind::Linked),
            ]
        );
        // What is known of a pair is kept, whatever its kind; a share of 0 is one that was not measured.
        assert_eq!((links[0].share, links[0].weight, links[0].z), (Some(0.7), Some(0.5), Some(9.0)));
        assert_eq!((links[1].share, links[4].z), (None, Some(-4.0)));
    }
}
