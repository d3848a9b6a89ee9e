//! Ports that are free.

use std::io;
use std::net::TcpListener;

/// As many different ports that nobody listens on.
pub(crate) fn free(host: &str, count: usize) -> io::Result<Vec<u16>> {
    let held = (0..count).map(|_| TcpListener::bind((host, 0))).collect::<io::Result<Vec<_>>>()?;
    held.iter().map(|listener| Ok(listener.local_addr()?.port())).collect()
}
