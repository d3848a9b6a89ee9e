//! Rows of cells into Parquet and Arrow IPC.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Builder, Int64Builder, RecordBatch, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::writer::{FileWriter, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::error::WriteProblem;
use super::output::Output;
use super::table::{Cell, Column, Kind};
use crate::format::Format;

/// Cells of a batch; more of them make no better files.
const BATCH_CELLS: usize = 1 << 21;

/// Bytes of text of a batch; its column could not hold more than 32 times as many.
const BATCH_TEXT: usize = 1 << 26;

/// Collects rows to batches and encodes them.
pub(super) struct ColumnarWriter {
    schema: SchemaRef,
    builders: Vec<Builder>,
    rows: usize,
    text: usize,
    batch_rows: usize,
    encoder: Encoder,
}

enum Builder {
    Text(StringBuilder),
    Integer(Int64Builder),
    Number(Float64Builder),
}

enum Encoder {
    Parquet(Box<ArrowWriter<Output>>),
    Arrow(Box<FileWriter<Output>>),
    Stream(Box<StreamWriter<Output>>),
}

impl ColumnarWriter {
    pub(super) fn new(output: Output, format: Format, columns: &[Column]) -> Result<Self, WriteProblem> {
        let fields: Vec<Field> =
            columns.iter().map(|column| Field::new(&column.name, arrow_type(column.kind), true)).collect();
        let schema = Arc::new(Schema::new(fields));
        let encoder = match format {
            Format::ArrowStream => {
                Encoder::Stream(Box::new(StreamWriter::try_new(output, &schema).map_err(arrow_problem)?))
            }
            Format::Arrow => {
                Encoder::Arrow(Box::new(FileWriter::try_new(output, &schema).map_err(arrow_problem)?))
            }
            _ => {
                let fast = ZstdLevel::try_new(1).map_err(parquet_problem)?;
                let properties = WriterProperties::builder().set_compression(Compression::ZSTD(fast)).build();
                let writer = ArrowWriter::try_new(output, schema.clone(), Some(properties));
                Encoder::Parquet(Box::new(writer.map_err(parquet_problem)?))
            }
        };
        let builders = columns.iter().map(|column| Builder::new(column.kind)).collect();
        let batch_rows = (BATCH_CELLS / columns.len().max(1)).clamp(64, 1 << 16);
        Ok(Self { schema, builders, rows: 0, text: 0, batch_rows, encoder })
    }

    pub(super) fn row<'a>(&mut self, cells: impl Iterator<Item = Cell<'a>>) -> Result<(), WriteProblem> {
        for (builder, cell) in self.builders.iter_mut().zip(cells) {
            if let Cell::Text(text) = cell {
                self.text += text.len();
            }
            builder.push(cell);
        }
        self.rows += 1;
        if self.rows == self.batch_rows || self.text >= BATCH_TEXT { self.encode() } else { Ok(()) }
    }

    fn encode(&mut self) -> Result<(), WriteProblem> {
        (self.rows, self.text) = (0, 0);
        let columns: Vec<ArrayRef> = self.builders.iter_mut().map(Builder::finish).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(arrow_problem)?;
        match &mut self.encoder {
            Encoder::Parquet(writer) => writer.write(&batch).map_err(parquet_problem),
            Encoder::Arrow(writer) => writer.write(&batch).map_err(arrow_problem),
            Encoder::Stream(writer) => writer.write(&batch).map_err(arrow_problem),
        }
    }

    pub(super) fn finish(mut self) -> Result<Output, WriteProblem> {
        if self.rows > 0 {
            self.encode()?;
        }
        match self.encoder {
            Encoder::Parquet(writer) => writer.into_inner().map_err(parquet_problem),
            Encoder::Arrow(mut writer) => {
                writer.finish().map_err(arrow_problem)?;
                writer.into_inner().map_err(arrow_problem)
            }
            Encoder::Stream(mut writer) => {
                writer.finish().map_err(arrow_problem)?;
                writer.into_inner().map_err(arrow_problem)
            }
        }
    }
}

impl Builder {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Text => Self::Text(StringBuilder::new()),
            Kind::Integer => Self::Integer(Int64Builder::new()),
            Kind::Number => Self::Number(Float64Builder::new()),
        }
    }

    fn push(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (Self::Text(builder), Cell::Text(text)) => builder.append_value(text),
            (Self::Integer(builder), Cell::Integer(number)) => builder.append_value(number),
            (Self::Number(builder), Cell::Number(number)) => builder.append_value(number),
            (Self::Text(builder), _) => builder.append_null(),
            (Self::Integer(builder), _) => builder.append_null(),
            (Self::Number(builder), _) => builder.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(builder) => Arc::new(builder.finish()),
            Self::Integer(builder) => Arc::new(builder.finish()),
            Self::Number(builder) => Arc::new(builder.finish()),
        }
    }
}

fn arrow_type(kind: Kind) -> DataType {
    match kind {
        Kind::Text => DataType::Utf8,
        Kind::Integer => DataType::Int64,
        Kind::Number => DataType::Float64,
    }
}

fn arrow_problem(error: ArrowError) -> WriteProblem {
    match error {
        ArrowError::IoError(_, error) => error.into(),
        other => WriteProblem::Encode { what: "Arrow", detail: other.to_string() },
    }
}

fn parquet_problem(error: ParquetError) -> WriteProblem {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => (*error).into(),
            Err(other) => WriteProblem::Encode { what: "Parquet", detail: other.to_string() },
        },
        other => WriteProblem::Encode { what: "Parquet", detail: other.to_string() },
    }
}
