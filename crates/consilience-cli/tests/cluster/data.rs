//! Items and sources for the tests.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

/// Sources of every kind that a cluster can run.
pub(crate) const ALL_KINDS: &str = r#"classes = ["ham", "spam"]
text = "body"

[[source]]
name = "prize"
vote = "spam"
regex = 'you (have )?won|(\w)\2\2'
lower = true

[[source]]
name = "words"
vote = "spam"
keywords_file = "words.txt"
words = true
lower = true

[[source]]
name = "short"
vote = "ham"
otherwise = "spam"
sql = "length(body) < 30"

[[source]]
name = "known_sender"
lookup = { file = "senders.csv", keys = ["sender"], vote = "class" }

[[source]]
name = "judge"
column = "score"
thresholds = [{ at_least = 0.7, vote = "spam" }, { at_most = 0.3, vote = "ham" }]

[[source]]
name = "old"
vote = "ham"
sql = "year < 2024"

[[source]]
name = "loud"
vote = "spam"
any = ["prize", "words"]

[[source]]
name = "calm"
vote = "ham"
not = "loud"
"#;

/// Sources that are plain SQL.
pub(crate) const PLAIN: &str = r#"classes = ["ham", "spam"]

[[source]]
name = "short"
vote = "ham"
otherwise = "spam"
sql = "length(body) < 30"

[[source]]
name = "by_sender"
sql = "CASE WHEN sender = 'bank' THEN 'spam' WHEN sender = 'friend' THEN 'ham' END"

[[source]]
name = "judge"
column = "score"
thresholds = [{ at_least = 0.7, vote = "spam" }, { at_most = 0.3, vote = "ham" }]

[[source]]
name = "who"
column = "sender"
map = { "bank" = "spam", "list" = "ham" }

[[source]]
name = "old"
vote = "ham"
sql = "year < 2024"

[[source]]
name = "both"
vote = "spam"
all = ["judge", "who"]

[[source]]
name = "neither"
vote = "ham"
not = "by_sender"
"#;

/// The items from number `from` on: texts that repeat, and some cells that are missing.
pub(crate) fn batch(from: usize, rows: usize) -> RecordBatch {
    let openings =
        ["You have WON", "Hello there", "free MONEY now", "aaah, the meeting", "see you", "Zwölf Boxkämpfer"];
    let senders = ["bank", "friend", "list", "nobody"];
    let mut state = from as u64 + 1;
    let mut next = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let (mut ids, mut bodies, mut from_whom, mut scores) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for i in from..from + rows {
        ids.push(i as i64);
        let mut body = openings[next(6) as usize].to_string();
        for _ in 0..next(8) {
            write!(body, " {}", ["and", "a", "long", "tail", "of", "words"][next(6) as usize]).unwrap();
        }
        bodies.push((next(20) > 0).then_some(body));
        from_whom.push((next(10) > 0).then(|| senders[next(4) as usize]));
        scores.push((next(8) > 0).then(|| next(1000) as f64 / 1000.0));
    }
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(Int64Array::from(ids))),
        ("body", Arc::new(StringArray::from(bodies))),
        ("sender", Arc::new(StringArray::from(from_whom))),
        ("score", Arc::new(Float64Array::from(scores))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true)))
        .unwrap()
}

/// Writes items to a Parquet file with row groups of so many rows.
pub(crate) fn parquet(path: &Path, batch: &RecordBatch, group: usize) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(group)).build();
    let mut writer =
        ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

/// Sources and items of several formats in a folder.
pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::write(root.join("sources.toml"), ALL_KINDS).unwrap();
    fs::write(root.join("plain.toml"), PLAIN).unwrap();
    fs::write(root.join("words.txt"), "free\nmoney\nwords\n").unwrap();
    fs::write(root.join("senders.csv"), "sender,class\nbank,spam\nfriend,ham\nlist,ham\n").unwrap();
    parquet(&root.join("mails/year=2023/a.parquet"), &batch(0, 1000), 300);
    parquet(&root.join("mails/year=2024/b.parquet"), &batch(1000, 700), 700);
    parquet(&root.join("mails/year=2024/c.parquet"), &batch(1700, 1300), 500);
    folder
}
