//! The strengths that sums go over.

use crate::optim::{EIGHT, in_memory, step_by_step};

/// How many there are.
pub(crate) const POINTS: usize = 32;

/// One number per strength, on a boundary of the cache so that a vector never straddles two lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Curve(pub(crate) [f64; POINTS]);

impl Curve {
    pub(crate) const ZERO: Self = Self([0.0; POINTS]);

    /// `f` of each place.
    #[inline(always)]
    pub(crate) fn of(f: impl FnMut(usize) -> f64) -> Self {
        Self(std::array::from_fn(f))
    }

    /// `to += factor * what`.
    #[inline(always)]
    pub(crate) fn add(&mut self, what: &Self, factor: f64) {
        // Read as a whole before anything is written: else the two might be one, and compilers take one number after the other.
        let (mut sums, what) = (*self, *what);
        for g in 0..POINTS {
            sums[g] += factor * what[g];
        }
        *self = sums;
    }

    /// `self` + Σ `curves`, in registers.
    #[inline(always)]
    pub(crate) fn plus_all<'a>(&self, curves: impl Iterator<Item = &'a Self>) -> Self {
        let mut sums = self.eights();
        for curve in curves {
            step_by_step();
            add_eights(&mut sums, curve);
        }
        Self::of_eights(&sums)
    }

    /// `self` plus the sums of both of `pairs`, in one pass.
    #[inline(always)]
    pub(crate) fn plus_pairs<'a>(&self, pairs: impl Iterator<Item = &'a [Self; 2]>) -> [Self; 2] {
        let (mut first, mut second) = (self.eights(), self.eights());
        for [one, other] in pairs {
            step_by_step();
            add_eights(&mut first, one);
            add_eights(&mut second, other);
        }
        [Self::of_eights(&first), Self::of_eights(&second)]
    }

    /// Σ over the strengths, in eight sums that are added up at the end.
    #[inline(always)]
    pub(crate) fn sum(&self) -> f64 {
        let mut sums = [0.0; EIGHT];
        for eight in self.eights() {
            for i in 0..EIGHT {
                sums[i] += eight[i];
            }
        }
        sum_of_eight(sums)
    }

    /// The same of the products with `factors`.
    #[inline(always)]
    pub(crate) fn sum_with(&self, factors: &Self) -> f64 {
        let mut sums = [0.0; EIGHT];
        for (eight, factors) in self.eights().into_iter().zip(factors.eights()) {
            for i in 0..EIGHT {
                sums[i] += eight[i] * factors[i];
            }
        }
        sum_of_eight(sums)
    }

    #[inline(always)]
    fn of_eights(eights: &Eights) -> Self {
        let mut whole = Self::ZERO;
        for (to, sums) in whole.as_chunks_mut::<EIGHT>().0.iter_mut().zip(eights) {
            *to = *sums;
        }
        whole
    }

    #[inline(always)]
    fn eights(&self) -> Eights {
        let eights = self.as_chunks::<EIGHT>().0;
        std::array::from_fn(|n| eights[n])
    }
}

/// The numbers of a curve, as vectors hold them.
type Eights = [[f64; EIGHT]; POINTS / EIGHT];

#[inline(always)]
fn add_eights(sums: &mut Eights, curve: &Curve) {
    let curve = curve.as_chunks::<EIGHT>().0;
    for (n, sums) in sums.iter_mut().enumerate() {
        for i in 0..EIGHT {
            sums[i] += curve[n][i];
        }
    }
}

/// In pairs: no sum waits for more than two others.
#[inline(always)]
fn sum_of_eight(mut sums: [f64; EIGHT]) -> f64 {
    let [a, b, c, d, e, f, g, h] = *in_memory(&mut sums);
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

impl std::ops::Deref for Curve {
    type Target = [f64; POINTS];
    #[inline(always)]
    fn deref(&self) -> &[f64; POINTS] {
        &self.0
    }
}

impl std::ops::DerefMut for Curve {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f64; POINTS] {
        &mut self.0
    }
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
    Curve(z)
}

const fn widths() -> Curve {
    let Curve(z) = strengths();
    let mut widths = [0.0; POINTS];
    let mut g = 0;
    while g < POINTS {
        let below = if g == 0 { z[0] } else { z[g - 1] };
        let above = if g + 1 == POINTS { z[g] + COARSE } else { z[g + 1] };
        widths[g] = 0.5 * (above - below);
        g += 1;
    }
    Curve(widths)
}
