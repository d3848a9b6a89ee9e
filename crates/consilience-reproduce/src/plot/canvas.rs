//! Lines, shapes and words in pixels, the same for SVG and PNG.

use std::sync::OnceLock;

use plotters::backend::DrawingBackend;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::{Circle, PathElement, Polygon, Text};
use plotters::prelude::{Color as _, FontStyle, FontTransform, IntoFont as _, RGBColor};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{ShapeStyle, register_font as register};

use super::Marker;
use crate::error::ReproduceError;

/// The font of all words; its letters come with the program, so that pictures are the same everywhere.
const FONT: &str = "sans-serif";

/// Makes the font known, once.
pub(super) fn register_font() -> Result<(), ReproduceError> {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    let known = *KNOWN.get_or_init(|| {
        register(FONT, FontStyle::Normal, dejavu::sans::regular()).is_ok()
            && register(FONT, FontStyle::Bold, dejavu::sans::bold()).is_ok()
    });
    if known { Ok(()) } else { Err(Failure("the font cannot be read".to_string()).told()) }
}

/// Why something cannot be drawn.
pub(super) struct Failure(pub(super) String);

impl Failure {
    pub(super) fn told(self) -> ReproduceError {
        ReproduceError::experiment("drawing", &self.0)
    }
}

/// Which part of a text is anchored at its position.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    LeftMiddle,
    LeftTop,
    CentreTop,
    RightMiddle,
    CentreBottomUpwards,
    /// Written upwards, with the end at the place.
    EndsBelow,
}

/// How words look.
#[derive(Clone, Copy)]
pub(super) struct Words {
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) colour: RGBColor,
}

/// A picture that is being drawn; places are in pixels of the SVG.
pub(super) struct Canvas<'a, DB: DrawingBackend> {
    area: &'a DrawingArea<DB, Shift>,
    scale: f64,
}

impl<'a, DB: DrawingBackend> Canvas<'a, DB> {
    pub(super) fn new(area: &'a DrawingArea<DB, Shift>, scale: f64) -> Self {
        Self { area, scale }
    }

    fn at(&self, (x, y): (f64, f64)) -> (i32, i32) {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }

    fn stroke(&self, colour: RGBColor, width: f64) -> ShapeStyle {
        colour.stroke_width((width * self.scale).round().max(1.0) as u32)
    }

    pub(super) fn fill(&self, colour: RGBColor) -> Result<(), Failure> {
        self.area.fill(&colour).map_err(|error| Failure(error.to_string()))
    }

    /// A line through `places`.
    pub(super) fn line(&self, places: &[(f64, f64)], colour: RGBColor, width: f64) -> Result<(), Failure> {
        let places: Vec<(i32, i32)> = places.iter().map(|&place| self.at(place)).collect();
        let line = PathElement::new(places, self.stroke(colour, width));
        self.area.draw(&line).map_err(|error| Failure(error.to_string()))
    }

    /// A line of dashes through `places`.
    pub(super) fn dashes(&self, places: &[(f64, f64)], colour: RGBColor, width: f64) -> Result<(), Failure> {
        const DASH: f64 = 6.0;
        const GAP: f64 = 4.0;
        let mut walked = 0.0;
        for pair in places.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let length = (x1 - x0).hypot(y1 - y0);
            let along = |way: f64| (x0 + (x1 - x0) * way / length, y0 + (y1 - y0) * way / length);
            let mut way = 0.0;
            while way < length {
                // Dashes go on around corners.
                let phase = (walked + way) % (DASH + GAP);
                let rest = if phase < DASH { DASH - phase } else { DASH + GAP - phase };
                let end = (way + rest).min(length);
                if phase < DASH {
                    self.line(&[along(way), along(end)], colour, width)?;
                }
                way = end + 1e-9;
            }
            walked += length;
        }
        Ok(())
    }

    /// A filled shape.
    pub(super) fn shape(
        &self,
        corners: &[(f64, f64)],
        colour: RGBColor,
        opacity: f64,
    ) -> Result<(), Failure> {
        let corners: Vec<(i32, i32)> = corners.iter().map(|&corner| self.at(corner)).collect();
        let shape = Polygon::new(corners, colour.mix(opacity).filled());
        self.area.draw(&shape).map_err(|error| Failure(error.to_string()))
    }

    /// A point of a curve.
    pub(super) fn marker(&self, (x, y): (f64, f64), marker: Marker, colour: RGBColor) -> Result<(), Failure> {
        const R: f64 = 4.0;
        match marker {
            Marker::None => Ok(()),
            Marker::Circle => {
                let circle = Circle::new(self.at((x, y)), (R * self.scale) as i32, colour.filled());
                self.area.draw(&circle).map_err(|error| Failure(error.to_string()))
            }
            Marker::Square => {
                let r = 0.88 * R;
                self.shape(&[(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)], colour, 1.0)
            }
            Marker::Triangle => {
                let r = 1.15 * R;
                self.shape(&[(x, y - r), (x + r, y + 0.75 * r), (x - r, y + 0.75 * r)], colour, 1.0)
            }
            Marker::Diamond => {
                let r = 1.25 * R;
                self.shape(&[(x, y - r), (x + r, y), (x, y + r), (x - r, y)], colour, 1.0)
            }
            Marker::Cross => {
                let r = 0.9 * R;
                self.line(&[(x - r, y - r), (x + r, y + r)], colour, 2.2)?;
                self.line(&[(x - r, y + r), (x + r, y - r)], colour, 2.2)
            }
        }
    }

    /// Words.
    pub(super) fn words(
        &self,
        text: &str,
        place: (f64, f64),
        anchor: Anchor,
        words: Words,
    ) -> Result<(), Failure> {
        let (horizontal, vertical, turn) = match anchor {
            Anchor::LeftMiddle => (HPos::Left, VPos::Center, FontTransform::None),
            Anchor::LeftTop => (HPos::Left, VPos::Top, FontTransform::None),
            Anchor::CentreTop => (HPos::Center, VPos::Top, FontTransform::None),
            Anchor::RightMiddle => (HPos::Right, VPos::Center, FontTransform::None),
            Anchor::CentreBottomUpwards => (HPos::Center, VPos::Top, FontTransform::Rotate270),
            Anchor::EndsBelow => (HPos::Right, VPos::Center, FontTransform::Rotate270),
        };
        let style = if words.bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = (FONT, words.size * self.scale, style).into_font().transform(turn);
        let font = font.color(&words.colour).pos(Pos::new(horizontal, vertical));
        let text = Text::new(text.to_string(), self.at(place), font);
        self.area.draw(&text).map_err(|error| Failure(error.to_string()))
    }
}

/// How wide some words are.
pub(super) fn width(text: &str, words: Words) -> f64 {
    let style = if words.bold { FontStyle::Bold } else { FontStyle::Normal };
    let font = (FONT, words.size, style).into_font();
    // The font is known by now; letters of about half their height are a fair guess where it is not.
    font.box_size(text).map_or(0.6 * words.size * text.chars().count() as f64, |(width, _)| f64::from(width))
}
