//! The step of one item for two classes and correlations alone: the paper's setting, in closed form.

use pulp::Simd;

use super::kernel::{Head, Lanes};
use super::real::Real;
use crate::sources::{Domain, Vote};

/// The own terms of `L` problems.
///
/// # Formula
/// ```text
/// σ = Σ over others of a_l (1{λ_l = 1} - 1{λ_l = 2}),   c_v = Σ over others with λ_l = v of w_l
/// p(v, y) ∝ e^{c_v} · e^{±σ} · (1, e^a or e^-a where v = 0, right, wrong)
/// ```
/// scaled by e^{a - |σ| - max c}, so that nothing overflows and e^{±σ} is 1 and e^{-2|σ|}.
#[derive(Debug)]
pub(super) struct BinaryCorrelation<T, const L: usize> {
    step: T,
    /// The accuracy of the own source.
    pub(super) accuracy: Lanes<T, L>,
    /// 0 for a class the own source votes for, else a number so low that its exponential is 0.
    never: [Lanes<T, L>; 2],
}

impl<T: Real, const L: usize> BinaryCorrelation<T, L> {
    pub(super) fn new(domains: &[Domain], step: T, accuracy: T) -> Self {
        let never = |class: Vote| {
            let mut never = [T::NEVER; L];
            for (never, domain) in never.iter_mut().zip(domains) {
                if domain.position(class).is_some() {
                    *never = T::ZERO;
                }
            }
            never
        };
        Self { step, accuracy: [accuracy; L], never: [never(1), never(2)] }
    }
}

impl<T: Real, const L: usize> Head<T, L> for BinaryCorrelation<T, L> {
    #[inline(always)]
    fn step<S: Simd>(
        &mut self,
        votes: &[Vote; L],
        sums: &mut [Lanes<T, L>],
        own: &mut [Lanes<T, L>],
        steps: &mut [Lanes<T, L>],
    ) {
        let Some([_, right, wrong, same_0, same_1, same_2]) = sums.first_chunk::<6>() else { return };
        let Some([own_accuracy, own_link]) = own.first_chunk_mut::<2>() else { return };
        let Some([_, step_1, step_2, link_0, link_1, link_2]) = steps.first_chunk_mut::<6>() else { return };
        for i in 0..L {
            let [is_0, is_1, is_2] = [votes[i] == 0, votes[i] == 1, votes[i] == 2];
            let (own_a, own_w) = (own_accuracy[i], own_link[i]);
            let sigma = (right[i] - own_a.only_if(is_1)) - (wrong[i] - own_a.only_if(is_2));
            let c_0 = same_0[i] - own_w.only_if(is_0);
            let c_1 = same_1[i] - own_w.only_if(is_1) + self.never[0][i];
            let c_2 = same_2[i] - own_w.only_if(is_2) + self.never[1][i];
            let top = c_0.most(c_1).most(c_2);
            let e_0 = (c_0 - top).exponential::<S>();
            let e_1 = (c_1 - top).exponential::<S>();
            let e_2 = (c_2 - top).exponential::<S>();

            let for_1 = sigma > T::ZERO;
            let size = if for_1 { sigma } else { -sigma };
            let less = (-(size + size)).exponential::<S>();
            let g_1 = if for_1 { T::ONE } else { less };
            let g_2 = if for_1 { less } else { T::ONE };

            let limit = T::LARGEST_EXPONENT;
            let a = self.accuracy[i].least(limit).most(-limit).exponential::<S>();
            let a_twice = a * a;
            let silent = e_0 * a;
            let (p_01, p_02) = (silent * g_1, silent * g_2);
            let (p_11, p_12) = (e_1 * a_twice * g_1, e_1 * g_2);
            let (p_21, p_22) = (e_2 * g_1, e_2 * a_twice * g_2);
            let (p_0, p_1, p_2) = (p_01 + p_02, p_11 + p_12, p_21 + p_22);
            let scale = self.step / (p_0 + p_1 + p_2);

            // E[±1 of the class]: given all votes, and given the others'.
            let h_1 = if is_1 { a_twice } else { a };
            let h_1 = if is_2 { T::ONE } else { h_1 } * g_1;
            let h_2 = if is_2 { a_twice } else { a };
            let h_2 = if is_1 { T::ONE } else { h_2 } * g_2;
            let known = self.step * ((h_1 - h_2) / (h_1 + h_2));
            let (lean_1, lean_2) = (p_11 - p_12, p_21 - p_22);
            let guessed = (p_01 - p_02 + lean_1 + lean_2) * scale;

            let accuracy = known - guessed;
            let same = [
                self.step.only_if(is_0) - p_0 * scale,
                self.step.only_if(is_1) - p_1 * scale,
                self.step.only_if(is_2) - p_2 * scale,
            ];
            step_1[i] = accuracy;
            step_2[i] = -accuracy;
            link_0[i] = same[0];
            link_1[i] = same[1];
            link_2[i] = same[2];
            own_accuracy[i] = own_a + accuracy.only_if(is_1) - accuracy.only_if(is_2);
            own_link[i] = own_w + same[0].only_if(is_0) + same[1].only_if(is_1) + same[2].only_if(is_2);
            self.accuracy[i] += known.only_if(is_1) - known.only_if(is_2) - (lean_1 - lean_2) * scale;
        }
    }

    #[inline(always)]
    fn truncate(&mut self, by: T) {
        for accuracy in &mut self.accuracy {
            *accuracy = accuracy.shrunk(by);
        }
    }
}
