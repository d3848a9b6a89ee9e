//! Files of all formats, patterns of names, partitioned folders.

use std::fs::File;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use consilience_sources::{ApplyOptions, Data};
use parquet::arrow::ArrowWriter;

use crate::folder::Folder;

const SOURCES: &str = "[[source]]\nname = 'a'\nvote = 'spam'\nkeywords = ['free']\n\
    [[source]]\nname = 'b'\nvote = 'ham'\nsql = 'n * 2 >= 4'\n";

fn batch() -> RecordBatch {
    let columns: [(&str, ArrayRef); 3] = [
        ("text", Arc::new(StringArray::from(vec![Some("free"), None, Some("x, \"free\"\nline"), Some("ä")]))),
        ("n", Arc::new(Int64Array::from(vec![Some(1), Some(2), None, Some(3)]))),
        ("unused", Arc::new(Float64Array::from(vec![0.0; 4]))),
    ];
    RecordBatch::try_from_iter(columns.map(|(name, column)| (name, column))).unwrap()
}

const EXPECTED: [u16; 8] = [2, 0, 0, 1, 2, 0, 0, 1];

#[test]
fn all_formats_are_read_alike() {
    let folder =
        Folder::with(SOURCES, "text,n,unused\nfree,1,0\n,2,0\n\"x, \"\"free\"\"\nline\",,0\nä,3,0\n");
    folder.write("data.tsv", "text\tn\nfree\t1\n\t2\n\"x, \"\"free\"\"\nline\"\t\nä\t3\n");
    folder.write(
        "data.jsonl",
        "{\"text\":\"free\",\"n\":1}\n{\"text\":null,\"n\":2}\n{\"text\":\"x, \\\"free\\\"\\nline\"}\n{\"n\":3,\"text\":\"ä\"}\n",
    );
    let mut writer =
        ArrowWriter::try_new(File::create(folder.path("data.parquet")).unwrap(), batch().schema(), None)
            .unwrap();
    writer.write(&batch()).unwrap();
    writer.close().unwrap();
    let file = File::create(folder.path("data.arrow")).unwrap();
    let mut writer = arrow::ipc::writer::FileWriter::try_new(file, &batch().schema()).unwrap();
    writer.write(&batch()).unwrap();
    writer.finish().unwrap();
    let file = File::create(folder.path("data.arrows")).unwrap();
    let mut writer = arrow::ipc::writer::StreamWriter::try_new(file, &batch().schema()).unwrap();
    writer.write(&batch()).unwrap();
    writer.finish().unwrap();
    for name in ["data.csv", "data.tsv", "data.jsonl", "data.parquet", "data.arrow", "data.arrows"] {
        assert_eq!(folder.apply(&[name], ApplyOptions::default()).unwrap().0, EXPECTED, "{name}");
    }
    let all = folder.apply(&["data.csv", "data.parquet", "data.jsonl"], ApplyOptions::default()).unwrap().0;
    assert_eq!(all, EXPECTED.repeat(3));
    let first_typed = folder.apply(&["data.parquet", "data.csv"], ApplyOptions::default()).unwrap().0;
    assert_eq!(first_typed, EXPECTED.repeat(2));
}

#[test]
fn how_rows_are_split_over_files_changes_nothing() {
    let folder = Folder::with(SOURCES, "text,n\n");
    let rows: Vec<String> =
        (0..300).map(|i| format!("{},{i}", if i % 3 == 0 { "free" } else { "x" })).collect();
    folder.write("whole.csv", &format!("text,n\n{}\n", rows.join("\n")));
    for (part, rows) in rows.chunks(70).enumerate() {
        folder.write(
            &format!("parts/p{part}.csv"),
            &format!(
                "n,text\n{}\n",
                rows.iter()
                    .map(|row| {
                        let (text, n) = row.split_once(',').unwrap();
                        format!("{n},{text}")
                    })
                    .collect::<Vec<_>>()
                    .join("\n")
            ),
        );
    }
    let whole = folder.apply(&["whole.csv"], ApplyOptions::default()).unwrap().0;
    assert_eq!(folder.apply(&["parts"], ApplyOptions::default()).unwrap().0, whole);
    assert_eq!(folder.apply(&["parts/p*.csv"], ApplyOptions::default()).unwrap().0, whole);
}

#[test]
fn folders_name_columns() {
    let folder =
        Folder::with("[[source]]\nname = 'a'\nvote = 'spam'\nsql = \"year > 2023 AND lang = 'de'\"\n", "");
    folder.write("data/year=2023/lang=de/x.csv", "text\na\n");
    folder.write("data/year=2024/lang=de/x.csv", "text\na\nb\n");
    folder.write("data/year=2024/lang=en/x.csv", "text\na\n");
    let (votes, _) = folder.apply(&["data"], ApplyOptions::default()).unwrap();
    assert_eq!(votes, [0, 2, 2, 0]);
}

#[test]
fn columns_that_are_carried_come_as_they_are() {
    let folder = Folder::with(SOURCES, "id,text,n\nm-1,free,1\n007,,2\n");
    let data = Data::find(&[folder.path("data.csv")], None).unwrap();
    let options = ApplyOptions { carried: vec!["id".into(), "n".into()], ..ApplyOptions::default() };
    let applier = consilience_sources::Applier::new(&folder.file(), &data, options).unwrap();
    let mut seen = Vec::new();
    let take = |rows: &consilience_sources::Rows| {
        seen.extend((0..rows.rows).map(|row| rows.texts(row).flatten().collect::<Vec<_>>().join("/")));
        Ok(())
    };
    applier.run(take, &|_| ()).unwrap();
    assert_eq!(seen, ["m-1/1", "007/2"]);
}

#[test]
fn a_file_without_the_column_is_named() {
    let folder = Folder::with(SOURCES, "text,n\nfree,1\n");
    folder.write("other.csv", "body,n\nfree,1\n");
    let error = folder.apply(&["data.csv", "other.csv"], ApplyOptions::default()).unwrap_err().to_string();
    assert!(error.contains("other.csv: there is no column \"text\""), "{error}");
}

#[test]
fn a_damaged_parquet_file_is_an_error() {
    let folder = Folder::with(SOURCES, "");
    let mut writer = ArrowWriter::try_new(Vec::new(), batch().schema(), None).unwrap();
    writer.write(&batch()).unwrap();
    let bytes = writer.into_inner().unwrap();
    for cut in [5, bytes.len() / 2, bytes.len() - 9] {
        std::fs::write(folder.path("data.parquet"), &bytes[..cut]).unwrap();
        let error = folder.apply(&["data.parquet"], ApplyOptions::default()).unwrap_err().to_string();
        assert!(error.contains("data.parquet: "), "{error}");
    }
}
