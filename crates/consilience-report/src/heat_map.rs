//! How often each two sources agree beyond chance, as a heat map.
//!
//! Colours are one hue with more or less of it, so that they work on light and dark backgrounds.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use consilience::findings::{Agreement, Report};

use crate::text::{escape, short, widest};

/// More sources than this are drawn as one picture of points, without names.
const MOST_CELLS: usize = 60;
/// Names are cut to this many letters.
const MOST_LETTERS: usize = 22;
const LARGEST_FONT: f64 = 11.5;
const AGREE: [u8; 3] = [0x2b, 0x6c, 0xb0];
const DISAGREE: [u8; 3] = [0xd9, 0x6b, 0x27];

/// A point of a picture: red, green, blue and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pixel([u8; 4]);

impl Pixel {
    /// Nothing.
    pub(crate) const EMPTY: Self = Self([0; 4]);

    /// Agreement, from 0 to 1.
    pub(crate) fn positive(strength: f64) -> Self {
        Self::new(AGREE, strength)
    }

    fn new([r, g, b]: [u8; 3], strength: f64) -> Self {
        Self([r, g, b, (255.0 * strength.clamp(0.0, 1.0)).round() as u8])
    }

    fn of_kappa(kappa: Option<f64>) -> Self {
        match kappa {
            None => Self::EMPTY,
            Some(kappa) if kappa < 0.0 => Self::new(DISAGREE, -kappa),
            Some(kappa) => Self::new(AGREE, kappa),
        }
    }
}

/// The heat map of a report; `None` if too many pairs share items or there is one source.
pub(crate) fn svg(report: &Report, width: f64) -> Option<String> {
    let agreement = report.agreement.as_ref().filter(|agreement| agreement.order.len() > 1)?;
    let n = agreement.order.len();
    let label = format!("agreement beyond chance (Cohen's kappa) of each pair of {n} sources");
    if n <= MOST_CELLS {
        return Some(cells(report, agreement, width, &label));
    }
    let mut pixels = vec![Pixel::EMPTY; n * n];
    for (a, row) in agreement.kappa.iter().enumerate() {
        pixels[a * n + a] = Pixel::positive(1.0);
        for (b, &kappa) in row.iter().enumerate() {
            pixels[a * n + b] = Pixel::of_kappa(kappa);
            pixels[b * n + a] = Pixel::of_kappa(kappa);
        }
    }
    Some(picture(&pixels, n, width.min(640.0), &label))
}

/// One square per pair below the diagonal, with names next to it.
fn cells(report: &Report, agreement: &Agreement, width: f64, label: &str) -> String {
    let n = agreement.order.len();
    let name = |row: usize| report.sources[agreement.order[row]].name.as_str();
    let longest = (0..n).map(|row| widest(&short(name(row), MOST_LETTERS))).fold(0.0, f64::max);
    let margin = LARGEST_FONT * longest + 14.0;
    let cell = ((width - margin) / n as f64).clamp(11.0, 34.0);
    let size = cell * n as f64;
    let (w, h) = (margin + size + 6.0, size + 6.0);
    let font = (cell * 0.8).clamp(8.5, LARGEST_FONT);
    let mut svg = format!(
        r#"<svg class="heat" viewBox="0 0 {w:.0} {h:.0}" width="{w:.0}" height="{h:.0}" role="img" aria-label="{}" font-size="{font:.1}">"#,
        escape(label)
    );
    for row in 0..n {
        let y = cell * row as f64;
        let middle = y + 0.5 * cell + 0.35 * font;
        let _ = write!(
            svg,
            r#"<text x="{:.1}" y="{middle:.1}" text-anchor="end">{}</text>"#,
            margin - 7.0,
            escape(&short(name(row), MOST_LETTERS))
        );
        for column in 0..=row {
            let x = margin + cell * column as f64;
            let kappa = if column == row { Some(1.0) } else { agreement.kappa[row][column] };
            let (class, strength) = match kappa {
                None => ("none", 1.0),
                Some(kappa) if kappa < 0.0 => ("differ", -kappa),
                Some(kappa) => ("agree", kappa),
            };
            let class = if column == row { "self" } else { class };
            let said = kappa.map_or("no common items".to_string(), |kappa| format!("kappa {kappa:.2}"));
            let value = if cell >= 26.0 && column != row {
                let dark = if strength > 0.55 { " on-dark" } else { "" };
                let (x, y) = (x + 0.5 * cell, y + 0.5 * cell + 3.5);
                let value = |kappa| {
                    format!(r#"<text class="value{dark}" x="{x:.1}" y="{y:.1}">{}</text>"#, hundredths(kappa))
                };
                kappa.map_or(String::new(), value)
            } else {
                String::new()
            };
            let _ = write!(
                svg,
                r#"<g><title>{}</title><rect class="{class}" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="2" fill-opacity="{:.3}"/>{value}</g>"#,
                escape(&format!("{} and {}: {said}", name(row), name(column))),
                x + 0.75,
                y + 0.75,
                cell - 1.5,
                cell - 1.5,
                strength.clamp(0.03, 1.0),
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

/// `0.42` as `.42`, which fits into a square.
fn hundredths(kappa: f64) -> String {
    if kappa.abs() < 0.005 {
        return "0".to_string();
    }
    format!("{kappa:.2}").replacen("0.", ".", usize::from(kappa.abs() < 0.995)).replace('-', "−")
}

/// A square picture of `n` times `n` points.
pub(crate) fn picture(pixels: &[Pixel], n: usize, width: f64, label: &str) -> String {
    let bytes: Vec<u8> = pixels.iter().flat_map(|pixel| pixel.0).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, n as u32, n as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    // Writing a picture of the right size into memory does not fail; if it did, there would be none.
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&bytes));
    if written.is_err() {
        return String::new();
    }
    format!(
        r#"<img class="points" src="data:image/png;base64,{}" width="{width:.0}" height="{width:.0}" alt="{}"/>"#,
        STANDARD.encode(&file),
        escape(label)
    )
}
