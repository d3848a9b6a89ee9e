//! Peak memory of this process, if the system reports it (Linux).

use std::fs;

/// Forgets the peak so far; whether that can be done.
pub(crate) fn reset() -> bool {
    // 5 resets the peak of the resident set: proc(5), clear_refs.
    fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// The most bytes in use since the reset.
pub(crate) fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
