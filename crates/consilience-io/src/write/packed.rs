//! An output behind a compressor, or not.

use std::io::{self, Write};

use super::output::Output;
use crate::format::Compression;

pub(crate) enum Packed {
    Plain(Output),
    Gzip(flate2::write::GzEncoder<Output>),
    Zstd(zstd::Encoder<'static, Output>),
}

impl Packed {
    pub(crate) fn new(output: Output, compression: Compression) -> io::Result<Self> {
        Ok(match compression {
            Compression::None => Self::Plain(output),
            Compression::Gzip => {
                Self::Gzip(flate2::write::GzEncoder::new(output, flate2::Compression::default()))
            }
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(output, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                // Without it, a damaged file may be read as other votes.
                encoder.include_checksum(true)?;
                Self::Zstd(encoder)
            }
        })
    }

    pub(crate) fn finish(self) -> io::Result<Output> {
        match self {
            Self::Plain(output) => Ok(output),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl Write for Packed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(output) => output.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(output) => output.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
        }
    }
}
