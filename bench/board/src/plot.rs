//! The board as a picture: score and log loss of every model on every set.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use crate::markdown::SetRuns;
use crate::models::LabelModel;

const FONT: &str = "sans-serif";
const ROW: u32 = 32;
const WIDTH: u32 = 1100;
const LEGEND: u32 = 36;
const DOT: i32 = 5;

/// Colours that stay apart for the colour-blind (Okabe and Ito, 2008).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Writes `board.svg` and `board.png` into `folder`.
pub(crate) fn draw(sets: &[SetRuns], folder: &Path) -> anyhow::Result<()> {
    register_font(FONT, FontStyle::Normal, dejavu::sans::regular())
        .map_err(|_| anyhow!("the font cannot be read"))?;
    let size = (WIDTH, 120 + LEGEND + ROW * sets.len() as u32);
    let (svg, png) = (folder.join("board.svg"), folder.join("board.png"));
    picture(&SVGBackend::new(&svg, size).into_drawing_area(), sets)
        .with_context(|| svg.display().to_string())?;
    picture(&BitMapBackend::new(&png, size).into_drawing_area(), sets)
        .with_context(|| png.display().to_string())?;
    Ok(())
}

fn picture<D: DrawingBackend>(area: &DrawingArea<D, Shift>, sets: &[SetRuns]) -> anyhow::Result<()> {
    let failed = |error: DrawingAreaErrorKind<D::ErrorType>| anyhow!("{error}");
    area.fill(&WHITE).map_err(failed)?;
    let (legend, panels) = area.split_vertically(LEGEND);
    for (m, model) in LabelModel::ALL.into_iter().enumerate() {
        let x = 230 + 220 * m as i32;
        let middle = LEGEND as i32 / 2 + 4;
        legend.draw(&Circle::new((x, middle), DOT, colour(m).filled())).map_err(failed)?;
        legend.draw_text(model.name(), &anchored(HPos::Left), (x + 14, middle)).map_err(failed)?;
    }
    let (left, right) = panels.split_horizontally(WIDTH * 58 / 100);
    let lowest = sets.iter().flat_map(|set| &set.runs).map(|run| run.scores.score).fold(100.0, f64::min);
    let highest = sets.iter().flat_map(|set| &set.runs).map(|run| run.scores.log_loss).fold(0.0, f64::max);
    let scores = Panel {
        title: "score (F1 or accuracy, %)",
        range: (lowest / 10.0).floor() * 10.0..100.0,
        label: |x| format!("{x:.0}"),
        names: 210,
    };
    let losses = Panel {
        title: "log loss",
        range: 0.0..(highest * 1.05).max(0.7),
        label: |x| format!("{x:.1}"),
        names: 20,
    };
    scores.draw(&left, sets, |m, set| set.runs[m].scores.score)?;
    losses.draw(&right, sets, |m, set| set.runs[m].scores.log_loss)?;
    area.present().map_err(failed)
}

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
        value: impl Fn(usize, &SetRuns) -> f64,
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
        for m in 0..LabelModel::ALL.len() {
            let dots = sets
                .iter()
                .enumerate()
                .map(|(s, set)| Circle::new((value(m, set), height(s)), DOT, colour(m).filled()));
            chart.draw_series(dots).map_err(failed)?;
        }
        Ok(())
    }
}

fn colour(model: usize) -> RGBColor {
    COLOURS[model % COLOURS.len()]
}

fn anchored(side: HPos) -> TextStyle<'static> {
    TextStyle::from((FONT, 14).into_font()).pos(Pos::new(side, VPos::Center))
}
