//! Which label belongs to which text: by the items' names, or by their order.

use std::collections::HashMap;

use anyhow::bail;
use consilience_io::{LabelTable, Problem};

use crate::terminal::counted;

/// Finds the label of one text after the other.
pub(super) struct Join {
    names: Option<HashMap<String, usize>>,
    labels: usize,
    /// Whether each label has found its text.
    found: Vec<bool>,
    texts: usize,
}

impl Join {
    /// Rows at the same position belong together.
    pub(super) fn by_order(labels: &LabelTable) -> Self {
        Self { names: None, labels: labels.items.len(), found: Vec::new(), texts: 0 }
    }

    /// Rows belong together that name the same item.
    pub(super) fn by_name(labels: &LabelTable, file: &str) -> anyhow::Result<Self> {
        let mut names = HashMap::with_capacity(labels.items.len());
        for (i, name) in labels.items.iter().enumerate() {
            if names.insert(name.to_string(), i).is_some() {
                bail!(
                    "{file}: duplicate item \"{name}\", so texts cannot be joined by name; use unique names, or --by-order"
                );
            }
        }
        Ok(Self {
            names: Some(names),
            labels: labels.items.len(),
            found: vec![false; labels.items.len()],
            texts: 0,
        })
    }

    pub(super) fn is_by_name(&self) -> bool {
        self.names.is_some()
    }

    /// The label of the next text, which belongs to the item `name`; `None` if there is none.
    pub(super) fn next(&mut self, name: &str) -> Result<Option<usize>, Problem> {
        self.texts += 1;
        let Some(names) = &self.names else {
            return Ok((self.texts <= self.labels).then(|| self.texts - 1));
        };
        match names.get(name) {
            Some(&i) if std::mem::replace(&mut self.found[i], true) => {
                Err(Problem::ItemTwice { item: name.to_string() })
            }
            found => Ok(found.copied()),
        }
    }

    /// How many labels found no text, after a look that the two tables fit.
    pub(super) fn finish(&mut self, text_file: &str, labels_file: &str) -> anyhow::Result<u64> {
        let found = self.found.iter().filter(|found| **found).count();
        if self.is_by_name() {
            if found == 0 {
                bail!(
                    "{text_file}: none of its items is in {labels_file}; label with the same --item, or use --by-order if the \
                     rows are in the same order"
                );
            }
            return Ok((self.labels - found) as u64);
        }
        if self.texts != self.labels {
            bail!(
                "{text_file} has {}, but {labels_file} {}; provide one row per item in the same order, or select the \
                 column with the item names with --item",
                counted(self.texts as u64, "row", "rows"),
                self.labels
            );
        }
        Ok(0)
    }
}
