//! One large Cholesky factorisation, by tiles of sixteen rows.
//!
//! Sixteen large matrices side by side would be read from memory again and again; one at a time they stay in the cache. No
//! order of operations depends on the machine.

use super::cholesky::{SOUND, row_start};
use super::lanes::{LANES, Lane, Lane64};

/// Columns that are worked on together, so that a row tile that is loaded serves all of them.
const COLUMNS: usize = 4;

/// The lower triangular factor L of A = L Lᵀ.
///
/// Rows lie in tiles of sixteen, and within a tile column behind column: one column of a tile is one vector.
#[derive(Clone, Debug)]
pub(super) struct Tiled {
    size: usize,
    cells: Vec<Lane64>,
    /// 1 / L_ii; 0 where nothing is known of the parameter.
    inverse: Vec<f64>,
}

/// Where the columns of row tile `tile` start.
#[inline(always)]
fn tile_start(tile: usize) -> usize {
    LANES * row_start(tile)
}

/// `sums[c] -= column * factors[c]`
#[inline(always)]
fn minus_products(sums: &mut [Lane64; COLUMNS], column: &Lane64, factors: [f64; COLUMNS]) {
    let column = *column;
    for (sum, factor) in sums.iter_mut().zip(factors) {
        let mut result = *sum;
        for i in 0..LANES {
            result[i] -= column[i] * factor;
        }
        *sum = result;
    }
}

#[inline(always)]
fn minus_product(sum: &mut Lane64, column: &Lane64, factor: f64) {
    let (mut result, column) = (*sum, *column);
    for i in 0..LANES {
        result[i] -= column[i] * factor;
    }
    *sum = result;
}

impl Tiled {
    /// Factors the matrix in one lane of packed lower triangles.
    pub(super) fn new(size: usize, lower: &[Lane64], lane: usize) -> Self {
        let tiles = size.div_ceil(LANES);
        let padded = tiles * LANES;
        let mut cells = vec![[0.0; LANES]; tile_start(tiles)];
        for i in 0..size {
            let row = &lower[row_start(i)..][..=i];
            let tile = &mut cells[tile_start(i / LANES)..];
            for (to, from) in tile.iter_mut().zip(row) {
                to[i % LANES] = from[lane];
            }
        }
        // Rows that only fill the last tile up.
        for i in size..padded {
            cells[tile_start(i / LANES) + i][i % LANES] = 1.0;
        }
        let mut inverse = vec![0.0; padded];
        super::dispatch(
            #[inline(always)]
            || {
                for tile in 0..tiles {
                    let (above, here) = cells.split_at_mut(tile_start(tile));
                    factor_left(tile, above, here, &inverse);
                    factor_diagonal(tile, here, &mut inverse);
                }
            },
        );
        Self { size, cells, inverse }
    }

    fn tiles(&self) -> usize {
        self.inverse.len() / LANES
    }

    /// The columns of row tile `tile`, those on the diagonal last.
    #[inline(always)]
    fn tile(&self, tile: usize) -> &[Lane64] {
        &self.cells[tile_start(tile)..tile_start(tile + 1)]
    }

    /// Writes the factor into one lane of packed lower triangles, and 1 / L_ii into one of `inverse`.
    pub(super) fn write(&self, lane: usize, factor: &mut [Lane], inverse: &mut [Lane64]) {
        for i in 0..self.size {
            let row = &mut factor[row_start(i)..][..=i];
            for (to, from) in row.iter_mut().zip(self.tile(i / LANES)) {
                to[lane] = from[i % LANES] as f32;
            }
            inverse[i][lane] = self.inverse[i];
        }
    }

    /// Writes the diagonal of A⁻¹ into one lane of `diagonal`; infinite where nothing is known.
    pub(super) fn inverse_diagonal(&self, diagonal: &mut [Lane64], lane: usize) {
        let mut sums = vec![0.0; self.inverse.len()];
        super::dispatch(
            #[inline(always)]
            || {
                let mut columns = vec![[0.0; LANES]; self.inverse.len()];
                for tile in 0..self.tiles() {
                    self.inverse_columns(tile, &mut columns);
                    let mut squares = [0.0; LANES];
                    for row in &columns[tile * LANES..] {
                        for c in 0..LANES {
                            squares[c] += row[c] * row[c];
                        }
                    }
                    sums[tile * LANES..][..LANES].copy_from_slice(&squares);
                }
            },
        );
        for ((to, sum), &inverse) in diagonal.iter_mut().zip(sums).zip(&self.inverse).take(self.size) {
            to[lane] = if inverse > 0.0 { sum } else { f64::INFINITY };
        }
    }

    /// The columns of L⁻¹ that belong to `tile`: `columns[i]` gets their cells in row i.
    #[inline(always)]
    fn inverse_columns(&self, tile: usize, columns: &mut [Lane64]) {
        let start = tile * LANES;
        for below in tile..self.tiles() {
            let first = below * LANES;
            let (left, diagonal) = self.tile(below).split_at(first);
            for c in (0..LANES).step_by(COLUMNS) {
                let mut sums = [[0.0; LANES]; COLUMNS];
                if below == tile {
                    // The unit matrix on the right-hand side.
                    for (s, sum) in sums.iter_mut().enumerate() {
                        sum[c + s] = 1.0;
                    }
                }
                for (column, row) in left[start..].iter().zip(&columns[start..first]) {
                    minus_products(&mut sums, column, std::array::from_fn(|s| row[c + s]));
                }
                for (r, column) in diagonal.iter().enumerate() {
                    let values: [f64; COLUMNS] =
                        std::array::from_fn(|s| sums[s][r] * self.inverse[first + r]);
                    minus_products(&mut sums, column, values);
                    columns[first + r][c..c + COLUMNS].copy_from_slice(&values);
                }
            }
        }
    }
}

/// The columns of a row tile that lie left of its diagonal.
#[inline(always)]
fn factor_left(tile: usize, above: &[Lane64], here: &mut [Lane64], inverse: &[f64]) {
    for j in (0..tile * LANES).step_by(COLUMNS) {
        let pivots = &above[tile_start(j / LANES)..];
        let r = j % LANES;
        let (done, rest) = here.split_at_mut(j);
        let mut sums: [Lane64; COLUMNS] = std::array::from_fn(|c| rest[c]);
        for (column, pivot) in done.iter().zip(pivots) {
            minus_products(&mut sums, column, std::array::from_fn(|c| pivot[r + c]));
        }
        for c in 0..COLUMNS {
            let mut sum = sums[c];
            for earlier in 0..c {
                minus_product(&mut sum, &rest[earlier], pivots[j + earlier][r + c]);
            }
            rest[c] = sum.map(|x| x * inverse[j + c]);
        }
    }
}

/// The columns of a row tile on its diagonal.
#[inline(always)]
fn factor_diagonal(tile: usize, here: &mut [Lane64], inverse: &mut [f64]) {
    for r in 0..LANES {
        let j = tile * LANES + r;
        let (done, rest) = here.split_at_mut(j);
        let before = rest[0][r];
        let mut sum = rest[0];
        for column in &*done {
            minus_product(&mut sum, column, column[r]);
        }
        let pivot = sum[r];
        let sound = pivot > SOUND * before.abs() && pivot > 0.0;
        inverse[j] = if sound { 1.0 / pivot.sqrt() } else { 0.0 };
        for (s, x) in sum.iter_mut().enumerate() {
            *x = if s < r { 0.0 } else { *x * inverse[j] };
        }
        rest[0] = sum;
    }
}
