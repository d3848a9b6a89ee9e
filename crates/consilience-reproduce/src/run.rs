//! One figure being run: what was asked for, where its files go, who is told.

use std::path::{Path, PathBuf};

use consilience_io::Output;
use serde::Serialize;

use crate::error::ReproduceError;
use crate::plot::Picture;
use crate::points::{Point, Points, write_table};
use crate::{Figure, Options};

/// How far a figure has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which figure.
    pub figure: Figure,
    /// What is being done.
    pub what: &'static str,
    /// Tables that are finished.
    pub done: usize,
    /// Tables in all.
    pub total: usize,
}

/// One figure being run.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) figure: Figure,
    pub(crate) quick: bool,
    pub(crate) seed: u64,
    folder: &'a Path,
    trials: Option<usize>,
    progress: &'a (dyn Fn(Step) + Sync),
}

impl<'a> Run<'a> {
    pub(crate) fn new(options: &'a Options, figure: Figure, progress: &'a (dyn Fn(Step) + Sync)) -> Self {
        let Options { quick, seed, trials, .. } = *options;
        Self { figure, quick, seed, folder: &options.folder, trials, progress }
    }

    /// The same with another seed.
    pub(crate) fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// As many tables a point as were asked for, else `full`, or `quick` for a quick run.
    pub(crate) fn trials(&self, full: usize, quick: usize) -> usize {
        self.trials.unwrap_or(if self.quick { quick } else { full })
    }

    /// `full`, or `quick` for a quick run.
    pub(crate) fn choose<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// Tells how far it has come.
    pub(crate) fn step(&self, what: &'static str, done: usize, total: usize) {
        (self.progress)(Step { figure: self.figure, what, done, total });
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The finished points of the file `name`.
    pub(crate) fn points<P: Point>(&self, name: &str) -> Result<Points<P>, ReproduceError> {
        Points::open(&self.folder.join("points").join(name))
    }

    /// Writes the data of a figure.
    pub(crate) fn write_data<P: Serialize>(&self, name: &str, rows: &[P]) -> Result<(), ReproduceError> {
        write_table(&self.path(&format!("{name}.csv")), rows)
    }

    /// Writes a picture in both formats.
    pub(crate) fn write_picture(&self, name: &str, picture: &Picture) -> Result<(), ReproduceError> {
        let (svg, png) = (picture.svg()?, picture.png()?);
        Output::create(&self.path(&format!("{name}.svg")))?.write_whole(svg.as_bytes())?;
        Ok(Output::create(&self.path(&format!("{name}.png")))?.write_whole(&png)?)
    }
}
