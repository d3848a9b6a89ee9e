//! The names of the items, without their votes.

use std::sync::Arc;

use arrow::datatypes::Schema;
use consilience_io::ItemNames;

use super::class::texts;
use super::data::{Data, DataError};
use super::open;
use super::survey::Survey;

impl Data {
    /// The cells of `column`, one per item; empty if the item has no name.
    pub fn item_names(&self, column: &str) -> Result<ItemNames, DataError> {
        let survey = Survey::of(self)?;
        let Some(at) = survey.position(column) else {
            let columns: Vec<&str> = survey.columns.iter().map(|field| field.name().as_str()).collect();
            return Err(DataError::NoColumn {
                file: self.name(),
                column: column.to_string(),
                wanted: "the result".to_string(),
                columns: columns.join(", "),
            });
        };
        let schema = Arc::new(Schema::new(vec![survey.columns[at].clone()]));
        let mut names = ItemNames::named();
        let mut problem = None;
        open::read(self, &schema, &mut |batch, _| {
            match texts(batch.column(0)) {
                Ok(texts) => texts.iter().for_each(|text| names.push(text.unwrap_or_default())),
                Err(detail) => problem = Some(detail),
            }
            problem.is_none()
        })?;
        match problem {
            Some(detail) => Err(DataError::Columnar { file: self.name(), detail }),
            None => Ok(names),
        }
    }
}
