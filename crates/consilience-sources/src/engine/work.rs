//! What another machine needs to apply the same sources: the file, the columns of the data and what is carried, as bytes.

use std::collections::HashMap;
use std::path::PathBuf;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema};
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;
use consilience_io::Format;

use super::data::DataError;
use super::error::ApplyError;
use super::evaluate::{Evaluator, Rows};
use super::open;
use super::parts::Part;
use super::plan::{Plan, PlanOptions};
use super::run::Applier;
use super::survey::Survey;
use crate::file::SourcesFile;

/// Under this key a column says what its cells of text mean.
const MEANING: &str = "meaning";

/// The types that cells of text can mean.
const MEANINGS: [(&str, DataType); 3] =
    [("integer", DataType::Int64), ("number", DataType::Float64), ("truth", DataType::Boolean)];

/// Sources, ready to be sent to other machines.
#[derive(Clone, Debug)]
pub struct Work {
    /// The file of the sources, its folder, what the data is called, its format, and the columns that are carried.
    texts: HashMap<String, String>,
    survey: Survey,
}

impl Work {
    /// The work of an applier whose sources are those of `file`.
    pub fn new(file: &SourcesFile, applier: &Applier<'_>) -> Result<Self, ApplyError> {
        let failed = |error| DataError::Io { name: file.folder.display().to_string(), error };
        let folder = file.folder.canonicalize().map_err(failed)?;
        let carried = serde_json::Value::from(applier.carried().to_vec()).to_string();
        let mut texts = HashMap::from([
            ("sources".to_string(), file.to_toml()),
            ("folder".to_string(), folder.to_string_lossy().into_owned()),
            ("data".to_string(), applier.data().name()),
            ("carried".to_string(), carried),
        ]);
        if let Some(format) = applier.data().format {
            texts.insert("format".to_string(), format_name(format).to_string());
        }
        Ok(Self { texts, survey: applier.plan().survey.clone() })
    }

    /// The work as bytes: a stream of Arrow without rows, whose schema holds everything.
    pub fn encode(&self) -> Result<Vec<u8>, String> {
        let fields = self.survey.columns.iter().zip(&self.survey.meaning).map(|(field, meaning)| {
            let known = MEANINGS.iter().find(|(_, kind)| Some(kind) == meaning.as_ref());
            let meaning = known.map(|(name, _)| (MEANING.to_string(), (*name).to_string()));
            field.clone().with_metadata(meaning.into_iter().collect())
        });
        let schema = Schema::new_with_metadata(fields.collect::<Vec<Field>>(), self.texts.clone());
        let mut bytes = Vec::new();
        let mut writer = StreamWriter::try_new(&mut bytes, &schema).map_err(|error| error.to_string())?;
        writer.finish().map_err(|error| error.to_string())?;
        drop(writer);
        Ok(bytes)
    }

    /// The work that [`Self::encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let reader = StreamReader::try_new(bytes, None).map_err(|error| error.to_string())?;
        let schema = reader.schema();
        let meaning = |field: &Field| {
            let name = field.metadata().get(MEANING)?;
            MEANINGS.iter().find(|(known, _)| known == name).map(|(_, kind)| kind.clone())
        };
        let columns =
            schema.fields().iter().map(|field| field.as_ref().clone().with_metadata(HashMap::new()));
        let survey = Survey {
            columns: columns.collect(),
            meaning: schema.fields().iter().map(|field| meaning(field)).collect(),
            conflicts: Vec::new(),
        };
        Ok(Self { texts: schema.metadata().clone(), survey })
    }

    fn text(&self, key: &str) -> &str {
        self.texts.get(key).map_or("", String::as_str)
    }

    /// Makes the sources ready here. Lists and dictionaries are read below the folder of the file, which must be there.
    pub fn start(&self) -> Result<Worker, ApplyError> {
        let folder = PathBuf::from(self.text("folder"));
        let file = SourcesFile::parse(self.text("sources"), "sources", &folder)
            .map_err(|error| ApplyError::Sink(Box::new(error)))?;
        let carried: Vec<String> = serde_json::from_str(self.text("carried")).unwrap_or_default();
        let options = PlanOptions { carried: &carried, ..PlanOptions::default() };
        let plan = Plan::over(&file, self.survey.clone(), self.text("data").to_string(), options)?;
        Ok(Worker { plan, carried, format: Format::from_name(self.text("format")) })
    }
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Tsv => "tsv",
        Format::Jsonl => "jsonl",
        Format::Parquet => "parquet",
        Format::Arrow => "arrow",
        Format::ArrowStream => "arrows",
        _ => "csv",
    }
}

/// Sources that are ready on another machine.
pub struct Worker {
    plan: Plan,
    carried: Vec<String>,
    format: Option<Format>,
}

impl Worker {
    /// Applies the sources to a part of the data, in the order of its rows; rows are numbered from 0 within the part. `take` says
    /// false when no more are wanted.
    pub fn run(&self, part: &Part, mut take: impl FnMut(Rows) -> bool) -> Result<(), ApplyError> {
        let evaluator = Evaluator::new(&self.plan, &self.carried)?;
        let mut first = 0;
        let mut failed = None;
        let mut read = |batch: RecordBatch, _| {
            let start = first;
            first += batch.num_rows() as u64;
            match evaluator.votes(batch, start) {
                Ok(rows) => take(rows),
                Err(error) => {
                    failed = Some(error);
                    false
                }
            }
        };
        open::read_file(&part.file, self.format, &self.plan.schema, &mut read)?;
        failed.map_or(Ok(()), Err)
    }

    /// How many rows a part has.
    pub fn count(&self, part: &Part) -> Result<u64, ApplyError> {
        let mut rows = 0;
        let mut read = |batch: RecordBatch, _| {
            rows += batch.num_rows() as u64;
            true
        };
        open::read_file(&part.file, self.format, &self.plan.schema, &mut read)?;
        Ok(rows)
    }
}
