//! How fast votes load, and how much memory that takes at its peak.
//!
//! ```text
//! cargo bench -p consilience-io --bench load                  1 million rows of Parquet and CSV
//! cargo bench -p consilience-io --bench load -- 10000000      10 million rows of Parquet, 1 million of CSV
//! ```
//! 50 sources with 10 % coverage and two classes; almost every row is different from all others, which is the worst case
//! for a table that keeps distinct rows. With `--repeated`, rows repeat as they do in practice. Each file is loaded by a
//! process of its own, so that the peak (VmHWM) is that of loading alone.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use arrow::array::{ArrayRef, Int8Builder, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema};
use consilience_io::{Input, ReadOptions, read_votes_watched};
use parquet::arrow::ArrowWriter;

const SOURCES: usize = 50;
const CHILD: &str = "--load";

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let [mode, file] = arguments.as_slice()
        && mode == CHILD
    {
        return load(Path::new(file));
    }
    let rows = arguments.iter().find_map(|a| a.parse().ok()).unwrap_or(1_000_000);
    let distinct = if arguments.iter().any(|a| a == "--repeated") { 20_000 } else { u64::MAX };
    let folder = tempfile::tempdir()?;
    let parquet = folder.path().join("votes.parquet");
    write_parquet(&parquet, rows, distinct)?;
    measure("Parquet", &parquet)?;
    std::fs::remove_file(&parquet)?;
    let csv = folder.path().join("votes.csv");
    write_csv(&csv, rows.min(1_000_000), distinct)?;
    measure("CSV", &csv)
}

/// Loads in a child process and passes on what it prints.
fn measure(format: &str, file: &Path) -> Result<(), Failure> {
    let megabytes = std::fs::metadata(file)?.len() as f64 / 1e6;
    let output = Command::new(std::env::current_exe()?).arg(CHILD).arg(file).output()?;
    print!("{format:8} {megabytes:7.1} MB file: {}", String::from_utf8_lossy(&output.stdout));
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    if output.status.success() { Ok(()) } else { Err("the loading process failed".into()) }
}

fn load(file: &Path) -> Result<(), Failure> {
    let started = Instant::now();
    let last_rows = std::cell::Cell::new(started);
    let input = Input::Path(file.to_path_buf());
    let table = read_votes_watched(&input, &ReadOptions::default(), &|_| last_rows.set(Instant::now()))?;
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{} rows in {seconds:.2} s (the last {:.2} s without rows; {:.2} s of processor time), {:.2} million rows a second, peak {:.0} MB; {} distinct rows, table {:.0} MB",
        table.votes.items(),
        last_rows.get().elapsed().as_secs_f64(),
        processor_seconds().unwrap_or(f64::NAN),
        table.votes.items() as f64 / seconds / 1e6,
        peak_megabytes().unwrap_or(f64::NAN),
        table.votes.patterns().len(),
        table.votes.bytes() as f64 / 1e6,
    );
    Ok(())
}

/// The processor time of this process, all threads together, which a busy machine does not change.
fn processor_seconds() -> Option<f64> {
    const TICKS_A_SECOND: f64 = 100.0;
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = status.rsplit(')').next()?.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / TICKS_A_SECOND)
}

/// The most memory that this process has used, as Linux counts it.
fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1e3)
}

/// The votes of row `row`, -1 for an abstain; rows repeat after `distinct` of them.
fn row_of_votes(row: u64, distinct: u64, votes: &mut [i8; SOURCES]) {
    let mut state = (row % distinct).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D;
    for vote in votes {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let number = (state >> 40) % 20;
        *vote = if number < 2 { number as i8 } else { -1 };
    }
}

fn write_parquet(path: &Path, rows: u64, distinct: u64) -> Result<(), Failure> {
    const BATCH: u64 = 1 << 16;
    let fields: Vec<Field> =
        (0..SOURCES).map(|j| Field::new(format!("source_{j}"), DataType::Int8, true)).collect();
    let schema = Arc::new(Schema::new(fields));
    let mut writer = ArrowWriter::try_new(std::fs::File::create(path)?, schema.clone(), None)?;
    let mut votes = [0; SOURCES];
    for start in (0..rows).step_by(BATCH as usize) {
        let mut builders: Vec<Int8Builder> = (0..SOURCES).map(|_| Int8Builder::new()).collect();
        for row in start..(start + BATCH).min(rows) {
            row_of_votes(row, distinct, &mut votes);
            for (builder, vote) in builders.iter_mut().zip(votes) {
                builder.append_option((vote >= 0).then_some(vote));
            }
        }
        let columns = builders.iter_mut().map(|b| Arc::new(b.finish()) as ArrayRef).collect();
        writer.write(&RecordBatch::try_new(schema.clone(), columns)?)?;
    }
    writer.close()?;
    Ok(())
}

fn write_csv(path: &Path, rows: u64, distinct: u64) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_path(path)?;
    writer.write_record((0..SOURCES).map(|j| format!("source_{j}")))?;
    let mut votes = [0; SOURCES];
    for row in 0..rows {
        row_of_votes(row, distinct, &mut votes);
        writer.write_record(votes.iter().map(|vote| match vote {
            0 => "0",
            1 => "1",
            _ => "",
        }))?;
    }
    writer.flush()?;
    Ok(())
}
