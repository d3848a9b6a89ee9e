//! Numbers of either precision: vectors of them, and an exponential that vectorises.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use pulp::Simd;

/// A floating-point number: `f32` or `f64`.
///
/// The functions of single numbers are written without branches, so that a long loop over lanes becomes vector
/// instructions; `S` only tells them whether the processor multiplies and adds at once. Short loops are not left to the
/// compiler, which at times unrolls them into single numbers: they are written with the vectors of `S`.
pub(super) trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// So far below any score that its exponential is 0.
    const NEVER: Self;
    /// The largest |weight| whose exponential and its square are finite.
    const LARGEST_EXPONENT: Self;

    /// A register of numbers.
    type Vector<S: Simd>: Copy;

    /// Numbers as registers; a rest that fills none is left out.
    fn vectors<S: Simd>(numbers: &[Self]) -> &[Self::Vector<S>];

    /// Numbers as registers; a rest that fills none is left out.
    fn vectors_mut<S: Simd>(numbers: &mut [Self]) -> &mut [Self::Vector<S>];

    /// The same number in every lane.
    fn splat<S: Simd>(simd: S, x: Self) -> Self::Vector<S>;

    /// a + b.
    fn plus<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;

    /// a - b.
    fn minus<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;

    /// a b.
    fn times<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;

    /// a b + c, rounded once or twice.
    fn fused<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>, c: Self::Vector<S>)
    -> Self::Vector<S>;

    /// x between -by and by.
    fn between<S: Simd>(simd: S, x: Self::Vector<S>, by: Self) -> Self::Vector<S>;

    /// The nearest number of this precision.
    fn of(x: f64) -> Self;

    /// The same number in double precision.
    fn as_f64(self) -> f64;

    /// `self * b + c`.
    fn times_plus<S: Simd>(self, b: Self, c: Self) -> Self;

    /// e^x, to about one unit in the last place; 0 if it is too small to be a normal number.
    fn exponential<S: Simd>(self) -> Self;

    /// The smaller of two numbers.
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// The larger of two numbers.
    #[inline(always)]
    fn most(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    /// `self` where `holds`, else 0.
    #[inline(always)]
    fn only_if(self, holds: bool) -> Self {
        if holds { self } else { Self::ZERO }
    }

    /// Moved towards 0 by `by`, and not past it: the truncation of Algorithm 1.
    #[inline(always)]
    fn shrunk(self, by: Self) -> Self {
        self - self.least(by).most(-by)
    }
}

/// Whether a b + c is one instruction: wherever there are vectors, but for WebAssembly.
#[inline(always)]
const fn has_fma<S: Simd>() -> bool {
    !S::IS_SCALAR && !cfg!(target_family = "wasm")
}

/// The vector functions, which differ only in their names.
macro_rules! vector_functions {
    ($vector:ident, $vectors:ident, $vectors_mut:ident, $splat:ident, $add:ident, $sub:ident, $mul:ident, $fused:ident,
     $min:ident, $max:ident) => {
        type Vector<S: Simd> = S::$vector;

        #[inline(always)]
        fn vectors<S: Simd>(numbers: &[Self]) -> &[S::$vector] {
            S::$vectors(numbers).0
        }

        #[inline(always)]
        fn vectors_mut<S: Simd>(numbers: &mut [Self]) -> &mut [S::$vector] {
            S::$vectors_mut(numbers).0
        }

        #[inline(always)]
        fn splat<S: Simd>(simd: S, x: Self) -> S::$vector {
            simd.$splat(x)
        }

        #[inline(always)]
        fn plus<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
            simd.$add(a, b)
        }

        #[inline(always)]
        fn minus<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
            simd.$sub(a, b)
        }

        #[inline(always)]
        fn times<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
            simd.$mul(a, b)
        }

        #[inline(always)]
        fn fused<S: Simd>(simd: S, a: S::$vector, b: S::$vector, c: S::$vector) -> S::$vector {
            simd.$fused(a, b, c)
        }

        #[inline(always)]
        fn between<S: Simd>(simd: S, x: S::$vector, by: Self) -> S::$vector {
            simd.$max(simd.$min(x, simd.$splat(by)), simd.$splat(-by))
        }
    };
}

impl Real for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const NEVER: Self = -1e30;
    const LARGEST_EXPONENT: Self = 40.0;

    vector_functions!(
        f32s,
        as_simd_f32s,
        as_mut_simd_f32s,
        splat_f32s,
        add_f32s,
        sub_f32s,
        mul_f32s,
        mul_add_e_f32s,
        min_f32s,
        max_f32s
    );

    #[inline(always)]
    fn of(x: f64) -> Self {
        x as Self
    }

    #[inline(always)]
    fn as_f64(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn times_plus<S: Simd>(self, b: Self, c: Self) -> Self {
        if has_fma::<S>() { self.mul_add(b, c) } else { self * b + c }
    }

    /// x = n log 2 + r with |r| <= log(2) / 2; e^r by the polynomial of Cephes' expf; 2^n by its bits.
    #[inline(always)]
    fn exponential<S: Simd>(self) -> Self {
        // Adding 1.5 · 2^23 leaves no room for a fraction, so the sum is rounded to a whole number, which then stands in
        // the low bits.
        const ROUND: f32 = 12_582_912.0;
        const LN_2_HIGH: f32 = 0.693_359_4;
        const LN_2_LOW: f32 = -2.121_944_4e-4;
        let x = self.most(-87.0).least(88.0);
        let shifted = x.times_plus::<S>(std::f32::consts::LOG2_E, ROUND);
        let n = shifted - ROUND;
        let r = (-n).times_plus::<S>(LN_2_LOW, (-n).times_plus::<S>(LN_2_HIGH, x));
        let p = 1.987_569_1e-4_f32;
        let p = p.times_plus::<S>(r, 1.398_199_9e-3);
        let p = p.times_plus::<S>(r, 8.333_452e-3);
        let p = p.times_plus::<S>(r, 4.166_579_6e-2);
        let p = p.times_plus::<S>(r, 1.666_666_5e-1);
        let p = p.times_plus::<S>(r, 0.5);
        let e = p.times_plus::<S>(r * r, r) + 1.0;
        let power = Self::from_bits(shifted.to_bits().wrapping_add(127) << 23);
        (e * power).only_if(self > -87.0)
    }
}

impl Real for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const NEVER: Self = -1e300;
    const LARGEST_EXPONENT: Self = 300.0;

    vector_functions!(
        f64s,
        as_simd_f64s,
        as_mut_simd_f64s,
        splat_f64s,
        add_f64s,
        sub_f64s,
        mul_f64s,
        mul_add_e_f64s,
        min_f64s,
        max_f64s
    );

    #[inline(always)]
    fn of(x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn as_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn times_plus<S: Simd>(self, b: Self, c: Self) -> Self {
        if has_fma::<S>() { self.mul_add(b, c) } else { self * b + c }
    }

    /// As in single precision, with the Taylor series up to r^13, whose remainder is below 4e-18.
    #[inline(always)]
    fn exponential<S: Simd>(self) -> Self {
        const ROUND: f64 = 6_755_399_441_055_744.0;
        const LN_2_HIGH: f64 = 0.693_145_751_953_125;
        const LN_2_LOW: f64 = 1.428_606_820_309_417_2e-6;
        const INVERSE_FACTORIALS: [f64; 13] = [
            1.605_904_383_682_161_5e-10,
            2.087_675_698_786_81e-9,
            2.505_210_838_544_172e-8,
            2.755_731_922_398_589_3e-7,
            2.755_731_922_398_589e-6,
            2.480_158_730_158_73e-5,
            1.984_126_984_126_984e-4,
            1.388_888_888_888_889e-3,
            8.333_333_333_333_333e-3,
            4.166_666_666_666_666_4e-2,
            1.666_666_666_666_666_6e-1,
            0.5,
            1.0,
        ];
        let x = self.most(-708.0).least(709.0);
        let shifted = x.times_plus::<S>(std::f64::consts::LOG2_E, ROUND);
        let n = shifted - ROUND;
        let r = (-n).times_plus::<S>(LN_2_LOW, (-n).times_plus::<S>(LN_2_HIGH, x));
        let mut p = 0.0;
        for c in INVERSE_FACTORIALS {
            p = p.times_plus::<S>(r, c);
        }
        let e = p.times_plus::<S>(r, 1.0);
        let power = Self::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
        (e * power).only_if(self > -708.0)
    }
}

#[cfg(test)]
mod tests {
    use pulp::Scalar;

    use super::*;

    fn worst<S: Simd, T: Real>(low: f64, high: f64) -> f64 {
        (0..=400_000)
            .map(|i| T::of(low + (high - low) * f64::from(i) / 400_000.0))
            .map(|x| (x.exponential::<S>().as_f64() / x.as_f64().exp() - 1.0).abs())
            .fold(0.0, f64::max)
    }

    #[test]
    fn exponentials_are_exact_to_the_last_digits() {
        type Fused = pulp::Scalar512b;
        let single = [worst::<Scalar, f32>(-86.9, 88.0), worst::<Fused, f32>(-86.9, 88.0)];
        let double = [worst::<Scalar, f64>(-707.9, 708.0), worst::<Fused, f64>(-707.9, 708.0)];
        assert!(single.iter().all(|&e| e < 1e-7), "{single:?}");
        assert!(double.iter().all(|&e| e < 4e-16), "{double:?}");
    }

    #[test]
    fn exponentials_never_leave_the_numbers() {
        for x in [f32::NEVER, -1000.0, -87.0, 0.0, 88.0, 1000.0, 1e30] {
            let e = x.exponential::<Scalar>();
            assert!(e.is_finite() && e >= 0.0, "{x} {e}");
        }
        for x in [f64::NEVER, -1000.0, -708.0, 0.0, 709.0, 1e300] {
            let e = <f64 as Real>::exponential::<Scalar>(x);
            assert!(e.is_finite() && e >= 0.0, "{x} {e}");
        }
        assert!(f32::NEVER.exponential::<Scalar>().abs() < f32::MIN_POSITIVE);
        assert!((0.0f32.exponential::<Scalar>() - 1.0).abs() < f32::MIN_POSITIVE);
    }

    #[test]
    fn shrinking_stops_at_zero() {
        for (x, expected) in [(0.5, 0.4), (-0.5, -0.4), (0.05, 0.0), (-0.05, 0.0), (0.0, 0.0)] {
            assert!((<f64 as Real>::shrunk(x, 0.1) - expected).abs() < 1e-15);
        }
    }
}
