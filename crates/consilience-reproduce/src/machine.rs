//! What times were measured on.

use std::fs;

/// A machine.
pub(crate) struct Machine {
    /// What its processors call themselves.
    pub(crate) processor: String,
    /// How many of them this program may use.
    pub(crate) processors: usize,
}

impl Machine {
    /// The machine this runs on.
    pub(crate) fn here() -> Self {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let named = text.lines().find_map(|line| line.strip_prefix("model name"));
        let named = named.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_string());
        Self {
            processor: named.unwrap_or_else(|| format!("an unnamed processor ({})", std::env::consts::ARCH)),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// How many programs wanted a processor in the last minute, if the system reports it.
pub(crate) fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
