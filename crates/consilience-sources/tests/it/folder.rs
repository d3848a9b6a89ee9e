//! A folder with sources and data, and their votes.

use std::fs;
use std::path::PathBuf;

use consilience_sources::{Applier, ApplyError, ApplyOptions, Data, OnFault, SourcesFile, Summary};
use tempfile::TempDir;

/// What every test's file begins with.
pub(crate) const HEAD: &str = "classes = ['ham', 'spam']\ntext = 'text'\n";

pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With sources behind the usual head, and data.csv.
    pub(crate) fn with(sources: &str, data: &str) -> Self {
        let folder = Self::new();
        folder.write("sources.toml", &format!("{HEAD}{sources}"));
        folder.write("data.csv", data);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn file(&self) -> SourcesFile {
        SourcesFile::read(&self.path("sources.toml")).unwrap()
    }

    /// Everything about data, with these options.
    pub(crate) fn apply(
        &self,
        data: &[&str],
        options: ApplyOptions,
    ) -> Result<(Vec<u16>, Summary), ApplyError> {
        let paths: Vec<PathBuf> = data.iter().map(|name| self.path(name)).collect();
        let data = Data::find(&paths, None)?;
        let applier = Applier::new(&self.file(), &data, options)?;
        let mut votes = Vec::new();
        let summary = applier.run(
            |rows| {
                votes.extend_from_slice(&rows.votes);
                Ok(())
            },
            &|_| (),
        )?;
        Ok((votes, summary))
    }

    /// The votes on data.csv.
    pub(crate) fn votes(&self) -> Vec<u16> {
        self.apply(&["data.csv"], ApplyOptions::default()).unwrap().0
    }

    /// Why the votes on data.csv cannot be made.
    pub(crate) fn error(&self) -> String {
        self.apply(&["data.csv"], ApplyOptions::default()).unwrap_err().to_string()
    }
}

/// Options that count faults.
pub(crate) fn tolerant() -> ApplyOptions {
    ApplyOptions { on_fault: OnFault::Abstain, ..ApplyOptions::default() }
}
