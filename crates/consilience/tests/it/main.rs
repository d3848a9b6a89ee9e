//! The core against independent roads: enumeration, finite differences, second solvers, planted truth, real tables.
//!
//! One binary, since each one more would be linked against the whole core.

mod answers;
mod board;
mod copies;
mod curvature;
mod dependencies;
mod elimination;
mod end_model;
mod exact_inference;
mod exact_scale;
mod exact_structure;
mod explain;
mod fit;
mod graphs;
mod impression;
mod likelihood;
mod sampling;
mod sgd;
mod simulate;
mod sparse;
mod statistics;
mod votes;
