//! The file of an end model.

use consilience::end_model::{EndModel, EndModelData, EndModelError};
use serde::{Deserialize, Serialize};

/// An end model as its JSON file holds it.
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
            return Err(EndModelError::Damaged("its columns and its texts differ in number"));
        }
        Ok((model, self.columns))
    }
}
