//! Sources on a cluster of real processes on this machine.
//!
//! `same`: what comes back is what one machine gives, byte for byte. `stock`: the same on Ballista as it comes. `wrong`: clusters that
//! are not there and requests that are refused. `killed`: executors and schedulers that end in the middle of their work.

mod data;
mod killed;
mod processes;
mod same;
mod stock;
mod wrong;
