//! Exponentials and logarithms in double precision, eight at a time.

/// Numbers that go through the function together.
pub(crate) const EIGHT: usize = 8;

/// e^x of each number, with a relative error below 1e-15 for x of -708 to 709; smaller x give e^-708, larger ones e^709.
///
/// # Formula
/// ```text
/// x = n log 2 + r, |r| <= log(2) / 2;   e^x = 2^n e^r,   e^r by its Taylor polynomial of degree 13
/// ```
#[inline(always)]
pub(crate) fn exp_of_eight(x: &[f64; EIGHT]) -> [f64; EIGHT] {
    // log 2 in two parts, so that r keeps its digits.
    const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    // Adding and taking off 1.5 * 2^52 rounds to the nearest whole number, whose digits are then the lowest bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let mut y = [0.0; EIGHT];
    for i in 0..EIGHT {
        let x = if x[i] > -708.0 { x[i] } else { -708.0 };
        let x = if x < 709.0 { x } else { 709.0 };
        let shifted = x * std::f64::consts::LOG2_E + ROUND;
        let n = shifted - ROUND;
        let r = (x - n * LN2_HIGH) - n * LN2_LOW;
        // Estrin's scheme: short chains of additions.
        let (r2, a) = (r * r, 1.0 + r);
        let b = 0.5 + r * (1.0 / 6.0);
        let c = 1.0 / 24.0 + r * (1.0 / 120.0);
        let d = 1.0 / 720.0 + r * (1.0 / 5_040.0);
        let e = 1.0 / 40_320.0 + r * (1.0 / 362_880.0);
        let f = 1.0 / 3_628_800.0 + r * (1.0 / 39_916_800.0);
        let g = 1.0 / 479_001_600.0 + r * (1.0 / 6_227_020_800.0);
        let r4 = r2 * r2;
        let low = (a + r2 * b) + r4 * (c + r2 * d);
        let high = (e + r2 * f) + r4 * g;
        let series = low + (r4 * r4) * high;
        let scale = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
        y[i] = series * scale;
    }
    y
}

/// log x of each number, which must be normal and above 0, with a relative error below 1e-15.
///
/// # Formula
/// ```text
/// x = 2^n f, f of √½ to √2;   log x = n log 2 + 2 artanh(s),   s = (f - 1) / (f + 1),   artanh by its series up to s^23
/// ```
#[inline(always)]
pub(crate) fn ln_of_eight(x: &[f64; EIGHT]) -> [f64; EIGHT] {
    const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    // The bits of √½: numbers from there on have the exponent 0.
    const HALF_ROOT: u64 = 0x3fe6_a09e_667f_3bcd;
    const FRACTION: u64 = (1 << 52) - 1;
    // A whole number added to the bits of 2^52 is added to the number.
    const WHOLE: u64 = 0x4330_0000_0000_0000;
    const OFFSET: f64 = 4_503_599_627_370_496.0 + 1023.0;
    let mut y = [0.0; EIGHT];
    for i in 0..EIGHT {
        let shifted = x[i].to_bits() + (0x3ff0_0000_0000_0000 - HALF_ROOT);
        let n = f64::from_bits(WHOLE | (shifted >> 52)) - OFFSET;
        let f = f64::from_bits((shifted & FRACTION) + HALF_ROOT);
        let s = (f - 1.0) / (f + 1.0);
        let s2 = s * s;
        let s4 = s2 * s2;
        let s8 = s4 * s4;
        let a = 1.0 / 3.0 + s2 * (1.0 / 5.0);
        let b = 1.0 / 7.0 + s2 * (1.0 / 9.0);
        let c = 1.0 / 11.0 + s2 * (1.0 / 13.0);
        let d = 1.0 / 15.0 + s2 * (1.0 / 17.0);
        let e = 1.0 / 19.0 + s2 * (1.0 / 21.0);
        let series = (a + s4 * b) + s8 * ((c + s4 * d) + s8 * (e + s4 * (1.0 / 23.0)));
        let twice = s + s;
        y[i] = n * LN2_HIGH + (twice + (twice * s2 * series + n * LN2_LOW));
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_library() {
        for step in 0..40_000u32 {
            let x = (-700.0 + 1400.0 * f64::from(step) / 40_000.0 + 1e-3).exp();
            let (y, truth) = (ln_of_eight(&[x; EIGHT])[3], x.ln());
            assert!((y - truth).abs() <= 1e-15 * truth.abs(), "ln({x}) = {y}, but {truth}");
        }
        // Around 1, and where the exponent changes.
        for step in 0..40_000u32 {
            let x = 0.6 + f64::from(step) / 40_000.0;
            let (y, truth) = (ln_of_eight(&[x; EIGHT])[6], x.ln());
            assert!((y - truth).abs() <= 1e-15 * truth.abs(), "ln({x}) = {y}, but {truth}");
        }
        assert_eq!(ln_of_eight(&[1.0; EIGHT])[0].to_bits(), 0f64.to_bits());
    }

    #[test]
    fn exponentials_are_those_of_the_library() {
        for step in 0..40_000u32 {
            let x = -708.0 + 1417.0 * f64::from(step) / 40_000.0;
            let truth = x.exp();
            let y = exp_of_eight(&[x; EIGHT])[5];
            assert!((y / truth - 1.0).abs() < 1e-15, "exp({x}) = {y}, but {truth}");
        }
        assert!(exp_of_eight(&[-1e300; EIGHT])[0] > 0.0 && exp_of_eight(&[1e300; EIGHT])[0].is_finite());
        assert_eq!(exp_of_eight(&[0.0; EIGHT])[0].to_bits(), 1f64.to_bits());
    }
}
