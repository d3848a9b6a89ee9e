//! Labels that the executors write themselves, into a folder that all machines see.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray as _, Float64Array, StringArray};
use arrow::datatypes::{DataType, Field, Int32Type, UInt64Type};
use consilience::sources::Vote;
use datafusion::prelude::SessionContext;

use crate::node::Wanted;
use crate::remote::{all, one_partition_per_part};
use crate::write::{Target, WriteExec, file_name};
use crate::{ClusterError, Remote, session};

/// The labels of patterns.
#[derive(Clone, Debug, Default)]
pub struct PatternLabels {
    /// The classes.
    pub classes: Vec<String>,
    /// The label of each pattern, if it has one.
    pub labels: Vec<Option<String>>,
    /// The confidence of each pattern's label.
    pub confidence: Vec<f64>,
    /// The probability of each class, pattern by pattern.
    pub probabilities: Vec<f64>,
}

impl PatternLabels {
    fn columns(&self) -> Vec<(Field, ArrayRef)> {
        let number = |name: String, values: Vec<f64>| {
            (Field::new(name, DataType::Float64, false), Arc::new(Float64Array::from(values)) as ArrayRef)
        };
        let labels: ArrayRef = Arc::new(self.labels.iter().map(Option::as_deref).collect::<StringArray>());
        let mut columns = vec![(Field::new("__label", DataType::Utf8, true), labels)];
        columns.push(number("__confidence".to_string(), self.confidence.clone()));
        let k = self.classes.len();
        for c in 0..k {
            let of_class = self.probabilities.iter().skip(c).step_by(k).copied().collect();
            columns.push(number(format!("__probability_{c}"), of_class));
        }
        columns
    }
}

impl Remote<'_> {
    /// Joins the items with patterns there and writes their labels there: one Parquet file per part, in the order of the data, into
    /// `folder`, which appears when all of them are complete and have so many `items` together.
    pub fn write_labels(
        &mut self,
        patterns: &[Vec<Vote>],
        labels: &PatternLabels,
        folder: &Path,
        items: u64,
    ) -> Result<(), ClusterError> {
        let named = !self.plans.applier.carried().is_empty();
        let starts = if named { None } else { Some(self.starts()?) };
        let hidden = Hidden::create(folder)?;
        let target = Target { folder: hidden.path.clone(), classes: labels.classes.clone(), starts };
        let config = session::config(self.partitions());
        let context = SessionContext::new_with_config(config.clone());
        self.scheduler.why = "executors of Consilience write the labels".to_string();
        let Self { plans, parts, runtime, scheduler } = self;
        let batches = runtime.block_on(async {
            let joined = plans.items(&context, parts, patterns, labels.columns())?;
            let plan = joined.create_physical_plan().await?;
            one_partition_per_part(plan.as_ref(), parts.len())?;
            let job = scheduler.run(Arc::new(WriteExec::new(plan, Arc::new(target))), &config).await?;
            all(scheduler, job).await
        })?;
        let mut rows = 0;
        for batch in &batches {
            let part = batch.column(0).as_primitive::<Int32Type>();
            for (&part, count) in
                part.values().iter().zip(batch.column(1).as_primitive::<UInt64Type>().values())
            {
                let file = hidden.path.join(file_name(part));
                if !file.is_file() {
                    return Err(ClusterError::NotShared { folder: folder.to_path_buf() });
                }
                rows += count;
            }
        }
        if rows != items {
            return Err(ClusterError::Changed { detail: format!("it had {items} items, then {rows}") });
        }
        hidden.show(folder)
    }

    /// The number of the first row of each part.
    fn starts(&mut self) -> Result<Vec<u64>, ClusterError> {
        let mut rows: Vec<Option<u64>> = self.parts.iter().map(|part| part.rows).collect();
        if rows.contains(&None) {
            let config = session::config(self.partitions());
            let Self { plans, parts, runtime, scheduler } = self;
            let batches = runtime.block_on(async {
                let job = scheduler.run(plans.node(parts, Wanted::Rows)?, &config).await?;
                all(scheduler, job).await
            })?;
            for batch in &batches {
                let part = batch.column(0).as_primitive::<Int32Type>();
                let count = batch.column(1).as_primitive::<UInt64Type>();
                for (&part, &count) in part.values().iter().zip(count.values()) {
                    rows[part as usize] = Some(count);
                }
            }
        }
        let next = |sum: &mut u64, rows: &Option<u64>| Some(std::mem::replace(sum, *sum + rows.unwrap_or(0)));
        Ok(rows.iter().scan(0, next).collect())
    }
}

/// A folder that is filled next to its final location, and removed if it is not finished.
struct Hidden {
    path: PathBuf,
    shown: bool,
}

impl Hidden {
    fn create(folder: &Path) -> Result<Self, ClusterError> {
        let failed = |error: std::io::Error| ClusterError::Folder { folder: folder.to_path_buf(), error };
        if std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(failed(std::io::Error::other("it is there already and not empty; name another one")));
        }
        let whole = std::path::absolute(folder).map_err(failed)?;
        let name = whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let path = whole.with_file_name(format!(".{name}-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir(&path).map_err(failed)?;
        let hidden = Self { path, shown: false };
        if hidden.path.to_str().is_none() {
            return Err(failed(std::io::Error::other("its name is not UTF-8; name another one")));
        }
        Ok(hidden)
    }

    fn show(mut self, folder: &Path) -> Result<(), ClusterError> {
        let failed = |error: std::io::Error| ClusterError::Folder { folder: folder.to_path_buf(), error };
        // An empty folder gives way.
        let _ = std::fs::remove_dir(folder);
        std::fs::rename(&self.path, folder).map_err(failed)?;
        self.shown = true;
        Ok(())
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        if !self.shown {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}
