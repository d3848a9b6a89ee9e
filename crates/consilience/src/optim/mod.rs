//! Numerical kernels that know nothing of votes: many small problems side by side in the lanes of vectors, and one large
//! one with bounds.

mod bounded;
mod cholesky;
mod gram;
mod lanes;
mod solver;
mod tiled;

pub(crate) use bounded::{Bounds, Curvature, Finish, Stop, minimise};
pub(crate) use cholesky::{Cholesky, row_start};
pub(crate) use gram::{COLUMNS, ROWS as GRAM_ROWS, gram, products_at_a_time};
pub(crate) use lanes::{
    LANES, Lane, Lane64, add, add_product, add_times, dispatch, exp, larger, ln, map, map2, map3,
};
pub(crate) use solver::Solver;
