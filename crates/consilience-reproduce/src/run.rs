//! One figure being run: the request, the output folder, and the progress callback.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use consilience_io::Output;
use serde::Serialize;

use crate::error::ReproduceError;
use crate::plot::Picture;
use crate::points::{Point, Points, write_table};
use crate::section::Made;
use crate::{Figure, Given, Options};

/// The fingerprint of the code that does the work.
pub const SOLVER: &str = env!("CONSILIENCE_SOLVER");

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

/// The callback that receives the progress of a figure.
pub(crate) type Progress<'a> = &'a (dyn Fn(Step) + Sync);

/// One figure being run.
pub(crate) struct Run<'a> {
    pub(crate) figure: Figure,
    pub(crate) made: Made,
    /// Nothing is computed: all points are there, whatever made them.
    pub(crate) retold: bool,
    folder: &'a Path,
    given: Option<&'a Given>,
    data: Option<&'a Path>,
    progress: Progress<'a>,
    notes: Mutex<Vec<String>>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(options: &'a Options, figure: Figure, progress: Progress<'a>) -> Self {
        let made = Made {
            version: consilience_io::VERSION.to_string(),
            solver: SOLVER.to_string(),
            trials: options.trials,
            quick: options.quick,
            seed: options.seed,
            input: None,
        };
        Self {
            figure,
            made,
            retold: false,
            folder: &options.folder,
            given: options.votes.as_ref(),
            data: options.data.as_deref(),
            progress,
            notes: Mutex::new(Vec::new()),
        }
    }

    /// A figure described again from the points in `folder`.
    pub(crate) fn retold(folder: &'a Path, figure: Figure, made: Made) -> Self {
        let notes = Mutex::new(Vec::new());
        Self { figure, made, retold: true, folder, given: None, data: None, progress: &|_| {}, notes }
    }

    pub(crate) fn seed(&self) -> u64 {
        self.made.seed
    }

    /// The table of votes that was given.
    pub(crate) fn given(&self) -> Option<&'a Given> {
        self.given
    }

    /// The folder of real tables that was given.
    pub(crate) fn data(&self) -> Option<&'a Path> {
        self.data
    }

    /// As many tables a point as were asked for, else `full`, or `quick` for a quick run.
    pub(crate) fn trials(&self, full: usize, quick: usize) -> usize {
        self.made.trials.unwrap_or(if self.made.quick { quick } else { full })
    }

    /// `full`, or `quick` for a quick run.
    pub(crate) fn choose<T>(&self, full: T, quick: T) -> T {
        if self.made.quick { quick } else { full }
    }

    /// Refuses to compute if a figure is only described again.
    pub(crate) fn may_compute(&self, point: &str) -> Result<(), ReproduceError> {
        if !self.retold {
            return Ok(());
        }
        Err(ReproduceError::Missing { figure: self.figure, point: point.to_string() })
    }

    /// Tells how far it has come.
    pub(crate) fn step(&self, what: &'static str, done: usize, total: usize) {
        (self.progress)(Step { figure: self.figure, what, done, total });
    }

    /// Keeps a note for whoever started the run; each note once.
    pub(crate) fn note(&self, note: String) {
        if let Ok(mut notes) = self.notes.lock()
            && !notes.contains(&note)
        {
            notes.push(note);
        }
    }

    /// All notes.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        self.notes.lock().map_or_else(|_| Vec::new(), |mut notes| std::mem::take(&mut notes))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The finished points of the file `name`.
    pub(crate) fn points<P: Point>(&self, name: &str) -> Result<Points<P>, ReproduceError> {
        let points = Points::<P>::open(&self.folder.join("points").join(name))?;
        let others = points.of_others(&self.made.solver);
        if others > 0 {
            self.note(format!(
                "{others} finished point(s) in points/{name} come from another version of the code and are not used"
            ));
        }
        Ok(points)
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
