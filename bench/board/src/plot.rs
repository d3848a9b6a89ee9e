//! The board as pictures: score and log loss of every model on every set, and how far confidence can be trusted.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use crate::board::{Board, SetRuns};

const FONT: &str = "sans-serif";
const ROW: u32 = 32;
const WIDTH: u32 = 1200;
const LEGEND: u32 = 36;
const DOT: i32 = 5;
/// A reliability diagram is this large, and this many are side by side.
const DIAGRAM: u32 = 300;
const ACROSS: usize = 4;

/// Colours that stay apart for the colour-blind (Okabe and Ito, 2008).
const COLOURS: [RGBColor; 6] = [
    RGBColor(120, 120, 120),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
];

/// Writes `board` and `reliability`, as SVG and as PNG, into `folder`.
pub(crate) fn draw(board: &Board, folder: &Path) -> anyhow::Result<()> {
    register_font(FONT, FontStyle::Normal, dejavu::sans::regular())
        .map_err(|_| anyhow!("the font cannot be read"))?;
    let size = (WIDTH, 120 + LEGEND + ROW * board.sets.len() as u32);
    let (svg, png) = (folder.join("board.svg"), folder.join("board.png"));
    picture(&SVGBackend::new(&svg, size).into_drawing_area(), board)
        .with_context(|| svg.display().to_string())?;
    picture(&BitMapBackend::new(&png, size).into_drawing_area(), board)
        .with_context(|| png.display().to_string())?;
    let models = board.models();
    let across = models.len().clamp(1, ACROSS);
    let size = (DIAGRAM * across as u32, LEGEND + DIAGRAM * models.len().div_ceil(across) as u32);
    let (svg, png) = (folder.join("reliability.svg"), folder.join("reliability.png"));
    diagrams(&SVGBackend::new(&svg, size).into_drawing_area(), board, &models, across)
        .with_context(|| svg.display().to_string())?;
    diagrams(&BitMapBackend::new(&png, size).into_drawing_area(), board, &models, across)
        .with_context(|| png.display().to_string())?;
    Ok(())
}

fn picture<D: DrawingBackend>(area: &DrawingArea<D, Shift>, board: &Board) -> anyhow::Result<()> {
    let failed = |error: DrawingAreaErrorKind<D::ErrorType>| anyhow!("{error}");
    area.fill(&WHITE).map_err(failed)?;
    let (legend, panels) = area.split_vertically(LEGEND);
    let models = board.models();
    let apart = (WIDTH as i32 - 240) / models.len().max(1) as i32;
    for (m, model) in models.iter().enumerate() {
        let x = 230 + apart.min(190) * m as i32;
        let middle = LEGEND as i32 / 2 + 4;
        legend.draw(&Circle::new((x, middle), DOT, colour(m).filled())).map_err(failed)?;
        legend.draw_text(model, &anchored(HPos::Left), (x + 14, middle)).map_err(failed)?;
    }
    let (left, right) = panels.split_horizontally(WIDTH * 58 / 100);
    let scores = board.sets.iter().flat_map(|set| &set.runs).map(|run| run.scores);
    let lowest = scores.clone().map(|scores| scores.score).fold(100.0, f64::min);
    let highest = scores.map(|scores| scores.log_loss).fold(0.0, f64::max).min(MOST_LOSS);
    let scores = Panel {
        title: "score (F1 or accuracy, %)",
        range: ((lowest - 0.1) / 10.0).floor().max(0.0) * 10.0..100.0,
        label: |x| format!("{x:.0}"),
        names: 210,
    };
    let losses = Panel {
        title: "log loss (at the right edge: 3 or more)",
        range: 0.0..(highest * 1.02).max(0.7),
        label: |x| format!("{x:.1}"),
        names: 20,
    };
    scores.draw(&left, &board.sets, &models, |m, set| Some(set.run(m)?.scores.score))?;
    losses.draw(&right, &board.sets, &models, |m, set| Some(set.run(m)?.scores.log_loss.min(MOST_LOSS)))?;
    area.present().map_err(failed)
}

/// Losses beyond it are drawn at the edge, so that those of good models can be told apart.
const MOST_LOSS: f64 = 3.0;

struct Panel {
    title: &'static str,
    range: std::ops::Range<f64>,
    /// Room for the names of the sets.
    names: u32,
    label: fn(&f64) -> String,
}

impl Panel {
    fn draw<D: DrawingBackend>(
        &self,
        area: &DrawingArea<D, Shift>,
        sets: &[SetRuns],
        models: &[String],
        value: impl Fn(&str, &SetRuns) -> Option<f64>,
    ) -> anyhow::Result<()> {
        let failed = |error: DrawingAreaErrorKind<D::ErrorType>| anyhow!("{error}");
        let count = sets.len();
        let mut chart = ChartBuilder::on(area)
            .caption(self.title, (FONT, 18))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(self.names)
            .build_cartesian_2d(self.range.clone(), 0.0..count as f64)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .y_labels(0)
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.12))
            .x_label_formatter(&self.label)
            .label_style((FONT, 14))
            .draw()
            .map_err(failed)?;
        // The first set stands on top.
        let height = |s: usize| (count - s) as f64 - 0.5;
        for (s, set) in sets.iter().enumerate() {
            let line = PathElement::new(
                vec![(self.range.start, height(s)), (self.range.end, height(s))],
                BLACK.mix(0.12),
            );
            chart.draw_series(std::iter::once(line)).map_err(failed)?;
            if self.names > 100 {
                let (x, y) = chart.backend_coord(&(self.range.start, height(s)));
                let origin = area.get_base_pixel();
                let style = anchored(HPos::Right);
                area.draw_text(&set.name, &style, (x - origin.0 - 10, y - origin.1)).map_err(failed)?;
            }
        }
        // Models stand a little apart, so that equal ones are all seen.
        let aside = |m: usize| 0.13 * (0.5 * (models.len() as f64 - 1.0) - m as f64);
        for (m, model) in models.iter().enumerate() {
            let dots = sets.iter().enumerate().filter_map(|(s, set)| {
                Some(Circle::new((value(model, set)?, height(s) + aside(m)), DOT, colour(m).filled()))
            });
            chart.draw_series(dots).map_err(failed)?;
        }
        Ok(())
    }
}

/// For every model the share of right labels over confidence, all sets with the same weight; the larger a dot, the more items.
fn diagrams<D: DrawingBackend>(
    area: &DrawingArea<D, Shift>,
    board: &Board,
    models: &[String],
    across: usize,
) -> anyhow::Result<()> {
    let failed = |error: DrawingAreaErrorKind<D::ErrorType>| anyhow!("{error}");
    area.fill(&WHITE).map_err(failed)?;
    let (head, body) = area.split_vertically(LEGEND);
    let title = "Share of right labels over confidence; on the line, confidence means what it says";
    head.draw_text(title, &anchored(HPos::Left), (16, LEGEND as i32 / 2 + 4)).map_err(failed)?;
    let cells = body.split_evenly((models.len().div_ceil(across), across));
    for (m, (model, cell)) in models.iter().zip(&cells).enumerate() {
        let mut chart = ChartBuilder::on(cell)
            .caption(model, (FONT, 16))
            .margin(10)
            .x_label_area_size(26)
            .y_label_area_size(34)
            .build_cartesian_2d(0.0..1.0, 0.0..1.0)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .x_labels(6)
            .y_labels(6)
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.10))
            .x_label_formatter(&|x| format!("{x:.1}"))
            .y_label_formatter(&|y| format!("{y:.1}"))
            .label_style((FONT, 12))
            .draw()
            .map_err(failed)?;
        let even = PathElement::new(vec![(0.0, 0.0), (1.0, 1.0)], BLACK.mix(0.4));
        chart.draw_series(std::iter::once(even)).map_err(failed)?;
        let bins = board.reliability(model);
        let all: f64 = bins.iter().map(|bin| bin.items).sum::<f64>().max(1e-9);
        let seen = || bins.iter().filter(|bin| bin.items > FEWEST * all);
        let place = |bin: &crate::score::Bin| (bin.confidence / bin.items, bin.right / bin.items);
        let line = PathElement::new(seen().map(place).collect::<Vec<_>>(), colour(m).stroke_width(2));
        chart.draw_series(std::iter::once(line)).map_err(failed)?;
        let dots = seen().map(|bin| {
            let radius = 3 + (16.0 * (bin.items / all).sqrt()) as i32;
            Circle::new(place(bin), radius, colour(m).mix(0.7).filled())
        });
        chart.draw_series(dots).map_err(failed)?;
    }
    area.present().map_err(failed)
}

/// A smaller share of the items says nothing.
const FEWEST: f64 = 1e-3;

fn colour(model: usize) -> RGBColor {
    COLOURS[model % COLOURS.len()]
}

fn anchored(side: HPos) -> TextStyle<'static> {
    TextStyle::from((FONT, 14).into_font()).pos(Pos::new(side, VPos::Center))
}
