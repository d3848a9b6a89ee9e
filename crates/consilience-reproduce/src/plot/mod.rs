//! Pictures: what they show, separate from how they are drawn.

mod axis;
mod canvas;
mod panel;

use plotters::prelude::{BitMapBackend, IntoDrawingArea as _, RGBColor, SVGBackend};

pub(crate) use axis::Axis;

use crate::error::ReproduceError;
use canvas::{Canvas, Failure};

/// Colours that people with any colour vision can tell apart (Okabe and Ito 2008).
pub(crate) const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// The paper's values are grey.
pub(crate) const PAPER: RGBColor = RGBColor(120, 120, 120);

/// The shape of a point, so that curves differ in more than colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Cross,
    None,
}

/// One for each curve, in the order of [`COLOURS`].
pub(crate) const MARKERS: [Marker; 6] =
    [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Cross, Marker::Circle];

/// A curve.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) colour: RGBColor,
    pub(crate) marker: Marker,
    pub(crate) dashed: bool,
    /// Whether its points are joined.
    pub(crate) joined: bool,
    pub(crate) points: Vec<(f64, f64)>,
    /// Where, lowest, highest.
    pub(crate) bars: Vec<(f64, f64, f64)>,
}

impl Series {
    /// Curve number `number` of ours.
    pub(crate) fn ours(number: usize, name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        let number = number % COLOURS.len();
        Self {
            name: name.into(),
            colour: COLOURS[number],
            marker: MARKERS[number],
            dashed: false,
            joined: true,
            points,
            bars: Vec::new(),
        }
    }

    /// A curve of the paper, or one of theory.
    pub(crate) fn paper(name: impl Into<String>, marker: Marker, points: Vec<(f64, f64)>) -> Self {
        let name = name.into();
        Self { name, colour: PAPER, marker, dashed: true, joined: true, points, bars: Vec::new() }
    }

    /// Points that stand for themselves.
    pub(crate) fn without_line(mut self) -> Self {
        self.joined = false;
        self
    }

    /// With bars: where, lowest, highest.
    pub(crate) fn with_bars(mut self, bars: Vec<(f64, f64, f64)>) -> Self {
        self.bars = bars;
        self
    }
}

/// The range of several curves that lie on each other.
#[derive(Clone, Debug)]
pub(crate) struct Band {
    pub(crate) name: String,
    /// Where, lowest, highest.
    pub(crate) points: Vec<(f64, f64, f64)>,
}

/// One pair of axes.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) bands: Vec<Band>,
    pub(crate) series: Vec<Series>,
    /// Pixels by which curves of ours are offset, so that equal ones are all seen.
    pub(crate) dodge: f64,
}

/// Panels side by side over one legend.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) title: String,
    pub(crate) panels: Vec<Panel>,
}

/// Pixels of the PNG for one of the SVG.
const PNG_SCALE: u32 = 2;

impl Picture {
    /// As SVG.
    pub(crate) fn svg(&self) -> Result<String, ReproduceError> {
        canvas::register_font()?;
        let mut text = String::new();
        let (width, height) = panel::size(self);
        {
            let area = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
            let canvas = Canvas::new(&area, 1.0);
            panel::draw(&canvas, self).map_err(Failure::told)?;
            area.present().map_err(|error| Failure(error.to_string()).told())?;
        }
        Ok(text)
    }

    /// As PNG, twice as large.
    pub(crate) fn png(&self) -> Result<Vec<u8>, ReproduceError> {
        canvas::register_font()?;
        let (width, height) = panel::size(self);
        let (width, height) = (width * PNG_SCALE, height * PNG_SCALE);
        let mut pixels = vec![255; (width * height * 3) as usize];
        {
            let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
            let canvas = Canvas::new(&area, f64::from(PNG_SCALE));
            panel::draw(&canvas, self).map_err(Failure::told)?;
            area.present().map_err(|error| Failure(error.to_string()).told())?;
        }
        encode(&pixels, width, height).map_err(|error| Failure(error.to_string()).told())
    }
}

fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(bytes)
}
