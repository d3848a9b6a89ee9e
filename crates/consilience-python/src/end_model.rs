//! The end model: a classifier of texts.

use std::path::PathBuf;
use std::sync::Arc;

use consilience::end_model::{
    EndModel as Classifier, EndModelError, Lengths, TextOptions, TrainOptions, Trainer, TrainingItem,
};
use consilience::sources::Classes;
use consilience_io::EndModelFile;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::document;
use crate::errors::{ConsilienceError, Raise as _};
use crate::run::run;

/// The shortest and the longest n-gram; 0 and 0 for none.
type NGrams = (usize, usize);

/// The name of this kind of document in messages.
const KIND: &str = "saved end model";

/// A classifier of texts, trained on probabilities.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct EndModel {
    classifier: Arc<Classifier>,
    columns: Vec<String>,
}

fn end_model_of(file: EndModelFile) -> Result<EndModel, EndModelError> {
    let (classifier, columns) = file.into_model()?;
    Ok(EndModel { classifier: Arc::new(classifier), columns })
}

fn texts_of(rows: &[Vec<String>]) -> Vec<Vec<&str>> {
    rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect()
}

#[pymethods]
impl EndModel {
    /// Trains on items: their texts, one per column, and the probability of each class, row by row.
    #[staticmethod]
    #[pyo3(signature = (texts, probabilities, classes, columns, words, characters, bits, min_items, lower, rarity, penalty, steps, tell=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a setting")]
    fn train(
        py: Python<'_>,
        texts: Vec<Vec<String>>,
        probabilities: PyReadonlyArray1<'_, f64>,
        classes: Vec<String>,
        columns: Vec<String>,
        words: NGrams,
        characters: NGrams,
        bits: u32,
        min_items: u32,
        lower: bool,
        rarity: bool,
        penalty: f64,
        steps: usize,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let classes = Classes::new(classes).map_err(|error| error.raise())?;
        let probabilities = probabilities.as_array().to_vec();
        let k = classes.len();
        if probabilities.len() != texts.len() * k {
            return Err(ConsilienceError::new_err(format!(
                "{} texts, but {} probabilities of {k} classes; provide one row per text",
                texts.len(),
                probabilities.len()
            )));
        }
        let lengths = |(shortest, longest): NGrams| Lengths { shortest, longest };
        let text = TextOptions::default()
            .with_words(lengths(words))
            .with_characters(lengths(characters))
            .with_bits(bits)
            .with_min_items(min_items)
            .with_lower(lower)
            .with_rarity(rarity);
        let options =
            TrainOptions::default().with_text(text).with_penalty(penalty).with_max_iterations(steps);
        let fields = columns.len();
        let trained = run(py, tell, move || {
            let mut trainer = Trainer::new(classes, fields, options)?;
            let texts = texts_of(&texts);
            let items: Vec<TrainingItem<'_>> = texts
                .iter()
                .zip(probabilities.chunks_exact(k))
                .map(|(texts, probabilities)| TrainingItem { texts, probabilities, weight: 1.0 })
                .collect();
            trainer.extend(&items)?;
            trainer.finish()
        })?;
        let classifier = trained.map_err(|error: EndModelError| error.raise())?;
        Ok(Self { classifier: Arc::new(classifier), columns })
    }

    /// The model of the text of its document.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        document::parse(text, KIND, end_model_of)
    }

    /// The model in a file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        document::load(path, KIND, end_model_of)
    }

    /// The text of its document.
    fn to_json(&self) -> PyResult<String> {
        document::text(&EndModelFile::new(&self.classifier, self.columns.clone()))
    }

    /// Writes its document, completely or not at all.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        document::save(path, &EndModelFile::new(&self.classifier, self.columns.clone()))
    }

    /// The probability of each class, one row per item.
    fn predict<'py>(&self, py: Python<'py>, texts: Vec<Vec<String>>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let classifier = Arc::clone(&self.classifier);
        let (items, classes) = (texts.len(), classifier.classes().len());
        let predicted = run(py, None, move || classifier.predict_all(&texts_of(&texts)))?;
        let predicted = predicted.map_err(|error| error.raise())?;
        PyArray1::from_vec(py, predicted.concat()).reshape([items, classes])
    }

    /// The names of the classes.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.classifier.classes().names().to_vec()
    }

    /// The columns of text that it reads.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.columns.clone()
    }

    /// How many n-grams have a weight.
    #[getter]
    fn features(&self) -> usize {
        self.classifier.features()
    }

    /// How it was trained, as JSON.
    #[getter]
    fn training(&self) -> PyResult<String> {
        document::plain(self.classifier.training())
    }
}
