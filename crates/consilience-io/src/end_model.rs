//! The file of an end model.

use consilience::end_model::{EndModel, EndModelData, EndModelError};
use serde::{Deserialize, Serialize};

/// An end model as its JSON file holds it.
///
/// ```
/// use consilience::end_model::{TrainOptions, Trainer, TrainingItem};
/// use consilience::sources::Classes;
/// use consilience_io::{EndModelFile, document_text, parse_document};
///
/// let mut trainer = Trainer::new(Classes::numbered(2)?, 1, TrainOptions::default())?;
/// for (texts, probabilities) in [(["win money"], [0.1, 0.9]), (["see you"], [0.9, 0.1])].repeat(3) {
///     trainer.extend(&[TrainingItem { texts: &texts, probabilities: &probabilities, weight: 1.0 }])?;
/// }
/// let model = trainer.finish()?;
/// let json = document_text(&EndModelFile::new(&model, vec!["text".into()]))?;
/// let (again, columns) = parse_document::<EndModelFile>(&json, "end model")?.into_model()?;
/// assert_eq!(columns, ["text"]);
/// assert_eq!(again.predict(&["money"])?, model.predict(&["money"])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndModelFile {
    /// The columns of text that it reads, in order.
    pub columns: Vec<String>,
    /// The model.
    pub end_model: EndModelData,
}

impl EndModelFile {
    /// A model that reads these columns.
    pub fn new(model: &EndModel, columns: Vec<String>) -> Self {
        Self { columns, end_model: model.into() }
    }

    /// The model and its columns, after a look that they fit together.
    pub fn into_model(self) -> Result<(EndModel, Vec<String>), EndModelError> {
        let model = EndModel::try_from(self.end_model)?;
        if model.fields() != self.columns.len() {
            return Err(EndModelError::Damaged("the number of columns does not match the number of texts"));
        }
        Ok((model, self.columns))
    }
}
