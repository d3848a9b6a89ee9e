//! Charts with axes: bars over ranges, and dots against the diagonal.
//!
//! Drawn here and not by a plotting library because their colours come from the page's style, which follows the reader's theme.

use std::fmt::Write as _;

use consilience::findings::ConfidenceBin;

use crate::text::{percent, thousands};

const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 230.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 22.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;

fn x_of(share: f64, from: f64) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * (share - from) / (1.0 - from)
}

fn y_of(share: f64) -> f64 {
    HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share
}

fn begin(label: &str) -> String {
    format!(
        r#"<svg class="chart" viewBox="0 0 {WIDTH:.0} {HEIGHT:.0}" width="{WIDTH:.0}" height="{HEIGHT:.0}" role="img" aria-label="{label}">"#
    )
}

/// Marks along the axis of confidence, and its name.
fn confidence_axis(svg: &mut String, from: f64) {
    let base = HEIGHT - BOTTOM;
    let _ = write!(
        svg,
        r#"<line class="axis" x1="{LEFT:.1}" y1="{base:.1}" x2="{:.1}" y2="{base:.1}"/>"#,
        WIDTH - RIGHT
    );
    for mark in [0.0, 0.25, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0] {
        let coarse = [0.0, 0.25, 0.5, 0.75, 1.0].iter().any(|other: &f64| (other - mark).abs() < 1e-9);
        let fine = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0].iter().any(|other: &f64| (other - mark).abs() < 1e-9);
        if mark < from - 1e-9 || !(if from < 0.45 { coarse } else { fine }) {
            continue;
        }
        let x = x_of(mark, from);
        let _ = write!(
            svg,
            r#"<text class="tick" x="{x:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            base + 16.0,
            percent(mark)
        );
    }
    let _ = write!(
        svg,
        r#"<text class="name" x="{:.1}" y="{:.1}" text-anchor="middle">confidence of the label</text>"#,
        x_of(0.5 * (1.0 + from), from),
        HEIGHT - 6.0
    );
}

/// Lines across, and their meaning.
fn grid(svg: &mut String, marks: &[(f64, String)]) {
    for (share, text) in marks {
        let y = y_of(*share);
        let _ = write!(
            svg,
            r#"<line class="grid" x1="{LEFT:.1}" y1="{y:.1}" x2="{:.1}" y2="{y:.1}"/><text class="tick" x="{:.1}" y="{:.1}" text-anchor="end">{text}</text>"#,
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0
        );
    }
}

/// Where the axis of confidence starts: no label is less sure than one class among `classes`.
fn start(classes: usize) -> f64 {
    let least = 1.0 / classes.max(1) as f64;
    if least >= 0.5 { 0.5 } else { 0.0 }
}

/// How many items have which confidence.
pub(crate) fn histogram(bins: &[ConfidenceBin], classes: usize) -> String {
    let from = start(classes);
    let most = bins.iter().map(|bin| bin.items).max().unwrap_or(0).max(1);
    let top = round_up(most);
    let mut svg = begin("how many items have which confidence");
    let marks: Vec<(f64, String)> =
        [0.0, 0.5, 1.0].map(|share| (share, thousands((share * top as f64) as u64))).to_vec();
    grid(&mut svg, &marks);
    for bin in bins.iter().filter(|bin| bin.items > 0) {
        let (x0, x1) = (x_of(bin.low.max(from), from), x_of(bin.high, from));
        let y = y_of(bin.items as f64 / top as f64).min(y_of(0.0) - 1.0);
        let _ = write!(
            svg,
            r#"<g><title>{} items with a confidence from {} to {}</title><rect class="bar" x="{:.1}" y="{y:.1}" width="{:.1}" height="{:.1}" rx="1.5"/></g>"#,
            thousands(bin.items),
            percent(bin.low),
            percent(bin.high),
            x0 + 1.0,
            (x1 - x0 - 2.0).max(1.0),
            y_of(0.0) - y,
        );
    }
    confidence_axis(&mut svg, from);
    svg.push_str("</svg>");
    svg
}

/// The next number of the form 1, 2, 4, 5, 6, 8 or 10 times a power of ten, even so that half of it is whole.
fn round_up(most: u64) -> u64 {
    let mut power = 1;
    loop {
        for factor in [2, 4, 6, 8, 10] {
            if factor * power >= most {
                return factor * power;
            }
        }
        power *= 10;
    }
}

/// How often labels of each confidence are right.
pub(crate) fn calibration(bins: &[ConfidenceBin], classes: usize) -> String {
    let from = start(classes);
    let mut svg = begin("how often labels of each confidence are right");
    let marks: Vec<(f64, String)> = [0.0, 0.5, 1.0].map(|share| (share, percent(share))).to_vec();
    grid(&mut svg, &marks);
    let _ = write!(
        svg,
        r#"<line class="diagonal" x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}"/>"#,
        x_of(from, from),
        y_of(from),
        x_of(1.0, from),
        y_of(1.0)
    );
    let judged = bins.iter().map(|bin| bin.judged).max().unwrap_or(0).max(1) as f64;
    let mut points = String::new();
    for bin in bins {
        let (Some(confidence), Some(right)) = (bin.confidence, bin.right) else { continue };
        let (x, y) = (x_of(confidence.max(from), from), y_of(right));
        let _ = write!(
            points,
            r#"<g><title>of {} items with a confidence of {}, {} are right</title><circle class="dot" cx="{x:.1}" cy="{y:.1}" r="{:.1}"/></g>"#,
            thousands(bin.judged),
            percent(confidence),
            percent(right),
            2.5 + 6.5 * (bin.judged as f64 / judged).sqrt(),
        );
    }
    svg.push_str(&points);
    confidence_axis(&mut svg, from);
    svg.push_str("</svg>");
    svg
}

/// An estimate with its interval, in a line from 0 to 1.
pub(crate) fn whisker(estimate: f64, interval: Option<[f64; 2]>, gold: Option<f64>) -> String {
    const W: f64 = 132.0;
    let x = |share: f64| 4.0 + (W - 8.0) * share.clamp(0.0, 1.0);
    let mut svg = format!(
        r#"<svg class="whisker" viewBox="0 0 {W:.0} 16" width="{W:.0}" height="16" aria-hidden="true"><line class="rail" x1="4" y1="8" x2="{:.0}" y2="8"/><line class="half" x1="{h:.1}" y1="4" x2="{h:.1}" y2="12"/>"#,
        W - 4.0,
        h = x(0.5)
    );
    if let Some([low, high]) = interval {
        let _ = write!(svg, r#"<line class="range" x1="{:.1}" y1="8" x2="{:.1}" y2="8"/>"#, x(low), x(high));
    }
    let class = if interval.is_some() { "dot" } else { "dot assumed" };
    let _ = write!(svg, r#"<circle class="{class}" cx="{:.1}" cy="8" r="3.6"/>"#, x(estimate));
    if let Some(gold) = gold {
        let _ = write!(svg, r#"<line class="gold" x1="{g:.1}" y1="2" x2="{g:.1}" y2="14"/>"#, g = x(gold));
    }
    svg.push_str("</svg>");
    svg
}
