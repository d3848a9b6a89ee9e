//! Numerical kernels that know nothing of votes: sixteen problems side by side in the lanes of vectors.

mod cholesky;
mod lanes;

pub(crate) use cholesky::Cholesky;
pub(crate) use lanes::{
    LANES, Lane, Lane64, add, add_product, add_times, dispatch, exp, larger, ln, map, map2, map3,
};
