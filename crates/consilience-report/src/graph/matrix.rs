//! The links of many sources, as a matrix in the order of the groups.

use super::Graph;
use crate::heat_map::{Pixel, picture};

pub(super) fn svg(graph: &Graph, width: f64) -> String {
    let order: Vec<usize> = graph.groups.iter().flatten().copied().collect();
    let n = order.len();
    let mut place = vec![usize::MAX; graph.nodes.len()];
    order.iter().enumerate().for_each(|(row, &j)| place[j] = row);
    let mut pixels = vec![Pixel::EMPTY; n * n];
    for link in &graph.links {
        let [a, b] = link.sources.map(|j| place[j]);
        if a < n && b < n {
            let pixel = Pixel::positive(0.25 + 0.75 * link.strength());
            pixels[a * n + b] = pixel;
            pixels[b * n + a] = pixel;
        }
    }
    picture(&pixels, n, width.min(560.0), &format!("links between {n} sources, grouped"))
}
