//! Sixteen numbers at a time, one per problem.
//!
//! The loops over a fixed number of lanes are written plainly; [`dispatch`] compiles them for the widest vectors that
//! the processor has, chosen at run time, so that no unsafe code is needed here.

use super::vectors::{Vectors, vectors};

/// Problems side by side.
pub(crate) const LANES: usize = 16;

/// One number for each problem, on a boundary of the cache so that a vector never straddles two lines.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Lane(pub(crate) [f32; LANES]);

impl Lane {
    pub(crate) const ZERO: Self = Self([0.0; LANES]);
}

impl std::ops::Deref for Lane {
    type Target = [f32; LANES];
    #[inline(always)]
    fn deref(&self) -> &[f32; LANES] {
        &self.0
    }
}

impl std::ops::DerefMut for Lane {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32; LANES] {
        &mut self.0
    }
}

/// One number for each problem, in double precision.
pub(crate) type Lane64 = [f64; LANES];

/// Runs `work` with the vector instructions of this processor.
///
/// `work` and all that it calls must be inlined (`#[inline(always)]`) to profit.
pub(crate) fn dispatch<R>(work: impl FnOnce() -> R) -> R {
    struct Work<F>(F);
    impl<R, F: FnOnce() -> R> pulp::WithSimd for Work<F> {
        type Output = R;
        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, _simd: S) -> R {
            (self.0)()
        }
    }
    arch().dispatch(Work(work))
}

/// The instructions that kernels are compiled for; plain ones have a place among them, so that each kernel is compiled once
/// for each.
fn arch() -> pulp::Arch {
    match vectors() {
        Vectors::Plain => pulp::Arch::Scalar,
        #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
        Vectors::Avx2 => pulp::x86::V3::try_new().map_or(pulp::Arch::Scalar, pulp::Arch::V3),
        #[cfg(not(all(target_arch = "x86_64", feature = "vectors")))]
        Vectors::Avx2 => pulp::Arch::Scalar,
        Vectors::Widest => pulp::Arch::new(),
    }
}

/// `f` of each lane of one, two or three operands.
///
/// Operands are taken by value: a result written back through a reference that might overlap an operand would keep the
/// compiler from using vectors.
#[inline(always)]
pub(crate) fn map(a: Lane, f: impl Fn(f32) -> f32) -> Lane {
    let mut out = Lane::ZERO;
    for i in 0..LANES {
        out[i] = f(a[i]);
    }
    out
}

/// See [`map`].
#[inline(always)]
pub(crate) fn map2(a: Lane, b: Lane, f: impl Fn(f32, f32) -> f32) -> Lane {
    let mut out = Lane::ZERO;
    for i in 0..LANES {
        out[i] = f(a[i], b[i]);
    }
    out
}

/// See [`map`].
#[inline(always)]
pub(crate) fn map3(a: Lane, b: Lane, c: Lane, f: impl Fn(f32, f32, f32) -> f32) -> Lane {
    let mut out = Lane::ZERO;
    for i in 0..LANES {
        out[i] = f(a[i], b[i], c[i]);
    }
    out
}

/// `to += what`.
#[inline(always)]
pub(crate) fn add(to: &mut Lane, what: &Lane) {
    *to = map2(*to, *what, |a, b| a + b);
}

/// Keeps the steps of a loop apart. Compilers that work on several steps at once gather the numbers of each lane one by one,
/// which takes many times as long as one step after the other.
#[inline(always)]
pub(crate) fn step_by_step() {
    std::hint::black_box(());
}

/// `room`, which stays in memory: compilers that keep many sums in registers from one step to the next do so one number at a
/// time.
#[inline(always)]
pub(crate) fn in_memory<T>(room: &mut T) -> &mut T {
    std::hint::black_box(room)
}

/// `to += factor * what`.
#[inline(always)]
pub(crate) fn add_times(to: &mut Lane, what: &Lane, factor: f32) {
    *to = map2(*to, *what, |a, b| a + factor * b);
}

/// `to += a * b`.
#[inline(always)]
pub(crate) fn add_product(to: &mut Lane, a: &Lane, b: &Lane) {
    *to = map3(*to, *a, *b, |to, a, b| to + a * b);
}

/// The larger one; plain, without a rule for what is not a number.
#[inline(always)]
pub(crate) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// e^x in each lane, with a relative error below 3e-7 for x of -87 to 88; smaller x give e^-87, larger ones e^88.
///
/// # Formula
/// ```text
/// x = n log 2 + r, |r| <= log(2) / 2;   e^x = 2^n e^r,   e^r by its Taylor polynomial of degree 6
/// ```
#[inline(always)]
pub(crate) fn exp(x: Lane) -> Lane {
    // log 2 in two parts, so that r keeps its digits.
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    // Adding and taking off 1.5 * 2^23 rounds to the nearest whole number.
    const ROUND: f32 = 12_582_912.0;
    let mut y = Lane::ZERO;
    for i in 0..LANES {
        let x = larger(x[i], -87.0);
        let x = if x < 88.0 { x } else { 88.0 };
        let shifted = x * std::f32::consts::LOG2_E + ROUND;
        let n = shifted - ROUND;
        let r = (x - n * LN2_HIGH) - n * LN2_LOW;
        let mut e = 1.0 / 720.0;
        e = e * r + 1.0 / 120.0;
        e = e * r + 1.0 / 24.0;
        e = e * r + 1.0 / 6.0;
        e = e * r + 0.5;
        e = e * r + 1.0;
        e = e * r + 1.0;
        let scale =
            f32::from_bits(((shifted.to_bits() & 0x1ff).wrapping_add(127) & 0x1ff) << 23 & 0x7fff_ffff);
        y[i] = e * scale;
    }
    y
}

/// log x in each lane, with an absolute error below 2e-7 (relative to the larger of 1 and the result) for normal x > 0.
///
/// # Formula
/// ```text
/// x = 2^n f, f of √½ to √2;   log x = n log 2 + 2 artanh(s),   s = (f - 1) / (f + 1)
/// ```
#[inline(always)]
pub(crate) fn ln(x: Lane) -> Lane {
    const SQRT_HALF_BITS: u32 = 0x3f35_04f3;
    let mut y = Lane::ZERO;
    for i in 0..LANES {
        let bits = x[i].to_bits();
        let offset = bits.wrapping_sub(SQRT_HALF_BITS);
        let n = (offset as i32 >> 23) as f32;
        let f = f32::from_bits((offset & 0x007f_ffff).wrapping_add(SQRT_HALF_BITS));
        let s = (f - 1.0) / (f + 1.0);
        let s2 = s * s;
        let series = s2 * (2.0 / 3.0 + s2 * (2.0 / 5.0 + s2 * (2.0 / 7.0 + s2 * (2.0 / 9.0))));
        y[i] = n * std::f32::consts::LN_2 + s * (2.0 + series);
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_ln_are_accurate() {
        for step in 0..20_000u32 {
            let x = -87.0 + 175.0 * (step as f32) / 20_000.0;
            let y = exp(Lane([x; LANES]))[7];
            let truth = f64::from(x).exp();
            assert!((f64::from(y) / truth - 1.0).abs() < 3e-7, "exp({x}) = {y}, but {truth}");
            let z = f64::from(ln(Lane([y; LANES]))[3]);
            let truth = f64::from(y).ln();
            assert!((z - truth).abs() < 2e-7 * truth.abs().max(1.0), "ln({y}) = {z}, but {truth}");
        }
        assert!(exp(Lane([-1e30; LANES]))[0] > 0.0 && exp(Lane([1e30; LANES]))[0].is_finite());
    }

    #[test]
    fn dispatch_returns_what_the_work_returns() {
        assert_eq!(dispatch(|| exp(Lane::ZERO)[0].to_bits()), 1f32.to_bits());
    }
}
