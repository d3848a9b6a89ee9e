//! Tiles by AVX-512 VNNI: 64 products of bytes an instruction.
//!
//! The one place with unsafe code: no library offers these instructions in a safe form. They multiply an unsigned byte by a
//! signed one, so 128 is added to the first and 128 Σ b taken off at the end.

use std::arch::x86_64::{
    __m512i, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_reduce_add_epi32, _mm512_set1_epi8,
    _mm512_setzero_si512, _mm512_xor_si512,
};

use super::{COLUMNS, ROWS, Rows, Tile};

/// Whether this processor can.
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni")
}

/// The products of four rows with four rows; only where [`available`].
pub(super) fn tile(rows: Rows<'_>, columns: Rows<'_>, width: usize) -> Tile {
    assert!(available(), "asked for instructions that this processor lacks");
    assert!(rows.len() == ROWS * width && columns.len() == ROWS * width && width.is_multiple_of(COLUMNS));
    // SAFETY: the processor has the instructions, as just asserted.
    #[expect(unsafe_code, reason = "instructions that are chosen at run time")]
    unsafe {
        tile_with_vnni(rows, columns, width)
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn tile_with_vnni(rows: Rows<'_>, columns: Rows<'_>, width: usize) -> Tile {
    let flip = _mm512_set1_epi8(-128);
    let mut sums = [[_mm512_setzero_si512(); ROWS]; ROWS];
    let mut column_sums = [_mm512_setzero_si512(); ROWS];
    for at in (0..width).step_by(COLUMNS) {
        let a: [__m512i; ROWS] = std::array::from_fn(|i| _mm512_xor_si512(load(rows, i * width + at), flip));
        for j in 0..ROWS {
            let b = load(columns, j * width + at);
            for i in 0..ROWS {
                sums[i][j] = _mm512_dpbusd_epi32(sums[i][j], a[i], b);
            }
            column_sums[j] = _mm512_dpbusd_epi32(column_sums[j], flip, b);
        }
    }
    let excess = column_sums.map(|sum| _mm512_reduce_add_epi32(sum));
    std::array::from_fn(|i| {
        std::array::from_fn(|j| _mm512_reduce_add_epi32(sums[i][j]).wrapping_sub(excess[j]))
    })
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn load(from: &[i8], at: usize) -> __m512i {
    let bytes = &from[at..at + COLUMNS];
    // SAFETY: `bytes` has the 64 bytes that are read, and no alignment is asked for.
    #[expect(unsafe_code, reason = "reads a slice of just that length")]
    unsafe {
        _mm512_loadu_si512(bytes.as_ptr().cast())
    }
}
