//! Makes a fingerprint of the code that experiments run, so that finished points of another solver are not taken for this
//! one's. Comments and tests do not count.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let core = Path::new("../consilience/src");
    println!("cargo:rerun-if-changed={}", core.display());
    println!("cargo:rerun-if-changed=build.rs");
    let mut files = Vec::new();
    collect(core, &mut files);
    files.sort();
    // FNV-1a over all lines of code.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in &files {
        let text = fs::read_to_string(file).unwrap_or_default();
        let code = text.lines().map(str::trim).take_while(|line| *line != "#[cfg(test)]");
        for line in code.filter(|line| !line.is_empty() && !line.starts_with("//")) {
            for byte in line.bytes().chain([b'\n']) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    // Where the core is a package and not a neighbour, its version alone tells.
    let fingerprint = if files.is_empty() { "released".to_string() } else { format!("{hash:016x}") };
    println!("cargo:rustc-env=CONSILIENCE_SOLVER={fingerprint}");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}
