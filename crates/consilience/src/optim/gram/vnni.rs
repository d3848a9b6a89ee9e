//! Tiles by AVX-512 VNNI: 64 products of bytes an instruction.
//!
//! The code is unsafe only in that it uses these instructions: no library offers these instructions in a safe form. They multiply an unsigned byte by a
//! signed one, so 128 is added to the first and 128 Σ b taken off at the end.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_load_si512, _mm512_set1_epi8,
    _mm512_setzero_si512, _mm512_store_si512, _mm512_sub_epi32, _mm512_xor_si512,
};

use super::{Panel, Quad, ROWS, Sum};
use crate::optim::cholesky::row_start;

/// Whether this processor can.
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni")
}

/// All products; only where [`available`].
pub(super) fn gram(panels: &[[Quad; ROWS]], steps: usize, sums: &mut [Sum]) {
    assert!(available(), "asked for instructions that this processor lacks");
    // SAFETY: the processor has the instructions, as just asserted.
    #[expect(unsafe_code, reason = "instructions that are chosen at run time")]
    unsafe {
        gram_with_vnni(panels, steps, sums);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn gram_with_vnni(panels: &[[Quad; ROWS]], steps: usize, sums: &mut [Sum]) {
    let mut excess: Vec<[__m512i; ROWS]> = Vec::with_capacity(panels.len() / steps);
    for (i, rows) in panels.chunks_exact(steps).enumerate() {
        excess.push(sums_times_128(rows));
        for (j, (excess, columns)) in excess.iter().zip(panels.chunks_exact(steps)).enumerate() {
            let tile = tile(rows, columns, excess);
            for (row, products) in (ROWS * i..).zip(&tile) {
                let cells = &mut sums[row_start(row)..=row_start(row) + row];
                for (cell, &product) in cells[ROWS * j..].iter_mut().zip(products) {
                    store(cell, _mm512_add_epi32(load_sum(cell), product));
                }
            }
        }
    }
}

/// 128 Σ b of each row.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn sums_times_128(rows: &Panel) -> [__m512i; ROWS] {
    let flip = _mm512_set1_epi8(-128);
    let mut sums = [_mm512_setzero_si512(); ROWS];
    for step in rows {
        for (sum, quad) in sums.iter_mut().zip(step) {
            *sum = _mm512_dpbusd_epi32(*sum, flip, load(quad));
        }
    }
    sums
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn tile(rows: &Panel, columns: &Panel, excess: &[__m512i; ROWS]) -> [[__m512i; ROWS]; ROWS] {
    let flip = _mm512_set1_epi8(-128);
    let mut sums = [[_mm512_setzero_si512(); ROWS]; ROWS];
    for (rows, columns) in rows.iter().zip(columns) {
        let a: [__m512i; ROWS] = std::array::from_fn(|i| _mm512_xor_si512(load(&rows[i]), flip));
        for j in 0..ROWS {
            let b = load(&columns[j]);
            for i in 0..ROWS {
                sums[i][j] = _mm512_dpbusd_epi32(sums[i][j], a[i], b);
            }
        }
    }
    std::array::from_fn(|i| std::array::from_fn(|j| _mm512_sub_epi32(sums[i][j], excess[j])))
}

#[target_feature(enable = "avx512f")]
fn load(from: &Quad) -> __m512i {
    // SAFETY: a quad has just the 64 bytes that are read, and stands at a multiple of 64.
    #[expect(unsafe_code, reason = "reads a value of just that size")]
    unsafe {
        _mm512_load_si512(from.0.as_ptr().cast())
    }
}

#[target_feature(enable = "avx512f")]
fn load_sum(from: &Sum) -> __m512i {
    // SAFETY: a sum has just the 64 bytes that are read, and stands at a multiple of 64.
    #[expect(unsafe_code, reason = "reads a value of just that size")]
    unsafe {
        _mm512_load_si512(from.0.as_ptr().cast())
    }
}

#[target_feature(enable = "avx512f")]
fn store(to: &mut Sum, sum: __m512i) {
    // SAFETY: a sum has just the 64 bytes that are written, and stands at a multiple of 64.
    #[expect(unsafe_code, reason = "writes a value of just that size")]
    unsafe {
        _mm512_store_si512(to.0.as_mut_ptr().cast(), sum);
    }
}
