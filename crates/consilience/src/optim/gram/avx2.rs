//! Tiles by AVX2: 16 products an instruction.

use pulp::x86::V3;
use std::arch::x86_64::{__m128i, __m256i};

use super::{Each, ROWS, Rows, Tile};

/// Numbers that are read at once.
const STEP: usize = 16;

/// Whether this processor can.
pub(super) fn available() -> bool {
    V3::is_available()
}

/// All tiles, by plain code where it cannot.
pub(super) fn gram(matrix: &[i8], width: usize, each: Each<'_>) {
    super::by_tiles(matrix, width, |rows, columns| tile(rows, columns, width), each);
}

fn tile(rows: Rows<'_>, columns: Rows<'_>, width: usize) -> Tile {
    V3::try_new().map_or_else(
        || super::tile(rows, columns, width),
        |simd| {
            let mut tile = [[0; ROWS]; ROWS];
            // Two columns at a time: the sums of all four would not fit the registers.
            for half in 0..2 {
                let columns = &columns[2 * half * width..];
                let sums = simd.vectorize(Half { simd, rows, columns, width });
                for (tile, sums) in tile.iter_mut().zip(sums) {
                    tile[2 * half..2 * half + 2].copy_from_slice(&sums);
                }
            }
            tile
        },
    )
}

struct Half<'a> {
    simd: V3,
    rows: Rows<'a>,
    columns: Rows<'a>,
    width: usize,
}

impl pulp::NullaryFnOnce for Half<'_> {
    type Output = [[i32; 2]; ROWS];

    #[inline(always)]
    fn call(self) -> Self::Output {
        let (simd, width) = (self.simd, self.width);
        let wide = |from: &[i8], at: usize| sixteen(simd, from, at);
        let mut sums = [[simd.avx._mm256_setzero_si256(); 2]; ROWS];
        for at in (0..width).step_by(STEP) {
            let b = [wide(self.columns, at), wide(self.columns, width + at)];
            for i in 0..ROWS {
                let a = wide(self.rows, i * width + at);
                for j in 0..2 {
                    let products = simd.avx2._mm256_madd_epi16(a, b[j]);
                    sums[i][j] = simd.avx2._mm256_add_epi32(sums[i][j], products);
                }
            }
        }
        sums.map(|sums| sums.map(|sum| pulp::cast::<_, [i32; 8]>(sum).iter().sum()))
    }
}

/// Sixteen bytes as numbers of two bytes.
#[inline(always)]
fn sixteen(simd: V3, from: &[i8], at: usize) -> __m256i {
    let mut bytes = [0i8; STEP];
    bytes.copy_from_slice(&from[at..at + STEP]);
    simd.avx2._mm256_cvtepi8_epi16(pulp::cast::<_, __m128i>(bytes))
}
