//! One file per figure.

mod curves;
mod fig1;
mod fig2;
mod fig3;
mod fig4;
mod fig5;
mod table1;
mod theory;

use crate::error::ReproduceError;
use crate::section::Section;
use crate::{Figure, Run};

/// The file of finished points that all figures about recovery share.
const RECOVERY: &str = "recovery.csv";

/// Runs one figure and writes its data and pictures.
pub(crate) fn run(run: &Run<'_>) -> Result<Section, ReproduceError> {
    match run.figure {
        Figure::Fig1 => fig1::run(run),
        Figure::Fig2 => fig2::run(run),
        Figure::Fig3 => fig3::run(run),
        Figure::Fig4 => fig4::run(run),
        Figure::Fig5 => fig5::run(run),
        Figure::Table1 => table1::run(run),
        Figure::Theory => theory::run(run),
    }
}

/// `25, 50 and 75`.
fn listed<T: ToString>(values: &[T]) -> String {
    let words: Vec<String> = values.iter().map(ToString::to_string).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// The lowest and highest of some shares: `0.72 to 0.78`, or one number.
fn range(values: &[f64]) -> String {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if high - low < 0.005 { format!("{low:.2}") } else { format!("{low:.2} to {high:.2}") }
}

/// With a capital first letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
