//! Messages of the libraries name nouns; flags belong to the binary.

use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Whether the line has a flag in its code, comments aside.
fn names_a_flag(line: &str) -> bool {
    let code = line.trim_start();
    let flag = |at: usize| code[at + 2..].starts_with(|c: char| c.is_ascii_lowercase());
    !code.starts_with("//") && code.match_indices("--").any(|(at, _)| flag(at))
}

#[test]
fn no_message_names_a_flag() {
    assert!(names_a_flag("    \"use --classes a,b\"") && !names_a_flag("    // as --classes says"));
    let mut files = Vec::new();
    for krate in ["consilience", "consilience-io"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(krate).join("src"), &mut files);
    }
    assert!(files.len() > 100);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let wrong = text.lines().position(names_a_flag);
        assert_eq!(wrong, None, "{}: line {}", file.display(), wrong.map_or(0, |line| line + 1));
    }
}
