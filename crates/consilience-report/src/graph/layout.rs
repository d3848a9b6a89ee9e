//! Where sources are drawn: each group by forces, groups next to each other, nothing on top of anything.
//!
//! All of it is deterministic, so that the same report is the same file.

use super::Graph;
use crate::text::{short, widest};

/// Of the names, as the page's style has it.
const FONT: f64 = 11.5;
/// Half of the height that a node takes with its name below it.
const HALF_HEIGHT: f64 = 23.0;
const NARROWEST: f64 = 26.0;
/// How far linked nodes are apart, before names need more room.
const LENGTH: f64 = 92.0;
const STEPS: usize = 240;
/// Between groups.
const GAP: f64 = 30.0;
/// Names are cut to this many letters in the picture.
pub(super) const MOST_LETTERS: usize = 22;

/// Where each linked source is drawn, and how high the picture is.
pub(super) struct Layout {
    pub(super) places: Vec<(usize, f64, f64)>,
    pub(super) height: f64,
    pub(super) width: f64,
}

#[derive(Clone, Copy)]
struct Box2 {
    x: f64,
    y: f64,
    half: f64,
}

impl Layout {
    /// Puts the groups of `graph` into a picture of this width; wider if one group needs it.
    pub(super) fn new(graph: &Graph, width: f64) -> Self {
        let mut places = Vec::new();
        let (mut left, mut top, mut shelf, mut widest) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
        let mut rows: Vec<(usize, f64)> = Vec::new();
        for group in &graph.groups {
            let boxes = spread(graph, group, width);
            let (x0, x1) = span(boxes.iter().map(|b| (b.x - b.half, b.x + b.half)));
            let (y0, y1) = span(boxes.iter().map(|b| (b.y - HALF_HEIGHT, b.y + HALF_HEIGHT)));
            if left > 0.0 && left + (x1 - x0) > width {
                rows.push((places.len(), left - GAP));
                top += shelf + GAP;
                (left, shelf) = (0.0, 0.0);
            }
            for (&j, b) in group.iter().zip(&boxes) {
                places.push((j, left + b.x - x0, top + b.y - y0));
            }
            left += x1 - x0 + GAP;
            shelf = shelf.max(y1 - y0);
            widest = widest.max(left - GAP);
        }
        rows.push((places.len(), left - GAP));
        // Each shelf in the middle.
        let width = width.max(widest);
        let mut start = 0;
        for (end, used) in rows {
            let shift = 0.5 * (width - used);
            for (_, x, _) in &mut places[start..end] {
                *x += shift;
            }
            start = end;
        }
        Self { places, height: top + shelf, width }
    }
}

fn span(ends: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    ends.fold((f64::MAX, f64::MIN), |(low, high), (a, b)| (low.min(a), high.max(b)))
}

/// The nodes of one group: springs along links, repulsion between all, then names pushed apart.
fn spread(graph: &Graph, group: &[usize], width: f64) -> Vec<Box2> {
    let n = group.len();
    let half = |j: usize| {
        let name = short(&graph.nodes[j].name, MOST_LETTERS);
        (0.5 * FONT * widest(&name) + 6.0).max(NARROWEST)
    };
    let radius = LENGTH * (n as f64).sqrt();
    let turn = |i: usize| std::f64::consts::TAU * i as f64 / n as f64;
    let mut nodes: Vec<Box2> = (0..n)
        .map(|i| Box2 { x: radius * turn(i).cos(), y: radius * turn(i).sin(), half: half(group[i]) })
        .collect();
    if n == 2 {
        let apart = 0.5 * (nodes[0].half + nodes[1].half + 34.0);
        (nodes[0].x, nodes[0].y, nodes[1].x, nodes[1].y) = (-apart, 0.0, apart, 0.0);
        return nodes;
    }
    let mut place = vec![usize::MAX; graph.nodes.len()];
    group.iter().enumerate().for_each(|(i, &j)| place[j] = i);
    let springs: Vec<(usize, usize)> = graph
        .links
        .iter()
        .map(|link| (place[link.sources[0]], place[link.sources[1]]))
        .filter(|&(a, b)| a != usize::MAX && b != usize::MAX)
        .collect();
    for step in 0..STEPS {
        let heat = LENGTH * (1.0 - step as f64 / STEPS as f64);
        let mut forces = vec![(0.0, 0.0); n];
        for a in 0..n {
            for b in a + 1..n {
                let (dx, dy) = (nodes[a].x - nodes[b].x, nodes[a].y - nodes[b].y);
                let distance = dx.hypot(dy).max(1.0);
                let push = LENGTH * LENGTH / (distance * distance);
                forces[a] = (forces[a].0 + dx * push, forces[a].1 + dy * push);
                forces[b] = (forces[b].0 - dx * push, forces[b].1 - dy * push);
            }
        }
        for &(a, b) in &springs {
            let (dx, dy) = (nodes[a].x - nodes[b].x, nodes[a].y - nodes[b].y);
            let pull = dx.hypot(dy) / LENGTH;
            forces[a] = (forces[a].0 - dx * pull, forces[a].1 - dy * pull);
            forces[b] = (forces[b].0 + dx * pull, forces[b].1 + dy * pull);
        }
        for (node, (fx, fy)) in nodes.iter_mut().zip(forces) {
            let length = fx.hypot(fy).max(1e-9);
            let step = length.min(heat) / length;
            node.x += fx * step;
            node.y += fy * step;
        }
    }
    // Wide groups are laid across the picture, tall ones would leave it empty.
    let (x0, x1) = span(nodes.iter().map(|b| (b.x, b.x)));
    let (y0, y1) = span(nodes.iter().map(|b| (b.y, b.y)));
    if y1 - y0 > x1 - x0 {
        for node in &mut nodes {
            (node.x, node.y) = (node.y, -node.x);
        }
    }
    let widest = (x1 - x0).max(y1 - y0);
    if widest > width - 120.0 {
        let squeeze = (width - 120.0).max(120.0) / widest;
        for node in &mut nodes {
            node.x *= squeeze;
        }
    }
    push_apart(&mut nodes);
    nodes
}

/// Moves nodes whose names overlap apart, along the direction in which they overlap least.
fn push_apart(nodes: &mut [Box2]) {
    for _ in 0..400 {
        let mut moved = false;
        for a in 0..nodes.len() {
            for b in a + 1..nodes.len() {
                let (dx, dy) = (nodes[b].x - nodes[a].x, nodes[b].y - nodes[a].y);
                let over_x = nodes[a].half + nodes[b].half - dx.abs();
                let over_y = 2.0 * HALF_HEIGHT - dy.abs();
                if over_x <= 0.0 || over_y <= 0.0 {
                    continue;
                }
                moved = true;
                if over_x < over_y {
                    let by = 0.5 * (over_x + 0.1) * if dx < 0.0 { -1.0 } else { 1.0 };
                    nodes[a].x -= by;
                    nodes[b].x += by;
                } else {
                    let by = 0.5 * (over_y + 0.1) * if dy < 0.0 { -1.0 } else { 1.0 };
                    nodes[a].y -= by;
                    nodes[b].y += by;
                }
            }
        }
        if !moved {
            return;
        }
    }
}
