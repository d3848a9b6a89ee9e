//! The drawing of a graph: lines as thick as the repetition, one colour per group.

use std::fmt::Write as _;

use consilience::findings::{Link, LinkKind};

use super::layout::{Layout, MOST_LETTERS};
use super::{Graph, about_link};
use crate::text::{escape, short};

/// Colours of groups; the page's style has them.
const COLOURS: usize = 8;

pub(super) fn svg(graph: &Graph, width: f64) -> String {
    let layout = Layout::new(graph, width);
    let mut place = vec![None; graph.nodes.len()];
    for &(j, x, y) in &layout.places {
        place[j] = Some((x, y));
    }
    let mut group_of = vec![0; graph.nodes.len()];
    for (g, group) in graph.groups.iter().enumerate() {
        for &j in group {
            group_of[j] = g;
        }
    }
    let mut svg = String::new();
    let _ = write!(
        svg,
        r#"<svg class="graph" viewBox="0 0 {w:.0} {h:.0}" width="{w:.0}" height="{h:.0}" role="img" aria-label="{label}">"#,
        w = layout.width,
        h = layout.height + 8.0,
        label = escape(&alternative(graph)),
    );
    let mut links: Vec<&Link> = graph.links.iter().collect();
    links.sort_by(|a, b| a.strength().total_cmp(&b.strength()));
    for link in links {
        let [Some((x1, y1)), Some((x2, y2))] = link.sources.map(|j| place[j]) else { continue };
        let thick = if link.kind == LinkKind::Linked { 1.0 } else { 1.2 + 5.0 * link.strength() };
        let dash = if matches!(link.kind, LinkKind::Linked | LinkKind::Mirror) {
            r#" stroke-dasharray="3 4""#
        } else {
            ""
        };
        let names = link.sources.map(|j| graph.nodes[j].name.as_str());
        let _ = write!(
            svg,
            r#"<line class="link g{}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke-width="{thick:.1}"{dash}><title>{}</title></line>"#,
            group_of[link.sources[0]] % COLOURS,
            escape(&format!("{} and {}: {}", names[0], names[1], about_link(link))),
        );
    }
    for &(j, x, y) in &layout.places {
        let node = &graph.nodes[j];
        let radius = 5.0 + 6.0 * node.coverage.sqrt();
        let _ = write!(
            svg,
            r#"<g class="node g{}"><title>{}</title><circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/><text x="{x:.1}" y="{:.1}">{}</text></g>"#,
            group_of[j] % COLOURS,
            escape(&format!("{}: {}", node.name, node.about)),
            y + 22.0,
            escape(&short(&node.name, MOST_LETTERS)),
        );
    }
    svg.push_str("</svg>");
    svg
}

/// The picture in words.
fn alternative(graph: &Graph) -> String {
    let linked: usize = graph.groups.iter().map(Vec::len).sum();
    format!(
        "{} of {} sources in {} groups of sources that repeat each other",
        linked,
        graph.nodes.len(),
        graph.groups.len()
    )
}
