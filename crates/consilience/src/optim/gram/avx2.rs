//! Tiles by AVX2: 32 products of bytes an instruction.
//!
//! The instruction multiplies an unsigned byte by a signed one and adds two products, which stay within 16 bits for
//! numbers up to 127: a b = |a| · (b with the sign of a).

use pulp::x86::V3;
use std::arch::x86_64::__m256i;

use super::{Panel, Quad, ROWS, Sum};
use crate::optim::cholesky::row_start;
use crate::optim::lanes::LANES;

/// Lanes that are worked on at once, and columns of a tile: the sums of more would not fit the registers.
const HALF: usize = LANES / 2;
const COLUMNS: usize = 2;

/// Whether this processor can.
pub(super) fn available() -> bool {
    V3::is_available()
}

/// All products, by plain code if it cannot.
pub(super) fn gram(panels: &[[Quad; ROWS]], steps: usize, sums: &mut [Sum]) {
    let Some(simd) = V3::try_new() else {
        return super::portable::gram(panels, steps, sums);
    };
    for (i, rows) in panels.chunks_exact(steps).enumerate() {
        for (j, columns) in panels.chunks_exact(steps).enumerate().take(i + 1) {
            for lane in [0, HALF] {
                for column in (0..ROWS).step_by(COLUMNS) {
                    let products = simd.vectorize(Part { simd, rows, columns, lane, column });
                    for (row, products) in (ROWS * i..).zip(products) {
                        let cells = &mut sums[row_start(row)..=row_start(row) + row];
                        for (cell, product) in cells.iter_mut().skip(ROWS * j + column).zip(products) {
                            let products: [i32; HALF] = pulp::cast(product);
                            for (sum, product) in cell.0[lane..lane + HALF].iter_mut().zip(products) {
                                *sum += product;
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Half of the lanes of half of a tile.
struct Part<'a> {
    simd: V3,
    rows: &'a Panel,
    columns: &'a Panel,
    lane: usize,
    column: usize,
}

impl pulp::NullaryFnOnce for Part<'_> {
    type Output = [[__m256i; COLUMNS]; ROWS];

    #[inline(always)]
    fn call(self) -> Self::Output {
        let avx2 = self.simd.avx2;
        let ones = self.simd.avx._mm256_set1_epi16(1);
        let half = |quad: &Quad| -> __m256i {
            let mut words = [0u32; HALF];
            words.copy_from_slice(&quad.0[self.lane..self.lane + HALF]);
            pulp::cast(words)
        };
        let mut sums = [[self.simd.avx._mm256_setzero_si256(); COLUMNS]; ROWS];
        for (rows, columns) in self.rows.iter().zip(self.columns) {
            let b: [__m256i; COLUMNS] = std::array::from_fn(|j| half(&columns[self.column + j]));
            for (sums, row) in sums.iter_mut().zip(rows) {
                let a = half(row);
                let size = avx2._mm256_abs_epi8(a);
                for (sum, &b) in sums.iter_mut().zip(&b) {
                    let pairs = avx2._mm256_maddubs_epi16(size, avx2._mm256_sign_epi8(b, a));
                    *sum = avx2._mm256_add_epi32(*sum, avx2._mm256_madd_epi16(pairs, ones));
                }
            }
        }
        sums
    }
}
