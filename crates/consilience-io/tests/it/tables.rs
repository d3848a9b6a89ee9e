//! Tables that are none of votes: texts, labels, training files; the same in every format.

use consilience::sources::Classes;
use consilience_io::{
    Input, LabelRow, Output, ReadError, TrainingFileWriter, TrainingLayout, read_labels, read_table,
};

use crate::folder::{Folder, write_rows};

const FORMATS: [&str; 7] = ["csv", "tsv", "jsonl", "csv.gz", "jsonl.zst", "parquet", "arrow"];

type Rows = Vec<Vec<String>>;

/// The cells of these columns.
fn cells(input: &Input, columns: &[&str]) -> Result<Rows, ReadError> {
    read_table(
        input,
        None,
        |header| {
            let wanted = columns.iter().map(|name| header.find("text", name)).collect::<Result<_, _>>()?;
            Ok::<_, ReadError>((wanted, Rows::new()))
        },
        |rows, row| {
            rows.push((0..columns.len()).map(|i| row.cell(i).to_string()).collect());
            Ok(())
        },
        &|_| (),
    )
}

fn refusal(folder: &Folder, name: &str, bytes: &str, columns: &[&str]) -> String {
    folder.without_folder(&cells(&folder.file(name, bytes), columns).unwrap_err().to_string())
}

fn output(folder: &Folder, name: &str) -> (Output, Input) {
    let path = folder.path(name);
    (Output::from_arg(&path).unwrap(), Input::Path(path))
}

#[test]
fn labels_come_back_from_every_format() {
    let folder = Folder::new();
    let classes = Classes::new(vec!["ham".into(), "sp,am".into()]).unwrap();
    let rows = [
        ("a\nb", Some("ham"), [0.9f64, 0.1]),
        ("é", None, [0.5, 0.5]),
        ("", Some("sp,am"), [1e-7, 1.0 - 1e-7]),
    ];
    for format in FORMATS {
        let (output, input) = output(&folder, &format!("labels.{format}"));
        let rows_of = rows.iter().map(|(item, label, p)| {
            let confidence = p[0].max(p[1]);
            LabelRow { item, label: *label, confidence, probabilities: p }
        });
        write_rows(output, &classes, rows_of);
        let labels = read_labels(&input, None, &|_| ()).unwrap();
        assert_eq!(labels.classes, classes, "{format}");
        assert_eq!(labels.items.iter().collect::<Vec<_>>(), ["a\nb", "é", ""], "{format}");
        assert_eq!(labels.decided, [true, false, true], "{format}");
        for (i, (_, _, p)) in rows.iter().enumerate() {
            let bits = |p: &[f64]| p.iter().map(|p| p.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(labels.item(i)), bits(p), "{format}");
        }
    }
}

#[test]
fn training_files_hold_texts_with_soft_or_weighted_labels() {
    let folder = Folder::new();
    let classes = Classes::new(vec!["x".into(), "y".into(), "z".into()]).unwrap();
    let texts = ["title".to_string(), "text".to_string()];
    for format in FORMATS {
        for layout in [TrainingLayout::Soft, TrainingLayout::Weighted] {
            let (output, input) = output(&folder, &format!("training.{format}"));
            let mut writer = TrainingFileWriter::new(output, layout, &texts, &classes, None).unwrap();
            writer.write("1", &["A", "a \"quoted\", text\nof two lines"], &[0.25, 0.0, 0.75]).unwrap();
            writer.write("2", &["B", "b"], &[0.0, 1.0, 0.0]).unwrap();
            writer.finish().unwrap();
            let text = "a \"quoted\", text\nof two lines";
            let strip = |rows: Rows| -> Rows {
                let plain = |cell: String| cell.strip_suffix(".0").map(str::to_string).unwrap_or(cell);
                rows.into_iter().map(|row| row.into_iter().map(plain).collect()).collect()
            };
            if layout == TrainingLayout::Soft {
                let found = strip(cells(&input, &["item", "text", "p_z", "p_x", "title"]).unwrap());
                assert_eq!(found, [["1", text, "0.75", "0.25", "A"], ["2", "b", "0", "0", "B"]], "{format}");
            } else {
                let found = strip(cells(&input, &["item", "text", "label", "weight"]).unwrap());
                let expected = [["1", text, "x", "0.25"], ["1", text, "z", "0.75"], ["2", "b", "y", "1"]];
                assert_eq!(found, expected, "{format}");
            }
        }
    }
}

#[test]
fn cells_of_every_json_kind_are_text() {
    let folder = Folder::new();
    let input =
        folder.file("t.jsonl", "{\"a\": 1.5, \"b\": null}\n{\"b\": true, \"a\": -3}\n\n{\"a\": \"x\"}\n");
    assert_eq!(cells(&input, &["b", "a"]).unwrap(), [["", "1.5"], ["true", "-3"], ["", "x"]]);
}

/// Objects may leave out keys without a value, the first one too.
#[test]
fn json_keys_may_be_missing_at_first() {
    let folder = Folder::new();
    let input = folder.file("t.jsonl", "{\"a\": 1}\n{\"b\": \"x\", \"a\": 2}\n{\"b\": \"y\"}\n");
    assert_eq!(cells(&input, &["a", "b"]).unwrap(), [["1", ""], ["2", "x"], ["", "y"]]);
    assert!(cells(&input, &["c"]).is_err());
}

/// A line that says nothing is an item with an empty text, which matters where items are joined by order.
#[test]
fn blank_lines_of_one_column_are_items() {
    let folder = Folder::new();
    let input = folder.file("t.csv", "text\na\n\nb\n");
    assert_eq!(cells(&input, &["text"]).unwrap(), [["a"], [""], ["b"]]);
}

#[test]
fn bad_tables_are_refused_in_one_line() {
    let folder = Folder::new();
    let refusal = |name: &str, bytes: &str| refusal(&folder, name, bytes, &["text"]);
    assert_eq!(
        refusal("t.csv", ""),
        "t.csv: there are no rows; a table with a header and at least one row is needed"
    );
    assert_eq!(
        refusal("t.csv", "text\n"),
        "t.csv: there are no rows; a table with a header and at least one row is needed"
    );
    assert_eq!(
        refusal("t.csv", "id,txt\n1,a\n"),
        "t.csv, line 1: column \"text\" does not exist (needed for text; did you mean \"txt\"?); the columns are \"id\", \"txt\""
    );
    assert_eq!(
        refusal("t.csv", "text,text\n1,a\n"),
        "t.csv, line 1, column \"text\": duplicate column; rename one of them"
    );
    assert_eq!(
        refusal("t.jsonl", "{\"text\": [1]}\n"),
        "t.jsonl, line 1, column \"text\": a cell must be text, a number, a boolean or null, not a list"
    );
    assert_eq!(
        refusal("t.jsonl", "{\"text\": \"a\", \"text\": \"b\"}\n"),
        "t.jsonl, line 1, column \"text\": duplicate column; rename one of them"
    );
    assert_eq!(
        refusal("t.jsonl", "{\"text\": \"a\"}\n{\"text\": \"a\", \"text\": \"b\"}\n"),
        "t.jsonl, line 2, column \"text\": duplicate key in one object; keep one of them"
    );
    let missing = cells(&Input::Path(folder.path("none.csv")), &["text"]).unwrap_err().to_string();
    assert_eq!(folder.without_folder(&missing), "none.csv: there is no such file; check the path");
}

#[test]
fn bad_labels_are_refused_in_one_line() {
    let folder = Folder::new();
    let refusal = |bytes: &str| {
        let error = read_labels(&folder.file("l.csv", bytes), None, &|_| ()).unwrap_err();
        folder.without_folder(&error.to_string())
    };
    assert_eq!(
        refusal("item,label\n1,a\n"),
        "l.csv, line 1: this is not a table of labels: it has no column p_<class>, but needs one for each class; the columns are \"item\", \"label\""
    );
    assert_eq!(
        refusal("p_a,p_b\n0.5,0.5\n0.5,x\n"),
        "l.csv, line 3, column \"p_b\": \"x\" is not a probability; use a number from 0 to 1"
    );
    assert_eq!(
        refusal("p_a,p_b\n0.5,\n"),
        "l.csv, line 2, column \"p_b\": \"\" is not a probability; use a number from 0 to 1"
    );
    assert_eq!(
        refusal("p_a,p_b\nNaN,1\n"),
        "l.csv, line 2, column \"p_a\": \"NaN\" is not a probability; use a number from 0 to 1"
    );
    assert_eq!(
        refusal("p_a,p_b\n0.5,0.6\n"),
        "l.csv, line 2: the class probabilities add up to 1.1, not 1; write the labels again"
    );
}
