//! Products of all pairs of rows of a matrix of small whole numbers: exact, and the same on every machine.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod vnni;

/// Columns come in multiples of this: the bytes of the widest vector.
pub(crate) const COLUMNS: usize = 64;

/// Rows come in multiples of this.
pub(crate) const ROWS: usize = 4;

/// Sums of this many products of two numbers up to 127 stay within 31 bits.
pub(crate) const MOST_COLUMNS: usize = 1 << 16;

/// The products of four rows with four rows.
type Tile = [[i32; ROWS]; ROWS];

/// Four rows of `width` numbers behind each other.
type Rows<'a> = &'a [i8];

/// Gets each tile with the number of its first row and column.
type Each<'a> = &'a mut dyn FnMut(usize, usize, &Tile);

/// A way to compute all tiles of the lower triangle.
type Kernel = fn(&[i8], usize, Each<'_>);

/// M Mᵀ of the matrix M whose rows of `width` numbers stand behind each other: `each` gets every tile of 4 × 4 of the lower
/// triangle with the number of its first row and column.
///
/// # Formula
/// ```text
/// (M Mᵀ)_ij = Σ_u M_iu M_ju
/// ```
pub(crate) fn gram(matrix: &[i8], width: usize, mut each: impl FnMut(usize, usize, &Tile)) {
    debug_assert!(width.is_multiple_of(COLUMNS) && width <= MOST_COLUMNS);
    fastest()(matrix, width, &mut each);
}

/// All tiles of the lower triangle, one by one.
fn by_tiles(matrix: &[i8], width: usize, tile: impl Fn(Rows<'_>, Rows<'_>) -> Tile, each: Each<'_>) {
    let four = ROWS * width;
    for (i, rows) in matrix.chunks_exact(four).enumerate() {
        for (j, columns) in matrix.chunks_exact(four).enumerate().take(i + 1) {
            each(ROWS * i, ROWS * j, &tile(rows, columns));
        }
    }
}

/// The fastest way that this processor knows.
fn fastest() -> Kernel {
    #[cfg(target_arch = "x86_64")]
    {
        if vnni::available() {
            return vnni::gram;
        }
        if avx2::available() {
            return avx2::gram;
        }
    }
    portable
}

/// How much faster than one multiplication at a time the products are, for the choice between ways.
pub(crate) fn products_at_a_time() -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        if vnni::available() {
            return 64;
        }
        if avx2::available() {
            return 24;
        }
    }
    8
}

/// All tiles on any processor.
fn portable(matrix: &[i8], width: usize, each: Each<'_>) {
    by_tiles(matrix, width, |rows, columns| tile(rows, columns, width), each);
}

fn tile(rows: Rows<'_>, columns: Rows<'_>, width: usize) -> Tile {
    let mut tile = [[0; ROWS]; ROWS];
    for (row, tile) in rows.chunks_exact(width).zip(&mut tile) {
        for (column, sum) in columns.chunks_exact(width).zip(tile) {
            *sum = row.iter().zip(column).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
        }
    }
    tile
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use rand::RngExt as _;

    /// All kernels of this machine, the portable one first.
    fn kernels() -> Vec<Kernel> {
        let mut kernels: Vec<Kernel> = vec![portable];
        #[cfg(target_arch = "x86_64")]
        {
            if avx2::available() {
                kernels.push(avx2::gram);
            }
            if vnni::available() {
                kernels.push(vnni::gram);
            }
        }
        kernels
    }

    #[test]
    fn every_kernel_gives_the_same_numbers() {
        let mut rng = Streams::new(7).stream(0);
        for width in [64, 128, 2048] {
            let mut matrix: Vec<i8> = (0..12 * width).map(|_| rng.random_range(-127..=127)).collect();
            // The largest sums there can be.
            matrix[..width].fill(127);
            matrix[width..2 * width].fill(-127);
            for kernel in kernels() {
                kernel(&matrix, width, &mut |i, j, tile| {
                    for (di, row) in tile.iter().enumerate() {
                        for (dj, &sum) in row.iter().enumerate() {
                            let (a, b) = ((i + di) * width, (j + dj) * width);
                            let pairs = matrix[a..a + width].iter().zip(&matrix[b..b + width]);
                            assert_eq!(sum, pairs.map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>());
                        }
                    }
                });
            }
        }
    }
}
