//! How a picture is laid out: title, panels side by side, and the legend below, where it covers nothing.

use plotters::backend::DrawingBackend;
use plotters::style::RGBColor;

use super::canvas::{Anchor, Canvas, Failure, Words, width};
use super::{Band, Marker, PAPER, Panel, Picture, Series};

const INK: RGBColor = RGBColor(30, 30, 30);
const PALE: RGBColor = RGBColor(225, 225, 225);
const WHITE: RGBColor = RGBColor(255, 255, 255);

const TITLE: Words = Words { size: 17.0, bold: true, colour: INK };
const PANEL_TITLE: Words = Words { size: 14.0, bold: true, colour: INK };
const LABEL: Words = Words { size: 13.5, bold: false, colour: INK };
const TICK: Words = Words { size: 12.0, bold: false, colour: RGBColor(70, 70, 70) };

/// Pixels around and between.
const MARGIN: f64 = 18.0;
const HEAD: f64 = 46.0;
const LEFT: f64 = 62.0;
const FOOT: f64 = 52.0;
const PANEL_HEAD: f64 = 26.0;
const GAP: f64 = 26.0;
const PLOT_HEIGHT: f64 = 300.0;
const LEGEND_ROW: f64 = 23.0;
const LEGEND_MARK: f64 = 36.0;
const LEGEND_GAP: f64 = 26.0;

/// Few panels are wider than many.
fn plot_width(picture: &Picture) -> f64 {
    match picture.panels.len() {
        0 | 1 => 620.0,
        2 => 440.0,
        _ => 380.0,
    }
}

/// Whether the names below an axis are so long that they are written upwards.
fn upwards(picture: &Picture, panel: &Panel) -> bool {
    let room = plot_width(picture) / panel.x.ticks.len().max(1) as f64;
    panel.x.ticks.iter().any(|(_, text)| width(text, TICK) > room.max(40.0))
}

/// The room below the axes.
fn foot(picture: &Picture) -> f64 {
    let long = |panel: &&Panel| upwards(picture, panel);
    let names = picture.panels.iter().filter(long).flat_map(|panel| &panel.x.ticks);
    names.map(|(_, text)| 24.0 + width(text, TICK)).fold(FOOT, f64::max)
}

/// The width of a picture.
fn total_width(picture: &Picture) -> f64 {
    let panels = picture.panels.len().max(1) as f64;
    2.0 * MARGIN + panels * (LEFT + plot_width(picture)) + (panels - 1.0) * GAP
}

/// The fewest rows in which the legend fits.
fn legend_rows(picture: &Picture) -> usize {
    let widths: Vec<f64> = entries(picture).iter().map(|entry| width(entry_name(entry), LABEL)).collect();
    let fits = |rows: &usize| {
        let column = |names: &[f64]| LEGEND_MARK + LEGEND_GAP + names.iter().copied().fold(0.0, f64::max);
        widths.chunks(*rows).map(column).sum::<f64>() <= total_width(picture) - 2.0 * MARGIN
    };
    (1..=widths.len()).find(fits).unwrap_or(widths.len())
}

/// Width and height of a picture.
pub(super) fn size(picture: &Picture) -> (u32, u32) {
    let height =
        HEAD + PANEL_HEAD + PLOT_HEIGHT + foot(picture) + legend_rows(picture) as f64 * LEGEND_ROW + MARGIN;
    (total_width(picture) as u32, height as u32)
}

/// Draws a picture.
pub(super) fn draw<DB: DrawingBackend>(canvas: &Canvas<'_, DB>, picture: &Picture) -> Result<(), Failure> {
    canvas.fill(WHITE)?;
    canvas.words(&picture.title, (MARGIN, MARGIN), Anchor::LeftTop, TITLE)?;
    for (number, panel) in picture.panels.iter().enumerate() {
        let width = plot_width(picture);
        let left = MARGIN + LEFT + number as f64 * (LEFT + width + GAP);
        draw_panel(canvas, panel, left, width, upwards(picture, panel))?;
    }
    draw_legend(canvas, picture)
}

fn draw_panel<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    panel: &Panel,
    left: f64,
    width: f64,
    upwards: bool,
) -> Result<(), Failure> {
    let top = HEAD + PANEL_HEAD;
    let (right, bottom) = (left + width, top + PLOT_HEIGHT);
    let place =
        |(x, y): (f64, f64)| (left + width * panel.x.place(x), bottom - PLOT_HEIGHT * panel.y.place(y));
    canvas.words(&panel.title, (left, top - PANEL_HEAD + 2.0), Anchor::LeftTop, PANEL_TITLE)?;
    for (value, text) in &panel.y.ticks {
        let y = bottom - PLOT_HEIGHT * panel.y.place(*value);
        canvas.line(&[(left, y), (right, y)], PALE, 1.0)?;
        canvas.words(text, (left - 8.0, y), Anchor::RightMiddle, TICK)?;
    }
    for (value, text) in &panel.x.ticks {
        let x = left + width * panel.x.place(*value);
        canvas.line(&[(x, bottom), (x, bottom + 5.0)], INK, 1.0)?;
        let anchor = if upwards { Anchor::EndsBelow } else { Anchor::CentreTop };
        canvas.words(text, (x, bottom + 8.0), anchor, TICK)?;
    }
    canvas.line(&[(left, top), (left, bottom), (right, bottom)], INK, 1.0)?;
    canvas.words(&panel.x.label, (left + width / 2.0, bottom + 28.0), Anchor::CentreTop, LABEL)?;
    let middle = top + PLOT_HEIGHT / 2.0;
    canvas.words(&panel.y.label, (left - LEFT + 2.0, middle), Anchor::CentreBottomUpwards, LABEL)?;
    for Band { points, .. } in &panel.bands {
        let upper = points.iter().map(|&(x, _, high)| place((x, high)));
        let lower = points.iter().rev().map(|&(x, low, _)| place((x, low)));
        canvas.shape(&upper.clone().chain(lower.clone()).collect::<Vec<_>>(), PAPER, 0.30)?;
        // Where the curves of the paper meet, the band has no width to be seen by.
        canvas.line(&upper.collect::<Vec<_>>(), PAPER, 1.0)?;
        canvas.line(&lower.collect::<Vec<_>>(), PAPER, 1.0)?;
    }
    let ours = panel.series.iter().filter(|series| !series.dashed).count();
    let mut number = 0.0;
    for series in &panel.series {
        // Curves of ours stand side by side, with those of the paper in the middle.
        let aside = if series.dashed { 0.0 } else { panel.dodge * (number - 0.5 * (ours as f64 - 1.0)) };
        if !series.dashed {
            number += 1.0;
        }
        draw_series(canvas, series, |point| {
            let (x, y) = place(point);
            (x + aside, y)
        })?;
    }
    Ok(())
}

fn draw_series<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    series: &Series,
    place: impl Fn((f64, f64)) -> (f64, f64),
) -> Result<(), Failure> {
    for &(x, low, high) in &series.bars {
        let ends = [place((x, low)), place((x, high))];
        canvas.line(&ends, series.colour, 1.0)?;
        for (x, y) in ends {
            canvas.line(&[(x - 2.5, y), (x + 2.5, y)], series.colour, 1.0)?;
        }
    }
    let places: Vec<(f64, f64)> = series.points.iter().map(|&point| place(point)).collect();
    if series.dashed {
        canvas.dashes(&places, series.colour, 1.6)?;
    } else if series.joined {
        canvas.line(&places, series.colour, 1.8)?;
    }
    places.iter().try_for_each(|&place| canvas.marker(place, series.marker, series.colour))
}

/// One line of a legend.
enum Entry<'a> {
    Band(&'a str),
    Curve(&'a Series),
}

/// Every name once, in the order in which they come.
fn entries(picture: &Picture) -> Vec<Entry<'_>> {
    let mut seen: Vec<&str> = Vec::new();
    let mut list = Vec::new();
    for panel in &picture.panels {
        for band in panel.bands.iter().filter(|band| !band.points.is_empty()) {
            if !seen.contains(&band.name.as_str()) {
                seen.push(&band.name);
                list.push(Entry::Band(&band.name));
            }
        }
        for series in panel.series.iter().filter(|series| !series.points.is_empty()) {
            if !seen.contains(&series.name.as_str()) {
                seen.push(&series.name);
                list.push(Entry::Curve(series));
            }
        }
    }
    list
}

fn draw_legend<DB: DrawingBackend>(canvas: &Canvas<'_, DB>, picture: &Picture) -> Result<(), Failure> {
    let list = entries(picture);
    let rows = legend_rows(picture).max(1);
    let columns = list.len().div_ceil(rows);
    let first = HEAD + PANEL_HEAD + PLOT_HEIGHT + foot(picture) + 0.5 * LEGEND_ROW;
    let mut x = MARGIN + 8.0;
    for column in list.chunks(rows).take(columns) {
        let mut widest = 0.0f64;
        for (row, entry) in column.iter().enumerate() {
            let y = first + row as f64 * LEGEND_ROW;
            let (ends, name) = ([(x, y), (x + LEGEND_MARK - 8.0, y)], entry_name(entry));
            match entry {
                Entry::Band(_) => {
                    let [(a, _), (b, _)] = ends;
                    canvas.shape(&[(a, y - 5.0), (b, y - 5.0), (b, y + 5.0), (a, y + 5.0)], PAPER, 0.30)?;
                }
                Entry::Curve(series) => {
                    if series.dashed {
                        canvas.dashes(&ends, series.colour, 1.6)?;
                    } else if series.joined {
                        canvas.line(&ends, series.colour, 1.8)?;
                    }
                    if series.marker != Marker::None {
                        canvas.marker((x + 0.5 * (LEGEND_MARK - 8.0), y), series.marker, series.colour)?;
                    }
                }
            }
            canvas.words(name, (x + LEGEND_MARK, y), Anchor::LeftMiddle, LABEL)?;
            widest = widest.max(width(name, LABEL));
        }
        x += LEGEND_MARK + widest + LEGEND_GAP;
    }
    Ok(())
}

fn entry_name<'a>(entry: &Entry<'a>) -> &'a str {
    match entry {
        Entry::Band(name) => name,
        Entry::Curve(series) => &series.name,
    }
}
