//! Every bad input gets one line that says where, what, and what to do.

use std::io::Write as _;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, Float64Array, Int64Array, ListArray, RecordBatch, RecordBatchOptions, StringArray, UInt8Array,
};
use arrow::datatypes::{DataType, Field, Int32Type, Schema};
use consilience::sources::Classes;
use consilience_io::{Format, Input, ReadOptions, WriteVotes};
use parquet::arrow::ArrowWriter;

use crate::folder::{Folder, text_list, votes};

fn refusal(name: &str, bytes: impl AsRef<[u8]>) -> String {
    Folder::new().refusal(name, bytes, &ReadOptions::default())
}

fn declared(names: &[&str]) -> ReadOptions {
    ReadOptions::default().with_classes(Classes::new(text_list(names)).unwrap())
}

#[test]
fn nothing_to_read() {
    let empty = "v.csv: the input is empty; a header and at least one row of votes are needed";
    for bytes in ["", "\n\n", "\u{feff}", "  \r\n"] {
        assert_eq!(refusal("v.csv", bytes), empty, "{bytes:?}");
    }
    let header_only = "v.csv: there is a header but no row; at least one row of votes is needed";
    assert_eq!(refusal("v.csv", "a,b\n"), header_only);
    assert_eq!(refusal("v.csv", "item,source,vote\n"), header_only);
}

#[test]
fn hundreds_of_classes_that_one_source_knows_are_refused() {
    // Beyond the rows that are looked at first, a source turns into texts.
    let row =
        |i: usize| if i < 5000 { format!("{},{},1\n", i % 2, i % 2) } else { format!("{},x{i},1\n", i % 2) };
    let rows: Vec<String> = (0..5200).map(row).collect();
    assert_eq!(
        refusal("v.csv", format!("a,b,c\n{}", rows.concat())),
        "v.csv: \"b\" votes for 200 classes that no other source votes for: it looks like a column of IDs or texts, not a source"
    );
    let texts: Vec<String> = (0..300).map(|i| format!("q{},w{},text {i}\n", i / 3, i % 3)).collect();
    assert_eq!(
        refusal("v.csv", format!("item,source,vote\n{}", texts.concat())),
        "v.csv: 300 of 300 distinct votes are cast by only one source: they look like texts or IDs, not votes for classes"
    );
}

#[test]
fn a_ragged_row() {
    assert_eq!(
        refusal("v.csv", "a,b\n1,0\n1,0,1\n"),
        "v.csv, line 3: the row has 3 cells, but the header has 2; add or remove separators, or quote cells that contain one"
    );
    assert!(refusal("v.tsv", "a\tb\n1\t0\n\n\n1\n").starts_with("v.tsv, line 5: the row has 1 cell, but"));
    assert!(
        refusal("v.csv", "a,b\r\n1,0\r\n\r\n1\r\n").starts_with("v.csv, line 4: the row has 1 cell, but")
    );
    assert!(refusal("v.csv", "a,b\n\"x\ny\",0\n1\n").starts_with("v.csv, line 4: the row has 1 cell, but"));
}

#[test]
fn votes_that_mean_nothing() {
    for text in ["-2", "1e308", "0.5", "inf"] {
        let message = format!(
            "v.csv, line 3, column \"b\": the vote \"{text}\" is not a class: a number must be whole and not negative; leave the cell empty (or write -1) to abstain"
        );
        assert_eq!(refusal("v.csv", format!("a,b\n1,0\n1,{text}\n")), message);
    }
    let jsonl = "{\"a\": 1, \"b\": 0}\n{\"a\": 1, \"b\": 0.5}\n";
    assert!(
        refusal("v.jsonl", jsonl)
            .starts_with("v.jsonl, line 2, column \"b\": the vote \"0.5\" is not a class")
    );
    assert_eq!(
        refusal("v.jsonl", "{\"a\": [1]}\n"),
        "v.jsonl: no column looks like a source: \"a\" (type a list)"
    );
    assert_eq!(
        Folder::new().refusal("v.csv", "a,b\nham,spam\nham,eggs\n", &declared(&["ham", "spam"])),
        "v.csv, line 3, column \"b\": the vote \"eggs\" is not a class; the classes are \"ham\", \"spam\". Correct the vote, or add it to the classes"
    );
    let gold = declared(&["ham", "spam"]).with_gold("y");
    assert!(
        Folder::new()
            .refusal("v.csv", "a,y\nham,eggs\n", &gold)
            .starts_with("v.csv, line 2, column \"y\": the vote \"eggs\" is not a class")
    );
}

#[test]
fn one_class_is_too_few_but_a_source_may_have_one() {
    assert_eq!(
        refusal("v.csv", "a,b\n1,\n1,1\n"),
        "v.csv: the only class is \"1\", but labels need at least two classes; name all of them"
    );
    assert!(refusal("v.csv", "a,b\n,\n,\n").starts_with("v.csv: no source votes for any class"));
    Folder::new().read("v.csv", "a,b\n1,0\n1,0\n", &ReadOptions::default());
    Folder::new().read("v.csv", "a,b\n1,\n", &declared(&["0", "1"]));
}

#[test]
fn columns_that_are_wrong() {
    assert_eq!(
        refusal("v.csv", "a,b,a\n1,0,1\n"),
        "v.csv, line 1: duplicate source name \"a\" (positions 1 and 3); rename one of them"
    );
    let unnamed = ReadOptions::default().with_sources(vec![String::new()]);
    let refused = Folder::new().refusal("v.csv", ",a\n1,1\n0,0\n", &unnamed);
    assert!(refused.starts_with("v.csv, line 1: column 1 has no name; if it is a row index"), "{refused}");
    let index = ReadOptions::default().with_sources(vec!["Unnamed: 0".into()]);
    assert_eq!(
        Folder::new().refusal("v.csv", "Unnamed: 0,a\n1,1\n0,0\n", &index),
        "v.csv, line 1, column \"Unnamed: 0\": this is a row index that pandas wrote, not a source; leave it out, or read it as the item names"
    );
    let gold = ReadOptions::default().with_gold("goldd");
    let message =
        "column \"goldd\" does not exist (needed for gold; did you mean \"gold\"?); the columns are";
    for (name, bytes) in [("v.csv", "gold,b\n1,0\n"), ("v.jsonl", "{\"gold\": 1, \"b\": 0}\n")] {
        let refusal = Folder::new().refusal(name, bytes, &gold);
        assert!(refusal.contains(message), "{refusal}");
    }
    let item = ReadOptions::default().with_item("a");
    let no_sources = "no source columns remain besides the item, gold and ignored columns; one column per source is needed";
    assert_eq!(Folder::new().refusal("v.csv", "a\n1\n", &item), format!("v.csv, line 1: {no_sources}"));
    assert_eq!(Folder::new().refusal("v.jsonl", "{\"a\": 1}\n", &item), format!("v.jsonl: {no_sources}"));
}

#[test]
fn a_million_columns_are_refused_at_once() {
    let names: Vec<String> = (0..1_000_001).map(|j| format!("c{j}")).collect();
    let text = names.join(",") + "\n1\n";
    let started = std::time::Instant::now();
    assert_eq!(
        refusal("v.csv", &text),
        "v.csv, line 1: 1000001 source names, but at most 524288 are supported; is the table transposed?"
    );
    let entries: Vec<String> = (0..600_000).map(|j| format!("\"c{j}\":1")).collect();
    let object = format!("{{{}}}\n", entries.join(","));
    assert!(refusal("v.jsonl", &object).contains("at most 524288 are supported"));
    assert!(started.elapsed().as_secs() < 60);
}

#[test]
fn text_that_is_no_text() {
    assert_eq!(
        refusal("v.csv", b"a,b\n1,0\nx,caf\xe9\n"),
        "v.csv, line 3, column \"b\": the text is not UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        refusal("v.csv", b"a,\xe9\n1,0\n"),
        "v.csv, line 1: the text is not UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        refusal("v.jsonl", b"{\"a\": 1}\n{\"a\": \"\xe9\"}\n"),
        "v.jsonl, line 2: the text is not UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        refusal("v.csv", b"\xff\xfea\0,\0"),
        "v.csv: the text is UTF-16, not UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        refusal("v.csv", b"\x7fELF\0\x01\x02"),
        "v.csv: this is not text, Parquet or Arrow; export the votes as CSV, JSONL, Parquet or Arrow"
    );
}

#[test]
fn json_that_is_none() {
    assert_eq!(
        refusal("v.jsonl", "{\"a\": 1}\n{\"a\": 1"),
        "v.jsonl, line 2: not a JSON object (EOF while parsing an object, character 7); write one complete object per line"
    );
    assert!(refusal("v.jsonl", "{\n  \"a\": 1\n}\n").starts_with("v.jsonl, line 1: not a JSON object"));
    assert!(refusal("v.jsonl", "[{\"a\": 1}]\n").starts_with("v.jsonl, line 1: not a JSON object"));
    assert_eq!(
        refusal("v.jsonl", "{\"a\": 1, \"a\": 0}\n"),
        "v.jsonl, line 1, column \"a\": duplicate key in one object; keep one of them"
    );
    let item = ReadOptions::default().with_item("id");
    assert_eq!(
        Folder::new().refusal("v.jsonl", "{\"a\": 1, \"id\": 1}\n{\"a\": 0}\n", &item),
        "v.jsonl, line 2, column \"id\": the object lacks this key; every object needs the key with the item name"
    );
}

#[test]
fn long_tables_that_contradict_themselves() {
    assert_eq!(
        refusal("v.csv", "item,source,vote\nx,a,1\nx,a,0\n"),
        "v.csv: item \"x\": source \"a\" has two different votes; keep one of them"
    );
    assert_eq!(
        refusal("v.csv", "item,source,vote\nx,,1\n"),
        "v.csv, line 2, column \"source\": the cell is empty; every row of a long table needs an item and a source"
    );
    let gold = ReadOptions::default().with_gold("y");
    assert_eq!(
        Folder::new().refusal("v.csv", "item,source,vote,y\nx,a,1,1\nx,b,0,0\n", &gold),
        "v.csv, line 3: item \"x\" has two different gold classes, \"1\" and \"0\"; keep one of them"
    );
    let long = ReadOptions::default().with_long(true);
    assert!(
        Folder::new()
            .refusal("v.csv", "a,b\n1,0\n", &long)
            .starts_with("v.csv, line 1: a long table needs the columns")
    );
}

#[test]
fn files_that_cannot_be_opened() {
    let folder = Folder::new();
    let options = ReadOptions::default();
    let missing = Input::Path(folder.path("none.csv"));
    assert_eq!(folder.refusal_of(&missing, &options), "none.csv: there is no such file; check the path");
    std::fs::create_dir(folder.path("dir.csv")).unwrap();
    let directory = Input::Path(folder.path("dir.csv"));
    assert_eq!(folder.refusal_of(&directory, &options), "dir.csv: this is a directory; name a file of votes");
}

#[cfg(unix)]
#[test]
fn a_file_without_permission() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let input = folder.file("v.csv", "a,b\n1,0\n");
    std::fs::set_permissions(folder.path("v.csv"), std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::File::open(folder.path("v.csv")).is_ok() {
        consilience_testing::skip("a_file_without_permission", "this user (root?) may read every file");
        return;
    }
    assert_eq!(
        folder.refusal_of(&input, &ReadOptions::default()),
        "v.csv: no permission to read it; check the owner and mode of the file and its folders"
    );
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn packed_files_that_are_broken() {
    let table = "a,b\n".to_string() + &"1,0\n0,1\n".repeat(10_000);
    let whole = gz(table.as_bytes());
    let message = refusal("v.csv.gz", &whole[..whole.len() / 2]);
    assert!(message.starts_with("v.csv.gz: the gz data is truncated or damaged ("), "{message}");
    assert!(message.ends_with("; copy or export the file again"), "{message}");
    let whole_zst = zstd::encode_all(table.as_bytes(), 3).unwrap();
    for length in [5, whole_zst.len() / 2, whole_zst.len() - 1] {
        let message = refusal("v.csv.zst", &whole_zst[..length]);
        assert!(message.starts_with("v.csv.zst: the zst data is truncated or damaged ("), "{message}");
    }
    for length in [2, 11, whole.len() - 1] {
        let message = refusal("v.csv", &whole[..length]);
        assert!(message.starts_with("v.csv: the gz data is truncated or damaged ("), "{message}");
    }
    assert_eq!(
        refusal("v.csv.gz.gz", gz(&whole)),
        "v.csv.gz.gz: it is compressed twice; decompress it once and try again"
    );
    assert_eq!(
        refusal("v.csv.gz", gz(b"")),
        "v.csv.gz: the input is empty; a header and at least one row of votes are needed"
    );
}

fn written(folder: &Folder, name: &str) -> Vec<u8> {
    let rows: Vec<&[u16]> = vec![&[1, 0, 2], &[2, 1, 0], &[0, 0, 1]];
    let table = votes(&["a", "b", "c"], &["no", "yes"], &rows);
    folder.there_and_back(name, &table, &WriteVotes::default(), &ReadOptions::default());
    std::fs::read(folder.path(name)).unwrap()
}

#[test]
fn binary_files_that_are_cut_short_anywhere() {
    let folder = Folder::new();
    for (name, what) in [("v.parquet", "Parquet"), ("v.arrow", "Arrow"), ("v.arrows", "Arrow")] {
        let whole = written(&folder, name);
        for length in (8..whole.len() - 8).step_by(7) {
            let input = folder.file("cut", &whole[..length]);
            let result = consilience_io::read_votes(&input, &ReadOptions::default());
            let Err(error) = result else {
                // A stream may end between two batches, and then has a header only or is whole.
                assert_eq!(name, "v.arrows", "{length}");
                continue;
            };
            let message = folder.without_folder(&error.to_string());
            let expected = format!("cut: the {what} data is truncated or damaged (");
            assert!(message.starts_with(&expected) || name == "v.arrows", "{name} {length}: {message}");
        }
    }
}

#[test]
fn binary_files_with_a_flipped_byte_never_panic() {
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !consilience_io::is_decoding() {
            loud(panic);
        }
    }));
    let folder = Folder::new();
    for name in ["v.parquet", "v.arrow", "v.arrows"] {
        let whole = written(&folder, name);
        for at in 0..whole.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                let input = folder.file("flipped", &bytes);
                let result = std::panic::catch_unwind(|| {
                    let _ = consilience_io::read_votes(&input, &ReadOptions::default());
                });
                assert!(result.is_ok(), "{name}: byte {at} flipped by {flip:#x}");
            }
        }
    }
}

#[test]
fn a_format_that_was_promised() {
    let parquet = ReadOptions::default().with_format(Format::Parquet);
    assert_eq!(
        Folder::new().refusal("v.csv", "a,b\n1,0\n", &parquet),
        "v.csv: the Parquet data is truncated or damaged (it begins like text); copy or export the file again"
    );
}

fn parquet(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let schema = Arc::new(Schema::new(fields));
    let rows = columns.first().map_or(3, |(_, array)| array.len());
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let batch = RecordBatch::try_new_with_options(schema.clone(), arrays, &options).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, schema, None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn columns_of_types_that_hold_no_votes() {
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1)]), None]);
    let bytes = parquet(vec![("a", Arc::new(Int64Array::from(vec![1, 0]))), ("b", Arc::new(list))]);
    let left_out = Folder::new().read("v.parquet", &bytes, &ReadOptions::default());
    assert!(left_out.notes[0].to_string().contains("\"b\" (type List("), "{:?}", left_out.notes);
    let told = ReadOptions::default().with_sources(vec!["b".into()]);
    let message = Folder::new().refusal("v.parquet", &bytes, &told);
    assert!(message.starts_with("v.parquet, column \"b\": its type List("), "{message}");
    assert!(
        message
            .ends_with("cannot hold votes; convert it to text, whole numbers or booleans, or leave it out")
    );
    let ignore = ReadOptions::default().with_ignore(vec!["b".into()]);
    Folder::new().read("v.parquet", &bytes, &ignore);
    assert_eq!(
        refusal("v.parquet", parquet(vec![])),
        "v.parquet: the table has no columns; one column per source is needed"
    );
    let dates = arrow::compute::cast(&Int64Array::from(vec![1, 2]), &DataType::Date64).unwrap();
    assert_eq!(
        refusal("v.parquet", parquet(vec![("d", dates)])),
        "v.parquet: no column looks like a source: \"d\" (type Date64)"
    );
}

#[test]
fn cells_of_columns_name_row_and_column() {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("a", Arc::new(Int64Array::from(vec![Some(1), None, Some(-2)]))),
        ("b", Arc::new(Float64Array::from(vec![0.0, f64::NAN, 1.0]))),
        ("c", Arc::new(StringArray::from(vec!["1", "0", "-2"]))),
    ];
    assert!(
        refusal("v.parquet", parquet(columns))
            .starts_with("v.parquet, row 3, column \"a\": the vote \"-2\" is not a class")
    );
    let bytes: Vec<(&str, ArrayRef)> = vec![
        ("a", Arc::new(UInt8Array::from(vec![1, 0, 255]))),
        ("b", Arc::new(UInt8Array::from(vec![1, 0, 1]))),
    ];
    let wrapped = refusal("v.parquet", parquet(bytes));
    assert!(
        wrapped.starts_with("v.parquet, row 3, column \"a\": the vote 255 is the largest value"),
        "{wrapped}"
    );
    let index: ArrayRef = Arc::new(Int64Array::from(vec![3, 5, 4]));
    let only_index = refusal("v.parquet", parquet(vec![("__index_level_0__", index)]));
    assert!(only_index.contains("no source columns remain"), "{only_index}");
}

#[test]
fn no_rows_in_a_binary_table() {
    let none: ArrayRef = Arc::new(Int64Array::from(Vec::<i64>::new()));
    assert_eq!(
        refusal("v.parquet", parquet(vec![("a", none)])),
        "v.parquet: there is a header but no row; at least one row of votes is needed"
    );
}
