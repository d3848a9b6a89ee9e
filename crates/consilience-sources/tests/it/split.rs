//! Data in several files whose columns differ in type: the same votes as from one file, or an error.

use std::fs::File;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, Float64Array, Int8Array, Int64Array, LargeStringArray, NullArray, RecordBatch, StringArray,
};
use consilience_sources::ApplyOptions;
use parquet::arrow::ArrowWriter;

use crate::folder::Folder;

const ABOVE_FIVE: &str = "[[source]]\nname = 'a'\nvote = 'spam'\notherwise = 'ham'\nsql = 'n > 5'\n";

fn write_parquet(folder: &Folder, name: &str, column: &str, cells: ArrayRef) {
    let batch = RecordBatch::try_from_iter([(column, cells)]).unwrap();
    let file = File::create(folder.path(name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn apply(folder: &Folder, names: &[&str]) -> Result<Vec<u16>, String> {
    folder.apply(names, ApplyOptions::default()).map(|found| found.0).map_err(|error| error.to_string())
}

#[test]
fn numbers_of_different_types_keep_their_values() {
    let folder = Folder::with(ABOVE_FIVE, "");
    write_parquet(&folder, "integer.parquet", "n", Arc::new(Int64Array::from(vec![5])));
    write_parquet(&folder, "float.parquet", "n", Arc::new(Float64Array::from(vec![5.7])));
    write_parquet(&folder, "narrow.parquet", "n", Arc::new(Int8Array::from(vec![6])));
    write_parquet(&folder, "wide.parquet", "n", Arc::new(Int64Array::from(vec![1 << 40])));
    write_parquet(&folder, "nothing.parquet", "n", Arc::new(NullArray::new(1)));
    assert_eq!(apply(&folder, &["integer.parquet", "float.parquet"]), Ok(vec![1, 2]));
    assert_eq!(apply(&folder, &["float.parquet", "integer.parquet"]), Ok(vec![2, 1]));
    assert_eq!(apply(&folder, &["narrow.parquet", "wide.parquet"]), Ok(vec![2, 2]));
    assert_eq!(apply(&folder, &["nothing.parquet", "wide.parquet", "nothing.parquet"]), Ok(vec![0, 2, 0]));
}

#[test]
fn texts_and_numbers_in_one_column_are_refused() {
    let folder = Folder::with(ABOVE_FIVE, "");
    write_parquet(&folder, "number.parquet", "n", Arc::new(Int64Array::from(vec![5])));
    write_parquet(&folder, "text.parquet", "n", Arc::new(StringArray::from(vec!["abc"])));
    let error = apply(&folder, &["number.parquet", "text.parquet"]).unwrap_err();
    assert!(
        error.ends_with("text.parquet: the column \"n\" is Utf8 in this file, but Int64 before it; give it the same type in all files"),
        "{error}"
    );
    folder.write("text.csv", "n\nabc\n");
    let error = apply(&folder, &["number.parquet", "text.csv"]).unwrap_err();
    assert!(
        error.contains("text.csv: column \"n\": Cannot cast string 'abc' to value of Int64 type"),
        "{error}"
    );
}

/// What cells look like is decided by the same rows, however they are split.
#[test]
fn cells_of_text_look_alike_in_one_file_and_in_many() {
    let folder =
        Folder::with("[[source]]\nname = 'a'\nvote = 'spam'\notherwise = 'ham'\nsql = 'x > y'\n", "");
    folder.write("whole.csv", "x,y\n,\n10,9\n9,10\n1.5,1\n");
    folder.write("a.csv", "x,y\n,\n");
    folder.write("b.csv", "y,x\n9,10\n10,9\n");
    folder.write("c.csv", "x,y\n1.5,1\n");
    folder.write("empty.csv", "x,y\n");
    folder.write("empty.jsonl", "");
    let whole = apply(&folder, &["whole.csv"]).unwrap();
    assert_eq!(whole, [0, 2, 1, 2]);
    assert_eq!(apply(&folder, &["a.csv", "b.csv", "c.csv"]), Ok(whole.clone()));
    assert_eq!(apply(&folder, &["empty.csv", "a.csv", "empty.jsonl", "b.csv", "c.csv"]), Ok(whole));
    let error = apply(&folder, &["empty.csv"]).unwrap_err();
    assert!(error.contains("there are no rows"), "{error}");
}

#[test]
fn an_empty_cell_is_missing_in_every_format() {
    let sources = "[[source]]\nname = 'a'\nvote = 'spam'\notherwise = 'ham'\nlookup = { file = 'names.csv', keys = ['name'] }\n\
        [[source]]\nname = 'b'\nvote = 'spam'\notherwise = 'ham'\nsql = \"name = 'bob'\"\n";
    let folder = Folder::with(sources, "");
    folder.write("names.csv", "name\nbob\n");
    folder.write("data.csv", "name,n\nbob,1\n,2\n,3\namy,4\n");
    let cells = vec![Some("bob"), Some(""), None, Some("amy")];
    write_parquet(&folder, "data.parquet", "name", Arc::new(StringArray::from(cells.clone())));
    let large: ArrayRef = Arc::new(LargeStringArray::from(cells));
    let batch = RecordBatch::try_from_iter([("name", large)]).unwrap();
    let file = File::create(folder.path("data.arrow")).unwrap();
    let mut writer = arrow::ipc::writer::FileWriter::try_new(file, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    for name in ["data.csv", "data.parquet", "data.arrow"] {
        assert_eq!(apply(&folder, &[name]), Ok(vec![2, 2, 0, 0, 0, 0, 1, 1]), "{name}");
    }
}

#[test]
fn a_folder_named_by_itself_gives_its_column() {
    let folder = Folder::with("[[source]]\nname = 'a'\nvote = 'spam'\nsql = 'year > 2023'\n", "");
    folder.write("data/year=2024/x.csv", "text\na\n");
    assert_eq!(apply(&folder, &["data/year=2024"]), Ok(vec![2]));
    assert_eq!(apply(&folder, &["data/year=*"]), Ok(vec![2]));
}

#[cfg(unix)]
#[test]
fn folders_behind_links_are_read_once() {
    let folder = Folder::with(ABOVE_FIVE, "");
    folder.write("elsewhere/x.csv", "n\n7\n");
    folder.write("data/y.csv", "n\n3\n");
    std::os::unix::fs::symlink(folder.path("elsewhere"), folder.path("data/link")).unwrap();
    std::os::unix::fs::symlink(folder.path("data"), folder.path("data/circle")).unwrap();
    assert_eq!(apply(&folder, &["data"]), Ok(vec![2, 1]));
}

#[test]
fn an_open_quotation_mark_does_not_swallow_the_rest() {
    let folder = Folder::with(ABOVE_FIVE, "");
    for text in ["n,text\n1,\"win\n2,b\n3,c\n", "n,text\n1,\"win\n2,b\n3,c"] {
        folder.write("data.csv", text);
        let error = folder.error();
        assert!(error.contains("a quotation mark is never closed"), "{error}");
    }
    folder.write("data.csv", "n,text\n1,\"win\n2,b\"\n7,\"c\nd\"");
    assert_eq!(folder.votes(), [1, 2]);
}
