//! Products of all pairs of rows of sixteen matrices of small whole numbers: exact, and the same on every machine.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;
#[cfg(target_arch = "x86_64")]
mod vnni;

use super::cholesky::row_start;
use super::lanes::LANES;
use super::vectors::{Vectors, vectors};

/// Rows come in multiples of this.
pub(crate) const ROWS: usize = 4;

/// Steps of which the sums of all products of numbers up to 127 stay within 31 bits.
pub(crate) const MOST_STEPS: usize = 1 << 14;

/// Four numbers of -127 to 127 for each of sixteen matrices: four columns of one row, the first in the lowest byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Quad(pub(crate) [u32; LANES]);

impl Quad {
    pub(crate) const ZERO: Self = Self([0; LANES]);
}

/// A sum for each of sixteen matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Sum(pub(crate) [i32; LANES]);

impl Sum {
    pub(crate) const ZERO: Self = Self([0; LANES]);
}

/// Four rows, step by step: the four rows of the first step, then those of the second.
type Panel = [[Quad; ROWS]];

/// A way to add the products of all pairs of rows.
type Kernel = fn(&[[Quad; ROWS]], usize, &mut [Sum]);

/// Adds M Mᵀ of each of sixteen matrices M to its packed lower triangle in `sums`.
///
/// The rows of the matrices come in panels of four, each of `steps` steps of four columns.
///
/// # Formula
/// ```text
/// (M Mᵀ)_ij = Σ_u M_iu M_ju
/// ```
pub(crate) fn gram(panels: &[[Quad; ROWS]], steps: usize, sums: &mut [Sum]) {
    debug_assert!(steps <= MOST_STEPS && panels.len().is_multiple_of(steps));
    debug_assert_eq!(sums.len(), row_start(panels.len() / steps * ROWS));
    fastest()(panels, steps, sums);
}

/// The fastest way that this processor knows.
fn fastest() -> Kernel {
    match vectors() {
        #[cfg(target_arch = "x86_64")]
        Vectors::Widest if vnni::available() => vnni::gram,
        #[cfg(target_arch = "x86_64")]
        Vectors::Widest | Vectors::Avx2 if avx2::available() => avx2::gram,
        _ => portable::gram,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use rand::RngExt as _;

    /// All kernels of this machine.
    fn kernels() -> Vec<Kernel> {
        let mut kernels: Vec<Kernel> = vec![portable::gram];
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
        let size = 12;
        for steps in [1, 2, 7, 64] {
            let mut matrix: Vec<Vec<[i8; LANES]>> = (0..size)
                .map(|_| {
                    (0..4 * steps).map(|_| std::array::from_fn(|_| rng.random_range(-127..=127))).collect()
                })
                .collect();
            // The largest sums there can be.
            matrix[0].fill([127; LANES]);
            matrix[1].fill([-127; LANES]);
            let mut panels = vec![[Quad::ZERO; ROWS]; size / ROWS * steps];
            for (row, numbers) in matrix.iter().enumerate() {
                for (column, lanes) in numbers.iter().enumerate() {
                    let quad = &mut panels[row / ROWS * steps + column / 4][row % ROWS];
                    for (word, &number) in quad.0.iter_mut().zip(lanes) {
                        *word |= u32::from(number.cast_unsigned()) << (8 * (column % 4));
                    }
                }
            }
            for kernel in kernels() {
                let mut sums = vec![Sum([5; LANES]); row_start(size)];
                kernel(&panels, steps, &mut sums);
                for i in 0..size {
                    for j in 0..=i {
                        for lane in 0..LANES {
                            let products = matrix[i].iter().zip(&matrix[j]);
                            let truth: i32 =
                                products.map(|(a, b)| i32::from(a[lane]) * i32::from(b[lane])).sum();
                            assert_eq!(sums[row_start(i) + j].0[lane], 5 + truth, "{steps} {i} {j} {lane}");
                        }
                    }
                }
            }
        }
    }
}
