//! Finished points, stored so that an interrupted or repeated run does not compute them twice.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use consilience_io::Output;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::ReproduceError;

/// A row of a figure's data: its settings, and what came out.
pub(crate) trait Point: Clone + Serialize + DeserializeOwned {
    /// All that decides what comes out, the version of this program and its solver included.
    fn key(&self) -> String;

    /// The fingerprint of the code that it came from.
    fn solver(&self) -> &str;
}

/// All points of one figure that were ever finished in a folder.
pub(crate) struct Points<P> {
    path: PathBuf,
    rows: Vec<P>,
    places: HashMap<String, usize>,
}

impl<P: Point> Points<P> {
    /// The points of the file `path`; `None` if there is no such file.
    pub(crate) fn open(path: &Path) -> Result<Self, ReproduceError> {
        let mut points = Self { path: path.to_path_buf(), rows: Vec::new(), places: HashMap::new() };
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(points),
            Err(error) => return Err(ReproduceError::points(path, &error)),
        };
        for row in csv::Reader::from_reader(text.as_slice()).into_deserialize() {
            points.push(row.map_err(|error| ReproduceError::points(path, &error))?);
        }
        Ok(points)
    }

    /// The finished point with the same settings as `wanted`.
    pub(crate) fn find(&self, wanted: &P) -> Option<&P> {
        self.places.get(&wanted.key()).map(|&place| &self.rows[place])
    }

    /// All points that `solver` has finished, in the order in which it did.
    pub(crate) fn of_solver<'a>(&'a self, solver: &'a str) -> impl Iterator<Item = &'a P> {
        self.rows.iter().filter(move |row| row.solver() == solver)
    }

    /// How many points another solver than `solver` has finished.
    pub(crate) fn of_others(&self, solver: &str) -> usize {
        self.rows.len() - self.of_solver(solver).count()
    }

    /// Adds finished points and writes them down.
    pub(crate) fn add(&mut self, rows: &[P]) -> Result<(), ReproduceError> {
        for row in rows {
            self.push(row.clone());
        }
        write_table(&self.path, &self.rows)
    }

    fn push(&mut self, row: P) {
        self.places.insert(row.key(), self.rows.len());
        self.rows.push(row);
    }
}

/// Writes `rows` as CSV, completely or not at all.
pub(crate) fn write_table<P: Serialize>(path: &Path, rows: &[P]) -> Result<(), ReproduceError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(|error| ReproduceError::points(path, &error))?;
    }
    let text = writer.into_inner().map_err(|error| ReproduceError::points(path, &error))?;
    Ok(Output::create(path)?.write_whole(&text)?)
}
