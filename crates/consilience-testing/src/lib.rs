//! Planted-truth worlds, brute-force enumeration, finite differences and contract checks for tests.

pub mod tables;
