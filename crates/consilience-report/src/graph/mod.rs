//! Which sources repeat each other, as a picture.

mod draw;
mod layout;
mod matrix;

use consilience::findings::{Link, LinkKind, Report, links};
use consilience::structure::Structure;

/// Sources and the links between them.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The sources.
    pub nodes: Vec<Node>,
    /// The links, by place among the nodes.
    pub links: Vec<Link>,
    /// Groups of linked nodes, the largest first.
    pub groups: Vec<Vec<usize>>,
}

/// A source in the picture.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Share of items that it votes on.
    pub coverage: f64,
    /// Its tooltip.
    pub about: String,
}

/// The style of a picture that stands on its own: light, and for the picture only.
const STYLE: &str = include_str!("alone.css");

/// More linked sources than this are shown as a matrix.
const MOST_DRAWN: usize = 200;

impl Graph {
    /// The graph of a report's sources.
    pub fn of(report: &Report) -> Self {
        let node = |source: &consilience::findings::SourceSummary| Node {
            name: source.name.clone(),
            coverage: source.coverage,
            about: format!(
                "votes on {} of the items{}",
                crate::text::percent(source.coverage),
                source.accuracy.map_or(String::new(), |right| format!(
                    ", right on an estimated {}",
                    crate::text::percent(right)
                ))
            ),
        };
        Self {
            nodes: report.sources.iter().map(node).collect(),
            links: report.links.clone(),
            groups: report.groups.clone(),
        }
    }

    /// The graph of a structure, every source drawn in the same size.
    pub fn of_structure(structure: &Structure) -> Self {
        let node = |name: &String| Node { name: name.clone(), coverage: 0.25, about: "a source".to_string() };
        Self {
            nodes: structure.sources.names().iter().map(node).collect(),
            links: links(structure),
            groups: structure.groups(),
        }
    }

    /// The picture as a separate file or for another page: it includes the style that [`Self::svg`] takes from the report's page.
    pub fn svg_alone(&self, width: f64) -> String {
        let svg = self.svg(width);
        let (head, rest) = svg.split_once('>').unwrap_or((&svg, ""));
        let open = head.replacen("<svg", r#"<svg xmlns="http://www.w3.org/2000/svg""#, 1);
        format!("{open}><style>{STYLE}</style>{rest}")
    }

    /// The picture in a drawing of this width; a matrix where more than about 200 sources are linked.
    pub fn svg(&self, width: f64) -> String {
        if self.is_matrix() { matrix::svg(self, width) } else { draw::svg(self, width) }
    }

    /// Whether it is shown as a matrix.
    pub fn is_matrix(&self) -> bool {
        self.groups.iter().map(Vec::len).sum::<usize>() > MOST_DRAWN
    }
}

/// The tooltip of a link.
fn about_link(link: &Link) -> String {
    let what = match link.kind {
        LinkKind::Copy => "exact copies",
        LinkKind::Mirror => "mirror images",
        LinkKind::Once => "count as one source",
        LinkKind::Repeats => "repeat each other",
        _ => "depend on each other",
    };
    let share = link.share.map_or(String::new(), |share| format!(", {}", crate::text::percent(share)));
    let certainty = link.z.map_or(String::new(), |z| format!(", z = {z:.1}"));
    format!("{what}{share}{certainty}")
}
