//! Tiles by AVX-512 VNNI: 64 products of bytes an instruction.
//!
//! The one place with unsafe code: no library offers these instructions in a safe form. They multiply an unsigned byte by a
//! signed one, so 128 is added to the first and 128 Σ b taken off at the end.

use std::arch::x86_64::{
    __m512i, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_reduce_add_epi32, _mm512_set1_epi8,
    _mm512_setzero_si512, _mm512_xor_si512,
};

use super::{COLUMNS, Each, ROWS, Rows, Tile};

/// Whether this processor can.
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni")
}

/// All tiles; only where [`available`].
pub(super) fn gram(matrix: &[i8], width: usize, each: Each<'_>) {
    assert!(available(), "asked for instructions that this processor lacks");
    assert!(width.is_multiple_of(COLUMNS));
    // SAFETY: the processor has the instructions, as just asserted.
    #[expect(unsafe_code, reason = "instructions that are chosen at run time")]
    unsafe {
        gram_with_vnni(matrix, width, each);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn gram_with_vnni(matrix: &[i8], width: usize, each: Each<'_>) {
    let four = ROWS * width;
    let mut excess: Vec<[i32; ROWS]> = Vec::with_capacity(matrix.len() / four);
    for (i, rows) in matrix.chunks_exact(four).enumerate() {
        excess.push(sums_times_128(rows, width));
        for (j, columns) in matrix.chunks_exact(four).enumerate().take(i + 1) {
            each(ROWS * i, ROWS * j, &tile(rows, columns, width, &excess[j]));
        }
    }
}

/// 128 Σ b of each row.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn sums_times_128(rows: Rows<'_>, width: usize) -> [i32; ROWS] {
    let flip = _mm512_set1_epi8(-128);
    std::array::from_fn(|i| {
        let mut sum = _mm512_setzero_si512();
        for at in (0..width).step_by(COLUMNS) {
            sum = _mm512_dpbusd_epi32(sum, flip, load(rows, i * width + at));
        }
        _mm512_reduce_add_epi32(sum)
    })
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn tile(rows: Rows<'_>, columns: Rows<'_>, width: usize, excess: &[i32; ROWS]) -> Tile {
    let flip = _mm512_set1_epi8(-128);
    let mut sums = [[_mm512_setzero_si512(); ROWS]; ROWS];
    for at in (0..width).step_by(COLUMNS) {
        let a: [__m512i; ROWS] = std::array::from_fn(|i| _mm512_xor_si512(load(rows, i * width + at), flip));
        for j in 0..ROWS {
            let b = load(columns, j * width + at);
            for i in 0..ROWS {
                sums[i][j] = _mm512_dpbusd_epi32(sums[i][j], a[i], b);
            }
        }
    }
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
