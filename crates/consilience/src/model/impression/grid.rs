//! The strengths that sums go over.

/// How many there are.
pub(crate) const POINTS: usize = 32;

/// One number per strength.
pub(crate) type Curve = [f64; POINTS];

/// `to += factor * what`.
#[inline(always)]
pub(crate) fn add_curve(to: &mut Curve, what: &Curve, factor: f64) {
    // Read as a whole before anything is written: else the two might be one, and compilers take one number after the other.
    let (mut sums, what) = (*to, *what);
    for g in 0..POINTS {
        sums[g] += factor * what[g];
    }
    *to = sums;
}

/// Points of the fine part, its step, and the step beyond.
const FINE_POINTS: usize = 24;
const FINE: f64 = 0.125;
const COARSE: f64 = 0.4;

/// z_g: 0 to 3 by 1/8, then to 5.8 by 0.4. A grid twice as fine changes log losses by 0.0003 at most.
pub(crate) const STRENGTHS: Curve = strengths();

/// What each stands for, by the trapezoidal rule.
pub(crate) const WIDTHS: Curve = widths();

const fn strengths() -> Curve {
    let mut z = [0.0; POINTS];
    let mut g = 1;
    while g < POINTS {
        z[g] = z[g - 1] + if g <= FINE_POINTS { FINE } else { COARSE };
        g += 1;
    }
    z
}

const fn widths() -> Curve {
    let z = strengths();
    let mut widths = [0.0; POINTS];
    let mut g = 0;
    while g < POINTS {
        let below = if g == 0 { z[0] } else { z[g - 1] };
        let above = if g + 1 == POINTS { z[g] + COARSE } else { z[g + 1] };
        widths[g] = 0.5 * (above - below);
        g += 1;
    }
    widths
}
