//! Damaged Arrow and Parquet files, packed and not: each is read or refused, and none ends the process.

use std::sync::Arc;

use arrow::array::{ArrayRef, DictionaryArray, Int64Array, RecordBatch, StringArray, types::Int32Type};
use arrow::ipc::CompressionType;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use consilience_io::ReadOptions;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::folder::Folder;

/// Damaged copies of each file.
const COPIES: usize = 400;

/// Numbers that are random enough to damage files, and the same in every run (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn batch() -> RecordBatch {
    let rows = 300;
    let a: ArrayRef = Arc::new((0..rows).map(|i| (i % 7 != 0).then_some(i % 2)).collect::<Int64Array>());
    let b: ArrayRef = Arc::new((0..rows).map(|i| (i % 3).to_string()).map(Some).collect::<StringArray>());
    let c: ArrayRef = Arc::new(
        (0..rows).map(|i| Some(if i % 2 == 0 { "0" } else { "1" })).collect::<DictionaryArray<Int32Type>>(),
    );
    RecordBatch::try_from_iter([("a", a), ("b", b), ("c", c)]).unwrap()
}

fn arrow(compression: Option<CompressionType>, stream: bool) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let (batch, mut bytes) = (batch(), Vec::new());
    if stream {
        let mut writer = StreamWriter::try_new_with_options(&mut bytes, &batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
    } else {
        let mut writer = FileWriter::try_new_with_options(&mut bytes, &batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
    }
    bytes
}

fn parquet(compression: Compression) -> Vec<u8> {
    let properties = WriterProperties::builder().set_compression(compression).build();
    let (batch, mut bytes) = (batch(), Vec::new());
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn no_damaged_file_ends_the_process() {
    // Panics over damaged bytes are caught; the tests' hook would still print each of them.
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !consilience_io::is_decoding() {
            loud(panic);
        }
    }));
    let kinds = [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)];
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for (kind, stream) in kinds.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        files.push((format!("{kind:?}, stream {stream}"), arrow(kind, stream)));
    }
    let zstd = Compression::ZSTD(ZstdLevel::default());
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, zstd] {
        files.push((format!("Parquet {compression}"), parquet(compression)));
    }
    let folder = Folder::new();
    let mut random = Random(17);
    for (name, whole) in &files {
        let votes = folder.read("whole", whole, &ReadOptions::default()).votes;
        assert_eq!((votes.items(), votes.sources().len()), (300, 3), "{name}");
        for _ in 0..COPIES {
            let mut bytes = whole.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] ^= 1 << random.below(8),
                    1 => bytes[at] = 0xff,
                    2 => bytes[at] = 0x7f,
                    // Lengths are eight bytes: most of them at once.
                    _ => bytes.iter_mut().skip(at).take(7).for_each(|byte| *byte = random.below(256) as u8),
                }
            }
            let input = folder.file("damaged", &bytes);
            let result = std::panic::catch_unwind(|| {
                let _ = consilience_io::read_votes(&input, &ReadOptions::default());
                let _ = consilience_io::read_labels(&input, None, &|_| ());
            });
            assert!(result.is_ok(), "{name}");
        }
    }
}
