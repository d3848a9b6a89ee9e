//! Numerical kernels that know nothing of votes: many small problems side by side in the lanes of vectors, and one large
//! one with bounds.

mod bounded;
mod cholesky;
mod exps;
mod gram;
mod lanes;
mod logs;
mod newton_pair;
mod simplex;
mod solver;
mod tiled;
mod two_loops;
mod vectors;

pub(crate) use bounded::{Bounds, Curvature, Finish, Scaling, Smooth, Stop, minimise};
pub(crate) use cholesky::{Cholesky, row_start};
pub(crate) use exps::{EIGHT, exp_of_eight, ln_of_eight};
pub(crate) use gram::{Quad, ROWS as GRAM_ROWS, Sum, gram};
pub(crate) use lanes::{
    LANES, Lane, Lane64, add, add_product, add_times, dispatch, exp, in_memory, larger, ln, map, map2, map3,
    step_by_step,
};
pub(crate) use logs::SumOfLogs;
pub(crate) use newton_pair::{Bend, newton_pair};
pub(crate) use simplex::simplex;
pub(crate) use solver::Solver;
pub(crate) use two_loops::{All, Pair, Products, two_loops};
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
pub(crate) use vectors::{Vectors, vectors};
