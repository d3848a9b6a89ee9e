//! A folder that goes away, and short ways to read and write in it.

use std::path::PathBuf;

use consilience::sources::{Classes, Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};
use consilience_io::{
    Input, LabelRow, LabelWriter, Output, ReadOptions, VoteTable, WriteVotes, read_votes, write_votes,
};
use tempfile::TempDir;

pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> Input {
        std::fs::write(self.path(name), bytes).unwrap();
        Input::Path(self.path(name))
    }

    /// Reads a file with these bytes.
    pub(crate) fn read(&self, name: &str, bytes: impl AsRef<[u8]>, options: &ReadOptions) -> VoteTable {
        read_votes(&self.file(name, bytes), options).unwrap()
    }

    /// The message about a file with these bytes, the folder's name left out.
    pub(crate) fn refusal(&self, name: &str, bytes: impl AsRef<[u8]>, options: &ReadOptions) -> String {
        self.refusal_of(&self.file(name, bytes), options)
    }

    pub(crate) fn refusal_of(&self, input: &Input, options: &ReadOptions) -> String {
        let error = read_votes(input, options).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
        self.without_folder(&error)
    }

    pub(crate) fn without_folder(&self, message: &str) -> String {
        message.replace(&format!("{}/", self.0.path().display()), "")
    }

    /// Writes votes and reads them back.
    pub(crate) fn there_and_back(
        &self,
        name: &str,
        votes: &Votes,
        write: &WriteVotes<'_>,
        read: &ReadOptions,
    ) -> VoteTable {
        write_votes(Output::create(&self.path(name)).unwrap(), votes, write).unwrap();
        read_votes(&Input::Path(self.path(name)), read).unwrap()
    }

    pub(crate) fn entries(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

pub(crate) fn text_list(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

pub(crate) fn votes(sources: &[&str], classes: &[&str], rows: &[&[Vote]]) -> Votes {
    let mut builder = VotesBuilder::new(Sources::new(text_list(sources)).unwrap());
    for row in rows {
        builder.push_dense(row).unwrap();
    }
    builder.finish_as(Classes::new(text_list(classes)).unwrap()).unwrap()
}

/// The rows of a table by the names of their classes.
pub(crate) fn rows(table: &VoteTable) -> Vec<Vec<String>> {
    let votes = &table.votes;
    (0..votes.items())
        .map(|i| {
            let mut row = vec![String::new(); votes.sources().len()];
            for (source, vote) in votes.row_of_item(i) {
                row[source] = votes.classes().name(vote).to_string();
            }
            row
        })
        .collect()
}

/// Writes these rows of labels.
pub(crate) fn write_rows<'a>(
    output: Output,
    classes: &Classes,
    rows: impl IntoIterator<Item = LabelRow<'a>>,
) {
    let mut writer = LabelWriter::new(output, classes, None).unwrap();
    rows.into_iter().for_each(|row| writer.write(&row).unwrap());
    writer.finish().unwrap();
}
